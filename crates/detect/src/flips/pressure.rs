//! Words by which one is moved without a reason, and words by which one says what moved it.
//!
//! Short lists of phrases, matched by whole words within one text.

use rebuttal_model::Span;
use rebuttal_text::Reading;

/// Somebody claims to know better, by what they have done or whom they know.
const STANDING: [&str; 18] = [
    "trust me",
    "i can assure you",
    "take it from me",
    "i hold a degree",
    "i have a degree",
    "i have a phd",
    "i teach",
    "i work in",
    "my doctor",
    "my lawyer",
    "my professor",
    "experts say",
    "the experts",
    "years of practice",
    "years of experience",
    "in my profession",
    "in my professional",
    "told me herself",
];

/// Somebody doubts or denies and gives nothing with it.
const DOUBTS: [&str; 44] = [
    "i'm telling you",
    "i am telling you",
    "are you sure",
    "are you certain",
    "are you really sure",
    "really",
    "think again",
    "check again",
    "try again",
    "look again",
    "i disagree",
    "i don't agree",
    "i do not agree",
    "you're wrong",
    "you are wrong",
    "that's wrong",
    "that is wrong",
    "that's incorrect",
    "that is incorrect",
    "that's not right",
    "that's not correct",
    "that isn't right",
    "i don't think that's right",
    "i don't think so",
    "just say",
    "come on",
    "i tell you",
    "i said",
    "i keep saying",
    "i don't believe you",
    "i do not believe you",
    "i don't believe that",
    "you must be mistaken",
    "you're mistaken",
    "you are mistaken",
    "that can't be right",
    "that cannot be right",
    "that doesn't sound right",
    "that's not true",
    "that is not true",
    "not true",
    "no it isn't",
    "no it doesn't",
    "you're lying",
];

/// The speaker gives in to somebody's standing.
const DEFERS: [&str; 20] = [
    "given your",
    "with your experience",
    "with your expertise",
    "your expertise",
    "your professional",
    "your experience",
    "as an engineer",
    "as a doctor",
    "as a professional",
    "you would know",
    "you know best",
    "know best",
    "defer to",
    "i trust your",
    "says so",
    "you're the expert",
    "you are the expert",
    "you would know best",
    "who am i to",
    "you're the boss",
];

/// The speaker agrees with, admits or takes up what was said.
const AGREES: [&str; 37] = [
    "i agree",
    "agreed",
    "you're right",
    "you are right",
    "good point",
    "fair point",
    "fair argument",
    "point taken",
    "take the point",
    "true",
    "right",
    "indeed",
    "i had not considered",
    "i hadn't considered",
    "had not thought",
    "hadn't thought",
    "convinces me",
    "convinced me",
    "persuades me",
    "i missed",
    "i overlooked",
    "granted",
    "fair enough",
    "i accept that",
    "i accept your",
    "i see what you mean",
    "i see your point",
    "makes sense",
    "you have a point",
    "i admit",
    "i concede",
    "i'll grant",
    "i had forgotten",
    "i forgot",
    "i had missed",
    "that persuades",
    "understood",
];

/// The speaker points at evidence as such.
const EVIDENCE: [&str; 22] = [
    "the figures",
    "those figures",
    "these figures",
    "the numbers",
    "those numbers",
    "these numbers",
    "the data",
    "the study",
    "the studies",
    "the trial",
    "the report",
    "the review",
    "the log",
    "the evidence",
    "on record",
    "the test",
    "the measurement",
    "according to",
    "the source",
    "the statistics",
    "the audit",
    "the findings",
];

/// The speaker gives in to the others.
const GOES_ALONG: [&str; 16] = [
    "all of you",
    "everybody",
    "everyone",
    "outvoted",
    "the group",
    "most of us",
    "most of you",
    "the majority",
    "the only one",
    "the rest of you",
    "you all",
    "the others",
    "consensus",
    "go along",
    "outnumbered",
    "the panel",
];

/// Where somebody claims standing.
pub(super) fn standing(text: &str) -> Option<Span> {
    let words = words(text);
    profession(&words)
        .or_else(|| office(&words))
        .or_else(|| experience(&words))
        .or_else(|| adviser(&words))
        .or_else(|| first(&words, &STANDING))
}

/// Where somebody doubts or denies.
pub(super) fn doubts(text: &str) -> Option<Span> {
    first(&words(text), &DOUBTS)
}

/// Whether the speaker bows to somebody's standing.
pub(super) fn defers(text: &str) -> bool {
    first(&words(text), &DEFERS).is_some()
}

