/*
 * What the fuzz targets share. A target is a file fuzz_NAME.c that defines
 * LLVMFuzzerTestOneInput(); the comment at its top says what its input means and what must be true
 * whatever the input is. `make fuzz` has libFuzzer look for an input for which it is not;
 * `make test` replays those in corpus/NAME (run_corpus.c). README.md says how to go on from there.
 */
#ifndef LUDUS_FUZZ_H
#define LUDUS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "common/game.h"

/* Takes one input; returns 0. What is wrong ends the program: see REQUIRE(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says where and what, and ends the program. */
void fuzz_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/* What must be true; the text is printed where it is not. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_fail(__FILE__, __LINE__, __VA_ARGS__);                                            \
    } while (0)

/* Random numbers that are the same for the same input. */
struct dice {
    uint64_t state;
};
/* 0 to sides - 1. */
unsigned dice_throw(struct dice *dice, unsigned sides);

/* The game and variant that a letter stands for: a, b, c ... or any other byte. `variant` is NULL
 * for "the position decides". */
const struct game *fuzz_game(uint8_t letter, const char **variant);

/* Requires that the sentence says something, and is fit to be sent and shown. */
void fuzz_require_cause(const struct cause *cause);

#endif
