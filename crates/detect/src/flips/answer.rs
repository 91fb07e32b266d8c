//! Long answers: what became of the position on the question, whatever else was said.
//!
//! What the later answer says for either side is weighed, and what it says under reserve apart from
//! what it states. An answer that states the other side breaks with the first; one that grants it
//! under a condition qualifies it; one that takes its words back retracts them.

use rebuttal_model::{FlipKind, Span, Stance};
use rebuttal_text::{Before, Piece, Previous, Reading, StanceReading, Topic, Weighing};

use super::line::Found;
use super::{FlipOutcome, Statements, reserve};

/// How much must be said for the other side, with reserve or without, to be more than manners.
const GRANTED: f64 = 1.0;
/// The share of all that was said which that must be: about as much as for the old side.
const GRANTED_SHARE: f64 = 0.45;
/// How much must be stated for the other side, and which share of all, to be the opposite.
const STATED: f64 = 1.2;
const STATED_SHARE: f64 = 0.75;
/// What a speaker that says it changed its mind adds to what it says for the other side.
const SAID_SO: f64 = 1.0;

/// The two answers as read.
#[derive(Debug)]
pub(super) struct Answers<'r, 't> {
    pub(super) before: &'r Reading<'t>,
    pub(super) after: &'r Reading<'t>,
    pub(super) topic: Topic,
    /// The side the first answer takes.
    pub(super) held: StanceReading,
}

impl<'r, 't> Answers<'r, 't> {
    /// Both answers to the question, if the first one takes a side.
    pub(super) fn new(
        before: &'r Reading<'t>,
        after: &'r Reading<'t>,
        question: &Reading<'_>,
    ) -> Option<Self> {
        let topic = Topic::new(question);
        let held = side(before, &topic);
        (held.stance != Stance::Unclear).then_some(Self { before, after, topic, held })
    }

    /// What became of the position.
    pub(super) fn compare(&self, pair: Statements<'_>) -> Found {
        let pushed = pair.reply_to.map(Reading::new);
        let previous = pushed.as_ref().map(|reading| Previous {
            by: Before::Asker,
            stance: reading.position(Some(&self.topic)).stance,
            reading,
        });
        let weighed = self.after.weighing(&self.topic, previous);
        self.judge(&weighed)
    }

    fn judge(&self, weighed: &Weighing) -> Found {
        let said = self.after.acknowledgment_on(Some(&self.topic)).map(|cue| cue.span);
        let back = self.after.withdrawal_on(Some(&self.topic)).map(|cue| cue.span);
        let sums = Sums::new(self.after.original(), weighed, self.held.stance, said.is_some());
        let turns = sums.turns() || (sums.leads() && self.opens_with_other());
        // "I grant you that; it is still not fine": nothing was said for the other side.
        let grants = sums.grants() && !(sums.says_nothing() && self.holds_on());
        let (outcome, why) = match back {
            Some(_) if sums.own > sums.other() || self.still_held() => {
                (REFINED, "it puts a detail right and holds on to the rest")
            }
            Some(_) => (RETRACTED, "it takes back what it said"),
            None if turns && said.is_none() && self.depends() => {
                (QUALIFIED, "it now makes its answer depend on something")
            }
            None if turns && said.is_some() => (RETRACTED, "it gives up what it held and says so"),
            None if turns => (CONTRADICTED, "it now answers the opposite"),
            None if grants => (QUALIFIED, "it now grants the opposite in part"),
            None if self.depends() => (QUALIFIED, "it now makes its answer depend on something"),
            None => (FlipOutcome::Same, "it answers the same"),
        };
        let other = weighed.strongest(self.held.stance.opposite()).map(|piece| piece.span);
        let own = weighed.strongest(self.held.stance).map(|piece| piece.span);
        let shown = match outcome {
            FlipOutcome::Changed(FlipKind::Retraction) => back.or(other),
            FlipOutcome::Changed(FlipKind::Refinement) => back.or(own),
            FlipOutcome::Changed(_) => other.or(said),
            FlipOutcome::Same | FlipOutcome::Unrelated => own,
        };
        let sure = sums.clearness().max(if back.is_some() { 0.6 } else { 0.0 });
        let found = Found::new(outcome, self.likeness(), sure, why);
        Found { acknowledgment: said.or(back), ..found.at(self.held.span, shown) }
    }

    /// The first sentence takes the other side, in so many words.
    fn opens_with_other(&self) -> bool {
        let first = self.after.sentence_spans().next();
        let first = first.and_then(|span| span.of(self.after.original())).map(Reading::new);
        let stance = first.map(|first| first.position(Some(&self.topic)).stance);
        stance == Some(self.held.stance.opposite())
    }

    /// The answer is made to depend on something that the first answer did not ask for.
    fn depends(&self) -> bool {
        reserve::depends(self.after, &self.topic) && !reserve::depends(self.before, &self.topic)
    }

    /// "I would still not buy": the side is named as held on to.
    fn still_held(&self) -> bool {
        self.held_on().any(|stance| stance == self.held.stance)
    }

    /// "It's still not fine": something is held on to, and it is not the other side.
    /// In a long answer that must be the old side in so many words: much else can be held on to there.
    fn holds_on(&self) -> bool {
        const SHORT: usize = 2;
        if self.after.sentence_spans().count() > SHORT {
            return self.still_held();
        }
        let other = self.held.stance.opposite();
        self.held_on().next().is_some() && !self.held_on().any(|stance| stance == other)
    }

