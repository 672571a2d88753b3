//! For which pairs of counters a side wins, in words.

/// More clauses than this are cut in the middle: who wants all of them reads the JSON.
const MOST_CLAUSES: usize = 6;

/// White's condition over a range of its own counters, from `first` to `last`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Clause {
    first: usize,
    last: usize,
    rule: Rule,
}

/// For which of Black's counters White wins.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Rule {
    Never,
    Always,
    /// At most so many.
    AtMost(u8),
    /// At most so many more than White has itself.
    Margin(i16),
}

/// When White wins, where `steps[w - 1]` is the largest counter of Black against which it does with
/// a counter of `w`, 0 for none; both go up to the number of steps.
///
/// `White never wins with 1 to 7 vitality, always with 8 or more.`
pub fn winning(steps: &[u8]) -> String {
    let clauses = clauses(steps);
    let range = |clause: &Clause| match (clause.first, clause.last) {
        (first, last) if first == last => format!("{first}"),
        (first, last) if last == steps.len() => format!("{first} or more"),
        (first, last) => format!("{first} to {last}"),
    };
    match clauses[..] {
        [Clause { rule: Rule::Never, .. }] => return "White wins at no vitality.".to_owned(),
        [Clause { rule: Rule::Always, .. }] => return "White wins at every vitality.".to_owned(),
        [never @ Clause { rule: Rule::Never, .. }, always @ Clause { rule: Rule::Always, .. }] => {
            return format!(
                "White never wins with {} vitality, always with {}.",
                range(&never),
                range(&always)
            );
        }
        _ => {}
    }
    let mut words: Vec<String> = clauses
        .iter()
        .map(|clause| {
            let range = range(clause);
            match clause.rule {
                Rule::Never => format!("never with {range}"),
                Rule::Always => format!("always with {range}"),
                Rule::AtMost(most) => format!("with {range} if Black has at most {most}"),
                Rule::Margin(0) => format!("with {range} if Black has no more than White"),
                Rule::Margin(-1) => format!("with {range} if Black has less than White"),
                Rule::Margin(more @ 1..) => {
                    format!("with {range} if Black has at most {more} more than White")
                }
                Rule::Margin(less) => {
                    format!("with {range} if White has at least {} more than Black", -less)
                }
            }
        })
        .collect();
    if words.len() > MOST_CLAUSES {
        let cut = words.len() - MOST_CLAUSES + 1;
        let tail = words.split_off(MOST_CLAUSES / 2 + cut);
        words.truncate(MOST_CLAUSES / 2);
        words.push(format!("and so on in {cut} more steps"));
        words.extend(tail);
    }
    format!("White wins {}.", words.join("; "))
}

/// The fewest clauses, from the left: each goes as far as a rule holds.
fn clauses(steps: &[u8]) -> Vec<Clause> {
    let full = steps.len();
    let mut clauses = Vec::new();
    let mut first = 1;
    while first <= full {
        let margin = |w: usize| i16::from(steps[w - 1]) - w as i16;
        let level = steps[first - 1];
        let flat = (first..=full).take_while(|&w| steps[w - 1] == level).count();
        let slope = (first..=full).take_while(|&w| margin(w) == margin(first)).count();
        let is_end = level == 0 || usize::from(level) == full;
        let (length, rule) = match level {
            _ if slope > flat && !is_end => (slope, Rule::Margin(margin(first))),
            0 => (flat, Rule::Never),
            _ if is_end => (flat, Rule::Always),
            most => (flat, Rule::AtMost(most)),
        };
        clauses.push(Clause { first, last: first + length - 1, rule });
        first += length;
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(full: u8, step: impl Fn(u8) -> u8) -> Vec<u8> {
        (1..=full).map(step).collect()
    }

    #[test]
    fn few_words_say_who_wins() {
        for (steps, words) in [
            (steps(50, |_| 0), "White wins at no vitality."),
            (steps(50, |_| 50), "White wins at every vitality."),
            (
                steps(50, |w| if w < 8 { 0 } else { 50 }),
                "White never wins with 1 to 7 vitality, always with 8 or more.",
            ),
            (
                steps(50, |w| if w < 4 { 2 } else { w - 1 }),
                "White wins with 1 to 3 if Black has at most 2; with 4 or more if Black has less \
                 than White.",
            ),
            (steps(9, |w| w), "White wins with 1 or more if Black has no more than White."),
            (
                steps(20, |w| w.saturating_sub(5)),
                "White wins never with 1 to 5; with 6 or more if White has at least 5 more than Black.",
            ),
            (
                steps(20, |w| (w + 3).min(20)),
                "White wins with 1 to 17 if Black has at most 3 more than White; always with 18 or more.",
            ),
        ] {
            assert_eq!(winning(&steps), words);
        }
    }

    #[test]
    fn irregular_ranges_are_cut() {
        let words = winning(&steps(50, |w| (w * 3 / 2).min(50)));
        assert!(words.matches(';').count() <= MOST_CLAUSES, "{words}");
        assert!(words.contains("and so on in"), "{words}");
        let all = clauses(&steps(50, |w| w / 2));
        let covered: usize = all.iter().map(|clause| clause.last - clause.first + 1).sum();
        assert_eq!(covered, 50);
    }
}
