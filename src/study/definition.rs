//! The rules of an ordinary variant in words, as the program has understood them.

use super::pgn::wrap;
use crate::{
    board::{Bitboard, BoardSize, ByColor, Color, Role, RoleSet},
    rules::{Definition, Extinction, Goal, Laws, Passing, Scarce, Wdl},
};

/// The rules in short, the FEN with an example, and the notation; text of at most 80 columns.
pub(super) fn primer(game: &Definition) -> String {
    let rules = wrap(&rules(game).join(" "), 80);
    let example = "8/8/2k5/8/8/8/8/K6R w - - 0 1";
    let example = game.write_fen(&game.read_fen(example).unwrap_or_else(|_| game.start.clone()));
    let most = game.winning_checks;
    let [checks, all_left] = match most {
        0 => [String::new(), String::new()],
        most => [" <checks left>".to_owned(), format!(" {most}+{most}")],
    };
    let fields = include_str!("primers/variant.txt").replace("{example}", &example);
    let fields = fields.replace("{checks}", &checks).replace("{all left}", &all_left);
    format!("{}\n\n{rules}\n\n{fields}", game.title)
}

/// The rules in sentences.
fn rules(game: &Definition) -> Vec<String> {
    let mut all = Vec::new();
    if game.laws.size != BoardSize::CHESS {
        all.push(format!("The board has {} squares (files × ranks).", game.laws.size));
    }
    all.push(how_men_move(game));
    all.extend(Color::ALL.into_iter().filter_map(|color| kept_men(game, color)));
    all.extend(pawns(game));
    all.extend(promoting_pieces(game));
    all.extend(promotion_limits(game));
    all.extend(without_pawns(game));
    let Laws { checks, explosive, blast_immune, mutually_immune, flying, must_capture, .. } =
        game.laws;
    let royal = game.laws.has_royal();
    all.extend(royal_men(game));
    all.extend(game.laws.scarce.map(|scarce| scarce_men(game, scarce)));
    if explosive {
        let king = match royal {
            true => "; nobody may blow up the own King, and whoever has lost it has lost",
            false => "",
        };
        all.push(format!(
            "A capture removes also the man that captures and every man but pawns on the squares \
             around it{king}."
        ));
    }
    if !blast_immune.is_empty() {
        all.push(format!(
            "Explosions spare {}, beside them and when they capture.",
            listed(several_names(game, blast_immune), "and")
        ));
    }
    if !mutually_immune.is_empty() {
        let men = listed(several_names(game, mutually_immune), "and");
        all.push(format!("No men of a kind capture each other: {men}."));
    }
    if flying {
        all.push(
            "Kings may not face each other along a rank or file with nobody between.".to_owned(),
        );
    }
    if !checks {
        all.push("Nobody may give check.".to_owned());
    }
    match game.winning_checks {
        0 => {}
        1 => all.push("Whoever gives check has won.".to_owned()),
        most => all.push(format!("Whoever has given {most} checks has won.")),
    }
    if must_capture {
        all.push("Whoever can capture must.".to_owned());
    }
    all.extend(passing(game));
    all.extend(goal(game));
    all.extend(game.extinction.as_ref().map(|extinction| extinct(game, extinction)));
    if royal && !checks {
        // Nobody can be mated.
        let mut sentence = stalemate(game);
        sentence[..1].make_ascii_uppercase();
        all.push(sentence + ".");
    } else if royal {
        let mated = if game.mated_wins {
            "Checkmate wins for the side that is mated"
        } else {
            "Checkmate wins"
        };
        all.push(format!("{mated}, {}.", stalemate(game)));
    } else if !both_pass(game) {
        let no_turn = match game.stalemate {
            Wdl::Win => "Whoever has no turn has won",
            Wdl::Draw => "A side to move without a turn is a draw",
            Wdl::Loss => "Whoever has no turn has lost",
        };
        all.push(format!("{no_turn}{}.", by_count(game)));
    }
    all.push(
        "Endless play is a draw: repetition, counts of moves and lack of material do not end a game."
            .to_owned(),
    );
    all
}

/// Whether nobody is ever stalemated.
fn both_pass(game: &Definition) -> bool {
    Color::ALL.into_iter().all(|color| game.laws.passing[color] != Passing::Never)
}

