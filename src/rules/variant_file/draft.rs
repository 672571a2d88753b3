//! A game while its keys are read: what its parents say, then what it says itself.

use std::{collections::BTreeMap, sync::Arc};

use indexmap::IndexMap;

use super::{
    keys::{CASTLING, DEFAULT_ONLY, EN_PASSANT_TYPES, JANGGI_CANNON, WITHOUT_EFFECT},
    kinds::{self, Kinds},
    promotions::{Promotions, Royalty},
    refusal::{Refusal, shortened},
    section::Entry,
    values::{self, Men},
};
use crate::{
    board::{Bitboard, BoardSize, ByColor, Color, Man, Movement, Movements, Role, RoleSet},
    rules::{
        chess::{Castling, Setup},
        definition::{Definition, Extinction, Goal},
        fen::read_pair,
        laws::{Laws, Passing, Scarce},
        wdl::Wdl,
    },
};

/// Where games begin that do not say it.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How the reasons begin that are a parent's.
const INHERITED: &str = "inherited from";

/// Why men cannot be royal only while few are left.
const MANY: &str = "`extinctionPseudoRoyal`: where there can be more such men than \
                    `extinctionPieceCount` and one, it is not known together with explosions";

/// Why a game cannot have Janggi's cannons.
const NO_CANNONS: &str = "its men neither hop over one of their kind nor take it, which is not \
                          known; `customPiece1 = a:pR` hops over all men";

/// What the keys of a game say so far.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    name: String,
    title: Option<String>,
    line: usize,
    files: u8,
    ranks: u8,
    kinds: Kinds,
    checks: bool,
    must_capture: bool,
    passes: ByColor<bool>,
    passes_when_stuck: ByColor<bool>,
    explosive: bool,
    blast_immune: RoleSet,
    mutually_immune: RoleSet,
    flying: bool,
    pawns_at_home: bool,
    promotions: Promotions,
    promotion_squares: ByColor<Bitboard>,
    double_step: bool,
    double_steps: ByColor<Bitboard>,
    triple_steps: ByColor<Bitboard>,
    en_passant: ByColor<Bitboard>,
    /// The kinds that are said to take in passing; those that promote as pawns do are others.
    takers: RoleSet,
    castling: bool,
    stalemate: Wdl,
    stalemate_counts: bool,
    checkmate: Wdl,
    /// Any man if it is none.
    goal_men: ByColor<Option<RoleSet>>,
    goal: ByColor<Bitboard>,
    last_turn: bool,
    goal_count: u8,
    goal_safe: bool,
    extinction_value: Option<Wdl>,
    extinction_men: Option<RoleSet>,
    extinction_count: u8,
    extinction_others: u8,
    extinction_waits: bool,
    pseudo_royal: bool,
    duple_check: bool,
    counts_checks: bool,
    start: Option<(String, usize)>,
    /// Keys at values that cannot be built, until a child sets them back.
    unknown: BTreeMap<String, Refusal>,
    /// Shared, so that a child does not copy those of its parent to leave them out.
    refusals: Arc<Vec<Refusal>>,
}

impl Draft {
    /// A game without men, by the rules of orthodox chess.
    pub fn empty() -> Draft {
        let none = RoleSet::default();
        Draft {
            name: String::new(),
            title: None,
            line: 0,
            files: BoardSize::CHESS.files(),
            ranks: BoardSize::CHESS.ranks(),
            kinds: Kinds::default(),
            checks: true,
            must_capture: false,
            passes: ByColor::both(false),
            passes_when_stuck: ByColor::both(false),
            explosive: false,
            blast_immune: none,
            mutually_immune: none,
            flying: false,
            pawns_at_home: false,
            promotions: Promotions::none(),
            promotion_squares: Laws::ORTHODOX.promotion_squares,
            double_step: true,
            double_steps: Laws::ORTHODOX.double_steps,
            triple_steps: Laws::ORTHODOX.triple_steps,
            en_passant: Laws::ORTHODOX.en_passant,
            takers: RoleSet::default(),
            castling: true,
            stalemate: Wdl::Draw,
            stalemate_counts: false,
            checkmate: Wdl::Loss,
            goal_men: ByColor::both(None),
            goal: ByColor::both(Bitboard::EMPTY),
            last_turn: false,
            goal_count: 1,
            goal_safe: false,
            extinction_value: None,
            extinction_men: Some(none),
            extinction_count: 0,
            extinction_others: 0,
            extinction_waits: false,
            pseudo_royal: false,
            duple_check: false,
            counts_checks: false,
            start: None,
            unknown: BTreeMap::new(),
            refusals: Arc::default(),
        }
    }

