/* `record`: a whole match, wherever it is read from. */
#ifndef LUDUS_WIRE_RECORD_H
#define LUDUS_WIRE_RECORD_H

#include "wire.h"

struct record {
    const char *id;
    const struct match *match;
    const char *names[2]; /* by colour; NULL: nobody */
    time_t date;          /* when it was opened */
    double rated[2];      /* the ratings after it, by colour; 0: it was not rated */
};
void wire_record(const struct wire *wire, const struct record *record);

#endif
