/*
 * Plays every game and variant at random, and checks the promises of game.h in each position. Seeds
 * are fixed, so a failure repeats.
 *
 * usage: test_play [GAME]
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/game.h"
#include "common/move.h"
#include "common/rng.h"

enum {
    PLIES_MAX = 1000,        /* every game ends before */
    POSITIONS_ENOUGH = 8000, /* of one variant, or */
    GAMES_ENOUGH = 1000      /* games of it, whichever comes first */
};

/* A position and its legal moves. */
struct subject {
    const struct game *game;
    const char *variant;
    bool unnamed; /* parse() takes this variant when none is named */
    const struct position *position;
    struct move moves[MOVES_MAX];
    int count;
};

static bool same(const struct position *a, const struct position *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* The text is read back as an identical position, byte by byte. */
static bool text_holds(const struct subject *s, struct cause *cause)
{
    char text[POSITION_TEXT_MAX];
    struct position read;

    s->game->format(s->position, text);
    if (!s->game->parse(s->variant, text, &read, cause))
        return false;
    if (!same(&read, s->position))
        return cause_set(cause, "read back as another position");
    if (!s->unnamed)
        return true;
    if (!s->game->parse(NULL, text, &read, cause))
        return false;
    return same(&read, s->position) ||
           cause_set(cause, "read back as another position when the variant is not named");
}

static bool variant_holds(const struct subject *s, struct cause *cause)
{
    char name[VARIANT_NAME_MAX];

    s->game->variant_name(s->position, name);
    return strcmp(name, s->variant) == 0 || cause_set(cause, "the variant is called '%s'", name);
}

/* Expands the placement, the part of the text before the fields. */
static bool board_holds(const struct subject *s, struct cause *cause)
{
    char text[POSITION_TEXT_MAX], cells[BOARD_SQUARES_MAX];
    struct board board;
    int files = s->position->width, rank = s->position->height - 1, file = 0;

    s->game->format(s->position, text);
    memset(cells, '.', sizeof cells);
    for (const char *c = text; *c != ' ' && *c != '['; c++) {
        if (*c == '/') {
            rank--;
            file = 0;
        } else if (isdigit((unsigned char)*c)) {
            file += c[1] == '0' ? 10 : *c - '0'; /* the 0 of 10 adds nothing */
        } else {
            cells[rank * files + file++] = *c;
        }
    }
    s->game->board(s->position, &board);
    if (board.width != files || board.height != s->position->height)
        return cause_set(cause, "the board is %d by %d", board.width, board.height);
    return memcmp(board.cell, cells, (size_t)(board.width * board.height)) == 0 ||
           cause_set(cause, "the board shows other pieces than the text");
}

/* On the board, with a piece of the game, and with zero where a member is unused. */
static bool well_formed(const struct subject *s, struct move move)
{
    int squares = s->position->width * s->position->height;

    if (move.from >= squares || move.to >= squares)
        return false;
    if (move.kind == MOVE_PLACE)
        return move.from == 0 && move.piece != '\0' && strchr(s->game->pieces, move.piece) != NULL;
    if (move.piece != '\0')
        return false;
    return move.kind == MOVE_STEP || (move.kind == MOVE_PASS && move.from == 0 && move.to == 0);
}

/* A set of moves: by kind, piece or origin, and destination. */
struct move_set {
    bool has[3][128][BOARD_SQUARES_MAX];
};

static bool *in_set(struct move_set *set, struct move move)
{
    return &set->has[move.kind][move.kind == MOVE_PLACE ? move.piece : move.from][move.to];
}

/* The listed moves are well-formed and distinct, and their number is the counted one. */
static bool moves_hold(const struct subject *s, struct cause *cause)
{
    struct move_set seen = {0};

    for (int i = 0; i < s->count; i++) {
        struct move move = s->moves[i];
        if (!well_formed(s, move))
            return cause_set(cause, "move %d is malformed", i);
        if (*in_set(&seen, move))
            return cause_set(cause, "move %d is listed twice", i);
        *in_set(&seen, move) = true;
    }
    int counted = s->game->legal(s->position, NULL);
    return counted == s->count ||
           cause_set(cause, "%d moves are listed, %d counted", s->count, counted);
}

/* Reads the text and expects this very move. */
static bool move_reads(const struct subject *s, const char *text, struct move want,
                       struct cause *cause)
{
    struct move read;

    if (!move_parse(s->game, s->position, text, &read, cause))
        return false;
    return move_equal(read, want) || cause_set(cause, "%s is read as another move", text);
}

static bool move_texts_hold(const struct subject *s, struct cause *cause)
{
    for (int i = 0; i < s->count; i++) {
        char text[MOVE_TEXT_MAX], other[MOVE_TEXT_MAX] = "";
        move_format(s->position, s->moves[i], text);
        for (int j = 0; text[j] != '\0'; j++)
            other[j] = (char)(islower((unsigned char)text[j]) ? toupper((unsigned char)text[j])
                                                              : tolower((unsigned char)text[j]));
        if (!move_reads(s, text, s->moves[i], cause) || !move_reads(s, other, s->moves[i], cause))
            return false;
    }
    return true;
}

/* A game is over exactly when no moves are left, and a position alone gives the reason. */
static bool outcome_holds(const struct subject *s, struct cause *cause)
{
    struct outcome outcome = s->game->outcome(s->position);
    bool over = outcome.result != RESULT_NONE;

    if (over != (s->count == 0))
        return cause_set(cause, "the result is %s with %d legal moves", result_text(outcome.result),
                         s->count);
    if (over != (outcome.reason != REASON_NONE) || outcome.reason == REASON_REPETITION ||
        outcome.reason >= REASON_RESIGN)
        return cause_set(cause, "the reason is %d", outcome.reason);
    return true;
}

/* Where positions can repeat, the last field of their text is a counter, which does not change the
 * key. */
static bool key_ignores_counter(const struct subject *s, struct cause *cause)
{
    char text[POSITION_TEXT_MAX];
    struct position other;

    s->game->format(s->position, text);
    snprintf(strrchr(text, ' '), 3, " 1");
    if (!s->game->parse(s->variant, text, &other, cause))
        return false;
    return s->game->key(&other) == s->game->key(s->position) ||
           cause_set(cause, "the key depends on the counter");
}

/* A placement has another key with the other side to move, if that is a valid position. */
static bool key_tells_side(const struct subject *s, struct cause *cause)
{
    char text[POSITION_TEXT_MAX];
    struct position other;
    struct cause refusal;

    s->game->format(s->position, text);
    char *side = strchr(text, ' ') + 1;
    *side = *side == 'w' ? 'b' : 'w';
    return !s->game->parse(s->variant, text, &other, &refusal) ||
           s->game->key(&other) != s->game->key(s->position) ||
           cause_set(cause, "the key is the same for both sides");
}

static bool key_holds(const struct subject *s, struct cause *cause)
{
    uint64_t key = s->game->key(s->position);

    for (int i = 0; i < s->count; i++) {
        struct position next = *s->position;
        s->game->apply(&next, s->moves[i]);
        if (s->game->key(&next) == key)
            return cause_set(cause, "move %d does not change the key", i);
        if (next.side == s->position->side)
            return cause_set(cause, "after move %d the same side moves", i);
    }
    if (s->game->repetition_draws && !key_ignores_counter(s, cause))
        return false;
    return key_tells_side(s, cause);
}

/* A refusal is one line of text, complete, without a full stop. */
static bool sentence_holds(const char *sentence)
{
    size_t length = strlen(sentence);

    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)sentence[i]))
            return false;
    return length > 0 && length < sizeof((struct cause *)0)->text - 1 &&
           sentence[length - 1] != '.' && sentence[length - 1] != ' ';
}

