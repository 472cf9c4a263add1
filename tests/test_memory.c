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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "common/number.h"
#include "faults/conversation.h"
#include "faults/starve.h"
#include "server/log.h"

enum { STEPS_MAX = 200 };

/* What a step without faults has led to. */
struct wanted {
    char *got[PEERS_MAX];
    bool closed[PEERS_MAX];
    char *before, *after; /* what the server knew */
};

/* One time through the conversation, in which memory runs out. */
struct trial {
    struct run run;
    uint64_t piece;
    bool lost;    /* connections have ended that should not */
    bool unrated; /* a match that has ended is not rated: that may be, but changes what follows */
};

static char folder[] = "/tmp/ludus-test-XXXXXX";
static struct wanted wanted[STEPS_MAX];
static char *wanted_stored; /* what is known after the end and a kill */

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
static bool is_good(const struct trial *trial, const struct peer *peer, const char *wish,
                    bool may_miss)
{
    if (strcmp(peer->got, wish) == 0 || may_miss)
        return true;
    if (peer->closed)
        return is_beginning(peer->got, wish);
    /* That others have gone is news to him. */
    return trial->lost && (strcmp(peer->name, "carl") == 0 || is_json(peer->got));
}

static const char *wish_of(int step, int peer)
{
    return wanted[step].got[peer] != NULL ? wanted[step].got[peer] : "";
}

/* What a failed check is about. */
struct about {
    char text[160];
};

static struct about about(const struct trial *trial, int step, const char *what)
{
    struct about it;

    snprintf(it.text, sizeof it.text, "piece %llu, '%s': %s", (unsigned long long)trial->piece,
             conversation[step], what);
    return it;
}

/* Judges the step in which memory ran out. True if it is to be tried again. */
static bool judge(struct trial *trial, int step, const struct peer *actor)
{
    const struct run *run = &trial->run;
    const struct wanted *want = &wanted[step];
    bool refused = is_refused(run, step, actor);

    for (int i = 0; i < run->peer_count; i++)
        if (run->peers[i].closed && !want->closed[i])
            trial->lost = true;
    for (int i = 0; i < run->peer_count; i++) {
        const struct peer *peer = &run->peers[i];
        bool may_miss = refused && (peer == actor || peer->got[0] == '\0');
        if (!is_good(trial, peer, wish_of(step, i), may_miss))
            check_text_like(peer->got, wish_of(step, i), about(trial, step, peer->name).text);
    }
    if (!trial->lost)
        check_text_like(run_describe(run, false), refused ? want->before : want->after,
                        about(trial, step, refused ? "refused" : "done").text);
    return refused && !trial->lost;
}

/* Whether a match was not rated for want of memory; then all states show other ratings. */
static bool is_unrated(const struct run *run, int step)
{
    const struct table *table = lobby_find(&run->server->lobby, "1");

    return strcmp(conversation[step], "anna> move 1 a1b1") == 0 && table != NULL &&
           table->finished && table->rated[WHITE] <= 0;
}

static void check_like_wanted(const struct trial *trial, int step)
{
    const struct run *run = &trial->run;

    for (int i = 0; i < run->peer_count; i++)
        check_text_like(run->peers[i].got, wish_of(step, i),
                        about(trial, step, run->peers[i].name).text);
}

/* Tries again what was refused; what was put off comes by itself. */
static void try_again(struct trial *trial, int step)
{
    const char *text = conversation[step];
    bool asked = strchr(text, '>') != NULL || strstr(text, " connects") != NULL;

    run_step(&trial->run, asked ? text : "wait 1000");
    check_like_wanted(trial, step);
}

/* Whether each line of a text is in the other, which has no more. */
static bool has_same_lines(const char *text, const char *other)
{
    if (strlen(text) != strlen(other))
        return false;
    for (size_t length; *text != '\0'; text += length) {
        length = strcspn(text, "\n") + 1;
        if (memmem(other, strlen(other), text, length) == NULL)
            return false;
    }
    return true;
}

/* What the store has after a kill is what was known before. */
static void kill_and_check(struct trial *trial)
{
    struct run *run = &trial->run;
    char *before = strdup(run_describe(run, true));

    run_restart(run);
    if (wanted_stored == NULL)
        wanted_stored = strdup(run_describe(run, false));
    else if (!trial->lost && !trial->unrated)
        CHECK_TEXT(run_describe(run, false), wanted_stored);
    else
        CHECK_THAT(has_same_lines(before, run_describe(run, true)),
                   "piece %llu: the store has '%s', not '%s'", (unsigned long long)trial->piece,
                   run_describe(run, true), before);
    free(before);
}

static void begin(struct trial *trial, bool stored)
{
    trial->piece = 0;
    trial->lost = trial->unrated = false;
    run_begin(&trial->run, stored ? folder : NULL);
    *starve() = (struct starve){0};
}

static void end(struct trial *trial)
{
    if (trial->run.store != NULL)
        kill_and_check(trial);
    run_end(&trial->run);
}

/* The conversation without faults. Returns how many pieces of memory it takes. */
static uint64_t learn(bool stored)
{
    static struct trial trial;
    struct run *run = &trial.run;

    begin(&trial, stored);
    for (int step = 0; conversation[step] != NULL; step++) {
        struct wanted *want = &wanted[step];
        want->before = strdup(run_describe(run, false));
        run_step(run, conversation[step]);
        want->after = strdup(run_describe(run, false));
        for (int i = 0; i < run->peer_count; i++) {
            want->got[i] = strdup(run->peers[i].got);
            want->closed[i] = run->peers[i].closed;
        }
        run_free_closed(run);
    }
    uint64_t seen = atomic_load(&starve()->seen);
    end(&trial);
    return seen;
}

static void forget(void)
{
    for (int step = 0; step < STEPS_MAX; step++) {
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
    static struct trial trial;
    bool judged = false;

    begin(&trial, stored);
    trial.piece = piece;
    atomic_store(&starve()->first, piece);
    atomic_store(&starve()->last, lasting ? UINT64_MAX : piece);
    for (int step = 0; conversation[step] != NULL && !trial.lost && !trial.unrated; step++) {
        const struct peer *actor = run_step(&trial.run, conversation[step]);
        trial.unrated = is_unrated(&trial.run, step);
        if (trial.unrated) {
            judged = true;
        } else if (judged || atomic_load(&starve()->failed) == 0) {
            check_like_wanted(&trial, step);
        } else {
            judged = true;
            atomic_store(&starve()->first, UINT64_MAX);
            if (judge(&trial, step, actor))
                try_again(&trial, step);
        }
        run_free_closed(&trial.run);
    }
    CHECK_THAT(judged, "piece %llu was asked for", (unsigned long long)piece);
    end(&trial);
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
