//! From the text of a query to what is evaluated.

use std::{fmt, ops::Range};

use super::{
    error::QueryError,
    expr::{Among, Comparison, Expr, Value},
    facts::Fact,
    lexer::{self, Token},
    squares,
};
use crate::{
    board::{Bitboard, BoardSize, Color, Man, Role, Square},
    index::Material,
    study::{Field, Kind, SIDES},
};

/// Parts within parts, at most: what is deeper is no question anybody has.
const DEPTH: usize = 100;

/// The most bytes of a query, which bounds what is evaluated for each position, and how deep.
const LONGEST: usize = 2_000;

/// What kind of value a part of a query has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Sort {
    Truth,
    Number,
    Square,
    /// One of these words.
    Words(&'static [&'static str]),
    /// What is not there.
    Nothing,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Truth => "something that is true or not",
            Sort::Number => "a number",
            Sort::Square => "a square",
            Sort::Words(_) => "a word",
            Sort::Nothing => "none",
        })
    }
}

/// A part of a query, its kind, and where it stands.
struct Part {
    expr: Expr,
    sort: Sort,
    at: Range<usize>,
}

/// What names mean: the columns of a table, and its men.
pub(super) struct Names<'n> {
    /// The columns.
    pub fields: &'n [Field],
    /// How many of them are known of the men alone.
    pub standing: usize,
    /// The men.
    pub material: &'n Material,
    /// The board.
    pub size: BoardSize,
}

/// Reads a condition.
///
/// # Errors
/// What is wrong with it, and where.
pub(super) fn condition(query: &str, names: &Names<'_>) -> Result<Expr, QueryError> {
    whole(query, names, Sort::Truth)
}

/// Reads a number.
///
/// # Errors
/// What is wrong with it, and where.
pub(super) fn number(query: &str, names: &Names<'_>) -> Result<Expr, QueryError> {
    whole(query, names, Sort::Number)
}

fn whole(query: &str, names: &Names<'_>, sort: Sort) -> Result<Expr, QueryError> {
    if query.len() > LONGEST {
        let problem = format!("a query has at most {LONGEST} letters");
        return Err(QueryError { query: "…".to_owned(), at: 0..1, problem });
    }
    let mut parser = Parser { query, at: 0, depth: 0, names };
    let part = parser.any()?;
    match parser.peek() {
        (Token::End, _) => parser.expect(part, sort),
        (_, at) => Err(parser.error(at, "`and`, `or` or the end was expected")),
    }
}

struct Parser<'q> {
    query: &'q str,
    /// What has been read.
    at: usize,
    depth: usize,
    names: &'q Names<'q>,
}

type Parsed = Result<Part, QueryError>;

impl<'q> Parser<'q> {
    fn error(&self, at: Range<usize>, problem: impl Into<String>) -> QueryError {
        QueryError { query: self.query.to_owned(), at, problem: problem.into() }
    }

    fn peek(&self) -> (Token<'q>, Range<usize>) {
        lexer::token(self.query, self.at)
    }

    fn next(&mut self) -> (Token<'q>, Range<usize>) {
        let (token, at) = self.peek();
        self.at = at.end;
        (token, at)
    }

    /// Takes a word or sign if it comes next.
    fn takes(&mut self, wanted: Token<'_>) -> bool {
        let (token, at) = self.peek();
        let is_it = token == wanted;
        if is_it {
            self.at = at.end;
        }
        is_it
    }

    fn sign(&mut self, sign: &'static str) -> Result<(), QueryError> {
        let (_, at) = self.peek();
        match self.takes(Token::Sign(sign)) {
            true => Ok(()),
            false => Err(self.error(at, format!("`{sign}` was expected"))),
        }
    }

    /// A part that must be of a kind.
    fn expect(&self, part: Part, sort: Sort) -> Result<Expr, QueryError> {
        match part.sort == sort {
            true => Ok(part.expr),
            false => Err(self.error(part.at, format!("this is {}, not {sort}", part.sort))),
        }
    }

    /// A part within another.
    fn nested(&mut self, part: fn(&mut Parser<'q>) -> Parsed) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH {
            let (_, at) = self.peek();
            return Err(self.error(at, "this is nested too deeply"));
        }
        let part = part(self);
        self.depth -= 1;
        part
    }

