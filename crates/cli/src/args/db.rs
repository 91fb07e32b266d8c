//! Where the database is, for every command that reads or writes it.

use clap::Args;

/// Where the database is.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct DbArgs {
    /// The database: a file, or postgres://…; else `REBUTTAL_DB`, else the user's data folder
    #[arg(long, value_name = "DB", display_order = 90)]
    pub(crate) db: Option<String>,
}
