//! The one reader of model replies: from words to a JSON value that keeps to a schema.
//!
//! A [`Schema`] says what is asked for, and [`read`] finds it in a reply, whatever stands around it:
//! words, a code fence, thoughts. A comma too many and single quotes are mended where only one
//! reading is possible, and texts and lists that are too long are shortened. Nothing is filled in:
//! a reply that was cut off, that lacks a required field, or that says two different things is
//! refused, in words that can be said to the model. Pure, and linear in the reply's length.
//!
//! ```
//! use rebuttal_model::structured::{Schema, read};
//! use serde_json::json;
//!
//! let schema = Schema::new(json!({
//!     "type": "object", "required": ["vote"], "additionalProperties": false,
//!     "properties": {"vote": {"type": "string", "enum": ["yes", "no"]}},
//! }))?;
//! let vote = read("Sure: ```json\n{'vote': 'yes',}\n```", &schema);
//! assert_eq!(vote.unwrap(), json!({"vote": "yes"}));
//! let unfit = read("{\"vote\": \"maybe\"}", &schema).unwrap_err();
//! assert_eq!(unfit.to_string(), "/vote: must be one of \"yes\", \"no\"");
//! # Ok::<(), rebuttal_model::structured::SchemaError>(())
//! ```

mod mend;
mod read;
mod schema;
mod strict;

use std::fmt;

pub use read::{Objects, objects, read};
pub use schema::{Schema, SchemaError};

/// What is wrong with a value, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The place, as a JSON pointer; empty for the whole.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, what } = self;
        if place.is_empty() { write!(f, "{what}") } else { write!(f, "{place}: {what}") }
    }
}

/// Why a reply cannot be used, in words that can be said to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(Vec<Complaint>);

impl Unfit {
    fn whole(what: impl Into<String>) -> Self {
        Self(vec![Complaint { place: String::new(), what: what.into() }])
    }

    /// What is wrong, one by one; never empty.
    pub fn complaints(&self) -> &[Complaint] {
        &self.0
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, complaint) in self.0.iter().enumerate() {
            write!(f, "{}{complaint}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Unfit {}

#[cfg(test)]
mod tests;
