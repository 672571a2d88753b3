//! Stories of tables against their raw values: every placement of the men is asked of the tables as a
//! FEN, and every number of every sentence is counted again from that.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, OnceLock},
};

use finale::{
    index::Material,
    probe::Tablebase,
    progress::Silent,
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
    story::story,
    study::Remark,
};
use regex::Regex;
use serde_json::{Map, Value};

use crate::common::shipped::SHIPPED;

/// A placement with what the tables say of it.
struct Raw {
    fen: String,
    white: bool,
    /// The squares of the men from 0, in the order of the material.
    men: Vec<(char, i64)>,
    /// By how much White comes out ahead.
    value: i64,
    check: bool,
    turns: usize,
    captures: usize,
    fields: Map<String, Value>,
}

impl Raw {
    fn for_mover(&self) -> i64 {
        if self.white { self.value } else { -self.value }
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.fields.get(name)?.as_i64()
    }

    fn word(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn at(&self, man: char) -> i64 {
        self.men.iter().find(|(letter, _)| *letter == man).expect("a man of the table").1
    }

    fn is_free(&self, square: i64) -> bool {
        self.men.iter().all(|&(_, other)| other != square)
    }

    /// Whether a man of this case stands so that it could go to a square by orthodox moves.
    fn attacks(&self, man: char, from: i64, to: i64) -> bool {
        let (files, ranks) = (to % 8 - from % 8, to / 8 - from / 8);
        let lines = |diagonal: bool, straight: bool| {
            let (f, r) = (files.abs(), ranks.abs());
            let is_line = diagonal && f == r || straight && (f == 0 || r == 0);
            let step = files.signum() + 8 * ranks.signum();
            let between = (1..f.max(r)).map(|steps| from + steps * step);
            is_line && from != to && between.into_iter().all(|square| self.is_free(square))
        };
        match man.to_ascii_uppercase() {
            'K' => files.abs().max(ranks.abs()) == 1,
            'R' => lines(false, true),
            'B' => lines(true, false),
            'Q' => lines(true, true),
            'N' => (files * ranks).abs() == 2,
            'P' => files.abs() == 1 && ranks == if man == 'P' { 1 } else { -1 },
            other => panic!("no orthodox man {other}"),
        }
    }

    fn is_attacked(&self, man: char, by_own: bool) -> bool {
        let to = self.at(man);
        let is_own = |other: char| other.is_ascii_uppercase() == man.is_ascii_uppercase();
        let others = self.men.iter().filter(|&&(other, at)| at != to && is_own(other) == by_own);
        others.into_iter().any(|&(other, from)| self.attacks(other, from, to))
    }

    fn distance(&self, a: char, b: char) -> i64 {
        let (a, b) = (self.at(a), self.at(b));
        (a % 8 - b % 8).abs().max((a / 8 - b / 8).abs())
    }
}

/// A placement of men, whose turn it is, and the position that its FEN stands for.
struct Placed<'p, G: Complete> {
    men: &'p [(char, i64)],
    white: bool,
    position: G::Position,
}

