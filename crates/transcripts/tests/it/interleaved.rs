//! Files whose lines belong to several debates in turn.

use std::fmt::Write as _;

use rebuttal_model::{ProblemKind, limits};

use crate::support::{Outcome, read_bytes};

fn line(debate: &str, text: &str) -> String {
    format!("{{\"debate\":\"{debate}\",\"agent\":\"a\",\"text\":\"{text}\"}}\n")
}

/// Id and texts of every transcript.
fn debates(outcome: &Outcome) -> Vec<(String, Vec<&str>)> {
    outcome
        .transcripts
        .iter()
        .map(|t| (t.id.to_string(), t.turns.iter().map(|turn| turn.text.as_str()).collect()))
        .collect()
}

fn expected<'a>(given: &[(&str, &[&'a str])]) -> Vec<(String, Vec<&'a str>)> {
    given.iter().map(|(id, texts)| ((*id).to_owned(), texts.to_vec())).collect()
}

#[test]
fn debates_in_turn_stay_whole() {
    let both = expected(&[("d1", &["1", "3"]), ("d2", &["2", "4"])]);
    let lines = [line("d1", "1"), line("d2", "2"), line("d1", "3"), line("d2", "4")].concat();
    let outcome = read_bytes(lines.as_bytes());
    assert_eq!((debates(&outcome), outcome.problems.len()), (both.clone(), 0));
    let table = b"debate,agent,text\nd1,a,1\nd2,a,2\nd1,a,3\nd2,a,4\n";
    assert_eq!(debates(&read_bytes(table)), both);
    let document = format!("[{}]", lines.trim_end().replace('\n', ","));
    assert_eq!(debates(&read_bytes(document.as_bytes())), both);
}

#[test]
fn a_header_starts_a_debate_anew() {
    let header = "{\"debate\":\"d\",\"question\":\"Why?\"}\n";
    let file = [header, &line("d", "1"), &line("e", "2"), header, &line("d", "3")].concat();
    let outcome = read_bytes(file.as_bytes());
    assert_eq!(debates(&outcome), expected(&[("d", &["1"]), ("e", &["2"]), ("d", &["3"])]));
    assert_eq!(outcome.transcripts[2].question.as_deref(), Some("Why?"));
}

#[test]
fn turns_without_a_debate_join_only_in_a_row() {
    let none = |text: &str| format!("{{\"agent\":\"a\",\"text\":\"{text}\"}}\n");
    let file = [none("1"), none("2"), line("d", "3"), none("4"), line("d", "5")].concat();
    let outcome = read_bytes(file.as_bytes());
    let expected = expected(&[("in#1", &["1", "2"]), ("in#2", &["4"]), ("d", &["3", "5"])]);
    assert_eq!((debates(&outcome), outcome.problems.len()), (expected, 0));
}

#[test]
fn more_debates_than_can_be_open_are_cut_and_said_once() {
    let mut file = String::new();
    let count = limits::OPEN_DEBATES + 1;
    for round in 0..3 {
        for debate in 0..count {
            let _ = write!(file, "{}", line(&format!("d{debate}"), &round.to_string()));
        }
    }
    let outcome = read_bytes(file.as_bytes());
    assert_eq!(outcome.transcripts.len(), 3 * count);
    assert_eq!(outcome.transcripts[count].id.as_str(), "d0/2");
    assert_eq!(outcome.transcripts[2 * count].id.as_str(), "d0/3");
    let [problem] = outcome.problems.as_slice() else { panic!("{:?}", outcome.problems) };
    let first = u32::try_from(count + 1).unwrap();
    assert_eq!((problem.kind, problem.line), (ProblemKind::Split, Some(first)));
    assert!(problem.message.contains("“d0” goes on here after it was closed"), "{problem}");
}

#[test]
fn one_debate_after_another_is_never_cut() {
    let mut file = String::new();
    for debate in 0..3 * limits::OPEN_DEBATES {
        let id = format!("d{debate}");
        let _ = write!(file, "{}{}", line(&id, "1"), line(&id, "2"));
    }
    let outcome = read_bytes(file.as_bytes());
    assert_eq!(outcome.complaints(), [] as [&str; 0]);
    let order: Vec<_> = outcome.transcripts.iter().map(|t| t.id.to_string()).collect();
    let given: Vec<_> = (0..3 * limits::OPEN_DEBATES).map(|debate| format!("d{debate}")).collect();
    assert_eq!(order, given);
}

#[test]
fn large_debates_are_closed_before_they_fill_the_memory() {
    let text = "x".repeat(1 << 20);
    let file: String = (0..80).map(|turn| line(&format!("d{}", turn % 8), &text)).collect();
    let outcome = read_bytes(file.as_bytes());
    let turns: usize = outcome.transcripts.iter().map(|t| t.turns.len()).sum();
    assert_eq!(turns, 80);
    assert!(outcome.transcripts.len() > 8, "{}", outcome.transcripts.len());
    assert!(outcome.problems.iter().all(|problem| problem.kind == ProblemKind::Split));
}
