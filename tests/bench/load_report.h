/* Output of the load generator: text, or one line of flat JSON that a script can read with sed.
 * Without a pid it lacks the figures of the server. */
#ifndef LUDUS_LOAD_REPORT_H
#define LUDUS_LOAD_REPORT_H

#include "load_echo.h"
#include "load_idle.h"
#include "load_play.h"

void report_play(const struct load_options *options, const struct load_result *result, bool json);
void report_echo(const struct echo_options *options, const struct echo_result *result, bool json);
void report_idle(const struct idle_options *options, const struct idle_result *result, bool json);

#endif
