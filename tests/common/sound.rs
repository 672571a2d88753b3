//! What must hold of everything that is accepted as a position, a record or a table.

use finale::{
    rules::{Game, read_record},
    table::{Kind, Table},
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
    let read = table.header().sections.iter().map(|section| {
        let bytes = section.entries.saturating_mul(section.width.bytes() as u64);
        let read = match section.kind {
            Kind::Blob => table.blob(&section.name, LONGEST).ok()?,
            Kind::Cells => {
                let cells = table.cells(&section.name).ok()?;
                assert!(cells.get(cells.entries()).is_err());
                let last = cells.entries().checked_sub(1).map(|last| cells.get(last));
                assert!(!checked || last.is_none_or(|last| last.is_ok()));
                if bytes > LONGEST {
                    return None;
                }
                cells.read_all().ok()?
            }
        };
        assert_eq!(read.len() as u64, bytes);
        Some(read)
    });
    let read: Option<Vec<Vec<u8>>> = read.collect();
    read.filter(|_| checked)
}
