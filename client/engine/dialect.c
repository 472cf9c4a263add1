#include "dialect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/move.h"

const char *dialect_guess(const char *line)
{
    if (line[0] == '?')
        return "it speaks GTP: give --protocol gtp";
    if (strncmp(line, "Error (", 7) == 0 || strncmp(line, "Illegal move", 12) == 0 ||
        strncmp(line, "feature ", 8) == 0)
        return "it speaks XBoard's protocol: only UGI, UCI and GTP are known";
    return NULL;
}

static void write_position(const struct dialect *dialect, const struct course *course,
                           struct buffer *lines)
{
    char text[POSITION_TEXT_MAX];

    course->game->format(&course->start, text);
    buffer_printf(lines, "position fen %s%s%s", text, dialect->fen_tail,
                  course->count > 0 ? " moves" : "");
    for (int i = 0; i < course->count; i++) {
        move_format(&course->start, course->moves[i], text);
        buffer_printf(lines, " %s", text);
    }
}

static int64_t at_least_1(int64_t ms)
{
    return ms > 1 ? ms : 1;
}

static bool ask_ugi(const struct dialect *dialect, const struct profile *profile,
                    const struct setup *setup, const struct course *course,
                    const struct budget *budget, struct buffer *lines, struct cause *cause)
{
    const char *const *words = dialect->clock_words;

    (void)profile, (void)setup, (void)cause;
    write_position(dialect, course, lines);
    if (budget->nodes > 0)
        buffer_printf(lines, "\ngo nodes %llu", (unsigned long long)budget->nodes);
    else if (!budget->clock)
        buffer_printf(lines, "\ngo movetime %lld", (long long)budget->movetime_ms);
    else
        buffer_printf(lines, "\ngo %s %lld %s %lld %s %lld %s %lld", words[0],
                      (long long)at_least_1(budget->left_ms[WHITE]), words[1],
                      (long long)at_least_1(budget->left_ms[BLACK]), words[2],
                      (long long)budget->increment_ms, words[3], (long long)budget->increment_ms);
    return true;
}

/* What follows these words (any case) at the start of `line`, or NULL. */
static const char *after(const char *line, const char *words)
{
    size_t length = strlen(words);

    if (strncasecmp(line, words, length) != 0 || (line[length] != ' ' && line[length] != '\0'))
        return NULL;
    return line + length;
}

/* Whether a combo option has this value. */
static bool has_value(const char *rest, const char *value)
{
    while ((rest = strstr(rest, " var ")) != NULL) {
        rest += strlen(" var ");
        if (after(rest, value) != NULL)
            return true;
    }
    return false;
}

void profile_note(struct profile *profile, const char *line)
{
    const char *rest;

    if ((rest = after(line, "id name")) != NULL)
        snprintf(profile->name, sizeof profile->name, "%s", rest + strspn(rest, " "));
    else if (after(line, "option name Game type") != NULL)
        profile->offers_game = true;
    else if (after(line, "option name VariantPath type") != NULL)
        profile->offers_variant_path = true;
    else if ((rest = after(line, "option name UCI_Variant type")) != NULL) {
        profile->offers_variants = true;
        profile->offers_clobber = has_value(rest, "clobber");
    } else if (strcmp(line, "ludus-position") == 0)
        profile->offers_position = true;
}

static bool is_standard_size(const struct position *start)
{
    return start->width == 5 && start->height == 6;
}

static bool takes_variant_file(const struct profile *profile)
{
    return profile->offers_variant_path && strstr(profile->name, "Fairy-Stockfish") != NULL;
}

bool dialect_can_play(const struct dialect *dialect, const struct profile *profile,
                      const struct game *game, const struct position *start, struct cause *cause)
{
    if (dialect == &ugi)
        return true;
    if (game != &clobber)
        return cause_set(cause, "%s: UCI and GTP engines play Clobber only", game->name);
    if (profile->offers_variants && !profile->offers_clobber)
        return cause_set(cause, "the engine's UCI_Variant has no value clobber");
    if (profile->offers_variants && !takes_variant_file(profile) && !is_standard_size(start))
        return cause_set(cause, "the engine plays Clobber on 5x6 only");
    return true;
}

