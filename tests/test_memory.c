/*
 * What the server promises for when memory runs out (server/SECURITY.md): a conversation in which
 * all commands occur is held again and again, and each time another piece of memory is not given,
 * be it to us, to cJSON, to SQLite or to the C library: first only that one, then that one and all
 * until the end of the step. The step then has
 *
 * - gone as it should have: everyone was told the same as in the conversation without faults, or
 * - been refused with `internal`: nobody else was told anything, nothing has changed, and it
 *   goes well when tried again, or
 * - closed connections of those who would have been told less than they should.
 *
 * With a store what is in memory then is also there after a kill.
 *
 * usage: test_memory [EVERY]   tries only every so many pieces (of a short run some), 1 all
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "common/move.h"
#include "common/number.h"
#include "faults/starve.h"
#include "server/log.h"
#include "server/server.h"
#include "server/session.h"
#include "server/store.h"

/* NAME> LINE, where $m is the match that NAME opened last and $t anna's token; NAME connects,
 * NAME leaves; wait MS. */
static const char *const conversation[] = {
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
};

enum { STEPS = LENGTH(conversation), PEERS_MAX = 8, SPACE = 1 << 16 };

struct peer {
    char name[16], match[24];
    struct session *session; /* NULL: not here */
    bool closed;
    char got[SPACE]; /* in this step */
    size_t length;
};

/* What a step without faults has led to. */
struct wanted {
    char *got[PEERS_MAX];
    bool closed[PEERS_MAX];
    char *before, *after; /* what the server knew */
    uint64_t seen;        /* pieces of memory that were asked for, to its end */
};

/* One time through the conversation. */
struct run {
    struct server *server;
    struct store *store; /* NULL: none */
    struct peer peers[PEERS_MAX];
    int peer_count;
    char token[64];
    bool lost;    /* connections have ended that should not */
    bool unrated; /* a match that has ended is not rated: that may be, but changes what follows */
};

static char folder[] = "/tmp/ludus-test-XXXXXX";
static struct wanted wanted[STEPS];
static char *wanted_stored; /* what is known after the end and a kill */

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

    if (peer->length + length >= SPACE)
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

