#include "report_html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/xmalloc.h"

static const char NO_CHARACTER[] = "\xEF\xBF\xBD";

/* Adds the character at `text`, escaped; returns how many bytes it has. */
static size_t add_character(struct buffer *page, const char *text, size_t length)
{
    static const struct {
        char character;
        const char *escaped;
    } marks[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    size_t bytes = utf8_character(text, length);

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (text[0] == marks[i].character) {
            buffer_puts(page, marks[i].escaped);
            return 1;
        }
    if (bytes > 0) {
        buffer_add(page, text, bytes);
        return bytes;
    }
    buffer_puts(page, NO_CHARACTER);
    bytes = utf8_length(text, length);
    return bytes > 0 ? bytes : 1;
}

void html_text(struct buffer *page, const char *text)
{
    size_t length = strlen(text);

    while (length > 0) {
        size_t bytes = add_character(page, text, length);
        text += bytes;
        length -= bytes;
    }
}

void html_lines(struct buffer *page, const char *text, size_t length)
{
    while (length > 0) {
        bool kept = text[0] == '\n' || text[0] == '\t';
        size_t bytes = 1;
        if (kept)
            buffer_add(page, text, 1);
        else if (!(text[0] == '\r' && length > 1 && text[1] == '\n'))
            bytes = add_character(page, text, length);
        text += bytes;
        length -= bytes;
    }
}

/* Scripts come from the report alone, and a page of a student, which has a bot's own words, has
 * none. */
void html_begin(struct buffer *page, const char *title, const char *up, bool apart)
{
    buffer_puts(page,
                "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    html_text(page, title);
    buffer_puts(
        page, "</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n");
    if (apart)
        buffer_puts(
            page, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'self' file: 'unsafe-inline'; form-action 'none'; base-uri 'none'\">\n"
                  "<meta name=\"referrer\" content=\"no-referrer\">\n"
                  "<meta name=\"robots\" content=\"noindex, nofollow\">\n");
    buffer_printf(page, "<link rel=\"stylesheet\" href=\"%sstyle.css\">\n</head>\n<body>\n", up);
}

void html_end(struct buffer *page)
{
    buffer_puts(page, "</body>\n</html>\n");
}

void html_points(struct buffer *page, int points2)
{
    if (points2 == 1)
        buffer_puts(page, "½");
    else
        buffer_printf(page, "%d%s", points2 / 2, points2 % 2 != 0 ? "½" : "");
}

/* Charts. */

enum {
    CHART_WIDTH = 640,
    CHART_LEFT = 52,
    CHART_RIGHT = 150, /* for names */
    CHART_EDGE = 16,
    CHART_BOTTOM = 30,
    CHART_LEAST = 240, /* its height */
    NAME_HEIGHT = 15,
    GRID_STEP = 100,
    DASHES = 4,
    COLOURS = 6
};

struct chart {
    const struct course_results *results;
    double *ratings; /* [student * nights + night]; NAN: none yet */
    double least, most;
    int height;
};

/* A student's rating after the last rated match of each night; one who did not play keeps theirs.
 */
static void find_ratings(struct chart *chart, int student)
{
    const struct course_results *results = chart->results;
    const char *name = results->students[student].name;
    double *ratings = chart->ratings + (ptrdiff_t)student * results->night_count;
    const cJSON *record;

    for (int night = 0; night < results->night_count; night++)
        ratings[night] = NAN;
    cJSON_ArrayForEach (record, results->matches) {
        int night = json_int_or(record, "night", 0), rating;
        for (int white = 0; white < 2 && night >= 1 && night <= results->night_count; white++)
            if (strcmp(json_text_or(record, white ? "white" : "black", ""), name) == 0 &&
                json_int(record, white ? "white_rating" : "black_rating", &rating))
                ratings[night - 1] = rating;
    }
    for (int night = 0; night < results->night_count; night++) {
        if (isnan(ratings[night]) && night > 0)
            ratings[night] = ratings[night - 1];
        chart->least = fmin(chart->least, ratings[night]);
        chart->most = fmax(chart->most, ratings[night]);
    }
}

static double chart_x(const struct chart *chart, int night)
{
    int steps = chart->results->night_count - 1;
    double width = CHART_WIDTH - CHART_LEFT - CHART_RIGHT;

    return CHART_LEFT + (steps > 0 ? width * night / steps : width / 2);
}

static double chart_y(const struct chart *chart, double rating)
{
    double height = chart->height - CHART_EDGE - CHART_BOTTOM;

    return CHART_EDGE + height * (chart->most - rating) / (chart->most - chart->least);
}

static void add_grid(struct buffer *page, const struct chart *chart)
{
    int nights = chart->results->night_count, step = (nights + 9) / 10;
    int lines = (int)((chart->most - chart->least) / GRID_STEP);

    for (int i = 0; i <= lines; i++) {
        double rating = chart->least + GRID_STEP * i;
        double y = chart_y(chart, rating);
        buffer_printf(page,
                      "<path class=\"rule\" d=\"M%d %.1fH%d\"/>"
                      "<text class=\"end\" x=\"%d\" y=\"%.1f\">%.0f</text>\n",
                      CHART_LEFT, y, CHART_WIDTH - CHART_RIGHT, CHART_LEFT - 8, y + 4, rating);
    }
    for (int night = 0; night < nights; night += step)
        buffer_printf(page, "<text class=\"middle\" x=\"%.1f\" y=\"%d\">%s%d</text>\n",
                      chart_x(chart, night), chart->height - 8, night == 0 ? "Night " : "",
                      night + 1);
}

static void add_curve(struct buffer *page, const struct chart *chart, int student, const char *kind)
{
    const double *ratings = chart->ratings + (ptrdiff_t)student * chart->results->night_count;
    char letter = 'M';

    buffer_printf(page, "<path class=\"curve c%d d%d %s\" d=\"", student % COLOURS,
                  student / COLOURS % DASHES, kind);
    for (int night = 0; night < chart->results->night_count; night++)
        if (!isnan(ratings[night])) {
            buffer_printf(page, "%c%.1f %.1f", letter, chart_x(chart, night),
                          chart_y(chart, ratings[night]));
            letter = 'L';
        }
    buffer_puts(page, "\"/>\n");
    for (int night = 0; night < chart->results->night_count; night++)
        if (!isnan(ratings[night]))
            buffer_printf(page, "<circle class=\"c%d %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                          student % COLOURS, kind, chart_x(chart, night),
                          chart_y(chart, ratings[night]));
}

struct end {
    int student;
    double rating, y;
};

static int compare_ends(const void *left, const void *right)
{
    const struct end *a = left, *b = right;

    return (a->y > b->y) - (a->y < b->y);
}

/* Adds the names at the ends of their curves, one below the other where they would meet. */
static void add_names(struct buffer *page, const struct chart *chart, const char *only)
{
    const struct course_results *results = chart->results;
    struct end *ends = xcalloc((size_t)results->student_count + 1, sizeof *ends);
    int count = 0, x = CHART_WIDTH - CHART_RIGHT + 8;
    double free_y = CHART_EDGE;

    for (int i = 0; i < results->student_count; i++) {
        double rating = chart->ratings[(ptrdiff_t)(i + 1) * results->night_count - 1];
        if (!isnan(rating) && (only == NULL || strcmp(only, results->students[i].name) == 0))
            ends[count++] =
                (struct end){.student = i, .rating = rating, .y = chart_y(chart, rating)};
    }
    qsort(ends, (size_t)count, sizeof *ends, compare_ends);
    for (int i = 0; i < count; i++) { /* as far down as those below leave room */
        double lowest = chart->height - CHART_BOTTOM - NAME_HEIGHT * (double)(count - 1 - i);
        ends[i].y = fmin(fmax(ends[i].y, free_y), lowest);
        free_y = ends[i].y + NAME_HEIGHT;
        buffer_printf(page,
                      "<path class=\"c%d\" d=\"M%d %.1fL%d %.1f\"/><text x=\"%d\" y=\"%.1f\">",
                      ends[i].student % COLOURS, x - 8, chart_y(chart, ends[i].rating), x + 12,
                      ends[i].y, x + 16, ends[i].y + 4);
        html_text(page, results->students[ends[i].student].name);
        buffer_printf(page, " %.0f</text>\n", ends[i].rating);
    }
    free(ends);
}

void html_curves(struct buffer *page, const struct course_results *results, const char *student)
{
    struct chart chart = {.results = results, .least = INFINITY, .most = -INFINITY};
    int names = student == NULL ? results->student_count : 1;

    chart.ratings = xcalloc((size_t)results->student_count * (size_t)results->night_count + 1,
                            sizeof *chart.ratings);
    for (int i = 0; i < results->student_count; i++)
        find_ratings(&chart, i);
    chart.height = CHART_EDGE + CHART_BOTTOM + NAME_HEIGHT * names;
    if (chart.height < CHART_LEAST)
        chart.height = CHART_LEAST;
    if (chart.least <= chart.most) {
        chart.least = GRID_STEP * floor(chart.least / GRID_STEP);
        chart.most = GRID_STEP * (floor(chart.most / GRID_STEP) + 1);
        buffer_printf(
            page,
            "<div class=\"wide\"><svg class=\"chart\" role=\"img\" aria-label=\"Ratings after each "
            "night\" viewBox=\"0 0 %d %d\">\n",
            CHART_WIDTH, chart.height);
        add_grid(page, &chart);
        for (int i = 0; i < results->student_count; i++)
            if (student == NULL || strcmp(student, results->students[i].name) != 0)
                add_curve(page, &chart, i, student == NULL ? "" : "other");
        for (int i = 0; student != NULL && i < results->student_count; i++)
            if (strcmp(student, results->students[i].name) == 0)
                add_curve(page, &chart, i, "own");
        add_names(page, &chart, student);
        buffer_puts(page, "</svg></div>\n");
    }
    free(chart.ratings);
}

void html_error_bar(struct buffer *page, const struct course_student *student, int least, int most)
{
    double scale = 100.0 / (most > least ? most - least : 1);
    double from = (student->performance - student->performance_error - least) * scale;
    double to = (student->performance + student->performance_error - least) * scale;
    double middle = (student->performance - least) * scale;

    buffer_printf(
        page,
        "<svg class=\"bar\" viewBox=\"-4 0 108 12\" aria-hidden=\"true\"><path "
        "d=\"M%.1f 6H%.1fM%.1f 2v8M%.1f 2v8\"/><circle cx=\"%.1f\" cy=\"6\" r=\"3\"/></svg>",
        from, to, from, to, middle);
}
