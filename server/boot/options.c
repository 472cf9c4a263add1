#include "options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/levels.h"
#include "common/message.h"
#include "common/number.h"
#include "common/ports.h"
#include "common/usage.h"
#include "common/utf8.h"
#include "server/play/house_bots.h"

/* Parts of a row: the member of struct options, and its range. */
#define AT(member)                  .offset = offsetof(struct options, member)
#define AT_TEXT(member)             AT(member), .max = sizeof((struct options *)NULL)->member
#define FLAG(member)                .kind = OPTION_FLAG, AT(member)
#define CHOICE(member)              .kind = OPTION_CHOICE, AT(member)
#define TEXT(member)                .kind = OPTION_TEXT, AT_TEXT(member)
#define NUMBER(member, least, most) .kind = OPTION_NUMBER, AT(member), .min = (least), .max = (most)

const struct option_row option_rows[] = {
    {OPTION("listen", "ADDR:PORT",
            "listen on this address; may be repeated (127.0.0.1:" DEFAULT_PORT_TEXT
            " and [::1]:" DEFAULT_PORT_TEXT ")"),
     .kind = OPTION_LISTEN},
    {OPTION("lan", NULL,
            "listen on all addresses unless --listen names some, require a join code, and\n"
            "answer `ludus join` on the network"),
     FLAG(lan)},
    {OPTION("no-qr", NULL, "with --lan, show no QR code of the page's address on a terminal"),
     FLAG(no_qr)},
    {OPTION("code", "CODE",
            "the join code that players must give, in any case (with --lan, a random one that\n"
            "the store keeps)"),
     TEXT(code), .live = true, .secret = true},
    {OPTION("new-code", NULL, "with --lan, replace the join code that the store keeps"),
     FLAG(new_code), .not_in_file = true},
    {OPTION("open", NULL, "require no join code, even with --lan"), FLAG(open)},
    {OPTION(
         "hosted", NULL,
         "the server ends with the program of a player: tell clients that it will not come back\n"
         "soon, as `ludus host` has it"),
     FLAG(hosted), .not_in_file = true},
    {OPTION("tls-cert", "FILE",
            "speak TLS on a second port, with this certificate (PEM, with its chain)"),
     TEXT(tls_cert)},
    {OPTION("tls-key", "FILE", "the key of the certificate (PEM)"), TEXT(tls_key)},
    {OPTION("tls-port", "[ADDR:]PORT",
            "the port for TLS; without ADDR on loopback, with --lan on all addresses "
            "(" DEFAULT_TLS_PORT_TEXT ")"),
     .kind = OPTION_PORT, AT_TEXT(tls_port)},
    {OPTION("no-web", NULL, "serve no page and no WebSocket to browsers"), FLAG(no_web)},
    {OPTION("web-host", "NAMES",
            "names by which browsers may reach the server, separated by commas, beside addresses,\n"
            "localhost and the names of this machine"),
     TEXT(web_host)},
    {OPTION("data", "DIR|none",
            "the directory of the store, or none to keep everything in memory only\n"
            "($XDG_STATE_HOME/ludus, or ~/.local/state/ludus)"),
     TEXT(data)},
    {OPTION("durability", "process|power",
            "what acknowledged changes survive: the end of the process, or a power failure,\n"
            "too, which is slower"),
     CHOICE(durability), .standard = "process"},
    {OPTION("engine", "CONNINFO",
            "instead of a store of its own, share PostgreSQL with other servers: one lobby on\n"
            "many machines"),
     .kind = OPTION_ENGINE, AT_TEXT(engine), .secret = true},
    {OPTION("node", "N", "the number of this server among those that share --engine"),
     NUMBER(node, 1, NODE_ID_MAX)},
    {OPTION("advertise", "ADDR:PORT",
            "where clients reach this server (the first address that it listens on)"),
     .kind = OPTION_ADDRESS, AT_TEXT(advertise)},
    {OPTION("node-timeout", "SECONDS", "silence of a server before the others take it for dead"),
     NUMBER(node_timeout_s, 1, 3600), .standard = "5"},
    {OPTION("export", "DIR", "write the store as text into a new directory, and exit"),
     TEXT(export), .not_in_file = true},
    {OPTION("repair", NULL,
            "with check: mend broken matches from their moves, which stay as they are"),
     FLAG(repair), .not_in_file = true},
    {OPTION("no-bots", NULL, "start no house bots"), FLAG(no_bots)},
    {OPTION("bots", "LEVELS", "levels of the house bots"), .kind = OPTION_LEVELS, AT_TEXT(bots),
     .standard = LEVEL_NAMES},
    {OPTION("bot-program", "FILE",
            "the program of the house bots (ludus-bot, beside ludusd or as installed)"),
     TEXT(bot_program)},
#define LIMIT(member, option, unit, least, most, usual, text)                                      \
    {OPTION(option, unit, text), NUMBER(limits.member, least, most), .live = true,                 \
     .standard = usual},
#define LIMIT_FLAG(member, option, text)                                                           \
    {OPTION(option, NULL, text), FLAG(limits.member), .live = true},
#include "server/base/limits_table.h"
#undef LIMIT
#undef LIMIT_FLAG
    {OPTION("log", "FILE", "append the log to a file (standard error)"), TEXT(log)},
    {OPTION("log-level", "debug|info|warn|error", "the least severe level to log"),
     CHOICE(log_level), .live = true, .standard = "info"},
    {OPTION("user", "NAME",
            "become this user when started as root, after reading the configuration and the\n"
            "certificate"),
     TEXT(user)},
    {OPTION("no-fence", NULL,
            "do not restrict file access (with Landlock) to the store, the log, the\n"
            "configuration, the bots' program and programs in /usr"),
     FLAG(no_fence)},
    {OPTION("metrics", "PORT",
            "serve Prometheus on http://127.0.0.1:PORT/metrics; 0: any free port"),
     NUMBER(metrics_port, 0, 65535)},
    {OPTION("config", "FILE|none",
            "read options from a file of name = value lines, such as no-bots = yes; the\n"
            "command line wins ($XDG_CONFIG_HOME/ludus/ludusd.conf, or\n"
            "~/.config/ludus/ludusd.conf, if it exists)"),
     TEXT(config), .not_in_file = true},
    {OPTION("check-config", NULL, "check the options and the file, and exit"), FLAG(check_config),
     .not_in_file = true},
};

