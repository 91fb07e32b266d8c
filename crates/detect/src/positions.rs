//! The positions an agent takes on the question, turn by turn, and where they turn around.

use std::collections::HashMap;

use rebuttal_model::{Acknowledgment, AgentId, Method, Quote, Role, Span, Stance, Turn};
use rebuttal_text::{Basis, Before, Previous, Reading, StanceReading, Topic};

use crate::seed;
use crate::view::{DebateView, quote};

/// A position an agent was read to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// Which side.
    pub stance: Stance,
    /// The option it stands for, where that is neither a yes nor a no: `HOLD`, `B`.
    pub answer: Option<String>,
    /// How clearly: -1 surely no … 1 surely yes.
    pub score: f64,
    /// What it was read from.
    pub basis: Basis,
    /// Where it says so.
    pub quote: Quote,
}

impl Held {
    /// The side in one word, for a person.
    pub fn side(&self) -> &str {
        self.answer.as_deref().unwrap_or(self.stance.as_str())
    }

    /// True when both cannot be held at once.
    fn opposes(&self, other: &Held) -> bool {
        let options = [self, other].map(|held| held.answer.as_deref().map(str::trim));
        if let [Some(one), Some(two)] = options {
            return !one.eq_ignore_ascii_case(two);
        }
        // "We should use TLS" and "we should not forget the notes" are two matters.
        let both_demand = self.basis == Basis::Demand && other.basis == Basis::Demand;
        self.stance.opposes(other.stance) && (!both_demand || self.shares_words(other))
    }

    fn shares_words(&self, other: &Held) -> bool {
        let topic = Topic::new(&Reading::new(&self.quote.text));
        Reading::new(&other.quote.text).claims().iter().any(|claim| topic.mentions(claim))
    }
}

/// Two positions of one agent on one question, the later against the earlier.
#[derive(Clone, Debug, PartialEq)]
pub struct Reversal {
    /// What the agent held.
    pub before: Held,
    /// What it said next.
    pub after: Held,
    /// Where it says that it changed its mind; `None` when it does not.
    pub acknowledgment: Option<Quote>,
}

impl Reversal {
    /// Whether the agent said so.
    pub fn acknowledged(&self) -> Acknowledgment {
        match self.acknowledgment {
            Some(_) => Acknowledgment::Acknowledged,
            None => Acknowledgment::Silent,
        }
    }
}

/// What one agent held through a debate.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentRecord {
    /// Who.
    pub agent: AgentId,
    /// Every position that could be read, in order.
    pub held: Vec<Held>,
    /// Every place where a position turned around.
    pub reversals: Vec<Reversal>,
    /// How far the position moved at the most between two turns, 0 to 1, unclear turns included.
    pub movement: f64,
}

/// Follows every agent's position on the question, in the order of their first turns.
///
/// A position is compared with the last one held, so each change of mind is reported once, however
/// many turns repeat it. When the user asks something else, a new comparison begins.
pub fn positions(view: &DebateView<'_>, method: Method) -> Vec<AgentRecord> {
    let agents = view.agents();
    let mut tracks: HashMap<&AgentId, Track> = HashMap::new();
    let mut context = Context { topic: view.question().map(Topic::new), previous: None };
    for (turn, reading) in view.turns() {
        let asks_anew = turn.role == Role::User && context.starts_over(reading);
        let (by, stance) = match turn.role {
            Role::Agent => {
                let track = tracks.entry(&turn.agent).or_insert_with(|| Track::new(&turn.agent));
                (Before::Peer, track.take(turn, reading, &context, method))
            }
            Role::User if asks_anew => {
                context.topic = Some(Topic::new(reading));
                tracks.values_mut().for_each(Track::start_over);
                (Before::Asker, Stance::Unclear)
            }
            Role::User => (Before::Asker, reading.position(context.topic.as_ref()).stance),
            Role::System | Role::Tool => continue,
        };
        // What asks the question is no statement to agree with.
        let asks = asks_anew || view.asks(turn);
        context.previous = (!asks).then_some((&turn.agent, Previous { by, stance, reading }));
    }
    agents.into_iter().filter_map(|agent| tracks.remove(agent)).map(|track| track.record).collect()
}

