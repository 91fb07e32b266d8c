//! Plain text: lines of `Name: text`.
//!
//! Whatever follows a speaker belongs to it until the next one. A colon alone makes no speaker:
//! a name must recur, or look like a name and stand where a turn can begin. In minutes, where every
//! paragraph is somebody's, a word in small letters is a name as well: `vet_a` speaks once and is heard.

use std::borrow::Borrow;

use jiff::Timestamp;
use rebuttal_model::{Role, Span};

use super::names::Names;
use super::prose::{Heard, Trust, is_no_name, question};
use crate::chat;
use crate::talk::Said;
use crate::time;

/// A line that may open a turn.
#[derive(Debug)]
struct Candidate<'a> {
    name: &'a str,
    at: Option<Timestamp>,
    start: usize,
    text_start: usize,
    /// First in the text, after an empty line, or right after another candidate.
    opens: bool,
}

/// The conversation in a text, if there is one.
pub(crate) fn hear(text: &str, trust: Trust) -> Option<Heard<'_>> {
    let mut names = Names::default();
    candidates(text).for_each(|candidate| names.see(candidate.name));
    if is_minutes(text, trust) {
        // Seen again, as a name that recurs is.
        candidates(text).filter(is_word_that_opens).for_each(|candidate| names.see(candidate.name));
    }
    let first = speakers(text, &names).next()?.start;
    let preamble = text.get(..first).unwrap_or_default();
    let heard = turns(text, &names).take(2).count();
    let believed = match trust {
        Trust::Told => heard > 0,
        // An essay with two colons in it is not a conversation: most of it must be spoken.
        Trust::Guess => {
            let recurs = candidates(text).any(|candidate| names.recurs(candidate.name));
            heard > 1 && preamble.len() <= text.len() / 2 && (recurs || is_all_spoken(text))
        }
    };
    believed.then(|| Heard {
        question: preamble.lines().find_map(question).map(ToOwned::to_owned),
        turns: Box::new(turns(text, names)),
    })
}

/// True when every paragraph after the question begins with who speaks: of names that come once each,
/// nothing else tells speakers from labels.
fn is_all_spoken(text: &str) -> bool {
    let mut opens = true;
    text.split_inclusive('\n').all(|line| {
        let (begins, is_blank) = (opens, line.trim().is_empty());
        opens = is_blank;
        let spoken = || candidate(line, 0, true).is_some_and(|it| !is_no_name(it.name));
        !begins || is_blank || question(line).is_some() || line.trim().ends_with('?') || spoken()
    })
}

/// True when every paragraph begins with who speaks, and the text is a conversation: somebody said so,
/// or it begins with what is asked.
fn is_minutes(text: &str, trust: Trust) -> bool {
    const TURNS: usize = 3;
    let asked = || {
        let user = |first: &Candidate<'_>| chat::role(first.name) == Some(Role::User);
        text.lines().find(|line| !line.trim().is_empty()).and_then(question).is_some()
            || candidates(text).next().is_some_and(|first| first.opens && user(&first))
    };
    let turns = || candidates(text).filter(|candidate| candidate.opens).take(TURNS).count();
    if (trust == Trust::Guess && !asked()) || turns() < TURNS {
        return false;
    }
    let mut opens = true;
    text.split_inclusive('\n').all(|line| {
        let (begins, is_blank) = (opens, line.trim().is_empty());
        opens = is_blank;
        !begins || is_blank || question(line).is_some() || candidate(line, 0, true).is_some()
    })
}

/// A name of one word where a turn can begin.
fn is_word_that_opens(candidate: &Candidate<'_>) -> bool {
    candidate.opens && !candidate.name.contains(' ')
}

fn speakers<'a>(
    text: &'a str,
    names: impl Borrow<Names> + 'a,
) -> impl Iterator<Item = Candidate<'a>> + 'a {
    candidates(text)
        .filter(move |candidate| is_speaker(candidate, names.borrow().recurs(candidate.name)))
}

fn turns<'a>(text: &'a str, names: impl Borrow<Names> + 'a) -> impl Iterator<Item = Said> + 'a {
    let mut speakers = speakers(text, names).peekable();
    std::iter::from_fn(move || {
        let speaker = speakers.next()?;
        let end = speakers.peek().map_or(text.len(), |next| next.start);
        Some(turn(text, &speaker, end))
    })
    .flatten()
}

fn turn(text: &str, speaker: &Candidate<'_>, end: usize) -> Option<Said> {
    let body = text.get(speaker.text_start..end)?;
    let said = body.trim();
    if said.is_empty() {
        return None;
    }
    let stop = speaker.text_start + body.trim_end().len();
    let role = chat::role(speaker.name).unwrap_or(Role::Agent);
    let mut turn = Said::new(speaker.name, role, said, Span::new(speaker.start, stop));
    turn.at = speaker.at;
    Some(turn)
}

fn is_speaker(candidate: &Candidate<'_>, recurs: bool) -> bool {
    if is_no_name(candidate.name) {
        return false;
    }
    recurs
        || (candidate.opens
            && (looks_like_a_name(candidate.name) || chat::role(candidate.name).is_some()))
}

/// Every word begins with a capital or a digit: `Bull Analyst`, `GPT-4o`, `Agent 1`.
fn looks_like_a_name(name: &str) -> bool {
    name.split([' ', '-', '_']).filter(|word| !word.is_empty()).all(|word| {
        word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || !c.is_ascii())
    })
}

