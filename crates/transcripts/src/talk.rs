//! A transcript while it is being read: every limit on turns, names and speakers is kept here.

use std::collections::HashMap;

use jiff::Timestamp;
use rebuttal_model::{
    AgentId, AssignedSide, DebateId, ProblemKind, Role, Span, Structured, Transcript, Turn, Usage,
    limits,
};

use crate::Format;
use crate::out::{Out, excerpt};
use crate::place::Place;
use crate::{prefix, roles};

/// One thing said, as an importer found it. The span is relative to the importer's [`Place`].
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) agent: String,
    pub(crate) role: Role,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) round: Option<u32>,
    pub(crate) model: Option<String>,
    pub(crate) at: Option<Timestamp>,
    pub(crate) usage: Option<Usage>,
    pub(crate) structured: Structured,
    /// The side that the log says it was given.
    pub(crate) side: Option<String>,
}

impl Said {
    pub(crate) fn new(
        agent: impl Into<String>,
        role: Role,
        text: impl Into<String>,
        span: Span,
    ) -> Self {
        Self {
            agent: agent.into(),
            role,
            text: text.into(),
            span,
            round: None,
            model: None,
            at: None,
            usage: None,
            structured: Structured::default(),
            side: None,
        }
    }
}

/// Most sides of one debate: each new one is compared with those before it.
pub(crate) const SIDES: usize = 32;

/// In which order the turns of a transcript are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// As they stand in the file.
    AsGiven,
    /// By their time; turns without one stay behind the turn they follow.
    ByTime,
}

/// A transcript while it is being read.
#[derive(Debug)]
pub(crate) struct Talk {
    id: Option<String>,
    pub(crate) question: Option<String>,
    pub(crate) order: Order,
    /// The format it came in, where that says something about its speakers.
    pub(crate) format: Option<Format>,
    /// The sides that the log assigns.
    sides: Vec<AssignedSide>,
    turns: Vec<Turn>,
    cost_bytes: usize,
    agents: HashMap<String, AgentId>,
    parts: usize,
    too_many_agents: bool,
}

impl Talk {
    pub(crate) fn new(id: Option<String>, question: Option<String>) -> Self {
        Self {
            id,
            question,
            order: Order::AsGiven,
            format: None,
            sides: Vec::new(),
            turns: Vec::new(),
            cost_bytes: 0,
            agents: HashMap::new(),
            parts: 0,
            too_many_agents: false,
        }
    }

    /// The next part of a transcript of which `parts` were delivered before.
    pub(crate) fn continued(id: Option<String>, parts: usize) -> Self {
        Self { parts, ..Self::new(id, None) }
    }

    /// The memory it takes, as [`limits::TRANSCRIPT_BYTES`] counts it.
    pub(crate) fn cost_bytes(&self) -> usize {
        self.cost_bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.turns.is_empty() && self.parts == 0
    }

    /// Adds a turn, within the limits.
    pub(crate) fn push(&mut self, said: Said, place: &Place<'_>, out: &mut Out<'_>) {
        let source = place.source(&out.file, said.span);
        let line = source.line;
        let Some(agent) = self.agent(&said, line, out) else { return };
        if let Some(side) = said.side
            && self.sides.len() < SIDES
            && self.sides.iter().all(|told| told.agent != agent)
        {
            self.sides.push(AssignedSide { agent: agent.clone(), side });
        }
        let text = shortened(without_thoughts(said.text), line, out);
        let cost_bytes = limits::TURN_COST_BYTES
            + text.len()
            + said.model.as_ref().map_or(0, String::len)
            + extent(&said.structured);
        if self.turns.len() >= limits::TURNS
            || self.cost_bytes + cost_bytes > limits::TRANSCRIPT_BYTES
        {
            self.split(line, out);
        }
        self.cost_bytes += cost_bytes;
        let mut turn = Turn::new(agent, said.role, text);
        turn.round = said.round;
        turn.model = said.model;
        turn.at = said.at;
        turn.usage = said.usage;
        turn.structured = said.structured;
        turn.source = Some(source);
        self.turns.push(turn);
    }

    /// Delivers the transcript, and says how many parts it came in. One without turns is nothing.
    pub(crate) fn finish(mut self, out: &mut Out<'_>) -> usize {
        self.deliver(out);
        self.parts
    }

