//! Random small graphs against a solver that tries every strategy.
//!
//! In parity games both players need no memory: if the hero can win, then with one fixed turn for
//! each position. So the judge here lists all such strategies, and asks of each whether the
//! villain can spoil it by walking to a bad exit or round a bad circle. It knows no fixpoint.

use proptest::prelude::*;

use super::*;

/// A position of a random graph.
#[derive(Clone, Debug)]
struct Node {
    /// Whether its mover is in check, so that every turn to it gives check.
    checked: bool,
    /// Positions of the other player it has turns to.
    turns: Vec<usize>,
    /// The best turn out of the graph for its mover: the value for White, −1 to 1, and the level
    /// of a perpetual check.
    exit: Option<(i32, u16)>,
}

/// A graph: White's positions and Black's. Every third lane is used, so that there are several
/// words.
type Graph = [Vec<Node>; 2];

const LANES: usize = 3;

struct OnGraph<'a>(&'a Graph);

fn bit(node: usize) -> (usize, u64) {
    (node / LANES, 1 << (node % LANES * 20))
}

fn words(graph: &Graph) -> usize {
    graph.iter().map(|nodes| nodes.len().div_ceil(LANES)).max().unwrap_or(0)
}

impl Arena for OnGraph<'_> {
    fn words(&self) -> usize {
        words(self.0)
    }

    fn reach(
        &self,
        word: usize,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        let nodes = self.0[side.index()].iter().enumerate();
        let reaching = nodes.filter(|(at, node)| {
            bit(*at).0 == word
                && node.turns.iter().any(|&to| {
                    let (word, lane) = bit(to);
                    set(word) & lane != 0
                })
        });
        wanted & reaching.fold(0, |lanes, (at, _)| lanes | bit(at).1)
    }
}

fn set(graph: &Graph, keep: impl Fn(&Node) -> bool) -> Sets {
    [0, 1].map(|side| {
        let mut lanes = vec![0; words(graph)];
        for (at, _) in graph[side].iter().enumerate().filter(|(_, node)| keep(node)) {
            lanes[bit(at).0] |= bit(at).1;
        }
        lanes
    })
}

/// The level of every position the hero wins, by the solver.
fn by_fixpoint(graph: &Graph, hero: Color) -> [Vec<Option<u16>>; 2] {
    let seen = |value: i32| if hero == Color::White { value } else { -value };
    let mut question = Question {
        hero,
        open: &set(graph, |_| true),
        checked: &set(graph, |node| node.checked),
        wins: ExitsByLevel::new(),
        blocked: vec![0; words(graph)],
        delays: ExitsByLevel::new(),
    };
    for side in Color::ALL {
        for (at, node) in graph[side.index()].iter().enumerate() {
            let Some((value, level)) = node.exit else { continue };
            match seen(value) {
                1 if side == hero => question.wins.entry(level).or_default().push(bit(at)),
                1 => question.delays.entry(level).or_default().push(bit(at)),
                _ if side != hero => question.blocked[bit(at).0] |= bit(at).1,
                _ => {}
            }
        }
    }
    let mut levels = [0, 1].map(|side: usize| vec![None; graph[side].len()]);
    solve(&OnGraph(graph), question, |level, won| {
        for side in 0..2 {
            for (at, found) in levels[side].iter_mut().enumerate() {
                if won[side][bit(at).0] & bit(at).1 != 0 {
                    assert_eq!(*found, None, "won once");
                    *found = Some(level);
                }
            }
        }
    });
    levels
}

/// What the hero does in a position: take the exit, or one of the turns.
type Choice = Option<usize>;

