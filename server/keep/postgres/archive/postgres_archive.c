#include "postgres_archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "server/keep/postgres/postgres.h"
#include "server/keep/postgres/postgres_schema.h"

enum { WAIT_MS = 100, SILENCE_MS = 60000, MATCHES_AT_A_TIME = 200 };

/* A connection that is used for one question at a time. */
struct postgres_archive {
    struct engine_address *address;
    int poller;
    struct link *link;
    bool failed;
    struct cause cause;
    /* The question: */
    answer_taker *taker;
    void *context;
    bool answered;
    int rows;
};

static void on_up(void *context)
{
    (void)context;
}

static void on_down(void *context, const char *why)
{
    struct postgres_archive *source = context;

    source->failed = true;
    cause_set(&source->cause, "engine: %.150s", why);
}

static void on_notified(void *context, char *payload)
{
    (void)context, (void)payload;
}

static void take(void *context, const struct answer *answer)
{
    struct postgres_archive *source = context;

    source->answered = true;
    source->rows = answer_rows(answer);
    if (answer_state(answer) != ANSWER_ROWS) {
        source->failed = true;
        cause_set(&source->cause, "engine: %.150s", answer_message(answer));
    } else if (source->taker != NULL) {
        source->taker(source->context, answer);
    }
}

static void wait(struct postgres_archive *source)
{
    link_tick(source->link, postgres_real_ms(), SILENCE_MS);
    links_wait(source->poller, postgres_real_ms(), WAIT_MS);
}

/* Asks, and waits for the answer. False with the cause in the source. */
static bool ask(struct postgres_archive *source, const char *sql, answer_taker *taker,
                void *context)
{
    source->taker = taker;
    source->context = context;
    source->answered = false;
    link_ask(source->link, sql, NULL, 0, false, take, source);
    while (!source->answered && !source->failed)
        wait(source);
    return !source->failed;
}

struct postgres_archive *postgres_archive_open(const char *conninfo, struct cause *cause)
{
    static const struct link_calls calls = {on_up, on_down, on_notified};
    struct engine_address *address = engine_address_new(conninfo, cause);

    if (address == NULL || !postgres_migrate(address, cause)) {
        engine_address_free(address);
        return NULL;
    }
    struct postgres_archive *source = xcalloc(1, sizeof *source);
    source->address = address;
    source->poller = links_open();
    source->link = link_new(address, source->poller, "SET search_path = ludus", &calls, source);
    for (int host = 0; host < engine_address_hosts(address) && !link_is_up(source->link); host++) {
        source->failed = false;
        while (!link_is_up(source->link) && !source->failed)
            wait(source);
    }
    if (link_is_up(source->link))
        return source;
    *cause = source->cause;
    postgres_archive_close(source);
    return NULL;
}

void postgres_archive_close(struct postgres_archive *source)
{
    link_free(source->link);
    close(source->poller);
    engine_address_free(source->address);
    free(source);
}

struct visiting {
    match_visit *visit;
    text_visit *tell;
    void *context;
    bool ended;
};

static void take_matches(void *context, const struct answer *answer)
{
    struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer) && !visiting->ended; row++) {
        struct table head = {.number = row_number(answer, row)};
        struct cause broken;
        struct stored_match *stored = row_to_stored(answer, row, &broken);
        row_id(answer, row, head.id);
        struct table *table = stored != NULL ? &stored->table : &head;
        bool good = stored != NULL && table->broken == NULL;
        visiting->ended = !visiting->visit(visiting->context, table, good ? NULL : &broken);
        stored_match_free(stored);
    }
}

/* All as it stood at one moment, some at a time. */
static bool visit_matches(void *context, match_visit *visit, void *visitor, struct cause *cause)
{
    struct postgres_archive *source = context;
    struct visiting visiting = {.visit = visit, .context = visitor};
    struct buffer sql = {0};
    char fetch[40];

    snprintf(fetch, sizeof fetch, "FETCH %d FROM c", MATCHES_AT_A_TIME);
    buffer_printf(&sql, "DECLARE c CURSOR FOR %sORDER BY m.number", postgres_match_sql);
    buffer_add(&sql, "", 1);
    bool good = ask(source, "BEGIN ISOLATION LEVEL REPEATABLE READ", NULL, NULL) &&
                ask(source, sql.bytes, NULL, NULL);
    do
        good = good && ask(source, fetch, take_matches, &visiting);
    while (good && source->rows > 0 && !visiting.ended);
    good = good && ask(source, "ROLLBACK", NULL, NULL);
    buffer_release(&sql);
    if (!good)
        *cause = source->cause;
    return good;
}

