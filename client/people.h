/* Lists of people and of their matches, as the server answers who, top and history, as tables. */
#ifndef LUDUS_PEOPLE_H
#define LUDUS_PEOPLE_H

#include <cjson/cJSON.h>

#include "screen.h"

void people_show_who(struct screen *screen, const cJSON *reply);
void people_show_top(struct screen *screen, const cJSON *reply);
void people_show_history(struct screen *screen, const cJSON *reply);

#endif
