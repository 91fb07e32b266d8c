//! The position ledger as a user has it: files in, flips and scores out, nothing lost.

mod bad;
mod kill;
mod pages;
mod seed;

use std::path::Path;

use serde_json::{Value, json};

use crate::run::{Run, folder, rebuttal, run, written};

/// Positions of our own making, in which agents give up positions of every kind.
const EXAMPLE: &str = "examples/ledger/positions.jsonl";

/// Two agents; ann turns around, ben does not.
const TWO: &str = r#"{"agent":"ann","claim":"The cache is safe.","confidence":0.9,"domain":"ops","debate_id":"d1","at":"2026-01-01T10:00:00Z","id":"ann-1"}
{"agent":"ben","claim":"The cache is safe.","confidence":0.5,"domain":"ops","debate_id":"d1","at":"2026-01-01T11:00:00Z","id":"ben-1"}
{"agent":"ann","claim":"The cache is not safe.","confidence":0.0,"domain":"ops","debate_id":"d2","at":"2026-01-08T10:00:00Z","id":"ann-2"}
{"agent":"ben","claim":"The cache is safe.","confidence":0.6,"domain":"ops","debate_id":"d2","at":"2026-01-08T11:00:00Z","id":"ben-2"}
"#;

/// A ledger in a folder of its own.
pub(crate) struct Ledger {
    folder: tempfile::TempDir,
}

impl Ledger {
    pub(crate) fn new() -> Self {
        Self { folder: folder(&[]) }
    }

    /// A ledger that holds these lines.
    pub(crate) fn with(lines: &str) -> Self {
        let ledger = Self { folder: folder(&[("in.jsonl", lines)]) };
        let run =
            ledger.run(&format!("positions import {} --method rules", ledger.path("in.jsonl")));
        assert_eq!(run.code, 0, "{}", run.shown());
        ledger
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Runs a command on this ledger. What it prints has no folder of this machine in it.
    pub(crate) fn run(&self, args: &str) -> Run {
        let mut command = rebuttal();
        command.args(args.split_whitespace()).env("REBUTTAL_DB", self.path("ledger.db"));
        self.tidy(Run::of(command.output().expect("starts")))
    }

    /// Runs the program with arguments that hold blanks.
    pub(crate) fn run_args(&self, args: &[&str]) -> Run {
        let mut command = rebuttal();
        command.args(args).env("REBUTTAL_DB", self.path("ledger.db"));
        self.tidy(Run::of(command.output().expect("starts")))
    }

    fn tidy(&self, run: Run) -> Run {
        let folder = self.folder.path().display().to_string();
        let tidy = |text: String| text.replace(&folder, "FOLDER");
        Run { code: run.code, stdout: tidy(run.stdout), stderr: tidy(run.stderr) }
    }

    pub(crate) fn json(&self, args: &str) -> Value {
        let run = self.run(&format!("{args} --format json"));
        assert_eq!(run.code, 0, "{}", run.shown());
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.shown()))
    }

    /// Everything the ledger has found, without when it was found.
    pub(crate) fn flips(&self) -> Vec<Value> {
        let run = self.run("flips --limit 10000 --format jsonl");
        let mut flips: Vec<Value> = (run.stdout.lines())
            .map(|line| serde_json::from_str(line).expect("is JSON"))
            .map(|mut flip: Value| {
                flip.as_object_mut().expect("an object").remove("detected_at");
                flip
            })
            .collect();
        flips.sort_by_key(|flip| flip["id"].to_string());
        flips
    }
}

