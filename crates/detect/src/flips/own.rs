//! What of a line is its speaker's own new statement.
//!
//! "You've convinced me, rye is better" says that its speaker's mind changed, and then what it now
//! holds; only the second is to be compared. What "critics say" is not held by who tells of it. And a
//! line that denies with "no" says what one says that denies with "not".

use rebuttal_model::Span;
use rebuttal_text::{Content, ContentWord, Reading};

use crate::pair::{Cue, CueKind};

/// Words by which a speaker rejects what it has just told of others.
const REJECTS: [&str; 9] = [
    "i disagree",
    "i don't agree",
    "i do not agree",
    "i don't think so",
    "i don't",
    "i do not",
    "they are wrong",
    "they're wrong",
    "that is wrong",
];

/// Most words between the words that say so and the colon behind them.
const SAYING: usize = 6;
/// Most words before an announcement that ends in a colon.
const ANNOUNCED: usize = 3;

/// What is left of a line without the sentence, or the opening words, that only say that a mind has
/// changed. None where nothing is left, or where those words are part of what is said.
pub(super) fn rest<'t>(text: &'t str, reading: &Reading<'_>, said: Span) -> Option<&'t str> {
    let sentences: Vec<Span> = reading.sentence_spans().collect();
    let at = sentences.iter().position(|sentence| sentence.contains(said))?;
    let own = sentences.get(at)?;
    let behind = text.get(said.end()..own.end())?;
    // "One small correction: …"
    let head = text.get(own.start()..said.start())?;
    let announced = text.get(..said.end()).is_some_and(|it| it.ends_with(':'))
        && head.split_whitespace().count() <= ANNOUNCED;
    if announced && behind.chars().any(char::is_alphanumeric) {
        return Some(behind.trim_start());
    }
    let opens = said.start() == own.start();
    let after = behind.trim_start_matches([',', ':', ';', '—', '–', ' ']);
    let breaks = behind.starts_with([',', ':', ';']) || behind.starts_with(" —");
    if opens && breaks && after.chars().any(char::is_alphanumeric) {
        return Some(after);
    }
    // "I overstated that earlier: …", "I'd limit my claim to this: …"
    let told = behind.find([':', ';']).and_then(|at| behind.split_at_checked(at + 1));
    let told = told.filter(|(head, _)| head.split_whitespace().count() <= SAYING);
    if let Some((_, what)) = told.filter(|(_, what)| what.chars().any(char::is_alphanumeric)) {
        return Some(what.trim_start());
    }
    let other = sentences.get(at + 1).or_else(|| sentences.get(at.checked_sub(1)?))?;
    other.of(text).map(str::trim)
}

/// "I've changed my mind about the trainer": what comes behind the words that say so is what it is
/// about, and the earlier line must be about that.
pub(super) fn names(text: &str, said: Span, before: &Reading<'_>) -> bool {
    const ABOUT: [&str; 3] = ["about", "on", "regarding"];
    /// "my mind about".
    const APART: usize = 3;
    let behind = text.get(said.end()..).unwrap_or_default();
    let here = behind.split(['.', ',', ';', ':']).next().unwrap_or_default();
    if !here.split_whitespace().take(APART).any(|word| ABOUT.contains(&word)) {
        return false;
    }
    let held = before.content().words;
    let named = Reading::new(here).content().words;
    let mut named = named.iter().filter(|word| word.content);
    named.any(|word| held.iter().any(|held| held.content && held.term == word.term))
}

/// The break is with what others say, and the speaker rejects that.
pub(super) fn rejects_others(after: &Reading<'_>, content: &Content, cue: &Cue) -> bool {
    let told = word_at(content, cue.span_b)
        .and_then(|word| content.clauses.get(word.clause as usize))
        .is_some_and(|clause| clause.reported);
    let text = after.original().to_lowercase().replace('\u{2019}', "'");
    told && REJECTS.iter().any(|words| text.find(words).is_some_and(|at| at > cue.span_b.start()))
}

/// Whether a line tells of what others say beside what its speaker says.
pub(super) fn tells_of_others(content: &Content) -> bool {
    let own = content.clauses.iter().any(|clause| !clause.reported);
    own && content.clauses.iter().any(|clause| clause.reported)
}

