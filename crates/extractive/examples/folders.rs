//! How often personas that quote come to what folders of documents favour:
//! `cargo run -p rebuttal-extractive --example folders -- bench/folders/folders.txt [looked-at]`.
//!
//! Every third question was looked at while the panel was built; of the others only totals are written.

use std::io::Write as _;
use std::{env, fmt, fs, io};

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

/// How often what was said is what the documents favour.
#[derive(Default)]
struct Tally {
    right: usize,
    sided: usize,
    abstained: usize,
    empty: usize,
}

impl Tally {
    fn count(&mut self, wanted: &str, said: &str) {
        let (right, all) = match wanted {
            "nothing" => (&mut self.abstained, &mut self.empty),
            _ => (&mut self.right, &mut self.sided),
        };
        *right += usize::from(wanted == said);
        *all += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { right, sided, abstained, empty } = self;
        write!(f, "right side {right} of {sided}, abstained {abstained} of {empty}")
    }
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
    let text = io::read_to_string(fs::File::open(args.next().unwrap_or_default())?)?;
    let shows = args.next().is_some();
    let combined = Combined::new(BuiltinReader, BuiltinVectors);
    let models = Models::new(BuiltinVectors, BuiltinEncoder, combined);
    let mut out = io::stdout().lock();
    let (mut seen, mut held_back) = (Tally::default(), Tally::default());
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
        let tally = if looked_at { &mut seen } else { &mut held_back };
        tally.count(&case.answer, answer);
    }
    writeln!(out, "looked at: {seen}")?;
    if !shows {
        writeln!(out, "held back: {held_back}")?;
    }
    Ok(())
}
