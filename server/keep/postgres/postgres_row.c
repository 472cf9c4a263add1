/* Rows of the engine as matches, replayed by the rules, and as players. */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "common/pgn.h"
#include "postgres.h"

/* The columns of a player, where a row has one. */
enum {
    PERSON_ID,
    PERSON_NAME,
    PERSON_KIND,
    PERSON_BOT,
    PERSON_SEEN,
    PERSON_LOGIN,
    PERSON_NODE,
    PERSON_HASH,
    PERSON_AWAY,    /* since when, as an age in ms; 0: not */
    PERSON_RATINGS, /* a line for each: game, variant, rating, deviation, volatility, matches */
    PERSON_COLUMNS
};

#define AGE_MS(since) "(extract(epoch FROM clock_timestamp() - " since ") * 1000)::bigint"
#define PERSON(p)                                                                                  \
    p ".id, " p ".name, " p ".kind, " p ".bot, " p ".seen_s, " p ".login, " p ".node, encode(" p   \
      ".token_hash, 'hex'), " AGE_MS(p                                                             \
                                     ".away") ", (SELECT string_agg(concat_ws(' ', game, "         \
                                              "variant, rating, deviation, volatility, matches),"  \
                                              " E'\\n') FROM rating WHERE player = " p ".id)"

const char postgres_player_sql[] = PERSON("p");

/* The columns of a match; people follow. */
enum {
    MATCH_NUMBER,
    MATCH_VERSION,
    MATCH_ID,
    MATCH_ONCE,
    MATCH_IS_PRIVATE,
    MATCH_IS_RATED,
    MATCH_STARTED,
    MATCH_DATE,
    MATCH_CHANGED,
    MATCH_ENDED,
    MATCH_GAME,
    MATCH_VARIANT,
    MATCH_START,
    MATCH_STATUS,
    MATCH_RESULT,
    MATCH_REASON,
    MATCH_BASE,
    MATCH_INCREMENT,
    MATCH_JOINED, /* white, black */
    MATCH_RATED = MATCH_JOINED + 2,
    MATCH_TURN_AGE = MATCH_RATED + 2, /* of the turn, in ms, without the time in which no server
                                       * could reach the engine */
    MATCH_LOG,                        /* as entries_read() takes it */
    MATCH_SEEKS,                      /* node and number of each that has ended in it */
    MATCH_PEOPLE
};

const char postgres_match_sql[] =
    "SELECT m.number, l.version, m.id, m.once, m.private, m.rated, m.started, m.opened_s, "
    "l.changed,"
    " m.ended, m.game, m.variant, m.start, m.status, m.result, m.reason, m.base_ms,"
    " m.increment_ms, m.white_joined, m.black_joined, m.white_rating, m.black_rating,"
    " (extract(epoch FROM clock_timestamp() - (SELECT downtime FROM service) - l.turn)"
    " * 1000)::bigint, l.log,"
    " (SELECT string_agg(concat_ws(' ', node, number), ' ') FROM seek WHERE match = m.number),"
    " " PERSON("w") ", " PERSON("b") ", " PERSON(
        "c") " FROM match m"
             " CROSS JOIN LATERAL (SELECT max(version) AS version, extract(epoch FROM "
             "max(at))::bigint AS"
             " changed, max(at) FILTER (WHERE kind <> 'o') AS turn, string_agg(concat_ws(' ', "
             "kind, ply,"
             " took_ms, white_ms, black_ms, offers, move, 'e' || eval, 'p' || pv), E'\\n'"
             " ORDER BY version) AS log"
             " FROM entry WHERE match = m.number) l"
             " LEFT JOIN player w ON w.id = m.white LEFT JOIN player b ON b.id = m.black"
             " LEFT JOIN player c ON c.id = m.creator ";

int64_t row_number(const struct answer *answer, int row)
{
    return answer_integer(answer, row, MATCH_NUMBER);
}

