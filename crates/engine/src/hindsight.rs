//! What the trickster would have seen and done in a debate that is over.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_detect::panel::{PanelReader, Said};
use rebuttal_detect::{DebateView, Reader, positions};
use rebuttal_model::{
    AgentId, Confidence, Finding, FindingId, Intervention, InterventionKind, Method, Quote, Quotes,
    Role, RoundAnalysis, RuleId, Severity, Span, Transcript, TricksterConfig, Turn, TurnId, Whose,
};
use rebuttal_policy::trickster::{Context, choose, targets};
use rebuttal_semantics::Embedder;

use crate::debate::one_answer;

/// Most rounds of one transcript that are looked at, the latest ones: a chat of ten thousand turns is
/// no debate in rounds.
const ROUNDS: u32 = 50;

/// Most turns before a round that it is compared with, the latest ones.
const LOOK_BACK: usize = 2_000;

/// Words an agent must have said on average to be judged: a log of bare votes shows no reasons because
/// none were written down.
const WORDS: usize = 10;

/// Most agents quoted in one finding.
const QUOTED: usize = 12;

/// The fewest words of a sentence that says more than a vote.
const TELLING: usize = 4;

/// A round of a finished debate, and what would have been done after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    /// What was to be seen.
    pub analysis: RoundAnalysis,
    /// What would have been done.
    pub interventions: Vec<Intervention>,
    /// Whose evidence is thin: whom hollow consensus is about, whoever is asked to do something.
    pub thin: Vec<AgentId>,
}

/// Looks at every round of a finished debate. Where turns do not say their round, the n-th turn of an
/// agent is its n-th round. A conversation with one agent has nothing to agree on.
pub fn hindsight(
    view: &DebateView<'_>,
    embedder: &dyn Embedder,
    config: &TricksterConfig,
) -> Vec<Looked> {
    let turns = rounds(view.transcript);
    let sides = sides(view);
    let mut panel: Vec<AgentId> = Vec::new();
    for (_, turn) in &turns {
        if !panel.contains(&turn.agent) {
            panel.push(turn.agent.clone());
        }
    }
    let Some(last) = turns.iter().map(|(round, _)| *round).max().filter(|_| panel.len() > 1) else {
        return Vec::new();
    };
    let mut reader = PanelReader::new(embedder, config).reading_from(view);
    let mut past: Vec<Intervention> = Vec::new();
    let mut looked = Vec::new();
    for round in last.saturating_sub(ROUNDS)..=last {
        let Some(analysis) = analyze(&turns, &sides, round, &mut reader) else { continue };
        let context = Context::new(round, last - round, &panel);
        let interventions = choose(config, &analysis, &past, &context);
        past.extend(interventions.iter().cloned());
        let thin = targets(config, &analysis);
        looked.push(Looked { analysis, interventions, thin });
    }
    looked
}

/// The side that each turn takes on the question, by the rules, where the log does not give an answer
/// apart from the words. Who is not clear takes none.
fn sides(view: &DebateView<'_>) -> BTreeMap<TurnId, String> {
    let agents = view.transcript.turns.iter().filter(|turn| turn.role == Role::Agent);
    if agents.into_iter().all(|turn| turn.structured.answer.is_some()) {
        return BTreeMap::new();
    }
    let records = positions(view, Reader::Rules);
    let held = records.into_iter().flat_map(|record| record.held);
    held.map(|held| (held.quote.turn, held.side().to_owned())).collect()
}

/// The agents' turns, each with its round.
fn rounds(transcript: &Transcript) -> Vec<(u32, &Turn)> {
    let mut spoken: BTreeMap<&AgentId, u32> = BTreeMap::new();
    let agents = transcript.turns.iter().filter(|turn| turn.role == Role::Agent);
    agents
        .map(|turn| {
            let next = spoken.entry(&turn.agent).or_default();
            let round = turn.round.unwrap_or(*next);
            *next = round.saturating_add(1);
            (round, turn)
        })
        .collect()
}

/// What is to be seen after a round; `None` if fewer than two had spoken, or in bare votes.
fn analyze(
    turns: &[(u32, &Turn)],
    sides: &BTreeMap<TurnId, String>,
    round: u32,
    reader: &mut PanelReader<'_>,
) -> Option<RoundAnalysis> {
    let mut standing: BTreeMap<&AgentId, (u32, &Turn)> = BTreeMap::new();
    for (at, turn) in turns.iter().filter(|(at, _)| *at <= round) {
        standing.insert(&turn.agent, (*at, turn));
    }
    let words: usize =
        standing.values().map(|(_, turn)| turn.text.split_whitespace().count()).sum();
    if standing.len() < 2 || words < standing.len() * WORDS {
        return None;
    }
    let stands: BTreeSet<TurnId> = standing.values().map(|(_, turn)| turn.id).collect();
    let now: Vec<Said<'_>> = standing.values().map(|(at, turn)| said(*at, turn, sides)).collect();
    let before = turns.iter().filter(|(at, turn)| *at <= round && !stands.contains(&turn.id));
    let mut earlier: Vec<Said<'_>> = before.map(|(at, turn)| said(*at, turn, sides)).collect();
    earlier.drain(..earlier.len().saturating_sub(LOOK_BACK));
    let mut analysis = reader.analyze(&now, &earlier);
    analysis.round = round;
    analysis.one_answer = one_answer(&now);
    let spoke = |agent: &AgentId| standing.get(agent).is_some_and(|(at, _)| *at == round);
    analysis.novelty.retain(|agent, _| spoke(agent));
    Some(analysis)
}

