//! How a refusal is answered: a status that fits, and the JSON that says why.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;

use crate::explore::Refusal;

fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::Wrong(_) => StatusCode::BAD_REQUEST,
        Refusal::Unknown(_) | Refusal::Missing(_) => StatusCode::NOT_FOUND,
        Refusal::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        Refusal::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = status(&self);
        let mut response = (status, axum::Json(Value::Object(self.object()))).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
