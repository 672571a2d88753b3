//! Norochess by points: whole tables against the plain recurrence, plain game-tree search, and
//! what margins and thresholds have to do with each other.

use std::cmp::Ordering;

use finale::{
    answer::{Bound, Contents, Finish, NoroAnswer, Tabled},
    board::Color,
    index::Material,
    probe::Tablebase,
    progress::Silent,
    rules::{Elimination, Game, Noro, NoroPosition, Setup},
    solve::BuildOptions,
};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use tempfile::TempDir;

use super::noro::{ELIMINATIONS, STANDARD, each_searched, game, place};

/// Builds tables of points, with all they need, in a folder that goes away.
fn build(game: Noro, materials: &[&str]) -> (Tablebase<Noro>, TempDir) {
    let folder = TempDir::new().unwrap();
    let tables = Tablebase::new(game, folder.path());
    add(&tables, materials, Contents::Points);
    (tables, folder)
}

fn add(tables: &Tablebase<Noro>, materials: &[&str], contents: Contents) {
    let materials: Vec<Material> = materials.iter().map(|name| name.parse().unwrap()).collect();
    tables.build(&materials, &BuildOptions::default().level(1).contents(contents)).unwrap();
}

/// Who is on move chooses by the result first, and by the margin next.
fn likes(mover: Color, a: Finish, b: Finish) -> Ordering {
    let sign = if mover == Color::White { 1 } else { -1 };
    let worth = |finish: Finish| {
        let result = match finish.winner {
            Some(winner) if winner == mover => 2,
            Some(_) => 0,
            None => 1,
        };
        (result, sign * finish.margin)
    };
    worth(a).cmp(&worth(b))
}

/// The positions that games from all placements of some men come to, and the turns between them,
/// by the rules; and the recurrence of the rules' page with nothing of the program but these turns.
struct Plain {
    positions: Vec<NoroPosition>,
    /// What a turn gains in White's view, and where it leads.
    turns: Vec<Vec<(i32, u32)>>,
}

/// What becomes of a position and score difference as a number that White likes to be high: 1000 for
/// a win or -1000 for a loss, and the margin.
type Worth = i16;

/// Worths by position and score difference, from [`LOWEST`] on.
type Layer = Vec<Worth>;

/// The score differences that are looked at, and more on either side than the men of any material
/// here are worth, so that what they gain stays in between.
const LOOKED_AT: std::ops::RangeInclusive<i32> = -12..=12;
const LOWEST: i32 = -24;
const WIDTH: usize = 49;

impl Plain {
    fn of(material: &str) -> Plain {
        // Long before the clock runs out, so that all turns are there.
        let game = game(Elimination::Loses, (100, 0));
        let material: Material = material.parse().unwrap();
        let mut plain = Plain { positions: Vec::new(), turns: Vec::new() };
        let mut numbers: FxHashMap<Setup, u32> = FxHashMap::default();
        let men = material.men().len() as u32;
        for placement in 0..64_u64.pow(men) {
            let squares: Vec<u8> =
                (0..men).map(|man| (placement >> (6 * man) & 63) as u8).collect();
            if (1..squares.len()).any(|n| squares[..n].contains(&squares[n])) {
                continue;
            }
            for to_move in Color::ALL {
                if let Some(setup) = place(&material, &squares, to_move, 2) {
                    plain.number(&mut numbers, setup);
                }
            }
        }
        // Those that are met on the way come behind.
        while plain.turns.len() < plain.positions.len() {
            let position = plain.positions[plain.turns.len()].clone();
            let turns = game.turns(&position).into_iter().map(|turn| {
                let after = game.play(&position, turn);
                let setup = Setup { halfmove: 0, fullmove: 2, ..after.setup.clone() };
                (after.difference() as i32, plain.number(&mut numbers, setup))
            });
            let turns = turns.collect();
            plain.turns.push(turns);
        }
        plain
    }

    fn number(&mut self, numbers: &mut FxHashMap<Setup, u32>, setup: Setup) -> u32 {
        *numbers.entry(setup).or_insert_with_key(|setup| {
            let (setup, points) = (setup.clone(), [0, 0].into());
            self.positions.push(NoroPosition { setup, points });
            self.positions.len() as u32 - 1
        })
    }

