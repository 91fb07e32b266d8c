//! In the place of Parquet where the program is built without it: files are recognised and refused
//! in words. Arrow is larger than everything else here together, and builds that need only text,
//! such as those for fuzzing, are done many times sooner without.

use std::convert::Infallible;
use std::io::{self, Write};
use std::marker::PhantomData;

use rebuttal_model::{Ending, Position, ProblemKind};

use super::{Cx, Source};

const WITHOUT: &str = "is Parquet, and this program was built without it (feature `parquet`)";

pub(super) fn is_parquet(first: &[u8]) -> bool {
    first.starts_with(b"PAR1")
}

/// There are none without the feature `parquet`.
pub(super) struct Rows(Infallible);

impl Rows {
    pub(super) fn batch(&mut self, _: &mut Cx) -> io::Result<bool> {
        match self.0 {}
    }
}

/// Says why it is not read, and ends.
pub(super) fn open<'r, T>(_: T, cx: &mut Cx) -> Source<'r> {
    match rows() {
        Ok(rows) => Source::Parquet(Box::new(rows)),
        Err(message) => {
            cx.problem(ProblemKind::UnknownFormat, None, message);
            Source::End
        }
    }
}

fn rows() -> Result<Rows, &'static str> {
    Err(WITHOUT)
}

/// There are none without the feature `parquet`.
pub(super) struct Batches<'w>(Infallible, PhantomData<&'w ()>);

impl<'w> Batches<'w> {
    pub(super) fn new(_: Box<dyn Write + Send + 'w>) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, WITHOUT))
    }

    pub(super) fn push(&mut self, _: &Position, _: Option<Ending>) -> io::Result<()> {
        match self.0 {}
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self.0 {}
    }
}
