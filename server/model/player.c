#include "player.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/xmalloc.h"

void players_init(struct players *players, int named_max)
{
    *players = (struct players){.named_max = named_max};
    TAILQ_INIT(&players->away);
    TAILQ_INIT(&players->naming);
}

/* Writes the key of a name, which ignores case. */
static void fold_name(char key[NAME_TEXT_MAX], const char *name)
{
    size_t i = 0;

    for (; i < NAME_TEXT_MAX - 1 && name[i] != '\0'; i++)
        key[i] = (char)tolower((unsigned char)name[i]);
    key[i] = '\0';
}

static void set_name(struct player *player, const char *name)
{
    snprintf(player->name, sizeof player->name, "%s", name);
    fold_name(player->key, name);
    HASH_ADD_KEYPTR(by_key, player->players->by_key, player->key, strlen(player->key), player);
}

struct player *players_find(const struct players *players, const char *name)
{
    char key[NAME_TEXT_MAX];
    struct player *player;

    if (strlen(name) >= sizeof key)
        return NULL;
    fold_name(key, name);
    HASH_FIND(by_key, players->by_key, key, strlen(key), player);
    return player;
}

struct player *players_find_id(const struct players *players, int64_t id)
{
    struct player *player;

    HASH_FIND(by_id, players->by_id, &id, sizeof id, player);
    return player;
}

struct player *players_find_naming(const struct players *players, const char *name)
{
    struct player *player;

    TAILQ_FOREACH (player, &players->naming, naming_link)
        if (strcasecmp(player->new_name, name) == 0)
            return player;
    return NULL;
}

void player_begin_naming(struct player *player, const char *name)
{
    player->new_name = name;
    TAILQ_INSERT_TAIL(&player->players->naming, player, naming_link);
    player->players->naming_count++;
}

void player_end_naming(struct player *player)
{
    if (player->new_name == NULL)
        return;
    player->new_name = NULL;
    TAILQ_REMOVE(&player->players->naming, player, naming_link);
    player->players->naming_count--;
}

static struct player *add(struct players *players, int64_t id, enum player_kind kind,
                          const char *name)
{
    struct player *player = xcalloc(1, sizeof *player);

    player->id = id;
    player->kind = kind;
    player->bot = kind == PLAYER_HOUSE;
    player->players = players;
    TAILQ_INIT(&player->seats);
    TAILQ_INIT(&player->created);
    lock_init(&player->lock);
    set_name(player, name);
    HASH_ADD(by_id, players->by_id, id, sizeof player->id, player);
    return player;
}

static void forget(struct player *player)
{
    struct players *players = player->players;

    if (player->kind == PLAYER_NAMED) {
        players->named--;
        players->fresh -= !player->played;
        if (player->session == NULL)
            TAILQ_REMOVE(&players->away, player, away);
    }
    HASH_DELETE(by_key, players->by_key, player);
    HASH_DELETE(by_id, players->by_id, player);
    lock_destroy(&player->lock);
    ratings_release(&player->ratings);
    free(player);
}

void players_release(struct players *players)
{
    while (players->by_key != NULL)
        forget(players->by_key);
}

struct player *players_add_guest(struct players *players)
{
    char name[NAME_TEXT_MAX];

    players->last_id = numbers_next(&players->ids, players->last_id);
    if (players->ids.end > 0)
        players->guests = (uint64_t)players->last_id;
    else
        players->guests++;
    snprintf(name, sizeof name, "guest-%llu", (unsigned long long)players->guests);
    return add(players, players->last_id, PLAYER_GUEST, name);
}

struct player *players_add_house(struct players *players, const char *level)
{
    char name[NAME_TEXT_MAX];

    snprintf(name, sizeof name, "bot:%s", level);
    struct player *player = players_find(players, name);
    if (player != NULL)
        return player;
    players->last_id = numbers_next(&players->ids, players->last_id);
    return add(players, players->last_id, PLAYER_HOUSE, name);
}

