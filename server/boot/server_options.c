#include "server_options.h"

#include <stdio.h>
#include <string.h>

#include "common/levels.h"
#include "common/message.h"
#include "common/ports.h"
#include "common/text.h"
#include "common/usage.h"
#include "server/net/peer.h"
#include "server/play/house.h"

/* Returns whether a text is ADDR:PORT or, if port_alone, PORT. */
static bool is_address(const char *value, bool port_alone)
{
    const char *colon = strrchr(value, ':');
    const char *digits = colon != NULL ? colon + 1 : value;
    long port;

    return strlen(value) < ADDRESS_TEXT_MAX && colon != value && (colon != NULL || port_alone) &&
           number_parse(digits, strlen(digits), 0, 65535, &port);
}

static bool read_listen(void *context, const struct option_input *input, struct cause *cause)
{
    struct server_options *options = context;

    if (input->source != options->listen_source)
        options->listen_count = 0;
    options->listen_source = input->source;
    if (options->listen_count == LISTEN_MAX)
        return cause_set(cause, "at most %d addresses", LISTEN_MAX);
    if (!is_address(input->value, false))
        return cause_set(cause,
                         "invalid address '%.60s': write ADDR:PORT, such as "
                         "127.0.0.1:" DEFAULT_PORT_TEXT,
                         input->value);
    snprintf(options->listen[options->listen_count++], ADDRESS_TEXT_MAX, "%s", input->value);
    return true;
}

/* Adds to the list. */
static bool read_trusted_proxy(void *context, const struct option_input *input, struct cause *cause)
{
    struct server_options *options = context;
    struct networks networks = {.count = 0};
    char *list = options->trusted_proxy;

    if (input->source != options->trusted_source)
        list[0] = '\0';
    options->trusted_source = input->source;
    size_t used = strlen(list);
    if (used + strlen(input->value) + 2 > sizeof options->trusted_proxy)
        return cause_set(cause, "too many addresses");
    snprintf(list + used, sizeof options->trusted_proxy - used, "%s%s", used > 0 ? "," : "",
             input->value);
    return networks_add(&networks, list, cause);
}

static bool check_port(void *context, const struct option_input *input, struct cause *cause)
{
    (void)context;
    return is_address(input->value, true) ||
           cause_set(cause,
                     "invalid address '%.60s': write PORT or ADDR:PORT, such "
                     "as " DEFAULT_TLS_PORT_TEXT " or 0.0.0.0:" DEFAULT_TLS_PORT_TEXT,
                     input->value);
}

static bool check_address(void *context, const struct option_input *input, struct cause *cause)
{
    (void)context;
    return (is_address(input->value, false) && strstr(input->value, "://") == NULL) ||
           cause_set(cause, "invalid address '%.60s': write ADDR:PORT", input->value);
}

static bool check_levels(void *context, const struct option_input *input, struct cause *cause)
{
    struct house_bots house = {.count = 0};

    (void)context;
    return house_bots_add_levels(&house, input->value) ||
           cause_set(cause, "invalid list '%.60s': write up to %d different levels", input->value,
                     LEVELS_MAX);
}

bool database_has_password(const char *conninfo)
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

/* Everybody on the machine can read the command line in the list of processes. */
static bool check_conninfo(void *context, const struct option_input *input, struct cause *cause)
{
    (void)context;
    return input->source != SOURCE_WORDS || !database_has_password(input->value) ||
           cause_set(cause, "everybody sees a password on the command line: put it into the "
                            "configuration file, or name a file by passfile=");
}

