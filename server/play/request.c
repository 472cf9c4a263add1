#include "request.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "house_bots.h"
#include "opening_limit.h"
#include "referee.h"
#include "server/base/log.h"
#include "settle.h"

struct unit *request_unit(struct request *request)
{
    if (request->unit == NULL)
        request->unit = unit_new();
    return request->unit;
}

struct table *request_edit(struct request *request)
{
    return unit_edit(request_unit(request), request->table);
}

const struct look_up *request_look_up(struct request *request, const struct question *question)
{
    struct session *session = request->session;
    struct keeper *keeper = request->server->keeper;
    struct look_up *look_up = session->look_up;

    if (look_up == NULL || !question_is_same(&look_up->question, question)) {
        session_drop_look_up(session);
        look_up = session->look_up = look_up_new(question);
        look_up->asker = session;
        if (keeper->kind->look_up == NULL)
            look_up->state = LOOK_NOTHING;
        else
            keeper->kind->look_up(keeper, look_up);
        if (look_up->state == LOOK_FAILED)
            log_line(LOG_ERROR, "event=store-error error=%s", log_quote(look_up->cause.text).text);
    }
    request->waits_for_answer = look_up->state == LOOK_WAITS;
    return request->waits_for_answer ? NULL : look_up;
}

bool request_is_shared(const struct request *request)
{
    return keeper_has_more(request->server->keeper);
}

enum status request_rows(struct request *request, const struct question *question,
                         const struct look_up **found)
{
    const struct look_up *answer = request_look_up(request, question);

    *found = NULL;
    if (answer == NULL)
        return STATUS_OK;
    if (answer->state == LOOK_FAILED)
        return STATUS_INTERNAL;
    request->rows = answer->count + ROWS_A_LOOK_UP;
    *found = answer;
    return STATUS_OK;
}

enum status request_find_player(struct request *request, const char *name, struct player **player)
{
    struct question question = {.kind = LOOK_NAME};

    *player = players_find(&request->server->players, name);
    if (*player != NULL || !request_is_shared(request) || strlen(name) >= NAME_TEXT_MAX)
        return STATUS_OK;
    snprintf(question.key, sizeof question.key, "%s", name);
    const struct look_up *found = request_look_up(request, &question);
    if (found == NULL || found->state == LOOK_NOTHING)
        return STATUS_OK;
    if (found->state == LOOK_FAILED)
        return STATUS_INTERNAL;
    *player = players_find(&request->server->players, name);
    return STATUS_OK;
}

const struct wire *request_begin(struct request *request)
{
    struct buffer *out = &request->server->reply;

    out->length = 0;
    request->reply = (struct wire){out, request->session->text, request->message->id};
    return &request->reply;
}

enum status request_ok(struct request *request, struct ok ok)
{
    wire_ok(request_begin(request), request->command->verb, &ok);
    return STATUS_OK;
}

void request_send(struct request *request)
{
    settle_reply(request->session, &request->reply);
    request->replied = true;
}

enum status request_fail(struct request *request, enum status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cause_vset(&request->cause, format, args);
    va_end(args);
    return status;
}

enum status request_too_early(struct request *request, const char *what, int64_t retry_ms)
{
    request->retry_ms = retry_ms;
    return request_fail(request, STATUS_RATE_LIMITED, "%s: wait %.1f s", what,
                        (double)retry_ms / 1000);
}

/* Sees to it that another match can be numbered. */
static enum status have_number(struct request *request)
{
    const struct question question = {.kind = LOOK_NUMBERS};

    if (lobby_has_number(&request->server->lobby))
        return STATUS_OK;
    const struct look_up *found = request_look_up(request, &question);
    if (found != NULL && found->state == LOOK_FOUND) { /* others have used up what came */
        session_drop_look_up(request->session);
        found = request_look_up(request, &question);
    }
    return found == NULL ? STATUS_OK : STATUS_INTERNAL;
}

enum status request_may_watch(struct request *request)
{
    if (watch_count(&request->session->watches) < WATCHES_MAX)
        return STATUS_OK;
    return request_fail(request, STATUS_LIMIT_REACHED, "you already watch %d matches: leave one",
                        WATCHES_MAX);
}

