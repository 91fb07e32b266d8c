//! The trickster in the real engine: hollow agreement is challenged, and what is sound is left alone.

use std::sync::{Arc, Mutex};

use rebuttal_engine::debate::{Agent, Arena, Ended, Journal as _, MemoryJournal, State, replay};
use rebuttal_llm::Request;
use rebuttal_model::{BreakpointAnswer, InterventionKind, PanelRole, Protocol};

use crate::panel::{Ran, arena, block_on, drive, run, speaker, text};
use crate::steering::answer;

pub(crate) const VAGUE: [&str; 3] = [
    "Moving to Kubernetes is clearly the best way forward, and everybody in the field agrees.",
    "Moving to Kubernetes is obviously the best way forward; everybody in the field agrees on it.",
    "Kubernetes is clearly the best way forward for us, as everybody in the field agrees.",
];

pub(crate) const SOUND: [&str; 3] = [
    "We should move, because the pilot cut failed deploys from 11 to 2 in eight weeks (pilot report, \
     table 2). According to the March incident log, 9 of the 11 failures were manual restarts, so \
     health checks remove them.",
    "We should move: the load test of 4 May held 12,000 requests per second at a p99 of 180 ms, against \
     7,500 on the present hosts (test record 41). Therefore the peak of November fits with 30 % to \
     spare.",
    "We should move, since the vendor's invoice falls from 96,000 to 61,000 euros a year (offer of \
     3 March) and the 42,000 euros for training come back within 15 months, according to finance.",
];

pub(crate) fn reply(answer: &str, thesis: &str) -> String {
    serde_json::json!({"answer": answer, "conviction": 0.8, "thesis": thesis, "evidence": []})
        .to_string()
}

/// Agents that say the same in every round, whatever is asked of them.
pub(crate) fn panel(said: [(&'static str, &'static str); 3]) -> Vec<Agent> {
    let names = ["ann", "bob", "cyd"];
    let agents = names.into_iter().zip(said);
    agents
        .map(|(name, (answer, thesis))| {
            speaker(name, move |_: &Request| reply(answer, thesis).into())
        })
        .collect()
}

pub(crate) fn all(
    answer: &'static str,
    said: [&'static str; 3],
) -> [(&'static str, &'static str); 3] {
    said.map(|thesis| (answer, thesis))
}

/// The usual protocol, the trickster with it, and what a test wants otherwise.
pub(crate) fn with(arena: Arena, change: impl FnOnce(&mut Protocol)) -> Arena {
    let mut protocol = Protocol::default();
    change(&mut protocol);
    arena.protocol(protocol)
}

/// Nobody is to be asked for unless a test wants it.
pub(crate) fn unattended(protocol: &mut Protocol) {
    protocol.trickster.enable_breakpoints = false;
}

pub(crate) fn kinds(state: &State) -> Vec<InterventionKind> {
    state.steering.interventions.iter().map(|done| done.kind).collect()
}

#[test]
fn hollow_agreement_does_not_end_the_debate() {
    let ran = run(&with(arena(panel(all("yes", VAGUE))), unattended));
    let alert = ran.state.steering.analyses[0].hollow.clone().unwrap();
    assert!(alert.detected && alert.severity >= 0.5, "{alert:?}");
    assert!(ran.state.rounds.len() > 1, "all agreed at once, and yet there was another round");
    let mut done = ran.state.steering.interventions_after(0);
    let first = done.find(|done| done.kind == InterventionKind::Role);
    let first = first.expect("roles come before challenges");
    let challenger = &first.targets[0];
    assert_eq!(ran.state.role_of(challenger, 1), Some(PanelRole::QualityChallenger));
    assert!(kinds(&ran.state).contains(&InterventionKind::Challenge), "{:?}", kinds(&ran.state));
    replay(&ran.records).unwrap();
}

#[test]
fn a_challenge_reaches_those_it_concerns_and_an_extra_round_is_really_run() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let hears = asked.clone();
    let ann = speaker("ann", move |request: &Request| {
        hears.lock().unwrap().push(text(request));
        reply("yes", VAGUE[0]).into()
    });
    let mut agents = panel(all("yes", VAGUE));
    agents[0] = ann;
    let arena = with(arena(agents), |protocol| {
        unattended(protocol);
        protocol.rounds = 0;
        protocol.trickster.enable_role_assignment = false;
        protocol.trickster.max_interventions_total = 2;
    });
    let ran = run(&arena);
    assert_eq!(ran.state.rounds.len(), 2, "no round was planned after the blind one");
    let kinds = kinds(&ran.state);
    assert!(kinds.contains(&InterventionKind::ExtraRound), "{kinds:?}");
    assert!(kinds.contains(&InterventionKind::Challenge), "{kinds:?}");
    assert_eq!(kinds.len(), 2, "no more than the limit: {kinds:?}");
    let asked = asked.lock().unwrap();
    assert!(!asked[0].contains("QUALITY CHALLENGE"));
    assert!(asked[1].contains("## QUALITY CHALLENGE - Evidence Review Required"), "{}", asked[1]);
}

#[test]
fn sound_agreement_is_left_alone() {
    let ran = run(&with(arena(panel(all("yes", SOUND))), |_| ()));
    assert_eq!(ran.state.steering.interventions, []);
    assert_eq!(ran.state.rounds.len(), 1, "all agree, with reasons");
}

