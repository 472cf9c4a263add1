#include "own_rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATTACKED_MAX = 28 };
enum { UP = OWN_STRIDE, EMPTY = '.', HOLE = '*', FRAME = '#' };
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, KINDS };

/* The orthogonal ones first. */
static const int STEPS[8] = {1, -1, UP, -UP, UP + 1, UP - 1, 1 - UP, -UP - 1};
static const int JUMPS[8] = {2 * UP + 1,  2 * UP - 1, UP + 2, UP - 2,
                             -2 * UP - 1, 1 - 2 * UP, 2 - UP, -2 - UP};
static const char KIND_LETTERS[] = "KQRBN";
static const int SET[KINDS] = {1, 1, 2, 2, 2};

struct list {
    struct own_move *moves; /* NULL: only whether there are any */
    int count;
};

/* Takes down a move. True when no more are needed. */
static bool add_move(struct list *list, int from, int to, char piece)
{
    if (list->moves != NULL)
        list->moves[list->count] = (struct own_move){(unsigned char)from, (unsigned char)to, piece};
    list->count++;
    return list->moves == NULL;
}

static int square_at(int file, int rank)
{
    return (rank + 1) * UP + file + 1;
}

static int file_of(int square)
{
    return square % UP - 1;
}

static int rank_of(int square)
{
    return square / UP - 1;
}

/* The squares of the board, one after the other: the next after `square`, 0 at the end; the first
 * after 0. */
static int next_square(const struct own_position *position, int square)
{
    while (++square < OWN_CELLS)
        if (position->board[square] != FRAME)
            return square;
    return 0;
}

static bool holds(char content, int black)
{
    return black ? content >= 'a' && content <= 'z' : content >= 'A' && content <= 'Z';
}

static bool is_piece(char content)
{
    return holds(content, 0) || holds(content, 1);
}

/* The letter, given in upper case, of a side's piece. */
static char letter_of(char kind, int black)
{
    return (char)(black ? kind | ('a' - 'A') : kind);
}

static int find_piece(const struct own_position *position, char letter)
{
    const char *found = memchr(position->board, letter, OWN_CELLS);

    return found != NULL ? (int)(found - position->board) : 0;
}

static int count_pieces(const struct own_position *position, char letter)
{
    int count = 0;

    for (int i = 0; i < OWN_CELLS; i++)
        count += position->board[i] == letter;
    return count;
}

/*
 * Clobber
 */

static void list_clobber(const struct own_position *position, struct list *list)
{
    const char *board = position->board;

    for (int from = next_square(position, 0); from > 0; from = next_square(position, from))
        for (int i = 0; i < 4 && holds(board[from], position->black); i++)
            if (holds(board[from + STEPS[i]], !position->black) &&
                add_move(list, from, from + STEPS[i], 0))
                return;
}

/*
 * Xadrersi
 */

static int hand_size(const struct own_position *position, int black)
{
    int size = 0;

    for (int kind = 0; kind < KINDS; kind++)
        size += position->hand[black][kind];
    return size;
}

/* Lists the squares that a piece attacks. Returns how many. */
static int list_attacked(const char *board, int from, unsigned char attacked[ATTACKED_MAX])
{
    char kind = letter_of(board[from], 1); /* whosever it is */
    int count = 0;

    for (int i = 0; kind == 'n' && i < 8; i++)
        if (from + JUMPS[i] > 0 && board[from + JUMPS[i]] != FRAME)
            attacked[count++] = (unsigned char)(from + JUMPS[i]);
    for (int i = kind == 'b' ? 4 : 0; kind != 'n' && i < (kind == 'r' ? 4 : 8); i++)
        for (int to = from + STEPS[i]; board[to] != FRAME; to += STEPS[i]) {
            attacked[count++] = (unsigned char)to;
            if (kind == 'k' || board[to] != EMPTY)
                break;
        }
    return count;
}

