//! Where the positions of a slice lie that differ in where one piece stands, or two like ones.

use super::words::{Place, Slice};
use crate::{
    board::{Square, Symmetry},
    index::{LastMen, MAX_MEN, subset},
};

/// How far apart positions lie that differ in where one piece stands, or two like ones.
#[derive(Copy, Clone, Debug)]
pub enum Steps {
    /// One piece.
    One(Step),
    /// Two that are told apart here, each with its own.
    Each([Step; 2]),
    /// Two that are not: from set to set of squares.
    Set(usize),
}

/// How far apart positions lie that differ in where one piece stands.
#[derive(Copy, Clone, Debug)]
pub struct Step {
    /// From lane to lane, or from square to square of the board.
    far: usize,
    is_runners: bool,
}

impl Step {
    /// The numbers of the images of squares: lanes, which are all 64, or ordinals.
    fn images(self, symmetry: Symmetry) -> &'static [u8; 64] {
        if self.is_runners { symmetry.images() } else { symmetry.ordinals() }
    }
}

impl Steps {
    /// What numbers the squares of each of the men, which are seen through a symmetry.
    fn numbers(&self, symmetry: Symmetry) -> [&'static [u8; 64]; 2] {
        match *self {
            Steps::One(step) => [step.images(symmetry); 2],
            Steps::Each(steps) => steps.map(|step| step.images(symmetry)),
            Steps::Set(_) => [symmetry.ordinals(); 2],
        }
    }

    /// How far ahead of the first place one lies.
    #[inline]
    fn ahead(&self, numbers: [&[u8; 64]; 2], squares: [Square; 2]) -> usize {
        let number = |n: usize| usize::from(numbers[n][squares[n].number()]);
        match *self {
            Steps::One(step) => number(0) * step.far,
            Steps::Each([one, other]) => number(0) * one.far + number(1) * other.far,
            Steps::Set(far) => subset::number_of_two(number(0), number(1)) * far,
        }
    }
}

/// The positions that differ in where one piece stands, or two like ones, who do not lead.
#[derive(Copy, Clone, Debug)]
pub struct PieceLine {
    origin: usize,
    steps: Steps,
    /// The numbers of the squares of each.
    numbers: [&'static [u8; 64]; 2],
}

impl PieceLine {
    /// The place of the position with the pieces on these squares, of which the second means
    /// nothing if there is one piece: 64 times its word, plus its lane.
    #[inline]
    pub fn at(&self, squares: [Square; 2]) -> usize {
        self.origin + self.steps.ahead(self.numbers, squares)
    }
}

/// Where one of the last men of an index stands in a slice.
#[derive(Copy, Clone, Debug)]
enum LastMan {
    /// It is this one of the leaders, 0 or 1.
    Leads(usize),
    /// It follows them.
    Follows(Step),
}

/// How the places of positions are found that differ in where the last men of an index stand, one
/// or two, of whom at least one leads.
#[derive(Copy, Clone, Debug)]
pub struct LeaderSteps {
    first: usize,
    men: [Option<LastMan>; 2],
}

/// The positions that differ in where those stand: who leads says how all others are turned.
pub struct LeaderLine<'a> {
    slice: &'a Slice,
    steps: LeaderSteps,
    /// Those of the last men mean nothing.
    squares: [Square; MAX_MEN],
    /// Of these the leaders'.
    leaders: [Square; 2],
    /// How far behind the first of its class a position lies, by the symmetry that turns the
    /// leaders, with the last men where `squares` has them: found when it is first wanted.
    behind: [Option<usize>; Symmetry::KINDS],
}

