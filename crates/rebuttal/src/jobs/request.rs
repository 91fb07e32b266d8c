//! A debate as a client asks for it: in one JSON object, of which only the question is needed.

use jiff::Timestamp;
use rebuttal_engine::debate::{Environment, check_protocol};
use rebuttal_model::{AgentId, DebateId, Protocol};
use rebuttal_text::nearest;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Order;
use crate::config::Config;
use crate::error::{Error, ErrorKind, Result, err};
use crate::panel::{Material, PanelNames};

/// Longest question, in characters; what is longer belongs into the context.
const QUESTION_CHARS: usize = 4_000;

/// Longest context, in characters: it stands in every prompt.
const CONTEXT_CHARS: usize = 40_000;

/// Most answers to choose from, agents and judges: each is a part of every prompt.
const NAMES: usize = 32;

/// Longest option or name of an agent, in characters.
const NAME_CHARS: usize = 200;

/// A debate that is asked for. `{"task": "…", "agents": […], "protocol": {"rounds": 5}}` is one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DebateRequest {
    /// What is asked; `task` means the same.
    #[serde(alias = "task")]
    pub question: String,
    /// What everybody should know beside the question.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// The answers to choose from; found in the question if not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Who debates; as configured if not given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// Who moderates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moderator: Option<String>,
    /// Who judges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<String>,
    /// The protocol to start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// What is otherwise than in it: fields of a protocol.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub protocol: Map<String, Value>,
}

impl DebateRequest {
    /// A debate about this question, and all else as configured.
    pub fn new(question: impl Into<String>) -> Self {
        Self { question: question.into(), ..Self::default() }
    }

    /// What is to be done, or which field cannot be as it is.
    pub fn order(&self, id: DebateId, config: &Config) -> Result<Order> {
        self.check()?;
        let protocol = self.protocol(config)?;
        let environment = Environment::new(self.question.trim())
            .options(self.options.iter().map(String::as_str))
            .context(self.context.as_str());
        let panel = PanelNames {
            agents: self.agents.clone(),
            moderator: self.moderator.clone(),
            judges: self.judges.clone(),
            material: Material {
                question: self.question.trim().to_owned(),
                options: self.options.clone(),
                passages: Vec::new(),
            },
            ..PanelNames::default()
        };
        crate::panel::check(&panel, config)?;
        Ok(Order { id, environment, panel, protocol })
    }

    /// Whether every field is within its limits.
    fn check(&self) -> Result<()> {
        if self.question.trim().is_empty() {
            return Err(
                err!(Argument; "`question` is empty: a debate needs something to be about"),
            );
        }
        within("question", &self.question, QUESTION_CHARS)?;
        within("context", &self.context, CONTEXT_CHARS)?;
        let lists =
            [("options", &self.options), ("agents", &self.agents), ("judges", &self.judges)];
        for (name, list) in lists {
            if list.len() > NAMES {
                return Err(
                    err!(Argument; "`{name}` has {} entries, and at most {NAMES} are taken", list.len()),
                );
            }
            for entry in list {
                within(name, entry, NAME_CHARS)?;
                if entry.trim().is_empty() {
                    return Err(err!(Argument; "`{name}` holds an empty entry"));
                }
            }
        }
        let distinct: std::collections::BTreeSet<&str> =
            self.agents.iter().map(String::as_str).collect();
        if distinct.len() < self.agents.len() {
            return Err(
                err!(Argument; "`agents` names one twice; NAME:PERSONA seats one model in several personas"),
            );
        }
        match self.agents.as_slice() {
            [one] => {
                Err(err!(Argument; "`agents` is {one:?} alone, and a debate needs two or more"))
            }
            _ => Ok(()),
        }
    }

    /// The configured protocol, changed by what the request says.
    fn protocol(&self, config: &Config) -> Result<Protocol> {
        let usual = config
            .protocol_for(&self.question, self.preset.as_deref())
            .map_err(|error| Error::about("`preset`", error).but(ErrorKind::Argument))?;
        self.changed(&usual, config)
    }

    /// The protocol of a stored debate, or the preset's, changed by what the request says.
    pub fn protocol_from(&self, own: &Protocol, config: &Config) -> Result<Protocol> {
        if self.preset.is_some() { self.protocol(config) } else { self.changed(own, config) }
    }

    fn changed(&self, usual: &Protocol, config: &Config) -> Result<Protocol> {
        let mut whole = serde_json::to_value(usual)?;
        if let Some(known) = whole.as_object_mut() {
            change("protocol", known, &self.protocol)?;
        }
        let protocol: Protocol = serde_json::from_value(whole).map_err(|error| {
            let name = self.misfit(usual).map_or(String::new(), |name| format!(".{name}"));
            err!(Argument; "`protocol{name}`: {error}")
        })?;
        let mut checked = protocol.clone();
        checked.moderator = self.moderator.as_deref().map(AgentId::new);
        check_protocol(&checked, !self.judges.is_empty() || !config.debate.judges.value.is_empty())
            .map_err(|error| err!(Argument; "`protocol`: {error}"))?;
        Ok(protocol)
    }

