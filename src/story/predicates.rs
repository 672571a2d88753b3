//! What exceptions may have in common: simple conditions of the men, in the language of `find`.
//!
//! None tells squares apart that symmetries make equal.

use super::words::{Mover, Named};
use crate::{
    board::{BoardSize, Color, Role},
    find::Query,
    index::Material,
    study::Study,
};

/// A condition as queries and as sentences have it.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// In the language of [`find`](crate::find).
    pub query: String,
    /// Behind `have`: `the Rook attacked`.
    pub words: String,
}

/// All that can be asked of the positions of a material with this side to move, the most telling
/// first.
pub fn predicates<G: Study>(game: &G, named: &Material, mover: Mover) -> Vec<Predicate> {
    let size = game.board(&game.initial()).size();
    let men = Named::all(named);
    let mut all = Vec::new();
    let mut add = |query: String, words: String| all.push(Predicate { query, words });
    add(
        "turns = 0 and not check".to_owned(),
        format!("{} without a turn and not in check", mover.name()),
    );
    for one in men.iter().filter(|one| one.man.role != Role::King) {
        let words = &one.words;
        add(
            one.any("attacked({}) and not defended({})"),
            format!("{words} attacked and not defended"),
        );
        add(one.any("attacked({})"), format!("{words} attacked"));
    }
    add("check".to_owned(), format!("{} in check", mover.name()));
    add("captures > 0".to_owned(), "a capture at once".to_owned());
    for (pawn, other) in pairs(&men, |a, b| a.role == Role::Pawn && b.role == Role::King) {
        own_pawn(pawn, other, size, &men, &mut add);
    }
    for (a, b) in pairs(&men, |a, b| {
        a.color != b.color
            && b.role == Role::King
            && (a.role != Role::King || a.color == Color::White)
    }) {
        let next = |query: &str| b.any(&a.any(&query.replace("{b}", "<>")).replace("<>", "{}"));
        add(next("distance({}, {b}) = 1"), format!("{} next to {}", a.words, b.words));
        if a.man.role == Role::King {
            let words = format!("{} two squares from {}", a.words, b.words);
            add(next("distance({}, {b}) = 2"), words);
        }
    }
    if let Some(corner) = bishops_corner(named, &men, size) {
        all.push(corner);
    }
    let mut add = |query: String, words: String| all.push(Predicate { query, words });
    for one in men.iter().filter(|one| one.man.role != Role::Pawn) {
        add(one.any("{} on corner"), format!("{} in a corner", one.words));
        add(one.any("{} on edge"), format!("{} on the edge", one.words));
        add(one.any("{} on center"), format!("{} in the centre", one.words));
    }
    for side in Color::ALL {
        add(format!("checks_left_{} = 1", side.name()), format!("{side} one check from winning"));
    }
    all.retain(|one| Query::condition(game, named, &one.query).is_ok());
    all
}

/// What can be asked of a pawn, and of a King of the other side.
fn own_pawn(
    pawn: &Named,
    king: &Named,
    size: BoardSize,
    men: &[Named],
    add: &mut dyn FnMut(String, String),
) {
    let (files, ranks) = (size.files(), size.ranks());
    let words = &pawn.words;
    let last = match pawn.man.color {
        Color::White => ranks - 1,
        Color::Black => 2,
    };
    let edge = format!("(file({{}}) = 1 or file({{}}) = {files})");
    let last_file = char::from(b'a' + files - 1);
    if pawn.man.color == king.man.color {
        return;
    }
    add(pawn.any(&edge), format!("{words} on the a- or {last_file}-file"));
    add(pawn.any(&format!("rank({{}}) = {last}")), format!("{words} one step from promotion"));
    let [king_name] = &king.names[..] else { return };
    let ahead = if pawn.man.color == Color::White { ">" } else { "<" };
    add(
        pawn.any(&format!(
            "file({{}}) = file({king_name}) and rank({king_name}) {ahead} rank({{}})"
        )),
        format!("{} before {words} on its file", king.words),
    );
    let own = men.iter().find(|one| one.man.role == Role::King && one.man.color == pawn.man.color);
    if let Some([own_name]) = own.map(|own| &own.names[..]) {
        let query = format!("distance({king_name}, {{}}) < distance({own_name}, {{}})");
        add(pawn.any(&query), format!("{} nearer to {words} than the other King", king.words));
    }
}

/// Pairs of kinds of men.
fn pairs<'m>(
    men: &'m [Named],
    is_such: impl Fn(crate::board::Man, crate::board::Man) -> bool + 'm,
) -> Vec<(&'m Named, &'m Named)> {
    let all = men.iter().flat_map(|a| men.iter().map(move |b| (a, b)));
    all.filter(|(a, b)| is_such(a.man, b.man)).collect()
}

/// A bare King in a corner of the colour of the other side's only Bishop.
fn bishops_corner(named: &Material, men: &[Named], size: BoardSize) -> Option<Predicate> {
    let bishop = men.iter().find(|one| one.man.role == Role::Bishop && one.names.len() == 1)?;
    let king =
        men.iter().find(|one| one.man.role == Role::King && one.man.color != bishop.man.color)?;
    if named.men_of(king.man.color) != 1 {
        return None;
    }
    let corners = [
        (0, 0),
        (size.files() - 1, 0),
        (0, size.ranks() - 1),
        (size.files() - 1, size.ranks() - 1),
    ];
    let of_color = |dark: bool| {
        let squares = corners.iter().map(|&(file, rank)| crate::board::Square::at(file, rank));
        let names =
            squares.filter(|square| square.is_dark() == dark).map(|square| square.to_string());
        format!("[{}]", names.collect::<Vec<_>>().join(","))
    };
    let (king_name, bishop_name) = (&king.names[0], &bishop.names[0]);
    let query = format!(
        "({bishop_name} on dark and {king_name} on {} or {bishop_name} on light and {king_name} on {})",
        of_color(true),
        of_color(false)
    );
    let words = format!("{} in a corner of {}'s colour", king.words, bishop.words);
    Some(Predicate { query, words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn what_can_be_asked_depends_on_the_men() {
        let game = Variant::orthodox();
        let ask = |material: &str| {
            let material = material.parse().expect("a material");
            predicates(&game, &material, Mover::Side(Color::Black))
        };
        let rook = ask("KRvK");
        let has = |all: &[Predicate], words: &str| all.iter().any(|one| one.words == words);
        assert!(has(&rook, "the Rook attacked and not defended"));
        assert!(has(&rook, "the Rook next to Black's King"));
        assert!(!has(&rook, "White one check from winning"), "only where checks are counted");
        let bishop = ask("KBNvK");
        let corner = bishop.iter().find(|one| one.words.contains("colour")).expect("one Bishop");
        assert_eq!(corner.query, "(B on dark and k on [a1,h8] or B on light and k on [h1,a8])");
        let pawn = ask("KPvKP");
        assert!(has(&pawn, "Black's King nearer to White's Pawn than the other King"));
        assert!(has(&pawn, "Black's Pawn on the a- or h-file"));
        // More than a bit each has no room.
        assert!(ask("KQRBNPvK").len() < 64);
    }
}
