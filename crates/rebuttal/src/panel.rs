//! Who sits on the panel: agents by name, or a small local model in three personas.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Context, Error, ErrorKind, Result, err};
use rebuttal_engine::debate::Agent;
use rebuttal_llm::{
    Cassette, Chat, Fetch, LocalChat, LocalModel, Player, Progress, Recorder, Sampling,
};
use rebuttal_model::DebateSpec;
use rebuttal_text::nearest;

use crate::agents;
use crate::config::Config;

/// Who an agent can be told to be.
const PERSONAS: &str = include_str!("../../../assets/personas.toml");
/// The personas of the local panel. Skeptic and advocate disagree, which makes a debate.
const LOCAL: [&str; 3] = ["pragmatist", "skeptic", "advocate"];
/// What the local model is called.
const LOCAL_MODEL: &str = "SmolLM2-135M";

/// Hears how far the local model is fetched.
pub type Watch<'w> = &'w mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Who is wanted, by name; what is empty is as configured.
#[derive(Clone, Debug, Default)]
pub struct PanelNames {
    /// Who debates.
    pub agents: Vec<String>,
    /// Who moderates.
    pub moderator: Option<String>,
    /// Who judges.
    pub judges: Vec<String>,
}

/// Everybody who may be asked.
#[derive(Debug)]
pub struct Seats {
    /// Who debates.
    pub panel: Vec<Agent>,
    /// Who moderates.
    pub moderator: Option<Agent>,
    /// Who judges.
    pub judges: Vec<Agent>,
    /// What must be said about them.
    pub note: Option<String>,
}

/// The agents that were named, or those that can be had.
pub fn seats(
    wanted: &PanelNames,
    tape: Tape,
    seed: u64,
    config: &Config,
    watch: Watch<'_>,
) -> Result<Seats> {
    let recorded = tape.agents();
    let mut maker = Maker { config, tape, seed, local: None, personas: personas()?, watch };
    let usual = &config.debate;
    let names = match typed(&wanted.agents, &usual.agents.value) {
        [] => &recorded,
        names => names,
    };
    let (panel, note) = if names.is_empty() {
        maker.usual()?
    } else {
        (names.iter().map(|name| maker.agent(name)).collect::<Result<_>>()?, None)
    };
    let moderator = wanted.moderator.as_ref().or(usual.moderator.value.as_ref());
    let moderator = moderator.map(|name| maker.agent(name)).transpose()?;
    let judges = typed(&wanted.judges, &usual.judges.value);
    let judges = judges.iter().map(|name| maker.agent(name)).collect::<Result<_>>()?;
    Ok(Seats { panel, moderator, judges, note })
}

/// Whether everybody who is named could be asked. Nothing is sent, and no model is fetched.
pub fn check(wanted: &PanelNames, config: &Config) -> Result<()> {
    let personas = personas()?;
    let named = |field, names: &[String]| {
        names.iter().try_for_each(|written| {
            let (name, persona) = parted(written);
            let known = match persona {
                Some(persona) => persona_in(&personas, persona).map(drop),
                None => Ok(()),
            };
            let asked = if name == "local" { Ok(()) } else { agents::chat(config, name).map(drop) };
            known.and(asked).map_err(|error| Error::about(format!("`{field}`"), error))
        })
    };
    named("agents", &wanted.agents)
        .and_then(|()| named("moderator", wanted.moderator.as_slice()))
        .and_then(|()| named("judges", &wanted.judges))
        .map_err(|error| error.but(ErrorKind::Argument))
}

/// `NAME` or `NAME:PERSONA`.
fn parted(written: &str) -> (&str, Option<&str>) {
    match written.split_once(':') {
        Some((name, persona)) => (name.trim(), Some(persona.trim())),
        None => (written.trim(), None),
    }
}

fn persona_in(personas: &BTreeMap<String, String>, name: &str) -> Result<String> {
    personas.get(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = personas.keys().map(String::as_str).collect();
        let hint = nearest(name, &known).map_or_else(
            || "there are".to_owned(),
            |near| format!("did you mean {near}? There are"),
        );
        err!("no persona is called {name:?}; {hint} {}", known.join(", "))
    })
}

/// What was typed, else what was configured.
fn typed<'n>(typed: &'n [String], written: &'n [String]) -> &'n [String] {
    if typed.is_empty() { written } else { typed }
}

/// The agents of a stored debate, as far as the settings still know them.
pub fn again(
    spec: &DebateSpec,
    tape: Tape,
    config: &Config,
    watch: Watch<'_>,
) -> Result<Vec<Agent>> {
    let (seed, played) = (spec.seed, matches!(tape, Tape::Playing(_)));
    let mut maker = Maker { config, tape, seed, local: None, personas: personas()?, watch };
    let mut agents = Vec::new();
    for member in &spec.panel {
        agents.push(if let Some(by) = &member.answered_by {
            maker.agent(by)?.named(&member.agent)
        } else if member.model == LOCAL_MODEL && !played {
            let model = maker.local()?;
            let chat = maker.local_chat(member.agent.as_str(), model);
            Agent::new(member.agent.as_str(), maker.tape.on(Arc::new(chat))).free()
        } else {
            maker.agent(member.agent.as_str())?
        });
    }
    for name in spec.protocol.moderator.iter().chain(&spec.protocol.judges) {
        agents.push(maker.agent(name.as_str())?);
    }
    Ok(agents)
}

