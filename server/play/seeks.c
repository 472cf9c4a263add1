#include "seeks.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "announce.h"
#include "common/xmalloc.h"
#include "presence.h"
#include "rate_limit.h"
#include "referee.h"
#include "session.h"
#include "settle.h"

/* Returns whether there is a number for another match. If not, the keeper is asked, and the answer
 * is nobody's: the next try finds the numbers. */
static bool lobby_gets_number(struct server *server)
{
    const struct question question = {.kind = LOOK_NUMBERS};

    if (lobby_has_number(&server->lobby))
        return true;
    if (server->keeper->kind->look_up == NULL)
        return false;
    struct look_up *look_up = look_up_new(&question);
    if (server->keeper->kind->look_up(server->keeper, look_up))
        look_up_free(look_up);
    return lobby_has_number(&server->lobby);
}

bool pair_may_open(struct server *server, const struct player *opener, const struct origin *origin)
{
    enum opening_limit limit = opening_limit(server, opener, origin, NULL);

    return (limit == OPENING_FREE || limit == OPENING_FULL) && lobby_gets_number(server) &&
           (limit == OPENING_FREE || referee_make_room(server));
}

struct table *pair_open(struct server *server, struct unit *unit, const struct pair_plan *pair)
{
    const struct table_plan plan = {.game = pair->game,
                                    .start = pair->start,
                                    .clock = pair->clock,
                                    .casual = pair->casual,
                                    .creator = pair->opener,
                                    .origin = pair->origin,
                                    .date = server->wall_s};

    assert(unit->table_count == 0 && pair->players[WHITE] != pair->players[BLACK]);
    struct table *next = unit_open(unit, &server->lobby, &plan);
    for (int color = WHITE; color <= BLACK; color++)
        table_give_seat(next, color, pair->players[color], true);
    unit->pairs = true;
    unit->paired = pair->paired;
    return next;
}

void pair_settle(struct server *server, struct unit *unit)
{
    /* Nobody is rated: no match is over before each side has moved, if it begins at a start. */
    struct lock *lock = conclude(unit, &server->lobby, server->now_ms, server->wall_s);

    assert(lock == NULL);
    (void)lock;
    settle_add(server, unit);
}

enum { OFFER_TEXT_MAX = 512, OFFER_NAME_MAX = 16 };

/* An offer to other servers is a line: the game and its variant, the fields below as NAME=VALUE in
 * any order, then the player as announce.h has it. One table writes and reads the fields, so that
 * none can be taken for another. */
enum offer_field {
    OFFER_BASE_MS,
    OFFER_INCREMENT_MS,
    OFFER_CASUAL,
    OFFER_COLOR,
    OFFER_RANGED,
    OFFER_LOW,
    OFFER_HIGH,
    OFFER_BOTS,
    OFFER_REPEAT,
    OFFER_RATING,
    OFFER_GUESTS,
    OFFER_OPPONENT,
    OFFER_LEAD,
    OFFER_LAST,
    OFFER_FIELDS
};

static const struct {
    const char *name;
    int64_t least, most;
} offer_fields[OFFER_FIELDS] = {[OFFER_BASE_MS] = {"base_ms", 0, INT64_MAX},
                                [OFFER_INCREMENT_MS] = {"increment_ms", 0, INT64_MAX},
                                [OFFER_CASUAL] = {"casual", 0, 1},
                                [OFFER_COLOR] = {"color", -1, BLACK},
                                [OFFER_RANGED] = {"ranged", 0, 1},
                                [OFFER_LOW] = {"low", INT_MIN, INT_MAX},
                                [OFFER_HIGH] = {"high", INT_MIN, INT_MAX},
                                [OFFER_BOTS] = {"bots", BOTS_YES, BOTS_ONLY},
                                [OFFER_REPEAT] = {"repeat", 0, 1},
                                [OFFER_RATING] = {"rating", -SEEK_RATING_MAX, SEEK_RATING_MAX},
                                [OFFER_GUESTS] = {"guests", 0, 1},
                                [OFFER_OPPONENT] = {"opponent", INT64_MIN, INT64_MAX},
                                [OFFER_LEAD] = {"lead", INT_MIN, INT_MAX},
                                [OFFER_LAST] = {"last", INT_MIN, INT_MAX}};

