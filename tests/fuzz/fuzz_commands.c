/*
 * A whole server without sockets (world.h), and four peers, a to d, that send it lines. The input
 * is a script with a step on each line:
 *
 *     aLINE         peer a sends LINE; it connects first if it is not connected
 *     &aLINE        peer a sends LINE in the turn of the next line
 *     A             peer a's connection ends
 *     +MS           MS milliseconds pass
 *     !NAME=VALUE   a setting: see world_set()
 *     store         as the first line: the server has a store; then
 *     @kill, @stop  it is killed or stopped, and restarted
 *     @full, @room  the disk is full; it has room
 *
 * In a LINE, $a is the latest token of peer a, ^a its latest device code, %a the latest match that
 * it heard of.
 *
 * After each turn, all output follows protocol.md (told.h); every command got one reply, in order,
 * a blank line none; errors and read-only commands changed nothing; matches changed only by the
 * commands; and the server is sound (audit.h). A restarted server has everything.
 *
 * With COUNT in the environment it tells at its end how many commands were sent.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "common/text.h"
#include "fuzz.h"
#include "told.h"

enum { STEPS_MAX = 400, SENT_MAX = 2048, TURN_LINES_MAX = 8, FULL_WAIT_MAX_MS = 60000 };

/* The lines of the present turn. */
struct turn_sent {
    struct asked asked[WORLD_PEERS][TURN_LINES_MAX];
    int counts[WORLD_PEERS], lines;
    bool left; /* a connection has ended */
};

struct stage {
    struct world world;
    struct audit before, after;
    struct turn_sent sent;
};

/* Checks one peer's output in the turn. */
static void hear_peer(struct stage *stage, struct told *told, int i)
{
    struct peer *peer = &stage->world.peers[i];
    const struct turn_sent *sent = &stage->sent;
    struct told own = {.replies = 0};

    told_take(&own, &stage->world, peer, sent->asked[i], sent->counts[i],
              sent->lines == 1 && !sent->left);
    peer->texts = peer->session != NULL && peer->session->text;
    told->replies += own.replies;
    told->done += own.done;
    for (int j = 0; j < own.deed_count && told->deed_count < DEEDS_MAX; j++)
        told->deeds[told->deed_count++] = own.deeds[j];
}

/* Returns whether the sender got its answer as text. */
static bool has_text(const struct stage *stage)
{
    bool texts = false;

    for (int i = 0; i < WORLD_PEERS; i++)
        texts = texts || (stage->sent.counts[i] > 0 && stage->world.peers[i].texts);
    return texts;
}

/* Ends the connections that the server wants to end. Returns whether there were any. */
static bool end_closed(struct world *world)
{
    bool any = false;

    for (int i = 0; i < WORLD_PEERS; i++) {
        struct peer *peer = &world->peers[i];
        if (peer->session == NULL || !peer->closed)
            continue;
        world_leave(world, peer);
        any = true;
    }
    return any;
}

/* Ends the turn and checks the result. In a turn without lines, due events happen. */
static void end_turn(struct stage *stage)
{
    struct turn_sent *sent = &stage->sent;
    struct told told = {.replies = 0};

    if (sent->lines == 0)
        world_settle(&stage->world);
    world_end_turn(&stage->world);
    bool texts = has_text(stage);
    for (int i = 0; i < WORLD_PEERS; i++)
        hear_peer(stage, &told, i);
    bool ended = end_closed(&stage->world);
    audit_take(&stage->after, stage->world.server,
               sent->lines == 0 && !sent->left && !world_is_late(&stage->world));
    if (!texts)
        audit_compare(&stage->before, &stage->after, &told);
    if (!texts && !ended && !sent->left && sent->lines > 0 && told.done == 0)
        REQUIRE(stage->before.digest == stage->after.digest,
                "%d lines in vain have changed something", sent->lines);
    memset(sent, 0, sizeof *sent);
    stage->before = stage->after;
}

