//! The scoreboard as a picture: a dot with its interval for every method on every set.
//!
//! One SVG file without a script or a font of its own. Its colours follow the reader's light or
//! dark theme, and each method has a shape too, for whoever cannot tell the colours apart.

use std::fmt::Write;

use super::Row;

const WIDTH: f64 = 820.0;
/// Where the scale begins and ends.
const LEFT: f64 = 232.0;
const RIGHT: f64 = WIDTH - 64.0;
const ROW: f64 = 30.0;
/// How far apart the methods of a set stand.
const STEP: f64 = 7.0;

/// The methods in the order they are drawn.
const METHODS: [(&str, &str); 3] =
    [("seed", "the seed documents' rules"), ("rules", "Rebuttal's rules"), ("model", "model")];

/// A group of sets on one scale.
struct Panel {
    title: &'static str,
    task: &'static str,
    /// Tried in this order: the first that a set has.
    figures: &'static [&'static str],
    low: f64,
    ticks: &'static [f64],
    /// What guessing gets.
    chance: Option<f64>,
}

const PANELS: [Panel; 2] = [
    Panel {
        title: "Contradiction or not: AUROC",
        task: "contradiction",
        figures: &["auroc"],
        low: 0.3,
        ticks: &[0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
        chance: Some(0.5),
    },
    Panel {
        title: "How alike: Spearman, or AUROC where the label is yes or no",
        task: "similarity",
        figures: &["spearman", "auroc"],
        low: 0.3,
        ticks: &[0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
        chance: None,
    },
];

const STYLE: &str = "\
text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#24292f}\
.title{font-weight:600;font-size:14px}\
.minor{fill:#59636e;font-size:12px}\
.grid{stroke:#d1d9e0;stroke-width:1}\
.chance{stroke:#59636e;stroke-width:1;stroke-dasharray:3 3}\
.seed{fill:#fff0;stroke:#6e7781}.seed-bar{stroke:#6e7781}\
.rules{fill:#0969da;stroke:#0969da}.rules-bar{stroke:#0969da}\
.model{fill:#bc4c00;stroke:#bc4c00}.model-bar{stroke:#bc4c00}\
.mark{stroke-width:1.6}.bar{stroke-width:1.6;opacity:.55}\
@media(prefers-color-scheme:dark){\
text{fill:#e6edf3}.minor{fill:#9198a1}.grid{stroke:#30363d}.chance{stroke:#9198a1}\
.seed{stroke:#9198a1}.seed-bar{stroke:#9198a1}\
.rules{fill:#58a6ff;stroke:#58a6ff}.rules-bar{stroke:#58a6ff}\
.model{fill:#f0883e;stroke:#f0883e}.model-bar{stroke:#f0883e}}";

/// Draws the rows of `version`.
pub(super) fn draw(version: &str, rows: &[Row]) -> String {
    let own: Vec<&Row> = rows.iter().filter(|row| row.version == version).collect();
    let mut picture = Picture { body: String::new(), at: 20.0 };
    picture.legend(&own);
    for panel in &PANELS {
        picture.panel(panel, &own);
    }
    let height = picture.at;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"Scoreboard of Rebuttal \
         {version}\">\n<style>{STYLE}</style>\n{}</svg>\n",
        picture.body
    )
}

struct Picture {
    body: String,
    /// How far down everything so far reaches.
    at: f64,
}

impl Picture {
    /// Writing to a `String` cannot fail.
    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        self.body.write_fmt(element).unwrap_or_default();
        self.body.push('\n');
    }

    fn text(&mut self, x: f64, y: f64, class: &str, anchor: &str, text: &str) {
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    fn legend(&mut self, rows: &[&Row]) {
        let mut x = LEFT;
        let y = self.at;
        for (method, words) in METHODS {
            if rows.iter().any(|row| row.method == method) {
                self.mark(method, x, y);
                self.text(x + 12.0, y + 4.5, "", "start", words);
                x += 40.0 + 7.0 * f64::from(u32::try_from(words.len()).unwrap_or(0));
            }
        }
        self.at += 16.0;
    }

    fn panel(&mut self, panel: &Panel, rows: &[&Row]) {
        let mut sets: Vec<&str> = Vec::new();
        let of_task =
            rows.iter().filter(|row| row.task == panel.task && figure(panel, row).is_some());
        for row in of_task {
            if !sets.contains(&row.set.as_str()) {
                sets.push(&row.set);
            }
        }
        if sets.is_empty() {
            return;
        }
        self.at += 26.0;
        self.text(16.0, self.at, "title", "start", panel.title);
        self.text(RIGHT + 20.0, self.at, "minor", "start", "best");
        self.at += 14.0;
        let top = self.at;
        let bottom = top + ROW * f64::from(u32::try_from(sets.len()).unwrap_or(0));
        self.scale(panel, top, bottom);
        for set in sets {
            let middle = self.at + ROW / 2.0;
            self.text(LEFT - 14.0, middle + 4.5, "", "end", name(set));
            let of_set: Vec<&Row> = rows
                .iter()
                .filter(|row| row.set == set && row.task == panel.task)
                .copied()
                .collect();
            self.set(panel, &of_set, middle);
            self.at += ROW;
        }
        self.at += 22.0;
    }

    fn scale(&mut self, panel: &Panel, top: f64, bottom: f64) {
        for &tick in panel.ticks {
            let x = place(panel, tick);
            let class = if panel.chance == Some(tick) { "chance" } else { "grid" };
            self.push(format_args!(
                "<line class=\"{class}\" x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>"
            ));
            let label = if panel.chance == Some(tick) {
                format!("{} chance", short(tick))
            } else {
                short(tick)
            };
            self.text(x, bottom + 16.0, "minor", "middle", &label);
        }
    }

    /// The methods of one set below each other, and the best figure at the end of the line.
    fn set(&mut self, panel: &Panel, rows: &[&Row], middle: f64) {
        let drawn: Vec<(&str, &Row)> = METHODS
            .iter()
            .filter_map(|(method, _)| {
                Some((*method, *rows.iter().find(|row| row.method == *method)?))
            })
            .collect();
        let count = f64::from(u32::try_from(drawn.len()).unwrap_or(0));
        let mut y = middle - STEP * (count - 1.0) / 2.0;
        let mut best: Option<f64> = None;
        for (method, row) in drawn {
            if let Some(name) = figure(panel, row) {
                let part = |part: &str| row.part(name, part);
                if let (Some(low), Some(high)) = (part("low"), part("high")) {
                    let (from, to) = (place(panel, low), place(panel, high));
                    self.push(format_args!(
                        "<line class=\"bar {method}-bar\" x1=\"{from:.1}\" y1=\"{y:.1}\" x2=\"{to:.1}\" y2=\"{y:.1}\"/>"
                    ));
                }
                if let Some(value) = part("value") {
                    self.mark(method, place(panel, value), y);
                    best = Some(best.map_or(value, |best| best.max(value)));
                }
            }
            y += STEP;
        }
        if let Some(best) = best {
            self.text(
                RIGHT + 20.0,
                middle + 4.5,
                "minor",
                "start",
                &format!("{best:.2}").replacen("0.", ".", 1),
            );
        }
    }

    fn mark(&mut self, method: &str, x: f64, y: f64) {
        match method {
            "seed" => self.push(format_args!(
                "<circle class=\"mark seed\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>"
            )),
            "rules" => self.push(format_args!(
                "<circle class=\"mark rules\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.8\"/>"
            )),
            _ => {
                let (left, right, top, bottom) = (x - 5.0, x + 5.0, y - 5.0, y + 5.0);
                self.push(format_args!(
                    "<path class=\"mark {method}\" d=\"M{x:.1} {top:.1}L{right:.1} {y:.1}L{x:.1} {bottom:.1}L{left:.1} {y:.1}Z\"/>"
                ));
            }
        }
    }
}

/// The figure of the panel that a row has.
fn figure(panel: &Panel, row: &Row) -> Option<&'static str> {
    panel.figures.iter().copied().find(|name| row.part(name, "value").is_some())
}

