#include "television.h"

#include <stdio.h>
#include <string.h>

#include "client/games/guide.h"
#include "client/link/json_read.h"
#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_words.h"
#include "common/move.h"

/* Between two looks at a match, and two moves of our own; how long an end is shown, and how long
 * nobody does anything before we play. */
enum { LOOK_MS = 2000, MOVE_MS = 1500, END_MS = 6000, IDLE_MS = 10000 };
enum { TOP = 4, FEET = 3, PLIES_MAX = 120 }; /* the first row, those below; the longest match */

static bool has_room(void)
{
    return COLS >= TELEVISION_COLUMNS;
}

static void wake_at(struct television *television, struct stage *stage, int64_t due_ms)
{
    television->due_ms = due_ms;
    stage->wake_ms = due_ms;
}

/* Writes "anna - bob: Clobber 5x6, move 7". */
static void write_words(struct television *television, const struct match_state *view)
{
    char label[GAME_LABEL_MAX], white[PLAYER_DISPLAY_MAX], black[PLAYER_DISPLAY_MAX];

    game_label(view->game, view->variant, label);
    name_cut(seat_shown(&view->seats[WHITE]), white);
    name_cut(seat_shown(&view->seats[BLACK]), black);
    if (view->status == STATE_OVER)
        snprintf(television->words, sizeof television->words, "%s - %s: %s, %s", white, black,
                 label, view->result);
    else
        snprintf(television->words, sizeof television->words, _("%s - %s: %s, move %d"), white,
                 black, label, view->ply);
}

/* Shows the match as it stands. False when that cannot be known, or it is no game of ours. */
static bool look(struct television *television, struct stage *stage)
{
    struct match_state view;
    struct cause cause;

    cJSON *state = client_request(stage->client, "state %s", television->match);
    bool good = state != NULL && match_state_read(&view, state, clock_ms(), &cause);
    cJSON_Delete(state);
    television->plies = PLIES_MAX; /* the next match is not this one */
    if (good)
        scene_read(&television->scene, &view);
    if (!good || television->scene.game == NULL)
        return false;
    write_words(television, &view);
    if (view.status != STATE_PLAYING) {
        television->match[0] = '\0';
        wake_at(television, stage, clock_ms() + END_MS);
    } else {
        wake_at(television, stage, clock_ms() + LOOK_MS);
    }
    return true;
}

/* Chooses a match that others play: people before bots. */
static void choose_match(struct television *television, struct stage *stage)
{
    const char *me = stage->client->uplink.hello.name;
    cJSON *reply = client_request(stage->client, "list status=playing");
    const cJSON *row, *rows = json_member(reply, "matches");
    bool of_bots = true;

    television->match[0] = '\0';
    television->asked_ms = clock_ms();
    cJSON_ArrayForEach (row, rows) {
        const char *white = json_text_or(row, "white", ""), *black = json_text_or(row, "black", "");
        bool bots = strncmp(white, "bot:", 4) == 0 && strncmp(black, "bot:", 4) == 0;
        if (!match_id_is_valid(json_text(row, "match")) || strcmp(white, me) == 0 ||
            strcmp(black, me) == 0 || (television->match[0] != '\0' && (bots || !of_bots)))
            continue;
        json_copy(television->match, MATCH_ID_MAX, row, "match");
        of_bots = bots;
    }
    cJSON_Delete(reply);
}

void television_begin(struct television *television, struct stage *stage)
{
    int64_t now_ms = clock_ms();

    if (!has_room())
        return;
    if (television->asked_ms == 0 || now_ms - television->asked_ms >= LOOK_MS)
        choose_match(television, stage);
    if (television->match[0] != '\0' && look(television, stage))
        return;
    television->match[0] = '\0';
    wake_at(television, stage, now_ms + (television->scene.game == NULL ? IDLE_MS : MOVE_MS));
}

static uint64_t next_random(struct television *television)
{
    television->random = television->random * 6364136223846793005u + 1442695040888963407u;
    return television->random >> 33;
}

