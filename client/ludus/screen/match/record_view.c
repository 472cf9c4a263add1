#include "record_view.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/record.h"

void record_view_begin(struct record_view *view, const struct pgn_match *match, int ply)
{
    view->match = match;
    view->guide = guide_of(match->game);
    view->overlay = view->guide != NULL && view->guide->overlay_at_first;
    record_view_go(view, ply);
}

void record_view_go(struct record_view *view, int ply)
{
    const struct pgn_match *match = view->match;

    view->ply = ply < 0 ? 0 : ply > match->plies ? match->plies : ply;
    struct position position = record_position(match, view->ply);
    scene_set(&view->scene, match->game, &position,
              view->ply > 0 ? match->moves[view->ply - 1].text : "");
}

/* The number of plies that an action steps by. */
static int plies_of(enum action action)
{
    static const int plies[ACTIONS] = {[ACTION_RIGHT] = 1,
                                       [ACTION_DOWN] = 1,
                                       [ACTION_LATER] = 1,
                                       [ACTION_WHEEL_DOWN] = 1,
                                       [ACTION_CHOOSE] = 1,
                                       [ACTION_LEFT] = -1,
                                       [ACTION_UP] = -1,
                                       [ACTION_EARLIER] = -1,
                                       [ACTION_WHEEL_UP] = -1,
                                       [ACTION_PAGE_DOWN] = 10,
                                       [ACTION_PAGE_UP] = -10,
                                       [ACTION_FIRST] = -PGN_PLIES_MAX,
                                       [ACTION_LAST] = PGN_PLIES_MAX};

    return plies[action];
}

bool record_view_take(struct record_view *view, struct stage *stage, enum action action)
{
    if (board_view_take(&view->board, stage, action))
        return true;
    if (action == ACTION_FLIP)
        view->flip = !view->flip;
    else if (action == ACTION_OVERLAY)
        view->overlay = !view->overlay;
    else if (plies_of(action) != 0)
        record_view_go(view, view->ply + plies_of(action));
    else
        return false;
    return true;
}

void record_view_paint(struct record_view *view, const struct theme *theme, int rows, int columns)
{
    struct marks marks = {.by_side = false};

    view->board = (struct board_view){.y = 2, .x = 1, .flip = view->flip};
    if (view->guide != NULL && view->guide->mark != NULL)
        view->guide->mark(&view->scene, view->overlay, &marks);
    board_view_fit(&view->board, theme, &view->scene.board, rows, columns);
    board_view_paint(&view->board, &(struct board_paint){.theme = theme,
                                                         .scene = &view->scene,
                                                         .guide = view->guide,
                                                         .marks = &marks});
}

static bool write_file(const char *path, const char *mode, const char *text)
{
    FILE *file = fopen(path, mode);

    if (file == NULL)
        return false;
    /* The program keeps everything else to itself; a match is for others, too. */
    bool written = fputs(text, file) >= 0 && fchmod(fileno(file), 0644) == 0;
    return fclose(file) == 0 && written;
}

/* Writes the file, after a question if there is one of that name. False with errno, which is 0 when
 * the player does not want it. */
static bool keep_file(struct stage *stage, const char *path, const char *text)
{
    char question[NOTICE_MAX];

    if (write_file(path, "wxe", text))
        return true;
    if (errno != EEXIST)
        return false;
    snprintf(question, sizeof question, _("%.200s exists. Replace it?"), path);
    if (stage_confirm(stage, question))
        return write_file(path, "we", text);
    errno = 0;
    return false;
}

void save_pgn(struct stage *stage, const char *match, const char *suffix, const char *text)
{
    static const char question[] =
        N_("Save as which file? (PGN, for `ludus replay` and other programs; Tab completes)");
    struct edit edit = {""};
    char path[PATH_MAX];

    snprintf(edit.text, sizeof edit.text, "ludus%s%s%s.pgn", match_id_is_valid(match) ? "-" : "",
             match_id_is_valid(match) ? match : "", suffix);
    while (edit_ask_file(stage, question, &edit, path) && edit.text[0] != '\0') {
        if (keep_file(stage, path, text)) {
            char whole[PATH_MAX];
            bool fits = realpath(path, whole) != NULL && strlen(whole) < NOTICE_MAX - 16;

            stage_notice(stage, "Saved as %.240s", fits ? whole : edit.text);
            return;
        }
        stage_notice(stage, "Not saved%s%s", errno != 0 ? ": " : ".",
                     errno != 0 ? strerror(errno) : "");
        if (errno == 0)
            return; /* the player did not want it */
    }
}

void save_match(struct stage *stage)
{
    char match[MATCH_ID_MAX];
    struct cause cause;

    memcpy(match, stage->client->view.match, sizeof match);
    cJSON *reply = client_ask(stage->client, "record %s", match);
    const struct record_about about = {.site = stage->client->uplink.address, .with_times = true};
    char *text = reply != NULL ? record_pgn(reply, &about, &cause) : NULL;
    if (text != NULL)
        save_pgn(stage, match, "", text);
    else if (reply != NULL)
        stage_notice(stage, "Not saved: %s", cause.text);
    free(text);
    cJSON_Delete(reply);
}
