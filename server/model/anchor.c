#include "anchor.h"

#include <string.h>

enum { ANCHORED_LEVELS = 8 };

static const char *const levels[ANCHORED_LEVELS] = {"random", "greedy", "gentle", "easy",
                                                    "medium", "hard",   "expert", "master"};

/* By level. `greedy` is 1000 in each variant; the errors are of 95 %, beside that. */
static const struct anchor {
    const char *game, *variant;
    short ratings[ANCHORED_LEVELS], errors[ANCHORED_LEVELS];
} anchors[] = {
    {"clobber",
     "5x6",
     {564, 1000, 1140, 1234, 1387, 1475, 1726, 1850},
     {103, 0, 54, 64, 75, 91, 106, 113}},
    {"xadrersi",
     "touch",
     {506, 1000, 1166, 1229, 1442, 1606, 1742, 1843},
     {129, 0, 55, 61, 80, 95, 103, 116}},
    {"xadrersi",
     "attack",
     {572, 1000, 1241, 1536, 1645, 1859, 1960, 2077},
     {105, 0, 67, 87, 103, 114, 119, 122}},
    {"clobber",
     "6x6",
     {540, 1000, 1196, 1328, 1460, 1629, 1818, 2007},
     {113, 0, 55, 71, 79, 91, 117, 115}},
    {"latrunculi",
     "standard",
     {136, 1000, 1236, 1432, 1710, 1936, 2206, 2550},
     {246, 0, 68, 84, 102, 128, 138, 157}},
    {"shakti",
     "standard",
     {457, 1000, 1290, 1481, 1672, 1885, 2051, 2278},
     {194, 0, 99, 120, 146, 171, 181, 198}},
    {"clobber",
     "8x8",
     {368, 1000, 1163, 1265, 1410, 1551, 1799, 1964},
     {196, 0, 76, 97, 116, 129, 166, 164}},
    {"clobber",
     "10x10",
     {372, 1000, 1189, 1305, 1465, 1634, 1906, 2045},
     {197, 0, 86, 106, 118, 137, 169, 179}},
};

/* The deviation of a level whose error is less: nothing is known better than this. */
static const double DEVIATION_LEAST = 20;

bool anchor_find(const char *level, const struct game *game, const char *variant,
                 struct glicko *glicko)
{
    int number = 0;

    while (number < ANCHORED_LEVELS && strcmp(levels[number], level) != 0)
        number++;
    if (number == ANCHORED_LEVELS)
        return false;
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        const struct anchor *anchor = &anchors[i];
        double deviation = anchor->errors[number] / 1.96;
        if (strcmp(anchor->game, game->name) != 0 || strcmp(anchor->variant, variant) != 0)
            continue;
        *glicko = glicko_start();
        glicko->rating = anchor->ratings[number];
        glicko->deviation = deviation > DEVIATION_LEAST ? deviation : DEVIATION_LEAST;
        *glicko = glicko_sane(*glicko);
        return true;
    }
    return false;
}
