//! Columns as numpy and Arrow see them: in the memory they were read into, which is not copied.

use std::sync::Arc;

use finale::study::{Columns, Field, Kind, Values};
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods,
    ndarray::{ArrayView1, ArrayView2},
};
use pyo3::{
    exceptions::PyKeyError,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use crate::arrow;

/// Columns of a table, or of answers.
#[pyclass(frozen, module = "finale._finale")]
pub struct RawColumns(Arc<Columns>);

/// Keeps columns alive as long as arrays show them.
#[pyclass(frozen, module = "finale._finale")]
struct Keeper(#[expect(dead_code, reason = "it is only kept")] Arc<Columns>);

impl RawColumns {
    /// Of columns that nobody changes any more.
    pub fn new(columns: Columns) -> RawColumns {
        RawColumns(Arc::new(columns))
    }

    fn column(&self, name: &str) -> PyResult<(&Field, &Values)> {
        let column = self.0.iter().find(|(field, _)| field.name == name);
        column.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// An array that shows some values of these columns, read-only.
    fn shown<'py, T: Element>(&self, py: Python<'py>, values: &[T]) -> PyResult<Bound<'py, PyAny>> {
        let keeper = Bound::new(py, Keeper(self.0.clone()))?.into_any();
        // SAFETY: the values are of columns that the array keeps alive and nobody changes: it is
        // made read-only before anybody sees it.
        #[allow(unsafe_code)]
        let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(values), keeper) };
        array.readwrite().make_nonwriteable();
        Ok(array.into_any())
    }

    /// The same with a row of several values each.
    fn shown_rows<'py>(
        &self,
        py: Python<'py>,
        length: usize,
        values: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = (values.len().checked_div(length).unwrap_or(0), length);
        let view = ArrayView2::from_shape(rows, values)
            .map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
        let keeper = Bound::new(py, Keeper(self.0.clone()))?.into_any();
        // SAFETY: as in `shown`.
        #[allow(unsafe_code)]
        let array = unsafe { PyArray2::borrow_from_array(&view, keeper) };
        array.readwrite().make_nonwriteable();
        Ok(array.into_any())
    }
}

#[pymethods]
impl RawColumns {
    fn __len__(&self) -> usize {
        self.0.rows()
    }

    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(field, _)| &*field.name).collect()
    }

    /// The words that the numbers of a column stand for, if it has words.
    fn words(&self, name: &str) -> PyResult<Option<Vec<&'static str>>> {
        Ok(match self.column(name)?.0.kind {
            Kind::Words(words) => Some(words.to_vec()),
            _ => None,
        })
    }

    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.column(name)?.1 {
            Values::U8(all) => self.shown(py, all),
            Values::I8(all) => self.shown(py, all),
            Values::I32(all) => self.shown(py, all),
            Values::I64(all) => self.shown(py, all),
            Values::F32(all) => self.shown(py, all),
            Values::Lists(length, all) => self.shown_rows(py, *length, all),
            Values::Text(all) => Ok(all.into_pyobject(py)?.into_any()),
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema_capsule(py, &self.0)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // Who asks for another schema converts what comes.
        drop(requested_schema);
        let schema = arrow::schema_capsule(py, &self.0)?;
        PyTuple::new(py, [schema, arrow::array_capsule(py, &self.0)?])
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        arrow::stream_capsule(py, &self.0)
    }
}
