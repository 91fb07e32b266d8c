//! Models behind the commands: who decides, and what is said where a model cannot be used.
//!
//! Nothing here depends on how sure a model is: weights change.

use std::path::Path;

use serde_json::{Value, json};

use crate::run::{Run, folder, rebuttal, run, run_with};

/// One agent turns around, as plainly as can be.
const FLIP: &str = "crates/cli/tests/it/flip.json";

/// Runs the program by a configuration file.
fn configured(file: &Path, args: &[&str]) -> Run {
    Run::of(rebuttal().arg("--config").arg(file).args(args).output().expect("starts"))
}

/// A folder with `rebuttal.toml`, whose section `[semantics]` says this, and other files.
fn settings(semantics: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
    let text = format!("[semantics]\n{semantics}\n");
    folder(&[&[("rebuttal.toml", text.as_str())], files].concat())
}

fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.shown()))
}

/// Compares two texts by the program's own models, with more arguments.
fn compare(a: &str, b: &str, more: &[&str]) -> Run {
    Run::of(rebuttal().args(["compare", a, b]).args(more).output().expect("starts"))
}

fn compared(a: &str, b: &str, method: &str) -> Value {
    let run = compare(a, b, &["--method", method, "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.shown());
    json_of(&run)
}

fn notes(value: &Value) -> Vec<&str> {
    value["notes"].as_array().expect("notes").iter().filter_map(Value::as_str).collect()
}

#[test]
fn the_same_is_alike_and_no_contradiction() {
    for method in ["model", "rules"] {
        let found = compared("The cache is safe.", "The cache is safe.", method);
        assert_ne!(found["verdict"], "contradiction", "{found}");
        assert_eq!(found["cues"], json!([]));
        assert_eq!(found["notes"], json!([]));
        for other in ["The cache is safe.", "the CACHE  is safe. "] {
            let found = compared("The cache is safe.", other, method);
            assert_eq!(found["similarity"], 1.0, "{found}");
        }
    }
}

#[test]
fn a_denial_is_a_contradiction() {
    for method in ["model", "rules"] {
        let found = compared("The cache is safe.", "The cache is not safe.", method);
        assert_eq!(found["verdict"], "contradiction", "{found}");
        assert_eq!(found["method"], method);
        assert_eq!(found["cues"][0], json!({ "kind": "negation", "a": "safe", "b": "not safe" }));
        assert!(found["similarity"].as_f64().expect("a number") < 1.0, "{found}");
    }
    let shown = compare("The cache is safe.", "The cache is not safe.", &[]);
    assert_eq!(shown.code, 0, "whatever is found");
    assert!(shown.stdout.starts_with("contradiction (by minilm-l6-judge@"), "{}", shown.shown());
    assert!(!shown.stdout.contains("note:"), "{}", shown.shown());
}

#[test]
fn the_json_has_every_field() {
    let fields = [
        "confidence",
        "cues",
        "forward",
        "method",
        "model",
        "notes",
        "rebuttal",
        "relation",
        "reverse",
        "schema",
        "similarity",
        "trust",
        "verdict",
        "why",
    ];
    for method in ["model", "rules", "seed"] {
        let found = compared("Latency is 20 ms.", "Latency is 200 ms, they say.", method);
        let names: Vec<&String> = found.as_object().expect("an object").keys().collect();
        assert_eq!(names, fields);
        assert_eq!((&found["schema"], &found["method"]), (&json!(1), &json!(method)));
        for direction in ["forward", "reverse"] {
            let shares = found[direction].as_object().expect("an object");
            let shares: Vec<f64> = shares.values().filter_map(Value::as_f64).collect();
            assert_eq!(shares.len(), 3);
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{found}");
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{found}");
        }
    }
}

#[test]
fn nothing_cannot_be_compared() {
    for (a, b, reason) in [("", "Yes.", "the first text is empty"), ("Yes.", " \n", "the second")] {
        let run = compare(a, b, &[]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.shown());
        assert!(run.stderr.contains(reason), "{}", run.shown());
    }
}

#[test]
fn a_word_can() {
    let found = compared("Yes", "No", "model");
    assert_eq!((&found["trust"], &found["notes"]), (&json!("too_short"), &json!([])));
}

#[test]
fn what_is_not_english_has_low_trust() {
    let german = "Die Brücke ist nicht sicher, und wir sollten sie für den Verkehr schließen.";
    let chinese = "这座桥是安全的，我们应该让它继续开放。";
    for (a, b) in [(german, chinese), ("The bridge is safe, and we should open it.", german)] {
        for method in ["model", "rules"] {
            let found = compared(a, b, method);
            assert_eq!(found["trust"], "not_english", "{found}");
            assert_eq!(notes(&found), ["not English: low trust"]);
        }
        assert!(compare(a, b, &[]).stdout.contains("note: not English: low trust"));
    }
}

#[test]
fn what_has_no_words_has_low_trust() {
    for (a, b) in
        [("🙂🙂", "🎉"), ("for (;;) { x[i] += f(y); }", "The bridge is safe."), ("!", "?")]
    {
        let found = compared(a, b, "model");
        assert_eq!(found["trust"], "no_words", "{found}");
        assert_eq!(notes(&found), ["no words to compare: low trust"]);
    }
}

/// An argument may have 128 KB on Linux; longer texts come in transcripts.
#[cfg(target_os = "linux")]
#[test]
fn long_texts_are_compared() {
    let text = "The committee met again and could not agree on a budget. ".repeat(2000);
    let found = compared(&text, "The committee agreed on a budget.", "model");
    assert!(found["similarity"].as_f64().expect("a number") > 0.3, "{}", found["similarity"]);
    assert!(found["cues"].as_array().expect("cues").len() <= 5);
}

/// A debate in which an agent answers the question twice.
fn debate(first: &str, second: &str) -> String {
    let say =
        |name: &str, text: &str| json!({ "type": "TextMessage", "source": name, "content": text });
    let question = say("user", "Should we open the bridge?");
    json!({ "messages": [question, say("ann", first), say("ann", second)], "stop_reason": null })
        .to_string()
}

#[test]
fn a_megabyte_in_a_turn_is_read() {
    let words = "The committee met again and could not agree on a budget. ".repeat(20_000);
    let text = debate(&words, &format!("{words} It rained."));
    let logs = folder(&[("long.json", &text)]);
    let path = logs.path().join("long.json").display().to_string();
    let run = Run::of(rebuttal().args(["audit", &path]).output().expect("starts"));
    assert!(run.code < 2, "{}", run.shown());
}

#[test]
fn a_finding_in_another_language_says_so() {
    let yes = "Die Brücke ist sicher und wir sollten sie für den Verkehr öffnen. Answer: yes";
    let no = "Die Brücke ist nicht sicher und wir sollten sie nicht öffnen. Answer: no";
    let logs = folder(&[("a.json", &debate(yes, no))]);
    let path = logs.path().join("a.json").display().to_string();
    for method in ["model", "rules"] {
        let run = rebuttal().args(["audit", &path, "-f", "json", "--method", method]).output();
        let run = Run::of(run.expect("starts"));
        assert_eq!(run.code, 1, "{}", run.shown());
        let found = json_of(&run);
        let text = found["findings"][0]["explanation"].as_str().expect("an explanation");
        assert!(text.ends_with(" Not English: low trust."), "{text}");
    }
}

/// Every way in which a configured model cannot be used, and what is said of it.
fn unusable(key: &str) -> Vec<(tempfile::TempDir, &'static str)> {
    let bert = r#"{"model_type":"bert","vocab_size":3,"max_position_embeddings":8,"type_vocab_size":2,
        "hidden_size":4,"num_hidden_layers":1,"num_attention_heads":1,"intermediate_size":4}"#;
    let broken = [
        ("m/config.json", bert),
        ("m/vocab.txt", "[CLS]\n[SEP]\n[UNK]\n"),
        ("m/model.safetensors", "not what it should be"),
    ];
    let labels = r#"{"id2label":{"0":"entailment","1":"neutral","2":"contradiction"}}"#;
    let onnx = [
        ("m/config.json", labels),
        ("m/vocab.txt", "[CLS]\n[SEP]\n[UNK]\n"),
        ("m/model.onnx", "no graph"),
    ];
    let by = |folder: &str| format!("{key} = {{ folder = \"{folder}\" }}");
    vec![
        (settings(&by("m"), &broken), "model.safetensors"),
        (settings(&by("m"), &onnx), "model.onnx"),
        (settings(&by("m"), &[("m/holiday.txt", "no model")]), "m"),
        (settings(&by("none"), &[]), "none"),
    ]
}

#[test]
fn a_model_that_cannot_be_used_is_named_and_rules_decide() {
    for (folder, named) in unusable("inference") {
        let file = folder.path().join("rebuttal.toml");
        let audit = configured(&file, &["audit", FLIP, "--format", "json"]);
        assert_eq!(audit.code, 1, "{}", audit.shown());
        assert!(audit.stderr.ends_with(": rules decide instead\n"), "{}", audit.shown());
        assert!(audit.stderr.contains(named), "{named}: {}", audit.shown());
        assert_eq!(audit.stderr.lines().count(), 1, "{}", audit.shown());
        let found = json_of(&audit);
        assert_eq!(found["findings"][0]["method"], "rules", "{found}");
        let rules = configured(&file, &["audit", FLIP, "--format", "json", "--method", "rules"]);
        assert_eq!((rules.code, rules.stderr.as_str()), (1, ""), "{}", rules.shown());
        let compared =
            configured(&file, &["compare", "It is safe.", "It is not safe.", "-f", "json"]);
        assert_eq!(compared.code, 0, "{}", compared.shown());
        let found = json_of(&compared);
        assert_eq!(
            (&found["method"], &found["verdict"]),
            (&json!("rules"), &json!("contradiction"))
        );
        assert!(notes(&found)[0].contains(named), "{found}");
        assert!(found["model"].as_str().expect("an id").starts_with("rules-"), "{found}");
    }
}

#[test]
fn an_embedder_that_cannot_be_used_leaves_the_judge() {
    for (folder, named) in unusable("embeddings") {
        let file = folder.path().join("rebuttal.toml");
        let audit = configured(&file, &["audit", FLIP, "--format", "json"]);
        let note = audit.stderr.as_str();
        assert_eq!((audit.code, note.lines().count()), (1, 1), "{}", audit.shown());
        assert!(note.starts_with("embeddings: ") && note.contains(named), "{}", audit.shown());
        assert_eq!(json_of(&audit)["method"], "model");
        let texts = ["compare", "It is safe.", "It is not safe.", "-f", "json"];
        let found = json_of(&configured(&file, &texts));
        assert_eq!(found["method"], "model", "{found}");
        assert!(found["model"].as_str().expect("an id").contains("minilm"), "{found}");
        assert!(matches!(notes(&found)[..], [note] if note.contains(named)), "{found}");
    }
}

#[test]
fn a_judge_that_cannot_be_used_leaves_the_embedder() {
    let folder = settings("inference = { folder = \"none\" }", &[]);
    let texts = ["compare", "A cat sleeps.", "A feline is asleep.", "-f", "json"];
    let found = json_of(&configured(&folder.path().join("rebuttal.toml"), &texts));
    let rules = compared("A cat sleeps.", "A feline is asleep.", "rules");
    assert_eq!((&found["method"], &found["verdict"]), (&json!("rules"), &rules["verdict"]));
    assert_ne!(found["similarity"], rules["similarity"], "vectors say how alike they are");
}

#[test]
fn both_that_cannot_be_used_are_named() {
    let both = "inference = { folder = \"one\" }\nembeddings = { folder = \"two\" }";
    let folder = settings(both, &[]);
    let run = configured(&folder.path().join("rebuttal.toml"), &["audit", FLIP]);
    let named = |name: &str| run.stderr.lines().any(|note| note.starts_with(name));
    assert!(named("inference: ") && named("embeddings: "), "{}", run.shown());
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.shown());
}

