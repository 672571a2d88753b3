//! Records of whole games: how they end, what they are worth, and who has won a match. Each result
//! is computed by hand from the rules; beside it stands which words of the game's author it is of.

use crate::room::{Ran, Room, json};

/// Replays a record.
fn replay(game: &str, record: &str) -> Ran {
    Room::new().run_with(&format!("replay {game} -"), record)
}

/// The last line of a replay that found nothing wrong: how the game ended.
fn end(game: &str, record: &str) -> String {
    let told = replay(game, record).well();
    told.lines().last().expect("a line").to_owned()
}

/// The one line on stderr of a replay that found something wrong.
fn wrong(game: &str, record: &str) -> String {
    let ran = replay(game, record);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    ran.stderr.trim_end().to_owned()
}

/// A record from a position.
fn from(fen: &str, moves: &str) -> String {
    format!("[FEN \"{fen}\"]\n\n{moves}\n")
}

/// A Knight against a Knight and a pawn, which is White's.
const KNIGHTS: &str = "k7/8/K2n4/P1N5/8/8/8/8 w - -";

/// Plays on and comes back to the position twice, which is then there for the third time.
const ROUND_AND_ROUND: &str = "1. Kb6 Nc8+ 2. Ka6 Nd6 3. Kb6 Nc8+ 4. Ka6 Nd6";

#[test]
fn stylish_scores_every_draw() {
    // Stylish, "Draws": points are given in any draw outcome. The author's example: the forces are
    // 3 + 1 and 3, so that Black's is less by 1; it lacks 39 - 3 = 36; Black gets 36 + 1 = 37.
    let agreed = end("stylish", &from(KNIGHTS, "1. Kb6 Nc8+ 1/2-1/2"));
    assert_eq!(agreed, "drawn by agreement; points 0 to 37, margin -37");
    let tagged = from(&format!("{KNIGHTS} 12+3"), "1. Kb6 Nc8+");
    let tagged = end("stylish", &format!("[Result \"1/2-1/2\"]\n{tagged}"));
    assert_eq!(tagged, "drawn by agreement; points 12 to 40, margin -28");
    // The other way round it is White who gets 37.
    let colours = "8/8/8/8/p1n5/k2N4/8/K7 b - -";
    let agreed = end("stylish", &from(colours, "1... Kb3 2. Nc1+ 1/2-1/2"));
    assert_eq!(agreed, "drawn by agreement; points 37 to 0, margin 37");
    // From the first move on: 5 for a pawn that takes a pawn. Black's force is then 38 against 39:
    // 1 for the difference, 1 for the lack.
    let early = end("stylish", "1. e4 d5 2. exd5 1/2-1/2");
    assert_eq!(early, "drawn by agreement; points 5 to 2, margin 3");
    // Equal forces: no player has less, and nobody gets anything.
    let equal = end("stylish", "1. e4 e5 1/2-1/2");
    assert_eq!(equal, "drawn by agreement; points 0 to 0, margin 0");
}

#[test]
fn stylish_scores_draws_by_repetition_and_by_fifty_moves() {
    // Stylish, "Draws": any draw outcome; 37 for Black as above.
    let record = from(KNIGHTS, ROUND_AND_ROUND);
    let expected = "drawn by threefold repetition; points 0 to 37, margin -37";
    assert_eq!(end("stylish", &record), expected);
    for stated in ["1/2-1/2", "0-1"] {
        assert_eq!(end("stylish", &format!("{record} {stated}")), expected);
    }
    // A ply before, no position has come about more than twice.
    let goes_on = end("stylish", &from(KNIGHTS, "1. Kb6 Nc8+ 2. Ka6 Nd6 3. Kb6 Nc8+ 4. Ka6"));
    assert_eq!(goes_on, "the game goes on, Black to move; points 0 to 0, margin 0 so far");
    // The counter of the FEN counts plies: 98 and two more are fifty moves of each side.
    let fifty = from(&format!("{KNIGHTS} 98 80"), "80. Kb6 Nc8+");
    let expected = "drawn by fifty moves without a capture or a pawn move; points 0 to 37, \
                    margin -37";
    assert_eq!(end("stylish", &fifty), expected);
    let less = from(&format!("{KNIGHTS} 97 80"), "80. Kb6 Nc8+");
    assert!(end("stylish", &less).starts_with("the game goes on, White to move"));
    // A pawn move begins the count anew.
    let pawn = from("k7/8/K2n4/2N5/P7/8/8/8 w - - 99 80", "80. a5 Nc8");
    assert!(end("stylish", &pawn).starts_with("the game goes on, White to move"));
}

