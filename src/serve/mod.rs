//! The explorer: a page for browsers and an interface for programs, over HTTP.
//!
//! A request takes one way: `connection` bounds it, `api` finds what is asked, and an
//! [`Explorer`](crate::explore::Explorer) answers for its game, on a thread that may wait for a disk
//! (`work`). Answers are remembered in a bounded cache; long counts over whole tables are
//! made once, in the background (`counts`). `transfer` leaves out what the client has, and packs.
//!
//! Nothing is read but the page, which is part of the program, and the tables of the folder.

mod api;
mod connection;
mod counts;
mod insufficient;
mod kept_counts;
mod lichess;
mod metrics;
mod negotiation;
mod openapi;
mod options;
mod page;
mod picture;
mod previews;
mod query;
mod refused;
mod security;
mod site;
mod transfer;
mod work;

use std::{net::SocketAddr, sync::Arc};

use anyhow::{Context, Result};
use tokio::net::TcpListener;

use self::site::Site;
pub use self::{
    options::{Framer, ServeOptions},
    page::files_alone,
};

/// Serves until `stop` is ready, and a little longer for requests under way; `ready` hears the
/// address once it listens.
///
/// # Errors
/// If a rule option is wrong or fits no game, or the address cannot be listened at.
pub fn serve(
    options: &ServeOptions,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(SocketAddr),
) -> Result<()> {
    let site = Arc::new(Site::new(options)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(options.threads + counts::AT_ONCE)
        .build()
        .context("cannot start the threads of the server")?;
    let result = runtime.block_on(async {
        let listener = TcpListener::bind(options.listen)
            .await
            .with_context(|| format!("cannot listen at {}", options.listen))?;
        ready(listener.local_addr().context("cannot tell the address")?);
        let router = api::router(site.clone(), options.cors);
        connection::serve(listener, router, site.metrics.clone(), stop).await;
        Ok(())
    });
    // A count over a big table may be under way; nobody waits for it any more.
    runtime.shutdown_background();
    result
}
