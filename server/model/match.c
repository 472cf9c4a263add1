#include "match.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/xmalloc.h"

void match_init(struct match *match, const struct game *game, const struct position *start)
{
    memset(match, 0, sizeof *match);
    match->game = game;
    match->start = *start;
    match->position = *start;
    match->status = MATCH_OPEN;
}

bool match_is_from_start(const struct match *match)
{
    char variant[VARIANT_NAME_MAX];
    struct position start;
    struct cause cause;

    match->game->variant_name(&match->start, variant);
    return match->game->start(variant, &start, &cause) &&
           memcmp(&start, &match->start, sizeof start) == 0;
}

void match_release(struct match *match)
{
    if (!match->shares_plies)
        free(match->plies);
    match->plies = NULL;
    match->ply_count = match->ply_capacity = 0;
}

struct match match_draft(const struct match *match)
{
    struct match draft = *match;

    draft.shares_plies = true;
    return draft;
}

void match_settle(struct match *match, struct match *draft)
{
    if (!draft->shares_plies)
        free(match->plies);
    *match = *draft;
    match->shares_plies = false;
    draft->plies = NULL;
}

void match_end(struct match *match, struct outcome outcome, int64_t now_ms)
{
    assert(match->status != MATCH_OVER);
    match->revision++;
    clock_stop(&match->clock, now_ms);
    match->status = MATCH_OVER;
    match->outcome = outcome;
    memset(match->offers, 0, sizeof match->offers);
}

/* rules.md, threefold repetition: equal placement and side to move; the start counts. */
static bool repeated_three_times(const struct match *match)
{
    uint64_t key = match->ply_count > 0 ? match->plies[match->ply_count - 1].key : 0;
    int times = 0;

    for (int i = 0; i < match->ply_count; i++)
        times += match->plies[i].key == key;
    return times >= 3 || (times == 2 && match->game->key(&match->start) == key);
}

/* An end by the position itself takes precedence over repetition. */
static void end_by_rules(struct match *match, int64_t now_ms)
{
    struct outcome outcome = match->game->outcome(&match->position);

    if (outcome.result == RESULT_NONE && match->game->repetition_draws &&
        repeated_three_times(match))
        outcome = (struct outcome){RESULT_DRAW, REASON_REPETITION};
    if (outcome.result != RESULT_NONE)
        match_end(match, outcome, now_ms);
}

void match_start(struct match *match, int64_t now_ms)
{
    assert(match->status == MATCH_OPEN);
    match->revision++;
    match->status = MATCH_PLAYING;
    match->turn_ms = now_ms;
    end_by_rules(match, now_ms);
}

/* Makes room for one more ply. Copies a shared array rather than resize it. */
static void reserve_ply(struct match *match)
{
    if (match->ply_count < match->ply_capacity)
        return;
    int capacity = match->ply_capacity > 0 ? match->ply_capacity * 2 : 16;
    struct ply *plies =
        xreallocarray(match->shares_plies ? NULL : match->plies, (size_t)capacity, sizeof *plies);
    if (match->shares_plies && match->ply_count > 0)
        memcpy(plies, match->plies, (size_t)match->ply_count * sizeof *plies);
    match->plies = plies;
    match->ply_capacity = capacity;
    match->shares_plies = false;
}

enum status match_must_be_playing(const struct match *match, unsigned seats)
{
    if (seats == SEATS_NONE)
        return STATUS_NOT_A_PLAYER;
    if (match->status == MATCH_OPEN)
        return STATUS_MATCH_NOT_STARTED;
    return match->status == MATCH_OVER ? STATUS_MATCH_OVER : STATUS_OK;
}

