//! What is asked of a row, what its label says, and what a method answers.

use rayon::prelude::*;
use rebuttal_detect::rubric::{self, Explanation};
use rebuttal_detect::{Reader, seed};
use rebuttal_model::{AgentId, DebateId, FlipKind, Method, Role, Span, Stance, Transcript, Turn};
use rebuttal_text::{Reading, StanceReading, Topic, one_line};
use serde_json::Value;

use super::label::Label;
use super::models::Models;
use super::rows::{Message, Row};
use super::{evidence, flip, pairs};

/// Which question a file's labels answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// For, against or neither: `text_a` a proposition or question, `text_b` an answer to it;
    /// labels yes, no, unclear
    Stance,
    /// Did the judged speaker reverse its position? Messages, or `text_a` before and `text_b`
    /// after; labels `no_flip`, `soft_flip`, `explicit_flip`, same, reversal, `self_contradiction`, …
    SelfContradiction,
    /// Does `text_b` say that its author's mind changed? Labels `acknowledged_change`,
    /// `no_acknowledged_change`
    Acknowledgement,
    /// Is `text_a` hedged? Labels 1, 0
    Hedge,
    /// How specific is `text_a`? The label is a number
    Specificity,
    /// How well is the argument `text_b` made and supported? The label is a number
    Evidence,
    /// Which of `text_a` and `text_b` is the better supported argument? Labels
    /// `a_more_convincing`, `b_more_convincing`
    EvidencePair,
    /// Can `text_a` and `text_b` both hold? Labels contradiction, entailment, neutral,
    /// `not_contradiction`, `self_contradiction`, …
    Contradiction,
    /// Do `text_a` and `text_b` say the same? The label is a number, or paraphrase, match, …
    Similarity,
    /// What became of the position in `text_a`, given `text_b` of the same speaker? Labels none,
    /// refinement, qualification, retraction, contradiction; `meta.acknowledged`; `meta.question`
    /// may hold the question and, after ` || `, what was said in between
    Flip,
}

/// What a row's label says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gold {
    /// Yes or no.
    Binary(Class),
    /// For, against or neither.
    Stance(Stance),
    /// A number to rank by; where one text is judged also its length in characters, the ranking to
    /// beat.
    Number { value: f64, length: Option<f64> },
    /// What became of a position, if anything, and whether the speaker said so, if that is known.
    Flip { kind: Option<FlipKind>, acknowledged: Option<bool> },
    /// Between the classes: judged and counted, but part of no metric.
    LeftOut,
}

/// The classes of a yes/no label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// No.
    Negative,
    /// Yes.
    Positive,
    /// Yes, and the text says so in as many words; also counted on its own.
    Explicit,
}

/// What a method answers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Verdict {
    pub(super) answer: Answer,
    /// The higher, the surer of a positive (or of yes).
    pub(super) score: f64,
    /// Why, with the words that show it.
    pub(super) explanation: String,
}

/// The answer itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    Binary(bool),
    Stance(Stance),
    Number,
    /// What became of a position, and whether the speaker said so.
    Flip {
        kind: Option<FlipKind>,
        acknowledged: bool,
    },
}

