//! Stance: which side of a proposition or question a text is on, and where it says so.
//!
//! What the text *states* decides: an answer, a recommendation, a sentence that affirms or denies
//! the question's own predicate. Only where it states nothing do the good and bad things it tells of
//! count ([`Basis::Valence`]); that is weaker, and [`Reading::position`] leaves it out.

mod alignment;
mod reply;
mod topic;
mod valence;
mod weighing;

use std::ops::Range;

use rebuttal_model::{Span, Stance};

use crate::lexicon::{Group, Hit};
use crate::reading::Reading;
use crate::segments::Segment;
pub use reply::{Before, Previous};
use topic::Named;
pub use topic::Topic;
pub use weighing::{Piece, Weighing};

/// What a stance was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The text states it.
    Statement,
    /// The text says what ought to be done, and there is no question to compare that with.
    Demand,
    /// The text tells of good or bad that comes of it.
    Valence,
    /// A model read it so.
    Model,
    /// Nothing was found.
    Nothing,
}

/// A side and how firmly it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attitude {
    /// "I strongly disagree."
    StronglyDisagree,
    /// "I disagree."
    Disagree,
    /// Neither.
    Neutral,
    /// "I agree."
    Agree,
    /// "I fully agree."
    StronglyAgree,
}

impl Attitude {
    /// `strongly_disagree` … `strongly_agree`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StronglyDisagree => "strongly_disagree",
            Self::Disagree => "disagree",
            Self::Neutral => "neutral",
            Self::Agree => "agree",
            Self::StronglyAgree => "strongly_agree",
        }
    }
}

/// Which side a text is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StanceReading {
    /// The side.
    pub stance: Stance,
    /// -1 surely no, 1 surely yes, 0 no idea.
    pub score: f64,
    /// The words that show it, in the original text.
    pub span: Option<Span>,
    /// What it was read from.
    pub basis: Basis,
}

impl StanceReading {
    const UNCLEAR: Self =
        Self { stance: Stance::Unclear, score: 0.0, span: None, basis: Basis::Nothing };
}

/// How much must speak for a side before a text is said to be on it.
#[derive(Clone, Copy, Debug)]
struct Bar {
    /// The least sum of votes.
    sum: f64,
    /// The least share by which one side leads: who argues both sides at length is on neither.
    share: f64,
}

/// For a position that an agent will be held to.
const HELD: Bar = Bar { sum: 0.8, share: 0.5 };
/// For the best guess from what is stated.
const STATED: Bar = Bar { sum: 0.8, share: 0.35 };
/// For the best guess from the good and bad things told.
const TOLD: Bar = Bar { sum: 0.12, share: 0.35 };

/// One piece of a text that speaks for a side: positive for yes, negative for no.
#[derive(Clone, Debug)]
struct Vote {
    score: f64,
    tokens: Range<usize>,
    basis: Basis,
}

impl Vote {
    fn new(score: f64, tokens: Range<usize>) -> Self {
        Self { score, tokens, basis: Basis::Statement }
    }
}

