#include "match_page.h"

#include <stdio.h>
#include <string.h>

#include "board_png.h"
#include "common/match_picture.h"
#include "common/move.h"
#include "server/base/log.h"
#include "server/base/tally.h"
#include "server/play/rate_limit.h"
#include "server/play/server.h"

static const char page_type[] = "text/html; charset=utf-8";

/* What a request costs as commands beyond what every one does. */
enum { PAGE_COST = 2, PNG_COST = 8, LOOK_UP_COST = 8 };

void match_asker_leave(struct match_asker *asker)
{
    struct look_up *look_up = asker->look_up;

    asker->look_up = NULL;
    if (look_up != NULL && look_up->state == LOOK_WAITS)
        look_up->asker = NULL; /* the keeper has it until it answers */
    else
        look_up_free(look_up);
}

/* Finds a match in memory or at the keeper. NULL: there is none, or, if the look-up waits, it is
 * not known yet. */
static const struct table *find_linked_match(struct match_asker *asker, const char *id)
{
    struct keeper *keeper = asker->server->keeper;
    struct question question = {.kind = LOOK_RECORD};
    const struct table *table = lobby_find(&asker->server->lobby, id);

    if (table != NULL || keeper->kind->look_up == NULL)
        return table;
    snprintf(question.key, sizeof question.key, "%s", id);
    if (asker->look_up == NULL) {
        asker->look_up = look_up_new(&question);
        asker->look_up->asker = asker->waker;
        asker->look_up->wake = asker->wake;
        keeper->kind->look_up(keeper, asker->look_up);
        if (asker->look_up->state == LOOK_FAILED)
            log_line(LOG_ERROR, "event=store-error error=%s",
                     log_quote(asker->look_up->cause.text).text);
    }
    return asker->look_up->state == LOOK_FOUND ? &asker->look_up->stored->table : NULL;
}

/* The name by which a player is shown; NULL: the seat is open. */
static const char *shown_name(const struct server *server, const struct seat *seat)
{
    const char *name = seat_name(seat);
    const struct player *player = name != NULL ? players_find(&server->players, name) : NULL;
    const char *display =
        player != NULL && player->id == seat->player->id ? player_display(player) : NULL;

    return display != NULL ? display : name;
}

/* Sets what is shown of a match. False if it has not had that many moves. */
static bool set_picture(const struct server *server, const struct table *table, long ply,
                        struct match_picture *picture)
{
    const struct match *match = &table->match;

    if (match->game == NULL || ply > match->ply_count)
        return false;
    *picture = (struct match_picture){.game = match->game,
                                      .position = match->start,
                                      .names = {shown_name(server, &table->seats[WHITE]),
                                                shown_name(server, &table->seats[BLACK])},
                                      .outcome = match->outcome,
                                      .ply = ply < 0 ? match->ply_count : (int)ply,
                                      .plies = match->ply_count};
    for (int i = 0; i < picture->ply; i++)
        match->game->apply(&picture->position, match->plies[i].move);
    if (picture->ply > 0)
        move_format(&match->start, match->plies[picture->ply - 1].move, picture->last);
    return true;
}

static void put_meta(struct buffer *html, const char *kind, const char *name, const char *content)
{
    buffer_printf(html, "<meta %s=\"%s\" content=\"", kind, name);
    markup_puts(html, content);
    buffer_puts(html, "\">\n");
}

/* Adds the address of a view behind `before`, with the ply that the link has. */
static void put_address(struct buffer *address, const char *before, const struct match_link *link,
                        const char *end)
{
    buffer_printf(address, "%s%s%s", before, link->match, end);
    if (link->ply >= 0)
        buffer_printf(address, "?ply=%ld", link->ply);
    buffer_add(address, "", 1);
}

/* Adds the tags by which programs show a link: whole addresses, as they read them elsewhere. */
static void put_tags(const struct match_asker *asker, const struct match_link *link,
                     const char *title, const char *description, struct buffer *html)
{
    bool secure = asker->over_tls || (asker->behind_proxy && link->says_https);
    char top[HTTP_HOST_MAX + HTTP_FOLDER_MAX + 16];
    struct buffer page = {.length = 0}, picture = {.length = 0};

    snprintf(top, sizeof top, "http%s://%s%s/m/", secure ? "s" : "", link->host,
             asker->behind_proxy ? link->folder : "");
    put_address(&page, top, link, "");
    put_address(&picture, top, link, ".png");
    put_meta(html, "name", "description", description);
    put_meta(html, "property", "og:type", "website");
    put_meta(html, "property", "og:site_name", "Ludus");
    put_meta(html, "property", "og:title", title);
    put_meta(html, "property", "og:description", description);
    put_meta(html, "property", "og:url", page.bytes);
    put_meta(html, "property", "og:image", picture.bytes);
    put_meta(html, "property", "og:image:type", "image/png");
    buffer_printf(html,
                  "<meta property=\"og:image:width\" content=\"%d\">\n"
                  "<meta property=\"og:image:height\" content=\"%d\">\n",
                  BOARD_PNG_WIDTH, BOARD_PNG_HEIGHT);
    put_meta(html, "property", "og:image:alt", title);
    put_meta(html, "name", "twitter:card", "summary_large_image");
    buffer_release(&page);
    buffer_release(&picture);
}

