#include "move_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/xmalloc.h"

/* How often the position of a node has occurred in its line, it included. */
static int count_occurrences(const struct move_node *node)
{
    int count = 0;

    for (const struct move_node *each = node; each != NULL; each = each->parent)
        count += each->key == node->key;
    return count;
}

static struct move_node *new_node(const struct game *game, const struct position *position,
                                  struct move_node *parent, const char *move)
{
    struct move_node *node = xcalloc(1, sizeof *node);

    node->parent = parent;
    node->position = *position;
    snprintf(node->move.text, MOVE_TEXT_MAX, "%s", move);
    node->key = game->key(position);
    node->outcome = game->outcome(position);
    if (node->outcome.result == RESULT_NONE && game->repetition_draws &&
        count_occurrences(node) >= 3)
        node->outcome = (struct outcome){RESULT_DRAW, REASON_REPETITION};
    return node;
}

struct move_tree *move_tree_begin(const struct pgn_match *match, int ply)
{
    struct move_tree *tree = xcalloc(1, sizeof *tree);
    struct cause cause;
    struct move move;

    tree->game = match->game;
    snprintf(tree->match, sizeof tree->match, "%s", match->match != NULL ? match->match : "");
    tree->at = tree->root = new_node(tree->game, &match->start, NULL, "");
    struct move_node *shown = tree->root;
    for (int i = 0; i < match->plies; i++) {
        if (!move_parse(tree->game, &tree->at->position, match->moves[i].text, &move, &cause))
            break;
        move_tree_play(tree, move);
        if (i + 1 == ply)
            shown = tree->at;
    }
    tree->at = shown;
    tree->is_changed = false;
    return tree;
}

/* Frees a node and all behind it, which may be more than calls can be deep. */
static void free_node(struct move_node *node)
{
    struct move_node *last = node;

    for (;;) {
        while (last->first != NULL)
            last = last->first;
        struct move_node *parent = last->parent;
        if (last == node)
            break;
        parent->first = last->next;
        free(last);
        last = parent;
    }
    free(node);
}

void move_tree_free(struct move_tree *tree)
{
    if (tree == NULL)
        return;
    free_node(tree->root);
    free(tree);
}

void move_tree_play(struct move_tree *tree, struct move move)
{
    struct move_node **end = &tree->at->first;
    struct position position = tree->at->position;
    char text[MOVE_TEXT_MAX];

    move_format(&position, move, text);
    while (*end != NULL && strcmp((*end)->move.text, text) != 0)
        end = &(*end)->next;
    if (*end == NULL) {
        tree->game->apply(&position, move);
        *end = new_node(tree->game, &position, tree->at, text);
        tree->is_changed = true;
    }
    tree->at = *end;
}

/* Takes a node out of those of its parent. */
static void unlink_node(struct move_node *node)
{
    struct move_node **place = &node->parent->first;

    while (*place != node)
        place = &(*place)->next;
    *place = node->next;
    node->next = NULL;
}

bool move_tree_remove(struct move_tree *tree)
{
    struct move_node *node = tree->at;

    if (node->parent == NULL)
        return false;
    tree->at = node->parent;
    unlink_node(node);
    free_node(node);
    tree->is_changed = true;
    return true;
}

bool move_tree_promote(struct move_tree *tree)
{
    bool promoted = false;

    for (struct move_node *node = tree->at; node->parent != NULL; node = node->parent) {
        if (node->parent->first == node)
            continue;
        unlink_node(node);
        node->next = node->parent->first;
        node->parent->first = node;
        promoted = tree->is_changed = true;
    }
    return promoted;
}

bool move_tree_switch(struct move_tree *tree, int step)
{
    struct move_node *at = tree->at, *first = at->parent != NULL ? at->parent->first : at;
    struct move_node *other = step > 0 && at->next != NULL ? at->next : first;

    if (step < 0)
        while (other->next != NULL && other->next != at)
            other = other->next;
    if (other == at)
        return false;
    tree->at = other;
    return true;
}

struct move_node *move_tree_end(struct move_node *node)
{
    while (node->first != NULL)
        node = node->first;
    return node;
}

