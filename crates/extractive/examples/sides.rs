//! What sentences of a folder speak for: `cargo run -p rebuttal-extractive --example sides -- QUESTION FOLDER`.

use std::io::Write as _;
use std::{env, fs, io};

use rebuttal_detect::pair::Combined;
use rebuttal_detect::{Models, Reader};
use rebuttal_extractive::{Asked, Brief, Persona};
use rebuttal_model::{Passage, Place};
use rebuttal_semantics::{BuiltinEncoder, BuiltinReader, BuiltinVectors};

fn main() -> io::Result<()> {
    let mut args = env::args().skip(1);
    let (question, folder) = (args.next().unwrap_or_default(), args.next().unwrap_or_default());
    let mut passages = Vec::new();
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::path);
    for file in files {
        let text = fs::read_to_string(file.path())?;
        let name = file.file_name().to_string_lossy().into_owned();
        for (at, line) in (1..).zip(text.lines()) {
            if line.len() > 60 && !line.starts_with("Source") {
                passages.push(Passage::new(&name, Place::Lines(at, at), line));
            }
        }
    }
    let models =
        Models::new(BuiltinVectors, BuiltinEncoder, Combined::new(BuiltinReader, BuiltinVectors));
    let brief = Brief::new(&question, &["yes", "no"], &passages, Reader::Model(&models));
    let mut out = io::stdout().lock();
    for quote in brief.quotes() {
        let side = brief.answers().get(quote.side).map_or("", String::as_str);
        writeln!(out, "{side:<4} {:.2} {}", quote.weight, quote.said())?;
    }
    for conflict in brief.conflicts() {
        writeln!(out, "{conflict:?}")?;
    }
    let said = Persona::neutral("reader").answer(&brief, &Asked::default());
    writeln!(out, "{said:#?}")
}
