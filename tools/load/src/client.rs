//! As much of HTTP as a client needs that asks the same server over and over.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use anyhow::{Context, Result};

/// A connection that stays open.
pub struct Client(BufReader<TcpStream>);

impl Client {
    /// Connects.
    pub fn connect(address: SocketAddr) -> Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Client(BufReader::new(stream)))
    }

    /// Asks for an address; returns the status and the bytes that came.
    pub fn get(&mut self, path: &str, body: &mut Vec<u8>) -> Result<u16> {
        let request = format!("GET {path} HTTP/1.1\r\nhost: finale\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.with_context(|| format!("no status: {line:?}"))?;
        let mut length = 0;
        loop {
            line.clear();
            self.0.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.parse()?;
            }
        }
        body.resize(length, 0);
        self.0.read_exact(body)?;
        Ok(status)
    }
}
