//! From named tensors to a model: which tensors BERT has, and what shape each must have.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Config, Dense, Layer, Matrix, Norm, Reason, Source, Table, Weights};
use crate::kernel::Packed;

/// The largest of each size that is believed. Real models are far below; a header that claims more
/// is broken, and refusing early keeps every product of sizes far from overflow.
const SIZE_MAX: usize = 1 << 24;

impl Config {
    /// Refuses sizes that no model has.
    pub(super) fn check(&self) -> Result<(), Reason> {
        let sizes = [
            ("vocab", self.vocab),
            ("positions", self.positions),
            ("types", self.types),
            ("hidden", self.hidden),
            ("layers", self.layers),
            ("heads", self.heads),
            ("intermediate", self.intermediate),
        ];
        for (name, size) in sizes {
            if size == 0 || size > SIZE_MAX {
                return Err(Reason::new(format!("its {name} is {size}, which no model has")));
            }
        }
        if !self.hidden.is_multiple_of(self.heads) {
            let Self { hidden, heads, .. } = self;
            return Err(Reason::new(format!("{heads} heads do not divide a width of {hidden}")));
        }
        if !(self.epsilon > 0.0 && self.epsilon < 1.0) {
            return Err(Reason::new(format!("its epsilon is {}", self.epsilon)));
        }
        Ok(())
    }
}

/// Takes every tensor the sizes ask for.
pub(super) fn assemble(
    config: Config,
    id: String,
    vocab: String,
    source: &impl Source,
) -> Result<Weights, Reason> {
    config.check()?;
    let words = vocab.lines().count();
    if words != config.vocab {
        let wanted = config.vocab;
        return Err(Reason::new(format!("its vocabulary has {words} words, not {wanted}")));
    }
    let hidden = config.hidden;
    let types = "embeddings.token_type_embeddings.weight";
    let layers = (0..config.layers).map(|index| layer(source, &config, index));
    let heads = heads(source, hidden)?;
    Ok(Weights {
        id,
        words: table(source, "embeddings.word_embeddings.weight", config.vocab, hidden)?,
        positions: table(
            source,
            "embeddings.position_embeddings.weight",
            config.positions,
            hidden,
        )?,
        types: source.floats(types, &[config.types, hidden])?,
        norm: norm(source, "embeddings.LayerNorm", hidden)?,
        layers: layers.collect::<Result<_, _>>()?,
        // A pooler that no head reads is left over from pre-training.
        pooler: match source.shape("pooler.dense.weight") {
            Some(_) if !heads.is_empty() => Some(dense(source, "pooler.dense", hidden, hidden)?),
            _ => None,
        },
        heads,
        vocab,
        config,
    })
}

fn layer(source: &impl Source, config: &Config, index: usize) -> Result<Layer, Reason> {
    let Config { hidden, intermediate, .. } = *config;
    let name = |part: &str| format!("encoder.layer.{index}.{part}");
    let packed = |part: &str, outputs, inputs| -> Result<Packed, Reason> {
        let Matrix { values, scales } =
            source.matrix(&name(&format!("{part}.weight")), outputs, inputs)?;
        let bias = source.floats(&name(&format!("{part}.bias")), &[outputs])?;
        Ok(Packed::new(inputs, &values, &scales, &bias))
    };
    Ok(Layer {
        qkv: qkv(source, config, &name("attention.self"))?,
        attended: packed("attention.output.dense", hidden, hidden)?,
        attended_norm: norm(source, &name("attention.output.LayerNorm"), hidden)?,
        up: packed("intermediate.dense", intermediate, hidden)?,
        down: packed("output.dense", hidden, intermediate)?,
        down_norm: norm(source, &name("output.LayerNorm"), hidden)?,
    })
}

/// The three projections as one layer; the queries' scale takes over the scores' division.
#[expect(clippy::cast_precision_loss, reason = "a head's width is small")]
fn qkv(source: &impl Source, config: &Config, name: &str) -> Result<Packed, Reason> {
    let hidden = config.hidden;
    let query_scale = 1.0 / ((hidden / config.heads) as f32).sqrt();
    let (mut values, mut scales, mut bias) = (Vec::new(), Vec::new(), Vec::new());
    for (part, factor) in [("query", query_scale), ("key", 1.0), ("value", 1.0)] {
        let matrix = source.matrix(&format!("{name}.{part}.weight"), hidden, hidden)?;
        values.extend_from_slice(&matrix.values);
        scales.extend(matrix.scales.iter().map(|scale| scale * factor));
        let floats = source.floats(&format!("{name}.{part}.bias"), &[hidden])?;
        bias.extend(floats.iter().map(|bias| bias * factor));
    }
    Ok(Packed::new(hidden, &values, &scales, &bias))
}

fn table(source: &impl Source, name: &str, rows: usize, width: usize) -> Result<Table, Reason> {
    let Matrix { values, scales } = source.matrix(name, rows, width)?;
    Ok(Table { values, scales, width })
}

fn norm(source: &impl Source, name: &str, width: usize) -> Result<Norm, Reason> {
    Ok(Norm {
        weight: source.floats(&format!("{name}.weight"), &[width])?,
        bias: source.floats(&format!("{name}.bias"), &[width])?,
    })
}

fn dense(source: &impl Source, name: &str, outputs: usize, inputs: usize) -> Result<Dense, Reason> {
    Ok(Dense {
        weight: source.floats(&format!("{name}.weight"), &[outputs, inputs])?,
        bias: source.floats(&format!("{name}.bias"), &[outputs])?,
    })
}

/// Every `head.<name>.weight`.
fn heads(source: &impl Source, hidden: usize) -> Result<BTreeMap<String, Dense>, Reason> {
    let mut heads = BTreeMap::new();
    for tensor in source.names() {
        let name = tensor.strip_prefix("head.").and_then(|rest| rest.strip_suffix(".weight"));
        let Some(name) = name else { continue };
        let outputs = source.shape(&tensor).and_then(|shape| shape.first().copied()).unwrap_or(0);
        heads.insert(name.to_owned(), dense(source, &format!("head.{name}"), outputs, hidden)?);
    }
    Ok(heads)
}

/// Bytes as signed numbers, without a copy where they live for ever.
pub(super) fn signed(bytes: Cow<'static, [u8]>) -> Cow<'static, [i8]> {
    match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(bytemuck::cast_slice(bytes)),
        Cow::Owned(bytes) => Cow::Owned(bytemuck::cast_vec(bytes)),
    }
}

/// Little-endian floats; refuses infinities and NaN, which would spread through every answer.
pub(super) fn floats(name: &str, bytes: &[u8]) -> Result<Vec<f32>, Reason> {
    let values: Vec<f32> =
        bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    finite(name, &values)?;
    Ok(values)
}

pub(super) fn finite(name: &str, values: &[f32]) -> Result<(), Reason> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(Reason::new(format!("{name} holds numbers that are not finite")))
    }
}
