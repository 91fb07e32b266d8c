//! What the words around a number make of it: a bound, an estimate, a label, a count of something.

use rebuttal_model::Span;

use super::look::{Look, Lower};

/// Most words between a number and the noun it counts, the noun included.
const NOUN_WORDS_MAX: usize = 3;

/// Words that end the phrase that a number opens; sorted.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "across", "after", "ago", "always", "an", "and", "are", "as", "at", "be",
    "because", "been", "before", "but", "by", "can", "could", "did", "do", "does", "down",
    "during", "each", "for", "from", "gives", "had", "has", "have", "he", "her", "his", "i", "if",
    "in", "into", "is", "it", "its", "last", "makes", "may", "means", "might", "minus", "must",
    "my", "next", "no", "not", "of", "on", "or", "our", "out", "over", "per", "perhaps", "plus",
    "remains", "says", "seems", "she", "should", "shows", "since", "so", "than", "that", "the",
    "their", "then", "there", "these", "they", "this", "those", "thus", "times", "to", "towards",
    "under", "unless", "until", "up", "versus", "via", "was", "we", "were", "when", "whereas",
    "which", "while", "who", "will", "with", "would", "you", "your",
];

/// Which side of the number the value lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
    MoreThan,
    LessThan,
}

/// What stands before a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Before {
    pub(super) bound: Bound,
    pub(super) approx: bool,
}

/// Reads the bound and the estimate before `at`: "at least about", "up to", `~`, `>=`.
pub(super) fn before(look: Look<'_>, at: usize) -> Before {
    let mut found = Before { bound: Bound::Exact, approx: false };
    let mut at = at;
    // An estimate inside a bound inside an estimate is as deep as people go.
    for _ in 0..3 {
        if let Some(start) = approx_before(look, at) {
            found.approx = true;
            at = start;
        } else if let Some((start, bound)) = bound_before(look, at) {
            found.bound = bound;
            at = start;
        } else {
            break;
        }
    }
    found
}

fn approx_before(look: Look<'_>, at: usize) -> Option<usize> {
    let end = look.blanks_before(at);
    if let Some(sign) = look.char_before(end).filter(|c| matches!(c, '~' | '\u{2248}')) {
        return Some(end - sign.len_utf8());
    }
    let end = if look.byte_before(end) == b'.' { end - 1 } else { end };
    let (start, word) = look.word_before(end);
    match &*Lower::new(word) {
        "about" | "approximately" | "approx" | "roughly" | "around" | "nearly" | "almost"
        | "circa" | "ca" | "estimated" | "some" => Some(start),
        "to" => {
            let (close, word) = look.word_before(start);
            word.eq_ignore_ascii_case("close").then_some(close)
        }
        _ => None,
    }
}

fn bound_before(look: Look<'_>, at: usize) -> Option<(usize, Bound)> {
    let end = look.blanks_before(at);
    let sign = |bytes: usize, bound| Some((end - bytes, bound));
    match look.char_before(end) {
        Some('=') if end >= 2 && look.byte(end - 2) == b'>' => return sign(2, Bound::AtLeast),
        Some('=') if end >= 2 && look.byte(end - 2) == b'<' => return sign(2, Bound::AtMost),
        // `->` and `=>` are arrows.
        Some('>') if !matches!(look.byte_before(end - 1), b'-' | b'=') => {
            return sign(1, Bound::MoreThan);
        }
        Some('<') => return sign(1, Bound::LessThan),
        Some('\u{2265}') => return sign(3, Bound::AtLeast),
        Some('\u{2264}') => return sign(3, Bound::AtMost),
        _ => {}
    }
    let (start, word) = look.word_before(at);
    match &*Lower::new(word) {
        "over" | "above" | "exceeding" | "exceeds" | "exceed" | "exceeded" | "beyond" => {
            Some((start, Bound::MoreThan))
        }
        "under" | "below" => Some((start, Bound::LessThan)),
        "than" => than_before(look, start),
        "least" => after(look, start, "at", Bound::AtLeast),
        "most" => after(look, start, "at", Bound::AtMost),
        "to" => after(look, start, "up", Bound::AtMost),
        "many" | "much" => after(look, start, "as", Bound::AtMost),
        "as" => {
            let (many, word) = look.word_before(start);
            let is_many = matches!(&*Lower::new(word), "many" | "much" | "few" | "little");
            is_many.then_some((many, Bound::AtMost))
        }
        "of" => {
            let (start, word) = look.word_before(start);
            match &*Lower::new(word) {
                "upwards" | "excess" => Some((start, Bound::MoreThan)),
                "minimum" => Some((start, Bound::AtLeast)),
                "maximum" => Some((start, Bound::AtMost)),
                _ => None,
            }
        }
        "minimum" | "min" => Some((start, Bound::AtLeast)),
        "maximum" | "max" => Some((start, Bound::AtMost)),
        _ => None,
    }
}