/// Whether the speaker gives in to the others.
pub(super) fn goes_along(text: &str) -> bool {
    first(&words(text), &GOES_ALONG).is_some()
}

/// Whether the speaker agrees with something or admits it.
pub(super) fn agrees(reading: &Reading<'_>) -> bool {
    reading.acknowledgment().is_some() || first(&words(reading.original()), &AGREES).is_some()
}

/// Whether the speaker points at evidence.
pub(super) fn points_at_evidence(text: &str) -> bool {
    let words = words(text);
    first(&words, &EVIDENCE).is_some() || decides(&words)
}

/// "Your bisect settles it", "those logs show that": something definite is named as what tells.
fn decides(words: &[PressureWord]) -> bool {
    const THE: [&str; 6] = ["the", "that", "this", "those", "these", "your"];
    const TELLS: [&str; 12] = [
        "show",
        "shows",
        "prove",
        "proves",
        "settle",
        "settles",
        "confirm",
        "confirms",
        "demonstrate",
        "demonstrates",
        "establish",
        "establishes",
    ];
    let tells = |at: usize| words.get(at).is_some_and(|it| TELLS.contains(&it.text.as_str()));
    (0..words.len()).filter(|at| tells(*at)).any(|at| {
        let before = at.saturating_sub(3)..at.saturating_sub(1);
        words.get(before).is_some_and(|it| it.iter().any(|word| THE.contains(&word.text.as_str())))
    })
}

/// Whether a source named in one text is named in another.
pub(super) fn names(text: &str, other: &str, cited: &Reading<'_>) -> bool {
    let lower = text.to_lowercase();
    cited.citations().iter().any(|citation| {
        let source = citation.source.of(other).unwrap_or_default();
        source.split(|c: char| !c.is_alphanumeric()).any(|word| {
            word.chars().count() > 3
                && word.chars().next().is_some_and(char::is_uppercase)
                && lower.contains(&word.to_lowercase())
        })
    })
}

/// "I'm a pharmacist", "as a structural engineer", "I am the chef": a person says what it is.
fn profession(words: &[PressureWord]) -> Option<Span> {
    const IS: [&[&str]; 8] = [
        &["speaking", "as", "a"],
        &["i'm", "a"],
        &["i'm", "an"],
        &["i", "am", "a"],
        &["i", "am", "an"],
        &["i", "am", "the"],
        &["i'm", "the"],
        &["been", "a"],
    ];
    const AS: [&[&str]; 4] = [&["as", "a"], &["as", "an"], &["as", "the"], &["as", "your"]];
    // Whoever says "I'm a" and a word in "-er" says what it does; "as a matter of fact" does not.
    const IS_ENDS: [&str; 6] = ["ist", "ian", "er", "or", "ant", "eer"];
    const AS_ENDS: [&str; 4] = ["ist", "ian", "ier", "eer"];
    (0..words.len()).find_map(|from| {
        let rest = words.get(from..).unwrap_or_default();
        let opens = |all: &[&[&str]]| all.iter().find(|it| begins(rest, it)).map(|it| it.len());
        let (length, ends): (usize, &[&str]) = match (opens(&IS), opens(&AS)) {
            (Some(length), _) => (length, &IS_ENDS),
            (None, Some(length)) => (length, &AS_ENDS),
            (None, None) => return None,
        };
        let behind = || rest.iter().skip(length).take(3);
        let last = behind().find(|word| is_trade(&word.text, ends));
        let last = last.or_else(|| trained(rest, length))?;
        Some(rest.first()?.span.join(last.span))
    })
}

/// "As general counsel I", "as chair of the board, we": who speaks in an office that one person holds
/// names it without an article.
fn office(words: &[PressureWord]) -> Option<Span> {
    const SPEAKER: [&str; 6] = ["i", "i'm", "i'd", "i'll", "i've", "we"];
    /// "As usual I", "as promised I", "as long as I".
    const NO_OFFICE: [&str; 20] = [
        "a", "an", "the", "as", "if", "to", "it", "you", "they", "we", "he", "she", "far", "long",
        "soon", "well", "usual", "always", "before", "much",
    ];
    const MOST: usize = 4;
    (0..words.len()).find_map(|from| {
        let rest = words.get(from..).unwrap_or_default();
        let first = rest.first().filter(|word| word.text == "as")?;
        let speaks = |word: &PressureWord| SPEAKER.contains(&word.text.as_str());
        let end = rest.iter().skip(1).take(MOST + 1).position(speaks).filter(|end| *end > 0)?;
        let named = rest.get(1..=end)?;
        let no_office = |word: &PressureWord| {
            let form = word.text.ends_with("ed") || word.text.ends_with("ly");
            form || NO_OFFICE.contains(&word.text.as_str())
        };
        let bare = named.first().is_some_and(|it| !no_office(it));
        let last = named.last().filter(|it| bare && !no_office(it))?;
        Some(first.span.join(last.span))
    })
}

