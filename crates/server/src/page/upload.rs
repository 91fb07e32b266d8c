//! Files and texts that are handed in: read first, judged when the person says so.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Multipart, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rebuttal::audit::{AuditSettings, tricksters, write_audit};
use rebuttal::config::Config;
use rebuttal::engine::reconcile::{Settings, reconcile as rule};
use rebuttal::model::{Method, Problem as FileProblem, Severity, Transcript};
use rebuttal::models::Analyzer;
use rebuttal::report::audit::Html;
use rebuttal::report::problems::Gravity;
use rebuttal::report::reconcile::{Reconciled, page as reconciled_page};
use rebuttal::report::site::{Conversation, Read, ReadReport, Task, upload};
use rebuttal::report::{Page, Place};
use rebuttal::transcripts::{Item, ReadOptions, read, read_reports};

use super::{Answered, shown};
use crate::app::App;
use crate::auth::Caller;
use crate::problem::{MALFORMED, Problem};

/// What was handed in.
#[derive(Debug, Default)]
struct Handed {
    name: String,
    bytes: Vec<u8>,
    judge: bool,
}

pub(super) async fn audit_form(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Answered {
    shown(&app, &caller, "/audit", &upload(Task::Audit, None, None)).await
}

pub(super) async fn reconcile_form(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Answered {
    shown(&app, &caller, "/reconcile", &upload(Task::Reconcile, None, None)).await
}

pub(super) async fn audit(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    sent: Multipart,
) -> Answered {
    answered(&app, &caller, Task::Audit, sent).await
}

pub(super) async fn reconcile(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    sent: Multipart,
) -> Answered {
    answered(&app, &caller, Task::Reconcile, sent).await
}

async fn answered(app: &App, caller: &Caller, task: Task, sent: Multipart) -> Answered {
    let here = match task {
        Task::Audit => "/audit",
        Task::Reconcile => "/reconcile",
    };
    let handed = handed(sent).await?;
    if handed.bytes.is_empty() {
        let page =
            upload(task, None, Some("Nothing was handed in: choose a file, or paste a text."));
        return shown(app, caller, here, &page).await;
    }
    let (method, config) =
        (if handed.judge { Method::Model } else { Method::Rules }, Arc::clone(&app.config));
    let page = app.readings.read(method, move |analyzer| match (handed.judge, task) {
        (false, _) => Ok(upload(task, Some(&was_read(task, &handed)), None)),
        (true, Task::Audit) => audited(&handed, analyzer, &config),
        (true, Task::Reconcile) => Ok(reconciled(&handed, &analyzer)),
    });
    shown(app, caller, here, &page.await?).await
}

/// The parts of the form: a file or a text, or what was read before with the wish to judge it.
async fn handed(mut sent: Multipart) -> Result<Handed, Problem> {
    let wrong = |error: axum::extract::multipart::MultipartError| {
        Problem::new(MALFORMED, error.body_text())
    };
    let mut handed = Handed::default();
    while let Some(part) = sent.next_field().await.map_err(wrong)? {
        let (field, file) =
            (part.name().unwrap_or_default().to_owned(), part.file_name().map(str::to_owned));
        let bytes = part.bytes().await.map_err(wrong)?;
        match field.as_str() {
            "judge" => handed.judge = true,
            "name" => handed.name = String::from_utf8_lossy(&bytes).into_owned(),
            "again" => {
                let unreadable = |_| {
                    Problem::new(
                        MALFORMED,
                        "`again` is not what this page sent; hand the file in once more",
                    )
                };
                handed.bytes = STANDARD.decode(&bytes).map_err(unreadable)?;
            }
            "file" | "text" if !bytes.is_empty() && handed.bytes.is_empty() => {
                handed.name =
                    file.filter(|name| !name.is_empty()).unwrap_or_else(|| "pasted".to_owned());
                handed.bytes = bytes.into();
            }
            _ => {}
        }
    }
    Ok(handed)
}

/// What is in it, before anything is judged.
fn was_read(task: Task, handed: &Handed) -> Read {
    let mut found = Read {
        name: handed.name.clone(),
        again: STANDARD.encode(&handed.bytes),
        conversations: Vec::new(),
        reports: Vec::new(),
        problems: Vec::new(),
    };
    let options = ReadOptions::default();
    match task {
        Task::Audit => read(&handed.name, &*handed.bytes, &options, &mut |item| match item {
            Item::Transcript(transcript) => found.conversations.push(Conversation {
                id: transcript.id.to_string(),
                agents: speakers(&transcript),
                turns: transcript.turns.len(),
                first: transcript.turns.first().map_or_else(String::new, |turn| turn.text.clone()),
            }),
            Item::Problem(problem) => found.problems.push(problem),
        }),
        Task::Reconcile => {
            let (reports, problems) = read_reports(&handed.name, &*handed.bytes, &options);
            let short = reports
                .into_iter()
                .map(|report| ReadReport { agent: report.agent.to_string(), first: report.text });
            found.reports = short.collect();
            found.problems = problems;
        }
    }
    found
}

/// Everybody who speaks, once, in the order of their first words.
fn speakers(transcript: &Transcript) -> Vec<String> {
    let mut known = BTreeSet::new();
    let first =
        transcript.turns.iter().map(|turn| &turn.agent).filter(|agent| known.insert(*agent));
    first.map(ToString::to_string).collect()
}

fn audited(handed: &Handed, analyzer: Analyzer, config: &Config) -> rebuttal::Result<Page> {
    let method = analyzer.reader().method();
    let settings = AuditSettings {
        analyzer,
        trickster: Some(tricksters(config)?),
        min_severity: Severity::Info,
    };
    let mut report = Html::new(method, Place::Site);
    let text = (handed.name.as_str(), handed.bytes.as_slice(), &ReadOptions::default());
    let summary = write_audit(text, &settings, &mut report, &mut io::sink())?;
    Ok(report.page(&summary))
}

/// Conflicts between the reports, ruled on by the written rules.
fn reconciled(handed: &Handed, analyzer: &Analyzer) -> Page {
    let (reports, problems) = read_reports(&handed.name, &*handed.bytes, &ReadOptions::default());
    let settings = Settings { reader: analyzer.reader(), ..Settings::default() };
    let outcome = rule(&reports, &settings, &|_| ());
    let problems: Vec<(FileProblem, Gravity)> = problems
        .into_iter()
        .chain(outcome.problems.iter().cloned())
        .map(|problem| (problem, Gravity::Warning))
        .collect();
    let reconciled = Reconciled {
        reports: &reports,
        problems: &problems,
        outcome: &outcome,
        method: analyzer.reader().method(),
        arbiter: None,
        authority_file: None,
        notes: analyzer.notes.iter().cloned().chain(analyzer.failure()).collect(),
    };
    reconciled_page(&reconciled, Place::Site)
}
