#include "bot_client.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/link/clock_ms.h"
#include "client/link/json_read.h"
#include "common/move.h"
#include "common/xmalloc.h"

enum {
    AGAIN_MS = 1000,      /* before a refused move is sent again, if the server gives no time */
    AGAIN_MAX_MS = 60000, /* ... and if it does, at most */
    CLAIM_LATE_MS = 100,  /* a claim that comes too early is refused */
    CLAIM_AGAIN_MS = 30000,
    LISTINGS = 3 /* of the bot's matches, at most */
};

static void report_event(struct bot_client *bot, enum bot_event event, const char *match,
                         const char *text)
{
    bot->mind->report(bot, &(struct bot_news){.event = event, .match = match, .text = text});
}

/* Tells people how the bot leaves a match: by which command. */
static void report_leaving(struct bot_client *bot, enum bot_event event, const char *match,
                           const char *command, const char *why)
{
    bot->mind->report(
        bot, &(struct bot_news){.event = event, .match = match, .command = command, .text = why});
}

/* Ends the bot with a failure. */
static void fail_bot(struct bot_client *bot, const struct cause *why)
{
    bot->failed = true;
    uplink_close(&bot->uplink);
    bot->uplink.cause = *why;
}

/* ---- Matches ---- */

struct bot_match *bot_match_find(const struct bot_match_list *matches, const char *id)
{
    struct bot_match *match;

    TAILQ_FOREACH (match, matches, link)
        if (strcmp(match->id, id) == 0)
            return match;
    return NULL;
}

struct bot_match *bot_match_add(struct bot_match_list *matches, const char *id,
                                enum bot_stage stage, const struct game *game,
                                const struct position *start)
{
    struct bot_match *match = xcalloc(1, sizeof *match);

    snprintf(match->id, sizeof match->id, "%s", id);
    match->stage = stage;
    match->game = game;
    match->start = *start;
    TAILQ_INSERT_TAIL(matches, match, link);
    return match;
}

void bot_match_free(struct bot_match_list *matches, struct bot_match *match)
{
    TAILQ_REMOVE(matches, match, link);
    free(match);
}

bool bot_match_waits(const struct bot_match *match)
{
    return match->turn == TURN_OWED && !match->awaits_record;
}

static enum bot_stage stage_of(const struct match_state *state)
{
    static const enum bot_stage stages[] = {
        [STATE_OPEN] = BOT_JOINED, [STATE_PLAYING] = BOT_PLAYING, [STATE_OVER] = BOT_OVER};

    return stages[state->status];
}

bool bot_match_follow(struct bot_match_list *matches, struct bot_match *match,
                      const struct match_state *state, bool *changed, struct cause *cause)
{
    const char *last = state->last[0] != '\0' ? state->last : NULL;
    bool begins = state->status == STATE_PLAYING && match->stage != BOT_PLAYING;
    struct position position;
    const struct game *game;

    match->stage = stage_of(state);
    match->clock = state->clock;
    if (!match_state_parse(state, &game, &position, cause))
        return false;
    if (game != match->game)
        return cause_set(cause, "the match has become one of %s", game->name);
    *changed = course_update(&match->course, game, &position, state->ply, last) || begins;
    for (enum color color = WHITE; color <= BLACK; color++)
        match->mine[color] = state->seats[color].mine;
    match->rated = state->rated && state->seats[WHITE].rating > 0 && state->seats[BLACK].rating > 0;
    TAILQ_REMOVE(matches, match, link);
    TAILQ_INSERT_TAIL(matches, match, link);
    if (state->status == STATE_PLAYING && !*changed)
        return true;
    bool moves = state->status == STATE_PLAYING && match->mine[position.side] &&
                 game->legal(&position, NULL) > 0;
    match->turn = moves ? TURN_OWED : TURN_NONE;
    return true;
}

static void end_match(struct bot_match *match)
{
    match->stage = BOT_OVER;
    match->turn = TURN_NONE;
    match->abort_ms = match->claim_ms = 0;
}

