//! `rebuttal check` and `rebuttal evidence`: the user's documents, and what they say of a text.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebuttal::Versioned;
use rebuttal::config::Config;
use rebuttal::evidence::{Hit, Verdict};
use rebuttal::grounding::{Library, add, check_text};
use rebuttal::inputs::Source;
use rebuttal::model::Problem;
use rebuttal::models::Analyzer;
use rebuttal_report::check::{CheckedStatement, CheckedText, page};
use serde::Serialize;

use crate::args::{CheckFormat, CheckTextArgs, DbArgs, EvidenceArgs, EvidenceCommand, ListFormat};
use crate::output::{Output, Status, to_file};
use crate::report::{JsonText, count, excerpt};
use crate::store;
use crate::terminal::one_line;
use crate::wrap::wrap;

/// Problems that are told one by one; the rest are counted.
const TOLD: usize = 10;
/// How much of a passage is shown on a terminal, in characters.
const PASSAGE_CHARS: usize = 400;

/// `rebuttal check`.
pub(crate) fn check(args: &CheckTextArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let source =
        if args.file.as_os_str() == "-" { Source::Stdin } else { Source::file(&args.file) };
    let text = source.load()?;
    let library = library(&args.evidence, &args.db, out)?;
    let analyzer = Analyzer::new(args.method.into(), &config.semantics);
    to_file(out, args.output.as_deref())?;
    let bar = bar("checking", out);
    let checked =
        check_text(&source.name(), &text, library, &analyzer, |left| progress(&bar, left));
    bar.finish_and_clear();
    tell(&checked.problems, out)?;
    match args.format {
        CheckFormat::Json => JsonText::line(out, &Versioned::new(&checked))?,
        CheckFormat::Html => writeln!(out, "{}", page(&checked).stand_alone().into_string())?,
        CheckFormat::Sarif => checked.sarif(out)?,
        CheckFormat::Text => show(&checked, out)?,
    }
    let fails = args.fail_on.severity().is_some_and(|least| {
        let failed = checked.statements.iter().filter(|it| it.verdict != Verdict::Supported);
        failed.map(|it| it.severity).max().is_some_and(|gravest| gravest >= least)
    });
    Ok(if fails { Status::Findings } else { Status::Clean })
}

/// The documents that were named, else those that are kept.
pub(crate) fn library(paths: &[PathBuf], db: &DbArgs, out: &mut Output) -> Result<Library> {
    let library = if paths.is_empty() {
        let (runtime, store) = store::open(db)?;
        let library = runtime.block_on(Library::kept(&store))?;
        runtime.block_on(store.close());
        library
    } else {
        let bar = bar("reading", out);
        let library = Library::read(paths, |left| progress(&bar, left));
        bar.finish_and_clear();
        library
    };
    if library.index.passages().is_empty() {
        tell(&library.problems, out)?;
        let what = if paths.is_empty() {
            "no documents are kept"
        } else {
            "there is nothing to read in what --evidence names"
        };
        bail!(
            "{what}; name files or folders after --evidence, or keep some with `rebuttal evidence add`"
        );
    }
    Ok(library)
}

/// `rebuttal evidence`.
pub(crate) fn run(args: &EvidenceArgs, out: &mut Output) -> Result<Status> {
    match &args.command {
        EvidenceCommand::Add { paths, format, db } => keep(paths, db, *format, out),
        EvidenceCommand::Search { text, evidence, limit, format, db } => {
            let library = library(evidence, db, out)?;
            tell(&library.problems, out)?;
            let hits = library.index.search(&text.join(" "), *limit);
            search(&hits, *format, out)?;
            Ok(if hits.is_empty() { Status::Findings } else { Status::Clean })
        }
        EvidenceCommand::List { format, db } => list(db, *format, out),
    }
}

fn keep(paths: &[PathBuf], db: &DbArgs, format: ListFormat, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(db)?;
    let bar = bar("reading", out);
    let added = runtime.block_on(add(&store, paths, |left| progress(&bar, left)));
    bar.finish_and_clear();
    let added = added?;
    runtime.block_on(store.close());
    tell(&added.problems, out)?;
    match format {
        ListFormat::Json => JsonText::line(out, &Versioned::new(&added))?,
        ListFormat::Text => writeln!(
            out,
            "{} added or changed, {} as before: {}",
            count(added.added, "document"),
            added.unchanged,
            count(added.passages, "passage")
        )?,
    }
    let nothing = added.added + added.unchanged == 0;
    Ok(if nothing { Status::CouldNotRun } else { Status::Clean })
}

/// A passage that was found, as JSON.
#[derive(Serialize)]
struct Found<'h> {
    score: f32,
    #[serde(flatten)]
    passage: &'h rebuttal::model::Passage,
}

