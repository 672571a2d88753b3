//! Why a question is refused, and JSON that says why.

use serde_json::{Map, json};

use super::{advice::Advice, object::Object};
use crate::{
    answer::UnfitMaterial,
    probe::{OpenTableError, ProbeError},
    rules::FenError,
};

/// A question that is not answered as it was asked.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The question is wrong: what, and what would be right.
    Wrong(String),
    /// There is no such thing.
    Unknown(String),
    /// A table is missing: which, and what builds it.
    Missing(Box<Missing>),
    /// A table is damaged or of other options; the words name the file.
    Broken(String),
    /// Too much is asked at once, or it takes too long.
    Busy(&'static str),
    /// Bytes of tables that are somewhere else are wanted first; then the same is asked again.
    Awaited,
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
    pub known: Object,
}

impl Refusal {
    /// That nobody answers at an address.
    pub fn nothing_here() -> Refusal {
        Refusal::Unknown("there is nothing here; see /api/v1/openapi.json".to_owned())
    }

    /// Its number among the statuses of HTTP.
    pub fn status(&self) -> u16 {
        match self {
            Refusal::Wrong(_) => 400,
            Refusal::Unknown(_) | Refusal::Missing(_) => 404,
            Refusal::Broken(_) => 500,
            Refusal::Busy(_) | Refusal::Awaited => 503,
        }
    }

    /// The reason for programs: `error` in words, and what goes with it.
    pub fn object(self) -> Object {
        let mut object = Map::new();
        match self {
            Refusal::Wrong(error) | Refusal::Unknown(error) | Refusal::Broken(error) => {
                object.insert("error".to_owned(), json!(error));
            }
            Refusal::Busy(error) => {
                object.insert("error".to_owned(), json!(error));
            }
            Refusal::Awaited => {
                object.insert("error".to_owned(), json!("the tables are on their way"));
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
    pub(crate) fn of(error: ProbeError, advice: Advice) -> Refusal {
        if error.is_awaited() {
            return Refusal::Awaited;
        }
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
