//! A server of our own.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};

/// A server that ends with this value.
pub struct Server {
    process: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Server {
    /// Starts the program on a folder of tables, at a port that is free.
    pub fn start(finale: &Path, tables: &Path) -> Result<Server> {
        let mut process = Command::new(finale)
            .args(["serve", "--listen", "127.0.0.1:0", "--tables"])
            .arg(tables)
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", finale.display()))?;
        let mut line = String::new();
        let stderr = process.stderr.take().context("there is no stderr")?;
        BufReader::new(stderr).read_line(&mut line)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.with_context(|| format!("no address: {line}"))?.parse()?;
        Ok(Server { process, address })
    }

    /// The bytes of memory it has in use, as Linux counts them.
    pub fn memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        let kilobytes: u64 = number.context("no VmRSS in the status of the process")?.parse()?;
        Ok(kilobytes * 1024)
    }

    /// The time its threads have had a core, as Linux counts it.
    pub fn busy(&self) -> Result<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        // Behind the name, which may hold anything: the 12th and 13th fields, in hundredths.
        let fields = stat.rsplit(')').next().context("no name in the status")?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
        let ticks: u64 = ticks.sum::<Result<u64, _>>()?;
        Ok(Duration::from_millis(10 * ticks))
    }

    /// Tells it to stop, and sees that it does.
    pub fn stop(mut self) -> Result<()> {
        Command::new("kill").arg(self.process.id().to_string()).status()?;
        let status = self.process.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
