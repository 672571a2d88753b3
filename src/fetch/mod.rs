//! Tables by address: folders on a web server, read by ranges.
//!
//! The folder has an `index.json`, which `finale list --json` writes. What is read is kept in a
//! bounded [`DiskCache`], so that the next program need not ask for it again.
//!
//! ```no_run
//! use finale::{Tablebase, fetch, high::High, probe::TableDirectories, rules::Game, table::BlockCache};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = fetch::open("https://example.org/tables", fetch::DiskCache::usual())?;
//! let directories = TableDirectories::remote(folder, BlockCache::default());
//! let tables = Tablebase::on(High::default(), directories);
//! let position = tables.game().parse_fen("8/8/8/3k4/8/8/8/K6R w - - 50+50")?;
//! println!("{:?}", tables.answer(&position)?);
//! # Ok(())
//! # }
//! ```

mod disk;

use std::{
    fmt, io,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use ureq::{
    Agent, Body,
    http::{Response, StatusCode, header},
};

pub use disk::DiskCache;

use crate::{
    lock::{into_inner, lock},
    probe::{Fetch, IndexError, RemoteFolder},
    table::WantedBytes,
};

/// How often something is asked for before it is given up.
const TRIES: u32 = 5;

/// How long the first pause is before it is asked for again; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(200);

/// The longest pause that a server can ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long a request may take to connect, and then all of it: a range is short.
const CONNECT: Duration = Duration::from_secs(10);
const REQUEST: Duration = Duration::from_secs(60);

/// Requests at the same time.
const AT_ONCE: usize = 8;

/// The longest index that makes sense, in bytes: a hundred thousand tables.
const LONGEST_INDEX: u64 = 64 << 20;

/// Why a folder at an address cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Its index cannot be had.
    #[error("cannot fetch {address}")]
    Fetch {
        /// The address of the index.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// What is at the address of the index is none.
    #[error("cannot use {address}: {source}")]
    Index {
        /// The address of the index.
        address: String,
        /// Why.
        source: IndexError,
    },
}

/// Opens the folder of tables at an address, `https://…`, which has an `index.json`.
///
/// # Errors
/// If the index cannot be had, or is none.
pub fn open(address: &str, cache: Option<DiskCache>) -> Result<RemoteFolder, OpenError> {
    let folder = address.trim_end_matches('/');
    let client = Client::new();
    let index = format!("{folder}/index.json");
    let text = client
        .get(&index, None, LONGEST_INDEX)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let text = text.map_err(|source| OpenError::Fetch { address: index.clone(), source })?;
    let remote = RemoteFolder::new(folder, &text)
        .map_err(|source| OpenError::Index { address: index, source })?;
    let cache = cache.map(|cache| cache.of(folder));
    let fetch = HttpFetch { folder: folder.to_owned(), client, cache, tables: remote.clone() };
    Ok(remote.fetched_by(fetch))
}

/// Asks a web server.
struct Client(Agent);

impl Client {
    fn new() -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(REQUEST))
            .max_idle_connections_per_host(AT_ONCE)
            .user_agent(concat!("finale/", env!("CARGO_PKG_VERSION")))
            .build();
        Client(config.into())
    }

    /// The bytes at an address, or some of them; asked for again while the line or the server fails.
    fn get(&self, address: &str, range: Option<&WantedBytes>, most: u64) -> io::Result<Vec<u8>> {
        let mut pause = PAUSE;
        for tries in 1.. {
            let (error, asked) = match self.get_once(address, range, most) {
                Ok(bytes) => return Ok(bytes),
                Err(Failure::Lasting(error)) => return Err(error),
                Err(Failure::Passing(error, pause)) => (error, pause),
            };
            if tries >= TRIES {
                return Err(error);
            }
            thread::sleep(asked.unwrap_or(pause).min(LONGEST_PAUSE));
            pause *= 2;
        }
        unreachable!("the tries end before the numbers do")
    }

    fn get_once(
        &self,
        address: &str,
        range: Option<&WantedBytes>,
        most: u64,
    ) -> Result<Vec<u8>, Failure> {
        let mut request = self.0.get(address);
        if let Some(WantedBytes { range, .. }) = range {
            let bytes = format!("bytes={}-{}", range.start, range.end.saturating_sub(1));
            request = request.header(header::RANGE, bytes);
        }
        let mut response = request.call().map_err(Failure::of)?;
        let status = response.status();
        if !status.is_success() {
            return Err(Failure::refused(status, &response));
        }
        if range.is_some() && status != StatusCode::PARTIAL_CONTENT {
            return Err(Failure::Lasting(io::Error::other(format!(
                "the server of {address} does not know ranges; copy the tables instead"
            ))));
        }
        let bytes = response.body_mut().with_config().limit(most).read_to_vec();
        let bytes = bytes.map_err(Failure::of)?;
        match range {
            Some(WantedBytes { range, .. }) if bytes.len() as u64 != range.end - range.start => {
                let error = format!("{} of {} bytes came", bytes.len(), range.end - range.start);
                Err(Failure::Passing(io::Error::new(io::ErrorKind::UnexpectedEof, error), None))
            }
            _ => Ok(bytes),
        }
    }
}

