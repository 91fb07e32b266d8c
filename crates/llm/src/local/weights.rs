//! From a file's tensors to layers: which tensors a Llama has, what shape each must have, and one
//! byte a weight for the kernels.

use rayon::prelude::*;
use rebuttal_semantics::kernel::blocks::Format;
use rebuttal_semantics::kernel::{BLOCK, Kernels, Packed};

use super::gguf::{Gguf, Tensor, Wrong};
use super::turns::Turns;

/// Most positions a sequence may have here. Keys and values take tens of kilobytes each, and a
/// debate's prompt is some hundred.
const CONTEXT_MAX: usize = 4096;

/// A model's sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Config {
    pub(crate) hidden: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    /// Heads of keys and values; several heads of queries share one.
    pub(crate) shared_heads: usize,
    pub(crate) head_width: usize,
    pub(crate) wide: usize,
    pub(crate) vocab: usize,
    /// Most positions of a sequence.
    pub(crate) context: usize,
    pub(crate) epsilon: f32,
}

impl Config {
    /// Reads the sizes of the model.
    #[expect(clippy::cast_possible_truncation, reason = "an epsilon needs no more")]
    fn read(gguf: &Gguf<'_>, vocab: usize) -> Result<Self, Wrong> {
        let architecture = gguf.text("general.architecture")?;
        if architecture != "llama" {
            return Err(format!("it is a {architecture}; only llama models are run"));
        }
        let heads = gguf.whole("llama.attention.head_count")?;
        let hidden = gguf.whole("llama.embedding_length")?;
        let config = Self {
            hidden,
            layers: gguf.whole("llama.block_count")?,
            heads,
            shared_heads: gguf.whole("llama.attention.head_count_kv").unwrap_or(heads),
            head_width: hidden.checked_div(heads).unwrap_or_default(),
            wide: gguf.whole("llama.feed_forward_length")?,
            vocab,
            context: gguf.whole("llama.context_length")?.min(CONTEXT_MAX),
            epsilon: gguf.real("llama.attention.layer_norm_rms_epsilon")? as f32,
        };
        config.check(gguf)?;
        Ok(config)
    }

    /// Refuses sizes that do not fit together, before anything is allocated by them.
    fn check(&self, gguf: &Gguf<'_>) -> Result<(), Wrong> {
        let Self { hidden, heads, shared_heads, head_width, .. } = self;
        let sizes = [
            ("width", *hidden, 1 << 14),
            ("layers", self.layers, 512),
            ("heads", *heads, 512),
            ("shared heads", *shared_heads, *heads),
            ("feed-forward width", self.wide, 1 << 17),
            ("vocabulary", self.vocab, 1 << 20),
            ("context", self.context, CONTEXT_MAX),
        ];
        for (name, size, max) in sizes {
            if size == 0 || size > max {
                return Err(format!("its {name} is {size}, which no model here has"));
            }
        }
        if head_width * heads != *hidden || !head_width.is_multiple_of(BLOCK) {
            return Err(format!("its {heads} heads do not fit a width of {hidden}"));
        }
        if !heads.is_multiple_of(*shared_heads) {
            return Err(format!("its {heads} heads cannot share {shared_heads}"));
        }
        let turned = gguf.whole("llama.rope.dimension_count").unwrap_or(*head_width);
        if turned != *head_width {
            return Err(format!("it turns {turned} of {head_width} numbers of a head"));
        }
        if !(self.epsilon > 0.0 && self.epsilon < 1.0) {
            return Err(format!("its epsilon is {}", self.epsilon));
        }
        Ok(())
    }

    /// Numbers of one position's keys, and of its values.
    pub(crate) fn shared(&self) -> usize {
        self.shared_heads * self.head_width
    }
}

/// One layer.
#[derive(Debug)]
pub(crate) struct Layer {
    pub(crate) attention_norm: Vec<f32>,
    /// Queries, keys and values.
    pub(crate) qkv: Packed,
    pub(crate) attended: Packed,
    pub(crate) wide_norm: Vec<f32>,
    /// Gates, then what they let through.
    pub(crate) up: Packed,
    pub(crate) down: Packed,
}

/// A model, ready to run.
#[derive(Debug)]
pub(crate) struct Weights {
    pub(crate) config: Config,
    /// The tokens' vectors.
    pub(crate) words: Packed,
    /// What scores the next token, where that is not `words` again.
    pub(crate) scores: Option<Packed>,
    pub(crate) norm: Vec<f32>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) turns: Turns,
}