struct player *players_add_stored(struct players *players, int64_t id, enum player_kind kind,
                                  const char *name)
{
    struct player *player = add(players, id, kind, name);
    unsigned long long number;

    if (players->ids.end == 0 && players->last_id < id)
        players->last_id = id;
    player->stored = true;
    if (kind == PLAYER_NAMED) {
        players->named++;
        players->fresh++;
        TAILQ_INSERT_TAIL(&players->away, player, away);
    }
    if (kind == PLAYER_GUEST && players->ids.end == 0 && sscanf(name, "guest-%llu", &number) == 1 &&
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

/* Whether nothing in memory names the player. */
static bool is_unused(const struct player *player)
{
    return player->session == NULL && player->holds == 0 && player->lock.owner == NULL &&
           TAILQ_EMPTY(&player->seats) && TAILQ_EMPTY(&player->created);
}

/* Returns the next named player after `player` (NULL: the first) who may be forgotten, or NULL. */
static struct player *next_to_forget(const struct players *players, const struct player *player)
{
    struct player *next = player != NULL ? TAILQ_NEXT(player, away) : TAILQ_FIRST(&players->away);

    while (next != NULL && (next->played || !is_unused(next)))
        next = TAILQ_NEXT(next, away);
    return next;
}

void players_forget_unused(struct players *players)
{
    for (struct player *player = players->by_key, *next; player != NULL; player = next) {
        next = player->by_key.next;
        if (player->kind != PLAYER_HOUSE && is_unused(player))
            forget(player);
    }
}

void player_mark_played(struct player *player)
{
    if (player->played)
        return;
    player->played = true;
    player->players->fresh -= player->kind == PLAYER_NAMED;
}

void players_trim(struct players *players)
{
    struct player *player;

    players->grown = false;
    while (players->fresh > players->named_max && (player = next_to_forget(players, NULL)) != NULL)
        forget(player);
}

bool players_have_room(const struct players *players)
{
    int excess = players->fresh + players->naming_count + 1 - players->named_max;
    const struct player *player = NULL;

    for (; excess > 0; excess--) {
        player = next_to_forget(players, player);
        if (player == NULL)
            return false;
    }
    return true;
}

void random_hex(char *text, int bytes)
{
    unsigned char random[64];

    if (bytes > (int)sizeof random)
        abort();
    randombytes_buf(random, (size_t)bytes);
    sodium_bin2hex(text, (size_t)bytes * 2 + 1, random, (size_t)bytes);
}

void token_hash(unsigned char hash[TOKEN_HASH_BYTES], const char *token)
{
    crypto_generichash(hash, TOKEN_HASH_BYTES, (const unsigned char *)token, strlen(token), NULL,
                       0);
}

struct identity player_identity(const struct player *player)
{
    struct identity identity = {.kind = player->kind, .bot = player->bot, .seen_s = player->seen_s};

    memcpy(identity.name, player->name, sizeof identity.name);
    memcpy(identity.token_hash, player->token_hash, sizeof identity.token_hash);
    return identity;
}

struct identity player_named(const struct player *guest, const char *name, bool bot,
                             char token[TOKEN_TEXT_MAX])
{
    struct identity identity = player_identity(guest);

    identity.kind = PLAYER_NAMED;
    identity.bot = bot;
    snprintf(identity.name, sizeof identity.name, "%s", name);
    random_hex(token, (TOKEN_TEXT_MAX - 1) / 2);
    token_hash(identity.token_hash, token);
    return identity;
}

static void note_named(struct player *player)
{
    struct players *players = player->players;

    players->named++;
    players->fresh += !player->played;
    players->grown = true;
    if (player->session == NULL)
        TAILQ_INSERT_TAIL(&players->away, player, away);
}

void player_settle(struct player *player, const struct identity *identity)
{
    bool was_guest = player->kind == PLAYER_GUEST;

    if (strcmp(player->name, identity->name) != 0) {
        HASH_DELETE(by_key, player->players->by_key, player);
        set_name(player, identity->name);
    }
    memcpy(player->token_hash, identity->token_hash, sizeof player->token_hash);
    player->kind = identity->kind;
    player->bot = identity->bot;
    player->seen_s = identity->seen_s;
    if (was_guest && player->kind == PLAYER_NAMED)
        note_named(player);
}

const char *player_kind_text(enum player_kind kind)
{
    static const char *const texts[] = {"guest", "named", "house"};

    return texts[kind];
}

/* Compares hashes, so that the time does not even tell the length of the secret. */
bool secret_equal(const char *secret, const char *given)
{
    unsigned char hashes[2][TOKEN_HASH_BYTES];

    token_hash(hashes[0], secret);
    token_hash(hashes[1], given);
    return sodium_memcmp(hashes[0], hashes[1], TOKEN_HASH_BYTES) == 0;
}

bool player_token_matches(const struct player *player, const char *token)
{
    unsigned char hash[TOKEN_HASH_BYTES];

    token_hash(hash, token);
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

int64_t player_claim_ms(const struct player *player, const struct instant *instant)
{
    int64_t since_ms =
        player->away_ms > instant->started_ms ? player->away_ms : instant->started_ms;
    int64_t left_ms = since_ms + instant->grace_s * INT64_C(1000) - instant->now_ms;

    if (player->here)
        return -1;
    return left_ms > 0 ? left_ms : 0;
}

void players_each(const struct players *players,
                  void (*visit)(const struct player *player, void *context), void *context)
{
    for (const struct player *player = players->by_key; player != NULL;
         player = player->by_key.next)
        visit(player, context);
}

void player_set_session(struct player *player, struct session *session)
{
    struct players *players = player->players;

    if (player->kind == PLAYER_NAMED && (player->session == NULL) != (session == NULL)) {
        if (session == NULL)
            TAILQ_INSERT_TAIL(&players->away, player, away);
        else
            TAILQ_REMOVE(&players->away, player, away);
    }
    player->session = session;
    player->here = session != NULL;
    if (session == NULL)
        player_release_unused(player);
}

void player_hold(struct player *player)
{
    player->holds++;
}

void player_let_go(struct player *player)
{
    player->holds--;
    player_release_unused(player);
}

void player_release_unused(struct player *player)
{
    if (player->kind == PLAYER_GUEST && is_unused(player))
        forget(player);
}
