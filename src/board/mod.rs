//! Squares, sets of squares, men, how they move, and placements.
//!
//! This room knows how men stand and how they attack on boards of up to 8×8 squares, and nothing of
//! any game: no turns, no checks, no outcomes.

mod attacks;
mod betza;
mod bitboard;
mod by_color;
mod men;
mod movement;
mod placement;
mod size;
mod square;
mod symmetry;
mod ways;

pub use attacks::{between, king_attacks, knight_attacks, pawn_attacks};
pub use betza::{BetzaError, Limits};
pub use bitboard::Bitboard;
pub use by_color::ByColor;
pub use men::{Color, Man, Role, RoleSet};
pub use movement::{Movement, Movements};
pub use placement::{Board, PlacementError};
pub use size::BoardSize;
pub use square::{ParseSquareError, Square};
pub use symmetry::{Group, Symmetry};
pub use ways::Betza;
