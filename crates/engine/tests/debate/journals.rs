//! Journals of every release: what one release wrote must verify under all later ones.
//!
//! `fixtures/journals/policy-N` holds what a release with policy version N wrote. How the journals of
//! a new release are added stands in CONTRIBUTING.md.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rebuttal_engine::debate::{
    Arena, Changes, Environment, Journal as _, MemoryJournal, State, fork, replay,
};
use rebuttal_llm::{Request, Scene};
use rebuttal_model::{
    BreakpointAnswer, DebateId, Event, JOURNAL_FORMAT, POLICY_VERSION, Record, StreamId,
};
use rebuttal_store::{Location, Store, StoreOptions, read_file};

use crate::panel::{arena, block_on, drive, fixed_vote, is_later, says, speaker, swayed, with};
use crate::steering::answer;

/// Names the folder that the journals of this program are written to.
const VARIABLE: &str = "REBUTTAL_WRITE_JOURNALS";

/// One debate of each kind that a journal can hold.
fn debates() -> Vec<(&'static str, Vec<Record>)> {
    let plain = ran(&arena([swayed("ann", "yes", "no"), fixed_vote("bob", "no", 0.8)]), &[]);
    let branched = branch(&plain);
    vec![
        ("plain", plain),
        ("fork", branched),
        ("trickster", ran(&trickster(), &[])),
        (
            "breakpoint",
            ran(
                &breakpoint(),
                &[
                    (BreakpointAnswer::AddEvidence, Some("Outages cost 40,000 a month.")),
                    (BreakpointAnswer::Continue, None),
                    (BreakpointAnswer::Abort, None),
                ],
            ),
        ),
        ("moderator", ran(&moderator(), &[])),
        ("judge", ran(&judges(), &[])),
        ("faults", ran(&faults(), &[])),
        ("options", ran(&options(), &[])),
        ("unfinished", ran(&breakpoint(), &[])),
    ]
}

/// Runs a debate, answering its breakpoints with these, until it ends or no answer is left.
fn ran(arena: &Arena, answers: &[(BreakpointAnswer, Option<&str>)]) -> Vec<Record> {
    let journal = MemoryJournal::default();
    let stream = crate::panel::stream(arena);
    block_on(drive(arena, &journal, &stream)).unwrap();
    for (given, note) in answers {
        let now = Timestamp::UNIX_EPOCH;
        if answer(&journal, &stream, now, None, *given, *note).is_ok() {
            block_on(drive(arena, &journal, &stream)).unwrap();
        }
    }
    block_on(journal.records(&stream)).unwrap()
}

fn branch(records: &[Record]) -> Vec<Record> {
    let id = DebateId::new("d-branch");
    let events = fork(records, 0, Changes { id: Some(id.clone()), ..Changes::default() }).unwrap();
    let (journal, stream) = (MemoryJournal::default(), StreamId::debate(&id));
    block_on(journal.append(&stream, 0, Timestamp::UNIX_EPOCH, &events)).unwrap();
    let same = arena([fixed_vote("ann", "yes", 0.9), fixed_vote("bob", "no", 0.8)]).id(id);
    block_on(drive(&same, &journal, &stream)).unwrap();
    block_on(journal.records(&stream)).unwrap()
}

fn trickster() -> Arena {
    let agents = ["ann", "bob", "cyd"].map(|name| {
        speaker(name, |request| {
            let thesis = if is_later(request) {
                "Yes. The CNCF survey of 2023 found that 66 % of 988 firms run it in production."
            } else {
                "Clearly yes is best, and everybody agrees that it is best."
            };
            serde_json::json!({
                "answer": "yes", "conviction": 0.9, "thesis": thesis,
                "objections": ["Nobody has shown what it costs."],
            })
            .to_string()
            .into()
        })
    });
    with(arena(agents).id(DebateId::new("d-trickster")), |protocol| {
        protocol.enable_trickster = true;
        protocol.critique = true;
        protocol.roles = true;
        protocol.trickster.enable_breakpoints = false;
    })
}

fn breakpoint() -> Arena {
    let agents = [fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "no", 0.7)];
    with(arena(agents).id(DebateId::new("d-breakpoint")), |protocol| {
        "human or judge".clone_into(&mut protocol.stop);
        protocol.breakpoints.timeout_seconds = Some(3600.0);
    })
}

fn moderator() -> Arena {
    let moderator = speaker("mod", |_| {
        serde_json::json!({
            "strongest_arguments": ["cost"], "weakest_arguments": [], "risks": ["staff"],
            "recommended_action": "no", "recommended_conviction": 0.9,
            "rationale": "The costs were not answered.",
        })
        .to_string()
        .into()
    });
    let agents =
        [fixed_vote("ann", "yes", 0.6), fixed_vote("bob", "no", 0.9), swayed("cyd", "no", "yes")];
    arena(agents).id(DebateId::new("d-moderator")).moderator(moderator)
}

