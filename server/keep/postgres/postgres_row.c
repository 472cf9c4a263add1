/* Rows of the engine as matches, replayed by the rules, and as players. */
#include <stdio.h>
#include <string.h>

#include "common/pgn.h"
#include "common/xmalloc.h"
#include "postgres.h"

#define AGE_MS(since) "(extract(epoch FROM clock_timestamp() - " since ") * 1000)::bigint"

/* A player in one column, as each costs libpq more than a word: read_identity(), read_place(), and
 * a line for each rating. */
#define RATINGS(p)                                                                                 \
    "(SELECT string_agg(concat_ws(' ', E'\\n' || game, variant, matches, rating, deviation,"       \
    " volatility), '') FROM rating WHERE player = " p ".id)"
#define PERSON(p)                                                                                  \
    p ".id || concat_ws(' ', '', " p ".name, " p ".kind, " p ".bot, " p ".seen_s, coalesce("       \
      "encode(" p ".token_hash, 'hex'), '-'), " p ".login, coalesce(" p ".node, 0), " p            \
      ".away IS NOT NULL, coalesce(" AGE_MS(p ".away") ", 0)) || coalesce(" RATINGS(p) ", '')"

const char postgres_player_sql[] = PERSON("p");

/* The columns of a match. */
enum {
    MATCH_NUMBER,
    MATCH_WORDS, /* see read_head() */
    MATCH_ONCE,
    MATCH_START,
    MATCH_LOG,   /* as entries_read() takes it */
    MATCH_SEEKS, /* node and number of each that has ended in it */
    MATCH_PEOPLE /* white, black, and the creator if it is neither */
};

/* The age of the turn is without the time in which no server could reach the engine. */
const char postgres_match_sql[] =
    "SELECT m.number, concat_ws(' ', coalesce(l.version, 0), m.id, m.private, m.rated,"
    " m.started, m.opened_s, coalesce(l.changed, 0), coalesce(m.ended, 0), m.game, m.variant, "
    "m.status, m.result,"
    " coalesce(m.reason, '-'), coalesce(m.base_ms, 0), coalesce(m.increment_ms, 0),"
    " m.white_joined, m.black_joined, coalesce(m.white_rating, 0), coalesce(m.black_rating, 0),"
    " coalesce((extract(epoch FROM clock_timestamp() - (SELECT downtime FROM service)"
    " - l.turn) * 1000)::bigint, 0), coalesce(m.creator, 0)), m.once, m.start, l.log,"
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
             " LEFT JOIN player c ON c.id = m.creator AND c.id IS DISTINCT FROM m.white"
             " AND c.id IS DISTINCT FROM m.black ";

/* What the words of a row say. */
struct head {
    int version;
    char id[TABLE_ID_MAX];
    bool is_private, rated, started;
    int64_t date, changed_s, ended;
    char game[VARIANT_NAME_MAX], variant[VARIANT_NAME_MAX];
    char status[8], result[8], reason[32];
    int64_t base_ms, increment_ms; /* 0: there is no clock */
    bool joined[2];
    double ratings[2];
    int64_t turn_age_ms, creator;
};

static bool read_bool(struct words *words)
{
    char text[2];

    words_text(words, text, sizeof text);
    return text[0] == 't';
}

/* False with the cause. */
static bool read_head(const struct answer *answer, int row, struct head *head, struct cause *cause)
{
    struct words words = {answer_text(answer, row, MATCH_WORDS)};

    head->version = (int)words_integer(&words);
    words_text(&words, head->id, sizeof head->id);
    head->is_private = read_bool(&words);
    head->rated = read_bool(&words);
    head->started = read_bool(&words);
    head->date = words_integer(&words);
    head->changed_s = words_integer(&words);
    head->ended = words_integer(&words);
    words_text(&words, head->game, sizeof head->game);
    words_text(&words, head->variant, sizeof head->variant);
    words_text(&words, head->status, sizeof head->status);
    words_text(&words, head->result, sizeof head->result);
    words_text(&words, head->reason, sizeof head->reason);
    head->base_ms = words_integer(&words);
    head->increment_ms = words_integer(&words);
    for (int color = WHITE; color <= BLACK; color++)
        head->joined[color] = read_bool(&words);
    for (int color = WHITE; color <= BLACK; color++)
        head->ratings[color] = words_real(&words);
    head->turn_age_ms = words_integer(&words);
    head->creator = words_integer(&words);
    return words.at != NULL || cause_set(cause, "its row is broken");
}

