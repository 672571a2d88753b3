use proptest::prelude::*;

use super::*;
use crate::{
    board::{Bitboard, Color, Role, RoleSet},
    rules::{Game, Variant, Wdl},
};

/// What becomes of the last section of a text.
fn last(text: &str) -> Result<Definition, Vec<String>> {
    let file = VariantFile::read(text).expect("a file with sections");
    let last = file.resolve().pop().expect("a section");
    last.definition.map_err(|refusals| refusals.iter().map(Refusal::to_string).collect())
}

/// What is said of a file whose only refusal stands in its last section.
fn refused(text: &str) -> String {
    let refusals = last(text).expect_err(text);
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    refusals.into_iter().next().expect("one")
}

#[test]
fn built_in_games_are_what_they_were_by_hand() {
    let [orthodox, koth, antichess, atomic, checks, knightmate, makruk, racing, gardner, alamos] =
        &built_in_definitions()[..]
    else {
        panic!("ten games");
    };
    assert_eq!(*orthodox, Definition::default());
    assert_eq!(koth.goal.of(crate::board::Color::White, Role::King).len(), 4);
    assert!(koth.goal.of(crate::board::Color::Black, Role::Queen).is_empty());
    assert!(!antichess.laws.has_royal() && antichess.laws.must_capture && !antichess.laws.castling);
    assert!(atomic.laws.has_royal() && atomic.laws.explosive && atomic.laws.castling);
    assert_eq!(atomic.extinction, None);
    assert_eq!(checks.winning_checks, 3);
    assert_eq!(knightmate.men.letters(), "kqrbmp");
    assert_eq!(makruk.men.letters(), "krnmsp");
    assert!(!racing.laws.checks && racing.goal.last_turn);
    assert_eq!([gardner, alamos].map(|game| game.laws.size.to_string()), ["5×5", "6×6"]);
    assert_eq!(alamos.men.letters(), "kqrnp");
    for game in [orthodox, koth, antichess, atomic] {
        let start = Variant::new(game.clone()).fen(&game.start);
        assert!(start.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w "), "{start}");
    }
}

#[test]
fn games_of_the_collection_can_be_built_and_have_children() {
    let names: Vec<String> =
        super::collected_definitions().into_iter().map(|game| game.name).collect();
    assert!(names.iter().any(|name| name == "shatranj"), "{names:?}");
    let child = last("[baring:losers]\nmustCapture = false\n").unwrap();
    assert!(child.mated_wins && !child.laws.must_capture);
    // Nobody has a pawn where there are no ranks for it.
    let line = "[line:chess]\nmaxRank = 1\ncastling = false\nstartFen = KRN2nrk w - - 0 1\n";
    assert_eq!(last(line).unwrap().men.letters(), "kqrbn");
    // Other programs read a first position with fields left out.
    let short = "[short:gardner]\nstartFen = rnbqk/ppppp/5/PPPPP/RNBQK w - 0 1\n";
    assert_eq!(last(short).unwrap().start, super::built_in_definitions()[8].start);
}

#[test]
fn children_depart_from_parents() {
    let text = "\
# A game without men of its own.
[first:chess]
stalemateValue = loss
flagPiece = k
flagRegion = *8

; and one that departs from it
[second: first]
flagRegionWhite = a8 h8
stalemateValue=draw
";
    let second = last(text).unwrap();
    assert_eq!((second.name.as_str(), second.stalemate), ("second", Wdl::Draw));
    assert_eq!(second.goal.squares.white, Bitboard(1 << 56 | 1 << 63));
    assert_eq!(second.goal.squares.black, Bitboard::rank(7));
    // The keys of both sides are read before those of one, wherever they stand.
    let turned = "[g:chess]\nflagRegionWhite = a8\nflagPiece = q\nflagRegion = *1\n";
    assert_eq!(last(turned).unwrap().goal.squares.white, Bitboard(1 << 56));
}

#[test]
fn men_may_have_any_letter_and_movement() {
    let text = "\
[game:chess]
knight = h
bishop = -
alfil = b
customPiece3 = n:NN
archbishop = a
queen = a
king = k:KN
promotionPieceTypes = abhn
startFen = rhbakbhr/pppppppp/8/8/8/8/PPPPPPPP/RHBNKBHR w - - 0 1
";
    let game = last(text).unwrap();
    assert_eq!(game.men.letters(), "krbnahp");
    let moves: Vec<String> = game
        .unusual_men()
        .map(|(role, movement)| format!("{} {}", role.letter(), movement.notation().unwrap()))
        .collect();
    // A letter belongs to the kind that is read last, and the archbishop comes after the queen.
    assert_eq!(moves, ["K KN", "B A", "N NN", "A BN", "H N"]);
    assert!(!game.laws.castling, "the King is not the usual one");
    let departures = game.departures();
    assert_eq!(departures["men"], "krbnahp");
    assert_eq!(
        departures["moves"],
        serde_json::json!({ "a": "BN", "b": "A", "h": "N", "k": "KN", "n": "NN" })
    );
    // A movement written otherwise that comes to the same makes no other game.
    let same = last(&text.replace("archbishop = a", "customPiece1 = a:NB")).unwrap();
    assert_eq!(same.laws, game.laws);
    // There are as many kinds as letters.
    let more = (1..).zip("acdefghijlmostuvwxyz".chars());
    let kinds: String = more.map(|(n, letter)| format!("customPiece{n} = {letter}:W\n")).collect();
    let many = last(&format!("[many:chess]\n{kinds}")).unwrap();
    assert_eq!(many.men.iter().count(), 26);
}

#[test]
fn what_parents_say_of_men_follows_them_to_other_letters() {
    let start = "startFen = r3k3/8/8/8/8/8/8/R3K3 w - - 0 1\n";
    // The horse has the knight's letter, and no pawn becomes one; the knight has another.
    let horse = last(&format!("[g:chess]\nknight = -\nhorse = n\n{start}")).unwrap();
    assert_eq!(horse.laws.promotions.white.letters(), "qrb");
    let leaping = last(&format!("[g:chess]\nknight = h\nhorse = n\n{start}")).unwrap();
    assert_eq!(leaping.laws.promotions.white.letters(), "qrbh");
    // Without a parent nothing is said of promotions: pawns become nothing.
    let start = "startFen = k7/8/8/8/8/8/P7/K7 w - - 0 1\n";
    let still = last(&format!("[g]\nking = k\nqueen = q\npawn = p\n{start}")).unwrap();
    assert!(still.laws.promotions.white.is_empty());
    // Who is given the letter that it has is taken out of the game first, and put in again as a man
    // that no pawn becomes unless the section says so; another's letter does the same for both.
    let again = last("[g:chess]\nqueen = q\n").unwrap();
    assert_eq!(again.laws.promotions.white.letters(), "rbn");
    let named = last("[g:chess]\nqueen = q\npromotionPieceTypesWhite = q\n").unwrap();
    assert_eq!(named.laws.promotions.map(|men| men.letters()).white, "q");
    assert_eq!(named.laws.promotions.black.letters(), "rbn");
    let start = "startFen = k7/8/8/8/8/8/P7/K7 w - - 0 1\n";
    let moved = last(&format!("[g:chess]\nknight = q\nqueen = a\n{start}")).unwrap();
    assert_eq!(moved.laws.promotions.white.letters(), "qrb");
    // A count of none is refused even where a man that the goal was for is gone.
    let nobody =
        "[p:chess]\nflagPiece = n\nflagRegion = *8\n[g:p]\nqueen = n\nflagPieceCount = 0\n";
    let refusals = last(&format!("{nobody}startFen = k7/8/8/8/8/8/P7/K7 w - - 0 1\n"));
    assert_eq!(
        refusals.unwrap_err(),
        ["line 4: `flagPieceCount`: at least one man must get there"]
    );
    // A goal of the King's is none of the commoner that stands in its place.
    let common = last("[g:koth]\nking = -\ncommoner = k\n").unwrap();
    assert!(common.goal.is_none());
    let common = last("[g:koth]\nking = -\ncommoner = k\nflagPiece = k\n").unwrap();
    assert_eq!(common.goal.role, Some(Role::King));
}

#[test]
fn pawns_may_begin_and_end_anywhere() {
    // Where White promotes on two squares of the last rank, pawns stand on others of it, as they do
    // on the first rank if one begins there.
    let start = "startFen = 4k3/8/8/8/8/8/8/P3K3 w - - 0 1\n";
    let some = last(&format!("[g:chess]\npromotionRegionWhite = d8 e8\n{start}")).unwrap();
    assert_eq!(some.laws.pawns_on_ends(), [true, true]);
    assert_eq!(last("[g:chess]\n").unwrap().laws.pawns_on_ends(), [false, false]);
    let none = last("[g:chess]\nmaxRank = 7\nstartFen = 4k3/8/8/8/8/P7/4K3 w - - 0 1\n").unwrap();
    assert!(none.laws.promotion_squares.white.is_empty());
    assert_eq!(none.laws.pawns_on_ends(), [false, true]);
    // Ranks as files of some years ago count them, which other keys set aside.
    let old = "[g:chess]\nenPassantRegion = -\n";
    let ranks = |keys: &str| last(&format!("{old}{keys}")).unwrap().laws;
    let rank = Bitboard::rank;
    let sixth = ranks("promotionRank = 6").promotion_squares;
    assert_eq!(sixth.white, rank(5) | rank(6) | rank(7));
    assert_eq!(sixth.black, rank(2) | rank(1) | rank(0));
    let white = "promotionRegionWhite = *8\npromotionRank = 7";
    assert_eq!(ranks(white).promotion_squares.white, rank(7));
    assert_eq!(ranks("doubleStepRank = 3").double_steps.black, rank(6) | rank(5));
    assert_eq!(ranks("doubleStepRankMin = 1").double_steps.white, rank(0) | rank(1));
    let both = ranks("doubleStepRank = 3\ndoubleStepRankMin = 1");
    assert_eq!(both.double_steps.white, rank(1) | rank(2));
    assert_eq!(
        refused("[g:chess]\npromotionRank = 9\n"),
        "line 2: `promotionRank`: `9` is not a rank from 1 to 8"
    );
    // Pawns that become pawns may stay what they are.
    let pawns = last("[g:chess]\npromotionPieceTypes = qp\n").unwrap();
    let stay =
        last("[g:chess]\npromotionPieceTypes = q\nmandatoryPawnPromotion = false\n").unwrap();
    assert_eq!(pawns.departures(), stay.departures());
    // Who has a parent without double steps needs to say from where there are some, too.
    let single = "[s:chess]\ndoubleStep = false\n[g:s]\ndoubleStep = true\n";
    assert!(last(single).unwrap().laws.double_steps.white.is_empty());
    let second = last(&format!("{single}doubleStepRegionWhite = *2\n")).unwrap();
    assert_eq!(second.laws.double_steps.white, rank(1));
    assert!(second.laws.double_steps.black.is_empty());
    // Nobody asks who takes in passing where no pawn walks two squares.
    let walks = "[g:chess]\ndoubleStep = false\nenPassantTypes = -\n";
    assert!(last(walks).is_ok());
    assert_eq!(
        refused(&walks.replace("false", "true")),
        "line 3: `enPassantTypes`: pawns are always taken in passing"
    );
}

#[test]
fn a_king_that_nobody_has_is_none() {
    let pawns = "startFen = 8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1\nstalemateValue = loss\n";
    let game = last(&format!("[g:chess]\n{pawns}")).unwrap();
    assert_eq!(game.men.letters(), "qrbnp");
    assert!(!game.laws.has_royal());
    let same = last(&format!("[g:chess]\nking = -\n{pawns}")).unwrap();
    assert_eq!(game.departures(), same.departures());
    // What promotes stays what a section says.
    let queens = format!("[g:chess]\nqueen = q\npromotionPieceTypes = q\n{pawns}");
    assert_eq!(last(&queens).unwrap().laws.promotions.white.letters(), "q");
    let one = "[g:chess]\nstartFen = 4k3/8/8/8/8/8/PPPPPPPP/8 w - - 0 1\n";
    assert_eq!(
        refused(one),
        "line 2: `startFen`: White has no royal man; that is known only where a side without men \
         has lost, `extinctionPieceTypes = *`"
    );
}

#[test]
fn games_may_begin_with_their_men() {
    let text = "[few]\nking = k\nrook = r\nstartFen = r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1\n";
    let few = last(text).unwrap();
    assert_eq!(few.men, RoleSet::of(&[Role::King, Role::Rook]));
    let start = few.start.clone();
    assert_eq!(Variant::new(few).fen(&start), "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1");
    assert_eq!(
        refused("[few]\nking = k\nrook = r\n"),
        "line 1: it needs a `startFen` with the men it has"
    );
    assert!(
        refused("[few]\nking = k\nstartFen = K6Q/8/8/8/8/8/8/7k w\n")
            .starts_with("line 3: `startFen`: `Q`")
    );
    assert_eq!(
        refused("[none]\n"),
        "line 1: it has no men; name them, like `king = k`, or a parent that has some"
    );
}

#[test]
fn what_is_not_known_refuses_a_section_by_line() {
    for (section, said) in [
        ("maxRank = 9", "line 2: `maxRank`: `9`: boards have 1 to 8 files and ranks here"),
        ("maxFile = j", "line 2: `maxFile`: `j`: boards have 1 to 8 files and ranks here"),
        ("pieceDrops = true", "line 2: `pieceDrops`: this rule is not known at the value `true`"),
        (
            "janggiCannon = c",
            "line 2: `janggiCannon`: its men neither hop over one of their kind nor take it, which \
             is not known; `customPiece1 = a:pR` hops over all men",
        ),
        (
            "mobilityRegionRook = *1",
            "line 2: `mobilityRegionRook`: it needs a side and a kind of men, like \
             `mobilityRegionWhiteKing`",
        ),
        (
            "mobilityRegionWhiteHorsey = *1",
            "line 2: `mobilityRegionWhiteHorsey`: it needs a side and a kind of men, like \
             `mobilityRegionWhiteKing`",
        ),
        ("mobilityRegionBlackPawn = *7 *6", "line 1: `mobilityRegion`: pawns go wherever they can"),
        (
            "mutuallyImmuneTypes = k",
            "line 1: `blastImmuneTypes`, `mutuallyImmuneTypes`: not known for royal men",
        ),
        (
            "king = -\ncommoner = k\nblastOnCapture = true\nblastImmuneTypes = nr",
            "line 1: `blastImmuneTypes`: not known for pawns and what they become",
        ),
        (
            "king = g\nstartFen = g7/8/8/8/8/8/8/G7 w\nflyingGeneral = true",
            "line 1: `flyingGeneral` is known only for royal Kings, `king = k`",
        ),
        ("stalemateVaule = loss", "line 2: `stalemateVaule`: no such key is known"),
        ("stalemateValue = lost", "line 2: `stalemateValue`: `lost` is none of win, draw and loss"),
        ("mustCapture = yes", "line 2: `mustCapture`: `yes` is neither true nor false"),
        ("archbishop = ab", "line 2: `archbishop`: `ab` is not a letter for a man, like `a`"),
        ("archbishop = a:BN", "line 2: `archbishop`: this kind has a movement of its own"),
        ("pawn = s", "line 2: `pawn`: the letter of the pawn is p"),
        ("pawnTypes = n", "line 1: `promotionPawnTypes`: pawns of one side at least promote"),
        ("promotionPawnTypesBlack = pk", "line 1: `promotionPawnTypes`: royal men do not promote"),
        (
            "promotionPawnTypesBlack = n\npromotionPieceTypes = q",
            "line 1: its first position cannot be played: Black has no pawns in this game",
        ),
        (
            "promotedPieceType = nq",
            "line 2: `promotedPieceType`: it needs pairs of letters of men like l:r e:n",
        ),
        ("promotedPieceType = n:qr", "line 2: `promotedPieceType`: `qr` is more than one man"),
        ("promotedPieceType = n:w", "line 2: `promotedPieceType`: the game has no W"),
        (
            "promotionLimit = q",
            "line 2: `promotionLimit`: it needs letters of men with numbers like q:1 r:2",
        ),
        ("promotionLimit = w:1", "line 2: `promotionLimit`: the game has no W"),
        (
            "promotionLimit = r:1\npromotedPieceType = n:r",
            "line 1: `promotionLimit`: known only of what pawns become, and of nobody who promotes",
        ),
        ("promotedPieceType = k:q", "line 1: `promotedPieceType`: royal men do not promote"),
        ("promotedPieceType = q:k", "line 1: `promotedPieceType`: no man can become a royal one"),
        ("promotedPieceType = n:p", "line 1: `promotedPieceType`: no man can become a pawn"),
        (
            "promotedPieceType = n:b b:r r:n",
            "line 1: `promotedPieceType`: men cannot become again what they were",
        ),
        (
            "promotedPieceType = n:r\npromotionPawnTypes = pn\npromotionPieceTypes = qr",
            "line 1: `promotedPieceType`: men of `promotionPawnTypes` promote as pawns do",
        ),
        (
            "promotedPieceType = p:r\npromotionPawnTypesBlack = n\npromotionPieceTypes = qr",
            "line 1: `promotedPieceType`: pawns need `promotionPawnTypes = p` for it",
        ),
        (
            "customPiece1 = p:mfFcfeWimfnA\npawnTypes = p",
            "line 1: `i` of Betza's notation: not known where men could be taken in passing after it; \
             write `enPassantRegion = -`",
        ),
        (
            "customPiece1 = l:fmnDiR\nstartFen = 4k3/8/8/8/8/8/P7/3LK3 w - - 0 1",
            "line 1: `i` of Betza's notation: not known where men could be taken in passing after it; \
             write `enPassantRegion = -`",
        ),
        (
            "promotedPieceType = p:q\npiecePromotionOnCapture = true",
            "line 1: `piecePromotionOnCapture`: not known where `promotedPieceType` names pawns",
        ),
        (
            "promotedPieceType = n:r\nmandatoryPiecePromotion = true",
            "line 1: `mandatoryPiecePromotion`: not known of men that others become, such as N",
        ),
        (
            "promotionPieceTypesWhite = p",
            "line 1: `promotionPieceTypes`: pawns must become something else",
        ),
        (
            "flagRegion = *8\nflagPieceCount = 0",
            "line 1: `flagPieceCount`: at least one man must get there",
        ),
        (
            "flagPiece = k\nflagRegion = *8\nflagMove = true\nflagPieceSafe = true",
            "line 1: `flagMove` is not known together with `flagPieceSafe`, `flagPieceCount` or \
             `extinctionValue`",
        ),
        ("king = gg", "line 2: `king`: `gg` is not a letter for a man, like `a`"),
        (
            "king = q\npromotionPieceTypes = q\nstartFen = q7/8/8/8/8/8/8/Q7 w",
            "line 1: `promotionPieceTypes`: no pawn can become a royal King",
        ),
        (
            "customPiece1 = h",
            "line 2: `customPiece1`: it needs a movement behind the letter, like `h:BN`",
        ),
        (
            "customPiece1 = h:xN",
            "line 2: `customPiece1`: `x` is neither an atom nor a modifier of Betza's notation that is known",
        ),
        ("customPiece26 = h:N", "line 2: `customPiece26`: no such key is known"),
        (
            "flagRegion = d4 e9",
            "line 2: `flagRegion`: `d4 e9` is not a list of squares like d4 e4, or *8",
        ),
        (
            "extinctionValue = loss\nextinctionPieceTypes = x",
            "line 1: `extinctionPieceTypes`: the game has no X",
        ),
        (
            "promotionPieceTypes = k",
            "line 1: `promotionPieceTypes`: no pawn can become a royal King",
        ),
        (
            "promotionPieceTypesBlack = k",
            "line 1: `promotionPieceTypes`: no pawn can become a royal King",
        ),
        (
            "blastOnCapture = true",
            "line 1: `blastOnCapture` is not known for a royal King; name it `commoner = k`",
        ),
        (
            "promotionRegionWhite = *6 *7 *8",
            "line 1: `promotionRegion`: not known where pawns take in passing; leave its squares out \
             of `enPassantRegion`",
        ),
        (
            "flagPiece = q\nflagRegion = *8\nflagMove = true",
            "line 1: `flagMove` is known only for a royal King, `flagPiece = k`",
        ),
        (
            "king = -\ncommoner = k\nchecking = false",
            "line 1: `checking = false` is known only where a King alone is royal, without \
             explosions and without `mobilityRegion`",
        ),
        (
            "king = -\ncommoner = k\nextinctionValue = loss\nextinctionPieceTypes = k\n\
             extinctionPseudoRoyal = true\nflagPiece = k\nflagRegion = *8\nflagMove = true",
            "line 1: `flagMove` is not known together with `flagPieceSafe`, `flagPieceCount` or \
             `extinctionValue`",
        ),
        (
            "king = -\ncommoner = k\nextinctionValue = loss\nextinctionPieceTypes = k\n\
             extinctionPseudoRoyal = true\ncheckCounting = true",
            "line 1: `checkCounting` is known only where a King alone is royal and may be checked, \
             without explosions and without `mobilityRegion`",
        ),
        (
            "checkCounting = true\nflagPiece = k\nflagRegion = *8\nflagMove = true",
            "line 1: `checkCounting` is not known together with `flagMove` or `flagPieceSafe`",
        ),
        (
            "checkCounting = true\nmobilityRegionWhiteRook = *1",
            "line 1: `checkCounting` is known only where a King alone is royal and may be checked, \
             without explosions and without `mobilityRegion`",
        ),
        ("checkmateValue = draw", "line 2: `checkmateValue`: a checkmate that draws is not known"),
        ("a line", "line 2: `a line` is neither a section nor a key; write key = value"),
        ("castling = false\ncastling = true", "line 3: `castling` has another value on line 2"),
    ] {
        assert_eq!(refused(&format!("[game:chess]\n{section}\n")), said);
    }
    // Defaults that are written out, and what decides nothing, are no departures.
    let text = "[game:chess]\nmaxRank = 8\npieceDrops = false\nnMoveRule = 0\npieceValueMg = p:1\n";
    assert!(last(text).unwrap().departures().is_empty());
    assert_eq!(
        refused("[g:nothing]\nking = k\nstartFen = k7/8/8/8/8/8/8/7K w\n"),
        "line 1: its parent `nothing` is neither a game that is known nor a section above"
    );
    assert_eq!(
        refused("[g:g]\nking = k\nstartFen = k7/8/8/8/8/8/8/7K w\n"),
        "line 1: its parent `g` is neither a game that is known nor a section above"
    );
    assert_eq!(
        refused("[a/b:chess]\n"),
        "line 1: `a/b` is not a name: it has letters, digits, - and _, at most 64 of them"
    );
    // A child may set right what its parent has wrong; what it does not is told as inherited.
    let parent = "[parent:chess]\nshatarMateRule = true\n[child:parent]\n";
    assert!(last(&format!("{parent}shatarMateRule = false\n")).is_ok());
    assert_eq!(
        refused(parent),
        "line 3: inherited from `parent`: `shatarMateRule`: this rule is not known at the value `true`"
    );
}

#[test]
fn files_that_are_none_are_refused_whole() {
    let error = |text: &str| VariantFile::read(text).unwrap_err().to_string();
    assert_eq!(
        error("# nothing\n"),
        "it has no section; a game begins with [name], or [name:parent]"
    );
    assert_eq!(
        error("king = k\n"),
        "line 1: `king = k` stands before the first section; begin with [name]"
    );
    assert!(error(&"#".repeat(MAX_FILE + 1)).starts_with("it has 4194305 bytes"));
    assert_eq!(error(&"[g:chess]\n".repeat(MAX_SECTIONS + 1)), "it has more than 4096 sections");
}

#[test]
fn checks_that_win_are_those_of_the_first_position() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -";
    let section = |start: &str| format!("[g:chess]\ncheckCounting = true\n{start}\n");
    assert_eq!(last(&section("")).unwrap().winning_checks, 1);
    let game = last(&section(&format!("startFen = {start} 3+5 0 1"))).unwrap();
    assert_eq!(game.winning_checks, 5);
    assert!(game.write_fen(&game.start).ends_with("w - - 3+5 0 1"));
    let said = |fen: &str| game.read_fen(fen).map(|setup| game.write_fen(&setup));
    assert_eq!(said("4k3/8/8/8/8/8/8/4K3 w").unwrap(), "4k3/8/8/8/8/8/8/4K3 w - - 5+5 0 1");
    assert_eq!(
        said("4k3/8/8/8/8/8/8/4K3 w - - 6+1 0 1").unwrap_err().to_string(),
        "`6+1` is not a field of this game; the checks that White and Black have left are at most \
         5, and one of them has some"
    );
    assert_eq!(
        said("4k3/8/8/8/8/8/8/4K3 w - - 0+1 0 1").unwrap_err().to_string(),
        "White has given its last check and won, so it cannot be White's turn"
    );
    assert_eq!(
        refused(&section(&format!("startFen = {start} 10+1 0 1"))),
        "line 1: `checkCounting`: the checks that win are from 1+1 to 9+9 in `startFen`"
    );
    let common = "king = -\ncommoner = k\npromotionPieceTypes = q";
    assert!(refused(&section(common)).contains("only where a King alone is royal"));
}

