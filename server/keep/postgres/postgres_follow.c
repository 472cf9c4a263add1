/*
 * The second connection: what other servers do with the matches that are held.
 *
 * When the connection has come back, nothing is read before one more commit of the first one: until
 * then what is visible may not be safe.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/xmalloc.h"
#include "postgres.h"

void postgres_follow_batch(struct postgres *postgres)
{
    if (postgres->opens_known && postgres->following)
        postgres_register_held(postgres);
    postgres->opens_known = false;
    postgres_read_behind(postgres);
}

/* Loads a match of which others told: for a player who is here, or because it was just let go. */
static void load(struct postgres *postgres, int64_t number)
{
    postgres_look_after(postgres, "m.number = $1", number_text(number).text, postgres_take_matches,
                        postgres);
}

/* Plays a move of another server, after which the match goes on or not. The turn that it begins is
 * charged from now on, by this server's time. False if it cannot be played: nothing has changed. */
static bool play(const struct postgres *postgres, const struct told *told, bool goes_on,
                 struct match *match)
{
    struct move move;
    struct cause cause;

    if (match->status != MATCH_PLAYING || match->ply_count + 1 != told->ply ||
        !move_parse(match->game, &match->position, told->move, &move, &cause))
        return false;
    struct ply_note note = entry_note(match, told->note);
    if (goes_on)
        match_play_on(match, move, postgres->now_ms);
    else
        match_play(match, move, postgres->now_ms);
    match_annotate(match, &note);
    match->plies[told->ply - 1].took_ms = (uint32_t)told->took_ms;
    return true;
}

/* Sets what follows from no rule. */
static void set_told(const struct told *told, struct table *table)
{
    struct match *match = &table->match;

    match_set_offers(match, told->offers);
    if (match->clock.base_ms > 0)
        memcpy(match->clock.left_ms, told->left_ms, sizeof told->left_ms);
    table->version = told->version;
}

/* Ends a match in a draft as another server has. */
static bool end_match(const struct postgres *postgres, const struct told_end *end,
                      struct match *match)
{
    if (match->status != MATCH_PLAYING ||
        (end->told.ply != match->ply_count && !play(postgres, &end->told, false, match)))
        return false;
    if (match->status != MATCH_OVER)
        match_end(match, end->outcome, postgres->now_ms);
    return match->outcome.result == end->outcome.result &&
           match->outcome.reason == end->outcome.reason;
}

/* Takes over the players' ratings after the match. */
static void take_ratings(const struct told_end *end, const struct table *table)
{
    const struct match *match = &table->match;

    for (int color = WHITE; color <= BLACK; color++) {
        struct rating rating = {
            .game = match->game, .now = end->now[color], .matches = end->matches[color]};
        match->game->variant_name(&match->start, rating.variant);
        if (rating.matches > 0)
            row_take_rating(table->seats[color].player, &rating);
    }
}

/* The player who is told to have taken a seat, if this server knows them as they are now. */
static struct player *find_joiner(const struct postgres *postgres, const struct told_start *start)
{
    struct player *player = players_find_id(postgres->players, start->id);
    bool known = player != NULL && strcmp(player->name, start->name) == 0 &&
                 (int)player->kind == start->kind && player->bot == start->bot &&
                 player->login <= start->login && start->node != postgres->nodes.own &&
                 nodes_have(&postgres->nodes, start->node);

    return known ? player : NULL;
}

/* The player is connected to that server, unless this server knows better. */
static void take_joiner(const struct told_start *start, struct player *player,
                        const struct match *match)
{
    struct rating rating = {.game = match->game, .now = start->now, .matches = start->matches};

    match->game->variant_name(&match->start, rating.variant);
    if (rating.matches > 0)
        row_take_rating(player, &rating);
    if (player->session != NULL || player->lock.owner != NULL)
        return;
    player->login = start->login;
    player->node = start->node;
    player->here = true;
}

/* Seats a player in a draft, with whom the match starts. */
static bool start_match(const struct postgres *postgres, const struct told_start *start,
                        struct player *player, struct table *draft)
{
    const struct seat *seat = &draft->seats[start->color];

