//! `find` against a filter that looks at every placement of the men, each as a FEN.

use std::{cell::OnceCell, fmt::Write};

use finale::{
    find::{Query, Search, find},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Silent,
    registry::{Complete, GameName, Task},
    rules::{RuleOptions, Variant},
};
use rustc_hash::FxHashSet;
use serde_json::Value;

use crate::common::build::quickly;

/// A small generator of numbers: which queries are asked is the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A position, with what a filter asks of it.
struct Seen<'t, G: Complete> {
    tables: &'t Tablebase<G>,
    position: G::Position,
    /// The position in writing; what is asked many times is written once.
    fen: String,
    /// File and rank of each man from 0, in the order White's King, man, Black's King.
    men: [[i64; 2]; 3],
    value: i64,
    fields: OnceCell<Value>,
    after: OnceCell<[i64; 4]>,
}

impl<G: Complete> Seen<'_, G> {
    fn is_white(&self) -> bool {
        self.fen.split(' ').nth(1) == Some("w")
    }

    fn is_on_edge(&self, man: usize) -> bool {
        let size = self.tables.game().board(&self.position).size();
        let [file, rank] = self.men[man];
        file == 0
            || rank == 0
            || file + 1 == i64::from(size.files())
            || rank + 1 == i64::from(size.ranks())
    }

    fn for_mover(&self, value: i64) -> i64 {
        if self.is_white() { value } else { -value }
    }

    /// A member of the answer in JSON.
    fn member(&self, name: &str) -> Option<i64> {
        let game = self.tables.game();
        let fields = self.fields.get_or_init(|| {
            let answer = self.tables.answer(&self.position).expect("the tables are there");
            Value::Object(game.fields(&self.position, &answer))
        });
        fields[name].as_i64()
    }

    /// Turns, captures, turns that keep the value, turns that win.
    fn after(&self) -> [i64; 4] {
        *self.after.get_or_init(|| {
            let game = self.tables.game();
            let mut counts = [0; 4];
            for ranked in self.tables.ranked(&self.position).expect("the tables are there") {
                let value = game.value(&ranked.after, &ranked.answer);
                let is_capture = game.board(&ranked.after).occupied().len() < 3;
                counts[0] += 1;
                counts[1] += i64::from(is_capture);
                counts[2] += i64::from(value == self.value);
                counts[3] += i64::from(self.for_mover(value) > 0);
            }
            counts
        })
    }
}

