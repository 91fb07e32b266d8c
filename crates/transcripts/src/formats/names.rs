//! Which names recur in a text, in bounded memory.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rebuttal_model::limits;

/// Names seen once or more, whatever their case. Keeps hashes, not texts: a text of 60 MB may
/// have millions of things that could be names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Whether a name was seen more than once.
    seen: HashMap<u64, bool>,
}

impl Names {
    /// Takes note of a name. Beyond [`limits::CANDIDATES`] a new one is forgotten at once.
    pub(crate) fn see(&mut self, name: &str) {
        let key = key(name);
        if let Some(recurs) = self.seen.get_mut(&key) {
            *recurs = true;
        } else if self.seen.len() < limits::CANDIDATES {
            self.seen.insert(key, false);
        }
    }

    /// True when the name was seen before.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.seen.contains_key(&key(name))
    }

    /// True when the name was seen more than once.
    pub(crate) fn recurs(&self, name: &str) -> bool {
        self.seen.get(&key(name)).copied().unwrap_or(false)
    }

    /// How many different names were seen.
    pub(crate) fn len(&self) -> usize {
        self.seen.len()
    }
}

fn key(name: &str) -> u64 {
    // Without a random key, so that the same file always reads the same.
    let mut hasher = DefaultHasher::new();
    name.chars().flat_map(char::to_lowercase).for_each(|c| c.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_recurs_in_any_case() {
        let mut names = Names::default();
        for name in ["Ann", "Bob", "ANN"] {
            names.see(name);
        }
        assert!(names.recurs("ann") && names.has("bob") && !names.recurs("Bob"));
        assert_eq!((names.len(), names.has("Cid")), (2, false));
    }

    #[test]
    fn endless_names_take_bounded_memory() {
        let mut names = Names::default();
        for n in 0..=limits::CANDIDATES {
            names.see(&n.to_string());
        }
        assert_eq!(names.len(), limits::CANDIDATES);
    }
}
