#include "engine_fake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

enum engine_event_kind {
    EVENT_CHANGED,
    EVENT_LOAD,
    EVENT_TOLD,
    EVENT_SEEK,
    EVENT_REPLACED,
    EVENT_NODES
};

struct engine_event {
    enum engine_event_kind kind;
    char id[TABLE_ID_MAX]; /* of a match; "": none */
    char *text;            /* owned; a line, or a player's name */
    TAILQ_ENTRY(engine_event) link;
};

static struct engine_node *node_of(struct keeper *keeper)
{
    return (struct engine_node *)keeper;
}

static void add_event(struct engine_node *node, enum engine_event_kind kind, const char *id,
                      const char *text)
{
    struct engine_event *event = xcalloc(1, sizeof *event);

    event->kind = kind;
    snprintf(event->id, sizeof event->id, "%s", id);
    event->text = xstrdup(text);
    TAILQ_INSERT_TAIL(&node->events, event, link);
}

/* The player among `players`, who is added there if need be. */
static struct player *person_in(struct players *players, const struct player *person)
{
    if (person == NULL)
        return NULL;
    struct player *player = players_find(players, person->name);
    if (player == NULL) {
        player = players_add_stored(players, person->id, person->kind, person->name);
        memcpy(player->token_hash, person->token_hash, sizeof player->token_hash);
        player->bot = person->bot;
    }
    return player;
}

/* A person as a server sees them. */
static struct player *person_at(struct engine_node *node, const struct player *kept)
{
    struct player *player = person_in(node->players, kept);

    if (player == NULL || player->session != NULL || player->kind == PLAYER_HOUSE)
        return player;
    player->node = kept->node == node->id ? 0 : kept->node;
    player->here = player->node != 0;
    player->login = kept->login;
    player->away_ms = kept->away_ms;
    return player;
}

/* The ratings of a person, as far as they are kept, for a server. */
static void refresh_ratings(struct engine_node *node, const struct player *kept)
{
    const struct rating *from;

    if (kept == NULL)
        return;
    SLIST_FOREACH(from, &kept->ratings, link)
    {
        struct rating *to =
            rating_find_or_add(&person_at(node, kept)->ratings, from->game, from->variant);
        to->now = from->now;
        to->matches = from->matches;
    }
}

static void set_seats(struct table *to, const struct table *from, struct player *const players[2])
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &to->seats[color];
        if (seat->player != NULL)
            player_let_go(seat->player);
        seat->player = NULL;
        seat->joined = false;
        if (players[color] != NULL)
            table_set_seat(to, color, players[color], from->seats[color].joined);
    }
}

/* Makes `to`, a draft or a new table, what `from` is, with these players. */
static void copy_table(struct table *to, const struct table *from, struct player *const players[2])
{
    size_t bytes = (size_t)from->match.ply_count * sizeof *from->match.plies;

    to->match = from->match;
    to->match.shares_plies = false;
    to->match.ply_capacity = from->match.ply_count;
    to->match.plies = bytes > 0 ? xmalloc(bytes) : NULL;
    if (bytes > 0)
        memcpy(to->match.plies, from->match.plies, bytes);
    memcpy(to->once, from->once, sizeof to->once);
    memcpy(to->rated, from->rated, sizeof to->rated);
    to->is_private = from->is_private;
    to->casual = from->casual;
    to->started = from->started;
    to->ended = from->ended;
    to->date = from->date;
    to->changed_s = from->changed_s;
    to->version = from->version;
    set_seats(to, from, players);
}

static struct table *new_table(struct lobby *lobby, const struct table *from)
{
    struct table head = {.number = from->number};

    memcpy(head.id, from->id, sizeof head.id);
    return lobby_draft_stored(lobby, &head);
}

/* A draft of a server's table with what is kept now. */
static struct table *fresh_draft(struct engine_node *node, struct table *table)
{
    const struct table *kept = lobby_find(&node->engine->lobby, table->id);
    struct player *const players[] = {person_at(node, kept->seats[WHITE].player),
                                      person_at(node, kept->seats[BLACK].player)};
    struct table *fresh = table_draft(table);

