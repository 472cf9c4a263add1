#include "stepper.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/model/record.h"
#include "client/term/match_draw.h"
#include "common/number.h"

struct stepper {
    struct client *client;
    const struct pgn_file *file;
    int index; /* of the match */
    int ply;
};

static const struct pgn_match *match_of(const struct stepper *stepper)
{
    return &stepper->file->matches[stepper->index];
}

static void read_board(const struct game *game, const struct position *position,
                       struct match_state *view)
{
    struct board board;

    game->board(position, &board);
    view->height = board.height;
    for (int i = 0; i < board.height; i++) {
        const char *rank = board.cell + (size_t)(board.height - 1 - i) * (size_t)board.width;
        memcpy(view->rows[i], rank, (size_t)board.width);
    }
}

static void name_seat(struct match_seat *seat, const char *name, int rating)
{
    seat->online = true;
    if (rating > 0)
        snprintf(seat->name, sizeof seat->name, "%.24s (%d)", name != NULL ? name : "?", rating);
    else
        snprintf(seat->name, sizeof seat->name, "%.24s", name != NULL ? name : "?");
}

/* The last ply also shows the result, where there is one. */
static void read_outcome(const struct pgn_match *match, int ply, struct match_state *view)
{
    struct outcome outcome = match->outcome;
    const char *reason = reason_text(outcome.reason);
    bool ended = outcome.result != RESULT_NONE || outcome.reason != REASON_NONE;

    view->status = ended && ply == match->plies ? STATE_OVER : STATE_PLAYING;
    snprintf(view->result, sizeof view->result, "%s", result_text(outcome.result));
    snprintf(view->reason, sizeof view->reason, "%s", reason != NULL ? reason : "unknown");
}

/* Builds the state that a server would send at this ply. */
static void make_view(const struct stepper *stepper, struct match_state *view)
{
    const struct pgn_match *match = match_of(stepper);
    struct position position = record_position(match, stepper->ply);
    const struct game *game = match->game;

    *view =
        (struct match_state){.known = true, .ply = stepper->ply, .turn = (enum color)position.side};
    snprintf(view->match, sizeof view->match, "%s", match->match != NULL ? match->match : "?");
    snprintf(view->game, sizeof view->game, "%s", game->name);
    game->variant_name(&position, view->variant);
    game->format(&position, view->position);
    read_board(game, &position, view);
    if (stepper->ply > 0)
        memcpy(view->last, match->moves[stepper->ply - 1].text, sizeof view->last);
    name_seat(&view->seats[WHITE], match->white, match->ratings[WHITE]);
    name_seat(&view->seats[BLACK], match->black, match->ratings[BLACK]);
    view->has_score = game->score != NULL;
    if (view->has_score)
        game->score(&position, view->score);
    view->check = game->check != NULL && game->check(&position);
    read_outcome(match, stepper->ply, view);
}

static void show(struct stepper *stepper)
{
    struct match_state view;

    make_view(stepper, &view);
    draw_match(&stepper->client->console, &view, stepper->client->turned, 0);
}

static void say(struct stepper *stepper, const char *text)
{
    console_say(&stepper->client->console, "%s", text);
}

static void go_to_ply(struct stepper *stepper, int ply)
{
    stepper->ply = ply;
    show(stepper);
}

static void run_next(struct stepper *stepper, const char *rest)
{
    bool last = stepper->index + 1 == stepper->file->count;

    (void)rest;
    if (stepper->ply < match_of(stepper)->plies)
        go_to_ply(stepper, stepper->ply + 1);
    else
        say(stepper, last ? "That was the last move; q ends the program."
                          : "That was the last move; m shows the next match.");
}

static void run_back(struct stepper *stepper, const char *rest)
{
    (void)rest;
    if (stepper->ply > 0)
        go_to_ply(stepper, stepper->ply - 1);
    else
        say(stepper, "This is the start.");
}

static void run_end(struct stepper *stepper, const char *rest)
{
    (void)rest;
    go_to_ply(stepper, match_of(stepper)->plies);
}

static void run_flip(struct stepper *stepper, const char *rest)
{
    (void)rest;
    stepper->client->turned = !stepper->client->turned;
    show(stepper);
}

static void run_match(struct stepper *stepper, const char *rest)
{
    long number = stepper->index + 2;

    if ((rest[0] != '\0' && !number_parse(rest, strlen(rest), 1, stepper->file->count, &number)) ||
        number > stepper->file->count) {
        console_say(&stepper->client->console, "The file has %d match%s.", stepper->file->count,
                    stepper->file->count == 1 ? "" : "es");
        return;
    }
    stepper->index = (int)number - 1;
    go_to_ply(stepper, 0);
}

static void run_quit(struct stepper *stepper, const char *rest)
{
    (void)rest;
    stepper->client->quit = true;
}

static void run_help(struct stepper *stepper, const char *rest)
{
    (void)rest;
    say(stepper, "  Enter, n      the next move\n"
                 "  b, p          back\n"
                 "  NUMBER        to that ply, 0 is the start\n"
                 "  e             to the end\n"
                 "  f             turn the board\n"
                 "  m [NUMBER]    the next match of the file, or that one\n"
                 "  q             quit");
}

static const struct {
    const char *key, *word;
    void (*run)(struct stepper *stepper, const char *rest);
} keys[] = {
    {"", "next", run_next},  {"n", "next", run_next},   {"b", "back", run_back},
    {"p", "back", run_back}, {"e", "end", run_end},     {"f", "flip", run_flip},
    {"h", "help", run_help}, {"m", "match", run_match}, {"q", "quit", run_quit},
};

static void obey(struct stepper *stepper, const char *line)
{
    int plies = match_of(stepper)->plies;
    char word[16], rest[16] = "";
    long ply;

    if (sscanf(line, "%15s %15s", word, rest) < 1)
        word[0] = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcasecmp(word, keys[i].key) == 0 || strcasecmp(word, keys[i].word) == 0) {
            keys[i].run(stepper, rest);
            return;
        }
    if (number_parse(word, strlen(word), 0, plies, &ply))
        go_to_ply(stepper, (int)ply);
    else
        console_say(&stepper->client->console,
                    "Please type Enter, b, a ply from 0 to %d, or q; h lists all keys.", plies);
}

void stepper_run(struct client *client, const struct pgn_file *file)
{
    struct stepper stepper = {.client = client, .file = file};
    char prompt[PROMPT_MAX];

    show(&stepper);
    while (!client->quit) {
        snprintf(prompt, sizeof prompt, "ply %d of %d> ", stepper.ply, match_of(&stepper)->plies);
        const char *line = client_line(client, prompt);
        if (line != NULL)
            obey(&stepper, line);
        else if (input_has_more(&client->input))
            client_wait(client, prompt);
        else
            client->quit = true;
    }
}
