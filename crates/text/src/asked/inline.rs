//! Options in the middle of a line, and sentences that ask without asking.

use super::{Asked, MOST_OPTIONS};

/// Longest option in a line, in bytes.
const OPTION_BYTES: usize = 200;

/// `(A) lead (B) iron`, `A: the old bridge, B: the new ferry`: the last run of letters in order.
pub(super) fn lettered(text: &str) -> Option<Asked> {
    let marks = marks(text);
    let first = marks.iter().rposition(|mark| mark.letter == 0)?;
    let mut run: Vec<Mark> = Vec::new();
    for mark in marks.get(first..).unwrap_or_default() {
        if usize::from(mark.letter) == run.len()
            && run.first().is_none_or(|it| it.style == mark.style)
        {
            run.push(*mark);
        }
    }
    if !(2..=MOST_OPTIONS).contains(&run.len()) {
        return None;
    }
    let ends = run.iter().skip(1).map(|next| next.start).chain([text.len()]);
    let options = run.iter().zip(ends).map(|(mark, end)| {
        let said = text.get(mark.end..end).unwrap_or_default();
        let line = said.trim_start().lines().next().unwrap_or_default();
        line.trim().trim_end_matches([',', ';', '.', '?', '|']).trim()
    });
    let options: Vec<&str> = options.collect();
    let named = options
        .iter()
        .all(|option| !option.is_empty() && option.len() <= OPTION_BYTES && !option.contains('|'));
    named.then(|| Asked::among(options))?
}

/// How a letter is set off: `(A)`, `A)`, `A.`, `A:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    /// Its place in the alphabet, from 0.
    letter: u8,
    /// Whether a bracket opens it, in capitals or not, and what closes it.
    style: (bool, bool, u8),
    start: usize,
    end: usize,
}

fn marks(text: &str) -> Vec<Mark> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, pair) in bytes.windows(2).enumerate() {
        let [letter, close] = pair else { continue };
        if !letter.is_ascii_alphabetic() || !matches!(close, b')' | b'.' | b':') {
            continue;
        }
        let before =
            at.checked_sub(1).and_then(|before| bytes.get(before)).copied().unwrap_or(b' ');
        let opened = before == b'(';
        let after = bytes.get(at + 2).copied().unwrap_or(b' ');
        let alone = opened || before.is_ascii_whitespace() || matches!(before, b',' | b'*');
        // "U.S." and "e.g." are no options.
        if !alone || !(after.is_ascii_whitespace() || (*close == b')' && after.is_ascii())) {
            continue;
        }
        found.push(Mark {
            letter: letter.to_ascii_lowercase() - b'a',
            style: (opened, letter.is_ascii_uppercase(), *close),
            start: at - usize::from(opened),
            end: at + 2,
        });
    }
    found
}

/// "Do the following": an order opens with a verb that could open a question as well.
pub(super) fn orders(question: &str) -> bool {
    const ORDERS: [&str; 4] = ["do", "have", "may", "might"];
    let first = question.split_whitespace().next().unwrap_or_default().to_lowercase();
    !question.contains('?') && ORDERS.contains(&first.as_str())
}

/// "Motion: …", "Resolved: …", "This house believes …": what is put to the vote is a statement.
pub(super) fn is_motion(question: &str) -> bool {
    const PUTS: [&str; 9] = [
        "motion",
        "resolved",
        "resolution",
        "proposition",
        "statement",
        "claim",
        "hypothesis",
        "this house",
        "be it resolved",
    ];
    let lower: String =
        question.trim_start_matches(['*', '#', '"', ' ', '\n']).chars().take(24).collect();
    let lower = lower.to_lowercase();
    PUTS.iter().any(|put| {
        lower.strip_prefix(put).is_some_and(|rest| {
            let rest = rest.trim_start_matches('*');
            rest.starts_with(':') || put.contains(' ') || rest.starts_with(" that")
        })
    }) && !question.contains('?')
}
