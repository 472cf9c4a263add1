#include "unit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

struct unit *unit_new(void)
{
    return xcalloc(1, sizeof(struct unit)); /* which is KEPT */
}

static struct table *add_table(struct unit *unit, struct table *table, struct table *next)
{
    assert(unit->table_count < UNIT_TABLES_MAX);
    unit->tables[unit->table_count++] = (struct table_draft){.table = table, .next = next};
    return next;
}

struct table *unit_edit(struct unit *unit, struct table *table)
{
    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].table == table)
            return unit->tables[i].next;
    unit_replace(unit, table, table_draft(table));
    return unit->tables[unit->table_count - 1].next;
}

void unit_replace(struct unit *unit, struct table *table, struct table *draft)
{
    lock_take(&table->lock, unit);
    add_table(unit, table, draft);
}

struct table *unit_open(struct unit *unit, struct lobby *lobby, const struct table_plan *plan)
{
    return add_table(unit, NULL, lobby_draft(lobby, plan));
}

void unit_identify(struct unit *unit, struct player *player, const struct identity *identity)
{
    lock_take(&player->lock, unit);
    unit->player = player;
    unit->identity = *identity;
    const char *display = player_display(player);
    unit->displays = strcmp(display != NULL ? display : "", identity->display) != 0;
    if (player->kind == PLAYER_GUEST && identity->kind == PLAYER_NAMED)
        player_begin_naming(player, unit->identity.name, NULL);
    else if (unit->displays)
        player_begin_naming(player, NULL, unit->identity.looks);
}

void unit_rate(struct unit *unit, const struct rating_draft *rating)
{
    if (rating->player->lock.owner != unit)
        lock_take(&rating->player->lock, unit);
    unit->ratings[unit->rating_count++] = *rating;
}

void unit_try(struct unit *unit, const struct rating_draft *solver,
              const struct attempt_draft *attempt)
{
    assert(unit->rating_count == 0 && attempt->player == solver->player);
    unit_rate(unit, solver);
    lock_take(&attempt->puzzle->lock, unit);
    unit->attempt = *attempt;
}

void unit_change(struct unit *unit, struct tournament_change *change, bool alone)
{
    assert(unit->change == NULL);
    unit->change = change;
    change->tournament->pending++;
    if (alone)
        lock_take(&change->tournament->lock, unit);
}

void unit_tell_offer(struct unit *unit, enum offer what, enum color from, enum offer_news news)
{
    unit->offers[unit->offer_count++] = (struct offer_event){what, from, news};
}

void unit_set_reply(struct unit *unit, const char *bytes, size_t length)
{
    unit->reply = xmalloc(length);
    memcpy(unit->reply, bytes, length);
    unit->reply_length = length;
}

bool unit_writes(const struct unit *unit)
{
    return unit->table_count > 0 || unit->player != NULL || unit->rating_count > 0 ||
           unit->change != NULL;
}

void unit_note_kept(const struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++) {
        const struct table *next = unit->tables[i].next;
        if (next->creator != NULL)
            next->creator->stored = true;
        for (int color = WHITE; color <= BLACK; color++) {
            struct player *player = next->seats[color].player;
            if (player == NULL)
                continue;
            player->stored = true;
            if (match_both_have_moved(&next->match))
                player_mark_played(player);
        }
    }
    if (unit->player != NULL)
        unit->player->stored = true;
    if (unit->attempt.puzzle != NULL)
        player_mark_played(unit->attempt.player);
}

static void settle_table(struct table_draft *draft, struct lobby *lobby)
{
    if (draft->table != NULL) {
        lobby_settle(lobby, draft->table, draft->next);
    } else {
        lobby_add(lobby, draft->next);
        draft->table = draft->next;
    }
    draft->next = NULL;
}

static void settle_ratings(const struct unit *unit)
{
    for (int i = 0; i < unit->rating_count; i++) {
        const struct rating_draft *draft = &unit->ratings[i];
        struct rating *rating =
            rating_find_or_add(&draft->player->ratings, draft->game, draft->variant);
        rating->now = draft->now;
        rating->matches = draft->matches;
    }
}

static void settle_attempt(const struct attempt_draft *attempt)
{
    const struct game *game = attempt->puzzle->game;

    rated_puzzle_set(attempt->puzzle, attempt->now, attempt->attempts);
    rating_note_tried(rating_find_or_add(&attempt->player->ratings, game, VARIANT_PUZZLES),
                      attempt->puzzle->number);
}

void unit_settle(struct unit *unit, struct lobby *lobby)
{
    settle_ratings(unit);
    if (unit->attempt.puzzle != NULL)
        settle_attempt(&unit->attempt);
    for (int i = 0; i < unit->table_count; i++)
        settle_table(&unit->tables[i], lobby);
    if (unit->player != NULL) {
        player_end_naming(unit->player);
        player_settle(unit->player, &unit->identity);
        if (unit->displays)
            player_set_display(unit->player, unit->identity.display, unit->identity.looks);
        if (unit->tokens != NULL)
            player_set_tokens(unit->player, unit->tokens);
        unit->tokens = NULL;
    }
    if (unit->change != NULL)
        tournament_apply(&lobby->tournaments, unit->change);
}

void unit_settle_stale(struct unit *unit, struct lobby *lobby)
{
    settle_ratings(unit);
    for (int i = 0; i < unit->table_count; i++)
        if (unit->tables[i].table != NULL)
            settle_table(&unit->tables[i], lobby);
}

/* Frees a draft that was not settled. */
static void drop_table(const struct table_draft *draft, struct lobby *lobby)
{
    if (draft->table == NULL) {
        lobby_discard(lobby, draft->next);
        return;
    }
    if (draft->next->ended != draft->table->ended)
        lobby_return_end(lobby, draft->next->ended);
    table_drop(draft->next);
}

static void unlock_player(const struct unit *unit, struct player *player)
{
    if (player->lock.owner != unit)
        return;
    player_hold(player); /* whoever is woken may let go of it */
    lock_release(&player->lock);
    player_let_go(player);
}

/* Ends a change, which was done or not. */
static void end_change(struct unit *unit, struct tournaments *tournaments)
{
    struct tournament *tournament = unit->change->tournament;

    if (unit->change->kind == CHANGE_OPENED && !unit->change->applied)
        tournaments_discard(tournaments, tournament);
    tournament->pending--;
    tournament->retry = tournament->retry || !unit->change->applied;
    if (tournament->lock.owner == unit)
        lock_release(&tournament->lock);
    tournament_change_free(unit->change);
}

void unit_free(struct unit *unit, struct lobby *lobby)
{
    if (unit->player != NULL)
        player_end_naming(unit->player); /* if it was not settled */
    for (int i = unit->table_count - 1; i >= 0; i--) {
        const struct table_draft *draft = &unit->tables[i];
        if (draft->next != NULL)
            drop_table(draft, lobby);
        if (draft->table != NULL && draft->table->lock.owner == unit)
            lock_release(&draft->table->lock);
    }
    if (unit->attempt.puzzle != NULL)
        lock_release(&unit->attempt.puzzle->lock);
    for (int i = 0; i < unit->rating_count; i++)
        unlock_player(unit, unit->ratings[i].player);
    if (unit->player != NULL)
        unlock_player(unit, unit->player);
    if (unit->change != NULL)
        end_change(unit, &lobby->tournaments);
    free(unit->tokens);
    free(unit->line);
    free(unit->reply);
    free(unit->log);
    free(unit);
}
