//! What was understood where a FEN leaves something out.

use super::say::say;

/// Says on stderr how a FEN was read, `full`, that lacks a field of its game.
pub fn note_left_out(text: &str, full: &str) {
    if leaves_out(text, full) {
        say(format_args!("note: the FEN leaves out a field of this game; read as {full}"));
    }
}

/// Whether a FEN has fewer fields between the en passant square and the counters than it has in
/// its full form.
fn leaves_out(text: &str, full: &str) -> bool {
    let fields = |text: &str| {
        let words = text.split(|c: char| c == '_' || c.is_ascii_whitespace());
        let words = words.filter(|word| !word.is_empty()).skip(4);
        words.filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit())).count()
    };
    fields(text) < fields(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_not_fields_of_the_game() {
        let full = "8/8/8/3k4/8/8/8/K7 w - - 50+50 50 1";
        assert!(leaves_out("8/8/8/3k4/8/8/8/K7 w - - 50", full));
        assert!(leaves_out("8/8/8/3k4/8/8/8/K7", full));
        assert!(!leaves_out("8/8/8/3k4/8/8/8/K7_w_-_-_50+50", full));
        assert!(!leaves_out("8/8/8/3k4/8/8/8/K7 w", "8/8/8/3k4/8/8/8/K7 w - - 0 1"));
    }
}
