//! Two configurations live side by side in one process.

use std::thread;

use rebuttal::audit::AuditSettings;
use rebuttal::config::Config;
use rebuttal::detect::Reader;
use rebuttal::model::{Finding, Method};
use rebuttal::transcripts::{Item, ReadOptions, read};

use crate::HOLLOW;

fn settings(text: &str) -> AuditSettings {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rebuttal.toml");
    std::fs::write(&path, text).unwrap();
    let config = Config::load(Some(&path)).unwrap();
    AuditSettings::new(Method::Model, &config).unwrap()
}

fn findings(settings: &AuditSettings) -> Vec<Finding> {
    let mut findings = Vec::new();
    read("log.txt", HOLLOW.as_bytes(), &ReadOptions::default(), &mut |item| match item {
        Item::Transcript(transcript) => {
            findings.extend(rebuttal::audit(&transcript, settings).findings);
        }
        Item::Problem(problem) => panic!("{problem}"),
    });
    findings
}

fn hollow(found: &[Finding]) -> usize {
    found.iter().filter(|finding| finding.rule.as_str().starts_with("hollow")).count()
}

#[test]
fn each_has_its_own_models_settings_and_threads() {
    let one = settings("[semantics]\nthreads = 1\n");
    let three = settings("[semantics]\nthreads = 3\n[debate]\nenable_trickster = false\n");
    let rules = settings("[semantics]\ninference = 'rules'\n");
    assert_eq!((one.analyzer.threads(), three.analyzer.threads()), (1, 3));
    let (Reader::Model(first), Reader::Model(second)) =
        (one.analyzer.reader(), three.analyzer.reader())
    else {
        panic!("both read with models")
    };
    assert!(!std::ptr::eq(first, second), "each has models of its own");
    assert!(matches!(rules.analyzer.reader(), Reader::Rules));

    // Side by side they find what each finds alone, and the settings of one do not reach the other.
    let alone = [findings(&one), findings(&three), findings(&rules)];
    let beside = thread::scope(|scope| {
        [&one, &three, &rules]
            .map(|settings| scope.spawn(|| findings(settings)))
            .map(|thread| thread.join().unwrap())
    });
    assert_eq!(beside, alone);
    assert!(hollow(&alone[0]) > 0 && hollow(&alone[2]) > 0, "{alone:#?}");
    assert_eq!(hollow(&alone[1]), 0, "the trickster is off there: {alone:#?}");
}