    /// The same as the beginning of a child, whose section stands on a line: what stands in the way
    /// of the parent stands in the way of the child, too. A child cannot mend what keys do not say;
    /// of that the first stands for all, for a parent may have any number of such lines and of
    /// children.
    pub fn inherited(&self, line: usize) -> Draft {
        let moved = |Refusal { reason, .. }: &Refusal| {
            // Where it comes from first is what has to be mended.
            let reason = match reason.starts_with(INHERITED) {
                true => reason.clone(),
                false => format!("{INHERITED} `{}`: {reason}", self.name),
            };
            Refusal { line, reason }
        };
        let first = self.refusals.first().map(|first| {
            let mut refusal = moved(first);
            if let more @ 1.. = self.refusals.len() - 1 {
                refusal.reason += &format!(" (and {more} more)");
            }
            refusal
        });
        let first = Arc::new(first.into_iter().collect());
        let mut draft = Draft { refusals: first, ..self.clone() };
        draft.unknown.values_mut().for_each(|refusal| *refusal = moved(refusal));
        draft.start = draft.start.map(|(start, _)| (start, line));
        draft
    }

    /// The name of its section.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Begins a section.
    pub fn begin(&mut self, name: &str, line: usize) {
        self.name = name.to_owned();
        self.title = None;
        self.line = line;
    }

    /// Notes that the game cannot be built.
    pub fn refuse(&mut self, line: usize, reason: String) {
        Arc::make_mut(&mut self.refusals).push(Refusal { line, reason });
    }

    /// Takes in the keys of a section. Those of men come first and those for both sides before
    /// those for one, wherever they stand.
    pub fn meet_all(&mut self, entries: &IndexMap<String, Entry>) {
        let mut in_order: Vec<(&String, &Entry)> = entries.iter().collect();
        in_order.sort_by_key(|(key, _)| {
            let of_one_side = key.ends_with("White") || key.ends_with("Black");
            // Of what it says of the kinds that promote, another key may say otherwise.
            (kinds::place(key).unwrap_or(usize::MAX), of_one_side, *key != "pawnTypes")
        });
        let before = self.kinds.clone();
        let (of_men, others): (Vec<_>, Vec<_>) =
            in_order.into_iter().partition(|(key, _)| kinds::place(key).is_some());
        self.meet_each(&of_men);
        self.follow(&before);
        self.meet_each(&others);
    }

    fn meet_each(&mut self, entries: &[(&String, &Entry)]) {
        for (key, entry) in entries {
            if let Err(reason) = self.meet(key, entry) {
                let reason = format!("`{}`: {reason}", shortened(key));
                self.refuse(entry.line, reason);
            }
        }
    }

    /// What a parent says of a kind of men stays true of that kind, whatever letter it has now, and
    /// of no other that has got its letter.
    fn follow(&mut self, before: &Kinds) {
        let now = |men: RoleSet| self.kinds.followed(before, men);
        self.promotions = self.promotions.followed(now);
        self.goal_men = self.goal_men.map(|men| men.map(now));
        self.blast_immune = now(self.blast_immune);
        self.mutually_immune = now(self.mutually_immune);
        self.extinction_men = self.extinction_men.map(now);
    }

