//! Rebuttal's own JSONL, written.

use std::io::{self, Write};

use jiff::Timestamp;
use rebuttal_model::{Confidence, Rebuttal, Role, Transcript, Turn, Usage, limits};
use serde::Serialize;

/// The first line of a transcript, so that two with the same id stay two.
#[derive(Serialize)]
struct Header<'a> {
    format: &'static str,
    debate: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
}

/// One turn, flat, in the order a person reads it.
#[derive(Serialize)]
struct Line<'a> {
    debate: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    agent: &'a str,
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'a str>,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<Confidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thesis: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    evidence: &'a [String],
    #[serde(skip_serializing_if = "<[Rebuttal]>::is_empty")]
    rebuttals: &'a [Rebuttal],
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
}

/// Writes a transcript as Rebuttal's own JSONL, which [`crate::read`] reads back: a header, then
/// one line for each turn. Where the turns came from is not written.
///
/// A turn whose line would be longer than [`limits::LINE_BYTES`] could not be read again; it is
/// refused with [`io::ErrorKind::InvalidData`].
pub fn write_jsonl(transcript: &Transcript, out: &mut impl Write) -> io::Result<()> {
    let debate = transcript.id.as_str();
    let question = transcript.question.as_deref();
    put(&Header { format: "rebuttal/1", debate, question }, out)?;
    transcript.turns.iter().try_for_each(|turn| put(&line(transcript, turn), out))
}

fn line<'a>(transcript: &'a Transcript, turn: &'a Turn) -> Line<'a> {
    let structured = &turn.structured;
    Line {
        debate: transcript.id.as_str(),
        round: turn.round,
        agent: turn.agent.as_str(),
        role: turn.role,
        side: transcript.side_of(&turn.agent),
        text: &turn.text,
        answer: structured.answer.as_deref(),
        confidence: structured.conviction,
        thesis: structured.thesis.as_deref(),
        evidence: &structured.evidence,
        rebuttals: &structured.rebuttals,
        model: turn.model.as_deref(),
        at: turn.at,
        usage: turn.usage,
    }
}

fn put(line: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    if bytes.len() > limits::LINE_BYTES {
        let message = format!(
            "a line of {} bytes is longer than the limit of {} bytes for a line",
            bytes.len(),
            limits::LINE_BYTES
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    out.write_all(&bytes)
}
