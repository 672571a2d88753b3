use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::Arc,
    time::Instant,
};

use serde_json::json;

use super::*;
use crate::{
    Tablebase, find,
    high::High,
    index::Material,
    ordinary::Variant,
    probe::{ProbeError, TableDirectories},
    progress::Silent,
    registry::{Complete, GameName, Task},
    rules::{Game, RuleOptions},
    table::{BlockCache, Table},
};

/// The tables that ship.
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");

/// How a server behaves.
#[derive(Clone, Copy, Default)]
struct Manner {
    /// Every so many requests for tables are answered with 503, and a pause that is asked for.
    busy: usize,
    /// Every so many end in the middle.
    cut: usize,
    /// Ranges are passed over.
    whole: bool,
    /// Bytes of tables come changed.
    changed: bool,
}

/// A server of the tables that ship; it ends with the test.
struct Server {
    address: String,
    asked: Arc<AtomicUsize>,
}

fn serve(manner: Manner) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/tables", listener.local_addr().expect("an address"));
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let counter = counter.clone();
            // A client that is gone is none of a server's business.
            thread::spawn(move || answer(&stream, manner, &counter));
        }
    });
    Server { address, asked }
}

fn answer(mut stream: &TcpStream, manner: Manner, asked: &AtomicUsize) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    loop {
        let Some(first) = lines.next().transpose()? else { return Ok(()) };
        let mut range = None;
        for line in lines.by_ref() {
            let line = line?;
            if line.is_empty() {
                break;
            }
            if let Some(bytes) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
                let (start, end) = bytes.split_once('-').expect("a range");
                range = Some((start.parse::<usize>().unwrap(), end.parse::<usize>().unwrap()));
            }
        }
        let path = first.split(' ').nth(1).and_then(|path| path.strip_prefix("/tables/"));
        let path = path.unwrap_or_default().replace("%5B", "[").replace("%5D", "]");
        if path == "index.json" {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}",
                index().len(),
                index()
            )?;
            continue;
        }
        let Ok(mut bytes) = fs::read(Path::new(SHIPPED).join(&path)) else {
            write!(stream, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")?;
            continue;
        };
        let number = asked.fetch_add(1, Relaxed) + 1;
        let is_turn = |every: usize| every > 0 && number.is_multiple_of(every);
        if is_turn(manner.busy) {
            let head = "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(head.as_bytes())?;
            continue;
        }
        if manner.changed {
            bytes.iter_mut().skip(100).for_each(|byte| *byte ^= 0x55);
        }
        let (status, body) = match range.filter(|_| !manner.whole) {
            Some((start, end)) => ("206 Partial Content", &bytes[start..=end]),
            None => ("200 OK", &bytes[..]),
        };
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", body.len())?;
        if is_turn(manner.cut) {
            stream.write_all(&body[..body.len() / 2])?;
            return Ok(());
        }
        stream.write_all(body)?;
    }
}

/// The index of the tables that ship.
fn index() -> String {
    let mut entries = Vec::new();
    for folder in fs::read_dir(SHIPPED).expect("a folder").flatten().map(|entry| entry.path()) {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path())
        {
            let Ok(table) = Table::open(&path) else { continue };
            let header = table.header();
            entries.push(json!({
                "file": path, "game": header.game, "bytes": table.file_len(),
                "checksum": format!("{:08x}", table.checksum()),
                "contents": header.contents, "options": header.options,
            }));
        }
    }
    json!(entries).to_string()
}

fn tables<G: Complete>(game: G, server: &Server, cache: Option<DiskCache>) -> Tablebase<G> {
    let folder = open(&server.address, cache).expect("an index");
    Tablebase::on(game, TableDirectories::remote(folder, BlockCache::default()))
}

/// Compares answers and ranked turns from far with those from here, of a position in so many of
/// each table that ships.
struct Compare<'a>(&'a Server, usize);

impl Task for Compare<'_> {
    type Output = usize;

    fn run<G: Complete>(self, game: G) -> usize {
        let Compare(server, every) = self;
        let here =
            Tablebase::on(game.clone(), TableDirectories::new(SHIPPED, BlockCache::default()));
        let far = tables(game, server, None);
        let mut compared = 0;
        for material in here.materials().expect("a folder") {
            let reader = here.reader(&material).expect("a table");
            let cells = here.game().cells(&reader);
            for cell in (0..cells).step_by(every) {
                let Some(position) = here.game().cell(&reader, cell) else { continue };
                assert_eq!(far.answer(&position).unwrap(), here.answer(&position).unwrap());
                assert_eq!(far.ranked(&position).unwrap(), here.ranked(&position).unwrap());
                compared += 1;
            }
        }
        assert_eq!(far.materials().unwrap().len(), here.materials().unwrap().len());
        compared
    }
}

