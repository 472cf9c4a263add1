#include <stdio.h>
#include <string.h>

#include "args.h"
#include "client/link/json_read.h"
#include "client/play/play.h"
#include "script.h"
#include "subcommands.h"

enum { WHITE_SEAT = SCRIPT_OWN, BLACK_SEAT, CLOCK, POSITION, PRIVATE };
enum { PLY = SCRIPT_OWN };
enum { LINE_MAX_BYTES = 1024 };

const struct usage_row new_rows[] = {
    SCRIPT_SERVER_ROWS,
    SCRIPT_NAME_ROW,
    {OPTION("white", "SEAT",
            "who plays white: me, open (anyone who joins), bot:LEVEL or a\nplayer's NAME"),
     .code = WHITE_SEAT},
    {OPTION("black", "SEAT", "who plays black; a seat not given is yours, or else open"),
     .code = BLACK_SEAT},
    {OPTION("clock", "BASE+INC", "play with clocks: BASE seconds a side, INC more a move"),
     .code = CLOCK},
    {OPTION("position", "POSITION", "start from this position"), .code = POSITION},
    {OPTION("private", NULL, "hide the match from lists; its id cannot be guessed"),
     .code = PRIVATE},
    SCRIPT_JSON_ROW,
    SCRIPT_HELP_ROW,
    {.name = NULL},
};

const struct usage_row move_rows[] = {
    SCRIPT_SERVER_ROWS,
    SCRIPT_NAME_ROW,
    {OPTION("ply", "N", "play only if exactly N moves have been played"), .code = PLY},
    SCRIPT_JSON_ROW,
    SCRIPT_HELP_ROW,
    {.name = NULL},
};

const struct usage_row say_rows[] = {
    SCRIPT_SERVER_ROWS, SCRIPT_GUEST_ROW, SCRIPT_JSON_ROW, SCRIPT_HELP_ROW, {.name = NULL},
};

/* Prints the whole reply with --json, else its member, if one is named. */
static void finish(struct script *script, cJSON *reply, const char *member)
{
    if (reply != NULL && script->values[SCRIPT_JSON] != NULL)
        script_print_json(reply);
    else if (reply != NULL && member != NULL)
        puts(json_text_or(reply, member, "-"));
    cJSON_Delete(reply);
}

int new_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script;
    char line[NEW_LINE_MAX];
    int status;

    if (!script_read(
            &script, command, argc, argv, 1, 1,
            "Opens a match and prints its id. The match goes on after the program has ended:\n"
            "`ludus move` plays in it, `ludus --name NAME` shows it.",
            &status))
        return status;
    if (script_begin(&script, true)) {
        play_write_new(&(struct new_match){.game = script.words[0],
                                           .white = script.values[WHITE_SEAT],
                                           .black = script.values[BLACK_SEAT],
                                           .clock = script.values[CLOCK],
                                           .position = script.values[POSITION],
                                           .hidden = script.values[PRIVATE] != NULL},
                       line);
        finish(&script, script_ask(&script, "%s", line), "match");
    }
    return script_end(&script);
}

int move_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script;
    int status;

    if (!script_read(&script, command, argc, argv, 2, 2,
                     "Plays a move in one of your matches. Prints nothing on success.", &status))
        return status;
    if (script_begin(&script, true)) {
        const char *ply = script.values[PLY];
        finish(&script,
               script_ask(&script, "move %s %s%s%s", script.words[0], script.words[1],
                          ply != NULL ? " ply=" : "", ply != NULL ? ply : ""),
               NULL);
    }
    return script_end(&script);
}

/* Joins the words with single spaces; the shell has not kept the original ones. */
static void join_words(char *const *words, int count, char text[LINE_MAX_BYTES])
{
    size_t used = 0;

    for (int i = 0; i < count && used < LINE_MAX_BYTES; i++)
        used += (size_t)snprintf(text + used, LINE_MAX_BYTES - used, "%s%s", i > 0 ? " " : "",
                                 words[i]);
}

/* Only players and watchers may talk, so the program watches first. */
static void say(struct script *script)
{
    char text[LINE_MAX_BYTES];
    cJSON *reply = script_ask(script, "watch %s", script->words[0]);

    if (reply == NULL)
        return;
    join_words(script->words + 1, script->word_count - 1, text);
    finish(script, script_ask(script, "say %s %s", json_text_or(reply, "match", ""), text), NULL);
    cJSON_Delete(reply);
}

int say_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script;
    int status;

    if (!script_read(
            &script, command, argc, argv, 2, -1,
            "Sends a line of chat to all who play or watch a match. Write -- before a TEXT\n"
            "with words that begin with a dash.",
            &status))
        return status;
    if (script_begin(&script, false))
        say(&script);
    return script_end(&script);
}