/// "No visitors after eight" and "visitors are not allowed after eight" both deny: that the "no" stands
/// before the subject of one and the "not" behind that of the other makes no difference.
pub(super) fn both_deny(before: &Content, after: &Content, cue: &Cue) -> bool {
    if cue.kind != CueKind::Negation {
        return false;
    }
    let (Some(one), Some(two)) = (last_at(before, cue.span_a), last_at(after, cue.span_b)) else {
        return false;
    };
    let denied_behind = |content: &Content, word: &ContentWord| {
        let clause = content.clauses.get(word.clause as usize);
        let negator = clause.and_then(|clause| clause.negator);
        word.subject
            && !word.negated
            && negator.is_some_and(|negator| negator.start() > word.span.end())
    };
    let by_no = |content: &Content, word: &ContentWord| {
        let clause = content.clauses.get(word.clause as usize);
        let negator = clause.and_then(|clause| clause.negator);
        word.negated && negator.is_some_and(|negator| negator.end() < word.span.start())
    };
    (by_no(before, one) && denied_behind(after, two))
        || (by_no(after, two) && denied_behind(before, one))
}

/// "Start on Monday, we have the people": a clause of its own behind a comma, or a "because", says why.
pub(super) fn gives_reason(text: &str) -> bool {
    const WHO: [&str; 7] = ["he", "she", "it", "they", "we", "i", "you"];
    let opens = |rest: &str| {
        let first = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        WHO.iter().any(|known| first.eq_ignore_ascii_case(known))
    };
    text.contains(" because ") || text.split(", ").skip(1).any(opens)
}

/// Two uses of words that break with each other in one use only: "in all regions" and "leave it out"; "it
/// costs 80 euros" and "it costs 20 euros more".
pub(super) fn other_use(before: &str, after: &str, cue: &Cue) -> bool {
    const MORE: [&str; 8] =
        ["more", "less", "fewer", "higher", "lower", "cheaper", "dearer", "longer"];
    const PARTICLES: [&str; 6] = ["in", "out", "on", "off", "up", "down"];
    let next = |text: &str, span: Span| {
        let behind = text.get(span.end()..).unwrap_or_default();
        let behind = behind.strip_prefix(' ').unwrap_or_default();
        let end = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
        behind.get(..end).unwrap_or_default().to_ascii_lowercase()
    };
    let (one, two) = (next(before, cue.span_a), next(after, cue.span_b));
    // "60 instead of 61": the second is what it is not.
    let passed = |text: &str, span: Span| {
        let head = text.get(..span.start()).unwrap_or_default().trim_end();
        ["instead of", "rather than", "and not"].iter().any(|known| head.ends_with(known))
    };
    match cue.kind {
        CueKind::Number if passed(before, cue.span_a) || passed(after, cue.span_b) => true,
        CueKind::Number => MORE.contains(&one.as_str()) != MORE.contains(&two.as_str()),
        CueKind::Opposite => {
            let particle = |text: &str, span: Span| {
                let word = span.of(text).unwrap_or_default();
                PARTICLES.iter().any(|known| word.eq_ignore_ascii_case(known))
            };
            particle(before, cue.span_a)
                && particle(after, cue.span_b)
                && one.is_empty() != two.is_empty()
        }
        _ => false,
    }
}

fn word_at(content: &Content, span: Span) -> Option<&ContentWord> {
    content.words.iter().find(|word| span.overlaps(word.span))
}

/// The word that a cue is about: its span may begin with what denies it.
fn last_at(content: &Content, span: Span) -> Option<&ContentWord> {
    content.words.iter().rev().find(|word| span.contains(word.span))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Option<&str> {
        let reading = Reading::new(text);
        rest(text, &reading, reading.acknowledgment()?.span)
    }

    #[test]
    fn what_is_left_beside_saying_so() {
        assert_eq!(left("You've convinced me, rye is better."), Some("rye is better."));
        assert_eq!(left("I have reversed my view. Rye is better."), Some("Rye is better."));
        assert_eq!(left("I was wrong: rye is better."), Some("rye is better."));
        assert_eq!(left("I misread it this morning: rye is better."), Some("rye is better."));
        assert_eq!(left("I no longer believe that rye is better."), None);
        assert_eq!(left("Rye is better."), None);
    }
}
