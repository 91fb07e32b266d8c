//! The threads that requests run on, so that callers may block anywhere.

use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinError, JoinHandle};

/// Threads of their own. Requests of all callers run on them side by side.
#[derive(Debug)]
pub(crate) struct Worker {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Worker {
    /// The threads of everybody. Waiting for servers takes no time of its own, so two are enough
    /// for all: one goes on while the other reads a long reply.
    pub(crate) fn shared() -> io::Result<Arc<Self>> {
        static SHARED: Mutex<Weak<Worker>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(worker) = shared.upgrade() {
            return Ok(worker);
        }
        let worker = Arc::new(Self::start()?);
        *shared = Arc::downgrade(&worker);
        Ok(worker)
    }

    /// Starts the thread with the runtime on which requests run.
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("rebuttal-llm")
            .enable_all()
            .build()?;
        Ok(Self { runtime: Some(runtime) })
    }

    /// Runs `work` and waits for it, which is allowed where `block_on` would panic. `None` if the
    /// thread ended first.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = mpsc::channel();
        self.runtime.as_ref()?.spawn(async move {
            // Nobody listens when the caller's thread is gone.
            sender.send(work.await).ok();
        });
        receiver.recv().ok()
    }
}

impl Worker {
    /// Runs `work` while whoever asked for it goes on, or waits without a thread of their own.
    /// `None` if the thread ended.
    pub(crate) fn begin<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<Task<T>> {
        Some(Task(self.runtime.as_ref()?.spawn(work)))
    }
}

/// Work under way, which ends when nobody waits for it any longer.
#[derive(Debug)]
pub(crate) struct Task<T>(JoinHandle<T>);

impl<T> Task<T> {
    /// Waits for its end, wherever that is awaited.
    pub(crate) async fn result(mut self) -> Result<T, JoinError> {
        (&mut self.0).await
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // An ordinary drop waits for the thread, and panics inside an async runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
