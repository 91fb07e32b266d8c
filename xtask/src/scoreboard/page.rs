//! The scoreboard as a Markdown page.

use std::fmt::Write;

use serde_json::Value;

use super::Row;

/// The figures shown per task, in this order; the first is the one that counts.
const COLUMNS: [(&str, &[&str]); 10] = [
    (
        "contradiction",
        &["auroc", "f1", "precision", "recall", "false_alarm_rate", "mcc", "calibration_error"],
    ),
    ("similarity", &["spearman", "pearson", "auroc", "f1", "precision", "recall"]),
    (
        "self-contradiction",
        &["f1", "precision", "recall", "recall_explicit", "false_alarm_rate", "mcc", "auroc"],
    ),
    (
        "flip",
        &[
            "macro_f1",
            "false_alarm_rate",
            "f1_acknowledged",
            "f1_none",
            "f1_refinement",
            "f1_qualification",
            "f1_retraction",
            "f1_contradiction",
        ],
    ),
    ("acknowledgement", &["f1", "precision", "recall", "false_alarm_rate", "mcc", "auroc"]),
    ("stance", &["accuracy", "coverage", "accuracy_answered", "macro_f1", "auroc"]),
    ("hedge", &["f1", "precision", "recall", "mcc", "auroc"]),
    ("specificity", &["spearman", "spearman_length"]),
    ("evidence", &["spearman", "spearman_length"]),
    ("evidence-pair", &["accuracy", "auroc", "mcc"]),
];

const LEGEND: &str = "\
* **seed**: the word lists of the seed documents; **rules**: Rebuttal's own reading of the text.
* **model**: rules and the models in the program together, on every n-th row of a large set, as *n*
  shows. In each set the best method stands in bold.
* In brackets: 95 % interval of 1000 bootstrap resamples, fixed seed. A dash: undefined, for
  instance precision without a single alarm.
* `rebuttal score --help` defines every figure. *Positives*: rows labelled positive (stance: yes);
  rows labelled neither way are not part of *n*.
* *Rows/s*: rows judged per second on all cores of whatever machine made this page; compare
  within the page only.
* The sets are public corpora that belong to their authors. They are measured on and not copied
  into this project.
";

/// The page for `version`; rows of other versions follow in short.
pub(super) fn write(version: &str, rows: &[Row], unmeasured: &[String]) -> String {
    let mut page = format!(
        "# Scoreboard\n\nHow right each detector is on data that nobody here wrote. Made by \
         `cargo xtask scoreboard` with Rebuttal {version}; do not edit.\n\n{LEGEND}"
    );
    for (task, columns) in COLUMNS {
        let of_task: Vec<&Row> =
            rows.iter().filter(|row| row.version == version && row.task == task).collect();
        if !of_task.is_empty() {
            table(&mut page, task, columns, &of_task);
        }
    }
    if !unmeasured.is_empty() {
        let list: Vec<String> = unmeasured.iter().map(|set| format!("`{set}`")).collect();
        push(&mut page, format_args!("\n## Not yet measured\n\n{}\n", list.join(", ")));
    }
    history(&mut page, version, rows);
    page
}

/// Writing to a `String` cannot fail.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).unwrap_or_default();
}

fn table(page: &mut String, task: &str, columns: &[&str], rows: &[&Row]) {
    let heads: Vec<String> = columns.iter().map(|name| name.replace('_', " ")).collect();
    push(page, format_args!("\n## {task}\n\n| set | n | positives | method | "));
    push(page, format_args!("{} | rows/s |\n", heads.join(" | ")));
    push(page, format_args!("|---|--:|--:|---|{}--:|\n", "---|".repeat(columns.len())));
    for row in rows {
        let rivals: Vec<&Row> = rows.iter().filter(|rival| rival.set == row.set).copied().collect();
        let shown = |name: &&str| {
            let figure = figure(row.metrics.get(*name));
            if is_best(row, &rivals, name) { format!("**{figure}**") } else { figure }
        };
        let figures: Vec<String> = columns.iter().map(shown).collect();
        let positives = row.positives.map_or("-".to_owned(), |count| count.to_string());
        let speed = row.rows_per_second.map_or("-".to_owned(), |speed| speed.to_string());
        push(
            page,
            format_args!(
                "| `{}` | {} | {positives} | {} | {} | {speed} |\n",
                row.set,
                row.n,
                row.method,
                figures.join(" | ")
            ),
        );
    }
    means(page, task, rows);
}

