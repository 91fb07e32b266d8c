//! Asking: several questions a call, within a budget, and never on for ever.

use std::sync::PoisonError;

use rebuttal_llm::{Ceiling, LlmError, Price, Reply, Request, Wanted};

use super::question::{Asked, Kind, SYSTEM, prompt, schema};
use super::reply::{Said, said};
use super::{Asks, Judge, Told};

/// Most questions of one call: more, and models begin to mix them up.
const BATCH: usize = 8;
/// Most bytes of text of one call.
const BATCH_BYTES: usize = 24_000;
/// Tokens of a reply for each question, quotes included, and for what stands around them.
const TOKENS_EACH: u32 = 220;
const TOKENS_AROUND: u32 = 400;
/// After so many failed calls in a row the judge is not asked again.
const FAILURES: usize = 3;

/// What was spent, and what may be.
#[derive(Debug)]
pub(super) struct Purse {
    price: Option<Price>,
    budget: Option<u64>,
    /// Millionths of a dollar of calls under way, at the most they can cost.
    reserved: u64,
    spent: u64,
    failures: usize,
    pub(super) told: Told,
}

impl Purse {
    pub(super) fn new(price: Option<Price>, budget: Option<u64>) -> Self {
        let told = Told { micro_usd: price.map(|_| 0), ..Told::default() };
        Self { price, budget, reserved: 0, spent: 0, failures: 0, told }
    }

    /// Reserves the most a call can cost; false when it does not fit any more, or nobody is to be asked.
    fn reserve(&mut self, most: u64) -> bool {
        if self.told.stopped.is_some() {
            return false;
        }
        let after = self.spent.saturating_add(self.reserved).saturating_add(most);
        if self.budget.is_some_and(|budget| after > budget) {
            self.told.stopped = Some("the budget did not allow the next call".to_owned());
            return false;
        }
        self.reserved += most;
        true
    }

    fn settle(&mut self, most: u64, reply: Result<&Reply, &LlmError>) {
        self.reserved = self.reserved.saturating_sub(most);
        // What nobody counted, and a call that broke off, may have cost the most it can.
        let counted = reply.ok().and_then(|reply| self.price?.cost(reply.usage));
        self.spent = self.spent.saturating_add(counted.unwrap_or(most));
        self.told.micro_usd = self.price.map(|_| self.spent);
        self.told.calls += 1;
        match reply {
            Ok(_) => self.failures = 0,
            Err(error) => {
                self.failures += 1;
                self.told.failed += 1;
                if self.failures >= FAILURES {
                    self.told.stopped =
                        Some(format!("it was not asked again after {FAILURES} failures: {error}"));
                }
            }
        }
    }

    fn count(&mut self, most: u64) {
        self.told.calls += 1;
        self.told.micro_usd = self.told.micro_usd.map(|sum| sum.saturating_add(most));
    }
}

impl Judge {
    /// What the judge says to each, as it is kept; `None` where no answer counts.
    pub(super) fn ask(&self, questions: &[Asked<'_>]) -> Vec<Option<Vec<f32>>> {
        let mut answers = Vec::with_capacity(questions.len());
        for batch in batches(questions) {
            let agreed = self.both_ways(batch);
            if let Some(agreed) = &agreed {
                let counted = agreed.iter().flatten().count();
                self.note(|told| {
                    told.answered += counted;
                    told.refused += agreed.len() - counted;
                });
            }
            let agreed = agreed.unwrap_or_else(|| vec![None; batch.len()]);
            answers.extend(agreed.into_iter().map(|said| said.map(Said::numbers)));
        }
        answers
    }

    /// What is said to each question, and, of relations, with the texts swapped as well; `None` where
    /// no reply came.
    fn both_ways(&self, batch: &[Asked<'_>]) -> Option<Vec<Option<Said>>> {
        let there = self.call(batch);
        let is_relation = batch.first().is_some_and(|asked| asked.kind == Kind::Relation);
        let counts = self.settings.asks == Asks::Counts;
        let any = there.iter().flatten().any(Option::is_some);
        if !is_relation || !(counts || any) {
            return there;
        }
        let swapped: Vec<Asked<'_>> = batch.iter().map(|asked| asked.swapped()).collect();
        let back = self.call(&swapped)?;
        let both = there?.into_iter().zip(back);
        Some(both.map(|(there, back)| there?.agreeing(back?)).collect())
    }

    /// One call: questions of one kind, and what counts of the reply; `None` without a reply.
    fn call(&self, questions: &[Asked<'_>]) -> Option<Vec<Option<Said>>> {
        let kind = questions.first()?.kind;
        let request = request(kind, questions);
        let purse = || self.purse.lock().unwrap_or_else(PoisonError::into_inner);
        let price = purse().price;
        let most = Ceiling::of(&request, self.chat.max_tokens(), price).micro_usd.unwrap_or(0);
        if self.settings.asks == Asks::Counts {
            purse().count(most);
            return None;
        }
        if !purse().reserve(most) {
            return None;
        }
        let reply = self.chat.reply(&request);
        purse().settle(most, reply.as_ref());
        reply.ok().map(|reply| said(&reply.text, kind, questions))
    }
}

fn request(kind: Kind, questions: &[Asked<'_>]) -> Request {
    let count = u32::try_from(questions.len()).unwrap_or(u32::MAX);
    let form = schema(kind, questions.len());
    let request = Request::new(prompt(kind, questions))
        .with_system(SYSTEM)
        .wanting(Wanted::Schema { name: format!("judge_{}", kind.name()), schema: form });
    let max_tokens = Some(count.saturating_mul(TOKENS_EACH).saturating_add(TOKENS_AROUND));
    // One request that costs something: a repeat would not fit what was reserved.
    Request { max_tokens, temperature: Some(0.0), paid_requests_max: Some(1), ..request }
}

/// The questions in runs that fit one call.
fn batches<'q, 't>(questions: &'q [Asked<'t>]) -> impl Iterator<Item = &'q [Asked<'t>]> {
    let mut rest = questions;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = rest.iter().take(BATCH).take_while(|asked| {
            let first = bytes == 0;
            bytes += asked.size();
            first || bytes <= BATCH_BYTES
        });
        let count = fits.count();
        let (batch, left) = rest.split_at_checked(count)?;
        rest = left;
        (!batch.is_empty()).then_some(batch)
    })
}
