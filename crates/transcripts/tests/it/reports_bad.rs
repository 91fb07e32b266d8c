//! What can be wrong with reports: each a message with its place, and the rest goes on.

use rebuttal_model::{ProblemKind, limits};

use crate::reports::reports;

use ProblemKind::{Conflicting, Empty, Limit, Malformed, MissingField};

/// Reads and compares: kind, line, a piece of the message; then `agent: text` of what is left.
#[track_caller]
fn check(file: &str, expected: &[(ProblemKind, u32, &str)], left: &[&str]) {
    let (found, problems) = reports(file.as_bytes());
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
    for (problem, (kind, line, piece)) in problems.iter().zip(expected) {
        assert_eq!((problem.kind, problem.line), (*kind, Some(*line)), "{problem}");
        assert!(problem.message.contains(piece), "{problem}");
    }
    let said: Vec<String> =
        found.iter().map(|report| format!("{}: {}", report.agent, report.text)).collect();
    assert_eq!(said, left);
}

#[test]
fn a_confidence_that_is_none() {
    for (given, piece) in [
        ("85", "85 is not within 0..1; if it is percent write 0.85"),
        ("-0.2", "-0.2 is not within 0..1; write a number such as 0.85"),
        ("NaN", "NaN is not within 0..1"),
        ("Infinity", "Infinity is not within 0..1"),
        ("1e400", "1e400 is not within 0..1"),
        ("\"high\"", "high is not within 0..1"),
        ("true", "true is not within 0..1"),
        ("[0.5]", "[0.5] is not within 0..1"),
        ("{\"value\":7}", "7 is not within 0..1; if it is percent write 0.07"),
    ] {
        let file = format!("[{{\"agent\":\"a\",\"text\":\"x\",\n\"confidence\":{given}}}]");
        check(&file, &[(Malformed, 2, piece)], &["a: x"]);
        assert_eq!(reports(file.as_bytes()).0[0].confidence, None);
    }
    let file = r#"{"agent":"a","findings":[{"text":"x","confidence":3,"stakes":"huge"}]}"#;
    let expected = [
        (Malformed, 1, "the confidence of finding 1 of report 1 (“a”)"),
        (Malformed, 1, "huge is none of info, low, medium and high"),
    ];
    check(file, &expected, &["a: - x"]);
}

#[test]
fn missing_things() {
    for file in [r#"{"agent":"a","text":"x"}"#, r#"{"agent":"a","text":"x","confidence":null}"#] {
        check(file, &[], &["a: x"]);
    }
    let file =
        "[{\"agent\":\"a\",\"text\":\"x\"},\n{\"text\":\"y\"},\n{\"agent\":\" \",\"text\":\"z\"}]";
    let expected = [
        (MissingField, 2, "report 2 does not say whose it is; it is kept under the name “agent 2”"),
        (MissingField, 3, "“agent 3”"),
    ];
    check(file, &expected, &["a: x", "agent 2: y", "agent 3: z"]);
}

#[test]
fn an_agent_named_twice_is_one_with_two_reports() {
    let file = r#"[{"agent":"a","text":"x"},{"agent":"a","text":"y"}]"#;
    check(file, &[], &["a: x", "a: y"]);
}

