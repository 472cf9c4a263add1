#include "turn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "log.h"
#include "pace.h"
#include "rate.h"
#include "referee.h"
#include "server.h"
#include "session.h"
#include "store.h"

enum { BYTES_KEPT_MAX = 1 << 20 }; /* of an empty buffer, for the next turn */

enum change_kind { CHANGED_TABLE, OPENED_TABLE, CHANGED_PLAYER, CHANGED_RATING, ENDED_WATCH };

/* One thing that the turn has changed, with what it was. */
struct change {
    enum change_kind kind;
    struct table *table;
    struct player *player;
    struct session *session;
    union {
        struct table_copy table;
        struct player_copy player;
        struct rating_change rating;
    } was;
};

/* A piece of output for a session, or with session NULL a line of the log. */
struct held_output {
    struct session *session;
    size_t start, length; /* in turn->bytes */
};

struct held_request {
    struct session *session;
    bool has_id;
    char id[ID_BYTES_MAX + 1];
    const char *verb; /* of the command table */
};

/* Makes room for one more entry of an array. */
static bool reserve(void *array, int count, int *capacity, size_t size)
{
    void **entries = array;

    if (count < *capacity)
        return true;
    int wanted = *capacity > 0 ? *capacity * 2 : 16;
    void *grown = realloc(*entries, (size_t)wanted * size);
    if (grown == NULL)
        return false;
    *entries = grown;
    *capacity = wanted;
    return true;
}

static bool reserve_request(struct turn *turn)
{
    return reserve(&turn->requests, turn->request_count, &turn->request_capacity,
                   sizeof *turn->requests);
}

/* Notes the running command as one that the turn answers for. */
static bool note_request(struct turn *turn)
{
    struct running *running = &turn->running;

    if (running->session == NULL || running->noted)
        return true;
    if (!reserve_request(turn))
        return false;
    struct held_request *request = &turn->requests[turn->request_count++];
    *request = (struct held_request){
        .session = running->session, .has_id = running->id != NULL, .verb = running->verb};
    if (running->id != NULL)
        snprintf(request->id, sizeof request->id, "%s", running->id);
    running->noted = true;
    return true;
}

/* Opens the turn if need be, and makes room for one change in it. NULL when memory ran out. */
static struct change *add_change(struct server *server, enum change_kind kind)
{
    struct turn *turn = &server->turn;

    if (!note_request(turn) ||
        !reserve(&turn->changes, turn->change_count, &turn->change_capacity, sizeof *turn->changes))
        return NULL;
    turn->open = true;
    server->players.held = true;
    struct change *change = &turn->changes[turn->change_count++];
    *change = (struct change){.kind = kind};
    return change;
}

bool turn_touch(struct server *server, struct table *table)
{
    if (server->store == NULL)
        return true;
    if (table->touched)
        return note_request(&server->turn);
    struct change *change = add_change(server, CHANGED_TABLE);
    if (change == NULL)
        return false;
    if (!table_save(table, &change->was.table)) {
        server->turn.change_count--;
        return false;
    }
    change->table = table;
    table->touched = true;
    return true;
}

bool turn_opened(struct server *server, struct table *table)
{
    if (server->store == NULL)
        return true;
    struct change *change = add_change(server, OPENED_TABLE);
    if (change == NULL) {
        lobby_remove(&server->lobby, table);
        return false;
    }
    change->table = table;
    table->touched = true;
    return true;
}

bool turn_touch_player(struct server *server, struct player *player)
{
    if (server->store == NULL)
        return true;
    struct change *change = add_change(server, CHANGED_PLAYER);
    if (change == NULL)
        return false;
    change->player = player;
    player_save(player, &change->was.player);
    return true;
}

bool turn_unwatch(struct server *server, struct session *session, struct table *table)
{
    if (server->store == NULL)
        return true;
    struct change *change = add_change(server, ENDED_WATCH);
    if (change == NULL)
        return false;
    change->session = session;
    change->table = table;
    return true;
}

bool turn_rated(struct server *server, struct table *table, const struct rating_change *changes)
{
    for (int color = WHITE; color <= BLACK && server->store != NULL; color++) {
        struct change *change = add_change(server, CHANGED_RATING);
        if (change == NULL) {
            server->turn.change_count -= color;
            rate_undo(&changes[WHITE]);
            rate_undo(&changes[BLACK]);
            table->rated[WHITE] = table->rated[BLACK] = 0;
            return false;
        }
        change->was.rating = changes[color];
    }
    return true;
}

/* A command that joins the turn can be noted in it, whatever else fails. */
bool turn_must_wait(struct server *server, const struct command *command)
{
    struct turn *turn = &server->turn;

    return turn->open && (command == NULL || !command->joins_turn ||
                          turn->length > TURN_BYTES_MAX || !reserve_request(turn));
}

void turn_begin_command(struct server *server, struct session *session, const char *id,
                        const char *verb)
{
    server->turn.running = (struct running){.session = session, .id = id, .verb = verb};
    if (server->turn.open)
        note_request(&server->turn);
}

