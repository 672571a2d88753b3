//! Which slices of which tables the turns out of a slice lead to.
//!
//! What is known of a slice is its material and where its pawns stand; pieces may stand anywhere.
//! So a few of the slices found may be led to by no legal turn. A material also names the men in
//! reserve, where a game has a reserve.

use rustc_hash::FxHashSet;

use super::{
    outline::{Drops, Outline},
    table_pages::Extent,
};
use crate::{
    board::{Color, Man, Role, Square, between, pawn_attacks},
    rules::Laws,
};

/// What kind of turn leads from one outline to another.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum TurnKind {
    /// A pawn moves, and nothing else happens.
    Step,
    /// A pawn walks past an enemy pawn, over the squares between these.
    Passing { from: Square, to: Square },
    /// A man is captured, and nobody promotes.
    Capture,
    /// A man becomes another, with or without a capture, which leads to these positions.
    Promotion(Extent),
    /// A man comes from the reserve.
    Drop,
}

/// How a solver gets to know the position after a turn.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Meeting {
    /// It is looked up.
    LookedUp,
    /// A pawn has walked past an enemy pawn, which cannot take it after all.
    Idle,
    /// A pawn has walked past an enemy pawn, and this is found looking ahead from there.
    LookedAhead,
}

/// An outline that a turn leads to.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reached {
    pub after: Outline,
    /// Who has turned.
    pub turned: Color,
    /// How its positions are met.
    pub meeting: Meeting,
    /// Which of them are looked up.
    pub extent: Extent,
}

/// The outlines that turns lead to.
pub type Closure = FxHashSet<Reached>;

/// Which of the turns out of a slice are looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All of them.
    All,
    /// Those that change the men on the board: captures and promotions.
    Changes,
}

/// What tells the turns out of a slice.
#[derive(Copy, Clone)]
pub struct TurnRules<'a> {
    /// How men move.
    pub laws: &'a Laws,
    /// How they are dropped, if they are.
    pub drops: Option<&'a dyn Drops>,
}