#[test]
fn a_file_is_taken_once() {
    let ledger = Ledger::new();
    let first = ledger.run(&format!("positions import {EXAMPLE} --method rules"));
    assert_eq!(first.code, 0, "{}", first.shown());
    assert!(
        first.stdout.starts_with(&format!("{EXAMPLE}: 61 positions added\n")),
        "{}",
        first.shown()
    );
    let flips = ledger.flips();
    assert!(flips.len() >= 6, "{}", first.shown());
    let again = ledger.json(&format!("positions import {EXAMPLE} --method rules"));
    let file = json!({
        "file": EXAMPLE, "added": 0, "same": 61, "clashing": 0, "bad": 0, "resolved": 0
    });
    assert_eq!(again["files"], json!([file]));
    assert_eq!((&again["looked_at"], &again["flips"]), (&json!(0), &json!(0)));
    let anew = ledger.run("db rebuild --flips --method rules");
    assert!(anew.stdout.contains("looked at 61 positions: 0 flips"), "{}", anew.shown());
    assert_eq!(ledger.flips(), flips, "the same flips under the same ids");
}

#[test]
fn tables_for_people() {
    let ledger = Ledger::with(TWO);
    insta::assert_snapshot!("agents", ledger.run("agents").shown());
    insta::assert_snapshot!("list", ledger.run("positions list").shown());
    insta::assert_snapshot!("summary", ledger.run("summary").shown());
    let agent = ledger.run("agent ann").stdout;
    for part in [
        "ann  2 positions, 1 flip (1 silent)",
        "confidence   #_",
        "2026-01-08  0.00  ops",
        "2026-01-01  0.90  ops  (given up later)",
        "contradiction, silent, ops",
        "“The cache is not safe.”",
    ] {
        assert!(agent.contains(part), "{part} in {agent}");
    }
    assert!(agent.lines().all(|line| line.chars().count() <= 80), "{agent}");
}

#[test]
fn bars_are_blocks_only_where_they_are_welcome() {
    let ledger = Ledger::with(TWO);
    let plain = ledger.run("agents").stdout;
    assert!(plain.contains("##########..........") && plain.is_ascii(), "{plain}");
    let coloured = ledger.run("agents --color always").stdout;
    assert!(coloured.contains("██████████░░░░░░░░░░") && coloured.contains("\x1b["), "{coloured}");
}

#[test]
fn the_seeds_summary_exactly() {
    let ledger = Ledger::new();
    let empty = r#"{"total_flips":0,"by_type":{},"by_agent":{},"recent_24h":0}"#;
    assert_eq!(ledger.run("summary --format json").stdout.trim(), empty);
    let ledger = Ledger::with(TWO);
    let one =
        r#"{"total_flips":1,"by_type":{"contradiction":1},"by_agent":{"ann":1},"recent_24h":0}"#;
    assert_eq!(ledger.run("summary --format json").stdout.trim(), one);
}

#[test]
fn the_seeds_flip_for_a_page_exactly() {
    let ledger = Ledger::with(TWO);
    let run = ledger.run("flips --format ui");
    let mut cards: Vec<Value> = serde_json::from_str(&run.stdout).expect("is JSON");
    let card = cards.first_mut().and_then(Value::as_object_mut).expect("a card");
    let names: Vec<&String> = card.keys().collect();
    let wanted =
        ["id", "agent", "type", "type_emoji", "before", "after", "similarity", "timestamp"];
    // The parser sorts; the order is the seed's on the wire.
    let mut sorted = wanted;
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    let places = wanted.map(|name| run.stdout.find(&format!("\"{name}\":")).expect("is there"));
    assert!(places.is_sorted(), "{}", run.stdout);
    assert_eq!(card["type_emoji"], "🔄");
    assert_eq!(card["before"], json!({ "claim": "The cache is safe.", "confidence": "90%" }));
    assert_eq!(card["after"], json!({ "claim": "The cache is not safe.", "confidence": "0%" }));
}