/// Who may pass.
fn passing(game: &Definition) -> Option<String> {
    let check = if game.laws.has_royal() { " unless it is in check" } else { "" };
    let when = |passing| match passing {
        Passing::Never => None,
        Passing::WhenStuck => Some(format!("passes when it has no turn{check}")),
        Passing::AtWill => Some(format!("may pass{check}")),
    };
    let ByColor { white, black } = game.laws.passing;
    if white == black {
        return when(white).map(|when| format!("A side {when}."));
    }
    let of = |color: Color| when(game.laws.passing[color]).map(|when| format!("{color} {when}."));
    let sentences: Vec<String> = Color::ALL.into_iter().filter_map(of).collect();
    Some(sentences.join(" "))
}

fn stalemate(game: &Definition) -> String {
    if both_pass(game) {
        return "there is no stalemate".to_owned();
    }
    let value = match game.stalemate {
        Wdl::Win => "stalemate wins for the side that has no turn",
        Wdl::Draw => "stalemate is a draw",
        Wdl::Loss => "stalemate loses for the side that has no turn",
    };
    value.to_owned() + by_count(game)
}

/// What goes on from what a stalemate is worth where men are counted.
fn by_count(game: &Definition) -> &'static str {
    match game.stalemate_counts {
        true => " if it has fewer men; with more it is the other way round, with as many a draw",
        false => "",
    }
}

/// From where men make first moves, in words, if some do.
fn home(game: &Definition) -> Option<String> {
    game.has_initial_moves().then(|| {
        let ByColor { white, black } =
            game.laws.double_steps.map(|home| squares_or_nowhere(game, home));
        format!("; `i` is for moves from {white} (White) or {black} (Black)")
    })
}

fn how_men_move(game: &Definition) -> String {
    let unusual = game.unusual_men().map(|(role, movement)| match movement.notation() {
        Some("") | None => format!("{} stands still", role.letter()),
        Some(notation) => format!("{} moves as {notation}", role.letter()),
    });
    let unusual: Vec<String> = unusual.collect();
    let names = || listed(game.men.iter().map(|role| game.title_of(role)), "and");
    let men = if !unusual.is_empty() {
        let others = match unusual.len() == game.men.iter().count() {
            true => "",
            false => ", the others as usual",
        };
        let unusual = listed(unusual.into_iter(), "and");
        let home = home(game).unwrap_or_default();
        format!("The men are {}; {unusual} (Betza's notation{home}){others}", names())
    } else if game.men == RoleSet::ORTHODOX {
        "The men of orthodox chess move as usual".to_owned()
    } else {
        format!("The men are {}; they move as in orthodox chess", names())
    };
    let castling = match game.laws.castling {
        true => ", castling included",
        false => "; there is no castling",
    };
    let king = match game.laws {
        laws if !laws.has_royal() && game.men.contains(Role::King) => {
            " The King is a man like others: it can be taken, and there is no check."
        }
        Laws { kings_touch: true, .. } => " Kings may stand side by side.",
        _ => "",
    };
    format!("{men}{castling}.{king}")
}

/// Which men of a side do not go everywhere.
fn kept_men(game: &Definition, color: Color) -> Option<String> {
    let kept = game.kept_men(color);
    let men = kept.map(|(role, region)| {
        format!("{color}'s {}s go only to {}", game.title_of(role), squares(game, region))
    });
    let men: Vec<String> = men.collect();
    (!men.is_empty()).then(|| format!("{}.", men.join("; ")))
}

/// Which men may not be left attacked, where that is not one King each.
fn royal_men(game: &Definition) -> Option<String> {
    let royal = game.laws.royal;
    let count = |color, role| game.start.board.men(color, role).len();
    let is_king_each = royal == Laws::ORTHODOX.royal
        && Color::ALL.into_iter().all(|color| count(color, Role::King) == 1);
    if royal.is_empty() || is_king_each {
        return None;
    }
    let of = |color: Color| {
        let there = royal.iter().filter(|&role| count(color, role) > 0);
        let men = there.map(|role| match count(color, role) {
            1 => format!("its {}", game.title_of(role)),
            _ => format!("any of its {}s", game.title_of(role)),
        });
        match men.clone().next() {
            Some(_) => format!("{color} may not leave {} attacked", listed(men, "or")),
            None => format!("{color} has no man that is royal"),
        }
    };
    Some(format!("{}; {}.", of(Color::White), of(Color::Black)))
}

