//! How often personas that quote come to what folders of documents favour:
//! `cargo run -p rebuttal-extractive --example folders -- bench/folders/folders.txt [looked-at]`.
//!
//! Every third question was looked at while the panel was built; of the others only totals are written.

use std::io::Write as _;
use std::{env, fs, io};

use rebuttal_detect::pair::Combined;
use rebuttal_detect::{Models, Reader};
use rebuttal_extractive::{Asked, Brief, Persona};
use rebuttal_model::{Passage, Place};
use rebuttal_semantics::{BuiltinEncoder, BuiltinReader, BuiltinVectors};

struct Case {
    question: String,
    answer: String,
    passages: Vec<Passage>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (at, line) in (1..).zip(text.lines()) {
        if let Some((question, answer)) =
            line.strip_prefix("? ").and_then(|it| it.split_once(" = "))
        {
            let (question, answer) = (question.to_owned(), answer.to_owned());
            cases.push(Case { question, answer, passages: Vec::new() });
        } else if let Some(case) = cases.last_mut().filter(|_| !line.is_empty()) {
            let name = format!("{}.md", case.passages.len() + 1);
            case.passages.push(Passage::new(&name, Place::Lines(at, at), line));
        }
    }
    cases
}

fn main() -> io::Result<()> {
    let mut args = env::args().skip(1);
    let text = fs::read_to_string(args.next().unwrap_or_default())?;
    let shows = args.next().is_some();
    let combined = Combined::new(BuiltinReader, BuiltinVectors);
    let models = Models::new(BuiltinVectors, BuiltinEncoder, combined);
    let mut out = io::stdout().lock();
    let mut tallies = [[0; 4]; 2];
    for (number, case) in cases(&text).into_iter().enumerate() {
        let looked_at = number % 3 == 0;
        if shows && !looked_at {
            continue;
        }
        let reader = Reader::Model(&models);
        let brief = Brief::new(&case.question, &["yes", "no"], &case.passages, reader);
        let said = Persona::neutral("reader").answer(&brief, &Asked::default());
        let answer = said.answer.as_deref().unwrap_or("nothing");
        if shows {
            writeln!(out, "{} = {} / {answer} {:.2}", case.question, case.answer, said.conviction)?;
            for quote in brief.quotes() {
                let side = brief.answers().get(quote.side).map_or("", String::as_str);
                writeln!(out, "    {side:<4} {:.2} {}", quote.weight, quote.said())?;
            }
        }
        let tally = &mut tallies[usize::from(!looked_at)];
        let at = if case.answer == "nothing" { 2 } else { 0 };
        tally[at] += usize::from(answer == case.answer);
        tally[at + 1] += 1;
    }
    for (name, [right, sided, abstained, empty]) in ["looked at", "held back"].iter().zip(tallies) {
        writeln!(out, "{name}: right side {right} of {sided}, abstained {abstained} of {empty}")?;
    }
    Ok(())
}
