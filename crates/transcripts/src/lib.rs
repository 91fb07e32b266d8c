//! Other people's transcripts, read into ours.

use std::io::Read;
use std::path::Path;

use rebuttal_model::{Problem, Transcript};

/// What reading a file yields, one at a time.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A whole conversation.
    Transcript(Transcript),
    /// Something wrong with the input; reading goes on.
    Problem(Problem),
}

/// What the user said about the input.
#[derive(Clone, Debug, Default)]
pub struct Options {}

/// Reads a file and hands every transcript and problem to `sink` as it is complete.
pub fn read_path(_path: &Path, _options: &Options, _sink: &mut dyn FnMut(Item)) {}

/// The same for anything that can be read; `name` is what problems call it.
pub fn read(_name: &str, _input: impl Read, _options: &Options, _sink: &mut dyn FnMut(Item)) {}
