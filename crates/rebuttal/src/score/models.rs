//! The models that can be asked; one call gets all rows of a chunk.

use rayon::prelude::*;
use rebuttal_detect::heads::{self, Weighed};
use rebuttal_detect::{self as detect, Reader, relate};
use rebuttal_model::Method;
use rebuttal_semantics::{BuiltinEncoder, SemanticsError};
use rebuttal_text::{Hedging, Reading, StanceReading};

use super::rows::Row;
use super::task::{Answer, Task, Verdict, stance};
use super::{evidence, pairs};

/// The models that were analyzer, if any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Models<'m>(pub(super) Option<&'m detect::Models>);

impl<'m> Models<'m> {
    /// Takes the models of a reader.
    pub(super) fn of(reader: Reader<'m>) -> Self {
        match reader {
            Reader::Model(models) => Self(Some(models)),
            Reader::Seed | Reader::Rules => Self(None),
        }
    }

    /// Whether a model has a say in the task, and can be asked.
    pub(super) fn answer(self, task: Task) -> bool {
        let can = |models: &detect::Models| match task {
            Task::Hedge | Task::Specificity | Task::Evidence | Task::EvidencePair => true,
            Task::Similarity => models.embeds() && models.infers(),
            _ => models.infers(),
        };
        self.0.is_some_and(can) && task.has(Method::Model)
    }

    /// What the model answers to each row, or what is wrong with the row.
    pub(super) fn judge(self, task: Task, rows: &[&Row]) -> Vec<Result<Verdict, String>> {
        let Some(models) = self.0 else {
            return rows.iter().map(|_| Err("no model was analyzer".to_owned())).collect();
        };
        let texts: Vec<Result<(&str, &str), String>> =
            rows.iter().map(|row| asked(task, row)).collect();
        let good: Vec<(&str, &str)> = texts.iter().flatten().copied().collect();
        let answers = match task {
            Task::Contradiction => contradictions(models, &good),
            Task::Similarity => similarities(models, &good),
            Task::Stance => stances(models, &good),
            Task::Hedge => hedges(&good),
            Task::Specificity => specificities(&good),
            Task::Evidence => evidence::arguments(&good),
            Task::EvidencePair => evidence::pairs(&good),
            _ => Err("no model answers this".to_owned()),
        };
        match answers {
            Ok(answers) => {
                let mut answers = answers.into_iter();
                let next = |text: Result<(&str, &str), String>| {
                    text.and_then(|_| {
                        answers.next().ok_or_else(|| "the model left it out".to_owned())
                    })
                };
                texts.into_iter().map(next).collect()
            }
            Err(why) => texts.into_iter().map(|text| text.and(Err(why.clone()))).collect(),
        }
    }
}

/// The texts that the task is about; where it is about one, the second is empty.
fn asked(task: Task, row: &Row) -> Result<(&str, &str), String> {
    match task {
        Task::Hedge | Task::Specificity => {
            row.text_a.as_deref().map(|text| (text, "")).ok_or_else(|| "has no text_a".to_owned())
        }
        Task::Evidence => {
            row.text_b.as_deref().map(|text| ("", text)).ok_or_else(|| "has no text_b".to_owned())
        }
        _ => row.texts(),
    }
}

/// The heads were fitted to the encoder in the program, so it is asked whatever embeds otherwise.
fn hedges(texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
    let hedged = |weighed: Weighed| Verdict {
        answer: Answer::Binary(weighed.score >= Hedging::HEDGED),
        score: weighed.score,
        explanation: format!("hedged {:.2}, by rules alone {:.2}", weighed.score, weighed.rules),
    };
    by_head(heads::hedging, texts, hedged)
}

fn specificities(texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
    let specific = |Weighed { score, rules }: Weighed| Verdict {
        answer: Answer::Number,
        score,
        explanation: format!("specificity {score:.2} of 5, by rules alone {rules:.2}"),
    };
    by_head(heads::specificity, texts, specific)
}

type Head = fn(BuiltinEncoder, &[&str]) -> Result<Vec<Weighed>, SemanticsError>;

fn by_head(
    head: Head,
    texts: &[(&str, &str)],
    told: impl Fn(Weighed) -> Verdict,
) -> Result<Vec<Verdict>, String> {
    let texts: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
    let weighed = head(BuiltinEncoder, &texts).map_err(|error| error.to_string())?;
    Ok(weighed.into_iter().map(told).collect())
}

fn contradictions(models: &detect::Models, texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
    let found = relate::by_model(models, texts).map_err(|error| error.to_string())?;
    Ok(texts.iter().zip(&found).map(|(texts, found)| pairs::related(*texts, found)).collect())
}

fn similarities(models: &detect::Models, texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
    let alike = detect::pair::likeness(models, texts).map_err(|error| error.to_string())?;
    Ok(alike.into_iter().map(|alike| pairs::alike(f64::from(alike), "likeness")).collect())
}

fn stances(models: &detect::Models, texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
    let read: Vec<(&str, Reading<'_>)> =
        texts.par_iter().map(|&(question, text)| (question, Reading::new(text))).collect();
    let read = detect::leaning::stances(models, &read).map_err(|error| error.to_string())?;
    let told = |(reading, (_, text)): (StanceReading, &(&str, &str))| stance(reading, text);
    Ok(read.into_iter().zip(texts).map(told).collect())
}

#[cfg(test)]
mod tests {
    use rebuttal_semantics::{HashedWords, Inference, Pair, SemanticsError, Verdict as Inferred};

    use super::*;

    /// Finds a contradiction in texts that differ.
    #[derive(Debug)]
    struct Echo;

    impl Inference for Echo {
        fn id(&self) -> &'static str {
            "echo"
        }

        fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Inferred>, SemanticsError> {
            let judge = |pair: &Pair<'_>| {
                let contradiction = f32::from(u8::from(pair.premise != pair.hypothesis));
                Inferred { entailment: 0.0, neutral: 1.0 - contradiction, contradiction }
            };
            Ok(pairs.iter().map(judge).collect())
        }
    }

    #[test]
    fn rows_without_a_text_do_not_shift_the_others() {
        let rows: Vec<Row> = ["a", "b"]
            .iter()
            .map(|b| serde_json::from_str(&format!(r#"{{"text_a":"a","text_b":"{b}"}}"#)).unwrap())
            .chain([serde_json::from_str(r#"{"text_a":"a"}"#).unwrap()])
            .collect();
        let models = detect::Models::new(HashedWords, HashedWords, Echo);
        let models = Models(Some(&models));
        let order: Vec<&Row> = [2, 0, 1].map(|at| &rows[at]).to_vec();
        let found = models.judge(Task::Contradiction, &order);
        assert_eq!(found[0], Err("has no text_b".to_owned()));
        let score = |at: usize| found[at].as_ref().map(|verdict| verdict.score).unwrap();
        assert!(score(1) < 0.1 && score(2) > 0.9);
    }
}