/* Marks the squares that a side attacks. */
static void mark_attacked(const struct own_position *position, int black, bool marks[OWN_CELLS])
{
    unsigned char attacked[ATTACKED_MAX];

    memset(marks, 0, OWN_CELLS * sizeof marks[0]);
    for (int from = next_square(position, 0); from > 0; from = next_square(position, from)) {
        int count = holds(position->board[from], black)
                        ? list_attacked(position->board, from, attacked)
                        : 0;
        for (int i = 0; i < count; i++)
            marks[attacked[i]] = true;
    }
}

/* How many points White has more than Black. */
static int lead_of_white(const struct own_position *position)
{
    const char *board = position->board;
    unsigned char attacked[ATTACKED_MAX];
    int lead = 0;

    for (int from = square_at(0, 0); from <= square_at(7, 7); from++) {
        if (board[from] < 'A') /* no piece */
            continue;
        int count = list_attacked(board, from, attacked), points = 0;
        for (int i = 0; i < count; i++)
            points += position->game == OWN_ATTACK || board[attacked[i]] == EMPTY;
        lead += holds(board[from], 0) ? points : -points;
    }
    return lead;
}

static bool are_adjacent(int one, int other)
{
    return one != other && abs(file_of(one) - file_of(other)) <= 1 &&
           abs(rank_of(one) - rank_of(other)) <= 1;
}

/* Rules 1 and 3: what the side may place at all. */
static bool may_place(const struct own_position *position, int kind)
{
    const unsigned char *hand = position->hand[position->black];

    if (hand[kind] == 0 || (position->must_call && kind != QUEEN))
        return false;
    if (!position->black)
        return hand[KING] == 0 || kind == KING;
    return kind != KING || hand_size(position, 1) == 1;
}

static int colour_of(int square)
{
    return (file_of(square) + rank_of(square)) % 2;
}

/* Rule 5, and rule 6 of the variant touch. */
static bool is_placed_well(const struct own_position *position, const bool *attacked, int kind,
                           int square)
{
    int pieces = 0, empty = 0;

    if (position->last == 0)
        return true;
    if (position->game == OWN_ATTACK)
        return attacked[square];
    for (int i = 0; i < 8; i++) {
        pieces += is_piece(position->board[square + STEPS[i]]);
        empty += position->board[square + STEPS[i]] == EMPTY;
    }
    if (pieces == 0)
        return false;
    if (position->black)
        return kind != KING || are_adjacent(square, position->last);
    return hand_size(position, 0) > 1 || empty > 0;
}

static void list_placements(const struct own_position *position, struct list *list, bool waived)
{
    bool attacked[OWN_CELLS];
    int bishop = find_piece(position, letter_of('B', position->black));

    mark_attacked(position, !position->black, attacked);
    for (int kind = 0; kind < KINDS; kind++) {
        if (!may_place(position, kind))
            continue;
        for (int to = next_square(position, 0); to > 0; to = next_square(position, to)) {
            if (position->board[to] != EMPTY ||
                (kind == BISHOP && bishop > 0 && colour_of(bishop) == colour_of(to)) || /* rule 2 */
                (!waived && !is_placed_well(position, attacked, kind, to)))
                continue;
            if (add_move(list, 0, to, KIND_LETTERS[kind]))
                return;
        }
    }
}

static void list_xadrersi(const struct own_position *position, struct list *list)
{
    if (own_in_hand(position) == 0)
        return;
    list_placements(position, list, false);
    if (list->count == 0)
        list_placements(position, list, true);
}

static void play_placement(struct own_position *position, struct own_move move)
{
    int black = position->black, kind = (int)(strchr(KIND_LETTERS, move.piece) - KIND_LETTERS);

    position->board[move.to] = letter_of(move.piece, black);
    position->hand[black][kind]--;
    position->last = move.to;
    position->must_call = kind == QUEEN && position->hand[!black][QUEEN] > 0;
}

/*
 * Latrunculi XXI
 */

static int count_around(const char *board, int square, int black)
{
    int count = 0;

    for (int i = 0; i < 4; i++)
        count += holds(board[square + STEPS[i]], black);
    return count;
}

/* 0: off the edges, 1: on an edge, 2: in a corner. */
static int count_edges(const char *board, int square)
{
    int count = 0;

    for (int i = 0; i < 4; i++)
        count += board[square + STEPS[i]] == FRAME;
    return count;
}