int64_t row_number(const struct answer *answer, int row)
{
    return answer_integer(answer, row, MATCH_NUMBER);
}

int row_version(const struct answer *answer, int row)
{
    return (int)words_integer(&(struct words){answer_text(answer, row, MATCH_WORDS)});
}

void row_id(const struct answer *answer, int row, char id[TABLE_ID_MAX])
{
    struct words words = {answer_text(answer, row, MATCH_WORDS)};

    words_integer(&words);
    words_text(&words, id, TABLE_ID_MAX);
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

/* Reads lines with a rating each: what is known is not read again. */
static void read_ratings(struct player *player, struct words *words)
{
    char game_name[VARIANT_NAME_MAX];
    struct rating rating;

    while (words->at != NULL && *words->at == '\n') {
        words->at++;
        words_text(words, game_name, sizeof game_name);
        words_text(words, rating.variant, sizeof rating.variant);
        rating.matches = (int)words_integer(words);
        rating.game = game_find(game_name, strlen(game_name));
        const struct rating *known =
            rating.game != NULL ? rating_find(&player->ratings, rating.game, rating.variant) : NULL;
        if (words->at == NULL || (known != NULL && known->matches >= rating.matches)) {
            words_skip_line(words);
            continue;
        }
        rating.now.rating = words_real(words);
        rating.now.deviation = words_real(words);
        rating.now.volatility = words_real(words);
        if (words->at != NULL && rating.game != NULL)
            row_take_rating(player, &rating);
    }
}

/* A digit as encode() writes it. */
static unsigned hex_value(char digit)
{
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10) & 15;
}

static struct identity read_identity(struct words *words)
{
    char kind[8], hash[2 * TOKEN_HASH_BYTES + 1];
    struct identity identity = {.bot = false};

    words_text(words, identity.name, sizeof identity.name);
    words_text(words, kind, sizeof kind);
    identity.kind = read_kind(kind);
    identity.bot = read_bool(words);
    identity.seen_s = words_integer(words);
    words_text(words, hash, sizeof hash);
    bool whole = strlen(hash) == sizeof hash - 1;
    for (size_t i = 0; i < TOKEN_HASH_BYTES && whole; i++)
        identity.token_hash[i] =
            (unsigned char)(hex_value(hash[2 * i]) << 4 | hex_value(hash[2 * i + 1]));
    return identity;
}

/* Where a player is, as a row says. */
struct place {
    int login, node; /* 0: nowhere */
    bool away;
    int64_t age_ms; /* since when */
};

static struct place read_place(struct words *words)
{
    struct place place = {.login = (int)words_integer(words)};

    place.node = (int)words_integer(words);
    place.away = read_bool(words);
    place.age_ms = words_integer(words);
    return place;
}

/* The player is there, if not here: this server knows best who is here. */
static void set_place(const struct postgres *postgres, const struct place *place,
                      struct player *player)
{
    player->login = place->login;
    player->node = place->node == postgres->nodes.own ? 0 : place->node;
    player->here = player->node != 0;
    if (!player->here && place->away)
        player->away_ms = postgres->now_ms - place->age_ms;
}

/* Finds or adds the player in a column; NULL: there is none. */
static struct player *read_player(struct postgres *postgres, const struct answer *answer, int row,
                                  int column)
{
    struct words words = {answer_text(answer, row, column)};
    int64_t id = words_integer(&words);
    struct identity identity = read_identity(&words);
    struct place place = read_place(&words);

    if (words.at == NULL)
        return NULL;
    struct player *player = players_find_id(postgres->players, id);
    if (player == NULL)
        player = players_add_stored(postgres->players, id, identity.kind, identity.name);
    player->stored = true;
    read_ratings(player, &words);
    if (player->session != NULL || player->lock.owner != NULL)
        return player;
    player_settle(player, &identity);
    set_place(postgres, &place, player);
    return player;
}

struct player *row_to_player(struct postgres *postgres, const struct answer *answer, int row)
{
    return read_player(postgres, answer, row, 0);
}

static bool begin_match(const struct head *head, const char *start_text, struct match *match,
                        struct cause *cause)
{
    const struct game *game = game_find(head->game, strlen(head->game));
    struct position start;

    if (game == NULL)
        return cause_set(cause, "unknown game '%.32s'", head->game);
    if (!game->parse(head->variant, start_text, &start, cause))
        return false;
    match_init(match, game, &start);
    if (head->started)
        match_start(match, 0);
    return true;
}

