//! Thousands of debates with agents that fail in every way, a store that fails now and then, and
//! protocols drawn by lot: what must always hold, holds.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rebuttal_engine::debate::{Agent, Arena, Ended, Environment, Journal, MemoryJournal, replay};
use rebuttal_llm::{Scene, Scripted};
use rebuttal_model::{BreakpointAnswer, Budget, Event, Protocol, Record, Sees, StreamId};

use crate::panel::{Faulty, block_on, drive, engine, id, says};

/// How many debates; each has a seed of its own, which a failure names.
const DEBATES: u64 = 2_000;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        things[usize::try_from(self.roll(things.len() as u64)).unwrap()]
    }
}

fn scene(dice: &mut Dice) -> Scene {
    let answer = dice.one_of(&["yes", "no"]);
    #[expect(clippy::cast_precision_loss, reason = "one of eleven")]
    let conviction = dice.roll(11) as f64 / 10.0;
    match dice.roll(16) {
        0 => Scene::TimesOut,
        1 => Scene::Answers(500),
        2 => Scene::SaysNothing,
        3 => Scene::IsCutShort,
        4 => Scene::Declines("no comment".to_owned()),
        5 => Scene::Says("not JSON at all".to_owned()),
        6 => Scene::Says(says("maybe", conviction, "Neither.")),
        7 => Scene::Says(r#"{"answer":"yes","conviction":7}"#.to_owned()),
        8 => Scene::Says(format!("```json\n{}\n```", says(answer, conviction, "Fenced."))),
        9..12 => Scene::Says(vague(answer)),
        _ => Scene::Says(says(answer, conviction, &format!("I am for {answer}."))),
    }
}

/// What the trickster is for, with objections and an opinion for whoever asks for those.
fn vague(answer: &str) -> String {
    serde_json::json!({
        "answer": answer,
        "thesis": format!("Clearly {answer} is best, and everybody agrees that it is best."),
        "objections": ["Nobody has shown it."],
        "done": false,
    })
    .to_string()
}

fn debate(seed: u64) -> Arena {
    let mut dice = Dice(seed);
    let agents = 2 + dice.roll(5);
    let panel = (0..agents).map(|number| {
        let name = format!("agent-{number}");
        let rolls = AtomicU64::new(seed ^ (number << 32));
        let play = move |_: &rebuttal_llm::Request| {
            let state = rolls.fetch_add(0x9e37_79b9, Ordering::SeqCst);
            scene(&mut Dice(state))
        };
        Agent::new(&name, Arc::new(Scripted::from_fn(name.clone(), play)))
    });
    let rules = ["majority", "plurality", "unanimity", "borda", "schulze", "supermajority:0.66"];
    let protocol = Protocol {
        rounds: u32::try_from(dice.roll(5)).unwrap(),
        rule: dice.one_of(&rules).to_owned(),
        targeted: dice.roll(2) == 0,
        evidence_exchange: dice.roll(2) == 0,
        in_turn: dice.roll(3) == 0,
        anonymous: dice.roll(2) == 0,
        sees: dice.one_of(&[Sees::All, Sees::Opposing, Sees::Ring, Sees::Random(2)]),
        enable_trickster: dice.roll(4) > 0,
        critique: dice.roll(4) == 0,
        roles: dice.roll(3) == 0,
        stop: dice
            .one_of(&["unanimity or no-change", "unanimity or human", "repetition:0.9"])
            .to_owned(),
        budget: Budget { calls: (dice.roll(4) == 0).then(|| dice.roll(20)), ..Budget::default() },
        ..Protocol::default()
    };
    Arena::new(Environment::new("Should it be done?")).panel(panel).protocol(protocol).seed(seed)
}

#[test]
fn what_must_hold_holds_in_every_debate() {
    let (mut decided, mut acted) = (0, 0);
    for seed in 0..DEBATES {
        let arena = debate(seed);
        let memory = MemoryJournal::default();
        let spec = arena.spec(&engine(&memory)).unwrap();
        let stream = StreamId::debate(&spec.id);
        let faulty = Faulty::now_and_then(&memory, seed);
        let mut tries = 0;
        let ended = loop {
            match block_on(drive(&arena, &faulty, &stream)) {
                Ok(Ended::Waiting(_)) => answer(&memory, &stream, seed ^ tries),
                Ok(ended) => break ended,
                Err(_) => tries += 1,
            }
            assert!(tries < 1_000, "seed {seed}: it never ends");
        };
        let Ended::Decided(decision) = ended else { panic!("seed {seed}: {ended:?}") };
        let records = block_on(memory.records(&stream)).unwrap();
        let state = replay(&records).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(state.decision.as_ref(), Some(&*decision), "seed {seed}");
        check(seed, &spec.protocol, &records, &decision);
        decided += u64::from(decision.answer.is_some());
        acted += u64::from(!state.steering.interventions.is_empty());
    }
    assert!(acted > DEBATES / 50, "the trickster stepped in {acted} times of {DEBATES}");
    assert!(decided > DEBATES / 4, "{decided} of {DEBATES} came to an answer");
}

/// What a person does when a debate waits: anything.
fn answer(journal: &MemoryJournal, stream: &StreamId, seed: u64) {
    let answer = Dice(seed).one_of(&BreakpointAnswer::ALL);
    let (engine, note) = (engine(journal), Some("Look at the cost."));
    block_on(engine.answer(&id(stream), None, answer, note)).unwrap();
}

fn check(seed: u64, protocol: &Protocol, records: &[Record], decision: &rebuttal_model::Decision) {
    let mut announced = 0_u64;
    let mut intended = BTreeSet::new();
    let mut finished = BTreeSet::new();
    let mut voted = BTreeSet::new();
    for record in records {
        match &record.event {
            Event::CallIntended { call, .. } => {
                announced += 1;
                let again = !intended.insert(call.clone());
                assert!(!again || !finished.contains(call), "seed {seed}: {call} ended before");
            }
            Event::CallAnswered { call, .. } | Event::CallFailed { call, .. } => {
                assert!(intended.contains(call), "seed {seed}: {call} was not announced");
                assert!(finished.insert(call.clone()), "seed {seed}: {call} ended twice");
            }
            Event::BallotCast { ballot } => {
                let vote = (ballot.round, ballot.agent.clone());
                assert!(voted.insert(vote), "seed {seed}: {} voted twice", ballot.agent);
            }
            _ => {}
        }
    }
    if let Some(most) = protocol.budget.calls {
        assert!(announced <= most, "seed {seed}: {announced} calls of {most}");
    }
    assert!(decision.stop.is_some(), "seed {seed}: no reason to stop");
    let done = records.iter().filter_map(|record| match &record.event {
        Event::Intervened { intervention } => Some(intervention),
        _ => None,
    });
    let added: u32 = done.clone().map(|done| done.extra_rounds).sum();
    // What a person says to the agents is read: a round for it, if none is left.
    let said = records.iter().filter(|record| {
        matches!(&record.event, Event::Resumed { note: Some(_), answer, .. } if *answer != BreakpointAnswer::Abort)
    });
    let most = (protocol.rounds + added) as usize + said.count();
    assert!(decision.rounds.len() <= most, "seed {seed}: {} of {most}", decision.rounds.len());
    let most = protocol.trickster.max_interventions_total as usize;
    assert!(done.count() <= most, "seed {seed}: more interventions than {most}");
    if let Some(answer) = &decision.answer {
        assert!(["yes", "no"].contains(&answer.as_str()), "seed {seed}: {answer}");
    }
}