void turn_answered(struct server *server)
{
    server->turn.running = (struct running){0};
}

void turn_end_command(struct server *server)
{
    turn_answered(server);
    /* While the disk fails, a command that would have gone well is not to fail with others. */
    if (server->turn.failing)
        turn_end(server);
}

bool turn_hold(struct server *server, struct session *session, const char *bytes, size_t length)
{
    struct turn *turn = &server->turn;

    if (!turn->open)
        return false;
    if (turn->length + length > turn->capacity) {
        size_t capacity = turn->capacity * 2 + length + 4096;
        char *grown = realloc(turn->bytes, capacity);
        if (grown != NULL) {
            turn->bytes = grown;
            turn->capacity = capacity;
        }
    }
    if (turn->length + length > turn->capacity ||
        !reserve(&turn->outputs, turn->output_count, &turn->output_capacity,
                 sizeof *turn->outputs)) {
        if (session != NULL)
            session_lose(session);
        return true;
    }
    memcpy(turn->bytes + turn->length, bytes, length);
    turn->outputs[turn->output_count++] = (struct held_output){session, turn->length, length};
    turn->length += length;
    return true;
}

void turn_log(struct server *server, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!turn_hold(server, NULL, text, strlen(text)))
        log_line(LOG_INFO, "%s", text);
}

void turn_count(struct server *server, uint64_t *counter)
{
    struct turn *turn = &server->turn;

    if (counter == NULL)
        return;
    ++*counter;
    if (turn->open &&
        reserve(&turn->counts, turn->count_count, &turn->count_capacity, sizeof *turn->counts))
        turn->counts[turn->count_count++] = counter;
}

/* Writes the row of a player whom a match refers to, if there is none yet. */
static bool put_missing(struct store *store, struct player *player)
{
    if (player == NULL)
        return true;
    if (player->stored)
        return true;
    player->stored = true;
    return store_put_player(store, player);
}

enum { PLAYED_PLIES_MIN = 2 }; /* each side has moved */

static bool put_table(struct server *server, struct table *table, const struct match *before)
{
    struct store *store = server->store;

    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = table->seats[color].player;
        if (!put_missing(store, player))
            return false;
        if (player != NULL && table->match.ply_count >= PLAYED_PLIES_MIN)
            player_mark_played(&server->players, player);
    }
    return put_missing(store, table->creator) && store_put_table(store, table, before);
}

/* Whether there is something to write. */
static bool is_to_write(const struct change *change)
{
    if (change->kind == CHANGED_TABLE)
        return change->table->match.revision != change->was.table.match.revision;
    return change->kind != ENDED_WATCH;
}

static bool has_to_write(const struct turn *turn)
{
    for (int i = 0; i < turn->change_count; i++)
        if (is_to_write(&turn->changes[i]))
            return true;
    return false;
}

static bool put_change(struct server *server, const struct change *change)
{
    struct store *store = server->store;

    if (!is_to_write(change))
        return true;
    switch (change->kind) {
    case OPENED_TABLE:
        return put_table(server, change->table, NULL);
    case CHANGED_TABLE:
        return put_table(server, change->table, &change->was.table.match);
    case CHANGED_PLAYER:
        change->player->stored = true;
        return store_put_player(store, change->player);
    case CHANGED_RATING:
        return store_put_rating(store, change->was.rating.player, change->was.rating.rating);
    default:
        return true;
    }
}

/* Puts everything into the store, or nothing. */
static bool save(struct server *server)
{
    const struct turn *turn = &server->turn;
    struct store *store = server->store;

    if (!store_begin(store))
        return false;
    for (int i = 0; i < turn->change_count; i++)
        if (!put_change(server, &turn->changes[i])) {
            store_rollback(store);
            return false;
        }
    if (store_commit(store))
        return true;
    store_rollback(store);
    return false;
}

/* The same, and counts how long it took. */
static bool save_counted(struct server *server)
{
    int64_t begin_us = tally_now_us();
    bool saved = save(server);

    tally_commit(&server->tally, saved, tally_now_us() - begin_us);
    return saved;
}

/* The rows of players are written again with the next change: that does no harm. */
static void forget_stored(struct player *player)
{
    if (player != NULL)
        player->stored = false;
}

static void revert(struct server *server, struct change *change)
{
    struct table *table = change->table;

    if (change->kind == CHANGED_PLAYER) {
        bool was_named = change->player->kind == PLAYER_NAMED;
        if (was_named && change->was.player.kind == PLAYER_GUEST && change->player->session != NULL)
            pace_return_name(change->player->session);
        forget_stored(change->player);
        player_restore(&server->players, change->player, &change->was.player);
        return;
    }
    if (change->kind == CHANGED_RATING) {
        rate_undo(&change->was.rating);
        return;
    }
    if (change->kind == ENDED_WATCH) {
        if (table_find_watch(table, &change->session->watches) == NULL &&
            !table_watch(table, change->session, &change->session->watches))
            session_lose(change->session);
        return;
    }
    table->touched = false;
    for (int color = WHITE; color <= BLACK; color++)
        forget_stored(table->seats[color].player);
    forget_stored(table->creator);
    if (change->kind == OPENED_TABLE) {
        lobby_remove(&server->lobby, table);
        return;
    }
    lobby_restore(&server->lobby, table, &change->was.table);
    referee_retry(server, table);
    server->guests_wait = true; /* perhaps it ended because one left */
}

