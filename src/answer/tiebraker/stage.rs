//! The stages a game goes through: a mode together with whose King is a disk.

use std::fmt;

use crate::{
    answer::score::Score,
    board::{Board, Color, Man, Role},
    rules::{Finish, Mode, Points, TiebrakerPosition},
};

/// A mode and the owner of the disk: what a table solves one after the other.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stage {
    /// The mode.
    pub mode: Mode,
    /// Whose King is a disk.
    pub disk: Option<Color>,
}

/// How scores are kept: every value from −5 to 5, as [`Points::ALL`] has them.
pub type Cell = i16;

impl Stage {
    /// Where nobody has declared.
    pub const NORMAL: Stage = Stage { mode: Mode::Normal, disk: None };

    /// How many stages there are.
    pub const COUNT: usize = 7 + 2 * (Mode::COUNTDOWN as usize + 1);

    /// The stage after a refused declaration of `declarer`.
    pub const fn refused(declarer: Color) -> Stage {
        Stage { mode: Mode::Option2(declarer), disk: None }
    }

    /// The stage of a declaration just made, or accepted, or so many plies before the compulsion
    /// after option 1.
    pub const fn with_disk(mode: Mode, owner: Color) -> Stage {
        Stage { mode, disk: Some(owner) }
    }

    /// The stage of a position.
    pub fn of(position: &TiebrakerPosition) -> Stage {
        Stage { mode: position.mode, disk: position.disk() }
    }

    /// All stages in the order they can be solved in.
    pub fn all() -> impl Iterator<Item = Stage> {
        let countdown = (0..=Mode::COUNTDOWN).map(Mode::Option1);
        let with_disk = countdown.chain([Mode::Accepted, Mode::Declared]);
        Color::ALL
            .map(Stage::refused)
            .into_iter()
            .chain(with_disk.flat_map(|mode| Color::ALL.map(|disk| Stage::with_disk(mode, disk))))
            .chain([Stage::NORMAL])
    }

    /// A number below [`Stage::COUNT`], in the order of [`all`](Stage::all).
    pub fn number(self) -> usize {
        let disk = self.disk.map_or(0, Color::index);
        match self.mode {
            Mode::Option2(declarer) => declarer.index(),
            Mode::Option1(left) => 2 + 2 * usize::from(left) + disk,
            Mode::Accepted => Stage::COUNT - 5 + disk,
            Mode::Declared => Stage::COUNT - 3 + disk,
            Mode::Normal => Stage::COUNT - 1,
        }
    }

    /// The same with the sides exchanged.
    pub fn swap_colors(self) -> Stage {
        let mode = match self.mode {
            Mode::Option2(declarer) => Mode::Option2(!declarer),
            mode => mode,
        };
        Stage { mode, disk: self.disk.map(|owner| !owner) }
    }

    /// The side to move, where only one can be.
    pub fn mover(self) -> Option<Color> {
        match (self.mode, self.disk) {
            (Mode::Declared, Some(owner)) => Some(!owner),
            (Mode::Option1(left), Some(owner)) if left > 0 => {
                Some(if left % 2 == 1 { owner } else { !owner })
            }
            _ => None,
        }
    }

    /// Whether every turn leads to another stage, so that play cannot go in circles.
    #[inline]
    pub fn is_passing(self) -> bool {
        self.mover().is_some()
    }

    /// Whether perpetual check can decide: values of ±1.
    pub fn has_perpetual(self) -> bool {
        matches!(self.mode, Mode::Normal | Mode::Accepted)
    }

    /// The value of a way to finish.
    pub fn value(self, finish: Finish) -> i32 {
        value_of(self.mode.points(self.disk, finish))
    }

    /// The value of infinite play without perpetual check.
    pub fn infinite(self) -> i32 {
        self.value(Finish::Endless)
    }

    /// Whether a value is one that infinite play can have here, so that there is no distance.
    pub fn is_endless(self, value: i32) -> bool {
        !self.is_passing() && (value == self.infinite() || self.has_perpetual() && value.abs() == 1)
    }

