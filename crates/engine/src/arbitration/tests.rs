//! Rulings of scripted models: in time, in batches, in order, and never worse than the rules.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{Scene, Scripted, Wanted};
use rebuttal_model::{
    Action, Arbiter, Cited, Confidence, ContradictionKind, FindingId, Method, Ruling, Severity,
    Side, Span, Whose,
};
use serde_json::{Value, json};

use super::*;

/// What `Ann` and `Bob` say of one metric. `Bob` is surer, so rules go by him.
fn contradiction(index: usize) -> Contradiction {
    let side = |agent: &str, report, value: f64, confidence| Side {
        agent: AgentId::new(agent),
        report,
        span: Span::default(),
        quote: format!("Metric {index} is {value}."),
        value: Some(value),
        shown: value.to_string(),
        shown_span: Span::default(),
        period: None,
        citation: Some(Cited {
            text: format!("Office of {agent}"),
            source: Some(format!("Office of {agent}")),
            period: None,
            quotes_value: false,
            locator: false,
        }),
        confidence: Confidence::new(confidence, Whose::Stated),
        source: None,
    };
    Contradiction {
        id: FindingId::new(format!("f{index}")),
        kind: ContradictionKind::Value,
        metric_name: format!("metric_{index}"),
        metric: format!("metric {index}"),
        entity: None,
        unit: None,
        sides: vec![side("Ann", 0, 4.0, 0.5), side("Bob", 1, 7.0, 0.9)],
        relative_difference: Some(0.75),
        severity: Severity::High,
        confidence: Confidence::detector(0.9),
        method: Method::Rules,
        apart: None,
        tolerance: None,
        explanation: String::new(),
    }
}

fn contradictions(count: usize) -> Vec<Contradiction> {
    (0..count).map(contradiction).collect()
}

/// What a prompt asks of one contradiction: the metric, and the agents in the order shown.
#[derive(Debug)]
struct Asked {
    metric: String,
    agents: Vec<String>,
}

fn asked(prompt: &str) -> Vec<Asked> {
    let mut all: Vec<Asked> = Vec::new();
    for line in prompt.lines() {
        let Some((name, text)) = line.split_once(": \"") else { continue };
        let text = text.trim_end_matches('"').to_owned();
        match (name, all.last_mut()) {
            ("metric", _) => all.push(Asked { metric: text, agents: Vec::new() }),
            ("agent1" | "agent2", Some(last)) => last.agents.push(text),
            _ => {}
        }
    }
    all
}

/// A reply that rules on everything a prompt asks.
fn ruled(prompt: &str, ruling: impl Fn(&Asked) -> Value) -> Scene {
    let rulings: Vec<Value> = asked(prompt)
        .iter()
        .enumerate()
        .map(|(index, asked)| {
            let mut ruling = ruling(asked);
            ruling["id"] = json!(format!("c{}", index + 1));
            ruling
        })
        .collect();
    match &rulings[..] {
        [one] => Scene::Says(one.to_string()),
        several => Scene::Says(json!(several).to_string()),
    }
}

/// For the agent at a place, counted from 1.
fn for_place(place: usize, value: f64) -> Value {
    json!({
        "resolution": format!("agent{place}_correct"), "action": format!("use_agent{place}"),
        "explanation": "The better source.", "recommended_value": value,
        "recommended_citation": null, "confidence": 0.8,
    })
}

/// A judge who is always for Ann, wherever she stands.
fn for_ann(asked: &Asked) -> Value {
    let place = asked.agents.iter().position(|agent| agent == "Ann").expect("Ann is there");
    for_place(place + 1, 4.0)
}

fn judge(play: impl Fn(&str) -> Scene + Send + Sync + 'static) -> Scripted {
    Scripted::from_fn("judge", move |request| play(&request.messages[0].text))
}

fn ruled_by(judge: &Scripted, count: usize, limits: Limits) -> Vec<Resolution> {
    let (all, told) = (contradictions(count), Mutex::new(Vec::new()));
    let progress = |done, total| told.lock().expect("no panic").push((done, total));
    let rulings = arbitrate(&all, &Authority::default(), Some(judge), &limits, &progress);
    let ids: Vec<&FindingId> = rulings.iter().map(|ruling| &ruling.contradiction).collect();
    assert_eq!(ids, all.iter().map(|contradiction| &contradiction.id).collect::<Vec<_>>());
    let told = told.into_inner().expect("no panic");
    assert!(told.is_sorted() && told.iter().all(|(_, total)| *total == count), "{told:?}");
    assert_eq!(told.last().copied(), (count > 0).then_some((count, count)));
    rulings
}

fn is_for_ann(ruling: &Resolution) -> bool {
    ruling.by == Arbiter::Agent(AgentId::new("judge"))
        && ruling.resolution == Some(Ruling::Correct(0))
        && ruling.recommended_value == Some(4.0)
}

