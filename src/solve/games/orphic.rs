//! Orphic Chess: win, draw or loss and the plies to mate, in layers of reserves.
//!
//! A table holds the positions of some men on the board and some in reserve. Drops lead to
//! tables with smaller reserves, which are solved before. A side whose King is in reserve only
//! captures and drops, so every turn of it leaves the slice.
//!
//! Where nothing is in reserve and no Elk can come, the game is orthodox chess, and its tables
//! answer.

use std::{sync::Arc, time::Duration};

use crate::{
    answer::{
        orphic::{material_of, section_suffix},
        place::table_sides,
        score::Score,
    },
    board::{Bitboard, Board, Color, Group, Man, Movements, Role, Square},
    index::{Index, MAX_MEN, Material},
    probe::Catalogue,
    rules::{Game, Laws, Orphic, PieceSet, Setup, Variant, refuges},
    solve::{
        engine::{
            builder::{
                BATCH, LadderSolver, LadderTables, MemoryNeed, SolveParts, Workbench, layout,
                memory_need,
            },
            ladder::{ExitScores, LadderGame, put_back},
            pages::{
                Drops, Extent, Outline, PageCache, PageId, Paged, PartCells, droppable,
                palette_scores,
            },
            slice::{Chesslike, PieceMoves, Slice, Word},
        },
        error::BuildError,
        game::{Solve, TableSize},
        goal::Goal,
        parts::Layout,
    },
    table::TableError,
};

impl<S: PieceSet> Chesslike for Orphic<S> {
    fn laws(&self) -> Laws {
        S::LAWS
    }

    fn swaps_colors(&self) -> bool {
        true
    }

    fn group(&self, material: &Material) -> Group {
        self.symmetries(material)
    }
}

impl<S: PieceSet> LadderGame for Orphic<S> {
    type Store = i16;

    fn terminal(&self, board: &Board, to_move: Color, in_check: bool) -> Score {
        Variant::orthodox().score_without_turns(board, to_move, in_check)
    }

    fn look_ahead(
        &self,
        setup: &Setup,
        material: &Material,
        known: &dyn Fn(&Setup, &Material) -> Score,
    ) -> Score {
        let position = Orphic::<S>::position(setup.clone(), material);
        let scores = self.turns(&position).into_iter().map(|turn| {
            let next = self.play(&position, turn);
            known(&next.setup, &material_of(&next)).later::<i16>()
        });
        Score::best(setup.to_move, scores).unwrap_or_else(|| {
            self.terminal(&setup.board, setup.to_move, setup.in_check(setup.to_move))
        })
    }

    fn slice(&self, material: &Material, squares: [Square; MAX_MEN]) -> Slice {
        let only_captures = Color::ALL.map(|side| self.only_captures(material, side));
        Slice::new(material.men(), squares, self.symmetries(material), S::LAWS)
            .where_only_capture(only_captures)
    }

    fn leaving(
        &self,
        ways: &ExitScores<'_, Self::Store>,
        word: &Word<'_>,
        meet: &mut dyn FnMut(Bitboard, Score),
    ) {
        ways.conversions(word, &mut |lanes, _, after| meet(lanes, after.later::<i16>()));
        let &Word { slice, stand, side, lanes } = word;
        let links = ways.links();
        if links.drops(side).next().is_none() {
            return;
        }
        let checked = slice.checked(stand, side);
        for lane in lanes {
            let runs = slice.runner().map_or(Bitboard::EMPTY, |_| lane.bit());
            let men = Placed {
                men: slice.men(),
                squares: word.squares(lane),
                occupied: stand.occupied | runs,
                in_check: checked.contains(lane),
            };
            for drop in links.drops(side) {
                let man = drop.man;
                let first_rank =
                    man.role == Role::King && self.king_is_bound(links.reserve(), side);
                let allowed = if first_rank { Bitboard::rank(side.rank(0)) } else { Bitboard::ALL };
                men.drops(man, allowed, |squares| {
                    if let Some(after) = ways.dropped(drop, side, squares) {
                        meet(lane.bit(), after.later::<i16>());
                    }
                });
            }
        }
    }
}

/// Where the men of a slice stand in one position.
struct Placed<'a> {
    men: &'a [Man],
    squares: [Square; MAX_MEN],
    occupied: Bitboard,
    in_check: bool,
}

