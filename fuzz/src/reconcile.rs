//! What must hold of any reports, whatever they say.

use rebuttal_detect::Reader;
use rebuttal_detect::reports::{Coverage, ContradictionOptions, contradictions};
use rebuttal_model::{AgentId, Report};
use rebuttal_policy::{Authority, adjust, adjusted_text, arbitrate, consensus};

/// Reads two texts as reports of two agents: no panic, quotes that are there, a report does not
/// contradict itself under another name, and adjusting twice is adjusting once.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn reconcile(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (one, two) = text.split_once('\u{1}').unwrap_or((&text, ""));
    let report = |agent: &str, text: &str| Report::new(AgentId::new(agent), text);
    let options = ContradictionOptions::default();
    let same = [report("a", one), report("b", one)];
    assert_eq!(contradictions(&same, &options, Reader::Rules), [], "identical reports");
    let reports = [report("a", one), report("b", two)];
    let found = contradictions(&reports, &options, Reader::Rules);
    for contradiction in &found {
        assert!(contradiction.sides.len() >= 2, "at least two sides");
        for side in &contradiction.sides {
            let text = &reports[side.report].text;
            assert_eq!(side.span.of(text), Some(side.quote.as_str()), "a quote is there");
            assert!(side.shown_span.of(text).is_some(), "what decides is there");
        }
    }
    let authority = Authority::default();
    let rulings: Vec<_> = found.iter().map(|it| arbitrate(it, &authority)).collect();
    let once = consensus(&found, &rulings, &reports).adjusted_reports;
    assert_eq!(adjust(&once, &found, &rulings), once, "adjusting twice");
    for (before, after) in reports.iter().zip(&once) {
        assert_eq!(before.text, after.text, "texts stay");
        assert!(adjusted_text(after).len() >= before.text.len());
        assert!(Coverage::of(before).share() <= 1.0);
    }
}
