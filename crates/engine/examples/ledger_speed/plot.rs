//! What a position costs against the size of the ledger, as SVG.

use std::fmt::Write;

use super::cost::Curve;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 54.0;
const COLOURS: [&str; 4] = ["#b3261e", "#1f5fa8", "#5c626b", "#8a6d00"];

/// Lines over a scale of tens.
pub(crate) fn svg(lines: &[(&str, &Curve)]) -> String {
    let drawn: Vec<(&str, Vec<(f64, f64)>)> =
        lines.iter().map(|(name, curve)| (*name, curve.drawn())).collect();
    let points = || drawn.iter().flat_map(|(_, points)| points);
    let low = points().map(|point| point.0).fold(f64::INFINITY, f64::min).max(1.0);
    let high = points().map(|point| point.0).fold(low * 10.0, f64::max);
    let top = round_up(points().map(|point| point.1).fold(1.0, f64::max));
    let x = |size: f64| LEFT + (size / low).log10() / (high / low).log10() * (WIDTH - LEFT - RIGHT);
    let y = |cost: f64| HEIGHT - BOTTOM - cost / top * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>Cost of a position against the size of the ledger</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fdfdfb\"/>\n"
    );
    for step in 0..=4 {
        let cost = top * f64::from(step) / 4.0;
        let at = y(cost);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#dfe1e4\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#5c626b\">{cost:.0}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    for (size, label) in [(1e4, "10 k"), (1e5, "100 k"), (1e6, "1 M"), (1e7, "10 M")] {
        if size >= low && size <= high * 1.001 {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#5c626b\">{label}</text>",
                x(size),
                HEIGHT - BOTTOM + 20.0
            );
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\" fill=\"#5c626b\">positions in the ledger; \
         up: µs of processor for each further one</text>",
        HEIGHT - 10.0
    );
    for ((name, points), (colour, row)) in drawn.iter().zip(COLOURS.iter().zip(0u8..)) {
        line(&mut svg, name, colour, row, points.iter().map(|(size, cost)| (x(*size), y(*cost))));
    }
    svg.push_str("</svg>\n");
    svg
}

fn line(
    svg: &mut String,
    name: &str,
    colour: &str,
    row: u8,
    points: impl Iterator<Item = (f64, f64)>,
) {
    let places: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let at = TOP + 14.0 + f64::from(row) * 20.0;
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
         <path d=\"M{} {}h22\" stroke=\"{colour}\" stroke-width=\"3\"/>\
         <text x=\"{}\" y=\"{at}\" fill=\"#1d1f23\">{name}</text>",
        places.join(" "),
        LEFT + 14.0,
        at - 4.0,
        LEFT + 44.0
    );
}

/// The next number that is read easily.
fn round_up(value: f64) -> f64 {
    let ten = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 4.0, 10.0]
        .into_iter()
        .map(|step| step * ten)
        .find(|top| *top >= value * 1.3)
        .unwrap_or(ten * 20.0)
}
