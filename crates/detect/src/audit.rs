//! All detectors over one transcript.

use rebuttal_model::{Finding, Method, Transcript};

use crate::positions::{AgentRecord, positions};
use crate::view::DebateView;
use crate::{injection, self_contradiction};

/// Everything the detectors see in one transcript, in the order of the debate.
///
/// ```
/// use rebuttal_detect::audit;
/// use rebuttal_model::{AgentId, DebateId, Method, Role, Transcript, Turn};
///
/// let say = |text| Turn::new(AgentId::new("bull"), Role::Agent, text);
/// let turns = vec![say("I support the merger."), say("I oppose the merger.")];
/// let findings = audit(&Transcript::new(DebateId::new("d"), None, turns), Method::Rules);
/// assert_eq!(findings[0].rule.as_str(), "self-contradiction/silent");
/// ```
pub fn audit(transcript: &Transcript, method: Method) -> Vec<Finding> {
    examine(&DebateView::new(transcript), method).findings
}

/// What an audit finds, and the positions it found it in.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Everything the detectors see, in the order of the debate.
    pub findings: Vec<Finding>,
    /// What every agent held, in the order of their first turns.
    pub records: Vec<AgentRecord>,
}

/// [`audit`] for a transcript that was read already, with the positions it went by.
pub fn examine(view: &DebateView<'_>, method: Method) -> Audit {
    let records = positions(view, method);
    let mut findings = Vec::new();
    self_contradiction::inspect(view, &records, method, &mut findings);
    injection::inspect(view, &mut findings);
    findings.sort_by_key(|finding| {
        let last = finding.quotes.last();
        (last.turn, last.span.start(), std::cmp::Reverse(finding.severity))
    });
    Audit { findings, records }
}
