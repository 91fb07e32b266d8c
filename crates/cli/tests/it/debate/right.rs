//! What people and programs are shown of a debate is what happened in it.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::server::{Panel, says};

fn moderated(action: &str, conviction: f64) -> (u16, String) {
    let said = json!({"recommended_action": action, "recommended_conviction": conviction,
        "rationale": "It is better."});
    (200, said.to_string())
}

/// Agents that answer every item they are shown by its number.
fn rebutting() -> Panel {
    Panel::new(|agent, prompt| {
        let shown = prompt.matches("\n| [").count();
        let rebuttals: Vec<Value> = (1..=shown)
            .map(|item| json!({"item": item, "text": format!("{agent} answers item {item}.")}))
            .collect();
        let answer = if agent == "cyd" { "no" } else { "yes" };
        let said = json!({"answer": answer, "conviction": 0.8, "thesis": format!("I am for {answer}."),
            "evidence": [format!("A trial by {agent} ran for 14 days.")], "rebuttals": rebuttals});
        (200, said.to_string())
    })
}

#[test]
fn rebuttals_stand_in_every_view_with_what_they_answer() {
    let panel = rebutting();
    let live = panel.debate("");
    let words = "to bob on “A trial by bob ran for 14 days.”: cyd answers item 2.";
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat(&live.stdout).contains(words), "{}", live.stdout);
    for format in ["text", "html", "markdown"] {
        let shown = panel.run(&format!("show last --format {format}"));
        let said = flat(&shown.stdout).replace("&#58;", ":").replace("\\.", ".");
        assert!(said.contains(words), "{format}: {}", shown.stdout);
    }
    let steps = panel.run("export last --format rl");
    let steps: Vec<Value> =
        steps.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cyd = steps.iter().find(|step| step["agent"] == "cyd" && step["round"] == 1).unwrap();
    let rebuttal = &cyd["action"]["rebuttals"][1];
    assert_eq!(rebuttal["text"], "cyd answers item 2.");
    assert_eq!(rebuttal["item"]["agent"], "bob");
    assert_eq!(rebuttal["item"]["text"], "A trial by bob ran for 14 days.");
    // The state of the panel before the round holds the evidence.
    let bob = cyd["state"].as_array().unwrap().iter().find(|held| held["agent"] == "bob").unwrap();
    assert_eq!(bob["evidence"], json!(["A trial by bob ran for 14 days."]));
    assert_eq!(bob["thesis"], "I am for yes.");
}

#[test]
fn an_override_is_labelled_in_every_view() {
    let panel = Panel::new(|agent, _| match agent {
        "mod" => moderated("yes", 0.85),
        "ann" => (200, says("yes", 0.8)),
        _ => (200, says("no", 0.8)),
    });
    let live = panel.debate("--moderator mod --no-trickster");
    let label = "overridden by the moderator mod";
    assert!(live.stdout.contains(&format!("yes  (majority, {label}, 76 %)")), "{}", live.stdout);
    assert!(live.stdout.contains("dissent bob is for no"), "{}", live.stdout);
    assert!(!live.stdout.contains("dissent ann"), "{}", live.stdout);
    for command in
        ["show last", "show last --format html", "show last --format markdown", "receipt last"]
    {
        let shown = panel.run(command);
        assert!(shown.stdout.contains(label), "{command}: {}", shown.stdout);
    }
    let json: Value = serde_json::from_str(&panel.run("show last --format json").stdout).unwrap();
    assert_eq!(json["decision"]["overridden_by"], "mod");
    let listed = panel.run("debates");
    assert!(listed.stdout.contains("[moderator overrode no]"), "{}", listed.stdout);
    let listed: Value = serde_json::from_str(&panel.run("debates --format json").stdout).unwrap();
    assert_eq!(listed[0]["overrode"], "no");
    let verified = panel.run("verify last");
    assert_eq!(verified.code, 0, "{}", verified.stderr);
}

#[test]
fn a_moderator_reads_what_was_said_in_every_round() {
    let heard: Arc<Mutex<String>> = Arc::default();
    let listener = Arc::clone(&heard);
    let panel = Panel::new(move |agent, prompt| {
        if agent == "mod" {
            listener.lock().unwrap().push_str(prompt);
            return moderated("no", 0.5);
        }
        let answer = if agent == "cyd" { "yes" } else { "no" };
        let thesis = if prompt.contains("Your position so far") { "later" } else { "blind" };
        let said = json!({"answer": answer, "conviction": 0.8, "evidence": [],
            "thesis": format!("{agent} says this {thesis}."), "rebuttals": []});
        (200, said.to_string())
    });
    let run = panel.debate("--moderator mod --no-trickster --rounds 2 --stop rounds:2");
    assert_eq!(run.code, 0, "{}", run.shown());
    let heard = heard.lock().unwrap();
    for agent in ["ann", "bob", "cyd"] {
        for round in ["blind", "later"] {
            let words = format!("{agent} says this {round}.");
            assert!(heard.contains(&words), "{words} of {heard}");
        }
    }
}