/* Removes the matches that are over, or all. */
static void sweep_matches(struct bot_client *bot, bool all)
{
    struct bot_match *match, *next;

    for (match = TAILQ_FIRST(&bot->matches); match != NULL; match = next) {
        next = TAILQ_NEXT(match, link);
        if (!all && match->stage != BOT_OVER)
            continue;
        if (bot->mind->end != NULL)
            bot->mind->end(bot, match, false);
        bot_match_free(&bot->matches, match);
    }
}

int bot_client_count(const struct bot_client *bot)
{
    const struct bot_match *match;
    int count = bot->promised;

    TAILQ_FOREACH (match, &bot->matches, link)
        count += !match->given_up && match->stage != BOT_OVER;
    return count;
}

/* Counts the matches that somebody has made the bot play. */
static int count_held(const struct bot_client *bot, const char *holder)
{
    const struct bot_match *match;
    int count = 0;

    TAILQ_FOREACH (match, &bot->matches, link)
        count += strcmp(match->holder, holder) == 0 && match->stage != BOT_OVER;
    return count;
}

/* Counts the matches that cannot be left alone: all that the bot has said yes to. */
static int count_bound(const struct bot_client *bot)
{
    const struct bot_match *match;
    int count = bot->promised;

    TAILQ_FOREACH (match, &bot->matches, link)
        count += match->stage != BOT_OVER;
    return count;
}

static void update_mind(struct bot_client *bot, struct bot_match *match, bool changed)
{
    if (bot->mind->update != NULL)
        bot->mind->update(bot, match, changed);
}

/* Adds a match of a game and variant (NULL: the default). NULL with the cause, and a word for
 * `decline`, if the bot cannot play it. */
static struct bot_match *add_match(struct bot_client *bot, const char *id, enum bot_stage stage,
                                   const char *holder, const char *game_name, const char *variant,
                                   const char **why, struct cause *cause)
{
    const struct game *game = game_find(game_name, strlen(game_name));
    struct position start;

    *why = "game";
    if (game == NULL) {
        cause_set(cause, "an unknown game");
        return NULL;
    }
    if (!game->start(variant, &start, cause))
        return NULL;
    struct bot_match *match = bot_match_add(&bot->matches, id, stage, game, &start);
    snprintf(match->holder, sizeof match->holder, "%s", holder);
    *why = bot->mind->begin != NULL ? bot->mind->begin(bot, match, cause) : NULL;
    if (*why == NULL)
        return match;
    bot_match_free(&bot->matches, match);
    return NULL;
}

/* ---- Commands about a match ---- */

/* Sends a move, or sends it again. */
static void send_move(struct bot_client *bot, struct bot_match *match)
{
    const struct course *course = &match->course;
    char text[MOVE_TEXT_MAX];

    move_format(&course->position, match->move, text);
    match->turn = TURN_SENT;
    uplink_send(&bot->uplink, "#%s move %s %s ply=%d%s", match->id, match->id, text,
                course->start_ply + course->count, match->said);
}

/* Writes a thought as options of the command. A line that begins with another move is left out. */
static void note_thought(struct bot_match *match, const struct bot_thought *thought)
{
    enum { EVAL_MOST = 30000 };
    char text[MOVE_TEXT_MAX];
    size_t length = 0;

    match->said[0] = '\0';
    if (thought->has_eval && abs(thought->eval_cp) <= EVAL_MOST)
        length = (size_t)snprintf(match->said, BOT_SAID_MAX, " eval=%d", thought->eval_cp);
    if (thought->pv_plies == 0 || !move_equal(thought->pv[0], match->move))
        return;
    for (int i = 0; i < thought->pv_plies && i < BOT_PV_MAX; i++) {
        move_format(&match->course.position, thought->pv[i], text);
        length += (size_t)snprintf(match->said + length, BOT_SAID_MAX - length, "%s%s",
                                   i == 0 ? " pv=" : ",", text);
    }
}