/// Which men may not be left attacked when few are there.
fn scarce_men(game: &Definition, scarce: Scarce) -> String {
    let Scarce { kinds, most, not_all } = scarce;
    let (men, each) =
        (several(game, kinds), if kinds.iter().count() > 1 { " of a kind" } else { "" });
    let few = match most {
        1 => format!("A side may not leave the last of its {men}{each} attacked"),
        most => format!("A side with at most {most} {men}{each} may leave none of them attacked"),
    };
    let all = if not_all { ", nor all of them at once if there are more" } else { "" };
    format!("{few}{all}.")
}

fn pawns(game: &Definition) -> Option<String> {
    let Laws { promotions, promotion_squares, double_steps, triple_steps, .. } = game.laws;
    let en_passant = game.laws.en_passant;
    let usual = Laws::ORTHODOX;
    let size = game.laws.size;
    let of_rank = |own: u8| ByColor::new(|color| size.squares_of_rank(color, own));
    let there = (promotion_squares != of_rank(size.ranks() - 1)).then(|| {
        let ByColor { white, black } = promotion_squares.map(|there| match there.is_empty() {
            true => "nowhere".to_owned(),
            false => format!("on {}", squares(game, there)),
        });
        format!("White's pawns promote {white}, Black's {black}.")
    });
    let [_, on_last] = game.laws.pawns_on_ends();
    let last = (on_last && !game.laws.pawns_may_stay).then(|| {
        "Pawns that reach other squares of their last rank stay there, without a move.".to_owned()
    });
    let ByColor { white, black } = promotions;
    let may_stay = game.laws.pawns_may_stay;
    let become_something = !white.is_empty() || !black.is_empty();
    let stays = (may_stay && become_something)
        .then(|| "Pawns may stay pawns where they could promote.".to_owned());
    let becomes = (promotions != usual.promotions).then(|| {
        if white == black && white.is_empty() && may_stay {
            return "Pawns become nothing.".to_owned();
        }
        if white == black && white.is_empty() {
            return "Pawns become nothing, and so never go where they would have to.".to_owned();
        }
        if white == black {
            return format!("Pawns become {}.", several(game, white));
        }
        let of = |roles| several(game, roles);
        format!("White's pawns become {}, Black's {}.", of(white), of(black))
    });
    let never = Color::ALL.iter().all(|&color| double_steps[color].is_empty());
    let never_passed = Color::ALL.iter().all(|&color| en_passant[color].is_empty());
    let passed = (en_passant != usual.en_passant).then(|| match never_passed {
        true => "Pawns are never taken in passing.".to_owned(),
        false => {
            let of = |color: Color| match en_passant[color] {
                Bitboard::ALL => "anywhere".to_owned(),
                set if set.is_empty() => "nowhere".to_owned(),
                set => format!("on {}", squares(game, set)),
            };
            format!(
                "White's pawns take in passing {}, Black's {}.",
                of(Color::White),
                of(Color::Black)
            )
        }
    });
    let steps = (double_steps != of_rank(1)).then(|| match never {
        true => "Pawns never walk two squares.".to_owned(),
        false => format!(
            "Pawns walk two squares only from {} (White) and {} (Black).",
            squares(game, double_steps.white),
            squares(game, double_steps.black)
        ),
    });
    let far = (triple_steps != usual.triple_steps).then(|| {
        let ByColor { white, black } = triple_steps.map(|from| squares_or_nowhere(game, from));
        format!("Pawns walk three squares only from {white} (White) and {black} (Black).")
    });
    let at_home =
        game.laws.pawns_at_home.then(|| "Pawns may stand on their first rank.".to_owned());
    let sentences = [becomes, there, last, stays, at_home, steps, far, passed];
    let sentences: Vec<String> = sentences.into_iter().flatten().collect();
    (game.men.contains(Role::Pawn) && !sentences.is_empty()).then(|| sentences.join(" "))
}

