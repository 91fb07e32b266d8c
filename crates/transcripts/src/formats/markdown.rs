//! Markdown: speakers as headings (`## Turn 3: PRO Opening`, `### Alice`) or in bold
//! (`**Alice:** …`).
//!
//! A heading is a speaker when it says so or when names recur at its level; every other heading
//! of that rank ends a turn without starting one. Nothing inside a code fence counts.

use rebuttal_model::{Role, Span};

use super::names::Names;
use super::prose::{Heard, Trust, is_no_name, question};
use crate::chat;
use crate::talk::Said;

/// A line that may open or end a turn.
#[derive(Debug)]
struct Mark<'a> {
    start: usize,
    text_start: usize,
    /// 1 to 6 for headings, 7 for bold names.
    level: usize,
    title: Title<'a>,
}

const BOLD: usize = 7;

/// What a heading says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Title<'a> {
    name: Option<&'a str>,
    round: Option<u32>,
    /// `Turn 3: …`, `Speaker: …`: a speaker by its own words.
    explicit: bool,
}

/// The conversation in a text, if there is one.
pub(crate) fn hear(text: &str, trust: Trust) -> Option<Heard<'_>> {
    let levels = speaking_levels(text, trust);
    let first = turns(text, levels).next()?.span.start();
    let enough = match trust {
        Trust::Told => 1,
        Trust::Guess => 2,
    };
    (turns(text, levels).take(enough).count() == enough).then(|| Heard {
        question: heading_question(text.get(..first).unwrap_or_default()),
        turns: Box::new(turns(text, levels)),
    })
}

fn heading_question(preamble: &str) -> Option<String> {
    let asked = |line: &str| {
        let title = line.strip_prefix('#')?.trim_matches(['#', ' ', '\r']);
        title.ends_with('?').then(|| title.to_owned())
    };
    let below = || {
        let mut lines = preamble.lines();
        let asks = |line: &str| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let labels = ["proposition", "question", "topic", "motion", "claim", "statement"];
            line.starts_with('#') && labels.contains(&title.as_str())
        };
        lines.by_ref().find(|line| asks(line))?;
        lines.find(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned())
    };
    preamble
        .lines()
        .find_map(question)
        .map(ToOwned::to_owned)
        .or_else(below)
        .or_else(|| preamble.lines().find_map(asked))
}

/// For each level, whether its headings are speakers, and whether only explicit ones are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Speaks {
    #[default]
    No,
    Explicit,
    Names,
}

/// What the headings of one level have in common.
#[derive(Debug, Default)]
struct Level {
    names: Names,
    seen: usize,
    named: usize,
    /// How many of them are jobs: `Planner`, `Critic`.
    jobs: usize,
    explicit: bool,
    recurs: bool,
    roles: bool,
}

impl Level {
    fn note(&mut self, title: Title<'_>) {
        self.seen += 1;
        self.explicit |= title.explicit;
        let Some(name) = title.name.filter(|name| !is_no_name(name)) else { return };
        self.jobs += usize::from(is_job(name));
        self.named += 1;
        self.recurs |= self.names.has(name);
        self.roles |= chat::role(name).is_some();
        self.names.see(name);
    }

    fn speaks(&self, is_bold: bool, headed: bool, trust: Trust) -> Speaks {
        let told = trust == Trust::Told && self.named > 0;
        let jobs = self.jobs == self.named && self.names.len() > 1;
        // Bold words in a text with headings are its labels, unless they recur.
        let bold = is_bold && self.named > 1 && !headed;
        if self.explicit {
            Speaks::Explicit
        } else if self.recurs || self.roles || jobs || bold || told {
            Speaks::Names
        } else {
            Speaks::No
        }
    }
}