#[test]
fn texts_come_from_files_and_stdin_too() {
    let (a, b) = ("The cache is safe.", "The cache is not safe.");
    let typed = compared(a, b, "rules");
    let files = folder(&[("a", a), ("b", b), ("empty", " \n"), ("bytes", "")]);
    std::fs::write(files.path().join("bytes"), [0xff, 0xfe]).expect("a file");
    let path = |name: &str| files.path().join(name).display().to_string();
    let (first, second) = (path("a"), path("b"));
    let rules = "--method rules --format json";
    let both = run(&format!("compare --file {first} --file {second} {rules}"));
    let piped = run_with(&format!("compare --file {first} - {rules}"), b);
    let after = run_with(&format!("compare --file {first} --file - {rules}"), b);
    assert_eq!((json_of(&both), json_of(&after)), (typed.clone(), typed), "files in their order");
    // What is typed comes first, and a dash is typed.
    assert_eq!(json_of(&piped), compared(b, a, "rules"));
    for (args, said) in [
        ("compare - -", "stdin can be read once"),
        ("compare one", "1 given"),
        (&*format!("compare a b --file {first}"), "3 given"),
        (&*format!("compare x --file {}", path("empty")), "the second text is empty"),
        (&*format!("compare x --file {}", path("bytes")), "not UTF-8"),
        (&*format!("compare x --file {}", path("none")), "cannot be opened"),
    ] {
        let refused = run(args);
        assert_eq!(refused.code, 2, "{}", refused.shown());
        assert!(refused.stderr.contains(said), "{said}: {}", refused.shown());
    }
}