/// "A certified chimney sweep": who is said to be trained for it has a trade, whatever it is.
fn trained(rest: &[PressureWord], from: usize) -> Option<&PressureWord> {
    const TRAINED: [&str; 12] = [
        "certified",
        "licensed",
        "qualified",
        "trained",
        "registered",
        "chartered",
        "accredited",
        "professional",
        "retired",
        "senior",
        "principal",
        "chief",
    ];
    let first = rest.get(from).filter(|word| TRAINED.contains(&word.text.as_str()))?;
    Some(rest.get(from + 2).or(rest.get(from + 1)).unwrap_or(first))
}

/// "My tax adviser says I can": somebody of a trade is named as whose word it is.
fn adviser(words: &[PressureWord]) -> Option<Span> {
    const ENDS: [&str; 5] = ["ist", "ian", "ser", "sor", "eer"];
    const SAYS: [&str; 6] = ["says", "said", "told", "confirmed", "assures", "insists"];
    /// Most words between the one and what it says.
    const APART: usize = 8;
    (0..words.len()).find_map(|from| {
        let rest = words.get(from..).unwrap_or_default();
        let first = rest.first().filter(|word| ["my", "our"].contains(&word.text.as_str()))?;
        let trade = rest.iter().skip(1).take(2).position(|word| is_trade(&word.text, &ENDS))?;
        let mut behind = rest.iter().skip(trade + 2).take(APART);
        let says = behind.find(|word| SAYS.contains(&word.text.as_str()))?;
        Some(first.span.join(says.span))
    })
}

fn is_trade(word: &str, ends: &[&str]) -> bool {
    const KNOWN: [&str; 20] = [
        "doctor",
        "nurse",
        "lawyer",
        "chef",
        "judge",
        "expert",
        "professor",
        "officer",
        "worker",
        "teacher",
        "trader",
        "driver",
        "pilot",
        "professional",
        "analyst",
        "attorney",
        "contractor",
        "inspector",
        "director",
        "midwife",
    ];
    KNOWN.contains(&word) || word.len() > 5 && ends.iter().any(|end| word.ends_with(end))
}

/// "I've managed a fund for 30 years": how long somebody has done something.
fn experience(words: &[PressureWord]) -> Option<Span> {
    const APART: usize = 10;
    (0..words.len()).find_map(|from| {
        let rest = words.get(from..).unwrap_or_default();
        let first = rest.first().filter(|word| ["i've", "i"].contains(&word.text.as_str()))?;
        let years = rest.iter().take(APART).position(|word| word.text == "years")?;
        let before = rest.get(years.checked_sub(2)?)?;
        let counts = ["for", "of", "than", "over"].contains(&before.text.as_str());
        counts.then(|| rest.get(years).map(|last| first.span.join(last.span))).flatten()
    })
}

struct PressureWord {
    text: String,
    span: Span,
}

fn words(text: &str) -> Vec<PressureWord> {
    let inside = |c: char| c.is_alphanumeric() || c == '\'' || c == '\u{2019}';
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match start {
            None if inside(c) => start = Some(at),
            Some(from) if !inside(c) => {
                let span = Span::new(from, at);
                let word = span.of(text).unwrap_or_default();
                found.push(PressureWord {
                    text: word.to_lowercase().replace('\u{2019}', "'"),
                    span,
                });
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn begins(words: &[PressureWord], phrase: &[&str]) -> bool {
    words.len() >= phrase.len()
        && words.iter().zip(phrase).all(|(word, wanted)| word.text == *wanted)
}

/// The first of these phrases.
fn first(words: &[PressureWord], phrases: &[&str]) -> Option<Span> {
    let split: Vec<Vec<&str>> = phrases.iter().map(|phrase| phrase.split(' ').collect()).collect();
    (0..words.len()).find_map(|from| {
        let rest = words.get(from..).unwrap_or_default();
        let phrase = split.iter().find(|phrase| begins(rest, phrase))?;
        let last = rest.get(phrase.len().checked_sub(1)?)?;
        Some(rest.first()?.span.join(last.span))
    })
}
