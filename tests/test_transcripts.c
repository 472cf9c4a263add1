/*
 * Conversations with the server, replayed in memory: the .txt files of tests/transcripts and the
 * blocks of protocol.md marked as transcripts. The lines are
 *
 *     set NAME=VALUE          an option of ludusd: code, bots, or one that sets a limit
 *     anna connects           begins a session; its greeting is the first line it gets
 *     anna connects from A    begins a session from an IPv4 or IPv6 address
 *     anna connects from A to B   ... to the server's address B
 *     anna> LINE              it sends a line; \xNN stands for a byte
 *     anna repeats N LINE     it sends a line N times, in which % is the number of the time
 *     anna< {...}             the next line it got: an object that has at least these members
 *     anna| TEXT              the next line it got, in text format, exactly
 *     anna skips N            ignores the next N lines it got
 *     anna is closed          the server has closed the connection
 *     anna leaves             the connection ends
 *     wait MS                 time passes, and due events happen at their times
 *     the server is killed    and restarted, which disconnects everyone (with a store only)
 *     the server is stopped   properly, and restarted
 *     the machine is off for N days, then it and the server are restarted
 *     the disk is full        all writes fail, until
 *     the disk has room
 *     # ...                   a comment
 *
 * In the expected JSON "*" stands for any value, "!" for a missing member, and "$x" for a text: its
 * first use stores the text, later uses must equal it, and in a sent line it is replaced. Every
 * line that a session gets must be expected. In protocol.md a line must have exactly the members
 * shown.
 *
 * Every conversation runs four times: with and without a store, and each with a keeper that
 * answers at once and one that answers late, as if shared by many servers. Those in
 * tests/transcripts/memory run only without a store, those in tests/transcripts/store only with
 * one.
 *
 * test_transcripts --engine CONNINFO FILE runs one on PostgreSQL, in a database of its own
 * (cluster/engine_transcripts.py).
 */
#include <arpa/inet.h>
#include <cjson/cJSON.h>
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "common/message.h"
#include "common/number.h"
#include "keeper_fake.h"
#include "server/boot/options.h"
#include "server/keep/postgres/postgres.h"
#include "server/keep/store.h"
#include "server/net/address.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "test_limits.h"

enum {
    START_MS = 1000,
    START_S = 1767225600, /* 2026-01-01T00:00:00Z */
    ENGINE_WAIT_MS = 20,
    ENGINE_WAITS = 500
};
/* The ways to run a conversation. */
enum keeping { IN_MEMORY, STORED, SHARED_IN_MEMORY, SHARED_STORED, ON_ENGINE };

enum { PEERS_MAX = 128, NAMES_MAX = 32, LINE_MAX_BYTES = 8192 };

struct peer {
    char name[32];
    struct session *session; /* NULL: it has left */
    char *output;            /* its output, not yet checked */
    size_t length;
    bool closed;
    bool woken;
    char line[LINE_MAX_BYTES]; /* the sleeping line */
    size_t line_length;        /* 0: none */
};

struct capture {
    char name[16], value[64];
};

struct script {
    const char *path;
    int line;
    bool exact; /* no other members than those shown */
    struct server *server;
    enum keeping keeping;
    struct keeper *store;    /* NULL: none */
    struct keeper memory;    /* used without a store */
    struct keeper_fake fake; /* in front of either, for a shared keeper */
    time_t start_s;          /* the calendar time when the monotonic clock stood at START_MS */
    struct peer peers[PEERS_MAX];
    int peer_count;
    struct capture captures[NAMES_MAX];
    int capture_count;
};

static void peer_write(void *context, const char *bytes, size_t length)
{
    struct peer *peer = context;

    peer->output = realloc(peer->output, peer->length + length + 1);
    if (peer->output == NULL)
        abort();
    memcpy(peer->output + peer->length, bytes, length);
    peer->length += length;
    peer->output[peer->length] = '\0';
}

static void peer_close(void *context)
{
    ((struct peer *)context)->closed = true;
}

static void peer_wake(void *context)
{
    ((struct peer *)context)->woken = true;
}

static struct sink peer_sink(struct peer *peer)
{
    return (struct sink){peer, peer_write, peer_close, peer_wake, NULL, NULL};
}

