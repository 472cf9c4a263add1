#include "tally.h"

#include <time.h>

const int64_t tally_bucket_us[TALLY_BUCKETS] = {100,   500,    1000,   5000,   10000,
                                                50000, 100000, 500000, 1000000};

void tally_reply(struct tally *tally, int command, enum status status)
{
    if (command < TALLY_COMMANDS_MAX)
        tally->replies[command][status]++;
}

void tally_busy(struct tally *tally, int command, int64_t busy_us)
{
    if (command < TALLY_COMMANDS_MAX)
        tally->busy_us[command] += (uint64_t)busy_us;
}

void tally_game(uint64_t counts[TALLY_GAMES_MAX], const struct game *game)
{
    for (int i = 0; i < TALLY_GAMES_MAX && games[i] != NULL; i++)
        counts[i] += games[i] == game;
}

uint64_t tally_sum(const uint64_t *counts, int count)
{
    uint64_t total = 0;

    for (int i = 0; i < count; i++)
        total += counts[i];
    return total;
}

uint64_t tally_errors(const struct tally *tally)
{
    uint64_t errors = 0;

    for (int i = 0; i < TALLY_COMMANDS_MAX; i++)
        errors += tally_sum(tally->replies[i], TALLY_STATUSES) - tally->replies[i][STATUS_OK];
    return errors;
}

int64_t tally_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void tally_commit(struct tally *tally, bool good, int64_t took_us)
{
    if (!good) {
        tally->commits_failed++;
        return;
    }
    tally->commits++;
    tally->commits_us += (uint64_t)took_us;
    for (int i = 0; i < TALLY_BUCKETS; i++)
        tally->commits_within[i] += took_us <= tally_bucket_us[i];
}
