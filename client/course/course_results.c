#include "course_results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/link/identity.h"
#include "client/link/json_read.h"
#include "common/xmalloc.h"
#include "course_folder.h"

const char *const course_verdicts[COURSE_VERDICTS] = {
    "no-start", "time", "crash", "memory", "output", "disk", "processes", "illegal",
};

enum { PIECE = 65536, LINE_SHOWN = 80 };

/* How a file was read. */
enum reading { READ_WELL, READ_NONE, READ_BADLY };

bool course_read_file(const char *path, struct buffer *text)
{
    FILE *file = fopen(path, "rb");
    size_t length;

    if (file == NULL)
        return false;
    do {
        length = fread(buffer_room(text, PIECE), 1, PIECE, file);
        text->length += length;
    } while (length > 0);
    bool good = ferror(file) == 0;
    return fclose(file) == 0 && good;
}

bool course_write_file(const char *path, const struct buffer *text, struct cause *cause)
{
    struct safe_file file;
    bool good = safe_file_open(&file, path);

    if (good && text->length > 0)
        fwrite(text->bytes, 1, text->length, file.draft);
    return (good && safe_file_keep(&file)) || cause_set(cause, "%s: %s", path, strerror(errno));
}

/* Reads a file with one JSON object. */
static enum reading read_object(const char *path, cJSON **object, struct cause *cause)
{
    struct buffer text = {.bytes = NULL};
    bool good = course_read_file(path, &text);
    bool none = !good && errno == ENOENT;

    *object = good ? cJSON_ParseWithLength(text.bytes, text.length) : NULL;
    buffer_release(&text);
    if (cJSON_IsObject(*object))
        return READ_WELL;
    if (none)
        return READ_NONE;
    cause_set(cause, "%s: %s", path, good ? "is no JSON object" : strerror(errno));
    return READ_BADLY;
}

void course_lines_open(struct course_lines *lines, const char *path)
{
    *lines = (struct course_lines){.good = true};
    snprintf(lines->path, sizeof lines->path, "%s", path);
    if (course_read_file(path, &lines->text) || errno == ENOENT)
        return;
    lines->good = cause_set(&lines->cause, "%s: %s", path, strerror(errno));
}

cJSON *course_lines_next(struct course_lines *lines)
{
    const char *line = lines->text.bytes + lines->taken;
    size_t rest = lines->text.length - lines->taken;
    const char *end = lines->good && rest > 0 ? memchr(line, '\n', rest) : NULL;

    if (end == NULL)
        return NULL;
    lines->number++;
    lines->taken += (size_t)(end - line) + 1;
    cJSON *object = cJSON_ParseWithLength(line, (size_t)(end - line));
    if (cJSON_IsObject(object))
        return object;
    cJSON_Delete(object);
    lines->good = cause_set(&lines->cause, "%s: line %d is no JSON object: %.*s", lines->path,
                            lines->number, LINE_SHOWN, line);
    return NULL;
}

bool course_lines_close(struct course_lines *lines, struct cause *cause)
{
    buffer_release(&lines->text);
    return lines->good || cause_set(cause, "%s", lines->cause.text);
}

bool course_lines_cut(const char *path, struct cause *cause)
{
    struct buffer text = {.bytes = NULL};

    if (access(path, F_OK) != 0 || !course_read_file(path, &text))
        return true;
    size_t whole = text.length;
    while (whole > 0 && text.bytes[whole - 1] != '\n')
        whole--;
    bool good = whole == text.length || truncate(path, (off_t)whole) == 0 ||
                cause_set(cause, "%.150s: %s", path, strerror(errno));
    buffer_release(&text);
    return good;
}

bool course_lines_add(const char *path, const cJSON *object, struct cause *cause)
{
    char *text = cJSON_PrintUnformatted(object);
    struct buffer line = {.bytes = NULL};

    buffer_printf(&line, "%s\n", text);
    cJSON_free(text);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    off_t before = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    bool good = before >= 0 && write(fd, line.bytes, line.length) == (ssize_t)line.length;
    good = good || cause_set(cause, "%.150s: %s", path, strerror(errno));
    if (!good && before >= 0 && ftruncate(fd, before) != 0) /* half a line would spoil the next */
        cause_set(cause, "%.150s: half a line is written, and stays", path);
    if (fd >= 0)
        close(fd);
    buffer_release(&line);
    return good;
}

static bool read_lines(const char *path, cJSON *array, struct cause *cause)
{
    struct course_lines lines;
    cJSON *object;

    course_lines_open(&lines, path);
    while ((object = course_lines_next(&lines)) != NULL)
        cJSON_AddItemToArray(array, object);
    return course_lines_close(&lines, cause);
}