    fn agent(&mut self, said: &Said, line: u32, out: &mut Out<'_>) -> Option<AgentId> {
        let name = name(&said.agent, said.role);
        if let Some(agent) = self.agents.get(&name) {
            return Some(agent.clone());
        }
        if name.len() < said.agent.trim().len() {
            let message = format!(
                "the name of a speaker, “{}”, is longer than {} characters and was cut; is this \
                 the right field for names?",
                excerpt(&name),
                limits::NAME_CHARS
            );
            out.problem(ProblemKind::Limit, Some(line), &message);
        }
        if self.agents.len() >= limits::AGENTS {
            if !std::mem::replace(&mut self.too_many_agents, true) {
                let message = format!(
                    "more than {} different speakers in one transcript; turns of further ones \
                     are left out. Is this the right field for names?",
                    limits::AGENTS
                );
                out.problem(ProblemKind::Limit, Some(line), &message);
            }
            return None;
        }
        let agent = AgentId::new(name.as_str());
        self.agents.insert(name, agent.clone());
        Some(agent)
    }

    fn split(&mut self, line: u32, out: &mut Out<'_>) {
        // Said once: a long file has hundreds of parts, and each begins where the last one ends.
        if self.parts == 0 {
            let message = format!(
                "the transcript reached its limit ({} turns, or {} bytes with {} for each turn); \
                 what follows comes as further transcripts, and nothing is compared across the \
                 cuts",
                limits::TURNS,
                limits::TRANSCRIPT_BYTES,
                limits::TURN_COST_BYTES
            );
            out.problem(ProblemKind::Split, Some(line), &message);
        }
        self.deliver(out);
        self.agents.clear();
        self.too_many_agents = false;
    }

    fn deliver(&mut self, out: &mut Out<'_>) {
        if self.turns.is_empty() {
            return;
        }
        let mut turns = std::mem::take(&mut self.turns);
        self.cost_bytes = 0;
        if self.order == Order::ByTime {
            by_time(&mut turns);
        }
        if let Some(format) = self.format {
            prefix::recast(&mut turns, format);
        }
        roles::assign(&mut turns);
        let mut sides = self.sides.clone();
        let by_name = roles::sides(&turns).into_iter();
        let untold = |it: &AssignedSide| self.sides.iter().all(|told| told.agent != it.agent);
        sides.extend(by_name.filter(untold));
        self.parts += 1;
        let base = self.id.get_or_insert_with(|| out.next_id());
        let id = match self.parts {
            1 => DebateId::new(base.as_str()),
            part => DebateId::new(format!("{base}/{part}")),
        };
        let transcript = Transcript::new(id, self.question.clone(), turns);
        out.transcript(Transcript { sides, ..transcript });
    }
}

/// The bytes of what an agent gave apart from its text.
fn extent(structured: &Structured) -> usize {
    let rebuttals = structured.rebuttals.iter().flat_map(|rebuttal| {
        std::iter::once(&rebuttal.text).chain(rebuttal.item.as_ref().map(|item| &item.text))
    });
    let lists = structured.evidence.iter().chain(rebuttals);
    let single = structured.answer.iter().chain(&structured.thesis);
    lists.map(|text| text.len() + size_of::<String>()).sum::<usize>()
        + single.map(String::len).sum::<usize>()
}

/// A stable order: a turn without a time counts as said right after the one before it.
fn by_time(turns: &mut [Turn]) {
    let mut last = Timestamp::MIN;
    turns.sort_by_cached_key(|turn| {
        last = turn.at.unwrap_or(last);
        last
    });
}

/// A speaker's name as it is kept: trimmed, not empty, not endless. Doing it twice changes nothing.
pub(crate) fn name(given: &str, role: Role) -> String {
    let given = given.trim();
    if given.is_empty() {
        return role.as_str().to_owned();
    }
    match given.char_indices().nth(limits::NAME_CHARS) {
        Some((end, _)) => given.get(..end).unwrap_or(given).trim_end().to_owned(),
        None => given.to_owned(),
    }
}

