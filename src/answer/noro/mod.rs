//! Norochess: who wins at which score, with any number of plies to go, and by how much.

pub(crate) mod codes;
mod history;
mod layers;
mod margins;
mod reader;

use std::{borrow::Cow, cmp::Ordering, fmt};

use super::{
    Contents, Tabled, Unanswerable, UnfitMaterial,
    chess::check_men,
    place::{cell_side, indexed_setup, setup_cell},
};
use crate::{
    board::{ByColor, Color, Group, Role},
    index::Material,
    rules::{Game, Move, Noro, NoroPosition, Setup},
    table::{Table, TableError},
};

pub use margins::Finish;
pub use reader::NoroReader;
#[cfg(feature = "build")]
pub(crate) use reader::{HISTORIES, histories, index};

#[cfg(feature = "build")]
pub(crate) use history::without_margins;
pub(crate) use layers::Layers;
pub(crate) use margins::Differences;

use codes::{EVEN, LOST, SURE};
use history::History;

/// A score difference, White's points less Black's, from which on something holds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// At every score: −∞.
    Always,
    /// From this difference on.
    From(i32),
    /// At no score: +∞.
    Never,
}

impl Bound {
    /// Whether it holds at a difference.
    pub fn holds(self, difference: i64) -> bool {
        match self {
            Bound::Always => true,
            Bound::From(least) => i64::from(least) <= difference,
            Bound::Never => false,
        }
    }
}

impl fmt::Display for Bound {
    /// `-inf`, a number, or `inf`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Always => f.write_str("-inf"),
            Bound::From(least) => write!(f, "{least}"),
            Bound::Never => f.write_str("inf"),
        }
    }
}

/// From which score differences on White wins or draws.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thresholds {
    /// Where White wins: W.
    pub win_at: Bound,
    /// Where White at least draws: D, which is W or one less.
    pub draw_at: Bound,
}

impl Thresholds {
    /// Who wins at a difference; nobody in a draw.
    pub fn winner(self, difference: i64) -> Option<Color> {
        if self.win_at.holds(difference) {
            Some(Color::White)
        } else if self.draw_at.holds(difference) {
            None
        } else {
            Some(Color::Black)
        }
    }

    /// How many points worse the score could be for the winner and the result stay; none in a
    /// draw, or if no number of points would change it.
    pub fn slack(self, difference: i64) -> Option<i64> {
        match (self.winner(difference)?, self.win_at, self.draw_at) {
            (Color::White, Bound::From(least), _) => Some(difference - i64::from(least)),
            (Color::Black, _, Bound::From(least)) => Some(i64::from(least) - 1 - difference),
            _ => None,
        }
    }

    /// The least leads with which White wins and draws.
    pub fn needs(self) -> (Bound, Bound) {
        (self.win_at, self.draw_at)
    }

    /// The least leads with which Black wins and draws.
    pub fn needs_of_black(self) -> (Bound, Bound) {
        // Black leads by l where the difference is -l, and has what White has not.
        let turned = |bound: Bound| match bound {
            Bound::Always => Bound::Never,
            Bound::From(least) => Bound::From(1 - least),
            Bound::Never => Bound::Always,
        };
        (turned(self.draw_at), turned(self.win_at))
    }

    fn of_code(code: u8) -> Thresholds {
        let bound = |half_up: i32| match code {
            SURE => Bound::Never,
            LOST => Bound::Always,
            code => Bound::From((i32::from(code) - 128 + half_up).div_euclid(2)),
        };
        Thresholds { win_at: bound(1), draw_at: bound(0) }
    }
}

/// What a table of Norochess says of the men on the board and the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NoroAnswer {
    to_move: Color,
    layer: usize,
    history: History,
}

impl NoroAnswer {
    /// The thresholds at the clock of the position asked for.
    pub fn thresholds(&self) -> Thresholds {
        Thresholds::of_code(self.history.thresholds(self.layer))
    }

    /// The thresholds with `remaining` plies to go; none if the other side is to move then, or
    /// there are never so many.
    pub fn at(&self, remaining: u32) -> Option<Thresholds> {
        Some(Thresholds::of_code(self.history.thresholds(self.layer_at(remaining)?)))
    }

