//! Agents' reports: every shape that is accepted, and what becomes of it.

use std::io::Write;

use proptest::prelude::*;
use rebuttal_model::{
    Adjustment, AgentId, Arbiter, Confidence, FindingId, Given, Problem, Report, Severity, Span,
    Whose,
};
use rebuttal_text::{Reading, Unit, Value};
use rebuttal_transcripts::{Format, ReadOptions, read_reports, read_reports_path};

pub(crate) fn reports(bytes: &[u8]) -> (Vec<Report>, Vec<Problem>) {
    read_reports("in", bytes, &ReadOptions::default())
}

/// `agent: text` of every report, of a file without problems.
#[track_caller]
fn said(file: &str) -> Vec<String> {
    let (reports, problems) = reports(file.as_bytes());
    assert_eq!(problems, [], "{file}");
    reports.iter().map(|report| format!("{}: {}", report.agent, report.text)).collect()
}

fn line_of(report: &Report) -> u32 {
    report.source.as_ref().unwrap().line
}

#[test]
fn lists_wrappers_and_lines() {
    let (one, two) = (r#"{"agent":"a","text":"Yes."}"#, r#"{"agent":"b","text":"No."}"#);
    for file in [
        format!("[{one},{two}]"),
        format!("{one}\n{two}\n"),
        format!("\u{feff}{one}\r\n\r\n{two}\r\n"),
        format!(r#"{{"reports":[{one},{two}]}}"#),
        format!(r#"{{"run":7,"agent_reports":[{one},{two}]}}"#),
        format!(r#"{{"adjusted_reports":[{one},{two}],"reports":[]}}"#),
        format!(r#"{{"status":"done","consensus":{{"adjusted_reports":[{one},{two}]}}}}"#),
        r#"{"reports":{"a":{"text":"Yes."},"b":"No."}}"#.to_owned(),
    ] {
        assert_eq!(said(&file), ["a: Yes.", "b: No."], "{file}");
    }
    assert_eq!(said(one), ["a: Yes."]);
}

#[test]
fn packed_files_and_paths() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(br#"[{"agent":"a","text":"Yes."}]"#).unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(reports(&packed).0[0].text, "Yes.");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("r.json.gz");
    std::fs::write(&path, packed).unwrap();
    let (found, problems) = read_reports_path(&path, &ReadOptions::default());
    assert_eq!((found.len(), problems), (1, Vec::new()));
    let (none, problems) = read_reports_path(directory.path(), &ReadOptions::default());
    assert!(none.is_empty() && problems[0].message.contains("is a directory"));
}

#[test]
fn other_names_for_the_fields() {
    for agent in ["agent", "agent_name", "name", "author", "role", "id"] {
        for text in ["text", "report", "content", "narrative", "analysis", "summary"] {
            let file = format!(r#"[{{"{agent}":"ann","{text}":"Yes."}}]"#);
            assert_eq!(said(&file), ["ann: Yes."], "{file}");
        }
    }
    for list in ["findings", "claims", "key_findings", "insights", "metrics"] {
        assert_eq!(said(&format!(r#"{{"agent":"a","{list}":["x is y."]}}"#)), ["a: - x is y."]);
    }
    assert_eq!(
        said(r#"{"agent":{"name":"a"},"summary":"Short.","analysis":"Long.","report":"Long."}"#),
        ["a: Long.\n\nShort."]
    );
    let (found, _) = reports(br#"{"agent":"a","text":"x","confidence_score":0.5}"#);
    assert_eq!(found[0].confidence, Confidence::new(0.5, Whose::Stated));
}

/// Metric, entity, value, unit, period and source, as `rebuttal-text` reads the line.
#[track_caller]
fn figures(finding: &str) -> Vec<String> {
    let file = format!(r#"{{"agent":"a","findings":[{finding}]}}"#);
    let (found, problems) = reports(file.as_bytes());
    assert_eq!(problems, [], "{finding}");
    let text = &found[0].text;
    let reading = Reading::new(text);
    let shown = reading.figures().into_iter().map(|figure| {
        let metric: Vec<&str> =
            figure.metric.iter().map(|it| it.name.or(it.span.of(text)).unwrap()).collect();
        let of = |span: Option<Span>| span.and_then(|span| span.of(text)).unwrap_or("-").to_owned();
        let value = match figure.value {
            Value::Exact(value) => value.to_string(),
            other => format!("{other:?}"),
        };
        let unit = match figure.quantity.unit {
            Unit::Percent => "%".to_owned(),
            Unit::Currency(code) => code.to_string(),
            other => format!("{other:?}"),
        };
        format!(
            "{} | {} | {value} {unit} | {} | {}",
            metric.join(" "),
            of(figure.entity_span),
            of(figure.period.map(|it| it.span)),
            of(figure.citation.map(|it| it.source)),
        )
    });
    shown.collect()
}

#[test]
fn fields_come_back_as_figures() {
    let qatar = "unemployment rate | Qatar | 0.1 % | Q1-2024 | GCC-STAT";
    for (finding, expected) in [
        (
            r#"{"metric":"unemployment_rate","entity":"Qatar","value":0.10,"unit":"%",
               "period":"Q1-2024","citation":"[Per extraction: '0.10%' from GCC-STAT Q1-2024]"}"#,
            qatar,
        ),
        (
            r#"{"indicator":"unemployment rate","country":"qatar","value":"0.10%",
               "date":"Q1-2024","source":"GCC-STAT"}"#,
            qatar,
        ),
        (
            r#"{"claim":"It fell to 0.1 %.","metric":"unemployment rate","entity":"Qatar",
               "period":"Q1-2024","value":0.1,"unit":"percent","citations":["GCC-STAT"]}"#,
            qatar,
        ),
        (
            r#"{"metric":"GDP","company":"Qatar","value":"$317.1 billion","year":2014,
               "source":{"name":"World Bank"}}"#,
            "gdp | Qatar | 317100000000 USD | 2014 | World Bank",
        ),
        (
            r#"{"metric":"gdp","entity":"Qatar","value":3.171e11,"unit":"USD","period":"2014",
               "sources":["World Bank"]}"#,
            "gdp | Qatar | 317100000000 USD | 2014 | World Bank",
        ),
        (
            r#"{"metric":"gdp","entity":"Qatar","value":317.1,"unit":"USD billion","year":2014,
               "source":"World Bank"}"#,
            "gdp | Qatar | 317100000000 USD | 2014 | World Bank",
        ),
        (
            r#"{"metric":"p99 latency","subject":"checkout","value":120,"unit":"ms",
               "time":"2024-03"}"#,
            "p99 latency | Checkout | 0.12 Seconds | 2024-03 | -",
        ),
    ] {
        assert_eq!(figures(finding), [expected], "{finding}");
    }
}

#[test]
fn maps_of_values() {
    let (found, problems) = reports(
        br#"[{"agent":"a","metrics":{"unemployment":0.1,"gdp":{"value":3,"unit":"%","year":2020},
            "none":null}},
            {"agent":"b","findings":[{"metric":"CPI","unit":"%","value":{"2023":2,"2024":3}},
            {"metric":"CPI","value":{"Oman":4}},{"inflation":5},
            {"metric":"tax","value":[{"period":"2021","value":6},{"period":"2022","value":7}]}]}]"#,
    );
    assert_eq!(problems, []);
    assert_eq!(found[0].text, "- Unemployment: 0.1\n- Gdp in 2020: 3 %");
    let lines: Vec<&str> = found[1].text.lines().collect();
    let expected = [
        "- CPI in 2023: 2 %",
        "- CPI in 2024: 3 %",
        "- CPI of Oman: 4",
        "- Inflation: 5",
        "- Tax in 2021: 6",
        "- Tax in 2022: 7",
    ];
    assert_eq!(lines, expected);
    assert_eq!(found[1].given[0].period.as_deref(), Some("2023"));
}

#[test]
fn every_finding_knows_its_line_and_its_fields() {
    let file = r#"{"agent":"a","confidence":"90%","text":"Qatar does well.","findings":[
        "Prices are stable.",
        {"title":"Jobs","summary":"Few are idle","confidence":0.4,"stakes":"high",
         "entity":"Qatar","source":"PSA"}]}"#;
    let (found, problems) = reports(file.as_bytes());
    assert_eq!(problems, []);
    let Report { text, given, confidence, .. } = &found[0];
    let expected =
        "Qatar does well.\n\n- Prices are stable.\n- Qatar: Jobs. Few are idle; source: PSA";
    assert_eq!(text, expected);
    assert_eq!(confidence.map(Confidence::value), Some(0.9));
    let spans: Vec<&str> = given.iter().map(|it| it.span.of(text).unwrap()).collect();
    assert_eq!(spans, ["Prices are stable.", "Qatar: Jobs. Few are idle; source: PSA"]);
    let last = Given {
        span: given[1].span,
        entity: Some("Qatar".into()),
        citation: Some("PSA".into()),
        confidence: Confidence::new(0.4, Whose::Stated),
        stakes: Some(Severity::High),
        ..Given::default()
    };
    assert_eq!(given[1], last);
}

