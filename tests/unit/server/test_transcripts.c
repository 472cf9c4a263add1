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
 * test_transcripts --messages PIPE writes all that the server has said to PIPE (the disk is full in
 * some), for the check against the schema (tcp/test_schema.py).
 *
 * test_transcripts --engine CONNINFO FILE runs one on PostgreSQL, in a database of its own
 * (cluster/engine_transcripts.py).
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "common/message.h"
#include "common/text.h"
#include "json_pattern.h"
#include "server/boot/server_options.h"
#include "server/play/lifecycle.h"
#include "transcript_machine.h"

struct script {
    const char *path;
    int line;
    bool exact; /* no other members than those shown */
    struct machine machine;
    struct captures captures;
};

/* The folder of the stores, or how to connect to PostgreSQL. */
static const char *kept_at;

static bool fail(const struct script *script, const char *what, const char *text)
{
    return check_at(script->path, script->line, false, "%s: %s", what, text);
}

static struct peer *find_peer(struct script *script, const char *name, size_t length)
{
    struct peer *peers = script->machine.peers;

    for (int i = 0; i < script->machine.peer_count; i++)
        if (strlen(peers[i].name) == length && memcmp(peers[i].name, name, length) == 0)
            return &peers[i];
    return NULL;
}

static void connect_peer(struct script *script, const char *name, size_t length)
{
    struct machine *machine = &script->machine;
    struct peer *peer = find_peer(script, name, length);

    if (peer == NULL && machine->peer_count < PEERS_MAX) {
        peer = &machine->peers[machine->peer_count++];
        snprintf(peer->name, sizeof peer->name, "%.*s", (int)length, name);
    }
    if (peer == NULL || peer->session != NULL) {
        fail(script, "cannot connect", name);
        return;
    }
    const char *rest = name + length + strlen(" connects");
    if (strncmp(rest, " from ", 6) != 0)
        peer_open(peer, machine->server);
    else if (!peer_open_from(peer, machine->server, rest + 6))
        fail(script, "no address", rest);
}

static void expect_json(struct script *script, struct peer *peer, const char *text)
{
    char line[LINE_MAX_BYTES] = "";
    cJSON *want = cJSON_Parse(text);

    if (want == NULL) {
        fail(script, "no JSON", text);
        return;
    }
    if (!peer_take_line(peer, line)) {
        fail(script, "got nothing, expected", text);
    } else {
        cJSON *got = cJSON_Parse(line);
        check_at(script->path, script->line,
                 json_matches(want, got, script->exact, &script->captures), "%s got: %s",
                 peer->name, line);
        cJSON_Delete(got);
    }
    cJSON_Delete(want);
}

static void expect_text(struct script *script, struct peer *peer, const char *text)
{
    char line[LINE_MAX_BYTES];

    if (!peer_take_line(peer, line))
        fail(script, "got nothing, expected", text);
    else
        check_text_at(script->path, script->line, peer->name, line, text);
}

/* Sends a line, with \xNN and $x replaced. */
static void send_line(struct script *script, struct peer *peer, const char *text)
{
    char line[LINE_MAX_BYTES];
    size_t length = captures_fill_in(&script->captures, text, line, sizeof line);

    if (peer->session == NULL)
        fail(script, "has left", peer->name);
    else
        peer_send(peer, line, length);
    machine_end_turn(&script->machine);
}

/* Sets a limit, as a reload does, but to any number. */
static bool set_limit(struct server *server, const struct option_row *row, const char *value)
{
    struct server_options options = {.limits = server->limits};
    struct cause cause;
    long number;

    if (row == NULL || !row->live)
        return false;
    if (row->kind == OPTION_NUMBER && number_parse(value, strlen(value), 0, 1000000, &number))
        *(int *)((char *)&options + row->offset) = (int)number;
    else if (!option_set(row, &options, value, SOURCE_FILE, &cause))
        return false;
    server_set_limits(server, &options.limits);
    return true;
}