static bool is_surrounded(const char *board, int square)
{
    return count_around(board, square, 0) + count_around(board, square, 1) +
               count_edges(board, square) ==
           4;
}

static bool is_immobilised(const struct own_position *position, int black)
{
    int dux = find_piece(position, letter_of('D', black));

    return is_surrounded(position->board, dux) && count_around(position->board, dux, !black) > 0;
}

/* Removes what a piece captures that has arrived at `mover` by `step`. Returns how many. */
static int capture(char *board, int mover, int step, int black)
{
    int taken[8], count = 0;
    char soldier = letter_of('S', !black);
    int across = step == 1 || step == -1 ? UP : 1;

    for (int i = 0; i < 4; i++) { /* custodial */
        int at = mover + STEPS[i];
        if (board[at] != soldier)
            continue;
        if (count_edges(board, at) == 0 ? holds(board[at + STEPS[i]], black)
                                        : count_around(board, at, black) >= 2)
            taken[count++] = at;
    }
    int enemies = 0, friends = 0;
    while (holds(board[mover + (enemies + 1) * step], !black))
        enemies++;
    while (holds(board[mover + (friends + 1) * step], black))
        friends++;
    if (enemies >= 2 && board[mover + step] == soldier &&
        holds(board[mover + (enemies + 1) * step], black))
        taken[count++] = mover + step; /* flank */
    int target = mover + (friends + 1) * step;
    if (friends == 1 && board[target] == soldier &&
        (board[target + step] == FRAME || holds(board[target + step], black)))
        taken[count++] = target;                                   /* push and crush */
    for (int side = -across; side <= across; side += 2 * across) { /* phalanx */
        int alongside = 0;
        while (alongside <= friends && holds(board[mover + alongside * step + side], black))
            alongside++;
        if (friends >= 1 && alongside == friends + 1 && board[target] == soldier)
            taken[count++] = target;
    }
    for (int i = 0; i < count; i++)
        board[taken[i]] = EMPTY;
    return count;
}

/* How far a piece may go: defensively, and whether it may make offensive moves. */
struct reach {
    int defensive;
    bool offensive;
};

static struct reach soldier_reach(const char *board, int square, int black)
{
    for (int i = 0; i < 4; i++) {
        int enemy = square + STEPS[i];
        if (holds(board[enemy], !black) && count_around(board, enemy, black) < 2)
            return (struct reach){0, true};
    }
    return (struct reach){OWN_STRIDE, true};
}

static struct reach dux_reach(const char *board, int square, int black)
{
    int edges = count_edges(board, square), enemies = count_around(board, square, !black);
    int count = enemies > 0 ? enemies + count_around(board, square, black) : 0;

    if (count == 0)
        return (struct reach){OWN_STRIDE, true};
    if (count == 1)
        return edges == 2 ? (struct reach){0, false} : (struct reach){1, true};
    return (struct reach){0, count == 2 && edges == 0};
}

static int step_of(int from, int to)
{
    int step = rank_of(from) == rank_of(to) ? 1 : UP;

    return to > from ? step : -step;
}

static int move_and_capture(char *board, int from, int to, int black)
{
    board[to] = board[from];
    board[from] = EMPTY;
    return capture(board, to, step_of(from, to), black);
}

static void list_latrunculi(const struct own_position *position, struct list *list)
{
    int black = position->black;
    char own_dux = letter_of('D', black), enemy_dux = letter_of('D', !black);

    if (is_immobilised(position, black) || count_pieces(position, letter_of('S', black)) == 0)
        return;
    for (int from = next_square(position, 0); from > 0; from = next_square(position, from)) {
        if (!holds(position->board[from], black))
            continue;
        struct reach reach = position->board[from] == own_dux
                                 ? dux_reach(position->board, from, black)
                                 : soldier_reach(position->board, from, black);
        for (int i = 0; i < 4 && (reach.offensive || reach.defensive > 0); i++) {
            int to = from + STEPS[i];
            for (int distance = 1; position->board[to] == EMPTY; distance++, to += STEPS[i]) {
                struct own_position after = *position;
                bool offensive = move_and_capture(after.board, from, to, black) > 0;
                for (int j = 0; j < 4; j++)
                    offensive = offensive || after.board[to + STEPS[j]] == enemy_dux;
                if (offensive ? !reach.offensive : distance > reach.defensive)
                    continue;
                if (!is_surrounded(after.board, find_piece(&after, own_dux)) &&
                    add_move(list, from, to, 0))
                    return;
            }
        }
    }
}

