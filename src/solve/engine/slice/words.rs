//! How the positions of a slice are numbered: words, and the men that make them.

use super::digits::Digit;
#[cfg(test)]
use crate::{board::BoardSize, index::Material};
use crate::{
    board::{Bitboard, Color, Group, Man, Movement, Role, Square, Symmetry},
    index::{Index, Lead, LeadKind, MAX_MEN},
    rules::Laws,
};

/// All positions of some men with the pawns on fixed squares, for both sides to move.
pub struct Slice {
    pub(super) men: Vec<Man>,
    pub(super) squares: [Square; MAX_MEN],
    /// The squares of pawns, and those that are not on the board.
    blocked: Bitboard,
    pub(super) laws: Laws,
    pub(super) lead: Lead,
    pub(super) leaders: [usize; 2],
    /// Pieces that neither lead nor run.
    pub(super) others: Vec<Digit>,
    pub(super) runner: Option<usize>,
    pub(super) words: usize,
    pub(super) words_a_class: usize,
    /// Per side, the pieces that make quiet moves.
    pub(super) movers: [Vec<Mover>; 2],
    pub(super) only_capture: [bool; 2],
}

/// Where everybody but the runner stands in a word.
#[derive(Copy, Clone, Debug)]
pub struct Stand {
    /// The number of the word.
    pub word: usize,
    /// Squares in the order of the slice's men; the runner's means nothing.
    pub squares: [Square; MAX_MEN],
    /// The squares taken, but for the runner's; those that are not on the board are as if taken.
    pub occupied: Bitboard,
    pub(super) class: usize,
}

/// A piece that makes quiet moves.
#[derive(Copy, Clone)]
pub(super) struct Mover {
    pub man: usize,
    pub movement: Movement,
    pub place: Place,
}

/// The least number of words worth a task of its own: beside the work on fewer, handing
/// it to a thread would count.
pub const MIN_WORDS: usize = 512;

const _: () = assert!(MIN_WORDS.is_multiple_of(64), "stretches of words are made of whole blocks");

/// What a [`Slice`] needs of a man when it makes words.
#[derive(Copy, Clone)]
pub(super) enum Place {
    Lead(usize),
    Other(Digit),
    Runner,
}