/// Goes through every placement of some men on a board of 64 squares, none in reserve, as far as a
/// table answers it.
fn each_placement<G: Complete>(game: &G, men: &str, mut meet: impl FnMut(Placed<'_, G>)) {
    let rest = match game.name() {
        "high" => "- - 50+50 0 1",
        "noro" => "- - 0+0 0 1",
        "tiebraker" => "- - normal 0 1",
        "stylish" => "- - 0+0 - 0 1",
        _ => "- - 0 1",
    };
    let reserve = if game.name().starts_with("orphic") { "[]" } else { "" };
    let mut squares = vec![0; men.len()];
    loop {
        let is_new = |(place, square): (usize, &i64)| !squares[..place].contains(square);
        if squares.iter().enumerate().all(is_new) {
            let men: Vec<(char, i64)> = men.chars().zip(squares.iter().copied()).collect();
            let board = board(&men);
            for side in ["w", "b"] {
                let Ok(position) = game.parse_fen(&format!("{board}{reserve} {side} {rest}"))
                else {
                    continue;
                };
                if game.without_table(&position).is_none() && game.occurs(&position) {
                    meet(Placed { men: &men, white: side == "w", position });
                }
            }
        }
        let Some(place) = squares.iter().rposition(|&square| square < 63) else { return };
        squares[place] += 1;
        squares[place + 1..].fill(0);
    }
}

/// The men as the first field of a FEN has them.
fn board(men: &[(char, i64)]) -> String {
    let mut letters = [b'1'; 64];
    for &(man, at) in men {
        letters[at as usize] = u8::try_from(man).expect("an ASCII letter");
    }
    let ranks = letters.chunks(8).rev().map(|rank| str::from_utf8(rank).expect("ASCII letters"));
    ranks.collect::<Vec<_>>().join("/")
}

/// Every placement of some men with what the tables say of it; its turns are counted only if they are
/// wanted.
fn placements<G: Complete>(tables: &Tablebase<G>, men: &str, with_turns: bool) -> Vec<Raw> {
    let game = tables.game();
    let mut all = Vec::new();
    each_placement(game, men, |Placed { men, white, position }| {
        let answer = tables.answer(&position).expect("the tables are there");
        let turns = if with_turns { game.turns(&position) } else { Vec::new() };
        let men_after = |turn| game.board(&game.play(&position, turn)).occupied().len();
        all.push(Raw {
            fen: game.fen(&position),
            white,
            men: men.to_vec(),
            value: game.value(&position, &answer),
            check: game.is_check(&position),
            captures: turns.iter().filter(|&&turn| men_after(turn) < men.len()).count(),
            turns: turns.len(),
            fields: game.fields(&position, &answer),
        });
    });
    all
}

/// The numbers of a text but for percentages.
fn numbers(text: &str) -> Vec<u64> {
    let text = Regex::new(r"\([<>\d.]+%\)").expect("a pattern").replace_all(text, "");
    let found = Regex::new(r"\d[\d,]*").expect("a pattern");
    let digits = |text: &str| text.replace(',', "").parse().expect("digits");
    found.find_iter(&text).map(|found| digits(found.as_str())).collect()
}

/// What the words behind `have` say of a placement.
fn says(words: &str, raw: &Raw) -> bool {
    if let Some((one, other)) = words.split_once(", or ") {
        return says(one, raw) || says(other, raw);
    }
    let man = |words: &str| match words {
        "the Rook" => 'R',
        "the Bishop" if raw.men.iter().any(|&(man, _)| man == 'b') => 'b',
        "the Bishop" => 'B',
        "the Queen" => 'Q',
        "the Knight" => 'N',
        "the Pawn" => 'P',
        "White's King" | "the King" => 'K',
        "Black's King" => 'k',
        other => panic!("who is {other}?"),
    };
    let square = |words: &str| (raw.at(man(words)) % 8, raw.at(man(words)) / 8);
    let is_end = |at: i64| at == 0 || at == 7;
    if let Some(words) = words.strip_suffix(" attacked and not defended") {
        raw.is_attacked(man(words), false) && !raw.is_attacked(man(words), true)
    } else if let Some(words) = words.strip_suffix(" attacked") {
        raw.is_attacked(man(words), false)
    } else if words.ends_with(" without a turn and not in check") {
        raw.turns == 0 && !raw.check
    } else if words.ends_with(" in check") {
        raw.check
    } else if words == "a capture at once" {
        raw.captures > 0
    } else if let Some(words) = words.strip_suffix(" in a corner") {
        let (file, rank) = square(words);
        is_end(file) && is_end(rank)
    } else if let Some(words) = words.strip_suffix(" on the edge") {
        let (file, rank) = square(words);
        is_end(file) || is_end(rank)
    } else if let Some(words) = words.strip_suffix(" in the centre") {
        let (file, rank) = square(words);
        [3, 4].contains(&file) && [3, 4].contains(&rank)
    } else if let Some((one, other)) = words.split_once(" next to ") {
        raw.distance(man(one), man(other)) == 1
    } else if let Some((one, other)) = words.split_once(" two squares from ") {
        raw.distance(man(one), man(other)) == 2
    } else if let Some(words) = words.strip_suffix(" one step from promotion") {
        square(words).1 == 6
    } else if let Some(words) = words.strip_suffix(" on the a- or h-file") {
        is_end(square(words).0)
    } else if words.contains(" nearer to ") {
        raw.distance('k', 'P') < raw.distance('K', 'P')
    } else if words.contains(" before ") {
        let (king, pawn) = (raw.at('k'), raw.at('P'));
        king % 8 == pawn % 8 && king / 8 > pawn / 8
    } else {
        panic!("what is {words}?")
    }
}

/// What placements may have.
type Has<'h> = &'h dyn Fn(&Raw) -> bool;

/// A table with all its placements.
struct Checked<'t, G: Complete> {
    tables: &'t Tablebase<G>,
    all: Vec<Raw>,
}

