/*
 * `ludus-bot ugi`: an engine on standard input and output. It speaks the Universal Game Interface
 * as cutegames defines it (github.com/kz04px/cutegames, ugi.md), and adds the options Game, Level,
 * Hash and Threads, `go perft` and `d`. Player 1 is white.
 *
 * The main thread reads and obeys commands. The engine thinks, and perft counts, in a thread of its
 * own, which prints `info` lines and `bestmove`. Commands that need it idle wait in a queue;
 * `isready`, `stop`, `quit` and the end of input do not. Only `go infinite` keeps its answer until
 * `stop`.
 */
#include <stdlib.h>
#include <string.h>

#include "bot.h"
#include "client/bot/base/words.h"
#include "common/xmalloc.h"
#include "ugi_commands.h"

/* How long searches may go on after the end of the input. */
enum { PATIENCE_MS = 40 };

/* Obeys a line. Returns false, having done nothing, if it has to wait for the thinker. */
static bool obey(struct ugi *ugi, char *line)
{
    const struct ugi_command *command = ugi_find_command(line);

    if (command == NULL) {
        struct cause cause;
        cause_set(&cause, "unknown command '%.40s'", next_word(&line));
        ugi_print_error(ugi, cause.text);
        return true;
    }
    if (command->idle && ugi->infinite)
        ugi_stop(ugi, NULL); /* nobody else would stop it in time */
    if (command->idle && !ugi_await(ugi, 0))
        return false;
    next_word(&line);
    command->run(ugi, line);
    return true;
}

/* Obeys waiting lines, as far as they need not wait on. */
static void obey_waiting(struct ugi *ugi)
{
    struct waiting *first;

    while ((first = STAILQ_FIRST(&ugi->waiting)) != NULL && obey(ugi, first->line)) {
        STAILQ_REMOVE_HEAD(&ugi->waiting, link);
        free(first->line);
        free(first);
    }
}

/* Obeys a line, or lets it wait. A stop is heard at once, and by a search that is waiting. Returns
 * false for `quit`. */
static bool hear(struct ugi *ugi, char *line)
{
    const struct ugi_command *command = ugi_find_command(line);
    if (strncmp(line, "quit", 4) == 0 && strcspn(line, " ") == 4)
        return false;
    if (*line == '\0')
        return true;
    if (command != NULL && command->run == ugi_stop)
        thinker_stop(&ugi->thinker);
    bool goes_ahead = STAILQ_EMPTY(&ugi->waiting) || (command != NULL && command->urgent);
    if (goes_ahead && obey(ugi, line))
        return true;
    struct waiting *waiting = xcalloc(1, sizeof *waiting);
    waiting->line = xstrdup(line);
    STAILQ_INSERT_TAIL(&ugi->waiting, waiting, link);
    return true;
}

/* Answers what was asked: the thinker has wait_ms, then it stops. */
static void finish(struct ugi *ugi, int wait_ms)
{
    int64_t end_ms = clock_ms() + wait_ms;

    for (obey_waiting(ugi); ugi->thinker.busy; obey_waiting(ugi)) {
        int64_t left_ms = end_ms - clock_ms();
        if (ugi->infinite || left_ms <= 0 || !ugi_stream_wait_wake(&ugi->stream, (int)left_ms))
            ugi_stop(ugi, NULL);
        thinker_wait(&ugi->thinker);
    }
}

/* Obeys commands until `quit` or the end of the input. */
static void converse(struct ugi *ugi)
{
    for (;;) {
        char *line;
        switch (ugi_stream_wait(&ugi->stream, -1, &line)) {
        case HEARD_LINE:
            if (!hear(ugi, line)) {
                finish(ugi, 0);
                return;
            }
            break;
        case HEARD_END:
            finish(ugi, PATIENCE_MS);
            return;
        default:
            break; /* a wake */
        }
        /* Whoever waited for the thinker may have taken its wake, so each line looks, too. */
        if (!ugi->infinite && ugi_await(ugi, 0))
            obey_waiting(ugi);
    }
}

const struct usage_row ugi_rows[] = {
    {OPTION("level", "LEVEL", "how to play; also setoption name Level"), .code = OPTION_LEVEL,
     .standard = UGI_DEFAULT_LEVEL},
    {OPTION("seed", "N", "repeat the same random choices every time"),
     TO_NUMBER(ugi, seed, 0, LONG_MAX)},
    USAGE_LAST_ROWS,
};

static bool take_option(void *context, int code, struct cause *cause)
{
    struct ugi *ugi = context;

    (void)code; /* OPTION_LEVEL */
    return bot_take_level(&ugi->engine, cause);
}

int ugi_main(const struct usage_command *command, int argc, char **argv)
{
    struct ugi ugi = {.seed = bot_seed(), .tt = {.megabytes = TT_MB}};
    int status = usage_read("ludus-bot", ugi_rows, ":", argc, argv, take_option, &ugi);

    if (status == USAGE_HELP) {
        usage_print_command("ludus-bot", command,
                            "Speaks the Universal Game Interface on standard input and output.");
        return bot_print_levels();
    }
    if (status != USAGE_READ)
        return status;
    if (optind < argc) {
        bot_error(argv[optind], "ugi takes no arguments");
        return EXIT_USAGE;
    }
    if (!ugi_stream_open(&ugi.stream))
        return EXIT_FAILURE;
    ugi.rng = (uint64_t)ugi.seed;
    ugi_open(&ugi);
    converse(&ugi);
    ugi_stream_close(&ugi.stream);
    thinker_release(&ugi.thinker);
    tt_clear(&ugi.tt);
    history_release(&ugi.history);
    return 0;
}
