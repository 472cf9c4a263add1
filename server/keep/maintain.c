/* `ludusd check` and `ludusd --export`. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/move.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "server/base/folder.h"
#include "server/wire/wire.h"
#include "store.h"

struct findings {
    long matches, moves, problems;
};

static void tell(void *context, const char *finding)
{
    struct findings *findings = context;

    findings->problems++;
    fprintf(stderr, "ludusd: %s\n", finding);
}

/* Finds what a server accepts but never writes; NULL: nothing. */
static const char *find_fault(const struct table *stored)
{
    bool full = stored->seats[WHITE].joined && stored->seats[BLACK].joined;
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

static bool check_match(void *context, struct table *stored, const struct cause *broken)
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

static void check_players(struct store *store, struct findings *findings)
{
    struct query *query = database_query(store->database, "SELECT name, id, seen_s FROM player");
    struct cause cause;

    while (query_next(query))
        if (!store_is_player(query_text(query, 0), query_integer(query, 1), query_integer(query, 2),
                             &cause))
            tell(findings, cause.text);
    if (!store_finish(store, query, &cause))
        tell(findings, cause.text);
}

static void check_ratings(struct store *store, struct findings *findings)
{
    struct query *query =
        database_query(store->database, "SELECT name, game, variant, rating, deviation, volatility"
                                        " FROM rating JOIN player ON player.id = rating.player");
    struct cause cause;

    while (query_next(query)) {
        const char *game = query_text(query, 1);
        const struct glicko glicko = {query_real(query, 3), query_real(query, 4),
                                      query_real(query, 5)};
        bool known = game_find(game, strlen(game)) != NULL;
        if (known && glicko_in_range(&glicko))
            continue;
        cause_set(&cause, "the rating of %.32s in %.32s:%.16s: %s", query_text(query, 0), game,
                  query_text(query, 2), known ? "out of range" : "unknown game");
        tell(findings, cause.text);
    }
    if (!store_finish(store, query, &cause))
        tell(findings, cause.text);
}

int maintain_check(struct store *store)
{
    struct findings findings = {0};
    struct cause cause;

    database_verify(store->database, tell, &findings);
    check_players(store, &findings);
    check_ratings(store, &findings);
    if (!store_visit(store, "ORDER BY m.number", SQL_NULL, check_match, &findings, &cause))
        tell(&findings, cause.text);
    printf("matches: %ld, moves: %ld, problems: %ld\n", findings.matches, findings.moves,
           findings.problems);
    return findings.problems > 0;
}

struct exporter {
    FILE *file;
    long matches, players;
    struct cause cause; /* why it failed; "": it has not */
};

/* Writes a match as text. The caller frees it. */
static char *match_text(const struct table *stored)
{
    const struct match *match = &stored->match;
    struct move_text *moves = xcalloc((size_t)match->ply_count, sizeof *moves);
    int64_t *times_ms = xcalloc((size_t)match->ply_count, sizeof *times_ms);
    const struct wire_date date = wire_date_text(stored->date);

    for (int i = 0; i < match->ply_count; i++) {
        move_format(&match->start, match->plies[i].move, moves[i].text);
        times_ms[i] = match->plies[i].took_ms;
    }
    const struct pgn_match pgn = {
        .game = match->game,
        .start = match->start,
        .match = stored->id,
        .date = date.text,
        .white = seat_name(&stored->seats[WHITE]),
        .black = seat_name(&stored->seats[BLACK]),
        .ratings = {(int)lround(stored->rated[WHITE]), (int)lround(stored->rated[BLACK])},
        .base_ms = match->clock.base_ms,
        .increment_ms = match->clock.increment_ms,
        .plies = match->ply_count,
        .moves = moves,
        .times_ms = times_ms,
        .outcome = match->outcome};
    char *text = pgn_write(&pgn, true);
    free(moves);
    free(times_ms);
    return text;
}

static bool export_match(void *context, struct table *stored, const struct cause *broken)
{
    struct exporter *export = context;

    if (broken != NULL)
        return cause_set(&export->cause, "match %s: %.160s", stored->id, broken->text);
    char *text = match_text(stored);
    fprintf(export->file, "%s%s", export->matches > 0 ? "\n" : "", text);
    free(text);
    export->matches++;
    return true;
}

static void write_matches(struct store *store, struct exporter *export)
{
    store_visit(store, "ORDER BY m.number", SQL_NULL, export_match, export, &export->cause);
}

static void write_players(struct store *store, struct exporter *export)
{
    struct query *query = database_query(
        store->database,
        "SELECT json_object('name', name, 'bot', json(iif(bot, 'true', 'false')), 'ratings',"
        " (SELECT json_group_array(json_object('game', game, 'variant', variant, 'rating', rating,"
        " 'deviation', deviation, 'volatility', volatility, 'matches', matches))"
        " FROM rating WHERE player = player.id)) FROM player WHERE kind <> 'guest' ORDER BY id");

    for (; query_next(query); export->players++)
        fprintf(export->file, "%s\n", query_text(query, 0));
    store_finish(store, query, &export->cause);
}

/* Writes one file of the export. */
static bool export_file(struct store *store, struct exporter *export, const char *folder,
                        const char *name, void (*write)(struct store *, struct exporter *))
{
    char path[FOLDER_TEXT_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    export->file = fopen(path, "w");
    if (export->file == NULL)
        return cause_set(&export->cause, "%.120s: %s", path, strerror(errno));
    write(store, export);
    bool written = !ferror(export->file);
    if ((fclose(export->file) != 0 || !written) && export->cause.text[0] == '\0')
        cause_set(&export->cause, "%s: %s", name, strerror(errno));
    return export->cause.text[0] == '\0';
}

int maintain_export(struct store *store, const char *folder)
{
    struct exporter export = {.matches = 0};

    if (mkdir(folder, 0700) != 0)
        cause_set(&export.cause, "%.120s: %s", folder, strerror(errno));
    else if (export_file(store, &export, folder, "matches.pgn", write_matches) &&
             export_file(store, &export, folder, "players.jsonl", write_players))
        printf("%s: %ld matches in matches.pgn, %ld players in players.jsonl\n", folder,
               export.matches, export.players);
    if (export.cause.text[0] == '\0')
        return 0;
    fprintf(stderr, "ludusd: %s\n", export.cause.text);
    return 1;
}
