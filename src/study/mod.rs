//! What students ask of tables: answers in words, best play, statistics.
//!
//! Each game is one file that implements [`Study`].

mod columns;
mod contest;
mod definition;
mod drawing;
mod high;
mod json;
mod line;
mod losses;
mod noro;
mod orphic;
mod pgn;
mod ply;
mod ranges;
mod record;
mod remark;
mod report;
mod stylish;
mod survey;
mod tally;
mod tiebraker;
mod values;
mod variant;

pub use columns::{
    AnswerError, ColumnReader, ColumnsError, Selection, Sentence, UnansweredError, answer_columns,
    answer_fields, fens, numbers, table_columns, table_fields,
};
pub(crate) use columns::{Place, Rows};
pub use contest::{Contest, MatchGame, MatchGameError, with_causes};
pub use drawing::{MAN_MARGIN, MAN_SCALE, Painted, board_svg, man_paths, place, shade};
pub use json::{line_object, object, position_object, report_object, turn_object};
pub use line::{Line, LineEnd, MoveNumbers, best_line};
pub use losses::{Loss, Losses};
pub use pgn::{OPTIONS_TAG, is_variant, options_tag, recorded_options};
pub use ply::{LinePly, TurnText};
pub use record::{ForeignRecord, RecordText, check_options, check_variant};
pub use remark::{Remark, Scope};
pub(crate) use remark::{capital, list, part, positions};
pub use report::{Cell, Column, Listing, Report};
pub(crate) use report::{grouped, percent};
pub(crate) use survey::{Met, Survey};
pub use values::{Columns, Field, Kind, Row, SIDES, Values};

use std::{iter, ops::Range};

use serde_json::{Map, Value};

use crate::{
    answer::Plies,
    board::Square,
    index::Material,
    pack::Pack,
    probe::{ProbeError, Tablebase},
    progress::Progress,
};

/// A column of a histogram.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bin {
    /// What is counted, such as wins: columns of one group stand together.
    pub group: &'static str,
    /// Where in the group, such as plies to mate; 0 where all of it is one.
    pub number: i64,
}

/// From which other counters than those a game begins with statistics can be counted.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct StatisticsFrom {
    /// What naming them does.
    pub help: &'static str,
    /// What they are where none are named, in words.
    pub default: &'static str,
    /// Which they can be, as a sentence goes on after `High Chess has them `.
    pub range: &'static str,
}

/// What a game's students read.
pub trait Study: Pack {
    /// From which other counters its [statistics](Study::statistics_from) can be counted.
    const STATISTICS_FROM: Option<StatisticsFrom> = None;

    /// The rules in short, the fields of the FEN with an example, and the notation; text of at
    /// most 80 columns.
    fn primer(&self) -> String;

    /// The game's name as its players write it: `High Chess`.
    fn title(&self) -> &'static str;

    /// The answer for a position as JSON fields; their names never change.
    fn fields(&self, position: &Self::Position, answer: &Self::Answer) -> Map<String, Value>;

    /// The answer for a position in sentences, a line each.
    fn words(&self, position: &Self::Position, answer: &Self::Answer) -> Vec<String>;

    /// By how much White comes out ahead, below 0 if Black does: 1, 0 or −1 where games are won,
    /// drawn and lost, else the margin of points. Best play keeps it; a turn after which it is
    /// another threw something away.
    fn value(&self, position: &Self::Position, answer: &Self::Answer) -> i64;

    /// The plies to the end of a game that is won or lost, by best play, where the answer tells
    /// them; by default it does not.
    fn plies_to_win(&self, _position: &Self::Position, _answer: &Self::Answer) -> Option<Plies> {
        None
    }

    /// What comes of a position, without how or when: `White wins`, `drawn`, `margin 5`. Best play
    /// keeps it; a turn after which it is another threw something away.
    fn result_words(&self, position: &Self::Position, answer: &Self::Answer) -> String;

    /// The answer for a position in a few words, as it stands beside a turn that leads there. It
    /// begins with the [`result_words`](Study::result_words) and a comma where there is more to
    /// say.
    fn brief(&self, position: &Self::Position, answer: &Self::Answer) -> String;

