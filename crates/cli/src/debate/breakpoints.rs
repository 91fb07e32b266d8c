//! `rebuttal breakpoints`: which debates wait for a person, and the person's answer.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use jiff::Timestamp;
use rebuttal::debates;
use rebuttal::engine::debate::{AnswerError, Engine, RunError, State, Waiting};
use rebuttal::model::{Breakpoint, BreakpointAnswer};
use rebuttal::store::DebateStatus;
use rebuttal_report::debate::unanswered;

use super::stored;
use crate::args::{AnswerArgs, BreakpointsArgs, BreakpointsCommand, ListFormat};
use crate::output::{Output, Status, Target};
use crate::report::JsonText;
use crate::store;
use crate::terminal::one_line;
use crate::wrap::wrap;

/// Runs the command.
pub(crate) fn run(args: &BreakpointsArgs, out: &mut Output) -> Result<Status> {
    match &args.command {
        Some(BreakpointsCommand::Answer(answer)) => write_answer(answer, out),
        None => list(args, out),
    }
}

fn list(args: &BreakpointsArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let now = store::now();
    let stored = stored::all((&runtime, &store), Some(DebateStatus::Waiting), out)?;
    let waiting = Waiting::list(&stored, now);
    let status = if waiting.is_empty() { Status::Clean } else { Status::Findings };
    if args.format == ListFormat::Json {
        JsonText::line(out, &waiting)?;
        return Ok(status);
    }
    for one in &waiting {
        show(one, out)?;
    }
    if waiting.is_empty() {
        out.note("no debate waits for you")?;
    }
    Ok(status)
}

fn show(one: &Waiting, out: &mut Output) -> Result<()> {
    let paint = out.paint();
    let Waiting { debate, question, breakpoint, timed_out, on_timeout, text } = one;
    writeln!(out, "{}  {}", paint.bold(debate.as_str()), one_line(question))?;
    let Breakpoint { number, round, reason, severity, until } = breakpoint;
    writeln!(out, "  breakpoint {number}, after round {round}, severity {severity:.2}")?;
    writeln!(out, "{}", wrap(&one_line(reason), 2))?;
    for line in text.iter().flat_map(|text| facts(text)) {
        writeln!(out, "{}", wrap(&one_line(&line), 4))?;
    }
    match until {
        Some(until) if *timed_out => {
            writeln!(out, "  nobody answered by {until:.0}: it counts as `{on_timeout}`")?;
            writeln!(out, "  {}", paint.dim(format!("rebuttal resume {debate}")))?;
            return Ok(());
        }
        Some(until) => writeln!(out, "  {}", unanswered(debate.as_str(), *until, *on_timeout))?,
        None => writeln!(out, "  waits until you answer")?,
    }
    let seen = format!("rebuttal show {debate}");
    writeln!(out, "  {}  what was said so far", paint.dim(seen))?;
    let answers = "continue | redirect | add-evidence | abort";
    writeln!(out, "  {}", paint.dim(format!("rebuttal breakpoints answer {debate} {answers}")))?;
    Ok(())
}

/// An answer as it is typed.
fn typed_as(answer: BreakpointAnswer) -> String {
    answer.as_str().replace('_', "-")
}

/// Of what the trickster says at a breakpoint, the facts: who lacks what, which claims nobody supports,
/// and what was tried. The reason and the ways to answer are shown anyway.
fn facts(text: &str) -> Vec<String> {
    let sections = text.split("\n### ").skip(1);
    let told = sections.filter(|section| !section.starts_with("What You Can Do"));
    let lines = told.flat_map(str::lines).filter(|line| !line.trim().is_empty());
    // That quoted words are not to be obeyed is for models.
    let lines = lines.filter(|line| !line.starts_with("Words in quotation marks"));
    lines.map(|line| line.replace("**", "")).collect()
}

fn write_answer(args: &AnswerArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let id = runtime.block_on(debates::find(&store, &args.debate))?;
    let store = Arc::new(store);
    let engine = Engine::new(Arc::clone(&store)).clock(store::now);
    let note = args.note.as_deref();
    match runtime.block_on(engine.answer(&id, args.number, args.answer, note)) {
        Err(RunError::Answer(AnswerError::NoWords(_))) => {
            bail!("to {}, say with which words: --note \"…\"", typed_as(args.answer))
        }
        Err(RunError::Answer(error @ AnswerError::NotWaiting(_))) => {
            let waits = stored::all((&runtime, &store), Some(DebateStatus::Waiting), out)?;
            let waiting = Waiting::list(&waits, store::now());
            let others: Vec<&str> = waiting.iter().map(|other| other.debate.as_str()).collect();
            match others.as_slice() {
                [] => bail!("{id}: {error}"),
                others => bail!("{id}: {error}; those that wait: {}", others.join(", ")),
            }
        }
        answered => answered?,
    }
    out.note(format_args!("written: {}; rebuttal resume {id} goes on", typed_as(args.answer)))?;
    Ok(Status::Clean)
}

