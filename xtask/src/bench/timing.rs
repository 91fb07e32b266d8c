//! Figures that depend on the machine: printed, never a reason to fail.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::{Bench, MEGABYTE, report, shown, writing};
use crate::files;
use crate::process::Step;

/// Runs of which the fastest counts: whatever else the machine does only makes a run slower.
const RUNS: u32 = 3;
/// Starts of which the median counts.
const STARTS: usize = 21;
/// How often memory is looked at; the kernel keeps the peak, so only the very end can be missed.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Megabytes per second and core over English-like debates.
pub(super) fn speed(bench: &Bench, bytes: u64) -> anyhow::Result<()> {
    let file = bench.file("speed.jsonl");
    writing::debates(&file, bytes)?;
    let words = fastest(|| Command::new("wc").arg("-w").arg(&file).run_silently());
    let words =
        words.map_or("wc -w: not there".to_owned(), |time| format!("wc -w: {}", rate(bytes, time)));
    for method in ["model", "rules", "seed"] {
        let time = fastest(|| audit(bench, &file, &["--method", method]).run_silently())?;
        let what = format!("audit --method {method}, one core");
        report(&what, &rate(bytes, time), &words);
    }
    Ok(())
}

/// From starting the program to the first byte of its answer.
pub(super) fn start(bench: &Bench) -> anyhow::Result<()> {
    let file = bench.file("start.jsonl");
    writing::debates(&file, 1)?;
    let ours = median(|| first_byte(audit(bench, &file, &[])))?;
    let cat = median(|| first_byte(with_args("cat", &[&shown(&file)])))?;
    let beside = format!("cat of the same file: {}", milliseconds(cat));
    report("start to first output, 20 turns", &milliseconds(ours), &beside);
    Ok(())
}

/// Peak memory while auditing a large file on all cores.
pub(super) fn memory(bench: &Bench, bytes: u64) -> anyhow::Result<()> {
    let file = bench.file("memory.jsonl");
    writing::debates(&file, bytes)?;
    let what = format!("peak memory, audit of {} MB", bytes / MEGABYTE);
    let audit = with_args(&shown(&bench.program), &["audit", &shown(&file), "--format", "json"]);
    let (peak_kb, time) = peak_memory(audit)?;
    let (wc_kb, _) = peak_memory(with_args("wc", &["-w", &shown(&file)]))?;
    let figure = peak_kb.map_or("unknown".to_owned(), |kb| format!("{:.1} MB", megabytes(kb)));
    let wc = wc_kb.map_or("unknown".to_owned(), |kb| format!("{:.1} MB", megabytes(kb)));
    report(&what, &figure, &format!("wc -w: {wc}"));
    report("  the same, all cores", &rate(bytes, time), "");
    std::fs::remove_file(&file).with_context(|| file.display().to_string())
}

/// `rebuttal audit FILE --format json …` on one core.
pub(super) fn audit(bench: &Bench, file: &Path, options: &[&str]) -> Command {
    Step::new(&bench.program)
        .args(["audit", &shown(file), "--format", "json", "--fail-on", "never"])
        .args(options)
        .env("RAYON_NUM_THREADS", "1")
        .into_command()
}

fn with_args(program: &str, arguments: &[&str]) -> Command {
    Step::new(program).args(arguments).into_command()
}

trait Silently {
    fn run_silently(&mut self) -> anyhow::Result<()>;
}

impl Silently for Command {
    /// Runs with nothing shown; exit code 1 means findings and is fine.
    fn run_silently(&mut self) -> anyhow::Result<()> {
        let quiet = self.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        let status = quiet.status().with_context(|| format!("{quiet:?}"))?;
        match status.code() {
            Some(0 | 1) => Ok(()),
            _ => bail!("{self:?} ended with {status}"),
        }
    }
}

fn fastest(mut run: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let started = Instant::now();
        run()?;
        best = best.min(started.elapsed());
    }
    Ok(best)
}

fn median(mut run: impl FnMut() -> anyhow::Result<Duration>) -> anyhow::Result<Duration> {
    let mut times = Vec::with_capacity(STARTS);
    for _ in 0..STARTS {
        times.push(run()?);
    }
    times.sort_unstable();
    times.get(STARTS / 2).copied().context("no runs")
}

fn first_byte(mut command: Command) -> anyhow::Result<Duration> {
    let started = Instant::now();
    command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
    let mut out = child.stdout.take().context("no output")?;
    let read = out.read(&mut [0u8; 1])?;
    let time = started.elapsed();
    std::io::copy(&mut out, &mut std::io::sink())?;
    child.wait()?;
    if read == 0 {
        bail!("{command:?} printed nothing");
    }
    Ok(time)
}

/// The peak of resident memory in kilobytes, where the system tells, and the time taken.
fn peak_memory(mut command: Command) -> anyhow::Result<(Option<u64>, Duration)> {
    let started = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kb = None;
    loop {
        if let Some(now) = files::read(Path::new(&status)).ok().and_then(|text| high_water(&text)) {
            peak_kb = peak_kb.max(Some(now));
        }
        if let Some(status) = child.try_wait()? {
            if !matches!(status.code(), Some(0 | 1)) {
                bail!("{command:?} ended with {status}");
            }
            return Ok((peak_kb, started.elapsed()));
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// `VmHWM:     1234 kB` → 1234.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn megabytes(kilobytes: u64) -> f64 {
    kilobytes as f64 / 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn rate(bytes: u64, time: Duration) -> String {
    format!("{:.1} MB/s", bytes as f64 / MEGABYTE as f64 / time.as_secs_f64().max(1e-9))
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!(rate(8_000_000, Duration::from_secs(2)), "4.0 MB/s");
        assert_eq!(high_water("VmPeak:\t9 kB\nVmHWM:\t  1234 kB\n"), Some(1234));
        assert_eq!(high_water("nothing"), None);
    }
}
