//! From the cells of a row to a position, or to what is wrong with it.

use std::borrow::Cow;

use jiff::Timestamp;
use rebuttal_model::{
    AgentId, Cause, Confidence, DebateId, Ending, Position, PositionId, ProblemKind, Span, Stance,
    TurnId, Whose, limits,
};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;

use super::Cx;
use crate::out::excerpt;
use crate::time;

/// What an outcome is called before it is known.
const PENDING: &str = "pending";

/// What a row may say, under its own names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Agent,
    Claim,
    Question,
    Stance,
    Confidence,
    ConfidenceWhose,
    Debate,
    Round,
    Turn,
    SpanStart,
    SpanEnd,
    Domain,
    At,
    ExposedTo,
    Outcome,
    ResolvedAt,
}

/// How many there are.
const COUNT: usize = 17;

/// Every field with its names, the one it is written under first.
pub(super) const FIELDS: [(Field, &[&str]); COUNT] = [
    (Field::Id, &["id"]),
    (Field::Agent, &["agent", "agent_name"]),
    (Field::Claim, &["claim", "text"]),
    (Field::Question, &["question"]),
    (Field::Stance, &["stance"]),
    (Field::Confidence, &["confidence"]),
    (Field::ConfidenceWhose, &["confidence_whose"]),
    (Field::Debate, &["debate_id", "debate"]),
    (Field::Round, &["round", "round_num"]),
    (Field::Turn, &["turn"]),
    (Field::SpanStart, &["span_start"]),
    (Field::SpanEnd, &["span_end"]),
    (Field::Domain, &["domain"]),
    (Field::At, &["at", "created_at", "timestamp"]),
    (Field::ExposedTo, &["exposed_to"]),
    (Field::Outcome, &["outcome"]),
    (Field::ResolvedAt, &["resolved_at"]),
];

/// One row: a text for each field that it has. Numbers are their digits.
#[derive(Debug, Default)]
pub(super) struct Row<'a>([Option<Cow<'a, str>>; COUNT]);

impl<'a> Row<'a> {
    /// Sets a field. What is blank is missing.
    pub(super) fn set(&mut self, field: Field, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        if let Some(cell) = self.0.get_mut(field as usize)
            && !text.trim().is_empty()
        {
            *cell = Some(text);
        }
    }

    fn get(&self, field: Field) -> Option<&str> {
        self.0.get(field as usize)?.as_deref()
    }

    /// Delivers the position, or a problem that names the value at fault.
    pub(super) fn deliver(&self, line: u32, cx: &mut Cx) {
        let now = cx.options.now;
        match self.position(now).and_then(|position| Ok((position, self.ending(now)?))) {
            Ok((position, ending)) => cx.position(position, ending, line),
            Err((kind, message)) => {
                cx.problem(kind, Some(line), &format!("{message}; the row was left out"));
            }
        }
    }

    fn position(&self, now: Timestamp) -> Result<Position, Wrong> {
        let agent = self.short(Field::Agent)?.ok_or_else(|| missing("agent"))?;
        let claim = self.get(Field::Claim).ok_or_else(|| missing("claim"))?;
        if claim.len() > limits::CLAIM_BYTES {
            let message = format!(
                "a claim of {} bytes is longer than the limit of {}",
                claim.len(),
                limits::CLAIM_BYTES
            );
            return Err((ProblemKind::Limit, message));
        }
        let given = self.get(Field::At).map(|text| at(text, now)).transpose()?;
        let mut position = Position {
            question: self.get(Field::Question).map(ToOwned::to_owned),
            stance: self.word(Field::Stance)?.unwrap_or(Stance::Unclear),
            confidence: self.confidence()?,
            debate: self.short(Field::Debate)?.map(DebateId::new),
            round: self.whole(Field::Round)?,
            turn: self.whole(Field::Turn)?.map(|turn| TurnId::new(turn as usize)),
            span: self.span()?,
            domain: self.short(Field::Domain)?.map(ToOwned::to_owned),
            exposed_to: self.causes()?,
            ..Position::new(AgentId::new(agent), claim, given.unwrap_or(now))
        };
        position.id = match self.short(Field::Id)? {
            Some(id) => PositionId::new(id),
            None => position.derive_id(given.is_some()),
        };
        Ok(position)
    }