impl Slice {
    /// The slice of `men` (in the order of their material) whose pawns stand on `squares`; other
    /// entries of `squares` mean nothing. Without pawns it is folded by `group`.
    pub fn new(men: Vec<Man>, squares: [Square; MAX_MEN], group: Group, laws: Laws) -> Slice {
        let pawns = (0..men.len()).filter(|&i| men[i].role == Role::Pawn).map(|i| squares[i]);
        let blocked = pawns.collect::<Bitboard>() | !laws.size.squares();
        let Arrangement { group, kind, leaders, runner, others } =
            Arrangement::of(&men, group, &laws);
        let words_a_class = words_a_class(&others);
        let lead = Lead::new(kind, group);
        let words = words_a_class * lead.len();
        let mut slice = Slice {
            men,
            squares,
            blocked,
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

    /// The slice of pieces alone that move as in orthodox chess.
    #[cfg(test)]
    pub fn of_pieces(material: &str) -> Slice {
        Slice::of_pieces_on(material, BoardSize::CHESS)
    }

    /// The same on a board of some size.
    #[cfg(test)]
    pub fn of_pieces_on(material: &str, size: BoardSize) -> Slice {
        let material: Material = material.parse().expect("the name of a material");
        let nowhere = [Square::new(0); MAX_MEN];
        let laws = Laws { size, ..Laws::ORTHODOX };
        Slice::new(material.men(), nowhere, Group::FULL.on(size), laws)
    }

    /// How many lanes all words of a slice of some men have for each side to move, without making
    /// it; without pawns it is folded by `group`.
    pub fn lanes(men: &[Man], group: Group, laws: &Laws) -> u64 {
        let Arrangement { group, kind, others, .. } = Arrangement::of(men, group, laws);
        Lead::count(kind, group) * words_a_class(&others) as u64 * 64
    }

    /// The same where some sides may make no board moves but captures.
    pub fn where_only_capture(self, sides: [bool; 2]) -> Slice {
        Slice { only_capture: sides, ..self }
    }

    /// How the men move.
    pub fn laws(&self) -> &Laws {
        &self.laws
    }

    /// The men, in the order of their material.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// How many words there are for each side to move.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many words go together as a stretch, but for the last one: some classes of the leading
    /// men, which one thread works on at a time.
    pub fn words_a_stretch(&self) -> usize {
        // So many classes are as many words as a power of two, or one class is made of blocks of
        // 64.
        self.words_a_class.max(MIN_WORDS)
    }

    /// How many stretches of words there are.
    pub fn stretches(&self) -> usize {
        self.words.div_ceil(self.words_a_stretch())
    }

    /// How many of the slice's `numbers` in an index belong to a stretch of words, but for the last
    /// one, if both follow each other in the same order.
    pub fn numbers_a_stretch(&self, index: &Index, numbers: u64) -> Option<u64> {
        let classes = self.classes_like(index)?;
        let together = self.words_a_stretch() / self.words_a_class;
        Some(numbers / classes as u64 * together as u64)
    }

    /// The man whose squares are the lanes; `None` if there are only pawns (then lane 0 counts).
    pub fn runner(&self) -> Option<usize> {
        self.runner
    }

    /// Where everybody stands in a word; `None` if men would share a square.
    #[inline]
    pub fn stand(&self, word: usize) -> Option<Stand> {
        let mut squares = self.squares;
        let mut occupied = self.blocked;
        let mut free = true;
        let class = word / self.words_a_class;
        let mut rest = (word - class * self.words_a_class) as u64;
        for digit in self.others.iter().rev() {
            let is_set = digit.pieces.take(&mut rest, |man, square| {
                free &= !occupied.contains(square);
                occupied |= square.bit();
                squares[man] = square;
            });
            if !is_set {
                return None;
            }
        }
        if rest > 0 {
            // Only there to make the words of a class a round number.
            return None;
        }
        let pair = self.lead.representative(class);
        for (n, &man) in self.leaders.iter().enumerate().take(self.lead.kind().men()) {
            free &= !occupied.contains(pair[n]);
            occupied |= pair[n].bit();
            squares[man] = pair[n];
        }
        free.then_some(Stand { word, squares, occupied, class })
    }

    /// The word and lane of a position given by the squares of all men.
    ///
    /// `None` if leading Kings stand side by side. Pawns must stand as they do in the slice.
    #[inline]
    pub fn locate(&self, squares: &[Square]) -> Option<(usize, Square)> {
        let (class, symmetry) = self.lead.class(self.leading(squares))?;
        let word = self.word(class, squares, symmetry);
        let lane = self.runner.map_or(Square::new(0), |r| symmetry.image(squares[r]));
        Some((word, lane))
    }

    /// Where the leading men stand; a1 for those that are not there.
    #[inline]
    pub(super) fn leading(&self, squares: &[Square]) -> [Square; 2] {
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

    #[inline]
    pub(super) fn word(&self, class: usize, squares: &[Square], symmetry: Symmetry) -> usize {
        let digits = self.others.iter();
        let word = digits.fold(0, |word, Digit { pieces, .. }| {
            word * pieces.size() + pieces.digit(|man| symmetry.ordinal(squares[man]))
        });
        class * self.words_a_class + word as usize
    }

    pub(super) fn place(&self, man: usize) -> Place {
        if Some(man) == self.runner {
            Place::Runner
        } else if let Some(&digit) =
            self.others.iter().find(|digit| digit.pieces.range().contains(&man))
        {
            Place::Other(digit)
        } else {
            Place::Lead(usize::from(self.leaders[0] != man))
        }
    }

    /// The lanes in which the runner shares no square with anybody.
    #[inline]
    pub fn placed(&self, stand: &Stand) -> Bitboard {
        if self.runner.is_some() { !stand.occupied } else { Square::new(0).bit() }
    }

    /// The pieces of `side` that make quiet moves; those whose moves are the cheapest to look at
    /// first.
    fn movers_of(&self, side: Color) -> Vec<Mover> {
        let moves = |role| !matches!(role, Role::Pawn | Role::Disk);
        let mut movers: Vec<Mover> = (0..self.men.len())
            .filter(|&man| self.men[man].color == side && moves(self.men[man].role))
            .map(|man| Mover { man, movement: self.movement(man), place: self.place(man) })
            .collect();
        movers.sort_by_key(|mover| match mover.place {
            Place::Other(_) => 0,
            Place::Runner => 1,
            Place::Lead(_) => 2,
        });
        movers
    }

    /// The word of the men who stand as in `stand`, turned, but for the leaders, who are in
    /// `class`.
    #[inline]
    pub(super) fn word_turned(&self, class: usize, stand: &Stand, symmetry: Symmetry) -> usize {
        if symmetry.is_identity() {
            let rest = stand.word - stand.class * self.words_a_class;
            class * self.words_a_class + rest
        } else {
            self.word(class, &stand.squares, symmetry)
        }
    }
}

/// How many words some digits make for each class of the leading men. That is a power of two or,
/// from [`MIN_WORDS`] on, made of blocks of 64, so that stretches of words are; on boards other
/// than that of chess the last few are no positions.
fn words_a_class(digits: &[Digit]) -> usize {
    match Digit::words(digits) {
        few if few < MIN_WORDS => few.next_power_of_two(),
        many => many.next_multiple_of(64),
    }
}

/// Which men lead, which one runs, and what numbers the others.
struct Arrangement {
    /// What it is folded by.
    group: Group,
    kind: LeadKind,
    leaders: [usize; 2],
    runner: Option<usize>,
    others: Vec<Digit>,
}

impl Arrangement {
    fn of(men: &[Man], group: Group, laws: &Laws) -> Arrangement {
        let mut pieces: Vec<usize> =
            (0..men.len()).filter(|&i| men[i].role != Role::Pawn).collect();
        let folds = pieces.len() == men.len();
        let group = if folds { group } else { Group::TRIVIAL.on(laws.size) };
        // The men with the fewest moves lead, since theirs may turn a whole word.
        let mobility = |i: usize| mobility(laws.movements.of(men[i]));
        pieces.sort_by_key(|&i| std::cmp::Reverse(mobility(i)));
        let royal = |&i: &usize| matches!(men[i].role, Role::King | Role::Disk);
        let kings: Vec<usize> = pieces.iter().copied().filter(royal).collect();
        let (kind, leaders) = match (pieces.len(), &kings[..]) {
            (0 | 1, _) => (LeadKind::Nobody, [0, 0]),
            (2, _) => (LeadKind::One, [pieces[0], 0]),
            (_, &[white, black]) if laws.keeps_kings_apart() => (LeadKind::Kings, [white, black]),
            _ => (LeadKind::Two, [pieces[0], pieces[1]]),
        };
        let leaders_of_kind = &leaders[..kind.men()];
        let rest: Vec<usize> =
            pieces.into_iter().filter(|i| !leaders_of_kind.contains(i)).collect();
        // Who runs is told from others like it. Of those that leave the fewest words the man with
        // the most moves runs: all its moves in a word cost one pass over 64 lanes.
        let others_than = |runner: usize| {
            let others = rest.iter().copied().filter(|&i| i != runner);
            Digit::of(men, &others.collect::<Vec<_>>(), laws.size)
        };
        let cost = |i: usize| (Digit::words(&others_than(i)), mobility(i));
        let runner = rest.iter().copied().min_by_key(|&i| cost(i));
        let others = runner.map_or(Vec::new(), others_than);
        Arrangement { group, kind, leaders, runner, others }
    }
}

/// Sorts men by how many moves they have, most first. A disk counts as the King it was, so that
/// slices with and without disks have the same words and lanes.
fn mobility(movement: Movement) -> usize {
    use Movement::{Betza, Bishop, Elk, Knight, Queen, Rook};
    /// Each with its moves on an empty board, all squares taken together.
    const ORDER: [(Movement, usize); 5] =
        [(Queen, 1456), (Rook, 896), (Elk, 616), (Bishop, 560), (Knight, 336)];
    let place = match movement {
        Betza(betza) => {
            let moves = betza.mobility();
            ORDER.iter().position(|&(_, usual)| usual <= moves)
        }
        movement => ORDER.iter().position(|&(usual, _)| usual == movement),
    };
    place.unwrap_or(ORDER.len())
}