    /// The score of a value at a distance.
    #[inline]
    pub fn score(self, value: i32, distance: Option<u16>) -> Score {
        Score::new::<Cell>(value, distance, if self.is_passing() { value } else { self.infinite() })
    }

    /// A man of a material as it stands on the board: the owner's King is a disk.
    pub fn man(self, man: Man) -> Man {
        if man.role == Role::King && Some(man.color) == self.disk {
            Man::new(man.color, Role::Disk)
        } else {
            man
        }
    }
}

/// What solving and judging ask besides.
#[cfg(feature = "build")]
impl Stage {
    /// The stage with this [number](Stage::number).
    ///
    /// # Panics
    /// If there is none.
    pub fn numbered(number: usize) -> Stage {
        Stage::all().nth(number).expect("a number below the count")
    }

    /// The stage after a board move: the countdown goes on, all else stays as it is but for a
    /// declaration, which is accepted.
    pub fn after_move(self) -> Stage {
        let mode = match self.mode {
            Mode::Option1(left) => Mode::Option1(left.saturating_sub(1)),
            Mode::Declared => Mode::Accepted,
            mode => mode,
        };
        Stage { mode, ..self }
    }

    /// Whether `hero` gains something by perpetual check.
    pub fn rewards_perpetual(self, hero: Color) -> bool {
        self.value(Finish::PerpetualCheck(hero)) != self.infinite()
    }

    /// A kept score of a position with `side` to move as tables of results tell it; for solving,
    /// what is not told is as near as can be.
    pub fn without_distance(self, kept: Cell, side: Color) -> Cell {
        if self.is_passing() {
            kept
        } else {
            crate::answer::score::without_distance(kept, side, self.infinite())
        }
    }

    /// The men of a material, in their order.
    pub fn men(self, material: &crate::index::Material) -> Vec<Man> {
        material.men().into_iter().map(|man| self.man(man)).collect()
    }
}

impl fmt::Display for Stage {
    /// The mode as in FEN, and the letter of the disk's owner: `option1:3 w`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.mode)?;
        self.disk.map_or(Ok(()), |owner| write!(f, " {}", owner.letter()))
    }
}

/// Where points stand on the ladder: −5 for 0 points of White's, 0 for 50, 5 for 100.
pub fn value_of(points: Points) -> i32 {
    let place = Points::ALL.iter().position(|&p| p == points);
    place.expect("every number of points is listed") as i32 - 5
}

/// The points of a value; `None` beyond −5 to 5.
pub fn points_of(value: i32) -> Option<Points> {
    usize::try_from(value + 5).ok().and_then(|place| Points::ALL.get(place).copied())
}

/// The board with a King in place of a disk, as tables know it.
pub fn crowned(board: &Board) -> Board {
    let mut crowned = *board;
    for square in board.with(Role::Disk) {
        if let Some(man) = board.get(square) {
            crowned.put(square, Man::new(man.color, Role::King));
        }
    }
    crowned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_numbered_in_order() {
        let stages: Vec<Stage> = Stage::all().collect();
        assert_eq!(stages.len(), Stage::COUNT);
        for (number, stage) in stages.iter().enumerate() {
            assert_eq!(stage.number(), number, "{stage}");
            assert_eq!(Stage::numbered(number), *stage);
            assert_eq!(stage.swap_colors().swap_colors(), *stage);
            assert_eq!(stage.swap_colors().infinite(), -stage.infinite());
        }
        assert_eq!(Stage::refused(Color::White).infinite(), 5);
        assert_eq!(Stage::with_disk(Mode::Option1(3), Color::White).to_string(), "option1:3 w");
    }

    #[test]
    fn perpetual_check_is_rewarded_by_the_point_table() {
        let rewards = |stage: Stage| Color::ALL.map(|hero| stage.rewards_perpetual(hero));
        assert_eq!(rewards(Stage::NORMAL), [true, true]);
        assert_eq!(rewards(Stage::with_disk(Mode::Accepted, Color::White)), [false, true]);
        assert_eq!(rewards(Stage::with_disk(Mode::Option1(0), Color::White)), [false, false]);
        assert_eq!(rewards(Stage::refused(Color::White)), [false, false]);
    }
}