impl LeaderLine<'_> {
    /// The same as [`PieceLine::at`]; `None` if leading Kings stand side by side.
    #[inline(always)]
    pub fn at(&mut self, here: [Square; 2]) -> Option<usize> {
        let &mut LeaderLine { slice, steps: LeaderSteps { first, men }, ref squares, .. } = self;
        let mut leaders = self.leaders;
        for (man, square) in men.into_iter().zip(here) {
            if let Some(LastMan::Leads(n)) = man {
                leaders[n] = square;
            }
        }
        let (class, symmetry) = slice.lead.class(leaders)?;
        let behind = self.behind[symmetry.kind()]
            .get_or_insert_with(|| slice.place_in_class(0, squares, symmetry));
        let mut place = class * slice.words_a_class * 64 + *behind;
        for (n, man) in men.into_iter().enumerate() {
            if let Some(LastMan::Follows(step)) = man {
                let numbers = step.images(symmetry);
                let far = |square: Square| usize::from(numbers[square.number()]) * step.far;
                place = place + far(here[n]) - far(squares[first + n]);
            }
        }
        Some(place)
    }
}

/// How the places of positions are found that differ in where the last men of an index stand.
#[derive(Copy, Clone, Debug)]
pub enum RowSteps {
    /// None of them leads.
    Pieces(Steps),
    /// One does, or both.
    Leaders(LeaderSteps),
}

impl Slice {
    /// How the places of positions are found that differ in where the last men of an index stand;
    /// `None` if there are more like them.
    pub fn row_steps(&self, last: LastMen) -> Option<RowSteps> {
        let LastMen { first, men, .. } = last;
        let alone = |man: usize| match self.place(man) {
            Place::Runner => Some(LastMan::Follows(Step { far: 1, is_runners: true })),
            Place::Other(digit) => (digit.pieces.men() == 1)
                .then_some(LastMan::Follows(Step { far: digit.stride * 64, is_runners: false })),
            Place::Lead(n) => Some(LastMan::Leads(n)),
        };
        if let (2, Place::Other(digit)) = (men, self.place(first))
            && digit.pieces.range() == (first..first + men)
        {
            return Some(RowSteps::Pieces(Steps::Set(digit.stride * 64)));
        }
        let one = alone(first)?;
        let other = if men == 2 { Some(alone(first + 1)?) } else { None };
        Some(match (one, other) {
            (LastMan::Follows(step), None) => RowSteps::Pieces(Steps::One(step)),
            (LastMan::Follows(one), Some(LastMan::Follows(other))) => {
                RowSteps::Pieces(Steps::Each([one, other]))
            }
            _ => RowSteps::Leaders(LeaderSteps { first, men: [Some(one), other] }),
        })
    }

    /// Where the positions lie that differ in where the piece `first` stands, or it and the next
    /// one, whose squares here mean nothing; `steps` are [theirs](Slice::row_steps). `None` if
    /// leading Kings stand side by side.
    #[inline]
    pub fn line(
        &self,
        squares: &[Square; MAX_MEN],
        first: usize,
        steps: Steps,
    ) -> Option<PieceLine> {
        let (class, symmetry) = self.lead.class(self.leading(squares))?;
        let place = self.place_in_class(class, squares, symmetry);
        let here = [first, (first + 1).min(MAX_MEN - 1)].map(|man| squares[man]);
        let numbers = steps.numbers(symmetry);
        Some(PieceLine { origin: place - steps.ahead(numbers, here), steps, numbers })
    }

    /// The place of a position whose leaders are in this class: 64 times its word, plus its lane.
    #[inline]
    fn place_in_class(
        &self,
        class: usize,
        squares: &[Square; MAX_MEN],
        symmetry: Symmetry,
    ) -> usize {
        let lane = self.runner.map_or(0, |r| symmetry.image(squares[r]).number());
        self.word(class, squares, symmetry) * 64 + lane
    }

    /// The same where one of them leads.
    #[inline]
    pub fn leader_line(&self, squares: [Square; MAX_MEN], steps: LeaderSteps) -> LeaderLine<'_> {
        let leaders = self.leading(&squares);
        LeaderLine { slice: self, steps, squares, leaders, behind: [None; Symmetry::KINDS] }
    }
}
