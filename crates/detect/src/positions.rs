//! The positions an agent takes on the question, turn by turn, and where they turn around.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use rebuttal_model::{Acknowledgment, AgentId, Quote, Role, Span, Stance, Turn};
use rebuttal_text::{Basis, Before, Previous, Reading, StanceReading, Topic};

use crate::leaning;
use crate::moved::{Words, moved};
use crate::reader::{Models, Reader};
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
    /// Where it says that it changed its mind, or what of a peer's it gives as the reason; `None` when
    /// it does neither.
    pub acknowledgment: Option<Quote>,
    /// Who brought that reason, where the agent says no more than that.
    pub moved_by: Option<AgentId>,
}

impl Reversal {
    /// Whether the agent said so, or said why.
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
pub fn positions(view: &DebateView<'_>, reader: Reader<'_>) -> Vec<AgentRecord> {
    follow(view, reader).0
}

/// [`positions`], and how often a model was asked on the way.
pub(crate) fn follow(view: &DebateView<'_>, reader: Reader<'_>) -> (Vec<AgentRecord>, Questions) {
    let agents = view.agents();
    let mut tracks: HashMap<&AgentId, Track> = HashMap::new();
    let mut context = Context::new(view, reader);
    for (turn, reading) in view.turns() {
        if turn.role == Role::User {
            context.asked.add(reading);
        }
        let asks_anew = turn.role == Role::User && context.starts_over(reading);
        let (by, stance) = match turn.role {
            Role::Agent => {
                let track = tracks.entry(&turn.agent).or_insert_with(|| Track::new(&turn.agent));
                (Before::Peer, track.take(turn, reading, &context))
            }
            Role::User if asks_anew => {
                (context.question, context.topic) =
                    (Some(leaning::asked(reading)), Some(Topic::new(reading)));
                tracks.values_mut().for_each(Track::start_over);
                (Before::Asker, Stance::Unclear)
            }
            Role::User => (Before::Asker, reading.position(context.topic.as_ref()).stance),
            Role::System | Role::Tool | Role::Moderator | Role::Judge | Role::Executor => continue,
        };
        // What asks the question is no statement to agree with.
        let asks = asks_anew || view.asks(turn);
        context.previous = (!asks).then_some((&turn.agent, Previous { by, stance, reading }));
    }
    let tracks = agents.into_iter().filter_map(|agent| tracks.remove(agent));
    let records = tracks.map(|track| {
        let mut record = track.record;
        record.reversals.retain(|turn| !view.argues_its_side(&record.agent, turn.after.stance));
        record
    });
    (records.collect(), context.questions.get())
}

/// How often rules were in doubt, and in how many of those doubts the model was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    /// Turns in which the rules were in doubt and a model was there to be asked.
    pub doubts: usize,
    /// Of these, the ones it was asked about; in the others the rules decided.
    pub asked: usize,
}

/// What a turn is said in answer to, and who reads it.
struct Context<'v, 't> {
    view: &'v DebateView<'t>,
    reader: Reader<'v>,
    question: Option<Cow<'v, str>>,
    topic: Option<Topic>,
    /// The words of the question and of whoever asks.
    asked: Words,
    previous: Option<(&'v AgentId, Previous<'v, 't>)>,
    /// How often the model may be asked.
    allowed: usize,
    questions: Cell<Questions>,
}

/// The model is asked this often in any debate, and once more for so many bytes of text. A question
/// takes about as long as reading a hundred kilobytes, so that it is asked in few doubts only.
const QUESTIONS: usize = 1;
const BYTES_PER_QUESTION: usize = 32 << 10;

impl<'v, 't> Context<'v, 't> {
    fn new(view: &'v DebateView<'t>, reader: Reader<'v>) -> Self {
        let question = view.question();
        let mut asked = Words::default();
        if let Some(question) = question {
            asked.add(question);
        }
        let bytes: usize = view.transcript.turns.iter().map(|turn| turn.text.len()).sum();
        Self {
            view,
            reader,
            question: question.map(leaning::asked),
            topic: question.map(Topic::new),
            asked,
            previous: None,
            allowed: QUESTIONS + bytes / BYTES_PER_QUESTION,
            questions: Cell::default(),
        }
    }

    /// The models, while they may be asked.
    fn models(&self) -> Option<&'v Models> {
        let models = self.reader.models()?;
        let Questions { doubts, asked } = self.questions.get();
        let may_ask = asked < self.allowed;
        self.questions.set(Questions { doubts: doubts + 1, asked: asked + usize::from(may_ask) });
        may_ask.then_some(models)
    }

    fn starts_over(&self, asked: &Reading<'_>) -> bool {
        self.topic.as_ref().is_none_or(|topic| asked.changes_topic(topic))
    }

