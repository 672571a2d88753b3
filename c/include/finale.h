/* finale: endgame tablebases for chess variants, from C and C++.
 *
 * Made by cbindgen from c/src/lib.rs; a test there sees to it that the two agree. */

#ifndef FINALE_H
#define FINALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 How a call went.
 */
typedef enum FinaleStatus {
  /*
   All is well.
   */
  FINALE_STATUS_OK = 0,
  /*
   An argument is wrong, such as a FEN.
   */
  FINALE_STATUS_WRONG = 1,
  /*
   No table covers such positions, or it is not in the folder.
   */
  FINALE_STATUS_MISSING = 2,
  /*
   A table is damaged, of other rules, or made by a newer finale.
   */
  FINALE_STATUS_DAMAGED = 3,
  /*
   The game is over, so there is no turn.
   */
  FINALE_STATUS_OVER = 4,
  /*
   The text is longer than the room for it.
   */
  FINALE_STATUS_TOO_LONG = 5,
  /*
   A mistake of finale; please report it.
   */
  FINALE_STATUS_BUG = 6,
} FinaleStatus;

/*
 The tables of a game in a folder.
 */
typedef struct FinaleTables FinaleTables;

/*
 What best play makes of a position.
 */
typedef struct FinaleAnswer {
  /*
   By how much White comes out ahead: 1, 0 or -1 where games are won, drawn or lost, else the
   margin of points.
   */
  int64_t value;
  /*
   The same for the side to move, without points: 1, 0 or -1.
   */
  int32_t wdl;
  /*
   The plies to the end of a game that is won or lost; -1 where the table does not tell, or
   nobody wins.
   */
  int32_t plies;
} FinaleAnswer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Opens the tables of a game in a folder, which is looked into only when a position is asked for.

 `game` is a name that `finale rules` knows, such as `orthodox` or `high`. `options` are those of
 the rules as records have them, `vitality 20, revitalise both`, or null for the usual ones.

 Returns null if there is no such game or option.

 # Safety
 The texts end with a zero; `options` may be null.
 */
struct FinaleTables *finale_open(const char *game, const char *folder, const char *options);

/*
 Makes the games of a file of variants known, given as text, to [`finale_open`] in all threads, for as
 long as the process lives.

 `FINALE_STATUS_WRONG` if the text is none of variants, or if one of its games cannot be built; then
 [`finale_last_error`] says what stands in the way of the first, and the others are known all the same.

 # Safety
 The text ends with a zero.
 */
enum FinaleStatus finale_load_variants(const char *text);

/*
 Closes tables. Null is passed over.

 # Safety
 They come from `finale_open`, and nobody uses them any more.
 */
void finale_close(struct FinaleTables *tables);

/*
 What best play makes of a position.

 # Safety
 `tables` come from `finale_open`, `fen` ends with a zero, and there is room for `answer`.
 */
enum FinaleStatus finale_probe(const struct FinaleTables *tables,
                               const char *fen,
                               struct FinaleAnswer *answer);

/*
 The best turn of a position in UCI notation, into `room` of so many bytes, a zero at its end; 32
 are enough in any game.

 # Safety
 `tables` come from `finale_open`, `fen` ends with a zero, and there is so much room.
 */
enum FinaleStatus finale_best_turn(const struct FinaleTables *tables,
                                   const char *fen,
                                   char *room,
                                   size_t size);

/*
 All that `finale probe --json` prints of a position, its turns ranked among it, into `room` of so
 many bytes, a zero at its end. `needed`, unless it is null, is how many it takes; with
 `TOO_LONG` ask again with as many.

 # Safety
 `tables` come from `finale_open`, `fen` ends with a zero, there is so much room, and `needed` is
 null or there is room for it.
 */
enum FinaleStatus finale_json(const struct FinaleTables *tables,
                              const char *fen,
                              char *room,
                              size_t size,
                              size_t *needed);

/*
 The largest number of men that a table in the folder has; 0 without tables.

 # Safety
 `tables` come from `finale_open`.
 */
uint32_t finale_max_men(const struct FinaleTables *tables);

/*
 What went wrong last in this thread, in words: they stay until its next call that fails.
 */
const char *finale_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FINALE_H */