    /// How it turned out. The seed document's tables call what is not known yet `pending`.
    fn ending(&self, now: Timestamp) -> Result<Option<Ending>, Wrong> {
        if self.get(Field::Outcome).is_none_or(|text| text.trim() == PENDING) {
            return Ok(None);
        }
        let resolved_at = self.get(Field::ResolvedAt).map(|text| at(text, now)).transpose()?;
        let outcome = self.word(Field::Outcome)?;
        Ok(outcome.map(|outcome| Ending { outcome, resolved_at }))
    }

    /// A name: short, or a text in the wrong column.
    fn short(&self, field: Field) -> Result<Option<&str>, Wrong> {
        let Some(text) = self.get(field).map(str::trim) else { return Ok(None) };
        let is_id = matches!(field, Field::Id | Field::Debate);
        let fits = if is_id {
            text.len() <= limits::ID_BYTES
        } else {
            text.chars().count() <= limits::NAME_CHARS
        };
        if fits {
            return Ok(Some(text));
        }
        let message = format!("“{}” is too long for a column “{}”", excerpt(text), name(field));
        Err((ProblemKind::Limit, message))
    }

    fn confidence(&self) -> Result<Option<Confidence>, Wrong> {
        let Some(text) = self.get(Field::Confidence).map(str::trim) else { return Ok(None) };
        let whose = self.word(Field::ConfidenceWhose)?.unwrap_or(Whose::Stated);
        let number: Option<f64> = text.parse().ok();
        if let Some(confidence) = number.and_then(|number| Confidence::new(number, whose)) {
            return Ok(Some(confidence));
        }
        let hint = if text.ends_with('%') || number.is_some_and(|number| number > 1.0) {
            "; is it a percentage? Then divide it by 100"
        } else {
            ""
        };
        let message =
            format!("a confidence is a number from 0 to 1, not “{}”{hint}", excerpt(text));
        Err((ProblemKind::Malformed, message))
    }

    fn whole(&self, field: Field) -> Result<Option<u32>, Wrong> {
        let Some(text) = self.get(field).map(str::trim) else { return Ok(None) };
        let number = text.parse().ok().or_else(|| text.strip_suffix(".0")?.parse().ok());
        number.map(Some).ok_or_else(|| {
            let message = format!(
                "“{}” is no whole number, as the column “{}” holds",
                excerpt(text),
                name(field)
            );
            (ProblemKind::Malformed, message)
        })
    }

    fn span(&self) -> Result<Option<Span>, Wrong> {
        let (start, end) = (self.whole(Field::SpanStart)?, self.whole(Field::SpanEnd)?);
        Ok(start.zip(end).map(|(start, end)| Span::new(start as usize, end as usize)))
    }

    fn word<T: for<'w> Deserialize<'w>>(&self, field: Field) -> Result<Option<T>, Wrong> {
        self.get(field).map(|text| word(text.trim(), field)).transpose()
    }

    fn causes(&self) -> Result<Vec<Cause>, Wrong> {
        let text = self.get(Field::ExposedTo).unwrap_or_default();
        text.split_whitespace().map(|text| word(text, Field::ExposedTo)).collect()
    }
}

/// What is wrong with a row.
type Wrong = (ProblemKind, String);

fn name(field: Field) -> &'static str {
    let names = FIELDS.iter().find(|(other, _)| *other == field);
    names.and_then(|(_, names)| names.first()).copied().unwrap_or_default()
}

fn missing(what: &str) -> Wrong {
    (ProblemKind::MissingField, format!("a row without {what}"))
}

fn word<T: for<'w> Deserialize<'w>>(text: &str, field: Field) -> Result<T, Wrong> {
    let deserializer = IntoDeserializer::<WordError>::into_deserializer(text);
    T::deserialize(deserializer).map_err(|error| {
        let message = format!("“{}” is no {}: {error}", excerpt(text), name(field));
        (ProblemKind::Malformed, message)
    })
}

fn at(text: &str, now: Timestamp) -> Result<Timestamp, Wrong> {
    let Some(at) = time::parse(text) else {
        let message = format!("“{}” is no time", excerpt(text));
        return Err((ProblemKind::Malformed, message));
    };
    let latest = now.checked_add(limits::CLOCK_AHEAD).unwrap_or(Timestamp::MAX);
    if at > latest {
        let message = format!("the time {at} lies in the future: it is {now:.0} now");
        return Err((ProblemKind::Malformed, message));
    }
    Ok(at)
}
