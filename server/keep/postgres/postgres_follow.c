/*
 * The second connection: the matches that are held, what other servers do with them, and what this
 * one tells.
 *
 * A batch tells of each match that it changes: of a move what a server needs to play it, of
 * anything else that the match is to be read. What the database does not keep goes by lines of
 * their own. One statement with such lines is in flight; what there is to tell meanwhile goes
 * together in the next, which costs the database little more than one line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "postgres.h"
#include "server/base/log.h"

enum {
    LET_GO_MOST = 64, /* at once */
    LOBBY_MS = 100    /* since others were last told: so long does news of the lobby wait */
};

struct tell {
    STAILQ_ENTRY(tell) next;
    int64_t about; /* the number of a match; 0: none */
    char line[];
};

void postgres_set_reading(struct postgres *postgres, enum reading reading)
{
    static const char *const names[] = {"away", "waits", "doubts", "follows"};

    if (reading != postgres->reading)
        log_line(LOG_DEBUG, "event=reading state=%s", names[reading]);
    postgres->reading = reading;
    link_set_gate(postgres->reader, reading == READ_FOLLOWS);
    link_set_gate(postgres->lists, reading == READ_FOLLOWS);
}

bool postgres_follows(const struct postgres *postgres)
{
    return postgres->reading >= READ_DOUBTS;
}

void postgres_tell_placed(struct postgres *postgres)
{
    for (int i = 0; i < postgres->placed_count; i++) {
        struct placed *placed = &postgres->placed[i];
        struct player *player = players_find_id(postgres->players, placed->id);
        if (player != NULL)
            postgres->keeper.calls->placed(postgres->keeper.context, player, placed->before,
                                           placed->renamed);
        free(placed->before);
    }
    postgres->placed_count = 0;
}

static void take_places(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    if (postgres->closing) /* its players are gone, too */
        return;
    for (int row = 0; row < answer_rows(answer); row++)
        row_to_player(postgres, answer, row);
}

void postgres_ask_places(struct postgres *postgres, struct buffer *ids)
{
    char sql[120];

    if (ids->length == 0)
        return;
    const char *const values[] = {array_end(ids)};
    snprintf(sql, sizeof sql, "%sWHERE p.id = ANY ($1::bigint[])", postgres_player_sql);
    link_ask(postgres->reader, sql, values, 1, true, take_places, postgres);
    ids->length = 0;
}

void postgres_ask_matches(struct postgres *postgres, const char *which, const char *value,
                          answer_taker *taker, void *context)
{
    const char *const values[] = {value};
    struct buffer sql = {0};

    postgres_put_match_sql(&sql, which);
    link_ask(postgres->reader, sql.bytes, values, 1, true, taker, context);
    buffer_release(&sql);
}

void postgres_look_after(struct postgres *postgres, const char *which, const char *value,
                         answer_taker *taker, void *context)
{
    struct number_text node = number_text(postgres->nodes.own);
    const char *const values[] = {value, node.text};
    char sql[320];

    snprintf(sql, sizeof sql,
             "INSERT INTO interest (match, node) SELECT m.number, $2 FROM match m WHERE %s"
             " ON CONFLICT DO NOTHING",
             which);
    link_lead(postgres->reader, sql, values, 2);
    postgres_ask_matches(postgres, which, value, taker, context);
}

struct held *postgres_find_held(const struct postgres *postgres, int64_t number)
{
    struct held *held;

    HASH_FIND_BYHASHVALUE(hh, postgres->held, &number, sizeof number, hash_number(number), held);
    return held;
}

static void set_held(struct postgres *postgres, struct held *held, enum held_state state)
{
    static const char *const names[] = {"current", "later", "reading"};

    if (state == held->state)
        return;
    log_line(LOG_DEBUG, "event=held match=%" PRId64 " state=%s", held->number, names[state]);
    if (held->state == HELD_LATER)
        LIST_REMOVE(held, next);
    if (state == HELD_LATER)
        LIST_INSERT_HEAD(&postgres->later, held, next);
    held->state = state;
}

