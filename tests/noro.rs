//! Tables of Norochess against their own rules, published counts and plain game-tree search.

use finale::{
    board::{Board, Color, Role, Square},
    index::Material,
    probe::Tablebase,
    rules::{Castling, Elimination, Game, Moves, Noro, NoroPosition, Setup},
    solve::{Bound, Plan, Silent, Workbench, scratch::Budget},
    table::WriterOptions,
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use tempfile::TempDir;

const STANDARD: (u8, u8) = (48, 12);

fn game(elimination: Elimination, (regular, overtime): (u8, u8)) -> Noro {
    Noro { elimination, moves: Moves::new(regular, overtime).unwrap() }
}

/// Builds tables, with all they need, in a folder that goes away.
fn build(game: Noro, materials: &[&str]) -> (Tablebase<Noro>, TempDir) {
    let folder = TempDir::new().unwrap();
    let tables = Tablebase::new(game, folder.path());
    let materials: Vec<Material> = materials.iter().map(|name| name.parse().unwrap()).collect();
    let budget = Budget::new(1 << 30, folder.path());
    let options = WriterOptions { level: 1, ..WriterOptions::default() };
    let bench = Workbench { shelf: tables.shelf(), budget: &budget, options, progress: &Silent };
    let plan = Plan::new(&game, &materials, tables.shelf()).unwrap();
    plan.build(&game, &bench, |_| ()).unwrap();
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
fn more_men_follow_from_their_successors() {
    let names = ["KRvK", "QvRN", "BBvB", "PPvN"];
    let (tables, _folder) = build(game(Elimination::Loses, STANDARD), &names);
    names.iter().for_each(|name| verify(&tables, name));
    let (tables, _folder) = build(game(Elimination::Score, (10, 3)), &["KvKP"]);
    verify(&tables, "KvKP");
}

/// With so many plies to go, the placements whose thresholds are such.
fn count(tables: &Tablebase<Noro>, material: &str, remaining: u32, pair: (Bound, Bound)) -> u64 {
    let count = tables.tally(
        &material.parse().unwrap(),
        &Silent,
        || 0,
        |sum, _, answer, weight| {
            if answer.at(remaining).is_some_and(|found| found.needs() == pair) {
                *sum += weight;
            }
            Ok(())
        },
        |sum, more| *sum += more,
    );
    count.unwrap()
}

#[test]
fn published_counts_are_met() {
    const SURE: (Bound, Bound) = (Bound::Always, Bound::Always);
    const LOST: (Bound, Bound) = (Bound::Never, Bound::Never);
    let pair = |win, draw| (Bound::From(win), Bound::From(draw));
    let (tables, _folder) =
        build(game(Elimination::Loses, STANDARD), &["QQvR", "BvN", "KRvK", "PvP", "KvK"]);
    for (material, remaining, pair, placements) in [
        // Where no Queen can take the Rook at once, it escapes.
        ("QQvR", 26, SURE, 74_328),
        ("QQvR", 26, pair(1, 0), 50_664),
        ("QQvR", 120, SURE, 74_328),
        ("QQvR", 23, pair(9, 9), 16_240),
        ("QQvR", 119, SURE, 560),
        ("BvN", 26, pair(0, 0), 312),
        ("BvN", 28, SURE, 872),
        ("BvN", 120, pair(1, 0), 3160),
        ("BvN", 119, SURE, 32),
        ("BvN", 119, LOST, 336),
        ("KRvK", 26, pair(0, 0), 121_584),
        ("KRvK", 48, pair(0, 0), 880),
        ("KRvK", 60, SURE, 249_984),
        ("KRvK", 119, pair(6, 5), 23_520),
        ("PvP", 12, pair(1, 1), 604),
        ("PvP", 25, pair(0, 0), 604),
        ("PvP", 119, LOST, 928),
        ("KvK", 0, pair(1, 0), 4032),
        ("KvK", 2, pair(0, 0), 420),
    ] {
        assert_eq!(count(&tables, material, remaining, pair), placements, "{material} {remaining}");
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
                let position = NoroPosition { setup, points };
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
