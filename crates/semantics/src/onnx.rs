//! Models that users bring: a folder with an ONNX file and its vocabulary.
//!
//! The folder is laid out as `sentence-transformers` and `optimum` export it:
//!
//! ```text
//! model.onnx | onnx/model.onnx | model_quantized.onnx | onnx/model_quantized.onnx
//! vocab.txt or tokenizer.json     WordPiece, uncased
//! 1_Pooling/config.json           how token vectors become one; the mean, if absent
//! config.json                     the labels of a model for inference
//! ```
//!
//! Texts of different lengths never share a batch, so nothing is padded and a text has the same
//! vector whatever stands beside it.
//!
//! The file is somebody else's: it is read with limits, run once on opening, and what the runtime
//! cannot take is an error. The runtime limits neither time nor memory: [`IsolatedEmbedder`] and
//! [`IsolatedInference`] run it in a process of its own, which does.

mod batch;
mod folder;
mod graph;
mod vocabulary;
mod worker;

use std::path::Path;

use crate::{Embedder, Embedding, Inference, Pair, SemanticsError, Verdict};
use batch::{Sequence, in_batches};
use folder::{Folder, Labels, Pooling};
use graph::{Graph, Kind};
use vocabulary::Vocabulary;

pub use worker::{IsolatedEmbedder, IsolatedInference, Worker, WorkerLimits, serve_worker};

/// Texts computed at once. More is no faster on a processor without a graphics card.
const BATCH: usize = 16;
/// Most numbers in a vector.
const LONGEST_VECTOR: usize = 65_536;

/// Whether `folder` holds an ONNX file where one is looked for.
pub fn is_onnx_folder(folder: &Path) -> bool {
    Folder::new(folder).model().is_some()
}

/// Sentence vectors from a user's model, computed in this process: for files you trust, because one
/// made to harm can abort it. [`IsolatedEmbedder`] is for all others.
#[derive(Debug)]
pub struct OnnxEmbedder {
    id: String,
    graph: Graph,
    vocabulary: Vocabulary,
    pooling: Pooling,
    /// How many numbers its vectors have.
    length: usize,
}

impl OnnxEmbedder {
    /// Loads the model and runs it once. `threads` is how many it may use.
    pub fn open(folder: &Path, threads: usize) -> Result<Self, SemanticsError> {
        let folder = Folder::new(folder);
        folder.check_modules()?;
        let pooling = folder.pooling()?;
        let (graph, vocabulary) = load(&folder, Kind::Embedder, threads)?;
        let id = folder.id("onnx-embedder", graph.hash(), &format!("{pooling:?}"));
        let mut opened = Self { id, graph, vocabulary, pooling, length: 0 };
        let probe = opened.vocabulary.single("probe");
        let row = opened.rows(&[&probe])?.pop().unwrap_or_default();
        opened.length = row.len();
        Ok(opened)
    }

    /// The vectors of sequences of one length.
    fn rows(&self, sequences: &[&Sequence]) -> Result<Vec<Vec<f32>>, SemanticsError> {
        let (values, shape) = self.graph.run(sequences)?;
        let rows: Vec<Vec<f32>> = match *shape.as_slice() {
            [rows, numbers] if rows == sequences.len() && is_length(numbers) => {
                values.chunks_exact(numbers).map(<[f32]>::to_vec).collect()
            }
            [rows, tokens, numbers]
                if rows == sequences.len() && tokens > 0 && is_length(numbers) =>
            {
                values
                    .chunks_exact(tokens * numbers)
                    .map(|text| pooled(text, numbers, self.pooling))
                    .collect()
            }
            _ => return Err(self.graph.bad(format!("gives numbers in the shape {shape:?}"))),
        };
        let lengths_hold = self.length == 0 || rows.iter().all(|row| row.len() == self.length);
        let finite = rows.iter().flatten().all(|value| value.is_finite());
        match (rows.len() == sequences.len() && lengths_hold, finite) {
            (true, true) => Ok(rows),
            (false, _) => Err(self.graph.bad(format!("gives numbers in the shape {shape:?}"))),
            (true, false) => Err(self.graph.bad("gives what is no number".to_owned())),
        }
    }
}

