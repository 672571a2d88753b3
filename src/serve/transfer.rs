//! What of an answer crosses the wire: nothing that the client has already, and the rest packed.

use axum::{
    body::{self, Body},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, response::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::explore::Refusal;

/// Answers that are shorter are not worth packing, in bytes.
const LEAST: usize = 1024;

/// How much zstd tries: the page waits for it.
const LEVEL: i32 = 3;

/// Gives answers to `GET` a tag and leaves out what the client has by its tag; packs what is left
/// if the client reads it. Whatever else is said holds only for now.
pub async fn spare(request: Request, next: Next) -> Response {
    let asked = [Method::GET, Method::HEAD].contains(request.method());
    let wanted = request.headers().clone();
    let mut response = next.run(request).await;
    if !asked || response.status() != StatusCode::OK {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return response;
    }
    let (parts, body) = response.into_parts();
    match body::to_bytes(body, usize::MAX).await {
        // Of `HEAD` only the head is left.
        Ok(bytes) if bytes.is_empty() => Response::from_parts(parts, Body::empty()),
        Ok(bytes) => send(parts, bytes, &wanted),
        Err(_) => Refusal::Broken("the answer was lost; this is a bug".to_owned()).into_response(),
    }
}

fn send(mut parts: Parts, bytes: body::Bytes, wanted: &HeaderMap) -> Response {
    // Weak, for packed and unpacked answers have the same.
    let tag = format!("W/\"{:08x}-{:x}\"", crc32fast::hash(&bytes), bytes.len());
    let known = has(wanted, &tag);
    let headers = &mut parts.headers;
    // Tables may be built, or a server started by other rules: it is asked each time.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    if known {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    if bytes.len() >= LEAST
        && reads_zstd(wanted)
        && let Ok(packed) = zstd::bulk::compress(&bytes, LEVEL)
    {
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("zstd"));
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::from(packed));
    }
    Response::from_parts(parts, Body::from(bytes))
}

/// The parts of a list in a header, which may be there several times.
fn list(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let texts = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Whether the client has what a tag stands for, by `If-None-Match`. For that weak tags are as
/// good as strong ones.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    list(headers, header::IF_NONE_MATCH).any(|had| had == "*" || opaque(had) == opaque(tag))
}

/// Whether the client reads zstd, by `Accept-Encoding`.
fn reads_zstd(headers: &HeaderMap) -> bool {
    list(headers, header::ACCEPT_ENCODING).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("zstd"));
        let refused = |part: &str| part.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        named && !parts.any(refused)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: header::HeaderName, values: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn tags_are_found_in_lists_weak_or_strong() {
        let tag = "W/\"1f-3\"";
        for known in ["W/\"1f-3\"", "\"1f-3\"", "*", "\"a\", W/\"1f-3\"", "\"a\",\"1f-3\" , \"b\""]
        {
            assert!(has(&with(header::IF_NONE_MATCH, &[known]), tag), "{known}");
        }
        assert!(has(&with(header::IF_NONE_MATCH, &["\"a\"", "\"1f-3\""]), tag));
        for other in ["", "1f-3", "\"1f-30\"", "\"a\", \"b\""] {
            assert!(!has(&with(header::IF_NONE_MATCH, &[other]), tag), "{other}");
        }
    }

    #[test]
    fn only_who_reads_zstd_gets_it() {
        for yes in ["zstd", "gzip, deflate, br, zstd", "ZSTD;q=0.5", "gzip;q=0,zstd; q=1"] {
            assert!(reads_zstd(&with(header::ACCEPT_ENCODING, &[yes])), "{yes}");
        }
        for no in ["", "gzip", "zstd;q=0", "gzip, zstd; q=0.0", "*;q=0"] {
            assert!(!reads_zstd(&with(header::ACCEPT_ENCODING, &[no])), "{no}");
        }
    }
}
