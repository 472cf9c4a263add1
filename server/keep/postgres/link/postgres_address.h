/* Where the engine is and how to log in there: the hosts of a conninfo, one of which is tried at a
 * time. */
#ifndef LUDUS_POSTGRES_ADDRESS_H
#define LUDUS_POSTGRES_ADDRESS_H

#include <stdint.h>

#include "server/keep/keeper.h"

struct engine_address;
struct pg_conn; /* libpq's connection */

/* Reads a conninfo of libpq and resolves the names in it, which may take long. NULL with the
 * cause. */
struct engine_address *engine_address_new(const char *conninfo, struct cause *cause);
void engine_address_free(struct engine_address *address);

/* The files that connecting reads: passwords and certificates. Returns how many; borrowed. */
int engine_address_files(const struct engine_address *address, const char *files[KEEPER_FILES_MAX]);

int engine_address_hosts(const struct engine_address *address);

/* Begins to connect to a host: they are counted from 0, round and round. No timeout of the server
 * ends what the session does. *doubts counts the commits whose wait for a standby was cancelled by
 * other means: they have taken effect, but are lost if the primary is. It must outlive the
 * connection. */
struct pg_conn *engine_address_connect(const struct engine_address *address, int host,
                                       unsigned *doubts);

/* How long connecting to one host may take. */
int64_t engine_address_wait_ms(const struct engine_address *address);

#endif