/* Queues a match, whose registration is undone together with others. */
static void unregister_later(struct postgres *postgres, int64_t number)
{
    if (postgres->let_go_count == postgres->let_go_room) {
        postgres->let_go_room += LET_GO_MOST;
        postgres->let_go =
            xrealloc(postgres->let_go, (size_t)postgres->let_go_room * sizeof *postgres->let_go);
    }
    postgres->let_go[postgres->let_go_count++] = number;
}

/* A match that was let go is here again before its registration was undone. */
static void keep_registered(struct postgres *postgres, int64_t number)
{
    int kept = 0;

    for (int i = 0; i < postgres->let_go_count; i++)
        if (postgres->let_go[i] != number)
            postgres->let_go[kept++] = postgres->let_go[i];
    postgres->let_go_count = kept;
}

void postgres_hold(void *context, struct table *table)
{
    struct postgres *postgres = context;
    struct held *held = xcalloc(1, sizeof *held);

    keep_registered(postgres, table->number);
    held->number = table->number;
    held->table = table;
    HASH_ADD_BYHASHVALUE(hh, postgres->held, number, sizeof held->number, hash_number(held->number),
                         held);
}

void postgres_unregister(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct buffer numbers = {0};

    if (postgres->let_go_count == 0 || !link_is_idle(postgres->reader))
        return;
    for (int i = 0; i < postgres->let_go_count; i++)
        array_add(&numbers, postgres->let_go[i]);
    const char *const values[] = {node.text, array_end(&numbers)};
    link_ask(postgres->reader,
             "DELETE FROM interest WHERE node = $1 AND match = ANY ($2::bigint[])", values, 2,
             false, postgres_ignore, NULL);
    postgres->let_go_count = 0;
    buffer_release(&numbers);
}

/* That it is registered can wait until there is more. */
void postgres_let_go(void *context, struct table *table)
{
    struct postgres *postgres = context;
    struct held *held = postgres_find_held(postgres, table->number);

    set_held(postgres, held, HELD_CURRENT);
    HASH_DELETE(hh, postgres->held, held);
    free(held);
    if (!postgres_follows(postgres))
        return;
    if (table_is_unplayed(table)) {
        struct number_text number = number_text(table->number);
        struct number_text node = number_text(postgres->nodes.own);
        const char *const values[] = {node.text, number.text};
        link_ask(postgres->reader,
                 "SELECT set_config('synchronous_commit', 'off', true), let_go_unplayed($1, $2)",
                 values, 2, false, postgres_ignore, NULL);
        return;
    }
    unregister_later(postgres, table->number);
    if (postgres->let_go_count >= LET_GO_MOST)
        postgres_unregister(postgres);
}

/* Passes on which seeks of this server have ended in a match: node and number of each. */
static void take_paired(struct postgres *postgres, const char *seeks, struct table *table)
{
    struct words words = {seeks};

    while (*words.at != '\0') {
        int64_t node = words_integer(&words), number = words_integer(&words);
        if (words.at == NULL)
            return;
        if (node == postgres->nodes.own)
            postgres->keeper.calls->seek_taken(postgres->keeper.context, number, table);
    }
}

/* Queues a match to be read, together with others. */
static void read_held(struct postgres *postgres, struct held *held)
{
    if (held->state == HELD_READING)
        return;
    set_held(postgres, held, HELD_READING);
    held->awaited = held->behind;
    array_add(&postgres->to_read, held->number);
}

/* Leaves a match to postgres_read_behind(), unless it is being read. */
static void read_later(struct postgres *postgres, struct held *held)
{
    if (held->state != HELD_READING)
        set_held(postgres, held, HELD_LATER);
}

struct table *postgres_take_tables(struct postgres *postgres, const struct answer *answer)
{
    struct table *table = NULL;
    struct cause cause;

