//! `rebuttal export`: stored debates for other programs.

use std::io::Write as _;

use anyhow::{Context, Result};
use rebuttal::engine::debate::State;
use rebuttal::export::{parquet_steps, preferences, steps};

use super::stored;
use crate::args::{ExportArgs, ExportFormat};
use crate::output::{Output, Status};
use crate::report::JsonText;

/// Runs the command.
pub(crate) fn run(args: &ExportArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store, debate) = stored::open(&args.db, &args.debate)?;
    let state = &debate.state;
    if args.format == ExportFormat::Parquet {
        let path = args.output.as_deref().context("--format parquet needs --output FILE")?;
        let file = std::fs::File::create(path).with_context(|| path.display().to_string())?;
        parquet_steps(&steps(state), file)?;
        return Ok(Status::Clean);
    }
    crate::output::to_file(out, args.output.as_deref())?;
    if args.format == ExportFormat::Jsonl {
        let mut journal = Vec::new();
        runtime.block_on(store.export_stream(&debate.stream, &mut journal))?;
        out.write_all(&journal)?;
        return Ok(Status::Clean);
    }
    if args.format == ExportFormat::Rl {
        for step in steps(state) {
            JsonText::line(out, &step)?;
        }
    } else {
        let pairs = preferences(state);
        for pair in &pairs {
            JsonText::line(out, pair)?;
        }
        if pairs.is_empty() {
            out.warn(no_pairs(state))?;
            return Ok(Status::Findings);
        }
    }
    Ok(Status::Clean)
}

/// Why there are no pairs of a better and a worse answer.
fn no_pairs(state: &State) -> &'static str {
    let known = state.spec().truth.is_some();
    let decided = state.decision.as_ref().is_some_and(|decision| decision.answer.is_some());
    if known || decided {
        "no pairs were written: all last answers are on one side, and none is better than another"
    } else {
        "no pairs were written: the debate has no decision and no --truth to tell better from worse"
    }
}
