//! Tiebraker Chess: 100 points to split, and once in a game a King may be staked for an attack.
//!
//! The moves are orthodox. Instead of moving, a player not in check may declare, once in a game
//! between the two: the King becomes a disk, which never moves. The other player accepts by
//! moving, from when on whoever can capture must capture or give check; or turns the declaration
//! around (option 1); or refuses it (option 2). What the ways to finish are worth depends on that.
//!
//! The FEN has one field of its own, the mode, after the en passant field: `normal` (which may be
//! left out), `declared`, `accepted`, `option1:<plies left>`, `option2:<w or b, who declared>`.
//! Disks are written `D` and `d` and must fit the mode. The en passant square is kept and written
//! only if a capture there is legal.

use std::collections::HashMap;

use super::{
    Ending, Game, MatchRule, OptionError, Replay, RuleOptions, TurnError,
    chess::{Castling, Move, Setup},
    claim::{Conclusion, DrawClaim, conclusion},
    fen::{self, FenError, Frame},
    laws::Laws,
    notation::{self, OPTION_1, OPTION_2, SAN_DECLARATION, UCI_DECLARATION, Written},
    tiebraker_score::{Finish, Mode, TiebrakerEnding},
};
use crate::board::{Board, ByColor, Color, Man, Role, RoleSet, Square};

/// The game, which has no options.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Tiebraker;

/// A position of Tiebraker Chess.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TiebrakerPosition {
    /// The men and the standard fields.
    pub setup: Setup,
    /// What has become of the declaration. In a game that the twentieth ply after option 1 ended,
    /// the countdown stays at 1, since such an end still counts as one before the compulsion.
    pub mode: Mode,
}

/// A turn of Tiebraker Chess.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TiebrakerTurn {
    /// A board move; it accepts a declaration just made.
    Move(Move),
    /// The mover's King becomes a disk.
    Declare,
    /// The declarer has the King back, and the mover's King becomes a disk.
    Option1,
    /// The declarer has the King back.
    Option2,
}

/// A mode that does not fit the rest of a FEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModeMismatch {
    /// Both sides have one.
    #[error("both kings are disks; at most one player has a disk")]
    TwoDisks,
    /// A disk where there is none.
    #[error(
        "{owner}'s king is a disk, but mode {mode} has none; write {king}, or declared, accepted or option1:<0 to 20> for the mode"
    )]
    Disk {
        /// Whose King is a disk.
        owner: Color,
        /// The mode.
        mode: Mode,
        /// The letter of the King.
        king: char,
    },
    /// No disk where there must be one.
    #[error("mode {mode} needs a disk; write {letters} for the king of the player {owner}")]
    NoDisk {
        /// The mode.
        mode: Mode,
        /// What can be written.
        letters: &'static str,
        /// Who has it, in words.
        owner: &'static str,
    },
    /// The wrong side moves.
    #[error("in mode {mode} with {owner}'s king a disk it must be {expected}'s turn")]
    Turn {
        /// The mode.
        mode: Mode,
        /// Whose King is a disk.
        owner: Color,
        /// Whose turn it must be.
        expected: Color,
    },
    /// A countdown out of range.
    #[error("`{0}` plies left is out of range; option1:<k> counts from 20 down to 0")]
    Countdown(String),
    /// A castling right of a disk.
    #[error(
        "{owner}'s king is a disk in mode {mode} and can no longer castle; leave out its castling rights"
    )]
    Castling {
        /// Whose King is a disk.
        owner: Color,
        /// The mode.
        mode: Mode,
    },
    /// A check right after a declaration.
    #[error("{checked} cannot be in check right after {owner}'s declaration, which gives none")]
    Check {
        /// Whose turn it is.
        checked: Color,
        /// Who declared.
        owner: Color,
    },
    /// An en passant right right after a declaration.
    #[error("en passant square {0} cannot be: the right lapses with a declaration; write -")]
    EnPassant(Square),
}

impl From<ModeMismatch> for FenError {
    fn from(problem: ModeMismatch) -> FenError {
        FenError::game(problem)
    }
}

/// The men of the game.
const ROLES: RoleSet = RoleSet::ORTHODOX.with(Role::Disk, true);

impl TiebrakerPosition {
    /// Whose King is a disk.
    pub fn disk(&self) -> Option<Color> {
        let disk = self.setup.board.with(Role::Disk).first()?;
        self.setup.board.get(disk).map(|man| man.color)
    }

