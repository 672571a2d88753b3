//! Questions about positions at random.

use fastrand::Rng;

/// The games that are measured.
pub const GAMES: [&str; 2] = ["orthodox", "high"];

/// What White has beside the King. A Bishop or a Knight alone has too few turns to be work.
const MEN: [char; 3] = ['Q', 'R', 'P'];

/// Addresses that ask for positions with all turns ranked. All are different, by their move
/// number if by nothing else, so no answer is remembered.
pub fn questions(game: &str, number: usize, rng: &mut Rng) -> Vec<String> {
    (0..number).map(|_| format!("/api/v1/{game}?fen={}", fen(game, rng))).collect()
}

/// A FEN with White to move and Black not in check.
fn fen(game: &str, rng: &mut Rng) -> String {
    let (white, black, man, at) = loop {
        let man = MEN[rng.usize(..MEN.len())];
        let (white, black) = (rng.i32(0..64), rng.i32(0..64));
        let at = if man == 'P' { rng.i32(8..56) } else { rng.i32(0..64) };
        if at != white && at != black && distance(white, black) > 1 && quiet(man, at, black) {
            break (white, black, man, at);
        }
    };
    let mut rows = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = 8 * rank + file;
            let letter = match square {
                _ if square == white => 'K',
                _ if square == black => 'k',
                _ if square == at => man,
                _ => '1',
            };
            rows.push(letter);
        }
        if rank > 0 {
            rows.push('/');
        }
    }
    let state = match game {
        "high" => format!("_{}+{}", rng.u8(1..=50), rng.u8(1..=50)),
        _ => String::new(),
    };
    format!("{rows}_w_-_-{state}_0_{}", rng.u32(1..1_000_000))
}

/// The steps of a King.
fn distance(from: i32, to: i32) -> i32 {
    let (files, ranks) = between(from, to);
    files.abs().max(ranks.abs())
}

/// Whether a white man does not attack a square, even on an empty board.
fn quiet(man: char, at: i32, square: i32) -> bool {
    let (files, ranks) = between(at, square);
    let straight = files == 0 || ranks == 0;
    let diagonal = files.abs() == ranks.abs();
    !match man {
        'Q' => straight || diagonal,
        'R' => straight,
        _ => ranks == 1 && files.abs() == 1,
    }
}

fn between(from: i32, to: i32) -> (i32, i32) {
    (to % 8 - from % 8, to / 8 - from / 8)
}
