//! Orthodox chess: win, draw or loss, and the plies to mate.
//!
//! Tables leave out what captures and promotions decide.

use std::{sync::Arc, time::Duration};

use crate::{
    answer::{
        Tabled,
        orthodox::QUIET,
        place::{chess_group, table_sides},
        score::Score,
    },
    board::{Board, Color},
    index::{Index, Material},
    rules::{Game, Laws, Orthodox, Setup},
    solve::{
        BuildError, Solve, TableSize, Workbench,
        engine::{
            ladder::PieceMoves,
            ladder_file,
            ladder_table::{self, Conversions, LadderGame, Library},
            links,
        },
    },
};

impl LadderGame for Orthodox {
    type Store = i16;
    type Quiet = PieceMoves;

    fn quiet(&self) -> PieceMoves {
        PieceMoves
    }

    fn laws(&self) -> Laws {
        Laws::ORTHODOX
    }

    fn swaps_colors(&self) -> bool {
        true
    }

    fn infinite(&self, _: &Material) -> i32 {
        0
    }

    fn terminal(&self, _: &Board, to_move: Color, in_check: bool) -> Score {
        match to_move {
            _ if !in_check => Score::new::<i16>(0, None, 0),
            Color::White => Score::new::<i16>(-1, Some(0), 0),
            Color::Black => Score::new::<i16>(1, Some(0), 0),
        }
    }

    fn look_ahead(&self, setup: &Setup, known: &dyn Fn(&Setup) -> Score) -> Score {
        let turns = self.turns(setup);
        let scores = turns.into_iter().map(|turn| known(&self.play(setup, turn)).later::<i16>());
        Score::best(setup.to_move, scores).unwrap_or_else(|| {
            self.terminal(&setup.board, setup.to_move, setup.in_check(setup.to_move))
        })
    }
}

impl Orthodox {
    /// Puts the table of a material, and all it needs, into a library that lacks them.
    ///
    /// # Errors
    /// If one is missing or damaged, or memory is lacking.
    pub(super) fn load(
        &self,
        library: &mut Library<i16>,
        material: &Material,
        bench: &Workbench<'_>,
    ) -> Result<(), BuildError> {
        let id = self.table_id(material);
        if library.get(&id.material).is_some() {
            return Ok(());
        }
        for needed in self.needs(&id.material) {
            self.load(library, &needed, bench)?;
        }
        let group = chess_group(&id.material);
        let conversions = Conversions::new(self, &id.material, library);
        let left_out = conversions.left_out();
        let values = ladder_file::load(&id, group, true, QUIET, 0, left_out, bench)?;
        library.add(id.material, Arc::new(values));
        Ok(())
    }
}

impl Solve for Orthodox {
    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &self.laws(), true)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::new(material, chess_group(material)).len();
        let positions = numbers * table_sides(material, true) as u64;
        // Two bytes a cell in the order of words and in the order of the index, and ten sets.
        TableSize {
            positions,
            memory: numbers * 2 * (4 + 2),
            loaded: positions * 2,
            time: Duration::from_nanos(numbers * 2 * 180),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material);
        let mut library = Library::new(true);
        self.needs(material).iter().try_for_each(|m| self.load(&mut library, m, bench))?;
        let values = ladder_table::solve(self, material, &mut library, bench)?;
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), self.size(material).positions);
        let conversions = Conversions::new(self, material, &library);
        ladder_file::write_sections(&mut writer, QUIET, &values, conversions.left_out(), bench)?;
        writer.finish()?;
        Ok(())
    }
}
