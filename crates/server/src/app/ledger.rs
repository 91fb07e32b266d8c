//! The ledger, for those who may see what everybody said.

use rebuttal::debates;
use rebuttal::report::debate::quality::Quality;
use rebuttal::store::{Scope, Store};

use super::App;
use crate::auth::Caller;
use crate::problem::Problem;

impl App {
    /// The store, for questions to the ledger.
    pub(crate) fn ledger(&self, caller: &Caller) -> Result<&Store, Problem> {
        caller.needs(Scope::Admin)?;
        Ok(&self.store)
    }

    /// How well the latest debates were supported. Those that are damaged are passed over.
    pub(crate) async fn quality(&self, caller: &Caller, limit: usize) -> Result<Quality, Problem> {
        let store = self.ledger(caller)?;
        Ok(debates::quality(store, limit, &mut |_, _| Ok(())).await?.0)
    }
}