/* Writes the line with $a, ^a and %a replaced, and returns its length. */
static size_t fill_in(const struct world *world, const char *text, size_t size, char line[SENT_MAX])
{
    size_t length = 0;

    for (size_t i = 0; i < size && length < SENT_MAX - 64; i++) {
        char next = i + 1 < size ? text[i + 1] : '\0';
        if (strchr("$^%", text[i]) != NULL && text[i] != '\0' && next >= 'a' &&
            next < 'a' + WORLD_PEERS) {
            const struct peer *peer = &world->peers[next - 'a'];
            const char *value = text[i] == '$'   ? peer->token
                                : text[i] == '^' ? peer->code
                                                 : peer->match;
            length += (size_t)snprintf(line + length, 64, "%s", value);
            i++;
        } else {
            line[length++] = text[i];
        }
    }
    return length;
}

/* Commands that change nothing visible to others, nor the session's format. */
static bool only_looks(const struct command *command)
{
    static const char *const verbs[] = {"games",   "list",   "who",         "top",   "history",
                                        "moves",   "record", "ping",        "stats", "help",
                                        "state",   "say",    "tournaments", "seeks", "lessons",
                                        "explain", "puzzle", "analyse"};

    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (command != NULL && strcmp(verbs[i], command->verb) == 0)
            return true;
    return false;
}

/* Parses the line. Even an invalid line may have a valid id. */
static void read_asked(struct asked *asked, const struct server *server, const char *line,
                       size_t length)
{
    size_t start = 0, end;
    struct message message;
    struct cause cause;

    *asked = (struct asked){.blank = true};
    for (size_t i = 0; i < length; i++)
        asked->blank = asked->blank && line[i] == ' ';
    asked->blank = asked->blank && length < LINE_BYTES_MAX;
    if (length >= LINE_BYTES_MAX)
        return;
    if (!utf8_is_clean(line, length)) {
        while (start < length && line[start] == ' ')
            start++;
        for (end = start; end < length && line[end] != ' ';)
            end++;
        if (start == end || line[start] != '#' || !utf8_is_clean(line + start, end - start))
            return;
        line += start;
        length = end - start;
    }
    if (!message_parse(&message, line, length, &cause))
        return;
    snprintf(asked->id, sizeof asked->id, "%s", message.id != NULL ? message.id : "");
    asked->command = message.verb != NULL ? command_find(server, message.verb) : NULL;
    asked->bare = message.verb != NULL && message.rest[0] == '\0';
    asked->looks = only_looks(asked->command);
}

static struct {
    long all, by_several; /* by players with several connections */
} commands;

static void print_count(void)
{
    fprintf(stderr, "%ld commands, %ld of them by players with several connections\n", commands.all,
            commands.by_several);
}

/* Sends a line from a connected peer. A line that has to wait starts the next turn. */
static void send_line(struct stage *stage, struct peer *peer, const char *line, size_t length)
{
    struct turn_sent *sent = &stage->sent;
    int i = (int)(peer - stage->world.peers);

    if (session_is_closing(peer->session))
        return;
    if (!world_send(&stage->world, peer, line, length)) {
        end_turn(stage);
        if (peer->session == NULL)
            return;
        bool handled = world_send(&stage->world, peer, line, length);
        REQUIRE(handled, "a line has to wait, though no turn is open");
    }
    struct asked *asked = &sent->asked[i][sent->counts[i]++];
    read_asked(asked, stage->world.server, line, length);
    sent->lines++;
    commands.all += !asked->blank;
    commands.by_several += !asked->blank && peer->session != NULL &&
                           peer->session->player != NULL && peer->session->player->window_count > 1;
}

/* Begins a turn as the loop does: due events happen first, in a separate turn. */
static void begin_turn(struct stage *stage, struct peer *peer)
{
    if (stage->sent.lines > 0 || stage->sent.left)
        return;
    if (peer->session == NULL && !world_connect(&stage->world, peer))
        return;
    end_turn(stage);
}

