#include "look_up.h"

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

struct look_up *look_up_new(const struct question *question)
{
    struct look_up *look_up = xcalloc(1, sizeof *look_up);

    look_up->question = *question;
    return look_up;
}

bool question_is_same(const struct question *one, const struct question *other)
{
    return one->kind == other->kind && strcmp(one->key, other->key) == 0 &&
           strcmp(one->token, other->token) == 0 && one->player == other->player &&
           one->asker == other->asker && one->rows_max == other->rows_max &&
           memcmp(&one->filter, &other->filter, sizeof one->filter) == 0;
}

void look_up_free(struct look_up *look_up)
{
    if (look_up == NULL)
        return;
    stored_match_free(look_up->stored);
    free(look_up->rows);
    free(look_up);
}
