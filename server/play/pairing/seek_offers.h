/*
 * Seeks that servers with one keeper offer each other. A seek for which a server finds no partner
 * of its own is offered to the others: each has a copy of it (seeks_add_foreign()), and may pair it
 * with a seek that began there. The keeper lets only one of them do so.
 */
#ifndef LUDUS_SEEK_OFFERS_H
#define LUDUS_SEEK_OFFERS_H

#include "server/play/server.h"

/* Offers a waiting seek to the other servers, if there can be any and it began here. */
void seek_offer(struct server *server, struct seek *seek);

/* Takes back what was offered and does not wait any more. */
void seek_offers_withdraw(struct server *server);

/* Another server offers a seek, or not any more. */
void seek_offers_take(struct server *server, const struct offered_seek *offered);

/* Brings the seeks of others, and what others know of those of this server, up to date. The list is
 * ordered by server and number. */
void seek_offers_compare(struct server *server, const struct offered_seek *list, int count);

/* Drops the seeks of servers that are gone, or of all others. */
void seek_offers_drop_gone(struct server *server);
void seek_offers_forget(struct server *server);

#endif