impl Reading<'_> {
    /// Which side the text is on, towards `topic` or, without one, towards whatever is at issue:
    /// the best guess, from what it states or else from the good and bad it tells of.
    pub fn stance(&self, topic: Option<&Topic>) -> StanceReading {
        let mut votes = self.statements(topic);
        let stated = self.sum_up(&votes, STATED);
        if stated.stance != Stance::Unclear {
            return stated;
        }
        votes.extend(self.valence(topic));
        self.sum_up(&votes, TOLD)
    }

    /// Which side the text *says* it is on; unclear rather than a guess.
    pub fn position(&self, topic: Option<&Topic>) -> StanceReading {
        self.sum_up(&self.statements(topic), HELD)
    }

    /// The side the text says it is on, and whether it does so with emphasis.
    pub fn attitude(&self, topic: Option<&Topic>) -> Attitude {
        let position = self.position(topic);
        let said_in = |segment: &&Segment| {
            let own = self.span_of(segment.tokens.clone());
            own.zip(position.span).is_some_and(|(own, span)| own.contains(span))
        };
        let emphatic = self.segments.iter().find(said_in).is_some_and(|segment| {
            self.hits_in(&segment.tokens).iter().any(|hit| hit.group == Group::Emphatic)
        });
        match (position.stance, emphatic) {
            (Stance::No, true) => Attitude::StronglyDisagree,
            (Stance::No, false) => Attitude::Disagree,
            (Stance::Unclear, _) => Attitude::Neutral,
            (Stance::Yes, false) => Attitude::Agree,
            (Stance::Yes, true) => Attitude::StronglyAgree,
        }
    }

    fn sum_up(&self, votes: &[Vote], bar: Bar) -> StanceReading {
        let sum: f64 = votes.iter().map(|vote| vote.score).sum();
        let all: f64 = votes.iter().map(|vote| vote.score.abs()).sum();
        if sum.abs() < bar.sum || sum.abs() < bar.share * all {
            return StanceReading { score: (sum / 4.0).tanh(), ..StanceReading::UNCLEAR };
        }
        let stance = if sum > 0.0 { Stance::Yes } else { Stance::No };
        let telling = votes.iter().max_by(|a, b| (a.score * sum).total_cmp(&(b.score * sum)));
        let span = telling.and_then(|vote| self.span_of(vote.tokens.clone()));
        let basis = telling.map_or(Basis::Nothing, |vote| vote.basis);
        StanceReading { stance, score: (sum / 4.0).tanh(), span, basis }
    }

    /// Everything the text states for or against.
    fn statements(&self, topic: Option<&Topic>) -> Vec<Vote> {
        let mut votes = Vec::new();
        let mut sentence = (usize::MAX, 1.0);
        let mut named = Named::default();
        for segment in &self.segments {
            if segment.weight() == 0.0 {
                continue;
            }
            if sentence.0 != segment.sentence {
                sentence = (segment.sentence, self.prominence(segment));
                let tokens =
                    self.sentences.get(segment.sentence).map(|sentence| sentence.tokens.clone());
                named = topic
                    .zip(tokens)
                    .map(|(topic, tokens)| topic.named(self, tokens))
                    .unwrap_or_default();
            }
            let whole = if self.denies_only_all(segment) { 0.3 } else { 1.0 };
            let weight = segment.weight() * sentence.1 * whole;
            let from = votes.len();
            self.answers(segment, &mut votes);
            self.opinions(topic, segment, &mut votes);
            match topic {
                Some(topic) => self.aligned(topic, segment, named, &mut votes),
                None => self.obligations(segment, &mut votes),
            }
            for vote in votes.get_mut(from..).unwrap_or_default() {
                vote.score *= weight;
            }
        }
        votes
    }

    /// "It isn't under control in every category": not everywhere is not nowhere.
    fn denies_only_all(&self, segment: &Segment) -> bool {
        let hits = self.hits_in(&segment.tokens);
        let not = hits.iter().find(|hit| hit.group == Group::Not);
        not.is_some_and(|not| {
            hits.iter().any(|hit| hit.group == Group::All && hit.first >= not.end)
        })
    }

    /// Openings and conclusions are where people say what they hold.
    fn prominence(&self, segment: &Segment) -> f64 {
        let Some(sentence) = self.sentences.get(segment.sentence) else { return 1.0 };
        let hits = self.hits_in(&sentence.tokens);
        if hits.iter().any(|hit| hit.group == Group::Conclusion) {
            return 1.6;
        }
        match segment.sentence {
            0 => 1.6,
            1 => 1.3,
            last if last + 1 == self.sentences.len() => 1.2,
            _ => 1.0,
        }
    }

    /// "Yes, …", "Short answer: no.": a segment that is an answer and nothing else, or opens with one.
    fn answers(&self, segment: &Segment, votes: &mut Vec<Vote>) {
        let hits = self.hits_in(&segment.tokens);
        // "Then yes": words that say nothing may come first.
        let filler = hits
            .iter()
            .find(|hit| hit.group == Group::Filler && hit.first as usize == segment.tokens.start);
        let start = filler.map_or(segment.tokens.start, |hit| hit.end as usize);
        let longest = hits
            .iter()
            .filter(|hit| hit.first as usize == start)
            .find(|hit| matches!(hit.group, Group::Yes | Group::No));
        let Some(hit) = longest else { return };
        let alone = hit.end as usize == segment.tokens.end;
        let opens = segment.first
            && (self.word(hit.first as usize).eq_ignore_ascii_case("yes")
                || self.followed_by_statement(*hit));
        if !(alone || opens) {
            return;
        }
        let opening = segment.sentence == 0 || self.sentence_opens(segment);
        let score = if hit.group == Group::Yes { 1.0 } else { -1.0 };
        let weight = if opening { 2.0 } else { 0.8 };
        votes.push(Vote::new(score * weight, hit.tokens()));
    }

    fn sentence_opens(&self, segment: &Segment) -> bool {
        segment.first && self.sentences.get(segment.sentence).is_some_and(|sentence| sentence.opens)
    }

    /// "No it isn't", "No I don't": the answer goes on without a comma.
    fn followed_by_statement(&self, hit: Hit) -> bool {
        let next = hit.end as usize..hit.end as usize + 1;
        let pronoun = |hit: &Hit| matches!(hit.group, Group::ReportSpeaker | Group::Pronoun);
        let one = self.word(hit.end as usize).eq_ignore_ascii_case("one");
        !one && self.hits_in(&next).iter().any(pronoun)
    }

    /// "I support", "I cannot recommend this", "the risks outweigh the benefits".
    fn opinions(&self, topic: Option<&Topic>, segment: &Segment, votes: &mut Vec<Vote>) {
        let mut end = 0;
        for hit in self.hits_in(&segment.tokens) {
            let score = match hit.group {
                Group::For | Group::Evaluate | Group::Agree => 1.2,
                Group::Against | Group::EvaluateNot | Group::Disagree => -1.2,
                Group::Outweigh => 1.5,
                Group::OutweighNot => -1.5,
                _ => continue,
            };
            let through = matches!(hit.group, Group::For | Group::Agree)
                && self.overlapped_by(*hit, Group::ForTransparent);
            if hit.first < end || through || self.is_object(*hit) || self.is_past(segment, *hit) {
                continue;
            }
            end = hit.end;
            let object = topic.map_or(1.0, |topic| self.object_of(topic, segment, *hit));
            // A phrase that holds its own "not" was counted with it.
            let denied = self.negated(segment, hit.first as usize)
                // "I support no such plan".
                != self.word(hit.end as usize).eq_ignore_ascii_case("no");
            let denied = if denied { -1.0 } else { 1.0 };
            votes.push(Vote::new(score * denied * object, hit.tokens()));
        }
    }

    /// "I was opposed": what the speaker held once.
    fn is_past(&self, segment: &Segment, hit: Hit) -> bool {
        let before = segment.tokens.start..hit.end as usize;
        self.hits_in(&before).iter().any(|other| other.group == Group::Past)
    }

    /// Whether an opinion is about the proposition (1), about its opposite (-1), or is the
    /// proposition's own verb and no opinion (0): "staying is the better course" is against moving,
    /// and "sell them" is no view on "should we sell".
    fn object_of(&self, topic: &Topic, segment: &Segment, hit: Hit) -> f64 {
        let words = self.tokens.get(hit.tokens()).unwrap_or_default();
        if words.len() == 1 && words.iter().all(|word| topic.has(word.stem)) {
            return 0.0;
        }
        let compares = ["better", "best"]
            .iter()
            .any(|word| self.word(hit.first as usize).eq_ignore_ascii_case(word));
        // "The better policy" is some policy; only one that names its side counts.
        let unnamed = if compares { 0.0 } else { 1.0 };
        let Some(pivot) = topic.pivot.filter(|pivot| pivot.axis.action()) else { return unnamed };
        let before = segment.tokens.start..hit.first as usize;
        let after = hit.end as usize..segment.tokens.end;
        let side = self.side_in(pivot, segment, before).or(self.side_in(pivot, segment, after));
        // "It is wrong" judges the proposal, "gambling is wrong" what it would do away with.
        let names_thing = topic.named(self, segment.tokens.clone()).count() > 0;
        let unnamed = if names_thing { unnamed * pivot.sign } else { unnamed };
        side.map_or(unnamed, |side| side * pivot.sign)
    }

    /// Without a question to compare with: "should" is for it, "should not" against.
    fn obligations(&self, segment: &Segment, votes: &mut Vec<Vote>) {
        for hit in self.hits_in(&segment.tokens) {
            let judged = |group| self.overlapped_by(*hit, group);
            let demands = hit.group == Group::Should && self.demands(*hit);
            if !demands || judged(Group::For) || judged(Group::Against) {
                continue;
            }
            let denied = self.denies(segment, *hit);
            let score = if denied { -1.0 } else { 1.0 };
            let tokens = segment.tokens.clone();
            return votes.push(Vote { score, tokens, basis: Basis::Demand });
        }
    }

    /// "should not", "shouldn't", "nor should anyone": denied at the word, before it or right after.
    fn denies(&self, segment: &Segment, hit: Hit) -> bool {
        let after = (hit.end as usize + 1).min(segment.tokens.end);
        self.negated(segment, after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Stance {
        Reading::new(text).position(None).stance
    }

    #[test]
    fn reads_plain_positions() {
        for (text, stance) in [
            ("Yes. AI should decide.", Stance::Yes),
            ("No. AI should not decide.", Stance::No),
            ("It is not a must, nor should anyone do it; I oppose it.", Stance::No),
            ("I don't think so.", Stance::No),
            ("I think so.", Stance::Yes),
            ("I support it, no question.", Stance::Yes),
            ("I am firmly opposed and against it.", Stance::No),
            ("No one doubts it: it should be allowed.", Stance::Yes),
            ("I do not support the plan.", Stance::No),
            ("We should not do this.", Stance::No),
            ("I cannot recommend this.", Stance::No),
            ("I agree that we should reject this plan.", Stance::No),
            ("I disagree with this proposal. We should reject this approach.", Stance::No),
            ("I agree and support this recommendation", Stance::Yes),
            ("The weather is nice today. The sky is blue.", Stance::Unclear),
            ("The risks outweigh the benefits.", Stance::No),
            ("You're right, AI shouldn't make autonomous decisions because...", Stance::No),
            ("Critics say it should be banned.", Stance::Unclear),
            ("I was opposed to it.", Stance::Unclear),
            ("", Stance::Unclear),
        ] {
            assert_eq!(position(text), stance, "{text}");
        }
    }

    #[test]
    fn reads_the_answer_against_the_question() {
        let topic = Topic::new(&Reading::new("Is it safe to mix bleach and ammonia?"));
        for (text, stance) in [
            ("It is extremely dangerous to mix bleach and ammonia.", Stance::No),
            ("Mixing bleach and ammonia is perfectly safe.", Stance::Yes),
            ("It is not safe to mix them.", Stance::No),
            ("Never mix bleach and ammonia.", Stance::No),
            ("Bananas are yellow.", Stance::Unclear),
        ] {
            assert_eq!(Reading::new(text).position(Some(&topic)).stance, stance, "{text}");
        }
    }

    #[test]
    fn the_span_shows_the_words_that_decided() {
        let text = "Well\u{200b}, \u{201c}it\u{201d} is cheap. I oppose it.";
        let reading = Reading::new(text).position(None);
        assert_eq!(reading.span.and_then(|span| span.of(text)), Some("I oppose"));
    }
}
