//! Self-contradiction: an agent that turns around, on the question or on a claim of its own.

use std::collections::HashMap;

use rebuttal_model::{
    AgentId, Certainty, Confidence, Finding, FindingId, Method, Owner, Quote, Quotes, Role, RuleId,
    Severity, Turn,
};
use rebuttal_text::{Basis, ClaimReading, Reading, Term, Topic};

use crate::positions::{AgentRecord, Reversal};
use crate::reader::Reader;
use crate::relate::{RelationKind, Statement, by_rules, relate};
use crate::view::{DebateView, quote};

/// A reversal that nothing acknowledges.
pub(crate) const SILENT: RuleId = RuleId::new("self-contradiction/silent");
/// A reversal the agent says it made: an honest change of mind.
pub(crate) const ACKNOWLEDGED: RuleId = RuleId::new("self-contradiction/acknowledged");

/// Both kinds, for every agent of a debate.
pub(crate) fn inspect(
    view: &DebateView<'_>,
    records: &[AgentRecord],
    reader: Reader<'_>,
    out: &mut Vec<Finding>,
) {
    for record in records {
        for reversal in &record.reversals {
            out.push(on_question(view, &record.agent, reversal, reader));
        }
    }
    if !matches!(reader, Reader::Seed) {
        on_claims(view, records, reader, out);
    }
}

fn on_question(
    view: &DebateView<'_>,
    agent: &AgentId,
    reversal: &Reversal,
    reader: Reader<'_>,
) -> Finding {
    let (before, after) = (&reversal.before, &reversal.after);
    let by_model = [before, after].iter().any(|held| held.basis == Basis::Model);
    let method = match reader {
        Reader::Seed => Method::Seed,
        _ if by_model => Method::Model,
        _ => Method::Rules,
    };
    let clearness = before.score.abs().min(after.score.abs());
    let sides = format!(
        "{agent} answered {} in {} and {} in {}",
        before.side(),
        before.quote.turn,
        after.side(),
        after.quote.turn
    );
    let (rule, severity, ending) = match (&reversal.acknowledgment, &reversal.moved_by) {
        (Some(_), Some(peer)) => {
            (ACKNOWLEDGED, Severity::Info, format!("and gives what {peer} brought as its reason"))
        }
        (Some(_), None) => {
            (ACKNOWLEDGED, Severity::Info, "and said that it changed its mind".to_owned())
        }
        (None, _) => {
            (SILENT, severity(clearness), "without saying that it changed its mind".to_owned())
        }
    };
    let explanation = format!("{sides}, {ending}.");
    let mut rest = vec![after.quote.clone()];
    rest.extend(reversal.acknowledgment.clone());
    let quotes = Quotes::new(before.quote.clone(), rest);
    finding(view, agent, rule, severity, clearness, method, explanation, quotes)
}

/// A reversal matters as much as the less clear of its two positions is clear. Below `medium` stands
/// what a careful reader might read otherwise: long answers that weigh both sides.
pub(crate) fn severity(clearness: f64) -> Severity {
    match clearness {
        clear if clear >= 0.55 => Severity::High,
        clear if clear >= 0.35 => Severity::Medium,
        _ => Severity::Low,
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of a finding, named at the call")]
fn finding(
    view: &DebateView<'_>,
    agent: &AgentId,
    rule: RuleId,
    severity: Severity,
    confidence: f64,
    method: Method,
    explanation: String,
    quotes: Quotes,
) -> Finding {
    Finding {
        id: FindingId::of(&view.transcript.id, &rule, agent, &quotes),
        rule,
        agent: agent.clone(),
        severity,
        confidence: Confidence::detector(confidence),
        method,
        explanation,
        quotes,
    }
}

/// A claim an agent made, ready to be found again.
struct Made<'t> {
    turn: &'t Turn,
    claim: ClaimReading,
}

impl<'t> Made<'t> {
    fn text(&self) -> &'t str {
        self.claim.span.of(&self.turn.text).unwrap_or_default()
    }
}

/// One agent's claims, by the terms they share. Only the latest few are kept per term, so that an
/// agent with very many claims costs no more per claim than one with few.
#[derive(Default)]
struct Ledger<'t> {
    made: Vec<Made<'t>>,
    by_term: HashMap<Term, Vec<usize>>,
}

/// How many earlier claims are looked at per term.
const LOOK_BACK: usize = 16;
/// How many terms of a claim are used to find earlier ones. Terms are sorted by a hash, so claims that
/// share most of their terms nearly always share one of the first.
const KEYS: usize = 4;

