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
/// those are.
struct Ink {
    body: &'static str,
    outline: &'static str,
    bar: &'static str,
    line: (&'static str, &'static str),
}

fn ink(color: Color) -> Ink {
    match color {
        Color::White => {
            Ink { body: "#fffdf7", outline: "#1f1e1c", bar: "#fffdf7", line: ("#1f1e1c", "3.6") }
        }
        Color::Black => {
            Ink { body: "#37393e", outline: "#0e0e10", bar: "#585b62", line: ("#d9d5cb", "3") }
        }
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
    let (last_file, last_rank) = (board.size().files() - 1, board.size().ranks() - 1);
    let (file, rank) = match seen_by {
        Color::White => (square.file(), last_rank - square.rank()),
        Color::Black => (last_file - square.file(), square.rank()),
    };
    let (x, y) = (u32::from(file) * 100, u32::from(rank) * 100);
    let is_dark = (square.file() + square.rank()).is_multiple_of(2);
    let shade = if is_dark { "#a9b5a5" } else { "#ece4d3" };
    let mut svg =
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" fill=\"{shade}\"/>");
    let text =
        |x, y, text: &str| format!("<text x=\"{x}\" y=\"{y}\" fill=\"#363c33\">{text}</text>");
    let name = square.to_string();
    let (file_name, rank_name) = name.split_at(1);
    if file == 0 {
        svg += &text(x + 6, y + 19, rank_name);
    }
    if rank == last_rank {
        svg += &text(x + 84, y + 93, file_name);
    }
    svg + &board.get(square).map_or_else(String::new, |man| drawn_man(man, x + 4, y + 4))
}

/// A man in a square whose corner is here.
fn drawn_man(man: Man, x: u32, y: u32) -> String {
    let Ink { body, outline, bar, line: (line, width) } = ink(man.color);
    let letter = man.role.letter();
    let Some(shape) = SHAPES.get(&letter) else {
        return format!(
            "<g transform=\"translate({x} {y})\"><title>{} {}</title><circle cx=\"46\" cy=\"46\" \
             r=\"36\" fill=\"{body}\" stroke=\"{outline}\" stroke-width=\"3.6\"/><text x=\"46\" \
             y=\"62\" text-anchor=\"middle\" style=\"font-size:46px\" fill=\"{line}\">{letter}</text></g>",
            man.color.name(),
            man.role.name(),
        );
    };
    let layers = [
        (&shape.bars, "none", outline, "9"),
        (&shape.bars, "none", bar, "3"),
        (&shape.fill, body, outline, "3.6"),
        (&shape.lines, "none", line, width),
    ];
    let paths = layers.into_iter().flat_map(|(paths, fill, stroke, width)| {
        paths.iter().map(move |path| {
            format!(
                "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>"
            )
        })
    });
    format!(
        "<g transform=\"translate({x} {y}) scale(.92)\" stroke-linejoin=\"round\" \
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
        assert!(white.contains("translate(4 704)"), "{white}");
        let black = board_svg(&board, Color::Black);
        assert!(black.contains("translate(704 4)"), "{black}");
        assert_eq!(white.matches("<rect").count(), 64);
        let small = read("5/5/5/K4", BoardSize::new(5, 4).unwrap());
        let svg = board_svg(&small, Color::Black);
        assert!(
            svg.contains("viewBox=\"0 0 500 400\"") && svg.contains("translate(404 4)"),
            "{svg}"
        );
        assert_eq!(svg.matches("<rect").count(), 20);
    }
}