const int option_row_count = sizeof option_rows / sizeof option_rows[0];

/* Returns whether a text is ADDR:PORT or, if port_alone, PORT. */
static bool is_address(const char *value, bool port_alone)
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
    if (!is_address(value, false))
        return cause_set(cause,
                         "listen: invalid address '%.60s': write ADDR:PORT, such as "
                         "127.0.0.1:" DEFAULT_PORT_TEXT,
                         value);
    snprintf(options->listen[options->listen_count++], ADDRESS_TEXT_MAX, "%s", value);
    return true;
}

static bool set_text(char *member, const struct option_row *row, const char *value,
                     struct cause *cause)
{
    if (value[0] == '\0' || strlen(value) >= (size_t)row->max)
        return cause_set(cause, "%s: invalid length: write 1 to %ld bytes", row->name,
                         row->max - 1);
    snprintf(member, (size_t)row->max, "%s", value);
    return true;
}

static bool set_levels(char *member, const struct option_row *row, const char *value,
                       struct cause *cause)
{
    struct house_bots house = {.count = 0};

    if (!house_bots_add_levels(&house, value))
        return cause_set(cause, "%s: invalid list '%.60s': write up to %d different levels",
                         row->name, value, LEVELS_MAX);
    return set_text(member, row, value, cause);
}

static bool set_port(char *member, const struct option_row *row, const char *value,
                     struct cause *cause)
{
    if (!is_address(value, true))
        return cause_set(
            cause,
            "%s: invalid address '%.60s': write PORT or ADDR:PORT, such as " DEFAULT_TLS_PORT_TEXT
            " or 0.0.0.0:" DEFAULT_TLS_PORT_TEXT,
            row->name, value);
    return set_text(member, row, value, cause);
}

static bool set_address(char *member, const struct option_row *row, const char *value,
                        struct cause *cause)
{
    if (!is_address(value, false) || strstr(value, "://") != NULL)
        return cause_set(cause, "%s: invalid address '%.60s': write ADDR:PORT", row->name, value);
    return set_text(member, row, value, cause);
}

static bool set_flag(bool *member, const struct option_row *row, const char *value,
                     struct cause *cause)
{
    if (value != NULL && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
        return cause_set(cause, "%s: invalid value '%.60s': write yes or no", row->name, value);
    *member = value == NULL || strcmp(value, "yes") == 0;
    return true;
}

static bool set_number(int *member, const struct option_row *row, const char *value,
                       struct cause *cause)
{
    long number;

    if (!number_parse(value, strlen(value), row->min, row->max, &number))
        return cause_set(cause, "%s: invalid value '%.60s': write a number from %ld to %ld",
                         row->name, value, row->min, row->max);
    *member = (int)number;
    return true;
}

/* Returns a word of "one|two|three", from place 0, and its length: 0 at the end. */
static const char *choice(const char *words, int place, size_t *length)
{
    *length = strcspn(words, "|");
    for (; place > 0; place--) {
        words += *length + (words[*length] == '|');
        *length = strcspn(words, "|");
    }
    return words;
}

static bool set_choice(int *member, const struct option_row *row, const char *value,
                       struct cause *cause)
{
    const char *word;
    size_t length;

    for (int i = 0; word = choice(row->argument, i, &length), length > 0; i++)
        if (strlen(value) == length && strncmp(word, value, length) == 0) {
            *member = i;
            return true;
        }
    return cause_set(cause, "%s: invalid value '%.40s': write %s", row->name, value, row->argument);
}

bool option_set(struct options *options, const struct option_row *row, const char *value,
                struct cause *cause)
{
    void *member = (char *)options + row->offset;

