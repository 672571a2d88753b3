//! What a move or a draw scores, and why.

use std::fmt;

use super::ScoreSheet;
use crate::rules::CountMen;
use crate::{
    board::{Bitboard, Board, Color, Movements, Role, Square, king_attacks},
    rules::{
        Laws,
        chess::{Move, Setup},
    },
};

/// Points with their reason.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Award {
    /// What they are given for.
    pub reason: Reason,
    /// How many; below 0 only in a draw between more than full armies.
    pub points: i32,
}

/// What points are given for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A capture.
    Capture {
        /// The capturing man.
        by: Role,
        /// Whether it captured along a diagonal.
        diagonal: bool,
        /// The captured man.
        of: Role,
    },
    /// A promotion that does not mate.
    Promotion(Role),
    /// A checkmate, by the checking man that counts.
    Mate {
        /// What it is.
        by: Role,
        /// Whether it stands next to the King.
        adjacent: bool,
    },
    /// The checking man that counts is the pawn just promoted.
    Promoted,
    /// A man that did not move gives check.
    LineOpened,
    /// The moved man now attacks these squares next to the King, which were safe before.
    SafeSquares(Bitboard),
    /// A draw with less force than the opponent.
    LessForce {
        /// How much less.
        difference: i32,
        /// How much less than that of a full army; below 0 if it is more.
        lack: i32,
    },
    /// The last capture of a game in which neither side can mate any more.
    LastCapture,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::Capture { by, diagonal, of } => {
                write!(f, "{} takes {}", title(by), title(of))?;
                match (by, diagonal) {
                    (Role::Queen, true) => f.write_str(" along a diagonal"),
                    (Role::Queen, false) => f.write_str(" along a line"),
                    _ => Ok(()),
                }
            }
            Reason::Promotion(role) => write!(f, "Pawn becomes {}", title(role)),
            Reason::Mate { by: by @ (Role::Pawn | Role::Knight), .. } => {
                write!(f, "{} gives check", title(by))
            }
            Reason::Mate { by, adjacent: true } => {
                write!(f, "{} gives check next to the King", title(by))
            }
            Reason::Mate { by, adjacent: false } => {
                write!(f, "{} gives check from a distance", title(by))
            }
            Reason::Promoted => f.write_str("just promoted"),
            Reason::LineOpened => f.write_str("line opened"),
            Reason::SafeSquares(squares) => {
                let plural = if Bitboard::len(squares) == 1 { "" } else { "s" };
                let names: Vec<String> = squares.map(|square| square.to_string()).collect();
                write!(f, "safe square{plural} {} taken", names.join(" "))
            }
            Reason::LessForce { difference, lack } => {
                write!(f, "force less by {difference} than the opponent's, by {lack} than full")
            }
            Reason::LastCapture => f.write_str("last capture"),
        }
    }
}

impl fmt::Display for Award {
    /// The reason and the points: `line opened 50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.reason, self.points)
    }
}

fn title(role: Role) -> &'static str {
    if role == Role::Pawn { "Pawn" } else { role.title() }
}

/// Whether neither side can mate any more: bare Kings, or one Bishop or Knight beside them.
pub fn is_dead(men: &impl CountMen) -> bool {
    let count = |role| Color::ALL.into_iter().map(|c| men.count_men(c, role)).sum::<usize>();
    let minors = count(Role::Bishop) + count(Role::Knight);
    minors <= 1 && [Role::Pawn, Role::Rook, Role::Queen].into_iter().all(|role| count(role) == 0)
}

/// The role of the man a move captures, if it captures.
pub fn captured(setup: &Setup, mv: Move) -> Option<Role> {
    let role = setup.board.get(mv.to).map_or(Role::Pawn, |man| man.role);
    setup.is_capture(mv).then_some(role)
}

impl ScoreSheet {
    /// What a legal move scores for its mover, in the order captures, mate or promotion.
    pub fn awards(&self, setup: &Setup, mv: Move) -> Vec<Award> {
        let mut awards: Vec<Award> = self.capture_award(setup, mv).into_iter().collect();
        let after = setup.play(mv);
        if after.is_checkmate(&Laws::ORTHODOX) {
            awards.extend(self.mate_awards(setup, mv, &after.board));
        } else if let Some(role) = mv.promotion {
            let points = self.promotion_points(role);
            awards.push(Award { reason: Reason::Promotion(role), points });
        }
        awards
    }

    fn capture_award(&self, setup: &Setup, mv: Move) -> Option<Award> {
        let of = captured(setup, mv)?;
        let by = setup.board.get(mv.from)?.role;
        let diagonal = mv.from.file() != mv.to.file() && mv.from.rank() != mv.to.rank();
        let points = self.capture_points(by, diagonal, of);
        Some(Award { reason: Reason::Capture { by, diagonal, of }, points })
    }

