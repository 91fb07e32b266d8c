//! `rebuttal agents check`: asks each configured agent once, and reports.

use std::io::Write as _;

use anyhow::{Result, ensure};
use rebuttal::agents::{self, Checked};
use rebuttal::config::Config;

use crate::args::ledger::{AgentsArgs, PageFormat};
use crate::output::{Output, Status, to_file};
use crate::report::JsonText;
use crate::terminal::one_line;

/// Runs the command.
pub(crate) fn run(config: &Config, args: &AgentsArgs, out: &mut Output) -> Result<Status> {
    ensure!(
        args.format != PageFormat::Html,
        "`rebuttal agents check` writes no page; --format json is for programs"
    );
    to_file(out, args.output.as_deref())?;
    let checked = agents::check(config);
    let all = checked.iter().any(|one| one.ok);
    if args.format == PageFormat::Json {
        JsonText::line(out, &checked)?;
    } else {
        let paint = out.paint();
        for Checked { agent, model, ok, millis, says } in &checked {
            let mark = if *ok { paint.green("ok     ") } else { paint.red("no     ") };
            let took = if *ok { format!("{millis} ms") } else { String::new() };
            writeln!(out, "{mark}{agent:<12} {model:<24} {took:>8}  {}", one_line(says))?;
        }
    }
    Ok(if all { Status::Clean } else { Status::Findings })
}
