/* Join codes that the server makes up: to be read aloud and typed. */
#ifndef LUDUS_JOIN_CODE_H
#define LUDUS_JOIN_CODE_H

enum { JOIN_CODE_LETTERS = 8 };

/* Writes a random code of small letters and digits without those that look alike (0 o, 1 i l), of
 * 31 to the power of 8, which is 39.6 bits. */
void join_code_make(char code[JOIN_CODE_LETTERS + 1]);

#endif
