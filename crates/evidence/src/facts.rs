//! What documents disagree on: the reports' engine over passages, one report a document.

use rebuttal_detect::Reader;
use rebuttal_detect::reports::{ContradictionOptions, contradictions};
use rebuttal_model::{AgentId, Contradiction, Passage, Report};

/// The figures that these passages give differently, each with the passages of its sides; the document is
/// the agent of its report, and each passage a paragraph of it.
pub fn facts(passages: &[&Passage], reader: Reader<'_>) -> Vec<Contradiction> {
    let mut reports: Vec<Report> = Vec::new();
    for passage in passages {
        let heading = match passage.heading.rsplit(" > ").next().unwrap_or_default() {
            "" => String::new(),
            heading => format!("# {heading}\n\n"),
        };
        let text = format!("{heading}{}\n\n", passage.text);
        match reports.iter_mut().find(|it| it.agent.as_str() == passage.document) {
            Some(report) => report.text.push_str(&text),
            None => reports.push(Report::new(AgentId::new(passage.document.clone()), text)),
        }
    }
    contradictions(&reports, &ContradictionOptions::default(), reader)
}
