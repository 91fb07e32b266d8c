//! Every module says what it is for.

use crate::files::TextFile;

/// A module must open with `//!`.
pub(super) fn check(file: &TextFile) -> Option<String> {
    let opens = file.text.lines().find(|line| !line.trim().is_empty());
    let says = opens.is_some_and(|line| line.starts_with("//!") || line.starts_with("#!"))
        && file.text.lines().any(|line| line.starts_with("//!"));
    (!says).then(|| format!("{}: the module does not open with `//!`", file.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> bool {
        check(&TextFile { path: "a.rs".to_owned(), text: text.to_owned() }).is_some()
    }

    #[test]
    fn a_module_opens_with_its_purpose() {
        assert!(!wrong("//! What it is for.\nfn main() {}\n"));
        assert!(!wrong("#![no_main]\n//! A fuzz target.\n"));
        assert!(wrong("fn main() {}\n//! Too late.\n"));
        assert!(wrong(""));
    }
}
