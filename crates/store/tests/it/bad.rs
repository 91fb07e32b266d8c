//! What goes wrong with databases: each says what happened, to which, and what to try.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rebuttal_model::{DebateId, Event, Position, StreamId};
use rebuttal_store::{Durability, Error, Location, Store, StoreOptions};

use crate::support::{Place, at, block_on, on_both, position, said};

async fn open(path: &Path) -> Result<Store, Error> {
    let wait = Duration::from_millis(300);
    Store::open(&Location::file(path), StoreOptions { wait, ..StoreOptions::default() }).await
}

/// The error's text names the database.
fn names(error: &Error, path: &Path) -> bool {
    error.to_string().contains(&path.display().to_string())
}

async fn a_newer_database_is_refused(place: Place) {
    place.open().await.close().await;
    place
        .meddle(
            "INSERT INTO _rebuttal_migrations (version, description, success, checksum,
                execution_time) VALUES (99, 'later', true, '', 0)",
        )
        .await;
    let error = Store::open(&place.location, StoreOptions::default()).await.unwrap_err();
    assert!(matches!(error, Error::Newer { theirs: 99, ours: 12, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("99") && text.contains("12") && text.contains("newer"), "{text}");
}

/// Several processes that come first at the same time.
async fn many_may_open_a_new_database_at_once(place: Place) {
    let location = place.location.clone();
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            let location = location.clone();
            tokio::spawn(async move { Store::open(&location, StoreOptions::default()).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
}

on_both!(a_newer_database_is_refused, many_may_open_a_new_database_at_once);

#[test]
fn folders_are_made_on_first_use() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.db");
        open(&path).await.unwrap();
        assert!(path.exists());
        let error = open(folder.path()).await.unwrap_err();
        assert!(matches!(error, Error::Open { .. }) && names(&error, folder.path()), "{error}");
        let under_a_file = path.join("d.db");
        let error = open(&under_a_file).await.unwrap_err();
        assert!(matches!(error, Error::Open { .. }) && names(&error, &under_a_file), "{error}");
    });
}

#[test]
fn what_is_no_database_of_ours_is_left_alone() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("notes.txt");
        let content = "Not a database at all. ".repeat(100);
        fs::write(&text, &content).unwrap();
        let error = open(&text).await.unwrap_err();
        assert!(matches!(error, Error::Foreign { .. }) && names(&error, &text), "{error}");
        assert_eq!(fs::read_to_string(&text).unwrap(), content);
        let other = Place::sqlite();
        other.open().await.close().await;
        other.meddle("DROP TABLE _rebuttal_migrations").await;
        let error = open(other.location.path().unwrap()).await.unwrap_err();
        assert!(matches!(error, Error::Foreign { .. }), "{error}");
    });
}

#[test]
fn a_damaged_file_is_named() {
    block_on(async {
        let place = Place::sqlite();
        let path = place.location.path().unwrap().to_owned();
        let store = place.open().await;
        let given: Vec<Position> = (0..2000).map(|i| position("claude", i)).collect();
        store.insert_positions(at(), given, Durability::Full).await.unwrap();
        store.close().await;
        let mut bytes = fs::read(&path).unwrap();
        let length = bytes.len();
        bytes[8192..length / 2].fill(0xA5);
        fs::write(&path, &bytes).unwrap();
        let error = match open(&path).await {
            Err(error) => error,
            Ok(store) => store.verify(&StreamId::ledger(), None).await.unwrap_err(),
        };
        assert!(matches!(error, Error::Corrupt { .. }) && names(&error, &path), "{error}");
        bytes.truncate(length / 3);
        fs::write(&path, &bytes[..length / 3]).unwrap();
        let error = match open(&path).await {
            Err(error) => error,
            Ok(store) => store.verify(&StreamId::ledger(), None).await.unwrap_err(),
        };
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    });
}

