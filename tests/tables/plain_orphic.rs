//! Orphic Chess with Rooks once more, as its page words it: a board of letters, lists of squares,
//! and nothing taken from the program. Its turns are counted against those of the program, and its
//! positions solved by the plain recurrence.

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

/// The men of a reserve, by their place in [`Plain::held`].
const HELD: [u8; 5] = *b"KQRBN";

const EMPTY: u8 = b'.';

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTED: [(i8, i8); 4] = [(1, 1), (-1, -1), (-1, 1), (1, -1)];
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plain {
    /// The letters of a FEN, upper case for White, from a1 to h8.
    squares: [u8; 64],
    /// How many there are in reserve, White's and Black's.
    held: [[u8; 5]; 2],
    /// Whether White is to move.
    white: bool,
    /// The square a pawn has just stepped over, if it can be taken there by some pawn.
    passed: Option<u8>,
}

/// The square so many steps away, if it is on the board.
fn beside(square: usize, (files, ranks): (i8, i8)) -> Option<usize> {
    let (file, rank) = ((square % 8) as i8 + files, (square / 8) as i8 + ranks);
    let inside = (0..8).contains(&file) && (0..8).contains(&rank);
    inside.then(|| rank as usize * 8 + file as usize)
}

fn is_dark(square: usize) -> bool {
    (square % 8 + square / 8).is_multiple_of(2)
}

impl Plain {
    /// Reads the first four fields of a FEN.
    pub fn read(fen: &str) -> Plain {
        let fields: Vec<&str> = fen.split(' ').collect();
        let (placement, held) = fields[0].split_once('[').unwrap_or((fields[0], ""));
        let mut plain = Plain {
            squares: [EMPTY; 64],
            held: [[0; 5]; 2],
            white: fields[1] == "w",
            passed: None,
        };
        for (n, row) in placement.split('/').enumerate() {
            let mut square = 8 * (7 - n);
            for letter in row.bytes() {
                if letter.is_ascii_digit() {
                    square += usize::from(letter - b'0');
                } else {
                    plain.squares[square] = letter;
                    square += 1;
                }
            }
        }
        for letter in held.trim_end_matches(']').bytes() {
            let man = HELD.iter().position(|&man| man == letter.to_ascii_uppercase()).unwrap();
            plain.held[usize::from(letter.is_ascii_lowercase())][man] += 1;
        }
        if let Some([file, rank]) = fields.get(3).map(|field| field.as_bytes()) {
            plain.passed = Some(8 * (rank - b'1') + file - b'a');
        }
        plain
    }

    /// Every placement of some men, by the letters of a FEN, with this in reserve, either side to
    /// move, in which the other side does not stand in check.
    pub fn placements(men: &str, held: &str) -> Vec<Plain> {
        let mut found = Vec::new();
        for turn in ["w", "b"] {
            let empty = Plain::read(&format!("8/8/8/8/8/8/8/8[{held}] {turn}"));
            let mut placed = vec![empty];
            for man in men.bytes() {
                let put = |plain: &Plain| {
                    let free = (0..64).filter(|&square| plain.squares[square] == EMPTY);
                    let free = free.filter(|square| {
                        !man.eq_ignore_ascii_case(&b'P') || (8..56).contains(square)
                    });
                    free.map(|square| plain.with(square, man)).collect::<Vec<_>>()
                };
                placed = placed.iter().flat_map(put).collect();
            }
            found.extend(placed.into_iter().filter(|plain| !plain.is_checked(!plain.white)));
        }
        found
    }

    /// The position as one number, which tells it from all others with up to four men on the board
    /// and two of a kind in each reserve: a table of these is much smaller than one of positions.
    fn key(&self) -> u64 {
        let (mut key, mut men) = (0, 0);
        for (square, &man) in self.squares.iter().enumerate().filter(|(_, man)| **man != EMPTY) {
            let kind = b"KQRBNPkqrbnp".iter().position(|&letter| letter == man).unwrap();
            // No kind is 0, so that fewer men give other keys.
            key = 64 * (13 * key + kind as u64 + 1) + square as u64;
            men += 1;
        }
        assert!(men <= 4);
        for &count in self.held.as_flattened() {
            assert!(count < 3);
            key = 3 * key + u64::from(count);
        }
        65 * (2 * key + u64::from(self.white)) + self.passed.map_or(0, |at| u64::from(at) + 1)
    }

    /// Whether anything is in reserve.
    pub fn has_reserve(&self) -> bool {
        self.held != [[0; 5]; 2]
    }

    fn with(&self, square: usize, man: u8) -> Plain {
        let mut next = self.clone();
        next.squares[square] = man;
        next
    }

