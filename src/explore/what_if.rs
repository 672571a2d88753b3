//! What a position would be with one man elsewhere.

use serde_json::{Map, Value};

use super::{object::Object, refusal::Refusal};
use crate::{
    board::{BoardSize, Color, Square},
    study::object,
};

/// A JSON object, or why there is none.
type Answer = Result<Object, Refusal>;

/// For either side to move, what `answer` says of the position of a FEN with the man of `square`
/// on each square that is free.
///
/// # Errors
/// If no man stands on the square, or what `answer` fails with.
pub fn answers(
    game: &'static str,
    fen: &str,
    square: &str,
    answer: &dyn Fn(&str) -> Answer,
) -> Answer {
    let from: Square = square
        .parse()
        .map_err(|_| Refusal::Wrong(format!("`{square}` is no square; write a1 to h8")))?;
    let Some(men) = Men::read(fen) else {
        return Err(Refusal::Wrong(format!("{fen} has no placement to change")));
    };
    let Some(man) = men.squares[from.number()] else {
        return Err(Refusal::Wrong(format!("no man stands on {from} in {fen}")));
    };
    let mut object = object([
        ("fen", fen.into()),
        ("game", game.into()),
        ("square", from.to_string().into()),
        ("man", man.to_string().into()),
    ]);
    let mut awaited = false;
    for side in Color::ALL {
        let mut answers = Map::new();
        let free = |&to: &Square| to == from || men.squares[to.number()].is_none();
        for to in men.size.squares().filter(free) {
            match answer(&men.moved(from, to).write(side)) {
                Ok(answer) => {
                    answers.insert(to.to_string(), Value::Object(answer));
                }
                // The others say what they want, too.
                Err(Refusal::Awaited) => awaited = true,
                Err(refusal) => return Err(refusal),
            }
        }
        object.insert(side.name().to_owned(), Value::Object(answers));
    }
    if awaited { Err(Refusal::Awaited) } else { Ok(object) }
}

/// A FEN in parts: every game has the same first fields.
#[derive(Clone, Debug)]
struct Men<'f> {
    size: BoardSize,
    squares: [Option<char>; 64],
    /// What stands in brackets behind the placement, brackets included.
    reserve: &'f str,
    /// The fields after castling and en passant.
    rest: String,
}

impl<'f> Men<'f> {
    /// The parts of a canonical FEN.
    fn read(fen: &'f str) -> Option<Men<'f>> {
        let mut fields = fen.split(' ');
        let placement = fields.next()?;
        let reserve = &placement[placement.find('[').unwrap_or(placement.len())..];
        let placement = &placement[..placement.len() - reserve.len()];
        let size = BoardSize::of_placement(placement)?;
        let mut squares = [None; 64];
        for (rank, row) in (0..size.ranks()).rev().zip(placement.split('/')) {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(free) => file += free as usize,
                    None => {
                        *squares.get_mut(8 * usize::from(rank) + file)? = Some(letter);
                        file += 1;
                    }
                }
            }
        }
        let rest = fields.skip(3).collect::<Vec<_>>().join(" ");
        Some(Men { size, squares, reserve, rest })
    }

    fn moved(&self, from: Square, to: Square) -> Men<'f> {
        let mut moved = self.clone();
        moved.squares[to.number()] = moved.squares[from.number()].take();
        moved
    }

    /// The FEN with a side to move. Where a man may have come from anywhere nobody castles and
    /// nothing is taken in passing.
    fn write(&self, side: Color) -> String {
        let (files, ranks) = (self.size.files().into(), self.size.ranks().into());
        let rows = self.squares.chunks(8).take(ranks).map(|row| &row[..files]).rev().map(|row| {
            let mut text = String::new();
            let mut free = 0;
            for square in row.iter().copied().chain([Some('/')]) {
                match square {
                    None => free += 1,
                    Some(letter) => {
                        if free > 0 {
                            text += &free.to_string();
                        }
                        free = 0;
                        text.push(letter);
                    }
                }
            }
            text
        });
        let placement: String = rows.collect();
        let placement = placement.trim_end_matches('/');
        let side = if side == Color::White { "w" } else { "b" };
        format!("{placement}{} {side} - - {}", self.reserve, self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_comes_back_with_one_man_moved() {
        let fen = "8/8/8/3k4/8/8/1BN5/K6p[Rq] w - - 50+40 3 17";
        let men = Men::read(fen).expect("a FEN");
        assert_eq!(men.write(Color::White), fen);
        let moved = men.moved(Square::at(0, 0), Square::at(7, 7));
        assert_eq!(moved.write(Color::Black), "7K/8/8/3k4/8/8/1BN5/7p[Rq] b - - 50+40 3 17");
        let small = Men::read("4k/5/K4 w - - 0 1").expect("a FEN");
        let moved = small.moved(Square::at(0, 0), Square::at(1, 1));
        assert_eq!(moved.write(Color::White), "4k/1K3/5 w - - 0 1");
    }
}