    for (int row = 0; row < answer_rows(answer); row++) {
        if (lobby_is_opening(postgres->lobby, row_number(answer, row))) {
            postgres->opens_known = true;
            continue;
        }
        struct held *held = postgres_find_held(postgres, row_number(answer, row));
        int version = row_version(answer, row);
        if (held != NULL && held->table->version < version && held->behind < version) {
            held->behind = version; /* it was read twice at once, and this is the later reading */
            read_later(postgres, held);
        }
        table = held != NULL ? held->table : row_to_table(postgres, answer, row, &cause);
        if (held == NULL && (table == NULL || table->broken != NULL))
            record_log_broken(row_number(answer, row), &cause);
        if (table == NULL) {
            unregister_later(postgres, row_number(answer, row));
            postgres->hidden[postgres->hidden_count++ % HIDDEN_MAX] = row_number(answer, row);
            continue;
        }
        take_paired(postgres, row_seeks(answer, row), table);
        if (held == NULL)
            postgres->keeper.calls->loaded(postgres->keeper.context, table);
    }
    return table;
}

void postgres_take_matches(void *postgres, const struct answer *answer)
{
    postgres_take_tables(postgres, answer);
}

/* The match of a held table, as it is kept now. */
static void apply_row(struct postgres *postgres, const struct answer *answer, int row,
                      struct held *held)
{
    int version = row_version(answer, row);
    struct cause cause;

    if (held->table->lock.owner != NULL) {
        if (held->behind < version)
            held->behind = version;
        return;
    }
    if (version <= held->table->version || held->table->broken != NULL)
        return;
    struct table *fresh = row_to_draft(postgres, answer, row, held->table, &cause);
    if (fresh != NULL)
        postgres->keeper.calls->changed(postgres->keeper.context, held->table, fresh);
    else
        record_log_broken(held->number, &cause);
}

static void take_row(struct postgres *postgres, const struct answer *answer, int row)
{
    struct held *held = postgres_find_held(postgres, row_number(answer, row));

    if (held == NULL)
        return;
    set_held(postgres, held, HELD_CURRENT);
    apply_row(postgres, answer, row, held);
    held = postgres_find_held(postgres, row_number(answer, row)); /* it may have been let go */
    if (held == NULL || held->behind <= held->table->version)
        return;
    bool is_old = held->table->version < held->awaited; /* than the news: not at once again */
    if (is_old || held->table->lock.owner != NULL)
        read_later(postgres, held);
    else
        read_held(postgres, held);
}

static void take_held(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    struct held *held, *next;

    postgres->asked &= ~(unsigned)ASKED_HELD;
    for (int row = 0; row < answer_rows(answer); row++)
        take_row(postgres, answer, row);
    if (answer->state == ANSWER_ROWS)
        return;
    HASH_ITER (hh, postgres->held, held, next) {
        if (held->state == HELD_READING)
            set_held(postgres, held, HELD_CURRENT);
    }
    link_break(postgres->reader, answer->message); /* once it is back, all is read again */
}

void postgres_read_held(struct postgres *postgres)
{
    if ((postgres->asked & ASKED_HELD) != 0 || postgres->to_read.length == 0)
        return;
    postgres->asked |= ASKED_HELD;
    postgres_ask_matches(postgres, "m.number = ANY ($1::bigint[])", array_end(&postgres->to_read),
                         take_held, postgres);
    postgres->to_read.length = 0;
}

void postgres_read_behind(struct postgres *postgres)
{
    struct held *held, *next;

    for (held = LIST_FIRST(&postgres->later); held != NULL; held = next) {
        next = LIST_NEXT(held, next);
        if (held->behind <= held->table->version)
            set_held(postgres, held, HELD_CURRENT);
        else if (held->table->lock.owner == NULL)
            read_held(postgres, held);
    }
}

void postgres_fall_behind(struct postgres *postgres, struct held *held, int version)
{
    if (held->table->broken != NULL)
        return; /* it is read when somebody has repaired it */
    if (version <= held->table->version)
        return;
    if (held->behind < version)
        held->behind = version;
    if (held->table->lock.owner == NULL)
        read_held(postgres, held);
    else
        read_later(postgres, held);
}

