//! How much memory building a table takes, and how it is shared out.

use rustc_hash::FxHashSet;

use crate::{
    index::Material,
    solve::engine::{
        pages::{PageCell, Paged},
        slice::Slice,
    },
    table::WriterOptions,
};

/// What every build takes, about, however small the table: the program, its threads' stacks and
/// what allocators keep.
const BASE: u64 = 16 << 20;

/// What packing takes on two cores at the default level, where each of them has a whole block:
/// twice the block, its bounds and the search for repeats.
const PACKING: u64 = 8 << 20;

/// What `--memory` is shared out in.
const SIXTEENTHS: u64 = 16;

/// The sixteenths of the page cache: what is looked into, put right, takes more than a slice.
const PAGES_SHARE: u64 = 7;

/// The sixteenths of slices while they are solved, and of packed pages until they are written.
const SLICES_SHARE: u64 = 5;

/// The sixteenths of unpacked blocks of files, which whoever opens the table directories sets.
const BLOCKS_SHARE: u64 = 2;

/// The sixteenths left for what is not counted: indices, palettes, dictionaries, packers.
const UNACCOUNTED_SHARE: u64 = 2;

const _: () = assert!(
    PAGES_SHARE + SLICES_SHARE + BLOCKS_SHARE + UNACCOUNTED_SHARE == SIXTEENTHS,
    "all of the memory is shared out, and no more"
);

/// Slices are solved together up to so many numbers, whatever the memory: fewer would not keep two
/// threads busy between two looks at the page cache.
pub const BATCH: u64 = 1 << 20;

/// A round of look-ups takes this part of the page cache, so that the pages of the next round find
/// room before those of this one are dropped.
const ROUNDS_A_CACHE: u64 = 2;

/// The memory that solving part by part takes, in bytes.
pub struct MemoryNeed {
    /// With as much as it can use.
    pub memory: u64,
    /// At least, to keep to what is allowed.
    pub least: u64,
}

/// How much memory the table of a material takes, about, whose slices take so many bits for each
/// number while they are solved, up to `together` numbers at a time.
pub fn memory_need<C: PageCell>(
    game: &dyn Paged<Cell = C>,
    material: &Material,
    together: u64,
    bits_a_number: u64,
) -> MemoryNeed {
    let slice = game.slice_numbers(material);
    // Like men have more lanes than numbers where one of them runs.
    let lanes = Slice::lanes(&material.men(), game.group(material), &game.laws());
    let page = |material: &Material| game.slice_numbers(material) * size_of::<C>() as u64;
    let around = game.successors(material);
    let largest = around.iter().map(page).fold(page(material), u64::max);
    let structures = |material: &Material| game.numbers(material) / game.slice_numbers(material);
    let slices = (BATCH / slice).clamp(1, structures(material).max(1));
    // At most so many of a table in each of its modes and for each slice of a batch: a pawn has up
    // to four captures and promotions into it. Where both sides have pawns, what these lead to is
    // looked into with one side to move: who has promoted is not.
    let pages = |material: &Material, most: u64, share: u64| {
        let most = most * game.modes(material) as u64;
        most.min(structures(material) * sections(game, material) / share) * page(material)
    };
    // With pawns also its own pages, of which those of four batches before stay.
    let own = if material.has_pawns() { pages(material, 4 * 4 * slices, 1) } else { 0 };
    let (behind, share) = match material.has_pawns_on_both_sides() {
        true => (behind(game, &around), 2),
        false => (Vec::new(), 1),
    };
    let around = around.iter().map(|material| pages(material, 4 * slices, share));
    let behind = behind.iter().map(|material| pages(material, 4 * slices, 1));
    let pages = own + around.sum::<u64>() + behind.sum::<u64>();
    let together = slice.max(together).min(game.numbers(material));
    let block = WriterOptions::default().block_len as u64;
    let packing = if game.numbers(material) < 2 * block { 0 } else { PACKING };
    let slices = lanes * bits_a_number / 8;
    MemoryNeed {
        memory: BASE + packing + together.div_ceil(slice) * slices + pages,
        least: BASE.max(match single_slice_pages(game, material) {
            Some(pages) => (slices + pages) * SIXTEENTHS / (PAGES_SHARE + SLICES_SHARE),
            // A round has room for two pages.
            None => {
                let pages = ROUNDS_A_CACHE * 2 * largest * SIXTEENTHS / PAGES_SHARE;
                pages.max(slices * SIXTEENTHS / SLICES_SHARE)
            }
        }),
    }
}

/// How many sections a table has: one for each mode and side to move.
pub(super) fn sections<C: PageCell>(game: &dyn Paged<Cell = C>, material: &Material) -> u64 {
    (0..game.modes(material)).map(|mode| game.sides(material, mode).len() as u64).sum()
}

/// The materials behind some: where captures and promotions are left out, what they lead to is
/// looked up too. They are the other side's, so without its pawns there is little behind.
pub(super) fn behind<C: PageCell>(
    game: &dyn Paged<Cell = C>,
    around: &[Material],
) -> Vec<Material> {
    let mut met: FxHashSet<Material> = around.iter().copied().collect();
    let mut behind = Vec::new();
    let mut left = around.to_vec();
    while let Some(material) = left.pop() {
        if !game.leaves_out(&material) {
            continue;
        }
        for after in game.successors(&material) {
            if met.insert(after) {
                behind.push(after);
                left.push(after);
            }
        }
    }
    behind
}

/// The room for all pages of a table that is one slice of one mode, so that it meets all turns in
/// one round; `None` for other tables.
fn single_slice_pages<C: PageCell>(game: &dyn Paged<Cell = C>, material: &Material) -> Option<u64> {
    if material.has_pawns() || game.modes(material) > 1 {
        return None;
    }
    let pages = |material: &Material| -> u64 {
        sections(game, material) * game.numbers(material) * size_of::<C>() as u64
    };
    let around: u64 = game.successors(material).iter().map(pages).sum();
    let own = if game.writes_slice() { 0 } else { pages(material) };
    Some(ROUNDS_A_CACHE * (around + own))
}

/// How much of the memory pages have, and how much slices.
pub(super) fn shares<C: PageCell>(
    game: &dyn Paged<Cell = C>,
    material: &Material,
    memory: u64,
) -> (u64, u64) {
    let (pages, slices) = (memory / SIXTEENTHS * PAGES_SHARE, memory / SIXTEENTHS * SLICES_SHARE);
    match single_slice_pages(game, material) {
        // What these leave is the slice's.
        Some(most) if most < pages => (most, pages + slices - most),
        _ => (pages, slices),
    }
}
