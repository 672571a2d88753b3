//! Lines as game records that other programs read (PGN).

use super::{Line, MoveNumbers, Study, TurnText};
use crate::{
    board::Color,
    probe::options_in_words,
    rules::{Game, Variant, result_text, usual_options},
};

/// The name of the tag with the rule options.
pub const OPTIONS_TAG: &str = "RuleOptions";

/// The rule options of a game as a tag has them: `vitality 20, revitalise mover`; of score sheets
/// only what is not as usual. Empty if there is nothing to say.
pub fn options_tag<G: Study>(game: &G) -> String {
    options_in_words(&game.options(), &usual_options(game)).join(", ")
}

/// Whether a `Variant` tag means the game of this name and title.
pub fn is_variant(tag: &str, name: &str, title: &str) -> bool {
    let same = |other: &str| tag.trim().eq_ignore_ascii_case(other);
    let orthodox = ["Standard", "Chess", "Normal", "Orthodox", "From Position"];
    same(title)
        || same(name)
        || (name == Variant::orthodox().name() && orthodox.into_iter().any(same))
}

impl<G: Study> Line<G> {
    /// The line as PGN: the seven tags that every record has, those that tell this game, its
    /// options and the first position, and the turns with what a replay prints beside them as
    /// comments.
    pub fn pgn(&self, game: &G) -> String {
        let ending = game.ending(self.last());
        let head = Head {
            fen: game.fen(&self.start),
            title: (game.name() != Variant::orthodox().name()).then(|| game.title()),
            options: options_tag(game),
            result: result_text(ending.as_ref()),
            ending: ending.map(|ending| ending.to_string()),
        };
        head.record(&self.turns(game))
    }
}

/// What a record has besides its turns.
struct Head {
    /// The first position.
    fen: String,
    /// The title of the game, unless it is orthodox chess.
    title: Option<&'static str>,
    /// The rule options, as their tag has them.
    options: String,
    result: &'static str,
    /// How the game has ended, if it has.
    ending: Option<String>,
}

impl Head {
    /// The record of some turns.
    fn record(self, turns: &[TurnText]) -> String {
        let mut numbers = MoveNumbers::from_fen(&self.fen);
        let mut tags = vec![
            ("Event", "?".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", "?".to_owned()),
            ("White", "?".to_owned()),
            ("Black", "?".to_owned()),
            ("Result", self.result.to_owned()),
        ];
        tags.extend(self.title.map(|title| ("Variant", title.to_owned())));
        if !self.options.is_empty() {
            tags.push((OPTIONS_TAG, self.options));
        }
        tags.extend([("SetUp", "1".to_owned()), ("FEN", self.fen)]);
        tags.extend(self.ending.map(|ending| ("Termination", ending)));
        let tags: String =
            tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        let mut text = String::new();
        // A comment parts the two halves of a move, after which Black's needs its number again.
        let mut numbered = false;
        for TurnText { mover, san, comment, .. } in turns {
            let label = numbers.label(*mover);
            if *mover == Color::White || !numbered {
                text += &format!("{label} ");
            }
            text += &format!("{san} ");
            numbered = true;
            if let Some(comment) = comment {
                text += &format!("{{{comment}}} ");
                numbered = false;
            }
        }
        tags + "\n" + &wrap(&(text + self.result), 80) + "\n"
    }
}

/// Breaks a text at spaces into lines of at most `width` characters, where words allow.
pub(super) fn wrap(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("one line at least");
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
