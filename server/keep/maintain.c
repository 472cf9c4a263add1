/* `ludusd check`, `ludusd --export` and `ludusd import`. */
#include "maintain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/buffer.h"
#include "common/json_text.h"
#include "server/base/folder.h"
#include "stored.h"

struct findings {
    long matches, moves, problems, repaired;
    int64_t player;       /* the last one that was checked */
    struct buffer broken; /* owned; the numbers of broken matches, each an int64_t */
};

static void tell_finding(void *context, const char *finding)
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
    if (broken != NULL)
        buffer_add(&findings->broken, (const char *)&stored->number, sizeof stored->number);
    return true;
}

/* Checks a player, and a rating of theirs. */
static bool check_player(void *context, const struct value player[], const struct value rating[])
{
    struct findings *findings = context;
    const char *name = value_text(&player[PLAYER_COLUMN_NAME]);
    struct identity identity;
    struct cause cause;
    int64_t id = value_integer(&player[PLAYER_COLUMN_ID]);

    if (id != findings->player && !record_read_player(player, &id, &identity, &cause))
        tell_finding(findings, cause.text);
    findings->player = id;
    if (rating[RATING_COLUMN_PLAYER].type == VALUE_NULL)
        return true;
    const char *game = value_text(&rating[RATING_COLUMN_GAME]);
    const struct glicko glicko = {value_real(&rating[RATING_COLUMN_RATING]),
                                  value_real(&rating[RATING_COLUMN_DEVIATION]),
                                  value_real(&rating[RATING_COLUMN_VOLATILITY])};
    bool known = game_find(game, strlen(game)) != NULL;
    if (known && glicko_in_range(&glicko))
        return true;
    cause_set(&cause, "the rating of %.32s in %.32s:%.16s: %s", name, game,
              value_text(&rating[RATING_COLUMN_VARIANT]), known ? "out of range" : "unknown game");
    tell_finding(findings, cause.text);
    return true;
}

/* Checks how a puzzle is rated. */
static bool check_puzzle(void *context, const struct value puzzle[])
{
    const char *game = value_text(&puzzle[PUZZLE_COLUMN_GAME]);
    const struct glicko glicko = {value_real(&puzzle[PUZZLE_COLUMN_RATING]),
                                  value_real(&puzzle[PUZZLE_COLUMN_DEVIATION]),
                                  value_real(&puzzle[PUZZLE_COLUMN_VOLATILITY])};
    struct cause cause;

    if (glicko_in_range(&glicko))
        return true;
    cause_set(&cause, "the rating of a puzzle of %.32s: out of range", game);
    tell_finding(context, cause.text);
    return true;
}

static bool check_tournament(void *context, const struct tournament *tournament,
                             const struct cause *broken)
{
    (void)tournament;
    if (broken != NULL)
        tell_finding(context, broken->text);
    return true;
}

static void repair_matches(const struct archive *archive, struct findings *findings)
{
    struct cause cause;
    int64_t number;

    for (size_t at = 0; at < findings->broken.length; at += sizeof number) {
        memcpy(&number, findings->broken.bytes + at, sizeof number);
        if (archive->repair(archive->source, number, &cause)) {
            findings->repaired++;
            findings->problems--;
            printf("match number %" PRId64 ": repaired\n", number);
        } else {
            fprintf(stderr, "ludusd: match number %" PRId64 ": cannot be repaired: %s\n", number,
                    cause.text);
        }
    }
}

int maintain_check(const struct archive *archive, enum maintain_purpose purpose)
{
    struct findings findings = {0};
    struct cause cause;

    archive->verify(archive->source, tell_finding, &findings);
    if (!archive->players(archive->source, check_player, &findings, &cause))
        tell_finding(&findings, cause.text);
    if (!archive->puzzles(archive->source, check_puzzle, &findings, &cause))
        tell_finding(&findings, cause.text);
    if (!archive->matches(archive->source, check_match, &findings, &cause))
        tell_finding(&findings, cause.text);
    if (purpose == MAINTAIN_REPAIR)
        repair_matches(archive, &findings);
    long of_matches = findings.problems;
    if (archive->verify_pairings != NULL)
        archive->verify_pairings(archive->source, tell_finding, &findings);
    if (!archive->tournaments(archive->source, check_tournament, &findings, &cause))
        tell_finding(&findings, cause.text);
    printf("matches: %ld, moves: %ld, problems: %ld", findings.matches, findings.moves,
           findings.problems);
    if (purpose == MAINTAIN_REPAIR)
        printf(", repaired: %ld", findings.repaired);
    puts("");
    buffer_release(&findings.broken);
    return (purpose == MAINTAIN_RESTORE ? of_matches : findings.problems) > 0;
}

