//! Writes claims through templates, and remembers where the values came to stand.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::claim::{Claim, Trend};
use super::entities::possessive;
use super::metrics::Form;
use super::rng::Rng;
use super::value::Shape;

/// How a sentence points at its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// `Qatar`.
    Name,
    /// `the country`, behind a sentence that named it.
    Noun,
    /// `its`, likewise.
    Pronoun,
    /// Not at all, likewise.
    Omitted,
}

/// A template, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    text: String,
    parts: Vec<Part>,
    /// Takes plain numbers only.
    plain: bool,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    /// A slot and the claim it speaks of.
    Slot(String, usize),
}

impl Template {
    pub(crate) fn parse(text: &str) -> Self {
        let (plain, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let mut parts = Vec::new();
        for piece in text.split_inclusive('}') {
            let (before, slot) = piece.split_once('{').unwrap_or((piece, ""));
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            if let Some(slot) = slot.strip_suffix('}') {
                let name = slot.trim_end_matches('2');
                parts.push(Part::Slot(name.to_owned(), usize::from(name != slot)));
            }
        }
        Self { text: text.to_owned(), parts, plain }
    }

    fn has(&self, slots: &[&str]) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| matches!(part, Part::Slot(slot, _) if slots.contains(&slot.as_str())))
    }

    /// True when these claims can be put in these words.
    fn fits(&self, claims: &[&Claim], reference: Reference) -> bool {
        let names = self.has(&["E", "H", "Es", "in", "for"]);
        let points = match reference {
            Reference::Name => names,
            Reference::Noun => self.has(&["Es", "in", "for"]),
            Reference::Pronoun => self.has(&["Es"]) && !self.has(&["E", "H", "in", "for"]),
            Reference::Omitted => !names,
        };
        let dated = self.has(&["P", "p", "inP"]);
        points
            && claims.iter().all(|claim| {
                self.has(&["S", "s"]) == claim.source.is_some()
                    && dated == claim.thing.period.is_some()
                    && self.suits(claim)
            })
    }

    /// True when metric, value and direction of a claim sound right in these words.
    fn suits(&self, claim: &Claim) -> bool {
        let name = claim.metric_name();
        let wordy = name.text.contains(" of ") || name.text.contains(" at ");
        let shape = claim.written.shape;
        let plain = matches!(shape, Shape::Exact | Shape::About);
        (plain || !self.plain)
            && (!wordy || !self.has(&["aM"]))
            && (name.form == Form::Count || !self.has(&["cM"]))
            && (claim.trend != Trend::Unsaid || !self.has(&["rose", "reached"]))
            && (claim.trend != Trend::Down || !self.has(&["reached"]))
    }
}

/// The templates of these texts, taken apart once.
pub(crate) fn parsed(texts: &'static [&'static str]) -> &'static [Template] {
    static KNOWN: OnceLock<Mutex<BTreeMap<usize, &'static [Template]>>> = OnceLock::new();
    let known = KNOWN.get_or_init(Mutex::default);
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    let parse = || Vec::leak(texts.iter().map(|text| Template::parse(text)).collect());
    known.entry(texts.as_ptr().addr()).or_insert_with(|| parse())
}

/// What a claim stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A sentence made for this claim alone.
    #[default]
    Own,
    /// A sentence that names everything.
    Sentence,
    /// A sentence with another claim in it.
    Shared,
    /// A sentence that points back to one that names the entity.
    Pointing,
    /// A line below a heading.
    List,
    /// A line of a table below a heading.
    Table,
    /// A line of a table with the metric in its head.
    Grid,
}

/// Where a claim came to stand in a text.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// Which of the report's claims.
    pub(crate) claim: usize,
    /// The value; for a judgement, the sentence.
    pub(crate) value: Range<usize>,
    pub(crate) sentence: Range<usize>,
    pub(crate) place: Place,
    /// The words it was put in.
    pub(crate) template: String,
}

/// A report in the making.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) out: String,
    pub(crate) marks: Vec<Mark>,
    /// True when apostrophes are curly.
    pub(crate) curly: bool,
    /// What is being written.
    pub(crate) place: Place,
    /// Templates used, for the test that all are.
    pub(crate) used: Vec<(&'static str, usize)>,
}