fn personas() -> Result<BTreeMap<String, String>> {
    toml::from_str(PERSONAS).context("the personas that come with rebuttal")
}

/// Whether exchanges are recorded, or come from a recording.
#[derive(Debug)]
#[non_exhaustive]
pub enum Tape {
    /// Neither.
    Off,
    /// Into this recording.
    Recording(Arc<Cassette>),
    /// Answers are played from this recording.
    Playing(Player),
}

impl Tape {
    /// Records into a new file, or plays a recording; neither without a path.
    pub fn new(record: Option<&Path>, cassette: Option<&Path>) -> Result<Self> {
        Ok(match (record, cassette) {
            (Some(path), _) => Self::Recording(Cassette::create(path)?),
            (None, Some(path)) => Self::Playing(Player::open(path)?),
            (None, None) => Self::Off,
        })
    }

    /// Who was recorded, if anybody is played.
    fn agents(&self) -> Vec<String> {
        match self {
            Self::Playing(player) => player.agents(),
            Self::Off | Self::Recording(_) => Vec::new(),
        }
    }

    /// Records what the agent answers, if that was asked for.
    fn on(&self, chat: Arc<dyn Chat>) -> Arc<dyn Chat> {
        match self {
            Self::Recording(cassette) => Arc::new(Recorder::new(chat, cassette)),
            Self::Off | Self::Playing(_) => chat,
        }
    }
}

struct Maker<'m> {
    config: &'m Config,
    tape: Tape,
    /// The debate's seed: a local model draws its words by it.
    seed: u64,
    local: Option<Arc<LocalModel>>,
    personas: BTreeMap<String, String>,
    watch: Watch<'m>,
}

impl Maker<'_> {
    /// Those whose key is in the environment, if there are two; else the local model.
    fn usual(&mut self) -> Result<(Vec<Agent>, Option<String>)> {
        let names: Vec<String> =
            self.config.agents.iter().map(|(name, _)| name.to_owned()).collect();
        let ready: Vec<String> =
            names.into_iter().filter(|name| agents::has_key(self.config, name)).collect();
        if ready.len() >= 2 {
            let panel = ready.iter().map(|name| self.agent(name)).collect::<Result<_>>()?;
            return Ok((panel, None));
        }
        let panel = LOCAL.iter().map(|name| self.local_agent(name, name)).collect::<Result<_>>()?;
        let note = format!(
            "The panel is {LOCAL_MODEL}, a small local model meant for trying out: expect fluent \
             words, not wisdom. For real agents put a key into the environment (ANTHROPIC_API_KEY, \
             OPENAI_API_KEY, GEMINI_API_KEY) or name a server in rebuttal.toml, then: rebuttal \
             debate … --agents claude,gpt4"
        );
        Ok((panel, Some(note)))
    }

    /// An agent from `NAME` or `NAME:PERSONA`.
    fn agent(&mut self, written: &str) -> Result<Agent> {
        if let Tape::Playing(player) = &self.tape {
            let persona = written.split_once(':').map(|(_, persona)| persona);
            let persona = persona.or(LOCAL.contains(&written).then_some(written));
            // A recording costs nothing to play.
            let agent = Agent::new(written, Arc::new(player.agent(written))).free();
            return match persona {
                Some(persona) => Ok(agent.persona(self.persona(persona)?)),
                None => Ok(agent),
            };
        }
        let (name, persona) = parted(written);
        if name == "local" {
            let shown = persona.map_or("local".to_owned(), |persona| format!("local:{persona}"));
            return self.local_agent(&shown, persona.unwrap_or("pragmatist"));
        }
        let shown = if persona.is_some() { written } else { name };
        let chat = agents::chat_as(self.config, name, shown)?;
        let mut agent = Agent::new(shown, self.tape.on(Arc::from(chat)));
        if let Some(settings) = self.config.agents.get(name) {
            agent = agent
                .model(settings.model.value.clone())
                .timeout(settings.limits.timeout.value * 3);
            if let Some(price) = settings.price.value {
                agent = agent.price(price);
            }
        }
        match persona {
            Some(persona) => Ok(agent.persona(self.persona(persona)?)),
            None => Ok(agent),
        }
    }

    fn persona(&self, name: &str) -> Result<String> {
        persona_in(&self.personas, name)
    }

    fn local_agent(&mut self, name: &str, persona: &str) -> Result<Agent> {
        let model = self.local()?;
        let chat = self.tape.on(Arc::new(self.local_chat(name, model)));
        let agent = Agent::new(name, chat).model(LOCAL_MODEL).free();
        Ok(agent.persona(self.persona(persona)?))
    }

    /// Agents of one model and one debate still draw each for itself.
    fn local_chat(&self, name: &str, model: Arc<LocalModel>) -> LocalChat {
        let own = name.bytes().fold(self.seed, |seed, byte| mixed(seed ^ u64::from(byte)));
        LocalChat::new(name, model).with_sampling(Sampling { seed: own, ..Sampling::default() })
    }

    /// The local model, fetched when it is first wanted.
    fn local(&mut self) -> Result<Arc<LocalModel>> {
        if let Some(model) = &self.local {
            return Ok(model.clone());
        }
        let fetched = Fetch::usual().and_then(|fetch| fetch.model(&mut *self.watch));
        let model = Arc::new(fetched.context("the local model")?);
        Ok(self.local.insert(model).clone())
    }
}

/// Spreads a number over all its bits: times of one day begin alike.
pub fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
