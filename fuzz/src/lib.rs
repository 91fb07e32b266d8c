//! What must hold for any input, whatever it is.

mod ledger;
mod llm;
mod meaning;
mod reconcile;

use rebuttal_detect::Reader;
use rebuttal_model::{AgentId, DebateId, Role, Span, Stance, Transcript, Turn};
use rebuttal_text::{Before, Clean, Previous, Reading, Topic, visible};
use rebuttal_transcripts::{Format, Item, ReadOptions, read, read_reports, write_jsonl};

pub use ledger::{journal_decode, positions_file};
pub use llm::{provider_reply, structured_reply};
pub use meaning::{model_file, pair, vectors_file, wordpiece};
pub use reconcile::reconcile;

/// What a round trip must keep of a turn.
fn kept(transcript: &Transcript) -> Vec<(&AgentId, Role, &str)> {
    transcript.turns.iter().map(|turn| (&turn.agent, turn.role, turn.text.as_str())).collect()
}

fn transcripts_of(
    bytes: &[u8],
    from: Option<Format>,
    mut problem: impl FnMut(&str),
) -> Vec<Transcript> {
    let mut transcripts = Vec::new();
    let options = ReadOptions { from, ..ReadOptions::default() };
    read("in", bytes, &options, &mut |item| match item {
        Item::Transcript(transcript) => transcripts.push(transcript),
        Item::Problem(found) => problem(&found.message),
    });
    transcripts
}

/// Reads bytes as a transcript: no panic, no silence, every place inside the input, messages harmless, and what
/// was read can be written and read again.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn transcripts(bytes: &[u8], from: Option<Format>) {
    let mut problems = 0;
    let transcripts = transcripts_of(bytes, from, |message| {
        problems += 1;
        assert!(!message.chars().any(char::is_control), "a message with control characters");
    });
    assert!(problems > 0 || !transcripts.is_empty(), "no file is passed over in silence");
    let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
    for transcript in &transcripts {
        assert!(!transcript.turns.is_empty(), "a transcript without turns");
        for (index, turn) in transcript.turns.iter().enumerate() {
            assert_eq!(turn.id.index(), index, "turns are numbered in order");
            let source = turn.source.as_ref().expect("every turn knows its place");
            assert!(source.line >= 1);
            assert!(source.bytes.start() <= source.bytes.end(), "spans are ordered");
            let inside = source.bytes.end() <= bytes.len();
            assert!(inside || is_packed || source.file.contains('!'), "places lie in the input");
        }
        let mut written = Vec::new();
        write_jsonl(transcript, &mut written).expect("small turns can be written");
        let again = transcripts_of(&written, None, |message| panic!("own output: {message}"));
        assert_eq!(again.len(), 1, "one transcript stays one");
        assert_eq!(again.first().map(kept), Some(kept(transcript)), "a round trip keeps the turns");
    }
}

/// Reads bytes as agents' reports: no panic, no silence, every place inside the input or the text, messages
/// harmless, and what was read comes back byte for byte when it is written and read again.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn reports(bytes: &[u8]) {
    let (reports, problems) = read_reports("in", bytes, &ReadOptions::default());
    assert!(!problems.is_empty() || !reports.is_empty(), "no file is passed over in silence");
    for problem in &problems {
        assert!(
            !problem.message.chars().any(char::is_control),
            "a message with control characters"
        );
    }
    for report in &reports {
        assert!(!report.text.trim().is_empty(), "a report that says nothing");
        assert!(report.source.is_some(), "every report knows its place");
        for given in &report.given {
            assert!(given.span.of(&report.text).is_some(), "what is given is of the text");
        }
    }
    let written = serde_json::json!({ "consensus": { "adjusted_reports": reports } }).to_string();
    let (again, problems) = read_reports("in", written.as_bytes(), &ReadOptions::default());
    assert_eq!(again, reports, "own output comes back as it was");
    assert!(
        reports.is_empty() || problems.is_empty(),
        "own output has nothing wrong: {problems:?}"
    );
}

/// Reads a text in every way there is: no panic, and every place handed out lies on the original text.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn reading(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (question, answer) = text.split_once('\n').unwrap_or((&text, &text));
    let lands = |span: Span| assert!(span.of(answer).is_some(), "{span:?} is off {answer:?}");
    // A Windows line end stays one.
    let shown = visible(answer).replace("\r\n", "\n");
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
    let clean = Clean::new(answer);
    assert_eq!(Clean::new(clean.text()).text(), clean.text(), "cleaning is idempotent");

    let (asked, reading) = (Reading::new(question), Reading::new(answer));
    let topic = Topic::new(&asked);
    reading.sentence_spans().for_each(lands);
    reading.claims().iter().for_each(|claim| lands(claim.span));
    reading.quantities().iter().for_each(|quantity| lands(quantity.span));
    reading.periods().iter().for_each(|period| lands(period.span));
    reading.citations().iter().for_each(|citation| {
        lands(citation.span);
        assert!(citation.span.contains(citation.source), "the source is named in the citation");
    });
    reading.instructions().iter().for_each(|cue| lands(cue.span));
    reading.hidden_text().into_iter().for_each(lands);
    reading.acknowledgment_on(Some(&topic)).into_iter().for_each(|cue| lands(cue.span));
    let hedging = reading.hedging();
    hedging.cues.iter().for_each(|cue| lands(cue.span));
    assert!((0.0..=1.0).contains(&hedging.score) && (0.0..=1.0).contains(&hedging.share));
    assert!((1.0..=5.0).contains(&reading.specificity()));
    for found in [
        reading.stance(Some(&topic)),
        reading.position(None),
        reading.position_in_reply(
            &topic,
            Previous { by: Before::Peer, stance: Stance::No, reading: &asked },
        ),
    ] {
        assert!((-1.0..=1.0).contains(&found.score));
        found.span.into_iter().for_each(lands);
    }
    reading.changes_topic(&topic);
    reading.attitude(Some(&topic));
}

/// Audits a debate in which three agents take turns, a line each: every quote is the text at its place.
///
/// # Panics
///
/// When one is not: that is the point.
pub fn audit(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let turns = text.lines().enumerate().map(|(index, line)| {
        let (name, role) = match index % 3 {
            0 => ("user", Role::User),
            1 => ("ann", Role::Agent),
            _ => ("ben", Role::Agent),
        };
        Turn::new(AgentId::new(name), role, line)
    });
    let debate = Transcript::new(DebateId::new("fuzz"), None, turns.collect());
    for reader in [Reader::Rules, Reader::Seed] {
        for finding in rebuttal_detect::audit(&debate, reader) {
            for quote in finding.quotes.iter() {
                let turn = debate.turn(quote.turn).expect("a quote is from a turn");
                assert_eq!(quote.span.of(&turn.text), Some(quote.text.as_str()));
            }
        }
    }
}