/*
 * Shakti
 */

/* The tile seen in a direction, or a square of the frame. */
static int look(const char *board, int from, int step)
{
    do
        from += step;
    while (board[from] == HOLE);
    return from;
}

/* Whether a side's king sees a piece of that letter. Sight goes both ways. */
static bool king_sees(const struct own_position *position, int black, char letter)
{
    int king = find_piece(position, letter_of('K', black));

    for (int i = 0; i < 8; i++)
        if (position->board[look(position->board, king, STEPS[i])] == letter)
            return true;
    return false;
}

static bool in_check(const struct own_position *position, int black)
{
    return king_sees(position, black, letter_of('W', !black));
}

static bool kings_meet(const struct own_position *position)
{
    return king_sees(position, 0, 'k');
}

static void play_shakti(struct own_position *position, struct own_move move)
{
    char *board = position->board;

    position->count = move.to == 0 ? (unsigned char)(position->count + 1) : 0;
    if (move.to == 0)
        return;
    bool is_warrior = toupper((unsigned char)board[move.from]) == 'W';
    for (int i = 0; is_warrior && i < 8; i++) {
        int passed = look(board, move.from, STEPS[i]);
        if (passed != move.to && board[passed] != FRAME && look(board, passed, STEPS[i]) == move.to)
            board[passed] = HOLE;
    }
    board[move.to] = board[move.from];
    board[move.from] = EMPTY;
}

/* Takes down a move if the mover's king is safe after it. */
static bool add_if_safe(const struct own_position *position, struct list *list, int from, int to)
{
    struct own_position after = *position;

    play_shakti(&after, (struct own_move){(unsigned char)from, (unsigned char)to, 0});
    return !in_check(&after, position->black) && !kings_meet(&after) && add_move(list, from, to, 0);
}

static bool list_king(const struct own_position *position, struct list *list, int from)
{
    const char *board = position->board;
    bool checked = in_check(position, position->black);

    for (int i = 0; i < 8; i++) {
        int to = checked ? from + STEPS[i] : look(board, from, STEPS[i]);
        if ((board[to] == EMPTY || (checked && board[to] == letter_of('W', !position->black))) &&
            add_if_safe(position, list, from, to))
            return true;
    }
    return false;
}

static bool list_warrior(const struct own_position *position, struct list *list, int from)
{
    const char *board = position->board;

    for (int i = 0; i < 8; i++) {
        int seen = look(board, from, STEPS[i]);
        if (board[seen] != EMPTY)
            continue;
        int beyond = look(board, seen, STEPS[i]);
        if (add_if_safe(position, list, from, seen) ||
            (board[beyond] == EMPTY && add_if_safe(position, list, from, beyond)))
            return true;
    }
    return false;
}

static void list_shakti(const struct own_position *position, struct list *list)
{
    if (position->count == 2)
        return;
    for (int from = next_square(position, 0); from > 0; from = next_square(position, from)) {
        char piece = position->board[from];
        if (!holds(piece, position->black))
            continue;
        if (toupper((unsigned char)piece) == 'K' ? list_king(position, list, from)
                                                 : list_warrior(position, list, from))
            return;
    }
    if (list->count == 0 && !in_check(position, position->black))
        add_move(list, 0, 0, 0);
}

/*
 * All games
 */

/* Lists moves, the rule of 100 plies set aside. */
static void list_moves(const struct own_position *position, struct list *list)
{
    switch (position->game) {
    case OWN_CLOBBER:
        list_clobber(position, list);
        break;
    case OWN_LATRUNCULI:
        list_latrunculi(position, list);
        break;
    case OWN_SHAKTI:
        list_shakti(position, list);
        break;
    default:
        list_xadrersi(position, list);
    }
}

