/* Why a move is good: what the rules tell of it, and of the line that it begins. */
#include <stdio.h>
#include <string.h>

#include "common/merit.h"
#include "tests/support/check.h"

enum { LINE_MAX = 8 };

struct row {
    const char *about;
    const struct game *game;
    const char *position;
    const char *line; /* moves with blanks between them */
    int eval;
    bool exact;
    const char *why;
};

static const struct row rows[] = {
    {"the last move", &clobber, "3/1Pp/3 w", "b2c2", 0, false, "makes the last move"},
    {"the last move, three plies on", &clobber, "Ppp/3/1Pp w", "a3b3 c3b3 b1c1", 0, false,
     "keeps the last move"},
    {"a proof whose line is longer than what is told", &clobber, "Ppp/3/1Pp w", "a3b3", 29995, true,
     "keeps the last move"},
    {"a win of the other side", &clobber, "Ppp/3/1Pp w", "a3b3", -29995, true, ""},
    {"black's win", &clobber, "PpP/1Pp/3 b", "c2c3", -29990, true, "keeps the last move"},
    {"every move captures", &clobber, "Ppp/3/1Pp w", "a3b3", 100, false, ""},
    {"a capture", &latrunculi, "7d/8/8/3sS3/8/8/6s1/2S4D w 0", "c1c5", 100, false,
     "captures the soldier"},
    {"two captures", &latrunculi, "7d/8/8/Ss1sS3/8/8/6s1/2S4D w 0", "c1c5", 100, false,
     "captures 2 soldiers"},
    {"the last soldier", &latrunculi, "7d/8/8/3sS3/8/8/8/2S4D w 0", "c1c5", 100, false,
     "captures the last soldier"},
    {"a forced win", &latrunculi, "7d/8/8/3sS3/8/8/6s1/2S4D w 0", "c1c5", 29993, false,
     "wins by force"},
    {"the dux", &latrunculi, "2sd4/3s4/8/8/4S3/8/8/S6D w 0", "e4e8", 30000, false,
     "surrounds the dux"},
    {"a step", &latrunculi, "7d/8/8/2s1s3/8/8/8/3S3D w 0", "d1d5", 100, false, ""},
    {"mate", &shakti, "*W1*2*/1****2/2*1*2/kw****1/2****1/1W***2/*2w1K* w 0", "b7b5", 0, false,
     "mates"},
    {"a check", &shakti, "*5*/7/7/4k2/1W5/1K5/*5* w 0", "b3d3", 0, false, "gives check"},
    {"a king that captures", &shakti, "*5*/5k1/7/7/3w3/3K3/*5* w 0", "d2d3", 0, false,
     "captures the warrior"},
    {"points", &xadrersi, "8/8/8/8/8/2K5/1n6/8[QRRBBNNkqrrbbn] w - b2", "Q@d4", 0, false, "gains"},
    {"no line", &clobber, "3/1Pp/3 w", "", 29999, true, ""},
    {"a line that the rules forbid", &clobber, "3/1Pp/3 w", "b2c2 a1a2", 29999, true, ""},
    {"no moves at all", &shakti, "*5*/7/7/4k2/1W5/1K5/*5* w 0", "home", 29999, false, ""},
};

static void check_row(const struct row *row)
{
    char line[LINE_MAX][MOVE_TEXT_MAX], text[MERIT_MAX], words[LINE_MAX * MOVE_TEXT_MAX];
    struct best_line best = {.moves = line, .eval = row->eval, .exact = row->exact};
    struct position position;
    struct cause cause;
    char *rest;

    check_about("%s: %s", row->game->name, row->about);
    if (!CHECK(row->game->parse(NULL, row->position, &position, &cause)))
        return;
    snprintf(words, sizeof words, "%s", row->line);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        snprintf(line[best.plies++], MOVE_TEXT_MAX, "%s", word);
    merit_tell(row->game, &position, &best, text);
    if (row->game->score != NULL)
        CHECK_THAT(strncmp(text, row->why, strlen(row->why)) == 0, "%s", text);
    else
        CHECK_TEXT(text, row->why);
}

int main(void)
{
    for (size_t i = 0; i < LENGTH(rows); i++)
        check_row(&rows[i]);
    return check_end("test_merit");
}