    fn meet(&mut self, key: &str, Entry { value, line }: &Entry) -> values::Value<()> {
        if kinds::place(key).is_some() {
            return self.kinds.meet(key, value);
        }
        match key {
            "title" => self.title = Some(value.clone()),
            "startFen" => self.start = Some((value.clone(), *line)),
            "maxFile" | "maxRank" => self.meet_size(key, value, *line),
            "checkCounting" => self.counts_checks = values::flag(value)?,
            "checking" => self.checks = values::flag(value)?,
            "flagMove" => self.last_turn = values::flag(value)?,
            "pass" => self.passes = ByColor::both(values::flag(value)?),
            "passWhite" => self.passes.white = values::flag(value)?,
            "passBlack" => self.passes.black = values::flag(value)?,
            "passOnStalemate" => self.passes_when_stuck = ByColor::both(values::flag(value)?),
            "passOnStalemateWhite" => self.passes_when_stuck.white = values::flag(value)?,
            "passOnStalemateBlack" => self.passes_when_stuck.black = values::flag(value)?,
            "mustCapture" => self.must_capture = values::flag(value)?,
            "blastOnCapture" => self.explosive = values::flag(value)?,
            "blastImmuneTypes" => self.blast_immune = self.immune_men(value)?,
            "mutuallyImmuneTypes" => self.mutually_immune = self.immune_men(value)?,
            "flyingGeneral" => self.flying = values::flag(value)?,
            key if kinds::keeps_a_kind(key) => self.kinds.keep(key, value)?,
            "pawnsOnFirstRank" => self.pawns_at_home = values::flag(value)?,
            "doubleStep" => self.double_step = values::flag(value)?,
            "doubleStepRegionWhite" => self.double_steps.white = values::squares(value)?,
            "doubleStepRegionBlack" => self.double_steps.black = values::squares(value)?,
            "tripleStepRegionWhite" => self.triple_steps.white = values::squares(value)?,
            "tripleStepRegionBlack" => self.triple_steps.black = values::squares(value)?,
            "enPassantRegion" => self.en_passant = ByColor::both(values::squares(value)?),
            "enPassantRegionWhite" => self.en_passant.white = values::squares(value)?,
            "enPassantRegionBlack" => self.en_passant.black = values::squares(value)?,
            "castling" => self.castling = values::flag(value)?,
            "stalemateValue" => self.stalemate = values::result(value)?,
            "stalematePieceCount" => self.stalemate_counts = values::flag(value)?,
            "checkmateValue" => match values::result(value)? {
                Wdl::Draw => return Err("a checkmate that draws is not known".to_owned()),
                value => self.checkmate = value,
            },
            "promotionPieceTypes" => self.promotions.to = ByColor::both(self.men_of(value)?),
            "promotionPieceTypesWhite" => self.promotions.to.white = self.men_of(value)?,
            "promotionPieceTypesBlack" => self.promotions.to.black = self.men_of(value)?,
            "pawnTypes" | "promotionPawnTypes" => {
                self.promotions.promoting = ByColor::both(self.men_of(value)?);
            }
            "promotionPawnTypesWhite" => self.promotions.promoting.white = self.men_of(value)?,
            "promotionPawnTypesBlack" => self.promotions.promoting.black = self.men_of(value)?,
            "mandatoryPawnPromotion" => self.promotions.pawns_may_stay = !values::flag(value)?,
            "promotedPieceType" => {
                let mut promotions = self.promotions;
                promotions.meet_pairs(value, |letters| self.men_of(letters))?;
                self.promotions = promotions;
            }
            "mandatoryPiecePromotion" => self.promotions.pieces_may_stay = !values::flag(value)?,
            "piecePromotionOnCapture" => self.promotions.by_capture = values::flag(value)?,
            "promotionRegion" => self.promotion_squares = ByColor::both(values::squares(value)?),
            "promotionRegionWhite" => self.promotion_squares.white = values::squares(value)?,
            "promotionRegionBlack" => self.promotion_squares.black = values::squares(value)?,
            "flagPiece" => self.goal_men = ByColor::both(self.goal_man(value)?),
            "flagPieceWhite" => self.goal_men.white = self.goal_man(value)?,
            "flagPieceBlack" => self.goal_men.black = self.goal_man(value)?,
            "flagRegion" => self.goal = ByColor::both(values::squares(value)?),
            "flagRegionWhite" | "whiteFlag" => self.goal.white = values::squares(value)?,
            "flagRegionBlack" | "blackFlag" => self.goal.black = values::squares(value)?,
            "flagPieceCount" => self.goal_count = values::count(value)?,
            "flagPieceSafe" => self.goal_safe = values::flag(value)?,
            "extinctionValue" => {
                self.extinction_value = match value.as_str() {
                    "none" => None,
                    value => Some(values::result(value)?),
                }
            }
            "extinctionPieceTypes" => {
                self.extinction_men = match values::men(value)? {
                    Men::All => None,
                    Men::These(letters) => Some(self.kinds.men_with(letters)),
                }
            }
            "extinctionPieceCount" => self.extinction_count = values::count(value)?,
            "extinctionOpponentPieceCount" => self.extinction_others = values::count(value)?,
            "extinctionClaim" => self.extinction_waits = values::flag(value)?,
            "dupleCheck" => self.duple_check = values::flag(value)?,
            "extinctionPseudoRoyal" => self.pseudo_royal = values::flag(value)?,
            _ => return self.meet_other(key, value, *line),
        }
        Ok(())
    }

