//! Tables of Norochess against their own rules, counts of another solver and plain game-tree
//! search.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use finale::{
    answer::{Bound, NoroAnswer},
    board::{Board, Color, Role, Square},
    index::Material,
    probe::Tablebase,
    progress::Silent,
    rules::{Castling, Elimination, Game, MoveLimits, Noro, NoroPosition, Setup},
    solve::BuildOptions,
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use tempfile::TempDir;

const STANDARD: (u8, u8) = (48, 12);

fn game(elimination: Elimination, (regular, overtime): (u8, u8)) -> Noro {
    Noro { elimination, moves: MoveLimits::new(regular, overtime).unwrap() }
}

/// Builds tables, with all they need, in a folder that goes away.
fn build(game: Noro, materials: &[&str]) -> (Tablebase<Noro>, TempDir) {
    let folder = TempDir::new().unwrap();
    let tables = Tablebase::new(game, folder.path());
    let materials: Vec<Material> = materials.iter().map(|name| name.parse().unwrap()).collect();
    tables.build(&materials, &BuildOptions::default().level(1)).unwrap();
    (tables, folder)
}

fn verify(tables: &Tablebase<Noro>, material: &str) {
    let verified = tables.verify(&material.parse().unwrap(), &Silent).unwrap();
    assert!(verified.positions > 0);
    assert_eq!(verified.wrong, 0, "{material}: {:?}", verified.example);
}