const struct option_row server_option_rows[] = {
    {OPTION("listen", "ADDR:PORT",
            "listen on this address; may be repeated (127.0.0.1:" DEFAULT_PORT_TEXT
            " and [::1]:" DEFAULT_PORT_TEXT ")"),
     .read = read_listen, .repeats = true},
    {OPTION("lan", NULL,
            "listen on all addresses unless --listen names some, require a join code, and\n"
            "answer `ludus join` on the network"),
     TO_FLAG(server_options, lan)},
    {OPTION("no-qr", NULL, "with --lan, show no QR code of the page's address on a terminal"),
     TO_FLAG(server_options, no_qr)},
    {OPTION("code", "CODE",
            "the join code that players must give, in any case (with --lan, a random one that\n"
            "the store keeps)"),
     TO_TEXT(server_options, code), .live = true, .secret = true},
    {OPTION("new-code", NULL, "with --lan, make a new join code (normally it stays the same)"),
     TO_FLAG(server_options, new_code), .not_in_file = true},
    {OPTION("open", NULL, "require no join code, even with --lan"), TO_FLAG(server_options, open)},
    {OPTION(
         "hosted", NULL,
         "the server ends with the program of a player: tell clients that it will not come back\n"
         "soon, as `ludus host` has it"),
     TO_FLAG(server_options, hosted), .not_in_file = true},
    {OPTION("tls-cert", "FILE",
            "speak TLS on a second port, with this certificate (PEM, with its chain)"),
     TO_TEXT(server_options, tls_cert), .path = true},
    {OPTION("tls-key", "FILE", "the key of the certificate (PEM)"),
     TO_TEXT(server_options, tls_key), .path = true},
    {OPTION("tls-port", "[ADDR:]PORT",
            "the port for TLS; without ADDR on loopback, with --lan on all addresses "
            "(" DEFAULT_TLS_PORT_TEXT ")"),
     TO_TEXT(server_options, tls_port), .read = check_port},
    {OPTION("no-web", NULL, "serve no page and no WebSocket to browsers"),
     TO_FLAG(server_options, no_web)},
    {OPTION("web-host", "NAMES",
            "names by which browsers may reach the server, separated by commas, beside addresses,\n"
            "localhost and the names of this machine"),
     TO_TEXT(server_options, web_host)},
    {OPTION("trusted-proxy", "ADDR[/BITS]",
            "proxies at these addresses are believed when they say who their clients are: by the\n"
            "PROXY protocol, Forwarded or X-Forwarded-For; may be repeated"),
     .read = read_trusted_proxy, .repeats = true},
    {OPTION("data", "DIR|none",
            "the directory of the store, or none to keep everything in memory only\n"
            "($XDG_STATE_HOME/ludus, or ~/.local/state/ludus)"),
     TO_TEXT(server_options, data), .path = true},
    {OPTION("durability", "process|power",
            "what acknowledged changes survive: the end of the process, or a power failure,\n"
            "too, which is slower"),
     TO_CHOICE(server_options, durability), .standard = "process"},
    {OPTION("database", "CONNINFO",
            "instead of a store of its own, share PostgreSQL with other servers: one lobby on\n"
            "many machines"),
     TO_TEXT(server_options, database), .read = check_conninfo, .secret = true},
    {OPTION("engine", "CONNINFO",
            "instead of a store of its own, share PostgreSQL with other servers: one lobby on\n"
            "many machines"),
     TO_TEXT(server_options, database), .read = check_conninfo, .secret = true, .hidden = true},
    {OPTION("node", "N", "the number of this server among those that share --database"),
     TO_NUMBER(server_options, node, 1, NODE_ID_MAX)},
    {OPTION("advertise", "ADDR:PORT",
            "where clients reach this server (the first address that it listens on)"),
     TO_TEXT(server_options, advertise), .read = check_address},
    {OPTION("node-timeout", "SECONDS", "silence of a server before the others take it for dead"),
     TO_NUMBER(server_options, node_timeout_s, 1, 3600), .standard = "5"},
    {OPTION("export", "DIR", "write the store as text into a new directory, and exit"),
     TO_TEXT(server_options, export), .path = true, .not_in_file = true},
    {OPTION("repair", NULL,
            "with check: mend broken matches from their moves, which stay as they are"),
     TO_FLAG(server_options, repair), .not_in_file = true},
    {OPTION("no-bots", NULL, "start no house bots"), TO_FLAG(server_options, no_bots)},
    {OPTION("bots", "LEVELS", "levels of the house bots"), TO_TEXT(server_options, bots),
     .read = check_levels, .standard = LEVEL_NAMES},
    {OPTION("bot-program", "FILE",
            "the program of the house bots (ludus-bot, beside ludusd or as installed)"),
     TO_TEXT(server_options, bot_program), .path = true},
#define LIMIT(member, option, unit, least, most, usual, text)                                      \
    {OPTION(option, unit, text), TO_NUMBER(server_options, limits.member, least, most),            \
     .live = true, .standard = usual},
#define LIMIT_FLAG(member, option, text)                                                           \
    {OPTION(option, NULL, text), TO_FLAG(server_options, limits.member), .live = true},
#include "server/base/limits_table.h"
#undef LIMIT
#undef LIMIT_FLAG
    {OPTION("log", "FILE", "append the log to a file (standard error)"),
     TO_TEXT(server_options, log), .path = true},
    {OPTION("log-level", "debug|info|warn|error", "the least severe level to log"),
     TO_CHOICE(server_options, log_level), .live = true, .standard = "info"},
    {OPTION("user", "NAME",
            "become this user when started as root, after reading the configuration and the\n"
            "certificate"),
     TO_TEXT(server_options, user)},
    {OPTION("no-fence", NULL,
            "do not restrict file access (with Landlock) to the store, the log, the\n"
            "configuration, the bots' program and programs in /usr"),
     TO_FLAG(server_options, no_fence)},
    {OPTION("metrics", "PORT",
            "serve Prometheus on http://127.0.0.1:PORT/metrics; 0: any free port"),
     TO_NUMBER(server_options, metrics_port, 0, 65535)},
    {OPTION("config", "FILE|none",
            "read options from a file of name = value lines, such as no-bots = yes; the\n"
            "command line wins ($XDG_CONFIG_HOME/ludus/ludusd.conf, or\n"
            "~/.config/ludus/ludusd.conf, if it exists)"),
     TO_TEXT(server_options, config), .path = true, .config = true, .not_in_file = true},
    {OPTION("check-config", NULL, "check the options and the file, and exit"),
     TO_FLAG(server_options, check_config), .not_in_file = true},
    OPTIONS_LAST_ROWS,
};