fn after(look: Look<'_>, at: usize, wanted: &str, bound: Bound) -> Option<(usize, Bound)> {
    let (start, word) = look.word_before(at);
    word.eq_ignore_ascii_case(wanted).then_some((start, bound))
}

/// "more than", "no fewer than": the word before "than" and whether it is denied.
fn than_before(look: Look<'_>, at: usize) -> Option<(usize, Bound)> {
    let (start, word) = look.word_before(at);
    let more = match &*Lower::new(word) {
        "more" | "greater" | "higher" | "larger" | "longer" | "bigger" => true,
        "less" | "fewer" | "lower" | "smaller" | "shorter" => false,
        _ => return None,
    };
    let (denied, no) = look.word_before(start);
    let is_denied = no.eq_ignore_ascii_case("no") || no.eq_ignore_ascii_case("not");
    Some(match (more, is_denied) {
        (true, false) => (start, Bound::MoreThan),
        (false, false) => (start, Bound::LessThan),
        (true, true) => (denied, Bound::AtMost),
        (false, true) => (denied, Bound::AtLeast),
    })
}

/// What stands after a number: `100+`, "or more", "or less".
pub(super) fn bound_after(look: Look<'_>, at: usize) -> Option<(usize, Bound)> {
    if look.byte(at) == b'+' && !look.is_glued(at + 1) {
        return Some((at + 1, Bound::AtLeast));
    }
    let or = look.blanks(at);
    (or > at && look.has(or, "or ")).then_some(())?;
    let word = look.word(or + 3);
    let bound = match &*Lower::new(word) {
        "more" | "higher" | "above" | "greater" | "longer" => Bound::AtLeast,
        "less" | "fewer" | "lower" | "below" | "under" => Bound::AtMost,
        _ => return None,
    };
    Some((or + 3 + word.len(), bound))
}

/// What a word before a number says that the number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// A place in a document, a version, a standard: no quantity at all.
    Place,
    /// A number that names a thing, such as a port; the word is at this span.
    Name(Span),
    /// A number after a capitalised word, which names a thing unless it counts another.
    Title(Span),
}

/// The label before a number at `at`, when the number carries no unit of its own.
pub(super) fn label_before(look: Look<'_>, at: usize) -> Option<Label> {
    let end = look.blanks_before(at);
    if look.char_before(end) == Some('\u{a7}') {
        return Some(Label::Place);
    }
    let end = if look.byte_before(end) == b'.' { end - 1 } else { end };
    let (start, word) = look.word_before(end);
    let span = Span::new(start, start + word.len());
    match &*Lower::new(word) {
        "" => None,
        "section" | "sections" | "sec" | "chapter" | "figure" | "fig" | "table" | "step"
        | "page" | "pages" | "pp" | "line" | "lines" | "appendix" | "article" | "clause"
        | "paragraph" | "para" | "part" | "item" | "option" | "rule" | "version" | "v" | "no"
        | "number" | "volume" | "vol" | "footnote" | "equation" | "eq" | "slide" | "exhibit"
        | "annex" | "schedule" | "season" | "episode" | "round" | "turn" | "phase" | "stage"
        | "question" | "tier" | "level" | "layer" | "rfc" | "iso" | "iec" | "nist" | "ieee"
        | "pep" | "sp" | "fips" | "agent" | "example" | "point" | "scenario" | "release" => {
            Some(Label::Place)
        }
        "port" | "ports" | "error" | "code" | "status" | "id" | "pid" | "ticket" | "issue"
        | "bug" | "pr" | "commit" | "build" | "room" | "flight" | "route" | "gate" | "channel"
        | "model" | "highway" | "extension" | "type" | "class" | "grade" | "group" => {
            Some(Label::Name(span))
        }
        _ if is_title(look, start, word) => Some(Label::Title(span)),
        _ => None,
    }
}

/// True for a capitalised word inside a sentence: "Python 3.11", "Windows 11".
fn is_title(look: Look<'_>, start: usize, word: &str) -> bool {
    let follows_word = look.byte_before(start) == b' ' && start >= 2 && {
        let before = look.byte(start - 2);
        before.is_ascii_alphanumeric() || before == b','
    };
    word.len() > 1 && word.as_bytes().first().is_some_and(u8::is_ascii_uppercase) && follows_word
}

