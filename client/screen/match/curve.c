#include "curve.h"

#include <string.h>

enum { LEVELS = 8, COLUMNS_EACH_MAX = 3 };

/* The columns of the curve: some for each ply where there is room, else one for several plies. */
static int columns_of(const struct curve *curve)
{
    int each = curve->area.width / curve->count;

    if (each == 0)
        return curve->area.width;
    return curve->count * (each < COLUMNS_EACH_MAX ? each : COLUMNS_EACH_MAX);
}

static int column_of(const struct curve *curve, int ply)
{
    return (int)((int64_t)ply * columns_of(curve) / curve->count);
}

/* The first ply of a column. */
static int ply_of(const struct curve *curve, int column)
{
    int columns = columns_of(curve);

    return (int)(((int64_t)column * curve->count + columns - 1) / columns);
}

/* The character of a cell that is filled up to `level`, 0 to LEVELS. */
static const char *cell_text(const struct theme *theme, int level)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

    if (theme->unicode)
        return blocks[level];
    return level == 0 ? " " : level <= LEVELS / 2 ? "." : "#";
}

/* The curve in a column, in units of LEVELS a row; at least one where something is known. */
static int height_of(const struct curve *curve, int column)
{
    int ply = ply_of(curve, column);

    if (columns_of(curve) >= curve->count)
        ply = (int)((int64_t)column * curve->count / columns_of(curve));
    if (ply >= curve->count || !curve->plies[ply].known)
        return 0;
    int height = curve->plies[ply].chance * curve->area.height * LEVELS / 100;
    return height > 0 ? height : 1;
}

static void paint_column(const struct curve *curve, const struct theme *theme, int column)
{
    int height = height_of(curve, column);

    for (int row = 0; row < curve->area.height; row++) {
        int level = height - (curve->area.height - 1 - row) * LEVELS;
        level = level < 0 ? 0 : level > LEVELS ? LEVELS : level;
        paint_text(curve->area.y + row, curve->area.x + column, 1, theme_text(theme),
                   cell_text(theme, level));
    }
}

static void paint_mark(const struct curve *curve, const struct theme *theme, int ply)
{
    bool blunder = curve->plies[ply].mark == PLAYED_BLUNDER;
    bool roomy = columns_of(curve) >= 2 * curve->count;

    paint_text(curve->area.y + curve->area.height, curve->area.x + column_of(curve, ply), 2,
               blunder ? theme_text(theme) | A_BOLD : theme_text(theme),
               blunder && roomy ? "\?\?" : "?");
}

/* The strongest mark comes last, so that it stays. */
static void paint_marks(const struct curve *curve, const struct theme *theme)
{
    for (int mark = PLAYED_MISTAKE; mark <= PLAYED_BLUNDER; mark++)
        for (int ply = 0; ply < curve->count; ply++)
            if ((int)curve->plies[ply].mark == mark)
                paint_mark(curve, theme, ply);
    paint_text(curve->area.y + curve->area.height, curve->area.x + column_of(curve, curve->shown),
               1, theme_text(theme) | A_REVERSE, "^");
}

void curve_paint(const struct curve *curve, const struct theme *theme)
{
    for (int column = 0; column < columns_of(curve); column++)
        paint_column(curve, theme, column);
    paint_marks(curve, theme);
}

int curve_ply(const struct curve *curve, int y, int x)
{
    int column = x - curve->area.x;

    if (y < curve->area.y || y > curve->area.y + curve->area.height || column < 0 ||
        column >= columns_of(curve))
        return -1;
    return (int)((int64_t)column * curve->count / columns_of(curve));
}
