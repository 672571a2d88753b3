//! The tables that come with the repository against samples of independent solvers.

use finale::{
    answer::Contents,
    probe::Tablebase,
    rules::{Elks, High, KingOfTheHill, Noro, Orphic, Orthodox, Rooks, Stylish, Tiebraker},
    study::Study,
};
use serde_json::{Value, json};

use crate::common::samples;

fn shipped<G: Study + Default>(samples: &str) {
    let tables = Tablebase::new(G::default(), concat!(env!("CARGO_MANIFEST_DIR"), "/tables"));
    samples::compare(&tables, samples);
}

#[test]
fn noro() {
    shipped::<Noro>(include_str!("../data/noro/samples.tsv"));
}

#[test]
fn tiebraker() {
    shipped::<Tiebraker>(include_str!("../data/tiebraker/samples.tsv"));
}

#[test]
fn orphic() {
    shipped::<Orphic<Rooks>>(include_str!("../data/orphic/samples.tsv"));
}

#[test]
fn orphic_with_elks() {
    shipped::<Orphic<Elks>>(include_str!("../data/orphic-elks/samples.tsv"));
}

#[test]
fn stylish() {
    shipped::<Stylish>(include_str!("../data/stylish/samples.tsv"));
}

/// What a table of `tests/data/format5` says of a position. The files there were written when format 5
/// and these schemas were new; as long as programs claim to read them, they stay as they are.
fn kept<G: Study + Default>(contents: Contents, fen: &str, expected: &Value) {
    says::<G>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format5"), contents, fen, expected);
}

/// The same of `tests/data/format5-packed`, where tables are of one side, some with entries in
/// another order.
fn kept_packed<G: Study + Default>(fen: &str, expected: &Value) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format5-packed");
    says::<G>(folder, Contents::Distance.min(G::CONTENTS[0]), fen, expected);
}

fn says<G: Study + Default>(folder: &str, contents: Contents, fen: &str, expected: &Value) {
    let tables = Tablebase::new(G::default(), folder).preferring(contents);
    let game = tables.game();
    let position = game.parse_fen(fen).expect("a position");
    let material = game.material_of(&position).expect("a material");
    assert_eq!(tables.contents(&material).expect("a table"), contents, "{fen}");
    let answer = tables.answer(&position).expect("a table");
    let fields = game.fields(&position, &answer);
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(fields[name], *value, "{} {fen}: {name}", G::NAME);
    }
}

#[test]
fn tables_of_format_5_are_read_for_ever() {
    let (result, distance) = (Contents::Result, Contents::Distance);
    let rook = "8/8/8/8/3k4/8/8/K6R w - - 0 1";
    kept::<Orthodox>(distance, rook, &json!({ "wdl": "win", "dtm": 29 }));
    kept::<Orthodox>(result, rook, &json!({ "wdl": "win", "dtm": null }));
    let hill = "8/8/8/8/7k/8/8/K6B w - - 0 1";
    kept::<KingOfTheHill>(distance, hill, &json!({ "wdl": "win", "dtm": 5 }));
    let bishop = "8/8/8/3b4/3k4/8/8/K7 w - - 30+20 0 1";
    let known = json!({ "winner": "black", "plies": 59, "by": "exhaustion", "slack": 19 });
    kept::<High>(distance, bishop, &known);
    let known = json!({ "winner": "black", "plies": null, "by": null, "slack": 19 });
    kept::<High>(result, bishop, &known);
    let known = json!({ "result": "draw", "win_at": 1, "draw_at": 0 });
    kept::<Noro>(result, "8/8/3n4/8/8/2B5/8/8 w - - 0+0 0 25", &known);
    let known = json!({ "margin": 110, "distance": 29 });
    kept::<Stylish>(distance, &rook.replace("- - 0 1", "- - 0+0 - 0 1"), &known);
    let reserve = "8/8/8/3K4/8/2R5/8/8[k] b - - 0 1";
    kept::<Orphic<Rooks>>(distance, reserve, &json!({ "wdl": "loss", "dtm": 24 }));
    kept::<Orphic<Rooks>>(result, reserve, &json!({ "wdl": "loss", "dtm": null }));
    let bare = "8/8/8/8/3k4/8/8/K7 w - - normal 0 1";
    kept::<Tiebraker>(distance, bare, &json!({ "points": 50, "by": "draw" }));

    // The positions of either side to move: one of them is looked ahead.
    for (side, dtm) in [("w", 13), ("b", 16)] {
        let wdl = if side == "w" { "win" } else { "loss" };
        let pawn = format!("8/4P3/8/8/8/1k6/8/4K3 {side} - - 0 1");
        kept_packed::<Orthodox>(&pawn, &json!({ "wdl": wdl, "dtm": dtm }));
    }
    for (side, plies) in [("w", 59), ("b", 60)] {
        let bishop = format!("8/8/8/3b4/3k4/8/8/K7 {side} - - 30+20 0 1");
        kept_packed::<High>(&bishop, &json!({ "winner": "black", "plies": plies }));
    }
    for side in ["w", "b"] {
        let knight = format!("8/8/3n4/8/8/2B5/8/8 {side} - - 0+0 0 25");
        kept_packed::<Noro>(&knight, &json!({ "result": "draw" }));
    }
}
