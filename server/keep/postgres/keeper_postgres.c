/* PostgreSQL as a keeper: makes it with its schema, starts it, and passes time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/levels.h"
#include "common/xmalloc.h"
#include "postgres.h"
#include "server/base/log.h"

enum {
    START_MS = 10000,  /* for all of it */
    WAIT_MS = 20,      /* between two looks at the connections */
    SILENCE_MS = 5000, /* of the database, before its connection is given up; each time twice */
    SILENCE_MAX_MS =
        60000, /* as long: what is cut off may still wait there, and is not cancelled */
    LOOK_SILENCE_MS = 5000,
    LEAVE_MS = 1000,
    MIGRATE_TRIES = 16,
    AWAY_MS = 10000,  /* before everyone has to leave */
    SILENT_MS = 5000, /* before the log says so */
    SETTINGS_EVERY = 10
};

/* No plan depends on the values, none is worth compiling, and rows are found by indexes, however
 * small the tables were when a statement was planned. Each statement sees what is committed before
 * it, however the database is set. */
#define GREETING                                                                                   \
    "SET search_path = ludus; SET plan_cache_mode = force_generic_plan; SET jit = off;"            \
    " SET enable_seqscan = off; SET default_transaction_isolation = 'read committed'"
/* A batch, or a page of a list, has few rows of each table: without this, a page of the best
 * players reads all players, as a plan that knows no values takes a tenth of the ratings for that
 * page. */
#define PAGE_GREETING   GREETING "; SET enable_hashjoin = off; SET enable_mergejoin = off"
#define WRITER_GREETING PAGE_GREETING "; SET enable_bitmapscan = off"

static const char begin_schema[] =
    "BEGIN;"
    "SELECT pg_advisory_xact_lock(5499140221);" /* one server at a time */
    "CREATE SCHEMA IF NOT EXISTS ludus;"
    "SET LOCAL search_path = ludus;"
    "CREATE TABLE IF NOT EXISTS service (one bool PRIMARY KEY DEFAULT true CHECK (one),"
    " version int NOT NULL, downtime interval NOT NULL DEFAULT '0');"
    "INSERT INTO service (version) VALUES (0) ON CONFLICT DO NOTHING;"
    "SELECT version FROM service";

static bool run_steps(struct blocking *database, struct cause *cause)
{
    const char *const *steps = postgres_steps + 1;
    int version = 0, newest = POSTGRES_SCHEMA_FIRST - 1;
    char note[80];

    for (int i = 0; steps[i] != NULL; i++)
        newest++;
    if (!blocking_run(database, begin_schema, &version, cause))
        return false;
    if (version > newest)
        return cause_set(cause, "database: its schema is of version %d: this ludusd knows %d",
                         version, newest);
    if (version != 0 && version < POSTGRES_SCHEMA_FIRST)
        return cause_set(
            cause,
            "database: its schema is of version %d, this ludusd reads %d and up: start "
            "ludusd 0.1.0 of revision be9ede2d once, which converts it",
            version, POSTGRES_SCHEMA_FIRST);
    /* Each batch of another server begins there: one that runs ends, and the next one waits. */
    if (version != 0 && version < newest && !blocking_run(database, "LOCK TABLE node", NULL, cause))
        return false;
    for (int i = version != 0 ? version - POSTGRES_SCHEMA_FIRST + 1 : 0; steps[i] != NULL; i++)
        if (!blocking_run(database, steps[i], NULL, cause))
            return false;
    if (version < newest && !blocking_run(database, postgres_functions, NULL, cause))
        return false;
    snprintf(note, sizeof note, "UPDATE service SET version = %d; COMMIT", newest);
    return blocking_run(database, note, NULL, cause);
}

bool postgres_migrate(const struct database_address *address, struct cause *cause)
{
    struct blocking *database = blocking_open(address, cause);
    bool good = database != NULL && run_steps(database, cause);

    /* Servers of the version before go on meanwhile, and lock the tables in another order. */
    for (int tries = 1; !good && database != NULL && tries < MIGRATE_TRIES; tries++) {
        struct cause ignored;
        if (!blocking_was_conflict(database) || !blocking_run(database, "ROLLBACK", NULL, &ignored))
            break;
        good = run_steps(database, cause);
    }
    blocking_close(database);
    return good;
}

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
    link_tick(postgres->lists, postgres_real_ms(), LOOK_SILENCE_MS);
}

