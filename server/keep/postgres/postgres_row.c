/*
 * Rows of the database as matches, whose logs the rules replay, and as players; and the words of
 * which lines consist.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "postgres.h"

enum { PLACED_MORE = 64 };

static bool is_word_end(char c)
{
    return c == ' ' || c == '\n' || c == '\0';
}

/* Begins the next word. Returns it; "" if there is none. */
static const char *begin_word(const struct words *words)
{
    const char *at = words->at != NULL ? words->at : "";

    return at + (*at == ' ');
}

/* Ends a word. */
static void end_word(struct words *words, const char *start, const char *at)
{
    words->at = at != start && is_word_end(*at) ? at : NULL;
}

int64_t words_integer(struct words *words)
{
    const char *start = begin_word(words), *at = start + (*start == '-'), *digits = at;
    uint64_t number = 0;

    for (; *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    end_word(words, digits, at);
    if (words->at == NULL)
        return 0;
    return (int64_t)(digits > start ? -number : number);
}

double words_real(struct words *words)
{
    const char *start = begin_word(words);
    char *at;
    double number = strtod(start, &at);

    end_word(words, start, at);
    return words->at != NULL ? number : 0;
}

void words_text(struct words *words, char *text, size_t size)
{
    const char *start = begin_word(words), *at = start;

    while (!is_word_end(*at))
        at++;
    if ((size_t)(at - start) >= size)
        at = start;
    end_word(words, start, at);
    memcpy(text, start, (size_t)(at - start));
    text[at - start] = '\0';
}

/* The moves that count: those that were not taken back, and the state after the last entry. */
struct entries {
    struct entry *moves; /* owned */
    struct entry last;
    int plies;
};

const char *entry_read(const char *text, struct entry *entry)
{
    struct words words = {text + 1};

    entry->kind = text[0];
    entry->ply = (int)words_integer(&words);
    entry->took_ms = words_integer(&words);
    entry->left_ms[WHITE] = words_integer(&words);
    entry->left_ms[BLACK] = words_integer(&words);
    entry->offers = (int)words_integer(&words);
    entry->move[0] = '\0';
    if (words.at == NULL)
        return NULL;
    text = words.at;
    if (*text == ' ')
        text++;
    size_t length = strcspn(text, " \n");
    if (length < sizeof entry->move) {
        memcpy(entry->move, text, length);
        entry->move[length] = '\0';
    }
    text += length;
    entry->note = text;
    text += strcspn(text, "\n");
    return *text == '\n' ? text + 1 : text;
}

/* The number of its lines, and one more if the last has no end. */
static size_t count_lines(const char *text)
{
    size_t count = 1;

    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count;
}

static bool entries_read(struct entries *entries, const char *text, struct cause *cause)
{
    struct entry entry;

    *entries = (struct entries){.moves = xcalloc(count_lines(text), sizeof *entries->moves)};
    while (*text != '\0') {
        text = entry_read(text, &entry);
        if (text == NULL || entry.ply < 0 || entry.ply > PLIES_MAX ||
            (entry.kind == 'm' ? entry.ply != entries->plies + 1 : entry.ply > entries->plies))
            return cause_set(cause, "the log is broken after ply %d", entries->plies);
        if (entry.kind == 'm')
            entries->moves[entry.ply - 1] = entry;
        entries->plies = entry.ply;
        entries->last = entry;
    }
    return true;
}

struct ply_note note_read(const struct match *match, const char *text)
{
    struct ply_note note = {.eval = EVAL_NONE};
    char pv[PV_TEXT_MAX], *end;

    text += *text == ' ';
    if (*text == 'e') {
        note.eval = (int16_t)strtol(text + 1, &end, 10);
        text = end + (*end == ' ');
    }
    if (*text == 'p') {
        snprintf(pv, sizeof pv, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
        match_read_pv(match, pv, &note);
    }
    return note;
}

static bool entries_play(const struct entries *entries, struct match *match, struct cause *cause)
{
    struct cause why = {.text = ""};

    for (int i = 0; i < entries->plies; i++) {
        const struct entry *entry = &entries->moves[i];
        struct ply_note note = note_read(match, entry->note);
        if (match_play_text(match, SEATS_BOTH, entry->move, -1, 0, &why) != STATUS_OK)
            return cause_set(cause, "move %d, '%.10s': %.80s", i + 1, entry->move, why.text);
        match_annotate(match, &note);
        match->plies[i].took_ms = (uint32_t)entry->took_ms;
    }
    return true;
}

static void entries_release(struct entries *entries)
{
    free(entries->moves);
}

/* Of match_row in functions.sql: MATCH_SHARED first, in its order, which begins with the number and
 * the id; then these. */
enum {
    ROW_NUMBER,
    ROW_ID,
    ROW_VERSION = COLUMN_POSITION, /* as many as MATCH_SHARED has */
    ROW_CHANGED_S,
    ROW_TURN_AGE_MS,
    ROW_LOG,
    ROW_SEEKS,
    ROW_PEOPLE, /* white, black, and the creator if it is neither: see player_row */
    ROW_TOURNAMENT = ROW_PEOPLE + PEOPLE,
    ROW_PAIRING,
    ROW_ROUND
};

_Static_assert(__builtin_popcountll(MATCH_SHARED) == ROW_VERSION, "see above");

void postgres_put_match_sql(struct buffer *sql, const char *which)
{
    buffer_puts(sql, "SELECT ");
    columns_put_names(sql, match_columns, MATCH_SHARED, "", "");
    buffer_puts(sql, ", version, changed_s, turn_age_ms, log, seeks, white_person,"
                     " black_person, creator_person, tournament, pairing, round"
                     " FROM match_row m WHERE ");
    buffer_add(sql, which, strlen(which) + 1);
}

const char postgres_player_sql[] = "SELECT p.person FROM player_row p ";

struct value row_value(const struct answer *answer, int row, int column, enum column_type type)
{
    if (answer_is_null(answer, row, column))
        return SQL_NULL;
    switch (type) {
    case TYPE_INTEGER:
        return SQL_INTEGER(answer_integer(answer, row, column));
    case TYPE_BOOL:
        return SQL_INTEGER(answer_bool(answer, row, column));
    case TYPE_REAL:
        return SQL_REAL(answer_real(answer, row, column));
    default:
        return SQL_TEXT(answer_text(answer, row, column));
    }
}

/* A row that is read. */
struct row {
    const struct answer *answer;
    int number;
    struct value values[MATCH_COLUMNS]; /* borrow the answer */
};

static const char *row_text(const struct row *row, int column)
{
    return answer_text(row->answer, row->number, column);
}

static struct row read_row(const struct answer *answer, int number)
{
    struct row row = {.answer = answer, .number = number};
    int place = 0;

    for (int i = 0; i < MATCH_COLUMNS; i++)
        if ((MATCH_SHARED & COLUMN(i)) != 0)
            row.values[i] = row_value(answer, number, place++, match_columns[i].type);
    row.values[COLUMN_CHANGED_S] = row_value(answer, number, ROW_CHANGED_S, TYPE_INTEGER);
    return row;
}

static bool row_has_joined(const struct row *row, int color)
{
    return value_integer(&row->values[COLUMN_WHITE_JOINED + color]) != 0;
}

int64_t row_number(const struct answer *answer, int row)
{
    return answer_integer(answer, row, ROW_NUMBER);
}

int row_version(const struct answer *answer, int row)
{
    return (int)answer_integer(answer, row, ROW_VERSION);
}

const char *row_id(const struct answer *answer, int row)
{
    return answer_text(answer, row, ROW_ID);
}

const char *row_seeks(const struct answer *answer, int row)
{
    return answer_text(answer, row, ROW_SEEKS);
}

void row_take_rating(struct player *player, const struct rating *told)
{
    struct rating *rating = rating_find_or_add(&player->ratings, told->game, told->variant);

    if (told->matches <= rating->matches)
        return;
    rating->now = told->now;
    rating->matches = told->matches;
}

/* Reads lines with a rating each, and takes them over. */
static void read_ratings(struct player *player, struct words *words)
{
    char game[VARIANT_NAME_MAX];
    struct rating rating;

    while (words->at != NULL && *words->at == '\n') {
        words->at++;
        words_text(words, game, sizeof game);
        words_text(words, rating.variant, sizeof rating.variant);
        rating.matches = (int)words_integer(words);
        rating.now.rating = words_real(words);
        rating.now.deviation = words_real(words);
        rating.now.volatility = words_real(words);
        rating.now = glicko_sane(rating.now);
        rating.game = game_find(game, strlen(game));
        if (words->at != NULL && rating.game != NULL)
            row_take_rating(player, &rating);
    }
}

/* Who a player is and where, as player_row has it. */
struct person {
    int64_t id;
    struct identity identity;
    char places[PLACES_TEXT_MAX];
    bool away;
    int64_t away_ms;     /* for how long */
    const char *display; /* borrowed; "": none */
    struct words words;  /* behind: ratings; not `at`: there is nobody */
};

static struct person read_person(const char *text)
{
    struct person person = {.display = "", .words = {text}};
    struct words *words = &person.words;
    const char *display = words->at != NULL ? strstr(words->at, "\n- ") : NULL;
    struct identity *identity = &person.identity;
    char kind[8], bot[2], away[2];

    person.id = words_integer(words);
    words_text(words, identity->name, sizeof identity->name);
    words_text(words, kind, sizeof kind);
    words_text(words, bot, sizeof bot);
    identity->kind = record_kind(kind);
    identity->bot = bot[0] == 't';
    identity->seen_s = words_integer(words);
    if (!record_is_date(identity->seen_s))
        identity->seen_s = 0;
    words_integer(words); /* how often they have come back at all servers: not what was here */
    words_text(words, person.places, sizeof person.places);
    words_text(words, away, sizeof away);
    person.away = away[0] == 't';
    person.away_ms = words_integer(words);
    if (display != NULL)
        person.display = display + strlen("\n- ");
    return person;
}

struct places *places_read(const char *text, int own, bool *is_here)
{
    struct places *places = NULL;
    int node, windows, length;

    *is_here = false;
    for (; sscanf(text, "%d:%d%n", &node, &windows, &length) == 2; text += *text == ',') {
        if (node == own)
            *is_here = true;
        else
            places = places_add(places, node, windows);
        text += length;
    }
    return places;
}

void postgres_place(struct postgres *postgres, struct player *player, struct places *places,
                    bool renamed)
{
    struct placed *placed = NULL;

    if (places_are_same(player->elsewhere, places) && !renamed) {
        free(places);
        return;
    }
    for (int i = 0; i < postgres->placed_count && placed == NULL; i++)
        if (postgres->placed[i].id == player->id)
            placed = &postgres->placed[i];
    if (placed == NULL) {
        if (postgres->placed_count == postgres->placed_room) {
            postgres->placed_room += PLACED_MORE;
            postgres->placed = xrealloc(postgres->placed,
                                        (size_t)postgres->placed_room * sizeof *postgres->placed);
        }
        placed = &postgres->placed[postgres->placed_count++];
        *placed = (struct placed){player->id, player->elsewhere, false};
        player->elsewhere = NULL;
    }
    placed->renamed = placed->renamed || renamed;
    player_set_elsewhere(player, places);
}

/* Takes over where a player is. One who is kept as being here alone, and is not, is about to come.
 */
static void settle_places(struct postgres *postgres, struct player *player,
                          const struct person *person, bool known, bool renamed)
{
    struct places *places = NULL;
    bool is_here = false;

    if (person->identity.kind != PLAYER_HOUSE)
        places = places_read(person->places, postgres->nodes.own, &is_here);
    if (!known) {
        player_set_elsewhere(player, places);
    } else if (places != NULL || !is_here || player_is_connected(player)) {
        postgres_place(postgres, player, places, renamed);
    }
    if (!player->here && person->away)
        player->away_ms = postgres->now_ms - person->away_ms;
}

/* Takes over the display name. The database has made sure that no other one looks like it. */
static void set_display(struct player *player, const char *text)
{
    struct identity identity;
    char looks[LOOKS_TEXT_MAX];
    const char *own = player_display(player);

    if (strcmp(own != NULL ? own : "", text) == 0)
        return;
    display_looks(text, looks);
    record_display(&identity, text, looks);
    player_set_display(player, identity.display, identity.looks);
}

struct player *row_read_player(struct postgres *postgres, const char *text)
{
    struct person person = read_person(text);
    bool renamed = false;

    if (person.words.at == NULL)
        return NULL;
    struct player *player = players_find_id(postgres->players, person.id);
    bool known = player != NULL;
    if (!known)
        player = players_add_stored(postgres->players, person.id, person.identity.kind,
                                    person.identity.name);
    player->stored = true;
    read_ratings(player, &person.words);
    bool is_free = !player_is_connected(player) && player->lock.owner == NULL;
    bool is_older = player->kind == PLAYER_NAMED && person.identity.kind == PLAYER_GUEST;
    if (is_free && !is_older) { /* else this server knows best who they are */
        memcpy(person.identity.token_hash, player->token_hash, sizeof player->token_hash);
        renamed = known && strcmp(player->name, person.identity.name) != 0;
        player_settle(player, &person.identity);
    }
    set_display(player, person.display);
    settle_places(postgres, player, &person, known, renamed);
    return player;
}

struct player *row_to_player(struct postgres *postgres, const struct answer *answer, int row)
{
    return row_read_player(postgres, answer_text(answer, row, 0));
}

/* Sets the clock and the offers as they were after the last entry. */
static void set_clock(const struct row *row, const struct entries *entries, struct match *match,
                      int64_t turn_ms)
{
    struct clock *clock = &match->clock;

    match_set_offers(match, entries->last.offers);
    match->turn_ms = turn_ms;
    clock->base_ms = value_integer(&row->values[COLUMN_BASE_MS]);
    clock->increment_ms = value_integer(&row->values[COLUMN_INCREMENT_MS]);
    if (clock->base_ms == 0)
        return;
    for (int color = WHITE; color <= BLACK; color++)
        clock->left_ms[color] = entries->last.left_ms[color];
    if (match->status == MATCH_PLAYING && match->ply_count > 0)
        clock_run(clock, match->position.side, turn_ms);
}

/* Reads the match of a row, without its people, and replays it. False with the cause, which is in
 * `broken` then, too: the match is as far as its moves go, and has no game if it cannot be shown at
 * all. It is to be released in any case. */
static bool read_match(const struct row *row, int64_t now_ms, struct table *table,
                       struct cause *cause)
{
    const bool there[2] = {row_text(row, ROW_PEOPLE + WHITE)[0] != '\0',
                           row_text(row, ROW_PEOPLE + BLACK)[0] != '\0'};
    int64_t turn_ms = now_ms - answer_integer(row->answer, row->number, ROW_TURN_AGE_MS);
    struct match *match = &table->match;
    struct entries entries = {.moves = NULL};

    *table = (struct table){.number = 0};
    record_read_table(row->values, table);
    table->version = row_version(row->answer, row->number);
    bool good = record_begin(row->values, table->started, match, cause);
    if (good) {
        good = entries_read(&entries, row_text(row, ROW_LOG), cause);
        good = entries_play(&entries, match, cause) && good; /* as far as it could be read */
        good = good && record_end(row->values, match, cause);
        if (good)
            set_clock(row, &entries, match, turn_ms);
        good = good && record_is_sound(table, there, cause);
        entries_release(&entries);
    }
    if (good)
        return true;
    table->broken = xstrdup(cause->text);
    match->clock = (struct clock){.base_ms = 0};
    if (!record_is_date(table->date))
        table->date = 0;
    if (match->game != NULL)
        record_end_anyhow(row->values, false, match, cause); /* it is shown as over if it was */
    return cause_set(cause, "%s", table->broken);
}

/* Which tournament has paired the match. */
static void read_pairing(struct table *table, const struct answer *answer, int number)
{
    table->tournament = answer_integer(answer, number, ROW_TOURNAMENT);
    table->pairing = (int)answer_integer(answer, number, ROW_PAIRING);
    table->round = (int)answer_integer(answer, number, ROW_ROUND);
}

struct table *row_to_table(struct postgres *postgres, const struct answer *answer, int number,
                           struct cause *cause)
{
    const struct row row = read_row(answer, number);
    struct lobby *lobby = postgres->lobby;
    struct table fresh;

    bool good = read_match(&row, postgres->now_ms, &fresh, cause);
    if (fresh.match.game == NULL) {
        free(fresh.broken);
        return NULL;
    }
    if (fresh.match.status == MATCH_OVER)
        fresh.ended = ++lobby->ended;
    struct table *table = lobby_draft_stored(lobby, &fresh);
    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = row_read_player(postgres, row_text(&row, ROW_PEOPLE + color));
        if (player != NULL)
            table_set_seat(table, color, player, row_has_joined(&row, color));
        table->seats[color].was_open = fresh.seats[color].was_open;
    }
    struct player *creator = row_read_player(postgres, row_text(&row, ROW_PEOPLE + CREATOR));
    int64_t creator_id = value_integer(&row.values[COLUMN_CREATOR]);
    if (creator == NULL && creator_id != 0)
        creator = players_find_id(postgres->players, creator_id); /* who has a seat */
    if (creator != NULL && good)
        lobby_set_creator(table, creator);
    read_pairing(table, answer, number);
    lobby_add(lobby, table);
    return table;
}

/* A turn that this server knows goes on as it is: no two servers' clocks are compared. One of which
 * it learns only now begins now. */
static void keep_turn(const struct match *old, struct match *match, int64_t now_ms)
{
    bool same = old->status == match->status && old->ply_count == match->ply_count &&
                old->clock.runs == match->clock.runs &&
                old->clock.left_ms[WHITE] == match->clock.left_ms[WHITE] &&
                old->clock.left_ms[BLACK] == match->clock.left_ms[BLACK];

    if (!same) {
        match_begin_turn(match, old, now_ms);
        return;
    }
    match->turn_ms = old->turn_ms;
    match->forgiven = old->forgiven;
    match->clock = old->clock;
}

/* Takes over who is kicked. Only the server that has kicked a guest knows from where they came. */
static void read_kicked(const struct table *now, struct table *draft)
{
    struct kicked known[KICKED_MAX];
    int known_count = draft->kicked_count;

    memcpy(known, draft->kicked, (size_t)known_count * sizeof known[0]);
    draft->kicked_count = now->kicked_count;
    for (int i = 0; i < now->kicked_count; i++) {
        draft->kicked[i] = now->kicked[i];
        for (int j = 0; j < known_count; j++)
            if (known[j].player == now->kicked[i].player)
                draft->kicked[i] = known[j];
    }
}

struct table *row_to_draft(struct postgres *postgres, const struct answer *answer, int number,
                           struct table *table, struct cause *cause)
{
    const struct row row = read_row(answer, number);
    struct table now;

    if (!read_match(&row, postgres->now_ms, &now, cause)) {
        match_release(&now.match);
        free(now.broken);
        return NULL;
    }
    struct table *draft = table_draft(table);
    keep_turn(&table->match, &now.match, postgres->now_ms);
    now.match.revision = table->match.revision + (now.version != table->version);
    draft->match = now.match;
    draft->version = now.version;
    draft->started = now.started;
    draft->casual = now.casual;
    draft->changed_s = now.changed_s;
    memcpy(draft->rating_after, now.rating_after, sizeof draft->rating_after);
    read_kicked(&now, draft);
    if (now.match.status == MATCH_OVER && draft->ended == 0)
        draft->ended = ++postgres->lobby->ended;
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &draft->seats[color];
        struct player *player = row_read_player(postgres, row_text(&row, ROW_PEOPLE + color));
        if (player != NULL)
            player_hold(player);
        if (seat->player != NULL)
            player_let_go(seat->player);
        seat->player = player;
        seat->joined = row_has_joined(&row, color);
        seat->was_open = now.seats[color].was_open;
    }
    return draft;
}

