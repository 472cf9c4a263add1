#include "keeper.h"

#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

static struct player *copy_person(struct player *copy, const struct player *person)
{
    if (person == NULL)
        return NULL;
    *copy = (struct player){.id = person->id, .kind = person->kind};
    memcpy(copy->name, person->name, sizeof copy->name);
    return copy;
}

const char *const keeper_unsafe_settings[] = {"fsync", "full_page_writes", "synchronous_commit",
                                              "synchronous_standby_names", NULL};

struct stored_match *stored_match_new(struct table *table)
{
    struct stored_match *stored = xcalloc(1, sizeof *stored);

    stored->table = *table;
    table->match.plies = NULL;
    table->broken = NULL;
    for (int color = WHITE; color <= BLACK; color++)
        stored->table.seats[color].player =
            copy_person(&stored->people[color], table->seats[color].player);
    stored->table.creator = copy_person(&stored->people[CREATOR], table->creator);
    return stored;
}

void stored_match_free(struct stored_match *stored)
{
    if (stored == NULL)
        return;
    match_release(&stored->table.match);
    free(stored->table.broken);
    free(stored);
}

void look_up_add_record(struct look_up *look_up, struct stored_match *stored)
{
    struct stored_match **end = &look_up->records;

    while (*end != NULL)
        end = &(*end)->next;
    *end = stored;
    look_up->next = stored->table.number;
    look_up->count++;
}

bool look_up_is_full(const struct look_up *look_up)
{
    int plies = 0;

    for (const struct stored_match *at = look_up->records; at != NULL; at = at->next)
        plies += at->table.match.ply_count;
    return look_up->count >= look_up->question.rows_max || plies >= look_up->question.plies_max;
}

struct look_up *look_up_new(const struct question *question)
{
    struct look_up *look_up = xcalloc(1, sizeof *look_up);

    look_up->question = *question;
    return look_up;
}

bool question_is_same(const struct question *one, const struct question *other)
{
    return one->kind == other->kind && strcmp(one->key, other->key) == 0 &&
           strcmp(one->token, other->token) == 0 && one->only == other->only &&
           one->player == other->player && one->asker == other->asker &&
           one->after == other->after && one->since_s == other->since_s &&
           one->rows_max == other->rows_max && one->plies_max == other->plies_max &&
           memcmp(&one->filter, &other->filter, sizeof one->filter) == 0;
}

void look_up_free(struct look_up *look_up)
{
    if (look_up == NULL)
        return;
    stored_match_free(look_up->stored);
    while (look_up->records != NULL) {
        struct stored_match *next = look_up->records->next;
        stored_match_free(look_up->records);
        look_up->records = next;
    }
    free(look_up->rows);
    free(look_up->review);
    free(look_up->best);
    free(look_up);
}

/* The keeper that keeps nothing: matches and players end with the server. */

static void keep_nothing(struct keeper *keeper, struct batch *batch)
{
    keeper->calls->settled(keeper->context, batch); /* unit_new() has set KEPT */
}

static bool load_nothing(struct keeper *keeper, struct players *players, struct lobby *lobby,
                         int64_t now_ms, struct cause *cause)
{
    (void)keeper, (void)players, (void)lobby, (void)now_ms, (void)cause;
    return true;
}

static const char *no_error(const struct keeper *keeper)
{
    (void)keeper;
    return "";
}

static void close_nothing(struct keeper *keeper)
{
    (void)keeper;
}

struct keeper keeper_none(void)
{
    static const struct keeper_kind kind = {.at_once = true,
                                            .keep = keep_nothing,
                                            .load = load_nothing,
                                            .error = no_error,
                                            .close = close_nothing};

    return (struct keeper){.kind = &kind};
}
