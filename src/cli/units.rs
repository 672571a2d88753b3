//! Numbers as people read them.

/// `1 table`, `3 tables`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `512 B`, `1.2 MiB`.
pub fn bytes(n: u64) -> String {
    indicatif::HumanBytes(n).to_string()
}

/// `0.4 s`, `12 s`, `3 min 20 s`, `5 h 12 min`, `3 days 4 h`.
pub fn seconds(s: f64) -> String {
    let whole = s.round() as u64;
    match whole {
        // Adding nothing takes the sign from zero, which `max` may leave.
        _ if s < 9.95 => format!("{:.1} s", s.max(0.0) + 0.0),
        0..120 => format!("{whole} s"),
        120..7_200 => format!("{} min {} s", whole / 60, whole % 60),
        7_200..172_800 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_are_told_in_days() {
        for (s, text) in [
            (-0.0, "0.0 s"),
            (0.44, "0.4 s"),
            (9.96, "10 s"),
            (119.4, "119 s"),
            (119.6, "2 min 0 s"),
            (7_199.0, "119 min 59 s"),
            (7_200.0, "2 h 0 min"),
            (172_800.0, "2 days 0 h"),
            (1_000_000.0, "11 days 13 h"),
        ] {
            assert_eq!(seconds(s), text, "{s}");
        }
    }
}
