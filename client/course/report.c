#include "course_actions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/link/json_read.h"
#include "common/game.h"
#include "common/xmalloc.h"
#include "file_tree.h"
#include "report_html.h"

enum {
    PATH_MAX_BYTES = 4096,
    LOG_SHOWN = 1 << 20, /* bytes of a log, its last ones */
    MATCH_NAME_MAX = 64
};

struct report {
    struct course_results results;
    const char *dir;
    char folder[PATH_MAX_BYTES]; /* where the pages are written, until they replace the old ones */
    struct cause *cause;
};

/* Files. */

static bool make_folder(struct report *report, const char *path)
{
    return mkdir(path, 0755) == 0 || cause_set(report->cause, "%s: %s", path, strerror(errno));
}

/* Writes a file of the report, and empties the page. */
static bool write_file(struct report *report, const char *name, struct buffer *page)
{
    char path[PATH_MAX_BYTES + MATCH_NAME_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", report->folder, name);
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(page->bytes, 1, page->length, file) == page->length;
    if (file != NULL && fclose(file) != 0)
        good = false;
    page->length = 0;
    return good || cause_set(report->cause, "%s: %s", path, strerror(errno));
}

/* Names become parts of paths: those of players and matches have none of these letters. */
static bool fits_path(const char *name)
{
    size_t length = strlen(name);

    return length > 0 && length < MATCH_NAME_MAX && name[0] != '.' && strchr(name, '/') == NULL &&
           utf8_is_clean(name, length);
}

/* Matches. */

/* Whether a match can be shown: its record is whole. */
static bool is_shown(const cJSON *record)
{
    int moves = cJSON_GetArraySize(json_member(record, "moves"));

    return record != NULL && fits_path(json_text_or(record, "match", "")) &&
           json_text(record, "white") != NULL && json_text(record, "black") != NULL &&
           cJSON_GetArraySize(json_member(record, "positions")) == moves + 1;
}

static const char *game_title(const char *name)
{
    const struct game *game = game_find(name, strlen(name));

    return game != NULL ? game->title : name;
}

/* Adds what the page shows of a match as JSON that cannot end the element it stands in. */
static void add_record(struct buffer *page, const cJSON *record)
{
    static const char *const members[] = {"match",     "game",     "variant", "moves",
                                          "positions", "white",    "black",   "result",
                                          "reason",    "times_ms", "random"};
    cJSON *shown = cJSON_CreateObject();

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (json_member(record, members[i]) != NULL)
            cJSON_AddItemToObject(shown, members[i],
                                  cJSON_Duplicate(json_member(record, members[i]), true));
    cJSON_AddStringToObject(shown, "title", game_title(json_text_or(record, "game", "")));
    char *text = cJSON_PrintUnformatted(shown);
    for (const char *at = text; *at != '\0'; at++)
        if (*at == '<')
            buffer_puts(page, "\\u003c");
        else
            buffer_add(page, at, 1);
    cJSON_free(text);
    cJSON_Delete(shown);
}

/* Adds the moves for those who have no scripts, and for paper. */
static void add_moves(struct buffer *page, const cJSON *record)
{
    const cJSON *move;
    int ply = 0;

    buffer_puts(page, "<p class=\"plain\">");
    cJSON_ArrayForEach (move, json_member(record, "moves")) {
        if (ply++ % 2 == 0)
            buffer_printf(page, "%s%d. ", ply > 1 ? " " : "", ply / 2 + 1);
        else
            buffer_puts(page, " ");
        html_text(page, cJSON_IsString(move) ? move->valuestring : "?");
    }
    buffer_puts(page, "</p>\n");
}

static bool write_match(struct report *report, const cJSON *record)
{
    const char *white = json_text_or(record, "white", ""),
               *black = json_text_or(record, "black", "");
    struct buffer page = {.bytes = NULL};
    char title[256], name[MATCH_NAME_MAX + 16];

    snprintf(title, sizeof title, "%.80s – %.80s, night %d", white, black,
             json_int_or(record, "night", 0));
    html_begin(&page, title, "../", false);
    buffer_puts(&page, "<header class=\"report\"><a href=\"../index.html\">");
    html_text(&page, report->results.title);
    buffer_puts(&page, "</a><h1>");
    html_text(&page, title);
    buffer_puts(&page, ": ");
    html_text(&page, json_text_or(record, "result", "*"));
    buffer_puts(&page,
                "</h1></header>\n<main data-page=\"m\">\n<div class=\"match\" id=\"match\">");
    add_moves(&page, record);
    buffer_puts(&page, "</div>\n<script type=\"application/json\" id=\"record\">");
    add_record(&page, record);
    buffer_puts(&page, "</script>\n<script defer src=\"../board.js\"></script>\n</main>\n");
    html_end(&page);
    snprintf(name, sizeof name, "match/%s.html", json_text_or(record, "match", ""));
    bool good = write_file(report, name, &page);
    buffer_release(&page);
    return good;
}

static bool write_matches(struct report *report)
{
    char path[PATH_MAX_BYTES + 8];
    const cJSON *record;

    snprintf(path, sizeof path, "%s/match", report->folder);
    if (!make_folder(report, path))
        return false;
    cJSON_ArrayForEach (record, report->results.matches)
        if (is_shown(record) && !write_match(report, record))
            return false;
    return true;
}

/* Adds the way to a match, at a ply unless it is 0. */
static void add_link(struct buffer *page, const cJSON *record, int ply)
{
    buffer_puts(page, "<a href=\"match/");
    html_text(page, json_text_or(record, "match", ""));
    buffer_puts(page, ".html");
    if (ply > 0)
        buffer_printf(page, "#%d", ply);
    buffer_puts(page, "\">");
}

/* The tables that everybody sees. */

/* The words by which verdicts are counted and told. */
static const char *const verdict_words[COURSE_VERDICTS] = {
    "did not start", "time", "crash", "memory", "output", "disk", "processes", "illegal moves",
};

static void add_performance(struct buffer *page, const struct course_student *student, int least,
                            int most)
{
    if (!student->rated) {
        buffer_puts(page, "<td>–</td>");
        return;
    }
    buffer_printf(page, "<td class=\"rating\">%d ± %d ", student->performance,
                  student->performance_error);
    html_error_bar(page, student, least, most);
    buffer_puts(page, "</td>");
}

static void add_verdict_counts(struct buffer *page, const struct course_student *student)
{
    int known = 0;

    buffer_puts(page, "<td class=\"words\">");
    for (int kind = 0; kind < COURSE_VERDICTS; kind++) {
        if (student->verdicts[kind] > 0)
            buffer_printf(page, "%s%d × %s", known > 0 ? ", " : "", student->verdicts[kind],
                          verdict_words[kind]);
        known += student->verdicts[kind];
    }
    if (student->verdict_count > known)
        buffer_printf(page, "%s%d × other", known > 0 ? ", " : "", student->verdict_count - known);
    buffer_puts(page, student->verdict_count > 0 ? "</td>" : "–</td>");
}

/* The scale on which all performances with their errors lie. */
static void find_scale(const struct course_results *results, int *least, int *most)
{
    bool any = false;

    *least = *most = 0;
    for (int i = 0; i < results->student_count; i++) {
        const struct course_student *student = &results->students[i];
        int low = student->performance - student->performance_error;
        int high = student->performance + student->performance_error;
        if (!student->rated)
            continue;
        *least = !any || low < *least ? low : *least;
        *most = !any || high > *most ? high : *most;
        any = true;
    }
}

/* Students with as many points share a rank. */
static int rank_of(const struct course_results *results, int student)
{
    while (student > 0 &&
           results->students[student - 1].points2 == results->students[student].points2)
        student--;
    return student + 1;
}

static void add_table(struct buffer *page, const struct course_results *results)
{
    int least, most;

    find_scale(results, &least, &most);
    buffer_puts(
        page,
        "<div class=\"wide\"><table id=\"table\"><caption>Table</caption><thead><tr><th>#</th>"
        "<th>Name</th>");
    for (int night = 1; night <= results->night_count; night++)
        buffer_printf(page, "<th>Night %d</th>", night);
    buffer_puts(page, "<th>Points</th><th>Matches</th><th>Won</th><th>Drawn</th><th>Lost</th>"
                      "<th>Rating</th><th>Verdicts</th></tr></thead><tbody>\n");
    for (int i = 0; i < results->student_count; i++) {
        const struct course_student *student = &results->students[i];
        buffer_printf(page, "<tr><td>%d</td><th scope=\"row\">", rank_of(results, i));
        html_text(page, student->name);
        buffer_puts(page, "</th>");
        for (int night = 0; night < results->night_count; night++) {
            int points2 = course_night_points2(results, night, student->name);
            buffer_puts(page, "<td>");
            if (points2 < 0)
                buffer_puts(page, "–");
            else
                html_points(page, points2);
            buffer_puts(page, "</td>");
        }
        buffer_puts(page, "<td><strong>");
        html_points(page, student->points2);
        buffer_printf(page, "</strong></td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>",
                      student->matches, student->wins, student->draws, student->losses);
        add_performance(page, student, least, most);
        add_verdict_counts(page, student);
        buffer_puts(page, "</tr>\n");
    }
    buffer_puts(
        page,
        "</tbody></table></div>\n<p class=\"note\">Points count byes and walkovers, which are no "
        "matches. "
        "Rating: the performance over all nights, which is the average rating of the opponents and "
        "what "
        "the share of points adds to it on the logistic curve (Elo’s model), 800 at most; ± is the "
        "95 % "
        "interval of that share (Agresti and Coull), with the opponents’ ratings held for exact. "
        "Of two "
        "students whose ratings are further apart than the root of the sum of the squares of their "
        "errors, the one is better with 95 %. <a href=\"marks.csv\">The table as CSV</a></p>\n");
}

/* The results of a row of the cross table, by column. */
static void find_cells(const struct report *report, const cJSON *night, const char *name,
                       struct buffer *cells)
{
    const cJSON *players = json_member(night, "players"), *round, *pairing, *player;

    cJSON_ArrayForEach (round, json_member(night, "rounds"))
        cJSON_ArrayForEach (pairing, json_member(round, "pairings")) {
            const char *sides[] = {json_text_or(pairing, "black", ""),
                                   json_text_or(pairing, "white", "")};
            bool white = strcmp(sides[1], name) == 0;
            if (!white && strcmp(sides[0], name) != 0)
                continue;
            int column = 0;
            cJSON_ArrayForEach (player, players) {
                if (strcmp(json_text_or(player, "name", ""), sides[!white]) == 0)
                    break;
                column++;
            }
            struct buffer *cell = &cells[column]; /* the last one: nobody, a bye */
            const char *match = json_text(pairing, "match"),
                       *result = json_text_or(pairing, "result", "*");
            const cJSON *record = match != NULL ? course_match(&report->results, match) : NULL;
            if (cell->length > 0)
                buffer_puts(cell, " ");
            if (is_shown(record))
                add_link(cell, record, 0);
            if (result[0] == '*')
                buffer_puts(cell, "*");
            else if (match == NULL && column < cJSON_GetArraySize(players))
                buffer_puts(cell, course_points2(result, white) == 2 ? "+" : "−");
            else
                html_points(cell, course_points2(result, white));
            buffer_puts(cell, is_shown(record) ? "</a>" : "");
        }
}

static void add_cross_row(struct buffer *page, const struct report *report, const cJSON *night,
                          const cJSON *player, int row, struct buffer *cells)
{
    int count = cJSON_GetArraySize(json_member(night, "players"));
    const cJSON *score = json_member(player, "score");

    for (int i = 0; i <= count; i++)
        cells[i].length = 0;
    find_cells(report, night, json_text_or(player, "name", ""), cells);
    buffer_printf(page, "<tr><td>%d</td><th scope=\"row\">", row + 1);
    html_text(page, json_text_or(player, "name", ""));
    buffer_puts(page, "</th>");
    for (int i = 0; i <= count; i++) {
        buffer_puts(page, i == row ? "<td class=\"self\">" : "<td>");
        buffer_add(page, cells[i].length > 0 ? cells[i].bytes : "", cells[i].length);
        buffer_puts(page, "</td>");
    }
    buffer_puts(page, "<td><strong>");
    html_points(page, cJSON_IsNumber(score) ? (int)(2 * score->valuedouble + 0.5) : 0);
    buffer_puts(page, "</strong></td></tr>\n");
}

static void add_night(struct buffer *page, const struct report *report, int number)
{
    const cJSON *night = report->results.nights[number - 1], *player;
    int count = cJSON_GetArraySize(json_member(night, "players")), row = 0;
    struct buffer *cells = xcalloc((size_t)count + 1, sizeof *cells);

    buffer_printf(page,
                  "<div class=\"wide\"><table class=\"cross\" id=\"night%d\"><caption>Night %d",
                  number, number);
    buffer_puts(page, ": ");
    html_text(page, json_text_or(night, "format", ""));
    buffer_puts(page, ", ");
    html_text(page, game_title(json_text_or(night, "game", "")));
    buffer_puts(page, " ");
    html_text(page, json_text_or(night, "variant", ""));
    buffer_puts(page, "</caption><thead><tr><th>#</th><th>Name</th>");
    for (int i = 1; i <= count; i++)
        buffer_printf(page, "<th>%d</th>", i);
    buffer_puts(page, "<th>Bye</th><th>Points</th></tr></thead><tbody>\n");
    cJSON_ArrayForEach (player, json_member(night, "players"))
        add_cross_row(page, report, night, player, row++, cells);
    buffer_puts(page, "</tbody></table></div>\n");
    for (int i = 0; i <= count; i++)
        buffer_release(&cells[i]);
    free(cells);
}

static bool write_index(struct report *report)
{
    const struct course_results *results = &report->results;
    struct buffer page = {.bytes = NULL};

    html_begin(&page, results->title, "", false);
    buffer_puts(&page, "<main class=\"report\">\n<h1>");
    html_text(&page, results->title);
    buffer_puts(&page, "</h1>\n");
    add_table(&page, results);
    buffer_puts(&page, "<h2>Ratings after each night</h2>\n");
    html_curves(&page, results, NULL);
    buffer_puts(
        &page,
        "<p class=\"note\">The server’s own rating (Glicko-2), which forgets the first matches; a "
        "bot that becomes better climbs.</p>\n<h2>Who met whom</h2>\n"
        "<p class=\"note\">Each result leads to its match; + and − are walkovers.</p>\n");
    for (int number = 1; number <= results->night_count; number++)
        add_night(&page, report, number);
    buffer_puts(&page, "</main>\n");
    html_end(&page);
    bool good = write_file(report, "index.html", &page);
    buffer_release(&page);
    return good;
}

/* A text in a table for other programs: a name that a spreadsheet would take for a formula is none.
 */
static void add_csv_text(struct buffer *csv, const char *text)
{
    buffer_puts(csv, strchr("=+-@\t\r", text[0]) != NULL && text[0] != '\0' ? "\"'" : "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"')
            buffer_puts(csv, "\"");
        buffer_add(csv, text, 1);
    }
    buffer_puts(csv, "\"");
}

static bool write_marks(struct report *report)
{
    const struct course_results *results = &report->results;
    struct buffer csv = {.bytes = NULL};

    buffer_puts(&csv, "rank,name");
    for (int night = 1; night <= results->night_count; night++)
        buffer_printf(&csv, ",night_%d", night);
    buffer_puts(&csv, ",points,matches,won,drawn,lost,rating,rating_error");
    for (int kind = 0; kind < COURSE_VERDICTS; kind++)
        buffer_printf(&csv, ",%s", course_verdicts[kind]);
    buffer_puts(&csv, "\r\n");
    for (int i = 0; i < results->student_count; i++) {
        const struct course_student *student = &results->students[i];
        buffer_printf(&csv, "%d,", rank_of(results, i));
        add_csv_text(&csv, student->name);
        for (int night = 0; night < results->night_count; night++) {
            int points2 = course_night_points2(results, night, student->name);
            buffer_puts(&csv, ",");
            if (points2 >= 0)
                buffer_printf(&csv, "%d.%d", points2 / 2, points2 % 2 * 5);
        }
        buffer_printf(&csv, ",%d.%d,%d,%d,%d,%d,", student->points2 / 2, student->points2 % 2 * 5,
                      student->matches, student->wins, student->draws, student->losses);
        if (student->rated)
            buffer_printf(&csv, "%d,%d", student->performance, student->performance_error);
        else
            buffer_puts(&csv, ",");
        for (int kind = 0; kind < COURSE_VERDICTS; kind++)
            buffer_printf(&csv, ",%d", student->verdicts[kind]);
        buffer_puts(&csv, "\r\n");
    }
    bool good = write_file(report, "marks.csv", &csv);
    buffer_release(&csv);
    return good;
}

/* The page of a student, which has what nobody else sees. */

static void add_own_matches(struct buffer *page, const struct report *report, const char *name)
{
    const cJSON *record;

    buffer_puts(page, "<h2>Matches</h2>\n<div class=\"wide\"><table "
                      "class=\"own\"><thead><tr><th>Night</th><th>Against</th><th>"
                      "Colour</th><th>Points</th><th>Moves</th><th>End</th></tr></thead><tbody>\n");
    cJSON_ArrayForEach (record, report->results.matches)
        for (int white = 0; white < 2; white++) {
            if (strcmp(json_text_or(record, white ? "white" : "black", ""), name) != 0)
                continue;
            buffer_printf(page, "<tr><td>%d</td><th scope=\"row\">",
                          json_int_or(record, "night", 0));
            if (is_shown(record))
                add_link(page, record, 0);
            html_text(page, json_text_or(record, white ? "black" : "white", "?"));
            buffer_printf(page, "%s</th><td>%s</td><td>", is_shown(record) ? "</a>" : "",
                          white ? "white" : "black");
            html_points(page, course_points2(json_text_or(record, "result", "*"), white));
            buffer_printf(page, "</td><td>%d</td><td>",
                          cJSON_GetArraySize(json_member(record, "moves")));
            html_text(page, json_text_or(record, "reason", "–"));
            buffer_puts(page, "</td></tr>\n");
        }
    buffer_puts(page, "</tbody></table></div>\n");
}

/* Adds the lines between a bot and the server before a verdict. */
static void add_last(struct buffer *page, const cJSON *last)
{
    const cJSON *line;

    if (cJSON_GetArraySize(last) == 0)
        return;
    buffer_puts(page, "<details><summary>The last lines that it sent (&gt;) and read "
                      "(&lt;)</summary>\n<pre>\n");
    cJSON_ArrayForEach (line, last)
        if (cJSON_IsString(line)) {
            html_lines(page, line->valuestring, strlen(line->valuestring));
            buffer_puts(page, "\n");
        }
    buffer_puts(page, "</pre></details>\n");
}

static void add_verdict(struct buffer *page, const struct report *report, const cJSON *verdict)
{
    const char *match = json_text(verdict, "match"), *position = json_text(verdict, "position");
    const cJSON *record = match != NULL ? course_match(&report->results, match) : NULL;
    int ply = json_int_or(verdict, "ply", 0);

    buffer_printf(page,
                  "<section class=\"verdict\">\n<h3>Night %d: ", json_int_or(verdict, "night", 0));
    html_text(page, json_text_or(verdict, "verdict", "?"));
    buffer_puts(page, "</h3>\n<p>");
    html_text(page, json_text_or(verdict, "text", ""));
    if (is_shown(record)) {
        buffer_puts(page, " ");
        add_link(page, record, ply);
        buffer_puts(page, "The match");
        if (ply > 0)
            buffer_printf(page, " after move %d", ply);
        buffer_puts(page, "</a>");
    }
    buffer_puts(page, "</p>\n");
    if (position != NULL) {
        buffer_puts(page, "<p>Position: <code>");
        html_text(page, position);
        buffer_puts(page, "</code></p>\n");
    }
    add_last(page, json_member(verdict, "last"));
    if (json_text(verdict, "log") != NULL && json_text(verdict, "log")[0] != '\0') {
        const char *log = json_text(verdict, "log");
        buffer_puts(page, "<details><summary>What it had printed last</summary>\n<pre>\n");
        html_lines(page, log, strlen(log));
        buffer_puts(page, "</pre></details>\n");
    }
    buffer_puts(page, "</section>\n");
}

static void add_log(struct buffer *page, const struct report *report, const char *name, int night)
{
    char path[PATH_MAX_BYTES];
    struct buffer log = {.bytes = NULL};

    snprintf(path, sizeof path, "%s/logs/%d/%s.log", report->dir, night, name);
    if (course_read_file(path, &log) && log.length > 0) {
        size_t passed = log.length > LOG_SHOWN ? log.length - LOG_SHOWN : 0;
        buffer_printf(page, "<h3>Log of night %d</h3>\n%s<pre class=\"log\">\n", night,
                      passed > 0 ? "<p class=\"note\">Its last 1 MB.</p>\n" : "");
        html_lines(page, log.bytes + passed, log.length - passed);
        buffer_puts(page, "</pre>\n");
    }
    buffer_release(&log);
}

static bool write_student(struct report *report, int number)
{
    const struct course_results *results = &report->results;
    const struct course_student *student = &results->students[number];
    struct buffer page = {.bytes = NULL};
    char file[COURSE_KEY_MAX + 8];
    const cJSON *verdict;

    html_begin(&page, student->name, "", true);
    buffer_puts(&page, "<main class=\"report\">\n<p><a href=\"index.html\">");
    html_text(&page, results->title);
    buffer_puts(&page, "</a></p>\n<h1>");
    html_text(&page, student->name);
    buffer_puts(&page, "</h1>\n<p class=\"note\">Only those who know the address of this page can "
                       "read it.</p>\n<p>Rank ");
    buffer_printf(&page, "%d of %d, with ", rank_of(results, number), results->student_count);
    html_points(&page, student->points2);
    buffer_puts(&page, student->points2 == 2 ? " point" : " points");
    if (student->rated)
        buffer_printf(&page, ". Rating %d ± %d", student->performance, student->performance_error);
    buffer_puts(&page, ".</p>\n");
    html_curves(&page, results, student->name);
    if (student->verdict_count > 0)
        buffer_puts(&page, "<h2>Verdicts</h2>\n");
    cJSON_ArrayForEach (verdict, results->verdicts)
        if (strcmp(json_text_or(verdict, "bot", ""), student->name) == 0)
            add_verdict(&page, report, verdict);
    add_own_matches(&page, report, student->name);
    buffer_puts(&page, "<h2>What your bot has written</h2>\n");
    for (int night = results->night_count; night >= 1 && fits_path(student->name); night--)
        add_log(&page, report, student->name, night);
    buffer_puts(&page, "</main>\n");
    html_end(&page);
    snprintf(file, sizeof file, "%s.html", student->key);
    bool good = write_file(report, file, &page);
    buffer_release(&page);
    return good;
}

static bool write_assets(struct report *report)
{
    struct buffer text = {.bytes = NULL};

    buffer_puts(&text, report_script);
    bool good = write_file(report, "board.js", &text);
    buffer_puts(&text, report_style);
    good = good && write_file(report, "style.css", &text);
    buffer_release(&text);
    return good;
}

static bool write_report(struct report *report)
{
    char path[PATH_MAX_BYTES], old[PATH_MAX_BYTES];
    bool good;

    snprintf(path, sizeof path, "%s/report", report->dir);
    snprintf(old, sizeof old, "%s/report.old", report->dir);
    snprintf(report->folder, sizeof report->folder, "%s/report.new", report->dir);
    file_tree_remove(report->folder);
    if (!make_folder(report, report->folder) || !write_assets(report) || !write_matches(report) ||
        !write_index(report) || !write_marks(report))
        return false;
    for (int i = 0; i < report->results.student_count; i++)
        if (report->results.students[i].key[0] != '\0' && !write_student(report, i))
            return false;
    good = file_tree_replace(report->folder, path, old, report->cause);
    file_tree_remove(old);
    return good;
}

bool course_report(const char *dir, struct cause *cause)
{
    struct report report = {.dir = dir, .cause = cause};
    bool good = course_results_read(&report.results, dir, cause) && write_report(&report) &&
                course_results_audit(&report.results, cause);

    course_results_release(&report.results);
    return good;
}