    fn holds(&self, white: bool, man: u8) -> u8 {
        self.held[usize::from(!white)][HELD.iter().position(|&held| held == man).unwrap()]
    }

    /// The squares with men of a side, and the kind of each.
    fn men(&self, white: bool) -> impl Iterator<Item = (usize, u8)> {
        let men = self.squares.iter().enumerate();
        let own =
            men.filter(
                move |(_, man)| {
                    if white { man.is_ascii_uppercase() } else { man.is_ascii_lowercase() }
                },
            );
        own.map(|(square, man)| (square, man.to_ascii_uppercase()))
    }

    /// Where a man may strike.
    fn strikes(&self, from: usize, man: u8, white: bool, mut meet: impl FnMut(usize)) {
        let ahead = if white { 1 } else { -1 };
        match man {
            b'P' => [-1, 1].iter().filter_map(|&f| beside(from, (f, ahead))).for_each(meet),
            b'N' => LEAPS.iter().filter_map(|&leap| beside(from, leap)).for_each(meet),
            b'K' => {
                let steps = STRAIGHT.iter().chain(&SLANTED);
                steps.filter_map(|&step| beside(from, step)).for_each(meet);
            }
            _ => {
                let straight = STRAIGHT.iter().filter(|_| man != b'B');
                for &step in straight.chain(SLANTED.iter().filter(|_| man != b'R')) {
                    let mut at = from;
                    while let Some(next) = beside(at, step) {
                        meet(next);
                        if self.squares[next] != EMPTY {
                            break;
                        }
                        at = next;
                    }
                }
            }
        }
    }

    /// Whether a side's King is on the board and attacked.
    pub fn is_checked(&self, white: bool) -> bool {
        let letter = if white { b'K' } else { b'k' };
        let Some(king) = self.squares.iter().position(|&man| man == letter) else { return false };
        let mut checked = false;
        for (from, man) in self.men(!white) {
            self.strikes(from, man, !white, |to| checked |= to == king);
        }
        checked
    }

    /// The positions after every legal turn; `free` Kings are dropped on any rank at any time, and
    /// `bishops` says on which squares a Bishop may be dropped, dark ones or others.
    fn after_turns(&self, free: bool, bishops: impl Fn(bool) -> bool) -> Vec<Plain> {
        let mut found = Vec::new();
        let (own, white) = (usize::from(!self.white), self.white);
        let letter = |man: u8| if white { man } else { man.to_ascii_lowercase() };
        let ahead = if white { 1 } else { -1 };
        let own_rank = |square: usize| if white { square / 8 } else { 7 - square / 8 };
        let waiting = self.holds(white, b'K') > 0;
        let passed_by = Plain { white: !white, passed: None, ..self.clone() };
        let is_enemy = |man: u8| man != EMPTY && man.is_ascii_uppercase() != white;

        for (from, man) in self.men(white) {
            let mut move_to = |to: usize, passed: Option<usize>| {
                let capture = self.squares[to] != EMPTY;
                let en_passant = man == b'P' && from % 8 != to % 8 && !capture;
                if waiting && !capture && !en_passant {
                    return;
                }
                let kinds: &[u8] = if man == b'P' && own_rank(to) == 7 { b"QRBN" } else { &[man] };
                for &kind in kinds {
                    let mut next = passed_by.with(from, EMPTY).with(to, letter(kind));
                    if en_passant {
                        let victim = beside(to, (0, -ahead)).unwrap();
                        next.squares[victim] = EMPTY;
                    }
                    next.passed = passed.map(|square| square as u8);
                    found.push(next);
                }
            };
            self.strikes(from, man, white, |to| {
                let target = self.squares[to];
                let passing = self.passed == Some(to as u8);
                let may = if man == b'P' { is_enemy(target) || passing } else { true };
                if may && (target == EMPTY || is_enemy(target)) {
                    move_to(to, None);
                }
            });
            if man == b'P' {
                let step = beside(from, (0, ahead)).filter(|&to| self.squares[to] == EMPTY);
                let twice = step.filter(|_| own_rank(from) == 1);
                let twice = twice.and_then(|step| beside(step, (0, ahead)));
                step.into_iter().for_each(|to| move_to(to, None));
                let twice = twice.filter(|&to| self.squares[to] == EMPTY);
                twice.into_iter().for_each(|to| move_to(to, step));
            }
        }

        let checked = self.is_checked(white);
        for (at, &man) in HELD.iter().enumerate().filter(|&(at, _)| self.held[own][at] > 0) {
            let others = self.held[own].iter().sum::<u8>() > 1;
            let mut dropped = passed_by.clone();
            dropped.held[own][at] -= 1;
            for to in 0..64 {
                let allowed = match man {
                    b'K' => free || !others || own_rank(to) == 0,
                    b'B' => bishops(is_dark(to)),
                    _ => true,
                };
                if allowed && self.squares[to] == EMPTY {
                    found.push(dropped.with(to, letter(man)));
                } else if allowed && self.squares[to] == letter(b'P') && !checked {
                    let there = dropped.with(to, letter(man));
                    let refuges = (0..64).filter(|&square| (1..=3).contains(&own_rank(square)));
                    let refuges = refuges.filter(|&square| there.squares[square] == EMPTY);
                    found.extend(refuges.map(|square| there.with(square, letter(b'P'))));
                }
            }
        }
        found.retain(|next| !next.is_checked(white));
        found
    }

