//! Tables that somebody has changed and given fitting checksums: they may say something wrong, but
//! must not make a reader panic.

use std::{cell::RefCell, fs, path::Path};

use finale::{
    answer::Contents,
    probe::Tablebase,
    registry::Complete,
    rules::{Elks, High, Noro, Orphic, Rooks, Stylish, Tiebraker, Variant},
    solve::BuildOptions,
};
use proptest::{prelude::*, test_runner::TestRunner};
use tempfile::TempDir;

use crate::common::{
    forge::{Asked, Change, ask},
    shipped::{self, SHIPPED},
};

/// Forgeries of each game.
const CASES: u32 = 40;

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let number =
        prop_oneof![1 => any::<u32>(), 9 => 0..99_u32, 1 => (0..64_u32).prop_map(|n| n << 16)];
    let change = (any::<usize>(), any::<usize>(), number)
        .prop_map(|(section, place, value)| Change { section, place, value });
    proptest::collection::vec(change, 1..9)
}

/// A folder with the shipped tables of some games.
fn copied(games: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    shipped::copy(games, folder.path());
    folder
}

/// A folder with the tables of a game in another.
fn linked(game: &str, from: &Path) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join(game)).expect("a folder");
    for file in fs::read_dir(from.join(game)).expect("a folder") {
        let file = file.expect("a file");
        let link = folder.path().join(game).join(file.file_name());
        fs::hard_link(file.path(), link).expect("a link");
    }
    folder
}

/// The most rounds of cases until enough forgeries are answered and one changes an answer.
const MOST_ROUNDS: usize = 20;

/// Forges tables of a game and asks for some of their positions. Forgeries that are all refused, or
/// that change no answer, would show nothing.
fn forgeries_are_harmless<G: Complete>(
    whole: &Tablebase<G>,
    (materials, contents): (&[&'static str], Contents),
    copied: impl Fn() -> TempDir,
) {
    let all = RefCell::new(Asked::default());
    let cases = (
        proptest::sample::select(materials.to_vec()),
        changes(),
        proptest::collection::vec(any::<u64>(), 12),
    );
    let enough = |all: &Asked| all.answers > CASES as usize && all.lies > 0;
    // Most forgeries are refused, and few changes of large tables hit one of the positions asked
    // for: more rounds will.
    for _ in 0..MOST_ROUNDS {
        // A runner counts its cases over all its runs.
        let mut runner = TestRunner::new(ProptestConfig::with_cases(CASES));
        let forged = runner.run(&cases, |(material, changes, places)| {
            let folder = copied();
            let asked = ask(whole, folder.path(), (material, contents), &changes, &places);
            let mut all = all.borrow_mut();
            all.answers += asked.answers;
            all.lies += asked.lies;
            Ok(())
        });
        forged.expect("no forgery does harm");
        if enough(&all.borrow()) {
            break;
        }
    }
    let all = all.into_inner();
    assert!(enough(&all), "{all:?}");
}

/// Forges tables that ship.
fn shipped_forgeries_are_harmless<G: Complete>(
    game: G,
    games: &[&str],
    materials: &[&'static str],
) {
    let whole = Tablebase::new(game, SHIPPED);
    forgeries_are_harmless(&whole, (materials, G::CONTENTS[0]), || copied(games));
}

macro_rules! forged_tables {
    ($($test:ident: $game:expr, $folders:expr, $materials:expr;)*) => {
        $(
            #[test]
            fn $test() {
                shipped_forgeries_are_harmless($game, &$folders, &$materials);
            }
        )*
    };
}

forged_tables! {
    orthodox: Variant::orthodox(), ["orthodox"], ["KvK", "KQvK", "KPvK"];
    high: High::default(), ["high"], ["KvK", "KBvK", "KPvK"];
    noro: Noro::default(), ["noro"], ["KvQ", "PvP", "KvRR"];
    orphic: Orphic::<Rooks>::default(), ["orphic", "orthodox"], ["KQvK", "K[Q]vK"];
    orphic_with_elks: Orphic::<Elks>::default(), ["orphic-elks", "orthodox"], ["KEvK", "KPvK"];
    stylish: Stylish::default(), ["stylish"], ["KvK", "KRvK", "KPvK"];
    tiebraker: Tiebraker, ["tiebraker"], ["KvK", "KQvK", "KPvK"];
}

#[test]
fn noro_by_points() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = Tablebase::new(Noro::default(), folder.path());
    let names = ["KvQ", "KvP", "RvKN"];
    let materials = names.map(|name| name.parse().expect("a material"));
    let by_points = BuildOptions::default().level(1).contents(Contents::Points);
    whole.build(&materials, &by_points).expect("room for tables");
    forgeries_are_harmless(&whole, (&names, Contents::Points), || linked("noro", folder.path()));
}
