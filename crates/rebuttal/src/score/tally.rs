//! From answers to figures.

use rebuttal_detect::measure::{
    self, Confusion, Estimate, Labels, auroc_estimate, calibration_error, estimate_counts,
    pearson_estimate, spearman_estimate,
};
use rebuttal_model::{FlipKind, Stance};

use super::flip;
use super::task::{Answer, Class, Gold};

/// A named figure; `None` where it is undefined.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Its name in JSON.
    pub name: &'static str,
    /// The figure and its 95 % interval.
    pub estimate: Option<Estimate>,
}

/// One row, decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decided {
    pub(super) gold: Gold,
    pub(super) answer: Answer,
    pub(super) score: f64,
}

/// How many rows carry each label; the same for every method.
pub(super) fn label_counts(golds: &[Gold]) -> Vec<(&'static str, u64)> {
    let mut counts: Vec<(&'static str, u64)> = Vec::new();
    for gold in golds {
        let name = match gold {
            Gold::Binary(Class::Positive | Class::Explicit) => "positive",
            Gold::Binary(Class::Negative) => "negative",
            Gold::Stance(stance) => stance.as_str(),
            Gold::Number { .. } => "numbers",
            Gold::Flip { kind, .. } => kind.map_or("none", FlipKind::as_str),
            Gold::LeftOut => "left out",
        };
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    // Whatever row comes first, the labels stand in the same order.
    let order = [
        "positive",
        "negative",
        "yes",
        "no",
        "unclear",
        "numbers",
        "none",
        "refinement",
        "qualification",
        "retraction",
        "contradiction",
        "left out",
    ];
    counts.sort_by_key(|(name, _)| order.iter().position(|known| known == name));
    counts
}

/// All figures that make sense for these rows.
pub(super) fn metrics(rows: &[Decided], probability: bool) -> Vec<Metric> {
    let kind = rows.iter().find(|row| row.gold != Gold::LeftOut).map(|row| row.gold);
    match kind {
        Some(Gold::Binary(_)) => binary(rows, probability),
        Some(Gold::Stance(_)) => stance(rows),
        Some(Gold::Number { .. }) => numbers(rows),
        Some(Gold::Flip { .. }) => flip::metrics(rows),
        Some(Gold::LeftOut) | None => Vec::new(),
    }
}

/// The four cells of the table, then positives labelled explicit: found and missed.
fn binary_cells(rows: &[Decided]) -> [u64; 6] {
    let [mut tp, mut fp, mut missed, mut tn, mut found, mut lost] = [0; 6];
    for row in rows {
        let cell = match (row.gold, row.answer) {
            (Gold::Binary(Class::Positive), Answer::Binary(true)) => &mut tp,
            (Gold::Binary(Class::Positive), Answer::Binary(false)) => &mut missed,
            (Gold::Binary(Class::Negative), Answer::Binary(true)) => &mut fp,
            (Gold::Binary(Class::Negative), Answer::Binary(false)) => &mut tn,
            (Gold::Binary(Class::Explicit), Answer::Binary(true)) => &mut found,
            (Gold::Binary(Class::Explicit), Answer::Binary(false)) => &mut lost,
            _ => continue,
        };
        *cell += 1;
    }
    [tp, fp, missed, tn, found, lost]
}

fn binary(rows: &[Decided], probability: bool) -> Vec<Metric> {
    let cells = binary_cells(rows);
    let estimates = estimate_counts(&cells, |cells| {
        let mut table = Confusion::from_cells(cells);
        let [found, lost] = [4, 5].map(|cell| cells.get(cell).copied().unwrap_or(0));
        table.true_positives += found;
        table.false_negatives += lost;
        [
            table.precision(),
            table.recall(),
            table.f1(),
            table.mcc(),
            table.accuracy(),
            table.false_alarm_rate(),
            measure::share(found, found + lost),
        ]
    });
    let names =
        ["precision", "recall", "f1", "mcc", "accuracy", "false_alarm_rate", "recall_explicit"];
    let ranked: Vec<(f64, bool)> = rows
        .iter()
        .filter_map(|row| match row.gold {
            Gold::Binary(class) => Some((row.score, class != Class::Negative)),
            Gold::Stance(_) | Gold::Number { .. } | Gold::Flip { .. } | Gold::LeftOut => None,
        })
        .collect();
    let [.., found, lost] = cells;
    let mut metrics = named(names, estimates);
    if found + lost == 0 {
        metrics.pop();
    }
    metrics.push(Metric { name: "auroc", estimate: auroc_estimate(&ranked) });
    if probability {
        let value = calibration_error(&ranked);
        let estimate = value.map(|value| Estimate { value, interval: None });
        metrics.push(Metric { name: "calibration_error", estimate });
    }
    metrics
}

/// The label's number in the table of stances.
fn index(stance: Stance) -> usize {
    match stance {
        Stance::Yes => 0,
        Stance::No => 1,
        Stance::Unclear => 2,
    }
}

fn stance(rows: &[Decided]) -> Vec<Metric> {
    let mut table = Labels::new(3);
    let mut ranked = Vec::new();
    for row in rows {
        if let (Gold::Stance(actual), Answer::Stance(answer)) = (row.gold, row.answer) {
            table.add(index(actual), index(answer));
            if actual != Stance::Unclear {
                ranked.push((row.score, actual == Stance::Yes));
            }
        }
    }
    let estimates = estimate_counts(table.cells(), |cells| {
        let table = Labels::from_cells(3, cells);
        let answered = table.predicted(0) + table.predicted(1);
        let decided = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let decided: u64 =
            decided.iter().map(|&(actual, answer)| table.count(actual, answer)).sum();
        [
            measure::share(answered, table.rows()),
            measure::share(table.count(0, 0) + table.count(1, 1), decided),
            table.accuracy(),
            table.macro_f1(),
        ]
    });
    let names = ["coverage", "accuracy_answered", "accuracy", "macro_f1"];
    let mut metrics = named(names, estimates);
    metrics.push(Metric { name: "auroc", estimate: auroc_estimate(&ranked) });
    metrics
}

fn numbers(rows: &[Decided]) -> Vec<Metric> {
    let (mut scores, mut lengths) = (Vec::new(), Vec::new());
    for row in rows {
        if let Gold::Number { value, length } = row.gold {
            scores.push((row.score, value));
            lengths.extend(length.map(|length| (length, value)));
        }
    }
    let second = if lengths.is_empty() {
        Metric { name: "pearson", estimate: pearson_estimate(&scores) }
    } else {
        Metric { name: "spearman_length", estimate: spearman_estimate(&lengths) }
    };
    vec![Metric { name: "spearman", estimate: spearman_estimate(&scores) }, second]
}

pub(super) fn named<const M: usize>(
    names: [&'static str; M],
    estimates: [Option<Estimate>; M],
) -> Vec<Metric> {
    names.into_iter().zip(estimates).map(|(name, estimate)| Metric { name, estimate }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(metrics: &[Metric], name: &str) -> Option<f64> {
        metrics.iter().find(|metric| metric.name == name).unwrap().estimate.map(|it| it.value)
    }

    fn flip(class: Class, answer: bool) -> Decided {
        let score = f64::from(u8::from(answer));
        Decided { gold: Gold::Binary(class), answer: Answer::Binary(answer), score }
    }

    #[test]
    fn explicit_positives_count_as_positives_and_alone() {
        let rows = [
            flip(Class::Explicit, true),
            flip(Class::Positive, false),
            flip(Class::Positive, false),
            flip(Class::Negative, true),
            flip(Class::Negative, false),
            Decided { gold: Gold::LeftOut, answer: Answer::Binary(true), score: 1.0 },
        ];
        let metrics = metrics(&rows, false);
        assert_eq!(value(&metrics, "recall"), Some(1.0 / 3.0));
        assert_eq!(value(&metrics, "recall_explicit"), Some(1.0));
        assert_eq!(value(&metrics, "precision"), Some(0.5));
        assert_eq!(value(&metrics, "false_alarm_rate"), Some(0.5));
    }

    #[test]
    fn without_explicit_labels_there_is_no_such_figure() {
        let metrics = metrics(&[flip(Class::Positive, true), flip(Class::Negative, false)], false);
        assert!(metrics.iter().all(|metric| metric.name != "recall_explicit"));
    }

    #[test]
    fn stance_figures_by_hand() {
        use Stance::{No, Unclear, Yes};
        let row = |actual, answer: Stance| Decided {
            gold: Gold::Stance(actual),
            answer: Answer::Stance(answer),
            score: match answer {
                Yes => 1.0,
                No => -1.0,
                Unclear => 0.0,
            },
        };
        let rows = [
            row(Yes, Yes),
            row(Yes, No),
            row(Yes, Unclear),
            row(No, No),
            row(No, Unclear),
            row(Unclear, Unclear),
            row(Unclear, Yes),
            row(Unclear, Unclear),
        ];
        let metrics = metrics(&rows, false);
        assert_eq!(value(&metrics, "coverage"), Some(4.0 / 8.0));
        assert_eq!(value(&metrics, "accuracy_answered"), Some(2.0 / 3.0));
        assert_eq!(value(&metrics, "accuracy"), Some(4.0 / 8.0));
        // F1: yes 2/5, no 2/4, unclear 4/7.
        let macro_f1 = value(&metrics, "macro_f1").unwrap();
        assert!((macro_f1 - (0.4 + 0.5 + 4.0 / 7.0) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn labels_stand_in_one_order() {
        let golds = [Gold::LeftOut, Gold::Binary(Class::Negative), Gold::Binary(Class::Explicit)];
        assert_eq!(label_counts(&golds), [("positive", 1), ("negative", 1), ("left out", 1)]);
    }

    #[test]
    fn nothing_measures_nothing() {
        assert_eq!(metrics(&[], false), []);
    }
}
