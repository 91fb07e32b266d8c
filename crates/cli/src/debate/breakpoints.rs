//! `rebuttal breakpoints`: which debates wait for a person, and the person's answer.

use std::collections::BTreeMap;
use std::io::{BufRead as _, IsTerminal as _, Write as _};

use anyhow::Result;
use rebuttal::engine::debate::{Runner, Seen, State, Waiting};
use rebuttal::model::{Breakpoint, BreakpointAnswer};

use super::stored;
use crate::args::{AnswerArgs, BreakpointsArgs, BreakpointsCommand, ListFormat};
use crate::output::{Output, Status, Target};
use crate::report::JsonText;
use crate::store;
use crate::terminal::one_line;

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
    let stored = stored::all(&runtime, &store)?;
    let waiting: Vec<Waiting> = stored.iter().filter_map(|it| Waiting::of(it, now)).collect();
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
    let Waiting { debate, question, breakpoint, timed_out } = one;
    writeln!(out, "{}  {}", paint.bold(debate.as_str()), one_line(question))?;
    let Breakpoint { number, round, reason, severity, until } = breakpoint;
    writeln!(out, "  breakpoint {number}, after round {round}, severity {severity:.2}")?;
    writeln!(out, "  {}", one_line(reason))?;
    match until {
        Some(until) if *timed_out => writeln!(out, "  its time ran out at {until}")?,
        Some(until) => writeln!(out, "  waits until {until}")?,
        None => writeln!(out, "  waits until you answer")?,
    }
    let answers = "continue | redirect | add-evidence | abort";
    writeln!(out, "  {}", paint.dim(format!("rebuttal breakpoints answer {debate} {answers}")))?;
    Ok(())
}

fn write_answer(args: &AnswerArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let stream = stored::find(&runtime, &store, &args.debate)?;
    let (seats, clock) = (BTreeMap::new(), store::now);
    let watch = |_: Seen<'_>| ();
    let runner = Runner::new(&store, &seats, &clock, &watch);
    let note = args.note.as_deref();
    runtime.block_on(runner.answer(&stream, args.number, args.answer, note))?;
    let id = stored::id_of(&stream);
    out.note(format_args!("written: {}; rebuttal resume {id} goes on", args.answer))?;
    Ok(Status::Clean)
}

/// Asks whoever sits at the terminal, if somebody does. `None`: nobody, or not now.
pub(super) fn ask(
    state: &State,
    out: &mut Output,
) -> Result<Option<(BreakpointAnswer, Option<String>)>> {
    let stdin = std::io::stdin();
    let Some(breakpoint) = state.steering.breakpoints.last() else { return Ok(None) };
    if !stdin.is_terminal() || out.target() != Target::Terminal {
        return Ok(None);
    }
    let paint = out.paint();
    writeln!(
        out,
        "{}",
        paint.yellow(format!("The debate waits: {}", one_line(&breakpoint.reason)))
    )?;
    loop {
        write!(out, "[c]ontinue, [r]edirect, add [e]vidence, [a]bort, or [l]ater? ")?;
        out.flush()?;
        let mut line = String::new();
        stdin.lock().read_line(&mut line)?;
        let answer = match line.trim().chars().next() {
            Some('c' | 'C') => return Ok(Some((BreakpointAnswer::Continue, None))),
            Some('a' | 'A') => return Ok(Some((BreakpointAnswer::Abort, None))),
            Some('r' | 'R') => BreakpointAnswer::Redirect,
            Some('e' | 'E') => BreakpointAnswer::AddEvidence,
            Some('l' | 'L') => return Ok(None),
            None if line.is_empty() => return Ok(None),
            _ => continue,
        };
        write!(out, "In words: ")?;
        out.flush()?;
        let mut note = String::new();
        stdin.lock().read_line(&mut note)?;
        if !note.trim().is_empty() {
            return Ok(Some((answer, Some(note.trim().to_owned()))));
        }
    }
}