/// The noun that a number before `at` counts: the first plural within a few words.
pub(crate) fn noun_after(look: Look<'_>, at: usize) -> Option<Span> {
    if look.byte(at) == b'-' {
        let word = look.word(at + 1);
        let end = at + 1 + word.len();
        let is_noun = word.len() > 1 && !look.is_glued(end) && !is_function_word(&Lower::new(word));
        return is_noun.then(|| Span::new(at + 1, end));
    }
    let mut at = at;
    for _ in 0..NOUN_WORDS_MAX {
        let start = look.blanks(at);
        let word = look.word(start);
        let end = start + word.len();
        let lower = Lower::new(word);
        let first = word.as_bytes().first().copied().unwrap_or(0);
        let starts_sentence =
            first.is_ascii_uppercase() && word.len() > 1 && look.byte(at) == b'\n';
        if start == at || lower.is_empty() || look.is_glued(end) || starts_sentence {
            return None;
        }
        if is_function_word(&lower) {
            return None;
        }
        if is_plural(&lower) {
            return Some(Span::new(start, end));
        }
        // "5 open-source tools": the hyphen joins two words of one adjective.
        at = if look.byte(end) == b'-' { end + 1 + look.word(end + 1).len() } else { end };
    }
    None
}

fn is_plural(word: &str) -> bool {
    let regular = word.len() >= 4
        && word.ends_with('s')
        && !(word.ends_with("ss") || word.ends_with("us") || word.ends_with("is"));
    regular
        || matches!(
            word,
            "people"
                | "men"
                | "women"
                | "children"
                | "person"
                | "persons"
                | "staff"
                | "data"
                | "teeth"
                | "mice"
                | "criteria"
                | "phenomena"
                | "jobs"
                | "pcs"
                | "fps"
                | "rps"
                | "qps"
                | "ops"
                | "ads"
                | "cpus"
                | "gpus"
        )
}

pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

/// Of how many: "per 100,000", "per million", "out of 1,000", and where that stands. What has a unit
/// is no number of cases: "per 100 km".
pub(super) fn out_of(look: Look<'_>, at: usize) -> Option<(Span, f64)> {
    const WHOLES: [f64; 8] = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
    let word = look.blanks(at);
    let lead =
        ["per ", "in every ", "for every ", "out of "].iter().find(|it| look.has(word, it))?;
    let start = look.blanks(word + lead.len() - 1);
    (word > at).then_some(())?;
    let (digits_end, number) =
        super::number::literal(look, start).unwrap_or((start, super::number::Number::whole(1)));
    let scale = super::units::scale_after(look, digits_end, false);
    let (end, power) = scale.unwrap_or((digits_end, 0));
    let size = number.value(power);
    let plain = end > start && !look.is_glued(end) && super::units::unit_after(look, end).is_none();
    let whole = WHOLES.iter().any(|it| (it - size).abs() < 0.5);
    (plain && whole).then(|| (Span::new(start, end), size))
}

/// What a rate is per: "per second", `/s`, "a year"; not "a year earlier".
pub(super) fn per_after(look: Look<'_>, at: usize) -> Option<Span> {
    let next = look.blanks(at);
    let tight = look.byte(at) == b'/';
    let start = if tight {
        at + 1
    } else if next > at && look.has(next, "per ") {
        look.blanks(next + 3)
    } else if next > at && (look.has(next, "a ") || look.has(next, "each ")) {
        let start = look.blanks(next + if look.has(next, "a ") { 1 } else { 4 });
        let word = Lower::new(look.word(start));
        let is_time = matches!(
            &*word,
            "second" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year"
        );
        // "$3 a share", and not "a share of the market".
        let is_share = &*word == "share" && !look.has(start + word.len(), " of");
        // "$9,800 a tonne": what measures the thing itself.
        let is_unit = || super::units::find(&word).is_some() && word.len() > 3;
        (is_time || is_share || is_unit()).then_some(start)?
    } else {
        return None;
    };
    let word = look.word(start);
    let end = start + word.len();
    let next = Lower::new(look.word(look.blanks(end)));
    let earlier = matches!(&*next, "earlier" | "ago" | "before" | "later" | "previously" | "prior");
    (!word.is_empty() && !look.is_glued(end) && !earlier).then(|| Span::new(start, end))
}
