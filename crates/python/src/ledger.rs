//! The position ledger.

use std::sync::Arc;

use pyo3::prelude::*;
use rebuttal::Result;
use rebuttal::ledger::{
    self, FlipPage, ImportNews, PositionSource, Saver, Search, flips, location, now, overview,
    portrait, positions, summary, unwatched,
};
use rebuttal::model::FlipKind;
use rebuttal::report::ledger as pages;
use rebuttal::store::{FlipFilter, Store, StoreOptions};
use rebuttal::transcripts::{Item, PositionOptions, ReadOptions, read as read_transcripts};
use serde_json::json;

use crate::error::raised;
use crate::json::{read, write};
use crate::texts::analyzer;
use crate::threads::wait;

/// A database of positions and debates.
#[pyclass(frozen, module = "rebuttal._native")]
pub(crate) struct Ledger(Arc<Store>);

impl Ledger {
    pub(crate) fn store(&self) -> Arc<Store> {
        Arc::clone(&self.0)
    }
}

/// Waits for an answer of the library.
fn answer<T: Send + 'static>(
    py: Python<'_>,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> PyResult<T> {
    wait(py, Box::pin(work))?.map_err(raised)
}

#[pymethods]
impl Ledger {
    /// Opens a database: as it is named, else the one the program uses.
    #[new]
    #[pyo3(signature = (database=None))]
    fn new(py: Python<'_>, database: Option<&str>) -> PyResult<Self> {
        let location = location(database).map_err(raised)?;
        let opened = async move { Ok(Store::open(&location, StoreOptions::default()).await?) };
        Ok(Self(Arc::new(answer(py, opened)?)))
    }

    /// Where it is.
    #[getter]
    fn location(&self) -> String {
        self.0.location().to_string()
    }

    /// Adds positions, one JSON object a line: what came of it, and `problems`.
    fn add(&self, py: Python<'_>, rows: String) -> PyResult<String> {
        let store = self.store();
        let added = answer(py, async move {
            let mut problems = Vec::new();
            let source = PositionSource::Bytes("positions".to_owned(), rows.into_bytes());
            let options = PositionOptions { now: now(), from: None };
            let mut tell = |news: ImportNews<'_>| {
                match news {
                    ImportNews::Problem(problem) => problems.push(problem.to_string()),
                    ImportNews::Clash(clash, _) => problems
                        .push(format!("the id {} belongs to another position", clash.given.id)),
                    _ => {}
                }
                Ok(())
            };
            let imported = ledger::import(&store, now(), source, options, &mut tell).await?;
            Ok(json!({"imported": imported, "problems": problems}))
        })?;
        write(&added)
    }

    /// Reads the positions of a conversation's agents and adds them: how many are new, and how many flips.
    fn add_transcript(&self, py: Python<'_>, text: String, method: &str) -> PyResult<(u64, u64)> {
        let (store, search) = (self.store(), Search::new(analyzer(method)?));
        answer(py, async move {
            let mut transcripts = Vec::new();
            read_transcripts("text", text.as_bytes(), &ReadOptions::default(), &mut |item| {
                if let Item::Transcript(transcript) = item {
                    transcripts.push(transcript);
                }
            });
            let mut saver = Saver::new(store, now(), search);
            for transcript in transcripts {
                saver.add(transcript).await?;
            }
            let came = saver.finish().await?;
            Ok((came.added, came.flips))
        })
    }

    /// Looks for flips among the positions that were not looked at yet.
    fn look(&self, py: Python<'_>, lookback: usize, method: &str) -> PyResult<()> {
        let (store, search) = (self.store(), Search::new(analyzer(method)?).lookback(lookback));
        answer(py, async move { ledger::look(&store, now(), search, unwatched()).await }).map(drop)
    }

    /// Flips, the latest found first: `{"flips", "more"}`.
    #[pyo3(signature = (agent=None, kind=None, silent_only=false, limit=20))]
    fn flips(
        &self,
        py: Python<'_>,
        agent: Option<String>,
        kind: Option<&str>,
        silent_only: bool,
        limit: u32,
    ) -> PyResult<String> {
        write(&self.page(py, agent, kind, silent_only, limit)?)
    }

    /// The same as a page.
    #[pyo3(signature = (agent=None, kind=None, silent_only=false, limit=20))]
    fn flips_html(
        &self,
        py: Python<'_>,
        agent: Option<String>,
        kind: Option<&str>,
        silent_only: bool,
        limit: u32,
    ) -> PyResult<String> {
        let page = self.page(py, agent, kind, silent_only, limit)?;
        let flips: Vec<_> = page.flips.iter().collect();
        Ok(pages::flips(&flips, page.more, rebuttal::report::Place::File)
            .stand_alone()
            .into_string())
    }

    /// The latest positions of an agent, or of all: `{"positions"}`.
    fn positions(&self, py: Python<'_>, agent: Option<String>, limit: u32) -> PyResult<String> {
        let store = self.store();
        let page = answer(py, async move { positions(&store, agent.as_deref(), limit).await })?;
        write(&page)
    }

    /// How consistent each of these agents is, in their order.
    fn consistency(&self, py: Python<'_>, agents: Vec<String>) -> PyResult<String> {
        let store = self.store();
        let scores = answer(py, async move {
            let names: Vec<&str> = agents.iter().map(String::as_str).collect();
            Ok(store.agents(&names).await?.iter().map(pages::consistency).collect::<Vec<_>>())
        })?;
        write(&scores)
    }

    /// Agents, the least consistent first: `{"agents", "more"}`.
    fn agents(&self, py: Python<'_>, limit: u32) -> PyResult<String> {
        let store = self.store();
        let page = answer(py, async move { ledger::agents(&store, limit).await })?;
        write(&page)
    }

    /// The dashboard's numbers.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        let store = self.store();
        let summary = answer(py, async move { summary(&store, now()).await })?;
        write(&summary)
    }

    /// The ledger at a glance, as a page.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let store = self.store();
        let overview = answer(py, async move { overview(&store, now()).await })?;
        Ok(pages::summary(&overview, rebuttal::report::Place::File).stand_alone().into_string())
    }

    /// One agent, as a page.
    fn agent_html(&self, py: Python<'_>, agent: String) -> PyResult<String> {
        let store = self.store();
        let known = answer(py, async move { portrait(&store, &agent, 20).await })?;
        Ok(pages::agent(&known, rebuttal::report::Place::File).stand_alone().into_string())
    }
}

impl Ledger {
    fn page(
        &self,
        py: Python<'_>,
        agent: Option<String>,
        kind: Option<&str>,
        silent_only: bool,
        limit: u32,
    ) -> PyResult<FlipPage> {
        let kind: Option<FlipKind> =
            kind.map(|kind| read("kind", &json!(kind).to_string())).transpose()?;
        let filter = FlipFilter { agent, kind, silent_only, limit, ..FlipFilter::default() };
        let store = self.store();
        answer(py, async move { flips(&store, &filter).await })
    }
}
