//! Position ↔ number.

use super::{Lead, LeadKind, MAX_MEN, Material, PieceGroup, Structures};
use crate::board::{Bitboard, BoardSize, ByColor, Group, Man, Role, Square, Symmetry};

/// The men whose squares are the last digit of a number.
#[derive(Copy, Clone, Debug)]
pub struct LastMen {
    /// The first of them among the material's men.
    pub first: usize,
    /// How many there are, 1 or 2; the second follows the first.
    pub men: usize,
    /// How many numbers a row has: one for each square, 64 on the board of chess, or for each set
    /// of two, 2,016, in the order of the higher square, then of the lower.
    pub row: u64,
}

/// A digit of a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NumberDigit {
    /// One of so many values that are nothing smaller.
    One(u64),
    /// The squares of two men.
    Pair {
        /// How many squares each of them can be on.
        places: [u64; 2],
        /// Of each value, the place of the first man times the number of places of the second plus
        /// its place; ascending.
        of: Vec<u64>,
    },
}

/// The higher ordinal of a set of two times the number of squares plus the lower one; sets are
/// numbered in the order of these.
fn pair_place(set: u64, squares: u64) -> u64 {
    let higher = (1..squares).rfind(|higher| higher * (higher - 1) / 2 <= set).unwrap_or(1);
    higher * squares + set - higher * (higher - 1) / 2
}

/// The numbers of positions that differ in the square of one man.
#[derive(Copy, Clone, Debug)]
pub struct Line {
    origin: u64,
    step: u64,
    symmetry: Symmetry,
}

impl Line {
    /// The number of the position with the man on `square`.
    #[inline]
    pub fn at(&self, square: Square) -> u64 {
        self.origin + self.symmetry.ordinal(square) as u64 * self.step
    }

    /// The same for a man whose squares are seen through a symmetry.
    #[inline]
    pub fn seen_through(self, symmetry: Symmetry) -> Line {
        Line { symmetry: symmetry.then(self.symmetry), ..self }
    }
}

/// The numbers of the ways the men of a material can stand, for one side to move.
///
/// Positions that the group of symmetries makes equal share a number, but for a few whose leading
/// men stand symmetrically themselves. Like men are told apart by nothing. Most significant first,
/// a number is made of the pawn structure, the class of the leading men (both Kings, if they are
/// there), and a set of squares per kind of the others. Numbers whose men would share a square
/// exist and mean nothing.
///
/// ```
/// use finale::{board::{Group, Square}, index::{Index, Material}};
/// let material: Material = "KQvK".parse()?;
/// let index = Index::new(&material, Group::FULL);
/// assert_eq!(index.len(), 462 * 64);
/// let squares = ["h8", "a5", "e4"].map(|s| s.parse::<Square>().unwrap());
/// let mirrored = ["a8", "h5", "d4"].map(|s| s.parse::<Square>().unwrap());
/// assert_eq!(index.encode(&squares), index.encode(&mirrored));
/// # Ok::<(), finale::index::MaterialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index {
    men: Vec<Man>,
    group: Group,
    structures: Option<Structures>,
    lead: Lead,
    leaders: [usize; 2],
    /// Those that neither lead nor are pawns.
    rest: Vec<PieceGroup<1>>,
    piece_size: u64,
}

impl Index {
    /// The numbering of a material's men on a board under the symmetries a game keeps for it.
    ///
    /// With pawns on the board, `group` must be one they keep: the mirror or none.
    ///
    /// # Panics
    /// If pawns do not keep `group`.
    pub fn new(material: &Material, group: Group) -> Index {
        Index::with_leaders(material, group, choose_leaders)
    }

    /// The same for games in which Kings are men like others, which may stand side by side.
    ///
    /// # Panics
    /// If pawns do not keep `group`.
    pub fn with_common_kings(material: &Material, group: Group) -> Index {
        Index::with_leaders(material, group, choose_common_leaders)
    }

    fn with_leaders(material: &Material, group: Group, choose: ChooseLeaders) -> Index {
        let structures = material.has_pawns().then(|| {
            let [white, black] = material.pawns();
            Structures::new(white, black, group)
        });
        let Parts { men, kind, leaders, lead_group, rest } = Parts::of(material, group, choose);
        let lead = Lead::new(kind, lead_group);
        let piece_size = rest.iter().fold(lead.len() as u64, |size, pieces| size * pieces.size());
        Index { men, group, structures, lead, leaders, rest, piece_size }
    }

