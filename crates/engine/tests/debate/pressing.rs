//! The quality challenger has something to press on, the others hear it, and who lets a debate go on at
//! a breakpoint does not end it.

use std::sync::{Arc, Mutex};

use rebuttal_engine::debate::{Agent, Arena, Ended, Journal as _, MemoryJournal, State, replay};
use rebuttal_llm::Request;
use rebuttal_model::{BreakpointAnswer, InterventionKind, PanelRole, Protocol, Sees, StreamId};

use crate::panel::{arena, block_on, drive, run, speaker, text};
use crate::steering::answer;
use crate::trickster::{VAGUE, all, kinds, panel, reply, unattended, with};

const NAMES: [&str; 3] = ["ann", "bob", "cyd"];

type Asked = Arc<Mutex<Vec<(String, String)>>>;

/// Agents that say the same in every round, and what each was asked.
fn listening() -> (Vec<Agent>, Asked) {
    let asked: Asked = Arc::default();
    let agents = NAMES.into_iter().zip(VAGUE).map(|(name, thesis)| {
        let hears = asked.clone();
        speaker(name, move |request: &Request| {
            hears.lock().unwrap().push((name.to_owned(), text(request)));
            let asks = text(request).contains("As quality challenger");
            let said =
                if asks { "Who measured that everybody in the field agrees?" } else { thesis };
            reply("yes", said).into()
        })
    });
    (agents.collect(), asked)
}

/// What an agent was asked in a round: each was asked once in every round.
fn prompt(asked: &Asked, agent: &str, round: usize) -> String {
    let asked = asked.lock().unwrap();
    let own: Vec<&String> =
        asked.iter().filter(|(name, _)| name == agent).map(|(_, text)| text).collect();
    own[round].clone()
}

fn challenger(state: &State) -> String {
    let role = state.steering.interventions.iter().find(|done| done.role.is_some()).unwrap();
    role.targets[0].to_string()
}

#[test]
fn a_challenger_is_shown_what_it_is_to_press_on_though_all_agree() {
    let (agents, asked) = listening();
    let ran = run(&with(arena(agents), unattended));
    assert_eq!(ran.state.spec().protocol.sees, Sees::Opposing);
    let challenger = challenger(&ran.state);
    let pressed = prompt(&asked, &challenger, 1);
    for (name, thesis) in NAMES.into_iter().zip(VAGUE).filter(|(name, _)| *name != challenger) {
        assert!(pressed.contains(&format!("| Thesis: {thesis}")), "{name}'s words: {pressed}");
    }
    assert!(pressed.contains("## ROLE ASSIGNMENT - QUALITY_CHALLENGER"), "{pressed}");
    assert!(pressed.contains("What you are to press on:\n<<"), "as fragments: {pressed}");
    assert!(pressed.contains("In what follows you are Panelist "), "{pressed}");
    assert!(!pressed.contains("Address each piece of opposing"), "nobody is opposed: {pressed}");
}

#[test]
fn what_the_challenger_says_reaches_those_who_agree_with_it() {
    let (agents, asked) = listening();
    let ran = run(&with(arena(agents), |protocol| {
        unattended(protocol);
        // Nothing else may keep the debate open after the challenger spoke.
        protocol.trickster.max_interventions_total = 1;
    }));
    assert_eq!(kinds(&ran.state), [InterventionKind::Role]);
    assert_eq!(ran.state.rounds.len(), 3, "one to ask in, one to answer in");
    let challenger = challenger(&ran.state);
    for name in NAMES.into_iter().filter(|name| *name != challenger) {
        let first = prompt(&asked, name, 1);
        assert!(!first.contains("Who measured"), "{first}");
        let then = prompt(&asked, name, 2);
        assert!(then.contains("The quality challenger says:\n<<"), "{then}");
        assert!(then.contains("| Thesis: Who measured that everybody"), "{then}");
        assert!(then.contains("Answer the quality challenger"), "{then}");
    }
    replay(&ran.records).unwrap();
}

#[test]
fn an_agent_knows_which_panelist_a_challenge_means() {
    let (agents, asked) = listening();
    let ran = run(&with(arena(agents), |protocol| {
        unattended(protocol);
        protocol.trickster.enable_role_assignment = false;
    }));
    assert!(kinds(&ran.state).contains(&InterventionKind::Challenge));
    let told: Vec<String> = NAMES
        .iter()
        .map(|name| {
            let prompt = prompt(&asked, name, 1);
            let (_, rest) = prompt.split_once("In what follows you are ").unwrap();
            let own = rest.split_once('.').unwrap().0.to_owned();
            assert!(rest.contains(&format!("- **{own}**: Missing")), "{prompt}");
            own
        })
        .collect();
    assert!(told[0] != told[1] && told[1] != told[2] && told[0] != told[2], "{told:?}");
}

