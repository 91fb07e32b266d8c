//! Decisions among several labels.

use super::share;

/// How often each label was answered with each: a square table, labels numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// Row by row: `cells[actual * labels + predicted]`.
    cells: Vec<u64>,
    labels: usize,
}

impl Labels {
    /// An empty table over `labels` labels.
    pub fn new(labels: usize) -> Self {
        Self { cells: vec![0; labels * labels], labels }
    }

    /// A table from cells in the order of [`Self::cells`]; missing cells count 0.
    pub fn from_cells(labels: usize, cells: &[u64]) -> Self {
        let mut cells = cells.to_vec();
        cells.resize(labels * labels, 0);
        Self { cells, labels }
    }

    /// Counts one row. Labels outside the table are not counted.
    pub fn add(&mut self, actual: usize, predicted: usize) {
        if actual < self.labels
            && predicted < self.labels
            && let Some(cell) = self.cells.get_mut(actual * self.labels + predicted)
        {
            *cell += 1;
        }
    }

    /// The counts, row by row: all answers to rows labelled 0 first.
    pub fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// Rows labelled `actual` and answered `predicted`.
    pub fn count(&self, actual: usize, predicted: usize) -> u64 {
        if predicted < self.labels {
            self.cells.get(actual * self.labels + predicted).copied().unwrap_or(0)
        } else {
            0
        }
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// Rows labelled `label`.
    pub fn actual(&self, label: usize) -> u64 {
        (0..self.labels).map(|predicted| self.count(label, predicted)).sum()
    }

    /// Rows answered `label`.
    pub fn predicted(&self, label: usize) -> u64 {
        (0..self.labels).map(|actual| self.count(actual, label)).sum()
    }

    /// The share of rows answered with their own label.
    pub fn accuracy(&self) -> Option<f64> {
        let right = (0..self.labels).map(|label| self.count(label, label)).sum();
        share(right, self.rows())
    }

    /// F1 of one label against all others.
    pub fn f1(&self, label: usize) -> Option<f64> {
        share(2 * self.count(label, label), self.actual(label) + self.predicted(label))
    }

    /// The mean F1 over the labels that occur among the rows. A label that is answered but never
    /// right costs the others recall; it does not count as a label of its own.
    pub fn macro_f1(&self) -> Option<f64> {
        let scores: Vec<f64> = (0..self.labels)
            .filter(|&label| self.actual(label) > 0)
            .filter_map(|label| self.f1(label))
            .collect();
        share(1, scores.len() as u64).map(|weight| weight * scores.iter().sum::<f64>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three labels: 5 rows of 0 (4 right, 1 answered 2), 3 of 1 (1 right, 2 answered 2), 2 of 2
    /// (both answered 0).
    fn table() -> Labels {
        Labels::from_cells(3, &[4, 0, 1, 0, 1, 2, 2, 0, 0])
    }

    #[test]
    fn by_hand() {
        let table = table();
        assert_eq!((table.rows(), table.actual(0), table.predicted(2)), (10, 5, 3));
        assert_eq!(table.accuracy(), Some(0.5));
        // F1: 8/11, 2/4, 0/5.
        let expected = (8.0 / 11.0 + 0.5 + 0.0) / 3.0;
        assert!((table.macro_f1().expect("defined") - expected).abs() < 1e-12);
    }

    #[test]
    fn a_label_without_rows_is_no_label() {
        // Only yes and no occur; "unclear" is answered once and costs recall.
        let table = Labels::from_cells(3, &[1, 0, 1, 0, 2, 0, 0, 0, 0]);
        let expected = f64::midpoint(2.0 / 3.0, 1.0);
        assert!((table.macro_f1().expect("defined") - expected).abs() < 1e-12);
    }

    #[test]
    fn empty_is_undefined() {
        let empty = Labels::new(3);
        assert_eq!((empty.accuracy(), empty.macro_f1(), empty.f1(0)), (None, None, None));
    }

    #[test]
    fn adds_what_fits() {
        let mut table = Labels::new(2);
        table.add(1, 0);
        table.add(0, 7);
        table.add(7, 0);
        assert_eq!(table.cells(), [0, 0, 1, 0]);
        assert_eq!(table.count(0, 7), 0);
    }
}
