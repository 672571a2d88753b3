//! The positions of a slice, 64 at a time, and what moves between them.
//!
//! A slice has men that keep their roles and pawns that stand still: pawn moves, like captures,
//! lead to another slice that is solved before. So within a slice only pieces make quiet moves.
//! Its positions are numbered for speed, not for storage: the class of the leading men, then the
//! square of every other piece but one, make a *word*; the last piece, the *runner*, takes the 64
//! lanes of that word. Like pieces are told apart here, and words whose men share a square exist.

use crate::{
    board::{
        Bitboard, Color, Group, Man, Role, Square, Symmetry, attackers_from, attacks, between,
    },
    index::{Index, Lead, LeadKind, MAX_MEN},
    rules::Laws,
};

use super::lanes::Lanes;
use sets::Mover;

mod sets;

/// All positions of some men with the pawns on fixed squares, for both sides to move.
pub struct Slice {
    men: Vec<Man>,
    squares: [Square; MAX_MEN],
    pawns: Bitboard,
    laws: Laws,
    lead: Lead,
    leaders: [usize; 2],
    /// Pieces that neither lead nor run, and how far apart in words their squares are.
    others: Vec<(usize, usize)>,
    runner: Option<usize>,
    words: usize,
    words_a_class: usize,
    /// Per side, the pieces that make quiet moves.
    movers: [Vec<Mover>; 2],
    only_capture: [bool; 2],
}

/// Where everybody but the runner stands in a word.
#[derive(Copy, Clone, Debug)]
pub struct Stand {
    /// The number of the word.
    pub word: usize,
    /// Squares in the order of the slice's men; the runner's means nothing.
    pub squares: [Square; MAX_MEN],
    /// The squares taken, but for the runner's.
    pub occupied: Bitboard,
    class: usize,
}

/// The positions that differ in the square of one piece.
#[derive(Copy, Clone, Debug)]
pub struct Stride {
    origin: usize,
    step: usize,
    symmetry: Symmetry,
}

impl Stride {
    /// The place of the position with the piece on `square`: 64 times its word, plus its lane.
    #[inline]
    pub fn at(&self, square: Square) -> usize {
        self.origin + self.symmetry.image(square).number() * self.step
    }
}

/// A turn that leaves the slice: a capture, a pawn move, or both.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Who moves: an index into the slice's men.
    pub mover: usize,
    /// Where to.
    pub to: Square,
    /// Who is captured.
    pub captured: Option<usize>,
    /// Who is no longer on the board after it: a bit for each of the slice's men.
    pub removed: u8,
    /// What the pawn becomes.
    pub promotion: Option<Role>,
    /// Whether a pawn walked two squares and an enemy pawn stands ready to take it in passing.
    pub en_passant: bool,
}

impl Conversion {
    /// A turn that captures nobody.
    fn quiet(mover: usize, to: Square, promotion: Option<Role>) -> Conversion {
        Conversion { mover, to, captured: None, removed: 0, promotion, en_passant: false }
    }

    /// Whether it changes the men on the board.
    pub fn changes_men(&self) -> bool {
        self.captured.is_some() || self.promotion.is_some()
    }
}

/// What a [`Slice`] needs of a man when it makes words.
#[derive(Copy, Clone)]
enum Place {
    Lead(usize),
    Other(usize),
    Runner,
}

