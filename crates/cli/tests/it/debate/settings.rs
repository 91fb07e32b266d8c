//! rebuttal.toml as it shapes a debate: presets, the trickster, budgets, limits.

use serde_json::Value;

use super::server::Panel;

/// The protocol of a debate under this file and these flags.
fn protocol(file: &str, args: &str) -> Value {
    let panel = Panel::split().with_price("{ input = 3.0, output = 15.0 }").configured(file);
    let run = panel.debate(&format!("--format json --no-trickster {args}"));
    let json: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.shown()));
    json["spec"]["protocol"].clone()
}

#[test]
fn presets_can_be_added_and_changed() {
    let file = "[presets.board]\nbase = 'strict'\nrounds = 1\nrule = 'supermajority:2/3'\n\
                [presets.quick]\ncritique = true\n[debate]\npreset = 'board'\n";
    let board = protocol(file, "");
    assert_eq!((&board["rounds"], &board["rule"]), (&1.into(), &"supermajority:2/3".into()));
    assert_eq!(board["trickster"]["min_quality_threshold"], 0.7, "as in strict");
    assert_eq!(board["evidence_required"], true);
    let quick = protocol(file, "--preset quick");
    assert_eq!((&quick["critique"], &quick["detail"]), (&true.into(), &"summary".into()));
    let brainstorm = protocol(file, "--preset brainstorm");
    assert_eq!(brainstorm["trickster"]["hollow_detection_threshold"], 0.7);
    let run = Panel::split().configured(file).debate("--preset bord");
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("there is no preset `bord`; did you mean `board`?"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_file_is_changed_by_flags_and_the_preset_by_the_file() {
    let file = "[debate]\nroles = true\n[debate.trickster]\nbreakpoint_severity = 0.9\n\
                [debate.trickster.weights]\ncitation_density = 1\n\
                [debate.breakpoints]\ntimeout_seconds = 60\non_timeout = 'abort'\n\
                [debate.budget]\ncalls = 12\nusd = 0.5\n";
    let made = protocol(file, "--budget-calls 9 --critique");
    assert_eq!((&made["roles"], &made["critique"]), (&true.into(), &true.into()));
    assert_eq!(made["enable_trickster"], false);
    assert_eq!(made["trickster"]["breakpoint_severity"], 0.9);
    assert_eq!(made["trickster"]["weights"]["citation_density"], 1.0);
    assert_eq!(made["trickster"]["weights"]["evidence_diversity"], 0.25);
    assert_eq!(
        made["breakpoints"],
        serde_json::json!({"timeout_seconds": 60.0, "on_timeout": "abort"})
    );
    assert_eq!(made["budget"], serde_json::json!({"calls": 9, "usd": 0.5}));
}

#[test]
fn every_value_is_explained() {
    let file = "[providers.openai]\nrate = { requests = 30 }\nidle = 5\n\
                [presets.strict]\nrounds = 3\n[debate]\npreset = 'strict'\ncritique = true\n\
                [debate.trickster]\nextension_rounds = 2\n";
    let panel = Panel::split().configured(file);
    let text = panel.run("config explain").stdout;
    let line = |name: &str| {
        let line = text.lines().find(|line| line.split(' ').next() == Some(name));
        let words: Vec<&str> =
            line.unwrap_or_else(|| panic!("{name} in {text}")).split_whitespace().collect();
        words[1..].join(" ")
    };
    assert_eq!(line("providers.openai.rate"), "30 requests a minute line 18");
    assert_eq!(line("agents.ann.rate"), "30 requests a minute line 18");
    assert_eq!(line("agents.ann.idle"), "5 s line 19");
    assert_eq!(line("agents.ann.breaker"), "8 failures, then 30 s of rest default");
    assert_eq!(line("debate.rounds"), "3 line 21");
    assert_eq!(line("debate.rule"), "supermajority:0.66 preset strict");
    assert_eq!(line("debate.critique"), "true line 24");
    assert_eq!(line("debate.trickster.extension_rounds"), "2 line 26");
    assert_eq!(line("debate.trickster.min_quality_threshold"), "0.7 preset strict");
    assert_eq!(line("debate.budget.calls"), "no limit preset strict");
}
