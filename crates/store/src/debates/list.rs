//! Debates by the page, the latest first.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use rebuttal_model::{DebateId, Hash, StreamId};
use serde::{Deserialize, Serialize};

use super::fold::{Fold, Stage};
use super::{PREFIX, debate_columns, debate_of};
use crate::journal::{Entry, Head, Walk, entry, time};
use crate::lease::is_dead;
use crate::sql::{Args, Row, Sql, word};
use crate::{Holder, Result, Store};

/// Most debates on a page.
const PAGE: usize = 1000;

/// How many records of a page's debates are checked against their hashes. Longer debates are checked
/// when they are read.
const CHECKED_RECORDS: u64 = 4000;

/// A page of the list with who runs each debate; the lease is asked for at the time of asking.
macro_rules! list {
    ($which:literal) => {
        concat!(
            "SELECT d.stream, l.process, l.host, l.identity, l.since, s.seq, s.hash, ",
            debate_columns!(),
            " FROM debates AS d
            LEFT JOIN streams AS s ON s.stream = d.stream
            LEFT JOIN leases AS l ON l.stream = d.stream AND l.expires > $1
            WHERE (d.started, d.stream) < ($2, $3)
                AND ($4 = '' OR lower(d.question) LIKE lower($4) ESCAPE '!')
                AND ($6 = '' OR EXISTS (SELECT 1 FROM orders AS o
                    WHERE o.stream = d.stream AND o.owner = $6))",
            $which,
            " ORDER BY d.started DESC, d.stream DESC LIMIT $5"
        )
    };
}

/// Every debate.
const ALL: &str = list!("");
const BY_STAGE: &str = list!(" AND d.status = $7");
const RUNNING: &str = list!(" AND d.status = $7 AND l.stream IS NOT NULL");
const STOPPED: &str = list!(" AND d.status = $7 AND l.stream IS NULL");

/// Ids between two texts, which is how those with a common beginning are found by an index.
const IDS: &str = "SELECT stream FROM debates WHERE stream >= $1 AND stream < $2
    ORDER BY stream LIMIT $3";

/// All records of several debates, to check them against their hashes.
const RECORDS: Sql = Sql {
    sqlite: "SELECT stream, seq, at, prev, hash, payload FROM journal
        WHERE stream IN (SELECT value FROM json_each($1)) ORDER BY stream, seq",
    postgres: "SELECT stream, seq, at, prev, hash, payload FROM journal
        WHERE stream IN (SELECT json_array_elements_text(CAST($1 AS json))) ORDER BY stream, seq",
};

/// Where a debate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DebateStatus {
    /// Somebody runs it now.
    Running,
    /// Nobody runs it, and it has not ended: it can be resumed.
    Unfinished,
    /// It waits for a person's answer at a breakpoint.
    Waiting,
    /// It ended with an answer.
    Decided,
    /// It ended without one.
    Undecided,
    /// It cannot be read, or was changed after it was written.
    Damaged,
}

impl DebateStatus {
    /// `running`, `unfinished`, ….
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Unfinished => "unfinished",
            Self::Waiting => "waiting",
            Self::Decided => "decided",
            Self::Undecided => "undecided",
            Self::Damaged => "damaged",
        }
    }
}

impl FromStr for DebateStatus {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        word(text).map_err(|_| {
            format!(
                "{text:?} is no status of debates; there are running, unfinished, waiting, decided, \
                 undecided and damaged"
            )
        })
    }
}

/// A debate in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DebateRow {
    /// Its id.
    pub id: DebateId,
    /// What is asked; empty where the first record cannot be read.
    pub question: String,
    /// How many take part.
    pub agents: u64,
    /// When its first record was written.
    pub started: Timestamp,
    /// When its last record was written.
    pub latest: Timestamp,
    /// How many records it has.
    pub records: u64,
    /// Where it stands.
    pub status: DebateStatus,
    /// What was decided.
    pub answer: Option<String>,
    /// What the votes had come to, where a moderator overrode them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrode: Option<String>,
    /// How many calls were answered or failed.
    pub calls: u64,
    /// Tokens that were read.
    pub input_tokens: u64,
    /// Tokens that were written.
    pub output_tokens: u64,
    /// What that cost, as far as prices are known, in millionths of a US dollar.
    pub micro_usd: u64,
    /// Who runs it now.
    pub holder: Option<Holder>,
    /// What cannot be read, and why.
    pub damage: Option<String>,
}

