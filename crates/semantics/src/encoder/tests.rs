//! The encoder against a plain double-precision BERT, and against itself in other company.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "sizes and ids are small"
)]

use std::collections::BTreeMap;

use super::*;
use crate::weights::testing::{CLASSES, HEADS, HIDDEN, INTERMEDIATE, LAYERS, Model, POSITIONS};

type Floats = BTreeMap<String, Vec<f32>>;
type Rows = Vec<Vec<f64>>;

fn linear(floats: &Floats, name: &str, rows: &Rows) -> Rows {
    let weight = &floats[&format!("{name}.weight")];
    let bias = &floats[&format!("{name}.bias")];
    let product = |row: &Vec<f64>| {
        let channels = weight.chunks(row.len()).zip(bias);
        channels
            .map(|(w, b)| {
                w.iter().zip(row).map(|(w, x)| f64::from(*w) * x).sum::<f64>() + f64::from(*b)
            })
            .collect()
    };
    rows.iter().map(product).collect()
}

fn add_norm(floats: &Floats, name: &str, rows: &mut Rows, added: &Rows) {
    let weight = &floats[&format!("{name}.weight")];
    let bias = &floats[&format!("{name}.bias")];
    for (row, added) in rows.iter_mut().zip(added) {
        row.iter_mut().zip(added).for_each(|(x, y)| *x += y);
        let mean = row.iter().sum::<f64>() / HIDDEN as f64;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / HIDDEN as f64;
        for ((x, w), b) in row.iter_mut().zip(weight).zip(bias) {
            *x = (*x - mean) / variance.sqrt() * f64::from(*w) + f64::from(*b);
        }
    }
}

fn attend(q: &Rows, k: &Rows, v: &Rows) -> Rows {
    let width = HIDDEN / HEADS;
    let mut out = vec![vec![0.0; HIDDEN]; q.len()];
    for at in (0..HIDDEN).step_by(width) {
        let part = at..at + width;
        for (q, out) in q.iter().zip(&mut out) {
            let score = |k: &Vec<f64>| {
                let dot: f64 =
                    q[part.clone()].iter().zip(&k[part.clone()]).map(|(a, b)| a * b).sum();
                (dot / (width as f64).sqrt()).exp()
            };
            let scores: Vec<f64> = k.iter().map(score).collect();
            let sum: f64 = scores.iter().sum();
            for (score, v) in scores.iter().zip(v) {
                let values = out[part.clone()].iter_mut().zip(&v[part.clone()]);
                values.for_each(|(out, v)| *out += score / sum * v);
            }
        }
    }
    out
}

/// The tanh form of GELU would be off by 5e-4; this is the integral's own series.
fn gelu(x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > 1e-17 {
        n += 1.0;
        term *= -x * x / (2.0 * n);
        sum += term / (2.0 * n + 1.0);
    }
    x * (0.5 + sum / (2.0 * std::f64::consts::PI).sqrt())
}

fn reference(floats: &Floats, tokens: &Tokens) -> Rows {
    let row = |name: &str, at: usize| -> Vec<f64> {
        let table = &floats[&format!("embeddings.{name}_embeddings.weight")];
        table[at * HIDDEN..(at + 1) * HIDDEN].iter().map(|x| f64::from(*x)).collect()
    };
    let mut rows: Rows = Vec::new();
    for (at, id) in tokens.ids.iter().enumerate() {
        let kind = row("token_type", usize::from(at >= tokens.segment_b_start));
        let parts = row("word", *id as usize).into_iter().zip(row("position", at)).zip(kind);
        rows.push(parts.map(|((word, position), kind)| word + position + kind).collect());
    }
    let nothing = vec![vec![0.0; HIDDEN]; rows.len()];
    add_norm(floats, "embeddings.LayerNorm", &mut rows, &nothing);
    for layer in 0..LAYERS {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let [q, k, v] = ["query", "key", "value"]
            .map(|part| linear(floats, &name(&format!("attention.self.{part}")), &rows));
        let attended = linear(floats, &name("attention.output.dense"), &attend(&q, &k, &v));
        add_norm(floats, &name("attention.output.LayerNorm"), &mut rows, &attended);
        let mut wide = linear(floats, &name("intermediate.dense"), &rows);
        assert_eq!(wide[0].len(), INTERMEDIATE);
        wide.iter_mut().flatten().for_each(|x| *x = gelu(*x));
        let down = linear(floats, &name("output.dense"), &wide);
        add_norm(floats, &name("output.LayerNorm"), &mut rows, &down);
    }
    rows
}

