//! What it means to embed a text.

use std::fmt::Debug;

use crate::SemanticsError;

/// Turns texts into vectors whose cosine says how alike the texts are.
pub trait Embedder: Debug + Send + Sync {
    /// Which model answers, down to its weights: two embedders with one id give the same vectors.
    fn id(&self) -> &str;

    /// One vector a text, in order. A text without a single known word has the zero vector.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError>;
}

impl<E: Embedder + ?Sized> Embedder for Box<E> {
    fn id(&self) -> &str {
        (**self).id()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        (**self).embed(texts)
    }
}

/// A vector of length one, or all zeros for a text that says nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Box<[f32]>);

impl Embedding {
    /// Scales to length one; a vector of zeros stays as it is.
    pub fn new(mut values: Vec<f32>) -> Self {
        let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        if norm > 0.0 && norm.is_finite() {
            for value in &mut values {
                *value /= norm;
            }
        } else {
            values.fill(0.0);
        }
        Self(values.into())
    }

    /// Takes numbers that [`new`](Self::new) has scaled before, without changing their last bits.
    pub(crate) fn of_unit_length(values: Vec<f32>) -> Self {
        Self(values.into())
    }

    /// The numbers.
    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// Whether the text said nothing the model knows.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|value| *value == 0.0)
    }

    /// Cosine, -1 to 1; 0 where either says nothing or they come from different models.
    pub fn cosine(&self, other: &Self) -> f32 {
        if self.0.len() != other.0.len() {
            return 0.0;
        }
        let dot: f32 = self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum();
        dot.clamp(-1.0, 1.0)
    }
}