#[test]
fn sources_of_the_whole() {
    let (found, problems) = reports(
        br#"[{"agent":"a","text":"Jobs grow.","citation":"PSA","findings":[{"metric":"m","value":1}]},
            {"agent":"b","text":"Rate 0.10 %, later 2 %.","citations":["Per extraction: '2%' from WB",
             "Per extraction: '0.10%' from PSA"]},
            {"agent":"c","text":"Jobs grow.","citations":["PSA","WB"]}]"#,
    );
    assert_eq!(problems, []);
    let cited = |report: &Report| -> Vec<(String, String)> {
        let of = |it: &Given| it.span.of(&report.text).unwrap().to_owned();
        report.given.iter().map(|it| (of(it), it.citation.clone().unwrap())).collect()
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(cited(&found[0]), [pair("Jobs grow.", "PSA"), pair("M: 1", "PSA")]);
    let (first, second) = ("[Per extraction: '0.10%' from PSA]", "[Per extraction: '2%' from WB]");
    assert_eq!(cited(&found[1]), [pair("0.10", first), pair("2", second)]);
    assert_eq!(found[2].text, "Jobs grow.\n\n- Reference: PSA\n- Reference: WB");
}

#[test]
fn lines_are_right_in_a_pretty_printed_list() {
    let file = "\n[\n  {\n    \"agent\": \"a\",\n    \"text\": \"x\"\n  },\n  {\n    \"agent\": \
                \"b\",\n    \"confidence\": 85,\n    \"text\": \"y\"\n  }\n]\n";
    let (found, problems) = reports(file.as_bytes());
    assert_eq!(found.iter().map(line_of).collect::<Vec<_>>(), [3, 7]);
    assert_eq!(problems[0].line, Some(9));
    let bytes = found[1].source.as_ref().unwrap().bytes;
    assert!(bytes.of(file).unwrap().starts_with("{\n    \"agent\": \"b\""));
}

