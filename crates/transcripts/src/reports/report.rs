//! One report: who hands it in, what it says, and what is known of it.

use rebuttal_model::{Adjustment, AgentId, Given, ProblemKind, Report, Role, Source, Span, limits};
use serde::de::DeserializeOwned;

use super::fields::{self, Label};
use super::finding::{self, Line};
use super::numbers::{Number, numbers, quoted};
use crate::out::excerpt;
use crate::session::Cx;
use crate::value::Value;
use crate::{chat, talk};

/// Reads one report; `named` is what a map of reports calls its agent.
pub(super) fn read(value: Value<'_>, named: Option<&str>, cx: &mut Cx<'_, '_>) {
    let Some(held) = &mut cx.session.reports else { return };
    held.seen += 1;
    let number = held.seen;
    let whole = value.filled();
    if !value.is_object() && whole.is_none() {
        if !value.is_torn() {
            let message = format!(
                "report {number} is {}, not an object with an `agent` and a `text` or `findings`; \
                 it was left out",
                if value.is_string() { "empty" } else { value.kind_name() }
            );
            cx.problem(kind_of(value), value.span(), &message);
        }
        return;
    }
    let (agent, is_known) = agent(value, named, number, cx);
    let of = Label { agent: &agent, report: number, finding: None };
    let text = match whole {
        Some(text) => text.into_owned(),
        None => text(value, of, cx),
    };
    let mut draft = Draft::new(text);
    let given = kept::<Given>(value, "given", of, cx);
    match given {
        Some(given) => draft.given = given,
        None => draft.find(value, of, cx),
    }
    let confidence = fields::confidence(value, of, cx);
    if draft.text.trim().is_empty() {
        return empty(value, of, cx);
    }
    if !is_known {
        let message = format!(
            "report {number} does not say whose it is; it is kept under the name “{agent}”. Name \
             its author in `agent`"
        );
        cx.problem(ProblemKind::MissingField, value.span(), &message);
    }
    draft.cite(value, of, cx);
    draft.shorten(value.span(), of, cx);
    let adjustments = kept::<Adjustment>(value, "adjustments", of, cx).unwrap_or_default();
    let Draft { text, given, .. } = draft;
    let given = in_place(given, |it| it.span.of(&text).is_some(), "given", value, of, cx);
    let adjustments = in_place(
        adjustments,
        |it| it.span.of(&text) == Some(it.original.as_str()),
        "adjustments",
        value,
        of,
        cx,
    );
    let source =
        source(value).unwrap_or_else(|| cx.place.source(&cx.session.out.file, value.span()));
    let agent = AgentId::new(agent.as_str());
    let report = Report { agent, text, confidence, given, adjustments, source: Some(source) };
    if let Some(held) = &mut cx.session.reports {
        held.push(report);
    }
}

/// Nothing in it is nothing lost.
fn kind_of(value: Value<'_>) -> ProblemKind {
    if value.is_null() || value.is_string() { ProblemKind::Empty } else { ProblemKind::Malformed }
}

/// Whose report it is, and whether the file says so.
fn agent(
    value: Value<'_>,
    named: Option<&str>,
    number: usize,
    cx: &mut Cx<'_, '_>,
) -> (String, bool) {
    let unknown = format!("agent {number}");
    let of = Label { agent: &unknown, report: number, finding: None };
    let found = fields::label(value, &fields::AGENT, of, cx)
        .or_else(|| named.map(str::to_owned))
        .filter(|name| !name.trim().is_empty());
    let Some(found) = found else { return (unknown, false) };
    let kept = talk::name(&found, Role::Agent);
    if kept.len() < found.trim().len() {
        let message = format!(
            "the name of an agent, “{}”, is longer than {} characters and was cut; is this the \
             right field for names?",
            excerpt(&kept),
            limits::NAME_CHARS
        );
        cx.problem(ProblemKind::Limit, value.span(), &message);
    }
    (kept, true)
}