#[test]
fn who_is_asked_again_twice_is_told_so_twice() {
    let panel = Panel::new(|agent, _| match agent {
        "ann" => (200, "It depends.".to_owned()),
        _ => (200, says("yes", 0.8)),
    });
    let ran = panel.debate("--rounds 0");
    assert_eq!(ran.stdout.matches("ann is asked again").count(), 2, "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("ann is refused").count(), 1, "{}", ran.stdout);
}

#[test]
fn an_empty_file_of_preferences_says_so() {
    let panel = Panel::new(|_, _| (200, says("yes", 0.8)));
    panel.debate("");
    let pairs = panel.run("export last --format preferences");
    assert_eq!((pairs.code, pairs.stdout.as_str()), (1, ""));
    assert!(pairs.stderr.contains("all last answers are on one side"), "{}", pairs.stderr);
}

#[test]
fn the_json_of_a_debate_has_its_stats() {
    let panel = Panel::split();
    let json: Value = serde_json::from_str(&panel.debate("--format json").stdout).unwrap();
    let stats = json["stats"].as_object().unwrap();
    let names: Vec<&str> = stats.keys().map(String::as_str).collect();
    for name in
        ["total_interventions", "hollow_alerts_detected", "avg_quality_per_round", "interventions"]
    {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

#[test]
fn flips_of_a_debate_come_from_its_votes() {
    // The words of ann turn around, her vote does not; cyd's vote does.
    let panel = Panel::new(|agent, prompt| {
        let later = prompt.contains("Your position so far");
        let (answer, thesis) = match (agent, later) {
            ("ann", false) => ("yes", "We should migrate to Kubernetes."),
            ("ann", true) => ("yes", "We should not migrate to Kubernetes in May."),
            ("cyd", false) => ("no", "The team has no experience with it."),
            ("cyd", true) => ("yes", "A trial ran well."),
            _ => ("yes", "It scales."),
        };
        let said =
            json!({"answer": answer, "conviction": 0.8, "thesis": thesis, "evidence": ["It ran."]});
        (200, said.to_string())
    });
    let moved = panel.debate("");
    assert!(moved.stderr.contains("1 flip in this debate"), "{}", moved.stderr);
    let flips: Value = serde_json::from_str(&panel.run("flips --format json").stdout).unwrap();
    let agents: Vec<&str> = flips["flips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|flip| flip["agent_name"].as_str().unwrap())
        .collect();
    assert_eq!(agents, ["cyd"]);

    let still = Panel::new(|agent, prompt| {
        let later = prompt.contains("Your position so far");
        let thesis = if later { "We should not migrate." } else { "We should migrate." };
        let answer = if agent == "ann" { "no" } else { "yes" };
        let said =
            json!({"answer": answer, "conviction": 0.8, "thesis": thesis, "evidence": ["It ran."]});
        (200, said.to_string())
    });
    let ran = still.debate("");
    assert!(ran.stdout.contains("Nobody moved"), "{}", ran.stdout);
    assert!(ran.stderr.contains("; no flip"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("self-contradiction"), "{}", ran.stdout);
}

#[test]
fn a_number_is_the_median_and_open_answers_are_grouped() {
    let panel = Panel::new(|agent, prompt| {
        let answer = match (agent, prompt.contains("churn")) {
            ("ann", false) => json!(3),
            ("bob", false) => json!("5 replicas"),
            (_, false) => json!(40),
            ("ann", true) => json!("Improve onboarding for new customers"),
            ("bob", true) => json!("Better onboarding of new customers"),
            (_, true) => json!("Offer annual plans"),
        };
        let said =
            json!({"answer": answer, "conviction": 0.8, "thesis": "T.", "evidence": ["It ran."]});
        (200, said.to_string())
    });
    let ask = |question: &str| {
        let mut command = panel.command("debate --agents ann,bob,cyd");
        crate::run::Run::of(command.arg(question).output().expect("starts"))
    };
    let number = ask("How many replicas should we run?");
    assert!(number.stdout.contains("Decision: 5  (median"), "{}", number.stdout);
    let open = ask("How should we reduce churn?");
    let group =
        "Counted as “Improve onboarding for new customers”: “Better onboarding of new customers”.";
    let flat = open.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(group), "{}", open.stdout);
    let page = panel.run("show last --format html").stdout;
    assert!(page.contains("2 Improve onboarding for new customers"), "{page}");
}