/* The text of a move is accepted exactly when the move is listed; otherwise a sentence says why
 * not. */
static bool answer_holds(const struct subject *s, struct move move, bool listed,
                         struct cause *cause)
{
    struct cause refusal = {""};
    char text[MOVE_TEXT_MAX];
    struct move read;

    move_format(s->position, move, text);
    bool accepted = move_parse(s->game, s->position, text, &read, &refusal);
    if (accepted != listed)
        return cause_set(cause, "%s is %s", text, accepted ? "accepted" : "refused");
    return accepted || sentence_holds(refusal.text) ||
           cause_set(cause, "%s is refused with '%s'", text, refusal.text);
}

/* Every text that could be a move in this game gets an answer. */
static bool answers_hold(const struct subject *s, struct cause *cause)
{
    const char *pieces = s->game->pieces;
    bool placing = pieces[0] != '\0';
    int squares = s->position->width * s->position->height;
    int origins = placing ? (int)strlen(pieces) : squares;
    struct move pass = {.kind = MOVE_PASS};
    struct move_set listed = {0};

    for (int i = 0; i < s->count; i++)
        *in_set(&listed, s->moves[i]) = true;
    for (int origin = 0; origin < origins; origin++) {
        for (int to = 0; to < squares; to++) {
            struct move move = {.kind = placing ? MOVE_PLACE : MOVE_STEP, .to = (uint8_t)to};
            if (placing)
                move.piece = pieces[origin];
            else
                move.from = (uint8_t)origin;
            if (!answer_holds(s, move, *in_set(&listed, move), cause))
                return false;
        }
    }
    return answer_holds(s, pass, *in_set(&listed, pass), cause);
}

