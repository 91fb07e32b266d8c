//! Budgets hold before a call leaves, whatever agents answer, fail at or hide.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use rebuttal_engine::debate::{
    Agent, AgentError, Answering, Arena, Ask, Ended, Engine, Environment, Journal, MemoryJournal,
    Responder, Response, RunsOn, SeededRng, State, Vote, replay,
};
use rebuttal_llm::{Ceiling, Counting, Price, Usage};
use rebuttal_model::{Budget, Decision, Event, Protocol, Record, Spent, StreamId, Uncertain};

use crate::panel::{Faulty, arena, block_on, engine, fixed_vote, id, stream, with};

/// What a provider really charged, whatever it tells.
#[derive(Debug, Default)]
struct Bill {
    calls: u64,
    tokens: u64,
    micro_usd: u64,
}

/// An agent on a provider that charges, fails, hides what it charged, or never answers.
struct Paid {
    price: Price,
    max_tokens: u32,
    dice: Mutex<SeededRng>,
    bill: Arc<Mutex<Bill>>,
}

impl Paid {
    /// Charges for a request: anything within what the request allows, the most among it.
    fn charge(&self, ask: &Ask) -> (Usage, usize) {
        let mut dice = self.dice.lock().unwrap();
        let most = Ceiling::of(&ask.request, self.max_tokens, Some(self.price));
        let mut up_to = |most: u64| match dice.below(3) {
            0 => most,
            _ => dice.next_u64() % (most + 1),
        };
        let (input, output) = (up_to(most.input_tokens), up_to(most.output_tokens));
        let usage = Usage { input: Some(input), output: Some(output) };
        let mut bill = self.bill.lock().unwrap();
        bill.calls += 1;
        bill.tokens += input + output;
        bill.micro_usd += self.price.cost(usage).unwrap();
        (usage, dice.below(10))
    }
}

impl Responder for Paid {
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move {
            let (usage, fate) = self.charge(ask);
            tokio::time::sleep(Duration::from_millis(10 + fate as u64)).await;
            let vote = || Response::from(Vote::new(if fate % 2 == 0 { "yes" } else { "no" }));
            match fate {
                0 => Ok(vote()),
                1 => Err(AgentError::truncated("cut off").with_usage(usage)),
                2 => Err(AgentError::truncated("cut off, and nobody counted")),
                3 => Ok(Response::text("no JSON at all").with_usage(usage)),
                4 => std::future::pending().await,
                5 => panic!("after it was paid"),
                6 => Ok(vote().with_usage(Usage { output: None, ..usage })),
                _ => Ok(vote().with_usage(usage)),
            }
        })
    }

    fn runs_on(&self) -> RunsOn {
        RunsOn::Runtime
    }

    fn max_tokens(&self) -> Option<u32> {
        Some(self.max_tokens)
    }
}

