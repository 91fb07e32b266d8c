//! One agent asked apart from everything else: what it does wrong costs its own vote only.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{Either, select};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::agent::{AgentError, Ask, Responder, Response, RunsOn};

/// Asks, and waits no longer than `timeout`. Whoever drops the future ends the asking.
pub(super) async fn ask(
    responder: Arc<dyn Responder>,
    ask: Ask,
    timeout: Duration,
) -> Result<Response, AgentError> {
    let (sender, answer) = oneshot::channel();
    // Dropped with this future, which ends the work where it can be ended.
    let (_alive, gone) = oneshot::channel::<()>();
    let runs_on = responder.runs_on();
    let work = async move {
        let responding = async { responder.respond(&ask).await };
        let caught = AssertUnwindSafe(responding).catch_unwind();
        if let Either::Left((answered, _)) = select(Box::pin(caught), gone).await {
            // Whoever does not wait any more wants no answer.
            sender.send(answered.unwrap_or_else(|panic| Err(panicked(&*panic)))).ok();
        }
    };
    let runtime = Handle::current();
    match runs_on {
        RunsOn::Runtime => drop(runtime.spawn(work)),
        // Not a blocking task of the runtime: the runtime could not end while one of them is stuck.
        RunsOn::OwnThread => {
            let thread = thread::Builder::new().name("rebuttal-agent".to_owned());
            let started = thread.spawn(move || runtime.block_on(work));
            started.map_err(|error| AgentError::failed(format!("no thread: {error}")))?;
        }
    }
    match tokio::time::timeout(timeout, answer).await {
        Ok(Ok(answered)) => answered,
        Ok(Err(_)) => Err(AgentError::failed("it ended without an answer")),
        Err(_) => {
            let seconds = timeout.as_secs_f64();
            Err(AgentError::timed_out(format!("no answer within {seconds} s")))
        }
    }
}

/// An agent that panicked costs its own vote, and says why if the panic does.
fn panicked(panic: &(dyn Any + Send)) -> AgentError {
    let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
    AgentError::panicked(format!("it panicked: {}", words.as_deref().unwrap_or("without a word")))
}
