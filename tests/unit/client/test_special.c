/* Marks and choices of the full screen, compared with the rules in random games. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "client/games/guide.h"
#include "client/ludus/screen/board/select.h"
#include "client/ludus/talk/record.h"
#include "common/move.h"

enum { GAMES_EACH = 20, PLIES_MAX = 150 };

/* xorshift64 (Marsaglia, 2003). */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static struct marks marks_of(const struct scene *scene)
{
    struct marks marks = {.by_side = false};

    guide_of(scene->game)->mark(scene, true, &marks);
    return marks;
}

/* The numbers on a side's squares add up to its score. */
static void check_xadrersi(const struct scene *scene)
{
    struct marks marks = marks_of(scene);
    int points[2], sums[2] = {0, 0};

    for (int square = 0; square < 64; square++) {
        sums[WHITE] += marks.left[square] != 0 ? marks.left[square] - '0' : 0;
        sums[BLACK] += marks.right[square] != 0 ? marks.right[square] - '0' : 0;
    }
    scene->game->score(&scene->position, points);
    CHECK_INT(sums[WHITE], points[WHITE]);
    CHECK_INT(sums[BLACK], points[BLACK]);
}

/* The king of the side to move is marked when it is in check. */
static void check_shakti(const struct scene *scene)
{
    struct marks marks = marks_of(scene);
    char king = scene->position.side == WHITE ? 'K' : 'k';
    const char *at = memchr(scene->board.cell, king, 49);

    if (CHECK(at != NULL))
        CHECK_INT(marks.left[at - scene->board.cell] == '!', scene->game->check(&scene->position));
}

/* Some group is in play exactly while the game goes on. */
static void check_clobber(const struct scene *scene)
{
    struct marks marks = marks_of(scene);
    bool any = false;

    for (int square = 0; square < BOARD_SQUARES_MAX; square++)
        any = any || marks.right[square] != 0;
    CHECK_INT(any, scene->legal_count > 0);
}

static bool is_legal(const struct scene *scene, struct move move)
{
    for (int i = 0; i < scene->legal_count; i++)
        if (scene->legal[i].from == move.from && scene->legal[i].to == move.to)
            return true;
    return false;
}

/* A soldier is marked as locked exactly when the rules refuse its steps for that reason. */
static void check_latrunculi(const struct scene *scene)
{
    struct marks marks = marks_of(scene);
    char soldier = scene->position.side == WHITE ? 'S' : 's';
    struct cause cause;
    int next[4];

    for (int square = 0; square < 64 && scene->legal_count > 0; square++) {
        int count = board_neighbours(&scene->board, square, next);
        for (int i = 0; i < count && scene->board.cell[square] == soldier; i++) {
            struct move move = {MOVE_STEP, (uint8_t)square, (uint8_t)next[i], 0};
            if (scene->board.cell[next[i]] != '.' || is_legal(scene, move))
                continue;
            scene->game->explain(&scene->position, move, &cause);
            if (strstr(cause.text, "locked") != NULL)
                CHECK_INT(marks.right[square], '=');
        }
    }
}

/* Steps from piece to piece, or with one chosen from target to target, come to the square. */
static bool steps_come_to(struct selection *selection, const struct scene *scene, int square)
{
    for (int i = 0; i < BOARD_SQUARES_MAX; i++) {
        select_next_piece(selection, scene, 1);
        if (selection->cursor == square)
            return true;
    }
    return false;
}

static void check_stepping(const struct scene *scene, struct move legal)
{
    struct selection selection = {.from = -1};

    select_begin(&selection, scene);
    CHECK(steps_come_to(&selection, scene, legal.from));
    selection.from = legal.from;
    CHECK(steps_come_to(&selection, scene, legal.to));
    select_next_piece(&selection, scene, 1);
    select_next_piece(&selection, scene, -1);
    CHECK_INT(selection.cursor, legal.to);
}

/* Every legal move can be chosen by its squares, or by piece and square. */
static void check_choosing(const struct scene *scene, struct move legal)
{
    struct selection selection = {.from = -1};
    struct move move = {0};
    struct cause cause;

    select_begin(&selection, scene);
    for (int i = 0; i < 5 && legal.kind == MOVE_PLACE && selection.piece != legal.piece; i++)
        select_next_piece(&selection, scene, 1);
    if (legal.kind == MOVE_PASS) {
        CHECK(select_must_pass(scene, &move));
        return;
    }
    selection.cursor = legal.from;
    if (legal.kind == MOVE_STEP)
        CHECK(!select_choose(&selection, scene, &move, &cause));
    selection.cursor = legal.to;
    CHECK(select_choose(&selection, scene, &move, &cause));
    CHECK_INT(memcmp(&move, &legal, sizeof move), 0);
}

