/* The moves of an analysis: variations, their notation, and the file of it. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/ludus/talk/move_tree.h"
#include "common/buffer.h"
#include "common/move.h"

static struct move_tree *begin_tree(const struct game *game, const char *position)
{
    struct pgn_match match = {.game = game};
    struct cause cause;

    CHECK_THAT(game->parse(NULL, position, &match.start, &cause), "%s", cause.text);
    return move_tree_begin(&match, 0);
}

static void play_text(struct move_tree *tree, const char *text)
{
    struct cause cause;
    struct move move;

    if (CHECK_THAT(move_parse(tree->game, &tree->at->position, text, &move, &cause), "%s: %s", text,
                   cause.text))
        move_tree_play(tree, move);
}

static void check_notation(const struct move_tree *tree, const char *wanted)
{
    struct notation notation = {.count = 0};
    struct buffer text = {.length = 0};

    move_tree_notate(tree, &notation);
    for (int i = 0; i < notation.count; i++)
        buffer_printf(&text, "%s%s", i > 0 ? " " : "", notation.words[i].text);
    buffer_add(&text, "", 1);
    CHECK_TEXT(text.bytes, wanted);
    buffer_release(&text);
    notation_release(&notation);
}

/* The moves of the file are those of the notation, and its reader takes it. */
static void check_file(const struct move_tree *tree, const char *moves, int plies)
{
    char *text = move_tree_pgn(tree);
    struct pgn_file file;
    struct cause cause;

    CHECK_TEXT(strstr(text, "\n\n") + 2, moves);
    if (CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s", cause.text)) {
        CHECK_THAT(pgn_check(&file.matches[0], &cause), "%s", cause.text);
        CHECK_INT(file.matches[0].plies, plies);
        pgn_release(&file);
    }
    free(text);
}

static void test_variations(void)
{
    struct move_tree *tree = begin_tree(&clobber, "PpPp/pPpP/PpPp w");

    check_about("variations");
    check_notation(tree, "");
    check_file(tree, "*\n", 0);
    CHECK(!tree->is_changed && !move_tree_remove(tree) && !move_tree_switch(tree, 1) &&
          !move_tree_promote(tree));
    play_text(tree, "a1b1");
    play_text(tree, "d1c1");
    play_text(tree, "c3b3");
    struct move_node *first = tree->root->first;
    tree->at = first;
    play_text(tree, "d1c1"); /* as before */
    CHECK(tree->at->first != NULL && tree->is_changed);
    tree->at = first;
    play_text(tree, "a2a3");
    play_text(tree, "c3d3");
    tree->at = tree->at->parent;
    play_text(tree, "b2b3");
    check_notation(tree, "1. a1b1 d1c1 (1... a2a3 2. c3d3 (2. b2b3)) 2. c3b3");
    check_file(tree, "1. a1b1 d1c1 (1... a2a3 2. c3d3 (2. b2b3)) 2. c3b3 *\n", 3);
    CHECK(move_tree_switch(tree, 1));
    CHECK_TEXT(tree->at->move.text, "c3d3");
    CHECK(move_tree_switch(tree, -1));
    CHECK_TEXT(tree->at->move.text, "b2b3");
    CHECK(move_tree_promote(tree) && !move_tree_promote(tree));
    check_notation(tree, "1. a1b1 a2a3 (1... d1c1 2. c3b3) 2. b2b3 (2. c3d3)");
    check_file(tree, "1. a1b1 a2a3 (1... d1c1 2. c3b3) 2. b2b3 (2. c3d3) *\n", 3);
    CHECK_TEXT(move_tree_end(tree->root)->move.text, "b2b3");
    tree->at = tree->at->parent;
    CHECK(move_tree_remove(tree));
    CHECK_TEXT(tree->at->move.text, "a1b1");
    check_notation(tree, "1. a1b1 d1c1 2. c3b3");
    CHECK(move_tree_remove(tree));
    check_notation(tree, "");
    move_tree_free(tree);
}

static void test_black_begins(void)
{
    struct move_tree *tree = begin_tree(&clobber, "Ppp/3/1Pp b");

    check_about("Black moves first");
    play_text(tree, "c1b1");
    tree->at = tree->root;
    play_text(tree, "b3a3");
    check_notation(tree, "1... c1b1 (1... b3a3)");
    check_file(tree, "1... c1b1 (1... b3a3) *\n", 1);
    move_tree_free(tree);
}

static void test_end(void)
{
    struct move_tree *tree = begin_tree(&clobber, "Ppp/3/1Pp w");

    check_about("the end of a game");
    play_text(tree, "a3b3");
    play_text(tree, "c3b3");
    play_text(tree, "b1c1");
    CHECK_INT(tree->at->outcome.result, RESULT_WHITE);
    check_file(tree, "1. a3b3 c3b3 2. b1c1 1-0\n", 3);
    move_tree_free(tree);
}

/* A position that occurs for the third time in a line ends it; what other lines have does not
 * count. */
static void test_repetition(void)
{
    static const char *const moves[] = {"a1a4", "h8h5", "a4a1", "h5h8"};
    struct pgn_match match = {.game = &latrunculi};
    struct cause cause;

    check_about("repetition");
    CHECK(latrunculi.start(NULL, &match.start, &cause));
    struct move_tree *tree = move_tree_begin(&match, 0);
    for (int i = 0; i < 8; i++) {
        CHECK_INT(tree->at->outcome.reason, REASON_NONE);
        play_text(tree, moves[i % 4]);
    }
    CHECK_INT(tree->at->outcome.reason, REASON_REPETITION);
    check_file(tree, "1. a1a4 h8h5 2. a4a1 h5h8 3. a1a4 h8h5 4. a4a1 h5h8 1/2-1/2\n", 8);
    tree->at = tree->root;
    play_text(tree, "a1a3");
    play_text(tree, "h8h5");
    play_text(tree, "a3a1");
    play_text(tree, "h5h8");
    CHECK_INT(tree->at->outcome.reason, REASON_NONE);
    move_tree_free(tree);
}

static void test_match(void)
{
    static const struct move_text moves[] = {{"a2a1"}, {"b2b1"}, {"a1b1"}};
    struct pgn_match match = {.game = &clobber, .match = "12", .plies = 3, .moves = moves};
    struct cause cause;

    check_about("a match");
    CHECK(clobber.start("2x2", &match.start, &cause));
    struct move_tree *tree = move_tree_begin(&match, 1);
    CHECK_TEXT(tree->at->move.text, "a2a1");
    CHECK_TEXT(tree->match, "12");
    CHECK(!tree->is_changed);
    check_notation(tree, "1. a2a1 b2b1 2. a1b1");
    move_tree_free(tree);
    move_tree_free(NULL);
}

int main(void)
{
    test_variations();
    test_black_begins();
    test_end();
    test_repetition();
    test_match();
    return check_end("test_move_tree");
}