    if (player == NULL || draft->match.status != MATCH_OPEN || seat->joined ||
        (seat->player != NULL && seat->player != player) || !draft->seats[!start->color].joined)
        return false;
    table_give_seat(draft, start->color, player, true);
    draft->started = true;
    match_start(&draft->match, postgres->now_ms);
    return draft->match.status == MATCH_PLAYING;
}

/* Reads a match anew that is broken as far as this server knows: somebody has repaired it. False if
 * it is not broken. */
static bool read_broken(struct postgres *postgres, const struct held *held, int64_t version)
{
    int64_t number = held->number;

    if (held->table->broken == NULL)
        return false;
    if (version > held->table->version) {
        lobby_forget(postgres->lobby, held->table);
        load(postgres, number);
    }
    return true;
}

/* The held table that a line tells of, if it can be brought up to date by that alone; else what is
 * kept is read. */
static struct held *find_next(struct postgres *postgres, const struct told *told)
{
    struct held *held = postgres_find_held(postgres, told->number);

    if (held == NULL) {
        load(postgres, told->number);
        return NULL;
    }
    if (read_broken(postgres, held, told->version))
        return NULL;
    if (held->table->lock.owner == NULL && !held->reading &&
        told->version == held->table->version + 1)
        return held;
    postgres_fall_behind(postgres, held, told->version);
    return NULL;
}

/* Has the draft take effect, if it is what another server has brought about. */
static void take_draft(struct postgres *postgres, struct held *held, const struct told *told,
                       struct table *draft, bool good)
{
    if (good) {
        set_told(told, draft);
        postgres->keeper.calls->changed(postgres->keeper.context, held->table, draft);
    } else {
        table_drop(draft);
        postgres_fall_behind(postgres, held, told->version);
    }
}

static void take_move(struct postgres *postgres, const struct told *told)
{
    struct held *held = find_next(postgres, told);

    if (held == NULL)
        return;
    if (play(postgres, told, true, &held->table->match)) {
        set_told(told, held->table);
        postgres->keeper.calls->moved(postgres->keeper.context, held->table);
    } else {
        postgres_fall_behind(postgres, held, told->version);
    }
}

static void take_start(struct postgres *postgres, const struct told_start *start)
{
    struct held *held = find_next(postgres, &start->told);

    if (held == NULL)
        return;
    struct player *player = find_joiner(postgres, start);
    struct table *draft = table_draft(held->table);
    bool good = start_match(postgres, start, player, draft);
    if (good)
        take_joiner(start, player, &draft->match);
    take_draft(postgres, held, &start->told, draft, good);
}

static void take_end(struct postgres *postgres, const struct told_end *end)
{
    struct held *held = find_next(postgres, &end->told);

    if (held == NULL)
        return;
    struct table *draft = table_draft(held->table);
    bool good = end_match(postgres, end, &draft->match);
    if (good) {
        draft->ended = ++postgres->lobby->ended;
        memcpy(draft->rated, end->rated, sizeof draft->rated);
        take_ratings(end, held->table);
    }
    take_draft(postgres, held, &end->told, draft, good);
}

static void take_change(struct postgres *postgres, struct words *words)
{
    int64_t number = words_integer(words), version = words_integer(words);
    struct held *held = postgres_find_held(postgres, number);

    if (words->at == NULL)
        return;
    if (held == NULL)
        load(postgres, number);
    else if (!read_broken(postgres, held, version))
        postgres_fall_behind(postgres, held, (int)version);
}

static void take_replaced(struct postgres *postgres, struct words *words)
{
    struct player *player = players_find_id(postgres->players, words_integer(words));
    int login = (int)words_integer(words), node = (int)words_integer(words);

    if (words->at == NULL || player == NULL || player->login >= login)
        return;
    player->login = login;
    player->node = node;
    if (player->session != NULL)
        postgres->keeper.calls->replaced(postgres->keeper.context, player);
}

/* What a server tells about a match, or with the number 0 about none. */
static void take_told(struct postgres *postgres, struct words *words)
{
    int64_t number = words_integer(words);
    struct held *held = postgres_find_held(postgres, number);

    if (words->at == NULL || *words->at != ' ' || (number != 0 && held == NULL))
        return;
    postgres->keeper.calls->told(postgres->keeper.context, held != NULL ? held->table : NULL,
                                 words->at + 1);
}

