//! What can be typed.

use std::{path::PathBuf, sync::LazyLock};

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::rule_args;
use crate::{answer::Contents, pack::Sides, registry::GameName, rules::RuleOptions, solve::PartId};

/// The version, the commit if whoever built this has said it, and what else than the program is in it.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut version = env!("CARGO_PKG_VERSION").to_owned();
    if let Some(commit) = option_env!("FINALE_COMMIT").filter(|commit| !commit.is_empty()) {
        version += &format!(" ({commit})");
    }
    let features = [
        ("export", cfg!(feature = "export")),
        ("fetch", cfg!(feature = "fetch")),
        ("serve", cfg!(feature = "serve")),
    ];
    for (feature, _) in features.iter().filter(|(_, is_there)| *is_there) {
        version += &format!("\nwith {feature}");
    }
    version
});

/// Endgame tablebases for chess variants: build, probe, verify and study them.
#[derive(Debug, Parser)]
// However the file of the program is called: on Windows it ends with `.exe`.
#[command(name = "finale", bin_name = "finale")]
#[command(version, long_version = LONG_VERSION.as_str(), max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Games from this file too, by the names of its sections
    // It is read before all others, since it says what GAME can be.
    #[arg(long, global = true, value_name = "FILE", env = "FINALE_VARIANTS")]
    pub variants: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build tables and all they depend on; skips what exists
    Build(BuildArgs),
    /// Show the value of a position and rank its turns
    Probe(ProbeArgs),
    /// Show best play to the end
    Line(LineArgs),
    /// Answer what students of a game ask of a table
    Stats(StatsArgs),
    /// Write a table as columns, a row for each position
    Export(ExportArgs),
    /// Find the positions of a table that answer a description
    Find(FindArgs),
    /// Check tables: checksums, then every value against its successors
    Verify(VerifyArgs),
    /// Write tables in a smaller form into a folder, or as they were before, without solving
    Pack(PackArgs),
    /// List the tables there are
    List(ListArgs),
    /// Show what is in a table file
    Info(InfoArgs),
    /// Play a game record by the full rules
    Replay(ReplayArgs),
    /// Count sequences of turns
    Perft(PerftArgs),
    /// Print the rules of a game in short, its FEN and its notation
    Rules(RulesArgs),
    /// Tell which games of a file can be built, and what stands in the way of the others
    Check(CheckArgs),
    /// Play from the tables, as an engine for programs that speak UCI
    Uci(EngineArgs),
    /// Play from the tables, as an engine for programs that speak the protocol of XBoard
    Xboard(EngineArgs),
    /// Open the tables to browsers and programs
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Write the explorer with its tables as a folder that any web server can hand out
    #[cfg(feature = "serve")]
    Site(SiteArgs),
}

/// Which game, by which rules.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// The game
    #[arg(value_name = "GAME")]
    pub game: GameName,

    #[command(flatten)]
    pub rules: RuleOptions,
}

impl GameArgs {
    /// The same with options that a record names, where none were given.
    pub fn with_recorded(&self, options: &[(String, String)]) -> GameArgs {
        let mut rules = self.rules.clone();
        for option in rule_args::declared().into_iter().filter(|option| option.recorded) {
            let recorded = options.iter().find(|(name, _)| name == option.name);
            if !rules.has(option.name) {
                rules.set(option.name, recorded.map(|(_, value)| value.clone()));
            }
        }
        GameArgs { game: self.game, rules }
    }

    /// The options that were given, as they were typed: ` --vitality 20`.
    pub fn typed(&self) -> String {
        self.rules.iter().map(|(name, value)| format!(" --{name} {}", quoted(value))).collect()
    }
}

/// A word as shells read it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-_./:=,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

impl Command {
    /// The rule options that were given, as they were typed.
    pub fn typed_options(&self) -> String {
        match self {
            Command::Build(args) => args.game.typed(),
            Command::Probe(args) => args.game.typed(),
            Command::Line(args) => args.game.typed(),
            Command::Stats(args) => args.game.typed(),
            Command::Export(args) => args.game.typed(),
            Command::Find(args) => args.game.typed(),
            Command::Verify(args) => args.game.typed(),
            Command::Pack(args) => args.game.typed(),
            Command::Replay(args) => args.game.typed(),
            Command::Perft(args) => args.game.typed(),
            Command::List(_) | Command::Info(_) | Command::Rules(_) | Command::Check(_) => {
                String::new()
            }
            // They go to several games, and no game knows all of them.
            Command::Uci(_) | Command::Xboard(_) => String::new(),
            #[cfg(feature = "serve")]
            Command::Serve(_) | Command::Site(_) => String::new(),
        }
    }
}