impl Slice {
    /// The slice of `men` (in the order of their material) whose pawns stand on `squares`; other
    /// entries of `squares` mean nothing. Without pawns it is folded by `group`.
    pub fn new(men: Vec<Man>, squares: [Square; MAX_MEN], group: Group, laws: Laws) -> Slice {
        let mut pieces: Vec<usize> =
            (0..men.len()).filter(|&i| men[i].role != Role::Pawn).collect();
        // The men with the fewest moves lead, since theirs may turn a whole word.
        pieces.sort_by_key(|&i| std::cmp::Reverse(mobility(men[i].role)));
        let pawns: Bitboard =
            (0..men.len()).filter(|&i| men[i].role == Role::Pawn).map(|i| squares[i]).collect();
        let group = if pawns.is_empty() { group } else { Group::Trivial };
        let royal = |&i: &usize| matches!(men[i].role, Role::King | Role::Disk);
        let kings: Vec<usize> = pieces.iter().copied().filter(royal).collect();
        let (kind, leaders) = match (pieces.len(), &kings[..]) {
            (0 | 1, _) => (LeadKind::Nobody, [0, 0]),
            (2, _) => (LeadKind::One, [pieces[0], 0]),
            (_, &[white, black]) if laws.keeps_kings_apart() => (LeadKind::Kings, [white, black]),
            _ => (LeadKind::Two, [pieces[0], pieces[1]]),
        };
        let leaders_of_kind = &leaders[..kind.men()];
        let mut rest: Vec<usize> =
            pieces.into_iter().filter(|i| !leaders_of_kind.contains(i)).collect();
        // The man with the most moves runs: all its moves in a word cost one pass over 64 lanes.
        let runner = rest.iter().copied().min_by_key(|&i| mobility(men[i].role));
        rest.retain(|&i| Some(i) != runner);
        let lead = Lead::new(kind, group);
        let mut words = 1;
        let mut others: Vec<(usize, usize)> = Vec::new();
        for &i in rest.iter().rev() {
            others.push((i, words));
            words *= 64;
        }
        others.reverse();
        let words_a_class = words;
        let words = words_a_class * lead.len();
        let mut slice = Slice {
            men,
            squares,
            pawns,
            laws,
            lead,
            leaders,
            others,
            runner,
            words,
            words_a_class,
            movers: [Vec::new(), Vec::new()],
            only_capture: [false; 2],
        };
        slice.movers = Color::ALL.map(|side| slice.movers_of(side));
        slice
    }

    /// The same where some sides may make no board moves but captures.
    pub fn where_only_capture(self, sides: [bool; 2]) -> Slice {
        Slice { only_capture: sides, ..self }
    }

    /// The men, in the order of their material.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// How many words there are for each side to move.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The man whose squares are the lanes; `None` if there are only pawns (then lane 0 counts).
    pub fn runner(&self) -> Option<usize> {
        self.runner
    }

    /// Where everybody stands in a word; `None` if men would share a square.
    #[inline]
    pub fn stand(&self, word: usize) -> Option<Stand> {
        let mut squares = self.squares;
        let mut occupied = self.pawns;
        let mut free = true;
        let mut rest = word;
        for &(man, stride) in self.others.iter().rev() {
            debug_assert!(stride > 0);
            let square = Square::new((rest % 64) as u8);
            rest /= 64;
            free &= !occupied.contains(square);
            occupied |= square.bit();
            squares[man] = square;
        }
        let pair = self.lead.representative(rest);
        for (n, &man) in self.leaders.iter().enumerate().take(self.lead.kind().men()) {
            free &= !occupied.contains(pair[n]);
            occupied |= pair[n].bit();
            squares[man] = pair[n];
        }
        free.then_some(Stand { word, squares, occupied, class: rest })
    }

    /// The word and lane of a position given by the squares of all men.
    ///
    /// `None` if leading Kings stand side by side. Pawns must stand as they do in the slice.
    #[inline]
    pub fn locate(&self, squares: &[Square]) -> Option<(usize, Square)> {
        let (class, symmetry) = self.lead.class(self.leading(squares))?;
        let word = self.word(class, squares, |s| symmetry.image(s));
        let lane = self.runner.map_or(Square::new(0), |r| symmetry.image(squares[r]));
        Some((word, lane))
    }

    /// Where the leading men stand; a1 for those that are not there.
    #[inline]
    fn leading(&self, squares: &[Square]) -> [Square; 2] {
        [0, 1].map(|n| match self.lead.kind().men() {
            men if n < men => squares[self.leaders[n]],
            _ => Square::new(0),
        })
    }

    /// How many classes of leading men there are, if the index has the same: then the words and the
    /// numbers of a class both follow those of the class before.
    pub fn classes_like(&self, index: &Index) -> Option<usize> {
        let (lead, leaders) = index.leaders();
        let alike = lead.kind() == self.lead.kind()
            && lead.len() == self.lead.len()
            && leaders[..lead.kind().men()] == self.leaders[..lead.kind().men()];
        alike.then_some(lead.len())
    }

    /// Whether a piece is one of the leading men.
    pub fn leads(&self, piece: usize) -> bool {
        matches!(self.place(piece), Place::Lead(_))
    }

