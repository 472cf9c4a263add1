#include "conversation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/move.h"
#include "common/number.h"
#include "starve.h"
#include "tests/limits.h"

/* NAME> LINE, where $m is the match that NAME opened last and $t anna's token; NAME connects,
 * NAME leaves; wait MS. */
const char *const conversation[] = {
    "anna connects",
    "ben connects",
    "carl connects",
    "gus connects",
    "anna> hello anna client=test",
    "ben> hello ben bot=no",
    "carl> hello carl",
    "carl> set format=text",
    "carl> watch lobby",
    "carl> help",
    "anna> help move",
    "anna> games",
    "carl> games",
    "anna> new clobber:2x2 black=ben",
    "ben> join 1",
    "carl> watch 1",
    "anna> moves 1",
    "carl> moves 1",
    "anna> move 1 a2a1 ply=0",
    "anna> move 1 a2a1 ply=0",
    "ben> say 1 hello there",
    "ben> state 1",
    "carl> state 1",
    "anna> undo 1",
    "ben> undo 1",
    "anna> move 1 a2a1",
    "anna> draw 1",
    "ben> decline 1",
    "ben> move 1 b2b1",
    "anna> move 1 a1b1",
    "anna> record 1",
    "carl> record 1",
    "anna> rematch 1",
    "ben> rematch 1",
    "ben> move 2 a2a1",
    "anna> move 2 b2b1",
    "ben> resign 2",
    "anna> history",
    "carl> history anna",
    "anna> top",
    "carl> top clobber",
    "anna> who",
    "carl> who",
    "gus> new shakti",
    "gus> list",
    "carl> list",
    "anna> join 3 black",
    "gus> move 3 d2d3",
    "gus leaves",
    "carl> new latrunculi white=anna black=ben private=yes clock=300+5",
    "anna> decline 1",
    "carl> say $m is anybody here?",
    "carl> leave lobby",
    "carl> abort $m",
    "ben> new xadrersi:attack white=me black=me clock=0.5+0",
    "ben> moves 5",
    "ben> draw 5",
    "ben> new clobber:1x2 black=carl",
    "carl> decline 6",
    "ben> new clobber:2x3 black=open",
    "wait 1000",
    "anna> ping are you there?",
    "carl> ping",
    "anna> set legal=off",
    "carl> frobnicate",
    "anna2 connects",
    "anna2> hello anna token=$t",
    "anna2> join 7",
    "anna2> claim 7",
    "anna2> resign 7",
    "carl> leave 1",
    "wait 30000",
    "wait 40000",
    "ben connects",
    "ben> who",
    "ben> quit",
    NULL,
};

/* Random texts, such as tokens and ids of private matches, are all the same here. */
static void blur(char *text)
{
    for (char *at = text; *at != '\0'; at++) {
        size_t digits = strspn(at, "0123456789abcdef");
        if (digits >= 16)
            memset(at, '#', digits);
        at += digits > 0 ? digits - 1 : 0;
    }
}

static void peer_write(void *context, const char *bytes, size_t length)
{
    struct peer *peer = context;

    if (peer->length + length >= TOLD_BYTES)
        abort();
    memcpy(peer->got + peer->length, bytes, length);
    peer->length += length;
    peer->got[peer->length] = '\0';
}

static void peer_close(void *context)
{
    ((struct peer *)context)->closed = true;
}

static struct peer *find_peer(struct run *run, const char *name, size_t length)
{
    for (int i = 0; i < run->peer_count; i++)
        if (strlen(run->peers[i].name) == length && memcmp(run->peers[i].name, name, length) == 0)
            return &run->peers[i];
    struct peer *peer = &run->peers[run->peer_count++];
    snprintf(peer->name, sizeof peer->name, "%.*s", (int)length, name);
    return peer;
}

static void describe_table(FILE *out, const struct table *table, bool brief)
{
    const struct match *match = &table->match;

    fprintf(out, "%s", table->id);
    for (int i = 0; i < match->ply_count; i++) {
        char move[MOVE_TEXT_MAX];
        move_format(&match->start, match->plies[i].move, move);
        fprintf(out, " %s", move);
    }
    if (!brief)
        fprintf(out, " %s %d %d", match_status_text(match->status), table->started,
                table->finished);
    for (int color = WHITE; color <= BLACK && !brief; color++) {
        const struct seat *seat = &table->seats[color];
        fprintf(out, " %s %d %.2f", seat->player != NULL ? seat->player->name : "-", seat->joined,
                table->rated[color]);
        for (int what = 0; what < OFFER_KINDS; what++)
            fprintf(out, " %d", match->offers[what][color]);
    }
    fputc('\n', out);
}

