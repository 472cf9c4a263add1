#include "load_pairing.h"

#include <stdarg.h>

#include "common/game.h"
#include "common/rng.h"
#include "common/text.h"
#include "load_scan.h"

void load_fail(struct load *load, const char *format, ...)
{
    va_list args;

    if (load->failed)
        return;
    load->failed = true;
    load->result->errors++;
    va_start(args, format);
    vsnprintf(load->result->error, sizeof load->result->error, format, args);
    va_end(args);
}

void peer_fail(struct peer *peer, const char *what, const char *shown)
{
    load_fail(peer->pairing->load, "%s, match %s: %s%s%.900s",
              peer->name[0] != '\0' ? peer->name : "watcher",
              peer->pairing->bout->match[0] != '\0' ? peer->pairing->bout->match : "none", what,
              shown[0] != '\0' ? ": " : "", shown);
}

void peer_say(struct peer *peer, const char *verb, const char *rest)
{
    struct cause cause;

    if (!wire_send(peer->wire, &cause, "%s %s", verb, rest))
        peer_fail(peer, cause.text, "");
}

/* The steps of a match, in order. */

static bool may_go_on(const struct load *load)
{
    return !load->stopping &&
           (load->options->moves == 0 || load->moves_sent < load->options->moves);
}

static void rest(struct pairing *pairing)
{
    pairing->phase = RESTING;
    pairing->load->resting++;
}

/* How many peers are windows of the players; the others watch. */
static long windows_of(const struct pairing *pairing)
{
    return 2 * pairing->load->options->windows;
}

static void await_state(struct pairing *pairing, int ply)
{
    struct bout *bout = pairing->bout;

    bout->ply = ply;
    bout->over = false;
    bout->mover = NULL;
    pairing->players_awaited = windows_of(pairing);
    pairing->watchers_awaited = pairing->load->options->watchers;
    for (long i = 0; i < pairing->players_awaited + pairing->watchers_awaited; i++)
        pairing->peers[i].seen_ply = -1;
}

static void open_match(struct pairing *pairing)
{
    char rest_of_line[80];

    pairing->phase = OPENING;
    snprintf(rest_of_line, sizeof rest_of_line, "%s black=open", pairing->load->options->game);
    peer_say(&pairing->peers[WHITE], "new", rest_of_line);
}

static void start_match(struct pairing *pairing)
{
    pairing->phase = STARTING;
    await_state(pairing, 0);
    peer_say(&pairing->peers[BLACK], "join", pairing->bout->match);
}

/* The match has its id. Watchers leave the previous match first, because the server limits them. */
static void gather(struct pairing *pairing, struct span match)
{
    char before[MATCH_MAX_BYTES];
    long watchers = pairing->load->options->watchers;

    memcpy(before, pairing->bout->match, sizeof before);
    if (!span_copy(match, pairing->bout->match, sizeof pairing->bout->match)) {
        peer_fail(&pairing->peers[WHITE], "new was answered without a match", "");
        return;
    }
    pairing->phase = GATHERING;
    pairing->watchers_awaited = watchers;
    for (long i = windows_of(pairing); i < windows_of(pairing) + watchers; i++) {
        if (before[0] != '\0')
            peer_say(&pairing->peers[i], "leave", before);
        peer_say(&pairing->peers[i], "watch", pairing->bout->match);
    }
    if (watchers == 0)
        start_match(pairing);
}

/* Writes one player's questions into text[size] and returns their length in bytes. */
static size_t write_questions(const struct pairing *pairing, char *text, size_t size)
{
    const struct load_options *options = pairing->load->options;
    size_t length = 0;

    for (long i = 0; i < options->pipeline; i++)
        length += (size_t)snprintf(text + length, size - length,
                                   options->ask_state ? "#q state %s\n" : "#q ping\n",
                                   pairing->bout->match);
    return length;
}

/* Both players send their questions, and the mover moves without awaiting the answers. */
static bool send_round(struct pairing *pairing, int ply, struct cause *cause)
{
    char text[(PIPELINE_MAX + 2) * QUESTION_BYTES];
    struct peer *mover = pairing->bout->mover;
    struct peer *other = &pairing->peers[mover == pairing->peers ? BLACK : WHITE];
    size_t length = write_questions(pairing, text, sizeof text);

    if (length > 0 && !wire_send_bytes(other->wire, text, length, cause))
        return false;
    length += (size_t)snprintf(text + length, sizeof text - length, "move %s %s ply=%d\n",
                               pairing->bout->match, pairing->bout->move, ply);
    return wire_send_bytes(mover->wire, text, length, cause);
}

static void send_move(struct pairing *pairing)
{
    struct peer *mover = pairing->bout->mover;
    int ply = pairing->bout->ply;
    struct cause cause;

    if (mover == NULL) {
        peer_fail(&pairing->peers[WHITE], "nobody was told what is legal", "");
        return;
    }
    pairing->phase = PLAYING;
    pairing->load->moves_sent++;
    pairing->answers_awaited = 2 * pairing->load->options->pipeline;
    pairing->sent_ns = clock_ns();
    if (!send_round(pairing, ply, &cause))
        peer_fail(mover, cause.text, "");
    await_state(pairing, ply + 1);
}

static bool is_last_bout(const struct pairing *pairing)
{
    return pairing->bout == pairing->bouts + pairing->load->options->share - 1;
}

static void next_bout(struct pairing *pairing)
{
    pairing->bout = is_last_bout(pairing) ? pairing->bouts : pairing->bout + 1;
}