/// Where tables are.
#[derive(Debug, Args)]
pub struct TablesArgs {
    /// The folder of tables
    #[arg(long, value_name = "DIR", env = "FINALE_TABLES", default_value = "tables")]
    pub tables: PathBuf,
}

/// Where tables are that are gone through from end to end, and what that takes.
#[derive(Debug, Args)]
pub struct WholeTablesArgs {
    /// Memory for what is kept of the tables that are looked into, like 800M or 4G; more goes to
    /// temporary files [default: four fifths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// How tables are built.
#[derive(Debug, Args)]
pub struct MakeArgs {
    /// Memory for big arrays, like 800M or 4G; what exceeds it goes to scratch files in the folder
    /// of tables [default: four fifths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,

    /// The folder of scratch files, which most builds write [default: the folder of tables]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,

    /// How many positions a part of a large table has at most, for each side to move; all who work
    /// on a table must agree
    #[arg(long, value_name = "POSITIONS", hide_short_help = true,
          default_value_t = crate::solve::PART_SIZE,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub part_size: u64,

    /// Effort of the compression, 1 (fast) to 22 (small); from 10 on what tables leave open is
    /// chosen so that it repeats, and 19 makes large tables a twentieth to a sixth smaller than the
    /// default in several times the time
    #[arg(long, value_name = "LEVEL", default_value_t = crate::table::WriterOptions::default().level,
          value_parser = clap::value_parser!(i32).range(1..=22))]
    pub level: i32,

    // Ends with the games that have such tables.
    #[arg(long, value_name = "CONTENTS", help = rule_args::contents_help())]
    pub contents: Option<Contents>,

    /// The same as `--contents result`, where the game has such tables
    #[arg(long, hide = true, conflicts_with = "contents")]
    pub no_distance: bool,
}

/// Reads a number of bytes like `800M`.
fn parse_size(text: &str) -> Result<u64, &'static str> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches("IB")
        .trim_end_matches('B')
    {
        "" => Some(1),
        "K" => Some(1 << 10),
        "M" => Some(1 << 20),
        "G" => Some(1 << 30),
        _ => None,
    };
    let size = digits.parse::<u64>().ok().zip(unit).and_then(|(n, unit)| n.checked_mul(unit));
    size.ok_or("write a number and K, M or G, like 800M")
}

/// Reads the address of a page, which ends with a slash.
#[cfg(feature = "serve")]
fn parse_address(text: &str) -> Result<String, &'static str> {
    let rest = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._~:/[]%".contains(c);
    match rest {
        Some(rest) if !rest.is_empty() && rest.chars().all(fits) => {
            Ok(format!("{}/", text.trim_end_matches('/')))
        }
        _ => Err("write an address like https://example.org/finale/"),
    }
}

/// Arguments of `build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The materials, like KBNvK
    #[arg(value_name = "MATERIAL", required_unless_present_any = ["men", "repair"])]
    pub materials: Vec<String>,

    /// Every material with up to N men, counting those in reserve, that can arise in a game
    #[arg(long, value_name = "N", conflicts_with = "materials",
          value_parser = clap::value_parser!(u8).range(2..))]
    pub men: Option<u8>,

    /// With --men: also materials that cannot arise in a game, such as two Kings a side in noro
    #[arg(long, requires = "men")]
    pub all: bool,

    /// Which positions the tables store that are built: those of `both` sides to move, or of the
    /// `one` that takes fewer bytes, as `finale pack` writes them
    #[arg(long, value_name = "SIDES", default_value_t = Sides::Both,
          conflicts_with_all = ["part", "join", "plan"])]
    pub sides: Sides,

    /// Read every table first, and build damaged ones again; without materials, all there are
    #[arg(long)]
    pub repair: bool,

    /// Build just this part of the table, like 3.1: part 1 of group 3. The plan as JSON names them;
    /// what it needs must be there
    #[arg(long, value_name = "G.I", conflicts_with_all = ["men", "plan", "repair"])]
    pub part: Option<PartId>,

    /// Put the parts of the table together, all of which are there
    #[arg(long, conflicts_with_all = ["men", "plan", "repair", "part"])]
    pub join: bool,

    /// Show what would be built, and how much time, memory and disk space it takes
    #[arg(long)]
    pub plan: bool,

    /// Write the plan as JSON
    #[arg(long, requires = "plan")]
    pub json: bool,

    #[command(flatten)]
    pub make: MakeArgs,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `probe`.
