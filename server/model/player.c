#include "player.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anchor.h"
#include "common/text.h"
#include "common/xmalloc.h"

void players_init(struct players *players, int named_max)
{
    *players = (struct players){.named_max = named_max};
    TAILQ_INIT(&players->away);
    TAILQ_INIT(&players->naming);
    rated_puzzles_init(&players->puzzles);
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

void player_begin_naming(struct player *player, const char *name, const char *looks)
{
    player->new_name = name;
    player->new_looks = looks;
    TAILQ_INSERT_TAIL(&player->players->naming, player, naming_link);
    player->players->naming_count += name != NULL;
}

void player_end_naming(struct player *player)
{
    if (player->new_name == NULL && player->new_looks == NULL)
        return;
    player->players->naming_count -= player->new_name != NULL;
    player->new_name = player->new_looks = NULL;
    TAILQ_REMOVE(&player->players->naming, player, naming_link);
}

static bool name_looks_so(const char *name, const char *looks)
{
    char own[LOOKS_TEXT_MAX];

    name_looks(name, own);
    return strcmp(own, looks) == 0;
}

const struct player *players_find_like(const struct players *players, const struct player *own,
                                       const char *looks, bool names)
{
    const struct player *player, *next;
    const struct display *display;

    HASH_FIND(by_looks, players->by_looks, looks, strlen(looks), display);
    if (display != NULL && display != own->display)
        return display->player;
    if (names)
        HASH_ITER (by_key, players->by_key, player, next)
            if (player != own && player->kind != PLAYER_GUEST && name_looks_so(player->name, looks))
                return player;
    return NULL;
}

struct player *players_find_naming_like(const struct players *players, const struct player *own,
                                        const char *looks)
{
    struct player *player;

    TAILQ_FOREACH (player, &players->naming, naming_link)
        if (player != own && (player->new_name != NULL ? name_looks_so(player->new_name, looks)
                                                       : strcmp(player->new_looks, looks) == 0))
            return player;
    return NULL;
}

void player_set_display(struct player *player, const char *text, const char *looks)
{
    struct players *players = player->players;
    struct display *display = player->display;

    if (display != NULL) {
        HASH_DELETE(by_looks, players->by_looks, display);
        free(display);
        player->display = NULL;
    }
    if (text[0] == '\0')
        return;
    player->display = display = xcalloc(1, sizeof *display);
    display->player = player;
    snprintf(display->text, sizeof display->text, "%s", text);
    snprintf(display->looks, sizeof display->looks, "%s", looks);
    /* A damaged store, or what memory has of another server's players, may have it twice. */
    HASH_ADD_KEYPTR(by_looks, players->by_looks, display->looks, strlen(display->looks), display);
}

static struct player *add_player(struct players *players, int64_t id, enum player_kind kind,
                                 const char *name)
{
    struct player *player = xcalloc(1, sizeof *player);

    player->id = id;
    player->kind = kind;
    player->bot = kind == PLAYER_HOUSE;
    player->players = players;
    TAILQ_INIT(&player->seats);
    TAILQ_INIT(&player->created);
    TAILQ_INIT(&player->windows);
    lock_init(&player->lock);
    set_name(player, name);
    HASH_ADD(by_id, players->by_id, id, sizeof player->id, player);
    return player;
}

static void forget_player(struct player *player)
{
    struct players *players = player->players;

    if (player->kind == PLAYER_NAMED) {
        players->named--;
        players->fresh -= !player->played;
        if (!player_is_connected(player))
            TAILQ_REMOVE(&players->away, player, away);
    }
    HASH_DELETE(by_key, players->by_key, player);
    HASH_DELETE(by_id, players->by_id, player);
    lock_destroy(&player->lock);
    player_drop_device(player);
    player_set_display(player, "", "");
    free(player->tokens);
    free(player->elsewhere);
    ratings_release(&player->ratings);
    free(player);
}

void players_release(struct players *players)
{
    while (players->by_key != NULL)
        forget_player(players->by_key);
    rated_puzzles_release(&players->puzzles);
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
    return add_player(players, players->last_id, PLAYER_GUEST, name);
}

struct player *players_add_house(struct players *players, const char *level)
{
    char name[NAME_TEXT_MAX];

    snprintf(name, sizeof name, "bot:%s", level);
    struct player *player = players_find(players, name);
    if (player != NULL)
        return player;
    players->last_id = numbers_next(&players->ids, players->last_id);
    return add_player(players, players->last_id, PLAYER_HOUSE, name);
}

struct player *players_add_stored(struct players *players, int64_t id, enum player_kind kind,
                                  const char *name)
{
    struct player *player = add_player(players, id, kind, name);
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

/* Returns whether nothing in memory names the player. */
static bool is_unused_player(const struct player *player)
{
    return !player_is_connected(player) && player->holds == 0 && player->lock.owner == NULL &&
           TAILQ_EMPTY(&player->seats) && TAILQ_EMPTY(&player->created);
}

/* Returns the next named player after `player` (NULL: the first) who may be forgotten, or NULL. */
static struct player *next_to_forget(const struct players *players, const struct player *player)
{
    struct player *next = player != NULL ? TAILQ_NEXT(player, away) : TAILQ_FIRST(&players->away);

    while (next != NULL && (next->played || !is_unused_player(next)))
        next = TAILQ_NEXT(next, away);
    return next;
}

void players_forget_unused(struct players *players)
{
    for (struct player *player = players->by_key, *next; player != NULL; player = next) {
        next = player->by_key.next;
        if (player->kind != PLAYER_HOUSE && is_unused_player(player))
            forget_player(player);
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
        forget_player(player);
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
    if (player->display != NULL) {
        memcpy(identity.display, player->display->text, sizeof identity.display);
        memcpy(identity.looks, player->display->looks, sizeof identity.looks);
    }
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

void player_copy_display(const struct player *player, char display[DISPLAY_TEXT_MAX])
{
    display[0] = '\0';
    if (player->display != NULL)
        memcpy(display, player->display->text, DISPLAY_TEXT_MAX);
}

void player_set(struct player *player, bool bot, bool here)
{
    const struct player_observer *observer = &player->players->observer;
    bool same = player->bot == bot && player->here == here;

    player->bot = bot;
    player->here = here;
    if (!same && observer->changed != NULL)
        observer->changed(observer->context, player);
}

void player_settle(struct player *player, const struct identity *identity)
{
    struct players *players = player->players;
    bool was_guest = player->kind == PLAYER_GUEST;

    if (strcmp(player->name, identity->name) != 0) {
        HASH_DELETE(by_key, players->by_key, player);
        set_name(player, identity->name);
    }
    memcpy(player->token_hash, identity->token_hash, sizeof player->token_hash);
    player->kind = identity->kind;
    player_set(player, identity->bot, player->here);
    player->seen_s = identity->seen_s;
    if (!was_guest || player->kind != PLAYER_NAMED)
        return;
    player_set_tokens(player, NULL); /* those of the guest, and what was offered, end */
    player_drop_device(player);
    players->named++;
    players->fresh += !player->played;
    players->grown = true;
    if (!player_is_connected(player))
        TAILQ_INSERT_TAIL(&players->away, player, away);
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

int player_token_count(const struct player *player)
{
    return player->tokens != NULL ? player->tokens->count : player->kind == PLAYER_NAMED;
}

struct token player_token_at(const struct player *player, int place)
{
    struct token first = {.number = 1};

    if (player->tokens != NULL)
        return player->tokens->list[place];
    memcpy(first.hash, player->token_hash, sizeof first.hash);
    return first;
}

int player_find_token(const struct player *player, const char *token)
{
    unsigned char hash[TOKEN_HASH_BYTES];
    int number = 0;

    token_hash(hash, token);
    for (int i = 0; i < player_token_count(player); i++) {
        const struct token own = player_token_at(player, i);
        if (sodium_memcmp(hash, own.hash, sizeof hash) == 0)
            number = own.number;
    }
    return number;
}

struct tokens *tokens_with(const struct player *player, const char *token, const char *label,
                           time_t now_s, int *number)
{
    int count = player_token_count(player);
    struct tokens *tokens = tokens_without(player, 0);
    int last = count > 0 ? tokens->list[count - 1].number : 0;
    struct token added = {.number = (last > player->last_token ? last : player->last_token) + 1,
                          .since_s = now_s};

    token_hash(added.hash, token);
    snprintf(added.label, sizeof added.label, "%s", label != NULL ? label : "");
    utf8_clean(added.label); /* its end may be half a character */
    tokens->list[tokens->count++] = added;
    *number = added.number;
    return tokens;
}

struct tokens *tokens_without(const struct player *player, int number)
{
    int count = player_token_count(player);
    struct tokens *tokens =
        xcalloc(1, sizeof *tokens + ((size_t)count + 1) * sizeof tokens->list[0]);

    for (int i = 0; i < count; i++) {
        const struct token own = player_token_at(player, i);
        if (own.number != number)
            tokens->list[tokens->count++] = own;
    }
    return tokens;
}

void player_add_token(struct player *player, const struct token *token)
{
    int count = player->tokens != NULL ? player->tokens->count : 0;

    if (count == TOKENS_MAX)
        return;
    struct tokens *tokens =
        xrealloc(player->tokens, sizeof *tokens + ((size_t)count + 1) * sizeof tokens->list[0]);
    tokens->list[count] = *token;
    tokens->count = count + 1;
    player->tokens = tokens;
    if (token->number > player->last_token)
        player->last_token = token->number;
}

void player_set_tokens(struct player *player, struct tokens *tokens)
{
    free(player->tokens);
    player->tokens = tokens;
    if (tokens == NULL)
        player->last_token = 0;
    else if (tokens->count > 0 && tokens->list[tokens->count - 1].number > player->last_token)
        player->last_token = tokens->list[tokens->count - 1].number;
}

void device_code_new(char code[DEVICE_CODE_MAX])
{
    static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"; /* none that look alike */

    for (int i = 0; i < DEVICE_CODE_MAX - 1; i++)
        code[i] = i == 4 ? '-' : letters[randombytes_uniform(sizeof letters - 1)];
    code[DEVICE_CODE_MAX - 1] = '\0';
}

bool device_code_read(char code[DEVICE_CODE_MAX], const char *given)
{
    size_t length = 0;

    for (; *given != '\0' && length < DEVICE_CODE_MAX - 1; given++) {
        if (length == 4)
            code[length++] = '-';
        if (*given != '-')
            code[length++] = (char)toupper((unsigned char)*given);
    }
    code[length] = '\0';
    return *given == '\0' && length == DEVICE_CODE_MAX - 1;
}

struct device *player_offer_device(struct player *player, const char *code, int64_t until_ms)
{
    struct device *device = xcalloc(1, sizeof *device);

    snprintf(device->code, sizeof device->code, "%s", code);
    device->until_ms = until_ms;
    player_drop_device(player);
    player->device = device;
    return device;
}

bool player_device_matches(const struct player *player, const char *code, int64_t now_ms)
{
    const struct device *device = player->device;
    char typed[DEVICE_CODE_MAX];

    return device != NULL && device->state == DEVICE_OFFERED && now_ms < device->until_ms &&
           device_code_read(typed, code) && secret_equal(device->code, typed);
}

void player_drop_device(struct player *player)
{
    if (player->device != NULL)
        sodium_memzero(player->device, sizeof *player->device);
    free(player->device);
    player->device = NULL;
}

bool player_anchor(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko)
{
    return player->kind == PLAYER_HOUSE &&
           anchor_find(player->name + strlen("bot:"), game, variant, glicko);
}

bool player_glicko(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko)
{
    if (player->kind == PLAYER_GUEST)
        return false;
    if (player_anchor(player, game, variant, glicko))
        return true;
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

/* Returns the lowest slot that no window of the player has. */
static int free_slot(const struct player *player)
{
    const struct window *window;
    unsigned used = 0;
    int slot = 0;

    TAILQ_FOREACH (window, &player->windows, link)
        used |= 1u << window->slot;
    while (used & 1u << slot)
        slot++;
    return slot;
}

void player_add_window(struct player *player, struct window *window)
{
    if (player->kind == PLAYER_NAMED && !player_is_connected(player))
        TAILQ_REMOVE(&player->players->away, player, away);
    window->slot = free_slot(player);
    TAILQ_INSERT_TAIL(&player->windows, window, link);
    player->window_count++;
    player_set(player, player->bot, true);
}

void player_remove_window(struct player *player, struct window *window)
{
    TAILQ_REMOVE(&player->windows, window, link);
    player->window_count--;
    if (player_is_connected(player))
        return;
    player_set(player, player->bot, player->elsewhere != NULL);
    if (player->kind == PLAYER_NAMED)
        TAILQ_INSERT_TAIL(&player->players->away, player, away);
    if (player->kind == PLAYER_GUEST) { /* who cannot come back */
        player_set_tokens(player, NULL);
        player_drop_device(player);
    }
    player_release_unused(player);
}

void player_set_elsewhere(struct player *player, struct places *elsewhere)
{
    free(player->elsewhere);
    player->elsewhere = elsewhere;
    player_set(player, player->bot, player_is_connected(player) || elsewhere != NULL);
}

struct places *places_add(struct places *places, int node, int windows)
{
    int count = places != NULL ? places->count : 0;

    places = xrealloc(places, sizeof *places + ((size_t)count + 1) * sizeof places->list[0]);
    places->list[count] = (struct place){node, windows};
    places->count = count + 1;
    return places;
}

struct places *places_alive(const struct places *places, const struct nodes *alive)
{
    struct places *left = NULL;

    for (int i = 0; places != NULL && i < places->count; i++)
        if (nodes_have(alive, places->list[i].node))
            left = places_add(left, places->list[i].node, places->list[i].windows);
    return left;
}

int64_t places_silence_ms(const struct places *places, const struct nodes *nodes)
{
    int64_t least_ms = INT64_MAX;

    for (int i = 0; places != NULL && i < places->count; i++) {
        int64_t silent_ms = nodes_silence_ms(nodes, places->list[i].node);
        if (silent_ms < least_ms)
            least_ms = silent_ms;
    }
    return least_ms < INT64_MAX ? least_ms : 0;
}

bool places_are_same(const struct places *one, const struct places *other)
{
    int count = one != NULL ? one->count : 0;
    bool same = count == (other != NULL ? other->count : 0);

    for (int i = 0; same && i < count; i++)
        same = one->list[i].node == other->list[i].node &&
               one->list[i].windows == other->list[i].windows;
    return same;
}

int player_window_total(const struct player *player)
{
    int total = player->window_count;

    for (int i = 0; player->elsewhere != NULL && i < player->elsewhere->count; i++)
        total += player->elsewhere->list[i].windows;
    return total;
}

bool player_is_ours(const struct player *player)
{
    return player->elsewhere == NULL ||
           (player_is_connected(player) && player->players->node < player->elsewhere->list[0].node);
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
    if (player->kind == PLAYER_GUEST && is_unused_player(player))
        forget_player(player);
}

static const char *const bots_words[] = {
    [BOTS_YES] = "yes", [BOTS_NO] = "no", [BOTS_ONLY] = "only"};

const char *bots_wanted_text(enum bots_wanted bots)
{
    return bots_words[bots];
}

bool bots_wanted_parse(const char *text, enum bots_wanted *bots)
{
    for (int i = BOTS_YES; i <= BOTS_ONLY; i++)
        if (strcasecmp(text, bots_words[i]) == 0) {
            *bots = i;
            return true;
        }
    return false;
}

bool bots_wanted_fit(enum bots_wanted bots, bool is_bot)
{
    return bots == BOTS_YES || is_bot == (bots == BOTS_ONLY);
}
