//! Hostile texts: refused with a sentence, or sound.

use fastrand::Rng;
use finale::{
    index::Material,
    registry::{Complete, GameName, Task},
    rules::{Game, RuleOptions, ScoreSheet, Variant, VariantFile},
};

use crate::{
    Outcomes, Round,
    sound::{position_is_sound, record_is_sound},
};

/// What FENs and records are made of, and what they are not.
const PIECES: [&str; 46] = [
    "/",
    "8",
    "1",
    "K",
    "k",
    "Q",
    "q",
    "P",
    "p",
    "E",
    "D",
    "d",
    "[",
    "]",
    " w",
    " b",
    " -",
    " KQkq",
    " e3",
    " d6",
    " 0",
    " 1",
    " 4294967295",
    " 4294967296",
    " 3+4",
    " 1000000+1000000",
    " 50+1",
    " normal",
    " declared",
    " accepted",
    " option1:20",
    " option2:b",
    "\u{0}",
    "\u{e9}",
    "\t",
    "_",
    "e4 ",
    "Nf3 ",
    "O-O ",
    "1. ",
    "1... ",
    "{",
    "}",
    "(",
    "K=D ",
    "--",
];

pub fn round(_: &Round, rng: &mut Rng) -> Outcomes {
    let game = *rng.choice(GameName::all()).expect("some games");
    Ok(game.play(RuleOptions::none(), Texts(rng))?)
}

struct Texts<'r>(&'r mut Rng);

impl Task for Texts<'_> {
    type Output = Vec<(&'static str, u64)>;

    fn run<G: Complete>(self, game: G) -> Self::Output {
        let Texts(rng) = self;
        // A game by chance, far enough for few men to be left now and then.
        let mut position = game.initial();
        let mut record = String::new();
        let most = 1 << rng.u32(1..8);
        for _ in 0..rng.u32(..most) {
            let turns = game.turns(&position);
            let Some(&turn) = rng.choice(&turns) else { break };
            record += &format!("{} ", game.san(&position, turn));
            position = game.play(&position, turn);
        }
        let fen = spoiled(&game.fen(&position), rng);
        let sound = position_is_sound(&game, &fen);
        let record = spoiled(&record, rng);
        let turns = record_is_sound(&game, &record) as u64;
        let material = spoiled("KQRBNvKP", rng);
        if let Ok(read) = material.parse::<Material>() {
            assert_eq!(read.to_string().parse(), Ok(read), "{material}");
        }
        // Long, so not in every round.
        if rng.u32(..64) == 0 {
            let sheet = spoiled(ScoreSheet::DEFAULT_TOML, rng);
            if let Err(error) = ScoreSheet::from_toml(&sheet) {
                assert!(!error.to_string().is_empty());
            }
            variants_are_sound(&spoiled(VARIANTS, rng));
        }
        vec![
            (if sound { "positions accepted" } else { "positions refused" }, 1),
            ("turns of records accepted", turns),
        ]
    }
}

/// A file of variants.
const VARIANTS: &str = include_str!("../../../tests/tables/variants.ini");

/// Each section of a file is refused with reasons, or is a game that can be played.
fn variants_are_sound(text: &str) {
    let Ok(file) = VariantFile::read(text) else { return };
    for section in file.resolve() {
        match section.definition {
            Ok(definition) => {
                let game = Variant::new(definition);
                assert!(position_is_sound(&game, &game.fen(&game.initial())), "{text}");
            }
            Err(refusals) => assert!(!refusals.is_empty(), "{text}"),
        }
    }
}

/// A text with some pieces put in, left out or moved.
fn spoiled(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.u32(..4) {
        let place = rng.usize(..=letters.len());
        let end = letters.len().min(place + rng.usize(1..6));
        match rng.u32(..4) {
            0 => drop(letters.drain(place..end)),
            1 => {
                let piece = letters[place..end].to_vec();
                let to = rng.usize(..=letters.len());
                letters.splice(to..to, piece);
            }
            2 => {
                let piece = rng.choice(PIECES).expect("some");
                letters.splice(place..end, piece.chars());
            }
            _ => {
                let piece = rng.choice(PIECES).expect("some");
                letters.splice(place..place, piece.chars());
            }
        }
    }
    letters.into_iter().collect()
}
