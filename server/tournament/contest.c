#include "contest.h"

#include <assert.h>
#include <stdlib.h>
#include <strings.h>

#include "common/xmalloc.h"

static const char *const formats[] = {[FORMAT_ROUND_ROBIN] = "round-robin",
                                      [FORMAT_SWISS] = "swiss",
                                      [FORMAT_KNOCKOUT] = "knockout",
                                      [FORMAT_ARENA] = "arena"};

void pairing_list_add(struct pairing_list *list, struct contest_pairing pairing)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        list->rows = xreallocarray(list->rows, (size_t)list->capacity, sizeof *list->rows);
    }
    list->rows[list->count++] = pairing;
}

void pairing_list_release(struct pairing_list *list)
{
    free(list->rows);
    *list = (struct pairing_list){0};
}

void contest_release(struct contest *contest)
{
    free(contest->entrants);
    pairing_list_release(&contest->pairings);
}

int contest_enter(struct contest *contest, double rating)
{
    if (contest->entrant_count == contest->entrant_capacity) {
        contest->entrant_capacity =
            contest->entrant_capacity > 0 ? 2 * contest->entrant_capacity : 16;
        contest->entrants = xreallocarray(contest->entrants, (size_t)contest->entrant_capacity,
                                          sizeof *contest->entrants);
    }
    contest->entrants[contest->entrant_count] = (struct entrant){.rating = rating};
    return contest->entrant_count++;
}

int contest_add(struct contest *contest, struct contest_pairing pairing)
{
    pairing_list_add(&contest->pairings, pairing);
    contest->open += pairing.result == PAIRING_OPEN;
    return contest->pairings.count - 1;
}

void contest_score(struct contest *contest, int pairing, enum pairing_result result)
{
    struct contest_pairing *row = &contest->pairings.rows[pairing];

    assert(row->result == PAIRING_OPEN && result != PAIRING_OPEN);
    row->result = result;
    contest->open--;
}

int contest_round(const struct contest *contest)
{
    const struct pairing_list *list = &contest->pairings;

    return list->count > 0 ? list->rows[list->count - 1].round : 0;
}

bool contest_takes(const struct contest *contest, int before, const struct contest_pairing *pairing)
{
    int white = pairing->white, black = pairing->black;

    if (pairing->round < 1 || pairing->round < before || pairing->round - before > 1 || white < 0 ||
        white >= contest->entrant_count || white == black)
        return false;
    if (black == NOBODY)
        return pairing->result == PAIRING_WHITE_WINS &&
               (contest->format == FORMAT_SWISS || contest->format == FORMAT_KNOCKOUT);
    return black >= 0 && black < contest->entrant_count && pairing->result <= PAIRING_VOID &&
           (!pairing->walkover || pairing->result != PAIRING_OPEN);
}

int contest_active(const struct contest *contest)
{
    int active = 0;

    for (int i = 0; i < contest->entrant_count; i++)
        active += !contest->entrants[i].left;
    return active;
}

int pairing_points2(const struct contest_pairing *pairing, int entrant)
{
    switch (pairing->result) {
    case PAIRING_WHITE_WINS:
        return pairing->white == entrant ? 2 : 0;
    case PAIRING_BLACK_WINS:
        return pairing->black == entrant ? 2 : 0;
    case PAIRING_DRAW:
        return 1;
    default:
        return 0;
    }
}

int pairing_opponent(const struct contest_pairing *pairing, int entrant)
{
    return pairing->white == entrant ? pairing->black : pairing->white;
}

bool pairing_has_match(const struct contest_pairing *pairing)
{
    return !pairing->walkover && pairing->black != NOBODY;
}

struct contest_pairing contest_meet(const struct contest *contest, int round, int white, int black)
{
    struct contest_pairing pairing = {.round = round, .white = white, .black = black};
    bool white_left = contest->entrants[white].left, black_left = contest->entrants[black].left;

    pairing.walkover = white_left || black_left;
    if (white_left && black_left)
        pairing.result = PAIRING_VOID;
    else if (pairing.walkover)
        pairing.result = white_left ? PAIRING_BLACK_WINS : PAIRING_WHITE_WINS;
    return pairing;
}

struct meetings contest_meetings(const struct contest *contest, int one, int other, int before)
{
    struct meetings meetings = {.last = NOBODY};

    for (int i = 0; i < before; i++) {
        const struct contest_pairing *row = &contest->pairings.rows[i];
        if ((row->white == one && row->black == other) ||
            (row->white == other && row->black == one)) {
            meetings.count++;
            meetings.last = i;
        }
    }
    return meetings;
}

int contest_opening(const struct contest *contest, int pairing)
{
    const struct contest_pairing *rows = contest->pairings.rows;
    struct meetings before =
        contest_meetings(contest, rows[pairing].white, rows[pairing].black, pairing);
    int first = before.count % 2 == 1 ? before.last : pairing;

    return rows[first].round - 1 + before.count / 2;
}

const char *contest_format_text(enum contest_format format)
{
    return formats[format];
}

bool contest_format_parse(const char *text, enum contest_format *format)
{
    for (int i = FORMAT_ROUND_ROBIN; i <= FORMAT_ARENA; i++)
        if (strcasecmp(text, formats[i]) == 0) {
            *format = i;
            return true;
        }
    return false;
}

const char *pairing_result_text(enum pairing_result result)
{
    static const char *const texts[] = {[PAIRING_OPEN] = "*",
                                        [PAIRING_WHITE_WINS] = "1-0",
                                        [PAIRING_BLACK_WINS] = "0-1",
                                        [PAIRING_DRAW] = "1/2-1/2",
                                        [PAIRING_VOID] = "0-0"};

    return texts[result];
}