    for (int color = WHITE; color <= BLACK; color++)
        refresh_ratings(node, kept->seats[color].player);
    copy_table(fresh, kept, players);
    return fresh;
}

static struct engine_seek *find_seek(struct engine *engine, int node, int64_t number)
{
    struct engine_seek *seek;

    TAILQ_FOREACH (seek, &engine->seeks, link)
        if (seek->node == node && seek->number == number)
            return seek;
    return NULL;
}

static void drop_seek(struct engine *engine, struct engine_seek *seek)
{
    TAILQ_REMOVE(&engine->seeks, seek, link);
    free(seek->text);
    free(seek);
}

static struct engine_seek *add_seek(struct engine *engine, int node, int64_t number)
{
    struct engine_seek *seek = xcalloc(1, sizeof *seek);

    seek->node = node;
    seek->number = number;
    seek->text = xstrdup("");
    TAILQ_INSERT_TAIL(&engine->seeks, seek, link);
    return seek;
}

static void offer_seek(struct keeper *keeper, int64_t number, const char *text)
{
    struct engine_node *from = node_of(keeper);
    struct engine_seek *seek = find_seek(from->engine, from->id, number);
    char event[600];

    if (text == NULL && seek != NULL)
        drop_seek(from->engine, seek);
    if (text != NULL && seek == NULL)
        seek = add_seek(from->engine, from->id, number);
    if (text != NULL) {
        free(seek->text);
        seek->text = xstrdup(text);
    }
    snprintf(event, sizeof event, "%d %" PRId64 "%s%s", from->id, number, text != NULL ? " " : "",
             text != NULL ? text : "");
    for (int i = 0; i < ENGINE_NODES_MAX; i++)
        if (from->engine->nodes[i].alive && &from->engine->nodes[i] != from)
            add_event(&from->engine->nodes[i], EVENT_SEEK, "", event);
}

static void tell_seek(struct engine_node *node, const char *event)
{
    struct offered_seek seek = {.text = NULL};
    int length = 0;

    sscanf(event, "%d %" SCNd64 "%n", &seek.node, &seek.number, &length);
    if (event[length] == ' ')
        seek.text = event + length + 1;
    node->keeper.calls->seek(node->keeper.context, &seek);
}

/* Tells a server which of its seeks have ended in a match. */
static void tell_paired(struct engine_node *node, struct table *table)
{
    struct engine_seek *seek, *next;

    for (seek = TAILQ_FIRST(&node->engine->seeks); seek != NULL; seek = next) {
        next = TAILQ_NEXT(seek, link);
        if (seek->node != node->id || seek->match != table->number)
            continue;
        node->keeper.calls->seek_taken(node->keeper.context, seek->number, table);
        drop_seek(node->engine, seek);
    }
}

static void load_table(struct engine_node *node, const struct table *kept)
{
    struct player *const players[] = {person_at(node, kept->seats[WHITE].player),
                                      person_at(node, kept->seats[BLACK].player)};

    if (lobby_find(node->lobby, kept->id) != NULL)
        return;
    struct table *table = new_table(node->lobby, kept);
    copy_table(table, kept, players);
    if (kept->creator != NULL)
        lobby_set_creator(table, person_at(node, kept->creator));
    lobby_add(node->lobby, table);
    tell_paired(node, table);
    node->keeper.calls->loaded(node->keeper.context, table);
}

/* The row of a seek that a unit ends; NULL: there is none. */
static struct engine_seek *paired_seek(const struct engine_node *node, const struct unit *unit,
                                       int color)
{
    const struct paired *paired = &unit->paired;
    int id = paired->nodes[color] != 0 ? paired->nodes[color] : node->id;

    return find_seek(node->engine, id, paired->seeks[color]);
}

/* Whether one of the seeks that a unit ends does not wait any more. */
static bool has_stale_seek(const struct engine_node *node, const struct unit *unit)
{
    for (int color = WHITE; color <= BLACK && unit->pairs; color++) {
        const struct engine_seek *seek = paired_seek(node, unit, color);
        if (seek != NULL ? seek->match != 0 : unit->paired.nodes[color] != 0)
            return true;
    }
    return false;
}

