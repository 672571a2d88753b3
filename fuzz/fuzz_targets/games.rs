//! What the targets share.

/// Calls a function for every game, with its default options.
#[macro_export]
macro_rules! every_game {
    ($check:ident, $($argument:expr),*) => {{
        use finale::rules::{Elks, High, Noro, Orphic, Orthodox, Rooks, Stylish, Tiebraker};
        $check(&Orthodox, $($argument),*);
        $check(&High::default(), $($argument),*);
        $check(&Noro::default(), $($argument),*);
        $check(&Orphic::<Rooks>::default(), $($argument),*);
        $check(&Orphic::<Elks>::default(), $($argument),*);
        $check(&Stylish::default(), $($argument),*);
        $check(&Tiebraker::default(), $($argument),*);
    }};
}