    /// A wrong size is a reason that a child can set back, as it can the values of other keys.
    fn meet_size(&mut self, key: &str, value: &str, line: usize) {
        match values::files_or_ranks(value) {
            Ok(count) => {
                self.unknown.remove(key);
                *(if key == "maxFile" { &mut self.files } else { &mut self.ranks }) = count;
            }
            Err(reason) => self.meet_unknown(key, line, &reason),
        }
    }

    /// Notes a value that cannot be built unless a child sets it back.
    fn meet_unknown(&mut self, key: &str, line: usize, reason: &str) {
        let reason = format!("`{key}`: {reason}");
        self.unknown.insert(key.to_owned(), Refusal { line, reason });
    }

    fn meet_other(&mut self, key: &str, value: &str, line: usize) -> values::Value<()> {
        if WITHOUT_EFFECT.contains(&key) {
            return Ok(());
        }
        if CASTLING.contains(&key) {
            let usual = key.starts_with("castlingKingPiece") && value == "k"
                || key == "castlingRookPieces" && value == "r"
                || value == "false";
            self.castling &= usual;
            return Ok(());
        }
        if EN_PASSANT_TYPES.contains(&key) {
            // Other kinds have no move that takes in passing.
            match self.men_of(value) {
                Ok(men) if men.contains(Role::Pawn) || !self.kinds.men().contains(Role::Pawn) => {
                    self.takers = self.takers.or(men);
                    self.unknown.remove(key);
                }
                _ => self.meet_unknown(key, line, "pawns are always taken in passing"),
            }
            return Ok(());
        }
        let known = DEFAULT_ONLY.iter().find(|(name, _)| *name == key);
        let not_known = || match key {
            JANGGI_CANNON => NO_CANNONS.to_owned(),
            _ => format!("this rule is not known at the value `{}`", shortened(value)),
        };
        match known {
            Some((_, defaults)) if defaults.contains(&value) => {
                self.unknown.remove(key);
            }
            Some(_) => self.meet_unknown(key, line, &not_known()),
            None => return Err("no such key is known".to_owned()),
        }
        Ok(())
    }

    /// Some of the game's men by their letters.
    fn men_of(&self, text: &str) -> values::Value<RoleSet> {
        match values::men(text)? {
            Men::All => Err("it needs letters of men".to_owned()),
            Men::These(letters) => {
                let men = self.kinds.men_with(letters);
                match men.iter().find(|&role| !self.kinds.men().contains(role)) {
                    Some(role) => Err(format!("the game has no {}", role.title())),
                    None => Ok(men),
                }
            }
        }
    }

    /// Men that captures spare.
    fn immune_men(&self, text: &str) -> values::Value<RoleSet> {
        self.men_of(if text == "none" { "-" } else { text })
    }