    /// Holds every position, at every clock and score difference, against tables. Tells how many
    /// answers that were.
    fn compare(&self, tables: &Tablebase<Noro>) -> u64 {
        let (mut before, mut met) = (Layer::new(), 0);
        // Each is asked once, and tells of every clock.
        let answers: Vec<NoroAnswer> =
            self.positions.iter().map(|position| tables.answer(position).unwrap()).collect();
        for remaining in 0..=tables.game().moves.plies() {
            let layer = self.layer(tables.game(), remaining as i32, &before);
            let mover = mover(remaining as i32);
            let positions = self.positions.iter().enumerate();
            for (number, position) in positions.filter(|(_, at)| at.setup.to_move == mover) {
                let answer = &answers[number];
                let Some(thresholds) = answer.at(remaining) else { continue };
                for difference in LOOKED_AT {
                    let expected = layer[WIDTH * number + (difference - LOWEST) as usize];
                    let found = answer.finish_at(remaining, difference.into()).unwrap();
                    let result = match found.winner {
                        Some(Color::White) => 1000,
                        None => 0,
                        Some(Color::Black) => -1000,
                    };
                    let fen = || tables.game().fen(position);
                    let worth = result + found.margin as Worth;
                    assert_eq!(worth, expected, "{} {remaining} {difference}", fen());
                    assert_eq!(thresholds.winner(difference.into()), found.winner, "{}", fen());
                    met += 1;
                }
            }
            before = layer;
        }
        met
    }

    /// The layer with so many plies to go, from the one before.
    fn layer(&self, game: &Noro, remaining: i32, before: &[Worth]) -> Layer {
        let (regular, overtime): (i32, i32) =
            (game.moves.regular().into(), game.moves.overtime().into());
        let mover = mover(remaining);
        let mut layer = vec![0; WIDTH * self.positions.len()];
        for (number, position) in self.positions.iter().enumerate() {
            let setup = &position.setup;
            if setup.to_move != mover {
                continue;
            }
            let turns = &self.turns[number];
            let has_men = !setup.board.of(mover).is_empty();
            for difference in LOWEST..LOWEST + WIDTH as i32 {
                let by_score = 1000 * difference.signum() + difference;
                let worth = if !has_men {
                    // White is a move ahead while it is Black's turn.
                    let to_go =
                        if mover == Color::White { remaining / 2 } else { (remaining + 1) / 2 };
                    let made = regular + overtime - to_go;
                    let lost = if mover == Color::White { -1000 } else { 1000 };
                    match game.elimination {
                        Elimination::Loses => lost + difference,
                        Elimination::Early if made < regular => lost + difference,
                        _ => by_score,
                    }
                } else if remaining == 0
                    || (mover == Color::White && remaining <= 2 * overtime && difference != 0)
                    || turns.is_empty()
                {
                    by_score
                } else {
                    let worths = turns.iter().map(|&(gain, after)| {
                        // Nobody looks at those so far away.
                        let place = (difference + gain - LOWEST).clamp(0, WIDTH as i32 - 1);
                        i32::from(before[WIDTH * after as usize + place as usize])
                    });
                    let best = if mover == Color::White { worths.max() } else { worths.min() };
                    best.expect("there are turns")
                };
                layer[WIDTH * number + (difference - LOWEST) as usize] = worth as Worth;
            }
        }
        layer
    }
}

/// Who is to move with so many plies to go.
fn mover(remaining: i32) -> Color {
    if remaining % 2 == 0 { Color::White } else { Color::Black }
}

/// With two regular moves and two of overtime every kind of ply is met.
#[test]
fn three_men_agree_with_the_plain_recurrence() {
    for (material, eliminations) in [
        ("KRvK", &ELIMINATIONS[..]),
        ("KvRN", &ELIMINATIONS[..]),
        ("QvRB", &[Elimination::Score][..]),
    ] {
        let plain = Plain::of(material);
        for &elimination in eliminations {
            let (tables, _folder) = build(game(elimination, (2, 2)), &[material]);
            let met = plain.compare(&tables);
            // For each of 0 to 8 plies to go the positions of the side that is then to move.
            assert!(met > 9 * 25 * 64 * 63 * 62, "{material}: {met}");
        }
    }
}