#[test]
fn stylish_gives_fifty_for_the_last_capture_where_force_is_bare() {
    // Stylish, "Draws": two kings and one knight or bishop, 50 to who made the last capture. King
    // takes Rook 20 and 50 are 70; Knight takes pawn 1 and 50 are 51; Bishop takes Knight 5 + 50.
    for (fen, moves, points) in [
        ("8/8/8/8/8/7k/1r6/K7 w - -", "1. Kxb2", "70 to 0, margin 70"),
        ("8/8/8/8/8/7k/8/K1N5 w - - 2+9 b", "1. Nb3", ""),
        ("7k/8/8/8/8/1p6/8/K1N5 w - - 2+9 b", "1. Nxb3", "53 to 9, margin 44"),
        ("7k/6b1/8/8/8/2N5/8/K7 b - - 2+9 w", "1... Bxc3+", "2 to 64, margin -62"),
    ] {
        let record = from(fen, moves);
        if points.is_empty() {
            // It was over before.
            assert!(replay("stylish", &record).sentence().contains("the game is over"));
            continue;
        }
        let expected = format!("drawn, as neither side can mate; points {points}");
        assert_eq!(end("stylish", &record), expected, "{fen}");
        assert_eq!(end("stylish", &format!("{record} 1/2-1/2")), expected, "{fen}");
    }
}

#[test]
fn stylish_draws_may_say_so_or_who_has_more() {
    // Stylish, "Rules": the winner is who gets more points. Stalemate: Black has no force, which is
    // less by 9 and lacks 39: 48.
    let stalemate = from("7k/8/6K1/8/8/8/8/5Q2 w - -", "1. Qf7");
    for stated in ["", "1/2-1/2", "0-1"] {
        let record = format!("{stalemate}{stated}");
        assert_eq!(end("stylish", &record), "drawn by stalemate; points 0 to 48, margin -48");
    }
    let contradicted = wrong("stylish", &format!("{stalemate}1-0"));
    assert_eq!(contradicted, "error: the record says 1-0, but the result is 0-1");
    // Mate is no draw, even where it loses: 80 for the Queen next to the King against 90.
    let mate = from("7k/5Q2/6K1/8/8/8/8/8 w - - 0+90", "1. Qg7#");
    assert_eq!(end("stylish", &mate), "White mates; points 80 to 90, margin -10");
    let drawn = wrong("stylish", &format!("{mate}1/2-1/2"));
    assert_eq!(drawn, "error: the record says 1/2-1/2, but the result is 0-1");
    let record = "1. e4 d5 2. exd5 1/2-1/2";
    let told = json(&Room::new().run_with("replay stylish - --json", record).well());
    assert_eq!(told["pgn_result"], "1-0");
    assert_eq!(told["recorded_result"], "1/2-1/2");
}

#[test]
fn stylish_resigning_loses_whatever_the_points() {
    // Stylish, "Draws", its last sentence: who resigns loses regardless of points. White has 5 for
    // the pawn, and no draw is scored.
    let ahead = end("stylish", "1. e4 d5 2. exd5 0-1");
    assert_eq!(ahead, "White resigns and loses, whatever the points; points 5 to 0, margin 5");
    let behind = end("stylish", "1. e4 d5 2. exd5 1-0");
    assert_eq!(behind, "Black resigns and loses, whatever the points; points 5 to 0, margin 5");
    let told = Room::new().run_with("replay stylish - --json", "1. e4 d5 2. exd5 0-1").well();
    assert_eq!(json(&told)["pgn_result"], "0-1");
    // A draw that could be claimed would have been Black's, so Black must have resigned.
    let unclaimed = end("stylish", &from(KNIGHTS, &format!("{ROUND_AND_ROUND} 1-0")));
    assert_eq!(unclaimed, "Black resigns and loses, whatever the points; points 0 to 0, margin 0");
}

/// A Queen that can check for ever, and the same for Black.
const WHITE_CHECKS: &str = "6k1/6p1/8/7Q/8/8/1r6/7K w - -";
const BLACK_CHECKS: &str = "7k/1R6/8/8/7q/8/6P1/6K1 b - -";

