//! Is a journal what was written, has it all of it, and does the verdict follow?
//!
//! Nothing is passed over in silence: a journal that is whole but has no verdict yet, one that was cut off
//! and one that is empty are told as such.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use rebuttal_engine::debate::{State, replay};
use rebuttal_model::{DebateId, Event, Hash, Record, StreamId};
use rebuttal_store::{Error as StoreError, Fault, Head, Store, read_file};

use crate::error::{Context, Result, err};

/// What a journal turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verified {
    /// Nothing is in it.
    Empty,
    /// It is shorter than what was kept of it says.
    CutOff {
        /// Records that are left.
        left: u64,
        /// Records that were there.
        known: u64,
    },
    /// It is what was written, and no debate: the ledger's.
    Other(Head),
    /// It has no verdict yet.
    Unfinished {
        /// Its last record.
        head: Head,
        /// Why it has none, in words.
        why: String,
    },
    /// Its verdict follows from its records.
    Whole(Head),
}

impl Verified {
    /// Whether all of it is there and nothing was changed.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Other(_) | Self::Whole(_))
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty: there is no record in it"),
            Self::CutOff { left, known } => write!(
                f,
                "cut off: {left} records are left, unchanged, of the {known} that were there when its head was \
                 kept"
            ),
            Self::Other(Head { seq, hash }) => {
                write!(f, "{seq} records, unchanged; head {seq}:{hash}")
            }
            Self::Unfinished { head: Head { seq, hash }, why } => write!(
                f,
                "unfinished: {seq} records, unchanged, and each follows from those before; {why}, so \
                 there is no verdict yet; head {seq}:{hash}"
            ),
            Self::Whole(Head { seq, hash }) => write!(
                f,
                "{seq} records, unchanged, and the verdict follows from them; head {seq}:{hash}"
            ),
        }
    }
}

/// Verifies a stored debate. `known` is what was kept of it, in a receipt or a note.
pub async fn verify(store: &Store, id: &DebateId, known: Option<Head>) -> Result<Verified> {
    let stream = StreamId::debate(id);
    let read = match store.verify(&stream, known).await {
        Ok(_) => store.records(&stream).await,
        Err(error) => Err(error),
    };
    seen(read, known)
}

/// Verifies a journal in a file.
pub fn verify_file(path: &Path, known: Option<Head>) -> Result<Verified> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    seen(read_file(&mut BufReader::new(file), known), known)
}

/// What was read, run again.
fn seen(read: Result<Vec<Record>, StoreError>, known: Option<Head>) -> Result<Verified> {
    let records = match read {
        Ok(records) => records,
        Err(StoreError::Broken(broken)) => {
            return match (&broken.fault, known) {
                (Fault::Missing { .. }, Some(known)) if broken.seq <= known.seq => {
                    Ok(Verified::CutOff { left: broken.seq.saturating_sub(1), known: known.seq })
                }
                _ => Err(StoreError::Broken(broken).into()),
            };
        }
        Err(error) => return Err(error.into()),
    };
    let (Some(first), Some(last)) = (records.first(), records.last()) else {
        return Ok(Verified::Empty);
    };
    let head = Head::of(last);
    if !matches!(first.event, Event::DebateStarted { .. }) {
        return Ok(Verified::Other(head));
    }
    let state: State = replay(&records)?;
    Ok(match (&state.decision, &state.paused) {
        (Some(_), _) => Verified::Whole(head),
        (None, Some(_)) => Verified::Unfinished { head, why: "it waits for a person".to_owned() },
        (None, None) => {
            let id = &state.spec().id;
            Verified::Unfinished { head, why: format!("`rebuttal resume {id}` goes on") }
        }
    })
}

/// A head as `rebuttal debate` shows it: `RECORDS:HASH`.
pub fn parse_head(text: &str) -> Result<Head> {
    let wrong = || err!("--head is RECORDS:HASH, as a debate's receipt shows it");
    let (seq, hash) = text.split_once(':').ok_or_else(wrong)?;
    let seq = seq.parse().map_err(|_| wrong())?;
    let hash = Hash::try_from(hash.to_owned()).map_err(|_| wrong())?;
    Ok(Head { seq, hash })
}
