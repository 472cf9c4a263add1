/*
 * Checks a proof by `ludus-bot solve --book`, with its own rules and a plain search: nothing here
 * is shared with the solver.
 *
 * usage: check_proof FILE FILES RANKS [SAMPLES [SEED]]
 *
 * FILE has positions of Clobber on a board of at most 40 squares, one a line, that are said to be
 * lost for the side to move. From the start of the board or after a first move, it must be one of
 * them. For each of them, every move must have a reply that leads to another one, or be won by a
 * position below the proof. Of those, it searches SAMPLES at random to the end (100; 0: all).
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES_MAX = 40, MOVES_MOST = 4 * SQUARES_MAX, TABLE_BITS = 24, LINE_BYTES = 256 };

static int width, height, squares;

/* A position as the side to move sees it. */
struct board {
    uint64_t own, other;
};

static void fail(const char *what)
{
    fprintf(stderr, "check_proof: %s\n", what);
    exit(1);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (memory == NULL)
        fail("not enough memory");
    return memory;
}

/* Lists the boards after all moves. Returns how many there are. */
static int moves_of(struct board board, struct board *after)
{
    static const int files[] = {1, -1, 0, 0}, ranks[] = {0, 0, 1, -1};
    int count = 0;

    for (int from = 0; from < squares; from++) {
        if (!(board.own >> from & 1))
            continue;
        for (int i = 0; i < 4; i++) {
            int file = from % width + files[i], rank = from / width + ranks[i];
            int to = rank * width + file;
            if (file < 0 || file >= width || rank < 0 || rank >= height || !(board.other >> to & 1))
                continue;
            uint64_t bit = (uint64_t)1 << to;
            after[count++] =
                (struct board){board.other ^ bit, board.own ^ (uint64_t)1 << from ^ bit};
        }
    }
    return count;
}

/* One of up to eight images as a number, unlike those of all other boards. */
static uint64_t number_of(struct board board, int image)
{
    uint64_t number = 0;

    for (int i = 0; i < squares; i++) {
        int file = image & 4 ? i / height : i % width, rank = image & 4 ? i % height : i / width;
        file = image & 1 ? width - 1 - file : file;
        rank = image & 2 ? height - 1 - rank : rank;
        int square = rank * width + file;
        number = 3 * number + (board.own >> square & 1) + 2 * (board.other >> square & 1);
    }
    return number;
}

static uint64_t least_number(struct board board)
{
    uint64_t least = UINT64_MAX;

    for (int image = 0; image < (width == height ? 8 : 4); image++) {
        uint64_t number = number_of(board, image);
        least = number < least ? number : least;
    }
    return least;
}

/* A sorted list without duplicates once sort() has run. */
struct list {
    struct board *boards;
    uint64_t *numbers;
    size_t count, capacity;
};

static void add(struct list *list, struct board board)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 1024 : 2 * list->capacity;
        struct board *boards = allocate(capacity, sizeof *boards);
        if (list->count > 0)
            memcpy(boards, list->boards, list->count * sizeof *boards);
        free(list->boards);
        list->boards = boards;
        list->capacity = capacity;
    }
    list->boards[list->count++] = board;
}

static int compare_boards(const void *a, const void *b)
{
    uint64_t left = least_number(*(const struct board *)a);
    uint64_t right = least_number(*(const struct board *)b);

    return (left > right) - (left < right);
}

static void sort(struct list *list)
{
    size_t kept = 0;

    qsort(list->boards, list->count, sizeof *list->boards, compare_boards);
    list->numbers = allocate(list->count, sizeof *list->numbers);
    for (size_t i = 0; i < list->count; i++) {
        uint64_t number = least_number(list->boards[i]);
        if (kept > 0 && list->numbers[kept - 1] == number)
            continue;
        list->boards[kept] = list->boards[i];
        list->numbers[kept++] = number;
    }
    list->count = kept;
}