#[test]
fn tiebraker_pays_half_each_for_ordinary_draws() {
    // Tiebraker, the list of Dynamic Scoring: mate, stalemate and perpetual check are split in
    // their ways; what is drawn otherwise is left, and 100 points go to two players alike.
    let half = "White 50, Black 50";
    let agreed = end("tiebraker", "1. e4 e5 1/2-1/2");
    assert_eq!(agreed, format!("drawn by agreement: {half}"));
    // The initial position comes about for the third time.
    let round = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    let repeated = format!("drawn by threefold repetition: {half}");
    for stated in ["", " 1/2-1/2"] {
        assert_eq!(end("tiebraker", &format!("{round}{stated}")), repeated);
    }
    let fifty = from("7k/8/8/8/8/8/8/KR6 w - - normal 98 80", "80. Rb2 Kg7");
    let expected = format!("drawn by fifty moves without a capture or a pawn move: {half}");
    assert_eq!(end("tiebraker", &fifty), expected);
    let goes_on = from("7k/8/8/8/8/8/8/KR6 w - - normal 97 80", "80. Rb2 Kg7");
    assert_eq!(end("tiebraker", &goes_on), "the game goes on, White to move");
    // Accepted and after option 1, too.
    for moves in ["1. K=D e5", "1. K=D option1 2. e4 e5"] {
        let agreed = end("tiebraker", &format!("{moves} 1/2-1/2"));
        assert_eq!(agreed, format!("drawn by agreement: {half}"), "{moves}");
    }
}

#[test]
fn tiebraker_pays_every_draw_after_option_2_to_the_declarer() {
    // Tiebraker, "Option 2": for all other cases, including all draws, the first player receives
    // 100.
    for (moves, expected) in [
        ("1. K=D option2 2. e4 e5 1/2-1/2", "drawn by agreement: White 100, Black 0"),
        ("1. e4 K=D 2. option2 e5 1/2-1/2", "drawn by agreement: White 0, Black 100"),
        (
            "1. K=D option2 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6 5. Ng1 Ng8",
            "drawn by threefold repetition: White 100, Black 0",
        ),
        (
            "1. K=D option2 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6 5. Ng1 Ng8 1-0",
            "drawn by threefold repetition: White 100, Black 0",
        ),
    ] {
        assert_eq!(end("tiebraker", moves), expected, "{moves}");
    }
    let fifty = from("7k/8/8/8/8/8/8/KR6 w - - option2:b 98 80", "80. Rb2 Kg7");
    let expected = "drawn by fifty moves without a capture or a pawn move: White 0, Black 100";
    assert_eq!(end("tiebraker", &fifty), expected);
    let checks = from(&format!("{WHITE_CHECKS} option2:b"), &"Qe8+ Kh7 Qh5+ Kg8 ".repeat(2));
    let expected = "White gives perpetual check: White 0, Black 100";
    assert_eq!(end("tiebraker", &checks), expected);
}

#[test]
fn tiebraker_records_of_perpetual_check_may_say_draw_or_win() {
    // Tiebraker, "Perpetual check": 55 to 45 if Black gives it, 51 to 49 if White does.
    let white = from(WHITE_CHECKS, &"Qe8+ Kh7 Qh5+ Kg8 ".repeat(2));
    for stated in ["", "1/2-1/2", "1-0"] {
        let told = end("tiebraker", &format!("{white}{stated}"));
        assert_eq!(told, "White gives perpetual check: White 51, Black 49", "{stated}");
    }
    let contradicted = wrong("tiebraker", &format!("{white}0-1"));
    assert_eq!(contradicted, "error: the record says 0-1, but the result is 1-0");
    let black = from(BLACK_CHECKS, &"Qe1+ Kh2 Qh4+ Kg1 ".repeat(2));
    for stated in ["", "1/2-1/2", "0-1"] {
        let told = end("tiebraker", &format!("{black}{stated}"));
        assert_eq!(told, "Black gives perpetual check: White 45, Black 55", "{stated}");
    }
    // And by the player with the disk: a draw, 50 to 50.
    let disk = WHITE_CHECKS.replace('K', "D") + " accepted";
    let disk = from(&disk, &"Qe8+ Kh7 Qh5+ Kg8 ".repeat(2));
    for stated in ["", "1/2-1/2"] {
        let told = end("tiebraker", &format!("{disk}{stated}"));
        assert_eq!(told, "White gives perpetual check: White 50, Black 50", "{stated}");
    }
    // Stalemate, 60 to 40, is called a draw too, and mate is not.
    let stalemate = from("7k/8/5K2/8/6Q1/8/8/8 w - -", "1. Qg6 1/2-1/2");
    assert_eq!(end("tiebraker", &stalemate), "White gives stalemate: White 60, Black 40");
    let mate = wrong("tiebraker", "1. f3 e5 2. g4 Qh4# 1/2-1/2");
    assert_eq!(mate, "error: the record says 1/2-1/2, but the result is 0-1");
}

