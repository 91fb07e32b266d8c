//! The table of debates: it follows from the journal, and nothing is left out of a list.

use jiff::Timestamp;
use rebuttal_model::{
    AgentId, Call, DebateId, DebateSpec, Decision, Event, Purpose, Spent, StreamId,
};
use rebuttal_store::{DebateFilter, DebateRow, DebateStatus, Error, Store, StoreOptions};

use crate::support::{Place, at, hours, on_both, on_sqlite};

fn stream(id: &str) -> StreamId {
    StreamId::debate(&DebateId::new(id))
}

fn started(id: &str, question: &str) -> Event {
    let spec = serde_json::json!({
        "id": id, "question": question, "seed": 7, "protocol": {},
        "panel": [{ "agent": "ann" }, { "agent": "bob" }],
    });
    let spec: DebateSpec = serde_json::from_value(spec).unwrap();
    Event::DebateStarted { spec: Box::new(spec) }
}

fn answered(micro_usd: u64) -> Event {
    let agent = AgentId::new("ann");
    let call = Call { round: 0, agent, purpose: Purpose::Answer, attempt: 1 };
    let spent =
        Spent { calls: 1, input_tokens: 100, output_tokens: 20, micro_usd, ..Spent::default() };
    Event::CallAnswered { call, text: "{}".to_owned(), spent }
}

fn paused() -> Event {
    Event::Paused { reason: "Look.".to_owned(), breakpoint: None }
}

fn resumed() -> Event {
    let answer = rebuttal_model::BreakpointAnswer::Continue;
    Event::Resumed { answer, note: None, timed_out: false }
}

fn decided(answer: Option<&str>) -> Event {
    let decision = Decision { answer: answer.map(ToOwned::to_owned), ..Decision::default() };
    Event::Decided { decision: Box::new(decision) }
}

/// A debate of these events, begun so many hours after the tests.
async fn add(store: &Store, id: &str, hour: i64, events: &[Event]) {
    let begin = started(id, &format!("Do we take {id}?"));
    store.append(&stream(id), Some(0), at() + hours(hour), &[begin]).await.unwrap();
    for (seen, event) in (1..).zip(events) {
        let at = at() + hours(hour + 1);
        store.append(&stream(id), Some(seen), at, std::slice::from_ref(event)).await.unwrap();
    }
}

fn row(id: &str, hour: i64, records: u64, status: DebateStatus) -> DebateRow {
    let latest = if records > 1 { hour + 1 } else { hour };
    DebateRow {
        id: DebateId::new(id),
        question: format!("Do we take {id}?"),
        agents: 2,
        started: at() + hours(hour),
        latest: at() + hours(latest),
        records,
        status,
        overrode: None,
        answer: None,
        calls: 0,
        input_tokens: 0,
        output_tokens: 0,
        micro_usd: 0,
        holder: None,
        damage: None,
    }
}

async fn listed(store: &Store, filter: &DebateFilter) -> Vec<DebateRow> {
    store.debates(&DebateFilter { limit: 100, ..filter.clone() }).await.unwrap().debates
}

async fn all(store: &Store) -> Vec<DebateRow> {
    listed(store, &DebateFilter::default()).await
}

async fn ids(store: &Store, filter: &DebateFilter) -> Vec<String> {
    listed(store, filter).await.into_iter().map(|row| row.id.to_string()).collect()
}

/// One debate of each status.
async fn one_of_each(store: &Store) -> Vec<DebateRow> {
    add(store, "begun", 0, &[]).await;
    add(store, "waits", 1, &[answered(5), paused()]).await;
    add(store, "goes-on", 2, &[paused(), resumed()]).await;
    add(store, "decided", 3, &[answered(5), answered(7), decided(Some("yes\0no"))]).await;
    add(store, "split", 4, &[decided(None)]).await;
    store.append(&stream("odd"), Some(0), at() + hours(5), &[paused()]).await.unwrap();
    let damage = "its first record is not the start of a debate".to_owned();
    vec![
        DebateRow {
            question: String::new(),
            agents: 0,
            damage: Some(damage),
            ..row("odd", 5, 1, DebateStatus::Damaged)
        },
        row("split", 4, 2, DebateStatus::Undecided),
        DebateRow {
            answer: Some("yes\u{FFFD}no".to_owned()),
            calls: 2,
            input_tokens: 200,
            output_tokens: 40,
            micro_usd: 12,
            ..row("decided", 3, 4, DebateStatus::Decided)
        },
        row("goes-on", 2, 3, DebateStatus::Unfinished),
        DebateRow {
            calls: 1,
            input_tokens: 100,
            output_tokens: 20,
            micro_usd: 5,
            ..row("waits", 1, 3, DebateStatus::Waiting)
        },
        row("begun", 0, 1, DebateStatus::Unfinished),
    ]
}

