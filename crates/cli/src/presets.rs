//! `rebuttal presets`: the panels that come with the program.

use std::io::Write as _;

use anyhow::{Result, bail};
use rebuttal::presets::{self, PanelPreset};

use crate::args::{ListFormat, PresetsArgs};
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::terminal::one_line;
use crate::wrap::wrap;

pub(crate) fn run(args: &PresetsArgs, out: &mut Output) -> Result<Status> {
    let Some(name) = &args.name else {
        let all = presets::all()?;
        match args.format {
            ListFormat::Json => JsonText::line(out, &all)?,
            ListFormat::Text => list(&all, out)?,
        }
        return Ok(Status::Clean);
    };
    let Some(preset) = presets::find(name)? else {
        let known: Vec<&str> = presets::names().collect();
        bail!("no panel is called {name:?}; there are {}", known.join(", "));
    };
    match args.format {
        ListFormat::Json => JsonText::line(out, &preset)?,
        ListFormat::Text => show(&preset, out)?,
    }
    Ok(Status::Clean)
}

fn list(all: &[PanelPreset], out: &mut Output) -> Result<()> {
    let paint = out.paint();
    for preset in all {
        let seats: Vec<&str> = preset.seats.iter().map(|seat| seat.name.as_str()).collect();
        writeln!(out, "{}", paint.bold(&preset.name))?;
        writeln!(out, "{}", wrap(&preset.about, 2))?;
        writeln!(out, "{}", paint.dim(wrap(&seats.join(", "), 2)))?;
    }
    writeln!(
        out,
        "\n`rebuttal presets NAME` shows one, `rebuttal debate … --preset NAME` uses it."
    )?;
    Ok(())
}

fn show(preset: &PanelPreset, out: &mut Output) -> Result<()> {
    let paint = out.paint();
    writeln!(out, "{}", paint.bold(one_line(&preset.title)))?;
    writeln!(out, "{}\n", wrap(&preset.about, 2))?;
    for seat in &preset.seats {
        writeln!(out, "  {}", paint.bold(one_line(&seat.name)))?;
        writeln!(out, "{}", wrap(&seat.persona, 6))?;
    }
    let protocol = &preset.protocol;
    if !preset.options.is_empty() {
        writeln!(out, "\nAnswers: {}", one_line(&preset.options.join(", ")))?;
    }
    writeln!(out, "Rounds: {}, rule: {}", protocol.rounds, one_line(&protocol.rule))?;
    if !preset.evidence.is_empty() {
        writeln!(out, "\nTo try it, without a key:\n  {}", one_line(&preset.command()))?;
    }
    Ok(())
}