#[test]
fn tiebraker_has_one_declaration_a_game() {
    // Tiebraker: a single disk with two colours will do; after option 1 the first player moves his
    // King for the remainder of the game; after option 2 both do until its end.
    for moves in [
        "1. K=D e5 2. e4 K=D",
        "1. K=D e5 2. K=D",
        "1. K=D option1 2. K=D",
        "1. K=D option1 2. e4 K=D",
        "1. K=D option2 2. K=D",
        "1. K=D option2 2. e4 K=D",
    ] {
        let refused = wrong("tiebraker", moves);
        assert!(refused.contains("`K=D` is not a legal turn"), "{refused}");
    }
}

#[test]
fn tiebraker_resigning_pays_as_being_mated() {
    for (moves, expected) in [
        ("1. e4 e5 1-0", "Black resigns: White 100, Black 0"),
        ("1. K=D e5 1-0", "Black resigns: White 90, Black 10"),
        ("1. K=D e5 0-1", "White resigns: White 0, Black 100"),
        ("1. K=D option1 2. e4 e5 1-0", "Black resigns: White 100, Black 0"),
        ("1. K=D option2 2. e4 e5 1-0", "Black resigns: White 100, Black 0"),
        ("1. K=D option2 2. e4 e5 0-1", "White resigns: White 20, Black 80"),
        // A repetition that pays half each is no victory.
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1-0", "Black resigns: White 100, Black 0"),
    ] {
        assert_eq!(end("tiebraker", moves), expected, "{moves}");
    }
}

#[test]
fn high_has_no_draws_and_names_who_resigns() {
    // High Chess, "Effects on gameplay": there are no draws by mutual agreement; "Rules": in
    // practice the Low player should resign.
    let expected = "error: the record says 1/2-1/2, but this game has no draws, nor can players agree \
                    on one; write 1-0 or 0-1 if a player resigned, or * if nobody did";
    let mated = "1. f3 e5 2. g4 Qh4#";
    for record in ["1. e4 e5 1/2-1/2", "[Result \"1/2-1/2\"]\n\n1. e4 --"] {
        assert_eq!(wrong("high", record), expected);
    }
    assert_eq!(wrong("high", &format!("{mated} 1/2-1/2")), expected);
    assert_eq!(end("high", &format!("{mated} 0-1")), "Black wins by checkmate");
    let contradicted = wrong("high", &format!("{mated} 1-0"));
    assert_eq!(contradicted, "error: the record says 1-0, but the result is 0-1");
    assert_eq!(end("high", "1. e4 -- 1-0"), "White wins, as Black resigns");
    assert_eq!(end("high", "[Result \"0-1\"]\n\n1. e4 --"), "Black wins, as White resigns");
    assert_eq!(end("high", "1. e4 -- *"), "the game goes on, White to move");
}

/// A record with its players.
fn between(white: &str, black: &str, record: &str) -> String {
    let parted = if record.starts_with('[') { "" } else { "\n" };
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n{parted}{record}\n\n")
}

#[test]
fn stylish_series_are_summed() {
    // Stylish, "Rules": several games, summing points. 5 to 2 as above, and 0 to 37: Anna has
    // 5 + 37, Ben 2 + 0.
    let first = between("Anna", "Ben", "1. e4 d5 2. exd5 1/2-1/2");
    let second = between("Ben", "Anna", &from(KNIGHTS, "1. Kb6 Nc8+ 1/2-1/2"));
    let series = first.clone() + &second;
    let expected = "\
game 1 (line 1): Anna - Ben: drawn by agreement; points 5 to 2, margin 3
game 2 (line 6): Ben - Anna: drawn by agreement; points 0 to 37, margin -37

2 games:
  player  wins  draws  losses  points  points against
  Anna       2      0       0      42               2
  Ben        0      0       2       2              42

Anna wins the series, 42 to 2
";
    assert_eq!(replay("stylish", &series).well(), expected);
    // "Draws", its last sentence: resigning finishes the series, and who resigns loses regardless
    // of points. Anna has 42 and resigns; a game after that is none of the series.
    let third = between("Ben", "Anna", "1. e4 e5 1-0");
    let resigned = series + &third;
    let told = replay("stylish", &resigned).well();
    assert!(told.contains("Black resigns and loses, whatever the points; points 0 to 0"), "{told}");
    assert!(told.ends_with("\nAnna resigns and loses the series, whatever the points\n"), "{told}");
    let object = Room::new().run_with("replay stylish - --json", resigned.as_str()).well();
    assert_eq!(json(&object)["match_winner"], "Ben");
    let after = replay("stylish", &(resigned + &first));
    assert_eq!(after.code, Some(1));
    let error = "error: game 4 (line 18): the series ended when a player resigned game 3\n\
                 error: 1 of 4 games cannot be counted\n";
    assert_eq!(after.stderr, error);
    assert!(after.stdout.contains("\n3 games:\n"), "{}", after.stdout);
}