/// A debate that a person is to look at after its blind round, and its journal.
fn severe(change: impl FnOnce(&mut Protocol)) -> (Arena, MemoryJournal, StreamId) {
    let arena = with(arena(panel(all("yes", VAGUE))), |protocol| {
        protocol.trickster.breakpoint_severity = 0.5;
        change(protocol);
    });
    let journal = MemoryJournal::default();
    let stream = crate::panel::stream(&arena);
    let ended = block_on(drive(&arena, &journal, &stream)).unwrap();
    assert!(matches!(ended, Ended::Waiting(_)), "{ended:?}");
    (arena, journal, stream)
}

fn answered(
    (arena, journal, stream): &(Arena, MemoryJournal, StreamId),
    with: BreakpointAnswer,
    note: Option<&str>,
) -> State {
    answer(journal, stream, jiff::Timestamp::UNIX_EPOCH, None, with, note).unwrap();
    block_on(drive(arena, journal, stream)).unwrap();
    let records = block_on(journal.records(stream)).unwrap();
    replay(&records).unwrap();
    State::fold(&records).unwrap()
}

#[test]
fn continue_uses_the_rung_that_nobody_was_asked_about() {
    let state = answered(&severe(|_| ()), BreakpointAnswer::Continue, None);
    let first: Vec<_> = state.steering.interventions_after(0).map(|done| done.kind).collect();
    assert_eq!(first[0], InterventionKind::Breakpoint, "{first:?}");
    let role = state.steering.interventions_after(0).find(|done| done.role.is_some()).unwrap();
    assert_eq!(state.role_of(&role.targets[0], 1), Some(PanelRole::QualityChallenger));
    assert!(state.rounds.len() > 1, "all agree, and it goes on");
    assert!(kinds(&state).contains(&InterventionKind::Challenge), "{:?}", kinds(&state));
}

#[test]
fn continue_after_the_last_round_adds_one() {
    let state = answered(&severe(|protocol| protocol.rounds = 0), BreakpointAnswer::Continue, None);
    let first: Vec<_> = state.steering.interventions_after(0).map(|done| done.kind).collect();
    assert!(first.contains(&InterventionKind::ExtraRound), "{first:?}");
    assert!(first.contains(&InterventionKind::Role), "{first:?}");
    assert!(state.rounds.len() > 1);
}

#[test]
fn continue_goes_on_though_the_trickster_may_say_nothing_more() {
    let one = severe(|protocol| protocol.trickster.max_interventions_total = 1);
    let state = answered(&one, BreakpointAnswer::Continue, None);
    assert_eq!(kinds(&state), [InterventionKind::Breakpoint], "the limit stands");
    assert_eq!(state.rounds.len(), 2, "and so does the person's word");
}

#[test]
fn a_note_after_the_last_round_is_read_in_another() {
    let words = Some("The footway was inspected in May.");
    let last = severe(|protocol| protocol.rounds = 0);
    let state = answered(&last, BreakpointAnswer::AddEvidence, words);
    let first: Vec<_> = state.steering.interventions_after(0).map(|done| done.kind).collect();
    assert_eq!(first, [InterventionKind::Breakpoint, InterventionKind::ExtraRound]);
    assert!(state.rounds.len() > 1);
}

#[test]
fn abort_still_ends_it() {
    let state = answered(&severe(|_| ()), BreakpointAnswer::Abort, None);
    assert_eq!(kinds(&state), [InterventionKind::Breakpoint]);
    assert_eq!(state.rounds.len(), 1);
    let stop = state.stop.unwrap();
    assert_eq!(stop.words, "A person ended the rounds at a breakpoint.");
}

#[test]
fn a_time_out_that_ends_it_names_no_person() {
    let (arena, journal, stream) = severe(|protocol| {
        protocol.breakpoints.timeout_seconds = Some(60.0);
        protocol.breakpoints.on_timeout = BreakpointAnswer::Abort;
    });
    let late = || jiff::Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_secs(61);
    let ended = crate::steering::resume_at(&arena, &journal, &stream, late);
    let Ended::Decided(decision) = ended else { panic!() };
    let stop = decision.stop.unwrap();
    assert!(stop.words.starts_with("Nobody answered the breakpoint in time"), "{}", stop.words);
}

#[test]
fn a_rule_that_counts_rounds_counts_those_that_were_added() {
    for stop in ["rounds:1", "unanimity and rounds:9 or rounds:1"] {
        let arena = with(arena(panel(all("yes", VAGUE))), |protocol| {
            unattended(protocol);
            protocol.rounds = 4;
            stop.clone_into(&mut protocol.stop);
            protocol.trickster.enable_role_assignment = false;
        });
        let ran = run(&arena);
        let added = ran.state.steering.extra_rounds();
        assert!(added > 0, "{stop}: the rule leaves one round: {:?}", kinds(&ran.state));
        let rounds = u32::try_from(ran.state.rounds.len()).unwrap();
        assert_eq!(rounds, 2 + added, "{stop}: every added round was run");
        let words = ran.state.stop.clone().unwrap().words;
        assert!(words.contains(&format!("{} of {} rounds", 1 + added, 1 + added)), "{words}");
        replay(&ran.records).unwrap();
    }
}