#[test]
fn two_men_follow_from_their_successors() {
    let roles = ["K", "Q", "R", "B", "N", "P"];
    let names: Vec<String> = roles.iter().flat_map(|a| roles.map(|b| format!("{a}v{b}"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for elimination in [Elimination::Loses, Elimination::Score] {
        for moves in [STANDARD, (10, 3), (1, 0)] {
            let (tables, _folder) = build(game(elimination, moves), &names);
            names.iter().for_each(|name| verify(&tables, name));
        }
    }
}

#[test]
fn more_men_follow_from_their_successors_by_other_rules() {
    let (tables, _folder) = build(game(Elimination::Score, (10, 3)), &["KvKP"]);
    verify(&tables, "KvKP");
}

/// How many placements need which score differences, as the facts write them: by the side to move,
/// the plies to go and whether a pawn can be taken in passing.
type Counts = HashMap<(Color, u32, bool), BTreeMap<String, u64>>;

fn counts(tables: &Tablebase<Noro>, material: &str, plies: &BTreeSet<u32>) -> Counts {
    let counted = tables.tally(
        &material.parse().unwrap(),
        &Silent,
        Counts::new,
        |counts, position, answer, weight| {
            let to_move = position.setup.to_move;
            let mut add = |answer: &NoroAnswer, passing| {
                for &plies in plies {
                    let Some(thresholds) = answer.at(plies) else { continue };
                    let (win, draw) = thresholds.needs();
                    let needs = format!("({},{})", written(win), written(draw));
                    let counts = counts.entry((to_move, plies, passing)).or_default();
                    *counts.entry(needs).or_default() += weight;
                }
            };
            add(answer, false);
            for setup in position.setup.passing_variants() {
                // Before the first turn no pawn has moved.
                let setup = Setup { fullmove: 2, ..setup };
                add(&tables.answer(&NoroPosition { setup, ..position.clone() })?, true);
            }
            Ok(())
        },
        |counts, more| {
            for (key, more) in more {
                let counts = counts.entry(key).or_default();
                more.into_iter().for_each(|(needs, n)| *counts.entry(needs).or_default() += n);
            }
        },
    );
    counted.unwrap()
}

fn written(bound: Bound) -> String {
    match bound {
        Bound::Always => "-inf".to_owned(),
        Bound::From(score) => score.to_string(),
        Bound::Never => "inf".to_owned(),
    }
}

#[test]
fn counts_are_those_of_another_solver() {
    let facts: Vec<Vec<&str>> = include_str!("../data/noro/facts.tsv")
        .lines()
        .map(|row| row.split('\t').collect())
        .collect();
    let materials: BTreeSet<&str> = facts.iter().map(|row| row[0]).collect();
    let plies: BTreeSet<u32> = facts.iter().map(|row| row[2].parse().unwrap()).collect();
    let names: Vec<&str> = materials.iter().copied().collect();
    let (tables, _folder) = build(game(Elimination::Loses, STANDARD), &names);
    for material in materials {
        let counts = counts(&tables, material, &plies);
        for row in facts.iter().filter(|row| row[0] == material) {
            let side = if row[3] == "w" { Color::White } else { Color::Black };
            let key = (side, row[2].parse().unwrap(), row[4] == "ep");
            let expected = row[7].split(' ').map(|entry| {
                let (needs, count) = entry.split_once(':').unwrap();
                (needs.to_owned(), count.parse().unwrap())
            });
            assert_eq!(counts[&key], expected.collect(), "{material} {key:?}");
        }
    }
}

#[test]
fn a_move_more_can_spoil_a_win() {
    let (tables, _folder) = build(game(Elimination::Loses, STANDARD), &["KRvKN"]);
    let winner = |fullmove: u32| {
        let fen = format!("8/4R1k1/8/8/8/1n6/3K4/8 w - - 0+0 0 {fullmove}");
        let position = tables.game().parse_fen(&fen).unwrap();
        tables.answer(&position).unwrap().thresholds().winner(0)
    };
    assert_eq!((winner(1), winner(2)), (None, Some(Color::White)));
}

/// Who wins by best play, by looking at every game there can be.
fn search(game: &Noro, position: &NoroPosition) -> Option<Color> {
    if let Some(ending) = game.ending(position) {
        return ending.winner;
    }
    let mover = position.setup.to_move;
    let mut best = Some(!mover);
    for turn in game.turns(position) {
        match search(game, &game.play(position, turn)) {
            found if found == Some(mover) => return found,
            None => best = None,
            _ => {}
        }
    }
    best
}

const SEARCHED: [&str; 4] = ["PvP", "PPvP", "PvPP", "NvQ"];

/// A position with the men of a material on some of these squares, if they can stand there.
fn place(material: &Material, squares: &[u8], to_move: Color, fullmove: u32) -> Option<Setup> {
    let mut board = Board::EMPTY;
    for (man, &square) in material.men().into_iter().zip(squares) {
        let square = Square::new(square);
        if man.role == Role::Pawn && !(1..7).contains(&square.rank()) {
            return None;
        }
        board.put(square, man);
    }
    let castling = Castling::NONE;
    Some(Setup { board, to_move, castling, en_passant: None, halfmove: 0, fullmove })
}

/// With at most four plies to go, on three files, where men meet.
#[test]
fn tables_agree_with_game_tree_search() {
    let squares: Vec<u8> =
        (0..7).flat_map(|rank| [8 * rank + 1, 8 * rank + 2, 8 * rank + 3]).collect();
    let squares = prop::sample::subsequence(squares, 3).prop_shuffle();
    let placement = (0..SEARCHED.len(), squares, 2u32..4, any::<bool>(), -2i64..3);
    for elimination in [Elimination::Loses, Elimination::Score] {
        let (tables, _folder) = build(game(elimination, (2, 1)), &SEARCHED);
        let mut runner = TestRunner::new(Config::with_cases(1000));
        let outcome = runner.run(&placement, |(material, squares, fullmove, white, difference)| {
            let material: Material = SEARCHED[material].parse().unwrap();
            let to_move = if white { Color::White } else { Color::Black };
            let Some(setup) = place(&material, &squares, to_move, fullmove) else {
                return Ok(());
            };
            let points = [difference, -difference].map(|lead| lead.max(0) as u32);
            for setup in setup.passing_variants().into_iter().chain([setup]) {
                let position = NoroPosition { setup, points: points.into() };
                let thresholds = tables.answer(&position).unwrap().thresholds();
                let winner = thresholds.winner(position.difference());
                let fen = tables.game().fen(&position);
                prop_assert_eq!(winner, search(tables.game(), &position), "{}", fen);
            }
            Ok(())
        });
        outcome.unwrap();
    }
}
