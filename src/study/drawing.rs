//! The board as a picture, in the style of the explorer.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use crate::board::{Board, Color, Man, Square};

/// Outlines of a man in a square of 100.
#[derive(Deserialize)]
struct Shape {
    /// What is filled.
    fill: Vec<String>,
    /// Strokes with an outline.
    bars: Vec<String>,
    /// Strokes alone.
    lines: Vec<String>,
}

/// Those of the explorer, by the letters of roles. A test reads them.
static SHAPES: LazyLock<BTreeMap<char, Shape>> = LazyLock::new(|| {
    let module = include_str!("../serve/page/shapes.js");
    let object = module.find('{').and_then(|start| module[start..].trim_end().strip_suffix(';'));
    object.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
});

/// What a man is drawn with, by day: what fills it, its outline, the lines within, and how wide
/// those are. Colours are red, green and blue, a byte each.
struct Ink {
    body: u32,
    outline: u32,
    bar: u32,
    line: (u32, f32),
}

fn ink(color: Color) -> Ink {
    match color {
        Color::White => {
            Ink { body: 0xfffdf7, outline: 0x1f1e1c, bar: 0xfffdf7, line: (0x1f1e1c, 3.6) }
        }
        Color::Black => {
            Ink { body: 0x37393e, outline: 0x0e0e10, bar: 0x585b62, line: (0xd9d5cb, 3.0) }
        }
    }
}

/// A path to paint, in the notation of SVG and in a square of 100. Colours are red, green and blue,
/// a byte each.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Painted {
    /// The path.
    pub path: &'static str,
    /// What fills it, if anything does.
    pub fill: Option<u32>,
    /// What its outline is drawn with, with round ends and corners.
    pub stroke: u32,
    /// How wide that is.
    pub width: f32,
}

/// How many times as large as its square a man is drawn, in the middle of it: outlines leave room
/// around them.
pub const MAN_SCALE: f32 = 1.06;

/// How far a man so drawn begins from the corner of its square of 100, to the right and below.
pub const MAN_MARGIN: i16 = -3;

/// What paints a man, the lowest first; `None` for a man that stands as its letter.
pub fn man_paths(man: Man) -> Option<Vec<Painted>> {
    let Ink { body, outline, bar, line: (line, line_width) } = ink(man.color);
    let shape = SHAPES.get(&man.role.letter())?;
    let layers = [
        (&shape.bars, None, outline, 9.0),
        (&shape.bars, None, bar, 3.0),
        (&shape.fill, Some(body), outline, 3.6),
        (&shape.lines, None, line, line_width),
    ];
    let painted = layers.into_iter().flat_map(|(paths, fill, stroke, width)| {
        paths.iter().map(move |path| Painted { path, fill, stroke, width })
    });
    Some(painted.collect())
}

/// The colour of a square: red, green and blue, a byte each.
pub fn shade(square: Square) -> u32 {
    let is_dark = (square.file() + square.rank()).is_multiple_of(2);
    if is_dark { 0xa9b5a5 } else { 0xece4d3 }
}

/// Where a square is seen: how many are to the left of it and above it.
pub fn place(board: &Board, square: Square, seen_by: Color) -> (u8, u8) {
    let (last_file, last_rank) = (board.size().files() - 1, board.size().ranks() - 1);
    match seen_by {
        Color::White => (square.file(), last_rank - square.rank()),
        Color::Black => (last_file - square.file(), square.rank()),
    }
}

/// The men on a board as an SVG of 50 by 50 for each square, scalable, with the names of ranks and
/// files; seen by this side.
pub fn board_svg(board: &Board, seen_by: Color) -> String {
    let size = board.size();
    let (files, ranks) = (u32::from(size.files()), u32::from(size.ranks()));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" \
         height=\"{}\" font-family=\"system-ui, sans-serif\" font-size=\"17\" font-weight=\"600\">",
        100 * files,
        100 * ranks,
        50 * files,
        50 * ranks,
    );
    size.squares().for_each(|square| svg += &drawn_square(board, square, seen_by));
    svg + "</svg>"
}

/// A square with what stands on it.
fn drawn_square(board: &Board, square: Square, seen_by: Color) -> String {
    let (file, rank) = place(board, square, seen_by);
    let (x, y) = (i32::from(file) * 100, i32::from(rank) * 100);
    let shade = shade(square);
    let mut svg =
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" fill=\"#{shade:06x}\"/>");
    let text =
        |x, y, text: &str| format!("<text x=\"{x}\" y=\"{y}\" fill=\"#363c33\">{text}</text>");
    let name = square.to_string();
    let (file_name, rank_name) = name.split_at(1);
    if file == 0 {
        svg += &text(x + 6, y + 19, rank_name);
    }
    if rank == board.size().ranks() - 1 {
        svg += &text(x + 84, y + 93, file_name);
    }
    svg + &board.get(square).map_or_else(String::new, |man| drawn_man(man, x, y))
}

/// A man in a square whose corner is here.
fn drawn_man(man: Man, x: i32, y: i32) -> String {
    let (x, y) = (x + i32::from(MAN_MARGIN), y + i32::from(MAN_MARGIN));
    let Some(painted) = man_paths(man) else {
        let Ink { body, outline, line: (line, _), .. } = ink(man.color);
        return format!(
            "<g transform=\"translate({x} {y}) scale({MAN_SCALE})\"><title>{} {}</title><circle cx=\"50\" cy=\"50\" \
             r=\"38\" fill=\"#{body:06x}\" stroke=\"#{outline:06x}\" stroke-width=\"3.6\"/><text x=\"50\" \
             y=\"67\" text-anchor=\"middle\" font-size=\"50\" fill=\"#{line:06x}\">{}</text></g>",
            man.color.name(),
            man.role.name(),
            man.role.letter(),
        );
    };
    let paths = painted.into_iter().map(|Painted { path, fill, stroke, width }| {
        let fill = fill.map_or_else(|| "none".to_owned(), |fill| format!("#{fill:06x}"));
        format!(
            "<path d=\"{path}\" fill=\"{fill}\" stroke=\"#{stroke:06x}\" stroke-width=\"{width}\"/>"
        )
    });
    format!(
        "<g transform=\"translate({x} {y}) scale({MAN_SCALE})\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\"><title>{} {}</title>{}</g>",
        man.color.name(),
        man.role.name(),
        paths.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BoardSize, Role, RoleSet};

    #[test]
    fn every_man_has_a_picture() {
        for role in Role::ALL {
            let svg = drawn_man(Man::new(Color::Black, role), 0, 0);
            let letter = format!(">{}</text>", role.letter());
            assert!(svg.contains("<path d=\"M") || svg.contains(&letter), "{role:?}");
        }
    }

    #[test]
    fn who_looks_sees_its_own_first_rank_below() {
        let read = |text, size| Board::from_placement(text, RoleSet::ORTHODOX, size).unwrap();
        let board = read("8/8/8/8/8/8/8/K7", BoardSize::CHESS);
        let white = board_svg(&board, Color::White);
        assert!(white.contains("translate(-3 697)"), "{white}");
        let black = board_svg(&board, Color::Black);
        assert!(black.contains("translate(697 -3)"), "{black}");
        assert_eq!(white.matches("<rect").count(), 64);
        let small = read("5/5/5/K4", BoardSize::new(5, 4).unwrap());
        let svg = board_svg(&small, Color::Black);
        assert!(
            svg.contains("viewBox=\"0 0 500 400\"") && svg.contains("translate(397 -3)"),
            "{svg}"
        );
        assert_eq!(svg.matches("<rect").count(), 20);
    }
}
