//! What an agent is asked.

use std::fmt;
use std::sync::Arc;

use rebuttal_llm::Request;
use rebuttal_model::{AgentId, Call, Purpose};

use crate::debate::items;
use crate::debate::state::State;

/// One question to one agent of a debate.
#[derive(Clone)]
#[non_exhaustive]
pub struct Ask {
    /// Who is asked, in which round, for what, and for the how-many-eth time.
    pub call: Call,
    /// What the debate is about.
    pub question: String,
    /// What was given beside the question; may be empty.
    pub context: String,
    /// The answers to choose from; empty if the agent answers in its own words.
    pub options: Vec<String>,
    /// What the other side has brought, by number; empty in the blind round.
    /// [`Vote::rebuttal`](super::Vote::rebuttal) answers one of them.
    pub items: Vec<ShownItem>,
    /// What the other side brought in earlier rounds, the earliest first.
    pub heard: Vec<String>,
    /// What the agent stands for so far; `None` in the blind round, and where it abstained.
    pub held: Option<String>,
    /// The whole prompt, as chat models are asked: what the others said, what is to be done, and the
    /// JSON that is wanted. Its `max_tokens` is set where a budget leaves less than the agent may use.
    pub request: Request,
    listener: Arc<dyn Fn(&str) + Send + Sync>,
}

/// Something the other side has brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownItem {
    /// Its number, counted from 1.
    pub number: u32,
    /// What it says.
    pub text: String,
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask").field("call", &self.call).finish_non_exhaustive()
    }
}

impl Ask {
    /// A question as a debate asks it; nobody listens to the words. For trying an agent on its own.
    pub fn new(agent: &str, question: impl Into<String>) -> Self {
        let question = question.into();
        Self {
            call: Call {
                round: 0,
                agent: AgentId::new(agent),
                purpose: Purpose::Answer,
                attempt: 1,
            },
            request: Request::new(question.clone()),
            question,
            context: String::new(),
            options: Vec::new(),
            items: Vec::new(),
            heard: Vec::new(),
            held: None,
            listener: Arc::new(|_| ()),
        }
    }

    /// Sets the answers to choose from.
    #[must_use]
    pub fn options<S: Into<String>>(mut self, options: impl IntoIterator<Item = S>) -> Self {
        self.options = options.into_iter().map(Into::into).collect();
        self
    }

    /// What the answer is for: a vote, or a moderator's, judge's or critic's word.
    pub fn purpose(&self) -> Purpose {
        self.call.purpose
    }

    /// The round; 0 is blind.
    pub fn round(&self) -> u32 {
        self.call.round
    }

    /// The prompt as one text, the newest message last.
    pub fn prompt(&self) -> String {
        let texts: Vec<&str> =
            self.request.messages.iter().map(|message| message.text.as_str()).collect();
        texts.join("\n\n")
    }

    /// Shows words of the answer to whoever watches the debate, while it is being worked out.
    pub fn say(&self, words: &str) {
        (self.listener)(words);
    }

    pub(in crate::debate) fn of_call(
        call: Call,
        request: Request,
        state: &State,
        listener: Arc<dyn Fn(&str) + Send + Sync>,
    ) -> Self {
        let shown = items::items(state, &call).into_iter();
        // Whose they are is left out: the panel may be anonymous.
        let shown = shown.map(|item| ShownItem { number: item.number, text: item.text });
        let spec = state.spec();
        let (question, context) = (spec.question.clone(), spec.context.clone());
        let (options, items) = (state.options().names(), shown.collect());
        let heard =
            (1..call.round).flat_map(|round| items::items(state, &Call { round, ..call.clone() }));
        let heard = heard.map(|item| item.text).collect();
        let held = state.held(&call.agent, call.round).map(str::to_owned);
        Self { call, question, context, options, items, heard, held, request, listener }
    }
}
