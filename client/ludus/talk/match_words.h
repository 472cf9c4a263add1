/* Words about matches and clocks, for people. */
#ifndef LUDUS_MATCH_WORDS_H
#define LUDUS_MATCH_WORDS_H

#include <stdint.h>

#include "client/link/match_state.h"
#include "client/ludus/term/names.h"
#include "common/time_control.h"

enum { CLOCK_TEXT_MAX = 24, CLOCK_LINE_MAX = 128 }; /* bytes with the final NUL */

/* Writes "4:32", below 20 s with tenths "0:19.9", from an hour on "1:04:32"; rounded down. */
void clock_format(int64_t left_ms, char text[CLOCK_TEXT_MAX]);

/* Writes both clocks: "white 4:32, black 5:00 (running), +5 s a move". */
void clock_line(const struct match_clock *clock, int64_t now_ms, char line[CLOCK_LINE_MAX]);

/* Writes ", clock 5 + 5" for the `clock` {base_ms, increment_ms} of a match, "" for null, and
 * returns it. */
const char *clock_control(const cJSON *json, char text[CLOCK_LINE_MAX]);

enum { GAME_LABEL_MAX = 64 }; /* bytes with the final NUL */
/* Writes "Clobber 5x6" into label and returns it. An unknown game goes by its name. */
const char *game_label(const char *game, const char *variant, char label[GAME_LABEL_MAX]);

/* The name by which the player in a seat is shown. */
const char *seat_shown(const struct match_seat *seat);

enum { ROW_WORDS_MAX = 512 }; /* bytes with the final NUL */
/* Writes a row of the server's `list`: "Clobber 5x6, clock 5 + 5, white anna, black free". */
void row_words(const struct names *names, const cJSON *row, char words[ROW_WORDS_MAX]);

enum { TOURNAMENT_NAME_MAX = 33 }; /* bytes with the final NUL */
/* Writes the name of a tournament as the protocol takes it: A-Z a-z 0-9 - . and _, which stands for
 * each other character. False if that has changed it, or cut it. */
bool tournament_name(const char *typed, char name[TOURNAMENT_NAME_MAX]);

enum { SENTENCE_MAX = 640 }; /* bytes with the final NUL */
/* Makes a sentence of an error message, with a capital and a full stop, and returns it. A square,
 * an option or another name at the beginning stays as it is. */
const char *sentence_of(const char *message, char sentence[SENTENCE_MAX]);

/* "White" or "Black". */
const char *color_title(enum color color);

/* Writes a sentence in which %s stands for a name, and returns `text`. */
const char *sentence_about(const char *sentence, const char *name, char *text, size_t size);

/* Sentences about offers, with %s for the player who makes or gets it: "%s offers a draw.", the
 * same as a question, "You offered a draw. Waiting for %s.", and "%s declines the draw." */
const char *offer_request(enum offer offer);
const char *offer_question(enum offer offer);
const char *offer_choice(enum offer offer); /* "%s offers a draw: accept or decline?" */
const char *offer_made(enum offer offer);
const char *offer_declined(enum offer offer);

enum { RESULT_LINE_MAX = 400 }; /* bytes with the final NUL */
/* Writes how a match ended, as its reader would say it, and what it has done to their rating:
 * "You win! bob resigned. Your rating: 1500 -> 1523 (+23)." */
void result_line(const struct match_state *view, char line[RESULT_LINE_MAX]);

enum { CLOCK_WORDS_MAX = 64 }; /* bytes with the final NUL */

/* Reads a clock as people type it in a form, where a number without a unit is minutes: "5 + 3",
 * "5", "1:30 + 0", "300s + 5"; and writes it for the protocol. False with the cause. */
bool clock_words_read(const char *text, char clock[CLOCK_WORDS_MAX], struct cause *cause);

/* The same for command lines, where a number without a unit is seconds, as in the protocol:
 * "300+5", "5m+5", "5:00+5". */
bool clock_option_read(const char *text, char clock[CLOCK_WORDS_MAX], struct cause *cause);

/* Copies the line of a command, with the value of its `clock=` as the protocol has it. False with
 * the cause. */
bool clock_line_read(const char *line, char *sent, size_t size, struct cause *cause);

/* Writes the words: "5 + 3", or "1:30 + 0" where the minutes are not whole. */
void clock_words_write(int64_t base_ms, int64_t increment_ms, char text[CLOCK_WORDS_MAX]);

/* Whether the player watches a match of two bots, which may be over in a second. */
bool match_is_of_bots(const struct match_state *view);

/* Whether the match counts for the ratings, which guests have not; an open seat may do so. */
bool match_is_rated(const struct match_state *view);

#endif
