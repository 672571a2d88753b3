//! Where the board moves of a game depart from orthodox chess.

use std::ops::RangeInclusive;

use crate::board::{
    Bitboard, Board, BoardSize, ByColor, Color, Man, Movement, Movements, Role, RoleSet, Square,
    king_attacks, pawn_attacks,
};

/// Where the board moves of a game depart from orthodox chess.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Laws {
    /// The board.
    pub size: BoardSize,
    /// How men move.
    pub movements: Movements,
    /// The kinds of men that may not be left attacked, and so are never captured; a disk counts as
    /// the King it was. Where there are none there is no check at all.
    pub royal: RoleSet,
    /// The kinds of men that are royal, too, while their side has few of them.
    pub scarce: Option<Scarce>,
    /// Whether a side may give check. Where none may, no legal position has a King in check.
    pub checks: bool,
    /// Whether Kings may stand side by side: one does not attack the other.
    pub kings_touch: bool,
    /// Whether a capture removes also the man that captures and, next to where it lands, every man
    /// but pawns. None may remove the own royal King; Kings side by side are not in check then,
    /// since who removes one removes both.
    pub explosive: bool,
    /// The kinds of men that an explosion does not remove: neither beside it nor as who captures.
    /// No royal men are among them, nor pawns or what they become.
    pub blast_immune: RoleSet,
    /// The kinds of men of which one does not capture another.
    pub mutually_immune: RoleSet,
    /// Whether royal Kings may not face each other along a rank or file with nobody between.
    pub flying: bool,
    /// Whether a side that can capture must.
    pub must_capture: bool,
    /// When a side that is not in check may pass.
    pub passing: ByColor<Passing>,
    /// Whether pawns may stand on the first rank of their side.
    pub pawns_at_home: bool,
    /// What pawns of each side may become.
    pub promotions: ByColor<RoleSet>,
    /// Of which kinds a side becomes no more than so many.
    pub promotion_limits: PromotionLimits,
    /// Where men promote: the last rank as each side sees it in most games, and not on squares where
    /// a pawn is taken in passing. Where pawns do not promote on all of the last rank, they stand there.
    pub promotion_squares: ByColor<Bitboard>,
    /// The kinds of men of each side that promote as pawns do, when they get there; pawns among
    /// them, or that side has none.
    pub promoting: ByColor<RoleSet>,
    /// Whether these may get there and stay what they are.
    pub pawns_may_stay: bool,
    /// What other pieces become, each one kind, when they go to or from where men promote.
    pub own_promotions: OwnPromotions,
    /// Whether these pieces may stay what they are; if not, none can stand there, unless they
    /// promote by captures alone.
    pub pieces_may_stay: bool,
    /// Whether these pieces promote by captures alone, and stay what they are by other moves.
    pub pieces_promote_by_capture: bool,
    /// The squares from which pawns may walk two squares.
    pub double_steps: ByColor<Bitboard>,
    /// The squares from which pawns may walk three.
    pub triple_steps: ByColor<Bitboard>,
    /// The squares a pawn has walked over on which those of each side can take it in passing.
    pub en_passant: ByColor<Bitboard>,
    /// Whether there is castling.
    pub castling: bool,
}

/// Men that are royal by being few.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scarce {
    /// The kinds, each of which is counted alone.
    pub kinds: RoleSet,
    /// How many of a kind a side has at most for them to be royal.
    pub most: u8,
    /// Whether the men of all these kinds together, however many, may not all be left attacked.
    pub not_all: bool,
}

/// The kinds that men become which have one of their own to become. A pawn's is among those that
/// pawns become, and is here for how that is written.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct OwnPromotions {
    /// By the kind that promotes.
    kinds: [Option<Role>; Role::ALL.len()],
    /// Those that do: in most games none, which is asked with every move.
    promoting: RoleSet,
}

impl OwnPromotions {
    /// No man has one.
    pub const NONE: OwnPromotions =
        OwnPromotions { kinds: [None; Role::ALL.len()], promoting: RoleSet::of(&[]) };

    /// The same where men of a kind become another, or nothing.
    #[must_use]
    pub fn with(mut self, from: Role, to: Option<Role>) -> OwnPromotions {
        self.kinds[from.index()] = to;
        self.promoting = self.promoting.with(from, to.is_some());
        self
    }

