//! All detectors over one transcript.

use rebuttal_model::{Finding, Method, Transcript};

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
    audit_view(&DebateView::new(transcript), method)
}

/// The same for a transcript that was read already.
pub fn audit_view(view: &DebateView<'_>, method: Method) -> Vec<Finding> {
    let mut findings = Vec::new();
    self_contradiction::inspect(view, method, &mut findings);
    injection::inspect(view, &mut findings);
    findings.sort_by_key(|finding| {
        let last = finding.quotes.last();
        (last.turn, last.span.start(), std::cmp::Reverse(finding.severity))
    });
    findings
}
