//! Tables in other forms answer as those they were made from.

use std::path::Path;

use finale::{
    answer::{Contents, materials_with},
    board::Color,
    index::Material,
    pack::{Form, PackError, Packed, Sides},
    probe::{ProbeError, TableDirectories, Tablebase},
    progress::Silent,
    registry::{Complete, GameName, Task},
    rules::{Orthodox, RuleOptions},
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
                let found = packed.answer(position)?;
                assert_eq!(found, expected, "{} {material} {}", G::NAME, game.fen(position));
                *count += 1;
                Ok::<(), ProbeError>(())
            },
            |count, other| *count += other,
        );
        assert!(count.expect("whole tables") > 0, "{} {material}", G::NAME);
    }
}

fn verifies<G: Complete>(game: &G, materials: &[Material], folder: &Path) {
    let tables = Tablebase::new(game.clone(), folder);
    for material in materials {
        let verified = tables.verify(material, &Silent).expect("whole tables");
        assert_eq!((verified.wrong, verified.example), (0, None), "{} {material}", G::NAME);
    }
}

/// Looks into a game's tables of three men in every form they can have.
struct InEveryForm;

impl Task for InEveryForm {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let whole = at("whole");
        let mut materials = materials_with(&game, 3, false);
        // Those of Tiebraker Chess have 46 sections each, and all answer alike.
        materials.retain(|material| G::NAME != "tiebraker" || material.has_pawns());
        let tables = Tablebase::new(game.clone(), &whole);
        let plan = tables.build(&materials, &BuildOptions::default().level(1)).unwrap();
        let materials: Vec<Material> = plan
            .tables
            .iter()
            .filter(|table| table.id.game == G::NAME)
            .map(|table| table.id.material)
            .collect();
        let one = Form::new(Sides::One).level(1);
        let small = at("small");
        let packed = pack(&game, &materials, &one, [&whole, &small]).unwrap();
        // What belongs to another game is asked where it is.
        if materials.len() < plan.tables.len() {
            let others: Vec<Material> = plan
                .tables
                .iter()
                .filter(|table| table.id.game != G::NAME)
                .map(|table| table.id.material)
                .collect();
            pack(&Orthodox, &others, &one, [&whole, &small]).unwrap();
        }
        assert!(packed.iter().any(|packed| packed.side.is_some()), "{}", G::NAME);
        for Packed { id, bytes, side, .. } in &packed {
            let table = Table::open(small.join(id.file())).unwrap();
            table.check().unwrap();
            assert_eq!(table.file_len(), *bytes);
            assert_eq!(table.header().side.as_deref(), side.map(Color::name), "{}", id.title());
        }
        same_answers(&game, &materials, [&whole, &small]);
        verifies(&game, &materials[..materials.len().min(3)], &small);

        let back = pack(&game, &materials, &Form::new(Sides::Both).level(1), [&small, &at("back")]);
        match (G::NAME, back) {
            ("high" | "noro", back) => assert!(matches!(back, Err(PackError::NeedsSolving { .. }))),
            (_, back) => {
                assert!(back.unwrap().iter().all(|packed| packed.side.is_none()));
                same_answers(&game, &materials, [&whole, &at("back")]);
            }
        }
        let results = one.contents(Contents::Result);
        if G::CONTENTS == [Contents::Distance, Contents::Result] && G::NAME != "high" {
            pack(&game, &materials, &results, [&whole, &at("results")]).unwrap();
            same_answers(&game, &materials, [&whole, &at("results")]);
            verifies(&game, &materials[..materials.len().min(3)], &at("results"));
        }
    }
}

#[test]
fn tables_of_all_games_answer_alike_in_every_form() {
    for &game in GameName::ALL {
        game.play(RuleOptions::none(), InEveryForm).expect("the usual rules");
    }
}

/// The tables of four men have kinds of two like men, and more digits to choose an order of.
#[test]
fn four_men_answer_alike_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let names = ["KQvKR", "KRRvK", "KPvKP", "KNvKP"];
    let materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
    let whole = at("whole");
    let tables = Tablebase::new(Orthodox, &whole);
    let plan = tables.build(&materials, &BuildOptions::default().level(1)).unwrap();
    let all: Vec<Material> = plan.tables.iter().map(|table| table.id.material).collect();
    // From level 10 on what cells leave open is chosen with more effort.
    for (name, form) in [
        ("one", Form::new(Sides::One).level(10)),
        ("both", Form::new(Sides::Both).level(1)),
        ("one of results", Form::new(Sides::One).contents(Contents::Result).level(1)),
        ("both of results", Form::new(Sides::Both).contents(Contents::Result).level(1)),
    ] {
        pack(&Orthodox, &all, &form, [&whole, &at(name)]).unwrap();
        same_answers(&Orthodox, &all, [&whole, &at(name)]);
    }
    verifies(&Orthodox, &materials[..2], &at("one"));
    let orders = |name: &str| {
        let table = Table::open(at(name).join("orthodox/KRRvK.ftb")).unwrap();
        table.header().sections.iter().filter(|section| section.digits.is_some()).count()
    };
    assert_eq!((orders("one"), orders("both")), (1, 2));
    pack(&Orthodox, &all, &Form::new(Sides::Both).level(1), [&at("one"), &at("back")]).unwrap();
    same_answers(&Orthodox, &all, [&whole, &at("back")]);
}

#[test]
fn what_tables_do_not_hold_cannot_be_made_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, packed] = ["whole", "packed"].map(|name| folder.path().join(name));
    let material: Material = "KRvK".parse().unwrap();
    let options = BuildOptions::default().contents(Contents::Result);
    let tables = Tablebase::new(Orthodox, &whole);
    let plan = tables.build(&[material], &options).unwrap();
    let form = Form::new(Sides::One).contents(Contents::Distance);
    let error = pack(&Orthodox, &[material], &form, [&whole, &packed]).unwrap_err();
    assert!(matches!(error, PackError::HoldsLess { .. }));
    let expected = format!(
        "{} holds result, so distance cannot be made of it",
        whole.join(plan.tables.last().unwrap().id.file()).display()
    );
    assert_eq!(error.to_string(), expected);
    let all: Vec<Material> = plan.tables.iter().map(|table| table.id.material).collect();
    let form = Form::new(Sides::One);
    let first = pack(&Orthodox, &all, &form, [&whole, &packed]).unwrap();
    assert!(first.iter().all(|packed| !packed.was_there));
    let again = pack(&Orthodox, &all, &form, [&whole, &packed]).unwrap();
    assert!(again.iter().all(|packed| packed.was_there));
    // A table in its own folder is replaced.
    let same = pack(&Orthodox, &all, &form, [&whole, &whole]).unwrap();
    assert!(same.iter().zip(&first).all(|(same, first)| same.bytes == first.bytes));
}
