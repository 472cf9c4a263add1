#include "match_part.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/move.h"

void match_part_notice(struct match_part *part, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(part->notice, sizeof part->notice, format, args);
    va_end(args);
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
        match_part_notice(part, "The past cannot be shown: %s", cause.text);
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

void match_part_follow(struct match_part *part)
{
    if (part->looks_back && part->past_ply >= part->stage->played.count)
        part->looks_back = false;
}

const struct scene *match_part_scene(const struct match_part *part)
{
    return part->looks_back ? &part->past : &part->scene;
}

/* Chooses the hinted move, so that Enter plays it. */
static void choose_hinted(struct match_part *part)
{
    bool places = part->hinted.kind == MOVE_PLACE;

    part->selection.cursor = part->hinted.to;
    part->selection.from = places ? -1 : part->hinted.from;
    part->selection.piece = part->hinted.piece;
}

static void on_hint(void *context);

/* Waits for nothing once it has ended. */
static void wait_for_hint(struct match_part *part)
{
    part->stage->client->waiting = hint_waiting(&part->hint, on_hint, part);
}

static void on_hint(void *context)
{
    struct match_part *part = context;
    struct cause cause = {""};
    char text[MOVE_TEXT_MAX];

    bool ended = hint_step(&part->hint, &part->hinted, &part->has_hint, &cause);
    wait_for_hint(part);
    if (!ended)
        return;
    if (!part->has_hint) {
        match_part_notice(part, "No hint: %s", cause.text);
        return;
    }
    move_format(&part->scene.position, part->hinted, text);
    match_part_notice(part, "Hint: %s (Enter plays it)", text);
    part->has_hint = false;
    if (part->hinted.kind == MOVE_PASS)
        return;
    part->has_hint = true;
    choose_hinted(part);
}

void match_part_hint(struct match_part *part)
{
    struct cause cause;

    if (part->hint.thinking)
        return;
    if (!hint_begin(&part->hint, part->scene.game, &part->scene.position, &cause)) {
        match_part_notice(part, "No hint: %s", cause.text);
        return;
    }
    match_part_notice(part, "Thinking about a hint ...");
    wait_for_hint(part);
}

void match_part_end_hint(struct match_part *part)
{
    hint_end(&part->hint);
    part->stage->client->waiting.fd = -1;
}