impl<G: Complete> Checked<'_, G> {
    fn count(&self, is_such: impl Fn(&Raw) -> bool) -> u64 {
        self.all.iter().filter(|raw| is_such(raw)).count() as u64
    }

    /// The placement that a remark shows.
    fn shown(&self, remark: &Remark) -> &Raw {
        let fen = remark.fen.as_ref().expect("a position");
        let is_it = |raw: &&Raw| raw.fen == *fen;
        self.all.iter().find(is_it).unwrap_or_else(|| panic!("{fen} is no placement"))
    }

    /// `White, to move, wins 300 of 500 positions and draws 200.`
    fn outcome(&self, remark: &Remark) {
        let text = &remark.text;
        let is_white = text.contains("White, to move,");
        let of_side = |raw: &Raw| raw.white == is_white || text.contains("hoever is to move");
        let sign = |verb: &str| match verb {
            "wins" | "comes out ahead in" => 1,
            "draws" | "comes out level in" => 0,
            "loses" | "comes out behind in" => -1,
            other => panic!("{other}"),
        };
        let pattern = r"(wins|draws|loses|comes out \w+ in) (all |the only |)([\d,]*)";
        let told = Regex::new(pattern).expect("a pattern");
        let mut sum = 0;
        for found in told.captures_iter(text) {
            let count =
                self.count(|raw| of_side(raw) && raw.for_mover().signum() == sign(&found[1]));
            let number = numbers(&found[3]);
            assert_eq!(number.first().copied().unwrap_or(1), count, "{text}");
            sum += count;
        }
        assert_eq!(sum, self.count(of_side), "{text}");
        if remark.fen.is_some() {
            let verb = told.captures_iter(text).last().expect("a verb")[1].to_owned();
            let shown = self.shown(remark);
            assert!(of_side(shown) && shown.for_mover().signum() == sign(&verb), "{text}");
        }
        if let Some(of) = Regex::new(r" of ([\d,]+) positions").expect("a pattern").captures(text) {
            assert_eq!(numbers(&of[1]), [self.count(of_side)], "{text}");
        }
    }

    fn mated(&self, remark: &Remark) {
        let side = remark.text.starts_with("White");
        let lost = |raw: &Raw| raw.white == side && raw.for_mover() < 0;
        let mated = |raw: &Raw| lost(raw) && raw.check && raw.number("dtm") == Some(0);
        assert_eq!(numbers(&remark.text), [self.count(mated), self.count(lost)], "{}", remark.text);
        assert!(mated(self.shown(remark)), "{}", remark.text);
    }

    fn exceptions(&self, remark: &Remark) {
        let text = &remark.text;
        let pattern = r"^(All|Of the) ([\d,]+) positions that (\w+), to move, does not (\w+)(?:, ([\d,]+))? ha(?:ve|s) (.+), (as have|as has|which none of the) (.*)\.$";
        let parts = Regex::new(pattern).expect("a pattern").captures(text).expect(text);
        let rule = match &parts[4] {
            "win" => 1,
            "draw" => 0,
            _ => -1,
        };
        let of_side = |raw: &Raw| raw.white == (&parts[3] == "White");
        let exception = |raw: &Raw| of_side(raw) && raw.for_mover().signum() != rule;
        let all = numbers(&parts[2])[0];
        assert_eq!(all, self.count(exception), "{text}");
        let having = parts.get(5).map_or(all, |number| numbers(number.as_str())[0]);
        let has = |raw: &Raw| says(&parts[6], raw);
        assert_eq!(having, self.count(|raw| exception(raw) && has(raw)), "{text}");
        let other = |raw: &Raw| of_side(raw) && !exception(raw);
        let (met, others) = (self.count(|raw| other(raw) && has(raw)), self.count(other));
        match &parts[7] {
            "which none of the" => {
                assert_eq!((numbers(&parts[8]), met), (vec![others], 0), "{text}")
            }
            _ => assert_eq!(numbers(&parts[8]), [met, others], "{text}"),
        }
        // And they are few.
        assert!(all * 10 <= self.count(of_side), "{text}");
        let shown = self.shown(remark);
        assert!(exception(shown) && has(shown), "{text}");
        let query = remark.query.as_ref().expect("a query");
        assert!(query.contains("to_move = "), "{query}");
    }

    /// `White needs 16 moves (31 plies) at most …, as here.`
    fn longest(&self, remark: &Remark, plies: &str) {
        let winner = if remark.text.starts_with("White") { 1 } else { -1 };
        let won = |raw: &&Raw| raw.value.signum() == winner;
        let most = self.all.iter().filter(won).filter_map(|raw| raw.number(plies)).max();
        let most = most.expect("a win") as u64;
        assert_eq!(numbers(&remark.text), [most.div_ceil(2), most], "{}", remark.text);
        let shown = self.shown(remark);
        assert_eq!(shown.number(plies), Some(most as i64), "{}", remark.text);
        assert!(won(&shown), "{}", remark.text);
    }
}