/// The rules' own ruling, and what it says of the model.
fn fell_back(ruling: &Resolution, index: usize) -> &str {
    let rules = rebuttal_policy::arbitrate(&contradiction(index), &Authority::default());
    assert_eq!((&ruling.by, ruling.action), (&Arbiter::Rules, rules.action));
    assert_eq!(ruling.resolution, rules.resolution);
    assert_eq!(ruling.steps[..rules.steps.len()], rules.steps[..]);
    &ruling.steps.last().expect("a step").saw
}

#[test]
fn without_an_arbiter_the_rules_decide() {
    let all = contradictions(3);
    let told = Mutex::new(Vec::new());
    let progress = |done, total| told.lock().expect("no panic").push((done, total));
    let authority = Authority::default();
    let rulings = arbitrate(&all, &authority, None, &Limits::default(), &progress);
    let expected: Vec<Resolution> = all
        .iter()
        .map(|contradiction| rebuttal_policy::arbitrate(contradiction, &authority))
        .collect();
    assert_eq!(rulings, expected);
    assert_eq!(told.into_inner().expect("no panic"), [(1, 3), (2, 3), (3, 3)]);
}

#[test]
fn nothing_to_rule_on_asks_nobody() {
    let judge = judge(|_| "no".into());
    assert!(ruled_by(&judge, 0, Limits::default()).is_empty());
    assert!(judge.requests().is_empty());
}

/// Seed 002 wants three contradictions in under 60 s at 15 s a call.
#[test]
fn three_contradictions_take_the_time_of_two_calls_at_most() {
    // Word lists are read at the first use, which is not the calls' time.
    ruled_by(&judge(|prompt| ruled(prompt, for_ann)), 1, Limits::default());
    let latency = Duration::from_millis(400);
    let judge = judge(|prompt| ruled(prompt, for_ann)).with_latency(latency);
    let start = Instant::now();
    let rulings = ruled_by(&judge, 3, Limits::default());
    let (wall, calls) = (start.elapsed(), u32::try_from(judge.depth()).expect("few"));
    assert!(Duration::from_secs(15) * calls < Duration::from_mins(1), "{calls} in a row");
    // The same on the clock, a second being 27 ms.
    assert!(wall < 4 * latency, "{wall:?}");
    assert!(rulings.iter().all(is_for_ann), "{rulings:?}");
    // Each alone and in both orders, all at once.
    assert_eq!(judge.requests().len(), 6);
    assert!(judge.depth() <= 2 && judge.peak() >= 3, "{} {}", judge.depth(), judge.peak());
    assert!(judge.requests().iter().all(|request| request.wanted == Wanted::Json));
    for index in 0..3 {
        let name = format!("metric {index}");
        let orders =
            judge.requests().into_iter().flat_map(|request| asked(&request.messages[0].text));
        let mut orders: Vec<Vec<String>> =
            orders.filter(|asked| asked.metric == name).map(|asked| asked.agents).collect();
        orders.sort();
        assert_eq!(orders, [["Ann", "Bob"], ["Bob", "Ann"]]);
    }
}

#[test]
fn many_contradictions_share_calls() {
    for (count, calls, together) in [(9, 18, 1), (10, 4, 5), (11, 6, 5), (25, 10, 5)] {
        let judge = judge(|prompt| ruled(prompt, for_ann));
        let rulings = ruled_by(&judge, count, Limits::default());
        assert!(rulings.iter().all(is_for_ann), "{count}");
        let requests = judge.requests();
        assert_eq!(requests.len(), calls, "{count}");
        let most = requests.iter().map(|request| asked(&request.messages[0].text).len()).max();
        assert_eq!(most, Some(together), "{count}");
    }
    let limits = Limits { batch_from: 2, batch_size: 3, ..Limits::default() };
    let judge = judge(|prompt| ruled(prompt, for_ann));
    assert!(ruled_by(&judge, 4, limits).iter().all(is_for_ann));
    assert_eq!(judge.requests().len(), 4);
}

#[test]
fn calls_at_once_stay_within_the_limit() {
    for (concurrency, depth) in [(1, 6), (2, 3), (0, 6)] {
        let judge = judge(|prompt| ruled(prompt, for_ann)).with_latency(Duration::from_millis(30));
        let rulings = ruled_by(&judge, 3, Limits { concurrency, ..Limits::default() });
        assert!(rulings.iter().all(is_for_ann));
        assert_eq!(judge.peak(), concurrency.max(1));
        assert!((depth..=6).contains(&judge.depth()), "{}", judge.depth());
    }
}

#[test]
fn rulings_keep_their_place_whichever_reply_comes_first() {
    // Every other contradiction is Bob's, and early ones take longest.
    let ruling = |asked: &Asked| {
        let index: u64 = asked.metric["metric ".len()..].parse().expect("a number");
        thread::sleep(Duration::from_millis(40_u64.saturating_sub(4 * index)));
        let whom = if index.is_multiple_of(2) { "Ann" } else { "Bob" };
        let place = asked.agents.iter().position(|agent| agent == whom).expect("is there");
        for_place(place + 1, if whom == "Ann" { 4.0 } else { 7.0 })
    };
    for limits in [Limits::default(), Limits { batch_from: usize::MAX, ..Limits::default() }] {
        let judge = judge(move |prompt| ruled(prompt, ruling));
        let rulings = ruled_by(&judge, 12, limits);
        for (index, ruling) in rulings.iter().enumerate() {
            assert_eq!(ruling.resolution, Some(Ruling::Correct(index % 2)), "{index}");
        }
    }
}

