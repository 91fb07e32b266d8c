//! How answers become JSON, the same from every surface.
//!
//! A document begins with the version of the program and of the document's shape; what follows are the
//! fields of the answer. Fields are added, never renamed, while the schema stays the same.

use rebuttal_report::{JsonText, SCHEMA, VERSION};
use serde::Serialize;

use crate::error::{Context, Result};

/// An answer with the version of its shape, as it is written.
#[derive(Debug, Serialize)]
pub struct Versioned<'a, T> {
    rebuttal: &'static str,
    schema: u32,
    #[serde(flatten)]
    answer: &'a T,
}

impl<'a, T: Serialize> Versioned<'a, T> {
    /// Puts the versions before an answer.
    pub fn new(answer: &'a T) -> Self {
        Self { rebuttal: VERSION, schema: SCHEMA, answer }
    }
}

/// An answer as one line of JSON, with its versions. Control characters in quoted text are escaped, so
/// that the line is safe to print on a terminal.
///
/// ```
/// use rebuttal::compare::compare;
/// use rebuttal::prelude::*;
///
/// let rules = Analyzer::new(Method::Rules, &Config::default().semantics);
/// let found = compare("It is safe.", "It is not safe.", &rules)?;
/// let text = rebuttal::json(&found)?;
/// assert!(text.starts_with(r#"{"rebuttal":""#) && text.contains(r#""verdict":"contradiction""#));
/// # Ok::<(), Error>(())
/// ```
pub fn json<T: Serialize>(answer: &T) -> Result<String> {
    let mut text = Vec::new();
    JsonText::write(&mut text, &Versioned::new(answer)).context("JSON")?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
