//! A model in memory: sizes, packed layers, tables, heads and vocabulary.
//!
//! Two sources give it: our own file ([`rbt`]) and a folder as other tools write it ([`folder`]).
//! Both hand over named tensors; [`assemble`] asks for each with the shape it must have.

mod assemble;
mod folder;
mod quantise;
mod rbt;
mod safetensors;
#[cfg(test)]
pub(crate) mod testing;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::SemanticsError;
use crate::kernel::Packed;

pub(crate) use folder::read_folder;
pub(crate) use rbt::{Bytes, read_rbt};

/// How one vector is made of a sequence's tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean over all tokens, the first and last marker included.
    Mean,
    /// The first token.
    Cls,
}

/// The sizes of a model.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Config {
    pub(crate) vocab: usize,
    pub(crate) positions: usize,
    pub(crate) types: usize,
    pub(crate) hidden: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) intermediate: usize,
    pub(crate) epsilon: f32,
    pub(crate) pooling: Pooling,
    /// Whether the vocabulary is in lower case.
    pub(crate) lowercase: bool,
}

/// A whole model.
#[derive(Debug)]
pub(crate) struct Weights {
    pub(crate) config: Config,
    /// Name and checksum.
    pub(crate) id: String,
    pub(crate) words: Table,
    pub(crate) positions: Table,
    /// One row a token type.
    pub(crate) types: Vec<f32>,
    pub(crate) norm: Norm,
    pub(crate) layers: Vec<Layer>,
    pub(crate) pooler: Option<Dense>,
    pub(crate) heads: BTreeMap<String, Dense>,
    /// The vocabulary's words, one a line.
    pub(crate) vocab: String,
}

/// One encoder layer.
#[derive(Debug)]
pub(crate) struct Layer {
    /// Queries (already divided by the root of the head's width), keys and values side by side.
    pub(crate) qkv: Packed,
    pub(crate) attended: Packed,
    pub(crate) attended_norm: Norm,
    pub(crate) up: Packed,
    pub(crate) down: Packed,
    pub(crate) down_norm: Norm,
}

/// A layer norm's weights.
#[derive(Debug)]
pub(crate) struct Norm {
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

/// A small linear layer, kept as floats.
#[derive(Debug)]
pub(crate) struct Dense {
    /// Row after row, one an output.
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

/// Rows of 8-bit numbers with a scale each: looked up, never expanded.
#[derive(Debug)]
pub(crate) struct Table {
    values: Cow<'static, [i8]>,
    scales: Vec<f32>,
    width: usize,
}

impl Table {
    /// Adds row `index` to `to`.
    pub(crate) fn add_row(&self, index: usize, to: &mut [f32]) {
        let at = index * self.width;
        let Some(row) = self.values.get(at..at + self.width) else { return };
        let Some(scale) = self.scales.get(index) else { return };
        for (to, value) in to.iter_mut().zip(row) {
            *to += f32::from(*value) * scale;
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let values = match &self.values {
            Cow::Borrowed(_) => 0,
            Cow::Owned(values) => values.len(),
        };
        values + 4 * self.scales.len()
    }
}

/// A matrix of 8-bit numbers, one scale a row.
#[derive(Debug)]
struct Matrix {
    values: Cow<'static, [i8]>,
    scales: Vec<f32>,
}

/// Where tensors come from. Implementations check name, type, shape and bounds.
trait Source {
    /// A matrix, quantised if it is not yet.
    fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Matrix, Reason>;
    /// Floats, all finite.
    fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Reason>;
    /// The shape of a tensor that may be missing.
    fn shape(&self, name: &str) -> Option<Vec<usize>>;
    /// All tensors' names.
    fn names(&self) -> Vec<String>;
}

/// Why a model is refused; the caller adds which.
#[derive(Debug)]
pub(crate) struct Reason(String);

impl Reason {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }

    pub(crate) fn of(self, name: &str) -> SemanticsError {
        SemanticsError::Model { name: name.to_owned(), reason: self.0 }
    }
}