    /// The position without the counters of its FEN, which make no other position.
    pub fn identity(&self) -> TiebrakerPosition {
        TiebrakerPosition { setup: self.setup.identity(), mode: self.mode }
    }

    /// The legal board moves: those of orthodox chess, disks staying where they are; where
    /// captures are compulsory and one is legal, only those that capture or give check, unless
    /// the mover is in check.
    pub fn board_moves(&self) -> Vec<Move> {
        let setup = &self.setup;
        let mut moves = setup.moves(&Laws::ORTHODOX);
        if self.mode.is_compulsory()
            && moves.iter().any(|&mv| setup.is_capture(mv))
            && !setup.in_check(setup.to_move)
        {
            moves.retain(|&mv| setup.is_capture(mv) || setup.play(mv).in_check(!setup.to_move));
        }
        moves
    }

    /// The ending, if the mover has no turn. Only an answer to a declaration needs no move.
    fn ending(&self) -> Option<TiebrakerEnding> {
        let mover = self.setup.to_move;
        let in_check = self.setup.in_check(mover);
        let can_reject = self.mode == Mode::Declared && !in_check;
        // Where captures are compulsory, there still is one.
        (!can_reject && !self.setup.has_move(&Laws::ORTHODOX)).then(|| {
            self.ended(if in_check { Finish::Checkmate(!mover) } else { Finish::Stalemate(!mover) })
        })
    }

    /// What it is worth to finish so in this mode.
    pub fn ended(&self, finish: Finish) -> TiebrakerEnding {
        TiebrakerEnding { finish, points: self.mode.points(self.disk(), finish) }
    }

    /// The King of `color` as `role`, King or disk.
    fn set_king(&mut self, color: Color, role: Role) {
        if let Some(square) = self.setup.board.king(color) {
            self.setup.board.put(square, Man::new(color, role));
        }
    }

    /// Ends the castling rights of the player with a disk.
    fn drop_castling(&mut self) {
        if let Some(owner) = self.disk() {
            self.setup.castling = self.setup.castling.without(self.setup.castling.of(owner));
        }
    }

    fn play(&self, turn: TiebrakerTurn) -> TiebrakerPosition {
        let mover = self.setup.to_move;
        let TiebrakerTurn::Move(mv) = turn else {
            let mut next = TiebrakerPosition { setup: self.setup.pass(), mode: Mode::Declared };
            if turn == TiebrakerTurn::Declare {
                next.set_king(mover, Role::Disk);
                return next;
            }
            next.set_king(!mover, Role::King);
            if turn == TiebrakerTurn::Option2 {
                next.mode = Mode::Option2(!mover);
            } else {
                next.mode = Mode::Option1(Mode::COUNTDOWN);
                next.set_king(mover, Role::Disk);
                next.drop_castling();
            }
            return next;
        };
        let mut next = TiebrakerPosition { setup: self.setup.play(mv), mode: self.mode };
        next.setup.drop_idle_en_passant(&Laws::ORTHODOX);
        match self.mode {
            Mode::Declared => {
                next.mode = Mode::Accepted;
                next.drop_castling();
            }
            Mode::Option1(left) => {
                next.mode = Mode::Option1(left.saturating_sub(1));
                if left == 1 && next.ending().is_some() {
                    next.mode = self.mode;
                }
            }
            Mode::Normal | Mode::Accepted | Mode::Option2(_) => {}
        }
        next
    }

    /// Whether the mode fits disks, turn and rights.
    fn check_mode(&self) -> Result<(), ModeMismatch> {
        let Setup { board, to_move, castling, en_passant, .. } = &self.setup;
        let (mode, to_move) = (self.mode, *to_move);
        if board.with(Role::Disk).len() > 1 {
            return Err(ModeMismatch::TwoDisks);
        }
        let needs = |owner| ModeMismatch::NoDisk { mode, letters: "D or d", owner };
        match (mode, self.disk()) {
            (Mode::Normal | Mode::Option2(_), Some(owner)) => {
                let king = Man::new(owner, Role::King).letter();
                Err(ModeMismatch::Disk { owner, mode, king })
            }
            (Mode::Normal | Mode::Option2(_), None) => Ok(()),
            (Mode::Declared, None) => {
                let letters = match to_move {
                    Color::White => "d",
                    Color::Black => "D",
                };
                Err(ModeMismatch::NoDisk { mode, letters, owner: "not on move" })
            }
            (Mode::Accepted, None) => Err(needs("who declared")),
            (Mode::Option1(_), None) => Err(needs("who chose option 1")),
            (Mode::Declared, Some(owner)) if owner == to_move => {
                Err(ModeMismatch::Turn { mode, owner, expected: !owner })
            }
            (Mode::Option1(left), Some(owner))
                if left > 0 && (left % 2 == 1) != (owner == to_move) =>
            {
                Err(ModeMismatch::Turn { mode, owner, expected: !to_move })
            }
            (Mode::Declared, Some(owner)) if self.setup.in_check(to_move) => {
                Err(ModeMismatch::Check { checked: to_move, owner })
            }
            // Rejected, the declarer has the King back and may castle with it.
            (Mode::Declared, Some(_)) => {
                en_passant.map_or(Ok(()), |square| Err(ModeMismatch::EnPassant(square)))
            }
            (Mode::Accepted | Mode::Option1(_), Some(owner)) => {
                if castling.of(owner) == Castling::NONE {
                    Ok(())
                } else {
                    Err(ModeMismatch::Castling { owner, mode })
                }
            }
        }
    }
}

