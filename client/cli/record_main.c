/* `ludus record`: asks the server for a record, and prints it as JSON or PGN. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "client/link/json_read.h"
#include "client/model/record.h"
#include "script.h"
#include "subcommands.h"

enum { PGN = SCRIPT_OWN, TIMES };

const struct usage_row record_rows[] = {
    SCRIPT_SERVER_ROWS,
    SCRIPT_GUEST_ROW,
    {OPTION("pgn", NULL, "print PGN, which `ludus replay` reads"), .code = PGN},
    {OPTION("times", NULL, "add the time of each move to PGN"), .code = TIMES},
    {OPTION("json", NULL, "print JSON, the default"), .code = SCRIPT_JSON},
    SCRIPT_HELP_ROW,
    {.name = NULL},
};

static void print_pgn(struct script *script, const cJSON *reply)
{
    struct cause cause;
    char *text = record_pgn(reply, script->values[TIMES] != NULL, &cause);

    if (text == NULL)
        client_fail(&script->client, "%s: %s", script->what, cause.text);
    else
        fputs(text, stdout);
    free(text);
}

static void ask(struct script *script)
{
    cJSON *reply = script_ask(script, "record %s", script->words[0]);

    if (reply != NULL && strcmp(json_text_or(reply, "type", ""), "record") != 0)
        client_fail(&script->client, "%s: the reply is not a record", script->what);
    else if (reply != NULL && script->values[PGN] != NULL)
        print_pgn(script, reply);
    else if (reply != NULL)
        script_print_json(reply);
    cJSON_Delete(reply);
}

static bool check_together(const struct script *script, int *status)
{
    const char *const *values = script->values;

    if (values[TIMES] != NULL && values[PGN] == NULL)
        return args_refuse(status, "--times: only with --pgn");
    return values[SCRIPT_JSON] == NULL || values[PGN] == NULL ||
           args_refuse(status, "--json, --pgn: only one of them");
}

int record_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script;
    int status;

    if (!script_read(&script, command, argc, argv, 1, 1,
                     "Prints the record of a match: the server's JSON in one line, or PGN.",
                     &status) ||
        !check_together(&script, &status))
        return status;
    if (script_begin(&script, false))
        ask(&script);
    return script_end(&script);
}
