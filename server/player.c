#include "player.h"

#include <search.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "log.h"

static int compare_names(const void *a, const void *b)
{
    return strcasecmp(((const struct player *)a)->name, ((const struct player *)b)->name);
}

void players_init(struct players *players, int named_max)
{
    *players = (struct players){.named_max = named_max};
    TAILQ_INIT(&players->away);
    LIST_INIT(&players->unused);
}

static void player_free(struct player *player)
{
    ratings_release(&player->ratings);
    free(player);
}

void players_release(struct players *players)
{
    while (players->by_name != NULL) {
        struct player *player = *(struct player **)players->by_name;
        tdelete(player, &players->by_name, compare_names);
        player_free(player);
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
    player->id = ++players->last_id;
    player->kind = kind;
    player->bot = kind == PLAYER_HOUSE;
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
        players->fresh -= !player->played;
        if (player->session == NULL)
            TAILQ_REMOVE(&players->away, player, away);
    }
    if (player->unused)
        LIST_REMOVE(player, unused_link);
    tdelete(player, &players->by_name, compare_names);
    player_free(player);
}

struct player *players_add_guest(struct players *players)
{
    char name[NAME_TEXT_MAX];

    snprintf(name, sizeof name, "guest-%llu", (unsigned long long)players->guests + 1);
    struct player *player = add(players, PLAYER_GUEST, name);
    players->guests += player != NULL;
    return player;
}

struct player *players_add_house(struct players *players, const char *level)
{
    char name[NAME_TEXT_MAX];

    snprintf(name, sizeof name, "bot:%s", level);
    struct player *player = players_find(players, name);
    return player != NULL ? player : add(players, PLAYER_HOUSE, name);
}

struct player *players_add_stored(struct players *players, int64_t id, enum player_kind kind,
                                  const char *name)
{
    struct player *player = add(players, kind, name);
    unsigned long long number;

    if (player == NULL)
        return NULL;
    player->id = id;
    if (players->last_id < id)
        players->last_id = id;
    player->stored = true;
    if (kind == PLAYER_NAMED) {
        players->named++;
        players->fresh++;
        TAILQ_INSERT_TAIL(&players->away, player, away);
    }
    if (kind == PLAYER_GUEST && sscanf(name, "guest-%llu", &number) == 1 &&
        players->guests < number)
        players->guests = number;
    return player;
}

bool name_is_valid(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t length = strlen(name);

    return length >= 1 && length <= NAME_BYTES_MAX && strspn(name, letters) == length;
}

bool name_is_reserved(const char *name)
{
    return strncasecmp(name, "guest-", 6) == 0 || strcasecmp(name, "me") == 0 ||
           strcasecmp(name, "open") == 0;
}

/* The named player who has been away longest and has no seat left to come back to, or NULL. */
static struct player *first_to_forget(const struct players *players)
{
    struct player *player;

    TAILQ_FOREACH (player, &players->away, away)
        if (!player->played && TAILQ_EMPTY(&player->seats) && TAILQ_EMPTY(&player->created))
            return player;
    return NULL;
}

void player_mark_played(struct players *players, struct player *player)
{
    if (player->played)
        return;
    player->played = true;
    players->fresh -= player->kind == PLAYER_NAMED;
}

void players_trim(struct players *players)
{
    struct player *player;

    players->grown = false;
    while (players->fresh > players->named_max && (player = first_to_forget(players)) != NULL)
        forget(players, player);
}

bool players_have_room(const struct players *players)
{
    return players->fresh < players->named_max ||
           (players->fresh == players->named_max && first_to_forget(players) != NULL);
}

void random_hex(char *text, int bytes)
{
    unsigned char random[64];

    if (bytes > (int)sizeof random)
        abort();
    randombytes_buf(random, (size_t)bytes);
    sodium_bin2hex(text, (size_t)bytes * 2 + 1, random, (size_t)bytes);
}

/* Gives the player another name and finds him a place among the names. False, with nothing
 * changed, when memory ran out. */
static bool rename_player(struct players *players, struct player *player, const char *name)
{
    struct player wanted;

    /* The new place comes first, as it may fail; it is his once he has left the old one. */
    snprintf(wanted.name, sizeof wanted.name, "%s", name);
    if (tsearch(&wanted, &players->by_name, compare_names) == NULL)
        return false;
    tdelete(player, &players->by_name, compare_names);
    memcpy(player->name, wanted.name, sizeof player->name);
    struct player **place = tfind(player, &players->by_name, compare_names);
    *place = player;
    return true;
}