static void begin_own(struct television *television)
{
    struct position start;
    struct cause cause;
    int count = 0;

    while (games[count] != NULL)
        count++;
    television->random ^= (uint64_t)clock_ms();
    const struct game *game = games[next_random(television) % (unsigned)count];
    television->plies = 0;
    if (game->start(NULL, &start, &cause))
        scene_set(&television->scene, game, &start, "");
}

/* Plays what looks best a move ahead, as bot:greedy does; any of the moves that look the same. */
static void move_own(struct television *television)
{
    const struct game *game = television->scene.game;
    const struct scene *scene = &television->scene;
    struct position best = scene->position;
    int best_value = 0, same = 0, chosen = -1;
    char text[MOVE_TEXT_MAX];

    for (int i = 0; i < scene->legal_count; i++) {
        struct position after = scene->position;
        game->apply(&after, scene->legal[i]);
        struct outcome outcome = game->outcome(&after);
        int value = outcome.result == result_win(scene->position.side) ? 100000
                    : outcome.result == RESULT_DRAW                    ? 0
                    : outcome.result != RESULT_NONE                    ? -100000
                                                                       : -guide_eval(game, &after);
        if (chosen >= 0 && value < best_value)
            continue;
        if (chosen < 0 || value > best_value)
            same = 0;
        if (next_random(television) % (unsigned)++same != 0)
            continue;
        best = after;
        best_value = value;
        chosen = i;
    }
    if (chosen < 0)
        return;
    move_format(&scene->position, scene->legal[chosen], text);
    scene_set(&television->scene, game, &best, text);
    television->plies++;
}

void television_tick(struct television *television, struct stage *stage)
{
    char label[GAME_LABEL_MAX], variant[VARIANT_NAME_MAX], trouble[TROUBLE_MAX];
    int64_t now_ms = clock_ms();

    if (!has_room())
        return;
    if (television->due_ms == 0) /* there was no room until now */
        television_begin(television, stage);
    if (now_ms < television->due_ms) {
        stage->wake_ms = television->due_ms;
        return;
    }
    if (client_trouble(stage->client, trouble)) {
        wake_at(television, stage, now_ms + IDLE_MS);
        return;
    }
    if (television->match[0] != '\0') {
        if (!look(television, stage))
            television_begin(television, stage);
        return;
    }
    bool ends = television->scene.game == NULL || television->scene.legal_count == 0 ||
                television->plies >= PLIES_MAX;
    if (ends)
        choose_match(television, stage);
    if (ends && television->match[0] != '\0' && look(television, stage))
        return;
    television->match[0] = '\0';
    if (ends)
        begin_own(television);
    else
        move_own(television);
    const struct scene *scene = &television->scene;
    scene->game->variant_name(&scene->position, variant);
    snprintf(television->words, sizeof television->words, _("Two bots play: %s, move %d"),
             game_label(scene->game->name, variant, label), television->plies);
    wake_at(television, stage, now_ms + (scene->legal_count == 0 ? END_MS : MOVE_MS));
}

void television_paint(const struct television *television, const struct stage *stage)
{
    const struct scene *scene = &television->scene;
    const struct guide *guide = guide_of(scene->game);
    struct board_view view = {.y = TOP, .x = TELEVISION_X};
    struct marks marks = {0};

    if (!has_room() || scene->game == NULL)
        return;
    board_view_fit(&view, &stage->theme, &scene->board, LINES - TOP - FEET - 3,
                   COLS - TELEVISION_X - 2);
    if (guide != NULL && guide->mark != NULL)
        guide->mark(scene, false, &marks);
    board_view_paint(&view,
                     &(struct board_paint){
                         .theme = &stage->theme, .scene = scene, .guide = guide, .marks = &marks});
    paint_rows(view.y + view.height + 1, TELEVISION_X, COLS - TELEVISION_X - 2, 2,
               theme_faint(&stage->theme), television->words);
}