#[test]
fn empty_reports() {
    let file = "[{\"agent\":\"a\",\"text\":\"x\"},\n{\"agent\":\"b\"},\n\
                {\"agent\":\"c\",\"text\":\" \",\"findings\":[]},\n\
                {\"agent\":\"d\",\"body\":\"long\"},\nnull,\n7]";
    let expected = [
        (Empty, 2, "report 2 (“b”) says nothing: it has neither a `text` nor `findings`."),
        (Empty, 3, "report 3 (“c”) says nothing"),
        (MissingField, 4, "its fields body are not known"),
        (Empty, 5, "report 5 is null, not an object"),
        (Malformed, 6, "report 6 is a number, not an object"),
    ];
    check(file, &expected, &["a: x"]);
    check(r#"{"reports":[]}"#, &[(Empty, 1, "nothing in it")], &[]);
    let (none, problems) = reports(br#"{"messages":[{"role":"user","content":"Hello?"}]}"#);
    assert!(none.is_empty());
    assert_eq!((problems.len(), problems[0].kind), (1, Empty), "{problems:?}");
}

#[test]
fn wrong_types() {
    let file = "[{\"agent\":[1],\"name\":\"a\",\n\"text\":{\"x\":1},\n\"findings\":[\n5,\n\"\",\n\
                {\"metric\":{},\n\"value\":3,\"extra\":{\"y\":[]}},\n{\"entity\":\"Qatar\"}]},\n\
                {\"agent\":\"b\",\"text\":\"x\",\"findings\":7}]";
    let expected = [
        (Malformed, 1, "the `agent` of report 1 (“agent 1”) is a list, not a text"),
        (Malformed, 2, "the `text` of report 1 (“a”) is an object, not a text"),
        (Malformed, 4, "finding 1 of report 1 (“a”) is a number"),
        (Empty, 5, "finding 2 of report 1 (“a”) is empty"),
        (Malformed, 6, "the `metric` of finding 3 of report 1 (“a”) is an object"),
        (MissingField, 8, "finding 4 of report 1 (“a”) says nothing"),
        (Malformed, 9, "the findings of report 2 (“b”) are a number"),
    ];
    check(file, &expected, &["a: - 3", "b: x"]);
}

#[test]
fn values_that_are_no_numbers_are_kept_as_text() {
    for (value, shown) in [
        ("\"N/A\"", "N/A"),
        ("\"high\"", "high"),
        ("NaN", "NaN"),
        ("true", "true"),
        ("[1, 2]", "[1, 2]"),
    ] {
        let file = format!(
            "{{\"agent\":\"a\",\n\"findings\":[{{\"metric\":\"CPI\",\"value\":{value}}},\"b\"]}}"
        );
        let text = format!("a: - CPI: {shown}\n- b");
        check(&file, &[(Malformed, 2, "no figure could be read in the value")], &[&text]);
    }
    let file =
        r#"{"agent":"a","findings":[{"text":"Prices rise.","metric":"CPI","value":"fast"}]}"#;
    check(file, &[(Malformed, 1, "“fast”")], &["a: - Prices rise. CPI: fast"]);
}

#[test]
fn deep_values_are_kept_as_text() {
    let deep = format!("{}1{}", "{\"k\":".repeat(30), "}".repeat(30));
    let file = format!(r#"{{"agent":"a","metrics":{{"m":{deep}}}}}"#);
    let (found, problems) = reports(file.as_bytes());
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(found[0].text.ends_with(&"}".repeat(20)), "{}", found[0].text);
    let bottomless = format!("{{\"agent\":\"a\",\"text\":\"x\"}}\n{}\n", "[".repeat(9999));
    check(&bottomless, &[(Limit, 2, "nested deeper")], &["a: x"]);
}

#[test]
fn citations_that_quote_another_value() {
    let cite = |value: &str| format!("\"Per extraction: '{value}' from PSA\"");
    let file = format!(
        "{{\"agent\":\"a\",\"findings\":[\n{{\"metric\":\"CPI\",\"value\":0.10,\"unit\":\"%\",\"citation\":{}}}]}}",
        cite("0.12%")
    );
    let text = "a: - CPI: 0.10 % [Per extraction: '0.12%' from PSA]";
    let piece = "finding 1 of report 1 (“a”) gives “0.10 %”, but its citation quotes “0.12%”";
    check(&file, &[(Malformed, 2, piece)], &[text]);
    for (finding, is_fine) in [
        (format!(r#"{{"text":"CPI is 5 %.","citations":[{}]}}"#, cite("6%")), false),
        (format!(r#"{{"text":"CPI is up.","citations":[{},{}]}}"#, cite("6%"), cite("7%")), false),
        (format!(r#"{{"metric":"m","value":"$1.5 bn","source":{}}}"#, cite("1,500 million")), true),
        (format!(r#"{{"metric":"m","value":4.6,"source":{}}}"#, cite("4.64%")), true),
    ] {
        let file = format!(r#"{{"agent":"a","findings":[{finding}]}}"#);
        assert_eq!(reports(file.as_bytes()).1.is_empty(), is_fine, "{file}");
    }
    let file = format!(r#"{{"agent":"a","text":"CPI is 5 %.","citations":[{}]}}"#, cite("6%"));
    check(&file, &[(Malformed, 1, "nowhere gives the value that it quotes")], &["a: CPI is 5 %."]);
}

#[test]
fn broken_lines_and_cut_off_files() {
    let good = r#"{"agent":"a","text":"x"}"#;
    let file = format!("{good}\n{{\"agent\":\"b\",\"te\n{good}\n");
    check(&file, &[(Malformed, 2, "a string is never closed")], &["a: x", "a: x"]);
    let cut = format!("[\n{good},\n{good}");
    check(&cut, &[(Malformed, 3, "ends too early")], &["a: x", "a: x"]);
    let cut = format!("[\n{good},\n{good},\n{{\"agent\":\"b\",\"text\":\"begun");
    check(&cut, &[(Malformed, 4, "a string is never closed")], &["a: x", "a: x"]);
    // Half a number is another number.
    let cut = format!(
        "{{\"reports\":[{good},\n{{\"agent\":\"b\",\"findings\":[{{\"metric\":\"CPI\",\"value\":5}},\n\
         {{\"metric\":\"GDP\",\"value\":31"
    );
    check(&cut, &[(Malformed, 3, "ends too early")], &["a: x", "b: - CPI: 5"]);
    for cut in [
        r#"[{"agent":"b","metrics":{"CPI":5,"GDP":31"#,
        r#"[{"agent":"b","findings":[{"metric":"CPI","value":5}"#,
        r#"[{"agent":"b","findings":[{"metric":"CPI","value":5}],"confidence":0.8"#,
    ] {
        check(cut, &[(Malformed, 1, "ends too early")], &["b: - CPI: 5"]);
        assert_eq!(reports(cut.as_bytes()).0[0].confidence, None);
    }
}

#[test]
fn other_files() {
    for (bytes, kind) in [
        (&b""[..], Empty),
        (b"{\"colour\":\"red\"}", ProblemKind::UnknownFormat),
        (b"[\"a\",\"b\"]", ProblemKind::UnknownFormat),
        (b"7", ProblemKind::UnknownFormat),
    ] {
        let (found, problems) = reports(bytes);
        assert!(found.is_empty());
        assert_eq!(problems.iter().map(|it| it.kind).collect::<Vec<_>>(), [kind], "{problems:?}");
    }
}

#[test]
fn ten_megabytes_are_read_and_seventeen_cut() {
    let long = "Unemployment stays where it was. ".repeat((10 << 20) / 33);
    let lines = format!(
        "{{\"agent\":\"a\",\"text\":\"x\"}}\n{{\"agent\":\"b\",\"text\":\"{long}\"}}\n{{\"agent\":\"c\",\"text\":\"y\"}}\n"
    );
    let (found, problems) = reports(lines.as_bytes());
    assert_eq!(problems, []);
    assert_eq!(found[1].text, long);
    assert_eq!(found.len(), 3);
    let longer = "é".repeat(limits::REPORT_BYTES / 2 + 1);
    let file = format!(
        "[{{\"agent\":\"a\",\"text\":\"{longer}\",\"findings\":[{{\"metric\":\"m\",\"value\":1}}]}},\n{{\"agent\":\"b\",\"text\":\"y\"}}]"
    );
    let (found, problems) = reports(file.as_bytes());
    assert_eq!((problems.len(), problems[0].kind), (1, Limit));
    assert!(problems[0].message.contains("16777216 bytes"), "{}", problems[0]);
    assert_eq!((found[0].text.len(), found[0].given.len()), (limits::REPORT_BYTES, 0));
    assert_eq!(found[1].text, "y");
}

#[test]
fn what_does_not_fit_the_text_any_more() {
    let file = "{\"agent\":\"a\",\"text\":\"short\",\n\"given\":[{\"span\":[0,5]},{\"span\":[3,99]}],\n\
        \"adjustments\":[{\"contradiction\":\"c\",\"span\":[0,3],\"original\":\"old\",\"note\":\"n\",\
        \"by\":\"rules\",\"why\":\"w\"}]}";
    let expected = [
        (Malformed, 2, "1 of the `given` of report 1 (“a”) do not fit its text"),
        (Malformed, 3, "1 of the `adjustments`"),
    ];
    check(file, &expected, &["a: short"]);
    let file = r#"{"agent":"a","text":"x","given":[{"span":"no"}],"findings":["f"]}"#;
    check(file, &[(Malformed, 1, "is not what Rebuttal writes there")], &["a: x\n\n- f"]);
}

#[test]
fn long_names_and_escapes_in_messages() {
    let name = "n".repeat(200);
    let file = format!(r#"{{"agent":"{name}","text":"x"}}"#);
    check(
        &file,
        &[(Limit, 1, "longer than 120 characters")],
        &[&format!("{}: x", "n".repeat(120))],
    );
    let (_, problems) = reports(br#"{"agent":"\u001b[31m","text":"x","confidence":"\u001b[0m"}"#);
    assert!(!problems[0].message.chars().any(char::is_control));
}

#[test]
fn fields_that_say_nothing_or_something_else() {
    for (finding, kind, piece, left) in [
        (
            r#"{"metric":"rent","value":1e999}"#,
            Malformed,
            "the value 1e999 of finding 1",
            "a: - Rent: 1e999",
        ),
        (
            r#"{"metric":"rent","value":5,"period":"foo"}"#,
            Malformed,
            "no time could be read in the period “foo”",
            "a: - Rent in foo: 5",
        ),
        (
            r#"{"text":"Rent is $7.","metric":"rent","value":9}"#,
            Conflicting,
            "gives 7, and its `value` is 9",
            "a: - Rent is $7. Rent: 9",
        ),
    ] {
        let file = format!(r#"[{{"agent":"a","findings":[{finding}]}}]"#);
        check(&file, &[(kind, 1, piece)], &[left]);
    }
    for period in ["2024", "last quarter", "Sept", "YTD", "spring"] {
        let finding = format!(r#"{{"metric":"rent","value":5,"period":"{period}"}}"#);
        let file = format!(r#"[{{"agent":"a","findings":[{finding}]}}]"#);
        assert_eq!(reports(file.as_bytes()).1, [], "{period}");
    }
}

#[test]
fn a_map_of_agents_to_what_they_say() {
    let file = r#"{"Ann":"Rent is 5 dollars.","Ben":{"text":"Rent is 6 dollars."}}"#;
    check(file, &[], &["Ann: Rent is 5 dollars.", "Ben: Rent is 6 dollars."]);
}