static void change_setting(struct script *script, const char *text)
{
    struct server *server = script->machine.server;
    const char *value = strchr(text, '=') + 1;
    char name[32];

    snprintf(name, sizeof name, "%.*s", (int)(value - text) - 1, text);
    if (strcmp(name, "code") == 0) {
        snprintf(server->code, CODE_TEXT_MAX, "%s", value);
    } else if (strcmp(name, "bots") == 0) {
        house_bots_add_levels(&server->house, value);
        server_add_levels(server);
    } else if (!set_limit(server, option_find(server_option_rows, name), value)) {
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
    while (count > 0 && peer_take_line(peer, line))
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
        machine_disconnect(&script->machine, peer);
    else if (strcmp(rest, " is closed") == 0)
        check_at(script->path, script->line, peer->closed, "%s is not closed", peer->name);
    else if (strncmp(rest, " skips ", 7) == 0)
        skip_lines(script, peer, rest + 7);
    else if (strncmp(rest, " repeats ", 9) == 0)
        repeat_line(script, peer, rest + 9);
    else
        fail(script, "not understood", rest);
}

/* Runs a line about the machine. False when it is none. */
static bool run_machine_line(struct script *script, const char *line)
{
    struct machine *machine = &script->machine;
    struct cause cause = {""};
    bool started = true;
    long ms, days;

    if (strncmp(line, "wait ", 5) == 0 &&
        number_parse(line + 5, strlen(line + 5), 1, 10000000000, &ms))
        machine_pass_time(machine, ms);
    else if (strcmp(line, "the server is killed") == 0)
        started = machine_restart(machine, false, &cause);
    else if (strcmp(line, "the server is stopped") == 0)
        started = machine_restart(machine, true, &cause);
    else if (sscanf(line, "the machine is off for %ld days", &days) == 1)
        started = machine_turn_off(machine, days, &cause);
    else if (strcmp(line, "the disk is full") == 0 || strcmp(line, "the disk has room") == 0)
        machine_fill_disk(line[strlen("the disk ")] == 'i');
    else
        return false;
    if (!started)
        fail(script, line, cause.text);
    return true;
}

static void run_line(struct script *script, const char *line)
{
    size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789");
    struct peer *peer = find_peer(script, line, name);

    if (line[0] == '\0' || line[0] == '#')
        return;
    check_about("%.60s", line);
    if (strcmp(line + name, " connects") == 0 || strncmp(line + name, " connects from ", 15) == 0)
        connect_peer(script, line, name);
    else if (strncmp(line, "set ", 4) == 0 && strchr(line, '=') != NULL)
        change_setting(script, line + 4);
    else if (run_machine_line(script, line))
        return;
    else if (peer != NULL)
        run_peer_line(script, peer, line + name);
    else
        fail(script, "not understood", line);
}

static void script_begin(struct script *script, const char *path, bool exact, enum keeping keeping)
{
    struct cause cause = {""};

    script->path = path;
    script->line = 0;
    script->exact = exact;
    script->captures.count = 0;
    check_at(path, 0, machine_begin(&script->machine, keeping, kept_at, &cause), "%s", cause.text);
}

static void script_end(struct script *script)
{
    for (int i = 0; i < script->machine.peer_count; i++) {
        const struct peer *peer = &script->machine.peers[i];
        check_at(script->path, script->line, peer->length == 0, "%s got more: %s", peer->name,
                 peer->length > 0 ? peer->output : "");
    }
    machine_end(&script->machine);
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

/* Runs every conversation in a directory, in these ways. */
static void run_folder(const char *name, enum keeping first, enum keeping last)
{
    struct dirent **entries;
    int count = scandir(name, &entries, is_script, alphasort);

    CHECK_THAT(count > 0, "no transcripts in %s", name);
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", name, entries[i]->d_name);
        for (enum keeping keeping = first; keeping <= last; keeping++)
            run_file(path, keeping);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

int main(int argc, char *argv[])
{
    char folder[] = "/tmp/ludus-test-XXXXXX";

    if (argc == 4 && strcmp(argv[1], "--engine") == 0) {
        kept_at = argv[2];
        run_file(argv[3], ON_ENGINE);
        return check_end("test_transcripts");
    }
    FILE *messages = argc == 3 && strcmp(argv[1], "--messages") == 0 ? fopen(argv[2], "w") : NULL;
    peer_record(messages);
    signal(SIGXFSZ, SIG_IGN);
    kept_at = mkdtemp(folder);
    if (kept_at == NULL)
        abort();
    /* Who wants the messages needs each conversation once. */
    bool once = messages != NULL;
    run_folder("tests/transcripts", IN_MEMORY, once ? IN_MEMORY : SHARED_STORED);
    run_folder("tests/transcripts/memory", IN_MEMORY, once ? IN_MEMORY : SHARED_IN_MEMORY);
    run_folder("tests/transcripts/store", STORED, once ? STORED : SHARED_STORED);
    check_about("transcripts in protocol.md");
    for (enum keeping keeping = IN_MEMORY; keeping <= (once ? IN_MEMORY : SHARED_STORED); keeping++)
        CHECK(run_page("protocol.md", keeping) > 0);
    rmdir(folder);
    if (messages != NULL)
        fclose(messages);
    return check_end("test_transcripts");
}