/* A program other than ludus-bot may have other levels. */
static bool levels_are_known(const struct server_options *options, struct cause *cause)
{
    struct house_bots house = {.count = 0};

    house_bots_add_levels(&house, options->bots);
    for (int i = 0; i < house.count && options->bot_program[0] == '\0'; i++)
        if (!level_is_known(house.bots[i].level))
            return cause_set(cause, "bots: unknown level '%s': ludus-bot has " LEVEL_NAMES,
                             house.bots[i].level);
    return true;
}

static bool tls_agrees(const struct server_options *options, struct cause *cause)
{
    bool cert = options->tls_cert[0] != '\0', key = options->tls_key[0] != '\0';

    if (cert != key)
        return cause_set(cause, cert ? "tls-cert: tls-key is missing: give both"
                                     : "tls-key: tls-cert is missing: give both");
    return cert || options->tls_port[0] == '\0' ||
           cause_set(cause, "tls-port: tls-cert and tls-key are missing: give all three");
}

/* Players type the code as one word of a line. */
static bool code_can_be_given(const struct server_options *options, struct cause *cause)
{
    const char *code = options->code;

    return (utf8_is_clean(code, strlen(code)) && strchr(code, ' ') == NULL) ||
           cause_set(cause,
                     "code: cannot be typed: use UTF-8 without spaces and control characters");
}

/* A server keeps everything in a database or in a store, not in both. */
static bool database_agrees(const struct server_options *options, struct cause *cause)
{
    bool database = options->database[0] != '\0';

    bool retires = options->limits.keep_days > 0 || options->limits.keep_megabytes > 0;
    if (retires && database)
        return cause_set(cause, "database: excludes keep-days and keep-bytes");
    if (retires && strcmp(options->data, "none") == 0)
        return cause_set(cause, "keep-days, keep-bytes: no store with data none");
    enum server_task task = options_task(options);
    bool takes_out = task == TASK_TAKE_OUT;
    if (takes_out && (options->data[0] == '\0' || strcmp(options->data, "none") == 0))
        return cause_set(cause, "import: name a store to import, or with data a new one");
    if (options->import && !database)
        return cause_set(cause, "import: database is missing");
    if (database && !takes_out &&
        (options->data[0] != '\0' || options->durability != DURABILITY_PROCESS))
        return cause_set(cause, "database: excludes data and durability");
    bool copies = options->backup[0] != '\0' || options->restore[0] != '\0';
    if (copies && (database || strcmp(options->data, "none") == 0))
        return cause_set(cause, database ? "backup, restore: of PostgreSQL by pg_dump, pg_restore"
                                         : "backup, restore: no store with data none");
    if (database && options->node < 0 && task == TASK_SERVE)
        return cause_set(cause, "database: node is missing: give each server a number of its own");
    return database || (options->node < 0 && options->advertise[0] == '\0') ||
           cause_set(cause, "node, advertise: database is missing");
}

enum server_task options_task(const struct server_options *options)
{
    if (options->check)
        return TASK_CHECK;
    if (options->import)
        return options->import_from[0] == '\0' ? TASK_TAKE_OUT : TASK_IMPORT;
    if (options->backup[0] != '\0')
        return TASK_BACK_UP;
    return options->export[0] != '\0' ? TASK_EXPORT : TASK_SERVE;
}

bool options_agree(const struct server_options *options, struct cause *cause)
{
    if (options->repair && !options->check)
        return cause_set(cause, "repair: only with check: ludusd check --repair");
    return code_can_be_given(options, cause) && tls_agrees(options, cause) &&
           levels_are_known(options, cause) && database_agrees(options, cause);
}