fn speaking_levels(text: &str, trust: Trust) -> [Speaks; BOLD + 1] {
    let mut noted: [Level; BOLD + 1] = std::array::from_fn(|_| Level::default());
    for mark in marks(text) {
        if let Some(level) = noted.get_mut(mark.level) {
            level.note(mark.title);
        }
    }
    let mut levels = [Speaks::No; BOLD + 1];
    // Where speakers say that they are, other headings are none, whoever says that it is Markdown.
    let explicit = noted.iter().any(|level| level.explicit);
    let trust = if explicit { Trust::Guess } else { trust };
    let headed = noted.iter().take(BOLD).any(|level| level.seen > 1);
    let mut above = false;
    for (rank, (speaks, level)) in levels.iter_mut().zip(&noted).enumerate() {
        // Under a speaker's heading `### Costs` and bold words are parts of what is said, however
        // often they recur. Only a level that says itself that it speaks is another speaker's.
        if above && !(level.explicit || (level.roles && rank != BOLD)) {
            continue;
        }
        if !(above && rank == BOLD) {
            *speaks = level.speaks(rank == BOLD, headed, trust);
        }
        above |= *speaks != Speaks::No;
    }
    levels
}

/// What agents are called after the work they do. A report may have the headings `Method` and
/// `Costs`, but no two that are these and nothing else.
fn is_job(name: &str) -> bool {
    const JOBS: &[&str] = &[
        "advocate",
        "affirmative",
        "agent",
        "analyst",
        "architect",
        "bear",
        "bull",
        "challenger",
        "coder",
        "con",
        "coordinator",
        "critic",
        "debater",
        "defender",
        "designer",
        "developer",
        "economist",
        "engineer",
        "evaluator",
        "executor",
        "expert",
        "facilitator",
        "judge",
        "lawyer",
        "manager",
        "mediator",
        "moderator",
        "negative",
        "opponent",
        "optimist",
        "orchestrator",
        "pessimist",
        "planner",
        "pro",
        "programmer",
        "proponent",
        "prosecutor",
        "researcher",
        "reviewer",
        "scientist",
        "skeptic",
        "sceptic",
        "solver",
        "strategist",
        "supervisor",
        "tester",
        "trader",
        "verifier",
        "writer",
    ];
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || " #-_".contains(c));
    let last = bare.rsplit([' ', '-', '_']).next().unwrap_or(bare);
    JOBS.iter().any(|job| last.eq_ignore_ascii_case(job))
}

fn turns(text: &str, levels: [Speaks; BOLD + 1]) -> impl Iterator<Item = Said> {
    let speaks = move |mark: &Mark<'_>| match levels.get(mark.level) {
        Some(Speaks::Explicit) => mark.title.explicit,
        Some(Speaks::Names) => mark.title.name.is_some_and(|name| !is_no_name(name)),
        _ => false,
    };
    let mut marks = marks(text);
    let mut round = None;
    let mut open: Option<Mark<'_>> = None;
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let Some(mark) = marks.next() else {
            ended = true;
            return Some(open.take().and_then(|open| turn(text, &open, text.len(), round)));
        };
        let is_speaker = speaks(&mark);
        // A heading of a lower rank than the speaker's is part of what is said.
        let ends = open.as_ref().is_some_and(|open| mark.level <= open.level && mark.level != BOLD);
        let mut said = None;
        if is_speaker || ends {
            said = open.take().and_then(|open| turn(text, &open, mark.start, round));
        }
        if mark.title.round.is_some() {
            round = mark.title.round;
        }
        if is_speaker {
            open = Some(mark);
        }
        Some(said)
    })
    .flatten()
}

fn turn(text: &str, mark: &Mark<'_>, end: usize, round: Option<u32>) -> Option<Said> {
    let name = mark.title.name?;
    let body = text.get(mark.text_start..end)?;
    let kept = without_rule(body);
    let said = kept.trim();
    if said.is_empty() {
        return None;
    }
    let stop = mark.text_start + kept.trim_end().len();
    let role = chat::role(name).unwrap_or(Role::Agent);
    let mut turn = Said::new(name, role, said, Span::new(mark.start, stop));
    turn.round = mark.title.round.or(round);
    Some(turn)
}

/// `body` without the rule that separates it from the next turn.
fn without_rule(body: &str) -> &str {
    let trimmed = body.trim_end();
    match trimmed.rsplit_once('\n') {
        Some((rest, last)) if matches!(last.trim(), "---" | "***" | "___") => rest,
        _ => body,
    }
}

fn marks(text: &str) -> impl Iterator<Item = Mark<'_>> {
    let mut fenced = false;
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let mut mark = None;
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced {
            mark = heading(text, line, start).or_else(|| bold(line, start));
        }
        start += line.len();
        mark
    })
}

