//! Arbitrary text and damaged tables: errors are fine, panics and wrong answers are not. The fuzz
//! targets in `fuzz/` ask the same for longer.

use std::{cell::Cell, fs, sync::OnceLock};

use finale::{
    Tablebase,
    index::Material,
    registry::Complete,
    rules::{Game, High, RuleOptions, ScoreSheet, Variant},
    solve::BuildOptions,
};
use proptest::{
    prelude::*,
    sample::{self, Index},
    test_runner::TestRunner,
};

use crate::common::{
    build,
    games::{Question, ask_every_game},
    seal,
    sound::{contents, position_is_sound, record_is_sound},
};

/// The bytes of a real table of each game.
fn tables() -> &'static [Vec<u8>; 3] {
    static TABLES: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        build::build(&Variant::orthodox(), folder.path(), &["KQvK"], &build::quickly());
        build::build(&High::default(), folder.path(), &["KBvK"], &build::quickly());
        // Cells in several stretches.
        let parts = BuildOptions::default().level(3).part_size(10_000);
        let tables = Tablebase::new(Variant::orthodox(), folder.path());
        tables.build(&["KPvK".parse().expect("a material")], &parts).expect("room for it");
        ["orthodox/KQvK.ftb", "high/KBvK.ftb", "orthodox/KPvK.ftb"]
            .map(|table| fs::read(folder.path().join(table)).expect("a table"))
    })
}

/// Reads a FEN.
struct Fen<'t>(&'t str);

impl Question for Fen<'_> {
    fn ask<G: Complete>(&self, game: &G) {
        position_is_sound(game, self.0);
    }
}

/// Reads a record.
struct Record<'t>(&'t str);

impl Question for Record<'_> {
    fn ask<G: Complete>(&self, game: &G) {
        record_is_sound(game, self.0);
    }
}

/// Plays some turns from the initial position, spoils the FEN, and reads it.
struct SpoiledFen<'t> {
    picks: &'t [Index],
    edits: &'t [(Index, char, u8)],
}

impl Question for SpoiledFen<'_> {
    fn ask<G: Complete>(&self, game: &G) {
        spoiled_fen_is_refused_or_sound(game, self.picks, self.edits);
    }
}

fn spoiled_fen_is_refused_or_sound<G: Game>(
    game: &G,
    picks: &[Index],
    edits: &[(Index, char, u8)],
) {
    let mut position = game.initial();
    for pick in picks {
        let turns = game.turns(&position);
        if turns.is_empty() {
            break;
        }
        position = game.play(&position, *pick.get(&turns));
    }
    let mut fen: Vec<char> = game.fen(&position).chars().collect();
    for (place, letter, kind) in edits {
        let place = place.index(fen.len());
        match kind {
            0 => fen[place] = *letter,
            1 => fen.insert(place, *letter),
            _ if fen.len() > 1 => drop(fen.remove(place)),
            _ => {}
        }
    }
    position_is_sound(game, &fen.into_iter().collect::<String>());
}

/// Texts made of what FENs are made of.
fn fen() -> impl Strategy<Value = String> {
    let rank =
        proptest::collection::vec("[KQRBNPkqrbnp1-8]{1,3}", 1..5).prop_map(|parts| parts.concat());
    let placement =
        proptest::collection::vec(prop_oneof![3 => Just("8".to_owned()), 1 => rank], 7..10)
            .prop_map(|ranks| ranks.join("/"));
    (
        placement,
        "( [wb]( (-|K?Q?k?q?)( (-|[a-h][1-8])( [0-9]{1,2}\\+[0-9]{1,2})?( [0-9]{1,11}){0,3})?)?)?",
    )
        .prop_map(|(placement, fields)| placement + &fields)
}

/// Positions of few men on arbitrary squares.
fn placement() -> impl Strategy<Value = String> {
    let men = proptest::collection::vec(("[QRBNPqrbnp]", 0..64_usize), 0..6);
    (men, 0..64_usize, 0..64_usize, "[wb]").prop_map(|(men, white, black, turn)| {
        let mut board = [None; 64];
        for (man, square) in &men {
            board[*square] = man.chars().next();
        }
        board[white] = Some('K');
        board[black] = Some('k');
        let ranks: Vec<String> = board
            .chunks(8)
            .map(|rank| rank.iter().map(|man| man.unwrap_or('1')).collect())
            .collect();
        format!("{} {turn}", ranks.join("/"))
    })
}

/// What somebody may write into a header.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        0..20_u64,
        0..5000_u64,
        (0..64).prop_map(|bit| 1_u64 << bit),
        (0..64).prop_map(|bit| u64::MAX >> bit),
        any::<u64>(),
    ]
}

