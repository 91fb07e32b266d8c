//! What a sentence of evidence tells of a thing: that something became better or worse.
//!
//! A report seldom says "yes" or "no". It says that outages fell, that the bill doubled, that two people
//! left. The words for that stand in `assets/effects.txt`; what is denied, and what is said of the other way
//! of doing things, counts the other way round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rebuttal_text::{ContentWord, Reading, Term};

/// What a word tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tells {
    Burden,
    Gain,
    Up,
    Down,
    Good,
    Bad,
}

/// What the words of the list tell; a word may stand in several groups.
static WORDS: LazyLock<BTreeMap<Term, Vec<Tells>>> = LazyLock::new(|| {
    let mut words: BTreeMap<Term, Vec<Tells>> = BTreeMap::new();
    let mut group = Tells::Good;
    for line in include_str!("../../../assets/effects.txt").lines() {
        match line.trim() {
            "[burden]" => group = Tells::Burden,
            "[gain]" => group = Tells::Gain,
            "[up]" => group = Tells::Up,
            "[down]" => group = Tells::Down,
            "[good]" => group = Tells::Good,
            "[bad]" => group = Tells::Bad,
            line if line.starts_with('#') => {}
            line => {
                for word in line.split_whitespace() {
                    for read in Reading::new(word).content().words.iter().filter(|it| it.content) {
                        let told = words.entry(read.term).or_default();
                        if !told.contains(&group) {
                            told.push(group);
                        }
                    }
                }
            }
        }
    }
    words
});

/// What a bare burden tells beside one that rises: "training costs 52,000 euros".
const MENTIONED: f64 = 0.15;
/// What it tells that there is none: "there were no complaints".
const ABSENT: f64 = 0.5;

/// How a sentence speaks of what is proposed, as far as its words tell: towards 1 well, towards -1 ill.
/// The words of what is `asked` name what is proposed, and tell nothing of it: "the booking system".
pub(crate) fn effect(sentence: &Reading<'_>, asked: &BTreeSet<Term>) -> f64 {
    let (content, text) = (sentence.content(), sentence.original());
    let mut sum = 0.0;
    let mut from = 0;
    for clause in content.words.chunk_by(|one, two| one.clause == two.clause) {
        let until = clause.last().map_or(from, |word| word.span.end());
        let words = text.get(from..until).unwrap_or_default();
        sum += of_clause(clause, asked) * if holds(words, &OTHER_WAY) { -1.0 } else { 1.0 };
        from = until;
    }
    sum.tanh() * if holds(text, &WITHOUT) { -1.0 } else { 1.0 }
}

/// What one clause tells: directions go with the things they stand beside, the rest speaks for itself.
fn of_clause(words: &[ContentWord], asked: &BTreeSet<Term>) -> f64 {
    let told = |word: &ContentWord, tells: Tells| {
        let listed = WORDS.get(&word.term).is_some_and(|all| all.contains(&tells));
        listed && !asked.contains(&word.term)
    };
    let sign = |word: &ContentWord| if word.negated { -1.0 } else { 1.0 };
    let pull = |plus: Tells, minus: Tells| {
        words.iter().find_map(|word| match (told(word, plus), told(word, minus)) {
            (true, false) => Some(sign(word)),
            (false, true) => Some(-sign(word)),
            _ => None,
        })
    };
    let direction = pull(Tells::Up, Tells::Down);
    // "Deployment time fell" is about time, "outages caused by deployments fell" about outages.
    let is_thing = |word: &&ContentWord| told(word, Tells::Gain) || told(word, Tells::Burden);
    let mut things = words.iter().skip_while(|word| !is_thing(word));
    let mut head = things.next();
    for next in things {
        let beside = head.is_some_and(|head| next.span.start() <= head.span.end() + 1);
        if !beside || !is_thing(&next) {
            break;
        }
        head = Some(next);
    }
    let thing = head.map(|word| sign(word) * if told(word, Tells::Gain) { 1.0 } else { -1.0 });
    let moved = match (direction, thing) {
        (Some(direction), Some(thing)) => direction * thing,
        (None, Some(thing)) if head.is_some_and(|word| word.negated) => ABSENT * thing,
        (None, Some(thing)) => MENTIONED * thing,
        _ => 0.0,
    };
    let plain: f64 = words
        .iter()
        .map(|word| match (told(word, Tells::Good), told(word, Tells::Bad)) {
            (true, false) => sign(word),
            (false, true) => -sign(word),
            _ => 0.0,
        })
        .sum();
    moved + plain
}

/// Words of a clause about how things are done now.
const OTHER_WAY: [&str; 10] = [
    " the old ",
    " at present ",
    " the present ",
    " currently ",
    " the current ",
    " the existing ",
    " as before ",
    " status quo ",
    " today's ",
    " so far ",
];
/// Words of a sentence about doing without, or about what would not have happened.
const WITHOUT: [&str; 5] = [
    " without ",
    " instead of it ",
    " stay with ",
    " staying with ",
    " would have been prevented ",
];

fn holds(text: &str, words: &[&str]) -> bool {
    let text = format!(" {} ", text.to_lowercase().replace([',', '.', ';'], " "));
    words.iter().any(|other| text.contains(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sentence: &str) -> f64 {
        effect(&Reading::new(sentence), &BTreeSet::new())
    }

    #[test]
    fn better_and_worse_are_told_by_what_moved_where() {
        for good in [
            "Outages fell by 60 percent.",
            "Sales rose in all four shops.",
            "There were no complaints.",
            "The trial was a success.",
            "Deployment time fell from 41 minutes to 7 minutes.",
        ] {
            assert!(of(good) > 0.2, "{good} {}", of(good));
        }
        for bad in [
            "Outages rose by 60 percent.",
            "Sales fell in all four shops.",
            "Two engineers left and incidents doubled.",
            "The project failed.",
            "The hosting bill rose by 11 percent.",
        ] {
            assert!(of(bad) < -0.2, "{bad} {}", of(bad));
        }
        for neither in ["The office has three floors.", "The contract runs until June."] {
            assert!(of(neither).abs() < 0.1, "{neither} {}", of(neither));
        }
    }

    #[test]
    fn what_is_told_of_the_other_way_counts_against() {
        assert!(of("Deployment time fell to 12 minutes without the cluster.") < -0.2);
        assert!(of("The old machines failed twice.") > 0.2);
    }
}
