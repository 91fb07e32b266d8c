//! Yes/no decisions against yes/no labels.

use super::{ratio, real, share};

/// How often a yes/no decision was right and wrong, in both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Positive rows that were found.
    pub true_positives: u64,
    /// Negative rows that were called positive.
    pub false_positives: u64,
    /// Positive rows that were missed.
    pub false_negatives: u64,
    /// Negative rows that were left alone.
    pub true_negatives: u64,
}

impl Confusion {
    /// Counts one row.
    pub fn add(&mut self, actual: bool, predicted: bool) {
        let cell = match (actual, predicted) {
            (true, true) => &mut self.true_positives,
            (false, true) => &mut self.false_positives,
            (true, false) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *cell += 1;
    }

    /// The four counts in the order of the fields, as the bootstrap wants them.
    pub fn cells(&self) -> [u64; 4] {
        [self.true_positives, self.false_positives, self.false_negatives, self.true_negatives]
    }

    /// The inverse of [`Self::cells`]; missing cells count 0.
    pub fn from_cells(cells: &[u64]) -> Self {
        let cell = |index: usize| cells.get(index).copied().unwrap_or(0);
        Self {
            true_positives: cell(0),
            false_positives: cell(1),
            false_negatives: cell(2),
            true_negatives: cell(3),
        }
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.cells().iter().sum()
    }

    /// Rows labelled positive.
    pub fn positives(&self) -> u64 {
        self.true_positives + self.false_negatives
    }

    /// The share of alarms that are right. `None` without an alarm.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of positives that were found. `None` without a positive.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positives, self.positives())
    }

    /// The share of negatives that raised an alarm. `None` without a negative.
    pub fn false_alarm_rate(&self) -> Option<f64> {
        share(self.false_positives, self.false_positives + self.true_negatives)
    }

    /// The harmonic mean of precision and recall: 0 when positives exist and none was found,
    /// `None` when there is neither a positive nor an alarm.
    pub fn f1(&self) -> Option<f64> {
        let doubled = 2 * self.true_positives;
        share(doubled, doubled + self.false_positives + self.false_negatives)
    }

    /// The share of rows decided rightly.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.true_positives + self.true_negatives, self.rows())
    }

    /// Matthews' correlation coefficient, -1..=1. `None` when a row or column of the table is
    /// empty, because a constant correlates with nothing.
    pub fn mcc(&self) -> Option<f64> {
        let [tp, fp, missed, tn] = self.cells().map(real);
        let spread = (tp + fp) * (tp + missed) * (tn + fp) * (tn + missed);
        ratio(tp * tn - fp * missed, spread.sqrt())
    }
}

impl FromIterator<(bool, bool)> for Confusion {
    /// Counts `(actual, predicted)` pairs.
    fn from_iter<I: IntoIterator<Item = (bool, bool)>>(rows: I) -> Self {
        let mut counts = Self::default();
        for (actual, predicted) in rows {
            counts.add(actual, predicted);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(cells: [u64; 4]) -> Confusion {
        Confusion::from_cells(&cells)
    }

    fn close(actual: Option<f64>, expected: f64) {
        let actual = actual.expect("defined");
        assert!((actual - expected).abs() < 1e-12, "{actual} is not {expected}");
    }

    #[test]
    fn by_hand() {
        // 6 found, 2 false alarms, 3 missed, 9 left alone.
        let table = counts([6, 2, 3, 9]);
        assert_eq!((table.rows(), table.positives()), (20, 9));
        close(table.precision(), 6.0 / 8.0);
        close(table.recall(), 6.0 / 9.0);
        close(table.f1(), 12.0 / 17.0);
        close(table.accuracy(), 15.0 / 20.0);
        close(table.false_alarm_rate(), 2.0 / 11.0);
        // (6*9 - 2*3) / sqrt(8 * 9 * 11 * 12)
        close(table.mcc(), 48.0 / 9504f64.sqrt());
    }

    #[test]
    fn perfect_and_inverted() {
        close(counts([4, 0, 0, 6]).mcc(), 1.0);
        close(counts([0, 6, 4, 0]).mcc(), -1.0);
        close(counts([0, 6, 4, 0]).f1(), 0.0);
    }

    #[test]
    fn undefined_is_none() {
        let silent = counts([0, 0, 5, 5]);
        assert_eq!(silent.precision(), None, "no alarm");
        assert_eq!(silent.mcc(), None, "a constant correlates with nothing");
        assert_eq!(silent.f1(), Some(0.0), "five positives and none found");
        let quiet = counts([0, 0, 0, 7]);
        assert_eq!((quiet.recall(), quiet.f1()), (None, None));
        assert_eq!(quiet.accuracy(), Some(1.0));
        assert_eq!(Confusion::default().accuracy(), None);
    }

    #[test]
    fn counts_pairs() {
        let table: Confusion =
            [(true, true), (false, true), (true, false), (false, false), (true, true)]
                .into_iter()
                .collect();
        assert_eq!(table.cells(), [2, 1, 1, 1]);
    }
}
