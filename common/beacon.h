/*
 * The beacon: how a program finds Ludus servers on its network without anything else running there.
 * It sends a question to a multicast group; servers that are open to the network answer it. Both
 * are one line of printable ASCII in one UDP datagram:
 *
 *     ludus-find 1 nonce=0123456789abcdef                  ... spaces, to BEACON_QUESTION_BYTES
 *     ludus-here 1 nonce=0123456789abcdef id=... port=7117 tls=0 code=yes version=0.1.0
 *                  name=kitchen games=clobber,shakti
 *
 * An answer is never longer than its question, so that nobody can make servers send more to a
 * third party than he sends himself. Pure functions, for any bytes; sockets are elsewhere.
 */
#ifndef LUDUS_BEACON_H
#define LUDUS_BEACON_H

#include <stdbool.h>
#include <stddef.h>

/* Of the IPv4 local scope (RFC 2365), which routers do not pass on. */
#define BEACON_GROUP "239.255.71.17"

enum {
    BEACON_PORT = 7117,
    BEACON_QUESTION_BYTES = 400, /* what a question is padded to */
    BEACON_DATAGRAM_MAX = 512,   /* longer ones are neither questions nor answers */
    BEACON_NONCE_MAX = 33,       /* bytes with the final NUL, as all below */
    BEACON_ID_MAX = 33,
    BEACON_NAME_MAX = 64,
    BEACON_VERSION_MAX = 32,
    BEACON_GAMES_MAX = 128
};

/* What a server tells of itself. */
struct beacon_server {
    char id[BEACON_ID_MAX]; /* its own, for as long as it runs: one server, however often found */
    char name[BEACON_NAME_MAX]; /* of the machine, for people; printable ASCII without spaces */
    char version[BEACON_VERSION_MAX];
    char games[BEACON_GAMES_MAX]; /* their names with commas between */
    int port;                     /* without TLS; 0: there is none */
    int tls_port;                 /* 0: there is none */
    bool code;                    /* a join code is needed */
};

/* Writes a question of BEACON_QUESTION_BYTES. The nonce is 1 to 32 letters and digits. */
void beacon_write_question(const char *nonce, char question[BEACON_QUESTION_BYTES]);

/* Takes the nonce out of a question. False for anything else. */
bool beacon_read_question(const char *datagram, size_t length, char nonce[BEACON_NONCE_MAX]);

/* Writes the answer to a question that was `asked_bytes` long. Its length, or 0 when the question
 * was too short for it: then there is none. */
size_t beacon_write_answer(const struct beacon_server *server, const char *nonce,
                           size_t asked_bytes, char answer[BEACON_DATAGRAM_MAX]);

/* Reads an answer to the question with that nonce. False, with *server in no state to be used, for
 * anything else. Words that are not known are passed over. */
bool beacon_read_answer(const char *datagram, size_t length, const char *nonce,
                        struct beacon_server *server);

#endif
