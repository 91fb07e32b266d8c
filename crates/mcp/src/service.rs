//! What every client of this server shares: the debates, the ledger, who reads.

use std::sync::Arc;

use rebuttal::config::Config;
use rebuttal::engine::debate::Engine;
use rebuttal::jobs::{Allowance, Jobs};
use rebuttal::models::Analyzer;
use rebuttal::store::Store;
use rebuttal::texts::{Readings, compare_pair};
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::By;
use crate::fault::{Code, Fault};
use crate::tools::{self, Tool};
use crate::{ledger, reading};

/// What a tool answers.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A document, which is sent as text too.
    Document(Value),
    /// Markdown.
    Text(String),
}

/// The tools over one database and one configuration.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) jobs: Jobs,
    pub(crate) store: Arc<Store>,
    pub(crate) config: Arc<Config>,
    readings: Readings,
}

impl Service {
    pub(crate) fn new(
        engine: Engine,
        store: Arc<Store>,
        config: Arc<Config>,
        allowance: Allowance,
    ) -> Self {
        let jobs = Jobs::new(engine, Arc::clone(&store), Arc::clone(&config), allowance);
        let readings = Readings::new(&config.semantics);
        Self { jobs, store, config, readings }
    }

    /// Calls a tool. Whatever goes wrong is a fault, told to the client as the tool's answer.
    pub(crate) async fn call(&self, name: &str, arguments: JsonObject) -> Result<Answer, Fault> {
        let tool = tools::named(name)?;
        tool.check(&arguments)?;
        match tool {
            Tool::DebateStart => self.debate_start(parsed(arguments)?).await,
            Tool::DebateStatus => self.debate_status(parsed(arguments)?).await,
            Tool::DebateResult => self.debate_result(parsed(arguments)?).await,
            Tool::DebateResume => self.debate_resume(parsed(arguments)?).await,
            Tool::DebateStop => self.debate_stop(parsed(arguments)?).await,
            Tool::BreakpointAnswer => self.breakpoint_answer(parsed(arguments)?).await,
            Tool::AuditText => {
                let asked: crate::arguments::Audit = parsed(arguments)?;
                let (by, config) = (asked.conversation.method, Arc::clone(&self.config));
                self.read(by, move |analyzer| reading::audit_text(&asked, analyzer, &config)).await
            }
            Tool::CheckRubric => {
                let asked: crate::arguments::Conversation = parsed(arguments)?;
                let by = asked.method;
                self.read(by, move |analyzer| reading::check_rubric(&asked, &analyzer)).await
            }
            Tool::FindContradictions => {
                let asked: crate::arguments::FindContradictions = parsed(arguments)?;
                let (by, config) = (asked.method, Arc::clone(&self.config));
                let find = move |analyzer: Analyzer| {
                    reading::find_contradictions(&asked, &analyzer, &config)
                };
                self.read(by, find).await
            }
            Tool::Compare => {
                let asked: crate::arguments::Pair = parsed(arguments)?;
                let pair =
                    move |analyzer: Analyzer| Ok(compare_pair(&asked.a, &asked.b, &analyzer)?);
                self.read(asked.method, pair).await
            }
            Tool::AgentConsistency => ledger::agent_consistency(&parsed(arguments)?, &self.store)
                .await
                .map(Answer::Document),
            Tool::Flips => {
                ledger::flips_of(&parsed(arguments)?, &self.store).await.map(Answer::Document)
            }
        }
    }

    /// Reads a text beside the executor, when it is its turn.
    async fn read(
        &self,
        by: By,
        read: impl FnOnce(Analyzer) -> Result<Value, Fault> + Send + 'static,
    ) -> Result<Answer, Fault> {
        // What a tool refuses is told as it says; only what breaks is the library's to tell.
        self.readings.read(by.into(), |analyzer| Ok(read(analyzer))).await?.map(Answer::Document)
    }
}

/// The arguments as the tool takes them.
fn parsed<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Fault> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| Fault::new(Code::InvalidArguments, error.to_string()))
}
