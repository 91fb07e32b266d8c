//! Inputs: English-like debates, and texts made to be hard to read.
//!
//! Everything is made here from a fixed seed, so that every machine measures the same bytes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde_json::json;

const SUBJECTS: [&str; 16] = [
    "the migration",
    "this policy",
    "remote work",
    "the new reactor",
    "a carbon tax",
    "our team",
    "the vaccine",
    "open source",
    "the merger",
    "school funding",
    "the tariff",
    "a four-day week",
    "the audit",
    "rail travel",
    "the central bank",
    "automation",
];
const VERBS: [&str; 12] = [
    "reduces",
    "increases",
    "supports",
    "threatens",
    "improves",
    "delays",
    "does not change",
    "explains",
    "undermines",
    "never affects",
    "justifies",
    "outweighs",
];
const OBJECTS: [&str; 14] = [
    "operating costs",
    "public trust",
    "long-term growth",
    "the error rate",
    "job security",
    "energy prices",
    "the risk of failure",
    "customer satisfaction",
    "emissions",
    "safety",
    "the deficit",
    "local incomes",
    "test coverage",
    "response times",
];
const OPENERS: [&str; 14] = [
    "I think",
    "In my view,",
    "Yes,",
    "No,",
    "On balance,",
    "However,",
    "The data show that",
    "It may be that",
    "I disagree:",
    "According to the 2023 report,",
    "Perhaps",
    "Clearly,",
    "You are right that",
    "Still,",
];
const CLOSERS: [&str; 10] = [
    "",
    " by 12.5% in 2024",
    " within two years",
    " (Smith et al., 2021)",
    " for most people",
    ", although the evidence is mixed",
    " in 7 of 10 cases",
    ", and I stand by that",
    " at a cost of $3.4 million",
    " unless the rules change",
];

/// Draws from lists, the same on every machine (`SplitMix64`).
pub(super) struct Writer(u64);

impl Writer {
    pub(super) fn new() -> Self {
        Self(7)
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn pick<'l>(&mut self, list: &[&'l str]) -> &'l str {
        let at = usize::try_from(self.draw() % list.len().max(1) as u64).unwrap_or(0);
        list.get(at).copied().unwrap_or_default()
    }

    fn sentence(&mut self) -> String {
        let [opener, subject] = [self.pick(&OPENERS), self.pick(&SUBJECTS)];
        let [verb, object] = [self.pick(&VERBS), self.pick(&OBJECTS)];
        format!("{opener} {subject} {verb} {object}{}.", self.pick(&CLOSERS))
    }

    /// A paragraph of eight sentences.
    fn turn(&mut self) -> String {
        let sentences: Vec<String> = (0..8).map(|_| self.sentence()).collect();
        sentences.join(" ")
    }
}

/// Writes debates of twenty turns by four agents until the file has `bytes`.
pub(super) fn debates(path: &Path, bytes: u64) -> anyhow::Result<()> {
    let mut writer = Writer::new();
    let mut lines = Lines::create(path)?;
    let mut debate = 0u64;
    while lines.bytes < bytes {
        for turn in 0..20u64 {
            let agent = format!("agent-{}", turn % 4);
            lines.turn(&format!("d{debate}"), &agent, turn / 4, &writer.turn())?;
        }
        debate += 1;
    }
    lines.finish()
}

/// A text that is hard to read for a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Letters,
    Quotes,
    Numbers,
    Brackets,
    Negations,
    Commas,
    Claims,
    Denials,
    Agents,
    Reversals,
}

/// The agent and text of a round, for a transcript of about so many bytes.
type TurnWriter = fn(u64, usize) -> (String, String);

