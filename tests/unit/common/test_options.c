/* The server's options: which values are refused, and with which message. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/levels.h"
#include "config_fixture.h"

static const struct {
    const char *text, *error; /* behind the name of the file */
} bad_files[] = {
    {"frob = 1\n", ":1: 'frob': unknown option: see ludusd --help"},
    {"\n# a comment\n  code\n", ":3: 'code': not a setting: write name = value"},
    {"= 5\n", ":1: '': unknown option: see ludusd --help"},
    {"max-errors = x\n", ":1: max-errors: invalid value 'x': write a number from 1 to 1000000"},
    {"max-errors =\n", ":1: max-errors: invalid value '': write a number from 1 to 1000000"},
    {"idle = 99999999999999999999\n",
     ":1: idle: invalid value '99999999999999999999': write a number from 2 to 86400"},
    {"no-bots = maybe\n", ":1: no-bots: invalid value 'maybe': write yes or no"},
    {"idle = 10\n\nidle = 20\n", ":3: idle: already set in line 1"},
    {"listen = nonsense\n",
     ":1: listen: invalid address 'nonsense': write ADDR:PORT, such as 127.0.0.1:7117"},
    {"listen = :7117\n",
     ":1: listen: invalid address ':7117': write ADDR:PORT, such as 127.0.0.1:7117"},
    {"listen = 127.0.0.1:70000\n",
     ":1: listen: invalid address '127.0.0.1:70000': write ADDR:PORT, such as 127.0.0.1:7117"},
    {"listen = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\n"
     "listen = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\n"
     "listen = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\n",
     ":17: listen: at most 16 addresses"},
    {"bots =\n", ":1: bots: invalid list '': write up to 16 different levels"},
    {"bots = Easy\n", ":1: bots: invalid list 'Easy': write up to 16 different levels"},
    {"bots = abcdefghijklmnop\n",
     ":1: bots: invalid list 'abcdefghijklmnop': write up to 16 different levels"},
    {"bots = a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n",
     ":1: bots: invalid list 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q': write up to 16 different levels"},
    {"code =\n", ":1: code: value missing: CODE"},
    {"code = 0123456789012345678901234567890123456789012345678901234567890123\n",
     ":1: code: invalid length: write 1 to 63 bytes"},
    {"bots = greedy,greedy\n",
     ":1: bots: invalid list 'greedy,greedy': write up to 16 different levels"},
    {"tls-port = nonsense\n", ":1: tls-port: invalid address 'nonsense': write PORT or "
                              "ADDR:PORT, such as 7118 or 0.0.0.0:7118"},
    {"tls-port = 99999\n", ":1: tls-port: invalid address '99999': write PORT or ADDR:PORT, "
                           "such as 7118 or 0.0.0.0:7118"},
    {"tls-port = :7118\n", ":1: tls-port: invalid address ':7118': write PORT or ADDR:PORT, "
                           "such as 7118 or 0.0.0.0:7118"},
    {"tls-port = 127.0.0.1:\n", ":1: tls-port: invalid address '127.0.0.1:': write PORT or "
                                "ADDR:PORT, such as 7118 or 0.0.0.0:7118"},
    {"log-level = loud\n", ":1: log-level: invalid value 'loud': write debug|info|warn|error"},
    {"durability = luck\n", ":1: durability: invalid value 'luck': write process|power"},
    {"node = 0\n", ":1: node: invalid value '0': write a number from 1 to 999"},
    {"advertise = tls://a:1\n", ":1: advertise: invalid address 'tls://a:1': write ADDR:PORT"},
    {"advertise = 7117\n", ":1: advertise: invalid address '7117': write ADDR:PORT"},
    {"config = other\n", ":1: config: not allowed in a file: give it on the command line"},
    {"check-config = yes\n",
     ":1: check-config: not allowed in a file: give it on the command line"},
    {"export = there\n", ":1: export: not allowed in a file: give it on the command line"},
    {"listen =\n", ":1: listen: value missing: ADDR:PORT"},
    {"version = yes\n", ":1: 'version': unknown option: see ludusd --help"},
    {"help = yes\n", ":1: 'help': unknown option: see ludusd --help"},
};

