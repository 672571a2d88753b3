//! A position that is asked about. What is dear to know is found out once, when it is asked.

use std::cell::OnceCell;

use super::likeness::passed;
use crate::{
    board::{Board, Color, Movements, Square},
    probe::ProbeError,
    solve::TurnCounts,
    study::{Columns, Met, Place, Rows, Study, Survey},
};

/// What tables, rules and board tell, or why a table does not.
pub(super) type Told<T> = Result<T, ProbeError>;

/// A position of whichever game: queries are evaluated by one piece of code for all games.
pub(super) trait Subject {
    /// The men on the board.
    fn board(&self) -> &Board;

    /// How men move.
    fn movements(&self) -> Movements;

    /// Whose turn it is.
    fn to_move(&self) -> Color;

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool;

    /// By how much White comes out ahead.
    fn value(&self) -> Told<i64>;

    /// The same if it were the other side's turn, where that is a position.
    fn passed_value(&self) -> Told<Option<i64>>;

    /// How many turns there are.
    fn turns(&self) -> usize;

    /// How many of them capture.
    fn captures(&self) -> usize;

    /// How many of them give check.
    fn checks(&self) -> usize;

    /// How many turns lead to positions in which White comes out ahead by so much.
    fn turns_to(&self, is_such: &dyn Fn(i64) -> bool) -> Told<usize>;
}

/// A position of a game.
pub(super) struct Asked<'a, 't, G: Study> {
    /// The table the position is of.
    survey: &'a Survey<'t, G>,
    /// The cell of its men, where no pawn can be taken in passing.
    cell: u64,
    position: &'a G::Position,
    /// Asks the tables.
    ask: &'a dyn Fn() -> Told<G::Answer>,
    answer: OnceCell<G::Answer>,
    value: OnceCell<i64>,
    /// What its turns lead to, if somebody has counted.
    counts: Option<TurnCounts>,
    after: OnceCell<Vec<G::Position>>,
    values: OnceCell<Vec<i64>>,
}

impl<'a, 't, G: Study> Asked<'a, 't, G> {
    /// A position of a table; `ask` tells what the tables say of it.
    pub fn new(
        survey: &'a Survey<'t, G>,
        cell: u64,
        position: &'a G::Position,
        ask: &'a dyn Fn() -> Told<G::Answer>,
    ) -> Asked<'a, 't, G> {
        Asked {
            survey,
            cell,
            position,
            ask,
            answer: OnceCell::new(),
            value: OnceCell::new(),
            counts: None,
            after: OnceCell::new(),
            values: OnceCell::new(),
        }
    }

    fn game(&self) -> &G {
        self.survey.tables.game()
    }

    /// The position.
    pub fn position(&self) -> &'a G::Position {
        self.position
    }

    /// What the tables say of it.
    pub fn answer(&self) -> Told<&G::Answer> {
        once(&self.answer, self.ask)
    }

    /// Columns with it as their only row.
    pub fn filled<'c>(
        &self,
        columns: &'c mut Columns,
        rows: &Rows<'_, G>,
        place: Place,
    ) -> Told<&'c Columns> {
        let answer = self.answer()?;
        columns.truncate(0);
        columns.add(|row| rows.all(row, place, self.position, answer));
        Ok(columns)
    }

    fn value_of(&self, position: &G::Position) -> Told<i64> {
        let answer = self.survey.answer(position)?;
        Ok(self.game().value(position, &answer))
    }

    /// The positions after each turn.
    fn after(&self) -> &[G::Position] {
        self.after.get_or_init(|| {
            let turns = self.game().turns(self.position).into_iter();
            turns.map(|turn| self.game().play(self.position, turn)).collect()
        })
    }

    fn count_after(&self, is_such: impl Fn(&G::Position) -> bool) -> usize {
        self.after().iter().filter(|after| is_such(after)).count()
    }
}

impl<G: Study> Subject for Asked<'_, '_, G> {
    fn movements(&self) -> Movements {
        self.game().movements()
    }

    fn board(&self) -> &Board {
        self.game().board(self.position)
    }

    fn to_move(&self) -> Color {
        self.game().to_move(self.position)
    }

    fn is_check(&self) -> bool {
        self.game().is_check(self.position)
    }

    fn value(&self) -> Told<i64> {
        once(&self.value, || Ok(self.game().value(self.position, self.answer()?))).copied()
    }

    fn passed_value(&self) -> Told<Option<i64>> {
        match self.survey.passed(self.cell) {
            Some(passed) => Ok(passed.map(|(passed, answer)| self.game().value(&passed, &answer))),
            None => {
                let passed = passed(self.game(), self.position);
                passed.map(|passed| self.value_of(&passed)).transpose()
            }
        }
    }

    fn turns(&self) -> usize {
        match (self.counts, self.after.get()) {
            (Some(counts), _) => counts.count(|_| true),
            (None, Some(after)) => after.len(),
            (None, None) => self.game().turns(self.position).len(),
        }
    }

    fn captures(&self) -> usize {
        let men = self.board().occupied().len();
        self.count_after(|after| self.game().board(after).occupied().len() < men)
    }

    fn checks(&self) -> usize {
        self.count_after(|after| self.game().is_check(after))
    }

    fn turns_to(&self, is_such: &dyn Fn(i64) -> bool) -> Told<usize> {
        if let Some(counts) = self.counts {
            return Ok(counts.count(is_such));
        }
        let values = || self.after().iter().map(|after| self.value_of(after)).collect();
        let values: &Vec<i64> = once(&self.values, values)?;
        Ok(values.iter().filter(|&&value| is_such(value)).count())
    }
}

/// Shows the position of a cell, and those in which a pawn of it can be taken in passing, with the
/// square where that pawn is taken.
pub(super) fn each_of<'t, G: Study>(
    survey: &Survey<'t, G>,
    met: &Met<'_, 't, G>,
    mut see: impl FnMut(Option<Square>, Asked<'_, 't, G>) -> Told<()>,
) -> Told<()> {
    let game = survey.tables.game();
    if !game.occurs(met.position()) {
        return Ok(());
    }
    let ask = || met.answer();
    let asked = Asked::new(survey, met.cell, met.position(), &ask);
    see(None, Asked { counts: met.turns, ..asked })?;
    each_in_passing(survey, met, |square, asked| see(Some(square), asked))
}

/// Shows those alone in which a pawn can be taken in passing.
pub(super) fn each_in_passing<'t, G: Study>(
    survey: &Survey<'t, G>,
    met: &Met<'_, 't, G>,
    mut see: impl FnMut(Square, Asked<'_, 't, G>) -> Told<()>,
) -> Told<()> {
    if !met.has_passing {
        return Ok(());
    }
    for (square, position) in survey.tables.game().in_passing(met.position()) {
        let ask = || survey.tables.answer(&position);
        see(square, Asked::new(survey, met.cell, &position, &ask))?;
    }
    Ok(())
}

/// What a cell holds, which is found out if it holds nothing yet.
fn once<T>(cell: &OnceCell<T>, find_out: impl FnOnce() -> Told<T>) -> Told<&T> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let found = find_out()?;
    Ok(cell.get_or_init(|| found))
}