fn candidates(text: &str) -> impl Iterator<Item = Candidate<'_>> {
    let mut start = 0;
    let mut opens = true;
    text.split_inclusive('\n').filter_map(move |line| {
        let candidate = candidate(line, start, opens);
        opens = candidate.is_some() || line.trim().is_empty();
        start += line.len();
        candidate
    })
}

fn candidate(line: &str, start: usize, opens: bool) -> Option<Candidate<'_>> {
    let (stamp, rest) = stamped(line);
    // Chat relays write `<alice> hello`.
    let (name, after) = match rest.strip_prefix('<') {
        Some(inner) => inner.split_once("> ")?,
        None => rest.split_once(':').filter(|(_, after)| {
            // `http://…`, `12:30` and `std::io` are no speakers.
            after.is_empty() || after.starts_with([' ', '\t', '\r', '\n'])
        })?,
    };
    let shown = name.split_once(" (").map_or(name, |(name, _)| name);
    is_possible(shown).then(|| Candidate {
        name: shown,
        at: stamp,
        start,
        text_start: start + (line.len() - after.len()),
        opens,
    })
}

/// A time in brackets before the name, `[12:30]` or `[2024-05-10 12:00:00]`, and what follows it.
fn stamped(line: &str) -> (Option<Timestamp>, &str) {
    let Some((stamp, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else {
        return (None, line);
    };
    let is_stamp = stamp.len() <= 40 && stamp.starts_with(|c: char| c.is_ascii_digit());
    if is_stamp { (time::parse(stamp), rest.trim_start_matches(' ')) } else { (None, line) }
}

/// What can be a name at all.
fn is_possible(name: &str) -> bool {
    const CHARS: usize = 40;
    const WORDS: usize = 4;
    name.starts_with(|c: char| c.is_alphanumeric())
        && name.chars().any(char::is_alphabetic)
        && !name.ends_with(char::is_whitespace)
        && name.chars().nth(CHARS).is_none()
        && name.split_whitespace().count() <= WORDS
        && name.chars().all(|c| c.is_alphanumeric() || " _-.'’#&/@+".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(text: &str) -> Vec<(String, String)> {
        let heard = hear(text, Trust::Guess);
        heard
            .map(|heard| heard.turns.map(|said| (said.agent, said.text)).collect())
            .unwrap_or_default()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect()
    }

    #[test]
    fn two_speakers_once_each() {
        assert_eq!(spoken("A: Yes.\nB: No.\n"), pairs(&[("A", "Yes."), ("B", "No.")]));
    }

    #[test]
    fn what_follows_belongs_to_the_speaker() {
        let text = "Alice: I say yes.\nAnd I mean it.\n\nSee https://example.org: it is there.\nNote: \
                    prices rise.\nmy reasons: two\n\nBob: No.\nAlice: Fine.";
        let first = "I say yes.\nAnd I mean it.\n\nSee https://example.org: it is there.\nNote: \
                     prices rise.\nmy reasons: two";
        assert_eq!(spoken(text), pairs(&[("Alice", first), ("Bob", "No."), ("Alice", "Fine.")]));
    }

    #[test]
    fn an_essay_is_no_conversation() {
        let essay = "We looked at three systems.\n\nNote: prices are in euros.\nhttp://example.org: a \
                     page\n\nIn the end: nothing.\nConclusion: none.\n";
        assert_eq!(spoken(essay), []);
    }

    #[test]
    fn in_minutes_a_word_in_small_letters_speaks() {
        let minutes =
            "User: Should we move?\n\nvet_a: Yes. It is time:\nnow or never.\n\nnurse: No.\n";
        let heard = [
            ("User", "Should we move?"),
            ("vet_a", "Yes. It is time:\nnow or never."),
            ("nurse", "No."),
        ];
        assert_eq!(spoken(minutes), pairs(&heard));
        let asked = "Question: Should we?\n\nvet_a: Yes, it is time.\nnurse: No, not now.\n";
        let heard = [("vet_a", "Yes, it is time."), ("nurse", "No, not now.")];
        assert_eq!(spoken(asked), pairs(&heard));
        // Settings, and prose with a colon after somebody was asked, are no minutes.
        assert_eq!(spoken("name: web\nport: 80\nhost: here\n"), []);
        let prose = "User: Should we?\n\nHm.\n\nfirst: the cost.\n\nsecond: the time.\n";
        assert_eq!(spoken(prose), []);
        // Unless the user says that it is a conversation.
        let told = hear("pro: It pays.\ncon: It does not.\njudge: No.\n", Trust::Told).unwrap();
        assert_eq!(told.turns.count(), 3);
    }

    #[test]
    fn times_and_relays() {
        let text = "[2024-05-10 12:00:00] Ann: hi\n[12:31] Bob: hello\n";
        let heard = hear(text, Trust::Guess).unwrap();
        let times: Vec<bool> = heard.turns.map(|said| said.at.is_some()).collect();
        assert_eq!(times, [true, false]);
        assert_eq!(spoken("<ann> hi\n<bob> yo\n<ann> ok\n<bob> bye\n").len(), 4);
    }

    #[test]
    fn a_topic_is_the_question() {
        let heard = hear("Topic: Cats or dogs?\n\nAnn: Cats.\nBob: Dogs.\n", Trust::Guess).unwrap();
        assert_eq!(heard.question.as_deref(), Some("Cats or dogs?"));
        assert_eq!(heard.turns.count(), 2);
    }

    #[test]
    fn the_span_covers_name_and_text() {
        let text = "\nAnn:  Cats. \n\nBob: Dogs.\n";
        let mut heard = hear(text, Trust::Guess).unwrap();
        assert_eq!(heard.turns.next().unwrap().span.of(text), Some("Ann:  Cats."));
    }
}
