//! `rebuttal verify`: is the journal what was written, has it all of it, and does the verdict follow?
//!
//! A journal that is whole but has no verdict yet, one that was cut off and one that is empty end with 1.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;
use rebuttal::debates;

use crate::args::VerifyArgs;
use crate::output::{Output, Status};
use crate::store;
use crate::terminal::one_line;

/// Does what was asked.
pub(crate) fn run(args: &VerifyArgs, out: &mut Output) -> Result<Status> {
    let mut known = args.head.as_deref().map(debates::parse_head).transpose()?;
    let mut wanted = args.debate.clone();
    if let Some(path) = &args.receipt {
        let (receipt, signer) = rebuttal::receipt::read(path, args.public_key.as_deref())?;
        let by = signer.map_or("not signed".to_owned(), |key| format!("signed by {key}"));
        writeln!(out, "{}: {by}", path.display())?;
        known = Some(receipt.head());
        if wanted == "last" {
            wanted = receipt.debate().to_string();
        }
    }
    let path = Path::new(&wanted);
    let (name, verified) = if path.is_file() {
        (path.display().to_string(), debates::verify_file(path, known)?)
    } else {
        let (runtime, store) = store::open(&args.db)?;
        let id = runtime.block_on(debates::find(&store, &wanted))?;
        let verified = runtime.block_on(debates::verify(&store, &id, known))?;
        (id.to_string(), verified)
    };
    writeln!(out, "{}: {verified}", one_line(&name))?;
    Ok(if verified.is_whole() { Status::Clean } else { Status::Findings })
}
