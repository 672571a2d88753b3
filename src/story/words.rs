//! How sides, men and results are called in a story.

use crate::{
    board::{Color, Man},
    index::Material,
    study::capital,
};

/// What becomes of positions, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Outcome {
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

    /// As a condition of `find`.
    pub fn query(self) -> &'static str {
        match self {
            Outcome::Win => "wins",
            Outcome::Draw => "draws",
            Outcome::Loss => "loses",
        }
    }

    /// What the side to move does with positions.
    pub fn verb(self, by_points: bool) -> &'static str {
        match (self, by_points) {
            (Outcome::Win, false) => "wins",
            (Outcome::Draw, false) => "draws",
            (Outcome::Loss, false) => "loses",
            (Outcome::Win, true) => "comes out ahead in",
            (Outcome::Draw, true) => "comes out level in",
            (Outcome::Loss, true) => "comes out behind in",
        }
    }
}

/// Who is to move: of two equal sides a table knows one, which stands for either.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mover {
    Side(Color),
    Either,
}

impl Mover {
    /// At the beginning of a sentence: `White, to move,`.
    pub fn words(self) -> String {
        match self {
            Mover::Side(side) => format!("{side}, to move,"),
            Mover::Either => "Whoever is to move".to_owned(),
        }
    }

    /// Within a sentence: `White`.
    pub fn name(self) -> String {
        match self {
            Mover::Side(side) => side.to_string(),
            Mover::Either => "the side to move".to_owned(),
        }
    }

    /// As a condition of `find`, unless it says nothing.
    pub fn query(self) -> Option<String> {
        match self {
            Mover::Side(side) => Some(format!("to_move = {}", side.name())),
            Mover::Either => None,
        }
    }
}

/// A kind of man of a material as sentences and queries name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The man.
    pub man: Man,
    /// `the Rook`, `Black's King`, `one of White's Rooks`.
    pub words: String,
    /// Its names in queries, one for each man.
    pub names: Vec<String>,
}

impl Named {
    /// All kinds of men on the board of a material.
    pub fn all(material: &Material) -> Vec<Named> {
        let mut kinds = material.men();
        kinds.dedup();
        kinds.into_iter().map(|man| Named::new(material, man)).collect()
    }

    fn new(material: &Material, man: Man) -> Named {
        let Man { color, role } = man;
        let count = material.count(color, role);
        let name = capital(role.name());
        let both_have_it = material.count(!color, role) > 0;
        let words = match (count, both_have_it) {
            (1, false) => format!("the {name}"),
            (1, true) => format!("{color}'s {name}"),
            _ => format!("one of {color}'s {name}s"),
        };
        let letter = role.letter();
        let names = match (count, color) {
            (1, Color::White) => vec![letter.to_string()],
            (1, Color::Black) => vec![letter.to_ascii_lowercase().to_string()],
            _ => {
                let numbered = |place| format!("{}_{}_{place}", color.name(), role.name());
                (1..=count).map(numbered).collect()
            }
        };
        Named { man, words, names }
    }

    /// A condition that one of these men is to fulfil; `{}` is its name.
    pub fn any(&self, condition: &str) -> String {
        let each = self.names.iter().map(|name| condition.replace("{}", name));
        either(each.collect())
    }
}

/// `a`, `(a or b)`.
pub fn either(conditions: Vec<String>) -> String {
    match &conditions[..] {
        [one] => one.clone(),
        all => format!("({})", all.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_have_names() {
        let material: Material = "KRRvKB".parse().expect("a material");
        let named = Named::all(&material);
        let words: Vec<&str> = named.iter().map(|one| &*one.words).collect();
        assert_eq!(words, ["White's King", "one of White's Rooks", "Black's King", "the Bishop"]);
        assert_eq!(
            named[1].any("attacked({})"),
            "(attacked(white_rook_1) or attacked(white_rook_2))"
        );
        assert_eq!(named[3].any("{} on edge"), "b on edge");
    }
}