#[test]
fn a_locked_file_is_waited_for_and_then_named() {
    use sqlx::{Connection, Executor};
    block_on(async {
        let place = Place::sqlite();
        let path = place.location.path().unwrap().to_owned();
        let store = open(&path).await.unwrap();
        let mut other = sqlx::SqliteConnection::connect(&place.url).await.unwrap();
        other.execute("BEGIN IMMEDIATE").await.unwrap();
        let error =
            store.insert_positions(at(), vec![said("a", "x")], Durability::Full).await.unwrap_err();
        assert!(matches!(error, Error::Locked { .. }) && names(&error, &path), "{error}");
        assert!(error.is_retryable());
        // Reading goes on meanwhile, and writing once the other is done.
        assert_eq!(store.summary(at(), 1).await.unwrap().positions, 0);
        open(&path).await.unwrap();
        other.execute("COMMIT").await.unwrap();
        let inserted =
            store.insert_positions(at(), vec![said("a", "x")], Durability::Full).await.unwrap();
        assert_eq!(inserted.added, 1);
    });
}

/// Root may write whatever it likes, so the file is opened as one that says it may not.
#[test]
fn a_file_that_may_not_be_written_is_named() {
    block_on(async {
        let place = Place::sqlite();
        let path = place.location.path().unwrap().to_owned();
        let store = place.open().await;
        store.insert_positions(at(), vec![said("a", "x")], Durability::Full).await.unwrap();
        store.close().await;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o555)).unwrap();
        let can_write = fs::OpenOptions::new().append(true).open(&path).is_ok();
        if can_write && !set_immutable(&path, true) {
            println!("skipped: this user may write any file");
            return;
        }
        let result = match open(&path).await {
            Ok(store) => {
                store.insert_positions(at(), vec![said("a", "y")], Durability::Full).await.map(drop)
            }
            Err(error) => Err(error),
        };
        set_immutable(&path, false);
        fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
        let error = result.unwrap_err();
        let is_right = matches!(error, Error::ReadOnly { .. } | Error::Open { .. });
        assert!(is_right && names(&error, &path), "{error}");
    });
}

fn set_immutable(path: &Path, on: bool) -> bool {
    let change = if on { "+i" } else { "-i" };
    Command::new("chattr").arg(change).arg(path).status().is_ok_and(|status| status.success())
}

/// Does something with a disk of its own, as small as told.
fn on_a_disk<F: Future<Output = ()>>(size: &str, todo: fn(PathBuf) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", size, "tmpfs"])
        .arg(disk)
        .stderr(std::process::Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        println!("skipped: a small disk can only be mounted by root");
        return;
    }
    let path = disk.join("ledger.db");
    let outcome = std::panic::catch_unwind(|| block_on(todo(path)));
    let unmount = Command::new("umount").arg("-l").arg(disk).status();
    assert!(unmount.is_ok_and(|status| status.success()));
    outcome.unwrap();
}

fn remount(path: &Path, how: &str) {
    let disk = path.parent().unwrap();
    let done = Command::new("mount").args(["-o", &format!("remount,{how}")]).arg(disk).status();
    assert!(done.unwrap().success());
}

#[test]
fn a_full_disk_loses_nothing() {
    on_a_disk("size=3m", |path| async move { fill(&path).await });
}

