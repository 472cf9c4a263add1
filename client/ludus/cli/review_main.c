/* `ludus review`: what bots think of each move of a match. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "client/ludus/screen/full.h"
#include "client/ludus/talk/match_review.h"
#include "client/ludus/talk/record.h"
#include "common/pgn.h"
#include "script.h"
#include "subcommands.h"

enum { MOVETIME_MAX_MS = 600000 };

const struct option_row review_file_rows[] = {
    CONNECT_ROW,
    TLS_ROW,
    CODE_ROW,
    {OPTION("name", "NAME",
            "your name there, for your private matches; without it you\nare a guest"),
     TO_WORD(options, name)},
    {OPTION("movetime", "MS",
            "time for each position in milliseconds; without it, the\n"
            "review of a match is the same everywhere"),
     TO_NUMBER(options, movetime_ms, 1, MOVETIME_MAX_MS)},
    {OPTION("json", NULL, "print JSON, one object a match"), TO_FLAG(options, json)},
    {OPTION("pgn", NULL, "print PGN with values, marks and better moves"), TO_FLAG(options, pgn)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char help[] =
    N_("Shows where a match was lost: who stood better after each move, the moves that cost\n"
       "most (? and \?\?), and what would have been better. In Clobber the solver proves which\n"
       "move was the last that let a win go.\n"
       "\n"
       "At a terminal it is shown in full screen; with --line, from or into a pipe, as text.\n"
       "FILE is PGN, which `ludus record MATCH --pgn` writes, - standard input. Where there is no\n"
       "such file, MATCH is a match at the server.");

static void print_review(const struct options *options, const struct pgn_match *match,
                         const struct reviewed *plies)
{
    struct buffer text = {.length = 0};
    char *pgn = options->pgn ? review_pgn(match, plies) : NULL;

    if (options->json)
        review_json(match, plies, &text);
    else if (pgn != NULL)
        buffer_puts(&text, pgn);
    else
        review_words(match, plies, &text);
    fwrite(text.bytes, 1, text.length, stdout);
    buffer_release(&text);
    free(pgn);
}

/* Waits for the end of the review; shows how far it is to a person. */
static bool await_review(struct reviewer *reviewer)
{
    bool shows = isatty(STDERR_FILENO);
    bool going = true;

    while (going) {
        struct pollfd entry = {.fd = reviewer->engine->out, .events = POLLIN};
        poll(&entry, 1, -1);
        going = reviewer_read(reviewer);
        if (!shows)
            continue;
        fputs("\r", stderr);
        fprintf(stderr, _("%d of %d positions "), reviewer->deep, reviewer->count);
    }
    if (shows)
        fprintf(stderr, "\r%40s\r", "");
    return reviewer->done;
}

static bool is_file(const char *word)
{
    return strpbrk(word, "/.") != NULL || strcmp(word, "-") == 0 || access(word, F_OK) == 0;
}

/* Asks the server for the review of its match, where the bot is missing here. */
static bool ask_server(struct script *script, struct reviewer *reviewer)
{
    bool done = script_begin(script, SCRIPT_AS_GIVEN) &&
                review_give_by_server(&script->client, script->line.words[0], reviewer);

    script_end(script);
    return done;
}

/* Reviews one match that keeps to the rules. False after an error was reported. */
static bool review_match(struct script *script, const struct pgn_match *match)
{
    const struct options *options = &script->line.options;
    struct reviewer reviewer = {.count = 0};

    bool done =
        reviewer_start(&reviewer, match, (int)options->movetime_ms) && await_review(&reviewer);
    if (reviewer.missing && !is_file(script->line.words[0]))
        done = ask_server(script, &reviewer);
    if (done)
        print_review(options, match, reviewer.plies);
    else
        fprintf(stderr, "ludus: review: %s\n", reviewer.cause.text);
    reviewer_release(&reviewer);
    return done;
}

/* Reviews all matches, and names those that are wrong. */
static int review_all(struct script *script, const struct pgn_file *file)
{
    const struct options *options = &script->line.options;
    bool done = true;
    int good = 0, wrong = 0;

    for (int i = 0; i < file->count && done && !ferror(stdout); i++) { /* main() reports that */
        const struct pgn_match *match = &file->matches[i];
        struct cause cause;
        if (!pgn_check(match, &cause)) {
            fprintf(stderr, "ludus: match %s (line %d): %s\n",
                    match->match != NULL ? match->match : "?", match->line, cause.text);
            wrong++;
            continue;
        }
        if (good++ > 0 && !options->json)
            putchar('\n');
        done = review_match(script, match);
        fflush(stdout);
    }
    return done && wrong == 0 ? 0 : 1;
}

/* Reviews in full screen. Returns false if the terminal is not suitable, or somebody wants text. */
static bool show_all(const struct options *options, const char *word, const struct pgn_file *file)
{
    struct client client;
    bool shown = true;

    /* Nobody can type where the file itself comes from standard input. */
    if (options->json || options->pgn || options->line || strcmp(word, "-") == 0 ||
        !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return false;
    client_open(&client, NULL, "", NULL, NULL);
    for (int i = 0; i < file->count && shown && !client.quit; i++)
        shown = pgn_check(&file->matches[i], &(struct cause){.text = ""}) &&
                full_review(&client, &file->matches[i], (int)options->movetime_ms);
    client_close(&client);
    return shown;
}

/* Asks the server for the match. False after an error was reported. */
static bool fetch_match(struct script *script, struct pgn_file *file)
{
    struct cause cause;
    cJSON *reply = script_begin(script, SCRIPT_AS_GIVEN)
                       ? script_ask(script, "record %s", script->line.words[0])
                       : NULL;
    bool read = reply != NULL && record_read_reply(reply, file, &cause);

    if (reply != NULL && !read)
        client_fail(&script->client, "%s: %s", script->what, cause.text);
    cJSON_Delete(reply);
    script_end(script);
    return read;
}

int review_file_main(const struct usage_command *command, int argc, char *argv[])
{
    struct script script = {.line = {.command = command, .text = help, .least = 1, .most = 1}};
    const struct options *options = &script.line.options;
    struct pgn_file file;
    struct cause cause;
    int status;

    if (!args_read_line(&script.line, argc, argv, &status))
        return status;
    if (options->json && options->pgn) {
        args_refuse(&status, "--json, --pgn: only one of them");
        return status;
    }
    if (is_file(script.line.words[0])) {
        if (!record_read_file(script.line.words[0], &file, &cause)) {
            fprintf(stderr, "ludus: %s: %s\n", script.line.words[0], cause.text);
            return 1;
        }
    } else if (!fetch_match(&script, &file)) {
        return 1;
    }
    status = show_all(options, script.line.words[0], &file) ? 0 : review_all(&script, &file);
    pgn_release(&file);
    return status;
}
