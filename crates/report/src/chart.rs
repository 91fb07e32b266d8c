//! Charts in SVG: scales, grids, lines, bars and names, the same on every page.
//!
//! Names of agents go in as plain text: an HTML element inside would end the drawing.

use maud::{Markup, html};

/// Names beside each other's lines must stand so far apart to be read.
const APART: f64 = 14.0;
/// Most words below a drawing.
const TICKS: usize = 8;

/// A chart's size and margins, in its own units; the page scales it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    /// Where the `at`-th of so many points stands: the first at the left, the last at the right.
    #[expect(clippy::cast_precision_loss, reason = "a chart has few points")]
    pub(crate) fn x(self, at: usize, of: usize) -> f64 {
        let last = of.saturating_sub(1).max(1) as f64;
        self.left + (self.width - self.left - self.right) * at as f64 / last
    }

    /// How high a share from 0 to 1 stands.
    pub(crate) fn y(self, share: f64) -> f64 {
        self.top + (self.height - self.top - self.bottom) * (1.0 - share.clamp(0.0, 1.0))
    }

    /// Where the drawing ends at the right.
    pub(crate) fn end(self) -> f64 {
        self.width - self.right
    }

    pub(crate) fn view_box(self) -> String {
        format!("0 0 {} {}", self.width, self.height)
    }

    /// Lines across the drawing at these shares, each with its number at the left.
    pub(crate) fn grid(self, shares: &[f64]) -> Markup {
        html! {
            @for share in shares {
                @let y = number(self.y(*share));
                line.grid x1=(self.left) x2=(self.end()) y1=(y) y2=(y) {}
                text.tick x=(self.left - 6.0) y=(number(self.y(*share) + 4.0)) text-anchor="end" { (share) }
            }
        }
    }
}

impl Frame {
    /// Words below the drawing, one for each place; where there are many, some of them.
    pub(crate) fn ticks(self, words: &[String]) -> Markup {
        let every = words.len().div_ceil(TICKS).max(1);
        html! {
            @for (at, word) in words.iter().enumerate().step_by(every) {
                text.tick x=(number(self.x(at, words.len()))) y=(self.height - 6.0) text-anchor="middle" { (word) }
            }
        }
    }
}

/// A named line: places from the left, and a share from 0 to 1 at each.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) colour: usize,
    pub(crate) points: Vec<(usize, f64)>,
}

/// Several lines over the same places, each with its name at its end.
pub(crate) fn curves(curves: &[Curve], ticks: &[String], label: &str) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "a chart has few lines")]
    let height = (APART * curves.len() as f64 + 60.0).max(220.0);
    let frame = Frame { width: 640.0, height, left: 36.0, right: 120.0, top: 10.0, bottom: 26.0 };
    let place = |(at, share): &(usize, f64)| (frame.x(*at, ticks.len()), frame.y(*share));
    let lines: Vec<Vec<(f64, f64)>> =
        curves.iter().map(|curve| curve.points.iter().map(place).collect()).collect();
    let ends = lines.iter().zip(curves);
    let ends = ends.filter_map(|(line, curve)| Some((line.last()?.1, curve)));
    let mut names: Vec<(f64, &Curve)> = ends.collect();
    apart(&mut names);
    html! {
        div.wide { svg.chart viewBox=(frame.view_box()) role="img" aria-label=(label) {
            (frame.grid(&[0.0, 0.5, 1.0]))
            (frame.ticks(ticks))
            @for (points, curve) in lines.iter().zip(curves) {
                g.(format!("a{}", curve.colour)) { title { (curve.name) } (line("", points)) }
            }
            @for (y, curve) in &names {
                text.(format!("n{}", curve.colour)) x=(frame.end() + 8.0) y=(number(y + 4.0)) { (curve.name) }
            }
        } }
    }
}

/// The head of an arrow in the middle of the way from one point to another.
pub(crate) fn arrow(from: (f64, f64), to: (f64, f64)) -> Markup {
    let (x, y) = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = dx.hypot(dy).max(f64::EPSILON);
    let (ux, uy) = (dx / long, dy / long);
    let corner =
        |along: f64, across: f64| (x + along * ux - across * uy, y + along * uy + across * ux);
    html! { polygon.arrow points=(path(&[corner(6.0, 0.0), corner(-5.0, 5.0), corner(-5.0, -5.0)])) {} }
}

/// A line through points, with a dot at each.
pub(crate) fn line(class: &str, points: &[(f64, f64)]) -> Markup {
    html! {
        polyline class=[classed(class)] points=(path(points)) {}
        @for (x, y) in points {
            circle class=[classed(class)] cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="3.5" {}
        }
    }
}

fn classed(class: &str) -> Option<&str> {
    (!class.is_empty()).then_some(class)
}

/// Points as SVG writes them.
pub(crate) fn path(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// Moves names down that would cover each other; sorts them by their height.
pub(crate) fn apart<T>(names: &mut [(f64, T)]) {
    names.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut floor = f64::MIN;
    for (height, _) in names {
        *height = height.max(floor);
        floor = *height + APART;
    }
}

/// A share as a bar of the page.
pub(crate) fn bar(share: f64, class: &str) -> Markup {
    let width = (share.clamp(0.0, 1.0) * 100.0).max(if share > 0.0 { 1.0 } else { 0.0 });
    html! {
        svg.bar width="120" height="12" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" {
            rect.cell width="100" height="12" {}
            rect.(class) width=(number(width)) height="12" {}
        }
    }
}

/// The next even number of a scale that people read: 2, 4, 10, 20, 40, 100, …
pub(crate) fn ceiling(most: u64) -> u64 {
    let mut step: u64 = 1;
    loop {
        for factor in [2, 4, 10] {
            let top = step.saturating_mul(factor);
            if top >= most {
                return top;
            }
        }
        step = step.saturating_mul(10);
    }
}

/// A coordinate, short.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_read_easily() {
        assert_eq!([1, 2, 3, 5, 11, 30, 99, 101].map(ceiling), [2, 2, 4, 10, 20, 40, 100, 200]);
    }

    #[test]
    fn the_first_stands_at_the_left_and_the_best_at_the_top() {
        let frame =
            Frame { width: 100.0, height: 50.0, left: 10.0, right: 30.0, top: 5.0, bottom: 5.0 };
        assert_eq!([0, 1, 2].map(|at| frame.x(at, 3).to_string()), ["10", "40", "70"]);
        assert_eq!((frame.x(0, 1), frame.x(0, 0)), (10.0, 10.0), "one point is no division by 0");
        assert_eq!([1.0, 0.0, 7.0].map(|value| frame.y(value).to_string()), ["5", "45", "5"]);
    }

    #[test]
    fn names_do_not_cover_each_other() {
        let mut names = [(20.0, "b"), (10.0, "a"), (90.0, "c")];
        apart(&mut names);
        assert_eq!(names, [(10.0, "a"), (24.0, "b"), (90.0, "c")]);
    }
}