void bot_client_move(struct bot_client *bot, struct bot_match *match, struct move move,
                     const struct bot_thought *thought)
{
    match->move = move;
    match->has_eval = thought->has_eval;
    match->eval_cp = thought->eval_cp;
    note_thought(match, thought);
    send_move(bot, match);
}

/* Says no to a challenge, and notes why for people. */
static void decline_challenge(struct bot_client *bot, const char *id, const char *word,
                              const char *why)
{
    report_event(bot, BOT_DECLINES, id, why);
    uplink_send(&bot->uplink, "#%s decline %s %s", id, id, word);
}

/* Whether the bot takes no new match, as it is about to end; with the cause then. */
static bool takes_no_more(struct bot_client *bot, struct cause *cause)
{
    return engagement_leaves(&bot->engagement) &&
           !cause_set(cause, "%s is about to end", bot->mind->noun);
}

void bot_client_accept(struct bot_client *bot, struct bot_match *match)
{
    if (match->given_up)
        return;
    if (match->stage == BOT_CHALLENGED && engagement_leaves(&bot->engagement))
        return; /* run_match() declines it */
    for (; match->seats_offered > 0; match->seats_offered--)
        uplink_send(&bot->uplink, "#%s join %s", match->id, match->id);
    if (match->stage == BOT_CHALLENGED)
        match->stage = BOT_JOINED;
}

/* The command that leaves a match at this stage. */
static const char *leaving_command(enum bot_stage stage)
{
    static const char *const commands[] = {
        [BOT_CHALLENGED] = "decline", [BOT_JOINED] = "abort", [BOT_PLAYING] = "resign"};

    assert(stage != BOT_OVER);
    return commands[stage];
}

void bot_client_surrender(struct bot_client *bot, struct bot_match *match)
{
    match->turn = TURN_NONE;
    if (match->stage != BOT_OVER)
        uplink_send(&bot->uplink, "#%s %s %s", match->id, leaving_command(match->stage), match->id);
}

static void give_up(struct bot_client *bot, struct bot_match *match, enum bot_event event,
                    const char *why)
{
    if (match->stage == BOT_OVER)
        return;
    report_leaving(bot, event, match->id, leaving_command(match->stage), why);
    bot_client_surrender(bot, match);
    if (bot->mind->end != NULL)
        bot->mind->end(bot, match, true);
    match->given_up = true;
    match->abort_ms = match->claim_ms = 0;
    /* No state follows after a decline. */
    if (match->stage == BOT_CHALLENGED)
        end_match(match);
}

void bot_client_give_up(struct bot_client *bot, struct bot_match *match, const char *why)
{
    give_up(bot, match, BOT_GIVES_UP, why);
}

/* ---- Challenges and offers ---- */

/* Accepts a challenge unless --accept-games and the like refuse it. One for the second seat of a
 * match follows the first, and asks for no other match. */
static void on_challenge(struct bot_client *bot, const cJSON *message)
{
    const char *id = json_text(message, "match"), *why = "later";
    char from[PLAYER_NAME_MAX];
    struct cause cause;

    if (!match_id_is_valid(id))
        return;
    json_copy(from, sizeof from, message, "from");
    struct bot_match *match = bot_match_find(&bot->matches, id);
    if (match == NULL && !takes_no_more(bot, &cause))
        why = policy_refusal(bot->policy, message, bot_client_count(bot), count_held(bot, from),
                             &cause);
    if (match == NULL && why == NULL)
        match = add_match(bot, id, BOT_CHALLENGED, from, json_text_or(message, "game", ""),
                          json_text(message, "variant"), &why, &cause);
    if (match == NULL) {
        decline_challenge(bot, id, why, cause.text);
        return;
    }
    enum color color = WHITE;
    json_color(message, "color", &color);
    if (match->offered[color])
        return; /* told again */
    match->offered[color] = true;
    match->seats_offered++;
    if (match->stage != BOT_CHALLENGED || bot->mind->begin == NULL)
        bot_client_accept(bot, match);
}