async fn a_row_follows_from_the_records(place: Place) {
    let store = place.open().await;
    let expected = one_of_each(&store).await;
    assert_eq!(all(&store).await, expected);
    store.verify_debates().await.unwrap();
    assert_eq!(store.rebuild_debates().await.unwrap(), 6);
    assert_eq!(all(&store).await, expected, "made anew it is the same");
    // So it is in a database whose debates are older than the table, and in one they are moved to.
    store.close().await;
    place.meddle("DELETE FROM debates").await;
    place.meddle("UPDATE debates_state SET version = 0").await;
    let store = place.open().await;
    assert_eq!(all(&store).await, expected);
    let other = Place::sqlite();
    let there = other.open().await;
    for row in &expected {
        let mut file = Vec::new();
        store.export_stream(&stream(row.id.as_str()), &mut file).await.unwrap();
        there.import_stream(&mut file.as_slice()).await.unwrap();
    }
    assert_eq!(all(&there).await, expected);
    there.verify_debates().await.unwrap();
}

async fn debates_are_filtered(place: Place) {
    let store = place.open().await;
    one_of_each(&store).await;
    let by = |status| DebateFilter { status: Some(status), ..DebateFilter::default() };
    assert_eq!(ids(&store, &by(DebateStatus::Decided)).await, ["decided"]);
    assert_eq!(ids(&store, &by(DebateStatus::Undecided)).await, ["split"]);
    assert_eq!(ids(&store, &by(DebateStatus::Waiting)).await, ["waits"]);
    assert_eq!(ids(&store, &by(DebateStatus::Damaged)).await, ["odd"]);
    assert_eq!(ids(&store, &by(DebateStatus::Unfinished)).await, ["goes-on", "begun"]);
    assert_eq!(ids(&store, &by(DebateStatus::Running)).await, Vec::<String>::new());
    let lease = store.lease(&stream("begun")).await.unwrap();
    assert_eq!(ids(&store, &by(DebateStatus::Running)).await, ["begun"]);
    assert_eq!(ids(&store, &by(DebateStatus::Unfinished)).await, ["goes-on"]);
    let running = listed(&store, &by(DebateStatus::Running)).await;
    assert_eq!(running[0].holder.as_ref().unwrap().process, std::process::id());
    drop(lease);
    let about =
        |words: &str| DebateFilter { question: Some(words.to_owned()), ..DebateFilter::default() };
    assert_eq!(ids(&store, &about("we TAKE s")).await, ["split"]);
    assert_eq!(ids(&store, &about("%")).await, Vec::<String>::new());
    assert_eq!(store.debate_ids("w", 9).await.unwrap(), [DebateId::new("waits")]);
    assert_eq!(store.debate_ids("", 2).await.unwrap().len(), 2);
}

async fn pages_follow_one_another(place: Place) {
    let store = place.open().await;
    let names: Vec<String> = (0..25).map(|number| format!("d{number:02}")).collect();
    for (number, name) in names.iter().enumerate() {
        // Several begin at the same time.
        add(&store, name, i64::try_from(number / 4).unwrap(), &[]).await;
    }
    let mut seen = Vec::new();
    let mut filter = DebateFilter { limit: 10, ..DebateFilter::default() };
    loop {
        let page = store.debates(&filter).await.unwrap();
        seen.extend(page.debates.into_iter().map(|row| row.id.to_string()));
        let Some(next) = page.next else { break };
        // As it goes over the wire.
        filter.after = Some(next.to_string().parse().unwrap());
        // Whoever comes meanwhile moves nothing.
        add(&store, &format!("new{}", seen.len()), 99, &[]).await;
    }
    let expected: Vec<String> = names.into_iter().rev().collect();
    assert_eq!(seen, expected);
    let error = "yesterday".parse::<rebuttal_store::Cursor>().unwrap_err();
    assert!(error.contains("take `next` as it was given"), "{error}");
}

async fn what_was_changed_is_listed_as_damaged(place: Place) {
    let store = place.open().await;
    one_of_each(&store).await;
    let whole = all(&store).await;
    if place.is_sqlite() {
        place.meddle("DROP TRIGGER journal_is_never_changed").await;
        place.meddle("DROP TRIGGER journal_is_never_deleted").await;
    } else {
        place.meddle("ALTER TABLE journal DISABLE TRIGGER ALL").await;
    }
    place.meddle("UPDATE journal SET at = at + 1 WHERE stream = 'debate/waits' AND seq = 2").await;
    place.meddle("DELETE FROM journal WHERE stream = 'debate/split' AND seq = 2").await;
    place.meddle("DELETE FROM streams WHERE stream = 'debate/begun'").await;
    let now = all(&store).await;
    let damaged: Vec<(&str, &str)> = now
        .iter()
        .filter(|row| row.status == DebateStatus::Damaged)
        .map(|row| (row.id.as_str(), row.damage.as_deref().unwrap()))
        .collect();
    assert_eq!(
        damaged,
        [
            ("odd", "its first record is not the start of a debate"),
            (
                "split",
                "record 2 of “debate/split” is not what was written: it is missing; the last one \
                 should be record 2"
            ),
            (
                "waits",
                "record 2 of “debate/waits” is not what was written: its content does not give its hash"
            ),
            ("begun", "where “debate/begun” ends is no longer known"),
        ]
    );
    let same = |row: &&DebateRow| row.status != DebateStatus::Damaged;
    let expected: Vec<&DebateRow> =
        whole.iter().filter(|row| ["decided", "goes-on"].contains(&row.id.as_str())).collect();
    assert_eq!(
        now.iter().filter(same).collect::<Vec<_>>(),
        expected,
        "the others are as they were"
    );
}