/* Writes all that matters of the matches, one a line; only the moves if `brief`. */
static const char *describe(const struct server *server, bool brief)
{
    static char text[SPACE];
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

static const struct limits limits = {.connections = 1000,
                                     .names = 100,
                                     .matches = 20,
                                     .finished = 20,
                                     .errors = 20,
                                     .idle_s = 60,
                                     .text_idle_s = 1800,
                                     .pending_bytes = 1 << 20,
                                     .lines_per_turn = 16,
                                     .grace_s = 120,
                                     .abandon_days = 14,
                                     .bot_stall_s = 600,
                                     .first_line_s = 86400,
                                     .slow_s = 30,
                                     .unfinished = 1000,
                                     .watchers = 100,
                                     .chat_bytes = 1000,
                                     .address_connections = 100};

static void start_server(struct run *run)
{
    struct cause cause = {.text = ""};

    server_init(run->server, &limits);
    run->server->now_ms = run->server->started_ms = 1000;
    run->server->wall_s = 1767225600;
    if (run->store != NULL)
        CHECK_THAT(server_take_up(run->server, run->store, &cause), "%s", cause.text);
}

static void remove_store(void)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal"};
    char path[64];

    for (size_t i = 0; i < LENGTH(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
}

static void open_store(struct run *run)
{
    struct cause cause;

    run->store = store_open(folder, DURABILITY_PROCESS, &cause);
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

/* Does one step, in which memory may run out. Returns who acts, or NULL. */
static struct peer *do_step(struct run *run, const char *step)
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

/* The connections that were closed end now. */
static void free_closed(struct run *run)
{
    for (int i = 0; i < run->peer_count; i++)
        if (run->peers[i].closed)
            leave(run, &run->peers[i]);
}

static bool is_internal(const char *got)
{
    return strstr(got, "nothing was changed") != NULL && strchr(got, '\n') == strrchr(got, '\n');
}

/* Whether all that one was told before his connection was closed belongs to what he was to be told:
 * its first lines, then perhaps an error and a bye. */
static bool is_beginning(const char *got, const char *want)
{
    while (*got != '\0') {
        size_t line = strcspn(got, "\n") + 1;
        if (strncmp(got, want, line) == 0)
            want += line;
        else if (memmem(got, line, "bye", 3) == NULL &&
                 memmem(got, line, "nothing was changed", 19) == NULL)
            return false;
        got += line;
    }
    return true;
}

static bool is_json(const char *got)
{
    while (*got != '\0') {
        cJSON *message = cJSON_Parse(got);
        bool good = cJSON_HasObjectItem(message, "type");
        cJSON_Delete(message);
        if (!good)
            return false;
        got += strcspn(got, "\n") + 1;
    }
    return true;
}

/* Both texts from shortly before where they differ. */
static void check_text_like(const char *got, const char *want, const char *what)
{
    size_t same = 0;

    if (want == NULL)
        want = "";
    while (got[same] != '\0' && got[same] == want[same])
        same++;
    size_t from = same > 40 ? same - 40 : 0;
    CHECK_THAT(got[same] == want[same], "%s: '…%.200s', not '…%.200s'", what, got + from,
               want + from);
}

/* Whether a step has been refused to the one who acts. What happens by itself may be put off. */
static bool is_refused(const struct run *run, int step, const struct peer *actor)
{
    if (strstr(conversation[step], " connects") != NULL)
        return actor->session == NULL;
    if (strchr(conversation[step], '>') != NULL)
        return is_internal(actor->got) && !actor->closed;
    for (int i = 0; i < run->peer_count; i++)
        if (run->peers[i].got[0] != '\0')
            return false;
    return true;
}

/* Whether what somebody was told in the step in which memory ran out is as it should be. */
static bool is_good(const struct run *run, const struct peer *peer, const char *wish, bool may_miss)
{
    if (strcmp(peer->got, wish) == 0 || may_miss)
        return true;
    if (peer->closed)
        return is_beginning(peer->got, wish);
    /* That others have gone is news to him. */
    return run->lost && (strcmp(peer->name, "carl") == 0 || is_json(peer->got));
}

/* Judges the step in which memory ran out. True if it is to be tried again. */
static bool judge(struct run *run, int step, const struct peer *actor, uint64_t piece)
{
    const struct wanted *want = &wanted[step];
    bool refused = is_refused(run, step, actor);
    char what[160];

    for (int i = 0; i < run->peer_count; i++)
        if (run->peers[i].closed && !want->closed[i])
            run->lost = true;
    for (int i = 0; i < run->peer_count; i++) {
        const struct peer *peer = &run->peers[i];
        const char *wish = want->got[i] != NULL ? want->got[i] : "";
        snprintf(what, sizeof what, "piece %llu, '%s': %s was told", (unsigned long long)piece,
                 conversation[step], peer->name);
        if (!is_good(run, peer, wish, refused && (peer == actor || peer->got[0] == '\0')))
            check_text_like(peer->got, wish, what);
    }
    if (!run->lost) {
        snprintf(what, sizeof what, "piece %llu, '%s'%s: the server knows",
                 (unsigned long long)piece, conversation[step], refused ? ", refused" : "");
        check_text_like(describe(run->server, false), refused ? want->before : want->after, what);
    }
    return refused && !run->lost;
}

/* Whether a match was not rated for want of memory; then all states show other ratings. */
static bool is_unrated(const struct run *run, int step)
{
    const struct table *table = lobby_find(&run->server->lobby, "1");

    return strcmp(conversation[step], "anna> move 1 a1b1") == 0 && table != NULL &&
           table->finished && table->rated[WHITE] <= 0;
}

static void check_like_wanted(struct run *run, int step, uint64_t piece)
{
    char what[160];

    for (int i = 0; i < run->peer_count; i++) {
        snprintf(what, sizeof what, "after piece %llu, '%s': %s was told",
                 (unsigned long long)piece, conversation[step], run->peers[i].name);
        check_text_like(run->peers[i].got, wanted[step].got[i], what);
    }
}

/* Tries again what was refused; what was put off comes by itself. */
static void try_again(struct run *run, int step, uint64_t piece)
{
    const char *text = conversation[step];
    bool asked = strchr(text, '>') != NULL || strstr(text, " connects") != NULL;

    do_step(run, asked ? text : "wait 1000");
    check_like_wanted(run, step, piece);
}

/* Ends the server without warning, and starts another with what the store has. */
static void kill_and_check(struct run *run, uint64_t piece)
{
    char *before = strdup(describe(run->server, true));

    run->server->store = NULL; /* what it does now is written no more */
    server_shutdown(run->server);
    for (int i = 0; i < run->peer_count; i++)
        leave(run, &run->peers[i]);
    server_release(run->server);
    store_close(run->store);
    open_store(run);
    start_server(run);
    if (wanted_stored == NULL)
        wanted_stored = strdup(describe(run->server, false));
    else if (!run->lost && !run->unrated)
        CHECK_THAT(strcmp(describe(run->server, false), wanted_stored) == 0,
                   "piece %llu: the store has '%s', not '%s'", (unsigned long long)piece,
                   describe(run->server, false), wanted_stored);
    else
        CHECK_THAT(strlen(describe(run->server, true)) == strlen(before),
                   "piece %llu: the store has '%s', not '%s'", (unsigned long long)piece,
                   describe(run->server, true), before);
    free(before);
}

static void begin(struct run *run, bool stored)
{
    memset(run, 0, sizeof *run);
    run->server = malloc(sizeof *run->server);
    if (run->server == NULL)
        abort();
    if (stored)
        open_store(run);
    start_server(run);
    *starve() = (struct starve){0};
}

static void end(struct run *run, uint64_t piece)
{
    if (run->store != NULL)
        kill_and_check(run, piece);
    server_shutdown(run->server);
    for (int i = 0; i < run->peer_count; i++)
        leave(run, &run->peers[i]);
    server_release(run->server);
    free(run->server);
    store_close(run->store);
    if (run->store != NULL)
        remove_store();
}

/* The conversation without faults. Returns how many pieces of memory it takes. */
static uint64_t learn(bool stored)
{
    static struct run run;

    begin(&run, stored);
    for (int step = 0; step < (int)STEPS; step++) {
        struct wanted *want = &wanted[step];
        want->before = strdup(describe(run.server, false));
        do_step(&run, conversation[step]);
        want->after = strdup(describe(run.server, false));
        for (int i = 0; i < run.peer_count; i++) {
            want->got[i] = strdup(run.peers[i].got);
            want->closed[i] = run.peers[i].closed;
        }
        free_closed(&run);
        want->seen = atomic_load(&starve()->seen);
    }
    uint64_t seen = atomic_load(&starve()->seen);
    end(&run, 0);
    return seen;
}

static void forget(void)
{
    for (int step = 0; step < (int)STEPS; step++) {
        free(wanted[step].before);
        free(wanted[step].after);
        for (int i = 0; i < PEERS_MAX; i++)
            free(wanted[step].got[i]);
    }
    memset(wanted, 0, sizeof wanted);
    free(wanted_stored);
    wanted_stored = NULL;
}

/* The conversation, in which that piece of memory is not given, nor, if `lasting`, any other until
 * the step is over. */
static void try(uint64_t piece, bool lasting, bool stored)
{
    static struct run run;
    bool judged = false;

    begin(&run, stored);
    atomic_store(&starve()->first, piece);
    atomic_store(&starve()->last, lasting ? UINT64_MAX : piece);
    for (int step = 0; step < (int)STEPS && !run.lost && !run.unrated; step++) {
        const struct peer *actor = do_step(&run, conversation[step]);
        run.unrated = is_unrated(&run, step);
        if (run.unrated) {
            judged = true;
        } else if (judged || atomic_load(&starve()->failed) == 0) {
            check_like_wanted(&run, step, piece);
        } else {
            judged = true;
            atomic_store(&starve()->first, UINT64_MAX);
            if (judge(&run, step, actor, piece))
                try_again(&run, step, piece);
        }
        free_closed(&run);
    }
    CHECK_THAT(judged, "piece %llu was asked for", (unsigned long long)piece);
    end(&run, piece);
}

static void try_all(bool stored, uint64_t every)
{
    learn(stored); /* the C library takes some memory for itself, but only once */
    forget();
    uint64_t pieces = learn(stored);

    check_about(stored ? "with a store" : "in memory");
    printf("%s: %llu pieces of memory\n", stored ? "with a store" : "in memory",
           (unsigned long long)pieces);
    for (uint64_t piece = 1; piece <= pieces; piece += every) {
        try(piece, false, stored);
        if (!stored)
            try(piece, true, stored);
    }
    forget();
}

int main(int argc, char *argv[])
{
    struct cause cause;
    long every = 0;

    if (argc > 1 && !number_parse(argv[1], strlen(argv[1]), 1, 10000, &every))
        return 2;
    if (mkdtemp(folder) == NULL || !log_to_file("/dev/null", &cause))
        abort();
    try_all(false, every > 0 ? (uint64_t)every : 11);
    try_all(true, every > 0 ? (uint64_t)every : 97);
    rmdir(folder);
    log_close();
    return check_end("test_memory");
}
