//! What all chess-like games share: a set-up of men with its rights, and the board moves in it.
//!
//! A game says by its [`Laws`] where it departs from orthodox chess, and filters the moves or adds
//! other turns where that is not enough. A disk is a King that never moves: it can be checked and
//! attacks its neighbours, but has no move and does not castle.

use std::{fmt, iter};

use super::{Laws, Passing, laws::MANY_STEPS};
use crate::board::{
    Bitboard, Board, ByColor, Color, Man, Movement, Role, Square, between, pawn_attacks,
};

/// The two sides of the board to castle on.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Wing {
    /// With the Rook of the h-file.
    King,
    /// With the Rook of the a-file.
    Queen,
}

impl Wing {
    /// Both, in the order FEN writes them.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// Where the King of `color` stands before and after castling, and its Rook before and after.
    pub const fn squares(self, color: Color) -> CastlingSquares {
        let rank = color.rank(0);
        let (king_to, rook_from, rook_to) = match self {
            Wing::King => (6, 7, 5),
            Wing::Queen => (2, 0, 3),
        };
        CastlingSquares {
            king_from: Square::at(4, rank),
            king_to: Square::at(king_to, rank),
            rook_from: Square::at(rook_from, rank),
            rook_to: Square::at(rook_to, rank),
        }
    }
}

/// The four squares castling is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CastlingSquares {
    /// The King's home.
    pub king_from: Square,
    /// Where the King goes.
    pub king_to: Square,
    /// The Rook's home.
    pub rook_from: Square,
    /// Where the Rook goes.
    pub rook_to: Square,
}

/// Which castlings are still allowed because King and Rook have not moved.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Castling(u8);

impl Castling {
    /// No right.
    pub const NONE: Castling = Castling(0);
    /// All four rights.
    pub const ALL: Castling = Castling(0b1111);

    /// The right of `color` on `wing` alone.
    pub const fn right(color: Color, wing: Wing) -> Castling {
        Castling(1 << (2 * color as u8 + wing as u8))
    }

    /// The rights of `color` among these.
    pub const fn of(self, color: Color) -> Castling {
        Castling(self.0 & 0b11 << (2 * color as u8))
    }

    /// Whether `color` may still castle on `wing`.
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Castling::right(color, wing).0 != 0
    }

    /// These rights and those of `other`.
    pub const fn with(self, other: Castling) -> Castling {
        Castling(self.0 | other.0)
    }

    /// These rights but those of `other`.
    pub const fn without(self, other: Castling) -> Castling {
        Castling(self.0 & !other.0)
    }

    /// The letter FEN gives to a right: `K`, `Q`, `k` or `q`.
    pub const fn letter(color: Color, wing: Wing) -> char {
        match (color, wing) {
            (Color::White, Wing::King) => 'K',
            (Color::White, Wing::Queen) => 'Q',
            (Color::Black, Wing::King) => 'k',
            (Color::Black, Wing::Queen) => 'q',
        }
    }

    /// Every right there can be, in the order FEN writes them.
    pub fn every() -> impl Iterator<Item = (Color, Wing)> {
        Color::ALL.into_iter().flat_map(|color| Wing::ALL.map(|wing| (color, wing)))
    }
}

impl fmt::Display for Castling {
    /// As in FEN: `KQkq`, or `-` if there is no right.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Castling::NONE {
            return f.write_str("-");
        }
        for (color, wing) in Castling::every().filter(|&(color, wing)| self.has(color, wing)) {
            write!(f, "{}", Castling::letter(color, wing))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move of a man on the board. Castling is written as the move of the King, and a pass as one of
/// any man to where it stands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Where the man stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What the man becomes, a pawn on the last rank most often.
    pub promotion: Option<Role>,
}

impl Move {
    /// Whether nobody moves.
    pub fn is_pass(self) -> bool {
        self.from == self.to
    }
}

impl fmt::Display for Move {
    /// UCI notation: `e2e4`, `e7e8q`, `e1g1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        if let Some(role) = self.promotion {
            write!(f, "{}", role.letter().to_ascii_lowercase())?;
        }
        Ok(())
    }
}

