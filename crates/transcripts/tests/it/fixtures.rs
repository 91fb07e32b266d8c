//! Every fixture, read whole and compared whole.

use rebuttal_model::Transcript;
use rebuttal_transcripts::{ReadOptions, read};

use crate::support::{Outcome, contents, fixtures, read_as};

#[test]
fn every_fixture_reads_as_recorded() {
    for (format, path) in fixtures() {
        let file = path.file_name().unwrap().to_str().unwrap();
        let name = format!("{}/{file}", format.name());
        let mut outcome = Outcome::default();
        read(&name, &*contents(&path), &ReadOptions::default(), &mut |item| outcome.take(item));
        assert_eq!(outcome.complaints(), [] as [&str; 0], "{name}");
        insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false}, {
            insta::assert_json_snapshot!(name.replace('/', "__"), outcome.transcripts);
        });
    }
}

/// What is left when places are forgotten.
fn without_sources(mut transcripts: Vec<Transcript>) -> Vec<Transcript> {
    for transcript in &mut transcripts {
        transcript.turns.iter_mut().for_each(|turn| turn.source = None);
    }
    transcripts
}

#[test]
fn naming_the_format_changes_nothing() {
    for (format, path) in fixtures() {
        let bytes = contents(&path);
        assert_eq!(read_as(&bytes, Some(format)), read_as(&bytes, None), "{}", path.display());
    }
}

#[test]
fn carriage_returns_and_a_byte_order_mark_change_nothing_but_places() {
    for (_, path) in fixtures() {
        let text = String::from_utf8(contents(&path)).unwrap();
        if text.contains('\r') || path.extension().is_some_and(|ext| ext == "md" || ext == "txt") {
            continue;
        }
        let dos = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
        let (plain, dos) = (read_as(text.as_bytes(), None), read_as(dos.as_bytes(), None));
        assert_eq!(dos.complaints(), [] as [&str; 0]);
        assert_eq!(
            without_sources(dos.transcripts),
            without_sources(plain.transcripts),
            "{}",
            path.display()
        );
    }
}

#[test]
fn the_bytes_of_a_turn_hold_its_text() {
    for (_, path) in fixtures() {
        let bytes = contents(&path);
        for turn in read_as(&bytes, None).transcripts.iter().flat_map(|t| &t.turns) {
            let source = turn.source.as_ref().unwrap();
            let slice = &bytes[source.bytes.start()..source.bytes.end()];
            let slice = String::from_utf8_lossy(slice);
            let line = bytes[..source.bytes.start()].split(|byte| *byte == b'\n').count();
            assert_eq!(source.line as usize, line, "{}", path.display());
            // Letters and digits look the same in every encoding.
            let word =
                turn.text.split(|c: char| !c.is_ascii_alphanumeric()).find(|w| !w.is_empty());
            let word = word.unwrap();
            assert!(slice.contains(word), "{}: {word:?} in {slice:?}", path.display());
        }
    }
}
