//! The tables that come with the repository against samples of independent solvers.

use finale::{
    probe::Tablebase,
    rules::{Elks, Noro, Orphic, Rooks, Stylish, Tiebraker},
    study::Study,
};

use crate::common::samples;

fn shipped<G: Study + Default>(samples: &str) {
    let tables = Tablebase::new(G::default(), concat!(env!("CARGO_MANIFEST_DIR"), "/tables"));
    samples::compare(&tables, samples);
}

#[test]
fn noro() {
    shipped::<Noro>(include_str!("../data/noro/samples.tsv"));
}

#[test]
fn tiebraker() {
    shipped::<Tiebraker>(include_str!("../data/tiebraker/samples.tsv"));
}

#[test]
fn orphic() {
    shipped::<Orphic<Rooks>>(include_str!("../data/orphic/samples.tsv"));
}

#[test]
fn orphic_with_elks() {
    shipped::<Orphic<Elks>>(include_str!("../data/orphic-elks/samples.tsv"));
}

#[test]
fn stylish() {
    shipped::<Stylish>(include_str!("../data/stylish/samples.tsv"));
}
