//! A game while its keys are read: what its parents say, then what it says itself.

mod finish;

use std::{collections::BTreeMap, sync::Arc};

use indexmap::IndexMap;

use super::{
    keys::{CASTLING, DEFAULT_ONLY, EARLY, EN_PASSANT_TYPES, JANGGI_CANNON, WITHOUT_EFFECT},
    kinds::{self, Kinds},
    promotions::Promotions,
    refusal::{Refusal, shortened},
    section::Entry,
    values::{self, Men},
};
use crate::{
    board::{Bitboard, BoardSize, ByColor, Color, Role, RoleSet},
    rules::{laws::Laws, wdl::Wdl},
};

/// How the reasons begin that are a parent's.
const INHERITED: &str = "inherited from";

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
        // A child takes the parent as it has turned out: whether pawns walk two squares, and from where,
        // are one thing by then, as in Fairy-Stockfish.
        let nowhere = ByColor::both(Bitboard::EMPTY);
        if !draft.double_step || draft.double_steps == nowhere {
            (draft.double_step, draft.double_steps) = (false, nowhere);
        }
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
            let early = EARLY.iter().position(|early| early == key).unwrap_or(EARLY.len());
            (kinds::place(key).unwrap_or(usize::MAX), of_one_side, early)
        });
        let before = self.kinds.clone();
        self.kinds.begin();
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
        self.promotions.to = self.promotions.to.map(|men| self.kinds.without_given_anew(men));
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
            // Both together are the second alone.
            "doubleStepRankMin" => {
                let rank = values::rank(value, self.ranks)?;
                let second = |color| self.ranks_from(color, rank) & !self.ranks_from(color, 2);
                self.double_steps = ByColor::new(second);
            }
            "doubleStepRank" => {
                let rank = values::rank(value, self.ranks)?;
                let up_to = |color| self.ranks_from(color, 1) & !self.ranks_from(color, rank + 1);
                self.double_steps = ByColor::new(up_to);
            }
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
                self.promotions =
                    self.promotions.with_own(value, |letters| self.men_of(letters))?;
            }
            "promotionLimit" => {
                let limited = self.promotions.with_limits(value, |letters| self.men_of(letters))?;
                self.promotions = limited;
            }
            "mandatoryPiecePromotion" => self.promotions.pieces_may_stay = !values::flag(value)?,
            "piecePromotionOnCapture" => self.promotions.by_capture = values::flag(value)?,
            "promotionRank" => {
                let rank = values::rank(value, self.ranks)?;
                self.promotion_squares = ByColor::new(|color| self.ranks_from(color, rank));
            }
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

    /// A rank as a side counts them from its own, and all beyond.
    fn ranks_from(&self, color: Color, first: u8) -> Bitboard {
        let own = |rank: u8| match color {
            Color::White => Some(rank),
            Color::Black => self.ranks.checked_sub(rank + 1),
        };
        let beyond = (first..8).filter_map(own).map(Bitboard::rank);
        beyond.fold(Bitboard::EMPTY, |all, rank| all | rank)
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
                    Some(role) => Err(format!("the game has no {}", role.letter())),
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
}
