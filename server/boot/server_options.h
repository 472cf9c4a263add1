/*
 * The options of ludusd, as one table (common/options.h), by which reload.c compares a new
 * configuration with the one in use, too. A new option is a member of struct server_options, or of
 * struct limits, and a row.
 */
#ifndef LUDUS_SERVER_OPTIONS_H
#define LUDUS_SERVER_OPTIONS_H

#include <stdbool.h>

#include "common/options.h"
#include "server/base/folder.h"
#include "server/base/log.h"
#include "server/base/nodes.h"
#include "server/keep/store.h"
#include "server/net/listener.h"
#include "server/play/server.h"

enum {
    LEVELS_TEXT_MAX = 160,
    USER_TEXT_MAX = 64,
    WEB_HOST_TEXT_MAX = 512,
    TRUSTED_TEXT_MAX = 1024,
    DATABASE_TEXT_MAX = 1024
};

struct server_options {
    struct limits limits;
    char listen[LISTEN_MAX][ADDRESS_TEXT_MAX]; /* ADDR:PORT as given; none: the defaults */
    int listen_count;
    enum option_source listen_source; /* those of the command line replace those of the file */
    char tls_cert[FOLDER_TEXT_MAX], tls_key[FOLDER_TEXT_MAX]; /* files; "": no TLS */
    char tls_port[ADDRESS_TEXT_MAX];                          /* PORT or ADDR:PORT; "": default */
    bool lan;                                                 /* all addresses, with a join code */
    bool open;                                                /* no join code */
    bool new_code;                                            /* replace the one of the store */
    bool hosted;                                              /* it ends with a player's program */
    char code[CODE_TEXT_MAX];             /* "": that of the store, or a random one, with lan */
    bool no_qr;                           /* with --lan, no QR code is shown */
    bool no_web;                          /* HTTP and WebSocket are not spoken */
    char trusted_proxy[TRUSTED_TEXT_MAX]; /* addresses, separated by commas; "": none */
    enum option_source trusted_source;    /* as listen_source */
    char web_host[WEB_HOST_TEXT_MAX];     /* more names of the server for browsers; "": none */
    char data[FOLDER_TEXT_MAX]; /* directory of the store; "none": in memory; "": the default */
    enum durability durability;
    char database[DATABASE_TEXT_MAX]; /* conninfo of PostgreSQL, perhaps with a password; "": a
                                         store */
    int node;                         /* of this server at the database, from 1; -1: none */
    char advertise[NODE_ADDRESS_MAX]; /* ADDR:PORT; "": the first address that it listens on */
    int node_timeout_s;
    char export[FOLDER_TEXT_MAX];      /* "": no export */
    bool import;                       /* the word `import`: between a store and a database */
    char import_from[FOLDER_TEXT_MAX]; /* directory of the store; "": from the database into data */
    char backup[FOLDER_TEXT_MAX];      /* the word `backup`: the file to write; "": none */
    char restore[FOLDER_TEXT_MAX];     /* the word `restore`: the file to serve from; "": none */
    bool check;                        /* the word `check` */
    bool repair;                       /* with it */
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

enum server_task {
    TASK_SERVE, /* after restoring, if that is asked for */
    TASK_CHECK,
    TASK_EXPORT,
    TASK_IMPORT,   /* a store into a database */
    TASK_TAKE_OUT, /* a database into a new store */
    TASK_BACK_UP
};

/* What is to be done. */
enum server_task options_task(const struct server_options *options);

extern const struct option_row server_option_rows[];

/* Sets everything to its default. */
void options_init(struct server_options *options);

/* Checks that the options go together: no option of TLS lacks the others, ludus-bot has the levels,
 * players can type the code, and there is a store or a database. False with the cause. */
bool options_agree(const struct server_options *options, struct cause *cause);

/* Whether the text that PostgreSQL is connected by has a password in it. */
bool database_has_password(const char *conninfo);

/* Writes the value of an option as its row reads it; addresses to listen on, with commas between
 * them. Equal texts mean equal values. */
void server_option_value(const struct server_options *options, const struct option_row *row,
                         char text[OPTION_VALUE_MAX]);

/* Reads the command line and, before it, a configuration file: that of --config, or else `config`,
 * or, where that is NULL, the default one if it exists. "" and "none" stand for no file. --help and
 * --version are printed. OPTIONS_BAD comes with the cause. */
enum options_result server_options_read(struct server_options *options, int argc, char *argv[],
                                        const char *config, struct cause *cause);

/* Writes the path of the default file: ludusd.conf in $CONFIGURATION_DIRECTORY, which systemd sets,
 * or else in ludus/ of $XDG_CONFIG_HOME or ~/.config. False when none of them is set. */
bool options_default_path(char path[FOLDER_TEXT_MAX]);

#endif