impl Task {
    /// Every task.
    pub const ALL: [Self; 10] = [
        Self::Stance,
        Self::SelfContradiction,
        Self::Acknowledgement,
        Self::Hedge,
        Self::Specificity,
        Self::Evidence,
        Self::EvidencePair,
        Self::Contradiction,
        Self::Similarity,
        Self::Flip,
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stance => "stance",
            Self::SelfContradiction => "self-contradiction",
            Self::Acknowledgement => "acknowledgement",
            Self::Hedge => "hedge",
            Self::Specificity => "specificity",
            Self::Evidence => "evidence",
            Self::EvidencePair => "evidence-pair",
            Self::Contradiction => "contradiction",
            Self::Similarity => "similarity",
            Self::Flip => "flip",
        }
    }

    /// What it asks, and which labels it knows, for help texts.
    pub fn about(self) -> &'static str {
        match self {
            Self::Stance => {
                "For, against or neither: `text_a` a proposition or question, `text_b` an answer to \
                 it; labels yes, no, unclear"
            }
            Self::SelfContradiction => {
                "Did the judged speaker reverse its position? Messages, or `text_a` before and \
                 `text_b` after; labels `no_flip`, `soft_flip`, `explicit_flip`, same, reversal, \
                 `self_contradiction`, …"
            }
            Self::Acknowledgement => {
                "Does `text_b` say that its author's mind changed? Labels `acknowledged_change`, \
                 `no_acknowledged_change`"
            }
            Self::Hedge => "Is `text_a` hedged? Labels 1, 0",
            Self::Specificity => "How specific is `text_a`? The label is a number",
            Self::Evidence => {
                "How well is the argument `text_b` made and supported? The label is a number"
            }
            Self::EvidencePair => {
                "Which of `text_a` and `text_b` is the better supported argument? Labels \
                 `a_more_convincing`, `b_more_convincing`"
            }
            Self::Contradiction => {
                "Can `text_a` and `text_b` both hold? Labels contradiction, entailment, neutral, \
                 `not_contradiction`, `self_contradiction`, …"
            }
            Self::Similarity => {
                "Do `text_a` and `text_b` say the same? The label is a number, or paraphrase, match, \
                 …"
            }
            Self::Flip => {
                "What became of the position in `text_a`, given `text_b` of the same speaker? Labels \
                 none, refinement, qualification, retraction, contradiction; `meta.acknowledged`; \
                 `meta.question` may hold the question and, after ` || `, what was said in between"
            }
        }
    }

    /// Whether the score is a probability.
    pub(super) fn gives_probability(self) -> bool {
        self == Self::Contradiction
    }

    /// Whether there is such a method: the seed documents say how, a model can be asked.
    pub(super) fn has(self, method: Method) -> bool {
        match method {
            Method::Rules => true,
            Method::Seed => !matches!(self, Self::Hedge | Self::Specificity),
            Method::Model => self != Self::Acknowledgement,
        }
    }

    /// The label of the row, or what is wrong with it.
    pub(super) fn gold(self, row: &Row) -> Result<Gold, String> {
        let label = Label::new(&row.label)?;
        let gold = match self {
            Self::Stance => label.stance().map(Gold::Stance),
            Self::SelfContradiction => label.self_contradiction(),
            Self::Acknowledgement => label.binary("acknowledged_change", "no_acknowledged_change"),
            Self::Hedge => label.binary("hedged", "plain"),
            Self::Specificity => label
                .number()
                .map(|value| Gold::Number { value, length: Some(length(row.text_a.as_deref())) }),
            Self::Evidence => label
                .number()
                .map(|value| Gold::Number { value, length: Some(length(row.text_b.as_deref())) }),
            Self::EvidencePair => label.binary("a_more_convincing", "b_more_convincing"),
            Self::Contradiction => label.contradiction(),
            Self::Similarity => label
                .number()
                .map(|value| Gold::Number { value, length: None })
                .or_else(|| label.similarity()),
            Self::Flip => label.flip().map(|kind| flip::gold(kind, row)),
        };
        gold.ok_or_else(|| format!("{} has no label `{}`", self.name(), shown(&label.0)))
    }

    /// What `method` answers to each row, or which text it misses. Rules run on all cores, a row at
    /// a time; a model is given all rows at once.
    pub(super) fn judge_all(
        self,
        rows: &[&Row],
        method: Method,
        models: Models<'_>,
    ) -> Vec<Result<Verdict, String>> {
        if self == Self::Flip {
            let reader = match (method, models.0) {
                (Method::Seed, _) => Reader::Seed,
                (Method::Model, Some(models)) => Reader::Model(models),
                (Method::Rules | Method::Model, _) => Reader::Rules,
            };
            return flip::judge_all(rows, reader);
        }
        match (method, models.0) {
            (Method::Model, Some(models)) if self == Self::SelfContradiction => {
                let turned = |row: &&Row| reversed(row, Reader::Model(models));
                rows.par_iter().map(turned).collect()
            }
            (Method::Model, _) => models.judge(self, rows),
            (Method::Rules | Method::Seed, _) => {
                rows.par_iter().map(|row| self.judge(row, method)).collect()
            }
        }
    }

    /// What `method`, which is not a model, answers to the row, or which text it misses.
    pub(super) fn judge(self, row: &Row, method: Method) -> Result<Verdict, String> {
        match self {
            Self::Stance => {
                let question = text("text_a", row.text_a.as_deref())?;
                Ok(stance_by(question, text("text_b", row.text_b.as_deref())?, method))
            }
            Self::SelfContradiction => {
                let seed = method == Method::Seed;
                reversed(row, if seed { Reader::Seed } else { Reader::Rules })
            }
            Self::Acknowledgement => {
                Ok(acknowledgement(text("text_b", row.text_b.as_deref())?, method))
            }
            Self::Hedge => Ok(hedge(text("text_a", row.text_a.as_deref())?)),
            Self::Specificity => Ok(specificity(text("text_a", row.text_a.as_deref())?)),
            Self::Evidence => {
                Ok(evidence::argument(text("text_b", row.text_b.as_deref())?, method))
            }
            Self::EvidencePair => Ok(evidence::pair(row.texts()?, method)),
            Self::Contradiction => Ok(pairs::contradiction(row.texts()?, method)),
            Self::Similarity => Ok(pairs::similarity(row.texts()?, method)),
            Self::Flip => {
                flip::judge(row, if method == Method::Seed { Reader::Seed } else { Reader::Rules })
            }
        }
    }

    /// How the answer is spelled in a file of predictions: as the labels are.
    pub(super) fn spell(self, verdict: &Verdict) -> Value {
        let (positive, negative) = match self {
            Self::Hedge => ("1", "0"),
            Self::Acknowledgement => ("acknowledged_change", "no_acknowledged_change"),
            Self::Contradiction => ("contradiction", "not_contradiction"),
            Self::EvidencePair => ("a_more_convincing", "b_more_convincing"),
            Self::Similarity => ("paraphrase", "not_paraphrase"),
            Self::Stance
            | Self::SelfContradiction
            | Self::Specificity
            | Self::Evidence
            | Self::Flip => ("self_contradiction", "no_self_contradiction"),
        };
        match verdict.answer {
            Answer::Binary(true) => positive.into(),
            Answer::Binary(false) => negative.into(),
            Answer::Stance(stance) => stance.as_str().into(),
            Answer::Number => verdict.score.into(),
            Answer::Flip { kind, .. } => kind.map_or("none", FlipKind::as_str).into(),
        }
    }
}