static void end_seeks(struct engine_node *node, const struct unit *unit)
{
    for (int color = WHITE; color <= BLACK && unit->pairs; color++) {
        struct engine_seek *seek = paired_seek(node, unit, color);
        if (seek != NULL)
            seek->match = unit->tables[0].next->number;
    }
}

/* Whether a unit is out of date or breaks a rule. */
static bool is_stale(const struct engine_node *node, const struct unit *unit)
{
    const struct engine *engine = node->engine;

    if (has_stale_seek(node, unit))
        return true;
    for (int i = 0; i < unit->table_count; i++) {
        const struct table_draft *draft = &unit->tables[i];
        const struct table *kept = lobby_find(&engine->lobby, draft->next->id), *once = NULL;
        if (draft->next->once[0] != '\0')
            HASH_FIND(by_once, engine->lobby.by_once, draft->next->once, strlen(draft->next->once),
                      once);
        if (draft->table == NULL ? once != NULL : kept->version != draft->table->version)
            return true;
    }
    for (int i = 0; i < unit->rating_count; i++) {
        const struct rating_draft *draft = &unit->ratings[i];
        const struct player *kept = players_find(&engine->players, draft->player->name);
        const struct rating *rating =
            kept != NULL ? rating_find(&kept->ratings, draft->game, draft->variant) : NULL;
        if ((rating != NULL ? rating->matches : 0) != draft->matches - 1)
            return true;
    }
    return unit->player != NULL && strcmp(unit->player->name, unit->identity.name) != 0 &&
           players_find(&engine->players, unit->identity.name) != NULL;
}

static void refresh_unit(struct engine_node *node, struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++) {
        struct table_draft *draft = &unit->tables[i];
        if (draft->table == NULL)
            continue;
        table_drop(draft->next);
        draft->next = fresh_draft(node, draft->table);
    }
    for (int i = 0; i < unit->rating_count; i++) {
        struct rating_draft *draft = &unit->ratings[i];
        const struct player *kept = players_find(&node->engine->players, draft->player->name);
        const struct rating *rating =
            kept != NULL ? rating_find(&kept->ratings, draft->game, draft->variant) : NULL;
        draft->now = rating != NULL ? rating->now : glicko_start();
        draft->matches = rating != NULL ? rating->matches : 0;
    }
}

static void keep_identity(struct engine_node *node, const struct unit *unit)
{
    struct player *kept = person_in(&node->engine->players, unit->player);

    if (kept->login != unit->player->login)
        return; /* they have come back elsewhere since */
    player_settle(kept, &unit->identity);
    kept->node = unit->player->session != NULL ? node->id : 0;
    kept->away_ms = node->engine->now_ms;
}

/* A guest is known by the first match, and stays where they are. */
static struct player *seated_person(struct engine_node *node, const struct player *player)
{
    struct player *kept = person_in(&node->engine->players, player);

    if (kept != NULL && kept->kind == PLAYER_GUEST && player->session != NULL)
        kept->node = node->id;
    else if (kept != NULL && kept->kind == PLAYER_GUEST && kept->node == 0)
        kept->node = player->node; /* they sought there */
    return kept;
}

static void keep_table(struct engine_node *node, struct table_draft *draft)
{
    struct engine *engine = node->engine;
    struct table *next = draft->next, *kept = lobby_find(&engine->lobby, next->id);
    struct player *const players[] = {seated_person(node, next->seats[WHITE].player),
                                      seated_person(node, next->seats[BLACK].player)};

    next->version++;
    if (kept == NULL) {
        kept = new_table(&engine->lobby, next);
        copy_table(kept, next, players);
        lobby_set_creator(kept, person_in(&engine->players, next->creator));
        lobby_add(&engine->lobby, kept);
    } else {
        struct table *copy = table_draft(kept);
        copy_table(copy, next, players);
        lobby_settle(&engine->lobby, kept, copy);
        kept->version = next->version;
    }
}

