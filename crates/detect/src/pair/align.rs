//! Which word of one text answers which word of the other.
//!
//! First the same words, then forms with and without "un-", then words that have something to do
//! with each other. Every look-up goes through a sorted index and sees a bounded number of
//! candidates, so the cost is that of sorting the words.

use rebuttal_text::{ContentWord, Term, Tie};

use super::side::{Sides, Text};
use super::{Cue, CueKind};

/// Most candidates looked at for one word.
const CANDIDATES: usize = 12;

/// Sets that are not in the word lists: any two ordinals, any two labels exclude each other.
const ORDINALS: u16 = u16::MAX;
const LABELS: u16 = u16::MAX - 1;

/// Two words that answer each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) tie: Tie,
    /// One of them denies the other within the word: "safe", "unsafe".
    pub(super) flip: bool,
    /// The words before or after answer each other too.
    pub(super) near: bool,
}

impl Link {
    /// The words say the same, or one what the other is a kind of.
    pub(super) fn agrees(&self) -> bool {
        matches!(self.tie, Tie::Same | Tie::Narrower | Tie::Wider)
    }
}

/// All links, and for every word the one it has.
#[derive(Debug, Default)]
pub(super) struct Alignment {
    pub(super) links: Vec<Link>,
    of_a: Vec<Option<usize>>,
    of_b: Vec<Option<usize>>,
    /// Agreeing content links by sentences, sorted.
    shared: Vec<((u32, u32), u16)>,
}

impl Alignment {
    pub(super) fn link_of_a(&self, word: usize) -> Option<&Link> {
        self.links.get((*self.of_a.get(word)?)?)
    }

    pub(super) fn link_of_b(&self, word: usize) -> Option<&Link> {
        self.links.get((*self.of_b.get(word)?)?)
    }

    fn free_a(&self, word: usize) -> bool {
        self.of_a.get(word).is_some_and(Option::is_none)
    }

    fn free_b(&self, word: usize) -> bool {
        self.of_b.get(word).is_some_and(Option::is_none)
    }

    fn join(&mut self, a: usize, b: usize, tie: Tie, flip: bool) {
        let number = Some(self.links.len());
        if let (Some(of_a), Some(of_b)) = (self.of_a.get_mut(a), self.of_b.get_mut(b)) {
            (*of_a, *of_b) = (number, number);
            self.links.push(Link { a, b, tie, flip, near: false });
        }
    }

    fn joined(&self, a: usize, b: usize) -> bool {
        self.link_of_a(a).is_some_and(|link| link.b == b && link.agrees())
    }

    /// How many content words the two sentences share.
    pub(super) fn shared(&self, a: &ContentWord, b: &ContentWord) -> u16 {
        let key = (a.sentence, b.sentence);
        let found = self.shared.binary_search_by_key(&key, |(pair, _)| *pair);
        found.ok().and_then(|at| self.shared.get(at)).map_or(0, |(_, count)| *count)
    }
}

/// Aligns the words of both texts.
pub(super) fn align(sides: &Sides<'_>) -> Alignment {
    let mut found = Alignment {
        of_a: vec![None; sides.a.words.len()],
        of_b: vec![None; sides.b.words.len()],
        ..Alignment::default()
    };
    join_same(sides, &mut found);
    join_roots(sides, &mut found);
    join_related(sides, &mut found);
    mark_near(sides, &mut found);
    count_shared(sides, &mut found);
    found
}

/// Words by what they are looked up by.
struct Index<K>(Vec<(K, usize)>);

impl<K: Ord + Copy> Index<K> {
    fn new(entries: impl Iterator<Item = (K, usize)>) -> Self {
        let mut entries: Vec<(K, usize)> = entries.collect();
        entries.sort_unstable();
        Self(entries)
    }