    /// How many numbers [`new`](Index::new) gives, without making the index, which for many pawns
    /// takes seconds.
    ///
    /// # Panics
    /// If pawns do not keep `group`.
    pub fn count(material: &Material, group: Group) -> u64 {
        Index::count_with_leaders(material, group, choose_leaders)
    }

    /// How many numbers [`with_common_kings`](Index::with_common_kings) gives.
    ///
    /// # Panics
    /// If pawns do not keep `group`.
    pub fn count_with_common_kings(material: &Material, group: Group) -> u64 {
        Index::count_with_leaders(material, group, choose_common_leaders)
    }

    fn count_with_leaders(material: &Material, group: Group, choose: ChooseLeaders) -> u64 {
        let Parts { kind, lead_group, rest, .. } = Parts::of(material, group, choose);
        let [white, black] = material.pawns();
        let structures = Structures::count_of(white, black, group);
        let leaders = Lead::count(kind, lead_group);
        rest.iter().fold(structures * leaders, |size, pieces| size * pieces.size())
    }

    /// The men, in the order in which their squares are given.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// The men who lead, and the classes of their squares: behind the structure, the first thing
    /// that a number is made of.
    #[cfg(feature = "build")]
    pub(crate) fn leaders(&self) -> (&Lead, [usize; 2]) {
        (&self.lead, self.leaders)
    }

    /// The symmetries under which positions share a number.
    pub(crate) fn group(&self) -> Group {
        self.group
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.group.size()
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.piece_size * self.structures.as_ref().map_or(1, |s| s.len() as u64)
    }

    /// The digits of the numbers that share a pawn structure: the class of the leading men, then
    /// each kind of the others.
    pub fn digits(&self) -> Vec<NumberDigit> {
        let squares = self.size().len() as u64;
        let pieces = self.rest.iter().map(|pieces| match pieces.men() {
            2 => NumberDigit::Pair {
                places: [squares; 2],
                of: (0..pieces.size()).map(|set| pair_place(set, squares)).collect(),
            },
            _ => NumberDigit::One(pieces.size()),
        });
        std::iter::once(self.lead_digit()).chain(pieces).collect()
    }

    /// The squares of two leading men as a pair: those that the first of them has, by their order,
    /// and all of the second.
    fn lead_digit(&self) -> NumberDigit {
        if self.lead.kind().men() != 2 {
            return NumberDigit::One(self.lead.len() as u64);
        }
        let pairs = (0..self.lead.len()).map(|class| self.lead.representative(class));
        let pairs: Vec<[u64; 2]> =
            pairs.map(|pair| pair.map(|square| self.size().ordinal(square) as u64)).collect();
        let squares = self.size().len() as u64;
        let mut firsts: Vec<u64> = pairs.iter().map(|[first, _]| *first).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let place = |[first, second]: [u64; 2]| {
            let first = firsts.partition_point(|&other| other < first) as u64;
            first * squares + second
        };
        let of = pairs.into_iter().map(place).collect();
        NumberDigit::Pair { places: [firsts.len() as u64, squares], of }
    }

    /// Whether there is no number; never true.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pawn structures, if there are pawns.
    pub fn structures(&self) -> Option<&Structures> {
        self.structures.as_ref()
    }

    /// The numbers of the positions with this pawn structure.
    pub fn structure_range(&self, structure: usize) -> std::ops::Range<u64> {
        let start = structure as u64 * self.piece_size;
        start..start + self.piece_size
    }

    /// The squares of a structure's pawns, in the places of [the men](Index::men); the rest means
    /// nothing.
    pub fn structure_squares(&self, structure: usize) -> [Square; MAX_MEN] {
        let mut squares = [Square::new(0); MAX_MEN];
        if let Some(structures) = &self.structures {
            let mut pawns = structures.pawns(structure);
            for (square, man) in squares.iter_mut().zip(&self.men) {
                if man.role == Role::Pawn {
                    *square = pawns[man.color].next().expect("as many as the material has");
                }
            }
        }
        squares
    }

