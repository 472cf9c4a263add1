/* `ludus-bot gauntlet`: a match between two engines, or between each two of more. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client/bot/bot.h"
#include "common/xmalloc.h"
#include "gauntlet.h"
#include "rating_table.h"

enum { PAIRINGS_MAX = GAUNTLET_PLAYERS_MAX * (GAUNTLET_PLAYERS_MAX - 1) / 2, PATH_BYTES_MAX = 96 };

struct round_robin {
    struct pairing *pairings; /* owned; as far as they were begun */
    int count;
    char paths[PAIRINGS_MAX][PATH_BYTES_MAX]; /* of the results that print_continuation() saves */
};

/* Prints a word, quoted for a shell. */
static void print_word(const char *word)
{
    static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "-_=+:,./@%";
    bool is_plain = *word != '\0' && word[strspn(word, plain)] == '\0';

    fputs(is_plain ? " " : " '", stderr);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            putc(*word, stderr);
    if (!is_plain)
        putc('\'', stderr);
}

/* Saves the results of all pairings to new state files of this name. */
static bool save(struct round_robin *all, const char *name, struct cause *cause)
{
    bool saved = true;

    for (int i = 0; i < all->count && saved; i++) {
        struct pairing *pairing = &all->pairings[i];
        const struct plan *plan = &pairing->plan;
        if (pairing->results.played == 0)
            continue;
        if (plan->player_count == 2)
            snprintf(all->paths[i], PATH_BYTES_MAX, "%s", name);
        else
            snprintf(all->paths[i], PATH_BYTES_MAX, "%s.%d-%d", name, plan->pairing[0] + 1,
                     plan->pairing[1] + 1);
        saved = results_save(&pairing->results, all->paths[i], plan, cause);
    }
    return saved;
}

/* Prints the command that continues the gauntlet. Without a state file, saves its results first. */
static void print_continuation(struct round_robin *all, int argc, char **argv)
{
    const struct plan *plan = &all->pairings[0].plan;
    int players = plan->player_count, played = 0;
    struct cause cause;
    char name[48];

    for (int i = 0; i < all->count; i++)
        played += all->pairings[i].results.played;
    fprintf(stderr, "interrupted after %d of %ld matches", played,
            plan->pairs * players * (players - 1));
    snprintf(name, sizeof name, "gauntlet-%lld-%d.state", (long long)time(NULL), (int)getpid());
    if (plan->state_path == NULL && !save(all, name, &cause)) {
        fputc('\n', stderr);
        bot_error("state", "%s", cause.text);
        return;
    }
    fprintf(stderr, "; to go on:\n%s gauntlet", program_invocation_name);
    if (plan->state_path == NULL)
        fprintf(stderr, " --resume %s", name);
    for (int i = 1; i < argc; i++)
        print_word(argv[i]);
    fputc('\n', stderr);
}

/* Plays the pairing of these players, counted from 0. Returns false, with the exit status, if that
 * is not all. */
static bool run_pairing(struct round_robin *all, int first, int second, int argc, char **argv,
                        int *status)
{
    struct pairing *pairing = &all->pairings[all->count++];

    *status = plan_read(&pairing->plan, first, second, argc, argv);
    if (*status != USAGE_READ)
        return false;
    pairing->plan.appends_pgn = all->count > 1;
    enum pairing_end end = pairing_play(pairing);
    *status = end == PAIRING_DONE ? 0 : 1;
    if (end == PAIRING_INTERRUPTED || (end == PAIRING_FAILED && all->count > 1))
        print_continuation(all, argc, argv);
    return end == PAIRING_DONE;
}

static void print_ratings(const struct round_robin *all)
{
    struct rating_table table = {.count = all->pairings[0].plan.player_count};
    const char *labels[GAUNTLET_PLAYERS_MAX];

    for (int i = 0; i < all->count; i++) {
        const struct pairing *pairing = &all->pairings[i];
        const struct tally *tally = &pairing->tally;
        int first = pairing->plan.pairing[0], second = pairing->plan.pairing[1];
        table.matches[first][second] = 2 * tally_pairs(tally);
        table.half_points[first][second] = 2 * tally->wins + tally->draws;
        labels[first] = pairing->plan.players[0].label;
        labels[second] = pairing->plan.players[1].label;
    }
    rating_table_rate(&table);
    putchar('\n');
    rating_table_print(&table, labels);
}

int gauntlet_main(const struct usage_command *command, int argc, char **argv)
{
    struct round_robin all = {.pairings = xcalloc(PAIRINGS_MAX, sizeof all.pairings[0])};
    int status;

    (void)command;
    bool goes_on = run_pairing(&all, 0, 1, argc, argv, &status);
    for (int second = 2; goes_on && second < all.pairings[0].plan.player_count; second++)
        for (int first = 0; goes_on && first < second; first++)
            goes_on = run_pairing(&all, first, second, argc, argv, &status);
    if (goes_on && all.count > 1)
        print_ratings(&all);
    for (int i = 0; i < all.count; i++)
        pairing_release(&all.pairings[i]);
    free(all.pairings);
    return status;
}
