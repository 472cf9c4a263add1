/* Shows the replies to who, top and history as tables. */
#ifndef LUDUS_PEOPLE_H
#define LUDUS_PEOPLE_H

#include <cjson/cJSON.h>

#include "client/term/console.h"

void people_show_who(struct console *console, const cJSON *reply);
void people_show_top(struct console *console, const cJSON *reply);
void people_show_history(struct console *console, const cJSON *reply);

#endif
