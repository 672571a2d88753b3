use super::*;

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
        answers: answers
            .iter()
            .map(|(key, to)| (*key, to.iter().map(answer).collect()))
            .collect(),
    }
}

fn held(checks: &Checks, once: bool) -> Vec<Key> {
    let mut held: Vec<Key> = checks.forced(once).into_keys().collect();
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
