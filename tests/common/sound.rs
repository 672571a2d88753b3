//! What must hold of everything that is accepted as a position, a record or a table.

use std::collections::BTreeSet;

use finale::{
    rules::{Game, read_record},
    table::{Kind, Stretches, Table},
};

/// Reads a position; if it is one, everything the game can say of it must be in order. Returns
/// whether it is one.
pub fn position_is_sound<G: Game>(game: &G, fen: &str) -> bool {
    let Ok(position) = game.parse_fen(fen) else { return false };
    let canonical = game.fen(&position);
    let again = game.parse_fen(&canonical).expect("a FEN we wrote");
    assert_eq!(game.fen(&again), canonical, "from {fen}");
    let turns = game.turns(&position);
    assert_eq!(turns.is_empty(), game.ending(&position).is_some(), "in {fen}");
    for turn in turns {
        let after = game.play(&position, turn);
        game.turns(&after);
        for text in [game.uci(&position, turn), game.san(&position, turn)] {
            assert_eq!(game.parse_turn(&position, &text), Ok(turn), "`{text}` in {fen}");
        }
    }
    true
}

/// Reads a record; if it is one, its turns follow from each other by the rules, stand in the text
/// in this order, and give the same game when they are written anew. Returns how many there are.
pub fn record_is_sound<G: Game>(game: &G, text: &str) -> usize {
    let replay = match read_record(game, text) {
        Ok(replay) => replay,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return 0;
        }
    };
    let mut words = text.split(|letter: char| letter.is_whitespace() || ".{}();".contains(letter));
    let mut position = replay.start.clone();
    let mut anew = format!("[FEN \"{}\"]\n", game.fen(&replay.start));
    for ply in &replay.plies {
        assert!(ply.before == position, "in {text}");
        assert!(words.any(|word| game.parse_turn(&position, word) == Ok(ply.turn)), "in {text}");
        anew += &format!("{} ", game.uci(&position, ply.turn));
        position = game.play(&position, ply.turn);
        assert!(ply.after == position, "in {text}");
    }
    let again = read_record(game, &anew).expect("a record we wrote");
    assert!(*again.last() == position, "{anew} from {text}");
    replay.plies.len()
}

/// Longer sections are not read as a whole.
const LONGEST: u64 = 1 << 24;

/// Reads all there is in a file that claims to be a table; `None` if it is refused at any point.
pub fn contents(bytes: Vec<u8>) -> Option<Vec<Vec<u8>>> {
    let table = Table::from_bytes("hostile.ftb", bytes).ok()?;
    let checked = table.check().is_ok();
    let mut read = Vec::new();
    let mut names = BTreeSet::new();
    for section in &table.header().sections {
        if !names.insert(&section.name) {
            // A stretch of cells that were read.
            continue;
        }
        match section.kind {
            Kind::Blob => {
                let blob = table.blob(&section.name, LONGEST).ok()?;
                assert_eq!(blob.len() as u64, section.entries);
                read.push(blob);
            }
            Kind::Cells => read.extend(cells(&table.stretches(&section.name).ok()?, checked)?),
        }
    }
    checked.then_some(read)
}

/// Reads cells, stretch by stretch; `None` if they are refused at any point. Those of a `checked`
/// table can all be read.
fn cells(stretches: &Stretches, checked: bool) -> Option<Vec<Vec<u8>>> {
    assert!(stretches.get(stretches.entries()).is_err());
    let last = stretches.entries().checked_sub(1).map(|last| stretches.get(last));
    assert!(!checked || last.is_none_or(|last| last.is_ok()));
    let read = stretches.iter().map(|(_, cells)| {
        let bytes = cells.entries().saturating_mul(cells.section().width.bytes() as u64);
        let read = (bytes <= LONGEST).then(|| cells.read_all().ok()).flatten()?;
        assert_eq!(read.len() as u64, bytes);
        Some(read)
    });
    read.collect()
}