/* Answers the offer of a rematch, in a match that may be gone. */
static void answer_rematch(struct bot_client *bot, const char *id)
{
    struct cause cause;

    if (!takes_no_more(bot, &cause) &&
        policy_has_room(bot->policy, bot_client_count(bot), &cause)) {
        bot->promised++;
        uplink_send(&bot->uplink, "#%s rematch %s", id, id);
    } else {
        report_event(bot, BOT_DECLINES_REMATCH, id, cause.text);
        uplink_send(&bot->uplink, "#%s decline %s", id, id);
    }
}

static void answer_offer(struct bot_client *bot, const struct bot_match *match, enum offer what)
{
    const char *id = match->id;

    if (match->given_up || match->stage == BOT_OVER)
        return;
    if (what == OFFER_DRAW) {
        bool agrees = match->stage == BOT_PLAYING && bot->mind->accepts_draw != NULL &&
                      bot->mind->accepts_draw(match);
        uplink_send(&bot->uplink, "#%s %s %s", id, agrees ? "draw" : "decline", id);
    } else if (what == OFFER_UNDO && match->turn != TURN_SENT) {
        /* A move that is on its way ends the offer, and `undo` would make one of the bot's own. */
        bool agrees = !match->rated || !bot->policy->is_house;
        uplink_send(&bot->uplink, "#%s %s %s", id, agrees ? "undo" : "decline", id);
    }
}

static void on_offer(struct bot_client *bot, const cJSON *message)
{
    struct match_offer offer;

    if (!match_offer_read(&offer, message) || !offer.open ||
        strcmp(offer.from, bot->uplink.name) == 0)
        return;
    const struct bot_match *match = bot_match_find(&bot->matches, offer.match);
    if (offer.what == OFFER_REMATCH)
        answer_rematch(bot, offer.match);
    else if (match != NULL)
        answer_offer(bot, match, offer.what);
}

/* ---- States and records ---- */

/* Notes when the win can be claimed: of an opponent who is gone, in claim_ms (-1: they are here),
 * or of one who has not moved for long. */
static void await_claim(const struct bot_client *bot, struct bot_match *match, int64_t claim_ms)
{
    bool can = match->stage == BOT_PLAYING && !match->given_up && !bot->policy->is_house;
    int64_t gone_ms = claim_ms >= 0 ? bot->now_ms + claim_ms + CLAIM_LATE_MS : INT64_MAX;
    int64_t due_ms = match->stall_ms != 0 ? sooner_ms(gone_ms, match->stall_ms) : gone_ms;

    match->may_claim = can && due_ms != INT64_MAX;
    match->claim_ms = match->may_claim ? due_ms : 0;
}

/* Notes how long to wait for an opponent who is to come, or to make the first move. */
static void await_first_move(const struct bot_client *bot, struct bot_match *match, bool changed)
{
    const struct course *course = &match->course;
    bool is_first = course->start_ply + course->count < 2;
    bool waits = match->stage == BOT_JOINED ||
                 (match->stage == BOT_PLAYING && is_first && !match->mine[course->position.side]);

    if (!waits || bot->policy->first_move_s == 0 || bot->policy->is_house)
        match->abort_ms = 0;
    else if (changed || match->abort_ms == 0)
        match->abort_ms = bot->now_ms + bot->policy->first_move_s * INT64_C(1000);
}

static void follow_position(struct bot_client *bot, struct bot_match *match,
                            const struct match_state *state)
{
    bool is_first = match->course.game == NULL, changed;
    struct cause cause;

    if (!bot_match_follow(&bot->matches, match, state, &changed, &cause)) {
        bot_client_give_up(bot, match, cause.text);
        return;
    }
    if (is_first)
        report_event(bot, BOT_BEGINS, match->id, NULL);
    if (is_first && bot->mind->asks_for_record && state->ply > 0 && match->stage == BOT_PLAYING) {
        uplink_send(&bot->uplink, "#%s record %s", match->id, match->id);
        match->awaits_record = true;
    }
    await_first_move(bot, match, changed || is_first);
    bool is_alone = match->mine[WHITE] && match->mine[BLACK];
    const struct match_seat *opponent = &state->seats[match->mine[WHITE] ? BLACK : WHITE];
    match->stall_ms =
        !is_alone && opponent->stall_ms >= 0 ? bot->now_ms + opponent->stall_ms + CLAIM_LATE_MS : 0;
    await_claim(bot, match, is_alone ? -1 : opponent->claim_ms);
    update_mind(bot, match, changed);
}