impl Placed<'_> {
    /// Calls `meet` with the squares of all men after each legal drop of `man` on one of the
    /// `allowed` squares; that of the man dropped comes after the others.
    fn drops(&self, man: Man, mut allowed: Bitboard, mut meet: impl FnMut(&[Square; MAX_MEN])) {
        let empty = !self.occupied;
        let (dropped, side) = (self.men.len(), man.color);
        if man.role == Role::Bishop {
            for bishop in self.like(man) {
                let dark = self.squares[bishop].is_dark();
                allowed &= if dark { Bitboard::LIGHT } else { Bitboard::DARK };
            }
        }
        let mut squares = self.squares;
        for to in allowed & empty {
            squares[dropped] = to;
            if self.is_legal(man, to, self.occupied | to.bit()) {
                meet(&squares);
            }
        }
        if self.in_check {
            return;
        }
        let refuges = refuges(side) & empty;
        for pawn in self.like(Man::new(side, Role::Pawn)) {
            let to = self.squares[pawn];
            if !allowed.contains(to) {
                continue;
            }
            squares[dropped] = to;
            for refuge in refuges {
                squares[pawn] = refuge;
                if self.is_legal(man, to, self.occupied | refuge.bit()) {
                    meet(&squares);
                }
            }
            squares[pawn] = to;
        }
    }

    /// The men like this one.
    fn like(&self, man: Man) -> impl Iterator<Item = usize> {
        (0..self.men.len()).filter(move |&i| self.men[i] == man)
    }

    /// Whether the King of the side that drops `man` on `to` is safe when `occupied` blocks.
    fn is_legal(&self, man: Man, to: Square, occupied: Bitboard) -> bool {
        let king = match man.role {
            Role::King => to,
            // Lines to a King that is safe can only be blocked by a drop.
            _ if !self.in_check => return true,
            _ => {
                let king = self.like(Man::new(man.color, Role::King)).next();
                self.squares[king.expect("in check is a King on the board")]
            }
        };
        (0..self.men.len()).filter(|&i| self.men[i].color != man.color).all(|i| {
            let movement = Movements::USUAL.of(self.men[i]);
            !movement.attacks(self.squares[i], occupied).contains(king)
        })
    }
}

/// Tables that the orthodox ones answer are among them, put right as there.
impl<S: PieceSet> Paged for Orphic<S> {
    type Cell = i16;

    fn game(&self) -> &dyn Catalogue {
        self
    }

    fn suffix(&self, material: &Material, _mode: usize) -> String {
        section_suffix::<S>(material).to_owned()
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[i16]>, TableError> {
        Ok(palette_scores(stretch, self.infinite(stretch.material)))
    }

    fn leaves_out(&self, material: &Material) -> bool {
        Orphic::<S>::is_orthodox(material)
    }

    fn put_right(
        &self,
        cache: &PageCache<'_, i16>,
        looked_up: (PageId, Extent),
        page: &mut [i16],
    ) -> Result<(), BuildError> {
        put_back(self, cache, looked_up, page)
    }

    fn drops(&self) -> Option<&dyn Drops> {
        Some(self)
    }
}

impl<S: PieceSet> Drops for Orphic<S> {
    fn only_captures(&self, material: &Material, side: Color) -> bool {
        material.reserve(side, Role::King) > 0
    }

    fn after_drops(&self, before: &Outline, side: Color, meet: &mut dyn FnMut(Outline)) {
        let free = refuges(side) & !(before.pawns.white | before.pawns.black);
        for man in droppable(&before.material).filter(|man| man.color == side) {
            let mut after = before.with(man);
            after.material.remove_from_reserve(man);
            meet(after);
            // A pawn may make room.
            for from in before.pawns[side] {
                let lifted = after.without_pawn(side, from);
                free.for_each(|to| meet(lifted.with_pawn(side, to)));
            }
        }
    }
}

impl<S: PieceSet> LadderTables for Orphic<S> {
    fn ladder(&self, _: &Material, _mode: usize) -> Box<dyn LadderGame<Store = i16> + '_> {
        Box::new(*self)
    }
}

impl<S: PieceSet> Solve for Orphic<S> {
    fn needs(&self, material: &Material) -> Vec<Material> {
        self.successors(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        if Orphic::<S>::is_orthodox(material) {
            return Variant::orthodox().size(goal);
        }
        let numbers = Index::count(material, self.symmetries(material));
        let positions = numbers * table_sides(material, true) as u64;
        // For both sides to move half a dozen sets, the scores of one side, and the
        // packed cells.
        let MemoryNeed { memory, least } = memory_need(self, material, BATCH, 8 * (2 + 2 + 2));
        TableSize {
            positions,
            memory,
            least: Some(least),
            loaded: positions * 2,
            file: positions / 5,
            scratch: None,
            time: Duration::from_nanos(numbers * 2 * 150),
        }
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        layout(self, &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        Box::new(LadderSolver::new(*self, PieceMoves, goal, bench))
    }
}
