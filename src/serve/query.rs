//! The query of an address.
//!
//! FENs have both spaces and plus signs, and programs write a space in three ways. Where a value
//! has a `_` or a `%20`, a `+` is a plus sign; elsewhere it is a space, as forms write it.

use std::borrow::Cow;

use axum::{
    extract::FromRequestParts,
    http::{Uri, request::Parts},
};
use percent_encoding::percent_decode_str;

use super::error::Refusal;

/// The names and values after the question mark.
#[derive(Debug, Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// What follows the question mark of an address.
    pub fn of(uri: &Uri) -> Query {
        Query::parse(uri.query().unwrap_or_default())
    }

    fn parse(text: &str) -> Query {
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name), decode(value))
        });
        Query(pairs.collect())
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value of a name that must be there.
    ///
    /// # Errors
    /// If it is not; `example` shows how it would be written.
    pub fn need(&self, name: &str, example: &str) -> Result<&str, Refusal> {
        let missing = || Refusal::Wrong(format!("`{name}` is missing; ask like ?{name}={example}"));
        self.get(name).ok_or_else(missing)
    }

    /// A switch, off if it is not there.
    ///
    /// # Errors
    /// If it is neither true nor false.
    pub fn switch(&self, name: &str) -> Result<bool, Refusal> {
        match self.get(name) {
            None | Some("false" | "0") => Ok(false),
            Some("" | "true" | "1") => Ok(true),
            Some(other) => Err(Refusal::Wrong(format!("`{name}` is true or false, not `{other}`"))),
        }
    }

    /// A number in a range.
    ///
    /// # Errors
    /// If it is none, or lies outside.
    pub fn number(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<usize>,
        default: usize,
    ) -> Result<usize, Refusal> {
        let Some(text) = self.get(name) else { return Ok(default) };
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = range.into_inner();
            Refusal::Wrong(format!("`{name}` is a number from {least} to {most}, not `{text}`"))
        })
    }
}

fn decode(text: &str) -> String {
    let plain = text.contains('_') || text.contains("%20");
    let text: Cow<'_, str> = if plain { text.into() } else { text.replace('+', " ").into() };
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query, Self::Rejection> {
        Ok(Query::of(&parts.uri))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_arrives_however_its_spaces_are_written() {
        let fen = "8/8/8/3k4/8/8/1BN5/K7 w - - 50+50 0 1";
        for text in [
            "8/8/8/3k4/8/8/1BN5/K7%20w%20-%20-%2050+50%200%201",
            "8%2F8%2F8%2F3k4%2F8%2F8%2F1BN5%2FK7+w+-+-+50%2B50+0+1",
            "8%2F8%2F8%2F3k4%2F8%2F8%2F1BN5%2FK7%20w%20-%20-%2050%2B50%200%201",
        ] {
            let query = Query::parse(&format!("words=1&fen={text}"));
            assert_eq!(query.get("fen"), Some(fen), "{text}");
        }
        let query = Query::parse("fen=8/8/8/3k4/8/8/1BN5/K7_w_-_-_50+50_0_1");
        assert_eq!(query.get("fen"), Some("8/8/8/3k4/8/8/1BN5/K7_w_-_-_50+50_0_1"));
    }

    #[test]
    fn odd_encodings_are_read_as_they_can_be() {
        let query = Query::parse("&&fen=%ff%zz&=x&a");
        assert_eq!(query.get("fen"), Some("\u{fffd}%zz"));
        assert_eq!(query.get("a"), Some(""));
        assert!(query.switch("a").is_ok_and(|on| on));
        assert!(query.number("fen", 1..=5, 3).is_err());
    }
}