static bool has(const struct list *list, struct board board)
{
    uint64_t number = least_number(board);
    size_t low = 0, high = list->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->numbers[middle] == number)
            return true;
        if (list->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Whether a move leads to a position of the list. */
static bool has_reply(const struct list *list, struct board board)
{
    struct board after[MOVES_MOST];

    for (int i = moves_of(board, after); i-- > 0;)
        if (has(list, after[i]))
            return true;
    return false;
}

/* The plain search, with a table of positions that were searched before. */
static struct {
    struct board board;
    bool known, wins;
} table[1 << TABLE_BITS];

static uint64_t nodes;

static bool wins(struct board board)
{
    struct board after[MOVES_MOST], reply[MOVES_MOST];
    int count = moves_of(board, after), replies[MOVES_MOST];
    uint64_t hash = (board.own * 0x9e3779b97f4a7c15u ^ board.other) * 0xd6e8feb86659fd93u;
    size_t slot = hash >> (64 - TABLE_BITS);
    bool won = false;

    nodes++;
    if (table[slot].known && table[slot].board.own == board.own &&
        table[slot].board.other == board.other)
        return table[slot].wins;
    for (int i = 0; i < count; i++)
        replies[i] = moves_of(after[i], reply);
    for (int tried = 0; tried < count && !won; tried++) {
        int least = 0;
        for (int i = 1; i < count; i++)
            if (replies[i] < replies[least])
                least = i;
        replies[least] = MOVES_MOST + 1;
        won = !wins(after[least]);
    }
    table[slot].board = board;
    table[slot].known = true;
    table[slot].wins = won;
    return won;
}

static struct board start_of(void)
{
    struct board board = {0, 0};

    for (int square = 0; square < squares; square++)
        if ((square % width + square / width) % 2 != 0) /* the first one is black */
            board.own |= (uint64_t)1 << square;
        else
            board.other |= (uint64_t)1 << square;
    return board;
}

/* Reads a position such as pP1/Pp1 w, the highest rank first. */
static struct board read_board(const char *line)
{
    uint64_t white = 0, black = 0;
    int rank = height - 1, file = 0;

    for (; *line != ' '; line++) {
        if (*line == '/' && file == width && rank > 0) {
            rank--;
            file = 0;
        } else if (*line >= '0' && *line <= '9') {
            int empty = (int)strtol(line, NULL, 10);
            file += empty;
            line += empty >= 10;
        } else if ((*line == 'P' || *line == 'p') && file < width) {
            *(*line == 'P' ? &white : &black) |= (uint64_t)1 << (rank * width + file++);
        } else {
            fail("a line is no position of this board");
        }
        if (file > width)
            fail("a rank is too long");
    }
    if (rank != 0 || file != width || (line[1] != 'w' && line[1] != 'b'))
        fail("a line is no position of this board");
    return line[1] == 'w' ? (struct board){white, black} : (struct board){black, white};
}

static void read_file(struct list *list, const char *path)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");

    if (file == NULL)
        fail("the file cannot be opened");
    while (fgets(line, sizeof line, file) != NULL)
        add(list, read_board(line));
    fclose(file);
    sort(list);
}

static void check_start(const struct list *lost)
{
    bool second = has(lost, start_of());

    if (!second && !has_reply(lost, start_of()))
        fail("neither the start nor a position after a first move is in the proof");
    printf("winner: %s\n", second ? "black" : "white");
}

/* Collects the positions without a reply in the proof. */
static void check_replies(const struct list *lost, struct list *below)
{
    struct board after[MOVES_MOST];
    size_t answered = 0;

    for (size_t i = 0; i < lost->count; i++)
        for (int j = moves_of(lost->boards[i], after); j-- > 0;)
            if (has_reply(lost, after[j]))
                answered++;
            else
                add(below, after[j]);
    sort(below);
    printf("positions: %zu\nmoves answered within the proof: %zu\npositions below: %zu\n",
           lost->count, answered, below->count);
}

static void check_samples(const struct list *below, size_t samples, uint64_t seed)
{
    bool all = samples == 0 || samples >= below->count;

    for (size_t i = 0; i < (all ? below->count : samples); i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (!wins(below->boards[all ? i : (seed >> 20) % below->count]))
            fail("a position below the proof is lost for the side that was to win");
    }
    printf("searched to the end: %zu, all won\nnodes: %" PRIu64 "\n", all ? below->count : samples,
           nodes);
}

int main(int argc, char **argv)
{
    struct list lost = {.count = 0}, below = {.count = 0};

    if (argc < 4 || argc > 6)
        fail("usage: check_proof FILE FILES RANKS [SAMPLES [SEED]]");
    width = (int)strtol(argv[2], NULL, 10);
    height = (int)strtol(argv[3], NULL, 10);
    squares = width * height;
    if (width < 1 || height < 1 || width > 12 || height > 12 || squares > SQUARES_MAX)
        fail("the board must have 1 to 40 squares");
    read_file(&lost, argv[1]);
    check_start(&lost);
    check_replies(&lost, &below);
    check_samples(&below, argc > 4 ? strtoul(argv[4], NULL, 10) : 100,
                  argc > 5 ? strtoull(argv[5], NULL, 10) : 1);
    return 0;
}