enum status match_read_move(const struct match *match, unsigned seats, const char *text, long ply,
                            int64_t now_ms, struct move *move, struct cause *cause)
{
    enum status status = match_must_be_playing(match, seats);

    if (status != STATUS_OK)
        return status;
    if (ply >= 0 && ply != match->ply_count) {
        cause_set(cause, "the match is at ply %d, not %ld", match->ply_count, ply);
        return STATUS_STALE_PLY;
    }
    if (!(seats & 1u << match->position.side))
        return STATUS_NOT_YOUR_TURN;
    if (!move_parse(match->game, &match->position, text, move, cause))
        return STATUS_ILLEGAL_MOVE;
    if (match->ply_count >= PLIES_MAX) {
        cause_set(cause, "a match has at most %d plies: resign, or offer a draw", PLIES_MAX);
        return STATUS_LIMIT_REACHED;
    }
    return clock_flag_ms(&match->clock) <= now_ms ? STATUS_MATCH_OVER : STATUS_OK;
}

void match_play_on(struct match *match, struct move move, int64_t now_ms)
{
    enum color mover = match->position.side;
    const struct game *game = match->game;
    struct clock *clock = &match->clock;
    int64_t took_ms = now_ms > match->turn_ms ? now_ms - match->turn_ms : 0;

    reserve_ply(match);
    match->revision++;
    match->turn_ms = now_ms;
    game->apply(&match->position, move);
    match->plies[match->ply_count++] =
        (struct ply){.move = move,
                     .took_ms = took_ms < UINT32_MAX ? (uint32_t)took_ms : UINT32_MAX,
                     .key = game->repetition_draws ? game->key(&match->position) : 0,
                     .note = {.eval = EVAL_NONE}};
    match->offers[OFFER_UNDO][WHITE] = match->offers[OFFER_UNDO][BLACK] = false;
    match->offers[OFFER_DRAW][!mover] = false;
    if (clock->base_ms == 0)
        return;
    clock_stop(clock, now_ms);
    clock->left_ms[mover] += clock->increment_ms;
    clock_run(clock, match->position.side, now_ms);
}

void match_play(struct match *match, struct move move, int64_t now_ms)
{
    match_play_on(match, move, now_ms);
    end_by_rules(match, now_ms);
}

void match_read_pv(const struct match *match, const char *text, struct ply_note *note)
{
    struct position position = match->position;
    char move[MOVE_TEXT_MAX];
    struct cause cause;

    note->pv_count = 0;
    while (note->pv_count < PV_MAX && *text != '\0') {
        size_t length = strcspn(text, ",");
        if (length >= sizeof move)
            return;
        memcpy(move, text, length);
        move[length] = '\0';
        if (!move_parse(match->game, &position, move, &note->pv[note->pv_count], &cause))
            return;
        match->game->apply(&position, note->pv[note->pv_count++]);
        text += length + (text[length] == ',');
    }
}

void match_annotate(struct match *draft, const struct ply_note *note)
{
    draft->plies[draft->ply_count - 1].note = *note;
}

const char *pv_text(const struct match *match, const struct ply_note *note, char between,
                    char text[PV_TEXT_MAX])
{
    size_t length = 0;

    text[0] = '\0';
    for (int i = 0; i < note->pv_count; i++) {
        if (i > 0)
            text[length++] = between;
        move_format(&match->start, note->pv[i], text + length);
        length += strlen(text + length);
    }
    return text;
}

bool match_has_notes(const struct match *match)
{
    for (int i = 0; i < match->ply_count; i++)
        if (match->plies[i].note.eval != EVAL_NONE || match->plies[i].note.pv_count > 0)
            return true;
    return false;
}

enum status match_play_text(struct match *match, unsigned seats, const char *text, long ply,
                            int64_t now_ms, struct cause *cause)
{
    struct move move;
    enum status status = match_read_move(match, seats, text, ply, now_ms, &move, cause);

    if (status == STATUS_OK)
        match_play(match, move, now_ms);
    return status;
}

/* Returns how many plies to take back so that the asker is to move again; 0: they have not moved.
 */
static int undo_plies(const struct match *match, unsigned seats)
{
    if (seats == SEATS_BOTH)
        return match->ply_count > 0 ? 1 : 0;
    int plies = seats & 1u << match->position.side ? 2 : 1;
    return plies <= match->ply_count ? plies : 0;
}

