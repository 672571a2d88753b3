//! The library as a page has it that needs no server: a WebAssembly module which answers what the
//! server of the explorer answers, from tables of which the page brings the bytes.
//!
//! What goes in and out lies in one buffer: JavaScript asks for one of a length, writes into it,
//! and calls a function, which leaves its reply there and tells how long that is. Questions and
//! replies are JSON:
//!
//! - [`finale_open`] takes `{"index": "…", "variants": "…"}`, the texts of `index.json` and, if
//!   there are such, of games from a file, and replies with `{}`;
//! - [`finale_ask`] takes `{"path": "high/line", "query": "fen=…"}`, for a game record with its
//!   `body`, and replies with `{"status": 200, "reply": {…}}`, or with what it lacks,
//!   `{"wanted": [{"file": "high/KRvK.ftb", "start": 0, "end": 4096}, …]}`;
//! - [`finale_bring`] takes one of these, a line feed and the bytes, and replies with `{}`.
//!
//! What goes wrong is `{"error": "…"}`.

use std::{cell::RefCell, sync::Arc};

use finale::{
    explore::{Advice, Asked, Explorer, Query, Refusal, explorer_of, explorers},
    probe::{RemoteFolder, TableDirectories},
    registry::GameName,
    rules::{RuleOptions, VariantFile},
    table::{BlockCache, RemoteFiles, WantedBytes},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Bytes of unpacked blocks that are kept.
const BLOCKS: u64 = 32 << 20;

/// Bytes of tables as they were brought that are kept between two questions.
const BROUGHT: u64 = 32 << 20;

/// What all questions share.
struct Page {
    explorers: Vec<Arc<dyn Explorer>>,
    files: RemoteFiles,
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// A buffer of so many bytes: its address.
#[allow(unsafe_code, reason = "JavaScript calls it by name")]
#[unsafe(no_mangle)]
pub extern "C" fn finale_buffer(len: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(len, 0);
        buffer.as_mut_ptr()
    })
}

/// The address of the reply.
#[allow(unsafe_code, reason = "JavaScript calls it by name")]
#[unsafe(no_mangle)]
pub extern "C" fn finale_reply() -> *const u8 {
    BUFFER.with_borrow(Vec::as_ptr)
}

/// Opens the tables of an index; the length of the reply.
#[allow(unsafe_code, reason = "JavaScript calls it by name")]
#[unsafe(no_mangle)]
pub extern "C" fn finale_open() -> usize {
    reply_to(open)
}

/// Answers a question; the length of the reply.
#[allow(unsafe_code, reason = "JavaScript calls it by name")]
#[unsafe(no_mangle)]
pub extern "C" fn finale_ask() -> usize {
    reply_to(ask)
}

/// Takes bytes that were wanted; the length of the reply.
#[allow(unsafe_code, reason = "JavaScript calls it by name")]
#[unsafe(no_mangle)]
pub extern "C" fn finale_bring() -> usize {
    reply_to(bring)
}

/// What a function makes of the buffer, or why it cannot.
type Reply = Result<Value, String>;

/// Leaves the reply of a function in the buffer.
fn reply_to(function: fn(&[u8]) -> Reply) -> usize {
    let said = BUFFER.take();
    let reply = function(&said).unwrap_or_else(|error| json!({ "error": error }));
    let reply = reply.to_string().into_bytes();
    let len = reply.len();
    BUFFER.set(reply);
    len
}

fn read<'s, T: Deserialize<'s>>(said: &'s [u8]) -> Result<T, String> {
    serde_json::from_slice(said).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
struct Open {
    index: String,
    variants: Option<String>,
}

fn open(said: &[u8]) -> Reply {
    let Open { index, variants } = read(said)?;
    if let Some(variants) = variants {
        let file = VariantFile::read(&variants).map_err(|error| error.to_string())?;
        GameName::add_all(&file);
    }
    let folder = RemoteFolder::new("", &index).map_err(|error| error.to_string())?;
    let files = folder.files().clone();
    let directories = TableDirectories::remote(folder, BlockCache::new(BLOCKS));
    let explorers = explorers(&directories, &RuleOptions::none(), Advice::PUBLIC)
        .map_err(|error| error.to_string())?;
    PAGE.set(Some(Page { explorers, files }));
    Ok(json!({}))
}

#[derive(Deserialize)]
struct Address {
    path: String,
    #[serde(default)]
    query: String,
    body: Option<String>,
}

fn ask(said: &[u8]) -> Reply {
    let address: Address = read(said)?;
    PAGE.with_borrow(|page| {
        let page = page.as_ref().ok_or("no tables are open")?;
        let answer = page.answer(&address);
        let wanted: Vec<Wanted> = page.files.take_wanted().into_iter().map(Wanted::from).collect();
        if !wanted.is_empty() {
            return Ok(json!({ "wanted": wanted }));
        }
        if page.files.bytes() > BROUGHT {
            page.files.forget();
        }
        Ok(match answer {
            Ok(reply) => json!({ "status": 200, "reply": reply }),
            Err(refusal) => json!({ "status": refusal.status(), "reply": refusal.object() }),
        })
    })
}

impl Page {
    fn answer(&self, Address { path, query, body }: &Address) -> Result<Value, Refusal> {
        if let (Some(text), Some(game)) = (body, path.strip_suffix("/replay")) {
            return Ok(explorer_of(&self.explorers, game)?.replay(text)?.into());
        }
        let (game, asked) = Asked::read(path, &Query::parse(query))?;
        let explorer = explorer_of(&self.explorers, &game)?;
        match asked {
            Asked::Count { .. } => Err(Refusal::Unknown(
                "this page looks at positions one by one; the program `finale` looks at all of a \
                 table"
                    .to_owned(),
            )),
            Asked::Question(question) => Ok(question.answer(&**explorer)?.into()),
        }
    }
}

/// Bytes of a file, as JavaScript hears of them.
#[derive(Serialize, Deserialize)]
struct Wanted {
    file: String,
    start: u64,
    end: u64,
}

impl From<WantedBytes> for Wanted {
    fn from(WantedBytes { file, range }: WantedBytes) -> Wanted {
        Wanted { file, start: range.start, end: range.end }
    }
}

fn bring(said: &[u8]) -> Reply {
    let end = said.iter().position(|&byte| byte == b'\n').ok_or("which bytes?")?;
    let Wanted { file, start, end: stop } = read(&said[..end])?;
    PAGE.with_borrow(|page| {
        let page = page.as_ref().ok_or("no tables are open")?;
        let wanted = WantedBytes { file, range: start..stop };
        page.files.bring(&wanted, &said[end + 1..]).map_err(|error| error.to_string())?;
        Ok(json!({}))
    })
}
