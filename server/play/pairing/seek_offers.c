#include "seek_offers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "server/play/cluster.h"

enum { TEXT_MAX = 512, RATING_MAX = 9999 };

/* The text of a seek: wishes, rating, past, then its player as relay.h tells where one is. */
static void write_text(const struct server *server, const struct seek *seek, char text[TEXT_MAX])
{
    const struct seek_wish *wish = &seek->wish;
    struct seek_past past = seek_past(seek);

    snprintf(text, TEXT_MAX,
             "%s %s %" PRId64 " %" PRId64 " %d %d %d %d %d %d %d %d %d %" PRId64 " %d %d %s",
             wish->game->name, wish->variant, wish->clock.base_ms, wish->clock.increment_ms,
             wish->casual, wish->color, wish->ranged, wish->low, wish->high, (int)wish->bots,
             wish->repeat, seek->rating, seek->is_guests, past.opponent, past.lead, past.last,
             presence_news_text(server, seek->player).text);
}

/* What stands in a text as numbers. */
struct numerals {
    int64_t base_ms, increment_ms;
    int casual, color, ranged, bots, repeat, guests;
};

static bool is_valid(const struct foreign_seek *foreign, const struct numerals *numerals)
{
    const struct seek_wish *wish = &foreign->wish;
    struct position start;
    struct cause cause;

    return wish->game != NULL && wish->game->start(wish->variant, &start, &cause) &&
           numerals->base_ms >= 0 && numerals->increment_ms >= 0 && numerals->color >= -1 &&
           numerals->color <= BLACK && numerals->bots >= BOTS_YES && numerals->bots <= BOTS_ONLY &&
           abs(foreign->rating) <= RATING_MAX;
}

/* Reads a text but for the player, of whom `news` tells. False: it is none. */
static bool read_text(const char *text, struct foreign_seek *foreign, struct presence_news *news)
{
    struct seek_wish *wish = &foreign->wish;
    struct seek_past *past = &foreign->past;
    struct numerals is;
    char game[VARIANT_NAME_MAX];
    int length = 0;

    if (sscanf(text,
               "%15s %15s %" SCNd64 " %" SCNd64 " %d %d %d %d %d %d %d %d %d %" SCNd64 " %d %d %n",
               game, wish->variant, &is.base_ms, &is.increment_ms, &is.casual, &is.color,
               &is.ranged, &wish->low, &wish->high, &is.bots, &is.repeat, &foreign->rating,
               &is.guests, &past->opponent, &past->lead, &past->last, &length) != 16)
        return false;
    wish->game = game_find(game, strlen(game));
    wish->clock =
        clock_fresh(&(struct clock){.base_ms = is.base_ms, .increment_ms = is.increment_ms});
    wish->casual = is.casual != 0;
    wish->color = is.color;
    wish->ranged = is.ranged != 0;
    wish->bots = (enum bots_wanted)is.bots;
    wish->repeat = is.repeat != 0;
    foreign->is_guests = is.guests != 0;
    return is_valid(foreign, &is) && presence_news_read(news, text + length);
}

/* The player of a foreign seek; NULL: they are here, or somebody has their name. */
static struct player *find_player(struct server *server, const struct presence_news *news)
{
    struct player *player = players_find_id(&server->players, news->id);

    if (player == NULL && players_find(&server->players, news->name) == NULL)
        player = players_add_stored(&server->players, news->id, news->kind, news->name);
    if (player == NULL || player->session != NULL)
        return NULL;
    if (player->kind == PLAYER_NAMED)
        player->stored = true;
    player->bot = news->bot;
    cluster_meet(server, player, news);
    return player;
}

void seek_offer(struct server *server, struct seek *seek)
{
    struct keeper *keeper = server->keeper;
    char text[TEXT_MAX];

    if (keeper->kind->offer_seek == NULL || seek->there.node != 0 ||
        (seek->offered && !seek->changed))
        return;
    seek->offered = true;
    seek->changed = false;
    write_text(server, seek, text);
    keeper->kind->offer_seek(keeper, seek->number, text);
}

