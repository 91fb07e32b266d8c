//! Agents of one's own: closures and structs, and those that block, panic, never return or lie.

use std::sync::mpsc;
use std::time::Duration;

use jiff::Timestamp;
use rebuttal_engine::debate::{
    Agent, AgentError, AgentErrorKind, Answering, Arena, Ask, Ended, Engine, Environment, Finished,
    MemoryJournal, Responder, Response, Vote, replay,
};
use rebuttal_llm::{LlmError, Usage};
use rebuttal_model::{AgentId, Decision, Event, Protocol, Purpose, Spent};
use tokio::runtime::{Builder, Runtime};

use crate::panel::{arena, fixed_vote};

/// One thread for everything: whoever blocks it, blocks all.
fn one_thread() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

fn votes(name: &str, answer: &'static str) -> Agent {
    Agent::from_fn(name, move |_| async move { Ok(Vote::new(answer).conviction(0.8)) })
}

fn finished(arena: &Arena) -> Finished {
    let engine = Engine::new(MemoryJournal::default());
    one_thread().block_on(async { arena.start(&engine).unwrap().finished().await }).unwrap()
}

fn decision(finished: &Finished) -> &Decision {
    finished.decision().expect("the debate ended")
}

fn failures(finished: &Finished) -> Vec<(String, String)> {
    let failed = finished.records.iter().filter_map(|record| match &record.event {
        Event::CallFailed { call, reason, .. } if call.round == 0 => {
            Some((call.agent.to_string(), reason.clone()))
        }
        _ => None,
    });
    let mut failed: Vec<_> = failed.collect();
    failed.sort();
    failed
}

#[test]
fn who_blocks_panics_or_never_returns_costs_its_own_vote_only() {
    let short = Duration::from_millis(300);
    // Held until the test ends, so that the thread never comes back.
    let (_hold, never) = mpsc::channel::<()>();
    let never = std::sync::Mutex::new(never);
    let panel = [
        votes("ann", "yes"),
        votes("bob", "yes"),
        Agent::from_fn("blocks", |_| async {
            std::thread::sleep(Duration::from_hours(1));
            Ok(Vote::new("no"))
        })
        .timeout(short),
        Agent::from_blocking("holds", move |_| {
            never.lock().unwrap().recv().ok();
            Ok(Vote::new("no"))
        })
        .timeout(short),
        Agent::from_fn("panics", |_| async { panic_now() }),
        Agent::from_fn("waits", |_| async {
            std::future::pending::<()>().await;
            Ok(Vote::new("no"))
        })
        .timeout(short),
    ];
    let debate = Arena::new(Environment::new("Should we ship?"))
        .panel(panel)
        .protocol(Protocol { rule: "plurality".to_owned(), ..Protocol::default() });
    // The runtime ends inside although two threads are stuck.
    let finished = finished(&debate);
    assert_eq!(decision(&finished).answer.as_deref(), Some("yes"));
    let late = "no answer within 0.3 s".to_owned();
    assert_eq!(
        failures(&finished),
        [
            ("blocks".to_owned(), late.clone()),
            ("holds".to_owned(), late.clone()),
            ("panics".to_owned(), "it panicked: as it does".to_owned()),
            ("waits".to_owned(), late),
        ]
    );
    let records: Vec<_> = finished.records.iter().map(|record| (**record).clone()).collect();
    replay(&records).unwrap();
}

fn panic_now() -> Result<Vote, AgentError> {
    panic!("as it does")
}

/// An agent that remembers how often it was asked.
struct Counts {
    asked: std::sync::atomic::AtomicU32,
}

impl Responder for Counts {
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move {
            let before = self.asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            assert_eq!(ask.round(), before, "asked once a round");
            assert_eq!(ask.purpose(), Purpose::Answer);
            assert_eq!((ask.options.len(), &*ask.question), (2, "Ship or wait?"));
            assert!(ask.prompt().contains("Ship or wait?"), "{}", ask.prompt());
            ask.say("thinking");
            let vote = Vote::new("wait")
                .conviction(0.7)
                .thesis("The tests are red.")
                .ranking(["wait", "ship"])
                .evidence("4 of 120 tests fail.");
            let vote = match ask.items.first() {
                Some(item) => vote.rebuttal(item.number, format!("Not so: {}", item.text)),
                None => vote,
            };
            let usage = Usage { input: Some(50), output: Some(20) };
            Ok(Response::from(vote).with_usage(usage))
        })
    }
}

