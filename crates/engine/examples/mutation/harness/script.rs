//! What an agent of a panel says, turn by turn, and what it does when it is challenged.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rebuttal_engine::debate::Agent;
use rebuttal_llm::{Request, Scene, Scripted};

/// One turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) answer: &'static str,
    /// In hundredths.
    pub(crate) conviction: u64,
    pub(crate) thesis: String,
    pub(crate) evidence: Vec<String>,
    pub(crate) rebuttals: Vec<String>,
}

impl Said {
    fn json(&self) -> String {
        let hundredths = u32::try_from(self.conviction.min(100)).unwrap_or(100);
        serde_json::json!({
            "answer": self.answer,
            "conviction": f64::from(hundredths) / 100.0,
            "thesis": self.thesis,
            "evidence": self.evidence,
            "rebuttals": self.rebuttals,
        })
        .to_string()
    }
}

/// An agent's part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// What it says each time it is asked; the last again where it is asked more often.
    pub(crate) turns: Vec<Said>,
    /// What it says from the first challenge on, where it listens to one.
    pub(crate) challenged: Vec<Said>,
}

impl Script {
    /// One who says these, whatever happens.
    pub(crate) fn of(turns: Vec<Said>) -> Self {
        Self { turns, challenged: Vec::new() }
    }

    /// Sets how it answers a challenge.
    pub(crate) fn listening(mut self, challenged: Vec<Said>) -> Self {
        self.challenged = challenged;
        self
    }

    /// The agent that plays it.
    pub(crate) fn agent(&self, name: &str) -> Agent {
        let script = self.clone();
        // The call from which on it was challenged, counted from 1.
        let since = AtomicUsize::new(0);
        let play = move |call: u32, request: &Request| {
            let call = call as usize;
            if since.load(Ordering::Relaxed) == 0 && is_challenged(request) {
                since.store(call + 1, Ordering::Relaxed);
            }
            let since = since.load(Ordering::Relaxed);
            let (turns, at) = if since > 0 && !script.challenged.is_empty() {
                (&script.challenged, (call + 1).saturating_sub(since))
            } else {
                (&script.turns, call)
            };
            let said = turns.get(at).or(turns.last()).cloned().unwrap_or_default();
            Scene::Says(said.json())
        };
        Agent::new(name, Arc::new(Scripted::by_call(name, play)))
    }
}

/// The headings of what the trickster puts into a request.
const HEADINGS: [&str; 5] = [
    "quality challenge",
    "evidence gap",
    "echo chamber",
    "novelty challenge",
    "quality challenger",
];

/// True when the request carries a challenge.
pub(crate) fn is_challenged(request: &Request) -> bool {
    let said = |text: &str| {
        let text = text.to_lowercase();
        HEADINGS.iter().any(|heading| text.contains(heading))
    };
    said(&request.system) || request.messages.iter().any(|message| said(&message.text))
}