/// What sentences of High Chess say.
impl<G: Complete> Checked<'_, G> {
    fn high(&self, remark: &Remark) {
        let text = &remark.text;
        if text.contains(" needs ") && text.contains(" at most") {
            self.longest(remark, "plies");
        } else if text.contains("single point of vitality") {
            self.least(remark, if text.contains("White") { 1 } else { -1 });
        } else if text.contains(" only turn that wins") {
            assert_eq!(numbers(text), [self.count(|raw| self.passes_alone(raw))], "{text}");
            assert!(self.passes_alone(self.shown(remark)), "{text}");
        } else {
            text.split("; ").for_each(|clause| self.ways(clause));
        }
    }

    /// `White wins 500 positions: 300 by mate and 200 by exhaustion only`
    fn ways(&self, clause: &str) {
        let winner = if clause.starts_with("White wins") { 1 } else { -1 };
        let wins = |raw: &Raw| raw.value == winner;
        let mates = |raw: &Raw| raw.word("by") == "mate";
        let side = if winner == 1 { "white" } else { "black" };
        let can_mate = |raw: &Raw| raw.fields["mate"]["by"].as_str() == Some(side);
        let ways: [(&str, Has<'_>); 3] = [
            ("by mate", &|raw| wins(raw) && mates(raw)),
            ("by exhaustion although", &|raw| wins(raw) && !mates(raw) && can_mate(raw)),
            ("by exhaustion only", &|raw| wins(raw) && !mates(raw) && !can_mate(raw)),
        ];
        let all = numbers(clause)[0];
        assert_eq!(all, self.count(wins), "{clause}");
        for (words, way) in ways {
            let part = Regex::new(&format!("([\\d,]+) {words}")).expect("a pattern");
            let told = part.captures(clause).map_or(0, |part| numbers(&part[1])[0]);
            let told = if clause.contains(&format!("always {words}")) { all } else { told };
            assert_eq!(told, self.count(way), "{words}: {clause}");
        }
    }

    fn least(&self, remark: &Remark, winner: i64) {
        // For each number of White's points, the most of Black's against which White wins.
        let least = |raw: &Raw| -> Option<u64> {
            let steps: Vec<u64> =
                raw.fields["staircase"].as_array()?.iter().filter_map(Value::as_u64).collect();
            let full = steps.len() as u64;
            (raw.value == winner).then_some(())?;
            match winner {
                1 => steps.iter().position(|&most| most >= full).map(|at| at as u64 + 1),
                _ => Some(steps[steps.len() - 1] + 1),
            }
        };
        let mut counts = BTreeMap::<u64, u64>::new();
        for raw in &self.all {
            if let Some(least) = least(raw) {
                *counts.entry(least).or_default() += 1;
            }
        }
        let (one, all) = (counts.get(&1).copied().unwrap_or(0), counts.values().sum::<u64>());
        let (&most, &most_count) = counts.last_key_value().expect("a win");
        match one == all {
            true => assert_eq!(numbers(&remark.text), [all], "{}", remark.text),
            false => {
                assert_eq!(numbers(&remark.text), [one, all, most_count, most], "{}", remark.text);
                assert_eq!(least(self.shown(remark)), Some(most), "{}", remark.text);
            }
        }
    }

    /// Whether passing wins and nothing else does.
    fn passes_alone(&self, raw: &Raw) -> bool {
        let game = self.tables.game();
        if raw.for_mover() < 0 {
            return false;
        }
        let position = game.parse_fen(&raw.fen).expect("a FEN of the game");
        let ranked = self.tables.ranked(&position).expect("the tables are there");
        let wins = |value: i64| value == raw.value;
        let winning: Vec<String> = ranked
            .iter()
            .filter(|turn| wins(game.value(&turn.after, &turn.answer)))
            .map(|turn| game.uci(&position, turn.turn))
            .collect();
        winning.len() == 1 && winning[0] == "0000"
    }
}

