//! What is announced is what best play does: in every game, from positions all over the tables that
//! ship and from every extreme that their statistics print, the line keeps the result to the end,
//! and ends when it was said to.

use std::path::Path;

use finale::{
    Tablebase,
    board::Color,
    index::Material,
    progress::Silent,
    registry::{Complete, GameName, Task},
    rules::{Ending, RuleOptions},
    study::{LineEnd, best_line},
};
use serde_json::Value;

/// More plies than best play takes in any table that ships.
const LONGEST: usize = 300;

/// How many positions of a game are followed besides the extremes.
const POSITIONS: u64 = 1000;

/// Follows best play from one position.
fn follow<G: Complete>(tables: &Tablebase<G>, position: &G::Position) {
    let game = tables.game();
    let fen = game.fen(position);
    let answer = tables.answer(position).expect("a table that ships");
    let result = game.result_words(position, &answer);
    let line = best_line(tables, position, LONGEST).expect("tables that ship");
    for ply in &line.plies {
        let now = game.result_words(&ply.after, &ply.answer);
        assert_eq!(now, result, "{} {fen}: after {}", game.name(), game.san(&ply.before, ply.turn));
    }
    let fields = game.fields(position, &answer);
    let promised = ["plies", "dtm"].iter().find_map(|name| fields.get(*name)?.as_u64());
    let last = line.plies.last().map_or(position, |ply| &ply.after);
    match game.ending(last) {
        Some(ending) => {
            assert_eq!(line.end, LineEnd::Over, "{} {fen}", game.name());
            for side in Color::ALL {
                let wins = result.starts_with(&format!("{side} wins"));
                assert!(!wins || ending.winner() == Some(side), "{} {fen}: {ending}", game.name());
            }
        }
        None => {
            assert_ne!(line.end, LineEnd::Over, "{} {fen}", game.name());
            assert!(
                !result.contains(" wins"),
                "{} {fen}: {result}, but it never comes",
                game.name()
            );
        }
    }
    // Distances of these games are to the end; of others to the next conversion.
    if !["noro", "tiebraker", "stylish"].contains(&game.name())
        && let Some(plies) = promised
    {
        assert_eq!(line.plies.len() as u64, plies, "{} {fen}", game.name());
    }
}

/// The FENs among the values of a report.
fn examples<'r>(report: &'r Value, found: &mut Vec<&'r str>) {
    match report {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(fen) if name.ends_with("example") => found.push(fen),
                    value => examples(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| examples(value, found)),
        _ => {}
    }
}

struct Promises;

impl Task for Promises {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables");
        let tables = Tablebase::new(game, folder);
        let game = tables.game();
        let materials: Vec<Material> = tables.materials().expect("tables that ship");
        for material in &materials {
            let reader = tables.reader(material).expect("a table that ships");
            let cells = game.cells(&reader);
            let wanted = POSITIONS.div_ceil(materials.len() as u64);
            let mut followed = 0;
            // An odd stride meets both sides to move and all modes.
            let stride = (cells / (2 * wanted)) | 1;
            for cell in (0..cells).step_by(stride as usize) {
                let Some(position) = game.cell(&reader, cell) else { continue };
                if followed < wanted {
                    follow(&tables, &position);
                    followed += 1;
                }
            }
        }
        // Statistics of the largest tables take in what they lead to.
        let mut largest_last = materials;
        largest_last.sort_by_key(|material| (material.all_men(), material.to_string()));
        let reports = largest_last.iter().rev().map(|material| {
            let report = game.statistics(&tables, material, &Silent).expect("tables that ship");
            Value::Object(report.fields())
        });
        // Of one in which all is drawn there is none.
        let has_some = |report: &Value| {
            let mut fens = Vec::new();
            examples(report, &mut fens);
            !fens.is_empty()
        };
        let report = reports.into_iter().find(has_some).unwrap_or_default();
        let mut fens = Vec::new();
        examples(&report, &mut fens);
        assert!(!fens.is_empty(), "{} has no examples", game.name());
        for fen in fens {
            follow(&tables, &game.parse_fen(fen).expect("an example is a position"));
        }
    }
}

macro_rules! promises {
    ($($name:ident),*) => {
        $(
            #[test]
            fn $name() {
                let name = stringify!($name).trim_start_matches('_').replace('_', "-");
                let game = GameName::all().iter().find(|game| game.name() == name);
                let game = game.expect("a game of this name");
                game.play(RuleOptions::none(), Promises).expect("the usual options");
            }
        )*

        #[test]
        fn all_games_keep_their_promises() {
            assert_eq!(GameName::all().len(), [$(stringify!($name)),*].len());
        }
    };
}

promises!(
    orthodox,
    koth,
    antichess,
    atomic,
    _3check,
    knightmate,
    makruk,
    racingkings,
    gardner,
    losalamos,
    high,
    noro,
    tiebraker,
    orphic,
    orphic_elks,
    stylish
);
