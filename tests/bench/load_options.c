#include "load_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "load_process.h"

const char load_help[] =
    "usage: load --address HOST:PORT [OPTION]...\n"
    "Plays random matches against a server and measures how fast it answers.\n"
    "\n"
    "  --address HOST:PORT[,HOST:PORT]...\n"
    "                       the server; of several that share matches, each connection of a match\n"
    "                       uses the next one, and each match begins one further\n"
    "  --matches M          matches at a time, each between two connections of its own (100)\n"
    "  --share K            K of them on the same two, which move in each in turn (1);\n"
    "                       a player may open 100 unless ludusd is told otherwise\n"
    "  --watchers W         connections that watch each match (0)\n"
    "  --windows N          connections of each player, who moves in the first of them (1);\n"
    "                       8 unless ludusd is told otherwise\n"
    "  --game GAME[:VAR]    what is played (clobber:5x6)\n"
    "  --pipeline N         questions that both players send with every move (0; at most 64)\n"
    "  --question Q         which: ping or state (ping)\n"
    "  --seconds S          how long (10, with --moves or --lines without end)\n"
    "  --moves N            stop after N moves\n"
    "  --pid PID            of the server, to measure its processor time and memory\n"
    "  --seed N             for the moves (1)\n"
    "  --websocket          connect as browsers do\n"
    "  --json               one line of JSON\n"
    "  --help               this text\n"
    "\n"
    "Matches that are not over at the end are left to the server: give it one of its own.\n"
    "\n"
    "load --address HOST:PORT --echo LINE [OPTION]...\n"
    "Sends the line, waits for a line of answer, and so on, on every connection.\n"
    "\n"
    "  --connections N      at the same time (100)\n"
    "  --pipeline N         lines sent together (1; at most 64)\n"
    "  --lines N            stop after N lines\n"
    "\n"
    "load --address HOST:PORT --pid PID --idle N [OPTION]...\n"
    "Opens N connections, and tells what they cost while they do nothing.\n"
    "\n"
    "  --named              each takes a name\n"
    "  --matches M          and M matches are opened on them, all together (0)\n"
    "  --seconds S          how long they wait (10)\n";

enum { MATCHES = 100 }; /* by default */

/* The options as read, before the mode is known. */
struct raw {
    const char *address, *game, *line;
    long matches, share, watchers, windows, connections, pipeline, seconds, moves, lines, pid, seed,
        idle;
    bool ask_state, named, websocket, json, help;
};

