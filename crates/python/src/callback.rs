//! Calls into Python, one after the other on a thread of their own: whoever runs a debate never waits for
//! the interpreter.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;

type Job = Box<dyn FnOnce(Python<'_>) + Send>;

static QUEUE: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// Calls Python later, after everything that was to be called before. Nothing is called once the
/// interpreter ends.
pub(crate) fn later(job: impl FnOnce(Python<'_>) + Send + 'static) {
    let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut job: Job = Box::new(job);
    if let Some(sender) = &*queue {
        match sender.send(job) {
            Ok(()) => return,
            Err(unsent) => job = unsent.0,
        }
    }
    if let Some(sender) = start() {
        sender.send(job).ok();
        *queue = Some(sender);
    }
}

/// Calls a Python function with one text, later. One that raises is reported as Python does where
/// nobody can catch it.
pub(crate) fn tell(call: &Py<PyAny>, text: String) {
    let call = Python::try_attach(|py| call.clone_ref(py));
    let Some(call) = call else { return };
    later(move |py| {
        if let Err(error) = call.call1(py, (text,)) {
            error.write_unraisable(py, Some(call.bind(py)));
        }
    });
}

fn start() -> Option<Sender<Job>> {
    let (sender, jobs) = channel::<Job>();
    let thread = thread::Builder::new().name("rebuttal-python".to_owned());
    let work = move || {
        while let Ok(first) = jobs.recv() {
            // Whatever waits is called while the interpreter is ours: getting it is the slow part.
            let alive = Python::try_attach(|py| {
                first(py);
                while let Ok(next) = jobs.try_recv() {
                    next(py);
                }
            });
            if alive.is_none() {
                return;
            }
        }
    };
    thread.spawn(work).ok().map(|_| sender)
}
