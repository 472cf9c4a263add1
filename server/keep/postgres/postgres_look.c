/* The second connection: look-ups. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "postgres.h"
#include "server/base/log.h"

enum { NUMBER_DIGITS = 18 }; /* of those that fit */

/* The matches of a player $1 that are not over, as the indexes have them. */
#define OWN_MATCHES                                                                                \
    "m.status <> 'over' AND (m.white = $1 OR m.black = $1 OR (m.creator = $1"                      \
    " AND m.creator IS DISTINCT FROM m.white AND m.creator IS DISTINCT FROM m.black))"

/* What a taker needs beside the keeper. */
struct reading {
    struct postgres *postgres;
    struct look_up *look_up; /* borrowed; NULL: none */
};

static struct reading *reading_new(struct postgres *postgres, struct look_up *look_up)
{
    struct reading *reading = xmalloc(sizeof *reading);

    *reading = (struct reading){postgres, look_up};
    return reading;
}

static void take_table(void *context, const struct answer *answer)
{
    struct reading reading = *(struct reading *)context;

    free(context);
    if (postgres_has_failed(reading.postgres, reading.look_up, answer))
        return;
    reading.look_up->table = postgres_take_tables(reading.postgres, answer);
    if (answer_rows(answer) == 1 &&
        lobby_is_opening(reading.postgres->lobby, row_number(answer, 0))) {
        cause_set(&reading.look_up->cause, "the match is still being opened");
        postgres_answer(reading.postgres, reading.look_up, LOOK_FAILED);
        return;
    }
    postgres_answer(reading.postgres, reading.look_up,
                    reading.look_up->table != NULL ? LOOK_FOUND : LOOK_NOTHING);
}

/* The condition of a match `m` with the id $1. That of a match that is not private is its number,
 * of which NUMBER_DIGITS make no other. */
static const char *has_id(const char *id)
{
    size_t length = strlen(id);

    return length > 0 && length <= NUMBER_DIGITS && strspn(id, "0123456789") == length
               ? "m.number = $1::text::bigint AND m.id = $1"
               : "m.private AND m.id = $1";
}

static void look_up_table(struct postgres *postgres, struct look_up *look_up)
{
    const char *key = look_up->question.key;
    const char *which = look_up->question.kind == LOOK_ONCE ? "m.once = $1" : has_id(key);

    postgres_look_after(postgres, which, key, take_table, reading_new(postgres, look_up));
}

static void take_record(void *context, const struct answer *answer)
{
    struct reading reading = *(struct reading *)context;
    struct look_up *look_up = reading.look_up;

    free(context);
    if (postgres_has_failed(reading.postgres, look_up, answer))
        return;
    if (answer_rows(answer) == 1) {
        look_up->stored = row_to_stored(answer, 0, &look_up->cause);
        if (look_up->stored == NULL || look_up->stored->table.broken != NULL)
            postgres_log_broken(row_number(answer, 0), &look_up->cause);
    }
    postgres_answer(reading.postgres, look_up, look_up->stored != NULL ? LOOK_FOUND : LOOK_NOTHING);
}

static void take_name(void *context, const struct answer *answer)
{
    struct reading reading = *(struct reading *)context;

    free(context);
    if (postgres_has_failed(reading.postgres, reading.look_up, answer))
        return;
    if (answer_rows(answer) == 1)
        reading.look_up->player = row_to_player(reading.postgres, answer, 0);
    postgres_answer(reading.postgres, reading.look_up,
                    reading.look_up->player != NULL ? LOOK_FOUND : LOOK_NOTHING);
}

static void look_up_name(struct postgres *postgres, struct look_up *look_up, answer_taker *taker)
{
    const char *const values[] = {look_up->question.key};
    char sql[1024];

    snprintf(sql, sizeof sql, "SELECT %s FROM player p WHERE lower(p.name) = lower($1)",
             postgres_player_sql);
    link_ask(postgres->reader, sql, values, 1, true, taker, reading_new(postgres, look_up));
}

/* The matches of a player who has come: then all of them is here. */
static void take_own_matches(void *context, const struct answer *answer)
{
    struct reading reading = *(struct reading *)context;

    free(context);
    if (postgres_has_failed(reading.postgres, reading.look_up, answer))
        return;
    postgres_take_tables(reading.postgres, answer);
    postgres_answer(reading.postgres, reading.look_up, LOOK_FOUND);
}

static void take_own_player(void *context, const struct answer *answer)
{
    struct reading *reading = context;
    struct postgres *postgres = reading->postgres;

    if (postgres_has_failed(postgres, reading->look_up, answer)) {
        free(reading);
        return;
    }
    struct player *player = answer_rows(answer) == 1 ? row_to_player(postgres, answer, 0) : NULL;
    reading->look_up->player = player;
    if (player == NULL) {
        postgres_answer(postgres, reading->look_up, LOOK_NOTHING);
        free(reading);
        return;
    }
    struct number_text id = number_text(player->id);
    postgres_look_after(postgres, OWN_MATCHES " ORDER BY m.number", id.text, take_own_matches,
                        reading);
}

