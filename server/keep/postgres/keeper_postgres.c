/* PostgreSQL as a keeper: makes it, starts it, and passes time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/levels.h"
#include "common/xmalloc.h"
#include "postgres.h"
#include "postgres_schema.h"
#include "server/base/log.h"

enum {
    START_MS = 10000,  /* for all of it */
    WAIT_MS = 20,      /* between two looks at the connections */
    SILENCE_MS = 5000, /* of the engine, before its connection is given up; each time twice */
    SILENCE_MAX_MS =
        60000, /* as long: what is cut off may still wait there, and is not cancelled */
    LOOK_SILENCE_MS = 5000,
    LEAVE_MS = 1000,
    AWAY_MS = 10000 /* before everyone has to leave */
};

/* No plan depends on the values, none is worth compiling, and rows are found by indexes, however
 * small the tables were when a statement was planned. Each statement sees what is committed before
 * it, however the database is set. */
#define GREETING                                                                                   \
    "SET search_path = ludus; SET plan_cache_mode = force_generic_plan; SET jit = off;"            \
    " SET enable_seqscan = off; SET default_transaction_isolation = 'read committed'"
/* A batch has few rows of each table. */
#define WRITER_GREETING                                                                            \
    GREETING "; SET enable_hashjoin = off; SET enable_mergejoin = off;"                            \
             " SET enable_bitmapscan = off"

static struct postgres *postgres_of(struct keeper *keeper)
{
    return (struct postgres *)keeper;
}

static void tick_links(struct postgres *postgres)
{
    int64_t silence_ms = (int64_t)SILENCE_MS << (postgres->silences < 4 ? postgres->silences : 4);
    bool was_up = link_is_up(postgres->writer);

    link_tick(postgres->writer, postgres_real_ms(),
              silence_ms < SILENCE_MAX_MS ? silence_ms : SILENCE_MAX_MS);
    postgres->silences += was_up && !link_is_up(postgres->writer);
    link_tick(postgres->reader, postgres_real_ms(), LOOK_SILENCE_MS);
}

/* Says once that the engine is away. */
static void note_silence(struct postgres *postgres)
{
    int64_t now_ms = postgres_real_ms(), since_ms = postgres->silent_since_ms;

    if (since_ms == 0 && postgres->writing == WRITE_CALL)
        since_ms = postgres->asked_ms;
    if (since_ms == 0 || now_ms - since_ms < AWAY_MS || postgres->told_silent)
        return;
    postgres->told_silent = true;
    if (postgres->silent_since_ms == 0)
        postgres->silent_since_ms = since_ms;
    postgres->keeper.calls->health(postgres->keeper.context, false, postgres->error, 0);
}

static void begin_work(struct postgres *postgres, int64_t now_ms)
{
    postgres->now_ms = now_ms;
    postgres->working = true;
}

/* What has come up meanwhile goes in one statement each. */
static void end_work(struct postgres *postgres)
{
    postgres->working = false;
    postgres_read_held(postgres);
    postgres_tell_waiting(postgres);
    link_send(postgres->reader);
}

static void end_turn(struct keeper *keeper)
{
    link_send(postgres_of(keeper)->reader);
}

static void tick(struct keeper *keeper, int64_t now_ms)
{
    struct postgres *postgres = postgres_of(keeper);

    begin_work(postgres, now_ms);
    tick_links(postgres);
    postgres_join(postgres);
    postgres_sign_of_life(postgres);
    postgres_make_round(postgres);
    note_silence(postgres);
    end_work(postgres);
}

static void work(struct keeper *keeper, int64_t now_ms)
{
    struct postgres *postgres = postgres_of(keeper);

    begin_work(postgres, now_ms);
    links_wait(postgres->poller, postgres_real_ms(), 0);
    end_work(postgres);
}

static bool is_current(const struct keeper *keeper)
{
    const struct postgres *postgres = (const struct postgres *)keeper;

    return postgres->epoch != 0 &&
           postgres_real_ms() - postgres->heard_ms < postgres_current_ms(postgres);
}

static int64_t silence_ms(const struct keeper *keeper)
{
    return postgres_real_ms() - ((const struct postgres *)keeper)->heard_ms;
}

