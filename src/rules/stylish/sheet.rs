//! The score sheet: what everything is worth, as data that a user can replace.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::board::Role;

/// What an entry of the score sheet gives: 0 to 999 points.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub(super) struct SheetPoints(u16);

impl SheetPoints {
    const MAX: u16 = 999;

    /// The number, 0 to 999.
    pub(super) const fn get(self) -> i32 {
        self.0 as i32
    }
}

impl<'de> Deserialize<'de> for SheetPoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SheetPoints, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = SheetPoints;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from 0 to {}", SheetPoints::MAX)
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<SheetPoints, E> {
                u16::try_from(number)
                    .ok()
                    .filter(|&points| points <= SheetPoints::MAX)
                    .map(SheetPoints)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Signed(number), &self))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<SheetPoints, E> {
                self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
            }
        }

        deserializer.deserialize_i64(Visitor)
    }
}

/// A number for each man but the King.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByMan {
    pawn: SheetPoints,
    bishop: SheetPoints,
    knight: SheetPoints,
    rook: SheetPoints,
    queen: SheetPoints,
}

impl ByMan {
    /// The numbers, from Pawn to Queen.
    const fn usual([pawn, bishop, knight, rook, queen]: [u16; 5]) -> ByMan {
        ByMan {
            pawn: SheetPoints(pawn),
            bishop: SheetPoints(bishop),
            knight: SheetPoints(knight),
            rook: SheetPoints(rook),
            queen: SheetPoints(queen),
        }
    }

    /// The number for a man; 0 for a King.
    pub(super) fn get(&self, role: Role) -> i32 {
        match role {
            Role::Pawn => self.pawn.get(),
            Role::Bishop => self.bishop.get(),
            Role::Knight => self.knight.get(),
            Role::Rook => self.rook.get(),
            Role::Queen => self.queen.get(),
            _ => 0,
        }
    }
}

/// For captures, by the capturing man.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaptureScores {
    /// By a pawn, en passant and promoting captures included.
    pub(super) pawn: ByMan,
    /// By a Bishop.
    pub(super) bishop: ByMan,
    /// By a Knight.
    pub(super) knight: ByMan,
    /// By a Rook.
    pub(super) rook: ByMan,
    /// By a Queen along a diagonal.
    pub(super) queen_diagonal: ByMan,
    /// By a Queen along a rank or file.
    pub(super) queen_orthogonal: ByMan,
    /// By a King.
    pub(super) king: ByMan,
}

/// For promotions that do not mate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PromotionScores {
    queen: SheetPoints,
    rook: SheetPoints,
    bishop: SheetPoints,
    knight: SheetPoints,
}

impl PromotionScores {
    /// The number for a promotion to `role`; 0 for what no pawn becomes.
    pub(super) fn get(&self, role: Role) -> i32 {
        match role {
            Role::Queen => self.queen.get(),
            Role::Rook => self.rook.get(),
            Role::Bishop => self.bishop.get(),
            Role::Knight => self.knight.get(),
            _ => 0,
        }
    }
}

/// For a mate by a man that can check from afar or from close by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByDistance {
    distant: SheetPoints,
    adjacent: SheetPoints,
}

impl ByDistance {
    const fn usual(distant: u16, adjacent: u16) -> ByDistance {
        ByDistance { distant: SheetPoints(distant), adjacent: SheetPoints(adjacent) }
    }
}

/// For checkmates, by the man that gives check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MateScores {
    pawn: SheetPoints,
    knight: SheetPoints,
    bishop: ByDistance,
    rook: ByDistance,
    queen: ByDistance,
}

impl MateScores {
    /// The number for a man that gives mate, `adjacent` to the King or not; 0 for a King.
    pub(super) fn get(&self, role: Role, adjacent: bool) -> i32 {
        let by_distance = |scores: &ByDistance| match adjacent {
            true => scores.adjacent.get(),
            false => scores.distant.get(),
        };
        match role {
            Role::Pawn => self.pawn.get(),
            Role::Knight => self.knight.get(),
            Role::Bishop => by_distance(&self.bishop),
            Role::Rook => by_distance(&self.rook),
            Role::Queen => by_distance(&self.queen),
            _ => 0,
        }
    }
}

/// What is added to a checkmate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BonusScores {
    /// The man that counts is the pawn promoted by this move.
    pub(super) promoted: SheetPoints,
    /// A man that did not move gives check.
    pub(super) line_opened: SheetPoints,
    /// Besides, the moved man attacks a square next to the King that was safe before.
    pub(super) safe_square: SheetPoints,
}

/// For draws.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawScores {
    /// The force of each man.
    pub(super) force: ByMan,
    /// The force of all men a side begins with.
    pub(super) full_army: SheetPoints,
    /// For the last capture of a game in which neither side can mate any more.
    pub(super) last_capture: SheetPoints,
}

/// The whole score sheet; [`ScoreSheet::default`] is the one of the rules page. Another is
/// deserialised, as from the options in the header of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreSheet {
    /// For captures.
    pub(super) capture: CaptureScores,
    /// For promotions that do not mate.
    pub(super) promotion: PromotionScores,
    /// For checkmates.
    pub(super) mate: MateScores,
    /// What is added to a checkmate.
    pub(super) bonus: BonusScores,
    /// For draws.
    pub(super) draw: DrawScores,
}

impl ScoreSheet {
    /// The default score sheet as a TOML file with comments, to be edited.
    #[cfg(feature = "build")]
    pub const DEFAULT_TOML: &'static str = include_str!("sheet.toml");