    /// The words under a key, at most [`CANDIDATES`], from the one nearest to `near` on.
    fn get(&self, key: K, near: usize) -> impl Iterator<Item = usize> {
        let behind = near.saturating_sub(CANDIDATES / 2);
        let from = self.0.partition_point(|entry| *entry < (key, behind));
        let before = |at: usize| self.0.get(at).is_some_and(|entry| entry.0 == key);
        // Too few after it: take some from before.
        let from = if before(from) { from } else { from.saturating_sub(CANDIDATES / 2) };
        // Only so far, or an absent key would cost a walk through all words.
        let near = from..self.0.len().min(from + CANDIDATES);
        let from = near.into_iter().find(|at| before(*at));
        let own = from.and_then(|from| self.0.get(from..)).unwrap_or_default();
        own.iter().take(CANDIDATES).take_while(move |entry| entry.0 == key).map(|entry| entry.1)
    }
}

fn terms(words: &[ContentWord]) -> Index<Term> {
    Index::new(words.iter().enumerate().map(|(at, word)| (word.term, at)))
}

/// The same words: beside a joined neighbour if possible, else in order.
fn join_same(sides: &Sides<'_>, found: &mut Alignment) {
    let index = terms(&sides.a.words);
    for (b, word) in sides.b.words.iter().enumerate() {
        // "Team 40" is not the 40 of "40 ms".
        let numbered = |it: &ContentWord| it.label && it.subject;
        let alike =
            |a: usize| sides.a.words.get(a).is_some_and(|it| numbered(it) == numbered(word));
        let free = |a: &usize| found.free_a(*a) && alike(*a);
        let follows = |a: &usize| {
            a.checked_sub(1).zip(b.checked_sub(1)).is_some_and(|(a, b)| found.joined(a, b))
        };
        let mut candidates = index.get(word.term, b).filter(free);
        let first = candidates.next();
        let beside = first.into_iter().chain(candidates).find(follows);
        if let Some(a) = beside.or(first) {
            found.join(a, b, Tie::Same, false);
        }
    }
}

/// "safe" and "unsafe", "careful" and "careless".
fn join_roots(sides: &Sides<'_>, found: &mut Alignment) {
    let rooted = |words: &[ContentWord]| words.iter().any(|word| word.root().is_some());
    let (in_a, in_b) = (rooted(&sides.a.words), rooted(&sides.b.words));
    if !in_a && !in_b {
        return;
    }
    let index = Index::new(sides.a.words.iter().enumerate().flat_map(|(at, word)| {
        let root = word.root().map(|(root, _)| (root, at));
        [Some((word.term, at)), root].into_iter().flatten()
    }));
    for (b, word) in sides.b.words.iter().enumerate() {
        let root = word.root();
        for key in [Some(word.term), root.map(|(root, _)| root)].into_iter().flatten() {
            if !found.free_b(b) {
                break;
            }
            let Some(a) = index.get(key, b).find(|a| found.free_a(*a)) else { continue };
            let denied = |word: Option<&ContentWord>, key: Term| {
                word.and_then(ContentWord::root).is_some_and(|(root, denied)| root == key && denied)
            };
            let flip = denied(sides.a.words.get(a), key) != denied(Some(word), key);
            found.join(a, b, Tie::Same, flip);
        }
    }
}

/// Words that stand in one set: what says the same first, then what excludes.
fn join_related(sides: &Sides<'_>, found: &mut Alignment) {
    let entries = sides.a.words.iter().enumerate().filter(|(at, _)| found.free_a(*at));
    let index = Index::new(entries.flat_map(|(at, word)| sets(word).map(move |set| (set, at))));
    if index.0.is_empty() {
        return;
    }
    for wanted in [
        &[Tie::Same, Tie::Narrower, Tie::Wider][..],
        &[Tie::Opposite, Tie::Exclusive],
        &[Tie::Other],
    ] {
        for (b, word) in sides.b.words.iter().enumerate() {
            if !found.free_b(b) {
                continue;
            }
            let tied = |a: usize| {
                let tie = tie(sides, found, a, b)?;
                let rank = wanted.iter().position(|it| *it == tie)?;
                let beside = is_near(sides, found, a, b);
                Some((std::cmp::Reverse(beside), rank, a.abs_diff(b), a, tie))
            };
            let candidates = sets(word).flat_map(|set| index.get(set, b));
            let best = candidates.filter(|a| found.free_a(*a)).filter_map(tied);
            if let Some((.., a, tie)) = best.min_by_key(|it| (it.0, it.1, it.2, it.3)) {
                found.join(a, b, tie, false);
            }
        }
    }
}

