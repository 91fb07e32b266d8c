//! What a text offers in support: quantities, periods and citations, placed in the original text.

use rebuttal_model::Span;

use crate::citations::{Citation, citations};
use crate::periods::{Period, periods, periods_at};
use crate::places::Places;
use crate::quantities::{BOTH, Quantity, quantities, quantities_beside};
use crate::reading::Reading;

impl Reading<'_> {
    /// The numbers in the text and what they measure.
    pub fn quantities(&self) -> Vec<Quantity> {
        quantities(self.clean()).into_iter().map(|found| self.placed_quantity(found)).collect()
    }

    /// The numbers and the times, for whoever needs both: the numbers need the times anyway.
    pub fn quantities_and_periods(&self) -> (Vec<Quantity>, Vec<Period>) {
        let places = Places::of(self.clean(), &BOTH);
        let times = periods_at(&places);
        let numbers = quantities_beside(&places, &times).into_iter();
        let numbers = numbers.map(|found| self.placed_quantity(found)).collect();
        (numbers, times.into_iter().map(|period| self.placed(period)).collect())
    }

    fn placed_quantity(&self, found: Quantity) -> Quantity {
        let place = |span: Option<Span>| span.map(|span| self.original_span(span));
        Quantity {
            span: self.original_span(found.span),
            unit_span: place(found.unit_span),
            noun: place(found.noun),
            per: place(found.per),
            ..found
        }
    }

    /// The times the text names.
    pub fn periods(&self) -> Vec<Period> {
        periods(self.clean()).into_iter().map(|period| self.placed(period)).collect()
    }

    /// The sources the text names.
    pub fn citations(&self) -> Vec<Citation> {
        let found = citations(self.clean()).into_iter();
        let placed = found.map(|found| Citation {
            span: self.original_span(found.span),
            kind: found.kind,
            source: self.original_span(found.source),
            value: found.value.map(|span| self.original_span(span)),
            period: found.period.map(|period| self.placed(period)),
        });
        placed.collect()
    }

    fn placed(&self, period: Period) -> Period {
        Period { span: self.original_span(period.span), ..period }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_measure_is_no_quantity() {
        for text in ["1e999 users", "10^999 dollars", "1e308 million users"] {
            assert_eq!(Reading::new(text).quantities(), [], "{text}");
        }
    }

    #[test]
    fn spans_land_on_the_original_text() {
        let text = "\u{201c}Well\u{200b}\u{201d}, it was \u{2212}2.5 % in Q1\u{2011}2024 [Per extraction: \u{2018}0.10%\u{2019} from GCC-STAT Q1-2024].";
        let reading = Reading::new(text);
        let quantity = reading.quantities()[0];
        assert_eq!(quantity.span.of(text), Some("\u{2212}2.5 %"));
        assert_eq!(reading.periods()[0].span.of(text), Some("Q1\u{2011}2024"));
        let citation = reading.citations()[0];
        assert_eq!(citation.value.and_then(|span| span.of(text)), Some("0.10%"));
        assert!(citation.source.of(text).is_some_and(|source| source.starts_with("GCC-STAT")));
    }
}
