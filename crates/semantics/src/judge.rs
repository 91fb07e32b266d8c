//! Inference by an encoder that reads both statements at once.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use crate::encoder::{Encoder, Tokens};
use crate::heads::{RELATION, Related, STANCE, shares};
use crate::windows::Ends;
use crate::{Inference, Leaning, Pair, SemanticsError, Verdict, WordPiece};

/// Tokens of a pair that is read in one go, markers not counted.
const TOGETHER: usize = 125;
/// Tokens of a window where a pair is longer.
const WINDOW: usize = 60;
/// Tokens of a pair that is read whole, markers counted: what the heads of the reader were taught on.
const WHOLE: usize = 176;
/// Most windows of a pair that are read together.
const MOST_TOGETHER: usize = 96;

/// An encoder with a head for inference or relations, and whatever others its file has.
#[derive(Debug)]
pub struct CrossEncoder {
    encoder: Encoder,
    pieces: WordPiece,
    ends: Ends,
}

/// What a head makes of one window of each text.
struct Read {
    window_b: usize,
    classes: [f32; 3],
}

impl CrossEncoder {
    /// Loads a model file; `name` is what errors call it.
    pub fn load(bytes: impl Into<Cow<'static, [u8]>>, name: &str) -> Result<Self, SemanticsError> {
        Self::new(Encoder::load(bytes, name)?)
    }

    /// Loads a folder with `model.safetensors`, `config.json` and `vocab.txt`.
    pub fn load_folder(folder: &Path) -> Result<Self, SemanticsError> {
        Self::new(Encoder::load_folder(folder)?)
    }

    fn new(encoder: Encoder) -> Result<Self, SemanticsError> {
        if !encoder.heads().any(|head| [NLI, RELATION].contains(&head)) {
            let reason = "it has no head `nli` or `relation`: it embeds, and cannot infer";
            let name = encoder.id().to_owned();
            return Err(SemanticsError::Model { name, reason: reason.to_owned() });
        }
        let pieces = WordPiece::new(encoder.vocab().as_bytes())?;
        let ends = Ends::new(&pieces);
        Ok(Self { encoder, pieces, ends })
    }

    /// What the head says before softmax, for each pair; the inference head's order is entailment,
    /// neutral, contradiction. Only for pairs short enough to be read in one go; longer ones have
    /// the classes of [`Inference::infer`], as logarithms.
    pub fn logits(&self, pairs: &[Pair<'_>]) -> Result<Vec<[f32; 3]>, SemanticsError> {
        let logarithms = |shares: [f32; 3]| shares.map(|share| share.max(f32::MIN_POSITIVE).ln());
        if let Some(related) = self.related(pairs)? {
            let shares = |it: Verdict| [it.entailment, it.neutral, it.contradiction];
            return Ok(related.into_iter().map(|it| logarithms(shares(it))).collect());
        }
        let read = self.read(pairs)?;
        let logits = |windows: Vec<Read>| match windows.as_slice() {
            [only] => only.classes,
            _ => logarithms(together(&windows)),
        };
        Ok(read.into_iter().map(logits).collect())
    }

    /// Entailment, neutral and contradiction by the head for relations, if the model has it.
    fn related(&self, pairs: &[Pair<'_>]) -> Result<Option<Vec<Verdict>>, SemanticsError> {
        let read = self.classes(&[RELATION], pairs)?;
        Ok(read.map(|read| read.iter().map(|it| Related::of(it).into()).collect()))
    }

    /// Both texts in one sequence of at most [`WHOLE`] tokens: of the first at least half the room,
    /// and of what is longer than its room the opening and the end. `training/reader.py` cuts so.
    fn whole(&self, pair: &Pair<'_>) -> Tokens {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        self.pieces.encode_into(pair.premise, &mut a);
        self.pieces.encode_into(pair.hypothesis, &mut b);
        let room = WHOLE.min(self.encoder.positions()).saturating_sub(3);
        let own = a.len().min((room / 2).max(room.saturating_sub(b.len())));
        cut(&mut a, own);
        cut(&mut b, room - a.len());
        self.tokens(&a, &b)
    }

    /// Every pair's windows and what the inference head says of each.
    fn read(&self, pairs: &[Pair<'_>]) -> Result<Vec<Vec<Read>>, SemanticsError> {
        let mut sequences = Vec::new();
        let mut places = Vec::new();
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for (pair, asked) in pairs.iter().enumerate() {
            a.clear();
            b.clear();
            self.pieces.encode_into(asked.premise, &mut a);
            self.pieces.encode_into(asked.hypothesis, &mut b);
            for (window_b, tokens) in self.sequences(&a, &b) {
                sequences.push(tokens);
                places.push((pair, window_b));
            }
        }
        let mut read: Vec<Vec<Read>> = pairs.iter().map(|_| Vec::new()).collect();
        for ((pair, window_b), pooled) in places.into_iter().zip(self.encoder.hidden(&sequences)?) {
            let classes = self.encoder.head(NLI, &pooled)?;
            let classes = [0, 1, 2].map(|class| classes.get(class).copied().unwrap_or(0.0));
            if let Some(windows) = read.get_mut(pair) {
                windows.push(Read { window_b, classes });
            }
        }
        Ok(read)
    }

    /// Both texts in one sequence, or every window of one beside every window of the other.
    fn sequences(&self, a: &[u32], b: &[u32]) -> Vec<(usize, Tokens)> {
        let room = TOGETHER.min(self.encoder.positions().saturating_sub(3));
        if a.len() + b.len() <= room {
            return vec![(0, self.tokens(a, b))];
        }
        let window = WINDOW.min(room / 2);
        let (of_a, of_b) = (self.ends.windows(a, window), self.ends.windows(b, window));
        let crossed = of_a.len() * of_b.len();
        let mut sequences = Vec::with_capacity(crossed.min(MOST_TOGETHER));
        for (index_b, part_b) in of_b.iter().enumerate() {
            for (index_a, part_a) in of_a.iter().enumerate() {
                // Of very many, as many are read evenly over both texts.
                let index = index_b * of_a.len() + index_a;
                let next = (index + 1) * MOST_TOGETHER / crossed;
                if crossed <= MOST_TOGETHER || index * MOST_TOGETHER / crossed != next {
                    sequences.push((index_b, self.tokens(part(a, part_a), part(b, part_b))));
                }
            }
        }
        sequences
    }

    fn tokens(&self, a: &[u32], b: &[u32]) -> Tokens {
        let (cls, sep) = (self.pieces.cls(), self.pieces.sep());
        let ids = [&[cls], a, &[sep], b, &[sep]].concat();
        Tokens { ids, segment_b_start: a.len() + 2 }
    }
}

const NLI: &str = "nli";

fn part<'t>(ids: &'t [u32], window: &Range<usize>) -> &'t [u32] {
    ids.get(window.clone()).unwrap_or_default()
}

impl Inference for CrossEncoder {
    fn id(&self) -> &str {
        self.encoder.id()
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        if let Some(related) = self.related(pairs)? {
            return Ok(related);
        }
        let read = self.read(pairs)?;
        Ok(read.iter().map(|windows| Verdict::of(together(windows))).collect())
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        let Some(read) = self.classes(&[STANCE], pairs)? else {
            return self.lean_by_inference(pairs);
        };
        let leaning = |classes: &Vec<f32>| match shares(classes).as_slice() {
            &[no, unclear, yes] => Leaning { no, unclear, yes },
            _ => Leaning::UNCLEAR,
        };
        Ok(read.iter().map(leaning).collect())
    }