static void test_errors(void)
{
    struct server_options options;
    struct cause cause;
    char want[300];

    for (size_t i = 0; i < LENGTH(bad_files); i++) {
        check_about("%s", bad_files[i].text);
        const char *path = config_write(bad_files[i].text);
        CHECK_INT(config_read(&options, path, NULL, &cause), OPTIONS_BAD);
        snprintf(want, sizeof want, "%s%s", path, bad_files[i].error);
        CHECK_TEXT(cause.text, want);
    }
}

static void test_tls(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"tls-cert = c\ntls-key = k\ntls-port = 0\n", ""},
        {"tls-key = k\n", "tls-key: tls-cert is missing: give both"},
        {"tls-cert = c\n", "tls-cert: tls-key is missing: give both"},
        {"tls-cert = c\ntls-key = k\ntls-port = [::1]:0\n", ""},
        {"tls-port = 7118\n", "tls-port: tls-cert and tls-key are missing: give all three"},
    };
    struct server_options options;
    struct cause cause;

    check_about("options of TLS that mean nothing without the others");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        bool good = rows[i].error[0] == '\0';
        CHECK_INT(config_read(&options, config_write(rows[i].text), NULL, &cause),
                  good ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
}

static void test_refused_words(void)
{
    static const struct {
        const char *word, *error;
    } rows[] = {
        {"--frob", "--frob: unknown option: see --help"},
        {"--help=x", "--help=x: unknown option, or used wrongly: see --help"},
        {"--code", "--code: value missing: CODE"},
        {"--code=", "--code: value missing: CODE"},
        {"--cdoe=x", "--cdoe=x: unknown option (did you mean --code?): see --help"},
        {"--no=yes", "--no=yes: unknown option, or used wrongly: see --help"},
        {"--idle=x", "--idle: invalid value 'x': write a number from 2 to 86400"},
        {"-x", "-x: unknown option: see --help"},
        {"-lan", "-l: unknown option: see --help"},
        {"-\xc3\xa9", "-?: unknown option: see --help"},
    };
    struct server_options options;
    struct cause cause;

    check_about("words of the command line other than options");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char program[] = "ludusd", word[16], *argv[] = {program, word, NULL};
        snprintf(word, sizeof word, "%s", rows[i].word);
        CHECK_INT(server_options_read(&options, 2, argv, "none", &cause), OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
}

static void test_code(void)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"code = s\xc3\xa9same=1\n", true},
        {"code = open sesame\n", false},
        {"code = tab\tin-it\n", false},
        {"code = s\xe9same\n", false},
    };
    struct server_options options;
    struct cause cause;

    check_about("a code that no line can hold");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CHECK_INT(config_read(&options, config_write(rows[i].text), NULL, &cause),
                  rows[i].good ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text,
                   rows[i].good
                       ? ""
                       : "code: cannot be typed: use UTF-8 without spaces and control characters");
    }
}

