//! Orphic Chess: win, draw or loss and the plies to mate, in layers of reserves.
//!
//! A table holds the positions of some men on the board and some in reserve. Drops lead to
//! tables with smaller reserves, which are solved before. A side whose King is in reserve only
//! captures and drops, so every turn of it leaves the slice.
//!
//! Where nothing is in reserve and no Elk can come, the game is orthodox chess, and its tables
//! answer.

use std::{cmp::Ordering, sync::Arc, time::Duration};

use super::{
    BuildError, Solve, TableId, TableSize, Unanswerable, UnfitMaterial, Workbench,
    ladder::{Moves, Score},
    ladder_file::{self, LadderReader, Outcome, nothing_left_out},
    ladder_table::{self, Exits, LadderGame, Library, read},
    links,
    orthodox::{QUIET, WinDrawLoss},
    sections::table_material,
    slice::{Slice, Stand},
};
use crate::{
    board::{Bitboard, Board, Color, Group, Man, Role, Square, attacks},
    index::{Index, MAX_MEN, Material},
    rules::{Game, Laws, Orphic, OrphicPosition, OrphicTurn, Orthodox, PieceSet, Reserve, Setup},
    table::{Table, TableError},
};

impl<S: PieceSet> Orphic<S> {
    /// Whether a material is one of orthodox chess and remains one.
    fn is_orthodox(material: &Material) -> bool {
        let elks_to_come =
            S::ROLES.contains(&Role::Elk) && (material.has_pawns() || has(material, Role::Elk));
        material.in_hand() == Material::default() && !elks_to_come
    }

    /// Whether the King of `side` must be dropped on its first rank as long as nothing else is
    /// dropped.
    fn king_is_bound(material: &Material, side: Color) -> bool {
        S::KING_ON_FIRST_RANK
            && material.reserve(side, Role::King) > 0
            && material.reserve_of(side) > 1
    }

    /// The symmetries that keep the value of the positions of a material.
    pub fn symmetries(&self, material: &Material) -> Group {
        let elks = S::ROLES.contains(&Role::Elk);
        let bound = Color::ALL.iter().any(|&side| Orphic::<S>::king_is_bound(material, side));
        match (material.has_pawns(), has(material, Role::Elk)) {
            // A pawn may become an Elk, which minds the colours of squares that mirrors swap.
            (true, _) if elks => Group::Trivial,
            (true, _) => Group::Mirror,
            (false, true) => Group::SquareColors,
            (false, false) if bound => Group::Mirror,
            (false, false) => Group::Full,
        }
    }

    /// Puts the table of a material into a library.
    fn load(
        &self,
        library: &mut Library<i16>,
        material: &Material,
        bench: &Workbench<'_>,
    ) -> Result<(), BuildError> {
        if Orphic::<S>::is_orthodox(material) {
            return Orthodox.load(library, material, bench);
        }
        let id = self.table_id(material)?;
        let group = self.group(&id.material);
        let values = ladder_file::load(&id, group, true, "", 0, nothing_left_out, bench)?;
        library.add(id.material, Arc::new(values));
        Ok(())
    }

    fn position(setup: Setup, material: &Material) -> OrphicPosition {
        let reserves = Color::ALL.map(|color| {
            Reserve::of(Role::ALL.into_iter().map(|role| (role, material.reserve(color, role))))
        });
        OrphicPosition { setup, reserves }
    }
}

/// Whether there is a man of `role`, on the board or in reserve.
fn has(material: &Material, role: Role) -> bool {
    Color::ALL
        .into_iter()
        .any(|color| material.count(color, role) + material.reserve(color, role) > 0)
}

/// The men of a position, those in reserve too.
fn material_of(position: &OrphicPosition) -> Material {
    let mut material = Material::of(&position.setup.board);
    for color in Color::ALL {
        let reserve = position.reserve(color);
        for role in reserve.roles() {
            for _ in 0..reserve.count(role) {
                material.add_to_reserve(Man::new(color, role));
            }
        }
    }
    material
}

impl<S: PieceSet> LadderGame for Orphic<S> {
    type Store = i16;
    type Quiet = Moves;

    fn quiet(&self) -> Moves {
        Moves
    }

    fn laws(&self) -> Laws {
        S::LAWS
    }

    fn swaps_colors(&self) -> bool {
        true
    }

    fn infinite(&self, _: &Material) -> i32 {
        0
    }

    fn terminal(&self, board: &Board, to_move: Color, in_check: bool) -> Score {
        Orthodox.terminal(board, to_move, in_check)
    }

    fn look_ahead(&self, setup: &Setup, known: &dyn Fn(&Setup) -> Score) -> Score {
        let material = Material::of(&setup.board);
        self.look_ahead_with_reserve(setup, &material, &|next, _| known(next))
    }

    fn look_ahead_with_reserve(
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

    fn group(&self, material: &Material) -> Group {
        self.symmetries(material)
    }

    fn only_captures(&self, material: &Material, side: Color) -> bool {
        material.reserve(side, Role::King) > 0
    }

    fn drops(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: Bitboard,
        links: &Exits<i16>,
        offer: &mut dyn FnMut(Bitboard, Score),
    ) {
        if links.drops(side).next().is_none() {
            return;
        }
        let checked = slice.checked(stand, side);
        for lane in lanes {
            let mut men = Men {
                men: slice.men(),
                squares: stand.squares,
                occupied: stand.occupied,
                in_check: checked.contains(lane),
            };
            if let Some(runner) = slice.runner() {
                men.squares[runner] = lane;
                men.occupied |= lane.bit();
            }
            for (man, link, modes) in links.drops(side) {
                let first_rank =
                    man.role == Role::King && Orphic::<S>::king_is_bound(links.hand(), side);
                let allowed = if first_rank { Bitboard::rank(side.rank(0)) } else { Bitboard::ALL };
                men.drops(*man, allowed, |squares| {
                    let after = read(&modes[0], &link.entry(!side, squares));
                    offer(lane.bit(), after.later::<i16>());
                });
            }
        }
    }
}

/// Where the men of a slice stand in one position.
struct Men<'a> {
    men: &'a [Man],
    squares: [Square; MAX_MEN],
    occupied: Bitboard,
    in_check: bool,
}

