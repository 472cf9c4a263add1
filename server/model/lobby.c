#include "lobby.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

/* Share of the finished tables in memory that may be without a move: one in this many. */
enum { UNPLAYED_SHARE = 4 };

/* --- The index of `list` --- */

/* A fact is a bit; above these stand the number of the match's game in games[] and that of its kind
 * in the index. */
enum {
    FACT_PLAYING = 1u << 0, /* it is not open */
    FACT_BOT = 1u << 1,     /* a bot sits there */
    FACT_AWAY = 1u << 2,    /* nobody waits there: see is_left() */
    GAME_SHIFT = 3,
    GAME_BITS = 5,
    KIND_SHIFT = GAME_SHIFT + GAME_BITS
};
#define GAME_MASK (((1u << GAME_BITS) - 1) << GAME_SHIFT)
#define KIND_MASK (~0u << KIND_SHIFT)

static uint32_t game_fact(const struct game *game)
{
    uint32_t number = 0;

    while (games[number] != game)
        number++;
    return number << GAME_SHIFT;
}

/* Returns the number of a kind of match in the index, -1: there has been none. */
static int find_kind(const struct match_index *index, const struct game *game, const char *variant)
{
    for (int i = 0; i < index->kind_count; i++)
        if (index->kinds[i].game == game && strcmp(index->kinds[i].variant, variant) == 0)
            return i;
    return -1;
}

static uint32_t kind_fact(struct match_index *index, const struct match *match)
{
    struct match_kind kind = {.game = match->game};

    match->game->variant_name(&match->start, kind.variant);
    int number = find_kind(index, kind.game, kind.variant);
    if (number < 0) {
        number = index->kind_count++;
        index->kinds = xreallocarray(index->kinds, (size_t)index->kind_count, sizeof kind);
        index->kinds[number] = kind;
    }
    return (uint32_t)number << KIND_SHIFT;
}

/* Returns whether all whom the match waits for are away: the opener of an open one, or the people
 * of one that runs. One of bots alone is never left. */
static bool is_left(const struct table *table)
{
    bool people = false;

    if (table->match.status == MATCH_OPEN)
        return table->creator != NULL && !table->creator->here;
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player != NULL && !player->bot && player->here)
            return false;
        people |= player != NULL && !player->bot;
    }
    return people;
}

/* The facts that can change. */
static uint32_t present_facts(const struct table *table)
{
    bool open = table->match.status == MATCH_OPEN;
    uint32_t facts = open ? 0 : FACT_PLAYING;

    for (int color = WHITE; color <= BLACK; color++)
        if (table->seats[color].player != NULL && table->seats[color].player->bot)
            facts |= FACT_BOT;
    if (is_left(table))
        facts |= FACT_AWAY;
    return facts;
}