static void take_back(struct server *server, int64_t number)
{
    server->keeper->kind->offer_seek(server->keeper, number, NULL);
}

void seek_offers_withdraw(struct server *server)
{
    struct seek_numbers *gone = &server->seeks.withdrawn;

    for (int i = 0; i < gone->count; i++)
        take_back(server, gone->numbers[i]);
    gone->count = 0;
}

void seek_offers_take(struct server *server, const struct offered_seek *offered)
{
    struct foreign_seek foreign = {.there = {offered->node, offered->number},
                                   .text = offered->text};
    struct seek *seek = seeks_find_foreign(&server->seeks, foreign.there);
    struct presence_news news;

    if (seek != NULL && seek->stage == SEEK_IS_PAIRED && offered->text != NULL)
        return;
    if (seek != NULL)
        seeks_drop_foreign(&server->seeks, seek);
    if (offered->text == NULL || !read_text(offered->text, &foreign, &news))
        return;
    foreign.player = find_player(server, &news);
    if (foreign.player != NULL)
        seeks_add_foreign(&server->seeks, &foreign);
}

static int compare_ids(const void *a, const void *b)
{
    const struct offered_seek *one = a, *other = b;

    if (one->node != other->node)
        return one->node < other->node ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

/* A waiting seek of this server that is in a list, or (NULL) not. */
static void compare_own(struct server *server, struct seek *seek, const struct offered_seek *listed)
{
    bool is_old = listed != NULL && listed->match != 0 && listed->match == seek->match;

    if (is_old) /* that it was taken back is lost */
        take_back(server, listed->number);
    if (seek->offered && (listed == NULL || is_old))
        seeks_offer_again(&server->seeks, seek);
}

/* A waiting seek of another server. */
static void compare_foreign(struct server *server, struct seek *seek,
                            const struct offered_seek *listed)
{
    if (listed == NULL || listed->match != 0)
        seeks_drop_foreign(&server->seeks, seek);
    else if (strcmp(seek->text, listed->text) != 0)
        seek_offers_take(server, listed);
}

/* What is in a list and not among the seeks here. */
static void compare_missing(struct server *server, const struct offered_seek *listed)
{
    if (listed->node == server->nodes.own)
        take_back(server, listed->number);
    else if (listed->match == 0)
        seek_offers_take(server, listed);
}

void seek_offers_compare(struct server *server, const struct offered_seek *list, int count)
{
    bool *known = xcalloc((size_t)count + 1, sizeof *known);
    struct seek *seek, *next;

    for (seek = TAILQ_FIRST(&server->seeks.all); seek != NULL; seek = next) {
        next = TAILQ_NEXT(seek, link);
        const struct offered_seek key = {.node = seek->there.node != 0 ? seek->there.node
                                                                       : server->nodes.own,
                                         .number = seek->there.number};
        const struct offered_seek *listed =
            count > 0 ? bsearch(&key, list, (size_t)count, sizeof *list, compare_ids) : NULL;
        if (listed != NULL)
            known[listed - list] = seek->stage != SEEK_PLAYS;
        if (seek->stage == SEEK_WAITS && seek->there.node == 0)
            compare_own(server, seek, listed);
        else if (seek->stage == SEEK_WAITS)
            compare_foreign(server, seek, listed);
    }
    for (int i = 0; i < count; i++)
        if (!known[i])
            compare_missing(server, &list[i]);
    free(known);
}

/* Drops the seeks of all servers but these; NULL: none is left. */
static void drop_all_but(struct server *server, const struct nodes *alive)
{
    struct seek *seek, *next;

    for (seek = TAILQ_FIRST(&server->seeks.all); seek != NULL; seek = next) {
        next = TAILQ_NEXT(seek, link);
        if (seek->there.node != 0 && (alive == NULL || !nodes_have(alive, seek->there.node)))
            seeks_drop_foreign(&server->seeks, seek);
    }
}

void seek_offers_drop_gone(struct server *server)
{
    drop_all_but(server, &server->nodes);
}

void seek_offers_forget(struct server *server)
{
    drop_all_but(server, NULL);
}