/// With promotions and captures in passing.
#[test]
fn pawns_agree_with_the_plain_recurrence() {
    let plain = Plain::of("PvP");
    let in_passing = plain.positions.iter().filter(|at| at.setup.en_passant.is_some()).count();
    assert!(in_passing > 0);
    for elimination in ELIMINATIONS {
        let (tables, _folder) = build(game(elimination, (3, 2)), &["PvP"]);
        assert!(plain.compare(&tables) > 0);
    }
}

/// What became of the positions of a search.
type Known = FxHashMap<NoroPosition, Finish>;

/// What becomes of a position, by looking at every game there can be, with the rules' own ends.
fn search(game: &Noro, position: &NoroPosition, known: &mut Known) -> Finish {
    if let Some(found) = known.get(position) {
        return *found;
    }
    let turns = game.turns(position);
    let mover = position.setup.to_move;
    let finishes = turns.into_iter().map(|turn| search(game, &game.play(position, turn), known));
    let finish = finishes.max_by(|a, b| likes(mover, *a, *b)).unwrap_or_else(|| {
        let ending = game.ending(position).expect("a game without a turn is over");
        Finish { winner: ending.winner, margin: position.difference() }
    });
    known.insert(position.clone(), finish);
    finish
}

#[test]
fn tables_agree_with_game_tree_search() {
    each_searched(80, -10..11, build, |tables, position| {
        let game = tables.game();
        let expected = search(game, position, &mut Known::default());
        let fen = game.fen(position);
        let found = tables.answer(position).unwrap().finish(position.difference());
        prop_assert_eq!(found, Some(expected), "{}", &fen);
        // Who plays what is best keeps the margin.
        if let Some(best) = tables.ranked(position).unwrap().first() {
            let kept = best.answer.finish(best.after.difference());
            prop_assert_eq!(kept, Some(expected), "{}", &fen);
        }
        Ok(())
    });
}

/// At the usual clock: every answer follows from those after each turn, and results are those of
/// tables of thresholds, at every score.
#[test]
fn results_are_those_of_thresholds() {
    let names = ["KRvK", "PvP", "KvP"];
    for elimination in ELIMINATIONS {
        let (points, _folder) = build(game(elimination, STANDARD), &names);
        let folder = TempDir::new().unwrap();
        let results = Tablebase::new(game(elimination, STANDARD), folder.path());
        add(&results, &names, Contents::Result);
        for name in names {
            let material = name.parse().unwrap();
            assert_eq!(points.contents(&material).unwrap(), Contents::Points);
            assert_eq!(results.contents(&material).unwrap(), Contents::Result);
            let verified = points.verify(&material, &Silent).unwrap();
            assert_eq!(verified.wrong, 0, "{name}: {:?}", verified.example);
            let same = |count: &mut u64, position: &NoroPosition, answer: &_, _| {
                let known = points.answer(position)?;
                assert_eq!(points.game().without_distance(known), *answer);
                *count += 1;
                Ok(())
            };
            let met = results.tally(&material, &Silent, || 0, same, |count, more| *count += more);
            assert!(met.unwrap() > 0);
        }
    }
}