#[test]
fn answers_from_far_are_those_from_here() {
    let server = serve(Manner::default());
    let compare = |game: &GameName| game.play(RuleOptions::none(), Compare(&server, 4999)).unwrap();
    let compared: usize = GameName::all().iter().map(compare).sum();
    assert!(compared > 1000, "{compared}");
}

#[test]
fn over_a_bad_line_answers_come_all_the_same() {
    let server = serve(Manner { busy: 5, cut: 7, ..Manner::default() });
    assert!(Compare(&server, 20_011).run(High::default()) > 20);
}

#[test]
fn whole_tables_are_read_from_far_too() {
    let server = serve(Manner::default());
    let far = tables(Variant::orthodox(), &server, None);
    let krvk: Material = "KRvK".parse().unwrap();
    let query = find::Query::condition(far.game(), &krvk, "wins").unwrap();
    let total = find::find(&far, &krvk, &find::Search::new(query), &Silent, &mut |_| {
        Ok::<_, ProbeError>(())
    });
    let here = Tablebase::new(Variant::orthodox(), SHIPPED);
    let query = find::Query::condition(here.game(), &krvk, "wins").unwrap();
    let own = find::find(&here, &krvk, &find::Search::new(query), &Silent, &mut |_| {
        Ok::<_, ProbeError>(())
    });
    assert_eq!(total.unwrap().positions, own.unwrap().positions);
}

#[test]
fn what_was_brought_is_not_asked_for_again() {
    let server = serve(Manner::default());
    let folder = tempfile::tempdir().expect("a folder");
    let asked = || {
        let before = server.asked.load(Relaxed);
        let cache = DiskCache::new(folder.path(), 1 << 20);
        let far = tables(Variant::orthodox(), &server, Some(cache));
        let position = far.game().parse_fen("8/8/8/3k4/8/8/8/K6R w - - 0 1").unwrap();
        far.ranked(&position).expect("an answer");
        server.asked.load(Relaxed) - before
    };
    assert!(asked() > 0);
    assert_eq!(asked(), 0);
}

#[test]
fn what_cannot_be_had_is_told() {
    let said = |error: &dyn std::error::Error| {
        let causes = std::iter::successors(Some(error), |error| error.source());
        causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    };
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = open(&format!("http://{nobody}"), None).expect_err("nobody listens");
    assert!(said(&error).contains("index.json"), "{}", said(&error));
    let server = serve(Manner::default());
    let error = open(&format!("{}/elsewhere", server.address), None).expect_err("no index");
    assert!(said(&error).ends_with("the server answers 404 Not Found"), "{}", said(&error));

    let asked = |manner: Manner, fen: &str| {
        let server = serve(manner);
        let far = tables(Variant::orthodox(), &server, None);
        let start = Instant::now();
        let answer = far.answer(&far.game().parse_fen(fen).unwrap()).expect_err("no answer");
        assert!(start.elapsed() < Duration::from_secs(20));
        said(&answer)
    };
    let rook = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let whole = asked(Manner { whole: true, ..Manner::default() }, rook);
    assert!(whole.contains("does not know ranges"), "{whole}");
    let changed = asked(Manner { changed: true, ..Manner::default() }, rook);
    assert!(changed.contains("is damaged"), "{changed}");
    let cut = asked(Manner { cut: 1, ..Manner::default() }, rook);
    assert!(cut.contains("cannot fetch tables"), "{cut}");
    let missing = asked(Manner::default(), "8/8/8/3k4/8/8/8/KBN4R w - - 0 1");
    assert!(missing.contains("there is no table for KRBNvK"), "{missing}");
}

#[test]
fn a_certificate_that_is_wrong_is_told_at_once() {
    let problem = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
    let error = ureq::Error::Io(io::Error::new(io::ErrorKind::InvalidData, problem));
    let Failure::Lasting(error) = Failure::of(error) else { panic!("it would be asked for again") };
    assert_eq!(error.to_string(), "the server's certificate cannot be trusted: UnknownIssuer");
}
