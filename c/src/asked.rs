//! The tables of a game, whichever it is.

use finale::{
    Tablebase,
    answer::Plies,
    board::Color,
    probe::ProbeError,
    registry::{Complete, GameName, Task},
    rules::{RuleOptions, VariantFile},
    study::position_object,
};
use serde_json::Value;

use crate::{FinaleAnswer, FinaleStatus};

/// Why a call failed.
pub struct Failure {
    pub status: FinaleStatus,
    pub words: String,
}

impl Failure {
    /// An argument is wrong.
    pub fn wrong(words: impl Into<String>) -> Failure {
        Failure { status: FinaleStatus::Wrong, words: words.into() }
    }

    fn of(error: &ProbeError) -> Failure {
        let is_missing = error.missing().is_some() || matches!(error, ProbeError::Unanswerable(_));
        let status = if is_missing { FinaleStatus::Missing } else { FinaleStatus::Damaged };
        Failure { status, words: finale::study::with_causes(error) }
    }
}

/// What can be asked of the tables of a game.
pub trait Asked: Send + Sync {
    fn probe(&self, fen: &str) -> Result<FinaleAnswer, Failure>;
    fn best_turn(&self, fen: &str) -> Result<String, Failure>;
    fn json(&self, fen: &str) -> Result<String, Failure>;
    fn max_men(&self) -> Result<u32, Failure>;
}

/// Makes the games of a text of variants known.
pub fn load_variants(text: &str) -> Result<(), Failure> {
    let file = VariantFile::read(text).map_err(|error| Failure::wrong(error.to_string()))?;
    let refused = GameName::add_all(&file).into_iter().find_map(|section| {
        let refusals = section.definition.err()?;
        let words: Vec<String> = refusals.iter().map(|refusal| refusal.to_string()).collect();
        Some(format!("{} cannot be built: {}", section.name, words.join("; ")))
    });
    refused.map_or(Ok(()), |words| Err(Failure::wrong(words)))
}

/// The tables of a game of this name, by these options, in a folder.
pub fn open(game: &str, folder: &str, options: &str) -> Result<Box<dyn Asked>, Failure> {
    struct Open<'a>(&'a str);
    impl Task for Open<'_> {
        type Output = Box<dyn Asked>;

        fn run<G: Complete>(self, game: G) -> Box<dyn Asked> {
            Box::new(Tables(Tablebase::new(game, self.0)))
        }
    }
    let name =
        GameName::find(game).ok_or_else(|| Failure::wrong(format!("there is no game `{game}`")))?;
    let mut chosen = RuleOptions::none();
    for text in options.split(", ").filter(|text| !text.is_empty()) {
        let known = name.options().iter().find_map(|option| {
            let value = text.strip_prefix(option.name)?.strip_prefix(' ')?;
            Some((option.name, value))
        });
        let (option, value) = known.ok_or_else(|| {
            Failure::wrong(format!("`{text}` is no option of {} and its value", name.title()))
        })?;
        chosen.set(option, Some(value.to_owned()));
    }
    name.play(chosen, Open(folder)).map_err(|error| Failure::wrong(error.to_string()))
}

struct Tables<G: Complete>(Tablebase<G>);

impl<G: Complete> Tables<G> {
    fn position(&self, fen: &str) -> Result<G::Position, Failure> {
        self.0.game().parse_fen(fen).map_err(|error| Failure::wrong(error.to_string()))
    }
}

impl<G: Complete> Asked for Tables<G> {
    fn probe(&self, fen: &str) -> Result<FinaleAnswer, Failure> {
        let (game, position) = (self.0.game(), self.position(fen)?);
        let answer = self.0.answer(&position).map_err(|error| Failure::of(&error))?;
        let value = game.value(&position, &answer);
        let own = if game.to_move(&position) == Color::White { value } else { -value };
        let plies = game.plies_to_win(&position, &answer);
        let plies = plies.map_or(-1, |Plies(plies)| i32::from(plies));
        Ok(FinaleAnswer { value, wdl: own.signum() as i32, plies })
    }

    fn best_turn(&self, fen: &str) -> Result<String, Failure> {
        let (game, position) = (self.0.game(), self.position(fen)?);
        let ranked = self.0.ranked(&position).map_err(|error| Failure::of(&error))?;
        let best = ranked.first().map(|best| game.uci(&position, best.turn));
        let words = || "the game is over: there is no turn".to_owned();
        best.ok_or_else(|| Failure { status: FinaleStatus::Over, words: words() })
    }

    fn json(&self, fen: &str) -> Result<String, Failure> {
        let position = self.position(fen)?;
        let object = position_object(&self.0, &position, true);
        Ok(Value::Object(object.map_err(|error| Failure::of(&error))?).to_string())
    }

    fn max_men(&self) -> Result<u32, Failure> {
        let men = self.0.max_men().map_err(|error| Failure::wrong(error.to_string()))?;
        Ok(men as u32)
    }
}
