//! One JSON value per line, as soon as it is known: `"type"` is `finding`, `problem` or, last,
//! `summary`. The other fields are those of [`super::json`].

use std::io::{self, Write};

use rebuttal_model::Problem;
use serde::Serialize;

use super::Report;
use super::json::{Located, SCHEMA, Totals, VERSION};
use crate::JsonText;
use crate::audit::{Audited, Summary};
use crate::problems::Gravity;

/// One line of the output.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Finding(Located<'a>),
    Problem(&'a Problem),
    Summary {
        rebuttal: &'static str,
        schema: u32,
        #[serde(flatten)]
        totals: Totals,
    },
}

/// One JSON value per line.
#[derive(Debug)]
pub struct Jsonl;

impl Report for Jsonl {
    fn transcript(&mut self, out: &mut dyn Write, audited: &Audited) -> io::Result<()> {
        Located::all(audited).try_for_each(|finding| JsonText::line(out, &Line::Finding(finding)))
    }

    fn problem(
        &mut self,
        out: &mut dyn Write,
        problem: &Problem,
        _gravity: Gravity,
    ) -> io::Result<()> {
        JsonText::line(out, &Line::Problem(problem))
    }

    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
        let totals = Totals::from(summary);
        JsonText::line(out, &Line::Summary { rebuttal: VERSION, schema: SCHEMA, totals })
    }
}
