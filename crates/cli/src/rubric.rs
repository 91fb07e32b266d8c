//! `rebuttal rubric`: one question of a conversation, and the examples that test the answer.

mod check;
mod show;
mod test;

use anyhow::Result;

use crate::args::RubricCommand;
use crate::output::{Output, Status};
use rebuttal::config::Config;

/// Runs `rubric check` or `rubric test`.
pub(crate) fn run(command: &RubricCommand, config: &Config, out: &mut Output) -> Result<Status> {
    match command {
        RubricCommand::Check(args) => check::run(args, config, out),
        RubricCommand::Test(args) => test::run(args, config, out),
    }
}