/// Bytes with the right magic and the right checksums get past the first look; nothing that they
/// say may do harm, and some are as good as a table.
#[test]
fn any_bytes_can_be_given_as_a_table() {
    let cases = (
        0..3_usize,
        proptest::collection::vec((any::<Index>(), any::<u8>()), 0..3),
        proptest::collection::vec(
            (
                any::<Index>(),
                sample::select(vec!["entries", "width", "block", "offset", "length"]),
                number(),
            ),
            0..3,
        ),
    );
    let (accepted, refused) = (Cell::new(0), Cell::new(0));
    TestRunner::new(ProptestConfig::with_cases(512))
        .run(&cases, |(which, bytes, numbers)| {
            let mut table = tables()[which].clone();
            let mut header = seal::header(&table).expect("a whole table");
            for (place, byte) in bytes {
                // Not the prologue, which the seal writes anew.
                let place = 32 + place.index(table.len() - 32);
                table[place] = byte;
            }
            let sections = header["sections"].as_array_mut().expect("a list");
            for (section, name, number) in numbers {
                section.get_mut(sections)[name] = number.into();
            }
            let counted = match contents(seal::sealed(&table, header)) {
                Some(_) => &accepted,
                None => &refused,
            };
            counted.set(counted.get() + 1);
            Ok(())
        })
        .expect("no bytes do harm");
    assert!(accepted.get() > 20 && refused.get() > 20, "{accepted:?} {refused:?}");
}

proptest! {
    #[test]
    fn damaged_tables_say_nothing_wrong(
        which in 0..3_usize,
        flips in proptest::collection::vec((any::<Index>(), 0..8_u8), 0..3),
        end in proptest::option::weighted(0.2, any::<Index>()),
    ) {
        let whole = &tables()[which];
        let mut bytes = whole.clone();
        for (place, bit) in flips {
            let place = place.index(bytes.len());
            bytes[place] ^= 1 << bit;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(whole.len()));
        }
        if let Some(read) = contents(bytes) {
            prop_assert_eq!(Some(read), contents(whole.clone()));
        }
    }

    #[test]
    fn any_text_can_be_given_as_fen(text in "\\PC*") {
        ask_every_game(&Fen(&text));
    }

    #[test]
    fn texts_like_fens_are_refused_or_sound(text in prop_oneof![fen(), placement()]) {
        ask_every_game(&Fen(&text));
    }

    #[test]
    fn spoiled_fens_are_refused_or_sound(
        picks in proptest::collection::vec(any::<Index>(), 0..50),
        edits in proptest::collection::vec((any::<Index>(), "[1-8KkQqPpEew /:+.-]", 0..3_u8), 0..4),
    ) {
        let letter = |text: String| text.chars().next().expect("one letter");
        let edits: Vec<_> = edits.into_iter().map(|(at, text, kind)| (at, letter(text), kind)).collect();
        ask_every_game(&SpoiledFen { picks: &picks, edits: &edits });
    }

    #[test]
    fn any_text_can_be_given_as_record(text in prop_oneof![
        "\\PC*".boxed(),
        "(\\[FEN \"[^\"]{0,20}\"\\]\n)?(([1-3]\\.(\\.\\.)? ?)?(e4|Nf3|d5|--|e2e4|0000|O-O|\\{|\\}|\\(|;|\\$1|1-0|so)( |\n)){0,9}".boxed(),
    ]) {
        ask_every_game(&Record(&text));
    }

    #[test]
    fn any_text_can_be_given_as_score_sheet(text in "\\PC*", place: Index, letter in "\\PC") {
        let mut whole: Vec<char> = ScoreSheet::DEFAULT_TOML.chars().collect();
        *place.get_mut(&mut whole) = letter.chars().next().expect("one letter");
        for text in [text, whole.into_iter().collect()] {
            if let Err(error) = ScoreSheet::from_toml(&text) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn any_text_can_be_given_as_material(text in prop_oneof!["\\PC*", "[KQRBNPEv\\[\\]]{0,9}"]) {
        if let Ok(material) = text.parse::<Material>() {
            prop_assert_eq!(material.to_string().parse::<Material>(), Ok(material));
        }
    }

    #[test]
    fn any_text_can_be_given_as_option(text in prop_oneof!["\\PC*", "[0-9]{0,3}"]) {
        for name in ["vitality", "revitalise"] {
            let mut options = RuleOptions::none();
            options.set(name, Some(text.clone()));
            if let Ok(game) = High::default().with_options(&mut options) {
                prop_assert!((1..=50).contains(&game.vitality.points()));
            }
        }
    }
}