/// The level of every position the hero wins with these choices.
fn by_strategy(graph: &Graph, hero: Color, choices: &[Choice]) -> [Vec<Option<u16>>; 2] {
    let h = hero.index();
    let seen = |value: i32| if hero == Color::White { value } else { -value };
    let successors = |side: usize, at: usize| match (side == h, choices.get(at)) {
        (true, Some(&Some(turn))) => vec![graph[h][at].turns[turn]],
        (true, _) => vec![],
        (false, _) => graph[1 - h][at].turns.clone(),
    };
    let all: Vec<(usize, usize)> =
        (0..2).flat_map(|side| (0..graph[side].len()).map(move |at| (side, at))).collect();
    // Which positions can be reached from which, by at least one turn.
    let walk = |from: (usize, usize), only_checks: bool| {
        let mut met: Vec<(usize, usize)> = Vec::new();
        let mut left = vec![from];
        while let Some((side, at)) = left.pop() {
            for to in successors(side, at) {
                let next = (1 - side, to);
                let allowed = !only_checks || graph[next.0][next.1].checked;
                if allowed && !met.contains(&next) {
                    met.push(next);
                    left.push(next);
                }
            }
        }
        met
    };
    let spoils = |&(side, at): &(usize, usize)| {
        // A bad exit, a circle with a quiet move of the hero, or one of nothing but checks.
        let node = &graph[side][at];
        let exits = if side == h { choices[at].is_none() } else { node.exit.is_some() };
        let bad_exit = exits && node.exit.is_none_or(|(value, _)| seen(value) < 1);
        let quiet_circle = side == h
            && successors(side, at).into_iter().any(|to| {
                !graph[1 - h][to].checked && walk((1 - h, to), false).contains(&(side, at))
            });
        bad_exit || quiet_circle || walk((side, at), true).contains(&(side, at))
    };
    let mut levels = [0, 1].map(|side: usize| vec![None; graph[side].len()]);
    for &start in &all {
        let mut reached = walk(start, false);
        reached.push(start);
        if !reached.iter().any(spoils) {
            levels[start.0][start.1] = Some(0);
        }
    }
    // The most quiet moves of the hero on any way; there are none on circles.
    loop {
        let mut changed = false;
        for &(side, at) in &all {
            let Some(old) = levels[side][at] else { continue };
            let node = &graph[side][at];
            let own = usize::from(side == h);
            let exits = if side == h { choices[at].is_none() } else { true };
            let exit = node.exit.filter(|_| exits).map(|(_, level)| level);
            let turns = successors(side, at).into_iter().map(|to| {
                let quiet = own == 1 && !graph[1 - side][to].checked;
                levels[1 - side][to].expect("won after every turn") + u16::from(quiet)
            });
            let level = turns.chain(exit).max().unwrap_or(0);
            changed |= level != old;
            levels[side][at] = Some(level);
        }
        if !changed {
            return levels;
        }
    }
}

/// The level of every position the hero wins, over all strategies.
fn by_force(graph: &Graph, hero: Color) -> [Vec<Option<u16>>; 2] {
    let h = hero.index();
    let options: Vec<Vec<Choice>> = graph[h]
        .iter()
        .map(|node| {
            let exit = node.exit.is_some().then_some(None);
            (0..node.turns.len()).map(Some).chain(exit).collect()
        })
        .collect();
    let mut best = [0, 1].map(|side: usize| vec![None; graph[side].len()]);
    let count: usize = options.iter().map(Vec::len).product();
    for mut number in 0..count {
        let choices: Vec<Choice> = options
            .iter()
            .map(|options| {
                let choice = options[number % options.len()];
                number /= options.len();
                choice
            })
            .collect();
        for (best, found) in best.iter_mut().zip(by_strategy(graph, hero, &choices)) {
            for (best, found) in best.iter_mut().zip(found) {
                *best = match (*best, found) {
                    (Some(a), Some(b)) => Some(u16::min(a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
    }
    best
}

fn nodes(count: usize, others: usize) -> impl Strategy<Value = Vec<Node>> {
    let exit = proptest::option::weighted(0.2, (-1..=1i32, 0..4u16));
    let node = (any::<bool>(), proptest::collection::vec(0..others, 0..=3), exit, 0..others);
    let node = node.prop_map(|(checked, mut turns, exit, spare)| {
        turns.sort_unstable();
        turns.dedup();
        if turns.is_empty() && exit.is_none() {
            turns.push(spare);
        }
        Node { checked, turns, exit }
    });
    proptest::collection::vec(node, count)
}

fn graphs() -> impl Strategy<Value = Graph> {
    (1..=6usize, 1..=6usize)
        .prop_flat_map(|(white, black)| (nodes(white, black), nodes(black, white)))
        .prop_map(|(white, black)| [white, black])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn fixpoints_agree_with_trying_every_strategy(graph in graphs()) {
        for hero in Color::ALL {
            prop_assert_eq!(by_fixpoint(&graph, hero), by_force(&graph, hero), "{:?}", hero);
        }
    }
}

/// A graph of White's nodes and Black's: (checked, turns).
fn graph(white: &[(bool, &[usize])], black: &[(bool, &[usize])]) -> Graph {
    [white, black].map(|nodes| {
        let node = |&(checked, turns): &(bool, &[usize])| Node {
            checked,
            turns: turns.to_vec(),
            exit: None,
        };
        nodes.iter().map(node).collect()
    })
}

#[test]
fn perpetual_check_is_kept_up_against_every_answer() {
    // White checks for ever; Black's answers are quiet.
    let pure = graph(&[(false, &[0])], &[(true, &[0])]);
    assert_eq!(by_fixpoint(&pure, Color::White), [vec![Some(0)], vec![Some(0)]]);
    assert_eq!(by_fixpoint(&pure, Color::Black), [vec![None], vec![None]]);
    // Black's answers check too: nobody's perpetual check.
    let both = graph(&[(true, &[0])], &[(true, &[0])]);
    for hero in Color::ALL {
        assert_eq!(by_fixpoint(&both, hero), [vec![None], vec![None]]);
    }
    // One quiet move, which every answer allows, and then checks.
    let late = graph(&[(false, &[1]), (false, &[0])], &[(true, &[1]), (false, &[1])]);
    let levels = by_fixpoint(&late, Color::White);
    assert_eq!(levels, [vec![Some(1), Some(0)], vec![Some(0), Some(0)]]);
}
