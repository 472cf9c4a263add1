#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "wire.h"

struct match_id {
    char text[TABLE_ID_MAX];
};

/* The id of a match of a tournament: these are public. */
static struct match_id match_id(int64_t number)
{
    struct match_id id;

    snprintf(id.text, sizeof id.text, "%" PRId64, number);
    return id;
}

static const char *name_of(const struct tournament *tournament, int entrant)
{
    return entrant != NOBODY ? tournament->players[entrant]->name : NULL;
}

static void write_date(struct buffer *json, const char *member, time_t date)
{
    if (date != 0)
        json_word(json, member, wire_date_text(date).text);
    else
        json_null(json, member);
}

static void write_pairing(struct buffer *json, const struct tournament *tournament,
                          const struct contest_pairing *pairing, int64_t match)
{
    json_string(json, "white", name_of(tournament, pairing->white));
    json_string(json, "black", name_of(tournament, pairing->black));
    if (match != 0)
        json_word(json, "match", match_id(match).text);
    else
        json_null(json, "match");
    json_word(json, "result", pairing_result_text(pairing->result));
}

static void write_news_text(struct buffer *text, const struct tournament *tournament,
                            const struct tournament_news *news)
{
    const struct contest_pairing *pairing = news->pairing;

    buffer_printf(text, "tournament %s %s", tournament->id, news->what);
    if (news->player != NULL)
        buffer_printf(text, ": %s", news->player);
    if (news->round > 0)
        buffer_printf(text, pairing != NULL ? ", round %d" : " %d", news->round);
    if (pairing != NULL) {
        const char *black = name_of(tournament, pairing->black);
        buffer_printf(text, ": %s - %s", name_of(tournament, pairing->white),
                      black != NULL ? black : "(bye)");
        if (news->match != 0)
            buffer_printf(text, ", match %s", match_id(news->match).text);
        if (news->result)
            buffer_printf(text, ", %s", pairing_result_text(pairing->result));
    }
    buffer_puts(text, "\n");
}

void wire_tournament_news(const struct wire *wire, const struct tournament *tournament,
                          const struct tournament_news *news)
{
    if (wire->text) {
        write_news_text(wire->out, tournament, news);
        return;
    }
    struct buffer *json = wire_begin(wire, "tournament");
    json_word(json, "tournament", tournament->id);
    json_word(json, "what", news->what);
    json_word(json, "status", tournament_status_text(tournament->status));
    if (news->player != NULL)
        json_string(json, "name", news->player);
    if (news->round > 0)
        json_integer(json, "round", news->round);
    if (news->pairing != NULL)
        write_pairing(json, tournament, news->pairing, news->match);
    wire_end(wire);
}

static void write_tournament_head_text(struct buffer *text, const struct tournament *tournament)
{
    const struct tournament_plan *plan = &tournament->plan;
    char variant[VARIANT_NAME_MAX], openings[OPENINGS_TEXT_MAX];

    plan->game->variant_name(&plan->start, variant);
    openings_format(plan->openings, openings);
    buffer_printf(text, "%-5s %-8s %s  %s:%s %s", tournament->id,
                  tournament_status_text(tournament->status), plan->name, plan->game->name, variant,
                  contest_format_text(plan->format));
    wire_time_control_text(text, ", clock ", &plan->clock);
    int active = contest_active(&tournament->contest);
    buffer_printf(text, ", %d player%s", active, active == 1 ? "" : "s");
    if (contest_round(&tournament->contest) > 0 && plan->format != FORMAT_ARENA)
        buffer_printf(text, ", round %d", contest_round(&tournament->contest));
    buffer_printf(text, "%s%s%s%s%s%s\n", plan->casual ? ", not rated" : "",
                  openings[0] != '\0' ? ", openings " : "", openings,
                  plan->series[0] != '\0' ? ", series " : "", plan->series,
                  plan->code[0] != '\0' ? ", code needed" : "");
}

/* Writes the members that the list has, too. */
static void write_tournament_head(struct buffer *json, const struct tournament *tournament)
{
    const struct tournament_plan *plan = &tournament->plan;
    char variant[VARIANT_NAME_MAX], openings[OPENINGS_TEXT_MAX];

    plan->game->variant_name(&plan->start, variant);
    json_word(json, "tournament", tournament->id);
    json_string(json, "name", plan->name);
    json_word(json, "game", plan->game->name);
    json_word(json, "variant", variant);
    json_word(json, "format", contest_format_text(plan->format));
    json_word(json, "status", tournament_status_text(tournament->status));
    json_string(json, "director", plan->director->name);
    json_integer(json, "entrants", contest_active(&tournament->contest));
    json_integer(json, "round", contest_round(&tournament->contest));
    wire_time_control(json, &plan->clock);
    json_bool(json, "rated", !plan->casual);
    json_word(json, "bots", bots_wanted_text(plan->bots));
    write_date(json, "starts", plan->starts_s);
    if (plan->code[0] != '\0')
        json_bool(json, "code", true);
    openings_format(plan->openings, openings);
    if (openings[0] != '\0')
        json_word(json, "openings", openings);
    if (plan->series[0] != '\0')
        json_word(json, "series", plan->series);
}

