//! Orthodox chess in the shape of lila-tablebase, the server behind tablebase.lichess.ovh, so that
//! programs written for it work with ours.
//!
//! Our tables know the distance to mate and nothing of the fifty-move rule. So what that server
//! takes from other tables is null: `dtz`, `precise_dtz`, `dtc`, `dtw`; but in a line `dtz` is how
//! far it is, in that line, to the next capture or pawn move, for clients want a number there. A
//! result is certain if mate comes before the rule can; if it may come too late, the category is
//! `maybe-win` or `maybe-loss`.

use std::{cmp::Reverse, sync::Arc};

use serde::Serialize;

use crate::{
    answer::{Plies, Wdl, WinDrawLoss},
    board::{Bitboard, Color, Role},
    explore::{Advice, LONGEST_LINE, Refusal},
    probe::{ProbeError, TableDirectories, Tablebase},
    rules::{FenError, Game, Setup, Variant},
    study::{LineEnd, best_line},
};

/// Plies without capture or pawn move after which a draw can be claimed.
const CLAIM: u32 = 100;

/// A result for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Category {
    Loss,
    Unknown,
    MaybeLoss,
    BlessedLoss,
    Draw,
    CursedWin,
    MaybeWin,
    Win,
}

impl Category {
    fn turned(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::Unknown => Category::Unknown,
            Category::MaybeLoss => Category::MaybeWin,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::MaybeWin => Category::MaybeLoss,
            Category::Win => Category::Loss,
        }
    }
}

/// What is said of a position. The fields that are always null stand for what we do not have.
#[derive(Clone, Debug, Serialize)]
struct PositionInfo {
    checkmate: bool,
    stalemate: bool,
    variant_win: bool,
    variant_loss: bool,
    insufficient_material: bool,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    /// Plies to mate, negative if the side to move is mated; 0 in a draw, null once mated.
    dtm: Option<i32>,
    dtw: Option<i32>,
    dtc: Option<i32>,
    category: Category,
}

#[derive(Clone, Debug, Serialize)]
struct MoveInfo {
    uci: String,
    san: String,
    zeroing: bool,
    conversion: bool,
    #[serde(skip)]
    capture: bool,
    #[serde(flatten)]
    position: PositionInfo,
}

impl MoveInfo {
    /// Best first: the worse for the opponent, then the sooner it is lost or the later won. Who
    /// is not losing likes to capture and to move pawns, as on that server.
    fn rank(&self) -> impl Ord + use<> {
        let position = &self.position;
        let losing = position.dtm.is_some_and(|dtm| dtm > 0);
        (
            position.category,
            Reverse(position.checkmate),
            (Reverse(position.stalemate), Reverse(position.insufficient_material)),
            position.dtm.map_or(0, |dtm| -dtm),
            self.zeroing == losing,
            self.capture == losing,
        )
    }
}

/// The answer of `/standard`.
#[derive(Clone, Debug, Serialize)]
pub struct Response {
    #[serde(flatten)]
    position: PositionInfo,
    moves: Vec<MoveInfo>,
}

#[derive(Clone, Debug, Serialize)]
struct MainlineStep {
    uci: String,
    san: String,
    /// After the move, as [`dtm`](MainlineStep::dtm) is; -1 once mated.
    dtz: i32,
    precise_dtz: Option<i32>,
    dtm: Option<i32>,
}

/// The answer of `/standard/mainline`.
#[derive(Clone, Debug, Serialize)]
pub struct Mainline {
    mainline: Vec<MainlineStep>,
    /// `w`, `b`, or null for a draw.
    winner: Option<char>,
    /// Plies to the next capture, pawn move or mate of the line, negative for who loses; 0 in a
    /// draw.
    dtz: i32,
    precise_dtz: Option<i32>,
    dtm: Option<i32>,
}

/// Orthodox chess by its type.
#[derive(Clone)]
pub struct Standard {
    tables: Arc<Tablebase<Variant>>,
    advice: Advice,
}

