//! Tables of Stylish: built, verified, and compared with numbers found by another solver.

use std::{collections::BTreeMap, io::Write, path::Path, sync::Arc};

use assert_cmd::Command;
use finale::{
    board::Color,
    index::Material,
    probe::Tablebase,
    progress::Silent,
    rules::{Game, ScoreSheet, Stylish},
    solve::BuildOptions,
};

fn build(game: &Stylish, folder: &Path, materials: &[&str]) -> Tablebase<Stylish> {
    let tables = Tablebase::new(game.clone(), folder);
    let materials: Vec<Material> = materials.iter().map(|m| m.parse().unwrap()).collect();
    tables.build(&materials, &BuildOptions::default()).unwrap();
    tables
}

/// How many placements have each margin, and the longest distance of each, for a side to move and
/// a last capturer.
fn margins(
    tables: &Tablebase<Stylish>,
    material: &str,
    to_move: Color,
    last_capture: Option<Color>,
) -> (String, u16) {
    type Found = (BTreeMap<i64, u64>, u16);
    let (margins, longest) = tables
        .tally(
            &material.parse().unwrap(),
            &Silent,
            Found::default,
            |(margins, longest), position, answer, weight| {
                if (position.setup.to_move, position.last_capture) == (to_move, last_capture) {
                    *margins.entry(answer.margin).or_default() += weight;
                    *longest = answer.distance.map_or(0, |plies| plies.0).max(*longest);
                }
                Ok(())
            },
            |(margins, longest), (other, far)| {
                other.into_iter().for_each(|(k, n)| *margins.entry(k).or_default() += n);
                *longest = far.max(*longest);
            },
        )
        .unwrap();
    let margins: Vec<String> = margins.iter().map(|(k, n)| format!("{k}:{n}")).collect();
    (margins.join(" "), longest)
}

#[test]
fn tables_of_three_men_have_the_known_margins() {
    use Color::{Black, White};
    let folder = tempfile::tempdir().unwrap();
    let tables = build(&Stylish::default(), folder.path(), &["KQvK", "KRvK", "KPvK"]);
    for (material, to_move, last_capture, expected, longest) in [
        ("KvK", White, Some(White), "50:3612", 0),
        ("KBvK", White, Some(Black), "-50:193284", 0),
        ("KNvK", Black, None, "0:223944", 0),
        ("KQvK", White, None, "90:144508", 19),
        ("KQvK", Black, None, "-100:22176 -48:872 0:364 90:200532", 20),
        ("KRvK", White, None, "110:175168", 31),
        ("KRvK", Black, None, "-70:22176 -44:68 0:216 110:201484", 32),
        ("KPvK", White, Some(White), "-53:18676 -40:14840 70:4852 120:124748 140:46 160:166", 37),
        ("KPvK", White, Some(Black), "-53:18676 -40:14840 -30:4852 120:124748 140:46 160:166", 37),
        ("KPvK", Black, None, "-53:47152 -40:17256 20:6012 120:97578 140:8 160:18", 38),
    ] {
        let found = margins(&tables, material, to_move, last_capture);
        assert_eq!(found, (expected.to_owned(), longest), "{material} {to_move} {last_capture:?}");
    }
}

#[test]
fn like_rooks_mate_by_double_discovery_and_the_longest_conversion_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let tables = build(&Stylish::default(), folder.path(), &["KRRvK", "KQvKR"]);
    let (found, _) = margins(&tables, "KRRvK", Color::White, None);
    let best = found.split(' ').find_map(|part| part.strip_prefix("230:"));
    assert_eq!(best, Some("4162512"), "{found}");

    let answer = |fen: &str| {
        let answer = tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap();
        (answer.margin, answer.distance.map(|plies| plies.0))
    };
    let longest = "r7/8/8/8/8/8/7k/1KQ5 b - -";
    assert_eq!(answer(longest), (97, Some(210)));
    // Points so far are added; the sides exchanged, the margin is negated.
    assert_eq!(answer("r7/8/8/8/8/8/7k/1KQ5 b - - 3+20 w"), (80, Some(210)));
    assert_eq!(answer("1kq5/7K/8/8/8/8/8/R7 w - -"), (-97, Some(210)));
    // Where neither side can mate there is nothing to look up.
    assert_eq!(answer("8/8/8/8/8/6K1/8/kb6 w - - 0+0 b"), (-50, None));
    let castling = tables.game().parse_fen("8/8/8/8/8/6k1/8/R3K2q w Q -").unwrap();
    assert!(tables.answer(&castling).unwrap_err().to_string().contains("castling"));
}

#[test]
fn a_table_belongs_to_its_score_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let text = ScoreSheet::DEFAULT_TOML.replace("adjacent = 80", "adjacent = 130");
    let game = Stylish { sheet: Arc::new(ScoreSheet::from_toml(&text).unwrap()) };
    let tables = build(&game, folder.path(), &["KQvK"]);
    assert_eq!(margins(&tables, "KQvK", Color::White, None).0, "130:144508");
    assert_eq!(tables.verify(&"KQvK".parse().unwrap(), &Silent).unwrap().wrong, 0);

    let others = Tablebase::new(Stylish::default(), folder.path());
    let position = others.game().parse_fen("7k/8/8/8/8/8/8/KQ6 w").unwrap();
    let error = others.answer(&position).unwrap_err().to_string();
    let differ = "stylish KQvK (scores.mate.queen.adjacent 130), not of stylish KQvK (scores.mate.queen.adjacent 80)";
    assert!(error.contains(differ), "{error}");
}

fn finale(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("finale").unwrap();
    command.args(args);
    command
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn a_replay_tells_what_every_move_scored_and_why() {
    let game = "[FEN \"4K3/R4Pk1/5p2/3B4/8/8/8/7R w - -\"]\n1. f8=N#\n";
    let text = stdout(finale(&["replay", "stylish", "-"]).write_stdin(game));
    for line in [
        "Rook gives check from a distance 110, line opened 50, safe square g6 taken 70 (230+0)",
        "White mates; points 230 to 0, margin 230",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let text = stdout(finale(&["replay", "stylish", "-"]).write_stdin("1. e4 d5 2. exd5"));
    assert!(text.ends_with("the game goes on, Black to move; points 5 to 0, margin 5 so far\n"));
}

#[test]
fn the_printed_sheet_can_be_edited_and_bad_ones_are_refused() {
    let sheet = stdout(&mut finale(&["info", "--scores"]));
    assert_eq!(sheet, ScoreSheet::DEFAULT_TOML);
    let game = "[FEN \"4K3/R4Pk1/5p2/3B4/8/8/8/7R w - -\"]\n1. f8=N#\n";
    let replay = |sheet: &str| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(sheet.as_bytes()).unwrap();
        let path = file.path().to_str().unwrap().to_owned();
        let output = finale(&["replay", "stylish", "-", "--scores", &path])
            .write_stdin(game)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), text.concat())
    };
    let (code, text) = replay(&sheet.replace("line_opened = 50", "line_opened = 5"));
    assert_eq!(code, Some(0));
    assert!(text.contains("line opened 5, safe square g6 taken 70 (185+0)"), "{text}");
    for (from, to, problem) in [
        ("line_opened = 50", "line_opened = 5.5", "line 36: invalid type: floating point `5.5`"),
        ("line_opened", "line_open", "line 36: unknown field `line_open`, expected one of"),
        ("line_opened = 50", "", "missing field `line_opened`"),
    ] {
        let (code, text) = replay(&sheet.replace(from, to));
        assert_eq!(code, Some(2));
        assert!(text.contains(problem), "{text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    }
}