    /// The number of the position with the men on these squares, in the order of
    /// [`men`](Index::men).
    ///
    /// `None` if Kings that lead stand side by side. The squares must be distinct, and pawns off
    /// the back ranks.
    #[inline]
    pub fn encode(&self, squares: &[Square]) -> Option<u64> {
        let (structure, turn) = self.structure_of(squares);
        let (number, _) = self.encode_beside(squares, turn)?;
        Some(structure as u64 * self.piece_size + number)
    }

    /// The numbers of the positions that differ in the square of one man; its own in `squares`
    /// means nothing, and those of the others must be as for [`encode`](Index::encode).
    ///
    /// `None` if the man is a pawn, leads, or has others like it; or if Kings that lead stand side
    /// by side.
    #[inline]
    pub fn line(&self, squares: &[Square], man: usize) -> Option<Line> {
        let (structure, turn) = self.structure_of(squares);
        let line = self.line_beside(squares, man, turn)?;
        Some(Line { origin: line.origin + structure as u64 * self.piece_size, ..line })
    }

    /// The same, where the [structure](Index::structure_of) is turned so, counted from the first of
    /// it.
    #[inline]
    pub(crate) fn line_beside(
        &self,
        squares: &[Square],
        man: usize,
        turn: Symmetry,
    ) -> Option<Line> {
        let place = self.rest.iter().position(|pieces| pieces.range() == (man..man + 1))?;
        let step = self.rest[place + 1..].iter().fold(1, |step, pieces| step * pieces.size());
        let (number, symmetry) = self.encode_beside(squares, turn)?;
        let at = symmetry.ordinal(squares[man]) as u64;
        Some(Line { origin: number - at * step, step, symmetry })
    }

    /// The structure of the pawns on these squares, and the symmetry that turns it into the one that
    /// is counted.
    #[inline]
    pub(crate) fn structure_of(&self, squares: &[Square]) -> (usize, Symmetry) {
        let Some(structures) = &self.structures else {
            return (0, Symmetry::IDENTITY.on(self.size()));
        };
        let mut pawns = ByColor::<Bitboard>::default();
        for (man, square) in self.men.iter().zip(squares) {
            if man.role == Role::Pawn {
                pawns[man.color] |= square.bit();
            }
        }
        structures.number(pawns)
    }

    /// The number of a position whose [structure](Index::structure_of) is turned so, counted from
    /// the first of it, and the symmetry that turns the other men; `None` if Kings that lead stand
    /// side by side.
    #[inline]
    pub(crate) fn encode_beside(
        &self,
        squares: &[Square],
        mut symmetry: Symmetry,
    ) -> Option<(u64, Symmetry)> {
        let leader = |n: usize| match self.lead.kind().men() {
            men if n < men => symmetry.image(squares[self.leaders[n]]),
            _ => Square::new(0),
        };
        let (class, turn) = self.lead.class([leader(0), leader(1)])?;
        let mut number = class as u64;
        if self.structures.is_none() {
            symmetry = turn;
        }
        for pieces in &self.rest {
            number = number * pieces.size() + pieces.digit(|man| symmetry.ordinal(squares[man]));
        }
        Some((number, symmetry))
    }

    /// The squares of the position with this number, in the order of [`men`](Index::men); `None`
    /// if men would share a square.
    ///
    /// # Panics
    /// If the number is not below [`len`](Index::len).
    #[inline]
    pub fn decode(&self, number: u64) -> Option<[Square; MAX_MEN]> {
        assert!(number < self.len());
        if self.structures.is_none() {
            return self.place([Square::new(0); MAX_MEN], number, &self.rest);
        }
        let structure = (number / self.piece_size) as usize;
        self.decode_beside(&self.structure_squares(structure), number % self.piece_size)
    }

    /// The same for a number counted from the first of its pawn structure: the pawns stand as in
    /// `pawns`, where the squares of other men mean nothing.
    ///
    /// # Panics
    /// If there are not so many numbers a structure.
    #[inline]
    pub fn decode_beside(
        &self,
        pawns: &[Square; MAX_MEN],
        number: u64,
    ) -> Option<[Square; MAX_MEN]> {
        assert!(number < self.piece_size);
        self.place(*pawns, number, &self.rest)
    }