/* Takes plies back: their time stays spent, their increments are lost. */
static void take_back_move(struct match *match, int plies, int64_t now_ms)
{
    const struct game *game = match->game;
    struct position position = match->start;

    clock_stop(&match->clock, now_ms);
    match->ply_count -= plies;
    for (int i = 0; i < match->ply_count; i++)
        game->apply(&position, match->plies[i].move);
    match->position = position;
    for (int i = match->ply_count; i < match->ply_count + plies; i++) {
        clock_unreward(&match->clock, position.side);
        game->apply(&position, match->plies[i].move);
    }
    match->turn_ms = now_ms;
    memset(match->offers, 0, sizeof match->offers);
    if (match->clock.base_ms > 0 && match->ply_count > 0)
        clock_run(&match->clock, match->position.side, now_ms);
}

void match_charge(struct match *match, int64_t now_ms)
{
    if (!match->clock.runs)
        return;
    match->revision++;
    clock_stop(&match->clock, now_ms);
    clock_run(&match->clock, match->position.side, now_ms);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Moves a time on, up to `end_ms` at most, but never back. */
static int64_t later_of(int64_t at_ms, int64_t by_ms, int64_t end_ms)
{
    if (at_ms >= end_ms)
        return at_ms;
    return end_ms - at_ms > by_ms ? at_ms + by_ms : end_ms;
}

void match_forgive(struct match *match, struct pause pause)
{
    const struct pause last = match->forgiven;
    int64_t by_ms = pause.until_ms - pause.from_ms;

    if (by_ms <= 0 || pause.until_ms < last.from_ms)
        return;
    if (pause.from_ms <= last.until_ms) { /* they overlap */
        struct pause all = {least(pause.from_ms, last.from_ms),
                            most(pause.until_ms, last.until_ms)};
        by_ms = (all.until_ms - all.from_ms) - (last.until_ms - last.from_ms);
        pause = all;
    }
    match->turn_ms = later_of(match->turn_ms, by_ms, pause.until_ms);
    match->clock.since_ms = later_of(match->clock.since_ms, by_ms, pause.until_ms);
    match->forgiven = pause;
}

void match_repay(struct match *draft, const struct match *match, int64_t since_ms)
{
    struct ply *ply = &draft->plies[draft->ply_count - 1];
    enum color mover = match->position.side;
    int64_t begun_ms = match->turn_ms > since_ms ? match->turn_ms : since_ms;
    int64_t over_ms = draft->turn_ms - begun_ms; /* its turn began as the move came */
    int64_t charged_ms =
        match->clock.left_ms[mover] + draft->clock.increment_ms - draft->clock.left_ms[mover];

    if (over_ms <= 0)
        return;
    ply->took_ms -= over_ms < ply->took_ms ? (uint32_t)over_ms : ply->took_ms;
    if (match->clock.runs && charged_ms > 0)
        draft->clock.left_ms[mover] += over_ms < charged_ms ? over_ms : charged_ms;
}

void match_begin_turn(struct match *draft, const struct match *match, int64_t now_ms)
{
    if (draft->turn_ms == match->turn_ms || draft->status != MATCH_PLAYING)
        return;
    draft->turn_ms = now_ms;
    if (draft->clock.runs)
        draft->clock.since_ms = now_ms;
}

void match_resume(struct match *match, int64_t now_ms)
{
    match->turn_ms = now_ms;
    if (match->clock.base_ms > 0 && match->status == MATCH_PLAYING && match->ply_count > 0)
        clock_run(&match->clock, match->position.side, now_ms);
}

static enum status refuse_offer(struct cause *cause, const char *why)
{
    cause_set(cause, "%s", why);
    return STATUS_NOT_ALLOWED;
}

static enum status may_offer(const struct match *match, unsigned seats, enum offer what,
                             struct cause *cause)
{
    if (what != OFFER_REMATCH)
        return match_must_be_playing(match, seats);
    if (seats == SEATS_NONE)
        return STATUS_NOT_A_PLAYER;
    if (match->status == MATCH_OVER)
        return STATUS_OK;
    return refuse_offer(cause, "the match is still running: offer a rematch when it is over");
}

enum status match_offer(struct match *match, unsigned seats, enum offer what, int64_t now_ms,
                        bool *agreed, struct cause *cause)
{
    enum status status = may_offer(match, seats, what, cause);
    int own = seats == SEATS_BLACK ? BLACK : WHITE;
    bool accepts = seats == SEATS_BOTH || match->offers[what][!own];

    if (status != STATUS_OK)
        return status;
    if (!accepts && match->offers[what][own])
        return refuse_offer(cause, "already offered");
    unsigned asker = seats != SEATS_BOTH && accepts ? SEATS_BOTH ^ seats : seats;
    int plies = undo_plies(match, asker);
    if (what == OFFER_UNDO && plies == 0)
        return refuse_offer(cause, "nothing to take back: you have not moved");
    match->revision++;
    *agreed = accepts;
    match->offers[what][own] = !accepts;
    if (!accepts)
        return STATUS_OK;
    match->offers[what][!own] = false;
    if (what == OFFER_DRAW)
        match_end(match, (struct outcome){RESULT_DRAW, REASON_DRAW_AGREED}, now_ms);
    if (what == OFFER_UNDO)
        take_back_move(match, plies, now_ms);
    return STATUS_OK;
}

enum status match_refuse(struct match *match, unsigned seats, unsigned *refused)
{
    *refused = 0;
    if (seats == SEATS_NONE)
        return STATUS_NOT_A_PLAYER;
    for (int color = WHITE; color <= BLACK; color++) {
        if (seats & 1u << color)
            continue;
        for (int what = 0; what < OFFER_KINDS; what++) {
            if (!match->offers[what][color])
                continue;
            *refused |= 1u << what;
            match->revision++;
            match->offers[what][color] = false;
        }
    }
    return *refused != 0 ? STATUS_OK : STATUS_NOTHING_TO_ANSWER;
}

enum status match_resign(struct match *match, unsigned seats, int64_t now_ms)
{
    enum status status = match_must_be_playing(match, seats);
    enum color loser = match->position.side;

    if (status != STATUS_OK)
        return status;
    if (seats != SEATS_BOTH)
        loser = seats == SEATS_WHITE ? WHITE : BLACK;
    match_end(match, (struct outcome){result_win(!loser), REASON_RESIGN}, now_ms);
    return STATUS_OK;
}

enum status match_abort(struct match *match, int64_t now_ms, struct cause *cause)
{
    if (match->status == MATCH_OVER)
        return STATUS_MATCH_OVER;
    if (match_both_have_moved(match))
        return refuse_offer(cause, "both sides have moved: resign, or offer a draw");
    match_end(match, (struct outcome){RESULT_NONE, REASON_ABORTED}, now_ms);
    return STATUS_OK;
}

void match_reopen(struct match *match)
{
    assert(match->status == MATCH_PLAYING);
    match->revision++;
    match->status = MATCH_OPEN;
    match->position = match->start;
    match->ply_count = 0;
    match->clock = clock_fresh(&match->clock);
    memset(match->offers, 0, sizeof match->offers);
}

bool match_flag_is_down(const struct match *match, int64_t now_ms)
{
    return match->status == MATCH_PLAYING && clock_flag_ms(&match->clock) <= now_ms;
}

bool match_timeout(struct match *match, int64_t now_ms)
{
    if (!match_flag_is_down(match, now_ms))
        return false;
    match_end(match, (struct outcome){result_win(!match->clock.side), REASON_TIMEOUT}, now_ms);
    return true;
}

int match_offer_bits(const struct match *match)
{
    int bits = 0;

    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK; color++)
            bits |= match->offers[what][color] << (2 * what + color);
    return bits;
}

void match_set_offers(struct match *match, int bits)
{
    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK; color++)
            match->offers[what][color] = bits >> (2 * what + color) & 1;
}

const char *match_status_text(enum match_status status)
{
    static const char *const texts[] = {"open", "playing", "over"};

    return texts[status];
}

const char *offer_text(enum offer what)
{
    static const char *const texts[] = {"draw", "undo", "rematch"};

    return texts[what];
}