#[test]
fn large_files_are_read_in_a_moment() {
    // A key a million times, and a parent with as many bad lines as fit beside many children.
    let often = format!("[g:chess]\n{}", "mustCapture = true\n".repeat(200_000));
    assert!(last(&often).unwrap().laws.must_capture);
    let keys: String = (0..200_000).map(|number| format!("k{number} = 1\n")).collect();
    assert_eq!(last(&format!("[g:chess]\n{keys}")).unwrap_err().len(), 200_000);
    let text = format!("[p:chess]\n{}{}", "x\n".repeat(400_000), "[c:p]\n".repeat(4_000));
    assert_eq!(
        refused(&text),
        "line 404001: inherited from `p`: `x` is neither a section nor a key; write key = value \
         (and 399999 more)"
    );
}

#[test]
fn the_same_rules_are_the_same_departures() {
    let one = "[g:chess]\nstalemateValue = loss\nmustCapture = true\n";
    let other =
        "[base:chess]\nmustCapture = true\n[g:base]\n# why\nmaxFile = 8\nstalemateValue = loss\n";
    let one = last(one).unwrap();
    assert_eq!(one, Definition { title: "g".to_owned(), ..last(other).unwrap() });
    let departures = serde_json::Value::from(one.departures()).to_string();
    assert_eq!(departures, r#"{"mustCapture":true,"stalemateValue":"loss"}"#);
}

#[test]
fn first_moves_are_known_where_nobody_takes_in_passing_after_them() {
    let game = |keys: &str| {
        last(&format!("[g:chess]\ncustomPiece1 = p:mfFcfeWimfnA\npawnTypes = p\n{keys}\n"))
    };
    for keys in [
        "enPassantRegion = -",
        "doubleStep = false",
        "doubleStepRegionWhite = -\nenPassantRegionWhite = -",
    ] {
        let game = game(keys).expect(keys);
        // They stand where others with their letter do.
        assert_eq!(game.start.board.men(Color::White, Role::P), Bitboard::rank(1), "{keys}");
    }
    assert!(game("doubleStepRegionWhite = -\nenPassantRegionBlack = -").is_err());
}

#[test]
fn men_become_kinds_of_their_own() {
    let departures = |keys: &str| {
        let game = last(&format!("[g:chess]\n{keys}\n")).unwrap();
        serde_json::Value::from(game.departures()).to_string()
    };
    assert_eq!(
        departures("promotedPieceType = b:r n:b\nmandatoryPawnPromotion = false"),
        r#"{"mandatoryPawnPromotion":false,"promotedPieceType":"b:r n:b"}"#
    );
    let must = "promotedPieceType = n:r\npromotionPieceTypes = q\nmandatoryPiecePromotion = true";
    assert_eq!(
        departures(must),
        r#"{"promotionPieceTypes":"q","promotedPieceType":"n:r","mandatoryPiecePromotion":true}"#
    );
    // Who promotes by captures alone stands there, whoever has become one.
    assert_eq!(
        departures(
            "promotedPieceType = n:r\nmandatoryPiecePromotion = true\npiecePromotionOnCapture = true"
        ),
        r#"{"promotedPieceType":"n:r","mandatoryPiecePromotion":true,"piecePromotionOnCapture":true}"#
    );
    // Pawns have theirs besides, and nobody must who has nothing to become.
    assert_eq!(departures("promotedPieceType = p:q\nmandatoryPiecePromotion = true"), "{}");
    assert_eq!(departures("piecePromotionOnCapture = true"), "{}");
    assert_eq!(departures("promotedPieceType = -"), "{}");
    // Limits of what nobody becomes say nothing.
    assert_eq!(departures("promotionLimit = q:1 r:2 b:0 k:1"), r#"{"promotionLimit":"q:1 r:2"}"#);
    let child = last("[p:chess]\npromotionLimit = q:1 r:2\n[g:p]\npromotionLimit = q:0 n:2\n");
    let limits = &child.unwrap().departures()["promotionLimit"];
    assert_eq!(limits, "r:2 n:2");
    // Of a child's pairs those it does not name are its parent's, and go with their kinds.
    let parent = "[p:chess]\npromotedPieceType = n:b r:q\n[g:p]\n";
    let own = |keys: &str| {
        let game = last(&format!("{parent}{keys}\n")).unwrap();
        game.departures().get("promotedPieceType").map(ToString::to_string)
    };
    assert_eq!(own("promotedPieceType = n:-").as_deref(), Some("\"r:q\""));
    assert_eq!(own("promotedPieceType = n:r").as_deref(), Some("\"r:q n:r\""));
    let start = "startFen = 1h2k3/8/8/8/8/8/8/1H2K3 w";
    assert_eq!(own(&format!("knight = h\n{start}")).as_deref(), Some("\"r:q h:b\""));
    assert_eq!(own("queen = -\nbishop = -\nstartFen = k7/8/8/8/8/8/8/K7 w"), None);
}

#[test]
fn regions_are_of_kinds_and_of_boards() {
    let departures = |keys: &str| {
        let game = last(&format!("[g:chess]\n{keys}\n")).unwrap();
        serde_json::Value::from(game.departures()).to_string()
    };
    assert_eq!(
        departures("mobilityRegionWhiteRook = a1 b1\nmobilityRegionBlackKing = *8"),
        r#"{"mobilityRegionWhite":{"r":"a1 b1"},"mobilityRegionBlack":{"k":"a8 b8 c8 d8 e8 f8 g8 h8"}}"#
    );
    // All squares, and none, are no region, and nor is that of a kind that the game has not.
    let all = "mobilityRegionWhiteRook = *1 *2 *3 *4 *5 *6 *7 *8";
    assert_eq!(departures(all), "{}");
    assert_eq!(departures("mobilityRegionWhiteRook = -\nmobilityRegionWhiteWazir = *1"), "{}");
    // It goes with the kind to another letter, and is the parent's until it is set back.
    let parent = "[p:chess]\nmobilityRegionWhiteRook = a*\n[g:p]\n";
    let kept = |keys: &str| {
        let game = last(&format!("{parent}{keys}")).unwrap();
        let kept = game.kept_men(crate::board::Color::White);
        kept.map(|(role, region)| (role, region.len())).collect::<Vec<_>>()
    };
    let start = "startFen = t3k3/8/8/8/8/8/8/4K3 w\n";
    assert_eq!(kept(&format!("rook = t\n{start}")), [(Role::T, 8)]);
    assert_eq!(kept("mobilityRegionWhiteRook = -\n"), []);
}

#[test]
fn a_game_that_is_over_before_it_begins_is_refused() {
    let won = "[won:chess]\nflagPiece = r\nflagRegion = a1\n";
    let refusal = refused(won);
    assert!(refusal.starts_with("line 1: its first position cannot be played: "), "{refusal}");
    last("[open:chess]\nflagPiece = r\nflagRegion = a5\n").unwrap();
}

proptest! {
    #[test]
    fn no_text_panics(
        text in ".{0,400}",
        lines in proptest::collection::vec(
            ("[a-zA-Z]{0,12}|flagRegion|extinctionPieceTypes|promotionPieceTypes|promotedPieceType|\
              promotionRegion|promotionPawnTypes|mandatoryPawnPromotion|startFen|king|pawn",
             "[-*a-z0-9 :/]{0,12}|true|false|loss|win"),
            0..12,
        ),
    ) {
        let keys: String = lines.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        for text in [text, format!("[g:chess]\n{keys}"), format!("[g]\n{keys}")] {
            let Ok(file) = VariantFile::read(&text) else { continue };
            for resolved in file.resolve() {
                let Ok(definition) = resolved.definition else { continue };
                let game = Variant::new(definition);
                let start = game.initial();
                prop_assert_eq!(game.parse_fen(&game.fen(&start)), Ok(start));
            }
        }
    }
}
