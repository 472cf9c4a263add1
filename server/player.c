#include "player.h"

#include <search.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

static int compare_names(const void *a, const void *b)
{
    return strcasecmp(((const struct player *)a)->name, ((const struct player *)b)->name);
}

void players_init(struct players *players, int named_max)
{
    *players = (struct players){.named_max = named_max};
    TAILQ_INIT(&players->away);
}

void players_release(struct players *players)
{
    while (players->by_name != NULL) {
        struct player *player = *(struct player **)players->by_name;
        tdelete(player, &players->by_name, compare_names);
        free(player);
    }
}

struct player *players_find(const struct players *players, const char *name)
{
    struct player wanted;

    if (strlen(name) >= sizeof wanted.name)
        return NULL;
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    struct player **found = tfind(&wanted, &players->by_name, compare_names);
    return found != NULL ? *found : NULL;
}

static struct player *add(struct players *players, enum player_kind kind, const char *name)
{
    struct player *player = calloc(1, sizeof *player);

    if (player == NULL)
        return NULL;
    player->kind = kind;
    TAILQ_INIT(&player->seats);
    TAILQ_INIT(&player->created);
    snprintf(player->name, sizeof player->name, "%s", name);
    if (tsearch(player, &players->by_name, compare_names) == NULL) {
        free(player);
        return NULL;
    }
    return player;
}

static void forget(struct players *players, struct player *player)
{
    if (player->kind == PLAYER_NAMED) {
        players->named--;
        if (player->session == NULL)
            TAILQ_REMOVE(&players->away, player, away);
    }
    tdelete(player, &players->by_name, compare_names);
    free(player);
}

struct player *players_add_guest(struct players *players)
{
    char name[NAME_TEXT_MAX];

    snprintf(name, sizeof name, "guest-%llu", (unsigned long long)++players->guests);
    return add(players, PLAYER_GUEST, name);
}

struct player *players_add_house(struct players *players, const char *level)
{
    char name[NAME_TEXT_MAX];

    snprintf(name, sizeof name, "bot:%s", level);
    struct player *player = add(players, PLAYER_HOUSE, name);
    if (player != NULL)
        player->bot = true;
    return player;
}

bool name_is_valid(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t length = strlen(name);

    return length >= 1 && length <= NAME_BYTES_MAX && strspn(name, letters) == length &&
           strncasecmp(name, "guest-", 6) != 0 && strcasecmp(name, "me") != 0 &&
           strcasecmp(name, "open") != 0;
}

/* Forgets the named player who has been away longest and has no seat left to come back to. */
static bool forget_one(struct players *players)
{
    struct player *player;

    TAILQ_FOREACH (player, &players->away, away) {
        if (TAILQ_EMPTY(&player->seats) && TAILQ_EMPTY(&player->created)) {
            forget(players, player);
            return true;
        }
    }
    return false;
}

void random_hex(char *text, int bytes)
{
    unsigned char random[64];

    if (bytes > (int)sizeof random || getentropy(random, (size_t)bytes) != 0)
        abort(); /* without randomness no secret may be given out */
    for (int i = 0; i < bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", random[i]);
}

bool player_take_name(struct players *players, struct player *player, const char *name, bool bot)
{
    if (players->named >= players->named_max && !forget_one(players))
        return false;
    char old[NAME_TEXT_MAX];
    memcpy(old, player->name, sizeof old);
    tdelete(player, &players->by_name, compare_names);
    snprintf(player->name, sizeof player->name, "%s", name);
    if (tsearch(player, &players->by_name, compare_names) == NULL) {
        memcpy(player->name, old, sizeof old);
        if (tsearch(player, &players->by_name, compare_names) == NULL)
            abort(); /* the node just freed is enough for one */
        return false;
    }
    player->kind = PLAYER_NAMED;
    player->bot = bot;
    random_hex(player->token, (TOKEN_TEXT_MAX - 1) / 2);
    players->named++;
    if (player->session == NULL)
        TAILQ_INSERT_TAIL(&players->away, player, away);
    return true;
}

bool secret_equal(const char *secret, const char *given)
{
    size_t length = strlen(secret);
    unsigned char differs = 0;

    if (strlen(given) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(secret[i] ^ given[i]);
    return differs == 0;
}

bool player_token_matches(const struct player *player, const char *token)
{
    return player->kind == PLAYER_NAMED && secret_equal(player->token, token);
}

void player_set_session(struct players *players, struct player *player, struct session *session)
{
    if (player->kind == PLAYER_NAMED && (player->session == NULL) != (session == NULL)) {
        if (session == NULL)
            TAILQ_INSERT_TAIL(&players->away, player, away);
        else
            TAILQ_REMOVE(&players->away, player, away);
    }
    player->session = session;
    if (session == NULL)
        player_release_unused(players, player);
}

void player_release_unused(struct players *players, struct player *player)
{
    if (player->kind == PLAYER_GUEST && player->session == NULL && TAILQ_EMPTY(&player->seats) &&
        TAILQ_EMPTY(&player->created))
        forget(players, player);
}
