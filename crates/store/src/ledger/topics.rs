//! What flips are about: the question, or the claim that was left; and how many agents flip on it.

use std::collections::BTreeMap;

use rebuttal_model::{Flip, Stance};
use serde_json::{Value, json};

use super::{Way, each};
use crate::Result;
use crate::sql::{Args, Sql, Tx, clean};

/// How much of a topic's words is kept.
const WORDS_CHARS: usize = 300;

/// Notes that an agent flipped on a matter, and how often.
const AGENTS: Sql = each!(
    "INSERT INTO topic_agents (topic, agent_name, flips)
    SELECT given.value ->> 0, given.value ->> 1, CAST(given.value ->> 2 AS BIGINT)",
    "WHERE true ON CONFLICT (topic, agent_name) DO UPDATE SET
        flips = topic_agents.flips + excluded.flips"
);

/// Counts the flips on a matter, and the agents who made them.
const TOPICS: Sql = each!(
    "INSERT INTO topics (topic, words, agents, flips, toward_yes, toward_no)
    SELECT given.value ->> 0, given.value ->> 1,
        (SELECT count(*) FROM topic_agents AS t
            WHERE t.topic = given.value ->> 0 AND t.flips > 0),
        CAST(given.value ->> 2 AS BIGINT), CAST(given.value ->> 3 AS BIGINT),
        CAST(given.value ->> 4 AS BIGINT)",
    "WHERE true ON CONFLICT (topic) DO UPDATE SET agents = excluded.agents,
        flips = topics.flips + excluded.flips,
        toward_yes = topics.toward_yes + excluded.toward_yes,
        toward_no = topics.toward_no + excluded.toward_no"
);

/// What a flip is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Topic {
    /// Equal for equal words, whatever their case and spacing.
    pub(crate) key: String,
    /// The words as they were written.
    pub(crate) words: String,
}

impl Topic {
    /// The question that was answered; without one, [the claim](Flip::matter) it went to or from.
    pub(crate) fn of(flip: &Flip) -> Self {
        let words = flip.matter();
        let mut plain = String::with_capacity(words.len());
        for word in words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            plain.extend(word.chars().flat_map(char::to_lowercase));
            plain.push(' ');
        }
        let hash = blake3::hash(plain.as_bytes()).to_hex();
        let key = hash.chars().take(32).collect();
        Self { key, words: excerpt(words, WORDS_CHARS) }
    }
}

/// The beginning of a text.
pub(crate) fn excerpt(text: &str, chars: usize) -> String {
    let mut short: String = clean(text).chars().take(chars).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// What one record adds to a topic.
#[derive(Default)]
struct Delta {
    words: String,
    flips: i64,
    toward_yes: i64,
    toward_no: i64,
}

/// Counts flips by topic.
pub(super) async fn of_flips(tx: &mut Tx<'_>, flips: &[Flip], way: Way) -> Result<()> {
    let mut topics: BTreeMap<String, Delta> = BTreeMap::new();
    let mut agents: BTreeMap<(String, &str), i64> = BTreeMap::new();
    for flip in flips {
        let Topic { key, words } = Topic::of(flip);
        *agents.entry((key.clone(), flip.before.agent.as_str())).or_default() += way.one();
        let delta = topics.entry(key).or_insert_with(|| Delta { words, ..Delta::default() });
        delta.flips += way.one();
        match flip.direction() {
            Stance::Yes => delta.toward_yes += way.one(),
            Stance::No => delta.toward_no += way.one(),
            Stance::Unclear => {}
        }
    }
    let agents: Vec<Value> = agents
        .into_iter()
        .map(|((topic, agent), flips)| json!([topic, clean(agent), flips]))
        .collect();
    if agents.is_empty() {
        return Ok(());
    }
    tx.run(AGENTS, Args::none().json(&agents)).await?;
    let topics: Vec<Value> = topics
        .into_iter()
        .map(|(topic, delta)| {
            json!([topic, delta.words, delta.flips, delta.toward_yes, delta.toward_no])
        })
        .collect();
    tx.run(TOPICS, Args::none().json(&topics)).await.map(drop)
}
