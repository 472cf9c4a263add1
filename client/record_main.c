/* `ludus record`: the command line, and the one question to the server. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "json_read.h"
#include "login.h"
#include "options.h"
#include "record.h"
#include "subcommand.h"

enum { ANSWER_MS = 10000 };

struct record_options {
    const char *address, *code, *name, *match;
    char tls_address[LINK_ADDRESS_MAX];
    bool pgn, times;
};

enum { CONNECT, NAME, CODE, PGN, TIMES, TLS, HELP };

const struct usage_row record_rows[] = {
    {"connect", "HOST:PORT", "the server (localhost:7117)", CONNECT},
    {"name", "NAME", "who you are there; without it a guest", NAME},
    {"tls", NULL, "encrypted, as with --connect tls://HOST:PORT", TLS},
    {"code", "CODE", "the join code, where the server wants one", CODE},
    {"pgn", NULL, "as PGN, which `ludus replay` takes", PGN},
    {"times", NULL, "with the time each move took, in PGN", TIMES},
    {"help", NULL, "this text", HELP},
    {.name = NULL},
};

static const char help[] =
    "Prints the record of a match: one line of JSON as the server gives it, or PGN.";

static bool read_options(struct record_options *options, int argc, char *argv[], int *status)
{
    struct option table[USAGE_ROWS_MAX];
    const char **values[] = {&options->address, &options->name, &options->code};
    bool tls = false;
    int option, row;

    usage_longs(record_rows, table);
    *options = (struct record_options){.address = NULL};
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", table, &row)) != -1) {
        if (option == HELP) {
            usage_print_command("ludus", usage_find(subcommands, "record"), help);
            *status = 0;
            return false;
        }
        if (option == ':' || option == '?')
            return options_refuse_word(option, argv[optind - 1], status);
        if (option <= CODE && !options_check_value(table[row].name, optarg, status))
            return false;
        if (option <= CODE)
            *values[option] = optarg;
        options->pgn = options->pgn || option == PGN;
        options->times = options->times || option == TIMES;
        tls = tls || option == TLS;
    }
    options->address = link_address(options->address, tls, options->tls_address);
    if (optind == argc)
        return options_refuse(status, "record: which match?");
    options->match = argv[optind++];
    if (optind < argc)
        return options_refuse(status, "%s: unexpected argument", argv[optind]);
    if (options->times && !options->pgn)
        return options_refuse(status, "--times: only with --pgn");
    if (options->name != NULL && !options_check_name(options->name, status))
        return false;
    return options_check_value("record", options->match, status);
}

static void print_pgn(struct client *client, const cJSON *reply,
                      const struct record_options *options)
{
    struct cause cause;
    char *text = record_pgn(reply, options->times, &cause);

    if (text == NULL)
        client_fail(client, "record %s: %s", options->match, cause.text);
    else
        fputs(text, stdout);
    free(text);
}

/* The reply as it came, but for the number of our question. */
static void print_json(struct client *client, cJSON *reply)
{
    cJSON_DeleteItemFromObjectCaseSensitive(reply, "id");
    char *text = cJSON_PrintUnformatted(reply);
    if (text == NULL)
        client_fail(client, "out of memory");
    else
        puts(text);
    cJSON_free(text);
}

static void ask(struct client *client, const struct record_options *options)
{
    char line[512];

    if (strlen(options->match) >= sizeof line - 8) {
        client_fail(client, "record: that is no name of a match");
        return;
    }
    snprintf(line, sizeof line, "record %s", options->match);
    cJSON *reply = client_exchange(client, ANSWER_MS, line);
    const char *type = json_text_or(reply, "type", "");
    if (reply == NULL)
        client_fail(client, "%s: the server does not answer", options->address);
    else if (strcmp(type, "record") != 0)
        client_fail(client, "record %s: %s", options->match,
                    json_text_or(reply, "message", "the answer is no record"));
    else if (options->pgn)
        print_pgn(client, reply, options);
    else
        print_json(client, reply);
    cJSON_Delete(reply);
}

int record_main(int argc, char *argv[])
{
    struct record_options options;
    struct client client;
    int status;

    if (!read_options(&options, argc, argv, &status))
        return status;
    client_open_unattended(&client, options.address, options.code);
    login(&client, options.name, true);
    if (!client.quit)
        ask(&client, &options);
    client_close(&client);
    if (fflush(stdout) != 0 && client.status == 0) {
        fputs("ludus: standard output: cannot be written\n", stderr);
        return 1;
    }
    return client.status;
}
