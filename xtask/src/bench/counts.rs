//! Instruction counts at n and 2n: stable under load, so growth can be a reason to fail.

use std::path::Path;

use anyhow::{Context, bail};

use super::{Bench, report, shown, timing, writing::Family};
use crate::process::{Step, is_installed};
use crate::say;

/// Bytes of text at n; large enough that a quadratic step outweighs everything else.
const BYTES: usize = 96 << 10;

/// Most instructions at 2n, as a multiple of those at n. Linear is 2; a sort adds a little; a
/// quadratic step comes near 4.
pub(super) const RATIO_MAX: f64 = 2.5;

/// Counts every family; an error when one grows too fast.
pub(super) fn run(bench: &Bench) -> anyhow::Result<()> {
    if !is_installed("valgrind") {
        say::line("skipped: instruction counts need valgrind; `cargo xtask setup` installs it");
        return Ok(());
    }
    let idle = count_of(bench, Family::Letters, 64)?;
    let mut steep = Vec::new();
    for family in Family::ALL {
        let once = count_of(bench, family, BYTES)?;
        let twice = count_of(bench, family, 2 * BYTES)?;
        let ratio = growth(idle, once, twice);
        let figure = ratio.map_or("too few".to_owned(), |ratio| format!("{ratio:.2} ×"));
        let per_byte = once.saturating_sub(idle) / BYTES as u64;
        let what = format!("2n/n, {}", family.name());
        report(&what, &figure, &format!("{per_byte} instructions a byte at n = {BYTES}"));
        if ratio.is_some_and(|ratio| ratio > RATIO_MAX) {
            steep.push(family.name());
        }
    }
    if steep.is_empty() {
        return Ok(());
    }
    bail!("instructions grow more than {RATIO_MAX} × when the input doubles: {}", steep.join("; "))
}

/// How much the work grows, start-up left out; `None` when there is hardly any work.
#[expect(clippy::cast_precision_loss, reason = "a ratio of counts below 2^52")]
fn growth(idle: u64, once: u64, twice: u64) -> Option<f64> {
    let work = once.checked_sub(idle).filter(|work| *work > BYTES as u64)?;
    Some(twice.saturating_sub(idle) as f64 / work as f64)
}

fn count_of(bench: &Bench, family: Family, bytes: usize) -> anyhow::Result<u64> {
    let file = bench.file("counts.jsonl");
    family.write(&file, bytes)?;
    count(bench, &file)
}

fn count(bench: &Bench, file: &Path) -> anyhow::Result<u64> {
    let audit = timing::audit(bench, file, &["--method", "rules"]);
    let printed = Step::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args([shown(&bench.program)])
        .args(audit.get_args())
        .env("RAYON_NUM_THREADS", "1")
        .printed()?;
    collected(&printed.stderr)
        .with_context(|| format!("valgrind counted nothing: {}", printed.stderr.trim()))
}

/// `==12== Collected : 3456` → 3456.
fn collected(stderr: &str) -> Option<u64> {
    let line = stderr.lines().find_map(|line| line.split_once("Collected :"))?;
    line.1.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_valgrinds_count() {
        assert_eq!(collected("==7== \n==7== Collected : 123456\n"), Some(123_456));
        assert_eq!(collected("valgrind: no such file"), None);
    }

    #[test]
    fn growth_leaves_the_start_out() {
        let million = 1_000_000;
        assert_eq!(growth(million, 2 * million, 3 * million), Some(2.0));
        assert_eq!(growth(million, 2 * million, 5 * million), Some(4.0));
        assert_eq!(growth(million, million + 1, million + 2), None, "no work to speak of");
    }
}