/* Says which limit stands against another match of the opener. */
static enum status refuse_to_open(struct request *request, enum opening_limit limit,
                                  const struct player *opener, const struct origin *origin,
                                  const struct origin *full)
{
    const struct limits *limits = &request->server->limits;
    bool own = opener == request->player;

    switch (limit) {
    case OPENING_OF_PLAYER:
        return request_fail(
            request, STATUS_LIMIT_REACHED, "too many unfinished matches: %s %d, the limit is %d",
            own ? "you have" : "the other player has", opener->unfinished, limits->matches);
    case OPENING_OF_ADDRESS:
        return request_fail(request, STATUS_LIMIT_REACHED,
                            "too many unfinished matches: from %s %s come %d, the limit is %d",
                            own ? "your" : "the other's", full == origin ? "address" : "network",
                            full->unfinished, limits->address_matches * full->scale);
    case OPENING_SHARE:
        return request_fail(request, STATUS_SERVER_BUSY,
                            "the last places for matches are for others: finish some of yours");
    default:
        return request_fail(request, STATUS_SERVER_BUSY,
                            "too many unfinished matches on this server: try again later");
    }
}

enum status request_may_open(struct request *request, const struct player *opener,
                             const struct origin *origin)
{
    const struct origin *full;
    enum opening_limit limit = opening_limit(request->server, opener, origin, &full);

    if (limit != OPENING_FREE && limit != OPENING_FULL)
        return refuse_to_open(request, limit, opener, origin, full);
    enum status status = have_number(request);
    if (status != STATUS_OK || request->waits_for_answer || limit == OPENING_FREE)
        return status;
    request->rows = ROWS_A_LOOK_UP;
    return referee_can_make_room(request->server)
               ? STATUS_OK
               : refuse_to_open(request, limit, opener, origin, full);
}

enum status request_make_room(struct request *request, const struct player *opener,
                              const struct origin *origin)
{
    struct server *server = request->server;
    enum opening_limit limit = opening_limit(server, opener, origin, NULL);

    return limit != OPENING_FULL || referee_make_room(server)
               ? STATUS_OK
               : refuse_to_open(request, limit, opener, origin, NULL);
}

bool request_can_come(const struct request *request, const struct player *player)
{
    return player->kind != PLAYER_HOUSE ||
           house_bots_have_level(&request->server->house, player->name + strlen("bot:"));
}

enum status request_choice(struct request *request, const char *option, const char *first,
                           const char *second, bool *is_first)
{
    const char *value = arguments_option(&request->arguments, option);

    if (value == NULL)
        return STATUS_OK;
    if (strcasecmp(value, first) != 0 && strcasecmp(value, second) != 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "%s=: write %s or %s", option, first,
                            second);
    *is_first = strcasecmp(value, first) == 0;
    return STATUS_OK;
}

enum status request_from(struct request *request, struct row_filter *filter)
{
    const char *text = arguments_option(&request->arguments, "from");
    long from = 0;

    if (text != NULL && !number_parse(text, strlen(text), 0, ROWS_FROM_MAX, &from))
        return request_fail(request, STATUS_BAD_ARGUMENTS, "from=: write a number of rows");
    filter->from = (int)from;
    return STATUS_OK;
}

enum status request_start(struct request *request, const char *word, const struct game **game,
                          struct position *start)
{
    bool unknown_game;

    *game = game_open(word, start, &unknown_game, &request->cause);
    if (*game != NULL)
        return STATUS_OK;
    return unknown_game ? STATUS_UNKNOWN_GAME : STATUS_UNKNOWN_VARIANT;
}

enum status request_game(struct request *request, const char *word, struct row_filter *filter)
{
    const struct game *game;
    struct position start;

    enum status status = request_start(request, word, &game, &start);
    if (status != STATUS_OK)
        return status;
    snprintf(filter->game, sizeof filter->game, "%s", game->name);
    if (strchr(word, ':') != NULL)
        game->variant_name(&start, filter->variant);
    return STATUS_OK;
}

enum status request_yes_or_no(struct request *request, const char *option, int *choice)
{
    bool yes = false;

    *choice = 0;
    if (arguments_option(&request->arguments, option) == NULL)
        return STATUS_OK;
    enum status status = request_choice(request, option, "yes", "no", &yes);
    *choice = yes ? 1 : 2;
    return status;
}

