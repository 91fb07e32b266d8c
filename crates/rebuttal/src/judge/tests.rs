use rebuttal_llm::{Scene, Scripted, Usage};
use serde_json::json;

use super::*;

/// A local model that is sure of nothing.
#[derive(Debug)]
struct Unsure;

impl Inference for Unsure {
    fn id(&self) -> &'static str {
        "unsure"
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> std::result::Result<Vec<Verdict>, SemanticsError> {
        let even = Verdict { entailment: 0.3, neutral: 0.4, contradiction: 0.3 };
        Ok(vec![even; pairs.len()])
    }
}

fn price() -> Option<Price> {
    Price::new(1.0, 2.0)
}

fn judging(chat: Scripted, settings: JudgeSettings) -> Judging {
    let judge = Judge::with(Box::new(chat), "m-1".to_owned(), price(), None, settings).unwrap();
    Judging::new(Arc::new(Unsure), Arc::new(judge))
}

fn answer(verdict: &str, quote_a: &str, quote_b: &str) -> String {
    json!({"answers": [{"item": 1, "verdict": verdict, "quote_a": quote_a, "quote_b": quote_b,
        "sure": 0.9, "acknowledged": false}]})
    .to_string()
}

const ASKED: Pair<'static> =
    Pair { premise: "Should we close the port?", hypothesis: "It silts up. Let it go." };

const TWO: Pair<'static> =
    Pair { premise: "The port is deep.", hypothesis: "No large ship fits in." };

#[test]
fn a_position_with_a_literal_quote_counts_and_is_kept() {
    let judging =
        judging(Scripted::new("j", [answer("yes", "", "Let it go.")]), JudgeSettings::new("j"));
    for _ in 0..2 {
        let leaning = judging.lean(&[ASKED]).unwrap()[0];
        assert!(leaning.yes > 0.8, "{leaning:?}");
    }
    let told = judging.judge.told();
    assert_eq!((told.questions, told.calls, told.answered, told.kept), (2, 1, 1, 1));
}

#[test]
fn an_answer_that_lies_about_its_quote_does_not_count() {
    let lies = [
        answer("yes", "", "We must close it."),
        answer("yes", "", ""),
        answer("maybe", "", "Let it go."),
        "I think it says yes.".to_owned(),
        "{\"answers\": []}".to_owned(),
    ];
    for lie in lies {
        let judging = judging(Scripted::new("j", [lie.clone()]), JudgeSettings::new("j"));
        let leaning = judging.lean(&[ASKED]).unwrap()[0];
        assert!(leaning.yes < 0.5 && leaning.no < 0.5, "{lie}: {leaning:?}");
        assert_eq!(judging.judge.told().refused, 1, "{lie}");
    }
}

#[test]
fn a_relation_counts_only_if_both_orders_agree() {
    let there = || answer("contradict", "deep", "No large ship");
    let back = answer("contradict", "No large ship", "deep");
    let agreed = judging(Scripted::new("j", [there(), back]), JudgeSettings::new("j"));
    assert!(agreed.relations(&[TWO]).unwrap()[0].contradicts > 0.8);
    let turned = answer("same", "No large ship", "deep");
    let torn = judging(Scripted::new("j", [there(), turned]), JudgeSettings::new("j"));
    assert!(torn.relations(&[TWO]).unwrap()[0].contradicts < 0.5);
    let told = torn.judge.told();
    assert_eq!((told.calls, told.answered, told.refused), (2, 0, 1));
}

#[test]
fn a_judge_that_times_out_is_not_asked_for_ever() {
    let judging = judging(Scripted::by_call("j", |_, _| Scene::TimesOut), JudgeSettings::new("j"));
    for number in 0..10 {
        let text = format!("It silts up {number} metres a year.");
        let pair = Pair { hypothesis: &text, ..ASKED };
        assert!(judging.lean(&[pair]).is_ok());
    }
    let told = judging.judge.told();
    assert_eq!((told.calls, told.failed, told.answered), (3, 3, 0));
    assert!(
        judging.judge.summary().contains("not asked again after 3 failures"),
        "{}",
        judging.judge.summary()
    );
}

#[test]
fn the_budget_is_kept_before_a_call_leaves() {
    let settings = JudgeSettings { budget_micro_usd: Some(10), ..JudgeSettings::new("j") };
    let judging = judging(Scripted::new("j", [answer("yes", "", "Let it go.")]), settings);
    judging.lean(&[ASKED]).unwrap();
    let told = judging.judge.told();
    assert_eq!((told.calls, told.micro_usd), (0, Some(0)));
    assert!(judging.judge.summary().contains("budget"), "{}", judging.judge.summary());
}

#[test]
fn a_budget_needs_a_price() {
    let settings = JudgeSettings { budget_micro_usd: Some(10), ..JudgeSettings::new("j") };
    let chat = Box::new(Scripted::new("j", ["hm"]));
    let error = Judge::with(chat, "m-1".to_owned(), None, None, settings).unwrap_err();
    assert!(error.whole().contains("set `price` in [agents.j]"), "{}", error.whole());
}

#[test]
fn a_dry_run_counts_and_asks_nobody() {
    let settings = JudgeSettings { asks: Asks::Counts, ..JudgeSettings::new("j") };
    let judging = judging(Scripted::new("j", Vec::<Scene>::new()), settings);
    judging.lean(&[ASKED; 20]).unwrap();
    judging.relations(&[TWO]).unwrap();
    let told = judging.judge.told();
    assert_eq!((told.questions, told.calls, told.failed), (21, 5, 0), "{told:?}");
    assert!(told.micro_usd.is_some_and(|most| most > 0));
    assert!(judging.judge.summary().contains("would take 5 calls"), "{}", judging.judge.summary());
}

#[test]
fn who_is_sure_asks_nobody_unless_it_is_to_ask_always() {
    #[derive(Debug)]
    struct Sure;
    impl Inference for Sure {
        fn id(&self) -> &'static str {
            "sure"
        }
        fn infer(&self, pairs: &[Pair<'_>]) -> std::result::Result<Vec<Verdict>, SemanticsError> {
            let sure = Verdict { entailment: 0.98, neutral: 0.01, contradiction: 0.01 };
            Ok(vec![sure; pairs.len()])
        }
    }
    let asked = |when| {
        let chat = Box::new(Scripted::new("j", [answer("no", "", "It silts up.")]));
        let settings = JudgeSettings { when, ..JudgeSettings::new("j") };
        let judge = Judge::with(chat, "m-1".to_owned(), price(), None, settings).unwrap();
        let judging = Judging::new(Arc::new(Sure), Arc::new(judge));
        let leaning = judging.lean(&[ASKED]).unwrap()[0];
        (judging.judge.told().questions, leaning.no > 0.5)
    };
    assert_eq!(asked(When::Unsure), (0, false));
    assert_eq!(asked(When::Always), (1, true));
}

#[test]
fn what_the_server_counts_is_what_is_spent() {
    let usage = Usage { input: Some(1_000), output: Some(100) };
    let chat = Scripted::from_fn("j", |_| Scene::Says(answer("yes", "", "Let it go.")));
    let judging = judging(chat, JudgeSettings::new("j"));
    judging.lean(&[ASKED]).unwrap();
    let spent = judging.judge.told().micro_usd.unwrap();
    // A scripted agent counts nothing: then the most it can cost is what it cost.
    assert!(spent > price().unwrap().cost(usage).unwrap() / 10, "{spent}");
}
