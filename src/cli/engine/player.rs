//! Who plays a game: a position of it, and what to say and do there.

use std::io;

use super::score::Worth;
use crate::{
    board::Color,
    cli::hints,
    probe::{ProbeError, Ranked, TableDirectories, Tablebase},
    registry::{Complete, Task},
    study::best_line,
};

/// Plies of best play that are told at most.
const LONGEST_LINE: usize = 64;

/// The same of turns that are not the best.
const SHORT_LINE: usize = 8;

/// A player of some game.
pub trait Player {
    /// Goes to the position after some turns from a FEN, or else from where the game begins. If
    /// that is none, there is no position from then on.
    ///
    /// # Errors
    /// What is wrong, as a sentence.
    fn place(&mut self, fen: Option<&str>, turns: &[String]) -> Result<(), String>;

    /// The FEN of the position.
    ///
    /// # Errors
    /// Why there is none.
    fn fen(&self) -> Result<String, String>;

    /// Who is to move there.
    ///
    /// # Errors
    /// Why there is no position.
    fn to_move(&self) -> Result<Color, String>;

    /// Thinks about the position: about the turns `among` its own, if any are named, and of the
    /// best of them about so many.
    fn think(&self, among: &[String], most: usize) -> Thought;

    /// What there is to say if the game is over, or nothing.
    fn end(&self) -> Option<Thought>;

    /// How many tables of its game there are.
    ///
    /// # Errors
    /// If a folder of them cannot be read.
    fn tables(&self) -> io::Result<usize>;
}

/// What comes of thinking.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// What is to be said, a sentence each.
    pub sentences: Vec<String>,
    /// The best turns, if tables rank them, or what the game that is over came to.
    pub lines: Vec<RankedLine>,
    /// How many turns were looked up.
    pub looked_up: usize,
    /// The turn to be played, and the one that is expected then.
    pub best: Option<(String, Option<String>)>,
}

/// A turn and best play after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankedLine {
    /// What it is worth.
    pub worth: Worth,
    /// The turns; none if the game is over.
    pub turns: Vec<String>,
}

/// What makes the player of a game whose tables lie in some directories.
pub struct Seat(pub TableDirectories);

impl Task for Seat {
    type Output = Box<dyn Player>;

    fn run<G: Complete>(self, game: G) -> Box<dyn Player> {
        let position = Ok(game.initial());
        Box::new(Seated { tables: Tablebase::on(game, self.0), position })
    }
}

/// The player of a game.
struct Seated<G: Complete> {
    tables: Tablebase<G>,
    /// Where it is, or why it is nowhere.
    position: Result<G::Position, String>,
}

impl<G: Complete> Player for Seated<G> {
    fn place(&mut self, fen: Option<&str>, turns: &[String]) -> Result<(), String> {
        self.position = self.after(fen, turns);
        self.fen().map(drop)
    }

    fn fen(&self) -> Result<String, String> {
        self.position.as_ref().map(|at| self.tables.game().fen(at)).map_err(String::clone)
    }

    fn to_move(&self) -> Result<Color, String> {
        self.position.as_ref().map(|at| self.tables.game().to_move(at)).map_err(String::clone)
    }

    fn think(&self, among: &[String], most: usize) -> Thought {
        let position = match &self.position {
            Ok(position) => position,
            Err(sentence) => {
                return Thought { sentences: vec![sentence.clone()], ..Thought::default() };
            }
        };
        let game = self.tables.game();
        let turns = game.turns(position);
        if turns.is_empty() {
            return self.over(position);
        }
        let (among, mut sentences) = self.named(position, among);
        let is_among = |turn: &G::Turn| among.is_empty() || among.contains(turn);
        let mut thought = match self.ranked(position, is_among, most) {
            Ok(thought) => thought,
            Err(error) => {
                let turns = turns.into_iter().filter(is_among).collect();
                self.guess(position, turns, hints::sentence(&error, ""))
            }
        };
        sentences.append(&mut thought.sentences);
        Thought { sentences, ..thought }
    }

    fn end(&self) -> Option<Thought> {
        let position = self.position.as_ref().ok()?;
        self.tables.game().turns(position).is_empty().then(|| self.over(position))
    }

    fn tables(&self) -> io::Result<usize> {
        Ok(self.tables.tables()?.len())
    }
}

