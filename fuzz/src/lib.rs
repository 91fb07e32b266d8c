//! What must hold for any input, whatever it is.

use rebuttal_model::{AgentId, Role, Transcript};
use rebuttal_transcripts::{Format, Item, Options, read, write_jsonl};

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
    let options = Options { from, ..Options::default() };
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
