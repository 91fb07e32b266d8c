//! A user's vocabulary. Only what our own `WordPiece` reads exactly is accepted: ids that are a
//! little wrong would give vectors that are a little wrong, and nobody would notice.

use serde_json::Value;

use super::batch::Sequence;
use super::folder::Folder;
use crate::{Pair, SemanticsError, WordPiece};

/// Ids a sequence may have when no file says it. BERT's.
const USUAL_LENGTH: usize = 512;
/// The shortest believable limit: three marks and a word.
const SHORTEST_LENGTH: usize = 4;

const FULL: &str = "tokenizer.json";
const LINES: &str = "vocab.txt";

/// Turns texts into sequences.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pieces: WordPiece,
    /// Most ids in a sequence, marks included.
    longest: usize,
}

impl Vocabulary {
    /// Reads the folder's vocabulary and refuses what would be read wrongly.
    pub(super) fn open(folder: &Folder) -> Result<Self, SemanticsError> {
        let full: Option<Value> = folder.json(FULL)?;
        if let Some(full) = &full {
            check(full).map_err(|reason| folder.bad(FULL, reason))?;
        }
        if folder.field("tokenizer_config.json", "do_lower_case")? == Some(Value::Bool(false)) {
            return Err(folder.bad("tokenizer_config.json", CASED));
        }
        let (name, lines) = match (folder.read(LINES)?, full) {
            (Some(lines), _) => (LINES, lines),
            (None, Some(full)) => {
                (FULL, lines_of(&full).map_err(|reason| folder.bad(FULL, reason))?)
            }
            (None, None) => return Err(none(folder)),
        };
        let pieces = WordPiece::new(&lines).map_err(|error| match error {
            SemanticsError::Model { reason, .. } => folder.bad(name, reason),
            other => other,
        })?;
        Ok(Self { pieces, longest: longest(folder)? })
    }

    /// One text between its marks, cut off where the model stops reading.
    pub(super) fn single(&self, text: &str) -> Sequence {
        let mut ids = vec![self.pieces.cls()];
        self.pieces.encode_up_to(text, self.longest.saturating_sub(2), &mut ids);
        let says_something = ids.iter().skip(1).any(|id| *id != self.pieces.unk());
        ids.push(self.pieces.sep());
        Sequence { first: ids.len(), ids, says_something }
    }

    /// Two texts between their marks. When both do not fit, the longer is cut first.
    pub(super) fn pair(&self, pair: Pair<'_>) -> Sequence {
        let room = self.longest.saturating_sub(3);
        let [mut first, mut second] = [pair.premise, pair.hypothesis].map(|text| {
            let mut ids = Vec::new();
            self.pieces.encode_up_to(text, room, &mut ids);
            ids
        });
        let (first_keeps, second_keeps) = fit(first.len(), second.len(), room);
        first.truncate(first_keeps);
        second.truncate(second_keeps);
        let mut ids = vec![self.pieces.cls()];
        ids.append(&mut first);
        ids.push(self.pieces.sep());
        let first = ids.len();
        ids.append(&mut second);
        ids.push(self.pieces.sep());
        Sequence { ids, first, says_something: true }
    }
}

/// How much of two texts fits into `room`: the shorter keeps up to half of it.
fn fit(first: usize, second: usize, room: usize) -> (usize, usize) {
    let first = first.min(room - second.min(room / 2));
    (first, second.min(room - first))
}

const CASED: &str = "the model tells upper from lower case, which is not supported; use an \
                     uncased one";

/// Whether our own reader gives the ids that this description asks for.
fn check(full: &Value) -> Result<(), String> {
    let text = |pointer: &str| full.pointer(pointer).and_then(Value::as_str);
    let is = |pointer: &str, value: bool| full.pointer(pointer) == Some(&Value::Bool(value));
    match text("/model/type") {
        Some("WordPiece") => {}
        Some(other) => {
            return Err(format!("its tokenizer is {other}; only WordPiece is supported"));
        }
        None => return Err("names no tokenizer (`model.type`)".to_owned()),
    }
    if text("/model/continuing_subword_prefix").is_some_and(|prefix| prefix != "##") {
        return Err("marks parts of words other than by ##, which is not supported".to_owned());
    }
    match text("/normalizer/type") {
        Some("BertNormalizer") => {}
        other => {
            let other = other.unwrap_or("none");
            return Err(format!("its normalizer is {other}; only BertNormalizer is supported"));
        }
    }
    if is("/normalizer/lowercase", false) || is("/normalizer/strip_accents", false) {
        return Err(CASED.to_owned());
    }
    Ok(())
}

/// The vocabulary inside `tokenizer.json`, as the lines of a `vocab.txt`.
fn lines_of(full: &Value) -> Result<Vec<u8>, String> {
    let Some(Value::Object(pieces)) = full.pointer("/model/vocab") else {
        return Err("holds no vocabulary (`model.vocab`)".to_owned());
    };
    let mut lines: Vec<Option<&str>> = vec![None; pieces.len()];
    for (piece, id) in pieces {
        let place = id.as_u64().and_then(|id| usize::try_from(id).ok());
        match place.and_then(|place| lines.get_mut(place)) {
            Some(line @ None) => *line = Some(piece),
            _ => return Err(format!("the piece {piece:?} has an id that is not its own")),
        }
    }
    Ok(lines.into_iter().flatten().collect::<Vec<_>>().join("\n").into_bytes())
}

/// What to say when there is no vocabulary, or one of another kind.
fn none(folder: &Folder) -> SemanticsError {
    let others = [
        ("sentencepiece.bpe.model", "SentencePiece"),
        ("spiece.model", "SentencePiece"),
        ("spm.model", "SentencePiece"),
        ("tokenizer.model", "SentencePiece"),
        ("merges.txt", "BPE"),
    ];
    match others.into_iter().find(|(name, _)| folder.has(name)) {
        Some((name, kind)) => {
            folder.bad(name, format!("its tokenizer is {kind}; only WordPiece is supported"))
        }
        None => folder.bad(LINES, format!("is missing, and so is {FULL}")),
    }
}

/// How many ids the model reads: the least that any of its files says.
fn longest(folder: &Folder) -> Result<usize, SemanticsError> {
    let mut longest = USUAL_LENGTH;
    for (name, field) in [
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ] {
        let stated = folder.field(name, field)?.and_then(|value| value.as_u64());
        let stated = stated.and_then(|stated| usize::try_from(stated).ok());
        longest = stated.map_or(longest, |stated| longest.min(stated));
    }
    Ok(longest.max(SHORTEST_LENGTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_text_is_cut_first() {
        let cases =
            [(3, 2, 9), (3, 3, 5), (1, 10, 6), (10, 1, 6), (10, 10, 7), (0, 9, 4), (9, 9, 1)];
        let expected = [(3, 2), (3, 2), (1, 5), (5, 1), (4, 3), (0, 4), (1, 0)];
        assert_eq!(cases.map(|(first, second, room)| fit(first, second, room)), expected);
    }
}
