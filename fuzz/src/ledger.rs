//! What the ledger reads: files of positions, and journals that were exported.

use rebuttal_model::limits;
use rebuttal_store::verify_file;
use rebuttal_transcripts::{
    PositionFormat, PositionItem, PositionOptions, PositionReader, PositionWriter,
};

/// Reads bytes as a file of positions: no panic, no silence, no bad value, messages harmless; and
/// what was read can be written in each format and read again.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn positions_file(bytes: &[u8]) {
    let now = "2026-11-16T08:00:00Z".parse().expect("a time");
    let options = PositionOptions { now, from: None };
    let mut positions = Vec::new();
    let mut problems = 0;
    for item in PositionReader::new("in", bytes, options) {
        match item {
            PositionItem::Position { position, line, .. } => {
                assert!(line >= 1);
                assert!(!position.claim.trim().is_empty() && !position.agent.as_str().is_empty());
                assert!(position.claim.len() <= limits::CLAIM_BYTES);
                positions.push(*position);
            }
            PositionItem::Problem(problem) => {
                problems += 1;
                let message = problem.message;
                assert!(!message.chars().any(char::is_control), "control characters: {message}");
            }
        }
    }
    assert!(problems > 0 || !positions.is_empty(), "no file is passed over in silence");
    if positions.is_empty() {
        return;
    }
    for position in &mut positions {
        // Parquet keeps microseconds.
        position.at = jiff_micros(position.at);
    }
    let with_parquet = cfg!(feature = "parquet").then_some(PositionFormat::Parquet);
    for format in [PositionFormat::Jsonl, PositionFormat::Csv].into_iter().chain(with_parquet) {
        let mut written = Vec::new();
        let mut writer = PositionWriter::new(format, &mut written).expect("memory");
        for position in &positions {
            writer.write(position).expect("memory");
        }
        writer.finish().expect("memory");
        let again: Vec<_> = PositionReader::new("in", written.as_slice(), options).collect();
        assert_eq!(again.len(), positions.len(), "{format:?}: {again:?}");
        for (before, after) in positions.iter().zip(&again) {
            let PositionItem::Position { position, .. } = after else { panic!("{after:?}") };
            assert_eq!(**position, *before, "{format:?}");
        }
    }
}

fn jiff_micros(at: jiff::Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(at.as_microsecond()).expect("a time")
}

/// Checks bytes as an exported journal: no panic; and what verifies is changed by no byte.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn journal_decode(bytes: &[u8]) {
    let Ok(head) = verify_file(&mut &*bytes, None) else { return };
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(head.seq, lines as u64, "each line is a record");
    assert_eq!(verify_file(&mut &*bytes, Some(head)).expect("the same"), head);
    for at in 0..bytes.len() {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x20;
        assert!(verify_file(&mut changed.as_slice(), Some(head)).is_err(), "byte {at}");
    }
}