fn sets(word: &ContentWord) -> impl Iterator<Item = u16> {
    let ordinal = word.ordinal.map(|_| ORDINALS);
    let label = word.label.then_some(LABELS);
    word.sets().chain(ordinal).chain(label)
}

fn tie(sides: &Sides<'_>, found: &Alignment, a: usize, b: usize) -> Option<Tie> {
    let (one, two) = sides.a.words.get(a).zip(sides.b.words.get(b))?;
    // "option a" and "option b" exclude each other; "option a" and "plan b" do not.
    let labels = one.label && two.label;
    let named = || a.checked_sub(1).zip(b.checked_sub(1)).is_some_and(|(a, b)| found.joined(a, b));
    one.tie(two).or_else(|| (labels && named()).then_some(Tie::Exclusive))
}

/// Whether the content words around two words answer each other.
fn is_near(sides: &Sides<'_>, found: &Alignment, a: usize, b: usize) -> bool {
    let next = |words: &[ContentWord], from: usize| {
        (from + 1..words.len())
            .take(CANDIDATES)
            .find(|at| words.get(*at).is_some_and(|w| w.content))
    };
    let before = |words: &[ContentWord], from: usize| {
        (0..from).rev().take(CANDIDATES).find(|at| words.get(*at).is_some_and(|w| w.content))
    };
    let (one, two) = (&sides.a.words, &sides.b.words);
    let joined = |pair: (Option<usize>, Option<usize>)| match pair {
        (Some(a), Some(b)) => found.joined(a, b),
        _ => false,
    };
    joined((next(one, a), next(two, b))) || joined((before(one, a), before(two, b)))
}

fn mark_near(sides: &Sides<'_>, found: &mut Alignment) {
    let near: Vec<bool> =
        found.links.iter().map(|link| is_near(sides, found, link.a, link.b)).collect();
    for (link, near) in found.links.iter_mut().zip(near) {
        link.near = near;
    }
}

fn count_shared(sides: &Sides<'_>, found: &mut Alignment) {
    let pairs = found.links.iter().filter(|link| link.agrees()).filter_map(|link| {
        let (a, b) = sides.words(link)?;
        (a.content && b.content).then_some((a.sentence, b.sentence))
    });
    let mut pairs: Vec<(u32, u32)> = pairs.collect();
    pairs.sort_unstable();
    for pair in pairs {
        match found.shared.last_mut() {
            Some((last, count)) if *last == pair => *count = count.saturating_add(1),
            _ => found.shared.push((pair, 1)),
        }
    }
}

/// "Ann beat Ben" and "Ben beat Ann": all words agree and exactly two have changed places, with
/// something between them that has not, and without the "by" that turns a sentence round.
pub(super) fn swapped_roles(sides: &Sides<'_>, found: &Alignment) -> Option<Cue> {
    let content = |text: &Text| -> Vec<usize> {
        (0..text.words.len()).filter(|at| text.words.get(*at).is_some_and(|w| w.content)).collect()
    };
    let (a, b) = (content(sides.a), content(sides.b));
    if a.len() != b.len() || a.len() < 3 || sides.a.by != sides.b.by {
        return None;
    }
    let mut moved = Vec::new();
    for (place, (&one, &two)) in a.iter().zip(&b).enumerate() {
        let link = found.link_of_a(one).filter(|link| link.tie == Tie::Same)?;
        if link.b != two {
            moved.push((place, link));
        }
    }
    let [(first, one), (second, two)] = moved.as_slice() else { return None };
    (second - first > 1).then(|| Cue {
        kind: CueKind::Role,
        span_a: sides.a.words.get(one.a).map(|word| word.span).unwrap_or_default(),
        span_b: sides.b.words.get(two.b).map(|word| word.span).unwrap_or_default(),
        strength: 1.0,
    })
}