    fn read(&self, agent: &AgentId, reading: &Reading<'_>) -> StanceReading {
        if let Reader::Seed = self.reader {
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
    /// The sentence that says what is held.
    statement: String,
    /// What it has said so far.
    said: Words,
}

impl Track {
    fn new(agent: &AgentId) -> Self {
        let record = AgentRecord {
            agent: agent.clone(),
            held: Vec::new(),
            reversals: Vec::new(),
            movement: 0.0,
        };
        Self {
            record,
            last: None,
            last_score: None,
            pending: None,
            statement: String::new(),
            said: Words::default(),
        }
    }

    fn start_over(&mut self) {
        (self.last, self.last_score, self.pending) = (None, None, None);
    }

    /// Takes down what a turn holds, and says which side that is.
    fn take(&mut self, turn: &Turn, reading: &Reading<'_>, context: &Context<'_, '_>) -> Stance {
        let known = self.record.reversals.len();
        let stance = self.read(turn, reading, context);
        if let Some(reversal) = self.record.reversals.get_mut(known)
            && reversal.acknowledgment.is_none()
            && !matches!(context.reader, Reader::Seed)
        {
            explain(reversal, turn, reading, context, &self.said);
        }
        self.said.add(reading);
        stance
    }

    fn read(&mut self, turn: &Turn, reading: &Reading<'_>, context: &Context<'_, '_>) -> Stance {
        let is_seed = matches!(context.reader, Reader::Seed);
        let label = reading.labelled_answer().filter(|_| !is_seed);
        let given =
            turn.structured.answer.as_deref().or(label.and_then(|span| span.of(&turn.text)));
        let found = match given {
            Some(answer) => StanceReading { span: label, ..Reading::new(answer).position(None) },
            None => self.in_doubt(context.read(&turn.agent, reading), reading, context),
        };
        if let Some(before) = self.last_score.replace(found.score) {
            self.record.movement = self.record.movement.max((found.score - before).abs() / 2.0);
        }
        if let Some(span) = acknowledged(reading, context) {
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
        self.hold(after, || sentence(reading, span).to_owned());
        found.stance
    }

    /// Where the rules read no position, the model may see that a sentence breaks with the last one;
    /// where they read a reversal, it may see that there is none.
    fn in_doubt(
        &self,
        rules: StanceReading,
        reading: &Reading<'_>,
        context: &Context<'_, '_>,
    ) -> StanceReading {
        let (other, sign) = match self.last.as_ref().map(|held| held.stance) {
            Some(Stance::Yes) => (Stance::No, 1.0),
            Some(Stance::No) => (Stance::Yes, -1.0),
            Some(Stance::Unclear) | None => return rules,
        };
        if ![Stance::Unclear, other].contains(&rules.stance) {
            return rules;
        }
        let Some(models) = context.models() else { return rules };
        let before = leaning::Before {
            question: context.question.as_deref(),
            statement: &self.statement,
            side: sign,
        };
        if rules.stance == Stance::Unclear {
            let Some(found) = before.broken(models, reading) else { return rules };
            let score = f64::from(-sign * found.contradiction);
            return StanceReading {
                stance: other,
                score,
                span: Some(found.span),
                basis: Basis::Model,
            };
        }
        let sentence = rules.span.map(|span| sentence(reading, span)).unwrap_or_default();
        if before.stands(models, sentence) {
            return StanceReading { stance: Stance::Unclear, ..rules };
        }
        rules
    }

    fn hold(&mut self, after: Held, statement: impl FnOnce() -> String) {
        self.record.held.push(after.clone());
        let acknowledgment = self.pending.take();
        match self.last.take() {
            Some(before) if before.opposes(&after) => {
                self.last = Some(after.clone());
                self.record.reversals.push(reversal(before, after, acknowledgment));
            }
            // Of several turns that say the same, the clearest speaks for them.
            Some(before) if before.score.abs() >= after.score.abs() => {
                self.last = Some(before);
                return;
            }
            _ => self.last = Some(after),
        }
        self.statement = statement();
    }
}

fn reversal(mut before: Held, mut after: Held, acknowledgment: Option<Quote>) -> Reversal {
    before.quote.shows = "position before".into();
    after.quote.shows = "position after".into();
    Reversal { before, after, acknowledgment, moved_by: None }
}

/// An agent that is known to have turned around has said so if it names what it held as past, and has
/// said why if it gives what a peer on its new side brought since.
fn explain(
    reversal: &mut Reversal,
    turn: &Turn,
    reading: &Reading<'_>,
    context: &Context<'_, '_>,
    said: &Words,
) {
    if let Some(cue) = reading.names_own_past(reversal.after.stance) {
        reversal.acknowledgment = Some(quote(turn, cue.span, "acknowledgment"));
        return;
    }
    let after = &reversal.after;
    let Some(since) = context.view.transcript.turns.get(reversal.before.quote.turn.index()) else {
        return;
    };
    let with = |peer: &Turn, heard: &Reading<'_>| match (&peer.structured.answer, &after.answer) {
        (Some(own), Some(new)) => own.trim().eq_ignore_ascii_case(new.trim()),
        (Some(own), None) => !Reading::new(own).position(None).stance.opposes(after.stance),
        (None, _) => !heard.position(context.topic.as_ref()).stance.opposes(after.stance),
    };
    if let Some(moved) = moved(context.view, turn, reading, (&context.asked, said), since, with) {
        reversal.acknowledgment = Some(quote(turn, moved.span, "reason from a peer"));
        reversal.moved_by = Some(moved.by.clone());
    }
}

/// The whole sentence that a position was read in.
fn sentence<'r>(reading: &'r Reading<'_>, span: Span) -> &'r str {
    let around = reading.sentence_spans().find(|sentence| sentence.contains(span));
    around.unwrap_or(span).of(reading.original()).unwrap_or_default()
}

fn acknowledged(reading: &Reading<'_>, context: &Context<'_, '_>) -> Option<Span> {
    match context.reader {
        Reader::Seed => seed::acknowledgment(reading.original()),
        Reader::Rules | Reader::Model(_) => {
            reading.acknowledgment_on(context.topic.as_ref()).map(|cue| cue.span)
        }
    }
}