static int descriptor(const struct keeper *keeper)
{
    return ((const struct postgres *)keeper)->poller;
}

static bool is_ready(const struct postgres *postgres)
{
    return postgres->following && postgres->lobby->numbers.end > 0 &&
           postgres->players->ids.end > 0;
}

/* Takes the first blocks of numbers into use as they come. */
static void begin_numbers(struct postgres *postgres)
{
    struct lobby *lobby = postgres->lobby;
    struct players *players = postgres->players;

    if (!postgres->following)
        return;
    if (lobby->numbers.end == 0 && lobby->numbers.spare_end > 0) {
        lobby->opened = lobby->numbers.spare;
        lobby->numbers = (struct numbers){.end = lobby->numbers.spare_end};
    }
    if (players->ids.end == 0 && players->ids.spare_end > 0) {
        players->last_id = players->ids.spare;
        players->ids = (struct numbers){.end = players->ids.spare_end};
    }
    postgres_ask_numbers(postgres);
}

/* Runs the connections until the keeper can be used. */
static bool wait_until_ready(struct postgres *postgres, struct cause *cause)
{
    int64_t until_ms = postgres_real_ms() + START_MS;

    while (!is_ready(postgres) && postgres_real_ms() < until_ms && postgres->taken_by[0] == '\0') {
        tick_links(postgres);
        links_wait(postgres->poller, postgres_real_ms(), WAIT_MS);
        begin_numbers(postgres);
    }
    if (postgres->taken_by[0] != '\0')
        return cause_set(cause, "engine: node %d is %.100s, which is alive", postgres->nodes.own,
                         postgres->taken_by);
    return is_ready(postgres) ||
           cause_set(cause, "engine: %.150s",
                     postgres->error[0] != '\0' ? postgres->error : "no answer in time");
}

struct loading {
    struct postgres *postgres;
    bool done;
};

static void take_house(void *context, const struct answer *answer)
{
    struct loading *loading = context;

    for (int row = 0; row < answer_rows(answer); row++)
        row_to_player(loading->postgres, answer, row);
    loading->done = true;
}

/* All servers have the same house bots: makes the players of all levels, and reads them. */
static bool load_house(struct postgres *postgres, struct cause *cause)
{
    struct loading loading = {.postgres = postgres};
    int64_t until_ms = postgres_real_ms() + START_MS;
    const char *const values[] = {"{" LEVEL_NAMES "}"};
    char sql[1024];

    link_ask(postgres->reader,
             "INSERT INTO player (id, name, kind, bot, seen_s) SELECT nextval('player_id'),"
             " 'bot:' || x, 'house', true, 0 FROM unnest($1::text[]) x WHERE NOT EXISTS"
             " (SELECT FROM player WHERE name = 'bot:' || x) ON CONFLICT DO NOTHING",
             values, 1, true, postgres_ignore, NULL);
    snprintf(sql, sizeof sql, "SELECT %s FROM player p WHERE p.kind = 'house'",
             postgres_player_sql);
    link_ask(postgres->reader, sql, NULL, 0, true, take_house, &loading);
    while (!loading.done && postgres_real_ms() < until_ms) {
        tick_links(postgres);
        links_wait(postgres->poller, postgres_real_ms(), WAIT_MS);
    }
    return loading.done || cause_set(cause, "engine: %.150s", postgres->error);
}

/* Warns of settings by which what was acknowledged can get lost. */
static void take_settings(void *context, const struct answer *answer)
{
    (void)context;
    for (int row = 0; row < answer_rows(answer); row++)
        log_line(LOG_WARN, "event=engine-unsafe text=%s",
                 log_quote(answer_text(answer, row, 0)).text);
}

static void check_settings(struct postgres *postgres)
{
    link_ask(postgres->reader,
             "SELECT name || ' = ' || quote_literal(setting) || ': acknowledged changes can get"
             " lost' FROM pg_settings WHERE (name = 'fsync' AND setting = 'off')"
             " OR (name = 'synchronous_commit' AND setting IN ('off', 'local'))"
             " OR (name = 'synchronous_standby_names' AND setting = '')",
             NULL, 0, true, take_settings, NULL);
}