/* Resumes a woken peer. Returns whether there was one. */
static bool resume_peer(struct peer *peer)
{
    bool woken = peer->woken && peer->session != NULL;

    peer->woken = false;
    if (woken && peer->line_length > 0 &&
        dispatch_line(peer->session, peer->line, peer->line_length))
        peer->line_length = 0;
    else if (woken && peer->line_length == 0)
        dispatch_resume(peer->session);
    return woken;
}

/* Waits briefly for the engine, and takes what it answers. */
static void work(struct script *script)
{
    const struct keeper_kind *kind = script->store->kind;
    struct pollfd descriptor = {.fd = kind->descriptor(script->store), .events = POLLIN};

    poll(&descriptor, 1, ENGINE_WAIT_MS);
    kind->work(script->store, script->server->now_ms);
}

/* Lets the engine answer all that it was asked. Returns whether it was asked anything. */
static bool hear_engine(struct script *script)
{
    const struct postgres *postgres = (const struct postgres *)script->store;
    bool asked = postgres_is_busy(postgres);

    for (int waits = 0; postgres_is_busy(postgres) && waits < ENGINE_WAITS; waits++)
        work(script);
    return asked;
}

/* Has the server know which servers there are, so that it tells nobody later. */
static void find_nodes(struct script *script)
{
    server_tick(script->server);
    for (int waits = 0; script->server->nodes.count == 0 && waits < ENGINE_WAITS; waits++)
        work(script);
}

/* Ends the turn with all its consequences. */
static void end_turn(struct script *script)
{
    bool goes_on = true;

    while (goes_on) {
        server_end_turn(script->server);
        goes_on = script->fake.inner != NULL && keeper_fake_answer(&script->fake);
        if (script->keeping == ON_ENGINE)
            goes_on = hear_engine(script);
        for (int i = 0; i < script->peer_count; i++)
            goes_on = resume_peer(&script->peers[i]) || goes_on;
    }
}

static bool fail(const struct script *script, const char *what, const char *text)
{
    return check_at(script->path, script->line, false, "%s: %s", what, text);
}

static struct peer *find_peer(struct script *script, const char *name, size_t length)
{
    for (int i = 0; i < script->peer_count; i++)
        if (strlen(script->peers[i].name) == length &&
            memcmp(script->peers[i].name, name, length) == 0)
            return &script->peers[i];
    return NULL;
}

static bool read_address(const char *text, struct sockaddr_storage *address)
{
    struct sockaddr_in *in = (void *)address;
    struct sockaddr_in6 *in6 = (void *)address;

    memset(address, 0, sizeof *address);
    address->ss_family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
    return inet_pton(address->ss_family, text,
                     in6->sin6_family == AF_INET6 ? (void *)&in6->sin6_addr
                                                  : (void *)&in->sin_addr) == 1;
}

/* Begins a session as a listener does, unless that would refuse. */
static void open_session_from(struct script *script, struct peer *peer, const char *address)
{
    struct server *server = script->server;
    struct sockaddr_storage from, to = {.ss_family = AF_UNSPEC};
    char texts[2][64] = {"", ""};

    int count = sscanf(address, "%63s to %63s", texts[0], texts[1]);
    if (count < 1 || !read_address(texts[0], &from) ||
        (count == 2 && !read_address(texts[1], &to))) {
        fail(script, "no address", address);
        return;
    }
    struct origin_key key = address_key((struct sockaddr *)&from, (struct sockaddr *)&to);
    struct origin *origin = origins_enter(&server->origins, &key);
    if (!rate_limit_is_full(server) && rate_limit_may_connect(server, origin))
        peer->session = presence_open(server, peer_sink(peer), origin);
    if (peer->session == NULL)
        origins_leave(&server->origins, origin);
    peer->closed = peer->session == NULL;
}

static void connect_peer(struct script *script, const char *name, size_t length)
{
    struct peer *peer = find_peer(script, name, length);

    if (peer == NULL && script->peer_count < PEERS_MAX) {
        peer = &script->peers[script->peer_count++];
        snprintf(peer->name, sizeof peer->name, "%.*s", (int)length, name);
    }
    if (peer == NULL || peer->session != NULL) {
        fail(script, "cannot connect", name);
        return;
    }
    peer->closed = false;
    const char *rest = name + length + strlen(" connects");
    if (strncmp(rest, " from ", 6) == 0)
        open_session_from(script, peer, rest + 6);
    else
        peer->session = presence_open(script->server, peer_sink(peer), NULL);
}

