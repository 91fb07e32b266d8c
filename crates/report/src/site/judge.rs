//! A person says of a finding whether it is right: the form beside it, and the labelled row that comes
//! of it, in the form that `rebuttal score` reads.

use maud::{Markup, html};
use rebuttal_model::{Finding, Flip};
use serde_json::{Value, json};

/// The questions of `rebuttal score` that a finding answers, with the labels for "right" and "wrong".
pub const JUDGED: [(&str, &str, &str); 3] = [
    ("self-contradiction", "reversal", "same"),
    ("contradiction", "contradiction", "not_contradiction"),
    ("flip", "flip", "none"),
];

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

/// The row that `rebuttal score TASK` reads; `None` where there is no such task.
pub fn judged_row(task: &str, id: &str, (text_a, text_b): (&str, &str), label: &str) -> Option<Value> {
    JUDGED.iter().any(|(known, _, _)| *known == task).then(|| {
        json!({ "id": id, "text_a": text_a, "text_b": text_b, "label": label })
    })
}