/// The men on the board with all that a standard FEN says about them.
///
/// The en passant square is kept only while a pawn of the side to move attacks it, pinned or not;
/// a game to which pinned pawns do not matter calls [`Setup::drop_idle_en_passant`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The men.
    pub board: Board,
    /// Whose turn it is.
    pub to_move: Color,
    /// Castling rights; King (or disk) and Rook of each right are at home.
    pub castling: Castling,
    /// The square a pawn has just stepped over, if a pawn attacks it; of several the first on its
    /// way. The pawn is the first man ahead, and can be taken on the squares up to it, too.
    pub en_passant: Option<Square>,
    /// How many checks each side has left to give until it wins, in games that count them.
    pub checks_left: Option<ByColor<u8>>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u32,
    /// The number of the move, from 1; it grows after Black's turn.
    pub fullmove: u32,
}

impl Setup {
    /// The initial position of orthodox chess.
    pub fn initial() -> Setup {
        const HOME: [Role; 8] = [
            Role::Rook,
            Role::Knight,
            Role::Bishop,
            Role::Queen,
            Role::King,
            Role::Bishop,
            Role::Knight,
            Role::Rook,
        ];
        let mut board = Board::EMPTY;
        for color in Color::ALL {
            for (file, role) in (0..).zip(HOME) {
                board.put(Square::at(file, color.rank(0)), Man::new(color, role));
                board.put(Square::at(file, color.rank(1)), Man::new(color, Role::Pawn));
            }
        }
        Setup {
            board,
            to_move: Color::White,
            castling: Castling::ALL,
            en_passant: None,
            checks_left: None,
            halfmove: 0,
            fullmove: 1,
        }
    }

    /// Who has given all the checks that win, where they are counted.
    pub fn winner_by_checks(&self) -> Option<Color> {
        let left = self.checks_left?;
        Color::ALL.into_iter().find(|&color| left[color] == 0)
    }

    /// Whether the King (or disk) of `color` is on the board and attacked, as in orthodox chess.
    pub fn in_check(&self, color: Color) -> bool {
        Laws::ORTHODOX.in_check(&self.board, color)
    }

    /// Whether the side to move is in check and has no legal board move.
    pub fn is_checkmate(&self, laws: &Laws) -> bool {
        laws.in_check(&self.board, self.to_move) && !self.has_move(laws)
    }

