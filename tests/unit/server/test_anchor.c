/* Tests the table of anchored ratings: it names levels and variants that there are, and is in
 * order. */
#include <string.h>

#include "check.h"
#include "common/levels.h"
#include "server/model/anchor.h"

/* Returns how many levels have an anchor in a variant. */
static int check_variant(const struct game *game, const char *variant)
{
    double before = 0;
    int count = 0;

    for (const char *const *level = level_names; *level != NULL; level++) {
        struct glicko glicko = {.rating = -1};
        if (!anchor_find(*level, game, variant, &glicko)) {
            CHECK(glicko.rating == -1);
            continue;
        }
        count++;
        CHECK(glicko_in_range(&glicko) && glicko.deviation < 200);
        CHECK_THAT(glicko.rating >= before, "%s:%s: %s is weaker than the level below", game->name,
                   variant, *level);
        CHECK(strcmp(*level, "greedy") != 0 || glicko.rating == 1000);
        before = glicko.rating;
    }
    return count;
}

int main(void)
{
    struct glicko glicko;
    int levels = 0, counted = 0;

    while (level_names[levels] != NULL)
        levels++;
    for (const struct game *const *game = games; *game != NULL; game++)
        for (const char *const *variant = (*game)->variants; *variant != NULL; variant++) {
            int count = check_variant(*game, *variant);
            counted += count;
            check_about("all levels but the one whose strength is the machine's");
            CHECK(count == 0 || count == levels - 1);
        }
    check_about("nobody else has one");
    CHECK(counted > 0);
    CHECK(!anchor_find("max", games[0], games[0]->variants[0], &glicko));
    CHECK(!anchor_find("greedy", games[0], "2x2", &glicko));
    return check_end("test_anchor");
}