static void handle_state(struct bot_client *bot, struct bot_match *match,
                         const struct match_state *state)
{
    char end[sizeof state->result + sizeof state->reason];

    if (!match_state_seated(state) && match->stage != BOT_CHALLENGED) {
        report_event(bot, BOT_SEAT_FREED, match->id, NULL);
        end_match(match);
    } else if (state->status == STATE_OVER) {
        snprintf(end, sizeof end, "%s %s", state->result, state->reason);
        report_event(bot, BOT_ENDS, match->id, end);
        end_match(match);
    } else if (!match_state_seated(state)) {
        return; /* the challenge stands, and is not accepted yet */
    } else if (match->given_up) {
        match->stage = stage_of(state);
        bot_client_surrender(bot, match);
    } else {
        follow_position(bot, match, state);
    }
}

/* Takes the state of an unknown match: one joined by --join, a rematch, one that the server paired,
 * or one from before the connection was lost, with offers that nobody has answered. */
static void handle_new_state(struct bot_client *bot, const struct match_state *state)
{
    const char *variant = state->variant[0] != '\0' ? state->variant : NULL, *why;
    struct cause cause;

    if (state->status == STATE_OVER || !match_state_seated(state))
        return;
    struct bot_match *match = add_match(bot, state->match, BOT_JOINED,
                                        state->seats[state->seats[WHITE].mine ? BLACK : WHITE].name,
                                        state->game, variant, &why, &cause);
    if (match == NULL) {
        const char *command = leaving_command(stage_of(state));
        report_leaving(bot, BOT_TURNS_AWAY, state->match, command, cause.text);
        uplink_send(&bot->uplink, "#%s %s %s", state->match, command, state->match);
        return;
    }
    handle_state(bot, match, state);
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (match_state_asked(state, what))
            answer_offer(bot, match, what);
}

static void on_state(struct bot_client *bot, const cJSON *message)
{
    struct match_state state;
    struct cause cause;

    if (!match_state_read(&state, message, bot->now_ms, &cause)) {
        report_event(bot, BOT_STATE_FAULTY, NULL, cause.text);
        return;
    }
    struct bot_match *match = bot_match_find(&bot->matches, state.match);
    if (match != NULL)
        handle_state(bot, match, &state);
    else
        handle_new_state(bot, &state);
}

/* Hears that an opponent has gone or come back. */
static void on_presence(struct bot_client *bot, const cJSON *message)
{
    struct bot_match *match = bot_match_find(&bot->matches, json_text_or(message, "match", ""));
    enum color color;

    if (match != NULL && json_color(message, "color", &color) && !match->mine[color])
        await_claim(bot, match, json_ms(message, "claim_ms"));
}

/* Plays the match through from its start to the last state. False, with *course undefined, if the
 * record does not lead there. */
static bool replay(struct course *course, const cJSON *record, const struct course *known)
{
    const char *start = json_text_or(record, "start", "");
    int plies = known->start_ply + known->count;
    const cJSON *item = cJSON_GetArrayItem(json_member(record, "moves"), 0);
    struct position position;
    struct cause cause;
    struct move move;

    if (plies > COURSE_MOVES_MAX ||
        !known->game->parse(json_text(record, "variant"), start, &position, &cause))
        return false;
    course_begin(course, known->game, &position, 0);
    for (; item != NULL && course->count < plies; item = item->next) {
        const char *text = cJSON_GetStringValue(item);
        if (text == NULL || !move_parse(course->game, &course->position, text, &move, &cause))
            return false;
        course_play(course, move);
    }
    return course->count == plies &&
           memcmp(&course->position, &known->position, sizeof course->position) == 0;
}

