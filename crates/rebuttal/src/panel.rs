//! Who sits on the panel: agents by name, or personas that quote from documents.

mod pack;
mod quoting;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Context, Error, ErrorKind, Result, err};
use rebuttal_engine::debate::Agent;
use rebuttal_extractive::{Brief, Persona};
use rebuttal_llm::{
    Cassette, Chat, Fetch, LocalChat, LocalModel, Player, Progress, Recorder, Sampling,
};
use rebuttal_model::{AgentId, DebateSpec, Passage};
use rebuttal_text::nearest;
use serde::Deserialize;

use crate::agents;
use crate::config::Config;
pub use pack::{EXAMPLE, passages as example_evidence};
pub use quoting::{Material, QUOTES};

/// Who an agent can be told to be.
const PERSONAS: &str = include_str!("../../../assets/personas.toml");
/// The personas of the local model's panel. Skeptic and advocate disagree, which makes a debate.
const SMOLLM: [&str; 3] = ["pragmatist", "skeptic", "advocate"];
/// What the local model is called.
const LOCAL_MODEL: &str = "SmolLM2-135M";

/// What is said of a panel that quotes from the user's documents.
const QUOTING_NOTE: &str = "The panel quotes: it says nothing but what your documents say, and weighs \
    that by rules. For agents that think, put a key into the environment (ANTHROPIC_API_KEY, \
    OPENAI_API_KEY, GEMINI_API_KEY) and add --agents claude,gpt4";
/// What is said of one that quotes from the example.
const EXAMPLE_NOTE: &str = "EXAMPLE: the panel quotes from 30 notes of an invented company that come with \
    rebuttal. Your own documents: --evidence FOLDER. Agents that think: put a key into the environment \
    (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY) and add --agents claude,gpt4";
/// What is missing where nobody can debate.
const NEEDS_EVIDENCE: &str = "nobody can debate this yet: there are no documents to quote from and no key \
    of a model. Give documents (--evidence FOLDER), or put two keys into the environment \
    (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY), or name agents of rebuttal.toml (--agents A,B)";

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
    /// Who writes down what it came to; `moderator` stands for whoever moderates.
    pub synthesis: Option<String>,
    /// What agents that quote have to go by.
    pub material: Material,
    /// The seats that they take; each sits for itself if there are none.
    pub seats: Vec<Persona>,
}

/// Everybody who may be asked.
#[derive(Debug)]
pub struct Seats {
    /// Who debates.
    pub panel: Vec<Agent>,
    /// Who moderates.
    pub moderator: Option<Agent>,
    /// Who writes down what it came to.
    pub writer: Option<Agent>,
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
    let mut maker = Maker::new((config, tape, seed), wanted.material.clone(), watch)?;
    let usual = &config.debate;
    let names = match typed(&wanted.agents, &usual.agents.value) {
        [] => &recorded,
        names => names,
    };
    let (panel, note) = if !wanted.seats.is_empty() {
        maker.seated(&wanted.seats, names)?
    } else if names.is_empty() {
        maker.usual()?
    } else {
        let mut panel = Vec::new();
        for name in names {
            panel.append(&mut maker.agents(name)?);
        }
        (panel, None)
    };
    let moderator = wanted.moderator.as_ref().or(usual.moderator.value.as_ref());
    let moderator = moderator.map(|name| maker.agent(name)).transpose()?;
    let writer = match wanted.synthesis.as_deref() {
        Some("moderator") if moderator.is_none() => {
            return Err(err!("nobody moderates, so nobody can write the synthesis; name an agent"));
        }
        Some("moderator") => moderator.clone(),
        Some(name) => Some(maker.agent(name)?),
        None => None,
    };
    let judges = typed(&wanted.judges, &usual.judges.value);
    let judges = judges.iter().map(|name| maker.agent(name)).collect::<Result<_>>()?;
    Ok(Seats { panel, moderator, writer, judges, note })
}

