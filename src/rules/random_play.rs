//! Random games for the tests of this room.

use super::Game;

/// The positions of the game in which turn number n is the one `picks[n]` points at, first to
/// last; shorter if the game ends.
pub fn positions<G: Game>(game: &G, start: G::Position, picks: &[u16]) -> Vec<G::Position> {
    let mut positions = vec![start];
    for &pick in picks {
        let position = positions.last().expect("the start at least");
        let turns = game.turns(position);
        if turns.is_empty() {
            break;
        }
        let next = game.play(position, turns[usize::from(pick) % turns.len()]);
        positions.push(next);
    }
    positions
}

/// Turn choices for a random game of up to `plies` turns.
pub fn picks(plies: usize) -> impl proptest::strategy::Strategy<Value = Vec<u16>> {
    proptest::collection::vec(proptest::prelude::any::<u16>(), 0..plies)
}
