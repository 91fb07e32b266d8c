//! What a line adds to one that it says again in full: a limit, nothing but a "still", or a detail.
//!
//! "Homework helps" goes for all; "homework helps older pupils who like to read" and "homework helps in
//! small classes" go for some. "As I said, homework helps" says nothing new.

use rebuttal_model::Span;

use super::words::{Gap, LineWord, span};

/// Words that open what limits a statement.
const LIMITS: [&str; 26] = [
    "who",
    "whose",
    "when",
    "whenever",
    "once",
    "provided",
    "providing",
    "unless",
    "if",
    "except",
    "excluding",
    "barring",
    "until",
    "where",
    "without",
    "assuming",
    "within",
    "only",
    "depending",
    "given",
    "besides",
    "save",
    "insofar",
    "whilst",
    "while",
    "minus",
];
/// The same of several words.
const LIMITING: [&[&str]; 14] = [
    &["apart", "from"],
    &["aside", "from"],
    &["other", "than"],
    &["as", "long", "as"],
    &["so", "long", "as"],
    &["but", "not"],
    &["though", "not"],
    &["although", "not"],
    &["not", "in"],
    &["not", "for"],
    &["with", "the", "exception"],
    &["as", "far", "as"],
    &["up", "to"],
    &["on", "condition"],
];
/// Words that only a statement of its own has.
const FINITE: [&str; 12] =
    ["is", "are", "was", "were", "has", "have", "had", "will", "should", "must", "can", "would"];
/// Before a class of things these limit a statement to it: "in small firms".
const AMONG: [&str; 7] = ["in", "for", "among", "during", "under", "at", "on"];
/// Plurals that do not end in "s".
const MANY: [&str; 6] = ["people", "children", "men", "women", "cattle", "mice"];
/// Why it is so, and not for whom.
const WHY: [&str; 6] = ["reasons", "purposes", "years", "days", "months", "hours"];

/// Words that say that somebody says it, still or again, or thinks it likely.
const SAID_AGAIN: [&str; 71] = [
    "in",
    "mind",
    "personally",
    "as",
    "i",
    "i've",
    "i'd",
    "i'll",
    "i'm",
    "we",
    "said",
    "say",
    "before",
    "my",
    "our",
    "the",
    "recommendation",
    "remains",
    "remain",
    "view",
    "position",
    "opinion",
    "answer",
    "advice",
    "has",
    "have",
    "not",
    "hasn't",
    "changed",
    "change",
    "still",
    "think",
    "believe",
    "maintain",
    "that",
    "to",
    "unchanged",
    "is",
    "stays",
    "stands",
    "again",
    "reiterate",
    "repeat",
    "stated",
    "earlier",
    "previously",
    "same",
    "argued",
    "would",
    "ever",
    "hold",
    "stand",
    "by",
    "and",
    "so",
    "continue",
    "already",
    "indeed",
    "of",
    "opinion",
    "a",
    "an",
    "am",
    "convinced",
    "do",
    "does",
    "probably",
    "likely",
    "unlikely",
    "will",
    "won't",
];

/// What the second line adds to the first, if it says all of that again in its order.
fn added<'w>(b: &'w [LineWord], gaps: &[Gap]) -> Option<Vec<&'w [LineWord]>> {
    let all_again = !gaps.is_empty() && gaps.iter().all(|gap| gap.a.is_empty());
    all_again.then(|| gaps.iter().filter_map(|gap| b.get(gap.b.clone())).collect())
}

/// The words that limit what was said before, if nothing else is changed.
pub(super) fn limit(b: &[LineWord], gaps: &[Gap]) -> Option<Span> {
    let opening = b.first().map(|word| word.span);
    added(b, gaps)?.into_iter().find_map(|new| {
        let first = new.first().map(|word| word.span) == opening;
        // "…, and the drain is within its limits" limits what it is said of.
        let another = |at: &usize| new.iter().take(*at).any(|word| word.is(&FINITE));
        let opens = new.iter().position(|word| word.is(&LIMITS)).filter(|at| !another(at));
        // "It can help" after "it helps".
        let may = matches!(new, [word] if word.is(&["can", "could"])).then_some(0);
        let opens = opens.or(may);
        let set = || (first && sets_frame(new)).then_some(0);
        let at = opens.or_else(|| phrase(new)).or_else(|| class(new)).or_else(set)?;
        span(new, at..new.len())
    })
}

/// "At 500 dollars a month, …", "for new members, …": what stands before the subject says for which
/// case the rest is said. "In my view" and "in fact" say for none.
fn sets_frame(new: &[LineWord]) -> bool {
    const NONE: [&str; 14] = [
        "my",
        "our",
        "fact",
        "general",
        "short",
        "sum",
        "conclusion",
        "view",
        "balance",
        "end",
        "example",
        "instance",
        "present",
        "now",
    ];
    let opens = new.first().is_some_and(|word| word.is(&AMONG));
    let many = || new.iter().any(|word| word.text.ends_with('s') || word.is(&MANY));
    let measured = || new.iter().any(LineWord::number);
    opens && !new.iter().any(|word| word.is(&NONE)) && (many() || measured())
}

fn phrase(new: &[LineWord]) -> Option<usize> {
    (0..new.len()).find(|at| {
        LIMITING.iter().any(|words| {
            let rest = new.get(*at..).unwrap_or_default();
            rest.len() >= words.len()
                && rest.iter().zip(words.iter()).all(|(word, known)| word.text == **known)
        })
    })
}

/// "in stable markets", "for older pupils", "under load": a class without a name, number or article.
fn class(new: &[LineWord]) -> Option<usize> {
    let (first, rest) = new.split_first()?;
    let plain = |word: &LineWord| word.content() && !word.capital && !word.number();
    let many = |word: &LineWord| {
        (word.text.ends_with('s') || word.is(&MANY)) && !word.is(&WHY) && !word.text.ends_with("ss")
    };
    // "On the night buses": many that are known are still not all.
    let the = rest.first().is_some_and(|word| word.is(&["the", "our", "these", "those"]));
    let rest = if the { rest.get(1..).unwrap_or_default() } else { rest };
    let here = || rest.iter().take_while(|word| plain(word));
    if the {
        return (first.is(&AMONG) && here().last().is_some_and(many)).then_some(0);
    }
    // "The chats of business customers".
    let of = first.is(&["of", "with"]) && here().last().is_some_and(many);
    let opens = (first.is(&AMONG) || of) && rest.first().is_some_and(plain);
    // "For personal use", "in dry weather": without an article, a kind and no single thing.
    (opens && (here().any(many) || here().count() > 1)).then_some(0)
}

/// Nothing is new but that it is said again or with more force, or how likely it is held to be.
pub(super) fn says_again(b: &[LineWord], gaps: &[Gap]) -> bool {
    let mut new = gaps.iter().filter_map(|gap| b.get(gap.b.clone()));
    !gaps.is_empty() && new.all(|new| without_force(new).iter().all(|word| word.is(&SAID_AGAIN)))
}

/// Words without what closes a denial with force: "not wise **at all**".
fn without_force(new: &[LineWord]) -> &[LineWord] {
    match new {
        [rest @ .., at, all] if at.is(&["at"]) && all.is(&["all"]) => rest,
        [rest @ .., last] if last.is(&["whatsoever"]) => rest,
        _ => new,
    }
}
