//! The adjusted reports as files: JSON lines for programs, texts for people.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::{Context, Result};
use rebuttal_model::Report;
use rebuttal_policy::adjusted_text;

use rebuttal_report::{JsonText, count};
use rebuttal_text::visible;

use super::cannot_write;

/// What the JSON lines are called in a folder.
const LINES: &str = "reports.jsonl";
/// Longest part of an agent's name in a file name.
const NAME_CHARS: usize = 40;

/// Writes them, and says where: one file, or a folder if the path is one or ends in a slash.
pub fn write(path: &Path, reports: &[Report]) -> Result<String> {
    let shown = path.display().to_string();
    if !path.is_dir() && !shown.ends_with(['/', '\\']) {
        lines(path, reports)?;
        return Ok(shown);
    }
    fs::create_dir_all(path).with_context(|| cannot_write(path))?;
    lines(&path.join(LINES), reports)?;
    for (index, report) in reports.iter().enumerate() {
        let text = path.join(format!("{:02}-{}.txt", index + 1, file_name(report.agent.as_str())));
        let content = format!("{}\n", visible(&adjusted_text(report)).trim_end());
        fs::write(&text, content).with_context(|| cannot_write(&text))?;
    }
    Ok(format!("{shown} ({LINES} and {})", count(reports.len(), "text")))
}

fn lines(path: &Path, reports: &[Report]) -> Result<()> {
    let file = File::create(path).with_context(|| cannot_write(path))?;
    let mut file = BufWriter::new(file);
    reports.iter().try_for_each(|report| JsonText::line(&mut file, report))?;
    file.flush().with_context(|| cannot_write(path))
}

/// An agent's name, made of what every file system takes.
fn file_name(agent: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = agent.chars().take(NAME_CHARS).map(plain).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "agent".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(file_name("Labour Economist"), "Labour-Economist");
        assert_eq!(file_name("…"), "agent");
    }
}