/* Returns the place of a match, or where it would be. */
static int index_place(const struct match_index *index, int64_t number)
{
    int low = 0, high = index->count;

    if (high > 0 && index->tables[high - 1]->number < number)
        return high;
    while (low < high) {
        int middle = (low + high) / 2;
        if (index->tables[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool index_has(const struct match_index *index, int place, const struct table *table)
{
    return place < index->count && index->tables[place] == table;
}

static void index_add(struct match_index *index, struct table *table)
{
    int place = index_place(index, table->number);
    size_t behind = (size_t)(index->count - place);

    if (table->is_private)
        return;
    if (index->count == index->capacity) {
        index->capacity = index->capacity > 0 ? 2 * index->capacity : 64;
        index->tables =
            xreallocarray(index->tables, (size_t)index->capacity, sizeof(struct table *));
        index->facts = xreallocarray(index->facts, (size_t)index->capacity, sizeof *index->facts);
    }
    memmove(&index->tables[place + 1], &index->tables[place], behind * sizeof(struct table *));
    memmove(&index->facts[place + 1], &index->facts[place], behind * sizeof *index->facts);
    index->tables[place] = table;
    index->facts[place] =
        kind_fact(index, &table->match) | game_fact(table->match.game) | present_facts(table);
    index->count++;
}

static void index_refresh(struct match_index *index, const struct table *table)
{
    int place = index_place(index, table->number);

    if (index_has(index, place, table))
        index->facts[place] =
            (index->facts[place] & (KIND_MASK | GAME_MASK)) | present_facts(table);
}

static void index_remove(struct match_index *index, const struct table *table)
{
    int place = index_place(index, table->number);

    if (!index_has(index, place, table))
        return;
    size_t behind = (size_t)(--index->count - place);
    memmove(&index->tables[place], &index->tables[place + 1], behind * sizeof(struct table *));
    memmove(&index->facts[place], &index->facts[place + 1], behind * sizeof *index->facts);
}

static void index_release(struct match_index *index)
{
    free(index->tables);
    free(index->facts);
    free(index->kinds);
    *index = (struct match_index){.count = 0};
}

void lobby_note_player(void *context, struct player *player)
{
    struct match_index *index = &((struct lobby *)context)->index;
    const struct table *table;
    const struct seat *seat;

    TAILQ_FOREACH (table, &player->created, by_creator)
        index_refresh(index, table);
    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link)
        if (seat->table->match.status != MATCH_OVER)
            index_refresh(index, seat->table);
}

/* The facts by which a filter takes a match: `wanted` of those in `mask`. False: none can fit. */
static bool filter_facts(const struct match_index *index, const struct row_filter *filter,
                         uint32_t *mask, uint32_t *wanted)
{
    *mask = *wanted = 0;
    if (filter->status != ANY_STATUS) {
        *mask |= FACT_PLAYING;
        *wanted |= filter->status == ONLY_PLAYING ? FACT_PLAYING : 0;
    }
    if (filter->bots != ANYBODY) {
        *mask |= FACT_BOT;
        *wanted |= filter->bots == ONLY_BOTS ? FACT_BOT : 0;
    }
    if (filter->game[0] == '\0')
        return true;
    const struct game *game = game_find(filter->game, strlen(filter->game));
    *mask |= GAME_MASK;
    *wanted |= game_fact(game);
    if (filter->variant[0] == '\0')
        return true;
    int kind = find_kind(index, game, filter->variant);
    *mask |= KIND_MASK;
    *wanted |= kind < 0 ? 0 : (uint32_t)kind << KIND_SHIFT;
    return kind >= 0;
}

void lobby_init(struct lobby *lobby, struct origins *origins, int finished_max)
{
    *lobby = (struct lobby){.origins = origins, .finished_max = finished_max};
    TAILQ_INIT(&lobby->unfinished);
    TAILQ_INIT(&lobby->finished);
    TAILQ_INIT(&lobby->unplayed);
    TAILQ_INIT(&lobby->drafts);
    tournaments_init(&lobby->tournaments);
}

/* Frees a table that is in no list. */
static void table_free(struct lobby *lobby, struct table *table)
{
    while (!LIST_EMPTY(&table->watches))
        table_unwatch(LIST_FIRST(&table->watches));
    lock_destroy(&table->lock);
    deadline_clear(&lobby->deadlines, &table->deadline);
    match_release(&table->match);
    if (table->origin != NULL)
        origins_drop_match(lobby->origins, table->origin);
    lobby_note_asked(lobby, table, NULL);
    talk_release(&table->talk);
    free(table->broken);
    free(table);
}

struct table *lobby_draft_stored(struct lobby *lobby, struct table *stored)
{
    struct table *table = xmalloc(sizeof *table);

    *table = *stored;
    stored->match.plies = NULL;
    stored->broken = NULL;
    table->creator = NULL;
    table->deadline.table = table;
    lock_init(&table->lock);
    LIST_INIT(&table->watches);
    for (int color = WHITE; color <= BLACK; color++)
        table->seats[color] = (struct seat){.table = table, .color = (uint8_t)color};
    TAILQ_INSERT_TAIL(&lobby->drafts, table, link);
    lobby->opening++;
    return table;
}

/* Adds +1 or -1 to the counts of unfinished matches that are limited. */
static void count_created(const struct table *table, int by)
{
    if (table->creator == NULL)
        return;
    table->creator->unfinished += by;
    if (table->origin != NULL)
        origin_count_unfinished(table->origin, by);
}

void lobby_set_creator(struct table *table, struct player *creator)
{
    table->creator = creator;
    player_hold(creator);
    count_created(table, +1);
}

void once_text(char text[ONCE_TEXT_MAX], const struct player *player, const char *key)
{
    snprintf(text, ONCE_TEXT_MAX, "%" PRId64 " %.*s", player->id, ONCE_KEY_MAX - 1, key);
}

/* Writes an id that cannot be guessed: 128 random bits, in 22 letters, digits, - and _. */
static void secret_id(char id[TABLE_ID_MAX])
{
    unsigned char random[16];

    randombytes_buf(random, sizeof random);
    id[0] = 'x';
    sodium_bin2base64(id + 1, TABLE_ID_MAX - 1, random, sizeof random,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

struct table *lobby_draft(struct lobby *lobby, const struct table_plan *plan)
{
    struct table fresh = {.number = numbers_next(&lobby->numbers, lobby->opened),
                          .is_private = plan->is_private,
                          .casual = plan->casual,
                          .date = plan->date,
                          .changed_s = plan->date,
                          .origin = plan->origin};

    lobby->opened = fresh.number;
    if (plan->is_private)
        secret_id(fresh.id);
    else
        snprintf(fresh.id, sizeof fresh.id, "%" PRId64, fresh.number);
    match_init(&fresh.match, plan->game, plan->start);
    fresh.match.clock = plan->clock;
    struct table *table = lobby_draft_stored(lobby, &fresh);
    if (plan->origin != NULL)
        origin_hold_match(plan->origin);
    if (plan->once != NULL)
        once_text(table->once, plan->creator, plan->once);
    if (plan->code != NULL)
        snprintf(table->code, sizeof table->code, "%s", plan->code);
    lobby_set_creator(table, plan->creator);
    return table;
}

/* Adds +1 or -1 to the counts of matches by status. */
static void count_table(struct lobby *lobby, const struct table *table, int by)
{
    if (table->broken != NULL) {
        lobby->broken += by;
        lobby->private_broken += table->is_private ? by : 0;
        return;
    }
    if (table->match.status == MATCH_OVER)
        lobby->over += by;
    else if (table->match.status == MATCH_OPEN)
        lobby->open += by;
    lobby->private_open += table->is_private && table->match.status == MATCH_OPEN ? by : 0;
    lobby->private_playing += table->is_private && table->match.status == MATCH_PLAYING ? by : 0;
    if (table->match.status != MATCH_PLAYING)
        return;
    lobby->playing += by;
    for (int color = WHITE; color <= BLACK; color++) {
        if (!table->is_private)
            table->seats[color].player->playing += by;
        if (table->match.clock.base_ms > 0)
            table->seats[color].player->timed += by;
    }
}

static void list_finished(struct lobby *lobby, struct table *table)
{
    TAILQ_INSERT_TAIL(&lobby->finished, table, link);
    if (!table_is_unplayed(table))
        return;
    TAILQ_INSERT_TAIL(&lobby->unplayed, table, by_unplayed);
    lobby->unplayed_count++;
}

static void leave_drafts(struct lobby *lobby, struct table *table)
{
    TAILQ_REMOVE(&lobby->drafts, table, link);
    lobby->opening--;
}

void lobby_add(struct lobby *lobby, struct table *table)
{
    bool over = table->match.status == MATCH_OVER;

    leave_drafts(lobby, table);
    if (lobby->numbers.end == 0 && lobby->opened < table->number)
        lobby->opened = table->number;
    if (lobby->ended < table->ended)
        lobby->ended = table->ended;
    HASH_ADD_KEYPTR(by_id, lobby->by_id, table->id, strlen(table->id), table);
    if (table->once[0] != '\0')
        HASH_ADD_KEYPTR(by_once, lobby->by_once, table->once, strlen(table->once), table);
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        if (seat->player != NULL)
            TAILQ_INSERT_TAIL(&seat->player->seats, seat, link);
    }
    struct player *creator = table->creator;
    if (creator != NULL && !over)
        TAILQ_INSERT_TAIL(&creator->created, table, by_creator);
    if (over) {
        count_created(table, -1);
        table->creator = NULL;
        list_finished(lobby, table);
    } else {
        TAILQ_INSERT_TAIL(&lobby->unfinished, table, link);
        index_add(&lobby->index, table);
    }
    count_table(lobby, table, +1);
    table_let_go(table);
    if (creator != NULL)
        player_let_go(creator);
    if (lobby->observer.added != NULL)
        lobby->observer.added(lobby->observer.context, table);
}

bool lobby_is_opening(const struct lobby *lobby, int64_t number)
{
    const struct table *table;

    TAILQ_FOREACH (table, &lobby->drafts, link)
        if (table->number == number)
            return true;
    return false;
}

void lobby_discard(struct lobby *lobby, struct table *table)
{
    leave_drafts(lobby, table);
    if (table->number == lobby->opened && lobby->numbers.end == 0)
        lobby->opened--;
    if (table->ended != 0)
        lobby_return_end(lobby, table->ended);
    count_created(table, -1);
    table_let_go(table);
    player_let_go(table->creator);
    table_free(lobby, table);
}

void lobby_return_end(struct lobby *lobby, int64_t number)
{
    if (number == lobby->ended)
        lobby->ended--;
}

/* Gives the seats of a table to the players of a draft. */
static void settle_seats(struct table *table, const struct table *draft)
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        struct player *player = draft->seats[color].player;
        seat->joined = draft->seats[color].joined;
        seat->was_open = draft->seats[color].was_open;
        if (seat->player == player)
            continue;
        if (seat->player != NULL)
            TAILQ_REMOVE(&seat->player->seats, seat, link);
        seat->player = player;
        if (player != NULL)
            TAILQ_INSERT_TAIL(&player->seats, seat, link);
    }
}

static void leave_creator(struct table *table)
{
    struct player *creator = table->creator;

    if (creator == NULL)
        return;
    count_created(table, -1);
    TAILQ_REMOVE(&creator->created, table, by_creator);
    table->creator = NULL;
    player_release_unused(creator);
}

/* Moves a table whose match has just ended: to the finished ones, and to the end of its players'
 * seats. */
static void finish_table(struct lobby *lobby, struct table *table)
{
    deadline_clear(&lobby->deadlines, &table->deadline);
    index_remove(&lobby->index, table);
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        if (seat->player == NULL)
            continue;
        TAILQ_REMOVE(&seat->player->seats, seat, link);
        TAILQ_INSERT_TAIL(&seat->player->seats, seat, link);
    }
    leave_creator(table);
    TAILQ_REMOVE(&lobby->unfinished, table, link);
    list_finished(lobby, table);
}

void lobby_settle(struct lobby *lobby, struct table *table, struct table *draft)
{
    bool was_over = table->match.status == MATCH_OVER;

    count_table(lobby, table, -1);
    settle_seats(table, draft);
    match_settle(&table->match, &draft->match);
    table->version = draft->version;
    table->started = draft->started;
    table->casual = draft->casual;
    table->ended = draft->ended;
    table->changed_s = draft->changed_s;
    table->kicked_count = draft->kicked_count;
    memcpy(table->kicked, draft->kicked, (size_t)draft->kicked_count * sizeof table->kicked[0]);
    memcpy(table->rating_after, draft->rating_after, sizeof table->rating_after);
    count_table(lobby, table, +1);
    if (table->match.status == MATCH_OVER && !was_over)
        finish_table(lobby, table);
    else
        index_refresh(&lobby->index, table);
    table_drop(draft);
}

void lobby_note_asked(struct lobby *lobby, struct table *table, struct origin *origin)
{
    if (origin != NULL)
        origin_hold_match(origin);
    if (table->asked_from != NULL)
        origins_drop_match(lobby->origins, table->asked_from);
    table->asked_from = origin;
}

struct table *lobby_find(const struct lobby *lobby, const char *id)
{
    struct table *table;

    HASH_FIND(by_id, lobby->by_id, id, strlen(id), table);
    return table;
}

struct table *lobby_find_once(const struct lobby *lobby, const struct player *player,
                              const char *key)
{
    char text[ONCE_TEXT_MAX];
    struct table *table;

    once_text(text, player, key);
    HASH_FIND(by_once, lobby->by_once, text, strlen(text), table);
    return table;
}

/* Removes and frees a table that is in neither list. */
static void remove_table(struct lobby *lobby, struct table *table)
{
    if (lobby->observer.leaves != NULL)
        lobby->observer.leaves(lobby->observer.context, table);
    HASH_DELETE(by_id, lobby->by_id, table);
    if (table->once[0] != '\0')
        HASH_DELETE(by_once, lobby->by_once, table);
    if (table_is_unplayed(table)) {
        TAILQ_REMOVE(&lobby->unplayed, table, by_unplayed);
        lobby->unplayed_count--;
    }
    leave_creator(table);
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        struct player *player = seat->player;
        if (player == NULL)
            continue;
        TAILQ_REMOVE(&player->seats, seat, link);
        seat->player = NULL;
        player_release_unused(player);
    }
    table_free(lobby, table);
}