    /// Conditions of which one is to be true.
    fn any(&mut self) -> Parsed {
        self.several("or", Parser::all, Expr::Any)
    }

    /// Conditions of which all are to be true.
    fn all(&mut self) -> Parsed {
        self.several("and", Parser::negation, Expr::All)
    }

    /// Conditions with a word between.
    fn several(
        &mut self,
        word: &'static str,
        one: fn(&mut Parser<'q>) -> Parsed,
        join: fn(Vec<Expr>) -> Expr,
    ) -> Parsed {
        let first = one(self)?;
        let Range { start, mut end } = first.at.clone();
        if self.peek().0 != Token::Word(word) {
            return Ok(first);
        }
        let mut parts = vec![self.expect(first, Sort::Truth)?];
        while self.takes(Token::Word(word)) {
            let next = one(self)?;
            end = next.at.end;
            parts.push(self.expect(next, Sort::Truth)?);
        }
        parts.sort_by_key(|part| part.cost(self.names.standing));
        Ok(Part { expr: join(parts), sort: Sort::Truth, at: start..end })
    }

    fn negation(&mut self) -> Parsed {
        let (_, Range { start, .. }) = self.peek();
        if !self.takes(Token::Word("not")) {
            return self.comparison();
        }
        let part = self.nested(Parser::negation)?;
        let at = start..part.at.end;
        let expr = Expr::Not(Box::new(self.expect(part, Sort::Truth)?));
        Ok(Part { expr, sort: Sort::Truth, at })
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        if self.takes(Token::Word("on")) {
            let (set, end) = self.set()?;
            let at = left.at.start..end;
            let square = Box::new(self.expect(left, Sort::Square)?);
            return Ok(Part { expr: Expr::On(square, set), sort: Sort::Truth, at });
        }
        if self.takes(Token::Word("in")) {
            return self.range(left);
        }
        let (Token::Sign(sign), _) = self.peek() else { return Ok(left) };
        let Some(comparison) = Comparison::named(sign) else { return Ok(left) };
        self.next();
        let right = match left.sort {
            Sort::Words(words) => self.word_of(words)?,
            _ => self.sum()?,
        };
        let at = left.at.start..right.at.end;
        let equality = matches!(comparison, Comparison::Equal | Comparison::Unequal);
        match (left.sort, right.sort) {
            (Sort::Number, Sort::Number) => {}
            (_, Sort::Nothing) if equality => {}
            (a, b) if a == b && equality => {}
            (a, b) if a == b => {
                return Err(self.error(at, format!("{a} can only be equal (=) or not (!=)")));
            }
            (wanted, found) => {
                return Err(self.error(right.at, format!("this is {found}, not {wanted}")));
            }
        }
        let expr = Expr::Compare(comparison, Box::new(left.expr), Box::new(right.expr));
        Ok(Part { expr, sort: Sort::Truth, at })
    }

    /// Whether a number is one of a range.
    fn range(&mut self, left: Part) -> Parsed {
        let start = left.at.start;
        let first = self.sum()?;
        self.sign("..")?;
        let last = self.sum()?;
        let at = start..last.at.end;
        let [number, first, last] =
            [left, first, last].map(|part| self.expect(part, Sort::Number).map(Box::new));
        Ok(Part { expr: Expr::Within(number?, first?, last?), sort: Sort::Truth, at })
    }

    /// One of some words, or `none`.
    fn word_of(&mut self, words: &'static [&'static str]) -> Parsed {
        let (token, at) = self.next();
        if token == Token::Word("none") {
            return Ok(Part { expr: Expr::Constant(Value::Nothing), sort: Sort::Nothing, at });
        }
        let place = words.iter().position(|word| token == Token::Word(word));
        match place {
            Some(place) => {
                let expr = Expr::Constant(Value::Word(place));
                Ok(Part { expr, sort: Sort::Words(words), at })
            }
            None => {
                Err(self.error(at, format!("one of {} or none was expected", words.join(", "))))
            }
        }
    }