struct exporter {
    FILE *file;
    long matches, players;
    struct buffer line; /* owned; of the last player, */
    int64_t player;     /* who has this id */
    struct cause cause; /* why it failed; "": it has not */
};

static bool export_match(void *context, struct table *stored, const struct cause *broken)
{
    struct exporter *export = context;

    if (broken != NULL)
        return cause_set(&export->cause, "match %s: %.160s", stored->id, broken->text);
    char *text = table_pgn(stored);
    fprintf(export->file, "%s%s", export->matches > 0 ? "\n" : "", text);
    free(text);
    export->matches++;
    return true;
}

static void write_matches(const struct archive *archive, struct exporter *export)
{
    archive->matches(archive->source, export_match, export, &export->cause);
}

static void put_real(struct buffer *json, const char *name, const struct value *value)
{
    char text[40];

    snprintf(text, sizeof text, "%.15g", value_real(value));
    json_value(json, name, text, strlen(text));
}

/* Ends the line of a player. */
static void end_player(struct exporter *export)
{
    if (export->line.length == 0)
        return;
    json_close(&export->line, ']');
    json_close(&export->line, '}');
    fprintf(export->file, "%.*s\n", (int)export->line.length, export->line.bytes);
    export->line.length = 0;
}

static bool export_player(void *context, const struct value player[], const struct value rating[])
{
    struct exporter *export = context;
    struct buffer *json = &export->line;
    int64_t id = value_integer(&player[PLAYER_COLUMN_ID]);

    if (record_kind(value_text(&player[PLAYER_COLUMN_KIND])) == PLAYER_GUEST)
        return true;
    if (id != export->player || export->players == 0) {
        end_player(export);
        export->players++;
        export->player = id;
        json_open(json, NULL, '{');
        json_string(json, "name", value_text(&player[PLAYER_COLUMN_NAME]));
        json_bool(json, "bot", value_integer(&player[PLAYER_COLUMN_BOT]) != 0);
        json_open(json, "ratings", '[');
    }
    if (rating[RATING_COLUMN_PLAYER].type == VALUE_NULL)
        return true;
    json_open(json, NULL, '{');
    json_string(json, "game", value_text(&rating[RATING_COLUMN_GAME]));
    json_string(json, "variant", value_text(&rating[RATING_COLUMN_VARIANT]));
    put_real(json, "rating", &rating[RATING_COLUMN_RATING]);
    put_real(json, "deviation", &rating[RATING_COLUMN_DEVIATION]);
    put_real(json, "volatility", &rating[RATING_COLUMN_VOLATILITY]);
    json_integer(json, "matches", value_integer(&rating[RATING_COLUMN_MATCHES]));
    json_close(json, '}');
    return true;
}

static void write_players(const struct archive *archive, struct exporter *export)
{
    archive->players(archive->source, export_player, export, &export->cause);
    end_player(export);
    buffer_release(&export->line);
}

