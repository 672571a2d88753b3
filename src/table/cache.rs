//! Blocks that were unpacked lately.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use quick_cache::{Weighter, sync::Cache};
use rustc_hash::FxBuildHasher;

/// What keeping a block costs beside its bytes.
const OVERHEAD: u64 = 64;

/// A bounded store of unpacked blocks. Clones share it, so that one bound holds for all tables of
/// a directory.
#[derive(Clone)]
pub struct BlockCache {
    blocks: Arc<Cache<BlockKey, Arc<[u8]>, ByBytes, FxBuildHasher>>,
}

/// A block of any section of any open table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BlockKey {
    pub(super) section: u64,
    pub(super) block: u64,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<BlockKey, Arc<[u8]>> for ByBytes {
    fn weight(&self, _: &BlockKey, block: &Arc<[u8]>) -> u64 {
        block.len() as u64 + OVERHEAD
    }
}

impl BlockCache {
    /// The capacity unless another is asked for, in bytes.
    pub const DEFAULT_CAPACITY: u64 = 64 << 20;

    /// A cache for so many bytes of unpacked blocks.
    pub fn new(capacity: u64) -> BlockCache {
        // The count is only a hint for the first allocation.
        let blocks = usize::try_from(capacity >> 14).unwrap_or(usize::MAX).clamp(16, 1 << 16);
        let cache = Cache::with(blocks, capacity, ByBytes, FxBuildHasher, Default::default());
        BlockCache { blocks: Arc::new(cache) }
    }

    /// The bytes it holds now.
    pub fn bytes(&self) -> u64 {
        self.blocks.weight()
    }

    pub(super) fn get(&self, key: BlockKey) -> Option<Arc<[u8]>> {
        self.blocks.get(&key)
    }

    pub(super) fn insert(&self, key: BlockKey, block: Arc<[u8]>) {
        self.blocks.insert(key, block);
    }
}

impl Default for BlockCache {
    fn default() -> BlockCache {
        BlockCache::new(BlockCache::DEFAULT_CAPACITY)
    }
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockCache")
            .field("capacity", &self.blocks.capacity())
            .field("bytes", &self.bytes())
            .finish()
    }
}

/// Numbers for `count` sections that no other open table has.
pub(super) fn section_ids(count: usize) -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(count as u64, Ordering::Relaxed)
}
