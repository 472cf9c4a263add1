#include "standings.h"

#include <math.h>
#include <stdlib.h>

#include "common/xmalloc.h"
#include "knockout.h"

static const double LOGISTIC = 400, PERFORMANCE_MOST = 800;

struct sums {
    const struct contest *contest;
    struct standing *rows; /* by entrant */
    int *equals;           /* opponents of equal score that they have met */
};

static void add_standing_points(struct sums *sums, const struct contest_pairing *pairing,
                                int entrant)
{
    struct standing *row = &sums->rows[entrant];
    int points2 = pairing_points2(pairing, entrant);

    row->points2 += points2;
    if (!pairing_has_match(pairing) || pairing->result == PAIRING_OPEN)
        return;
    row->matches++;
    row->wins += points2 == 2;
    row->played2 += points2;
    row->opponents += sums->contest->entrants[pairing_opponent(pairing, entrant)].rating;
}

/* Once all scores are known. */
static void add_tie_breaks(struct sums *sums, const struct contest_pairing *pairing, int entrant)
{
    struct standing *row = &sums->rows[entrant];
    int opponent = pairing_opponent(pairing, entrant), points2 = pairing_points2(pairing, entrant);
    const struct standing *other = &sums->rows[opponent];

    row->buchholz2 += other->points2;
    row->sonneborn4 += (int64_t)other->points2 * points2;
    if (other->points2 == row->points2) {
        row->direct2 += points2;
        sums->equals[entrant]++;
    }
}

/* Two wins and two losses more, as Agresti and Coull say: the interval is sound for few matches,
 * too, and where all were won. */
static double performance_error_of(int matches, int played2)
{
    static const double NORMAL_95 = 1.96;
    double tries = matches + 4.0, share = (played2 / 2.0 + 2) / tries;

    return NORMAL_95 * LOGISTIC / log(10) / sqrt(tries * share * (1 - share));
}

double performance_of(int matches, int played2, double opponents, double *error)
{
    *error = performance_error_of(matches, played2);
    if (matches == 0)
        return 0;
    double share = played2 / (2.0 * matches), average = opponents / matches;
    if (share <= 0 || share >= 1)
        return average + (share > 0 ? PERFORMANCE_MOST : -PERFORMANCE_MOST);
    double above = LOGISTIC * log10(share / (1 - share));
    return average + fmin(fmax(above, -PERFORMANCE_MOST), PERFORMANCE_MOST);
}

bool standing_counts(const struct standing *row)
{
    return row->matches > 0 || row->points2 > 0;
}

static int compare_points(const void *left, const void *right)
{
    const struct standing *a = left, *b = right;

    if (a->survived != b->survived)
        return b->survived - a->survived;
    return b->points2 != a->points2 ? b->points2 - a->points2 : a->entrant - b->entrant;
}

/* The direct encounter counts only among players who have all met, equally often, as they can only
 * have in a round robin or a Swiss. */
static void check_direct(const struct sums *sums, struct standing *rows, int count)
{
    bool may_count =
        sums->contest->format == FORMAT_ROUND_ROBIN || sums->contest->format == FORMAT_SWISS;

    for (int start = 0, end; start < count; start = end) {
        int least = sums->equals[rows[start].entrant], most = least;
        for (end = start; end < count && rows[end].points2 == rows[start].points2; end++) {
            int equals = sums->equals[rows[end].entrant];
            least = equals < least ? equals : least;
            most = equals > most ? equals : most;
        }
        bool all_met = may_count && least == most && end - start > 1 && least > 0 &&
                       least % (end - start - 1) == 0;
        for (int i = start; i < end && !all_met; i++)
            rows[i].direct2 = 0;
    }
}

/* Less than 0: `a` comes first. */
static int compare_standings(enum contest_format format, bool league, const struct standing *a,
                             const struct standing *b)
{
    bool swiss = format == FORMAT_SWISS;
    const int64_t differences[] = {
        league ? (b->performance > a->performance) - (b->performance < a->performance) : 0,
        b->survived - a->survived,
        b->points2 - a->points2,
        swiss ? b->buchholz2 - a->buchholz2 : 0,
        b->sonneborn4 - a->sonneborn4,
        b->buchholz2 - a->buchholz2,
        b->direct2 - a->direct2,
        b->wins - a->wins,
    };

    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++)
        if (differences[i] != 0)
            return differences[i] > 0 ? 1 : -1;
    return 0;
}

static int compare_swiss(const void *left, const void *right)
{
    int difference = compare_standings(FORMAT_SWISS, false, left, right);
    const struct standing *a = left, *b = right;

    return difference != 0 ? difference : a->entrant - b->entrant;
}

static int compare_plain(const void *left, const void *right)
{
    int difference = compare_standings(FORMAT_ROUND_ROBIN, false, left, right);
    const struct standing *a = left, *b = right;

    return difference != 0 ? difference : a->entrant - b->entrant;
}

static int compare_league(const void *left, const void *right)
{
    int difference = compare_standings(FORMAT_ARENA, true, left, right);
    const struct standing *a = left, *b = right;

    return difference != 0 ? difference : a->entrant - b->entrant;
}

static void add_contest(struct sums *sums)
{
    const struct contest *contest = sums->contest;
    const struct pairing_list *list = &contest->pairings;

    for (int i = 0; i < list->count; i++) {
        add_standing_points(sums, &list->rows[i], list->rows[i].white);
        if (list->rows[i].black != NOBODY)
            add_standing_points(sums, &list->rows[i], list->rows[i].black);
    }
    for (int i = 0; i < list->count; i++)
        if (pairing_has_match(&list->rows[i]) && list->rows[i].result != PAIRING_OPEN) {
            add_tie_breaks(sums, &list->rows[i], list->rows[i].white);
            add_tie_breaks(sums, &list->rows[i], list->rows[i].black);
        }
}

static void sort_standings(const struct contest *contest, bool league, struct standing *rows,
                           size_t count)
{
    bool swiss = contest->format == FORMAT_SWISS;

    qsort(rows, count, sizeof *rows,
          league ? compare_league : (swiss ? compare_swiss : compare_plain));
    for (size_t i = 0; i < count; i++) {
        bool level =
            i > 0 && compare_standings(contest->format, league, &rows[i - 1], &rows[i]) == 0;
        rows[i].rank = level ? rows[i - 1].rank : (int)i + 1;
    }
}

struct standing *standings_make(const struct contest *contest, bool league)
{
    size_t count = (size_t)contest->entrant_count;
    struct standing *rows = xcalloc(count + 1, sizeof *rows);
    struct sums sums = {
        .contest = contest, .rows = rows, .equals = xcalloc(count + 1, sizeof(int))};

    for (int i = 0; i < contest->entrant_count; i++)
        rows[i].entrant = i;
    add_contest(&sums);
    for (struct standing *row = rows; row < rows + count; row++)
        row->performance =
            performance_of(row->matches, row->played2, row->opponents, &row->performance_error);
    if (contest->format == FORMAT_KNOCKOUT) {
        int *survived = xcalloc(count + 1, sizeof *survived);
        knockout_survived(contest, survived);
        for (size_t i = 0; i < count; i++)
            rows[i].survived = survived[i];
        free(survived);
    }
    qsort(rows, count, sizeof *rows, compare_points);
    check_direct(&sums, rows, contest->entrant_count);
    sort_standings(contest, league, rows, count);
    free(sums.equals);
    return rows;
}
