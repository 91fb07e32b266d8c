//! Which answers of the judge count, and what they mean as shares.

use rebuttal_llm::structured::{Schema, read};
use rebuttal_semantics::{Changed, Leaning, Related};
use serde_json::Value;

use super::question::{Asked, Kind, schema};

/// The judge is never taken for surer than this: it errs, too.
const SUREST: f32 = 0.97;
/// A verdict is likelier than not, or it would be another.
const LEAST: f32 = 0.55;

/// An answer that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Said {
    /// The place of the verdict among those of its kind.
    pub(super) verdict: usize,
    sure: f32,
    acknowledged: bool,
}

impl Said {
    /// The answer as it is kept: the verdict's place, how sure, and whether the change was said.
    pub(super) fn numbers(self) -> Vec<f32> {
        let verdict = u8::try_from(self.verdict).unwrap_or(u8::MAX);
        vec![f32::from(verdict), self.sure, f32::from(u8::from(self.acknowledged))]
    }

    /// What it says when the texts are swapped back, as sure as the less sure of both.
    pub(super) fn agreeing(self, swapped: Self) -> Option<Self> {
        let back = match swapped.verdict {
            1 => 2,
            2 => 1,
            other => other,
        };
        (self.verdict == back).then(|| Self { sure: self.sure.min(swapped.sure), ..self })
    }
}

/// What a reply says to each question; `None` where it does not count.
pub(super) fn said(reply: &str, kind: Kind, questions: &[Asked<'_>]) -> Vec<Option<Said>> {
    let mut answers = vec![None; questions.len()];
    let Ok(schema) = Schema::new(schema(kind, questions.len())) else { return answers };
    let Ok(value) = read(reply, &schema) else { return answers };
    let items = value.get("answers").and_then(Value::as_array).into_iter().flatten();
    let mut seen = vec![false; questions.len()];
    for item in items {
        let place = item.get("item").and_then(Value::as_u64).and_then(|item| item.checked_sub(1));
        let Some(place) = place.and_then(|place| usize::try_from(place).ok()) else { continue };
        let (Some(asked), Some(slot)) = (questions.get(place), answers.get_mut(place)) else {
            continue;
        };
        // Two answers to one question are none.
        let twice = seen.get_mut(place).is_some_and(|seen| std::mem::replace(seen, true));
        *slot = if twice { None } else { one(item, *asked) };
    }
    answers
}

fn one(item: &Value, asked: Asked<'_>) -> Option<Said> {
    let text = |name| item.get(name).and_then(Value::as_str).unwrap_or_default().trim();
    let named = text("verdict");
    let verdict = asked.kind.verdicts().iter().position(|verdict| *verdict == named)?;
    let shows_nothing = matches!(named, "none" | "unrelated");
    let literal = |quote: &str, text: &str| match quote {
        "" => shows_nothing,
        quote => text.contains(quote),
    };
    // What is asked needs no quote: the question is not what decides.
    let quoted_a = text("quote_a");
    let first = literal(quoted_a, asked.pair.premise)
        || (asked.kind == Kind::Position && quoted_a.is_empty());
    if !first || !literal(text("quote_b"), asked.pair.hypothesis) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a share needs no more digits")]
    let sure = item.get("sure").and_then(Value::as_f64)? as f32;
    let acknowledged = item.get("acknowledged").and_then(Value::as_bool).unwrap_or(false);
    Some(Said { verdict, sure: sure.clamp(LEAST, SUREST), acknowledged })
}

/// A kept answer as a position.
pub(super) fn leaning(kept: &[f32]) -> Option<Leaning> {
    let (verdict, sure) = verdict(kept)?;
    let unclear = 1.0 - sure;
    Some(match verdict {
        0 => Leaning { yes: sure, unclear, no: 0.0 },
        1 => Leaning { no: sure, unclear, yes: 0.0 },
        _ => Leaning::UNCLEAR,
    })
}

/// A kept answer as a relation.
pub(super) fn related(kept: &[f32]) -> Option<Related> {
    let (verdict, sure) = verdict(kept)?;
    let rest = Related { unrelated: 1.0 - sure, ..Related::NONE };
    Some(match verdict {
        0 => Related { same: sure, ..rest },
        1 => Related { entails: sure, ..rest },
        3 => Related { contradicts: sure, ..rest },
        // The second says more than the first, or narrows it.
        2 | 4 => Related { qualifies: sure, ..rest },
        _ => Related::UNRELATED,
    })
}

/// A kept answer as what became of a position.
pub(super) fn changed(kept: &[f32]) -> Option<Changed> {
    let (verdict, sure) = verdict(kept)?;
    let none = Changed {
        none: 1.0 - sure,
        refinement: 0.0,
        qualification: 0.0,
        retraction: 0.0,
        contradiction: 0.0,
        acknowledged: kept.get(2).copied().unwrap_or(0.0),
    };
    Some(match verdict {
        0 => Changed { none: 1.0, ..none },
        1 => Changed { refinement: sure, ..none },
        2 => Changed { qualification: sure, ..none },
        3 => Changed { retraction: sure, ..none },
        4 => Changed { contradiction: sure, ..none },
        _ => return None,
    })
}

fn verdict(kept: &[f32]) -> Option<(u8, f32)> {
    let &[verdict, sure, _] = kept else { return None };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small place, and a cast saturates"
    )]
    let place = verdict as u8;
    (0.0..=1.0).contains(&sure).then_some((place, sure))
}
