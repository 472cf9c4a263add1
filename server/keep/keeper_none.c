/* Keeps nothing: matches and players end with the server. */
#include "keeper.h"

static void keep(struct keeper *keeper, struct batch *batch)
{
    keeper->calls->settled(keeper->context, batch); /* unit_new() has set KEPT */
}

static bool load(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause)
{
    (void)keeper, (void)players, (void)lobby, (void)now_ms, (void)cause;
    return true;
}

static const char *error(const struct keeper *keeper)
{
    (void)keeper;
    return "";
}

static void close_keeper(struct keeper *keeper)
{
    (void)keeper;
}

struct keeper keeper_none(void)
{
    static const struct keeper_kind kind = {
        .at_once = true, .keep = keep, .load = load, .error = error, .close = close_keeper};

    return (struct keeper){.kind = &kind};
}