    /// The men of the last digit of a number, one or two like ones: each *row* of numbers, from a
    /// multiple of its length on, differs only in where they stand. `None` if there are no such
    /// men.
    pub fn last_men(&self) -> Option<LastMen> {
        let pieces = self.rest.last().filter(|pieces| pieces.men() <= 2)?;
        Some(LastMen { first: pieces.first(), men: pieces.men(), row: pieces.size() })
    }

    /// The squares of the positions of a row, row 0 being the first of its pawn structure, but for
    /// those of the [last men](Index::last_men), who must be there; `None` if men would share a
    /// square. The pawns stand as in `pawns`, where the squares of other men mean nothing.
    ///
    /// # Panics
    /// If there are not so many rows a structure.
    pub fn decode_row(&self, pawns: &[Square; MAX_MEN], row: u64) -> Option<[Square; MAX_MEN]> {
        let (last, rest) = self.rest.split_last().expect("the last men");
        assert!(row < self.piece_size / last.size());
        self.place(*pawns, row, rest)
    }

    /// The squares of all men, beside pawns that stand already: the last of `rest` is the last digit
    /// of the number, which is counted from the first of the pawn structure.
    #[inline]
    fn place(
        &self,
        mut squares: [Square; MAX_MEN],
        mut number: u64,
        rest: &[PieceGroup<1>],
    ) -> Option<[Square; MAX_MEN]> {
        let mut occupied = Bitboard::EMPTY;
        if self.structures.is_some() {
            let pawns = self.men.iter().zip(squares).filter(|(man, _)| man.role == Role::Pawn);
            occupied = pawns.map(|(_, square)| square).collect();
        }
        let mut distinct = true;
        let mut place = |man: usize, square: Square| {
            distinct &= !occupied.contains(square);
            occupied |= square.bit();
            squares[man] = square;
        };
        for pieces in rest.iter().rev() {
            let is_set = pieces.take(&mut number, &mut place);
            debug_assert!(is_set, "every digit is a set's");
        }
        let pair = self.lead.representative(number as usize);
        for (n, &square) in pair.iter().enumerate().take(self.lead.kind().men()) {
            place(self.leaders[n], square);
        }
        distinct.then_some(squares)
    }
}

impl Index {
    /// How many placements on the board a position with this number stands for: its images under
    /// the group; 0 if they are counted with another number. Where men would share a square it
    /// means nothing.
    ///
    /// Over all numbers, the weights of the legal positions add up to the count of legal
    /// placements of like men.
    pub fn weight(&self, number: u64) -> u64 {
        let all = self.group.symmetries().count() as u64;
        if self.tells_images_apart(number) {
            return all;
        }
        let Some(squares) = self.decode(number) else { return 0 };
        let squares = &squares[..self.men.len()];
        let mut same = 0;
        for symmetry in self.keeping(number) {
            let mut image = [Square::new(0); MAX_MEN];
            let image = &mut image[..squares.len()];
            image.iter_mut().zip(squares).for_each(|(image, &s)| *image = symmetry.image(s));
            if self.encode(image).is_none_or(|other| other < number) {
                return 0;
            }
            same += u64::from(self.is_same_placement(image, squares));
        }
        all / same
    }

    /// How many placements each of some numbers stands for, from this one to before another, which
    /// is told, too: all with the same pawns or, where there are none, leaders, if those tell all
    /// images of a position apart; `None` if it is another number for each.
    pub fn common_weight(&self, number: u64) -> (Option<u64>, u64) {
        let alike = match self.structures {
            Some(_) => self.piece_size,
            None => self.piece_size / self.lead.len() as u64,
        };
        let all = || self.group.symmetries().count() as u64;
        let weight = self.tells_images_apart(number).then(all);
        (weight, number - number % alike + alike)
    }

    /// Whether the pawns of a position, or else its leaders, stand in another way in each of its
    /// images, so that these are all different and are counted with this number alone.
    fn tells_images_apart(&self, number: u64) -> bool {
        match self.leaders_keep(number) {
            Some(keeping) => keeping.len() == 1,
            None => self.keeping(number).nth(1).is_none(),
        }
    }

    /// The symmetries that leave the leaders of a position as they stand, where those lead alone.
    fn leaders_keep(&self, number: u64) -> Option<&[Symmetry]> {
        // Of like leaders each may come to stand where the other did.
        if self.structures.is_some() || self.lead.kind() == LeadKind::Like {
            return None;
        }
        let class = number / (self.piece_size / self.lead.len() as u64);
        Some(self.lead.stabiliser(class as usize))
    }