    /// Where the positions lie that differ in the square of one piece, which must not lead; `None`
    /// if leading Kings stand side by side. The square that `squares` has for it means nothing.
    #[inline]
    pub fn line(&self, squares: &[Square], piece: usize) -> Option<Stride> {
        let (class, symmetry) = self.lead.class(self.leading(squares))?;
        let word = self.word(class, squares, |s| symmetry.image(s));
        let lane = self.runner.map_or(0, |r| symmetry.image(squares[r]).number());
        let at = symmetry.image(squares[piece]).number();
        let step = match self.place(piece) {
            Place::Other(stride) => stride * 64,
            _ => 1,
        };
        Some(Stride { origin: word * 64 + lane - at * step, step, symmetry })
    }

    #[inline]
    fn word(&self, class: usize, squares: &[Square], image: impl Fn(Square) -> Square) -> usize {
        self.others.iter().fold(class, |word, &(man, _)| word * 64 + image(squares[man]).number())
    }

    fn place(&self, man: usize) -> Place {
        if Some(man) == self.runner {
            Place::Runner
        } else if let Some(&(_, stride)) = self.others.iter().find(|&&(other, _)| other == man) {
            Place::Other(stride)
        } else {
            Place::Lead(usize::from(self.leaders[0] != man))
        }
    }

    /// The lanes in which the runner shares no square with anybody.
    #[inline]
    pub fn placed(&self, stand: &Stand) -> Bitboard {
        if self.runner.is_some() { !stand.occupied } else { Square::new(0).bit() }
    }

    /// The lanes in which the King or disk of `color` is in check; none without royal Kings.
    pub fn checked(&self, stand: &Stand, color: Color) -> Bitboard {
        let Some(king) = self.royal(color).filter(|_| self.laws.royal) else {
            return Bitboard::EMPTY;
        };
        let mut lanes = Bitboard::EMPTY;
        for (i, man) in self.men.iter().enumerate().filter(|(_, man)| man.color != color) {
            if !(self.laws.kings_touch && man.role == Role::King) {
                lanes |= self.attacked(stand, i, king);
            }
        }
        if self.laws.kings_touch && self.laws.explosive {
            // Who removes one of two Kings side by side removes both.
            let enemy = self.royal(!color);
            lanes &= !enemy.map_or(Bitboard::EMPTY, |enemy| self.attacked(stand, enemy, king));
        }
        lanes & self.placed(stand)
    }

    /// The lanes in which one man attacks another.
    fn attacked(&self, stand: &Stand, by: usize, target: usize) -> Bitboard {
        let Man { role, color } = self.men[by];
        let (from, at) = (stand.squares[by], stand.squares[target]);
        if Some(by) == self.runner {
            return attackers_from(role, color, at, stand.occupied);
        }
        match attacks(role, color, from, stand.occupied) {
            attacked if Some(target) == self.runner => attacked,
            attacked if attacked.contains(at) => !between(from, at),
            _ => Bitboard::EMPTY,
        }
    }

    /// The lanes that are legal positions with `to_move` to move.
    pub fn legal(&self, stand: &Stand, to_move: Color) -> Bitboard {
        self.placed(stand) & !self.checked(stand, !to_move)
    }

    /// The lanes in which `side`, to move in one of the `legal` positions, is mated by board moves
    /// alone.
    pub fn mated(&self, stand: &Stand, side: Color, legal: &[Vec<u64>; 2]) -> Bitboard {
        let lanes = Bitboard(legal[side.index()][stand.word]) & self.checked(stand, side);
        if lanes.is_empty() {
            return lanes;
        }
        let open = &legal[(!side).index()];
        let mut stuck = lanes & !Bitboard(self.reach(stand, side, lanes.0, |word| open[word]));
        self.conversions(stand, side, stuck, |_, lanes, _| stuck &= !lanes);
        stuck
    }

