/* What the parts of the engine in memory (engine_fake.h) have of each other. Tests do not need it.
 */
#ifndef LUDUS_ENGINE_FAKE_PARTS_H
#define LUDUS_ENGINE_FAKE_PARTS_H

#include "engine_fake.h"

/* What a server is told later, at its engine_work(). */
enum engine_event_kind {
    EVENT_CHANGED,
    EVENT_LOAD,
    EVENT_TOLD,
    EVENT_SEEK,
    EVENT_REPLACED,
    EVENT_NODES
};

/* Adds an event with the id of its match, or "", and a text: a line, a seek or a player's name. */
void fake_add_event(struct engine_node *node, enum engine_event_kind kind, const char *id,
                    const char *text);

/* The player of that name among `players`, who is added there if need be. NULL for NULL. */
struct player *fake_person_in(struct players *players, const struct player *person);

/* A person who is kept, as a server sees them. NULL for NULL. */
struct player *fake_person_at(struct engine_node *node, const struct player *kept);

/* A new draft in the lobby, with the number and the id of a table. */
struct table *fake_new_table(struct lobby *lobby, const struct table *from);

/* Makes `to`, a draft or a new table, what `from` is, with these players. */
void fake_copy_table(struct table *to, const struct table *from, struct player *const players[2]);

/* A draft of a server's table with what is kept now. */
struct table *fake_draft(struct engine_node *node, struct table *table);

/* Plays the latest move in a server's table, if that is all that is missing there, and it goes on.
 * False if it is not. */
bool fake_play(struct engine_node *node, struct table *table);

/* Gives a server a table that is kept, unless it has it. */
void fake_load_table(struct engine_node *node, const struct table *kept);

/* The seek of a server; NULL: there is none. */
struct engine_seek *fake_find_seek(struct engine *engine, int node, int64_t number);

void fake_drop_seek(struct engine *engine, struct engine_seek *seek);

/* Offers a seek of a server to the others, or takes it back: text NULL. */
void fake_offer_seek(struct engine_node *from, int64_t number, const char *text);

/* Tells a server an event of another one's seek. */
void fake_tell_seek(struct engine_node *node, const char *event);

/* Tells a server which of its seeks have ended in a match. */
void fake_tell_paired(struct engine_node *node, struct table *table);

/* Keeps a unit of a server, or finds it stale and brings it up to date. */
void fake_keep_unit(struct engine_node *node, struct unit *unit);

/* Answers a server. */
void fake_answer(struct engine_node *node, struct look_up *asked);

#endif
