//! A user's folder: which files count, and what they say.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rebuttal_model::limits;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::graph::weights_beside;
use crate::{SemanticsError, Verdict};

/// Where an ONNX file is looked for; the first there is wins.
const MODELS: [&str; 4] =
    ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"];

/// How a text's token vectors become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    /// The mean of all.
    Mean,
    /// The first.
    Cls,
}

/// Which of a model's three numbers means what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    entailment: usize,
    neutral: usize,
    contradiction: usize,
}

/// A folder that may hold a model.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// The ONNX file.
    pub(super) fn model(&self) -> Option<PathBuf> {
        MODELS.map(|name| self.0.join(name)).into_iter().find(|path| path.is_file())
    }

    /// How large the ONNX file and the weights beside it are together.
    pub(super) fn model_bytes(&self) -> u64 {
        let Some(model) = self.model() else { return 0 };
        let weights = weights_beside(&model).into_iter().map(|(_, path)| path);
        let bytes = |path: PathBuf| path.metadata().map_or(0, |data| data.len());
        weights.chain([model.clone()]).map(bytes).sum()
    }

    /// What to say when there is none.
    pub(super) fn no_model(&self) -> SemanticsError {
        let reason = if self.0.is_dir() {
            format!("holds no ONNX file; it must be named one of {}", MODELS.join(", "))
        } else {
            "is not a folder".to_owned()
        };
        bad(&self.0, reason)
    }

    /// An error about one of its files, or about the folder itself.
    pub(super) fn bad(&self, name: &str, reason: impl Into<String>) -> SemanticsError {
        bad(&self.0.join(name), reason.into())
    }

    /// Whether there is such a file.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.join(name).is_file()
    }

    /// A small file, if it is there.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, SemanticsError> {
        if !self.has(name) {
            return Ok(None);
        }
        let path = self.0.join(name);
        read_up_to(&path, limits::DOCUMENT_BYTES as u64).map(Some)
    }

    /// A JSON file, if it is there.
    pub(super) fn json<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, SemanticsError> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        let parsed = serde_json::from_slice(&bytes);
        parsed.map(Some).map_err(|error| self.bad(name, format!("is not as it should be: {error}")))
    }

    /// One field of a JSON file, if both are there.
    pub(super) fn field(&self, name: &str, field: &str) -> Result<Option<Value>, SemanticsError> {
        let value: Option<Value> = self.json(name)?;
        Ok(value.and_then(|value| value.get(field).cloned()).filter(|value| !value.is_null()))
    }

    /// How token vectors become one: what `1_Pooling/config.json` says, or the mean.
    pub(super) fn pooling(&self) -> Result<Pooling, SemanticsError> {
        const FILE: &str = "1_Pooling/config.json";
        let Some(Value::Object(fields)) = self.json::<Value>(FILE)? else {
            return Ok(Pooling::Mean);
        };
        let chosen = fields.iter().filter(|(name, value)| {
            name.starts_with("pooling_mode_") && **value == Value::Bool(true)
        });
        let chosen: Vec<&str> = chosen.map(|(name, _)| name.as_str()).collect();
        match chosen.as_slice() {
            [] | ["pooling_mode_mean_tokens"] => Ok(Pooling::Mean),
            ["pooling_mode_cls_token"] => Ok(Pooling::Cls),
            other => {
                let other = other.join(" and ");
                Err(self
                    .bad(FILE, format!("asks for {other}; known are mean_tokens and cls_token")))
            }
        }
    }

    /// Refuses models with a part that stands outside the ONNX file.
    pub(super) fn check_modules(&self) -> Result<(), SemanticsError> {
        const FILE: &str = "modules.json";
        let modules: Vec<Value> = self.json(FILE)?.unwrap_or_default();
        for module in &modules {
            let kind = module.get("type").and_then(Value::as_str).unwrap_or_default();
            let kind = kind.rsplit('.').next().unwrap_or_default();
            if !matches!(kind, "Transformer" | "Pooling" | "Normalize") {
                let reason = format!("asks for a module {kind:?}, which is not supported");
                return Err(self.bad(FILE, reason));
            }
        }
        Ok(())
    }

    /// Which number means what, by the names in `config.json`.
    pub(super) fn labels(&self) -> Result<Labels, SemanticsError> {
        const FILE: &str = "config.json";
        let Some(Value::Object(names)) = self.field(FILE, "id2label")? else {
            return Err(
                self.bad(FILE, "names no labels (`id2label`); is this a model for inference?")
            );
        };
        let place = |label: &str| {
            let same =
                |name: &Value| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(label));
            let (key, _) = names.iter().find(|(_, name)| same(name))?;
            key.parse::<usize>().ok().filter(|place| *place < 3)
        };
        let labels = (place("entailment"), place("neutral"), place("contradiction"));
        let (Some(entailment), Some(neutral), Some(contradiction)) = labels else {
            let names: Vec<String> = names.values().map(Value::to_string).collect();
            let reason = format!(
                "the labels are {}; they must be entailment, neutral and contradiction",
                names.join(", ")
            );
            return Err(self.bad(FILE, reason));
        };
        if names.len() != 3 || entailment + neutral + contradiction != 3 {
            return Err(self.bad(FILE, "must number three labels from 0 to 2"));
        }
        Ok(Labels { entailment, neutral, contradiction })
    }

    /// A name for what the files say together.
    pub(super) fn id(&self, kind: &str, graph: blake3::Hash, settings: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(graph.as_bytes()).update(settings.as_bytes());
        for name in ["vocab.txt", "tokenizer.json", "sentence_bert_config.json"] {
            // Those that cannot be read were refused before.
            let bytes = self.read(name).ok().flatten().unwrap_or_default();
            hasher.update(blake3::hash(&bytes).as_bytes());
        }
        let hash = hasher.finalize().to_hex();
        format!("{kind} {}", hash.get(..16).unwrap_or_default())
    }
}

impl Labels {
    /// Probabilities from a model's three numbers; `None` if they are no numbers.
    pub(super) fn verdict(self, logits: &[f32]) -> Option<Verdict> {
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
        let share = |at: usize| {
            let share = (logits.get(at)? - highest).exp() / sum;
            share.is_finite().then_some(share)
        };
        Some(Verdict {
            entailment: share(self.entailment)?,
            neutral: share(self.neutral)?,
            contradiction: share(self.contradiction)?,
        })
    }
}

/// An error about a file.
pub(super) fn bad(path: &Path, reason: String) -> SemanticsError {
    SemanticsError::Model { name: path.display().to_string(), reason }
}

/// A file of at most `most` bytes.
pub(super) fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>, SemanticsError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(|error| bad(path, format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(bad(path, format!("is longer than {most} bytes")));
    }
    Ok(bytes)
}
