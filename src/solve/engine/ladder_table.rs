//! Tables of games with a ladder, solved slice by slice.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    conversions::Conversions,
    ladder::{self, MIN_WORDS, QuietTurns, Sets},
    ladder_game::LadderGame,
    library::Library,
    scratch::Scratch,
    settle,
    slice::{Slice, Stand},
    values::{Values, structure_groups},
    word::Word,
};
use crate::{
    answer::{
        place::table_sides,
        score::{Score, Store, offer},
    },
    board::{Bitboard, Color},
    index::Material,
    solve::{BuildError, Workbench},
};

/// Solves all slices of a material.
///
/// # Errors
/// If scratch space is lacking.
pub fn solve<G: LadderGame>(
    game: &G,
    material: &Material,
    library: &mut Library<G::Store>,
    bench: &Workbench<'_>,
) -> Result<Arc<Values<G::Store>>, BuildError> {
    let sides = table_sides(material, game.swaps_colors());
    let values = Arc::new(Values::empty(game.index(material), sides));
    library.add(*material, values.clone());
    let conversions = Conversions::new(game, material, library);
    let groups = structure_groups(&values.index);
    bench
        .progress
        .begin(&format!("solving {material}"), groups.iter().map(|g| g.len() as u64).sum());
    for group in groups {
        group.par_iter().try_for_each(|&structure| -> Result<(), BuildError> {
            let slice = conversions.slice(&values.index, structure);
            let cells = solve_slice(game, material, &slice, &conversions, bench)?;
            values.fill(structure, &slice, &cells, Store::NONE, bench.budget)?;
            bench.progress.advance(1);
            Ok(())
        })?;
    }
    Ok(values)
}

/// The scores of a slice's positions, per side to move in the order of its words and lanes.
fn solve_slice<G: LadderGame>(
    game: &G,
    material: &Material,
    slice: &Slice,
    conversions: &Conversions<'_, G>,
    bench: &Workbench<'_>,
) -> Result<[Scratch<G::Store>; 2], BuildError> {
    let legal = ladder::legal_positions(slice);
    let over = if G::ENDS_EARLY { ended(game, slice, &legal) } else { Vec::new() };
    let goes_on = if over.is_empty() { None } else { Some(without(&legal, &over)) };
    let goes_on = goes_on.as_ref().unwrap_or(&legal);
    let bound = game.laws().must_capture.then(|| compelled(slice, conversions, goes_on));
    let quiet = Compelled { turns: game.quiet(), bound };
    let mut cells = [
        bench.budget.array(slice.words() * 64, G::Store::NONE)?,
        bench.budget.array(slice.words() * 64, G::Store::NONE)?,
    ];
    for side in Color::ALL {
        let rows = cells[side.index()].par_chunks_mut(64).with_min_len(MIN_WORDS);
        rows.enumerate().for_each(|(number, row)| {
            let lanes = Bitboard(goes_on[side.index()][number]);
            if lanes.is_empty() {
                return;
            }
            let stand = slice.stand(number).expect("legal lanes stand somewhere");
            let word = Word { slice, stand: &stand, side, lanes };
            let mut meet = |lanes: Bitboard, score: Score| {
                lanes.for_each(|lane| offer(&mut row[lane.number()], side, Store::keep(score)));
            };
            game.leaving(conversions, &word, &mut meet);
            for Ended { score, sets } in &over {
                let targets = &sets[(!side).index()];
                let lanes = quiet.reach(slice, &stand, side, lanes.0, &|word| targets[word]);
                let word = Word { lanes: Bitboard(lanes), ..word };
                if lanes != 0 {
                    game.ending_turns(&word, *score, &mut meet);
                }
            }
            let open = legal[(!side).index()].as_slice();
            finish(game, &quiet, &word, row, open);
        });
    }
    let settled = if over.is_empty() { legal } else { goes_on.clone() };
    settle::settle(slice, &quiet, settled, &mut cells, game.infinite(material));
    for Ended { score, sets } in &over {
        for (cells, set) in cells.iter_mut().zip(sets) {
            for (word, &lanes) in set.iter().enumerate().filter(|&(_, &lanes)| lanes != 0) {
                Bitboard(lanes)
                    .for_each(|lane| cells[word * 64 + lane.number()] = Store::keep(*score));
            }
        }
    }
    Ok(cells)
}