static void leave_peer(struct script *script, struct peer *peer)
{
    if (peer->session != NULL)
        presence_free(peer->session);
    peer->session = NULL;
    peer->line_length = 0;
    end_turn(script);
}

/* Takes the next line of the peer's output without its end. Returns false when there is none. */
static bool take_line(struct peer *peer, char line[LINE_MAX_BYTES])
{
    const char *end = peer->length > 0 ? strchr(peer->output, '\n') : NULL;

    if (end == NULL)
        return false;
    size_t length = (size_t)(end - peer->output);
    snprintf(line, LINE_MAX_BYTES, "%.*s", (int)length, peer->output);
    peer->length -= length + 1;
    memmove(peer->output, end + 1, peer->length + 1);
    return true;
}

static struct capture *find_capture(struct script *script, const char *name, size_t length)
{
    for (int i = 0; i < script->capture_count; i++)
        if (strlen(script->captures[i].name) == length &&
            memcmp(script->captures[i].name, name, length) == 0)
            return &script->captures[i];
    return NULL;
}

/* "$x" matches its text; without one it stands for this text from now on. */
static bool match_capture(struct script *script, const char *name, const char *got)
{
    struct capture *capture = find_capture(script, name, strlen(name));

    if (capture != NULL)
        return strcmp(capture->value, got) == 0;
    if (script->capture_count == NAMES_MAX)
        return false;
    capture = &script->captures[script->capture_count++];
    snprintf(capture->name, sizeof capture->name, "%s", name);
    snprintf(capture->value, sizeof capture->value, "%s", got);
    return true;
}

static bool matches(struct script *script, const cJSON *want, const cJSON *got)
{
    const char *text = cJSON_GetStringValue(want);
    const cJSON *member;

    if (got == NULL || (text != NULL && strcmp(text, "!") == 0))
        return got == NULL && text != NULL && strcmp(text, "!") == 0;
    if (text != NULL && strcmp(text, "*") == 0)
        return true;
    if (text != NULL && text[0] == '$')
        return cJSON_IsString(got) && match_capture(script, text + 1, got->valuestring);
    if (!cJSON_IsObject(want) && !cJSON_IsArray(want))
        return cJSON_Compare(want, got, true);
    if ((want->type & 0xff) != (got->type & 0xff))
        return false;
    if ((script->exact || cJSON_IsArray(want)) &&
        cJSON_GetArraySize(want) != cJSON_GetArraySize(got))
        return false;
    int index = 0;
    cJSON_ArrayForEach (member, want) {
        const cJSON *other = cJSON_IsArray(want)
                                 ? cJSON_GetArrayItem(got, index++)
                                 : cJSON_GetObjectItemCaseSensitive(got, member->string);
        if (!matches(script, member, other))
            return false;
    }
    return true;
}

static void expect_json(struct script *script, struct peer *peer, const char *text)
{
    char line[LINE_MAX_BYTES] = "";
    cJSON *want = cJSON_Parse(text);

    if (want == NULL) {
        fail(script, "no JSON", text);
        return;
    }
    if (!take_line(peer, line)) {
        fail(script, "got nothing, expected", text);
    } else {
        cJSON *got = cJSON_Parse(line);
        check_at(script->path, script->line, matches(script, want, got), "%s got: %s", peer->name,
                 line);
        cJSON_Delete(got);
    }
    cJSON_Delete(want);
}

static void expect_text(struct script *script, struct peer *peer, const char *text)
{
    char line[LINE_MAX_BYTES];

    if (!take_line(peer, line))
        fail(script, "got nothing, expected", text);
    else
        check_text_at(script->path, script->line, peer->name, line, text);
}

