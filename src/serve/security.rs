//! What browsers may do with what we answer: run only our scripts, and show us within no other page.
//!
//! Who runs the server can name sites whose pages may show positions in a frame. That holds for the
//! page where it is asked for with `embed`, which has nothing to press that does any harm.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

use super::{
    options::Framer,
    page::{self, POLICY},
    query::query_of,
    site::Site,
};

const HEADERS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// Sets the headers by which browsers guard our pages.
pub async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let is_front = page::is_front(request.uri().path().trim_start_matches('/'));
    let framers = match is_front && query_of(request.uri()).get("embed").is_some() {
        true => &site.framers[..],
        false => &[],
    };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let mut who: Vec<String> = framers.iter().map(Framer::to_string).collect();
    if who.is_empty() {
        who.push("'none'".to_owned());
        // For browsers that do not know the policy; it cannot name several.
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    if let Ok(policy) = format!("{POLICY}; frame-ancestors {}", who.join(" ")).try_into() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