/// Runs a debate to its end, going on with it as often as it dies.
fn run_on(arena: &Arena, journal: &MemoryJournal, seed: u64) -> Box<Decision> {
    let engine = engine(&Faulty::now_and_then(journal, seed));
    let stream = stream(arena);
    for _ in 0..1_000 {
        let ended = block_on(async {
            if journal.records(&stream).await.unwrap().is_empty() {
                arena.run(&engine).await
            } else {
                engine.resume(&id(&stream), arena.agents()).unwrap().result().await
            }
        });
        if let Ok(Ended::Decided(decision)) = ended {
            return decision;
        }
    }
    panic!("it never ends")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]
    #[test]
    fn no_more_is_spent_than_the_budget_allows(
        seed: u64,
        agents in 2_u32..5,
        prices in (0.0..60.0_f64, 0.0..120.0_f64),
        max_tokens in 1_u32..20_000,
        usd in prop::option::of(0.0..1.0_f64),
        tokens in prop::option::of(0_u64..80_000),
        calls in prop::option::of(0_u64..20),
        in_turn: bool,
    ) {
        let price = Price::new(prices.0, prices.1).unwrap();
        let bill: Arc<Mutex<Bill>> = Arc::default();
        let panel = (0..agents).map(|number| {
            let dice = Mutex::new(SeededRng::new(seed, &format!("agent {number}")));
            let paid = Paid { price, max_tokens, dice, bill: Arc::clone(&bill) };
            let agent = Agent::new(&format!("agent-{number}"), paid);
            agent.price(price).timeout(Duration::from_secs(1))
        });
        let budget = Budget { calls, tokens, usd, seconds: None };
        let arena = with(arena(panel), |protocol| {
            protocol.rounds = 3;
            protocol.stop = "rounds:3".to_owned();
            protocol.in_turn = in_turn;
            protocol.budget = budget;
        });
        let journal = MemoryJournal::default();
        let decision = run_on(&arena, &journal, seed);
        let bill = bill.lock().unwrap();
        if let Some(usd) = usd {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let charged = bill.micro_usd as f64;
            prop_assert!(charged <= (usd * 1e6).round(), "{bill:?} of {budget:?}");
        }
        prop_assert!(tokens.is_none_or(|most| bill.tokens <= most), "{bill:?} of {budget:?}");
        prop_assert!(calls.is_none_or(|most| bill.calls <= most), "{bill:?} of {budget:?}");
        // What the debate says it cost at most is no less than what was charged.
        let Spent { calls, micro_usd, .. } = decision.cost.at_most();
        prop_assert!(calls >= bill.calls, "{:?} {bill:?}", decision.cost);
        if usd.is_some() || tokens.is_some() {
            let tokens = decision.cost.at_most().tokens();
            prop_assert!(micro_usd >= bill.micro_usd, "{:?} {bill:?}", decision.cost);
            prop_assert!(tokens >= bill.tokens, "{:?} {bill:?}", decision.cost);
        }
        let records = block_on(journal.records(&stream(&arena))).unwrap();
        let again = replay(&records).unwrap();
        prop_assert_eq!(again.decision.as_ref(), Some(&*decision));
    }
}

/// Runs on a clock that cannot be wound forward: closures run on threads of their own.
fn real<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

/// Agents that count how often they are asked, at a price.
fn counted(asked: &Arc<AtomicU64>) -> [Agent; 2] {
    ["ann", "bob"].map(|name| {
        let asked = Arc::clone(asked);
        let agent = Agent::from_fn(name, move |_| {
            asked.fetch_add(1, Ordering::SeqCst);
            async { Ok(Vote::new("yes")) }
        });
        agent.price(Price::new(3.0, 15.0).unwrap())
    })
}

#[test]
fn nothing_buys_nothing() {
    let limits = [
        Budget { calls: Some(0), ..Budget::default() },
        Budget { tokens: Some(0), ..Budget::default() },
        Budget { usd: Some(0.0), ..Budget::default() },
        Budget { seconds: Some(0.0), ..Budget::default() },
    ];
    for budget in limits {
        let asked: Arc<AtomicU64> = Arc::default();
        let arena = with(arena(counted(&asked)), |protocol| protocol.budget = budget);
        let journal = MemoryJournal::default();
        let ended = real(arena.run(&engine(&journal))).unwrap();
        let Ended::Decided(decision) = ended else { panic!("{ended:?}") };
        assert_eq!(asked.load(Ordering::SeqCst), 0, "{budget:?}");
        assert_eq!((decision.answer.clone(), decision.cost.calls), (None, 0));
        assert_eq!(decision.stop.as_ref().unwrap().rule, "budget");
        replay(&block_on(journal.records(&stream(&arena))).unwrap()).unwrap();
    }
}

#[test]
fn money_without_a_price_is_refused_with_the_way_out() {
    let unpriced =
        with(arena([fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "no", 0.8)]), |protocol| {
            protocol.budget.usd = Some(1.0);
        });
    let error = unpriced.check().unwrap_err().to_string();
    assert_eq!(
        error,
        "the budget is in US dollars, and what ann costs is not known; set `price = { input = …, \
         output = … }` (dollars for a million tokens) for it in rebuttal.toml, or Agent::price in \
         code, 0 where it is free; or limit tokens instead"
    );
    let free = with(
        arena([fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "no", 0.8)].map(Agent::free)),
        |protocol| {
            protocol.budget.usd = Some(1.0);
        },
    );
    assert_eq!(free.check(), Ok(()));
}