#[test]
fn a_confidence_of_nothing_stays_nothing() {
    let ledger = Ledger::with(TWO);
    let flips = ledger.flips();
    assert_eq!(flips[0]["after"]["confidence"], json!({ "value": 0.0, "whose": "stated" }));
    let listed = ledger.json("positions list --agent ann");
    assert_eq!(listed["positions"][0]["confidence"]["value"], json!(0.0));
    let add = ["positions", "add", "--agent", "cy", "--claim", "It rains.", "--confidence", "0"];
    assert_eq!(ledger.run_args(&add).code, 0);
    let listed = ledger.json("positions list --agent cy");
    assert_eq!(listed["positions"][0]["confidence"]["value"], json!(0.0));
}

#[test]
fn a_position_is_added_by_hand_and_its_flip_is_told() {
    let ledger = Ledger::new();
    let add = |claim: &str, at: &str| {
        ledger.run_args(&[
            "positions",
            "add",
            "--agent",
            "ann",
            "--claim",
            claim,
            "--at",
            at,
            "--method",
            "rules",
        ])
    };
    let first = add("The vault is open.", "2026-01-01");
    assert!(first.stdout.starts_with("added p-") && first.code == 0, "{}", first.shown());
    assert!(add("The vault is open.", "2026-01-01").stdout.contains("was there already"));
    let second = add("The vault is not open.", "2026-01-02");
    assert!(second.stdout.contains("ann  contradiction, silent"), "{}", second.shown());
}

#[test]
fn flips_are_filtered() {
    let ledger = Ledger::with(TWO);
    let count = |args: &str| {
        let flips = ledger.json(&format!("flips {args}"));
        flips["flips"].as_array().expect("a list").len()
    };
    for (args, wanted) in [
        ("", 1),
        ("--agent ann", 1),
        ("--agent ben", 0),
        ("--type contradiction", 1),
        ("--type refinement", 0),
        ("--domain ops", 1),
        ("--domain art", 0),
        ("--silent", 1),
        ("--since 2026-01-08", 1),
        ("--since 2026-01-09", 0),
        ("--since 100000w", 1),
        ("--limit 0", 0),
    ] {
        assert_eq!(count(args), wanted, "{args}");
    }
}

#[test]
fn an_unknown_agent_is_no_error() {
    let ledger = Ledger::with(TWO);
    for command in ["flips --agent anna", "agent anna", "positions list --agent anna"] {
        let run = ledger.run(command);
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{command}");
        assert!(run.stderr.contains("no position of “anna”; did you mean ann?"), "{}", run.shown());
    }
    let document = ledger.json("agent anna");
    assert_eq!((&document["known"], &document["flips"]), (&json!(false), &json!([])));
    let empty = Ledger::new().run("flips --agent ann");
    assert_eq!(empty.code, 0);
    assert!(empty.stderr.contains("the ledger is empty"), "{}", empty.shown());
}

#[test]
fn outcomes_make_a_calibration() {
    let ledger = Ledger::with(TWO);
    for (id, outcome) in [("ann-1", "incorrect"), ("ann-2", "incorrect"), ("ben-1", "correct")] {
        let run = ledger.run(&format!("positions resolve {id} {outcome}"));
        assert_eq!(run.stdout, format!("{id} is {outcome}\n"), "{}", run.shown());
    }
    let ann = ledger.json("agent ann");
    assert_eq!(ann["calibration"]["predictions"], json!(2));
    let brier = ann["calibration"]["brier"].as_f64().expect("a number");
    assert!((brier - 0.405).abs() < 1e-9, "{brier}");
    assert!(ledger.run("agent ann").stdout.contains("2 positions with an outcome: Brier 0.405"));
    let unknown = ledger.run("positions resolve nobody-1 correct");
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("no position “nobody-1”"), "{}", unknown.shown());
}

