//! Budgets are kept before a call leaves: by the most it can cost, together with all others that leave
//! with it.

use std::time::Duration;

use jiff::Timestamp;
use rebuttal_llm::{Ceiling, ChatSettings, Counting, Request};
use rebuttal_model::{Event, Fired, Spent, StopReason};
use rebuttal_policy::debate::{Budget, Exceeded, Limited};

use super::agent::{AgentError, Response, Seat};
use super::deliberation::budget;
use super::state::{BUDGET, State};

/// Fewest tokens an answer is given room for. With fewer it would only be cut off, and paid for.
const LEAST_OUTPUT: u32 = 256;

/// Under which conditions a call may leave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Terms {
    /// The most it can cost; not known of agents that neither have a price nor a limit of tokens.
    pub(super) at_most: Option<Spent>,
    /// Most tokens of the answer, where the budget leaves less than the agent may use.
    max_tokens: Option<u32>,
    /// Most requests, where the budget counts calls.
    requests: Option<u32>,
    /// True when a budget counts tokens or money.
    strict: bool,
}

impl Terms {
    /// Sets the limits of a request.
    pub(super) fn bind(&self, request: &mut Request) {
        request.max_tokens = self.max_tokens.or(request.max_tokens);
        request.requests_max = self.requests;
        if self.strict {
            // One that failed and may be paid for is not sent again: there is money for one.
            request.paid_requests_max = Some(1);
        }
    }

    /// What a call has cost that was made on these terms. What nobody tells is uncertain.
    pub(super) fn settle(&self, answer: &Result<Response, AgentError>, seat: &Seat) -> Spent {
        let (usage, requests, in_doubt) = match answer {
            Ok(response) => (response.usage, response.requests, self.strict),
            Err(error) => (error.usage, error.requests, error.charged),
        };
        let calls = u64::from(requests);
        let known = usage.input.is_some() && usage.output.is_some();
        match self.at_most.filter(|_| in_doubt && !known) {
            Some(at_most) => {
                let doubtful = at_most.in_doubt();
                Spent { calls: calls.max(1), ..doubtful }
            }
            None => Spent {
                calls,
                input_tokens: usage.input.unwrap_or(0),
                output_tokens: usage.output.unwrap_or(0),
                micro_usd: seat.price.and_then(|price| price.cost(usage)).unwrap_or(0),
                ..Spent::default()
            },
        }
    }
}

/// The terms for calls that leave together, or the limit they would go beyond. `open` is what calls may
/// have cost that a killed run has left open.
pub(super) fn admit(
    state: &State,
    open: Spent,
    asked: &[(&Request, &Seat)],
    now: Timestamp,
) -> Result<Vec<Terms>, Exceeded> {
    let budget = budget(state);
    let spent = (state.spent + open).at_most();
    let spent = Spent { millis: elapsed(state, now), ..spent };
    if let Some(reached) = budget.reached(spent) {
        return Err(reached);
    }
    let counting = if state.miscounted { Counting::Bytes } else { Counting::Script };
    let needs: Vec<Option<Need>> =
        asked.iter().map(|(request, seat)| Need::of(request, seat, counting)).collect();
    let least = needs.iter().map(|need| need.as_ref().map_or(Spent::default(), |need| need.least));
    let calls = asked.len() as u64;
    let least = Spent { calls, ..least.fold(Spent::default(), |sum, one| sum + one) };
    budget.allows(spent, least)?;
    let left = Left::of(&budget, spent + least, calls);
    let requests = budget.calls.map(|most| most.saturating_sub(spent.calls) / calls.max(1));
    let requests = requests.map(|most| u32::try_from(most).unwrap_or(u32::MAX));
    let strict = budget.tokens.is_some() || budget.micro_usd.is_some();
    let terms = |need: Option<Need>| {
        let unbound = Terms { requests, strict, ..Terms::default() };
        need.map_or(unbound, |need| Terms { requests, strict, ..need.terms(left) })
    };
    Ok(needs.into_iter().map(terms).collect())
}

/// What a call needs at least, and what it may use.
struct Need {
    request: Request,
    seat: Seat,
    counting: Counting,
    most_output: u32,
    least: Spent,
}

