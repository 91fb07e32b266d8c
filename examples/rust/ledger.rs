//! Keeps positions over many debates in a ledger: who gave up what, and how consistent each agent is.
//!
//! ```text
//! cargo run -p rebuttal --example ledger
//! ```

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use rebuttal::ledger::{Search, flips, look, portrait, unwatched};
use rebuttal::prelude::*;
use rebuttal::store::{Durability, FlipFilter, StoreOptions};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let folder = std::env::temp_dir().join("rebuttal-ledger-example");
    std::io::stdout().write_all(history(&folder.join("ledger.db")).await?.as_bytes())?;
    Ok(())
}

/// The flips of an agent, and what the ledger makes of it.
pub(crate) async fn history(database: &Path) -> Result<String> {
    let store = Store::open(&Location::file(database), StoreOptions::default()).await?;
    let store = Arc::new(store);
    let at = |text: &str| text.parse().map_err(|_| Error::new(ErrorKind::Other, text));
    let now = at("2026-03-01T00:00:00Z")?;
    let claude = AgentId::new("claude");
    let positions = vec![
        Position::new(claude.clone(), "The cache is safe to share.", at("2026-01-05T09:00:00Z")?),
        Position::new(claude, "The cache is not safe to share.", at("2026-02-05T09:00:00Z")?),
    ];
    // Adding the same positions again changes nothing.
    store.insert_positions(now, positions, Durability::Full).await?;
    look(&store, now, Search::new(Analyzer::rules()), unwatched()).await?;

    let mut text = String::new();
    for flip in flips(&store, &FlipFilter::default()).await?.flips {
        writeln!(text, "{}: {}", flip.kind.as_str(), flip.explanation).ok();
    }
    let portrait = portrait(&store, "claude", 20).await?;
    let share = portrait.score.consistency_score();
    writeln!(text, "consistency {share:.2}, vote weight {:.2}", portrait.weight.weight()).ok();
    Ok(text)
}