/// What sentences of Norochess say.
impl<G: Complete> Checked<'_, G> {
    fn noro(&self, remark: &Remark) {
        let text = &remark.text;
        if text.contains("wins at any score") {
            let bound = if text.starts_with("White") { "-inf" } else { "inf" };
            assert_eq!(numbers(text), [self.count(|raw| raw.word("win_at") == bound)], "{text}");
        } else if text.contains("or more to go") {
            self.clock(text);
        } else if text.starts_with("The largest lead") {
            let most = self.all.iter().filter_map(|raw| raw.number("win_at")).max();
            let most = most.expect("a lead");
            let count = self.count(|raw| raw.number("win_at") == Some(most));
            assert_eq!(numbers(text), [most as u64, count], "{text}");
            assert_eq!(self.shown(remark).number("win_at"), Some(most), "{text}");
        } else {
            panic!("{text}");
        }
    }

    /// `With White to move and 36 plies or more to go White wins 76,964 positions, with 34 plies to go
    /// 76,916.`
    fn clock(&self, text: &str) {
        let is_white = text.starts_with("With White");
        let result = match text {
            text if text.contains("White wins") => 1,
            text if text.contains("Black wins") => -1,
            _ => 0,
        };
        let [settled, count, before, fewer] = numbers(text)[..] else { panic!("{text}") };
        // The position after so many moves of both sides: those of a side at least are no fewer.
        let at = |plies: u64| -> [u64; 3] {
            let mut counts = [0; 3];
            for raw in self.all.iter().filter(|raw| raw.white == is_white) {
                let full = raw.number("plies_left").expect("plies") as u64;
                let moves = 1 + (full - plies) / 2;
                let men: Vec<&str> = raw.fen.rsplitn(2, ' ').collect();
                let position = self.tables.game().parse_fen(&format!("{} {moves}", men[1]));
                let position = position.expect("a FEN of the game");
                let answer = self.tables.answer(&position).expect("the tables are there");
                let fields = self.tables.game().fields(&position, &answer);
                assert_eq!(fields["plies_left"], plies, "{text}");
                counts[(self.tables.game().value(&position, &answer) + 1) as usize] += 1;
            }
            counts
        };
        let settled_counts = at(settled);
        assert_eq!(settled_counts[(result + 1) as usize], count, "{text}");
        assert_eq!(at(before)[(result + 1) as usize], fewer, "{text}");
        assert_eq!(before + 2, settled, "{text}");
        let full = self.all.iter().find(|raw| raw.white == is_white).expect("a side");
        let full = full.number("plies_left").expect("plies") as u64;
        assert_eq!(settled_counts, at(full), "{text}");
    }
}

