use std::convert::Infallible;

use super::*;
use crate::{answer::place::chess_group, rules::Mode};

/// Hero positions 0, 1, … with their checks, and the answers to checks 100, 101, …
fn game(heroes: &[&[Key]], answers: &[(Key, &[(Key, bool)])]) -> Checks {
    let hero = |(key, checks): (usize, &&[Key])| Hero {
        key: key as Key,
        checks: checks.to_vec(),
        safe: false,
    };
    let answer = |&(to, checks): &(Key, bool)| Answer { to, checks };
    Checks {
        heroes: heroes.iter().enumerate().map(hero).collect(),
        answers: answers.iter().map(|(key, to)| (*key, to.iter().map(answer).collect())).collect(),
    }
}

fn held(checks: &Checks, once: bool) -> Vec<Key> {
    let mut held: Vec<Key> =
        checks.forced(once).iter_ones().map(|at| checks.heroes[at].key).collect();
    held.sort_unstable();
    held
}

#[test]
fn a_perpetual_check_is_found() {
    let circle = game(&[&[100], &[101]], &[(100, &[(1, false)]), (101, &[(0, false)])]);
    assert_eq!(held(&circle, false), [0, 1]);
    assert_eq!(held(&circle, true), [0, 1]);
}

#[test]
fn answering_check_with_check_for_ever_spoils_it() {
    let duel = game(&[&[100], &[101]], &[(100, &[(1, true)]), (101, &[(0, true)])]);
    assert!(held(&duel, false).is_empty());
    assert!(held(&duel, true).is_empty());
    // Once is no harm if the next answer is quiet.
    let once = game(&[&[100], &[101]], &[(100, &[(1, true)]), (101, &[(0, false)])]);
    assert_eq!(held(&once, false), [0, 1]);
}

#[test]
fn one_way_out_is_enough() {
    let checks = game(&[&[100], &[101]], &[(100, &[(0, false), (1, false)])]);
    assert!(held(&checks, false).is_empty());
    assert_eq!(held(&checks, true), [0]);
}

const EVEN: i32 = 0;

fn index(material: &str) -> Index {
    let material = material.parse().expect("a material");
    Index::new(&material, chess_group(&material))
}

fn position(fen: &str) -> TiebrakerPosition {
    Tiebraker.parse_fen(fen).expect("a position")
}

fn answer(value: i32, quiet: Option<u16>) -> TiebrakerAnswer {
    TiebrakerAnswer { points: points_of(value).expect("a value"), distance: None, quiet }
}

/// Tables that say the same of every position but of some.
fn saying(
    usual: TiebrakerAnswer,
    others: &[(&str, TiebrakerAnswer)],
) -> impl Fn(&TiebrakerPosition) -> Result<TiebrakerAnswer, Infallible> + Sync + use<> {
    let others: Vec<_> = others.iter().map(|&(fen, other)| (position(fen), other)).collect();
    move |asked| {
        let same = |other: &&(TiebrakerPosition, _)| other.0.identity() == asked.identity();
        Ok(others.iter().find(same).map_or(usual, |other| other.1))
    }
}

fn look<'a, K>(index: &'a Index, hero: Color, known: &'a K) -> Look<'a, K> {
    Look { index, stage: Stage::NORMAL, hero, known }
}

fn keys<E: Send, K: Fn(&TiebrakerPosition) -> Result<TiebrakerAnswer, E> + Sync>(
    look: &Look<'_, K>,
    fens: &[&str],
) -> Vec<Key> {
    let mut keys: Vec<Key> = fens.iter().map(|fen| look.key(&position(fen))).collect();
    keys.sort_unstable();
    keys
}

fn sorted(mut keys: Vec<Key>) -> Vec<Key> {
    keys.sort_unstable();
    keys
}

/// White can check on the file of the King and on its rank.
const BEFORE: &str = "7k/8/8/8/8/8/8/KR6 w";
const ON_THE_FILE: &str = "7k/8/8/8/8/8/8/K6R b";
const ON_THE_RANK: &str = "1R5k/8/8/8/8/8/8/K7 b";

#[test]
fn a_key_is_a_position_and_images_share_it() {
    let rook = index("KRvK");
    let known = saying(answer(EVEN, None), &[]);
    let game = look(&rook, Color::White, &known);
    let mut met = 0;
    for side in Color::ALL {
        for number in 0..rook.len() {
            let Some(position) = position_of(&rook, Stage::NORMAL, side, number) else { continue };
            let shown = game.position(game.key(&position)).expect("a legal position");
            // Two numbers may be left for positions whose Kings stand symmetrically.
            assert_eq!(game.key(&shown), game.key(&position));
            assert_eq!(shown.setup.to_move, side);
            met += 1;
        }
    }
    assert_eq!(met, 51_044);
    assert_eq!(keys(&game, &[BEFORE]), keys(&game, &["k7/8/8/8/8/8/8/6RK w"]));
    assert_ne!(keys(&game, &[ON_THE_FILE]), keys(&game, &[ON_THE_RANK]));
}

