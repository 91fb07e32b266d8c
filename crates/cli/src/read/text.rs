//! What was read, for a person: one section per kind, and none where nothing was found.

use std::io::{self, Write};

use rebuttal::model::{Certainty, Owner, Polarity};
use rebuttal::text::Basis;

use crate::output::Output;
use crate::report::{count, excerpt};
use crate::terminal::visible;
use crate::wrap::wrap;
use rebuttal::read::{
    Acknowledgment, Citation, Counted, Facts, Hidden, Period, Phrase, Quantity, ReadClaim,
    ReadPosition, ReadQuote, Support, Value,
};

/// Longest quote shown, in characters.
const QUOTE_CHARS: usize = 280;

/// Writes every section that has something in it.
pub(super) fn show(out: &mut Output, facts: &Facts<'_>) -> io::Result<()> {
    let sentences = count(facts.sentences.len(), "sentence");
    section(out, "read", &format!("{sentences}, {}", count(facts.words, "word")), [])?;
    if let Some(why) = &facts.not_judged {
        section(out, "not judged", &format!("{why}; no position, no evidence quality"), [])?;
    } else {
        position(out, &facts.position, facts.question)?;
    }
    if let Some(found) = &facts.acknowledgment {
        acknowledgment(out, found)?;
    }
    let hedging = &facts.hedging;
    if !hedging.cues.is_empty() {
        let share = number(hedging.share * 100.0, 0);
        let note =
            format!("score {}, {share} % of sentences count as hedged", number(hedging.score, 2));
        section(out, "hedging", &note, hedging.cues.iter().map(phrase))?;
    }
    if let Some(found) = &facts.evidence {
        let note = format!("{} on a scale from 1 to 5", number(facts.specificity, 1));
        section(out, "specificity", &note, [])?;
        support(out, found)?;
    }
    list(out, "claims", &facts.claims, claim)?;
    list(out, "quantities", &facts.quantities, quantity)?;
    list(out, "periods", &facts.periods, |found| {
        format!("{} = {}", quoted(found.quote), period(found))
    })?;
    list(out, "citations", &facts.citations, citation)?;
    list(out, "instructions to other agents", &facts.instructions, phrase)?;
    list(out, "hidden characters", &facts.hidden, hidden)
}

/// A heading with a note, and a line for each item.
fn section(
    out: &mut Output,
    name: &str,
    note: &str,
    items: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    let name = out.paint().bold(name);
    writeln!(out, "{name}: {note}")?;
    for item in items {
        writeln!(out, "  - {}", wrap(&item, 4).trim_start())?;
    }
    Ok(())
}

/// A section that says how many there are; nothing for none.
fn list<T>(
    out: &mut Output,
    name: &str,
    items: &[T],
    line: impl Fn(&T) -> String,
) -> io::Result<()> {
    match items.len() {
        0 => Ok(()),
        found => section(out, name, &found.to_string(), items.iter().map(line)),
    }
}

/// Words of the text as a person may see them.
fn quoted(quote: ReadQuote<'_>) -> String {
    format!("\"{}\"", excerpt(&visible(quote.text), QUOTE_CHARS))
}

fn phrase(found: &Phrase<'_>) -> String {
    format!("{} ({})", quoted(found.quote), found.group)
}

fn position(out: &mut Output, found: &ReadPosition<'_>, question: Option<&str>) -> io::Result<()> {
    let basis = match found.basis {
        Basis::Statement | Basis::Demand if found.held => " (stated)",
        Basis::Statement | Basis::Demand => " (stated, but with too much against it for a finding)",
        Basis::Valence => " (a guess from the good and bad it tells of; no finding uses it)",
        Basis::Model => " (by the model)",
        Basis::Nothing => "",
    };
    let to = if question.is_some() { " to the question" } else { "" };
    let note = format!("{}{to} (score {})", found.stance.as_str(), number(found.score, 2));
    let words = found.quote.map(|quote| format!("{}{basis}", quoted(quote)));
    section(out, "position", &note, words)
}

fn support(out: &mut Output, found: &Support<'_>) -> io::Result<()> {
    let quality = &found.quality;
    let note = format!(
        "{} of 1: citations {}, specificity {}, reasoning {}, variety {}",
        number(quality.overall, 2),
        number(quality.citation_density, 2),
        number(quality.specificity_score, 2),
        number(quality.logical_chain_score, 2),
        number(quality.evidence_diversity, 2),
    );
    let line = |item: &Counted<'_>| format!("{} ({})", quoted(item.quote), item.kind);
    section(out, "evidence quality", &note, found.items.iter().map(line))
}

