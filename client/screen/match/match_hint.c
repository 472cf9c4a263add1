#include "match_hint.h"

#include "common/move.h"

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
    part->stage->client->waiting =
        (struct waiting){hint_descriptor(&part->hint), hint_due_ms(&part->hint), on_hint, part};
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

void match_hint_ask(struct match_part *part)
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

void match_hint_end(struct match_part *part)
{
    hint_end(&part->hint);
    part->stage->client->waiting.fd = -1;
}
