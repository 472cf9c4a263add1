/* The second connection: lists. */
#include "postgres.h"

void postgres_look_up_list(struct postgres *postgres, struct look_up *look_up)
{
    postgres_answer(postgres, look_up, LOOK_NOTHING);
}
