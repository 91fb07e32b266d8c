//! A model small enough to be made on the spot: two layers, a vocabulary of bytes, weights from a
//! fixed row of numbers. What it says makes no sense; how it says it can be tested.

use std::io::Write;
use std::path::Path;

use super::model::LocalModel;

const HIDDEN: u64 = 64;
const WIDE: u64 = 96;
const SHARED: u64 = 32;
const LAYERS: u64 = 2;
/// Marks, then one token a byte, then a few joins.
const MARKS: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
const JOINS: [&str; 3] = ["t h", "th e", "Ġ the"];

/// Every tensor by name, with its sizes.
fn tensors(vocab: u64) -> Vec<(String, Vec<u64>)> {
    let mut tensors = vec![
        ("token_embd.weight".to_owned(), vec![HIDDEN, vocab]),
        ("output_norm.weight".to_owned(), vec![HIDDEN]),
    ];
    for layer in 0..LAYERS {
        let parts: [(&str, Vec<u64>); 9] = [
            ("attn_norm", vec![HIDDEN]),
            ("attn_q", vec![HIDDEN, HIDDEN]),
            ("attn_k", vec![HIDDEN, SHARED]),
            ("attn_v", vec![HIDDEN, SHARED]),
            ("attn_output", vec![HIDDEN, HIDDEN]),
            ("ffn_norm", vec![HIDDEN]),
            ("ffn_gate", vec![HIDDEN, WIDE]),
            ("ffn_up", vec![HIDDEN, WIDE]),
            ("ffn_down", vec![WIDE, HIDDEN]),
        ];
        let named = |(name, sizes)| (format!("blk.{layer}.{name}.weight"), sizes);
        tensors.extend(parts.into_iter().map(named));
    }
    tensors
}

/// The file as bytes.
pub(crate) fn file() -> Vec<u8> {
    let mut tokens: Vec<String> = MARKS.map(str::to_owned).to_vec();
    tokens.extend((0..=255).map(|byte| super::tokenizer::letter(byte).to_string()));
    tokens.extend(JOINS.map(|join| join.replace(' ', "")));
    let kinds: Vec<i32> =
        (0..tokens.len()).map(|at| if at < MARKS.len() { 3 } else { 1 }).collect();
    let vocab = u64::try_from(tokens.len()).unwrap();
    let tensors = tensors(vocab);
    let mut file = Out(b"GGUF".to_vec());
    file.u32(3).u64(u64::try_from(tensors.len()).unwrap()).u64(13);
    file.text_fact("general.architecture", "llama");
    for (name, value) in [
        ("block_count", LAYERS),
        ("context_length", 2048),
        ("embedding_length", HIDDEN),
        ("feed_forward_length", WIDE),
        ("attention.head_count", 2),
        ("attention.head_count_kv", 1),
    ] {
        file.text(&format!("llama.{name}")).u32(4).u32(u32::try_from(value).unwrap());
    }
    file.text("llama.attention.layer_norm_rms_epsilon").u32(6).bytes(&1e-5_f32.to_le_bytes());
    file.text_fact("tokenizer.ggml.model", "gpt2");
    file.text_fact("tokenizer.ggml.pre", "smollm");
    file.texts("tokenizer.ggml.tokens", tokens.iter().map(String::as_str));
    file.texts("tokenizer.ggml.merges", JOINS.into_iter());
    file.text("tokenizer.ggml.token_type").u32(9).u32(5).u64(vocab);
    for kind in kinds {
        file.bytes(&kind.to_le_bytes());
    }
    let count = |sizes: &[u64]| sizes.iter().product::<u64>();
    let mut offset = 0;
    for (name, sizes) in &tensors {
        file.text(name).u32(u32::try_from(sizes.len()).unwrap());
        for size in sizes {
            file.u64(*size);
        }
        file.u32(0).u64(offset);
        offset += 4 * count(sizes);
    }
    let padding = file.0.len().next_multiple_of(32);
    file.0.resize(padding, 0);
    let mut state = 1_u32;
    for (name, sizes) in &tensors {
        let (mean, scale) = if name.contains("norm") { (1.0, 0.1) } else { (0.0, 0.4) };
        for _ in 0..count(sizes) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = f32::from(u16::try_from(state >> 16).unwrap()) / 32768.0 - 1.0;
            file.bytes(&(mean + scale * noise).to_le_bytes());
        }
    }
    file.0
}

/// The model, on so many threads.
pub(crate) fn model(threads: usize) -> LocalModel {
    let mut place = tempfile::NamedTempFile::new().unwrap();
    place.write_all(&file()).unwrap();
    LocalModel::open_on(place.path(), threads).unwrap()
}

/// What is wrong with these bytes as a model.
pub(crate) fn refusal(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("model.gguf");
    std::fs::write(&place, bytes).unwrap();
    LocalModel::open_on(Path::new(&place), 1).map(|_| ()).unwrap_err().to_string()
}

struct Out(Vec<u8>);

impl Out {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.bytes(&value.to_le_bytes())
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.u64(u64::try_from(text.len()).unwrap()).bytes(text.as_bytes())
    }

    fn text_fact(&mut self, name: &str, value: &str) {
        self.text(name).u32(8).text(value);
    }

    fn texts<'t>(&mut self, name: &str, texts: impl ExactSizeIterator<Item = &'t str>) {
        self.text(name).u32(9).u32(8).u64(u64::try_from(texts.len()).unwrap());
        for text in texts {
            self.text(text);
        }
    }
}
