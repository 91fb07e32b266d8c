//! A judge from outside: a language model that is asked where the local reader is not sure.
//!
//! It answers the three questions of the reader: which side of a question a turn is on, what one
//! statement is to another, and what became of a position. It stands in front of the local model as one
//! more [`Inference`], so that every command asks it in the same places. An answer counts only if it keeps
//! to the form, quotes the texts literally and, for relations, is the same when the texts are swapped;
//! else the local reader's stands. Answers that count are kept by content and model; nothing is asked twice.
//!
//! Money is reserved before a call leaves. A judge that fails several times in a row is not asked again.

mod asking;
mod question;
mod reply;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rebuttal_llm::{Chat, Price};
use rebuttal_semantics::{
    Changed, Inference, Kept, Leaning, Pair, Related, SemanticsError, Store, Verdict,
};

use crate::agents;
use crate::config::Config;
use crate::error::{Result, err};
use asking::Purse;
use question::{Asked, Kind};

/// Bytes of answers that are remembered within one run.
const REMEMBERED: usize = 4 << 20;

/// How much a folder of answers may hold, in bytes; an answer takes about 50.
const KEPT: u64 = 64 << 20;

/// When the judge is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// Where the local reader is not sure.
    #[default]
    Unsure,
    /// Always.
    Always,
}

/// Whether questions are asked or only counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asks {
    /// They are asked.
    #[default]
    Really,
    /// They are counted, with what they would cost at most.
    Counts,
}

/// Who judges, when, and for how much.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JudgeSettings {
    /// The agent of the configuration that is asked.
    pub agent: String,
    /// When it is asked.
    pub when: When,
    /// The local reader is sure of an answer from this share on.
    pub sure: f32,
    /// Most millionths of a dollar that may be spent.
    pub budget_micro_usd: Option<u64>,
    /// Whether questions leave the machine.
    pub asks: Asks,
}

impl JudgeSettings {
    /// The share from which on the local reader counts as sure, unless another is set.
    pub const SURE: f32 = 0.85;

    /// This agent, asked where the local reader is not sure, without a limit of cost.
    pub fn new(agent: impl Into<String>) -> Self {
        let (when, asks) = (When::default(), Asks::default());
        Self { agent: agent.into(), when, sure: Self::SURE, budget_micro_usd: None, asks }
    }
}

/// Somebody outside who is asked. A clone shares the purse and what is kept.
#[derive(Clone)]
pub struct Judge {
    chat: Arc<dyn Chat>,
    /// What stands for the model in what is kept.
    model: String,
    settings: JudgeSettings,
    kept: Arc<Kept>,
    purse: Arc<Mutex<Purse>>,
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge")
            .field("model", &self.model)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Judge {
    /// The judge that the settings name. Fails where it cannot be asked, or where a budget is set and
    /// nobody knows what its tokens cost.
    pub fn new(config: &Config, settings: JudgeSettings) -> Result<Self> {
        let name = settings.agent.clone();
        let chat = agents::chat(config, &name)?;
        let agent = config.agents.get(&name);
        let price = agent.and_then(|agent| agent.price.value);
        let model = agent.map_or_else(|| name.clone(), |agent| agent.model.value.clone());
        let store = match &config.semantics.cache.value {
            Some(cache) => Some(Store::open(&cache.folder, KEPT)?),
            None => None,
        };
        Self::with(chat, model, price, store, settings)
    }

    /// Anybody who can be asked: `model` says which model answers, `price` what its tokens cost.
    pub fn with(
        chat: Box<dyn Chat>,
        model: String,
        price: Option<Price>,
        store: Option<Store>,
        settings: JudgeSettings,
    ) -> Result<Self> {
        if settings.budget_micro_usd.is_some() && price.is_none() {
            return Err(err!(
                "the judge {} has a budget, and what its tokens cost is not known; set `price` in \
                 [agents.{}] of rebuttal.toml",
                settings.agent,
                settings.agent
            ));
        }
        let purse = Arc::new(Mutex::new(Purse::new(price, settings.budget_micro_usd)));
        let kept = Arc::new(Kept::new(REMEMBERED, store));
        Ok(Self { chat: Arc::from(chat), model, settings, kept, purse })
    }

    /// The same judge, asked where the local reader is less sure than this.
    #[must_use]
    pub fn sure_from(&self, share: f32) -> Self {
        let settings = JudgeSettings { sure: share, ..self.settings.clone() };
        Self { settings, ..self.clone() }
    }

    /// What was asked, answered and spent so far.
    pub fn told(&self) -> Told {
        self.purse.lock().unwrap_or_else(PoisonError::into_inner).told.clone()
    }

    /// The same in one line, for a person.
    pub fn summary(&self) -> String {
        self.told().line(&self.settings)
    }

    /// What it says to each question; `None` where no answer counts.
    fn answers(&self, questions: &[Asked<'_>]) -> Vec<Option<Vec<f32>>> {
        let mut answers: Vec<Option<Vec<f32>>> =
            questions.iter().map(|asked| self.kept.get(&asked.key(&self.model))).collect();
        let missing: Vec<usize> = (0..questions.len())
            .filter(|at| answers.get(*at).is_some_and(Option::is_none))
            .collect();
        let known = questions.len() - missing.len();
        self.note(|told| {
            told.questions += questions.len();
            told.kept += known;
        });
        let asked: Vec<Asked<'_>> =
            missing.iter().filter_map(|at| questions.get(*at)).copied().collect();
        for (at, answer) in missing.iter().zip(self.ask(&asked)) {
            let Some(answer) = answer else { continue };
            if let Some(question) = questions.get(*at) {
                self.kept.put(&question.key(&self.model), &answer);
            }
            if let Some(slot) = answers.get_mut(*at) {
                *slot = Some(answer);
            }
        }
        answers
    }

    fn note(&self, change: impl FnOnce(&mut Told)) {
        change(&mut self.purse.lock().unwrap_or_else(PoisonError::into_inner).told);
    }
}

/// What became of the questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Told {
    /// How many there were.
    pub questions: usize,
    /// How many were answered before, and kept.
    pub kept: usize,
    /// Calls that were made; in a dry run, that would be.
    pub calls: usize,
    /// Answers that count.
    pub answered: usize,
    /// Answers that do not: no literal quote, another answer with the texts swapped, no such form.
    pub refused: usize,
    /// Calls that failed.
    pub failed: usize,
    /// Millionths of a dollar; in a dry run, the most it would cost. `None` where no price is known.
    pub micro_usd: Option<u64>,
    /// Why it is not asked any more.
    pub stopped: Option<String>,
}

impl Told {
    fn line(&self, settings: &JudgeSettings) -> String {
        let Self { questions, kept, calls, answered, refused, failed, .. } = self;
        let cost = match self.micro_usd {
            Some(micro) => format!("${}.{:06}", micro / 1_000_000, micro % 1_000_000),
            None => "a cost that is not known".to_owned(),
        };
        let agent = &settings.agent;
        if settings.asks == Asks::Counts {
            return format!(
                "judge {agent}: {questions} questions, {kept} of them answered before; the others \
                 would take {calls} calls and at most {cost}"
            );
        }
        let stopped = self.stopped.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
        format!(
            "judge {agent}: {questions} questions, {kept} answered before, {answered} answered in \
             {calls} calls for {cost}; {refused} answers did not count, {failed} calls \
             failed{stopped}"
        )
    }
}

/// A local model with a judge behind it.
#[derive(Debug)]
pub(crate) struct Judging {
    local: Arc<dyn Inference>,
    judge: Arc<Judge>,
    id: String,
}

impl Judging {
    pub(crate) fn new(local: Arc<dyn Inference>, judge: Arc<Judge>) -> Self {
        let id = format!("{} judged by {}", local.id(), judge.model);
        Self { local, judge, id }
    }