/* Takes the moves before the first state. Without them, its position must do. */
static void on_record(struct bot_client *bot, const cJSON *message)
{
    const char *id = json_text_or(message, "match", json_text_or(message, "id", ""));
    struct bot_match *match = bot_match_find(&bot->matches, id);
    struct course course;

    if (match == NULL || !match->awaits_record)
        return;
    match->awaits_record = false;
    if (replay(&course, message, &match->course))
        match->course = course;
    update_mind(bot, match, false);
}

/* ---- Replies ---- */

/* Notes the reply to a command that asks for a match. The first state follows an `ok`. */
static void keep_promise(struct bot_client *bot, const cJSON *message)
{
    bool is_join = strcmp(json_text_or(message, "id", ""), "join") == 0;

    if (bot->promised > 0 && (is_join || strcmp(json_text_or(message, "cmd", ""), "rematch") == 0))
        bot->promised--;
}

static void on_ok(struct bot_client *bot, const cJSON *message)
{
    keep_promise(bot, message);
    if (strcmp(json_text_or(message, "id", ""), "join") == 0)
        bot->joined = true;
}

/* Whether the match is over or at another ply, so that its next state is enough. */
static bool is_harmless(const char *code)
{
    static const char *const codes[] = {"stale-ply", "match-over", "not-your-turn",
                                        "nothing-to-answer"};

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(code, codes[i]) == 0)
            return true;
    return false;
}

/* Sends a refused move again later if the refusal was temporary. */
static void on_move_refused(struct bot_client *bot, struct bot_match *match, const cJSON *error,
                            const char *code, const char *why)
{
    int64_t wait_ms = json_ms(error, "retry_ms");

    if (is_harmless(code) || match->turn != TURN_SENT)
        return;
    if (!refusal_may_pass(code)) {
        bool illegal = strcmp(code, "illegal-move") == 0;
        give_up(bot, match, illegal ? BOT_MOVE_ILLEGAL : BOT_GIVES_UP, why);
        return;
    }
    if (wait_ms < 0)
        wait_ms = AGAIN_MS;
    match->turn = TURN_LATE;
    match->resend_ms = bot->now_ms + (wait_ms < AGAIN_MAX_MS ? wait_ms : AGAIN_MAX_MS);
}

/* Takes the refusal of a command about a match. */
static void on_match_error(struct bot_client *bot, struct bot_match *match, const cJSON *error)
{
    const char *cmd = json_text_or(error, "cmd", ""), *code = json_text_or(error, "code", "");
    char why[128];

    if (match->stage == BOT_OVER)
        return;
    snprintf(why, sizeof why, "%.40s: %.40s", cmd, code);
    if (strcmp(cmd, "record") == 0) {
        on_record(bot, error);
    } else if (strcmp(cmd, "join") == 0 || (strcmp(cmd, "resign") == 0 && !is_harmless(code))) {
        report_event(bot, BOT_LOST_MATCH, match->id, why);
        end_match(match);
    } else if (strcmp(cmd, "move") == 0) {
        on_move_refused(bot, match, error, code, why);
    } else if (!match->given_up && (strcmp(cmd, "claim") == 0 || strcmp(cmd, "abort") == 0)) {
        /* Try again later what ends a match that waits for its opponent, if that may help. */
        if (strcmp(cmd, "claim") == 0 && match->may_claim)
            match->claim_ms = bot->now_ms + CLAIM_AGAIN_MS;
        else if (strcmp(cmd, "abort") == 0 && refusal_may_pass(code))
            match->abort_ms = bot->now_ms + CLAIM_AGAIN_MS;
    }
}

static void on_error(struct bot_client *bot, const cJSON *message)
{
    const char *id = json_text_or(message, "id", "");
    struct cause cause;

    keep_promise(bot, message);
    bot->mind->report(bot, &(struct bot_news){.event = BOT_REFUSED,
                                              .command = json_text(message, "cmd"),
                                              .text = json_text(message, "message")});
    if (strcmp(id, "join") == 0) {
        cause_set(&cause, "join: %.150s", json_text_or(message, "message", "no reason given"));
        fail_bot(bot, &cause);
        return;
    }
    if (policy_decline_failed(message))
        uplink_send(&bot->uplink, "decline %s", id);
    struct bot_match *match = bot_match_find(&bot->matches, id);
    if (match != NULL)
        on_match_error(bot, match, message);
}