fn heading<'t>(text: &'t str, line: &'t str, start: usize) -> Option<Mark<'t>> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(level..)?;
    if !(1..BOLD).contains(&level) || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let words = rest.trim().trim_end_matches('#').trim_matches(['*', '_', ' ']);
    let text_start = start + line.len();
    let title = title(words);
    // `## Turn 3`, and below it `- speaker_role: `target``.
    if title.name.is_none()
        && numbered_alone(words)
        && let Some((name, length)) = told_below(text.get(text_start..).unwrap_or_default())
    {
        let title = Title { name: Some(name), explicit: true, ..title };
        return Some(Mark { start, text_start: text_start + length, level, title });
    }
    Some(Mark { start, text_start, level, title })
}

/// `Turn 3`, and nothing else.
fn numbered_alone(words: &str) -> bool {
    numbered(words).is_some_and(|(_, _, after)| after.is_empty())
}

/// The speaker that a list right below a heading names, and how long the list is.
fn told_below(text: &str) -> Option<(&str, usize)> {
    const LINES: usize = 8;
    let mut found = None;
    let mut at = 0;
    for line in text.split_inclusive('\n').take(LINES) {
        let trimmed = line.trim();
        let Some(item) = trimmed.strip_prefix("- ").or_else(|| trimmed.strip_prefix("* ")) else {
            if trimmed.is_empty() {
                at += line.len();
                continue;
            }
            break;
        };
        let (label, value) = item.split_once(':')?;
        let label = label.trim_matches(['*', '`', ' ']).to_lowercase();
        let value = value.trim_matches(['*', '`', ' ']);
        if ["speaker_role", "speaker", "role", "agent", "name", "debater"].contains(&label.as_str())
            && !value.is_empty()
            && found.is_none()
        {
            found = Some(value);
        }
        at += line.len();
    }
    Some((found?, at))
}

/// `**Name:** text` or `**Name**: text`.
fn bold(line: &str, start: usize) -> Option<Mark<'_>> {
    let inner = line.strip_prefix("**").or_else(|| line.strip_prefix("__"))?;
    let close = inner.find("**").or_else(|| inner.find("__"))?;
    let (name, after) = (inner.get(..close)?, inner.get(close + 2..)?);
    let (name, after) = match name.strip_suffix(':') {
        Some(name) => (name, after),
        None => (name, after.strip_prefix(':')?),
    };
    let title = title(name.trim());
    title.name?;
    Some(Mark { start, text_start: start + line.len() - after.len(), level: BOLD, title })
}

/// What a heading says: a turn, a round, a speaker, or none of these.
fn title(words: &str) -> Title<'_> {
    let mut explicit = false;
    let mut round = None;
    let mut rest = words.trim_end_matches(':').trim();
    if let Some((kind, number, after)) = numbered(rest) {
        if kind.eq_ignore_ascii_case("round") {
            round = Some(number);
        }
        explicit = !after.is_empty();
        rest = after;
    } else if let Some((label, name)) = rest.split_once(':') {
        let label = label.trim();
        if ["speaker", "agent", "debater"].iter().any(|word| label.eq_ignore_ascii_case(word)) {
            explicit = true;
            rest = name.trim();
        }
    }
    if let Some((name, inside)) = rest.split_once(" (") {
        round = round.or_else(|| {
            let (kind, number, _) = numbered(inside.trim_end_matches(')'))?;
            kind.eq_ignore_ascii_case("round").then_some(number)
        });
        rest = name.trim();
    }
    let name = if explicit { without_phase(rest) } else { rest };
    let is_name = !name.is_empty()
        && name.split_whitespace().count() <= 5
        && name.chars().nth(60).is_none()
        && name.chars().any(char::is_alphabetic)
        && !name.ends_with(['?', '!', '.']);
    Title { name: is_name.then_some(name), round, explicit: explicit && is_name }
}

/// `Turn 3: PRO`, `Round 2 – Alice`: the word, the number, and what follows.
fn numbered(words: &str) -> Option<(&str, u32, &str)> {
    let (kind, rest) = words.split_once(' ')?;
    if !["turn", "round", "message"].iter().any(|word| kind.eq_ignore_ascii_case(word)) {
        return None;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, after) = rest.split_at_checked(digits)?;
    let after = after.trim_start_matches([' ', ':', '-', '–', '—', '.', ',', '|']);
    Some((kind, number.parse().ok()?, after))
}

