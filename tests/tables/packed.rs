//! Tables in other forms answer as those they were made from.

use std::path::Path;

use finale::{
    answer::Contents,
    board::Color,
    index::Material,
    pack::{Form, PackError, Packed, Sides},
    probe::{ProbeError, TableDirectories, Tablebase},
    progress::{Progress, Silent, Stop},
    registry::{Complete, GameName, Task},
    rules::{RuleOptions, Variant},
    solve::BuildOptions,
    table::{BlockCache, Table},
};

/// Packs some tables of a folder into another.
fn pack<G: Complete>(
    game: &G,
    materials: &[Material],
    form: &Form,
    [from, into]: [&Path; 2],
) -> Result<Vec<Packed>, PackError> {
    let into = TableDirectories::new(into, BlockCache::default());
    let from = Tablebase::new(game.clone(), from);
    materials.iter().map(|material| from.pack(material, form, &into, &Silent)).collect()
}

#[test]
fn packing_stops_and_leaves_nothing() {
    struct Stopped(Stop);
    impl Progress for Stopped {
        fn begin(&self, _: &str, _: u64) {
            self.0.ask();
        }
        fn advance(&self, _: u64) {}
        fn stop(&self) -> Option<&Stop> {
            Some(&self.0)
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let tables = Tablebase::new(Variant::orthodox(), folder.path());
    let material: Material = "KQvK".parse().expect("a material");
    tables.build(&[material], &BuildOptions::default()).expect("there is room");
    let into = TableDirectories::new(folder.path().join("small"), BlockCache::default());
    let form = Form::new(Sides::One);
    let packed = tables.pack(&material, &form, &into, &Stopped(Stop::default()));
    assert!(matches!(packed, Err(PackError::Probe(ProbeError::Stopped))), "{packed:?}");
    let left = std::fs::read_dir(folder.path().join("small/orthodox")).expect("a folder");
    assert_eq!(left.count(), 0);
}

/// Holds every position of some tables against the tables of another folder, of which those of
/// results tell no distance.
fn same_answers<G: Complete>(game: &G, materials: &[Material], [whole, packed]: [&Path; 2]) {
    let [whole, packed] = [whole, packed].map(|folder| Tablebase::new(game.clone(), folder));
    for material in materials {
        let contents = packed.contents(material).expect("a table");
        let count = whole.tally(
            material,
            &Silent,
            || 0_u64,
            |count, position, answer, _| {
                let expected = match contents {
                    Contents::Result => game.without_distance(answer.clone()),
                    _ => answer.clone(),
                };
                let mut found = packed.answer(position)?;
                if contents == Contents::Result && game.ending(position).is_some() {
                    // Where the game is over, the rules tell all.
                    found = game.without_distance(found);
                }
                assert_eq!(found, expected, "{} {material} {}", game.name(), game.fen(position));
                *count += 1;
                Ok::<(), ProbeError>(())
            },
            |count, other| *count += other,
        );
        assert!(count.expect("whole tables") > 0, "{} {material}", game.name());
    }
}

fn verifies<G: Complete>(game: &G, materials: &[Material], folder: &Path) {
    let tables = Tablebase::new(game.clone(), folder);
    for material in materials {
        let verified = tables.verify(material, &Silent).expect("whole tables");
        assert_eq!((verified.wrong, verified.example), (0, None), "{} {material}", game.name());
    }
}

/// Looks into some tables of three men of a game in every form they can have.
struct InEveryForm;

impl Task for InEveryForm {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let whole = at("whole");
        let names: &[&str] = match game.name() {
            // It has 46 sections.
            "tiebraker" => &["KQvK"],
            "noro" => &["KvKP", "BvKN"],
            "high" => &["KPvK", "KvKB"],
            "orphic" => &["KPvK", "[KR]vK", "K[Q]vK"],
            "orphic-elks" => &["KPvK", "K[E]vK"],
            "makruk" => &["KPvK", "KRvK", "KSvK"],
            "losalamos" => &["KPvK", "KQvK", "KNvK"],
            // Either side promotes after the other.
            "gardner" => &["KPvK", "KQvK", "KBvK", "KPvKP"],
            "orthodox" => &["KPvK", "KQvK", "KBvK"],
            // What sets them apart from orthodox chess is met in any table.
            _ => &["KPvK"],
        };
        let mut materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
        let tables = Tablebase::new(game.clone(), &whole);
        let plan = tables.build(&materials, &BuildOptions::default().level(1)).unwrap();
        let of_game = |own: bool| {
            let own_name = game.name();
            let all = plan.tables.iter().filter(move |table| (table.id.game == own_name) == own);
            all.map(|table| table.id.material).collect::<Vec<Material>>()
        };
        // Tables of Orphic Chess lie beside the orthodox ones that they lead to.
        materials.retain(|material| of_game(true).contains(material));
        let all_in = |form: &Form, from: &str, into: &str| {
            let folders = [at(from), at(into)];
            let folders = [folders[0].as_path(), folders[1].as_path()];
            pack(&Variant::orthodox(), &of_game(false), form, folders)?;
            pack(&game, &of_game(true), form, folders)
        };
        let [one, both] = [Sides::One, Sides::Both].map(|sides| Form::new(sides).level(1));

        let packed = all_in(&one, "whole", "one").unwrap();
        assert!(packed.iter().any(|packed| packed.side.is_some()), "{}", game.name());
        for Packed { id, bytes, side, .. } in &packed {
            let table = Table::open(at("one").join(id.file())).unwrap();
            table.check().unwrap();
            assert_eq!(table.file_len(), *bytes);
            assert_eq!(table.header().side.as_deref(), side.map(Color::name), "{}", id.title());
        }
        match (game.name(), all_in(&both, "one", "both")) {
            ("high" | "noro", back) => {
                assert!(matches!(back, Err(PackError::NeedsSolving { .. })));
                same_answers(&game, &materials, [&whole, &at("one")]);
                verifies(&game, &materials[1..], &at("one"));
            }
            // They are made of the answers of tables of one side.
            (_, back) => {
                assert!(
                    back.unwrap().iter().all(|packed| packed.side.is_none()),
                    "{}",
                    game.name()
                );
                same_answers(&game, &materials, [&whole, &at("both")]);
            }
        }
        if G::CONTENTS.contains(&Contents::Result) && !matches!(game.name(), "high" | "noro") {
            all_in(&one.contents(Contents::Result), "whole", "results").unwrap();
            same_answers(&game, &materials, [&whole, &at("results")]);
            verifies(&game, &materials[..1], &at("results"));
        }
    }
}

#[test]
fn tables_of_all_games_answer_alike_in_every_form() {
    for &game in GameName::all() {
        game.play(RuleOptions::none(), InEveryForm).expect("the usual rules");
    }
}

/// The tables of four men have kinds of two like men; on a small board as on a large one.
#[test]
fn four_men_answer_alike_in_every_form() {
    let game = Variant::named("gardner").expect("a game");
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let names = ["KQvKR", "KRRvK", "KPvK"];
    let materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
    let whole = at("whole");
    let tables = Tablebase::new(game, &whole);
    let plan = tables.build(&materials, &BuildOptions::default().level(1)).unwrap();
    let all: Vec<Material> = plan.tables.iter().map(|table| table.id.material).collect();
    // From level 10 on what cells leave open is chosen with more effort.
    for (name, form) in [
        ("one", Form::new(Sides::One).level(10)),
        ("both", Form::new(Sides::Both).level(1)),
        ("one of results", Form::new(Sides::One).contents(Contents::Result).level(1)),
        ("both of results", Form::new(Sides::Both).contents(Contents::Result).level(1)),
    ] {
        pack(&game, &all, &form, [&whole, &at(name)]).unwrap();
        same_answers(&game, &all, [&whole, &at(name)]);
    }
    verifies(&game, &materials[..2], &at("one"));
    pack(&game, &all, &Form::new(Sides::Both).level(1), [&at("one"), &at("back")]).unwrap();
    // What is made of the answers of one side is, byte for byte, what was compared above.
    for material in &all {
        let file = format!("gardner/{material}.ftb");
        let [both, back] =
            ["both", "back"].map(|name| std::fs::read(at(name).join(&file)).unwrap());
        assert!(both == back, "{material}");
    }

    // Others are solved from them as from any.
    let queen: Material = "KQPvK".parse().unwrap();
    let built = ["whole", "back"].map(|name| {
        let tables = Tablebase::new(game, at(name));
        tables.build(&[queen], &BuildOptions::default().level(1)).unwrap();
        std::fs::read(at(name).join("gardner/KQPvK.ftb")).unwrap()
    });
    assert!(built[0] == built[1], "the same table");
}

/// Where a table is large enough for it to matter, its digits are written in another order.
#[test]
fn tables_in_another_order_answer_alike() {
    let game = Variant::orthodox();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let material: Material = "KRRvK".parse().unwrap();
    let tables = Tablebase::new(game, at("whole"));
    let plan = tables.build(&[material], &BuildOptions::default().level(1)).unwrap();
    let all: Vec<Material> = plan.tables.iter().map(|table| table.id.material).collect();
    let packed = |form: &Form, from: &str, into: &str| {
        pack(&game, &all, form, [&at(from), &at(into)]).unwrap();
        let path = at(into).join("orthodox/KRRvK.ftb");
        let sections = Table::open(&path).unwrap().header().sections.clone();
        let ordered = sections.iter().filter(|section| section.digits.is_some()).count();
        (ordered, std::fs::read(&path).unwrap())
    };
    let both = Form::new(Sides::Both).level(1);
    let (of_one, _) = packed(&Form::new(Sides::One).level(10), "whole", "one");
    let (of_both, bytes) = packed(&both, "whole", "both");
    assert_eq!((of_one, of_both), (1, 2));
    same_answers(&game, &[material], [&at("whole"), &at("both")]);
    // What is made of the answers of one side is, byte for byte, what was compared.
    let (_, back) = packed(&both, "one", "back");
    assert!(bytes == back);
}

#[test]
fn what_tables_do_not_hold_cannot_be_made_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, packed] = ["whole", "packed"].map(|name| folder.path().join(name));
    let material: Material = "KRvK".parse().unwrap();
    let options = BuildOptions::default().contents(Contents::Result);
    let tables = Tablebase::new(Variant::orthodox(), &whole);
    let plan = tables.build(&[material], &options).unwrap();
    let form = Form::new(Sides::One).contents(Contents::Distance);
    let error = pack(&Variant::orthodox(), &[material], &form, [&whole, &packed]).unwrap_err();
    assert!(matches!(error, PackError::HoldsLess { .. }));
    let expected = format!(
        "{} holds result, so distance cannot be made of it",
        whole.join(plan.tables.last().unwrap().id.file()).display()
    );
    assert_eq!(error.to_string(), expected);
    let all: Vec<Material> = plan.tables.iter().map(|table| table.id.material).collect();
    let form = Form::new(Sides::One);
    let first = pack(&Variant::orthodox(), &all, &form, [&whole, &packed]).unwrap();
    assert!(first.iter().all(|packed| !packed.was_there));
    let again = pack(&Variant::orthodox(), &all, &form, [&whole, &packed]).unwrap();
    assert!(again.iter().all(|packed| packed.was_there));
    // A table in its own folder is replaced.
    let same = pack(&Variant::orthodox(), &all, &form, [&whole, &whole]).unwrap();
    assert!(same.iter().zip(&first).all(|(same, first)| same.bytes == first.bytes));
}
