//! Columns of values: what is said of many positions, a row each.

use crate::{
    board::{Color, Square},
    parallel,
};

/// What a column can hold. An *optional* column has rows without a value: its whole numbers and
/// words, which are never negative, are −1 there, and its numbers that may be infinite are none.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole numbers from 0 to 255.
    U8,
    /// The numbers of squares: a1 = 0, b1 = 1, … h8 = 63.
    Square,
    /// Whole numbers of 32 bits: plies, counts of points.
    I32,
    /// Whole numbers of 64 bits: numbers of positions, margins.
    I64,
    /// Numbers of 32 bits that may be infinite.
    F32,
    /// One of these words, by its place among them; at most 127.
    Words(&'static [&'static str]),
    /// Texts of any kind.
    Text,
    /// As many whole numbers from 0 to 255.
    List(usize),
}

/// A column as it is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name: that of the member of JSON, where it is one.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Whether rows may be without a value.
    pub optional: bool,
}

impl Field {
    /// A column in which each row has a value.
    pub fn new(name: impl Into<String>, kind: Kind) -> Field {
        Field { name: name.into(), kind, optional: false }
    }

    /// A column in which rows may be without one.
    pub fn optional(name: impl Into<String>, kind: Kind) -> Field {
        Field { optional: true, ..Field::new(name, kind) }
    }
}

/// The values of a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Of [`Kind::U8`].
    U8(Vec<u8>),
    /// Of [`Kind::Square`], and the places of [`Kind::Words`].
    I8(Vec<i8>),
    /// Of [`Kind::I32`].
    I32(Vec<i32>),
    /// Of [`Kind::I64`].
    I64(Vec<i64>),
    /// Of [`Kind::F32`].
    F32(Vec<f32>),
    /// Of [`Kind::Text`].
    Text(Vec<Option<String>>),
    /// Of [`Kind::List`]: row by row.
    Lists(usize, Vec<u8>),
}

/// What stands for no value.
const NONE: i64 = -1;

impl Values {
    /// None yet, of this kind.
    pub fn new(kind: Kind) -> Values {
        match kind {
            Kind::U8 => Values::U8(Vec::new()),
            Kind::Square | Kind::Words(_) => Values::I8(Vec::new()),
            Kind::I32 => Values::I32(Vec::new()),
            Kind::I64 => Values::I64(Vec::new()),
            Kind::F32 => Values::F32(Vec::new()),
            Kind::Text => Values::Text(Vec::new()),
            Kind::List(length) => Values::Lists(length, Vec::new()),
        }
    }

    /// Whether a row has a value, in an optional column.
    pub fn has(&self, row: usize) -> bool {
        match self {
            Values::I8(all) => all[row] >= 0,
            Values::I32(all) => all[row] >= 0,
            Values::I64(all) => all[row] >= 0,
            Values::Text(all) => all[row].is_some(),
            Values::F32(all) => !all[row].is_nan(),
            Values::U8(_) | Values::Lists(..) => true,
        }
    }

    /// All of several, so many, if they are kept.
    fn joined(parts: Vec<Option<Values>>, rows: usize) -> Option<Values> {
        let mut parts = parts.into_iter().flatten();
        let mut all = parts.next()?;
        all.reserve(rows);
        parts.for_each(|part| all.append(part));
        Some(all)
    }

    /// Adds those of another, which is of the same kind, behind its own.
    fn append(&mut self, other: Values) {
        match (self, other) {
            (Values::U8(all), Values::U8(mut more)) => all.append(&mut more),
            (Values::I8(all), Values::I8(mut more)) => all.append(&mut more),
            (Values::I32(all), Values::I32(mut more)) => all.append(&mut more),
            (Values::I64(all), Values::I64(mut more)) => all.append(&mut more),
            (Values::F32(all), Values::F32(mut more)) => all.append(&mut more),
            (Values::Text(all), Values::Text(mut more)) => all.append(&mut more),
            (Values::Lists(_, all), Values::Lists(_, mut more)) => all.append(&mut more),
            _ => unreachable!("columns of one declaration are of the same kind"),
        }
    }

    /// Forgets all but the first.
    fn truncate(&mut self, rows: usize) {
        match self {
            Values::U8(all) => all.truncate(rows),
            Values::I8(all) => all.truncate(rows),
            Values::I32(all) => all.truncate(rows),
            Values::I64(all) => all.truncate(rows),
            Values::F32(all) => all.truncate(rows),
            Values::Text(all) => all.truncate(rows),
            Values::Lists(length, all) => all.truncate(rows * *length),
        }
    }

    /// Makes room for so many rows more.
    fn reserve(&mut self, rows: usize) {
        match self {
            Values::U8(all) => all.reserve_exact(rows),
            Values::I8(all) => all.reserve_exact(rows),
            Values::I32(all) => all.reserve_exact(rows),
            Values::I64(all) => all.reserve_exact(rows),
            Values::F32(all) => all.reserve_exact(rows),
            Values::Text(all) => all.reserve_exact(rows),
            Values::Lists(length, all) => all.reserve_exact(rows * *length),
        }
    }

    #[inline]
    fn push_integer(&mut self, value: i64) {
        match self {
            Values::U8(all) => all.push(value as u8),
            Values::I8(all) => all.push(value as i8),
            Values::I32(all) => all.push(value as i32),
            Values::I64(all) => all.push(value),
            _ => unreachable!("a column of whole numbers was declared"),
        }
    }

    fn push_nothing(&mut self) {
        match self {
            Values::F32(all) => all.push(f32::NAN),
            Values::Text(all) => all.push(None),
            Values::Lists(length, all) => all.resize(all.len() + *length, 0),
            whole => whole.push_integer(NONE),
        }
    }
}

