//! Which slices of which tables the turns out of a slice lead to.
//!
//! What is known of a slice is its material and where its pawns stand; pieces may stand anywhere.
//! So a few of the slices found may be led to by no legal turn. A material also names the men in
//! reserve, where a game has a reserve.

use rustc_hash::FxHashSet;

use crate::{
    board::{Bitboard, ByColor, Color, Man, Role, Square, Symmetry},
    index::Material,
    rules::{Laws, refuges},
};

use super::links::droppable;

/// The men of a slice: which there are, and where the pawns stand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outline {
    /// The men.
    pub material: Material,
    /// White's and Black's pawns.
    pub pawns: ByColor<Bitboard>,
}

/// What kind of turn leads from one outline to another.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Turn {
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
pub struct Reach {
    /// After turns whose position is looked up at once, promotions not among them.
    pub plain: FxHashSet<(Outline, Color)>,
    /// After promotions, with what the pawn has become: that man stands on its last rank.
    pub promoted: FxHashSet<(Outline, Color, Role)>,
    /// After double steps past an enemy pawn, should it not be able to take in passing.
    pub idle: FxHashSet<(Outline, Color)>,
    /// What looking ahead after a double step takes, where the pawn may be taken in passing.
    pub passing: FxHashSet<(Outline, Color)>,
}

impl Outline {
    /// What all turns of a side that leave the slice lead to.
    pub fn reach(&self, side: Color, laws: &Laws, reach: &mut Reach) {
        self.turns(side, laws, &mut |after, turn| match turn {
            Turn::Passing(to) => {
                reach.idle.insert((after, side));
                after.look_ahead(!side, to, laws, &mut reach.passing);
            }
            Turn::Promotion(role) => {
                reach.promoted.insert((after, side, role));
            }
            Turn::Step | Turn::Capture | Turn::Drop => {
                reach.plain.insert((after, side));
            }
        });
    }

    /// What those turns of a side lead to that change the men.
    pub fn reach_by_change(&self, side: Color, laws: &Laws, reach: &mut Reach) {
        self.turns(side, laws, &mut |after, turn| match turn {
            Turn::Promotion(role) => {
                reach.promoted.insert((after, side, role));
            }
            Turn::Capture => {
                reach.plain.insert((after, side));
            }
            Turn::Step | Turn::Passing(_) | Turn::Drop => {}
        });
    }