    /// What a man of a kind becomes, if it has a kind of its own to become.
    #[inline]
    pub const fn of(&self, role: Role) -> Option<Role> {
        self.kinds[role.index()]
    }

    /// The kinds that promote so.
    #[inline]
    pub const fn promoting(&self) -> RoleSet {
        self.promoting
    }

    /// These kinds, each with what it becomes.
    pub fn iter(&self) -> impl Iterator<Item = (Role, Role)> + '_ {
        self.promoting.iter().filter_map(|role| Some((role, self.of(role)?)))
    }
}

/// How many men of some kinds a side can come to have by promotion, where that is limited.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct PromotionLimits {
    /// By the kind that is had.
    most: [u8; Role::ALL.len()],
    /// The kinds of which there is a limit: in most games none.
    kinds: RoleSet,
}

impl PromotionLimits {
    /// As many as one likes.
    pub const NONE: PromotionLimits =
        PromotionLimits { most: [0; Role::ALL.len()], kinds: RoleSet::of(&[]) };

    /// The same where nobody becomes such a man whose side has `most` of them; as many as one likes if
    /// that is 0.
    #[must_use]
    pub fn with(mut self, role: Role, most: u8) -> PromotionLimits {
        self.most[role.index()] = most;
        self.kinds = self.kinds.with(role, most > 0);
        self
    }

    /// The kinds of which there is a limit.
    #[inline]
    pub const fn kinds(&self) -> RoleSet {
        self.kinds
    }

    /// These kinds, each with how many there may be.
    pub fn iter(&self) -> impl Iterator<Item = (Role, u8)> + '_ {
        self.kinds.iter().map(|role| (role, self.most[role.index()]))
    }
}

impl FromIterator<(Role, u8)> for PromotionLimits {
    fn from_iter<I: IntoIterator<Item = (Role, u8)>>(limits: I) -> PromotionLimits {
        limits.into_iter().fold(PromotionLimits::NONE, |all, (role, most)| all.with(role, most))
    }
}

/// How many squares a pawn walks at once, if more than one.
pub const MANY_STEPS: RangeInclusive<i8> = 2..=3;

/// When a side that is not in check may pass.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Passing {
    /// Never.
    #[default]
    Never,
    /// When it has no move.
    WhenStuck,
    /// Whenever it likes, but where it must capture.
    AtWill,
}

impl Laws {
    /// Those of orthodox chess.
    pub const ORTHODOX: Laws = Laws {
        size: BoardSize::CHESS,
        movements: Movements::USUAL,
        royal: RoleSet::of(&[Role::King]),
        scarce: None,
        checks: true,
        kings_touch: false,
        explosive: false,
        blast_immune: RoleSet::of(&[]),
        mutually_immune: RoleSet::of(&[]),
        flying: false,
        must_capture: false,
        passing: ByColor::both(Passing::Never),
        pawns_at_home: false,
        promotions: ByColor::both(RoleSet::of(&[
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
        ])),
        promotion_limits: PromotionLimits::NONE,
        promotion_squares: ByColor { white: Bitboard::rank(7), black: Bitboard::rank(0) },
        promoting: ByColor::both(RoleSet::of(&[Role::Pawn])),
        pawns_may_stay: false,
        own_promotions: OwnPromotions::NONE,
        pieces_may_stay: true,
        pieces_promote_by_capture: false,
        double_steps: ByColor { white: Bitboard::rank(1), black: Bitboard::rank(6) },
        triple_steps: ByColor::both(Bitboard::EMPTY),
        en_passant: ByColor::both(Bitboard::ALL),
        castling: true,
    };

    /// Whether no legal position has Kings side by side.
    pub fn keeps_kings_apart(&self) -> bool {
        let king = self.movements.of(Man::new(Color::White, Role::King));
        self.royal.contains(Role::King) && !self.kings_touch && king == Movement::King
    }

    /// The squares on which pawns of a side stand: all but those of the first and the last rank,
    /// unless they may be there.
    pub fn pawn_squares(&self, color: Color) -> Bitboard {
        let [first, last] = self.pawns_on_ends();
        let of_rank = |own: u8, may_stand: bool| match may_stand {
            true => self.size.squares_of_rank(color, own),
            false => Bitboard::EMPTY,
        };
        self.size.pawn_squares() | of_rank(0, first) | of_rank(self.size.ranks() - 1, last)
    }