#[test]
fn a_key_keeps_the_chance_to_capture_in_passing() {
    let pawns = index("KPvKP");
    let known = saying(answer(EVEN, None), &[]);
    let game = look(&pawns, Color::White, &known);
    let passing = position("k7/8/8/4Pp2/8/8/8/7K w - f6");
    let mirrored = position("7k/8/8/2pP4/8/8/8/K7 w - c6");
    assert_eq!(game.key(&passing), game.key(&mirrored));
    let shown = game.position(game.key(&passing)).expect("a legal position");
    assert!(shown == passing || shown == mirrored, "{}", Tiebraker.fen(&shown));
    let late = position("k7/8/8/4Pp2/8/8/8/7K w");
    assert_ne!(game.key(&passing), game.key(&late));
}

#[test]
fn where_all_is_even_the_hero_may_check_and_nothing_else() {
    let index = index("KRvK");
    let even = answer(EVEN, None);
    let hero = |others: &[(&str, TiebrakerAnswer)], fen: &str| {
        let known = saying(even, others);
        let game = look(&index, Color::White, &known);
        let Ok(hero) = game.hero(&position(fen), EVEN);
        hero.map(|hero| (sorted(hero.checks), hero.safe))
    };
    let known = saying(even, &[]);
    let game = look(&index, Color::White, &known);
    let both = keys(&game, &[ON_THE_FILE, ON_THE_RANK]);
    assert_eq!(hero(&[], BEFORE), Some((both, false)));
    let worse = answer(-1, Some(0));
    let one = keys(&game, &[ON_THE_RANK]);
    assert_eq!(hero(&[(ON_THE_FILE, worse)], BEFORE), Some((one, false)));
    assert_eq!(hero(&[(ON_THE_FILE, worse), (ON_THE_RANK, worse)], BEFORE), None);
    // A position that is worth something else is none of these.
    assert_eq!(hero(&[(BEFORE, answer(2, None))], BEFORE), None);
}

#[test]
fn a_hero_who_keeps_it_up_uses_up_quiet_moves() {
    let index = index("KRvK");
    let hero = |own: u16, rank: u16| {
        let kept = |quiet| answer(1, Some(quiet));
        let known = saying(kept(0), &[(BEFORE, kept(own)), (ON_THE_RANK, kept(rank))]);
        let game = look(&index, Color::White, &known);
        let Ok(hero) = game.hero(&position(BEFORE), 1);
        let hero = hero.expect("a position of this worth");
        (sorted(hero.checks), hero.safe)
    };
    let known = saying(answer(1, Some(0)), &[]);
    let game = look(&index, Color::White, &known);
    let both = keys(&game, &[ON_THE_FILE, ON_THE_RANK]);
    let file = keys(&game, &[ON_THE_FILE]);
    // No quiet move is left, or none that a check may lead to.
    assert_eq!(hero(0, 0), (both.clone(), false));
    assert_eq!(hero(0, 1), (file, false));
    // One is left: it may be made now or later.
    assert_eq!(hero(1, 1), (both, true));
}

#[test]
fn who_has_no_turn_is_no_hero() {
    let index = index("KRvK");
    let known = saying(answer(EVEN, None), &[]);
    let game = look(&index, Color::Black, &known);
    let Ok(stalemated) = game.hero(&position("k7/1R6/1K6/8/8/8/8/8 b"), EVEN);
    assert!(stalemated.is_none());
}

