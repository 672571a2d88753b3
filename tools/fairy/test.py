#!/usr/bin/env python3
"""Tests of solve.py, perft.py, every.py, invent.py, mutate.py and sections.py, and of pyffish as
they take it.

    python test.py

Those that solve a material are skipped where pyffish is slow; see fast_pyffish.py.
"""

import contextlib
import io
import json
import random
import shlex
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

import pyffish

import every
import invent
import mutate
import perft
import sections
import solve
from solve import DRAW, LOSS, WIN

VARIANTS = """
[stalematedloses:chess]
stalemateValue = loss

[stalematedwins:chess]
stalemateValue = win

[nonsense:chess]
stalemateValue = lose

[small:chess]
maxRank = 5
maxFile = 5
startFen = 3qk/4p/5/P4/KQ3 w - - 0 1
doubleStep = false
promotionPieceTypes = q

[smallhill:small]
flagPiece = k
flagRegion = c3

[goal:chess]
flagPiece = k
flagRegionWhite = *8
flagRegionBlack = *1

[lastturn:goal]
flagMove = true

[bareloses:chess]
extinctionValue = loss
extinctionPieceTypes = *
extinctionPieceCount = 1

[bareclaim:chess]
extinctionValue = loss
extinctionPieceTypes = *
extinctionPieceCount = 1
extinctionOpponentPieceCount = 2
extinctionClaim = true

[noqueenloses:chess]
extinctionValue = loss
extinctionPieceTypes = q

[noqueenwins:chess]
extinctionValue = win
extinctionPieceTypes = q

[strangers:chess]
customPiece1 = h:NN
fers = f
king = k:N
startFen = 4k3/8/8/8/8/8/8/4K2H w - - 0 1

[walkers:chess]
pawn = -
shogiPawn = p
startFen = 4k3/8/8/8/8/8/P7/4K3 w - - 0 1

[walls:chess]
maxRank = 5
maxFile = 5
startFen = *2qk/5/2*2/5/KQ2* w - - 0 1
"""

pyffish.load_variant_config(VARIANTS)
SLOW = solve.is_slow()


def solved(name: str, material: str) -> solve.Solution:
    game = solve.load_game(name, None)
    fens = solve.legal_positions(game, solve.read_material(game, material, []))
    return solve.solve(solve.Graph(game, fens))


def ending(name: str, fen: str) -> int | None:
    """How the game has ended for the side to move, None if it goes on."""
    return solve.moves_or_end(solve.load_game(name, None), fen)[1]


def by_search(name: str, fen: str, depth: int) -> tuple[int, int] | None:
    """The result and the plies to it, if it comes within a number of plies, by looking ahead."""
    over, value = pyffish.is_immediate_game_end(name, fen, [])
    moves = pyffish.legal_moves(name, fen, [])
    if over or not moves:
        result = solve.outcome(value if over else pyffish.game_result(name, fen, []))
        return None if result == DRAW else (result, 0)
    if depth == 0:
        return None
    behind = [by_search(name, pyffish.get_fen(name, fen, [move]), depth - 1) for move in moves]
    wins = [found[1] for found in behind if found is not None and found[0] == LOSS]
    if wins:
        return WIN, min(wins) + 1
    if None in behind:
        return None
    return LOSS, max(found[1] for found in behind) + 1


