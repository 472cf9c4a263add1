#include "thinker.h"

#include <stdlib.h>
#include <string.h>

#include "client/bot/bot.h"

static void *run(void *argument)
{
    struct thinker *thinker = argument;

    thinker->done(thinker->context, thinker->engine->think(&thinker->question));
    return NULL;
}

void thinker_start(struct thinker *thinker, const struct engine *engine,
                   const struct question *question)
{
    struct history history = thinker->question.history;

    history_copy(&history, &question->history);
    thinker->question = *question;
    thinker->question.history = history;
    thinker->question.stop = &thinker->stop;
    thinker->engine = engine;
    atomic_store(&thinker->stop, false);
    int error = pthread_create(&thinker->thread, NULL, run, thinker);
    if (error != 0) {
        bot_error("thread", "%s", strerror(error));
        exit(1);
    }
    thinker->busy = true;
}

void thinker_stop(struct thinker *thinker)
{
    atomic_store(&thinker->stop, true);
}

void thinker_wait(struct thinker *thinker)
{
    if (thinker->busy)
        pthread_join(thinker->thread, NULL);
    thinker->busy = false;
}

void thinker_release(struct thinker *thinker)
{
    history_release(&thinker->question.history);
}
