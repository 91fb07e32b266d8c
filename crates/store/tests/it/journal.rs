//! The journal: order, conflicts, and that nothing can be changed unseen.

use std::sync::Arc;

use rebuttal_model::{BreakpointAnswer, DebateId, Event, StreamId};
use rebuttal_store::{Error, Fault, Head, verify_file};

use crate::support::{Place, at, block_on, on_both, position};

fn debate() -> StreamId {
    StreamId::debate(&DebateId::new("d1"))
}

fn rounds(count: u32) -> Vec<Event> {
    (0..count)
        .map(|round| Event::Paused { reason: format!("round {round}"), breakpoint: None })
        .collect()
}

async fn what_is_appended_is_read(place: Place) {
    let store = place.open().await;
    assert_eq!(store.head(&debate()).await.unwrap(), Head::EMPTY);
    let mut written = store.append(&debate(), Some(0), at(), &rounds(3)).await.unwrap();
    written.extend(store.append(&debate(), Some(3), at(), &rounds(100)).await.unwrap());
    let mut read = Vec::new();
    loop {
        let page = store.read(&debate(), read.len() as u64).await.unwrap();
        if page.is_empty() {
            break;
        }
        read.extend(page);
    }
    assert_eq!(read, written);
    let head = store.verify(&debate(), None).await.unwrap();
    assert_eq!((head.seq, head.hash), (103, written[102].hash));
    assert_eq!(store.streams().await.unwrap(), [(debate(), head)]);
    // A head kept earlier still fits a stream that has grown since.
    let kept = Head { seq: 3, hash: written[2].hash };
    assert_eq!(store.verify(&debate(), Some(kept)).await.unwrap(), head);
    // And all of it survives closing.
    store.close().await;
    assert_eq!(place.open().await.verify(&debate(), Some(head)).await.unwrap(), head);
}

async fn of_two_writers_one_is_told(place: Place) {
    let store = Arc::new(place.open().await);
    store.append(&debate(), Some(0), at(), &rounds(1)).await.unwrap();
    let write = |store: Arc<rebuttal_store::Store>| async move {
        store.append(&debate(), Some(1), at(), &rounds(1)).await
    };
    let one = tokio::spawn(write(Arc::clone(&store)));
    let other = tokio::spawn(write(Arc::clone(&store)));
    let answers = [one.await.unwrap(), other.await.unwrap()];
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    let error = answers.into_iter().find_map(Result::err).unwrap();
    assert!(matches!(error, Error::Conflict { expected: 1, found: 2, .. }), "{error}");
    assert!(error.is_conflict());
    assert_eq!(store.verify(&debate(), None).await.unwrap().seq, 2);
}

async fn many_writers_without_expectations_all_get_in(place: Place) {
    let store = Arc::new(place.open().await);
    let tasks: Vec<_> = (0..12)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.append(&debate(), None, at(), &rounds(2)).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(store.verify(&debate(), None).await.unwrap().seq, 24);
}

async fn the_ledger_is_not_appended_to(place: Place) {
    let store = place.open().await;
    let error = store.append(&StreamId::ledger(), None, at(), &rounds(1)).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error}");
}

/// Changes behind the store's back, each with the record that shows it.
async fn changes_in_the_tables_are_found(place: Place) {
    let store = place.open().await;
    store.append(&debate(), None, at(), &rounds(6)).await.unwrap();
    let head = store.head(&debate()).await.unwrap();
    let error = sqlx_error(&place, "UPDATE journal SET at = 0 WHERE seq = 2").await;
    assert!(error.contains("append-only"), "{error}");
    if place.is_sqlite() {
        place.meddle("DROP TRIGGER journal_is_never_changed").await;
        place.meddle("DROP TRIGGER journal_is_never_deleted").await;
    } else {
        place.meddle("DROP TRIGGER journal_is_never_changed ON journal").await;
    }
    place.meddle("CREATE TABLE kept AS SELECT * FROM journal").await;
    let back = "DELETE FROM journal; INSERT INTO journal SELECT * FROM kept";
    let insert = "INSERT INTO journal SELECT stream, 7, at, hash, prev, payload FROM journal
        WHERE seq = 6";
    let swap = "UPDATE journal SET seq = seq + 100 WHERE seq IN (3, 4);
        UPDATE journal SET seq = 107 - seq WHERE seq > 100";
    for (meddling, seq) in [
        ("UPDATE journal SET at = at + 1 WHERE seq = 2", 2),
        ("UPDATE journal SET prev = hash WHERE seq = 3", 3),
        ("UPDATE journal SET hash = prev WHERE seq = 4", 4),
        ("DELETE FROM journal WHERE seq = 1", 1),
        ("DELETE FROM journal WHERE seq = 5", 5),
        ("DELETE FROM journal WHERE seq > 4", 5),
        (insert, 7),
        (swap, 3),
    ] {
        place.meddle(meddling).await;
        let error = store.verify(&debate(), Some(head)).await.unwrap_err();
        let Error::Broken(broken) = error else { panic!("{meddling}: {error}") };
        assert_eq!(broken.seq, seq, "{meddling}: {broken}");
        place.meddle(back).await;
        assert_eq!(store.verify(&debate(), Some(head)).await.unwrap(), head);
    }
    // A chain made wholly anew is right in itself, and not the one that was kept.
    place.meddle("DELETE FROM journal; DELETE FROM streams").await;
    store.append(&debate(), None, at(), &rounds(7)[1..]).await.unwrap();
    assert_eq!(store.verify(&debate(), None).await.unwrap().seq, 6);
    let error = store.verify(&debate(), Some(head)).await.unwrap_err();
    assert!(matches!(error, Error::Broken(broken) if broken.fault == Fault::Rewritten));
}