    /// What all turns of `side` lead to that may take the pawn on `passed` in passing.
    fn look_ahead(
        &self,
        side: Color,
        passed: Square,
        laws: &Laws,
        found: &mut FxHashSet<(Outline, Color)>,
    ) {
        if self.has_pieces(side) {
            found.insert((*self, side));
        }
        self.turns(side, laws, &mut |after, turn| match turn {
            Turn::Passing(to) => {
                found.insert((after, side));
                after.look_ahead(!side, to, laws, found);
            }
            Turn::Step | Turn::Capture | Turn::Promotion(_) | Turn::Drop => {
                found.insert((after, side));
            }
        });
        let behind = passed.offset(0, side.forward()).expect("a pawn has walked over it");
        for file in [-1, 1] {
            let beside = passed.offset(file, 0);
            if let Some(from) = beside.filter(|&from| self.pawns[side].contains(from)) {
                let after = self.without_pawn(side, from).without_pawn(!side, passed);
                if laws.explosive {
                    after.explosions(&mut |after| {
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
    fn turns(&self, side: Color, laws: &Laws, meet: &mut impl FnMut(Outline, Turn)) {
        let &Outline { material, pawns } = self;
        let standing = pawns.white | pawns.black;
        let royal = |role: Role| laws.royal && role == Role::King;
        // Who has the King in reserve only captures and drops.
        let only_captures = material.reserve(side, Role::King) > 0;
        let victims = || {
            let prey = |role: &Role| *role != Role::Pawn && !royal(*role);
            let there = move |role: &Role| material.count(!side, *role) > 0;
            Role::ALL.into_iter().filter(prey).filter(there).map(|role| Man::new(!side, role))
        };
        if laws.explosive {
            let captors = Role::ALL.into_iter().filter(|&role| {
                !matches!(role, Role::Pawn | Role::King) && material.count(side, role) > 0
            });
            for captor in captors.map(|role| self.without(Man::new(side, role))) {
                let pieces = victims().map(|man| captor.without(man));
                let taken = pawns[!side].map(|at| captor.without_pawn(!side, at));
                pieces.chain(taken).for_each(|left| {
                    left.explosions(&mut |after| meet(after, Turn::Capture));
                });
            }
        } else if self.has_pieces(side) {
            victims().for_each(|man| meet(self.without(man), Turn::Capture));
            pawns[!side].for_each(|at| meet(self.without_pawn(!side, at), Turn::Capture));
        }
        for from in pawns[side] {
            let lifted = self.without_pawn(side, from);
            let mut land = |before: Outline, to: Square, turn: Turn| {
                if laws.explosive && turn == Turn::Capture {
                    // Who captures does not live to become anything.
                    before.explosions(&mut |after| meet(after, turn));
                } else if to.rank() == side.rank(7) {
                    for &role in laws.promotions {
                        meet(before.with(Man::new(side, role)), Turn::Promotion(role));
                    }
                } else {
                    meet(before.with_pawn(side, to), turn);
                }
            };
            let forward = side.forward();
            let to = from.offset(0, forward).expect("pawns keep off the last rank");
            if !only_captures && !standing.contains(to) {
                land(lifted, to, Turn::Step);
                let second = to.offset(0, forward).filter(|_| from.rank() == side.rank(1));
                if let Some(to) = second.filter(|&to| !standing.contains(to)) {
                    let beside = [-1, 1].into_iter().filter_map(|file| to.offset(file, 0));
                    let mut enemies = beside.filter(|&at| pawns[!side].contains(at));
                    let turn = enemies.next().map_or(Turn::Step, |_| Turn::Passing(to));
                    land(lifted, to, turn);
                }
            }
            for to in [-1, 1].into_iter().filter_map(|file| from.offset(file, forward)) {
                if pawns[!side].contains(to) {
                    land(lifted.without_pawn(!side, to), to, Turn::Capture);
                } else if !standing.contains(to) {
                    victims().for_each(|man| land(lifted.without(man), to, Turn::Capture));
                }
            }
        }
        self.drops(side, &mut |after| meet(after, Turn::Drop));
    }

    /// Calls `meet` for what the drops of a side leave.
    fn drops(&self, side: Color, meet: &mut impl FnMut(Outline)) {
        let free = refuges(side) & !(self.pawns.white | self.pawns.black);
        for man in droppable(&self.material).filter(|man| man.color == side) {
            let mut after = self.with(man);
            after.material.remove_from_reserve(man);
            meet(after);
            // A pawn may make room.
            for from in self.pawns[side] {
                let lifted = after.without_pawn(side, from);
                free.for_each(|to| meet(lifted.with_pawn(side, to)));
            }
        }
    }

    /// Calls `meet` for what an explosion can leave of the men that are left: any pieces.
    fn explosions(&self, meet: &mut impl FnMut(Outline)) {
        let kinds = Color::ALL.into_iter().flat_map(|color| {
            let pieces = Role::ALL.into_iter().filter(|&role| role != Role::Pawn);
            pieces.map(move |role| Man::new(color, role))
        });
        let mut left = vec![*self];
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

    /// The same with the sides exchanged and the board turned by half.
    pub fn swap_colors(&self) -> Outline {
        let ByColor { white, black } =
            self.pawns.map(|pawns| Symmetry::HALF_TURN.image_of_set(pawns));
        Outline {
            material: self.material.swap_colors(),
            pawns: ByColor { white: black, black: white },
        }
    }

    fn has_pieces(&self, side: Color) -> bool {
        Role::ALL.into_iter().any(|role| role != Role::Pawn && self.material.count(side, role) > 0)
    }

    fn with(mut self, man: Man) -> Outline {
        self.material.add(man);
        self
    }

    fn without(mut self, man: Man) -> Outline {
        self.material.remove(man);
        self
    }

    fn with_pawn(self, color: Color, at: Square) -> Outline {
        let mut after = self.with(Man::new(color, Role::Pawn));
        after.pawns[color] |= at.bit();
        after
    }

    fn without_pawn(self, color: Color, at: Square) -> Outline {
        let mut after = self.without(Man::new(color, Role::Pawn));
        after.pawns[color] &= !at.bit();
        after
    }
}
