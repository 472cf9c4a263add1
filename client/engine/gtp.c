#include "gtp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"

/* The ids of the commands whose answers matter. */
enum { ID_NAME = 1, ID_GREETED, ID_READY, ID_MOVE };

static bool choose(const struct profile *profile, struct setup *setup, char lines[SETUP_LINES_MAX],
                   struct cause *cause)
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
static void write_time(const struct budget *budget, enum color side, struct buffer *lines)
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

static bool write_start(const struct profile *profile, const struct setup *setup,
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

static bool ask(const struct dialect *dialect, const struct profile *profile,
                const struct setup *setup, const struct course *course, const struct budget *budget,
                struct buffer *lines, struct cause *cause)
{
    enum color side = course->start.side;
    char move[MOVE_TEXT_MAX];

    (void)dialect;
    if (!write_start(profile, setup, course, lines, cause))
        return false;
    for (int i = 0; i < course->count; i++, side = !side) {
        move_format(&course->start, course->moves[i], move);
        buffer_printf(lines, "\nplay %c %s", letter_of(side), move);
    }
    if (budget->nodes == 0)
        write_time(budget, side, lines);
    buffer_printf(lines, "\n%d genmove %c", ID_MOVE, letter_of(side));
    return true;
}

/* Writes the move without what may stand between its squares, in lower case. */
static const char *hear_move(const char *answer, char text[GTP_TEXT_MAX])
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
                            .choose = choose,
                            .ask = ask};

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
        return hear_move(line[0] == '=' ? answer : "?", text);
    else
        return id == 0 ? answer : ""; /* 0: the first command of list_commands */
    return text;
}
