//! What questions are answered with.

use serde_json::{Map, Value};

/// A JSON object.
pub type Object = Map<String, Value>;
