//! The query of a request.

use std::convert::Infallible;

use axum::{
    extract::FromRequestParts,
    http::{Uri, request::Parts},
};

use crate::explore::Query;

/// What follows the question mark of an address.
pub fn query_of(uri: &Uri) -> Query {
    Query::parse(uri.query().unwrap_or_default())
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query, Infallible> {
        Ok(query_of(&parts.uri))
    }
}
