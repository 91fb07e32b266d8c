//! The tools that run debates: started by one call, looked at and fetched by others, so that no call
//! takes longer than clients wait.

use std::time::Duration;

use rebuttal::debates;
use rebuttal::engine::debate::{Environment, Waiting};
use rebuttal::jobs::{Known, Order, SoFar, Standing, StandingWord, is_stored};
use rebuttal::model::{Budget, DebateId, Protocol};
use rebuttal::panel::{Material, PanelNames};
use rebuttal::presets;
use rebuttal::report::debate::markdown;
use serde::Serialize;

use crate::arguments::{AnswerTo, Start, WhatOf, Which, Written};
use crate::fault::{Code, Fault};
use crate::reading::document;
use crate::service::{Answer, Service};

/// Longest that a call waits for a debate to end: clients give up after a minute.
const WAIT_SECONDS: f64 = 45.0;

/// Longest word that a client may give a debate.
const KEY_CHARS: usize = 200;

/// Where a debate stands.
#[derive(Debug, Serialize)]
struct StatusAnswer {
    debate: DebateId,
    status: StandingWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    so_far: Option<SoFar>,
    /// Where it waits for a person, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    breakpoint: Option<Waiting>,
    /// Why it does not run, or what became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
    /// What to do now.
    next: String,
}

impl Service {
    pub(crate) async fn debate_start(&self, asked: Start) -> Result<Answer, Fault> {
        let id = self.id_for(asked.key.as_deref())?;
        if asked.key.is_some() && is_stored(&self.store, &id).await? {
            return self.status(&id).await;
        }
        let protocol = self.protocol(&asked)?;
        let preset = asked.preset.as_deref().map(presets::find).transpose()?.flatten();
        let (usual, seats) = preset.map(|it| (it.options, it.seats)).unwrap_or_default();
        let options = if asked.options.is_empty() { usual } else { asked.options };
        let question = asked.question.clone();
        let material = Material { question, options: options.clone(), passages: Vec::new() };
        let environment = Environment::new(asked.question).options(options).context(asked.context);
        let (agents, moderator, judges) = (asked.agents, asked.moderator, asked.judges);
        let panel = PanelNames { agents, moderator, judges, material, seats, synthesis: None };
        self.jobs.start(Order::new(id.clone(), environment, panel, protocol)).await?;
        self.status(&id).await
    }

    pub(crate) async fn debate_status(&self, asked: Which) -> Result<Answer, Fault> {
        let id = self.find(&asked.debate).await?;
        self.status(&id).await
    }

    pub(crate) async fn debate_result(&self, asked: WhatOf) -> Result<Answer, Fault> {
        let id = self.find(&asked.debate).await?;
        let seconds = asked.wait_seconds.clamp(0.0, WAIT_SECONDS);
        let wait = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self.jobs.wait(&id, wait).await;
        if !is_stored(&self.store, &id).await? {
            return self.status(&id).await;
        }
        let debate = debates::read(&self.store, &id).await?;
        match (debate.document(), asked.format) {
            (Some(whole), Written::Json) => document(&whole).map(Answer::Document),
            (Some(_), Written::Markdown) => {
                Ok(Answer::Text(markdown(&debate.state, &debate.records)))
            }
            (None, _) => self.status(&id).await,
        }
    }

    pub(crate) async fn debate_resume(&self, asked: Which) -> Result<Answer, Fault> {
        let id = self.find(&asked.debate).await?;
        let debate = debates::read(&self.store, &id).await?;
        if debate.state.decision.is_none() {
            self.jobs.resume(debate).await?;
        }
        self.status(&id).await
    }

    pub(crate) async fn debate_stop(&self, asked: Which) -> Result<Answer, Fault> {
        let id = self.find(&asked.debate).await?;
        if !self.jobs.stop(&id) {
            let message = format!("{id} does not run here");
            return Err(
                Fault::new(Code::Debate, message).hint("debate_status says where it stands")
            );
        }
        // What is in flight is cut at once.
        self.jobs.wait(&id, Duration::from_secs(5)).await;
        self.status(&id).await
    }

