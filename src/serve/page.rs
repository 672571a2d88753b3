//! The page: files that are part of the program.

use std::borrow::Cow;

use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};

/// A file of the page.
struct File {
    path: &'static str,
    kind: &'static str,
    content: &'static [u8],
}

macro_rules! files {
    ($($path:literal: $kind:expr),* $(,)?) => {
        /// All of them; nothing else can be read.
        const FILES: &[File] = &[$(File {
            path: $path,
            kind: $kind,
            content: include_bytes!(concat!("page/", $path)),
        }),*];
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

files! {
    "index.html": HTML,
    "style.css": CSS,
    "icon.svg": SVG,
    "robots.txt": TEXT,
    "app.js": SCRIPT,
    "answer.js": SCRIPT,
    "board.js": SCRIPT,
    "chart.js": SCRIPT,
    "chooser.js": SCRIPT,
    "dom.js": SCRIPT,
    "embed.js": SCRIPT,
    "embedded.js": SCRIPT,
    "explorer.js": SCRIPT,
    "fen.js": SCRIPT,
    "finder.js": SCRIPT,
    "focus.js": SCRIPT,
    "help.js": SCRIPT,
    "here.js": SCRIPT,
    "match.js": SCRIPT,
    "men.js": SCRIPT,
    "pages.js": SCRIPT,
    "reader.js": SCRIPT,
    "refused.js": SCRIPT,
    "saved.js": SCRIPT,
    "shapes.js": SCRIPT,
    "source.js": SCRIPT,
    "state.js": SCRIPT,
    "terms.js": SCRIPT,
    "trouble.js": SCRIPT,
    "uci.js": SCRIPT,
    "visit.js": SCRIPT,
    "games/index.js": SCRIPT,
    "games/3check.js": SCRIPT,
    "games/antichess.js": SCRIPT,
    "games/atomic.js": SCRIPT,
    "games/gardner.js": SCRIPT,
    "games/high.js": SCRIPT,
    "games/knightmate.js": SCRIPT,
    "games/koth.js": SCRIPT,
    "games/losalamos.js": SCRIPT,
    "games/makruk.js": SCRIPT,
    "games/noro.js": SCRIPT,
    "games/orphic.js": SCRIPT,
    "games/orthodox.js": SCRIPT,
    "games/racingkings.js": SCRIPT,
    "games/stylish.js": SCRIPT,
    "games/tiebraker.js": SCRIPT,
}

/// The page itself.
const FRONT: &str = include_str!("page/index.html");

/// Whether a path without its first slash is that of the page itself.
pub fn is_front(path: &str) -> bool {
    ["", "index.html"].contains(&path)
}

/// The page itself, with these lines in its head in place of the title and the description.
pub fn front(head: &str) -> Response {
    let parts = FRONT.split_once("  <title>");
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once("  <link ")?.1)));
    let (before, after) = parts.unwrap_or_default();
    ([(header::CONTENT_TYPE, HTML)], format!("{before}{head}  <link {after}")).into_response()
}

/// The file of a path without its first slash.
pub fn file(path: &str) -> Option<Response> {
    let path = match path {
        _ if is_front(path) => "index.html",
        // What browsers ask for where no page says which.
        "favicon.ico" => "icon.svg",
        other => other,
    };
    let file = FILES.iter().find(|file| file.path == path)?;
    let content = Bytes::from_static(file.content);
    Some(([(header::CONTENT_TYPE, file.kind)], content).into_response())
}

/// What browsers may do with a page, by what may run there: it loads nothing from elsewhere.
macro_rules! policy {
    ($scripts:literal) => {
        concat!(
            "default-src 'none'; script-src ",
            $scripts,
            "; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; ",
            "form-action 'none'"
        )
    };
}

/// All that browsers may do with a page of a server but who may show it within another.
pub const POLICY: &str = policy!("'self'");

/// What a page without a server does not have, and what it has instead: it runs the library, and says
/// where its tables are. What a server says in headers stands in it.
const ALONE: [(&str, &str); 3] = [
    (
        "  <link rel=\"icon\"",
        concat!(
            "  <meta http-equiv=\"Content-Security-Policy\" content=\"",
            policy!("'self' 'wasm-unsafe-eval'; worker-src 'self'"),
            "\">\n  <meta name=\"referrer\" content=\"no-referrer\">\n  ",
            "<meta name=\"tables\" content=\"tables/\">\n  <link rel=\"icon\"",
        ),
    ),
    (
        "<a href=\"api/v1/openapi.json\">Interface for programs</a>",
        "<a href=\"tables/index.json\">The tables of this page</a>",
    ),
    (" Programs can ask the server at /api/v1 without it.", ""),
];

/// The files of a page that needs no server: paths and contents.
pub fn files_alone() -> impl Iterator<Item = (&'static str, Cow<'static, [u8]>)> {
    FILES.iter().map(|file| match file.path {
        "index.html" => {
            let text = String::from_utf8_lossy(file.content).into_owned();
            let text = ALONE.iter().fold(text, |text, (with, alone)| text.replacen(with, alone, 1));
            (file.path, text.into_bytes().into())
        }
        path => (path, file.content.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/page");
        for part in ["", "games/"] {
            for entry in std::fs::read_dir(folder.join(part)).expect("a folder") {
                let entry = entry.expect("an entry");
                let path = format!("{part}{}", entry.file_name().to_string_lossy());
                let served = FILES.iter().any(|file| file.path == path);
                assert!(served || entry.path().is_dir(), "{path}");
            }
        }
    }

    #[test]
    fn a_page_alone_says_where_its_tables_are_and_names_no_server() {
        let (_, page) = files_alone().find(|(path, _)| *path == "index.html").expect("a page");
        let page = String::from_utf8(page.into_owned()).expect("text");
        assert!(page.contains("<meta name=\"tables\" content=\"tables/\">"), "{page}");
        assert!(!page.contains("href=\"api/"), "{page}");
    }

    #[test]
    fn the_page_has_no_script_or_style_in_it_and_loads_nothing_from_elsewhere() {
        for file in FILES {
            let text = std::str::from_utf8(file.content).expect("text");
            let elsewhere = text
                .match_indices("://")
                .map(|(at, _)| &text[at..text.len().min(at + 20)])
                .find(|address| !address.starts_with("://www.w3.org/"));
            assert_eq!(elsewhere, None, "{}", file.path);
            if file.kind == HTML {
                assert!(!text.contains("<style") && !text.contains(" style="), "{}", file.path);
                assert!(!text.contains("<script>") && !text.contains(" on"), "{}", file.path);
            }
        }
    }
}