/* ---- The connection ---- */

/* Asks for a page of the bot's own matches, as not all have come by themselves. */
static void ask_for_matches(struct bot_client *bot, int from)
{
    bot->listed = from;
    if (from == 0)
        bot->listed_news = false;
    uplink_send(&bot->uplink, "#mine list mine from=%d", from);
}

/* Asks for the states of matches that are not known yet. A match that ends meanwhile moves the
 * others up, so that one may be on no page: the list is asked for again until it brings no news. */
static void on_list(struct bot_client *bot, const cJSON *message)
{
    const cJSON *row, *rows = json_member(message, "matches");

    if (bot->listings == 0 || strcmp(json_text_or(message, "id", ""), "mine") != 0)
        return;
    cJSON_ArrayForEach (row, rows) {
        const char *id = json_text(row, "match");
        if (!match_id_is_valid(id) || bot_match_find(&bot->matches, id) != NULL)
            continue;
        uplink_send(&bot->uplink, "#%s state %s", id, id);
        bot->listed_news = true;
    }
    int count = cJSON_GetArraySize(rows);
    if (count > 0)
        ask_for_matches(bot, bot->listed + count);
    else if (bot->listed_news && --bot->listings > 0)
        ask_for_matches(bot, 0);
}

static void on_welcome(struct bot_client *bot)
{
    struct uplink *uplink = &bot->uplink;
    struct cause cause;

    if (uplink->code_needed && uplink->hello.name[0] == '\0') {
        cause_set(&cause, "%.100s: this server wants a join code: give --name and --code",
                  uplink->address);
        fail_bot(bot, &cause);
        return;
    }
    uplink_send(uplink, "set legal=off"); /* the bot knows the rules itself */
    bool kept = account_keep(bot->account, uplink, &cause);
    report_event(bot, BOT_CONNECTED, NULL, kept ? NULL : cause.text);
    if (bot->join != NULL && !bot->joined && !engagement_leaves(&bot->engagement)) {
        bot->promised++;
        uplink_send(uplink, "#join join %s", bot->join);
    }
    engagement_begin(&bot->engagement);
    bot->listings = uplink->matches > 0 ? LISTINGS : 0;
    if (bot->listings > 0)
        ask_for_matches(bot, 0);
}

static void on_message(struct bot_client *bot, const cJSON *message)
{
    static const struct {
        const char *type;
        void (*handle)(struct bot_client *bot, const cJSON *message);
    } handlers[] = {
        {"ok", on_ok},       {"error", on_error},         {"state", on_state},
        {"offer", on_offer}, {"challenge", on_challenge}, {"record", on_record},
        {"list", on_list},   {"presence", on_presence},
    };
    const char *type = json_text_or(message, "type", "");
    struct cause cause;

    /* What becomes of --seek and --tournament. */
    enum engagement_event event = engagement_hear(&bot->engagement, message, bot->now_ms, &cause);
    if (event == ENGAGEMENT_REFUSED)
        fail_bot(bot, &cause);
    else if (event == ENGAGEMENT_WAITS)
        report_event(bot, BOT_WAITS, NULL, cause.text);
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
        if (strcmp(handlers[i].type, type) == 0)
            handlers[i].handle(bot, message);
}