/* ---- As notation ---- */

static void add_word(struct notation *notation, struct move_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_word(struct notation *notation, struct move_node *node, const char *format, ...)
{
    va_list args;

    if (notation->count == notation->capacity) {
        notation->capacity = 2 * notation->capacity + 64;
        notation->words =
            xrealloc(notation->words, (size_t)notation->capacity * sizeof *notation->words);
    }
    struct notation_word *word = &notation->words[notation->count++];
    word->node = node;
    va_start(args, format);
    vsnprintf(word->text, sizeof word->text, format, args);
    va_end(args);
}

/* Adds the number of a move, which one of black needs only where something stands before it. */
static void add_number(struct notation *notation, int half, const char *before, bool always)
{
    bool black = half % 2 == BLACK;

    if (!black || always)
        add_word(notation, NULL, "%s%d%s", before, half / 2 + 1, black ? "..." : ".");
}

static void close_bracket(struct notation *notation)
{
    char *text = notation->words[notation->count - 1].text;
    size_t used = strlen(text);

    snprintf(text + used, NOTATION_WORD_MAX - used, ")");
}

/* Adds the line that goes on from a node. `half`: moves before it, of both sides. */
static void add_line(struct notation *notation, const struct move_node *from, int half,
                     bool numbered)
{
    for (struct move_node *main = from->first; main != NULL; main = main->first, half++) {
        add_number(notation, half, "", numbered);
        add_word(notation, main, "%s", main->move.text);
        for (struct move_node *other = main->next; other != NULL; other = other->next) {
            add_number(notation, half, "(", true);
            add_word(notation, other, "%s", other->move.text);
            add_line(notation, other, half + 1, false);
            close_bracket(notation);
        }
        numbered = main->next != NULL;
    }
}

void move_tree_notate(const struct move_tree *tree, struct notation *notation)
{
    add_line(notation, tree->root, tree->root->position.side, true);
}

void notation_release(struct notation *notation)
{
    free(notation->words);
    *notation = (struct notation){.count = 0};
}

/* ---- As PGN ---- */

/* Adds a move and the line that goes on from it, as pgn.h wants other moves. */
static void add_other(struct buffer *note, const struct move_node *node)
{
    buffer_puts(note, node->move.text);
    for (const struct move_node *main = node->first; main != NULL; main = main->first) {
        buffer_printf(note, " %s", main->move.text);
        for (const struct move_node *other = main->next; other != NULL; other = other->next) {
            buffer_puts(note, " (");
            add_other(note, other);
            buffer_puts(note, ")");
        }
    }
}

/* Returns the other moves that were tried in place of one, as a note. The caller frees it. */
static char *note_of(const struct move_node *node)
{
    struct buffer note = {.length = 0};

    for (const struct move_node *other = node->next; other != NULL; other = other->next) {
        buffer_puts(&note, "(");
        add_other(&note, other);
        buffer_puts(&note, "\n");
    }
    buffer_add(&note, "", 1);
    return note.bytes;
}

char *move_tree_pgn(const struct move_tree *tree)
{
    struct pgn_match match = {.game = tree->game, .start = tree->root->position};
    char event[PGN_VALUE_MAX];
    int plies = 0;

    for (const struct move_node *node = tree->root->first; node != NULL; node = node->first)
        plies++;
    struct move_text *moves = xcalloc((size_t)plies + 1, sizeof *moves);
    char **notes = xcalloc((size_t)plies + 1, sizeof *notes);
    for (const struct move_node *node = tree->root->first; node != NULL; node = node->first) {
        moves[match.plies] = node->move;
        notes[match.plies++] = note_of(node);
        match.outcome = node->outcome;
    }
    if (plies == 0)
        match.outcome = tree->root->outcome;
    snprintf(event, sizeof event, "Analysis of %s", tree->game->title);
    match.event = event;
    match.moves = moves;
    match.notes = (const char *const *)notes;
    char *text = pgn_write(&match, false);
    for (int i = 0; i < plies; i++)
        free(notes[i]);
    free(notes);
    free(moves);
    return text;
}