#[test]
fn a_judge_for_whoever_stands_first_is_flagged() {
    let judge = judge(|prompt| {
        ruled(prompt, |asked| for_place(1, if asked.agents[0] == "Ann" { 4.0 } else { 7.0 }))
    });
    for ruling in ruled_by(&judge, 3, Limits::default()) {
        assert_eq!((ruling.resolution, ruling.action), (None, Action::FlagForReview));
        assert!(ruling.explanation.contains("contradicts itself"), "{}", ruling.explanation);
    }
}

#[test]
fn invented_values_and_garbage_leave_it_to_the_rules() {
    let judge = judge(|prompt| match asked(prompt)[0].metric.as_str() {
        "metric 0" => ruled(prompt, |_| for_place(1, 99.0)),
        "metric 1" => "It is hard to say.".into(),
        "metric 2" => "{\"resolution\": \"agent1_corr".into(),
        _ => ruled(prompt, for_ann),
    });
    let rulings = ruled_by(&judge, 4, Limits::default());
    assert!(fell_back(&rulings[0], 0).contains("99.0 is invented"), "{:?}", rulings[0].steps);
    assert!(fell_back(&rulings[1], 1).contains("no JSON"), "{:?}", rulings[1].steps);
    assert!(fell_back(&rulings[2], 2).contains("is cut off"), "{:?}", rulings[2].steps);
    assert!(is_for_ann(&rulings[3]));
}

#[test]
fn a_failing_call_costs_only_its_own() {
    let fails = |prompt: &str, scene: &Scene| match asked(prompt) {
        // Only with Bob first: one bad order is enough.
        all if all.iter().any(|asked| asked.metric == "metric 7" && asked.agents[0] == "Bob") => {
            scene.clone()
        }
        _ => ruled(prompt, for_ann),
    };
    for (scene, reason) in [
        (Scene::Answers(500), "answered 500"),
        (Scene::TimesOut, "no complete answer in"),
        (Scene::IsCutShort, "cut off before its end"),
        (Scene::Declines("no".to_owned()), "declined to answer"),
        (Scene::SaysNothing, "the reply is empty"),
    ] {
        for (batch_from, lost) in [(usize::MAX, 7..8), (10, 5..10)] {
            let scene = scene.clone();
            let judge = judge(move |prompt| fails(prompt, &scene));
            let rulings = ruled_by(&judge, 12, Limits { batch_from, ..Limits::default() });
            for (index, ruling) in rulings.iter().enumerate() {
                if lost.contains(&index) {
                    let said = fell_back(ruling, index);
                    assert!(said.contains("judge") && said.contains(reason), "{said}");
                } else {
                    assert!(is_for_ann(ruling), "{index}: {ruling:?}");
                }
            }
        }
    }
}

#[test]
fn an_item_that_is_missing_from_a_batch_costs_only_itself() {
    let judge = judge(|prompt| {
        let Scene::Says(text) = ruled(prompt, for_ann) else { unreachable!("it says") };
        let rulings: Vec<Value> = serde_json::from_str(&text).expect("a list");
        json!(rulings.into_iter().skip(1).collect::<Vec<_>>()).to_string().into()
    });
    for (index, ruling) in ruled_by(&judge, 10, Limits::default()).iter().enumerate() {
        if index % 5 == 0 {
            assert!(fell_back(ruling, index).contains("no item with the id \"c1\""));
        } else {
            assert!(is_for_ann(ruling));
        }
    }
}

#[test]
fn a_model_that_never_answers_is_not_asked_for_ever() {
    for (concurrency, most) in [(1, 4), (8, 16)] {
        let judge = judge(|_| Scene::TimesOut).with_latency(Duration::from_millis(10));
        let limits = Limits { concurrency, batch_from: usize::MAX, ..Limits::default() };
        let rulings = ruled_by(&judge, 40, limits);
        assert!((4..=most).contains(&judge.requests().len()), "{}", judge.requests().len());
        assert!(fell_back(&rulings[0], 0).contains("no complete answer"));
        let last = fell_back(&rulings[39], 39);
        assert!(last.contains("times in a row and was not asked again; the last time: "), "{last}");
    }
}

#[test]
fn a_model_that_answers_now_and_then_is_asked_on() {
    let judge = Scripted::from_fn("judge", {
        let calls = Mutex::new(0);
        move |request| {
            let mut calls = calls.lock().expect("no panic");
            *calls += 1;
            if *calls % 4 == 0 {
                ruled(&request.messages[0].text, for_ann)
            } else {
                Scene::Answers(503)
            }
        }
    });
    let limits = Limits { concurrency: 1, batch_from: usize::MAX, ..Limits::default() };
    ruled_by(&judge, 20, limits);
    assert_eq!(judge.requests().len(), 40);
}