/// Why a request failed.
enum Failure {
    /// It would fail again.
    Lasting(io::Error),
    /// Another try makes sense, after a pause that the server may have asked for.
    Passing(io::Error, Option<Duration>),
}

impl Failure {
    fn of(error: ureq::Error) -> Failure {
        if let Some(error) = certificate_error(&error) {
            return Failure::Lasting(io::Error::other(error));
        }
        let is_passing = matches!(
            error,
            ureq::Error::Io(_)
                | ureq::Error::Timeout(_)
                | ureq::Error::ConnectionFailed
                | ureq::Error::Protocol(_)
        );
        let words = match &error {
            ureq::Error::HostNotFound => "there is no such host, or no network".to_owned(),
            ureq::Error::Timeout(_) => "the server does not answer in time".to_owned(),
            ureq::Error::Io(error) => error.to_string(),
            error => error.to_string(),
        };
        let error = io::Error::other(words);
        if is_passing { Failure::Passing(error, None) } else { Failure::Lasting(error) }
    }

    /// A status that is no success.
    fn refused(status: StatusCode, response: &Response<Body>) -> Failure {
        let error = io::Error::other(format!("the server answers {status}"));
        let is_busy = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
        if !is_busy {
            return Failure::Lasting(error);
        }
        let seconds = response.headers().get(header::RETRY_AFTER);
        let seconds = seconds.and_then(|value| value.to_str().ok()?.parse().ok());
        Failure::Passing(error, seconds.map(Duration::from_secs))
    }
}

/// What is wrong with the certificate of a server, if that is why a request failed.
fn certificate_error(error: &ureq::Error) -> Option<String> {
    let error = match error {
        ureq::Error::Rustls(error) => error,
        // So it comes from reading and writing.
        ureq::Error::Io(error) => error.get_ref()?.downcast_ref()?,
        _ => return None,
    };
    let rustls::Error::InvalidCertificate(problem) = error else { return None };
    Some(format!("the server's certificate cannot be trusted: {problem}"))
}

/// Brings bytes of the tables in a folder on a web server.
struct HttpFetch {
    folder: String,
    client: Client,
    cache: Option<disk::FolderCache>,
    /// What the index tells.
    tables: RemoteFolder,
}

impl fmt::Debug for HttpFetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpFetch").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Fetch for HttpFetch {
    fn fetch(
        &self,
        wanted: &[WantedBytes],
        take: &mut dyn FnMut(&WantedBytes, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let next = AtomicUsize::new(0);
        let brought = Mutex::new(Vec::new());
        let failed = Mutex::new(None);
        thread::scope(|scope| {
            for _ in 0..wanted.len().min(AT_ONCE) {
                scope.spawn(|| {
                    while let Some(wanted) = wanted.get(next.fetch_add(1, Relaxed)) {
                        match self.bring(wanted) {
                            Ok(bytes) => lock(&brought).push((wanted, bytes)),
                            Err(error) => {
                                // The others need not begin any more.
                                next.store(usize::MAX / 2, Relaxed);
                                lock(&failed).get_or_insert(error);
                            }
                        }
                    }
                });
            }
        });
        for (wanted, bytes) in into_inner(brought) {
            take(wanted, &bytes)?;
        }
        into_inner(failed).map_or(Ok(()), Err)
    }
}

impl HttpFetch {
    /// Bytes from the disk, if they were brought before, or from the server.
    fn bring(&self, wanted: &WantedBytes) -> io::Result<Vec<u8>> {
        let WantedBytes { file, range } = wanted;
        let kept = self.cache.as_ref().zip(self.tables.table(file));
        let kept = kept.and_then(|(cache, table)| {
            Some(cache.file(file, table.checksum.as_deref()?, table.bytes))
        });
        if let Some(bytes) = kept.as_ref().and_then(|kept| kept.read(range.clone())) {
            return Ok(bytes);
        }
        let address = format!("{}/{}", self.folder, encoded(file));
        let most = range.end - range.start + 1;
        let bytes = self
            .client
            .get(&address, Some(wanted), most)
            .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
        if let Some(kept) = kept {
            kept.write(range.start, &bytes);
        }
        Ok(bytes)
    }
}

/// A path as addresses have it: `orphic/KQvK%5BR%5D.ftb`.
fn encoded(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    let mut text = String::new();
    for byte in file.bytes() {
        match plain(byte) {
            true => text.push(byte.into()),
            false => text += &format!("%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests;
