#include "course_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/game.h"
#include "common/options.h"
#include "common/time_control.h"

enum { KEY_BYTES = 16, KEY_TEXT_MAX = 2 * KEY_BYTES + 1, KEY_LINE_MAX = 256 };

/* ---- What course.conf says ---- */

static bool read_game(void *context, const struct option_input *input, struct cause *cause)
{
    const char *colon = strchr(input->value, ':');
    const struct game *game = game_find(input->value, strcspn(input->value, ":"));
    struct position position;

    (void)context;
    if (game == NULL)
        return cause_set(cause, "there is no game '%.40s' (ludus rules lists them)", input->value);
    return game->start(colon != NULL ? colon + 1 : NULL, &position, cause);
}

static bool read_clock(void *context, const struct option_input *input, struct cause *cause)
{
    struct time_control control;

    (void)context;
    return time_control_parse(input->value, &control, cause);
}

static bool read_openings(void *context, const struct option_input *input, struct cause *cause)
{
    static const char random[] = "random:";
    size_t length = sizeof random - 1;
    long plies;

    (void)context;
    return strcmp(input->value, "balanced") == 0 || strcmp(input->value, "none") == 0 ||
           (strncmp(input->value, random, length) == 0 &&
            number_parse(input->value + length, strlen(input->value + length), 1, LONG_MAX,
                         &plies)) ||
           cause_set(cause, "'%.40s' is not balanced, random:N or none", input->value);
}

static bool read_series(void *context, const struct option_input *input, struct cause *cause)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

    (void)context;
    return strspn(input->value, allowed) == strlen(input->value) ||
           cause_set(cause, "'%.40s' has other characters than letters, digits, _, - and .",
                     input->value);
}

