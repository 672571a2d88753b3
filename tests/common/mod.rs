//! What the tests of whole tables share: built tables, and ways to hold them against the rules,
//! against samples and against counts.

pub mod build;
pub mod forge;
pub mod games;
pub mod room;
pub mod samples;
pub mod seal;
pub mod shipped;
pub mod sound;

use std::{collections::HashMap, hash::Hash};

use finale::{
    board::Color, index::Material, probe::Tablebase, progress::Silent, registry::Complete,
    solve::BuildOptions,
};
use tempfile::TempDir;

/// Tables in a folder that goes away with them.
pub struct Built<G: Complete> {
    /// The tables.
    pub tables: Tablebase<G>,
    /// Their names, each after all it needs.
    pub materials: Vec<Material>,
    _folder: TempDir,
}

/// Builds the tables of some materials and all they need.
pub fn built<G: Complete>(game: G, materials: &[&str]) -> Built<G> {
    built_as(game, materials, &build::quickly())
}

/// Builds them with these options.
pub fn built_as<G: Complete>(game: G, materials: &[&str], options: &BuildOptions) -> Built<G> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let materials = build::build(&game, folder.path(), materials, options);
    Built { tables: Tablebase::new(game, folder.path()), materials, _folder: folder }
}

/// How many placements have which answer, by the side to move and whether en passant is possible.
pub type Counts<A> = HashMap<(Color, bool, A), u64>;

impl<G: Complete> Built<G> {
    /// Holds every answer of every table against the rules.
    pub fn verify(&self) {
        for material in &self.materials {
            let verified = self.tables.verify(material, &Silent).expect("the tables are whole");
            assert!(verified.positions > 0, "{material} is empty");
            assert_eq!(verified.wrong, 0, "{material}: {:?}", verified.example);
        }
    }

    /// Holds answers against [samples](samples::compare).
    pub fn compare(&self, samples: &str) {
        samples::compare(&self.tables, samples);
    }

    /// Counts the answers of a table; `passing` gives the positions with the same men in which a
    /// pawn can be taken in passing.
    pub fn counts(
        &self,
        material: &str,
        passing: impl Fn(&G::Position) -> Vec<G::Position> + Sync,
    ) -> Counts<G::Answer>
    where
        G::Answer: Eq + Hash,
    {
        let game = self.tables.game();
        let counted = self.tables.tally(
            &material.parse().expect("a material"),
            &Silent,
            HashMap::new,
            |counts: &mut Counts<G::Answer>, position, answer, weight| {
                let to_move = game.to_move(position);
                *counts.entry((to_move, false, answer.clone())).or_default() += weight;
                for position in passing(position) {
                    let answer = self.tables.answer(&position)?;
                    *counts.entry((to_move, true, answer)).or_default() += weight;
                }
                Ok(())
            },
            |counts, more| {
                for (key, count) in more {
                    *counts.entry(key).or_default() += count;
                }
            },
        );
        counted.expect("the tables are whole")
    }
}

/// The rows of a table in a data file below its heading, cut at tabs.
pub fn rows(data: &str) -> impl Iterator<Item = Vec<&str>> {
    data.lines().skip(1).map(|row| row.split('\t').collect())
}

/// `w` or `b`.
pub fn side(letter: &str) -> Color {
    if letter == "w" { Color::White } else { Color::Black }
}
