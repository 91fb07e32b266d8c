//! Audits: one transcript, one text, or many files on all cores.

mod audited;
mod pipeline;
mod text;

use std::collections::BTreeMap;
use std::sync::Arc;

use rebuttal_detect::scores::{DOMAINS, GENERAL};
use rebuttal_model::{Method, Severity, Transcript, TricksterConfig};
use rebuttal_report::audit::{Audited, Keep};

pub use audited::audit_as;
pub use pipeline::{Message, Results, start};
pub use text::write_audit;

use crate::config::Config;
use crate::error::Result;
use crate::models::Analyzer;

/// How transcripts are audited.
#[derive(Clone, Debug)]
pub struct AuditSettings {
    /// Who reads.
    pub analyzer: Analyzer,
    /// When agreement counts as hollow, by the debate's field; `None`: it is not looked for.
    pub trickster: Option<BTreeMap<&'static str, TricksterConfig>>,
    /// The mildest severity shown.
    pub min_severity: Severity,
}

impl AuditSettings {
    /// Settings as `rebuttal audit` has them: everything is looked for, and everything is shown.
    pub fn new(method: Method, config: &Config) -> Result<Self> {
        Ok(Self {
            analyzer: Analyzer::new(method, &config.semantics),
            trickster: Some(tricksters(config)?),
            min_severity: Severity::Info,
        })
    }
}

/// How the trickster is set for each field.
pub fn tricksters(config: &Config) -> Result<BTreeMap<&'static str, TricksterConfig>> {
    let fields = DOMAINS.iter().copied().chain([GENERAL]);
    let mut set = BTreeMap::new();
    for field in fields {
        let protocol = config.protocol_in(field, None)?;
        if protocol.enable_trickster {
            set.insert(field, protocol.trickster);
        }
    }
    Ok(set)
}

/// Audits one transcript: what `rebuttal audit` finds in it, hollow agreement included.
pub fn audit(transcript: &Transcript, settings: &AuditSettings) -> Audited {
    let source = transcript.turns.iter().find_map(|turn| turn.source.as_ref());
    let file =
        source.map_or_else(|| Arc::from(transcript.id.as_str()), |source| Arc::clone(&source.file));
    let (analyzer, transcript) = (&settings.analyzer, transcript.clone());
    analyzer.install(|| audit_as(file, transcript, settings, Keep::FindingsOnly))
}