static bool is_capture_overdue(const struct own_position *position)
{
    return position->game == OWN_LATRUNCULI && position->count >= 100;
}

int own_legal(const struct own_position *position, struct own_move moves[OWN_MOVES_MAX])
{
    struct list list = {moves, 0};

    if (!is_capture_overdue(position))
        list_moves(position, &list);
    return list.count;
}

bool own_over(const struct own_position *position)
{
    struct list list = {NULL, 0};

    if (!is_capture_overdue(position))
        list_moves(position, &list);
    return list.count == 0;
}

void own_play(struct own_position *position, struct own_move move)
{
    char *board = position->board;

    switch (position->game) {
    case OWN_CLOBBER:
        board[move.to] = board[move.from];
        board[move.from] = EMPTY;
        break;
    case OWN_LATRUNCULI:
        position->count++;
        if (move_and_capture(board, move.from, move.to, position->black) > 0)
            position->count = 0;
        break;
    case OWN_SHAKTI:
        play_shakti(position, move);
        break;
    default:
        play_placement(position, move);
    }
    position->black = !position->black;
}

struct own_end own_end(const struct own_position *position)
{
    static const char DRAW[] = "1/2-1/2";
    int black = position->black;
    const char *lost = black ? "1-0" : "0-1";

    if (position->game == OWN_CLOBBER)
        return (struct own_end){lost, "no-moves"};
    if (position->game == OWN_SHAKTI && position->count == 2)
        return (struct own_end){DRAW, "no-moves"};
    if (position->game == OWN_SHAKTI)
        return (struct own_end){lost, "checkmate"};
    if (position->game != OWN_LATRUNCULI) {
        int lead = lead_of_white(position);
        return (struct own_end){lead > 0 ? "1-0" : lead < 0 ? "0-1" : DRAW, "score"};
    }
    struct list list = {NULL, 0};
    if (is_immobilised(position, black))
        return (struct own_end){lost, "dux-immobilised"};
    if (count_pieces(position, letter_of('S', black)) == 0)
        return (struct own_end){lost, "no-soldiers"};
    list_moves(position, &list);
    return list.count == 0 ? (struct own_end){lost, "no-moves"}
                           : (struct own_end){DRAW, "no-capture"};
}

int own_in_hand(const struct own_position *position)
{
    return hand_size(position, 0) + hand_size(position, 1);
}

/*
 * Texts
 */

static int format_square(int square, char *text, size_t size)
{
    return snprintf(text, size, "%c%d", 'a' + file_of(square), rank_of(square) + 1);
}

void own_move_format(struct own_move move, char text[OWN_MOVE_TEXT_MAX])
{
    int length = 0;

    if (move.to == 0) {
        memcpy(text, "pass", sizeof "pass");
        return;
    }
    if (move.from == 0)
        length = snprintf(text, OWN_MOVE_TEXT_MAX, "%c@", move.piece);
    else
        length = format_square(move.from, text, OWN_MOVE_TEXT_MAX);
    format_square(move.to, text + length, (size_t)(OWN_MOVE_TEXT_MAX - length));
}

/* Writes the placement. Returns its end. */
static char *format_board(const struct own_position *position, char *text)
{
    for (int rank = position->height - 1; rank >= 0; rank--) {
        int run = 0;
        for (int file = 0; file <= position->width; file++) {
            char content = position->board[square_at(file, rank)];
            if (content == EMPTY) {
                run++;
                continue;
            }
            if (run > 0)
                text += snprintf(text, 4, "%d", run);
            run = 0;
            if (file < position->width)
                *text++ = content;
        }
        if (rank > 0)
            *text++ = '/';
    }
    *text = '\0';
    return text;
}

