//! The tools that read what a client sends: its arguments, as the library takes them.

use rebuttal::config::Config;
use rebuttal::models::Analyzer;
use rebuttal::texts::{self, Sent, Told, format_named, within_limit};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::{Audit, Conversation, FindContradictions};
use crate::fault::{Code, Fault};

/// Audits a conversation.
pub(crate) fn audit_text(
    asked: &Audit,
    analyzer: Analyzer,
    config: &Config,
) -> Result<Value, Fault> {
    let told = Told { min_severity: asked.min_severity.into(), limit: asked.limit };
    Ok(texts::audit_text(&asked.conversation.sent()?, told, analyzer, config)?)
}

/// Answers the rubric's question for each conversation.
pub(crate) fn check_rubric(asked: &Conversation, analyzer: &Analyzer) -> Result<Value, Fault> {
    Ok(texts::check_rubric(&asked.sent()?, analyzer)?)
}

/// Finds where reports conflict, and rules by the written rules.
pub(crate) fn find_contradictions(
    asked: &FindContradictions,
    analyzer: &Analyzer,
    config: &Config,
) -> Result<Value, Fault> {
    if asked.reports.len() < 2 {
        let message = "`reports` needs at least two reports: one alone contradicts nobody";
        return Err(Fault::new(Code::InvalidArguments, message));
    }
    let text = serde_json::to_string(&asked.reports).map_err(rebuttal::Error::from)?;
    within_limit("reports", &text)?;
    let sent = Sent { name: "reports".to_owned(), ..Sent::text(&text) };
    Ok(texts::find_contradictions(&sent, asked.tolerance, analyzer, config)?)
}

impl Conversation {
    /// The text to read, and what it is.
    fn sent(&self) -> Result<Sent, Fault> {
        let text = match (&self.text, &self.messages) {
            (Some(text), None) => text.clone(),
            (None, Some(messages)) => {
                serde_json::to_string(messages).map_err(rebuttal::Error::from)?
            }
            _ => {
                let message = "give the conversation as `text` or as `messages`, and not as both";
                return Err(Fault::new(Code::InvalidArguments, message));
            }
        };
        within_limit("text", &text)?;
        let from = self.from.as_deref().map(format_named).transpose()?;
        Ok(Sent { from, ..Sent::text(&text) })
    }
}

/// An answer of the library as a value, with its versions.
pub(crate) fn document<T: Serialize>(answer: &T) -> Result<Value, Fault> {
    Ok(texts::document(answer)?)
}
