//! Everything that runs the program and looks at what it does. `cargo test --test program cli::`
//! runs the tests of one file.

#[path = "../common/room.rs"]
mod room;
#[path = "../common/seal.rs"]
mod seal;
#[path = "../common/shipped.rs"]
mod shipped;

mod cli;
mod find;
mod force;
mod json;
mod manners;
mod pages;
mod records;
mod serve;
mod site;
mod stories;
mod uci;
mod variants;