static void take_back_counts(const struct turn *turn)
{
    for (int i = 0; i < turn->count_count; i++)
        --*turn->counts[i];
}

/* Lets go what was held back. */
static void release_output(const struct turn *turn)
{
    for (int i = 0; i < turn->output_count; i++) {
        const struct held_output *output = &turn->outputs[i];
        const char *bytes = turn->bytes + output->start;
        if (output->session != NULL)
            output->session->sink.write(output->session->sink.context, bytes, output->length);
        else
            log_line(LOG_INFO, "%.*s", (int)output->length, bytes);
    }
}

/* What was held back is not told: no ping among it will be answered. */
static void drop_output(const struct turn *turn)
{
    for (int i = 0; i < turn->output_count; i++)
        if (turn->outputs[i].session != NULL)
            turn->outputs[i].session->measuring = false;
}

/* All are told before anyone is closed: what he leaves behind begins another turn, which may fail
 * with all that was said in it. */
static void answer_internal(const struct turn *turn)
{
    for (int i = 0; i < turn->request_count; i++) {
        const struct held_request *request = &turn->requests[i];
        command_tell_error(request->session, request->has_id ? request->id : NULL, request->verb,
                           STATUS_INTERNAL,
                           "the server could not write that down; nothing was changed");
    }
    for (int i = 0; i < turn->request_count; i++)
        command_close_erring(turn->requests[i].session);
}

/* Frees what the changes hold, and guests that only they have kept. Tables that were opened are
 * gone, unless all was saved. */
static void release_changes(struct server *server, struct turn *turn, bool saved)
{
    for (int i = 0; i < turn->change_count; i++) {
        struct change *change = &turn->changes[i];
        if (saved && change->table != NULL)
            change->table->touched = false;
        if (change->kind == CHANGED_TABLE)
            table_copy_release(&change->was.table);
    }
    turn->change_count = turn->output_count = turn->request_count = turn->count_count = 0;
    turn->length = 0;
    players_sweep(&server->players);
}

/* Says once that writing fails, and once that it works again. */
static void note_health(struct server *server, bool saved)
{
    if (saved == !server->turn.failing)
        return;
    server->turn.failing = !saved;
    if (saved)
        log_line(LOG_INFO, "event=store-works");
    else
        log_line(LOG_ERROR,
                 "event=store-fails error=%s text=\"changes are refused until it works again\"",
                 log_quote(store_error(server->store)).text);
}

void turn_end(struct server *server)
{
    while (server->turn.open) {
        bool writes = has_to_write(&server->turn); /* a refused move changes nothing */
        bool saved = !writes || save_counted(server);
        if (writes)
            note_health(server, saved);
        struct turn turn = server->turn; /* what follows may open the next one */
        server->turn = (struct turn){.failing = turn.failing};
        server->players.held = false;
        if (saved)
            release_output(&turn);
        for (int i = turn.change_count - 1; i >= 0 && !saved; i--)
            revert(server, &turn.changes[i]);
        if (!saved) {
            drop_output(&turn);
            take_back_counts(&turn);
            answer_internal(&turn);
        }
        release_changes(server, &turn, saved);
        if (server->turn.open || turn.capacity > BYTES_KEPT_MAX) {
            turn_release(&turn);
        } else {
            turn_release(&server->turn);
            server->turn = turn;
            server->turn.open = false;
        }
    }
}

/* Whether the turn holds something of the session. */
static bool knows(const struct turn *turn, const struct session *session)
{
    for (int i = 0; i < turn->output_count; i++)
        if (turn->outputs[i].session == session)
            return true;
    for (int i = 0; i < turn->request_count; i++)
        if (turn->requests[i].session == session)
            return true;
    for (int i = 0; i < turn->change_count; i++)
        if (turn->changes[i].session == session)
            return true;
    return false;
}

void turn_end_before(struct server *server)
{
    struct running running = server->turn.running;

    if (running.noted) /* it is the last one: it runs */
        server->turn.request_count--;
    running.noted = false;
    turn_end(server);
    server->turn.running = running;
}

void turn_end_for(struct server *server, const struct session *session)
{
    if (knows(&server->turn, session))
        turn_end(server);
}

void turn_release(struct turn *turn)
{
    free(turn->changes);
    free(turn->outputs);
    free(turn->requests);
    free(turn->counts);
    free(turn->bytes);
    *turn = (struct turn){.failing = turn->failing};
}
