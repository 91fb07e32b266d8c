//! Nothing is computed twice: answers are kept by what was asked.
//!
//! A key is a hash of the model's id and the text or pair, so an answer can never be for another
//! model or another text. In memory there is a limit in bytes; a [`Store`] keeps answers on disk,
//! without the texts they are about.

mod kept;
mod memory;
mod segment;
mod store;

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::heads::{RELATION, Related};
use crate::{Embedder, Embedding, Inference, Leaning, Pair, SemanticsError, Verdict};
pub use kept::Kept;
use memory::Memory;
pub use store::Store;

/// A model whose answers are remembered. Give it the model, or a reference-counted one.
#[derive(Debug)]
pub struct Cached<M> {
    model: M,
    /// One short look-up at a time; the model runs without the lock.
    memory: Mutex<Memory>,
    store: Option<Store>,
}

impl<M> Cached<M> {
    /// Remembers up to `bytes` of answers.
    pub fn new(model: M, bytes: usize) -> Self {
        Self { model, memory: Mutex::new(Memory::new(bytes)), store: None }
    }

    /// Also keeps answers on disk, for the next run.
    #[must_use]
    pub fn with_store(self, store: Store) -> Self {
        Self { store: Some(store), ..self }
    }

    /// The model itself.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Why answers are no longer kept on disk, if so. They are still given.
    pub fn problem(&self) -> Option<String> {
        self.store.as_ref()?.problem()
    }

    /// Answers from memory, then disk, then `run`, which gets the positions of the questions that
    /// are left, each question once.
    fn answer<A: Answer>(
        &self,
        keys: &[Key],
        model: &str,
        run: impl FnOnce(&[usize]) -> Result<Vec<A>, SemanticsError>,
    ) -> Result<Vec<A>, SemanticsError> {
        let mut known = self.known(keys);
        let mut missing = Vec::new();
        let mut places = HashMap::new();
        for (at, (key, answer)) in keys.iter().zip(&known).enumerate() {
            if answer.is_none()
                && let Entry::Vacant(place) = places.entry(*key)
            {
                place.insert(missing.len());
                missing.push(at);
            }
        }
        if !missing.is_empty() {
            let fresh = run(&missing)?;
            check_count(model, missing.len(), fresh.len())?;
            self.keep(keys, &missing, &fresh);
            for (key, answer) in keys.iter().zip(&mut known) {
                if answer.is_none() {
                    *answer = places.get(key).and_then(|place| fresh.get(*place)).cloned();
                }
            }
        }
        let answers: Vec<A> = known.into_iter().flatten().collect();
        check_count(model, keys.len(), answers.len())?;
        Ok(answers)
    }

    fn known<A: Answer>(&self, keys: &[Key]) -> Vec<Option<A>> {
        let mut memory = self.memory();
        let from_disk = |key: &Key| self.store.as_ref()?.get(key);
        keys.iter()
            .map(|key| {
                if let Some(answer) = memory.get(key).and_then(A::read) {
                    return Some(answer);
                }
                let bytes = from_disk(key)?;
                let answer = A::read(&bytes)?;
                memory.insert(*key, bytes.into());
                Some(answer)
            })
            .collect()
    }

    fn keep<A: Answer>(&self, keys: &[Key], positions: &[usize], answers: &[A]) {
        let mut memory = self.memory();
        let asked = positions.iter().filter_map(|at| keys.get(*at));
        for (key, answer) in asked.zip(answers) {
            let bytes = answer.write();
            if let Some(store) = &self.store {
                store.put(key, &bytes);
            }
            memory.insert(*key, bytes.into());
        }
    }

    /// A panic elsewhere leaves the memory as it was between two inserts, so it can be used.
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Embedder> Embedder for Cached<E> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        let id = self.model.id();
        let keys: Vec<Key> = texts.iter().map(|text| Key::new(&["embed", id, text])).collect();
        self.answer(&keys, id, |missing| {
            let texts: Vec<&str> =
                missing.iter().filter_map(|at| texts.get(*at)).copied().collect();
            self.model.embed(&texts)
        })
    }
}

