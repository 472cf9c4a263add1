#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/levels.h"
#include "common/message.h"
#include "common/number.h"
#include "common/utf8.h"

#define MEMBER(name) offsetof(struct options, name)

const struct option_row option_rows[] = {
    {"listen", "ADDR:PORT",
     "listen on this address; may be repeated (127.0.0.1:7117 and [::1]:7117)", OPTION_LISTEN, 0, 0,
     0},
    {"lan", NULL,
     "listen on all addresses unless --listen names some, require a join code, and\n"
     "answer `ludus join` on the network",
     OPTION_FLAG, MEMBER(lan), 0, 0},
    {"code", "CODE", "the join code that players must give (random with --lan)", OPTION_TEXT,
     MEMBER(code), 0, CODE_TEXT_MAX},
    {"open", NULL, "require no join code, even with --lan", OPTION_FLAG, MEMBER(open), 0, 0},
    {"tls-cert", "FILE", "speak TLS on a second port, with this certificate (PEM, with its chain)",
     OPTION_TEXT, MEMBER(tls_cert), 0, FOLDER_TEXT_MAX},
    {"tls-key", "FILE", "the key of the certificate (PEM)", OPTION_TEXT, MEMBER(tls_key), 0,
     FOLDER_TEXT_MAX},
    {"tls-port", "[ADDR:]PORT",
     "the port for TLS; without ADDR on loopback, with --lan on all addresses (7118)", OPTION_PORT,
     MEMBER(tls_port), 0, ADDRESS_TEXT_MAX},
    {"data", "DIR|none",
     "the directory of the store, or none to keep everything in memory only\n"
     "($XDG_STATE_HOME/ludus, or ~/.local/state/ludus)",
     OPTION_TEXT, MEMBER(data), 0, FOLDER_TEXT_MAX},
    {"durability", "process|power",
     "what acknowledged changes survive: the end of the process, or a power failure,\n"
     "too, which is slower (process)",
     OPTION_DURABILITY, 0, 0, 0},
    {"export", "DIR", "write the store as text into a new directory, and exit", OPTION_TEXT,
     MEMBER(export), 0, FOLDER_TEXT_MAX},
    {"no-bots", NULL, "start no house bots", OPTION_FLAG, MEMBER(no_bots), 0, 0},
    {"bots", "LEVELS", "levels of the house bots (" LEVEL_NAMES ")", OPTION_LEVELS, 0, 0, 0},
    {"bot-program", "FILE",
     "the program of the house bots (ludus-bot, beside ludusd or as installed)", OPTION_TEXT,
     MEMBER(bot_program), 0, 4096},
    {"max-connections", "N", "connections in all (10000)", OPTION_NUMBER,
     MEMBER(limits.connections), 1, 1000000},
    {"address-connections", "N", "connections from one address, except loopback (100)",
     OPTION_NUMBER, MEMBER(limits.address_connections), 1, 1000000},
    {"max-line", "BYTES", "length of a line from a client, with its line end (1024)", OPTION_NUMBER,
     MEMBER(limits.line_bytes), 128, LINE_BYTES_MAX},
    {"rate", "N", "commands a second on one connection; 0: unlimited (10000)", OPTION_NUMBER,
     MEMBER(limits.rate), 0, 1000000},
    {"address-rate", "N",
     "commands a second from one address, except loopback; 0: unlimited (10000)", OPTION_NUMBER,
     MEMBER(limits.address_rate), 0, 1000000},
    {"address-names", "N",
     "new names an hour from one address, except loopback; 0: unlimited (100)", OPTION_NUMBER,
     MEMBER(limits.address_names), 0, 1000000},
    {"address-matches", "N", "unfinished matches opened from one address, except loopback (1000)",
     OPTION_NUMBER, MEMBER(limits.address_matches), 1, 1000000},
    {"limit-loopback", NULL, "apply the limits of an address to loopback, too", OPTION_FLAG,
     MEMBER(limits.limit_loopback), 0, 0},
    {"max-names", "N", "names remembered (10000)", OPTION_NUMBER, MEMBER(limits.names), 1,
     10000000},
    {"max-matches", "N", "unfinished matches opened by one player (100)", OPTION_NUMBER,
     MEMBER(limits.matches), 1, 1000000},
    {"max-unfinished", "N", "unfinished matches in all (10000)", OPTION_NUMBER,
     MEMBER(limits.unfinished), 1, 10000000},
    {"max-watchers", "N", "watchers of one match (1000)", OPTION_NUMBER, MEMBER(limits.watchers), 1,
     1000000},
    {"max-chat", "BYTES", "length of a chat line (500)", OPTION_NUMBER, MEMBER(limits.chat_bytes),
     1, 1024},
    {"chat-rate", "N",
     "chat lines a minute on one connection, ten seconds' worth at once;\n"
     "0: unlimited (60)",
     OPTION_NUMBER, MEMBER(limits.chat_rate), 0, 6000},
    {"keep-finished", "N", "finished matches kept in memory (1000)", OPTION_NUMBER,
     MEMBER(limits.finished), 1, 10000000},
    {"max-errors", "N", "consecutive errors before a connection is closed (100)", OPTION_NUMBER,
     MEMBER(limits.errors), 1, 1000000},
    {"max-pending", "BYTES", "unread output before a connection is closed (262144)", OPTION_NUMBER,
     MEMBER(limits.pending_bytes), 65536, 1 << 30},
    {"slow", "SECONDS", "time for which a quarter of that may stay unread (30)", OPTION_NUMBER,
     MEMBER(limits.slow_s), 1, 86400},
    {"lines-per-turn", "N",
     "commands of one connection before other connections get their turn (16)", OPTION_NUMBER,
     MEMBER(limits.lines_per_turn), 1, 10000},
    {"first-line", "SECONDS", "time for a new connection to send its first line (10)",
     OPTION_NUMBER, MEMBER(limits.first_line_s), 1, 86400},
    {"idle", "SECONDS", "silence before a connection is closed; half of it brings a ping (60)",
     OPTION_NUMBER, MEMBER(limits.idle_s), 2, 86400},
    {"text-idle", "SECONDS", "silence before a connection in text format is closed (1800)",
     OPTION_NUMBER, MEMBER(limits.text_idle_s), 2, 86400},
    {"grace", "SECONDS", "absence of a player before the opponent may claim the win (120)",
     OPTION_NUMBER, MEMBER(limits.grace_s), 0, 86400},
    {"abandon", "DAYS",
     "absence of all players before a match without running clock is aborted (14)", OPTION_NUMBER,
     MEMBER(limits.abandon_days), 1, 36500},
    {"bot-stall", "SECONDS", "time for a bot's move when no clock runs (600)", OPTION_NUMBER,
     MEMBER(limits.bot_stall_s), 1, 86400},
    {"drain", "SECONDS", "time for clients to read their last lines when the server stops (3)",
     OPTION_NUMBER, MEMBER(limits.drain_s), 0, 60},
    {"log", "FILE", "append the log to a file (standard error)", OPTION_TEXT, MEMBER(log), 0,
     FOLDER_TEXT_MAX},
    {"log-level", "debug|info|warn|error", "the least severe level to log (info)", OPTION_LOG_LEVEL,
     0, 0, 0},
    {"user", "NAME",
     "become this user when started as root, after reading the configuration and the\n"
     "certificate",
     OPTION_TEXT, MEMBER(user), 0, USER_TEXT_MAX},
    {"no-fence", NULL,
     "do not restrict file access (with Landlock) to the store, the log, the\n"
     "configuration, the bots' program and programs in /usr",
     OPTION_FLAG, MEMBER(no_fence), 0, 0},
    {"metrics", "PORT", "serve Prometheus on http://127.0.0.1:PORT/metrics; 0: any free port",
     OPTION_NUMBER, MEMBER(metrics_port), 0, 65535},
    {"config", "FILE|none",
     "read options from a file of name = value lines, such as no-bots = yes; the\n"
     "command line wins ($XDG_CONFIG_HOME/ludus/ludusd.conf, or\n"
     "~/.config/ludus/ludusd.conf, if it exists)",
     OPTION_TEXT, MEMBER(config), 0, FOLDER_TEXT_MAX},
    {"check-config", NULL, "check the options and the file, and exit", OPTION_FLAG,
     MEMBER(check_config), 0, 0},
};