#[test]
fn the_villain_gets_away_by_what_suits_the_hero_less() {
    let rook = index("KRvK");
    let answers = |after: i32, value: i32, fen: &str| {
        let usual = answer(value, None);
        let known = saying(usual, &[("6k1/8/8/8/8/8/8/K6R w", answer(after, None))]);
        let game = look(&rook, Color::White, &known);
        let Ok(answers) = game.answers(game.key(&position(fen)), value);
        answers.map(|answers| {
            assert!(answers.iter().all(|answer| !answer.checks));
            sorted(answers.iter().map(|answer| answer.to).collect())
        })
    };
    let known = saying(answer(EVEN, None), &[]);
    let game = look(&rook, Color::White, &known);
    let (g8, g7) = ("6k1/8/8/8/8/8/8/K6R w", "8/6k1/8/8/8/8/8/K6R w");
    assert_eq!(answers(EVEN, EVEN, ON_THE_FILE), Some(keys(&game, &[g8, g7])));
    assert_eq!(answers(-1, EVEN, ON_THE_FILE), None);
    // What suits the hero better needs no further look.
    assert_eq!(answers(2, EVEN, ON_THE_FILE), Some(keys(&game, &[g7])));
    // A capture leaves the game: to an even one, or to a perpetual check of the table it leads to.
    let captures = "6Rk/8/8/8/8/8/8/K7 b";
    assert_eq!(answers(EVEN, EVEN, captures), None);
    assert_eq!(answers(1, 1, captures), Some(keys(&game, &["6R1/7k/8/8/8/8/8/K7 w"])));
}

#[test]
fn answers_that_check_are_told_from_quiet_ones() {
    let rooks = index("KRvKR");
    let known = saying(answer(EVEN, None), &[]);
    let game = look(&rooks, Color::White, &known);
    // Off its rank the King uncovers a check of its Rook; along the rank it stays in between.
    let Ok(answers) = game.answers(game.key(&position("r1k3K1/8/8/8/8/8/8/2R5 b")), EVEN);
    let answers = answers.expect("the villain stays");
    let (checks, quiet): (Vec<Answer>, Vec<Answer>) =
        answers.into_iter().partition(|answer| answer.checks);
    let to = |answers: Vec<Answer>| sorted(answers.iter().map(|answer| answer.to).collect());
    let (b7, d7) = ("r5K1/1k6/8/8/8/8/8/2R5 w", "r5K1/3k4/8/8/8/8/8/2R5 w");
    let (b8, d8) = ("rk4K1/8/8/8/8/8/8/2R5 w", "r2k2K1/8/8/8/8/8/8/2R5 w");
    assert_eq!(to(checks), keys(&game, &[b7, d7]));
    assert_eq!(to(quiet), keys(&game, &[b8, d8]));
}

#[test]
fn all_checks_of_a_table_are_collected_with_all_answers() {
    let index = index("KRvK");
    let known = saying(answer(EVEN, None), &[]);
    let game = look(&index, Color::White, &known);
    let Ok(found) = game.collect(EVEN);
    assert!(!found.heroes.is_empty());
    for hero in &found.heroes {
        assert!(!hero.checks.is_empty() && !hero.safe);
    }
    for key in found.heroes.iter().flat_map(|hero| &hero.checks) {
        let position = game.position(*key).expect("a legal position");
        assert_eq!(position.setup.to_move, Color::Black);
        assert!(position.setup.in_check(Color::Black));
        let turns = Tiebraker.turns(&position);
        // Whoever takes the Rook gets away; all else is an answer.
        let gets_away = turns.iter().any(|&turn| converts(&position, turn));
        let answers = found.answers.get(key).map(Vec::len);
        assert_eq!(answers, (!gets_away).then_some(turns.len()));
    }
    // Positions of another worth are none of them.
    let Ok(found) = game.collect(1);
    assert!(found.heroes.is_empty() && found.answers.is_empty());
}

#[test]
fn a_table_that_overlooks_perpetual_checks_is_found_out() {
    // If no Rook could mate, it could still check for ever.
    let Ok(wrong) = mismatches(&index("KRvK"), &saying(answer(EVEN, None), &[]));
    assert!(wrong.iter().any(|(position, _)| position.mode == Mode::Normal));
    for (position, right) in &wrong {
        assert_eq!((position.setup.to_move, *right), (Color::White, answer(1, Some(0))));
    }
}

#[test]
fn a_table_that_claims_impossible_perpetual_checks_is_found_out() {
    let index = index("KNvK");
    let Ok(wrong) = mismatches(&index, &saying(answer(1, Some(0)), &[]));
    assert!(wrong.iter().all(|(_, right)| *right == answer(EVEN, None)));
    // Found out are just those who cannot even begin.
    let mut expected = 0;
    for number in 0..index.len() {
        let Some(position) = position_of(&index, Stage::NORMAL, Color::White, number) else {
            continue;
        };
        let turns = Tiebraker.turns(&position);
        let check = turns.iter().any(|&turn| {
            let after = Tiebraker.play(&position, turn).setup;
            after.in_check(after.to_move)
        });
        expected += usize::from(!turns.is_empty() && !check);
    }
    let found = wrong.iter().filter(|(position, _)| position.mode == Mode::Normal).count();
    assert!(found > 0);
    assert_eq!(found, expected);
}
