//! What became of a position: five outcomes, and whether the speaker said so.

use rebuttal_detect::Reader;
use rebuttal_detect::flips::{Comparison, Statements, compare_all};
use rebuttal_detect::measure::{Confusion, Labels, estimate_counts};
use rebuttal_model::FlipKind;
use serde_json::Value;

use super::rows::Row;
use super::tally::{Decided, Metric, named};
use super::task::{Answer, Gold, Verdict};

/// Stands between the question and what was said in between.
const PUSHED: &str = " || ";

/// The outcomes: still held, and every kind of flip.
const OUTCOMES: usize = 1 + FlipKind::ALL.len();

/// What the row says became of the position.
pub(super) fn gold(kind: Option<FlipKind>, row: &Row) -> Gold {
    Gold::Flip { kind, acknowledged: row.meta.get("acknowledged").and_then(Value::as_bool) }
}

/// What a reader says of each row, or which text it misses.
pub(super) fn judge_all(rows: &[&Row], reader: Reader<'_>) -> Vec<Result<Verdict, String>> {
    let asked: Vec<Result<Statements<'_>, String>> =
        rows.iter().map(|row| statements(row)).collect();
    let good: Vec<Statements<'_>> = asked.iter().flatten().copied().collect();
    let mut found = compare_all(&good, reader).into_iter();
    let next = |asked: Result<Statements<'_>, String>| {
        asked.and_then(|_| found.next().map(verdict).ok_or_else(|| "was left out".to_owned()))
    };
    asked.into_iter().map(next).collect()
}

/// What a reader says of one row.
pub(super) fn judge(row: &Row, reader: Reader<'_>) -> Result<Verdict, String> {
    judge_all(&[row], reader).pop().unwrap_or_else(|| Err("was left out".to_owned()))
}

fn statements(row: &Row) -> Result<Statements<'_>, String> {
    let (before, after) = row.texts()?;
    let asked = row.meta.get("question").and_then(Value::as_str);
    let parts = asked.and_then(|asked| asked.split_once(PUSHED));
    let (question, reply_to) = match parts {
        Some((question, pushed)) => (Some(question), Some(pushed)),
        None => (asked, None),
    };
    Ok(Statements { before, after, question, reply_to })
}

fn verdict(found: Comparison) -> Verdict {
    let kind = found.outcome.kind();
    let acknowledged = kind.is_some() && found.acknowledgment.is_some();
    let score = if kind.is_some() { found.confidence } else { 0.0 };
    Verdict { answer: Answer::Flip { kind, acknowledged }, score, explanation: found.explanation }
}

/// An outcome's number in the table.
fn index(kind: Option<FlipKind>) -> usize {
    let place = kind.and_then(|kind| FlipKind::ALL.into_iter().position(|it| it == kind));
    place.map_or(0, |place| place + 1)
}

/// Macro-F1 and F1 of every outcome, false alarms, and how often it is right that the speaker said so.
pub(super) fn metrics(rows: &[Decided]) -> Vec<Metric> {
    let mut table = Labels::new(OUTCOMES);
    let mut said: Vec<(bool, bool)> = Vec::new();
    for row in rows {
        if let (
            Gold::Flip { kind, acknowledged },
            Answer::Flip { kind: answer, acknowledged: answered },
        ) = (row.gold, row.answer)
        {
            table.add(index(kind), index(answer));
            said.extend(acknowledged.map(|acknowledged| (acknowledged, answered)));
        }
    }
    let estimates = estimate_counts(table.cells(), |cells| {
        let table = Labels::from_cells(OUTCOMES, cells);
        let quiet = table.count(0, 0);
        [
            table.macro_f1(),
            table.f1(0),
            table.f1(1),
            table.f1(2),
            table.f1(3),
            table.f1(4),
            table.accuracy(),
            rebuttal_detect::measure::share(table.actual(0) - quiet, table.actual(0)),
        ]
    });
    let names = [
        "macro_f1",
        "f1_none",
        "f1_refinement",
        "f1_qualification",
        "f1_retraction",
        "f1_contradiction",
        "accuracy",
        "false_alarm_rate",
    ];
    let mut metrics = named(names, estimates);
    let said: Confusion = said.into_iter().collect();
    let cells =
        [said.true_positives, said.false_positives, said.false_negatives, said.true_negatives];
    let estimates = estimate_counts(&cells, |cells| {
        let said = Confusion::from_cells(cells);
        [said.precision(), said.recall(), said.f1()]
    });
    let names = ["precision_acknowledged", "recall_acknowledged", "f1_acknowledged"];
    metrics.extend(named(names, estimates));
    metrics
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(
        kind: Option<FlipKind>,
        said: bool,
        answer: Option<FlipKind>,
        told: bool,
    ) -> Decided {
        Decided {
            gold: Gold::Flip { kind, acknowledged: Some(said) },
            answer: Answer::Flip { kind: answer, acknowledged: told },
            score: 0.0,
        }
    }

    #[test]
    fn figures_by_hand() {
        use FlipKind::{Contradiction, Retraction};
        let rows = [
            decided(None, false, None, false),
            decided(None, false, Some(Contradiction), false),
            decided(Some(Contradiction), false, Some(Contradiction), false),
            decided(Some(Retraction), true, Some(Retraction), true),
            decided(Some(Retraction), true, None, false),
        ];
        let metrics = metrics(&rows);
        let value = |name: &str| {
            metrics.iter().find(|it| it.name == name).unwrap().estimate.map(|it| it.value).unwrap()
        };
        assert!((value("f1_none") - 0.5).abs() < 1e-9);
        assert!((value("f1_contradiction") - 2.0 / 3.0).abs() < 1e-9);
        assert!((value("f1_retraction") - 2.0 / 3.0).abs() < 1e-9);
        assert!((value("macro_f1") - (0.5 + 2.0 / 3.0 + 2.0 / 3.0) / 3.0).abs() < 1e-9);
        assert!((value("false_alarm_rate") - 0.5).abs() < 1e-9);
        assert!((value("f1_acknowledged") - 2.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn the_question_and_what_was_said_in_between() {
        let row: Row = serde_json::from_str(
            r#"{"text_a":"No.","text_b":"Yes.","meta":{"question":"Safe? || I am sure."}}"#,
        )
        .unwrap();
        let found = statements(&row).unwrap();
        assert_eq!((found.question, found.reply_to), (Some("Safe?"), Some("I am sure.")));
    }
}