    /// How the game ends with this score difference at the clock of the position asked for, when
    /// both sides look at the result first and at the margin next; none if the table does not tell.
    pub fn finish(&self, difference: i64) -> Option<Finish> {
        Some(Finish::of_code(self.history.margin(self.layer, difference)?, difference))
    }

    /// The same with `remaining` plies to go; none if the other side is to move then, or there are
    /// never so many, too.
    pub fn finish_at(&self, remaining: u32, difference: i64) -> Option<Finish> {
        let layer = self.layer_at(remaining)?;
        Some(Finish::of_code(self.history.margin(layer, difference)?, difference))
    }

    /// The layer with so many plies to go, if the side to move has it.
    fn layer_at(&self, remaining: u32) -> Option<usize> {
        let fits = remaining % 2 == u32::from(self.to_move == Color::Black);
        Some(Layers::at(remaining)).filter(|&layer| fits && layer < self.history.layers())
    }
}

impl Noro {
    /// What the turns from a position make of it, with what comes after each.
    fn best_of(&self, setup: &Setup, options: &[(Move, &History)]) -> History {
        // Where the game is over, the rules tell all there is.
        if options.iter().any(|(_, after)| after.differences.is_none()) {
            let codes_after = |after, _| History::all_thresholds(after);
            let best = best_codes(setup, options, codes_after, codes::thresholds_before);
            return History { differences: None, codes: self.best_thresholds(setup, &best) };
        }
        let differences = Differences::of(&Material::of(&setup.board));
        let codes_after = |after, gain| History::all_margins(after, differences, gain);
        let best = best_codes(setup, options, codes_after, codes::margin_before);
        let codes = self.best_margins(setup, differences, &best);
        History { differences: Some(differences), codes }
    }

    /// The codes of a position, layer by layer, as the rules' page defines the thresholds, from the
    /// best of those after its turns; these are none if there is no turn.
    fn best_thresholds(&self, setup: &Setup, after_turns: &[u8]) -> Vec<u8> {
        let side = setup.to_move;
        let layers = Layers::of(self);
        let code = |layer: usize| {
            let after = (side == Color::Black).then_some(layer).or(layer.checked_sub(1));
            match after.and_then(|after| after_turns.get(after)) {
                Some(&code) if layers.decides(side, layer) => codes::decided(code),
                Some(&code) => code,
                None => match self.loser(setup, Layers::remaining(side, layer)) {
                    Some(color) => codes::key(!color, SURE),
                    None => EVEN,
                },
            }
        };
        (0..layers.of_side(side)).map(code).collect()
    }

    /// The same for margins at each of the score differences that are told apart: who is to move
    /// chooses by the result, and by the margin next.
    fn best_margins(&self, setup: &Setup, differences: Differences, after_turns: &[u8]) -> Vec<u8> {
        let side = setup.to_move;
        let layers = Layers::of(self);
        let after_layers = layers.of_side(!side);
        let remaining = |layer| Layers::remaining(side, layer);
        let losers: Vec<Option<Color>> =
            (0..layers.of_side(side)).map(|layer| self.loser(setup, remaining(layer))).collect();
        let code = |(place, difference): (usize, i32), layer: usize| {
            let own = i64::from(difference);
            let decided = |winner| Finish { winner, margin: own }.code(own);
            let by_score = || match own {
                1.. => decided(Some(Color::White)),
                0 => decided(None),
                _ => decided(Some(Color::Black)),
            };
            if let Some(color) = losers[layer] {
                return decided(Some(!color));
            }
            let is_over = remaining(layer) == 0 || (layers.decides(side, layer) && own != 0);
            if is_over || after_turns.is_empty() {
                return by_score();
            }
            let after = layer - usize::from(side == Color::White);
            after_turns[place * after_layers + after]
        };
        let mut codes = Vec::with_capacity(losers.len() * differences.count());
        for at in differences.iter().enumerate() {
            codes.extend((0..losers.len()).map(|layer| code(at, layer)));
        }
        codes
    }

    /// The side that has lost with so many plies to go, whatever the score, since it has no men.
    fn loser(&self, setup: &Setup, remaining: u32) -> Option<Color> {
        let gone = |color: &Color| setup.board.of(*color).is_empty();
        let gone = Color::ALL.into_iter().find(gone);
        gone.filter(|&color| self.elimination_loses(color, remaining))
    }

