//! Which earlier positions share most with a new one: those under the same keys, rare keys first.

/// Positions under the keys of a new one, by number.
///
/// A key that few positions have tells more than one that many have, so each counts by how few are
/// under it: what shares "Kubernetes" and "billing" comes before what shares "team" three times.
///
/// ```
/// use rebuttal_detect::flips::Sharing;
///
/// let mut sharing = Sharing::default();
/// sharing.add([1, 2, 3, 4, 5, 6, 7, 8], 8);
/// sharing.add([2], 1);
/// assert_eq!(sharing.best(2), [2, 8]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    found: Vec<(u64, u32)>,
}

impl Sharing {
    /// Positions under one key, `among` as many that are under it.
    pub fn add(&mut self, numbers: impl IntoIterator<Item = u64>, among: usize) {
        let weight = weight(among);
        self.found.extend(numbers.into_iter().map(|n| (n, weight)));
    }

    /// The best, at most so many, newer ones where several are as good; best first.
    pub fn best(mut self, most: usize) -> Vec<u64> {
        #[expect(
            clippy::stable_sort_primitive,
            reason = "it merges runs that are in order already"
        )]
        self.found.sort();
        let together = self.found.chunk_by(|one, two| one.0 == two.0);
        let sum = |same: &[(u64, u32)]| {
            Some((same.iter().map(|(_, weight)| *weight).sum::<u32>(), same.first()?.0))
        };
        let mut shared: Vec<(u32, u64)> = together.filter_map(sum).collect();
        shared.sort_unstable_by(|one, two| two.cmp(one));
        shared.truncate(most);
        shared.into_iter().map(|(_, n)| n).collect()
    }
}

/// What a key counts that so many positions have: less for each time twice as many do.
fn weight(among: usize) -> u32 {
    const ALONE: u32 = 7;
    ALONE.saturating_sub((among.max(1)).ilog2()).max(1)
}
