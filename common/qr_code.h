/*
 * QR codes for terminals: an address that a telephone reads from the screen. They are black on
 * white by colours of their own, so that the colours of the terminal do not matter. The only user
 * of libqrencode; part of ludusd and ludus only.
 */
#ifndef LUDUS_QR_CODE_H
#define LUDUS_QR_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    QR_MODULES_MAX = 57, /* on a side: for addresses of up to 271 bytes */
    QR_MARGIN = 2        /* light modules around it, which readers need at least */
};

struct qr_code {
    int width; /* modules on a side, without the margin */
    bool dark[QR_MODULES_MAX][QR_MODULES_MAX];
};

/* Makes the code for a text. False for one that is too long. */
bool qr_code_make(struct qr_code *code, const char *text);

/* Returns whether a module is dark; those outside are light. */
bool qr_code_is_dark(const struct qr_code *code, int y, int x);

/* Prints the code with its margin: with UTF-8 by half blocks, two rows of modules on a line, and
 * else by spaces, two to a module. */
void qr_code_print(const struct qr_code *code, FILE *file, bool utf8);

#endif