int row_version(const struct answer *answer, int row)
{
    return (int)answer_integer(answer, row, MATCH_VERSION);
}

const char *row_id(const struct answer *answer, int row)
{
    return answer_text(answer, row, MATCH_ID);
}

const char *row_seeks(const struct answer *answer, int row)
{
    return answer_text(answer, row, MATCH_SEEKS);
}

static enum player_kind read_kind(const char *text)
{
    for (int kind = PLAYER_GUEST; kind <= PLAYER_HOUSE; kind++)
        if (strcmp(text, player_kind_text(kind)) == 0)
            return kind;
    return PLAYER_GUEST;
}

void row_take_rating(struct player *player, const struct rating *news)
{
    struct rating *rating = rating_find_or_add(&player->ratings, news->game, news->variant);

    if (news->matches < rating->matches)
        return;
    rating->now = glicko_sane(news->now);
    rating->matches = news->matches;
}

/* Reads the lines of PERSON_RATINGS. */
static void read_ratings(struct player *player, const char *text)
{
    char game_name[VARIANT_NAME_MAX];
    struct words words = {text};
    struct rating rating;

    while (*words.at != '\0') {
        words_text(&words, game_name, sizeof game_name);
        words_text(&words, rating.variant, sizeof rating.variant);
        rating.now.rating = words_real(&words);
        rating.now.deviation = words_real(&words);
        rating.now.volatility = words_real(&words);
        rating.matches = (int)words_integer(&words);
        if (words.at == NULL)
            return;
        words.at += *words.at == '\n';
        rating.game = game_find(game_name, strlen(game_name));
        if (rating.game != NULL)
            row_take_rating(player, &rating);
    }
}

static struct identity read_identity(const struct answer *answer, int row, int column)
{
    struct identity identity = {.kind = read_kind(answer_text(answer, row, column + PERSON_KIND)),
                                .bot = answer_bool(answer, row, column + PERSON_BOT),
                                .seen_s = answer_integer(answer, row, column + PERSON_SEEN)};
    const char *hash = answer_text(answer, row, column + PERSON_HASH);

    snprintf(identity.name, sizeof identity.name, "%s",
             answer_text(answer, row, column + PERSON_NAME));
    sodium_hex2bin(identity.token_hash, TOKEN_HASH_BYTES, hash, strlen(hash), NULL, NULL, NULL);
    return identity;
}

/* Where the player is, if not here: this server knows best who is here. */
static void read_place(const struct postgres *postgres, const struct answer *answer, int row,
                       int column, struct player *player)
{
    int node = (int)answer_integer(answer, row, column + PERSON_NODE);

    player->login = (int)answer_integer(answer, row, column + PERSON_LOGIN);
    player->node = node == postgres->nodes.own ? 0 : node;
    player->here = player->node != 0;
    if (!player->here && !answer_is_null(answer, row, column + PERSON_AWAY))
        player->away_ms = postgres->now_ms - answer_integer(answer, row, column + PERSON_AWAY);
}

/* Finds or adds the player whose columns begin there; NULL: there is none. */
static struct player *read_player(struct postgres *postgres, const struct answer *answer, int row,
                                  int column)
{
    int64_t id = answer_integer(answer, row, column + PERSON_ID);

    if (id == 0)
        return NULL;
    struct identity identity = read_identity(answer, row, column);
    struct player *player = players_find_id(postgres->players, id);
    if (player == NULL)
        player = players_add_stored(postgres->players, id, identity.kind, identity.name);
    player->stored = true;
    read_ratings(player, answer_text(answer, row, column + PERSON_RATINGS));
    if (player->session != NULL || player->lock.owner != NULL)
        return player;
    player_settle(player, &identity);
    read_place(postgres, answer, row, column, player);
    return player;
}

struct player *row_to_player(struct postgres *postgres, const struct answer *answer, int row)
{
    return read_player(postgres, answer, row, 0);
}