    /// Whether a move captures, en passant included.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board.of(!self.to_move).contains(mv.to) || self.is_en_passant(mv)
    }

    /// Whether the same men are on the board after a move: it neither captures nor promotes.
    pub fn keeps_men(&self, mv: Move) -> bool {
        mv.promotion.is_none() && !self.is_capture(mv)
    }

    /// Whether a move is a pawn's.
    pub fn is_pawn_move(&self, mv: Move) -> bool {
        self.board.with(Role::Pawn).contains(mv.from)
    }

    /// The wing a move castles on, if it does.
    pub fn castling_wing(&self, mv: Move) -> Option<Wing> {
        // Where there is castling, no other move takes a King two files away.
        let castles = self.castling != Castling::NONE
            && self.board.with(Role::King).contains(mv.from)
            && mv.from.file().abs_diff(mv.to.file()) == 2;
        castles.then(|| if mv.to.file() == 6 { Wing::King } else { Wing::Queen })
    }

    fn is_en_passant(&self, mv: Move) -> bool {
        self.en_passant.is_some()
            && self.is_pawn_move(mv)
            && self.walked().any(|passed| passed == mv.to)
    }

    /// The en passant square and those ahead of it that the same pawn has walked over.
    fn walked(&self) -> impl Iterator<Item = Square> {
        let occupied = self.board.occupied();
        let on = |square: &Square| square.offset(0, (!self.to_move).forward());
        iter::successors(self.en_passant, on).take_while(move |&square| !occupied.contains(square))
    }

    /// Where the pawn stands that can be taken in passing.
    fn passed_pawn(&self) -> Option<Square> {
        self.walked().last().and_then(|last| last.offset(0, (!self.to_move).forward()))
    }

    /// The squares on which pawns of the side to move can take in passing, pinned or not.
    pub fn en_passant_squares(&self, laws: &Laws) -> impl Iterator<Item = Square> {
        let takers = self.board.men(self.to_move, Role::Pawn);
        self.walked().filter(move |&passed| laws.can_take_in_passing(self.to_move, takers, passed))
    }

    /// Forgets the en passant squares up to the first on which a capture is legal.
    pub fn drop_idle_en_passant(&mut self, laws: &Laws) {
        if self.en_passant.is_some() {
            let moves = self.moves(laws);
            let is_legal =
                |passed: &Square| moves.iter().any(|mv| mv.to == *passed && self.is_pawn_move(*mv));
            let first = self.walked().find(is_legal);
            self.en_passant = first;
        }
    }

    /// Every legal board move under `laws`.
    pub fn moves(&self, laws: &Laws) -> Vec<Move> {
        let mut moves = self.tries(laws);
        self.retain_legal(laws, &mut moves);
        if laws.passing[self.to_move] == Passing::WhenStuck && moves.is_empty() {
            moves.extend(self.passing_move(laws));
        }
        moves
    }

    /// Whether there is a legal board move under `laws`: the first few to be tried tell.
    pub fn has_move(&self, laws: &Laws) -> bool {
        let is_legal = |mv| !laws.has_royal() || self.is_safe(mv, laws);
        let may_pass = || {
            let when_stuck = laws.passing[self.to_move] == Passing::WhenStuck;
            when_stuck && self.passing_move(laws).is_some()
        };
        self.tries(laws).into_iter().any(is_legal) || may_pass()
    }

    /// Every board move under `laws`, also those that leave a royal man attacked, and those that a
    /// side may not make which can capture.
    fn tries(&self, laws: &Laws) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        let free = laws.size.squares() & !self.board.of(self.to_move);
        self.push_piece_moves(free, laws, &mut moves);
        let pawn = Man::new(self.to_move, Role::Pawn);
        for from in self.board.men(self.to_move, Role::Pawn) {
            let reached = self.pawn_captures(from, laws) | self.pawn_steps(from, laws);
            let promoting = reached & laws.promotes_on(pawn, from);
            self.push_moves(pawn, from, (promoting, reached), laws, &mut moves);
        }
        self.push_castlings(laws, &mut moves);
        if laws.passing[self.to_move] == Passing::AtWill {
            moves.extend(self.passing_move(laws));
        }
        moves
    }

    /// To pass, where the side to move is not in check: in UCI notation the royal King's step to its
    /// own square, or else that of the first man, as in Fairy-Stockfish.
    fn passing_move(&self, laws: &Laws) -> Option<Move> {
        let king = self.board.king(self.to_move).filter(|_| laws.royal.contains(Role::King));
        let man = king.or_else(|| self.board.of(self.to_move).first());
        let man = man.filter(|_| !laws.in_check(&self.board, self.to_move));
        man.map(|at| Move { from: at, to: at, promotion: None })
    }

    /// Every legal conversion under `laws`: the captures and promotions, which change the men on
    /// the board. Of the [`moves`](Setup::moves) these are often none, which is seen at once.
    pub fn conversions(&self, laws: &Laws) -> Vec<Move> {
        let mut moves = Vec::new();
        let enemies = self.board.of(!self.to_move);
        // Nobody takes a royal man: who has just moved is not in check.
        let victims = enemies & !laws.royal_men(&self.board, !self.to_move);
        if !victims.is_empty() {
            self.push_piece_moves(victims, laws, &mut moves);
        }
        for role in laws.promoting_pieces(self.to_move).iter() {
            let man = Man::new(self.to_move, role);
            for from in self.board.men(self.to_move, role) {
                let occupied = self.board.occupied();
                let steps = laws.movements.of(man).steps(from, occupied) & laws.size.squares();
                let promoting = steps & laws.promotes_among(man, from, Bitboard::EMPTY);
                self.push_moves(man, from, (promoting, Bitboard::EMPTY), laws, &mut moves);
            }
        }
        let pawn = Man::new(self.to_move, Role::Pawn);
        for from in self.board.men(self.to_move, Role::Pawn) {
            let captures = self.pawn_captures(from, laws);
            let reached = captures | self.pawn_steps(from, laws);
            let promoting = reached & laws.promotes_on(pawn, from);
            self.push_moves(pawn, from, (promoting, captures), laws, &mut moves);
        }
        self.retain_legal(laws, &mut moves);
        moves
    }

    /// Keeps the moves that leave no royal man attacked, and the captures where one must.
    fn retain_legal(&self, laws: &Laws, moves: &mut Vec<Move>) {
        if laws.has_royal() {
            // To look for it takes as long as to try a move.
            let royal = if moves.len() > 1 { self.lone_royal(laws) } else { None };
            let free = royal.map_or(Bitboard::EMPTY, |royal| self.free_men(laws, royal));
            let walks = |mv: Move| {
                royal == Some(mv.from)
                    && self.castling_wing(mv).is_none()
                    && !self.is_en_passant(mv)
            };
            moves.retain(|&mv| {
                free.contains(mv.from)
                    || if !laws.flying && walks(mv) {
                        self.is_safe_walk(mv, laws)
                    } else {
                        self.is_safe(mv, laws)
                    }
            });
        }
        if laws.must_capture && moves.iter().any(|&mv| self.is_capture(mv)) {
            moves.retain(|&mv| self.is_capture(mv));
        }
    }

    /// The only royal man of the side to move, where to be attacked is all that it must not be.
    fn lone_royal(&self, laws: &Laws) -> Option<Square> {
        // Explosions take more men than one, and which men are royal may change.
        if !laws.checks || laws.explosive || laws.kings_touch || laws.scarce.is_some() {
            return None;
        }
        let mut royal = laws.royal_men(&self.board, self.to_move);
        royal.next().filter(|_| royal.is_empty())
    }

    /// Men of the side to move that leave its only royal man unattacked wherever they go, as far as that
    /// is seen at once: it is not in check, and they do not stand on a line with it.
    fn free_men(&self, laws: &Laws, royal: Square) -> Bitboard {
        let own = self.board.of(self.to_move);
        // Hoppers can attack otherwise than along an open line.
        if !laws.movements.are_usual() || laws.would_check(&self.board, self.to_move, royal) {
            return Bitboard::EMPTY;
        }
        let lines = Movement::Queen.attacks(royal, Bitboard::EMPTY);
        // A capture in passing takes a man from elsewhere.
        let passing = match self.en_passant {
            Some(_) => self.board.with(Role::Pawn),
            None => Bitboard::EMPTY,
        };
        own & !(lines | royal.bit() | passing)
    }

    /// Whether the only royal man is not attacked after a move of its own: nobody else goes elsewhere, so
    /// the board after it need not be made.
    fn is_safe_walk(&self, mv: Move, laws: &Laws) -> bool {
        // A man that it takes does not attack the square where it stood.
        let occupied = self.board.occupied() & !mv.from.bit() | mv.to.bit();
        !self.board.is_attacked_under(laws.movements, !self.to_move, mv.to, occupied)
    }

    /// Whether a move leaves no royal man in check that may not be, nor removes a King of its side.
    fn is_safe(&self, mv: Move, laws: &Laws) -> bool {
        let (board, color) = (self.board_after(mv, laws), self.to_move);
        if laws.explosive && self.is_capture(mv) {
            let gone = |color| self.board.king(color).is_some() && board.king(color).is_none();
            if gone(color) || gone(!color) {
                return !gone(color);
            }
        }
        laws.is_legal(&board, !color)
    }

    /// The moves of a man to squares `promoting` that promote it, and those to `others` after which it is
    /// what it was, unless it must promote there.
    fn push_moves(
        &self,
        man: Man,
        from: Square,
        (promoting, others): (Bitboard, Bitboard),
        laws: &Laws,
        moves: &mut Vec<Move>,
    ) {
        if !promoting.is_empty() {
            let kinds = laws.becomes_beside(man, &self.board);
            for to in promoting {
                let promotions = kinds.iter();
                moves.extend(promotions.map(|role| Move { from, to, promotion: Some(role) }));
            }
        }
        let stays = if laws.may_stay(man) { others } else { others & !promoting };
        moves.reserve(stays.len());
        for to in stays {
            moves.push(Move { from, to, promotion: None });
        }
    }

    /// The moves of all men but pawns to `targets`, castling aside.
    fn push_piece_moves(&self, targets: Bitboard, laws: &Laws, moves: &mut Vec<Move>) {
        let color = self.to_move;
        let occupied = self.board.occupied();
        // Only where Kings touch can one stand where it could be captured.
        let spared =
            if laws.kings_touch { self.board.men(!color, Role::King) } else { Bitboard::EMPTY };
        let targets = targets & !spared;
        for role in self.board.roles(color).iter() {
            if matches!(role, Role::Pawn | Role::Disk) {
                continue;
            }
            let movement = laws.movements.of(Man { color, role });
            let prey = self.prey(role, laws);
            for from in self.board.men(color, role) {
                let captures = movement.attacks(from, occupied) & prey;
                let reached = (movement.steps(from, occupied) | captures) & targets;
                let man = Man { color, role };
                let promoting = reached & laws.promotes_among(man, from, captures);
                self.push_moves(man, from, (promoting, reached), laws, moves);
            }
        }
    }

    /// The enemies that men of a kind can capture, wherever they stand.
    fn prey(&self, role: Role, laws: &Laws) -> Bitboard {
        let enemies = self.board.of(!self.to_move);
        match laws.can_capture(role, role) {
            true => enemies,
            false => enemies & !self.board.with(role),
        }
    }

    /// Where a pawn can capture, also in passing.
    fn pawn_captures(&self, from: Square, laws: &Laws) -> Bitboard {
        let passed = match self.en_passant {
            Some(_) => self.walked().collect::<Bitboard>() & laws.en_passant[self.to_move],
            None => Bitboard::EMPTY,
        };
        pawn_attacks(self.to_move, from) & (self.prey(Role::Pawn, laws) | passed)
    }

    /// Where a pawn can walk.
    fn pawn_steps(&self, from: Square, laws: &Laws) -> Bitboard {
        let color = self.to_move;
        let steps = laws.pawn_steps(color, from, self.board.occupied());
        steps.map(|(_, to)| to).collect()
    }

    /// Castling: the right is there, nothing between King and Rook, and the King neither stands in
    /// check nor passes or reaches an attacked square.
    fn push_castlings(&self, laws: &Laws, moves: &mut Vec<Move>) {
        let color = self.to_move;
        for wing in Wing::ALL.into_iter().filter(|&wing| self.castling.has(color, wing)) {
            let CastlingSquares { king_from, king_to, rook_from, .. } = wing.squares(color);
            let mut king_path = between(king_from, king_to) | king_from.bit() | king_to.bit();
            if self.board.men(color, Role::King).contains(king_from)
                && !self.board.occupied().intersects(between(king_from, rook_from))
                && !king_path.any(|square| laws.would_check(&self.board, color, square))
            {
                moves.push(Move { from: king_from, to: king_to, promotion: None });
            }
        }
    }

    /// The men after a move; `mv` must be one of a man on the board.
    fn board_after(&self, mv: Move, laws: &Laws) -> Board {
        let Some(man) = self.board.get(mv.from) else {
            return self.board;
        };
        let mut board = self.board;
        if self.is_en_passant(mv)
            && let Some(passed) = self.passed_pawn()
        {
            board.remove(passed);
        }
        if let Some(wing) = self.castling_wing(mv) {
            let CastlingSquares { rook_from, rook_to, .. } = wing.squares(man.color);
            board.remove(rook_from);
            board.put(rook_to, Man::new(man.color, Role::Rook));
        }
        board.remove(mv.from);
        board.put(mv.to, Man::new(man.color, mv.promotion.unwrap_or(man.role)));
        if laws.explosive && self.is_capture(mv) {
            laws.blast(&board, mv.to).for_each(|square| {
                board.remove(square);
            });
        }
        board
    }

    /// The set-up after a move out of [`moves`](Setup::moves), where captures remove one man.
    pub fn play(&self, mv: Move) -> Setup {
        self.play_under(&Laws::ORTHODOX, mv)
    }

    /// The set-up after a move out of [`moves`](Setup::moves) under the same laws.
    pub fn play_under(&self, laws: &Laws, mv: Move) -> Setup {
        if mv.is_pass() {
            return self.pass();
        }
        let board = self.board_after(mv, laws);
        let mut next = Setup { board, castling: self.castling_after(mv, &board), ..self.pass() };
        next.en_passant = self.en_passant_after(laws, mv);
        if self.is_pawn_move(mv) || self.is_capture(mv) {
            next.halfmove = 0;
        }
        next
    }

    /// The en passant square after a move.
    pub fn en_passant_after(&self, laws: &Laws, mv: Move) -> Option<Square> {
        if !self.is_pawn_move(mv) || mv.promotion.is_some() {
            return None;
        }
        let steps = mv.from.rank().abs_diff(mv.to.rank()) as i8;
        let takers = self.board.men(!self.to_move, Role::Pawn);
        laws.en_passant_square(!self.to_move, takers, (mv.from, steps))
    }

    /// The castling rights after a move that leaves these men.
    fn castling_after(&self, mv: Move, after: &Board) -> Castling {
        // Most positions that somebody looks through have none to lose.
        if self.castling == Castling::NONE {
            return Castling::NONE;
        }
        let touched = mv.from.bit() | mv.to.bit() | self.board.occupied() & !after.occupied();
        let lost = Castling::every()
            .filter(|&(color, wing)| {
                let CastlingSquares { king_from, rook_from, .. } = wing.squares(color);
                touched.intersects(king_from.bit() | rook_from.bit())
            })
            .fold(Castling::NONE, |lost, (color, wing)| lost.with(Castling::right(color, wing)));
        self.castling.without(lost)
    }

    /// The set-up after a turn that leaves the men as they are: the en passant right lapses.
    pub fn pass(&self) -> Setup {
        Setup {
            board: self.board,
            to_move: !self.to_move,
            castling: self.castling,
            en_passant: None,
            checks_left: self.checks_left,
            halfmove: self.halfmove.saturating_add(1),
            fullmove: self.fullmove.saturating_add(u32::from(self.to_move == Color::Black)),
        }
    }

    /// The set-up without the counters of its FEN, which make no other position.
    pub fn identity(&self) -> Setup {
        Setup { halfmove: 0, fullmove: 1, ..self.clone() }
    }

    /// The set-ups with the same men and side to move in which a pawn has just walked past a pawn
    /// that attacks a square on its way.
    pub fn passing_variants(&self, laws: &Laws) -> Vec<Setup> {
        let enemy = !self.to_move;
        let [pawns, takers] = [enemy, self.to_move].map(|c| self.board.men(c, Role::Pawn));
        let passed = |pawn, steps| {
            let from = laws.walked_from(enemy, (pawn, steps), self.board.occupied())?;
            laws.en_passant_square(self.to_move, takers, (from, steps))
        };
        let mut squares: Vec<Square> = pawns
            .flat_map(|pawn| MANY_STEPS.filter_map(move |steps| passed(pawn, steps)))
            .collect();
        // However far it came, it can be taken on the same squares.
        squares.dedup();
        let with = |passed| Setup { en_passant: Some(passed), ..self.clone() };
        squares.into_iter().map(with).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::Index};

    use super::*;
    use crate::rules::{Game, Variant, random_play};

    proptest! {
        /// In games that are known by name, one at a time.
        #[test]
        fn what_is_seen_at_once_is_what_boards_after_moves_tell(
            which in any::<Index>(),
            picks in random_play::picks(160),
        ) {
            let games = [Variant::built_in(), Variant::collection()].concat();
            let game = games[which.index(games.len())];
            let laws = &game.definition().laws;
            for setup in random_play::positions(&game, game.initial(), &picks) {
                let mut expected = setup.tries(laws);
                expected.retain(|&mv| !laws.has_royal() || setup.is_safe(mv, laws));
                let mut found = setup.tries(laws);
                setup.retain_legal(&Laws { must_capture: false, ..*laws }, &mut found);
                prop_assert_eq!(found, expected, "{}", game.fen(&setup));
                prop_assert_eq!(setup.has_move(laws), !setup.moves(laws).is_empty());
            }
        }
    }
}
