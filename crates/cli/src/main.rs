//! The `rebuttal` program: what was typed → what will be done → output and an exit code.

mod args;
mod ask;
mod audit;
mod beliefs;
mod check_agents;
mod compare;
mod debate;
mod evidence;
mod formats;
mod judge;
mod ledger;
mod mcp;
mod output;
mod plan;
mod presets;
mod read;
mod reconcile;
mod report;
mod rubric;
mod score;
mod serve;
mod show_config;
mod store;
mod terminal;
mod trust;
mod users;
mod warnings;
mod wrap;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use rebuttal::config::Config;
use rebuttal::semantics::{Worker, serve_worker};

use args::{Cli, Command, WORKER, WorkerArgs};
use output::{Output, Status, Verbosity};
use plan::{AuditPlan, ComparePlan, ReadPlan};
use reconcile::ReconcilePlan;
use terminal::one_line;
use trust::Asks;

fn main() -> ExitCode {
    // Wrong usage ends here, with clap's message and exit code 2.
    let cli = Cli::parse();
    let verbosity = match (cli.quiet, cli.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    };
    let mut out = Output::standard(cli.color, verbosity).assume_yes(cli.yes);
    let outcome =
        run(&cli, &mut out).and_then(|status| status.after(out.flush().map_err(Into::into)));
    let status = match outcome {
        Ok(status) => status,
        // Whoever reads has seen enough (`rebuttal flips | head`).
        Err(error) if output::is_closed_pipe(&error) => Status::Clean,
        Err(error) => {
            // Nowhere is left to report a failure to report.
            out.error(one_line(&format!("{error:#}"))).ok();
            Status::CouldNotRun
        }
    };
    ExitCode::from(status.code())
}

/// Reads the configuration; a file that was found in the working folder is held to what it may do.
fn load(cli: &Cli, asks: Asks, out: &mut Output) -> Result<Config> {
    let mut config = Config::load(cli.config.as_deref())?;
    // Without a worker, ONNX models of users are named and not run.
    config.semantics.worker =
        std::env::current_exe().ok().map(|program| Worker::new(program, [WORKER]));
    trust::settle(&mut config, asks, cli.trust, out)?;
    Ok(config)
}

/// `rebuttal model-worker`: answers the process that started it.
fn model_worker(args: &WorkerArgs, out: &mut Output) -> Result<Status> {
    let WorkerArgs { kind, folder, threads, memory_bytes } = args;
    serve_worker(kind, folder, *threads, *memory_bytes, out)?;
    Ok(Status::Clean)
}

fn run(cli: &Cli, out: &mut Output) -> Result<Status> {
    let config = |asks: Asks, out: &mut Output| load(cli, asks, out);
    match &cli.command {
        Command::Debate(args) => debate::run(args, &config(Asks::Agents, out)?, out),
        Command::Debates(args) => debate::debates(args, out),
        Command::Show(args) => debate::show(args, out),
        Command::Breakpoints(args) => debate::breakpoints(args, out),
        Command::Presets(args) => presets::run(args, out),
        Command::Serve(args) => serve::run(args, config(Asks::Agents, out)?, out),
        Command::Users(args) => users::run(args, out),
        Command::Mcp(args) => mcp::run(args, config(Asks::Agents, out)?, out),
        Command::Quality(args) => debate::quality(args, out),
        Command::Resume(args) => debate::resume(args, &config(Asks::Agents, out)?, out),
        Command::Replay(args) => debate::replay(args, out),
        Command::Fork(args) => debate::fork(args, &config(Asks::Agents, out)?, out),
        Command::Redecide(args) => debate::redecide(args, out),
        Command::Export(args) => debate::export(args, out),
        Command::Receipt(args) => debate::receipt(args, out),
        Command::Verify(args) => debate::verify(args, out),
        Command::Audit(args) => {
            audit::run(&AuditPlan::new(args, &config(Asks::Models, out)?)?, out)
        }
        Command::Check(args) => evidence::check(args, &config(Asks::Models, out)?, out),
        Command::Evidence(args) => evidence::run(args, out),
        Command::Positions(args) => ledger::positions(args, &config(Asks::Models, out)?, out),
        Command::Flips(args) => ledger::flips(args, out),
        Command::Agents(args) if args.check.is_some() => {
            check_agents::run(&config(Asks::Agents, out)?, args, out)
        }
        Command::Agents(args) => ledger::agents(args, out),
        Command::Agent(args) => ledger::agent(args, out),
        Command::Summary(args) => ledger::summary(args, out),
        Command::Knowledge(args) => ledger::knowledge(args, &config(Asks::Models, out)?, out),
        Command::Db(args) => ledger::database(args, &config(Asks::Models, out)?, out),
        Command::Reconcile(args) => {
            reconcile::run(&ReconcilePlan::new(args, &config(Asks::Agents, out)?)?, out)
        }
        Command::Rubric(args) => rubric::run(&args.command, &config(Asks::Models, out)?, out),
        Command::Read(args) => read::run(&ReadPlan::new(args)?, out),
        Command::Compare(args) => {
            compare::run(&ComparePlan::new(args, &config(Asks::Models, out)?)?, out)
        }
        Command::Beliefs(args) => beliefs::run(args, out),
        Command::Score(args) => score::run(args, &config(Asks::Models, out)?, out),
        Command::Formats(args) => formats::run(args, out),
        Command::Config(args) => show_config::run(&config(Asks::Nobody, out)?, args.format, out),
        Command::ModelWorker(args) => model_worker(args, out),
    }
}
