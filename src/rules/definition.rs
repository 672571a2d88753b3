//! What an ordinary variant of chess is, as a value: what departs from orthodox chess.

use std::{borrow::Cow, cmp::Ordering};

use serde_json::{Map, Value};

use super::{
    chess::{Castling, Setup},
    fen::{self, FenError, Frame},
    laws::{Laws, OwnPromotions, Passing, Scarce},
    men::CountMen,
    wdl::Wdl,
};
use crate::board::{
    Bitboard, Board, ByColor, Color, Man, Movement, Movements, Role, RoleSet, Square,
};

/// What an ordinary variant of chess is: read from a file of variants, or made here.
///
/// ```
/// use finale::rules::{Definition, Game, Variant, Wdl};
///
/// let definition = Definition {
///     name: "stalemate-loses".to_owned(),
///     stalemate: Wdl::Loss,
///     ..Definition::default()
/// };
/// let game = Variant::new(definition);
/// let stalemate = game.parse_fen("7k/5Q2/6K1/8/8/8/8/8 b")?;
/// assert_eq!(game.ending(&stalemate).unwrap().to_string(), "White wins by stalemate");
/// # Ok::<(), finale::rules::FenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Definition {
    /// The name used in commands, folders and table headers: `koth`.
    pub name: String,
    /// The name as its players write it.
    pub title: String,
    /// The men it is played with.
    pub men: RoleSet,
    /// How men move, whether Kings are royal, whether one must capture, what pawns become.
    pub laws: Laws,
    /// What a stalemate is worth to the side that has no turn.
    pub stalemate: Wdl,
    /// Whether it is worth that only to a side with fewer men than the other, the opposite to one
    /// with more, and a draw to one with as many.
    pub stalemate_counts: bool,
    /// Whether a side that is mated has won.
    pub mated_wins: bool,
    /// Who wins by reaching which squares.
    pub goal: Goal,
    /// When the men that are left end the game.
    pub extinction: Option<Extinction>,
    /// How many checks win, up to [`MOST_CHECKS`](Definition::MOST_CHECKS); 0 where they are not
    /// counted.
    pub winning_checks: u8,
    /// The position every game starts from. It also says how many royal men each side has.
    pub start: Setup,
}

/// Squares that win the game for the side whose man reaches them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Goal {
    /// Which man must; any if it is none.
    pub role: Option<Role>,
    /// The squares of each side, empty where it has no goal.
    pub squares: ByColor<Bitboard>,
    /// How many men must be there.
    pub count: u8,
    /// Whether Black has one more turn when White is there first, for a draw if its man gets there,
    /// too.
    pub last_turn: bool,
    /// Whether men count only where no enemy attacks them, but all if there are more than it needs.
    /// Who is attacked there, and when it is that side's turn no longer, has won then.
    pub safe: bool,
}

impl Goal {
    /// No goal.
    pub const NONE: Goal = Goal {
        role: Some(Role::King),
        squares: ByColor::both(Bitboard::EMPTY),
        count: 1,
        last_turn: false,
        safe: false,
    };

    /// Whether nobody has one.
    pub fn is_none(&self) -> bool {
        self.squares == ByColor::both(Bitboard::EMPTY)
    }

    /// The squares on which a man of a side wins.
    pub fn of(&self, color: Color, role: Role) -> Bitboard {
        match self.role {
            Some(wanted) if wanted != role => Bitboard::EMPTY,
            _ => self.squares[color],
        }
    }
}

/// How few men of a kind end the game.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Extinction {
    /// The kinds, each of which is counted alone; all men together if it is none.
    pub kinds: Option<RoleSet>,
    /// The game ends where a side has at most so many.
    pub count: u8,
    /// But only if the other side has at least so many of the same.
    pub others: u8,
    /// Whether the side that has so few wins.
    pub wins: bool,
    /// Whether it may make one more turn if the other has just that many.
    pub waits: bool,
}

impl Extinction {
    /// Whether a side has so few.
    fn has_come(&self, men: &impl CountMen, color: Color, to_move: Color) -> bool {
        let others = usize::from(self.others) + usize::from(self.waits && color == to_move);
        let few = |count: &dyn Fn(Color) -> usize| {
            count(color) <= usize::from(self.count) && count(!color) >= others
        };
        match self.kinds {
            None => few(&|color| men.count_all(color)),
            Some(kinds) => kinds.iter().any(|role| few(&|color| men.count_men(color, role))),
        }
    }
}