impl DebateRow {
    /// Its place in the list, to go on after it.
    pub fn cursor(&self) -> Cursor {
        Cursor { started: self.started.as_microsecond(), id: self.id.clone() }
    }
}

/// Which debates are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebateFilter {
    /// Only those that stand here.
    pub status: Option<DebateStatus>,
    /// Only those whose question contains this, in capitals or not.
    pub question: Option<String>,
    /// Only those that this user of a server asked for.
    pub owner: Option<String>,
    /// Only those after this one, as [`DebatePage::next`] says.
    pub after: Option<Cursor>,
    /// At most so many, and never more than a thousand.
    pub limit: usize,
}

/// A place in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct Cursor {
    started: i64,
    id: DebateId,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.started, self.id)
    }
}

impl From<Cursor> for String {
    fn from(cursor: Cursor) -> Self {
        cursor.to_string()
    }
}

impl FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let wrong =
            || format!("{text:?} is no place in the list of debates; take `next` as it was given");
        let (started, id) = text.split_once('.').ok_or_else(wrong)?;
        Ok(Self { started: started.parse().map_err(|_| wrong())?, id: DebateId::new(id) })
    }
}

/// Some debates, the latest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DebatePage {
    /// These.
    pub debates: Vec<DebateRow>,
    /// Where to go on, if there are more.
    pub next: Option<Cursor>,
}

/// A row with the head its stream should have.
struct Listed {
    row: DebateRow,
    stream: StreamId,
    /// `None` where it was lost.
    head: Option<Head>,
}

impl Store {
    /// Lists debates, the latest first. What cannot be read, or is not what was written, is listed as
    /// damaged.
    pub async fn debates(&self, filter: &DebateFilter) -> Result<DebatePage> {
        let limit = filter.limit.clamp(1, PAGE);
        let mut listed = self.listed(filter, limit + 1).await?;
        let more = listed.len() > limit;
        listed.truncate(limit);
        self.check(&mut listed).await?;
        let debates: Vec<DebateRow> = listed.into_iter().map(|listed| listed.row).collect();
        let next = debates.last().filter(|_| more).map(DebateRow::cursor);
        Ok(DebatePage { debates, next })
    }

    /// The ids of debates that begin with this, in order; at most so many.
    pub async fn debate_ids(&self, prefix: &str, limit: usize) -> Result<Vec<DebateId>> {
        let first = format!("{PREFIX}{prefix}");
        let end = format!("{first}{}", char::MAX);
        let args = Args::none().text(first.as_str()).text(end.as_str()).count(limit as u64);
        let rows = self.db.rows(IDS, args).await?;
        let streams = rows.into_iter().map(|mut row| Ok(StreamId::new(row.text()?)));
        Ok(streams.collect::<Result<Vec<_>>>()?.iter().filter_map(debate_of).collect())
    }

    /// The rows of a page, not checked yet.
    async fn listed(&self, filter: &DebateFilter, limit: usize) -> Result<Vec<Listed>> {
        let now = self.clock.now(&self.db).await?;
        let (started, id) = match &filter.after {
            Some(cursor) => (cursor.started, format!("{PREFIX}{}", cursor.id)),
            None => (i64::MAX, String::new()),
        };
        let wanted = filter.question.as_deref().map(contains).unwrap_or_default();
        let args = Args::none()
            .int(now)
            .int(started)
            .text(id.as_str())
            .text(wanted.as_str())
            .count(limit as u64)
            .text(filter.owner.as_deref().unwrap_or_default());
        let (sql, stage) = match filter.status {
            None => (ALL, None),
            Some(DebateStatus::Running) => (RUNNING, Some(Stage::Unfinished)),
            Some(DebateStatus::Unfinished) => (STOPPED, Some(Stage::Unfinished)),
            Some(DebateStatus::Waiting) => (BY_STAGE, Some(Stage::Waiting)),
            Some(DebateStatus::Decided) => (BY_STAGE, Some(Stage::Decided)),
            Some(DebateStatus::Undecided) => (BY_STAGE, Some(Stage::Undecided)),
            Some(DebateStatus::Damaged) => (BY_STAGE, Some(Stage::Damaged)),
        };
        let args = stage.into_iter().fold(args, |args, stage| args.text(stage.as_str()));
        let rows = self.db.rows(sql, args).await?;
        rows.into_iter().map(|mut row| listed(&mut row)).collect()
    }

