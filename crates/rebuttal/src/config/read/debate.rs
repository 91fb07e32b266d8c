//! The sections `[debate]` and `[presets]`.

use crate::error::Result;

use super::super::Set;
use super::super::debate::DebateConfig;
use super::super::presets::{OwnPreset, Preset, Presets};
use super::{Item, Source};

/// The keys of `[debate]` that are no fields of a protocol.
const DEBATE: [&str; 4] = ["agents", "moderator", "judges", "preset"];
/// Longest name of a preset: it is typed.
const NAME_CHARS: usize = 40;

impl Source<'_> {
    pub(super) fn debate(&self, section: &Item<'_>, presets: &Presets) -> Result<DebateConfig> {
        let table = self.table(section, "[debate]")?;
        let mut debate =
            DebateConfig { changes: self.changes(table, &DEBATE)?, ..DebateConfig::default() };
        if let Some(item) = table.get("agents") {
            debate.agents = self.set(item, self.names(item, "agents")?);
        }
        if let Some(item) = table.get("judges") {
            debate.judges = self.set(item, self.names(item, "judges")?);
        }
        if let Some(item) = table.get("moderator") {
            debate.moderator = self.set(item, Some(self.text(item, "moderator")?.to_owned()));
        }
        if let Some(item) = table.get("preset") {
            let name = self.text(item, "preset")?;
            if !presets.names().iter().any(|known| known == name) {
                return Err(self.error(&item.span(), presets.unknown(name)));
            }
            debate.preset = self.set(item, name.to_owned());
        }
        Ok(debate)
    }

    /// Protocols of the user's own, and what is otherwise in those that come with the program.
    pub(super) fn presets(&self, section: &Item<'_>) -> Result<Presets> {
        let mut presets = Presets::default();
        for (key, item) in self.table(section, "[presets]")? {
            let name = key.get_ref().as_ref();
            let is_part = |c: char| c.is_alphanumeric() || "-_".contains(c);
            if name.is_empty() || name.chars().count() > NAME_CHARS || !name.chars().all(is_part) {
                let reason =
                    format!("a preset's name has 1 to {NAME_CHARS} letters, digits, `-` and `_`");
                return Err(self.error(&key.span(), reason));
            }
            let table = self.table(item, &format!("[presets.{name}]"))?;
            let changes = self.changes(table, &["base"])?;
            let mut base = Set::default_of(Preset::named(name).unwrap_or_default());
            if let Some(item) = table.get("base") {
                let preset = Preset::named(self.text(item, "base")?).ok_or_else(|| {
                    let ways = "`base` is quick, hybrid, strict or brainstorm";
                    self.error(&item.span(), ways)
                })?;
                base = self.set(item, preset);
            }
            presets.0.insert(name.to_owned(), OwnPreset { base, changes });
        }
        Ok(presets)
    }

    /// A list of names.
    fn names(&self, item: &Item<'_>, key: &str) -> Result<Vec<String>> {
        let ways = format!("`{key}` is a list of names: [\"claude\", \"gpt4:skeptic\"]");
        let list = item.get_ref().as_array();
        let list = list.ok_or_else(|| self.error(&item.span(), &ways))?;
        list.iter().map(|item| Ok(self.text(item, key)?.to_owned())).collect()
    }
}
