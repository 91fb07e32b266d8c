//! A finished text beside the user's documents: what they say of each statement.
//!
//! As JSON, schema 1, `rebuttal check` gives
//!
//! ```text
//! { "file", "method", "documents": n, "passages": n,
//!   "counts": { verdict: n, … },
//!   "statements": [ { "line", "agent"?, "text", "cites"?, "verdict", "why", "severity",
//!                     "in_claim"?: [from, to], "evidence"?: { "id", "document", "place", "text", "at"?: [from, to] } } ],
//!   "problems": [ … ], "notes": [ … ] }
//! ```

mod html;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use rebuttal_detect::Questions;
use rebuttal_evidence::{Citation, Cites, Verdict, finding};
use rebuttal_model::{
    AgentId, DebateId, Finding, Method, Passage, Problem, Quote, Severity, Source, Span, TurnId,
};
use serde::Serialize;

use crate::audit::{AgentCount, Audited, Report as _, Sarif, Sentences, Summary};
use crate::problems::Gravity;

pub use html::page;

/// One statement of a checked text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedStatement {
    /// The line it begins on, from 1.
    pub line: u32,
    /// Who said it, in a transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The words, without what they cite.
    pub text: String,
    /// What it cites.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cites: Option<Citation>,
    /// What came of it.
    pub verdict: Verdict,
    /// A sentence for people.
    pub why: String,
    /// How much it matters.
    pub severity: Severity,
    /// The bytes of `text` that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_claim: Option<Span>,
    /// The passage that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Shown>,
    /// The bytes of the file it stands on.
    #[serde(skip)]
    pub bytes: Span,
}

/// A passage beside a statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shown {
    /// The passage.
    #[serde(flatten)]
    pub passage: Passage,
    /// The bytes of its text that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Span>,
}

/// What documents say of a finished text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedText {
    /// The file.
    pub file: String,
    /// Who decided: `model` or `rules`.
    pub method: &'static str,
    /// How many documents were looked at.
    pub documents: usize,
    /// How many passages they have.
    pub passages: usize,
    /// How many statements came to what.
    pub counts: BTreeMap<&'static str, usize>,
    /// The statements, in order.
    pub statements: Vec<CheckedStatement>,
    /// What was wrong with the documents and the text.
    pub problems: Vec<Problem>,
    /// What was not as configured.
    pub notes: Vec<String>,
}

impl CheckedText {
    /// How many statements came to this.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.counts.get(verdict.as_str()).copied().unwrap_or(0)
    }

    /// The gravest of all statements; none where all hold.
    pub fn gravest(&self) -> Option<Severity> {
        let failed = self.statements.iter().filter(|it| it.verdict != Verdict::Supported);
        failed.map(|it| it.severity).max()
    }

    /// What failed, and what could not be checked.
    pub fn findings(&self) -> Vec<Finding> {
        let debate = DebateId::new(self.file.as_str());
        let method = if self.method == "model" { Method::Model } else { Method::Rules };
        let found = |(at, it): (usize, &CheckedStatement)| {
            let agent = AgentId::new(it.agent.as_deref().unwrap_or("text"));
            let source =
                Source { file: Arc::from(self.file.as_str()), line: it.line, bytes: it.bytes };
            let quote = Quote {
                turn: TurnId::new(at),
                span: Span::new(0, it.text.len()),
                text: it.text.clone(),
                shows: "statement".into(),
                source: Some(source),
            };
            let why = match &it.evidence {
                Some(shown) => format!("{} ({})", it.why, shown.passage.locator()),
                None => it.why.clone(),
            };
            let cites = if it.cites.is_some() { Cites::Named } else { Cites::Nothing };
            finding((it.verdict, &why), cites, (&debate, &agent), quote, method)
        };
        self.statements.iter().enumerate().filter_map(found).collect()
    }

    /// Writes it as SARIF 2.1.0.
    pub fn sarif(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sarif = Sarif::default();
        let agent = AgentCount { agent: AgentId::new("text"), turns: 1, positions: 0 };
        let audited = Audited {
            file: Arc::from(self.file.as_str()),
            id: DebateId::new(self.file.as_str()),
            turns: self.statements.len(),
            agents: vec![agent],
            findings: self.findings(),
            sentences: Sentences::default(),
            hidden: Vec::new(),
            not_english: 0,
            questions: Questions::default(),
            transcript: None,
        };
        sarif.transcript(out, &audited)?;
        for problem in &self.problems {
            sarif.problem(out, problem, Gravity::Warning)?;
        }
        sarif.finish(out, &Summary::default())
    }
}