    /// Whether pawns stand on the first rank of their side, and on the last: there if they may stay
    /// what they are, or if either side's do not promote on all of it.
    pub fn pawns_on_ends(&self) -> [bool; 2] {
        let last = |color| self.size.squares_of_rank(color, self.size.ranks() - 1);
        let stays = |color| !(last(color) & !self.promotion_squares[color]).is_empty();
        [self.pawns_at_home, self.pawns_may_stay || Color::any(stays)]
    }

    /// Whether so many pawns of White and of Black can stand on the board together.
    pub fn have_room(&self, [white, black]: [usize; 2]) -> bool {
        let [whites, blacks] = Color::ALL.map(|color| self.pawn_squares(color));
        white <= whites.len() && black <= blacks.len() && white + black <= (whites | blacks).len()
    }

    /// The squares from which pawns of a side may walk so many squares: 2 or 3.
    #[inline]
    pub fn homes(&self, color: Color, steps: i8) -> Bitboard {
        if steps == 2 { self.double_steps[color] } else { self.triple_steps[color] }
    }

    /// The squares that a pawn walks to from a square over empty ones, with how many it has walked.
    #[inline]
    pub fn pawn_steps(
        &self,
        color: Color,
        from: Square,
        blocked: Bitboard,
    ) -> impl Iterator<Item = (i8, Square)> {
        let [two, three] = [2, 3].map(|steps| self.homes(color, steps).contains(from));
        let may_walk = [true, two, three];
        let most = may_walk.iter().rposition(|&may| may).unwrap_or_default() as i8 + 1;
        let step = move |n: i8| from.offset(0, n * color.forward()).map(|to| (n, to));
        let size = self.size;
        let on = (1..=most)
            .map_while(step)
            .take_while(move |&(_, to)| size.contains(to) && !blocked.contains(to));
        on.filter(move |&(n, _)| may_walk[n as usize - 1])
    }

    /// Whether one of these pawns of a side can take one in passing on a square that it has walked
    /// over.
    pub fn can_take_in_passing(&self, color: Color, pawns: Bitboard, passed: Square) -> bool {
        self.en_passant[color].contains(passed) && pawn_attacks(!color, passed).intersects(pawns)
    }

    /// The en passant square after a pawn of the other side has walked so many squares from
    /// another: the first on its way on which one of these pawns of a side can take it.
    pub fn en_passant_square(
        &self,
        color: Color,
        pawns: Bitboard,
        walk: (Square, i8),
    ) -> Option<Square> {
        passed(!color, walk).find(|&passed| self.can_take_in_passing(color, pawns, passed))
    }

    /// From where a pawn of a side can have walked so many squares at once to where it stands.
    pub fn walked_from(
        &self,
        color: Color,
        (pawn, steps): (Square, i8),
        occupied: Bitboard,
    ) -> Option<Square> {
        let from = pawn.offset(0, -steps * color.forward())?;
        let was_there = self.pawn_squares(color).contains(from) && !occupied.contains(from);
        let mut walks = self.pawn_steps(color, from, occupied & !pawn.bit());
        (was_there && walks.any(|walk| walk == (steps, pawn))).then_some(from)
    }

    /// The squares on which pawns of a side may take one in passing, if there are such that can,
    /// among those that the enemy's pawns walk over.
    pub fn passed_squares(&self, color: Color) -> Bitboard {
        let passed = MANY_STEPS.flat_map(|steps| {
            self.homes(!color, steps).flat_map(move |from| passed(!color, (from, steps)))
        });
        passed.collect::<Bitboard>() & self.en_passant[color] & self.size.squares()
    }

    /// The walks of pawns of a side over a square, whoever stands in the way: from where, to where,
    /// and how many squares. Shorter ones, which are those of most games, come first.
    pub fn walks_over(
        &self,
        color: Color,
        passed: Square,
    ) -> impl Iterator<Item = (Square, Square, i8)> {
        let walks = MANY_STEPS.flat_map(|steps| (1..steps).map(move |over| (steps, over)));
        walks.filter_map(move |(steps, over)| {
            let ahead = |ranks: i8| passed.offset(0, ranks * color.forward());
            let (home, pawn) = (ahead(-over)?, ahead(steps - over)?);
            self.homes(color, steps).contains(home).then_some((home, pawn, steps))
        })
    }

