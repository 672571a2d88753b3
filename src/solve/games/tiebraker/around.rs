//! The tables that exits lead to.

use std::sync::Arc;

use crate::{
    answer::tiebraker::stage::Cell,
    index::{Index, Material},
    rules::{Laws, Tiebraker},
    solve::{
        engine::pages::{Links, PageCache, Paged},
        error::BuildError,
    },
};

/// The tables one turn away from a material, and its own.
pub struct Around {
    /// Their materials.
    pub materials: Vec<Material>,
    /// How their positions are numbered.
    pub indexes: Vec<Arc<Index>>,
    /// From conversions to places among them.
    pub links: Links<usize>,
}

impl Around {
    /// Those around a material.
    ///
    /// # Errors
    /// If one is missing or damaged.
    pub fn new(material: &Material, cache: &PageCache<'_, Cell>) -> Result<Around, BuildError> {
        let mut materials = Tiebraker.successors(material);
        materials.push(*material);
        let indexes = materials.iter().map(|m| cache.index(m)).collect::<Result<_, _>>()?;
        let links = Links::new(&material.men(), &Laws::ORTHODOX, true, |found| {
            materials.iter().position(|m| m == found)
        });
        Ok(Around { materials, indexes, links })
    }
}
