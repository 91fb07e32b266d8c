//! The fault matrix: every fault in every format, streamed, with what must come of it.
//!
//! Each cell is a real request over a real connection. It asserts the outcome, the number of
//! requests, the words heard, that the recording of it replays to the same, and that no form of the
//! key is in anything a user, a log or a file could get to see. The table in docs/providers.md is
//! made of what the cells said, and a test holds it to that.

mod cells;
mod rude;

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{
    Cassette, Chat, ChatEndpoint, ChatSettings, KeyRef, LlmError, Player, Provider, Recorder,
    Reply, Request,
};

use super::settings;
use super::streams::run;
use crate::server::Server;
use cells::{ANYTHING, CANARY, Cell, cells, loud};

/// What a cell came to.
#[derive(Debug)]
struct Result_ {
    reply: Result<Reply, LlmError>,
    heard: String,
    requests: usize,
    took: Duration,
    /// Everything somebody could get to see.
    seen: String,
}

/// Somewhere to record to.
#[derive(Clone, Default)]
struct Tape(Arc<Mutex<Vec<u8>>>);

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An agent with the canary for a key, whose delays are noted.
fn agent(mut settings: ChatSettings, notes: &Arc<Mutex<String>>) -> ChatEndpoint {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, CANARY).unwrap();
    settings.key = Some(KeyRef::File(path));
    let notes = Arc::clone(notes);
    let watch = move |delay: &rebuttal_llm::Delay| {
        write!(notes.lock().unwrap(), "{delay:?}").unwrap();
    };
    ChatEndpoint::watched(settings, watch).unwrap()
}

fn play(cell: &Cell, provider: Provider) -> Result_ {
    let script = Arc::clone(&cell.script);
    let server = Server::new(move |n, _, wire| script(n, provider, wire));
    let mut settings = settings(&server, provider);
    // A busy machine takes its time over megabytes.
    settings.timeouts.total = Duration::from_secs(100);
    (cell.change)(&mut settings);
    let (notes, tape) = (Arc::default(), Tape::default());
    let recorder = Recorder::new(agent(settings, &notes), &Cassette::to(tape.clone()));
    let (request, heard) = (Request::new("Is it so?"), Mutex::new(String::new()));
    let hear = |words: &str| heard.lock().unwrap().push_str(words);
    let start = Instant::now();
    let reply = run(recorder.stream(&request, &hear));
    let took = start.elapsed();
    let tape = tape.0.lock().unwrap().clone();
    assert_replays(&tape, &request, &heard.lock().unwrap(), &reply, cell.name);
    let shown = reply.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let seen = format!(
        "{shown} {reply:?} {recorder:?} {} {} {}",
        notes.lock().unwrap(),
        String::from_utf8(tape).unwrap(),
        heard.lock().unwrap()
    );
    let heard = heard.into_inner().unwrap();
    Result_ { reply, heard, requests: server.requests().len(), took, seen }
}

fn assert_replays(
    tape: &[u8],
    request: &Request,
    heard: &str,
    reply: &Result<Reply, LlmError>,
    name: &str,
) {
    let words = Mutex::new(String::new());
    let hear = |piece: &str| words.lock().unwrap().push_str(piece);
    let agent = Player::read(tape).unwrap().agent("ann");
    let again = run(agent.stream(request, &hear));
    let shown = |reply: &Result<Reply, LlmError>| format!("{reply:?}");
    assert_eq!((shown(&again), &**words.lock().unwrap()), (shown(reply), heard), "{name}");
}

/// Whether a key, or what gives it away, is in a text.
fn leaks(text: &str) -> bool {
    // Its first eight letters, as they are and in base 64, and its middle as an address has it.
    ["sk-canar", "c2stY2Fu", "%2B0123", "%2b0123", "0123/4567"]
        .iter()
        .any(|sign| text.contains(sign))
}

