#include "maintain.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/move.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "server/base/folder.h"

struct findings {
    long matches, moves, problems;
};

static void tell(void *context, const char *finding)
{
    struct findings *findings = context;

    findings->problems++;
    fprintf(stderr, "ludusd: %s\n", finding);
}

/* What a server can live with, but what it has not written. */
static const char *find_fault(const struct stored_match *stored)
{
    bool full = stored->joined[WHITE] && stored->joined[BLACK];
    char id[TABLE_ID_MAX];

    snprintf(id, sizeof id, "%" PRId64, stored->number);
    if (!stored->is_private && strcmp(id, stored->id) != 0)
        return "number and id differ";
    if (stored->match.status == MATCH_OVER && stored->match.outcome.reason >= REASON_RESIGN &&
        !outcome_is_of_players(stored->match.outcome))
        return "result and reason contradict each other";
    if (stored->match.status == MATCH_OPEN && full)
        return "both seats are taken, but it has not started";
    return NULL;
}

static bool check_match(void *context, struct stored_match *stored, const struct cause *broken)
{
    struct findings *findings = context;
    const char *fault = broken != NULL ? broken->text : find_fault(stored);

    findings->matches++;
    findings->moves += stored->match.ply_count;
    if (fault == NULL)
        return true;
    findings->problems++;
    fprintf(stderr, "ludusd: match %s: %s\n", stored->id, fault);
    return true;
}

int maintain_check(struct store *store)
{
    struct findings findings = {0};
    struct cause cause;

    database_verify(store->database, true, tell, &findings);
    store_check_players(store, tell, &findings);
    store_check_ratings(store, tell, &findings);
    if (!store_visit_all(store, check_match, &findings, &cause))
        tell(&findings, cause.text);
    printf("matches: %ld, moves: %ld, problems: %ld\n", findings.matches, findings.moves,
           findings.problems);
    return findings.problems > 0;
}

struct export
{
    FILE *file;
    long matches, players;
    struct cause cause; /* what went wrong; "" so far nothing */
};

/* The moves of a match as texts, and their times. */
struct move_list {
    struct move_text *moves;
    int64_t *times_ms;
};

static void list_moves(const struct match *match, struct move_list *list)
{
    size_t count = (size_t)match->ply_count + 1; /* never 0 */

    list->moves = xcalloc(count, sizeof *list->moves);
    list->times_ms = xcalloc(count, sizeof *list->times_ms);
    for (int i = 0; i < match->ply_count; i++) {
        move_format(&match->start, match->plies[i].move, list->moves[i].text);
        list->times_ms[i] = match->plies[i].took_ms;
    }
}

static const char *person_name(const struct stored_person *person)
{
    return person->id != 0 ? person->name : NULL;
}

/* The text of a match. The caller frees it. */
static char *match_text(const struct stored_match *stored)
{
    const struct match *match = &stored->match;
    struct move_list list;
    char date[32];
    struct tm utc;

    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&stored->date, &utc));
    list_moves(match, &list);
    const struct pgn_match pgn = {
        .game = match->game,
        .start = match->start,
        .match = stored->id,
        .date = date,
        .white = person_name(&stored->people[WHITE]),
        .black = person_name(&stored->people[BLACK]),
        .ratings = {(int)lround(stored->rated[WHITE]), (int)lround(stored->rated[BLACK])},
        .base_ms = match->clock.base_ms,
        .increment_ms = match->clock.increment_ms,
        .plies = match->ply_count,
        .moves = list.moves,
        .times_ms = list.times_ms,
        .outcome = match->outcome};
    char *text = pgn_write(&pgn, true);
    free(list.moves);
    free(list.times_ms);
    return text;
}

static bool export_match(void *context, struct stored_match *stored, const struct cause *broken)
{
    struct export *export = context;

    if (broken != NULL)
        return cause_set(&export->cause, "match %s: %.160s", stored->id, broken->text);
    char *text = match_text(stored);
    fprintf(export->file, "%s%s", export->matches > 0 ? "\n" : "", text);
    free(text);
    export->matches++;
    return true;
}

/* Opens a file of the export for writing. */
static bool open_file(struct export *export, const char *folder, const char *name)
{
    char path[FOLDER_TEXT_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    export->file = fopen(path, "w");
    return export->file != NULL || cause_set(&export->cause, "%.120s: %s", path, strerror(errno));
}

/* Closes it; what could not be written is found out here at the latest. */
static bool close_file(struct export *export, const char *name)
{
    bool good = !ferror(export->file);

    good = fclose(export->file) == 0 && good;
    if (!good && export->cause.text[0] == '\0')
        cause_set(&export->cause, "%s: %s", name, strerror(errno));
    return export->cause.text[0] == '\0';
}

static bool export_matches(struct store *store, const char *folder, struct export *export)
{
    struct cause cause = {.text = ""};

    if (!open_file(export, folder, "matches.pgn"))
        return false;
    if (!store_visit_all(store, export_match, export, &cause))
        export->cause = cause;
    return close_file(export, "matches.pgn");
}

static bool export_players(struct store *store, const char *folder, struct export *export)
{
    struct cause cause = {.text = ""};

    if (!open_file(export, folder, "players.jsonl"))
        return false;
    if (!store_write_players(store, export->file, &export->players, &cause))
        export->cause = cause;
    return close_file(export, "players.jsonl");
}

int maintain_export(struct store *store, const char *folder)
{
    struct export export = {.matches = 0};

    if (mkdir(folder, 0700) != 0)
        cause_set(&export.cause, "%.120s: %s", folder, strerror(errno));
    else if (export_matches(store, folder, &export) && export_players(store, folder, &export))
        printf("%s: %ld matches in matches.pgn, %ld players in players.jsonl\n", folder,
               export.matches, export.players);
    if (export.cause.text[0] == '\0')
        return 0;
    fprintf(stderr, "ludusd: %s\n", export.cause.text);
    return 1;
}