    fn sum(&mut self) -> Parsed {
        let mut all = self.signed()?;
        loop {
            let minus = match self.peek().0 {
                Token::Sign("+") => false,
                Token::Sign("-") => true,
                _ => return Ok(all),
            };
            self.next();
            let next = self.signed()?;
            let at = all.at.start..next.at.end;
            let left = Box::new(self.expect(all, Sort::Number)?);
            let right = Box::new(self.expect(next, Sort::Number)?);
            let right = if minus { Box::new(Expr::Minus(right)) } else { right };
            all = Part { expr: Expr::Sum(left, right), sort: Sort::Number, at };
        }
    }

    fn signed(&mut self) -> Parsed {
        let (_, Range { start, .. }) = self.peek();
        if !self.takes(Token::Sign("-")) {
            return self.primary();
        }
        let part = self.primary()?;
        let at = start..part.at.end;
        let expr = Expr::Minus(Box::new(self.expect(part, Sort::Number)?));
        Ok(Part { expr, sort: Sort::Number, at })
    }

    fn primary(&mut self) -> Parsed {
        let (token, at) = self.next();
        match token {
            Token::Number(number) => {
                let expr = Expr::Constant(Value::Number(number as f64));
                Ok(Part { expr, sort: Sort::Number, at })
            }
            Token::Sign("(") => {
                let inner = self.nested(Parser::any)?;
                self.sign(")")?;
                Ok(Part { at: at.start..self.at, ..inner })
            }
            Token::Word(word) if self.takes(Token::Sign("(")) => self.call(word, at),
            Token::Word(word) => self.name(word, at),
            _ => Err(self.error(at, "a name, a number or `(` was expected")),
        }
    }

    /// A function of squares, whose bracket is open.
    fn call(&mut self, word: &str, at: Range<usize>) -> Parsed {
        let (expr, sort) = match word {
            "file" => (Expr::File(self.square()?), Sort::Number),
            "rank" => (Expr::Rank(self.square()?), Sort::Number),
            "distance" => {
                let first = self.square()?;
                self.sign(",")?;
                (Expr::Steps(first, self.square()?), Sort::Number)
            }
            "abs" => {
                let number = self.nested(Parser::sum)?;
                (Expr::Magnitude(Box::new(self.expect(number, Sort::Number)?)), Sort::Number)
            }
            "attacked" | "defended" => {
                let (token, at) = self.peek();
                let man = match token {
                    Token::Word(name) => self.man_named(name),
                    _ => None,
                };
                let Some(Man { color, .. }) = man else {
                    return Err(self.error(at, "a man was expected, such as K or white_king"));
                };
                let by = if word == "attacked" { !color } else { color };
                (Expr::Attacked(self.square()?, by), Sort::Truth)
            }
            "count" => {
                let among = self.among()?;
                self.sign(",")?;
                (Expr::Count(among, self.set()?.0), Sort::Number)
            }
            _ => {
                let functions = "file, rank, distance, abs, attacked, defended and count";
                return Err(
                    self.error(at, format!("`{word}` is no function; those are {functions}"))
                );
            }
        };
        self.sign(")")?;
        Ok(Part { expr, sort, at: at.start..self.at })
    }

    fn square(&mut self) -> Result<Box<Expr>, QueryError> {
        let part = self.nested(Parser::primary)?;
        Ok(Box::new(self.expect(part, Sort::Square)?))
    }

    /// A set of squares, and where it ends.
    fn set(&mut self) -> Result<(Bitboard, usize), QueryError> {
        let (text, at) = lexer::set(self.query, self.at);
        let set = squares::parse(text, self.names.size)
            .map_err(|problem| self.error(at.clone(), problem))?;
        self.at = at.end;
        Ok((set, at.end))
    }

    /// Whose men are counted.
    fn among(&mut self) -> Result<Among, QueryError> {
        let (token, at) = self.next();
        let among = match token {
            Token::Word("men") => Some(Among::All),
            Token::Word(word) => {
                let side = Color::ALL.into_iter().find(|color| color.name() == word);
                side.map(Among::Side).or_else(|| self.letter(word).map(Among::Kind))
            }
            _ => None,
        };
        among.ok_or_else(|| self.error(at, "men, white, black or a letter of FEN was expected"))
    }

