//! A flip as a row, and back.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::Offset;
use rebuttal_model::{
    Acknowledgment, Because, Confidence, DebateId, Flip, FlipId, FlipKind, Method, Span,
};
use serde_json::{Value, json};

use super::position_rows::{span, whose};
use super::{StoredPosition, each, each_text};
use crate::journal::time;
use crate::sql::{Args, Row, Sql, Tx, clean, word};
use crate::{Error, Result};

/// The columns of a flip in a table called `flip`, whose positions are `before` and `after`.
macro_rules! flip_columns {
    () => {
        concat!(
            "flip.n, flip.id, flip.similarity_score, flip.flip_type, flip.original_span_start,
            flip.original_span_end, flip.new_span_start, flip.new_span_end, flip.acknowledged,
            flip.acknowledged_start, flip.acknowledged_end, flip.cause, flip.because, flip.method,
            flip.detector_confidence, flip.confidence_whose, flip.explanation, flip.detected_us,
            flip.toward, ",
            crate::ledger::position_columns!("before"),
            ", ",
            crate::ledger::position_columns!("after")
        )
    };
}
pub(crate) use flip_columns;

/// Adds flips. The columns of the seed's schema come first, ours after them.
const INSERT: Sql = each!(
    "INSERT INTO detected_flips (n, id, agent_name, original_claim, new_claim,
        original_confidence, new_confidence, original_debate_id, new_debate_id, similarity_score,
        flip_type, domain, detected_at, original_position_id, new_position_id,
        original_span_start, original_span_end, new_span_start, new_span_end, acknowledged,
        acknowledged_start, acknowledged_end, cause, because, method, severity,
        detector_confidence, confidence_whose, explanation, detected_us, happened_us, toward)
    SELECT CAST(given.value ->> 0 AS BIGINT), given.value ->> 1, given.value ->> 2,
        given.value ->> 3, given.value ->> 4, CAST(given.value ->> 5 AS DOUBLE PRECISION),
        CAST(given.value ->> 6 AS DOUBLE PRECISION), given.value ->> 7, given.value ->> 8,
        CAST(given.value ->> 9 AS DOUBLE PRECISION), given.value ->> 10, given.value ->> 11,
        given.value ->> 12, given.value ->> 13, given.value ->> 14,
        CAST(given.value ->> 15 AS BIGINT), CAST(given.value ->> 16 AS BIGINT),
        CAST(given.value ->> 17 AS BIGINT), CAST(given.value ->> 18 AS BIGINT),
        CAST(given.value ->> 19 AS BIGINT), CAST(given.value ->> 20 AS BIGINT),
        CAST(given.value ->> 21 AS BIGINT), given.value ->> 22, given.value ->> 23,
        given.value ->> 24, CAST(given.value ->> 25 AS DOUBLE PRECISION),
        CAST(given.value ->> 26 AS DOUBLE PRECISION), given.value ->> 27, given.value ->> 28,
        CAST(given.value ->> 29 AS BIGINT), CAST(given.value ->> 30 AS BIGINT),
        given.value ->> 31",
    ""
);

/// A position that was contradicted or withdrawn is reversed; one made finer is not.
const REVERSE: Sql = each!(
    "UPDATE positions SET reversed = 1, reversal_debate_id = given.value ->> 1",
    "WHERE positions.id = given.value ->> 0 AND positions.reversed = 0"
);

/// Each flip is owed to the knowledge store from the moment it exists.
const OWE: Sql = each!(
    "INSERT INTO outbox (flip_id, n)
    SELECT given.value ->> 0, CAST(given.value ->> 1 AS BIGINT)",
    "WHERE true ON CONFLICT (flip_id) DO UPDATE SET
        n = excluded.n, withdrawn = 0, done = 0, attempts = 0, due = 0, error = NULL
        WHERE outbox.withdrawn = 1"
);

/// Flips that are to be withdrawn, as they were when they were found.
const WITHDRAWN: Sql = each_text!(
    concat!("SELECT ", flip_columns!()),
    "JOIN detected_flips AS flip ON flip.id = given.value
    JOIN positions AS before ON before.id = flip.original_position_id
    JOIN positions AS after ON after.id = flip.new_position_id
    ORDER BY flip.n"
);

/// Takes a flip out.
const DELETE: &str = "DELETE FROM detected_flips WHERE id = $1";

/// What the positions were reversed by is what is left.
const RESTORE: &str = "UPDATE positions SET
    reversed = CASE WHEN EXISTS (SELECT f.n FROM detected_flips AS f
        WHERE f.original_position_id = positions.id
        AND f.flip_type IN ('retraction', 'contradiction')) THEN 1 ELSE 0 END,
    reversal_debate_id = (SELECT f.new_debate_id FROM detected_flips AS f
        WHERE f.original_position_id = positions.id
        AND f.flip_type IN ('retraction', 'contradiction') ORDER BY f.n LIMIT 1)
    WHERE positions.id = $1";

/// The other store still has to be told to forget them.
const DISOWN: &str =
    "UPDATE outbox SET withdrawn = 1, done = 0, attempts = 0, due = 0, error = NULL
    WHERE flip_id = $1";

