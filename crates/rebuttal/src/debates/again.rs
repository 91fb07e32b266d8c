//! A debate once more: branched under another protocol, or its votes counted under every rule.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rebuttal_engine::debate::{Changes, Journal, State, check_protocol, fork as branch};
use rebuttal_model::{AgentId, DebateId, Protocol, StreamId};
use rebuttal_policy::voting::{Election, Redecided, Rule, redecide as count_again};
use rebuttal_store::Store;

use super::StoredDebate;
use crate::error::{Result, err};

/// Branches a debate after a round, under another protocol and with other agents in some seats. The
/// branch is stored as a debate of its own, ready to go on; its moderator and judges are the old one's.
pub async fn fork(
    store: &Store,
    now: Timestamp,
    old: &StoredDebate,
    id: DebateId,
    (round, mut protocol, seats): (u32, Protocol, BTreeMap<AgentId, String>),
) -> Result<StoredDebate> {
    let before = &old.state.spec().protocol;
    protocol.moderator.clone_from(&before.moderator);
    protocol.judges.clone_from(&before.judges);
    check_protocol(&protocol, !protocol.judges.is_empty())?;
    let stream = StreamId::debate(&id);
    let changes = Changes { id: Some(id), protocol: Some(protocol), seats };
    let events = branch(&old.records, round, changes)?;
    let records = Journal::append(store, &stream, 0, now, &events).await?;
    StoredDebate::of(stream, records)
}

/// `SEAT=AGENT` as it is typed.
pub fn seat(text: &str) -> Result<(AgentId, String)> {
    let (seat, agent) = text
        .split_once('=')
        .ok_or_else(|| err!("--agent is SEAT=AGENT, as in sre=claude, not {text:?}"))?;
    Ok((AgentId::new(seat.trim()), agent.trim().to_owned()))
}

/// Counts the votes of a debate again under every rule, without asking anybody.
pub fn redecide(state: &State) -> Redecided {
    let (options, panel, ballots) = (state.options(), state.panel(), state.standing());
    let weights =
        state.spec().panel.iter().map(|member| (member.agent.clone(), member.weight)).collect();
    let election =
        Election::new(&options, &panel, &ballots).weighing(weights).judged(&state.judged);
    count_again(&Rule::all(), &election)
}
