//! Everything that can be wrong with a file: one problem with a place, and the good rest.

use std::io::{Read, Write};

use rebuttal_model::{ProblemKind, limits};
use rebuttal_transcripts::{Item, ReadOptions, read, read_path};

use crate::support::{Outcome, read_bytes};

const GOOD: &str = r#"{"debate":"d","agent":"a","text":"Yes."}"#;

/// Reads and compares: kind, line, a piece of the message; then what was still heard.
fn check(bytes: &[u8], expected: &[(ProblemKind, Option<u32>, &str)], spoken: &[&str]) {
    let outcome = read_bytes(bytes);
    compare(&outcome, expected, spoken);
}

fn compare(outcome: &Outcome, expected: &[(ProblemKind, Option<u32>, &str)], spoken: &[&str]) {
    assert_eq!(outcome.problems.len(), expected.len(), "{:#?}", outcome.problems);
    for (problem, (kind, line, piece)) in outcome.problems.iter().zip(expected) {
        assert_eq!((problem.kind, problem.line), (*kind, *line), "{problem}");
        assert!(problem.message.contains(piece), "{problem}");
        assert!(!problem.message.chars().any(char::is_control), "{problem:?}");
    }
    assert_eq!(outcome.spoken(), spoken);
}

#[test]
fn an_empty_file() {
    for bytes in [&b""[..], b"\n\n  \n", b"\xEF\xBB\xBF"] {
        check(bytes, &[(ProblemKind::Empty, None, "nothing to read")], &[]);
    }
}

#[test]
fn a_directory_and_a_missing_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut outcome = Outcome::default();
    read_path(directory.path(), &ReadOptions::default(), &mut |item| outcome.take(item));
    compare(&outcome, &[(ProblemKind::Unreadable, None, "is a directory")], &[]);
    let mut outcome = Outcome::default();
    let missing = directory.path().join("none");
    read_path(&missing, &ReadOptions::default(), &mut |item| outcome.take(item));
    compare(&outcome, &[(ProblemKind::Unreadable, None, "cannot be opened")], &[]);
}

#[test]
fn one_bad_line_costs_one_problem() {
    let file = format!(
        "{GOOD}\n{{\"debate\":\"d\",\"agent\":\"a\",\"text\":\"cut\n{GOOD}\n{{oops}}\n{GOOD}\n"
    );
    let expected = [
        (ProblemKind::Malformed, Some(2), "a string is never closed"),
        (ProblemKind::Malformed, Some(4), "column 2"),
    ];
    check(file.as_bytes(), &expected, &["a: Yes.", "a: Yes.", "a: Yes."]);
}

