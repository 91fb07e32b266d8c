//! What was typed after `rebuttal reconcile`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rebuttal::model::Severity;

use rebuttal::model::Method;

use crate::judge::JudgeArgs;

/// Shown below `rebuttal reconcile --help`.
const HELP: &str = "\
Examples:
  rebuttal reconcile reports.json
  rebuttal reconcile labour.jsonl strategy.jsonl --authority sources.toml
  rebuttal reconcile reports.json --arbiter claude --events
  rebuttal reconcile reports.json --format html -o page.html --adjusted adjusted.jsonl
  cat run.jsonl | rebuttal reconcile - --format json --fail-on flagged

Input is JSON or JSONL, one object for each report:
  {\"agent\": \"LabourEconomist\", \"confidence\": 0.9, \"text\": \"…\"}
  {\"agent\": \"NationalStrategy\", \"findings\": [{\"text\": \"…\", \"metric\": \"…\", \"value\": …,
   \"period\": \"…\", \"citation\": \"…\", \"confidence\": 0.85}]}
or a transcript in any format of `rebuttal formats`: what an agent said is its
report.

Without --arbiter everything is local, and written rules decide: is it the same
thing at all, then source authority, freshness, completeness of the citation,
stated confidence. With --arbiter a model is sent the quotes, in both orders;
where it contradicts itself a person must look, and where it fails or invents
something the rules decide.

Severity:
  high    opposite signs or directions, or values more than 50 % apart
  medium  values more than 10 % apart; what another period or definition may explain is
          medium at most
  low     the rest
  --stakes high raises it by one, --stakes low lowers it.

Exit codes:
  0  nothing at or above --fail-on
  1  at least one contradiction at or above --fail-on, resolved or not; with flagged, one
     that a person must look at
  2  some input could not be read at all, or, with --strict, content was left out because
     of a limit or a malformed line (everything else is still reported)";

/// What was typed after `rebuttal reconcile`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ReconcileArgs {
    /// Files of reports, folders, or - for stdin; all go into one reconciliation
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// What the input is, instead of finding out: a transcript of this format (see `rebuttal formats`)
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,

    /// Values may differ by this share of the smaller one [default: 0.05]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    #[arg(value_parser = share)]
    pub(crate) tolerance: Option<f64>,

    /// Confidences in one claim may differ by this much
    #[arg(long, value_name = "SHARE", default_value = "0.25", allow_negative_numbers = true)]
    #[arg(value_parser = share)]
    pub(crate) confidence_gap: f64,

    /// How much hangs on the reports
    #[arg(long, value_enum, default_value_t, value_name = "STAKES")]
    pub(crate) stakes: StakesArg,

    /// Which sources count for more: a policy file
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) authority: Option<PathBuf>,

    /// Let this agent rule (see `rebuttal config`); none for the rules
    #[arg(long, value_name = "AGENT")]
    pub(crate) arbiter: Option<String>,

    /// Most calls to the arbiter at once
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: u16,

    /// Who reads the reports
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    pub(crate) method: ReaderArg,

    #[command(flatten)]
    pub(crate) judge: JudgeArgs,

    /// How the result is written
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: ReconcileFormat,

    /// Write the result to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write the adjusted reports: JSON lines, and in a folder a text for each as well
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) adjusted: Option<PathBuf>,

    /// Say on stderr what happens as it happens, in JSON lines
    #[arg(long)]
    pub(crate) events: bool,

    /// Exit with 1 on a contradiction: any, one at least this severe, or one flagged
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pub(crate) fail_on: FailOnArg,

    /// Exit with 2 when a limit or a malformed line left content out
    #[arg(long)]
    pub(crate) strict: bool,
}

/// A share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(percent) if percent > 1.0 && percent <= 100.0 => {
            Err(format!("must be from 0 to 1; for {percent} % write {}", percent / 100.0))
        }
        _ => Err("must be a number from 0 to 1, for example 0.05".to_owned()),
    }
}

/// How much hangs on the reports, as typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StakesArg {
    Low,
    #[default]
    Medium,
    High,
}

impl From<StakesArg> for Severity {
    fn from(stakes: StakesArg) -> Self {
        match stakes {
            StakesArg::Low => Self::Low,
            StakesArg::Medium => Self::Medium,
            StakesArg::High => Self::High,
        }
    }
}

/// Who reads, as typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReaderArg {
    /// Rules, and the models in the program where rules are in doubt
    #[default]
    Model,
    /// Rules alone
    Rules,
}

impl From<ReaderArg> for Method {
    fn from(reader: ReaderArg) -> Self {
        match reader {
            ReaderArg::Model => Self::Model,
            ReaderArg::Rules => Self::Rules,
        }
    }
}

/// How a reconciliation is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReconcileFormat {
    /// For people, on a terminal
    #[default]
    Text,
    /// One document: contradictions, resolutions, consensus, problems
    Json,
    /// For a comment on a pull request
    Markdown,
    /// One page to read and to hand on
    Html,
}

/// What makes a reconciliation exit with 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOnArg {
    /// Nothing does
    #[value(alias = "never")]
    None,
    /// Every contradiction
    Any,
    /// One that a person must look at
    Flagged,
    Low,
    #[default]
    Medium,
    High,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_no_share() {
        assert_eq!(share("0.05"), Ok(0.05));
        assert_eq!(share("5"), Err("must be from 0 to 1; for 5 % write 0.05".to_owned()));
        for bad in ["", "NaN", "-0.1", "inf", "5%", "abc", "1e9"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }
}
