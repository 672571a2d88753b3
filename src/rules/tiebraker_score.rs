//! What a game of Tiebraker Chess is worth: the modes, the ways to finish, and the points.

use std::fmt;

use super::{Ending, claim::DrawClaim};
use crate::board::Color;

/// White's points out of the 100 that are split between the players.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Points(u8);

impl Points {
    /// Every number of points a game can be worth, from White's worst to White's best.
    pub const ALL: [Points; 11] = [
        Points(0),
        Points(10),
        Points(20),
        Points(40),
        Points(45),
        Points(50),
        Points(51),
        Points(60),
        Points(80),
        Points(90),
        Points(100),
    ];

    /// Half of the points each.
    pub const EVEN: Points = Points(50);

    /// The split that gives `share` points to `color`.
    const fn to(color: Color, share: u8) -> Points {
        match color {
            Color::White => Points(share),
            Color::Black => Points(100 - share),
        }
    }

    /// Perpetual check pays Black better, who began with less.
    const fn by_perpetual_check(by: Color) -> Points {
        match by {
            Color::White => Points::to(by, 51),
            Color::Black => Points::to(by, 55),
        }
    }

    /// The points of `color`, 0 to 100.
    pub const fn of(self, color: Color) -> u8 {
        match color {
            Color::White => self.0,
            Color::Black => 100 - self.0,
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "White {}, Black {}", self.of(Color::White), self.of(Color::Black))
    }
}

/// What has become of the one declaration a game may see.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// Nobody has declared.
    Normal,
    /// The player not on move has just declared and has the disk.
    Declared,
    /// The declaration holds: its maker has the disk, and captures are compulsory.
    Accepted,
    /// The declaration was turned around: its maker has the King back, the other player has the
    /// disk. So many plies are left, 20 to 0, until captures are compulsory.
    Option1(u8),
    /// The declaration of this player was refused, and both have their Kings.
    Option2(Color),
}

impl Mode {
    /// The plies without compulsion after option 1.
    pub const COUNTDOWN: u8 = 20;

    /// Whether a player not in check who can capture must capture or give check.
    pub const fn is_compulsory(self) -> bool {
        matches!(self, Mode::Declared | Mode::Accepted | Mode::Option1(0))
    }

    /// Who declared, given whose King is a disk.
    pub fn declarer(self, disk: Option<Color>) -> Option<Color> {
        match self {
            Mode::Normal => None,
            Mode::Declared | Mode::Accepted => disk,
            Mode::Option1(_) => disk.map(|owner| !owner),
            Mode::Option2(declarer) => Some(declarer),
        }
    }

    /// What a game is worth that finishes so in this mode, given whose King is a disk. To resign
    /// pays as to be mated.
    pub fn points(self, disk: Option<Color>, finish: Finish) -> Points {
        let declarer = self.declarer(disk);
        match (finish, self) {
            (Finish::Resignation(by), mode) => mode.points(disk, Finish::Checkmate(!by)),
            (Finish::Checkmate(by), Mode::Declared | Mode::Accepted) if declarer == Some(by) => {
                Points::to(by, 90)
            }
            (Finish::Checkmate(by), Mode::Option1(0)) => Points::to(by, 90),
            (Finish::Checkmate(by), Mode::Option2(declarer)) if declarer != by => {
                Points::to(by, 80)
            }
            (Finish::Checkmate(by), _) => Points::to(by, 100),
            (Finish::Stalemate(by), Mode::Option2(declarer)) if declarer == by => {
                Points::to(by, 100)
            }
            (Finish::Stalemate(by), _) => Points::to(by, 60),
            (_, Mode::Option2(declarer)) => Points::to(declarer, 100),
            (Finish::PerpetualCheck(by), Mode::Normal) => Points::by_perpetual_check(by),
            (Finish::PerpetualCheck(by), Mode::Accepted) if declarer != Some(by) => {
                Points::by_perpetual_check(by)
            }
            (Finish::PerpetualCheck(_) | Finish::Endless | Finish::Claim(_), _) => Points::EVEN,
        }
    }
}