    pub(crate) async fn breakpoint_answer(&self, asked: AnswerTo) -> Result<Answer, Fault> {
        let id = self.find(&asked.debate).await?;
        let note = asked.note.as_deref();
        self.jobs.answer(&id, asked.number, asked.answer.into(), note).await?;
        let debate = debates::read(&self.store, &id).await?;
        if debate.state.decision.is_none() {
            self.jobs.resume(debate).await.map_err(|error| {
                let fault = Fault::from(error);
                let message = format!("the answer is written, but: {}", fault.message);
                Fault { message, ..fault }
            })?;
        }
        self.status(&id).await
    }

    /// The id that belongs to a client's own word, always the same; else a new one.
    fn id_for(&self, key: Option<&str>) -> Result<DebateId, Fault> {
        let Some(key) = key else { return Ok(self.jobs.new_id()) };
        if key.trim().is_empty() || key.chars().count() > KEY_CHARS {
            let message = format!("`key` is empty, or longer than {KEY_CHARS} characters");
            return Err(Fault::new(Code::InvalidArguments, message));
        }
        let hash = blake3::hash(key.as_bytes()).to_hex();
        Ok(DebateId::new(format!("d-{}", hash.get(..16).unwrap_or_default())))
    }

    /// The debate that is meant, whether it is stored or only about to begin.
    async fn find(&self, wanted: &str) -> Result<DebateId, Fault> {
        let id = DebateId::new(wanted);
        if !matches!(self.jobs.known(&id), Known::Nothing) {
            return Ok(id);
        }
        // One that has just begun is the last, although the store does not have it yet.
        if wanted == "last" {
            for id in self.jobs.running() {
                if !is_stored(&self.store, &id).await? {
                    return Ok(id);
                }
            }
        }
        debates::find(&self.store, wanted).await.map_err(|error| {
            Fault::new(Code::NotFound, error.whole())
                .hint("the resource rebuttal://debates lists them; debate_start runs one")
        })
    }

    /// How the debate is run: as configured for its question, changed by what the client says.
    fn protocol(&self, asked: &Start) -> Result<Protocol, Fault> {
        let mut protocol = self.config.protocol_for(&asked.question, asked.preset.as_deref())?;
        let texts = [(&asked.rule, &mut protocol.rule), (&asked.stop, &mut protocol.stop)];
        for (given, kept) in texts {
            if let Some(given) = given {
                kept.clone_from(given);
            }
        }
        protocol.rounds = asked.rounds.unwrap_or(protocol.rounds);
        protocol.roles = asked.roles.unwrap_or(protocol.roles);
        protocol.critique = asked.critique.unwrap_or(protocol.critique);
        protocol.enable_trickster = asked.trickster.unwrap_or(protocol.enable_trickster);
        let budget = protocol.budget;
        protocol.budget = Budget {
            calls: asked.budget_calls.or(budget.calls),
            tokens: asked.budget_tokens.or(budget.tokens),
            usd: asked.budget_usd.or(budget.usd),
            seconds: asked.budget_seconds.or(budget.seconds),
        };
        let limits =
            [("budget_usd", protocol.budget.usd), ("budget_seconds", protocol.budget.seconds)];
        for (name, limit) in limits {
            if limit.is_some_and(|limit| !limit.is_finite() || limit < 0.0) {
                let message = format!("`{name}` is not a number from 0 up");
                return Err(Fault::new(Code::InvalidArguments, message));
            }
        }
        Ok(protocol)
    }

    async fn status(&self, id: &DebateId) -> Result<Answer, Fault> {
        let standing = Standing::of(id, &self.jobs, &self.store).await?;
        let status = StatusAnswer {
            debate: standing.debate,
            status: standing.word,
            so_far: standing.so_far,
            breakpoint: standing.breakpoint,
            error: standing.error.map(Fault::from),
            next: next(standing.word, id),
        };
        document(&status).map(Answer::Document)
    }
}

/// What to do next about a debate that stands so.
fn next(status: StandingWord, id: &DebateId) -> String {
    use StandingWord::{Decided, Failed, Running, Starting, Undecided, Waiting};
    match status {
        Decided | Undecided => {
            format!("debate_result has it; rebuttal://debates/{id}/report is the report")
        }
        Starting | Running => {
            "debate_result with wait_seconds 45, again until it has ended".to_owned()
        }
        Waiting => "ask your user how to go on, then breakpoint_answer".to_owned(),
        Failed => "mend what `error` names; debate_start again, or debate_resume if it had begun"
            .to_owned(),
        _ => "debate_resume goes on, unless another program runs it".to_owned(),
    }
}
