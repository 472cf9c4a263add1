/* `ludus hint`: what a bot of this machine would play in one of the player's matches. */
#include <stdio.h>

#include "args.h"
#include "client/ludus/talk/hint.h"
#include "client/ludus/talk/match_words.h"
#include "common/move.h"
#include "script.h"
#include "subcommands.h"

const struct option_row hint_rows[] = {
    CONNECT_ROW,
    TLS_ROW,
    CODE_ROW,
    {OPTION("name", "NAME", "your name there (the name of your account)"), TO_WORD(options, name)},
    HELP_ROW,
    {.name = NULL},
};

static const char help[] =
    N_("Prints the move that a bot would play in one of your matches where it is your turn.\n"
       "MATCH may be left out where you play a single one. `ludus-bot` thinks, on this machine,\n"
       "as long as about each position in a review. A match with a hint no longer counts for\n"
       "the ratings; one that both sides play for them allows no hints, nor does one of a\n"
       "tournament.");

/* Brings the match to the client as its screen would, with the moves played so far. */
static bool read_match(struct script *script, struct played *played)
{
    struct match_state *view = &script->client.view;
    cJSON *state = script_ask_words(script, "state", 0);
    struct cause cause;

    bool good = state != NULL && match_state_read(view, state, clock_ms(), &cause);
    if (state != NULL && !good)
        client_fail(&script->client, "%s: %s", script->what, cause.text);
    cJSON_Delete(state);
    cJSON *record = good ? script_ask(script, "record %s", view->match) : NULL;
    if (record != NULL)
        played_read(played, record);
    cJSON_Delete(record);
    return record != NULL;
}

static void stop_waiting(void *context)
{
    (void)context; /* hint->thinking says it */
}

static void run_hint(struct script *script)
{
    struct client *client = &script->client;
    struct hint hint = {.client = client, .done = stop_waiting};
    struct played played = {.known = false};
    char text[MOVE_TEXT_MAX];

    if (!read_match(script, &played))
        return;
    bool rated = match_is_rated(&client->view);
    bool begun = hint_begin(&hint, &played);
    if (begun && rated)
        fprintf(stderr, _("ludus: %s: match %s no longer counts for the ratings\n"), script->what,
                client->view.match);
    while (hint.thinking && !client->quit)
        client_wait(client, NULL);
    hint_end(&hint);
    if (hint.found) {
        move_format(&hint.course.position, hint.move, text);
        puts(text);
    } else if (!client->quit && hint.cause.text[0] != '\0') {
        client_fail(client, "%s: %s", script->what, hint.cause.text);
    } else {
        client->status = 1;
    }
}

int hint_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script = {.line = {.command = command, .text = help, .most = 1}};
    int status;

    if (!args_read_line(&script.line, argc, argv, &status) ||
        !args_check_blanks(&script.line, &status))
        return status;
    if (script_begin(&script, SCRIPT_NAMED))
        run_hint(&script);
    return script_end(&script);
}
