//! Answers that texts state, form by form.

use super::*;

const LETTERS: &str = "Which metal? (A) lead (B) iron (C) tin (D) zinc";

fn answer(question: &str, text: &str) -> Option<String> {
    Reading::new(text).final_answer(&Asked::of(question)).map(|found| {
        assert!(found.span.of(text).is_some_and(|quoted| !quoted.trim().is_empty()), "{text}");
        found.answer
    })
}

/// Each text, the question it answers, and the answer in one spelling; `-` for none.
fn check(rows: &[(&str, &str, &str)]) {
    for (question, text, expected) in rows {
        let found = answer(question, text);
        assert_eq!(found.as_deref().unwrap_or("-"), *expected, "{question:?} {text:?}");
    }
}

#[test]
fn letters_in_every_form() {
    let forms = [
        "(C)",
        "C.",
        "Answer: C",
        "**C**",
        "The answer is (C).",
        "\\boxed{C}",
        "$\\boxed{\\text{(C)}}$",
        "The correct option is C.",
        "I would choose option C because it melts first.",
        "**Final Answer:** C",
        "My vote goes to lead at first sight.\n\nFinal answer: (C)",
        "C is the correct answer.",
        "Thus C must be the best choice.",
        "Here it is: {\"answer\": \"C\"}",
        "My answer remains C.",
        "Let's go with C.",
        "Answer - C",
        "answer = C",
        "### Answer\nC",
    ];
    for form in forms {
        for lead in ["", "Iron melts late, and lead is soft.\n"] {
            let text = format!("{lead}{form}");
            assert_eq!(answer("", &text).as_deref(), Some("c"), "{text}");
            assert_eq!(answer(LETTERS, &text).as_deref(), Some("tin"), "{text}");
        }
    }
}

#[test]
fn what_is_mentioned_denied_supposed_or_said_by_others_is_no_answer() {
    check(&[
        ("", "The answer is not B.", "-"),
        ("", "A is wrong because it melts late.", "-"),
        ("", "If the load doubles, the answer is B.", "-"),
        ("", "Agent 2's answer is B, and I have doubts.", "-"),
        ("", "My initial answer: B", "-"),
        ("", "Is the answer B?", "-"),
        ("", "> Answer: B\n\nI doubt that.", "-"),
        (LETTERS, "Lead and tin are both soft metals that melt in a kitchen oven.", "-"),
        ("Postgres or MySQL?", "I would not choose MySQL.", "-"),
        ("", "A nurse checked the chart and called the doctor.", "-"),
        ("", "Options:\nA. lead\nB. iron\nC. tin", "-"),
    ]);
}

#[test]
fn the_last_one_counts() {
    check(&[
        ("", "The correct answer is C. The officer began it.\nAnswer: A", "a"),
        ("", "Answer: A\n\nOn reflection, the answer is B.", "b"),
        ("", "\\boxed{12} was too low, so \\boxed{14}.", "14"),
    ]);
}

#[test]
fn numbers_are_normalised() {
    let how_many = "How many degrees do we need?";
    check(&[
        (how_many, "So we need 7.5 degrees.", "7.5"),
        (how_many, "\\boxed{7.5}", "7.5"),
        ("", "The final answer is \\(\\boxed{\\dfrac{3}{4}}\\).", "3/4"),
        ("How many users?", "Answer: 1,200", "1200"),
        ("What share of users?", "The answer is 50%.", "50%"),
        ("", "Rating: 4/5", "4/5"),
        ("", "Final score: 7 out of 10", "7/10"),
    ]);
    let read = |text: &str| Reading::new(text).final_answer(&Asked::Number).unwrap();
    for (one, two) in [
        ("Answer: 7.5", "So we need 7.5 degrees."),
        ("Answer: 1,200", "Answer: 1.2k"),
        ("Answer: 50%", "Answer: 0.5"),
        ("Answer: 42", "\\boxed{42.0}"),
        ("Answer: 3 hours", "The answer is 3."),
        ("\\boxed{\\frac{3}{4}}", "Answer: 0.75"),
    ] {
        assert_eq!(read(one).same(&read(two)), Some(true), "{one} {two}");
    }
    assert_eq!(read("Answer: 7").same(&read("Answer: 7.5")), Some(false));
}

#[test]
fn ratings_and_recommendations_in_words() {
    check(&[
        ("", "FINAL TRANSACTION PROPOSAL: **SELL**", "sell"),
        ("", "Recommendation: Hold", "hold"),
        ("", "Rating: Overweight. The balance sheet is sound.", "overweight"),
        ("", "We looked at cash flow and debt.\n\nSTRONG BUY", "strong buy"),
        ("Buy, sell or hold?", "Decision: **HOLD** for now.", "hold"),
    ]);
}

#[test]
fn options_are_named_in_sentences() {
    check(&[
        ("Postgres or MySQL?", "I'd go with Postgres.", "postgres"),
        ("Lighthouse or harbour?", "Both have charm; so, lighthouse it is.", "lighthouse"),
        ("Postgres or MySQL?", "MySQL is fine, but Postgres is the better choice.", "postgres"),
        ("Postgres or MySQL?", "We should settle on MySQL rather than Postgres.", "mysql"),
        ("Postgres or MySQL?", "My recommendation is Postgres over MySQL.", "postgres"),
    ]);
}

#[test]
fn a_side_is_read_only_where_one_was_asked_for() {
    check(&[
        ("Should we close the port?", "Final answer: Yes", "yes"),
        ("Should we close the port?", "The answer is no.", "no"),
        ("Why did the port close?", "The answer is no.", "-"),
        ("Why did the port close?", "Yes.", "-"),
    ]);
}

#[test]
fn a_field_is_read_like_the_text() {
    let asked = Asked::of(LETTERS);
    let field = FinalAnswer::of_field("(C)", &asked).unwrap();
    assert_eq!(field.answer, "tin");
    let said = Reading::new("I'd pick B.").final_answer(&asked).unwrap();
    assert_eq!(field.same(&said), Some(false));
    assert!(FinalAnswer::of_field("", &asked).is_none());
}

#[test]
fn a_megabyte_is_read_in_linear_time() {
    let text =
        "The answer is (C). \\boxed{4} \"answer\": \"B\" So, I would go with A. ".repeat(16_000);
    let reading = Reading::new(&text);
    let start = std::time::Instant::now();
    assert!(reading.final_answer(&Asked::Nothing).is_some());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,60}|(answer|is|\\(|[A-D]|\\)|:|\\\\boxed\\{|\\}|\"| |\n|not|[0-9]|/|I|go|with|é|–){0,24}") {
        for asked in [Asked::Nothing, Asked::Number, Asked::YesNo, Asked::of(LETTERS)] {
            if let Some(found) = Reading::new(&text).final_answer(&asked) {
                assert!(found.span.of(&text).is_some(), "{found:?}");
            }
        }
    }
}