static void play_one(const struct game *game, const char *variant,
                     void (*check)(const struct scene *scene), uint64_t *state)
{
    struct position position;
    struct scene scene;
    struct cause cause;

    if (!CHECK(game->start(variant, &position, &cause)))
        return;
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        scene_set(&scene, game, &position, "");
        check(&scene);
        if (scene.legal_count == 0)
            return;
        struct move move = scene.legal[next_random(state) % (uint64_t)scene.legal_count];
        check_choosing(&scene, move);
        if (move.kind == MOVE_STEP)
            check_stepping(&scene, move);
        game->apply(&position, move);
    }
}

static void test_marks(void)
{
    static const struct {
        const struct game *game;
        const char *variant;
        void (*check)(const struct scene *scene);
    } rows[] = {{&clobber, "5x6", check_clobber},      {&clobber, "10x10", check_clobber},
                {&xadrersi, "touch", check_xadrersi},  {&xadrersi, "attack", check_xadrersi},
                {&latrunculi, NULL, check_latrunculi}, {&shakti, NULL, check_shakti}};
    uint64_t state = 42;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s %s", rows[i].game->name, rows[i].variant != NULL ? rows[i].variant : "");
        for (int j = 0; j < GAMES_EACH; j++)
            play_one(rows[i].game, rows[i].variant, rows[i].check, &state);
    }
}

/* A press on what may not move names the rule that forbids it; one on an empty square says what to
 * choose. */
