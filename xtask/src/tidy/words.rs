//! What may not stand in a committed file: paths of one machine, mirrors, unfinished work.

use crate::config::Config;
use crate::files::TextFile;

/// The file that lists the forbidden words has to spell them.
const THE_LIST: &str = "tidy.toml";

/// Forbidden words, by line.
pub(super) fn check(file: &TextFile, config: &Config) -> Vec<String> {
    if file.path == THE_LIST {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        for (word, why) in forbidden(line, file, config) {
            if !allowed(file, &word, config) {
                problems.push(format!("{}:{}: `{word}`: {why}", file.path, number + 1));
            }
        }
    }
    problems
}

fn forbidden(line: &str, file: &TextFile, config: &Config) -> Vec<(String, &'static str)> {
    let words = &config.words;
    let folders = words.machine_folders.iter().map(|folder| format!("/{folder}/"));
    let mut found: Vec<(String, &'static str)> = folders
        .filter(|folder| has_absolute(line, folder))
        .map(|folder| (folder, "a path of one machine"))
        .collect();
    let hosts = words.registry_hosts.iter().filter(|host| line.contains(host.as_str()));
    found.extend(hosts.map(|host| (host.clone(), "which mirror is nobody's business")));
    if file.has_extension("rs") {
        let marks = words.unfinished.iter().filter(|mark| has_word(line, mark));
        found.extend(marks.map(|mark| (mark.clone(), "finish it, or open an issue")));
    }
    found
}

/// True when `folder` starts a path: not where it stands inside a longer one or an address.
fn has_absolute(line: &str, folder: &str) -> bool {
    let starts_path = |at: usize| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        before.is_none_or(|letter| !letter.is_alphanumeric() && !"_.-/~*}".contains(letter))
    };
    line.match_indices(folder).any(|(at, _)| starts_path(at))
}

/// True when `word` stands alone: not inside a longer word.
fn has_word(line: &str, word: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|text| text.chars().next());
        let inside = word.starts_with(part) && before.is_some_and(part)
            || word.ends_with(part) && after.is_some_and(part);
        !inside
    })
}

fn allowed(file: &TextFile, word: &str, config: &Config) -> bool {
    config.allowed_word.iter().any(|exception| {
        let covers = file.path == exception.file
            || file.path.strip_prefix(&exception.file).is_some_and(|rest| rest.starts_with('/'));
        covers && exception.word == word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "
[words]
machine_folders = [\"attic\"]
registry_hosts = [\"mirror.example\"]
unfinished = [\"LATER\", \"#[skip\"]

[[allowed_word]]
file = \"fixtures\"
word = \"/attic/\"
reason = \"a fixture quotes it\"
";

    fn found(path: &str, line: &str) -> usize {
        let config: Config = toml::from_str(CONFIG).unwrap();
        check(&TextFile { path: path.to_owned(), text: line.to_owned() }, &config).len()
    }

    #[test]
    fn machine_paths() {
        assert_eq!(found("a.md", "cd /attic/x"), 1);
        assert_eq!(found("a.md", "\"/attic/x\""), 1);
        assert_eq!(found("a.md", "https://example.org/attic/x"), 0);
        assert_eq!(found("a.md", "crates/attic/x and ../attic/y"), 0);
        assert_eq!(found("fixtures/a.md", "cd /attic/x"), 0);
        assert_eq!(found("fixtures-2/a.md", "cd /attic/x"), 1);
    }

    #[test]
    fn mirrors_anywhere() {
        assert_eq!(found("Cargo.lock", "source = \"https://mirror.example/index\""), 1);
        assert_eq!(found("tidy.toml", "mirror.example"), 0);
    }

    #[test]
    fn unfinished_work_in_rust_only() {
        assert_eq!(found("a.rs", "// LATER: finish"), 1);
        assert_eq!(found("a.rs", "COLLATERAL"), 0);
        assert_eq!(found("a.rs", "#[skip = \"slow\"]"), 1);
        assert_eq!(found("a.md", "LATER"), 0);
    }
}
