//! What will be done: arguments and configuration, checked before any work starts.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rebuttal::agents;
use rebuttal::config::{Config, text_of};
use rebuttal::detect::reports;
use rebuttal::engine::arbitration::Limits;
use rebuttal::inputs::{self, Input};
use rebuttal::model::{Problem, Severity};
use rebuttal::models::Analyzer;
use rebuttal::policy::Authority;
use rebuttal::transcripts::Format;
use rebuttal_llm::Chat;
use rebuttal_report::problems::Strictness;

use super::watch::Events;
use crate::args::{FailOnArg, ReconcileArgs, ReconcileFormat};
use crate::judge;
use crate::plan::{format_named, refuse_to_overwrite_input};
use crate::terminal::one_line;

/// What `--arbiter` says when the rules are to decide whatever the configuration says.
const NOBODY: &str = "none";

/// A reconciliation, ready to run.
pub(crate) struct ReconcilePlan {
    /// What to read, in order.
    pub(super) inputs: Vec<Input>,
    /// Files that were named more than once, and are read once.
    pub(super) repeated: Vec<String>,
    /// What the files are, where the user said so.
    pub(super) from: Option<Format>,
    pub(super) strictness: Strictness,
    /// What counts as a contradiction.
    pub(super) options: reports::ContradictionOptions,
    /// Who reads.
    pub(super) analyzer: Analyzer,
    /// Which sources count for more, and where that is written.
    pub(super) authority: Authority,
    pub(super) authority_file: Option<PathBuf>,
    /// What is wrong with that file.
    pub(super) authority_problems: Vec<Problem>,
    /// Who rules, if not the rules.
    pub(super) arbiter: Option<Box<dyn Chat>>,
    pub(super) limits: Limits,
    pub(super) format: ReconcileFormat,
    /// Where the result goes, if not to stdout.
    pub(super) output: Option<PathBuf>,
    /// Where the adjusted reports go.
    pub(super) adjusted: Option<PathBuf>,
    pub(super) events: Events,
    pub(super) fail_on: FailOn,
}

/// What makes the run exit with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailOn {
    Never,
    /// A contradiction that a person must look at.
    Flagged,
    /// A contradiction at least this severe, whatever became of it.
    Severity(Severity),
}

impl From<FailOnArg> for FailOn {
    fn from(typed: FailOnArg) -> Self {
        match typed {
            FailOnArg::None => Self::Never,
            FailOnArg::Any => Self::Severity(Severity::Info),
            FailOnArg::Flagged => Self::Flagged,
            FailOnArg::Low => Self::Severity(Severity::Low),
            FailOnArg::Medium => Self::Severity(Severity::Medium),
            FailOnArg::High => Self::Severity(Severity::High),
        }
    }
}

impl fmt::Debug for ReconcilePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReconcilePlan")
            .field("inputs", &self.inputs)
            .field("options", &self.options)
            .field("authority_file", &self.authority_file)
            .field("arbiter", &self.arbiter.as_ref().map(|agent| agent.id().to_owned()))
            .finish_non_exhaustive()
    }
}

impl ReconcilePlan {
    /// Checks what was typed.
    pub(crate) fn new(args: &ReconcileArgs, config: &Config) -> Result<Self> {
        for (flag, path) in [("--output", &args.output), ("--adjusted", &args.adjusted)] {
            if let Some(path) = path {
                refuse_to_overwrite_input(path, &args.files, flag)?;
            }
        }
        let same = |path: &PathBuf| Some(path) == args.output.as_ref();
        ensure!(
            !args.adjusted.as_ref().is_some_and(same),
            "--output and --adjusted name the same file; name two"
        );
        let inputs::Found { inputs, repeated, .. } =
            inputs::find(&args.files, args.output.as_deref());
        let named = args.authority.as_ref().or(config.reconcile.authority.value.as_ref());
        let (authority, authority_problems) = named.map_or_else(
            || Ok((Authority::default(), Vec::new())),
            |path| policy(path, args.authority.is_some()),
        )?;
        let arbiter = args.arbiter.as_ref().or(config.reconcile.arbiter.value.as_ref());
        let arbiter = arbiter.filter(|name| *name != NOBODY);
        let arbiter = arbiter.map(|name| agents::chat(config, name)).transpose()?;
        Ok(Self {
            from: args.from.as_deref().map(format_named).transpose()?,
            inputs,
            repeated,
            strictness: if args.strict { Strictness::Strict } else { Strictness::Lenient },
            options: reports::ContradictionOptions {
                tolerance: args.tolerance.unwrap_or(config.reconcile.tolerance.value),
                confidence_gap: args.confidence_gap,
                stakes: args.stakes.into(),
            },
            analyzer: judge::analyzer(args.method.into(), &args.judge, config)?,
            authority,
            authority_file: named.cloned(),
            authority_problems,
            arbiter,
            limits: Limits { concurrency: args.concurrency.into(), ..Limits::default() },
            format: args.format,
            output: args.output.clone(),
            adjusted: args.adjusted.clone(),
            events: if args.events { Events::Written } else { Events::Unheard },
            fail_on: args.fail_on.into(),
        })
    }
}

/// Reads the policy file: one that is named must be there.
fn policy(path: &Path, is_typed: bool) -> Result<(Authority, Vec<Problem>)> {
    let name = one_line(&path.display().to_string()).into_owned();
    let text = text_of(path).with_context(|| {
        if is_typed {
            format!("--authority {name}")
        } else {
            format!("[reconcile] authority: {name}")
        }
    })?;
    Ok(Authority::read(&text, name))
}
