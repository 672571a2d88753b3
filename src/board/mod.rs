//! Squares, sets of squares, attacks, men and placements.
//!
//! This room knows how men stand and how they attack on an 8×8 board, and nothing of any game:
//! no turns, no checks, no outcomes.

mod attacks;
mod bitboard;
mod by_color;
mod men;
mod placement;
mod square;
mod symmetry;

pub use attacks::{attackers_from, attacks, between, king_attacks, knight_attacks, pawn_attacks};
pub use bitboard::Bitboard;
pub use by_color::ByColor;
pub use men::{Color, Man, Role, RoleSet};
pub use placement::{Board, PlacementError};
pub use square::{ParseSquareError, Square};
pub use symmetry::{Group, Symmetry};
