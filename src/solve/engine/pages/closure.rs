//! Which slices of which tables the turns out of a slice lead to.
//!
//! What is known of a slice is its material and where its pawns stand; pieces may stand anywhere.
//! So a few of the slices found may be led to by no legal turn. A material also names the men in
//! reserve, where a game has a reserve.

use rustc_hash::FxHashSet;

use super::outline::{Drops, Outline};
use crate::{
    board::{Color, Man, Role, Square},
    rules::Laws,
};

/// What kind of turn leads from one outline to another.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum TurnKind {
    /// A pawn moves, and nothing else happens.
    Step,
    /// A pawn walks past an enemy pawn, to this square.
    Passing(Square),
    /// A man is captured, and nobody promotes.
    Capture,
    /// A pawn becomes such a man, with or without a capture.
    Promotion(Role),
    /// A man comes from the reserve.
    Drop,
}

/// The outlines that turns lead to, each with the side that has turned.
#[derive(Clone, Debug, Default)]
pub struct Closure {
    /// After turns whose position is looked up at once, promotions not among them.
    pub plain: FxHashSet<(Outline, Color)>,
    /// After promotions, with what the pawn has become: that man stands on its last rank.
    pub promoted: FxHashSet<(Outline, Color, Role)>,
    /// After double steps past an enemy pawn, should it not be able to take in passing.
    pub idle: FxHashSet<(Outline, Color)>,
    /// What looking ahead after a double step takes, where the pawn may be taken in passing.
    pub passing: FxHashSet<(Outline, Color)>,
}

/// What tells the turns out of a slice.
#[derive(Copy, Clone)]
pub struct TurnRules<'a> {
    /// How men move.
    pub laws: &'a Laws,
    /// How they are dropped, if they are.
    pub drops: Option<&'a dyn Drops>,
}

impl Closure {
    /// Adds what all turns of a side that leave a slice lead to.
    pub fn add(&mut self, before: &Outline, side: Color, rules: TurnRules<'_>) {
        rules.turns(before, side, &mut |after, turn| match turn {
            TurnKind::Passing(to) => {
                self.idle.insert((after, side));
                rules.look_ahead(&after, !side, to, &mut self.passing);
            }
            TurnKind::Promotion(role) => {
                self.promoted.insert((after, side, role));
            }
            TurnKind::Step | TurnKind::Capture | TurnKind::Drop => {
                self.plain.insert((after, side));
            }
        });
    }

    /// Adds what those turns of a side lead to that change the men.
    pub fn add_changes(&mut self, before: &Outline, side: Color, rules: TurnRules<'_>) {
        rules.turns(before, side, &mut |after, turn| match turn {
            TurnKind::Promotion(role) => {
                self.promoted.insert((after, side, role));
            }
            TurnKind::Capture => {
                self.plain.insert((after, side));
            }
            TurnKind::Step | TurnKind::Passing(_) | TurnKind::Drop => {}
        });
    }
}