static void write_offer(const struct server *server, const struct seek *seek,
                        char text[OFFER_TEXT_MAX])
{
    const struct seek_wish *wish = &seek->wish;
    struct seek_past past = seek_past(seek);
    const int64_t values[OFFER_FIELDS] = {[OFFER_BASE_MS] = wish->clock.base_ms,
                                          [OFFER_INCREMENT_MS] = wish->clock.increment_ms,
                                          [OFFER_CASUAL] = wish->casual,
                                          [OFFER_COLOR] = wish->color,
                                          [OFFER_RANGED] = wish->ranged,
                                          [OFFER_LOW] = wish->low,
                                          [OFFER_HIGH] = wish->high,
                                          [OFFER_BOTS] = wish->bots,
                                          [OFFER_REPEAT] = wish->repeat,
                                          [OFFER_RATING] = seek->rating,
                                          [OFFER_GUESTS] = seek->is_guests,
                                          [OFFER_OPPONENT] = past.opponent,
                                          [OFFER_LEAD] = past.lead,
                                          [OFFER_LAST] = past.last};

    int used = snprintf(text, OFFER_TEXT_MAX, "%s %s ", wish->game->name, wish->variant);
    for (int i = 0; i < OFFER_FIELDS; i++)
        used += snprintf(text + used, OFFER_TEXT_MAX - (size_t)used, "%s=%" PRId64 " ",
                         offer_fields[i].name, values[i]);
    snprintf(text + used, OFFER_TEXT_MAX - (size_t)used, "%s",
             presence_news_text(server, seek->player).text);
}

/* Reads each field once and returns what follows; NULL: a field is unknown, missing, there twice or
 * out of range. */
static const char *read_offer_fields(const char *text, int64_t values[OFFER_FIELDS])
{
    unsigned seen = 0;
    char name[OFFER_NAME_MAX];
    int64_t value;
    int length = 0;

    while (sscanf(text, "%15[a-z_]=%" SCNd64 " %n", name, &value, &length) == 2) {
        int i = 0;
        while (i < OFFER_FIELDS && strcmp(offer_fields[i].name, name) != 0)
            i++;
        if (i == OFFER_FIELDS || (seen & 1u << i) != 0 || value < offer_fields[i].least ||
            value > offer_fields[i].most)
            return NULL;
        values[i] = value;
        seen |= 1u << i;
        text += length;
    }
    return seen == (1u << OFFER_FIELDS) - 1 ? text : NULL;
}

/* Reads a line; `news` gets the part about the player. False: it is none. */
static bool read_offer(const char *text, struct foreign_seek *foreign, struct presence_news *news)
{
    struct seek_wish *wish = &foreign->wish;
    int64_t values[OFFER_FIELDS];
    char game[VARIANT_NAME_MAX];
    int length = 0;
    struct position start;
    struct cause cause;

    if (sscanf(text, "%15s %15s %n", game, wish->variant, &length) != 2)
        return false;
    const char *rest = read_offer_fields(text + length, values);
    if (rest == NULL)
        return false;
    wish->game = game_find(game, strlen(game));
    wish->clock = clock_fresh(&(struct clock){.base_ms = values[OFFER_BASE_MS],
                                              .increment_ms = values[OFFER_INCREMENT_MS]});
    wish->casual = values[OFFER_CASUAL] != 0;
    wish->color = (int)values[OFFER_COLOR];
    wish->ranged = values[OFFER_RANGED] != 0;
    wish->low = (int)values[OFFER_LOW];
    wish->high = (int)values[OFFER_HIGH];
    wish->bots = (enum bots_wanted)values[OFFER_BOTS];
    wish->repeat = values[OFFER_REPEAT] != 0;
    foreign->rating = (int)values[OFFER_RATING];
    foreign->is_guests = values[OFFER_GUESTS] != 0;
    foreign->past = (struct seek_past){.opponent = values[OFFER_OPPONENT],
                                       .lead = (int)values[OFFER_LEAD],
                                       .last = (int)values[OFFER_LAST]};
    return wish->game != NULL && wish->game->start(wish->variant, &start, &cause) &&
           presence_news_read(news, rest);
}