bool lobby_has_number(const struct lobby *lobby)
{
    return numbers_left(&lobby->numbers, lobby->opened);
}

int64_t lobby_take_number(struct lobby *lobby)
{
    lobby->opened = numbers_next(&lobby->numbers, lobby->opened);
    return lobby->opened;
}

void lobby_forget(struct lobby *lobby, struct table *table)
{
    count_table(lobby, table, -1);
    index_remove(&lobby->index, table);
    TAILQ_REMOVE(table->match.status == MATCH_OVER ? &lobby->finished : &lobby->unfinished, table,
                 link);
    remove_table(lobby, table);
}

/* False: the table is locked, so it is evicted later. */
static bool evict_table(struct lobby *lobby, struct table *table)
{
    bool locked = table->lock.owner != NULL;

    if (!locked)
        lobby_forget(lobby, table);
    return !locked;
}

void lobby_trim(struct lobby *lobby)
{
    int unplayed_max = (lobby->finished_max + UNPLAYED_SHARE - 1) / UNPLAYED_SHARE;

    while (lobby->unplayed_count > unplayed_max &&
           evict_table(lobby, TAILQ_FIRST(&lobby->unplayed)))
        ;
    while (lobby->over > lobby->finished_max && evict_table(lobby, TAILQ_FIRST(&lobby->finished)))
        ;
}

