//! Written and read again.

use rebuttal_model::{
    AgentId, Confidence, DebateId, Rebuttal, RebuttedItem, Role, Structured, Transcript, Turn,
    TurnId, Usage, Whose,
};
use rebuttal_transcripts::write_jsonl;

use crate::support::{contents, fixtures, read_bytes};

fn written(transcripts: &[Transcript]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for transcript in transcripts {
        write_jsonl(transcript, &mut bytes).unwrap();
    }
    bytes
}

fn without_sources(mut transcripts: Vec<Transcript>) -> Vec<Transcript> {
    for transcript in &mut transcripts {
        transcript.turns.iter_mut().for_each(|turn| turn.source = None);
    }
    transcripts
}

#[test]
fn every_fixture_survives_the_round_trip() {
    for (_, path) in fixtures() {
        let read = read_bytes(&contents(&path));
        let again = read_bytes(&written(&read.transcripts));
        assert_eq!(again.complaints(), [] as [&str; 0], "{}", path.display());
        let (read, again) = (without_sources(read.transcripts), without_sources(again.transcripts));
        assert_eq!(again, read, "{}", path.display());
    }
}

#[test]
fn everything_a_turn_can_carry_survives() {
    let mut turn =
        Turn::new(AgentId::new("a \"b\"\u{1b}"), Role::System, "x\n\u{0}\u{202e}\u{1f600}");
    turn.round = Some(3);
    turn.model = Some("m".into());
    turn.at = Some("2026-01-01T00:00:00.123Z".parse().unwrap());
    turn.usage = Some(Usage { input_tokens: 1, output_tokens: 2 });
    turn.structured = Structured {
        answer: Some("BUY".into()),
        conviction: Confidence::new(0.25, Whose::Calibrated),
        thesis: Some("t".into()),
        evidence: vec!["e1".into(), "e2".into()],
        rebuttals: vec![
            "r".into(),
            Rebuttal {
                item: Some(RebuttedItem {
                    number: 2,
                    agent: AgentId::new("b"),
                    turn: TurnId::new(1),
                    text: "e2".into(),
                }),
                text: "r2".into(),
            },
        ],
    };
    let silent = Turn::new(AgentId::new("b"), Role::Agent, "");
    let same_id = || {
        Transcript::new(DebateId::new("d"), Some("q?".into()), vec![turn.clone(), silent.clone()])
    };
    let both = vec![same_id(), same_id()];
    let again = read_bytes(&written(&both));
    assert_eq!(again.complaints(), [] as [&str; 0]);
    assert_eq!(without_sources(again.transcripts), both, "two with one id stay two");
}
