//! The rubric against labelled examples.

use std::io::{self, Write};
use std::path::Path;

use rebuttal_detect::Reader;
use rebuttal_report::Xml;
use rebuttal_text::one_line;
use serde::{Serialize, Serializer};

use super::example::{self, Example};
use super::{Explanation, RubricAnswer, RubricEntry, explain};
use crate::error::Result;
use crate::models::Analyzer;

/// What became of one example.
#[derive(Debug)]
pub enum CaseResult {
    /// The rubric answers as the label says.
    Pass(Example, Explanation),
    /// It answers otherwise.
    Fail(Example, Explanation),
    /// The file holds no example; why.
    Unreadable(String),
}

/// One file and what became of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Case {
    /// The file.
    pub file: String,
    /// What became of it.
    pub result: CaseResult,
}

/// What became of every example in a folder.
///
/// As JSON `{ "examples": [ { "file", "result", "id", "expected", "rationale", "answer", "problem" } ],
/// "summary": { "passed", "failed", "unreadable" } }`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tested {
    /// Every example, in the order of their names.
    pub cases: Vec<Case>,
}

/// Asks the rubric of every example in `folder/positive` and `folder/negative`.
pub fn test(folder: &Path, analyzer: &Analyzer) -> Result<Tested> {
    let case = |(kind, path): (example::Kind, std::path::PathBuf)| Case {
        result: match example::load(kind, &path) {
            Ok(example) => judge(example, analyzer.reader()),
            Err(error) => CaseResult::Unreadable(error.whole()),
        },
        file: one_line(&path.display().to_string()).into_owned(),
    };
    Ok(Tested { cases: example::find(folder)?.into_iter().map(case).collect() })
}

fn judge(example: Example, reader: Reader<'_>) -> CaseResult {
    let explanation = explain(&example.transcript, reader);
    let is_contradiction = explanation.outcome == RubricAnswer::Contradiction;
    if is_contradiction == example.expected {
        CaseResult::Pass(example, explanation)
    } else {
        CaseResult::Fail(example, explanation)
    }
}

impl Tested {
    fn count(&self, wanted: impl Fn(&CaseResult) -> bool) -> usize {
        self.cases.iter().filter(|case| wanted(&case.result)).count()
    }

    /// How many were answered as labelled.
    pub fn passed(&self) -> usize {
        self.count(|result| matches!(result, CaseResult::Pass(..)))
    }

    /// How many were answered otherwise.
    pub fn failed(&self) -> usize {
        self.count(|result| matches!(result, CaseResult::Fail(..)))
    }

    /// How many files hold no example.
    pub fn unreadable(&self) -> usize {
        self.count(|result| matches!(result, CaseResult::Unreadable(_)))
    }

    /// Writes all of it as JUnit.
    pub fn junit(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let (failed, unreadable) = (self.failed(), self.unreadable());
        let tests = self.cases.len();
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(out, r#"<testsuites name="rebuttal rubric test">"#)?;
        let counts = format!(r#"tests="{tests}" failures="{failed}" errors="{unreadable}""#);
        writeln!(out, r#"<testsuite name="rubric" {counts}>"#)?;
        for case in &self.cases {
            let class = Xml(&case.file);
            match &case.result {
                CaseResult::Pass(example, _) => {
                    writeln!(
                        out,
                        r#"<testcase classname="{class}" name="{}"/>"#,
                        Xml(&example.id)
                    )?;
                }
                CaseResult::Fail(example, explanation) => {
                    writeln!(out, r#"<testcase classname="{class}" name="{}">"#, Xml(&example.id))?;
                    let (message, why) = (Xml(&explanation.reason), Xml(&example.rationale));
                    writeln!(
                        out,
                        r#"<failure message="{message}" type="misclassified">{why}</failure>"#
                    )?;
                    writeln!(out, "</testcase>")?;
                }
                CaseResult::Unreadable(reason) => {
                    writeln!(out, r#"<testcase classname="{class}" name="can be read">"#)?;
                    writeln!(
                        out,
                        r#"<error message="{}" type="unreadable"/></testcase>"#,
                        Xml(reason)
                    )?;
                }
            }
        }
        writeln!(out, "</testsuite>\n</testsuites>")
    }
}

/// One example in JSON.
#[derive(Debug, Serialize)]
struct Line<'a> {
    file: &'a str,
    result: &'static str,
    id: Option<&'a str>,
    expected: Option<bool>,
    rationale: Option<&'a str>,
    answer: Option<RubricEntry<'a>>,
    problem: Option<&'a str>,
}

impl<'a> From<&'a Case> for Line<'a> {
    fn from(Case { file, result }: &'a Case) -> Self {
        let labelled = |result, example: &'a Example, explanation: &'a Explanation| Self {
            file,
            result,
            id: Some(&example.id),
            expected: Some(example.expected),
            rationale: Some(&example.rationale),
            answer: Some(explanation.into()),
            problem: None,
        };
        match result {
            CaseResult::Pass(example, explanation) => labelled("pass", example, explanation),
            CaseResult::Fail(example, explanation) => labelled("fail", example, explanation),
            CaseResult::Unreadable(problem) => Self {
                file,
                result: "unreadable",
                id: None,
                expected: None,
                rationale: None,
                answer: None,
                problem: Some(problem),
            },
        }
    }
}

impl Serialize for Tested {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Summary {
            passed: usize,
            failed: usize,
            unreadable: usize,
        }
        #[derive(Serialize)]
        struct Document<'a> {
            examples: Vec<Line<'a>>,
            summary: Summary,
        }
        let (passed, failed, unreadable) = (self.passed(), self.failed(), self.unreadable());
        let summary = Summary { passed, failed, unreadable };
        Document { examples: self.cases.iter().map(Line::from).collect(), summary }
            .serialize(serializer)
    }
}