#[derive(Debug, Args)]
pub struct ProbeArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The position; underscores pass for spaces
    #[arg(value_name = "FEN", required_unless_present = "batch", conflicts_with = "batch")]
    pub fen: Option<String>,

    /// Read FENs from stdin, a line each, and write a JSON object for each to stdout
    #[arg(long)]
    pub batch: bool,

    /// With --batch: rank the turns of every position too
    #[arg(long, conflicts_with = "fen")]
    pub turns: bool,

    /// Build the tables that are missing first
    #[arg(long)]
    pub build: bool,

    /// Draw the board
    #[arg(short, long)]
    pub verbose: bool,

    /// Write JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub make: MakeArgs,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `line`.
#[derive(Debug, Args)]
pub struct LineArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The position; underscores pass for spaces
    #[arg(value_name = "FEN")]
    pub fen: String,

    /// Stop after so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 1000)]
    pub max: usize,

    /// Write PGN
    #[arg(long, conflicts_with = "json")]
    pub pgn: bool,

    /// Draw the board
    #[arg(short, long)]
    pub verbose: bool,

    /// Write JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `stats`.
#[derive(Debug, Args)]
pub struct StatsArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The material, like KBNvK
    #[arg(value_name = "MATERIAL")]
    pub material: String,

    // What it does is said by the games that have it.
    #[arg(long, value_name = "W+B", help = rule_args::from_help())]
    pub from: Option<String>,

    /// Tell in a few sentences what the counts come to, each with a position to look at
    #[arg(long, conflicts_with = "from")]
    pub story: bool,

    /// Write JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tables: WholeTablesArgs,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The material, like KBNvK
    #[arg(value_name = "MATERIAL")]
    pub material: String,

    /// How the columns are written
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: ExportFormat,

    /// The file they are written to; `-` for stdout [default: GAME-MATERIAL.FORMAT]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Only positions with this side to move
    #[arg(long, value_name = "SIDE", value_enum)]
    pub side: Option<SideToMove>,

    /// Only these columns, parted by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,

    #[command(flatten)]
    pub tables: WholeTablesArgs,
}

/// Arguments of `find`.
#[derive(Debug, Args)]
pub struct FindArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The material, like KBNvK
    #[arg(value_name = "MATERIAL")]
    pub material: String,

    /// What the positions fulfil, like `wins and keeping_turns = 1 and distance(K, k) > 3`; without
    /// it, the names that can be asked for are listed
    #[arg(value_name = "QUERY")]
    pub query: Option<String>,

    /// Only count them
    #[arg(long, conflicts_with_all = ["limit", "sort", "sample", "seed"])]
    pub count: bool,

    /// At most so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: Option<u32>,

    /// In the order of a number, lowest first, like `-dtm`; those without it come last [default:
    /// the order of the table]
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    pub sort: Option<String>,

    /// Only so many, drawn by chance
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub sample: Option<u32>,

    /// What the chance of a sample begins with; another number draws other positions
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "sample")]
    pub seed: u64,

    /// How they are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FindFormat::Fen)]
    pub format: FindFormat,

    #[command(flatten)]
    pub tables: WholeTablesArgs,
}

/// How positions that were found are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum FindFormat {
    /// A FEN a line
    Fen,
    /// A game of best play from each
    Pgn,
    /// The columns of `finale export` behind the FEN, parted by commas
    Csv,
    /// An object a line, with the members of `finale probe --json`
    Json,
    /// The columns as Apache Parquet; in a finale that was built with the feature `export`
    Parquet,
}

/// How columns are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExportFormat {
    /// Apache Parquet, packed by Snappy; in a finale that was built with the feature `export`
    Parquet,
    /// Comma-separated values, with the names of the columns in the first line
    Csv,
}

impl ExportFormat {
    /// What names of files end with.
    pub fn extension(self) -> &'static str {
        match self {
            ExportFormat::Parquet => "parquet",
            ExportFormat::Csv => "csv",
        }
    }
}

/// A side to move, as FENs have it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum SideToMove {
    /// White
    W,
    /// Black
    B,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The materials [default: every table of the game there is]
    #[arg(value_name = "MATERIAL")]
    pub materials: Vec<String>,

    /// Check only that files are as they were written: much quicker
    #[arg(long)]
    pub checksums: bool,

    /// Write JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `pack`.
