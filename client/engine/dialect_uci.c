/*
 * UCI, the Universal Chess Interface, for Clobber as Fairy-Stockfish plays it. The option
 * UCI_Variant names the game. The built-in variant `clobber` is 5 by 6; the option VariantPath
 * names a file that defines other sizes. The engine confirms a variant by a line `info string
 * variant NAME files W ranks H ...`, and ignores a board larger than it was built for. An engine
 * without UCI_Variant is assumed to play Clobber only.
 *
 * Positions have the fields of chess: placement, side, castling, en passant, halfmove clock and
 * move number.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dialect.h"

static bool is_standard_size(const struct position *start)
{
    return start->width == 5 && start->height == 6;
}

static bool takes_variant_file(const struct profile *profile)
{
    return profile->offers_variant_path && strstr(profile->name, "Fairy-Stockfish") != NULL;
}

static bool uci_can_play(const struct profile *profile, const struct game *game,
                         const struct position *start, struct cause *cause)
{
    if (game != &clobber)
        return cause_set(cause, "%s: UCI engines play Clobber only", game->name);
    if (profile->offers_variants && !profile->offers_clobber)
        return cause_set(cause, "the engine's UCI_Variant has no value clobber");
    if (profile->offers_variants && !takes_variant_file(profile) && !is_standard_size(start))
        return cause_set(cause, "the engine plays Clobber on 5x6 only");
    return true;
}

static void uci_write_fen(const struct game *game, const struct position *position,
                          char text[FEN_TEXT_MAX])
{
    game->format(position, text);
    size_t length = strlen(text);
    snprintf(text + length, FEN_TEXT_MAX - length, " - - 0 1");
}

/* Creates a temporary file and puts its path into *setup. */
static FILE *open_ini(struct setup *setup)
{
    const char *folder = getenv("TMPDIR");
    char path[INI_PATH_MAX];

    int length = snprintf(path, sizeof path, "%s/ludus-bridge-XXXXXX",
                          folder != NULL && folder[0] == '/' ? folder : "/tmp");
    if (length >= INI_PATH_MAX) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0)
        memcpy(setup->ini_path, path, sizeof path);
    if (fd >= 0 && file == NULL)
        close(fd);
    return file;
}

/* Describes the board to Fairy-Stockfish as a variant of its clobber. */
static bool write_ini(struct setup *setup, const char *variant, struct cause *cause)
{
    char fen[FEN_TEXT_MAX];
    FILE *file = open_ini(setup);

    if (file == NULL)
        return cause_set(cause, "no temporary file: %s", strerror(errno));
    uci_write_fen(setup->game, &setup->start, fen);
    fprintf(file, "[%s:clobber]\nmaxFile = %d\nmaxRank = %d\nstartFen = %s\n", variant,
            setup->start.width, setup->start.height, fen);
    if (fclose(file) != 0)
        return cause_set(cause, "%.100s: %s", setup->ini_path, strerror(errno));
    return true;
}

static bool uci_choose(const struct profile *profile, struct setup *setup,
                       char lines[SETUP_LINES_MAX], struct cause *cause)
{
    int width = setup->start.width, height = setup->start.height, length = 0;
    char variant[32] = "clobber";

    lines[0] = '\0';
    if (!profile->offers_variants)
        return true;
    if (!is_standard_size(&setup->start)) {
        snprintf(variant, sizeof variant, "ludus-clobber-%dx%d", width, height);
        if (!write_ini(setup, variant, cause))
            return false;
        length = snprintf(lines, SETUP_LINES_MAX, "setoption name VariantPath value %s\n",
                          setup->ini_path);
    }
    snprintf(lines + length, SETUP_LINES_MAX - (size_t)length,
             "setoption name UCI_Variant value %s", variant);
    setup->awaits_confirmation = takes_variant_file(profile);
    snprintf(setup->confirmation, sizeof setup->confirmation,
             "info string variant %s files %d ranks %d ", variant, width, height);
    return true;
}

const struct dialect uci = {
    .name = "uci",
    .clock_words = {"wtime", "btime", "winc", "binc"},
    .can_play = uci_can_play,
    .choose = uci_choose,
    .write_fen = uci_write_fen,
};