/// A number of royal men that does not fit a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct UnfitRoyalMen {
    /// Whose.
    pub color: Color,
    /// Which men.
    pub role: Role,
    /// How many there are.
    pub found: usize,
    /// How many there must be, at least.
    pub least: usize,
    /// Whether there may be more.
    pub may_be_more: bool,
}

impl From<UnfitRoyalMen> for FenError {
    fn from(unfit: UnfitRoyalMen) -> FenError {
        let UnfitRoyalMen { color, role, found, least, may_be_more } = unfit;
        if role == Role::King && least == 1 && !may_be_more {
            return FenError::Kings { color, found };
        }
        let least = match (least, may_be_more) {
            (0, false) => "none".to_owned(),
            (least, false) => format!("exactly {least}"),
            (least, true) => format!("at least {least}"),
        };
        FenError::game(format!(
            "{color} has {found} of the royal man {}; in this game it has {least}",
            role.letter()
        ))
    }
}

impl Default for Definition {
    /// Orthodox chess.
    fn default() -> Definition {
        Definition {
            name: "orthodox".to_owned(),
            title: "Orthodox chess".to_owned(),
            men: RoleSet::ORTHODOX,
            laws: Laws::ORTHODOX,
            stalemate: Wdl::Draw,
            stalemate_counts: false,
            mated_wins: false,
            goal: Goal::NONE,
            extinction: None,
            winning_checks: 0,
            start: Setup::initial(),
        }
    }
}

impl Definition {
    /// The most checks that can be asked for to win.
    pub const MOST_CHECKS: u8 = 9;

    /// Whether checkmate is the only way to win: answers then say *mates*, and *wins* if not.
    pub fn only_mate_wins(&self) -> bool {
        self.laws.has_royal()
            && !self.mated_wins
            && self.goal.is_none()
            && self.extinction.is_none()
            && self.winning_checks == 0
            && self.stalemate == Wdl::Draw
    }

    /// Whether it may depend on who is to move if the men that are left end the game.
    pub fn may_wait(&self) -> bool {
        self.extinction.is_some_and(|extinction| extinction.waits)
    }

    /// Whether the men that are left end the game, whoever is to move.
    pub fn is_over_with(&self, men: &impl CountMen) -> bool {
        let is_over = |to_move| self.is_over_by_men(men, to_move);
        is_over(Color::White) && (!self.may_wait() || is_over(Color::Black))
    }

    /// Whether the men that are left end the game; who has won then, others tell: where all men of
    /// a side are gone, somebody may have [reached](Definition::reached) a goal.
    pub fn is_over_by_men(&self, men: &impl CountMen, to_move: Color) -> bool {
        self.winner_by_lost_men(men, to_move).is_some() || self.has_bare_side(men)
    }

    /// Who has won if somebody has lost too many men, whoever stands where. A royal King can leave
    /// the board only where captures explode, and who has lost it has lost. Where both sides have
    /// too few, the one that has just moved counts as the first.
    pub fn winner_by_lost_men(&self, men: &impl CountMen, to_move: Color) -> Option<Color> {
        let Laws { royal, explosive, .. } = self.laws;
        let order = [!to_move, to_move];
        let gone = |&color: &Color| men.count_men(color, Role::King) == 0;
        if royal.contains(Role::King)
            && explosive
            && let Some(loser) = order.into_iter().find(gone)
        {
            return Some(!loser);
        }
        let extinction = self.extinction.as_ref()?;
        let few = order.into_iter().find(|&few| extinction.has_come(men, few, to_move))?;
        Some(if extinction.wins { few } else { !few })
    }

    /// Whether a side has no men, which ends the game without royal Kings.
    pub fn has_bare_side(&self, men: &impl CountMen) -> bool {
        !self.laws.has_royal() && Color::any(|color| men.count_all(color) == 0)
    }

    /// Who wins a stalemate of a side.
    pub fn stalemate_winner(&self, men: &impl CountMen, mover: Color) -> Option<Color> {
        match men.count_all(mover).cmp(&men.count_all(!mover)) {
            Ordering::Equal if self.stalemate_counts => None,
            Ordering::Greater if self.stalemate_counts => self.stalemate.winner(!mover),
            _ => self.stalemate.winner(mover),
        }
    }