/// A speaker without the part of the debate it speaks in: `PRO Opening` is `PRO`.
fn without_phase(name: &str) -> &str {
    const PHASES: &[&str] = &[
        "opening",
        "rebuttal",
        "closing",
        "statement",
        "response",
        "argument",
        "reply",
        "summary",
        "cross-examination",
        "conclusion",
        "speech",
        "remarks",
        "final",
        "counter",
        "position",
        "constructive",
        "surrebuttal",
    ];
    let mut kept = name.trim_end_matches([' ', '-', '–', '—', ':']);
    while let Some((before, last)) = kept.rsplit_once(' ') {
        let is_phase = PHASES.iter().any(|phase| last.eq_ignore_ascii_case(phase));
        if !is_phase && last.parse::<u32>().is_err() {
            break;
        }
        kept = before.trim_end_matches([' ', '-', '–', '—', ':']);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(text: &str) -> Vec<(String, Option<u32>, String)> {
        let heard = hear(text, Trust::Guess).into_iter();
        heard
            .flat_map(|heard| heard.turns)
            .map(|said| (said.agent, said.round, said.text))
            .collect()
    }

    #[test]
    fn turns_by_number() {
        let text = "# Debate: Adopt it?\n\n## Turn 1: PRO Opening\n\nYes.\n\n### Why\n\nCheap.\n\n---\n\n\
                    ## Turn 2: CON Rebuttal\n\nNo.\n\n## Verdict\n\nPRO wins.\n";
        assert_eq!(
            spoken(text),
            [
                ("PRO".into(), None, "Yes.\n\n### Why\n\nCheap.".into()),
                ("CON".into(), None, "No.".into())
            ]
        );
        assert_eq!(hear(text, Trust::Guess).unwrap().question.as_deref(), Some("Adopt it?"));
    }

    #[test]
    fn names_that_recur_under_rounds() {
        let text = "## Round 1\n### Ann\nYes.\n### Bob\nNo.\n## Round 2\n### Ann\nStill yes.\n## Summary\nNothing.\n";
        assert_eq!(
            spoken(text),
            [
                ("Ann".into(), Some(1), "Yes.".into()),
                ("Bob".into(), Some(1), "No.".into()),
                ("Ann".into(), Some(2), "Still yes.".into())
            ]
        );
    }

    #[test]
    fn bold_names() {
        let text = "**Ann:** Yes.\n\n**Important:** read **this**.\n\n**Bob**: No.\n";
        let expected = [
            ("Ann".into(), None, "Yes.\n\n**Important:** read **this**.".into()),
            ("Bob".into(), None, "No.".into()),
        ];
        assert_eq!(spoken(text), expected);
    }

    #[test]
    fn headings_inside_a_turn_are_part_of_it() {
        // Recurring or not, whatever stands below the speakers' level is said by them.
        let text = "# Plan\n\n## Planner\n\n### Costs\nLow.\n### Timeline\nShort.\n\n## Critic\n\n\
                    ### Costs\nHigh.\n### Timeline\nLong.\n";
        let said = |agent: &str, text: &str| (agent.to_owned(), None, text.to_owned());
        assert_eq!(
            spoken(text),
            [
                said("Planner", "### Costs\nLow.\n### Timeline\nShort."),
                said("Critic", "### Costs\nHigh.\n### Timeline\nLong.")
            ]
        );
        let again = format!("{text}\n## Planner\n\n**Timeline:** short.\n");
        assert_eq!(spoken(&again).last(), Some(&said("Planner", "**Timeline:** short.")));
    }

    #[test]
    fn one_job_among_other_headings_is_no_conversation() {
        for text in [
            "## Planner\n\nIt plans.\n\n## Installation\n\nRun it.\n",
            "## Installation\n\nRun it.\n\n## Planner\n\nIt plans.\n\n## Critic\n\nIt doubts.\n",
            "## The judge\n\nA portrait.\n",
        ] {
            assert_eq!(spoken(text), [], "{text}");
        }
    }

    #[test]
    fn a_report_is_no_conversation() {
        let text = "# Report\n\n## Introduction\n\nHello.\n\n## Method\n\nNone.\n\n```\n**A:** x\n**B:** y\n```\n";
        assert_eq!(spoken(text), []);
    }
}
