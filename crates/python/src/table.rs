//! Tables for pandas, Polars, DuckDB and whoever else reads Arrow, without a copy.

use std::ffi::CStr;
use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::RebuttalError;

/// What the Arrow C data interface calls a stream.
const STREAM: &CStr = c"arrow_array_stream";
/// What it calls a schema.
const SCHEMA: &CStr = c"arrow_schema";

/// Rows with named columns, handed on as Arrow.
#[pyclass(frozen, module = "rebuttal._native")]
pub(crate) struct Table(RecordBatch);

/// A column as Python has it: its name, the kind of its values (`text`, `number`, `whole` or `flag`), and
/// the values.
type Column<'py> = (String, String, Bound<'py, PyAny>);

#[pymethods]
impl Table {
    /// Makes a table of columns of one length. Every value may be missing.
    #[new]
    fn new(columns: Vec<Column<'_>>) -> PyResult<Self> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (name, kind, values) in columns {
            let array = array(&kind, &values)?;
            fields.push(Field::new(name, array.data_type().clone(), true));
            arrays.push(array);
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(broken)?;
        Ok(Self(batch))
    }

    /// The Arrow PyCapsule interface: the rows as a stream.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A wish that may be passed over, as the interface says.
        drop(requested_schema);
        let rows = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(rows)), STREAM)
    }

    /// The Arrow PyCapsule interface: the columns' names and types.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.schema_ref().as_ref()).map_err(broken)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("Table({} rows: {})", self.0.num_rows(), self.column_names().join(", "))
    }

    /// The columns' names, in their order.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }
}

fn broken(error: ArrowError) -> PyErr {
    RebuttalError::new_err(error.to_string())
}

fn array(kind: &str, values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    Ok(match kind {
        "text" => Arc::new(StringArray::from(values.extract::<Vec<Option<String>>>()?)),
        "number" => Arc::new(Float64Array::from(values.extract::<Vec<Option<f64>>>()?)),
        "whole" => Arc::new(Int64Array::from(values.extract::<Vec<Option<i64>>>()?)),
        "flag" => Arc::new(BooleanArray::from(values.extract::<Vec<Option<bool>>>()?)),
        other => {
            let known = [DataType::Utf8, DataType::Float64, DataType::Int64, DataType::Boolean];
            let message = format!(
                "{other:?} is no kind of column; text, number, whole and flag are {known:?}"
            );
            return Err(PyValueError::new_err(message));
        }
    })
}
