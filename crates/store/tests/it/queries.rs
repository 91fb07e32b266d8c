//! Queries: right, and a constant number of statements.

use jiff::SignedDuration;
use rebuttal_model::{Acknowledgment, Cause, Flip, FlipKind, Position};
use rebuttal_store::{
    AgentTotals, Detection, Durability, FlipFilter, HistoryPage, RankPage, Store,
};

use crate::detection::{detect, take};
use crate::support::{Place, at, flip, hours, on_both, position, said};

/// How many statements something takes.
macro_rules! counted {
    ($store:expr, $asked:expr) => {{
        let before = $store.statements();
        let answer = $asked.await.unwrap();
        (answer, $store.statements() - before)
    }};
}

async fn three_agents(store: &Store) -> Vec<Flip> {
    let mut flips = Vec::new();
    for (agent, count) in [("claude", 13), ("gemini", 21), ("gpt4", 5)] {
        let positions = take(store, agent, count).await;
        flips.extend(detect(store, &positions).await);
    }
    flips
}

/// Whether a flip should be among those found.
type Wanted<'a> = &'a dyn Fn(&Flip) -> bool;

async fn flips_are_filtered(place: Place) {
    let store = place.open().await;
    let all = three_agents(&store).await;
    let since = at() + hours(9);
    let filters: [(FlipFilter, Wanted<'_>); 6] = [
        (FlipFilter { agent: Some("gemini".into()), ..FlipFilter::default() }, &|flip| {
            flip.before.agent.as_str() == "gemini"
        }),
        (FlipFilter { kind: Some(FlipKind::Retraction), ..FlipFilter::default() }, &|flip| {
            flip.kind == FlipKind::Retraction
        }),
        (FlipFilter { domain: Some("ethics".into()), ..FlipFilter::default() }, &|flip| {
            flip.before.domain.as_deref() == Some("ethics")
        }),
        (FlipFilter { silent_only: true, ..FlipFilter::default() }, &|flip| {
            flip.acknowledgment == Acknowledgment::Silent
        }),
        (FlipFilter { happened_since: Some(since), ..FlipFilter::default() }, &|flip| {
            flip.after.at >= since
        }),
        (FlipFilter { detected_since: Some(at() + hours(1)), ..FlipFilter::default() }, &|_| false),
    ];
    for (filter, wanted) in filters {
        let filter = FlipFilter { limit: 1000, ..filter };
        let (found, statements) = counted!(store, store.flips(&filter));
        assert_eq!(statements, 1);
        let expected: Vec<&Flip> = all.iter().rev().filter(|flip| wanted(flip)).collect();
        assert!(found.iter().map(|row| &row.flip).eq(expected), "{filter:?}");
    }
    // Page by page it is the same as at once.
    let mut paged = Vec::new();
    let mut filter = FlipFilter { limit: 7, ..FlipFilter::default() };
    loop {
        let page = store.flips(&filter).await.unwrap();
        let Some(last) = page.last() else { break };
        filter.before = Some(last.n);
        paged.extend(page.into_iter().map(|row| row.flip));
    }
    assert!(paged.iter().eq(all.iter().rev()));
}

async fn agents_in_a_batch(place: Place) {
    let store = place.open().await;
    let flips = three_agents(&store).await;
    let (totals, statements) = counted!(store, store.agents(&["gpt4", "nobody", "gemini"]));
    assert_eq!(statements, 2);
    let names: Vec<&str> = totals.iter().map(|totals| totals.agent.as_str()).collect();
    assert_eq!(names, ["gpt4", "nobody", "gemini"]);
    assert_eq!(
        totals[1],
        AgentTotals { agent: "nobody".to_owned(), consistency: 1.0, ..AgentTotals::default() }
    );
    let own: Vec<&Flip> =
        flips.iter().filter(|flip| flip.before.agent.as_str() == "gemini").collect();
    let of = |kind| own.iter().filter(|flip| flip.kind == kind).count() as u64;
    let gemini = &totals[2];
    assert_eq!((gemini.positions, gemini.flips), (21, 20));
    assert_eq!(gemini.contradictions, of(FlipKind::Contradiction));
    assert_eq!(gemini.retractions, of(FlipKind::Retraction));
    assert_eq!(gemini.qualifications, of(FlipKind::Qualification));
    assert_eq!(gemini.refinements, of(FlipKind::Refinement));
    assert_eq!(gemini.silent, 10);
    let weighted: f64 = own.iter().map(|flip| flip.kind.weight()).sum();
    assert!((gemini.consistency - (1.0 - weighted / 21.0)).abs() < 1e-12);
    let mean: f64 =
        own.iter().map(|flip| flip.before.confidence.unwrap().value()).sum::<f64>() / 20.0;
    assert!((gemini.confidence_before.unwrap() - mean).abs() < 1e-12);
    let mut domains = gemini.domains_with_flips.clone();
    domains.sort();
    // A flip from a position without a domain counts for the one it went to.
    assert_eq!(domains, ["ethics", "finance", "security"]);
    // Ten times as many cost as many statements.
    let many: Vec<String> = (0..500).map(|i| format!("a{i}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let (totals, statements) = counted!(store, store.agents(&many));
    assert_eq!((totals.len(), statements), (500, 2));
    assert_eq!(store.agent_names(10).await.unwrap(), ["claude", "gemini", "gpt4"]);
}

async fn agents_are_ranked_page_by_page(place: Place) {
    let store = place.open().await;
    three_agents(&store).await;
    store
        .insert_positions(at(), vec![said("zoe", "x"), said("ann", "y")], Durability::Fast)
        .await
        .unwrap();
    let mut ranked = Vec::new();
    let mut page = RankPage { after: None, limit: 2 };
    loop {
        let (agents, statements) = counted!(store, store.agents_ranked(&page));
        assert_eq!(statements, 2);
        let Some(last) = agents.last() else { break };
        page.after = Some((last.consistency, last.agent.clone()));
        ranked.extend(agents);
    }
    assert!(ranked.is_sorted_by(|a, b| (a.consistency, &a.agent) < (b.consistency, &b.agent)));
    assert_eq!(ranked.len(), 5);
    assert_eq!((ranked[3].agent.as_str(), ranked[4].agent.as_str()), ("ann", "zoe"));
    let names: Vec<&str> = ranked.iter().map(|totals| totals.agent.as_str()).collect();
    assert_eq!(store.agents(&names).await.unwrap(), ranked);
}

async fn history_is_newest_first(place: Place) {
    let store = place.open().await;
    let mut given: Vec<Position> = (0..30).map(|i| position("claude", i)).collect();
    // Arrived out of order, and two at one time.
    given.swap(3, 20);
    given.push(Position { claim: "Twin.".to_owned(), ..position("claude", 4) });
    given[30].id = given[30].derive_id(true);
    store.insert_positions(at(), given.clone(), Durability::Fast).await.unwrap();
    let mut page = HistoryPage { before: None, limit: 8 };
    let mut seen = Vec::new();
    loop {
        let (held, statements) = counted!(store, store.history("claude", &page));
        assert_eq!(statements, 1);
        let Some(last) = held.last() else { break };
        page.before = Some((last.position.at, last.n));
        seen.extend(held);
    }
    assert_eq!(seen.len(), 31);
    let place = |held: &rebuttal_store::StoredPosition| (held.position.at, held.n);
    assert!(seen.is_sorted_by(|a, b| place(a) > place(b)));
    assert!(store.history("nobody", &HistoryPage::default()).await.unwrap().is_empty());
    let ids = [given[5].id.as_str(), "p-none", given[2].id.as_str()];
    assert_eq!(store.positions(&ids).await.unwrap().len(), 2);
}

async fn the_summary_is_kept_up(place: Place) {
    let store = place.open().await;
    let flips = three_agents(&store).await;
    let (summary, statements) = counted!(store, store.summary(at() + hours(21), 2));
    assert_eq!(statements, 4);
    assert_eq!((summary.positions, summary.total_flips), (39, 36));
    assert_eq!(summary.by_type.values().sum::<u64>(), 36);
    assert_eq!(summary.by_agent, [("gemini".to_owned(), 20), ("claude".to_owned(), 12)]);
    let silent = flips.iter().filter(|flip| flip.acknowledgment == Acknowledgment::Silent);
    assert_eq!(summary.silent, silent.count() as u64);
    assert_eq!((summary.recent_24h, summary.unseen), (36, 39));
    let empty = Place::sqlite().open().await.summary(at(), 2).await.unwrap();
    assert_eq!((empty.total_flips, empty.by_type.len()), (0, 4));
}

/// To the microsecond, and whatever zone the time was written in.
async fn a_day_is_24_hours(place: Place) {
    let store = place.open().await;
    let positions = take(&store, "claude", 8).await;
    let now = "2026-11-16T13:30:30.5+05:30".parse().unwrap();
    let micro = SignedDuration::from_micros(1);
    let times = [
        "2026-11-15T13:30:30.5+05:30".parse().unwrap(),
        "2026-11-15T08:00:30.500001Z".parse().unwrap(),
        "2026-11-15T08:00:30.499999Z".parse().unwrap(),
        "2026-11-15T23:00:00-08:00".parse().unwrap(),
        now,
        now + micro,
        "2026-11-14T23:00:00Z".parse().unwrap(),
    ];
    // What counts is when the new position was taken, not when somebody found out.
    let flips = positions.windows(2).zip(times).enumerate().map(|(i, (pair, at))| {
        let after = Position { at, ..pair[1].clone() };
        flip(&pair[0], &after, i)
    });
    let detection = Detection { flips: flips.collect(), ..Detection::default() };
    store.record_detection(at(), detection, Durability::Fast).await.unwrap();
    // In: the first two, the fourth and the fifth. Out: a microsecond too early, too late, old.
    assert_eq!(store.summary(now, 1).await.unwrap().recent_24h, 4);
    assert_eq!(store.summary(now + micro, 1).await.unwrap().recent_24h, 4);
    assert_eq!(store.summary(now + hours(24), 1).await.unwrap().recent_24h, 2);
    assert_eq!(store.summary(now + hours(25), 1).await.unwrap().recent_24h, 0);
}

async fn domains_days_and_exposures(place: Place) {
    let store = place.open().await;
    let flips = three_agents(&store).await;
    let (domains, statements) = counted!(store, store.domains(10));
    assert_eq!(statements, 1);
    assert_eq!(domains.iter().map(|domain| domain.positions).sum::<u64>(), 39);
    assert_eq!(domains.iter().map(|domain| domain.flips).sum::<u64>(), 36);
    let kinds: u64 = domains.iter().flat_map(|domain| domain.by_type.values()).sum();
    assert_eq!(kinds, 36);
    let (cells, statements) = counted!(store, store.heat_map(2));
    assert_eq!(statements, 1);
    assert_eq!(cells.len(), 8, "two agents, four domains");
    assert_eq!(cells.iter().map(|cell| cell.flips).sum::<u64>(), 32);
    let (days, statements) = counted!(store, store.flips_per_day(at()));
    assert_eq!(statements, 1);
    assert_eq!(days.len(), 2);
    let second =
        flips.iter().filter(|flip| flip.after.at >= "2026-11-17T00:00:00Z".parse().unwrap());
    assert_eq!(days[1].by_type.values().sum::<u64>(), second.count() as u64);
    assert_eq!(days[0].day, "2026-11-16T00:00:00Z".parse().unwrap());
    let (exposures, statements) = counted!(store, store.exposures(Some("claude")));
    assert_eq!(statements, 1);
    let of = |cause| exposures.iter().find(|exposure| exposure.cause == cause).unwrap();
    assert_eq!((of(Cause::Majority).exposed, of(Cause::Majority).flipped), (13, 2));
    assert_eq!((of(Cause::Insistence).exposed, of(Cause::Insistence).flipped), (0, 2));
    assert_eq!(store.exposures(None).await.unwrap().len(), 6 + 6 + 4);
}

async fn what_many_agents_flip_on_is_contested(place: Place) {
    let store = place.open().await;
    let question = |agent: &str, i: u32, question: &str| Position {
        question: Some(question.to_owned()),
        ..position(agent, i)
    };
    for (agent, words) in [("a", "Is it safe?"), ("b", "is it  SAFE"), ("c", "Is it dear?")] {
        let given = vec![question(agent, 0, words), question(agent, 1, words)];
        store.insert_positions(at(), given.clone(), Durability::Fast).await.unwrap();
        detect(&store, &given).await;
    }
    let back = vec![question("a", 1, "Is it safe?"), question("a", 2, "Is it safe?")];
    store.insert_positions(at(), back.clone(), Durability::Fast).await.unwrap();
    detect(&store, &back).await;
    let (contested, statements) = counted!(store, store.contested(1, 10));
    assert_eq!(statements, 1);
    assert_eq!(contested.len(), 1, "of one agent it is the agent's matter");
    let first = &contested[0];
    assert_eq!((first.words.as_str(), first.agents, first.flips), ("Is it safe?", 2, 3));
    assert_eq!((first.toward_yes, first.toward_no), (1, 2));
    assert_eq!(store.contested(2, 10).await.unwrap().len(), 1);
}

on_both!(
    flips_are_filtered,
    agents_in_a_batch,
    agents_are_ranked_page_by_page,
    history_is_newest_first,
    the_summary_is_kept_up,
    a_day_is_24_hours,
    domains_days_and_exposures,
    what_many_agents_flip_on_is_contested,
);
