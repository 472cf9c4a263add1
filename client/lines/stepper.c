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
    game->board(&position, &view->board);
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
    bool last = stepper->index + 1 == stepper->file->count;

    if (ply < 0) {
        say(stepper, "This is the start.");
    } else if (ply > match_of(stepper)->plies) {
        say(stepper, last ? "That was the last move; q ends the program."
                          : "That was the last move; m shows the next match.");
    } else {
        stepper->ply = ply;
        show(stepper);
    }
}

/* Goes to the match of that number, or with "" to the next. */
static void go_to_match(struct stepper *stepper, const char *text)
{
    int count = stepper->file->count;
    long number = stepper->index + 2;

    if ((text[0] != '\0' && !number_parse(text, strlen(text), 1, count, &number)) ||
        number > count) {
        console_say(&stepper->client->console, "The file has %d match%s.", count,
                    count == 1 ? "" : "es");
        return;
    }
    stepper->index = (int)number - 1;
    go_to_ply(stepper, 0);
}

static const char help[] = "  Enter, n      the next move\n"
                           "  b, p          back\n"
                           "  NUMBER        to that ply, 0 is the start\n"
                           "  e             to the end\n"
                           "  f             turn the board\n"
                           "  m [NUMBER]    the next match of the file, or that one\n"
                           "  q             quit";

/* The letter of a command, which may be typed as a whole word, too; 0 for anything else. */
static char letter_of(const char *word)
{
    static const char *const words[] = {"next", "back", "end", "flip", "help", "match", "quit"};

    if (word[0] == '\0')
        return 'n';
    if (strcasecmp(word, "p") == 0)
        return 'b';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(word, words[i]) == 0 || (word[1] == '\0' && (word[0] | ' ') == words[i][0]))
            return words[i][0];
    return 0;
}

static void obey(struct stepper *stepper, const char *line)
{
    int plies = match_of(stepper)->plies;
    char word[16] = "", rest[16] = "";
    long ply;

    sscanf(line, "%15s %15s", word, rest);
    switch (letter_of(word)) {
    case 'n':
        go_to_ply(stepper, stepper->ply + 1);
        break;
    case 'b':
        go_to_ply(stepper, stepper->ply - 1);
        break;
    case 'e':
        go_to_ply(stepper, plies);
        break;
    case 'f':
        stepper->client->turned = !stepper->client->turned;
        show(stepper);
        break;
    case 'm':
        go_to_match(stepper, rest);
        break;
    case 'h':
        say(stepper, help);
        break;
    case 'q':
        stepper->client->quit = true;
        break;
    default:
        if (number_parse(word, strlen(word), 0, plies, &ply))
            go_to_ply(stepper, (int)ply);
        else
            console_say(&stepper->client->console,
                        "Please type Enter, b, a ply from 0 to %d, or q; h lists all keys.", plies);
    }
}

void stepper_run(struct client *client, const struct pgn_file *file)
{
    struct stepper stepper = {.client = client, .file = file};
    char prompt[PROMPT_MAX];

    show(&stepper);
    while (!client->quit) {
        snprintf(prompt, sizeof prompt, "ply %d of %d> ", stepper.ply, match_of(&stepper)->plies);
        const char *line = client_await_line(client, prompt);
        if (line != NULL)
            obey(&stepper, line);
    }
}
