/* Every function, and what callers may get wrong. The argument is a folder with small tables. */

#undef NDEBUG

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "finale.h"

static int said(const char *words) {
    return strstr(finale_last_error(), words) != NULL;
}

int main(int argc, char **argv) {
    assert(argc == 2);
    const char *mate = "8/8/8/8/8/1k6/8/K6R b - - 0 1";
    FinaleTables *tables = finale_open("orthodox", argv[1], NULL);
    assert(tables != NULL && finale_max_men(tables) >= 3);

    FinaleAnswer answer;
    assert(finale_probe(tables, mate, &answer) == FINALE_STATUS_OK);
    assert(answer.value == 1 && answer.wdl == -1 && answer.plies > 0);
    assert(finale_probe(tables, "8/8/8/8/8/1k6/8/KB6 w", &answer) == FINALE_STATUS_OK);
    assert(answer.value == 0 && answer.wdl == 0 && answer.plies == -1);
    assert(finale_probe(tables, "nonsense", &answer) == FINALE_STATUS_WRONG);
    assert(finale_probe(tables, "7k/8/8/8/8/8/8/KQQQ4 w", &answer) == FINALE_STATUS_MISSING);
    assert(said("KQQQvK"));
    assert(finale_probe(tables, NULL, &answer) == FINALE_STATUS_WRONG && said("null"));
    assert(finale_probe(tables, mate, NULL) == FINALE_STATUS_WRONG && said("no room"));
    assert(finale_probe(NULL, mate, &answer) == FINALE_STATUS_WRONG && said("no tables"));
    assert(finale_probe(tables, "\xff", &answer) == FINALE_STATUS_WRONG && said("UTF-8"));

    char turn[32];
    assert(finale_best_turn(tables, mate, turn, sizeof turn) == FINALE_STATUS_OK);
    assert(strlen(turn) == 4 && strncmp(turn, "b3", 2) == 0);
    char room[4] = "abc";
    assert(finale_best_turn(tables, mate, room, sizeof room) == FINALE_STATUS_TOO_LONG);
    assert(strcmp(room, "abc") == 0 && said("5 bytes"));
    assert(finale_best_turn(tables, mate, NULL, 8) == FINALE_STATUS_WRONG);
    assert(finale_best_turn(tables, mate, NULL, 0) == FINALE_STATUS_TOO_LONG);
    const char *over = "8/8/8/8/8/8/5kq1/7K w - - 0 1";
    assert(finale_probe(tables, over, &answer) == FINALE_STATUS_OK);
    assert(answer.value == -1 && answer.wdl == -1 && answer.plies == 0);
    assert(finale_best_turn(tables, over, turn, sizeof turn) == FINALE_STATUS_OVER);

    size_t needed = 0;
    assert(finale_json(tables, mate, NULL, 0, &needed) == FINALE_STATUS_TOO_LONG && needed > 100);
    char json[4096];
    assert(needed <= sizeof json);
    assert(finale_json(tables, mate, json, needed, NULL) == FINALE_STATUS_OK);
    assert(strlen(json) + 1 == needed && strstr(json, "\"dtm\":") != NULL);
    finale_close(tables);
    finale_close(NULL);

    assert(finale_open("nonsense", argv[1], NULL) == NULL && said("nonsense"));
    assert(finale_open(NULL, argv[1], NULL) == NULL);
    assert(finale_open("high", argv[1], "vitality 99") == NULL);
    assert(finale_open("high", argv[1], "height 9") == NULL && said("height 9"));
    FinaleTables *high = finale_open("high", argv[1], "vitality 50, revitalise mover");
    assert(high != NULL);
    assert(finale_probe(high, "8/8/8/3k4/8/8/8/K6R w - - 50+12 0 1", &answer) == FINALE_STATUS_OK);
    assert(answer.value == 1 || answer.value == -1);
    finale_close(high);
    /* Stalemate is lost, so a game of its own, which has no tables here. */
    assert(finale_open("mine", argv[1], NULL) == NULL && said("mine"));
    assert(finale_load_variants("[mine:chess]\nstalemateValue = loss\n") == FINALE_STATUS_OK);
    FinaleTables *mine = finale_open("mine", argv[1], NULL);
    assert(mine != NULL && finale_probe(mine, mate, &answer) == FINALE_STATUS_MISSING);
    assert(said("mine"));
    finale_close(mine);
    const char *part = "[hands:chess]\npieceDrops = true\n[other:chess]\n";
    assert(finale_load_variants(part) == FINALE_STATUS_WRONG && said("hands cannot be built"));
    FinaleTables *other = finale_open("other", argv[1], NULL);
    assert(other != NULL);
    finale_close(other);
    assert(finale_load_variants("no section") == FINALE_STATUS_WRONG);
    assert(finale_load_variants(NULL) == FINALE_STATUS_WRONG && said("null"));
    puts("all calls are well");
    return 0;
}
