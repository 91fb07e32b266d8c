//! A position as a row, and back.

use std::sync::LazyLock;

use jiff::Timestamp;
use rebuttal_model::{
    AgentId, Cause, Confidence, DebateId, Outcome, Position, PositionId, Span, Stance, TurnId,
    Whose, limits,
};
use serde_json::{Value, json};

use super::each;
use crate::journal::time;
use crate::sql::{Args, EngineKind, Row, Sql, Tx, clean, word};
use crate::{Error, Result};

/// A position as the ledger has it, with what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPosition {
    /// Its number: 1, 2, 3, … in the order the ledger took them.
    pub n: u64,
    /// What was held.
    pub position: Position,
    /// Whether it turned out right, once that is known.
    pub outcome: Option<Outcome>,
    /// When that was known.
    pub resolved_at: Option<Timestamp>,
    /// True when the agent contradicted or withdrew it later.
    pub reversed: bool,
}

/// The columns of a position, for a table called `$p`.
macro_rules! position_columns {
    ($p:literal) => {
        concat!(
            $p,
            ".n, ",
            $p,
            ".id, ",
            $p,
            ".agent_name, ",
            $p,
            ".claim, ",
            $p,
            ".confidence, ",
            $p,
            ".confidence_whose, ",
            $p,
            ".debate_id, ",
            $p,
            ".round_num, ",
            $p,
            ".outcome, ",
            $p,
            ".reversed, ",
            $p,
            ".domain, ",
            $p,
            ".created_at, ",
            $p,
            ".resolved_at, ",
            $p,
            ".question, ",
            $p,
            ".stance, ",
            $p,
            ".turn, ",
            $p,
            ".span_start, ",
            $p,
            ".span_end, ",
            $p,
            ".exposed_to"
        )
    };
}
pub(crate) use position_columns;

/// Adds positions. The columns of the seed's schema come first, ours after them.
const INSERT: Sql = each!(
    "INSERT INTO positions (n, id, agent_name, claim, confidence, confidence_whose, debate_id,
        round_num, domain, created_at, question, stance, turn, span_start, span_end, exposed_to,
        content)
    SELECT CAST(given.value ->> 0 AS BIGINT), given.value ->> 1, given.value ->> 2,
        given.value ->> 3, CAST(given.value ->> 4 AS DOUBLE PRECISION), given.value ->> 5,
        given.value ->> 6, CAST(given.value ->> 7 AS BIGINT), given.value ->> 8,
        CAST(given.value ->> 9 AS BIGINT), given.value ->> 10, given.value ->> 11,
        CAST(given.value ->> 12 AS BIGINT), CAST(given.value ->> 13 AS BIGINT),
        CAST(given.value ->> 14 AS BIGINT), given.value ->> 15, CAST(given.value ->> 16 AS BIGINT)",
    ""
);

/// Rows of one statement on SQLite, where binding values is much cheaper than taking JSON apart.
/// What is left over is few, and goes as JSON.
const MANY: usize = limits::RECORD_POSITIONS;
/// Rows of the smaller statement, for what is left after the large ones.
const SOME: usize = 100;

static INSERT_MANY: LazyLock<String> = LazyLock::new(|| insert_rows(MANY));
static INSERT_SOME: LazyLock<String> = LazyLock::new(|| insert_rows(SOME));

/// Values of a row.
const COLUMNS: usize = 17;

/// Most values that SQLite takes for one statement.
const VALUES_MAX: usize = 32_766;
const _: () = assert!(MANY * COLUMNS <= VALUES_MAX && SOME <= MANY);

/// The statement for so many rows.
fn insert_rows(count: usize) -> String {
    let (head, _) = INSERT.sqlite.split_once("SELECT").unwrap_or_default();
    let row = format!("({})", ["?"; COLUMNS].join(","));
    format!("{head} VALUES {}", vec![row; count].join(","))
}

/// Statements that add positions, ready to be sent: making them takes no database.
pub(super) struct Rows(Vec<(Sql, Args)>);

impl Rows {
    /// Positions numbered after `before`, each with its fingerprint.
    pub(super) fn new(engine: EngineKind, before: u64, positions: &[Printed<'_>]) -> Self {
        let mut statements = Vec::new();
        let mut rest = positions;
        let mut n = before + 1;
        if engine == EngineKind::Sqlite {
            for (size, statement) in [(MANY, &INSERT_MANY), (SOME, &INSERT_SOME)] {
                while let Some((batch, more)) = rest.split_at_checked(size) {
                    let room = Args::room(size * COLUMNS);
                    let args =
                        batch.iter().zip(n..).fold(room, |args, (one, n)| bind(args, n, one));
                    statements.push((statement.as_str().into(), args));
                    rest = more;
                    n += size as u64;
                }
            }
        }
        if !rest.is_empty() {
            let rows: Vec<Value> = rest.iter().zip(n..).map(|(one, n)| row(n, one)).collect();
            statements.push((INSERT, Args::none().json(&rows)));
        }
        Self(statements)
    }

    /// Adds them.
    pub(super) async fn insert(self, tx: &mut Tx<'_>) -> Result<()> {
        for (statement, args) in self.0 {
            tx.run(statement, args).await?;
        }
        Ok(())
    }
}

/// A position with its fingerprint, which is made once.
pub(super) type Printed<'p> = (&'p Position, i64);

