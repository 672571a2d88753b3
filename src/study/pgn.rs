//! Lines as game records that other programs read (PGN).

use super::{Line, MoveNumbers, Study};
use crate::{
    board::Color,
    probe::options_in_words,
    rules::{Game, Orthodox, result_text, usual_options},
};

/// The name of the tag with the rule options.
pub const OPTIONS_TAG: &str = "RuleOptions";

/// The rule options of a game as a tag has them: `vitality 20, revitalise mover`; of score sheets
/// only what is not as usual. Empty if there is nothing to say.
pub fn options_tag<G: Study>(game: &G) -> String {
    options_in_words(&game.options(), &usual_options::<G>()).join(", ")
}

/// Whether a `Variant` tag means the game of this name and title.
pub fn is_variant(tag: &str, name: &str, title: &str) -> bool {
    let same = |other: &str| tag.trim().eq_ignore_ascii_case(other);
    let orthodox = ["Standard", "Chess", "Normal", "Orthodox", "From Position"];
    same(title) || same(name) || (name == Orthodox::NAME && orthodox.into_iter().any(same))
}

impl<G: Study> Line<G> {
    /// The line as PGN: the seven tags that every record has, those that tell this game, its
    /// options and the first position, and the turns with what a replay prints beside them as
    /// comments.
    pub fn pgn(&self, game: &G) -> String {
        let fen = game.fen(&self.start);
        let last = self.plies.last().map_or(&self.start, |ply| &ply.after);
        let ending = game.ending(last);
        let result = result_text(ending.as_ref());
        let mut tags = vec![
            ("Event", "?".to_owned()),
            ("Site", "?".to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", "?".to_owned()),
            ("White", "?".to_owned()),
            ("Black", "?".to_owned()),
            ("Result", result.to_owned()),
        ];
        if G::NAME != Orthodox::NAME {
            tags.push(("Variant", G::TITLE.to_owned()));
        }
        let options = options_tag(game);
        if !options.is_empty() {
            tags.push((OPTIONS_TAG, options));
        }
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.clone())]);
        tags.extend(ending.map(|ending| ("Termination", ending.to_string())));
        let tags: String =
            tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        let mut text = String::new();
        // A comment parts the two halves of a move, after which Black's needs its number again.
        let mut numbered = false;
        let mut numbers = MoveNumbers::from_fen(&fen);
        for ply in &self.plies {
            let mover = game.to_move(&ply.before);
            let label = numbers.label(mover);
            if mover == Color::White || !numbered {
                text += &format!("{label} ");
            }
            text += &game.san(&ply.before, ply.turn);
            text.push(' ');
            numbered = true;
            if let Some(comment) = game.comment(&ply.before, ply.turn, &ply.after) {
                text += &format!("{{{comment}}} ");
                numbered = false;
            }
        }
        tags + "\n" + &wrap(&(text + result), 80) + "\n"
    }
}

/// Breaks a text at spaces into lines of at most `width` characters, where words allow.
fn wrap(text: &str, width: usize) -> String {
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