async fn a_changed_row_is_found(place: Place) {
    let store = place.open().await;
    one_of_each(&store).await;
    place.meddle("UPDATE debates SET answer = 'no' WHERE stream = 'debate/decided'").await;
    let error = store.verify_debates().await.unwrap_err();
    let Error::Differs(differs) = &error else { panic!("{error}") };
    assert_eq!((differs.table, differs.row.as_str()), ("debates", "decided"));
    assert!(error.to_string().contains("`rebuttal db rebuild` makes the tables anew"), "{error}");
    place.meddle("DELETE FROM debates WHERE stream = 'debate/decided'").await;
    assert!(store.verify_debates().await.unwrap_err().to_string().contains("it is missing"));
    store.rebuild_debates().await.unwrap();
    store.verify_debates().await.unwrap();
}

async fn a_page_is_as_many_statements_for_many_as_for_few(place: Place) {
    let store = place.open().await;
    let mut counts = Vec::new();
    for number in 0..60 {
        add(&store, &format!("d{number}"), number, &[answered(1), decided(Some("yes"))]).await;
        let before = store.statements();
        store.debates(&DebateFilter { limit: 20, ..DebateFilter::default() }).await.unwrap();
        counts.push(store.statements() - before);
    }
    // The time, the rows, their records.
    assert!(counts.iter().all(|count| *count == 3), "{counts:?}");
}

/// How long a page takes among many: `REBUTTAL_MANY_DEBATES=100000` has the figure of docs/store.md. With few
/// it is only measured, as machines differ.
async fn a_page_among_many_is_measured(place: Place) {
    let many = std::env::var("REBUTTAL_MANY_DEBATES").ok().and_then(|text| text.parse().ok());
    let many: u32 = many.unwrap_or(300);
    let options =
        StoreOptions { durability: rebuttal_store::Durability::Fast, ..StoreOptions::default() };
    let store = Store::open(&place.location, options).await.unwrap();
    for number in 0..many {
        let id = format!("d{number}");
        let mut events = vec![started(&id, "Do we take it?")];
        events.extend((0..20).map(|_| answered(1)));
        events.push(decided(Some("yes")));
        let at = Timestamp::from_second(i64::from(number)).unwrap();
        store.append(&stream(&id), Some(0), at, &events).await.unwrap();
    }
    let page = DebateFilter { limit: 20, ..DebateFilter::default() };
    store.debates(&page).await.unwrap();
    let mut times = Vec::new();
    for _ in 0..9 {
        let began = std::time::Instant::now();
        store.debates(&page).await.unwrap();
        times.push(began.elapsed());
    }
    times.sort();
    println!("a page of 20 among {many}: {:?} to {:?}", times[0], times[8]);
    let found = store.debates(&page).await.unwrap();
    assert_eq!(found.debates.len(), 20);
    assert_eq!(found.debates[0].id, DebateId::new(format!("d{}", many - 1)));
}

on_both!(
    a_row_follows_from_the_records,
    debates_are_filtered,
    pages_follow_one_another,
    what_was_changed_is_listed_as_damaged,
    a_changed_row_is_found,
    a_page_is_as_many_statements_for_many_as_for_few,
    a_page_among_many_is_measured,
);

/// A page reads an index in its order and stops at the limit, so that how many debates there are does
/// not matter.
#[test]
fn a_page_is_read_in_the_order_of_an_index() {
    on_sqlite(|place| {
        Box::pin(async move {
            use sqlx::{Connection, Executor, Row};
            let store = place.open().await;
            one_of_each(&store).await;
            let mut connection = sqlx::SqliteConnection::connect(&place.url).await.unwrap();
            for (filter, index) in
                [("", "idx_debates_started"), (" AND d.status = 'decided'", "idx_debates_status")]
            {
                let sql = format!(
                    "EXPLAIN QUERY PLAN SELECT d.question FROM debates AS d
                    LEFT JOIN streams AS s ON s.stream = d.stream
                    LEFT JOIN leases AS l ON l.stream = d.stream AND l.expires > 1
                    WHERE (d.started, d.stream) < (9, 'x'){filter}
                    ORDER BY d.started DESC, d.stream DESC LIMIT 20"
                );
                let rows = connection.fetch_all(sqlx::AssertSqlSafe(sql)).await.unwrap();
                let plan: Vec<String> = rows.iter().map(|row| row.get(3)).collect();
                let plan = plan.join("\n");
                assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{plan}");
            }
        })
    });
}
