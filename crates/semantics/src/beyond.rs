//! What two texts say beyond the words they have in common.
//!
//! Texts on one thing share the words for it, so that their vectors are alike whatever they say of it.
//! Take those words away on both sides, and what is left is what each says of the thing.

use crate::StaticVectors;

/// A text by its pieces, each once, ready to be compared with many others.
#[derive(Clone, Debug)]
pub struct Bag {
    /// The ids of the pieces, in order.
    ids: Vec<u32>,
    /// The sum of the pieces' vectors.
    sum: Vec<f32>,
}

/// How alike two texts are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// The cosine of the two.
    pub whole: f32,
    /// The cosine of what is left of them without the pieces that both have; 0 where nothing is left
    /// of one.
    pub beyond: f32,
}

impl StaticVectors {
    /// The pieces of a text.
    pub fn bag(&self, text: &str) -> Bag {
        let mut ids = Vec::new();
        self.pieces().encode_into(text, &mut ids);
        ids.retain(|id| *id != self.pieces().unk());
        ids.sort_unstable();
        ids.dedup();
        let mut sum = vec![0.0; self.width()];
        for id in &ids {
            self.add(*id, &mut sum);
        }
        Bag { ids, sum }
    }

    /// How alike two texts are, and what each says beyond the other's words.
    pub fn alike(&self, a: &Bag, b: &Bag) -> Alike {
        let mut common = vec![0.0; self.width()];
        let mut rest = b.ids.as_slice();
        for id in &a.ids {
            while let [first, others @ ..] = rest
                && first < id
            {
                rest = others;
            }
            if rest.first() == Some(id) {
                self.add(*id, &mut common);
            }
        }
        let nothing = vec![0.0; self.width()];
        Alike { whole: cosine(a, b, &nothing), beyond: cosine(a, b, &common) }
    }
}

/// The cosine of two sums of which something is taken away; 0 where nothing is left of one.
fn cosine(a: &Bag, b: &Bag, less: &[f32]) -> f32 {
    let (mut dot, mut own, mut other) = (0.0, 0.0, 0.0);
    for ((a, b), less) in a.sum.iter().zip(&b.sum).zip(less) {
        let (a, b) = (a - less, b - less);
        dot += a * b;
        own += a * a;
        other += b * b;
    }
    let norm: f32 = own * other;
    if norm > f32::EPSILON { (dot / norm.sqrt()).clamp(-1.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use crate::BuiltinVectors;

    #[test]
    fn what_is_said_of_the_same_thing_is_compared_and_not_the_thing() {
        let vectors = BuiltinVectors.load().unwrap();
        let beyond = |a: &str, b: &str| vectors.alike(&vectors.bag(a), &vectors.bag(b)).beyond;
        let same = beyond("The ferry is cheap to run.", "The ferry costs little in operation.");
        let other = beyond("The ferry is cheap to run.", "The ferry sails at dawn.");
        assert!(same > other + 0.2, "{same} {other}");
        assert!(beyond("The ferry sails.", "The ferry sails.").abs() < f32::EPSILON);
        assert!(beyond("", "The ferry sails.").abs() < f32::EPSILON);
        let (forward, reverse) =
            (beyond("A cold lake.", "A warm sea."), beyond("A warm sea.", "A cold lake."));
        assert!((forward - reverse).abs() < 1e-6, "{forward} {reverse}");
    }
}