/// Adds flips, numbered after `before`.
pub(super) async fn insert(tx: &mut Tx<'_>, before: u64, flips: &[Flip]) -> Result<()> {
    let numbered = || flips.iter().zip(before + 1..);
    let rows: Vec<Value> = numbered().map(|(flip, n)| row(n, flip)).collect();
    tx.run(INSERT, Args::none().json(&rows)).await?;
    let mut reversed: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for flip in flips.iter().filter(|flip| flip.kind >= FlipKind::Retraction) {
        let debate = flip.after.debate.as_ref().map(DebateId::as_str);
        reversed.entry(flip.before.id.as_str()).or_insert(debate);
    }
    let reversed: Vec<Value> =
        reversed.into_iter().map(|(id, debate)| json!([clean(id), debate.map(clean)])).collect();
    tx.run(REVERSE, Args::none().json(&reversed)).await?;
    let owed: Vec<Value> = numbered().map(|(flip, n)| json!([flip.id, n])).collect();
    tx.run(OWE, Args::none().json(&owed)).await.map(drop)
}

/// Takes flips out again; those that were there, as they were. They are few: one for a position that
/// came late, at most.
pub(super) async fn withdraw(tx: &mut Tx<'_>, ids: &[FlipId]) -> Result<Vec<Flip>> {
    let rows = tx.rows(WITHDRAWN, Args::none().json(&ids)).await?;
    let flips: Vec<Flip> =
        rows.into_iter().map(|mut row| Ok(Found::read(&mut row)?.flip)).collect::<Result<_>>()?;
    for flip in &flips {
        tx.run(DELETE, Args::none().text(flip.id.as_str())).await?;
        tx.run(RESTORE, Args::none().text(flip.before.id.as_str())).await?;
        tx.run(DISOWN, Args::none().text(flip.id.as_str())).await?;
    }
    Ok(flips)
}

/// The columns of `INSERT`.
fn row(n: u64, flip: &Flip) -> Value {
    let Flip { before, after, .. } = flip;
    let debate = |id: &Option<DebateId>| id.as_ref().map(|id| clean(id.as_str()).into_owned());
    let domain = before.domain.as_ref().or(after.domain.as_ref());
    // What moved the agent is read by nobody but us: JSON keeps it whole.
    let because = flip.because.as_ref().and_then(|because| serde_json::to_string(because).ok());
    json!([
        n,
        flip.id,
        clean(before.agent.as_str()),
        clean(&before.claim),
        clean(&after.claim),
        before.confidence.map(Confidence::value),
        after.confidence.map(Confidence::value),
        debate(&before.debate),
        debate(&after.debate),
        flip.similarity,
        flip.kind.as_str(),
        domain.map(|domain| clean(domain)),
        rfc3339(flip.detected_at),
        clean(before.id.as_str()),
        clean(after.id.as_str()),
        flip.before_span.start(),
        flip.before_span.end(),
        flip.after_span.start(),
        flip.after_span.end(),
        u8::from(flip.acknowledgment == Acknowledgment::Acknowledged),
        flip.acknowledged_in.map(Span::start),
        flip.acknowledged_in.map(Span::end),
        flip.cause.as_str(),
        because,
        flip.method.as_str(),
        flip.kind.weight(),
        flip.confidence.value(),
        whose(flip.confidence.whose()),
        clean(&flip.explanation),
        flip.detected_at.as_microsecond(),
        after.at.as_microsecond(),
        flip.toward.as_str(),
    ])
}

/// In UTC and with six decimals, so that texts sort as times do.
fn rfc3339(at: Timestamp) -> String {
    format!("{:.6}", at.display_with_offset(Offset::UTC)).replace("+00:00", "Z")
}

/// A flip and its number in the ledger.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) n: u64,
    pub(crate) flip: Flip,
}

impl Found {
    /// Reads [`flip_columns`].
    pub(crate) fn read(row: &mut Row) -> Result<Self> {
        let n = row.count()?;
        let id = FlipId::new(row.text()?);
        let similarity = row.take::<Option<f64>>()?.unwrap_or_default();
        let kind: FlipKind = row.word()?;
        let (before_span, after_span) = (whole(row)?, whole(row)?);
        let acknowledgment = match row.int()? {
            0 => Acknowledgment::Silent,
            _ => Acknowledgment::Acknowledged,
        };
        let acknowledged_in = span(row)?;
        let cause = row.word()?;
        let because = row.take::<Option<String>>()?.map(|text| because(&text)).transpose()?;
        let method: Method = row.word()?;
        let confidence = row.take::<f64>()?;
        let confidence = Confidence::new(confidence, word(&row.text()?)?)
            .ok_or_else(|| Error::Invalid(format!("{confidence} is no confidence")))?;
        let explanation = row.text()?;
        let detected_at = time(row.int()?)?;
        let toward = row.word()?;
        let before = StoredPosition::read(row)?.position;
        let after = StoredPosition::read(row)?.position;
        let flip = Flip {
            id,
            before,
            after,
            kind,
            similarity,
            confidence,
            method,
            acknowledgment,
            acknowledged_in,
            before_span,
            after_span,
            cause,
            because,
            toward,
            explanation,
            detected_at,
        };
        Ok(Self { n, flip })
    }
}

/// A span; of flips that have none, the empty one.
fn whole(row: &mut Row) -> Result<Span> {
    Ok(span(row)?.unwrap_or_default())
}

/// What moved the agent, from its JSON.
fn because(text: &str) -> Result<Because> {
    serde_json::from_str(text)
        .map_err(|error| Error::Invalid(format!("a flip's reason cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_sort_as_texts() {
        let early = rfc3339("2026-11-16T08:00:00Z".parse().unwrap());
        let later = rfc3339("2026-11-16T08:00:00.5Z".parse().unwrap());
        assert_eq!(early, "2026-11-16T08:00:00.000000Z");
        assert!(early < later);
    }
}
