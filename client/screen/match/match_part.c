#include "match_part.h"

#include "client/link/clock_ms.h"
#include "common/move.h"

enum { PAUSE_MS = 400 };

bool match_part_plays(const struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    return view->known && view->status == STATE_PLAYING && match_state_seated(view);
}

bool match_part_from_black(const struct match_part *part)
{
    const struct client *client = part->stage->client;
    enum color mine;
    bool black = match_state_my_color(&client->view, &mine) && mine == BLACK;

    return black != client->turned;
}

void match_part_show(struct match_part *part, int ply)
{
    const struct played *played = &part->stage->played;
    struct position position;
    struct cause cause;

    if (ply < 0)
        ply = 0;
    part->looks_back = false;
    if (ply >= played->count)
        return;
    if (!played_position(played, &part->stage->client->view, ply, &position, &cause)) {
        stage_notice(part->stage, "The past cannot be shown: %s", cause.text);
        return;
    }
    scene_set(&part->past, part->scene.game, &position, ply > 0 ? played->moves[ply - 1].text : "");
    part->looks_back = true;
    part->past_ply = ply;
}

void match_part_step(struct match_part *part, int plies)
{
    int ply = part->looks_back ? part->past_ply : part->stage->played.count;

    match_part_show(part, ply + plies);
}

/* Sets the scene for a premove, if the opponent thinks. */
static void follow_ahead(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;
    struct position position = part->scene.position;
    enum color mine;

    part->is_ahead = match_part_plays(part) && view->clock.known &&
                     match_state_my_color(view, &mine) && view->turn != mine &&
                     part->scene.game != NULL;
    if (!part->is_ahead)
        return;
    position.side = !position.side;
    scene_set(&part->ahead, part->scene.game, &position, view->last);
}

void match_part_follow(struct match_part *part)
{
    if (part->looks_back && part->past_ply >= part->stage->played.count)
        part->looks_back = false;
    follow_ahead(part);
}

bool match_part_ahead(const struct match_part *part)
{
    return part->is_ahead && match_part_plays(part) && part->ply == part->stage->client->view.ply;
}

const struct scene *match_part_choice(const struct match_part *part)
{
    return match_part_ahead(part) ? &part->ahead : &part->scene;
}

/* Sets the scene before the last move, from the moves played. */
static bool set_before(struct match_part *part)
{
    const struct played *played = &part->stage->played;
    struct position position;
    struct cause cause;
    int ply = part->ply - 1;

    if (part->scene.game == NULL || ply < 1 || played->count != part->ply ||
        !played_position(played, &part->stage->client->view, ply, &position, &cause))
        return false;
    scene_set(&part->past, part->scene.game, &position, played->moves[ply - 1].text);
    return true;
}

void match_part_pause(struct match_part *part, int plies)
{
    const struct match_state *view = &part->stage->client->view;
    bool forward = plies == 1 || plies == 2;
    int64_t now_ms = clock_ms();
    enum color mine;

    part->pause_ms = 0;
    if (!forward || !match_state_my_color(view, &mine))
        return;
    if (view->turn != mine || plies == 2)
        part->moved_ms = now_ms;
    if (view->turn == mine && part->moved_ms != 0 && now_ms < part->moved_ms + PAUSE_MS &&
        !part->looks_back && set_before(part))
        part->pause_ms = part->moved_ms + PAUSE_MS;
    part->stage->wake_ms = part->pause_ms;
}

const struct scene *match_part_scene(const struct match_part *part)
{
    return part->looks_back || part->pause_ms != 0 ? &part->past : &part->scene;
}

struct panel match_part_moves(const struct match_part *part)
{
    const struct played *played = &part->stage->played;

    int count = part->pause_ms != 0 ? part->ply - 1 : played->count;

    return (struct panel){.moves = played->moves,
                          .count = count,
                          .shown = part->looks_back ? part->past_ply : count,
                          .back = part->back};
}

/* Chooses the hinted move, so that Enter plays it. */
static void choose_hinted(struct match_part *part)
{
    const struct move *move = &part->hint.move;

    part->selection.cursor = move->to;
    part->selection.from = move->kind == MOVE_PLACE ? -1 : move->from;
    part->selection.piece = move->piece;
}

static void on_hint(void *context)
{
    struct match_part *part = context;
    const struct hint *hint = &part->hint;
    char text[MOVE_TEXT_MAX], reason[MOVE_REASON_MAX];

    part->has_hint = hint->found && hint->move.kind != MOVE_PASS;
    if (!hint->found) {
        stage_notice(part->stage, "No hint: %s", hint->cause.text);
        return;
    }
    move_format(&part->scene.position, hint->move, text);
    hint_reason(hint, reason);
    stage_notice(part->stage, "Hint: %s %s. Enter plays it.", text, reason);
    if (part->has_hint)
        choose_hinted(part);
}

void match_part_hint(struct match_part *part)
{
    struct hint *hint = &part->hint;

    if (hint->thinking)
        return;
    hint->client = part->stage->client;
    hint->done = on_hint;
    hint->context = part;
    if (hint_begin(hint, &part->stage->played))
        stage_notice(part->stage, "Thinking about a hint ... (Esc stops it)");
    else
        stage_notice(part->stage, "No hint: %s", hint->cause.text);
}
