/*
 * Proves puzzles once more, by the rules alone (tests/support/puzzle_proof.h), and prints how many
 * there are, how hard they are, and what the proofs took.
 *
 *     check_puzzles            those that the programs have, every one
 *     check_puzzles FILE...    the lines that `ludus-bot puzzles` has printed
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/move.h"
#include "tests/support/puzzle_proof.h"

enum { LINE_BYTES = 8192 };

struct tally {
    int count, wrong, plies[100];
    long least_nodes, most_nodes;
    uint64_t nodes;
    double seconds, longest;
};

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void check_line(struct tally *tally, const char *where, int number, const char *line)
{
    struct puzzle puzzle;
    struct cause cause;
    double start = now_s();

    bool good = puzzle_read(line, &puzzle, &cause) && puzzle_prove(&puzzle, &tally->nodes, &cause);
    double seconds = now_s() - start;
    tally->count++;
    tally->wrong += !good;
    tally->seconds += seconds;
    tally->longest = seconds > tally->longest ? seconds : tally->longest;
    if (!good) {
        printf("%s, puzzle %d: %s\n", where, number, cause.text);
        return;
    }
    tally->plies[puzzle.plies]++;
    if (tally->least_nodes == 0 || puzzle.nodes < tally->least_nodes)
        tally->least_nodes = puzzle.nodes;
    if (puzzle.nodes > tally->most_nodes)
        tally->most_nodes = puzzle.nodes;
}

static void print_tally(const struct tally *tally, const char *where)
{
    printf("%s: %d puzzles, %d wrong;", where, tally->count, tally->wrong);
    for (int i = 0; i < 100; i++)
        if (tally->plies[i] > 0)
            printf(" %d of %d plies,", tally->plies[i], i);
    printf(" made with %ld to %ld nodes; proved with %.1f million positions in %.1f s, the longest"
           " in %.2f s\n",
           tally->least_nodes, tally->most_nodes, (double)tally->nodes / 1e6, tally->seconds,
           tally->longest);
    fflush(stdout);
}

static int check_file(const char *path)
{
    struct tally tally = {.count = 0};
    char line[LINE_BYTES];
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        perror(path);
        return 1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        check_line(&tally, path, tally.count + 1, line);
    }
    fclose(file);
    print_tally(&tally, path);
    return tally.wrong;
}

int main(int argc, char **argv)
{
    int wrong = 0;

    for (int i = 1; i < argc; i++)
        wrong += check_file(argv[i]);
    for (const struct packed_file *file = puzzle_files; argc == 1 && file->name != NULL; file++) {
        struct tally tally = {.count = 0};
        for (int i = 0; i < file->count; i++)
            check_line(&tally, file->name, i + 1, file->lines[i]);
        print_tally(&tally, file->name);
        wrong += tally.wrong;
    }
    return wrong > 0;
}
