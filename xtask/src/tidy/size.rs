//! One idea per file, one screen per function.
//!
//! Counts lines of rustfmt-formatted code: a function ends at the first line that closes a brace at
//! the indentation it started with.

use crate::config::Config;
use crate::files::TextFile;

/// Longer files without their tests are probably two ideas: a warning.
const FILE_LINES_SOFT: usize = 500;
/// Longer files, tests included, fail.
const FILE_LINES_HARD: usize = 800;
/// Longer functions fail: they do not fit a screen.
const FUNCTION_LINES: usize = 70;

/// Files and functions that are too long.
pub(super) fn check(file: &TextFile, config: &Config) -> Vec<String> {
    let mut problems = Vec::new();
    let lines = file.text.lines().count();
    let limit = limit(file, None, FILE_LINES_HARD, config);
    if lines > limit {
        problems.push(format!("{}: {lines} lines, more than {limit}", file.path));
    }
    for function in functions(&file.text) {
        let limit = self::limit(file, Some(function.name), FUNCTION_LINES, config);
        if function.lines > limit {
            let Function { name, line, lines } = function;
            problems.push(format!(
                "{}:{line}: `{name}` has {lines} lines, more than {limit}",
                file.path
            ));
        }
    }
    problems
}

/// Files that are about to become too long.
pub(super) fn warnings(file: &TextFile, config: &Config) -> Option<String> {
    let shipped = file.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
    let limit = limit(file, None, FILE_LINES_SOFT, config);
    (shipped > limit)
        .then(|| format!("{}: {shipped} lines without tests, better at most {limit}", file.path))
}

/// The usual limit, or the exception's.
fn limit(file: &TextFile, function: Option<&str>, usual: usize, config: &Config) -> usize {
    let exception = config
        .long
        .iter()
        .find(|long| long.file == file.path && long.function.as_deref() == function);
    exception.map_or(usual, |long| long.lines.max(usual))
}

#[derive(Debug, PartialEq, Eq)]
struct Function<'t> {
    name: &'t str,
    /// Where it starts, counted from 1.
    line: usize,
    lines: usize,
}

fn functions(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let rest = lines.get(index..).unwrap_or_default();
        if let Some(lines) = length(rest) {
            functions.push(Function { name, line: index + 1, lines });
        }
    }
    functions
}

/// The name in `pub(crate) const fn name(…`.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let qualifiers = ["pub", "const", "async", "unsafe", "extern"];
    let only_qualifiers = before.split_whitespace().all(|word| {
        qualifiers.iter().any(|known| word.starts_with(known))
            || word.starts_with("in") // pub(in path)
            || word.starts_with('"') // extern "C"
    });
    let end = after.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    (only_qualifiers && (before.is_empty() || before.ends_with(' '))).then(|| after.get(..end))?
}

/// How many lines the function that starts the slice has; `None` for a declaration.
fn length(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?;
    let indentation = first.len() - first.trim_start().len();
    for (index, line) in lines.iter().enumerate() {
        let code = line.trim_end();
        let same_depth = line.len() - line.trim_start().len() == indentation;
        if index == 0 && code.ends_with('}') {
            return Some(1);
        }
        if same_depth && index > 0 && code.trim_start() == "}" {
            return Some(index + 1);
        }
        if same_depth && code.ends_with(';') {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TextFile {
        TextFile { path: "a.rs".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn functions_and_their_length() {
        let text = "\
fn short() {}
pub(crate) const fn shape(
    a: u32,
) -> u32 {
    a
}
trait T {
    fn declared(&self);
    async fn inside(&self) {
        if true {
        }
    }
}
// an fn in a comment (
let not_fn = 1;
";
        let found: Vec<(&str, usize, usize)> =
            functions(text).iter().map(|it| (it.name, it.line, it.lines)).collect();
        assert_eq!(found, [("short", 1, 1), ("shape", 2, 5), ("inside", 9, 4)]);
    }

    #[test]
    fn long_functions_fail_unless_excepted() {
        let text = format!("fn long() {{\n{}}}\n", "    x();\n".repeat(70));
        let found = check(&file(&text), &Config::default());
        assert_eq!(found, ["a.rs:1: `long` has 72 lines, more than 70"]);
        let config: Config = toml::from_str(
            "[[long]]\nfile = \"a.rs\"\nfunction = \"long\"\nlines = 72\nreason = \"a table\"",
        )
        .unwrap();
        assert_eq!(check(&file(&text), &config), [""; 0]);
    }

    #[test]
    fn long_files_warn_without_tests_and_fail_with_them() {
        let tests = format!("{}#[cfg(test)]\n{}", "\n".repeat(500), "\n".repeat(299));
        assert_eq!(warnings(&file(&tests), &Config::default()), None);
        assert_eq!(check(&file(&tests), &Config::default()), [""; 0]);
        assert!(warnings(&file(&"\n".repeat(501)), &Config::default()).is_some());
        assert_eq!(check(&file(&"\n".repeat(801)), &Config::default()).len(), 1);
    }
}
