//! Connections: how many there may be, how slow and how long, and how all end when the server is
//! told to stop.

use std::{
    pin::pin,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use axum::{Router, extract::Request};
use hyper::{
    body::Incoming,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::Semaphore};

use super::{log::Peer, metrics::Metrics};

/// Connections at the same time; more wait until one ends.
const CONNECTIONS: usize = 1024;

/// How long a connection may take for the head of a request, idleness included.
const HEAD_TIME: Duration = Duration::from_secs(15);

/// The longest head of a request, in bytes.
const HEAD_BYTES: usize = 16 << 10;

/// How long a connection may last: whoever reads slowly does not hold it for ever.
const LIFE: Duration = Duration::from_secs(600);

/// How long requests under way have to end when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// Serves connections until `stop` is ready.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    metrics: Arc<Metrics>,
    stop: impl Future<Output = ()>,
) {
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(HEAD_BYTES);
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let accept = async {
            let permit = connections.clone().acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, stream, peer) = tokio::select! {
            (permit, Ok((stream, peer))) = accept => (permit, stream, Peer(peer)),
            () = &mut stop => break,
            // Such as too many open files: that passes when connections end.
            else => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // A small answer should not wait for more to send.
        let _ = stream.set_nodelay(true);
        let answers = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            answers.call(request)
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        let metrics = metrics.clone();
        tokio::spawn(async move {
            let _permit = permit;
            metrics.connections.fetch_add(1, Relaxed);
            // A client that breaks off is no error of the server.
            let _ = tokio::time::timeout(LIFE, connection).await;
            metrics.connections.fetch_sub(1, Relaxed);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
}