/// The values of one row.
fn bind(args: Args, n: u64, (position, fingerprint): &Printed<'_>) -> Args {
    let place = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
    args.count(n)
        .text(position.id.as_str())
        .text(position.agent.as_str())
        .text(position.claim.as_str())
        .real(position.confidence.map(Confidence::value))
        .text(position.confidence.map(|confidence| whose(confidence.whose())))
        .text(position.debate.as_ref().map(DebateId::as_str))
        .int(position.round.map(i64::from))
        .text(position.domain.as_deref())
        .int(position.at.as_microsecond())
        .text(position.question.as_deref())
        .text(position.stance.as_str())
        .int(position.turn.map(|turn| place(turn.index())))
        .int(position.span.map(|span| place(span.start())))
        .int(position.span.map(|span| place(span.end())))
        .text(causes(&position.exposed_to).as_deref())
        .int(*fingerprint)
}

/// The row as JSON.
fn row(n: u64, (position, fingerprint): &Printed<'_>) -> Value {
    json!([
        n,
        clean(position.id.as_str()),
        clean(position.agent.as_str()),
        clean(&position.claim),
        position.confidence.map(Confidence::value),
        position.confidence.map(|confidence| whose(confidence.whose())),
        position.debate.as_ref().map(|debate| clean(debate.as_str())),
        position.round,
        position.domain.as_deref().map(clean),
        position.at.as_microsecond(),
        position.question.as_deref().map(clean),
        position.stance.as_str(),
        position.turn.map(TurnId::index),
        position.span.map(Span::start),
        position.span.map(Span::end),
        causes(&position.exposed_to),
        fingerprint,
    ])
}

/// Tells whether a second position with the same id is the same: a hash of all it says but its
/// time, which is a column of its own.
pub(super) fn fingerprint(position: &Position) -> i64 {
    let mut hasher = blake3::Hasher::new();
    let mut put = |text: Option<&str>| {
        let text = text.map_or(&[][..], str::as_bytes);
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text);
    };
    put(Some(position.agent.as_str()));
    put(Some(&position.claim));
    put(position.question.as_deref());
    put(position.debate.as_ref().map(DebateId::as_str));
    put(position.domain.as_deref());
    put(causes(&position.exposed_to).as_deref());
    put(Some(position.stance.as_str()));
    put(position.confidence.map(|confidence| whose(confidence.whose())));
    let confidence = position.confidence.map(|confidence| confidence.value().to_bits());
    let place = [
        position.round.map(u64::from),
        position.turn.map(|turn| turn.index() as u64),
        position.span.map(|span| span.start() as u64),
        position.span.map(|span| span.end() as u64),
        position.question.as_ref().map(|_| 0),
        position.debate.as_ref().map(|_| 0),
        position.domain.as_ref().map(|_| 0),
    ];
    for number in place {
        hasher.update(&number.map_or(0, |number| number + 1).to_le_bytes());
    }
    hasher.update(&confidence.unwrap_or(u64::MAX).to_le_bytes());
    let hash = hasher.finalize();
    let first = hash.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
    i64::from_le_bytes(first)
}

/// What the agent was shown, as JSON; NULL where it was shown nothing.
fn causes(exposed_to: &[Cause]) -> Option<String> {
    let words: Vec<&str> = exposed_to.iter().map(|cause| cause.as_str()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Who is that sure, in a word.
pub(super) fn whose(whose: Whose) -> &'static str {
    match whose {
        Whose::Stated => "stated",
        Whose::Detector => "detector",
        Whose::Calibrated => "calibrated",
    }
}

impl StoredPosition {
    /// Reads [`position_columns`].
    pub(crate) fn read(row: &mut Row) -> Result<Self> {
        let n = row.count()?;
        let id = PositionId::new(row.text()?);
        let agent = AgentId::new(row.text()?);
        let claim = row.text()?;
        let confidence = confidence(row)?;
        let debate = row.take::<Option<String>>()?.map(DebateId::new);
        let round = small(row)?;
        let outcome = row.text()?;
        let reversed = row.int()? != 0;
        let domain = row.take()?;
        let at = time(row.int()?)?;
        let resolved_at = row.take::<Option<i64>>()?.map(time).transpose()?;
        let question = row.take()?;
        let stance: Stance = row.word()?;
        let turn = small(row)?.map(|turn| TurnId::new(turn as usize));
        let span = span(row)?;
        let exposed_to = row.take::<Option<String>>()?.unwrap_or_default();
        let exposed_to = exposed_to.split_whitespace().map(word).collect::<Result<_>>()?;
        let outcome = (outcome != "pending").then(|| word(&outcome)).transpose()?;
        let position = Position {
            id,
            agent,
            claim,
            question,
            stance,
            confidence,
            debate,
            round,
            turn,
            span,
            domain,
            at,
            exposed_to,
        };
        Ok(Self { n, position, outcome, resolved_at, reversed })
    }
}

/// A confidence and whose it is, from two columns.
fn confidence(row: &mut Row) -> Result<Option<Confidence>> {
    let (value, whose) = (row.take::<Option<f64>>()?, row.take::<Option<String>>()?);
    let (Some(value), Some(whose)) = (value, whose) else { return Ok(None) };
    let confidence = Confidence::new(value, word(&whose)?);
    let wrong = || Error::Invalid(format!("{value} is no confidence"));
    confidence.ok_or_else(wrong).map(Some)
}

/// A column with a number of at most 32 bits.
fn small(row: &mut Row) -> Result<Option<u32>> {
    Ok(row.take::<Option<i64>>()?.and_then(|number| u32::try_from(number).ok()))
}

/// A span from two columns.
pub(super) fn span(row: &mut Row) -> Result<Option<Span>> {
    let (start, end) = (row.take::<Option<i64>>()?, row.take::<Option<i64>>()?);
    let place = |at: i64| usize::try_from(at).unwrap_or_default();
    Ok(start.zip(end).map(|(start, end)| Span::new(place(start), place(end))))
}
