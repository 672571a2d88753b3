//! The same question to every game there is.

use finale::{
    registry::{Complete, GameName, Task},
    rules::RuleOptions,
};

/// Something to hold of whatever game.
pub trait Question {
    /// Fails if it does not hold.
    fn ask<G: Complete>(&self, game: &G);
}

/// Asks every game of the registry, by its usual rules.
pub fn ask_every_game(question: &impl Question) {
    struct Ask<'q, Q>(&'q Q);

    impl<Q: Question> Task for Ask<'_, Q> {
        type Output = ();

        fn run<G: Complete>(self, game: G) {
            self.0.ask(&game);
        }
    }

    for game in GameName::all() {
        game.play(RuleOptions::none(), Ask(question)).expect("the usual options");
    }
}
