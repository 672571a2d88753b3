//! What the targets share with the tests: what must hold, and how every game is asked.

#[path = "../../tests/common/games.rs"]
pub mod games;
#[path = "../../tests/common/sound.rs"]
pub mod sound;