/* Ends the match as the row says, if its moves have not. */
static bool end_match(const struct head *head, struct match *match, struct cause *cause)
{
    struct outcome outcome;

    if (strcmp(head->status, "over") == 0 && match->status != MATCH_OVER) {
        if (!pgn_outcome(head->result, head->reason, &outcome))
            return cause_set(cause, "invalid result");
        match_end(match, outcome, 0);
    }
    return strcmp(head->status, match_status_text(match->status)) == 0 ||
           cause_set(cause, "the moves make it %s, but it is stored as %.20s",
                     match_status_text(match->status), head->status);
}

/* Sets the clock and the offers as they were after the last entry. */
static void set_clock(const struct head *head, const struct entries *entries, struct match *match,
                      int64_t turn_ms)
{
    struct clock *clock = &match->clock;

    match_set_offers(match, entries->last.offers);
    match->turn_ms = turn_ms;
    clock->base_ms = head->base_ms;
    clock->increment_ms = head->increment_ms;
    if (clock->base_ms == 0)
        return;
    for (int color = WHITE; color <= BLACK; color++)
        clock->left_ms[color] = entries->last.left_ms[color];
    if (match->status == MATCH_PLAYING && match->ply_count > 0)
        clock_run(clock, match->position.side, turn_ms);
}

/* Whether those who have taken a seat are there: the engine does not check it. */
static bool has_players(const struct answer *answer, int row, const struct head *head,
                        struct cause *cause)
{
    for (int color = WHITE; color <= BLACK; color++) {
        if (head->joined[color] && answer_text(answer, row, MATCH_PEOPLE + color)[0] == '\0')
            return cause_set(cause, "there is no %s player", color_name(color));
        if (head->started && !head->joined[color])
            return cause_set(cause, "started with an empty seat");
    }
    return true;
}

/* Reads the words of a row, and replays its match. False with the cause: then the match is as far
 * as its moves go, and has no game if it cannot be shown at all. It is to be released in any case.
 */
static bool read_match(const struct answer *answer, int row, int64_t now_ms, struct head *head,
                       struct match *match, struct cause *cause)
{
    struct entries entries = {.moves = NULL};

    *match = (struct match){.plies = NULL};
    if (!read_head(answer, row, head, cause) ||
        !begin_match(head, answer_text(answer, row, MATCH_START), match, cause))
        return false;
    bool good = entries_read(&entries, answer_text(answer, row, MATCH_LOG), cause);
    good = entries_play(&entries, match, cause) && good; /* as far as it could be read */
    good = good && has_players(answer, row, head, cause) && end_match(head, match, cause);
    struct cause also;
    if (good)
        set_clock(head, &entries, match, now_ms - head->turn_age_ms);
    else
        end_match(head, match, &also); /* it is shown as over if it was */
    entries_release(&entries);
    return good;
}

/* What changes beside the match and its people. */
static void set_table(const struct head *head, struct table *table)
{
    table->version = head->version;
    table->started = head->started;
    table->changed_s = head->changed_s;
    memcpy(table->rated, head->ratings, sizeof table->rated);
}

/* Also what never changes. */
static void set_new_table(const struct answer *answer, int row, const struct head *head,
                          struct table *table)
{
    memcpy(table->id, head->id, sizeof table->id);
    snprintf(table->once, sizeof table->once, "%s", answer_text(answer, row, MATCH_ONCE));
    table->is_private = head->is_private;
    table->casual = !head->rated;
    table->date = head->date;
    set_table(head, table);
}

static struct player *read_seat(struct postgres *postgres, const struct answer *answer, int row,
                                int person)
{
    return read_player(postgres, answer, row, MATCH_PEOPLE + person);
}

/* A person to be shown; NULL: there is none. */
static struct player *read_person(const struct answer *answer, int row, int number,
                                  struct player *person)
{
    struct words words = {answer_text(answer, row, MATCH_PEOPLE + number)};

    person->id = words_integer(&words);
    struct identity identity = read_identity(&words);
    person->kind = identity.kind;
    memcpy(person->name, identity.name, sizeof person->name);
    return words.at != NULL ? person : NULL;
}

struct table *row_to_table(struct postgres *postgres, const struct answer *answer, int row,
                           struct cause *cause)
{
    struct lobby *lobby = postgres->lobby;
    struct table fresh = {.number = row_number(answer, row)};
    struct head head;

