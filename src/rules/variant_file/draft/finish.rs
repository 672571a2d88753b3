//! What the keys of a game come to: its definition, or all that stands in its way.

use std::borrow::Cow;

use super::Draft;
use crate::{
    board::{Bitboard, Board, BoardSize, ByColor, Color, Man, Movement, Movements, Role, RoleSet},
    rules::{
        chess::{Castling, Setup},
        definition::{Definition, Extinction, Goal},
        fen::read_pair,
        laws::{Laws, Passing, Scarce},
        variant_file::{
            keys::EN_PASSANT_TYPES,
            promotions::{Promotions, Royalty},
            refusal::Refusal,
            values,
        },
        wdl::Wdl,
    },
};

/// Where games begin that do not say it.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why men cannot be royal only while few are left.
const MANY: &str = "`extinctionPseudoRoyal`: where there can be more such men than \
                    `extinctionPieceCount` and one, it is not known together with explosions";

impl Draft {
    /// The game; or all that stands in its way.
    pub fn finish(&self) -> Result<Definition, Vec<Refusal>> {
        let draft = self.without_absent_king();
        let mut finish = Finish::of(&draft);
        let mut definition = finish.definition();
        finish.take_in_passing(&mut definition);
        finish.begin(&mut definition);
        finish.refusals.sort();
        if finish.refusals.is_empty() { Ok(definition) } else { Err(finish.refusals) }
    }

