/*
 * Shared by all fuzz targets. A target is a file fuzz_NAME.c that defines LLVMFuzzerTestOneInput();
 * the comment at its top describes the input and what must hold for every input. `make fuzz` has
 * libFuzzer search for an input that breaks it; `make test` replays those in corpus/NAME
 * (run_corpus.c). README.md describes the work with a finding.
 */
#ifndef LUDUS_FUZZ_H
#define LUDUS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "common/game.h"

/* Runs one input and returns 0. A failed REQUIRE() ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes a made-up input of at most `size` bytes, the same for each seed, and returns its length.
 * Few targets have one. */
size_t fuzz_make_input(unsigned seed, uint8_t *data, size_t size);

/* Prints the place and the text, and ends the program. */
void fuzz_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/* Requires the condition; otherwise prints the text and ends the program. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_fail(__FILE__, __LINE__, __VA_ARGS__);                                            \
    } while (0)

/* Random numbers that depend only on the input. */
struct dice {
    uint64_t state;
};
/* Returns 0 to sides - 1. */
unsigned dice_throw(struct dice *dice, unsigned sides);

/* Returns the game and variant for a letter a, b, c ... or any other byte. `variant` is NULL when
 * the position decides. */
const struct game *fuzz_game(uint8_t letter, const char **variant);

/* Requires that the sentence is not empty, and safe to send and show. */
void fuzz_require_cause(const struct cause *cause);

#endif
