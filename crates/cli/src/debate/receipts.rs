//! `rebuttal receipt`: what a debate came to, signed if there is a key.

use std::io::Write as _;

use anyhow::{Result, bail};
use rebuttal::receipt::{Receipt, new_key};

use super::stored;
use crate::args::ReceiptArgs;
use crate::output::{Output, Status};
use crate::report::JsonText;

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
    let (_runtime, _store, debate) = stored::open(&args.db, &args.debate)?;
    let receipt = debate.records.last().and_then(|last| Receipt::new(&debate.state, last));
    let Some(mut receipt) = receipt else {
        bail!("the debate has not ended; rebuttal resume {} goes on", debate.id());
    };
    if let Some(path) = &args.key {
        receipt = receipt.signed_with(path)?;
    }
    crate::output::to_file(out, args.output.as_deref())?;
    JsonText::line(out, &receipt)?;
    Ok(Status::Clean)
}
