/*
 * The second connection: its way back, what a server does once a second, and what it has not been
 * told.
 *
 * When the connection has come back, nothing is read before one more commit of the first one: until
 * then what is visible may not be safe. A change is told after it is kept, by a server that may be
 * killed in between, over a connection that may break, to servers whose registration may be gone
 * with the primary. So after each gap, and every few seconds anyway, what is kept is compared with
 * what this server has told: the versions of the matches that are held, which matches those have
 * who are here, and where their partners are. What differs is read after one more commit.
 */
#include <stdlib.h>

#include "common/xmalloc.h"
#include "postgres.h"

enum {
    UNUSED_MS = 30000,
    DUE_MOST = 50,
    DUE_EVERY = 2,
    ENTRANTS_EVERY = 2,
    UNUSED_EVERY = 10,
    SLICES = 4,        /* one a second is compared */
    MISSED_MOST = 500, /* matches that are loaded at once */
    DAY_S = 86400
};

/* A seek is a row of its own from when its server offers it until that server takes it back. A unit
 * that pairs it writes its match there: only one can. The server where it began finds the match by
 * that, and takes the row back. */

/* Reads the matches in which seeks of this server have ended. */
static void read_paired(struct postgres *postgres, const struct offered_seek *list, int count)
{
    struct buffer numbers = {0};

    for (int i = 0; i < count; i++)
        if (list[i].node == postgres->nodes.own && list[i].match != 0)
            array_add(&numbers, list[i].match);
    if (numbers.length > 0)
        postgres_look_after(postgres, "m.number = ANY ($1::bigint[])", array_end(&numbers),
                            postgres_take_matches, postgres);
    buffer_release(&numbers);
}

static void take_seeks(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    int count = answer_rows(answer);

    if (answer->state != ANSWER_ROWS || !postgres_follows(postgres))
        return;
    struct offered_seek *list = xcalloc((size_t)count + 1, sizeof *list);
    for (int row = 0; row < count; row++)
        list[row] = (struct offered_seek){.node = (int)answer_integer(answer, row, 0),
                                          .number = answer_integer(answer, row, 1),
                                          .text = answer_text(answer, row, 2),
                                          .match = answer_integer(answer, row, 3)};
    postgres->keeper.calls->seeks(postgres->keeper.context, list, count);
    read_paired(postgres, list, count);
    free(list);
}

static void read_seeks(struct postgres *postgres)
{
    link_ask(postgres->reader, "SELECT node, number, line, match FROM seek ORDER BY node, number",
             NULL, 0, false, take_seeks, postgres);
}

/* What is compared at once: what has a number or an id of the slice. */
struct slice {
    int of, slices;
    struct buffer ids;                        /* of players */
    struct buffer tokens, windows, elsewhere; /* of each of these, where they are asked for */
};

static bool is_in(const struct slice *slice, int64_t number)
{
    return number % slice->slices == slice->of;
}

static bool is_hidden(const struct postgres *postgres, int64_t number)
{
    for (unsigned i = 0; i < HIDDEN_MAX && i < postgres->hidden_count; i++)
        if (postgres->hidden[i] == number)
            return true;
    return false;
}

/* Whether this server has not told of that version of a match. */
static bool differs(const struct postgres *postgres, int64_t number, int version)
{
    const struct held *held = postgres_find_held(postgres, number);

    return held != NULL
               ? held->table->version < version && held->table->broken == NULL
               : !lobby_is_opening(postgres->lobby, number) && !is_hidden(postgres, number);
}

/* What differs may be news that is on its way, or a commit that no standby has: that is known after
 * a commit of this server. */
static void take_versions(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    bool any = false;

    for (int row = 0; row < answer_rows(answer); row++) {
        const struct difference difference = {answer_integer(answer, row, 0),
                                              (int)answer_integer(answer, row, 1)};
        if (!differs(postgres, difference.number, difference.version))
            continue;
        if (postgres->difference_count == postgres->difference_room) {
            postgres->difference_room += MISSED_MOST;
            postgres->differences =
                xrealloc(postgres->differences,
                         (size_t)postgres->difference_room * sizeof *postgres->differences);
        }
        postgres->differences[postgres->difference_count++] = difference;
        any = true;
    }
    if (any)
        postgres_want_barrier(postgres);
}

