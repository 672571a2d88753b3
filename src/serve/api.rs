//! The addresses the server answers.

use std::{
    any::Any,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{
        DefaultBodyLimit, Path, Request, State,
        rejection::{JsonRejection, StringRejection},
    },
    http::{Method, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_http::{catch_panic::CatchPanicLayer, cors::CorsLayer, timeout::TimeoutLayer};

use super::{
    counts::{self, News},
    kept_counts::{FORM, KeptCounts},
    lichess::LichessGame,
    negotiation::negotiate,
    openapi,
    options::PATIENCE,
    page, previews, security,
    site::Site,
    transfer,
    work::Task,
};
use crate::{
    explore::{
        Asked, Count, Countable, Counter, Detail, EXAMPLE_FEN, Explorer, Query, Question, Refusal,
        games_object,
    },
    progress::Progress,
};

/// The longest body of a request, in bytes.
const BODY: usize = 256 << 10;

/// The most FENs in a batch.
const BATCH: usize = 1000;

/// The longest path and query whose answer is remembered, in bytes.
const QUESTION: usize = 512;

type Shared = State<Arc<Site>>;

/// What those who look after the server ask.
pub fn metrics_router(site: Arc<Site>) -> Router {
    Router::new().route("/health", get(health)).route("/metrics", get(metrics)).with_state(site)
}

/// Every address, with what holds for all of them; `metrics` says whether they are among them.
pub fn router(site: Arc<Site>, cors: bool, metrics: bool) -> Router {
    let lichess = Router::new()
        .route("/standard", get(as_lichess))
        .route("/standard/mainline", get(mainline))
        .route("/atomic", get(as_lichess))
        .route("/atomic/mainline", get(mainline))
        .route("/antichess", get(as_lichess))
        .route("/antichess/mainline", get(mainline))
        .route_layer(middleware::from_fn(negotiate));
    let mut router = Router::new()
        .route("/api/v1", get(games))
        .route("/api/v1/openapi.json", get(description))
        .route("/api/v1/{game}", get(ask).post(batch))
        .route("/api/v1/{game}/picture.svg", get(previews::svg))
        .route("/api/v1/{game}/picture.png", get(previews::png))
        .route("/api/v1/{game}/replay", post(replay))
        .route("/api/v1/{game}/line", get(ask))
        .route("/api/v1/{game}/what-if", get(ask))
        .route("/api/v1/{game}/tables", get(ask))
        .route("/api/v1/{game}/find/{material}", get(ask))
        .route("/api/v1/{game}/stats/{material}", get(ask))
        .route("/api/v1/{game}/histogram/{material}", get(ask))
        .merge(lichess)
        .route("/health", get(health))
        .fallback(page_file)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(transfer::spare))
        .layer(DefaultBodyLimit::max(BODY))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            PATIENCE + Duration::from_secs(5),
        ))
        .layer(CatchPanicLayer::custom(|_: Box<dyn Any + Send>| {
            let words = "the server failed; this is a bug".to_owned();
            Refusal::Broken(words).into_response()
        }));
    if metrics {
        router = router.route("/metrics", get(self::metrics));
    }
    if cors {
        let methods = [Method::GET, Method::POST];
        let anyone = CorsLayer::new().allow_origin(tower_http::cors::Any).allow_methods(methods);
        router = router.layer(anyone.allow_headers([header::CONTENT_TYPE]));
    }
    router = router.layer(middleware::from_fn_with_state(site.clone(), security::guard));
    router.layer(middleware::from_fn_with_state(site.clone(), count)).with_state(site)
}

async fn count(State(site): Shared, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let asked = site.log.asked(&request);
    let response = next.run(request).await;
    let took = start.elapsed();
    site.metrics.respond(response.status(), took);
    site.log.answered(asked, &response, took);
    response
}

async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Every game there is.
async fn games(State(site): Shared) -> Json<Value> {
    Json(games_object(site.explorers.iter().map(|explorer| -> &dyn Explorer { &**explorer })))
}

async fn description(State(site): Shared) -> Result<Json<Value>, Refusal> {
    let explorers = site.explorers.iter();
    let games: Vec<_> = explorers.map(|known| (known.name(), known.initial())).collect();
    openapi::description(&games).map(Json)
}