    fn answer(&self, position: &NoroPosition, history: History) -> NoroAnswer {
        let layer = Layers::at(self.remaining(&position.setup));
        NoroAnswer { to_move: position.setup.to_move, layer, history }
    }
}

/// What who is to move likes best of the codes after turns, place by place; none if there is no turn.
/// `codes_after` a turn that gains so much in White's view become those `before` it.
fn best_codes<'h>(
    setup: &Setup,
    options: &[(Move, &'h History)],
    codes_after: impl Fn(&'h History, i32) -> Cow<'h, [u8]>,
    before: impl Fn(u8, i32) -> u8,
) -> Vec<u8> {
    let of_turn = |&(mv, after): &(Move, &'h History)| -> Vec<u8> {
        let gain = Noro::gain(setup, mv) as i32;
        let gain = if setup.to_move == Color::White { gain } else { -gain };
        codes_after(after, gain).iter().map(|&code| before(code, gain)).collect()
    };
    let better = |mut best: Vec<u8>, codes: Vec<u8>| {
        codes::choose(setup.to_move, &mut best, &codes);
        best
    };
    options.iter().map(of_turn).reduce(better).unwrap_or_default()
}

impl Tabled for Noro {
    type Answer = NoroAnswer;
    type Reader = NoroReader;

    const CONTENTS: &'static [Contents] = &[Contents::Result, Contents::Points];

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        check_men(self, material, |color| {
            (material.men_of(color) == 0).then(|| format!("{color} has no men"))
        })?;
        Ok(*material)
    }

    /// No pawn becomes a King, though FENs may have several.
    fn can_arise(&self, named: &Material) -> bool {
        Color::ALL.into_iter().all(|color| named.count(color, Role::King) <= 1)
    }

    fn open(&self, table: &Table) -> Result<NoroReader, TableError> {
        NoroReader::open(table, Layers::of(self))
    }

    fn men_of(&self, position: &NoroPosition) -> Result<Material, Unanswerable> {
        Ok(Material::of(&position.setup.board))
    }

    fn read(
        &self,
        reader: &NoroReader,
        position: &NoroPosition,
    ) -> Result<Option<NoroAnswer>, TableError> {
        let history = reader.position(&position.setup.board, position.setup.to_move)?;
        Ok(history.map(|history| self.answer(position, history)))
    }

    fn without_table(&self, position: &NoroPosition) -> Option<NoroAnswer> {
        let setup = &position.setup;
        let gone = Color::any(|color| setup.board.of(color).is_empty());
        gone.then(|| self.backup(position, &[]))
    }

    fn keeps_men(&self, position: &NoroPosition, mv: Move) -> bool {
        position.setup.keeps_men(mv)
    }

    fn is_looked_ahead(&self, position: &NoroPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn backup(&self, position: &NoroPosition, options: &[(Move, NoroAnswer)]) -> NoroAnswer {
        let histories: Vec<_> = options.iter().map(|(mv, after)| (*mv, &after.history)).collect();
        self.answer(position, self.best_of(&position.setup, &histories))
    }

    /// Most turns leave the men what they are and score nothing, so that the history after them
    /// says all of them; and many lead to the same one.
    fn look_ahead<E: From<TableError>>(
        &self,
        position: &NoroPosition,
        turns: Vec<Move>,
        own: Option<&NoroReader>,
        mut answer: impl FnMut(Move) -> Result<NoroAnswer, E>,
    ) -> Result<NoroAnswer, E> {
        let setup = &position.setup;
        let own = own.filter(|reader| reader.stores(!setup.to_move));
        let own = own.map(|reader| (reader, reader.standing(&setup.board)));
        let mut met = Vec::with_capacity(turns.len());
        let mut options = Vec::with_capacity(turns.len());
        // The best of what comes after plain turns, as if one of them led to it.
        let mut plain: Option<(Move, History)> = None;
        let mut codes = Vec::new();
        let mut last_captures = Vec::new();
        for turn in turns {
            if setup.is_capture(turn) && setup.board.of(!setup.to_move).count() == 1 {
                last_captures.push(turn);
                continue;
            }
            // After a pawn's step there may be a capture in passing.
            let is_plain = !setup.is_capture(turn) && !setup.is_pawn_move(turn);
            let Some((reader, standing)) = own.as_ref().filter(|_| is_plain) else {
                options.push((turn, answer(turn)?.history));
                continue;
            };
            let place = standing.moved((turn.from, turn.to), !setup.to_move)?;
            if met.contains(&place) {
                continue;
            }
            met.push(place);
            match &mut plain {
                None => plain = Some((turn, reader.history(place, !setup.to_move)?)),
                Some((_, best)) => {
                    reader.read_history(place, !setup.to_move, &mut codes)?;
                    codes::choose(setup.to_move, &mut best.codes, &codes);
                }
            }
        }
        options.extend(plain);
        for turn in last_captures {
            // The margins, which the rules tell, would have nothing to be compared with.
            let history = if options.iter().any(|(_, after)| after.differences.is_none()) {
                let codes = self.best_thresholds(&self.play(position, turn).setup, &[]);
                History { differences: None, codes }
            } else {
                answer(turn)?.history
            };
            options.push((turn, history));
        }
        let options: Vec<_> = options.iter().map(|(turn, history)| (*turn, history)).collect();
        Ok(self.answer(position, self.best_of(setup, &options)))
    }

    fn without_distance(&self, answer: NoroAnswer) -> NoroAnswer {
        if answer.history.differences.is_none() {
            return answer;
        }
        let codes = answer.history.all_thresholds().into_owned();
        NoroAnswer { history: History { differences: None, codes }, ..answer }
    }

    fn is_detailed(&self, answer: &NoroAnswer) -> bool {
        answer.history.differences.is_some()
    }

    fn prefer(&self, position: &NoroPosition, a: &NoroAnswer, b: &NoroAnswer) -> Ordering {
        let key = |code| codes::key(position.setup.to_move, code);
        let threshold = |answer: &NoroAnswer| key(answer.history.thresholds(answer.layer));
        let margin = |answer: &NoroAnswer| {
            answer.history.margin(answer.layer, position.difference()).map(key)
        };
        let by_margin = match (margin(a), margin(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => Ordering::Equal,
        };
        by_margin.then_with(|| threshold(a).cmp(&threshold(b)))
    }

    fn cells(&self, reader: &NoroReader) -> u64 {
        reader.cells()
    }

    fn weight(&self, reader: &NoroReader, cell: u64) -> u64 {
        reader.index().weight(cell % reader.index().len())
    }

    fn group(&self, reader: &NoroReader) -> Group {
        reader.index().group()
    }

    /// The clock runs on, so no position comes again.
    fn identity(&self, position: &NoroPosition) -> NoroPosition {
        let setup = Setup { halfmove: 0, ..position.setup.clone() };
        NoroPosition { setup, points: position.points }
    }

    fn cell(&self, reader: &NoroReader, cell: u64) -> Option<NoroPosition> {
        let setup = indexed_setup(reader.index(), cell, &Noro::LAWS)?;
        Some(NoroPosition { setup, points: ByColor::default() })
    }

    fn cell_side(&self, reader: &NoroReader, cell: u64) -> Color {
        cell_side(reader.index(), cell)
    }

    fn cell_of(&self, reader: &NoroReader, position: &NoroPosition) -> Option<u64> {
        Some(setup_cell(reader.index(), &position.setup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_thresholds_and_their_order() {
        for code in LOST..=SURE {
            let thresholds = Thresholds::of_code(code);
            if let (Bound::From(win), Bound::From(draw)) = thresholds.needs() {
                assert!(win == draw || win == draw + 1);
            }
            let lower = Thresholds::of_code(code.max(LOST + 1) - 1).needs();
            let (win_at, draw_at) = thresholds.needs();
            assert!(lower.0 <= win_at && lower.1 <= draw_at);
            assert!(code == LOST || lower != thresholds.needs(), "{code}");
        }
        let even = Thresholds { win_at: Bound::From(1), draw_at: Bound::From(0) };
        assert_eq!((Thresholds::of_code(EVEN), even.needs_of_black()), (even, even.needs()));
    }

    #[test]
    fn codes_before_a_gain_are_those_of_the_score_then() {
        // None of these comes to the ends, as those of men on a board do not.
        for (code, gain) in (64..=192).flat_map(|code| (-20..=20).map(move |gain| (code, gain))) {
            let before = Thresholds::of_code(codes::thresholds_before(code, gain));
            let after = Thresholds::of_code(code);
            for difference in -90..=90 {
                let winner = after.winner(difference + i64::from(gain));
                assert_eq!(before.winner(difference), winner, "{code} {gain} {difference}");
            }
        }
        for (code, gain) in [LOST, SURE].into_iter().flat_map(|code| [(code, -9), (code, 9)]) {
            assert_eq!(codes::thresholds_before(code, gain), code);
        }
        for (code, gain) in (LOST..=SURE).flat_map(|code| (-9..=9).map(move |gain| (code, gain))) {
            let after = Finish::of_code(code, 3 + i64::from(gain));
            assert_eq!(codes::margin_before(code, gain), after.code(3), "{code} {gain}");
        }
    }

    #[test]
    fn scores_decide_unless_they_are_even() {
        for code in LOST..=SURE {
            let (decided, goes_on) =
                (Thresholds::of_code(codes::decided(code)), Thresholds::of_code(code));
            for difference in -5..=5 {
                let winner = match difference {
                    1.. => Some(Color::White),
                    0 => goes_on.winner(0),
                    _ => Some(Color::Black),
                };
                assert_eq!(decided.winner(difference), winner, "{code} {difference}");
            }
        }
    }

    #[test]
    fn slack_is_what_the_winner_could_lose() {
        for code in LOST..=SURE {
            let thresholds = Thresholds::of_code(code);
            for difference in -70..=70 {
                let Some(winner) = thresholds.winner(difference) else {
                    assert_eq!(thresholds.slack(difference), None);
                    continue;
                };
                let worse = |points: i64| match winner {
                    Color::White => thresholds.winner(difference - points),
                    Color::Black => thresholds.winner(difference + points),
                };
                match thresholds.slack(difference) {
                    Some(slack) => {
                        assert_eq!(worse(slack), Some(winner));
                        assert_ne!(worse(slack + 1), Some(winner));
                    }
                    None => assert_eq!(worse(1000), Some(winner)),
                }
            }
        }
    }

    #[test]
    fn thresholds_follow_from_the_results_after_each_turn() {
        let fens = [
            "8/8/8/3q4/8/2R5/8/8 w - - 0+0 0 1",
            "8/8/8/3q4/3R1N2/8/8/8 b - - 0+0 0 1",
            "8/8/2bqn3/3P4/8/8/8/8 w - - 0+0 0 1",
            "8/8/8/8/3p4/2KQP3/8/8 b - - 0+0 0 1",
        ];
        let game = Noro::default();
        let layers = Layers::of(&game);
        for position in fens.map(|fen| game.parse_fen(fen).unwrap()) {
            let side = position.setup.to_move;
            let any_answer = |(seed, turn)| {
                let any_code = |layer| match (layer * 7919 + seed * 104_729) % 61 {
                    0 => LOST,
                    1 => SURE,
                    number => number as u8 + 98,
                };
                let codes = (0..layers.of_side(!side)).map(any_code).collect();
                let history = History { differences: None, codes };
                (turn, NoroAnswer { to_move: !side, layer: 0, history })
            };
            let options: Vec<_> =
                game.turns(&position).into_iter().enumerate().map(any_answer).collect();
            let found = game.backup(&position, &options);
            // White's last layer has no turn.
            for layer in usize::from(side == Color::White)..layers.of_side(side) {
                let after = layer - usize::from(side == Color::White);
                for difference in -40..=40_i64 {
                    let results = options.iter().map(|(turn, answer)| {
                        let gain = i64::from(Noro::gain(&position.setup, *turn));
                        let gain = if side == Color::White { gain } else { -gain };
                        Thresholds::of_code(answer.history.codes[after]).winner(difference + gain)
                    });
                    let worth = |winner: &Option<Color>| match *winner {
                        Some(winner) => 2 * i32::from(winner == side),
                        None => 1,
                    };
                    let expected = match difference.signum() {
                        1 if layers.decides(side, layer) => Some(Color::White),
                        -1 if layers.decides(side, layer) => Some(Color::Black),
                        _ => results.max_by_key(worth).expect("there are turns"),
                    };
                    let winner = Thresholds::of_code(found.history.codes[layer]).winner(difference);
                    assert_eq!(winner, expected, "{} {layer} {difference}", game.fen(&position));
                }
            }
        }
    }
}
