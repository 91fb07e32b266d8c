//! The connectives: all that a panelist says beside quotations.

/// For an answer that is given for the first time, with how many of the sentences read speak for it.
pub(crate) fn takes(answer: &str, (own, all): (usize, usize)) -> String {
    format!("I am for {answer}: {own} of the {all} sentences I have read speak for it.")
}

/// For an answer that is kept.
pub(crate) fn keeps(answer: &str, (own, all): (usize, usize)) -> String {
    format!("I stay with {answer}: {own} of the {all} sentences I have read or heard speak for it.")
}

/// For an answer that is given up for another.
pub(crate) fn moves(from: &str, to: &str, (own, all): (usize, usize)) -> String {
    format!(
        "I have changed my mind from {from} to {to}: with what the others brought, {own} of {all} \
         sentences speak for it and weigh more."
    )
}

/// Where one that abstained takes a side.
pub(crate) fn decides(answer: &str, (own, all): (usize, usize)) -> String {
    format!("I no longer abstain: {own} of {all} sentences speak for {answer}.")
}

/// Where nothing is on the question.
pub(crate) const NOTHING: &str = "I abstain: nothing in the documents is on this question.";

/// Where both sides weigh the same.
pub(crate) const EVEN: &str =
    "I abstain: what the documents say for either side weighs about the same.";

/// Before a rebuttal that gives another value for the same figure, and wins.
pub(crate) const OTHER_FIGURE_LATER: &str = "A later document replaces this figure:";

/// Before one that wins because the figure was measured and not expected.
pub(crate) const OTHER_FIGURE_FIRMER: &str = "This figure is an expectation; what came of it:";

/// Before one that loses.
pub(crate) const OTHER_FIGURE: &str = "This replaces another figure, which no longer counts:";

/// Before a sentence that speaks for the other side on the same matter.
pub(crate) const AGAINST: &str = "On the same matter, against it:";

/// Where no document speaks against an item.
pub(crate) const GRANTED: &str = "I found nothing in the documents against this.";

/// Where an item is not a sentence of the documents.
pub(crate) const NOT_THERE: &str = "I do not find this in the documents.";
