//! JSON as Python has it.

use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyDict, PyList},
};
use serde_json::{Map, Value};

/// A JSON object as a dict.
pub fn object<'py>(py: Python<'py>, members: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, member) in members {
        dict.set_item(name, value(py, member)?)?;
    }
    Ok(dict)
}

/// A JSON value as dict, list, str, int, float, bool or None.
fn value<'py>(py: Python<'py>, json: &Value) -> PyResult<Bound<'py, PyAny>> {
    match json {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(flag) => flag.into_bound_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_bound_py_any(py),
            (None, Some(whole)) => whole.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(values) => {
            let list = PyList::empty(py);
            values.iter().try_for_each(|one| list.append(value(py, one)?))?;
            Ok(list.into_any())
        }
        Value::Object(members) => Ok(object(py, members)?.into_any()),
    }
}
