//! Which figures of a report name where they come from.

use rebuttal_model::{Report, Span};

use rebuttal_text::Reading;

use super::statement::given_at;

/// How many figures of a report are cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// All figures.
    pub figures: usize,
    /// Those with neither a citation nor a named source, by the place of their value in the text.
    pub uncited: Vec<Span>,
}

impl Coverage {
    /// Reads a report. A source named for a finding in a field of its own counts.
    ///
    /// ```
    /// use rebuttal_detect::reports::Coverage;
    /// use rebuttal_model::{AgentId, Report};
    ///
    /// let text = "Per LMIS: retention is 87.5 %. Attrition is 12.5 %.";
    /// let coverage = Coverage::of(&Report::new(AgentId::new("labour"), text));
    /// assert_eq!((coverage.figures, coverage.cited()), (2, 1));
    /// ```
    pub fn of(report: &Report) -> Self {
        let figures = Reading::new(&report.text).figures();
        let given =
            |span: Span| given_at(&report.given, span).is_some_and(|it| it.citation.is_some());
        let uncited = figures
            .iter()
            .filter(|it| it.citation.is_none() && it.reporter.is_none() && !given(it.sentence))
            .map(|it| it.quantity.span)
            .collect();
        Self { figures: figures.len(), uncited }
    }

    /// The figures that name where they come from.
    pub fn cited(&self) -> usize {
        self.figures - self.uncited.len()
    }

    /// The share of cited figures; all of none.
    pub fn share(&self) -> f64 {
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        if self.figures == 0 { 1.0 } else { count(self.cited()) / count(self.figures) }
    }
}
