//! Agents that can only block, on threads of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tokio::sync::oneshot;

use super::{Chat, ChatSettings, Hear, Pending, Reply, Request};
use crate::error::LlmError;

/// Somebody who answers by blocking: a program that is run, a library without async. To be asked
/// in a debate it is wrapped in [`Blocking`].
pub trait BlockingChat: Send + Sync + 'static {
    /// The agent's name, as reports and rulings give it.
    fn id(&self) -> &str;

    /// Most tokens of a reply where the request sets no limit.
    fn max_tokens(&self) -> u32 {
        ChatSettings::MAX_TOKENS
    }

    /// Asks once and waits for the whole reply.
    fn reply(&self, request: &Request) -> Result<Reply, LlmError>;
}

/// A [`Chat`] that asks a [`BlockingChat`] on a thread of its own for each call.
///
/// So the executor goes on, time limits fire, and an agent that panics fails its own call only. An
/// agent that never returns keeps its thread, and nothing waits for it: a thread of tokio's pool
/// would hold up the end of the runtime.
#[derive(Debug)]
pub struct Blocking<C>(Arc<C>);

impl<C: BlockingChat> Blocking<C> {
    /// Wraps an agent.
    pub fn new(agent: C) -> Self {
        Self(Arc::new(agent))
    }
}

impl<C: BlockingChat> Chat for Blocking<C> {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn max_tokens(&self) -> u32 {
        self.0.max_tokens()
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        guarded(&*self.0, request)
    }

    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear<'a>) -> Pending<'a> {
        Box::pin(async move {
            let (sender, receiver) = oneshot::channel();
            let (agent, request) = (Arc::clone(&self.0), request.clone());
            let work = move || {
                // Nobody listens once the future is dropped.
                sender.send(guarded(&*agent, &request)).ok();
            };
            let spawned = thread::Builder::new().name("rebuttal-agent".to_owned()).spawn(work);
            spawned.map_err(|error| {
                LlmError::temporary(self.id(), format!("there is no thread to ask it on: {error}"))
            })?;
            let ended = |_| LlmError::failed(self.id(), "the thread that asked it ended");
            let reply = receiver.await.map_err(ended)??;
            hear(&reply.text);
            Ok(reply)
        })
    }
}

/// Asks, and turns a panic into an error.
fn guarded<C: BlockingChat>(agent: &C, request: &Request) -> Result<Reply, LlmError> {
    catch_unwind(AssertUnwindSafe(|| agent.reply(request))).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        let words = words.unwrap_or_else(|| "without a message".to_owned());
        Err(LlmError::failed(agent.id(), format!("it panicked: {words}")))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Blocks, panics or answers, as it is asked to.
    struct Agent;

    impl BlockingChat for Agent {
        fn id(&self) -> &'static str {
            "ann"
        }

        fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
            match request.messages[0].text.as_str() {
                "block" => loop {
                    thread::park();
                },
                "panic" => panic!("no idea"),
                text => Ok(Reply::new(text)),
            }
        }
    }

    /// Asks on a runtime of one thread, with a time limit.
    fn ask(text: &str) -> Option<Result<String, String>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (agent, request) = (Blocking::new(Agent), Request::new(text));
        runtime.block_on(async {
            let limit = Duration::from_millis(200);
            let asked = tokio::time::timeout(limit, agent.stream(&request, &|_| ())).await.ok()?;
            Some(asked.map(|reply| reply.text).map_err(|error| error.to_string()))
        })
    }

    #[test]
    fn a_time_limit_fires_while_an_agent_blocks() {
        assert_eq!(ask("block"), None);
    }

    #[test]
    fn an_agent_that_panics_fails_its_own_call() {
        assert_eq!(ask("panic"), Some(Err("ann: it panicked: no idea".to_owned())));
        assert_eq!(ask("yes"), Some(Ok("yes".to_owned())));
    }
}