type Filter<G> = Box<dyn Fn(&Seen<'_, G>) -> bool>;

/// A condition in words and as a filter.
fn atom<G: Complete>(
    chance: &mut Chance,
    piece: &'static str,
    numbers: &[&'static str],
) -> (String, Filter<G>) {
    let man = chance.below(3);
    let letter = ["K", piece, "k"][man];
    let number = chance.below(8) as i64;
    let (sign, holds) = chance.one::<(&str, fn(i64, i64) -> bool)>(&[
        ("=", |a, b| a == b),
        ("!=", |a, b| a != b),
        ("<", |a, b| a < b),
        ("<=", |a, b| a <= b),
        (">", |a, b| a > b),
        (">=", |a, b| a >= b),
    ]);
    match chance.below(12) {
        0 => (
            format!("file({letter}) {sign} {number}"),
            Box::new(move |seen| holds(seen.men[man][0] + 1, number)),
        ),
        1 => (
            format!("rank({letter}) {sign} {number}"),
            Box::new(move |seen| holds(seen.men[man][1] + 1, number)),
        ),
        2 => (format!("{letter} on edge"), Box::new(move |seen| seen.is_on_edge(man))),
        3 => {
            let dark = |[file, rank]: [i64; 2]| (file + rank) % 2 == 0;
            (format!("{letter} on dark"), Box::new(move |seen| dark(seen.men[man])))
        }
        4 => (
            format!("distance(K, k) {sign} {number}"),
            Box::new(move |seen| {
                let [king, _, other] = seen.men;
                holds((king[0] - other[0]).abs().max((king[1] - other[1]).abs()), number)
            }),
        ),
        5 => ("to_move = white".to_owned(), Box::new(|seen| seen.is_white())),
        6 => ("wins".to_owned(), Box::new(|seen| seen.for_mover(seen.value) > 0)),
        7 => ("winner = none".to_owned(), Box::new(|seen| seen.value == 0)),
        8 => {
            (format!("turns {sign} {number}"), Box::new(move |seen| holds(seen.after()[0], number)))
        }
        9 => ("captures > 0".to_owned(), Box::new(|seen| seen.after()[1] > 0)),
        10 => (
            format!("keeping_turns {sign} {number}"),
            Box::new(move |seen| holds(seen.after()[2], number)),
        ),
        _ => {
            let name = chance.one(numbers);
            let number = number * 4;
            (
                format!("{name} {sign} {number}"),
                Box::new(move |seen| seen.member(name).is_some_and(|member| holds(member, number))),
            )
        }
    }
}

/// Some conditions with words between.
fn query<G: Complete>(
    chance: &mut Chance,
    piece: &'static str,
    numbers: &[&'static str],
    depth: u32,
) -> (String, Filter<G>) {
    if depth == 0 || chance.below(4) == 0 {
        return atom(chance, piece, numbers);
    }
    let (text, filter) = query::<G>(chance, piece, numbers, depth - 1);
    if chance.below(4) == 0 {
        return (format!("not ({text})"), Box::new(move |seen| !filter(seen)));
    }
    let (other_text, other) = query::<G>(chance, piece, numbers, depth - 1);
    match chance.below(2) {
        0 => (
            format!("({text}) and ({other_text})"),
            Box::new(move |seen| filter(seen) && other(seen)),
        ),
        _ => (
            format!("({text}) or ({other_text})"),
            Box::new(move |seen| filter(seen) || other(seen)),
        ),
    }
}

/// The man between the Kings, as FEN has it.
fn piece<G: Complete>(game: &G) -> &'static str {
    if game.name() == "orphic-elks" { "E" } else { "R" }
}

/// Every legal placement of King, man and King, with White's King on some squares.
fn all_placements<'t, G: Complete>(
    tables: &'t Tablebase<G>,
    material: &Material,
    kings: &[i64],
) -> Vec<Seen<'t, G>> {
    let game = tables.game();
    let man = piece(game).chars().next().expect("a letter");
    let reader = tables.reader(material).expect("it was built");
    let cells = game.cells(&reader);
    // The fields behind those of men and side, as the table has them.
    let rest = ["w", "b"].map(|side| {
        let fens = (0..cells).filter_map(|cell| Some(game.fen(&game.cell(&reader, cell)?)));
        let parts = fens.map(|fen| fen.splitn(3, ' ').map(str::to_owned).collect::<Vec<_>>());
        // Of a game with modes, the ordinary one.
        let is_ordinary = |rest: &str| game.name() != "tiebraker" || rest.contains("normal");
        let mut of_side = parts.filter(|parts| parts[1] == side && is_ordinary(&parts[2]));
        (side, of_side.next().expect("a position of each side")[2].clone())
    });
    let square = |number: i64| [number % 8, number / 8];
    let size = game.board(&game.initial()).size();
    let (files, ranks) = (i64::from(size.files()), i64::from(size.ranks()));
    let mut all = Vec::new();
    for &king in kings {
        for (piece, other) in (0..64).flat_map(|piece| (0..64).map(move |other| (piece, other))) {
            let is_there = |at: i64| at % 8 < files && at / 8 < ranks;
            if king == piece || king == other || piece == other {
                continue;
            }
            if ![king, piece, other].into_iter().all(is_there) {
                continue;
            }
            let letter = |at: i64| match at {
                at if at == king => Some('K'),
                at if at == piece => Some(man),
                at if at == other => Some('k'),
                _ => None,
            };
            let mut board = String::new();
            for rank in (0..ranks).rev() {
                for file in 0..files {
                    board.push(letter(rank * 8 + file).unwrap_or('1'));
                }
                board.push('/');
            }
            for (side, rest) in &rest {
                let mut fen = board.trim_end_matches('/').to_owned();
                if game.name().starts_with("orphic") {
                    fen += "[]";
                }
                write!(fen, " {side} {rest}").expect("a text");
                let Ok(position) = game.parse_fen(&fen) else { continue };
                if game.without_table(&position).is_some() || !game.occurs(&position) {
                    continue;
                }
                let answer = tables.answer(&position).expect("the tables are there");
                let value = game.value(&position, &answer);
                let men = [king, piece, other].map(square);
                let (fen, fields, after) = (game.fen(&position), OnceCell::new(), OnceCell::new());
                all.push(Seen { tables, position, fen, men, value, fields, after });
            }
        }
    }
    all
}

