//! Which men of a game promote, and to what, while its keys are read.

use super::values;
use crate::{
    board::{ByColor, Color, Role, RoleSet},
    rules::laws::{Laws, OwnPromotions, PromotionLimits},
};

/// Which men promote, and to what.
#[derive(Copy, Clone, Debug)]
pub(super) struct Promotions {
    /// What those become that promote as pawns do.
    pub to: ByColor<RoleSet>,
    /// Of which kinds they become no more than so many.
    pub limits: PromotionLimits,
    /// Which those are.
    pub promoting: ByColor<RoleSet>,
    /// Whether they may stay what they are.
    pub pawns_may_stay: bool,
    /// What others become.
    pub own: OwnPromotions,
    /// Whether those may stay what they are.
    pub pieces_may_stay: bool,
    /// Whether they promote by captures alone.
    pub by_capture: bool,
}

/// Which men are royal, and what else decides who may promote.
pub(super) struct Royalty {
    /// Those that are royal, or are while few are left.
    pub royal: RoleSet,
    /// Those that nobody can become.
    pub kings: RoleSet,
    /// Whether captures explode.
    pub explosive: bool,
}

/// What stands before and behind each colon; nothing where there is none.
fn pairs(text: &str) -> impl Iterator<Item = Option<(&str, &str)>> {
    text.split_whitespace().filter(|&pair| pair != "-").map(|pair| pair.split_once(':'))
}

impl Promotions {
    /// Pawns that become nothing.
    pub fn none() -> Promotions {
        let Laws { promoting, pawns_may_stay, own_promotions, pieces_may_stay, .. } =
            Laws::ORTHODOX;
        let to = ByColor::both(RoleSet::default());
        let by_capture = Laws::ORTHODOX.pieces_promote_by_capture;
        Promotions {
            to,
            limits: PromotionLimits::NONE,
            promoting,
            pawns_may_stay,
            own: own_promotions,
            pieces_may_stay,
            by_capture,
        }
    }

    /// The same of kinds that have other letters `now`, or are gone.
    pub fn followed(self, now: impl Fn(RoleSet) -> RoleSet) -> Promotions {
        let one = |role: Role| now(RoleSet::of(&[role])).iter().next();
        let own = self.own.iter().fold(OwnPromotions::NONE, |own, (from, to)| {
            one(from).map_or(own, |from| own.with(from, one(to)))
        });
        let limits = self.limits.iter();
        let limits = limits.filter_map(|(role, most)| Some((one(role)?, most))).collect();
        let (to, promoting) = (self.to.map(&now), self.promoting.map(&now));
        Promotions { to, limits, promoting, own, ..self }
    }

    /// The same with limits such as `q:1 r:2`, in which `men_of` reads letters: of kinds that are not
    /// named what was said before stays true, and `q:0` takes it back.
    pub fn with_limits(
        mut self,
        text: &str,
        men_of: impl Fn(&str) -> values::Value<RoleSet>,
    ) -> values::Value<Promotions> {
        let needed = "it needs letters of men with numbers like q:1 r:2";
        for pair in pairs(text) {
            let (letters, most) = pair.ok_or(needed)?;
            let most = most.parse().map_err(|_| needed)?;
            for role in men_of(letters)?.iter() {
                self.limits = self.limits.with(role, most);
            }
        }
        Ok(self)
    }

    /// The same with pairs such as `l:r e:n`, in which `men_of` reads letters: of kinds that are not named
    /// what was said before stays true, and `e:-` takes it back.
    pub fn with_own(
        mut self,
        text: &str,
        men_of: impl Fn(&str) -> values::Value<RoleSet>,
    ) -> values::Value<Promotions> {
        let one = |letters: &str| -> values::Value<Option<Role>> {
            let mut men = men_of(letters)?.iter();
            match (men.next(), men.next()) {
                (man, None) => Ok(man),
                _ => Err(format!("`{letters}` is more than one man")),
            }
        };
        let needed = "it needs pairs of letters of men like l:r e:n";
        for pair in pairs(text) {
            let (from, to) = pair.ok_or(needed)?;
            self.own = self.own.with(one(from)?.ok_or(needed)?, one(to)?);
        }
        Ok(self)
    }

    /// Who may become what it is may stay it: the same said otherwise, where one kind promotes as pawns
    /// do.
    fn stay_where_they_become_the_same(&mut self) {
        let same = ByColor::new(|color| self.to[color].and(self.promoting[color]));
        let is_alone = |&color: &Color| {
            same[color] == self.promoting[color] && same[color].iter().count() <= 1
        };
        if Color::ALL.iter().all(is_alone) && Color::any(|c| !same[c].is_empty()) {
            self.to = ByColor::new(|color| {
                same[color].iter().fold(self.to[color], |to, role| to.with(role, false))
            });
            self.pawns_may_stay = true;
        }
    }