/* Tells the servers that have a match of the unit, or whose players it concerns. */
static void tell_change(struct engine_node *from, const struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++) {
        const struct table *kept = lobby_find(&from->engine->lobby, unit->tables[i].next->id);
        for (int n = 0; n < ENGINE_NODES_MAX; n++) {
            struct engine_node *node = &from->engine->nodes[n];
            bool concerned = false;
            for (int color = WHITE; color <= BLACK; color++)
                concerned |= kept->seats[color].player != NULL &&
                             kept->seats[color].player->node == node->id;
            if (!node->alive || node == from)
                continue;
            if (lobby_find(node->lobby, kept->id) != NULL)
                add_event(node, EVENT_CHANGED, kept->id, "");
            else if (concerned)
                add_event(node, EVENT_LOAD, kept->id, "");
        }
    }
}

static void keep_unit(struct engine_node *node, struct unit *unit)
{
    if (is_stale(node, unit)) {
        unit->kept = KEPT_STALE;
        refresh_unit(node, unit);
        return;
    }
    for (int i = 0; i < unit->table_count; i++)
        keep_table(node, &unit->tables[i]);
    for (int i = 0; i < unit->rating_count; i++) {
        const struct rating_draft *draft = &unit->ratings[i];
        struct player *kept = person_in(&node->engine->players, draft->player);
        struct rating *rating = rating_find_or_add(&kept->ratings, draft->game, draft->variant);
        rating->now = draft->now;
        rating->matches = draft->matches;
    }
    if (unit->player != NULL)
        keep_identity(node, unit);
    end_seeks(node, unit);
    tell_change(node, unit);
}

static void keep(struct keeper *keeper, struct batch *batch)
{
    node_of(keeper)->batch = batch;
}

static bool load(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause)
{
    struct engine_node *node = node_of(keeper);

    (void)now_ms, (void)cause;
    node->players = players;
    node->lobby = lobby;
    players->last_id = lobby->opened = node->id * 1000;
    players->ids.end = lobby->numbers.end = node->id * 1000 + 999;
    return true;
}

static bool look_up(struct keeper *keeper, struct look_up *asked)
{
    struct engine_node *node = node_of(keeper);

    if (node->asked_count == ENGINE_ASKED_MAX)
        abort();
    node->asked[node->asked_count++] = asked;
    return false;
}

static void claim(struct engine_node *node, struct look_up *asked)
{
    struct engine *engine = node->engine;
    struct player *kept = players_find(&engine->players, asked->question.key);
    const struct seat *seat;
    const struct table *table;

    asked->state = kept == NULL ? LOOK_NOTHING : LOOK_REFUSED;
    if (kept == NULL || !player_token_matches(kept, asked->question.token))
        return;
    if (kept->node != 0 && kept->node != node->id)
        add_event(&engine->nodes[kept->node - 1], EVENT_REPLACED, "", kept->name);
    struct player *player = person_at(node, kept);
    kept->node = node->id;
    player->login = ++kept->login;
    player->node = 0;
    TAILQ_FOREACH (seat, &kept->seats, link)
        if (seat->table->match.status != MATCH_OVER)
            load_table(node, seat->table);
    TAILQ_FOREACH (table, &kept->created, by_creator)
        load_table(node, table);
    asked->player = player;
    asked->state = LOOK_FOUND;
}

/* Counts what the filter takes. Whether it is one of the rows that are wanted. */
static bool is_row(struct look_up *asked)
{
    return asked->total++ >= asked->question.filter.from && asked->count < asked->question.rows_max;
}

static void list(struct engine_node *node, struct look_up *asked)
{
    const struct table *table;

    asked->rows = xcalloc((size_t)asked->question.rows_max, sizeof *asked->list);
    TAILQ_FOREACH_REVERSE (table, &node->engine->lobby.unfinished, table_list, link)
        if (filter_takes_match(&asked->question.filter, table) && is_row(asked))
            list_row_of_table(&asked->list[asked->count++], table);
    asked->state = LOOK_FOUND;
}

static void who(struct engine_node *node, struct look_up *asked)
{
    const struct player *player = node->engine->players.by_key;

    asked->rows = xcalloc((size_t)asked->question.rows_max, sizeof *asked->who);
    for (; player != NULL; player = player->by_key.next)
        if (player->node != 0 && player->kind == PLAYER_NAMED &&
            filter_takes_player(&asked->question.filter, player) && is_row(asked))
            who_row_of_player(&asked->who[asked->count++], player);
    asked->state = LOOK_FOUND;
}