    /// The field of the protocol that cannot be what the request says.
    fn misfit(&self, usual: &Protocol) -> Option<&str> {
        let fits = |name: &String, value: &Value| -> Result<Protocol> {
            let mut whole = serde_json::to_value(usual)?;
            let one = Map::from_iter([(name.clone(), value.clone())]);
            if let Some(known) = whole.as_object_mut() {
                change("protocol", known, &one)?;
            }
            Ok(serde_json::from_value(whole)?)
        };
        let misfit = self.protocol.iter().find(|(name, value)| fits(name, value).is_err());
        misfit.map(|(name, _)| name.as_str())
    }

    /// The debate of a stored request, as it was asked for at that time.
    pub fn parse(text: &str, at: Timestamp) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| err!("the debate asked for at {at}: {error}"))
    }
}

/// Fields that have no value unless somebody sets one.
const UNSET: [&str; 4] = ["calls", "tokens", "usd", "seconds"];

/// Changes fields of an object by name, and says which one there is not.
fn change(place: &str, known: &mut Map<String, Value>, changes: &Map<String, Value>) -> Result<()> {
    for (name, value) in changes {
        if matches!(name.as_str(), "moderator" | "judges") {
            return Err(err!(Argument; "`{place}.{name}` stands beside `protocol`, not in it"));
        }
        let of_budget = place.ends_with("budget") && UNSET.contains(&name.as_str());
        if !known.contains_key(name) && !of_budget {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            let meant = match nearest(name, &names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            return Err(err!(Argument; "`{place}` has no field `{name}`; {meant}"));
        }
        match (known.get_mut(name), value) {
            (Some(Value::Object(inner)), Value::Object(changes)) if name != "sees" => {
                change(&format!("{place}.{name}"), inner, changes)?;
            }
            _ => {
                let limit = UNSET.contains(&name.as_str());
                if limit && value.as_f64().is_none_or(|number| number < 0.0) {
                    return Err(err!(Argument; "`{place}.{name}` is not a number from 0 up"));
                }
                known.insert(name.clone(), value.clone());
            }
        }
    }
    Ok(())
}

fn within(name: &str, text: &str, most: usize) -> Result<()> {
    let length = text.chars().count();
    if length <= most {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Argument,
        format!("`{name}` has {length} characters, and at most {most} are taken"),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn order(request: Value) -> Result<Order> {
        let request: DebateRequest = serde_json::from_value(request).unwrap();
        request.order(DebateId::new("d-1"), &Config::default())
    }

    #[test]
    fn the_body_of_the_seed_is_a_debate() {
        let order = order(json!({
            "task": "Should we migrate to Kubernetes?",
            "agents": ["local:cost", "local:risk"],
            "protocol": {"rounds": 5, "enable_trickster": true}
        }));
        let order = order.unwrap();
        assert_eq!((order.protocol.rounds, order.protocol.enable_trickster), (5, true));
        assert_eq!(order.environment.question, "Should we migrate to Kubernetes?");
    }

    #[test]
    fn what_cannot_be_names_the_field_and_what_was_meant() {
        let two = ["local:cost", "local:risk"];
        for (request, told) in [
            (json!({"task": " "}), "`question` is empty"),
            (json!({"task": "Ship?", "agents": ["a"]}), "needs two or more"),
            (json!({"task": "Ship?", "agents": ["cluade", "gpt4"]}), "did you mean claude"),
            (json!({"task": "Ship?", "preset": "hybird"}), "did you mean `hybrid`"),
            (
                json!({"task": "Ship?", "agents": two, "protocol": {"round": 3}}),
                "did you mean `rounds`",
            ),
            (
                json!({"task": "Ship?", "agents": two, "protocol": {"rounds": "many"}}),
                "`protocol.rounds`",
            ),
            (json!({"task": "Ship?", "agents": two, "protocol": {"rule": "magic"}}), "`protocol`"),
            (
                json!({"task": "Ship?", "agents": two, "protocol": {"budget": {"usd": -1}}}),
                "`protocol.budget.usd`",
            ),
            (json!({"task": "x".repeat(5000)}), "at most 4000"),
        ] {
            let error = order(request.clone()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Argument, "{request}: {}", error.whole());
            assert!(error.whole().contains(told), "{request}: {}", error.whole());
        }
    }

    #[test]
    fn a_budget_may_be_set() {
        let request = json!({"task": "Ship?", "protocol": {"budget": {"calls": 9}, "trickster": {"breakpoint_severity": 0.5}}});
        assert_eq!(order(request).unwrap().protocol.budget.calls, Some(9));
    }
}
