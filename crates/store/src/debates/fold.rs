//! A debate's row as a fold over its records.

use std::borrow::Cow;

use rebuttal_model::{Event, Spent};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::journal::Entry;
use crate::sql::{Row, clean, word};

/// What the records of a debate come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    #[default]
    Unfinished,
    Waiting,
    Decided,
    Undecided,
    Damaged,
}

impl Stage {
    /// The word in the table.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::Waiting => "waiting",
            Self::Decided => "decided",
            Self::Undecided => "undecided",
            Self::Damaged => "damaged",
        }
    }
}

/// What votes came to that came to nothing.
const NO_ANSWER: &str = "no decision";

/// A debate's row after some of its records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fold {
    pub(super) question: String,
    pub(super) agents: u64,
    pub(super) started: i64,
    pub(super) latest: i64,
    pub(super) records: u64,
    pub(super) status: Stage,
    pub(super) answer: Option<String>,
    pub(super) calls: u64,
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) micro_usd: u64,
    pub(super) damage: Option<String>,
    /// What the votes had come to, where a moderator overrode them.
    pub(super) overrode: Option<String>,
}

impl Fold {
    /// A row of the table.
    pub(super) fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            question: row.text()?,
            agents: row.count()?,
            started: row.int()?,
            latest: row.int()?,
            records: row.count()?,
            status: word(&row.text()?)?,
            answer: row.take()?,
            calls: row.count()?,
            input_tokens: row.count()?,
            output_tokens: row.count()?,
            micro_usd: row.count()?,
            damage: row.take()?,
            overrode: row.take()?,
        })
    }

    /// Takes the next record in.
    pub(super) fn entry(&mut self, entry: &Entry) {
        if entry.seq == 1 {
            self.started = entry.at;
        }
        (self.records, self.latest) = (entry.seq, entry.at);
        match serde_json::from_slice(&entry.payload) {
            Ok(event) => self.event(entry.seq, &event),
            Err(error) => {
                self.damaged(&format!("record {} is none this program knows: {error}", entry.seq));
            }
        }
    }

    /// Changes the fold by one event.
    fn event(&mut self, seq: u64, event: &Event) {
        match event {
            Event::DebateStarted { spec } if seq == 1 => {
                self.question = whole(clean(&spec.question));
                self.agents = spec.panel.len() as u64;
            }
            _ if seq == 1 => {
                self.damaged("its first record is not the start of a debate");
            }
            Event::CallAnswered { spent, .. } | Event::CallFailed { spent, .. } => {
                self.spend(spent);
            }
            Event::Paused { .. } => self.reach(Stage::Waiting),
            Event::Resumed { .. } => self.reach(Stage::Unfinished),
            Event::Decided { decision } => {
                let overrode = decision.moderation.as_ref().and_then(|said| said.overrode.as_ref());
                self.overrode = overrode
                    .map(|overrode| whole(clean(overrode.from.as_deref().unwrap_or(NO_ANSWER))));
                self.answer = decision.answer.as_deref().map(|answer| whole(clean(answer)));
                self.reach(if self.answer.is_some() { Stage::Decided } else { Stage::Undecided });
            }
            _ => {}
        }
    }

    /// Adds what a call cost.
    fn spend(&mut self, spent: &Spent) {
        self.calls = self.calls.saturating_add(spent.calls);
        self.input_tokens = self.input_tokens.saturating_add(spent.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(spent.output_tokens);
        self.micro_usd = self.micro_usd.saturating_add(spent.micro_usd);
    }

    /// Moves the debate to a stage; a damaged one stays damaged.
    fn reach(&mut self, stage: Stage) {
        if self.status != Stage::Damaged {
            self.status = stage;
        }
    }

    /// The first damage is the one that is told.
    pub(super) fn damaged(&mut self, detail: &str) {
        self.status = Stage::Damaged;
        self.damage.get_or_insert_with(|| whole(clean(detail)));
    }
}

/// A text of its own, which the fold keeps.
fn whole(text: Cow<'_, str>) -> String {
    text.into_owned()
}