async fn sqlx_error(place: &Place, sql: &'static str) -> String {
    use sqlx::{Connection, Executor};
    if place.is_sqlite() {
        let mut connection = sqlx::SqliteConnection::connect(&place.url).await.unwrap();
        connection.execute(sql).await.unwrap_err().to_string()
    } else {
        let mut connection = sqlx::PgConnection::connect(&place.url).await.unwrap();
        connection.execute(sql).await.unwrap_err().to_string()
    }
}

async fn a_stream_moves_by_file(place: Place) {
    let store = place.open().await;
    let positions: Vec<_> = (0..20).map(|i| position("claude", i)).collect();
    store.insert_positions(at(), positions, rebuttal_store::Durability::Fast).await.unwrap();
    let ledger = StreamId::ledger();
    let mut file = Vec::new();
    let head = store.export_stream(&ledger, &mut file).await.unwrap();
    assert_eq!(verify_file(&mut file.as_slice(), Some(head)).unwrap(), head);
    // Into a new database, twice: the second time adds nothing. The tables come along.
    let other = Place::sqlite();
    let other = other.open().await;
    for _ in 0..2 {
        assert_eq!(other.import_stream(&mut file.as_slice()).await.unwrap(), head);
    }
    assert_eq!(other.verify(&ledger, Some(head)).await.unwrap(), head);
    let (here, there) = (
        store.positions_after(0, 100).await.unwrap(),
        other.positions_after(0, 100).await.unwrap(),
    );
    assert_eq!(here, there);
    assert_eq!(here.len(), 20);
    // What the other has and the file has not is no reason to overwrite it.
    other
        .insert_positions(at(), vec![position("gpt4", 1)], rebuttal_store::Durability::Fast)
        .await
        .unwrap();
    store
        .insert_positions(at(), vec![position("gpt4", 2)], rebuttal_store::Durability::Fast)
        .await
        .unwrap();
    let mut file = Vec::new();
    store.export_stream(&ledger, &mut file).await.unwrap();
    let error = other.import_stream(&mut file.as_slice()).await.unwrap_err();
    assert!(matches!(error, Error::Broken(broken) if broken.fault == Fault::Rewritten));
}

on_both!(
    what_is_appended_is_read,
    of_two_writers_one_is_told,
    many_writers_without_expectations_all_get_in,
    the_ledger_is_not_appended_to,
    changes_in_the_tables_are_found,
    a_stream_moves_by_file,
);

/// Equal events give an equal head, whatever the engine.
#[test]
fn both_engines_give_the_same_head() {
    block_on(async {
        let Some(postgres) = Place::postgres().await else { return };
        let mut heads = Vec::new();
        for place in [Place::sqlite(), postgres] {
            let store = place.open().await;
            let positions: Vec<_> = (0..1500).map(|i| position("claude", i)).collect();
            store
                .insert_positions(at(), positions, rebuttal_store::Durability::Fast)
                .await
                .unwrap();
            heads.push(store.head(&StreamId::ledger()).await.unwrap());
        }
        assert_eq!(heads[0], heads[1]);
        assert_eq!(heads[0].seq, 2);
    });
}

/// A file made by another program from the description in docs/store.md; it must verify for ever.
#[test]
fn a_journal_of_the_first_version_verifies() {
    let file = include_bytes!("../fixtures/journal-v1.jsonl");
    let head = verify_file(&mut &file[..], None).unwrap();
    assert_eq!(head.seq, 3);
    assert_eq!(
        head.hash.to_string(),
        "945f722d239f677ddc7576605d3d0e29a2ab5cb43236b420abc9f9ebe66672f1"
    );
}

/// A small journal, every bit of it flipped, one at a time; every line left out, doubled, moved.
#[test]
fn no_bit_of_a_file_can_be_changed() {
    let file = block_on(async {
        let place = Place::sqlite();
        let store = place.open().await;
        let paused =
            Event::Paused { reason: "no answer – “timeout”".to_owned(), breakpoint: None };
        let resumed =
            Event::Resumed { answer: BreakpointAnswer::Continue, note: None, timed_out: false };
        store.append(&debate(), None, at(), &[paused.clone(), resumed, paused]).await.unwrap();
        let mut file = Vec::new();
        store.export_stream(&debate(), &mut file).await.unwrap();
        file
    });
    let head = verify_file(&mut file.as_slice(), None).unwrap();
    let broken = |bytes: &[u8]| match verify_file(&mut &*bytes, Some(head)) {
        Err(Error::Broken(broken)) => broken,
        other => panic!("{other:?} for {}", String::from_utf8_lossy(bytes)),
    };
    for bit in 0..file.len() * 8 {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let line = file[..bit / 8].split(|byte| *byte == b'\n').count() as u64;
        assert_eq!(broken(&changed).seq, line, "bit {bit}");
    }
    let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
    for (order, seq) in [
        (vec![1, 2], 1),
        (vec![0, 2], 2),
        (vec![0, 1], 3),
        (vec![0, 0, 1, 2], 2),
        (vec![0, 2, 1], 2),
        (vec![], 1),
    ] {
        let changed: Vec<u8> = order.iter().flat_map(|i| lines[*i]).copied().collect();
        assert_eq!(broken(&changed).seq, seq, "{order:?}");
    }
    for end in 0..file.len() {
        broken(&file[..end]);
    }
}
