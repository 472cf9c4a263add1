/* `ludus course`: a course of bots in a folder. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "client/course/course_actions.h"
#include "client/course/course_folder.h"
#include "subcommands.h"

const struct option_row course_rows[] = {
    HELP_ROW,
    {.name = NULL},
};

static const char help[] =
    N_("  init DIR [NAME]...\n"
       "                  makes the folder of a course with DIR/course.conf, which says in\n"
       "                  comments what to set in it, and with these students\n"
       "  run DIR         plays the nights that have not been played: starts a server, and\n"
       "                  the bots in their limits. After any end the same goes on from\n"
       "                  there; Ctrl-C ends it\n"
       "  add DIR NAME    adds a student, from the next night on\n"
       "  expel DIR NAME  takes a student out of the course that runs, for good\n"
       "  replay DIR      calls off the night that is played, and plays it again\n"
       "  pause DIR, resume DIR\n"
       "                  lets the matches of the course that runs end, and pairs nobody\n"
       "                  until it is resumed\n"
       "  submit DIR NAME FILE\n"
       "                  hands in a file or a folder for a student: starts their bot in its\n"
       "                  limits, checks it by ludus-bot check-bot, and keeps the old one if\n"
       "                  that fails\n"
       "  report DIR      writes DIR/report/ for any web server: the table, each night's\n"
       "                  cross table, the matches to step through, marks.csv, and a page\n"
       "                  for each student at an address of its own");

static bool run_init(char *words[], struct cause *cause)
{
    if (!course_init(words[0], words + 1, cause))
        return false;
    printf("%s/course.conf\n", words[0]);
    return true;
}

static bool run_nights(char *words[], struct cause *cause)
{
    return course_run(words[0], cause);
}

static bool run_add(char *words[], struct cause *cause)
{
    if (!course_add(words[0], words[1], cause))
        return false;
    printf("%s/bots/%s\n", words[0], words[1]);
    return true;
}

static bool run_expel(char *words[], struct cause *cause)
{
    return course_order(words[0], "expel", words[1], cause);
}

static bool run_replay(char *words[], struct cause *cause)
{
    return course_order(words[0], "replay", "", cause);
}

static bool run_pause(char *words[], struct cause *cause)
{
    return course_order(words[0], "pause", "", cause);
}

static bool run_resume(char *words[], struct cause *cause)
{
    return course_order(words[0], "resume", "", cause);
}

static bool run_report(char *words[], struct cause *cause)
{
    if (!course_report(words[0], cause))
        return false;
    printf("%s/report/index.html\n", words[0]);
    return true;
}

static bool run_submit(char *words[], struct cause *cause)
{
    return course_submit(words[0], words[1], words[2], cause);
}

static bool run_try(char *words[], struct cause *cause)
{
    return course_try(words[0], words[1], words[2], cause);
}

/* What can be done with a course. */
static const struct action {
    const char *word, *arguments;
    int words;   /* after it */
    bool more;   /* any number of further ones */
    bool hidden; /* this program calls itself for it */
    /* Does it with these words, the folder first, and a NULL. False with the cause. */
    bool (*run)(char *words[], struct cause *cause);
} actions[] = {
    {"init", "DIR [NAME]...", 1, true, false, run_init},
    {"run", "DIR", 1, false, false, run_nights},
    {"add", "DIR NAME", 2, false, false, run_add},
    {"expel", "DIR NAME", 2, false, false, run_expel},
    {"replay", "DIR", 1, false, false, run_replay},
    {"pause", "DIR", 1, false, false, run_pause},
    {"resume", "DIR", 1, false, false, run_resume},
    {"submit", "DIR NAME FILE", 3, false, false, run_submit},
    {"report", "DIR", 1, false, false, run_report},
    {"try", "DIR NAME HOST:PORT", 3, false, true, run_try},
    {.word = NULL},
};

/* Refuses a word that is no action: says which was meant, and which there are. */
static bool refuse_action(const char *word, int *status)
{
    char list[160] = "", text[MEANT_TEXT_MAX];
    struct meant_word meant;

    meant_begin(&meant, word);
    for (const struct action *action = actions; action->word != NULL && !action->hidden; action++) {
        meant_try(&meant, action->word);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 action == actions ? "" : ", ", action->word);
    }
    return args_refuse(status, "course: unknown action '%.40s'%s: it is one of %s", word,
                       meant_text(&meant, "", text), list);
}

int course_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = help, .least = 1, .most = -1};
    const struct action *action = actions;
    struct cause cause;
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    while (action->word != NULL && strcmp(action->word, line.words[0]) != 0)
        action++;
    if (action->word == NULL) {
        refuse_action(line.words[0], &status);
        return status;
    }
    if (line.word_count - 1 < action->words ||
        (line.word_count - 1 > action->words && !action->more)) {
        args_refuse(&status, "course %s: %s (ludus course %s %s)", action->word,
                    line.word_count - 1 < action->words ? _("arguments are missing")
                                                        : _("too many arguments"),
                    action->word, action->arguments);
        return status;
    }
    if (action->run(line.words + 1, &cause))
        return 0;
    fprintf(stderr, "ludus: course %s: %s\n", action->word, cause.text);
    return 1;
}
