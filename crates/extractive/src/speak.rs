//! What a persona says when it is asked: its answer, why, and what it has against the other side's items.

use crate::balance::{Balance, weigh, weight};
use crate::brief::Brief;
use crate::conflict::Why;
use crate::limits;
use crate::persona::Persona;
use crate::words;

/// What a persona is asked, and what it has heard so far.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// What it stands for so far.
    pub held: Option<String>,
    /// What the others have said to it in earlier rounds.
    pub heard: Vec<String>,
    /// What the other side brings now, by number.
    pub items: Vec<(u32, String)>,
    /// The round; 0 is blind.
    pub round: u32,
}

/// What a persona says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// Its answer; `None` where it abstains.
    pub answer: Option<String>,
    /// How sure it is, 0 to 1.
    pub conviction: f64,
    /// Why, in one connective.
    pub thesis: String,
    /// Quotes for it, the strongest first; those that changed its mind before all.
    pub evidence: Vec<String>,
    /// An answer to each item.
    pub rebuttals: Vec<(u32, String)>,
}

impl Persona {
    /// What it says.
    pub fn answer(&self, brief: &Brief, asked: &Asked) -> Said {
        let first = self.reads_first(brief);
        let mut known = first.clone();
        let texts = asked.heard.iter().chain(asked.items.iter().map(|(_, text)| text));
        for at in texts.filter_map(|text| brief.find(text)) {
            if !known.contains(&at) {
                known.push(at);
            }
        }
        let balance = weigh(self, brief, &known);
        let (side, share) = match balance {
            Balance::For { answer, share } => (answer, share),
            Balance::Nothing => return abstains(words::NOTHING),
            // Nobody gives up an answer for one that weighs the same.
            Balance::Even => match brief.number(asked.held.as_deref()) {
                Some(held) => (held, 0.5),
                None => return abstains(words::EVEN),
            },
        };
        let Some(answer) = brief.answers.get(side).cloned() else { return Said::default() };
        let speak =
            known.iter().filter(|at| brief.quotes.get(**at).is_some_and(|it| it.side == side));
        let count = (speak.count(), known.len());
        let thesis = match &asked.held {
            Some(held) if *held != answer => words::moves(held, &answer, count),
            Some(_) => words::keeps(&answer, count),
            None if asked.round > 0 => words::decides(&answer, count),
            None => words::takes(&answer, count),
        };
        // Whoever moves begins with what moved it.
        let moved = asked.round > 0 && asked.held.as_ref() != Some(&answer);
        let mut offered = self.offered(brief, side, &known);
        offered.sort_by_key(|at| moved && first.contains(at));
        let again = asked.round > 0 && !moved;
        offered.truncate(if again { limits::OFFERED_AGAIN } else { limits::OFFERED });
        let said = |at: &usize| brief.quotes.get(*at).map(crate::Quote::said).unwrap_or_default();
        Said {
            conviction: conviction(share, known.len()),
            thesis,
            evidence: offered.iter().map(said).collect(),
            rebuttals: rebuttals(brief, asked, side),
            answer: Some(answer),
        }
    }

    /// What it has read before it hears anybody: what it looks for, and its own side before the other.
    fn reads_first(&self, brief: &Brief) -> Vec<usize> {
        let opens =
            |at: &usize| brief.quotes.get(*at).is_some_and(|quote| self.opens(&quote.document));
        let all = (0..brief.quotes.len()).filter(opens);
        ranked(all, |at| self.appeal(brief, at, &[]), limits::READ_FIRST)
    }

    /// How much a sentence is what it looks for.
    fn appeal(&self, brief: &Brief, at: usize, known: &[usize]) -> f64 {
        let wanted = brief.reads.wanted.get(&self.looks_for).filter(|_| !self.looks_for.is_empty());
        let near = brief.quotes.get(at).and_then(|quote| quote.vector.as_ref());
        let near = wanted.zip(near).map_or(0.3, |(wanted, near)| wanted.cosine(near).max(0.0));
        weight(self, brief, at, known) * (0.05 + f64::from(near))
    }

