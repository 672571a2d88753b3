//! All tables of up to three men, of every game by its usual rules, and all others that ship: built
//! anew, held against the shipped files, and every value of every mode held against the rules.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::common::shipped;
use finale::{
    answer::materials_with,
    index::Material,
    probe::{TableDirectories, Tablebase},
    progress::Silent,
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
    solve::BuildOptions,
    table::BlockCache,
};

/// Looks into the tables of a game.
struct Check<'a> {
    /// Copies of the tables that ship.
    copies: &'a Path,
    /// Those not looked into so far.
    left: &'a mut BTreeSet<PathBuf>,
}

impl Task for Check<'_> {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let fresh = tempfile::tempdir().expect("a temporary folder");
        let mut materials = materials_with(&game, 3, true);
        let copies = Tablebase::new(game.clone(), self.copies);
        materials.extend(copies.materials().expect("a folder that can be read"));
        let tables = Tablebase::new(game.clone(), fresh.path());
        let plan = tables.build(&materials, &BuildOptions::default()).expect("room to build");

        for table in &plan.tables {
            let name = Path::new(table.id.game).join(format!("{}.ftb", table.id.material));
            let copy = self.copies.join(&name);
            if copy.exists() {
                let read = |file: &Path| fs::read(file).expect("a table");
                let same = read(&copy) == read(&fresh.path().join(&name));
                assert!(same, "tables/{} is not what is built today", name.display());
                self.left.remove(&name);
            }
        }
        let directories =
            TableDirectories::new(self.copies, BlockCache::default()).and(fresh.path());
        let tables = Tablebase::on(game, directories);
        for table in &plan.tables {
            let material: &Material = &table.id.material;
            let verified = tables.verify(material, &Silent).expect("whole tables");
            assert!(verified.positions > 0, "{} {material} is empty", tables.game().name());
            let found = (verified.wrong, verified.example);
            assert_eq!(found, (0, None), "{} {material}", tables.game().name());
        }
    }
}

#[test]
fn tables_ship_as_they_are_built_and_follow_from_the_rules() {
    let tables = Path::new(shipped::SHIPPED);
    let mut left = shipped::files();
    assert!(!left.is_empty(), "no tables ship");
    let copies = tempfile::tempdir().expect("a temporary folder");
    for name in &left {
        let copy = copies.path().join(name);
        fs::create_dir_all(copy.parent().expect("a game")).expect("a folder");
        fs::copy(tables.join(name), copy).expect("room for a copy");
    }
    for game in GameName::all() {
        let check = Check { copies: copies.path(), left: &mut left };
        game.play(RuleOptions::none(), check).expect("the usual rules");
    }
    assert!(left.is_empty(), "nobody has looked into {left:?}");
}
