//! Python packages that tests need, each set in an environment of its own below `target/`.

use std::path::Path;

use crate::process::Step;
use crate::say;

/// An environment with packages from the index that pip is set to.
struct Environment {
    /// Its folder below `target/`.
    folder: &'static str,
    packages: &'static [&'static str],
    used_for: &'static str,
}

const ENVIRONMENTS: [Environment; 2] = [TOOLS_OF_MCP, PACKAGE];

const TOOLS_OF_MCP: Environment = Environment {
    folder: "python-mcp",
    packages: &["mcp>=2.3,<3"],
    used_for: "the tests of `rebuttal mcp` with a real client",
};

/// What the Python package is tested with, each adapter against the real thing.
const PACKAGE: Environment = Environment {
    folder: "python-tests",
    packages: &[
        "aragora-debate==0.2.3",
        "autogen-agentchat==0.7.5",
        "duckdb==2.0.0",
        "ipykernel==7.4.0",
        "langchain-core==1.7.2",
        "langgraph==1.2.22",
        "mypy==2.4.1",
        "nbclient==0.11.0",
        "nbformat==5.11.1",
        "openai-agents==0.24.0",
        "pandas==3.1.1",
        "polars==2.1.0",
        "pyarrow==26.0.1",
        "pytest==9.2.0",
    ],
    used_for: "the tests of the Python package",
};

/// Makes the environments that are missing.
pub(super) fn install(target: &Path) {
    for environment in &ENVIRONMENTS {
        let Environment { folder, packages, used_for } = environment;
        let packages_shown = packages.join(" ");
        if is_there(&target.join(folder), packages) {
            say::line(format_args!("setup: {packages_shown} is there"));
            continue;
        }
        say::line(format_args!("setup: pip install {packages_shown} in target/{folder}"));
        if let Err(error) = make(&target.join(folder), packages) {
            say::warn(format_args!(
                "{packages_shown} could not be installed ({error:#}); until it is, what needs it is skipped: \
                 {used_for}"
            ));
        }
    }
}

/// Whether pip has nothing left to do: it says so without asking the index where all is there.
fn is_there(environment: &Path, packages: &[&str]) -> bool {
    let pip = Step::new(environment.join("bin/python"));
    let pip = pip.args(["-m", "pip", "install", "--quiet", "--no-index"]).args(packages);
    pip.output().is_ok()
}

fn make(environment: &Path, packages: &[&str]) -> anyhow::Result<()> {
    Step::new("python3").args(["-m", "venv"]).args([environment]).output()?;
    let pip = Step::new(environment.join("bin/python"));
    let quiet = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:"];
    pip.args(quiet).args(packages).output().map(drop)
}