static void history(struct engine_node *node, struct look_up *asked)
{
    const struct player *player = node->engine->players.by_key;
    const struct seat *seat;

    asked->rows = xcalloc((size_t)asked->question.rows_max, sizeof *asked->history);
    asked->state = LOOK_FOUND;
    while (player != NULL && player->id != asked->question.player)
        player = player->by_key.next;
    if (player == NULL)
        return;
    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link)
        if (seat->table->match.status == MATCH_OVER && seat->table->started &&
            filter_takes_history(&asked->question.filter, seat) && is_row(asked))
            history_row_of_table(&asked->history[asked->count++], seat->table);
}

static void find_table(struct engine_node *node, struct look_up *asked)
{
    struct lobby *lobby = &node->engine->lobby;
    const char *key = asked->question.key;
    const struct table *table;

    if (asked->question.kind == LOOK_ONCE)
        HASH_FIND(by_once, lobby->by_once, key, strlen(key), table);
    else
        table = lobby_find(lobby, key);
    asked->state = table != NULL ? LOOK_FOUND : LOOK_NOTHING;
    if (table != NULL)
        load_table(node, table);
}

static void find_name(struct engine_node *node, struct look_up *asked)
{
    const struct player *kept = players_find(&node->engine->players, asked->question.key);

    asked->player = person_at(node, kept);
    asked->state = kept != NULL ? LOOK_FOUND : LOOK_NOTHING;
}

static void answer(struct engine_node *node, struct look_up *asked)
{
    static void (*const answers[])(struct engine_node * node, struct look_up * asked) = {
        [LOOK_TABLE] = find_table, [LOOK_ONCE] = find_table, [LOOK_NAME] = find_name,
        [LOOK_CLAIM] = claim,      [LOOK_LIST] = list,       [LOOK_WHO] = who,
        [LOOK_HISTORY] = history,  [LOOK_RECORD] = NULL,
    };
    enum look_up_kind kind = asked->question.kind;

    asked->state = LOOK_NOTHING;
    if (answers[kind] != NULL)
        answers[kind](node, asked);
    node->keeper.calls->found(node->keeper.context, asked);
}

static const char *error(const struct keeper *keeper)
{
    (void)keeper;
    return "";
}

static void close_keeper(struct keeper *keeper)
{
    (void)keeper;
}

static void tell(struct keeper *keeper, const struct table *table, const char *event)
{
    struct engine_node *from = node_of(keeper);

    for (int i = 0; i < ENGINE_NODES_MAX; i++) {
        struct engine_node *node = &from->engine->nodes[i];
        if (node->alive && node != from &&
            (table == NULL || lobby_find(node->lobby, table->id) != NULL))
            add_event(node, EVENT_TOLD, table != NULL ? table->id : "", event);
    }
}

static void tell_nodes(struct engine *engine)
{
    for (int i = 0; i < ENGINE_NODES_MAX; i++)
        if (engine->nodes[i].alive)
            add_event(&engine->nodes[i], EVENT_NODES, "", "");
}

void engine_init(struct engine *engine)
{
    memset(engine, 0, sizeof *engine);
    TAILQ_INIT(&engine->seeks);
    origins_init(&engine->origins);
    players_init(&engine->players, 1000);
    lobby_init(&engine->lobby, &engine->origins, 1000);
}

struct keeper *engine_add(struct engine *engine, int id)
{
    static const struct keeper_kind kind = {.shared = true,
                                            .keep = keep,
                                            .load = load,
                                            .look_up = look_up,
                                            .error = error,
                                            .close = close_keeper,
                                            .tell = tell,
                                            .offer_seek = offer_seek};
    struct engine_node *node = &engine->nodes[id - 1];
    struct node *place = &engine->list.list[engine->list.count++];

    *node = (struct engine_node){.engine = engine, .id = id, .alive = true, .keeper.kind = &kind};
    TAILQ_INIT(&node->events);
    *place = (struct node){.id = id};
    snprintf(place->address, sizeof place->address, "192.0.2.%d:7117", id);
    tell_nodes(engine);
    return &node->keeper;
}

