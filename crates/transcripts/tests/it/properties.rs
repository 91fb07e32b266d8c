//! What holds for any input.

use proptest::prelude::*;
use rebuttal_transcripts::{Format, write_jsonl};

use crate::support::{Outcome, contents, fixtures, read_as, read_bytes};

/// What must hold whatever was read.
fn check(bytes: &[u8], outcome: &Outcome) {
    assert!(!outcome.transcripts.is_empty() || !outcome.problems.is_empty(), "silence");
    for problem in &outcome.problems {
        assert!(!problem.message.chars().any(char::is_control), "{problem:?}");
    }
    for transcript in &outcome.transcripts {
        assert!(!transcript.turns.is_empty());
        for turn in &transcript.turns {
            let source = turn.source.as_ref().unwrap();
            assert!(source.line >= 1);
            let is_packed = source.file.contains('!') || bytes.starts_with(&[0x1f, 0x8b]);
            assert!(is_packed || source.bytes.end() <= bytes.len(), "{source:?}");
        }
        let mut written = Vec::new();
        write_jsonl(transcript, &mut written).unwrap();
        let again = read_bytes(&written);
        let key = |t: &rebuttal_model::Transcript| -> Vec<_> {
            t.turns.iter().map(|t| (t.agent.clone(), t.role, t.text.clone())).collect()
        };
        assert_eq!(again.transcripts.iter().map(key).collect::<Vec<_>>(), [key(transcript)]);
    }
}

fn format() -> impl Strategy<Value = Option<Format>> {
    proptest::option::of(proptest::sample::select(Format::ALL.to_vec()))
}

/// A fixture with a few bytes changed, or cut off.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let all: Vec<Vec<u8>> = fixtures().iter().map(|(_, path)| contents(path)).collect();
    let edits = proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..6);
    (proptest::sample::select(all), edits, any::<proptest::sample::Index>(), any::<bool>())
        .prop_map(|(mut bytes, edits, cut, cuts)| {
            for (at, byte) in edits {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if cuts {
                bytes.truncate(cut.index(bytes.len()));
            }
            bytes
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400), from in format()) {
        check(&bytes, &read_as(&bytes, from));
    }

    #[test]
    fn any_text_is_survived(text in "[{}\\[\\]\":,a-c#*|\\\\ \n\t0-9\u{e9}]{0,200}", from in format()) {
        check(text.as_bytes(), &read_as(text.as_bytes(), from));
    }

    #[test]
    fn any_damage_is_survived(bytes in damaged(), from in format()) {
        check(&bytes, &read_as(&bytes, from));
    }

    #[test]
    fn the_bytes_of_a_turn_are_its_record(texts in proptest::collection::vec("[^\\x00-\\x1f]{1,40}", 1..8)) {
        let lines: Vec<String> = texts
            .iter()
            .map(|text| serde_json::json!({"agent": "a", "text": text}).to_string())
            .collect();
        let file = lines.join("\n");
        let outcome = read_bytes(file.as_bytes());
        let turns: Vec<_> = outcome.transcripts.iter().flat_map(|t| &t.turns).collect();
        prop_assert_eq!(turns.len(), lines.len());
        for ((turn, line), text) in turns.iter().zip(&lines).zip(&texts) {
            let source = turn.source.as_ref().unwrap();
            prop_assert_eq!(source.bytes.of(&file), Some(line.as_str()));
            prop_assert_eq!(&turn.text, text);
        }
    }
}