/// Which men promote that are no pawns.
fn promoting_pieces(game: &Definition) -> Option<String> {
    let Laws { promotions, promotion_squares, promoting, own_promotions, .. } = game.laws;
    let there = |color: Color| squares(game, promotion_squares[color]);
    let as_pawns = |color: Color| {
        let pieces = promoting[color].with(Role::Pawn, false);
        let kinds = || several(game, promotions[color]);
        (!pieces.is_empty()).then(|| {
            format!("{color}'s {} on {} to {}", several(game, pieces), there(color), kinds())
        })
    };
    let joined = |sides: Vec<String>| (!sides.is_empty()).then(|| sides.join("; "));
    let may_or_must = |may: bool| if may { "may promote" } else { "promote, and must" };
    let as_pawns = joined(Color::ALL.into_iter().filter_map(as_pawns).collect());
    let how = may_or_must(game.laws.pawns_may_stay);
    let as_pawns = as_pawns.map(|sides| format!("Men that {how}: {sides}."));
    let own = own_promotions.iter().filter(|&(from, _)| from != Role::Pawn);
    let own = own.map(|(from, to)| {
        let [from, to] = [from, to].map(|role| several(game, RoleSet::of(&[role])));
        format!("{from} to {to}")
    });
    let own = joined(own.collect()).map(|kinds| {
        let (white, black) = (there(Color::White), there(Color::Black));
        let how = may_or_must(game.laws.pieces_may_stay);
        let Laws { pieces_may_stay, pieces_promote_by_capture: by_capture, .. } = game.laws;
        let going = if by_capture { "capturing as they go to " } else { "going to " };
        let from = if pieces_may_stay || by_capture { "or away from " } else { "" };
        format!("Men that {how}, {going}{from}{white} (White) or {black} (Black): {kinds}.")
    });
    let sentences: Vec<String> = as_pawns.into_iter().chain(own).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Of which kinds a side gets no more by promotion than so many.
fn promotion_limits(game: &Definition) -> Option<String> {
    let one = |(role, most)| {
        let kinds = several(game, RoleSet::of(&[role]));
        format!("no more {kinds} to a side that has {most}")
    };
    let limits: Vec<String> = game.laws.promotion_limits.iter().map(one).collect();
    (!limits.is_empty()).then(|| format!("Promotion gives {}.", limits.join(", ")))
}

/// Which side has no pawns, where the other has some.
fn without_pawns(game: &Definition) -> Option<String> {
    let without = |&color: &Color| !game.laws.promoting[color].contains(Role::Pawn);
    let color = Color::ALL.into_iter().find(without)?;
    Some(format!("{color} has no pawns."))
}

fn goal(game: &Definition) -> Option<String> {
    let goal: &Goal = &game.goal;
    if goal.is_none() {
        return None;
    }
    let man = match goal.role {
        None => "A man".to_owned(),
        Some(role) => format!("A {}", game.title_of(role)),
    };
    let (white, black) = (goal.squares.white, goal.squares.black);
    let last_turn = if goal.last_turn {
        let unless = if game.laws.checks { " unless it is in check" } else { "" };
        format!(
            " If it is White's, Black has one more turn{unless}, and draws if its King gets there, too."
        )
    } else {
        String::new()
    };
    let safely = match goal.safe {
        true => {
            " Men that are attacked there count only when it is their side's turn again, unless there \
             are more than it needs; if both sides have won it is a draw."
        }
        false => "",
    };
    let count = goal.count;
    let goal = if white == black && count == 1 {
        format!("{man} that reaches {} wins at once.", squares(game, white))
    } else {
        let of = |side: &str, set: Bitboard| match set.is_empty() {
            true => format!("{side} has no goal"),
            false => format!("{side}'s goal is {}", squares(game, set)),
        };
        let wins = match count {
            1 => format!("{man} that reaches the goal of its side wins at once"),
            count => {
                let men = goal
                    .role
                    .map_or_else(|| "men".to_owned(), |role| several(game, RoleSet::of(&[role])));
                format!("A side that has {count} {men} at its goal wins at once")
            }
        };
        format!("{wins}: {}, {}.", of("White", white), of("Black", black))
    };
    Some(goal + &last_turn + safely)
}

fn extinct(game: &Definition, extinction: &Extinction) -> String {
    let Extinction { kinds, count, others, wins, waits } = *extinction;
    let men = match kinds {
        None => "men".to_owned(),
        Some(kinds) => several(game, kinds),
    };
    let few = match count {
        0 => format!("no {men} left"),
        1 => format!("at most one of its {men} left"),
        count => format!("at most {count} of its {men} left"),
    };
    let if_others = match others {
        0 => String::new(),
        others => format!(", while the other has at least {others},"),
    };
    let result = if wins { "won" } else { "lost" };
    let turn = match waits {
        true => " If the other has just as many and not more, the side may turn once more before.",
        false => "",
    };
    format!("A side that has {few}{if_others} has {result}.{turn}")
}

/// `Queens, Rooks or Knights`.
fn several(game: &Definition, men: RoleSet) -> String {
    listed(several_names(game, men), "or")
}

fn several_names(game: &Definition, men: RoleSet) -> impl Iterator<Item = String> + '_ {
    men.iter().map(|role| format!("{}s", game.title_of(role)))
}