/* Sends a line, with \xNN and $x replaced. */
static void send_line(struct script *script, struct peer *peer, const char *text)
{
    char line[LINE_MAX_BYTES];
    size_t length = 0;

    while (*text != '\0' && length < sizeof line - 64) {
        unsigned byte;
        size_t name = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz");
        struct capture *capture = *text == '$' ? find_capture(script, text + 1, name) : NULL;
        if (capture != NULL) {
            length += (size_t)snprintf(line + length, 64, "%s", capture->value);
            text += 1 + name;
        } else if (sscanf(text, "\\x%2x", &byte) == 1) {
            line[length++] = (char)byte;
            text += 4;
        } else {
            line[length++] = *text++;
        }
    }
    if (peer->session == NULL)
        fail(script, "has left", peer->name);
    else if (length >= LINE_BYTES_MAX)
        dispatch_too_long(peer->session);
    else if (!dispatch_line(peer->session, line, length)) {
        memcpy(peer->line, line, length);
        peer->line_length = length;
    }
    end_turn(script);
}

/* Sets a limit, as a reload does, but to any number. */
static bool set_limit(struct server *server, const struct option_row *row, const char *value)
{
    struct options options = {.limits = server->limits};
    struct cause cause;
    long number;

    if (row == NULL || !row->live)
        return false;
    if (row->kind == OPTION_NUMBER && number_parse(value, strlen(value), 0, 1000000, &number))
        *(int *)((char *)&options + row->offset) = (int)number;
    else if (!option_set(&options, row, value, &cause))
        return false;
    server_set_limits(server, &options.limits);
    return true;
}

static void change_setting(struct script *script, const char *text)
{
    const char *value = strchr(text, '=') + 1;
    char name[32];

    snprintf(name, sizeof name, "%.*s", (int)(value - text) - 1, text);
    if (strcmp(name, "code") == 0) {
        snprintf(script->server->code, CODE_TEXT_MAX, "%s", value);
    } else if (strcmp(name, "bots") == 0) {
        house_bots_add_levels(&script->server->house, value);
        server_add_levels(script->server);
    } else if (!set_limit(script->server, option_find(name), value)) {
        fail(script, "no such setting", text);
    }
}

static void skip_lines(struct script *script, struct peer *peer, const char *count_text)
{
    char line[LINE_MAX_BYTES];
    long count;

    if (!number_parse(count_text, strlen(count_text), 1, 100000, &count)) {
        fail(script, "no number", count_text);
        return;
    }
    while (count > 0 && take_line(peer, line))
        count--;
    check_at(script->path, script->line, count == 0, "%ld lines are missing", count);
}

/* "N LINE" */
static void repeat_line(struct script *script, struct peer *peer, const char *text)
{
    size_t digits = strcspn(text, " ");
    long count;

    if (text[digits] == '\0' || !number_parse(text, digits, 1, 100000, &count)) {
        fail(script, "no number and line", text);
        return;
    }
    for (long i = 1; i <= count; i++) {
        char line[LINE_BYTES_MAX];
        const char *place = strchr(text, '%');
        if (place == NULL)
            snprintf(line, sizeof line, "%s", text + digits + 1);
        else
            snprintf(line, sizeof line, "%.*s%ld%s", (int)(place - text - (long)digits - 1),
                     text + digits + 1, i, place + 1);
        send_line(script, peer, line);
    }
}

static void run_peer_line(struct script *script, struct peer *peer, const char *rest)
{
    const char *text = rest + 1 + (rest[0] != '\0' && rest[1] == ' ');

    if (rest[0] == '>')
        send_line(script, peer, text);
    else if (rest[0] == '<')
        expect_json(script, peer, text);
    else if (rest[0] == '|')
        expect_text(script, peer, text);
    else if (strcmp(rest, " leaves") == 0)
        leave_peer(script, peer);
    else if (strcmp(rest, " is closed") == 0)
        check_at(script->path, script->line, peer->closed, "%s is not closed", peer->name);
    else if (strncmp(rest, " skips ", 7) == 0)
        skip_lines(script, peer, rest + 7);
    else if (strncmp(rest, " repeats ", 9) == 0)
        repeat_line(script, peer, rest + 9);
    else
        fail(script, "not understood", rest);
}

static char folder[] = "/tmp/ludus-test-XXXXXX"; /* of the store */
static const char *engine;                       /* where PostgreSQL is; NULL: not used */

