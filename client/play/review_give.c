#include "review_give.h"

#include <stdio.h>

#include "client/link/json_read.h"
#include "client/model/record.h"
#include "client/model/review_words.h"
#include "client/talk/client_request.h"

enum { SERVER_MS = 60000 };

static void on_ready(void *context)
{
    reviewer_read(context);
}

/* Takes no input meanwhile: lines from a pipe come after the review. */
static void await(struct client *client, struct reviewer *reviewer)
{
    while (reviewer->engine != NULL && !client->quit && client->interrupts == 0) {
        client->waiting = (struct waiting){.fd = reviewer->engine->out,
                                           .due_ms = INT64_MAX,
                                           .ready = on_ready,
                                           .context = reviewer};
        client_wait(client, NULL);
    }
    client->waiting.fd = -1;
}

bool review_give_by_server(struct client *client, const char *match, struct reviewer *reviewer)
{
    char line[MATCH_ID_MAX + 16];

    if (!match_id_is_valid(match))
        return cause_set(&reviewer->cause, "'%.40s' is not a match of the server", match);
    snprintf(line, sizeof line, "review %s", match);
    cJSON *reply = client_exchange(client, SERVER_MS, line);
    bool taken = reviewer_take_reply(reviewer, reply);
    cJSON_Delete(reply);
    return taken;
}

/* Starts the bot or, where there is none, asks the server. */
static void start(struct client *client, const char *id, const struct pgn_match *match,
                  struct reviewer *reviewer)
{
    if (reviewer_start(reviewer, match, REVIEW_MOVETIME_MS)) {
        console_say(&client->console, "Reviewing %d positions, a second each. Ctrl-C stops that.",
                    match->plies + 1);
        await(client, reviewer);
    } else if (reviewer->missing) {
        console_say(&client->console, "There is no ludus-bot here. The server reviews the match.");
        review_give_by_server(client, id, reviewer);
    }
}

static void review(struct client *client, const char *id, const struct pgn_match *match)
{
    struct reviewer reviewer = {.count = 0};
    struct buffer text = {.length = 0};

    start(client, id, match, &reviewer);
    if (reviewer.done) {
        review_words(match, reviewer.plies, &text);
        buffer_add(&text, "", 1);
        console_text(&client->console, text.bytes);
    } else if (!client->quit && client->interrupts == 0) {
        console_say(&client->console, "No review: %s.", reviewer.cause.text);
    }
    buffer_release(&text);
    reviewer_release(&reviewer);
}

bool review_fetch(struct client *client, const char *match, char id[MATCH_ID_MAX],
                  struct pgn_file *file, struct cause *cause)
{
    cJSON *reply = client_ask(client, "record %s", match);

    cause->text[0] = '\0';
    json_copy(id, MATCH_ID_MAX, reply, "match");
    bool read = reply != NULL && record_read_reply(reply, file, cause);
    cJSON_Delete(reply);
    if (!read || record_is_over(&file->matches[0]))
        return read;
    pgn_release(file);
    return cause_set(cause, "the game is still running");
}

void review_give(struct client *client, const char *match)
{
    char id[MATCH_ID_MAX];
    struct pgn_file file;
    struct cause cause;

    if (review_fetch(client, match, id, &file, &cause)) {
        review(client, id, &file.matches[0]);
        pgn_release(&file);
    } else if (cause.text[0] != '\0') {
        console_say(&client->console, "No review: %s.", cause.text);
    }
}