/// Positions in which the game is over with the same score.
struct Ended {
    score: Score,
    sets: Sets,
}

/// The positions of a slice in which the game is over although there may be turns.
fn ended<G: LadderGame>(game: &G, slice: &Slice, legal: &Sets) -> Vec<Ended> {
    let mut ended: Vec<Ended> = Vec::new();
    for side in Color::ALL {
        for (number, &lanes) in legal[side.index()].iter().enumerate().filter(|&(_, &l)| l != 0) {
            let stand = slice.stand(number).expect("legal lanes stand somewhere");
            let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
            game.over(&word, legal, &mut |over, score| {
                let at = ended.iter().position(|ended| ended.score == score);
                let at = at.unwrap_or_else(|| {
                    let sets = [vec![0; slice.words()], vec![0; slice.words()]];
                    ended.push(Ended { score, sets });
                    ended.len() - 1
                });
                ended[at].sets[side.index()][number] |= over.0 & lanes;
            });
        }
    }
    ended
}

/// The positions in which the game goes on.
fn without(legal: &Sets, over: &[Ended]) -> Sets {
    let mut left = legal.clone();
    for Ended { sets, .. } in over {
        for (words, out) in left.iter_mut().zip(sets) {
            words.iter_mut().zip(out).for_each(|(word, out)| *word &= !out);
        }
    }
    left
}

/// The positions in which the side to move must capture.
fn compelled<G: LadderGame>(
    slice: &Slice,
    conversions: &Conversions<'_, G>,
    positions: &Sets,
) -> Sets {
    Color::ALL.map(|side| {
        let lanes = positions[side.index()].par_iter().with_min_len(MIN_WORDS).enumerate();
        let bound = lanes.map(|(number, &lanes)| {
            let stand = slice.stand(number).filter(|_| lanes != 0);
            stand.map_or(0, |stand| {
                let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
                conversions.bound(&word).0
            })
        });
        bound.collect()
    })
}

/// Quiet turns where a side that can capture must.
struct Compelled<T> {
    turns: T,
    /// The positions in which the side to move can capture; none where it need not.
    bound: Option<Sets>,
}

impl<T> Compelled<T> {
    #[inline]
    fn free(&self, side: Color, word: usize) -> u64 {
        self.bound.as_ref().map_or(!0, |bound| !bound[side.index()][word])
    }
}

impl<T: QuietTurns> QuietTurns for Compelled<T> {
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        match wanted & self.free(side, stand.word) {
            0 => 0,
            wanted => self.turns.reach(slice, stand, side, wanted, set),
        }
    }

    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        mut tell: impl FnMut(usize, u64),
    ) {
        self.turns.unmove(slice, stand, side, lanes, |word, lanes| {
            tell(word, lanes & self.free(side, word));
        });
    }
}

/// Gives the lanes without any turn the score of the game's end.
fn finish<G: LadderGame>(
    game: &G,
    quiet: &impl QuietTurns,
    word: &Word<'_>,
    row: &mut [G::Store],
    open: &[u64],
) {
    let &Word { slice, stand, side, lanes } = word;
    let stuck = lanes.filter(|lane| row[lane.number()] == G::Store::NONE).collect::<Bitboard>();
    let ended = stuck & !Bitboard(quiet.reach(slice, stand, side, stuck.0, &|word| open[word]));
    if ended.is_empty() {
        return;
    }
    let checked = slice.checked(stand, side);
    for lane in ended {
        let score = game.terminal(&word.setup(lane).board, side, checked.contains(lane));
        row[lane.number()] = Store::keep(score);
    }
}
