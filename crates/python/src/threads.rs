//! Work beside the interpreter: the threads it runs on, and waiting that Ctrl-C ends.
//!
//! Threads do not come along when a process forks. One that was forked after they were started is told
//! so, instead of waiting for them for ever.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::error::RebuttalError;

/// How often somebody who waits looks for Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(50);

/// The process that started threads; 0 while none has.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Kept until the process ends: work may be under way whenever Python exits.
static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);

/// Makes sure that threads started here run here.
pub(crate) fn own() -> PyResult<()> {
    let here = process::id();
    match OWNER.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed) {
        Err(owner) if owner != here => Err(RebuttalError::new_err(
            "this process was forked from one in which rebuttal had started its threads, and they did \
             not come along; start workers with multiprocessing's \"spawn\" or \"forkserver\" method, or \
             use rebuttal in the worker only",
        )),
        _ => Ok(()),
    }
}

/// The runtime that debates and databases run in.
pub(crate) fn runtime() -> PyResult<Handle> {
    own()?;
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = &*runtime {
        return Ok(runtime.handle().clone());
    }
    let built = Builder::new_multi_thread().enable_all().thread_name("rebuttal").build()?;
    Ok(runtime.insert(built).handle().clone())
}

/// Runs this in the runtime and waits for it, with the interpreter free for others. Ctrl-C ends the
/// waiting, and the work where it waits for something.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    work: impl Future<Output = T> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::channel();
    let task = runtime()?.spawn(async move { sender.send(work.await).ok() });
    loop {
        let waited;
        (receiver, waited) = py.detach(move || {
            let waited = receiver.recv_timeout(SIGNALS);
            (receiver, waited)
        });
        match waited {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| task.abort())?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                let message = "the work broke off; please report it, with what was asked";
                return Err(RebuttalError::new_err(message));
            }
        }
    }
}

/// Computes this beside the interpreter, and waits for it.
pub(crate) fn compute<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let done = wait(py, async { tokio::task::spawn_blocking(work).await })?;
    done.map_err(|error| RebuttalError::new_err(format!("the work broke off: {error}")))
}
