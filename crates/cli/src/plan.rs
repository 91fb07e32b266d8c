//! What will be done: arguments checked and turned into plain values, before any work starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rebuttal::audit::tricksters;
use rebuttal::config::{Config, text_of};
use rebuttal::inputs::{self, Input, Source};
use rebuttal::model::{AgentId, AssignedSide, Severity, TricksterConfig};
use rebuttal::models::Analyzer;
use rebuttal::transcripts::{Columns, Format, ReadOptions};
use rebuttal_report::problems::Strictness;

use crate::args::{
    AuditArgs, CompareArgs, DbArgs, ListFormat, ReadArgs, ReadingArgs, ReportFormat,
};
use crate::judge;

/// What will be read, and how it will be judged.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    /// What to read, in order.
    pub(crate) inputs: Vec<Input>,
    /// What the user said about the input.
    pub(crate) options: ReadOptions,
    /// Who reads it.
    pub(crate) analyzer: Analyzer,
    /// Whether parts may be left out.
    pub(crate) strictness: Strictness,
    /// Files that were named more than once, and are read once.
    pub(crate) repeated: Vec<String>,
}

/// An audit, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct AuditPlan {
    /// What is read, and how.
    pub(crate) reading: Reading,
    /// How the result is written.
    pub(crate) format: ReportFormat,
    /// Where the result goes, if not to stdout.
    pub(crate) output: Option<PathBuf>,
    /// The mildest severity that fails the run; `None` is never.
    pub(crate) fail_on: Option<Severity>,
    /// The mildest severity shown.
    pub(crate) min_severity: Severity,
    /// When agreement counts as hollow, by the debate's field; `None`: it is not looked for.
    pub(crate) trickster: Option<BTreeMap<&'static str, TricksterConfig>>,
    /// The database that positions are saved to, if any.
    pub(crate) save: Option<DbArgs>,
    /// With how many earlier positions of its agent a saved one is compared.
    pub(crate) lookback: usize,
}

impl AuditPlan {
    /// Checks what was typed.
    pub(crate) fn new(args: &AuditArgs, config: &Config) -> Result<Self> {
        if let Some(output) = &args.output {
            refuse_to_overwrite_input(output, &args.files, "--output")?;
        }
        Ok(Self {
            reading: Reading::new(&args.files, &args.reading, args.output.as_deref(), config)?,
            format: args.format,
            output: args.output.clone(),
            trickster: (!args.no_trickster).then(|| tricksters(config)).transpose()?,
            fail_on: args.fail_on.severity(),
            min_severity: args.min_severity.into(),
            save: args.save.database(),
            lookback: args.save.lookback,
        })
    }
}

impl Reading {
    /// Finds the files and checks what was said about them.
    pub(crate) fn new(
        files: &[PathBuf],
        args: &ReadingArgs,
        except: Option<&Path>,
        config: &Config,
    ) -> Result<Self> {
        let options = options(args)?;
        let inputs::Found { inputs, repeated, .. } = inputs::find(files, except);
        let strictness = if args.strict { Strictness::Strict } else { Strictness::Lenient };
        let analyzer = judge::analyzer(args.method.into(), &args.judge, config)?;
        Ok(Self { inputs, options, analyzer, strictness, repeated })
    }
}

/// One text, ready to be read.
#[derive(Clone, Debug)]
pub(crate) struct ReadPlan {
    /// Where the text comes from.
    pub(crate) source: Source,
    /// What the position is towards.
    pub(crate) question: Option<String>,
    /// How the result is written.
    pub(crate) format: ListFormat,
}

impl ReadPlan {
    /// Checks what was typed.
    pub(crate) fn new(args: &ReadArgs) -> Result<Self> {
        let is_asked = args.question.as_ref().is_none_or(|question| !question.trim().is_empty());
        ensure!(is_asked, "--question is empty; leave it out, or write the question after it");
        let source = match &args.file {
            Some(path) => Source::file(path),
            None => Source::words(args.text.join(" ")),
        };
        Ok(Self { source, question: args.question.clone(), format: args.format })
    }
}

