//! A small model with made-up weights, as a file and as the floats it stands for.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Sizes on purpose not multiples of what the kernels work in.
pub(crate) const HIDDEN: usize = 42;
pub(crate) const HEADS: usize = 3;
pub(crate) const INTERMEDIATE: usize = 71;
pub(crate) const LAYERS: usize = 2;
pub(crate) const VOCAB: usize = 50;
pub(crate) const POSITIONS: usize = 40;
pub(crate) const CLASSES: usize = 3;

/// Shape, numbers, and the scales of a quantised matrix.
type Tensor = (Vec<usize>, Vec<u8>, Vec<u8>);

/// What a test model is made of.
pub(crate) struct Model {
    /// Every tensor as floats, matrices after quantisation.
    pub(crate) floats: BTreeMap<String, Vec<f32>>,
    tensors: BTreeMap<String, Tensor>,
    seed: u32,
}

impl Model {
    pub(crate) fn new() -> Self {
        let mut model = Self { floats: BTreeMap::new(), tensors: BTreeMap::new(), seed: 7 };
        model.matrix("embeddings.word_embeddings.weight", VOCAB, HIDDEN, 1.0);
        model.matrix("embeddings.position_embeddings.weight", POSITIONS, HIDDEN, 0.3);
        model.vector("embeddings.token_type_embeddings.weight", &[2, HIDDEN], 0.3, 0.0);
        model.norm("embeddings.LayerNorm");
        for layer in 0..LAYERS {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            for part in ["query", "key", "value"] {
                model.linear(&name(&format!("attention.self.{part}")), HIDDEN, HIDDEN);
            }
            model.linear(&name("attention.output.dense"), HIDDEN, HIDDEN);
            model.norm(&name("attention.output.LayerNorm"));
            model.linear(&name("intermediate.dense"), INTERMEDIATE, HIDDEN);
            model.linear(&name("output.dense"), HIDDEN, INTERMEDIATE);
            model.norm(&name("output.LayerNorm"));
        }
        model.vector("pooler.dense.weight", &[HIDDEN, HIDDEN], 0.3, 0.0);
        model.vector("pooler.dense.bias", &[HIDDEN], 0.3, 0.0);
        model.vector("head.nli.weight", &[CLASSES, HIDDEN], 0.3, 0.0);
        model.vector("head.nli.bias", &[CLASSES], 0.3, 0.0);
        model
    }

    pub(crate) fn shape(&self, name: &str) -> &[usize] {
        &self.tensors[name].0
    }

    /// Between -1 and 1.
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
    fn next(&mut self) -> f32 {
        self.seed = self.seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.seed >> 8) as f32 / 8_388_608.0 - 1.0
    }

    fn linear(&mut self, name: &str, outputs: usize, inputs: usize) {
        self.matrix(&format!("{name}.weight"), outputs, inputs, 0.4);
        self.vector(&format!("{name}.bias"), &[outputs], 0.2, 0.0);
    }

    fn norm(&mut self, name: &str) {
        self.vector(&format!("{name}.weight"), &[HIDDEN], 0.4, 1.0);
        self.vector(&format!("{name}.bias"), &[HIDDEN], 0.2, 0.0);
    }

    fn matrix(&mut self, name: &str, rows: usize, columns: usize, size: f32) {
        let values: Vec<f32> = (0..rows * columns).map(|_| self.next() * size).collect();
        let matrix = super::quantise::quantise(&values, columns);
        let floats = matrix.values.iter().enumerate();
        let floats = floats.map(|(at, value)| f32::from(*value) * matrix.scales[at / columns]);
        self.floats.insert(name.to_owned(), floats.collect());
        let bytes = matrix.values.iter().map(|value| value.cast_unsigned()).collect();
        let scales = matrix.scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
        self.tensors.insert(name.to_owned(), (vec![rows, columns], bytes, scales));
    }

    fn vector(&mut self, name: &str, shape: &[usize], size: f32, centre: f32) {
        let count = shape.iter().product();
        let values: Vec<f32> = (0..count).map(|_| centre + self.next() * size).collect();
        let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.floats.insert(name.to_owned(), values);
        self.tensors.insert(name.to_owned(), (shape.to_vec(), bytes, Vec::new()));
    }

    /// The file of this model.
    pub(crate) fn rbt(&self, pooling: &str) -> Vec<u8> {
        let mut payload = Vec::new();
        let mut add = |bytes: &[u8]| {
            let offset = payload.len();
            payload.extend_from_slice(bytes);
            payload.resize(payload.len().next_multiple_of(64), 0);
            offset
        };
        let mut table = String::new();
        for (name, (shape, bytes, scales)) in &self.tensors {
            let offset = add(bytes);
            let comma = if table.is_empty() { "" } else { "," };
            write!(table, r#"{comma}"{name}":{{"shape":{shape:?},"offset":{offset}"#).unwrap();
            if scales.is_empty() {
                table.push_str(r#","kind":"f32"}"#);
            } else {
                write!(table, r#","kind":"i8","scales":{}}}"#, add(scales)).unwrap();
            }
        }
        let words: Vec<String> = (0..VOCAB).map(|id| format!("w{id}")).collect();
        let words = words.join("\n");
        let (offset, bytes) = (add(words.as_bytes()), words.len());
        let header = format!(
            r#"{{"name":"tiny","config":{{"vocab":{VOCAB},"positions":{POSITIONS},"types":2,
            "hidden":{HIDDEN},"layers":{LAYERS},"heads":{HEADS},"intermediate":{INTERMEDIATE},
            "epsilon":1e-12,"pooling":"{pooling}","lowercase":true}},"tensors":{{{table}}},
            "vocab":{{"offset":{offset},"bytes":{bytes}}}}}"#
        );
        file(header.as_bytes(), &payload)
    }
}

/// A file with right lengths and checksums around any header and payload.
pub(crate) fn file(header: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut file = b"REBUTTAL\x01\0\0\0".to_vec();
    file.extend_from_slice(&u32::try_from(header.len()).unwrap().to_le_bytes());
    file.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    file.extend_from_slice(&crc32fast::hash(header).to_le_bytes());
    file.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    file.extend_from_slice(header);
    file.extend_from_slice(payload);
    file
}
