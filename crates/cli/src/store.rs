//! Opening the database that debates and the position ledger are kept in.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use rebuttal::store::{Location, Options, Store};
use tokio::runtime::{Builder, Runtime};

use crate::args::DbArgs;

/// The variable that names the database.
const VARIABLE: &str = "REBUTTAL_DB";

/// Opens the database, making it if need be, and a runtime to use it with.
pub(crate) fn open(args: &DbArgs) -> Result<(Runtime, Store)> {
    let location = location(args)?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("no threads could be started; free some memory and try again")?;
    let store = runtime.block_on(Store::open(&location, Options::default()))?;
    Ok((runtime, store))
}

/// Where the database is: as typed, else as the environment says, else in the user's data folder.
pub(crate) fn location(args: &DbArgs) -> Result<Location> {
    let variable = || env::var(VARIABLE).ok().filter(|value| !value.is_empty());
    match args.db.clone().or_else(variable) {
        Some(text) => Ok(text.parse()?),
        None => Ok(Location::file(usual()?)),
    }
}

fn usual() -> Result<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|at| !at.is_empty()).map(PathBuf::from);
    let home = || folder("HOME").map(|home| home.join(".local").join("share"));
    let data = folder("XDG_DATA_HOME").or_else(|| folder("LOCALAPPDATA")).or_else(home);
    data.map(|data| data.join("rebuttal").join("rebuttal.db")).ok_or_else(|| {
        anyhow!("there is no place for the database: name one by --db or {VARIABLE}")
    })
}