#[test]
fn an_answer_is_given_no_more_room_than_the_budget_leaves() {
    let seen: Arc<Mutex<Vec<Option<u32>>>> = Arc::default();
    let agents = |price: Option<Price>| {
        ["ann", "bob"].map(|name| {
            let seen = Arc::clone(&seen);
            let agent = Agent::from_fn(name, move |ask: Ask| {
                seen.lock().unwrap().push(ask.request.max_tokens);
                async { Ok(Vote::new("yes")) }
            });
            price.map_or(agent.clone(), |price| agent.price(price))
        })
    };
    let run = |usd: Option<f64>| {
        let arena =
            with(arena(agents(Price::new(0.0, 10.0))), |protocol| protocol.budget.usd = usd);
        real(arena.run(&engine(&MemoryJournal::default()))).unwrap();
        std::mem::take(&mut *seen.lock().unwrap())
    };
    assert_eq!(run(None), [None, None], "without a budget the agent's own limit holds");
    assert_eq!(run(Some(1.0)), [None, None], "16,384 tokens cost 0.16 dollars");
    // A cent buys a thousand tokens: half of it for each, less one for the rounding.
    assert_eq!(run(Some(0.01)), [Some(499), Some(499)]);
    assert_eq!(run(Some(0.005)), [], "250 tokens each are too few to answer in");
}

/// A clock that goes with tokio's.
fn ticking(journal: &MemoryJournal) -> Engine {
    let start = tokio::time::Instant::now();
    let clock = move || {
        let passed = SignedDuration::try_from(start.elapsed()).unwrap();
        Timestamp::UNIX_EPOCH + passed
    };
    Engine::new(journal.clone()).clock(clock).random(|| 7)
}