/* Reads what still differs: this server has missed it. */
static void read_differences(struct postgres *postgres)
{
    struct buffer numbers = {0};
    int loaded = 0;

    for (int i = 0; i < postgres->difference_count; i++) {
        const struct difference *difference = &postgres->differences[i];
        struct held *held = postgres_find_held(postgres, difference->number);
        if (!differs(postgres, difference->number, difference->version))
            continue;
        if (held != NULL) {
            postgres_fall_behind(postgres, held, difference->version);
        } else if (loaded < MISSED_MOST) {
            array_add(&numbers, difference->number);
            loaded++;
        }
    }
    postgres->difference_count = 0;
    if (loaded > 0)
        postgres_look_after(postgres, "m.number = ANY ($1::bigint[])", array_end(&numbers),
                            postgres_take_matches, postgres);
    buffer_release(&numbers);
}

static void add_present(const struct player *player, void *context)
{
    struct slice *slice = context;

    if (player->kind != PLAYER_HOUSE && player_is_connected(player) && is_in(slice, player->id))
        array_add(&slice->ids, player->id);
}

/* Asks for the matches that players of the slice have, and for the versions of those that are held,
 * for which this server is registered again. */
static void read_versions(struct postgres *postgres, struct slice *slice)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct buffer numbers = {0};
    struct held *held, *next;

    HASH_ITER (hh, postgres->held, held, next) {
        if (is_in(slice, held->number))
            array_add(&numbers, held->number);
    }
    players_each(postgres->players, add_present, slice);
    const char *ids = slice->ids.length > 0 ? array_end(&slice->ids) : "{}";
    const char *const values[] = {numbers.length > 0 ? array_end(&numbers) : "{}", node.text};
    const char *const both[] = {values[0], ids};
    if (numbers.length == 0 && slice->ids.length == 0)
        return;
    if (numbers.length > 0)
        link_lead(postgres->reader,
                  "INSERT INTO interest (match, node) SELECT x, $2 FROM unnest($1::bigint[]) x"
                  " ON CONFLICT DO NOTHING",
                  values, 2);
    link_ask(postgres->reader,
             "SELECT x, coalesce((SELECT version FROM entry WHERE match = x ORDER BY version DESC"
             " LIMIT 1), 0) FROM (SELECT unnest($1::bigint[]) AS x"
             " UNION SELECT number FROM unnest($2::bigint[]) p JOIN match ON white = p"
             "  AND ended IS NULL"
             " UNION SELECT number FROM unnest($2::bigint[]) p JOIN match ON black = p"
             "  AND ended IS NULL"
             " UNION SELECT number FROM unnest($2::bigint[]) p JOIN match ON creator = p"
             "  AND status <> 'over' AND creator IS DISTINCT FROM white"
             "  AND creator IS DISTINCT FROM black) y",
             both, 2, false, take_versions, postgres);
    buffer_release(&numbers);
    buffer_release(&slice->ids);
}

/* Adds a player whom this server plays with, and who is not here. */
static void add_partner(const struct player *player, void *context)
{
    struct slice *slice = context;
    const struct seat *seat;

    if (player_is_connected(player) || player->kind != PLAYER_NAMED || !is_in(slice, player->id))
        return;
    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status != MATCH_OVER) {
            array_add(&slice->ids, player->id);
            return;
        }
}

static void read_places(struct postgres *postgres, struct slice *slice)
{
    players_each(postgres->players, add_partner, slice);
    postgres_ask_places(postgres, &slice->ids);
    buffer_release(&slice->ids);
}

/* The windows of a player here as PostgreSQL writes an array: the tokens with which they came. */
static void put_windows(struct buffer *text, const struct player *player)
{
    const struct window *window;

    buffer_puts(text, "{");
    TAILQ_FOREACH (window, &player->windows, link)
        buffer_printf(text, "%s%d", window == TAILQ_FIRST(&player->windows) ? "" : ",",
                      window->token);
    buffer_puts(text, "}");
}

/* Where else a player is, as player_row has it. */
static void put_elsewhere(struct buffer *text, const struct player *player)
{
    const struct places *places = player->elsewhere;

    for (int i = 0; places != NULL && i < places->count; i++)
        buffer_printf(text, "%s%d:%d", i > 0 ? "," : "", places->list[i].node,
                      places->list[i].windows);
    if (places == NULL)
        buffer_puts(text, "-");
}

/* Adds a named player who is here, with their windows and where else they are. */
static void add_named(const struct player *player, void *context)
{
    struct slice *slice = context;

    if (player->kind != PLAYER_NAMED || !player_is_connected(player) ||
        player->lock.owner != NULL || !is_in(slice, player->id))
        return;
    array_add(&slice->ids, player->id);
    buffer_puts(&slice->windows, slice->windows.length > 0 ? ",\"" : "{\"");
    put_windows(&slice->windows, player);
    buffer_puts(&slice->windows, "\"");
    buffer_puts(&slice->elsewhere, slice->elsewhere.length > 0 ? ",\"" : "{\"");
    put_elsewhere(&slice->elsewhere, player);
    buffer_puts(&slice->elsewhere, "\"");
}

