//! Opening the database that debates and the position ledger are kept in.

use std::io::Write as _;

use anyhow::{Context, Result};
use rebuttal::ledger;
use rebuttal::store::{Location, Store, StoreOptions};
use tokio::runtime::{Builder, Runtime};

use crate::args::DbArgs;
use crate::terminal::one_line;

/// The moment a command begins. What it does is decided from this and its input alone.
pub(crate) use rebuttal::ledger::now;

/// Opens the database, making it if need be, and a runtime to use it with. Damage that can be seen at
/// once is told on stderr, even if the command will not come across it.
pub(crate) fn open(args: &DbArgs) -> Result<(Runtime, Store)> {
    let (runtime, store) = open_as_it_is(args)?;
    if let Err(error) = runtime.block_on(store.check_small_file()) {
        // A warning that cannot be written must not end the command.
        writeln!(std::io::stderr(), "warning: {}", one_line(&error.to_string())).ok();
    }
    Ok((runtime, store))
}

/// Opens the database for commands that look for damage themselves.
pub(crate) fn open_as_it_is(args: &DbArgs) -> Result<(Runtime, Store)> {
    let location = location(args)?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("no threads could be started; free some memory and try again")?;
    let store = runtime.block_on(Store::open(&location, StoreOptions::default()))?;
    Ok((runtime, store))
}

/// Where the database is: as typed, else as the environment says, else in the user's data folder.
pub(crate) fn location(args: &DbArgs) -> Result<Location> {
    Ok(ledger::location(args.db.as_deref())?)
}