void own_format(const struct own_position *position, char text[OWN_TEXT_MAX])
{
    bool places = position->game == OWN_TOUCH || position->game == OWN_ATTACK;
    char *end = format_board(position, text);

    if (places) {
        *end++ = '[';
        for (int black = 0; black < 2; black++)
            for (int kind = 0; kind < KINDS; kind++)
                for (int i = 0; i < position->hand[black][kind]; i++)
                    *end++ = letter_of(KIND_LETTERS[kind], black);
        *end++ = ']';
    }
    *end++ = ' ';
    *end++ = position->black ? 'b' : 'w';
    *end = '\0';
    size_t left = (size_t)(text + OWN_TEXT_MAX - end);
    if (places) {
        end += snprintf(end, left, " %c ", position->must_call ? 'Q' : '-');
        if (position->last > 0)
            format_square(position->last, end, (size_t)(text + OWN_TEXT_MAX - end));
        else
            memcpy(end, "-", sizeof "-");
    } else if (position->game != OWN_CLOBBER) {
        snprintf(end, left, " %d", position->count);
    }
}

/* Reads the placement up to the space or bracket behind it. Returns that, or NULL. */
static const char *parse_board(const char *text, struct own_position *position)
{
    char rows[10][10];
    int width = 0, height = 0;

    memset(position->board, FRAME, sizeof position->board);
    do {
        int files = 0;
        if (height == 10)
            return NULL;
        while (*text != '\0' && strchr("/[ ", *text) == NULL) {
            int run = 1;
            char content = *text;
            if (isdigit((unsigned char)content)) {
                char *end;
                run = (int)strtol(text, &end, 10);
                text = end;
                content = EMPTY;
            } else {
                text++;
            }
            if (run < 1 || run > 10 - files)
                return NULL;
            memset(&rows[height][files], content, (size_t)run);
            files += run;
        }
        if (files == 0 || (height > 0 && files != width))
            return NULL;
        width = files;
        height++;
    } while (*text++ == '/');
    position->width = (unsigned char)width;
    position->height = (unsigned char)height;
    for (int rank = 0; rank < height; rank++)
        memcpy(&position->board[square_at(0, rank)], rows[height - 1 - rank], (size_t)width);
    return text - 1;
}

static const char *parse_hand(const char *text, struct own_position *position)
{
    if (*text++ != '[')
        return NULL;
    for (; *text != ']'; text++) {
        const char *kind =
            *text != '\0' ? strchr(KIND_LETTERS, toupper((unsigned char)*text)) : NULL;
        if (kind == NULL)
            return NULL;
        position->hand[islower((unsigned char)*text) != 0][kind - KIND_LETTERS]++;
    }
    return text + 1;
}

/* Reads the fields behind the placement. What is not exact here differs when it is written again.
 */
static bool parse_fields(const char *text, struct own_position *position)
{
    position->black = strncmp(text, " b", 2) == 0;
    if (strlen(text) < 2)
        return false;
    text += 2;
    if (position->game == OWN_LATRUNCULI || position->game == OWN_SHAKTI) {
        long count = *text == ' ' ? strtol(text + 1, NULL, 10) : -1;
        position->count = (unsigned char)count;
        return count >= 0 && count <= (position->game == OWN_SHAKTI ? 2 : 100);
    }
    if (position->game == OWN_CLOBBER)
        return true;
    if (strlen(text) < 4)
        return false;
    position->must_call = text[1] == 'Q';
    if (text[3] != '-') {
        int file = text[3] - 'a', rank = text[4] - '1';
        if (file < 0 || file > 7 || rank < 0 || rank > 7)
            return false;
        position->last = (unsigned char)square_at(file, rank);
    }
    return true;
}

static bool is_xadrersi_valid(const struct own_position *position)
{
    int black = position->black, placed[2], queen = 0;

    for (int side = 0; side < 2; side++) {
        placed[side] = 8 - hand_size(position, side);
        int colours = 0, bishops = 0;
        for (int kind = 0; kind < KINDS; kind++)
            if (count_pieces(position, letter_of(KIND_LETTERS[kind], side)) +
                    position->hand[side][kind] !=
                SET[kind])
                return false;
        for (int at = next_square(position, 0); at > 0; at = next_square(position, at))
            if (position->board[at] == letter_of('B', side)) {
                bishops++;
                colours += colour_of(at);
            }
        if (bishops == 2 && colours != 1)
            return false;
    }
    if (placed[0] != placed[1] + black || (position->hand[0][KING] > 0) != (placed[0] == 0) ||
        (position->hand[1][KING] > 0) != (placed[1] < 8))
        return false;
    if (placed[0] == 0)
        return position->last == 0 && !position->must_call;
    char last = position->board[position->last];
    if (position->last == 0 || !holds(last, !black) || (placed[1] == 8 && last != 'k'))
        return false;
    queen = toupper((unsigned char)last) == 'Q' && position->hand[black][QUEEN] > 0;
    return position->must_call == queen;
}