#[derive(Debug, Args)]
pub struct PackArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The folder that the tables go to, which may be the one they are in
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The materials [default: all there are]
    #[arg(value_name = "MATERIAL")]
    pub materials: Vec<String>,

    /// Which positions tables store: those of `both` sides to move, or of the `one` that takes
    /// fewer bytes, from which the others are answered in some more time
    #[arg(long, value_name = "SIDES", default_value_t = Sides::One)]
    pub sides: Sides,

    // Ends with the games that have such tables.
    #[arg(long, value_name = "CONTENTS", help = rule_args::packed_contents_help())]
    pub contents: Option<Contents>,

    /// Effort of the compression, 1 (fast) to 22 (small)
    #[arg(long, value_name = "LEVEL", default_value_t = crate::table::WriterOptions::default().level,
          value_parser = clap::value_parser!(i32).range(1..=22))]
    pub level: i32,

    /// Memory for the tables that are looked into, like 800M or 4G, beside some for each position
    /// [default: four fifths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,

    /// Write JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// The game [default: all]
    #[arg(value_name = "GAME")]
    pub game: Option<GameName>,

    /// The materials [default: all]
    #[arg(value_name = "MATERIAL")]
    pub materials: Vec<String>,

    /// Of the tables of a plan that `finale build --plan --json` wrote into this file, or of one on
    /// stdin for `-`: which are there, and how many parts of the others
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    pub plan: Option<PathBuf>,

    /// Write JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// The table file
    #[arg(value_name = "FILE", required_unless_present = "scores")]
    pub file: Option<PathBuf>,

    /// Print the default score sheet of stylish, to be edited and given to --scores
    #[arg(long, conflicts_with_all = ["file", "json"])]
    pub scores: bool,

    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The record: move text with or without numbers and comments, or PGN; several games in it are
    /// summed as a match; `-` for stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Mark each turn that costs the result (`??`), points (`?`) or plies (`?!`), as far as tables
    /// cover the game
    #[arg(long)]
    pub probe: bool,

    /// Write PGN, with `--probe` with a glyph and a comment at each turn that costs something
    #[arg(long, conflicts_with_all = ["json", "verbose"])]
    pub pgn: bool,

    /// Draw the board
    #[arg(short, long)]
    pub verbose: bool,

    /// Write JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `perft`.
#[derive(Debug, Args)]
pub struct PerftArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// The position, or `start`
    #[arg(value_name = "FEN")]
    pub fen: String,

    /// How many turns deep
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=255))]
    pub depth: u32,

    /// Count behind each first turn
    #[arg(long)]
    pub divide: bool,

    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// The game
    #[arg(value_name = "GAME")]
    pub game: GameName,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The file of variants
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `uci` and `xboard`.
#[derive(Debug, Args)]
pub struct EngineArgs {
    /// The game that is played until a program names another
    #[arg(long, value_name = "GAME", default_value = "orthodox")]
    pub game: GameName,

    #[command(flatten)]
    pub rules: RuleOptions,

    /// A folder of tables, which may be named several times; the option TablePath names others
    #[arg(long, value_name = "DIR", env = "FINALE_TABLES", default_value = "tables")]
    pub tables: Vec<PathBuf>,
}

/// Arguments of `serve`.
#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The address to listen at; 0.0.0.0:8008 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8008")]
    pub listen: std::net::SocketAddr,

    /// Another address for /metrics, which is then no more at the first
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<std::net::SocketAddr>,

    /// Write a line of JSON for each request to standard output
    #[arg(long)]
    pub log: bool,

    /// How many look-ups run at the same time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Memory for unpacked parts of tables
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "256M")]
    pub cache: u64,

    /// Memory for answers given lately
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "64M")]
    pub answers: u64,

    /// Keep counts over whole tables in this folder, so that the next server need not count again
    #[arg(long, value_name = "DIR")]
    pub counts: Option<PathBuf>,

    /// Let the pages of other sites read the answers
    #[arg(long)]
    pub cors: bool,

    // A comment of documentation would have to make a link of the example.
    #[arg(long, value_name = "URL", value_parser = parse_address,
          help = "Where visitors find the page, like https://example.org/finale/; previews of links name it")]
    pub address: Option<String>,

    #[arg(
        long,
        value_name = "SITE",
        help = "A site whose pages may show positions in a frame, like https://example.org; may be \
                  given several times, * are all"
    )]
    pub frame: Vec<crate::serve::Framer>,

    /// Tell visitors nothing of this machine: neither where its tables lie, nor what builds more
    #[arg(long)]
    pub public: bool,

    #[command(flatten)]
    pub rules: RuleOptions,

    #[command(flatten)]
    pub tables: TablesArgs,
}

/// Arguments of `site`.
#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub struct SiteArgs {
    /// The folder to write; it must be empty or not there
    #[arg(value_name = "OUT")]
    pub out: PathBuf,

    /// The game; without one, all that have tables
    #[arg(value_name = "GAME")]
    pub game: Option<GameName>,

    /// Materials like KBNvK, whose tables come with those that their turns lead to; without any, all
    #[arg(value_name = "MATERIAL")]
    pub materials: Vec<String>,

    /// The program of the page, which tools/site/build makes [default: finale.wasm beside this one]
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,

    #[command(flatten)]
    pub tables: TablesArgs,
}