/// A backup, or another's ledger: SQLite would make a log beside it even to read.
#[test]
fn a_ledger_on_a_disk_that_is_read_only_can_be_read() {
    use sqlx::{Connection, Executor};
    on_a_disk("size=30m", |path| async move {
        let store = open(&path).await.unwrap();
        store.insert_positions(at(), vec![said("a", "x")], Durability::Full).await.unwrap();
        store.close().await;
        remount(&path, "ro");
        let store = open(&path).await.unwrap();
        assert_eq!(store.summary(at(), 1).await.unwrap().positions, 1);
        store.verify_tables(&|_| ()).await.unwrap();
        let error =
            store.insert_positions(at(), vec![said("a", "y")], Durability::Full).await.unwrap_err();
        assert!(matches!(error, Error::ReadOnly { .. }) && names(&error, &path), "{error}");
        store.close().await;
        remount(&path, "rw");
        let older = format!("sqlite:{}", path.display());
        let mut older = sqlx::SqliteConnection::connect(&older).await.unwrap();
        older.execute("DROP TABLE debates").await.unwrap();
        older.execute("DROP TABLE debates_state").await.unwrap();
        older.execute("DROP TABLE evidence").await.unwrap();
        let last = "DELETE FROM _rebuttal_migrations WHERE version >= 9";
        older.execute(last).await.unwrap();
        older.execute("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
        older.close().await.unwrap();
        remount(&path, "ro");
        let error = open(&path).await.unwrap_err().to_string();
        assert!(error.contains("must be brought from version 8 to 12"), "{error}");
        let other = path.with_file_name("none.db");
        let error = open(&other).await.unwrap_err();
        assert!(error.to_string().contains("none may be made there"), "{error}");
    });
}

async fn fill(path: &Path) {
    let store = open(path).await.unwrap();
    let batch =
        |b: u32| -> Vec<Position> { (0..200).map(|i| position("claude", b * 200 + i)).collect() };
    let mut taken = 0;
    let error = loop {
        match store.insert_positions(at(), batch(taken), Durability::Full).await {
            Ok(_) => taken += 1,
            Err(error) => break error,
        }
        assert!(taken < 1000, "the disk is never full");
    };
    assert!(matches!(error, Error::Full { .. }) && names(&error, path), "{error}");
    assert!(taken > 0);
    let head = store.verify(&StreamId::ledger(), None).await.unwrap();
    assert_eq!(head.seq, u64::from(taken));
    store.close().await;
    // With room again, the same is simply run once more.
    remount(path, "size=64m");
    let store = open(path).await.unwrap();
    assert_eq!(store.verify(&StreamId::ledger(), Some(head)).await.unwrap(), head);
    assert_eq!(
        store.insert_positions(at(), batch(taken), Durability::Full).await.unwrap().added,
        200
    );
    assert_eq!(store.insert_positions(at(), batch(0), Durability::Full).await.unwrap().same, 200);
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_password() {
    block_on(async {
        let location: Location = "postgres://ann:s3cret@127.0.0.1:1/ledger".parse().unwrap();
        let options = StoreOptions { wait: Duration::from_millis(100), ..StoreOptions::default() };
        let error = Store::open(&location, options).await.unwrap_err();
        let text = format!("{error} {error:?}");
        assert!(matches!(error, Error::Unreachable { .. }), "{text}");
        assert!(text.contains("127.0.0.1") && !text.contains("s3cret"), "{text}");
        let location: Location = "postgres://ann:s3cret@host:notaport/x".parse().unwrap();
        let error = Store::open(&location, options).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
    });
}

/// A server that is restarted ends every connection.
#[test]
fn a_server_that_drops_everybody_loses_nothing() {
    block_on(async {
        let Some(place) = Place::postgres().await else { return };
        let store = place.open().await;
        let stream = StreamId::debate(&DebateId::new("d1"));
        let lease = store.lease(&stream).await.unwrap();
        let events = [Event::Paused { reason: "wait".to_owned(), breakpoint: None }];
        for seen in 0..4 {
            place
                .meddle(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE pid <> pg_backend_pid() AND datname = current_database()",
                )
                .await;
            while let Err(error) = store.append(&stream, Some(seen), at(), &events).await {
                assert!(error.is_retryable(), "{error}");
                assert_eq!(store.head(&stream).await.map_or(seen, |head| head.seq), seen);
            }
        }
        let done: Result<(), Error> = lease.keep(async { Ok(()) }).await;
        done.unwrap();
        assert_eq!(store.verify(&stream, None).await.unwrap().seq, 4);
        store.verify_debates().await.unwrap();
    });
}

#[test]
fn a_database_that_does_not_exist_is_refused_by_name() {
    block_on(async {
        let Some(place) = Place::postgres().await else { return };
        let url = place.url.replace("localhost/t", "localhost/none_t");
        let error = Store::open(&url.parse().unwrap(), StoreOptions::default()).await.unwrap_err();
        assert!(matches!(error, Error::Refused { .. }), "{error}");
    });
}