static const char *describe_match(const struct table *table)
{
    static const char *const texts[] = {
        [MATCH_OPEN] = "A match that waits for its players: take a seat, or watch.",
        [MATCH_PLAYING] = "A match that is being played: watch it.",
        [MATCH_OVER] = "Step through the match, move by move."};

    return texts[table->match.status];
}

/* Writes the page of a match, of which it says nothing without a picture. Its own addresses are
 * relative, as a proxy may have it in a folder. */
static void write_page(const struct match_asker *asker, const struct match_link *link,
                       const struct table *table, const struct match_picture *picture,
                       struct buffer *html)
{
    struct buffer board = {.length = 0};
    char title[MATCH_TITLE_MAX] = "Ludus", ply[24] = "";

    if (picture != NULL)
        match_picture_title(picture, title);
    if (link->ply >= 0)
        snprintf(ply, sizeof ply, "/%ld", link->ply);
    buffer_puts(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>");
    markup_puts(html, title);
    buffer_puts(html, "</title>\n");
    put_meta(html, "name", "viewport", "width=device-width");
    buffer_puts(html, "<link rel=\"icon\" href=\"../icon.svg\" type=\"image/svg+xml\">\n");
    if (picture != NULL)
        put_tags(asker, link, title, describe_match(table), html);
    if (picture == NULL || table->is_private)
        put_meta(html, "name", "robots", "noindex");
    buffer_printf(html, "<meta http-equiv=\"refresh\" content=\"0; url=../#/m/%s%s\">\n<h1>",
                  link->match, ply);
    markup_puts(html, title);
    buffer_printf(html, "</h1>\n<p><a href=\"../#/m/%s%s\">To the match</a></p>\n", link->match,
                  ply);
    if (picture != NULL) {
        put_address(&board, "", link, ".svg");
        buffer_printf(html, "<p><img src=\"%s\" alt=\"The board\" width=\"480\"></p>\n",
                      board.bytes);
        buffer_release(&board);
    }
    if (picture != NULL && table->is_private)
        buffer_puts(html, "<p>The match is private: whoever has this link can see it.</p>\n");
}

static void write_view(const struct match_asker *asker, const struct match_link *link,
                       const struct table *table, struct match_view *view)
{
    struct match_picture picture;

    if (!set_picture(asker->server, table, link->ply, &picture))
        return;
    view->status = HTTP_OK;
    view->is_private = table->is_private;
    /* People may change their display names, and a page has them as they are. */
    view->is_final =
        link->form != LINK_PAGE && table->match.status == MATCH_OVER && table->broken == NULL;
    if (link->form == LINK_PAGE) {
        view->type = page_type;
        write_page(asker, link, table, &picture, &view->body);
    } else if (link->form == LINK_SVG) {
        view->type = "image/svg+xml; charset=utf-8";
        match_picture_svg(&picture, &view->body);
    } else if (rate_limit_may_draw(asker->server, asker->origin)) {
        view->type = "image/png";
        board_png(&picture, &view->body);
    } else {
        view->status = HTTP_TOO_MANY_REQUESTS;
    }
}

/* Writes the same for each match, be it there or not: the code is asked for where it leads. */
static void write_view_for_strangers(const struct match_asker *asker, const struct match_link *link,
                                     struct match_view *view)
{
    view->status = link->form == LINK_PAGE ? HTTP_OK : HTTP_NOT_FOUND;
    view->type = page_type;
    if (view->status == HTTP_OK)
        write_page(asker, link, NULL, NULL, &view->body);
}

bool match_page_make(void *context, const struct match_link *link, struct match_view *view)
{
    struct match_asker *asker = context;
    struct server *server = asker->server;
    const struct keeper *keeper = server->keeper;
    int64_t begun_us = tally_now_us();

    if (server->code[0] != '\0') {
        write_view_for_strangers(asker, link, view);
        return true;
    }
    /* While the database does not answer, this server may count as dead. */
    view->status = HTTP_SERVICE_UNAVAILABLE;
    if (keeper->kind->is_current != NULL && !keeper->kind->is_current(keeper)) {
        match_asker_leave(asker);
        return true;
    }
    const struct table *table = find_linked_match(asker, link->match);
    if (asker->look_up != NULL && asker->look_up->state == LOOK_WAITS)
        return false;
    if (asker->look_up == NULL || asker->look_up->state != LOOK_FAILED)
        view->status = HTTP_NOT_FOUND;
    if (table != NULL)
        write_view(asker, link, table, view);
    rate_limit_count_request(server, asker->origin,
                             (link->form == LINK_PNG ? PNG_COST : PAGE_COST) +
                                 (asker->look_up != NULL ? LOOK_UP_COST : 0),
                             tally_now_us() - begun_us);
    match_asker_leave(asker);
    return true;
}