/// What is said after the thoughts that some models write before it; thoughts without an end are kept.
fn without_thoughts(mut text: String) -> String {
    const CLOSE: &str = "</think>";
    if text.trim_start().starts_with("<think>")
        && let Some(end) = text.find(CLOSE)
        && text.get(end + CLOSE.len()..).is_some_and(|rest| !rest.trim().is_empty())
    {
        let rest = text.get(end + CLOSE.len()..).unwrap_or_default();
        let start = text.len() - rest.trim_start().len();
        text.drain(..start);
    }
    text
}

fn shortened(mut text: String, line: u32, out: &mut Out<'_>) -> String {
    if text.len() > limits::TURN_BYTES {
        let message = format!(
            "a turn of {} bytes is longer than the limit of {} bytes; the rest of it was cut off",
            text.len(),
            limits::TURN_BYTES
        );
        out.problem(ProblemKind::Limit, Some(line), &message);
        text.truncate(text.floor_char_boundary(limits::TURN_BYTES));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Item;

    fn collect(fill: impl FnOnce(&mut Talk, &Place<'_>, &mut Out<'_>)) -> Vec<Item> {
        let mut seen = Vec::new();
        let mut sink = |item| seen.push(item);
        let mut out = Out::new("f", &mut sink);
        let mut talk = Talk::new(Some("d".to_owned()), None);
        fill(&mut talk, &Place::new(b"", 0, 1), &mut out);
        talk.finish(&mut out);
        seen
    }

    fn said(agent: &str, text: &str) -> Said {
        Said::new(agent, Role::Agent, text, Span::default())
    }

    #[test]
    fn a_name_is_kept_once_and_stays_itself() {
        let long = format!("{} x", "é".repeat(limits::NAME_CHARS - 1));
        let kept = name(&long, Role::Agent);
        assert_eq!(name(&kept, Role::Agent), kept);
        assert_eq!(kept.chars().count(), limits::NAME_CHARS - 1);
        assert_eq!(name(" \t", Role::Tool), "tool");
    }

    #[test]
    fn too_many_speakers_cost_one_problem() {
        let items = collect(|talk, place, out| {
            for n in 0..limits::AGENTS + 50 {
                talk.push(said(&format!("a{n}"), "hello"), place, out);
            }
            talk.push(said("a1", "still here"), place, out);
        });
        let [Item::Problem(problem), Item::Transcript(transcript)] = items.as_slice() else {
            panic!("one problem, one transcript, not {}", items.len());
        };
        assert!(problem.message.contains("10000"), "{problem}");
        assert_eq!(transcript.turns.len(), limits::AGENTS + 1);
    }

    #[test]
    fn a_long_transcript_goes_on_in_a_second() {
        let items = collect(|talk, place, out| {
            for _ in 0..=limits::TURNS {
                talk.push(said("a", "x"), place, out);
            }
        });
        let ids: Vec<_> = items
            .iter()
            .filter_map(|item| match item {
                Item::Transcript(transcript) => {
                    Some((transcript.id.as_str(), transcript.turns.len()))
                }
                Item::Problem(_) => None,
            })
            .collect();
        assert_eq!(ids, [("d", limits::TURNS), ("d/2", 1)]);
    }

    #[test]
    fn cuts_are_said_once_and_lose_nothing() {
        let text = "x".repeat(limits::TURN_BYTES / 2);
        let items = collect(|talk, place, out| {
            for _ in 0..20 {
                talk.push(said("a", &text), place, out);
            }
        });
        let kinds: Vec<_> = items
            .iter()
            .filter_map(|item| match item {
                Item::Problem(problem) => Some(problem.kind),
                Item::Transcript(_) => None,
            })
            .collect();
        assert_eq!(kinds, [ProblemKind::Split]);
        assert!(!ProblemKind::Split.is_loss());
        let turns = items.iter().map(|item| match item {
            Item::Transcript(transcript) => transcript.turns.len(),
            Item::Problem(_) => 0,
        });
        assert_eq!(turns.sum::<usize>(), 20);
    }

    #[test]
    fn a_long_turn_is_cut_between_characters() {
        let items = collect(|talk, place, out| {
            talk.push(said("a", &"é".repeat(limits::TURN_BYTES)), place, out);
        });
        let [Item::Problem(_), Item::Transcript(transcript)] = items.as_slice() else {
            panic!("one problem, one transcript");
        };
        assert_eq!(transcript.turns[0].text.len(), limits::TURN_BYTES);
    }
}
