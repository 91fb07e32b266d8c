//! Exceptions: one class for each kind of error the library has, with the library's message.

use pyo3::exceptions::{PyException, PyOSError};
use pyo3::{PyErr, create_exception};
use rebuttal::{Error, ErrorKind};

create_exception!(rebuttal, RebuttalError, PyException, "Something that Rebuttal could not do.");
create_exception!(rebuttal, ConfigError, RebuttalError, "A setting that cannot be.");
create_exception!(rebuttal, AgentError, RebuttalError, "An agent that cannot be asked.");
create_exception!(rebuttal, ModelError, RebuttalError, "A local model that cannot be used.");
create_exception!(
    rebuttal,
    DebateError,
    RebuttalError,
    "A debate that cannot begin, go on or be answered."
);
create_exception!(rebuttal, ReceiptError, RebuttalError, "A receipt that does not hold.");
create_exception!(rebuttal, TextError, RebuttalError, "A text or file that cannot be read.");
create_exception!(rebuttal, StoreError, RebuttalError, "A database that cannot be used.");

/// The exception for an error, with all of its words.
pub(crate) fn raised(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    let words = error.whole();
    match error.kind() {
        ErrorKind::Config => ConfigError::new_err(words),
        ErrorKind::Agent => AgentError::new_err(words),
        ErrorKind::Model => ModelError::new_err(words),
        ErrorKind::Debate => DebateError::new_err(words),
        ErrorKind::Receipt => ReceiptError::new_err(words),
        ErrorKind::Text => TextError::new_err(words),
        ErrorKind::Store => StoreError::new_err(words),
        ErrorKind::Io => PyOSError::new_err(words),
        _ => RebuttalError::new_err(words),
    }
}