static const struct option long_options[] = {{"address", required_argument, NULL, 'a'},
                                             {"matches", required_argument, NULL, 'm'},
                                             {"watchers", required_argument, NULL, 'w'},
                                             {"game", required_argument, NULL, 'g'},
                                             {"pipeline", required_argument, NULL, 'P'},
                                             {"question", required_argument, NULL, 'q'},
                                             {"seconds", required_argument, NULL, 's'},
                                             {"moves", required_argument, NULL, 'n'},
                                             {"pid", required_argument, NULL, 'p'},
                                             {"seed", required_argument, NULL, 'r'},
                                             {"echo", required_argument, NULL, 'e'},
                                             {"connections", required_argument, NULL, 'c'},
                                             {"lines", required_argument, NULL, 'l'},
                                             {"idle", required_argument, NULL, 'i'},
                                             {"windows", required_argument, NULL, 'x'},
                                             {"named", no_argument, NULL, 'N'},
                                             {"websocket", no_argument, NULL, 'W'},
                                             {"json", no_argument, NULL, 'j'},
                                             {"share", required_argument, NULL, 'S'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static bool read_number(const char *name, long min, long max, long *value)
{
    if (number_parse(optarg, strlen(optarg), min, max, value))
        return true;
    fprintf(stderr, "load: --%s: write a number from %ld to %ld\n", name, min, max);
    return false;
}

static bool read_game(const char **game)
{
    *game = optarg;
    if (optarg[0] != '\0' && strlen(optarg) < 40 && strpbrk(optarg, " \r\n") == NULL)
        return true;
    fprintf(stderr, "load: --game: write GAME or GAME:VARIANT\n");
    return false;
}

static bool read_line(const char **line)
{
    *line = optarg;
    if (optarg[0] != '\0' && strlen(optarg) < ECHO_LINE_MAX && strpbrk(optarg, "\r\n") == NULL)
        return true;
    fprintf(stderr, "load: --echo: write one line, of less than %d bytes\n", ECHO_LINE_MAX);
    return false;
}

static bool read_question(bool *ask_state)
{
    *ask_state = strcmp(optarg, "state") == 0;
    if (*ask_state || strcmp(optarg, "ping") == 0)
        return true;
    fprintf(stderr, "load: --question: write ping or state\n");
    return false;
}

/* Reads an option that takes a number. Returns false after reporting an error. */
static bool set_number(struct raw *raw, int option)
{
    switch (option) {
    case 'm':
        return read_number("matches", 1, 100000, &raw->matches);
    case 'w':
        return read_number("watchers", 0, 100000, &raw->watchers);
    case 'x':
        return read_number("windows", 1, 16, &raw->windows);
    case 'S':
        return read_number("share", 1, 100000, &raw->share);
    case 'P':
        return read_number("pipeline", 1, PIPELINE_MAX, &raw->pipeline);
    case 's':
        return read_number("seconds", 1, 86400, &raw->seconds);
    case 'n':
        return read_number("moves", 1, 1000000000, &raw->moves);
    case 'l':
        return read_number("lines", 1, 1000000000, &raw->lines);
    case 'p':
        return read_number("pid", 1, PROCESS_MAX, &raw->pid);
    case 'r':
        return read_number("seed", 0, 1000000000, &raw->seed);
    case 'c':
        return read_number("connections", 1, 100000, &raw->connections);
    case 'i':
        return read_number("idle", 1, 100000, &raw->idle);
    default:
        return false; /* getopt has reported it */
    }
}

/* Reads one option. Returns false after reporting an error. */
static bool set(struct raw *raw, int option)
{
    switch (option) {
    case 'a':
        raw->address = optarg;
        return true;
    case 'g':
        return read_game(&raw->game);
    case 'q':
        return read_question(&raw->ask_state);
    case 'e':
        return read_line(&raw->line);
    case 'N':
        return raw->named = true;
    case 'W':
        return raw->websocket = true;
    case 'j':
        return raw->json = true;
    case 'h':
        return raw->help = true;
    default:
        return set_number(raw, option);
    }
}

static bool refuse(const char *why)
{
    fprintf(stderr, "load: %s: try --help\n", why);
    return false;
}

static enum load_mode mode_of(const struct raw *raw)
{
    if (raw->help)
        return LOAD_HELP;
    if (raw->line != NULL)
        return LOAD_ECHO;
    return raw->idle > 0 ? LOAD_IDLE : LOAD_PLAY;
}

static long matches_of(const struct raw *raw)
{
    return raw->matches > 0 ? raw->matches : MATCHES;
}

/* Checks the options that only some modes take. */
static bool is_consistent(const struct raw *raw, enum load_mode mode)
{
    if (raw->address == NULL)
        return refuse("give --address HOST:PORT and options only");
    if (raw->line != NULL && raw->idle > 0)
        return refuse("--echo and --idle are different runs");
    if (mode == LOAD_IDLE && raw->pid == 0)
        return refuse("--idle needs --pid");
    if (mode != LOAD_ECHO && raw->lines + raw->connections > 0)
        return refuse("--lines and --connections go with --echo");
    if (mode != LOAD_PLAY && raw->moves + raw->watchers + raw->windows + raw->share > 0)
        return refuse("--moves, --watchers, --windows and --share go with matches that are played");
    if (raw->share > 1 && raw->watchers > 0)
        return refuse("--share is for matches without watchers");
    if (raw->share > 1 && matches_of(raw) % raw->share != 0)
        return refuse("--matches is no multiple of --share");
    if (mode == LOAD_IDLE && raw->pipeline > 0)
        return refuse("--idle asks nothing");
    return true;
}

static void fill(struct load_settings *settings, const struct raw *raw)
{
    long seconds = raw->seconds;

    if (seconds == 0 && raw->moves == 0 && raw->lines == 0)
        seconds = 10;
    settings->json = raw->json;
    settings->play = (struct load_options){.address = raw->address,
                                           .websocket = raw->websocket,
                                           .game = raw->game,
                                           .matches = matches_of(raw),
                                           .share = raw->share > 0 ? raw->share : 1,
                                           .watchers = raw->watchers,
                                           .windows = raw->windows > 0 ? raw->windows : 1,
                                           .seconds = seconds,
                                           .moves = raw->moves,
                                           .pid = raw->pid,
                                           .seed = raw->seed,
                                           .pipeline = raw->pipeline,
                                           .ask_state = raw->ask_state};
    settings->echo =
        (struct echo_options){.address = raw->address,
                              .websocket = raw->websocket,
                              .line = raw->line,
                              .connections = raw->connections > 0 ? raw->connections : 100,
                              .pipeline = raw->pipeline > 0 ? raw->pipeline : 1,
                              .seconds = seconds,
                              .lines = raw->lines,
                              .pid = raw->pid};
    settings->idle = (struct idle_options){.address = raw->address,
                                           .websocket = raw->websocket,
                                           .game = raw->game,
                                           .connections = raw->idle,
                                           .matches = raw->matches,
                                           .seconds = seconds,
                                           .pid = raw->pid,
                                           .named = raw->named};
}

bool load_options_read(struct load_settings *settings, int argc, char *argv[])
{
    struct raw raw = {.game = "clobber:5x6", .seed = 1};
    int option;

    optind = 1; /* a test reads several command lines */
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        if (!set(&raw, option))
            return false;
    settings->mode = mode_of(&raw);
    if (settings->mode == LOAD_HELP)
        return true;
    if (optind < argc)
        return refuse("give --address HOST:PORT and options only");
    if (!is_consistent(&raw, settings->mode))
        return false;
    fill(settings, &raw);
    return true;
}