struct stored_match *row_to_stored(const struct answer *answer, int number, struct cause *cause)
{
    const struct row row = read_row(answer, number);
    struct player people[PEOPLE] = {{0}};
    struct table table;

    read_match(&row, 0, &table, cause);
    if (table.match.game == NULL) {
        free(table.broken);
        return NULL;
    }
    for (int i = 0; i < PEOPLE; i++) {
        struct person read = read_person(row_text(&row, ROW_PEOPLE + i));
        struct player *person = &people[i];
        if (read.words.at == NULL)
            continue;
        person->id = read.id;
        person->kind = read.identity.kind;
        memcpy(person->name, read.identity.name, sizeof person->name);
        if (person->id == value_integer(&row.values[COLUMN_CREATOR]))
            table.creator = person;
        if (i != CREATOR)
            table.seats[i].player = person;
    }
    read_pairing(&table, answer, number);
    return stored_match_new(&table);
}

/* Replays a log, whatever the row says of it. */
static bool replay_log(const struct row *row, bool *started, struct match *match,
                       struct cause *cause)
{
    struct entries entries;

    bool good = entries_read(&entries, row_text(row, ROW_LOG), cause);
    *started = value_integer(&row->values[COLUMN_STARTED]) != 0 || entries.plies > 0 ||
               (row_has_joined(row, WHITE) && row_has_joined(row, BLACK));
    good = good && record_begin(row->values, *started, match, cause) &&
           entries_play(&entries, match, cause);
    entries_release(&entries);
    return good;
}

bool row_to_repair(const struct answer *answer, int number, struct buffer *sql, struct cause *cause)
{
    const struct row row = read_row(answer, number);
    struct match match = {.plies = NULL};
    bool started;

    bool good = replay_log(&row, &started, &match, cause) &&
                record_end_anyhow(row.values, true, &match, cause);
    bool over = match.status == MATCH_OVER;
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
                      match_status_text(match.status), started ? "true" : "false");
    if (good) /* one more entry, as with every change, so that servers read it again */
        buffer_printf(sql,
                      " WHERE number = %lld RETURNING number) INSERT INTO entry SELECT match,"
                      " version + 1, 'o', ply, '', 0, white_ms, black_ms, %s, at, NULL, NULL"
                      " FROM entry JOIN mended ON match = number ORDER BY version DESC LIMIT 1",
                      (long long)row_number(answer, number), over ? "0" : "offers");
    buffer_add(sql, "", 1);
    match_release(&match);
    return good;
}
