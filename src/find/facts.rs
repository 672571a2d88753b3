//! What a query can ask of a position besides the columns of its table.

use crate::study::Field;

/// What a fact is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// Who comes out ahead.
    Winner,
    /// By how much White does.
    Value,
    /// Whether the side to move comes out ahead.
    Wins,
    /// Whether nobody does.
    Draws,
    /// Whether the other side does.
    Loses,
    /// Whether the side to move is in check.
    Check,
    /// How many turns there are.
    Turns,
    /// How many of them capture.
    Captures,
    /// How many give check.
    Checks,
    /// How many keep the result.
    KeepingTurns,
    /// How many win.
    WinningTurns,
    /// How many draw.
    DrawingTurns,
    /// How many lose.
    LosingTurns,
    /// By how much White would come out ahead if it were the other side's turn.
    PassedValue,
    /// Whether that would be better for the side to move.
    Zugzwang,
}

/// How dear it is to know something, so that what is cheap is asked first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cost {
    /// The men and where they stand.
    Standing,
    /// The answer of the table.
    Answer,
    /// The turns there are.
    Turns,
    /// The answers after them, or that of another position.
    Answers,
}

impl Fact {
    /// Each with its name and what it tells.
    const ALL: &'static [(&'static str, Fact, &'static str)] = &[
        ("winner", Fact::Winner, "who comes out ahead: white, black or none"),
        ("value", Fact::Value, "by how much White does: 1, 0, -1, or points"),
        ("wins", Fact::Wins, "the side to move comes out ahead"),
        ("draws", Fact::Draws, "nobody does"),
        ("loses", Fact::Loses, "the other side does"),
        ("check", Fact::Check, "the side to move is in check"),
        ("turns", Fact::Turns, "how many turns there are"),
        ("captures", Fact::Captures, "how many of them capture"),
        ("checks", Fact::Checks, "how many of them give check"),
        ("keeping_turns", Fact::KeepingTurns, "how many turns keep the value"),
        ("winning_turns", Fact::WinningTurns, "how many turns win"),
        ("drawing_turns", Fact::DrawingTurns, "how many turns draw"),
        ("losing_turns", Fact::LosingTurns, "how many turns lose"),
        ("passed_value", Fact::PassedValue, "the value if it were the other side's turn"),
        ("zugzwang", Fact::Zugzwang, "who is to move would do better if the other side were"),
    ];

    /// The names that no column has, each with what it tells: columns stand for any other meaning.
    pub(super) fn beside(
        columns: &[Field],
    ) -> impl Iterator<Item = (&'static str, &'static str)> + use<'_> {
        let all = Fact::ALL.iter().map(|&(name, _, tells)| (name, tells));
        all.filter(|&(name, _)| columns.iter().all(|column| column.name != name))
    }

    pub(super) fn named(name: &str) -> Option<Fact> {
        Fact::ALL.iter().find(|(other, ..)| *other == name).map(|&(_, fact, _)| fact)
    }

    /// Whether it counts turns, or those that lead to some result.
    pub(super) fn counts_turns(self) -> bool {
        use Fact::{DrawingTurns, KeepingTurns, LosingTurns, Turns, WinningTurns};
        matches!(self, Turns | KeepingTurns | WinningTurns | DrawingTurns | LosingTurns)
    }

    pub(super) fn cost(self) -> Cost {
        match self {
            Fact::Check => Cost::Standing,
            Fact::Winner | Fact::Value | Fact::Wins | Fact::Draws | Fact::Loses => Cost::Answer,
            Fact::Turns | Fact::Captures | Fact::Checks => Cost::Turns,
            Fact::KeepingTurns
            | Fact::WinningTurns
            | Fact::DrawingTurns
            | Fact::LosingTurns
            | Fact::PassedValue
            | Fact::Zugzwang => Cost::Answers,
        }
    }
}