impl Family {
    pub(super) const ALL: [Self; 10] = [
        Self::Letters,
        Self::Quotes,
        Self::Numbers,
        Self::Brackets,
        Self::Negations,
        Self::Commas,
        Self::Claims,
        Self::Denials,
        Self::Agents,
        Self::Reversals,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Letters => "one word of a million letters",
            Self::Quotes => "alternating quotation marks",
            Self::Numbers => "numbers, units and years",
            Self::Brackets => "brackets that never close",
            Self::Negations => "negations of negations",
            Self::Commas => "one sentence without end",
            Self::Claims => "one agent with very many claims",
            Self::Denials => "a turn that denies all claims of another",
            Self::Agents => "very many agents, each denying itself",
            Self::Reversals => "an agent that turns around in every turn",
        }
    }

    /// For families in which turns differ: who speaks in a round, and what.
    fn turn_writer(self) -> Option<TurnWriter> {
        match self {
            Self::Denials => Some(|round, bytes| {
                let side = if round == 0 { "safe" } else { "dangerous" };
                let claim = |item| format!("The cache of node{item} is {side} for data. ");
                ("agent".into(), (0..bytes / 80).map(claim).collect())
            }),
            Self::Agents => Some(|round, _| {
                let side = if round.is_multiple_of(2) { "safe" } else { "dangerous" };
                (format!("agent{}", round / 2), format!("The cache is {side} for data."))
            }),
            Self::Reversals => Some(|round, _| {
                let text =
                    if round.is_multiple_of(2) { "Yes, we should." } else { "No, we should not." };
                ("agent".into(), text.into())
            }),
            _ => None,
        }
    }

    /// What is repeated.
    fn unit(self) -> &'static str {
        match self {
            Self::Letters => "a",
            Self::Quotes => "\"'\u{201c}x\u{201d}' ",
            Self::Numbers => "1,234.5 km in 2024, 7% of $3.4 million; ",
            Self::Brackets => "([{<",
            Self::Negations => "not never no, nobody didn't deny that ",
            Self::Commas => "and the plan, which we said was good, ",
            Self::Claims | Self::Denials | Self::Agents | Self::Reversals => "",
        }
    }

    /// Writes a transcript with about `bytes` of text.
    pub(super) fn write(self, path: &Path, bytes: usize) -> anyhow::Result<()> {
        let mut lines = Lines::create(path)?;
        if let Some(turn) = self.turn_writer() {
            for round in 0.. {
                let (agent, text) = turn(round, bytes);
                lines.turn("d", &agent, round, &text)?;
                if lines.bytes >= bytes as u64 {
                    break;
                }
            }
        } else if self == Self::Claims {
            let mut writer = Writer::new();
            let mut round = 0;
            while lines.bytes < bytes as u64 {
                lines.turn("d", "agent", round, &writer.sentence())?;
                round += 1;
            }
        } else {
            // Twice, so that the second turn is compared with the first.
            let half = self.unit().repeat(bytes / 2 / self.unit().len().max(1));
            lines.turn("d", "agent", 0, &half)?;
            lines.turn("d", "agent", 1, &half)?;
        }
        lines.finish()
    }
}

/// Rebuttal's own JSONL, written line by line.
struct Lines {
    out: BufWriter<File>,
    bytes: u64,
}

impl Lines {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        Ok(Self { out: BufWriter::new(file), bytes: 0 })
    }

    fn turn(&mut self, debate: &str, agent: &str, round: u64, text: &str) -> anyhow::Result<()> {
        let turn = json!({
            "debate": debate, "round": round, "agent": agent, "role": "agent", "text": text,
        });
        let line = format!("{turn}\n");
        self.bytes += line.len() as u64;
        Ok(self.out.write_all(line.as_bytes())?)
    }

    fn finish(mut self) -> anyhow::Result<()> {
        Ok(self.out.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_everywhere() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a", "b"].map(|name| folder.path().join(name));
        debates(&first, 50_000).unwrap();
        debates(&second, 50_000).unwrap();
        let text = crate::files::read(&first).unwrap();
        assert_eq!(text, crate::files::read(&second).unwrap());
        assert!((50_000..80_000).contains(&text.len()), "{}", text.len());
        assert!(text.starts_with(r#"{"agent":"agent-0","debate":"d0""#), "{}", &text[..80]);
    }

    #[test]
    fn families_double() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        for family in Family::ALL {
            let size = |bytes| {
                family.write(&path, bytes).unwrap();
                crate::files::read(&path).unwrap().len()
            };
            let (once, twice) = (size(20_000), size(40_000));
            assert!(twice > once * 19 / 10 && twice < once * 21 / 10, "{family:?} {once} {twice}");
        }
    }
}
