#include "tournament_events.h"

#include "server/base/log.h"
#include "server/play/session.h"

/* Sends news to all who watch. Those who are slow to read ask for the standings anyway. */
static void send(const struct tournament *tournament, const struct tournament_news *news)
{
    const struct tournament_watch *watch;

    LIST_FOREACH (watch, &tournament->watches, by_tournament) {
        if (session_is_behind(watch->session))
            continue;
        struct wire wire = session_wire(watch->session, NULL);
        wire_tournament_news(&wire, tournament, news);
        session_send(watch->session, &wire);
    }
}

static void tell_status(const struct tournament *tournament)
{
    static const char *const words[] = {[TOURNAMENT_OPEN] = "opened",
                                        [TOURNAMENT_RUNNING] = "resumed",
                                        [TOURNAMENT_PAUSED] = "paused",
                                        [TOURNAMENT_OVER] = "over",
                                        [TOURNAMENT_ABORTED] = "aborted"};

    send(tournament, &(struct tournament_news){.what = words[tournament->status]});
}

static void tell_pairing(const struct tournament *tournament,
                         const struct tournament_change *change)
{
    const struct contest_pairing *pairing = &tournament->contest.pairings.rows[change->pairing];
    struct tournament_news news = {.what = "paired",
                                   .round = pairing->round,
                                   .pairing = pairing,
                                   .match = tournament->matches[change->pairing]};

    if (change->match != 0)
        send(tournament, &news);
    if (change->result == PAIRING_OPEN)
        return;
    news.what = "result";
    news.result = true;
    send(tournament, &news);
}

/* Tells of a round, and of its results that need no match. */
static void tell_round(const struct tournament *tournament, const struct pairing_list *pairings)
{
    if (tournament->plan.format != FORMAT_ARENA)
        send(tournament,
             &(struct tournament_news){.what = "round", .round = pairings->rows[0].round});
    for (int i = 0; i < pairings->count; i++) {
        const struct contest_pairing *pairing = &pairings->rows[i];
        if (pairing->result != PAIRING_OPEN)
            send(tournament, &(struct tournament_news){.what = "result",
                                                       .round = pairing->round,
                                                       .pairing = pairing,
                                                       .result = true});
    }
}

static void tell_entrant(const struct tournament_change *change)
{
    send(change->tournament,
         &(struct tournament_news){.what = change->kind == CHANGE_JOINED ? "joined" : "left",
                                   .player = change->entry.player->name});
}

void tournament_tell(const struct tournament_change *change)
{
    const struct tournament *tournament = change->tournament;

    switch (change->kind) {
    case CHANGE_OPENED:
        break;
    case CHANGE_JOINED:
    case CHANGE_LEFT:
        tell_entrant(change);
        return;
    case CHANGE_STARTED:
        send(tournament, &(struct tournament_news){.what = "started"});
        break;
    case CHANGE_STATUS:
        tell_status(tournament);
        break;
    case CHANGE_PAIRED:
        tell_round(tournament, &change->pairings);
        return;
    case CHANGE_PAIRING:
        tell_pairing(tournament, change);
        return;
    }
    log_line(LOG_INFO, "event=tournament tournament=%s status=%s format=%s players=%d",
             tournament->id, tournament_status_text(tournament->status),
             contest_format_text(tournament->plan.format), contest_active(&tournament->contest));
}