#[test]
fn transcripts_give_a_report_for_each_turn_of_an_agent() {
    // One line of prose is not known for a conversation.
    let is_known = |format: &Format| !matches!(format, Format::Markdown | Format::Text);
    for format in Format::ALL.into_iter().filter(is_known) {
        let (found, problems) = reports(format.example().as_bytes());
        assert_eq!((problems, found.is_empty()), (Vec::new(), false), "{}", format.name());
        assert!(found.iter().all(|report| report.source.is_some()));
        assert!(found.iter().all(|report| report.agent.as_str() != "user"), "{found:?}");
    }
    let file = "{\"debate\":\"d\",\"question\":\"Adopt?\"}\n\
        {\"debate\":\"d\",\"agent\":\"u\",\"role\":\"user\",\"text\":\"Adopt?\"}\n\
        {\"debate\":\"d\",\"round\":1,\"agent\":\"a\",\"text\":\"Yes.\",\"confidence\":0.7}\n\
        {\"debate\":\"d\",\"round\":2,\"agent\":\"a\",\"text\":\"No.\"}\n";
    let (found, problems) = reports(file.as_bytes());
    assert_eq!(problems, []);
    let texts: Vec<&str> = found.iter().map(|it| it.text.as_str()).collect();
    assert_eq!((texts, line_of(&found[0])), (vec!["Yes.", "No."], 3));
    assert_eq!(found[0].confidence.map(Confidence::value), Some(0.7));
    let named = ReadOptions { from: Some(Format::Text), ..ReadOptions::default() };
    let (found, _) = read_reports("in", &b"Ann: Yes.\nBen: No.\nAnn: Yes!\n"[..], &named);
    assert_eq!(found.len(), 3);
}

