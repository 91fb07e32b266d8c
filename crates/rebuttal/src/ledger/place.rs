//! Where the database is, for whoever opens one: every surface has the same.

use std::env;
use std::path::PathBuf;

use jiff::Timestamp;
use rebuttal_store::Location;

use crate::error::{Context, Result};

/// The environment variable that names the database.
pub const VARIABLE: &str = "REBUTTAL_DB";

/// Where the database is: as it is named, else as [`VARIABLE`] says, else in the user's data folder.
pub fn location(named: Option<&str>) -> Result<Location> {
    let variable = || env::var(VARIABLE).ok().filter(|value| !value.is_empty());
    match named.map(str::to_owned).or_else(variable) {
        Some(text) => Ok(text.parse()?),
        None => Ok(Location::file(usual()?)),
    }
}

/// The time, for programs that have no clock of their own to hand in.
#[expect(clippy::disallowed_methods, reason = "the one place where the library looks at the clock")]
pub fn now() -> Timestamp {
    Timestamp::now()
}

fn usual() -> Result<PathBuf> {
    data_folder(|name| env::var_os(name).filter(|at| !at.is_empty()).map(PathBuf::from))
        .map(|data| data.join("rebuttal").join("ledger.db"))
        .with_context(|| {
            format!("there is no place for the database: name one by --db or {VARIABLE}")
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