impl TurnRules<'_> {
    /// Adds what the turns of a side that leave a slice lead to, if they are wanted.
    pub fn add(self, closure: &mut Closure, before: &Outline, side: Color, wanted: Wanted) {
        self.turns(before, side, &mut |after, turn| {
            let mut add = |meeting, extent| {
                closure.insert(Reached { after, turned: side, meeting, extent });
            };
            match turn {
                TurnKind::Promotion(extent) => add(Meeting::LookedUp, extent),
                TurnKind::Capture => add(Meeting::LookedUp, Extent::Whole),
                _ if wanted == Wanted::Changes => {}
                TurnKind::Step | TurnKind::Drop => add(Meeting::LookedUp, Extent::Whole),
                TurnKind::Passing { from, to } => {
                    add(Meeting::Idle, Extent::Whole);
                    self.look_ahead(&after, !side, (from, to), closure);
                }
            }
        });
    }

    /// Adds what all turns of a side lead to that may take the pawn in passing which has just walked
    /// from one square to another.
    fn look_ahead(
        self,
        before: &Outline,
        turned: Color,
        (home, pawn): (Square, Square),
        closure: &mut Closure,
    ) {
        let (meeting, extent) = (Meeting::LookedAhead, Extent::Whole);
        let with = |after| Reached { after, turned, meeting, extent };
        if before.has_pieces(turned) {
            closure.insert(with(*before));
        }
        self.turns(before, turned, &mut |after, turn| {
            closure.insert(with(after));
            if let TurnKind::Passing { from, to } = turn {
                self.look_ahead(&after, !turned, (from, to), closure);
            }
        });
        for passed in between(home, pawn) & self.laws.en_passant[turned] {
            for from in pawn_attacks(!turned, passed) & before.pawns[turned] {
                let after = before.without_pawn(turned, from).without_pawn(!turned, pawn);
                if self.laws.explosive {
                    explosions(after, self.laws, &mut |after| {
                        closure.insert(with(after));
                    });
                } else {
                    closure.insert(with(after.with_pawn(turned, passed)));
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
        let royal = |of: Color| laws.royal_kinds(|role| material.count(of, role).into());
        let only_captures = drops.is_some_and(|drops| drops.only_captures(&material, side));
        let spared = royal(!side);
        let victims = || {
            let prey = |role: &Role| *role != Role::Pawn && !spared.contains(*role);
            material.roles(!side).filter(prey).map(|role| Man::new(!side, role))
        };
        if laws.explosive {
            let own = royal(side);
            let captures = |role: &Role| *role != Role::Pawn && !own.contains(*role);
            let captors = material.roles(side).filter(captures);
            let survives = |role: Role| laws.blast_immune.contains(role);
            let without = |role| match survives(role) {
                true => *before,
                false => before.without(Man::new(side, role)),
            };
            for captor in captors.map(without) {
                let pieces = victims().map(|man| captor.without(man));
                let taken = pawns[!side].map(|at| captor.without_pawn(!side, at));
                pieces.chain(taken).for_each(|left| {
                    explosions(left, laws, &mut |after| meet(after, TurnKind::Capture));
                });
            }
        } else if before.has_pieces(side) {
            victims().for_each(|man| meet(before.without(man), TurnKind::Capture));
            pawns[!side].for_each(|at| meet(before.without_pawn(!side, at), TurnKind::Capture));
        }
        let pieces = laws.promoting_pieces(side);
        for piece in material.roles(side).filter(|&role| pieces.contains(role)) {
            let piece = Man::new(side, piece);
            let lifted = before.without(piece);
            let anywhere = laws.promotes_from_there(piece);
            let extent = |role| if anywhere { Extent::Whole } else { Extent::Promoted(role) };
            let fewer = victims().map(|man| lifted.without(man));
            let fewer = fewer.chain(pawns[!side].map(|at| lifted.without_pawn(!side, at)));
            let steps = !only_captures && !laws.promotes_by_capture(piece);
            let stays = steps.then_some(lifted);
            for left in stays.into_iter().chain(fewer.filter(|_| !laws.explosive)) {
                for role in laws.becomes_beside(piece, &material).iter() {
                    meet(left.with(Man::new(side, role)), TurnKind::Promotion(extent(role)));
                }
            }
        }
        let pawn = Man::new(side, Role::Pawn);
        let (promoted, may_stay) = (laws.becomes_beside(pawn, &material), laws.may_stay(pawn));
        for from in pawns[side] {
            let lifted = before.without_pawn(side, from);
            let mut land = |left: Outline, to: Square, turn: TurnKind| {
                if laws.explosive && turn == TurnKind::Capture {
                    // Who captures does not live to become anything.
                    explosions(left, laws, &mut |after| meet(after, turn));
                    return;
                }
                let promotes = laws.promotes_on(pawn, from).contains(to);
                for role in promoted.iter().filter(|_| promotes) {
                    let extent = Extent::Promoted(role);
                    meet(left.with(Man::new(side, role)), TurnKind::Promotion(extent));
                }
                if may_stay || !promotes {
                    meet(left.with_pawn(side, to), turn);
                }
            };
            let steps = laws.pawn_steps(side, from, standing).filter(|_| !only_captures);
            for (steps, to) in steps {
                let passed = laws.en_passant_square(!side, pawns[!side], (from, steps));
                let turn = match passed {
                    Some(_) => TurnKind::Passing { from, to },
                    None => TurnKind::Step,
                };
                land(lifted, to, turn);
            }
            let ahead = [-1, 1].into_iter().filter_map(|file| from.offset(file, side.forward()));
            for to in ahead.filter(|&to| laws.size.contains(to)) {
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
fn explosions(outline: Outline, laws: &Laws, meet: &mut impl FnMut(Outline)) {
    let kinds = Color::ALL.into_iter().flat_map(|color| {
        let is_hit = |role: &Role| *role != Role::Pawn && !laws.blast_immune.contains(*role);
        let pieces = outline.material.roles(color).filter(is_hit);
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
        board::{Bitboard, Board, BoardSize, ByColor, RoleSet},
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
        let is_there = |after: Outline, turned: Color, ahead: bool| {
            closure.iter().any(|found| {
                let how = (found.meeting == Meeting::LookedAhead) == ahead;
                how && (found.after, found.turned) == (after, turned)
            })
        };
        let after = outline(&next.board);
        if next.en_passant.is_none() {
            return (!is_there(after, side, false)).then(|| format!("{after:?}"));
        }
        let answers = next.moves(laws).into_iter().map(|mv| next.play_under(laws, mv));
        answers.filter(|answer| answer.en_passant.is_none()).find_map(|answer| {
            let after = outline(&answer.board);
            (!is_there(after, !side, true)).then(|| format!("{after:?}, looking ahead"))
        })
    }

    /// What such turns of `side` lead to under orthodox laws: how many outlines that are looked up,
    /// and how many after promotions, after passing an enemy pawn, and looking ahead.
    fn counts(placement: &str, side: Color, wanted: Wanted) -> [usize; 4] {
        let board = Board::from_placement(placement, RoleSet::ORTHODOX, BoardSize::CHESS).unwrap();
        let mut closure = Closure::default();
        let rules = TurnRules { laws: &Laws::ORTHODOX, drops: None };
        rules.add(&mut closure, &outline(&board), side, wanted);
        let kind = |found: &Reached| match (found.meeting, found.extent) {
            (Meeting::LookedUp, Extent::Whole) => 0,
            (Meeting::LookedUp, Extent::Promoted(_)) => 1,
            (Meeting::Idle, _) => 2,
            (Meeting::LookedAhead, _) => 3,
        };
        [0, 1, 2, 3].map(|n| closure.iter().filter(|&found| kind(found) == n).count())
    }

    #[test]
    fn every_turn_out_of_a_slice_leads_into_its_closure() {
        let kings = Laws { kings_touch: true, ..Laws::ORTHODOX };
        let atomic = Laws { explosive: true, ..kings };
        let some_squares =
            ByColor { white: Bitboard(0x0000_1200_0000_0000), black: Bitboard::EMPTY };
        let passing = Laws { en_passant: some_squares, ..Laws::ORTHODOX };
        let far = Laws { triple_steps: Laws::ORTHODOX.double_steps, ..Laws::ORTHODOX };
        for laws in [Laws::ORTHODOX, kings, atomic, passing, far] {
            let rules = TurnRules { laws: &laws, drops: None };
            for material in ["KPvK", "KPvKP", "KPPvKP", "KRPvKN", "KQvKPP", "KRNvKB"] {
                let material: Material = material.parse().unwrap();
                let index = Index::new(&material, chess_group(&material));
                let cells = (0..4000).map(|n| n * 7_919_173 % (2 * index.len()));
                for before in cells.filter_map(|cell| indexed_setup(&index, cell, &laws)) {
                    let side = before.to_move;
                    let mut closure = Closure::default();
                    rules.add(&mut closure, &outline(&before.board), side, Wanted::All);
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
        let of = |placement, side| counts(placement, side, Wanted::All);
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
        // The King or a pawn takes d3; the other one promotes.
        let placement = "8/4P3/8/8/8/3p4/4P3/K1k5";
        assert_eq!(counts(placement, Color::White, Wanted::Changes), [2, 4, 0, 0]);
    }
}
