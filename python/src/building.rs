//! Building tables.

use std::path::PathBuf;

use finale::{
    Tablebase,
    answer::{Contents, materials_with},
    index::Material,
    probe::Catalogue,
    progress::Progress,
    registry::{Complete, Task},
    solve::{BuildOptions, Plan},
};
use pyo3::prelude::*;

use crate::{
    attended::attended,
    failure::{Adviser, Failure},
    games::{Chosen, Keywords},
    tables::read_contents,
};

/// What is to be built.
struct Build<'a> {
    materials: Vec<String>,
    men: Option<usize>,
    folder: PathBuf,
    contents: Option<Contents>,
    options: BuildOptions,
    chosen: &'a Chosen,
    progress: &'a dyn Progress,
}

impl Build<'_> {
    /// The materials that were named, and those with so many men.
    fn materials<G: Complete>(&self, game: &G) -> Result<Vec<Material>, Failure> {
        let read = |text: &String| {
            text.parse().map_err(|error| Failure::Wrong(format!("`{text}`: {error}")))
        };
        let named = self.materials.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let all = self.men.map(|men| materials_with(game, men, false));
        Ok(named.into_iter().chain(all.into_iter().flatten()).collect())
    }
}

impl Task for Build<'_> {
    type Output = Result<Vec<String>, Failure>;

    fn run<G: Complete>(self, game: G) -> Self::Output {
        let materials = self.materials(&game)?;
        let contents = game.fitting_contents(self.contents);
        let contents = contents.map_err(|error| Failure::wrong(&error))?;
        let options = self.options.clone().contents(contents);
        let tables = Tablebase::new(game, &self.folder);
        let plan = tables.build_with(&materials, &options, self.progress);
        let plan = plan.map_err(|error| Adviser { chosen: self.chosen }.build(&error))?;
        Ok(built(&plan))
    }
}

/// The materials of the tables that a plan had to build.
fn built(plan: &Plan) -> Vec<String> {
    plan.missing().map(|table| table.id.material.to_string()).collect()
}

/// Builds tables and all they need, and tells which were missing.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the keywords of a function of Python")]
pub fn build(
    py: Python<'_>,
    game: &str,
    options: Keywords,
    materials: Vec<String>,
    men: Option<usize>,
    folder: PathBuf,
    contents: Option<&str>,
    memory: u64,
    level: Option<i32>,
    watch: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let (chosen, contents) = (Chosen::new(game, options)?, read_contents(contents)?);
    let options = BuildOptions::default().memory(memory);
    let options = level.map_or(options.clone(), |level| options.level(level));
    let work = |progress: &dyn Progress| {
        let chosen = &chosen;
        let build = Build { materials, men, folder, contents, options, chosen, progress };
        chosen.play(build)
    };
    attended(py, watch.as_ref(), work)??.map_err(Failure::exception)
}
