//! Orphic Chess, by M. Winther: the game begins with pawns only, and every other man is dropped.
//!
//! A turn is a board move or the drop of a man from the reserve: on an empty square, or on one of
//! the mover's pawns, which then goes to another empty square of its side's ranks 2 to 4. While
//! its King is in reserve a side only captures and drops. There is no castling; otherwise men move
//! as in orthodox chess. With Elks in place of Rooks ([`PieceSet`]) the King is dropped freely;
//! with Rooks that is a choice ([`KingDrop`]).
//!
//! FEN shows the reserves in brackets behind the placement, as in crazyhouse:
//! `8/8/8/3k4/8/8/8/4K3[R] w - - 0 1`. The letters may come in any order; no brackets and `[]`
//! mean that nothing is left to drop. Written are White's men first, in the order `KQREBN`, and no
//! brackets where both reserves are empty.

use std::{fmt, marker::PhantomData};

use super::{
    ChessEnding, Game, OptionError, RuleOption, RuleOptions, TurnError,
    chess::{Castling, Move, Setup},
    fen::{self, FenError, Frame},
    notation::{self, Written},
    reserve::{KingDrop, PieceSet, Reserve, ReserveFenError, Rooks, refuges},
};
use crate::board::{Bitboard, Board, ByColor, Color, Man, Role, RoleSet, Square};

/// The game with one of its two sets of men, and its option.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Orphic<S: PieceSet> {
    men: PhantomData<S>,
    king: KingDrop,
}

impl<S: PieceSet> Orphic<S> {
    /// The game as its inventor describes it.
    pub const fn new() -> Orphic<S> {
        Orphic { men: PhantomData, king: S::KING }
    }

    /// Where a King may be dropped that leaves other men in reserve.
    pub const fn king(&self) -> KingDrop {
        self.king
    }
}

impl Orphic<Rooks> {
    /// The game with Rooks in which Kings are dropped like this.
    pub const fn with_king(king: KingDrop) -> Orphic<Rooks> {
        Orphic { men: PhantomData, king }
    }
}

impl<S: PieceSet> Default for Orphic<S> {
    fn default() -> Orphic<S> {
        Orphic::new()
    }
}

/// A position of Orphic Chess.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OrphicPosition {
    /// The men on the board and the standard fields; nobody may castle, and a side whose King is
    /// in reserve has none here.
    pub setup: Setup,
    /// White's reserve and Black's, each part of the full one.
    pub reserves: ByColor<Reserve>,
}

impl OrphicPosition {
    /// What `color` has still to drop.
    pub fn reserve(&self, color: Color) -> &Reserve {
        &self.reserves[color]
    }
}

/// A turn of Orphic Chess.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum OrphicTurn {
    /// A board move.
    Move(Move),
    /// A man out of the reserve.
    Drop {
        /// The man.
        role: Role,
        /// Where it is put.
        to: Square,
        /// Where the pawn goes that stood there, if one did.
        relocated: Option<Square>,
    },
}

impl fmt::Display for OrphicTurn {
    /// UCI notation: `e2e4`, `Q@e4`, `Q@e3:e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrphicTurn::Move(mv) => write!(f, "{mv}"),
            OrphicTurn::Drop { role, to, relocated: None } => write!(f, "{}@{to}", role.letter()),
            OrphicTurn::Drop { role, to, relocated: Some(pawn) } => {
                write!(f, "{}@{to}:{pawn}", role.letter())
            }
        }
    }
}

impl<S: PieceSet> Orphic<S> {
    const KING: RuleOption = RuleOption {
        name: "king",
        value_name: "WHERE",
        help: "where a king may be dropped that leaves other men in reserve: first-rank or free",
        default: "first-rank",
        recorded: true,
    };

    /// Legal board moves: all of orthodox chess, or captures only while the King is in reserve.
    fn moves(position: &OrphicPosition) -> Vec<Move> {
        let OrphicPosition { setup, .. } = position;
        let mut moves = setup.moves(&S::LAWS);
        if position.reserve(setup.to_move).count(Role::King) > 0 {
            moves.retain(|&mv| setup.is_capture(mv));
        }
        moves
    }