    /// The symmetries that leave the pawns of a position, or else its leaders, as they stand. They
    /// alone may lead to the same placement or, of those that are counted, to another.
    fn keeping(&self, number: u64) -> impl Iterator<Item = Symmetry> {
        let pawns = self
            .structures
            .as_ref()
            .map(|structures| structures.pawns((number / self.piece_size) as usize));
        let leaders = self.leaders_keep(number);
        let keeps_leaders = move |turn| leaders.is_none_or(|keeping| keeping.contains(&turn));
        let keeps_pawns = move |turn: Symmetry| {
            pawns.is_none_or(|pawns| pawns.map(|set| turn.image_of_set(set)) == pawns)
        };
        self.group.symmetries().filter(move |&turn| keeps_leaders(turn) && keeps_pawns(turn))
    }

    /// Whether like men stand on the same squares.
    fn is_same_placement(&self, a: &[Square], b: &[Square]) -> bool {
        let set = |squares: &[Square]| squares.iter().fold(Bitboard::EMPTY, |set, s| set | s.bit());
        let mut first = 0;
        self.men.chunk_by(|man, next| man == next).all(|like| {
            let range = first..first + like.len();
            first = range.end;
            set(&a[range.clone()]) == set(&b[range])
        })
    }
}

/// Who leads among some men.
type ChooseLeaders = fn(&[Man]) -> (LeadKind, [usize; 2]);

/// Which men a number is made of, but for the pawns.
struct Parts {
    men: Vec<Man>,
    kind: LeadKind,
    leaders: [usize; 2],
    lead_group: Group,
    rest: Vec<PieceGroup<1>>,
}

impl Parts {
    fn of(material: &Material, group: Group, choose: ChooseLeaders) -> Parts {
        assert!(group.is_kept_by_pawns() || !material.has_pawns(), "pawns keep no {group:?}");
        let men = material.men();
        let (kind, leaders) = choose(&men);
        // Pawns have already chosen between a position and its mirror image.
        let board = group.size();
        let lead_group = if material.has_pawns() { Group::TRIVIAL.on(board) } else { group };
        let rest = (0..men.len())
            .filter(|i| men[*i].role != Role::Pawn && !leaders[..kind.men()].contains(i));
        let rest = PieceGroup::of(&men, &rest.collect::<Vec<_>>(), board);
        Parts { men, kind, leaders, lead_group, rest }
    }
}

/// Both Kings lead where they are there.
fn choose_leaders(men: &[Man]) -> (LeadKind, [usize; 2]) {
    let kings: Vec<usize> = (0..men.len()).filter(|&i| men[i].role == Role::King).collect();
    if let [white, black] = kings[..] {
        return (LeadKind::Kings, [white, black]);
    }
    choose_common_leaders(men)
}

