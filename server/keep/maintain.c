/* `ludusd check` and `ludusd --export`. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "archive.h"
#include "common/buffer.h"
#include "server/base/folder.h"
#include "table_pgn.h"

struct findings {
    long matches, moves, problems, repaired;
    struct buffer broken; /* owned; the numbers of broken matches, each an int64_t */
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
    if (broken != NULL)
        buffer_add(&findings->broken, (const char *)&stored->number, sizeof stored->number);
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

int maintain_check(const struct archive *archive, bool repair)
{
    struct findings findings = {0};
    struct cause cause;

    archive->verify(archive->source, tell, &findings);
    if (!archive->matches(archive->source, check_match, &findings, &cause))
        tell(&findings, cause.text);
    if (repair)
        repair_matches(archive, &findings);
    printf("matches: %ld, moves: %ld, problems: %ld", findings.matches, findings.moves,
           findings.problems);
    if (repair)
        printf(", repaired: %ld", findings.repaired);
    puts("");
    buffer_release(&findings.broken);
    return findings.problems > 0;
}

struct exporter {
    FILE *file;
    long matches, players;
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

static void export_player(void *context, const char *text)
{
    struct exporter *export = context;

    export->players++;
    fprintf(export->file, "%s\n", text);
}

static void write_players(const struct archive *archive, struct exporter *export)
{
    archive->players(archive->source, export_player, export, &export->cause);
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
