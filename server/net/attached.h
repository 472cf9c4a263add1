/*
 * The IPv4 networks that this machine is attached to: which of them a peer is on. Filled from the
 * system by beacon_listener.c, or by a test.
 */
#ifndef LUDUS_ATTACHED_H
#define LUDUS_ATTACHED_H

#include <stdint.h>

enum { ATTACHED_MAX = 64 };

/* An address of this machine; all in the order of the network. */
struct attached {
    int interface; /* its index */
    uint32_t address, mask;
};

struct attached_list {
    struct attached list[ATTACHED_MAX];
    int count;
};

/* Reads the addresses of the interfaces that are up. Those that have no room are left out; when the
 * system does not say, the list stays as it is. */
void attached_read(struct attached_list *attached);

/* The address under which a peer on a network of that interface reaches this machine; NULL when it
 * is on no such network. */
const struct attached *attached_find(const struct attached_list *attached, int interface,
                                     uint32_t peer);

#endif