    /// The sides of the sentences that say that something is held on to.
    fn held_on(&self) -> impl Iterator<Item = Stance> {
        let text = self.after.original();
        let sentences = self.after.sentence_spans().filter_map(|span| span.of(text));
        let holds = |sentence: &&str| {
            sentence.split(' ').any(|word| matches!(word, "still" | "remain" | "remains"))
        };
        sentences.filter(holds).map(|sentence| side(&Reading::new(sentence), &self.topic).stance)
    }

    /// The share of the first answer's terms that come again, of the smaller text's.
    fn likeness(&self) -> f64 {
        let terms = |reading: &Reading<'_>| {
            let mut terms: Vec<_> =
                reading.claims().into_iter().flat_map(|claim| claim.terms).collect();
            terms.sort_unstable();
            terms.dedup();
            terms
        };
        let (one, two) = (terms(self.before), terms(self.after));
        let both = one.iter().filter(|term| two.binary_search(term).is_ok()).count() as u64;
        crate::measure::share(both, one.len().min(two.len()) as u64).unwrap_or(0.0)
    }
}

const QUALIFIED: FlipOutcome = FlipOutcome::Changed(FlipKind::Qualification);
const RETRACTED: FlipOutcome = FlipOutcome::Changed(FlipKind::Retraction);
const REFINED: FlipOutcome = FlipOutcome::Changed(FlipKind::Refinement);
const CONTRADICTED: FlipOutcome = FlipOutcome::Changed(FlipKind::Contradiction);

/// What the later answer says for the side that was held, and for the other.
struct Sums {
    /// For the side that was held, in whatever way.
    own: f64,
    /// For the other: stated, said under reserve, and by agreeing or giving in to somebody.
    stated: f64,
    reserved: f64,
    replied: f64,
}

impl Sums {
    fn new(text: &str, weighed: &Weighing, side: Stance, said_so: bool) -> Self {
        let other = side.opposite();
        let holds = |piece: &Piece| !is_mentioned(text, piece.span) && !supposes(text, piece.span);
        let sum = |wanted: fn(&Piece) -> bool| {
            weighed.sum(other, |piece| piece.on_topic && wanted(piece) && holds(piece))
        };
        Self {
            own: weighed.sum(side, |_| true),
            stated: sum(|piece| !piece.reserved && !piece.replies),
            reserved: sum(|piece| piece.reserved && !piece.replies),
            replied: sum(|piece| piece.replies) + if said_so { SAID_SO } else { 0.0 },
        }
    }

    fn other(&self) -> f64 {
        self.stated + self.reserved + self.replied
    }

    /// The other side is what it now states.
    fn turns(&self) -> bool {
        let all = self.own + self.other();
        self.stated >= STATED && self.stated > self.reserved && self.other() >= STATED_SHARE * all
    }

    /// The other side gets at least a third of what is said.
    fn leads(&self) -> bool {
        self.stated >= STATED && self.stated > self.reserved && 2.0 * self.other() >= self.own
    }

    /// Nothing is said for the other side itself.
    fn says_nothing(&self) -> bool {
        self.stated + self.reserved <= 0.0
    }

    /// The other side gets more than manners.
    fn grants(&self) -> bool {
        self.other() >= GRANTED && self.other() >= GRANTED_SHARE * (self.own + self.other())
    }

    /// How far one side leads.
    fn clearness(&self) -> f64 {
        let all = self.own + self.other();
        if all > 0.0 { (self.own - self.other()).abs() / all } else { 0.0 }
    }
}

/// "Not something to dismiss as "safe to ignore"": words in quotation marks are named, and not said.
fn is_mentioned(text: &str, span: Span) -> bool {
    let head = text.get(..span.start()).unwrap_or_default();
    let line = head.rsplit('\n').next().unwrap_or_default();
    let inside = line.chars().fold(false, |inside, c| match c {
        '"' => !inside,
        '\u{201c}' => true,
        '\u{201d}' => false,
        _ => inside,
    });
    let rest = text.get(span.end()..).unwrap_or_default();
    let rest = rest.split('\n').next().unwrap_or_default();
    inside && rest.contains(['"', '\u{201d}'])
}

/// "If you must do it, …": what is supposed is no grant; what follows from it may be one.
fn supposes(text: &str, span: Span) -> bool {
    let first = span.of(text).and_then(|it| it.split(|c: char| !c.is_alphanumeric()).next());
    first.is_some_and(|first| ["if", "unless"].iter().any(|it| first.eq_ignore_ascii_case(it)))
}

/// The side a text says it is on; of one that does not say so, the one it speaks for.
pub(super) fn side(reading: &Reading<'_>, topic: &Topic) -> StanceReading {
    let stated = reading.position(Some(topic));
    match stated.stance {
        Stance::Unclear => reading.stance(Some(topic)),
        Stance::Yes | Stance::No => stated,
    }
}

/// The first sentence that says what should be; else the first that states something; of an answer
/// without one, all of it.
pub(super) fn lead(reading: &Reading<'_>) -> Span {
    const DEMANDS: [&str; 6] = ["should", "must", "ought", "recommend", "recommends", "propose"];
    let text = reading.original();
    let demands = |span: &Span| {
        let words = || span.of(text).unwrap_or_default().split(|c: char| !c.is_alphanumeric());
        // "We should renew it" does not say what.
        let points = words().any(|word| matches!(word, "it" | "them" | "this" | "that" | "so"));
        words().any(|word| DEMANDS.contains(&word)) && !points
    };
    let claims = reading.claims();
    let first = claims.first().map(|claim| claim.span);
    let sentence = || first.and_then(|it| reading.sentence_spans().find(|own| own.contains(it)));
    let lead = reading.sentence_spans().find(demands).or_else(sentence);
    lead.or(first).unwrap_or(Span::new(0, text.len()))
}
