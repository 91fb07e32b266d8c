//! A BERT encoder: token ids in, one vector a sequence out.
//!
//! Sequences are computed in groups, their tokens one after another without padding. A sequence's
//! vector is the same to the last bit whatever stands beside it and however many threads work.

mod forward;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;

use crate::SemanticsError;
use crate::kernel::{Level, dot, tanh};
use crate::weights::{Bytes, Dense, Pooling, Reason, Weights, read_folder, read_rbt};
use forward::Scratch;

/// Tokens of one group: enough that fetching the weights is small beside multiplying them, few
/// enough that a group's numbers stay in a core's cache.
const GROUP_TOKENS: usize = 192;

/// One sequence, markers included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Vocabulary indices, from the first marker to the last.
    pub ids: Vec<u32>,
    /// Where the second text of a pair starts; the sequence's length if there is none.
    pub segment_b_start: usize,
}

/// A loaded model.
#[derive(Debug)]
pub struct Encoder {
    weights: Weights,
    level: Level,
    /// Memory of workers that are not at work.
    idle: Mutex<Vec<Scratch>>,
}

impl Encoder {
    /// Loads a model file. `name` is what errors call it. A file embedded in the program is used
    /// in place.
    pub fn load(bytes: impl Into<Cow<'static, [u8]>>, name: &str) -> Result<Self, SemanticsError> {
        let bytes = bytes.into();
        let file = match &bytes {
            Cow::Borrowed(bytes) => Bytes::Static(bytes),
            Cow::Owned(bytes) => Bytes::Passing(bytes),
        };
        read_rbt(file).map(Self::new).map_err(|reason| reason.of(name))
    }

    /// Loads a folder with `model.safetensors`, `config.json` and `vocab.txt`.
    pub fn load_folder(folder: &Path) -> Result<Self, SemanticsError> {
        read_folder(folder).map(Self::new)
    }

    fn new(weights: Weights) -> Self {
        Self { weights, level: Level::detect(), idle: Mutex::default() }
    }

    /// Name and checksum: two encoders with one id give the same numbers.
    pub fn id(&self) -> &str {
        &self.weights.id
    }

    /// The vocabulary, one word a line, in the order of ids.
    pub fn vocab(&self) -> &str {
        &self.weights.vocab
    }

    /// Whether texts are put in lower case before they are looked up.
    pub fn lowercase(&self) -> bool {
        self.weights.config.lowercase
    }

    /// The longest sequence, markers included.
    pub fn positions(&self) -> usize {
        self.weights.config.positions
    }

    /// How a sequence's tokens become one vector.
    pub fn pooling(&self) -> Pooling {
        self.weights.config.pooling
    }

    /// Numbers in a vector.
    pub fn width(&self) -> usize {
        self.weights.config.hidden
    }

    /// Names of the heads.
    pub fn heads(&self) -> impl Iterator<Item = &str> {
        self.weights.heads.keys().map(String::as_str)
    }

    /// Bytes of weights on the heap; a file embedded in the program is not counted.
    pub fn bytes(&self) -> usize {
        let layers = self.weights.layers.iter();
        let packed = layers.flat_map(|layer| [&layer.qkv, &layer.attended, &layer.up, &layer.down]);
        let tables = self.weights.words.bytes() + self.weights.positions.bytes();
        packed.map(crate::kernel::Packed::bytes).sum::<usize>() + tables + self.weights.vocab.len()
    }

    /// One pooled vector a sequence, in order.
    pub fn hidden(&self, sequences: &[Tokens]) -> Result<Vec<Vec<f32>>, SemanticsError> {
        for tokens in sequences {
            self.check(tokens)?;
        }
        let groups = groups(sequences);
        let pooled: Vec<Vec<Vec<f32>>> = if rayon::current_num_threads() == 1 || groups.len() == 1 {
            groups.iter().map(|group| self.group(group)).collect()
        } else {
            groups.par_iter().map(|group| self.group(group)).collect()
        };
        Ok(pooled.into_iter().flatten().collect())
    }

    /// What a head makes of a pooled vector: one number a class, before softmax.
    pub fn head(&self, name: &str, pooled: &[f32]) -> Result<Vec<f32>, SemanticsError> {
        let refuse = |reason: String| Reason::new(reason).of(self.id());
        let head = self.weights.heads.get(name);
        let head = head.ok_or_else(|| refuse(format!("it has no head \"{name}\"")))?;
        if pooled.len() != self.width() {
            return Err(refuse(format!("a vector of {} is not this model's", pooled.len())));
        }
        let Some(dense) = &self.weights.pooler else { return Ok(apply(head, pooled)) };
        let dense: Vec<f32> = apply(dense, pooled).into_iter().map(tanh).collect();
        Ok(apply(head, &dense))
    }

    fn check(&self, tokens: &Tokens) -> Result<(), SemanticsError> {
        let refuse = |reason: String| Err(Reason::new(reason).of(self.id()));
        let length = tokens.ids.len();
        if length == 0 {
            return refuse("a sequence without tokens was given".to_owned());
        }
        if length > self.positions() {
            let max = self.positions();
            return refuse(format!("a sequence has {length} tokens; it reads at most {max}"));
        }
        let vocab = self.weights.config.vocab;
        let known = |id: &u32| usize::try_from(*id).is_ok_and(|id| id < vocab);
        if let Some(id) = tokens.ids.iter().find(|id| !known(id)) {
            return refuse(format!("token {id} is not among its {vocab}"));
        }
        if tokens.segment_b_start < length && self.weights.config.types < 2 {
            return refuse("it was not made for pairs".to_owned());
        }
        Ok(())
    }

    fn group(&self, group: &[Tokens]) -> Vec<Vec<f32>> {
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut scratch = idle().pop().unwrap_or_default();
        let pooled = scratch.forward(&self.weights, self.level, group);
        idle().push(scratch);
        pooled
    }
}

/// Neighbours put together until a group is full, or every thread has one.
fn groups(sequences: &[Tokens]) -> Vec<&[Tokens]> {
    let total: usize = sequences.iter().map(|tokens| tokens.ids.len()).sum();
    let full = total.div_ceil(rayon::current_num_threads().max(1)).min(GROUP_TOKENS);
    let mut groups = Vec::new();
    let (mut start, mut held) = (0, 0);
    for (index, tokens) in sequences.iter().enumerate() {
        held += tokens.ids.len();
        if held >= full || index + 1 == sequences.len() {
            groups.extend(sequences.get(start..=index));
            (start, held) = (index + 1, 0);
        }
    }
    groups
}

fn apply(dense: &Dense, x: &[f32]) -> Vec<f32> {
    let rows = dense.weight.chunks_exact(x.len().max(1));
    rows.zip(&dense.bias).map(|(row, bias)| dot(row, x) + bias).collect()
}