impl Men<'_> {
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
        let refuges = (1..4).map(|own| Bitboard::rank(side.rank(own)));
        let refuges = refuges.fold(Bitboard::EMPTY, |all, rank| all | rank) & empty;
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
            let Man { role, color } = self.men[i];
            !attacks(role, color, self.squares[i], occupied).contains(king)
        })
    }
}

impl<S: PieceSet> Solve for Orphic<S> {
    type Answer = WinDrawLoss;
    type Reader = LadderReader;

    fn table_id(&self, material: &Material) -> Result<TableId, UnfitMaterial> {
        check_material::<S>(material)?;
        let material = material.stronger_first();
        if Orphic::<S>::is_orthodox(&material) {
            return Ok(TableId::new(&Orthodox, material));
        }
        Ok(TableId::new(self, material))
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &S::LAWS, true)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::new(material, self.group(material)).len();
        let positions = numbers * ladder_table::table_sides(material, true) as u64;
        // As in orthodox chess.
        TableSize {
            positions,
            memory: numbers * 2 * (4 + 2),
            loaded: positions * 2,
            time: Duration::from_nanos(numbers * 2 * 150),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        if Orphic::<S>::is_orthodox(material) {
            return Orthodox.solve(material, bench);
        }
        let id = self.table_id(material).expect("planned tables are fit");
        let mut library = Library::new(true);
        for needed in self.needs(material) {
            self.load(&mut library, &needed, bench)?;
        }
        let values = ladder_table::solve(self, material, &mut library, bench)?;
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), self.size(material).positions);
        ladder_file::write_sections(&mut writer, "", &values, nothing_left_out, bench)?;
        writer.finish()?;
        Ok(())
    }

    fn open(&self, table: &Table) -> Result<LadderReader, TableError> {
        let material = table_material(table)?;
        let suffix = if Orphic::<S>::is_orthodox(&material) { QUIET } else { "" };
        LadderReader::open_folded(table, &material, self.group(&material), true, suffix)
    }

    fn material_of(&self, position: &OrphicPosition) -> Result<Material, Unanswerable> {
        Ok(self.table_id(&material_of(position))?.material)
    }

    fn read(
        &self,
        reader: &LadderReader,
        position: &OrphicPosition,
    ) -> Result<WinDrawLoss, TableError> {
        let setup = &position.setup;
        let outcome: Outcome =
            reader.read_with_reserve(&setup.board, &material_of(position), setup.to_move)?;
        Ok(WinDrawLoss::new(outcome, setup.to_move))
    }

    fn left_out(&self, position: &OrphicPosition) -> Vec<OrphicTurn> {
        if !Orphic::<S>::is_orthodox(&material_of(position)) {
            return Vec::new();
        }
        Orthodox.left_out(&position.setup).into_iter().map(OrphicTurn::Move).collect()
    }

    fn is_looked_ahead(&self, position: &OrphicPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn backup(
        &self,
        position: &OrphicPosition,
        options: &[(OrphicTurn, WinDrawLoss)],
    ) -> WinDrawLoss {
        WinDrawLoss::best(options.iter().map(|&(_, after)| after))
            .unwrap_or_else(|| Orthodox.backup(&position.setup, &[]))
    }

    fn prefer(&self, _: &OrphicPosition, a: &WinDrawLoss, b: &WinDrawLoss) -> Ordering {
        a.prefer(b)
    }

    fn cells(&self, reader: &LadderReader) -> u64 {
        reader.cells()
    }

    fn weight(&self, reader: &LadderReader, cell: u64) -> u64 {
        reader.weight(cell)
    }

    fn identity(&self, position: &OrphicPosition) -> OrphicPosition {
        OrphicPosition { setup: Orthodox.identity(&position.setup), reserves: position.reserves }
    }

    fn cell(&self, reader: &LadderReader, cell: u64) -> Option<OrphicPosition> {
        let setup = reader.cell(cell, &S::LAWS)?;
        Some(Orphic::<S>::position(setup, reader.material()))
    }
}

/// Checks that each side has exactly one King, the reserve is part of the initial one, and the
/// men fit a table even when all are dropped.
fn check_material<S: PieceSet>(material: &Material) -> Result<(), UnfitMaterial> {
    let unfit = |reason: String| Err(UnfitMaterial { game: S::NAME, material: *material, reason });
    let full = Reserve::full::<S>();
    for color in Color::ALL {
        match material.count(color, Role::King) + material.reserve(color, Role::King) {
            1 => {}
            0 => return unfit(format!("{color} has no King")),
            n => return unfit(format!("{color} has {n} Kings")),
        }
        for role in Role::ALL {
            let (count, held) = (material.count(color, role), material.reserve(color, role));
            if count + held > 0 && !S::ROLES.contains(&role) {
                return unfit(format!("there are no {}s in this game", role.name()));
            }
            let most = full.count(role);
            if held > most {
                let name = role.name();
                return unfit(format!("at most {most} {name}s can be in reserve, not {held}"));
            }
        }
    }
    let men =
        material.len() + Color::ALL.map(|color| material.reserve_of(color)).iter().sum::<usize>();
    if men > MAX_MEN {
        return unfit(format!("tables have at most {MAX_MEN} men, on the board and in reserve"));
    }
    Ok(())
}
