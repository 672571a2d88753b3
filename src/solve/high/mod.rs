//! High Chess: who wins at which vitalities, and who can force mate.
//!
//! A table has two parts. The *staircases* tell who wins: for each vitality vW of White, T(vW) is
//! the largest vitality of Black against which White still wins. They are solved layer by layer,
//! vW = 1, 2, …, V; within a layer the moves that cost White nothing make a short fixpoint. A turn
//! that costs White a point looks at the layer before, and one that costs Black a point adds one
//! to T. Captures and pawn moves are vital, so another slice is met only through one byte a
//! position. The *mates* are a ladder table of the same moves without vitalities.

mod distance;
mod functions;
mod keys;
mod layers;
mod mates;
mod stairs;

use std::{cmp::Ordering, collections::HashMap, sync::Arc, time::Duration};

use super::{
    BuildError, Solve, TableId, TableSize, Unanswerable, UnfitMaterial, Wdl, WinDrawLoss,
    Workbench,
    ladder_file::{self, LadderReader, nothing_left_out},
    ladder_table::{self, Library, board_entry, chess_group, entry_number, indexed_setup},
    links,
    orthodox::{check_kings, chess_material},
    sections::{section_name, sized, table_material},
};
use crate::{
    board::Color,
    index::{Index, Material},
    rules::{Game, High, HighPosition, HighTurn, Laws, Revitalise, Setup},
    table::{Cells, Table, TableError},
};
use mates::Mates;

/// What a section of mates is called after the side to move.
const MATE: &str = " mate";

/// For each vitality of White, 1 to V, the largest vitality of Black against which White wins: 0
/// if there is none, V if White wins against every one. Never falls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Staircase(Arc<[u8]>);

impl Staircase {
    /// T(1) to T(V).
    pub fn steps(&self) -> &[u8] {
        &self.0
    }

    /// T(`white`), for a vitality of White from 1 to V.
    pub fn at(&self, white: u8) -> u8 {
        self.0[usize::from(white) - 1]
    }

    /// Who wins at these vitalities, White's first, both 1 to V.
    pub fn winner(&self, [white, black]: [u8; 2]) -> Color {
        if black <= self.at(white) { Color::White } else { Color::Black }
    }

    /// The least vitality with which the winner at these vitalities would still win.
    pub fn least(&self, vitality: [u8; 2]) -> u8 {
        match self.winner(vitality) {
            Color::White => {
                let enough = (1..).zip(self.steps()).find(|&(_, &step)| step >= vitality[1]);
                enough.map_or(vitality[0], |(white, _)| white)
            }
            Color::Black => self.at(vitality[0]) + 1,
        }
    }
}

/// What a table of High Chess says of a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HighAnswer {
    /// Who wins at which vitalities.
    pub staircase: Staircase,
    /// Whether the side to move can force mate (win) or be forced (loss), if nobody could be
    /// exhausted and endless play were a draw, and in how many plies.
    pub mate: WinDrawLoss,
}

impl HighAnswer {
    /// The side that can force mate, given who is to move.
    pub fn mating_side(&self, to_move: Color) -> Option<Color> {
        match self.mate.wdl {
            Wdl::Win => Some(to_move),
            Wdl::Draw => None,
            Wdl::Loss => Some(!to_move),
        }
    }
}

/// The staircase of a position from those after each turn, by the recurrence of the rules and in
/// plain code: it judges what the layers below compute.
fn backup<'a>(
    game: &High,
    position: &HighPosition,
    options: impl Iterator<Item = (HighTurn, &'a [u8])>,
) -> Vec<u8> {
    let full = game.vitality.points();
    let mover = position.setup.to_move;
    let all_or_none = |all: bool| if all { full } else { 0 };
    let mut best: Option<Vec<u8>> = None;
    for (turn, after) in options {
        let next = game.play(position, turn).setup;
        let t = |white: u8| after[usize::from(white) - 1];
        let mates = next.is_checkmate(&Laws::ORTHODOX);
        let vital = High::is_vital(position, turn);
        let low = High::high(&next.board) != mover;
        let step = |white: u8| match (game.revitalise, mover) {
            _ if mates => all_or_none(mover == Color::White),
            (Revitalise::Mover, Color::White) if vital => t(full),
            (Revitalise::Mover, Color::Black) if vital => all_or_none(t(white) == full),
            (Revitalise::Both, _) if vital => all_or_none(t(full) == full),
            (_, Color::White) if low && white == 1 => 0,
            (_, Color::White) if low => t(white - 1),
            (_, Color::Black) if low => full.min(t(white) + 1),
            _ => t(white),
        };
        let steps = (1..=full).map(step);
        best = Some(match best {
            None => steps.collect(),
            Some(best) if mover == Color::White => {
                best.into_iter().zip(steps).map(|(a, b)| a.max(b)).collect()
            }
            Some(best) => best.into_iter().zip(steps).map(|(a, b)| a.min(b)).collect(),
        });
    }
    // Without a turn the mover is mated.
    best.unwrap_or_else(|| vec![all_or_none(mover == Color::Black); usize::from(full)])
}

impl Solve for High {
    type Answer = HighAnswer;
    type Reader = HighReader;