impl Embedder for OnnxEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        let sequences: Vec<Sequence> =
            texts.iter().map(|text| self.vocabulary.single(text)).collect();
        let zero = Embedding::new(vec![0.0; self.length]);
        let mut found = vec![zero; texts.len()];
        let known = |sequence: &Sequence| sequence.says_something;
        for batch in in_batches(&sequences, self.graph.batch(BATCH), known) {
            let members: Vec<&Sequence> =
                batch.iter().filter_map(|at| sequences.get(*at)).collect();
            for (at, row) in batch.iter().zip(self.rows(&members)?) {
                if let Some(slot) = found.get_mut(*at) {
                    *slot = Embedding::new(row);
                }
            }
        }
        Ok(found)
    }
}

/// Whether a vector may have so many numbers: ten times what any text model has.
fn is_length(numbers: usize) -> bool {
    (1..=LONGEST_VECTOR).contains(&numbers)
}

/// One vector from a text's token vectors. There is no padding, so every token counts.
fn pooled(tokens: &[f32], numbers: usize, pooling: Pooling) -> Vec<f32> {
    let mut rows = tokens.chunks_exact(numbers);
    let mut sum = rows.next().unwrap_or_default().to_vec();
    if pooling == Pooling::Mean {
        for row in rows {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
    }
    // The mean's division is left out: an embedding is scaled to length one.
    sum
}

/// Inference with a user's model, computed in this process: for files you trust, because one made to
/// harm can abort it. [`IsolatedInference`] is for all others.
#[derive(Debug)]
pub struct OnnxInference {
    id: String,
    graph: Graph,
    vocabulary: Vocabulary,
    labels: Labels,
}

impl OnnxInference {
    /// Loads the model and runs it once. `threads` is how many it may use.
    pub fn open(folder: &Path, threads: usize) -> Result<Self, SemanticsError> {
        let folder = Folder::new(folder);
        let labels = folder.labels()?;
        let (graph, vocabulary) = load(&folder, Kind::Inference, threads)?;
        let id = folder.id("onnx-inference", graph.hash(), &format!("{labels:?}"));
        let opened = Self { id, graph, vocabulary, labels };
        opened.infer(&[Pair { premise: "probe", hypothesis: "probe" }])?;
        Ok(opened)
    }

    /// The verdicts on sequences of one length.
    fn verdicts(&self, sequences: &[&Sequence]) -> Result<Vec<Verdict>, SemanticsError> {
        let (values, shape) = self.graph.run(sequences)?;
        if shape != [sequences.len(), 3] {
            return Err(self.graph.bad(format!("gives numbers in the shape {shape:?}")));
        }
        let verdicts = values.chunks_exact(3).map(|logits| self.labels.verdict(logits));
        let verdicts: Option<Vec<Verdict>> = verdicts.collect();
        verdicts.ok_or_else(|| self.graph.bad("gives what is no number".to_owned()))
    }
}

impl Inference for OnnxInference {
    fn id(&self) -> &str {
        &self.id
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        let sequences: Vec<Sequence> =
            pairs.iter().map(|pair| self.vocabulary.pair(*pair)).collect();
        let unsure = Verdict { entailment: 0.0, neutral: 1.0, contradiction: 0.0 };
        let mut found = vec![unsure; pairs.len()];
        for batch in in_batches(&sequences, self.graph.batch(BATCH), |_| true) {
            let members: Vec<&Sequence> =
                batch.iter().filter_map(|at| sequences.get(*at)).collect();
            for (at, verdict) in batch.iter().zip(self.verdicts(&members)?) {
                if let Some(slot) = found.get_mut(*at) {
                    *slot = verdict;
                }
            }
        }
        Ok(found)
    }
}

fn load(
    folder: &Folder,
    kind: Kind,
    threads: usize,
) -> Result<(Graph, Vocabulary), SemanticsError> {
    let file = folder.model().ok_or_else(|| folder.no_model())?;
    let vocabulary = Vocabulary::open(folder)?;
    Ok((Graph::open(file, kind, threads)?, vocabulary))
}

#[cfg(test)]
mod tests;