fn search(hits: &[Hit<'_>], format: ListFormat, out: &mut Output) -> Result<()> {
    if format == ListFormat::Json {
        #[derive(Serialize)]
        struct Answer<'h> {
            hits: Vec<Found<'h>>,
        }
        let hits = hits.iter().map(|hit| Found { score: hit.score, passage: hit.passage });
        let answer = Answer { hits: hits.collect() };
        return Ok(JsonText::line(out, &Versioned::new(&answer))?);
    }
    let paint = out.paint();
    if hits.is_empty() {
        writeln!(out, "no passage is near to that")?;
    }
    for hit in hits {
        let place = hit.passage.locator();
        let place = one_line(&place);
        writeln!(out, "{:.2}  {}  [{}]", hit.score, paint.bold(place), hit.passage.id)?;
        let text = excerpt(&one_line(&hit.passage.text), PASSAGE_CHARS);
        writeln!(out, "{}", wrap(&text, 6))?;
    }
    Ok(())
}

fn list(db: &DbArgs, format: ListFormat, out: &mut Output) -> Result<Status> {
    #[derive(Serialize)]
    struct Line {
        name: String,
        hash: String,
        passages: u64,
    }
    #[derive(Serialize)]
    struct Answer {
        documents: Vec<Line>,
    }
    let (runtime, store) = store::open(db)?;
    let kept = runtime.block_on(store.evidence_list())?;
    runtime.block_on(store.close());
    if format == ListFormat::Json {
        let line = |it: rebuttal::store::KeptDocument| Line {
            name: it.name,
            hash: it.hash,
            passages: it.passages,
        };
        let answer = Answer { documents: kept.into_iter().map(line).collect() };
        JsonText::line(out, &Versioned::new(&answer))?;
        return Ok(Status::Clean);
    }
    if kept.is_empty() {
        writeln!(out, "no documents are kept; `rebuttal evidence add PATH` keeps some")?;
    }
    for document in kept {
        writeln!(out, "{:>6}  {}", document.passages, one_line(&document.name))?;
    }
    Ok(Status::Clean)
}

fn show(checked: &CheckedText, out: &mut Output) -> Result<()> {
    let paint = out.paint();
    for statement in &checked.statements {
        let mark = match statement.verdict {
            Verdict::Supported => paint.green(statement.verdict.as_str()),
            Verdict::Unchecked | Verdict::NotFound => paint.dim(statement.verdict.as_str()),
            _ => paint.red(statement.verdict.as_str()),
        };
        let who = statement.agent.as_ref().map(|it| format!("{}: ", one_line(it)));
        writeln!(out, "{}:{}  {mark}", one_line(&checked.file), statement.line)?;
        writeln!(
            out,
            "{}",
            wrap(&format!("{}{}", who.unwrap_or_default(), one_line(&statement.text)), 4)
        )?;
        beside(statement, out)?;
    }
    let counts: Vec<String> =
        checked.counts.iter().map(|(verdict, number)| format!("{number} {verdict}")).collect();
    let (statements, documents) =
        (count(checked.statements.len(), "statement"), count(checked.documents, "document"));
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    writeln!(out, "\n{statements} against {documents}{counts}")?;
    for note in &checked.notes {
        out.note(one_line(note))?;
    }
    Ok(())
}

fn beside(statement: &CheckedStatement, out: &mut Output) -> Result<()> {
    let paint = out.paint();
    let why = one_line(&statement.why);
    match &statement.evidence {
        Some(shown) => {
            writeln!(
                out,
                "    {} {}",
                paint.dim(&why),
                paint.dim(format!("({})", one_line(&shown.passage.locator())))
            )?;
            if statement.verdict != Verdict::Supported {
                let words = shown.at.and_then(|at| {
                    rebuttal_report::audit::sentence(&shown.passage.text, at)?
                        .of(&shown.passage.text)
                });
                let words = excerpt(&one_line(words.unwrap_or(&shown.passage.text)), PASSAGE_CHARS);
                writeln!(out, "{}", wrap(&format!("> {words}"), 6))?;
            }
        }
        None => writeln!(out, "    {}", paint.dim(why))?,
    }
    Ok(())
}

/// Says what was not read, up to a number.
pub(crate) fn tell(problems: &[Problem], out: &mut Output) -> Result<()> {
    for problem in problems.iter().take(TOLD) {
        out.warn(one_line(&problem.to_string()))?;
    }
    if problems.len() > TOLD {
        out.warn(format_args!(
            "{} more of the kind; --format json has all",
            problems.len() - TOLD
        ))?;
    }
    Ok(())
}

fn bar(what: &str, out: &Output) -> ProgressBar {
    if !out.draws_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = format!("{what}  {{bar:30}} {{pos}}/{{len}}");
    bar.with_style(ProgressStyle::with_template(&style).unwrap_or(ProgressStyle::default_bar()))
}

fn progress(bar: &ProgressBar, left: usize) {
    let left = left as u64;
    if bar.length().is_none() {
        bar.set_length(left);
    }
    bar.set_position(bar.length().unwrap_or(left).saturating_sub(left));
}