/// `a, b or c`.
fn listed(names: impl Iterator<Item = String>, last_word: &str) -> String {
    match &names.collect::<Vec<_>>()[..] {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} {last_word} {last}", most.join(", ")),
    }
}

/// `d4, e4, d5 or e5`, `rank 8`.
fn squares(game: &Definition, set: Bitboard) -> String {
    let size = game.laws.size;
    let whole = |&rank: &u8| {
        let squares = size.squares_of_rank(Color::White, rank);
        (squares & !set).is_empty()
    };
    let whole: Vec<u8> = (0..size.ranks()).filter(whole).collect();
    if !whole.is_empty() && whole.len() * usize::from(size.files()) == set.len() {
        let plural = if whole.len() == 1 { "" } else { "s" };
        let numbers = whole.iter().map(|rank| (rank + 1).to_string());
        return format!("rank{plural} {}", listed(numbers, "or"));
    }
    listed(set.map(|square| square.to_string()), "or")
}

/// The same, or that there are none.
fn squares_or_nowhere(game: &Definition, set: Bitboard) -> String {
    if set.is_empty() { "nowhere".to_owned() } else { squares(game, set) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantFile;

    #[test]
    fn rules_are_said_in_sentences() {
        let said = |keys: &str| {
            let file = VariantFile::read(&format!("[g:chess]\n{keys}")).expect("a section");
            rules(&file.resolve().remove(0).definition.expect("a game that can be built"))
        };
        for (keys, sentence) in [
            (
                "mobilityRegionWhiteKing = *1 *2\nmobilityRegionWhiteRook = a1 b1",
                "White's Kings go only to ranks 1 or 2; White's Rooks go only to a1 or b1.",
            ),
            (
                "flyingGeneral = true",
                "Kings may not face each other along a rank or file with nobody between.",
            ),
            ("mandatoryPawnPromotion = false", "Pawns may stay pawns where they could promote."),
            (
                "promotionLimit = n:2 q:1",
                "Promotion gives no more Queens to a side that has 1, no more Knights to a side that \
                 has 2.",
            ),
            (
                "promotedPieceType = n:b r:q",
                "Men that may promote, going to or away from rank 8 (White) or rank 1 (Black): \
                 Rooks to Queens; Knights to Bishops.",
            ),
            (
                "promotedPieceType = n:r p:k\npromotionPieceTypes = q\n\
                 mandatoryPiecePromotion = true\nking = -\ncommoner = k",
                "Men that promote, and must, going to rank 8 (White) or rank 1 (Black): Knights to \
                 Rooks.",
            ),
            (
                "promotedPieceType = n:r\nmandatoryPiecePromotion = true\n\
                 piecePromotionOnCapture = true",
                "Men that promote, and must, capturing as they go to or away from rank 8 (White) or \
                 rank 1 (Black): Knights to Rooks.",
            ),
            (
                "customPiece1 = p:mfFcfWimfnA\npawnTypes = p\nenPassantRegion = -",
                "The men are King, Queen, Rook, Bishop, Knight and P; P moves as mfFcfWimfnA \
                 (Betza's notation; `i` is for moves from rank 2 (White) or rank 7 (Black)), the \
                 others as usual, castling included.",
            ),
            (
                "tripleStepRegionWhite = a2\nenPassantRegion = -",
                "Pawns walk three squares only from a2 (White) and nowhere (Black). Pawns are never \
                 taken in passing.",
            ),
            ("mutuallyImmuneTypes = rn", "No men of a kind capture each other: Rooks and Knights."),
            (
                "promotionPawnTypesBlack = -\nstartFen = 4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
                "Black has no pawns.",
            ),
            (
                "extinctionValue = loss\nextinctionPieceTypes = n\nextinctionPseudoRoyal = true\n\
                 dupleCheck = true",
                "A side may not leave the last of its Knights attacked, nor all of them at once if \
                 there are more.",
            ),
        ] {
            let said = said(keys);
            assert!(said.iter().any(|said| said == sentence), "{said:?}");
        }
        assert!(!said("").iter().any(|said| said.contains("no pawns")));
    }
}