/// What sentences of games of points say.
impl<G: Complete> Checked<'_, G> {
    /// `White gets 100 points in 300 positions and 50 in 20.`
    fn points(&self, remark: &Remark, field: &str) {
        let text = &remark.text;
        let pattern = Regex::new(r"(-?\d+)(?: points)? in ([\d,]+)").expect("a pattern");
        let mut sum = 0;
        for found in pattern.captures_iter(text) {
            let points: i64 = found[1].parse().expect("points");
            let count = self.count(|raw| raw.number(field) == Some(points));
            assert_eq!(numbers(&found[2]), [count], "{text}");
            sum += count;
        }
        assert!(text.contains("margins") || sum == self.all.len() as u64, "{text}");
        assert!(sum > 0, "{text}");
    }

    fn conversion(&self, remark: &Remark, field: &str) {
        let most = self.all.iter().filter_map(|raw| raw.number("distance")).max();
        let most = most.expect("a distance") as u64;
        let shown = self.shown(remark);
        assert_eq!(shown.number("distance"), Some(most as i64), "{}", remark.text);
        let value = shown.number(field).expect("points");
        let expected = [most.div_ceil(2), most, value.unsigned_abs()];
        assert_eq!(numbers(&remark.text), expected, "{}", remark.text);
    }

    fn declaring(&self, remark: &Remark) {
        let game = self.tables.game();
        let (mut may, mut best, mut alone) = (0, 0, 0);
        for raw in &self.all {
            let position = game.parse_fen(&raw.fen).expect("a FEN of the game");
            let ranked = self.tables.ranked(&position).expect("the tables are there");
            let (mut declared, mut others) = (Vec::new(), Vec::new());
            for ranked in ranked {
                let is_declared = game.uci(&position, ranked.turn) == "declare";
                let points = if is_declared { &mut declared } else { &mut others };
                points.push(game.value(&ranked.after, &ranked.answer));
            }
            may += declared.len() as u64;
            if declared.contains(&raw.value) {
                best += 1;
                alone += u64::from(!others.contains(&raw.value));
            }
        }
        let mut expected = if best == 0 { vec![may] } else { vec![best, may] };
        expected.extend(Some(alone).filter(|&alone| alone > 0));
        assert_eq!(numbers(&remark.text), expected, "{}", remark.text);
    }

    /// The mate that scores most.
    fn mates(&self, remark: &Remark) {
        let game = self.tables.game();
        let winner = if remark.text.contains("brings White") { 1 } else { -1 };
        let points = numbers(&remark.text)[0] as i64;
        let mates = |raw: &Raw| {
            if raw.white != (winner == 1) || raw.value != winner * points {
                return false;
            }
            let position = game.parse_fen(&raw.fen).expect("a FEN of the game");
            let ranked = self.tables.ranked(&position).expect("the tables are there");
            ranked.iter().any(|turn| {
                game.value(&turn.after, &turn.answer) == raw.value
                    && game.is_check(&turn.after)
                    && game.turns(&turn.after).is_empty()
            })
        };
        assert_eq!(numbers(&remark.text)[1], self.count(mates), "{}", remark.text);
        assert!(mates(self.shown(remark)), "{}", remark.text);
    }
}

/// Checks each sentence of the story of a table.
struct Check {
    material: &'static str,
    /// The men of the table as FEN has them.
    men: &'static str,
    /// How many sentences there are.
    sentences: usize,
}

impl Task for Check {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let Check { material, men, sentences } = self;
        let tables = Tablebase::new(game, SHIPPED);
        let named: Material = material.parse().expect("a material");
        let report =
            tables.game().statistics(&tables, &named, &Silent).expect("a table that ships");
        let told = story(&tables, &named, &report, &Silent).expect("tables that ship");
        let checked = Checked { tables: &tables, all: placements(&tables, men, true) };
        let name = tables.game().name();
        for remark in &told {
            let text = remark.text.as_str();
            if text.starts_with("All") && text.ends_with("positions are drawn.") {
                assert_eq!(numbers(text), [checked.all.len() as u64], "{text}");
                assert_eq!(checked.count(|raw| raw.value != 0), 0, "{text}");
            } else if text.contains("hoever is to move")
                || text.contains(", to move, wins")
                || text.contains(", to move, loses")
                || text.contains(", to move, draws")
                || text.contains(", to move, comes out")
            {
                checked.outcome(remark);
            } else if text.contains(" is mated in ") {
                checked.mated(remark);
            } else if text.contains(" does not ") {
                checked.exceptions(remark);
            } else if text.contains(" elsewhere with these men: ") {
                elsewhere(text, men, name);
            } else {
                match name {
                    "high" => checked.high(remark),
                    "noro" => checked.noro(remark),
                    "tiebraker" if text.starts_with("White gets") => {
                        checked.points(remark, "points")
                    }
                    "stylish" if text.starts_with("White's margin") => {
                        checked.points(remark, "margin");
                    }
                    "tiebraker" | "stylish" if text.starts_with("The next conversion") => {
                        let field = if name == "stylish" { "margin" } else { "points" };
                        checked.conversion(remark, field);
                    }
                    "tiebraker" if text.starts_with("Declaring") => checked.declaring(remark),
                    "stylish" if text.starts_with("The mate") => checked.mates(remark),
                    _ if text.contains(" needs ") => checked.longest(remark, "dtm"),
                    _ => panic!("{name}: what is `{text}`?"),
                }
            }
        }
        let texts: Vec<&str> = told.iter().map(|remark| &*remark.text).collect();
        assert_eq!(told.len(), sentences, "{name} {material}: {texts:#?}");
    }
}

