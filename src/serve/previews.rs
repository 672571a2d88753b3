//! What is shown of a link elsewhere: a title, a sentence and a picture, in the head of the page.

use std::{fmt::Write, sync::Arc};

use axum::{
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{page, picture::board_png, site::Site};
use crate::{
    board::Color,
    explore::{EXAMPLE_FEN, Explorer, Query, Refusal, Shown},
    index::Material,
    study::board_svg,
};

/// What a value in an address may have as it is.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'/');

/// `GET /api/v1/{game}/picture.svg?fen=…`
pub async fn svg(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    query: Query,
) -> Result<Response, Refusal> {
    let drawn = draw(&site, &game, &query, |shown, seen_by| Ok(board_svg(&shown.board, seen_by)));
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn.await?).into_response())
}

/// `GET /api/v1/{game}/picture.png?fen=…`
pub async fn png(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    query: Query,
) -> Result<Response, Refusal> {
    let drawn = draw(&site, &game, &query, |shown, seen_by| {
        let words = "a man here has no outline to draw; ask for picture.svg";
        board_png(&shown.board, seen_by).ok_or_else(|| Refusal::Unknown(words.to_owned()))
    });
    Ok(([(header::CONTENT_TYPE, "image/png")], drawn.await?).into_response())
}

async fn draw<T: Send + 'static>(
    site: &Site,
    game: &str,
    query: &Query,
    draw: fn(&Shown, Color) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let fen = query.need("fen", EXAMPLE_FEN)?.to_owned();
    let seen_by = match query.get("side") {
        None | Some("white") => Color::White,
        Some("black") => Color::Black,
        Some(other) => {
            return Err(Refusal::Wrong(format!("`side` is white or black, not `{other}`")));
        }
    };
    let explorer = site.explorer(game)?;
    let task = Box::new(move || draw(&explorer.shown(&fen)?, seen_by));
    site.crew.look_up(&site.metrics, task).await
}

/// The page, with what previews of its address show.
pub async fn front(site: &Site, query: &Query) -> Response {
    let address = site.address.as_deref().unwrap_or_default();
    let game = query.get("game").and_then(|game| site.explorer(game).ok());
    let Some(explorer) = game else { return page::front(&Preview::home().head(address)) };
    let fen = query.get("fen").map(str::to_owned);
    let is_position = query.get("table").or(query.get("about")).is_none();
    let asked = fen.filter(|_| is_position).unwrap_or_else(|| explorer.initial());
    let shown = {
        let explorer = explorer.clone();
        let task = Box::new(move || explorer.shown(&asked));
        site.crew.look_up(&site.metrics, task).await.ok()
    };
    let preview = Preview::of(&*explorer, query, shown.as_ref());
    page::front(&preview.head(address))
}

/// What is shown of an address.
struct Preview {
    /// The title of the page.
    title: String,
    /// The title of a preview.
    heading: String,
    /// A sentence.
    words: String,
    /// The question mark of the address, and what follows it.
    query: String,
    /// Where a picture is.
    picture: Option<String>,
}

impl Preview {
    fn home() -> Preview {
        Preview {
            title: "finale: endgames, looked up".to_owned(),
            heading: "finale: endgames, looked up".to_owned(),
            words: "Perfect play in endgames of chess and of games that bend it: who wins, how \
                    fast, and what every turn is worth."
                .to_owned(),
            query: String::new(),
            picture: None,
        }
    }

    /// That of a page of a game, with a position that it shows, or that stands for it.
    fn of(explorer: &dyn Explorer, query: &Query, shown: Option<&Shown>) -> Preview {
        let (name, title) = (explorer.name(), explorer.title());
        let escaped = |text: &str| utf8_percent_encode(text, &PLAIN).to_string();
        let picture = shown.map(|shown| {
            let kind = if shown.has_outlines() { "png" } else { "svg" };
            let fen = escaped(&shown.fen.replace(' ', "_"));
            format!("api/v1/{name}/picture.{kind}?fen={fen}")
        });
        let table = query.get("table").filter(|table| table.parse::<Material>().is_ok());
        let (heading, words, more) = if let Some(table) = table {
            let words = format!("All positions of {table}: who wins, how long it takes, and more.");
            (format!("{table} · {title}"), words, format!("&table={}", escaped(table)))
        } else if query.get("about").is_some() {
            let words = format!("The rules of {title} in short, and the tables there are.");
            (title.to_owned(), words, "&about".to_owned())
        } else if let Some((shown, _)) = shown.zip(query.get("fen")) {
            let brief = shown.brief.as_deref();
            let heading =
                brief.map_or_else(|| title.to_owned(), |brief| format!("{brief} · {title}"));
            let fen = escaped(&shown.fen.replace(' ', "_"));
            (heading, format!("{} to move: {}", shown.to_move, shown.fen), format!("&fen={fen}"))
        } else {
            let words =
                format!("Perfect play in endgames of {title}, every turn with what it costs.");
            (title.to_owned(), words, String::new())
        };
        let query = format!("?game={name}{more}");
        let title = format!("{} · finale", if table.is_some() { &heading } else { title });
        Preview { title, heading, words, query, picture }
    }

    /// The lines for the head of the page at an address.
    fn head(&self, address: &str) -> String {
        let Preview { title, heading, words, query, picture } = self;
        let mut head = format!("  <title>{}</title>\n", in_html(title));
        let mut meta = |kind: &str, name: &str, content: &str| {
            let content = in_html(content);
            let _ = writeln!(head, "  <meta {kind}=\"{name}\" content=\"{content}\">");
        };
        meta("name", "description", words);
        meta("property", "og:type", "website");
        meta("property", "og:site_name", "finale");
        meta("property", "og:title", heading);
        meta("property", "og:description", words);
        if !address.is_empty() {
            meta("property", "og:url", &format!("{address}{query}"));
        }
        if let Some(picture) = picture {
            meta("property", "og:image", &format!("{address}{picture}"));
            meta("property", "og:image:alt", words);
        }
        meta("name", "twitter:card", "summary");
        head
    }
}

/// A text as it stands in HTML, in quotes too.
fn in_html(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            _ => escaped.push(letter),
        }
    }
    escaped
}