static void test_engine(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"engine = dbname=ludus password=x\nnode = 7\nadvertise = [::1]:7117\n", ""},
        {"engine = dbname=ludus\n",
         "database: node is missing: give each server a number of its own"},
        {"engine = dbname=ludus\nnode = 7\ndata = none\n",
         "database: excludes data and durability"},
        {"engine = dbname=ludus\nnode = 7\ndurability = power\n",
         "database: excludes data and durability"},
        {"node = 7\n", "node, advertise: database is missing"},
        {"advertise = a:1\n", "node, advertise: database is missing"},
        {"database = dbname=ludus\nnode = 7\n", ""},
    };
    struct server_options options;
    struct cause cause;

    check_about("an engine instead of a store");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CHECK_INT(config_read(&options, config_write(rows[i].text), NULL, &cause),
                  rows[i].error[0] == '\0' ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
    static const char *const check[8] = {"--engine", "dbname=ludus", "check", NULL};
    CHECK_INT(config_read(&options, "none", check, &cause), OPTIONS_RUN);
    static const struct {
        const char *words[8];
        const char *error; /* NULL: none */
    } imports[] = {{{"import", "store", "--engine", "dbname=ludus"}, NULL},
                   {{"import", "--engine", "dbname=ludus", "--data", "new"}, NULL},
                   {{"import", "store"}, "import: database is missing"},
                   {{"import", "--data", "new"}, "import: database is missing"},
                   {{"import"}, "import: name a store to import, or with data a new one"},
                   {{"import", "--engine", "dbname=ludus"},
                    "import: name a store to import, or with data a new one"},
                   {{"import", "--engine", "dbname=ludus", "--data", "none"},
                    "import: name a store to import, or with data a new one"},
                   {{"import", "store", "--engine", "dbname=ludus", "--data", "new"},
                    "database: excludes data and durability"},
                   {{"import", "store", "another", "--engine", "dbname=ludus"},
                    "another: unexpected argument: see --help"}};
    for (size_t i = 0; i < LENGTH(imports); i++) {
        const char *error = imports[i].error;
        CHECK_INT(config_read(&options, "none", imports[i].words, &cause),
                  error == NULL ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(error == NULL ? "" : cause.text, error == NULL ? "" : error);
        CHECK_INT(options.import, true);
        CHECK_TEXT(options.import_from,
                   imports[i].words[1] != NULL && strcmp(imports[i].words[1], "store") == 0
                       ? "store"
                       : "");
    }
}

/* Everybody on the machine can see the command line. */
static void test_password(void)
{
    static const struct {
        const char *conninfo;
        bool has;
    } rows[] = {
        {"dbname=ludus", false},
        {"host=a passfile=/etc/ludus/pass", false},
        {"host=a password=x", true},
        {"host=a PassWord = x", true},
        {"host=a sslpassword=x", true},
        {"postgresql://ludus@db:5432/ludus", false},
        {"postgresql://db:5432/ludus", false},
        {"postgresql://ludus:x@db/ludus", true},
        {"postgres://db/ludus?password=x", true},
    };
    struct server_options options;
    struct cause cause;

    check_about("no password on the command line");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *const words[8] = {"--engine", rows[i].conninfo, "--node", "1", NULL};
        CHECK_THAT(database_has_password(rows[i].conninfo) == rows[i].has, "%s", rows[i].conninfo);
        CHECK_INT(config_read(&options, "none", words, &cause),
                  rows[i].has ? OPTIONS_BAD : OPTIONS_RUN);
        CHECK((strstr(cause.text, "everybody sees a password") != NULL) == rows[i].has);
        CHECK(!rows[i].has || strstr(cause.text, "x@") == NULL);
    }
    CHECK(option_find(server_option_rows, "engine")->secret &&
          option_find(server_option_rows, "code")->secret);
}

static void test_levels(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"bots = max,random\n", ""},
        {"bots = greedy,nope\n", "bots: unknown level 'nope': ludus-bot has " LEVEL_NAMES},
        {"bots = nope\nbot-program = /opt/other-bot\n", ""},
    };
    struct server_options options;
    struct cause cause;

    check_about("levels that ludus-bot does not have");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CHECK_INT(config_read(&options, config_write(rows[i].text), NULL, &cause),
                  rows[i].error[0] == '\0' ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
    check_about("all levels, unless others are wanted");
    options_init(&options);
    CHECK_TEXT(options.bots, LEVEL_NAMES);
}

int main(void)
{
    config_begin();
    test_errors();
    test_refused_words();
    test_tls();
    test_code();
    test_engine();
    test_password();
    test_levels();
    config_end();
    return check_end("test_options");
}