/* Takes over where else people are who are here. One who is not kept as being here, and who has
 * come elsewhere since, was called there alone. */
static void take_named(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    const struct keeper_calls *calls = postgres->keeper.calls;
    struct buffer windows = {0};

    for (int row = 0; row < answer_rows(answer); row++) {
        struct player *player = players_find_id(postgres->players, answer_integer(answer, row, 0));
        int login = (int)answer_integer(answer, row, 1);
        bool is_kept = !answer_is_null(answer, row, 2);
        if (player == NULL || !player_is_connected(player) || player->lock.owner != NULL)
            continue;
        windows.length = 0;
        put_windows(&windows, player);
        buffer_add(&windows, "", 1);
        bool same = is_kept && strcmp(answer_text(answer, row, 2), windows.bytes) == 0;
        bool none;
        postgres_place(postgres, player,
                       places_read(answer_text(answer, row, 3), postgres->nodes.own, &none), false);
        if (!is_kept && login > player->login) {
            player->login = login;
            calls->replaced(postgres->keeper.context, player);
        } else if (!same) {
            calls->miscounted(postgres->keeper.context, player);
        }
    }
    buffer_release(&windows);
}

/* Ends that a player is kept as being here, unless they have come back since. */
static void leave_place(struct postgres *postgres, const struct stray *stray)
{
    struct number_text node = number_text(postgres->nodes.own), id = number_text(stray->id);
    struct number_text login = number_text(stray->login);
    const char *const values[] = {node.text, id.text, login.text};

    link_ask(postgres->reader, "SELECT leave_place($1, $2, $3)", values, 3, false, postgres_ignore,
             NULL);
}

/* Notes a stray. One that was seen a round ago does not come: the answer to their claim is lost. */
static void note_stray(struct postgres *postgres, int64_t id, int login)
{
    struct stray *stray = NULL;

    for (int i = 0; i < postgres->stray_count; i++)
        if (postgres->strays[i].id == id)
            stray = &postgres->strays[i];
    if (stray != NULL && stray->login == login && postgres->ticks - stray->ticks >= SLICES &&
        postgres->ticks - stray->ticks < 2 * SLICES)
        leave_place(postgres, stray);
    if (stray == NULL) {
        if (postgres->stray_count == postgres->stray_room) {
            postgres->stray_room += MISSED_MOST;
            postgres->strays =
                xrealloc(postgres->strays, (size_t)postgres->stray_room * sizeof *postgres->strays);
        }
        stray = &postgres->strays[postgres->stray_count++];
    }
    *stray = (struct stray){id, login, postgres->ticks};
}

static void take_strays(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    int kept = 0;

    for (int i = 0; i < postgres->stray_count; i++)
        if (postgres->ticks - postgres->strays[i].ticks < 2 * SLICES)
            postgres->strays[kept++] = postgres->strays[i];
    postgres->stray_count = kept;
    for (int row = 0; row < answer_rows(answer); row++) {
        int64_t id = answer_integer(answer, row, 0);
        const struct player *player = players_find_id(postgres->players, id);
        if (player == NULL || !player_is_connected(player))
            note_stray(postgres, id, (int)answer_integer(answer, row, 1));
    }
}

/* Asks who else of the slice is kept as being here: `ids` are those who are. */
static void read_strays(struct postgres *postgres, const struct slice *slice, const char *ids)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text of = number_text(slice->of), slices = number_text(slice->slices);
    const char *const values[] = {node.text, slices.text, of.text, ids};

    link_ask(postgres->reader,
             "SELECT player, login FROM here WHERE node = $1 AND player % $2 = $3"
             " AND NOT EXISTS (SELECT FROM unnest($4::bigint[]) x WHERE x = player)",
             values, 4, false, take_strays, postgres);
}

