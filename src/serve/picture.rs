//! The board of a position as a picture of pixels, for those who show previews of links: they read
//! no SVG.

use zeno::{Cap, Join, Mask, Stroke, Transform};

use crate::{
    board::{Board, Color},
    study::{MAN_MARGIN, MAN_SCALE, man_paths, place, shade},
};

/// Pixels along a square.
const SQUARE: u16 = 75;

/// Red, green and blue of every pixel, row by row.
struct Pixels {
    width: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    /// Lays a colour over pixels in rows of `wide` from a corner on, as far as a mask lets it
    /// through: 0 not at all, 255 wholly. What is outside is left out.
    fn paint(&mut self, corner: (i32, i32), wide: usize, mask: &[u8], color: u32) {
        let [_, rgb @ ..] = color.to_be_bytes();
        let at = |from: i32, by: usize| usize::try_from(i64::from(from) + by as i64).ok();
        for (y, row) in mask.chunks(wide.max(1)).enumerate() {
            for (x, &alpha) in row.iter().enumerate().filter(|(_, alpha)| **alpha > 0) {
                let (Some(x), Some(y)) = (at(corner.0, x), at(corner.1, y)) else { continue };
                let start = 3 * (y * self.width + x);
                let pixel = self.bytes.get_mut(start..start + 3).filter(|_| x < self.width);
                for (old, new) in pixel.into_iter().flatten().zip(rgb) {
                    let (alpha, rest) = (u16::from(alpha), u16::from(255 - alpha));
                    *old = ((u16::from(*old) * rest + u16::from(new) * alpha + 127) / 255) as u8;
                }
            }
        }
    }
}

/// The men on a board as a PNG, seen by a side; `None` if one of them stands as its letter, for
/// there is nothing to write with.
pub fn board_png(board: &Board, seen_by: Color) -> Option<Vec<u8>> {
    let size = board.size();
    let [width, height] = [size.files(), size.ranks()].map(|count| SQUARE * u16::from(count));
    let (wide, high) = (usize::from(width), usize::from(height));
    let mut pixels = Pixels { width: wide, bytes: vec![0; 3 * wide * high] };
    let whole = vec![255; usize::from(SQUARE).pow(2)];
    let scale = f32::from(SQUARE) / 100.0;
    for square in size.squares() {
        let (left, above) = place(board, square, seen_by);
        let [x, y] = [left, above].map(|count| SQUARE * u16::from(count));
        let corner = (i32::from(x), i32::from(y));
        pixels.paint(corner, SQUARE.into(), &whole, shade(square));
        let Some(man) = board.get(square) else { continue };
        let margin = scale * f32::from(MAN_MARGIN);
        let there = Transform::scale(scale * MAN_SCALE, scale * MAN_SCALE)
            .then_translate(f32::from(x) + margin, f32::from(y) + margin);
        for painted in man_paths(man)? {
            let mut paint = |mask: &mut Mask<'_, '_, &str>, color| {
                let (alpha, placed) = mask.transform(Some(there)).render();
                pixels.paint((placed.left, placed.top), placed.width as usize, &alpha, color);
            };
            if let Some(fill) = painted.fill {
                paint(&mut Mask::new(painted.path), fill);
            }
            let mut stroke = Stroke::new(painted.width);
            stroke.join(Join::Round).cap(Cap::Round);
            paint(Mask::new(painted.path).style(stroke), painted.stroke);
        }
    }
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width.into(), height.into());
    encoder.set_color(png::ColorType::Rgb);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&pixels.bytes)?;
        writer.finish()
    });
    written.ok().map(|()| png)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BoardSize, RoleSet};

    /// Width, height and pixels of a picture.
    fn read(placement: &str, size: BoardSize, seen_by: Color) -> Option<(u32, u32, Vec<u8>)> {
        let board = Board::from_placement(placement, RoleSet::ORTHODOX, size).expect("a board");
        let bytes = board_png(&board, seen_by)?;
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it is small")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        Some((info.width, info.height, pixels))
    }

    #[test]
    fn a_board_is_drawn_with_its_men_where_they_stand() {
        let (width, height, pixels) =
            read("8/8/8/8/8/8/8/K7", BoardSize::CHESS, Color::White).expect("a picture");
        assert_eq!((width, height), (600, 600));
        let at = |x: usize, y: usize| &pixels[3 * (600 * y + x)..][..3];
        assert_eq!(at(1, 599), [0xa9, 0xb5, 0xa5], "a1 is dark");
        assert_eq!(at(1, 1), [0xec, 0xe4, 0xd3], "a8 is light");
        // The plinth of the king.
        assert_eq!(at(37, 525 + 66), [0xff, 0xfd, 0xf7]);
        let (_, _, turned) =
            read("8/8/8/8/8/8/8/K7", BoardSize::CHESS, Color::Black).expect("a picture");
        assert_eq!(turned[3 * (600 * 66 + 525 + 37)..][..3], [0xff, 0xfd, 0xf7]);
    }

    #[test]
    fn a_small_board_makes_a_small_picture() {
        let size = BoardSize::new(5, 4).expect("a size");
        let drawn = read("qrbnp/5/5/QRBNP", size, Color::White);
        assert_eq!(drawn.map(|(width, height, _)| (width, height)), Some((375, 300)));
    }
}