/// In characters; limits keep it far below what an `f64` counts exactly.
fn length(text: Option<&str>) -> f64 {
    let letters = text.unwrap_or_default().chars().count();
    f64::from(u32::try_from(letters).unwrap_or(u32::MAX))
}

fn text<'r>(name: &str, field: Option<&'r str>) -> Result<&'r str, String> {
    field.ok_or_else(|| format!("has no {name}"))
}

fn stance_by(question: &str, answer: &str, method: Method) -> Verdict {
    let reading = match method {
        Method::Seed => seed::stance(answer),
        _ => Reading::new(answer).stance(Some(&Topic::new(&Reading::new(question)))),
    };
    stance(reading, answer)
}

/// The answer and the words that show it.
pub(super) fn stance(reading: StanceReading, answer: &str) -> Verdict {
    let StanceReading { stance, score, span, .. } = reading;
    let explanation = match quoted(answer, span) {
        Some(words) => format!("{words} reads as {}", stance.as_str()),
        None => format!("reads as {}", stance.as_str()),
    };
    Verdict { answer: Answer::Stance(stance), score, explanation }
}

fn acknowledgement(reply: &str, method: Method) -> Verdict {
    let span = match method {
        Method::Rules | Method::Model => Reading::new(reply).acknowledgment().map(|cue| cue.span),
        Method::Seed => seed::acknowledgment(reply),
    };
    let found = span.is_some();
    let explanation = match quoted(reply, span) {
        Some(words) => format!("{words} acknowledges a change of mind"),
        None => "nothing acknowledges a change of mind".to_owned(),
    };
    Verdict { answer: Answer::Binary(found), score: f64::from(u8::from(found)), explanation }
}

fn hedge(sentence: &str) -> Verdict {
    let hedging = Reading::new(sentence).hedging();
    let words: Vec<String> =
        hedging.cues.iter().filter_map(|cue| quoted(sentence, Some(cue.span))).collect();
    let explanation = if words.is_empty() {
        "nothing hedges".to_owned()
    } else {
        format!("hedged by {}", words.join(", "))
    };
    Verdict { answer: Answer::Binary(hedging.is_hedged()), score: hedging.score, explanation }
}

fn specificity(sentence: &str) -> Verdict {
    let score = Reading::new(sentence).specificity();
    Verdict { answer: Answer::Number, score, explanation: format!("specificity {score:.2} of 5") }
}

fn reversed(row: &Row, reader: Reader<'_>) -> Result<Verdict, String> {
    Ok(reversal(&rubric::explain(&conversation(row)?, reader)))
}