/* The player of a foreign seek, who may be here, too; NULL: somebody else has their name. */
static struct player *player_of_foreign(struct server *server, const struct presence_news *news)
{
    struct player *player = players_find_id(&server->players, news->id);

    if (player == NULL && players_find(&server->players, news->name) == NULL)
        player = players_add_stored(&server->players, news->id, news->kind, news->name);
    if (player == NULL || player_is_connected(player))
        return player;
    if (player->kind == PLAYER_NAMED)
        player->stored = true;
    player_set(player, news->bot, player->here);
    presence_meet(server, player, news);
    return player;
}

static void offer_seek(struct server *server, struct seek *seek)
{
    struct keeper *keeper = server->keeper;
    char text[OFFER_TEXT_MAX];

    if (keeper->kind->offer_seek == NULL || seek->there.node != 0 ||
        (seek->offered && !seek->changed))
        return;
    seek->offered = true;
    seek->changed = false;
    write_offer(server, seek, text);
    keeper->kind->offer_seek(keeper, seek->number, text);
}

static void withdraw_offer(struct server *server, int64_t number)
{
    server->keeper->kind->offer_seek(server->keeper, number, NULL);
}

void seek_offers_withdraw(struct server *server)
{
    struct seek_numbers *gone = &server->seeks.withdrawn;

    for (int i = 0; i < gone->count; i++)
        withdraw_offer(server, gone->numbers[i]);
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
    if (offered->text == NULL || !read_offer(offered->text, &foreign, &news))
        return;
    foreign.player = player_of_foreign(server, &news);
    if (foreign.player != NULL)
        seeks_add_foreign(&server->seeks, &foreign);
}

static int compare_offers(const void *a, const void *b)
{
    const struct offered_seek *one = a, *other = b;

    if (one->node != other->node)
        return one->node < other->node ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
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
            count > 0 ? bsearch(&key, list, (size_t)count, sizeof *list, compare_offers) : NULL;
        if (listed != NULL)
            known[listed - list] = seek->stage != SEEK_PLAYS;
        if (seek->stage != SEEK_WAITS)
            continue;
        if (seek->there.node == 0) { /* it began here */
            bool is_old = listed != NULL && listed->match != 0 && listed->match == seek->match;
            if (is_old) /* that it was taken back is lost */
                withdraw_offer(server, listed->number);
            if (seek->offered && (listed == NULL || is_old))
                seeks_offer_again(&server->seeks, seek);
        } else if (listed == NULL || listed->match != 0) {
            seeks_drop_foreign(&server->seeks, seek);
        } else if (strcmp(seek->text, listed->text) != 0) {
            seek_offers_take(server, listed);
        }
    }
    for (int i = 0; i < count; i++) {
        if (!known[i] && list[i].node == server->nodes.own)
            withdraw_offer(server, list[i].number);
        else if (!known[i] && list[i].match == 0)
            seek_offers_take(server, &list[i]);
    }
    free(known);
}

void seek_offers_drop_all_but(struct server *server, const struct nodes *alive)
{
    struct seek *seek, *next;

    for (seek = TAILQ_FIRST(&server->seeks.all); seek != NULL; seek = next) {
        next = TAILQ_NEXT(seek, link);
        if (seek->there.node != 0 && (alive == NULL || !nodes_have(alive, seek->there.node)))
            seeks_drop_foreign(&server->seeks, seek);
    }
}

/* A seek that is in a unit; NULL: it was taken back, or another server has paired it. */
static struct seek *find_paired(struct server *server, const struct table *table,
                                const struct paired *paired, int color)
{
    const struct seek_id id = {paired->nodes[color], paired->seeks[color]};
    const struct player *player = table->seats[color].player;
    struct seek *seek = NULL;

    if (id.node != 0)
        seek = seeks_find_foreign(&server->seeks, id);
    else
        seek = session_seek_of(player, id.number);
    return seek != NULL && seek->stage == SEEK_IS_PAIRED ? seek : NULL;
}

static void begin_match(struct server *server, struct seek *seek, const struct table *table)
{
    if (seek->there.node != 0)
        seeks_drop_foreign(&server->seeks, seek);
    else if (seek->wish.repeat)
        seeks_play(&server->seeks, seek, table->number);
    else
        seeks_drop(&server->seeks, &seek->session->seeks, seek);
}

