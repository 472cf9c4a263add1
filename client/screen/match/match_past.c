#include "match_past.h"

void match_past_show(struct match_part *part, int ply)
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

void match_past_step(struct match_part *part, int plies)
{
    int ply = part->looks_back ? part->past_ply : part->stage->played.count;

    match_past_show(part, ply + plies);
}

void match_past_follow(struct match_part *part)
{
    if (part->looks_back && part->past_ply >= part->stage->played.count)
        part->looks_back = false;
}

const struct scene *match_past_scene(const struct match_part *part)
{
    return part->looks_back ? &part->past : &part->scene;
}