static void test_refusals(void)
{
    static const struct {
        const struct game *game;
        const char *position, *square, *words;
    } rows[] = {
        {&clobber, "3/1Pp/P2 w", "a1", "b1 is empty: a stone moves only onto an enemy stone"},
        {&clobber, "PPp/PP1/PP1 w", "a1", "your own stone stands on b1"},
        {&clobber, "3/1Pp/3 w", "c2", "the stone on c2 is not yours: white moves"},
        {&clobber, "3/1Pp/3 w", "a1", "Choose a white piece that can move."},
        {&latrunculi, "7d/8/8/3s4/3S4/8/8/S6D w 0", "d4", "that soldier is locked"},
        {&latrunculi, "7d/8/8/8/8/2S5/1SDS4/2S3s1 w 0", "c2", "c1 is occupied"},
        {&shakti, "*5*/5k1/7/2W4/3w3/3K3/*5* w 0", "c4", "your king is in check"},
        {&shakti, "*5*/5k1/7/2W4/7/1K5/*5* w 0", "a1", "a1 is a hole"},
        {&xadrersi, "8/8/8/8/3K4/8/8/8[QRRBBNNkqrrbbnn] b - d4", "d4", "d4 is occupied"},
        {&xadrersi, "8/8/8/8/3K4/8/8/8[QRRBBNNkqrrbbnn] b - d4", "a1", "a1 is not next to a piece"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct selection selection = {.from = -1};
        struct position position;
        struct scene scene;
        struct cause cause;
        struct move move;
        check_about("%s %s", rows[i].position, rows[i].square);
        if (!CHECK_THAT(rows[i].game->parse(NULL, rows[i].position, &position, &cause), "%s",
                        cause.text))
            continue;
        scene_set(&scene, rows[i].game, &position, "");
        select_begin(&selection, &scene);
        selection.cursor = square_parse(&position, rows[i].square, &cause);
        CHECK(!select_choose(&selection, &scene, &move, &cause));
        CHECK_THAT(strncmp(cause.text, rows[i].words, strlen(rows[i].words)) == 0, "%s",
                   cause.text);
    }
}

/* The columns of a text whose symbols take one each. */
static int columns_of(const char *text)
{
    int columns = 0;

    for (; *text != '\0'; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

/* Both sides have a drawing, which differ, and of which those in letters name the piece. */
static void check_drawings(const struct look *white, const struct look *black)
{
    const struct look *looks[2] = {white, black};
    bool same_blocks = true, same_letters = true;

    for (int row = 0; row < DRAWING_HEIGHT; row++) {
        for (enum color color = WHITE; color <= BLACK; color++) {
            CHECK_INT(columns_of(looks[color]->blocks[row]), DRAWING_WIDTH);
            CHECK_INT((int)strlen(looks[color]->letters[row]), DRAWING_WIDTH);
        }
        same_blocks &= strcmp(white->blocks[row], black->blocks[row]) == 0;
        same_letters &= strcmp(white->letters[row], black->letters[row]) == 0;
    }
    CHECK(!same_blocks && !same_letters);
    for (enum color color = WHITE; color <= BLACK; color++)
        CHECK(strchr(looks[color]->letters[0], looks[color]->piece) != NULL ||
              strchr(looks[color]->letters[1], looks[color]->piece) != NULL);
}

/* Both sides have the same pieces, of one name, each with a filled symbol. */
static void check_looks(const struct guide *guide)
{
    static const char filled[] = "●■◆▲▼♚♛♜♝♞";

    for (const struct look *look = guide->looks; look->piece != 0; look++) {
        bool white = isupper((unsigned char)look->piece) != 0;
        char other = (char)(white ? tolower((unsigned char)look->piece)
                                  : toupper((unsigned char)look->piece));
        const struct look *twin = guide_look(guide, other);
        if (!CHECK(twin != NULL))
            continue;
        CHECK_TEXT(look->name, twin->name);
        CHECK(strlen(look->symbol) == 3);
        CHECK_THAT(strstr(filled, look->symbol) != NULL, "%s is not filled", look->symbol);
        if (white)
            check_drawings(look, twin);
    }
}

/* A look for each letter that the game shows; a game need not have any. */
static void test_looks(void)
{
    struct position position;
    struct board board;
    struct cause cause;
    enum color color;

    for (int i = 0; games[i] != NULL; i++) {
        const struct guide *guide = guide_of(games[i]);
        check_about("%s", games[i]->name);
        if (guide == NULL || guide->looks == NULL)
            continue;
        check_looks(guide);
        for (const char *piece = games[i]->pieces; *piece != '\0'; piece++)
            CHECK(guide_look(guide, *piece) != NULL);
        CHECK(games[i]->start(NULL, &position, &cause));
        games[i]->board(&position, &board);
        for (int square = 0; square < board.width * board.height; square++)
            if (scene_piece(board.cell[square], &color))
                CHECK(guide_look(guide, board.cell[square]) != NULL);
    }
    CHECK(guide_of(NULL) == NULL);
    CHECK(guide_look(NULL, 'P') == NULL && guide_look(guide_of(&clobber), 'x') == NULL);
    CHECK(guide_look(guide_of(&clobber), 0) == NULL && guide_piece(NULL, WHITE) == 0);
}

static void follow(struct played *list, int ply, const char *last)
{
    struct match_state view = {.match = "7", .ply = ply};

    snprintf(view.last, sizeof view.last, "%s", last);
    played_follow(list, &view);
}

static void test_history(void)
{
    static struct played list;

    check_about("the moves of a match");
    follow(&list, 0, "");
    follow(&list, 1, "a1a2");
    follow(&list, 2, "b1b2");
    CHECK(list.known && list.count == 2);
    follow(&list, 1, "a1a2");
    CHECK(list.known && list.count == 1);
    follow(&list, 2, "b1c1");
    CHECK_TEXT(list.moves[1].text, "b1c1");
    follow(&list, 2, "b1d1");
    CHECK(!list.known);
    list = (struct played){.known = false};
    follow(&list, 5, "a1a2");
    CHECK(!list.known);
    follow(&list, -3, "");
    follow(&list, 2000000000, "");
    CHECK(!list.known);
}

/* Keys may arrive before the first state of a match. */
static void test_nothing_to_choose(void)
{
    static const struct scene nothing;
    struct selection selection = {.cursor = 0};
    struct cause cause = {""};
    struct move move;

    select_begin(&selection, &nothing);
    select_step(&selection, &nothing, 1, -1);
    select_next_piece(&selection, &nothing, 1);
    CHECK(!select_choose(&selection, &nothing, &move, &cause));
    CHECK(!select_must_pass(&nothing, &move));
    CHECK_INT(selection.cursor, 0);
}

/* What a move takes away from where it ends is named, and what holds it. */
static void check_captures(const struct game *game, const char *text, const char *move_text,
                           const char *expected)
{
    struct position position;
    struct cause cause;
    struct move move;
    char captures[CAPTURES_MAX];

    check_about("captures of %s", move_text);
    if (!CHECK(game->parse(NULL, text, &position, &cause)) ||
        !CHECK(move_parse(game, &position, move_text, &move, &cause)))
        return;
    CHECK_INT(guide_captures(game, &position, move, captures), expected[0] != '\0');
    CHECK_TEXT(captures, expected);
}

static void test_captures(void)
{
    check_captures(&latrunculi, "3d4/8/8/8/1Ss5/8/4D3/3S4 w 0", "d1d4", "c4 (between b4 and d4)");
    check_captures(&latrunculi, "3d4/8/3S4/3s4/1Ss5/8/4D3/3S4 w 0", "d1d4",
                   "c4 (between b4 and d4), d5 (between d4 and d6)");
    check_captures(&latrunculi, "7d/8/8/S1ssS3/8/8/8/7D w 0", "a5b5", "c5");
    check_captures(&latrunculi, "6sd/8/8/8/8/8/8/S6D w 0", "a1a2", "");
    check_captures(&clobber, "pP w", "b1a1", ""); /* it stands where its prey stood */
}

int main(void)
{
    test_nothing_to_choose();
    test_marks();
    test_refusals();
    test_looks();
    test_history();
    test_captures();
    return check_end("test_special");
}