/// Two men without a like lead, else one, or two like men.
fn choose_common_leaders(men: &[Man]) -> (LeadKind, [usize; 2]) {
    let pieces = || (0..men.len()).filter(|&i| men[i].role != Role::Pawn);
    let alike = |i: usize| men.iter().filter(|&&man| man == men[i]).count();
    let single: Vec<usize> = pieces().filter(|&i| alike(i) == 1).collect();
    match single[..] {
        [first, second, ..] => (LeadKind::Two, [first, second]),
        [first] => (LeadKind::One, [first, 0]),
        [] => match pieces().find(|&i| alike(i) == 2) {
            Some(first) => (LeadKind::Like, [first, first + 1]),
            None => (LeadKind::Nobody, [0, 0]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(material: &str, group: Group) -> Index {
        Index::new(&material.parse().unwrap(), group)
    }

    #[test]
    fn sizes() {
        assert_eq!(index("KvK", Group::FULL).len(), 462);
        assert_eq!(index("KBNvK", Group::FULL).len(), 462 * 64 * 64);
        assert_eq!(index("KQQvK", Group::FULL).len(), 462 * 2016);
        assert_eq!(index("KPvK", Group::MIRROR).len(), 24 * 3612);
        assert_eq!(index("QvR", Group::FULL).len(), 518);
        assert_eq!(index("PvP", Group::MIRROR).len(), 48 * 47 / 2);
        assert_eq!(index("v", Group::FULL).len(), 1);
        let small = BoardSize::new(5, 6).unwrap();
        assert_eq!(index("QvR", Group::TRIVIAL.on(small)).len(), 30 * 29);
        assert_eq!(index("PvP", Group::TRIVIAL.on(small)).len(), 20 * 19);
        assert_eq!(index("QQvRB", Group::TRIVIAL.on(small)).len(), 30 * 29 * (30 * 29 / 2));
    }

    #[test]
    fn digits_make_numbers() {
        let small = Group::FULL.on(BoardSize::new(5, 5).unwrap());
        for (material, group) in [
            ("KBNvK", Group::FULL),
            ("KQQvK", Group::FULL),
            ("KPvKP", Group::MIRROR),
            ("KQQvK", small),
        ] {
            let index = index(material, group);
            let digits = index.digits();
            let size = |digit: &NumberDigit| match digit {
                NumberDigit::One(size) => *size,
                NumberDigit::Pair { places, of } => {
                    assert!(of.is_sorted_by(|a, b| a < b), "{material}");
                    assert!(of.iter().all(|&place| place < places[0] * places[1]), "{material}");
                    of.len() as u64
                }
            };
            let numbers = digits.iter().map(size).product::<u64>();
            assert_eq!(numbers, index.structure_range(0).end, "{material}");
        }
        let queens = index("KQQvK", Group::FULL);
        let NumberDigit::Pair { of, .. } = &queens.digits()[1] else { panic!("a pair") };
        for number in [0, 1, 1000, 2015] {
            let (mut rest, mut found) = (number, Vec::new());
            let mut place = |_, square: Square| found.push(square.number());
            assert!(queens.rest[0].take(&mut rest, &mut place));
            found.sort_unstable();
            assert_eq!(of[number as usize], (found[1] * 64 + found[0]) as u64);
        }
    }

    #[test]
    fn counts_are_those_of_the_index() {
        let small = BoardSize::new(5, 6).unwrap();
        for (material, groups) in [
            ("v", [Group::TRIVIAL, Group::FULL]),
            ("KvK", [Group::TRIVIAL, Group::FULL]),
            ("KQQvK", [Group::SQUARE_COLORS, Group::FULL]),
            ("KPvK", [Group::TRIVIAL, Group::MIRROR]),
            ("KPvKP", [Group::TRIVIAL, Group::MIRROR]),
            ("PPvPP", [Group::TRIVIAL, Group::MIRROR]),
            ("PPPvPP", [Group::TRIVIAL, Group::MIRROR]),
            ("KPPvKRR", [Group::TRIVIAL, Group::MIRROR]),
            ("RRvBB", [Group::TRIVIAL, Group::FULL]),
        ] {
            for group in groups.into_iter().flat_map(|group| [group, group.on(small)]) {
                let material = material.parse().unwrap();
                let count = Index::count(&material, group);
                assert_eq!(count, Index::new(&material, group).len(), "{material} {group:?}");
                let count = Index::count_with_common_kings(&material, group);
                let len = Index::with_common_kings(&material, group).len();
                assert_eq!(count, len, "{material} {group:?}");
            }
        }
    }

    #[test]
    fn every_number_comes_back() {
        for (material, group) in [
            ("KvK", Group::FULL),
            ("KQQvK", Group::FULL),
            ("KPvK", Group::MIRROR),
            ("QQvR", Group::FULL),
            ("QQvRR", Group::FULL),
            ("RPvN", Group::MIRROR),
            ("KEvK", Group::SQUARE_COLORS),
            ("KPvKP", Group::TRIVIAL),
            ("PPvP", Group::MIRROR),
            ("KQQvK", Group::FULL.on(BoardSize::new(5, 5).unwrap())),
            ("KRvKNNN", Group::FULL.on(BoardSize::new(4, 3).unwrap())),
            ("KPvKP", Group::MIRROR.on(BoardSize::new(5, 6).unwrap())),
        ] {
            let index = index(material, group);
            let step = (index.len() / 50_000).max(1) as usize;
            let mut met = 0;
            for number in (0..index.len()).step_by(step) {
                let Some(squares) = index.decode(number) else { continue };
                met += 1;
                // Positions with symmetric leaders may have a second number; it then means an
                // image of the same position.
                let again = index.encode(&squares).expect("decoded squares can stand so");
                assert!(
                    again == number || same_class(&index, group, number, again),
                    "{material} {number} {again}"
                );
            }
            assert!(met > 0);
        }
    }

    #[test]
    fn images_that_are_told_apart_are_those_that_are_made() {
        for (material, group, some_differ) in [
            ("KvK", Group::FULL, true),
            ("KQQvK", Group::FULL, true),
            ("KRvK", Group::TRIVIAL, false),
            ("KEvK", Group::SQUARE_COLORS, true),
            ("QQvR", Group::FULL, true),
            ("KPvK", Group::MIRROR, false),
            ("KPPvK", Group::MIRROR, true),
            ("KPvKP", Group::TRIVIAL, false),
            ("KRvK", Group::FULL.on(BoardSize::new(5, 4).unwrap()), true),
        ] {
            let index = index(material, group);
            let step = (index.len() / 50_000).max(1) as usize;
            let all = group.symmetries().count() as u64;
            let (mut told_apart, mut others) = (0, 0);
            for number in (0..index.len()).step_by(step) {
                let Some(squares) = index.decode(number) else { continue };
                let images = images(&index, number, &squares[..index.men().len()]);
                assert_eq!(index.weight(number), images, "{material} {number}");
                let (common, end) = index.common_weight(number);
                assert!(number < end && end <= index.len(), "{material} {number}");
                assert!(common.is_none_or(|weight| weight == images), "{material} {number}");
                assert_eq!(index.common_weight(end - 1), (common, end), "{material} {number}");
                told_apart += u64::from(images == all);
                others += u64::from(images < all);
            }
            assert!(told_apart > 0);
            assert_eq!(others > 0, some_differ, "{material}");
        }
    }

    /// How many placements a number stands for, by making all images of its squares.
    fn images(index: &Index, number: u64, squares: &[Square]) -> u64 {
        let mut images: Vec<Vec<(Man, Square)>> = Vec::new();
        for symmetry in index.group.symmetries() {
            let image: Vec<Square> = squares.iter().map(|&s| symmetry.image(s)).collect();
            if index.encode(&image).is_none_or(|other| other < number) {
                return 0;
            }
            let mut placed: Vec<(Man, Square)> = index.men.iter().copied().zip(image).collect();
            placed.sort_unstable();
            if !images.contains(&placed) {
                images.push(placed);
            }
        }
        images.len() as u64
    }

    /// Whether two numbers decode to images of each other.
    fn same_class(index: &Index, group: Group, a: u64, b: u64) -> bool {
        let board = |number, symmetry: Symmetry| {
            let squares = index.decode(number).expect("a position");
            let mut men: Vec<(Man, Square)> =
                index.men().iter().zip(squares).map(|(&m, s)| (m, symmetry.image(s))).collect();
            men.sort();
            men
        };
        group.symmetries().any(|s| board(a, s) == board(b, Symmetry::IDENTITY))
    }

    proptest::proptest! {
        #[test]
        fn a_position_decodes_to_an_image_of_itself(
            squares in proptest::sample::subsequence((8u8..56).collect::<Vec<_>>(), 4),
            material in proptest::sample::select(vec![
                ("KBNvK", Group::FULL), ("KRRvK", Group::FULL), ("KPPvK", Group::MIRROR),
                ("KPvKP", Group::MIRROR), ("KEvKE", Group::SQUARE_COLORS), ("QQvRR", Group::FULL),
            ]),
        ) {
            let index = index(material.0, material.1);
            let squares: Vec<Square> = squares.into_iter().map(Square::new).collect();
            if let Some(number) = index.encode(&squares) {
                proptest::prop_assert!(number < index.len());
                let decoded = index.decode(number).unwrap();
                let placed = |symmetry: Symmetry, squares: &[Square]| {
                    let mut men: Vec<(Man, Square)> =
                        index.men().iter().zip(squares).map(|(&m, &s)| (m, symmetry.image(s))).collect();
                    men.sort();
                    men
                };
                let found = placed(Symmetry::IDENTITY, &decoded);
                proptest::prop_assert!(material.1.symmetries().any(|s| placed(s, &squares) == found));
            }
        }
    }
}
