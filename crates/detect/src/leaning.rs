//! Which side a text is on, by a model that reads the sentences that matter.
//!
//! A long answer weighs, quotes and digresses. The cheap vectors pick the sentences that are near;
//! the encoder reads those and nothing else.

use std::borrow::Cow;

use rebuttal_model::{Span, Stance};
use rebuttal_semantics::{Leaning, Pair, SemanticsError};
use rebuttal_text::{Basis, Reading, StanceReading, Topic};

use crate::reader::Models;

/// Bytes of a text that is read whole, and of what is picked of a longer one.
const EXCERPT: usize = 480;
/// Sentences of a turn that are looked at.
const MOST_SENTENCES: usize = 256;
/// Cosine of the cheap vectors from which on two sentences may be on the same matter.
const NEAR: f32 = 0.5;
/// How sure the model must be of a contradiction that the rules do not see.
const SURE: f32 = 0.9;
/// How far a sentence must lean to the other side to be taken for a break.
const TURNED: f32 = 0.1;
/// How far it must lean to the same side to overrule a reversal that the rules read.
const STANDS: f32 = 0.75;

/// The best guess at the side of each text towards its question: what rules and model say together,
/// each as far as it is sure.
pub fn stances(
    models: &Models,
    asked: &[(&str, Reading<'_>)],
) -> Result<Vec<StanceReading>, SemanticsError> {
    let excerpts = asked
        .iter()
        .map(|(question, text)| excerpt(models, question, text))
        .collect::<Result<Vec<String>, SemanticsError>>()?;
    let pairs: Vec<Pair<'_>> = asked
        .iter()
        .zip(&excerpts)
        .map(|((question, _), excerpt)| Pair { premise: question, hypothesis: excerpt })
        .collect();
    let leanings = models.inference.lean(&pairs)?;
    let stance = |((question, text), leaning): (&(&str, Reading<'_>), Leaning)| {
        together(text.stance(Some(&Topic::new(&Reading::new(question)))), leaning)
    };
    Ok(asked.iter().zip(leanings).map(stance).collect())
}

/// A position of one agent that a later turn is compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before<'h> {
    /// What it is a position on.
    pub(crate) question: Option<&'h str>,
    /// The sentence that says it.
    pub(crate) statement: &'h str,
    /// Which side that is: 1 yes, -1 no.
    pub(crate) side: f32,
}

/// A sentence that breaks with what was held before, and how surely it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Break {
    pub(crate) span: Span,
    /// The chance that both cannot hold.
    pub(crate) contradiction: f32,
}

impl Before<'_> {
    /// The sentence of `text` that is nearest to the statement, if the model is sure that it breaks
    /// with it. The cheap vectors find it; the encoder reads that one.
    pub(crate) fn broken(self, models: &Models, text: &Reading<'_>) -> Option<Break> {
        let sentences: Vec<Span> = text.sentence_spans().take(MOST_SENTENCES).collect();
        let words = |span: &Span| span.of(text.original()).unwrap_or_default();
        let texts: Vec<&str> =
            std::iter::once(self.statement).chain(sentences.iter().map(words)).collect();
        let vectors = models.answer(models.vectors.embed(&texts))?;
        let (before, after) = vectors.split_first()?;
        let near = after.iter().map(|vector| before.cosine(vector)).zip(&sentences);
        let (near, span) = near.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
        if near < NEAR {
            return None;
        }
        let pair = Pair { premise: self.statement, hypothesis: words(span) };
        let turned = || !self.leaning(models, words(span)).is_some_and(|side| side > -TURNED);
        // Both must hold, in whatever order: the shorter one is asked first.
        let side_first = self.question.is_some_and(|asked| asked.len() < self.statement.len());
        if side_first && !turned() {
            return None;
        }
        let verdict = models.answer(models.inference.contradicts(pair, SURE))??;
        let is_broken = side_first || turned();
        is_broken.then_some(Break { span: *span, contradiction: verdict.contradiction })
    }

    /// Whether the model reads a sentence, which the rules take for the other side, on this side.
    pub(crate) fn stands(self, models: &Models, sentence: &str) -> bool {
        self.leaning(models, sentence).is_some_and(|side| side > STANDS)
    }

    /// How far a sentence is on the side of the statement, 1 to -1; nothing without a question.
    fn leaning(self, models: &Models, sentence: &str) -> Option<f32> {
        let pair = Pair { premise: self.question?, hypothesis: sentence };
        let leaning = models.answer(models.inference.lean(&[pair]))?;
        leaning.first().map(|leaning| leaning.score() * self.side)
    }
}

