#include "report.h"

void summary_add(struct summary *summary, const struct plan *plan,
                 const struct result_of_match pair[2])
{
    for (int i = 0; i < 2; i++) {
        int player = player_at_fault(&pair[i]);
        summary->endings[pair[i].ending]++;
        if (player >= 0)
            summary->faults[player][pair[i].ending]++;
    }
    tally_add(&summary->tally, first_player_points(&pair[0]), first_player_points(&pair[1]));
    if (!plan->sprt)
        return;
    summary->llr = sprt_llr(&summary->tally, plan->elo0, plan->elo1);
    if (summary->llr >= sprt_bound())
        summary->verdict = VERDICT_ELO1;
    else if (summary->llr <= -sprt_bound())
        summary->verdict = VERDICT_ELO0;
}

void report_progress(const struct plan *plan, const struct summary *summary, int played)
{
    const struct tally *tally = &summary->tally;
    struct estimate e = estimate(tally);

    fprintf(stderr, "\r%d/%ld matches  +%d =%d -%d  %.1f %%  Elo %+.0f [%+.0f, %+.0f]", played,
            2 * plan->pairs, tally->wins, tally->draws, tally->losses, 100 * e.score, e.elo,
            e.elo_low, e.elo_high);
    if (plan->sprt)
        fprintf(stderr, "  LLR %+.2f", summary->llr);
    fputs("\033[K", stderr); /* to the end of the line */
    fflush(stderr);
}

void report_fault(const struct plan *plan, const struct result_of_match *result)
{
    int player = player_at_fault(result);
    const char *color = color_name(player == white_player(result->number) ? WHITE : BLACK);

    fprintf(stderr, "match %d, ply %d: %s (%s) loses by %s: %s\n", result->number + 1,
            result->plies + 1, plan->players[player].label, color, ending_text(result->ending),
            result->note.text);
}

static void report_faults(const struct plan *plan, const struct summary *summary)
{
    static const char *const names[ENDINGS] = {[ENDING_TIME] = "lost on time",
                                               [ENDING_ILLEGAL] = "illegal moves",
                                               [ENDING_CRASH] = "crashes"};

    for (enum ending ending = ENDING_TIME; ending < ENDINGS; ending++)
        printf("%-14s  %d by %s, %d by %s\n", names[ending], summary->faults[0][ending],
               plan->players[0].label, summary->faults[1][ending], plan->players[1].label);
}

static void report_sprt(const struct plan *plan, const struct summary *summary)
{
    static const char *const verdicts[] = {"undecided", "ELO0 accepted", "ELO1 accepted"};

    printf("%-14s  %s: LLR %+.2f (%.2f to %.2f) for ELO0 %+g, ELO1 %+g\n", "sprt",
           verdicts[summary->verdict], summary->llr, -sprt_bound(), sprt_bound(), plan->elo0,
           plan->elo1);
}

static bool adjudicates(const struct plan *plan)
{
    return plan->score_cp > 0 || plan->solver_nodes > 0;
}

static void report_head(const struct plan *plan)
{
    char variant[VARIANT_NAME_MAX], limit[PLAN_LIMIT_MAX];

    plan->game->variant_name(&plan->start, variant);
    plan_limit(plan, limit);
    printf("%-14s  %s:%s\n", "game", plan->game->name, variant);
    printf("%-14s  %s against %s\n", "players", plan->players[0].label, plan->players[1].label);
    printf("%-14s  %s, ", "played with", limit);
    if (plan->list.count > 0)
        printf("%d openings of %s", plan->list.count, plan->openings_path);
    else
        printf("openings of %ld plies", plan->opening_plies);
    printf(", seed %ld\n", plan->seed);
}

void report(const struct plan *plan, const struct summary *summary)
{
    const struct tally *tally = &summary->tally;
    struct estimate e = estimate(tally);

    report_head(plan);
    printf("%-14s  %d in %d pairs\n", "matches", 2 * tally_pairs(tally), tally_pairs(tally));
    printf("%-14s  %d\n%-14s  %d\n%-14s  %d\n", "wins", tally->wins, "draws", tally->draws,
           "losses", tally->losses);
    printf("%-14s  %.1f %% (95 %%: %.1f to %.1f)\n", "score", 100 * e.score, 100 * e.score_low,
           100 * e.score_high);
    printf("%-14s  %+.0f (95 %%: %+.0f to %+.0f)\n", "elo", e.elo, e.elo_low, e.elo_high);
    printf("%-14s  %d %d %d %d %d with 0, 1/2, 1, 3/2, 2 points\n", "pairs", tally->pairs[0],
           tally->pairs[1], tally->pairs[2], tally->pairs[3], tally->pairs[4]);
    printf("%-14s  %d drawn at %ld plies\n", "ply limit", summary->endings[ENDING_PLIES],
           plan->plies_max);
    if (adjudicates(plan))
        printf("%-14s  %d by score, %d by solver\n", "adjudicated", summary->endings[ENDING_SCORE],
               summary->endings[ENDING_SOLVER]);
    report_faults(plan, summary);
    if (plan->sprt)
        report_sprt(plan, summary);
}

void report_pairing(const struct plan *plan, const struct summary *summary)
{
    const struct tally *tally = &summary->tally;
    int faults[2] = {0};

    for (enum ending ending = ENDING_TIME; ending < ENDINGS; ending++)
        for (int i = 0; i < 2; i++)
            faults[i] += summary->faults[i][ending];
    printf("%s against %s: +%d =%d -%d, lost by own fault %d and %d", plan->players[0].label,
           plan->players[1].label, tally->wins, tally->draws, tally->losses, faults[0], faults[1]);
    if (adjudicates(plan))
        printf(", adjudicated %d by score, %d by solver", summary->endings[ENDING_SCORE],
               summary->endings[ENDING_SOLVER]);
    putchar('\n');
}
