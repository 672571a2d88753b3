//! Games from files: what can be built, how a game is called, and whose a table is.

use std::fs;

use crate::room::Room;

const GAMES: &str = "\
[hasty:chess]
stalemateValue = loss

[drops:chess]
pieceDrops = true
capturesToHand = true

[koth:chess]
";

/// Who is stalemated here has lost in `hasty`, and in orthodox chess not.
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b";

fn with_games() -> Room {
    let room = Room::new();
    fs::write(room.path("my.ini"), GAMES).expect("room for a file");
    room
}

#[test]
fn check_tells_what_stands_in_the_way() {
    let room = with_games();
    let ran = room.run("check my.ini");
    let expected = "\
hasty: can be built
drops: cannot be built
  line 5: `pieceDrops`: this rule is not known at the value `true`
  line 6: `capturesToHand`: this rule is not known at the value `true`
koth: cannot be built
  line 8: there is a built-in game of this name; choose another
";
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), expected));
    assert_eq!(ran.stderr, "error: 2 of 3 sections cannot be built\n");
    let ran = room.run("check my.ini --json");
    let sections: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(sections[0]["rules"], serde_json::json!({ "stalemateValue": "loss" }));
    assert_eq!(sections[1]["refusals"][1]["line"], 6);
    assert!(
        room.run("check none.ini").stderr.starts_with("error: cannot read the games of none.ini")
    );
}

/// What is kept for each notation must not add up to more than there is memory.
#[test]
fn a_program_keeps_a_thousand_notations() {
    let sections: String = (0..1_100)
        .map(|n| {
            let [a, b, c] = [n % 9 + 1, n / 9 % 9 + 1, n / 81 + 1];
            let rides = format!("W{a}F{b}D{}N{}", c.min(9), (c - 8).max(1));
            // The same twice is one.
            format!("[g{n}:chess]\ncustomPiece1 = a:{rides}\ncustomPiece2 = c:{rides}\n")
        })
        .collect();
    let room = Room::new();
    fs::write(room.path("many.ini"), sections).expect("room for a file");
    let checked = room.run("check many.ini").stdout;
    assert!(checked.contains("g0: can be built") && checked.contains("g900: can be built"));
    let reason = "`customPiece1`: more than 1000 notations are known already";
    assert!(checked.contains("g1099: cannot be built") && checked.contains(reason));
}

#[test]
fn a_slip_in_a_name_is_told_the_game_that_is_meant() {
    let room = Room::new();
    for (typed, meant) in [("atomc", "atomic"), ("brekthrough", "breakthrough")] {
        let refused = room.run(&format!("rules {typed}"));
        let tip = format!("tip: a similar value exists: '{meant}'");
        assert!(refused.code == Some(2) && refused.stderr.contains(&tip), "{}", refused.stderr);
    }
    let refused = room.run("rules zzzzzz").stderr;
    assert!(
        refused.contains("possible values: orthodox,") && !refused.contains("tip:"),
        "{refused}"
    );
}

#[test]
fn games_of_a_file_are_games_for_every_command() {
    let room = with_games();
    room.run("build hasty KQvK --variants my.ini").well();
    let probed = room.run_words(vec!["probe", "hasty", STALEMATE, "--variants=my.ini"]).well();
    assert!(probed.contains("White wins by stalemate"), "{probed}");
    let orthodox = room.run_words(vec!["probe", "orthodox", STALEMATE]);
    assert!(!orthodox.stdout.contains("wins"), "{}", orthodox.stdout);
    room.run("verify hasty --variants my.ini").well();
    let rules = room.run("rules hasty --variants my.ini").well();
    assert!(rules.contains("stalemate loses for the side that has no turn"), "{rules}");
    let listed = room.run("list --variants my.ini").well();
    assert!(listed.contains("hasty        KQvK"), "{listed}");
    // What to type names the file.
    let missing =
        room.run_words(vec!["probe", "hasty", "8/8/8/8/8/k7/8/K6R w", "--variants", "my.ini"]);
    let hint = "build it with `finale build hasty KRvK --variants my.ini`";
    assert!(missing.stderr.contains(hint), "{}", missing.stderr);
}

#[test]
fn games_that_cannot_be_built_are_named_with_the_reason() {
    let room = with_games();
    let ran = room.run("build drops KQvK --variants my.ini");
    assert_eq!(ran.code, Some(2));
    let reason = "drops cannot be built: line 5: `pieceDrops`: this rule is not known at the value `true`; \
                  `finale check my.ini` tells all that stands in its way";
    assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    // A built-in game stays what it is.
    let rules = room.run("rules koth --variants my.ini").well();
    assert!(rules.starts_with("King of the Hill"), "{rules}");
}

#[test]
fn a_table_of_other_rules_is_another_games() {
    let room = with_games();
    room.run("build hasty KQvK --variants my.ini").well();
    let same = "# The same in other words.\n[base:chess]\nmaxRank = 8\n[hasty:base]\nstalemateValue=loss\n";
    fs::write(room.path("my.ini"), same).expect("room for a file");
    room.run_words(vec!["probe", "hasty", STALEMATE, "--variants", "my.ini"]).well();
    fs::write(room.path("my.ini"), GAMES.replace("loss", "win")).expect("room for a file");
    let ran =
        room.run_words(vec!["probe", "hasty", "8/8/8/8/8/k7/8/K6Q w", "--variants", "my.ini"]);
    assert_eq!(ran.code, Some(1));
    for said in ["variant.stalemateValue loss", "variant.stalemateValue win"] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}