#[test]
fn doubts_the_model_was_not_asked_about_are_counted() {
    let asked = "user: Should we ship it?\nann: Yes, we should ship it.\n";
    let log = asked.to_owned() + &"bob: The tests ran.\nann: The tests are slow.\n".repeat(3);
    let found = json_of(&run_with("audit - --format json", &log));
    assert_eq!(found["summary"]["model"], json!({ "doubts": 3, "asked": 1 }), "{found}");
    let text = run_with("audit -", &log).stdout;
    let words = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(words.contains("model asked about 1 of 3 turns in doubt"), "{text}");
    let rules = json_of(&run_with("audit - --format json --method rules", &log));
    assert_eq!(rules["summary"]["model"], json!({ "doubts": 0, "asked": 0 }));
}

#[test]
fn every_command_names_it() {
    let folder = settings("inference = { folder = \"none\" }", &[]);
    let file = folder.path().join("rebuttal.toml");
    for (args, code) in [
        (&["rubric", "check", FLIP][..], 1),
        (&["rubric", "test", "examples/rubric"], 0),
        (&["audit", FLIP, "--format", "sarif"], 1),
    ] {
        let run = configured(&file, args);
        assert_eq!(run.code, code, "{}", run.shown());
        assert!(run.stderr.contains("none"), "{}", run.shown());
        assert!(run.stderr.ends_with(": rules decide instead\n"), "{}", run.shown());
    }
}

