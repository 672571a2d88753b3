//! A position that a query is asked about; what is dear to know is found out once, when it is asked.

use std::cell::OnceCell;

use super::{
    expr::{Among, Expr, Value},
    facts::Fact,
    likeness::passed,
};
use crate::{
    board::{Bitboard, Board, Color, Square, Symmetry},
    probe::{OpenTable, ProbeError, Tablebase},
    study::{Columns, Kind, Study},
};

/// A position, and what is known of it.
pub(super) struct Context<'a, G: Study> {
    pub tables: &'a Tablebase<G>,
    /// The table the position is of.
    pub table: &'a OpenTable<G::Reader>,
    pub position: &'a G::Position,
    /// What the table says of it, where that has been asked.
    pub answer: Option<&'a G::Answer>,
    /// Columns of which one row is the position's.
    pub columns: &'a Columns,
    /// Through which symmetry the board is seen.
    pub view: Symmetry,
    after: OnceCell<Vec<G::Position>>,
    values: OnceCell<Vec<i64>>,
}

type Evaluated<T> = Result<T, ProbeError>;

impl<'a, G: Study> Context<'a, G> {
    /// A position whose row is the only one of some columns.
    pub fn new(
        tables: &'a Tablebase<G>,
        table: &'a OpenTable<G::Reader>,
        position: &'a G::Position,
        answer: Option<&'a G::Answer>,
        columns: &'a Columns,
    ) -> Context<'a, G> {
        let (view, after, values) = (Symmetry::IDENTITY, OnceCell::new(), OnceCell::new());
        Context { tables, table, position, answer, columns, view, after, values }
    }

    fn game(&self) -> &G {
        self.tables.game()
    }

    fn board(&self) -> &Board {
        self.game().board(self.position)
    }

    fn mover(&self) -> Color {
        self.game().to_move(self.position)
    }

    /// The same seen through a symmetry; what is known of it, is.
    pub fn seen_through(self, view: Symmetry) -> Context<'a, G> {
        Context { view, ..self }
    }

    /// Those symmetries through which all conditions are true.
    pub fn fulfilling(
        &mut self,
        views: Vec<Symmetry>,
        conditions: &[&Expr],
    ) -> Evaluated<Vec<Symmetry>> {
        let mut fulfilling = views;
        let mut kept = 0;
        for at in 0..fulfilling.len() {
            self.view = fulfilling[at];
            if self.fulfils(conditions)? {
                fulfilling.swap(kept, at);
                kept += 1;
            }
        }
        fulfilling.truncate(kept);
        Ok(fulfilling)
    }

    /// Whether all conditions are true.
    fn fulfils(&self, conditions: &[&Expr]) -> Evaluated<bool> {
        for condition in conditions {
            if !self.truth(condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn truth(&self, expr: &Expr) -> Evaluated<bool> {
        Ok(self.evaluate(expr)? == Value::Truth(true))
    }

    /// A number, if there is one.
    pub fn number(&self, expr: &Expr) -> Evaluated<Option<f64>> {
        Ok(match self.evaluate(expr)? {
            Value::Number(number) => Some(number),
            _ => None,
        })
    }

    fn square(&self, expr: &Expr) -> Evaluated<Option<Square>> {
        Ok(match self.evaluate(expr)? {
            Value::Square(square) => Some(square),
            _ => None,
        })
    }

    fn evaluate(&self, expr: &Expr) -> Evaluated<Value> {
        let number = |number: Option<f64>| number.map_or(Value::Nothing, Value::Number);
        Ok(match expr {
            Expr::Constant(value) => *value,
            Expr::Column(at) => self.column(*at),
            Expr::Entry(at, entry) => number(self.columns.entry(*at, 0, *entry).map(f64::from)),
            Expr::Fact(fact) => self.fact(*fact)?,
            Expr::Attacked(square, by) => {
                let board = self.board();
                let attackers = |square| {
                    board.attackers(*by, self.view.inverse().image(square), board.occupied())
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
        self.view.image_of_set(match among {
            Among::All => self.board().occupied(),
            Among::Side(side) => self.board().of(side),
            Among::Kind(man) => self.board().men(man.color, man.role),
        })
    }

    fn fact(&self, fact: Fact) -> Evaluated<Value> {
        let count = |number: usize| Value::Number(number as f64);
        Ok(match fact {
            Fact::Value => Value::Number(self.value()? as f64),
            Fact::Winner => match self.value()?.signum() {
                0 => Value::Nothing,
                ahead => Value::Word(if ahead > 0 { 0 } else { 1 }),
            },
            Fact::Wins => Value::Truth(self.for_mover(self.value()?) > 0),
            Fact::Draws => Value::Truth(self.value()? == 0),
            Fact::Loses => Value::Truth(self.for_mover(self.value()?) < 0),
            Fact::Check => Value::Truth(self.game().is_check(self.position)),
            Fact::Turns => count(self.after().len()),
            Fact::Captures => {
                let men = self.board().occupied().len();
                let is_capture =
                    |after: &&G::Position| self.game().board(after).occupied().len() < men;
                count(self.after().iter().filter(is_capture).count())
            }
            Fact::Checks => {
                let is_check = |after: &&G::Position| self.game().is_check(after);
                count(self.after().iter().filter(is_check).count())
            }
            Fact::KeepingTurns => {
                let own = self.value()?;
                self.turns_to(|value| value == own)?
            }
            Fact::WinningTurns => self.turns_to(|value| self.for_mover(value) > 0)?,
            Fact::DrawingTurns => self.turns_to(|value| value == 0)?,
            Fact::LosingTurns => self.turns_to(|value| self.for_mover(value) < 0)?,
            Fact::PassedValue => {
                self.passed_value()?.map_or(Value::Nothing, |value| Value::Number(value as f64))
            }
            Fact::Zugzwang => Value::Truth(self.is_zugzwang()?),
        })
    }

    /// What comes of the position for White.
    fn value(&self) -> Evaluated<i64> {
        Ok(match self.answer {
            Some(answer) => self.game().value(self.position, answer),
            None => self.value_of(self.position)?,
        })
    }

    fn value_of(&self, position: &G::Position) -> Evaluated<i64> {
        let answer = self.tables.answer_near(position, Some(self.table))?;
        Ok(self.game().value(position, &answer))
    }

    fn for_mover(&self, value: i64) -> i64 {
        match self.mover() {
            Color::White => value,
            Color::Black => -value,
        }
    }

    /// The positions after each turn.
    fn after(&self) -> &[G::Position] {
        self.after.get_or_init(|| {
            let turns = self.game().turns(self.position).into_iter();
            turns.map(|turn| self.game().play(self.position, turn)).collect()
        })
    }

    /// How many turns lead to values like this.
    fn turns_to(&self, is_such: impl Fn(i64) -> bool) -> Evaluated<Value> {
        let values = match self.values.get() {
            Some(values) => values,
            None => {
                let values = self.after().iter().map(|after| self.value_of(after));
                let values = values.collect::<Evaluated<Vec<i64>>>()?;
                self.values.get_or_init(|| values)
            }
        };
        Ok(Value::Number(values.iter().filter(|&&value| is_such(value)).count() as f64))
    }

    /// The value if it were the other side's turn, where that is a position.
    fn passed_value(&self) -> Evaluated<Option<i64>> {
        let passed = passed(self.game(), self.position);
        passed.map(|passed| self.value_of(&passed)).transpose()
    }

    /// Whether the side to move would do better by passing.
    fn is_zugzwang(&self) -> Evaluated<bool> {
        let own = self.for_mover(self.value()?);
        Ok(self.passed_value()?.is_some_and(|passed| own < self.for_mover(passed)))
    }
}