#[test]
fn a_bad_first_line() {
    for bad in [r#"{"debate":"d","agent":"a","te"#, r#"{"debate":"d","agent":"#, "{", "log started"]
    {
        let file = format!("{bad}\n{GOOD}\n{GOOD}\n");
        check(
            file.as_bytes(),
            &[(ProblemKind::Malformed, Some(1), "not valid JSON")],
            &["a: Yes.", "a: Yes."],
        );
    }
}

#[test]
fn a_line_without_what_makes_it_a_turn() {
    let file = format!("{GOOD}\n{{\"debate\":\"d\",\"agent\":\"a\"}}\n{{\"colour\":\"red\"}}\n");
    let expected = [
        (ProblemKind::MissingField, Some(2), "`text`"),
        (ProblemKind::UnknownFormat, Some(3), "colour"),
    ];
    check(file.as_bytes(), &expected, &["a: Yes."]);
}

#[test]
fn a_file_in_which_nobody_speaks() {
    let header = r#"{"debate":"d","question":"Why?"}"#;
    let span =
        r#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","attributes":[]}]}]}]}"#;
    let entry = r#"{"agent":"a","task":"t","status":"started"}"#;
    check(header.as_bytes(), &[(ProblemKind::MissingField, None, "nobody says anything")], &[]);
    check(span.as_bytes(), &[(ProblemKind::MissingField, None, "recording of content")], &[]);
    check(entry.as_bytes(), &[(ProblemKind::MissingField, None, "nobody says anything")], &[]);
    check(b"[]", &[(ProblemKind::UnknownFormat, Some(1), "no known format")], &[]);
}

#[test]
fn a_truncated_document_gives_what_came_before() {
    let file = "{\"messages\":[\n{\"role\":\"user\",\"content\":\"Q\"},\n{\"role\":\"assistant\",\"content\":\"A\"},\n{\"role\":\"assistant\",\"content\":\"cut o";
    check(
        file.as_bytes(),
        &[(ProblemKind::Malformed, Some(4), "a string is never closed")],
        &["user: Q", "assistant: A"],
    );
}

#[test]
fn deep_nesting() {
    let deep = format!("{{\"messages\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let file = format!("{GOOD}\n{deep}\n{GOOD}\n");
    check(file.as_bytes(), &[(ProblemKind::Limit, Some(2), "128 levels")], &["a: Yes.", "a: Yes."]);
    let alone = read_bytes("[".repeat(10_000).as_bytes());
    assert_eq!(alone.problems[0].kind, ProblemKind::Limit, "{alone:?}");
}

/// `count` bytes of filling between two texts, without holding them.
fn filled(before: &'static str, filling: u8, count: u64, after: &'static str) -> impl Read {
    before.as_bytes().chain(std::io::repeat(filling).take(count)).chain(after.as_bytes())
}

fn read_stream(input: impl Read) -> Outcome {
    let mut outcome = Outcome::default();
    read("in", input, &ReadOptions::default(), &mut |item| outcome.take(item));
    outcome
}

#[test]
fn a_line_of_a_hundred_megabytes() {
    let first = "{\"debate\":\"d\",\"agent\":\"a\",\"text\":\"Yes.\"}\n{\"text\":\"";
    let last = "\"}\n{\"debate\":\"d\",\"agent\":\"a\",\"text\":\"No.\"}\n";
    let outcome = read_stream(filled(first, b'x', 100_000_000, last));
    let limit = limits::LINE_BYTES.to_string();
    compare(&outcome, &[(ProblemKind::Limit, Some(2), &limit)], &["a: Yes.", "a: No."]);
    let outcome = read_stream(filled("{\"text\":\"", b'x', 100_000_000, last));
    let limit = limits::DOCUMENT_BYTES.to_string();
    compare(&outcome, &[(ProblemKind::Limit, Some(1), &limit)], &["a: No."]);
}

#[test]
fn a_document_or_text_that_is_too_large() {
    let limit = limits::DOCUMENT_BYTES.to_string();
    let outcome = read_stream(filled("{\n\"messages\":[\n\"", b'x', 70_000_000, "\"]}"));
    compare(&outcome, &[(ProblemKind::Limit, None, &limit)], &[]);
    // A document on one line is no line that is too long.
    let outcome = read_stream(filled("{\"messages\":[\"", b'x', 70_000_000, "\"]}\n"));
    compare(&outcome, &[(ProblemKind::Limit, None, "the limit for a JSON document")], &[]);
    let outcome = read_stream(filled("Ann: yes\nBob: no", b'o', 70_000_000, "\n"));
    compare(&outcome, &[(ProblemKind::Limit, None, &limit)], &[]);
}

#[test]
fn too_many_values() {
    let file = format!("[{}1]", "1,".repeat(limits::JSON_NODES));
    let outcome = read_bytes(file.as_bytes());
    assert!(outcome.problems[0].message.contains("2000000 values"), "{}", outcome.problems[0]);
}

#[test]
fn bytes_that_are_no_text() {
    let file = b"{\"agent\":\"a\",\"text\":\"caf\xe9\"}\n{\"agent\":\"a\",\"text\":\"\\ud83d!\"}\n{\"agent\":\"a\",\"text\":\"nul\0\"}\n";
    let expected = [
        (ProblemKind::Encoding, Some(1), "not UTF-8"),
        (ProblemKind::Encoding, Some(2), "surrogate"),
        (ProblemKind::Encoding, Some(3), "control character"),
    ];
    check(file, &expected, &["a: caf\u{FFFD}", "a: \u{FFFD}!", "a: nul\0"]);
    let text = b"Ann: caf\xe9\nBob: th\xe9\0\nAnn: good\n";
    let expected =
        [(ProblemKind::Encoding, Some(1), "2 places"), (ProblemKind::Encoding, Some(2), "NUL")];
    check(text, &expected, &["Ann: caf\u{FFFD}", "Bob: th\u{FFFD}\0", "Ann: good"]);
    let outcome = read_bytes(text);
    let source = outcome.transcripts[0].turns[2].source.clone().unwrap();
    assert_eq!(&text[source.bytes.start()..source.bytes.end()], b"Ann: good");
    check(
        b"agent,text\nAnn,caf\xe9\n",
        &[(ProblemKind::Encoding, Some(2), "UTF-8")],
        &["Ann: caf\u{FFFD}"],
    );
    check(b"\xff\xfeA\0", &[(ProblemKind::UnknownFormat, None, "UTF-16")], &[]);
}

#[test]
fn noise() {
    let noise: Vec<u8> = (0..40_000_u32)
        .map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap())
        .collect();
    let outcome = read_bytes(&noise);
    assert_eq!(outcome.problems[0].kind, ProblemKind::UnknownFormat, "{outcome:?}");
    check(b"just some words", &[(ProblemKind::UnknownFormat, None, "--from")], &[]);
}

#[test]
fn json_in_which_there_is_no_conversation() {
    for bytes in ["null", "42\n", "\"a text\"", " true "] {
        let expected = [(ProblemKind::UnknownFormat, Some(1), "JSON without any conversation")];
        check(bytes.as_bytes(), &expected, &[]);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|made| made.success()) {
        println!("skipped: mkfifo does not run here");
        return;
    }
    let socket = directory.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [path, socket, "/dev/zero".into()] {
        let mut outcome = Outcome::default();
        read_path(&path, &ReadOptions::default(), &mut |item| outcome.take(item));
        compare(&outcome, &[(ProblemKind::Unreadable, None, "not a regular file")], &[]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_shell_hands_over_is_read() {
    use std::os::fd::AsRawFd;

    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"Ann: Yes.\nBob: No.\n").unwrap();
    drop(writer);
    let mut outcome = Outcome::default();
    let path = format!("/dev/fd/{}", reader.as_raw_fd());
    read_path(path.as_ref(), &ReadOptions::default(), &mut |item| outcome.take(item));
    compare(&outcome, &[], &["Ann: Yes.", "Bob: No."]);
}

#[test]
fn mixed_formats_are_all_read_and_said_once() {
    let file = format!(
        "{GOOD}\n{}\n{}\n{GOOD}\n",
        r#"{"messages":[{"role":"assistant","content":"B"}]}"#,
        r#"{"conversations":[{"from":"gpt","value":"C"}]}"#
    );
    check(
        file.as_bytes(),
        &[(ProblemKind::Mixed, Some(2), "looks like openai, but the file began as rebuttal")],
        &["assistant: B", "assistant: C", "a: Yes.", "a: Yes."],
    );
}

#[test]
fn far_too_many_speakers() {
    let lines = (0..30_000).map(|n| format!("{{\"agent\":\"a{n}\",\"text\":\"x\"}}\n"));
    let input = Chunks { lines, left: Vec::new(), at: 0 };
    let mut turns = 0;
    let mut problems = Vec::new();
    read("in", input, &ReadOptions::default(), &mut |item| match item {
        Item::Transcript(transcript) => turns += transcript.turns.len(),
        Item::Problem(problem) => problems.push(problem),
    });
    assert_eq!(problems[0].line, Some(10_001), "{}", problems[0]);
    assert!(problems[0].message.contains("10000 different speakers"), "{}", problems[0]);
    assert!(problems.len() <= limits::PROBLEMS + 1);
    assert!(turns >= limits::AGENTS);
}

/// Lines made while they are read.
struct Chunks<I> {
    lines: I,
    left: Vec<u8>,
    at: usize,
}

impl<I: Iterator<Item = String>> Read for Chunks<I> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.left.len() {
            self.left = self.lines.by_ref().take(1000).collect::<String>().into_bytes();
            self.at = 0;
        }
        let count = buffer.len().min(self.left.len() - self.at);
        buffer[..count].copy_from_slice(&self.left[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[test]
fn problems_are_capped() {
    let file = "{bad\n".repeat(1_000);
    let outcome = read_bytes(format!("{GOOD}\n{file}{GOOD}\n").as_bytes());
    assert_eq!(outcome.problems.len(), limits::PROBLEMS + 1);
    assert!(outcome.problems.last().unwrap().message.starts_with("900 more problems"));
    assert_eq!(outcome.spoken().len(), 2);
}

fn gzip(mut input: impl Read) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::copy(&mut input, &mut packer).unwrap();
    packer.finish().unwrap()
}

#[test]
fn bombs() {
    let lines = Chunks { lines: (0..40_000).map(|_| format!("{GOOD}\n")), left: Vec::new(), at: 0 };
    let outcome = read_bytes(&gzip(lines));
    let [split, bomb] = outcome.problems.as_slice() else { panic!("{:?}", outcome.problems) };
    assert_eq!((split.kind, bomb.kind), (ProblemKind::Split, ProblemKind::Limit));
    assert!(bomb.message.contains("100 times"), "{bomb}");
    assert!(!outcome.spoken().is_empty(), "what came before is kept");

    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer.start_file("bomb.txt", options).unwrap();
    std::io::copy(&mut std::io::repeat(b'a').take(3 << 20), &mut writer).unwrap();
    writer.start_file("good.txt", options).unwrap();
    writer.write_all(b"Ann: Yes.\nBob: No.\n").unwrap();
    let archive = writer.finish().unwrap().into_inner();
    check(&archive, &[(ProblemKind::Limit, None, "100 times")], &["Ann: Yes.", "Bob: No."]);
    let cut = &archive[..archive.len() - 30];
    check(cut, &[(ProblemKind::Unreadable, None, "zip archive")], &[]);
}

#[test]
fn a_truncated_gzip_gives_what_came_before() {
    let lines: Vec<String> =
        (0..9_000).map(|n| format!("{{\"agent\":\"a\",\"text\":\"{}\"}}", n * 7919)).collect();
    let text = lines.join("\n");
    let packed = gzip(text.as_bytes());
    let outcome = read_bytes(&packed[..packed.len() - 100]);
    assert_eq!(outcome.problems.len(), 1, "{:?}", outcome.problems);
    assert_eq!(outcome.problems[0].kind, ProblemKind::Unreadable);
    assert!(outcome.spoken().len() > 1000);
}

#[test]
fn tables_gone_wrong() {
    check(
        b"agent,text\nAnn,\"never closed\nBob,No\nCid,Yes\n",
        &[(ProblemKind::Malformed, Some(2), "never closed")],
        &["Bob: No", "Cid: Yes"],
    );
    check(
        b"agent,text\nAnn\nBob,No\n",
        &[(ProblemKind::MissingField, Some(2), "without text")],
        &["Bob: No"],
    );
    let wide = format!("agent,text{}\nAnn,Yes{}\n", ",x".repeat(5_000), ",y".repeat(100_000));
    check(wide.as_bytes(), &[], &["Ann: Yes"]);
}

#[test]
fn hostile_names_are_cut_and_shown_harmlessly() {
    let name = format!("\\u001b[31m\\u202e{}", "x".repeat(300));
    let file = format!("{{\"agent\":\"{name}\",\"text\":\"hi\"}}\n{{\"\\u001b]0;\":1}}\n");
    let outcome = read_bytes(file.as_bytes());
    assert_eq!(outcome.problems.len(), 2);
    assert!(
        outcome.problems[0].message.contains("\\u{1b}[31m\\u{202e}xxx"),
        "{}",
        outcome.problems[0]
    );
    assert!(outcome.problems[0].message.contains("120"), "{}", outcome.problems[0]);
    assert_eq!(outcome.transcripts[0].turns[0].agent.as_str().chars().count(), limits::NAME_CHARS);
}