impl Standard {
    /// The orthodox tables of the server's folder.
    pub fn new(directories: TableDirectories, advice: Advice) -> Standard {
        let tables = Tablebase::on(Variant::orthodox(), directories);
        Standard { tables: Arc::new(tables), advice }
    }

    fn refuse(&self, error: ProbeError) -> Refusal {
        Refusal::of(error, self.advice)
    }

    /// A position and its moves. What tables do not cover or are not there for is `unknown`.
    ///
    /// # Errors
    /// If the FEN is wrong or a table is damaged.
    pub fn probe(&self, fen: &str) -> Result<Response, Refusal> {
        let setup = self.read(fen)?;
        let game = self.tables.game();
        let mut moves = Vec::new();
        for mv in game.turns(&setup) {
            let capture = setup.is_capture(mv);
            moves.push(MoveInfo {
                uci: game.uci(&setup, mv),
                san: game.san(&setup, mv),
                zeroing: capture || setup.is_pawn_move(mv),
                conversion: capture || mv.promotion.is_some(),
                capture,
                position: self.info(&game.play(&setup, mv), setup.halfmove)?,
            });
        }
        moves.sort_by_key(MoveInfo::rank);
        let mut position = self.info(&setup, setup.halfmove.saturating_sub(1))?;
        if let Some(best) = moves.first() {
            position.category = best.position.category.turned();
        }
        Ok(Response { position, moves })
    }

    /// Best play to the end, or to the claim of a draw by the fifty-move rule.
    ///
    /// # Errors
    /// If the FEN is wrong, no table covers the position, or one is missing or damaged.
    pub fn mainline(&self, fen: &str) -> Result<Mainline, Refusal> {
        let setup = self.read(fen)?;
        let game = self.tables.game();
        let answer = self.tables.answer(&setup).map_err(|error| self.refuse(error))?;
        let mut mainline = Vec::new();
        let (mut winner, mut dtz) = (None, 0);
        if answer.wdl != Wdl::Draw {
            let line = best_line(&self.tables, &setup, LONGEST_LINE)
                .map_err(|error| self.refuse(error))?;
            let claimed = line.plies.iter().position(|ply| ply.before.halfmove >= CLAIM);
            let plies = &line.plies[..claimed.unwrap_or(line.plies.len())];
            // From the end: how far it is from the position before each move.
            let mut away = 0;
            let sign = |answer: &WinDrawLoss| if answer.wdl == Wdl::Win { 1 } else { -1 };
            for ply in plies.iter().rev() {
                let zeroing = ply.before.is_capture(ply.turn) || ply.before.is_pawn_move(ply.turn);
                mainline.push(MainlineStep {
                    uci: game.uci(&ply.before, ply.turn),
                    san: game.san(&ply.before, ply.turn),
                    dtz: sign(&ply.answer) * away.max(1),
                    precise_dtz: None,
                    dtm: signed(&ply.answer),
                });
                away = if zeroing { 1 } else { away + 1 };
            }
            mainline.reverse();
            dtz = sign(&answer) * away;
            let last = plies.last().map_or(&setup, |ply| &ply.after);
            let mated = claimed.is_none() && line.end == LineEnd::Over;
            winner = mated.then(|| (!last.to_move).letter());
        }
        Ok(Mainline { mainline, winner, dtz, precise_dtz: None, dtm: signed(&answer) })
    }

    /// Reads a FEN as forgivingly as that server: castling rights and en passant squares that
    /// cannot be are left out.
    fn read(&self, fen: &str) -> Result<Setup, Refusal> {
        let mut fields: Vec<String> =
            fen.split(['_', ' ']).filter(|field| !field.is_empty()).map(str::to_owned).collect();
        loop {
            let (at, without) = match self.tables.game().parse_fen(&fields.join(" ")) {
                Ok(setup) => return Ok(setup),
                Err(FenError::CastlingHome { right, .. }) => {
                    let left = fields[2].replace(right, "");
                    (2, if left.is_empty() { "-".to_owned() } else { left })
                }
                Err(FenError::EnPassantRank { .. } | FenError::EnPassantPawn { .. }) => {
                    (3, "-".to_owned())
                }
                Err(error) => return Err(error.into()),
            };
            fields[at] = without;
        }
    }

