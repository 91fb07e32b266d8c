//! Texts that a client sends, judged beside the executor.

use std::sync::Arc;

use rebuttal::config::Config;
use rebuttal::model::Method;
use rebuttal::models::Analyzer;
use rebuttal::store::Scope;

use super::App;
use crate::auth::Caller;
use crate::problem::Problem;

impl App {
    /// Reads a text by this method, when it is its turn.
    pub(crate) async fn judge<T: Send + 'static>(
        &self,
        caller: &Caller,
        method: Method,
        read: impl FnOnce(Analyzer, &Config) -> rebuttal::Result<T> + Send + 'static,
    ) -> Result<T, Problem> {
        caller.needs(Scope::Run)?;
        let config = Arc::clone(&self.config);
        Ok(self.readings.read(method, move |analyzer| read(analyzer, &config)).await?)
    }
}