    switch (row->kind) {
    case OPTION_FLAG:
        return set_flag(member, row, value, cause);
    case OPTION_NUMBER:
        return set_number(member, row, value, cause);
    case OPTION_CHOICE:
        return set_choice(member, row, value, cause);
    case OPTION_ADDRESS:
        return set_address(member, row, value, cause);
    case OPTION_TEXT:
    case OPTION_ENGINE:
        return set_text(member, row, value, cause);
    case OPTION_PORT:
        return set_port(member, row, value, cause);
    case OPTION_LEVELS:
        return set_levels(member, row, value, cause);
    default:
        return add_listen(options, value, cause);
    }
}

/* A program other than ludus-bot may have other levels. */
static bool levels_are_known(const struct options *options, struct cause *cause)
{
    struct house_bots house = {.count = 0};

    house_bots_add_levels(&house, options->bots);
    for (int i = 0; i < house.count && options->bot_program[0] == '\0'; i++)
        if (!level_is_known(house.bots[i].level))
            return cause_set(cause, "bots: unknown level '%s': ludus-bot has " LEVEL_NAMES,
                             house.bots[i].level);
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

/* Players type the code as one word of a line. */
static bool code_can_be_given(const struct options *options, struct cause *cause)
{
    const char *code = options->code;

    return (utf8_is_clean(code, strlen(code)) && strchr(code, ' ') == NULL) ||
           cause_set(cause,
                     "code: cannot be typed: use UTF-8 without spaces and control characters");
}

/* A server keeps everything in an engine or in a store, not in both. */
static bool engine_agrees(const struct options *options, struct cause *cause)
{
    bool engine = options->engine[0] != '\0';

    bool retires = options->limits.keep_days > 0 || options->limits.keep_megabytes > 0;
    if (retires && engine)
        return cause_set(cause, "engine: excludes keep-days and keep-bytes");
    if (retires && strcmp(options->data, "none") == 0)
        return cause_set(cause, "keep-days, keep-bytes: no store with data none");
    if (engine && (options->data[0] != '\0' || options->durability != DURABILITY_PROCESS))
        return cause_set(cause, "engine: excludes data and durability");
    bool serves = !options->check && options->export[0] == '\0' && options->import[0] == '\0';
    if (options->import[0] != '\0' && !engine)
        return cause_set(cause, "import: engine is missing");
    if (engine && options->node < 0 && serves)
        return cause_set(cause, "engine: node is missing: give each server a number of its own");
    return engine || (options->node < 0 && options->advertise[0] == '\0') ||
           cause_set(cause, "node, advertise: engine is missing");
}

bool options_agree(const struct options *options, struct cause *cause)
{
    if (options->repair && !options->check)
        return cause_set(cause, "repair: only with check: ludusd check --repair");
    return code_can_be_given(options, cause) && tls_agrees(options, cause) &&
           levels_are_known(options, cause) && engine_agrees(options, cause);
}

bool engine_has_password(const char *conninfo)
{
    const char *authority = strstr(conninfo, "://"), *word = conninfo;

    if (authority != NULL) {
        size_t length = strcspn(authority + 3, "/?"), user = strcspn(authority + 3, ":@");
        if (user < length && authority[3 + user] == ':' &&
            memchr(authority + 3, '@', length) != NULL)
            return true;
    }
    while ((word = strcasestr(word, "password")) != NULL) {
        word += strlen("password");
        if (word[strspn(word, " ")] == '=')
            return true;
    }
    return false;
}

void options_init(struct options *options)
{
    struct cause cause;

    *options = (struct options){.metrics_port = -1, .node = -1};
    for (int i = 0; i < option_row_count; i++)
        if (option_rows[i].standard != NULL)
            option_set(options, &option_rows[i], option_rows[i].standard, &cause);
}

const struct option_row *option_find(const char *name)
{
    for (int i = 0; i < option_row_count; i++)
        if (strcmp(option_rows[i].name, name) == 0)
            return &option_rows[i];
    return NULL;
}

static void write_listen(const struct options *options, char text[OPTION_VALUE_MAX])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < options->listen_count; i++)
        length += (size_t)snprintf(text + length, OPTION_VALUE_MAX - length, "%s%s",
                                   i > 0 ? "," : "", options->listen[i]);
}

void option_value(const struct options *options, const struct option_row *row,
                  char text[OPTION_VALUE_MAX])
{
    const void *member = (const char *)options + row->offset;
    const char *word;
    size_t length;

    switch (row->kind) {
    case OPTION_FLAG:
        snprintf(text, OPTION_VALUE_MAX, "%s", *(const bool *)member ? "yes" : "no");
        break;
    case OPTION_NUMBER:
        snprintf(text, OPTION_VALUE_MAX, "%d", *(const int *)member);
        break;
    case OPTION_CHOICE:
        word = choice(row->argument, *(const int *)member, &length);
        snprintf(text, OPTION_VALUE_MAX, "%.*s", (int)length, word);
        break;
    case OPTION_LISTEN:
        write_listen(options, text);
        break;
    default:
        snprintf(text, OPTION_VALUE_MAX, "%s", (const char *)member);
    }
}