    /// A man of a side that stands on its goal, if as many do as must, and as safely.
    pub fn reached(&self, board: &Board, color: Color) -> Option<(Role, Square)> {
        let Goal { count, safe, .. } = self.goal;
        if count > 1 || safe {
            let (there, enough) = (self.men_at_goal(board, color), usize::from(count));
            let Laws { movements, .. } = self.laws;
            let is_safe = |at| !board.is_attacked_by(movements, !color, at);
            if there.len() < enough
                || safe && there.len() == enough && !there.into_iter().all(is_safe)
            {
                return None;
            }
        }
        self.men.iter().find_map(|role| {
            let reached = board.men(color, role) & self.goal.of(color, role);
            reached.first().map(|square| (role, square))
        })
    }

    /// Where the men of a side stand that are on its goal.
    pub fn men_at_goal(&self, board: &Board, color: Color) -> Bitboard {
        let there = self.men.iter().map(|role| board.men(color, role) & self.goal.of(color, role));
        there.fold(Bitboard::EMPTY, |all, there| all | there)
    }

    /// Reads a FEN of the game.
    ///
    /// # Errors
    /// As [`Game::parse_fen`](super::Game::parse_fen).
    pub fn read_fen(&self, fen: &str) -> Result<Setup, FenError> {
        self.read_fen_where(fen, |board| {
            let mut sides = Color::ALL.into_iter();
            sides.find_map(|color| self.unfit_royal_men(board, color)).map_or(Ok(()), Err)
        })
    }

    /// The royal men that the men of a side have too many or too few of: as many as in the first
    /// position, or more where pawns become such men. Only an explosion can remove one, and the
    /// game is over then.
    pub fn unfit_royal_men(&self, men: &impl CountMen, color: Color) -> Option<UnfitRoyalMen> {
        if self.laws.explosive && self.is_over_with(men) {
            return None;
        }
        let of = |role, most, may_be_more| {
            let found = men.count_men(color, role);
            let least = self.start.board.count_men(color, role).min(most);
            let fits = found == least || may_be_more && found > least;
            (!fits).then_some(UnfitRoyalMen { color, role, found, least, may_be_more })
        };
        let mut always = self.laws.royal.iter();
        always.find_map(|role| of(role, usize::MAX, self.laws.can_be_had(color, role))).or_else(
            || {
                // Of more than few, all but the few can be captured.
                let Scarce { kinds, most, .. } = self.laws.scarce?;
                kinds.iter().find_map(|role| of(role, most.into(), true))
            },
        )
    }

    /// Reads a FEN with royal men that `check` finds right.
    fn read_fen_where<E: Into<FenError>>(
        &self,
        fen: &str,
        check: impl FnOnce(&Board) -> Result<(), E>,
    ) -> Result<Setup, FenError> {
        let fen = self.with_letters_of_promoted(fen);
        let mut frame = Frame::read(&fen)?;
        let checks_left = self.read_checks(&mut frame)?;
        let board = frame.board_under(self.men, &self.laws)?;
        if let Some(color) = self.laws.stray_pawn(&board) {
            return Err(FenError::game(format!("{color} has no pawns in this game")));
        }
        check(&board).map_err(Into::into)?;
        if !self.laws.castling {
            frame.no_castling()?;
        }
        let expected = match self.winning_checks {
            0 => "only the two counters may follow".to_owned(),
            most => format!("the checks that each side has left may follow, like {most}+{most}"),
        };
        let mut setup = frame.setup(board, &self.laws, &expected)?;
        setup.checks_left = checks_left;
        let mover = setup.to_move;
        if setup.winner_by_checks() == Some(mover) {
            return Err(FenError::game(format!(
                "{mover} has given its last check and won, so it cannot be {mover}'s turn"
            )));
        }
        // Where Black has a last turn White is to move, if only to hear that the game is over, and
        // so is whoever was attacked at the goal.
        let waits = self.goal.last_turn && mover == Color::White || self.goal.safe;
        if let Some((role, square)) = self.reached(&board, mover).filter(|_| !waits) {
            let man = self.title_of(role);
            return Err(FenError::game(format!(
                "{mover}'s {man} on {square} has won already, so it cannot be {mover}'s turn"
            )));
        }
        setup.drop_idle_en_passant(&self.laws);
        Ok(setup)
    }