void lobby_release(struct lobby *lobby)
{
    struct table *table;

    index_release(&lobby->index);
    TAILQ_CONCAT(&lobby->finished, &lobby->unfinished, link);
    while ((table = TAILQ_FIRST(&lobby->finished)) != NULL) {
        TAILQ_REMOVE(&lobby->finished, table, link);
        remove_table(lobby, table);
    }
    deadlines_release(&lobby->deadlines);
    tournaments_release(&lobby->tournaments);
}

bool filter_takes_game(const struct row_filter *filter, const struct match *match)
{
    char variant[VARIANT_NAME_MAX];

    if (filter->game[0] != '\0' && strcmp(match->game->name, filter->game) != 0)
        return false;
    if (filter->variant[0] == '\0')
        return true;
    match->game->variant_name(&match->start, variant);
    return strcmp(variant, filter->variant) == 0;
}

void list_row_of_table(struct list_row *row, const struct table *table)
{
    const struct match *match = &table->match;

    *row = (struct list_row){.game = match->game,
                             .status = match->status,
                             .plies = match->ply_count,
                             .watchers = table->watcher_count,
                             .base_ms = match->clock.base_ms,
                             .increment_ms = match->clock.increment_ms,
                             .code = table->code[0] != '\0' && match->status == MATCH_OPEN,
                             .casual = table->casual,
                             .broken = table->broken != NULL,
                             .away = (present_facts(table) & FACT_AWAY) != 0};
    snprintf(row->id, sizeof row->id, "%s", table->id);
    match->game->variant_name(&match->start, row->variant);
    for (int color = WHITE; color <= BLACK; color++)
        if (table->seats[color].player != NULL) {
            snprintf(row->names[color], NAME_TEXT_MAX, "%s", table->seats[color].player->name);
            player_copy_display(table->seats[color].player, row->displays[color]);
        }
}

