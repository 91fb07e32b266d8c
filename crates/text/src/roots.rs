//! Words that deny or turn another within themselves: "unsafe", "careless", "undervalued".

use crate::lexicon::Lexicon;
use crate::words::{self, Stem};

/// Beginnings that deny the rest of a word.
const PREFIXES: [&str; 8] = ["un", "in", "im", "ir", "il", "dis", "non", "mis"];

/// Words that only look as if they had such a beginning, next to one that exists without it.
const NOT_DENIED: [&str; 46] = [
    "discover",
    "disease",
    "invest",
    "impress",
    "import",
    "imports",
    "important",
    "indeed",
    "inform",
    "inside",
    "income",
    "increase",
    "invent",
    "unless",
    "display",
    "dispatch",
    "intent",
    "intend",
    "impart",
    "imply",
    "impact",
    "discuss",
    "dispose",
    "impose",
    "inland",
    "indoor",
    "indoors",
    "input",
    "instill",
    "instance",
    "infer",
    "unit",
    "union",
    "unite",
    "until",
    "under",
    "into",
    "improve",
    "mission",
    "mister",
    "mistake",
    "instead",
    "distance",
    "interest",
    "inn",
    "discount",
];

/// Two beginnings that turn a word opposite ways: "overvalued" and "undervalued".
const PAIRED: [(&str, &str); 4] =
    [("over", "under"), ("up", "down"), ("pro", "anti"), ("hyper", "hypo")];

/// What is no opposite behind them: "overtake" and "undertake", "overwrite" and "underwrite".
const NOT_PAIRED: [&str; 10] =
    ["tak", "took", "writ", "wrote", "stand", "stood", "go", "lie", "hand", "date"];

/// What a word with one of the paired beginnings has in common with its opposite, and whether its
/// own beginning is the second.
fn paired(word: &str) -> Option<(Stem, bool)> {
    let (pair, rest, second) = PAIRED.iter().find_map(|(one, two)| {
        let first = word.strip_prefix(one).map(|rest| (*one, rest, false));
        first.or_else(|| word.strip_prefix(two).map(|rest| (*one, rest, true)))
    })?;
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    let fits = rest.len() > ROOT_BYTES && !NOT_PAIRED.iter().any(|it| rest.starts_with(it));
    // No word has this stem: "valued" is neither.
    fits.then(|| (Stem(words::hash_on(words::hash(pair.as_bytes()), rest.as_bytes())), second))
}

/// The shortest word that is looked for behind a prefix: "un-fit" and no shorter.
const ROOT_BYTES: usize = 3;

/// What is left of a word without what denies in it, and whether something did.
pub(crate) fn root(word: &str) -> Option<(Stem, bool)> {
    let mut buffer = [0; 32];
    let lowered = std::str::from_utf8(words::lower(word, &mut buffer)?).ok()?;
    let stem = |text: &str| Lexicon::english().look_up(text).1;
    if let Some(head) = lowered.strip_suffix("less").filter(|head| head.len() >= ROOT_BYTES) {
        return Some((stem(head), true));
    }
    if let Some(head) = lowered.strip_suffix("ful").filter(|head| head.len() >= ROOT_BYTES) {
        return Some((stem(head), false));
    }
    if let Some(paired) = paired(lowered) {
        return Some(paired);
    }
    let rest = PREFIXES.iter().find_map(|prefix| lowered.strip_prefix(prefix))?;
    if NOT_DENIED.contains(&lowered) {
        return None;
    }
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    (rest.len() >= ROOT_BYTES).then(|| (stem(rest), true))
}

/// The stem of a word that is denied within: never that of the word itself.
pub(crate) fn of_denied(root: Stem) -> Stem {
    Stem(words::hash_on(words::hash(b"non-"), &root.0.to_le_bytes()))
}