/* Starts the server, with the contents of the store if there is one. */
static void start_server(struct script *script, int64_t now_ms, time_t wall_s)
{
    struct cause cause;

    server_init(script->server, &test_limits);
    script->server->now_ms = script->server->started_ms = now_ms;
    script->server->wall_s = wall_s;
    struct keeper *keeper = script->store;
    if (script->keeping == SHARED_IN_MEMORY || script->keeping == SHARED_STORED) {
        script->memory = keeper_none();
        keeper_fake_init(&script->fake, keeper != NULL ? keeper : &script->memory);
        script->fake.stale_at_first = true;
        keeper = &script->fake.keeper;
    }
    if (keeper != NULL && !server_take_up(script->server, keeper, &cause))
        fail(script, "the store", cause.text);
    end_turn(script);
    if (script->keeping == ON_ENGINE)
        find_nodes(script);
}

static void free_peers(struct script *script)
{
    for (int i = 0; i < script->peer_count; i++)
        leave_peer(script, &script->peers[i]);
}

/* Ends the server and starts it again at that time. */
static void restart_server(struct script *script, bool in_order, int64_t now_ms, time_t wall_s)
{
    struct server *server = script->server;

    if (script->store == NULL) {
        fail(script, "no store", "the server cannot start again");
        return;
    }
    if (!in_order)
        server->keeper = &server->memory; /* later changes are not stored */
    server_shutdown(server);
    for (int i = 0; i < script->peer_count; i++)
        script->peers[i].length = 0;
    free_peers(script);
    server_release(server);
    script->start_s = wall_s - (now_ms - START_MS) / 1000;
    start_server(script, now_ms, wall_s);
}

static void restart_soon(struct script *script, bool in_order)
{
    restart_server(script, in_order, script->server->now_ms + 10000, script->server->wall_s + 10);
}

/* Limits the size of files to zero, so that writes fail. */
static void fill_disk(bool full)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = full ? 0 : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void set_now(struct script *script, int64_t now_ms)
{
    script->server->now_ms = now_ms;
    script->server->wall_s = script->start_s + (now_ms - START_MS) / 1000;
}

/* Lets time pass, stopping at each deadline on the way. */
static void pass_time(struct script *script, int64_t ms)
{
    struct server *server = script->server;
    int64_t until_ms = server->now_ms + ms, next_ms;

    while ((next_ms = server_next_deadline_ms(server)) >= 0 && next_ms <= until_ms) {
        if (next_ms > server->now_ms)
            set_now(script, next_ms);
        server_run_deadlines(server);
        end_turn(script);
    }
    set_now(script, until_ms);
    server_tick(server);
    end_turn(script);
}

static void run_line(struct script *script, const char *line)
{
    size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789");
    struct peer *peer = find_peer(script, line, name);
    long ms, days;

    if (line[0] == '\0' || line[0] == '#')
        return;
    check_about("%.60s", line);
    if (strcmp(line + name, " connects") == 0 || strncmp(line + name, " connects from ", 15) == 0) {
        connect_peer(script, line, name);
    } else if (strncmp(line, "set ", 4) == 0 && strchr(line, '=') != NULL) {
        change_setting(script, line + 4);
    } else if (strncmp(line, "wait ", 5) == 0 &&
               number_parse(line + 5, strlen(line + 5), 1, 10000000000, &ms)) {
        pass_time(script, ms);
    } else if (strcmp(line, "the server is killed") == 0) {
        restart_soon(script, false);
    } else if (strcmp(line, "the server is stopped") == 0) {
        restart_soon(script, true);
    } else if (sscanf(line, "the machine is off for %ld days", &days) == 1) {
        restart_server(script, true, START_MS, script->server->wall_s + days * 86400);
    } else if (strcmp(line, "the disk is full") == 0 || strcmp(line, "the disk has room") == 0) {
        fill_disk(line[strlen("the disk ")] == 'i');
    } else if (peer != NULL) {
        run_peer_line(script, peer, line + name);
    } else {
        fail(script, "not understood", line);
    }
}

