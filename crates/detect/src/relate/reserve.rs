//! How far a statement goes: in full, nearly, or only in part.
//!
//! "X is true", "X is mostly true" and "X is sometimes true" say the same of the same thing to a
//! different extent. Going from one to the next is no contradiction; how far one goes says what it is.

use rebuttal_model::Span;
use rebuttal_text::{Content, Reading, Topic};

/// How much of the claim a statement makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// All of it.
    Full,
    /// Nearly all: "mostly", "usually".
    Nearly,
    /// Some of it, or under a condition, or perhaps: "sometimes", "if", "may".
    Partly,
}

/// How far a statement goes, and the words that say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reserve {
    pub(crate) reach: Reach,
    pub(crate) span: Option<Span>,
}

/// Words that leave little out.
const NEARLY: [&str; 26] = [
    "almost",
    "as a rule",
    "broadly",
    "by and large",
    "commonly",
    "essentially",
    "fairly",
    "for the most part",
    "frequently",
    "generally",
    "in general",
    "in most cases",
    "in principle",
    "largely",
    "mainly",
    "more or less",
    "most",
    "mostly",
    "nearly",
    "normally",
    "overall",
    "quite",
    "rather",
    "relatively",
    "typically",
    "usually",
];

/// Words that shut something out.
const SHUTS_OUT: [&str; 5] = ["only", "except", "excluding", "barring", "limited"];

/// Words that leave little out and hedge nothing, so that no list of hedges has them.
const ROUGHLY: [&str; 3] = ["overall", "broadly", "essentially"];

impl Reserve {
    const NONE: Self = Self { reach: Reach::Full, span: None };

    /// The furthest reserve of a text.
    pub(crate) fn of(reading: &Reading<'_>, content: &Content) -> Self {
        let mut found = Self::NONE;
        let text = reading.original();
        for cue in reading.hedging().cues {
            let words = cue.span.of(text).unwrap_or_default();
            // "Every one of the samples" is all of them.
            let before = text.get(..cue.span.start()).unwrap_or_default().trim_end();
            if ["every", "each", "any"].iter().any(|all| ends_with_word(before, all)) {
                continue;
            }
            if let Some(reach) = reach(cue.group, words) {
                found.note(reach, cue.span);
            }
        }
        for clause in &content.clauses {
            if clause.not_all || clause.conditional {
                let span = clause.negator.filter(|_| clause.not_all);
                found.note(Reach::Partly, span.unwrap_or_default());
            }
        }
        let mut before = "";
        for (word, span) in words(text) {
            // "The only one who" counts people and limits nothing.
            let counts = word.eq_ignore_ascii_case("only") && before.eq_ignore_ascii_case("the");
            before = word;
            if counts {
                continue;
            }
            if SHUTS_OUT.iter().any(|known| word.eq_ignore_ascii_case(known)) {
                found.note(Reach::Partly, span);
            } else if ROUGHLY.iter().any(|known| word.eq_ignore_ascii_case(known)) {
                found.note(Reach::Nearly, span);
            }
        }
        found
    }

    fn note(&mut self, reach: Reach, span: Span) {
        if reach > self.reach {
            *self = Self { reach, span: Some(span).filter(|span| !span.is_empty()) };
        }
    }
}

/// Words that make an answer depend on something, wherever they stand in a sentence on the topic or one
/// that points at it.
const DEPENDS: [&str; 10] = [
    "depends on",
    "it depends",
    "depend on",
    "only under",
    "only if",
    "only when",
    "not for everyone",
    "in some cases",
    "for some people",
    "under certain",
];

/// Whether a text says that the answer as such holds only under a condition or for some: in its first or
/// last sentences, where answers stand, in the speaker's own words, on the topic or pointing at it.
pub(crate) fn depends(reading: &Reading<'_>, topic: &Topic) -> bool {
    const ENDS: usize = 2;
    let text = reading.original();
    let spans: Vec<Span> = reading.sentence_spans().collect();
    let answers = |at: usize| at < ENDS || at + ENDS >= spans.len();
    let says = |span: &Span| {
        let sentence = span.of(text).unwrap_or_default().to_lowercase();
        let found = DEPENDS.iter().any(|known| {
            sentence.match_indices(known).any(|(at, _)| {
                let head = sentence.get(..at).unwrap_or_default();
                !head.ends_with(char::is_alphanumeric)
                    && !["not ", "n't ", "never "].iter().any(|denies| head.ends_with(denies))
            })
        });
        let points = words(&sentence).any(|(word, _)| matches!(word, "it" | "this" | "whether"));
        let named = || {
            let content = Reading::new(&sentence).content();
            content.words.iter().any(|word| topic.names(word.term))
        };
        found && (points || named())
    };
    // "It depends on the child" speaks of the answer, wherever it stands.
    let outright = |span: &Span| {
        let sentence = span.of(text).unwrap_or_default().to_lowercase();
        let first = words(&sentence).map(|(word, _)| word).find(|word| *word != "so");
        matches!(first, Some("it" | "whether")) && sentence.contains(" depends on ")
    };
    let mut numbered = spans.iter().enumerate();
    numbered.any(|(at, span)| (answers(at) && says(span)) || outright(span))
}

/// What a hedge leaves of the claim; nothing for hedges that only mark it as an opinion.
fn reach(group: &str, words: &str) -> Option<Reach> {
    let nearly = NEARLY.iter().any(|known| words.eq_ignore_ascii_case(known));
    match group {
        "hedge.frequency" | "hedge.amount" | "hedge.loose-amount" if nearly => Some(Reach::Nearly),
        "hedge.frequency" | "hedge.amount" | "hedge.condition" | "hedge.modal" | "hedge.adverb" => {
            Some(Reach::Partly)
        }
        "hedge.verb" => Some(Reach::Nearly),
        _ => None,
    }
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let start = text.len().saturating_sub(word.len());
    let (head, tail) = text.split_at_checked(start).unwrap_or_default();
    tail.eq_ignore_ascii_case(word) && !head.ends_with(char::is_alphanumeric)
}

/// The words of a text with their places.
fn words(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let inside = |c: char| c.is_alphanumeric() || c == '\'';
    text.split(move |c: char| !inside(c)).filter(|word| !word.is_empty()).map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (word, Span::new(start, start + word.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reserve(text: &str) -> Reserve {
        let reading = Reading::new(text);
        Reserve::of(&reading, &reading.content())
    }

    #[test]
    fn how_far_a_statement_goes() {
        let reach = |text| reserve(text).reach;
        for (text, expected) in [
            ("The plan is sound.", Reach::Full),
            ("I think the plan is sound.", Reach::Full),
            ("The plan is mostly sound.", Reach::Nearly),
            ("Overall, the plan is sound.", Reach::Nearly),
            ("Every one of the plans is sound.", Reach::Full),
            ("The plan is sometimes sound.", Reach::Partly),
            ("The plan may be sound.", Reach::Partly),
            ("If demand holds, the plan is sound.", Reach::Partly),
            ("The plan is sound only for small teams.", Reach::Partly),
            ("As the only one left, I find the plan sound.", Reach::Full),
        ] {
            assert_eq!(reach(text), expected, "{text}");
        }
    }

    #[test]
    fn the_words_are_found_where_they_stand() {
        let text = "Ünsere plan is sound, except in June.";
        let span = reserve(text).span;
        assert_eq!(span.and_then(|span| span.of(text)), Some("except"));
    }
}