#[test]
fn tiebraker_matches_are_summed() {
    // Tiebraker: the first games might be played normally except for the scoring; then, if the
    // match is tied, by these rules. Stalemate is 60 to 40, once each way: 100 to 100. In the
    // tiebreaker Ben refuses by option 2 and agrees to a draw, which is 100 for Anna: 200 to 100.
    let stalemate = from("7k/8/5K2/8/6Q1/8/8/8 w - -", "1. Qg6 1/2-1/2");
    let normal = format!("[Variant \"Standard\"]\n{stalemate}");
    let games = between("Anna", "Ben", &normal) + &between("Ben", "Anna", &normal);
    let tiebreaker = between("Anna", "Ben", "1. K=D option2 2. e4 e5 1/2-1/2");
    let told = replay("tiebraker", &(games.clone() + &tiebreaker)).well();
    let expected = "\
game 1 (line 1): Anna - Ben: White gives stalemate: White 60, Black 40
game 2 (line 9): Ben - Anna: White gives stalemate: White 60, Black 40
game 3 (line 17): Anna - Ben: drawn by agreement: White 100, Black 0

after the normal games the match is tied, 100 to 100

3 games:
  player  wins  draws  losses  points  points against
  Anna       2      0       1     200             100
  Ben        1      0       2     100             200

Anna wins the match, 200 to 100
";
    assert_eq!(told, expected);
    let tied = replay("tiebraker", &games).well();
    assert!(tied.ends_with("\nthe match is tied, 100 to 100\n"), "{tied}");
    // Nobody declares in a normal game.
    let declared = format!("[Variant \"Standard\"]\n\n{}", "1. K=D e5 1/2-1/2");
    let ran = replay("tiebraker", &(games + &between("Anna", "Ben", &declared)));
    assert_eq!(ran.code, Some(1));
    let error = "error: game 3 (line 17): this is a record of Standard, not of Tiebraker Chess\n";
    assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
    assert!(ran.stdout.ends_with("\nthe match is tied, 100 to 100\n"), "{}", ran.stdout);
    // By itself it is of another game, as ever.
    let alone = replay("tiebraker", &normal);
    assert_eq!(alone.sentence(), "this is a record of Standard, not of Tiebraker Chess");
}

#[test]
fn noro_tournaments_are_summed() {
    // Norochess: games end in scores, so that the first tiebreak can be the scores made less the
    // scores allowed. Black's 48th move ends the first two; the third is drawn with the 60th.
    // Anna: 19 + 3 to 15 + 3, +4. Ben: 20 + 3 to 10 + 3, +10. Carl: 15 + 10 to 19 + 20.
    let men = "8/8/3q4/8/8/2R5/8/8 w - -";
    let over = |score: &str| from(&format!("{men} {score} 0 48"), "48. Rc1 Qd5");
    let drawn = from(&format!("{men} 3+3 0 60"), "60. Rc1 Qd5 1/2-1/2");
    let games = between("Anna", "Carl", &over("19+15"))
        + &between("Carl", "Ben", &over("10+20"))
        + &between("Anna", "Ben", &drawn);
    let told = replay("noro", &games).well();
    let expected = "\
game 1 (line 1): Anna - Carl: White wins 19-15 on points
game 2 (line 8): Carl - Ben: Black wins 10-20 on points
game 3 (line 15): Anna - Ben: drawn 3-3 on points

3 games:
  player  wins  draws  losses  points  points against
  Ben        1      1       0      23              13
  Anna       1      1       0      22              18
  Carl       0      0       2      25              39

Ben wins the tournament, 1.5 to 1.5, by points for less points against, +10 to +4
";
    assert_eq!(told, expected);
    // A game that Ben gives up counts by its result, with the score as it stands: 1 to 0.
    let games = games + &between("Anna", "Ben", "1. e4 d5 2. exd5 1-0");
    let told = replay("noro", &games).well();
    assert!(told.contains("the game goes on, Black to move; the record says 1-0"), "{told}");
    assert!(told.ends_with("\nAnna wins the tournament, 2.5 to 1.5\n"), "{told}");
}

