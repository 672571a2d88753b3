//! A query that is evaluated for a position.

use super::{
    expr::{Among, Expr, Value},
    facts::Fact,
    subject::{Subject, Told},
};
use crate::{
    board::{Bitboard, Color, Square, Symmetry},
    study::{Columns, Kind},
};

/// A position as queries see it.
#[derive(Copy, Clone)]
pub(super) struct Context<'a> {
    pub subject: &'a dyn Subject,
    /// Columns of which the only row is the position's.
    pub columns: &'a Columns,
    /// Through which symmetry the board is seen.
    pub view: Symmetry,
}

impl Context<'_> {
    /// Whether all conditions are true.
    pub fn fulfils(&self, conditions: &[&Expr]) -> Told<bool> {
        for condition in conditions {
            if !self.truth(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn truth(&self, expr: &Expr) -> Told<bool> {
        Ok(self.evaluate(expr)? == Value::Truth(true))
    }

    /// A number, if there is one.
    pub fn number(&self, expr: &Expr) -> Told<Option<f64>> {
        Ok(match self.evaluate(expr)? {
            Value::Number(number) => Some(number),
            _ => None,
        })
    }

    fn square(&self, expr: &Expr) -> Told<Option<Square>> {
        Ok(match self.evaluate(expr)? {
            Value::Square(square) => Some(square),
            _ => None,
        })
    }

    fn evaluate(&self, expr: &Expr) -> Told<Value> {
        let number = |number: Option<f64>| number.map_or(Value::Nothing, Value::Number);
        Ok(match expr {
            Expr::Constant(value) => *value,
            Expr::Column(at) => self.column(*at),
            Expr::Entry(at, entry) => number(self.columns.entry(*at, 0, *entry).map(f64::from)),
            Expr::Fact(fact) => self.fact(*fact)?,
            Expr::Attacked(square, by) => {
                let board = self.subject.board();
                let attackers = |square| {
                    let square = self.view.inverse().image(square);
                    board.attackers(self.subject.movements(), *by, square, board.occupied())
                };
                let attackers = self.square(square)?.map_or(Bitboard::EMPTY, attackers);
                Value::Truth(!attackers.is_empty())
            }
            Expr::Count(among, squares) => {
                Value::Number((self.men(*among) & *squares).len() as f64)
            }
            Expr::On(square, set) => {
                Value::Truth(self.square(square)?.is_some_and(|square| set.contains(square)))
            }
            Expr::File(square) => {
                number(self.square(square)?.map(|square| f64::from(square.file() + 1)))
            }
            Expr::Rank(square) => {
                number(self.square(square)?.map(|square| f64::from(square.rank() + 1)))
            }
            Expr::Steps(a, b) => {
                let both = self.square(a)?.zip(self.square(b)?);
                number(both.map(|(a, b)| f64::from(a.king_steps(b))))
            }
            Expr::Magnitude(a) => number(self.number(a)?.map(f64::abs)),
            Expr::Minus(a) => number(self.number(a)?.map(|a| -a)),
            Expr::Sum(a, b) => number(self.number(a)?.zip(self.number(b)?).map(|(a, b)| a + b)),
            Expr::Within(a, first, last) => {
                let (a, first, last) = (self.number(a)?, self.number(first)?, self.number(last)?);
                Value::Truth(a.is_some() && first <= a && a <= last && last.is_some())
            }
            Expr::Compare(comparison, a, b) => {
                Value::Truth(comparison.holds(self.evaluate(a)?, self.evaluate(b)?))
            }
            Expr::Not(a) => Value::Truth(!self.truth(a)?),
            Expr::All(all) => {
                for one in all {
                    if !self.truth(one)? {
                        return Ok(Value::Truth(false));
                    }
                }
                Value::Truth(true)
            }
            Expr::Any(any) => {
                for one in any {
                    if self.truth(one)? {
                        return Ok(Value::Truth(true));
                    }
                }
                Value::Truth(false)
            }
        })
    }

    fn column(&self, at: usize) -> Value {
        let Some(number) = self.columns.number(at, 0) else { return Value::Nothing };
        match self.columns.kind(at) {
            Kind::Square => Value::Square(self.view.image(Square::new(number as u8))),
            Kind::Words(_) => Value::Word(number as usize),
            _ => Value::Number(number),
        }
    }

    fn men(&self, among: Among) -> Bitboard {
        let board = self.subject.board();
        self.view.image_of_set(match among {
            Among::All => board.occupied(),
            Among::Side(side) => board.of(side),
            Among::Kind(man) => board.men(man.color, man.role),
        })
    }

    fn fact(&self, fact: Fact) -> Told<Value> {
        let count = |number: usize| Value::Number(number as f64);
        let subject = self.subject;
        Ok(match fact {
            Fact::Value => Value::Number(subject.value()? as f64),
            Fact::Winner => match subject.value()?.signum() {
                0 => Value::Nothing,
                ahead => Value::Word(if ahead > 0 { 0 } else { 1 }),
            },
            Fact::Wins => Value::Truth(self.for_mover(subject.value()?) > 0),
            Fact::Draws => Value::Truth(subject.value()? == 0),
            Fact::Loses => Value::Truth(self.for_mover(subject.value()?) < 0),
            Fact::Check => Value::Truth(subject.is_check()),
            Fact::Turns => count(subject.turns()),
            Fact::Captures => count(subject.captures()),
            Fact::Checks => count(subject.checks()),
            Fact::KeepingTurns => {
                let own = subject.value()?;
                self.turns_to(&|value| value == own)?
            }
            Fact::WinningTurns => self.turns_to(&|value| self.for_mover(value) > 0)?,
            Fact::DrawingTurns => self.turns_to(&|value| value == 0)?,
            Fact::LosingTurns => self.turns_to(&|value| self.for_mover(value) < 0)?,
            Fact::PassedValue => match subject.passed_value()? {
                Some(value) => Value::Number(value as f64),
                None => Value::Nothing,
            },
            Fact::Zugzwang => Value::Truth(self.is_zugzwang()?),
        })
    }

    fn for_mover(&self, value: i64) -> i64 {
        match self.subject.to_move() {
            Color::White => value,
            Color::Black => -value,
        }
    }

    /// How many turns lead to values like this.
    fn turns_to(&self, is_such: &dyn Fn(i64) -> bool) -> Told<Value> {
        Ok(Value::Number(self.subject.turns_to(is_such)? as f64))
    }

    /// Whether the side to move would do better by passing.
    fn is_zugzwang(&self) -> Told<bool> {
        let own = self.for_mover(self.subject.value()?);
        let passed = self.subject.passed_value()?;
        Ok(passed.is_some_and(|passed| own < self.for_mover(passed)))
    }
}
