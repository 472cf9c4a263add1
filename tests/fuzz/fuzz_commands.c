/*
 * A whole server without sockets (world.h), and four peers, a to d, who send it lines. The input is
 * a script, a line a step:
 *
 *     aLINE         peer a sends LINE; it connects first if it is not connected
 *     A             peer a's connection ends
 *     +MS           so much time passes
 *     !NAME=VALUE   a setting: see world_set()
 *
 * In a LINE, $a is the token that peer a was given last, %a the match it was told of last.
 *
 * After each step: everything that was told is as protocol.md says (told.h); a command got exactly
 * one reply, a blank line none; after an error, or a command that only looks, nothing has changed;
 * matches have changed by what was asked and by nothing else; and the server is sound (audit.h).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "common/number.h"
#include "common/utf8.h"
#include "fuzz.h"
#include "told.h"

enum { STEPS_MAX = 400, SENT_MAX = 2048 };

struct stage {
    struct world world;
    struct audit before, after;
};

/* Checks what the others were told, and all of them when nobody has asked anything. */
static void hear_others(struct stage *stage, const struct peer *asker)
{
    struct told told;

    for (int i = 0; i < WORLD_PEERS; i++)
        if (&stage->world.peers[i] != asker)
            told_take(&told, &stage->world, &stage->world.peers[i], NULL);
}

static void end_step(struct stage *stage, const struct deed *deed)
{
    audit_take(&stage->after, stage->world.server);
    audit_compare(&stage->before, &stage->after, deed);
}

/* Commands that change nothing others can notice, nor how the session is answered. */
static bool only_looks(const struct command *command)
{
    static const char *const verbs[] = {"games",  "list", "who",   "top",  "history", "moves",
                                        "record", "ping", "stats", "help", "state",   "say"};

    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (strcmp(verbs[i], command->verb) == 0)
            return true;
    return false;
}

/* The line with what $a and %a stand for put in; its length. */
static size_t fill_in(const struct world *world, const char *text, size_t size, char line[SENT_MAX])
{
    size_t length = 0;

    for (size_t i = 0; i < size && length < SENT_MAX - 64; i++) {
        char next = i + 1 < size ? text[i + 1] : '\0';
        if ((text[i] == '$' || text[i] == '%') && next >= 'a' && next < 'a' + WORLD_PEERS) {
            const struct peer *peer = &world->peers[next - 'a'];
            const char *value = text[i] == '$' ? peer->token : peer->match;
            length += (size_t)snprintf(line + length, 64, "%s", value);
            i++;
        } else {
            line[length++] = text[i];
        }
    }
    return length;
}

/* What the line asks. A line that is no clean text still has its id, if that is. */
static void read_asked(struct asked *asked, struct message *message, const char *line,
                       size_t length)
{
    struct cause cause;
    const char *word = line;

    *asked = (struct asked){.id = NULL};
    if (length >= LINE_BYTES_MAX)
        return;
    if (!utf8_is_clean(line, length)) {
        while (word < line + length && *word == ' ')
            word++;
        const char *space = memchr(word, ' ', (size_t)(line + length - word));
        size_t end = (size_t)((space != NULL ? space : line + length) - word);
        if (end > 0 && *word == '#' && utf8_is_clean(word, end) &&
            message_parse(message, word, end, &cause))
            asked->id = message->id;
        return;
    }
    if (!message_parse(message, line, length, &cause))
        return;
    asked->id = message->id;
    asked->verb = message->verb;
    asked->command = message->verb != NULL ? command_find(message->verb) : NULL;
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ')
            return false;
    return length < LINE_BYTES_MAX;
}

/* What the reply says is what has happened. */
static void check_deed(struct stage *stage, const struct peer *peer, const struct asked *asked,
                       const struct told *told)
{
    struct deed deed = {told->moved[0] != '\0' ? told->moved : NULL, told->ply,
                        told->undone[0] != '\0' ? told->undone : NULL};

    end_step(stage, &deed);
    bool looked = asked->command != NULL && only_looks(asked->command);
    if ((told->refused || looked) && !peer->session->closing)
        REQUIRE(stage->before.digest == stage->after.digest, "%s (%s) has changed something",
                asked->verb != NULL ? asked->verb : "-", told->code);
}