/// Where a value stands; what lies below the scale stands at its start.
fn place(panel: &Panel, value: f64) -> f64 {
    let share = (value - panel.low) / (1.0 - panel.low);
    LEFT + share.clamp(0.0, 1.0) * (RIGHT - LEFT)
}

fn short(value: f64) -> String {
    format!("{value:.1}").replacen("0.", ".", 1)
}

/// A set without the letter of its task.
fn name(set: &str) -> &str {
    match set.split_once('_') {
        Some((letter, rest)) if letter.len() == 1 => rest,
        _ => set,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::row;
    use super::*;

    #[test]
    fn every_method_of_every_set_is_drawn() {
        let mut rows = Vec::new();
        for method in ["seed", "rules"] {
            let mut row = row("0.1.0", "a_snli_test", method);
            row.task = "contradiction".to_owned();
            let auroc = json!({ "value": 0.7, "low": 0.68, "high": 0.72 });
            row.metrics.insert("auroc".to_owned(), auroc);
            rows.push(row);
        }
        let svg = draw("0.1.0", &rows);
        assert!(svg.contains(">snli_test<") && svg.contains(">.70<"), "{svg}");
        assert!(!svg.contains(">model<"), "nothing is said of a method without rows: {svg}");
        // Two marks in the legend and two on the scale.
        assert_eq!(svg.matches("class=\"mark").count(), 4);
    }

    #[test]
    fn what_is_off_the_scale_stays_in_the_picture() {
        let [panel, _] = &PANELS;
        assert!((place(panel, 0.1) - LEFT).abs() < 1e-9);
        assert!((place(panel, 1.0) - RIGHT).abs() < 1e-9);
    }
}