    bool good = read_match(answer, row, postgres->now_ms, &head, &fresh.match, cause);
    if (fresh.match.game == NULL)
        return NULL;
    set_new_table(answer, row, &head, &fresh);
    if (!good)
        fresh.broken = xstrdup(cause->text);
    if (fresh.match.status == MATCH_OVER)
        fresh.ended = ++lobby->ended;
    struct table *table = lobby_draft_stored(lobby, &fresh);
    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = read_seat(postgres, answer, row, color);
        if (player != NULL)
            table_set_seat(table, color, player, head.joined[color]);
    }
    struct player *creator = read_seat(postgres, answer, row, CREATOR);
    if (creator == NULL && head.creator != 0)
        creator = players_find_id(postgres->players, head.creator); /* who has a seat */
    if (creator != NULL && good)
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
    struct head head;

    if (!read_match(answer, row, postgres->now_ms, &head, &match, cause)) {
        match_release(&match);
        return NULL;
    }
    struct table *draft = table_draft(table);
    keep_turn(&table->match, &match);
    match.revision = table->match.revision + (head.version != table->version);
    draft->match = match;
    set_table(&head, draft);
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
        seat->joined = head.joined[color];
    }
    return draft;
}

struct stored_match *row_to_stored(const struct answer *answer, int row, struct cause *cause)
{
    struct player people[PEOPLE] = {{0}};
    struct table table = {.number = row_number(answer, row)};
    struct head head;

    bool good = read_match(answer, row, 0, &head, &table.match, cause);
    if (table.match.game == NULL)
        return NULL;
    set_new_table(answer, row, &head, &table);
    if (!good)
        table.broken = xstrdup(cause->text);
    table.ended = head.ended;
    for (int i = 0; i < PEOPLE; i++) {
        struct player *person = read_person(answer, row, i, &people[i]);
        if (person != NULL && person->id == head.creator)
            table.creator = person;
        if (i != CREATOR)
            table.seats[i] = (struct seat){.player = person, .joined = head.joined[i]};
    }
    return stored_match_new(&table);
}

/* Replays a log, whatever the row says of it. */
static bool replay_log(const struct answer *answer, int row, struct head *head, struct match *match,
                       struct cause *cause)
{
    struct entries entries = {.moves = NULL};

    if (!read_head(answer, row, head, cause) ||
        !entries_read(&entries, answer_text(answer, row, MATCH_LOG), cause)) {
        entries_release(&entries);
        return false;
    }
    head->started =
        head->started || entries.plies > 0 || (head->joined[WHITE] && head->joined[BLACK]);
    bool good = begin_match(head, answer_text(answer, row, MATCH_START), match, cause) &&
                has_players(answer, row, head, cause) && entries_play(&entries, match, cause);
    entries_release(&entries);
    return good;
}

bool row_to_repair(const struct answer *answer, int row, struct buffer *sql, struct cause *cause)
{
    struct match match = {.plies = NULL};
    struct head head;

    bool good = replay_log(answer, row, &head, &match, cause);
    bool over = match.status == MATCH_OVER;
    if (good && !over && strcmp(head.status, "over") == 0)
        good = cause_set(cause, "its moves do not lead to the result %.10s by %.32s", head.result,
                         head.reason);
    if (good && over)
        buffer_printf(sql,
                      "WITH mended AS (UPDATE match SET status = 'over', started = true,"
                      " result = '%s', reason = '%s', ended = coalesce(ended, nextval('ended')),"
                      " creator = NULL",
                      result_text(match.outcome.result), reason_text(match.outcome.reason));
    else if (good)
        buffer_printf(sql,
                      "WITH mended AS (UPDATE match SET status = '%s', started = %s, result = '*',"
                      " reason = NULL, ended = NULL",
                      match_status_text(match.status), head.started ? "true" : "false");
    if (good) /* one more entry, as with every change, so that servers read it again */
        buffer_printf(sql,
                      " WHERE number = %lld RETURNING number) INSERT INTO entry SELECT match,"
                      " version + 1, 'o', ply, '', 0, white_ms, black_ms, %s, at, NULL, NULL"
                      " FROM entry JOIN mended ON match = number ORDER BY version DESC LIMIT 1",
                      (long long)row_number(answer, row), over ? "0" : "offers");
    buffer_add(sql, "", 1);
    match_release(&match);
    return good;
}