    /// Puts the judge's answers in the place of those of which the local model is not sure.
    fn judged<A>(
        &self,
        kind: Kind,
        pairs: &[Pair<'_>],
        local: Vec<A>,
        sure: impl Fn(&A) -> f32,
        read: impl Fn(&[f32]) -> Option<A>,
    ) -> Vec<A> {
        let settings = &self.judge.settings;
        let doubtful = |answer: &A| settings.when == When::Always || sure(answer) < settings.sure;
        let (places, questions): (Vec<usize>, Vec<Asked<'_>>) = pairs
            .iter()
            .zip(&local)
            .enumerate()
            .filter(|(_, (_, answer))| doubtful(answer))
            .map(|(at, (pair, _))| (at, Asked { kind, pair: *pair }))
            .unzip();
        let mut answers = local;
        for (at, said) in places.into_iter().zip(self.judge.answers(&questions)) {
            if let Some(answer) = said.as_deref().and_then(&read)
                && let Some(slot) = answers.get_mut(at)
            {
                *slot = answer;
            }
        }
        answers
    }
}

fn best(shares: &[f32]) -> f32 {
    shares.iter().copied().fold(0.0, f32::max)
}

impl Inference for Judging {
    fn id(&self) -> &str {
        &self.id
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> std::result::Result<Vec<Verdict>, SemanticsError> {
        let local = self.local.infer(pairs)?;
        let sure = |it: &Verdict| best(&[it.entailment, it.neutral, it.contradiction]);
        Ok(self.judged(Kind::Relation, pairs, local, sure, |said| {
            reply::related(said).map(Verdict::from)
        }))
    }

    fn relations(&self, pairs: &[Pair<'_>]) -> std::result::Result<Vec<Related>, SemanticsError> {
        let local = self.local.relations(pairs)?;
        let sure =
            |it: &Related| best(&[it.same, it.entails, it.contradicts, it.qualifies, it.unrelated]);
        Ok(self.judged(Kind::Relation, pairs, local, sure, reply::related))
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> std::result::Result<Vec<Leaning>, SemanticsError> {
        let local = self.local.lean(pairs)?;
        let sure = |it: &Leaning| best(&[it.no, it.unclear, it.yes]);
        Ok(self.judged(Kind::Position, pairs, local, sure, reply::leaning))
    }

    fn classes(
        &self,
        heads: &[&str],
        pairs: &[Pair<'_>],
    ) -> std::result::Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        self.local.classes(heads, pairs)
    }

    fn changes(
        &self,
        pairs: &[Pair<'_>],
    ) -> std::result::Result<Option<Vec<Changed>>, SemanticsError> {
        let Some(local) = self.local.changes(pairs)? else { return Ok(None) };
        let sure = |it: &Changed| {
            best(&[it.none, it.refinement, it.qualification, it.retraction, it.contradiction])
        };
        Ok(Some(self.judged(Kind::Change, pairs, local, sure, reply::changed)))
    }
}

#[cfg(test)]
mod tests;
