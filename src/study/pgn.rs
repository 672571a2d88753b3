//! Lines and records as other programs read them (PGN).

use super::{Line, Loss, MoveNumbers, Study, TurnText};
use crate::{
    board::Color,
    probe::options_in_words,
    rules::{Game, Variant, result_text, tag, usual_options},
};

/// The name of the tag with the rule options.
pub const OPTIONS_TAG: &str = "RuleOptions";

/// The rule options of a game as a tag has them: `vitality 20, revitalise mover`; of score sheets
/// only what is not as usual. Empty if there is nothing to say.
pub fn options_tag<G: Study>(game: &G) -> String {
    options_in_words(&game.options(), &usual_options(game)).join(", ")
}

/// The names and values of the options that the tags of a record name in this way.
pub fn recorded_options(tags: &[(String, String)]) -> Vec<(String, String)> {
    let options = tag(tags, OPTIONS_TAG).unwrap_or_default().split(", ");
    let pairs = options.filter_map(|option| option.split_once(' '));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
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
        let (start, ending) = (game.fen(&self.start), game.ending(self.last()));
        let mut tags = Tags::of_record(game, &[], &start, result_text(ending.as_ref()));
        tags.0.extend(ending.map(|ending| ("Termination".to_owned(), ending.to_string())));
        record(&tags, &start, self.turns(game).iter().map(|turn| (turn, None)))
    }
}

/// The tag pairs of a record, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tags(Vec<(String, String)>);

impl Tags {
    /// What the tags before the result say that every record has, where nobody knows.
    const ROSTER: [(&str, &str); 6] = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
    ];

    /// Those of a record with this result: the seven that every record has, then others of its own,
    /// and those that tell the game, its options and the first position as far as it lacks them.
    pub(super) fn of_record<G: Study>(
        game: &G,
        own: &[(String, String)],
        start: &str,
        result: &str,
    ) -> Tags {
        let is_chess = game.name() == Variant::orthodox().name();
        let options = options_tag(game);
        let begins_elsewhere = start != game.fen(&game.initial());
        let telling = [
            (!is_chess).then_some(("Variant", game.title())),
            (!options.is_empty()).then_some((OPTIONS_TAG, &*options)),
            begins_elsewhere.then_some(("SetUp", "1")),
            begins_elsewhere.then_some(("FEN", start)),
        ];
        Tags::with(own, result, &telling)
    }

    /// The seven that every record has, then others of its own, and of some that tell the game those
    /// that it lacks.
    fn with(own: &[(String, String)], result: &str, telling: &[Option<(&str, &str)>]) -> Tags {
        let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let roster = Tags::ROSTER.map(|(name, unknown)| (name, tag(own, name).unwrap_or(unknown)));
        let mut tags = Tags(roster.into_iter().chain([("Result", result)]).map(pair).collect());
        let all = own.iter().map(|(name, value)| (&**name, &**value));
        for (name, value) in all.chain(telling.iter().copied().flatten()) {
            if tag(&tags.0, name).is_none() {
                tags.0.push(pair((name, value)));
            }
        }
        tags
    }
}

/// The record of some turns from a position on, each with what it cost, if that is known.
pub(super) fn record<'a>(
    Tags(tags): &Tags,
    start: &str,
    turns: impl Iterator<Item = (&'a TurnText, Option<&'a Loss>)>,
) -> String {
    let result = tag(tags, "Result").unwrap_or("*");
    let mut numbers = MoveNumbers::from_fen(start);
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let line = |(name, value): &(String, String)| format!("[{name} \"{}\"]\n", escaped(value));
    let tags: String = tags.iter().map(line).collect();
    let mut text = String::new();
    // A comment parts the two halves of a move, after which Black's needs its number again.
    let mut numbered = false;
    for (TurnText { mover, san, comment, .. }, loss) in turns {
        let label = numbers.label(*mover);
        if *mover == Color::White || !numbered {
            text += &format!("{label} ");
        }
        text += &format!("{san} ");
        numbered = true;
        if let Some(loss) = loss {
            text += &format!("${} ", loss.glyph());
        }
        let comments: Vec<String> =
            comment.clone().into_iter().chain(loss.map(Loss::words)).collect();
        if !comments.is_empty() {
            text += &format!("{{{}}} ", comments.join("; "));
            numbered = false;
        }
    }
    tags + "\n" + &wrap(&(text + result), 80) + "\n"
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