void postgres_follow_batch(struct postgres *postgres)
{
    postgres->compares = postgres->compares || postgres->opens_known;
    postgres->opens_known = false;
    postgres_read_behind(postgres);
}

/* Finds a server in an answer, in the same epoch. */
static bool has_node(const struct answer *answer, int id, int64_t epoch)
{
    for (int row = 0; row < answer_rows(answer); row++)
        if (answer_integer(answer, row, 0) == id && answer_integer(answer, row, 2) == epoch)
            return true;
    return false;
}

static void pass_nodes(const struct postgres *postgres)
{
    postgres->keeper.calls->nodes(postgres->keeper.context, &postgres->nodes);
}

/* Removes those that have gone, or that have gone and come back. */
static bool remove_nodes(struct postgres *postgres, const struct answer *answer)
{
    struct nodes *nodes = &postgres->nodes;
    int count = 0;

    for (int i = 0; i < nodes->count; i++) {
        if (!has_node(answer, nodes->list[i].id, postgres->epochs[i]))
            continue;
        nodes->list[count] = nodes->list[i];
        postgres->epochs[count++] = postgres->epochs[i];
    }
    bool removed = count < nodes->count;
    nodes->count = count;
    return removed;
}

static void take_nodes(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    struct nodes *nodes = &postgres->nodes;
    int count = answer_rows(answer) < NODES_MAX ? answer_rows(answer) : NODES_MAX;

    if (answer->state != ANSWER_ROWS || postgres->epoch == 0)
        return;
    bool removed = remove_nodes(postgres, answer);
    if (removed)
        pass_nodes(postgres);
    bool tells = nodes->count != count;
    for (int row = 0; row < count; row++) {
        struct node *node = &nodes->list[row];
        node->id = (int)answer_integer(answer, row, 0);
        snprintf(node->address, sizeof node->address, "%s", answer_text(answer, row, 1));
        postgres->epochs[row] = answer_integer(answer, row, 2);
        tells = tells || node->silent_ms >= NODE_SILENT_MS;
        node->silent_ms = answer_integer(answer, row, 3);
        tells = tells || node->silent_ms >= NODE_SILENT_MS;
    }
    nodes->count = count;
    if (tells)
        pass_nodes(postgres);
}

void postgres_read_nodes(struct postgres *postgres)
{
    link_ask(postgres->reader,
             "SELECT id, address, epoch, (extract(epoch FROM clock_timestamp() - seen) * "
             "1000)::bigint FROM node WHERE alive ORDER BY id",
             NULL, 0, false, take_nodes, postgres);
}

/* Loads a match of which others told: for a player who is here, or because it was just let go. */
static void load_match(struct postgres *postgres, int64_t number)
{
    postgres_look_after(postgres, "m.number = $1", number_text(number).text, postgres_take_matches,
                        postgres);
}

/* Plays a move of another server, after which the match goes on or not. The turn that it begins is
 * charged from now on, by this server's time. False if it cannot be played: nothing has changed. */
static bool play_entry(const struct postgres *postgres, const struct entry *entry, bool goes_on,
                       struct match *match)
{
    struct move move;
    struct cause cause;

    if (match->status != MATCH_PLAYING || match->ply_count + 1 != entry->ply ||
        !move_parse(match->game, &match->position, entry->move, &move, &cause))
        return false;
    struct ply_note note = note_read(match, entry->note);
    if (goes_on)
        match_play_on(match, move, postgres->now_ms);
    else
        match_play(match, move, postgres->now_ms);
    match_annotate(match, &note);
    match->plies[entry->ply - 1].took_ms = (uint32_t)entry->took_ms;
    match_set_offers(match, entry->offers);
    if (match->clock.base_ms > 0)
        memcpy(match->clock.left_ms, entry->left_ms, sizeof entry->left_ms);
    return true;
}

