#include "own_seek.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/link/json_read.h"
#include "client/model/clock_words.h"
#include "client/talk/client_request.h"
#include "play.h"

static void write_line(const struct new_seek *what, char line[SEEK_LINE_MAX])
{
    snprintf(line, SEEK_LINE_MAX, "seek %s", what->game);
    play_add_option(line, SEEK_LINE_MAX, "clock", what->clock);
    play_add_option(line, SEEK_LINE_MAX, "color", what->color);
    play_add_option(line, SEEK_LINE_MAX, "rating", what->rating);
    play_add_option(line, SEEK_LINE_MAX, "bots", what->bots);
    play_add_option(line, SEEK_LINE_MAX, "rated", what->unrated ? "no" : NULL);
}

static void add_words(char words[SEEK_LINE_MAX], const char *before, const char *value)
{
    size_t used = strlen(words);

    if (value != NULL)
        snprintf(words + used, SEEK_LINE_MAX - used, ", %s%s", before, value);
}

static void write_words(const struct new_seek *what, char words[SEEK_LINE_MAX])
{
    struct time_control control;
    struct cause cause;
    char clock[CLOCK_WORDS_MAX];

    snprintf(words, SEEK_LINE_MAX, "%s", what->game);
    if (what->clock != NULL && time_control_parse(what->clock, &control, &cause)) {
        clock_words_write(control.base_ms, control.increment_ms, clock);
        add_words(words, "clock ", clock);
    } else {
        add_words(words, "", "no clock");
    }
    add_words(words, "you are ", what->color);
    add_words(words, "rating ", what->rating);
    if (what->bots != NULL && strcasecmp(what->bots, "yes") != 0)
        add_words(words, "", strcasecmp(what->bots, "no") == 0 ? "people only" : "bots only");
    add_words(words, "", what->unrated ? "not rated" : NULL);
}

/* Sends the command. False if it was refused. If the connection is lost meanwhile, the next
 * seeking_keep() sees that. */
static bool ask(struct seeking *seeking, struct client *client)
{
    seeking->login_ms = client->uplink.in_ms;
    cJSON *reply = client_request(client, "%s", seeking->line);
    seeking->refused = reply != NULL && !client_accepted(client, reply);
    json_copy(seeking->id, sizeof seeking->id, reply, "seek");
    cJSON_Delete(reply);
    return !seeking->refused && !client->quit;
}

bool seeking_begin(struct seeking *seeking, struct client *client, const struct new_seek *what)
{
    *seeking = (struct seeking){.since_ms = clock_ms()};
    write_line(what, seeking->line);
    write_words(what, seeking->words);
    return ask(seeking, client);
}

bool seeking_keep(struct seeking *seeking, struct client *client)
{
    if (client->go || client->quit || seeking->refused)
        return false;
    return client->uplink.in_ms == seeking->login_ms || ask(seeking, client);
}

/* A refusal means that somebody has been found by now. */
void seeking_end(struct seeking *seeking, struct client *client)
{
    if (!client->go && !client->quit && !seeking->refused)
        cJSON_Delete(client_request(client, "unseek %s", seeking->id));
}
