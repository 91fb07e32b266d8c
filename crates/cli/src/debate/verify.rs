//! `rebuttal verify`: is the journal what was written, has it all of it, and does the verdict follow?
//!
//! Nothing is passed over in silence: a journal that is whole but has no verdict yet, one that was cut
//! off and one that is empty are told as such, and end with 1.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use rebuttal::engine::debate::{State, replay};
use rebuttal::model::{Event, Hash, Record};
use rebuttal::store::{Error, Fault, Head, read_file};

use super::stored;
use crate::args::VerifyArgs;
use crate::output::{Output, Status};
use crate::store;
use crate::terminal::one_line;

/// Does what was asked.
pub(crate) fn run(args: &VerifyArgs, out: &mut Output) -> Result<Status> {
    let mut known = args.head.as_deref().map(head).transpose()?;
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
    let (name, read) = if path.is_file() {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        (path.display().to_string(), read_file(&mut BufReader::new(file), known))
    } else {
        let (runtime, store) = store::open(&args.db)?;
        let stream = stored::find(&runtime, &store, &wanted)?;
        let checked = runtime.block_on(store.verify(&stream, known));
        let read = match checked {
            Ok(_) => runtime.block_on(store.records(&stream)),
            Err(error) => Err(error),
        };
        (stored::id_of(&stream).to_owned(), read)
    };
    let seen = match read {
        Ok(records) => seen(&records)?,
        Err(Error::Broken(broken)) => match (&broken.fault, known) {
            (Fault::Missing { .. }, Some(known)) if broken.seq <= known.seq => {
                Seen::CutOff { left: broken.seq.saturating_sub(1), known: known.seq }
            }
            _ => return Err(broken.into()),
        },
        Err(error) => return Err(error.into()),
    };
    writeln!(out, "{}: {}", one_line(&name), seen.words())?;
    Ok(if seen.is_whole() { Status::Clean } else { Status::Findings })
}

/// What a journal turned out to be.
enum Seen {
    /// Nothing is in it.
    Empty,
    /// It is shorter than what was kept of it says.
    CutOff { left: u64, known: u64 },
    /// It is what was written, and no debate: the ledger's.
    Other(Head),
    /// It has no verdict yet.
    Unfinished { head: Head, why: String },
    /// Its verdict follows.
    Verified(Head),
}

impl Seen {
    fn is_whole(&self) -> bool {
        matches!(self, Self::Other(_) | Self::Verified(_))
    }

    fn words(&self) -> String {
        match self {
            Self::Empty => "empty: there is no record in it".to_owned(),
            Self::CutOff { left, known } => format!(
                "cut off: {left} records are left, unchanged, of the {known} that were there when its head was \
                 kept"
            ),
            Self::Other(Head { seq, hash }) => {
                format!("{seq} records, unchanged; head {seq}:{hash}")
            }
            Self::Unfinished { head: Head { seq, hash }, why } => format!(
                "unfinished: {seq} records, unchanged, and each follows from those before; {why}, so \
                 there is no verdict yet; head {seq}:{hash}"
            ),
            Self::Verified(Head { seq, hash }) => format!(
                "{seq} records, unchanged, and the verdict follows from them; head {seq}:{hash}"
            ),
        }
    }
}

/// Runs a debate's records again.
fn seen(records: &[Record]) -> Result<Seen> {
    let (Some(first), Some(last)) = (records.first(), records.last()) else {
        return Ok(Seen::Empty);
    };
    let head = Head::of(last);
    if !matches!(first.event, Event::DebateStarted { .. }) {
        return Ok(Seen::Other(head));
    }
    let state: State = replay(records)?;
    Ok(match (&state.decision, &state.paused) {
        (Some(_), _) => Seen::Verified(head),
        (None, Some(_)) => Seen::Unfinished { head, why: "it waits for a person".to_owned() },
        (None, None) => {
            let id = &state.spec().id;
            Seen::Unfinished { head, why: format!("`rebuttal resume {id}` goes on") }
        }
    })
}

/// A head as `rebuttal debate` shows it.
fn head(text: &str) -> Result<Head> {
    let wrong = || anyhow!("--head is RECORDS:HASH, as a debate's receipt shows it");
    let (seq, hash) = text.split_once(':').ok_or_else(wrong)?;
    let seq = seq.parse().map_err(|_| wrong())?;
    let hash = Hash::try_from(hash.to_owned()).map_err(|_| wrong())?;
    Ok(Head { seq, hash })
}