void options_init(struct server_options *options)
{
    *options = (struct server_options){.metrics_port = -1, .node = -1};
    options_set_defaults(server_option_rows, options);
}

void server_option_value(const struct server_options *options, const struct option_row *row,
                         char text[OPTION_VALUE_MAX])
{
    size_t length = 0;

    option_value(row, options, text);
    for (int i = 0; row->read == read_listen && i < options->listen_count; i++)
        length += (size_t)snprintf(text + length, OPTION_VALUE_MAX - length, "%s%s",
                                   i > 0 ? "," : "", options->listen[i]);
    if (row->read == read_trusted_proxy)
        snprintf(text, OPTION_VALUE_MAX, "%s", options->trusted_proxy);
}

bool options_default_path(char path[FOLDER_TEXT_MAX])
{
    const char *service = folder_of_service("CONFIGURATION_DIRECTORY");

    if (service == NULL)
        return folder_of_user(path, "XDG_CONFIG_HOME", ".config", "ludus/ludusd.conf");
    return snprintf(path, FOLDER_TEXT_MAX, "%s/ludusd.conf", service) < FOLDER_TEXT_MAX;
}

static void print_help(void)
{
    puts("usage: ludusd [OPTION]...\n"
         "       ludusd check [--repair] [--data DIR|--database CONNINFO]\n"
         "       ludusd backup FILE [--data DIR]\n"
         "       ludusd restore FILE [OPTION]...\n"
         "       ludusd --export NEWDIR [--data DIR|--database CONNINFO]\n"
         "       ludusd import DIR --database CONNINFO\n"
         "       ludusd import --database CONNINFO --data NEWDIR\n"
         "Hosts matches of the games that `ludus games` lists. `ludusd check` replays\n"
         "every match of a store that no server uses, or of PostgreSQL, and names those that are\n"
         "wrong; --repair mends them from their moves. `ludusd backup` copies a store, while a\n"
         "server uses it, too; `ludusd restore` moves the store aside, puts a checked backup in\n"
         "its place, and serves it. `ludusd import` copies the store in DIR,\n"
         "which no server uses, into PostgreSQL, or PostgreSQL into a new store.\n");
    usage_print_rows(server_option_rows);
    puts("\n"
         "SIGTERM and SIGINT stop the server. SIGHUP reloads the configuration and reopens the\n"
         "log; in a terminal it stops the server, too. Players connect with `ludus`, or with any\n"
         "line tool: nc localhost " DEFAULT_PORT_TEXT
         ". Programs speak the protocol in protocol.md.");
}

/* Reads the words after the options. */
static bool read_words(struct server_options *options, int argc, char *argv[], struct cause *cause)
{
    if (optind < argc && strcmp(argv[optind], "check") == 0) {
        options->check = true;
        optind++;
    } else if (optind < argc && strcmp(argv[optind], "import") == 0) {
        const char *from = ++optind < argc ? argv[optind++] : "";
        if (strlen(from) >= sizeof options->import_from)
            return cause_set(cause, "import: directory name too long");
        options->import = true;
        snprintf(options->import_from, sizeof options->import_from, "%s", from);
    }
    for (int restores = 0; restores <= 1; restores++) {
        const char *word = restores ? "restore" : "backup";
        if (optind == argc || strcmp(argv[optind], word) != 0)
            continue;
        const char *file = ++optind < argc ? argv[optind++] : "";
        if (file[0] == '\0' || strlen(file) >= FOLDER_TEXT_MAX - 64)
            return cause_set(cause, "%s: file missing, or its name too long", word);
        snprintf(restores ? options->restore : options->backup, FOLDER_TEXT_MAX, "%s", file);
        break;
    }
    return optind == argc ||
           cause_set(cause, "%.60s: unexpected argument: see --help", argv[optind]);
}

enum options_result server_options_read(struct server_options *options, int argc, char *argv[],
                                        const char *config, struct cause *cause)
{
    char usual[FOLDER_TEXT_MAX];
    bool optional = config == NULL;

    options_init(options);
    if (config == NULL && options_default_path(usual))
        config = usual;
    enum options_result result = options_parse("ludusd", server_option_rows, OPTIONS_ANYWHERE, argc,
                                               argv, config, optional, options, cause);
    if (result == OPTIONS_HELP)
        print_help();
    if (result == OPTIONS_VERSION)
        puts("ludusd " LUDUS_VERSION);
    if (result != OPTIONS_RUN)
        return result;
    return read_words(options, argc, argv, cause) && options_agree(options, cause) ? OPTIONS_RUN
                                                                                   : OPTIONS_BAD;
}