/* Whether the token was right; then the player is this server's. */
static void take_claim(void *context, const struct answer *answer)
{
    struct reading *reading = context;
    struct postgres *postgres = reading->postgres;
    struct look_up *look_up = reading->look_up;

    if (postgres_has_failed(postgres, look_up, answer)) {
        free(reading);
        return;
    }
    bool there = answer_rows(answer) == 1;
    if (!there || answer_is_null(answer, 0, 1)) {
        free(reading);
        postgres_answer(postgres, look_up, there ? LOOK_REFUSED : LOOK_NOTHING);
        return;
    }
    look_up->login = (int)answer_integer(answer, 0, 1);
    const char *const values[] = {look_up->question.key};
    char sql[1024];
    snprintf(sql, sizeof sql, "SELECT %s FROM player p WHERE lower(p.name) = lower($1)",
             postgres_player_sql);
    link_ask(postgres->reader, sql, values, 1, true, take_own_player, reading);
}

static void look_up_claim(struct postgres *postgres, struct look_up *look_up)
{
    struct number_text node = number_text(postgres->nodes.own);
    unsigned char hash[TOKEN_HASH_BYTES];
    char hex[3 + 2 * TOKEN_HASH_BYTES] = "\\x";
    const char *const values[] = {node.text, look_up->question.key, hex};

    token_hash(hash, look_up->question.token);
    for (int i = 0; i < TOKEN_HASH_BYTES; i++)
        snprintf(hex + 2 + 2 * (size_t)i, 3, "%02x", hash[i]);
    link_ask(postgres->reader,
             "SELECT p.id, c.new_login FROM player p LEFT JOIN LATERAL"
             " claim($1, p.name, $3::bytea) c ON true WHERE lower(p.name) = lower($2)",
             values, 3, true, take_claim, reading_new(postgres, look_up));
}

static void take_numbers(void *context, const struct answer *answer)
{
    struct reading reading = *(struct reading *)context;
    struct postgres *postgres = reading.postgres;

    free(context);
    postgres->numbers_asked = false;
    if (answer_state(answer) == ANSWER_ROWS) {
        struct numbers *numbers = &postgres->lobby->numbers;
        numbers->spare = answer_integer(answer, 0, 0) - 1;
        numbers->spare_end = numbers->spare + MATCH_NUMBERS;
    }
    if (reading.look_up != NULL && !postgres_has_failed(postgres, reading.look_up, answer))
        postgres_answer(postgres, reading.look_up, LOOK_FOUND);
}

static void ask_match_numbers(struct postgres *postgres, struct look_up *look_up)
{
    postgres->numbers_asked = true;
    link_ask(postgres->reader, "SELECT nextval('match_number')", NULL, 0, true, take_numbers,
             reading_new(postgres, look_up));
}

static void take_ids(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    struct numbers *ids = &postgres->players->ids;

    postgres->ids_asked = false;
    if (answer_state(answer) != ANSWER_ROWS)
        return;
    ids->spare = answer_integer(answer, 0, 0) - 1;
    ids->spare_end = ids->spare + PLAYER_IDS;
}

void postgres_ask_numbers(struct postgres *postgres)
{
    const struct lobby *lobby = postgres->lobby;
    const struct players *players = postgres->players;

    if (!postgres->numbers_asked && lobby->numbers.spare_end == 0 &&
        lobby->numbers.end - lobby->opened < MATCH_NUMBERS / 2)
        ask_match_numbers(postgres, NULL);
    if (!postgres->ids_asked && players->ids.spare_end == 0 &&
        players->ids.end - players->last_id < PLAYER_IDS / 2) {
        postgres->ids_asked = true;
        link_ask(postgres->reader, "SELECT nextval('player_id')", NULL, 0, true, take_ids,
                 postgres);
    }
}

bool postgres_look_up(struct keeper *keeper, struct look_up *look_up)
{
    struct postgres *postgres = (struct postgres *)keeper;

    postgres->asked++;
    switch (look_up->question.kind) {
    case LOOK_TABLE:
    case LOOK_ONCE:
        look_up_table(postgres, look_up);
        break;
    case LOOK_RECORD:
        postgres_ask_matches(postgres, has_id(look_up->question.key), look_up->question.key,
                             take_record, reading_new(postgres, look_up));
        break;
    case LOOK_NAME:
        look_up_name(postgres, look_up, take_name);
        break;
    case LOOK_CLAIM:
        look_up_claim(postgres, look_up);
        break;
    case LOOK_NUMBERS:
        ask_match_numbers(postgres, look_up);
        break;
    default:
        postgres_look_up_list(postgres, look_up);
    }
    return false;
}