/// Sure of everything and right half of the time: a coin that boasts.
#[test]
fn a_temperature_and_a_weight_no_better_than_chance_deserves() {
    let row = |at: u32| {
        let outcome = if at.is_multiple_of(2) { "correct" } else { "incorrect" };
        format!(
            "{{\"agent\":\"ann\",\"claim\":\"Lot {at} is sold.\",\"confidence\":0.9,\"outcome\":\"{outcome}\",\
             \"at\":\"2026-01-01T10:{at:02}:00Z\"}}\n"
        )
    };
    let ledger = Ledger::with(&(0..12).map(row).collect::<String>());
    let ann = ledger.json("agent ann");
    assert_eq!(ann["calibration"]["predictions"], json!(12));
    let temperature = ann["calibration"]["temperature"].as_f64().expect("a number");
    assert!(temperature > 5.0, "{temperature}");
    let weight = ann["vote_weight"]["calibration"].as_f64().expect("a number");
    assert!(weight < 1.0, "Brier 0.41 is worse than chance: {weight}");
    let text = ledger.run("agent ann").stdout;
    assert!(text.contains("temperature 10.00: 0.9 of its confidence is worth 0.5"), "{text}");
    assert!(ledger.run("agent ann --format html").stdout.contains("temperature 10.00"));
    let few = Ledger::with(&row(0)).run("agent ann").stdout;
    assert!(few.contains("it takes ten outcomes"), "{few}");
}

const BOTH_WAYS: &str = r#"{"agent":"ann","claim":"The cache is safe.","at":"2026-01-01T10:00:00Z"}
{"agent":"ben","claim":"The cache is not safe.","at":"2026-01-01T11:00:00Z"}
{"agent":"ann","claim":"The cache is not safe.","at":"2026-01-08T10:00:00Z"}
{"agent":"ben","claim":"The cache is safe.","at":"2026-01-08T11:00:00Z"}
{"agent":"ann","claim":"We should hire interns.","question":"Should we hire interns?","at":"2026-02-01T10:00:00Z"}
{"agent":"ben","claim":"We should hire interns.","question":"Should we hire interns?","at":"2026-02-01T11:00:00Z"}
{"agent":"eve","claim":"We should hire interns.","question":"Should we hire interns?","at":"2026-02-01T12:00:00Z"}
{"agent":"ann","claim":"We should not hire interns.","question":"Should we hire interns?","at":"2026-02-08T10:00:00Z"}
{"agent":"ben","claim":"We should not hire interns.","question":"Should we hire interns?","at":"2026-02-08T11:00:00Z"}
{"agent":"eve","claim":"We should not hire interns.","question":"Should we hire interns?","at":"2026-02-08T12:00:00Z"}
"#;

/// Full text knows words, the model what they mean.
#[test]
fn flips_are_found_by_meaning() {
    let ledger = Ledger::with(
        "{\"agent\":\"ann\",\"claim\":\"Electric cars are dangerous.\",\"at\":\"2026-01-01\"}\n\
         {\"agent\":\"ann\",\"claim\":\"Electric cars are not dangerous.\",\"at\":\"2026-01-02\"}\n\
         {\"agent\":\"ann\",\"claim\":\"Tea is cheap in Peru.\",\"at\":\"2026-01-03\"}\n\
         {\"agent\":\"ann\",\"claim\":\"Tea is not cheap in Peru.\",\"at\":\"2026-01-04\"}\n",
    );
    let found = |args: &str| ledger.json(args)["flips"].clone();
    let search = "knowledge search hazardous automobiles";
    assert_eq!(found(&format!("{search} --by words")), json!([]));
    for search in [search.to_owned(), format!("{search} --agent ann")] {
        let flips = found(&search);
        assert_eq!(flips.as_array().map(Vec::len), Some(1), "{search}: {flips}");
        assert_eq!(flips[0]["before"], "Electric cars are dangerous.");
    }
}

/// What two agents go both ways on is more contested than what three leave the same way.
#[test]
fn what_goes_both_ways_is_contested_first() {
    let ledger = Ledger::with(BOTH_WAYS);
    let summary = ledger.run("summary").stdout;
    let both = "“The cache is safe.”\n    2 agents, 2 flips, both ways: 1 ended for it, 1 against";
    let one = "“Should we hire interns?”\n    3 agents, 3 flips: 0 ended for it, 3 against";
    let places = (summary.find(both), summary.find(one));
    assert!(places.0.is_some() && places.0 < places.1, "{summary}");
    let known = ledger.json("knowledge contested");
    assert_eq!(known["contested"][0]["words"], json!("The cache is safe."));
}