struct Sleepy(Duration, &'static str);

impl Responder for Sleepy {
    fn respond<'a>(&'a self, _: &'a Ask) -> Answering<'a> {
        Box::pin(async move {
            tokio::time::sleep(self.0).await;
            Ok(Vote::new(self.1).conviction(0.8).into())
        })
    }

    fn runs_on(&self) -> RunsOn {
        RunsOn::Runtime
    }
}

fn timed(millis: u64, seconds: f64) -> (Box<Decision>, Vec<Record>) {
    block_on(async {
        let journal = MemoryJournal::default();
        let latency = Duration::from_millis(millis);
        let votes = [("ann", "yes"), ("bob", "yes"), ("cyd", "no")];
        let panel = votes.map(|(name, vote)| Agent::new(name, Sleepy(latency, vote)));
        let arena = with(arena(panel), |protocol| {
            protocol.stop = "rounds:2".to_owned();
            protocol.budget.seconds = Some(seconds);
        });
        let debate = arena.start(&ticking(&journal)).unwrap();
        let stream = StreamId::debate(&debate.id());
        let Ended::Decided(decision) = debate.result().await.unwrap() else { panic!() };
        (decision, journal.records(&stream).await.unwrap())
    })
}

#[test]
fn seconds_are_those_on_the_clock_and_calls_in_flight_are_cut() {
    let (decision, records) = timed(700, 1.0);
    assert_eq!(decision.answer.as_deref(), Some("yes"), "the blind votes stand");
    assert_eq!(decision.cost.millis, 1_000, "three answers of 0.7 s side by side take 0.7 s");
    assert_eq!(decision.stop.as_ref().unwrap().words, "The time is up: 1 s of 1 s is spent.");
    let cut = records.iter().filter(|record| {
        matches!(&record.event,
        Event::CallFailed { reason, .. } if reason == "the debate's time was up before it answered")
    });
    assert_eq!(cut.count(), 3);
    replay(&records).unwrap();

    let (decision, records) = timed(3_000, 1.0);
    assert_eq!((decision.answer, decision.cost.millis), (None, 1_000));
    replay(&records).unwrap();

    let (decision, records) = timed(200, 1.0);
    assert_eq!(decision.cost.millis, 600, "three rounds fit");
    replay(&records).unwrap();
}

#[test]
fn calls_of_a_killed_run_are_shown_as_perhaps_paid() {
    block_on(async {
        let journal = MemoryJournal::default();
        let engine = engine(&journal);
        let price = Price::new(1.0, 1.0).unwrap();
        let agents = |latency| {
            ["ann", "bob"].map(|name| Agent::new(name, Sleepy(latency, "yes")).price(price))
        };
        let slow = arena(agents(Duration::from_hours(1)));
        let debate = slow.start(&engine).unwrap();
        let (debate_id, mut events) = (debate.id(), debate.events());
        let mut intended = Vec::new();
        while intended.len() < 2 {
            let Some(update) = events.next().await else { panic!() };
            if let rebuttal_engine::debate::Update::Recorded(record) = update
                && let Event::CallIntended { at_most, .. } = &record.event
            {
                intended.push(at_most.unwrap());
            }
        }
        drop(debate);
        let records = journal.records(&StreamId::debate(&debate_id)).await.unwrap();
        let perhaps = Uncertain {
            calls: 2,
            tokens: intended.iter().map(|one| one.tokens()).sum(),
            micro_usd: intended.iter().map(|one| one.micro_usd).sum(),
        };
        let cost = State::fold(&records).unwrap().cost();
        assert_eq!((cost.calls, cost.uncertain), (2, perhaps));
        assert!(perhaps.micro_usd >= 2 * 8_192, "{perhaps:?}");
        let fast = arena(agents(Duration::ZERO));
        let debate = engine.resume(&debate_id, fast.agents()).unwrap();
        let Ended::Decided(decision) = debate.result().await.unwrap() else { panic!() };
        assert_eq!((decision.cost.calls, decision.cost.uncertain), (4, perhaps));
        let records = journal.records(&StreamId::debate(&debate_id)).await.unwrap();
        replay(&records).unwrap();
    });
}

/// A provider that counts every byte of a request as a token, which is more than was thought possible.
struct Dense(Arc<AtomicU64>, &'static str);

impl Responder for Dense {
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        let most = Ceiling::counted(&ask.request, 64, None, Counting::Bytes);
        self.0.fetch_add(most.input_tokens, Ordering::SeqCst);
        let usage = Usage { input: Some(most.input_tokens), output: Some(1) };
        Box::pin(async move { Ok(Response::from(Vote::new(self.1)).with_usage(usage)) })
    }

    fn runs_on(&self) -> RunsOn {
        RunsOn::Runtime
    }

    fn max_tokens(&self) -> Option<u32> {
        Some(64)
    }
}

#[test]
fn a_provider_that_counts_more_is_believed_from_its_first_answer_on() {
    let run = |tokens: u64| {
        let charged: Arc<AtomicU64> = Arc::default();
        let panel = [("ann", "yes"), ("bob", "no")]
            .map(|(name, vote)| Agent::new(name, Dense(Arc::clone(&charged), vote)));
        let arena = with(arena(panel), |protocol| {
            protocol.rounds = 3;
            protocol.stop = "rounds:3".to_owned();
            protocol.budget.tokens = Some(tokens);
        });
        let journal = MemoryJournal::default();
        block_on(arena.run(&engine(&journal))).unwrap();
        let records = block_on(journal.records(&stream(&arena))).unwrap();
        let calls =
            records.iter().filter(|record| matches!(record.event, Event::CallIntended { .. }));
        replay(&records).unwrap();
        let blind = State::fold(&records).unwrap().blind.input_tokens;
        (charged.load(Ordering::SeqCst), blind, calls.count())
    };
    let (all, blind, calls) = run(u64::MAX / 2);
    assert_eq!(calls, 8, "four rounds of two");
    // Enough for the blind round and for four fifths of another.
    let tokens = blind + (all - blind) / 3 * 4 / 5;
    let (charged, _, calls) = run(tokens);
    assert_eq!(calls, 2, "by script another round would fit; by bytes it does not");
    assert!(charged <= tokens, "{charged} of {tokens}");
}

/// Keeps what is used of the protocol's defaults from being forgotten here.
#[test]
fn without_a_budget_nothing_is_limited() {
    let asked: Arc<AtomicU64> = Arc::default();
    let environment = Environment::new("Should we ship?");
    let arena = Arena::new(environment).panel(counted(&asked)).protocol(Protocol::default());
    let ended = real(arena.run(&engine(&MemoryJournal::default()))).unwrap();
    assert!(matches!(ended, Ended::Decided(_)), "{ended:?}");
    assert!(asked.load(Ordering::SeqCst) >= 2);
}