/// Where elimination does not decide and there is no overtime, a point more is a point more at the
/// end: one number says all, and the thresholds are where it makes the scores equal. In overtime
/// that holds for nobody but those whose scores are never equal.
#[test]
fn without_elimination_and_overtime_margins_are_thresholds() {
    for (moves, is_so) in [((10, 0), true), ((8, 2), false)] {
        let (tables, _folder) = build(game(Elimination::Score, moves), &["QvRB", "KvP"]);
        let mut differs = 0;
        for name in ["QvRB", "KvP"] {
            let of_each = |count: &mut u64, _: &NoroPosition, answer: &NoroAnswer, _| {
                for remaining in 0..=2 * u32::from(moves.0 + moves.1) {
                    let Some(thresholds) = answer.at(remaining) else { continue };
                    let margin =
                        |difference| answer.finish_at(remaining, difference).unwrap().margin;
                    let gained = margin(1000) - 1000;
                    let straight = (-30..=30).all(|d| margin(d) == d + gained)
                        && thresholds.needs() == needs(gained);
                    *count += u64::from(!straight);
                    for difference in -30..=30 {
                        let sign = match thresholds.winner(difference) {
                            Some(Color::White) => 1,
                            None => 0,
                            Some(Color::Black) => -1,
                        };
                        assert_eq!(margin(difference).signum(), sign);
                    }
                    assert_eq!(margin(-1000), -1000 + gained);
                }
                Ok(())
            };
            let material = name.parse().unwrap();
            let merge = |count: &mut u64, more| *count += more;
            differs += tables.tally(&material, &Silent, || 0, of_each, merge).unwrap();
        }
        assert_eq!(differs == 0, is_so, "{moves:?}: {differs}");
    }
}

/// The leads with which White wins and draws if it gains so many points.
fn needs(gained: i64) -> (Bound, Bound) {
    (Bound::From(1 - gained as i32), Bound::From(-gained as i32))
}

/// Tables of results can be built from tables of points, and are the same files.
#[test]
fn tables_of_results_from_tables_of_points() {
    let names = ["KvP", "KRvK"];
    let (mixed, folder) = build(game(Elimination::Loses, STANDARD), &["KvQ", "KvR", "RvK", "KvK"]);
    add(&mixed, &names, Contents::Result);
    let plain = TempDir::new().unwrap();
    let results = Tablebase::new(game(Elimination::Loses, STANDARD), plain.path());
    add(&results, &names, Contents::Result);
    for name in names {
        let read = |folder: &TempDir| {
            let id = results.game().table_id(&name.parse().unwrap(), Contents::Result);
            std::fs::read(folder.path().join(id.file())).unwrap()
        };
        assert!(read(&folder) == read(&plain), "{name}");
    }
    assert!(!folder.path().join("noro/KvK.ftb").exists());
    // What only some turns tell does not choose among them.
    let mixed = Tablebase::new(game(Elimination::Loses, STANDARD), folder.path());
    let position = mixed.game().parse_fen("8/8/8/3k4/8/8/8/3R3K w - - 0+0 0 1").unwrap();
    let answer = mixed.answer(&position).unwrap();
    assert_eq!(answer.finish(0), None);
    let ranked = mixed.ranked(&position).unwrap();
    assert!(ranked.iter().all(|ranked| ranked.worth.finish(0).is_none()));
    assert_eq!(ranked[0].worth.thresholds(), answer.thresholds());
    // The game is over after a capture, which the rules alone tell.
    let capture = ranked.iter().find(|ranked| ranked.after.difference() == 2).expect("Rxd5");
    let finish = Finish { winner: Some(Color::White), margin: 2 };
    assert_eq!(capture.answer.finish(2), Some(finish));
}

/// In parts, each of which has histories of its own.
#[test]
fn tables_of_several_parts_tell_the_same() {
    let (whole, _folder) = build(game(Elimination::Loses, (4, 2)), &["KRvN"]);
    let folder = TempDir::new().unwrap();
    let parts = Tablebase::new(game(Elimination::Loses, (4, 2)), folder.path());
    let options = BuildOptions::default().level(1).contents(Contents::Points).part_size(5000);
    let material: Material = "KRvN".parse().unwrap();
    parts.build(&[material], &options).unwrap();
    let same = |count: &mut u64, position: &NoroPosition, answer: &_, _| {
        assert_eq!(whole.answer(position)?, *answer);
        *count += 1;
        Ok(())
    };
    let met = parts.tally(&material, &Silent, || 0_u64, same, |count, more| *count += more);
    assert!(met.unwrap() > 0);
    let histories = [&whole, &parts].map(|tables| tables.reader(&material).unwrap().histories());
    assert_eq!(histories[0].as_ref().unwrap(), histories[1].as_ref().unwrap());
}