/* Whether a move ends the game like that. */
static bool can_end(const struct subject *s, enum reason reason)
{
    for (int i = 0; i < s->count; i++) {
        struct position next = *s->position;
        s->game->apply(&next, s->moves[i]);
        if (s->game->outcome(&next).reason == reason)
            return true;
    }
    return false;
}

/* The advice is a whole sentence, and what it says of this state is so; each letter on the board is
 * explained. */
static bool advice_holds(const struct subject *s, struct cause *cause)
{
    char text[ADVICE_MAX];
    struct board board;

    bool told = game_advise(s->game, s->position, text);
    if (told != (s->count > 0))
        return cause_set(cause, "advice with %d legal moves", s->count);
    size_t length = strlen(text);
    if (told && (length + 1 >= ADVICE_MAX || text[length - 1] != '.' || !isupper(text[0])))
        return cause_set(cause, "no sentence: %s", text);
    const struct {
        const char *words;
        bool true_now;
    } claims[] = {
        {": pass", s->count == 1 && s->moves[0].kind == MOVE_PASS},
        {"one capture left", s->game == &clobber && s->count == 1},
        {"in check", told && s->game->check != NULL && s->game->check(s->position)},
        {"and you win", s->game == &latrunculi && can_end(s, REASON_DUX_IMMOBILISED)},
        {"your king", s->count > 0 && (s->moves[0].piece == 'K' || s->game == &shakti)},
        {"with yours", s->count > 0 && s->moves[0].piece == 'Q'},
    };
    for (size_t i = 0; i < LENGTH(claims); i++)
        if (strstr(text, claims[i].words) != NULL && !claims[i].true_now)
            return cause_set(cause, "not so: %s", text);
    if (s->game->symbols == NULL)
        return true;
    s->game->board(s->position, &board);
    for (int square = 0; square < board.width * board.height; square++) {
        const struct symbol *symbol = s->game->symbols;
        char letter = (char)toupper((unsigned char)board.cell[square]);
        while (symbol->letter != '\0' && symbol->letter != letter)
            symbol++;
        if (letter != '.' && symbol->letter == '\0')
            return cause_set(cause, "'%c' is not explained", letter);
    }
    return true;
}

/* The properties; `rarely`: checked at some positions only, because it takes long. */
static const struct property {
    const char *name;
    bool (*holds)(const struct subject *, struct cause *);
    bool rarely;
} properties[] = {
    {"position text", text_holds, false},
    {"variant name", variant_holds, false},
    {"board", board_holds, false},
    {"list of moves", moves_hold, false},
    {"move texts", move_texts_hold, false},
    {"outcome", outcome_holds, false},
    {"key", key_holds, false},
    {"answers to move texts", answers_hold, true},
    {"advice", advice_holds, false},
};

enum { PROPERTIES = LENGTH(properties) };

/* The results of all games of one variant. */
struct run {
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct position start;
    bool unnamed;
    int games;
    long positions;
    int reasons[REASON_ABORTED + 1];
    bool failed[PROPERTIES]; /* reported once, then no longer checked */
};

static void check_position(struct run *run, const struct subject *subject, int ply)
{
    int squares = run->start.width * run->start.height;
    bool rare = run->positions % (squares * squares / 20 + 1) == 0;

    for (int i = 0; i < PROPERTIES; i++) {
        struct cause cause = {""};
        char text[POSITION_TEXT_MAX];
        if (run->failed[i] || (properties[i].rarely && !rare) ||
            properties[i].holds(subject, &cause))
            continue;
        run->failed[i] = true;
        subject->game->format(subject->position, text);
        CHECK_THAT(false, "%s: game %d, ply %d, %s: %s", properties[i].name, run->games, ply, text,
                   cause.text);
    }
    run->positions++;
}

