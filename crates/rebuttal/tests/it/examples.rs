//! The programs in `examples/rust` do what they say.

use std::path::Path;

#[path = "../../../../examples/rust/audit.rs"]
#[expect(dead_code, reason = "its main is for `cargo run`")]
mod audit;
#[path = "../../../../examples/rust/ledger.rs"]
#[expect(dead_code, reason = "its main is for `cargo run`")]
mod ledger;
#[path = "../../../../examples/rust/own_agent.rs"]
#[expect(dead_code, reason = "its main is for `cargo run`")]
mod own_agent;
#[path = "../../../../examples/rust/reconcile.rs"]
#[expect(dead_code, reason = "its main is for `cargo run`")]
mod reconcile;

#[test]
fn audit() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/transcripts/museum.txt");
    let expected = "\
info: self-contradiction/acknowledged: Curator answered no in turn 2 and yes in turn 8, and said that it changed its mind.
  position before: \"The museum should not return them\"
  position after: \"the bronzes should be returned\"
  acknowledgment: \"I have come round\"
medium: self-contradiction/silent: Historian answered yes in turn 3 and no in turn 9, without saying that it changed its mind.
  position before: \"Yes\"
  position after: \"They should stay here for now\"
";
    assert_eq!(audit::findings(Path::new(log)).unwrap(), expected);
}

#[test]
fn own_agent() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(runtime.block_on(own_agent::decide()).unwrap().as_deref(), Some("SQLite"));
}

#[test]
fn reconcile() {
    let expected = "\
On the unemployment of Qatar: labour says 0.10 % (Q1 2024, GCC-STAT); strategy says 0.12 % (Q1 2024, World Bank): 20 % apart.
Same thing: the sides in dispute speak of Q1 2024. Decided by source authority: labour cites GCC-STAT and strategy cites World Bank; the policy ranks GCC-STAT above World Bank. labour's 0.10 % stands.
Unemployment of Qatar: 0.10 % for Q1 2024 (GCC-STAT), not 0.12 % (World Bank): decided by source authority.
";
    assert_eq!(reconcile::rulings(), expected);
}

#[test]
fn ledger() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let told = runtime.block_on(ledger::history(&folder.path().join("ledger.db"))).unwrap();
    let expected = "\
contradiction: Contradiction: it says the opposite (“safe” → “not safe”).
consistency 0.50, vote weight 0.75
";
    assert_eq!(told, expected);
}