const int option_row_count = sizeof option_rows / sizeof option_rows[0];

static const struct options defaults = {
    .limits = {.connections = 10000,
               .line_bytes = LINE_BYTES_MAX,
               .names = 10000,
               .matches = 100,
               .finished = 1000,
               .errors = 100,
               .idle_s = 60,
               .text_idle_s = 1800,
               .pending_bytes = 256 * 1024,
               .lines_per_turn = 16,
               .grace_s = 120,
               .abandon_days = 14,
               .bot_stall_s = 600,
               .drain_s = 3,
               .first_line_s = 10,
               .slow_s = 30,
               .unfinished = 10000,
               .watchers = 1000,
               .rate = 10000,
               .chat_bytes = 500,
               .chat_rate = 60,
               .address_connections = 100,
               .address_rate = 10000,
               .address_names = 100,
               .address_matches = 1000},
    .log_level = LOG_INFO,
    .metrics_port = -1,
};

/* Whether a text is ADDR:PORT, or a port alone where that is allowed. */
static bool is_place(const char *value, bool port_alone)
{
    const char *colon = strrchr(value, ':');
    const char *digits = colon != NULL ? colon + 1 : value;
    long port;

    return strlen(value) < ADDRESS_TEXT_MAX && colon != value && (colon != NULL || port_alone) &&
           number_parse(digits, strlen(digits), 0, 65535, &port);
}

