//! Which of several options is chosen, whatever words it is chosen in.
//!
//! "Harlow or Brent?" is answered by a name, and neither yes nor no is a side of it. Without a question
//! two lines may each recommend something: "I'd go with Postgres", "we should choose `MongoDB`".

use rebuttal_model::Span;

use super::words::{self, LineWord, span};

/// Most options of a question.
const MOST: usize = 6;

/// The options that a question gives, in small letters: "Harlow or Brent?", "Buy, hold or sell?". None
/// for a question of yes or no.
pub(super) fn options(question: &str) -> Vec<String> {
    const YES_NO: [&str; 18] = [
        "should", "is", "are", "do", "does", "did", "can", "could", "would", "will", "was", "were",
        "has", "have", "may", "must", "shall", "am",
    ];
    let asked: Vec<(&str, Span)> = words::split(question).collect();
    let Some(or) = asked.iter().rposition(|(word, _)| *word == "or") else { return Vec::new() };
    let name = |at: usize| asked.get(at).map(|(word, _)| *word);
    let (Some(before), Some(after)) = (or.checked_sub(1).and_then(name), name(or + 1)) else {
        return Vec::new();
    };
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let yes_no = name(0).is_some_and(|word| YES_NO.contains(&word.to_lowercase().as_str()));
    if yes_no && !(capital(before) && capital(after)) {
        return Vec::new();
    }
    let mut found = vec![after, before];
    let mut at = or - 1;
    // "Buy, hold or": each before a comma is one more.
    while found.len() < MOST {
        let Some(previous) = at.checked_sub(1).and_then(|at| asked.get(at)) else { break };
        let Some((_, here)) = asked.get(at) else { break };
        let listed =
            question.get(previous.1.end()..here.start()).is_some_and(|gap| gap.starts_with(','));
        let first = at == 1;
        let alone = at >= 2
            && asked.get(at - 2).is_some_and(|(_, it)| {
                question.get(it.end()..previous.1.start()).is_some_and(|gap| gap.starts_with(','))
            });
        if !listed || !(first || alone) {
            break;
        }
        found.push(previous.0);
        at -= 1;
    }
    found.into_iter().map(str::to_lowercase).collect()
}

/// Words by which one is chosen.
const CHOOSES: [&str; 31] = [
    "should",
    "would",
    "must",
    "recommend",
    "recommendation",
    "choose",
    "choice",
    "pick",
    "select",
    "prefer",
    "preference",
    "vote",
    "i'd",
    "let's",
    "answer",
    "better",
    "best",
    "right",
    "favour",
    "favor",
    "accept",
    "take",
    "go",
    "opt",
    "sign",
    "remains",
    "i'll",
    "want",
    "support",
    "back",
    "winner",
];
/// What comes behind these is not what is chosen.
const PASSED_OVER: [&str; 9] =
    ["not", "than", "over", "instead", "rather", "against", "never", "no", "isn't"];
/// A sentence as short as this answers by naming, and one as short as that by what it ends with: "I
/// think it is B".
const NAMES_IT: usize = 2;
const ENDS_WITH_IT: usize = 6;

/// Which of the options a text chooses, by its first sentence that chooses one; and where.
pub(super) fn pick(
    text: &str,
    sentences: impl Iterator<Item = Span>,
    options: &[String],
    question: &str,
) -> Option<(usize, Span)> {
    let asked = names(question, options);
    sentences.filter_map(|sentence| Some((sentence, sentence.of(text)?))).find_map(|(at, said)| {
        let words: Vec<(&str, Span)> = words::split(said).collect();
        let lower = |at: usize| words.get(at).map(|(word, _)| word.to_lowercase());
        let last = words.len().checked_sub(1).and_then(lower);
        let ends = last.is_some_and(|last| options.contains(&last));
        let chooses = words.len() <= NAMES_IT
            || (ends && words.len() <= ENDS_WITH_IT)
            || (0..words.len()).filter_map(lower).any(|word| CHOOSES.contains(&word.as_str()));
        if !chooses || is_elsewhere(said, options, &asked) {
            return None;
        }
        let mut named: Vec<usize> = Vec::new();
        let mut passed = false;
        for (place, (word, own)) in words.iter().enumerate() {
            let small = word.to_lowercase();
            // A new part of the sentence: what was passed over stays behind the comma.
            let parted = place > 0
                && said
                    .get(..own.start())
                    .is_some_and(|head| head.trim_end().ends_with([',', ';']));
            passed = (passed && !parted) || PASSED_OVER.contains(&small.as_str());
            let article = small == "a"
                && words
                    .get(place + 1)
                    .is_some_and(|(next, _)| next.starts_with(char::is_lowercase));
            let option = options.iter().position(|known| *known == small).filter(|_| !article);
            if let Some(option) = option.filter(|option| !passed && !named.contains(option)) {
                named.push(option);
            }
        }
        match named.as_slice() {
            [one] => Some((*one, at)),
            _ => None,
        }
    })
}

