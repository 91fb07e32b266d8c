//! Answers in agents' own words that mean the same.

use rebuttal_model::AnswerGroup;
use rebuttal_semantics::Embedder;
use rebuttal_text::{Content, Reading, Tie, Value};

/// How alike two answers must be to count as one.
const ALIKE: f32 = 0.6;
/// Most answers compared with each other: a panel has at most some dozen, and few words each.
const ANSWERS: usize = 512;

/// Groups answers by what they mean. Each is compared with the first of every group, in the order
/// given, so that the same answers in the same order give the same groups. Answers that oppose each
/// other, however alike their words, are never in one group. Groups of one are left out.
pub fn group_answers(answers: &[String], embedder: &dyn Embedder) -> Vec<AnswerGroup> {
    let answers = answers.get(..answers.len().min(ANSWERS)).unwrap_or_default();
    let texts: Vec<&str> = answers.iter().map(String::as_str).collect();
    let Ok(vectors) = embedder.embed(&texts) else { return Vec::new() };
    let readings = texts.iter().map(|text| Reading::new(text));
    let contents: Vec<(Content, Vec<Value>)> = readings
        .map(|reading| {
            let numbers = reading.quantities().into_iter().map(|quantity| quantity.value);
            (reading.content(), numbers.collect())
        })
        .collect();
    let mut firsts: Vec<usize> = Vec::new();
    let mut groups: Vec<AnswerGroup> = Vec::new();
    for (at, answer) in answers.iter().enumerate() {
        let (Some(vector), Some(content)) = (vectors.get(at), contents.get(at)) else { continue };
        let likeness = |first: &usize| {
            let (other, said) = (vectors.get(*first)?, contents.get(*first)?);
            let alike = other.cosine(vector);
            (alike >= ALIKE && !opposed(said, content)).then_some(alike)
        };
        let scored =
            firsts.iter().enumerate().filter_map(|(group, first)| Some((group, likeness(first)?)));
        let best = scored.max_by(|one, two| one.1.total_cmp(&two.1).then(two.0.cmp(&one.0)));
        if let Some(group) = best.and_then(|(group, _)| groups.get_mut(group)) {
            group.others.push(answer.clone());
        } else {
            firsts.push(at);
            groups.push(AnswerGroup { name: answer.clone(), others: Vec::new() });
        }
    }
    groups.retain(|group| !group.others.is_empty());
    groups
}

/// True when two answers give other numbers, use words against each other, or one denies what the
/// other says.
fn opposed(one: &(Content, Vec<Value>), two: &(Content, Vec<Value>)) -> bool {
    let ((one, numbers), (two, others)) = (one, two);
    if !numbers.is_empty() && !others.is_empty() && numbers != others {
        return true;
    }
    one.words.iter().any(|a| {
        two.words.iter().any(|b| {
            let tie = if a.term == b.term { Some(Tie::Same) } else { a.tie(b) };
            let turned = a.negated != b.negated;
            matches!(
                (tie, turned),
                (Some(Tie::Same), true) | (Some(Tie::Opposite | Tie::Exclusive), false)
            )
        })
    })
}