/// Figures of which less is better.
const LESS_IS_BETTER: [&str; 2] = ["false_alarm_rate", "calibration_error"];

/// Whether no other method of the set does better, and some other does worse.
fn is_best(row: &Row, rivals: &[&Row], name: &str) -> bool {
    let sign = if LESS_IS_BETTER.contains(&name) { -1.0 } else { 1.0 };
    let Some(own) = row.part(name, "value") else { return false };
    let others: Vec<f64> = rivals.iter().filter_map(|rival| rival.part(name, "value")).collect();
    others.iter().all(|other| own * sign >= other * sign)
        && others.iter().any(|other| own * sign > other * sign)
}

/// The mean AUROC over the sets of two statements, each set counting once.
fn means(page: &mut String, task: &str, rows: &[&Row]) {
    if task != "contradiction" {
        return;
    }
    let mean = |method: &str| {
        let of_method = rows.iter().filter(|row| row.method == method && row.set.starts_with("a_"));
        let values: Vec<f64> = of_method.filter_map(|row| row.part("auroc", "value")).collect();
        let sets = u32::try_from(values.len()).ok().filter(|sets| *sets > 0)?;
        Some((sets, values.iter().sum::<f64>() / f64::from(sets)))
    };
    let shown: Vec<String> = ["seed", "rules", "model"]
        .iter()
        .filter_map(|method| mean(method).map(|(_, mean)| format!("{method} {}", short(mean))))
        .collect();
    if let Some((sets, _)) = mean("rules") {
        push(
            page,
            format_args!(
                "\nMean AUROC over the {sets} `a_` sets with both classes: {}.\n",
                shown.join(", ")
            ),
        );
    }
}

/// Every earlier release's figure that counts.
fn history(page: &mut String, version: &str, rows: &[Row]) {
    let mut earlier = rows.iter().filter(|row| row.version != version).peekable();
    if earlier.peek().is_none() {
        return;
    }
    push(
        page,
        format_args!(
            "\n## Earlier releases\n\n| version | set | method | figure | |\n|---|---|---|---|---|\n"
        ),
    );
    for row in earlier {
        let columns = COLUMNS.iter().find(|(task, _)| *task == row.task);
        let Some(name) = columns.and_then(|(_, names)| names.first()) else { continue };
        let value = figure(row.metrics.get(*name));
        let Row { version, set, method, .. } = row;
        push(page, format_args!("| {version} | `{set}` | {method} | {name} | {value} |\n"));
    }
}

/// `.53 [.51, .55]`.
fn figure(metric: Option<&Value>) -> String {
    let part = |name: &str| metric.and_then(|it| it.get(name)).and_then(Value::as_f64).map(short);
    match (part("value"), part("low"), part("high")) {
        (Some(value), Some(low), Some(high)) => format!("{value} [{low}, {high}]"),
        (Some(value), _, _) => value,
        (None, _, _) => "-".to_owned(),
    }
}

/// Three digits without the leading zero.
fn short(value: f64) -> String {
    format!("{value:.3}").replacen("0.", ".", 1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!([short(0.5), short(-0.25), short(1.0)], [".500", "-.250", "1.000"]);
        assert_eq!(figure(None), "-");
    }

    #[test]
    fn a_page_has_this_version_and_the_earlier_ones() {
        let rows = [row("0.1.0", "e_hedge_x", "rules"), row("0.2.0", "e_hedge_x", "rules")];
        let page = write("0.2.0", &rows, &["a_snli".to_owned()]);
        let line = "| `e_hedge_x` | 10 | 4 | rules | .500 [.250, .750] | - | - | - | - | 12345 |";
        assert!(page.contains(line), "{page}");
        assert!(
            page.contains("| 0.1.0 | `e_hedge_x` | rules | f1 | .500 [.250, .750] |"),
            "{page}"
        );
        assert!(page.contains("## Not yet measured\n\n`a_snli`"), "{page}");
    }

    #[test]
    fn the_best_method_of_a_set_stands_out() {
        let mut seed = row("0.1.0", "e_hedge_x", "seed");
        seed.metrics.insert("f1".to_owned(), serde_json::json!({ "value": 0.25 }));
        let page = write("0.1.0", &[row("0.1.0", "e_hedge_x", "rules"), seed], &[]);
        assert!(page.contains("| rules | **.500 [.250, .750]** |"), "{page}");
        assert!(page.contains("| seed | .250 |"), "{page}");
    }
}