    fn classes(
        &self,
        heads: &[&str],
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        if !heads.iter().all(|head| self.encoder.heads().any(|name| name == *head)) {
            return Ok(None);
        }
        let sequences: Vec<Tokens> = pairs.iter().map(|pair| self.whole(pair)).collect();
        let pooled = self.encoder.hidden(&sequences)?;
        let read = |pooled: &Vec<f32>| {
            let said = heads.iter().map(|head| self.encoder.head(head, pooled));
            Ok(said.collect::<Result<Vec<_>, _>>()?.concat())
        };
        pooled.iter().map(read).collect::<Result<_, _>>().map(Some)
    }
}

/// Keeps the opening and, twice as long, the end: where turns say what they are for.
fn cut(ids: &mut Vec<u32>, room: usize) {
    if ids.len() > room {
        let head = room / 3;
        ids.drain(head..ids.len() - (room - head));
    }
}

/// One answer of many windows: contradiction where any two break with each other, entailment as far
/// as every window of the hypothesis follows from some window of the premise.
fn together(windows: &[Read]) -> [f32; 3] {
    if let [only] = windows {
        return softmax(only.classes);
    }
    let shares: Vec<(usize, [f32; 3])> =
        windows.iter().map(|read| (read.window_b, softmax(read.classes))).collect();
    let contradiction = shares.iter().map(|(_, [_, _, c])| *c).fold(0.0, f32::max);
    let mut follows: Vec<f32> = Vec::new();
    for (window_b, [entailment, ..]) in &shares {
        follows.resize(follows.len().max(window_b + 1), 0.0);
        if let Some(best) = follows.get_mut(*window_b) {
            *best = best.max(*entailment);
        }
    }
    let count = follows.len().max(1);
    let mean = follows.iter().sum::<f32>() / f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    let entailment = mean.min(1.0 - contradiction);
    [entailment, 1.0 - contradiction - entailment, contradiction]
}

/// Shares that sum to one.
pub(crate) fn softmax(classes: [f32; 3]) -> [f32; 3] {
    shares(&classes).try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::BuiltinReader;

    /// What `training/pairs_fixture.py` wrote down.
    #[derive(Deserialize)]
    struct Encoded {
        first: String,
        second: String,
        ids: Vec<u32>,
        split: usize,
    }

    #[test]
    fn pairs_are_cut_as_in_training() {
        let fixture = include_str!("../tests/data/pairs.json");
        let rows: Vec<Encoded> = serde_json::from_str(fixture).unwrap();
        let reader = BuiltinReader.load().unwrap();
        assert!(rows.iter().any(|row| row.ids.len() == WHOLE));
        for Encoded { first, second, ids, split } in rows {
            let read = reader.whole(&Pair { premise: &first, hypothesis: &second });
            assert_eq!(read, Tokens { ids, segment_b_start: split }, "{first} / {second}");
        }
    }

    #[test]
    fn of_a_long_text_the_opening_and_the_end_are_kept() {
        let mut ids: Vec<u32> = (0..100).collect();
        cut(&mut ids, 9);
        assert_eq!(ids, [0, 1, 2, 94, 95, 96, 97, 98, 99]);
        cut(&mut ids, 9);
        assert_eq!(ids.len(), 9);
        cut(&mut ids, 0);
        assert!(ids.is_empty());
    }
}