fn check(cell: &Cell, provider: Provider, result: &Result_) {
    let Result_ { reply, heard, requests, took, seen } = result;
    let short: String = heard.chars().take(50).collect();
    let at = format!(
        "{}, {provider:?}: {short:?} {requests} {took:?} {:?}",
        cell.name,
        reply.as_ref().err()
    );
    assert!(!leaks(seen), "the key is seen: {at}");
    assert!(*took < Duration::from_secs(100), "{at}");
    assert!(cell.heard == ANYTHING || heard == cell.heard, "{at}");
    match reply {
        Ok(reply) => {
            assert_eq!(cell.outcome, "reply", "{at}");
            assert_eq!(&reply.text, heard, "{at}");
        }
        Err(error) => {
            assert_eq!(error.code(), cell.outcome, "{at}");
            let lasting = [
                "garbled",
                "oversize",
                "redirect",
                "declined",
                "filtered",
                "empty",
                "cut-short",
                "too-long",
            ];
            let passing = match error.code() {
                "status" => cell.requests > 1,
                code => !lasting.contains(&code),
            };
            assert_eq!(error.is_transient(), passing, "{at}");
        }
    }
    if !cell.uncounted {
        assert_eq!(*requests, cell.requests, "{at}");
    }
}

/// What a user sees, without what differs from run to run.
fn shown(result: &Result_) -> String {
    match &result.reply {
        Ok(_) => "the reply".to_owned(),
        Err(error) => {
            let text = error.to_string();
            let text = text.split_once("): ").map_or(text.as_str(), |(_, text)| text);
            text.replace(" (os error 111)", "").replace('|', "/").replace('<', "&lt;")
        }
    }
}

#[test]
fn every_fault_in_every_format_has_its_outcome() {
    let cells = cells();
    let formats = Provider::ALL.len();
    let results: Vec<Vec<Option<Result_>>> = cells
        .iter()
        .map(|cell| {
            thread::scope(|scope| {
                let running: Vec<_> = Provider::ALL
                    .into_iter()
                    .map(|provider| {
                        let known = (cell.known)(provider);
                        known.then(|| scope.spawn(move || play(cell, provider)))
                    })
                    .collect();
                running.into_iter().map(|cell| cell.map(|cell| cell.join().unwrap())).collect()
            })
        })
        .collect();
    let mut table = String::from(
        "| the server | what comes of it | requests | what the user sees |\n|---|---|---|---|\n",
    );
    let mut count = 0;
    for (cell, row) in cells.iter().zip(&results) {
        assert_eq!(row.len(), formats);
        for (provider, result) in Provider::ALL.into_iter().zip(row) {
            if let Some(result) = result {
                check(cell, provider, result);
                count += 1;
            }
        }
        let first = row.iter().flatten().next().expect("a format that knows it");
        let requests = if cell.uncounted { "–".to_owned() } else { cell.requests.to_string() };
        let only: Vec<&str> = Provider::ALL
            .into_iter()
            .zip(row)
            .filter(|(_, result)| result.is_some())
            .map(|(provider, _)| provider.name())
            .collect();
        let only =
            if only.len() == formats { String::new() } else { format!(" ({})", only.join(", ")) };
        let sees = cell.sees.map_or_else(|| shown(first), str::to_owned);
        writeln!(table, "| {}{only} | `{}` | {requests} | {sees} |", cell.name, cell.outcome)
            .unwrap();
    }
    writeln!(table, "\n{} faults, {count} cells.", cells.len()).unwrap();
    compare(&table);
}

/// Holds docs/providers.md to the table, or writes it where `REBUTTAL_BLESS` is set.
fn compare(table: &str) {
    const BEGIN: &str = "<!-- begin: fault matrix -->\n";
    const END: &str = "<!-- end: fault matrix -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/providers.md");
    let mut page = String::new();
    let file = std::fs::File::open(&path);
    file.and_then(|mut file| std::io::Read::read_to_string(&mut file, &mut page)).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("docs/providers.md has the block");
    let (now, after) = rest.split_once(END).expect("the block ends");
    if now == table {
        return;
    }
    assert!(
        std::env::var_os("REBUTTAL_BLESS").is_some(),
        "the table in docs/providers.md is not what the cells said; run this test with \
         REBUTTAL_BLESS=1 to write it:\n{table}"
    );
    std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
}

#[test]
fn the_canary_would_be_seen() {
    for form in [CANARY, &loud()[..]] {
        assert!(leaks(form), "{form}");
    }
}