    /// Where the side to move may drop a man of `role` as far as the man is concerned, occupied
    /// squares included.
    fn squares_for(&self, position: &OrphicPosition, role: Role) -> Bitboard {
        let OrphicPosition { setup: Setup { board, to_move, .. }, .. } = position;
        match role {
            Role::King
                if self.king == KingDrop::FirstRank && position.reserve(*to_move).len() > 1 =>
            {
                Bitboard::rank(to_move.rank(0))
            }
            Role::Bishop => {
                let bishops = board.men(*to_move, Role::Bishop);
                [Bitboard::DARK, Bitboard::LIGHT]
                    .into_iter()
                    .filter(|&squares| !bishops.intersects(squares))
                    .fold(Bitboard::EMPTY, |free, squares| free | squares)
            }
            _ => Bitboard::ALL,
        }
    }

    /// Legal drops.
    fn drops(&self, position: &OrphicPosition) -> Vec<OrphicTurn> {
        let OrphicPosition { setup, .. } = position;
        let color = setup.to_move;
        let in_check = setup.in_check(color);
        let empty = !setup.board.occupied();
        // No pawn gives way while in check.
        let pawns = if in_check { Bitboard::EMPTY } else { setup.board.men(color, Role::Pawn) };
        let refuges = refuges(color) & empty;
        let mut drops = Vec::new();
        for role in position.reserve(color).roles() {
            let squares = self.squares_for(position, role);
            let drop = |to, relocated| OrphicTurn::Drop { role, to, relocated };
            let on_empty = (squares & empty).map(|to| drop(to, None));
            let on_pawns =
                (squares & pawns).flat_map(|to| refuges.map(move |pawn| drop(to, Some(pawn))));
            // Any other man only ever blocks lines to its own King.
            let may_be_illegal = in_check || role == Role::King;
            drops.extend(
                on_empty
                    .chain(on_pawns)
                    .filter(|&turn| !may_be_illegal || !play(position, turn).setup.in_check(color)),
            );
        }
        drops
    }

    /// Checks that each side has one King, and no more men than its pawns can have become.
    fn check_men(board: &Board, reserves: &ByColor<Reserve>) -> Result<(), FenError> {
        let full = Reserve::full::<S>();
        for color in Color::ALL {
            let reserve = &reserves[color];
            let count = |role| board.men(color, role).len() + usize::from(reserve.count(role));
            let found = count(Role::King);
            if found != 1 {
                return Err(FenError::Kings { color, found });
            }
            let promoted = full
                .roles()
                .map(|role| count(role).saturating_sub(usize::from(full.count(role))))
                .sum();
            let pawns = count(Role::Pawn);
            if pawns + promoted > 8 {
                return Err(ReserveFenError::Promotions { color, pawns, promoted }.into());
            }
        }
        Ok(())
    }
}

fn play(position: &OrphicPosition, turn: OrphicTurn) -> OrphicPosition {
    let OrphicPosition { setup, reserves } = position;
    let mut reserves = *reserves;
    let color = setup.to_move;
    match turn {
        OrphicTurn::Move(mv) => OrphicPosition { setup: setup.play(mv), reserves },
        OrphicTurn::Drop { role, to, relocated } => {
            let mut next = setup.pass();
            if let Some(pawn) = relocated {
                next.board.put(pawn, Man::new(color, Role::Pawn));
            }
            next.board.put(to, Man::new(color, role));
            next.halfmove = 0;
            reserves[color].remove(role);
            OrphicPosition { setup: next, reserves }
        }
    }
}

impl<S: PieceSet> Game for Orphic<S> {
    type Position = OrphicPosition;
    type Turn = OrphicTurn;
    type Ending = ChessEnding;

