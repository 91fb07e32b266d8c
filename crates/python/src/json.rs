//! Values as JSON text, on their way from and to Python.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::{PyErr, PyResult};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::RebuttalError;

/// Reads an argument. What has the wrong type is a `TypeError`, what has a wrong value a `ValueError`;
/// both name the argument.
pub(crate) fn read<T: DeserializeOwned>(argument: &str, text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| wrong(argument, &error))
}

fn wrong(argument: &str, error: &serde_json::Error) -> PyErr {
    let words = error.to_string();
    // Where it stands in text that the user never saw helps nobody.
    let what = words.split(" at line ").next().unwrap_or(&words);
    let message = format!("{argument}: {what}");
    if what.starts_with("invalid type") {
        PyTypeError::new_err(message)
    } else {
        PyValueError::new_err(message)
    }
}

/// Writes a result.
pub(crate) fn write(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| RebuttalError::new_err(error.to_string()))
}