fn judges() -> Arena {
    let judge = |name| speaker(name, |_| says("yes", 0.9, "The better case.").into());
    let agents = [fixed_vote("ann", "yes", 0.6), fixed_vote("bob", "no", 0.9)];
    let arena = arena(agents).id(DebateId::new("d-judge")).judge(judge("jo")).judge(judge("jim"));
    with(arena, |protocol| "judge-panel".clone_into(&mut protocol.rule))
}

/// One whose first reply is no JSON, one whose provider fails.
fn faults() -> Arena {
    let unsure = speaker("ann", |request: &Request| {
        if request.messages.len() > 2 {
            says("yes", 0.7, "In short: yes.").into()
        } else {
            "I would rather say it in prose.".to_owned().into()
        }
    });
    let agents = [unsure, fixed_vote("bob", "no", 0.7), speaker("cyd", |_| Scene::Answers(500))];
    arena(agents).id(DebateId::new("d-faults"))
}

fn options() -> Arena {
    let question = "Which database do we take?";
    let environment = Environment::new(question)
        .options(["PostgreSQL", "SQLite", "MySQL"])
        .context("One writer, few readers.")
        .truth("SQLite");
    let agents = [
        fixed_vote("ann", "PostgreSQL", 0.6),
        fixed_vote("bob", "SQLite", 0.9),
        swayed("cyd", "MySQL", "SQLite"),
    ];
    let arena = Arena::new(environment).panel(agents).seed(11).id(DebateId::new("d-options"));
    with(arena, |protocol| {
        "borda".clone_into(&mut protocol.rule);
        protocol.budget.calls = Some(5);
    })
}

fn real<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(future)
}

/// Writes the records as the file that `rebuttal` exports.
async fn write(records: &[Record], path: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::file(folder.path().join("journal.db"));
    let store = Store::open(&location, StoreOptions::default()).await.unwrap();
    let stream = &records[0].stream;
    let events: Vec<_> = records.iter().map(|record| record.event.clone()).collect();
    store.append(stream, Some(0), records[0].at, &events).await.unwrap();
    store.export_stream(stream, &mut File::create(path).unwrap()).await.unwrap();
}

/// The records of a journal's file.
fn read(path: &Path) -> Vec<Record> {
    let mut file = BufReader::new(File::open(path).unwrap());
    read_file(&mut file, None).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn replayed(path: &Path) -> State {
    replay(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder, in order of name.
fn within(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn fixtures(policy: u32) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journals");
    folder.join(format!("policy-{policy}"))
}

#[test]
fn journals_of_every_release_verify() {
    for policy in 0..=POLICY_VERSION {
        let paths = within(&fixtures(policy));
        assert!(paths.len() >= 9, "{} journals of policy {policy}", paths.len());
        for path in paths {
            let state = replayed(&path);
            assert_eq!(state.spec().policy, policy, "{}", path.display());
            let unfinished = path.file_stem().is_some_and(|name| name == "unfinished");
            assert_eq!(state.decision.is_none(), unfinished, "{}", path.display());
        }
    }
}

#[test]
fn a_fork_keeps_the_policy_of_the_debate_it_branches() {
    let records = read(&fixtures(0).join("plain.jsonl"));
    let events = fork(&records, 0, Changes::default()).unwrap();
    let Some(Event::DebateStarted { spec }) = events.first() else { panic!("{events:?}") };
    assert_eq!((spec.format, spec.policy), (0, 0));
}

#[test]
fn a_debate_of_a_later_version_is_refused() {
    let mut records = ran(&judges(), &[]);
    let change = |records: &mut Vec<Record>, format: u32, policy: u32| {
        let Event::DebateStarted { spec } = &mut records[0].event else { panic!("{records:?}") };
        (spec.format, spec.policy) = (format, policy);
        State::fold(records.iter()).unwrap_err().to_string()
    };
    let (format, policy) = (JOURNAL_FORMAT, POLICY_VERSION);
    assert_eq!(
        change(&mut records, format + 1, policy),
        format!(
            "the debate has journal format {}, and this program knows up to {format}: it was written \
             by a newer Rebuttal. Update this one to read it",
            format + 1
        )
    );
    assert_eq!(
        change(&mut records, format, policy + 1),
        format!(
            "the debate has policy version {}, and this program knows up to {policy}: it was written \
             by a newer Rebuttal. Update this one to read it",
            policy + 1
        )
    );
}

#[test]
fn what_this_program_writes_replays() {
    let folder = std::env::var_os(VARIABLE).map(PathBuf::from);
    for (name, records) in debates() {
        replay(&records).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Some(folder) = &folder {
            fs::create_dir_all(folder).unwrap();
            real(write(&records, &folder.join(name).with_extension("jsonl")));
        }
    }
}