async fn metrics(State(site): Shared) -> Response {
    let text = site.metrics.text(site.started, site.blocks.bytes(), site.answers.bytes());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

async fn page_file(State(site): Shared, uri: Uri, query: Query, method: Method) -> Response {
    let path = uri.path().trim_start_matches('/');
    let get = matches!(method, Method::GET | Method::HEAD);
    match page::file(path) {
        Some(_) if !get => wrong_method().await.into_response(),
        Some(_) if page::is_front(path) => previews::front(&site, &query).await,
        Some(response) => response,
        None => Refusal::nothing_here().into_response(),
    }
}

async fn wrong_method() -> impl IntoResponse {
    let error = "this address does not take that method; see /api/v1/openapi.json";
    (StatusCode::METHOD_NOT_ALLOWED, Json(json!({ "error": error })))
}

/// `GET /api/v1/{game}…`: whatever is asked about a game.
async fn ask(State(site): Shared, uri: Uri, query: Query) -> Result<Response, Refusal> {
    let path = uri.path().strip_prefix("/api/v1/").unwrap_or_default();
    let (game, asked) = Asked::read(path, &query)?;
    let explorer = site.explorer(&game)?;
    let question = match asked {
        Asked::Count { material, count } => return site.count(explorer, material, count).await,
        Asked::Question(question) => question,
    };
    // Tables may be built meanwhile.
    let is_lasting = !matches!(question, Question::Tables { .. });
    let task = Box::new(move || serialize(&question.answer(&*explorer)?));
    match is_lasting {
        true => site.answer(&uri, task).await,
        false => Ok(json_bytes(StatusCode::OK, site.crew.look_up(&site.metrics, task).await?)),
    }
}

/// `POST /api/v1/{game}/replay`: a text of one or more game records.
async fn replay(
    State(site): Shared,
    Path(game): Path<String>,
    text: Result<String, StringRejection>,
) -> Result<Response, Response> {
    let text = text.map_err(|rejection| {
        wrong_body(rejection.status(), &rejection.body_text(), "send the text of game records")
    })?;
    let explorer = site.explorer(&game).map_err(IntoResponse::into_response)?;
    let task = Box::new(move || serialize(&explorer.replay(&text)?));
    let replayed = site.crew.look_up(&site.metrics, task).await;
    replayed.map(|bytes| json_bytes(StatusCode::OK, bytes)).map_err(IntoResponse::into_response)
}

fn tell(news: News) -> Response {
    match news {
        News::Done(bytes) => json_bytes(StatusCode::OK, bytes),
        News::Counting { done, place } => {
            let object = json!({ "status": "counting", "done": done, "place": place });
            (StatusCode::ACCEPTED, [(header::RETRY_AFTER, "1")], Json(object)).into_response()
        }
    }
}

/// Many positions at once.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    fens: Vec<String>,
    #[serde(default)]
    turns: bool,
}

/// `POST /api/v1/{game}`: an answer or an error for each FEN, in their order.
async fn batch(
    State(site): Shared,
    Path(game): Path<String>,
    body: Result<Json<Batch>, JsonRejection>,
) -> Result<Response, Response> {
    let Json(batch) = body.map_err(|rejection| {
        let example = r#"write {"fens": ["…", …], "turns": false}"#;
        wrong_body(rejection.status(), &rejection.body_text(), example)
    })?;
    site.batch(&game, batch).await.map_err(IntoResponse::into_response)
}

/// The answer to a body that cannot be read: what is wrong, and what would be right.
fn wrong_body(status: StatusCode, problem: &str, advice: &str) -> Response {
    (status, Json(json!({ "error": format!("{problem}; {advice}") }))).into_response()
}

/// `GET /standard?fen=…`, and other games of lila-tablebase.
async fn as_lichess(State(site): Shared, uri: Uri, query: Query) -> Result<Response, Refusal> {
    let (game, fen) = (site.lichess_game(&uri)?, query.need("fen", EXAMPLE_FEN)?.to_owned());
    site.answer(&uri, Box::new(move || serialize(&game.probe(&fen)?))).await
}