    /// The answer for a position with the reasons that tables give for it, a line each; by default
    /// just the [`words`](Study::words).
    ///
    /// # Errors
    /// If a table that best play leads to is missing or damaged.
    fn explanation(
        &self,
        _tables: &Tablebase<Self>,
        position: &Self::Position,
        answer: &Self::Answer,
    ) -> Result<Vec<String>, ProbeError> {
        Ok(self.words(position, answer))
    }

    /// What stands beside a turn: by default the [`brief`](Study::brief) answer after it.
    fn turn_words(
        &self,
        _position: &Self::Position,
        _turn: Self::Turn,
        after: &Self::Position,
        answer: &Self::Answer,
    ) -> String {
        self.brief(after, answer)
    }

    /// Further JSON fields of a turn; by default none.
    fn turn_fields(&self, _position: &Self::Position, _turn: Self::Turn) -> Map<String, Value> {
        Map::new()
    }

    /// Further JSON fields that a chart of the answer shows; by default none.
    fn chart_fields(
        &self,
        _position: &Self::Position,
        _answer: &Self::Answer,
    ) -> Map<String, Value> {
        Map::new()
    }

    /// Where the answer for a position stands in a histogram of its table; by default the game
    /// has none.
    fn bin(&self, _position: &Self::Position, _answer: &Self::Answer) -> Option<Bin> {
        None
    }

    /// The columns that answers fill, by the names of their [`fields`](Study::fields); of a member
    /// that is an object, a column for each of its own: `mate_by`.
    fn columns(&self) -> Vec<Field>;

    /// A row of these columns.
    fn fill(&self, position: &Self::Position, answer: &Self::Answer, row: &mut Row<'_>);

    /// The columns of what tells positions of a table apart besides the men and the side to move;
    /// by default there is nothing.
    fn mode_columns(&self) -> Vec<Field> {
        Vec::new()
    }

    /// A row of the [`mode_columns`](Study::mode_columns).
    fn fill_mode(&self, _position: &Self::Position, _row: &mut Row<'_>) {}

    /// Whether a game can come to a position of a table; by default to each.
    fn occurs(&self, _position: &Self::Position) -> bool {
        true
    }

    /// The positions with the same men and side to move in which a pawn can be taken in passing,
    /// and where, in games whose statistics count them; by default they do not.
    fn in_passing(&self, _position: &Self::Position) -> Vec<(Square, Self::Position)> {
        Vec::new()
    }

    /// How the game stands while it goes on, where the position does not show it.
    fn standing(&self, _position: &Self::Position) -> Option<String> {
        None
    }

    /// What it means that best play goes round this circle for ever, as a sentence goes on.
    fn endless(&self, _: &[LinePly<Self>]) -> String {
        "play goes on for ever".to_owned()
    }

    /// What the game's students ask of a whole table.
    ///
    /// # Errors
    /// If the table, or one it leads to, is missing or damaged.
    fn statistics(
        &self,
        tables: &Tablebase<Self>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError>;

    /// Which positions of a table its [story](crate::story) is about, and how what comes of them is
    /// called; by default all, in games that are won, drawn and lost.
    fn scope(&self, _material: &Material) -> Scope {
        Scope::default()
    }

    /// The stretches of a table's cells that have all positions of its [scope](Study::scope), in
    /// their order; by default one of all cells.
    fn scope_cells(&self, reader: &Self::Reader) -> Vec<Range<u64>> {
        iter::once(0..self.cells(reader)).collect()
    }

    /// What a table's [story](crate::story) tells of its [`statistics`](Study::statistics) besides
    /// who wins how often, what matters most first; by default nothing.
    fn remarks(&self, _report: &Report) -> Vec<Remark> {
        Vec::new()
    }

    /// The same counted from other counters than those a game begins with, in games whose tables
    /// answer for all. `None` if they are none of those that
    /// [`STATISTICS_FROM`](Study::STATISTICS_FROM) tells of.
    ///
    /// # Errors
    /// If the table, or one it leads to, is missing or damaged.
    fn statistics_from(
        &self,
        _tables: &Tablebase<Self>,
        _material: &Material,
        _from: &str,
        _progress: &dyn Progress,
    ) -> Result<Option<Report>, ProbeError> {
        Ok(None)
    }
}
