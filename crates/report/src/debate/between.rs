//! What happens between the answers, in words: what was seen of the panel, what was done about it,
//! what a person was asked. Terminal and reports use these sentences.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
use rebuttal_model::{
    AgentId, Breakpoint, BreakpointAnswer, CitationCheck, CitationVerdict, Event, EvidenceGiven,
    HollowAlert, Intervention, InterventionKind, Record, RoundAnalysis,
};

use crate::count;

/// How much a sentence matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Good to know.
    Note,
    /// Somebody should look at it.
    Warning,
}

/// A sentence about what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// How much it matters.
    pub tone: Tone,
    /// The sentence.
    pub text: String,
}

fn note(text: String) -> Said {
    Said { tone: Tone::Note, text }
}

fn warning(text: String) -> Said {
    Said { tone: Tone::Warning, text }
}

/// Tells what happens between the answers, each thing once.
#[derive(Clone, Debug, Default)]
pub struct Teller {
    /// Why the agreement of the last round is hollow. What is done about it says so again.
    hollow: Option<String>,
    /// The severity below which nobody acts on it, and nobody needs to hear of it.
    threshold: f64,
    /// The debate's id, and what a breakpoint counts as answered with that nobody answers.
    waits: (String, BreakpointAnswer),
}

impl Teller {
    /// What a record says between the answers; nothing where it is about something else.
    pub fn said(&mut self, event: &Event) -> Vec<Said> {
        match event {
            Event::DebateStarted { spec } => {
                self.threshold = spec.protocol.trickster.hollow_detection_threshold;
                self.waits = (spec.id.to_string(), spec.protocol.breakpoints.on_timeout);
                Vec::new()
            }
            Event::RoundAnalyzed { analysis } => {
                let hollow = analysis.hollow.as_ref().filter(|alert| alert.detected);
                let hollow = hollow.filter(|alert| alert.severity >= self.threshold);
                self.hollow = hollow.map(|alert| alert.reason.clone());
                let mut all = analyzed(analysis);
                all.extend(hollow.map(|HollowAlert { severity, reason, .. }| {
                    warning(format!("Hollow agreement, severity {severity:.2}: {reason}"))
                }));
                all
            }
            // The record behind it says what is waited for.
            Event::Intervened { intervention }
                if intervention.kind == InterventionKind::Breakpoint =>
            {
                Vec::new()
            }
            Event::Intervened { intervention } => {
                vec![warning(intervened(intervention, self.new_in(&intervention.reason)))]
            }
            Event::Paused { reason, breakpoint } => {
                let why = breakpoint.as_ref().map_or(reason, |breakpoint| &breakpoint.reason);
                vec![warning(paused(self.new_in(why), breakpoint.as_ref(), &self.waits))]
            }
            event => plain(event),
        }
    }

    /// A reason without what was said before.
    fn new_in<'r>(&self, reason: &'r str) -> &'r str {
        let known = self.hollow.as_deref().filter(|known| !known.is_empty());
        let new = known.and_then(|known| reason.strip_suffix(known));
        let new = new.map(|new| new.trim_end().trim_end_matches(':'));
        new.filter(|new| !new.is_empty()).unwrap_or(reason)
    }
}

/// What needs nothing from before.
fn plain(event: &Event) -> Vec<Said> {
    match event {
        Event::EvidenceGiven { evidence } => given(evidence),
        Event::CitationsChecked { checks, .. } => checked(checks),
        Event::Critiqued { agent, text, .. } => {
            let text: Vec<&str> = text.split_whitespace().collect();
            vec![note(format!("Devil’s advocate {agent}: {}", text.join(" ")))]
        }
        Event::SaidDone { judge, done, .. } => {
            let what = if *done { "enough has been said" } else { "there is more to say" };
            vec![note(format!("{judge} says that {what}."))]
        }
        Event::Resumed { answer, note, timed_out } => {
            vec![self::note(resumed(*answer, note.as_deref(), *timed_out))]
        }
        _ => Vec::new(),
    }
}

/// What agents were given of documents.
fn given(evidence: &EvidenceGiven) -> Vec<Said> {
    let mut documents: Vec<&str> =
        evidence.passages.iter().map(|it| it.document.as_str()).collect();
    documents.sort_unstable();
    documents.dedup();
    let (passages, documents) =
        (count(evidence.passages.len(), "passage"), count(documents.len(), "document"));
    let mut all = vec![note(format!("The agents are given {passages} of {documents}."))];
    all.extend(evidence.disputed.iter().map(|fact| {
        let values = fact.values.iter().map(|(document, value)| format!("{value} ({document})"));
        let values: Vec<String> = values.collect();
        warning(format!(
            "The documents disagree on {}: {}. {}",
            fact.about,
            values.join(" or "),
            fact.ruling
        ))
    }));
    all
}

/// What became of the citations of a round; each that failed is a finding of its own.
fn checked(checks: &[CitationCheck]) -> Vec<Said> {
    let named: Vec<&CitationCheck> = checks.iter().filter(|it| it.named).collect();
    if named.is_empty() {
        return Vec::new();
    }
    let of =
        |wanted: fn(CitationVerdict) -> bool| named.iter().filter(|it| wanted(it.verdict)).count();
    let unchecked = of(|verdict| verdict == CitationVerdict::Unchecked);
    let mut text = format!(
        "{} of {} checked against the documents hold",
        of(|verdict| verdict == CitationVerdict::Supported),
        count(named.len() - unchecked, "citation")
    );
    if unchecked > 0 {
        write!(text, "; {unchecked} could not be checked").ok();
    }
    vec![note(text + ".")]
}