static bool take_move(const struct postgres *postgres, const char *text, struct table *table)
{
    struct entry entry;

    if (entry_read(text + 1, &entry) == NULL || !play_entry(postgres, &entry, true, &table->match))
        return false;
    table->version++;
    postgres->keeper.calls->moved(postgres->keeper.context, table);
    return true;
}

/* Reads what put_told_rating() has written, of a match. */
static struct rating read_told_rating(struct words *words, const struct match *match)
{
    struct rating rating = {.game = match->game, .matches = (int)words_integer(words)};
    int64_t bits[3];

    match->game->variant_name(&match->start, rating.variant);
    for (int i = 0; i < 3; i++)
        bits[i] = words_integer(words);
    memcpy(&rating.now, bits, sizeof bits);
    rating.now = glicko_sane(rating.now);
    return rating;
}

/* Plays the last move in a draft. False if the match does not end by it as is told. */
static bool end_match(const struct postgres *postgres, const struct entry *entry,
                      const struct outcome *outcome, struct match *match)
{
    return play_entry(postgres, entry, false, match) && match->status == MATCH_OVER &&
           match->outcome.result == outcome->result && match->outcome.reason == outcome->reason;
}

/* A match has ended by a move, as put_end() tells it. */
static bool take_end(const struct postgres *postgres, const char *text, struct table *table)
{
    struct words words = {text + strlen(" x")};
    char result[8], reason[32];
    struct rating ratings[2];
    struct outcome outcome;
    struct entry entry;

    words_text(&words, result, sizeof result);
    words_text(&words, reason, sizeof reason);
    bool rated = words_integer(&words) == 2;
    for (int color = WHITE; color <= BLACK && rated; color++)
        ratings[color] = read_told_rating(&words, &table->match);
    if (words.at == NULL || strncmp(words.at, " m", 2) != 0 ||
        !pgn_outcome(result, reason, &outcome) || entry_read(words.at + 1, &entry) == NULL)
        return false;
    struct table *draft = table_draft(table);
    if (!end_match(postgres, &entry, &outcome, &draft->match)) {
        table_drop(draft);
        return false;
    }
    for (int color = WHITE; color <= BLACK && rated; color++) {
        draft->rating_after[color] = ratings[color].now.rating;
        row_take_rating(table->seats[color].player, &ratings[color]);
    }
    draft->version++;
    draft->ended = ++postgres->lobby->ended;
    postgres->keeper.calls->changed(postgres->keeper.context, table, draft);
    return true;
}

/* Whether a player can take that seat by what is told: they are known here, so that of their
 * ratings no other is missing, and have no display name, of which nothing is told. */
static bool can_start(const struct postgres *postgres, const struct table *table, enum color color,
                      int64_t id)
{
    const struct player *player = players_find_id(postgres->players, id);
    const struct seat *seat = &table->seats[color], *other = &table->seats[!color];

    return player != NULL && player_display(player) == NULL && table->match.status == MATCH_OPEN &&
           !seat->joined && (seat->player == NULL || seat->player == player) && other->joined &&
           other->player != player;
}

/* Somebody has taken the last seat of a match, which begins, as put_start() tells it. */
static bool take_start(struct postgres *postgres, const char *text, struct table *table)
{
    struct words words = {text + strlen(" j")};
    enum color color = words_integer(&words) == BLACK ? BLACK : WHITE;
    bool was_open = words_integer(&words) != 0, rated = words_integer(&words) != 0;
    struct rating rating;

    if (rated)
        rating = read_told_rating(&words, &table->match);
    struct words person = words;
    if (!can_start(postgres, table, color, words_integer(&words)) || words.at == NULL)
        return false;
    struct player *player = row_read_player(postgres, person.at + (*person.at == ' '));
    if (player == NULL)
        return false;
    if (rated)
        row_take_rating(player, &rating);
    struct table *draft = table_draft(table);
    table_give_seat(draft, color, player, true);
    draft->seats[color].was_open = was_open;
    draft->started = true;
    match_start(&draft->match, postgres->now_ms);
    draft->version++;
    postgres->keeper.calls->changed(postgres->keeper.context, table, draft);
    return true;
}