impl<G: Complete> Seated<G> {
    fn after(&self, fen: Option<&str>, turns: &[String]) -> Result<G::Position, String> {
        let game = self.tables.game();
        let mut position = match fen {
            Some(fen) => game.parse_fen(fen).map_err(|error| hints::sentence(&error, ""))?,
            None => game.initial(),
        };
        for text in turns {
            let turn = game.parse_turn(&position, text).map_err(|error| error.to_string())?;
            position = game.play(&position, turn);
        }
        Ok(position)
    }

    /// The turns that are named, and what is wrong with others.
    fn named(&self, position: &G::Position, texts: &[String]) -> (Vec<G::Turn>, Vec<String>) {
        let (mut turns, mut wrong) = (Vec::new(), Vec::new());
        for text in texts {
            match self.tables.game().parse_turn(position, text) {
                Ok(turn) => turns.push(turn),
                Err(error) => wrong.push(error.to_string()),
            }
        }
        (turns, wrong)
    }

    /// What there is to say of a game that is over.
    fn over(&self, position: &G::Position) -> Thought {
        let game = self.tables.game();
        let answer = game.backup(position, &[]);
        let words = game.ending(position).map(|ending| ending.to_string());
        Thought {
            sentences: words.into_iter().collect(),
            lines: vec![RankedLine {
                worth: Worth::new(game, position, &answer),
                turns: Vec::new(),
            }],
            ..Thought::default()
        }
    }

    /// The turns as tables rank them.
    fn ranked(
        &self,
        position: &G::Position,
        is_among: impl Fn(&G::Turn) -> bool,
        most: usize,
    ) -> Result<Thought, ProbeError> {
        let game = self.tables.game();
        let answer = self.tables.answer(position)?;
        let mut ranked = self.tables.ranked(position)?;
        let looked_up = ranked.len();
        ranked.retain(|ranked| is_among(&ranked.turn));
        let length = |place| if place == 0 { LONGEST_LINE } else { SHORT_LINE };
        let lines: Vec<RankedLine> = ranked
            .iter()
            .take(most)
            .enumerate()
            .map(|(place, ranked)| self.line(position, ranked, length(place)))
            .collect();
        let best = lines.first().map(|line| {
            let mut turns = line.turns.iter().cloned();
            (turns.next().unwrap_or_default(), turns.next())
        });
        Ok(Thought { sentences: game.words(position, &answer), lines, looked_up, best })
    }

    /// A ranked turn with best play after it, which ends where tables are missing.
    fn line(&self, position: &G::Position, ranked: &Ranked<G>, length: usize) -> RankedLine {
        let game = self.tables.game();
        let mut turns = vec![game.uci(position, ranked.turn)];
        if let Ok(line) = best_line(&self.tables, &ranked.after, length - 1) {
            turns.extend(line.plies.iter().map(|ply| game.uci(&ply.before, ply.turn)));
        }
        RankedLine { worth: Worth::new(game, position, &ranked.worth), turns }
    }

    /// A turn where tables do not rank all of them, and why they do not.
    ///
    /// The rules or a table may still know what some turns lead to. The best of those is played,
    /// unless it loses and there are others.
    fn guess(&self, position: &G::Position, turns: Vec<G::Turn>, why: String) -> Thought {
        let game = self.tables.game();
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for turn in turns {
            match self.known(&game.play(position, turn)) {
                Some(answer) => known.push((turn, game.backup(position, &[(turn, answer)]))),
                None => unknown.push(turn),
            }
        }
        let looked_up = known.len();
        let best = known.into_iter().reduce(|best, next| {
            if game.prefer(position, &next.1, &best.1).is_gt() { next } else { best }
        });
        let keeps = |worth| Worth::new(game, position, worth).result.is_ge();
        let (turn, how) = match (best, unknown.first()) {
            (Some((turn, worth)), Some(_)) if keeps(&worth) => {
                (turn, "is the best of the turns after which the result is known")
            }
            (_, Some(&turn)) => (turn, "is played without knowing what it is worth"),
            (Some((turn, _)), None) => (turn, "is the best turn, as those after each one say"),
            (None, None) => return Thought { sentences: vec![why], ..Thought::default() },
        };
        let sentences = vec![why, format!("not from tables: {} {how}", game.san(position, turn))];
        let best = Some((game.uci(position, turn), None));
        Thought { sentences, looked_up, best, ..Thought::default() }
    }

    /// The answer for a position, from the rules if the game is over there, else from tables.
    fn known(&self, position: &G::Position) -> Option<G::Answer> {
        match self.tables.game().turns(position).is_empty() {
            true => Some(self.tables.game().backup(position, &[])),
            false => self.tables.answer(position).ok(),
        }
    }
}