static void drop_events(struct engine_node *node)
{
    struct engine_event *event;

    while (node->engine != NULL && (event = TAILQ_FIRST(&node->events)) != NULL) {
        TAILQ_REMOVE(&node->events, event, link);
        free(event->text);
        free(event);
    }
}

void engine_release(struct engine *engine)
{
    for (int i = 0; i < ENGINE_NODES_MAX; i++)
        drop_events(&engine->nodes[i]);
    while (!TAILQ_EMPTY(&engine->seeks))
        drop_seek(engine, TAILQ_FIRST(&engine->seeks));
    lobby_release(&engine->lobby);
    players_release(&engine->players);
    origins_release(&engine->origins);
}

void engine_bury(struct engine *engine, int id)
{
    struct nodes *list = &engine->list;
    struct player *player = engine->players.by_key;

    struct engine_seek *seek, *next;

    for (seek = TAILQ_FIRST(&engine->seeks); seek != NULL; seek = next) {
        next = TAILQ_NEXT(seek, link);
        if (seek->node == id)
            drop_seek(engine, seek);
    }
    engine->nodes[id - 1].alive = false;
    for (; player != NULL; player = player->by_key.next)
        if (player->node == id)
            player->node = 0;
    for (int i = 0; i < list->count; i++)
        if (list->list[i].id == id)
            list->list[i] = list->list[--list->count];
    tell_nodes(engine);
}

/* Tells an event. False if that has to wait: the table is locked. */
static bool tell_event(struct engine_node *node, const struct engine_event *event)
{
    const struct keeper_calls *calls = node->keeper.calls;
    struct table *table = lobby_find(node->lobby, event->id);
    struct nodes nodes = node->engine->list;

    if (event->kind == EVENT_CHANGED && table != NULL && table->lock.owner != NULL)
        return false;
    nodes.own = node->id;
    if (event->kind == EVENT_NODES)
        calls->nodes(node->keeper.context, &nodes);
    else if (event->kind == EVENT_TOLD && (table != NULL || event->id[0] == '\0'))
        calls->told(node->keeper.context, table, event->text);
    else if (event->kind == EVENT_SEEK)
        tell_seek(node, event->text);
    else if (event->kind == EVENT_LOAD)
        load_table(node, lobby_find(&node->engine->lobby, event->id));
    else if (event->kind == EVENT_CHANGED && table != NULL)
        calls->changed(node->keeper.context, table, fresh_draft(node, table));
    else if (event->kind == EVENT_REPLACED) {
        struct player *player = players_find(node->players, event->text);
        const struct player *kept = players_find(&node->engine->players, event->text);
        if (player != NULL) {
            player->node = kept->node;
            calls->replaced(node->keeper.context, player);
        }
    }
    return true;
}

static bool work_batch(struct engine_node *node)
{
    struct batch *batch = node->batch;
    struct unit *unit;

    if (batch == NULL)
        return false;
    node->batch = NULL;
    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit_writes(unit))
            keep_unit(node, unit);
    node->keeper.calls->settled(node->keeper.context, batch);
    return true;
}

void engine_tell_seeks(struct engine *engine, int id)
{
    struct engine_node *node = &engine->nodes[id - 1];
    struct offered_seek list[ENGINE_SEEKS_MAX];
    const struct engine_seek *seek;
    int count = 0;

    for (int from = 1; from <= ENGINE_NODES_MAX; from++)
        TAILQ_FOREACH (seek, &engine->seeks, link)
            if (seek->node == from && count < ENGINE_SEEKS_MAX)
                list[count++] =
                    (struct offered_seek){seek->node, seek->number, seek->text, seek->match};
    node->keeper.calls->seeks(node->keeper.context, list, count);
}

bool engine_work(struct engine *engine, int id)
{
    struct engine_node *node = &engine->nodes[id - 1];
    bool worked = node->asked_count > 0;
    struct engine_event *event;

    for (int i = 0, count = node->asked_count; i < count; i++)
        answer(node, node->asked[i]);
    node->asked_count = 0;
    worked = work_batch(node) || worked;
    while ((event = TAILQ_FIRST(&node->events)) != NULL && tell_event(node, event)) {
        TAILQ_REMOVE(&node->events, event, link);
        free(event->text);
        free(event);
        worked = true;
    }
    return worked;
}