/// Two texts, ready to be compared.
#[derive(Clone, Debug)]
pub(crate) struct ComparePlan {
    /// Where the first text comes from.
    pub(crate) first: Source,
    /// Where the second text comes from.
    pub(crate) second: Source,
    /// Who compares.
    pub(crate) analyzer: Analyzer,
    /// How the result is written.
    pub(crate) format: ListFormat,
}

impl ComparePlan {
    /// Checks what was typed.
    pub(crate) fn new(args: &CompareArgs, config: &Config) -> Result<Self> {
        let typed = args.texts.iter().cloned().map(Source::words);
        let sources: Vec<Source> =
            typed.chain(args.files.iter().map(|path| Source::file(path))).collect();
        let [first, second] = sources.as_slice() else {
            bail!("compare takes two texts, typed or after --file; {} given", sources.len());
        };
        let twice = [first, second].iter().all(|source| **source == Source::Stdin);
        ensure!(!twice, "stdin can be read once; name a file for the other text");
        Ok(Self {
            first: first.clone(),
            second: second.clone(),
            analyzer: Analyzer::new(args.method.into(), &config.semantics),
            format: args.format,
        })
    }
}

/// The sides that agents were given: `ann=PRO` as typed, and the lines of files.
fn sides(typed: &[String]) -> Result<Vec<AssignedSide>> {
    let mut told = Vec::new();
    for given in typed {
        if !Path::new(given).exists() {
            told.push(side(given).with_context(|| {
                format!("--sides: {given:?} is neither AGENT=SIDE, such as ann=PRO, nor a file")
            })?);
            continue;
        }
        let text = text_of(Path::new(given)).with_context(|| format!("--sides {given}"))?;
        let lines = text.lines().enumerate();
        for (number, line) in
            lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        {
            let at = || format!("--sides {given}:{}: {line:?} is not AGENT=SIDE", number + 1);
            told.push(side(line).with_context(at)?);
        }
    }
    Ok(told)
}

fn side(pair: &str) -> Option<AssignedSide> {
    let (agent, side) = pair.rsplit_once('=')?;
    let (agent, side) = (agent.trim(), side.trim());
    let is_whole = !agent.is_empty() && !side.is_empty();
    is_whole.then(|| AssignedSide { agent: AgentId::new(agent), side: side.to_owned() })
}

/// What the user said about the input, checked against what there is.
fn options(args: &ReadingArgs) -> Result<ReadOptions> {
    let from = args.from.as_deref().map(format_named).transpose()?;
    let mut columns = Columns::default();
    for pair in &args.columns {
        let Some((field, column)) = pair.split_once('=') else {
            bail!("--columns: {pair:?} is not FIELD=COLUMN; write for example agent=speaker");
        };
        let slot = match field.trim() {
            "agent" => &mut columns.agent,
            "text" => &mut columns.text,
            "round" => &mut columns.round,
            "model" => &mut columns.model,
            "time" => &mut columns.time,
            "debate" => &mut columns.debate,
            "role" => &mut columns.role,
            _ => bail!(
                "--columns: no field {field:?}; there are agent, text, round, model, time, debate, role"
            ),
        };
        *slot = Some(column.to_owned());
    }
    Ok(ReadOptions { from, columns, sides: sides(&args.sides)? })
}

/// A format by its name, as `--from` gives it.
pub(crate) fn format_named(name: &str) -> Result<Format> {
    Format::ALL.into_iter().find(|format| format.name() == name).with_context(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        format!("--from: no format {name:?}; there are {names}")
    })
}

/// `rebuttal audit run.json -o run.json` would destroy what it reads.
pub(crate) fn refuse_to_overwrite_input(
    output: &Path,
    files: &[PathBuf],
    flag: &str,
) -> Result<()> {
    let Ok(output) = output.canonicalize() else { return Ok(()) };
    for file in files {
        if file.canonicalize().is_ok_and(|file| file == output) {
            bail!(
                "{} is both read and written; name another file after {flag}",
                crate::terminal::one_line(&file.display().to_string()),
            );
        }
    }
    Ok(())
}
