//! SARIF, JUnit and HTML have the shape that other programs expect.

use serde_json::Value;

use crate::run::run;

const INPUTS: &str = "examples/transcripts/kubernetes.json no/such.json";

#[test]
fn sarif_has_what_2_1_0_requires() {
    let sarif: Value =
        serde_json::from_str(&run(&format!("audit {INPUTS} --format sarif")).stdout).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert!(results.len() >= 3);
    for result in results {
        let index =
            usize::try_from(result["ruleIndex"].as_u64().expect("a number")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(!rules[index]["help"]["text"].as_str().expect("help").is_empty());
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("level")));
        assert!(!result["message"]["text"].as_str().expect("text").is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "examples/transcripts/kubernetes.json");
        assert!(place["region"]["startLine"].as_u64().expect("a line") >= 1);
        assert!(place["region"]["byteLength"].as_u64().expect("a length") >= 1);
    }
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notes = invocation["toolExecutionNotifications"].as_array().expect("notes");
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0]["level"], "error");
}

#[test]
fn junit_is_well_formed_and_counts_right() {
    for args in [format!("audit {INPUTS} -f junit"), "rubric test examples/rubric -f junit".into()]
    {
        let xml = run(&args).stdout;
        let open = well_formed(&xml);
        let count = |name: &str| open.iter().filter(|tag| *tag == name).count();
        for (attribute, element) in
            [("tests", "testcase"), ("failures", "failure"), ("errors", "error")]
        {
            assert_eq!(total(&xml, attribute), count(element), "{attribute}\n{xml}");
        }
    }
}

/// The sum of an attribute over all suites.
fn total(xml: &str, attribute: &str) -> usize {
    (xml.split("<testsuite ").skip(1))
        .map(|suite| {
            let (_, rest) = suite.split_once(&format!(" {attribute}=\"")).expect("is there");
            let (number, _) = rest.split_once('"').expect("ends");
            number.parse::<usize>().expect("a number")
        })
        .sum()
}

/// Checks that tags nest and text is escaped; returns the names of all elements.
fn well_formed(xml: &str) -> Vec<String> {
    let mut open = Vec::new();
    let mut seen = Vec::new();
    let body = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("a prolog");
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && !tag.contains('\n'), "{piece}");
        for entity in piece.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "#10;"];
            assert!(known.iter().any(|name| entity.starts_with(name)), "&{entity}");
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{piece}");
            continue;
        }
        let name = tag.split([' ', '/']).next().expect("a name").to_owned();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if !tag.ends_with('/') {
            open.push(name.clone());
        }
        seen.push(name);
    }
    assert!(open.is_empty(), "left open: {open:?}");
    seen
}

#[test]
fn the_page_stands_alone() {
    let page = run(&format!("audit {INPUTS} --format html")).stdout;
    assert!(page.starts_with("<!DOCTYPE html>"));
    for forbidden in ["<script", "http://", "https://", "javascript:", "src=", "@import", "url("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"));
    assert!(page.contains("no/such.json"), "problems are on the page");
}

#[test]
fn links_on_the_page_lead_somewhere_and_back() {
    let page = run("audit examples/transcripts --format html").stdout;
    let links: Vec<_> =
        page.split("href=\"#").skip(1).filter_map(|it| it.split('"').next()).collect();
    assert!(links.len() >= 10);
    for link in links {
        assert_eq!(page.matches(&format!(" id=\"{link}\"")).count(), 1, "#{link}");
    }
}