fn acknowledgment(out: &mut Output, found: &Acknowledgment<'_>) -> io::Result<()> {
    let note = match found.on_question {
        None => "it says that it changed its mind",
        Some(true) => "it says that it changed its mind on the question",
        Some(false) => "about something other than the question, so it does not count",
    };
    section(out, "acknowledgment", note, [phrase(&found.phrase)])
}

fn claim(found: &ReadClaim<'_>) -> String {
    let polarity = match found.polarity {
        Polarity::Affirmed => "affirmed",
        Polarity::Denied => "denied",
    };
    let certainty = match found.certainty {
        Certainty::Tentative => "tentative",
        Certainty::Qualified => "qualified",
        Certainty::Plain => "plain",
        Certainty::Emphatic => "emphatic",
    };
    let owner = match found.owner {
        Owner::Speaker => "the speaker's own",
        Owner::Other => "somebody else's",
    };
    format!("{} ({polarity}, {certainty}, {owner})", quoted(found.quote))
}

fn quantity(found: &Quantity<'_>) -> String {
    let quote = quoted(found.quote);
    if let (None, Some(noun)) = (found.unit, found.noun) {
        return format!("{quote} (a name after {}, not an amount)", quoted(noun));
    }
    let value = match found.value {
        Value::Exact { number } => amount(number),
        Value::Range { low, high } => format!("{} to {}", amount(low), amount(high)),
        Value::AtLeast { number } => format!("at least {}", amount(number)),
        Value::AtMost { number } => format!("at most {}", amount(number)),
        Value::MoreThan { number } => format!("more than {}", amount(number)),
        Value::LessThan { number } => format!("less than {}", amount(number)),
    };
    let about = if found.approx { "about " } else { "" };
    let unit = match (found.unit, found.noun) {
        (Some("count"), Some(noun)) => format!(" of {}", quoted(noun)),
        (Some(unit), _) => format!(" {}", spoken(unit)),
        (None, _) => " without a unit".to_owned(),
    };
    let per = found.per.map(|per| format!(" per {}", quoted(per)));
    format!("{quote} = {about}{value}{unit}{}", per.unwrap_or_default())
}

fn period(found: &Period<'_>) -> String {
    let dates = match (&found.first, &found.last) {
        (Some(first), Some(last)) if first == last => first.clone(),
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "no dates given".to_owned(),
    };
    let fiscal = if found.fiscal { ", fiscal" } else { "" };
    let ambiguous =
        if found.ambiguous { ", or with day and month the other way round" } else { "" };
    format!("{dates} ({}{fiscal}{ambiguous})", found.grain)
}

fn citation(found: &Citation<'_>) -> String {
    let value = found.value.map(|value| format!(", for the value {}", quoted(value)));
    let dates = found.period.as_ref().map(|found| format!(", of {}", period(found)));
    format!(
        "{} ({}), source {}{}{}",
        quoted(found.quote),
        spoken(found.kind),
        quoted(found.source),
        value.unwrap_or_default(),
        dates.unwrap_or_default(),
    )
}

/// A name of the JSON as a person writes it.
fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

fn hidden(found: &Hidden<'_>) -> String {
    let enough = if found.hides_words { ", enough to hide words" } else { "" };
    let (characters, at) = (count(found.characters, "character"), found.quote.span.start());
    format!("{} ({characters} at byte {at}{enough})", quoted(found.quote))
}

/// A number with this many decimals, and no "-0".
fn number(value: f64, decimals: usize) -> String {
    let shown = format!("{value:.decimals$}");
    match shown.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => shown,
    }
}

/// A value with thousands set apart, and without the noise of its last binary digits.
fn amount(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e15).contains(&size) {
        return format!("{value:e}");
    }
    let shown = format!("{value:.11e}").parse().unwrap_or(value).to_string();
    let digits = shown.find('.').unwrap_or(shown.len());
    let mut grouped = String::with_capacity(shown.len() + 5);
    for (at, digit) in shown.char_indices() {
        let is_inside = grouped.ends_with(|before: char| before.is_ascii_digit());
        if at < digits && is_inside && (digits - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_easy_to_read() {
        for (value, shown) in [
            (0.0, "0"),
            (0.2, "0.2"),
            (-1234.5, "-1,234.5"),
            (100.0, "100"),
            (317.1 * 1e9, "317,100,000,000"),
            (0.1 + 0.2, "0.3"),
            (1e20, "1e20"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(amount(value), shown);
        }
        assert_eq!(number(-0.001, 2), "0.00");
        assert_eq!(number(-0.76, 2), "-0.76");
    }
}
