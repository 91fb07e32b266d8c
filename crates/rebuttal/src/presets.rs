//! Whole panels by name: who sits on them, what each looks for, by which protocol they debate. Data files,
//! `assets/presets/*.toml` in the program or a file of the user's own.

use std::io::Read as _;
use std::path::Path;

use rebuttal_extractive::Persona;
use rebuttal_model::{Protocol, limits};
use rebuttal_transcripts::open;
use serde::{Deserialize, Serialize};

use crate::error::{Context, Result, err};

/// The panels that come with the program.
const BUILT_IN: [(&str, &str); 6] = [
    ("architecture-decision", include_str!("../../../assets/presets/architecture-decision.toml")),
    ("incident-review", include_str!("../../../assets/presets/incident-review.toml")),
    ("policy-brief", include_str!("../../../assets/presets/policy-brief.toml")),
    ("trading", include_str!("../../../assets/presets/trading.toml")),
    ("literature-question", include_str!("../../../assets/presets/literature-question.toml")),
    ("code-review", include_str!("../../../assets/presets/code-review.toml")),
];

/// A panel ready to be asked.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PanelPreset {
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// A title, for people.
    pub title: String,
    /// What it is for.
    pub about: String,
    /// A question it is made for.
    pub question: String,
    /// Documents on that question, in a clone of the repository; for trying it out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
    /// The answers to choose from, unless others are given; found in the question if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// How it debates.
    #[serde(default)]
    pub protocol: Protocol,
    /// Who sits on it.
    pub seats: Vec<Persona>,
}

/// All panels that come with the program.
pub fn all() -> Result<Vec<PanelPreset>> {
    BUILT_IN.iter().map(|(name, text)| PanelPreset::read(name, text)).collect()
}

/// The panel of this name, or of this file if the name ends in `.toml`; `None` where there is none.
pub fn find(name: &str) -> Result<Option<PanelPreset>> {
    if let Some((name, text)) = BUILT_IN.iter().find(|(own, _)| *own == name) {
        return PanelPreset::read(name, text).map(Some);
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") {
        return PanelPreset::of_file(path).map(Some);
    }
    Ok(None)
}

/// The names of the panels that come with the program.
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

impl PanelPreset {
    fn of_file(path: &Path) -> Result<Self> {
        let shown = path.display();
        let file = open(path).map_err(|error| err!("the panel {shown} {error}"))?;
        let mut text = String::new();
        let most = limits::TURN_BYTES as u64;
        file.take(most).read_to_string(&mut text).with_context(|| format!("the panel {shown}"))?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Self::read(&name.unwrap_or_default(), &text)
    }

    fn read(name: &str, text: &str) -> Result<Self> {
        let preset: Self = toml::from_str(text).with_context(|| format!("the panel {name}"))?;
        if preset.seats.len() < 2 {
            return Err(err!("the panel {name} has fewer than two [[seats]]"));
        }
        Ok(Self { name: name.to_owned(), ..preset })
    }

    /// What to type to see it debate.
    pub fn command(&self) -> String {
        let Self { name, question, evidence, .. } = self;
        format!("rebuttal debate \"{question}\" --preset {name} --evidence {evidence}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_panel_reads_and_can_be_tried() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        for preset in all().unwrap() {
            assert!(root.join(&preset.evidence).is_dir(), "{}", preset.name);
            assert!(preset.seats.len() >= 4, "{}", preset.name);
            let mut names: Vec<&str> = preset.seats.iter().map(|seat| seat.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), preset.seats.len(), "{}", preset.name);
        }
    }

    #[test]
    fn a_file_of_ones_own_is_a_panel_and_what_is_wrong_in_it_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let seat =
            |name: &str| format!("[[seats]]\nname = '{name}'\npersona = 'You are {name}.'\n");
        let head = "title = 't'\nabout = 'a'\nquestion = 'Ship?'\n";
        std::fs::write(&path, format!("{head}{}{}", seat("ann"), seat("bob"))).unwrap();
        let found = find(path.to_str().unwrap()).unwrap().unwrap();
        assert_eq!((found.name.as_str(), found.seats.len()), ("mine", 2));
        std::fs::write(&path, format!("{head}{}", seat("ann"))).unwrap();
        let error = find(path.to_str().unwrap()).unwrap_err().whole();
        assert_eq!(error, "the panel mine has fewer than two [[seats]]");
        std::fs::write(&path, format!("{head}rounds = 3\n{}", seat("ann"))).unwrap();
        assert!(
            find(path.to_str().unwrap()).unwrap_err().whole().contains("unknown field `rounds`")
        );
        assert!(find("no-such-panel").unwrap().is_none());
    }
}
