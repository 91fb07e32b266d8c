//! The ONNX file: its inputs, its output, and running it.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rebuttal_model::limits;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueOrView};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::batch::Sequence;
use super::folder::{bad, read_up_to};
use crate::SemanticsError;

/// What a model is for, and so which output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A vector a text, or one a token.
    Embedder,
    /// Three numbers a pair.
    Inference,
}

impl Kind {
    /// What it is called between a worker and whoever asks it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Embedder => "embedder",
            Self::Inference => "inference",
        }
    }

    /// The outputs that are understood; the first there is wins.
    fn outputs(self) -> &'static [&'static str] {
        match self {
            Self::Embedder => &["sentence_embedding", "last_hidden_state", "token_embeddings"],
            Self::Inference => &["logits"],
        }
    }
}

/// What a model wants to know about a sequence.
#[derive(Clone, Copy, Debug)]
enum Input {
    Ids,
    Mask,
    Types,
}

/// A loaded model.
pub(super) struct Graph {
    path: PathBuf,
    hash: blake3::Hash,
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    threads: Arc<ThreadPool>,
    /// Whether numbers are rounded on a scale that depends on the whole batch.
    rounds_by_batch: bool,
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Graph {
    /// Reads the file, and the weights beside it if they were written apart.
    pub(super) fn open(path: PathBuf, kind: Kind, threads: usize) -> Result<Self, SemanticsError> {
        let bytes = read_up_to(&path, limits::MODEL_BYTES)?;
        let mut hash = blake3::Hasher::new();
        hash.update(&bytes);
        let rounds_by_batch = mentions(&bytes, b"DynamicQuantizeLinear");
        let mut options = ModelOptions::with_all_ops();
        for (name, path) in weights_beside(&path) {
            let weights = read_up_to(&path, limits::MODEL_BYTES)?;
            hash.update(&weights);
            options.external_data(&name, weights);
        }
        let model = guarded(&path, || options.load(bytes).map_err(|error| error.to_string()))
            .map_err(|reason| bad(&path, format!("cannot be loaded: {reason}")))?;
        let inputs = inputs(&model).map_err(|reason| bad(&path, reason))?;
        let output = output(&model, kind).map_err(|reason| bad(&path, reason))?;
        let threads = Arc::new(ThreadPool::with_num_threads(threads.max(1)));
        let hash = hash.finalize();
        Ok(Self { path, hash, model, inputs, output, threads, rounds_by_batch })
    }

    /// The hash of the file and of the weights beside it.
    pub(super) fn hash(&self) -> blake3::Hash {
        self.hash
    }

    /// How many sequences may be computed together so that each comes out as it would alone.
    pub(super) fn batch(&self, usual: usize) -> usize {
        if self.rounds_by_batch { 1 } else { usual }
    }

    /// An error about this model.
    pub(super) fn bad(&self, reason: String) -> SemanticsError {
        bad(&self.path, reason)
    }

    /// Runs the model on sequences of one length: the numbers of its output, and their shape.
    pub(super) fn run(
        &self,
        sequences: &[&Sequence],
    ) -> Result<(Vec<f32>, Vec<usize>), SemanticsError> {
        let length = sequences.first().map_or(0, |sequence| sequence.ids.len());
        let shape = [sequences.len(), length];
        let inputs = self.inputs.iter().map(|(node, input)| {
            let values: Vec<i32> =
                sequences.iter().flat_map(|sequence| values(*input, sequence)).collect();
            let tensor = NdTensor::try_from_data(shape, values).map_err(|error| error.to_string());
            tensor.map(|tensor| (*node, ValueOrView::from(tensor)))
        });
        let inputs: Result<Vec<_>, String> = inputs.collect();
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(&self.threads));
        let run = || {
            let outputs = self.model.run(inputs?, &[self.output], Some(options));
            let output = outputs.map_err(|error| error.to_string())?.pop();
            let output = output.and_then(rten::Value::into_tensor::<f32>);
            let output = output.ok_or("its output is not of 32-bit numbers")?;
            Ok((output.to_vec(), output.shape().to_vec()))
        };
        guarded(&self.path, run).map_err(|reason| self.bad(format!("cannot be run: {reason}")))
    }
}

/// The runtime checks what it is given, but a file made to harm may find a check that is missing:
/// a panic in it becomes an error.
fn guarded<T>(path: &Path, run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let caught = catch_unwind(AssertUnwindSafe(run));
    caught.unwrap_or_else(|_| Err(format!("the runtime gave up on {}", path.display())))
}

/// What a model wants to know, of those things we know.
fn inputs(model: &Model) -> Result<Vec<(NodeId, Input)>, String> {
    let known = |id: &NodeId| {
        let info = model.node_info(*id);
        let name = info.as_ref().and_then(rten::NodeInfo::name).unwrap_or_default();
        let input = match name {
            "input_ids" => Input::Ids,
            "attention_mask" => Input::Mask,
            "token_type_ids" => Input::Types,
            other => return Err(format!("wants an input {other:?}, which is not supported")),
        };
        Ok((*id, input))
    };
    let inputs: Vec<(NodeId, Input)> =
        model.input_ids().iter().map(known).collect::<Result<_, _>>()?;
    if !inputs.iter().any(|(_, input)| matches!(input, Input::Ids)) {
        return Err("has no input \"input_ids\"; is this a text model?".to_owned());
    }
    Ok(inputs)
}

/// The first output that is understood.
fn output(model: &Model, kind: Kind) -> Result<NodeId, String> {
    let name = |id: &NodeId| {
        let info = model.node_info(*id);
        info.as_ref().and_then(rten::NodeInfo::name).unwrap_or_default().to_owned()
    };
    let wanted = |wanted: &&str| model.output_ids().iter().find(|id| name(id) == **wanted).copied();
    kind.outputs().iter().find_map(wanted).ok_or_else(|| {
        let outputs: Vec<String> = model.output_ids().iter().map(name).collect();
        format!("has outputs {outputs:?}, but none of {:?}", kind.outputs())
    })
}

/// What a model is told about one sequence. Nothing is padded, so the mask is all ones.
fn values(input: Input, sequence: &Sequence) -> Vec<i32> {
    let ids = &sequence.ids;
    match input {
        Input::Ids => ids.iter().map(|id| i32::try_from(*id).unwrap_or(i32::MAX)).collect(),
        Input::Mask => vec![1; ids.len()],
        Input::Types => (0..ids.len()).map(|at| i32::from(at >= sequence.first)).collect(),
    }
}

/// Files that exporters write the weights to.
pub(super) fn weights_beside(path: &Path) -> Vec<(String, PathBuf)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let named = [format!("{name}_data"), format!("{name}.data")];
    let placed = named.map(|name| (path.with_file_name(&name), name));
    placed.into_iter().filter(|(path, _)| path.is_file()).map(|(path, name)| (name, path)).collect()
}

/// Whether `bytes` hold `word` anywhere.
fn mentions(bytes: &[u8], word: &[u8]) -> bool {
    let (Some(first), mut rest) = (word.first(), bytes) else { return true };
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with(word) {
            return true;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}