/* Asks for which players who are here the database says something else. */
static void read_named(struct postgres *postgres, struct slice *slice)
{
    struct number_text node = number_text(postgres->nodes.own);

    players_each(postgres->players, add_named, slice);
    if (slice->ids.length == 0)
        read_strays(postgres, slice, "{}");
    if (slice->ids.length > 0) {
        buffer_add(&slice->windows, "}", 2); /* with the final NUL */
        buffer_add(&slice->elsewhere, "}", 2);
        const char *const values[] = {array_end(&slice->ids), slice->windows.bytes,
                                      slice->elsewhere.bytes, node.text};
        link_ask(postgres->reader,
                 "SELECT x.id, p.login, h.windows, e.places FROM"
                 " unnest($1::bigint[], $2::text[], $3::text[]) AS x (id, windows, places)"
                 " JOIN player p ON p.id = x.id LEFT JOIN here h ON h.player = x.id AND h.node = $4"
                 " CROSS JOIN LATERAL (SELECT coalesce(string_agg(o.node || ':' ||"
                 "   cardinality(o.windows), ',' ORDER BY o.node), '-') AS places"
                 "  FROM here o WHERE o.player = x.id AND o.node <> $4) e"
                 " WHERE h.windows::text IS DISTINCT FROM x.windows OR e.places <> x.places",
                 values, 4, false, take_named, postgres);
        read_strays(postgres, slice, values[0]);
    }
    buffer_release(&slice->ids);
    buffer_release(&slice->windows);
    buffer_release(&slice->elsewhere);
}

static void take_ended_tokens(void *context, const struct answer *answer)
{
    for (int row = 0; row < answer_rows(answer); row++)
        postgres_take_revoked(context, answer_integer(answer, row, 0),
                              (int)answer_integer(answer, row, 1));
}

/* Adds the tokens with which the windows of a player have come. */
static void add_tokens(const struct player *player, void *context)
{
    struct slice *slice = context;
    const struct window *window;

    if (player->kind != PLAYER_NAMED || !is_in(slice, player->id))
        return;
    TAILQ_FOREACH (window, &player->windows, link)
        if (window->token != 0) {
            array_add(&slice->ids, player->id);
            array_add(&slice->tokens, window->token);
        }
}

/* Asks which of the tokens with which people are here have ended: of a token that never had a row
 * it is known by others of the player. */
static void read_tokens(struct postgres *postgres, struct slice *slice)
{
    players_each(postgres->players, add_tokens, slice);
    if (slice->ids.length > 0) {
        const char *const values[] = {array_end(&slice->ids), array_end(&slice->tokens)};
        link_ask(postgres->reader,
                 "SELECT x.player, x.number FROM unnest($1::bigint[], $2::int[])"
                 " AS x (player, number) WHERE NOT EXISTS (SELECT FROM token t"
                 "  WHERE t.player = x.player AND t.number = x.number)"
                 " AND EXISTS (SELECT FROM token t WHERE t.player = x.player)",
                 values, 2, false, take_ended_tokens, postgres);
    }
    buffer_release(&slice->ids);
    buffer_release(&slice->tokens);
}

static void compare_slice(struct postgres *postgres, int of, int slices)
{
    struct slice slice = {.of = of, .slices = slices};

    read_versions(postgres, &slice);
    read_places(postgres, &slice);
    read_named(postgres, &slice);
    read_tokens(postgres, &slice);
}

void postgres_compare_all(struct postgres *postgres)
{
    compare_slice(postgres, 0, 1);
}

static void sweep_nodes(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text timeout = number_text(postgres->timeout_s);
    const char *const values[] = {node.text, timeout.text};

    link_ask(postgres->reader, "SELECT sweep($1, $2)", values, 2, false, postgres_ignore, NULL);
}

/* An echo, by which the lag of news is measured. */
static void tell_self(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own), now = number_text(tally_now_us());
    const char *const values[] = {node.text, now.text};

    link_ask(postgres->reader,
             "SELECT set_config('synchronous_commit', 'off', true),"
             " pg_notify('ludus' || $1, 'e ' || $2)",
             values, 2, false, postgres_ignore, NULL);
}

static void take_due_tables(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    postgres_take_tables(postgres, answer);
    for (int row = 0; row < answer_rows(answer); row++) {
        struct held *held = postgres_find_held(postgres, row_number(answer, row));
        if (held != NULL)
            held->due = true;
    }
}

/* Matches where something is due, and that no server holds: this one does from now on. */
static void take_due(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    const char *numbers = answer_rows(answer) == 1 ? answer_text(answer, 0, 0) : "";

    if (numbers[0] == '\0')
        return;
    postgres_look_after(postgres, "m.number = ANY ($1::bigint[])", numbers, take_due_tables,
                        postgres);
}

static void look_for_due(struct postgres *postgres)
{
    struct number_text most = number_text(DUE_MOST);
    const char *const values[] = {most.text};

    link_ask(postgres->reader, "SELECT array_agg(x) FROM take_due($1) x", values, 1, false,
             take_due, postgres);
}

