//! How much of other tables is looked into while one is built.

use super::memory::behind;
use crate::{
    index::Material,
    solve::engine::pages::{PageCell, Paged},
};

/// About how many positions of other tables are put right while the table of a material is built:
/// of what promotions lead to, and, since who has not promoted yet may do so next, of what they lead
/// to from there. Where one side alone has pawns, that is what its own positions take, and not
/// counted.
///
/// On a small board these are many times the positions of the table itself: a piece may stand
/// anywhere, and with each promotion there are four kinds of them.
pub fn positions_put_right<C: PageCell>(game: &dyn Paged<Cell = C>, material: &Material) -> u64 {
    if !material.has_pawns_on_both_sides() {
        return 0;
    }
    let mut all = game.successors(material);
    all.extend(behind(game, &all));
    // With pawns left only what has a man on its last rank is put right.
    let ranks = u64::from(game.laws().size.ranks());
    let share = |material: &Material| if material.has_pawns() { ranks } else { 1 };
    all.iter().map(|material| game.numbers(material) / share(material)).sum()
}
