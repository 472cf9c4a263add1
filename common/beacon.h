/*
 * The beacon, by which programs find Ludus servers on their network without any other service. A
 * program sends a question to a multicast group, and servers open to the network answer. Question
 * and answer are each one line of printable ASCII in one UDP datagram:
 *
 *     ludus-find 1 nonce=0123456789abcdef                  ... spaces, to BEACON_QUESTION_BYTES
 *     ludus-here 1 nonce=0123456789abcdef id=... port=7117 tls=0 code=yes version=0.1.0
 *                  name=kitchen games=clobber,shakti
 *
 * An answer is never longer than its question, so the beacon does not amplify an attack on a third
 * party. These are pure functions over any bytes; sockets are elsewhere.
 */
#ifndef LUDUS_BEACON_H
#define LUDUS_BEACON_H

#include <stdbool.h>
#include <stddef.h>

/* In the IPv4 local scope (RFC 2365), which routers do not forward. */
#define BEACON_GROUP "239.255.71.17"

enum {
    BEACON_PORT = 7117,
    BEACON_QUESTION_BYTES = 400, /* questions are padded to this length */
    BEACON_DATAGRAM_MAX = 512,   /* longer datagrams are invalid */
    /* bytes with the final NUL: */
    BEACON_NONCE_MAX = 33,
    BEACON_ID_MAX = 33,
    BEACON_NAME_MAX = 64,
    BEACON_VERSION_MAX = 32,
    BEACON_GAMES_MAX = 128
};

/* What a server says about itself. */
struct beacon_server {
    char id[BEACON_ID_MAX];     /* unique while it runs, to recognise a server found twice */
    char name[BEACON_NAME_MAX]; /* of the machine, for people; printable ASCII without spaces */
    char version[BEACON_VERSION_MAX];
    char games[BEACON_GAMES_MAX]; /* names, separated by commas */
    int port;                     /* without TLS; 0: none */
    int tls_port;                 /* 0: none */
    bool code;                    /* it requires a join code */
};

/* Writes a question of BEACON_QUESTION_BYTES. The nonce is 1 to 32 letters and digits. */
void beacon_write_question(const char *nonce, char question[BEACON_QUESTION_BYTES]);

/* Reads the nonce of a question. False for anything else. */
bool beacon_read_question(const char *datagram, size_t length, char nonce[BEACON_NONCE_MAX]);

/* Writes the answer to a question of `asked_bytes`. Returns its length, or 0 if the question was
 * too short to be answered. */
size_t beacon_write_answer(const struct beacon_server *server, const char *nonce,
                           size_t asked_bytes, char answer[BEACON_DATAGRAM_MAX]);

/* Reads an answer to the question with that nonce, and ignores unknown words. Returns false for
 * anything else; do not use *server then. */
bool beacon_read_answer(const char *datagram, size_t length, const char *nonce,
                        struct beacon_server *server);

#endif