    /// A FEN with men that have become a kind of their own by the letters of that kind, not as
    /// other programs write them: by that which they were, behind a plus.
    fn with_letters_of_promoted<'f>(&self, fen: &'f str) -> Cow<'f, str> {
        if self.laws.own_promotions == OwnPromotions::NONE {
            return fen.into();
        }
        let placed = fen.len() - fen.trim_start().len();
        let placed = placed + fen[placed..].find(char::is_whitespace).unwrap_or(fen.len() - placed);
        let mut parts = fen[..placed].split('+');
        let first = parts.next().unwrap_or_default();
        let promoted = |part: &str| {
            let letter = part.chars().next()?;
            let man = self.men.man(letter)?;
            let role = self.laws.own_promotions.of(man.role)?;
            let letter = Man { role, ..man }.letter();
            Some(format!("{letter}{}", &part[1..]))
        };
        let parts: Option<Vec<String>> = parts.map(promoted).collect();
        match parts {
            Some(parts) if !parts.is_empty() => {
                format!("{first}{}{}", parts.concat(), &fen[placed..]).into()
            }
            _ => fen.into(),
        }
    }

    /// The checks that the sides have left at first, where they are counted.
    fn all_checks(&self) -> Option<ByColor<u8>> {
        (self.winning_checks > 0).then(|| ByColor::both(self.winning_checks))
    }

    /// Takes the checks that each side has left out of a FEN, all where it names none.
    fn read_checks(&self, frame: &mut Frame<'_>) -> Result<Option<ByColor<u8>>, FenError> {
        let most = self.winning_checks;
        if most == 0 {
            return Ok(None);
        }
        let Some((field, left)) = frame.take(fen::read_pair) else {
            return Ok(self.all_checks());
        };
        let left = left.map(|left| u8::try_from(left).ok().filter(|&left| left <= most));
        match left {
            [Some(white), Some(black)] if white.max(black) > 0 => {
                Ok(Some(ByColor { white, black }))
            }
            _ => Err(FenError::Field {
                text: field.to_owned(),
                expected: format!(
                    "the checks that White and Black have left are at most {most}, and one of them \
                     has some"
                ),
            }),
        }
    }

    /// Writes the FEN of a position.
    pub fn write_fen(&self, setup: &Setup) -> String {
        let checks = setup.checks_left.map(|left| left.to_string());
        fen::write(setup, &self.laws, "", checks.as_slice())
    }

    /// Reads the FEN of a first position. Castling rights there are passed over in a game that has
    /// no castling here, and so are counters of a FEN that lacks other fields.
    ///
    /// # Errors
    /// As [`read_fen`](Definition::read_fen).
    pub(super) fn read_start(&self, fen: &str) -> Result<Setup, FenError> {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        if fields.len() < 6 {
            fields.retain(|field| !fen::is_number(field));
        }
        if let Some(castling) = fields.get_mut(2).filter(|_| !self.laws.castling) {
            *castling = "-";
        }
        self.read_fen_where(&fields.join(" "), |board| self.check_first_royal_men(board))
    }

    /// Checks the royal men of the first position, which say how many there are in every other.
    fn check_first_royal_men(&self, board: &Board) -> Result<(), FenError> {
        let (royal, explosive) = (self.laws.perhaps_royal(), self.laws.explosive);
        let count = |color, role| board.count_men(color, role);
        if explosive && !royal.is_empty() || self.goal.last_turn {
            return fen::one_king_each(board);
        }
        for color in Color::ALL {
            let has_none = royal.iter().all(|role| count(color, role) == 0);
            let loses_without_men = self.extinction.is_some_and(|extinction| {
                extinction.kinds.is_none() && extinction.others == 0 && !extinction.wins
            });
            if has_none && !royal.is_empty() && !loses_without_men {
                return Err(FenError::game(format!(
                    "{color} has no royal man; that is known only where a side without men has \
                     lost, `extinctionPieceTypes = *`"
                )));
            }
        }
        Ok(())
    }

    /// The first position of orthodox chess, in a game with all the men that stand there.
    pub(super) fn usual_start(&self) -> Option<Setup> {
        let start = Setup::initial();
        let has_all = self.men.and(RoleSet::ORTHODOX) == RoleSet::ORTHODOX
            && self.laws.size == start.board.size();
        let castling = if self.laws.castling { start.castling } else { Castling::NONE };
        has_all.then_some(Setup { castling, checks_left: self.all_checks(), ..start })
    }

    /// The men that do not move as their letters usually stand for, wherever they may go, and how
    /// White's move.
    pub fn unusual_men(&self) -> impl Iterator<Item = (Role, Movement)> {
        let white = |movements: Movements, role| movements.of(Man::new(Color::White, role));
        self.men.iter().filter_map(move |role| {
            let movement = white(self.laws.movements, role);
            let usual = white(Movements::USUAL, role);
            (movement.notation() != usual.notation()).then_some((role, movement))
        })
    }

    /// Whether men have moves that they make only where pawns of their side walk two squares.
    pub fn has_initial_moves(&self) -> bool {
        self.unusual_men().any(|(_, movement)| movement.has_initial())
    }

    /// The men of a side that do not go everywhere they could, and the squares of the board that
    /// they go to.
    pub fn kept_men(&self, color: Color) -> impl Iterator<Item = (Role, Bitboard)> {
        let squares = self.laws.size.squares();
        self.men.iter().filter_map(move |role| {
            let region = self.laws.movements.of(Man::new(color, role)).region() & squares;
            (region != squares).then_some((role, region))
        })
    }

    /// What a man is called: by its letter, if it does not move as that usually stands for.
    pub fn title_of(&self, role: Role) -> String {
        match self.unusual_men().any(|(unusual, _)| unusual == role) {
            true => role.letter().to_string(),
            false => role.title().to_owned(),
        }
    }

    /// The letters of the royal men that a side has at first, `kk` for two Kings.
    fn first_royal_men(&self, color: Color) -> String {
        let men = self.laws.royal.iter();
        let letters = men.flat_map(|role| {
            let letter = role.letter().to_ascii_lowercase();
            std::iter::repeat_n(letter, self.start.board.count_men(color, role))
        });
        letters.collect()
    }

    /// What departs from orthodox chess, as the headers of tables have it: by the keys of files of
    /// variants, none of which stands for what is as usual. So another order in a file, a comment
    /// or a default written out makes no other tables.
    pub fn departures(&self) -> Map<String, Value> {
        let usual = Definition::default();
        let Definition { laws, men, .. } = self;
        let mut all = Map::new();
        let mut say = |key: &str, differs: bool, value: Value| {
            if differs {
                all.insert(key.to_owned(), value);
            }
        };
        say("maxFile", laws.size.files() != usual.laws.size.files(), laws.size.files().into());
        say("maxRank", laws.size.ranks() != usual.laws.size.ranks(), laws.size.ranks().into());
        say("men", *men != usual.men, men.letters().into());
        let unusual = self.unusual_men().map(|(role, movement)| {
            let letter = role.letter().to_ascii_lowercase();
            (letter.to_string(), movement.notation().into())
        });
        let unusual: Map<String, Value> = unusual.collect();
        say("moves", !unusual.is_empty(), unusual.into());
        for color in Color::ALL {
            let kept = self.kept_men(color).map(|(role, region)| {
                (role.letter().to_ascii_lowercase().to_string(), squares(region))
            });
            let kept: Map<String, Value> = kept.collect();
            say(&format!("mobilityRegion{color}"), !kept.is_empty(), kept.into());
        }
        say("checking", !laws.checks, laws.checks.into());
        say("flagMove", self.goal.last_turn, true.into());
        say("royal", !laws.has_royal(), false.into());
        let unusual = laws.has_royal() && laws.royal != usual.laws.royal;
        say("royalMen", unusual, laws.royal.letters().into());
        for color in Color::ALL.into_iter().filter(|_| laws.has_royal()) {
            let royal = self.first_royal_men(color);
            say(&format!("royal{color}"), royal != "k", royal.into());
        }
        if let Some(Scarce { kinds, most, not_all }) = laws.scarce {
            say("extinctionPseudoRoyal", true, kinds.letters().into());
            say("extinctionPieceCount", true, (most - 1).into());
            say("dupleCheck", not_all, true.into());
        }
        say("kingsTouch", laws.kings_touch, laws.kings_touch.into());
        say("blastOnCapture", laws.explosive, laws.explosive.into());
        let [blast, mutually] = [laws.blast_immune, laws.mutually_immune];
        say("blastImmuneTypes", !blast.is_empty(), blast.letters().into());
        say("mutuallyImmuneTypes", !mutually.is_empty(), mutually.letters().into());
        say("flyingGeneral", laws.flying, true.into());
        say("mustCapture", laws.must_capture, laws.must_capture.into());
        for color in Color::ALL {
            let key = match laws.passing[color] {
                Passing::Never => continue,
                Passing::WhenStuck => "passOnStalemate",
                Passing::AtWill => "pass",
            };
            say(&format!("{key}{color}"), true, true.into());
        }
        let ByColor { white, black } = laws.promotions;
        if white == black {
            let usual = usual.laws.promotions.white;
            say("promotionPieceTypes", white != usual, white.letters().into());
        } else {
            say("promotionPieceTypesWhite", true, white.letters().into());
            say("promotionPieceTypesBlack", true, black.letters().into());
        }
        let limits = laws.promotion_limits.iter();
        let limits: Vec<String> = limits
            .map(|(role, most)| format!("{}:{most}", role.letter().to_ascii_lowercase()))
            .collect();
        say("promotionLimit", !limits.is_empty(), limits.join(" ").into());
        let pieces = laws.promoting.white.with(Role::Pawn, false);
        if laws.promoting.white == laws.promoting.black {
            say("promotionPawnTypes", !pieces.is_empty(), pieces.letters().into());
        } else {
            for color in Color::ALL {
                let promoting = laws.promoting[color].and(*men);
                say(&format!("promotionPawnTypes{color}"), true, promoting.letters().into());
            }
        }
        say("mandatoryPawnPromotion", laws.pawns_may_stay, false.into());
        // Pawns are above, with what they become.
        let own = laws.own_promotions.iter().filter(|&(from, _)| from != Role::Pawn);
        let own: Vec<String> = own
            .map(|(from, to)| format!("{}:{}", from.letter(), to.letter()).to_ascii_lowercase())
            .collect();
        say("promotedPieceType", !own.is_empty(), own.join(" ").into());
        say("mandatoryPiecePromotion", !laws.pieces_may_stay, true.into());
        say("piecePromotionOnCapture", laws.pieces_promote_by_capture, true.into());
        say("pawnsOnFirstRank", laws.pawns_at_home, true.into());
        let sets = [
            ("promotionRegion", laws.promotion_squares, usual.laws.promotion_squares),
            ("doubleStepRegion", laws.double_steps, usual.laws.double_steps),
            ("tripleStepRegion", laws.triple_steps, usual.laws.triple_steps),
            ("enPassantRegion", laws.en_passant, usual.laws.en_passant),
        ];
        for (key, set, usual) in sets {
            for color in Color::ALL {
                let key = format!("{key}{color}");
                say(&key, set[color] != usual[color], squares(set[color]));
            }
        }
        say("stalemateValue", self.stalemate != usual.stalemate, self.stalemate.name().into());
        say("stalematePieceCount", self.stalemate_counts, true.into());
        say("checkmateValue", self.mated_wins, "win".into());
        if !self.goal.is_none() {
            let piece = self.goal.role.map_or('*', Role::letter).to_ascii_lowercase();
            say("flagPiece", true, piece.to_string().into());
            say("flagRegionWhite", true, squares(self.goal.squares.white));
            say("flagRegionBlack", true, squares(self.goal.squares.black));
            say("flagPieceCount", self.goal.count != 1, self.goal.count.into());
            say("flagPieceSafe", self.goal.safe, true.into());
        }
        if let Some(Extinction { kinds, count, others, wins, waits }) = self.extinction {
            let kinds = kinds.map_or_else(|| "*".to_owned(), RoleSet::letters);
            say("extinctionValue", true, if wins { "win" } else { "loss" }.into());
            say("extinctionPieceTypes", true, kinds.into());
            say("extinctionPieceCount", true, count.into());
            say("extinctionOpponentPieceCount", true, others.into());
            say("extinctionClaim", waits, true.into());
        }
        say("checkCounting", self.winning_checks > 0, self.winning_checks.into());
        all
    }
}

/// Squares by their names, parted by spaces.
fn squares(set: Bitboard) -> Value {
    set.map(|square| square.to_string()).collect::<Vec<_>>().join(" ").into()
}