    /// A name by itself.
    fn name(&mut self, word: &'q str, at: Range<usize>) -> Parsed {
        if let Ok(square) = word.parse::<Square>() {
            let expr = Expr::Constant(Value::Square(square));
            return Ok(Part { expr, sort: Sort::Square, at });
        }
        if word == "none" {
            return Ok(Part { expr: Expr::Constant(Value::Nothing), sort: Sort::Nothing, at });
        }
        if let Some(man) = self.letter(word) {
            return self.one_man(man, at);
        }
        if let Some(place) = self.names.fields.iter().position(|field| field.name == word) {
            return self.column(place, at);
        }
        match Fact::named(word) {
            Some(fact) => {
                let sort = match fact {
                    Fact::Wins | Fact::Draws | Fact::Loses | Fact::Check | Fact::Zugzwang => {
                        Sort::Truth
                    }
                    Fact::Winner => sort_of(SIDES),
                    _ => Sort::Number,
                };
                Ok(Part { expr: Expr::Fact(fact), sort, at })
            }
            None => Err(self.error(at, self.unknown(word))),
        }
    }

    fn unknown(&self, word: &str) -> String {
        let columns = self.names.fields.iter().map(|field| field.name.as_str());
        let facts = Fact::beside(self.names.fields).map(|(name, _)| name);
        let names: Vec<&str> = columns.chain(facts).collect();
        format!("`{word}` is no name here; there are {}", names.join(", "))
    }

    /// The square of a man that is the only one of its kind.
    fn one_man(&self, man: Man, at: Range<usize>) -> Parsed {
        let name = format!("{}_{}", man.color.name(), man.role.name());
        match self.names.fields.iter().position(|field| field.name == name) {
            Some(place) => Ok(Part { expr: Expr::Column(place), sort: Sort::Square, at }),
            None => Err(self.error(
                at,
                match self.names.material.count(man.color, man.role) {
                    0 => format!("{} has no such man on the board", man.color),
                    many => format!(
                        "{} has {many} of these: write {name}_1, or count them with count(…, …)",
                        man.color
                    ),
                },
            )),
        }
    }

    /// The man of a letter of FEN, of those of the table if it has one.
    fn letter(&self, word: &str) -> Option<Man> {
        let mut letters = word.chars();
        let letter = letters.next().filter(|_| letters.next().is_none())?;
        let mut roles = Color::ALL.into_iter().flat_map(|color| self.names.material.roles(color));
        let upper = letter.to_ascii_uppercase();
        let role = roles.find(|role| role.letter() == upper).or_else(|| Role::from_letter(upper));
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Man::new(color, role?))
    }

    /// The kind of man that a name is of.
    fn man_named(&self, name: &str) -> Option<Man> {
        self.letter(name).or_else(|| {
            let is_it = |man: &Man| {
                let whole = format!("{}_{}", man.color.name(), man.role.name());
                let number = name.strip_prefix(&whole);
                number.is_some_and(|number| number.is_empty() || number.starts_with('_'))
            };
            self.names.material.men().into_iter().find(is_it)
        })
    }

    fn column(&mut self, place: usize, at: Range<usize>) -> Parsed {
        let field = &self.names.fields[place];
        match field.kind {
            Kind::Text => Err(self.error(at, "a query cannot ask for texts")),
            Kind::List(length) => {
                self.sign("[")?;
                let (token, number_at) = self.next();
                let Token::Number(entry @ 1..) = token else {
                    return Err(
                        self.error(number_at, format!("a number from 1 to {length} was expected"))
                    );
                };
                if entry > length as i64 {
                    return Err(self.error(number_at, format!("there are {length} of these")));
                }
                self.sign("]")?;
                let expr = Expr::Entry(place, entry as usize - 1);
                Ok(Part { expr, sort: Sort::Number, at: at.start..self.at })
            }
            kind => Ok(Part { expr: Expr::Column(place), sort: sort_of(kind), at }),
        }
    }
}

fn sort_of(kind: Kind) -> Sort {
    match kind {
        Kind::Square => Sort::Square,
        Kind::Words(words) => Sort::Words(words),
        _ => Sort::Number,
    }
}