/* Reads a time such as 24h, 90m or 45s; 0 needs no unit. */
static bool read_every(void *context, const struct option_input *input, struct cause *cause)
{
    static const struct {
        char unit;
        long seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    struct course_folder *course = context;
    size_t length = strlen(input->value);
    long count;

    if (strcmp(input->value, "0") == 0) {
        course->every_s = 0;
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (length > 1 && input->value[length - 1] == units[i].unit &&
            number_parse(input->value, length - 1, 1, 9999, &count)) {
            course->every_s = count * units[i].seconds;
            return true;
        }
    return cause_set(cause, "'%.40s' is no time such as 24h, 90m or 0", input->value);
}

/* Adds a student: their name, and `socket` or the command of their bot. */
static bool add_bot(struct course_folder *course, const char *value, bool engine,
                    struct cause *cause)
{
    struct course_bot bot = {.engine = engine};
    size_t length = strcspn(value, " \t");
    const char *command = value + length + strspn(value + length, " \t");

    snprintf(bot.name, sizeof bot.name, "%.*s", (int)length, value);
    if (length >= sizeof bot.name || !identity_is_name(bot.name))
        return cause_set(cause, "'%.40s' is no name: 1 to 24 letters, digits, _ or -", value);
    if (command[0] == '\0' || strlen(command) >= sizeof bot.command)
        return cause_set(cause, "%s: write a command after the name, or `socket`", bot.name);
    if (course_find_bot(course, bot.name) != NULL || strcasecmp(bot.name, COURSE_DIRECTOR) == 0)
        return cause_set(cause, "%s: this name is taken already", bot.name);
    if (course->bot_count == COURSE_BOTS_MAX)
        return cause_set(cause, "%s: %d bots are the most", bot.name, COURSE_BOTS_MAX);
    if (engine || strcmp(command, "socket") != 0)
        snprintf(bot.command, sizeof bot.command, "%s", command);
    course->bots[course->bot_count++] = bot;
    return true;
}

static bool read_bot(void *context, const struct option_input *input, struct cause *cause)
{
    return add_bot(context, input->value, false, cause);
}

static bool read_engine(void *context, const struct option_input *input, struct cause *cause)
{
    return add_bot(context, input->value, true, cause);
}

/* clang-format off */
static const struct option_row conf_rows[] = {
    {OPTION("conf", "FILE", "the file itself"), TO_WORD(course_folder, conf), .config = true, .hidden = true},
    {OPTION("title", "TEXT", ""), TO_TEXT(course_folder, title), .standard = "A course of bots"},
    {OPTION("game", "GAME[:VARIANT]", ""), TO_TEXT(course_folder, game), .standard = "clobber:5x6", .read = read_game},
    {OPTION("format", "round-robin|swiss", ""), TO_CHOICE(course_folder, format), .standard = "swiss"},
    {OPTION("rounds", "N", ""), TO_NUMBER(course_folder, rounds, 0, 100)},
    {OPTION("clock", "BASE+INC", ""), TO_TEXT(course_folder, clock), .standard = "10+0.1", .read = read_clock},
    {OPTION("openings", "balanced|random:N|none", ""), TO_TEXT(course_folder, openings), .standard = "balanced", .read = read_openings},
    {OPTION("nights", "N", ""), TO_NUMBER(course_folder, nights, 1, 366), .standard = "1"},
    {OPTION("every", "TIME", ""), .kind = OPTION_OWN, .read = read_every},
    {OPTION("series", "NAME", ""), TO_TEXT(course_folder, series), .standard = "course", .read = read_series},
    {OPTION("listen", "ADDR:PORT", ""), TO_TEXT(course_folder, listen), .standard = "127.0.0.1:0"},
    {OPTION("start", "SECONDS", ""), TO_NUMBER(course_folder, limits.start_s, 1, 3600), .standard = "10"},
    {OPTION("cpu", "SECONDS", ""), TO_NUMBER(course_folder, limits.cpu_s, 1, 86400), .standard = "600"},
    {OPTION("memory", "MB", ""), TO_NUMBER(course_folder, limits.memory_mb, 1, 1048576), .standard = "512"},
    {OPTION("processes", "N", ""), TO_NUMBER(course_folder, limits.processes, 1, 10000), .standard = "32"},
    {OPTION("output", "MB", ""), TO_NUMBER(course_folder, limits.output_mb, 1, 1024), .standard = "1"},
    {OPTION("disk", "MB", ""), TO_NUMBER(course_folder, limits.disk_mb, 1, 1048576), .standard = "64"},
    {OPTION("lost", "match|move", ""), TO_CHOICE(course_folder, lost), .standard = "match"},
    {OPTION("move_time", "SECONDS", ""), TO_NUMBER(course_folder, move_s, 1, 3600)},
    {OPTION("bot", "NAME COMMAND", ""), .kind = OPTION_OWN, .read = read_bot, .repeats = true},
    {OPTION("engine", "NAME COMMAND", ""), .kind = OPTION_OWN, .read = read_engine, .repeats = true},
    {.name = NULL},
};
/* clang-format on */

const struct course_bot *course_find_bot(const struct course_folder *course, const char *name)
{
    for (int i = 0; i < course->bot_count; i++)
        if (strcasecmp(course->bots[i].name, name) == 0) /* as the server compares names */
            return &course->bots[i];
    return NULL;
}

bool course_read(struct course_folder *course, const char *dir, struct cause *cause)
{
    static char program[] = "ludus course";
    char *words[] = {program, NULL}, path[PATH_MAX];

    *course = (struct course_folder){.dir = dir};
    snprintf(path, sizeof path, "%s/course.conf", dir);
    if (options_parse(program, conf_rows, OPTIONS_FIRST, 1, words, path, false, course, cause) !=
        OPTIONS_RUN)
        return false;
    return course->move_s == 0 || course->lost == COURSE_LOSE_MOVE ||
           cause_set(cause, "%.120s: move_time needs lost = move", path);
}

/* ---- The folder ---- */

static const char conf_text[] =
    "# A course of bots. `ludus course` reads this file. Lines that begin with # say\n"
    "# nothing to it.\n"
    "\n"
    "# What the report is called.\n"
    "title = A course of bots\n"
    "\n"
    "# The game, and its variant (ludus rules); seconds for all moves of a player, and\n"
    "# what each move adds.\n"
    "game = clobber:5x6\n"
    "clock = 10+0.1\n"
    "# Positions to begin with: balanced, random:N for N moves at random, or none.\n"
    "openings = balanced\n"
    "\n"
    "# Each night is a tournament: swiss, or round-robin, where everybody meets\n"
    "# everybody. Without rounds a Swiss has as many as it needs.\n"
    "format = swiss\n"
    "#rounds = 5\n"
    "nights = 1\n"
    "# How long after one night begins the next: 24h, 90m; 0 is at once.\n"
    "every = 24h\n"
    "# The name of all nights together, at the server.\n"
    "series = course\n"
    "\n"
    "# Where the server listens, for bots that run elsewhere and for who watches: on\n"
    "# 0.0.0.0:7117 for all. Without it, on this machine only, at any port.\n"
    "#listen = 0.0.0.0:7117\n"
    "\n"
    "# What each bot may use: seconds until it has logged in, seconds of the processor\n"
    "# in a night, megabytes of memory, processes, megabytes of its log in a night,\n"
    "# megabytes of its folder to write in.\n"
    "start = 10\n"
    "cpu = 600\n"
    "memory = 512\n"
    "processes = 32\n"
    "output = 1\n"
    "disk = 64\n"
    "\n"
    "# What a bot loses: the match, or the move. By `lost = move` a legal move at random is\n"
    "# played for a bot that sends an illegal one, whose connection ends when it is to\n"
    "# move, or that takes longer than move_time, in seconds, if that is set.\n"
    "lost = match\n"
    "#move_time = 5\n"
    "\n"
    "# The students: a name, and the command that runs in bots/NAME/. It finds in its\n"
    "# environment LUDUS_HOST, LUDUS_PORT, LUDUS_NAME, LUDUS_TOKEN, LUDUS_GAME and\n"
    "# LUDUS_TOURNAMENT. {host}, {port}, {name}, {token} and {tournament} in the command\n"
    "# stand for the same. `socket` instead of a command: the bot runs elsewhere, and\n"
    "# connects by itself. An engine speaks UGI on standard input and output.\n"
    "#bot = ana    python3 bot.py\n"
    "#bot = eva    socket\n"
    "#engine = rui ./engine\n";

static bool make_folder(const char *path, mode_t mode, struct cause *cause)
{
    return mkdir(path, mode) == 0 || errno == EEXIST ||
           cause_set(cause, "%.150s: %s", path, strerror(errno));
}

static bool write_conf(const char *path, char *const names[], struct cause *cause)
{
    struct safe_file file;

    if (!safe_file_open(&file, path))
        return cause_set(cause, "%.150s: %s", path, strerror(errno));
    fputs(conf_text, file.draft);
    for (; *names != NULL; names++)
        fprintf(file.draft, "bot = %s python3 bot.py\n", *names);
    return safe_file_keep(&file) || cause_set(cause, "%.150s: %s", path, strerror(errno));
}

/* Refuses a name that is none, or that comes twice. */
static bool check_names(char *const names[], struct cause *cause)
{
    struct course_folder course = {.bot_count = 0};

    for (; *names != NULL; names++) {
        char line[COURSE_TEXT_MAX];
        snprintf(line, sizeof line, "%.60s socket", *names);
        if (strpbrk(*names, " \t") != NULL)
            return cause_set(cause, "'%.40s' is no name: it has a blank", *names);
        if (!add_bot(&course, line, false, cause))
            return false;
    }
    return true;
}

bool course_init(const char *dir, char *const names[], struct cause *cause)
{
    struct course_folder course;
    char path[PATH_MAX];
    struct stat found;

    snprintf(path, sizeof path, "%s/course.conf", dir);
    if (stat(path, &found) == 0)
        return cause_set(cause, "%.150s: there is a course already", dir);
    return check_names(names, cause) && make_folder(dir, 0777, cause) &&
           write_conf(path, names, cause) && course_read(&course, dir, cause) &&
           course_complete(&course, cause);
}

/* ---- What belongs to the students ---- */

/* Writes 128 random bits in hexadecimal. */
static bool make_key(char key[KEY_TEXT_MAX], struct cause *cause)
{
    unsigned char bytes[KEY_BYTES];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return cause_set(cause, "no random bits for keys: %s", strerror(errno));
    for (int i = 0; i < KEY_BYTES; i++)
        snprintf(key + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Copies the keys that are there, also of students who have left, and adds those that lack. */
static bool write_keys(const struct course_folder *course, FILE *from, FILE *to,
                       struct cause *cause)
{
    char line[KEY_LINE_MAX], key[KEY_TEXT_MAX];
    bool has_key[COURSE_BOTS_MAX] = {false};

    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        char *rest = line;
        if (strchr(line, '\n') == NULL)
            return cause_set(cause, "%.120s/keys: a line is cut, or too long", course->dir);
        fputs(line, to);
        const struct course_bot *bot = course_find_bot(course, text_line_word(&rest));
        if (bot != NULL)
            has_key[bot - course->bots] = true;
    }
    for (int i = 0; i < course->bot_count; i++) {
        if (has_key[i])
            continue;
        if (!make_key(key, cause))
            return false;
        fprintf(to, "%s %s\n", course->bots[i].name, key);
    }
    return true;
}

static bool complete_keys(const struct course_folder *course, struct cause *cause)
{
    char path[PATH_MAX];
    struct safe_file file;

    snprintf(path, sizeof path, "%s/keys", course->dir);
    FILE *from = fopen(path, "re");
    if (from == NULL && errno != ENOENT)
        return cause_set(cause, "%.150s: %s", path, strerror(errno));
    bool opened =
        safe_file_open(&file, path) || cause_set(cause, "%.150s: %s", path, strerror(errno));
    bool written = opened && write_keys(course, from, file.draft, cause);
    if (from != NULL)
        fclose(from);
    if (opened && !written) {
        fclose(file.draft);
        unlink(file.draft_path);
    }
    return written &&
           (safe_file_keep(&file) || cause_set(cause, "%.150s: %s", path, strerror(errno)));
}

bool course_complete(const struct course_folder *course, struct cause *cause)
{
    static const char *const folders[] = {"bots", "work", "server", "logs", "results"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", course->dir, folders[i]);
        if (!make_folder(path, 0700, cause))
            return false;
    }
    for (int i = 0; i < course->bot_count; i++) {
        snprintf(path, sizeof path, "%s/bots/%s", course->dir, course->bots[i].name);
        if (!make_folder(path, 0700, cause))
            return false;
    }
    return complete_keys(course, cause);
}

bool course_add(const char *dir, const char *name, struct cause *cause)
{
    char path[PATH_MAX], line[COURSE_TEXT_MAX], *const names[] = {(char *)name, NULL};
    struct course_folder course;
    struct safe_file file;
    int character;

    if (!course_read(&course, dir, cause) || !check_names(names, cause))
        return false;
    snprintf(line, sizeof line, "%.60s python3 bot.py", name);
    if (!add_bot(&course, line, false, cause))
        return false;
    snprintf(path, sizeof path, "%s/course.conf", dir);
    FILE *from = fopen(path, "re");
    if (from == NULL || !safe_file_open(&file, path)) {
        cause_set(cause, "%.150s: %s", path, strerror(errno));
        if (from != NULL)
            fclose(from);
        return false;
    }
    int last = '\n';
    for (; (character = getc(from)) != EOF; last = character)
        putc(character, file.draft);
    fclose(from);
    fprintf(file.draft, "%sbot = %s\n", last == '\n' ? "" : "\n", line);
    return (safe_file_keep(&file) || cause_set(cause, "%.150s: %s", path, strerror(errno))) &&
           course_complete(&course, cause);
}