/// What a question asks: of a long one, the last of its sentences that ask, as many as fit. The rest
/// leads up to them, and a model that reads it all reads mostly that.
pub(crate) fn asked<'t>(question: &Reading<'t>) -> Cow<'t, str> {
    let original = question.original();
    if original.len() <= EXCERPT {
        return Cow::Borrowed(original);
    }
    let sentences: Vec<&str> =
        question.sentence_spans().filter_map(|span| span.of(original)).collect();
    let mut room = EXCERPT;
    let mut asking: Vec<&str> = sentences
        .into_iter()
        .rev()
        .filter(|sentence| sentence.ends_with('?'))
        .take_while(|sentence| {
            let fits = sentence.len() <= room;
            room = room.saturating_sub(sentence.len());
            fits
        })
        .collect();
    asking.reverse();
    if asking.is_empty() { Cow::Borrowed(original) } else { Cow::Owned(asking.join(" ")) }
}

fn together(rules: StanceReading, leaning: Leaning) -> StanceReading {
    let score = f64::midpoint(rules.score, f64::from(leaning.score()));
    let basis = if rules.stance == side(score) { rules.basis } else { Basis::Model };
    StanceReading { stance: side(score), score, span: rules.span, basis }
}

fn side(score: f64) -> Stance {
    if score > 0.0 { Stance::Yes } else { Stance::No }
}

/// The text, or the sentences of it that are nearest to the question.
fn excerpt(models: &Models, question: &str, text: &Reading<'_>) -> Result<String, SemanticsError> {
    let original = text.original();
    if original.len() <= EXCERPT {
        return Ok(original.to_owned());
    }
    let sentences: Vec<Span> = text.sentence_spans().collect();
    let words = |span: &Span| span.of(original).unwrap_or_default();
    let texts: Vec<&str> = std::iter::once(question).chain(sentences.iter().map(words)).collect();
    let vectors = models.vectors.embed(&texts)?;
    let Some((asked, said)) = vectors.split_first() else { return Ok(String::new()) };
    let last = sentences.len().saturating_sub(1);
    let mut ranked: Vec<(usize, f32)> = said
        .iter()
        .enumerate()
        .map(|(at, vector)| (at, if at == 0 || at == last { 2.0 } else { asked.cosine(vector) }))
        .collect();
    ranked.sort_by(|(a, near), (b, nearer)| nearer.total_cmp(near).then(a.cmp(b)));
    let mut room = EXCERPT;
    let mut chosen: Vec<usize> = Vec::new();
    for (at, _) in ranked {
        let length = sentences.get(at).map_or(0, |span| words(span).len());
        if length <= room {
            room -= length;
            chosen.push(at);
        }
    }
    if chosen.is_empty() {
        // Sentences without end: the model reads the whole in windows.
        return Ok(original.to_owned());
    }
    chosen.sort_unstable();
    let chosen = chosen.iter().filter_map(|at| sentences.get(*at));
    Ok(chosen.map(words).collect::<Vec<&str>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_question_what_it_asks_is_kept() {
        let short = "We are late. Should we ship?";
        assert_eq!(asked(&Reading::new(short)), short);
        let lead = "The tests ran for hours and nobody looked at them. ".repeat(12);
        let long = format!("{lead}Is that wise? It cost a day. Should we ship?");
        assert_eq!(asked(&Reading::new(&long)), "Is that wise? Should we ship?");
        assert_eq!(asked(&Reading::new(&lead)), lead, "where nothing asks, all of it");
    }
}
