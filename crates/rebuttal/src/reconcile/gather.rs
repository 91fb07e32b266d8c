//! All reports of all inputs, in order, and what was wrong with them.

use std::collections::BTreeSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rebuttal_model::{Problem, ProblemKind, Report};
use rebuttal_policy::Authority;
use rebuttal_transcripts::{Format, ReadOptions, read_reports, read_reports_path};

use rebuttal_report::problems::{FileProblems, Gravity, Origin, Strictness};
use rebuttal_text::visible;

use crate::inputs::Input;

/// What was read.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The reports, in order.
    pub reports: Vec<Report>,
    /// What was wrong, with what it means for the run.
    pub problems: Vec<(Problem, Gravity)>,
    /// Files looked at.
    pub files: usize,
    /// Files found in folders in no known format.
    pub skipped: usize,
}

/// Reads everything.
pub fn gather(
    inputs: &[Input],
    from: Option<Format>,
    (authority, authority_problems): (&Authority, &[Problem]),
    strictness: Strictness,
) -> Gathered {
    let mut gathered = Gathered::default();
    let mut policy = FileProblems::new(Origin::Named);
    if *authority != Authority::default() {
        policy.transcript();
    }
    for problem in authority_problems {
        policy.push(problem.clone());
    }
    gathered.weigh(&policy, strictness);
    for input in inputs {
        let mut file = FileProblems::new(input.origin());
        let (reports, problems) = read(input, from);
        for _ in &reports {
            file.transcript();
        }
        for problem in problems {
            file.push(problem);
        }
        gathered.files += 1;
        gathered.skipped += usize::from(file.is_skipped());
        gathered.reports.extend(reports);
        gathered.weigh(&file, strictness);
    }
    gathered
}

impl Gathered {
    fn weigh(&mut self, file: &FileProblems, strictness: Strictness) {
        let weighed = file.weighed(strictness);
        self.problems.extend(weighed.map(|(problem, gravity)| (problem.clone(), gravity)));
    }

    /// What the reports turned out to say; nothing of it was left out.
    pub fn warn_of(&mut self, problems: &[Problem]) {
        let warned = problems.iter().map(|problem| (problem.clone(), Gravity::Warning));
        self.problems.extend(warned);
    }

    /// One agent alone contradicts nobody; somebody who gave two files should hear it.
    pub fn warn_of_one_agent(&mut self) {
        let agents: BTreeSet<_> = self.reports.iter().map(|report| &report.agent).collect();
        let (Some(report), 1) = (self.reports.first(), agents.len()) else { return };
        let file = report.source.as_ref().map_or_else(|| "input".into(), |it| it.file.clone());
        let message = format!(
            "all reports are by {}, so there is nobody to contradict; `agent` names who a report is by",
            report.agent
        );
        self.problems.push((Problem::new(file, ProblemKind::Empty, message), Gravity::Warning));
    }
}

/// All reports of one input. Reading may not fail; should it stumble, that costs one file.
fn read(input: &Input, from: Option<Format>) -> (Vec<Report>, Vec<Problem>) {
    let options = ReadOptions { from, ..ReadOptions::default() };
    let name = visible(&input.name()).into_owned();
    let read = || match input {
        Input::Missing(problem) => (Vec::new(), vec![problem.clone()]),
        Input::Stdin => read_reports(&name, io::stdin().lock(), &options),
        Input::File(path, _) => read_reports_path(path, &options),
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        let message = "rebuttal stumbled over this file; please report it with the message above";
        (Vec::new(), vec![Problem::new(name.as_str(), ProblemKind::Unreadable, message)])
    })
}