/* In text format all that is known is whether a move was played: how the ply has changed. */
static void check_text_deed(struct stage *stage)
{
    const struct audit *before = &stage->before, *after = &stage->after;

    audit_take(&stage->after, stage->world.server);
    for (int i = 0; i < before->count && i < after->count; i++)
        if (strcmp(before->tables[i].id, after->tables[i].id) == 0)
            REQUIRE(after->tables[i].plies - before->tables[i].plies <= 1, "match %s has moved",
                    after->tables[i].id);
}

static void check_sent(struct stage *stage, struct peer *peer, const char *line, size_t length)
{
    bool was_closing = peer->session->closing, was_text = peer->session->text;
    struct message message;
    struct asked asked;
    struct told told;

    read_asked(&asked, &message, line, length);
    world_send(&stage->world, peer, line, length);
    bool silent = was_closing || is_blank(line, length);
    bool text = was_text || peer->session->text;
    size_t bytes = peer->length;
    told_take(&told, &stage->world, peer, &asked);
    hear_others(stage, peer);
    if (text) {
        REQUIRE(silent || bytes > 0, "no reply");
        check_text_deed(stage);
        return;
    }
    bool early = strcmp(told.code, "rate-limited") == 0; /* so may be a blank line */
    REQUIRE(told.replies == (!silent || early), "%d replies", told.replies);
    check_deed(stage, peer, &asked, &told);
}

static void step_send(struct stage *stage, struct peer *peer, const char *text, size_t size)
{
    char line[SENT_MAX];

    if (peer->session != NULL && peer->closed)
        world_leave(&stage->world, peer);
    if (peer->session == NULL && !world_connect(&stage->world, peer))
        return;
    world_settle(&stage->world);
    hear_others(stage, NULL);
    audit_take(&stage->before, stage->world.server);
    /* What comes in is as long as it is, so that reading beyond it is seen. */
    size_t length = fill_in(&stage->world, text, size, line);
    char *sent = malloc(length > 0 ? length : 1);
    if (sent == NULL)
        abort();
    memcpy(sent, line, length);
    check_sent(stage, peer, sent, length);
    free(sent);
}

static void step_wait(struct stage *stage, const char *text, size_t size)
{
    const struct deed nothing = {NULL, 0, NULL};
    long ms;

    if (!number_parse(text, size, 0, 10000000000, &ms))
        return;
    world_wait(&stage->world, ms);
    hear_others(stage, NULL);
    end_step(stage, &nothing);
}

static void step_leave(struct stage *stage, struct peer *peer)
{
    const struct deed nothing = {NULL, 0, NULL};

    world_leave(&stage->world, peer);
    hear_others(stage, NULL);
    end_step(stage, &nothing);
}

static void step_set(struct stage *stage, const char *text, size_t size)
{
    char name[64] = "";
    const char *equals = memchr(text, '=', size);

    if (equals == NULL || size >= sizeof name)
        return;
    memcpy(name, text, size);
    name[equals - text] = '\0';
    if (strlen(name) == (size_t)(equals - text))
        world_set(&stage->world, name, name + (equals - text) + 1);
    hear_others(stage, NULL);
}

static void run_step(struct stage *stage, const char *step, size_t size)
{
    int peer = size > 0 ? tolower((unsigned char)step[0]) - 'a' : -1;

    if (size == 0)
        return;
    audit_take(&stage->before, stage->world.server);
    if (peer >= 0 && peer < WORLD_PEERS && step[0] >= 'a')
        step_send(stage, &stage->world.peers[peer], step + 1, size - 1);
    else if (peer >= 0 && peer < WORLD_PEERS)
        step_leave(stage, &stage->world.peers[peer]);
    else if (step[0] == '+')
        step_wait(stage, step + 1, size - 1);
    else if (step[0] == '!')
        step_set(stage, step + 1, size - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stage stage;
    const char *at = (const char *)data, *end = at + size;

    world_init(&stage.world);
    for (int steps = 0; at < end && steps < STEPS_MAX; steps++) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((lf != NULL ? lf : end) - at);
        run_step(&stage, at, length);
        at += length + 1;
    }
    world_release(&stage.world);
    return 0;
}
