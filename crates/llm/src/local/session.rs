//! One sequence being written: what it has read, and what the model thinks comes next.

use super::forward::{Scores, Step};
use super::model::LocalModel;
use super::past::Past;
use super::runner::{Writing, lock};
use crate::error::Fault;

/// Tokens of a prompt read at once: enough to pay for reading the weights, few enough to let
/// others in between.
const CHUNK: usize = 128;

/// Prompts remembered, so that the next one that begins alike starts where they part.
const REMEMBERED: usize = 4;

/// A sequence being written.
pub(crate) struct Session<'m> {
    model: &'m LocalModel,
    /// Held so that others wait for this sequence's steps.
    #[expect(dead_code, reason = "what it does, it does when it is dropped")]
    writing: Writing<'m>,
    past: Past,
    /// Scores of every token to come next.
    scores: Vec<f32>,
    /// Tokens that had to be read, and not only remembered.
    pub(crate) tokens_read: usize,
}

impl<'m> Session<'m> {
    /// Reads a prompt, from where it parts from those remembered.
    pub(crate) fn begin(model: &'m LocalModel, prompt: &[u32]) -> Result<Self, Fault> {
        // One prompt at a time: the next may begin like this one, and find it read.
        let mut remembered = lock(&model.remembered);
        let alike = |past: &Past| {
            let pairs = past.tokens().iter().zip(prompt);
            pairs.take_while(|(a, b)| a == b).count()
        };
        let longest = remembered.iter().max_by_key(|past| alike(past));
        let mut past = longest.cloned().unwrap_or_else(|| Past::new(&model.runner.weights.config));
        // The last token is always read: its scores are not remembered.
        let known = alike(&past).min(prompt.len().saturating_sub(1));
        past.truncate(known);
        let writing = model.runner.writing();
        let mut session = Self { model, writing, past, scores: Vec::new(), tokens_read: 0 };
        session.read(prompt.get(known..).unwrap_or_default())?;
        remembered.retain(|past| alike(past) < past.tokens().len());
        remembered.push(session.past.clone());
        if remembered.len() > REMEMBERED {
            remembered.remove(0);
        }
        Ok(session)
    }

    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.past.tokens().len()
    }

    /// Scores of every token to come next.
    pub(crate) fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// Goes on with these tokens.
    pub(crate) fn read(&mut self, tokens: &[u32]) -> Result<(), Fault> {
        self.tokens_read += tokens.len();
        let mut chunks = tokens.chunks(CHUNK).peekable();
        while let Some(chunk) = chunks.next() {
            let wants = if chunks.peek().is_some() { Scores::None } else { Scores::Last };
            let mut scores = self.step(chunk, wants)?;
            self.scores = scores.pop().unwrap_or_default();
        }
        Ok(())
    }

    /// How likely the model finds these tokens here: the mean of their log probabilities. Leaves
    /// the sequence as it was.
    #[expect(clippy::cast_precision_loss, reason = "options have a handful of tokens")]
    pub(crate) fn likelihood(&mut self, tokens: &[u32]) -> Result<f32, Fault> {
        let Some((first, rest)) = tokens.split_first() else { return Ok(f32::MIN) };
        let mut sum = log_share(&self.scores, *first);
        if let Some((_, fed)) = tokens.split_last()
            && !fed.is_empty()
        {
            let length = self.len();
            let scores = self.step(fed, Scores::All)?;
            self.past.truncate(length);
            sum += scores.iter().zip(rest).map(|(row, token)| log_share(row, *token)).sum::<f32>();
        }
        Ok(sum / tokens.len() as f32)
    }

    /// Reads tokens, and says how likely each token is to follow.
    fn step(&mut self, tokens: &[u32], wants: Scores) -> Result<Vec<Vec<f32>>, Fault> {
        let context = self.model.runner.weights.config.context;
        if self.len() + tokens.len() > context {
            let message = format!("it reads at most {context} tokens, the reply included");
            return Err(Fault::TooLong { text: None, message });
        }
        let empty = Past::new(&self.model.runner.weights.config);
        let past = std::mem::replace(&mut self.past, empty);
        let step = Step { past, tokens: tokens.to_vec(), wants, scores: Vec::new() };
        let lost = || Fault::Setup("the thread that ran it ended".to_owned());
        let step = self.model.runner.run(step).ok_or_else(lost)?;
        self.past = step.past;
        Ok(step.scores)
    }
}

/// The logarithm of a token's share.
pub(crate) fn log_share(scores: &[f32], token: u32) -> f32 {
    let Some(score) = usize::try_from(token).ok().and_then(|at| scores.get(at)) else {
        return f32::MIN;
    };
    let max = scores.iter().copied().fold(f32::MIN, f32::max);
    let sum: f64 =
        scores.iter().map(|x| f64::from(rebuttal_semantics::kernel::exp(*x - max))).sum();
    score - max - ln(sum)
}

/// A natural logarithm that is the same on every machine, for sums of at least one.
#[expect(clippy::cast_possible_truncation, reason = "wanted as a 32-bit float")]
fn ln(x: f64) -> f32 {
    let bits = x.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).unwrap_or_default() - 1023;
    let mantissa = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 1023 << 52);
    // ln m = 2 artanh((m − 1) / (m + 1)), whose argument is at most a third.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let mut power = t;
    let mut sum = 0.0;
    for n in 0..16 {
        sum += power / f64::from(2 * n + 1);
        power *= t * t;
    }
    (2.0 * sum + f64::from(exponent) * std::f64::consts::LN_2) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        for x in [1.0, 1.5, 1.999, 2.0, 3.7, 49152.0, 1e9] {
            assert!((f64::from(ln(x)) - x.ln()).abs() < 1e-6 * x.ln().max(1.0), "ln({x})");
        }
    }

    #[test]
    fn shares_sum_to_one() {
        let scores = [0.3, -2.0, 5.0, 1.0];
        let sum: f32 = (0..4).map(|token| log_share(&scores, token).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        assert!(log_share(&scores, 9) < -1e30);
    }
}
