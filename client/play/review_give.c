#include "review_give.h"

#include <string.h>

#include "client/model/record.h"
#include "client/model/review_words.h"
#include "client/talk/client_request.h"

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

static void review(struct client *client, const struct pgn_match *match)
{
    struct reviewer reviewer = {.count = 0};
    struct buffer text = {.length = 0};

    console_say(&client->console, "Reviewing %d positions, a second each. Ctrl-C stops that.",
                match->plies + 1);
    if (reviewer_start(&reviewer, match, REVIEW_MOVETIME_MS))
        await(client, &reviewer);
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

void review_give(struct client *client, const char *match)
{
    struct pgn_file file;
    struct cause cause;
    cJSON *reply = client_ask(client, "record %s", match);

    if (reply == NULL)
        return;
    bool read = record_read_reply(reply, &file, &cause);
    cJSON_Delete(reply);
    if (!read) {
        console_say(&client->console, "No review: %s.", cause.text);
        return;
    }
    if (record_is_over(&file.matches[0]))
        review(client, &file.matches[0]);
    else
        console_say(&client->console, "A game can be reviewed after its end.");
    pgn_release(&file);
}
