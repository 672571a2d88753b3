//! Tables of Norochess against their own rules, counts of another solver and plain game-tree
//! search.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use finale::{
    answer::{Bound, NoroAnswer, Tabled},
    board::{Board, Color, Role, Square},
    index::Material,
    probe::Tablebase,
    progress::Silent,
    rules::{Castling, Elimination, Game, Laws, MoveLimits, Noro, NoroPosition, Setup},
    solve::BuildOptions,
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestCaseError, TestRunner},
};
use tempfile::TempDir;

pub(super) const STANDARD: (u8, u8) = (48, 12);

pub(super) const ELIMINATIONS: [Elimination; 3] =
    [Elimination::Loses, Elimination::Score, Elimination::Early];

pub(super) fn game(elimination: Elimination, (regular, overtime): (u8, u8)) -> Noro {
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
    for elimination in ELIMINATIONS {
        for moves in [STANDARD, (10, 3), (1, 0)] {
            let (tables, _folder) = build(game(elimination, moves), &names);
            names.iter().for_each(|name| verify(&tables, name));
        }
    }
}

#[test]
fn more_men_follow_from_their_successors_by_other_rules() {
    for elimination in [Elimination::Score, Elimination::Early] {
        let (tables, _folder) = build(game(elimination, (10, 3)), &["KvKP"]);
        verify(&tables, "KvKP");
    }
}