impl TurnRules<'_> {
    /// What all turns of `side` lead to that may take the pawn on `passed` in passing.
    fn look_ahead(
        self,
        before: &Outline,
        side: Color,
        passed: Square,
        found: &mut FxHashSet<(Outline, Color)>,
    ) {
        if before.has_pieces(side) {
            found.insert((*before, side));
        }
        self.turns(before, side, &mut |after, turn| match turn {
            TurnKind::Passing(to) => {
                found.insert((after, side));
                self.look_ahead(&after, !side, to, found);
            }
            TurnKind::Step | TurnKind::Capture | TurnKind::Promotion(_) | TurnKind::Drop => {
                found.insert((after, side));
            }
        });
        let behind = passed.offset(0, side.forward()).expect("a pawn has walked over it");
        for file in [-1, 1] {
            let beside = passed.offset(file, 0);
            if let Some(from) = beside.filter(|&from| before.pawns[side].contains(from)) {
                let after = before.without_pawn(side, from).without_pawn(!side, passed);
                if self.laws.explosive {
                    explosions(after, &mut |after| {
                        found.insert((after, side));
                    });
                } else {
                    found.insert((after.with_pawn(side, behind), side));
                }
            }
        }
    }

    /// Calls `meet` for every turn of a side that leaves the slice, captures in passing not among
    /// them.
    fn turns(self, before: &Outline, side: Color, meet: &mut impl FnMut(Outline, TurnKind)) {
        let TurnRules { laws, drops } = self;
        let &Outline { material, pawns } = before;
        let standing = pawns.white | pawns.black;
        let royal = |role: Role| laws.royal && role == Role::King;
        let only_captures = drops.is_some_and(|drops| drops.only_captures(&material, side));
        let victims = || {
            let prey = |role: &Role| *role != Role::Pawn && !royal(*role);
            let there = move |role: &Role| material.count(!side, *role) > 0;
            Role::ALL.into_iter().filter(prey).filter(there).map(|role| Man::new(!side, role))
        };
        if laws.explosive {
            let captors = Role::ALL.into_iter().filter(|&role| {
                !matches!(role, Role::Pawn | Role::King) && material.count(side, role) > 0
            });
            for captor in captors.map(|role| before.without(Man::new(side, role))) {
                let pieces = victims().map(|man| captor.without(man));
                let taken = pawns[!side].map(|at| captor.without_pawn(!side, at));
                pieces.chain(taken).for_each(|left| {
                    explosions(left, &mut |after| meet(after, TurnKind::Capture));
                });
            }
        } else if before.has_pieces(side) {
            victims().for_each(|man| meet(before.without(man), TurnKind::Capture));
            pawns[!side].for_each(|at| meet(before.without_pawn(!side, at), TurnKind::Capture));
        }
        for from in pawns[side] {
            let lifted = before.without_pawn(side, from);
            let mut land = |left: Outline, to: Square, turn: TurnKind| {
                if laws.explosive && turn == TurnKind::Capture {
                    // Who captures does not live to become anything.
                    explosions(left, &mut |after| meet(after, turn));
                } else if to.rank() == side.rank(7) {
                    for &role in laws.promotions {
                        meet(left.with(Man::new(side, role)), TurnKind::Promotion(role));
                    }
                } else {
                    meet(left.with_pawn(side, to), turn);
                }
            };
            let forward = side.forward();
            let to = from.offset(0, forward).expect("pawns keep off the last rank");
            if !only_captures && !standing.contains(to) {
                land(lifted, to, TurnKind::Step);
                let second = to.offset(0, forward).filter(|_| from.rank() == side.rank(1));
                if let Some(to) = second.filter(|&to| !standing.contains(to)) {
                    let beside = [-1, 1].into_iter().filter_map(|file| to.offset(file, 0));
                    let mut enemies = beside.filter(|&at| pawns[!side].contains(at));
                    let turn = enemies.next().map_or(TurnKind::Step, |_| TurnKind::Passing(to));
                    land(lifted, to, turn);
                }
            }
            for to in [-1, 1].into_iter().filter_map(|file| from.offset(file, forward)) {
                if pawns[!side].contains(to) {
                    land(lifted.without_pawn(!side, to), to, TurnKind::Capture);
                } else if !standing.contains(to) {
                    victims().for_each(|man| land(lifted.without(man), to, TurnKind::Capture));
                }
            }
        }
        if let Some(drops) = drops {
            drops.after_drops(before, side, &mut |after| meet(after, TurnKind::Drop));
        }
    }
}

