//! What debates need from outside: a journal, a clock, randomness and an embedder.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_model::{BreakpointAnswer, DebateId, Record, StreamId};
use rebuttal_semantics::{BuiltinVectors, Embedder};

use super::agent::Agent;
use super::arena::{ArenaError, seats_of};
use super::events::Feed;
use super::grounding::Library;
use super::handle::{Begin, Debate};
use super::journal::Journal;
use super::random::SeededRng;
use super::runner::{RunError, Runner};
use super::state::State;

/// Tells the time.
type Clock = dyn Fn() -> Timestamp + Send + Sync;
/// Draws seeds and ids.
type Random = dyn Fn() -> u64 + Send + Sync;

/// Runs debates: everything they take from outside goes through here, so that several engines with
/// different settings live in one process. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    pub(super) journal: Arc<dyn Journal>,
    clock: Arc<Clock>,
    random: Arc<Random>,
    pub(super) embedder: Arc<dyn Embedder>,
    pub(super) library: Option<Arc<dyn Library>>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine that keeps its debates in this journal, with the system's clock and randomness and the
    /// built-in embedder.
    #[expect(clippy::disallowed_methods, reason = "running is where time comes in")]
    pub fn new(journal: impl Journal + 'static) -> Self {
        Self {
            journal: Arc::new(journal),
            clock: Arc::new(Timestamp::now),
            random: Arc::new(drawn),
            embedder: Arc::new(BuiltinVectors),
            library: None,
        }
    }

    /// Sets what tells the time. With a clock of one's own a debate is the same every time.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets where ids and seeds come from.
    #[must_use]
    pub fn random(mut self, random: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.random = Arc::new(random);
        self
    }

    /// Sets what tells how alike texts are.
    #[must_use]
    pub fn embedder(mut self, embedder: impl Embedder + 'static) -> Self {
        self.embedder = Arc::new(embedder);
        self
    }

    /// Sets the documents that debates begun from now on may cite: agents are given passages of them, and
    /// what they cite is checked.
    #[must_use]
    pub fn library(mut self, library: impl Library + 'static) -> Self {
        self.library = Some(Arc::new(library));
        self
    }

    /// The time by this engine's clock.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// A number from this engine's randomness.
    pub fn draw(&self) -> u64 {
        (self.random)()
    }

    /// An id that no other debate has.
    pub fn new_id(&self) -> DebateId {
        // Without the letters that people take for others.
        const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let mut rng = SeededRng::new(self.draw(), "id");
        let mut digit =
            || DIGITS.get(rng.below(DIGITS.len())).map_or('0', |digit| char::from(*digit));
        let digits: String = (0..12).map(|_| digit()).collect();
        DebateId::new(format!("d-{digits}"))
    }

    /// Goes on with a stored debate where its journal ends. The agents are found by their names.
    pub fn resume(
        &self,
        debate: &DebateId,
        agents: impl IntoIterator<Item = Agent>,
    ) -> Result<Debate, ArenaError> {
        let runner = Runner::new(self.clone(), StreamId::debate(debate), seats_of(agents));
        Debate::spawn(Arc::new(runner), Begin::Journal, Vec::new())
    }

    /// Goes on with a debate whose records the caller has read and folded already.
    pub fn resume_from(
        &self,
        state: State,
        records: Vec<Record>,
        agents: impl IntoIterator<Item = Agent>,
    ) -> Result<Debate, ArenaError> {
        let stream = StreamId::debate(&state.spec().id);
        let runner = Arc::new(Runner::new(self.clone(), stream, seats_of(agents)));
        let records = records.into_iter().map(Arc::new).collect();
        Debate::spawn(runner, Begin::State(Box::new(state)), records)
    }

    /// Answers the breakpoint a stored debate waits at: the one of this number, or whichever it is. The
    /// debate goes on when it is resumed.
    pub async fn answer(
        &self,
        debate: &DebateId,
        number: Option<u32>,
        answer: BreakpointAnswer,
        note: Option<&str>,
    ) -> Result<(), RunError> {
        let runner = Runner::new(self.clone(), StreamId::debate(debate), seats_of([]));
        let answering = async {
            let feed = Feed::new(Vec::new());
            let mut state = runner.load(&feed).await?;
            runner.answer(&mut state, &feed, (number, answer, note)).await
        };
        runner.lease().await?.keep(answering).await
    }
}

/// A number that is never the same: the standard library keys its hash maps with the system's
/// randomness.
fn drawn() -> u64 {
    RandomState::new().hash_one(0_u8)
}