impl<I: Inference> Inference for Cached<I> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        // One that reads relations is not asked a second time for the same pair.
        match self.classes(&[RELATION], pairs)? {
            Some(read) => Ok(read.iter().map(|it| Related::of(it).into()).collect()),
            None => self.judged("infer", pairs, |pairs| self.model.infer(pairs)),
        }
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        self.judged("lean", pairs, |pairs| self.model.lean(pairs))
    }

    fn classes(
        &self,
        heads: &[&str],
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        let missing = Cell::new(false);
        let answers = self.judged(&format!("heads {}", heads.join(" ")), pairs, |pairs| {
            let classes = self.model.classes(heads, pairs)?;
            missing.set(classes.is_none());
            // An answer to keep is never empty, so a head that is not there is asked for again.
            Ok(classes.unwrap_or_else(|| vec![Vec::new(); pairs.len()]))
        })?;
        Ok((!missing.get()).then_some(answers))
    }
}

impl<I: Inference> Cached<I> {
    fn judged<A: Answer>(
        &self,
        question: &str,
        pairs: &[Pair<'_>],
        run: impl FnOnce(&[Pair<'_>]) -> Result<Vec<A>, SemanticsError>,
    ) -> Result<Vec<A>, SemanticsError> {
        let id = self.model.id();
        let keys: Vec<Key> = pairs
            .iter()
            .map(|pair| Key::new(&[question, id, pair.premise, pair.hypothesis]))
            .collect();
        self.answer(&keys, id, |missing| {
            let pairs: Vec<Pair<'_>> =
                missing.iter().filter_map(|at| pairs.get(*at)).copied().collect();
            run(&pairs)
        })
    }
}

fn check_count(model: &str, asked: usize, got: usize) -> Result<(), SemanticsError> {
    if asked == got {
        return Ok(());
    }
    let reason = format!("it gave {got} answers to {asked} questions");
    Err(SemanticsError::Model { name: model.to_owned(), reason })
}

/// What was asked, in 128 bits: nobody can make two texts that share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key([u8; Key::LEN]);

impl Key {
    const LEN: usize = 16;

    /// Each part goes in with its length, so that parts cannot run into one another.
    fn new(parts: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Self(prefix(&hasher.finalize()))
    }
}

/// The first bytes of a hash, which are as good as any others.
fn prefix<const N: usize>(hash: &blake3::Hash) -> [u8; N] {
    let mut first = [0; N];
    for (slot, byte) in first.iter_mut().zip(hash.as_bytes()) {
        *slot = *byte;
    }
    first
}

/// Something a model says, as bytes and back without losing a bit.
trait Answer: Clone {
    fn write(&self) -> Vec<u8>;
    fn read(bytes: &[u8]) -> Option<Self>;
}

impl Answer for Embedding {
    fn write(&self) -> Vec<u8> {
        self.values().iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self::of_unit_length(floats(bytes)?))
    }
}

impl Answer for Verdict {
    fn write(&self) -> Vec<u8> {
        bytes_of([self.entailment, self.neutral, self.contradiction])
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let [entailment, neutral, contradiction] = floats(bytes)?.try_into().ok()?;
        Some(Self { entailment, neutral, contradiction })
    }
}

impl Answer for Leaning {
    fn write(&self) -> Vec<u8> {
        bytes_of([self.no, self.unclear, self.yes])
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let [no, unclear, yes] = floats(bytes)?.try_into().ok()?;
        Some(Self { no, unclear, yes })
    }
}

impl Answer for Vec<f32> {
    fn write(&self) -> Vec<u8> {
        self.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        floats(bytes).filter(|values| !values.is_empty())
    }
}

fn bytes_of(shares: [f32; 3]) -> Vec<u8> {
    shares.iter().flat_map(|share| share.to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Option<Vec<f32>> {
    let (values, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| values.iter().map(|value| f32::from_le_bytes(*value)).collect())
}

#[cfg(test)]
mod tests;
