/*
 * The options of ludusd, as one table. By it options_read.c reads the command line and the
 * configuration file and prints the help, and reload.c compares a new configuration with the one in
 * use. A new option is a member of struct options, or of struct limits, and a row.
 */
#ifndef LUDUS_OPTIONS_H
#define LUDUS_OPTIONS_H

#include <stdbool.h>

#include "common/cause.h"
#include "server/base/folder.h"
#include "server/base/log.h"
#include "server/base/nodes.h"
#include "server/keep/store.h"
#include "server/net/address.h"
#include "server/play/server.h"

enum { LEVELS_TEXT_MAX = 160, USER_TEXT_MAX = 64, WEB_HOST_TEXT_MAX = 512, ENGINE_TEXT_MAX = 1024 };

struct options {
    struct limits limits;
    char listen[LISTEN_MAX][ADDRESS_TEXT_MAX]; /* ADDR:PORT as given; none: the defaults */
    int listen_count;
    char tls_cert[FOLDER_TEXT_MAX], tls_key[FOLDER_TEXT_MAX]; /* files; "": no TLS */
    char tls_port[ADDRESS_TEXT_MAX];                          /* PORT or ADDR:PORT; "": default */
    bool lan;                                                 /* all addresses, with a join code */
    bool open;                                                /* no join code */
    bool new_code;                                            /* replace the one of the store */
    bool hosted;                                              /* it ends with a player's program */
    char code[CODE_TEXT_MAX];         /* "": that of the store, or a random one, with lan */
    bool no_qr;                       /* with --lan, no QR code is shown */
    bool no_web;                      /* HTTP and WebSocket are not spoken */
    char web_host[WEB_HOST_TEXT_MAX]; /* more names of the server for browsers; "": none */
    char data[FOLDER_TEXT_MAX]; /* directory of the store; "none": in memory; "": the default */
    enum durability durability;
    char engine[ENGINE_TEXT_MAX]; /* conninfo of PostgreSQL, perhaps with a password; "": a store */
    int node;                     /* of this server at the engine, from 1; -1: none */
    char advertise[NODE_ADDRESS_MAX]; /* ADDR:PORT; "": the first address that it listens on */
    int node_timeout_s;
    char export[FOLDER_TEXT_MAX]; /* "": no export */
    char import[FOLDER_TEXT_MAX]; /* the word `import`: directory of a store; "": none */
    bool check;                   /* the word `check` */
    bool repair;                  /* with it */
    bool no_bots;
    char bots[LEVELS_TEXT_MAX];        /* levels of the house bots, separated by commas */
    char bot_program[FOLDER_TEXT_MAX]; /* "": ludus-bot beside ludusd */
    char config[FOLDER_TEXT_MAX];      /* the configuration file that was read; "" for none */
    bool check_config;
    char log[FOLDER_TEXT_MAX]; /* file of the log; "": standard error */
    enum log_level log_level;
    char user[USER_TEXT_MAX]; /* the user to become; "": none */
    bool no_fence;
    int metrics_port; /* 0: any free one, -1: no metrics */
};

enum option_kind {
    OPTION_FLAG,
    OPTION_NUMBER,
    OPTION_CHOICE, /* one of the words of its argument, as an enum that counts them from 0 */
    OPTION_TEXT,
    OPTION_ENGINE,  /* a text that has no password on the command line, where everybody sees it */
    OPTION_ADDRESS, /* ADDR:PORT */
    OPTION_PORT,    /* PORT or ADDR:PORT */
    OPTION_LEVELS,
    OPTION_LISTEN /* adds to the addresses; it has no member */
};

struct option_row {
    const char *name;
    const char *argument; /* as help shows it; NULL for a flag */
    const char *help;
    const char *standard; /* the default as it would be typed, which help prints; NULL: none */
    enum option_kind kind;
    size_t offset;    /* of its member in struct options */
    long min, max;    /* numbers: the range; texts: max is the size of the member */
    bool live;        /* can be changed while the server runs */
    bool not_in_file; /* belongs on the command line only */
    bool secret;      /* the log does not show it */
};

extern const struct option_row option_rows[];
extern const int option_row_count;

enum { OPTION_VALUE_MAX = 4096 };

/* Sets everything to its default. */
void options_init(struct options *options);

/* The row of that name, or NULL. */
const struct option_row *option_find(const char *name);

/* Sets one option; a flag without a value (NULL) is set to yes. Addresses to listen on are added.
 * False with the cause. */
bool option_set(struct options *options, const struct option_row *row, const char *value,
                struct cause *cause);

/* Checks that the options go together: no option of TLS lacks the others, ludus-bot has the levels,
 * players can type the code, and there is a store or an engine. False with the cause. */
bool options_agree(const struct options *options, struct cause *cause);

/* Whether the text that PostgreSQL is connected by has a password in it. */
bool engine_has_password(const char *conninfo);

/* Writes the value as option_set() reads it. Equal texts mean equal values. */
void option_value(const struct options *options, const struct option_row *row,
                  char text[OPTION_VALUE_MAX]);

enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_BAD };

/* Reads the command line and, before it, a configuration file; the command line wins. The file is
 * that of --config, or else `config`, or, where that is NULL, the default one if it exists. "" and
 * "none" stand for no file. --help and --version print and give OPTIONS_DONE. OPTIONS_BAD comes
 * with the cause. */
enum options_result options_read(struct options *options, int argc, char *argv[],
                                 const char *config, struct cause *cause);

/* Writes the path of the default file: ludusd.conf in $CONFIGURATION_DIRECTORY, which systemd sets,
 * or else in ludus/ of $XDG_CONFIG_HOME or ~/.config. False when none of them is set. */
bool options_default_path(char path[FOLDER_TEXT_MAX]);

/* Reads a configuration file: lines `name = value`, with the long names of the options. Blank lines
 * and lines that begin with # are comments. Each option may be set once, `listen` several times.
 * False with the cause, which names file and line. */
bool options_read_file(struct options *options, const char *path, bool must_exist,
                       struct cause *cause);

#endif
