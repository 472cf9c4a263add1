#include "save.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/model/record.h"
#include "client/screen/stage/edit.h"
#include "client/talk/client_request.h"

static bool write_text(const char *path, const char *mode, const char *text)
{
    FILE *file = fopen(path, mode);

    if (file == NULL)
        return false;
    bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

/* Writes the file, after a question if there is one of that name. False with errno, which is 0 when
 * the player does not want it. */
static bool keep(struct stage *stage, const char *path, const char *text)
{
    char question[NOTICE_MAX];

    if (write_text(path, "wxe", text))
        return true;
    if (errno != EEXIST)
        return false;
    snprintf(question, sizeof question, "%.200s exists. Replace it?", path);
    if (stage_confirm(stage, question))
        return write_text(path, "we", text);
    errno = 0;
    return false;
}

static void tell_saved(struct stage *stage, const char *path)
{
    char whole[PATH_MAX];
    bool fits = realpath(path, whole) != NULL && strlen(whole) < NOTICE_MAX - 16;

    stage_notice(stage, "Saved as %.240s", fits ? whole : path);
}

void save_pgn(struct stage *stage, const char *match, const char *suffix, const char *text)
{
    struct edit edit = {""};

    snprintf(edit.text, sizeof edit.text, "ludus%s%s%s.pgn", match_id_is_valid(match) ? "-" : "",
             match_id_is_valid(match) ? match : "", suffix);
    if (!edit_ask(stage, "Save as which file? (PGN, for `ludus replay` and other programs)",
                  &edit) ||
        edit.text[0] == '\0')
        return;
    if (keep(stage, edit.text, text))
        tell_saved(stage, edit.text);
    else
        stage_notice(stage, "Not saved%s%s", errno != 0 ? ": " : ".",
                     errno != 0 ? strerror(errno) : "");
}

void save_match(struct stage *stage)
{
    char match[MATCH_ID_MAX];
    struct cause cause;

    memcpy(match, stage->client->view.match, sizeof match);
    cJSON *reply = client_ask(stage->client, "record %s", match);
    char *text = reply != NULL ? record_pgn(reply, true, &cause) : NULL;
    if (text != NULL)
        save_pgn(stage, match, "", text);
    else if (reply != NULL)
        stage_notice(stage, "Not saved: %s", cause.text);
    free(text);
    cJSON_Delete(reply);
}