/// The sentences of a debate by round.
pub fn by_round(records: &[Record]) -> Vec<(u32, Said)> {
    let mut round = 0;
    let mut teller = Teller::default();
    let mut all = Vec::new();
    for record in records {
        if let Event::RoundStarted { round: begun, .. } = &record.event {
            round = *begun;
        }
        all.extend(teller.said(&record.event).into_iter().map(|said| (round, said)));
    }
    all
}

/// Evidence, agreement and what the voices are worth.
fn analyzed(analysis: &RoundAnalysis) -> Vec<Said> {
    let mut parts = Vec::new();
    #[expect(clippy::cast_precision_loss, reason = "a panel is small")]
    let count = analysis.quality.len() as f64;
    if count > 0.0 {
        let sum: f64 = analysis.quality.values().map(|quality| quality.overall).sum();
        parts.push(format!("evidence {:.2}", sum / count));
    }
    if let Some(alike) = analysis.convergence {
        parts.push(format!("agreement {:.0} %", alike * 100.0));
    }
    if count > 0.0 {
        let (are, worth) = (analysis.quality.len(), analysis.independent_voices);
        let voices = if are == 1 { "voice" } else { "voices" };
        parts.push(format!("{are} {voices} worth {worth:.1} independent ones"));
    }
    if let Some(echo) = &analysis.echo {
        let (unique, total) = (echo.unique_sources, echo.total_citations);
        let sources = if unique == 1 { "source" } else { "sources" };
        parts.push(format!("{total} citations of {unique} {sources}"));
    }
    if !analysis.not_judged.is_empty() {
        parts.push(not_judged(&analysis.not_judged));
    }
    if parts.is_empty() {
        return Vec::new();
    }
    vec![note(format!("{}.", upper(&parts.join(", "))))]
}

/// "2 not judged (the answer is empty)": each reason once, with whom it is about where others have
/// another.
fn not_judged(agents: &BTreeMap<AgentId, String>) -> String {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (agent, reason) in agents {
        reasons.entry(reason).or_default().push(agent.as_str());
    }
    let alike = reasons.len() == 1;
    let each = reasons.iter().map(|(reason, agents)| {
        let who = if alike { String::new() } else { format!("{}: ", agents.join(", ")) };
        format!("{who}{reason}")
    });
    format!("{} not judged ({})", agents.len(), each.collect::<Vec<_>>().join("; "))
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// What was done, to whom, and why.
fn intervened(intervention: &Intervention, reason: &str) -> String {
    let kind = match intervention.kind {
        InterventionKind::Challenge => "Challenge",
        InterventionKind::Role => "Role",
        InterventionKind::ExtraRound => "Further round",
        InterventionKind::Breakpoint => "A person is asked",
        InterventionKind::EvidenceGap => "Evidence is asked for",
        InterventionKind::EchoChamber => "Other sources are asked for",
        InterventionKind::Novelty => "Something new is asked for",
    };
    let role = intervention
        .role
        .map_or(String::new(), |role| format!(" of {}", role.as_str().replace('_', " ")));
    let names: Vec<&str> = intervention.targets.iter().map(AgentId::as_str).collect();
    let whom = match names.as_slice() {
        [] => String::new(),
        names => format!(" ({})", names.join(", ")),
    };
    let more = match intervention.extra_rounds {
        0 => String::new(),
        1 => " One round is added.".to_owned(),
        rounds => format!(" {rounds} rounds are added."),
    };
    format!("{kind}{role}{whom}: {}{more}", sentence(reason))
}

/// Ends a text with a full stop if it has none.
pub fn sentence(text: &str) -> String {
    let ends = text.ends_with(['.', '!', '?', '”']);
    if ends { text.to_owned() } else { format!("{text}.") }
}

/// Why it waits, and how to answer.
fn paused(
    reason: &str,
    breakpoint: Option<&Breakpoint>,
    (id, on_timeout): &(String, BreakpointAnswer),
) -> String {
    let reason = sentence(reason);
    let Some(breakpoint) = breakpoint else { return format!("The debate waits: {reason}") };
    let until = breakpoint.until.map_or_else(
        || "It waits for as long as it takes.".to_owned(),
        |until| unanswered(id, until, *on_timeout),
    );
    format!(
        "The debate waits for a person (breakpoint {}, severity {:.2}): {reason} Answer with `rebuttal \
         breakpoints answer`: continue, redirect, add-evidence or abort. {until}",
        breakpoint.number, breakpoint.severity
    )
}

/// What becomes of a breakpoint that nobody answers: nothing by itself, for nobody need be running.
pub fn unanswered(id: &str, until: Timestamp, on_timeout: BreakpointAnswer) -> String {
    format!(
        "If nobody has answered by {until:.0}, `rebuttal resume {id}` takes it for `{on_timeout}`."
    )
}

fn resumed(answer: BreakpointAnswer, note: Option<&str>, timed_out: bool) -> String {
    let what = match answer {
        BreakpointAnswer::Continue => "it goes on",
        BreakpointAnswer::Redirect => "it goes on in another direction",
        BreakpointAnswer::AddEvidence => "it goes on with more evidence",
        BreakpointAnswer::Abort => "the rounds end here",
    };
    let who = if timed_out { "Nobody answered in time" } else { "A person answered" };
    let note = note.map_or(String::new(), |note| format!(" “{note}”"));
    format!("{who}: {what}.{note}")
}

#[cfg(test)]
mod tests;
