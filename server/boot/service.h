/*
 * The server as a service: the service manager that may have started it, where it listens, and the
 * join code by which others come in.
 *
 * The manager is systemd or speaks its protocol (sd_notify(3), sd_listen_fds(3)): datagrams of
 * NAME=VALUE lines to the socket $NOTIFY_SOCKET, and sockets from descriptor 3 on. That needs too
 * little code to be worth a dependency on libsystemd.
 */
#ifndef LUDUS_SERVICE_H
#define LUDUS_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/net/listener.h"
#include "server/play/server.h"
#include "server_options.h"

enum { SERVICE_FIRST_DESCRIPTOR = 3 };

struct service {
    char notify[108];    /* path of the socket, or @ and an abstract name; "": none */
    int listen_count;    /* sockets handed over, from SERVICE_FIRST_DESCRIPTOR on */
    int64_t watchdog_ms; /* the longest silence that it allows; 0: any */
};

/* Reads the variables that are meant for this process, and unsets them for its children. */
void service_read(struct service *service);

/* Sends a state, such as "READY=1". Without a service manager it does nothing. False with errno. */
bool service_tell(const struct service *service, const char *state);

/* Whether what is printed goes to a journal, which keeps it for others to read. */
bool service_is_journal(void);

/* Reports that the configuration is being reloaded. READY=1 must follow. */
void service_tell_reloading(const struct service *service);

/* Listens where the options say, and on the sockets that the service manager has handed over.
 * Prints each address on standard output and adds it to the list. `handed_over` sockets are open
 * from SERVICE_FIRST_DESCRIPTOR on. The certificate is borrowed; NULL: no TLS. False with the
 * cause. */
bool listen_everywhere(struct listen_addresses *addresses, struct listeners *listeners,
                       const struct server_options *options, struct ssl_ctx_st *certificate,
                       int handed_over, struct cause *cause);

/* Tells the house bots to connect to the first address, by loopback if that is a wildcard. */
void listen_for_bots(const struct listen_addresses *addresses, struct house_bots *house);

enum { JOIN_CODE_LETTERS = 8 };

/* Lower-case letters and digits, without those that look alike (0 o, 1 i l). */
extern const char join_code_letters[32];

/* Writes a random code. There are 31 to the power of 8 codes, which is 39.6 bits. */
void join_code_make(char code[JOIN_CODE_LETTERS + 1]);

/* Reads the code from the file join-code in the directory of the store. Makes one and keeps it
 * there if there is none, or it is to be replaced. Without a directory (""), or where the file
 * cannot be written, which is logged, the code lasts as long as the server. */
void join_code_keep(const char *folder, bool replace, char code[JOIN_CODE_LETTERS + 1]);

#endif
