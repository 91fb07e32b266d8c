//! Who did what: agents with findings, per transcript, and how many had none.

use maud::{Markup, html};
use rebuttal_model::{AgentId, Severity};

use crate::audit::{Audited, Counts};
use crate::page::line;
use crate::{count, grouped};

/// Most agents in the table.
const AGENTS: usize = 100;

/// Rows in plain sight; the rest are folded away.
const ROWS: usize = 12;

/// Width of the bar in the table, in units of its own.
const BAR_WIDTH: usize = 120;

/// An agent in one transcript: two debates may both have a "Bull" who have nothing to do with each
/// other.
#[derive(Clone, Debug)]
struct Row {
    agent: AgentId,
    /// The transcript, and its place on the page where it has one.
    transcript: String,
    section: Option<usize>,
    turns: usize,
    positions: usize,
    findings: Counts,
}

impl Row {
    /// Orders rows by their gravest findings.
    fn weight(&self) -> [usize; 4] {
        let [info, low, medium, high] = Severity::ALL.map(|severity| self.findings.of(severity));
        [high, medium, low, info]
    }
}

/// All agents of all transcripts. Only those with findings are kept, and of those the gravest, so
/// that a long run needs no more memory than a short one.
#[derive(Debug, Default)]
pub(super) struct Agents {
    rows: Vec<Row>,
    further: usize,
    clean: usize,
    clean_turns: usize,
    clean_positions: usize,
}

impl Agents {
    /// One more transcript; `section` is its number on the page.
    pub(super) fn add(&mut self, audited: &Audited, section: Option<usize>) {
        for count in &audited.agents {
            let mut findings = Counts::default();
            audited.about(&count.agent).for_each(|finding| findings.add(finding.severity));
            if findings.total() == 0 {
                self.clean += 1;
                self.clean_turns += count.turns;
                self.clean_positions += count.positions;
                continue;
            }
            self.rows.push(Row {
                agent: count.agent.clone(),
                transcript: audited.label(),
                section,
                turns: count.turns,
                positions: count.positions,
                findings,
            });
        }
        if self.rows.len() > 2 * AGENTS {
            self.keep_gravest();
        }
    }

    fn keep_gravest(&mut self) {
        // Stable, so that equals stay in the order of the page.
        self.rows.sort_by_key(|row| std::cmp::Reverse(row.weight()));
        self.further += self.rows.len().saturating_sub(AGENTS);
        self.rows.truncate(AGENTS);
    }

    /// The table, the gravest first; agents without findings in one line.
    pub(super) fn markup(&mut self, transcripts: usize) -> Markup {
        self.keep_gravest();
        let (open, folded) = self.rows.split_at_checked(ROWS).unwrap_or((&self.rows, &[]));
        let most = self.rows.iter().map(|row| row.findings.total()).max().unwrap_or(0);
        let table = |rows: &[Row]| table(rows, most, transcripts > 1);
        html! {
            @if self.clean > 0 || !self.rows.is_empty() {
                section.agents aria-labelledby="agents" {
                    h2 id="agents" { "Agents" }
                    @if !open.is_empty() { (table(open)) }
                    @if !folded.is_empty() {
                        details {
                            summary { (count(folded.len(), "further agent")) " with findings" }
                            (table(folded))
                        }
                    }
                    @if self.further > 0 { p.note { (count(self.further, "further agent")) " with findings not listed." } }
                    @if self.clean > 0 {
                        p.note {
                            (count(self.clean, "agent")) " without findings ("
                            (count(self.clean_turns, "turn")) ", "
                            (count(self.clean_positions, "position")) ")"
                        }
                    }
                }
            }
        }
    }
}

fn table(rows: &[Row], most: usize, is_of_many: bool) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th.who scope="col" { "agent" }
                    th.number scope="col" { "turns" }
                    th.number scope="col" { "positions" }
                    th.number scope="col" { "findings" }
                    th.severities scope="col" { "by severity" }
                }
            }
            tbody {
                @for row in rows {
                    tr {
                        th scope="row" {
                            (line(row.agent.as_str()))
                            @if is_of_many {
                                br;
                                a.place href=[row.section.map(|section| format!("#t{section}"))] { (line(&row.transcript)) }
                            }
                        }
                        td.number data-label="turns" { (grouped(row.turns)) }
                        td.number data-label="positions" { (grouped(row.positions)) }
                        td.number data-label="findings" { (grouped(row.findings.total())) }
                        td { (bar(row.findings, most)) }
                    }
                }
            }
        }
    }
}

/// The findings as a bar, gravest first, drawn to the scale of the agent with most of them.
fn bar(counts: Counts, most: usize) -> Markup {
    let each: Vec<_> = counts.gravest_first().filter(|(_, number)| *number > 0).collect();
    let words: Vec<_> = each
        .iter()
        .map(|(severity, number)| format!("{} {}", grouped(*number), severity.as_str()))
        .collect();
    let width = |number: usize| number * BAR_WIDTH / most.max(1);
    let mut from = 0;
    let pieces: Vec<_> = (each.iter())
        .map(|(severity, number)| {
            let piece = (severity.as_str(), width(from), width(*number).max(2));
            from += number;
            piece
        })
        .collect();
    html! {
        svg.bar width=(BAR_WIDTH) height="10" viewBox=(format!("0 0 {BAR_WIDTH} 10")) aria-hidden="true" {
            @for (severity, x, width) in pieces {
                rect class=(severity) x=(x) y="0" width=(width) height="10" {}
            }
        }
        " " span.words { (words.join(", ")) }
    }
}
