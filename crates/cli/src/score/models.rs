//! The models that can be asked; one call gets all rows of a chunk.

use rebuttal::semantics::{Embedder, Inference, Pair};

use super::pairs;
use super::rows::Row;
use super::task::{Task, Verdict};

/// The models of this build.
#[derive(Debug, Default)]
pub(super) struct Models {
    inference: Option<Box<dyn Inference>>,
    embedder: Option<Box<dyn Embedder>>,
}

impl Models {
    /// The models this build has.
    pub(super) fn load() -> Self {
        Self::default()
    }

    /// Whether there is a model for the task.
    pub(super) fn answer(&self, task: Task) -> bool {
        match task {
            Task::Contradiction => self.inference.is_some(),
            Task::Similarity => self.embedder.is_some(),
            _ => false,
        }
    }

    /// What the model answers to each row, or what is wrong with the row.
    pub(super) fn judge(&self, task: Task, rows: &[&Row]) -> Vec<Result<Verdict, String>> {
        let texts: Vec<Result<(&str, &str), String>> = rows.iter().map(|row| row.texts()).collect();
        let good: Vec<(&str, &str)> = texts.iter().flatten().copied().collect();
        let answers = match task {
            Task::Contradiction => self.contradictions(&good),
            Task::Similarity => self.similarities(&good),
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

    fn contradictions(&self, texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
        let model = self.inference.as_deref().ok_or("no model in this build")?;
        let pairs: Vec<Pair<'_>> =
            texts.iter().map(|&(premise, hypothesis)| Pair { premise, hypothesis }).collect();
        let verdicts = model.infer(&pairs).map_err(|error| error.to_string())?;
        Ok(verdicts.iter().map(pairs::inferred).collect())
    }

    fn similarities(&self, texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
        let model = self.embedder.as_deref().ok_or("no model in this build")?;
        let flat: Vec<&str> = texts.iter().flat_map(|&(a, b)| [a, b]).collect();
        let vectors = model.embed(&flat).map_err(|error| error.to_string())?;
        let cosines = vectors.chunks_exact(2).filter_map(|pair| match pair {
            [a, b] => Some(a.cosine(b)),
            _ => None,
        });
        Ok(cosines.map(|cosine| pairs::alike(f64::from(cosine), "cosine")).collect())
    }
}

#[cfg(test)]
mod tests {
    use rebuttal::semantics::{SemanticsError, Verdict as Inferred};

    use super::*;

    /// Counts what it is given, and finds a contradiction in equal texts.
    #[derive(Debug)]
    struct Echo;

    impl Inference for Echo {
        fn id(&self) -> &'static str {
            "echo"
        }

        fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Inferred>, SemanticsError> {
            let judge = |pair: &Pair<'_>| {
                let contradiction = f32::from(u8::from(pair.premise == pair.hypothesis));
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
        let models = Models { inference: Some(Box::new(Echo)), embedder: None };
        let order: Vec<&Row> = [2, 0, 1].map(|at| &rows[at]).to_vec();
        let found = models.judge(Task::Contradiction, &order);
        assert_eq!(found[0], Err("has no text_b".to_owned()));
        let score = |at: usize| found[at].as_ref().map(|verdict| verdict.score).unwrap();
        assert!(score(1) > 0.9 && score(2) < 0.1);
    }
}
