#include "maintain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct findings {
    long matches, moves, problems;
};

static void tell(void *context, const char *finding)
{
    struct findings *findings = context;

    findings->problems++;
    fprintf(stderr, "ludusd: %s\n", finding);
}

/* What the schema and the rules cannot tell: who sits there, and when the match changed. */
static const char *find_fault(const struct stored_match *stored)
{
    bool full = stored->joined[WHITE] && stored->joined[BLACK];
    char id[TABLE_ID_MAX];

    snprintf(id, sizeof id, "%" PRId64, stored->number);
    if (!stored->is_private && strcmp(id, stored->id) != 0)
        return "its number is another one";
    if (stored->started && !full)
        return "it was played with an empty seat";
    if (stored->match.status == MATCH_PLAYING && !stored->started)
        return "it runs, but was never started";
    if (stored->match.status == MATCH_OPEN && full)
        return "nobody is missing, but it was not started";
    if (!stored->started && stored->match.ply_count > 0)
        return "it has moves, but was never started";
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
    if (!store_visit_all(store, check_match, &findings, &cause))
        tell(&findings, cause.text);
    printf("%ld matches with %ld moves: ", findings.matches, findings.moves);
    if (findings.problems == 0)
        puts("all in order");
    else
        printf("%ld problems\n", findings.problems);
    return findings.problems > 0;
}
