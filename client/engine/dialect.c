#include "dialect.h"

#include <ctype.h>
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
    char text[POSITION_TEXT_MAX];
    course->game->format(&course->start, text);
    buffer_printf(lines, "position fen %s%s%s", text, dialect->fen_tail,
                  course->count > 0 ? " moves" : "");
    for (int i = 0; i < course->count; i++) {
        move_format(&course->start, course->moves[i], text);
        buffer_printf(lines, " %s", text);
    }
    if (budget->nodes > 0)
        buffer_printf(lines, "\ngo nodes %llu", (unsigned long long)budget->nodes);
    else if (!budget->clock)
        buffer_printf(lines, "\ngo movetime %lld", (long long)budget->movetime_ms);
    else
        buffer_printf(lines, "\ngo %s %lld %s %lld %s %lld %s %lld", words[0],
                      (long long)at_least_1(budget->left_ms[WHITE]), words[1],
                      (long long)at_least_1(budget->left_ms[BLACK]), words[2],
                      (long long)budget->increment_ms[WHITE], words[3],
                      (long long)budget->increment_ms[BLACK]);
    return true;
}

/* What follows these words (any case) at the start of `line`, or NULL. */
static const char *skip_words(const char *line, const char *words)
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
        if (skip_words(rest, value) != NULL)
            return true;
    }
    return false;
}

void profile_note(struct profile *profile, const char *line)
{
    const char *rest;

    if ((rest = skip_words(line, "id name")) != NULL)
        snprintf(profile->name, sizeof profile->name, "%s", rest + strspn(rest, " "));
    else if (skip_words(line, "option name Game type") != NULL)
        profile->offers_game = true;
    else if (skip_words(line, "option name VariantPath type") != NULL)
        profile->offers_variant_path = true;
    else if ((rest = skip_words(line, "option name UCI_Variant type")) != NULL) {
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

/* ---- GTP ---- */

/* The ids of the commands whose answers matter. */
enum { ID_NAME = 1, ID_GREETED, ID_READY, ID_MOVE };

static bool choose_gtp(const struct profile *profile, struct setup *setup,
                       char lines[SETUP_LINES_MAX], struct cause *cause)
{
    const struct position *start = &setup->start;

    (void)profile, (void)cause;
    if (start->width == start->height)
        snprintf(lines, SETUP_LINES_MAX, "boardsize %d", start->width);
    else
        snprintf(lines, SETUP_LINES_MAX, "boardsize %d %d", start->width, start->height);
    return true;
}

static char letter_of(enum color color)
{
    return color == WHITE ? 'w' : 'b';
}

static long long seconds_of(int64_t ms)
{
    return ms < 1000 ? 1 : ms / 1000;
}

/* Tells the time for a move, or the time left for all of them, in whole seconds. */
static void write_gtp_time(const struct budget *budget, enum color side, struct buffer *lines)
{
    if (!budget->clock) {
        long long seconds = seconds_of(budget->movetime_ms);
        buffer_printf(lines, "\ntime_settings 0 %lld 1\ntime_left %c %lld 1", seconds,
                      letter_of(side), seconds);
        return;
    }
    buffer_printf(lines, "\ntime_settings %lld 0 0", seconds_of(budget->left_ms[side]));
    for (enum color color = WHITE; color <= BLACK; color++)
        buffer_printf(lines, "\ntime_left %c %lld 0", letter_of(color),
                      seconds_of(budget->left_ms[color]));
}

static bool write_gtp_start(const struct profile *profile, const struct setup *setup,
                            const struct course *course, struct buffer *lines, struct cause *cause)
{
    char position[POSITION_TEXT_MAX];

    buffer_printf(lines, "clear_board");
    if (memcmp(&course->start, &setup->start, sizeof course->start) == 0)
        return true;
    if (!profile->offers_position)
        return cause_set(cause, "the engine has no command ludus-position");
    course->game->format(&course->start, position);
    buffer_printf(lines, "\nludus-position %s", position);
    return true;
}

static bool ask_gtp(const struct dialect *dialect, const struct profile *profile,
                    const struct setup *setup, const struct course *course,
                    const struct budget *budget, struct buffer *lines, struct cause *cause)
{
    enum color side = course->start.side;
    char move[MOVE_TEXT_MAX];

    (void)dialect;
    if (!write_gtp_start(profile, setup, course, lines, cause))
        return false;
    for (int i = 0; i < course->count; i++, side = !side) {
        move_format(&course->start, course->moves[i], move);
        buffer_printf(lines, "\nplay %c %s", letter_of(side), move);
    }
    if (budget->nodes == 0)
        write_gtp_time(budget, side, lines);
    buffer_printf(lines, "\n%d genmove %c", ID_MOVE, letter_of(side));
    return true;
}

/* Writes the move without what may stand between its squares, in lower case. */
static const char *translate_move(const char *answer, char text[GTP_TEXT_MAX])
{
    int length = snprintf(text, GTP_TEXT_MAX, "bestmove ");

    for (; *answer != '\0' && length < GTP_TEXT_MAX - 1; answer++)
        if (*answer != ' ' && *answer != '-')
            text[length++] = (char)tolower((unsigned char)*answer);
    text[length] = '\0';
    return text;
}

const struct dialect gtp = {.name = "gtp",
                            .greeting = "list_commands\n1 name\n2 protocol_version",
                            .greeted = "gtpok",
                            .ready = "3 protocol_version",
                            .newgame = "clear_board",
                            .option_words = {"", " "},
                            .choose = choose_gtp,
                            .ask = ask_gtp};

const char *gtp_hear(const char *line, char text[GTP_TEXT_MAX])
{
    char *answer;

    if (line[0] != '=' && line[0] != '?')
        return line;
    long id = strtol(line + 1, &answer, 10);
    answer += strspn(answer, " \t");
    if (id == ID_NAME)
        snprintf(text, GTP_TEXT_MAX, "id name %.200s", answer);
    else if (id == ID_GREETED)
        return gtp.greeted;
    else if (id == ID_READY)
        return "readyok";
    else if (id == ID_MOVE)
        return translate_move(line[0] == '=' ? answer : "?", text);
    else
        return id == 0 ? answer : ""; /* 0: the first command of list_commands */
    return text;
}

/* ---- All ---- */

const struct dialect *const all_dialects[] = {&ugi, &uci, &gtp, NULL};

const struct dialect *dialect_find(const char *name)
{
    for (const struct dialect *const *dialect = all_dialects; *dialect != NULL; dialect++)
        if (strcasecmp(name, (*dialect)->name) == 0)
            return *dialect;
    return NULL;
}