    /// The same without a King that neither side has as the game begins, and so never has: what
    /// `king = -` says.
    fn without_absent_king(&self) -> Cow<'_, Draft> {
        let king = self.kinds.royal_king().map(Role::letter);
        let start = self.start.as_ref().map(|(fen, _)| placement(fen));
        match (king, start) {
            (Some(king), Some(start)) if !start.to_ascii_uppercase().contains(king) => {
                let mut draft = self.clone();
                draft.kinds.remove_king();
                draft.follow(&self.kinds);
                Cow::Owned(draft)
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// Which men are royal, and what else ends the game when too few are left.
    fn royalty(&self) -> Result<(RoleSet, Option<Extinction>), &'static str> {
        let extinction = match self.extinction_value {
            None => None,
            Some(Wdl::Draw) => return Err("`extinctionValue`: a draw is not known"),
            Some(value) => Some(Extinction {
                kinds: self.extinction_men,
                count: self.extinction_count,
                others: self.extinction_others,
                wins: value == Wdl::Win,
                waits: self.extinction_waits,
            }),
        };
        let king = RoleSet::of(&[Role::King]);
        let royal = self.always_royal();
        if !self.pseudo_royal {
            return Ok((royal, extinction));
        }
        // Of few men none must be left attacked: they are royal by that.
        match extinction {
            Some(Extinction {
                kinds: Some(kinds),
                others: 0,
                wins: false,
                waits: false,
                count,
            }) if !self.explosive || kinds == king && count == 0 => Ok((royal.or(kinds), None)),
            _ => Err("`extinctionPseudoRoyal` is known only for `extinctionValue = loss` of some \
                      kinds, and with explosions for `extinctionPieceTypes = k` alone"),
        }
    }

    /// The kind that is royal however many there are.
    fn always_royal(&self) -> RoleSet {
        self.kinds.royal_king().map_or_else(RoleSet::default, |king| RoleSet::of(&[king]))
    }

    /// The kinds that are royal while few are left.
    fn scarce(&self) -> Option<Scarce> {
        let kinds = self.extinction_men.filter(|_| self.pseudo_royal)?;
        let most = self.extinction_count.saturating_add(1);
        Some(Scarce { kinds, most, not_all: self.duple_check })
    }

    /// Whether men that are royal while few are left, if there are such, can be more than that in
    /// a game that begins as it does.
    fn are_ever_many(&self, definition: &Definition) -> bool {
        let Definition { laws, start, .. } = definition;
        let Some(Scarce { kinds, most, .. }) = self.scarce() else { return false };
        let too_many = |color: Color, role| {
            let becomes = |&from: &Role| laws.ever_becomes(Man::new(color, from)).contains(role);
            let men = definition.men.iter().filter(becomes).chain([role]);
            men.map(|from| start.board.men(color, from).len()).sum::<usize>() > usize::from(most)
        };
        let sides = Color::ALL.into_iter();
        let mut all = sides.flat_map(|color| kinds.iter().map(move |role| (color, role)));
        all.any(|(color, role)| too_many(color, role))
    }

    /// How many checks win, which the first position alone tells, and one where it does not; 0 if
    /// they are not counted.
    fn winning_checks(&self) -> values::Value<u8> {
        if !self.counts_checks {
            return Ok(0);
        }
        let start = self.start.as_ref().map_or("", |(fen, _)| fen);
        let [white, black] = start.split_whitespace().find_map(read_pair).unwrap_or([1, 1]);
        let most = u8::try_from(white.max(black)).ok();
        most.filter(|most| (1..=Definition::MOST_CHECKS).contains(most)).ok_or_else(|| {
            format!(
                "`checkCounting`: the checks that win are from 1+1 to {0}+{0} in `startFen`",
                Definition::MOST_CHECKS
            )
        })
    }

    /// Whether there are pawns that walk over squares, so that they could be taken in passing.
    fn passes_pawns(&self) -> bool {
        let walks = |from: ByColor<Bitboard>| from != ByColor::both(Bitboard::EMPTY);
        let twice = self.double_step && walks(self.double_steps);
        self.kinds.men().contains(Role::Pawn) && (twice || walks(self.triple_steps))
    }

    /// Whether a pawn stands on the first rank of its side where games of a definition start.
    fn begins_with_pawns_at_home(&self, definition: &Definition) -> bool {
        let Definition { men, laws: Laws { size, .. }, .. } = *definition;
        let Some((fen, _)) = &self.start else { return false };
        Board::from_placement(placement(fen), men, size).is_ok_and(|board| {
            Color::any(|color| {
                board.men(color, Role::Pawn).intersects(size.squares_of_rank(color, 0))
            })
        })
    }

    /// The position that games of a definition start from, that of orthodox chess if it is not said.
    fn start_of(&self, definition: &Definition) -> Result<Setup, Refusal> {
        let refusal = |line, reason| Refusal { line, reason };
        match &self.start {
            None => {
                // Other men than the usual ones may have their letters.
                let usual = definition.usual_start().or_else(|| definition.read_start(USUAL).ok());
                let reason = "it needs a `startFen` with the men it has";
                usual.ok_or_else(|| refusal(self.line, reason.to_owned()))
            }
            Some((fen, line)) => definition
                .read_start(fen)
                .map_err(|error| refusal(*line, format!("`startFen`: {error}"))),
        }
    }
}

/// The placement of a FEN.
fn placement(fen: &str) -> &str {
    fen.split_whitespace().next().unwrap_or_default()
}

/// A game all of whose keys have been read, while they are put together.
struct Finish<'d> {
    draft: &'d Draft,
    size: BoardSize,
    /// The men there can be.
    men: RoleSet,
    /// Those that are royal, or are while few are left.
    royal: RoleSet,
    extinction: Option<Extinction>,
    /// What stands in the way, as far as it is known.
    refusals: Vec<Refusal>,
}