/* A table is one of the choices when no match was named. */
struct choice {
    struct table *table;
    int count;
};

static struct choice choose_seated(const struct request *request, enum match_status status)
{
    struct choice choice = {0};
    struct seat *seat;

    TAILQ_FOREACH (seat, &request->player->seats, link)
        if (seat->joined && seat->table->match.status == status && seat->table->broken == NULL) {
            choice.count += seat->table != choice.table; /* a player may have both seats */
            choice.table = seat->table;
        }
    /* Among the finished ones the latest is meant: seats stand in the order they were taken. */
    if (status == MATCH_OVER && choice.count > 0)
        choice.count = 1;
    return choice;
}

static struct choice choose_watched(const struct request *request)
{
    const struct watch_list *watches = &request->session->watches;
    const struct watch *first = LIST_FIRST(watches);

    return (struct choice){first != NULL ? first->table : NULL, watch_count(watches)};
}

/* Has the keeper put a match into the lobby. */
static enum status look_for_match(struct request *request, const char *id, struct table **table)
{
    struct question question = {.kind = LOOK_TABLE};

    snprintf(question.key, sizeof question.key, "%s", id);
    const struct look_up *found = request_look_up(request, &question);
    if (found == NULL)
        return STATUS_OK;
    if (found->state == LOOK_FAILED)
        return STATUS_INTERNAL;
    *table = lobby_find(&request->server->lobby, id);
    return STATUS_OK;
}

static enum status unknown_match(struct request *request, const char *id)
{
    return request_fail(request, STATUS_UNKNOWN_MATCH, "unknown match '%.24s'", id);
}

static enum status find_by_id(struct request *request, const char *id, struct table **table)
{
    enum status status = STATUS_OK;

    *table = lobby_find(&request->server->lobby, id);
    if (*table == NULL && request_is_shared(request) && strlen(id) < TABLE_ID_MAX)
        status = look_for_match(request, id, table);
    if (status != STATUS_OK || *table != NULL || request->waits_for_answer)
        return status;
    return unknown_match(request, id);
}

enum status request_match(struct request *request, const char *id, unsigned wanted, bool watched,
                          struct table **table)
{
    static const enum match_status order[] = {MATCH_PLAYING, MATCH_OPEN, MATCH_OVER};
    struct choice choice = {0};

    if (id != NULL)
        return find_by_id(request, id, table);
    for (int i = 0; i < 3 && choice.count == 0; i++)
        if (wanted & 1u << order[i])
            choice = choose_seated(request, order[i]);
    if (choice.count == 0 && watched)
        choice = choose_watched(request);
    if (choice.count == 0)
        return request_fail(request, STATUS_UNKNOWN_MATCH, "%s: name one",
                            wanted == MATCHES_OVER ? "you have no finished match here"
                                                   : "you are in no match");
    if (choice.count > 1)
        return STATUS_AMBIGUOUS_MATCH;
    *table = choice.table;
    return STATUS_OK;
}

enum status request_record(struct request *request, const char *id, const struct table **table)
{
    struct question question = {.kind = LOOK_RECORD};

    *table = lobby_find(&request->server->lobby, id);
    if (*table != NULL)
        return STATUS_OK;
    snprintf(question.key, sizeof question.key, "%s", id);
    const struct look_up *found = request_look_up(request, &question);
    if (found == NULL)
        return STATUS_OK;
    if (request->server->keeper->kind->look_up != NULL)
        request->rows = ROWS_A_LOOK_UP;
    if (found->state == LOOK_FAILED)
        return STATUS_INTERNAL;
    if (found->state == LOOK_NOTHING && found->archived != 0)
        return request_fail(request, STATUS_MATCH_ARCHIVED,
                            "match %s is in the server's archive, file %04d-%02d.pgn", id,
                            found->archived / 100, found->archived % 100);
    if (found->state == LOOK_NOTHING && found->cause.text[0] != '\0')
        return request_fail(request, STATUS_INTERNAL, "match %s is damaged: %.120s", id,
                            found->cause.text);
    if (found->state == LOOK_NOTHING)
        return unknown_match(request, id);
    *table = &found->stored->table;
    return STATUS_OK;
}
