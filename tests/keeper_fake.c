#include "keeper_fake.h"

static struct keeper_fake *fake_of(struct keeper *keeper)
{
    return (struct keeper_fake *)keeper;
}

static void keep(struct keeper *keeper, struct batch *batch)
{
    fake_of(keeper)->batch = batch;
}

static bool load(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause)
{
    struct keeper *inner = fake_of(keeper)->inner;

    return inner->kind->load(inner, players, lobby, now_ms, cause);
}

static bool find_match(struct keeper *keeper, const char *id, match_visit *visit, void *context,
                       struct cause *cause)
{
    struct keeper *inner = fake_of(keeper)->inner;

    return inner->kind->find_match(inner, id, visit, context, cause);
}

static int history(struct keeper *keeper, const struct player *player, const struct player *asker,
                   struct history_row *rows, int rows_max, int *total, struct cause *cause)
{
    struct keeper *inner = fake_of(keeper)->inner;

    return inner->kind->history(inner, player, asker, rows, rows_max, total, cause);
}

static const char *error(const struct keeper *keeper)
{
    const struct keeper *inner = ((const struct keeper_fake *)keeper)->inner;

    return inner->kind->error(inner);
}

static void close_keeper(struct keeper *keeper)
{
    (void)keeper;
}

static void ignore(void *context, struct batch *batch)
{
    (void)context, (void)batch;
}

void keeper_fake_init(struct keeper_fake *fake, struct keeper *inner)
{
    *fake = (struct keeper_fake){.inner = inner,
                                 .kind = {.shared = true,
                                          .keep = keep,
                                          .load = load,
                                          .history = history,
                                          .error = error,
                                          .close = close_keeper}};
    if (inner->kind->find_match != NULL)
        fake->kind.find_match = find_match;
    fake->keeper.kind = &fake->kind;
    inner->settled = ignore;
}

/* Another server was first: fills the drafts with the kept data, as this server would read it. */
static void make_stale(const struct keeper_fake *fake, struct unit *unit)
{
    unit->kept = KEPT_STALE;
    for (int i = 0; i < unit->table_count; i++) {
        struct table_draft *draft = &unit->tables[i];
        if (draft->table == NULL)
            continue;
        table_drop(draft->next);
        draft->next = table_draft(draft->table);
        if (fake->meanwhile != NULL)
            fake->meanwhile(draft->next);
    }
    for (int i = 0; i < unit->rating_count; i++) {
        struct rating_draft *draft = &unit->ratings[i];
        const struct rating *rating =
            rating_find(&draft->player->ratings, draft->game, draft->variant);
        draft->now = rating != NULL ? rating->now : glicko_start();
        draft->matches = rating != NULL ? rating->matches : 0;
    }
}

static bool takes(int *count)
{
    if (*count == 0)
        return false;
    --*count;
    return true;
}

/* Decides the fate of a unit. Returns whether it goes to the inner keeper. */
static bool decide(struct keeper_fake *fake, struct unit *unit)
{
    bool asked = unit->session != NULL && unit_writes(unit);
    bool stale = asked && (takes(&fake->stale) || (fake->stale_at_first && !fake->was_stale));

    if (asked)
        fake->was_stale = stale;
    if (stale)
        make_stale(fake, unit);
    else if (asked && takes(&fake->failed))
        unit->kept = KEPT_FAILED;
    return unit->kept == KEPT;
}

bool keeper_fake_answer(struct keeper_fake *fake)
{
    struct batch *batch = fake->batch;
    struct unit *unit;

    if (batch == NULL)
        return false;
    fake->batch = NULL;
    fake->inner->tally = fake->keeper.tally;
    TAILQ_FOREACH (unit, &batch->units, link) {
        if (!decide(fake, unit))
            continue;
        struct unit alone = *unit; /* a separate batch, so that the other units keep their places */
        struct batch one = {.count = 1};
        TAILQ_INIT(&one.units);
        TAILQ_INSERT_TAIL(&one.units, &alone, link);
        fake->inner->kind->keep(fake->inner, &one);
        unit->kept = alone.kept;
    }
    fake->keeper.settled(fake->keeper.context, batch);
    return true;
}