/* Writes a match of an entrant in short, such as 3w1: against number 3, with white, won. */
static void write_crosstable_cell(char text[16], const struct contest_pairing *pairing, int entrant)
{
    static const char scores[] = "0=1";
    bool void_one = pairing->result == PAIRING_VOID;
    char score = scores[pairing_points2(pairing, entrant)];

    if (pairing->walkover)
        score = score == '1' ? '+' : '-';
    else if (pairing->result == PAIRING_OPEN || void_one)
        score = void_one ? '0' : '*';
    if (pairing->black == NOBODY)
        snprintf(text, 16, "bye");
    else
        snprintf(text, 16, "%d%c%c", pairing_opponent(pairing, entrant) + 1,
                 pairing->white == entrant ? 'w' : 'b', score);
}

/* The latest pairings of each entrant, the last one first: found in one pass, as there may be many
 * pairings. */
struct crosstable {
    int cells[CROSSTABLE_PLAYERS_MAX][CROSSTABLE_CELLS_MAX];
    int counts[CROSSTABLE_PLAYERS_MAX];
};

/* False: there are too many entrants. */
static bool find_cells(const struct contest *contest, struct crosstable *table)
{
    if (contest->entrant_count > CROSSTABLE_PLAYERS_MAX)
        return false;
    memset(table->counts, 0, sizeof table->counts);
    for (int i = contest->pairings.count - 1; i >= 0; i--) {
        const int both[] = {contest->pairings.rows[i].white, contest->pairings.rows[i].black};
        for (int j = 0; j < 2; j++)
            if (both[j] != NOBODY && table->counts[both[j]] < CROSSTABLE_CELLS_MAX)
                table->cells[both[j]][table->counts[both[j]]++] = i;
    }
    return true;
}

/* Writes the matches of an entrant, the latest if there are too many, as strings or as text. */
static void write_cells(const struct wire *wire, const struct tournament *tournament,
                        const struct crosstable *table, int entrant)
{
    for (int i = table->counts[entrant] - 1; i >= 0; i--) {
        int pairing = table->cells[entrant][i];
        char cell[16];
        write_crosstable_cell(cell, &tournament->contest.pairings.rows[pairing], entrant);
        if (!WIRE_TEXT(wire, " %s", cell))
            json_word(wire->out, NULL, cell);
    }
}

/* Writes the performance in matches, null before the first one. */
static void write_performance(struct buffer *json, int matches, double performance, double error)
{
    if (matches > 0) {
        json_integer(json, "performance", lround(performance));
        json_integer(json, "performance_error", lround(error));
    } else {
        json_null(json, "performance");
        json_null(json, "performance_error");
    }
}

static void write_standing(struct buffer *json, const struct tournament *tournament,
                           const struct standing *row)
{
    const struct player *player = tournament->players[row->entrant];
    const struct entrant *entrant = &tournament->contest.entrants[row->entrant];

    json_open(json, NULL, '{');
    json_integer(json, "rank", row->rank);
    json_integer(json, "number", row->entrant + 1);
    json_string(json, "name", player->name);
    wire_display(json, "display", player_display(player));
    json_bool(json, "bot", player->bot);
    json_bool(json, "online", player->here);
    json_bool(json, "left", entrant->left);
    json_integer(json, "rating", lround(entrant->rating));
    json_hundredths(json, "score", row->points2 * INT64_C(50));
    json_integer(json, "matches", row->matches);
    json_integer(json, "wins", row->wins);
    json_hundredths(json, "sonneborn_berger", row->sonneborn4 * INT64_C(25));
    json_hundredths(json, "buchholz", row->buchholz2 * INT64_C(50));
    json_hundredths(json, "direct", row->direct2 * INT64_C(50));
    write_performance(json, row->matches, row->performance, row->performance_error);
    json_close(json, '}');
}