/// All that the report says in words: its text, and whatever else stands beside it.
fn text(value: Value<'_>, of: Label<'_>, cx: &mut Cx<'_, '_>) -> String {
    let mut text = String::new();
    for key in fields::TEXT {
        let Some(member) = value.get(key).filter(|it| !it.is_null() && !it.is_torn()) else {
            continue;
        };
        // Content may come in parts, as chat formats have it.
        let own = match member.str() {
            Some(own) => own.into_owned(),
            None if member.is_array() => chat::text(member),
            None => String::new(),
        };
        if own.is_empty() && !member.is_string() {
            let message = format!(
                "the `{key}` of {of} is {}, not a text; it was left out",
                member.kind_name()
            );
            cx.problem(ProblemKind::Malformed, member.span(), &message);
        } else if text.is_empty() {
            text = own;
        } else if !own.trim().is_empty() && !text.contains(&own) {
            text.push_str("\n\n");
            text.push_str(&own);
        }
    }
    text
}

/// A list that Rebuttal wrote, or `None` when there is none that can be read.
fn kept<T: DeserializeOwned>(
    value: Value<'_>,
    key: &str,
    of: Label<'_>,
    cx: &mut Cx<'_, '_>,
) -> Option<Vec<T>> {
    let list = value.get(key).filter(|it| !it.is_null() && !it.is_torn())?;
    match serde_json::from_str(&list.raw()) {
        Ok(found) => Some(found),
        Err(error) => {
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            let message = format!(
                "the `{key}` of {of} is not what Rebuttal writes there ({}); it was left out",
                excerpt(why)
            );
            cx.problem(ProblemKind::Malformed, list.span(), &message);
            None
        }
    }
}

/// Those that still fit the text; the others are of a text that was changed since.
fn in_place<T>(
    mut list: Vec<T>,
    fits: impl Fn(&T) -> bool,
    key: &str,
    value: Value<'_>,
    of: Label<'_>,
    cx: &mut Cx<'_, '_>,
) -> Vec<T> {
    let before = list.len();
    list.retain(fits);
    if list.len() < before {
        let message = format!(
            "{} of the `{key}` of {of} do not fit its text, which was changed since; they were \
             left out",
            before - list.len()
        );
        let span = value.get(key).map_or(value.span(), Value::span);
        cx.problem(ProblemKind::Malformed, span, &message);
    }
    list
}

/// Where the report came from at first, when it is read back.
fn source(value: Value<'_>) -> Option<Source> {
    let source = value.get("source").filter(|it| it.is_object() && !it.is_torn())?;
    serde_json::from_str(&source.raw()).ok()
}

/// A report that says nothing. Under a field of another name it may say something after all.
fn empty(value: Value<'_>, of: Label<'_>, cx: &mut Cx<'_, '_>) {
    if value.is_torn() {
        return;
    }
    let known = |name: &str| {
        let lists: [&[&str]; 5] = [
            &fields::AGENT,
            &fields::TEXT,
            &fields::FINDINGS,
            &fields::CITATIONS,
            &["given", "adjustments"],
        ];
        lists.into_iter().flatten().any(|known| *known == name)
    };
    let filled = |it: Value<'_>| {
        it.filled().is_some() || it.items().next().is_some() || it.pairs().next().is_some()
    };
    let others: Vec<String> = value
        .pairs()
        .filter(|(name, member)| !known(&name.str().unwrap_or_default()) && filled(*member))
        .filter_map(|(name, _)| name.str().map(|name| excerpt(&name)))
        .take(6)
        .collect();
    let (kind, also) = match others.as_slice() {
        [] => (ProblemKind::Empty, String::new()),
        others => {
            (ProblemKind::MissingField, format!("; its fields {} are not known", others.join(", ")))
        }
    };
    let message =
        format!("{of} says nothing: it has neither a `text` nor `findings`{also}. It was left out");
    cx.problem(kind, value.span(), &message);
}

/// A report while it is written out.
#[derive(Debug, Default)]
struct Draft {
    text: String,
    /// How much of the text the report gave as text.
    own: usize,
    given: Vec<Given>,
}

impl Draft {
    fn new(text: String) -> Self {
        Self { own: text.len(), text, given: Vec::new() }
    }

