#include "table_pgn.h"

#include <math.h>
#include <stdlib.h>

#include "common/move.h"
#include "common/pgn.h"
#include "common/xmalloc.h"
#include "server/wire/wire.h"

/* Writes the player's judgement of a move. */
static void write_note(const struct match *match, int ply, char text[PGN_SAID_MAX])
{
    const struct ply_note *note = &match->plies[ply].note;
    enum color color = (match->start.side + ply) % 2 == BLACK ? BLACK : WHITE;
    char pv[PV_TEXT_MAX];
    int eval = note->eval;

    pgn_said(text, eval != EVAL_NONE ? &eval : NULL, color, pv_text(match, note, ' ', pv));
}

char *table_pgn(const struct table *stored)
{
    const struct match *match = &stored->match;
    struct move_text *moves = xcalloc((size_t)match->ply_count, sizeof *moves);
    int64_t *times_ms = xcalloc((size_t)match->ply_count, sizeof *times_ms);
    const char **notes = xcalloc((size_t)match->ply_count, sizeof *notes);
    char(*said)[PGN_SAID_MAX] = xcalloc((size_t)match->ply_count, sizeof *said);
    const struct wire_date date = wire_date_text(stored->date);

    for (int i = 0; i < match->ply_count; i++) {
        move_format(&match->start, match->plies[i].move, moves[i].text);
        times_ms[i] = match->plies[i].took_ms;
        write_note(match, i, said[i]);
        notes[i] = said[i];
    }
    const struct pgn_match pgn = {
        .game = match->game,
        .start = match->start,
        .match = stored->id,
        .date = date.text,
        .white = seat_name(&stored->seats[WHITE]),
        .black = seat_name(&stored->seats[BLACK]),
        .ratings = {(int)lround(stored->rated[WHITE]), (int)lround(stored->rated[BLACK])},
        .base_ms = match->clock.base_ms,
        .increment_ms = match->clock.increment_ms,
        .casual = stored->casual,
        .plies = match->ply_count,
        .moves = moves,
        .notes = notes,
        .times_ms = times_ms,
        .outcome = match->outcome};
    char *text = pgn_write(&pgn, true);
    free(moves);
    free(times_ms);
    free(notes);
    free(said);
    return text;
}
