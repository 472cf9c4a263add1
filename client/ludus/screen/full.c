#include "full.h"

#include "client/ludus/screen/match/help.h"
#include "client/ludus/screen/match/match_keys.h"
#include "client/ludus/screen/match/review_part.h"
#include "client/ludus/screen/menu/learn_part.h"
#include "client/ludus/screen/menu/replay_part.h"
#include "client/ludus/screen/menu/setup_form.h"
#include "client/ludus/screen/menu/start.h"
#include "client/ludus/screen/stage/stage.h"
#include "client/ludus/talk/event.h"
#include "client/ludus/talk/play.h"

/* Opens the stage with its pages of help; NULL when the terminal is not suitable. */
static struct stage *open_stage(struct client *client)
{
    struct stage *stage = stage_open(client);

    if (stage != NULL) {
        stage->show_keys = help_keys;
        stage->show_rules = help_game;
    }
    return stage;
}

bool full_run(struct client *client, enum beginning beginning, struct seeking *seeking)
{
    struct stage *stage = open_stage(client);
    struct television television = {.due_ms = 0};

    if (stage == NULL)
        return false;
    event_begin(client);
    if (client->view.match[0] == '\0') {
        if (beginning == BEGIN_HOST)
            setup_form_run(stage, SETUP_HOST);
        if (beginning == BEGIN_JOIN)
            start_join(stage);
        if (beginning == BEGIN_SEEK)
            seek_part_wait(stage, seeking);
        if (beginning == BEGIN_ALONE)
            play_tell_alone(stage->client);
    }
    while (!client->quit) {
        if (client->view.match[0] != '\0')
            match_run(stage);
        else
            start_run(stage, &television);
    }
    stage_close(stage);
    return true;
}

bool full_replay(struct client *client, const struct pgn_file *file)
{
    struct stage *stage = open_stage(client);

    if (stage == NULL)
        return false;
    replay_part_run(stage, file);
    stage_close(stage);
    return true;
}

bool full_review(struct client *client, const struct pgn_match *match, int movetime_ms)
{
    struct stage *stage = open_stage(client);

    if (stage == NULL)
        return false;
    bool ran = review_part_run(stage, match, movetime_ms);
    stage_close(stage);
    return ran;
}

bool full_learn(struct client *client, const struct game *game)
{
    struct stage *stage = open_stage(client);

    if (stage == NULL)
        return false;
    learn_part_run(stage, game);
    stage_close(stage);
    return true;
}