static void hash_token(unsigned char hash[TOKEN_HASH_BYTES], const char *token)
{
    crypto_generichash(hash, TOKEN_HASH_BYTES, (const unsigned char *)token, strlen(token), NULL,
                       0);
}

bool player_take_name(struct players *players, struct player *player, const char *name, bool bot,
                      char token[TOKEN_TEXT_MAX])
{
    if (!rename_player(players, player, name))
        return false;
    player->kind = PLAYER_NAMED;
    player->bot = bot;
    random_hex(token, (TOKEN_TEXT_MAX - 1) / 2);
    hash_token(player->token_hash, token);
    players->named++;
    players->fresh += !player->played;
    players->grown = true;
    if (player->session == NULL)
        TAILQ_INSERT_TAIL(&players->away, player, away);
    return true;
}

void player_save(const struct player *player, struct player_copy *copy)
{
    *copy =
        (struct player_copy){.kind = player->kind, .bot = player->bot, .seen_s = player->seen_s};
    memcpy(copy->name, player->name, sizeof copy->name);
    memcpy(copy->token_hash, player->token_hash, sizeof copy->token_hash);
}

/* The registry would be wrong from here on. All that was acknowledged is in the store. */
static _Noreturn void end_at_once(const struct player *player)
{
    log_line(LOG_ERROR,
             "event=out-of-memory peer=%s text=\"the name cannot be given back: the server ends\"",
             player->name);
    _exit(EXIT_FAILURE);
}

void player_restore(struct players *players, struct player *player, const struct player_copy *copy)
{
    if (player->kind == PLAYER_NAMED && copy->kind == PLAYER_GUEST) {
        players->named--;
        players->fresh -= !player->played;
        if (player->session == NULL)
            TAILQ_REMOVE(&players->away, player, away);
    }
    if (strcmp(player->name, copy->name) != 0 && !rename_player(players, player, copy->name))
        end_at_once(player);
    player->kind = copy->kind;
    player->bot = copy->bot;
    player->seen_s = copy->seen_s;
    memcpy(player->token_hash, copy->token_hash, sizeof player->token_hash);
    player_release_unused(players, player);
}

const char *player_kind_text(enum player_kind kind)
{
    static const char *const texts[] = {"guest", "named", "house"};

    return texts[kind];
}

/* Their hashes are compared: the time tells not even how long the secret is. */
bool secret_equal(const char *secret, const char *given)
{
    unsigned char hashes[2][TOKEN_HASH_BYTES];

    hash_token(hashes[0], secret);
    hash_token(hashes[1], given);
    return sodium_memcmp(hashes[0], hashes[1], TOKEN_HASH_BYTES) == 0;
}

bool player_token_matches(const struct player *player, const char *token)
{
    unsigned char hash[TOKEN_HASH_BYTES];

    hash_token(hash, token);
    return player->kind == PLAYER_NAMED &&
           sodium_memcmp(hash, player->token_hash, sizeof hash) == 0;
}

bool player_glicko(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko)
{
    if (player->kind == PLAYER_GUEST)
        return false;
    const struct rating *rating = rating_find(&player->ratings, game, variant);
    *glicko = rating != NULL ? rating->now : glicko_start();
    return true;
}

/* A walk over the tree, which hands on each node up to three times. */
struct walk {
    void (*visit)(const struct player *player, void *context);
    void *context;
};

static void walk_node(const void *node, VISIT visit, void *context)
{
    const struct walk *walk = context;

    if (visit == postorder || visit == leaf)
        walk->visit(*(struct player *const *)node, walk->context);
}

void players_each(const struct players *players,
                  void (*visit)(const struct player *player, void *context), void *context)
{
    struct walk walk = {visit, context};

    twalk_r(players->by_name, walk_node, &walk);
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

static bool is_unused(const struct player *player)
{
    return player->kind == PLAYER_GUEST && player->session == NULL && TAILQ_EMPTY(&player->seats) &&
           TAILQ_EMPTY(&player->created);
}

void player_release_unused(struct players *players, struct player *player)
{
    if (!is_unused(player))
        return;
    if (!players->held) {
        forget(players, player);
    } else if (!player->unused) {
        player->unused = true;
        LIST_INSERT_HEAD(&players->unused, player, unused_link);
    }
}

void players_sweep(struct players *players)
{
    struct player *player;

    while (!players->held && (player = LIST_FIRST(&players->unused)) != NULL) {
        LIST_REMOVE(player, unused_link);
        player->unused = false;
        player_release_unused(players, player);
    }
}