static bool is_latrunculi_valid(const struct own_position *position)
{
    for (int black = 0; black < 2; black++)
        if (count_pieces(position, letter_of('D', black)) != 1 ||
            count_pieces(position, letter_of('S', black)) > 8)
            return false;
    return count_pieces(position, letter_of('S', !position->black)) > 0 &&
           !is_immobilised(position, !position->black);
}

static bool is_shakti_valid(const struct own_position *position)
{
    const char *board = position->board;

    for (int black = 0; black < 2; black++)
        if (count_pieces(position, letter_of('K', black)) != 1 ||
            count_pieces(position, letter_of('W', black)) > 2)
            return false;
    return board[square_at(0, 0)] == HOLE && board[square_at(6, 0)] == HOLE &&
           board[square_at(0, 6)] == HOLE && board[square_at(6, 6)] == HOLE &&
           !kings_meet(position) && !in_check(position, !position->black);
}

/* The size and the letters of a game's board, and what its line "Valid" says. */
static bool is_valid(const struct own_position *position, const char *variant)
{
    static const char *const LETTERS[] = {"Pp.", "KQRBNkqrbn.", "KQRBNkqrbn.", "SDsd.", "KWkw.*"};
    static const int SIDE[] = {0, 8, 8, 8, 7};
    int side = SIDE[position->game];
    char size[16];

    for (int at = next_square(position, 0); at > 0; at = next_square(position, at))
        if (strchr(LETTERS[position->game], position->board[at]) == NULL)
            return false;
    if (position->game == OWN_CLOBBER) {
        snprintf(size, sizeof size, "%dx%d", position->width, position->height);
        return position->width * position->height >= 2 &&
               (variant == NULL || strcmp(size, variant) == 0);
    }
    if (position->width != side || position->height != side)
        return false;
    if (position->game == OWN_LATRUNCULI)
        return is_latrunculi_valid(position);
    return position->game == OWN_SHAKTI ? is_shakti_valid(position) : is_xadrersi_valid(position);
}

const char *own_parse(const char *name, const char *text, struct own_position *position)
{
    static const struct {
        const char *name;
        enum own_game game;
    } NAMES[] = {{"clobber", OWN_CLOBBER},       {"xadrersi", OWN_TOUCH},
                 {"xadrersi:touch", OWN_TOUCH},  {"xadrersi:attack", OWN_ATTACK},
                 {"latrunculi", OWN_LATRUNCULI}, {"latrunculi:standard", OWN_LATRUNCULI},
                 {"shakti", OWN_SHAKTI},         {"shakti:standard", OWN_SHAKTI}};
    const char *variant = strncmp(name, "clobber:", 8) == 0 ? name + 8 : NULL;
    char again[OWN_TEXT_MAX];
    size_t i = 0;

    memset(position, 0, sizeof *position);
    while (variant == NULL && i < sizeof NAMES / sizeof NAMES[0] &&
           strcmp(NAMES[i].name, name) != 0)
        i++;
    if (i == sizeof NAMES / sizeof NAMES[0])
        return "there is no such game";
    position->game = NAMES[i].game;
    const char *end = parse_board(text, position);
    if (end != NULL && (position->game == OWN_TOUCH || position->game == OWN_ATTACK))
        end = parse_hand(end, position);
    if (end == NULL || !parse_fields(end, position) || !is_valid(position, variant))
        return "the position is not valid";
    own_format(position, again);
    return strcmp(again, text) == 0 ? NULL : "the position is not written as it has to be";
}