static void step_send(struct stage *stage, struct peer *peer, const char *text, size_t size,
                      bool more)
{
    char line[SENT_MAX];

    begin_turn(stage, peer);
    if (peer->session != NULL) {
        /* Exactly as long as the line, so that the sanitizers see reads beyond it. */
        size_t length = fill_in(&stage->world, text, size, line);
        char *sent = malloc(length > 0 ? length : 1);
        if (sent == NULL)
            abort();
        memcpy(sent, line, length);
        send_line(stage, peer, sent, length);
        free(sent);
    }
    if (!more || stage->sent.counts[peer - stage->world.peers] == TURN_LINES_MAX)
        end_turn(stage);
}

static void step_wait(struct stage *stage, const char *text, size_t size)
{
    long ms;

    end_turn(stage);
    if (!number_parse(text, size, 0, 10000000000, &ms))
        return;
    if (stage->world.disk_full && ms > FULL_WAIT_MAX_MS)
        ms = FULL_WAIT_MAX_MS; /* failed writes are retried every second */
    world_wait(&stage->world, ms);
    end_turn(stage);
}

/* The script may end within a turn. */
static void step_leave(struct stage *stage, struct peer *peer)
{
    stage->sent.left = true;
    world_leave(&stage->world, peer);
    end_turn(stage);
}

static void step_set(struct stage *stage, const char *text, size_t size)
{
    char name[64] = "";
    const char *equals = memchr(text, '=', size);

    end_turn(stage);
    if (equals == NULL || size >= sizeof name)
        return;
    memcpy(name, text, size);
    name[equals - text] = '\0';
    if (strlen(name) == (size_t)(equals - text))
        world_set(&stage->world, name, name + (equals - text) + 1);
    end_turn(stage);
}

static void restart(struct stage *stage, bool in_order)
{
    struct audit before;

    end_turn(stage);
    world_fill_disk(&stage->world, false);
    before = stage->before;
    world_restart(&stage->world, in_order);
    audit_take(&stage->before, stage->world.server, false);
    audit_compare_restarted(&before, &stage->before);
}

static void step_store(struct stage *stage, const char *text, size_t size)
{
    end_turn(stage);
    if (stage->world.keeper == NULL)
        return;
    if (size == 4 && (memcmp(text, "kill", 4) == 0 || memcmp(text, "stop", 4) == 0))
        restart(stage, text[0] == 's');
    if (size == 4 && (memcmp(text, "full", 4) == 0 || memcmp(text, "room", 4) == 0))
        world_fill_disk(&stage->world, text[0] == 'f');
}

static void run_step(struct stage *stage, const char *step, size_t size)
{
    bool more = size > 1 && step[0] == '&';
    int peer;

    step += more;
    size -= more;
    if (size == 0)
        return;
    peer = tolower((unsigned char)step[0]) - 'a';
    if (peer >= 0 && peer < WORLD_PEERS && step[0] >= 'a')
        step_send(stage, &stage->world.peers[peer], step + 1, size - 1, more);
    else if (peer >= 0 && peer < WORLD_PEERS)
        step_leave(stage, &stage->world.peers[peer]);
    else if (step[0] == '+')
        step_wait(stage, step + 1, size - 1);
    else if (step[0] == '!')
        step_set(stage, step + 1, size - 1);
    else if (step[0] == '@')
        step_store(stage, step + 1, size - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stage stage;
    static bool counts;
    const char *at = (const char *)data, *end = at + size;

    if (!counts && getenv("COUNT") != NULL)
        counts = atexit(print_count) == 0;
    memset(&stage.sent, 0, sizeof stage.sent);
    world_init(&stage.world, size >= 6 && memcmp(at, "store\n", 6) == 0);
    audit_take(&stage.before, stage.world.server, true);
    for (int steps = 0; at < end && steps < STEPS_MAX; steps++) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((lf != NULL ? lf : end) - at);
        run_step(&stage, at, length);
        at += length + 1;
    }
    end_turn(&stage);
    world_release(&stage.world);
    return 0;
}
