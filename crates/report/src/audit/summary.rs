//! What an audit comes to.

use std::sync::Arc;

use rebuttal_detect::Questions;
use rebuttal_model::Severity;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::Audited;
use crate::problems::{FileProblems, Strictness};
use crate::{count, grouped};

/// Findings by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    info: usize,
    low: usize,
    medium: usize,
    high: usize,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, severity: Severity) {
        let count = match severity {
            Severity::Info => &mut self.info,
            Severity::Low => &mut self.low,
            Severity::Medium => &mut self.medium,
            Severity::High => &mut self.high,
        };
        *count += 1;
    }

    /// How many of one severity.
    pub fn of(self, severity: Severity) -> usize {
        match severity {
            Severity::Info => self.info,
            Severity::Low => self.low,
            Severity::Medium => self.medium,
            Severity::High => self.high,
        }
    }

    /// All of them.
    pub fn total(self) -> usize {
        self.info + self.low + self.medium + self.high
    }

    /// The gravest first.
    pub fn gravest_first(self) -> impl Iterator<Item = (Severity, usize)> {
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
pub struct FileCount {
    /// The file as the user named it.
    pub file: Arc<str>,
    /// How many transcripts were read from it.
    pub transcripts: usize,
    /// How many turns.
    pub turns: usize,
    /// How many findings are shown.
    pub findings: usize,
    /// How many problems it had.
    pub problems: usize,
}

/// What an audit comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// One entry per file, in order.
    pub files: Vec<FileCount>,
    /// How many transcripts.
    pub transcripts: usize,
    /// How many turns, whoever spoke.
    pub turns: usize,
    /// How many turns agents took.
    pub agent_turns: usize,
    /// In how many of them a position could be read.
    pub positions: usize,
    /// Findings shown.
    pub findings: Counts,
    /// Findings milder than `--min-severity`.
    pub hidden: Counts,
    /// Problems with the input, skipped files not counted.
    pub problems: usize,
    /// Problems that cost content: a limit, or a malformed line.
    pub left_out: usize,
    /// Files of which nothing could be read, or not all.
    pub unreadable: usize,
    /// Files found in folders that are in no known format.
    pub skipped: usize,
    /// How many turns of agents are not in English, and were judged by nobody.
    pub not_english: usize,
    /// How often a model was asked.
    pub questions: Questions,
}

impl Summary {
    /// The next file begins.
    pub fn file(&mut self, name: Arc<str>) {
        self.files.push(FileCount {
            file: name,
            transcripts: 0,
            turns: 0,
            findings: 0,
            problems: 0,
        });
    }

    /// The current file holds this transcript.
    pub fn transcript(&mut self, audited: &Audited) {
        self.transcripts += 1;
        self.turns += audited.turns;
        self.not_english += audited.not_english;
        self.questions.doubts += audited.questions.doubts;
        self.questions.asked += audited.questions.asked;
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

    /// The current file is read to its end, and had these problems.
    pub fn file_done(&mut self, problems: &FileProblems) {
        // Whether any is grave is no matter here; they are counted.
        let number = problems.weighed(Strictness::Lenient).count();
        if let Some(file) = self.files.last_mut() {
            file.problems = number;
        }
        if problems.is_skipped() {
            self.skipped += 1;
            return;
        }
        self.problems += number;
        self.left_out += problems.left_out();
        self.unreadable += usize::from(problems.is_unreadable());
    }

    /// How many files were worth a look.
    pub fn files_read(&self) -> usize {
        self.files.len() - self.skipped
    }

    /// What to say when a model was not asked in every doubt. `None` when it was.
    pub fn unasked(&self) -> Option<String> {
        let Questions { doubts, asked } = self.questions;
        (asked < doubts).then(|| {
            let (asked, doubts) = (grouped(asked), count(doubts, "turn"));
            format!("model asked about {asked} of {doubts} in doubt")
        })
    }

    /// What to say when turns were left unjudged because they are not in English. `None` without any.
    pub fn foreign(&self) -> Option<String> {
        let of = count(self.agent_turns, "agent turn");
        (self.not_english > 0).then(|| {
            format!("{} of {of} not in English, and not judged", grouped(self.not_english))
        })
    }

    /// How the run ends. A file that could not be read outweighs findings: the gate did not see
    /// everything. Nor did it if all there was had to be skipped.
    pub fn status(&self, fail_on: Option<Severity>, strictness: Strictness) -> AuditStatus {
        let fails = |severity: &Severity| {
            self.findings.of(*severity) + self.hidden.of(*severity) > 0
                && fail_on.is_some_and(|limit| *severity >= limit)
        };
        let is_incomplete = strictness == Strictness::Strict && self.left_out > 0;
        let is_nothing = self.skipped > 0 && self.files_read() == 0;
        if self.unreadable > 0 || is_incomplete || is_nothing {
            AuditStatus::Incomplete
        } else if Severity::ALL.iter().any(fails) {
            AuditStatus::Findings
        } else {
            AuditStatus::Clean
        }
    }

    /// What to say when there is no finding to show, in one breath with how much that means: a log
    /// that was hardly read is clean for want of anything to judge. `None` where there are findings.
    pub fn clean(&self) -> Option<Clean> {
        if self.findings.total() > 0 {
            return None;
        }
        if self.transcripts == 0 {
            return Some(Clean::Doubtful("No transcript could be read.".to_owned()));
        }
        let nothing = if self.hidden.total() == 0 { "Nothing found" } else { "Nothing to show" };
        let costly = self.left_out.max(self.unreadable);
        let agent_turns = count(self.agent_turns, "agent turn");
        let few = match self.positions {
            0 => format!("a position could be read in none of {agent_turns}"),
            some => format!("a position could be read in only {} of {agent_turns}", grouped(some)),
        };
        let is_hardly_read = self.positions * 2 < self.agent_turns || self.agent_turns == 0;
        let sentence = match (costly, is_hardly_read) {
            (0, false) => return Some(Clean::Sure(format!("{nothing}."))),
            (0, true) => format!("{nothing}, but {few}."),
            (costly, false) => {
                let costly = count(costly, "problem");
                format!("{nothing} in what could be read; {costly} left parts out.")
            }
            (costly, true) => {
                let costly = count(costly, "problem");
                format!("{nothing} in what could be read; {costly} left parts out, and {few}.")
            }
        };
        Some(Clean::Doubtful(sentence))
    }
}

/// How an audit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditStatus {
    /// Everything was read, and nothing reaches the threshold.
    Clean,
    /// Some finding reaches the threshold.
    Findings,
    /// Some of the input could not be read.
    Incomplete,
}

