#include "join_code.h"

#include <sodium.h>

void join_code_make(char code[JOIN_CODE_LETTERS + 1])
{
    static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789";

    for (int i = 0; i < JOIN_CODE_LETTERS; i++)
        code[i] = letters[randombytes_uniform(sizeof letters - 1)];
    code[JOIN_CODE_LETTERS] = '\0';
}