/// What a turn is said in answer to.
struct Context<'v, 't> {
    topic: Option<Topic>,
    previous: Option<(&'v AgentId, Previous<'v, 't>)>,
}

impl Context<'_, '_> {
    fn starts_over(&self, asked: &Reading<'_>) -> bool {
        self.topic.as_ref().is_none_or(|topic| asked.changes_topic(topic))
    }

    fn read(&self, agent: &AgentId, reading: &Reading<'_>, method: Method) -> StanceReading {
        if method == Method::Seed {
            return seed::stance(reading.original());
        }
        match (&self.topic, self.previous) {
            (Some(topic), Some((speaker, previous))) if speaker != agent => {
                reading.position_in_reply(topic, previous)
            }
            (topic, _) => reading.position(topic.as_ref()),
        }
    }
}

struct Track {
    record: AgentRecord,
    last: Option<Held>,
    last_score: Option<f64>,
    /// An acknowledgment in a turn that took no clear position yet.
    pending: Option<Quote>,
}

impl Track {
    fn new(agent: &AgentId) -> Self {
        let record = AgentRecord {
            agent: agent.clone(),
            held: Vec::new(),
            reversals: Vec::new(),
            movement: 0.0,
        };
        Self { record, last: None, last_score: None, pending: None }
    }

    fn start_over(&mut self) {
        (self.last, self.last_score, self.pending) = (None, None, None);
    }

    /// Takes down what a turn holds, and says which side that is.
    fn take(
        &mut self,
        turn: &Turn,
        reading: &Reading<'_>,
        context: &Context<'_, '_>,
        method: Method,
    ) -> Stance {
        let label = reading.labelled_answer().filter(|_| method != Method::Seed);
        let given =
            turn.structured.answer.as_deref().or(label.and_then(|span| span.of(&turn.text)));
        let found = match given {
            Some(answer) => StanceReading { span: label, ..Reading::new(answer).position(None) },
            None => context.read(&turn.agent, reading, method),
        };
        if let Some(before) = self.last_score.replace(found.score) {
            self.record.movement = self.record.movement.max((found.score - before).abs() / 2.0);
        }
        if let Some(span) = acknowledged(reading, context, method) {
            self.pending = Some(quote(turn, span, "acknowledgment"));
        }
        let answer = given.filter(|_| found.stance == Stance::Unclear).map(str::to_owned);
        let span = found.span.or_else(|| reading.sentence_spans().next());
        // No quote, no finding: an answer beside an empty text cannot be shown.
        let Some(span) = span.filter(|_| found.stance != Stance::Unclear || answer.is_some())
        else {
            return found.stance;
        };
        let after = Held {
            stance: found.stance,
            answer,
            score: found.score,
            basis: found.basis,
            quote: quote(turn, span, "position"),
        };
        self.hold(after);
        found.stance
    }

    fn hold(&mut self, after: Held) {
        self.record.held.push(after.clone());
        let acknowledgment = self.pending.take();
        match self.last.take() {
            Some(before) if before.opposes(&after) => {
                self.last = Some(after.clone());
                self.record.reversals.push(reversal(before, after, acknowledgment));
            }
            // Of several turns that say the same, the clearest speaks for them.
            Some(before) if before.score.abs() >= after.score.abs() => self.last = Some(before),
            _ => self.last = Some(after),
        }
    }
}

fn reversal(mut before: Held, mut after: Held, acknowledgment: Option<Quote>) -> Reversal {
    before.quote.shows = "position before".into();
    after.quote.shows = "position after".into();
    Reversal { before, after, acknowledgment }
}

fn acknowledged(reading: &Reading<'_>, context: &Context<'_, '_>, method: Method) -> Option<Span> {
    match method {
        Method::Seed => seed::acknowledgment(reading.original()),
        Method::Rules | Method::Model => {
            reading.acknowledgment_on(context.topic.as_ref()).map(|cue| cue.span)
        }
    }
}
