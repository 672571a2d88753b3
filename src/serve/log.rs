//! A line for each request, for whoever runs the server: JSON, as programs that read logs like it.

use std::{
    io::{self, Write},
    net::SocketAddr,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
    time::{Duration, SystemTime},
};

use axum::{extract::Request, response::Response};
use serde::Serialize;

/// Lines that may wait to be written. Whoever reads them slowly misses some; no request waits.
const WAITING: usize = 4096;

/// Where a connection comes from.
#[derive(Copy, Clone, Debug)]
pub struct Peer(pub SocketAddr);

/// What a line says of a request, which is known before it is answered.
pub struct Asked {
    time: SystemTime,
    from: Option<String>,
    method: String,
    address: String,
}

/// A line.
#[derive(Serialize)]
struct Line {
    /// Seconds since 1970, in UTC.
    time: f64,
    /// The address that the connection comes from.
    from: Option<String>,
    method: String,
    /// The path and the query.
    address: String,
    status: u16,
    /// How long the answer took, in seconds.
    seconds: f64,
}

/// Writes lines to standard output, if it is told to.
pub struct Log(Option<SyncSender<Line>>);

impl Log {
    /// One that writes, or one that does not.
    pub fn new(is_wanted: bool) -> Log {
        Log(is_wanted.then(|| {
            let (sender, lines) = sync_channel(WAITING);
            thread::spawn(move || write(&lines));
            sender
        }))
    }

    /// What to remember of a request until it is answered; nothing if nothing is written.
    pub fn asked(&self, request: &Request) -> Option<Asked> {
        self.0.as_ref()?;
        Some(Asked {
            time: SystemTime::now(),
            from: request.extensions().get::<Peer>().map(|peer| peer.0.ip().to_string()),
            method: request.method().to_string(),
            address: request.uri().to_string(),
        })
    }

    /// Writes how a request was answered after some time.
    pub fn answered(&self, asked: Option<Asked>, response: &Response, took: Duration) {
        let (Some(lines), Some(asked)) = (&self.0, asked) else { return };
        let Asked { time, from, method, address } = asked;
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let status = response.status().as_u16();
        let (time, seconds) = (since.as_secs_f64(), took.as_secs_f64());
        // A line that finds no room is left out.
        let _ = lines.try_send(Line { time, from, method, address, status, seconds });
    }
}

fn write(lines: &Receiver<Line>) {
    for line in lines {
        let Ok(text) = serde_json::to_string(&line) else { continue };
        // Nobody may read them any more.
        let _ = writeln!(io::stdout().lock(), "{text}");
    }
}