/// The names in a text that are none of the options; what opens a sentence has a capital anyway.
fn names(text: &str, options: &[String]) -> Vec<String> {
    let later = words::split(text).skip(1).filter(|(word, _)| word.starts_with(char::is_uppercase));
    let lower = later.map(|(word, _)| word.to_lowercase());
    lower.filter(|word| !options.contains(word) && !word.starts_with("i'") && word != "i").collect()
}

/// A sentence on another thing than the one that was asked about: "sell or keep **Orion**?", "I would
/// keep **Lyra**".
fn is_elsewhere(said: &str, options: &[String], asked: &[String]) -> bool {
    let named = names(said, options);
    let known = |name: &String| said.to_lowercase().contains(name.as_str());
    !asked.is_empty() && !named.is_empty() && !asked.iter().any(known)
}

/// Verbs and nouns that recommend, in a line that does nothing else.
const RECOMMENDS: [&[&str]; 14] = [
    &["go", "with"],
    &["go", "for"],
    &["opt", "for"],
    &["settle", "on"],
    &["choose"],
    &["pick"],
    &["select"],
    &["prefer"],
    &["recommend"],
    &["suggest"],
    &["recommendation"],
    &["choice"],
    &["preference"],
    &["favourite"],
];

/// Whether a line may [recommend](recommended) something, told without reading it.
pub(super) fn may_recommend(text: &str) -> bool {
    let mut words = words::split(text).map(|(word, _)| word);
    let known = |word: &str| {
        RECOMMENDS.iter().any(|known| known.first().is_some_and(|it| word.eq_ignore_ascii_case(it)))
    };
    words.any(known)
}

/// What two lines recommend, each a name of its own for the same purpose.
pub(super) fn recommended(a: &[LineWord], b: &[LineWord]) -> Option<(Span, Span)> {
    let (one, two) = (recommends(a)?, recommends(b)?);
    let same = |one: &LineWord, two: &LineWord| one.same(two);
    let shared = one.name.iter().any(|word| two.name.iter().any(|other| same(word, other)));
    let answered = |from: &[&LineWord], to: &[&LineWord]| {
        from.iter().all(|word| to.iter().any(|other| same(word, other)))
    };
    let purpose = answered(&one.purpose, &two.purpose) && answered(&two.purpose, &one.purpose);
    (!shared && purpose).then_some((one.span, two.span))
}

struct Recommended<'w> {
    name: &'w [LineWord],
    span: Span,
    /// What else is said that tells what it is for.
    purpose: Vec<&'w LineWord>,
}

fn recommends(words: &[LineWord]) -> Option<Recommended<'_>> {
    const DENIES: [&str; 8] =
        ["not", "never", "no", "don't", "wouldn't", "shouldn't", "against", "or"];
    if words.iter().any(|word| word.is(&DENIES)) {
        return None;
    }
    let (at, size) = RECOMMENDS.iter().find_map(|known| {
        let here = words.windows(known.len()).position(|window| {
            window.iter().zip(known.iter()).all(|(word, known)| word.text == **known)
        })?;
        Some((here, known.len()))
    })?;
    let from = words.iter().enumerate().skip(at + size).find(|(_, word)| word.capital)?.0;
    let end =
        words.iter().skip(from).position(|word| !word.capital).map_or(words.len(), |it| from + it);
    let name = words.get(from..end)?;
    let recommending =
        |place: usize| (at..at + size).contains(&place) || (from..end).contains(&place);
    let purpose = words
        .iter()
        .enumerate()
        .filter(|(place, word)| word.content() && !recommending(*place))
        .map(|(_, word)| word)
        .collect();
    Some(Recommended { name, span: span(words, from..end)?, purpose })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebuttal_text::Reading;

    #[test]
    fn the_options_of_a_question() {
        let all = |question| {
            let mut found = options(question);
            found.sort();
            found
        };
        assert_eq!(all("Which bid is better, Harlow or Brent?"), ["brent", "harlow"]);
        assert_eq!(all("Raise, call or fold this hand?"), ["call", "fold", "raise"]);
        assert_eq!(all("Should we use Postgres or MySQL?"), ["mysql", "postgres"]);
        assert!(all("Should we ban or restrict cars?").is_empty());
        assert!(all("Is it safe?").is_empty());
    }

    #[test]
    fn the_option_that_is_chosen() {
        let options = options("Which bid is better, Harlow or Brent?");
        let picked = |text: &str| {
            let reading = Reading::new(text);
            let question = "Which bid is better, Harlow or Brent?";
            pick(text, reading.sentence_spans(), &options, question)
                .map(|(at, _)| options[at].clone())
        };
        for (text, expected) in [
            ("We should accept Harlow.", Some("harlow")),
            ("Brent, and not Harlow, should get it.", Some("brent")),
            ("Brent is late. I would take Harlow over Brent.", Some("harlow")),
            ("Not Harlow.", None),
            ("Both Harlow and Brent would do.", None),
        ] {
            assert_eq!(picked(text).as_deref(), expected, "{text}");
        }
    }
}
