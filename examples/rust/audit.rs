//! Audits a log: who changed sides, who said so, and which agreement has nothing behind it.
//!
//! ```text
//! cargo run -p rebuttal --example audit -- examples/transcripts/museum.txt
//! ```

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use rebuttal::prelude::*;
use rebuttal::transcripts::{Item, ReadOptions, read_path};

fn main() -> Result<()> {
    let log = std::env::args().nth(1).unwrap_or("examples/transcripts/museum.txt".to_owned());
    std::io::stdout().write_all(findings(Path::new(&log))?.as_bytes())?;
    Ok(())
}

/// One line for each finding, and one for each problem with the file.
pub(crate) fn findings(log: &Path) -> Result<String> {
    // `Method::Model` asks the models in the library where rules are in doubt.
    let settings = AuditSettings::new(Method::Rules, &Config::default())?;
    let mut text = String::new();
    read_path(log, &ReadOptions::default(), &mut |item| match item {
        Item::Transcript(transcript) => {
            for finding in audit(&transcript, &settings).findings {
                let severity = finding.severity.as_str();
                writeln!(text, "{severity}: {}: {}", finding.rule, finding.explanation).ok();
                for quote in finding.quotes.iter() {
                    writeln!(text, "  {}: \"{}\"", quote.shows, quote.text).ok();
                }
            }
        }
        Item::Problem(problem) => drop(writeln!(text, "problem: {problem}")),
    });
    Ok(text)
}
