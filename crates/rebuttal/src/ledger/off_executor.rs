//! Work that computes as much as it waits: on a thread of its own, so that whoever drives the runtime is
//! not held up.

use tokio::runtime::Handle;

use crate::error::{Result, err};

/// Runs a job on a thread for blocking work. What it awaits is answered by the caller's runtime; what it
/// computes holds nobody up. The job goes on when the caller is dropped: it writes whole transactions.
pub(crate) async fn off_executor<T, F>(job: impl FnOnce() -> F + Send + 'static) -> Result<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T>>,
{
    let runtime = Handle::current();
    let done = tokio::task::spawn_blocking(move || runtime.block_on(job())).await;
    done.unwrap_or_else(|error| Err(err!(Other; "the work on the ledger stopped: {error}")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// One thread drives the runtime; a job that computes for long must leave it to others.
    #[tokio::test(flavor = "current_thread")]
    async fn a_job_that_computes_holds_nobody_up() {
        let (told, mut heard) = tokio::sync::oneshot::channel();
        let (free, waits) = std::sync::mpsc::channel::<()>();
        let job = off_executor(move || async move {
            told.send(()).ok();
            // Computes until the other task says that it ran.
            waits.recv_timeout(Duration::from_secs(20)).map_err(|_| err!(Other; "held up"))?;
            Ok(7)
        });
        let beside = async {
            (&mut heard).await.ok();
            free.send(()).ok();
        };
        let (done, ()) = tokio::join!(job, beside);
        assert_eq!(done.unwrap(), 7);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_job_that_panics_is_an_error() {
        let done: Result<()> = off_executor(|| async { panic!("the detector broke") }).await;
        assert!(done.unwrap_err().to_string().contains("stopped"));
    }
}