/* Says once that the database keeps changes waiting, and once that it is away. */
static void note_silence(struct postgres *postgres)
{
    int64_t waits_ms = postgres->asked_ms != 0 ? postgres_real_ms() - postgres->asked_ms : 0;

    if (waits_ms >= SILENT_MS && !postgres->says_silent)
        log_line(
            LOG_WARN,
            "event=engine-silent waits_ms=%lld text=\"the database keeps nothing, or waits for a"
            " standby: changes wait\"",
            (long long)waits_ms);
    postgres->says_silent = waits_ms >= SILENT_MS;
    if (postgres->health == HEALTH_AWAY || postgres->asked_ms == 0 ||
        postgres_real_ms() - postgres->asked_ms < AWAY_MS)
        return;
    postgres_set_health(postgres, HEALTH_AWAY);
    postgres->keeper.calls->health(postgres->keeper.context, false, postgres->error, 0);
}

/* What has come up meanwhile goes in one statement each. */
static void end_keeper_turn(struct keeper *keeper)
{
    struct postgres *postgres = postgres_of(keeper);

    if (postgres->compares && postgres_follows(postgres))
        postgres_compare_all(postgres);
    postgres->compares = false;
    postgres_tell_placed(postgres);
    postgres_sign_of_life(postgres);
    postgres_read_held(postgres);
    postgres_read_tournaments(postgres);
    postgres_ask_places(postgres, &postgres->to_place);
    postgres_tell_waiting(postgres);
    link_send(postgres->reader);
}

static void check_settings(struct postgres *postgres);

static void tick_keeper(struct keeper *keeper, int64_t now_ms)
{
    struct postgres *postgres = postgres_of(keeper);

    postgres->now_ms = now_ms;
    tick_links(postgres);
    postgres_join(postgres);
    postgres_make_round(postgres);
    if (postgres->ticks % SETTINGS_EVERY == 0 && postgres_follows(postgres))
        check_settings(postgres);
    note_silence(postgres);
    end_keeper_turn(keeper);
}

static void do_work(struct keeper *keeper, int64_t now_ms)
{
    struct postgres *postgres = postgres_of(keeper);

    postgres->now_ms = now_ms;
    links_wait(postgres->poller, postgres_real_ms(), 0);
    end_keeper_turn(keeper);
}

static bool is_current(const struct keeper *keeper)
{
    const struct postgres *postgres = (const struct postgres *)keeper;

    return postgres->epoch != 0 &&
           postgres_real_ms() - postgres->heard_ms < postgres_current_ms(postgres);
}

static int poller_descriptor(const struct keeper *keeper)
{
    return ((const struct postgres *)keeper)->poller;
}

static bool is_ready(const struct postgres *postgres)
{
    return postgres_follows(postgres) && postgres->lobby->numbers.end > 0 &&
           postgres->players->ids.end > 0;
}