impl Weights {
    /// Takes every tensor the sizes ask for. Runs on the threads of the pool it is called in.
    pub(crate) fn read(gguf: &Gguf<'_>, vocab: usize) -> Result<Self, Wrong> {
        let config = Config::read(gguf, vocab)?;
        let Config { hidden, head_width, context, .. } = config;
        let base = gguf.real("llama.rope.freq_base").unwrap_or(10_000.0);
        if gguf.has("rope_freqs.weight") || gguf.text("llama.rope.scaling.type").is_ok() {
            return Err("it scales its positions, which is not done here".to_owned());
        }
        let turns = Turns::new(base, head_width, context)
            .ok_or_else(|| format!("its rope.freq_base is {base}"))?;
        let source = Source { gguf, kernels: Kernels::detect() };
        let output = "output.weight";
        let layers = (0..config.layers).into_par_iter();
        let layers = layers.map(|index| source.layer(&config, index));
        let (layers, words) = rayon::join(
            || layers.collect::<Result<Vec<_>, _>>(),
            || source.packed(hidden, &[("token_embd.weight", vocab)]),
        );
        let scores = gguf.has(output).then(|| source.packed(hidden, &[(output, vocab)]));
        let norm = source.floats("output_norm.weight", hidden)?;
        Ok(Self {
            config,
            words: words?,
            scores: scores.transpose()?,
            norm,
            layers: layers?,
            turns,
        })
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let of_layer = |layer: &Layer| {
            let Layer { qkv, attended, up, down, .. } = layer;
            [qkv, attended, up, down].into_iter().map(Packed::bytes).sum::<usize>()
        };
        let ends = [Some(&self.words), self.scores.as_ref()];
        let ends: usize = ends.into_iter().flatten().map(Packed::bytes).sum();
        ends + self.layers.iter().map(of_layer).sum::<usize>()
    }
}

/// Where the weights come from, and how they are read.
struct Source<'a> {
    gguf: &'a Gguf<'a>,
    kernels: Kernels,
}

impl Source<'_> {
    /// The weights of one layer.
    fn layer(&self, config: &Config, index: usize) -> Result<Layer, Wrong> {
        let Config { hidden, wide, .. } = *config;
        let name = |part: &str| format!("blk.{index}.{part}.weight");
        let shared = config.shared();
        let (q, k, v) = (name("attn_q"), name("attn_k"), name("attn_v"));
        Ok(Layer {
            attention_norm: self.floats(&name("attn_norm"), hidden)?,
            qkv: self.packed(hidden, &[(&q, hidden), (&k, shared), (&v, shared)])?,
            attended: self.packed(hidden, &[(&name("attn_output"), hidden)])?,
            wide_norm: self.floats(&name("ffn_norm"), hidden)?,
            up: self.packed(hidden, &[(&name("ffn_gate"), wide), (&name("ffn_up"), wide)])?,
            down: self.packed(wide, &[(&name("ffn_down"), hidden)])?,
        })
    }

    /// A tensor of so many numbers, each of them finite.
    fn floats(&self, name: &str, length: usize) -> Result<Vec<f32>, Wrong> {
        let Tensor { format, bytes, .. } = self.gguf.tensor(name, &[length])?;
        let mut floats = vec![0.0; length];
        self.kernels.floats(*format, bytes, &mut floats);
        let finite = floats.iter().all(|x| x.is_finite());
        finite.then_some(floats).ok_or_else(|| format!("its {name} holds what is no number"))
    }

    /// Several tensors of the same inputs as one layer.
    fn packed(&self, inputs: usize, parts: &[(&str, usize)]) -> Result<Packed, Wrong> {
        let (mut values, mut scales) = (Vec::new(), Vec::new());
        for (name, outputs) in parts {
            let Tensor { format, bytes, .. } = self.gguf.tensor(name, &[inputs, *outputs])?;
            let (mut integers, mut units) = self
                .integers(*format, bytes, inputs)
                .ok_or_else(|| format!("its {name} holds what is no number"))?;
            values.append(&mut integers);
            scales.append(&mut units);
        }
        Ok(Packed::new(inputs, &values, &scales, &vec![0.0; scales.len()]))
    }

    /// A tensor as small integers, with one scale for each block of them.
    fn integers(&self, format: Format, bytes: &[u8], inputs: usize) -> Option<(Vec<i8>, Vec<f32>)> {
        self.kernels.integers(format, bytes, inputs)
    }
}
