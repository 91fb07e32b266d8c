//! `rebuttal receipt`: what a debate came to, signed if there is a key.

use std::io::Write as _;

use anyhow::{Result, bail};
use rebuttal::engine::debate::State;
use rebuttal::receipt::{Receipt, new_key};

use super::stored;
use crate::args::ReceiptArgs;
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::store;

/// Runs the command.
pub(crate) fn run(args: &ReceiptArgs, out: &mut Output) -> Result<Status> {
    if let Some(path) = &args.new_key {
        let public = new_key(path)?;
        writeln!(out, "{public}")?;
        out.note(format_args!(
            "the key is in {}; keep it, and give away the line above",
            path.display()
        ))?;
        return Ok(Status::Clean);
    }
    let (runtime, store) = store::open(&args.db)?;
    let stream = stored::find(&runtime, &store, &args.debate)?;
    let records = runtime.block_on(stored::records(&store, &stream))?;
    let state = State::fold(&records)?;
    let receipt = records.last().and_then(|last| Receipt::new(&state, last));
    let Some(mut receipt) = receipt else {
        bail!("the debate has not ended; rebuttal resume {} goes on", stored::id_of(&stream));
    };
    if let Some(path) = &args.key {
        receipt = receipt.signed_with(path)?;
    }
    crate::output::to_file(out, args.output.as_deref())?;
    JsonText::line(out, &receipt)?;
    Ok(Status::Clean)
}