    /// Reads a score sheet in TOML.
    ///
    /// # Errors
    /// If an entry is unknown, missing or no whole number from 0 to 999, or the text is no TOML.
    #[cfg(feature = "build")]
    pub fn from_toml(text: &str) -> Result<ScoreSheet, ScoreSheetError> {
        toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
            ScoreSheetError {
                line: before.matches('\n').count() + 1,
                problem: error.message().replace('\n', "; "),
            }
        })
    }
}

impl Default for ScoreSheet {
    fn default() -> ScoreSheet {
        // As in `sheet.toml`, which whoever only probes has no reader for.
        ScoreSheet {
            capture: CaptureScores {
                pawn: ByMan::usual([5, 10, 10, 20, 40]),
                bishop: ByMan::usual([1, 5, 5, 10, 20]),
                knight: ByMan::usual([1, 5, 5, 10, 20]),
                rook: ByMan::usual([1, 5, 5, 10, 17]),
                queen_diagonal: ByMan::usual([0, 5, 3, 7, 15]),
                queen_orthogonal: ByMan::usual([0, 3, 3, 10, 15]),
                king: ByMan::usual([3, 10, 10, 20, 50]),
            },
            promotion: PromotionScores {
                queen: SheetPoints(0),
                rook: SheetPoints(10),
                bishop: SheetPoints(20),
                knight: SheetPoints(20),
            },
            mate: MateScores {
                pawn: SheetPoints(150),
                knight: SheetPoints(130),
                bishop: ByDistance::usual(120, 110),
                rook: ByDistance::usual(110, 100),
                queen: ByDistance::usual(90, 80),
            },
            bonus: BonusScores {
                promoted: SheetPoints(50),
                line_opened: SheetPoints(50),
                safe_square: SheetPoints(70),
            },
            draw: DrawScores {
                force: ByMan::usual([1, 3, 3, 5, 9]),
                full_army: SheetPoints(39),
                last_capture: SheetPoints(50),
            },
        }
    }
}

/// A score sheet read from the file that a rule option names, if that can be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ScoreFile(pub(super) ScoreSheet);

impl FromStr for ScoreFile {
    type Err = ScoreFileError;

    #[cfg(feature = "build")]
    fn from_str(path: &str) -> Result<ScoreFile, ScoreFileError> {
        Ok(ScoreFile(ScoreSheet::from_toml(&std::fs::read_to_string(path)?)?))
    }

    #[cfg(not(feature = "build"))]
    fn from_str(_: &str) -> Result<ScoreFile, ScoreFileError> {
        Err(ScoreFileError::NoReader)
    }
}

/// A file holds no score sheet.
#[derive(Debug, thiserror::Error)]
pub(super) enum ScoreFileError {
    /// It cannot be read.
    #[cfg(feature = "build")]
    #[error("the file cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It holds something else.
    #[cfg(feature = "build")]
    #[error(transparent)]
    Sheet(#[from] ScoreSheetError),
    /// The library has nothing that reads such files.
    #[cfg(not(feature = "build"))]
    #[error("only a finale with the feature `build` reads score sheets from files")]
    NoReader,
}

/// A text is no score sheet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "score sheet, line {line}: {problem}; `finale info --scores` prints a sheet with every entry"
)]
pub struct ScoreSheetError {
    /// The line, from 1: for a missing entry, that of the table it is missing in.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first line of the error about the default sheet with one text replaced.
    fn error(from: &str, to: &str) -> String {
        let text = ScoreSheet::DEFAULT_TOML.replacen(from, to, 1);
        assert_ne!(text, ScoreSheet::DEFAULT_TOML, "nothing replaced");
        let error = ScoreSheet::from_toml(&text).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }

    #[test]
    fn errors_name_the_entry_and_the_line() {
        for (from, to, expected) in [
            ("rook   = 10", "rock   = 10", "line 20: unknown field `rock`, expected one of"),
            ("rook   = 10\n", "", "line 18: missing field `rook`"),
            ("queen = 50 }", "queen = 5.5 }", "line 15: invalid type: floating point `5.5`"),
            ("queen = 50 }", "queen = -1 }", "line 15: invalid value: integer `-1`"),
            ("queen = 50 }", "queen = 1000 }", "expected a whole number from 0 to 999"),
            ("queen = 50 }", "queen = \"x\" }", "line 15: invalid type: string \"x\""),
            ("knight = 10, rook = 20, queen = 50", "rook = 20, queen = 50", "missing field `kni"),
            ("[draw]", "[drawn]", "unknown field `drawn`"),
            ("[draw]", "[draw", "line 4"),
        ] {
            assert!(error(from, to).contains(expected), "{}", error(from, to));
        }
        assert!(ScoreSheet::from_toml("").is_err());
    }

    #[test]
    fn the_usual_sheet_is_that_of_the_file() {
        let read = ScoreSheet::from_toml(ScoreSheet::DEFAULT_TOML);
        assert_eq!(read.unwrap(), ScoreSheet::default());
    }

    #[test]
    fn a_sheet_survives_its_own_json() {
        let sheet = ScoreSheet::default();
        let json = serde_json::to_value(&sheet).unwrap();
        assert_eq!(serde_json::from_value::<ScoreSheet>(json).unwrap(), sheet);
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in ".*", at: proptest::sample::Index, letter in "\\PC") {
            let _ = ScoreSheet::from_toml(&text);
            let mut sheet: Vec<char> = ScoreSheet::DEFAULT_TOML.chars().collect();
            let at = at.index(sheet.len());
            sheet.splice(at..=at, letter.chars());
            let _ = ScoreSheet::from_toml(&sheet.into_iter().collect::<String>());
        }
    }
}