fn on_claims(
    view: &DebateView<'_>,
    records: &[AgentRecord],
    reader: Reader<'_>,
    out: &mut Vec<Finding>,
) {
    let topic = view.question().map(Topic::new);
    let records: HashMap<&AgentId, &AgentRecord> =
        records.iter().map(|record| (&record.agent, record)).collect();
    let mut ledgers: HashMap<&AgentId, Ledger<'_>> = HashMap::new();
    for (turn, reading) in view.turns() {
        if turn.role != Role::Agent {
            continue;
        }
        let ledger = ledgers.entry(&turn.agent).or_default();
        let record = records.get(&turn.agent);
        let argues_a_side = view.transcript.side_of(&turn.agent).is_some();
        let acknowledges = reading.acknowledgment().is_some();
        for claim in reading.claims() {
            if claim.owner == Owner::Other {
                continue;
            }
            let on_question = topic.as_ref().is_some_and(|topic| topic.mentions(&claim));
            let made = Made { turn, claim };
            let earlier = ledger.contradicted(&made, reader).filter(|earlier| {
                let told = || record.is_some_and(|record| turned(record, earlier.turn, turn));
                !(on_question && (argues_a_side || told()))
            });
            if let Some(earlier) = earlier {
                let note = acknowledges.then(|| acknowledged(reading, &made)).flatten();
                out.push(on_claim(view, earlier, &made, note));
            }
            ledger.add(made);
        }
    }
}

/// A change of mind on the question is one finding, not one more for each claim it takes along.
fn turned(record: &AgentRecord, earlier: &Turn, later: &Turn) -> bool {
    let reversals = &record.reversals;
    let first = reversals.partition_point(|reversal| reversal.after.quote.turn <= earlier.id);
    reversals.get(first).is_some_and(|reversal| reversal.before.quote.turn < later.id)
}

/// The acknowledgment that can be about this claim.
fn acknowledged(reading: &Reading<'_>, made: &Made<'_>) -> Option<Quote> {
    let claim = made.claim.span.of(&made.turn.text).unwrap_or_default();
    let cue = reading.acknowledgment_on(Some(&Topic::new(&Reading::new(claim))))?;
    Some(quote(made.turn, cue.span, "acknowledgment"))
}

fn on_claim(
    view: &DebateView<'_>,
    earlier: &Made<'_>,
    later: &Made<'_>,
    acknowledgment: Option<Quote>,
) -> Finding {
    let agent = &later.turn.agent;
    let said = format!(
        "{agent} states in {} the opposite of what it stated in {}",
        later.turn.id, earlier.turn.id
    );
    let (rule, severity, explanation) = match acknowledgment {
        Some(_) => {
            (ACKNOWLEDGED, Severity::Info, format!("{said}, and said that it changed its mind."))
        }
        None => (SILENT, Severity::Medium, format!("{said}, without saying so.")),
    };
    let before = quote(earlier.turn, earlier.claim.span, "claim before");
    let mut rest = vec![quote(later.turn, later.claim.span, "claim after")];
    rest.extend(acknowledgment);
    finding(view, agent, rule, severity, 0.6, Method::Rules, explanation, Quotes::new(before, rest))
}

impl<'t> Ledger<'t> {
    /// The latest claim on the same matter, if the new one contradicts it. An agent that has turned
    /// around once and repeats itself is not reported again.
    fn contradicted(&self, later: &Made<'_>, reader: Reader<'_>) -> Option<&Made<'t>> {
        let terms = later.claim.terms.iter().take(KEYS);
        let places = terms.filter_map(|term| self.by_term.get(term));
        let before = |index: &&usize| {
            self.made.get(**index).is_some_and(|made| made.turn.id < later.turn.id)
        };
        let mut candidates: Vec<usize> = places
            .flat_map(|places| places.iter().rev().filter(before).take(LOOK_BACK).copied())
            .collect();
        candidates.sort_unstable_by_key(|&index| std::cmp::Reverse(index));
        candidates.dedup();
        let earlier = candidates.into_iter().filter_map(|index| self.made.get(index));
        let mut same = earlier.filter(|earlier| on_same_matter(&earlier.claim, &later.claim));
        let now = Statement::new(later.text());
        let (held, found) = same.find_map(|held| {
            let found = by_rules(&Statement::new(held.text()), &now);
            (found.kind != RelationKind::Unrelated).then_some((held, found))
        })?;
        // What the rules see, a model may take back.
        let contradicts =
            found.contradicts() && relate(held.text(), later.text(), reader).contradicts();
        contradicts.then_some(held)
    }

    fn add(&mut self, made: Made<'t>) {
        let index = self.made.len();
        for term in made.claim.terms.iter().take(KEYS) {
            let places = self.by_term.entry(*term).or_default();
            if places.len() >= 2 * LOOK_BACK {
                places.drain(..LOOK_BACK);
            }
            places.push(index);
        }
        self.made.push(made);
    }
}

/// Two claims are on the same matter when they are about the same and differ in nothing but, perhaps,
/// the side they take. A qualified claim narrows the other one, and is no contradiction.
fn on_same_matter(earlier: &ClaimReading, later: &ClaimReading) -> bool {
    let firm = |claim: &ClaimReading| claim.certainty >= Certainty::Plain;
    let shared =
        earlier.terms.iter().filter(|term| later.terms.binary_search(term).is_ok()).count();
    let all = earlier.terms.len() + later.terms.len() - shared;
    // "The cache is safe for sessions" / "the cache is dangerous for sessions"; without a side of
    // either, nearly all words are the same: "caching helps latency" / "caching does not help latency".
    let near = if earlier.sides.is_empty() {
        shared >= 2 && shared * 4 >= all * 3
    } else {
        shared >= 1 && shared * 3 >= all * 2
    };
    firm(earlier)
        && firm(later)
        && earlier.sides.len() == later.sides.len()
        && earlier.particulars == later.particulars
        && near
}