/// Some columns of equal length.
#[derive(Clone, PartialEq, Debug)]
pub struct Columns {
    fields: Vec<Field>,
    /// Of each field; those that nobody wants are `None` while columns are filled.
    values: Vec<Option<Values>>,
    rows: usize,
}

impl Columns {
    /// Without rows. Of the `fields` only those are kept that are named, if any are.
    pub fn new(fields: &[Field], named: Option<&[String]>) -> Columns {
        let wanted = |field: &Field| named.is_none_or(|names| names.contains(&field.name));
        let values = |field: &Field| wanted(field).then(|| Values::new(field.kind));
        Columns { values: fields.iter().map(values).collect(), fields: fields.to_vec(), rows: 0 }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Each column that is kept.
    pub fn iter(&self) -> impl Iterator<Item = (&Field, &Values)> {
        let both = self.fields.iter().zip(&self.values);
        both.filter_map(|(field, values)| Some((field, values.as_ref()?)))
    }

    /// What a column holds, kept or not, by its place among all.
    pub(crate) fn kind(&self, column: usize) -> Kind {
        self.fields[column].kind
    }

    /// The number in a column of them, by its place among all: that of a square, and of a word its
    /// place. `None` if the row has none, or the column is not kept or of another kind.
    pub(crate) fn number(&self, column: usize, row: usize) -> Option<f64> {
        let values = self.values[column].as_ref()?;
        if self.fields[column].optional && !values.has(row) {
            return None;
        }
        Some(match values {
            Values::U8(all) => all[row].into(),
            Values::I8(all) => all[row].into(),
            Values::I32(all) => all[row].into(),
            Values::I64(all) => all[row] as f64,
            Values::F32(all) => all[row].into(),
            Values::Text(_) | Values::Lists(..) => return None,
        })
    }

    /// An entry of a list, by the places of column and entry; `None` where there is no such list.
    pub(crate) fn entry(&self, column: usize, row: usize, entry: usize) -> Option<u8> {
        match self.values[column].as_ref()? {
            Values::Lists(length, all) if entry < *length => Some(all[row * length + entry]),
            _ => None,
        }
    }

    /// Forgets all rows but the first.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.values.iter_mut().flatten().for_each(|values| values.truncate(rows));
        self.rows = self.rows.min(rows);
    }

    /// Adds a row, whose values `fill` gives in the order of the fields.
    pub fn add(&mut self, fill: impl FnOnce(&mut Row<'_>)) {
        let mut row = Row { slots: self.values.iter_mut() };
        fill(&mut row);
        debug_assert!(row.slots.next().is_none(), "a value for each column");
        self.rows += 1;
    }

    /// One of several with the same fields, their rows in order; `None` of none.
    pub fn joined(parts: Vec<Columns>) -> Option<Columns> {
        let rows = parts.iter().map(Columns::rows).sum();
        let fields = parts.first()?.fields.clone();
        let mut parts: Vec<_> = parts.into_iter().map(|part| part.values.into_iter()).collect();
        let mut next = || parts.iter_mut().filter_map(Iterator::next).collect();
        let columns: Vec<Vec<Option<Values>>> = fields.iter().map(|_| next()).collect();
        let values = parallel::map(columns, 1, |_, parts| Values::joined(parts, rows));
        Some(Columns { fields, values, rows })
    }
}

/// A row that is being filled, one column after the other.
#[derive(Debug)]
pub struct Row<'c> {
    slots: std::slice::IterMut<'c, Option<Values>>,
}

impl Row<'_> {
    /// The next column, unless nobody wants it.
    #[inline]
    fn next(&mut self) -> Option<&mut Values> {
        self.slots.next().expect("the column was declared").as_mut()
    }

    /// A whole number that fits the kind.
    #[inline]
    pub fn integer(&mut self, value: impl Into<i64>) {
        if let Some(values) = self.next() {
            values.push_integer(value.into());
        }
    }

    /// A whole number, if there is one.
    #[inline]
    pub fn perhaps(&mut self, value: Option<impl Into<i64>>) {
        self.integer(value.map_or(NONE, Into::into));
    }

    /// The number of a square.
    #[inline]
    pub fn square(&mut self, square: Option<Square>) {
        self.perhaps(square.map(|square| square.number() as i64));
    }

    /// A word, by its place among those declared.
    #[inline]
    pub fn word(&mut self, place: Option<usize>) {
        self.perhaps(place.map(|place| place as i64));
    }

    /// One of [`SIDES`].
    #[inline]
    pub fn side(&mut self, side: Option<Color>) {
        self.word(side.map(Color::index));
    }

    /// A number that may be infinite, if there is one.
    pub fn perhaps_number(&mut self, number: Option<f32>) {
        self.number(number.unwrap_or(f32::NAN));
    }

    /// A number that may be infinite.
    pub fn number(&mut self, number: f32) {
        if let Some(Values::F32(all)) = self.next() {
            all.push(number);
        }
    }

    /// A text, if there is one.
    pub fn text(&mut self, text: Option<String>) {
        if let Some(Values::Text(all)) = self.next() {
            all.push(text);
        }
    }

    /// As many numbers as were declared.
    #[inline]
    pub fn list(&mut self, numbers: &[u8]) {
        if let Some(Values::Lists(_, all)) = self.next() {
            all.extend_from_slice(numbers);
        }
    }

    /// Nothing in all columns that are left but the last `but`.
    pub fn nothing(&mut self, but: usize) {
        while self.slots.len() > but {
            if let Some(values) = self.next() {
                values.push_nothing();
            }
        }
    }
}

/// The sides as words.
pub const SIDES: Kind = Kind::Words(&["white", "black"]);
