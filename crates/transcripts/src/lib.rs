//! Other people's transcripts, read into ours.
//!
//! [`read_path`] and [`read`] recognise the format from the content and hand every transcript to
//! a sink as soon as it is complete. Line-oriented files are streamed: memory stays flat over a
//! file of any size. Whatever is wrong with an input becomes a [`Problem`] that names the file,
//! the line and the limit; the good rest is still delivered.
//!
//! Every turn knows the bytes it came from. For a compressed file these are bytes of the unpacked
//! text, and a member of an archive is called `archive!member`.
//!
//! ```
//! use rebuttal_transcripts::{Item, ReadOptions, read};
//!
//! let log = "PRO: We should adopt it.\nCON: We should not.\nPRO: Then let us wait.\n";
//! let mut speakers = Vec::new();
//! read("log.txt", log.as_bytes(), &ReadOptions::default(), &mut |item| {
//!     if let Item::Transcript(transcript) = item {
//!         speakers.extend(transcript.turns.into_iter().map(|turn| turn.agent.to_string()));
//!     }
//! });
//! assert_eq!(speakers, ["PRO", "CON", "PRO"]);
//! ```

mod archive;
mod chat;
mod decode;
mod export;
mod fields;
mod format;
mod formats;
mod input;
mod json;
mod open;
mod out;
mod place;
mod positions;
mod prefix;
mod read;
mod records;
mod reports;
mod roles;
mod session;
mod sniff;
mod string;
mod talk;
mod time;
mod value;

use rebuttal_model::{AssignedSide, Problem, Transcript};

pub use export::write_jsonl;
pub use format::Format;
pub use positions::{
    PositionFormat, PositionItem, PositionOptions, PositionReader, PositionWriter,
};
pub use read::{open, read, read_path};
pub use reports::{read_reports, read_reports_path};

/// What reading a file yields, one at a time.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A whole conversation.
    Transcript(Transcript),
    /// Something wrong with the input; reading goes on.
    Problem(Problem),
}

/// What the user said about the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, where the user named it; else it is recognised from the content.
    pub from: Option<Format>,
    /// Which columns of a table hold what.
    pub columns: Columns,
    /// The sides that agents were given to argue; they go before those that a log assigns.
    pub sides: Vec<AssignedSide>,
}

/// Which columns of a table hold what. What is `None` is found by its usual names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Who spoke.
    pub agent: Option<String>,
    /// What was said.
    pub text: Option<String>,
    /// The round.
    pub round: Option<String>,
    /// The model behind the agent.
    pub model: Option<String>,
    /// When it was said.
    pub time: Option<String>,
    /// Which debate the row belongs to; rows with the same one are one transcript, even where
    /// those of others stand between them.
    pub debate: Option<String>,
    /// What the speaker is: agent, user, system or tool.
    pub role: Option<String>,
}
