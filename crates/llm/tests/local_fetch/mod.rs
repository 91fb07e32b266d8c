//! A client that is a shell script, because the real one needs a network.

#![cfg(unix)]

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{Fetch, LlmError, LocalError, LocalModel, Progress};

/// A client that does what these lines of shell say; `$DEST` is where the package is wanted.
fn client(folder: &Path, lines: &str) -> Vec<String> {
    let path = folder.join("client.sh");
    let script = format!(
        "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --dest ] && DEST=\"$2\"; shift; done\n{lines}\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    vec![path.to_str().unwrap().to_owned()]
}

fn failure(lines: &str, limit: Duration) -> LocalError {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let fetch = Fetch::into(&cache).within(limit).by(client(folder.path(), lines));
    let error = fetch.usual_model(&mut |_| ControlFlow::Continue(())).map(|_| ()).unwrap_err();
    let left: Vec<_> = fs::read_dir(cache.join("models"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, ["fetching.lock"], "nothing half done is left");
    error
}

/// Every failure of fetching names the three other ways.
fn shows_the_ways(error: &LocalError) {
    let said = error.to_string();
    for way in ["ANTHROPIC_API_KEY", "[agents.NAME]", "Ollama", "REBUTTAL_LOCAL_MODEL"] {
        assert!(said.contains(way), "{said}");
    }
    assert!(error.is_about_fetching());
}

#[test]
fn a_client_that_fails_is_quoted() {
    let error = failure("echo 'ERROR: no route to host' >&2; exit 1", Duration::from_secs(20));
    assert!(error.to_string().contains("no route to host"), "{error}");
    shows_the_ways(&error);
    let error = failure("echo 'python3: No module named pip' >&2; exit 1", Duration::from_secs(20));
    assert!(matches!(error, LocalError::NoClient { .. }), "{error}");
    shows_the_ways(&error);
    let told = LlmError::from(error).to_string();
    assert!(told.starts_with("local: "), "{told}");
}

#[test]
fn a_client_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let fetch = Fetch::into(folder.path()).by(["no-such-client-anywhere"]);
    let error = fetch.usual_model(&mut |_| ControlFlow::Continue(())).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("no-such-client-anywhere"), "{error}");
    shows_the_ways(&error);
}

#[test]
fn a_client_that_hangs_is_ended_in_time() {
    let begun = Instant::now();
    let error = failure("exec sleep 60", Duration::from_millis(600));
    assert!(matches!(error, LocalError::Timeout { .. }), "{error}");
    shows_the_ways(&error);
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_package_that_is_another_is_refused() {
    for (lines, reason) in
        [("true", "there is no wheel"), ("echo nonsense > \"$DEST/a.whl\"", "is not the one")]
    {
        let error = failure(lines, Duration::from_secs(20));
        assert!(error.to_string().contains(reason), "{error}");
        shows_the_ways(&error);
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error =
        Fetch::into(&file).usual_model(&mut |_| ControlFlow::Continue(())).map(|_| ()).unwrap_err();
    assert!(matches!(error, LocalError::Disk { .. }), "{error}");
}

#[test]
fn two_at_once_do_not_fetch_twice_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "if ! mkdir \"$0.busy\"; then echo both >> \"$0.both\"; fi; sleep 0.4; rmdir \"$0.busy\"; exit 1";
    let client = client(folder.path(), lines);
    let fetch = Fetch::into(folder.path().join("cache")).by(client.clone());
    let waited: usize = thread::scope(|scope| {
        let ask = || {
            let mut waited = 0;
            fetch
                .usual_model(&mut |progress| {
                    waited += usize::from(progress == Progress::Waiting);
                    ControlFlow::Continue(())
                })
                .unwrap_err();
            waited
        };
        [scope.spawn(ask), scope.spawn(ask)].into_iter().map(|asked| asked.join().unwrap()).sum()
    });
    assert!(waited > 0, "one of them waits");
    assert!(!Path::new(&format!("{}.both", client[0])).exists(), "both were at it at once");
}

#[test]
fn a_file_of_the_users_that_is_no_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    fs::write(&path, "GGUF").unwrap();
    let error = LocalModel::open(&path).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("model.gguf: it ends too soon"), "{error}");
    let missing = LocalModel::open(&folder.path().join("none.gguf")).map(|_| ()).unwrap_err();
    assert!(missing.to_string().contains("none.gguf"), "{missing}");
}

#[test]
fn nothing_is_fetched_against_the_users_word() {
    let folder = tempfile::tempdir().unwrap();
    let client = client(folder.path(), "touch \"$0.started\"; exit 1");
    let started = format!("{}.started", client[0]);
    let fetch = Fetch::into(folder.path().join("cache")).by(client);
    let mut told = Vec::new();
    let error = fetch.usual_model(&mut |progress| {
        told.push(progress);
        ControlFlow::Break(())
    });
    assert!(matches!(error.map(|_| ()), Err(LocalError::Declined)));
    assert!(!Path::new(&started).exists(), "the client was started");
    let [Progress::Needed(download)] = &told[..] else { panic!("{told:?}") };
    assert_eq!(download.place, fetch.place());
}

#[test]
fn the_client_gets_no_key_and_works_in_a_folder_of_its_own() {
    let lines = "echo \"at $PWD, $(pwd): $(env | tr '\\n' ' ')\" >&2; exit 1";
    let error = failure(lines, Duration::from_secs(20)).to_string();
    let cargo = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    assert!(error.contains("/cache/models/fetching, "), "{error}");
    assert!(!error.contains("CARGO") && !error.contains(&cargo), "{error}");
}