/// Whether the position was reversed, acknowledged or not. The rubric itself forgives a reversal
/// that is acknowledged; the labels of this task do not ask for that.
fn reversal(explanation: &Explanation) -> Verdict {
    Verdict {
        answer: Answer::Binary(explanation.is_reversal()),
        score: explanation.score,
        explanation: explanation.reason.clone(),
    }
}

/// The row as a transcript in which only the judged speaker's turns are an agent's.
fn conversation(row: &Row) -> Result<Transcript, String> {
    let turns = match (&row.messages, &row.text_a, &row.text_b) {
        (Some(messages), _, _) => turns(messages),
        (None, Some(before), Some(after)) => [before, after]
            .map(|text| Turn::new(AgentId::new("speaker"), Role::Agent, text.as_str()))
            .to_vec(),
        (None, _, _) => return Err("has neither messages nor text_a and text_b".to_owned()),
    };
    let question = ["proposition", "question"]
        .iter()
        .find_map(|name| row.meta.get(name).and_then(Value::as_str))
        .map(str::to_owned);
    Ok(Transcript::new(DebateId::new("row"), question, turns))
}

/// Where one speaker is called `target`, it alone is judged, and the others are its audience.
fn turns(messages: &[Message]) -> Vec<Turn> {
    let targeted = messages.iter().any(|message| message.role == "target");
    let role = |name: &str| match name {
        "target" => Role::Agent,
        "system" | "developer" => Role::System,
        "tool" | "function" => Role::Tool,
        "user" | "human" => Role::User,
        _ if targeted => Role::User,
        _ => Role::Agent,
    };
    messages
        .iter()
        .map(|message| {
            let agent = AgentId::new(message.role.as_str());
            Turn::new(agent, role(&message.role), message.content.as_str())
        })
        .collect()
}

/// The words under a span in quotation marks.
pub(super) fn quoted(text: &str, span: Option<Span>) -> Option<String> {
    span.and_then(|span| span.of(text)).map(|words| format!("“{words}”"))
}

