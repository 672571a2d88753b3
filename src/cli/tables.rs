//! `--tables`: a folder of tables, or the address of one.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{
    args::{TablesArgs, WholeTablesArgs},
    build::free_memory,
};
use crate::{
    answer::Tabled,
    probe::{RemoteFolder, TableDirectories, Tablebase, address},
    table::BlockCache,
};

impl TablesArgs {
    /// The tables, wherever they are.
    ///
    /// # Errors
    /// If they are at an address that cannot be reached, or this finale reads none.
    pub fn directories(&self, cache: BlockCache) -> Result<TableDirectories> {
        directories(std::slice::from_ref(&self.tables), cache)
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

impl WholeTablesArgs {
    /// The tables of a game, wherever they are.
    ///
    /// # Errors
    /// If they are at an address that cannot be reached, or this finale reads none.
    pub fn of<G: Tabled>(&self, game: G) -> Result<Tablebase<G>> {
        let directories = self.tables.directories(BlockCache::default())?;
        let memory = self.memory.unwrap_or_else(free_memory);
        Ok(Tablebase::on(game, directories).with_memory(memory))
    }
}

/// The tables in some folders or at addresses, which are looked into in this order; those in the
/// current folder if there are none.
///
/// # Errors
/// If an address cannot be reached, or this finale reads none.
pub fn directories(folders: &[PathBuf], cache: BlockCache) -> Result<TableDirectories> {
    let (first, others) = match folders {
        [first, others @ ..] => (first.as_path(), others),
        [] => (Path::new(""), &[][..]),
    };
    let first = match address(first) {
        None => TableDirectories::new(first, cache),
        Some(address) => TableDirectories::remote(remote(address)?, cache),
    };
    others.iter().try_fold(first, |all, folder| {
        Ok(match address(folder) {
            None => all.and(folder),
            Some(address) => all.and_remote(remote(address)?),
        })
    })
}

#[cfg(feature = "fetch")]
fn remote(address: &str) -> Result<RemoteFolder> {
    use crate::fetch::{DiskCache, open};
    Ok(open(address, DiskCache::usual())?)
}

#[cfg(not(feature = "fetch"))]
fn remote(address: &str) -> Result<RemoteFolder> {
    bail!(
        "this finale reads no tables by address, such as {address}; install it with `cargo install \
         --features fetch`, or copy the tables"
    )
}
