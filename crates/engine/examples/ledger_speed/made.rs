//! Positions that are made up, the same in every run: agents come back to their propositions, and
//! sometimes on the other side.

use jiff::{SignedDuration, Timestamp};
use rebuttal_model::{AgentId, Confidence, Position, Whose};

/// The day everything is measured on.
pub(crate) const LAST: &str = "2026-11-16T00:00:00Z";

/// Agents, however many positions there are: a panel or two. At 10,000 positions each has a hundred
/// in each field, so that looking back has its full length from there on.
const AGENTS: u64 = 20;
/// Fields.
const DOMAINS: u64 = 5;
/// Times an agent comes back to a proposition, on average.
const VISITS: u64 = 5;

const QUALITIES: [&str; 24] = [
    "nightly",
    "internal",
    "public",
    "regional",
    "weekly",
    "shared",
    "legacy",
    "mobile",
    "partner",
    "billing",
    "staging",
    "archived",
    "encrypted",
    "partial",
    "customer",
    "vendor",
    "hourly",
    "global",
    "cached",
    "manual",
    "signed",
    "external",
    "monthly",
    "remote",
];
const THINGS: [&str; 32] = [
    "backup",
    "report",
    "pipeline",
    "dashboard",
    "contract",
    "database",
    "queue",
    "gateway",
    "schedule",
    "invoice",
    "policy",
    "cluster",
    "service",
    "review",
    "forecast",
    "budget",
    "index",
    "survey",
    "release",
    "audit",
    "model",
    "license",
    "sensor",
    "migration",
    "catalogue",
    "session",
    "payment",
    "ticket",
    "account",
    "firewall",
    "router",
    "warehouse",
];
const PLACES: [&str; 24] = [
    "Lisbon", "Oslo", "Nairobi", "Osaka", "Quito", "Dublin", "Hanoi", "Lagos", "Turin", "Perth",
    "Riga", "Lima", "Cairo", "Boston", "Delhi", "Porto", "Accra", "Bergen", "Zagreb", "Tunis",
    "Malmo", "Austin", "Leeds", "Graz",
];
const SIDES: [(&str, &str); 8] = [
    ("is safe", "is not safe"),
    ("is reliable", "is unreliable"),
    ("should be kept", "should not be kept"),
    ("is faster than last year", "is slower than last year"),
    ("works for new users", "does not work for new users"),
    ("is worth its cost", "is not worth its cost"),
    ("meets the deadline", "misses the deadline"),
    ("can be trusted", "cannot be trusted"),
];

/// Positions, one after the other.
pub(crate) struct Made {
    state: u64,
    at: u64,
    most: u64,
    start: Timestamp,
}

impl Made {
    pub(crate) fn new(most: usize) -> Self {
        let start = "2020-01-01T00:00:00Z".parse().unwrap_or(Timestamp::UNIX_EPOCH);
        Self { state: 20_261_116, at: 0, most: most as u64, start }
    }

    /// The next of a fixed sequence of numbers, below `below`.
    fn draw(&mut self, below: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below.max(1)
    }
}

impl Iterator for Made {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        if self.at >= self.most {
            return None;
        }
        let agent = self.draw(AGENTS);
        // The latest propositions come up most: an agent has so many in hand, and moves on.
        let age = self.at / AGENTS / VISITS;
        let matter = age.saturating_sub(self.draw(VISITS * 2)) * AGENTS + agent;
        let pick = |list: &[&'static str], salt: u64| {
            let at = (matter.wrapping_mul(salt) >> 7) % list.len() as u64;
            usize::try_from(at).ok().and_then(|at| list.get(at).copied()).unwrap_or_default()
        };
        let (quality, thing) = (pick(&QUALITIES, 0x9e37_79b9), pick(&THINGS, 0x85eb_ca6b));
        let place = pick(&PLACES, 0xc2b2_ae35);
        let (yes, no) =
            SIDES.get(usize::try_from(matter % 8).unwrap_or(0)).copied().unwrap_or_default();
        let side = if self.draw(8) == 0 { no } else { yes };
        let claim = format!("The {quality} {thing} of {place}, lot {matter}, {side}.");
        let at = self.start + SignedDuration::from_secs(i64::try_from(self.at * 60).unwrap_or(0));
        let mut position = Position::new(AgentId::new(format!("agent-{agent}")), claim, at);
        position.confidence = Confidence::new(
            f64::from(u8::try_from(self.draw(100)).unwrap_or(0)) / 100.0,
            Whose::Stated,
        );
        position.domain = Some(format!("domain-{}", matter / AGENTS % DOMAINS));
        position.id = position.derive_id(true);
        self.at += 1;
        Some(position)
    }
}
