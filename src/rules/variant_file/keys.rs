//! Keys that decide nothing here, and keys whose rules are not known.

/// Keys whose value makes no difference to tables: how other programs show, value and start a game,
/// how it is castled, and when players may stop it. Positions with castling rights have no tables,
/// and no game ends here by repetition or by counting moves.
pub(super) const WITHOUT_EFFECT: &[&str] = &[
    "variantTemplate",
    "pieceToCharTable",
    "pocketSize",
    "pieceValueMg",
    "pieceValueEg",
    "nMoveRule",
    "nMoveRuleTypes",
    "nMoveRuleTypesWhite",
    "nMoveRuleTypesBlack",
    "nFoldRule",
    "nFoldValueAbsolute",
];

/// Keys of castling. A game that has one has no castling here unless it is as usual.
pub(super) const CASTLING: &[&str] = &[
    "chess960",
    "castlingDroppedPiece",
    "castlingKingsideFile",
    "castlingQueensideFile",
    "castlingRank",
    "castlingKingFile",
    "castlingKingPiece",
    "castlingKingPieceWhite",
    "castlingKingPieceBlack",
    "castlingRookKingsideFile",
    "castlingRookQueensideFile",
    "castlingRookPiece",
    "castlingRookPieces",
    "castlingRookPiecesWhite",
    "castlingRookPiecesBlack",
    "oppositeCastling",
];

/// Keys that are read before others wherever they stand, in this order: the size of the board, since
/// older files count ranks from either end of it; such ranks and regions, since keys of today have the
/// last word; and the kinds that promote, of which another key may say otherwise.
pub(super) const EARLY: [&str; 8] = [
    "maxFile",
    "maxRank",
    "promotionRank",
    "doubleStepRankMin",
    "doubleStepRank",
    "whiteFlag",
    "blackFlag",
    "pawnTypes",
];

/// Keys of which kinds can take in passing.
pub(super) const EN_PASSANT_TYPES: &[&str] =
    &["enPassantTypes", "enPassantTypesWhite", "enPassantTypesBlack"];

/// The kind of Janggi's cannons, whose hurdles and victims are all men but others of that kind.
pub(super) const JANGGI_CANNON: &str = "janggiCannon";

/// Keys that only their defaults are known for, each with the values that are the same as that.
pub(super) const DEFAULT_ONLY: &[(&str, &[&str])] = &[
    (JANGGI_CANNON, &["-"]),
    ("twoBoards", &["false"]),
    ("sittuyinPromotion", &["false"]),
    ("pieceDemotion", &["false"]),
    ("petrifyOnCaptureTypes", &["-"]),
    ("petrifyBlastPieces", &["false"]),
    ("dropChecks", &["true"]),
    ("mustDrop", &["false"]),
    ("mustDropType", &["*"]),
    ("pieceDrops", &["false"]),
    ("dropLoop", &["false"]),
    ("capturesToHand", &["false"]),
    ("firstRankPawnDrops", &["false"]),
    ("promotionZonePawnDrops", &["false"]),
    ("enclosingDrop", &["none"]),
    ("enclosingDropStart", &["-"]),
    ("dropOnTop", &["false"]),
    ("dropRegionWhite", &[]),
    ("dropRegionBlack", &[]),
    ("whiteDropRegion", &[]),
    ("blackDropRegion", &[]),
    ("sittuyinRookDrop", &["false"]),
    ("dropOppositeColoredBishop", &["false"]),
    ("dropPromoted", &["false"]),
    ("dropNoDoubled", &["-"]),
    ("dropNoDoubledCount", &["1"]),
    ("immobilityIllegal", &["false"]),
    ("gating", &["false"]),
    ("wallingRule", &["none"]),
    ("wallingRegion", &[]),
    ("wallingRegionWhite", &[]),
    ("wallingRegionBlack", &[]),
    ("wallOrMove", &["false"]),
    ("seirawanGating", &["false"]),
    ("cambodianMoves", &["false"]),
    ("diagonalLines", &["-"]),
    ("makpongRule", &["false"]),
    ("soldierPromotionRank", &["1"]),
    ("flipEnclosedPieces", &["none"]),
    ("nFoldValue", &["draw"]),
    ("perpetualCheckIllegal", &["false"]),
    ("moveRepetitionIllegal", &["false"]),
    ("chasingRule", &["none"]),
    ("shogiPawnDropMateIllegal", &["false"]),
    ("shatarMateRule", &["false"]),
    ("bikjangRule", &["false"]),
    ("flagPieceBlockedWin", &["false"]),
    ("connectN", &["0"]),
    ("connectPieceTypes", &["*"]),
    ("connectVertical", &["true"]),
    ("connectHorizontal", &["true"]),
    ("connectDiagonal", &["true"]),
    ("connectRegion1White", &["-"]),
    ("connectRegion2White", &["-"]),
    ("connectRegion1Black", &["-"]),
    ("connectRegion2Black", &["-"]),
    ("connectNxN", &["0"]),
    ("collinearN", &["0"]),
    ("connectValue", &["win"]),
    ("materialCounting", &["none"]),
    ("adjudicateFullBoard", &["false"]),
    ("countingRule", &["none"]),
    ("castlingWins", &["-"]),
];
