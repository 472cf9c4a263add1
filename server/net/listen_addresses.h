/* The addresses that the server listens on, as they came to be (boot/listen.h). */
#ifndef LUDUS_LISTEN_ADDRESSES_H
#define LUDUS_LISTEN_ADDRESSES_H

#include <stdbool.h>

enum { LISTEN_MAX = 16, ADDRESS_TEXT_MAX = 128 };

struct listen_addresses {
    struct {
        char bound[ADDRESS_TEXT_MAX];
        bool tls;
    } list[LISTEN_MAX];
    int count;
};

#endif