#[test]
fn own_output_comes_back_as_it_was() {
    let text = " Trailing blanks \r\n\n\tand “quotes” \\ \u{0} stay. 0.1 ";
    let mut report = Report::new(AgentId::new("a"), text);
    report.confidence = Confidence::new(0.123_456_789_012_345_67, Whose::Calibrated);
    report.given = vec![Given {
        span: Span::new(1, 9),
        metric: Some("m".into()),
        confidence: Confidence::new(1.0 / 3.0, Whose::Stated),
        ..Given::default()
    }];
    report.adjustments = vec![Adjustment {
        contradiction: FindingId::new("c1"),
        span: Span::new(1, 9),
        original: "Trailing".into(),
        note: "n".into(),
        recommended_value: Some(0.1 + 0.2),
        by: Arbiter::Agent(AgentId::new("judge")),
        why: "w".into(),
    }];
    report.source =
        Some(rebuttal_model::Source { file: "first.json".into(), line: 4, bytes: Span::new(3, 8) });
    let document = serde_json::json!({
        "format": "rebuttal-reconcile",
        "consensus": {"adjusted_reports": [report, Report::new(AgentId::new("b"), "plain")]},
    });
    let (found, problems) = reports(serde_json::to_string_pretty(&document).unwrap().as_bytes());
    assert_eq!(problems, []);
    assert_eq!(found[0], report);
    assert_eq!(found[1].text, "plain");
}

#[test]
fn what_was_read_is_read_again_unchanged() {
    // Blanks inside a name are part of it.
    let file = r#"[{"agent":"a \u000b b","text":"t","citations":["A","B"],"findings":[
        {"metric":"m","value":1e3,"unit":"%","source":"S; T","confidence":0.3}, "f"]}]"#;
    let (first, _) = reports(file.as_bytes());
    let (again, problems) = reports(serde_json::json!({"reports": first}).to_string().as_bytes());
    assert_eq!((again, problems), (first, Vec::new()));
}

/// What must hold whatever was read.
fn check(bytes: &[u8]) {
    let (found, problems) = reports(bytes);
    assert!(!found.is_empty() || !problems.is_empty(), "silence");
    for problem in &problems {
        assert!(!problem.message.chars().any(char::is_control), "{problem:?}");
    }
    for report in &found {
        assert!(!report.text.trim().is_empty() && report.source.is_some());
        assert!(report.given.iter().all(|it| it.span.of(&report.text).is_some()), "{report:?}");
        let ends = report.given.iter().map(|it| it.span.start());
        assert!(ends.is_sorted(), "{report:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&bytes);
    }

    #[test]
    fn any_fields_are_survived(parts in proptest::collection::vec(proptest::sample::select(vec![
        "{", "}", "[", "]", ":", ",", "\n", "\"agent\":", "\"text\":", "\"findings\":", "\"value\":",
        "\"metric\":", "\"citations\":", "\"given\":", "\"confidence\":", "\"a\"", "\"0.1 %\"",
        "'", "85", "1e400", "NaN", "null", "true", "\"Per extraction: '1' from X\"", "\"é ́\"",
    ]), 0..40)) {
        check(parts.concat().as_bytes());
    }

    #[test]
    fn no_valid_line_is_lost(lines in proptest::collection::vec(
        proptest::option::of("[{}\\[\":,a-z0-9]{0,30}"), 1..12)) {
        let good = r#"{"agent":"keeper","text":"Kept."}"#;
        let mut file: Vec<&str> = vec![good];
        file.extend(lines.iter().map(|line| line.as_deref().unwrap_or(good)));
        let wanted = file.iter().filter(|line| **line == good).count();
        let (found, _) = reports(file.join("\n").as_bytes());
        prop_assert_eq!(found.iter().filter(|it| it.agent.as_str() == "keeper").count(), wanted);
    }

    #[test]
    fn any_text_comes_back_byte_for_byte(text in "\\PC{1,60}\n?\\PC{0,20}") {
        prop_assume!(!text.trim().is_empty());
        let file = serde_json::json!([{"agent": "a", "text": text}]).to_string();
        let (found, _) = reports(file.as_bytes());
        prop_assert_eq!(&found[0].text, &text);
    }
}

#[test]
fn a_finding_with_two_sources_says_so() {
    let file = r#"[{"agent":"a","findings":[{"metric":"inflation","value":"3 %","citation":"IMF 2024","source":"World Bank"}]},
{"agent":"b","findings":[{"metric":"inflation","value":"3 %","citation":"IMF 2024","source":"IMF"}]}]"#;
    let (reports, problems) = read_reports("r.json", file.as_bytes(), &ReadOptions::default());
    assert_eq!(reports.len(), 2);
    let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("r.json:1: ") && messages[0].contains("different sources"));
}