    /// Whether there is check at all.
    #[inline]
    pub fn has_royal(&self) -> bool {
        !self.perhaps_royal().is_empty()
    }

    /// The kinds of men that are royal, or are while few of them are left.
    #[inline]
    pub fn perhaps_royal(&self) -> RoleSet {
        self.scarce.map_or(self.royal, |scarce| self.royal.or(scarce.kinds))
    }

    /// The kinds of men of a side that may not be left attacked, given how many it has of each: a
    /// disk is the King it was.
    #[inline]
    pub fn royal_kinds(&self, count: impl Fn(Role) -> usize) -> RoleSet {
        let royal = self.royal.with(Role::Disk, self.royal.contains(Role::King));
        let Some(Scarce { kinds, most, .. }) = self.scarce else { return royal };
        let few = kinds.iter().filter(|&role| count(role) <= usize::from(most));
        royal.or(few.collect())
    }

    /// The kinds of men of which a side may not leave all attacked at once, though some.
    pub fn not_all_attacked(&self) -> RoleSet {
        self.scarce.filter(|scarce| scarce.not_all).map_or_else(RoleSet::default, |s| s.kinds)
    }

    /// The men of a side that may not be left attacked.
    #[inline]
    pub fn royal_men(&self, board: &Board, color: Color) -> Bitboard {
        let kinds = self.royal_kinds(|role| board.men(color, role).len());
        kinds.iter().fold(Bitboard::EMPTY, |all, role| all | board.men(color, role))
    }

    /// Whether nobody is in check who may not be where a side is to move, nor stands where it would
    /// have promoted, and no Kings face each other that may not.
    pub fn is_legal(&self, board: &Board, to_move: Color) -> bool {
        !self.in_check(board, !to_move)
            && (self.checks || !self.in_check(board, to_move))
            && self.unpromoted(board).is_none()
            && !self.kings_face(board)
    }

    /// Whether Kings face each other that may not.
    pub fn kings_face(&self, board: &Board) -> bool {
        self.flying
            && board.king(Color::White).is_some_and(|white| {
                let seen = Movement::Rook.attacks(white, board.occupied());
                board.men(Color::Black, Role::King).intersects(seen)
            })
    }

    /// Whether a man may capture one of the enemy by their kinds, King aside.
    pub fn can_capture(&self, captor: Role, victim: Role) -> bool {
        captor != victim || !self.mutually_immune.contains(captor)
    }

    /// Whether a royal man of `color` is attacked, or all of those that may not all be.
    pub fn in_check(&self, board: &Board, color: Color) -> bool {
        let attacked = |at| self.would_check(board, color, at);
        let kinds = self.not_all_attacked();
        let mut some = kinds.iter().flat_map(|role| board.men(color, role)).peekable();
        self.royal_men(board, color).any(attacked) || some.peek().is_some() && some.all(attacked)
    }

    /// Whether a royal man of `color` on `square` would be in check.
    pub fn would_check(&self, board: &Board, color: Color, square: Square) -> bool {
        if !self.kings_touch {
            return board.is_attacked_by(self.movements, !color, square);
        }
        let attackers = board.attackers(self.movements, !color, square, board.occupied());
        let enemy = board.men(!color, Role::King);
        let king = self.movements.of(Man::new(color, Role::King));
        let touching = enemy.intersects(king.attacks(square, board.occupied()));
        !(self.explosive && touching || (attackers & !enemy).is_empty())
    }

    /// The squares an explosive capture empties that lands on `square`: with the man that lands.
    pub fn blast(&self, board: &Board, square: Square) -> Bitboard {
        let near = king_attacks(square) & board.occupied() & !board.with(Role::Pawn);
        let immune = self.blast_immune.iter().map(|role| board.with(role));
        immune.fold(square.bit() | near, |blast, immune| blast & !immune)
    }
}

/// The squares, in their order, over which a pawn of a side walks that walks so many squares
/// from another.
fn passed(color: Color, (from, steps): (Square, i8)) -> impl Iterator<Item = Square> {
    (1..steps).filter_map(move |n| from.offset(0, n * color.forward()))
}
