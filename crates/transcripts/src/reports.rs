//! Agents' reports, read into ours.
//!
//! A report is an object with an `agent` and a `text`, `findings`, or both. A file holds a list of
//! them, an object with such a list under `reports`, `agent_reports` or `adjusted_reports`, or one
//! a line; or an object that gives each agent's by its name. Rebuttal's own output is read back as
//! it was written. Everything else is read as a
//! transcript, and each turn of an agent is a report. Whatever is wrong costs one [`Problem`], and
//! the rest goes on.
//!
//! * Findings given as fields are written out below the text, one a line; their fields stand in
//!   [`Report::given`].
//! * A report without an agent is kept, as `agent 3` for the third, with a problem.
//! * An agent that is named twice is one agent with two reports, and no problem.
//! * A confidence that is none counts as missing; a value that is no number is kept as text.
//! * A report cut off by the end of the file is kept as far as it is whole, never half a finding.

mod checks;
mod fields;
mod finding;
mod numbers;
mod report;
mod words;

use std::io::Read;
use std::path::Path;

use rebuttal_model::{Problem, ProblemKind, Report, Role, Turn, limits};

use crate::out::Out;
use crate::session::{Cx, Session};
use crate::sniff::{self, Shape};
use crate::value::Value;
use crate::{Format, Item, ReadOptions, chat, read};

/// Most memory all reports of one file may take, counted as their texts and
/// [`limits::TURN_COST_BYTES`] each: they are compared with each other, so all are held at once.
const HELD_BYTES: usize = 16 * limits::REPORT_BYTES;

/// How far into a list to look before it is taken for a list of reports.
const LOOK: usize = 8;

/// Where a list of reports stands, the most telling place first.
const LISTS: [&[&str]; 4] =
    [&["consensus", "adjusted_reports"], &["adjusted_reports"], &["agent_reports"], &["reports"]];

/// Reads the reports in a file, whatever it is.
pub fn read_reports_path(path: &Path, options: &ReadOptions) -> (Vec<Report>, Vec<Problem>) {
    collect(&path.to_string_lossy(), |session| read::file(path, options, session))
}

/// Reads reports from anything that can be read; `name` is what problems call it. A format named in
/// `options` means a transcript.
///
/// ```
/// use rebuttal_transcripts::{ReadOptions, read_reports};
///
/// let file = r#"[{"agent": "labour", "confidence": 0.9, "findings": [
///     {"metric": "unemployment rate", "entity": "Qatar", "period": "2024", "value": 0.1, "unit": "%"}
/// ]}]"#;
/// let (reports, problems) = read_reports("in.json", file.as_bytes(), &ReadOptions::default());
/// assert_eq!(reports[0].text, "- Unemployment rate of Qatar in 2024: 0.1 %");
/// assert_eq!(reports[0].given[0].entity.as_deref(), Some("Qatar"));
/// assert_eq!(problems, []);
/// ```
pub fn read_reports(
    name: &str,
    input: impl Read,
    options: &ReadOptions,
) -> (Vec<Report>, Vec<Problem>) {
    collect(name, |session| read::stream(Box::new(input), options, session))
}

/// Reports first, then what agents said in transcripts; a file rarely holds both.
fn collect(name: &str, work: impl FnOnce(&mut Session<'_>)) -> (Vec<Report>, Vec<Problem>) {
    let mut spoken = KeptReports::default();
    let mut problems = Vec::new();
    let mut sink = |item| match item {
        Item::Transcript(transcript) => {
            transcript.turns.into_iter().filter_map(of_turn).for_each(|report| spoken.push(report));
        }
        Item::Problem(problem) => problems.push(problem),
    };
    let mut session = Session::for_reports(Out::new(name, &mut sink));
    work(&mut session);
    session.finish();
    let KeptReports { mut reports, beyond, .. } = session.reports.take().unwrap_or_default();
    let beyond = beyond + spoken.beyond;
    reports.append(&mut spoken.reports);
    if beyond > 0 {
        let message = format!(
            "{beyond} reports are left out: together they take more than the limit of \
             {HELD_BYTES} bytes; split the file"
        );
        problems.push(Problem::new(name, ProblemKind::Limit, message));
    }
    if reports.is_empty() && problems.is_empty() {
        let message = "holds a conversation in which no agent says anything, so there is no report";
        problems.push(Problem::new(name, ProblemKind::Empty, message));
    }
    (reports, problems)
}

/// What an agent said in a transcript, as a report; nobody else hands in any.
fn of_turn(turn: Turn) -> Option<Report> {
    let says = turn.role == Role::Agent && !turn.text.trim().is_empty();
    let (confidence, source) = (turn.structured.conviction, turn.source);
    says.then(|| Report { confidence, source, ..Report::new(turn.agent, turn.text) })
}

/// The reports of one file, as long as they fit.
#[derive(Debug, Default)]
pub(crate) struct KeptReports {
    reports: Vec<Report>,
    /// How many were met, kept or not.
    seen: usize,
    bytes: usize,
    /// How many did not fit.
    beyond: usize,
}

impl KeptReports {
    pub(crate) fn is_empty(&self) -> bool {
        self.reports.is_empty() && self.beyond == 0
    }

    fn push(&mut self, report: Report) {
        let bytes = report.text.len() + limits::TURN_COST_BYTES * (1 + report.given.len());
        if self.bytes + bytes > HELD_BYTES {
            self.beyond += 1;
            return;
        }
        self.bytes += bytes;
        self.reports.push(report);
    }
}

/// What an object is, by its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    Report,
    /// A turn of a transcript, or a whole one.
    Transcript,
    Neither,
}