static bool read_nights(struct course_results *results, const char *dir, struct cause *cause)
{
    char path[PATH_MAX];
    enum reading read = READ_WELL;

    while (read == READ_WELL && results->night_count < COURSE_NIGHTS_MAX) {
        snprintf(path, sizeof path, "%s/results/%d.json", dir, results->night_count + 1);
        read = read_object(path, &results->nights[results->night_count], cause);
        results->night_count += read == READ_WELL;
    }
    return read != READ_BADLY;
}

/* The title of course.conf; a folder of results alone has the usual one. */
static void read_title(struct course_results *results, const char *dir)
{
    struct course_folder *course = xcalloc(1, sizeof *course);
    struct cause ignored;

    bool good = course_read(course, dir, &ignored);
    snprintf(results->title, sizeof results->title, "%s",
             good ? course->title : "A course of bots");
    free(course);
}

static struct course_student *find_student(const struct course_results *results, const char *name)
{
    for (int i = 0; i < results->student_count; i++)
        if (strcmp(results->students[i].name, name) == 0)
            return &results->students[i];
    return NULL;
}

static struct course_student *add_student(struct course_results *results, const char *name)
{
    struct course_student *known = find_student(results, name);

    if (known != NULL)
        return known;
    results->students = xrealloc(results->students,
                                 (size_t)(results->student_count + 1) * sizeof *results->students);
    known = &results->students[results->student_count++];
    *known = (struct course_student){.name = name};
    return known;
}

/* A key is the name of a file: hexadecimal digits, enough that nobody guesses it. */
static bool is_key(const char *word)
{
    enum { DIGITS_LEAST = 32 };
    size_t length = strlen(word);

    return length >= DIGITS_LEAST && length < COURSE_KEY_MAX &&
           strspn(word, "0123456789abcdef") == length;
}

static bool read_keys(struct course_results *results, const char *dir, struct cause *cause)
{
    struct buffer text = {.bytes = NULL};
    char path[PATH_MAX];
    bool good = true;

    snprintf(path, sizeof path, "%s/keys", dir);
    course_read_file(path, &text);
    buffer_add(&text, "", 1);
    for (char *line = text.bytes; good && line != NULL;) {
        char *end = strchr(line, '\n'), *rest = line;
        if (end != NULL)
            *end = '\0';
        const char *name = text_line_word(&rest), *key = text_line_word(&rest);
        struct course_student *student = find_student(results, name);
        if (name[0] != '\0' && !is_key(key))
            good = cause_set(cause, "%s: the key of %.40s is not 32 to 64 hexadecimal digits", path,
                             name);
        else if (student != NULL)
            snprintf(student->key, sizeof student->key, "%s", key);
        line = end != NULL ? end + 1 : NULL;
    }
    buffer_release(&text);
    return good;
}

static int half_points(const cJSON *player)
{
    const cJSON *score = json_member(player, "score");

    return cJSON_IsNumber(score) ? (int)lround(2 * fmin(fmax(score->valuedouble, 0), 1e6)) : 0;
}

static void add_night(struct course_results *results, const cJSON *night)
{
    const cJSON *player, *round, *pairing;

    cJSON_ArrayForEach (player, json_member(night, "players")) {
        const char *name = json_text(player, "name");
        if (name != NULL)
            add_student(results, name)->points2 += half_points(player);
    }
    cJSON_ArrayForEach (round, json_member(night, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings"))
            for (int white = 0; white < 2 && json_text(pairing, "match") != NULL; white++) {
                struct course_student *student =
                    find_student(results, json_text_or(pairing, white ? "white" : "black", ""));
                const char *result = json_text_or(pairing, "result", "*");
                if (student == NULL || result[0] == '*')
                    continue;
                int points2 = course_points2(result, white);
                student->matches++;
                student->wins += points2 == 2;
                student->draws += points2 == 1;
                student->losses += points2 == 0;
            }
}

static void add_performances(struct course_results *results)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, json_member(results->series, "players")) {
        struct course_student *student = find_student(results, json_text_or(player, "name", ""));
        if (student != NULL)
            student->rated = json_int(player, "performance", &student->performance) &&
                             json_int(player, "performance_error", &student->performance_error);
    }
}

static void count_verdicts(struct course_results *results)
{
    const cJSON *verdict;

    cJSON_ArrayForEach (verdict, results->verdicts) {
        struct course_student *student = find_student(results, json_text_or(verdict, "bot", ""));
        if (student == NULL)
            continue;
        student->verdict_count++;
        for (int kind = 0; kind < COURSE_VERDICTS; kind++)
            student->verdicts[kind] +=
                strcmp(json_text_or(verdict, "verdict", ""), course_verdicts[kind]) == 0;
    }
}

static int compare_students(const void *left, const void *right)
{
    const struct course_student *a = left, *b = right;

    if (a->points2 != b->points2)
        return b->points2 - a->points2;
    if (a->rated != b->rated)
        return a->rated ? -1 : 1;
    if (a->performance != b->performance)
        return b->performance - a->performance;
    return strcmp(a->name, b->name);
}

