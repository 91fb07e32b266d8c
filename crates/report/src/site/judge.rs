//! A person says of a finding whether it is right: the form beside it, and the labelled row that comes
//! of it, in the form that `rebuttal score` reads.

use maud::{Markup, html};
use rebuttal_model::{Contradiction, Finding, Flip, FlipKind};

/// What a person is asked to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    /// The question of `rebuttal score`.
    pub task: &'static str,
    /// The id of the finding.
    pub id: String,
    /// What was said first, or by one side.
    pub text_a: String,
    /// What was said then, or by the other side.
    pub text_b: String,
    /// What the label is if it is right.
    pub right: String,
}

impl Judge {
    /// What there is to judge about a finding, if `rebuttal score` has a question for it.
    pub fn finding(finding: &Finding) -> Option<Self> {
        if !finding.rule.as_str().starts_with("self-contradiction/") {
            return None;
        }
        let quote = |shows: &str| finding.quotes.iter().find(|quote| quote.shows == shows);
        Some(Self {
            task: "self-contradiction",
            id: finding.id.to_string(),
            text_a: quote("position before")?.text.clone(),
            text_b: quote("position after")?.text.clone(),
            right: "reversal".to_owned(),
        })
    }

    /// What there is to judge about a flip.
    pub fn flip(flip: &Flip) -> Self {
        Self {
            task: "flip",
            id: flip.id.to_string(),
            text_a: flip.before.claim.clone(),
            text_b: flip.after.claim.clone(),
            right: flip.kind.as_str().to_owned(),
        }
    }

    /// What there is to judge about a contradiction of two reports: the first two sides.
    pub fn contradiction(contradiction: &Contradiction) -> Option<Self> {
        let [one, other, ..] = contradiction.sides.as_slice() else { return None };
        Some(Self {
            task: "contradiction",
            id: contradiction.id.to_string(),
            text_a: one.quote.clone(),
            text_b: other.quote.clone(),
            right: "contradiction".to_owned(),
        })
    }

    /// Two buttons. With a script the page stays; without, the answer is a page that says thanks.
    pub fn form(&self) -> Markup {
        html! {
            form.judge method="post" action="/labels" data-stays="" {
                input type="hidden" name="task" value=(self.task);
                input type="hidden" name="id" value=(self.id);
                input type="hidden" name="text_a" value=(self.text_a);
                input type="hidden" name="text_b" value=(self.text_b);
                input type="hidden" name="right" value=(self.right);
                span.place { "Is this right?" }
                button name="verdict" value="right" { "Right" }
                button name="verdict" value="wrong" { "Wrong" }
            }
        }
    }
}

/// The label of a finding that a person called right or wrong; `None` where `rebuttal score` has no such
/// question, or the finding says something that is no answer to it.
pub fn label(task: &str, right: &str, verdict: Verdict) -> Option<&'static str> {
    let (right, wrong) = match task {
        "self-contradiction" => ("reversal", "same"),
        "contradiction" => ("contradiction", "not_contradiction"),
        "flip" => {
            let kind = FlipKind::ALL.into_iter().find(|kind| kind.as_str() == right)?;
            (kind.as_str(), "none")
        }
        _ => return None,
    };
    Some(match verdict {
        Verdict::Right => right,
        Verdict::Wrong => wrong,
    })
}

/// What a person says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is so.
    Right,
    /// It is not so.
    Wrong,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_an_answer_of_its_task() {
        assert_eq!(label("flip", "retraction", Verdict::Right), Some("retraction"));
        assert_eq!(label("flip", "retraction", Verdict::Wrong), Some("none"));
        assert_eq!(label("flip", "<script>", Verdict::Right), None);
        assert_eq!(label("self-contradiction", "", Verdict::Wrong), Some("same"));
        assert_eq!(label("weather", "", Verdict::Right), None);
    }
}
