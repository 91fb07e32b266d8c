//! The worker as it sees itself.

use std::io::{self, BufRead as _, Write};
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::super::{OnnxEmbedder, OnnxInference};
use super::{Answer, Question};
use crate::onnx::folder::Folder;
use crate::{Embedder, Inference, Pair, SemanticsError};

/// Copies of a model's files that loading it takes.
const COPIES: u64 = 3;

enum Model {
    Embedder(OnnxEmbedder),
    Inference(OnnxInference),
}

/// Runs the model of a folder and answers questions from stdin until there are no more: the other side
/// of a [`Worker`](super::Worker). `kind` is `embedder` or `inference`. Nothing else may be written
/// to `out`.
pub fn serve_worker(
    kind: &str,
    folder: &Path,
    threads: usize,
    memory_bytes: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let files = Folder::new(folder).model_bytes();
    limit_memory(memory_bytes.saturating_add(files.saturating_mul(COPIES)))?;
    let (send, questions) = sync_channel(1);
    thread::Builder::new().spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
        // Whoever asked is gone: a computation without an end would go on for nobody.
        std::process::exit(0);
    })?;
    let opened = match kind {
        "embedder" => OnnxEmbedder::open(folder, threads).map(Model::Embedder),
        _ => OnnxInference::open(folder, threads).map(Model::Inference),
    };
    let model = match opened {
        Ok(model) => model,
        Err(error) => return tell(&failed(error), out),
    };
    let id = match &model {
        Model::Embedder(model) => model.id(),
        Model::Inference(model) => model.id(),
    };
    tell(&Answer::Ready(id.to_owned()), out)?;
    for line in questions {
        let question: Question = serde_json::from_str(&line)?;
        tell(&answer(&model, &question).unwrap_or_else(failed), out)?;
    }
    Ok(())
}

fn answer(model: &Model, question: &Question) -> Result<Answer, SemanticsError> {
    match (model, question) {
        (Model::Embedder(model), Question::Embed(texts)) => {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let vectors = model.embed(&texts)?;
            Ok(Answer::Vectors(vectors.iter().map(|vector| vector.values().to_vec()).collect()))
        }
        (Model::Inference(model), Question::Infer(pairs)) => {
            let pair = |(premise, hypothesis)| Pair { premise, hypothesis };
            let pairs: Vec<Pair<'_>> =
                pairs.iter().map(|(p, h)| pair((p.as_str(), h.as_str()))).collect();
            let verdicts = model.infer(&pairs)?.into_iter();
            let numbers = verdicts.map(|v| [v.entailment, v.neutral, v.contradiction]);
            Ok(Answer::Verdicts(numbers.collect()))
        }
        _ => Err(SemanticsError::Model {
            name: "worker".to_owned(),
            reason: "was asked for what it is not for".to_owned(),
        }),
    }
}

fn failed(error: SemanticsError) -> Answer {
    match error {
        SemanticsError::Model { name, reason } => Answer::Failed { name, reason },
        other => Answer::Failed { name: "worker".to_owned(), reason: other.to_string() },
    }
}

fn tell(answer: &Answer, out: &mut impl Write) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Has the system refuse what goes beyond, and leave no image of the process when it aborts.
#[cfg(unix)]
fn limit_memory(bytes: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    setrlimit(Resource::Core, limit(0))?;
    // Private memory that can be written; what is merely reserved does not count.
    Ok(setrlimit(Resource::Data, limit(bytes))?)
}

#[cfg(not(unix))]
fn limit_memory(_: u64) -> io::Result<()> {
    Ok(())
}
