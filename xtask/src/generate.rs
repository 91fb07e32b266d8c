//! `cargo xtask gen`: pastes real output into README.md and docs/.

use crate::console::{self, Shell};
use crate::files::{self, TextFile};
use crate::say;

/// Refreshes every generated block.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = files::root();
    let shell = Shell::new(&root)?;
    let mut changed = 0;
    for TextFile { path, text } in files::texts(&root)?.into_iter().filter(is_documentation) {
        if console::blocks(&text).iter().all(|block| block.generated_by.is_none()) {
            continue;
        }
        let fresh = console::refresh(&text, &shell)?;
        if fresh != text {
            files::write(&root.join(&path), &fresh)?;
            say::line(format_args!("gen: refreshed {path}"));
            changed += 1;
        }
    }
    say::line(format_args!("gen: {changed} files changed"));
    Ok(())
}

/// Pages for users: Markdown at the root and under docs/.
pub(crate) fn is_documentation(file: &TextFile) -> bool {
    file.has_extension("md") && (!file.path.contains('/') || file.path.starts_with("docs/"))
}