/* In builds for tests: the index says what the tables say. */
static void check_index(const struct lobby *lobby)
{
#ifdef CHECK_KEPT
    const struct match_index *index = &lobby->index;
    const struct table *table;
    int count = 0;

    TAILQ_FOREACH (table, &lobby->unfinished, link)
        count += !table->is_private;
    assert(count == index->count);
    for (int i = 0; i < count; i++)
        assert((index->facts[i] & ~(KIND_MASK | GAME_MASK)) == present_facts(index->tables[i]));
#else
    (void)lobby;
#endif
}

int lobby_list(const struct lobby *lobby, const struct row_filter *filter, struct list_row *rows,
               int rows_max, int *total)
{
    const struct match_index *index = &lobby->index;
    const uint32_t *facts = index->facts;
    uint32_t mask, wanted;
    int count = 0;

    check_index(lobby);
    *total = 0;
    if (!filter_facts(index, filter, &mask, &wanted))
        return 0;
    mask |= FACT_AWAY;
    for (int away = 0; away <= 1; away++) {
        const uint32_t is = wanted | (away ? FACT_AWAY : 0);
        int found = 0, passed = filter->from - *total;
        for (int place = 0; place < index->count; place++)
            found += (facts[place] & mask) == is;
        *total += found;
        if (passed < 0)
            passed = 0;
        if (found <= passed)
            continue;
        for (int place = index->count - 1; place >= 0 && count < rows_max; place--)
            if ((facts[place] & mask) == is && passed-- <= 0)
                list_row_of_table(&rows[count++], index->tables[place]);
    }
    return count;
}

static bool filter_takes_match(const struct row_filter *filter, const struct table *table)
{
    uint32_t facts = present_facts(table);

    return (filter->status == ANY_STATUS ||
            (filter->status == ONLY_PLAYING) == ((facts & FACT_PLAYING) != 0)) &&
           (filter->bots == ANYBODY || (filter->bots == ONLY_BOTS) == ((facts & FACT_BOT) != 0)) &&
           filter_takes_game(filter, &table->match);
}

int lobby_list_own(const struct player *player, const struct row_filter *filter,
                   struct list_row *rows, int rows_max, int *total)
{
    const struct seat *seat;
    int count = 0;

    *total = 0;
    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link) {
        const struct table *table = seat->table;
        bool twice = seat->color == BLACK && table->seats[WHITE].player == player;
        if (table->match.status != MATCH_OVER && !twice && filter_takes_match(filter, table) &&
            (*total)++ >= filter->from && count < rows_max)
            list_row_of_table(&rows[count++], table);
    }
    return count;
}