static bool load(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause)
{
    struct postgres *postgres = postgres_of(keeper);

    postgres->players = players;
    postgres->lobby = lobby;
    postgres->now_ms = now_ms;
    lobby->observer = (struct lobby_observer){postgres_hold, postgres_let_go, postgres};
    if (!wait_until_ready(postgres, cause))
        return false;
    check_settings(postgres);
    return load_house(postgres, cause);
}

static const char *error(const struct keeper *keeper)
{
    return ((const struct postgres *)keeper)->error;
}

static void take_leave(void *context, const struct answer *answer)
{
    (void)answer;
    *(bool *)context = true;
}

/* Tells the others that this server is gone, so that nobody has to wait until it is dead. */
static void leave(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text epoch = number_text(postgres->epoch);
    const char *const values[] = {node.text, epoch.text};
    int64_t until_ms = postgres_real_ms() + LEAVE_MS;
    bool left = false;

    if (postgres->writer == NULL || !link_is_up(postgres->writer) ||
        postgres->writing != WRITE_IDLE)
        return;
    link_ask(postgres->writer, "SELECT leave($1, $2)", values, 2, false, take_leave, &left);
    while (!left && link_is_up(postgres->writer) && postgres_real_ms() < until_ms)
        links_wait(postgres->poller, postgres_real_ms(), WAIT_MS);
}

static void close_keeper(struct keeper *keeper)
{
    struct postgres *postgres = postgres_of(keeper);

    leave(postgres);
    link_free(postgres->writer);
    link_free(postgres->reader);
    if (postgres->poller >= 0)
        close(postgres->poller);
    call_release(&postgres->call);
    buffer_release(&postgres->to_read);
    free(postgres->let_go);
    postgres_forget_tells(postgres);
    engine_address_free(postgres->address);
    free(postgres);
}

static void make_links(struct postgres *postgres)
{
    char greeting[200];

    snprintf(greeting, sizeof greeting, GREETING "; LISTEN ludus%d", postgres->nodes.own);
    postgres->writer = link_new(postgres->address, postgres->poller, WRITER_GREETING,
                                &postgres_writer_calls, postgres);
    postgres->reader =
        link_new(postgres->address, postgres->poller, greeting, &postgres_reader_calls, postgres);
}

struct keeper *keeper_postgres(const char *conninfo, const struct node *self, int timeout_s,
                               struct cause *cause)
{
    static const struct keeper_kind kind = {.shared = true,
                                            .keep = postgres_keep,
                                            .load = load,
                                            .look_up = postgres_look_up,
                                            .error = error,
                                            .close = close_keeper,
                                            .tell = postgres_tell,
                                            .offer_seek = postgres_offer_seek,
                                            .descriptor = descriptor,
                                            .work = work,
                                            .end_turn = end_turn,
                                            .is_current = is_current,
                                            .silence_ms = silence_ms,
                                            .tick = tick};
    struct postgres *postgres = xcalloc(1, sizeof *postgres);

    postgres->keeper.kind = &kind;
    STAILQ_INIT(&postgres->tells);
    postgres->on_settled = postgres_follow_batch;
    postgres->on_barrier = postgres_catch_up;
    postgres->nodes.own = self->id;
    postgres->timeout_s = timeout_s;
    snprintf(postgres->place, sizeof postgres->place, "%s", self->address);
    postgres->poller = links_open();
    postgres->address = engine_address_new(conninfo, cause);
    if (postgres->poller >= 0 && postgres->address != NULL &&
        postgres_migrate(postgres->address, cause)) {
        make_links(postgres);
        return &postgres->keeper;
    }
    close_keeper(&postgres->keeper);
    return NULL;
}

bool postgres_is_busy(const struct postgres *postgres)
{
    return postgres->batch != NULL || postgres->writing != WRITE_IDLE || postgres->asked > 0 ||
           postgres->telling || postgres->reading;
}

int keeper_postgres_files(const struct keeper *keeper, const char *files[KEEPER_FILES_MAX])
{
    return engine_address_files(((const struct postgres *)keeper)->address, files);
}