#[test]
fn what_is_known_of_flips_can_be_asked() {
    let ledger = Ledger::with(BOTH_WAYS);
    let asked = ["knowledge", "search", "Should we hire interns?", "--agent", "ann"];
    let run = ledger.run_args(&asked);
    assert!(run.stdout.starts_with("ann has flipped on this before: 1 flip\n"), "{}", run.shown());
    let run = ledger.run_args(&["knowledge", "search", "Is the bridge open?", "--agent", "ann"]);
    assert!(run.stdout.starts_with("ann has not flipped on this"), "{}", run.shown());
    let run = ledger.run_args(&["knowledge", "search", "interns", "--agent", "anna"]);
    assert!(run.stderr.contains("did you mean ann?") && run.code == 0, "{}", run.shown());
    assert_eq!(ledger.json("knowledge search interns")["flips"].as_array().map(Vec::len), Some(3));
}

/// One rule for both: when the new position was taken, not when somebody found out.
#[test]
fn the_last_24_hours_are_those_of_the_positions() {
    let ledger = Ledger::with(TWO);
    assert_eq!(ledger.json("summary")["recent_24h"], json!(0));
    assert_eq!(ledger.json("flips --since 24h")["flips"], json!([]));
    let now = ["positions", "add", "--agent", "ann", "--domain", "ops", "--method", "rules"];
    let run = ledger.run_args(&[&now[..], &["--claim", "The cache is safe."]].concat());
    assert!(run.stdout.contains("contradiction"), "{}", run.shown());
    assert_eq!(ledger.json("summary")["recent_24h"], json!(1));
    assert_eq!(ledger.json("flips --since 24h")["flips"].as_array().map(Vec::len), Some(1));
}

/// A position that comes late is beside what follows on it, and says so.
#[test]
fn a_late_position_takes_its_place() {
    let ledger = Ledger::with(TWO);
    let late = ["positions", "add", "--agent", "ann", "--domain", "ops", "--method", "rules"];
    let late = [&late[..], &["--at", "2026-01-05", "--claim", "The cache is not safe."]].concat();
    let run = ledger.run_args(&late);
    assert!(run.stdout.contains("contradiction"), "{}", run.shown());
    let flips = ledger.flips();
    assert_eq!(flips.len(), 1, "the later turn is none any more");
    assert_eq!(flips[0]["after"]["at"], json!("2026-01-05T00:00:00Z"));
    ledger.json("db verify");
}

#[test]
fn what_is_exported_can_be_imported_in_every_format() {
    let ledger = Ledger::with(TWO);
    for (id, outcome) in [("ann-1", "incorrect"), ("ben-1", "correct"), ("ben-2", "unresolved")] {
        ledger.run(&format!("positions resolve {id} {outcome}"));
    }
    let (flips, first) = (ledger.flips(), ledger.json("positions list --limit 100"));
    for name in ["out.jsonl", "out.csv", "out.parquet", "out.jsonl.gz", "out.csv.gz"] {
        let out = ledger.run(&format!("positions export {}", ledger.path(name)));
        assert_eq!(out.code, 0, "{}", out.shown());
        let other = Ledger::new();
        let back = other.run(&format!("positions import {} --method rules", ledger.path(name)));
        assert_eq!(back.code, 0, "{name}: {}", back.shown());
        assert_eq!(other.json("positions list --limit 100"), first, "{name}");
        assert_eq!(other.flips(), flips, "{name}");
    }
    let piped = ledger.run("positions export - --agent ann");
    assert_eq!(piped.stdout.lines().count(), 2, "{}", piped.shown());
    let wrong = ledger.run(&format!("positions export {}", ledger.path("out.doc")));
    assert!(wrong.code == 2 && wrong.stderr.contains("end it in .jsonl"), "{}", wrong.shown());
}