    /// The points for a capture, `diagonal` or not.
    pub fn capture_points(&self, by: Role, diagonal: bool, of: Role) -> i32 {
        let row = match by {
            Role::Pawn => &self.capture.pawn,
            Role::Bishop => &self.capture.bishop,
            Role::Knight => &self.capture.knight,
            Role::Rook => &self.capture.rook,
            Role::Queen if diagonal => &self.capture.queen_diagonal,
            Role::Queen => &self.capture.queen_orthogonal,
            Role::King => &self.capture.king,
            _ => return 0,
        };
        row.get(of)
    }

    /// The points for a promotion that does not mate.
    pub fn promotion_points(&self, role: Role) -> i32 {
        self.promotion.get(role)
    }

    /// What a move that mates and leaves the men as on `after` scores for the mate alone, without
    /// what it captures.
    pub fn mate_awards(
        &self,
        setup: &Setup,
        mv: Move,
        after: &Board,
    ) -> impl Iterator<Item = Award> + use<> {
        let us = setup.to_move;
        let (Some(king), Some(moved)) = (after.king(!us), after.get(mv.to)) else {
            return [None; 4].into_iter().flatten();
        };
        let checkers = after.attackers(Movements::USUAL, us, king, after.occupied());
        let is_promoted = |square: Square| mv.promotion.is_some() && square == mv.to;
        let scored = checkers.filter_map(|square| {
            let (by, adjacent) = (after.get(square)?.role, square.king_steps(king) == 1);
            let points = self.mate.get(by, adjacent);
            Some((square, Award { reason: Reason::Mate { by, adjacent }, points }))
        });
        // The least counts; of equals, the one that brings the bonus for promotion.
        let counted = scored.min_by_key(|&(square, award)| (award.points, !is_promoted(square)));
        let Some((counted, mate)) = counted else {
            return [None; 4].into_iter().flatten();
        };
        let promoted = is_promoted(counted)
            .then(|| Award { reason: Reason::Promoted, points: self.bonus.promoted.get() });
        let castled =
            setup.castling_wing(mv).map_or(Bitboard::EMPTY, |wing| wing.squares(us).rook_to.bit());
        if (checkers & !(mv.to.bit() | castled)).is_empty() {
            return [Some(mate), promoted, None, None].into_iter().flatten();
        }
        let points = self.bonus.line_opened.get();
        let opened = Award { reason: Reason::LineOpened, points };
        // Castling never comes here: it opens no line. Nor could the mated King have shielded a
        // square before the move, for he would have been in check.
        let safe = |square: &Square| {
            !setup.board.of(!us).contains(*square)
                && !setup.board.is_attacked_by(Movements::USUAL, us, *square)
        };
        let near = Movements::USUAL.of(moved).attacks(mv.to, after.occupied());
        let reached = king_attacks(king) & near;
        let taken: Bitboard = reached.filter(safe).collect();
        let points = self.bonus.safe_square.get();
        let taken =
            (!taken.is_empty()).then_some(Award { reason: Reason::SafeSquares(taken), points });
        [Some(mate), promoted, Some(opened), taken].into_iter().flatten()
    }

    /// The force of a side: that of all its men.
    pub fn force(&self, men: &impl CountMen, color: Color) -> i32 {
        let count = |role| men.count_men(color, role) as i32;
        let force = |role| match self.draw.force.get(role) {
            // Most kinds of men are of other games.
            0 => 0,
            each => each * count(role),
        };
        Role::ALL.into_iter().map(force).sum()
    }

    /// Who scores what if the game ends with these men as a draw; `last_capture` is the side that
    /// captured last in the game.
    pub fn draw_award(
        &self,
        men: &impl CountMen,
        last_capture: Option<Color>,
    ) -> Option<(Color, Award)> {
        if is_dead(men) {
            let points = self.draw.last_capture.get();
            return Some((last_capture?, Award { reason: Reason::LastCapture, points }));
        }
        let force = |color| self.force(men, color);
        let weaker = Color::ALL.into_iter().find(|&color| force(color) < force(!color))?;
        let difference = force(!weaker) - force(weaker);
        let lack = self.draw.full_army.get() - force(weaker);
        let points = difference + lack;
        Some((weaker, Award { reason: Reason::LessForce { difference, lack }, points }))
    }

    /// White's points minus Black's if the game ends with these men as a draw.
    pub fn draw_margin(&self, men: &impl CountMen, last_capture: Option<Color>) -> i32 {
        self.draw_award(men, last_capture).map_or(0, |(color, award)| match color {
            Color::White => award.points,
            Color::Black => -award.points,
        })
    }
}