/* Nothing was due there yet: the database is told when it will be. */
static void note_due(struct postgres *postgres, struct held *held)
{
    const struct table *table = held->table;
    struct number_text number = number_text(held->number);
    int64_t left_ms = table->deadline.place != 0 ? table->deadline.at_ms - postgres->now_ms
                                                 : DAY_S * INT64_C(1000);
    struct number_text left = number_text(left_ms > 0 ? left_ms / 1000 + 1 : 1);
    const char *const values[] = {number.text, left.text};

    held->due = false;
    if (table->match.status != MATCH_OVER)
        link_ask(postgres->reader,
                 "UPDATE match SET due = service_now() + make_interval(secs => $2)"
                 " WHERE number = $1 AND status <> 'over'",
                 values, 2, false, postgres_ignore, NULL);
}

static bool is_house(const struct player *player)
{
    return player != NULL && player->kind == PLAYER_HOUSE;
}

static bool is_here(const struct player *player)
{
    return player != NULL && !is_house(player) && player_is_connected(player);
}

/* Somebody here plays, watches or waits for the match, or its flag falls here. */
static bool is_needed(const struct table *table)
{
    const struct player *white = table->seats[WHITE].player, *black = table->seats[BLACK].player;

    return table->lock.owner != NULL || !TAILQ_EMPTY(&table->lock.queue) ||
           !LIST_EMPTY(&table->watches) || is_here(white) || is_here(black) ||
           is_here(table->creator) || (is_house(white) && is_house(black)) ||
           (table->deadline.place != 0 && table->match.clock.runs);
}

/* Lets a match go that nobody here has needed for a while. */
static void let_go_unused(struct postgres *postgres, struct held *held)
{
    if (is_needed(held->table) || held->state == HELD_READING || held->due)
        held->unused_ms = 0;
    else if (held->unused_ms == 0)
        held->unused_ms = postgres->now_ms;
    else if (postgres->now_ms - held->unused_ms > UNUSED_MS)
        lobby_forget(postgres->lobby, held->table);
}

void postgres_make_round(struct postgres *postgres)
{
    struct held *held, *next;

    postgres->ticks++;
    if (!postgres_follows(postgres))
        return;
    postgres_unregister(postgres);
    postgres_ask_numbers(postgres);
    postgres_read_behind(postgres);
    sweep_nodes(postgres);
    postgres_read_nodes(postgres);
    tell_self(postgres);
    if (postgres->ticks % DUE_EVERY == 0)
        look_for_due(postgres);
    compare_slice(postgres, (int)(postgres->ticks % SLICES), SLICES);
    if (postgres->ticks % SLICES == 0)
        postgres_note_tournament(postgres, 0); /* what is told can get lost */
    if (postgres->ticks % ENTRANTS_EVERY == 0)
        postgres_ask_entrants(postgres);
    if (postgres->ticks % UNUSED_EVERY != 0)
        return;
    read_seeks(postgres); /* what is told can get lost */
    HASH_ITER (hh, postgres->held, held, next) {
        if (held->due && held->table->lock.owner == NULL)
            note_due(postgres, held);
        if (held->table->match.status != MATCH_OVER)
            let_go_unused(postgres, held);
    }
}

void postgres_catch_up(struct postgres *postgres)
{
    if (!link_is_up(postgres->reader))
        return;
    if (postgres->reading != READ_WAITS) {
        read_differences(postgres);
        return;
    }
    postgres->difference_count = 0;
    postgres->hidden_count = 0;
    postgres_read_nodes(postgres);
    postgres_unregister(postgres);
    postgres_compare_all(postgres);
    read_seeks(postgres);
    postgres_note_tournament(postgres, 0);
    postgres_set_reading(postgres, READ_FOLLOWS);
}

static void on_reader_up(void *context)
{
    postgres_set_reading(context, READ_WAITS);
    postgres_want_barrier(context);
}

/* The third connection may be with a primary that is one no more, too. */
static void on_reader_down(void *context, const char *why)
{
    struct postgres *postgres = context;

    postgres_set_reading(postgres, READ_AWAY);
    if (link_is_up(postgres->lists))
        link_break(postgres->lists, why);
}

static void on_reader_notified(void *context, char *payload)
{
    struct postgres *postgres = context;

    if (!postgres->closing)
        postgres_take_news(postgres, payload);
}

const struct link_calls postgres_reader_calls = {
    .up = on_reader_up, .down = on_reader_down, .notified = on_reader_notified};

static void on_lists_up(void *context)
{
    (void)context;
}

static void on_lists_down(void *context, const char *why)
{
    (void)context;
    (void)why;
}

static void on_lists_notified(void *context, char *payload)
{
    (void)context;
    (void)payload;
}

const struct link_calls postgres_lists_calls = {
    .up = on_lists_up, .down = on_lists_down, .notified = on_lists_notified};
