//! The embedding model that ships, against what its 32-bit original gives.

use std::error::Error;
use std::fs::File;
use std::io::Read;

use rebuttal_semantics::{Embedding, Encoder, Pooling, Tokens, WordPiece};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/minilm-l6-embed.rbt");

const SENTENCES: [&str; 6] = [
    "Nuclear power is safe.",
    "Nuclear energy is not dangerous.",
    "The council rejected the budget on Tuesday.",
    "Wind farms cost more than they return, in my view.",
    "Ünïcode façades & emoji 😀 don't hurt: 3.5 % of £20.",
    "I agree.",
];

/// Cosines of the original (onnxruntime, f32), and the first four numbers of each vector.
const COSINES: [[f32; 6]; 6] = [
    [1.0, 0.8187, 0.0343, 0.2241, 0.0656, 0.1255],
    [0.8187, 1.0, 0.1412, 0.2098, 0.0541, 0.0871],
    [0.0343, 0.1412, 1.0, 0.1710, 0.0527, 0.0319],
    [0.2241, 0.2098, 0.1710, 1.0, 0.0814, 0.0695],
    [0.0656, 0.0541, 0.0527, 0.0814, 1.0, 0.0614],
    [0.1255, 0.0871, 0.0319, 0.0695, 0.0614, 1.0],
];
const STARTS: [[f32; 4]; 6] = [
    [0.02909, 0.09868, -0.02934, 0.06148],
    [0.08481, 0.08623, -0.03060, 0.08977],
    [-0.00884, 0.09822, 0.03625, 0.11468],
    [0.03867, 0.02149, 0.08107, 0.07718],
    [0.06488, 0.00317, 0.02787, -0.00897],
    [-0.09063, 0.01165, -0.01140, -0.09170],
];

fn encoder() -> Result<Encoder, Box<dyn Error>> {
    let mut bytes = Vec::new();
    File::open(MODEL)?.read_to_end(&mut bytes)?;
    Ok(Encoder::load(bytes, "minilm-l6-embed.rbt")?)
}

fn tokens(pieces: &WordPiece, text: &str) -> Tokens {
    let mut ids = vec![pieces.cls()];
    pieces.encode_into(text, &mut ids);
    ids.push(pieces.sep());
    Tokens { segment_b_start: ids.len(), ids }
}

#[test]
fn vectors_are_those_of_the_original() {
    let encoder = encoder().unwrap();
    let pieces = WordPiece::new(encoder.vocab().as_bytes()).unwrap();
    let sequences: Vec<Tokens> = SENTENCES.iter().map(|text| tokens(&pieces, text)).collect();
    let vectors = encoder.hidden(&sequences).unwrap();
    let vectors: Vec<Embedding> = vectors.into_iter().map(Embedding::new).collect();
    for (a, (cosines, start)) in vectors.iter().zip(COSINES.iter().zip(STARTS)) {
        for (b, wanted) in vectors.iter().zip(cosines) {
            assert!((a.cosine(b) - wanted).abs() < 0.01, "{} is not {wanted}", a.cosine(b));
        }
        for (found, wanted) in a.values().iter().zip(start) {
            // 8-bit weights move a number by .005 in most texts and by .012 in the shortest.
            assert!((found - wanted).abs() < 0.015, "{found} is not {wanted}");
        }
    }
}

#[test]
fn the_model_is_what_it_says() {
    let encoder = encoder().unwrap();
    assert!(encoder.id().starts_with("minilm-l6-embed@"), "{}", encoder.id());
    assert_eq!((encoder.width(), encoder.positions()), (384, 512));
    assert_eq!(encoder.pooling(), Pooling::Mean);
    assert_eq!(encoder.heads().count(), 0);
    assert!(encoder.lowercase());
}