    fn table_id(&self, material: &Material) -> Result<TableId, UnfitMaterial> {
        check_kings(High::NAME, material)?;
        Ok(TableId::new(self, *material))
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &Laws::ORTHODOX, false)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::new(material, chess_group(material)).len();
        // Six bytes of rows, a number of four bytes in the order of words and in that of the
        // index, and the mates of two bytes, for each side to move.
        TableSize {
            positions: 2 * numbers,
            memory: 2 * numbers * (6 + 8 + 2),
            // Two bytes for where turns land, and two for mates.
            loaded: 2 * numbers * (2 + 2),
            time: Duration::from_nanos(2 * numbers * 400),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material).expect("planned tables are fit");
        let ids: Vec<TableId> =
            self.needs(material).iter().filter_map(|m| self.table_id(m).ok()).collect();
        let mut tables = HashMap::new();
        for id in &ids {
            tables.insert(id.material, Arc::new(stairs::load_landings(id, bench)?));
        }
        let stairs = self.solve_stairs(material, tables, bench)?;
        let mut library = Library::new(false);
        for id in &ids {
            let group = chess_group(&id.material);
            let mates = ladder_file::load(id, group, false, MATE, 0, nothing_left_out, bench)?;
            library.add(id.material, Arc::new(mates));
        }
        let mates = ladder_table::solve(&Mates(self), material, &mut library, bench)?;
        drop(library);
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), 2 * self.size(material).positions);
        stairs::write_stairs(&mut writer, &stairs, &mates, bench)?;
        ladder_file::write_sections(&mut writer, MATE, &mates, nothing_left_out, bench)?;
        writer.finish()?;
        Ok(())
    }

    fn open(&self, table: &Table) -> Result<HighReader, TableError> {
        let material = table_material(table)?;
        let index = Index::new(&material, chess_group(&material));
        let mates = LadderReader::open(table, &material, false, MATE)?;
        let side = |side| sized(table, &section_name(side, ""), index.len());
        let numbers = [side(Color::White)?, side(Color::Black)?];
        let staircases =
            stairs::read_staircases(table)?.into_iter().map(|s| Staircase(s.into())).collect();
        Ok(HighReader { path: table.path().to_owned(), index, numbers, staircases, mates })
    }

    fn material_of(&self, position: &HighPosition) -> Result<Material, Unanswerable> {
        Ok(self.table_id(&chess_material(&position.setup)?)?.material)
    }

    fn read(&self, reader: &HighReader, position: &HighPosition) -> Result<HighAnswer, TableError> {
        let HighPosition { setup: Setup { board, to_move, .. }, .. } = position;
        let entry = board_entry(board, *to_move, false);
        let number = entry_number(&reader.index, &entry);
        let staircase = reader.numbers[to_move.index()].get(number)? as usize;
        let staircase = reader.staircases.get(staircase).ok_or_else(|| TableError::Damaged {
            path: reader.path.clone(),
            place: format!("section `{}`", section_name(*to_move, "")),
            problem: format!("there is no staircase {staircase}"),
        })?;
        let mate = WinDrawLoss::new(reader.mates.read_number(*to_move, number)?, *to_move);
        Ok(HighAnswer { staircase: staircase.clone(), mate })
    }

    fn is_looked_ahead(&self, position: &HighPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn backup(&self, position: &HighPosition, options: &[(HighTurn, HighAnswer)]) -> HighAnswer {
        let steps = options.iter().map(|(turn, after)| (*turn, after.staircase.steps()));
        let mate = WinDrawLoss::best(options.iter().map(|(_, after)| after.mate));
        HighAnswer {
            staircase: Staircase(backup(self, position, steps).into()),
            mate: mate.unwrap_or(WinDrawLoss { wdl: Wdl::Loss, dtm: Some(0) }),
        }
    }

    fn prefer(&self, position: &HighPosition, a: &HighAnswer, b: &HighAnswer) -> Ordering {
        let mover = position.setup.to_move;
        let wins = |answer: &HighAnswer| answer.staircase.winner(position.vitality) == mover;
        // A winner keeps as much vitality to spare as it can, and of equal turns mates soonest; a
        // loser makes the winner need as much as it can.
        let margin = |answer: &HighAnswer| {
            let least = answer.staircase.least(position.vitality);
            if wins(answer) { -i16::from(least) } else { i16::from(least) }
        };
        (wins(a).cmp(&wins(b)))
            .then_with(|| margin(a).cmp(&margin(b)))
            .then_with(|| a.mate.prefer(&b.mate))
    }

    fn cells(&self, reader: &HighReader) -> u64 {
        2 * reader.index.len()
    }

    fn weight(&self, reader: &HighReader, cell: u64) -> u64 {
        reader.index.weight(cell % reader.index.len())
    }

    fn identity(&self, position: &HighPosition) -> HighPosition {
        let setup = Setup { halfmove: 0, fullmove: 1, ..position.setup.clone() };
        HighPosition { setup, vitality: position.vitality }
    }

    fn cell(&self, reader: &HighReader, cell: u64) -> Option<HighPosition> {
        let setup = indexed_setup(&reader.index, cell, &Laws::ORTHODOX)?;
        Some(HighPosition { setup, vitality: [self.vitality.points(); 2] })
    }
}

/// An open table of High Chess.
pub struct HighReader {
    path: std::path::PathBuf,
    index: Index,
    numbers: [Cells; 2],
    staircases: Vec<Staircase>,
    mates: LadderReader,
}