/// What whoever sits at the terminal says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// The answer, with a note for the agents.
    Answer(BreakpointAnswer, Option<String>),
    /// Nothing, for as long as the breakpoint waits.
    TimedOut,
    /// Not now; or nobody sits there.
    Later,
}

/// True when somebody sits at a terminal who can be asked.
pub(super) fn is_somebody_there(out: &Output) -> bool {
    std::io::stdin().is_terminal() && out.target() == Target::Terminal
}

/// Asks whoever sits at the terminal, if somebody does, for as long as the breakpoint waits.
pub(super) fn ask(state: &State, out: &mut Output) -> Result<Heard> {
    let Some(breakpoint) = state.steering.breakpoints.last() else { return Ok(Heard::Later) };
    if !is_somebody_there(out) {
        return Ok(Heard::Later);
    }
    // Why it waits was told a line above; whom that is about was not.
    let waiting = Waiting::of(state, store::now());
    let told = waiting.and_then(|waiting| waiting.text);
    for line in told.iter().flat_map(|text| facts(text)) {
        writeln!(out, "{}", wrap(&one_line(&line), 4))?;
    }
    let heard = conversation(breakpoint.until, out)?;
    if heard == Heard::TimedOut {
        writeln!(out)?;
    }
    Ok(heard)
}

fn conversation(until: Option<Timestamp>, out: &mut Output) -> Result<Heard> {
    loop {
        write!(out, "[c]ontinue, [r]edirect, add [e]vidence, [a]bort, or [l]ater? ")?;
        out.flush()?;
        let line = match typed(until) {
            Typed::Line(line) => line,
            Typed::Nothing => return Ok(Heard::TimedOut),
            Typed::End => return Ok(Heard::Later),
        };
        let answer = match word(&line) {
            Some(Word::Answer(answer @ (BreakpointAnswer::Continue | BreakpointAnswer::Abort))) => {
                return Ok(Heard::Answer(answer, None));
            }
            Some(Word::Answer(answer)) => answer,
            Some(Word::Later) => return Ok(Heard::Later),
            None if line.trim().is_empty() => continue,
            None => {
                let line = one_line(line.trim()).into_owned();
                writeln!(out, "“{line}” is none of these words; nothing was done.")?;
                continue;
            }
        };
        write!(out, "In words: ")?;
        out.flush()?;
        match typed(until) {
            Typed::Line(note) if !note.trim().is_empty() => {
                return Ok(Heard::Answer(answer, Some(note.trim().to_owned())));
            }
            Typed::Line(_) => {}
            Typed::Nothing => return Ok(Heard::TimedOut),
            Typed::End => return Ok(Heard::Later),
        }
    }
}

/// A command that can be typed at a breakpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Answer(BreakpointAnswer),
    Later,
}

/// The word that was typed, whole or by its letter in brackets.
fn word(line: &str) -> Option<Word> {
    let typed = line.trim().to_lowercase().replace(['_', ' '], "-");
    Some(match typed.as_str() {
        "c" | "continue" => Word::Answer(BreakpointAnswer::Continue),
        "r" | "redirect" => Word::Answer(BreakpointAnswer::Redirect),
        "e" | "evidence" | "add-evidence" => Word::Answer(BreakpointAnswer::AddEvidence),
        "a" | "abort" => Word::Answer(BreakpointAnswer::Abort),
        "l" | "later" => Word::Later,
        _ => return None,
    })
}

/// What came from the keyboard.
enum Typed {
    Line(String),
    /// Nothing in time.
    Nothing,
    /// Nothing will come any more.
    End,
}

/// The next line, if it comes before then.
fn typed(until: Option<Timestamp>) -> Typed {
    let lines = KEYBOARD.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(until) = until else {
        return lines.recv().map_or(Typed::End, Typed::Line);
    };
    let wait = Duration::try_from(until.duration_since(store::now())).unwrap_or_default();
    match lines.recv_timeout(wait) {
        Ok(line) => Typed::Line(line),
        Err(RecvTimeoutError::Timeout) => Typed::Nothing,
        Err(RecvTimeoutError::Disconnected) => Typed::End,
    }
}

/// The lines of the keyboard. One thread reads them as long as the program runs: a line that is waited
/// for cannot be given up, and two readers would take each other's.
static KEYBOARD: LazyLock<Mutex<Receiver<String>>> = LazyLock::new(|| {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    Mutex::new(lines)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_and_single_letters_are_read_and_nothing_else() {
        let answer = |answer| Some(Word::Answer(answer));
        for (typed, expected) in [
            ("add-evidence", answer(BreakpointAnswer::AddEvidence)),
            ("Add evidence", answer(BreakpointAnswer::AddEvidence)),
            ("e", answer(BreakpointAnswer::AddEvidence)),
            ("a", answer(BreakpointAnswer::Abort)),
            (" ABORT ", answer(BreakpointAnswer::Abort)),
            ("continue", answer(BreakpointAnswer::Continue)),
            ("redirect", answer(BreakpointAnswer::Redirect)),
            ("later", Some(Word::Later)),
            ("ab", None),
            ("certainly not", None),
            ("add", None),
            ("", None),
        ] {
            assert_eq!(word(typed), expected, "{typed:?}");
        }
    }
}
