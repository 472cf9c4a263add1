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

/* Answers later. One session asks one question at a time. */
static bool look_up(struct keeper *keeper, struct look_up *asked)
{
    struct keeper_fake *fake = fake_of(keeper);

    if (fake->asked_count == FAKE_ASKED_MAX)
        return fake->inner->kind->look_up(fake->inner, asked);
    fake->asked[fake->asked_count++] = asked;
    return false;
}

static int retire(struct keeper *keeper, const struct retention *retention, struct cause *cause)
{
    struct keeper *inner = fake_of(keeper)->inner;

    return inner->kind->retire(inner, retention, cause);
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

static const struct keeper_calls ignored = {.settled = ignore};

void keeper_fake_init(struct keeper_fake *fake, struct keeper *inner)
{
    *fake = (struct keeper_fake){
        .inner = inner,
        .kind = {
            .shared = true, .keep = keep, .load = load, .error = error, .close = close_keeper}};
    if (inner->kind->look_up != NULL)
        fake->kind.look_up = look_up;
    if (inner->kind->retire != NULL)
        fake->kind.retire = retire;
    fake->keeper.kind = &fake->kind;
    inner->calls = &ignored;
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
    bool asked = (unit->session != NULL || unit->pairs) && unit_writes(unit);
    bool stale = asked && (takes(&fake->stale) ||
                           (fake->stale_at_first && unit->session != NULL && !fake->was_stale));

    if (asked)
        fake->was_stale = stale;
    if (stale)
        make_stale(fake, unit);
    else if (asked && takes(&fake->failed))
        unit->kept = KEPT_FAILED;
    return unit->kept == KEPT;
}

static bool answer_look_ups(struct keeper_fake *fake)
{
    int count = fake->asked_count;

    fake->asked_count = 0;
    for (int i = 0; i < count; i++) {
        fake->inner->kind->look_up(fake->inner, fake->asked[i]);
        fake->keeper.calls->found(fake->keeper.context, fake->asked[i]);
    }
    return count > 0;
}

bool keeper_fake_answer(struct keeper_fake *fake)
{
    bool answered = answer_look_ups(fake);
    struct batch *batch = fake->batch;
    struct unit *unit;

    if (batch == NULL)
        return answered;
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
    fake->keeper.calls->settled(fake->keeper.context, batch);
    return true;
}
