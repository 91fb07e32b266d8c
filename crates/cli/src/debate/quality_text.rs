//! `rebuttal quality`: how well debates were supported, whether challenges helped, and who needed them.

use std::io::Write as _;

use anyhow::Result;
use rebuttal::debates;
use rebuttal::model::{AgentId, DebateId};
use rebuttal_report::debate::quality::{Quality, page, picture, to_paste};

use super::stored;
use crate::args::{QualityArgs, QualityFormat};
use crate::output::{Output, Status};
use crate::report::{JsonText, count};
use crate::store;
use crate::terminal::one_line;

/// Runs the command.
pub(crate) fn run(args: &QualityArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let mut damaged = |id: &DebateId, error: &rebuttal::Error| stored::told_damaged(id, error, out);
    let found = debates::quality(&store, args.limit, &mut damaged);
    let (quality, states) = runtime.block_on(found)?;
    crate::output::to_file(out, args.output.as_deref())?;
    match args.format {
        QualityFormat::Json => JsonText::line(out, &quality)?,
        QualityFormat::Html => write!(
            out,
            "{}",
            page(&quality, rebuttal_report::Place::File).stand_alone().into_string()
        )?,
        QualityFormat::Svg => {
            if let Some(latest) = states.last() {
                writeln!(out, "{}", picture(latest).into_string())?;
            }
        }
        QualityFormat::Text => text(&quality, out)?,
    }
    if states.is_empty() {
        out.note("no debate was looked at yet; rebuttal debate \"…\" runs one")?;
    }
    Ok(Status::Clean)
}

/// As much of a text as there is room for.
fn shortened(text: &str, most: usize) -> String {
    let text = one_line(text);
    if text.chars().count() <= most {
        return text.into_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

fn text(quality: &Quality, out: &mut Output) -> Result<()> {
    let paint = out.paint();
    if quality.debates.is_empty() {
        return Ok(());
    }
    let head =
        format!("{:<16} {:>8} {:>8} {:>7} {:>6}", "debate", "first", "last", "hollow", "acted");
    writeln!(out, "{}  question", paint.bold(head))?;
    for debate in &quality.debates {
        let rounds = &debate.stats.avg_quality_per_round;
        let (first, last) = (rounds.values().next(), rounds.values().next_back());
        let figure =
            |value: Option<&f64>| value.map_or("–".to_owned(), |value| format!("{value:.2}"));
        let question = shortened(&debate.question, 40);
        writeln!(
            out,
            "{:<16} {:>8} {:>8} {:>7} {:>6}  {question}",
            debate.id,
            figure(first),
            figure(last),
            debate.stats.hollow_alerts_detected,
            debate.stats.total_interventions,
        )?;
    }
    if let Some(gain) = quality.trend.gain {
        writeln!(out, "\nFrom the first to the last round evidence quality moves by {gain:+.2}.")?;
    }
    if let Some(slope) = quality.trend.slope {
        writeln!(out, "From one debate to the next it moves by {slope:+.3}.")?;
    }
    writeln!(out, "\n{}", paint.bold("agents, by evidence quality"))?;
    let mut agents: Vec<(&AgentId, &f64)> = quality.agents.iter().collect();
    agents.sort_by(|one, two| one.1.total_cmp(two.1));
    for (agent, mean) in agents {
        let flagged = quality.flagged.iter().find(|flagged| flagged.agent == *agent);
        let words = flagged.map_or(String::new(), |flagged| {
            let (times, debates) = (flagged.interventions, flagged.debates);
            let words =
                format!("challenged {} in {}", count(times, "time"), count(debates, "debate"));
            format!("  {}", paint.dim(words))
        });
        writeln!(out, "  {:<20} {mean:>5.2}{words}", shortened(agent.as_str(), 20))?;
    }
    if !quality.calibration.is_empty() {
        writeln!(out, "\n{}", paint.bold("learned from debates whose answer is known, by field"))?;
    }
    for learned in &quality.calibration {
        writeln!(out, "  {}: {}", learned.domain, learned.reason)?;
        for line in to_paste(learned).iter().flat_map(|text| text.lines()) {
            writeln!(out, "    {}", paint.dim(line))?;
        }
    }
    if quality.calibration.iter().any(|learned| to_paste(learned).is_some()) {
        writeln!(out, "  To step in as learned, put these lines into rebuttal.toml.")?;
    }
    Ok(())
}
