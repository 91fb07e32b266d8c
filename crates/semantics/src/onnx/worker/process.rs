//! The worker as whoever asks it sees it.

use std::env;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::super::folder::bad;
use super::super::graph::Kind;
use super::{Answer, Question, Worker, WorkerLimits};
use crate::SemanticsError;

/// Of the environment, what a program may need to start at all.
const KEPT: [&str; 4] = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TMPDIR"];
/// Longest answer that is read: 64 vectors of the longest kind, in decimal digits, and to spare.
const ANSWER_BYTES: u64 = 64 << 20;
/// Most bytes kept of what a worker says as it dies.
const LAST_WORDS: u64 = 4096;

/// A worker that has loaded its model.
#[derive(Debug)]
pub(super) struct Process {
    id: String,
    folder: PathBuf,
    limits: WorkerLimits,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Running(Running),
    /// Why it does not run any more.
    Dead(String),
}

#[derive(Debug)]
struct Running {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<io::Result<Vec<u8>>>,
    last_words: Receiver<String>,
}

impl Process {
    pub(super) fn start(
        worker: &Worker,
        kind: Kind,
        folder: &Path,
        threads: usize,
    ) -> Result<Self, SemanticsError> {
        let limits = worker.limits;
        let running = Running::start(worker, kind, folder, threads)
            .map_err(|error| bad(folder, format!("no worker could be started for it: {error}")))?;
        let folder = folder.to_owned();
        let state = Mutex::new(State::Running(running));
        let mut process = Self { id: String::new(), folder, limits, state };
        match process.exchange(None)? {
            Answer::Ready(id) => process.id = id,
            _ => return Err(process.confused()),
        }
        Ok(process)
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The answer to a question; an error if the worker reports one, dies or takes too long.
    pub(super) fn ask(&self, question: &Question) -> Result<Answer, SemanticsError> {
        self.exchange(Some(question))
    }

    /// An answer to something that was not asked.
    pub(super) fn confused(&self) -> SemanticsError {
        bad(&self.folder, "its worker answered what was not asked".to_owned())
    }

    fn exchange(&self, question: Option<&Question>) -> Result<Answer, SemanticsError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let running = match &mut *state {
            State::Running(running) => running,
            State::Dead(why) => return Err(bad(&self.folder, why.clone())),
        };
        let answer = running.exchange(question, self.limits);
        match answer {
            Ok(Answer::Failed { name, reason }) => Err(SemanticsError::Model { name, reason }),
            Ok(answer) => Ok(answer),
            Err(why) => {
                // Whatever still runs is ended with this.
                *state = State::Dead(why.clone());
                Err(bad(&self.folder, why))
            }
        }
    }
}

impl Running {
    fn start(worker: &Worker, kind: Kind, folder: &Path, threads: usize) -> io::Result<Self> {
        let mut command = Command::new(&worker.program);
        command.args(&worker.arguments).arg(kind.name()).arg(folder);
        command.args([threads.to_string(), worker.limits.memory_bytes.to_string()]);
        let kept = KEPT.iter().filter_map(|name| Some((*name, env::var_os(name)?)));
        command.env_clear().envs(kept);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let missing = || io::Error::other("it has no pipes");
        let questions = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let (send, answers) = sync_channel(1);
        thread::Builder::new().spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                let read = stdout.by_ref().take(ANSWER_BYTES).read_until(b'\n', &mut line);
                let ended = !matches!(read, Ok(1..));
                if send.send(read.map(|_| line)).is_err() || ended {
                    break;
                }
            }
        })?;
        let (send, last_words) = sync_channel(1);
        thread::Builder::new().spawn(move || {
            let mut said = Vec::new();
            let mut stderr = stderr;
            // What cannot be read was not said.
            stderr.by_ref().take(LAST_WORDS).read_to_end(&mut said).ok();
            send.send(String::from_utf8_lossy(&said).into_owned()).ok();
            io::copy(&mut stderr, &mut io::sink()).ok();
        })?;
        Ok(Self { child, questions, answers, last_words })
    }

    fn exchange(
        &mut self,
        question: Option<&Question>,
        limits: WorkerLimits,
    ) -> Result<Answer, String> {
        if let Some(question) = question {
            let mut line = serde_json::to_vec(question).map_err(|error| error.to_string())?;
            line.push(b'\n');
            let sent = self.questions.write_all(&line).and_then(|()| self.questions.flush());
            if sent.is_err() {
                return Err(self.died(limits));
            }
        }
        match self.answers.recv_timeout(limits.time) {
            Ok(Ok(line)) if line.is_empty() => Err(self.died(limits)),
            Ok(Ok(line)) => serde_json::from_slice(&line)
                .map_err(|error| format!("its worker gave no answer: {error}")),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.died(limits)),
            Err(RecvTimeoutError::Timeout) => Err(format!(
                "took longer than {} s to compute, and was stopped; is this a text model of a usual \
                 size?",
                limits.time.as_secs()
            )),
        }
    }

    /// Why the worker is gone.
    fn died(&mut self, limits: WorkerLimits) -> String {
        self.end();
        let said = self.last_words.recv().unwrap_or_default();
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let said: String = said.chars().filter(|c| !c.is_control()).take(200).collect();
        let megabytes = limits.memory_bytes >> 20;
        format!(
            "cannot be run: its worker ended ({said}); a model may use {megabytes} MB beside its files"
        )
    }

    fn end(&mut self) {
        // Nothing more can be done about a process that does not even die.
        self.child.kill().and_then(|()| self.child.wait()).ok();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
