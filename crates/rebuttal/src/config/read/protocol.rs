//! Fields of a protocol as they are written in the file, each with its line.

use crate::error::Result;
use rebuttal_detect::scores::{DOMAINS, GENERAL};
use rebuttal_model::{
    BreakpointAnswer, Protocol, Sees, TricksterConfig, TricksterConfigError, limits,
};
use rebuttal_policy::debate::Stop;
use rebuttal_policy::voting::{Rule, TieBreak};
use serde_json::{Value, json};
use toml::de::DeTable;

use super::super::protocol::Changes;
use super::{Item, Source, decimal, number};

/// What a field of a protocol holds.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Flag,
    Rounds,
    Rule,
    Stop,
    Tie,
    Sees,
    Detail,
    Share,
}

/// The fields that stand alone.
const FIELDS: [(&str, Kind); 15] = [
    ("rounds", Kind::Rounds),
    ("rule", Kind::Rule),
    ("stop", Kind::Stop),
    ("tie", Kind::Tie),
    ("sees", Kind::Sees),
    ("detail", Kind::Detail),
    ("conviction_step", Kind::Share),
    ("targeted", Kind::Flag),
    ("evidence_exchange", Kind::Flag),
    ("evidence_required", Kind::Flag),
    ("anonymous", Kind::Flag),
    ("in_turn", Kind::Flag),
    ("roles", Kind::Flag),
    ("critique", Kind::Flag),
    ("enable_trickster", Kind::Flag),
];
/// The fields that are tables.
const TABLES: [&str; 3] = ["trickster", "breakpoints", "budget"];
const BUDGET: [&str; 4] = ["calls", "tokens", "usd", "seconds"];
const BREAKPOINTS: [&str; 2] = ["timeout_seconds", "on_timeout"];
/// The tables of single fields within `[….trickster]`.
const FIELDS_OF: &str = "fields";
const DETAILS: [&str; 3] = ["full", "summary", "answer"];

