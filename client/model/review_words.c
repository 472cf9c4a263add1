#include "review_words.h"

#include <stdio.h>

enum { BAR_WIDTH = 20 };

static void add_title(const struct pgn_match *match, struct buffer *text)
{
    const char *reason = reason_text(match->outcome.reason);
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    buffer_printf(text, "%s %s, %s - %s, %s%s%s\n\n", match->game->title, variant,
                  match->white != NULL ? match->white : "?",
                  match->black != NULL ? match->black : "?", result_text(match->outcome.result),
                  reason != NULL ? " " : "", reason != NULL ? reason : "");
    buffer_printf(text, "%13s   White's chance to win\n", "");
}

static void add_better(const struct pgn_match *match, const struct reviewed *plies, int ply,
                       struct buffer *text)
{
    if (review_has_better(match, plies, ply)) {
        buffer_printf(text, "  better:");
        for (int i = 0; i < plies[ply].line_plies; i++)
            buffer_printf(text, " %s", plies[ply].line[i]);
    }
    if (plies[ply].last_win)
        buffer_puts(text, "; the last moment to win");
}

/* Adds a move, and how white stands after it. */
static void add_ply(const struct pgn_match *match, const struct reviewed *plies, int ply,
                    struct buffer *text)
{
    int half = match->start.side + ply, chance = plies[ply + 1].chance;
    bool black = half % 2 == BLACK;
    char bar[BAR_WIDTH + 1], number[16] = "";

    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i * 100 < chance * BAR_WIDTH ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    if (!black || ply == 0)
        snprintf(number, sizeof number, "%d%s", half / 2 + 1, black ? "..." : ".");
    buffer_printf(text, "%5s %-6s %-2s %3d %% %s", number, match->moves[ply].text,
                  review_mark(&plies[ply]), chance, bar);
    add_better(match, plies, ply, text);
    buffer_puts(text, "\n");
}

static void add_totals(const struct pgn_match *match, const struct reviewed *plies,
                       struct buffer *text)
{
    int counts[2][PLAYED_BLUNDER + 1] = {{0}};

    for (int ply = 0; ply < match->plies; ply++)
        counts[(match->start.side + ply) % 2][plies[ply].mark]++;
    buffer_printf(text,
                  "\nMistakes (?): white %d, black %d. Blunders (\?\?): white %d, black %d.\n",
                  counts[WHITE][PLAYED_MISTAKE], counts[BLACK][PLAYED_MISTAKE],
                  counts[WHITE][PLAYED_BLUNDER], counts[BLACK][PLAYED_BLUNDER]);
}

void review_words(const struct pgn_match *match, const struct reviewed *plies, struct buffer *text)
{
    add_title(match, text);
    for (int ply = 0; ply < match->plies; ply++)
        add_ply(match, plies, ply, text);
    add_totals(match, plies, text);
}