impl Need {
    /// What a call to this seat needs; `None` where neither tokens nor money can be bounded.
    fn of(request: &Request, seat: &Seat, counting: Counting) -> Option<Self> {
        let limit = seat.responder.max_tokens();
        if limit.is_none() && seat.price.is_none() {
            return None;
        }
        let most_output = request.max_tokens.or(limit).unwrap_or(ChatSettings::MAX_TOKENS);
        let least_output = LEAST_OUTPUT.min(most_output);
        let least = at_most((request, seat), least_output, counting);
        Some(Self { request: request.clone(), seat: seat.clone(), counting, most_output, least })
    }

    /// The terms of a call that may use so much more than it needs.
    fn terms(&self, left: Left) -> Terms {
        let least = u64::from(LEAST_OUTPUT.min(self.most_output));
        let (_, price) = self.seat.price.map_or((0.0, 0.0), rebuttal_llm::Price::per_million);
        // Rounded down, less one for the rounding of what was needed.
        let paid = left.micro_usd.map(|micros| affordable(micros.saturating_sub(1), price));
        let more = [left.tokens, paid].into_iter().flatten().min();
        let room = more.map_or(u64::MAX, |more| least.saturating_add(more));
        let output = u32::try_from(room).unwrap_or(u32::MAX).min(self.most_output);
        let max_tokens = (output < self.most_output).then_some(output);
        let at_most = Some(at_most((&self.request, &self.seat), output, self.counting));
        Terms { at_most, max_tokens, ..Terms::default() }
    }
}

/// The most a call costs whose answer has at most so many tokens.
fn at_most((request, seat): (&Request, &Seat), output: u32, counting: Counting) -> Spent {
    let request = Request { max_tokens: Some(output), ..request.clone() };
    let Ceiling { input_tokens, output_tokens, micro_usd } =
        Ceiling::counted(&request, output, seat.price, counting);
    let micro_usd = micro_usd.unwrap_or(0);
    Spent { calls: 1, input_tokens, output_tokens, micro_usd, ..Spent::default() }
}

/// How many tokens so many millionths of a dollar buy, at so many millionths each.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts stay far below 2^53, and a cast of a float saturates"
)]
fn affordable(micros: u64, price: f64) -> u64 {
    if price > 0.0 { (micros as f64 / price).floor() as u64 } else { u64::MAX }
}

/// What each of several calls may use beyond what it needs.
#[derive(Clone, Copy)]
struct Left {
    tokens: Option<u64>,
    micro_usd: Option<u64>,
}

impl Left {
    /// What the budget leaves, in equal parts.
    fn of(budget: &Budget, committed: Spent, calls: u64) -> Self {
        let share = |most: u64, committed: u64| most.saturating_sub(committed) / calls.max(1);
        Self {
            tokens: budget.tokens.map(|most| share(most, committed.tokens())),
            micro_usd: budget.micro_usd.map(|most| share(most, committed.micro_usd)),
        }
    }
}

/// Milliseconds since the first record.
fn elapsed(state: &State, now: Timestamp) -> u64 {
    u64::try_from(now.duration_since(state.began()).as_millis()).unwrap_or(0)
}

/// How much time the budget leaves; `None` if it does not count time.
pub(super) fn time_left(state: &State, now: Timestamp) -> Option<Duration> {
    let most = budget(state).millis?;
    Some(Duration::from_millis(most.saturating_sub(elapsed(state, now))))
}

/// The record of a debate whose next calls do not fit into its budget.
pub(super) fn too_much(exceeded: &Exceeded) -> Event {
    let words = match exceeded.what {
        Limited::Time => format!("The time is up: {exceeded}."),
        _ => format!("The next calls can go beyond the budget: {exceeded}."),
    };
    let (rule, seen) = (BUDGET.to_owned(), exceeded.to_string());
    let fired = vec![Fired { rule: rule.clone(), seen }];
    Event::Stopped { reason: StopReason { rule, fired, words } }
}

/// The record of a debate whose time ran out while it waited for answers.
pub(super) fn time_up(state: &State, now: Timestamp) -> Event {
    let limit = budget(state).millis.unwrap_or(0);
    let spent = elapsed(state, now).max(limit);
    too_much(&Exceeded { what: Limited::Time, limit, spent, planned: 0 })
}