static void run_uplink(struct bot_client *bot, bool ready)
{
    struct uplink *uplink = &bot->uplink;
    int tries = uplink->tries;
    enum uplink_event event;
    cJSON *message;

    if (ready)
        uplink_receive(uplink, bot->now_ms);
    uplink_tick(uplink, bot->now_ms);
    /* Later attempts rarely fail for another reason. */
    if (tries == 0 && uplink->tries > 0 && uplink->stage == UPLINK_DOWN)
        report_event(bot, BOT_NOT_CONNECTED, NULL, uplink->cause.text);
    while ((event = uplink_next(uplink, bot->now_ms, &message)) != UPLINK_NOTHING) {
        if (event == UPLINK_MESSAGE) {
            on_message(bot, message);
        } else if (event == UPLINK_WELCOME) {
            on_welcome(bot);
        } else if (event == UPLINK_REFUSED) {
            uplink_close(uplink);
        } else {
            /* After a reconnection the server sends the states of all matches again. */
            report_event(bot, BOT_LOST_CONNECTION, NULL, NULL);
            sweep_matches(bot, true);
            bot->promised = 0;
        }
        cJSON_Delete(message);
    }
}

static int64_t due_ms(const struct bot_client *bot)
{
    const struct bot_match *match;
    int64_t due = sooner_ms(uplink_due_ms(&bot->uplink), engagement_due_ms(&bot->engagement));

    TAILQ_FOREACH (match, &bot->matches, link) {
        if (match->turn == TURN_LATE)
            due = sooner_ms(due, match->resend_ms);
        if (match->abort_ms != 0)
            due = sooner_ms(due, match->abort_ms);
        if (match->claim_ms != 0)
            due = sooner_ms(due, match->claim_ms);
    }
    return due;
}

/* Sends the claims and aborts of a match whose time has come. */
static void run_match(struct bot_client *bot, struct bot_match *match)
{
    int64_t now_ms = bot->now_ms;
    struct cause cause;

    if (match->stage == BOT_CHALLENGED && takes_no_more(bot, &cause)) {
        decline_challenge(bot, match->id, "later", cause.text);
        end_match(match);
    }
    if (match->turn == TURN_LATE && match->resend_ms <= now_ms)
        send_move(bot, match);
    if (match->claim_ms != 0 && match->claim_ms <= now_ms) {
        report_event(bot, BOT_CLAIMS, match->id, NULL);
        match->claim_ms = 0;
        uplink_send(&bot->uplink, "#%s claim %s", match->id, match->id);
    }
    if (match->abort_ms != 0 && match->abort_ms <= now_ms) {
        report_event(bot, BOT_ABORTS, match->id, NULL);
        match->abort_ms = 0;
        uplink_send(&bot->uplink, "#%s abort %s", match->id, match->id);
    }
}

/* One turn of the loop. */
static void run_turn(struct bot_client *bot)
{
    struct uplink *uplink = &bot->uplink;
    struct bot_match *match;

    bool ready = bot->mind->wait(bot, uplink->link.fd, due_ms(bot));
    bot->now_ms = clock_ms();
    run_uplink(bot, ready);
    bot->mind->run(bot);
    TAILQ_FOREACH (match, &bot->matches, link)
        run_match(bot, match);
    sweep_matches(bot, false);
    int bound = count_bound(bot);
    engagement_tick(&bot->engagement, bound, bot->now_ms);
    if (uplink->stage == UPLINK_ENDED || !engagement_is_over(&bot->engagement, bound))
        return;
    uplink_send(uplink, "quit");
    uplink->cause.text[0] = '\0';
    uplink_close(uplink);
}

bool bot_client_run(struct bot_client *bot, struct cause *cause)
{
    struct uplink *uplink = &bot->uplink;

    TAILQ_INIT(&bot->matches);
    bot->engagement.policy = bot->policy;
    bot->engagement.uplink = uplink;
    bot->now_ms = clock_ms();
    /* An arena would pair it again while it plays those who have challenged it. */
    if (bot->policy->tournament != NULL)
        uplink->hello.matches_max = (int)bot->policy->matches_max;
    uplink_open(uplink, bot->now_ms);
    while (uplink->stage != UPLINK_ENDED)
        run_turn(bot);
    sweep_matches(bot, true);
    *cause = uplink->cause;
    /* A guest does not come back: the end of the connection is its end, and no failure. */
    return !bot->failed && (cause->text[0] == '\0' || (uplink->was_in && !uplink->comes_back &&
                                                       farewell(uplink->bye) == NULL));
}
