//! Pairs of short reports over many fields, each with the answer a careful reader gives.

use rebuttal_detect::{Reader, reports};
use rebuttal_model::{AgentId, Report};

/// The pairs of the file: label, one report, the other.
fn pairs() -> impl Iterator<Item = [&'static str; 3]> {
    let blocks = include_str!("report_pairs.txt").split("\n\n").skip(1);
    blocks.map(|block| {
        let lines: Vec<&str> = block.lines().collect();
        lines.try_into().unwrap_or_else(|_| panic!("three lines: {block}"))
    })
}

#[test]
fn each_pair_is_told_as_a_careful_reader_tells_it() {
    let mut wrong = Vec::new();
    for [label, one, two] in pairs() {
        let own = [("Ann", one), ("Ben", two)]
            .map(|(agent, text)| Report::new(AgentId::new(agent), text));
        let found =
            reports::contradictions(&own, &reports::ContradictionOptions::default(), Reader::Rules);
        let told = match &found[..] {
            [] => "none",
            all if all.iter().all(|it| it.apart.is_some()) => "both",
            _ => "conflict",
        };
        let right = match label {
            "conflict" | "both" => told == label,
            "same" | "unrelated" => told == "none",
            other => panic!("no label: {other}"),
        };
        if !right {
            wrong.push(format!("{label}, but told {told}:\n  {one}\n  {two}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(pairs().count() > 150);
}