/// `GET /standard/mainline?fen=…`, and other games of lila-tablebase.
async fn mainline(State(site): Shared, uri: Uri, query: Query) -> Result<Response, Refusal> {
    let (game, fen) = (site.lichess_game(&uri)?, query.need("fen", EXAMPLE_FEN)?.to_owned());
    site.answer(&uri, Box::new(move || serialize(&game.mainline(&fen)?))).await
}

impl Site {
    /// The game of an address such as `/standard`.
    fn lichess_game(&self, uri: &Uri) -> Result<LichessGame, Refusal> {
        let path = uri.path().split('/').nth(1).unwrap_or_default();
        let game = self.lichess.iter().find(|game| game.path() == path).cloned();
        game.ok_or_else(|| Refusal::Unknown(format!("`{path}` is no game of Lichess's server")))
    }

    /// The answer to a question that always has the same one: remembered, or looked up.
    async fn answer(&self, uri: &Uri, task: Task<Bytes>) -> Result<Response, Refusal> {
        let question = uri.path_and_query().map_or("", |question| question.as_str());
        if let Some(bytes) = self.answers.get(question) {
            self.metrics.cached.fetch_add(1, Relaxed);
            return Ok(json_bytes(StatusCode::OK, bytes));
        }
        let bytes = self.crew.look_up(&self.metrics, task).await?;
        if question.len() <= QUESTION {
            self.answers.keep(question.to_owned(), bytes.clone());
        }
        Ok(json_bytes(StatusCode::OK, bytes))
    }

    /// A count over a table, by whichever of its names: only tables that are there are counted.
    async fn count(
        &self,
        explorer: Arc<dyn Counter>,
        material: String,
        count: Count,
    ) -> Result<Response, Refusal> {
        let (named, counted) = (explorer.clone(), count.clone());
        let look = Box::new(move || counted.size(&*named, &material));
        let Countable { material, cells, checksum } =
            self.crew.look_up(&self.metrics, look).await?;
        let (game, is_common) = (explorer.name(), count.is_common());
        let text = format!("{count:?} {game} {material}");
        let question = counts::Question { text, size: cells, is_common };
        let kept = if is_common { self.kept_counts.clone() } else { KeptCounts::default() };
        let task = move |progress: &dyn Progress| {
            let version = env!("CARGO_PKG_VERSION");
            let name = format!("{game}-{material}-{count:?}-{checksum:08x}-{version}-{FORM}.json");
            if let Some(bytes) = kept.read(&name) {
                return Ok(bytes);
            }
            let bytes = serialize(&count.make(&*explorer, &material, progress)?)?;
            kept.write(&name, &bytes);
            Ok(bytes)
        };
        Ok(tell(self.counts.ask(question, task).await?))
    }

    async fn batch(&self, game: &str, batch: Batch) -> Result<Response, Refusal> {
        let explorer = self.explorer(game)?;
        if batch.fens.len() > BATCH {
            let fens = batch.fens.len();
            return Err(Refusal::Wrong(format!("{fens} FENs are too many; at most {BATCH}")));
        }
        let detail = Detail { turns: batch.turns, words: false };
        let task = Box::new(move || {
            let answers = batch.fens.iter().map(|fen| match explorer.probe(fen, detail) {
                Ok(mut object) => {
                    object.insert("fen".to_owned(), json!(fen));
                    Value::Object(object)
                }
                Err(refusal) => {
                    let mut object = refusal.object();
                    object.shift_insert(0, "fen".to_owned(), json!(fen));
                    Value::Object(object)
                }
            });
            serialize(&json!({ "answers": answers.collect::<Vec<_>>() }))
        });
        Ok(json_bytes(StatusCode::OK, self.crew.look_up(&self.metrics, task).await?))
    }
}

fn serialize(answer: &impl Serialize) -> Result<Bytes, Refusal> {
    let bytes = serde_json::to_vec(answer).map_err(|error| Refusal::Broken(error.to_string()))?;
    Ok(bytes.into())
}

fn json_bytes(status: StatusCode, bytes: Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}
