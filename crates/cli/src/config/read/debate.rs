//! The section `[debate]`.

use anyhow::Result;
use clap::ValueEnum;
use rebuttal_model::limits;

use super::super::debate::Debate;
use super::{Item, Set, Source, number};
use crate::args::Preset;

const DEBATE: [&str; 8] =
    ["agents", "moderator", "judges", "preset", "rounds", "rule", "stop", "tie"];

impl Source<'_> {
    pub(super) fn debate(&self, section: &Item<'_>) -> Result<Debate> {
        let table = self.table(section, "[debate]")?;
        self.check_keys(table, &DEBATE, "key")?;
        let mut debate = Debate::default();
        if let Some(item) = table.get("agents") {
            debate.agents = self.set(item, self.names(item, "agents")?);
        }
        if let Some(item) = table.get("judges") {
            debate.judges = self.set(item, self.names(item, "judges")?);
        }
        if let Some(item) = table.get("preset") {
            let name = self.text(item, "preset")?;
            let preset = Preset::from_str(name, true).map_err(|_| {
                let ways = "`preset` is quick, hybrid, strict or brainstorm";
                self.error(&item.span(), ways)
            })?;
            debate.preset = self.set(item, preset);
        }
        if let Some(item) = table.get("rounds") {
            let rounds = number(item).and_then(|rounds| u32::try_from(rounds).ok());
            let rounds = rounds.filter(|rounds| *rounds <= limits::ROUNDS).ok_or_else(|| {
                let ways = format!("`rounds` must be a whole number, at most {}", limits::ROUNDS);
                self.error(&item.span(), ways)
            })?;
            debate.rounds = self.set(item, Some(rounds));
        }
        let written = |key: &str| -> Result<Set<Option<String>>> {
            match table.get(key) {
                Some(item) => Ok(self.set(item, Some(self.text(item, key)?.to_owned()))),
                None => Ok(Set::default()),
            }
        };
        debate.moderator = written("moderator")?;
        debate.rule = written("rule")?;
        debate.stop = written("stop")?;
        debate.tie = written("tie")?;
        Ok(debate)
    }

    /// A list of names.
    fn names(&self, item: &Item<'_>, key: &str) -> Result<Vec<String>> {
        let ways = format!("`{key}` is a list of names: [\"claude\", \"gpt4:skeptic\"]");
        let list = item.get_ref().as_array();
        let list = list.ok_or_else(|| self.error(&item.span(), &ways))?;
        list.iter().map(|item| Ok(self.text(item, key)?.to_owned())).collect()
    }
}
