//! From what the user named to the files to read, in a fixed order.

mod source;
mod stdin;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rebuttal_model::{Problem, ProblemKind};

use rebuttal_report::problems::Origin;
use rebuttal_text::one_line;

pub use source::Source;
pub use stdin::{Bounded, stdin};

/// What stdin is called in results.
pub const STDIN: &str = "stdin";

/// Deepest folder visited. Real log folders stay below ten; a deeper one is a mistake.
const FOLDER_DEPTH: usize = 64;

/// One thing to read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// Whatever is piped in.
    Stdin,
    /// A file.
    File(PathBuf, Origin),
    /// A path that leads nowhere; reported in its turn, like any other problem.
    Missing(Problem),
}

/// What there is to read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// All of it, in order.
    pub inputs: Vec<Input>,
    /// Further mentions of files that are in `inputs` already.
    pub repeated: Vec<String>,
    /// Where in `inputs` a file is, by its canonical path.
    places: HashMap<PathBuf, usize>,
}

impl Input {
    /// How it came to be read.
    pub fn origin(&self) -> Origin {
        match self {
            Self::File(_, origin) => *origin,
            Self::Stdin | Self::Missing(_) => Origin::Named,
        }
    }

    /// What results call it.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => STDIN.to_owned(),
            Self::File(path, _) => path.display().to_string(),
            Self::Missing(problem) => problem.file.to_string(),
        }
    }
}

/// All files behind `paths`: files and stdin in the order given, folders sorted by name.
///
/// `except` is the file the result goes to: it may lie in a folder that is read, and must not be
/// read back.
pub fn find(paths: &[PathBuf], except: Option<&Path>) -> Found {
    let except = except.and_then(|path| fs::canonicalize(path).ok());
    let mut found = Found::default();
    for path in paths {
        if path.as_os_str() == "-" {
            // Stdin can be read once; a second mention would only ever be empty.
            if !found.inputs.contains(&Input::Stdin) {
                found.inputs.push(Input::Stdin);
            }
        } else {
            named(path, except.as_deref(), &mut found);
        }
    }
    found
}

impl Found {
    /// One more file. A file met before, by whatever path, is not read again: its findings would
    /// count twice.
    fn file(&mut self, path: PathBuf, origin: Origin) {
        if let Ok(canonical) = fs::canonicalize(&path) {
            if let Some(place) = self.places.get(&canonical) {
                if let Some(Input::File(_, first)) = self.inputs.get_mut(*place)
                    && origin == Origin::Named
                {
                    *first = Origin::Named;
                }
                self.repeated.push(path.display().to_string());
                return;
            }
            self.places.insert(canonical, self.inputs.len());
        }
        self.inputs.push(Input::File(path, origin));
    }
}

/// A path the user named: a folder is searched, anything else is taken at its word.
fn named(path: &Path, except: Option<&Path>, found: &mut Found) {
    match fs::metadata(path) {
        Err(error) => found.inputs.push(missing(path, &error)),
        Ok(metadata) if metadata.is_dir() => {
            let before = found.inputs.len() + found.repeated.len();
            folder(path, except, FOLDER_DEPTH, found);
            if found.inputs.len() + found.repeated.len() == before {
                let message = "the folder holds no files; hidden files and folders are skipped";
                found.inputs.push(problem(path, ProblemKind::Empty, message.to_owned()));
            }
        }
        Ok(_) => found.file(path.to_owned(), Origin::Named),
    }
}

/// The files in a folder and below, sorted, without hidden ones. Linked folders are not followed:
/// they may lead back up.
fn folder(path: &Path, except: Option<&Path>, depth: usize, found: &mut Found) {
    let Some(depth) = depth.checked_sub(1) else {
        let message = format!("folders are visited to a depth of {FOLDER_DEPTH}; name it directly");
        found.inputs.push(problem(path, ProblemKind::Limit, message));
        return;
    };
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found.inputs.push(missing(path, &error)),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        match entry.file_type() {
            Err(error) => found.inputs.push(missing(&path, &error)),
            Ok(kind) if kind.is_dir() => folder(&path, except, depth, found),
            Ok(_) if is_wanted(&path, except) => found.file(path, Origin::Folder),
            Ok(_) => {}
        }
    }
}

/// True for regular files, linked or not, except the one the result goes to. A pipe or device in a
/// folder could keep us waiting forever.
fn is_wanted(path: &Path, except: Option<&Path>) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let is_result = except
        .is_some_and(|except| fs::canonicalize(path).is_ok_and(|canonical| canonical == except));
    is_file && !is_result
}

/// A path that cannot be read.
fn missing(path: &Path, error: &io::Error) -> Input {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied; check who may read it".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    problem(path, ProblemKind::Unreadable, message)
}

fn problem(path: &Path, kind: ProblemKind, message: String) -> Input {
    let name = path.display().to_string();
    Input::Missing(Problem::new(one_line(&name), kind, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: &Found) -> Vec<String> {
        found.inputs.iter().map(Input::name).collect()
    }

    #[test]
    fn a_file_is_read_once_by_whatever_name() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a.json");
        fs::write(&path, "{}").unwrap();
        let found = find(&[root.path().to_owned(), root.path().join("./a.json")], None);
        assert_eq!(found.inputs, [Input::File(path, Origin::Named)]);
        assert_eq!(found.repeated.len(), 1);
    }

    #[test]
    fn folders_are_sorted_and_hidden_files_skipped() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["b", ".git"] {
            fs::create_dir(path(folder)).unwrap();
        }
        for file in ["c.json", "b/2.json", "b/1.json", ".git/x.json", ".hidden", "out.json"] {
            fs::write(path(file), "{}").unwrap();
        }
        let found = find(&[root.path().to_owned()], Some(&path("out.json")));
        let wanted = ["b/1.json", "b/2.json", "c.json"];
        assert_eq!(names(&found), wanted.map(|name| path(name).display().to_string()));
    }

    #[test]
    fn a_missing_path_keeps_its_place() {
        let found = find(&["-".into(), "no/such".into(), "-".into()], None);
        assert_eq!(names(&found), ["stdin", "no/such"]);
    }
}
