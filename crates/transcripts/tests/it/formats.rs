//! Single points of single formats.

use std::io::Write;

use rebuttal_model::{ProblemKind, Role};
use rebuttal_transcripts::{Columns, Format, Item, ReadOptions, read_path};

use crate::support::{Outcome, contents, fixtures, read_as, read_bytes, read_with};

#[test]
fn every_example_is_readable() {
    for format in Format::ALL {
        let outcome = read_as(format.example().as_bytes(), Some(format));
        assert_eq!(outcome.complaints(), [] as [&str; 0], "{}", format.name());
        assert!(!outcome.spoken().is_empty(), "{}", format.name());
        if format != Format::Markdown && format != Format::Text {
            let guessed = read_bytes(format.example().as_bytes());
            assert_eq!(guessed, outcome, "{} is recognised", format.name());
        }
    }
}

#[test]
fn columns_can_be_named() {
    let table = b"wer,was,wann\nAnn,Ja,3\nBob,Nein,4\n";
    assert_eq!(read_bytes(table).problems[0].kind, ProblemKind::UnknownFormat);
    let columns = Columns {
        agent: Some("wer".into()),
        text: Some("WAS".into()),
        round: Some("wann".into()),
        ..Columns::default()
    };
    let outcome = read_with(table, &ReadOptions { columns, ..ReadOptions::default() });
    assert_eq!(outcome.spoken(), ["Ann: Ja", "Bob: Nein"]);
    assert_eq!(outcome.transcripts[0].turns[1].round, Some(4));
    let columns = Columns { agent: Some("who".into()), ..Columns::default() };
    let outcome = read_with(
        table,
        &ReadOptions { from: Some(Format::Csv), columns, ..ReadOptions::default() },
    );
    assert!(outcome.complaints()[0].contains("the columns are wer, was, wann"), "{outcome:?}");
}

#[test]
fn a_column_that_is_not_there_is_named_with_those_that_are() {
    for table in ["agent,text\nAnn,Yes\nBob,No\n", "wer,was\nAnn,Ja\nBob,Nein\n"] {
        let columns = Columns { agent: Some("nosuch".into()), ..Columns::default() };
        let columns = if table.starts_with("wer") {
            Columns { text: Some("was".into()), ..columns }
        } else {
            columns
        };
        let outcome =
            read_with(table.as_bytes(), &ReadOptions { columns, ..ReadOptions::default() });
        let [complaint] = &outcome.complaints()[..] else { panic!("{outcome:?}") };
        assert!(
            complaint.contains("no column is called “nosuch”; the columns are "),
            "{complaint}"
        );
    }
    // Other files of the same run have no columns at all.
    let columns = Columns { agent: Some("nosuch".into()), ..Columns::default() };
    let outcome = read_with(
        b"Ann: Yes, now.\nBob: No.\n",
        &ReadOptions { columns, ..ReadOptions::default() },
    );
    assert_eq!(outcome.spoken(), ["Ann: Yes, now.", "Bob: No."]);
}