/// Whether everybody who is named could be asked. Nothing is sent, and no model is fetched.
pub fn check(wanted: &PanelNames, config: &Config) -> Result<()> {
    let personas = personas()?;
    let named = |field, names: &[String]| {
        names.iter().try_for_each(|written| {
            let (name, persona) = parted(written);
            let known = match persona {
                Some(persona) if name == "local" => personas.quotes(persona),
                Some(persona) => persona_in(&personas.prompts, persona).map(drop),
                None => Ok(()),
            };
            let asked = if ["local", "smollm"].contains(&name) {
                Ok(())
            } else {
                agents::chat(config, name).map(drop)
            };
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

/// The agents of a stored debate, as far as the settings still know them. `passages` are its evidence, for
/// agents that quote.
pub fn again(
    spec: &DebateSpec,
    passages: Vec<Passage>,
    tape: Tape,
    config: &Config,
    watch: Watch<'_>,
) -> Result<Vec<Agent>> {
    let (seed, played) = (spec.seed, matches!(tape, Tape::Playing(_)));
    let (question, options) = (spec.question.clone(), spec.options.clone());
    let material = Material { question, options, passages };
    let mut maker = Maker::new((config, tape, seed), material, watch)?;
    let mut agents = Vec::new();
    for member in &spec.panel {
        agents.push(if let Some(by) = &member.answered_by {
            maker.agent(by)?.named(&member.agent)
        } else if member.model == LOCAL_MODEL && !played {
            let model = maker.local()?;
            let chat = maker.local_chat(member.agent.as_str(), model);
            Agent::new(member.agent.as_str(), maker.tape.on(Arc::new(chat))).free()
        } else if member.model == QUOTES && !played {
            maker.quoting(member.agent.as_str())?
        } else {
            maker.agent(member.agent.as_str())?
        });
    }
    let protocol = &spec.protocol;
    for name in protocol.moderator.iter().chain(&protocol.synthesis).chain(&protocol.judges) {
        if agents.iter().any(|agent| agent.name() == name) {
            continue;
        }
        agents.push(maker.agent(name.as_str())?);
    }
    Ok(agents)
}

/// Who an agent can be told to be, and who quotes.
#[derive(Debug, Deserialize)]
struct Personas {
    /// The personas of the panel that quotes, in its order.
    quoting: Vec<Persona>,
    /// What opens the prompts of the others.
    #[serde(flatten)]
    prompts: BTreeMap<String, String>,
}

impl Personas {
    /// Whether one of this name quotes.
    fn quotes(&self, name: &str) -> Result<()> {
        let known: Vec<&str> = self.quoting.iter().map(|persona| persona.name.as_str()).collect();
        if known.contains(&name) {
            return Ok(());
        }
        Err(err!("no persona that quotes is called {name:?}; there are {}", known.join(", ")))
    }
}

fn personas() -> Result<Personas> {
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
    personas: Personas,
    /// What agents that quote have to go by, and what was read in it when the first was made.
    material: Material,
    /// Whether the evidence is the user's own.
    given: bool,
    brief: Option<Arc<Brief>>,
    watch: Watch<'m>,
}

impl<'m> Maker<'m> {
    fn new(
        (config, tape, seed): (&'m Config, Tape, u64),
        material: Material,
        watch: Watch<'m>,
    ) -> Result<Self> {
        let (personas, given) = (personas()?, !material.passages.is_empty());
        let (local, brief) = (None, None);
        Ok(Self { config, tape, seed, local, personas, material, given, brief, watch })
    }

    /// The seats of a panel: models take turns in them or, where there is none, they quote.
    fn seated(
        &mut self,
        seats: &[Persona],
        names: &[String],
    ) -> Result<(Vec<Agent>, Option<String>)> {
        let ready = if names.is_empty() { self.ready() } else { names.to_vec() };
        let quotes = |name: &&String| name.as_str() == "local";
        if ready.is_empty() || ready.iter().any(|name| quotes(&name)) {
            let brief = self.brief(seats)?;
            let agent = |seat: &Persona| quoting::agent(&seat.name, seat.clone(), brief.clone());
            return Ok((seats.iter().map(agent).collect(), Some(self.note())));
        }
        let mut panel = Vec::new();
        for (seat, name) in seats.iter().zip(ready.iter().cycle()) {
            panel.push(self.agent(name)?.seated(&AgentId::new(seat.name.as_str()), &seat.persona));
        }
        Ok((panel, None))
    }

    /// What must be said of a panel that quotes.
    fn note(&self) -> String {
        if pack::fits(&self.material) && !self.given { EXAMPLE_NOTE } else { QUOTING_NOTE }
            .to_owned()
    }

    /// The configured agents whose key is in the environment.
    fn ready(&self) -> Vec<String> {
        let names = self.config.agents.iter().map(|(name, _)| name.to_owned());
        names.filter(|name| agents::has_key(self.config, name)).collect()
    }

    /// Those whose key is in the environment, if there are two; else the panel that quotes.
    fn usual(&mut self) -> Result<(Vec<Agent>, Option<String>)> {
        let ready = self.ready();
        if ready.len() >= 2 {
            let panel = ready.iter().map(|name| self.agent(name)).collect::<Result<_>>()?;
            return Ok((panel, None));
        }
        let panel = self.agents("local")?;
        Ok((panel, Some(self.note())))
    }

    /// One agent, or the whole panel that one name stands for.
    fn agents(&mut self, written: &str) -> Result<Vec<Agent>> {
        let panel: Vec<String> = match written.trim() {
            "local" => {
                let names = self.personas.quoting.iter().map(|persona| persona.name.clone());
                return names.collect::<Vec<_>>().iter().map(|name| self.quoting(name)).collect();
            }
            "smollm" => SMOLLM.iter().map(|name| format!("smollm:{name}")).collect(),
            one => return Ok(vec![self.agent(one)?]),
        };
        panel.iter().map(|name| self.agent(name)).collect()
    }

    /// A persona that quotes, by its name.
    fn quoting(&mut self, name: &str) -> Result<Agent> {
        let wanted = name.strip_prefix("local:").unwrap_or(name);
        let personas = &self.personas.quoting;
        let persona = personas.iter().find(|persona| persona.name == wanted).ok_or_else(|| {
            let known: Vec<&str> = personas.iter().map(|it| it.name.as_str()).collect();
            err!("no persona that quotes is called {wanted:?}; there are {}", known.join(", "))
        })?;
        let persona = persona.clone();
        let brief = self.brief(&personas.clone())?;
        Ok(quoting::agent(name, persona, brief))
    }

    /// The evidence on the question, read when it is first wanted.
    fn brief(&mut self, personas: &[Persona]) -> Result<Arc<Brief>> {
        if let Some(brief) = &self.brief {
            return Ok(Arc::clone(brief));
        }
        if self.material.passages.is_empty() && pack::fits(&self.material) {
            self.material.passages = pack::passages();
        }
        if self.material.passages.is_empty() {
            return Err(Error::new(ErrorKind::NoEvidence, NEEDS_EVIDENCE));
        }
        let brief = self.material.brief(personas, self.config)?;
        Ok(Arc::clone(self.brief.insert(brief)))
    }

    /// An agent from `NAME` or `NAME:PERSONA`.
    fn agent(&mut self, written: &str) -> Result<Agent> {
        // One that quotes needs no recording.
        if written.starts_with("local:") {
            return self.quoting(written);
        }
        if let Tape::Playing(player) = &self.tape {
            let persona = written.split_once(':').map(|(_, persona)| persona);
            let persona = persona.or(SMOLLM.contains(&written).then_some(written));
            // A recording costs nothing to play.
            let agent = Agent::new(written, Arc::new(player.agent(written))).free();
            return match persona {
                Some(persona) => Ok(agent.persona(self.persona(persona)?)),
                None => Ok(agent),
            };
        }
        let (name, persona) = parted(written);
        if name == "smollm" {
            let persona = persona.unwrap_or("pragmatist");
            return self.local_agent(&format!("smollm:{persona}"), persona);
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
        persona_in(&self.personas.prompts, name)
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
