/* The reply to `review`. */
#include <stdio.h>
#include <string.h>

#include "wire.h"

/* Writes a ply for people. */
static void write_ply_text(struct buffer *text, const char *line)
{
    char move[MOVE_TEXT_MAX] = "", best[MOVE_TEXT_MAX] = "";
    int ply, eval, chance, used = 0;

    if (sscanf(line, "{\"ply\":%d,\"move\":\"%7[^\"]\",\"eval_cp\":%d,\"chance\":%d,%n", &ply, move,
               &eval, &chance, &used) < 4 ||
        used == 0)
        return; /* the end has no move */
    const char *mark = strstr(line, "\"mark\":\"?\"") != NULL    ? "?"
                       : strstr(line, "\"mark\":\"??\"") != NULL ? "\?\?"
                                                                 : "";
    buffer_printf(text, "%4d. %-6s %3d%% %-2s", ply + 1, move, chance, mark);
    if (*mark != '\0' && sscanf(line + used, "\"best\":\"%7[^\"]\"", best) == 1)
        buffer_printf(text, " better: %s", best);
    buffer_puts(text,
                strstr(line, "\"last_win\":true") != NULL ? ", the last moment to win\n" : "\n");
}

void wire_review(const struct wire *wire, const struct table *table, char *const lines[], int count)
{
    const struct match *match = &table->match;
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    if (wire->text) {
        buffer_printf(wire->out, "match %s, %s %s: white's chance to win before each move\n",
                      table->id, match->game->name, variant);
        for (int i = 0; i < count; i++)
            write_ply_text(wire->out, lines[i]);
        return;
    }
    struct buffer *json = wire_begin(wire, "review");
    wire_game(json, table->id, match->game, variant);
    json_open(json, "plies", '[');
    for (int i = 0; i < count; i++)
        buffer_printf(json, "%s%s", i > 0 ? "," : "", lines[i]);
    json_close(json, ']');
    wire_end(wire);
}