/* Returns whether the last key occurs for the third time. */
static bool repeated(const uint64_t *keys, int count)
{
    int equal = 0;

    for (int i = 0; i < count; i++)
        equal += keys[i] == keys[count - 1];
    return equal >= 3;
}

/* Plays one game to its end, by the position or by repetition. */
static void play_one(struct run *run)
{
    struct position position = run->start;
    struct subject subject = {
        .game = run->game, .variant = run->variant, .unnamed = run->unnamed, .position = &position};
    uint64_t rng = (uint64_t)run->games++, keys[PLIES_MAX];

    for (int ply = 0; ply < PLIES_MAX; ply++) {
        subject.count = run->game->legal(&position, subject.moves);
        check_position(run, &subject, ply);
        keys[ply] = run->game->key(&position);
        bool draw = run->game->repetition_draws && repeated(keys, ply + 1);
        if (subject.count == 0 || draw) {
            enum reason reason = run->game->outcome(&position).reason;
            run->reasons[subject.count == 0 ? reason : REASON_REPETITION]++;
            return;
        }
        run->game->apply(&position, subject.moves[rng_below(&rng, subject.count)]);
    }
    CHECK_THAT(false, "game %d has not ended after %d plies", run->games, PLIES_MAX);
}

/* The endings that random games of each variant reach. Two passes in Shakti are too rare:
 * tests/positions has them. */
static const struct ending {
    const struct game *game;
    enum reason reason;
} endings[] = {
    {&clobber, REASON_NO_MOVES},           {&xadrersi, REASON_SCORE},
    {&latrunculi, REASON_DUX_IMMOBILISED}, {&latrunculi, REASON_NO_SOLDIERS},
    {&latrunculi, REASON_NO_MOVES},        {&latrunculi, REASON_NO_CAPTURE},
    {&shakti, REASON_CHECKMATE},           {&shakti, REASON_REPETITION},
};

static void check_endings(const struct run *run)
{
    for (size_t i = 0; i < LENGTH(endings); i++)
        if (endings[i].game == run->game)
            CHECK_THAT(run->reasons[endings[i].reason] > 0, "no game of %d ended by %s", run->games,
                       reason_text(endings[i].reason));
}

/* start() and parse() take the first variant when none is named. */
static void check_default(struct run *run)
{
    char text[POSITION_TEXT_MAX];
    struct position read;
    struct cause cause;

    run->game->format(&run->start, text);
    run->unnamed = run->game->parse(NULL, text, &read, &cause) && same(&read, &run->start);
    if (strcmp(run->variant, run->game->variants[0]) != 0)
        return;
    CHECK_THAT(run->unnamed, "the start is another position when the variant is not named");
    CHECK(run->game->start(NULL, &read, &cause) && same(&read, &run->start));
}

/* Plays one variant until enough positions were seen; each property is one check. */
static void play(const char *game, const char *variant)
{
    struct run run = {0};
    struct cause cause;
    char name[64];

    snprintf(name, sizeof name, "%s:%s", game, variant);
    check_about("%s", name);
    run.game = game_open(name, &run.start, NULL, &cause);
    if (!CHECK_THAT(run.game != NULL, "%s", cause.text))
        return;
    snprintf(run.variant, sizeof run.variant, "%s", variant);
    check_default(&run);
    while (run.positions < POSITIONS_ENOUGH && run.games < GAMES_ENOUGH)
        play_one(&run);
    for (int i = 0; i < PROPERTIES; i++)
        if (!run.failed[i])
            CHECK(true);
    check_endings(&run);
}

int main(int argc, char **argv)
{
    static const char *const sizes[] = {"1x2", "2x1", "1x10", "10x1", "7x9", "9x7", "10x7"};

    for (const struct game *const *game = games; *game != NULL; game++)
        for (const char *const *variant = (*game)->variants; *variant != NULL; variant++)
            if (argc < 2 || strcmp(argv[1], (*game)->name) == 0)
                play((*game)->name, *variant);
    for (size_t i = 0; argc < 2 && i < LENGTH(sizes); i++)
        play(clobber.name, sizes[i]);
    return check_end("test_play");
}