fn sequence(length: usize, seed: usize) -> Tokens {
    let ids: Vec<u32> =
        (0..length).map(|at| ((at * 31 + seed * 17 + at * at) % 50) as u32).collect();
    Tokens { segment_b_start: if seed.is_multiple_of(2) { length } else { length / 2 }, ids }
}

fn sequences() -> Vec<Tokens> {
    [1, 7, 16, 17, 40, 3, 2, 33, 12, 5].iter().enumerate().map(|(i, n)| sequence(*n, i)).collect()
}

fn encoder(pooling: &str) -> Encoder {
    Encoder::load(Model::new().rbt(pooling), "tiny").unwrap()
}

fn close(found: &[f32], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((f64::from(*found) - wanted).abs() < within, "{found} is not {wanted}");
    }
}

#[test]
fn mean_pooling_matches_the_reference() {
    let (model, encoder) = (Model::new(), encoder("mean"));
    let pooled = encoder.hidden(&sequences()).unwrap();
    for (tokens, found) in sequences().iter().zip(&pooled) {
        let rows = reference(&model.floats, tokens);
        let mean = |at: usize| rows.iter().map(|row| row[at]).sum::<f64>() / rows.len() as f64;
        close(found, &(0..HIDDEN).map(mean).collect::<Vec<_>>(), 1e-3);
    }
}

#[test]
fn first_token_and_head_match_the_reference() {
    let (model, encoder) = (Model::new(), encoder("cls"));
    let pooled = encoder.hidden(&sequences()).unwrap();
    assert_eq!(encoder.heads().collect::<Vec<_>>(), ["nli"]);
    for (tokens, found) in sequences().iter().zip(&pooled) {
        let first = reference(&model.floats, tokens).remove(0);
        close(found, &first, 1e-3);
        let mut pooled = linear(&model.floats, "pooler.dense", &vec![first]);
        pooled.iter_mut().flatten().for_each(|x| *x = x.tanh());
        let wanted = linear(&model.floats, "head.nli", &pooled).remove(0);
        assert_eq!(wanted.len(), CLASSES);
        close(&encoder.head("nli", found).unwrap(), &wanted, 1e-3);
    }
}

#[test]
fn company_does_not_change_a_single_bit() {
    for pooling in ["mean", "cls"] {
        let encoder = encoder(pooling);
        let together = encoder.hidden(&sequences()).unwrap();
        for (tokens, wanted) in sequences().iter().zip(&together) {
            assert_eq!(
                encoder.hidden(std::slice::from_ref(tokens)).unwrap(),
                std::slice::from_ref(wanted)
            );
        }
        let mut reversed = sequences();
        reversed.reverse();
        let mut found = encoder.hidden(&reversed).unwrap();
        found.reverse();
        assert_eq!(found, together);
    }
}

#[test]
fn threads_do_not_change_a_single_bit() {
    let encoder = encoder("mean");
    let many: Vec<Tokens> = (0..60).map(|i| sequence(1 + i * 7 % POSITIONS, i)).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| encoder.hidden(&many).unwrap())
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(5));
}

#[test]
fn machines_without_vector_instructions_get_the_same_bits() {
    for pooling in ["mean", "cls"] {
        let fast = encoder(pooling);
        let plain = Encoder { level: Level::Portable, ..encoder(pooling) };
        assert_eq!(fast.hidden(&sequences()).unwrap(), plain.hidden(&sequences()).unwrap());
    }
}

#[test]
fn what_cannot_be_encoded_is_refused() {
    let encoder = encoder("mean");
    let cases = [
        (sequence(POSITIONS + 1, 0), "41 tokens; it reads at most 40"),
        (Tokens::default(), "without tokens"),
        (Tokens { ids: vec![1, 50], segment_b_start: 2 }, "token 50 is not among its 50"),
        (Tokens { ids: vec![1, u32::MAX], segment_b_start: 2 }, "token 4294967295"),
    ];
    for (tokens, wanted) in cases {
        let found = encoder.hidden(&[sequence(3, 0), tokens]).unwrap_err().to_string();
        assert!(found.contains(wanted) && found.contains("tiny@"), "{found}");
    }
    assert!(encoder.hidden(&[]).unwrap().is_empty());
    assert!(encoder.head("mood", &[0.0; HIDDEN]).unwrap_err().to_string().contains("mood"));
    assert!(encoder.head("nli", &[0.0; 3]).is_err());
}

#[test]
fn a_second_text_starts_where_it_is_told() {
    let encoder = encoder("mean");
    let ids: Vec<u32> = (0..10).collect();
    let at =
        |segment_b_start| encoder.hidden(&[Tokens { ids: ids.clone(), segment_b_start }]).unwrap();
    assert_ne!(at(10), at(5));
    assert_eq!(at(10), at(usize::MAX));
}
