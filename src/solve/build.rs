//! Building from a program: what is missing, in order.

use super::{
    engine::{builder::Workbench, spill::Budget},
    error::BuildError,
    game::Solve,
    parts::PART_SIZE,
    plan::Plan,
};
use crate::{
    answer::Contents,
    index::Material,
    probe::Tablebase,
    progress::{Progress, Silent},
    table::WriterOptions,
};

/// How tables are built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuildOptions {
    /// How many bytes of memory big arrays may take; what exceeds it goes to temporary files in
    /// the folder of tables.
    pub memory: u64,
    /// How tables are written.
    pub writer: WriterOptions,
    /// How much tables hold, where the game leaves a choice.
    pub contents: Contents,
    /// How many numbers a [part](crate::solve::Layout) has at most. All who work on a table must
    /// agree.
    pub part_size: u64,
}

impl Default for BuildOptions {
    /// 1 GiB of memory.
    fn default() -> BuildOptions {
        let (writer, part_size) = (WriterOptions::default(), PART_SIZE);
        BuildOptions { memory: 1 << 30, writer, contents: Contents::Distance, part_size }
    }
}

impl BuildOptions {
    /// The same with so many bytes of memory.
    #[must_use]
    pub fn memory(self, bytes: u64) -> BuildOptions {
        BuildOptions { memory: bytes, ..self }
    }

    /// The same with parts of at most so many numbers.
    #[must_use]
    pub fn part_size(self, numbers: u64) -> BuildOptions {
        BuildOptions { part_size: numbers, ..self }
    }

    /// The same with this effort of the compression: 1 (fast) to 22 (small).
    #[must_use]
    pub fn level(self, level: i32) -> BuildOptions {
        BuildOptions { writer: WriterOptions { level, ..self.writer }, ..self }
    }

    /// The same with tables that hold so much, in games whose tables can.
    #[must_use]
    pub fn contents(self, contents: Contents) -> BuildOptions {
        BuildOptions { contents, ..self }
    }
}

impl<G: Solve> Tablebase<G> {
    /// Builds what is missing of the tables of some materials and all they need, smallest first,
    /// into the first folder of the [table directories](Tablebase::directories). Returns the plan
    /// that was followed: every table there is now, and which of them were there before.
    ///
    /// # Errors
    /// If the game has no such table, or one cannot be built; tables finished before stay.
    pub fn build(
        &self,
        materials: &[Material],
        options: &BuildOptions,
    ) -> Result<Plan, BuildError> {
        self.build_with(materials, options, &Silent)
    }

    /// The same, telling `progress` how it goes on, which may also [stop](Progress::stop) it.
    ///
    /// # Errors
    /// As [`build`](Tablebase::build), and [`BuildError::Stopped`].
    pub fn build_with(
        &self,
        materials: &[Material],
        options: &BuildOptions,
        progress: &dyn Progress,
    ) -> Result<Plan, BuildError> {
        let directories = self.directories();
        let plan = Plan::new(self.game(), materials, directories, options.contents)?;
        if plan.missing().next().is_some() {
            let folder = directories.folder();
            std::fs::create_dir_all(folder)
                .map_err(|source| BuildError::Folder { path: folder.to_owned(), source })?;
        }
        let stop = progress.stop().cloned().unwrap_or_default();
        let budget = Budget::new(options.memory, directories.folder()).stopped_by(stop);
        let bench = Workbench {
            directories,
            budget: &budget,
            options: options.writer,
            part_size: options.part_size,
            progress,
        };
        plan.build(self.game(), &bench, &mut |_| {})?;
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{progress::Stop, rules::Variant};

    /// Stops the work when a part of it begins.
    struct StopAt {
        part: &'static str,
        stop: Stop,
    }

    impl Progress for StopAt {
        fn begin(&self, what: &str, _: u64) {
            if what == self.part {
                self.stop.ask();
            }
        }

        fn advance(&self, _: u64) {}

        fn stop(&self) -> Option<&Stop> {
            Some(&self.stop)
        }
    }

    #[test]
    fn a_stopped_build_keeps_what_is_finished_and_nothing_else() {
        for part in ["solving KRvK", "writing KRvK"] {
            let folder = tempfile::tempdir().unwrap();
            let progress = StopAt { part, stop: Stop::default() };
            let built = Tablebase::new(Variant::orthodox(), folder.path()).build_with(
                &["KRvK".parse().unwrap()],
                &BuildOptions::default(),
                &progress,
            );
            assert!(matches!(built, Err(BuildError::Stopped)), "{part}: {built:?}");
            let left = std::fs::read_dir(folder.path().join("orthodox")).unwrap();
            let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
            assert_eq!(left, ["KvK.ftb"], "{part}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let tables = folder.path().join("tables");
        std::os::unix::fs::symlink("nowhere", &tables).unwrap();
        let built = Tablebase::new(Variant::orthodox(), &tables)
            .build(&["KvK".parse().unwrap()], &BuildOptions::default());
        let error = built.expect_err("a link to nowhere is no folder");
        assert!(matches!(error, BuildError::Folder { .. }), "{error:?}");
        assert_eq!(error.to_string(), format!("cannot make the folder {}", tables.display()));
    }
}