/* Creates a temporary file and puts its path into *setup. */
static FILE *open_ini(struct setup *setup)
{
    const char *folder = getenv("TMPDIR");
    char path[INI_PATH_MAX];

    int length = snprintf(path, sizeof path, "%s/ludus-bridge-XXXXXX",
                          folder != NULL && folder[0] == '/' ? folder : "/tmp");
    if (length >= INI_PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return NULL;
    memcpy(setup->ini_path, path, sizeof path);
    return fdopen(fd, "w");
}

/* Describes the board to Fairy-Stockfish as a variant of its clobber. */
static bool write_ini(struct setup *setup, const char *variant, struct cause *cause)
{
    char position[POSITION_TEXT_MAX];
    FILE *file = open_ini(setup);

    if (file == NULL)
        return cause_set(cause, "no temporary file: %s", strerror(errno));
    setup->game->format(&setup->start, position);
    fprintf(file, "[%s:clobber]\nmaxFile = %d\nmaxRank = %d\nstartFen = %s%s\n", variant,
            setup->start.width, setup->start.height, position, uci.fen_tail);
    if (fclose(file) != 0)
        return cause_set(cause, "%.100s: %s", setup->ini_path, strerror(errno));
    return true;
}

/* Fairy-Stockfish confirms a variant by a line, and ignores a board larger than it was built for.
 */
static bool choose_by_variant(const struct profile *profile, struct setup *setup,
                              char lines[SETUP_LINES_MAX], struct cause *cause)
{
    int width = setup->start.width, height = setup->start.height, length = 0;
    char variant[32] = "clobber";

    if (!is_standard_size(&setup->start)) {
        snprintf(variant, sizeof variant, "ludus-clobber-%dx%d", width, height);
        if (!write_ini(setup, variant, cause))
            return false;
        length = snprintf(lines, SETUP_LINES_MAX, "setoption name VariantPath value %s\n",
                          setup->ini_path);
    }
    snprintf(lines + length, SETUP_LINES_MAX - (size_t)length,
             "setoption name UCI_Variant value %s", variant);
    setup->awaits_confirmation = takes_variant_file(profile);
    snprintf(setup->confirmation, sizeof setup->confirmation,
             "info string variant %s files %d ranks %d ", variant, width, height);
    return true;
}

static bool choose_uci(const struct profile *profile, struct setup *setup,
                       char lines[SETUP_LINES_MAX], struct cause *cause)
{
    lines[0] = '\0';
    return !profile->offers_variants || choose_by_variant(profile, setup, lines, cause);
}

static bool choose_ugi(const struct profile *profile, struct setup *setup,
                       char lines[SETUP_LINES_MAX], struct cause *cause)
{
    char variant[VARIANT_NAME_MAX];

    (void)cause;
    lines[0] = '\0';
    setup->game->variant_name(&setup->start, variant);
    if (profile->offers_game)
        snprintf(lines, SETUP_LINES_MAX, "setoption name Game value %s:%s", setup->game->name,
                 variant);
    return true;
}

void setup_release(struct setup *setup)
{
    if (setup->ini_path[0] != '\0')
        unlink(setup->ini_path);
    setup->ini_path[0] = '\0';
}

const struct dialect ugi = {.name = "ugi",
                            .greeting = "ugi",
                            .greeted = "ugiok",
                            .ready = "isready",
                            .newgame = "uginewgame",
                            .stop = "stop",
                            .option_words = {"setoption name ", " value "},
                            .clock_words = {"p1time", "p2time", "p1inc", "p2inc"},
                            .fen_tail = "",
                            .choose = choose_ugi,
                            .ask = ask_ugi};

/* The fields of chess after the placement and the side: castling, en passant, halfmove clock and
 * move number. */
const struct dialect uci = {.name = "uci",
                            .greeting = "uci",
                            .greeted = "uciok",
                            .ready = "isready",
                            .newgame = "ucinewgame",
                            .stop = "stop",
                            .option_words = {"setoption name ", " value "},
                            .clock_words = {"wtime", "btime", "winc", "binc"},
                            .fen_tail = " - - 0 1",
                            .choose = choose_uci,
                            .ask = ask_ugi};
