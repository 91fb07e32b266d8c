//! The thread that requests run on, so that callers may block anywhere.

use std::future::Future;
use std::io;
use std::sync::mpsc;

use tokio::runtime::{Builder, Runtime};

/// A thread of its own. Requests of several callers run on it side by side.
#[derive(Debug)]
pub(crate) struct Worker {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Worker {
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
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

impl Drop for Worker {
    fn drop(&mut self) {
        // An ordinary drop waits for the thread, and panics inside an async runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
