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
mod log;
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
use tokio::{net::TcpListener, sync::watch};

use self::site::Site;
pub use self::{
    options::{Framer, ServeOptions},
    page::files_alone,
};

/// Serves until `stop` is ready, and a little longer for requests under way; `ready` hears the
/// address once it listens, and that of the metrics if they have one of their own.
///
/// # Errors
/// If a rule option is wrong or fits no game, or an address cannot be listened at.
pub fn serve(
    options: &ServeOptions,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(SocketAddr, Option<SocketAddr>),
) -> Result<()> {
    let site = Arc::new(Site::new(options)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(options.threads + counts::AT_ONCE)
        .build()
        .context("cannot start the threads of the server")?;
    let result = runtime.block_on(async {
        let (listener, address) = listen(options.listen).await?;
        let metrics = match options.metrics {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        ready(address, metrics.as_ref().map(|(_, address)| *address));
        let router = api::router(site.clone(), options.cors, metrics.is_none());
        let (tell, told) = watch::channel(());
        // Both end when there is nobody left to tell.
        let stopped = || {
            let mut told = told.clone();
            async move { while told.changed().await.is_ok() {} }
        };
        let main = connection::serve(listener, router, site.metrics.clone(), stopped());
        let aside = async {
            if let Some((listener, _)) = metrics {
                let router = api::metrics_router(site.clone());
                connection::serve(listener, router, site.metrics.clone(), stopped()).await;
            }
        };
        tokio::join!(main, aside, async {
            stop.await;
            drop(tell);
        });
        Ok(())
    });
    // A count over a big table may be under way; nobody waits for it any more.
    runtime.shutdown_background();
    result
}

/// Listens at an address: the listener, and the address with the port it has.
async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr)> {
    let listener =
        TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr().context("cannot tell the address")?;
    Ok((listener, address))
}