    /// Joins, lane by lane, the options that the quiet moves of `side` lead to.
    ///
    /// `rows` are those of the words for the other side to move. Lanes that are no legal positions
    /// must be [`Lanes::NONE`] there; the lanes of the result that are none mean nothing.
    #[inline(always)]
    pub fn quiet<L: Lanes>(&self, stand: &Stand, side: Color, rows: &[L]) -> L {
        let mut best = L::NONE;
        if self.only_capture[side.index()] {
            return best;
        }
        for (i, man) in self.men.iter().enumerate() {
            if man.color != side || matches!(man.role, Role::Pawn | Role::Disk) {
                continue;
            }
            let from = stand.squares[i];
            let targets = || attacks(man.role, side, from, stand.occupied) & !stand.occupied;
            match self.place(i) {
                Place::Runner => {
                    best = best.join(rows[stand.word].reached(man.role, stand.occupied));
                }
                Place::Other(stride) => {
                    let base = stand.word - from.number() * stride;
                    for to in targets() {
                        let passed = between(from, to);
                        let mut option = rows[base + to.number() * stride];
                        if !passed.is_empty() {
                            option = option.only(!passed);
                        }
                        best = best.join(option);
                    }
                }
                Place::Lead(n) => {
                    let mut pair = self.lead.representative(stand.class);
                    for to in targets() {
                        pair[n] = to;
                        let Some((class, symmetry)) = self.lead.class(pair) else { continue };
                        let word = self.word(class, &stand.squares, |s| symmetry.image(s));
                        let mut option = rows[word];
                        if symmetry != Symmetry::IDENTITY {
                            option = option.turned(symmetry);
                        }
                        let passed = between(from, to);
                        if !passed.is_empty() {
                            option = option.only(!passed);
                        }
                        best = best.join(option);
                    }
                }
            }
        }
        best
    }

    /// Tells every word whose [`quiet`](Slice::quiet) moves of `side` read this one: what has to
    /// be looked at again when it changes.
    #[inline]
    pub fn readers(&self, stand: &Stand, side: Color, mut tell: impl FnMut(usize)) {
        if self.only_capture[side.index()] {
            return;
        }
        for (i, man) in self.men.iter().enumerate() {
            if man.color != side || matches!(man.role, Role::Pawn | Role::Disk) {
                continue;
            }
            let at = stand.squares[i];
            let sources = || attackers_from(man.role, side, at, stand.occupied) & !stand.occupied;
            match self.place(i) {
                Place::Runner => tell(stand.word),
                Place::Other(stride) => {
                    let base = stand.word - at.number() * stride;
                    for from in sources() {
                        tell(base + from.number() * stride);
                    }
                }
                Place::Lead(n) => {
                    let mut pair = self.lead.representative(stand.class);
                    for from in sources() {
                        pair[n] = from;
                        let Some((class, turn)) = self.lead.class(pair) else { continue };
                        // Where the leaders stand symmetrically, each image is a word of its own.
                        for keep in self.lead.stabiliser(class) {
                            let image = |s| keep.image(turn.image(s));
                            tell(self.word(class, &stand.squares, image));
                        }
                    }
                }
            }
        }
    }

    /// Calls `meet` with every legal conversion of `side` in the given lanes: the turn, the lanes
    /// that have it, and the squares of all men after it (a captured man's means nothing).
    ///
    /// Several lanes come together only if the position after the turn is the same for all.
    /// Captures in passing are not among them: positions that allow one are not in the slice.
    pub fn conversions(
        &self,
        stand: &Stand,
        side: Color,
        lanes: Bitboard,
        mut meet: impl FnMut(&Conversion, Bitboard, &[Square; MAX_MEN]),
    ) {
        let mut offer = |conversion: Conversion, lanes: Bitboard| {
            let mut squares = stand.squares;
            squares[conversion.mover] = conversion.to;
            let mut offer_one = |lanes: Bitboard, squares: &[Square; MAX_MEN]| {
                let mut conversion = conversion;
                if self.laws.explosive && conversion.captured.is_some() {
                    conversion.removed |= self.blown_up(&conversion, squares);
                }
                if self.is_safe(side, &conversion, squares) {
                    meet(&conversion, lanes, squares);
                }
            };
            match self.runner {
                Some(runner) if runner != conversion.mover => {
                    for lane in lanes {
                        squares[runner] = lane;
                        offer_one(lane.bit(), &squares);
                    }
                }
                _ if lanes.is_empty() => {}
                _ => offer_one(lanes, &squares),
            }
        };
        for (i, man) in self.men.iter().enumerate().filter(|(_, man)| man.color == side) {
            if man.role == Role::Pawn && !self.only_capture[side.index()] {
                self.pawn_steps(stand, i, lanes, &mut offer);
            }
            let from = stand.squares[i];
            let attacked = attacks(man.role, side, from, stand.occupied);
            for (j, victim) in self.men.iter().enumerate() {
                let royal = matches!(victim.role, Role::King | Role::Disk) && self.laws.royal;
                if victim.color == side || royal || man.role == Role::Disk {
                    continue;
                }
                let mut capture = |to: Square, lanes: Bitboard| {
                    self.promotions(man, to, |promotion| {
                        let quiet = Conversion::quiet(i, to, promotion);
                        offer(Conversion { captured: Some(j), removed: 1 << j, ..quiet }, lanes);
                    });
                };
                let at = stand.squares[j];
                if Some(i) == self.runner {
                    capture(at, lanes & attackers_from(man.role, side, at, stand.occupied));
                } else if Some(j) == self.runner {
                    for lane in lanes & attacked {
                        capture(lane, lane.bit());
                    }
                } else if attacked.contains(at) {
                    let open =
                        if self.runner.is_some() { !between(from, at) } else { Bitboard::ALL };
                    capture(at, lanes & open);
                }
            }
        }
    }

