/* What the load generator prints: for people, or one line of JSON, all on one level, so that a
 * script needs no more than sed. Without a pid there is nothing of the server in it. */
#ifndef LUDUS_LOAD_REPORT_H
#define LUDUS_LOAD_REPORT_H

#include "load_echo.h"
#include "load_idle.h"
#include "load_play.h"

void report_play(const struct load_options *options, const struct load_result *result, bool json);
void report_echo(const struct echo_options *options, const struct echo_result *result, bool json);
void report_idle(const struct idle_options *options, const struct idle_result *result, bool json);

#endif
