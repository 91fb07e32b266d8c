//! The answer a text states in so many words, whatever form it has.
//!
//! Four forms, each a small grammar over the words of `lexicons/answers.txt`:
//!
//! * a box or a field: `\boxed{42}`, `{"answer": "B"}`;
//! * a label and what stands behind it: `Final answer: (C)`, `Recommendation: Hold`, a heading;
//! * a conclusion: "the answer is C", "I'd go with Postgres", "that leaves B", "so, lighthouse it is";
//! * a line that is nothing but an answer, as the last one of the text; failing all of these, as the first.
//!
//! The last one counts. What is only mentioned, denied, supposed, asked or said by others is none.

mod boxed;
mod conclusions;
mod fields;
mod labels;
mod lines;
mod value;
mod words;

use rebuttal_model::Span;

use crate::asked::Asked;
use crate::reading::Reading;

pub use value::{Given, Side as StatedSide, side_named};

/// How plainly an answer is stated, the plainest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Explicit {
    /// By the line the text opens with.
    Opening,
    /// By a sentence that chooses something which is neither a letter nor an option that was asked for.
    Worded,
    /// By the last line, which is nothing but the answer.
    Line,
    /// By a sentence that concludes.
    Concluded,
    /// Behind a label.
    Labelled,
    /// In a box or a field.
    Marked,
}

/// An answer that a text states.
#[derive(Clone, Debug, PartialEq)]
pub struct FinalAnswer {
    /// What is answered, in one spelling: `yes`, `c`, the option's name in small letters, `7.5`, `4/5`.
    pub answer: String,
    /// What kind of answer it is, with what is needed to compare it.
    pub given: Given,
    /// Where the text says so.
    pub span: Span,
    /// How plainly.
    pub explicit: Explicit,
}

impl FinalAnswer {
    /// What a field beside the text holds, read the same way as the text.
    pub fn of_field(field: &str, asked: &Asked) -> Option<Self> {
        let found = value::whole(field, asked, value::Strictness::Labelled)?;
        let span = Span::new(0, field.len());
        Some(Self { answer: found.name, given: found.given, span, explicit: Explicit::Marked })
    }

    /// Whether two answers say the same; `None` where they cannot be told apart or compared, as a
    /// letter and a name are where nobody said which is which.
    pub fn same(&self, other: &Self) -> Option<bool> {
        value::same((&self.answer, self.given), (&other.answer, other.given))
    }
}

/// A place that may state an answer. Offsets are of the clean text.
#[derive(Debug)]
pub(crate) struct Candidate {
    found: value::Found,
    span: Span,
    explicit: Explicit,
}

impl Reading<'_> {
    /// The answer that the text states to what was asked, if it states one.
    ///
    /// ```
    /// use rebuttal_text::{Asked, Reading};
    ///
    /// let asked = Asked::of("Postgres or MySQL?");
    /// let answer = Reading::new("MySQL is fine, but I'd go with Postgres.").final_answer(&asked);
    /// assert_eq!(answer.unwrap().answer, "postgres");
    /// ```
    pub fn final_answer(&self, asked: &Asked) -> Option<FinalAnswer> {
        let mut last: Option<Candidate> = None;
        let mut keep = |candidate: Candidate| {
            let weight = |it: &Candidate| (it.explicit > Explicit::Worded, it.span.end());
            if last.as_ref().is_none_or(|last| weight(&candidate) >= weight(last)) {
                last = Some(candidate);
            }
        };
        boxed::find(self, asked, &mut keep);
        fields::find(self, asked, &mut keep);
        labels::find(self, asked, &mut keep);
        conclusions::find(self, asked, &mut keep);
        lines::last(self, asked, &mut keep);
        let best = last.or_else(|| lines::first(self, asked))?;
        Some(FinalAnswer {
            answer: best.found.name,
            given: best.found.given,
            span: self.original_span(best.span),
            explicit: best.explicit,
        })
    }
}

#[cfg(test)]
mod tests;
