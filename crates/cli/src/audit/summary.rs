//! What an audit comes to.

use std::sync::Arc;

use rebuttal::model::{Problem, ProblemKind, Severity};
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::Audited;
use crate::output::Status;

/// Findings by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    info: usize,
    low: usize,
    medium: usize,
    high: usize,
}

impl Counts {
    /// Counts one more.
    pub(crate) fn add(&mut self, severity: Severity) {
        let count = match severity {
            Severity::Info => &mut self.info,
            Severity::Low => &mut self.low,
            Severity::Medium => &mut self.medium,
            Severity::High => &mut self.high,
        };
        *count += 1;
    }

    /// How many of one severity.
    pub(crate) fn of(self, severity: Severity) -> usize {
        match severity {
            Severity::Info => self.info,
            Severity::Low => self.low,
            Severity::Medium => self.medium,
            Severity::High => self.high,
        }
    }

    /// All of them.
    pub(crate) fn total(self) -> usize {
        self.info + self.low + self.medium + self.high
    }

    /// The gravest first.
    pub(crate) fn gravest_first(self) -> impl Iterator<Item = (Severity, usize)> {
        Severity::ALL.into_iter().rev().map(move |severity| (severity, self.of(severity)))
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Severity::ALL.len()))?;
        for severity in Severity::ALL {
            map.serialize_entry(severity.as_str(), &self.of(severity))?;
        }
        map.end()
    }
}

/// What one file came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FileCount {
    /// The file as the user named it.
    pub(crate) file: Arc<str>,
    /// How many transcripts were read from it.
    pub(crate) transcripts: usize,
    /// How many turns.
    pub(crate) turns: usize,
    /// How many findings are shown.
    pub(crate) findings: usize,
    /// How many problems it had.
    pub(crate) problems: usize,
    /// True when reading it came to an end before its end.
    #[serde(skip)]
    is_cut_short: bool,
}

impl FileCount {
    /// True when nothing in it could be read, or not all of it: the run did not see everything.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.is_cut_short || (self.transcripts == 0 && self.problems > 0)
    }
}

/// What an audit comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// One entry per file, in order.
    pub(crate) files: Vec<FileCount>,
    /// How many transcripts.
    pub(crate) transcripts: usize,
    /// How many turns, whoever spoke.
    pub(crate) turns: usize,
    /// How many turns agents took.
    pub(crate) agent_turns: usize,
    /// In how many of them a position could be read.
    pub(crate) positions: usize,
    /// Findings shown.
    pub(crate) findings: Counts,
    /// Findings milder than `--min-severity`.
    pub(crate) hidden: Counts,
    /// Problems with the input.
    pub(crate) problems: usize,
}

impl Summary {
    /// The next file begins.
    pub(crate) fn file(&mut self, name: Arc<str>) {
        self.files.push(FileCount {
            file: name,
            transcripts: 0,
            turns: 0,
            findings: 0,
            problems: 0,
            is_cut_short: false,
        });
    }

    /// The current file holds this transcript.
    pub(crate) fn transcript(&mut self, audited: &Audited) {
        self.transcripts += 1;
        self.turns += audited.turns;
        for agent in &audited.agents {
            self.agent_turns += agent.turns;
            self.positions += agent.positions;
        }
        audited.findings.iter().for_each(|finding| self.findings.add(finding.severity));
        audited.hidden.iter().for_each(|severity| self.hidden.add(*severity));
        if let Some(file) = self.files.last_mut() {
            file.transcripts += 1;
            file.turns += audited.turns;
            file.findings += audited.findings.len();
        }
    }

    /// The current file has this problem.
    pub(crate) fn problem(&mut self, problem: &Problem) {
        self.problems += 1;
        if let Some(file) = self.files.last_mut() {
            file.problems += 1;
            file.is_cut_short |= problem.kind == ProblemKind::Unreadable;
        }
    }

    /// How many files could not be read at all.
    pub(crate) fn unreadable(&self) -> usize {
        self.files.iter().filter(|file| file.is_unreadable()).count()
    }

    /// How the run ends. A file that could not be read outweighs findings: the gate did not see
    /// everything.
    pub(crate) fn status(&self, fail_on: Option<Severity>) -> Status {
        let fails = |severity: &Severity| {
            self.findings.of(*severity) + self.hidden.of(*severity) > 0
                && fail_on.is_some_and(|limit| *severity >= limit)
        };
        if self.unreadable() > 0 {
            Status::CouldNotRun
        } else if Severity::ALL.iter().any(fails) {
            Status::Findings
        } else {
            Status::Clean
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_file_outweighs_findings() {
        let mut summary = Summary::default();
        summary.findings.add(Severity::Medium);
        assert_eq!(summary.status(Some(Severity::Medium)), Status::Findings);
        assert_eq!(summary.status(Some(Severity::High)), Status::Clean);
        assert_eq!(summary.status(None), Status::Clean);
        summary.file("gone".into());
        summary.problem(&Problem::new("gone", ProblemKind::Empty, "is empty"));
        assert_eq!(summary.status(None), Status::CouldNotRun);
    }

    #[test]
    fn what_is_hidden_still_fails_the_run() {
        let mut summary = Summary::default();
        summary.hidden.add(Severity::Low);
        assert_eq!(summary.status(Some(Severity::Low)), Status::Findings);
    }
}
