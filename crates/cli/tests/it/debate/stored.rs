//! Debates once they are stored: listed, shown, replayed, branched, counted again, verified, exported.

use std::io::Read as _;

use serde_json::Value;

use super::server::{Panel, says};

fn id(panel: &Panel) -> String {
    let list: Value = serde_json::from_str(&panel.run("debates --format json").stdout).unwrap();
    list[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_stored_debate_is_found_again_by_the_beginning_of_its_id() {
    let panel = Panel::split();
    panel.debate("--seed 7");
    let id = id(&panel);
    let shown = panel.run(&format!("show {}", &id[..6]));
    assert_eq!(shown.code, 0, "{}", shown.shown());
    assert!(shown.stdout.contains("Decision: yes"), "{}", shown.stdout);
    let list = panel.run("debates").stdout;
    assert!(list.contains(&id) && list.contains("Should we migrate"), "{list}");
    let none = panel.run("show d-zzz");
    assert_eq!(none.code, 2);
    assert!(none.stderr.contains("no debate is called \"d-zzz\""), "{}", none.stderr);
}

#[test]
fn replay_asks_nobody_and_says_the_same() {
    let panel = Panel::split();
    panel.debate("--seed 7");
    let asked = panel.asked();
    let (shown, replayed) = (panel.run("show"), panel.run("replay"));
    assert_eq!(shown.stdout, replayed.stdout);
    assert_eq!((replayed.code, panel.asked()), (0, asked));
}

#[test]
fn the_same_votes_under_every_rule_cost_nothing() {
    let panel = Panel::split();
    panel.debate("--seed 7");
    let asked = panel.asked();
    let run = panel.run("redecide --format json");
    let again: Value = serde_json::from_str(&run.stdout).unwrap();
    let outcomes = again["outcomes"].as_array().unwrap();
    assert!(outcomes.len() >= 20, "{}", outcomes.len());
    let of = |rule: &str| {
        let outcome = outcomes.iter().find(|outcome| outcome["rule"] == rule).unwrap();
        outcome["winner"].clone()
    };
    assert_eq!((of("majority"), of("unanimity")), (Value::from("yes"), Value::Null));
    assert_eq!(panel.asked(), asked);
}

#[test]
fn a_branch_goes_another_way_from_the_same_words() {
    let panel = Panel::new(|agent, prompt| match agent {
        "cyd" if prompt.contains("Your position so far") => (200, says("yes", 0.6)),
        "cyd" => (200, says("no", 0.9)),
        _ => (200, says("yes", 0.8)),
    });
    panel.debate("--seed 7 --rounds 0");
    let run = panel.run("fork --round 0 --rounds 2 --rule unanimity");
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains("no → yes"), "{}", run.stdout);
    assert!(run.stdout.contains("Decision: yes  (unanimity"), "{}", run.stdout);
    let list: Value = serde_json::from_str(&panel.run("debates --format json").stdout).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2);
}

#[test]
fn a_receipt_shows_what_was_changed() {
    let panel = Panel::split();
    let run = panel.debate("--seed 7");
    let head = run.stdout.lines().find_map(|line| line.split("head ").nth(1)).unwrap().to_owned();
    assert_eq!(panel.run(&format!("verify --head {head}")).code, 0);
    let journal = panel.run("export").stdout;
    let path = panel.database().with_file_name("debate.jsonl");
    std::fs::write(&path, &journal).unwrap();
    let check = |panel: &Panel| panel.run(&format!("verify {}", path.display()));
    assert_eq!(check(&panel).code, 0, "{}", check(&panel).shown());
    std::fs::write(&path, journal.replacen("I am for no.", "I am for yes", 1)).unwrap();
    let run = check(&panel);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("record"), "{}", run.stderr);
}

#[test]
fn steps_and_preferences_have_the_shapes_that_learners_read() {
    let panel = Panel::split();
    panel.debate("--seed 7 --truth no --no-trickster");
    let steps = panel.run("export --format rl").stdout;
    let steps: Vec<Value> = steps.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(steps.len(), 6);
    let last = steps.iter().find(|step| step["agent"] == "cyd" && step["round"] == 1).unwrap();
    assert_eq!(
        (&last["reward"]["correct"], &last["done"]),
        (&Value::from(true), &Value::from(true))
    );
    assert_eq!(last["state"].as_array().unwrap().len(), 3);
    let pairs = panel.run("export --format preferences").stdout;
    let pair: Value = serde_json::from_str(pairs.lines().next().unwrap()).unwrap();
    assert_eq!((&pair["chosen_agent"], &pair["by"]), (&Value::from("cyd"), &Value::from("truth")));
    for key in ["prompt", "chosen", "rejected"] {
        assert!(pair[key].is_string(), "{pair}");
    }
    let path = panel.database().with_file_name("steps.parquet");
    let run = panel.run(&format!("export --format parquet -o {}", path.display()));
    assert_eq!(run.code, 0, "{}", run.shown());
    let mut head = [0; 4];
    std::fs::File::open(path).unwrap().read_exact(&mut head).unwrap();
    assert_eq!(&head, b"PAR1");
}

#[test]
fn a_branch_can_seat_another_agent() {
    let panel = Panel::split();
    panel.debate("--seed 7 --no-trickster");
    let run = panel.run("fork --round 0 --agent cyd=bob --no-trickster");
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains("cyd  no → yes"), "bob answers for cyd: {}", run.stdout);
    assert!(panel.run("verify").stdout.contains("the verdict follows"));
    let none = panel.run("fork --round 0 --agent zoe=bob");
    assert_eq!(none.code, 2);
    assert!(none.stderr.contains("zoe does not take part"), "{}", none.stderr);
}

/// What happened in one debate is known to the next: each flip once, and that the matter is contested.
#[test]
fn a_debate_is_told_who_flipped_on_this_before() {
    let panel =
        Panel::new(|agent, prompt| match (agent, prompt.contains("Your position so far")) {
            ("cyd", false) | ("ann", true) => (200, says("no", 0.7)),
            _ => (200, says("yes", 0.8)),
        });
    let first = panel.debate("--seed 7 --rounds 1 --no-trickster");
    assert!(!first.stderr.contains("flipped on this before"), "{}", first.shown());
    let again = panel.debate("--seed 8 --rounds 0 --no-trickster");
    for part in [
        "ann has flipped on this before (1 flip)",
        "cyd has flipped on this before (1 flip)",
        "this is contested: 2 agents have flipped on it, 1 ended for it and 1 against",
    ] {
        assert!(again.stderr.contains(part), "{part:?} in {}", again.shown());
    }
    assert!(!again.stderr.contains("bob has flipped"), "{}", again.shown());
    let known = panel.run("knowledge search Kubernetes --format json").stdout;
    let known: Value = serde_json::from_str(&known).unwrap();
    let flips = panel.run("flips --format json").stdout;
    let flips: Value = serde_json::from_str(&flips).unwrap();
    let count = |document: &Value| document["flips"].as_array().unwrap().len();
    assert_eq!(count(&known), count(&flips));
}