/* Takes the first blocks of numbers into use as they come. */
static void begin_numbers(struct postgres *postgres)
{
    struct lobby *lobby = postgres->lobby;
    struct players *players = postgres->players;

    if (!postgres_follows(postgres))
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

/* Runs the connections for a moment. There is no event loop yet, so time passes here: what is read
 * meanwhile may have clocks that run. */
static void run_links(struct postgres *postgres)
{
    int64_t real_ms = postgres_real_ms();

    postgres->now_ms += real_ms - postgres->ran_ms;
    postgres->ran_ms = real_ms;
    tick_links(postgres);
    links_wait(postgres->poller, real_ms, WAIT_MS);
}

/* Runs the connections until the keeper can be used. */
static bool wait_until_ready(struct postgres *postgres, struct cause *cause)
{
    int64_t until_ms = postgres_real_ms() + START_MS;

    while (!is_ready(postgres) && postgres_real_ms() < until_ms && postgres->taken_by[0] == '\0') {
        run_links(postgres);
        begin_numbers(postgres);
    }
    if (postgres->taken_by[0] != '\0')
        return cause_set(cause, "database: node %d is %.100s, which is alive", postgres->nodes.own,
                         postgres->taken_by);
    return is_ready(postgres) ||
           cause_set(cause, "database: %.150s",
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
    char sql[120];

    link_ask(postgres->reader,
             "INSERT INTO player (id, name, kind, bot, seen_s) SELECT nextval('player_id'),"
             " 'bot:' || x, 'house', true, 0 FROM unnest($1::text[]) x WHERE NOT EXISTS"
             " (SELECT FROM player WHERE name = 'bot:' || x) ON CONFLICT DO NOTHING",
             values, 1, true, postgres_ignore, NULL);
    snprintf(sql, sizeof sql, "%sWHERE p.kind = 'house'", postgres_player_sql);
    link_ask(postgres->reader, sql, NULL, 0, true, take_house, &loading);
    while (!loading.done && postgres_real_ms() < until_ms) {
        run_links(postgres);
    }
    return loading.done || cause_set(cause, "database: %.150s", postgres->error);
}

/* Reads all tournaments before anybody comes. */
static bool load_tournaments(struct postgres *postgres, struct cause *cause)
{
    int64_t until_ms = postgres_real_ms() + START_MS;

    postgres_note_tournament(postgres, 0);
    postgres_read_tournaments(postgres);
    while ((postgres->asked & ASKED_TOURNAMENTS) != 0 && postgres_real_ms() < until_ms) {
        run_links(postgres);
    }
    return (postgres->asked & ASKED_TOURNAMENTS) == 0 ||
           cause_set(cause, "database: %.150s", postgres->error);
}

/* Warns once of each setting by which what was acknowledged can get lost, and says when it cannot
 * any more. */
static void take_settings(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    unsigned unsafe = 0;

    if (answer->state != ANSWER_ROWS)
        return;
    for (int row = 0; row < answer_rows(answer); row++)
        for (int i = 0; keeper_unsafe_settings[i] != NULL; i++) {
            if (strcmp(answer_text(answer, row, 0), keeper_unsafe_settings[i]) != 0)
                continue;
            unsafe |= 1U << i;
            if ((postgres->unsafe >> i & 1) == 0)
                log_line(LOG_WARN, "event=engine-unsafe text=%s",
                         log_quote(answer_text(answer, row, 1)).text);
        }
    for (int i = 0; keeper_unsafe_settings[i] != NULL; i++)
        if ((postgres->unsafe & ~unsafe) >> i & 1)
            log_line(LOG_INFO, "event=engine-safe setting=%s", keeper_unsafe_settings[i]);
    postgres->unsafe = unsafe;
}

/* Only who may read all statistics is told of standbys. */
static void take_standbys(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    bool says =
        answer->state == ANSWER_ROWS && answer_rows(answer) == 1 && answer_bool(answer, 0, 0);

    postgres->standbys = says ? (int)answer_integer(answer, 0, 1) : -1;
    postgres->standby_lag_ms = says ? answer_integer(answer, 0, 2) : 0;
}

static void check_settings(struct postgres *postgres)
{
    link_ask(postgres->reader,
             "SELECT name, name || ' = ' || quote_literal(setting) || ': acknowledged changes can"
             " get lost' FROM pg_settings WHERE (name IN ('fsync', 'full_page_writes')"
             "  AND setting = 'off') OR (name = 'synchronous_commit'"
             "  AND setting IN ('off', 'local', 'remote_write'))"
             " OR (name = 'synchronous_standby_names' AND setting = '')",
             NULL, 0, true, take_settings, postgres);
    link_ask(postgres->reader,
             "SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE'), count(*),"
             " coalesce(max(extract(epoch FROM replay_lag) * 1000), 0)::bigint"
             " FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')"
             " AND state = 'streaming'",
             NULL, 0, true, take_standbys, postgres);
}

static void report_health(const struct keeper *keeper, struct keeper_report *report)
{
    const struct postgres *postgres = (const struct postgres *)keeper;

    *report = (struct keeper_report){
        .is_up = postgres->epoch != 0 && !postgres_is_stalled(keeper),
        .committed_ms = postgres->heard_ms != 0 ? postgres_real_ms() - postgres->heard_ms : -1,
        .standbys = postgres->standbys,
        .standby_lag_ms = postgres->standby_lag_ms,
        .unsafe = postgres->unsafe};
}

static bool load_server(struct keeper *keeper, struct players *players, struct lobby *lobby,
                        int64_t now_ms, struct cause *cause)
{
    struct postgres *postgres = postgres_of(keeper);

    postgres->players = players;
    postgres->lobby = lobby;
    postgres->now_ms = now_ms;
    postgres->ran_ms = postgres_real_ms();
    players->node = postgres->nodes.own;
    lobby->observer = (struct lobby_observer){postgres_hold, postgres_let_go, postgres};
    if (!wait_until_ready(postgres, cause))
        return false;
    check_settings(postgres);
    lobby->tournaments.derived = true;
    return load_house(postgres, cause) && load_tournaments(postgres, cause);
}

static const char *last_error(const struct keeper *keeper)
{
    return ((const struct postgres *)keeper)->error;
}

static void take_leave(void *context, const struct answer *answer)
{
    (void)answer;
    *(bool *)context = true;
}

/* Tells the others that this server is gone, so that nobody has to wait until it is dead. */
static void leave_nodes(struct postgres *postgres)
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

    postgres->closing = true;
    leave_nodes(postgres);
    link_free(postgres->writer);
    link_free(postgres->reader);
    link_free(postgres->lists);
    if (postgres->poller >= 0)
        close(postgres->poller);
    call_release(&postgres->call);
    buffer_release(&postgres->to_read);
    buffer_release(&postgres->to_place);
    for (int i = 0; i < postgres->placed_count; i++)
        free(postgres->placed[i].before);
    free(postgres->placed);
    free(postgres->strays);
    free(postgres->let_go);
    free(postgres->differences);
    postgres_forget_tells(postgres);
    address_free(postgres->address);
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
    postgres->lists = link_new(postgres->address, postgres->poller, PAGE_GREETING,
                               &postgres_lists_calls, postgres);
}

struct keeper *keeper_postgres(const char *conninfo, const struct node *self, int timeout_s,
                               struct cause *cause)
{
    static const struct keeper_kind kind = {.shared = true,
                                            .keep = postgres_keep,
                                            .load = load_server,
                                            .look_up = postgres_look_up,
                                            .keep_review = postgres_keep_review,
                                            .error = last_error,
                                            .close = close_keeper,
                                            .tell = postgres_tell,
                                            .offer_seek = postgres_offer_seek,
                                            .descriptor = poller_descriptor,
                                            .work = do_work,
                                            .end_turn = end_keeper_turn,
                                            .is_current = is_current,
                                            .is_stalled = postgres_is_stalled,
                                            .report = report_health,
                                            .forgave = postgres_forgave,
                                            .tick = tick_keeper};
    struct postgres *postgres = xcalloc(1, sizeof *postgres);

    postgres->keeper.kind = &kind;
    postgres->standbys = -1;
    STAILQ_INIT(&postgres->tells);
    postgres->on_barrier = postgres_catch_up;
    postgres->nodes.own = self->id;
    postgres->timeout_s = timeout_s;
    snprintf(postgres->place, sizeof postgres->place, "%s", self->address);
    postgres->poller = links_open();
    postgres->address = address_new(conninfo, cause);
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
    return postgres->batch_state != BATCH_NONE || postgres->writing != WRITE_IDLE ||
           postgres->look_ups > 0 ||
           (postgres->asked & (ASKED_TELLS | ASKED_HELD | ASKED_TOURNAMENTS)) != 0 ||
           postgres->tournaments_unread;
}

int keeper_postgres_files(const struct keeper *keeper, const char *files[KEEPER_FILES_MAX])
{
    return address_files(((const struct postgres *)keeper)->address, files);
}
