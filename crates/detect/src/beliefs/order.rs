//! In which order to eliminate claims: the one whose neighbours lack the fewest links among
//! themselves goes next (min-fill).

use std::collections::BTreeSet;

use super::part::Part;

/// One claim, and those that are still there and touched by what eliminates it.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    /// The claim, by its place in the part.
    pub(super) claim: usize,
    /// Its neighbours at that time, in the order in which they are eliminated later.
    pub(super) scope: Vec<usize>,
}

/// Neighbours beyond which lists are searched instead of walked through.
const WALKED: usize = 64;

struct Elimination {
    near: Vec<Vec<usize>>,
    /// How many links each claim lacks, and how many neighbours it has.
    keys: Vec<(usize, usize)>,
    queue: BTreeSet<(usize, usize, usize)>,
    /// Whose neighbours are marked: a claim is marked if it has the number of the last round.
    marks: Vec<u64>,
    round: u64,
    width_max: usize,
}

/// The buckets in order; `None` if some would touch more than `width_max` others, or if their tables
/// together would have more than `entries_max` entries.
pub(super) fn min_fill(part: &Part, width_max: usize, entries_max: u64) -> Option<Vec<Bucket>> {
    let mut work = Elimination::new(part, width_max);
    let mut buckets = Vec::with_capacity(part.members.len());
    let mut entries = 0u64;
    while let Some((missing, degree, claim)) = work.queue.pop_first() {
        entries = entries.saturating_add(1u64.checked_shl(u32::try_from(degree).ok()? + 1)?);
        if missing == usize::MAX || entries > entries_max {
            return None;
        }
        buckets.push(Bucket { claim, scope: work.eliminate(claim) });
    }
    let mut position = vec![0; part.members.len()];
    for (at, bucket) in buckets.iter().enumerate() {
        if let Some(slot) = position.get_mut(bucket.claim) {
            *slot = at;
        }
    }
    for bucket in &mut buckets {
        bucket.scope.sort_by_key(|claim| position.get(*claim));
    }
    Some(buckets)
}

impl Elimination {
    fn new(part: &Part, width_max: usize) -> Self {
        let near: Vec<Vec<usize>> =
            part.near.iter().map(|near| near.iter().map(|(other, _)| *other).collect()).collect();
        let count = near.len();
        let (keys, marks) = (vec![(0, 0); count], vec![0; count]);
        let mut work = Self { near, keys, queue: BTreeSet::new(), marks, round: 0, width_max };
        for claim in 0..count {
            let key = work.key(claim);
            work.queue.insert((key.0, key.1, claim));
            if let Some(slot) = work.keys.get_mut(claim) {
                *slot = key;
            }
        }
        work
    }

    fn near(&self, claim: usize) -> &[usize] {
        self.near.get(claim).map_or(&[], Vec::as_slice)
    }

    /// Removes a claim and links its neighbours to each other; returns them.
    fn eliminate(&mut self, claim: usize) -> Vec<usize> {
        let scope = self.near.get_mut(claim).map(std::mem::take).unwrap_or_default();
        for &other in &scope {
            if let Some(near) = self.near.get_mut(other)
                && let Ok(at) = near.binary_search(&claim)
            {
                near.remove(at);
            }
        }
        let mut added = false;
        for (at, &one) in scope.iter().enumerate() {
            for &two in scope.iter().skip(at + 1) {
                if self.join(one, two) {
                    self.join(two, one);
                    added = true;
                }
            }
        }
        let affected = if added { self.around(&scope) } else { scope.clone() };
        for other in affected {
            self.refresh(other);
        }
        scope
    }

    /// Enters a neighbour; false if it was one.
    fn join(&mut self, claim: usize, other: usize) -> bool {
        let Some(near) = self.near.get_mut(claim) else { return false };
        match near.binary_search(&other) {
            Ok(_) => false,
            Err(at) => {
                near.insert(at, other);
                true
            }
        }
    }

    /// Whose count new links between some claims can change: those next to two of them.
    fn around(&mut self, scope: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        // Two rounds: marked with the first, a claim was seen once; with the second, it is found.
        self.round += 2;
        for &claim in scope {
            for &other in self.near.get(claim).map_or(&[][..], Vec::as_slice) {
                if let Some(mark) = self.marks.get_mut(other) {
                    if *mark == self.round - 1 {
                        found.push(other);
                        *mark = self.round;
                    } else if *mark != self.round {
                        *mark = self.round - 1;
                    }
                }
            }
        }
        // In a clique of three or more each is next to two others; in a smaller one it may not be.
        found.extend(scope.iter().filter(|claim| self.marks.get(**claim) != Some(&self.round)));
        found
    }

    fn refresh(&mut self, claim: usize) {
        let key = self.key(claim);
        if let Some(slot) = self.keys.get_mut(claim)
            && *slot != key
        {
            let old = std::mem::replace(slot, key);
            self.queue.remove(&(old.0, old.1, claim));
            self.queue.insert((key.0, key.1, claim));
        }
    }

    /// Links that the neighbours of a claim lack, and how many neighbours there are. A claim with too
    /// many is never the next.
    fn key(&mut self, claim: usize) -> (usize, usize) {
        let degree = self.near(claim).len();
        if degree > self.width_max {
            return (usize::MAX, degree);
        }
        self.round += 1;
        let neighbours = self.near.get(claim).map_or(&[][..], Vec::as_slice);
        for &other in neighbours {
            if let Some(mark) = self.marks.get_mut(other) {
                *mark = self.round;
            }
        }
        let linked = |other: usize| {
            let theirs = self.near(other);
            if theirs.len() > WALKED {
                neighbours.iter().filter(|claim| theirs.binary_search(claim).is_ok()).count()
            } else {
                theirs.iter().filter(|&&claim| self.marks.get(claim) == Some(&self.round)).count()
            }
        };
        // Every link between two neighbours was seen from both ends.
        let present = neighbours.iter().map(|&other| linked(other)).sum::<usize>() / 2;
        (degree * degree.saturating_sub(1) / 2 - present, degree)
    }
}