/// Reads the mode field; the inner result is about the countdown.
fn read_mode(text: &str) -> Option<Result<Mode, ModeMismatch>> {
    let mode = match text {
        "normal" => Mode::Normal,
        "declared" => Mode::Declared,
        "accepted" => Mode::Accepted,
        "option2:w" => Mode::Option2(Color::White),
        "option2:b" => Mode::Option2(Color::Black),
        _ => {
            let left = text.strip_prefix("option1:")?;
            let count = left.parse().ok().filter(|&count| count <= Mode::COUNTDOWN);
            let count = count.filter(|_| left.bytes().all(|byte| byte.is_ascii_digit()));
            return Some(
                count.map(Mode::Option1).ok_or_else(|| ModeMismatch::Countdown(left.to_owned())),
            );
        }
    };
    Some(Ok(mode))
}

/// Whether a position has come about three times within the last plies of the record, as far back
/// as every move of `by` gives check.
fn repeats_in_check(replay: &Replay<Tiebraker>, by: Color) -> bool {
    let checks = replay.plies.iter().rev().take_while(|ply| {
        let after = &ply.after.setup;
        ply.before.setup.to_move != by || after.in_check(!by)
    });
    let mut times = HashMap::new();
    let positions = checks.map(|ply| &ply.before).chain([replay.last()]);
    positions.into_iter().any(|position| {
        let times = times.entry(position.identity()).or_insert(0);
        *times += 1;
        *times == 3
    })
}

impl Tiebraker {
    /// The name used in commands, folders and table headers.
    pub const NAME: &'static str = "tiebraker";
}

impl Game for Tiebraker {
    type Position = TiebrakerPosition;
    type Turn = TiebrakerTurn;
    type Ending = TiebrakerEnding;

    const MATCH: MatchRule = MatchRule::Points;