    /// Checks the records of these debates against their hashes, as many as are read at one time, and
    /// marks those that are not what was written.
    async fn check(&self, listed: &mut [Listed]) -> Result<()> {
        let mut left = CHECKED_RECORDS;
        let mut checked: Vec<&mut Listed> = Vec::new();
        for listed in listed {
            if listed.row.status == DebateStatus::Damaged || listed.row.records > left {
                continue;
            }
            left -= listed.row.records;
            checked.push(listed);
        }
        let streams: Vec<&str> = checked.iter().map(|listed| listed.stream.as_str()).collect();
        let together = self.records_of(&streams).await;
        for listed in checked {
            let entries = match &together {
                Ok(found) => Ok(found.get(&listed.stream).map(Vec::as_slice).unwrap_or_default()),
                // One that cannot be read must not hide the others.
                Err(_) => Err(self.records_of(&[listed.stream.as_str()]).await),
            };
            let damage = match entries {
                Ok(entries) => damage(listed, entries),
                Err(Ok(found)) => {
                    damage(listed, found.get(&listed.stream).map(Vec::as_slice).unwrap_or_default())
                }
                Err(Err(error)) => Some(error.to_string()),
            };
            if damage.is_some() {
                listed.row.status = DebateStatus::Damaged;
                listed.row.damage = damage;
            }
        }
        Ok(())
    }

    /// The records of several streams in one statement.
    async fn records_of(&self, streams: &[&str]) -> Result<HashMap<StreamId, Vec<Entry>>> {
        let mut found: HashMap<StreamId, Vec<Entry>> = HashMap::new();
        for row in self.db.rows(RECORDS, Args::none().json(&streams)).await? {
            let entry = entry(row)?;
            found.entry(entry.stream.clone()).or_default().push(entry);
        }
        Ok(found)
    }
}

/// Why records are not those of this debate, if they are not.
fn damage(listed: &Listed, entries: &[Entry]) -> Option<String> {
    let Some(head) = listed.head else {
        return Some(format!("where “{}” ends is no longer known", listed.stream));
    };
    let mut walk = Walk::new(listed.stream.clone(), Some(head));
    let walked = entries.iter().try_for_each(|entry| walk.step(entry)).and_then(|()| walk.end());
    walked.err().map(|broken| broken.to_string())
}

/// Reads a row of the list.
fn listed(row: &mut Row) -> Result<Listed> {
    let stream = StreamId::new(row.text()?);
    let holder = holder(row)?;
    let (seq, hash): (Option<i64>, Option<Vec<u8>>) = (row.take()?, row.take()?);
    let head = head(seq, hash);
    let fold = Fold::read(row)?;
    let status = match fold.status {
        Stage::Unfinished if holder.is_some() => DebateStatus::Running,
        Stage::Unfinished => DebateStatus::Unfinished,
        Stage::Waiting => DebateStatus::Waiting,
        Stage::Decided => DebateStatus::Decided,
        Stage::Undecided => DebateStatus::Undecided,
        Stage::Damaged => DebateStatus::Damaged,
    };
    let row = DebateRow {
        id: debate_of(&stream).unwrap_or_else(|| DebateId::new(stream.as_str())),
        question: fold.question,
        agents: fold.agents,
        started: time(fold.started)?,
        latest: time(fold.latest)?,
        records: fold.records,
        status,
        answer: fold.answer,
        overrode: fold.overrode,
        calls: fold.calls,
        input_tokens: fold.input_tokens,
        output_tokens: fold.output_tokens,
        micro_usd: fold.micro_usd,
        holder,
        damage: fold.damage,
    };
    Ok(Listed { row, stream, head })
}

/// Who runs it, unless that process is known to have ended.
pub(crate) fn holder(row: &mut Row) -> Result<Option<Holder>> {
    let (process, host): (Option<i64>, Option<String>) = (row.take()?, row.take()?);
    let (identity, since): (Option<String>, Option<i64>) = (row.take()?, row.take()?);
    let (Some(process), Some(host), Some(since)) = (process, host, since) else { return Ok(None) };
    let process = u32::try_from(process).unwrap_or(u32::MAX);
    let is_dead = is_dead(process, identity.as_deref().unwrap_or_default());
    Ok((!is_dead).then_some(Holder { process, host, since: time(since)? }))
}

/// The head a stream should have.
fn head(seq: Option<i64>, hash: Option<Vec<u8>>) -> Option<Head> {
    let hash = <[u8; 32]>::try_from(hash?).ok()?;
    Some(Head { seq: u64::try_from(seq?).ok()?, hash: Hash::new(hash) })
}

/// A pattern for what contains these words.
fn contains(words: &str) -> String {
    let mut pattern = String::from("%");
    for letter in words.chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}