impl Source<'_> {
    /// What a section changes in a protocol. `more` are the section's other keys.
    pub(super) fn changes(&self, table: &DeTable<'_>, more: &[&str]) -> Result<Changes> {
        let known = FIELDS.iter().map(|(name, _)| *name).chain(TABLES);
        let known: Vec<&str> = more.iter().copied().chain(known).collect();
        self.check_keys(table, &known, "key")?;
        let mut changes = Changes::default();
        for (name, kind) in FIELDS {
            if let Some(item) = table.get(name) {
                changes.insert(name.to_owned(), self.set(item, self.field(item, name, kind)?));
            }
        }
        if let Some(item) = table.get("trickster") {
            self.trickster(item, &mut changes)?;
        }
        if let Some(item) = table.get("breakpoints") {
            self.breakpoints(item, &mut changes)?;
        }
        if let Some(item) = table.get("budget") {
            self.budget(item, &mut changes)?;
        }
        Ok(changes)
    }

    fn field(&self, item: &Item<'_>, name: &str, kind: Kind) -> Result<Value> {
        let wrong = |ways: String| self.error(&item.span(), ways);
        match kind {
            Kind::Flag => self.flag(item, name),
            Kind::Rounds => {
                let rounds = number(item).filter(|rounds| *rounds <= u64::from(limits::ROUNDS));
                let ways = format!("`rounds` must be a whole number, at most {}", limits::ROUNDS);
                rounds.map(|rounds| json!(rounds)).ok_or_else(|| wrong(ways))
            }
            Kind::Rule => self.readable::<Rule>(item, name),
            Kind::Stop => self.readable::<Stop>(item, name),
            Kind::Tie => self.readable::<TieBreak>(item, name),
            Kind::Sees => {
                let sees = sees(self.text(item, name)?);
                let ways = "`sees` is all, opposing, ring or random:K".to_owned();
                Ok(serde_json::to_value(sees.ok_or_else(|| wrong(ways))?)?)
            }
            Kind::Detail => {
                let detail = self.text(item, name)?;
                let ways = "`detail` is full, summary or answer".to_owned();
                if DETAILS.contains(&detail) { Ok(json!(detail)) } else { Err(wrong(ways)) }
            }
            Kind::Share => {
                let share = decimal(item).filter(|share| (0.0..=1.0).contains(share));
                let ways = format!("`{name}` must be a number from 0 to 1");
                share.map(|share| json!(share)).ok_or_else(|| wrong(ways))
            }
        }
    }

    fn flag(&self, item: &Item<'_>, name: &str) -> Result<Value> {
        let flag = item.get_ref().as_bool().map(|flag| json!(flag));
        flag.ok_or_else(|| self.error(&item.span(), format!("`{name}` must be true or false")))
    }

    /// A text that the code which needs it can read; it stays as it was written.
    fn readable<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        item: &Item<'_>,
        name: &str,
    ) -> Result<Value> {
        let text = self.text(item, name)?;
        let read = text.parse::<T>();
        read.map_err(|error| self.error(&item.span(), format!("`{name}`: {error}")))?;
        Ok(json!(text))
    }

    /// `[….trickster]`: every field that [`TricksterConfig`] has, within the ranges it knows.
    fn trickster(&self, item: &Item<'_>, changes: &mut Changes) -> Result<()> {
        let table = self.table(item, "`trickster`")?;
        self.trickster_fields(item, changes, &[FIELDS_OF])?;
        let Some(fields) = table.get(FIELDS_OF) else { return Ok(()) };
        for (key, item) in self.table(fields, "`trickster.fields`")? {
            let name = key.get_ref().as_ref();
            if name != GENERAL && !DOMAINS.contains(&name) {
                let known = format!("{}, {GENERAL}", DOMAINS.join(", "));
                let reason = format!("there is no field `{name}`; there are {known}");
                return Err(self.error(&key.span(), reason));
            }
            let mut own = Changes::default();
            self.trickster_fields(item, &mut own, &[])?;
            changes.insert_field(name.to_owned(), own);
        }
        Ok(())
    }

    /// Reads one table of them. `more` are the table's other keys.
    fn trickster_fields(
        &self,
        item: &Item<'_>,
        changes: &mut Changes,
        more: &[&str],
    ) -> Result<()> {
        let usual = serde_json::to_value(TricksterConfig::default())?;
        self.like(item, "trickster", &usual, more, changes)?;
        let tried = changes.apply(&Protocol::default())?;
        let Err(error) = tried.trickster.check() else { return Ok(()) };
        let line = match &error {
            TricksterConfigError::Share { name, .. } | TricksterConfigError::Count { name, .. } => {
                changes.line(&format!("trickster.{name}"))
            }
            TricksterConfigError::Weights => changes.line_in("trickster.weights"),
        };
        Err(self.error_at(line.unwrap_or_else(|| self.line(&item.span())), error))
    }

    /// A table that has the keys of `usual`, each holding what it holds there, and `more`, which are
    /// read elsewhere.
    fn like(
        &self,
        item: &Item<'_>,
        name: &str,
        usual: &Value,
        more: &[&str],
        changes: &mut Changes,
    ) -> Result<()> {
        let wrong = |what: &str| self.error(&item.span(), format!("`{name}` must be {what}"));
        let value = match usual {
            Value::Object(fields) => {
                let table = self.table(item, &format!("`{name}`"))?;
                let known = fields.keys().map(String::as_str);
                let known: Vec<&str> = known.chain(more.iter().copied()).collect();
                self.check_keys(table, &known, "key")?;
                for (key, usual) in fields {
                    if let Some(item) = table.get(key.as_str()) {
                        self.like(item, &format!("{name}.{key}"), usual, &[], changes)?;
                    }
                }
                return Ok(());
            }
            Value::Bool(_) => self.flag(item, name)?,
            Value::Number(usual) if usual.is_u64() => {
                let count = number(item).and_then(|count| u32::try_from(count).ok());
                json!(count.ok_or_else(|| wrong("a whole number"))?)
            }
            _ => {
                let share = decimal(item).filter(|share| share.is_finite());
                json!(share.ok_or_else(|| wrong("a number from 0 to 1"))?)
            }
        };
        changes.insert(name.to_owned(), self.set(item, value));
        Ok(())
    }

    /// `[….breakpoints]`.
    fn breakpoints(&self, item: &Item<'_>, changes: &mut Changes) -> Result<()> {
        let table = self.table(item, "`breakpoints`")?;
        self.check_keys(table, &BREAKPOINTS, "key")?;
        if let Some(item) = table.get("timeout_seconds") {
            let never = item.get_ref().as_str() == Some("never");
            let seconds = decimal(item).filter(|seconds| *seconds > 0.0 && seconds.is_finite());
            if !never && seconds.is_none() {
                let ways = "`timeout_seconds` must be a number of seconds above 0, or \"never\"";
                return Err(self.error(&item.span(), ways));
            }
            let name = "breakpoints.timeout_seconds".to_owned();
            changes.insert(name, self.set(item, json!(seconds)));
        }
        if let Some(item) = table.get("on_timeout") {
            let answer: BreakpointAnswer = self
                .text(item, "on_timeout")?
                .parse()
                .ok()
                .filter(|answer| {
                    matches!(answer, BreakpointAnswer::Continue | BreakpointAnswer::Abort)
                })
                .ok_or_else(|| {
                    let ways =
                        "`on_timeout` is continue or abort: other answers need a person's words";
                    self.error(&item.span(), ways)
                })?;
            let name = "breakpoints.on_timeout".to_owned();
            changes.insert(name, self.set(item, json!(answer)));
        }
        Ok(())
    }

    /// `[….budget]`.
    fn budget(&self, item: &Item<'_>, changes: &mut Changes) -> Result<()> {
        let table = self.table(item, "`budget`")?;
        self.check_keys(table, &BUDGET, "key")?;
        for key in BUDGET {
            let Some(item) = table.get(key) else { continue };
            let value = match key {
                "calls" | "tokens" => number(item).filter(|most| *most > 0).map(|most| json!(most)),
                _ => decimal(item)
                    .filter(|most| *most > 0.0 && most.is_finite())
                    .map(|most| json!(most)),
            };
            let what = if matches!(key, "calls" | "tokens") { "whole number" } else { "number" };
            let ways = format!("`{key}` of the budget must be a {what} above 0");
            let value = value.ok_or_else(|| self.error(&item.span(), ways))?;
            changes.insert(format!("budget.{key}"), self.set(item, value));
        }
        Ok(())
    }
}

/// Whom an agent sees, as it is typed and written.
pub fn sees(text: &str) -> Option<Sees> {
    match text.split_once(':').unwrap_or((text, "")) {
        ("all", "") => Some(Sees::All),
        ("opposing", "") => Some(Sees::Opposing),
        ("ring", "") => Some(Sees::Ring),
        ("random", count) => count.parse().ok().map(Sees::Random),
        _ => None,
    }
}
