//! Final margins: by how much White comes out ahead, when both sides look at who wins first and at
//! the points next.
//!
//! What best play gains depends on the score: in overtime the game goes on at equal scores only,
//! and who wins by points is a matter of the sum. So a position has a value for each score
//! difference. Where so many points separate the sides that the men on the board cannot make up
//! for them, it is the same for all differences from there on.

use std::cmp::Ordering;

use super::{
    codes::{DRAWN, LOSES, WINS},
    layers::Layers,
};
use crate::{
    answer::Contents,
    board::{Color, Role},
    index::Material,
    rules::Noro,
    table::Table,
};

/// The score differences that are told apart for some men: from the greatest that White, or Black,
/// can only fall short of, one after the other, to the least that the other cannot make up for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Differences {
    least: i32,
    greatest: i32,
}

impl Differences {
    /// Those of some men.
    pub fn of(material: &Material) -> Differences {
        let worth = |color| -> i32 {
            let men = material.men().into_iter().filter(|man| man.color == color);
            // A pawn may be taken as a queen.
            let roles = men.map(|man| if man.role == Role::Pawn { Role::Queen } else { man.role });
            roles.map(|role| Noro::worth(role) as i32).sum()
        };
        Differences { least: -worth(Color::Black) - 1, greatest: worth(Color::White) + 1 }
    }

    /// Those that a table of some men tells apart, if it has margins.
    pub fn told(table: &Table, material: &Material) -> Option<Differences> {
        let has_margins = table.header().contents == Contents::Points.name();
        has_margins.then(|| Differences::of(material))
    }

    /// How many codes a history with a side to move has, where some differences are told apart, or
    /// none.
    pub fn codes(told: Option<Differences>, layers: Layers, side: Color) -> usize {
        layers.of_side(side) * told.map_or(1, Differences::count)
    }

    /// How many there are.
    pub fn count(self) -> usize {
        (self.greatest - self.least + 1) as usize
    }

    /// All of them, the least first.
    pub fn iter(self) -> impl Iterator<Item = i32> + Clone {
        self.least..=self.greatest
    }

    /// The one at a place.
    pub fn at(self, place: usize) -> i32 {
        self.least + place as i32
    }

    /// The place of the one that stands for a difference.
    pub fn place(self, difference: i64) -> usize {
        let told = difference.clamp(self.least.into(), self.greatest.into());
        (told - i64::from(self.least)) as usize
    }
}

/// How a game ends: who wins, and by how much White comes out ahead.
///
/// The two agree unless the last man was taken, which may win against the score.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Finish {
    /// Who wins; nobody in a draw.
    pub winner: Option<Color>,
    /// White's points at the end less Black's.
    pub margin: i64,
}

impl Finish {
    /// What White likes better is greater: a win to a draw, a draw to a loss, and of like results
    /// the greater margin.
    pub fn cmp_for_white(self, other: Finish) -> Ordering {
        let rank = |finish: Finish| match finish.winner {
            Some(Color::White) => 2,
            None => 1,
            Some(Color::Black) => 0,
        };
        (rank(self), self.margin).cmp(&(rank(other), other.margin))
    }

    /// What a code stands for with this score difference now.
    pub(super) fn of_code(code: u8, difference: i64) -> Finish {
        // A code is in Black's view.
        let ahead = |middle: u8| difference - (i64::from(code) - i64::from(middle));
        match code.cmp(&DRAWN) {
            Ordering::Less => Finish { winner: Some(Color::White), margin: ahead(LOSES) },
            Ordering::Equal => Finish { winner: None, margin: 0 },
            Ordering::Greater => Finish { winner: Some(Color::Black), margin: ahead(WINS) },
        }
    }

    /// The code of it with this score difference now; of margins that no men can make the nearest.
    pub(super) fn code(self, difference: i64) -> u8 {
        let gained = (difference - self.margin).clamp(-63, 63);
        match self.winner {
            Some(Color::White) => (i64::from(LOSES) + gained) as u8,
            None => DRAWN,
            Some(Color::Black) => (i64::from(WINS) + gained) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_finishes_and_their_order() {
        for difference in [-30, -1, 0, 5] {
            let finishes: Vec<Finish> =
                (1..=255).map(|code| Finish::of_code(code, difference)).collect();
            for (code, finish) in (1..=255).zip(&finishes) {
                assert_eq!(finish.code(difference), code);
            }
            // Black likes high codes.
            assert!(finishes.is_sorted_by(|a, b| a.cmp_for_white(*b).is_gt()));
        }
    }

    #[test]
    fn differences_beyond_what_the_men_are_worth_are_not_told_apart() {
        let of = |name: &str| Differences::of(&name.parse().unwrap());
        let differences = of("KQvR");
        assert_eq!(differences.iter().collect::<Vec<_>>(), (-6..=12).collect::<Vec<_>>());
        assert_eq!(
            (differences.count(), differences.place(-6), differences.place(12)),
            (19, 0, 18)
        );
        assert_eq!((differences.place(-1000), differences.place(1000)), (0, 18));
        assert_eq!((of("PvN").place(0), of("PvN").count()), (4, 15));
    }
}