    /// The strongest for an answer, of what it knows, no two of one document while there are others.
    fn offered(&self, brief: &Brief, side: usize, known: &[usize]) -> Vec<usize> {
        let speaks = |at: &usize| {
            let quote = brief.quotes.get(*at);
            quote.is_some_and(|quote| quote.side == side || Some(side) == brief.middle)
        };
        let own = known.iter().copied().filter(speaks);
        let order = ranked(own, |at| self.appeal(brief, at, known), known.len());
        let document = |at: &usize| brief.quotes.get(*at).map(|quote| quote.document.as_str());
        let (mut firsts, mut others): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for at in order {
            let again = firsts.iter().any(|first| document(first) == document(&at));
            if again { others.push(at) } else { firsts.push(at) }
        }
        firsts.extend(others);
        firsts
    }
}

/// An answer to each item of the other side.
fn rebuttals(brief: &Brief, asked: &Asked, side: usize) -> Vec<(u32, String)> {
    let mut used: Vec<usize> = Vec::new();
    let mut answers = Vec::new();
    let mut heard: Vec<&str> = Vec::new();
    for (number, text) in &asked.items {
        let item = brief.find(text);
        // What it now goes by itself needs no answer; what several bring, or bring again, needs one.
        let agreed = item.and_then(|item| brief.quotes.get(item)).is_some_and(|it| it.side == side);
        let again = heard.contains(&text.as_str()) || asked.heard.contains(text);
        if agreed || again {
            continue;
        }
        heard.push(text);
        let answer = item.map(|item| against(brief, item, side, &mut used));
        answers.push((*number, answer.unwrap_or_else(|| words::NOT_THERE.to_owned())));
    }
    // What is granted is said last, and only as far as there is room.
    answers.sort_by_key(|(_, answer)| answer == words::GRANTED);
    answers.truncate(limits::ANSWERED);
    answers
}

/// What stands against a quote.
fn against(brief: &Brief, item: usize, side: usize, used: &mut Vec<usize>) -> String {
    if let Some(words) = other_figure(brief, item) {
        return words;
    }
    let near = |at: usize| {
        let vector = |at: usize| brief.quotes.get(at).and_then(|quote| quote.vector.as_ref());
        vector(item).zip(vector(at)).map_or(0.0, |(one, two)| f64::from(one.cosine(two)))
    };
    let speaks = |at: &usize| {
        let quote = brief.quotes.get(*at);
        quote.is_some_and(|quote| quote.side == side) && !used.contains(at)
    };
    let all = (0..brief.quotes.len()).filter(speaks);
    let best = ranked(all, near, 1).first().copied().filter(|at| near(*at) >= SAME_MATTER);
    let Some(quote) = best.and_then(|at| brief.quotes.get(at)) else {
        return words::GRANTED.to_owned();
    };
    used.extend(best);
    format!("{} {}", words::AGAINST, quote.said())
}

/// How alike two sentences must be to be on one matter.
const SAME_MATTER: f64 = 0.42;

/// Another value for the figure that a quote gives.
fn other_figure(brief: &Brief, item: usize) -> Option<String> {
    let quote = |at: usize| brief.quotes.get(at).map(crate::Quote::said);
    for conflict in &brief.conflicts {
        let (words, at) = match conflict.why {
            Why::Later if conflict.yields == item => (words::OTHER_FIGURE_LATER, conflict.stands),
            Why::Firmer if conflict.yields == item => (words::OTHER_FIGURE_FIRMER, conflict.stands),
            _ if conflict.stands == item => (words::OTHER_FIGURE, conflict.yields),
            _ => continue,
        };
        return Some(format!("{words} {}", quote(at)?));
    }
    None
}

fn abstains(why: &str) -> Said {
    Said { thesis: why.to_owned(), ..Said::default() }
}

/// How sure a share of the evidence makes, and how much of it there is.
fn conviction(share: f64, known: usize) -> f64 {
    let amount = f64::from(u32::try_from(known).unwrap_or(u32::MAX));
    let sure = 0.5 + (share - 0.5) * 0.9 * amount / (amount + 1.0);
    (sure * 100.0).round() / 100.0
}

/// The numbers with the highest scores, the best first; of equals the earlier.
fn ranked(
    numbers: impl Iterator<Item = usize>,
    score: impl Fn(usize) -> f64,
    most: usize,
) -> Vec<usize> {
    let mut scored: Vec<(usize, f64)> = numbers.map(|at| (at, score(at))).collect();
    scored.sort_by(|(a, one), (b, two)| two.total_cmp(one).then(a.cmp(b)));
    scored.into_iter().take(most).map(|(at, _)| at).collect()
}
