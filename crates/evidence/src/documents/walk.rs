//! Which files are meant by the paths that were given.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use rebuttal_model::{Problem, ProblemKind};

use crate::limits;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Given outright, and not found in a folder.
    pub(super) named: bool,
}

/// The files, those of a folder in the order of their names. Hidden files and links in folders are passed
/// over: a link may lead out of what was given, or back into it.
pub(super) fn files(paths: &[PathBuf], most: usize) -> (Vec<Found>, Vec<Problem>) {
    let mut walk = Walk { found: Vec::new(), problems: Vec::new(), most, entries: 0, links: 0 };
    for path in paths {
        if path.is_dir() {
            walk.folder(path, 0);
        } else {
            walk.found.push(Found { path: path.clone(), named: true });
        }
        if walk.links > 0 {
            let message =
                format!("{} links in it are not followed; name what they lead to", walk.links);
            walk.tell(path, ProblemKind::Limit, message);
            walk.links = 0;
        }
        if walk.is_full() {
            let message = format!(
                "more than {most} files; the rest is left out. Name the folders that matter"
            );
            walk.tell(path, ProblemKind::Limit, message);
            break;
        }
    }
    walk.found.truncate(most);
    // What was given twice is read once.
    let mut kept = HashSet::new();
    walk.found.retain(|it| kept.insert(it.path.clone()));
    (walk.found, walk.problems)
}

struct Walk {
    found: Vec<Found>,
    problems: Vec<Problem>,
    most: usize,
    /// Names looked at, files or not.
    entries: usize,
    links: usize,
}

impl Walk {
    fn is_full(&self) -> bool {
        self.found.len() > self.most || self.entries > limits::ENTRIES
    }

    fn tell(&mut self, path: &Path, kind: ProblemKind, message: String) {
        self.problems.push(Problem::new(&*path.to_string_lossy(), kind, message));
    }

    fn folder(&mut self, folder: &Path, depth: usize) {
        if depth > limits::DEPTH {
            let message = format!("is more than {} folders deep and left out", limits::DEPTH);
            return self.tell(folder, ProblemKind::Limit, message);
        }
        let listed = match fs::read_dir(folder) {
            Ok(listed) => listed,
            Err(error) => {
                let message = format!("cannot be listed: {error}");
                return self.tell(folder, ProblemKind::Unreadable, message);
            }
        };
        // Names are taken up to the limit: a folder of a million is not listed to its end.
        let room = limits::ENTRIES.saturating_sub(self.entries) + 1;
        let mut entries: Vec<(PathBuf, fs::FileType)> = listed
            .flatten()
            .take(room)
            .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
            .filter_map(|entry| Some((entry.path(), entry.file_type().ok()?)))
            .collect();
        self.entries += entries.len();
        entries.sort_unstable_by(|one, two| one.0.cmp(&two.0));
        for (path, kind) in entries {
            if self.is_full() {
                return;
            }
            if kind.is_symlink() {
                self.links += 1;
            } else if kind.is_dir() {
                self.folder(&path, depth + 1);
            } else if kind.is_file() {
                self.found.push(Found { path, named: false });
            }
        }
    }
}