/// Asks a table some queries; `base` is true of the placements with White's King on these squares.
fn compare<G: Complete>(
    game: G,
    base: &str,
    kings: &[i64],
    queries: u64,
    numbers: &[&'static str],
) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = Tablebase::new(game, folder.path());
    let material: Material = format!("K{}vK", piece(tables.game())).parse().expect("a material");
    tables.build(&[material], &quickly()).expect("room to build");
    let all = all_placements(&tables, &material, kings);
    // As many on a small board as it has places for both others.
    let game = tables.game();
    let places = game.board(&game.initial()).size().len().pow(2);
    assert!(all.len() * 64 * 64 > 5_000 * places, "{} has {}", game.name(), all.len());
    for seed in 0..queries {
        let (text, filter) = query::<G>(&mut Chance(seed), piece(tables.game()), numbers, 3);
        let text = format!("{base} and ({text})");
        let parsed = Query::condition(tables.game(), &material, &text).expect(&text);
        let mut fens = Vec::new();
        let total = find(&tables, &material, &Search::new(parsed), &Silent, &mut |found| {
            fens.push(tables.game().fen(&found.position));
            Ok::<(), ProbeError>(())
        });
        let total = total.expect("the tables are there");
        let expected: FxHashSet<&str> =
            all.iter().filter(|seen| filter(seen)).map(|seen| seen.fen.as_str()).collect();
        assert_eq!(total.placements, expected.len() as u64, "{}: {text}", tables.game().name());
        assert_eq!(total.positions, fens.len() as u64, "{}: {text}", tables.game().name());
        let missing = fens.iter().find(|fen| !expected.contains(fen.as_str()));
        assert_eq!(missing, None, "{}: {text}", tables.game().name());
    }
}

#[test]
fn queries_that_symmetries_do_not_mind() {
    let kings: Vec<i64> = (0..64).collect();
    compare(Variant::orthodox(), "turns >= 0", &kings, 10, &["dtm"]);
}

#[test]
fn queries_of_all_games() {
    struct Compare;

    impl Task for Compare {
        type Output = ();

        fn run<G: Complete>(self, game: G) {
            let (state, numbers): (&str, &[&str]) = match game.name() {
                "high" => ("", &["plies", "slack"]),
                "noro" => ("", &["slack", "plies_left"]),
                "3check" => ("checks_left_white = 1 and checks_left_black = 1 and ", &["dtm"]),
                "stylish" => ("last_capture = none and ", &["margin", "distance", "to_gain"]),
                "tiebraker" => ("mode = normal and ", &["distance", "quiet"]),
                _ => ("", &["dtm"]),
            };
            compare(game, &format!("{state}K on a1-2"), &[0, 8], 25, numbers);
        }
    }
    for &game in GameName::all() {
        game.play(RuleOptions::none(), Compare).expect("the usual rules");
    }
}
