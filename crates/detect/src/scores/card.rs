//! A flip as a page shows it: the seed document's `format_flip_for_ui`.

use rebuttal_model::{AgentId, Confidence, DebateId, Flip, FlipId, FlipKind, Position};
use serde::Serialize;

/// Characters of a claim that are shown.
const CLAIM_CHARS: usize = 100;

/// A flip in short; as JSON it has the seed document's names in its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlipCard {
    /// The flip's id.
    pub id: FlipId,
    /// Who flipped.
    pub agent: AgentId,
    /// The kind in a word.
    #[serde(rename = "type")]
    pub kind: FlipKind,
    /// The kind in a picture.
    pub type_emoji: &'static str,
    /// What the agent held.
    pub before: FlipSide,
    /// What it holds now.
    pub after: FlipSide,
    /// How alike the two are, in percent.
    pub similarity: String,
    /// When it was found, in universal time.
    pub timestamp: String,
}

/// One of the two positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlipSide {
    /// The claim, cut after 100 characters.
    pub claim: String,
    /// In percent; `null` where the agent gave none: none is made up.
    pub confidence: Option<String>,
}

/// A flip as it is kept, and beside it under the names that the seed document's `FlipEvent` has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlipEvent<'f> {
    #[serde(flatten)]
    flip: &'f Flip,
    agent_name: &'f AgentId,
    original_claim: &'f str,
    new_claim: &'f str,
    original_confidence: Option<f64>,
    new_confidence: Option<f64>,
    original_debate_id: Option<&'f DebateId>,
    new_debate_id: Option<&'f DebateId>,
    similarity_score: f64,
    flip_type: FlipKind,
    domain: Option<&'f str>,
}

impl<'f> FlipEvent<'f> {
    /// The flip with all its names. What is not known is `null`; nothing is made up.
    pub fn new(flip: &'f Flip) -> Self {
        let (before, after) = (&flip.before, &flip.after);
        let sure = |position: &Position| position.confidence.map(Confidence::value);
        Self {
            flip,
            agent_name: &after.agent,
            original_claim: &before.claim,
            new_claim: &after.claim,
            original_confidence: sure(before),
            new_confidence: sure(after),
            original_debate_id: before.debate.as_ref(),
            new_debate_id: after.debate.as_ref(),
            similarity_score: flip.similarity,
            flip_type: flip.kind,
            domain: after.domain.as_deref().or(before.domain.as_deref()),
        }
    }
}

/// What a page shows of a flip.
pub fn format_flip_for_ui(flip: &Flip) -> FlipCard {
    FlipCard {
        id: flip.id.clone(),
        agent: flip.after.agent.clone(),
        kind: flip.kind,
        type_emoji: emoji(flip.kind),
        before: side(&flip.before),
        after: side(&flip.after),
        similarity: percent(flip.similarity),
        timestamp: flip.detected_at.to_string(),
    }
}

fn emoji(kind: FlipKind) -> &'static str {
    match kind {
        FlipKind::Contradiction => "\u{1F504}",
        FlipKind::Retraction => "\u{21A9}\u{FE0F}",
        FlipKind::Qualification => "\u{1F4DD}",
        FlipKind::Refinement => "\u{1F527}",
    }
}

fn side(position: &Position) -> FlipSide {
    let confidence = position.confidence.map(|confidence| percent(confidence.value()));
    FlipSide { claim: cut(&position.claim), confidence }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The text, or its beginning and "...".
fn cut(text: &str) -> String {
    let Some((mut end, next)) = text.char_indices().nth(CLAIM_CHARS) else {
        return text.to_owned();
    };
    // What a reader takes for one character may be several: an accent or a joiner stays with its
    // letter, so the whole cluster goes.
    let mut following = next;
    for (at, character) in text.get(..end).unwrap_or_default().char_indices().rev() {
        if !joins(following) && character != JOINER {
            break;
        }
        (end, following) = (at, character);
    }
    let shown = text.get(..end).filter(|shown| !shown.is_empty());
    // One cluster of a hundred marks is not a text; it is cut like any other.
    let shown = shown.map_or_else(|| text.chars().take(CLAIM_CHARS).collect(), str::to_owned);
    shown + "..."
}

/// Joins two pictures into one.
const JOINER: char = '\u{200D}';

/// Whether a character belongs to the one before it: accents, joiners, variants, skin tones.
fn joins(character: char) -> bool {
    matches!(character,
        JOINER | '\u{0300}'..='\u{036F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{20D0}'..='\u{20FF}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_cut_after_a_hundred_characters() {
        assert_eq!(cut(&"x".repeat(100)), "x".repeat(100));
        assert_eq!(cut(&"x".repeat(101)), "x".repeat(100) + "...");
        assert_eq!(cut(&"ä".repeat(300)), "ä".repeat(100) + "...");
    }

    #[test]
    fn an_accent_stays_with_its_letter() {
        let text = "x".repeat(99) + "e\u{301}tude";
        assert_eq!(cut(&text), "x".repeat(99) + "...");
        let family = "x".repeat(98) + "\u{1F468}\u{200D}\u{1F469} and more";
        assert_eq!(cut(&family), "x".repeat(98) + "...");
        assert_eq!(cut(&"\u{301}".repeat(200)).chars().count(), 103);
    }

    #[test]
    fn percents_are_whole() {
        assert_eq!(
            (percent(0.85), percent(0.0), percent(1.0)),
            ("85%".into(), "0%".into(), "100%".into())
        );
    }
}