/* Takes over a change of which all is told. False if it is to be read: nothing has changed. */
static bool take_told(struct postgres *postgres, const char *text, struct table *table)
{
    if (strncmp(text, " m", 2) == 0)
        return take_move(postgres, text, table);
    if (strncmp(text, " x ", 3) == 0)
        return take_end(postgres, text, table);
    return strncmp(text, " j ", 3) == 0 && take_start(postgres, text, table);
}

/* Another server has brought a match to a version. If it does not tell how, the match is read. */
static void take_change(struct postgres *postgres, struct words *words)
{
    int64_t number = words_integer(words), version = words_integer(words);
    struct held *held = postgres_find_held(postgres, number);

    if (words->at == NULL)
        return;
    if (held == NULL) {
        load_match(postgres, number);
        return;
    }
    struct table *table = held->table;
    bool is_next = table->broken == NULL && table->lock.owner == NULL &&
                   held->state != HELD_READING && version == table->version + 1;
    if (is_next && take_told(postgres, words->at, table))
        return;
    if (table->broken == NULL) {
        postgres_fall_behind(postgres, held, (int)version);
    } else if (version > table->version) { /* somebody has repaired it */
        lobby_forget(postgres->lobby, table);
        load_match(postgres, number);
    }
}

static void take_replaced(struct postgres *postgres, struct words *words)
{
    struct player *player = players_find_id(postgres->players, words_integer(words));
    int login = (int)words_integer(words), node = (int)words_integer(words);

    if (words->at == NULL || player == NULL || player->login >= login)
        return;
    player->login = login;
    if (player_is_connected(player)) { /* nobody has left: they are there */
        player_set_elsewhere(player, places_add(NULL, node, 1));
        postgres->keeper.calls->replaced(postgres->keeper.context, player);
    }
    array_add(&postgres->to_place, player->id);
}

/* A player has come or gone elsewhere: where they are is read, if anybody here has to know. */
static void take_place(struct postgres *postgres, int64_t id)
{
    if (players_find_id(postgres->players, id) != NULL)
        array_add(&postgres->to_place, id);
}

void postgres_take_revoked(struct postgres *postgres, int64_t id, int token)
{
    struct player *player = players_find_id(postgres->players, id);

    if (player != NULL && player_is_connected(player))
        postgres->keeper.calls->revoked(postgres->keeper.context, player, token);
}

/* What a server tells about a match, or with the number 0 about none. */
static void take_event(struct postgres *postgres, struct words *words)
{
    int64_t number = words_integer(words);
    struct held *held = postgres_find_held(postgres, number);

    if (words->at == NULL || *words->at != ' ' || (number != 0 && held == NULL))
        return;
    if (strncmp(words->at, " p ", 3) == 0) { /* by a server of the version before */
        take_place(postgres, strtoll(words->at + 3, NULL, 10));
        return;
    }
    postgres->keeper.calls->told(postgres->keeper.context, held != NULL ? held->table : NULL,
                                 words->at + 1);
}

static void take_line(struct postgres *postgres, const char *line)
{
    struct words words = {line + (*line != '\0')};
    struct offered_seek seek = {.text = NULL};
    int64_t time_us, id;

    switch (line[0]) {
    case 'm': /* by a server of the version before */
    case 't':
        take_change(postgres, &words);
        break;
    case 'r':
        take_replaced(postgres, &words);
        break;
    case 'h':
        id = words_integer(&words);
        if (words.at != NULL)
            take_place(postgres, id);
        break;
    case 'v':
        id = words_integer(&words);
        postgres_take_revoked(postgres, id, (int)words_integer(&words));
        break;
    case 'c':
        take_event(postgres, &words);
        break;
    case 's':
        seek.node = (int)words_integer(&words);
        seek.number = words_integer(&words);
        if (words.at == NULL)
            break;
        if (*words.at == ' ') /* else it does not wait any more */
            seek.text = words.at + 1;
        postgres->keeper.calls->seek(postgres->keeper.context, &seek);
        break;
    case 'n':
        postgres_read_nodes(postgres);
        break;
    case 'u':
        postgres_note_tournament(postgres, words_integer(&words));
        break;
    case 'e':
        time_us = words_integer(&words);
        if (words.at != NULL)
            postgres->keeper.tally->news_lag_us = tally_now_us() - time_us;
    }
}