    /// What is left of it in a game with some men. Calls `refuse` for all that cannot be.
    pub fn among(
        mut self,
        men: RoleSet,
        Royalty { royal, kings, explosive }: Royalty,
        mut refuse: impl FnMut(&str),
    ) -> Promotions {
        self.to = self.to.map(|roles| roles.and(men));
        self.promoting = self.promoting.map(|roles| roles.and(men));
        let own = self.own;
        for (from, to) in own.iter() {
            let is_known = men.contains(from) && men.contains(to);
            self.own = self.own.with(from, Some(to).filter(|_| is_known));
        }
        let limited = self.limits.kinds();
        let same = Color::any(|c| !self.to[c].and(self.promoting[c]).and(limited).is_empty());
        if same || self.own.iter().any(|(_, to)| limited.contains(to)) {
            refuse("`promotionLimit`: known only of what pawns become, and of nobody who promotes");
        }
        let is_had = |&(role, _): &(Role, u8)| Color::any(|c| self.to[c].contains(role));
        self.limits = self.limits.iter().filter(is_had).collect();
        let has_pawns = men.contains(Role::Pawn);
        self.stay_where_they_become_the_same();
        let pieces = self.promoting.map(|roles| roles.with(Role::Pawn, false));
        if let Some(kind) = self.own.of(Role::Pawn) {
            if self.by_capture {
                refuse(
                    "`piecePromotionOnCapture`: not known where `promotedPieceType` names pawns",
                );
            }
            // A pawn becomes that, too, where it promotes.
            if Color::any(|c| !self.promoting[c].contains(Role::Pawn) || !pieces[c].is_empty()) {
                refuse("`promotedPieceType`: pawns need `promotionPawnTypes = p` for it");
            }
            self.to = self.to.map(|roles| roles.with(kind, true));
        }
        let own = self.own.with(Role::Pawn, None);
        let own_pieces = own.promoting();
        let own_kinds: RoleSet = own.iter().map(|(_, to)| to).collect();
        let others_become = Color::ALL.into_iter().fold(own_kinds, |all, c| all.or(self.to[c]));
        if has_pawns && Color::any(|c| self.to[c].contains(Role::Pawn)) {
            refuse("`promotionPieceTypes`: pawns must become something else");
        }
        if Color::any(|c| !self.to[c].and(kings).is_empty()) {
            refuse("`promotionPieceTypes`: no pawn can become a royal King");
        }
        if self.own.iter().any(|(_, to)| royal.contains(to)) {
            // Other programs do not agree with themselves on which Kings are royal after that.
            refuse("`promotedPieceType`: no man can become a royal one");
        } else if own_kinds.contains(Role::Pawn) {
            refuse("`promotedPieceType`: no man can become a pawn");
        } else if Color::any(|c| !pieces[c].and(own_pieces).is_empty()) {
            refuse("`promotedPieceType`: men of `promotionPawnTypes` promote as pawns do");
        } else if !own_pieces.and(royal).is_empty() {
            refuse("`promotedPieceType`: royal men do not promote");
        } else if explosive && !own_pieces.is_empty() {
            refuse("`promotedPieceType`: with explosions only pawns can promote");
        } else if !self.pieces_may_stay
            && !self.by_capture
            && let Some(man) = own_pieces.and(others_become).iter().next()
        {
            // They would stand where they must have promoted.
            let letter = man.letter();
            refuse(&format!(
                "`mandatoryPiecePromotion`: not known of men that others become, such as {letter}"
            ));
        }
        if has_pawns && !Color::any(|c| self.promoting[c].contains(Role::Pawn)) {
            refuse("`promotionPawnTypes`: pawns of one side at least promote");
        } else if Color::any(|c| !pieces[c].and(royal).is_empty()) {
            refuse("`promotionPawnTypes`: royal men do not promote");
        } else if explosive && Color::any(|c| !pieces[c].is_empty()) {
            refuse("`promotionPawnTypes`: with explosions only pawns can promote");
        } else if Color::any(|c| !self.to[c].and(pieces[c]).is_empty()) {
            refuse("`promotionPieceTypes`: men that promote must become something else");
        }
        // Nobody must, or may not, who does not promote.
        self.pawns_may_stay &= Color::any(|c| !self.promoting[c].is_empty());
        self.pieces_may_stay |= own_pieces.is_empty();
        self.by_capture &= !own_pieces.is_empty();
        if !has_pawns {
            // Nobody asks what they would do.
            self.promoting = self.promoting.map(|roles| roles.with(Role::Pawn, true));
        }
        self
    }
}