#[test]
fn the_seeds_method_can_be_asked_for() {
    let files = folder(&[("in.jsonl", TWO)]);
    let ledger = Ledger::new();
    let path = files.path().join("in.jsonl").display().to_string();
    assert_eq!(ledger.run(&format!("positions import {path} --method seed")).code, 0);
    assert!(ledger.flips().iter().all(|flip| flip["method"] == "seed"));
}

#[test]
fn an_audit_feeds_the_ledger_once() {
    let ledger = Ledger::new();
    let save = "audit examples/transcripts --method rules --fail-on never --quiet --save";
    let first = ledger.run(&save.replace("--quiet ", ""));
    assert_eq!(first.code, 0, "{}", first.shown());
    assert!(first.stderr.contains("saved to FOLDER/ledger.db: "), "{}", first.shown());
    let positions =
        |ledger: &Ledger| ledger.json("db info")["positions"].as_u64().expect("a number");
    let (taken, flips) = (positions(&ledger), ledger.flips());
    assert!(taken > 5 && !flips.is_empty(), "{taken} {}", first.shown());
    assert!(flips.iter().all(|flip| flip["before"]["debate"] == flip["after"]["debate"]));
    assert_eq!(ledger.run(save).code, 0);
    assert_eq!((positions(&ledger), ledger.flips()), (taken, flips));
    let refused = ledger.run("audit examples/transcripts --db x.db");
    assert!(refused.code == 2 && refused.stderr.contains("--save"), "{}", refused.shown());
}

/// The claims of the case that upstream's detector counts three times stay beside the project.
#[test]
fn one_reversal_is_one_flip() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/adversarial.jsonl");
    if !path.exists() {
        println!("skipped: no data at {}", path.display());
        return;
    }
    let rows = written(&path);
    let rows = rows.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let rows: Vec<Value> = rows.filter(|row| row["area"] == "flip_detect").collect();
    assert_eq!(rows.len(), 2);
    let input = rows.iter().find(|row| row["input"]["reversed"].is_string()).expect("a case");
    let input = &input["input"];
    let first = input["reversed"].as_str().expect("a claim").trim_end_matches(" (d1)");
    let mut lines =
        json!({ "agent": "a", "claim": first, "debate": "d1", "at": "2026-01-01T00:00:00Z" })
            .to_string();
    let later: Vec<&str> =
        input["d2"].as_array().expect("claims").iter().filter_map(Value::as_str).collect();
    for (number, claim) in later.iter().enumerate() {
        let at = format!("2026-01-02T0{number}:00:00Z");
        lines.push('\n');
        lines.push_str(
            &json!({ "agent": "a", "claim": claim, "debate": "d2", "at": at }).to_string(),
        );
    }
    let flips = Ledger::with(&lines).flips();
    assert_eq!(flips.len(), 1, "{flips:#?}");
    assert_eq!(flips[0]["after"]["claim"], later[2]);
}

#[test]
fn the_database_is_where_it_was_said_to_be() {
    let files = folder(&[("in.jsonl", TWO)]);
    let at = |name: &str| files.path().join(name).display().to_string();
    let mut command = rebuttal();
    command.args(["positions", "import", &at("in.jsonl"), "--no-detect"]);
    command.env_remove("REBUTTAL_DB").env("XDG_DATA_HOME", at("data")).env("HOME", at("home"));
    assert_eq!(Run::of(command.output().expect("starts")).code, 0);
    assert!(files.path().join("data/rebuttal/ledger.db").exists());
    let named = run(&format!("summary --db {}", at("data/rebuttal/ledger.db")));
    assert!(named.stdout.starts_with("4 positions"), "{}", named.shown());
    assert!(named.stdout.contains("4 positions not looked at yet"), "{}", named.shown());
}