    fn pawn_steps(
        &self,
        stand: &Stand,
        pawn: usize,
        lanes: Bitboard,
        offer: &mut impl FnMut(Conversion, Bitboard),
    ) {
        let man = self.men[pawn];
        let from = stand.squares[pawn];
        let free = |lanes: Bitboard, to: Square| match () {
            () if stand.occupied.contains(to) => Bitboard::EMPTY,
            () if self.runner.is_some() => lanes & !to.bit(),
            () => lanes,
        };
        let forward = man.color.forward();
        let to = from.offset(0, forward).expect("pawns keep off the last rank");
        let open = free(lanes, to);
        self.promotions(&man, to, |promotion| {
            offer(Conversion::quiet(pawn, to, promotion), open);
        });
        if from.rank() == man.color.rank(1) {
            let to = to.offset(0, forward).expect("two steps from the second rank");
            let en_passant = self.men.iter().zip(stand.squares).any(|(other, at)| {
                *other == Man::new(!man.color, Role::Pawn)
                    && at.rank() == to.rank()
                    && at.file().abs_diff(to.file()) == 1
            });
            let conversion = Conversion { en_passant, ..Conversion::quiet(pawn, to, None) };
            offer(conversion, free(open, to));
        }
    }

    fn promotions(&self, man: &Man, to: Square, mut each: impl FnMut(Option<Role>)) {
        if man.role == Role::Pawn && to.rank() == man.color.rank(7) {
            self.laws.promotions.iter().for_each(|&role| each(Some(role)));
        } else {
            each(None);
        }
    }

    /// Who else an explosive capture removes.
    fn blown_up(&self, turn: &Conversion, squares: &[Square; MAX_MEN]) -> u8 {
        let near = attacks(Role::King, Color::White, turn.to, Bitboard::EMPTY);
        let hit = |&i: &usize| self.men[i].role != Role::Pawn && near.contains(squares[i]);
        (0..self.men.len()).filter(hit).fold(1 << turn.mover, |removed, i| removed | 1 << i)
    }

    /// Whether the turn neither leaves the mover's King in check nor removes it.
    fn is_safe(&self, side: Color, turn: &Conversion, squares: &[Square; MAX_MEN]) -> bool {
        if !self.laws.royal {
            return true;
        }
        let stays = |i: &usize| turn.removed >> i & 1 == 0;
        let Some(king) = self.royal(side) else { return true };
        if self.laws.explosive {
            let Some(enemy) = self.royal(!side).filter(stays) else { return stays(&king) };
            let near = attacks(Role::King, !side, squares[enemy], Bitboard::EMPTY);
            if !stays(&king) || self.laws.kings_touch && near.contains(squares[king]) {
                return stays(&king);
            }
        }
        let occupied: Bitboard = (0..self.men.len()).filter(stays).map(|i| squares[i]).collect();
        (0..self.men.len()).filter(stays).filter(|&i| self.men[i].color != side).all(|i| {
            let role = self.men[i].role;
            !attacks(role, !side, squares[i], occupied).contains(squares[king])
                || self.laws.kings_touch && role == Role::King
        })
    }

    /// The man of `color` that a royal King or disk is.
    fn royal(&self, color: Color) -> Option<usize> {
        let royal = |man: &Man| matches!(man.role, Role::King | Role::Disk);
        self.men.iter().position(|man| man.color == color && royal(man))
    }
}

/// Sorts roles by how many moves they have, most first. A disk counts as the King it was, so that
/// slices with and without disks have the same words and lanes.
fn mobility(role: Role) -> usize {
    let order = [Role::Queen, Role::Rook, Role::Elk, Role::Bishop, Role::Knight, Role::King];
    order.iter().position(|&r| r == role).unwrap_or(order.len() - 1)
}