/// A turn as the look at a panel takes it.
fn said<'t>(round: u32, turn: &'t Turn, sides: &'t BTreeMap<TurnId, String>) -> Said<'t> {
    let read = || sides.get(&turn.id).map(String::as_str);
    let answer = turn.structured.answer.as_deref().or_else(read);
    Said { agent: &turn.agent, turn: turn.id, round, text: &turn.text, answer }
}

/// What was seen, as findings: after which round it would have stepped in, how, and why.
pub fn findings(view: &DebateView<'_>, looked: &[Looked]) -> Vec<Finding> {
    let turns = rounds(view.transcript);
    let all = looked.iter().flat_map(|round| round.interventions.iter().map(move |it| (round, it)));
    // An extra round and a role go with a challenge or stand for one; each is told once a round.
    let told = all.filter(|(_, done)| done.kind != InterventionKind::ExtraRound);
    told.filter_map(|(round, done)| finding(view, &turns, &round.thin, done)).collect()
}

/// A finding for a round, with the words it is about.
fn finding(
    view: &DebateView<'_>,
    turns: &[(u32, &Turn)],
    thin: &[AgentId],
    done: &Intervention,
) -> Option<Finding> {
    let (rule, what) = match done.kind {
        InterventionKind::EvidenceGap => ("hollow-consensus/evidence-gap", "asked for evidence"),
        InterventionKind::EchoChamber => ("hollow-consensus/echo-chamber", "warned of an echo"),
        InterventionKind::Novelty => ("hollow-consensus/nothing-new", "asked for something new"),
        InterventionKind::Breakpoint => ("hollow-consensus/unsupported", "asked a person"),
        InterventionKind::Role => ("hollow-consensus/unsupported", "named a quality challenger"),
        _ => ("hollow-consensus/unsupported", "put a challenge"),
    };
    let rule = RuleId::new(rule);
    let said = concerned(turns, thin, done);
    let quotes = quotes(view, &said, done)?;
    let agent = turns.iter().find(|(_, turn)| turn.id == quotes.first().turn)?.1.agent.clone();
    let more = match said.len().saturating_sub(QUOTED) {
        0 => String::new(),
        more => format!(" {more} more agents are not quoted."),
    };
    let explanation = format!(
        "After round {} the trickster would have {what}: {}{more}",
        done.round, done.reason
    );
    Some(Finding {
        id: FindingId::of(&view.transcript.id, &rule, &agent, &quotes),
        rule,
        agent,
        severity: severity(done),
        confidence: Confidence::new(done.priority.clamp(0.0, 1.0), Whose::Detector)?,
        method: Method::Model,
        explanation,
        quotes,
    })
}

/// Agreement with nothing behind it would change whether to believe the outcome if it is severe.
fn severity(done: &Intervention) -> Severity {
    match done.kind {
        InterventionKind::Breakpoint => Severity::High,
        InterventionKind::Novelty => Severity::Low,
        _ => Severity::Medium,
    }
}

/// What each of those whom an intervention is about said last before it.
fn concerned<'t>(
    turns: &[(u32, &'t Turn)],
    thin: &[AgentId],
    done: &Intervention,
) -> Vec<&'t Turn> {
    // A role goes to the one with the best evidence; what it is about is the others, if there are any.
    let others = thin.iter().any(|agent| !done.targets.contains(agent));
    let about = |agent: &AgentId| match done.role {
        Some(_) if others => thin.contains(agent) && !done.targets.contains(agent),
        _ => done.targets.is_empty() || done.targets.contains(agent),
    };
    let mut latest: BTreeMap<&AgentId, &Turn> = BTreeMap::new();
    for (_, turn) in turns.iter().filter(|(at, turn)| *at <= done.round && about(&turn.agent)) {
        latest.insert(&turn.agent, turn);
    }
    let mut said: Vec<&Turn> = latest.into_values().collect();
    said.sort_by_key(|turn| turn.id);
    said
}

/// The first sentence of each that says something, of so many that a reader still reads them.
fn quotes(view: &DebateView<'_>, said: &[&Turn], done: &Intervention) -> Option<Quotes> {
    let shows = shows(done.kind);
    let mut quotes = said.iter().take(QUOTED).filter_map(|turn| quote(view, turn, shows));
    Some(Quotes::new(quotes.next()?, quotes.collect()))
}

/// What a quote is there to show.
fn shows(kind: InterventionKind) -> &'static str {
    match kind {
        InterventionKind::EchoChamber => "rests on the same source",
        InterventionKind::Novelty => "said before",
        _ => "agreed without support",
    }
}

/// The first sentence of a turn that says more than a vote.
fn quote(view: &DebateView<'_>, turn: &Turn, shows: &'static str) -> Option<Quote> {
    let text: &str = &turn.text;
    let reading = view.reading(turn.id)?;
    let words_in = |span: &Span| span.of(text).map_or(0, |words| words.split_whitespace().count());
    // "Yes." is no claim; who says nothing else is quoted with it.
    let telling = reading.sentence_spans().find(|span| words_in(span) >= TELLING);
    let span = telling.or_else(|| reading.sentence_spans().next())?;
    let words = text.get(span.start()..span.end())?;
    (!words.is_empty()).then(|| Quote {
        turn: turn.id,
        span,
        text: words.to_owned(),
        shows: shows.into(),
        source: turn.source.clone(),
    })
}
