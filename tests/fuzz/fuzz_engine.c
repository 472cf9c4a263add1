/*
 * Output of an engine for the bridge or the gauntlet: client/engine/.
 *
 * The first byte is the request: bits 0 and 1 the dialect (0: to be detected), bit 2 a clock, bit 3
 * options, from bit 4 on the game. The rest is the engine's output: 00 ends a piece that arrives at
 * once, 01 ends a piece and then the time is up, and after 02 its move is no longer wanted.
 *
 * The client trusts no engine: it always sends whole lines, reports a failure in one sentence that
 * is safe to show, and plays legal moves only.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/engine/driver.h"
#include "common/move.h"
#include "common/text.h"
#include "fuzz.h"

struct desk {
    struct driver driver;
    struct process engine;
    struct course course;
    struct budget budget;
    int engine_fd; /* the other end of its input and output */
    int64_t now_ms;
};

static void open_desk(struct desk *desk, const struct engine_program *program, uint8_t how)
{
    static const struct dialect *const dialects[] = {NULL, &ugi, &uci, NULL};
    const char *variant;
    const struct game *game = fuzz_game((uint8_t)('a' + (how >> 4)), &variant);
    struct position start;
    struct cause cause;
    int fds[2];

    if (!game->start(variant, &start, &cause) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) != 0)
        abort();
    memset(desk, 0, sizeof *desk);
    desk->engine_fd = fds[1];
    desk->engine = (struct process){.in = fds[0], .out = dup(fds[0])};
    desk->budget = (struct budget){.clock = how & 4,
                                   .movetime_ms = 100,
                                   .left_ms = {60000, 60000},
                                   .increment_ms = {500, 500}};
    /* The state after driver_start(). */
    desk->driver = (struct driver){.program = program,
                                   .engine = &desk->engine,
                                   .dialect = dialects[how & 3],
                                   .deadline_ms = 1500};
    course_begin(&desk->course, game, &start, 0);
}

/* Checks the input of the engine: whole lines that it can read. */
static void check_sent(const struct desk *desk)
{
    static char sent[1 << 17];
    ssize_t length = recv(desk->engine_fd, sent, sizeof sent, MSG_DONTWAIT);

    for (char *line = sent; length > 0 && line < sent + length;) {
        char *end = memchr(line, '\n', (size_t)(sent + length - line));
        REQUIRE(end != NULL && end - line < PROCESS_LINE_MAX, "no line is sent");
        REQUIRE(end > line && utf8_is_clean(line, (size_t)(end - line)), "this is sent: %.*s",
                (int)(end - line), line);
        line = end + 1;
    }
}

static void close_desk(struct desk *desk)
{
    driver_end(&desk->driver, false, desk->now_ms);
    check_sent(desk);
    close(desk->engine.out);
    close(desk->engine_fd);
}

static void choose(struct desk *desk)
{
    const struct course *course = &desk->course;
    struct cause cause = {""};

    if (!dialect_can_play(desk->driver.dialect, &desk->driver.profile, course->game, &course->start,
                          &cause))
        fuzz_require_cause(&cause);
    driver_choose(&desk->driver, course->game, &course->start, NULL, desk->now_ms);
}

static bool is_over(const struct course *course)
{
    struct move moves[MOVES_MAX];

    return course->count == COURSE_MOVES_MAX || course->game->legal(&course->position, moves) == 0;
}

static void think(struct desk *desk)
{
    if (!is_over(&desk->course))
        driver_think(&desk->driver, &desk->course, &desk->budget, desk->now_ms);
}

static void play(struct desk *desk)
{
    struct course *course = &desk->course;
    const char *best = desk->driver.best;
    struct cause cause = {""};
    struct move move;

    REQUIRE(strnlen(best, BEST_MAX) < BEST_MAX, "the move has no end");
    if (move_parse(course->game, &course->position, best, &move, &cause))
        course_play(course, move);
    else
        fuzz_require_cause(&cause);
    think(desk);
}

/* Reads the available output as the bridge does. Returns false when the engine has failed. */
static bool hear(struct desk *desk)
{
    enum driver_event event;

    while ((event = driver_next(&desk->driver, desk->now_ms)) != DRIVER_NOTHING) {
        if (event == DRIVER_IS_INTRODUCED)
            choose(desk);
        else if (event == DRIVER_IS_READY)
            think(desk);
        else if (event == DRIVER_HAS_MOVED)
            play(desk);
        else
            break;
        check_sent(desk);
    }
    if (event == DRIVER_HAS_FAILED)
        fuzz_require_cause(&desk->driver.cause);
    return event == DRIVER_NOTHING;
}

/* Delivers a piece of output and does what its last byte says. */
static bool take_piece(struct desk *desk, const uint8_t *piece, size_t length, uint8_t end)
{
    if (length > 0 && send(desk->engine_fd, piece, length, MSG_DONTWAIT) != (ssize_t)length)
        abort();
    desk->engine.ready = true;
    if (!hear(desk))
        return false;
    if (end == 2)
        driver_forget(&desk->driver, desk->now_ms);
    desk->now_ms += 10;
    if (end == 1 && desk->driver.deadline_ms < INT64_MAX)
        desk->now_ms = desk->driver.deadline_ms;
    check_sent(desk);
    return hear(desk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct desk desk;
    const struct engine_program program = {.engine_options = {"Hash=1", "Level=easy"},
                                           .engine_option_count = size > 0 && data[0] & 8 ? 2 : 0,
                                           .quiet = true};

    if (size == 0)
        return 0;
    open_desk(&desk, &program, data[0]);
    for (size_t at = 1, next; at < size; at = next + 1) {
        for (next = at; next < size && data[next] > 2;)
            next++;
        if (!take_piece(&desk, data + at, next - at, next < size ? data[next] : 0))
            break;
    }
    close_desk(&desk);
    return 0;
}