/* The match of two seeks is kept, or not: then they wait again. */
static void on_pair_settled(void *context, const struct unit *unit)
{
    struct server *server = context;
    const struct table_draft *draft = &unit->tables[0];
    const struct table *table = unit->kept == KEPT ? draft->table : draft->next;

    for (int color = WHITE; color <= BLACK; color++) {
        struct seek *seek = find_paired(server, table, &unit->paired, color);
        if (seek == NULL)
            continue;
        if (unit->kept == KEPT)
            begin_match(server, seek, table);
        else
            seeks_wait(&server->seeks, seek, true);
    }
}

/* Returns whether a match may be opened that counts for this one of the two, who has to be here. */
static bool may_open_for_seek(struct server *server, const struct seek *seek)
{
    return seek->session != NULL &&
           pair_may_open(server, seek->player, rate_limit_origin(seek->session));
}

static void name_seek(struct paired *paired, enum color color, const struct seek *seek)
{
    paired->seeks[color] = seek->there.number;
    paired->nodes[color] = seek->there.node;
    paired->offered[color] = seek->offered;
}

static void open_for_seeks(struct server *server, struct seek *seek, struct seek *partner,
                           const struct seek *opener)
{
    const struct seek_wish *wish = &seek->wish;
    enum color color = seek_color(seek, partner);
    struct pair_plan plan = {.game = wish->game,
                             .clock = wish->clock,
                             .casual = wish->casual,
                             .opener = opener->player,
                             .origin = rate_limit_origin(opener->session)};
    struct position start;
    struct cause cause;

    wish->game->start(wish->variant, &start, &cause);
    plan.start = &start;
    plan.players[color] = seek->player;
    plan.players[!color] = partner->player;
    name_seek(&plan.paired, color, seek);
    name_seek(&plan.paired, !color, partner);
    seeks_pair(&server->seeks, seek);
    seeks_pair(&server->seeks, partner);

    struct unit *unit = unit_new();
    unit->ended = on_pair_settled;
    unit->context = server;
    pair_open(server, unit, &plan);
    pair_settle(server, unit);
}

/* Returns whether the server keeps another match for a seek's address today, and the player takes
 * another one now. If not, it is passed over. */
static bool can_keep(struct server *server, struct seek *seek)
{
    bool can = seek->session == NULL || (rate_limit_keep_wait_ms(seek->session) == 0 &&
                                         !player_is_full(seek->player, seek->wish.matches_max));

    if (!can)
        seeks_block(&server->seeks, seek);
    return can;
}

static void find_partner(struct server *server, struct seek *seek)
{
    struct seek *partner;

    if (!can_keep(server, seek))
        return;
    do {
        partner = seek_partner(seek);
        if (partner == NULL) {
            offer_seek(server, seek);
            return;
        }
    } while (!can_keep(server, partner));
    struct seek *older = seek->number < partner->number ? seek : partner;
    struct seek *younger = older == seek ? partner : seek;
    if (may_open_for_seek(server, older))
        open_for_seeks(server, seek, partner, older);
    else if (may_open_for_seek(server, younger))
        open_for_seeks(server, seek, partner, younger);
    else
        seeks_block(&server->seeks, seek);
}

void seeking_take(struct server *server, int64_t number, const struct table *table)
{
    struct seek *seek = seeks_find_own(&server->seeks, number);

    if (seek == NULL || seek->stage == SEEK_PLAYS || seek->match == table->number)
        return; /* it is told again of a match that it knows */
    struct session *session = seek->session;
    struct paired paired = {.seeks = {0}};
    paired.seeks[table->seats[BLACK].player == seek->player ? BLACK : WHITE] = number;
    if (seek->stage == SEEK_WAITS)
        seeks_pair(&server->seeks, seek);
    begin_match(server, seek, table);
    settle_charge_pair(session);
    announce_paired(table, &paired);
    if (table->match.status == MATCH_OVER)
        seeks_match_over(&server->seeks, &session->seeks, table->number);
}

void seeking_pair(struct server *server)
{
    struct seek *seek;

    while (!server->stopping && (seek = seeks_next_fresh(&server->seeks)) != NULL)
        find_partner(server, seek);
}