/* Before play: opens the next match, unless all are open. */
static void prepare(struct pairing *pairing)
{
    if (is_last_bout(pairing)) {
        pairing->phase = READY;
        pairing->load->ready++;
    } else {
        next_bout(pairing);
        open_match(pairing);
    }
}

/* Everyone at a match has its state. */
void pairing_go_on(struct pairing *pairing)
{
    struct load *load = pairing->load;

    if (!load->playing) {
        prepare(pairing);
        return;
    }
    if (pairing->bout->over)
        load->result->matches_over++;
    if (!may_go_on(load)) {
        rest(pairing);
    } else if (pairing->bout->over) {
        open_match(pairing);
    } else {
        next_bout(pairing);
        send_move(pairing);
    }
}

/* Lines from the server. */

static void pick_move(struct peer *peer, struct span legal)
{
    struct pairing *pairing = peer->pairing;
    int count = span_count(legal);

    pairing->bout->mover = peer;
    if (count == 0 || !span_copy(span_item(legal, rng_below(&pairing->rng, count)),
                                 pairing->bout->move, sizeof pairing->bout->move))
        peer_fail(peer, "there is no move in 'legal'", "");
}

/* Something awaited has arrived; it may have been the last. */
static void go_on_if_complete(struct pairing *pairing)
{
    if (pairing->players_awaited > 0 || pairing->watchers_awaited > 0 ||
        pairing->answers_awaited > 0)
        return;
    pairing->load->result->moves += pairing->phase == PLAYING;
    pairing_go_on(pairing);
}

static void count_state(struct peer *peer)
{
    struct pairing *pairing = peer->pairing;
    struct load_result *result = pairing->load->result;
    bool plays = peer < pairing->peers + windows_of(pairing), timed = pairing->phase == PLAYING;
    int64_t took_ns = pairing->load->crowd.heard_ns - pairing->sent_ns;
    long *awaited = plays ? &pairing->players_awaited : &pairing->watchers_awaited;

    if (--*awaited == 0 && timed)
        samples_add(plays ? &result->players : &result->watchers, took_ns);
    go_on_if_complete(pairing);
}

static void count_answer(struct pairing *pairing)
{
    if (pairing->phase != PLAYING || pairing->answers_awaited == 0) {
        peer_fail(pairing->peers, "an answer came to no question", "");
        return;
    }
    pairing->answers_awaited--;
    pairing->load->result->answers++;
    go_on_if_complete(pairing);
}

/* A state of the current match, after black has joined. */
static void hear_play(struct peer *peer, const struct message_fields *fields, const char *line)
{
    struct pairing *pairing = peer->pairing;
    long ply;

    if (span_is(fields->status, "open"))
        return;
    if (!number_parse(fields->ply.start, fields->ply.length, 0, 1000000, &ply)) {
        peer_fail(peer, "a state without a ply", line);
        return;
    }
    if (ply != pairing->bout->ply || peer->seen_ply == ply)
        return; /* sent again for another reason than a move */
    peer->seen_ply = (int)ply;
    pairing->bout->over = span_is(fields->status, "over");
    if (fields->legal.start != NULL && peer < pairing->peers + 2)
        pick_move(peer, fields->legal);
    count_state(peer);
}

static void hear_state(struct peer *peer, const struct message_fields *fields, const char *line)
{
    struct pairing *pairing = peer->pairing;

    if (!span_is(fields->match, pairing->bout->match) || fields->ply.start == NULL)
        return;
    if (pairing->phase == STARTING || pairing->phase == PLAYING)
        hear_play(peer, fields, line);
    else if (pairing->phase == GATHERING && peer >= pairing->peers + windows_of(pairing) &&
             --pairing->watchers_awaited == 0)
        start_match(pairing);
}

/* A window has its name: those that a player has beside the first one come with its token. */
static void name_windows(struct peer *peer, struct span token)
{
    struct pairing *pairing = peer->pairing;
    char rest[NAME_MAX_BYTES + MATCH_MAX_BYTES + 8], shown[MATCH_MAX_BYTES];

    if (--pairing->players_awaited == 0)
        open_match(pairing);
    if (peer >= pairing->peers + 2)
        return;
    if (!span_copy(token, shown, sizeof shown)) {
        peer_fail(peer, "hello was answered without a token", "");
        return;
    }
    snprintf(rest, sizeof rest, "%s token=%s", peer->name, shown);
    for (long i = 2; i < windows_of(pairing); i += 2) {
        struct peer *window = &peer[i];
        memcpy(window->name, peer->name, sizeof window->name);
        peer_say(window, "hello", rest);
    }
}

static void hear_ok(struct peer *peer, const struct message_fields *fields)
{
    struct pairing *pairing = peer->pairing;

    if (span_is(fields->cmd, "hello"))
        name_windows(peer, fields->token);
    else if (span_is(fields->cmd, "new"))
        gather(pairing, fields->match);
}

void peer_hear(struct peer *peer, const char *line)
{
    struct message_fields fields;

    if (!scan_message(line, &fields))
        peer_fail(peer, "this is no JSON object", line);
    else if (span_is(fields.type, "error") || span_is(fields.type, "bye"))
        peer_fail(peer, "the server says", line);
    else if (span_is(fields.id, "q"))
        count_answer(peer->pairing);
    else if (span_is(fields.type, "state"))
        hear_state(peer, &fields, line);
    else if (span_is(fields.type, "ok"))
        hear_ok(peer, &fields);
    else if (span_is(fields.type, "ping"))
        peer_say(peer, "ping", "");
}