@contextlib.contextmanager
def answering(lines: list[dict]) -> Iterator[str]:
    """A command that answers with these objects whatever it is asked."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        program = "import sys; print(open(sys.argv[1]).read(), end='')"
        yield shlex.join([sys.executable, "-c", program, str(file)])


class Text(unittest.TestCase):
    def test_counters_are_dropped(self) -> None:
        start = solve.reduced("8/8/8/8/8/k7/8/K7 b - e3 17 40")
        self.assertEqual(start, "8/8/8/8/8/k7/8/K7 b - e3 0 1")
        # In games that count moves the limit stands in place of the square to take in passing.
        counting = pyffish.get_fen("makruk", "8/8/8/8/3K4/8/8/2R3k1 w - - 0 1", ["c1c2"])
        self.assertEqual(counting, "8/8/8/8/3K4/8/2R5/6k1 b - 32 6 1")
        self.assertEqual(solve.reduced(counting), "8/8/8/8/3K4/8/2R5/6k1 b - - 0 1")

    def test_checks_stay(self) -> None:
        game = solve.load_game("3check", None)
        self.assertEqual(game.state, "- - 3+3")
        fen = solve.after(game, "8/8/8/3k4/8/1K6/8/2R5 w - - 3+3 0 1", "c1d1")
        self.assertEqual(fen, "8/8/8/3k4/8/1K6/8/3R4 b - - 2+3 0 1")
        # Without the field pyffish takes the next check to win.
        fen = solve.after(game, "8/8/8/3k4/8/1K6/8/2R5 w - - 0 1", "c1d1")
        self.assertEqual(fen, "8/8/8/3k4/8/1K6/8/3R4 b - - 0+1 0 1")

    def test_board(self) -> None:
        game = solve.load_game("shogi", None)
        self.assertEqual((game.files, len(game.empty), game.hand), (9, 81, "[]"))
        game = solve.load_game("grand", None)
        self.assertEqual((game.files, len(game.empty)), (10, 100))
        self.assertEqual(solve.cells("+P10/Q~*9")[0], ["+P"] + 10 * [""])
        self.assertEqual(solve.cells("+P10/Q~*9")[1], ["Q~", "*"] + 9 * [""])
        game = solve.load_game("walls", None)
        self.assertEqual(game.empty.count("*"), 3)
        self.assertEqual(solve.placement_text(game, game.empty), "*4/5/2*2/5/4*")

    def test_squares(self) -> None:
        game = solve.load_game("chess", None)
        self.assertEqual(solve.squares_of(game, "a8 h1"), [0, 63])
        self.assertEqual(solve.squares_of(game, "*1"), list(range(56, 64)))
        for wrong in ("a9", "i1", "*0", "a"):
            with self.assertRaises(ValueError):
                solve.squares_of(game, wrong)
        men = solve.read_material(game, "KPvK", ["P=*2 a3"])
        self.assertEqual([man.letter for man in men], ["K", "P", "k"])
        self.assertEqual(men[1].squares, [40, *range(48, 56)])

    def test_like_men_are_counted_once(self) -> None:
        game = solve.load_game("small", None)
        men = solve.read_material(game, "KNNvK", [])
        found = list(solve.placements(game, men))
        self.assertEqual(len(found), 25 * (24 * 23 // 2) * 22)
        self.assertEqual(len(set(found)), len(found))

    def test_sections(self) -> None:
        text = "[a]\nking = k\n# [not]\n [b : chess ]\n"
        self.assertEqual(sections.sections(text), [("a", ""), ("b", "chess")])


class Signs(unittest.TestCase):
    """Ends are seen by the side to move."""

    def test_mate_and_stalemate(self) -> None:
        self.assertEqual(ending("chess", "8/8/8/8/8/1K6/1Q6/k7 b - - 0 1"), LOSS)
        stalemate = "8/8/8/8/8/1K6/2Q5/k7 b - - 0 1"
        self.assertEqual(ending("chess", stalemate), DRAW)
        self.assertEqual(ending("stalematedloses", stalemate), LOSS)
        self.assertEqual(ending("stalematedwins", stalemate), WIN)
        self.assertIsNone(ending("chess", "8/8/8/8/8/1K6/3Q4/k7 b - - 0 1"))
        with self.assertRaises(ValueError):
            ending("nonsense", stalemate)

    def test_stalemate_in_giveaway(self) -> None:
        # In suicide the side with fewer men wins, in giveaway the side that cannot move.
        stalemate = "8/8/8/7p/7P/7P/8/8 w - - 0 1"
        self.assertEqual(ending("suicide", stalemate), LOSS)
        self.assertEqual(ending("giveaway", stalemate), WIN)

    def test_insufficient_material_is_no_end(self) -> None:
        self.assertIsNone(ending("chess", "8/8/8/3k4/8/1K6/8/8 w - - 0 1"))

    def test_goal(self) -> None:
        self.assertEqual(ending("kingofthehill", "8/8/8/8/3K4/8/8/k7 b - - 0 1"), LOSS)
        # Such a position cannot arise, and pyffish has the game go on.
        self.assertIsNone(ending("kingofthehill", "8/8/8/8/3K4/8/8/k7 w - - 0 1"))
        self.assertEqual(ending("goal", "K7/8/8/8/8/8/7k/8 b - - 0 1"), LOSS)
        self.assertIsNone(ending("goal", "K7/8/8/8/8/8/7k/8 w - - 0 1"))

    def test_last_turn_on_the_way_to_the_goal(self) -> None:
        # Black gets another turn if that can bring its King to the goal, and if not in check.
        self.assertIsNone(ending("lastturn", "K7/8/8/8/8/8/7k/8 b - - 0 1"))
        self.assertEqual(ending("lastturn", "K7/8/8/8/8/8/5R1k/8 b - - 0 1"), LOSS)
        self.assertEqual(ending("lastturn", "K7/7k/8/8/8/8/8/8 b - - 0 1"), LOSS)
        self.assertEqual(ending("lastturn", "K7/8/8/8/8/8/8/7k w - - 0 1"), DRAW)
        # White, who moves first, does not.
        self.assertEqual(ending("lastturn", "8/K7/8/8/8/8/8/7k w - - 0 1"), LOSS)

    def test_extinction(self) -> None:
        white_has_it = "6k1/8/8/8/3K4/8/8/2Q5 {} - - 0 1"
        self.assertEqual(ending("noqueenloses", white_has_it.format("w")), WIN)
        self.assertEqual(ending("noqueenloses", white_has_it.format("b")), LOSS)
        self.assertEqual(ending("noqueenwins", white_has_it.format("w")), LOSS)
        self.assertEqual(ending("noqueenwins", white_has_it.format("b")), WIN)
        # If both have none, the side that has just moved counts first.
        nobody = "6k1/8/8/8/3K4/8/8/2R5 {} - - 0 1"
        for side in "wb":
            self.assertEqual(ending("noqueenloses", nobody.format(side)), WIN)
            self.assertEqual(ending("noqueenwins", nobody.format(side)), LOSS)

    def test_bare_king(self) -> None:
        bare = "8/8/8/8/3K4/8/8/2R3k1 {} - - 0 1"
        quiet = "8/8/8/8/3K4/2R5/8/6k1 {} - - 0 1"
        self.assertEqual(ending("bareloses", bare.format("w")), WIN)
        self.assertEqual(ending("bareloses", quiet.format("b")), LOSS)
        both = "8/8/8/8/3K4/8/8/6k1 {} - - 0 1"
        for side in "wb":
            self.assertEqual(ending("bareloses", both.format(side)), WIN)
            self.assertIsNone(ending("bareclaim", both.format(side)))
        # With a claim the bare side has a turn left, in which it may bare the other.
        self.assertEqual(ending("bareclaim", bare.format("w")), WIN)
        self.assertIsNone(ending("bareclaim", quiet.format("b")))

    def test_exploded_king(self) -> None:
        self.assertEqual(ending("atomic", "8/8/8/8/3K4/8/8/2Q5 w - - 0 1"), WIN)
        self.assertEqual(ending("atomic", "8/8/8/8/3K4/8/8/2Q5 b - - 0 1"), LOSS)

    def test_no_moves_after_an_end(self) -> None:
        over = [
            ("kingofthehill", "8/8/8/8/3K4/8/8/k7 b - - 0 1"),
            ("bareloses", "8/8/8/8/3K4/8/8/2R3k1 w - - 0 1"),
            ("noqueenwins", "6k1/8/8/8/3K4/8/8/2Q5 w - - 0 1"),
            ("atomic", "8/8/8/8/3K4/8/8/2Q5 w - - 0 1"),
        ]
        for name, fen in over:
            self.assertEqual(pyffish.legal_moves(name, fen, []), [], name)


class Legality(unittest.TestCase):
    def legal(self, name: str, placement: str, side: str) -> bool:
        with solve.without_complaints():
            return solve.is_legal(solve.load_game(name, None), placement, side)

    def test_check(self) -> None:
        # pyffish finds nothing wrong with a FEN in which a King could be taken.
        placement = "8/8/8/2k5/8/1K6/8/2Q5"
        fen = f"{placement} w - - 0 1"
        self.assertEqual(pyffish.validate_fen(fen, "chess"), pyffish.FEN_OK)
        self.assertFalse(self.legal("chess", placement, "w"))
        self.assertTrue(self.legal("chess", placement, "b"))

    def test_kings(self) -> None:
        self.assertFalse(self.legal("chess", "8/8/8/2k5/1K6/8/8/8", "w"))
        self.assertFalse(self.legal("chess", "8/8/8/8/1K6/8/8/2Q5", "w"))
        # In atomic chess they may touch, and one may be missing.
        self.assertTrue(self.legal("atomic", "8/8/8/2k5/1K6/8/8/8", "w"))
        self.assertTrue(self.legal("atomic", "8/8/8/8/1K6/8/8/2Q5", "w"))


class Solving(unittest.TestCase):
    @unittest.skipIf(SLOW, "needs a fast pyffish")
    def test_queen(self) -> None:
        solution = solved("chess", "KQvK")
        graph = solution.graph
        white = [at for at in range(graph.asked) if " w " in graph.fens[at]]
        black = [at for at in range(graph.asked) if " b " in graph.fens[at]]
        self.assertEqual((len(white), len(black)), (144508, 223944))
        self.assertTrue(all(solution.results[at] == WIN for at in white))
        self.assertEqual(max(solution.plies[at] for at in white), 19)
        self.assertEqual(max(solution.plies[at] for at in black), 20)
        self.assertEqual(sum(graph.ends.get(at) == LOSS for at in black), 364)
        draws = [at for at in black if solution.results[at] == DRAW]
        self.assertEqual(len(draws), 23048)

    @unittest.skipIf(SLOW, "needs a fast pyffish")
    def test_hill(self) -> None:
        solution = solved("kingofthehill", "KvK")
        at = solution.graph.number["k7/8/8/8/8/4K3/8/8 w - - 0 1"]
        self.assertEqual((solution.results[at], solution.plies[at]), (WIN, 1))
        at = solution.graph.number["k7/8/8/8/3K4/8/8/8 b - - 0 1"]
        self.assertEqual((solution.results[at], solution.plies[at]), (LOSS, 0))
        self.assertTrue(solution.reached[at])
        at = solution.graph.number["k7/8/8/8/3K4/8/8/8 w - - 0 1"]
        self.assertFalse(solution.reached[at])

    @unittest.skipIf(SLOW, "needs a fast pyffish")
    def test_small_hill(self) -> None:
        solution = solved("smallhill", "KvK")
        self.check_by_search(solution, 4, 40)

    @unittest.skipIf(SLOW, "needs a fast pyffish")
    def test_by_search(self) -> None:
        for name, material in (("small", "KQvK"), ("smallhill", "KNvK"), ("small", "KPvK")):
            with self.subTest(name=name, material=material):
                self.check_by_search(solved(name, material), 3, 300)

    def check_by_search(self, solution: solve.Solution, depth: int, positions: int) -> None:
        graph = solution.graph
        for at in random.Random(1).sample(range(len(graph.fens)), positions):
            within = solution.results[at] != DRAW and solution.plies[at] <= depth
            expected = (solution.results[at], solution.plies[at]) if within else None
            found = by_search(graph.game.name, graph.fens[at], depth)
            self.assertEqual(found, expected, graph.fens[at])

    def test_taking_in_passing(self) -> None:
        game = solve.load_game("chess", None)
        fen = solve.after(game, "4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4")
        self.assertEqual(fen, "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1")

    def test_pawns_that_were_promoted(self) -> None:
        fen = "8/P7/8/8/8/k7/8/K7{} w - - 0 1"
        game = solve.load_game("chess", None)
        self.assertIn("Q7/", solve.after(game, fen.format(""), "a7a8q"))
        game = solve.load_game("crazyhouse", None)
        self.assertIn("Q~7/", solve.after(game, fen.format("[]"), "a7a8q"))


class Comparing(unittest.TestCase):
    def setUp(self) -> None:
        game = solve.load_game("chess", None)
        mate, stalemate = "8/8/8/8/8/1K6/1Q6/k7 b - - 0 1", "8/8/8/8/8/1K6/2Q5/k7 b - - 0 1"
        self.solution = solve.solve(solve.Graph(game, [mate, stalemate]))
        # As if a move had been seen that mates.
        self.solution.reached[0] = True

    def compare(self, lines: list[dict]) -> tuple[bool, str]:
        said = io.StringIO()
        with answering(lines) as command, contextlib.redirect_stdout(said):
            same = solve.compare(self.solution, command, False)
        return same, said.getvalue()

    def test_equal(self) -> None:
        lines = [{"wdl": "loss", "dtm": 0}, {"wdl": "draw", "dtm": None}]
        self.assertTrue(self.compare(lines)[0])
        # Results alone are compared where there are no plies.
        self.assertTrue(self.compare([{"wdl": "loss"}, {"wdl": "draw"}])[0])

    def test_different(self) -> None:
        same, said = self.compare([{"wdl": "loss", "dtm": 2}, {"wdl": "draw", "dtm": None}])
        self.assertFalse(same)
        self.assertIn("8/8/8/8/8/1K6/1Q6/k7 b - - 0 1: loss 2, here loss 0", said)
        self.assertFalse(self.compare([{"wdl": "win", "dtm": 0}, {"wdl": "draw"}])[0])

    def test_refused(self) -> None:
        # The second position has no move to it, so a program need not know it.
        refusal = {"error": "not legal"}
        self.assertTrue(self.compare([{"wdl": "loss", "dtm": 0}, refusal])[0])
        self.assertFalse(self.compare([refusal, {"wdl": "draw"}])[0])

    def test_too_few_answers(self) -> None:
        with self.assertRaises(ValueError):
            self.compare([{"wdl": "loss", "dtm": 0}])


class Sampling(unittest.TestCase):
    mate, before = "8/8/8/8/8/1K6/1Q6/k7 b - - 0 1", "8/8/8/8/8/1K6/2Q5/k7 b - - 0 1"

    def test_what_follows(self) -> None:
        won, drawn, lost = {"wdl": "win", "dtm": 5}, {"wdl": "draw"}, {"wdl": "loss", "dtm": 4}
        self.assertEqual(solve.follows([won, drawn, lost]), (WIN, 5))
        self.assertEqual(solve.follows([won, drawn]), (DRAW, None))
        self.assertEqual(solve.follows([won, {"wdl": "win", "dtm": 7}]), (LOSS, 8))
        self.assertEqual(solve.follows([won, {"wdl": "win"}]), (LOSS, None))

    def compare(self, fens: list[str], lines: list[dict]) -> bool:
        game = solve.load_game("chess", None)
        with answering(lines) as command, contextlib.redirect_stdout(io.StringIO()):
            return solve.compare_sample(game, fens, command)

    def test_ends(self) -> None:
        draw = {"wdl": "draw", "dtm": None}
        fens = [self.mate, self.before]
        self.assertTrue(self.compare(fens, [{"wdl": "loss", "dtm": 0}, draw]))
        self.assertFalse(self.compare(fens, [draw, draw]))
        # Nobody needs to know what no move was seen to lead to.
        self.assertTrue(self.compare(fens, [{"error": "not legal"}, draw]))

    def test_values_behind(self) -> None:
        # The only move takes the last man: whoever calls this lost must call that won.
        fen = "8/8/8/8/8/8/1Q1K4/k7 b - - 0 1"
        for wdl, behind, same in (("draw", "draw", True), ("loss", "draw", False)):
            lines = [{"wdl": wdl}, {"wdl": behind}]
            self.assertEqual(self.compare([fen], lines), same, (wdl, behind))
        self.assertFalse(self.compare([fen], [{"wdl": "draw"}, {"error": "unknown"}]))


class Inventing(unittest.TestCase):
    def test_games(self) -> None:
        text = invent.games(40, seed=7)
        self.assertEqual(text, invent.games(40, seed=7))
        self.assertNotEqual(text, invent.games(40, seed=8))
        with solve.without_complaints():
            pyffish.load_variant_config(text)
        names = {f"invented-7-{number}" for number in range(40)}
        self.assertLessEqual(names, set(pyffish.variants()))
        # A few have men that cannot stand where they begin.
        formed = [pyffish.validate_fen(pyffish.start_fen(name), name) for name in names]
        self.assertGreater(formed.count(pyffish.FEN_OK), 30)


class Mutating(unittest.TestCase):
    FILE = """
