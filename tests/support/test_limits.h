/* Limits for servers that tests drive in memory: out of reach, except those that a test is
 * about. */
#ifndef LUDUS_TESTS_LIMITS_H
#define LUDUS_TESTS_LIMITS_H

#include "common/message.h"
#include "server/play/server.h"

static const struct limits test_limits = {.connections = 1000,
                                          .line_bytes = LINE_BYTES_MAX,
                                          .names = 100,
                                          .matches = 20,
                                          .finished = 20,
                                          .errors = 20,
                                          .idle_s = 60,
                                          .text_idle_s = 1800,
                                          .first_line_s = 86400,
                                          .pending_bytes = 1 << 20,
                                          .slow_s = 30,
                                          .lines_per_turn = 16,
                                          .grace_s = 120,
                                          .abandon_days = 14,
                                          .stall_days = 14,
                                          .bot_stall_s = 600,
                                          .first_move_s = 86400,
                                          .unfinished = 1000,
                                          .watchers = 100,
                                          .chat_bytes = 1000,
                                          .address_connections = 100,
                                          .address_matches = 1000};

#endif
