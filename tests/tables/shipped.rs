//! The tables that come with the repository against samples of independent solvers.

use finale::{
    answer::Contents,
    probe::Tablebase,
    rules::{Elks, High, Noro, Orphic, Rooks, Stylish, Tiebraker, Variant},
    study::Study,
};
use serde_json::{Value, json};

use crate::common::samples;

fn shipped<G: Study>(game: G, samples: &str) {
    let tables = Tablebase::new(game, concat!(env!("CARGO_MANIFEST_DIR"), "/tables"));
    samples::compare(&tables, samples);
}

#[test]
fn noro() {
    shipped(Noro::default(), include_str!("../data/noro/samples.tsv"));
}

#[test]
fn tiebraker() {
    shipped(Tiebraker, include_str!("../data/tiebraker/samples.tsv"));
}

#[test]
fn orphic() {
    shipped(Orphic::<Rooks>::default(), include_str!("../data/orphic/samples.tsv"));
}

#[test]
fn orphic_with_elks() {
    shipped(Orphic::<Elks>::default(), include_str!("../data/orphic-elks/samples.tsv"));
}

#[test]
fn stylish() {
    shipped(Stylish::default(), include_str!("../data/stylish/samples.tsv"));
}

/// What a table of `tests/data/format5` says of a position. The files there were written when
/// format 5 and these schemas were new; as long as programs claim to read them, they stay as they
/// are.
fn kept<G: Study>(game: G, contents: Contents, fen: &str, expected: &Value) {
    says(game, concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format5"), contents, fen, expected);
}

/// The same of `tests/data/format5-packed`, where tables are of one side, some with entries in
/// another order.
fn kept_packed<G: Study>(game: G, fen: &str, expected: &Value) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format5-packed");
    says(game, folder, Contents::Distance.min(G::CONTENTS[0]), fen, expected);
}

fn says<G: Study>(game: G, folder: &str, contents: Contents, fen: &str, expected: &Value) {
    let tables = Tablebase::new(game, folder).preferring(contents);
    let game = tables.game();
    let position = game.parse_fen(fen).expect("a position");
    let material = game.material_of(&position).expect("a material");
    assert_eq!(tables.contents(&material).expect("a table"), contents, "{fen}");
    let answer = tables.answer(&position).expect("a table");
    let fields = game.fields(&position, &answer);
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(fields[name], *value, "{} {fen}: {name}", game.name());
    }
}

#[test]
fn tables_of_format_5_are_read_for_ever() {
    let (result, distance) = (Contents::Result, Contents::Distance);
    let rook = "8/8/8/8/3k4/8/8/K6R w - - 0 1";
    kept(Variant::orthodox(), distance, rook, &json!({ "wdl": "win", "dtm": 29 }));
    kept(Variant::orthodox(), result, rook, &json!({ "wdl": "win", "dtm": null }));
    let hill = "8/8/8/8/7k/8/8/K6B w - - 0 1";
    kept(Variant::koth(), distance, hill, &json!({ "wdl": "win", "dtm": 5 }));
    let bishop = "8/8/8/3b4/3k4/8/8/K7 w - - 30+20 0 1";
    let known = json!({ "winner": "black", "plies": 59, "by": "exhaustion", "slack": 19 });
    kept(High::default(), distance, bishop, &known);
    let known = json!({ "winner": "black", "plies": null, "by": null, "slack": 19 });
    kept(High::default(), result, bishop, &known);
    let known = json!({ "result": "draw", "win_at": 1, "draw_at": 0 });
    kept(Noro::default(), result, "8/8/3n4/8/8/2B5/8/8 w - - 0+0 0 25", &known);
    let known = json!({ "margin": 110, "distance": 29 });
    kept(Stylish::default(), distance, &rook.replace("- - 0 1", "- - 0+0 - 0 1"), &known);
    let reserve = "8/8/8/3K4/8/2R5/8/8[k] b - - 0 1";
    kept(Orphic::<Rooks>::default(), distance, reserve, &json!({ "wdl": "loss", "dtm": 24 }));
    kept(Orphic::<Rooks>::default(), result, reserve, &json!({ "wdl": "loss", "dtm": null }));
    let bare = "8/8/8/8/3k4/8/8/K7 w - - normal 0 1";
    kept(Tiebraker, distance, bare, &json!({ "points": 50, "by": "draw" }));

    // The positions of either side to move: one of them is looked ahead.
    for (side, dtm) in [("w", 13), ("b", 16)] {
        let wdl = if side == "w" { "win" } else { "loss" };
        let pawn = format!("8/4P3/8/8/8/1k6/8/4K3 {side} - - 0 1");
        kept_packed(Variant::orthodox(), &pawn, &json!({ "wdl": wdl, "dtm": dtm }));
    }
    for (side, plies) in [("w", 59), ("b", 60)] {
        let bishop = format!("8/8/8/3b4/3k4/8/8/K7 {side} - - 30+20 0 1");
        kept_packed(High::default(), &bishop, &json!({ "winner": "black", "plies": plies }));
    }
    for side in ["w", "b"] {
        let knight = format!("8/8/3n4/8/8/2B5/8/8 {side} - - 0+0 0 25");
        kept_packed(Noro::default(), &knight, &json!({ "result": "draw" }));
    }
}