/// How many positions White and Black win with some men in a game, and how many there are. Stories
/// of several games tell it.
fn won(game: &'static GameName, men: &str) -> [u64; 3] {
    /// By the game and the men; who comes second waits for who counts.
    type Counted = HashMap<(&'static str, String), Arc<OnceLock<[u64; 3]>>>;

    struct Won<'a>(&'a str);

    impl Task for Won<'_> {
        type Output = [u64; 3];

        fn run<G: Complete>(self, game: G) -> [u64; 3] {
            let tables = Tablebase::new(game, SHIPPED);
            let mut counts = [0; 3];
            each_placement(tables.game(), self.0, |Placed { position, .. }| {
                let answer = tables.answer(&position).expect("the tables are there");
                let value = tables.game().value(&position, &answer);
                counts[0] += u64::from(value > 0);
                counts[1] += u64::from(value < 0);
                counts[2] += 1;
            });
            counts
        }
    }

    static COUNTED: Mutex<Option<Counted>> = Mutex::new(None);
    let counts = {
        let mut counted = COUNTED.lock().expect("nobody fails who holds it");
        let key = (game.name(), men.to_owned());
        counted.get_or_insert_default().entry(key).or_default().clone()
    };
    *counts.get_or_init(|| game.play(RuleOptions::none(), Won(men)).expect("usual rules"))
}

/// How many positions of each other game are won.
fn elsewhere(text: &str, men: &str, own: &str) {
    let (_, told) = text.trim_end_matches('.').split_once(": ").expect("games");
    let mut met = 0;
    for one in told.split("; ") {
        let game =
            GameName::all().iter().find(|game| one.starts_with(&format!("{} ", game.title())));
        let game = game.unwrap_or_else(|| panic!("{one}"));
        assert_ne!(game.name(), own);
        // Some will do: each takes a look at every placement.
        if !["orthodox", "high", "koth"].contains(&game.name()) {
            continue;
        }
        let numbers = numbers(&one[game.title().len()..]);
        let [white, black, all] = won(game, men);
        let expected = if white + black == 0 { vec![all] } else { vec![white, black, all] };
        assert_eq!(numbers, expected, "{one}");
        met += 1;
    }
    assert!(met > 1, "{text}");
}

/// What sentences of Orphic Chess say of `K[R]vK`.
mod reserve {
    use super::*;
    use finale::rules::{Game, Orphic, Rooks};

    type Answers = (Tablebase<Orphic<Rooks>>, Vec<Raw>);

    fn shipped() -> Answers {
        let tables = Tablebase::new(Orphic::<Rooks>::default(), SHIPPED);
        let all = placements(&tables, "KRk", false);
        (tables, all)
    }

    /// The value, the plies and the side to move with the Rook in reserve.
    fn taken((tables, _): &Answers, raw: &Raw) -> Option<(i64, Option<i64>, String)> {
        let game = tables.game();
        let (board, rest) = raw.fen.split_once(' ').expect("fields");
        let board = board.split('[').next().expect("a board").replace('R', "1") + "[R]";
        let position = game.parse_fen(&format!("{board} {rest}")).ok()?;
        let answer = tables.answer(&position).expect("the tables are there");
        let fields = finale::study::Study::fields(game, &position, &answer);
        let plies = fields.get("dtm").and_then(Value::as_i64);
        Some((finale::study::Study::value(game, &position, &answer), plies, game.fen(&position)))
    }

