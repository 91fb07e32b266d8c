//! All detectors over one transcript.

use std::collections::HashMap;

use rebuttal_model::{Finding, Transcript, TurnId};
use rebuttal_semantics::Trust;

use crate::positions::{AgentRecord, Questions, follow};
use crate::reader::Reader;
use crate::view::DebateView;
use crate::{injection, self_contradiction};

/// Everything the detectors see in one transcript, in the order of the debate.
///
/// ```
/// use rebuttal_detect::{Reader, audit};
/// use rebuttal_model::{AgentId, DebateId, Role, Transcript, Turn};
///
/// let say = |text| Turn::new(AgentId::new("bull"), Role::Agent, text);
/// let turns = vec![say("I support the merger."), say("I oppose the merger.")];
/// let findings = audit(&Transcript::new(DebateId::new("d"), None, turns), Reader::Rules);
/// assert_eq!(findings[0].rule.as_str(), "self-contradiction/silent");
/// ```
pub fn audit(transcript: &Transcript, reader: Reader<'_>) -> Vec<Finding> {
    examine(&DebateView::new(transcript), reader).findings
}

/// What an audit finds, and the positions it found it in.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// Everything the detectors see, in the order of the debate.
    pub findings: Vec<Finding>,
    /// What every agent held, in the order of their first turns.
    pub records: Vec<AgentRecord>,
    /// How often a model was asked.
    pub questions: Questions,
}

/// [`audit`] for a transcript that was read already, with the positions it went by.
pub fn examine(view: &DebateView<'_>, reader: Reader<'_>) -> Audit {
    let (records, questions) = follow(view, reader);
    let mut findings = Vec::new();
    self_contradiction::inspect(view, &records, reader, &mut findings);
    injection::inspect(view, &mut findings);
    note_language(view, &mut findings);
    findings.sort_by_key(|finding| {
        let last = finding.quotes.last();
        (last.turn, last.span.start(), std::cmp::Reverse(finding.severity))
    });
    Audit { findings, records, questions }
}

/// Word lists and models know English; of anything else they say what they say with low trust.
fn note_language(view: &DebateView<'_>, findings: &mut [Finding]) {
    let mut trusted: HashMap<TurnId, Trust> = HashMap::new();
    for finding in findings {
        let foreign = finding.quotes.iter().any(|quote| {
            let turn = view.transcript.turns.get(quote.turn.index());
            let text = turn.map_or("", |turn| turn.text.as_ref());
            *trusted.entry(quote.turn).or_insert_with(|| Trust::of(text)) == Trust::NotEnglish
        });
        if foreign {
            finding.explanation.push_str(" Not English: low trust.");
        }
    }
}