/* A match has started or ended, or it is to be read. */
static void take_more(struct postgres *postgres, const struct words *words)
{
    struct words first = *words, second = *words, third = *words;
    struct told_start start;
    struct told_end end;

    if (told_read_start(&first, &start))
        take_start(postgres, &start);
    else if (told_read_end(&second, &end))
        take_end(postgres, &end);
    else
        take_change(postgres, &third);
}

static void take_line(struct postgres *postgres, const char *line)
{
    struct words words = {line + (*line != '\0')};
    struct told told;
    int64_t time_us;

    switch (line[0]) {
    case 'm':
        if (told_read(&words, &told))
            take_move(postgres, &told);
        break;
    case 't':
        take_more(postgres, &words);
        break;
    case 'r':
        take_replaced(postgres, &words);
        break;
    case 'c':
        take_told(postgres, &words);
        break;
    case 's':
        postgres_take_seek(postgres, &words);
        break;
    case 'n':
        postgres_read_nodes(postgres);
        break;
    case 'e':
        time_us = words_integer(&words);
        if (words.at != NULL)
            postgres->keeper.tally->news_lag_us = tally_now_us() - time_us;
    }
}

enum {
    LINES_MAX = 16, /* that keep() puts into a notification */
    CACHE_LINE = 64 /* bytes */
};

/* Has the processor load memory into its cache, without waiting for it. */
static void prefetch(const void *memory, size_t length)
{
    const char *at = memory;

    for (size_t done = 0; done < length && memory != NULL; done += CACHE_LINE)
        __builtin_prefetch(at + done);
}

/* Finds the held tables that lines tell of; returns how many. */
static int find_tables(const struct postgres *postgres, const char *lines,
                       const struct table *tables[LINES_MAX])
{
    int count = 0;

    for (const char *line = lines; line != NULL && count < LINES_MAX; line = strchr(line, '\n')) {
        line += *line == '\n';
        struct words words = {line + (*line != '\0')};
        const struct held *held = postgres_find_held(postgres, words_integer(&words));
        if (held != NULL)
            tables[count++] = held->table;
    }
    return count;
}

static void prefetch_people(const struct table *table)
{
    for (int color = WHITE; color <= BLACK; color++) {
        const struct player *player = table->seats[color].player;
        if (player == NULL)
            continue;
        prefetch(player->session, 2 * CACHE_LINE);
        prefetch(SLIST_FIRST(&player->ratings), 2 * CACHE_LINE);
    }
}

/* What a move touches is rarely in the cache when it was made elsewhere, and lies behind pointers
 * to pointers. So each of them is followed for all lines before the next one is for any. */
static void prefetch_tables(const struct postgres *postgres, const char *lines)
{
    const struct table *tables[LINES_MAX];
    int count = find_tables(postgres, lines, tables);

    for (int i = 0; i < count; i++) {
        prefetch(tables[i], offsetof(struct table, rated));
        prefetch(&tables[i]->lock, sizeof tables[i]->lock);
    }
    for (int i = 0; i < count; i++) {
        const struct match *match = &tables[i]->match;
        if (match->plies != NULL)
            prefetch(&match->plies[match->ply_count], sizeof *match->plies);
        for (int color = WHITE; color <= BLACK; color++)
            prefetch(tables[i]->seats[color].player, offsetof(struct player, unfinished));
    }
    for (int i = 0; i < count; i++)
        prefetch_people(tables[i]);
}

static void on_notified(void *context, char *payload)
{
    const char *line;

    prefetch_tables(context, payload);
    while ((line = strsep(&payload, "\n")) != NULL)
        take_line(context, line);
}

static void on_up(void *context)
{
    struct postgres *postgres = context;

    link_set_gate(postgres->reader, false);
    postgres_want_barrier(postgres);
}

static void on_down(void *context, const char *why)
{
    struct postgres *postgres = context;

    (void)why;
    postgres->following = false;
}

const struct link_calls postgres_reader_calls = {
    .up = on_up, .down = on_down, .notified = on_notified};