#[test]
fn one_assistant_may_speak_for_both_sides() {
    let message = |text: &str| format!(r#"{{"role":"assistant","content":"{text}"}}"#);
    let texts = ["Pro: Adopt it.", "Con: Do not.", "Pro: Do.", "Con: Never."];
    let list: Vec<String> = texts.iter().map(|text| message(text)).collect();
    let document = format!(r#"{{"messages":[{}]}}"#, list.join(","));
    for file in [document, list.join("\n")] {
        let outcome = read_bytes(file.as_bytes());
        assert_eq!(outcome.spoken(), texts);
        let source = outcome.transcripts[0].turns[1].source.clone().unwrap();
        assert_eq!(source.bytes.of(&file), Some(list[1].as_str()), "the bytes stay");
    }
}

#[test]
fn the_question_of_a_crew() {
    let question = |tasks: &[&str]| {
        let tasks: Vec<String> = tasks
            .iter()
            .map(|task| format!(r#"{{"description":"{task}","agent":"A","raw":"Yes."}}"#))
            .collect();
        let file = format!(r#"{{"raw":"Yes.","tasks_output":[{}]}}"#, tasks.join(","));
        read_bytes(file.as_bytes()).transcripts[0].question.clone()
    };
    assert_eq!(question(&["Look.", "Should we? "]).as_deref(), Some("Should we?"));
    assert_eq!(question(&["Decide it.", "Decide it."]).as_deref(), Some("Decide it."));
    assert_eq!(question(&["Look.", "Decide."]), None);
    let line = br#"{"agent":"A","task":"Should we?","status":"completed","output":"Yes."}"#;
    assert_eq!(read_bytes(line).transcripts[0].question.as_deref(), Some("Should we?"));
}

#[test]
fn gzip_is_unpacked() {
    for (_, path) in fixtures() {
        let bytes = contents(&path);
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&bytes).unwrap();
        assert_eq!(read_bytes(&packer.finish().unwrap()), read_bytes(&bytes), "{}", path.display());
    }
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const HEADER: &[u8] = br#"{"version":2,"status":"success","eval":{"task":"t","model":"m"}}"#;

#[test]
fn an_inspect_archive_gives_its_samples() {
    let sample = |text: &str| {
        format!(
            r#"{{"id":"{text}","epoch":1,"messages":[{{"role":"assistant","content":"{text}"}}]}}"#
        )
    };
    let archive = zip_of(&[
        ("header.json", HEADER),
        ("summaries.json", b"[]"),
        ("samples/b_epoch_1.json", sample("second").as_bytes()),
        ("samples/a_epoch_1.json", sample("first").as_bytes()),
        ("samples/c_epoch_1.json", b"{\"id\":"),
    ]);
    let outcome = read_bytes(&archive);
    assert_eq!(outcome.spoken(), ["assistant: first", "assistant: second"]);
    assert_eq!(outcome.transcripts[0].id.as_str(), "t/first/1");
    assert_eq!(outcome.transcripts[0].turns[0].model.as_deref(), Some("m"));
    let source = outcome.transcripts[1].turns[0].source.clone().unwrap();
    assert_eq!(&*source.file, "in!samples/b_epoch_1.json");
    assert!(outcome.complaints()[0].starts_with("in!samples/c_epoch_1.json:1: "), "{outcome:?}");

    let mut file = tempfile::NamedTempFile::with_suffix(".eval").unwrap();
    file.write_all(&archive).unwrap();
    let mut from_file = Outcome::default();
    read_path(file.path(), &ReadOptions::default(), &mut |item| from_file.take(item));
    assert_eq!(from_file.spoken(), outcome.spoken());
}

#[test]
fn any_archive_gives_its_members() {
    let archive = zip_of(&[
        ("b/talk.txt", b"Ann: Yes.\nBob: No.\n"),
        ("a/turns.csv", b"agent,text\nAnn,Hi\n"),
        ("c/inner.zip", &zip_of(&[("x", b"y")])),
    ]);
    let outcome = read_bytes(&archive);
    assert_eq!(outcome.spoken(), ["Ann: Hi", "Ann: Yes.", "Bob: No."]);
    assert_eq!(
        outcome.complaints(),
        ["in!c/inner.zip: is packed inside an archive; unpack it first"]
    );
}

#[test]
fn alternatives_are_conversations_of_their_own() {
    let line = br#"{"request":{"messages":[{"role":"user","content":"Q"}]},"response":{"choices":[{"message":{"role":"assistant","content":"A"}},{"message":{"role":"assistant","content":"B"}}]}}"#;
    let outcome = read_bytes(line);
    assert_eq!(outcome.spoken(), ["user: Q", "assistant: A", "user: Q", "assistant: B"]);
    assert_eq!(outcome.transcripts.len(), 2);
}

#[test]
fn agents_seen_as_users_are_agents() {
    let log = br#"[{"role":"user","name":"critic","content":"No."},{"role":"assistant","name":"writer","content":"Yes."},{"role":"user","name":"User","content":"Stop."}]"#;
    let roles: Vec<Role> =
        read_bytes(log).transcripts[0].turns.iter().map(|turn| turn.role).collect();
    assert_eq!(roles, [Role::Agent, Role::Agent, Role::User]);
}

#[test]
fn values_one_after_another_are_all_read() {
    let log = b"{\n\"messages\":[{\"role\":\"assistant\",\"content\":\"A\"}]\n}\n{\n\"messages\":[{\"role\":\"assistant\",\"content\":\"B\"}]\n}\n";
    let outcome = read_bytes(log);
    assert_eq!(outcome.spoken(), ["assistant: A", "assistant: B"]);
    assert_eq!(outcome.transcripts[1].turns[0].source.as_ref().unwrap().line, 5);
}

#[test]
fn transcripts_come_as_soon_as_they_are_complete() {
    // A reader that counts how far it was read when the first transcript arrives.
    struct Endless(usize);
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            const LINE: &[u8] = b"{\"messages\":[{\"role\":\"assistant\",\"content\":\"A\"}]}\n";
            if self.0 > 1 << 20 {
                return Err(std::io::Error::other("pulled the plug"));
            }
            let mut count = 0;
            while count + LINE.len() <= buffer.len() {
                buffer[count..count + LINE.len()].copy_from_slice(LINE);
                count += LINE.len();
            }
            self.0 += count;
            Ok(count)
        }
    }
    let mut transcripts = 0;
    let mut problems = Vec::new();
    rebuttal_transcripts::read("in", Endless(0), &ReadOptions::default(), &mut |item| match item {
        Item::Transcript(_) => transcripts += 1,
        Item::Problem(problem) => problems.push(problem.to_string()),
    });
    assert!(transcripts > 1000, "{transcripts}");
    assert_eq!(problems, ["in: cannot be read any further: pulled the plug"]);
}
