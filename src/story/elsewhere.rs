//! What becomes of the same men in other games whose tables lie in the same folders.

use crate::{
    find::{Query, profile},
    index::Material,
    probe::{ProbeError, TableDirectories, Tablebase},
    progress::Progress,
    registry::{Complete, GameName, Task},
    study::{Remark, Study, grouped},
};

/// Tables with more cells are passed over: a story is not to take much longer than the statistics of
/// its own table.
const LARGEST: u64 = 1 << 24;

/// One sentence for all of them, if there are any.
///
/// # Errors
/// If the work is stopped.
pub fn remark<G: Study>(
    tables: &Tablebase<G>,
    named: &Material,
    progress: &dyn Progress,
) -> Result<Option<Remark>, ProbeError> {
    let mut others = Vec::new();
    for game in GameName::known() {
        if game.name() == tables.game().name() {
            continue;
        }
        let directories = tables.directories().clone();
        match game.usually(SameMen { directories, material: named, progress }) {
            Ok(other) => others.extend(other),
            Err(ProbeError::Stopped) => return Err(ProbeError::Stopped),
            // That a table of another game cannot be used is no matter of this one.
            Err(_) => {}
        }
    }
    Ok(sentence(&others).map(Remark::new))
}

/// What becomes of some men in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Elsewhere {
    title: &'static str,
    white: u64,
    black: u64,
    all: u64,
}

/// Counts for it, if there is a table.
struct SameMen<'a> {
    directories: TableDirectories,
    material: &'a Material,
    progress: &'a dyn Progress,
}

impl Task for SameMen<'_> {
    type Output = Result<Option<Elsewhere>, ProbeError>;

    fn run<G: Complete>(self, game: G) -> Self::Output {
        let tables = Tablebase::on(game, self.directories);
        let game = tables.game();
        if game.named(self.material) != Ok(*self.material) {
            return Ok(None);
        }
        if game.cells(&*tables.reader(self.material)?) > LARGEST {
            return Ok(None);
        }
        let read = |text: &str| Query::condition(game, self.material, text).ok();
        let scope = game.scope(self.material).query.and_then(read);
        let ahead: Vec<Query> = ["value > 0", "value < 0"].into_iter().filter_map(read).collect();
        let kinds = profile(&tables, self.material, scope.as_ref(), &ahead, self.progress)?;
        let count = |bits: u64| kinds.get(&bits).map_or(0, |kind| kind.placements);
        let [even, white, black] = [0, 1, 2].map(count);
        Ok(Some(Elsewhere { title: game.title(), white, black, all: even + white + black }))
    }
}

fn sentence(others: &[Elsewhere]) -> Option<String> {
    let each = others.iter().map(|Elsewhere { title, white, black, all }| {
        let all = grouped(*all);
        match (white, black) {
            (0, 0) => format!("{title} none of {all}"),
            _ => format!("{title} {} and {} of {all}", grouped(*white), grouped(*black)),
        }
    });
    let each = each.collect::<Vec<_>>().join("; ");
    (!each.is_empty()).then(|| {
        format!(
            "In how many positions White and Black come out ahead elsewhere with these men: {each}."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_games_share_a_sentence() {
        assert_eq!(sentence(&[]), None);
        let game = |title, white, black| Elsewhere { title, white, black, all: 1_000 };
        assert_eq!(
            sentence(&[game("Chess", 0, 0), game("High Chess", 600, 400)]).as_deref(),
            Some(
                "In how many positions White and Black come out ahead elsewhere with these men: Chess \
                 none of 1,000; High Chess 600 and 400 of 1,000."
            )
        );
    }
}