static void write_pairings(struct buffer *json, const struct tournament *tournament,
                           const struct tournament_pages *pages)
{
    const struct pairing_list *list = &tournament->contest.pairings;
    int round = 0;

    json_open(json, "rounds", '[');
    for (int i = pages->pairing; i < pages->pairing + pages->pairings; i++) {
        const struct contest_pairing *pairing = &list->rows[i];
        if (pairing->round != round && round != 0) {
            json_close(json, ']');
            json_close(json, '}');
        }
        if (pairing->round != round) {
            json_open(json, NULL, '{');
            json_integer(json, "round", round = pairing->round);
            json_open(json, "pairings", '[');
        }
        json_open(json, NULL, '{');
        json_integer(json, "number", i + 1);
        write_pairing(json, tournament, pairing, tournament->matches[i]);
        json_bool(json, "walkover", pairing->walkover);
        json_close(json, '}');
    }
    if (round != 0) {
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_tournament_text(const struct wire *wire, const struct tournament *tournament,
                                  const struct standing rows[],
                                  const struct tournament_pages *pages)
{
    struct crosstable table;
    bool small = find_cells(&tournament->contest, &table);

    write_tournament_head_text(wire->out, tournament);
    for (int i = pages->player; i < pages->player + pages->players; i++) {
        const struct standing *row = &rows[i];
        buffer_printf(wire->out, "%4d  %3d %-24s %5.1f/%d", row->rank, row->entrant + 1,
                      tournament->players[row->entrant]->name, row->points2 / 2.0, row->matches);
        if (small)
            write_cells(wire, tournament, &table, row->entrant);
        buffer_puts(wire->out, tournament->contest.entrants[row->entrant].left ? " left\n" : "\n");
    }
}

static void write_crosstable(const struct wire *wire, const struct tournament *tournament,
                             const struct standing rows[])
{
    struct crosstable table;

    if (!find_cells(&tournament->contest, &table)) {
        json_null(wire->out, "crosstable");
        return;
    }
    json_open(wire->out, "crosstable", '[');
    for (int i = 0; i < tournament->contest.entrant_count; i++) {
        json_open(wire->out, NULL, '[');
        write_cells(wire, tournament, &table, rows[i].entrant);
        json_close(wire->out, ']');
    }
    json_close(wire->out, ']');
}

void wire_tournament(const struct wire *wire, const struct tournament *tournament,
                     const struct standing rows[], const struct tournament_pages *pages)
{
    if (wire->text) {
        write_tournament_text(wire, tournament, rows, pages);
        return;
    }
    struct buffer *json = wire_begin(wire, "tournament");
    write_tournament_head(json, tournament);
    json_integer(json, "rounds_planned", tournament->contest.rounds);
    json_integer(json, "cycles", tournament->plan.cycles);
    json_integer(json, "minutes", tournament->plan.minutes);
    write_date(json, "started", tournament->started_s);
    write_date(json, "ended", tournament->ended_s);
    json_open(json, "players", '[');
    for (int i = pages->player; i < pages->player + pages->players; i++)
        write_standing(json, tournament, &rows[i]);
    json_close(json, ']');
    json_integer(json, "total_players", tournament->contest.entrant_count);
    write_pairings(json, tournament, pages);
    json_integer(json, "total_pairings", tournament->contest.pairings.count);
    write_crosstable(wire, tournament, rows);
    wire_end(wire);
}

void wire_tournaments(const struct wire *wire, const struct tournaments *tournaments, int count)
{
    const struct tournament *tournament;

    wire_begin_rows(wire, "tournaments", "tournaments");
    TAILQ_FOREACH_REVERSE (tournament, &tournaments->list, tournament_list, link) {
        if (count-- <= 0)
            break;
        if (wire->text) {
            write_tournament_head_text(wire->out, tournament);
            continue;
        }
        json_open(wire->out, NULL, '{');
        write_tournament_head(wire->out, tournament);
        json_close(wire->out, '}');
    }
    wire_end_rows(wire, tournaments->unfinished + tournaments->over);
    if (wire->text && TAILQ_EMPTY(&tournaments->list))
        buffer_puts(wire->out, "no tournaments: tournament new NAME GAME format=swiss opens one\n");
}

static void write_score_of_series(const struct wire *wire, const struct series_row *row)
{
    const struct series_score *score = &row->score;
    struct buffer *json = wire->out;
    double error;
    double performance = performance_of(score->matches, score->played2, score->opponents, &error);

    if (WIRE_TEXT(wire, "%4d  %-24s %6.1f/%d in %d tournament%s", row->rank, row->name,
                  score->points2 / 2.0, score->matches, score->tournaments,
                  score->tournaments == 1 ? "" : "s")) {
        if (score->matches > 0)
            buffer_printf(json, ", performance %.0f +- %.0f", performance, error);
        buffer_puts(json, "\n");
        return;
    }
    json_open(json, NULL, '{');
    json_integer(json, "rank", row->rank);
    json_string(json, "name", row->name);
    wire_display(json, "display", row->display);
    json_bool(json, "bot", row->bot);
    json_integer(json, "tournaments", score->tournaments);
    json_hundredths(json, "score", score->points2 * INT64_C(50));
    json_integer(json, "matches", score->matches);
    write_performance(json, score->matches, performance, error);
    json_close(json, '}');
}

void wire_series(const struct wire *wire, const struct series *series,
                 const struct series_row rows[], int count)
{
    if (wire->text) {
        buffer_printf(wire->out, "series %s  %s:%s, directed by %s, %d tournament%s over\n",
                      series->name, series->game->name, series->variant, series->director,
                      series->tournaments, series->tournaments == 1 ? "" : "s");
    } else {
        struct buffer *json = wire_begin(wire, "series");
        json_word(json, "series", series->name);
        json_word(json, "game", series->game->name);
        json_word(json, "variant", series->variant);
        json_string(json, "director", series->director);
        json_integer(json, "tournaments", series->tournaments);
        json_open(json, "players", '[');
    }
    for (int i = 0; i < count; i++)
        write_score_of_series(wire, &rows[i]);
    if (wire->text)
        return;
    json_close(wire->out, ']');
    json_integer(wire->out, "total_players", series->players);
    wire_end(wire);
}