/* Writes one file of the export. */
static bool export_file(const struct archive *archive, struct exporter *export, const char *folder,
                        const char *name, void (*write)(const struct archive *, struct exporter *))
{
    char path[FOLDER_TEXT_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    export->file = fopen(path, "w");
    if (export->file == NULL)
        return cause_set(&export->cause, "%.120s: %s", path, strerror(errno));
    write(archive, export);
    bool written = !ferror(export->file);
    if ((fclose(export->file) != 0 || !written) && export->cause.text[0] == '\0')
        cause_set(&export->cause, "%s: %s", name, strerror(errno));
    return export->cause.text[0] == '\0';
}

int maintain_export(const struct archive *archive, const char *folder)
{
    struct exporter export = {.matches = 0};

    if (mkdir(folder, 0700) != 0)
        cause_set(&export.cause, "%.120s: %s", folder, strerror(errno));
    else if (export_file(archive, &export, folder, "matches.pgn", write_matches) &&
             export_file(archive, &export, folder, "players.jsonl", write_players))
        printf("%s: %ld matches in matches.pgn, %ld players in players.jsonl\n", folder,
               export.matches, export.players);
    if (export.cause.text[0] == '\0')
        return 0;
    fprintf(stderr, "ludusd: %s\n", export.cause.text);
    return 1;
}

struct import {
    const struct archive *to;
    long matches, players, tournaments;
    int64_t player;     /* the last one */
    struct cause cause; /* why it failed; "": it has not */
};

static bool import_player(void *context, const struct value player[], const struct value rating[])
{
    struct import *import = context;
    int64_t id = value_integer(&player[PLAYER_COLUMN_ID]);

    if (id != import->player || import->players == 0) {
        import->player = id;
        import->players++;
        if (!import->to->put_player(import->to->source, player, &import->cause))
            return false;
    }
    return rating[RATING_COLUMN_PLAYER].type == VALUE_NULL ||
           import->to->put_rating(import->to->source, rating, &import->cause);
}

static bool import_token(void *context, int64_t player, const struct token *token)
{
    struct import *import = context;

    return import->to->put_token(import->to->source, player, token, &import->cause);
}

static bool import_match(void *context, struct table *stored, const struct cause *broken)
{
    struct import *import = context;

    if (broken != NULL)
        return cause_set(&import->cause, "match %s: %.160s", stored->id, broken->text);
    import->matches++;
    return import->to->put_match(import->to->source, stored, &import->cause);
}

static bool import_review(void *context, const char *match, const char *text)
{
    struct import *import = context;

    return import->to->put_review(import->to->source, match, text, &import->cause);
}

static bool import_puzzle(void *context, const struct value puzzle[])
{
    struct import *import = context;

    return import->to->put_puzzle(import->to->source, puzzle, &import->cause);
}

static bool import_attempt(void *context, const struct value attempt[])
{
    struct import *import = context;

    return import->to->put_attempt(import->to->source, attempt, &import->cause);
}

static bool import_tournament(void *context, const struct tournament *tournament,
                              const struct cause *broken)
{
    struct import *import = context;

    if (broken != NULL)
        return cause_set(&import->cause, "%s", broken->text);
    import->tournaments++;
    return import->to->put_tournament(import->to->source, tournament, &import->cause);
}

static bool import_series(void *context, const struct value series[])
{
    struct import *import = context;

    return import->to->put_series(import->to->source, series, &import->cause);
}

static bool import_score(void *context, const struct value score[])
{
    struct import *import = context;

    return import->to->put_score(import->to->source, score, &import->cause);
}

/* Whether a visit went through all. One that the import has ended is no failure of the visit. */
static bool is_through(const struct import *import, bool visited)
{
    return visited && import->cause.text[0] == '\0';
}

/* Copies all rows; to whom others refer come first. False with the cause, in `unread` where what is
 * there cannot be read. */
static bool import_all(const struct archive *from, struct import *import, struct cause *unread)
{
    void *source = from->source;

    return is_through(import, from->players(source, import_player, import, unread)) &&
           is_through(import, from->tokens(source, import_token, import, unread)) &&
           is_through(import, from->tournaments(source, import_tournament, import, unread)) &&
           is_through(import, from->series(source, import_series, import, unread)) &&
           is_through(import, from->scores(source, import_score, import, unread)) &&
           is_through(import, from->matches(source, import_match, import, unread)) &&
           is_through(import, from->reviews(source, import_review, import, unread)) &&
           is_through(import, from->puzzles(source, import_puzzle, import, unread)) &&
           is_through(import, from->attempts(source, import_attempt, import, unread));
}

int maintain_import(const struct archive *from, const struct archive *to)
{
    struct import import = {.to = to};
    struct cause unread = {.text = ""};
    int64_t retired = 0;

    bool good = (from->count_retired == NULL ||
                 from->count_retired(from->source, &retired, &import.cause)) &&
                to->begin(to->source, &import.cause) && import_all(from, &import, &unread) &&
                to->commit(to->source, &import.cause);
    if (good) {
        printf("%ld players, %ld matches, %ld tournaments\n", import.players, import.matches,
               import.tournaments);
        if (retired > 0)
            printf("%" PRId64 " matches stay where they are, in the files of the archive\n",
                   retired);
        return 0;
    }
    fprintf(stderr, "ludusd: %s\n", import.cause.text[0] != '\0' ? import.cause.text : unread.text);
    return 1;
}
