/*
 * How the bot of a student is started: the words of its command and its environment.
 */
#ifndef LUDUS_BOT_COMMAND_H
#define LUDUS_BOT_COMMAND_H

#include "client/course/course_folder.h"

enum { BOT_WORDS_MAX = 96, BOT_VARIABLES = 12, BOT_VARIABLE_MAX = 256 };

/* Where it plays. Texts are borrowed, and "" where there is none. */
struct bot_place {
    const char *host;
    int port;
    const char *token, *tournament;
    const char *home; /* where it may write */
};

struct bot_command {
    char *words[BOT_WORDS_MAX]; /* ended by a NULL */
    char *environment[BOT_VARIABLES + 1];
    char variables[BOT_VARIABLES][BOT_VARIABLE_MAX];
    char bridge[PATH_MAX]; /* the program that seats an engine */
    char *text;            /* owned: what words point into */
};

/* Puts it together: {host}, {port}, {name}, {token} and {tournament} in the command stand for what
 * the environment tells, too. An engine is started by the bridge. False with the cause if the
 * command cannot be split into words. Either way bot_command_release() must follow. */
bool bot_command_make(struct bot_command *command, const struct course_folder *course,
                      const struct course_bot *bot, const struct bot_place *place,
                      struct cause *cause);
void bot_command_release(struct bot_command *command);

#endif