impl fmt::Display for Mode {
    /// The field of the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Normal => f.write_str("normal"),
            Mode::Declared => f.write_str("declared"),
            Mode::Accepted => f.write_str("accepted"),
            Mode::Option1(left) => write!(f, "option1:{left}"),
            Mode::Option2(declarer) => write!(f, "option2:{}", declarer.letter()),
        }
    }
}

/// How a game finishes, and by whom.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Finish {
    /// This player mates the other.
    Checkmate(Color),
    /// This player leaves the other without a move and not in check.
    Stalemate(Color),
    /// This player gives check with every move for ever, and the other does not.
    PerpetualCheck(Color),
    /// It does not, and nobody gives perpetual check (or both do).
    Endless,
    /// The players of a record agree on a draw, or one claims it.
    Claim(DrawClaim),
    /// This player of a record resigns.
    Resignation(Color),
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finish::Checkmate(by) => write!(f, "{by} gives checkmate"),
            Finish::Stalemate(by) => write!(f, "{by} gives stalemate"),
            Finish::PerpetualCheck(by) => write!(f, "{by} gives perpetual check"),
            Finish::Endless => f.write_str("the game does not end"),
            Finish::Claim(claim) => write!(f, "drawn {claim}"),
            Finish::Resignation(by) => write!(f, "{by} resigns"),
        }
    }
}

/// How a game of Tiebraker Chess ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TiebrakerEnding {
    /// How, and by whom.
    pub finish: Finish,
    /// What it is worth.
    pub points: Points,
}

impl Ending for TiebrakerEnding {
    fn winner(&self) -> Option<Color> {
        let [white, black] = Color::ALL.map(|color| self.points.of(color));
        match white.cmp(&black) {
            std::cmp::Ordering::Greater => Some(Color::White),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Color::Black),
        }
    }

    fn is_draw(&self) -> bool {
        !matches!(self.finish, Finish::Checkmate(_) | Finish::Resignation(_))
    }

    fn resigned(&self) -> Option<Color> {
        match self.finish {
            Finish::Resignation(by) => Some(by),
            _ => None,
        }
    }
}

impl fmt::Display for TiebrakerEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.finish, self.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    /// White's points for mate, stalemate and perpetual check by White, by Black, and for other
    /// infinite play.
    fn row(mode: Mode, disk: Option<Color>) -> [u8; 7] {
        let points = |finish| mode.points(disk, finish).of(White);
        [
            points(Finish::Checkmate(White)),
            points(Finish::Stalemate(White)),
            points(Finish::PerpetualCheck(White)),
            points(Finish::Checkmate(Black)),
            points(Finish::Stalemate(Black)),
            points(Finish::PerpetualCheck(Black)),
            points(Finish::Endless),
        ]
    }

    #[test]
    fn the_point_table() {
        assert_eq!(row(Mode::Normal, None), [100, 60, 51, 0, 40, 45, 50]);
        assert_eq!(row(Mode::Accepted, Some(White)), [90, 60, 50, 0, 40, 45, 50]);
        assert_eq!(row(Mode::Accepted, Some(Black)), [100, 60, 51, 10, 40, 50, 50]);
        for disk in [Some(White), Some(Black)] {
            assert_eq!(row(Mode::Option1(0), disk), [90, 60, 50, 10, 40, 50, 50]);
            assert_eq!(row(Mode::Option1(1), disk)[..2], [100, 60]);
            assert_eq!(row(Mode::Option1(20), disk)[3..5], [0, 40]);
        }
        assert_eq!(row(Mode::Option2(White), None), [100, 100, 100, 20, 40, 100, 100]);
        assert_eq!(row(Mode::Option2(Black), None), [80, 60, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn every_value_there_is_is_listed() {
        let modes = [Mode::Normal, Mode::Accepted, Mode::Option1(0), Mode::Option1(1)];
        let options = [Mode::Option2(White), Mode::Option2(Black)];
        let mut found: Vec<u8> = modes
            .into_iter()
            .flat_map(|mode| [row(mode, Some(White)), row(mode, Some(Black))])
            .chain(options.map(|mode| row(mode, None)))
            .flatten()
            .collect();
        found.sort();
        found.dedup();
        assert_eq!(found, Points::ALL.map(|points| points.of(White)));
    }
}
