//! `--tables`: a folder of tables, or the address of one.

use std::path::Path;

use anyhow::{Result, bail};

use super::args::TablesArgs;
use crate::{
    probe::{TableDirectories, address},
    table::BlockCache,
};

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

#[cfg(feature = "fetch")]
fn remote(address: &str, cache: BlockCache) -> Result<TableDirectories> {
    use crate::fetch::{DiskCache, open};
    Ok(TableDirectories::remote(open(address, DiskCache::usual())?, cache))
}

#[cfg(not(feature = "fetch"))]
fn remote(address: &str, _: BlockCache) -> Result<TableDirectories> {
    bail!(
        "this finale reads no tables by address, such as {address}; install it with `cargo install \
         --features fetch`, or copy the tables"
    )
}
