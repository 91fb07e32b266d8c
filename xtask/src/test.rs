//! `cargo xtask test`: everything CI runs, step by step, stopping at the first failure.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::process::{Step, is_installed};
use crate::{files, say, setup, tidy, wheel};

/// Most time the fuzz targets get. Building them from nothing takes a minute or two on two idle cores,
/// and many on busy ones: a step that gives up there tests nothing.
const FUZZ_SECONDS_MAX: &str = "900";
/// What property tests draw from here, where it is not set outside: CI must not fail on a change that
/// has nothing to do with it. New cases are drawn by `cargo nextest run` alone.
const PROPTEST_SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20261116");
/// Seconds each fuzz target runs on top of its corpus.
const FUZZ_SECONDS_EACH: &str = "2";

/// How much to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Everything.
    Full,
    /// Without installing anything and without fuzzing.
    Quick,
}

/// What became of a step.
enum Outcome {
    Passed,
    Skipped(String),
}

/// Runs every step.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let extent = match arguments.as_slice() {
        [] => Extent::Full,
        ["--quick"] => Extent::Quick,
        [first, ..] => bail!("`cargo xtask test` takes `--quick`, not `{first}`"),
    };
    let root = files::root();
    let mut run = Run { started: Instant::now(), passed: 0, skipped: 0 };
    if extent == Extent::Full {
        run.step("setup", || {
            setup::run();
            Ok(Outcome::Passed)
        })?;
    }
    run.step("format", || cargo(&root, &["fmt", "--all", "--check"]))?;
    run.step("clippy", || {
        let what = ["clippy", "--quiet", "--workspace", "--all-targets", "--locked"];
        cargo(&root, &[&what[..], &["--", "--deny", "warnings"]].concat())
    })?;
    run.step("tidy", || tidy::rules().map(passed))?;
    run.step("tests", || unit_tests(&root))?;
    run.step("doc tests", || {
        cargo(&root, &["test", "--quiet", "--workspace", "--doc", "--locked"])
    })?;
    run.step("python", || Ok(wheel::test()?.map_or(Outcome::Passed, Outcome::Skipped)))?;
    run.step("docs", || tidy::docs().map(passed))?;
    if extent == Extent::Full {
        run.step("fuzz", || fuzz(&root))?;
    }
    run.summary();
    Ok(())
}

fn passed((): ()) -> Outcome {
    Outcome::Passed
}

fn cargo(root: &Path, arguments: &[&str]) -> anyhow::Result<Outcome> {
    Step::cargo(arguments).current_dir(root).run().map(passed)
}

fn unit_tests(root: &Path) -> anyhow::Result<Outcome> {
    if setup::has_nextest() {
        let shown = ["--status-level", "fail", "--final-status-level", "slow"];
        let what = ["nextest", "run", "--workspace", "--locked", "--cargo-quiet"];
        return seeded(Step::cargo(&[&what[..], &shown[..]].concat()))
            .current_dir(root)
            .run()
            .map(passed);
    }
    say::warn("cargo-nextest is missing: running `cargo test`, one test program after another");
    let what = ["test", "--quiet", "--workspace", "--locked", "--all-targets"];
    seeded(Step::cargo(&what)).current_dir(root).run().map(passed)
}

/// Makes every run test the same cases: a seed of the caller's own goes before ours.
fn seeded(step: Step) -> Step {
    let (name, usual) = PROPTEST_SEED;
    let seed = std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    say::line(format_args!("property tests draw from {name}={seed}"));
    step.env(name, seed)
}

/// The corpora, and a few seconds of new inputs per target. The script ends with 1 when a target
/// crashed and with 2 when the targets cannot be built.
fn fuzz(root: &Path) -> anyhow::Result<Outcome> {
    if !root.join("fuzz/run.sh").exists() {
        return Ok(Outcome::Skipped("fuzz/run.sh is not there".to_owned()));
    }
    if !is_installed("g++") && !is_installed("c++") {
        return Ok(Outcome::Skipped("g++ is missing; `cargo xtask setup` installs it".to_owned()));
    }
    let script = ["bash", "fuzz/run.sh", FUZZ_SECONDS_EACH];
    let limited = Step::new("timeout").args([FUZZ_SECONDS_MAX]).args(script);
    let status = limited.current_dir(root).into_command().status().context("fuzz/run.sh")?;
    match status.code() {
        Some(0) => Ok(Outcome::Passed),
        Some(2) => bail!("the fuzz targets do not build"),
        Some(124) => Ok(Outcome::Skipped(format!("not done within {FUZZ_SECONDS_MAX} s"))),
        _ => bail!("fuzz/run.sh ended with {status}"),
    }
}

/// The steps so far.
struct Run {
    started: Instant,
    passed: u32,
    skipped: u32,
}

impl Run {
    fn step(
        &mut self,
        name: &str,
        work: impl FnOnce() -> anyhow::Result<Outcome>,
    ) -> anyhow::Result<()> {
        say::line(format_args!("── {name}"));
        let started = Instant::now();
        let outcome = work().with_context(|| format!("step `{name}` failed"))?;
        let took = seconds(started.elapsed());
        match outcome {
            Outcome::Passed => {
                self.passed += 1;
                say::line(format_args!("── {name}: passed in {took}"));
            }
            Outcome::Skipped(why) => {
                self.skipped += 1;
                say::line(format_args!("── {name}: skipped: {why}"));
            }
        }
        Ok(())
    }

    fn summary(&self) {
        let Self { started, passed, skipped } = self;
        let took = seconds(started.elapsed());
        say::line(format_args!("test: {passed} steps passed, {skipped} skipped, in {took}"));
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_its_step() {
        let mut run = Run { started: Instant::now(), passed: 0, skipped: 0 };
        run.step("fine", || Ok(Outcome::Passed)).unwrap();
        run.step("absent", || Ok(Outcome::Skipped("no tool".to_owned()))).unwrap();
        let error = run.step("broken", || bail!("one thing")).unwrap_err();
        assert_eq!(format!("{error:#}"), "step `broken` failed: one thing");
        assert_eq!((run.passed, run.skipped), (1, 1));
    }

    #[test]
    fn only_known_options() {
        assert!(super::run(&["--slow".to_owned()]).is_err());
    }
}