    fn name(&self) -> &'static str {
        Tiebraker::NAME
    }

    fn with_options(&self, _: &mut RuleOptions) -> Result<Tiebraker, OptionError> {
        Ok(Tiebraker)
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    fn initial(&self) -> TiebrakerPosition {
        TiebrakerPosition { setup: Setup::initial(), mode: Mode::Normal }
    }

    fn parse_fen(&self, fen: &str) -> Result<TiebrakerPosition, FenError> {
        let mut frame = Frame::read(fen)?;
        let board = frame.board(ROLES)?;
        fen::one_king_each(&board)?;
        let mode = frame.take(read_mode).map_or(Ok(Mode::Normal), |(_, mode)| mode)?;
        let expected = "the mode is normal, declared, accepted, option1:<0 to 20>, option2:w or \
                        option2:b, and only the two counters may follow";
        let setup = frame.setup(board, &Laws::ORTHODOX, expected)?;
        let mut position = TiebrakerPosition { setup, mode };
        position.check_mode()?;
        position.setup.drop_idle_en_passant(&Laws::ORTHODOX);
        Ok(position)
    }

    /// The canonical FEN. If the twentieth ply after option 1 has ended the game, it shows
    /// `option1:1` with the other player to move, which is not read back.
    fn fen(&self, position: &TiebrakerPosition) -> String {
        fen::write(&position.setup, &Laws::ORTHODOX, "", &[position.mode.to_string()])
    }

    fn board<'p>(&self, position: &'p TiebrakerPosition) -> &'p Board {
        &position.setup.board
    }

    fn to_move(&self, position: &TiebrakerPosition) -> Color {
        position.setup.to_move
    }

    fn is_check(&self, position: &TiebrakerPosition) -> bool {
        position.setup.in_check(position.setup.to_move)
    }

    fn turns(&self, position: &TiebrakerPosition) -> Vec<TiebrakerTurn> {
        let mut turns: Vec<_> =
            position.board_moves().into_iter().map(TiebrakerTurn::Move).collect();
        if !position.setup.in_check(position.setup.to_move) {
            match position.mode {
                Mode::Normal if !turns.is_empty() => turns.push(TiebrakerTurn::Declare),
                Mode::Declared => turns.extend([TiebrakerTurn::Option1, TiebrakerTurn::Option2]),
                _ => {}
            }
        }
        turns
    }

    fn play(&self, position: &TiebrakerPosition, turn: TiebrakerTurn) -> TiebrakerPosition {
        position.play(turn)
    }

    fn ending(&self, position: &TiebrakerPosition) -> Option<TiebrakerEnding> {
        position.ending()
    }

    /// As the last position says, or by perpetual check if a position has come about three times
    /// and one player, but not the other, has given check with every move from its first time to
    /// the end of the record; else a draw that the record says is agreed on, or that its last
    /// position lets a player claim, and a player has resigned if the record gives the game away.
    fn result(&self, replay: &Replay<Tiebraker>) -> Option<TiebrakerEnding> {
        let last = replay.last();
        let perpetual = |by| {
            let ending = last.ended(Finish::PerpetualCheck(by));
            (repeats_in_check(replay, by) && !repeats_in_check(replay, !by)).then_some(ending)
        };
        let concluded = || {
            let ahead = last.ended(Finish::Claim(DrawClaim::Agreement)).winner();
            let identity = TiebrakerPosition::identity;
            let finish = match conclusion(replay, |position| &position.setup, identity, ahead)? {
                Conclusion::Drawn(claim) => Finish::Claim(claim),
                Conclusion::Resigned(by) => Finish::Resignation(by),
            };
            Some(last.ended(finish))
        };
        last.ending().or_else(|| Color::ALL.into_iter().find_map(perpetual)).or_else(concluded)
    }

    fn points(&self, replay: &Replay<Tiebraker>) -> Option<ByColor<i64>> {
        let points = self.result(replay)?.points;
        Some(ByColor::new(|color| points.of(color).into()))
    }

    /// Whether nobody has declared. It is scored as this game is, too.
    fn is_normal(&self, replay: &Replay<Tiebraker>) -> bool {
        replay.last().mode == Mode::Normal
    }

    fn uci(&self, _: &TiebrakerPosition, turn: TiebrakerTurn) -> String {
        match turn {
            TiebrakerTurn::Move(mv) => mv.to_string(),
            TiebrakerTurn::Declare => UCI_DECLARATION.to_owned(),
            TiebrakerTurn::Option1 => OPTION_1.to_owned(),
            TiebrakerTurn::Option2 => OPTION_2.to_owned(),
        }
    }

    fn san(&self, position: &TiebrakerPosition, turn: TiebrakerTurn) -> String {
        match turn {
            TiebrakerTurn::Move(mv) => {
                let next = position.play(turn);
                let check = next.setup.in_check(next.setup.to_move);
                notation::san(&position.setup, &position.board_moves(), mv)
                    + notation::check_sign(check, next.ending().is_some())
            }
            TiebrakerTurn::Declare => SAN_DECLARATION.to_owned(),
            TiebrakerTurn::Option1 | TiebrakerTurn::Option2 => self.uci(position, turn),
        }
    }

    fn parse_turn(
        &self,
        position: &TiebrakerPosition,
        text: &str,
    ) -> Result<TiebrakerTurn, TurnError> {
        let written = Written::read(text);
        notation::choose(self, position, text, |turn| {
            written.is_some_and(|written| match turn {
                TiebrakerTurn::Move(mv) => written.fits(&position.setup, mv),
                TiebrakerTurn::Declare => written == Written::Declaration,
                TiebrakerTurn::Option1 => written == Written::Option1,
                TiebrakerTurn::Option2 => written == Written::Option2,
            })
        })
    }

    /// The mode, where the turn has changed it, and the points, if it ended the game.
    fn comment(
        &self,
        before: &TiebrakerPosition,
        _: TiebrakerTurn,
        after: &TiebrakerPosition,
    ) -> Option<String> {
        match after.ending() {
            Some(ending) => Some(ending.points.to_string()),
            None => (after.mode != before.mode).then(|| after.mode.to_string()),
        }
    }
}

#[cfg(test)]
mod tests;
