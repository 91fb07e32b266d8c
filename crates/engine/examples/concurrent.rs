//! Many debates at once against models that take their time: how much longer than the calls
//! themselves, how much memory, how much CPU. `cargo xtask bench debates` runs it beside the same
//! protocol in LangGraph.
//!
//! Usage: `concurrent [DEBATES] [MEDIAN_SECONDS]`; prints one line of JSON.

use std::io::Read as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rebuttal_engine::debate::{Agent, Arena, Engine, Environment, MemoryJournal};
use rebuttal_llm::{Chat, Hear, LlmError, Pending, Reply, Request, Usage};
use rebuttal_model::Protocol;

/// Spread of the latencies: the 90th percentile is twice the median.
const SIGMA: f64 = 0.54;
const AGENTS: u64 = 3;
const ROUNDS: u64 = 2;

/// A model whose n-th answer takes as long as the dice of (debate, agent, n) say.
struct Sleeper {
    debate: u64,
    agent: u64,
    median: f64,
}

/// A log-normal latency, the same for the same call in this program and in LangGraph's.
fn latency(debate: u64, agent: u64, round: u64, median: f64) -> Duration {
    let uniform = |salt: u64| {
        let mut state = (debate * 1_000 + agent * 10 + round) * 4 + salt;
        state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let share = ((state ^ (state >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        share.max(1e-12)
    };
    let normal = (-2.0 * uniform(1).ln()).sqrt() * (std::f64::consts::TAU * uniform(2)).cos();
    Duration::from_secs_f64(median * (SIGMA * normal).exp())
}

/// Which round a prompt belongs to: how often the agent has spoken shows in what it is reminded of.
fn round(request: &Request) -> u64 {
    let text = request.messages.first().map_or("", |message| message.text.as_str());
    if text.contains("round-one") { 2 } else { u64::from(text.contains("Your position so far")) }
}

impl Chat for Sleeper {
    fn id(&self) -> &'static str {
        "sleeper"
    }

    fn reply(&self, _: &Request) -> Result<Reply, LlmError> {
        unreachable!("only streamed")
    }

    fn stream<'a>(&'a self, request: &'a Request, _: &'a Hear<'a>) -> Pending<'a> {
        let round = round(request);
        Box::pin(async move {
            tokio::time::sleep(latency(self.debate, self.agent, round, self.median)).await;
            let answer = if self.agent == 0 { "no" } else { "yes" };
            let mark = if round == 0 { "blind" } else { "round-one" };
            // Convictions that move, so that no round is the last before its time.
            let conviction = if round == 1 { 0.9 } else { 0.6 };
            let text = format!(
                r#"{{"answer":"{answer}","conviction":{conviction},"thesis":"{mark}: I am for {answer}.","evidence":["A trial ran for 14 days."],"rebuttals":["Other hardware."]}}"#
            );
            let usage = Usage { input: Some(400), output: Some(60) };
            Ok(Reply::new(text).with_usage(usage))
        })
    }
}

fn arena(debate: u64, median: f64) -> Arena {
    let agent = |agent: u64| {
        Agent::new(&format!("agent-{agent}"), Arc::new(Sleeper { debate, agent, median }))
    };
    let protocol = Protocol {
        rounds: u32::try_from(ROUNDS).unwrap_or(2),
        stop: format!("rounds:{ROUNDS}"),
        ..Protocol::default()
    };
    Arena::new(Environment::new("Should we migrate?"))
        .panel((0..AGENTS).map(agent))
        .protocol(protocol)
        .seed(debate)
}

/// How long the calls of a debate take when nothing else takes time.
fn critical(debate: u64, median: f64) -> Duration {
    let slowest = |round| (0..AGENTS).map(|agent| latency(debate, agent, round, median)).max();
    (0..=ROUNDS).filter_map(slowest).sum()
}

/// What the system says about this process.
fn proc(name: &str) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(format!("/proc/self/{name}"));
    // Elsewhere than on Linux there is nothing to read, and the figures are zeros.
    file.and_then(|mut file| file.read_to_string(&mut text)).ok();
    text
}

fn resident_kb() -> u64 {
    let status = proc("status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn cpu_seconds() -> f64 {
    let stat = proc("stat");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let debates: u64 = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(1_000);
    let median: f64 = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(2.0);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build();
    let Ok(runtime) = runtime else { return };
    let before_kb = resident_kb();
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let calls = runtime.block_on(async {
        let mut running = tokio::task::JoinSet::new();
        for debate in 0..debates {
            running.spawn(async move {
                let engine = Engine::new(MemoryJournal::default());
                match arena(debate, median).run(&engine).await {
                    Ok(rebuttal_engine::debate::Ended::Decided(decision)) => decision.cost.calls,
                    _ => 0,
                }
            });
        }
        running.join_all().await.into_iter().sum::<u64>()
    });
    let wall = start.elapsed().as_secs_f64();
    let path = (0..debates).map(|debate| critical(debate, median)).max().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let report = serde_json::json!({
        "engine": "rebuttal", "debates": debates, "calls": calls,
        "wall_s": wall, "critical_path_s": path.as_secs_f64(),
        "ratio": wall / path.as_secs_f64(),
        "cpu_us_per_call": (cpu_seconds() - cpu) * 1e6 / calls.max(1) as f64,
        "kb_per_debate": (resident_kb() - before_kb) as f64 / debates.max(1) as f64,
    });
    #[expect(clippy::print_stdout, reason = "what a bench is for")]
    {
        println!("{report}");
    }
}
