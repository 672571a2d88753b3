//! In which form an answer is sent: JSON, or CBOR where a client asks for it.
//!
//! Clients of lila-tablebase do; so this is how that server chooses, but that it refuses who reads
//! neither, and we send JSON.

use axum::{
    body::{self, Body},
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::Value;

use crate::explore::Refusal;

/// Sends an answer that is JSON as CBOR to who asks for that. Errors stay as they are.
pub async fn negotiate(request: Request, next: Next) -> Response {
    let cbor = wants_cbor(request.headers());
    let mut response = next.run(request).await;
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    if !cbor || response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Some(bytes) = body::to_bytes(body, usize::MAX).await.ok().and_then(|json| in_cbor(&json))
    else {
        return Refusal::Broken("the answer was lost; this is a bug".to_owned()).into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/cbor"));
    Response::from_parts(parts, Body::from(bytes))
}

fn in_cbor(json: &[u8]) -> Option<Vec<u8>> {
    let value: Value = serde_json::from_slice(json).ok()?;
    let mut bytes = Vec::new();
    ciborium::into_writer(&value, &mut bytes).ok()?;
    Some(bytes)
}

/// Whether `Accept` has CBOR before JSON: of the two the one with the higher weight, and of equals
/// the first. Whatever else it names means JSON.
fn wants_cbor(headers: &HeaderMap) -> bool {
    let texts = headers.get_all(header::ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut best = (false, 0.0);
    for range in texts.flat_map(|text| text.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let is_cbor = name.eq_ignore_ascii_case("application/cbor");
        if !is_cbor && !name.eq_ignore_ascii_case("application/json") && name != "*/*" {
            continue;
        }
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        let weight = weight.map_or(1.0, |weight| weight.parse::<f32>().unwrap_or(0.0));
        if weight > best.1 {
            best = (is_cbor, weight);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cbor_is_for_who_asks_for_it() {
        let wants = |accept: &'static str| {
            let headers = [(header::ACCEPT, HeaderValue::from_static(accept))];
            wants_cbor(&HeaderMap::from_iter(headers))
        };
        for yes in [
            "application/cbor",
            "application/cbor, application/json",
            "application/json;q=0.5, Application/CBOR",
            "text/html, application/cbor; q=0.9, */*;q=0.1",
        ] {
            assert!(wants(yes), "{yes}");
        }
        for no in [
            "",
            "*/*",
            "text/html",
            "application/json, application/cbor",
            "application/cbor;q=0",
            "application/cbor;q=0.5, */*",
        ] {
            assert!(!wants(no), "{no}");
        }
        assert!(!wants_cbor(&HeaderMap::new()));
    }
}
