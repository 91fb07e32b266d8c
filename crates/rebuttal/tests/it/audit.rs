//! `rebuttal::audit` gives what `rebuttal audit` gives.

use std::sync::Arc;

use rebuttal::audit::{AuditSettings, Message, start};
use rebuttal::config::Config;
use rebuttal::inputs::{self, Input};
use rebuttal::model::{Finding, Method};
use rebuttal::report::audit::Keep;
use rebuttal::transcripts::{Item, ReadOptions, read_path};

use crate::HOLLOW;

/// One transcript at a time, and all files on all cores.
#[test]
fn one_transcript_and_many_files_give_the_same_findings() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("hollow.txt");
    std::fs::write(&log, HOLLOW).unwrap();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/transcripts");
    let settings = Arc::new(AuditSettings::new(Method::Rules, &Config::default()).unwrap());
    let found = inputs::find(&[examples.into(), log], None);
    let mut one_by_one: Vec<Finding> = Vec::new();
    for input in &found.inputs {
        let Input::File(path, _) = input else { panic!("{input:?}") };
        read_path(path, &ReadOptions::default(), &mut |item| {
            if let Item::Transcript(transcript) = item {
                one_by_one.extend(rebuttal::audit(&transcript, &settings).findings);
            }
        });
    }
    let mut together: Vec<Finding> = Vec::new();
    let results =
        start(found.inputs, ReadOptions::default(), settings, Keep::FindingsOnly).unwrap();
    for file in results {
        for message in file.messages {
            if let Message::Audited(audited) = message {
                together.extend(audited.findings);
            }
        }
    }
    assert_eq!(one_by_one, together);
    for rule in ["hollow-consensus", "self-contradiction", "injection"] {
        let is_found = together.iter().any(|finding| finding.rule.as_str().starts_with(rule));
        assert!(is_found, "{rule} in {together:#?}");
    }
}