static void take_texts(void *context, const struct answer *answer)
{
    const struct visiting *visiting = context;

    for (int row = 0; row < answer_rows(answer); row++)
        visiting->tell(visiting->context, answer_text(answer, row, 0));
}

static bool visit_texts(struct postgres_archive *source, const char *sql, text_visit *visit,
                        void *context, struct cause *cause)
{
    struct visiting visiting = {.tell = visit, .context = context};

    if (ask(source, sql, take_texts, &visiting))
        return true;
    *cause = source->cause;
    return false;
}

static bool visit_players(void *source, text_visit *visit, void *context, struct cause *cause)
{
    return visit_texts(
        source,
        "SELECT json_build_object('name', name, 'bot', bot, 'ratings', coalesce((SELECT json_agg("
        "json_build_object('game', game, 'variant', variant, 'rating', rating, 'deviation',"
        " deviation, 'volatility', volatility, 'matches', matches)) FROM rating WHERE player ="
        " player.id), '[]'))::text FROM player WHERE kind <> 'guest' ORDER BY id",
        visit, context, cause);
}

/* What keep() never leaves behind. */
static void verify(void *source, text_visit *visit, void *context)
{
    static const char *const findings[] = {
        "SELECT 'match ' || match || ': its log has gaps' FROM entry GROUP BY match"
        " HAVING min(version) <> 1 OR max(version) <> count(*)",
        "SELECT 'match ' || number || ': it has no log' FROM match m WHERE NOT EXISTS"
        " (SELECT FROM entry WHERE match = number)",
        "SELECT 'match ' || match || ': it has a log only' FROM entry e WHERE NOT EXISTS"
        " (SELECT FROM match WHERE number = e.match) GROUP BY match",
        "SELECT concat_ws(' ', 'the rating of', name, 'in', game, variant, 'is out of range')"
        " FROM rating r JOIN player p ON p.id = r.player WHERE rating NOT BETWEEN 100 AND 4000"
        " OR deviation > 350 OR volatility NOT BETWEEN 0.001 AND 0.5"};
    struct cause cause;

    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; i++)
        if (!visit_texts(source, findings[i], visit, context, &cause))
            visit(context, cause.text);
}

/* A match that is repaired. */
struct repairing {
    struct buffer sql; /* owned */
    bool good;
    struct cause cause;
};

static void take_broken(void *context, const struct answer *answer)
{
    struct repairing *repairing = context;

    repairing->good =
        answer_rows(answer) == 1 && row_to_repair(answer, 0, &repairing->sql, &repairing->cause);
}

static void take_mended(void *context, const struct answer *answer)
{
    struct repairing *repairing = context;
    struct stored_match *stored =
        answer_rows(answer) == 1 ? row_to_stored(answer, 0, &repairing->cause) : NULL;

    repairing->good = stored != NULL && stored->table.broken == NULL;
    stored_match_free(stored);
}

/* In a transaction: repairs a match that is locked, and reads it again. */
static bool mend(struct postgres_archive *source, int64_t number, struct repairing *repairing)
{
    struct buffer sql = {0};
    char tells[80];

    buffer_printf(&sql, "%sWHERE m.number = %" PRId64, postgres_match_sql, number);
    buffer_add(&sql, "", 1);
    snprintf(tells, sizeof tells, "SELECT tell_again(0, '{%" PRId64 "}')", number);
    bool asked = ask(source, sql.bytes, take_broken, repairing) &&
                 (!repairing->good || (ask(source, repairing->sql.bytes, NULL, NULL) &&
                                       ask(source, sql.bytes, take_mended, repairing) &&
                                       ask(source, tells, NULL, NULL)));
    buffer_release(&sql);
    return asked && repairing->good;
}

static bool repair(void *context, int64_t number, struct cause *cause)
{
    struct postgres_archive *source = context;
    struct repairing repairing = {.cause = {.text = ""}};
    unsigned doubts = link_doubts(source->link);
    char lock[80];

    snprintf(lock, sizeof lock, "SELECT FROM match WHERE number = %" PRId64 " FOR UPDATE", number);
    bool good = ask(source, "BEGIN", NULL, NULL) && ask(source, lock, NULL, NULL) &&
                mend(source, number, &repairing);
    *cause = source->failed ? source->cause : repairing.cause;
    buffer_release(&repairing.sql);
    source->failed = false; /* others may go well */
    good = ask(source, good ? "COMMIT" : "ROLLBACK", NULL, NULL) && good;
    if (good && link_doubts(source->link) != doubts)
        good = cause_set(cause, "the wait for a standby was cancelled: check it again");
    return good;
}

struct archive postgres_archive(struct postgres_archive *source)
{
    return (struct archive){.source = source,
                            .matches = visit_matches,
                            .players = visit_players,
                            .repair = repair,
                            .verify = verify};
}