/// Turns that score nothing are looked up together, by what the table says after them.
#[test]
fn looking_ahead_is_playing_each_turn() {
    for name in ["KRvN", "KQvP"] {
        let (tables, _folder) = build(game(Elimination::Early, (3, 2)), &[name]);
        let (game, material) = (tables.game(), name.parse().unwrap());
        let reader = tables.reader(&material).unwrap();
        let positions = (0..game.cells(&reader)).filter_map(|cell| game.cell(&reader, cell));
        for position in positions.step_by(17) {
            let options = game.turns(&position).into_iter().map(|turn| {
                let after = game.play(&position, turn);
                (turn, tables.answer(&after).unwrap())
            });
            let expected = game.backup(&position, &options.collect::<Vec<_>>());
            let fen = || game.fen(&position);
            assert_eq!(tables.look_ahead(&position).unwrap(), expected, "{}", fen());
        }
    }
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
            for setup in position.setup.passing_variants(&Laws::ORTHODOX) {
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
    let turns = game.turns(position);
    if turns.is_empty() {
        return game.ending(position).expect("a game without a turn is over").winner;
    }
    let mover = position.setup.to_move;
    let mut best = Some(!mover);
    for turn in turns {
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
pub(super) fn place(
    material: &Material,
    squares: &[u8],
    to_move: Color,
    fullmove: u32,
) -> Option<Setup> {
    let mut board = Board::EMPTY;
    for (man, &square) in material.men().into_iter().zip(squares) {
        let square = Square::new(square);
        if man.role == Role::Pawn && !(1..7).contains(&square.rank()) {
            return None;
        }
        board.put(square, man);
    }
    let castling = Castling::NONE;
    Some(Setup {
        board,
        to_move,
        castling,
        en_passant: None,
        checks_left: None,
        halfmove: 0,
        fullmove,
    })
}

/// Compares positions with game-tree search: with at most four plies to go, on three files, where men
/// meet. Under each way of elimination tables are built, and so many placements are tried, at score
/// differences in a range.
pub(super) fn each_searched(
    cases: u32,
    differences: Range<i64>,
    build: impl Fn(Noro, &[&str]) -> (Tablebase<Noro>, TempDir),
    compare: impl Fn(&Tablebase<Noro>, &NoroPosition) -> Result<(), TestCaseError>,
) {
    let squares: Vec<u8> =
        (0..7).flat_map(|rank| [8 * rank + 1, 8 * rank + 2, 8 * rank + 3]).collect();
    let squares = prop::sample::subsequence(squares, 3).prop_shuffle();
    let placement = (0..SEARCHED.len(), squares, 2u32..4, any::<bool>(), differences);
    for elimination in ELIMINATIONS {
        let (tables, _folder) = build(game(elimination, (2, 1)), &SEARCHED);
        let mut runner = TestRunner::new(Config::with_cases(cases));
        let outcome = runner.run(&placement, |(material, squares, fullmove, white, difference)| {
            let material: Material = SEARCHED[material].parse().unwrap();
            let to_move = if white { Color::White } else { Color::Black };
            let Some(setup) = place(&material, &squares, to_move, fullmove) else {
                return Ok(());
            };
            let points = [difference, -difference].map(|lead| lead.max(0) as u32);
            for setup in setup.passing_variants(&Laws::ORTHODOX).into_iter().chain([setup]) {
                compare(&tables, &NoroPosition { setup, points: points.into() })?;
            }
            Ok(())
        });
        outcome.unwrap();
    }
}

#[test]
fn tables_agree_with_game_tree_search() {
    each_searched(1000, -2..3, build, |tables, position| {
        let thresholds = tables.answer(position).unwrap().thresholds();
        let winner = thresholds.winner(position.difference());
        let fen = tables.game().fen(position);
        prop_assert_eq!(winner, search(tables.game(), position), "{}", fen);
        Ok(())
    });
}

/// The thresholds W and D of every placement of some men without pawns, by the recurrence on the
/// page of the rules and nothing of the program: a list for each number of plies to go, from 0 on.
/// Men are letters, upper case for White; a placement is a number of a digit of 64 for each man,
/// and those in which men share a square mean nothing.
struct Plain {
    men: [u8; 3],
    regular: i32,
    overtime: i32,
    /// By which men are left, a bit each: the thresholds of all placements, if both sides have men.
    layers: Vec<Vec<Vec<[i32; 2]>>>,
}

/// Where each man stands; nowhere if he is gone.
type PlainSquares = [Option<usize>; 3];

const NEVER: i32 = 1000;

impl Plain {
    /// What is decided when a side is gone: by the moves that it has made, N at least or fewer.
    fn gone(&self, white: bool, remaining: i32, elimination: Elimination) -> [i32; 2] {
        let to_go = if white { remaining / 2 } else { (remaining + 1) / 2 };
        let made = self.regular + self.overtime - to_go;
        let loses = match elimination {
            Elimination::Loses => true,
            Elimination::Score => false,
            Elimination::Early => made < self.regular,
        };
        match (loses, white) {
            (true, true) => [NEVER; 2],
            (true, false) => [-NEVER; 2],
            (false, _) => [1, 0],
        }
    }

    /// The squares of the men, and whether they stand apart.
    fn squares(&self, left: usize, mut placement: usize) -> Option<PlainSquares> {
        let mut taken = 0_u64;
        let mut squares = [None; 3];
        let men = squares.iter_mut().enumerate().filter(|(man, _)| left >> man & 1 > 0);
        for (_, square) in men {
            let at = placement % 64;
            placement /= 64;
            if taken >> at & 1 > 0 {
                return None;
            }
            taken |= 1 << at;
            *square = Some(at);
        }
        Some(squares)
    }

    fn placement(squares: &PlainSquares) -> usize {
        squares.iter().rev().flatten().fold(0, |placement, at| 64 * placement + at)
    }

    /// The best of all moves of a side.
    fn best(&self, left: usize, placement: usize, remaining: i32, how: Elimination) -> [i32; 2] {
        let white = remaining % 2 == 0;
        let Some(squares) = self.squares(left, placement) else { return [0; 2] };
        let before = &self.layers[remaining as usize - 1];
        let is_white = |man: usize| self.men[man].is_ascii_uppercase();
        let mut best = if white { [NEVER + 1; 2] } else { [-NEVER - 1; 2] };
        for man in (0..self.men.len()).filter(|&man| is_white(man) == white) {
            let Some(from) = squares[man] else { continue };
            let (file, rank) = (from as i32 % 8, from as i32 / 8);
            let (steps, far): (&[(i32, i32)], i32) = match self.men[man].to_ascii_uppercase() {
                b'R' => (&[(1, 0), (-1, 0), (0, 1), (0, -1)], 7),
                b'B' => (&[(1, 1), (-1, 1), (1, -1), (-1, -1)], 7),
                b'N' => {
                    (&[(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)], 1)
                }
                man => (
                    &[(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)],
                    if man == b'K' { 1 } else { 7 },
                ),
            };
            for &(right, up) in steps {
                for n in 1..=far {
                    let (file, rank) = (file + n * right, rank + n * up);
                    if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                        break;
                    }
                    let to = Some((8 * rank + file) as usize);
                    let hit = squares.iter().position(|&square| square == to);
                    if hit.is_some_and(|hit| is_white(hit) == white) {
                        break;
                    }
                    let (mut next, mut rest, mut points) = (squares, left, 0);
                    next[man] = to;
                    if let Some(hit) = hit {
                        next[hit] = None;
                        rest &= !(1 << hit);
                        points = match self.men[hit].to_ascii_uppercase() {
                            b'Q' => 9,
                            b'R' => 5,
                            b'K' => 2,
                            _ => 3,
                        };
                    }
                    let enemies = |man: &usize| is_white(*man) != white && rest >> man & 1 > 0;
                    let after = match (0..self.men.len()).find(enemies) {
                        Some(_) => before[rest][Plain::placement(&next)],
                        None => self.gone(!white, remaining - 1, how),
                    };
                    for (best, after) in best.iter_mut().zip(after) {
                        let sure = after.abs() == NEVER;
                        *best = match (white, sure) {
                            (true, true) => (*best).min(after),
                            (true, false) => (*best).min(after - points),
                            (false, true) => (*best).max(after),
                            (false, false) => (*best).max(after + points),
                        };
                    }
                    if hit.is_some() {
                        break;
                    }
                }
            }
        }
        if best[0].abs() > NEVER {
            // Blocked.
            best = [1, 0];
        }
        if white && remaining <= 2 * self.overtime {
            best = best.map(|bound| i32::from(bound > 0));
        }
        best
    }

    fn solve(men: [u8; 3], (regular, overtime): (u8, u8), elimination: Elimination) -> Plain {
        let (regular, overtime) = (i32::from(regular), i32::from(overtime));
        let mut plain = Plain { men, regular, overtime, layers: Vec::new() };
        let both = |left: &usize| {
            let some = |white: bool| {
                let own = |(_, man): &(usize, &u8)| man.is_ascii_uppercase() == white;
                plain.men.iter().enumerate().filter(own).any(|(n, _)| left >> n & 1 > 0)
            };
            some(true) && some(false)
        };
        let sets: Vec<bool> = (0..1 << plain.men.len()).map(|left| both(&left)).collect();
        for remaining in 0..=2 * (regular + overtime) {
            let layer = sets.iter().enumerate().map(|(left, &both)| {
                let placements = if both { 1 << (6 * left.count_ones()) } else { 0 };
                let best = |placement| match remaining {
                    0 => [1, 0],
                    _ => plain.best(left, placement, remaining, elimination),
                };
                (0..placements).map(best).collect()
            });
            let layer = layer.collect();
            plain.layers.push(layer);
        }
        plain
    }
}

/// Whole tables of three men against the plain recurrence. With two regular moves and two of
/// overtime every kind of ply is met; how often `early` differs from both others is counted.
#[test]
fn three_men_agree_with_the_plain_recurrence() {
    const MOVES: (u8, u8) = (2, 2);
    // All three men are there.
    const ALL: usize = 7;
    // With KRvK only White can take the last man, with KvRN only Black.
    let cases = [
        (
            "KRvK",
            *b"KRk",
            [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 74_816], [0, 3_448], [0, 77_696]],
        ),
        (
            "KvRN",
            *b"Krn",
            [
                [0, 0],
                [69_888, 0],
                [6_056, 0],
                [70_816, 0],
                [8_176, 0],
                [71_588, 0],
                [9_224, 0],
                [6_316, 69_888],
                [4_800, 5_060],
            ],
        ),
    ];
    for (name, men, expected) in cases {
        let solved = ELIMINATIONS.map(|how| Plain::solve(men, MOVES, how));
        for (elimination, plain) in ELIMINATIONS.into_iter().zip(&solved) {
            let (tables, _folder) = build(game(elimination, MOVES), &[name]);
            let material: Material = name.parse().unwrap();
            let mut met = 0;
            for placement in 0..64 * 64 * 64 {
                let Some(squares) = plain.squares(ALL, placement) else { continue };
                let squares: Vec<u8> = squares.into_iter().flatten().map(|at| at as u8).collect();
                for to_move in Color::ALL {
                    let setup = place(&material, &squares, to_move, 1).unwrap();
                    let position = NoroPosition { setup, points: [0, 0].into() };
                    let answer = tables.answer(&position).unwrap();
                    for (remaining, layer) in plain.layers.iter().enumerate() {
                        let Some(thresholds) = answer.at(remaining as u32) else { continue };
                        let (win, draw) = thresholds.needs();
                        let number = |bound| match bound {
                            Bound::Always => -NEVER,
                            Bound::From(least) => least,
                            Bound::Never => NEVER,
                        };
                        let found = [win, draw].map(number);
                        let fen = || tables.game().fen(&position);
                        assert_eq!(found, layer[ALL][placement], "{} {remaining}", fen());
                        met += 1;
                    }
                }
            }
            // 0 to 8 plies to go, with the side to move that they give.
            assert_eq!(met, 9 * 64 * 63 * 62);
        }
        let differs = |remaining: usize| {
            let of = |plain: &'_ Plain| plain.layers[remaining][ALL].clone();
            let [loses, score, early] = solved.each_ref().map(of);
            let count = |other: &[[i32; 2]]| {
                early.iter().zip(other).filter(|(own, other)| own != other).count()
            };
            [count(&loses), count(&score)]
        };
        let differs: Vec<[usize; 2]> = (0..=8).map(differs).collect();
        assert_eq!(differs, expected, "{name}");
    }
}

#[test]
fn tables_by_another_elimination_are_refused() {
    let (tables, folder) = build(game(Elimination::Early, (2, 1)), &["RvQ"]);
    let fen = "8/8/3q4/8/8/2R5/8/8 w - - 0+0 0 1";
    for elimination in ELIMINATIONS {
        let others = Tablebase::new(game(elimination, (2, 1)), folder.path());
        let answer = others.answer(&others.game().parse_fen(fen).unwrap());
        match elimination {
            Elimination::Early => assert!(answer.is_ok()),
            _ => {
                let error = answer.unwrap_err().to_string();
                assert!(error.contains("is a table of noro RvQ (elimination early"), "{error}");
            }
        }
    }
    drop(tables);
}
