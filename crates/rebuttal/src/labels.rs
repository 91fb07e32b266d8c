//! What people said of findings: each answer is a labelled row, in the form that [`score`](crate::score)
//! reads. They are kept in a stream of the journal, so nothing said is lost and later words stand.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rebuttal_model::{Event, StreamId};
use rebuttal_store::Store;
use serde_json::{Value, json};

use crate::error::{Result, err};

/// Longest text of a row, in bytes: a finding quotes sentences.
const TEXT_BYTES: usize = 16 << 10;

/// What was said of one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label<'l> {
    /// The question of `rebuttal score` that it answers.
    pub task: &'l str,
    /// The id of the finding.
    pub id: &'l str,
    /// What was said before, or by one side.
    pub text_a: &'l str,
    /// What was said after, or by the other side.
    pub text_b: &'l str,
    /// The answer.
    pub label: &'l str,
}

fn stream() -> StreamId {
    StreamId::new("labels")
}

/// Keeps what was said of a finding.
pub async fn add(store: &Store, now: Timestamp, said: &Label<'_>) -> Result<()> {
    let Label { task, id, text_a, text_b, label } = *said;
    if [id, text_a, text_b].iter().any(|text| text.len() > TEXT_BYTES) {
        return Err(err!("a row has texts of at most {TEXT_BYTES} bytes"));
    }
    let row = json!({ "id": id, "text_a": text_a, "text_b": text_b, "label": label });
    let event = Event::FindingJudged { task: task.to_owned(), row };
    store.append(&stream(), None, now, &[event]).await?;
    Ok(())
}

/// The rows for a question, one for each finding, in the order the findings were first judged: the last
/// word on each.
pub async fn rows(store: &Store, task: &str) -> Result<Vec<Value>> {
    let (mut rows, mut places): (Vec<Value>, BTreeMap<String, usize>) = Default::default();
    let mut after = 0;
    loop {
        let records = store.read(&stream(), after).await?;
        let Some(last) = records.last() else { return Ok(rows) };
        after = last.seq;
        for record in records {
            let Event::FindingJudged { task: of, row } = record.event else { continue };
            if of != task {
                continue;
            }
            let id = row.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            let known = places.get(&id).and_then(|place| rows.get_mut(*place));
            if let Some(before) = known {
                *before = row;
            } else {
                places.insert(id, rows.len());
                rows.push(row);
            }
        }
    }
}
