//! Opening the database that debates and the position ledger are kept in.

use std::env;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use jiff::Timestamp;
use rebuttal::store::{Location, Store, StoreOptions};
use tokio::runtime::{Builder, Runtime};

use crate::args::DbArgs;
use crate::terminal::one_line;

/// The variable that names the database.
const VARIABLE: &str = "REBUTTAL_DB";

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
    let variable = || env::var(VARIABLE).ok().filter(|value| !value.is_empty());
    match args.db.clone().or_else(variable) {
        Some(text) => Ok(text.parse()?),
        None => Ok(Location::file(usual()?)),
    }
}

/// The moment a command begins. What it does is decided from this and its input alone.
#[expect(clippy::disallowed_methods, reason = "the one place where commands look at the clock")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

fn usual() -> Result<PathBuf> {
    data_folder(|name| env::var_os(name).filter(|at| !at.is_empty()).map(PathBuf::from))
        .map(|data| data.join("rebuttal").join("ledger.db"))
        .ok_or_else(|| {
            anyhow!("there is no place for the database: name one by --db or {VARIABLE}")
        })
}

/// Where this system keeps a user's data.
fn data_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let home = || variable("HOME").or_else(|| variable("USERPROFILE"));
    let usual = || {
        if cfg!(target_os = "windows") {
            variable("LOCALAPPDATA").or_else(|| Some(home()?.join("AppData").join("Local")))
        } else if cfg!(target_os = "macos") {
            Some(home()?.join("Library").join("Application Support"))
        } else {
            Some(home()?.join(".local").join("share"))
        }
    };
    variable("XDG_DATA_HOME").or_else(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(set: &[(&str, &str)]) -> Option<PathBuf> {
        let set: Vec<(String, PathBuf)> =
            set.iter().map(|(name, path)| ((*name).to_owned(), PathBuf::from(path))).collect();
        data_folder(|name| set.iter().find(|(known, _)| known == name).map(|(_, at)| at.clone()))
    }

    #[test]
    fn the_environment_goes_first() {
        assert_eq!(folder(&[("XDG_DATA_HOME", "x"), ("HOME", "h")]), Some(PathBuf::from("x")));
        assert_eq!(folder(&[]), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn else_it_is_in_the_users_own_folder() {
        assert_eq!(folder(&[("HOME", "h")]), Some(PathBuf::from("h/.local/share")));
    }
}