/// Calls `meet` for what an explosion can leave of the men that are left: any pieces.
fn explosions(outline: Outline, meet: &mut impl FnMut(Outline)) {
    let kinds = Color::ALL.into_iter().flat_map(|color| {
        let pieces = Role::ALL.into_iter().filter(|&role| role != Role::Pawn);
        pieces.map(move |role| Man::new(color, role))
    });
    let mut left = vec![outline];
    for man in kinds {
        for before in std::mem::take(&mut left) {
            left.push(before);
            let mut fewer = before;
            for _ in 0..before.material.count(man.color, man.role) {
                fewer = fewer.without(man);
                left.push(fewer);
            }
        }
    }
    left.into_iter().for_each(meet);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answer::place::{chess_group, indexed_setup},
        board::{Board, ByColor},
        index::{Index, Material},
        rules::Setup,
    };

    fn outline(board: &Board) -> Outline {
        let pawns = |color| board.men(color, Role::Pawn);
        let pawns = ByColor { white: pawns(Color::White), black: pawns(Color::Black) };
        Outline { material: Material::of(board), pawns }
    }

    /// What a turn of `side` needs that leads to a position, and is not in the closure.
    fn missing(closure: &Closure, laws: &Laws, side: Color, next: &Setup) -> Option<String> {
        let after = (outline(&next.board), side);
        if next.en_passant.is_none() {
            let mut promoted = closure.promoted.iter().map(|&(after, side, _)| (after, side));
            let found = closure.plain.contains(&after)
                || closure.idle.contains(&after)
                || promoted.any(|promoted| promoted == after);
            return (!found).then(|| format!("{after:?}"));
        }
        let answers = next.moves(laws).into_iter().map(|mv| next.play_under(laws, mv));
        answers.filter(|answer| answer.en_passant.is_none()).find_map(|answer| {
            let after = (outline(&answer.board), !side);
            (!closure.passing.contains(&after)).then(|| format!("{after:?}, looking ahead"))
        })
    }

    #[test]
    fn every_turn_out_of_a_slice_leads_into_its_closure() {
        let kings = Laws { kings_touch: true, ..Laws::ORTHODOX };
        let atomic = Laws { explosive: true, ..kings };
        for laws in [Laws::ORTHODOX, kings, atomic] {
            let rules = TurnRules { laws: &laws, drops: None };
            for material in ["KPvK", "KPvKP", "KPPvKP", "KRPvKN", "KQvKPP", "KRNvKB"] {
                let material: Material = material.parse().unwrap();
                let index = Index::new(&material, chess_group(&material));
                let cells = (0..4000).map(|n| n * 7_919_173 % (2 * index.len()));
                for before in cells.filter_map(|cell| indexed_setup(&index, cell, &laws)) {
                    let side = before.to_move;
                    let mut closure = Closure::default();
                    closure.add(&outline(&before.board), side, rules);
                    for mv in before.moves(&laws) {
                        if !before.is_capture(mv) && !before.is_pawn_move(mv) {
                            continue;
                        }
                        let missing = missing(&closure, &laws, side, &before.play_under(&laws, mv));
                        assert_eq!(missing, None, "{material}: {mv:?} in {before:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_closure_has_no_more_than_turns_can_lead_to() {
        let of = |placement: &str, side: Color| {
            let board = Board::from_placement(placement, &Role::ALL).unwrap();
            let mut closure = Closure::default();
            let rules = TurnRules { laws: &Laws::ORTHODOX, drops: None };
            closure.add(&outline(&board), side, rules);
            let Closure { plain, promoted, idle, passing } = &closure;
            [plain.len(), promoted.len(), idle.len(), passing.len()]
        };
        // Four promotions; one step; two steps; who has just a King takes pawns.
        assert_eq!(of("8/4P3/8/8/8/8/8/K1k5", Color::White), [0, 4, 0, 0]);
        assert_eq!(of("8/8/4P3/8/8/8/8/K1k5", Color::White), [1, 0, 0, 0]);
        assert_eq!(of("8/8/8/8/8/8/4P3/K1k5", Color::White), [2, 0, 0, 0]);
        assert_eq!(of("8/8/8/8/8/8/4P3/K1k5", Color::Black), [1, 0, 0, 0]);
        // A Rook that may be taken, anywhere, and a pawn that takes it, on two squares.
        assert_eq!(of("8/8/8/8/8/4P3/8/K1k4r", Color::White), [4, 0, 0, 0]);
        // Past an enemy pawn, which may take in passing, or advance, and so may the King.
        assert_eq!(of("8/8/8/8/3p4/8/4P3/K1k5", Color::White), [2, 0, 1, 4]);
    }

    #[test]
    fn changes_are_captures_and_promotions() {
        let board = Board::from_placement("8/4P3/8/8/8/3p4/4P3/K1k5", &Role::ALL).unwrap();
        let mut closure = Closure::default();
        let rules = TurnRules { laws: &Laws::ORTHODOX, drops: None };
        closure.add_changes(&outline(&board), Color::White, rules);
        // The King or a pawn takes d3; the other one promotes.
        assert_eq!((closure.plain.len(), closure.promoted.len()), (2, 4));
        assert!(closure.idle.is_empty() && closure.passing.is_empty());
    }
}
