//! An audit of one text in memory, written in any format: what servers need, who get no files.

use std::io::{self, Write};
use std::sync::Arc;

use rebuttal_report::audit::{Report, Summary};
use rebuttal_report::problems::{FileProblems, Origin, Strictness};
use rebuttal_transcripts::{self as transcripts, Item, ReadOptions};

use super::AuditSettings;
use super::audited::audit_as;

/// Audits every conversation in a text and writes the report. Only writing can fail: what is wrong with
/// the text is in the report and in the summary.
///
/// ```
/// use rebuttal::audit::{AuditSettings, write_audit};
/// use rebuttal::prelude::*;
/// use rebuttal::report::audit::Json;
/// use rebuttal::transcripts::ReadOptions;
///
/// let settings = AuditSettings::new(Method::Rules, &Config::default())?;
/// let log = "user: Should we ship?\nann: Yes, we should ship.\nann: No, we should not ship.\n";
/// let (mut written, mut report) = (Vec::new(), Json::new(Method::Rules));
/// let text = ("log", log, &ReadOptions::default());
/// let summary = write_audit(text, &settings, &mut report, &mut written)?;
/// assert_eq!((summary.transcripts, summary.findings.total()), (1, 1));
/// # Ok::<(), Error>(())
/// ```
pub fn write_audit(
    (name, text, options): (&str, impl AsRef<[u8]>, &ReadOptions),
    settings: &AuditSettings,
    report: &mut dyn Report,
    out: &mut dyn Write,
) -> io::Result<Summary> {
    let (mut summary, mut problems) = (Summary::default(), FileProblems::new(Origin::Named));
    let name: Arc<str> = Arc::from(name);
    summary.file(Arc::clone(&name));
    let keep = report.keeps();
    let mut result = Ok(());
    transcripts::read(&name, text.as_ref(), options, &mut |item| match item {
        // The reader cannot be stopped; after a write failed the rest is only skipped.
        Item::Transcript(_) if result.is_err() => {}
        Item::Transcript(transcript) => {
            problems.transcript();
            let (analyzer, file) = (&settings.analyzer, Arc::clone(&name));
            let audited = analyzer.install(|| audit_as(file, transcript, settings, keep));
            summary.transcript(&audited);
            result = report.transcript(out, &audited);
        }
        Item::Problem(problem) => problems.push(problem),
    });
    result?;
    summary.file_done(&problems);
    for (problem, gravity) in problems.weighed(Strictness::Lenient) {
        report.problem(out, problem, gravity)?;
    }
    report.finish(out, &summary)?;
    Ok(summary)
}
