//! The statements of a finished text that evidence can be asked of, each with what it cites.

use rebuttal_model::{PassageId, Span};
use rebuttal_text::Reading;

use crate::Citation;

/// Most statements of one text; what follows is left out and said.
pub(crate) const STATEMENTS: usize = 5_000;

/// A sentence that says something, and what it cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its bytes in the text.
    pub span: Span,
    /// The words, without the citation.
    pub text: String,
    /// What it cites: `[p0123456789ab]`, `[costs.md]`, `(costs.md, line 3)`.
    pub citation: Citation,
}

/// The statements of a text, in order. Questions, headings and sentences of a few words are none; a citation
/// in a sentence of its own belongs to the one before.
pub fn statements(text: &str) -> Vec<Statement> {
    let reading = Reading::new(text);
    let mut found: Vec<Statement> = Vec::new();
    for span in reading.sentence_spans() {
        let words = span.of(text).unwrap_or_default();
        let (plain, citation) = cited(words);
        if plain.split_whitespace().next().is_none() && citation != Citation::default() {
            if let Some(last) = found.last_mut().filter(|it| it.citation == Citation::default()) {
                last.citation = citation;
            }
            continue;
        }
        if found.len() >= STATEMENTS {
            break;
        }
        if says_something(&plain, text, span) || citation != Citation::default() {
            found.push(Statement { span, text: plain, citation });
        }
    }
    found
}

/// Whether evidence can be asked for: a sentence that states, and not a title or a question.
fn says_something(words: &str, text: &str, span: Span) -> bool {
    /// A shorter one states nothing that could be looked up.
    const WORDS: usize = 4;
    let before = text.get(..span.start()).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let heading = line.trim_start().starts_with('#') || words.trim_start().starts_with('#');
    !heading && words.split_whitespace().count() >= WORDS && !words.trim_end().ends_with('?')
}

/// A text without what stands in brackets to say where it is from, and what it cites there.
pub fn cited(words: &str) -> (String, Citation) {
    let mut citation = Citation::default();
    let mut plain = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(open) = rest.find(['[', '(']) {
        let (before, bracket) = rest.split_at(open);
        let close = if bracket.starts_with('[') { ']' } else { ')' };
        let end = bracket.find(close).map_or(bracket.len(), |end| end + 1);
        let inside = bracket.get(1..end.saturating_sub(1)).unwrap_or_default();
        plain.push_str(before);
        match named(inside) {
            Some(found) => {
                citation.passage = citation.passage.or(found.passage);
                citation.document = citation.document.or(found.document);
                while plain.ends_with(' ') {
                    plain.pop();
                }
            }
            None => plain.push_str(bracket.get(..end).unwrap_or_default()),
        }
        rest = bracket.get(end..).unwrap_or_default();
    }
    plain.push_str(rest);
    (plain.trim().to_owned(), citation)
}

/// A passage's id or a document's name, with a place behind it or not.
fn named(inside: &str) -> Option<Citation> {
    let first = inside.split([',', ';']).next().unwrap_or_default().trim();
    let first = first.trim_start_matches("see ").trim_start_matches("source: ").trim();
    if let Some(id) = PassageId::parse(first) {
        return Some(Citation { passage: Some(id), ..Citation::default() });
    }
    let name = first.split_once(':').map_or(first, |it| it.0).trim();
    let ending = name.rsplit_once('.').map(|it| it.1)?;
    let ends =
        ["md", "txt", "html", "htm", "pdf", "csv", "tsv", "parquet", "jsonl", "json", "log", "rst"];
    let place = inside.split([',', ':']).nth(1).unwrap_or_default().trim_start();
    let placed = ["line", "page", "row", "turn"].iter().any(|it| place.starts_with(it));
    let is_name = ends.contains(&ending) && (placed || !name.contains(char::is_whitespace));
    is_name.then(|| Citation { document: Some(name.to_owned()), ..Citation::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_know_what_they_cite() {
        let text = "# Costs\n\nHosting cost 41,000 euros in 2023 [costs.md]. Is that much? It rose by a third \
                    (runbooks/a.md, lines 3-4). Staff left the team last May [p0123456789ab]. Yes.";
        let found = statements(text);
        let seen: Vec<_> = found.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(
            seen,
            [
                "Hosting cost 41,000 euros in 2023.",
                "It rose by a third.",
                "Staff left the team last May."
            ]
        );
        assert_eq!(found[0].citation.document.as_deref(), Some("costs.md"));
        assert_eq!(found[1].citation.document.as_deref(), Some("runbooks/a.md"));
        assert_eq!(found[2].citation.passage, PassageId::parse("p0123456789ab"));
    }
}
