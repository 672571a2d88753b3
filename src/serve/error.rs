//! Why a request is refused: a status that fits, and JSON that says why.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

use super::options::Advice;
use crate::{
    answer::UnfitMaterial,
    probe::{OpenTableError, ProbeError},
    rules::FenError,
};

/// A request that is not answered as it was asked.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The request is wrong: what, and what would be right.
    Wrong(String),
    /// There is no such thing.
    Unknown(String),
    /// A table is missing: which, and what builds it.
    Missing(Box<Missing>),
    /// A table is damaged or of other options; the words name the file.
    Broken(String),
    /// Too much is asked at once, or it takes too long.
    Busy(&'static str),
}

/// A table that is missing.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The reason in words.
    pub error: String,
    /// The game of the table.
    pub game: &'static str,
    /// Its material.
    pub material: String,
    /// The command that builds it, if whoever asks can run it.
    pub build: Option<String>,
    /// What can be said all the same, such as the turns.
    pub known: Map<String, Value>,
}

impl Refusal {
    /// The reason for programs: `error` in words, and what goes with it.
    pub fn object(self) -> Map<String, Value> {
        let mut object = Map::new();
        match self {
            Refusal::Wrong(error) | Refusal::Unknown(error) | Refusal::Broken(error) => {
                object.insert("error".to_owned(), json!(error));
            }
            Refusal::Busy(error) => {
                object.insert("error".to_owned(), json!(error));
            }
            Refusal::Missing(missing) => {
                object.insert("error".to_owned(), json!(missing.error));
                object.insert("missing".to_owned(), json!(missing.material));
                if let Some(command) = missing.build {
                    object.insert("build".to_owned(), json!(command));
                }
                object.extend(missing.known);
            }
        }
        object
    }

    fn status(&self) -> StatusCode {
        match self {
            Refusal::Wrong(_) => StatusCode::BAD_REQUEST,
            Refusal::Unknown(_) | Refusal::Missing(_) => StatusCode::NOT_FOUND,
            Refusal::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Refusal::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut response = (status, axum::Json(Value::Object(self.object()))).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<FenError> for Refusal {
    fn from(error: FenError) -> Refusal {
        Refusal::Wrong(error.to_string())
    }
}

impl From<UnfitMaterial> for Refusal {
    fn from(error: UnfitMaterial) -> Refusal {
        Refusal::Unknown(error.to_string())
    }
}

impl Refusal {
    /// Why a position could not be answered, with advice for tables that are missing or damaged.
    pub fn of(error: ProbeError, advice: Advice) -> Refusal {
        let words = (advice.sentence)(&error);
        match error {
            ProbeError::Unanswerable(_) => Refusal::Unknown(words),
            ProbeError::Open(OpenTableError::Missing { id, folder }) => {
                let folder = folder.parent().unwrap_or(&folder);
                Refusal::Missing(Box::new(Missing {
                    error: words,
                    game: id.game,
                    material: id.material.to_string(),
                    build: advice.build.map(|build| build(&id, folder)),
                    known: Map::new(),
                }))
            }
            _ => Refusal::Broken(words),
        }
    }
}
