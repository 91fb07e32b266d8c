//! A user's own model: a folder with `model.safetensors`, `config.json` and `vocab.txt`, as BERT
//! models are commonly kept.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::assemble::assemble;
use super::safetensors::SafeTensors;
use super::{Config, Pooling, Reason, Weights};
use crate::SemanticsError;

/// Largest weights read: a large BERT in 32-bit floats has 1.3 GB.
const WEIGHTS_MAX: u64 = 2 << 30;
/// Largest text file read: vocabularies have some 3 MB at most.
const TEXT_MAX: u64 = 16 << 20;

#[derive(Deserialize)]
struct BertConfig {
    #[serde(default)]
    model_type: String,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default = "absolute")]
    position_embedding_type: String,
    #[serde(default)]
    is_decoder: bool,
    vocab_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    #[serde(default = "epsilon")]
    layer_norm_eps: f32,
}

/// The architecture alone: other models' files lack fields that BERT's have.
#[derive(Deserialize)]
struct ModelType {
    #[serde(default)]
    model_type: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolingConfig {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
}

#[derive(Deserialize)]
struct TokenizerConfig {
    #[serde(default = "yes")]
    do_lower_case: bool,
}

// What the files mean where they say nothing.
fn gelu() -> String {
    "gelu".to_owned()
}

fn absolute() -> String {
    "absolute".to_owned()
}

fn epsilon() -> f32 {
    1e-12
}

fn yes() -> bool {
    true
}

/// Reads a folder and quantises its weights.
pub(crate) fn read_folder(folder: &Path) -> Result<Weights, SemanticsError> {
    let at = |file: &str| folder.join(file).display().to_string();
    let config = config(folder)?;
    let vocab = read(folder, "vocab.txt", TEXT_MAX)?;
    let vocab = String::from_utf8(vocab)
        .map_err(|_| Reason::new("it is not UTF-8").of(&at("vocab.txt")))?;
    let weights = read(folder, "model.safetensors", WEIGHTS_MAX)?;
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    let (weights_crc, vocab_crc) = (crc32fast::hash(&weights), crc32fast::hash(vocab.as_bytes()));
    let id = format!("{name}@{weights_crc:08x}{vocab_crc:08x}");
    SafeTensors::parse(&weights)
        .and_then(|tensors| assemble(config, id, vocab, &tensors))
        .map_err(|reason| reason.of(&at("model.safetensors")))
}

fn config(folder: &Path) -> Result<Config, SemanticsError> {
    let refuse = |reason: String| Reason::new(reason).of(&folder.display().to_string());
    let ModelType { model_type } = json(folder, "config.json")?;
    if model_type != "bert" {
        return Err(refuse(format!(
            "it is a model of type \"{model_type}\"; only \"bert\" can be run"
        )));
    }
    let bert: BertConfig = json(folder, "config.json")?;
    if bert.hidden_act != "gelu" {
        let found = bert.hidden_act;
        return Err(refuse(format!("its activation is \"{found}\"; only \"gelu\" can be run")));
    }
    if bert.position_embedding_type != "absolute" {
        let found = bert.position_embedding_type;
        return Err(refuse(format!("its positions are \"{found}\"; only \"absolute\" can be run")));
    }
    if bert.is_decoder || bert.model_type != model_type {
        return Err(refuse("it is a decoder; only encoders can be run".to_owned()));
    }
    Ok(Config {
        vocab: bert.vocab_size,
        positions: bert.max_position_embeddings,
        types: bert.type_vocab_size,
        hidden: bert.hidden_size,
        layers: bert.num_hidden_layers,
        heads: bert.num_attention_heads,
        intermediate: bert.intermediate_size,
        epsilon: bert.layer_norm_eps,
        pooling: pooling(folder)?,
        lowercase: lowercase(folder)?,
    })
}

/// What `1_Pooling/config.json` says; without it, the mean, which suits plain encoders best.
fn pooling(folder: &Path) -> Result<Pooling, SemanticsError> {
    const FILE: &str = "1_Pooling/config.json";
    if !folder.join(FILE).exists() {
        return Ok(Pooling::Mean);
    }
    let found: PoolingConfig = json(folder, FILE)?;
    match (found.pooling_mode_mean_tokens, found.pooling_mode_cls_token) {
        (true, false) => Ok(Pooling::Mean),
        (false, true) => Ok(Pooling::Cls),
        _ => {
            let reason = Reason::new("only the mean or the first token alone can be pooled");
            Err(reason.of(&folder.join(FILE).display().to_string()))
        }
    }
}

fn lowercase(folder: &Path) -> Result<bool, SemanticsError> {
    const FILE: &str = "tokenizer_config.json";
    if !folder.join(FILE).exists() {
        return Ok(true);
    }
    let found: TokenizerConfig = json(folder, FILE)?;
    Ok(found.do_lower_case)
}

fn json<T: DeserializeOwned>(folder: &Path, file: &str) -> Result<T, SemanticsError> {
    let bytes = read(folder, file, TEXT_MAX)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Reason::new(format!("it cannot be read: {error}"))
            .of(&folder.join(file).display().to_string())
    })
}

/// A whole file, refused if it is larger than any real one.
fn read(folder: &Path, file: &str, max: u64) -> Result<Vec<u8>, SemanticsError> {
    let path = folder.join(file);
    let refuse = |reason: String| Reason::new(reason).of(&path.display().to_string());
    let mut bytes = Vec::new();
    if path.exists() && !path.is_file() {
        return Err(refuse("it is not a regular file".to_owned()));
    }
    let opened = File::open(&path).map_err(|error| refuse(error.to_string()))?;
    opened.take(max + 1).read_to_end(&mut bytes).map_err(|error| refuse(error.to_string()))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > max {
        return Err(refuse(format!("it has more than {max} bytes")));
    }
    Ok(bytes)
}