#[test]
fn a_model_that_is_switched_off_is_mentioned() {
    let folder = settings("inference = \"rules\"", &[]);
    let file = folder.path().join("rebuttal.toml");
    let note = "the configuration switches the model off: rules decide";
    let run = configured(&file, &["audit", FLIP]);
    assert_eq!((run.code, run.stderr.as_str()), (1, format!("{note}\n").as_str()));
    assert_eq!(configured(&file, &["audit", FLIP, "-q"]).stderr, "");
    assert_eq!(configured(&file, &["audit", FLIP, "--method", "rules"]).stderr, "");
    let found = json_of(&configured(&file, &["compare", "Yes.", "No.", "-f", "json"]));
    assert_eq!((&found["method"], notes(&found)), (&json!("rules"), vec![note]));
}

#[test]
fn a_folder_of_ones_own_decides() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../semantics/tests/onnx");
    let by = |name: &str| format!("{{ folder = \"{}\" }}", own.join(name).display());
    let semantics = format!("inference = {}\nembeddings = {}", by("inference"), by("embedder"));
    let folder = settings(&semantics, &[]);
    let run = configured(
        &folder.path().join("rebuttal.toml"),
        &["compare", "A cat.", "A dog.", "-f", "json"],
    );
    let found = json_of(&run);
    assert_eq!((&found["method"], &found["notes"]), (&json!("model"), &json!([])), "{found}");
    let model = found["model"].as_str().expect("an id");
    assert!(!model.contains("minilm") && model.contains("+rules-"), "{model}");
}

#[test]
fn a_server_that_is_down_is_named_and_leaves_the_judge() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let semantics = format!("embeddings = {{ endpoint = \"http://{address}/v1\", model = \"m\" }}");
    let folder = settings(&semantics, &[]);
    let file = folder.path().join("rebuttal.toml");
    let run = configured(&file, &["compare", "It is safe.", "It is not safe.", "-f", "json"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let found = json_of(&run);
    assert_eq!((&found["method"], &found["verdict"]), (&json!("model"), &json!("contradiction")));
    let [note] = notes(&found)[..] else { panic!("{found}") };
    assert!(
        note.contains(&address.to_string())
            && note.ends_with("rules say how alike the texts are instead"),
        "{note}"
    );
    assert_eq!(configured(&file, &["audit", FLIP]).code, 1);
}

#[test]
fn what_was_kept_on_disk_is_what_was_said() {
    let folder = settings("cache = { folder = \"kept\" }", &[]);
    let file = folder.path().join("rebuttal.toml");
    let debate = "crates/cli/tests/it/debate.json";
    let all: [&[&str]; 2] = [
        &["compare", "Prices will rise next year.", "Prices will fall.", "-f", "json"],
        &["audit", debate, "--format", "json"],
    ];
    for args in all {
        let fresh = Run::of(rebuttal().args(args).output().expect("starts")).shown();
        assert_eq!(configured(&file, args).shown(), fresh, "first kept");
        assert_eq!(configured(&file, args).shown(), fresh, "then read back");
    }
    let kept = std::fs::read_dir(folder.path().join("kept")).expect("a folder").count();
    assert!(kept > 0, "something is there");
}

#[test]
fn the_same_bytes_whatever_the_threads() {
    let long = "Prices rose in March. The council denied that it had known of it. ".repeat(40);
    let all: [&[&str]; 4] = [
        &["compare", &long, "Prices fell in March, as the council knew.", "-f", "json"],
        &["audit", "examples/transcripts", "--format", "jsonl"],
        &["rubric", "check", "examples/transcripts", "--format", "json"],
        &["audit", FLIP, "--format", "html"],
    ];
    for args in all {
        let run = |threads: &str| {
            let mut command = rebuttal();
            Run::of(command.env("RAYON_NUM_THREADS", threads).args(args).output().expect("starts"))
        };
        let one = run("1");
        assert!(one.code < 2, "{}", one.shown());
        assert!(one.shown() == run("1").shown(), "{args:?} twice");
        assert!(one.shown() == run("2").shown(), "{args:?} on two threads");
    }
}