impl Text {
    /// One of the templates that fit, or none.
    pub(crate) fn choose(
        rng: &mut Rng,
        from: &'static [Template],
        claims: &[&Claim],
        reference: Reference,
    ) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..from.len()).filter(|&index| from[index].fits(claims, reference)).collect();
        (!fitting.is_empty()).then(|| fitting[rng.below(fitting.len())])
    }

    /// Writes claims in these words; `keys` are their places among the report's claims.
    pub(crate) fn write(
        &mut self,
        rng: &mut Rng,
        template: &Template,
        claims: &[(usize, &Claim)],
        reference: Reference,
    ) {
        let start = self.out.len();
        let mut values = Vec::new();
        for part in &template.parts {
            match part {
                Part::Text(text) => self.out.push_str(text),
                Part::Slot(slot, which) => {
                    let (key, claim) = claims[*which];
                    let from = self.out.len();
                    let words = self.words(rng, slot, claim, reference);
                    self.out.push_str(&words);
                    if slot == "V" {
                        values.push((key, from..self.out.len()));
                    }
                }
            }
        }
        self.capitalise(start);
        let sentence = start..self.out.len();
        let judged = claims.iter().filter(|(_, claim)| claim.written.shape == Shape::Words);
        values.extend(judged.map(|(key, _)| (*key, sentence.clone())));
        for (claim, value) in values {
            let (sentence, template) = (sentence.clone(), template.text.clone());
            self.marks.push(Mark { claim, value, sentence, place: self.place, template });
        }
    }

    /// Writes words without a claim.
    pub(crate) fn say(&mut self, rng: &mut Rng, template: &str) {
        let start = self.out.len();
        for piece in template.split("{N}") {
            if self.out.len() > start {
                self.out.push_str(&(2 + rng.below(40)).to_string());
            }
            self.out.push_str(piece);
        }
    }

    fn words(&self, rng: &mut Rng, slot: &str, claim: &Claim, reference: Reference) -> String {
        let (metric, kind) = (claim.metric_name(), claim.thing.entity.kind);
        let entity = match reference {
            Reference::Name | Reference::Omitted => claim.entity_name(),
            Reference::Noun | Reference::Pronoun => kind.noun(),
        };
        let agrees =
            |one: &str, many: &str| if metric.form == Form::Plural { many } else { one }.to_owned();
        let period = claim.thing.period;
        let source = claim.source.unwrap_or_default();
        match slot {
            "E" => entity.to_owned(),
            "H" => title(entity.strip_prefix("the ").unwrap_or(entity)),
            "Es" if reference == Reference::Pronoun => "its".to_owned(),
            "Es" => possessive(entity, if self.curly { '’' } else { '\'' }),
            "in" => format!("{} {entity}", kind.preposition()),
            "for" => format!("for {entity}"),
            "tM" | "cM" if metric.form == Form::Count => format!("the {}", metric.text),
            "M" | "tM" | "cM" => metric.text.to_owned(),
            "aM" => with_article(metric.text, metric.form),
            "was" => agrees("was", "were"),
            "is" => agrees("is", "are"),
            "stands" => agrees("stands", "stand"),
            "V" => claim.written.text.clone(),
            "P" => period.expect("dated").long(rng),
            "p" => period.expect("dated").short(rng),
            "inP" => format!("in {}", period.expect("dated").long(rng)),
            "S" => source.to_owned(),
            "s" => source.strip_prefix("the ").unwrap_or(source).to_owned(),
            "rose" if claim.trend == Trend::Up => {
                (*rng.pick(&["rose", "climbed", "increased"])).to_owned()
            }
            "rose" => (*rng.pick(&["fell", "declined", "dropped"])).to_owned(),
            "reached" => "reached".to_owned(),
            "N" => (2 + rng.below(40)).to_string(),
            _ => panic!("no such slot: {slot}"),
        }
    }

    fn capitalise(&mut self, start: usize) {
        // Lists begin with a mark.
        let skip = self.out[start..].len()
            - self.out[start..].trim_start_matches(['-', '*', '|', ' ', '#']).len();
        let at = start + skip;
        if let Some(first) = self.out[at..].chars().next().filter(char::is_ascii_lowercase) {
            self.out.replace_range(at..=at, &first.to_ascii_uppercase().to_string());
        }
    }
}

fn title(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `an error rate`, `a gross margin`, `inflation`.
fn with_article(text: &str, form: Form) -> String {
    let vowel = text.starts_with(['a', 'e', 'i', 'o', 'u', 'E', 'N']);
    match form {
        Form::Count if vowel => format!("an {text}"),
        Form::Count => format!("a {text}"),
        Form::Mass | Form::Plural => text.to_owned(),
    }
}