#[test]
fn disagreement_is_left_alone() {
    let no = "Kubernetes is clearly not the best way forward for us, whatever everybody says.";
    let said = [("yes", VAGUE[0]), ("no", no), ("yes", VAGUE[2])];
    let ran = run(&with(arena(panel(said)), |protocol| protocol.rounds = 1));
    let alert = ran.state.steering.analyses[0].hollow.clone().unwrap();
    assert!(!alert.detected, "{alert:?}");
    assert_eq!(ran.state.steering.interventions, []);
}

#[test]
fn switched_off_it_sees_and_does_nothing() {
    let ran =
        run(&with(arena(panel(all("yes", VAGUE))), |protocol| protocol.enable_trickster = false));
    assert!(ran.state.steering.analyses.is_empty());
    assert_eq!(ran.state.rounds.len(), 1);
}

/// A debate that a person is to look at.
fn severe() -> Arena {
    with(arena(panel(all("yes", VAGUE))), |protocol| protocol.trickster.breakpoint_severity = 0.5)
}

#[test]
fn a_severe_case_waits_for_a_person() {
    let (arena, journal) = (severe(), MemoryJournal::default());
    let stream = crate::panel::stream(&arena);
    let ended = block_on(drive(&arena, &journal, &stream)).unwrap();
    assert!(matches!(ended, Ended::Waiting(_)), "{ended:?}");
    // Whoever starts the program again finds it waiting still.
    let again = block_on(drive(&arena, &journal, &stream)).unwrap();
    assert_eq!(ended, again);
    let state = State::fold(&block_on(journal.records(&stream)).unwrap()).unwrap();
    assert_eq!(kinds(&state), [InterventionKind::Breakpoint], "a breakpoint stands alone");
    assert_eq!(state.steering.breakpoints[0].number, 1);
    replay(&block_on(journal.records(&stream)).unwrap()).unwrap();
}

#[test]
fn a_note_is_read_though_nothing_more_may_be_done() {
    let arena = with(severe(), |protocol| {
        protocol.rounds = 0;
        protocol.trickster.max_interventions_total = 1;
    });
    let journal = MemoryJournal::default();
    let stream = crate::panel::stream(&arena);
    let ended = block_on(drive(&arena, &journal, &stream)).unwrap();
    assert!(matches!(ended, Ended::Waiting(_)), "{ended:?}");
    let (now, note) = (jiff::Timestamp::UNIX_EPOCH, Some("What did the pilot cost?"));
    answer(&journal, &stream, now, None, BreakpointAnswer::Redirect, note).unwrap();
    block_on(drive(&arena, &journal, &stream)).unwrap();
    let records = block_on(journal.records(&stream)).unwrap();
    let state = State::fold(&records).unwrap();
    assert_eq!(state.rounds.len(), 2, "a round for the note");
    assert_eq!(kinds(&state), [InterventionKind::Breakpoint], "within the limit");
    replay(&records).unwrap();
}

/// Agents that bring evidence when they are asked for it.
fn willing() -> Vec<Agent> {
    let agents = ["ann", "bob", "cyd"].into_iter().zip(VAGUE.into_iter().zip(SOUND));
    agents
        .map(|(name, (vague, sound))| {
            speaker(name, move |request: &Request| {
                let pressed = text(request).contains("QUALITY CHALLENGE");
                reply("yes", if pressed { sound } else { vague }).into()
            })
        })
        .collect()
}

#[test]
fn a_challenge_that_is_met_ends_the_matter() {
    let arena = with(arena(willing()), |protocol| {
        unattended(protocol);
        protocol.trickster.enable_role_assignment = false;
    });
    let Ran { state, .. } = run(&arena);
    let quality = |round: usize| state.steering.analyses[round].hollow.clone().unwrap().avg_quality;
    assert!(quality(1) > quality(0) + 0.2, "{} then {}", quality(0), quality(1));
    assert_eq!(kinds(&state), [InterventionKind::Challenge]);
    assert_eq!(state.rounds.len(), 2);
}

#[test]
fn callbacks_are_told_and_one_that_fails_breaks_nothing() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let (alerts, acts) = (told.clone(), told.clone());
    let arena = with(arena(panel(all("yes", VAGUE))), unattended)
        .on_alert(move |alert| alerts.lock().unwrap().push(format!("alert {:.1}", alert.severity)))
        .on_intervention(move |done| {
            acts.lock().unwrap().push(format!("{:?} {:?}", done.kind, done.targets));
            panic!("the page that was to be told is gone");
        });
    let ended = block_on(arena.run(&crate::panel::engine(&MemoryJournal::default()))).unwrap();
    assert!(matches!(ended, Ended::Decided(_)), "{ended:?}");
    let told = told.lock().unwrap();
    assert!(told[0].starts_with("alert 0."), "{told:?}");
    assert!(told[1].starts_with("Role") || told[1].starts_with("EvidenceGap"), "{told:?}");
    assert!(told.len() > 3, "one that failed is called again the next time: {told:?}");
}

#[test]
fn a_vote_without_reasons_is_not_judged() {
    let ran = run(&with(arena(panel(all("yes", ["", "", ""]))), |_| ()));
    let seen = &ran.state.steering.analyses[0];
    assert_eq!(seen.not_judged.len(), 3, "{seen:?}");
    assert!(seen.not_judged.values().all(|why| why == "the answer is empty"), "{seen:?}");
    assert_eq!(ran.state.steering.interventions, []);
    assert_eq!(ran.state.rounds.len(), 1);
    replay(&ran.records).unwrap();
}
