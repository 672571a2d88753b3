//! Orphic Chess: win, draw or loss and the plies to mate, in layers of reserves.

use std::cmp::Ordering;

use super::{
    Contents, LadderReader, TableId, Tabled, Unanswerable, UnfitMaterial, WinDrawLoss,
    own_table_id, sections::table_material, variant::QUIET,
};
use crate::{
    board::{BoardSize, ByColor, Color, Group, Man, Role},
    index::{Index, Material, most_men},
    rules::{KingDrop, Orphic, OrphicPosition, OrphicTurn, PieceSet, Reserve, Setup, Variant},
    table::{Table, TableError},
};

impl<S: PieceSet> Orphic<S> {
    /// Whether a material is one of orthodox chess and remains one.
    pub(crate) fn is_orthodox(material: &Material) -> bool {
        let elks_to_come =
            S::ROLES.contains(Role::Elk) && (material.has_pawns() || has(material, Role::Elk));
        material.in_reserve() == Material::default() && !elks_to_come
    }

    /// Whether the King of `side` must be dropped on its first rank as long as nothing else is
    /// dropped.
    pub(crate) fn king_is_bound(&self, material: &Material, side: Color) -> bool {
        self.king() == KingDrop::FirstRank
            && material.reserve(side, Role::King) > 0
            && material.reserve_of(side) > 1
    }

    /// The symmetries that keep the value of the positions of a material.
    pub fn symmetries(&self, material: &Material) -> Group {
        let elks = S::ROLES.contains(Role::Elk);
        let bound = Color::any(|side| self.king_is_bound(material, side));
        match (material.has_pawns(), has(material, Role::Elk)) {
            // A pawn may become an Elk, which minds the colours of squares that mirrors swap.
            (true, _) if elks => Group::TRIVIAL,
            (true, _) => Group::MIRROR,
            (false, true) => Group::SQUARE_COLORS,
            (false, false) if bound => Group::MIRROR,
            (false, false) => Group::FULL,
        }
    }

    pub(crate) fn position(setup: Setup, material: &Material) -> OrphicPosition {
        let reserves = ByColor::new(|color| {
            Reserve::of(Role::ALL.into_iter().map(|role| (role, material.reserve(color, role))))
        });
        OrphicPosition { setup, reserves }
    }
}

/// What the names of a table's sections have behind the side to move.
pub(crate) fn section_suffix<S: PieceSet>(material: &Material) -> &'static str {
    if Orphic::<S>::is_orthodox(material) { QUIET } else { "" }
}

/// Whether there is a man of `role`, on the board or in reserve.
fn has(material: &Material, role: Role) -> bool {
    Color::ALL
        .into_iter()
        .any(|color| material.count(color, role) > 0 || material.reserve(color, role) > 0)
}

/// The men of a position, those in reserve too.
pub(crate) fn material_of(position: &OrphicPosition) -> Material {
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

impl<S: PieceSet> Tabled for Orphic<S> {
    type Answer = WinDrawLoss;
    type Reader = LadderReader;

    const CONTENTS: &'static [Contents] = &[Contents::Distance, Contents::Result];
    const CELLS_TELL_ALL: bool = true;

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        check_material::<S>(material)?;
        Ok(material.stronger_first())
    }

    fn table_id(&self, named: &Material, contents: Contents) -> TableId {
        match Orphic::<S>::is_orthodox(named) {
            true => Variant::orthodox().table_id(named, contents),
            false => own_table_id(self, named, contents),
        }
    }

    fn open(&self, table: &Table) -> Result<LadderReader, TableError> {
        let material = table_material(table)?;
        let suffix = section_suffix::<S>(&material);
        let index = Index::new(&material, self.symmetries(&material));
        LadderReader::open(table, index, &material, true, suffix)
    }

    fn men_of(&self, position: &OrphicPosition) -> Result<Material, Unanswerable> {
        Ok(material_of(position))
    }

    fn read(
        &self,
        reader: &LadderReader,
        position: &OrphicPosition,
    ) -> Result<Option<WinDrawLoss>, TableError> {
        let setup = &position.setup;
        let outcome =
            reader.read_with_reserve(&setup.board, &material_of(position), setup.to_move)?;
        Ok(outcome.map(|outcome| WinDrawLoss::new(outcome, setup.to_move)))
    }

    fn read_cell(
        &self,
        reader: &LadderReader,
        cell: u64,
        position: &OrphicPosition,
    ) -> Result<Option<WinDrawLoss>, TableError> {
        let outcome = reader.read_cell(cell)?;
        Ok(outcome.map(|outcome| WinDrawLoss::new(outcome, position.setup.to_move)))
    }

    fn left_out(&self, position: &OrphicPosition) -> Vec<OrphicTurn> {
        if !Orphic::<S>::is_orthodox(&material_of(position)) {
            return Vec::new();
        }
        Variant::orthodox().left_out(&position.setup).into_iter().map(OrphicTurn::Move).collect()
    }

    fn is_best(&self, contents: Contents, stored: &WinDrawLoss) -> bool {
        Variant::orthodox().is_best(contents, stored)
    }

    fn keeps_men(&self, position: &OrphicPosition, turn: OrphicTurn) -> bool {
        matches!(turn, OrphicTurn::Move(mv) if position.setup.keeps_men(mv))
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
            .unwrap_or_else(|| Variant::orthodox().backup(&position.setup, &[]))
    }

    fn without_distance(&self, answer: WinDrawLoss) -> WinDrawLoss {
        answer.without_distance()
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

    fn group(&self, reader: &LadderReader) -> Group {
        reader.group()
    }

    fn identity(&self, position: &OrphicPosition) -> OrphicPosition {
        OrphicPosition {
            setup: Variant::orthodox().identity(&position.setup),
            reserves: position.reserves,
        }
    }

    fn cell(&self, reader: &LadderReader, cell: u64) -> Option<OrphicPosition> {
        let setup = reader.cell(cell, &S::LAWS)?;
        Some(Orphic::<S>::position(setup, reader.material()))
    }

    fn cell_side(&self, reader: &LadderReader, cell: u64) -> Color {
        reader.cell_side(cell)
    }

    fn cell_of(&self, reader: &LadderReader, position: &OrphicPosition) -> Option<u64> {
        let Setup { board, to_move, .. } = &position.setup;
        Some(reader.cell_with_reserve(board, &material_of(position), *to_move))
    }
}

/// Checks that each side has exactly one King, the reserve is part of the initial one, and the
/// men fit a table even when all are dropped.
fn check_material<S: PieceSet>(material: &Material) -> Result<(), UnfitMaterial> {
    let unfit = |reason: String| Err(UnfitMaterial { game: S::NAME, material: *material, reason });
    let full = Reserve::full::<S>();
    for color in Color::ALL {
        // Texts name up to 15 of each.
        let kings = [material.count(color, Role::King), material.reserve(color, Role::King)];
        match kings.map(u32::from).iter().sum() {
            1 => {}
            0 => return unfit(format!("{color} has no King")),
            n => return unfit(format!("{color} has {n} Kings")),
        }
        for role in Role::ALL {
            let (count, held) = (material.count(color, role), material.reserve(color, role));
            if (count > 0 || held > 0) && !S::ROLES.contains(role) {
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
    let most = most_men(BoardSize::CHESS);
    if men > most {
        return unfit(format!("tables have at most {most} men, on the board and in reserve"));
    }
    Ok(())
}
