//! Takes several agents' reports to a consensus: where they conflict, who is right, and why.
//!
//! ```text
//! cargo run -p rebuttal --example reconcile
//! ```

use std::fmt::Write as _;
use std::io::Write as _;

use rebuttal::engine::reconcile::{Settings, reconcile};
use rebuttal::policy::Authority;
use rebuttal::prelude::*;

/// Which sources count for more; `rebuttal reconcile --authority FILE` reads the same.
const SOURCES: &str = r#"rules = ["GCC-STAT > World Bank > other"]"#;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(rulings().as_bytes())
}

/// Each conflict with its ruling, then what to go on with.
pub(crate) fn rulings() -> String {
    let report = |agent: &str, text: &str| Report::new(AgentId::new(agent), text);
    let reports = [
        report("labour", "Unemployment in Qatar was 0.10 % in Q1 2024 (GCC-STAT)."),
        report("strategy", "Unemployment in Qatar was 0.12 % in Q1 2024 (World Bank)."),
    ];
    let (authority, problems) = Authority::read(SOURCES, "sources");
    assert!(problems.is_empty(), "{problems:?}");
    let settings = Settings { authority: &authority, ..Settings::default() };
    let outcome = reconcile(&reports, &settings, &|_| ());
    let mut text = String::new();
    for (contradiction, resolution) in outcome.contradictions.iter().zip(&outcome.resolutions) {
        writeln!(text, "{}", contradiction.explanation).ok();
        writeln!(text, "{}", resolution.explanation).ok();
    }
    writeln!(text, "{}", outcome.consensus.consensus_narrative).ok();
    text
}