static bool begin_match(const struct answer *answer, int row, struct match *match,
                        struct cause *cause)
{
    const char *name = answer_text(answer, row, MATCH_GAME);
    const struct game *game = game_find(name, strlen(name));
    struct position start;

    if (game == NULL)
        return cause_set(cause, "unknown game '%.32s'", name);
    if (!game->parse(answer_text(answer, row, MATCH_VARIANT), answer_text(answer, row, MATCH_START),
                     &start, cause))
        return false;
    match_init(match, game, &start);
    if (answer_bool(answer, row, MATCH_STARTED))
        match_start(match, 0);
    return true;
}

/* Ends the match as the row says, if its moves have not. */
static bool end_match(const struct answer *answer, int row, struct match *match,
                      struct cause *cause)
{
    const char *status = answer_text(answer, row, MATCH_STATUS);
    struct outcome outcome;

    if (strcmp(status, "over") == 0 && match->status != MATCH_OVER) {
        if (!pgn_outcome(answer_text(answer, row, MATCH_RESULT),
                         answer_text(answer, row, MATCH_REASON), &outcome))
            return cause_set(cause, "invalid result");
        match_end(match, outcome, 0);
    }
    return strcmp(status, match_status_text(match->status)) == 0 ||
           cause_set(cause, "the moves make it %s, but it is stored as %.20s",
                     match_status_text(match->status), status);
}

/* Sets the clock and the offers as they were after the last entry; `age_ms` is that of the turn. */
static void set_clock(const struct answer *answer, int row, const struct entries *entries,
                      struct match *match, int64_t turn_ms)
{
    struct clock *clock = &match->clock;

    match_set_offers(match, entries->last.offers);
    match->turn_ms = turn_ms;
    clock->base_ms = answer_integer(answer, row, MATCH_BASE);
    clock->increment_ms = answer_integer(answer, row, MATCH_INCREMENT);
    if (clock->base_ms == 0)
        return;
    for (int color = WHITE; color <= BLACK; color++)
        clock->left_ms[color] = entries->last.left_ms[color];
    if (match->status == MATCH_PLAYING && match->ply_count > 0)
        clock_run(clock, match->position.side, turn_ms);
}

/* Replays the match of a row. False with the cause; the match is to be released in any case. */
static bool read_match(const struct answer *answer, int row, int64_t now_ms, struct match *match,
                       struct cause *cause)
{
    struct entries entries;

    *match = (struct match){.plies = NULL};
    bool good = entries_read(&entries, answer_text(answer, row, MATCH_LOG), cause) &&
                begin_match(answer, row, match, cause) && entries_play(&entries, match, cause) &&
                end_match(answer, row, match, cause);
    if (good)
        set_clock(answer, row, &entries, match,
                  now_ms - answer_integer(answer, row, MATCH_TURN_AGE));
    entries_release(&entries);
    return good;
}

/* What a row says beside the match and its people. */
static void read_table(const struct answer *answer, int row, struct table *table)
{
    table->version = row_version(answer, row);
    table->started = answer_bool(answer, row, MATCH_STARTED);
    table->changed_s = answer_integer(answer, row, MATCH_CHANGED);
    for (int color = WHITE; color <= BLACK; color++)
        table->rated[color] = answer_real(answer, row, MATCH_RATED + color);
}

static bool is_joined(const struct answer *answer, int row, int color)
{
    return answer_bool(answer, row, MATCH_JOINED + color);
}

static struct player *read_seat(struct postgres *postgres, const struct answer *answer, int row,
                                int person)
{
    return read_player(postgres, answer, row, MATCH_PEOPLE + person * PERSON_COLUMNS);
}

/* What never changes. */
static void read_head(const struct answer *answer, int row, struct table *table)
{
    snprintf(table->id, sizeof table->id, "%s", answer_text(answer, row, MATCH_ID));
    snprintf(table->once, sizeof table->once, "%s", answer_text(answer, row, MATCH_ONCE));
    table->is_private = answer_bool(answer, row, MATCH_IS_PRIVATE);
    table->casual = !answer_bool(answer, row, MATCH_IS_RATED);
    table->date = answer_integer(answer, row, MATCH_DATE);
    read_table(answer, row, table);
}

