//! Files of positions: three formats, there and back, and what is wrong with them.

use std::io::{Read, Write};

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use rebuttal_model::{
    AgentId, Cause, Confidence, DebateId, Ending, Outcome, Position, ProblemKind, Span, Stance,
    TurnId, Whose, limits,
};
use rebuttal_transcripts::{
    PositionFormat, PositionItem, PositionOptions, PositionReader, PositionWriter,
};

use PositionFormat::{Csv, Jsonl, Parquet};

fn now() -> Timestamp {
    "2026-11-16T08:00:00Z".parse().unwrap()
}

fn options() -> PositionOptions {
    PositionOptions { now: now(), from: None }
}

type Lines = Vec<(u32, Position)>;

fn read(bytes: &[u8]) -> (Lines, Vec<String>) {
    collect(PositionReader::new("in", bytes, options()))
}

fn collect(reader: PositionReader<'_>) -> (Lines, Vec<String>) {
    let (mut positions, mut problems) = (Vec::new(), Vec::new());
    for item in reader {
        match item {
            PositionItem::Position { position, line, .. } => positions.push((line, *position)),
            PositionItem::Problem(problem) => problems.push(problem.to_string()),
        }
    }
    (positions, problems)
}

fn write(format: PositionFormat, positions: &[Position]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = PositionWriter::new(format, &mut bytes).unwrap();
    for position in positions {
        writer.write(position).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

fn full() -> Position {
    let mut position = Position {
        question: Some("Is it safe?".to_owned()),
        stance: Stance::No,
        confidence: Confidence::new(0.1 + 0.2, Whose::Calibrated),
        debate: Some(DebateId::new("d-7")),
        round: Some(0),
        turn: Some(TurnId::new(4)),
        span: Some(Span::new(3, 17)),
        domain: Some("finance".to_owned()),
        exposed_to: vec![Cause::Majority, Cause::NoneVisible],
        ..Position::new(AgentId::new("claude"), "It is “not”, she said:\n1, 2; 3.", now())
    };
    position.id = position.derive_id(true);
    position
}

#[test]
fn outcomes_come_back_in_all_three() {
    let late: Timestamp = "2026-11-15T10:11:12.123456Z".parse().unwrap();
    let ending = |outcome, resolved_at| Some(Ending { outcome, resolved_at });
    let endings = [
        None,
        ending(Outcome::Correct, Some(late)),
        ending(Outcome::Incorrect, None),
        ending(Outcome::Unresolved, Some(now())),
    ];
    for format in [Jsonl, Csv, Parquet] {
        let mut bytes = Vec::new();
        let mut writer = PositionWriter::new(format, &mut bytes).unwrap();
        for ending in endings {
            writer.write_ended(&full(), ending).unwrap();
        }
        writer.finish().unwrap();
        let back: Vec<Option<Ending>> = PositionReader::new("in", &bytes[..], options())
            .map(|item| match item {
                PositionItem::Position { position, ending, .. } => {
                    assert_eq!(*position, full());
                    ending
                }
                PositionItem::Problem(problem) => panic!("{problem}"),
            })
            .collect();
        assert_eq!(back, endings, "{format:?}");
    }
}

#[test]
fn an_outcome_is_a_known_word_and_pending_is_none() {
    let (positions, problems) =
        read(b"agent,claim,outcome\na,It holds.,pending\na,It does not.,maybe\n");
    assert_eq!(positions.len(), 1);
    assert!(problems[0].contains("maybe") && problems[0].contains("outcome"), "{problems:?}");
}

#[test]
fn all_three_come_back_as_they_were() {
    let formulas = ["=1+1", "+x", "-5 %", "@all", "'=quoted", "\tx", "a\"b", " x ", "'tis"];
    let mut given = vec![full(), Position::new(AgentId::new("b"), "Bare.", now())];
    given.extend(formulas.map(|claim| Position::new(AgentId::new("c"), claim, now())));
    let zero = Confidence::new(0.0, Whose::Stated);
    given.push(Position { confidence: zero, ..Position::new(AgentId::new("d"), "Zero.", now()) });
    for format in [Jsonl, Csv, Parquet] {
        let bytes = write(format, &given);
        let (positions, problems) = read(&bytes);
        assert_eq!(problems, Vec::<String>::new(), "{format:?}");
        let back: Vec<Position> = positions.into_iter().map(|(_, position)| position).collect();
        assert_eq!(back, given, "{format:?}");
        // Packed, and from a file, it is the same.
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&bytes).unwrap();
        let (positions, _) = read(&packed.finish().unwrap());
        assert_eq!(positions.len(), given.len(), "{format:?}");
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().write_all(&bytes).unwrap();
        let (positions, problems) = collect(PositionReader::open(file.path(), options()));
        assert_eq!((positions.len(), problems.len()), (given.len(), 0), "{format:?}");
    }
}

#[test]
fn no_cell_of_a_table_is_a_formula() {
    let attack = "=HYPERLINK(\"http://evil\")";
    let mut position = Position::new(AgentId::new("@cmd"), attack, now());
    position.question = Some("+1".to_owned());
    position.domain = Some("-x".to_owned());
    let text = String::from_utf8(write(Csv, &[position])).unwrap();
    let row = text.lines().nth(1).unwrap();
    assert!(!row.contains(",=") && !row.contains(",\"=") && !row.contains(",@"), "{row}");
    assert!(row.contains("\"'=HYPERLINK") && row.contains("'@cmd") && row.contains("'-x"), "{row}");
}

#[test]
fn other_names_are_known() {
    let rows = [
        "{\"agent_name\":\"a\",\"text\":\"x\",\"debate\":\"d\",\"round_num\":2,\
         \"created_at\":1763280000,\"confidence\":\"0.5\"}",
        "{\"agent\":\"a\",\"claim\":\"x\",\"debate_id\":\"d\",\"round\":\"2\",\
         \"timestamp\":\"2025-11-16T09:00:00+01:00\",\"confidence\":0.5,\"more\":[1]}",
    ];
    let (positions, problems) = read(rows.join("\n").as_bytes());
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(positions[0].1, positions[1].1);
    assert_eq!(positions[0].1.at, "2025-11-16T08:00:00Z".parse().unwrap());
    let table = "Agent_Name;TEXT;Round_Num;created_at\na;x;2;2025-11-16 08:00:00\n";
    let (positions, _) = read(table.as_bytes());
    assert_eq!((positions[0].0, positions[0].1.round), (2, Some(2)));
}

#[test]
fn what_is_wrong_costs_its_row_and_is_named() {
    for (row, named) in [
        (r#"{"agent":"a","claim":"x","confidence":85}"#, "“85”"),
        (r#"{"agent":"a","claim":"x","confidence":"85%"}"#, "“85%”"),
        (r#"{"agent":"a","claim":"x","confidence":-0.1}"#, "“-0.1”"),
        (r#"{"agent":"a","claim":"x","confidence":NaN}"#, "“NaN”"),
        (r#"{"agent":"a","claim":"x","confidence":"high"}"#, "“high”"),
        (r#"{"agent":"a","claim":"x","confidence":{"value":7,"whose":"stated"}}"#, "“7”"),
        (r#"{"agent":"a","claim":"x","at":"soon"}"#, "“soon”"),
        (r#"{"agent":"a","claim":"x","at":"2026-11-18T00:00:00Z"}"#, "in the future"),
        (r#"{"agent":"a","claim":"x","round":"final"}"#, "“final”"),
        (r#"{"agent":"a","claim":"x","stance":"perhaps"}"#, "“perhaps”"),
        (r#"{"claim":"x"}"#, "without agent"),
        (r#"{"agent":"a","claim":"  "}"#, "without claim"),
        (r#"{"agent":"a","claim":"x""#, "broken JSON"),
        (r#"["a","x"]"#, "a list"),
    ] {
        let good = r#"{"agent":"a","claim":"good"}"#;
        let (positions, problems) = read(format!("{good}\n{row}\n\n{good}\n").as_bytes());
        let lines: Vec<u32> = positions.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 4], "{row}");
        assert_eq!(problems.len(), 1, "{row}: {problems:?}");
        assert!(problems[0].starts_with("in:2: ") && problems[0].contains(named), "{problems:?}");
    }
    // A few minutes ahead is another's clock, not the future.
    let ahead = now() + SignedDuration::from_mins(4);
    let row = format!(r#"{{"agent":"a","claim":"x","at":"{ahead}"}}"#);
    assert_eq!(read(row.as_bytes()).0.len(), 1);
}

#[test]
fn without_a_time_the_file_is_the_same_on_another_day() {
    let file = "agent,claim\na,x\na,y\n";
    let later = PositionOptions { now: now() + SignedDuration::from_hours(48), from: None };
    let (one, _) = read(file.as_bytes());
    let (two, _) = collect(PositionReader::new("in", file.as_bytes(), later));
    assert_eq!(one[0].1.at, now());
    assert_ne!(one[0].1.at, two[0].1.at);
    assert_eq!(one[0].1.id, two[0].1.id);
    assert_ne!(one[0].1.id, one[1].1.id);
}

#[test]
fn limits_are_kept() {
    let long = "x".repeat(limits::CLAIM_BYTES + 1);
    let name = "n".repeat(limits::NAME_CHARS + 1);
    let rows = format!("agent,claim\na,{long}\n{name},x\nb,fine\n");
    let (positions, problems) = read(rows.as_bytes());
    assert_eq!((positions.len(), problems.len()), (1, 2), "{problems:?}");
    // A quote that is never closed, and more problems than anybody reads.
    let open = "agent,claim\na,x\nb,\"never closed\nc,y\n";
    let (positions, problems) = read(open.as_bytes());
    assert_eq!((positions.len(), problems.len()), (1, 1));
    assert!(problems[0].starts_with("in:3: a quote"), "{problems:?}");
    let many = "{}\n".repeat(limits::PROBLEMS + 50);
    let (_, problems) = read(many.as_bytes());
    assert_eq!(problems.len(), limits::PROBLEMS + 1);
    assert!(problems.last().unwrap().contains("50 more"));
}

#[test]
fn what_is_no_file_of_positions_says_so() {
    for (bytes, kind) in [
        (&b""[..], ProblemKind::UnknownFormat),
        (b"Dear Ann,\nhow are you?\n", ProblemKind::UnknownFormat),
        (b"a,b,c\n1,2,3\n", ProblemKind::UnknownFormat),
        (b"\xff\xfea\0", ProblemKind::UnknownFormat),
        (b"PAR1 and then nothing", ProblemKind::Unreadable),
        (b"\x1f\x8b\x08broken", ProblemKind::Unreadable),
    ] {
        let items: Vec<_> = PositionReader::new("in", bytes, options()).collect();
        let [PositionItem::Problem(problem)] = items.as_slice() else { panic!("{items:?}") };
        assert!(problem.kind == kind || problem.kind == ProblemKind::Empty, "{problem:?}");
    }
    let (_, problems) = collect(PositionReader::open("no/such/file".as_ref(), options()));
    assert!(problems[0].contains("cannot be opened"), "{problems:?}");
    // A Parquet file of something else names its columns.
    let mut bytes = write(Parquet, &[full()]);
    let found = bytes.windows(5).filter(|window| window == b"claim").count();
    assert!(found > 0);
    for at in (0..bytes.len() - 5).filter(|at| &bytes[*at..*at + 5] == b"claim").collect::<Vec<_>>()
    {
        bytes[at..at + 5].copy_from_slice(b"klaim");
    }
    let (_, problems) = read(&bytes);
    assert!(problems.len() == 1 && problems[0].contains("klaim"), "{problems:?}");
}

/// A reader that would never end if it were read ahead.
#[test]
fn rows_come_as_they_are_read() {
    struct Endless(usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let line = b"{\"agent\":\"a\",\"claim\":\"x\"}\n";
            let count = buffer.len().min(line.len());
            buffer[..count].copy_from_slice(&line[..count]);
            self.0 += 1;
            assert!(self.0 < 1_000_000, "it reads on and on");
            Ok(count)
        }
    }
    let reader = PositionReader::new("in", Endless(0), options());
    assert_eq!(reader.take(10).count(), 10);
}

fn any_position() -> impl Strategy<Value = Position> {
    let text = "[ -~äß“'\"=+@\n\t\u{1F600}]{1,40}";
    let texts = (text, text, proptest::option::of(text), proptest::option::of(text));
    let numbers = (0.0..=1.0_f64, proptest::option::of(0_u32..9), 0_i64..1_700_000_000_000_000);
    let filled = |text: &String| !text.trim().is_empty();
    let whole = move |text: &Option<String>| text.as_ref().is_none_or(filled);
    (texts, numbers)
        .prop_filter("blank is missing", move |((agent, claim, question, domain), _)| {
            filled(agent) && filled(claim) && whole(question) && whole(domain)
        })
        .prop_map(|((agent, claim, question, domain), (confidence, round, at))| {
            let at = Timestamp::from_microsecond(at).unwrap();
            let mut position = Position {
                question,
                domain: domain.map(|domain| domain.trim().to_owned()),
                confidence: Confidence::new(confidence, Whose::Stated),
                round,
                ..Position::new(AgentId::new(agent.trim()), claim, at)
            };
            position.id = position.derive_id(true);
            position
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_positions_come_back(given in proptest::collection::vec(any_position(), 1..6)) {
        for format in [Jsonl, Csv, Parquet] {
            let (positions, problems) = read(&write(format, &given));
            prop_assert_eq!(&problems, &Vec::<String>::new());
            let back: Vec<Position> = positions.into_iter().map(|(_, position)| position).collect();
            prop_assert_eq!(&back, &given, "{:?}", format);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes);
        let _ = read(&[b"agent,claim\n", bytes.as_slice()].concat());
    }
}
