//! What a panel is made with: its case, its half, its dice, and the ways to put things.

use super::Half;
use super::cases::{Argument, Case, Fact};
use super::dice::Dice;
use super::grammar::{capital, fill, small};
use super::phrases::Phrases;
use super::script::{Said, Script};

/// Where a panel is put together.
#[derive(Debug)]
pub(crate) struct Stage<'s> {
    pub(crate) case: Case,
    pub(crate) half: Half,
    pub(crate) dice: Dice,
    pub(crate) phrases: &'s Phrases,
}

impl Stage<'_> {
    /// A wording of a move, with what it is about.
    pub(crate) fn phrase(&mut self, name: &str, slots: &[(&str, &str)]) -> String {
        let text = self.phrases.one(name, self.half, &mut self.dice);
        self.filled(&text, slots)
    }

    /// Different wordings of a move, as many as asked for.
    pub(crate) fn phrases(&mut self, name: &str, count: usize) -> Vec<String> {
        let texts = self.phrases.several(name, count, self.half, &mut self.dice);
        texts.iter().map(|text| self.filled(text, &[])).collect()
    }

    fn filled(&self, text: &str, slots: &[(&str, &str)]) -> String {
        let text = fill(text, slots);
        capital(&fill(&text, &[("thing", &self.case.thing)]))
    }

    /// A fact with its source, in a sentence.
    pub(crate) fn support(&mut self, fact: &Fact) -> String {
        self.support_by("support", fact)
    }

    /// Puts it the way this pool does.
    pub(crate) fn support_by(&mut self, pool: &str, fact: &Fact) -> String {
        self.phrase(pool, &[("says", &fact.says), ("source", &fact.source)])
    }

    /// A claim as the opening of an answer.
    pub(crate) fn thesis(&mut self, answer: &str, claim: &str) -> String {
        let pool = format!("thesis/{answer}");
        self.phrase(&pool, &[("claim", &small(claim))])
    }

    /// A conviction within these hundredths.
    pub(crate) fn sure(&mut self, low: u64, high: u64) -> u64 {
        self.dice.within(low, high)
    }

    /// The argument of an answer that this agent makes, the others in turn where there are few.
    pub(crate) fn argument(&self, answer: &str, at: usize) -> Argument {
        let side = self.case.side(answer);
        side.get(at % side.len().max(1)).cloned().unwrap_or_default()
    }

    /// A sound first turn: a claim, why it follows, and what supports it.
    pub(crate) fn sound(&mut self, answer: &'static str, argument: &Argument) -> Said {
        let facts: Vec<Fact> = argument.facts.iter().take(2).cloned().collect();
        self.sound_with(answer, argument, 0, &facts)
    }

    /// A sound turn of a round, with these facts: another wording of the claim and another reason
    /// than in the rounds before.
    pub(crate) fn sound_with(
        &mut self,
        answer: &'static str,
        argument: &Argument,
        round: usize,
        facts: &[Fact],
    ) -> Said {
        let claim = argument.claims.get(round).cloned().unwrap_or_default();
        let thesis = self.thesis(answer, &claim);
        let why = argument.whys.get(round).map(|why| format!(" {why}.")).unwrap_or_default();
        let evidence = facts.iter().map(|fact| self.support(fact)).collect();
        let conviction = self.sure(60, 92);
        let thesis = format!("{thesis}{why}");
        Said { answer, conviction, thesis, evidence, rebuttals: Vec::new() }
    }

    /// Sound agents with these answers, for three rounds: each has an argument of its own where there
    /// are enough, and nobody gives a fact that was given before.
    pub(crate) fn sound_scripts(&mut self, answers: &[&'static str]) -> Vec<Script> {
        let mut scripts = Vec::new();
        for (seat, answer) in answers.iter().enumerate() {
            let before = answers.iter().take(seat).filter(|other| *other == answer).count();
            let camp = answers.iter().filter(|other| *other == answer).count();
            scripts.push(self.sound_member(answer, before, camp));
        }
        scripts
    }

    /// The `at`-th of so many sound agents of one answer.
    fn sound_member(&mut self, answer: &'static str, at: usize, camp: usize) -> Script {
        let own = self.argument(answer, at);
        // What nobody of the camp says in the blind round, dealt out in turn.
        let spare: Vec<Fact> = self
            .case
            .side(answer)
            .iter()
            .enumerate()
            .flat_map(|(number, argument)| {
                argument.facts.iter().skip(if number < camp { 2 } else { 0 })
            })
            .skip(at)
            .step_by(camp.max(1))
            .cloned()
            .collect();
        let against = self.argument(other(answer), at);
        let mut turns = vec![self.sound(answer, &own)];
        for round in 1..3 {
            let facts: Vec<Fact> = spare.iter().skip(2 * (round - 1)).take(2).cloned().collect();
            let (one, two) = facts.split_at(facts.len().min(1));
            let mut said = self.sound_with(answer, &own, round, one);
            said.rebuttals = two.iter().map(|fact| self.rebuttal(&against, round, fact)).collect();
            turns.push(said);
        }
        Script::of(turns)
    }

    /// A fact against what the other side claims.
    fn rebuttal(&mut self, against: &Argument, round: usize, fact: &Fact) -> String {
        let theirs = against.claims.get(round).map(|claim| small(claim)).unwrap_or_default();
        let slots = [("claim", theirs.as_str()), ("says", &fact.says), ("source", &fact.source)];
        self.phrase("rebut", &slots)
    }

    /// What an agent says that takes a challenge to heart: sourced facts for what it claimed.
    pub(crate) fn repents(&mut self, answer: &'static str, at: usize) -> Vec<Said> {
        self.sound_member(answer, at, 3).turns
    }

    /// The script of an agent at fault, who listens to a challenge in every other panel.
    pub(crate) fn faulty(&mut self, turns: Vec<Said>, at: usize, listens: bool) -> Script {
        let answer = turns.last().map_or("yes", |said| said.answer);
        let script = Script::of(turns);
        if listens { script.listening(self.repents(answer, at)) } else { script }
    }
}

/// The opposite answer.
pub(crate) fn other(answer: &str) -> &'static str {
    if answer == "yes" { "no" } else { "yes" }
}