[one:chess]
king = k:N  # a comment
doubleStep = false
[two:one]
doubleStep = true
[three]
wazir = w
"""

    def test_games_of_a_file_have_what_their_parents_say(self) -> None:
        expected = {
            "one": ("chess", {"king": "k:N", "doubleStep": "false"}),
            "two": ("chess", {"king": "k:N", "doubleStep": "true"}),
            "three": ("", {"wazir": "w"}),
        }
        self.assertEqual(mutate.games_of(self.FILE), expected)

    def test_games_are_changed_at_random(self) -> None:
        text = mutate.mutated(self.FILE, 40, seed=7)
        self.assertEqual(text, mutate.mutated(self.FILE, 40, seed=7))
        self.assertNotEqual(text, mutate.mutated(self.FILE, 40, seed=8))
        changed = mutate.games_of(text)
        self.assertEqual(list(changed), [f"mutated-7-{number}" for number in range(40)])
        as_they_were = list(mutate.games_of(self.FILE).values())
        kept = sum(game in as_they_were for game in changed.values())
        self.assertTrue(0 < kept < 40, kept)


class Choosing(unittest.TestCase):
    def test_letters(self) -> None:
        game = solve.load_game("strangers", None)
        self.assertEqual("".join(every.letters_of(game)), "BFHKNPQR")
        self.assertEqual(every.special_men(game, "KvK"), {"F", "H", "K"})
        self.assertEqual(every.special_men(solve.load_game("chess", None), "KvK"), set())

    def test_materials(self) -> None:
        game = solve.load_game("strangers", None)
        self.assertEqual(every.materials(game, 2), ["KvK"])
        small = every.materials(game, 3)
        self.assertEqual(len(small), 14)
        best = every.chosen(small, {"F", "H", "K"}, set(), 4)
        self.assertEqual({text.strip("Kv") for text in best}, {"F", "H"})
        # Without Kings both sides have what they like.
        self.assertEqual(len(every.materials(solve.load_game("antichess", None), 2)), 36)

    def test_pawns_and_what_looks_like_them(self) -> None:
        self.assertFalse(every.walks_on(solve.load_game("chess", None), "KvK"))
        self.assertTrue(every.walks_on(solve.load_game("walkers", None), "KvK"))

    def test_a_log_that_was_cut_off(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            line = {"task": ["a", {}, "solved", "KvK"], "came": {"positions": 1}}
            log.write_text(json.dumps(line) + "\n" + '{"task": ["a", {', encoding="utf-8")
            key = every.key("a", {}, "solved", "KvK")
            self.assertEqual(every.done_before(log), {key: {"positions": 1}})
            self.assertEqual(every.done_before(Path(folder) / "none"), {})


class Perft(unittest.TestCase):
    def test_divided(self) -> None:
        start = pyffish.start_fen("chess")
        counts = perft.counted("chess", start, 2)
        self.assertEqual((len(counts), set(counts.values())), (20, {20}))
        self.assertEqual(perft.place("chess", start, 3, 500).depth, 2)
        self.assertIn(" w - - ", perft.without_castling(start))

    def test_the_same_seed_leads_to_the_same_positions(self) -> None:
        first, second = (perft.starts("strangers", True, 5, 1) for _ in range(2))
        self.assertEqual(first, second)
        self.assertNotEqual(first, perft.starts("strangers", True, 5, 2))

    def test_a_move_that_is_missing_is_found(self) -> None:
        start = solve.reduced(pyffish.start_fen("chess"))
        deeper = solve.reduced(pyffish.get_fen("chess", start, ["e2e4"]))

        class Forgetful:
            """Counts right, but knows one move less after 1 e4."""

            def perft(self, game: str, fen: str, depth: int) -> dict:
                turns = perft.counted("chess", fen, depth)
                if fen == deeper:
                    del turns["e7e5"]
                elif depth == 2:
                    turns["e2e4"] -= 1
                return {"turns": turns}

        here = perft.place("chess", start, 2, 1000)
        said = Forgetful().perft("orthodox", start, 2)
        lines = perft.difference(Forgetful(), "orthodox", "chess", here, said)
        self.assertIn("    e2e4: finale 19, pyffish 20", lines)
        self.assertIn("    only pyffish moves e7e5", lines)

    def test_start(self) -> None:
        start = pyffish.start_fen("chess")
        self.assertEqual([solve.perft("chess", start, [], depth) for depth in (1, 2)], [20, 400])

    def test_random_positions(self) -> None:
        game = solve.load_game("chess", None)
        men = solve.read_material(game, "KQvKR", [])
        first, second = (
            [solve.placed_at_random(game, men, random.Random(seed)) for seed in range(5)]
            for _ in range(2)
        )
        self.assertEqual(first, second)
        fen = solve.played_at_random(game, random.Random(1))
        self.assertTrue(pyffish.legal_moves("chess", fen, []))


if __name__ == "__main__":
    unittest.main()
