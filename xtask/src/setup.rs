//! `cargo xtask setup`: installs what the tests need, by package name, where it is missing.
//!
//! Nothing here is needed to build or run the product. What cannot be installed is named, and the
//! tests that need it say that they were skipped.

mod python;

use std::path::Path;

use crate::files;
use crate::metadata::Metadata;
use crate::process::{Step, is_installed};
use crate::say;

/// A program that some test needs.
struct Tool {
    /// Any of these will do.
    programs: &'static [&'static str],
    /// The Debian package that has it.
    package: &'static str,
    used_for: &'static str,
}

const TOOLS: [Tool; 5] = [
    Tool { programs: &["g++", "c++"], package: "g++", used_for: "the fuzz targets" },
    Tool {
        programs: &["chromium", "chromium-browser", "google-chrome"],
        package: "chromium",
        used_for: "the tests of the pages, and the README's pictures",
    },
    Tool {
        programs: &["chromedriver"],
        package: "chromium-driver",
        used_for: "the tests that do what a person does on the server's page",
    },
    Tool { programs: &["valgrind"], package: "valgrind", used_for: "instruction counts in bench" },
    Tool {
        // Debian keeps the server's programs away from the path.
        programs: &[
            "initdb",
            "/usr/lib/postgresql/15/bin/initdb",
            "/usr/lib/postgresql/16/bin/initdb",
            "/usr/lib/postgresql/17/bin/initdb",
        ],
        package: "postgresql",
        used_for: "the store's tests on PostgreSQL",
    },
];

/// Installs what is missing; never fails, because every test can do without by saying so.
pub(crate) fn run() {
    for component in ["rustfmt", "clippy"] {
        add_component(component);
    }
    install_nextest();
    let missing: Vec<&Tool> = TOOLS.iter().filter(|tool| !tool.is_there()).collect();
    install(&missing);
    match Metadata::load(&files::root()) {
        Ok(metadata) => python::install(Path::new(&metadata.target_directory)),
        Err(error) => say::warn(format_args!("no Python packages are installed: {error:#}")),
    }
}

/// True when tests can be run with nextest.
pub(crate) fn has_nextest() -> bool {
    let printed = Step::cargo(&["nextest", "--version"]).printed();
    printed.is_ok_and(|printed| printed.code == Some(0))
}

fn add_component(name: &str) {
    let subcommand = if name == "rustfmt" { "fmt" } else { name };
    let installed = Step::cargo(&[subcommand, "--version"]).printed();
    if installed.is_ok_and(|printed| printed.code == Some(0)) {
        say::line(format_args!("setup: {name} is there"));
        return;
    }
    say::line(format_args!("setup: rustup component add {name}"));
    if let Err(error) = Step::new("rustup").args(["component", "add", name]).run() {
        say::warn(format_args!("{name} is missing and could not be added: {error:#}"));
    }
}

fn install_nextest() {
    if has_nextest() {
        say::line("setup: cargo-nextest is there");
        return;
    }
    say::line("setup: cargo install cargo-nextest --locked (a few minutes, once)");
    if let Err(error) = Step::cargo(&["install", "cargo-nextest", "--locked"]).run() {
        say::warn(format_args!("cargo-nextest could not be installed: {error:#}"));
    }
}

impl Tool {
    fn is_there(&self) -> bool {
        let installed = self.programs.iter().find(|program| is_installed(program));
        if let Some(program) = installed {
            say::line(format_args!("setup: {program} is there"));
        }
        installed.is_some()
    }
}

fn install(missing: &[&Tool]) {
    if missing.is_empty() {
        return;
    }
    let packages: Vec<&str> = missing.iter().map(|tool| tool.package).collect();
    if !Path::new("/etc/debian_version").exists() {
        return name(missing, "only Debian's package manager is known here");
    }
    say::line(format_args!("setup: apt-get install {}", packages.join(" ")));
    let installed =
        apt(&["install", "--yes", "--no-install-recommends"], &packages).or_else(|_| {
            // The list of packages may be missing or old.
            apt(&["update"], &[])?;
            apt(&["install", "--yes", "--no-install-recommends"], &packages)
        });
    if let Err(error) = installed {
        name(missing, &format!("{error:#}"));
    }
}

/// apt-get as root, or through sudo where that asks for no password.
fn apt(arguments: &[&str], packages: &[&str]) -> anyhow::Result<()> {
    let user = Step::new("id").args(["-u"]).output()?;
    let step = if user.stdout.trim() == "0" {
        Step::new("apt-get")
    } else {
        Step::new("sudo").args(["-n", "apt-get"])
    };
    let quiet = ["--quiet", "--quiet"];
    let step = step.env("DEBIAN_FRONTEND", "noninteractive").args(quiet);
    step.args(arguments).args(packages).output().map(drop)
}

/// Says what to install by hand, and what is skipped until then.
fn name(missing: &[&Tool], why: &str) {
    for tool in missing {
        say::warn(format_args!(
            "{} is missing ({why}); until you install it, what needs it is skipped: {}",
            tool.package, tool.used_for
        ));
    }
}