/// A run without findings to show, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clean {
    /// Everything was read, and most of it says something.
    Sure(String),
    /// Nothing was found, and that means little.
    Doubtful(String),
}

impl Clean {
    /// The sentence.
    pub fn sentence(&self) -> &str {
        match self {
            Self::Sure(sentence) | Self::Doubtful(sentence) => sentence,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::problems::Origin;
    use rebuttal_model::{Problem, ProblemKind};

    fn problems(origin: Origin, kind: ProblemKind) -> FileProblems {
        let mut problems = FileProblems::new(origin);
        problems.push(Problem::new("f", kind, "is wrong"));
        problems
    }

    fn lenient(summary: &Summary, fail_on: Option<Severity>) -> AuditStatus {
        summary.status(fail_on, Strictness::Lenient)
    }

    #[test]
    fn an_unreadable_file_outweighs_findings() {
        let mut summary = Summary::default();
        summary.findings.add(Severity::Medium);
        assert_eq!(lenient(&summary, Some(Severity::Medium)), AuditStatus::Findings);
        assert_eq!(lenient(&summary, Some(Severity::High)), AuditStatus::Clean);
        assert_eq!(lenient(&summary, None), AuditStatus::Clean);
        summary.file("gone".into());
        summary.file_done(&problems(Origin::Named, ProblemKind::Empty));
        assert_eq!(lenient(&summary, None), AuditStatus::Incomplete);
    }

    #[test]
    fn what_is_hidden_still_fails_the_run() {
        let mut summary = Summary::default();
        summary.hidden.add(Severity::Low);
        assert_eq!(lenient(&summary, Some(Severity::Low)), AuditStatus::Findings);
    }

    #[test]
    fn skipped_files_fail_the_run_only_when_there_is_nothing_else() {
        let mut summary = Summary::default();
        summary.file("a.png".into());
        summary.file_done(&problems(Origin::Folder, ProblemKind::UnknownFormat));
        assert_eq!(lenient(&summary, None), AuditStatus::Incomplete);
        summary.file("b.json".into());
        summary.file_done(&FileProblems::new(Origin::Folder));
        assert_eq!(lenient(&summary, None), AuditStatus::Clean);
        assert_eq!((summary.skipped, summary.problems), (1, 0));
    }

    #[test]
    fn doubts_the_model_was_not_asked_about_are_told() {
        let asked = |asked, doubts| {
            Summary { questions: Questions { doubts, asked }, ..Summary::default() }.unasked()
        };
        assert_eq!((asked(0, 0), asked(2, 2)), (None, None));
        let told = "model asked about 1 of 2,000 turns in doubt";
        assert_eq!(asked(1, 2000).as_deref(), Some(told));
    }

    #[test]
    fn nothing_found_says_how_much_that_means() {
        let clean = |positions, left_out| {
            let turns = Summary { transcripts: 1, agent_turns: 5, ..Summary::default() };
            let summary = Summary { positions, left_out, ..turns };
            summary.clean().unwrap().sentence().to_owned()
        };
        assert_eq!(clean(3, 0), "Nothing found.");
        assert_eq!(
            clean(2, 0),
            "Nothing found, but a position could be read in only 2 of 5 agent turns."
        );
        assert_eq!(clean(3, 1), "Nothing found in what could be read; 1 problem left parts out.");
        assert_eq!(
            clean(0, 2),
            "Nothing found in what could be read; 2 problems left parts out, and a position could \
             be read in none of 5 agent turns."
        );
    }
}
