//! What programs are told of the interface: OpenAPI 3.1, with the games of this server.

use serde_json::{Value, json};

use crate::explore::Refusal;

/// What holds for every server. Its games and examples are those that are built in.
const EVERYWHERE: &str = include_str!("openapi.json");

/// The description, by the names of the games and a FEN of each, which is an example where there is
/// no better one.
///
/// # Errors
/// None, unless what is built in is broken.
pub fn description(games: &[(&str, String)]) -> Result<Value, Refusal> {
    let mut whole: Value =
        serde_json::from_str(EVERYWHERE).map_err(|error| Refusal::Broken(error.to_string()))?;
    let components = &mut whole["components"];
    components["schemas"]["GameName"]["enum"] = games.iter().map(|(name, _)| *name).collect();
    let fen = &mut components["parameters"]["Fen"]["examples"];
    let example = |(name, initial): &(&str, String)| {
        let known = fen.get(name).cloned();
        ((*name).to_owned(), known.unwrap_or_else(|| json!({ "value": initial })))
    };
    let examples = games.iter().map(example).collect();
    *fen = Value::Object(examples);
    Ok(whole)
}