/// Reads a value that is a report or a list of them. False when it is neither.
pub(crate) fn value(value: Value<'_>, cx: &mut Cx<'_, '_>) -> bool {
    if cx.session.reports.is_none() {
        return false;
    }
    if value.is_array() {
        return is_list(value) && list(value, cx);
    }
    let inner = LISTS.into_iter().filter_map(|path| value.path(path)).find(|list| {
        let named = |list: Value<'_>| list.pairs().all(|(_, it)| it.is_object() || it.is_string());
        list.is_array() || list.is_object() && named(*list)
    });
    let own = looks(value) == Looks::Report && (inner.is_none() || value.has("agent"));
    if own {
        report::read(value, None, cx);
    }
    if inner.is_none() && !own && is_by_name(value) {
        return list(value, cx);
    }
    inner.is_some_and(|inner| list(inner, cx)) || own
}

/// True for an object that can only be a map of agents to what each says:
/// `{"labour": "Unemployment is …", "strategy": {"text": "…"}}`.
fn is_by_name(value: Value<'_>) -> bool {
    // What other files call their texts; no agent's name.
    const OTHERS: [&str; 16] = [
        "question",
        "answer",
        "prompt",
        "response",
        "input",
        "output",
        "title",
        "description",
        "error",
        "message",
        "user",
        "assistant",
        "system",
        "instruction",
        "completion",
        "topic",
    ];
    let lists: [&[&str]; 5] =
        [&fields::AGENT, &fields::TEXT, &fields::FINDINGS, &fields::CONFIDENCE, &fields::CITATIONS];
    let is_field = |name: &str| {
        lists.into_iter().flatten().chain(&OTHERS).any(|it| name.eq_ignore_ascii_case(it))
    };
    // A text of several words is something said; a single one is a setting.
    let says = |it: Value<'_>| {
        it.str().is_some_and(|text| text.trim().contains(char::is_whitespace))
            || it.is_object() && looks(it) == Looks::Report
    };
    let mut pairs = value.pairs().take(LOOK).peekable();
    let several = value.pairs().nth(1).is_some();
    several
        && pairs.peek().is_some()
        && sniff::shape(value).is_none()
        && pairs.all(|(name, it)| says(it) && name.str().is_some_and(|name| !is_field(&name)))
}

fn is_list(value: Value<'_>) -> bool {
    let seen: Vec<Looks> = value.items().take(LOOK).map(looks).collect();
    seen.contains(&Looks::Report) && !seen.contains(&Looks::Transcript)
}

fn looks(value: Value<'_>) -> Looks {
    let listed = |key: &&str| value.get(key).is_some_and(|it| it.is_array() || it.is_object());
    let found = fields::FINDINGS.iter().any(listed);
    let agent = value.first(&["agent", "agent_name", "author"]).is_some();
    if agent && (found || ["given", "adjustments"].iter().any(listed)) {
        return Looks::Report;
    }
    let speaks = value.first(&fields::AGENT).is_some() && value.first(&fields::TEXT).is_some();
    let says = found || agent || value.first(&fields::TEXT).is_some();
    match sniff::shape(value) {
        // A turn with nothing that makes it one of a conversation.
        Some(Shape::Message(Format::Rebuttal | Format::OpenAi | Format::Ag2 | Format::AutoGen))
            if speaks && !is_turn(value) =>
        {
            Looks::Report
        }
        Some(_) => Looks::Transcript,
        None if says && value.is_object() => Looks::Report,
        None => Looks::Neither,
    }
}

/// True for a message that says which conversation it is of, or which side of it.
fn is_turn(value: Value<'_>) -> bool {
    const MARKS: [&str; 8] =
        ["debate", "debate_id", "round", "turn", "format", "parts", "tool_calls", "function_call"];
    let is_role =
        |key| value.get(key).and_then(Value::str).is_some_and(|word| chat::role(&word).is_some());
    value.first(&MARKS).is_some() || is_role("role") || is_role("type")
}

/// Reads a list of reports, or an object that gives each agent's by its name.
fn list(list: Value<'_>, cx: &mut Cx<'_, '_>) -> bool {
    if list.items().next().is_none() && list.pairs().next().is_none() && !list.is_cut() {
        let message = "holds a list of reports with nothing in it";
        cx.problem(ProblemKind::Empty, list.span(), message);
    }
    for item in list.items() {
        report::read(item, None, cx);
    }
    for (name, item) in list.pairs() {
        report::read(item, name.str().as_deref(), cx);
    }
    true
}