bool course_results_read(struct course_results *results, const char *dir, struct cause *cause)
{
    char path[PATH_MAX];

    *results =
        (struct course_results){.matches = cJSON_CreateArray(), .verdicts = cJSON_CreateArray()};
    read_title(results, dir);
    if (!read_nights(results, dir, cause))
        return false;
    if (results->night_count == 0)
        return cause_set(cause, "%s/results/1.json: no night is over yet", dir);
    snprintf(path, sizeof path, "%s/results/series.json", dir);
    if (read_object(path, &results->series, cause) == READ_BADLY)
        return false;
    snprintf(path, sizeof path, "%s/results/matches.jsonl", dir);
    if (!read_lines(path, results->matches, cause))
        return false;
    snprintf(path, sizeof path, "%s/results/verdicts.jsonl", dir);
    if (!read_lines(path, results->verdicts, cause))
        return false;
    for (int night = 0; night < results->night_count; night++)
        add_night(results, results->nights[night]);
    add_performances(results);
    count_verdicts(results);
    qsort(results->students, (size_t)results->student_count, sizeof *results->students,
          compare_students);
    return read_keys(results, dir, cause);
}

void course_results_release(struct course_results *results)
{
    for (int night = 0; night < results->night_count; night++)
        cJSON_Delete(results->nights[night]);
    cJSON_Delete(results->series);
    cJSON_Delete(results->matches);
    cJSON_Delete(results->verdicts);
    free(results->students);
}

int course_points2(const char *result, bool white)
{
    if (strcmp(result, "1/2-1/2") == 0)
        return 1;
    return strcmp(result, white ? "1-0" : "0-1") == 0 ? 2 : 0;
}

int course_night_points2(const struct course_results *results, int night, const char *name)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, json_member(results->nights[night], "players"))
        if (strcmp(json_text_or(player, "name", ""), name) == 0)
            return half_points(player);
    return -1;
}

const cJSON *course_match(const struct course_results *results, const char *match)
{
    const cJSON *record;

    cJSON_ArrayForEach (record, results->matches)
        if (strcmp(json_text_or(record, "match", ""), match) == 0)
            return record;
    return NULL;
}

/* Adds the half points of a pairing to those of its students, by the record of its match where
 * there is one: a match that ended before the first move has none. */
static void add_pairing(const struct course_results *results, const cJSON *pairing, int *points2)
{
    const char *match = json_text(pairing, "match");
    const cJSON *record = match != NULL ? course_match(results, match) : NULL;
    const cJSON *told = record != NULL ? record : pairing;

    for (int white = 0; white < 2; white++) {
        const struct course_student *student =
            find_student(results, json_text_or(told, white ? "white" : "black", ""));
        if (student != NULL)
            points2[student - results->students] +=
                course_points2(json_text_or(told, "result", "*"), white);
    }
}

/* How often a match stands among the pairings of a night. */
static int count_paired(const cJSON *night, const char *match)
{
    const cJSON *round, *pairing;
    int count = 0;

    cJSON_ArrayForEach (round, json_member(night, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings"))
            count += strcmp(json_text_or(pairing, "match", ""), match) == 0;
    return count;
}

static bool audit_night(const struct course_results *results, int number, struct cause *cause)
{
    const cJSON *night = results->nights[number - 1], *round, *pairing;
    int *points2 = xcalloc((size_t)results->student_count + 1, sizeof *points2), pairings = 0;
    bool good = true;

    cJSON_ArrayForEach (round, json_member(night, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings")) {
            add_pairing(results, pairing, points2);
            pairings++;
        }
    if (pairings != json_int_or(night, "total_pairings", pairings))
        good = cause_set(cause, "night %d: its file has %d of %d pairings", number, pairings,
                         json_int_or(night, "total_pairings", 0));
    for (int i = 0; good && i < results->student_count; i++) {
        const char *name = results->students[i].name;
        int told2 = course_night_points2(results, number - 1, name);
        if ((told2 < 0 ? 0 : told2) != points2[i])
            good =
                cause_set(cause, "night %d: %.40s has %.1f points, but their matches come to %.1f",
                          number, name, told2 / 2.0, points2[i] / 2.0);
    }
    free(points2);
    return good;
}

bool course_results_audit(const struct course_results *results, struct cause *cause)
{
    const cJSON *record;

    for (int number = 1; number <= results->night_count; number++)
        if (strcmp(json_text_or(results->nights[number - 1], "status", ""), "aborted") != 0 &&
            !audit_night(results, number, cause))
            return false;
    cJSON_ArrayForEach (record, results->matches) {
        const char *match = json_text_or(record, "match", "?");
        int night = json_int_or(record, "night", 0);
        if (course_match(results, match) != record)
            return cause_set(cause, "match %.40s is recorded twice", match);
        if (night >= 1 && night <= results->night_count &&
            count_paired(results->nights[night - 1], match) != 1)
            return cause_set(cause, "match %.40s is not one of night %d", match, night);
    }
    return true;
}