    /// The positions after every legal turn.
    pub fn turns(&self, free: bool) -> Vec<Plain> {
        let own = if self.white { b'B' } else { b'b' };
        let stands = |dark| (0..64).any(|at| self.squares[at] == own && is_dark(at) == dark);
        self.after_turns(free, |dark| !stands(dark))
    }

    pub fn perft(&self, free: bool, depth: u32) -> u64 {
        let turns = self.turns(free);
        match depth {
            1 => turns.len() as u64,
            _ => turns.iter().map(|next| next.perft(free, depth - 1)).sum(),
        }
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, row) in self.squares.chunks(8).rev().enumerate() {
            f.write_str(if n == 0 { "" } else { "/" })?;
            for &man in row {
                // A digit for each empty square: the program reads it all the same.
                f.write_char(if man == EMPTY { '1' } else { man as char })?;
            }
        }
        f.write_char('[')?;
        for (side, held) in self.held.iter().enumerate() {
            for (&man, &count) in HELD.iter().zip(held) {
                let letter = if side == 0 { man } else { man.to_ascii_lowercase() } as char;
                (0..count).try_for_each(|_| f.write_char(letter))?;
            }
        }
        write!(f, "] {} - ", if self.white { 'w' } else { 'b' })?;
        match self.passed {
            Some(square) => write!(f, "{}{}", (b'a' + square % 8) as char, square / 8 + 1),
            None => f.write_str("-"),
        }
    }
}

/// What a position is worth to the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Worth {
    Win(u16),
    Draw,
    Loss(u16),
}

/// Some positions and all that can come of them, each with what it is worth: a side mated has lost
/// in 0; who can come to a loss in n - 1 and none sooner wins in n; whose every turn loses, the
/// longest in n - 1, loses in n; all the rest is drawn.
pub fn solve(seeds: Vec<Plain>, free: bool) -> Vec<(Plain, Worth)> {
    let mut positions: Vec<Plain> = Vec::new();
    let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
    let mut number = |plain: Plain, positions: &mut Vec<Plain>| {
        *numbers.entry(plain.key()).or_insert_with(|| {
            positions.push(plain);
            positions.len() as u32 - 1
        })
    };
    for seed in seeds {
        number(seed, &mut positions);
    }
    // The successors of all, behind each other, and where those of each end.
    let (mut after, mut ends): (Vec<u32>, Vec<usize>) = (Vec::new(), Vec::new());
    while ends.len() < positions.len() {
        let turns = positions[ends.len()].turns(free);
        after.extend(turns.into_iter().map(|next| number(next, &mut positions)));
        ends.push(after.len());
    }
    let mut worths: Vec<Option<Worth>> = vec![None; positions.len()];
    let mut open: Vec<usize> = (0..positions.len()).collect();
    for plies in 0.. {
        let settle = |&n: &usize| {
            let start = n.checked_sub(1).map_or(0, |before| ends[before]);
            let next = || after[start..ends[n]].iter().map(|&next| worths[next as usize]);
            if start == ends[n] {
                let plain = &positions[n];
                let mated = plain.is_checked(plain.white);
                Some(if mated { Worth::Loss(0) } else { Worth::Draw })
            } else if next().any(|next| matches!(next, Some(Worth::Loss(_)))) {
                Some(Worth::Win(plies))
            } else if next().all(|next| matches!(next, Some(Worth::Win(_)))) {
                Some(Worth::Loss(plies))
            } else {
                None
            }
        };
        let settled: Vec<(usize, Worth)> =
            open.iter().filter_map(|n| Some((*n, settle(n)?))).collect();
        if settled.is_empty() {
            break;
        }
        settled.into_iter().for_each(|(n, worth)| worths[n] = Some(worth));
        open.retain(|&n| worths[n].is_none());
    }
    let worths = worths.into_iter().map(|worth| worth.unwrap_or(Worth::Draw));
    positions.into_iter().zip(worths).collect()
}