/// A label short enough to show in a message, without anything a terminal would obey.
fn shown(label: &str) -> String {
    let short: String = label.chars().take(40).collect();
    one_line(&short).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(json: &str) -> Row {
        serde_json::from_str(json).unwrap()
    }

    fn gold(task: Task, label: &str) -> Result<Gold, String> {
        task.gold(&row(&format!("{{\"label\":{label}}}")))
    }

    #[test]
    fn labels_of_every_task() {
        use Class::{Explicit, Negative, Positive};
        let binary = |class| Ok(Gold::Binary(class));
        for (task, label, expected) in [
            (Task::Stance, "\"Yes\"", Ok(Gold::Stance(Stance::Yes))),
            (Task::Stance, "\"unclear\"", Ok(Gold::Stance(Stance::Unclear))),
            (Task::SelfContradiction, "\"explicit_flip\"", binary(Explicit)),
            (Task::SelfContradiction, "\"soft_flip\"", binary(Positive)),
            (Task::SelfContradiction, "\"same\"", binary(Negative)),
            (Task::SelfContradiction, "\"no_self_contradiction\"", binary(Negative)),
            (Task::SelfContradiction, "\"moved_from_or_to_unclear\"", Ok(Gold::LeftOut)),
            (Task::SelfContradiction, "true", binary(Positive)),
            (Task::Acknowledgement, "\"acknowledged_change\"", binary(Positive)),
            (Task::Hedge, "\"0\"", binary(Negative)),
            (Task::Hedge, "1", binary(Positive)),
            (Task::Specificity, "3.375", Ok(Gold::Number { value: 3.375, length: Some(0.0) })),
            (Task::Evidence, "0.5", Ok(Gold::Number { value: 0.5, length: Some(0.0) })),
            (Task::EvidencePair, "\"a_more_convincing\"", binary(Positive)),
            (Task::EvidencePair, "\"b_more_convincing\"", binary(Negative)),
            (Task::Contradiction, "\"contradiction\"", binary(Positive)),
            (Task::Contradiction, "\"not_entailment\"", binary(Negative)),
            (Task::Contradiction, "\"self_contradiction\"", binary(Positive)),
            (Task::Similarity, "\"no_match\"", binary(Negative)),
            (Task::Similarity, "2.5", Ok(Gold::Number { value: 2.5, length: None })),
        ] {
            assert_eq!(gold(task, label), expected, "{task:?} {label}");
        }
    }

    #[test]
    fn control_characters_in_a_label_are_shown() {
        let refused = gold(Task::Stance, r#""yes\u001b[2J\nok""#).unwrap_err();
        assert_eq!(refused, r"stance has no label `yes\u{1b}[2j\nok`");
    }

    #[test]
    fn a_label_of_another_task_is_refused() {
        assert_eq!(gold(Task::Stance, "\"maybe\""), Err("stance has no label `maybe`".to_owned()));
        assert_eq!(
            gold(Task::Specificity, "\"nan\""),
            Err("specificity has no label `nan`".to_owned())
        );
        assert_eq!(gold(Task::Hedge, "null"), Err("has no label".to_owned()));
        assert_eq!(gold(Task::Hedge, "[1]"), Err("the label is not a word".to_owned()));
    }

    #[test]
    fn a_missing_text_is_named() {
        let empty = row(r#"{"text_a":"a","label":"yes"}"#);
        assert_eq!(Task::Stance.judge(&empty, Method::Rules), Err("has no text_b".to_owned()));
        let neither = Task::SelfContradiction.judge(&empty, Method::Rules);
        assert_eq!(neither, Err("has neither messages nor text_a and text_b".to_owned()));
    }

    #[test]
    fn only_the_target_is_judged() {
        let roles = |json: &str| -> Vec<Role> {
            conversation(&row(json)).unwrap().turns.iter().map(|turn| turn.role).collect()
        };
        let targeted =
            r#"{"messages":[{"role":"persuader","content":"a"},{"role":"target","content":"b"}]}"#;
        assert_eq!(roles(targeted), [Role::User, Role::Agent]);
        let chat =
            r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#;
        assert_eq!(roles(chat), [Role::User, Role::Agent]);
        assert_eq!(roles(r#"{"text_a":"a","text_b":"b"}"#), [Role::Agent, Role::Agent]);
    }

    #[test]
    fn the_proposition_is_the_question() {
        let asked = r#"{"messages":[],"meta":{"proposition":"Cats rule."}}"#;
        assert_eq!(conversation(&row(asked)).unwrap().question.as_deref(), Some("Cats rule."));
    }

    fn answer(task: Task, json: &str, method: Method) -> Answer {
        task.judge(&row(json), method).unwrap().answer
    }

    #[test]
    fn an_acknowledged_reversal_is_a_reversal() {
        let said = |after: &str| {
            format!(r#"{{"text_a":"Yes, we should ship it.","text_b":"{after}","label":"same"}}"#)
        };
        for method in [Method::Rules, Method::Seed] {
            for (after, reversed) in [
                ("No, we should not ship it.", true),
                ("I was wrong. No, we should not ship it.", true),
                ("Yes, we should ship it today.", false),
            ] {
                let found = answer(Task::SelfContradiction, &said(after), method);
                assert_eq!(found, Answer::Binary(reversed), "{method:?}: {after}");
            }
        }
    }

    #[test]
    fn the_supported_argument_wins_in_either_order() {
        let sound =
            "Trams cut the traffic on Queen Street by 31%, the 2022 count of the city found.";
        let empty =
            "Trams are really nice and good, and many people like good and nice things a lot.";
        for (a, b, first) in [(sound, empty, true), (empty, sound, false)] {
            let json = format!(r#"{{"text_a":"{a}","text_b":"{b}"}}"#);
            for method in [Method::Rules, Method::Seed] {
                assert_eq!(answer(Task::EvidencePair, &json, method), Answer::Binary(first));
            }
        }
    }

    #[test]
    fn the_seed_lists_answer_too() {
        assert!(Task::Stance.has(Method::Seed) && Task::Acknowledgement.has(Method::Seed));
        let no = r#"{"text_a":"Ship it?","text_b":"No, we should not.","label":"no"}"#;
        assert_eq!(answer(Task::Stance, no, Method::Seed), Answer::Stance(Stance::No));
        let wrong = r#"{"text_b":"I was wrong about that.","label":"acknowledged_change"}"#;
        assert_eq!(answer(Task::Acknowledgement, wrong, Method::Seed), Answer::Binary(true));
        let firm = r#"{"text_b":"I stand by that.","label":"no_acknowledged_change"}"#;
        assert_eq!(answer(Task::Acknowledgement, firm, Method::Seed), Answer::Binary(false));
    }
}