/* A person to be shown; NULL: there is none. */
static struct player *read_person(const struct answer *answer, int row, int number,
                                  struct player *person)
{
    int column = MATCH_PEOPLE + number * PERSON_COLUMNS;

    person->id = answer_integer(answer, row, column + PERSON_ID);
    person->kind = read_kind(answer_text(answer, row, column + PERSON_KIND));
    snprintf(person->name, sizeof person->name, "%s",
             answer_text(answer, row, column + PERSON_NAME));
    return person->id != 0 ? person : NULL;
}

struct table *row_to_table(struct postgres *postgres, const struct answer *answer, int row,
                           struct cause *cause)
{
    struct lobby *lobby = postgres->lobby;
    struct table *table = lobby_find(lobby, answer_text(answer, row, MATCH_ID));
    struct table fresh = {.number = row_number(answer, row)};

    if (table != NULL)
        return table;
    if (!read_match(answer, row, postgres->now_ms, &fresh.match, cause)) {
        match_release(&fresh.match);
        return NULL;
    }
    read_head(answer, row, &fresh);
    if (fresh.match.status == MATCH_OVER)
        fresh.ended = ++lobby->ended;
    table = lobby_draft_stored(lobby, &fresh);
    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = read_seat(postgres, answer, row, color);
        if (player != NULL)
            table_set_seat(table, color, player, is_joined(answer, row, color));
    }
    struct player *creator = read_seat(postgres, answer, row, CREATOR);
    if (creator != NULL)
        lobby_set_creator(table, creator);
    lobby_add(lobby, table);
    return table;
}

/* A turn that this server knows goes on as it is: no two servers' clocks are compared. */
static void keep_turn(const struct match *old, struct match *match)
{
    bool same = old->status == match->status && old->ply_count == match->ply_count &&
                old->clock.runs == match->clock.runs &&
                old->clock.left_ms[WHITE] == match->clock.left_ms[WHITE] &&
                old->clock.left_ms[BLACK] == match->clock.left_ms[BLACK];

    if (!same)
        return;
    match->turn_ms = old->turn_ms;
    match->clock = old->clock;
}

struct table *row_to_draft(struct postgres *postgres, const struct answer *answer, int row,
                           struct table *table, struct cause *cause)
{
    struct match match;

    if (!read_match(answer, row, postgres->now_ms, &match, cause)) {
        match_release(&match);
        return NULL;
    }
    struct table *draft = table_draft(table);
    keep_turn(&table->match, &match);
    match.revision = table->match.revision + (row_version(answer, row) != table->version);
    draft->match = match;
    read_table(answer, row, draft);
    if (match.status == MATCH_OVER && draft->ended == 0)
        draft->ended = ++postgres->lobby->ended;
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &draft->seats[color];
        struct player *player = read_seat(postgres, answer, row, color);
        if (player != NULL)
            player_hold(player);
        if (seat->player != NULL)
            player_let_go(seat->player);
        seat->player = player;
        seat->joined = is_joined(answer, row, color);
    }
    return draft;
}

struct stored_match *row_to_stored(const struct answer *answer, int row, struct cause *cause)
{
    struct player people[PEOPLE] = {{0}};
    struct table table = {.number = row_number(answer, row)};

    if (!read_match(answer, row, 0, &table.match, cause)) {
        match_release(&table.match);
        return NULL;
    }
    read_head(answer, row, &table);
    table.ended = answer_integer(answer, row, MATCH_ENDED);
    for (int i = 0; i < PEOPLE; i++) {
        struct player *person = read_person(answer, row, i, &people[i]);
        if (i == CREATOR)
            table.creator = person;
        else
            table.seats[i] = (struct seat){.player = person, .joined = is_joined(answer, row, i)};
    }
    return stored_match_new(&table);
}