static void script_begin(struct script *script, const char *path, bool exact, enum keeping keeping)
{
    struct cause cause;

    memset(script, 0, sizeof *script);
    script->path = path;
    script->exact = exact;
    script->server = malloc(sizeof *script->server);
    if (script->server == NULL)
        abort();
    script->keeping = keeping;
    if (keeping == STORED || keeping == SHARED_STORED) {
        struct store *store = store_open(folder, DURABILITY_PROCESS, NULL, &cause);
        check_at(path, 0, store != NULL, "no store: %s", cause.text);
        script->store = store != NULL ? keeper_sqlite(store) : NULL;
    }
    if (keeping == ON_ENGINE) {
        script->store = keeper_postgres(engine, &(struct node){1, "127.0.0.1:1"}, 5, &cause);
        check_at(path, 0, script->store != NULL, "no engine: %s", cause.text);
    }
    script->start_s = START_S;
    start_server(script, START_MS, START_S);
}

static void remove_store(struct script *script)
{
    static const char *const names[] = {"ludus.db", "ludus.db-wal", "archive/2026-01.pgn",
                                        "archive/2026-02.pgn", "archive"};
    char path[sizeof folder + 32];

    script->store->kind->close(script->store);
    for (size_t i = 0; i < LENGTH(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
}

static void script_end(struct script *script)
{
    for (int i = 0; i < script->peer_count; i++) {
        struct peer *peer = &script->peers[i];
        check_at(script->path, script->line, peer->length == 0, "%s got more: %s", peer->name,
                 peer->length > 0 ? peer->output : "");
    }
    server_shutdown(script->server); /* so that nothing more is sent while they leave */
    free_peers(script);
    for (int i = 0; i < script->peer_count; i++)
        free(script->peers[i].output);
    server_release(script->server);
    free(script->server);
    if (script->store != NULL)
        remove_store(script);
}

static FILE *open_script(const char *path)
{
    FILE *file = fopen(path, "r");

    check_at(path, 0, file != NULL, "cannot be read");
    return file;
}

static void run_file(const char *path, enum keeping keeping)
{
    static struct script script;
    char line[LINE_MAX_BYTES];
    FILE *file = open_script(path);

    if (file == NULL)
        return;
    script_begin(&script, path, false, keeping);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        script.line++;
        run_line(&script, line);
    }
    script_end(&script);
    fclose(file);
}

/* Runs each block ```transcript of a page as a script, and returns the number of blocks. */
static int run_page(const char *path, enum keeping keeping)
{
    static struct script script;
    char line[LINE_MAX_BYTES];
    bool inside = false;
    int number = 0, blocks = 0;
    FILE *file = open_script(path);

    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        number++;
        if (!inside && strcmp(line, "```transcript") == 0) {
            script_begin(&script, path, true, keeping);
            inside = true;
            blocks++;
        } else if (inside && strcmp(line, "```") == 0) {
            script_end(&script);
            inside = false;
        } else if (inside) {
            script.line = number;
            run_line(&script, line);
        }
    }
    fclose(file);
    return blocks;
}

static int is_script(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

/* Runs every conversation in a directory, with a store, without one, or both. */
static void run_folder(const char *name, bool in_memory, bool stored)
{
    struct dirent **entries;
    int count = scandir(name, &entries, is_script, alphasort);

    CHECK_THAT(count > 0, "no transcripts in %s", name);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", name, entries[i]->d_name);
        if (in_memory)
            run_file(path, IN_MEMORY);
        if (in_memory)
            run_file(path, SHARED_IN_MEMORY);
        if (stored)
            run_file(path, STORED);
        if (stored)
            run_file(path, SHARED_STORED);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

int main(int argc, char *argv[])
{
    if (argc == 4 && strcmp(argv[1], "--engine") == 0) {
        engine = argv[2];
        run_file(argv[3], ON_ENGINE);
        return check_end("test_transcripts");
    }
    signal(SIGXFSZ, SIG_IGN);
    if (mkdtemp(folder) == NULL)
        abort();
    run_folder("tests/transcripts", true, true);
    run_folder("tests/transcripts/memory", true, false);
    run_folder("tests/transcripts/store", false, true);
    check_about("transcripts in protocol.md");
    for (enum keeping keeping = IN_MEMORY; keeping <= SHARED_STORED; keeping++)
        CHECK(run_page("protocol.md", keeping) > 0);
    rmdir(folder);
    return check_end("test_transcripts");
}
