//! Vectors of the lines on standard input, as little-endian floats on standard output; to compare
//! a model file with its original.
//!
//!     cargo run --release -p rebuttal-semantics --example encode -- assets/minilm-l6-embed.rbt

use std::error::Error;
use std::io::{self, Read, Write};
use std::path::Path;

use rebuttal_semantics::{Encoder, Tokens, WordPiece};

fn main() -> Result<(), Box<dyn Error>> {
    let model = std::env::args().nth(1).ok_or("which model?")?;
    let encoder = if Path::new(&model).is_dir() {
        Encoder::load_folder(Path::new(&model))?
    } else {
        let mut bytes = Vec::new();
        std::fs::File::open(&model)?.read_to_end(&mut bytes)?;
        Encoder::load(bytes, &model)?
    };
    let pieces = WordPiece::new(encoder.vocab().as_bytes())?;
    let texts = io::read_to_string(io::stdin())?;
    let sequences: Vec<Tokens> = texts.lines().map(|text| tokens(&pieces, text)).collect();
    let mut out = io::stdout().lock();
    for vector in encoder.hidden(&sequences)? {
        for x in vector {
            out.write_all(&x.to_le_bytes())?;
        }
    }
    Ok(())
}

fn tokens(pieces: &WordPiece, text: &str) -> Tokens {
    let mut ids = vec![pieces.cls()];
    pieces.encode_up_to(text, 254, &mut ids);
    ids.push(pieces.sep());
    Tokens { segment_b_start: ids.len(), ids }
}