    /// Writes the findings out below the text.
    fn find(&mut self, value: Value<'_>, of: Label<'_>, cx: &mut Cx<'_, '_>) {
        let mut lines: Vec<Line> = Vec::new();
        let mut before = 0;
        for list in fields::FINDINGS.iter().filter_map(|key| value.get(key)) {
            finding::read(list, Label { finding: Some(before), ..of }, &mut lines, cx);
            before += list.items().count();
        }
        for line in lines {
            let span = self.push("- ", &line.text);
            self.given.push(Given { span, ..line.given });
        }
    }

    /// Adds a line, and gives its place; a blank line sets the first apart from the text.
    fn push(&mut self, mark: &str, line: &str) -> Span {
        if self.text.trim().is_empty() {
            self.text.clear();
            self.own = 0;
        } else {
            let gap = if self.text.len() == self.own { "\n\n" } else { "\n" };
            self.text.push_str(gap);
        }
        self.text.push_str(mark);
        let span = Span::new(self.text.len(), self.text.len() + line.len());
        self.text.push_str(line);
        span
    }

    /// Ascribes what is said to the sources that the report names as a whole: a source that quotes
    /// a value to that value, a single one to all. Others are listed below, since nothing says
    /// which of them is whose.
    fn cite(&mut self, value: Value<'_>, of: Label<'_>, cx: &mut Cx<'_, '_>) {
        // What is read back has its sources in the text.
        if source(value).is_some() || value.has("given") || value.has("adjustments") {
            return;
        }
        let (quoting, plain): (Vec<String>, Vec<String>) =
            fields::citations(value).into_iter().partition(|it| !quoted(it).is_empty());
        let all = if quoting.is_empty() { Vec::new() } else { numbers(&self.text) };
        for citation in &quoting {
            self.ascribe(citation, &all, value.span(), of, cx);
        }
        match plain.as_slice() {
            [one] if quoting.is_empty() => {
                for given in self.given.iter_mut().filter(|given| given.citation.is_none()) {
                    given.citation = Some(one.clone());
                }
                if self.own > 0 {
                    let (span, citation) = (Span::new(0, self.own), Some(one.clone()));
                    self.given.push(Given { span, citation, ..Given::default() });
                }
            }
            several => {
                for source in several.iter().filter(|it| !it.is_empty()) {
                    // Not "source", which would be that of the line above.
                    let _ = self.push("- Reference: ", source);
                }
            }
        }
        self.given.sort_by_key(|given| given.span);
    }

    /// Puts a citation where the value that it quotes is given.
    fn ascribe(
        &mut self,
        citation: &str,
        all: &[Number],
        span: Span,
        of: Label<'_>,
        cx: &mut Cx<'_, '_>,
    ) {
        if self.text.contains(citation) {
            return;
        }
        let quotes: Vec<Number> = quoted(citation).into_iter().flat_map(numbers).collect();
        let mut places = all.iter().filter(|it| quotes.iter().any(|quote| quote.agrees(**it)));
        let Some(place) = places.next().map(|it| it.span) else {
            let message = format!(
                "{of} cites “{}”, but nowhere gives the value that it quotes; the citation was \
                 left out",
                excerpt(citation)
            );
            return cx.problem(ProblemKind::Malformed, span, &message);
        };
        let citation = Some(citation.to_owned());
        match self.given.iter_mut().find(|given| given.span.contains(place)) {
            Some(given) => given.citation = given.citation.take().or(citation),
            None => self.given.push(Given { span: place, citation, ..Given::default() }),
        }
    }

    /// Keeps the limit.
    fn shorten(&mut self, span: Span, of: Label<'_>, cx: &mut Cx<'_, '_>) {
        if self.text.len() <= limits::REPORT_BYTES {
            return;
        }
        let message = format!(
            "{of} has {} bytes, more than the limit of {} bytes; the rest of it was cut off",
            self.text.len(),
            limits::REPORT_BYTES
        );
        cx.problem(ProblemKind::Limit, span, &message);
        let end = self.text.floor_char_boundary(limits::REPORT_BYTES);
        self.text.truncate(end);
        self.given.retain(|given| given.span.start() < end);
        if let Some(last) = self.given.last_mut() {
            last.span = Span::new(last.span.start(), last.span.end().min(end));
        }
        if let Some(first) = self.given.first_mut() {
            first.span = Span::new(first.span.start(), first.span.end().min(end));
        }
    }
}