    /// The man that a goal is for; any if it is none.
    fn goal_man(&self, text: &str) -> values::Value<Option<RoleSet>> {
        match text {
            "*" => Ok(None),
            text => {
                let men = self.men_of(text)?;
                match men.iter().count() {
                    1 => Ok(Some(men)),
                    _ => Err("it needs one letter, or *".to_owned()),
                }
            }
        }
    }

    /// The game; or all that stands in its way.
    pub fn finish(&self) -> Result<Definition, Vec<Refusal>> {
        let mut refusals = self.refusals.to_vec();
        refusals.extend(self.unknown.values().cloned());
        let mut refuse = |reason: &str| {
            refusals.push(Refusal { line: self.line, reason: reason.to_owned() });
        };
        let size = BoardSize::new(self.files, self.ranks).expect("values that fit");
        // Where there are fewer than three ranks no pawn can stand.
        let men = match size.ranks() {
            1 | 2 => self.kinds.men().with(Role::Pawn, false),
            _ => self.kinds.men(),
        };
        if men.is_empty() {
            refuse("it has no men; name them, like `king = k`, or a parent that has some");
        }
        let (royal, extinction) = match self.royalty() {
            Ok(royalty) => royalty,
            Err(reason) => {
                refuse(reason);
                (RoleSet::of(&[Role::King]), None)
            }
        };
        let is_royal = !royal.is_empty();
        let counted = self.extinction_men.unwrap_or_default();
        let foreign = counted.iter().find(|&role| !men.contains(role));
        if let Some(role) = foreign.filter(|_| self.extinction_value.is_some()) {
            let letter = role.letter();
            refuse(&format!("`extinctionPieceTypes`: the game has no {letter}"));
        }
        if self.explosive && is_royal && !self.kinds.has_common_king() {
            refuse("`blastOnCapture` is not known for a royal King; name it `commoner = k`");
        }
        let king = self.kinds.royal_king().unwrap_or(Role::King);
        // Where captures explode, the common King may be royal, and there is one of it.
        let kings = if self.explosive { royal } else { self.always_royal() };
        let royalty = Royalty { royal, kings, explosive: self.explosive };
        let promotions = self.promotions.among(men, royalty, &mut refuse);
        let blast_immune = if self.explosive { self.blast_immune } else { RoleSet::default() };
        let mutually_immune = self.mutually_immune;
        let become_immune = |color| !promotions.to[color].and(blast_immune).is_empty();
        if blast_immune.contains(Role::Pawn) || Color::ALL.into_iter().any(become_immune) {
            refuse("`blastImmuneTypes`: not known for pawns and what they become");
        }
        if !blast_immune.and(royal).is_empty() || !mutually_immune.and(royal).is_empty() {
            refuse("`blastImmuneTypes`, `mutuallyImmuneTypes`: not known for royal men");
        }
        if self.flying && self.kinds.royal_king() != Some(Role::King) {
            refuse("`flyingGeneral` is known only for royal Kings, `king = k`");
        }
        let on_board = |sets: ByColor<Bitboard>| sets.map(|set| set & size.squares());
        let of_rank = |own: u8| ByColor::new(|color| size.squares_of_rank(color, own));
        let has_pawns = men.contains(Role::Pawn);
        let double_steps = match self.double_step {
            true => on_board(self.double_steps),
            false => ByColor::both(Bitboard::EMPTY),
        };
        let triple_steps = on_board(self.triple_steps);
        let promotion_squares = on_board(self.promotion_squares);
        let last = of_rank(size.ranks() - 1);
        let stays = |color: Color| !(last[color] & !promotion_squares[color]).is_empty();
        if has_pawns && !promotions.pawns_may_stay && Color::ALL.into_iter().any(stays) {
            refuse("`promotionRegion`: pawns that reach the last rank must promote");
        }
        let goal = on_board(self.goal);
        // Nobody reaches a goal of men that are gone.
        let has_goal = goal != ByColor::both(Bitboard::EMPTY)
            && self.goal_men != ByColor::both(Some(RoleSet::default()));
        // Who has nowhere to go needs no man for it.
        let goal_men = match goal.white.is_empty() {
            true => self.goal_men.black,
            false => self.goal_men.white,
        };
        if has_goal
            && Color::ALL.into_iter().any(|c| !goal[c].is_empty() && self.goal_men[c] != goal_men)
        {
            refuse("`flagPiece`: both sides need the same man");
        }
        if has_goal && self.goal_count == 0 {
            refuse("`flagPieceCount`: at least one man must get there");
        }
        if has_goal
            && self.last_turn
            && (self.goal_safe || self.goal_count != 1 || self.extinction_value.is_some())
        {
            refuse(
                "`flagMove` is not known together with `flagPieceSafe`, `flagPieceCount` or \
                 `extinctionValue`",
            );
        }
        if has_goal && self.counts_checks && (self.last_turn || self.goal_safe) {
            // Who waits at a goal has won, whoever has given the last check meanwhile.
            refuse("`checkCounting` is not known together with `flagMove` or `flagPieceSafe`");
        }
        // For other men either side has a turn more, and whoever is still there then has won.
        if has_goal
            && self.last_turn
            && !(royal == RoleSet::of(&[Role::King]) && goal_men == Some(royal))
        {
            refuse("`flagMove` is known only for a royal King, `flagPiece = k`");
        }
        // Other programs ask whether a turn gives check otherwise than whether a King is in check:
        // a man then gives it to where it may not go, and none to what is royal by extinction.
        let king_alone = self.kinds.royal_king().is_some_and(|king| royal == RoleSet::of(&[king]));
        let unknown = !king_alone || self.explosive || self.kinds.are_kept(size.squares());
        if !self.checks && unknown {
            refuse(
                "`checking = false` is known only where a King alone is royal, without explosions \
                 and without `mobilityRegion`",
            );
        }
        let winning_checks = match self.winning_checks() {
            Ok(_) if self.counts_checks && (!self.checks || unknown) => {
                refuse(
                    "`checkCounting` is known only where a King alone is royal and may be checked, \
                     without explosions and without `mobilityRegion`",
                );
                0
            }
            Ok(checks) => checks,
            Err(reason) => {
                refuse(&reason);
                0
            }
        };
        // FEN itself allows for castling of a King and Rooks at home only.
        let movements =
            self.kinds.movements(size.squares(), double_steps).unwrap_or_else(|reason| {
                refuse(&reason);
                Movements::USUAL
            });
        let walks_far = |color: Color| {
            let mut all = men.iter().map(|role| movements.of(Man { color, role }));
            !double_steps[color].is_empty() && all.any(Movement::has_initial)
        };
        let takes = |color: Color| {
            let kinds = self.takers.or(promotions.promoting[color]).and(men);
            let aside = kinds.iter().any(|role| movements.of(Man { color, role }).captures_aside());
            aside && self.en_passant[color].intersects(size.squares())
        };
        if Color::ALL.into_iter().any(|color| walks_far(color) && takes(!color)) {
            refuse(
                "`i` of Betza's notation: not known where men could be taken in passing after it; \
                 write `enPassantRegion = -`",
            );
        }
        let usual = [Role::King, Role::Rook].into_iter().all(|role| {
            let man = Man::new(Color::White, role);
            men.contains(role) && movements.of(man) == Movements::USUAL.of(man)
        });
        let castling = self.castling
            && royal.contains(Role::King)
            && usual
            && self.checks
            && !self.flying
            && size == BoardSize::CHESS;
        let mut definition = Definition {
            name: self.name.clone(),
            title: self.title.clone().unwrap_or_else(|| self.name.clone()),
            men,
            laws: Laws {
                size,
                movements,
                royal,
                scarce: None,
                checks: self.checks,
                kings_touch: self.explosive && is_royal,
                explosive: self.explosive,
                blast_immune: blast_immune.and(men),
                mutually_immune: mutually_immune.and(men),
                flying: self.flying,
                must_capture: self.must_capture,
                passing: ByColor::new(|color| match () {
                    // Other programs let a side that passes when it is stuck do nothing else.
                    () if self.passes_when_stuck[color] => Passing::WhenStuck,
                    () if self.passes[color] => Passing::AtWill,
                    () => Passing::Never,
                }),
                pawns_at_home: self.pawns_at_home && men.contains(Role::Pawn),
                promotions: promotions.to,
                promotion_squares,
                promoting: promotions.promoting,
                pawns_may_stay: promotions.pawns_may_stay,
                own_promotions: promotions.own,
                pieces_may_stay: promotions.pieces_may_stay,
                pieces_promote_by_capture: promotions.by_capture,
                double_steps,
                triple_steps,
                en_passant: ByColor::both(Bitboard::ALL),
                castling,
            },
            stalemate: self.stalemate,
            stalemate_counts: self.stalemate_counts && self.stalemate != Wdl::Draw,
            mated_wins: self.checkmate == Wdl::Win,
            goal: match has_goal {
                true => Goal {
                    role: goal_men.and_then(|men| men.iter().next()),
                    squares: goal,
                    count: self.goal_count,
                    last_turn: self.last_turn,
                    safe: self.goal_safe,
                },
                false => Goal::NONE,
            },
            extinction,
            winning_checks,
            ..Definition::default()
        };
        let passed = ByColor::new(|color| definition.laws.passed_squares(color));
        let taken = ByColor::new(|color| passed[color] & self.en_passant[color]);
        definition.laws.en_passant = ByColor::new(|color| match taken[color] == passed[color] {
            true => Bitboard::ALL,
            false => taken[color],
        });
        let promotes = |color: Color| taken[color].intersects(promotion_squares[color]);
        if has_pawns && Color::ALL.into_iter().any(promotes) {
            refuse(
                "`promotionRegion`: not known where pawns take in passing; leave its squares out of \
                 `enPassantRegion`",
            );
        }
        let scarce = self.scarce().filter(|_| !self.explosive);
        if scarce.is_some() {
            definition.laws.royal = self.always_royal();
            definition.laws.scarce = scarce;
        }
        let returns = |man: &Man| definition.laws.ever_becomes(*man).contains(man.role);
        let mut all = Color::ALL.into_iter().flat_map(|c| men.iter().map(move |r| Man::new(c, r)));
        if refusals.is_empty() && all.any(|man| returns(&man)) {
            let reason = "`promotedPieceType`: men cannot become again what they were".to_owned();
            refusals.push(Refusal { line: self.line, reason });
        }
        if refusals.is_empty() {
            match self.start_of(&definition) {
                Ok(start) => {
                    definition.start = start;
                    let too_many = self.are_ever_many(&definition);
                    if !too_many {
                        definition.laws.royal = royal;
                        definition.laws.scarce = None;
                    }
                    definition.laws.castling &= definition.laws.royal.contains(Role::King);
                    let kings = |color| definition.start.board.men(color, king).len();
                    let most = Color::ALL.map(kings).into_iter().max();
                    definition.laws.castling &= most <= Some(1);
                    if !definition.laws.castling {
                        definition.start.castling = Castling::NONE;
                    }
                    let reason = match self.kinds.royal_king().is_some() && most > Some(1) {
                        true => Some("`startFen`: a side has at most one royal King".to_owned()),
                        false if too_many && self.explosive => Some(MANY.to_owned()),
                        false => None,
                    };
                    let reason = reason.or_else(|| unreadable_start(&definition));
                    refusals.extend(reason.map(|reason| Refusal { line: self.line, reason }));
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        refusals.sort();
        if refusals.is_empty() { Ok(definition) } else { Err(refusals) }
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

/// Why the first position is none that can be asked about: a side has won in it already, say.
fn unreadable_start(definition: &Definition) -> Option<String> {
    let error = definition.read_fen(&definition.write_fen(&definition.start)).err()?;
    Some(format!("its first position cannot be played: {error}"))
}
