//! `finale serve`.

use std::thread;

use anyhow::Result;
use tokio::sync::oneshot;

use super::{args::ServeArgs, hints, say::say, stop, usage::Usage};
use crate::{
    explore::Advice,
    probe::address,
    rules::OptionError,
    serve::{ServeOptions, serve},
    table::BlockCache,
};

/// What people are told who have the program, too.
const ADVICE: Advice = Advice {
    sentence: |error| hints::sentence(error, ""),
    build: Some(|id, folder| hints::build_table(id, "", folder)),
};

/// Serves the explorer until it is told to stop.
pub fn run(args: ServeArgs) -> Result<()> {
    let cores = || thread::available_parallelism().map_or(1, |cores| cores.get());
    let options = ServeOptions {
        listen: args.listen,
        metrics: args.metrics,
        log: args.log,
        rules: args.rules,
        threads: args.threads.map_or_else(cores, usize::from),
        answers: args.answers,
        counts: args.counts,
        cors: args.cors,
        address: args.address,
        framers: args.frame,
        directories: args.tables.directories(BlockCache::new(args.cache))?,
        advice: if args.public { Advice::PUBLIC } else { ADVICE },
    };
    let folder = options.directories.folder();
    if address(folder).is_none() && !folder.is_dir() {
        say(format_args!("note: there is no folder {} yet", folder.display()));
    }
    let (tell, told) = oneshot::channel();
    stop::at_signal(move |_| {
        let _ = tell.send(());
    });
    let stop = async {
        if told.await.is_err() {
            // Nobody listens for signals here: they end the process.
            std::future::pending().await
        }
    };
    let result = serve(&options, stop, |address, metrics| {
        if let Some(metrics) = metrics {
            say(format_args!("what it does is at http://{metrics}/metrics"));
        }
        say(format_args!("the explorer is at http://{address}/ (Ctrl-C stops it)"));
    });
    result.map_err(|error| match error.downcast::<OptionError>() {
        Ok(error) => Usage(error.to_string()).into(),
        Err(error) => error,
    })
}
