#include "match_screen.h"

#include <stdlib.h>

#include "common/xmalloc.h"

#include "client/play/player_command.h"
#include "client/talk/client_request.h"
#include "match_keys.h"
#include "match_paint.h"
#include "match_part.h"

/* The first square of the cursor: that of a legal move, or the bottom left. */
static int first_square(const struct match_part *part)
{
    const struct scene *scene = &part->scene;
    const struct move *first = &scene->legal[0];

    if (scene->legal_count > 0 && first->kind != MOVE_PASS)
        return first->kind == MOVE_STEP ? first->from : first->to;
    return part->board.flip ? scene->board.width * scene->board.height - 1 : 0;
}

/* Follows a new state; a choice on the board is for one position only. */
static void follow_state(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    if (!view->known)
        return;
    part->board.flip = match_part_from_black(part);
    bool moved = part->ply != view->ply;
    scene_read(&part->scene, view);
    part->special = special_find(part->scene.game);
    if (part->ply < 0) {
        part->overlay = part->special != NULL && part->special->overlay_at_first;
        part->selection.cursor = first_square(part);
    }
    part->ply = view->ply;
    match_part_follow(part);
    if (moved) {
        part->back = 0;
        part->has_hint = false;
        match_part_end_hint(part);
    }
    if (moved || !match_state_my_turn(view))
        select_begin(&part->selection, &part->scene);
}

/* Asks for the moves made before the match came to the screen. */
static void ask_moves(struct match_part *part)
{
    struct client *client = part->stage->client;

    if (!client->view.known || client->view.status == STATE_OPEN || part->stage->played.known)
        return;
    cJSON *reply = client_request(client, "record %s", client->view.match);
    played_read(&part->stage->played, reply);
    part->stage->played.known = true; /* asked once, whatever the reply */
    cJSON_Delete(reply);
}

static void run(struct match_part *part)
{
    struct client *client = part->stage->client;

    while (!client->quit && !client->go && !part->done && client->view.match[0] != '\0') {
        follow_state(part);
        ask_moves(part);
        int key = stage_key(part->stage);
        if (key == NO_KEY)
            continue;
        part->notice[0] = '\0';
        follow_state(part);
        match_keys_take(part, key);
    }
}

void match_run(struct stage *stage)
{
    struct match_part *part = xcalloc(1, sizeof *part);
    struct painter painter = {match_paint, part, NULL};

    part->stage = stage;
    part->ply = -1;
    stage->seen = stage->log.lines.total;
    stage->client->go = false;
    stage_push(stage, &painter);
    run(part);
    stage_pop(stage);
    match_part_end_hint(part);
    if (part->done)
        player_command_leave(stage->client);
    free(part);
}