const char *run_describe(const struct run *run, bool brief)
{
    const struct server *server = run->server;
    static char text[TOLD_BYTES];
    FILE *out = fmemopen(text, sizeof text, "w");
    const struct table *table;

    if (out == NULL)
        abort();
    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        describe_table(out, table, brief);
    TAILQ_FOREACH (table, &server->lobby.finished, link)
        describe_table(out, table, brief);
    if (!brief)
        fprintf(out, "%d named, %d open, %d playing, %d over", server->players.named,
                server->lobby.open, server->lobby.playing, server->lobby.over);
    fclose(out);
    blur(text);
    return text;
}

static void start_server(struct run *run)
{
    struct cause cause;

    server_init(run->server, &test_limits);
    run->server->now_ms = run->server->started_ms = 1000;
    run->server->wall_s = 1767225600;
    if (run->store != NULL && !server_take_up(run->server, run->store, &cause))
        abort();
}

static void remove_store(const char *folder)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal"};
    char path[64];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
}

static void open_store(struct run *run)
{
    struct cause cause;

    run->store = store_open(run->folder, DURABILITY_PROCESS, &cause);
    if (run->store == NULL)
        abort();
}

static void leave(struct run *run, struct peer *peer)
{
    if (peer->session != NULL)
        session_free(peer->session);
    peer->session = NULL;
    server_end_turn(run->server);
}

static void connect_peer(struct run *run, struct peer *peer)
{
    if (peer->session != NULL)
        return;
    peer->closed = false;
    peer->session = session_open(run->server, (struct sink){peer, peer_write, peer_close}, NULL);
    server_end_turn(run->server);
}

static void send_line(struct run *run, struct peer *peer, const char *text)
{
    char line[256];
    size_t length = 0;

    for (; *text != '\0'; text++) {
        const char *value = text[0] != '$' ? NULL : text[1] == 'm' ? peer->match : run->token;
        if (value != NULL)
            length += (size_t)snprintf(line + length, sizeof line - length, "%s", value);
        else
            line[length++] = *text;
        text += value != NULL;
    }
    if (peer->session != NULL && !peer->closed)
        session_line(peer->session, line, length);
    server_end_turn(run->server);
}

static void pass_time(struct run *run, int ms)
{
    struct server *server = run->server;
    int64_t until_ms = server->now_ms + ms, next_ms;

    while ((next_ms = server_next_deadline_ms(server)) >= 0 && next_ms <= until_ms) {
        if (next_ms > server->now_ms)
            server->now_ms = next_ms;
        server_run_deadlines(server);
        server_end_turn(server);
    }
    server->now_ms = until_ms;
    server_tick(server);
    server_end_turn(server);
}

/* Takes the token that anna is told, and the match that somebody has opened. */
static void note_secrets(struct run *run, struct peer *peer)
{
    const char *found = strstr(peer->got, "\"token\":\"");

    if (found != NULL && strcmp(peer->name, "anna") == 0)
        snprintf(run->token, sizeof run->token, "%.32s", found + 9);
    if (strncmp(peer->got, "opened match ", 13) == 0)
        snprintf(peer->match, sizeof peer->match, "%.*s", (int)strcspn(peer->got + 13, "\n"),
                 peer->got + 13);
}

struct peer *run_step(struct run *run, const char *step)
{
    size_t name = strspn(step, "abcdefghijklmnopqrstuvwxyz0123456789");
    bool waits = strncmp(step, "wait ", 5) == 0;
    struct peer *peer = waits ? NULL : find_peer(run, step, name);
    long ms = 0;

    if (waits)
        number_parse(step + 5, strlen(step + 5), 1, 1000000, &ms);
    for (int i = 0; i < run->peer_count; i++)
        run->peers[i].length = 0, run->peers[i].got[0] = '\0';
    atomic_store(&starve()->on, 1);
    if (waits)
        pass_time(run, (int)ms);
    else if (step[name] == '>')
        send_line(run, peer, step + name + 2);
    else if (strcmp(step + name, " connects") == 0)
        connect_peer(run, peer);
    else
        leave(run, peer);
    atomic_store(&starve()->on, 0);
    for (int i = 0; i < run->peer_count; i++) {
        note_secrets(run, &run->peers[i]);
        blur(run->peers[i].got);
    }
    return peer;
}

void run_free_closed(struct run *run)
{
    for (int i = 0; i < run->peer_count; i++)
        if (run->peers[i].closed)
            leave(run, &run->peers[i]);
}

void run_begin(struct run *run, const char *folder)
{
    memset(run, 0, sizeof *run);
    run->folder = folder;
    run->server = malloc(sizeof *run->server);
    if (run->server == NULL)
        abort();
    if (folder != NULL)
        open_store(run);
    start_server(run);
}

static void stop(struct run *run)
{
    server_shutdown(run->server);
    for (int i = 0; i < run->peer_count; i++)
        leave(run, &run->peers[i]);
    server_release(run->server);
    store_close(run->store);
}

void run_restart(struct run *run)
{
    run->server->store = NULL; /* what it does now is written no more */
    stop(run);
    open_store(run);
    start_server(run);
}

void run_end(struct run *run)
{
    stop(run);
    free(run->server);
    if (run->folder != NULL)
        remove_store(run->folder);
}