#[test]
fn high_matches_count_games() {
    // Two resignations and a mate, by colour as there are no names.
    let games = "1. e4 -- 1-0\n\n1. e4 e5 1-0 1. f3 e5 2. g4 Qh4#";
    let expected = "\
game 1 (line 1): White - Black: White wins, as Black resigns
game 2 (line 3): White - Black: White wins, as Black resigns
game 3 (line 3): White - Black: Black wins by checkmate

3 games:
  player  wins  draws  losses
  White      2      0       1
  Black      1      0       2

White wins the match, 2 to 1
";
    assert_eq!(replay("high", games).well(), expected);
    let object = json(&Room::new().run_with("replay high - --json", games).well());
    assert_eq!(object["games"][2]["pgn_result"], "0-1");
    assert_eq!(object["games"][2]["turns"].as_array().map(Vec::len), Some(4));
    assert_eq!(object["games"][1]["line"], 3);
    assert_eq!(object["players"][0]["player"], "White");
    assert_eq!(object["players"][0]["wins"], 2);
    assert!(object["players"][0]["points"].is_null());
    assert_eq!(object["match_winner"], "White");
    assert_eq!(object["result"], "White wins the match, 2 to 1");
}

#[test]
fn a_malformed_game_is_named_and_the_others_count() {
    let games =
        "1. e4 -- 1-0\n\n1. e4 e5 1/2-1/2\n\n1. e4 e5\n2. Ke3 -- 0-1\n\n1. d4 -- *\n1. d4 -- 0-1\n";
    let ran = replay("high", games);
    assert_eq!(ran.code, Some(1));
    let errors: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(errors.len(), 3, "{}", ran.stderr);
    assert!(
        errors[0].starts_with("error: game 2 (line 3): the record says 1/2-1/2, but this game has")
    );
    assert!(
        errors[1].starts_with("error: game 3 (line 5): line 6: move 2. cannot be played: `Ke3`")
    );
    assert_eq!(errors[2], "error: 2 of 5 games cannot be counted");
    let expected = "\
game 1 (line 1): White - Black: White wins, as Black resigns
game 2 (line 3): White - Black: not counted
game 3 (line 5): White - Black: not counted
game 4 (line 8): White - Black: the game goes on, White to move; not counted
game 5 (line 9): White - Black: Black wins, as White resigns

2 games:
  player  wins  draws  losses
  White      1      0       1
  Black      1      0       1

the match is tied, 1 to 1
";
    assert_eq!(ran.stdout, expected);
    let ran = Room::new().run_with("replay high - --json", games);
    assert_eq!(ran.code, Some(1));
    let object = json(&ran.stdout);
    let error = object["games"][2]["error"].as_str().expect("an error");
    assert!(error.starts_with("line 6: move 2. cannot be played"), "{error}");
    assert_eq!(object["games"][3]["counted"], false);
    assert!(object["match_winner"].is_null());
    // The moves are printed if they are asked for.
    let told = Room::new().run_with("replay high - --verbose", games).stdout;
    assert!(told.contains("game 5 (line 9): White - Black\n    1. d4"), "{told}");
    // One with a comment that never ends keeps its players, and ends where the next has its tags.
    let open = between("Anna", "Ben", "1. e4 {so far") + &between("Ben", "Anna", "1. e4 -- 1-0");
    let ran = replay("high", &open);
    let error = "error: game 1 (line 1): line 4: `{` is never closed\n";
    assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
    let told = "game 1 (line 1): Anna - Ben: not counted\ngame 2 (line 6): Ben - Anna: White wins";
    assert!(ran.stdout.starts_with(told), "{}", ran.stdout);
    // None is left that counts.
    let none = replay("high", "1. e4 -- *\n1. d4 -- *").well();
    assert!(none.ends_with("\nno game of the match counts\n"), "{none}");
}