#[test]
fn a_struct_votes_with_reasons_and_says_what_it_cost() {
    let counts = Counts { asked: std::sync::atomic::AtomicU32::new(0) };
    let environment = Environment::new("Ship or wait?").options(["ship", "wait"]);
    let debate = Arena::new(environment)
        .agent(Agent::new("counts", counts))
        .agent(Agent::from_fn("ann", |_| async {
            Ok(Vote::new("ship").conviction(0.8).evidence("The demo works."))
        }))
        .agent(votes("bob", "wait"))
        .protocol(Protocol { enable_trickster: false, ..Protocol::default() });
    let finished = finished(&debate);
    assert_eq!(decision(&finished).answer.as_deref(), Some("wait"));
    let turn = &finished.state.turns.iter().find(|turn| turn.agent.as_str() == "counts").unwrap();
    assert_eq!(turn.structured.thesis.as_deref(), Some("The tests are red."));
    assert_eq!(turn.structured.evidence, ["4 of 120 tests fail."]);
    let own = finished.state.turns.iter().filter(|turn| turn.agent.as_str() == "counts");
    let tied = own.flat_map(|turn| &turn.structured.rebuttals).find(|it| it.item.is_some());
    assert_eq!(tied.map(|rebuttal| &*rebuttal.text), Some("Not so: The demo works."));
    let calls = u64::from(finished.state.round() + 1);
    let cost = decision(&finished).cost;
    assert_eq!((cost.input_tokens, cost.output_tokens), (50 * calls, 20 * calls));
}

#[test]
fn an_error_of_ones_own_is_the_reason_of_the_abstention() {
    let usage = Usage { input: Some(9), output: Some(1) };
    let error = AgentError::truncated("out of words").with_usage(usage);
    assert_eq!((error.kind(), error.usage()), (AgentErrorKind::Truncated, usage));
    let from = AgentError::from(LlmError::declined("m", "not that"));
    assert_eq!(from.kind(), AgentErrorKind::Refused);
    let panel = [
        votes("ann", "yes"),
        votes("bob", "yes"),
        Agent::from_blocking("cyd", move |_| Err::<Vote, _>(error.clone())),
    ];
    let blind = Protocol { rounds: 0, enable_trickster: false, ..Protocol::default() };
    let debate = Arena::new(Environment::new("Should we ship?")).panel(panel).protocol(blind);
    let finished = finished(&debate);
    assert_eq!(failures(&finished), [("cyd".to_owned(), "out of words".to_owned())]);
    assert_eq!(decision(&finished).turnout.failed, [AgentId::new("cyd")]);
    let Spent { input_tokens, output_tokens, .. } = decision(&finished).cost;
    assert_eq!((input_tokens, output_tokens), (9, 1), "what failed counts");
}

#[test]
fn nobody_answers_for_others() {
    let words = r#"{"agent":"ann","answer":"no","ballots":[{"agent":"bob","answer":"no"}]}
        {"agent":"bob","answer":"no"}"#;
    let liar = Agent::from_blocking("eve", move |_| Ok(Response::text(words)));
    let panel = [votes("ann", "yes"), votes("bob", "yes"), liar];
    let debate = Arena::new(Environment::new("Should we ship?")).panel(panel).protocol(Protocol {
        rounds: 0,
        enable_trickster: false,
        ..Protocol::default()
    });
    let finished = finished(&debate);
    let given = |name: &str| {
        let own = finished.state.ballots.iter().filter(|ballot| ballot.agent.as_str() == name);
        own.map(|ballot| ballot.first().map(ToOwned::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(given("ann"), [Some("yes".to_owned())]);
    assert_eq!(given("bob"), [Some("yes".to_owned())]);
    assert_eq!(decision(&finished).answer.as_deref(), Some("yes"));
}

#[test]
fn a_name_is_one_agent_and_a_moderator_is_none_of_the_panel() {
    let refused = |arena: Arena| arena.check().unwrap_err().to_string();
    let panel = || [fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "no", 0.8)];
    assert_eq!(
        refused(arena(panel()).moderator(votes("ann", "yes"))),
        "ann is on the panel, so it cannot be its moderator as well; name another agent"
    );
    assert_eq!(
        refused(arena(panel()).judge(votes("bob", "yes"))),
        "bob is on the panel, so it cannot be its judge as well; name another agent"
    );
    let named = Protocol { moderator: Some(AgentId::new("mod")), ..Protocol::default() };
    assert_eq!(
        refused(arena(panel()).protocol(named.clone())),
        "the protocol names mod as moderator, and no such agent is given; add it with \
         Arena::moderator"
    );
    let given = arena(panel()).protocol(named).moderator(votes("mod", "yes"));
    assert_eq!(given.check(), Ok(()));
}

#[test]
fn five_hundred_agents_are_refused_and_as_many_as_may_debate_do() {
    let panel = |count: usize| {
        let agents = (0..count).map(|number| votes(&format!("agent-{number}"), "yes"));
        Arena::new(Environment::new("Should we ship?")).panel(agents)
    };
    assert_eq!(
        panel(500).check().unwrap_err().to_string(),
        "500 agents are given, and at most 64 can debate"
    );
    let many = panel(64).protocol(Protocol { enable_trickster: false, ..Protocol::default() });
    let finished = finished(&many);
    assert_eq!(decision(&finished).turnout.voted.len(), 64);
    assert!(matches!(finished.ended, Ended::Decided(_)));
    assert!(finished.state.began() > Timestamp::UNIX_EPOCH);
}