impl<'d> Finish<'d> {
    fn of(draft: &'d Draft) -> Finish<'d> {
        let mut refusals = draft.refusals.to_vec();
        let matters = |key: &String| draft.passes_pawns() || !EN_PASSANT_TYPES.contains(&&**key);
        let unknown = draft.unknown.iter().filter(|(key, _)| matters(key));
        refusals.extend(unknown.map(|(_, refusal)| refusal.clone()));
        let size = BoardSize::new(draft.files, draft.ranks).expect("values that fit");
        // Where there are fewer than three ranks no pawn can stand.
        let men = match size.ranks() {
            1 | 2 => draft.kinds.men().with(Role::Pawn, false),
            _ => draft.kinds.men(),
        };
        let (royal, extinction) = (RoleSet::of(&[Role::King]), None);
        let mut finish = Finish { draft, size, men, royal, extinction, refusals };
        if men.is_empty() {
            finish.refuse("it has no men; name them, like `king = k`, or a parent that has some");
        }
        match draft.royalty() {
            Ok(royalty) => (finish.royal, finish.extinction) = royalty,
            Err(reason) => finish.refuse(reason),
        }
        finish
    }

    fn refuse(&mut self, reason: impl Into<String>) {
        self.refusals.push(Refusal { line: self.draft.line, reason: reason.into() });
    }

    fn on_board(&self, sets: ByColor<Bitboard>) -> ByColor<Bitboard> {
        sets.map(|set| set & self.size.squares())
    }

    /// Whether a royal King alone can be checked, and a turn gives check wherever a King is in check
    /// after it.
    ///
    /// Other programs ask whether a turn gives check otherwise than whether a King is in check: a man
    /// then gives it to where it may not go, and none to what is royal by extinction.
    fn knows_checks(&self) -> bool {
        let kinds = &self.draft.kinds;
        let king_alone = kinds.royal_king().map(|king| RoleSet::of(&[king])) == Some(self.royal);
        king_alone && !self.draft.explosive && !kinds.are_kept(self.size.squares())
    }

    /// All but what follows from the squares of pawns and from the first position.
    fn definition(&mut self) -> Definition {
        let draft = self.draft;
        let promotions = self.promotions();
        let blast_immune = self.blast_immune(&promotions);
        self.refuse_other_kings();
        let double_steps = match draft.double_step {
            true => self.on_board(draft.double_steps),
            false => ByColor::both(Bitboard::EMPTY),
        };
        let movements = self.movements(double_steps, &promotions);
        Definition {
            name: draft.name.clone(),
            title: draft.title.clone().unwrap_or_else(|| draft.name.clone()),
            men: self.men,
            laws: Laws {
                size: self.size,
                movements,
                royal: self.royal,
                scarce: None,
                checks: draft.checks,
                kings_touch: draft.explosive && !self.royal.is_empty(),
                explosive: draft.explosive,
                blast_immune: blast_immune.and(self.men),
                mutually_immune: draft.mutually_immune.and(self.men),
                flying: draft.flying,
                must_capture: draft.must_capture,
                passing: ByColor::new(|color| match () {
                    // Other programs let a side that passes when it is stuck do nothing else.
                    () if draft.passes_when_stuck[color] => Passing::WhenStuck,
                    () if draft.passes[color] => Passing::AtWill,
                    () => Passing::Never,
                }),
                pawns_at_home: draft.pawns_at_home && self.men.contains(Role::Pawn),
                promotions: promotions.to,
                promotion_limits: promotions.limits,
                promotion_squares: self.on_board(draft.promotion_squares),
                promoting: promotions.promoting,
                pawns_may_stay: promotions.pawns_may_stay,
                own_promotions: promotions.own,
                pieces_may_stay: promotions.pieces_may_stay,
                pieces_promote_by_capture: promotions.by_capture,
                double_steps,
                triple_steps: self.on_board(draft.triple_steps),
                en_passant: ByColor::both(Bitboard::ALL),
                castling: self.castles(&movements),
            },
            stalemate: draft.stalemate,
            stalemate_counts: draft.stalemate_counts && draft.stalemate != Wdl::Draw,
            mated_wins: draft.checkmate == Wdl::Win,
            goal: self.goal(),
            extinction: self.extinction,
            winning_checks: self.winning_checks(),
            ..Definition::default()
        }
    }

    /// Who promotes, and to what.
    fn promotions(&mut self) -> Promotions {
        let Finish { draft, men, royal, .. } = *self;
        let counted = draft.extinction_men.unwrap_or_default();
        let foreign = counted.iter().find(|&role| !men.contains(role));
        if let Some(role) = foreign.filter(|_| draft.extinction_value.is_some()) {
            let letter = role.letter();
            self.refuse(format!("`extinctionPieceTypes`: the game has no {letter}"));
        }
        // Where captures explode, the common King may be royal, and there is one of it.
        let kings = if draft.explosive { royal } else { draft.always_royal() };
        let royalty = Royalty { royal, kings, explosive: draft.explosive };
        draft.promotions.among(men, royalty, |reason| self.refuse(reason))
    }

    /// Whom no explosion removes.
    fn blast_immune(&mut self, promotions: &Promotions) -> RoleSet {
        let Finish { draft, royal, .. } = *self;
        let blast_immune = if draft.explosive { draft.blast_immune } else { RoleSet::default() };
        let become_immune = Color::any(|color| !promotions.to[color].and(blast_immune).is_empty());
        if blast_immune.contains(Role::Pawn) || become_immune {
            self.refuse("`blastImmuneTypes`: not known for pawns and what they become");
        }
        if !blast_immune.and(royal).is_empty() || !draft.mutually_immune.and(royal).is_empty() {
            self.refuse("`blastImmuneTypes`, `mutuallyImmuneTypes`: not known for royal men");
        }
        blast_immune
    }

    /// Refuses games of explosions, or of Kings that may not face each other, for which the Kings are
    /// none of theirs.
    fn refuse_other_kings(&mut self) {
        let kinds = &self.draft.kinds;
        if self.draft.explosive && !self.royal.is_empty() && !kinds.has_common_king() {
            self.refuse("`blastOnCapture` is not known for a royal King; name it `commoner = k`");
        }
        if self.draft.flying && kinds.royal_king() != Some(Role::King) {
            self.refuse("`flyingGeneral` is known only for royal Kings, `king = k`");
        }
    }

    /// Where who gets there wins.
    fn goal(&mut self) -> Goal {
        let draft = self.draft;
        let squares = self.on_board(draft.goal);
        if squares == ByColor::both(Bitboard::EMPTY) {
            return Goal::NONE;
        }
        if draft.goal_count == 0 {
            self.refuse("`flagPieceCount`: at least one man must get there");
        }
        // Nobody reaches a goal of men that are gone.
        if draft.goal_men == ByColor::both(Some(RoleSet::default())) {
            return Goal::NONE;
        }
        // Who has nowhere to go needs no man for it.
        let men = match squares.white.is_empty() {
            true => draft.goal_men.black,
            false => draft.goal_men.white,
        };
        if Color::any(|color| !squares[color].is_empty() && draft.goal_men[color] != men) {
            self.refuse("`flagPiece`: both sides need the same man");
        }
        let is_plain = !draft.goal_safe && draft.goal_count == 1;
        if draft.last_turn && (!is_plain || draft.extinction_value.is_some()) {
            self.refuse(
                "`flagMove` is not known together with `flagPieceSafe`, `flagPieceCount` or \
                 `extinctionValue`",
            );
        }
        if draft.counts_checks && (draft.last_turn || draft.goal_safe) {
            // Who waits at a goal has won, whoever has given the last check meanwhile.
            self.refuse("`checkCounting` is not known together with `flagMove` or `flagPieceSafe`");
        }
        // For other men either side has a turn more, and whoever is still there then has won.
        let is_kings = self.royal == RoleSet::of(&[Role::King]) && men == Some(self.royal);
        if draft.last_turn && !is_kings {
            self.refuse("`flagMove` is known only for a royal King, `flagPiece = k`");
        }
        Goal {
            role: men.and_then(|men| men.iter().next()),
            squares,
            count: draft.goal_count,
            last_turn: draft.last_turn,
            safe: draft.goal_safe,
        }
    }

    /// How many checks win; 0 if they are not counted.
    fn winning_checks(&mut self) -> u8 {
        let draft = self.draft;
        let knows_checks = self.knows_checks();
        if !draft.checks && !knows_checks {
            self.refuse(
                "`checking = false` is known only where a King alone is royal, without explosions \
                 and without `mobilityRegion`",
            );
        }
        match draft.winning_checks() {
            Ok(_) if draft.counts_checks && !(draft.checks && knows_checks) => {
                self.refuse(
                    "`checkCounting` is known only where a King alone is royal and may be checked, \
                     without explosions and without `mobilityRegion`",
                );
                0
            }
            Ok(checks) => checks,
            Err(reason) => {
                self.refuse(reason);
                0
            }
        }
    }

    /// How men move.
    fn movements(&mut self, double_steps: ByColor<Bitboard>, promotions: &Promotions) -> Movements {
        let Finish { draft, size, men, .. } = *self;
        let movements = draft.kinds.movements(size.squares(), double_steps);
        let movements = movements.unwrap_or_else(|reason| {
            self.refuse(reason);
            Movements::USUAL
        });
        let walks_far = |color: Color| {
            let mut all = men.iter().map(|role| movements.of(Man { color, role }));
            !double_steps[color].is_empty() && all.any(Movement::has_initial)
        };
        let takes = |color: Color| {
            let kinds = draft.takers.or(promotions.promoting[color]).and(men);
            let aside = kinds.iter().any(|role| movements.of(Man { color, role }).captures_aside());
            aside && draft.en_passant[color].intersects(size.squares())
        };
        if Color::any(|color| walks_far(color) && takes(!color)) {
            self.refuse(
                "`i` of Betza's notation: not known where men could be taken in passing after it; \
                 write `enPassantRegion = -`",
            );
        }
        movements
    }

    /// Whether somebody may castle: FEN itself allows for castling of a King and Rooks at home only.
    fn castles(&self, movements: &Movements) -> bool {
        let Finish { draft, size, men, royal, .. } = *self;
        let is_usual = |role| {
            let man = Man::new(Color::White, role);
            men.contains(role) && movements.of(man) == Movements::USUAL.of(man)
        };
        draft.castling
            && royal.contains(Role::King)
            && [Role::King, Role::Rook].into_iter().all(is_usual)
            && draft.checks
            && !draft.flying
            && size == BoardSize::CHESS
    }

    /// Where pawns are taken in passing.
    fn take_in_passing(&mut self, definition: &mut Definition) {
        let draft = self.draft;
        let laws = &mut definition.laws;
        let passed = ByColor::new(|color| laws.passed_squares(color));
        let taken = ByColor::new(|color| passed[color] & draft.en_passant[color]);
        laws.en_passant = ByColor::new(|color| match taken[color] == passed[color] {
            true => Bitboard::ALL,
            false => taken[color],
        });
        let promotes = Color::any(|color| taken[color].intersects(laws.promotion_squares[color]));
        if self.men.contains(Role::Pawn) && promotes {
            self.refuse(
                "`promotionRegion`: not known where pawns take in passing; leave its squares out of \
                 `enPassantRegion`",
            );
        }
    }

    /// The first position, if nothing stands in the way so far, and what follows from it: which men
    /// are royal, and whether somebody castles.
    fn begin(&mut self, definition: &mut Definition) {
        let Finish { draft, men, royal, .. } = *self;
        if let Some(scarce) = draft.scarce().filter(|_| !draft.explosive) {
            definition.laws.royal = draft.always_royal();
            definition.laws.scarce = Some(scarce);
        }
        if !self.refusals.is_empty() {
            return;
        }
        let returns = |man: Man| definition.laws.ever_becomes(man).contains(man.role);
        if Color::any(|color| men.iter().any(|role| returns(Man::new(color, role)))) {
            return self.refuse("`promotedPieceType`: men cannot become again what they were");
        }
        definition.laws.pawns_at_home |= draft.begins_with_pawns_at_home(definition);
        match draft.start_of(definition) {
            Ok(start) => definition.start = start,
            Err(refusal) => return self.refusals.push(refusal),
        }
        let too_many = draft.are_ever_many(definition);
        if !too_many {
            definition.laws.royal = royal;
            definition.laws.scarce = None;
        }
        let king = draft.kinds.royal_king().unwrap_or(Role::King);
        let kings = |color| definition.start.board.men(color, king).len();
        let has_many_kings = Color::any(|color| kings(color) > 1);
        definition.laws.castling &= definition.laws.royal.contains(Role::King) && !has_many_kings;
        if !definition.laws.castling {
            definition.start.castling = Castling::NONE;
        }
        if draft.kinds.royal_king().is_some() && has_many_kings {
            self.refuse("`startFen`: a side has at most one royal King");
        } else if too_many && draft.explosive {
            self.refuse(MANY);
        } else if let Some(reason) = unreadable_start(definition) {
            self.refuse(reason);
        }
    }
}

/// Why the first position is none that can be asked about: a side has won in it already, say.
fn unreadable_start(definition: &Definition) -> Option<String> {
    let error = definition.read_fen(&definition.write_fen(&definition.start)).err()?;
    Some(format!("its first position cannot be played: {error}"))
}