void postgres_take_news(struct postgres *postgres, char *payload)
{
    const char *line;

    while ((line = strsep(&payload, "\n")) != NULL)
        take_line(postgres, line);
}

/* Appends an element to an array of texts. */
static void add_line(struct buffer *array, const char *text)
{
    char *at = buffer_room(array, sizeof ",\"\"" + 2 * strlen(text));

    if (array->length > 1)
        *at++ = ',';
    *at++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            *at++ = '\\';
        *at++ = *text;
    }
    *at++ = '"';
    array->length = (size_t)(at - array->bytes);
}

/* Moves the lines to the arrays. */
static void move_lines(struct tells *tells, struct buffer *abouts, struct buffer *lines)
{
    struct tell *tell;

    while ((tell = STAILQ_FIRST(tells)) != NULL) {
        buffer_printf(abouts, "%s%" PRId64, abouts->length > 1 ? "," : "", tell->about);
        add_line(lines, tell->line);
        STAILQ_REMOVE_HEAD(tells, next);
        free(tell);
    }
}

static void take_told_lines(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    (void)answer; /* what is told can get lost */
    postgres->asked &= ~(unsigned)ASKED_TELLS;
    postgres_tell_waiting(postgres);
}

void postgres_tell_waiting(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    struct buffer abouts = {0}, lines = {0};
    int64_t now_ms = postgres_real_ms();

    if ((postgres->asked & ASKED_TELLS) != 0 || STAILQ_EMPTY(&postgres->tells) ||
        now_ms < postgres->tell_ms)
        return;
    buffer_puts(&abouts, "{");
    buffer_puts(&lines, "{");
    move_lines(&postgres->tells, &abouts, &lines);
    buffer_add(&abouts, "}", 2); /* with the final NUL */
    buffer_add(&lines, "}", 2);
    const char *const values[] = {node.text, abouts.bytes, lines.bytes};
    postgres->asked |= ASKED_TELLS;
    postgres->told_ms = now_ms;
    link_ask(postgres->reader, "SELECT tell_all($1, $2, $3)", values, 3, false, take_told_lines,
             postgres);
    buffer_release(&abouts);
    buffer_release(&lines);
}

void postgres_tell(struct keeper *keeper, const struct table *table, const char *event)
{
    struct postgres *postgres = (struct postgres *)keeper;
    size_t size = strlen(event) + 1;
    struct tell *tell = xmalloc(sizeof *tell + size);

    tell->about = table != NULL ? table->number : 0;
    memcpy(tell->line, event, size);
    if (table != NULL)
        postgres->tell_ms = 0;
    else if (STAILQ_EMPTY(&postgres->tells))
        postgres->tell_ms = postgres->told_ms + LOBBY_MS;
    STAILQ_INSERT_TAIL(&postgres->tells, tell, next);
}

void postgres_forget_tells(struct postgres *postgres)
{
    struct tell *tell;

    while ((tell = STAILQ_FIRST(&postgres->tells)) != NULL) {
        STAILQ_REMOVE_HEAD(&postgres->tells, next);
        free(tell);
    }
}

void postgres_offer_seek(struct keeper *keeper, int64_t number, const char *text)
{
    struct postgres *postgres = (struct postgres *)keeper;
    struct number_text node = number_text(postgres->nodes.own);
    struct number_text epoch = number_text(postgres->epoch), which = number_text(number);
    const char *const values[] = {node.text, epoch.text, which.text, text};

    link_ask(postgres->reader, "SELECT offer_seek($1, $2, $3, $4)", values, 4, false,
             postgres_ignore, NULL);
}
