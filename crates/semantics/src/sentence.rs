//! Embeddings by an encoder.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use crate::encoder::{Encoder, Tokens};
use crate::windows::Ends;
use crate::{Embedder, Embedding, SemanticsError, WordPiece};

/// Tokens of one window, markers not counted: what the base encoder was trained on.
const WINDOW: usize = 126;

/// An encoder that embeds texts.
#[derive(Debug)]
pub struct SentenceEncoder {
    encoder: Encoder,
    pieces: WordPiece,
    ends: Ends,
}

impl SentenceEncoder {
    /// Loads a model file; `name` is what errors call it.
    pub fn load(bytes: impl Into<Cow<'static, [u8]>>, name: &str) -> Result<Self, SemanticsError> {
        Self::new(Encoder::load(bytes, name)?)
    }

    /// Loads a folder with `model.safetensors`, `config.json` and `vocab.txt`.
    pub fn load_folder(folder: &Path) -> Result<Self, SemanticsError> {
        Self::new(Encoder::load_folder(folder)?)
    }

    fn new(encoder: Encoder) -> Result<Self, SemanticsError> {
        let pieces = WordPiece::new(encoder.vocab().as_bytes())?;
        let ends = Ends::new(&pieces);
        Ok(Self { encoder, pieces, ends })
    }

    fn windows(&self, ids: &[u32]) -> Vec<Tokens> {
        let room = WINDOW.min(self.encoder.positions().saturating_sub(2));
        let windows = self.ends.windows(ids, room).into_iter();
        let tokens = |window: Range<usize>| {
            let inside = ids.get(window).unwrap_or_default();
            let mut ids = Vec::with_capacity(inside.len() + 2);
            ids.push(self.pieces.cls());
            ids.extend_from_slice(inside);
            ids.push(self.pieces.sep());
            Tokens { segment_b_start: ids.len(), ids }
        };
        windows.map(tokens).collect()
    }
}

impl Embedder for SentenceEncoder {
    fn id(&self) -> &str {
        self.encoder.id()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        let mut sequences = Vec::with_capacity(texts.len());
        let mut owners = Vec::with_capacity(texts.len());
        let mut ids = Vec::new();
        for (owner, text) in texts.iter().enumerate() {
            ids.clear();
            self.pieces.encode_into(text, &mut ids);
            let windows = self.windows(&ids);
            owners.extend(std::iter::repeat_n(owner, windows.len()));
            sequences.extend(windows);
        }
        let mut sums = vec![vec![0.0; self.encoder.width()]; texts.len()];
        for ((owner, tokens), vector) in
            owners.iter().zip(&sequences).zip(self.encoder.hidden(&sequences)?)
        {
            // A longer window says more; windows are short, so the count is exact.
            let weight = f32::from(u16::try_from(tokens.ids.len()).unwrap_or(u16::MAX));
            for (sum, value) in sums.get_mut(*owner).into_iter().flatten().zip(vector) {
                *sum += weight * value;
            }
        }
        Ok(sums.into_iter().map(Embedding::new).collect())
    }
}
