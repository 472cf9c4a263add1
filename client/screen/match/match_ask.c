#include "match_ask.h"

#include <stdio.h>

#include "client/model/match_words.h"
#include "client/play/answer.h"
#include "client/play/player_command.h"

const char *match_ask_question(const struct match_part *part, char *text, size_t size)
{
    const struct client *client = part->stage->client;
    const struct match_state *view = &client->view;
    enum color mine;

    text[0] = '\0';
    if (part->asking == ASKING_RESIGN)
        snprintf(text, size, "Resign? (y/n)");
    if (part->asking == ASKING_DRAW)
        snprintf(text, size, "%s (y/n)",
                 view->seats[WHITE].mine && view->seats[BLACK].mine ? "End the game as a draw?"
                                                                    : "Offer a draw?");
    if (part->asking == ASKING_LEAVE)
        snprintf(text, size, "Leave for the menu? The game stays open. (y/n)");
    if (part->asking != ASKING_NOTHING)
        return "";
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (match_state_asked(view, what) && match_state_my_color(view, &mine)) {
            snprintf(text, size, "%s %s. Accept? (y/n)", view->seats[!mine].name,
                     offer_request(what));
            return offer_word(what);
        }
    if (client->challenge[0] == '\0')
        return NULL;
    snprintf(text, size, "You are challenged (match %s). Accept? (y/n)", client->challenge);
    return "challenge";
}

/* The offers in a match are declined together, a challenge on its own. */
static void answer_others(struct client *client, bool yes, const char *word)
{
    if (yes)
        answer_accept(client, word);
    else
        answer_decline(client, client->challenge[0] != '\0' ? word : "");
}

void match_ask_answer(struct match_part *part, bool yes)
{
    struct client *client = part->stage->client;
    char question[256];
    const char *word = match_ask_question(part, question, sizeof question);
    enum asking asking = part->asking;

    if (word == NULL)
        return;
    part->asking = ASKING_NOTHING;
    if (asking == ASKING_RESIGN && yes)
        player_command_run(client, "resign");
    else if (asking == ASKING_DRAW && yes)
        player_command_run(client, "draw");
    else if (asking == ASKING_LEAVE)
        part->done = yes;
    else if (asking == ASKING_NOTHING)
        answer_others(client, yes, word);
}

void match_ask(struct match_part *part, enum asking asking)
{
    if (match_part_plays(part))
        part->asking = asking;
    else
        stage_notice(part->stage, "Only a player of a running match can do that.");
}
