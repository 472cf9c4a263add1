#include "verdict.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/buffer.h"
#include "course_results.h"

enum { LOG_TAIL_BYTES = 1000 };

/* Adds the end of what the bot has printed in this night. */
static void add_log_tail(const struct verdict *verdict, cJSON *object)
{
    char path[PATH_MAX], text[LOG_TAIL_BYTES + 1];
    long length = 0;

    snprintf(path, sizeof path, "%.4000s/logs/%d/%s.log", verdict->dir, verdict->night,
             verdict->bot);
    FILE *log = fopen(path, "re");
    if (log == NULL)
        return;
    if (fseek(log, -LOG_TAIL_BYTES, SEEK_END) != 0)
        rewind(log);
    length = (long)fread(text, 1, LOG_TAIL_BYTES, log);
    fclose(log);
    text[length] = '\0';
    for (char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        char *end = at + strcspn(at, "\n"), kept = *end;
        *end = '\0';
        utf8_clean(at);
        *end = kept;
    }
    cJSON_AddStringToObject(object, "log", text);
}

/* Whether there is a verdict of that kind about the same match in this night. */
static bool is_known(const char *path, const struct verdict *verdict, bool *known,
                     struct cause *cause)
{
    struct course_lines lines;
    cJSON *object;

    *known = false;
    course_lines_open(&lines, path);
    while ((object = course_lines_next(&lines)) != NULL) {
        *known = *known || (verdict->match != NULL &&
                            strcmp(json_text_or(object, "match", ""), verdict->match) == 0 &&
                            json_int_or(object, "night", 0) == verdict->night &&
                            strcmp(json_text_or(object, "bot", ""), verdict->bot) == 0 &&
                            strcmp(json_text_or(object, "verdict", ""), verdict->kind) == 0);
        cJSON_Delete(object);
    }
    return course_lines_close(&lines, cause);
}

bool verdict_drop_night(const char *dir, int night, struct cause *cause)
{
    struct course_lines lines;
    struct buffer kept = {.bytes = NULL};
    char path[PATH_MAX];
    cJSON *object;
    bool drops = false;

    snprintf(path, sizeof path, "%.4000s/results/verdicts.jsonl", dir);
    course_lines_open(&lines, path);
    while ((object = course_lines_next(&lines)) != NULL) {
        char *text = cJSON_PrintUnformatted(object);
        if (json_int_or(object, "night", 0) == night)
            drops = true;
        else
            buffer_printf(&kept, "%s\n", text);
        free(text);
        cJSON_Delete(object);
    }
    bool good = course_lines_close(&lines, cause);
    if (good && drops)
        good = course_write_file(path, &kept, cause);
    buffer_release(&kept);
    return good;
}

bool verdict_add(const struct verdict *verdict, struct cause *cause)
{
    char path[PATH_MAX];
    bool known;

    snprintf(path, sizeof path, "%.4000s/results/verdicts.jsonl", verdict->dir);
    if (!is_known(path, verdict, &known, cause))
        return false;
    if (known)
        return true;
    printf("night %d: %s: %s: %s\n", verdict->night, verdict->bot, verdict->kind, verdict->text);
    fflush(stdout);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "night", verdict->night);
    cJSON_AddStringToObject(object, "bot", verdict->bot);
    cJSON_AddItemToObject(object, "match",
                          verdict->match != NULL ? cJSON_CreateString(verdict->match)
                                                 : cJSON_CreateNull());
    cJSON_AddItemToObject(
        object, "ply", verdict->ply >= 0 ? cJSON_CreateNumber(verdict->ply) : cJSON_CreateNull());
    cJSON_AddStringToObject(object, "verdict", verdict->kind);
    cJSON_AddStringToObject(object, "text", verdict->text);
    cJSON_AddItemToObject(object, "position",
                          verdict->position != NULL ? cJSON_CreateString(verdict->position)
                                                    : cJSON_CreateNull());
    if (verdict->last != NULL)
        cJSON_AddItemToObject(object, "last", cJSON_Duplicate(verdict->last, true));
    add_log_tail(verdict, object);
    bool good = course_lines_add(path, object, cause);
    cJSON_Delete(object);
    return good;
}
