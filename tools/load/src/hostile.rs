//! Requests that nobody sends who means well: long, cut, in odd encodings, climbing out of
//! folders, slow.

use std::{
    fmt,
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    thread,
    time::Duration,
};

use anyhow::{Result, ensure};
use fastrand::Rng;

use super::server::Server;

/// Every so many requests stay open without an end while the others go on.
const SLOW: usize = 50;

/// What came back, by the first digit of the status.
#[derive(Default)]
pub struct Counts {
    statuses: [u64; 6],
    slow: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [none, _, good, moved, refused, failed] = self.statuses;
        write!(
            f,
            "{} answered 2xx, {moved} 3xx, {refused} 4xx, {failed} 5xx; {none} without an answer, \
             {} left open",
            good, self.slow
        )
    }
}

/// Sends so many requests; an error of the server, or a file of the system, is harm.
pub fn attack(server: &Server, number: usize, connections: usize, rng: &mut Rng) -> Result<Counts> {
    let address = server.address;
    let client = |mut rng: Rng, number: usize| -> Result<Counts> {
        let mut counts = Counts::default();
        let mut open = Vec::new();
        for round in 0..number {
            let request = request(&mut rng);
            if round % SLOW == 0 {
                let mut stream = TcpStream::connect(address)?;
                let _ = stream.write_all(&request[..request.len() / 2]);
                open.push(stream);
                counts.slow += 1;
                continue;
            }
            let answer = send(address, &request)?;
            let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.chars().next());
            let digit = status.and_then(|digit| digit.to_digit(10)).unwrap_or(0);
            counts.statuses[digit as usize % 6] += 1;
            let shown = String::from_utf8_lossy(&request[..request.len().min(200)]).into_owned();
            ensure!(digit != 5, "{shown}\n{answer}");
            ensure!(
                !answer.contains("root:") && !answer.contains("[package]"),
                "{shown}\n{answer}"
            );
        }
        Ok(counts)
    };
    let results: Vec<Result<Counts>> = thread::scope(|scope| {
        let share = number.div_ceil(connections);
        let clients: Vec<_> = (0..connections)
            .map(|_| (rng.fork(), share))
            .map(|(rng, share)| scope.spawn(move || client(rng, share)))
            .collect();
        clients.into_iter().map(|client| client.join().expect("clients do not panic")).collect()
    });
    let mut sum = Counts::default();
    for counts in results {
        let counts = counts?;
        sum.slow += counts.slow;
        for (all, one) in sum.statuses.iter_mut().zip(counts.statuses) {
            *all += one;
        }
    }
    Ok(sum)
}

fn send(address: SocketAddr, request: &[u8]) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    // A server that refuses early closes before all is sent.
    let _ = stream.write_all(request);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

const PLACES: [&str; 20] = [
    "/",
    "/api/v1",
    "/api/v1/orthodox",
    "/api/v1/high",
    "/api/v1/noro",
    "/api/v1/orphic/line",
    "/api/v1/tiebraker",
    "/api/v1/stylish/what-if",
    "/api/v1/noro/picture.svg",
    "/api/v1/tiebraker/picture.png",
    "/api/v1/koth/stats/",
    "/api/v1/orthodox/histogram/",
    "/api/v1/orthodox/find/",
    "/api/v1/high/find/KRvK?query=",
    "/standard",
    "/standard/mainline",
    "/atomic",
    "/antichess/mainline",
    "/games/",
    "/metrics",
];

const FENS: [&str; 6] = [
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",
    "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1",
    "8/8/3q4/8/8/2R5/8/8 w - - 19+15 0 25",
    "8/8/8/3k4/8/8/8/4K3[R] w - - 0 1",
    "8/8/6k1/8/8/2D5/8/Q7 b - - accepted 0 1",
    "8/8/P7/3k4/8/8/K7/8 w - - 0+0 - 0 1",
];

const PIECES: [&str; 18] = [
    "../",
    "..%2f",
    "%2e%2e/",
    "%00",
    "%ff",
    "%",
    "%zz",
    "\0",
    "+",
    "&fen=",
    "#",
    "\u{202e}",
    "99999999999999999999",
    "-1",
    "K",
    "/",
    "<script>",
    "'\"",
];

/// One request, made from a good one by a few changes for the worse.
fn request(rng: &mut Rng) -> Vec<u8> {
    let fen = FENS[rng.usize(..FENS.len())];
    let mut path = format!(
        "{}?fen={}&square=h1&max=9",
        PLACES[rng.usize(..PLACES.len())],
        fen.replace(' ', "_")
    );
    for _ in 0..rng.usize(..6) {
        let at = rng.usize(1..=path.len());
        if path.is_char_boundary(at) {
            let piece = PIECES[rng.usize(..PIECES.len())];
            path.insert_str(
                at,
                &piece.repeat(if rng.u8(..20) == 0 { rng.usize(..20_000) } else { 1 }),
            );
        }
    }
    let method = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS", "\u{1}"][rng.usize(..8)];
    let header = match rng.u8(..8) {
        0 => format!("x: {}\r\n", "a".repeat(rng.usize(..100_000))),
        1 => "content-length: 99999999999\r\n".to_owned(),
        2 => "transfer-encoding: chunked\r\n".to_owned(),
        3 => "content-length: 5\r\ncontent-length: 6\r\n".to_owned(),
        4 => "content-type: application/json\r\ncontent-length: 12\r\n".to_owned(),
        _ => String::new(),
    };
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{header}\r\n{{\"fens\":[\"8\""
    )
    .into_bytes();
    match rng.u8(..6) {
        0 => request.truncate(rng.usize(..request.len())),
        1 => {
            for _ in 0..rng.usize(..20) {
                let at = rng.usize(..request.len());
                request[at] = rng.u8(..);
            }
        }
        _ => {}
    }
    request
}
