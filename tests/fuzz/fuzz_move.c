/*
 * Moves as text in every game, and the match that plays them: common/move.c, match.c of the server.
 *
 * The first line is a game and variant (fuzz_game()), then a byte for each ply, the number of the
 * legal move to play. Every following line is tried as a move in the resulting position.
 *
 * A text is accepted exactly when it is a legal move, in any case of letters; otherwise there is a
 * cause and nothing changes. A match plays by the rules, ends when the rules or the third
 * repetition end it, and taking a move back restores it.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "fuzz.h"
#include "server/model/match.h"

enum { TRIED_MAX = 200 /* plies */ };

/* The plies played, recorded independently of the match. */
struct play {
    struct match match;
    struct position positions[TRIED_MAX + 1];
    char texts[TRIED_MAX + 1][POSITION_TEXT_MAX]; /* of the positions */
    int plies;
};

/* rules.md: positions repeat when placement and side, the first two fields of a text, are equal. */
static bool is_repeated(const struct play *play)
{
    const char *now = play->texts[play->plies];
    size_t length = strcspn(now, " ") + 2;
    int times = 0;

    for (int i = 0; i <= play->plies; i++)
        times += strncmp(now, play->texts[i], length) == 0;
    return times >= 3;
}

static void check_match(const struct play *play)
{
    const struct match *match = &play->match;
    const struct position *position = &play->positions[play->plies];
    struct outcome outcome = match->game->outcome(position);

    REQUIRE(memcmp(&match->position, position, sizeof *position) == 0, "another position");
    REQUIRE(match->ply_count == play->plies, "%d plies instead of %d", match->ply_count,
            play->plies);
    if (outcome.result == RESULT_NONE && match->game->repetition_draws && is_repeated(play))
        outcome = (struct outcome){RESULT_DRAW, REASON_REPETITION};
    REQUIRE((match->status == MATCH_OVER) == (outcome.result != RESULT_NONE),
            "the match is %s, the result %s", match_status_text(match->status),
            result_text(outcome.result));
    REQUIRE(match->outcome.result == outcome.result && match->outcome.reason == outcome.reason,
            "the result is %s %s", result_text(match->outcome.result),
            match->outcome.reason != REASON_NONE ? reason_text(match->outcome.reason) : "");
}

/* Returns the legal move of that text, or -1. */
static int find_move(const struct position *position, const struct move *moves, int count,
                     const char *text)
{
    char written[MOVE_TEXT_MAX];

    for (int i = 0; i < count; i++) {
        move_format(position, moves[i], written);
        if (strcasecmp(written, text) == 0)
            return i;
    }
    return -1;
}

static void play_ply(struct play *play, uint8_t choice)
{
    const struct game *game = play->match.game;
    const struct position *position = &play->positions[play->plies];
    unsigned seats = choice & 0x80 ? SEATS_BOTH : 1u << position->side;
    struct move moves[MOVES_MAX];
    struct cause cause = {""};
    char text[MOVE_TEXT_MAX];

    int count = game->legal(position, moves);
    REQUIRE(count > 0, "a match that runs has no moves");
    struct move move = moves[choice % count];
    move_format(position, move, text);
    enum status status = match_play_text(&play->match, seats, text, play->plies, 0, &cause);
    REQUIRE(status == STATUS_OK, "%s: %s: %s", text, status_word(status), cause.text);
    play->positions[play->plies + 1] = *position;
    game->apply(&play->positions[++play->plies], move);
    game->format(&play->positions[play->plies], play->texts[play->plies]);
    check_match(play);
}

static void check_square(const struct position *position, const char *text)
{
    char written[SQUARE_TEXT_MAX];
    struct cause cause = {""};
    int square = square_parse(position, text, &cause);

    if (square < 0) {
        REQUIRE(square == -1, "the square is %d", square);
        fuzz_require_cause(&cause);
        return;
    }
    REQUIRE(square < position->width * position->height, "the square is %d", square);
    square_format(position->width, square, written);
    REQUIRE(strcasecmp(written, text) == 0, "%s is written as %s", text, written);
}

/* The match accepts the moves that move_parse() accepts, from the side to move, and takes them
 * back. */
static void check_played(struct play *play, const char *text, bool legal)
{
    unsigned seats = 1u << play->match.position.side;
    uint32_t revision = play->match.revision;
    struct cause cause = {""};
    bool agreed = false;

    enum status status = match_play_text(&play->match, seats ^ SEATS_BOTH, text, -1, 0, &cause);
    REQUIRE(status == STATUS_NOT_YOUR_TURN, "%s", status_word(status));
    status = match_play_text(&play->match, seats, text, play->plies + 1, 0, &cause);
    REQUIRE(status == STATUS_STALE_PLY, "%s", status_word(status));
    status = match_play_text(&play->match, seats, text, -1, 0, &cause);
    REQUIRE(status == (legal ? STATUS_OK : STATUS_ILLEGAL_MOVE), "%s: %s", text,
            status_word(status));
    if (!legal) {
        REQUIRE(play->match.revision == revision, "what was refused has changed");
        check_match(play);
        return;
    }
    if (play->match.status == MATCH_OVER) { /* nothing can be taken back: continue from before the
                                             * move */
        play->match.status = MATCH_PLAYING;
        play->match.outcome = (struct outcome){RESULT_NONE, REASON_NONE};
    }
    status = match_offer(&play->match, SEATS_BOTH, OFFER_UNDO, 0, &agreed, &cause);
    REQUIRE(status == STATUS_OK && agreed, "%s cannot be taken back: %s", text, cause.text);
    check_match(play);
}

static void try_text(struct play *play, const char *text)
{
    const struct game *game = play->match.game;
    const struct position *position = &play->positions[play->plies];
    struct move moves[MOVES_MAX], move = {.kind = 77}, untouched = move;
    struct cause cause = {""};

    int count = game->legal(position, moves), wanted = find_move(position, moves, count, text);
    bool accepted = move_parse(game, position, text, &move, &cause);
    REQUIRE(accepted == (wanted >= 0), "'%s' is %s", text, accepted ? "accepted" : cause.text);
    if (accepted) {
        REQUIRE(move_equal(move, moves[wanted]), "'%s' is another move", text);
    } else {
        fuzz_require_cause(&cause);
        REQUIRE(memcmp(&move, &untouched, sizeof move) == 0, "what was refused has changed");
    }
    if (play->match.status == MATCH_PLAYING)
        check_played(play, text, accepted);
    check_square(position, text);
}

static void begin(struct play *play, uint8_t letter)
{
    struct cause cause = {""};
    const char *variant;
    const struct game *game = fuzz_game(letter, &variant);

    play->plies = 0;
    REQUIRE(game->start(variant, &play->positions[0], &cause), "no start: %s", cause.text);
    game->format(&play->positions[0], play->texts[0]);
    match_init(&play->match, game, &play->positions[0]);
    match_start(&play->match, 0);
    check_match(play);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct play play;

    if (size == 0)
        return 0;
    char *lines = strndup((const char *)data, size), *rest = lines, *line;
    if (lines == NULL)
        abort();
    line = strsep(&rest, "\n");
    begin(&play, (uint8_t)line[0]);
    for (const char *at = line + (line[0] != '\0');
         *at != '\0' && play.plies < TRIED_MAX && play.match.status == MATCH_PLAYING; at++)
        play_ply(&play, (uint8_t)*at);
    while ((line = strsep(&rest, "\n")) != NULL)
        try_text(&play, line);
    match_release(&play.match);
    free(lines);
    return 0;
}
