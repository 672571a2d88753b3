//! `--tables`: a folder of tables, or the address of one.

use std::path::Path;

use anyhow::{Result, bail};

use super::args::TablesArgs;
use crate::{probe::TableDirectories, table::BlockCache};

impl TablesArgs {
    /// The tables, wherever they are.
    ///
    /// # Errors
    /// If they are at an address that cannot be reached, or this finale reads none.
    pub fn directories(&self, cache: BlockCache) -> Result<TableDirectories> {
        match address(&self.tables) {
            None => Ok(TableDirectories::new(&self.tables, cache)),
            Some(address) => remote(address, cache),
        }
    }

    /// The folder, for what `command` does to whole files.
    ///
    /// # Errors
    /// If it is an address.
    pub fn folder(&self, command: &str) -> Result<&Path> {
        if let Some(address) = address(&self.tables) {
            bail!(
                "`finale {command}` needs a folder, and {address} is an address: copy what is there \
                 first"
            );
        }
        Ok(&self.tables)
    }
}

/// The address that stands where a folder could.
pub fn address(folder: &Path) -> Option<&str> {
    let text = folder.to_str()?;
    (text.starts_with("http://") || text.starts_with("https://")).then_some(text)
}

#[cfg(feature = "fetch")]
fn remote(address: &str, cache: BlockCache) -> Result<TableDirectories> {
    use crate::fetch::{self, DiskCache};
    let kept = match std::env::var_os(CACHE) {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(DiskCache::new(folder, DiskCache::DEFAULT_CAPACITY)),
        None => DiskCache::usual(),
    };
    Ok(TableDirectories::remote(fetch::open(address, kept)?, cache))
}

/// The environment variable that says where bytes from addresses are kept; nowhere if it is empty.
#[cfg(feature = "fetch")]
const CACHE: &str = "FINALE_CACHE";

#[cfg(not(feature = "fetch"))]
fn remote(address: &str, _: BlockCache) -> Result<TableDirectories> {
    bail!(
        "this finale reads no tables by address, such as {address}; install it with `cargo install \
         --features fetch`, or copy the tables"
    )
}
