//! An audit reads a text once, look back at the panel included; saving reads it a number of times that
//! does not depend on how many turns or flips there are.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is; clippy excuses only the functions \
              marked as tests, not what they call"
)]

use std::sync::Arc;

use jiff::Timestamp;
use rebuttal::audit::{AuditSettings, audit};
use rebuttal::config::Config;
use rebuttal::ledger::{Saver, Search};
use rebuttal::model::{AgentId, DebateId, Method, Role, Transcript, Turn, TurnId};
use rebuttal::models::Analyzer;
use rebuttal::store::{Location, Store, StoreOptions};
use rebuttal_text::readings_of;

/// Three agents who change their minds in every round, so many turns in all. Every turn is a text of
/// its own, and more than one sentence.
fn wavering(name: &str, turns: usize) -> Transcript {
    let turns = (0..turns).map(|at| {
        let agent = ["ann", "bob", "cyd"].into_iter().cycle().nth(at).unwrap();
        let side = if (at / 3) % 2 == 0 { "Yes, we should move" } else { "No, we should not move" };
        let text = format!(
            "{side} to Kubernetes. In trial {at} of {name} the costs rose by {at} % within a year. \
             That is what {agent} saw, and nothing else."
        );
        let round = u32::try_from(at / 3).ok();
        let turn = Turn::new(AgentId::new(agent), Role::Agent, text);
        Turn { id: TurnId::new(at), round, ..turn }
    });
    let question = Some(format!("Should we move {name} to Kubernetes?"));
    Transcript::new(DebateId::new(name), question, turns.collect())
}

fn most_readings(transcript: &Transcript) -> (u64, u64) {
    let counts = transcript.turns.iter().map(|turn| readings_of(&turn.text));
    let counts: Vec<u64> = counts.collect();
    (*counts.iter().min().unwrap(), *counts.iter().max().unwrap())
}

#[test]
fn an_audit_reads_every_turn_once() {
    let transcript = wavering("an audit", 90);
    let settings = AuditSettings::new(Method::Rules, &Config::default()).unwrap();
    let audited = audit(&transcript, &settings);
    assert!(!audited.findings.is_empty());
    assert_eq!(most_readings(&transcript), (1, 1));
}

/// Once for its positions and causes, and a few times as a claim that is compared with the one before.
#[test]
fn saving_reads_a_turn_as_often_in_long_debates_as_in_short_ones() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::file(folder.path().join("ledger.db"));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut most = Vec::new();
    for turns in [60, 120, 240] {
        let transcript = wavering(&format!("saving {turns}"), turns);
        let saved = runtime.block_on(async {
            let store = Store::open(&location, StoreOptions::default()).await.unwrap();
            let (now, search) =
                (Timestamp::from_second(1_800_000_000), Search::new(Analyzer::rules()));
            let mut saver = Saver::new(Arc::new(store), now.unwrap(), search);
            saver.add(transcript.clone()).await.unwrap();
            saver.finish().await.unwrap()
        });
        assert!(saved.flips > turns as u64 / 2, "{saved:?}");
        most.push(most_readings(&transcript).1);
    }
    assert!(most.iter().all(|count| *count == most[0] && *count <= 8), "{most:?}");
}

/// What is written and asked grows with the turns, and no faster.
#[test]
fn saving_twice_as_many_turns_takes_at_most_twice_as_many_statements() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let statements = |turns: usize| {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::file(folder.path().join("ledger.db"));
        let transcript = wavering(&format!("statements {turns}"), turns);
        runtime.block_on(async {
            let store = Arc::new(Store::open(&location, StoreOptions::default()).await.unwrap());
            let (now, search) =
                (Timestamp::from_second(1_800_000_000), Search::new(Analyzer::rules()));
            let mut saver = Saver::new(Arc::clone(&store), now.unwrap(), search);
            let before = store.statements();
            saver.add(transcript).await.unwrap();
            saver.finish().await.unwrap();
            store.statements() - before
        })
    };
    let counts = [120, 240, 480].map(statements);
    assert!(counts.windows(2).all(|two| two[1] <= 2 * two[0]), "{counts:?}");
}
