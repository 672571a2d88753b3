//! Holding answers against samples.

use finale::{probe::Tablebase, study::Study};
use serde_json::{Map, Value};

/// Holds answers against samples: lines of a FEN, a tab and the fields of its answer in JSON.
pub fn compare<G: Study>(tables: &Tablebase<G>, samples: &str) {
    let game = tables.game();
    for line in samples.lines() {
        let (fen, fields) = line.split_once('\t').expect("a FEN, a tab and fields");
        let expected: Map<String, Value> = serde_json::from_str(fields).expect("JSON");
        let position = game.parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let answer = tables.answer(&position).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let found = game.fields(&position, &answer);
        for (field, value) in &expected {
            assert_eq!(found.get(field), Some(value), "`{field}` of {fen}");
        }
    }
}