    /// What is said of a position before which the halfmove counter stood at `halfmoves`.
    fn info(&self, setup: &Setup, halfmoves: u32) -> Result<PositionInfo, Refusal> {
        let game = self.tables.game();
        let over = game.turns(setup).is_empty();
        let checkmate = over && setup.in_check(setup.to_move);
        let answer = match self.tables.answer(setup) {
            Ok(answer) => Some(answer),
            Err(ProbeError::Unanswerable(_)) => None,
            Err(error) if error.missing().is_some() => None,
            Err(error) => return Err(self.refuse(error)),
        };
        let insufficient_material = Color::ALL.iter().all(|&color| cannot_mate(setup, color));
        let drawn = (over && !checkmate) || insufficient_material;
        let category = match answer {
            _ if drawn => Category::Draw,
            _ if checkmate && halfmoves < CLAIM => Category::Loss,
            _ if checkmate => Category::BlessedLoss,
            None => Category::Unknown,
            Some(answer) => category(&answer, setup.halfmove, halfmoves),
        };
        Ok(PositionInfo {
            checkmate,
            stalemate: over && !checkmate,
            variant_win: false,
            variant_loss: false,
            insufficient_material,
            dtz: None,
            precise_dtz: None,
            dtm: answer.as_ref().and_then(signed),
            dtw: None,
            dtc: None,
            category,
        })
    }
}

/// The category of a position: its halfmove counter is `now` and was `before` one ply ago.
fn category(answer: &WinDrawLoss, now: u32, before: u32) -> Category {
    // Tables of results alone do not tell them.
    let plies = answer.dtm.map_or(u32::MAX, |plies| plies.0.into());
    let (cursed, sure) = (before >= CLAIM, plies.saturating_add(now) <= CLAIM);
    match answer.wdl {
        Wdl::Draw => Category::Draw,
        Wdl::Win if cursed => Category::CursedWin,
        Wdl::Win if sure => Category::Win,
        Wdl::Win => Category::MaybeWin,
        Wdl::Loss if cursed => Category::BlessedLoss,
        Wdl::Loss if sure => Category::Loss,
        Wdl::Loss => Category::MaybeLoss,
    }
}

/// Plies to mate, negative if the side to move is mated; 0 in a draw, none once mated.
fn signed(answer: &WinDrawLoss) -> Option<i32> {
    match (answer.wdl, answer.dtm) {
        (Wdl::Draw, _) => Some(0),
        (_, None | Some(Plies::ZERO)) => None,
        (Wdl::Win, Some(plies)) => Some(plies.0.into()),
        (Wdl::Loss, Some(plies)) => Some(-i32::from(plies.0)),
    }
}

/// Whether no sequence of legal moves lets a side mate.
fn cannot_mate(setup: &Setup, color: Color) -> bool {
    let board = &setup.board;
    let own = |role| board.men(color, role);
    if [Role::Pawn, Role::Rook, Role::Queen].iter().any(|&role| !own(role).is_empty()) {
        return false;
    }
    if !own(Role::Knight).is_empty() {
        // One knight mates a king that is shut in by a man of its own other than a queen.
        let helpers = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
        let helped = helpers.iter().any(|&role| !board.men(!color, role).is_empty());
        return board.of(color).len() == 2 && !helped;
    }
    if !own(Role::Bishop).is_empty() {
        // Bishops on one colour need a man that can block the other.
        let bishops = board.with(Role::Bishop);
        let one_colour =
            !bishops.intersects(Bitboard::DARK) || !bishops.intersects(Bitboard(!Bitboard::DARK.0));
        let blocked = [Role::Pawn, Role::Knight].iter().any(|&role| !board.with(role).is_empty());
        return one_colour && !blocked;
    }
    true
}
