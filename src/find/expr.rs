//! A query as it is evaluated: names resolved, kinds checked.

use std::cmp::Ordering;

use super::facts::{Cost, Fact};
use crate::{
    board::{Bitboard, Color, Group, Man, Square},
    study::{Field, SIDES},
};

/// What a part of a query comes to.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// There is nothing to tell, such as plies to the end of what does not end.
    Nothing,
    Truth(bool),
    Number(f64),
    /// A word, by its place among those of its column.
    Word(usize),
    Square(Square),
}

/// How two values are compared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Comparison {
    pub(super) fn named(sign: &str) -> Option<Comparison> {
        Some(match sign {
            "=" => Comparison::Equal,
            "!=" => Comparison::Unequal,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::More,
            ">=" => Comparison::AtLeast,
            _ => return None,
        })
    }

    /// Whether it holds. What is not there is equal to what is not there, and nothing else about
    /// it is true.
    pub(super) fn holds(self, a: Value, b: Value) -> bool {
        let both = a != Value::Nothing && b != Value::Nothing;
        let ordering = match (a, b) {
            (Value::Number(a), Value::Number(b)) => a.partial_cmp(&b),
            _ => (a == b).then_some(Ordering::Equal),
        };
        match self {
            Comparison::Equal => ordering == Some(Ordering::Equal),
            // `dtm != none` asks for what is there; `dtm != 5`, too.
            Comparison::Unequal => a != b && (both || b == Value::Nothing),
            Comparison::Less => ordering == Some(Ordering::Less),
            Comparison::AtMost => both && ordering.is_some_and(Ordering::is_le),
            Comparison::More => ordering == Some(Ordering::Greater),
            Comparison::AtLeast => both && ordering.is_some_and(Ordering::is_ge),
        }
    }
}

/// Whose men are counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Among {
    All,
    Side(Color),
    Kind(Man),
}

/// A part of a query.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expr {
    Constant(Value),
    /// The value of a column, by its place.
    Column(usize),
    /// An entry of a column of lists, by the places of both.
    Entry(usize, usize),
    Fact(Fact),
    /// Whether a side attacks a square.
    Attacked(Box<Expr>, Color),
    /// How many men stand on some squares.
    Count(Among, Bitboard),
    /// Whether a square is one of some.
    On(Box<Expr>, Bitboard),
    /// The file of a square, from 1.
    File(Box<Expr>),
    /// The rank of a square, from 1.
    Rank(Box<Expr>),
    /// The steps of a King between two squares.
    Steps(Box<Expr>, Box<Expr>),
    Magnitude(Box<Expr>),
    Minus(Box<Expr>),
    Sum(Box<Expr>, Box<Expr>),
    /// Whether a number is one from the second to the third.
    Within(Box<Expr>, Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// Whether all are true, the cheapest first.
    All(Vec<Expr>),
    /// Whether one is true, the cheapest first.
    Any(Vec<Expr>),
}

impl Expr {
    /// What it is made of.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Constant(_) | Expr::Column(_) | Expr::Entry(..) => Vec::new(),
            Expr::Fact(_) | Expr::Count(..) => Vec::new(),
            Expr::Attacked(a, _) | Expr::On(a, _) | Expr::File(a) | Expr::Rank(a) => vec![a],
            Expr::Magnitude(a) | Expr::Minus(a) | Expr::Not(a) => vec![a],
            Expr::Steps(a, b) | Expr::Sum(a, b) | Expr::Compare(_, a, b) => vec![a, b],
            Expr::Within(a, b, c) => vec![a, b, c],
            Expr::All(all) | Expr::Any(all) => all.iter().collect(),
        }
    }

    /// How dear it is to evaluate, where so many columns are known of the men alone.
    pub(super) fn cost(&self, standing: usize) -> Cost {
        let own = match self {
            Expr::Column(at) | Expr::Entry(at, _) if *at >= standing => Cost::Answer,
            Expr::Fact(fact) => fact.cost(),
            _ => Cost::Standing,
        };
        self.parts().into_iter().map(|part| part.cost(standing)).fold(own, Cost::max)
    }

    /// Whether it asks for a number of turns.
    pub(super) fn counts_turns(&self) -> bool {
        let own = matches!(self, Expr::Fact(fact) if fact.counts_turns());
        own || self.parts().into_iter().any(Expr::counts_turns)
    }

    /// Whether it is the same for all positions with a side to move that have the same answer,
    /// where `standing` of these columns are known of the men alone.
    pub(super) fn follows_from_answer(&self, fields: &[Field], standing: usize) -> bool {
        let own = match self {
            Expr::Column(at) | Expr::Entry(at, _) => *at >= standing || fields[*at].kind == SIDES,
            Expr::Fact(fact) => fact.cost() == Cost::Answer,
            Expr::Attacked(..) | Expr::Count(..) => false,
            _ => true,
        };
        own && self.parts().into_iter().all(|part| part.follows_from_answer(fields, standing))
    }

    /// Whether positions that some symmetries make equal may differ in it.
    pub(super) fn is_oriented(&self, group: Group) -> bool {
        let changes =
            |set: Bitboard| group.symmetries().any(|symmetry| symmetry.image_of_set(set) != set);
        let own = match self {
            Expr::On(_, set) | Expr::Count(_, set) => changes(*set),
            Expr::Constant(Value::Square(square)) => changes(square.bit()),
            Expr::File(_) => changes(Bitboard::file(0)),
            Expr::Rank(_) => changes(Bitboard::rank(0)),
            _ => false,
        };
        own || self.parts().into_iter().any(|part| part.is_oriented(group))
    }

    /// The columns it asks for.
    pub(super) fn columns(&self) -> Vec<usize> {
        let own = match self {
            Expr::Column(at) | Expr::Entry(at, _) => Some(*at),
            _ => None,
        };
        own.into_iter().chain(self.parts().into_iter().flat_map(Expr::columns)).collect()
    }
}