    /// Elks are not played with Kings that are bound.
    const OPTIONS: &'static [RuleOption] = match S::KING {
        KingDrop::FirstRank => &[Orphic::<S>::KING],
        KingDrop::Free => &[],
    };

    fn name(&self) -> &'static str {
        S::NAME
    }

    fn men(&self) -> RoleSet {
        S::ROLES
    }

    fn in_reserve(&self) -> RoleSet {
        S::ROLES.with(Role::Pawn, false)
    }

    fn with_options(&self, options: &mut RuleOptions) -> Result<Self, OptionError> {
        let mut game = Orphic::new();
        for option in Self::OPTIONS {
            game.king = options.take(option)?;
        }
        Ok(game)
    }

    /// Tables made before there was a choice have no option, and those without one are still the
    /// same: only what is not the inventor's own way is named.
    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        let chosen = (self.king != S::KING).then(|| self.king.to_string().into());
        chosen.map(|king| (Orphic::<S>::KING.name.to_owned(), king)).into_iter().collect()
    }

    fn initial(&self) -> OrphicPosition {
        let mut setup = Setup { board: Board::EMPTY, castling: Castling::NONE, ..Setup::initial() };
        for color in Color::ALL {
            for file in 0..8 {
                setup.board.put(Square::at(file, color.rank(2)), Man::new(color, Role::Pawn));
            }
        }
        OrphicPosition { setup, reserves: ByColor::both(Reserve::full::<S>()) }
    }

    fn parse_fen(&self, fen: &str) -> Result<OrphicPosition, FenError> {
        let mut frame = Frame::read(fen)?;
        let board = frame.board(S::ROLES)?;
        let reserves = Reserve::read_both::<S>(frame.holdings.take().unwrap_or(""))?;
        Orphic::<S>::check_men(&board, &reserves)?;
        frame.no_castling()?;
        let setup = frame.setup(board, &S::LAWS, "only the two counters may follow")?;
        let mut position = OrphicPosition { setup, reserves };
        let owner = !position.setup.to_move;
        if let Some(square) = position.setup.en_passant
            && position.reserve(owner).count(Role::King) > 0
        {
            return Err(ReserveFenError::EnPassantReserve { square, owner }.into());
        }
        position.setup.drop_idle_en_passant(&S::LAWS);
        Ok(position)
    }

    fn fen(&self, position: &OrphicPosition) -> String {
        let ByColor { white, black } = position.reserves.map(|reserve| reserve.to_string());
        let held = white + &black.to_ascii_lowercase();
        let holdings = if held.is_empty() { held } else { format!("[{held}]") };
        fen::write(&position.setup, &S::LAWS, &holdings, &[])
    }

    fn board<'p>(&self, position: &'p OrphicPosition) -> &'p Board {
        &position.setup.board
    }

    fn to_move(&self, position: &OrphicPosition) -> Color {
        position.setup.to_move
    }

    fn is_check(&self, position: &OrphicPosition) -> bool {
        position.setup.in_check(position.setup.to_move)
    }

    fn turns(&self, position: &OrphicPosition) -> Vec<OrphicTurn> {
        let mut turns = self.drops(position);
        turns.extend(Orphic::<S>::moves(position).into_iter().map(OrphicTurn::Move));
        turns
    }

    fn play(&self, position: &OrphicPosition, turn: OrphicTurn) -> OrphicPosition {
        let mut next = play(position, turn);
        next.setup.drop_idle_en_passant(&S::LAWS);
        next
    }

    fn ending(&self, position: &OrphicPosition) -> Option<ChessEnding> {
        let setup = &position.setup;
        if !self.turns(position).is_empty() {
            None
        } else if setup.in_check(setup.to_move) {
            Some(ChessEnding::Checkmate { winner: !setup.to_move })
        } else {
            Some(ChessEnding::Stalemate { winner: None })
        }
    }

    fn uci(&self, _: &OrphicPosition, turn: OrphicTurn) -> String {
        turn.to_string()
    }

    fn san(&self, position: &OrphicPosition, turn: OrphicTurn) -> String {
        let next = self.play(position, turn);
        let check = next.setup.in_check(next.setup.to_move);
        let mate = check && self.ending(&next).is_some();
        let text = match turn {
            OrphicTurn::Drop { .. } => turn.to_string(),
            OrphicTurn::Move(mv) => {
                notation::san(&position.setup, &Orphic::<S>::moves(position), mv)
            }
        };
        text + notation::check_sign(check, mate)
    }

    /// Where only one square is left for the pawn, `Q@e3` is enough.
    fn parse_turn(&self, position: &OrphicPosition, text: &str) -> Result<OrphicTurn, TurnError> {
        let written = Written::read(text);
        notation::choose(self, position, text, |turn| match (written, turn) {
            (
                Some(Written::Drop { role, to, relocated }),
                OrphicTurn::Drop { role: dropped, to: square, relocated: pawn },
            ) => role == dropped && to == square && (relocated.is_none() || relocated == pawn),
            (Some(written), OrphicTurn::Move(mv)) => written.fits(&position.setup, mv),
            _ => false,
        })
    }

    fn comment(&self, _: &OrphicPosition, _: OrphicTurn, _: &OrphicPosition) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{Elks, fen::tests as fens, perft, random_play, read_record};

    const ROOKS: Orphic<Rooks> = Orphic::new();
    const ELKS: Orphic<Elks> = Orphic::new();

    /// The legal turns in UCI notation.
    fn ucis<S: PieceSet>(game: Orphic<S>, fen: &str) -> Vec<String> {
        let position = game.parse_fen(fen).unwrap();
        game.turns(&position).into_iter().map(|turn| game.uci(&position, turn)).collect()
    }

    /// The FEN after some turns.
    fn after<S: PieceSet>(game: Orphic<S>, fen: &str, turns: &[&str]) -> String {
        let mut position = game.parse_fen(fen).unwrap();
        for text in turns {
            position = game.play(&position, game.parse_turn(&position, text).unwrap());
        }
        game.fen(&position)
    }

    fn check_perft<S: PieceSet>(game: Orphic<S>, counts: &[(&str, &[u64])]) {
        for &(fen, counts) in counts {
            let position = game.parse_fen(fen).unwrap();
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(perft(&game, &position, depth), count, "{fen} depth {depth}");
            }
        }
    }

    /// Counts another program found for depths 1, 2, …
    #[test]
    fn perft_agrees_with_another_program() {
        check_perft(
            ROOKS,
            &[
                ("8/8/pppppppp/8/8/PPPPPPPP/8/8[KQRRBBNNkqrrbbnn] w - - 0 1", &[712, 501_904]),
                ("3b4/5k1r/8/1P1N1Ppp/2PK1P1P/1b4p1/n5N1/4n1B1[] w - g6 0 1", &[22, 556, 10_031]),
                ("8/5kb1/p6p/5r1r/pP6/N2p4/K2P4/8[] b - b3 0 1", &[33, 205, 6_906, 50_445]),
                ("8/B4b2/Npp1pbpp/6R1/1RB2N1r/PPP1r1Pq/3P4/8[KQknn] b - - 0 1", &[127, 15_348]),
                ("8/4K2p/rppppNpn/p1R4p/P1P1P3/PPq1PPBB/5n1Q/8[kbb] b - - 0 1", &[139, 4_639]),
                ("7k/R3Rn1r/pnpQppp1/p6p/b4P1P/PPBPPP2/4P3/4KN2[Bqrb] b - - 0 1", &[290, 31_513]),
                ("6b1/k7/pp1r1Brn/2p2Bpp/8/RPPPPPRP/4PP2/8[KNNqbn] b - - 0 1", &[300, 49_213]),
                ("4k1n1/5q2/3Q1pp1/Bp3r1p/1P6/RPPP1NPB/PR1P1r2/8[Kbb] b - - 0 1", &[134, 10_482]),
                ("6b1/8/8/7N/3K4/8/p7/1k6[] b - - 0 1", &[14, 125, 1_959, 19_860]),
            ],
        );
        check_perft(
            ELKS,
            &[
                ("8/8/pppppppp/8/8/PPPPPPPP/8/8[KQEEBBNNkqeebbnn] w - - 0 1", &[872, 738_227]),
                ("8/8/2pppbP1/p2p4/4k1pP/P1P1Pn2/1K6/E7[] b - h3 0 1", &[27, 426, 9_673]),
                ("2N5/p7/peknppbn/2P1EppB/6P1/QPPNPEPK/6q1/e7[Bb] w - - 0 1", &[1, 85, 9_900]),
                ("4N3/8/1n2pp1e/2k3q1/1P3P2/b2KPPPP/E4P2/4e3[QBNbn] b - - 0 1", &[4, 1_769]),
                ("8/3be3/pq2pPpb/1B3n2/8/N1NP2BP/4P3/1Q5n[Kke] w - - 0 1", &[96, 12_683]),
                (
                    "8/3k2pn/pe1p1pn1/2pPpp2/1b2N3/3Pe3/1BKPP3/5qN1[b] w - - 0 1",
                    &[18, 1_405, 23_136],
                ),
                ("B1n5/2b5/1Qb3Pp/p2pp1pN/1q1B1p2/1P3P2/1P1E2K1/4k3[E] w - - 0 1", &[139, 3_608]),
                ("6BK/8/pppp1epp/N2Qp3/P3P3/P1PP1NkP/1P6/8[EEBqebbnn] b - - 0 1", &[581, 127_309]),
                ("8/PQ4P1/3B4/2K4p/2P4P/n2k4/8/8[] w - - 0 1", &[40, 334, 12_511, 110_037]),
            ],
        );
    }

    #[test]
    fn the_initial_position_has_pawns_only() {
        assert_eq!(
            ROOKS.fen(&ROOKS.initial()),
            "8/8/pppppppp/8/8/PPPPPPPP/8/8[KQRRBBNNkqrrbbnn] w - - 0 1"
        );
        assert_eq!(
            ELKS.fen(&ELKS.initial()),
            "8/8/pppppppp/8/8/PPPPPPPP/8/8[KQEEBBNNkqeebbnn] w - - 0 1"
        );
    }

    #[test]
    fn a_pawn_gives_way_to_ranks_two_to_four() {
        let relocations = |fen, drop: &str| {
            let turns = ucis(ROOKS, fen);
            let to = |turn: &String| turn.strip_prefix(drop)?.parse::<Square>().ok();
            turns.iter().filter_map(to).collect::<Bitboard>()
        };
        let ranks =
            |own: [u8; 3]| own.map(Bitboard::rank).into_iter().fold(Bitboard::EMPTY, |a, b| a | b);
        // Back from the seventh rank, too; on its ranks not to the square the man has taken.
        assert_eq!(relocations("7k/P7/8/8/8/8/8/K7[N] w", "N@a7:"), ranks([1, 2, 3]));
        assert_eq!(relocations("K7/8/8/8/8/8/p7/7k[n] b", "N@a2:"), ranks([4, 5, 6]));
        let a3 = Square::at(0, 2).bit();
        assert_eq!(relocations("7k/8/8/8/8/P7/8/K7[N] w", "N@a3:"), ranks([1, 2, 3]) & !a3);
    }

    #[test]
    fn a_relocated_pawn_may_step_twice_and_be_taken_en_passant() {
        let fen = "7k/8/8/8/5p2/3P4/8/K7[Q] w - - 5 9";
        assert_eq!(after(ROOKS, fen, &["Q@d3:e2"]), "7k/8/8/8/5p2/3Q4/4P3/K7 b - - 0 9");
        assert_eq!(
            after(ROOKS, fen, &["Q@d3:e2", "Kg8", "e4"]),
            "6k1/8/8/8/4Pp2/3Q4/8/K7 b - e3 0 10"
        );
        // Relocation itself gives no such right, and any drop ends one.
        assert_eq!(after(ROOKS, fen, &["Q@d3:e4"]), "7k/8/8/8/4Pp2/3Q4/8/K7 b - - 0 9");
        assert_eq!(
            after(ROOKS, "7k/8/8/3pP3/8/8/8/K7[N] w - d6", &["N@h1"]),
            "7k/8/8/3pP3/8/8/8/K6N b - - 0 1"
        );
    }

    #[test]
    fn in_check_only_drops_that_block_are_left() {
        let turns = ucis(ROOKS, "7k/8/8/8/8/2P5/8/r3K3[Q] w");
        let drops: Vec<_> = turns.iter().filter(|turn| turn.contains('@')).collect();
        assert_eq!(drops, ["Q@b1", "Q@c1", "Q@d1"]);
        let position = |fen| ROOKS.parse_fen(fen).unwrap();
        let blocked = position("k6R/8/1K6/8/8/8/8/8[n] b");
        assert_eq!(ROOKS.turns(&blocked).len(), 6);
        assert_eq!(ROOKS.ending(&blocked), None);
        let mate = Some(ChessEnding::Checkmate { winner: Color::White });
        assert_eq!(ROOKS.ending(&position("k6R/8/1K6/8/8/8/8/8 b")), mate);
        assert_eq!(
            ROOKS.ending(&position("7k/5Q2/6K1/8/8/8/8/8 b")),
            Some(ChessEnding::Stalemate { winner: None })
        );
        assert_eq!(ROOKS.ending(&position("7k/5Q2/6K1/8/8/8/8/8[n] b")), None);
    }

    #[test]
    fn a_drop_may_mate_even_before_the_king_is_there() {
        for (fen, drop) in
            [("8/8/8/8/8/1K6/8/kn6[B] w", "B@b2"), ("kr6/pp6/8/8/8/8/8/8[KN] w", "N@c7")]
        {
            let position = ROOKS.parse_fen(fen).unwrap();
            let turn = ROOKS.parse_turn(&position, drop).unwrap();
            assert_eq!(ROOKS.san(&position, turn), format!("{drop}#"));
            let ending = ROOKS.ending(&ROOKS.play(&position, turn)).unwrap();
            assert_eq!(ending.to_string(), "White wins by checkmate");
        }
    }

    #[test]
    fn men_only_capture_while_their_king_is_in_reserve() {
        let moves = |fen| {
            let mut moves = ucis(ROOKS, fen);
            moves.retain(|turn| !turn.contains('@'));
            moves
        };
        assert_eq!(moves("8/1p6/7k/8/8/8/1Q1p4/8[K] w"), ["b2d2", "b2b7"]);
        assert_eq!(moves("1n5k/P7/8/8/8/8/8/8[K] w"), ["a7b8q", "a7b8r", "a7b8b", "a7b8n"]);
        assert_eq!(moves("7k/8/8/3pP3/8/8/8/8[K] w - d6"), ["e5d6"]);
    }

    #[test]
    fn a_king_that_leaves_others_in_reserve_enters_on_its_first_rank() {
        fn kings<S: PieceSet>(game: Orphic<S>, fen: &str) -> usize {
            ucis(game, fen).iter().filter(|turn| turn.starts_with('K')).count()
        }
        // Not next to the other King, which stands on a1.
        assert_eq!(kings(ROOKS, "8/8/8/8/8/8/8/k7[KQ] w"), 6);
        assert_eq!(kings(ROOKS, "8/8/8/8/8/1K6/8/8[kq] b"), 8);
        assert_eq!(kings(ROOKS, "8/8/8/8/8/8/8/k7[K] w"), 60);
        assert_eq!(kings(ELKS, "8/8/8/8/8/8/8/k7[KQ] w"), 60);
        // A Bishop that cannot enter is still one of the others.
        assert_eq!(kings(ROOKS, "k7/8/8/8/8/1BB5/8/8[KB] w"), 8);
    }

    #[test]
    fn the_relocated_pawn_may_shield_the_king() {
        let turns = ucis(ROOKS, "8/8/8/8/r3P3/8/8/k7[K] w - - 0 1");
        assert_eq!(turns.len(), 53);
        let has = |turn: &str| turns.contains(&turn.to_owned());
        assert!(has("K@e4:c4") && !has("K@e4:e3") && !has("K@a2"));
    }

    #[test]
    fn bishops_are_dropped_on_both_colours() {
        let bishops = |fen| {
            let turns = ucis(ROOKS, fen);
            let to = |turn: &String| turn.strip_prefix("B@")?.parse::<Square>().ok();
            turns.iter().filter_map(to).collect::<Bitboard>()
        };
        assert_eq!(bishops("5k2/8/8/8/8/2B5/8/K7[B] w"), Bitboard::LIGHT);
        assert_eq!(bishops("5k2/8/8/8/8/1BB5/8/K7[B] w"), Bitboard::EMPTY);
        // The opponent's do not count, and two like men are one choice.
        assert_eq!(bishops("5k2/8/8/8/8/2b5/8/7K[BB] w").len(), 61);
        assert_eq!(ucis(ROOKS, "5k2/8/8/8/8/2b5/8/7K[BB] w").len(), 61 + 3);
    }

    /// White's first Bishop, dropped on a light square, is taken: the second may be dropped on a
    /// light one too. A record shows where the first one stood, a FEN does not, and both must say
    /// the same.
    #[test]
    fn a_record_says_of_bishops_what_its_last_fen_says() {
        let replay = read_record(&ROOKS, "1. B@b5 axb5 2. B@c4 bxc4").unwrap();
        let before = &replay.plies[2].before;
        assert_eq!(before, &ROOKS.parse_fen(&ROOKS.fen(before)).unwrap());
        let turns = ROOKS.turns(before).into_iter();
        let drops =
            turns.filter(|turn| matches!(turn, OrphicTurn::Drop { role: Role::Bishop, .. }));
        let squares: Bitboard = drops
            .filter_map(|turn| match turn {
                OrphicTurn::Drop { to, .. } => Some(to),
                OrphicTurn::Move(_) => None,
            })
            .collect();
        assert!(squares.intersects(Bitboard::DARK) && squares.intersects(Bitboard::LIGHT));
    }

    #[test]
    fn kings_are_free_where_that_is_chosen() {
        let free = Orphic::with_king(KingDrop::Free);
        let ranks = |game: Orphic<Rooks>, fen: &str| {
            let position = game.parse_fen(fen).unwrap();
            let drops = game.turns(&position).into_iter().filter_map(|turn| match turn {
                OrphicTurn::Drop { role: Role::King, to, .. } => Some(to),
                _ => None,
            });
            drops.collect::<Bitboard>()
        };
        let fen = "8/8/8/8/8/1k6/8/n7[KR] w";
        // Not where the Black King or the Knight strikes, nor where they stand.
        assert_eq!(ranks(free, fen).len(), 64 - 2 - 8);
        assert_eq!(ranks(ROOKS, fen).len(), 7);
        let options = |text: &str| {
            let mut options = RuleOptions::none();
            options.set("king", Some(text.to_owned()));
            Orphic::<Rooks>::default().with_options(&mut options)
        };
        assert_eq!((options("free"), options("first-rank")), (Ok(free), Ok(ROOKS)));
        assert_eq!(
            options("anywhere").unwrap_err().to_string(),
            "--king anywhere: `anywhere` is not where a king may be dropped; write first-rank or free"
        );
        // Tables by the usual rule say nothing of it, as before there was a choice.
        assert!(ROOKS.options().is_empty());
        assert_eq!(serde_json::Value::Object(free.options()).to_string(), r#"{"king":"free"}"#);
        // Kings are free with Elks anyway, which have no option.
        assert_eq!((ELKS.king(), Orphic::<Elks>::OPTIONS), (KingDrop::Free, &[][..]));
    }

    #[test]
    fn pawns_become_elks_where_there_are_elks() {
        let promotions = |turns: Vec<String>| {
            turns
                .iter()
                .filter_map(|turn| turn.strip_prefix("a7a8"))
                .map(str::to_owned)
                .collect::<String>()
        };
        assert_eq!(promotions(ucis(ROOKS, "7k/P7/8/8/8/8/8/K7 w")), "qrbn");
        assert_eq!(promotions(ucis(ELKS, "7k/P7/8/8/8/8/8/K7 w")), "qebn");
    }

    #[test]
    fn drops_are_read_in_long_and_short() {
        let position = ROOKS.parse_fen("7k/8/8/8/8/4P3/8/K7[QR] w").unwrap();
        let read = |text| ROOKS.parse_turn(&position, text).map(|turn| turn.to_string());
        assert_eq!(read("Q@e4").as_deref(), Ok("Q@e4"));
        assert_eq!(read("Q@e3:e2!").as_deref(), Ok("Q@e3:e2"));
        assert!(matches!(read("Q@e3"), Err(TurnError::Ambiguous { .. })));
        for text in ["Q@e4:e2", "Q@e3:e5", "Q@e3:e3", "N@e4", "@e4", "Q@e9", "QQ@e4", "Q@e3:"] {
            assert!(matches!(read(text), Err(TurnError::Illegal { .. })), "{text}");
        }
    }

    #[test]
    fn reserves_are_read_in_any_order_and_written_in_one() {
        let fen = |fen| ROOKS.fen(&ROOKS.parse_fen(fen).unwrap());
        assert_eq!(fen("8/8/8/8/8/8/8/k7[rNbKRqR]"), "8/8/8/8/8/8/8/k7[KRRNqrb] w - - 0 1");
        assert_eq!(fen("8/8/8/8/8/8/8/k6K[] b"), "8/8/8/8/8/8/8/k6K b - - 0 1");
        assert_eq!(fen("8/8/8/8/8/8/8/k6K b"), "8/8/8/8/8/8/8/k6K b - - 0 1");
    }

    #[test]
    fn errors_say_what_would_be_right() {
        for (fen, error) in [
            ("8/8/8/8/8/8/8/k7[Q] w", "White has 0 kings; each side has exactly one"),
            ("8/8/8/8/8/8/8/k6K[K] w", "White has 2 kings; each side has exactly one"),
            (
                "8/8/8/8/8/8/8/k6K[p] w",
                "`p` cannot be in reserve; only KQRBN can, in lower case for Black",
            ),
            (
                "8/8/8/8/8/8/8/k6K[E] w",
                "`E` cannot be in reserve; only KQRBN can, in lower case for Black",
            ),
            ("8/8/8/8/8/8/8/k6K[RRR] w", "White has too many rooks in reserve; the limit is 2"),
            ("8/8/8/8/8/8/8/k6K[KK] w", "White has too many kings in reserve; the limit is 1"),
            ("8/8/8/8/8/8/PPPPPPPP/k6K[QRRBBNN] b", ""),
            (
                "8/8/8/8/8/QQ6/PPPPPPPP/k6K b",
                "White has more than 8 pawns and promoted men: 8 pawns, 1 promoted",
            ),
            ("7k/8/8/8/8/8/8/K6R w K", "this game has no castling; write - instead of `K`"),
            (
                "8/8/8/8/3Pp3/8/8/4k3[K] b - d3",
                "en passant square d3 is impossible: while White's king is in reserve, White's men only capture",
            ),
            ("k6R/8/8/8/8/8/8/K7[n] w", "Black's king is in check, but it is White's turn"),
            (
                "8/8/8/8/8/8/8/k6K[[Q] w",
                "`[` cannot be in reserve; only KQRBN can, in lower case for Black",
            ),
        ] {
            let found = ROOKS.parse_fen(fen).err().map(|error| error.to_string());
            assert_eq!(found.unwrap_or_default(), error, "{fen}");
        }
        // Bishops of one colour may be promoted ones.
        assert!(ROOKS.parse_fen("7k/8/8/8/8/2B5/1B6/7K[BB] b").is_ok());
    }

    fn check_notation<S: PieceSet>(game: Orphic<S>, picks: &[u16]) -> Result<(), TestCaseError> {
        let positions = random_play::positions(&game, game.initial(), picks);
        for (position, &pick) in positions.iter().zip(picks) {
            // There are hundreds of turns: a few of each position will do.
            let turns = game.turns(position);
            for &turn in turns.iter().skip(usize::from(pick) % 97).step_by(97) {
                for text in [game.uci(position, turn), game.san(position, turn)] {
                    prop_assert_eq!(game.parse_turn(position, &text), Ok(turn), "{}", text);
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn random_games_round_trip(picks in random_play::picks(120)) {
            fens::check_round_trips(&ROOKS, &picks)?;
            fens::check_round_trips(&ELKS, &picks)?;
            check_notation(ROOKS, &picks)?;
            check_notation(ELKS, &picks)?;
        }

        #[test]
        fn no_text_panics(
            text in ".*",
            fields in "([pPqQeErRbBnN1-8]{1,4}/){7}[kKQ1-8]{1,8}(\\[[KQREBNPkqrebnp]{0,5}\\])? [wb] [K-] [a-h-][36]?",
            men in "[pPqQrRbBnN]{4}",
            held in "[KQREBNkqrebnp]{0,5}",
        ) {
            let [a, b, c, d] = [0, 1, 2, 3].map(|at| &men[at..=at]);
            let near = format!("3{a}4/8/2{b}2k2/8/8/1{c}4{d}1/8/8[K{held}] w");
            for text in [&text, &fields, &near] {
                fens::check_total(&ROOKS, text)?;
                fens::check_total(&ELKS, text)?;
            }
        }
    }
}
