//! Orthodox, atomic and antichess in the shape of lila-tablebase, the server behind
//! tablebase.lichess.ovh, so that programs written for it work with ours.
//!
//! Our tables know the distance to the end and nothing of the fifty-move rule. So what that server
//! takes from other tables is null: `dtz`, `precise_dtz`, `dtc`; but in a line `dtz` is how far it
//! is, in that line, to the next capture or pawn move, for clients want a number there. The
//! distance is `dtw` in antichess, and `dtm` in the others: in atomic chess to mate or to the
//! explosion of a King, whichever it is. A result is certain if the end comes before the rule can;
//! if it may come too late, the category is `maybe-win` or `maybe-loss`.

use std::{cmp::Reverse, sync::Arc};

use serde::Serialize;

use super::insufficient;
use crate::{
    answer::{Plies, Wdl, WinDrawLoss},
    explore::{Advice, LONGEST_LINE, Refusal},
    probe::{ProbeError, TableDirectories, Tablebase},
    rules::{ChessEnding, Ending, FenError, Game, Setup, Variant},
    study::best_line,
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
    /// The same to the end of a game of antichess.
    dtw: Option<i32>,
    dtc: Option<i32>,
    category: Category,
}

impl PositionInfo {
    /// Plies to the end, by whichever name.
    fn distance(&self) -> Option<i32> {
        self.dtm.or(self.dtw)
    }
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
        let losing = position.distance().is_some_and(|plies| plies > 0);
        (
            position.category,
            (Reverse(position.checkmate), Reverse(position.variant_loss), position.variant_win),
            (Reverse(position.stalemate), Reverse(position.insufficient_material)),
            position.distance().map_or(0, |plies| -plies),
            self.zeroing == losing,
            self.capture == losing,
        )
    }
}

/// The answer of an address such as `/standard`.
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

/// The answer of an address such as `/standard/mainline`.
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

/// What that server knows of a game.
struct Kind {
    /// Its address without the slash.
    path: &'static str,
    /// Its name here.
    game: &'static str,
    /// Whether the men let nobody win.
    insufficient: fn(&Setup) -> bool,
    /// Whether its distance is `dtw`.
    to_win: bool,
}

/// The games of that server.
const KINDS: [Kind; 3] = [
    Kind {
        path: "standard",
        game: "orthodox",
        insufficient: insufficient::in_chess,
        to_win: false,
    },
    Kind { path: "atomic", game: "atomic", insufficient: insufficient::in_atomic, to_win: false },
    Kind {
        path: "antichess",
        game: "antichess",
        insufficient: insufficient::in_antichess,
        to_win: true,
    },
];

/// A game as that server answers it.
#[derive(Clone)]
pub struct LichessGame {
    kind: &'static Kind,
    tables: Arc<Tablebase<Variant>>,
    advice: Advice,
}

/// The games of that server over the tables of ours.
pub fn lichess_games(directories: &TableDirectories, advice: Advice) -> Vec<LichessGame> {
    let open = |kind: &'static Kind| {
        let game = Variant::named(kind.game)?;
        let tables = Arc::new(Tablebase::on(game, directories.clone()));
        Some(LichessGame { kind, tables, advice })
    };
    KINDS.iter().filter_map(open).collect()
}

impl LichessGame {
    /// Its address without the slash: `standard`.
    pub fn path(&self) -> &'static str {
        self.kind.path
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
                    dtm: self.dtm(&ply.answer),
                });
                away = if zeroing { 1 } else { away + 1 };
            }
            mainline.reverse();
            dtz = sign(&answer) * away;
            let last = plies.last().map_or(&setup, |ply| &ply.after);
            let ending = game.ending(last);
            winner = ending.and_then(|ending| Some(ending.winner()?.letter()));
        }
        Ok(Mainline { mainline, winner, dtz, precise_dtz: None, dtm: self.dtm(&answer) })
    }

    /// Reads a FEN as forgivingly as that server: castling rights and en passant squares that
    /// cannot be are left out, and so are the marks of men that were pawns (`Q~`).
    fn read(&self, fen: &str) -> Result<Setup, Refusal> {
        let mut fields: Vec<String> =
            fen.split(['_', ' ']).filter(|field| !field.is_empty()).map(str::to_owned).collect();
        if let Some(placement) = fields.first_mut() {
            placement.retain(|letter| letter != '~');
        }
        loop {
            let (at, without) = match self.tables.game().parse_fen(&fields.join(" ")) {
                Ok(setup) => return Ok(setup),
                Err(FenError::CastlingHome { right, .. }) => {
                    let left = fields[2].replace(right, "");
                    (2, if left.is_empty() { "-".to_owned() } else { left })
                }
                Err(FenError::NoCastling(_)) => (2, "-".to_owned()),
                Err(FenError::EnPassantRank { .. } | FenError::EnPassantPawn { .. }) => {
                    (3, "-".to_owned())
                }
                Err(error) => return Err(error.into()),
            };
            fields[at] = without;
        }
    }

    /// Plies to the end of a line, where that server has a name for them.
    fn dtm(&self, answer: &WinDrawLoss) -> Option<i32> {
        signed(answer).filter(|_| !self.kind.to_win)
    }

    /// What is said of a position before which the halfmove counter stood at `halfmoves`.
    fn info(&self, setup: &Setup, halfmoves: u32) -> Result<PositionInfo, Refusal> {
        let ending = self.tables.game().ending(setup);
        let checkmate = matches!(ending, Some(ChessEnding::Checkmate { .. }));
        let stalemate = matches!(ending, Some(ChessEnding::Stalemate { .. }));
        let answer = match self.tables.answer(setup) {
            Ok(answer) => Some(answer),
            Err(ProbeError::Unanswerable(_)) => None,
            Err(error) if error.missing().is_some() => None,
            Err(error) => return Err(self.refuse(error)),
        };
        let insufficient_material = (self.kind.insufficient)(setup);
        let won = ending.as_ref().and_then(Ending::winner).map(|winner| winner == setup.to_move);
        let category = match (won, &answer) {
            (Some(true), _) if halfmoves < CLAIM => Category::Win,
            (Some(true), _) => Category::CursedWin,
            (Some(false), _) if halfmoves < CLAIM => Category::Loss,
            (Some(false), _) => Category::BlessedLoss,
            (None, _) if ending.is_some() || insufficient_material => Category::Draw,
            (None, None) => Category::Unknown,
            (None, Some(answer)) => category(answer, setup.halfmove, halfmoves),
        };
        let distance = answer.as_ref().and_then(signed);
        Ok(PositionInfo {
            checkmate,
            stalemate,
            variant_win: won == Some(true) && !checkmate,
            variant_loss: won == Some(false) && !checkmate,
            insufficient_material,
            dtz: None,
            precise_dtz: None,
            dtm: distance.filter(|_| !self.kind.to_win),
            dtw: distance.filter(|_| self.kind.to_win),
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
