/*
 * The main() of the targets in `make test`: runs a target on every file of its corpus, without
 * libFuzzer. usage: fuzz_NAME [FILE|DIRECTORY]...; the default is tests/fuzz/corpus/NAME. It stops
 * at the first input that fails, and names it. fuzz_NAME --random COUNT [SEED] runs made-up inputs,
 * where the target makes some; an input that fails is made again by --random 1 and its number.
 */
#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"
#include "fuzz.h"

enum { RANDOM_BYTES = 1 << 16 };

static const char *program;
static char current[1024]; /* the name of the current input */
static int passed;

/* Prints the last line as tests/support/check.h does. Here a failure ends the program. */
static void print_end(int failed)
{
    printf("%s: %d passed, %d failed\n", program, passed, failed);
    fflush(stdout);
}

void fuzz_fail(const char *file, int line, const char *format, ...)
{
    va_list args;

    printf("%s: %s:%d: ", current, file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    print_end(1);
    _exit(1);
}

/* The sanitizers call it before they end the program. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void name_current(void)
{
    if (current[0] != '\0')
        printf("%s: the sanitizers have found something\n", current);
    print_end(1);
}

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat status;

    snprintf(current, sizeof current, "%s", path);
    if (file == NULL || fstat(fileno(file), &status) != 0)
        fuzz_fail(__FILE__, __LINE__, "cannot be read");
    /* Exactly as long as the input, so that the sanitizers see reads beyond it. */
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (data == NULL || fread(data, 1, size, file) != size)
        fuzz_fail(__FILE__, __LINE__, "cannot be read");
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    fclose(file);
    passed++;
    current[0] = '\0';
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void run_path(const char *path)
{
    struct dirent **entries;
    struct stat status;
    char name[1024];

    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        run_file(path);
        return;
    }
    int count = scandir(path, &entries, is_input, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        run_file(name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

size_t fuzz_make_input(unsigned seed, uint8_t *data, size_t size) __attribute__((weak));

/* Runs this number of made-up inputs. */
static int run_random(const char *count, const char *seed)
{
    long inputs, first;

    if (fuzz_make_input == NULL || !number_parse(count, strlen(count), 1, INT_MAX, &inputs) ||
        !number_parse(seed, strlen(seed), 0, INT_MAX - inputs, &first)) {
        fprintf(stderr, "usage: %s --random COUNT [SEED], of a target that makes inputs\n",
                program);
        return 2;
    }
    for (long i = first; i < first + inputs; i++) {
        uint8_t *data = malloc(RANDOM_BYTES);
        if (data == NULL)
            abort();
        snprintf(current, sizeof current, "random input %ld", i);
        LLVMFuzzerTestOneInput(data, fuzz_make_input((unsigned)i, data, RANDOM_BYTES));
        free(data);
        passed++;
    }
    current[0] = '\0';
    print_end(0);
    return 0;
}

int main(int argc, char *argv[])
{
    char corpus[1024];

    program = basename(argv[0]);
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(name_current);
    if (argc > 2 && strcmp(argv[1], "--random") == 0)
        return run_random(argv[2], argc > 3 ? argv[3] : "1");
    snprintf(corpus, sizeof corpus, "tests/fuzz/corpus/%s", program + strlen("fuzz_"));
    for (int i = 1; i < argc; i++)
        run_path(argv[i]);
    if (argc == 1)
        run_path(corpus);
    print_end(0);
    return passed == 0;
}