static bool add_listen(struct options *options, const char *value, struct cause *cause)
{
    if (options->listen_count == LISTEN_MAX)
        return cause_set(cause, "listen: at most %d addresses", LISTEN_MAX);
    if (!is_place(value, false))
        return cause_set(cause,
                         "listen: invalid address '%.60s': write ADDR:PORT, such as 127.0.0.1:7117",
                         value);
    snprintf(options->listen[options->listen_count++], ADDRESS_TEXT_MAX, "%s", value);
    return true;
}

/* Reads the levels of the house bots, separated by commas. */
static bool read_levels(struct options *options, const char *value, struct cause *cause)
{
    char copy[256], *rest = copy;

    options->house.count = 0;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *level; (level = strsep(&rest, ",")) != NULL;)
        if (!house_bots_add_level(&options->house, level))
            return cause_set(cause, "bots: invalid list '%.60s': write up to %d different levels",
                             value, LEVELS_MAX);
    return true;
}

bool option_set(struct options *options, const struct option_row *row, const char *value,
                struct cause *cause)
{
    char *member = (char *)options + row->offset;
    long number;

    switch (row->kind) {
    case OPTION_FLAG:
        if (value != NULL && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return cause_set(cause, "%s: invalid value '%.60s': write yes or no", row->name, value);
        *(bool *)member = value == NULL || strcmp(value, "yes") == 0;
        return true;
    case OPTION_NUMBER:
        if (!number_parse(value, strlen(value), row->min, row->max, &number))
            return cause_set(cause, "%s: invalid value '%.60s': write a number from %ld to %ld",
                             row->name, value, row->min, row->max);
        *(int *)(void *)member = (int)number;
        return true;
    case OPTION_PORT:
        if (!is_place(value, true))
            return cause_set(
                cause,
                "%s: invalid address '%.60s': write PORT or ADDR:PORT, such as 7118 or "
                "0.0.0.0:7118",
                row->name, value);
        snprintf(member, (size_t)row->max, "%s", value);
        return true;
    case OPTION_TEXT:
        if (value[0] == '\0' || strlen(value) >= (size_t)row->max)
            return cause_set(cause, "%s: invalid length: write 1 to %ld bytes", row->name,
                             row->max - 1);
        snprintf(member, (size_t)row->max, "%s", value);
        return true;
    case OPTION_DURABILITY:
        options->durability = strcmp(value, "power") == 0 ? DURABILITY_POWER : DURABILITY_PROCESS;
        return options->durability == DURABILITY_POWER || strcmp(value, "process") == 0 ||
               cause_set(cause, "durability: invalid value '%.40s': write process or power", value);
    case OPTION_LOG_LEVEL:
        return log_level_parse(value, &options->log_level) ||
               cause_set(cause,
                         "log-level: invalid value '%.40s': write debug, info, warn or error",
                         value);
    case OPTION_LEVELS:
        return read_levels(options, value, cause);
    default:
        return add_listen(options, value, cause);
    }
}

/* Another program than ours may have other levels. */
static bool levels_are_known(const struct options *options, struct cause *cause)
{
    if (options->bot_program[0] != '\0')
        return true;
    for (int i = 0; i < options->house.count; i++)
        if (!level_is_known(options->house.bots[i].level))
            return cause_set(cause, "bots: unknown level '%s': ludus-bot has " LEVEL_NAMES,
                             options->house.bots[i].level);
    return true;
}

static bool tls_agrees(const struct options *options, struct cause *cause)
{
    bool cert = options->tls_cert[0] != '\0', key = options->tls_key[0] != '\0';

    if (cert != key)
        return cause_set(cause, cert ? "tls-cert: tls-key is missing: give both"
                                     : "tls-key: tls-cert is missing: give both");
    return cert || options->tls_port[0] == '\0' ||
           cause_set(cause, "tls-port: tls-cert and tls-key are missing: give all three");
}

/* Players give the code as one word of a line. */
static bool code_can_be_given(const struct options *options, struct cause *cause)
{
    const char *code = options->code;

    return (utf8_is_clean(code, strlen(code)) && strchr(code, ' ') == NULL) ||
           cause_set(cause,
                     "code: cannot be typed: use UTF-8 without spaces and control characters");
}

bool options_agree(const struct options *options, struct cause *cause)
{
    return code_can_be_given(options, cause) && tls_agrees(options, cause) &&
           levels_are_known(options, cause);
}

void options_init(struct options *options)
{
    struct cause cause;

    *options = defaults;
    read_levels(options, LEVEL_NAMES, &cause);
}

const struct option_row *option_find(const char *name)
{
    for (int i = 0; i < option_row_count; i++)
        if (strcmp(option_rows[i].name, name) == 0)
            return &option_rows[i];
    return NULL;
}

/* Adds a word to a list separated by commas. */
static void add_word(char text[OPTION_VALUE_MAX], const char *word)
{
    size_t length = strlen(text);

    snprintf(text + length, OPTION_VALUE_MAX - length, "%s%s", length > 0 ? "," : "", word);
}

void option_value(const struct options *options, const struct option_row *row,
                  char text[OPTION_VALUE_MAX])
{
    const char *member = (const char *)options + row->offset;

    text[0] = '\0';
    switch (row->kind) {
    case OPTION_FLAG:
        add_word(text, *(const bool *)member ? "yes" : "no");
        break;
    case OPTION_NUMBER:
        snprintf(text, OPTION_VALUE_MAX, "%d", *(const int *)(const void *)member);
        break;
    case OPTION_TEXT:
    case OPTION_PORT:
        add_word(text, member);
        break;
    case OPTION_DURABILITY:
        add_word(text, options->durability == DURABILITY_POWER ? "power" : "process");
        break;
    case OPTION_LOG_LEVEL:
        add_word(text, log_level_word(options->log_level));
        break;
    case OPTION_LEVELS:
        for (int i = 0; i < options->house.count; i++)
            add_word(text, options->house.bots[i].level);
        break;
    default:
        for (int i = 0; i < options->listen_count; i++)
            add_word(text, options->listen[i]);
    }
}

bool option_is_for_file(const struct option_row *row)
{
    return row->offset != MEMBER(config) && row->offset != MEMBER(check_config) &&
           row->offset != MEMBER(export);
}

bool option_is_live(const struct option_row *row)
{
    _Static_assert(MEMBER(limits) == 0, "the limits are the first member");
    bool is_limit = row->offset < sizeof(struct limits);

    return ((row->kind == OPTION_NUMBER || row->kind == OPTION_FLAG) && is_limit) ||
           row->kind == OPTION_LOG_LEVEL ||
           (row->kind == OPTION_TEXT && row->offset == MEMBER(code));
}

void option_copy(struct options *to, const struct options *from, const struct option_row *row)
{
    size_t size = row->kind == OPTION_NUMBER ? sizeof(int)
                  : row->kind == OPTION_FLAG ? sizeof(bool)
                                             : (size_t)row->max;

    if (row->kind == OPTION_LOG_LEVEL)
        to->log_level = from->log_level;
    else
        memcpy((char *)to + row->offset, (const char *)from + row->offset, size);
}