    #[test]
    fn a_man_in_reserve_is_worth_what_the_story_says() {
        let shipped = shipped();
        let (tables, all) = &shipped;
        let named: Material = "K[R]vK".parse().expect("a material");
        let report = tables.game();
        let report = finale::study::Study::statistics(report, tables, &named, &Silent);
        let told = story(tables, &named, &report.expect("a table that ships"), &Silent);
        let told = told.expect("tables that ship");
        let text = |words: &str| {
            let is_it = |remark: &&Remark| remark.text.starts_with(words);
            told.iter().find(is_it).unwrap_or_else(|| panic!("no sentence begins `{words}`"))
        };
        let (mut pairs, mut to_win, mut won, mut sooner, mut later, mut most) = (0, 0, 0, 0, 0, 0);
        let mut positions = BTreeMap::new();
        for raw in all {
            let Some((value, plies, fen)) = taken(&shipped, raw) else { continue };
            pairs += 1;
            to_win += u64::from(raw.value == 0 && value == 1);
            if let (1, 1, Some(before), Some(after)) = (raw.value, value, raw.number("dtm"), plies)
            {
                won += 1;
                sooner += u64::from(after < before);
                later += u64::from(after > before);
                most = most.max(before - after);
            }
            positions.insert(fen, (raw.white, value, plies));
        }
        assert_eq!(numbers(&text("Taking").text), [to_win, pairs]);
        assert_eq!(numbers(&text("Of ").text), [won, sooner, later, most as u64]);
        for (white, words) in
            [(true, "White, to move, wins all"), (false, "Black, to move, loses all")]
        {
            let of_side = positions.values().filter(|(side, ..)| *side == white);
            assert_eq!(numbers(&text(words).text), [of_side.clone().count() as u64]);
            assert!(of_side.into_iter().all(|(_, value, _)| *value == 1));
        }
        let longest =
            positions.values().filter_map(|(.., plies)| *plies).max().expect("a win") as u64;
        let needs = text("White needs");
        assert_eq!(numbers(&needs.text), [longest.div_ceil(2), longest]);
        assert_eq!(positions[needs.fen.as_ref().expect("a position")].2, Some(longest as i64));
        let (mut wins, mut dropped, mut only) = (0, 0, 0);
        for fen in positions.iter().filter(|(_, (white, ..))| *white).map(|(fen, _)| fen) {
            let position = tables.game().parse_fen(fen).expect("a FEN that was written");
            let ranked = tables.ranked(&position).expect("the tables are there");
            let plies = ranked[0].answer.dtm;
            let best = ranked.iter().filter(|turn| {
                finale::study::Study::value(tables.game(), &turn.after, &turn.answer) == 1
                    && turn.answer.dtm == plies
            });
            let drops: Vec<bool> =
                best.map(|turn| tables.game().uci(&position, turn.turn).contains('@')).collect();
            wins += 1;
            dropped += u64::from(drops.contains(&true));
            only += u64::from(!drops.contains(&false));
        }
        assert_eq!(numbers(&text("Dropping").text), [dropped, wins, only]);
        assert_eq!(told.len(), 6);
    }
}

fn check(game: &str, material: &'static str, men: &'static str, sentences: usize) {
    let game = GameName::find(game).expect("a game");
    game.play(RuleOptions::none(), Check { material, men, sentences }).expect("the usual rules");
}

#[test]
fn orthodox_chess() {
    check("orthodox", "KRvK", "KRk", 6);
    check("orthodox", "KPvK", "KPk", 4);
    check("orthodox", "KBvK", "KBk", 1);
}

#[test]
fn variants() {
    check("koth", "KNvK", "KNk", 5);
    check("atomic", "KQvK", "KQk", 5);
}

#[test]
fn high_chess() {
    check("high", "KBvK", "KBk", 8);
    check("high", "KQvK", "KQk", 8);
}

#[test]
fn norochess() {
    check("noro", "KRvB", "KRb", 6);
}

#[test]
fn games_of_points() {
    check("tiebraker", "KRvK", "KRk", 7);
    check("stylish", "KRvK", "KRk", 6);
}
