/*
 * The load generator: measures a running server while it plays random matches as fast as the server
 * answers, repeats one line, or holds idle connections. `load --help` lists the options. Exits 1 at
 * the first error reply or lost connection.
 */
#include <stdio.h>
#include <stdlib.h>

#include "load_options.h"
#include "load_report.h"

static int failure(const char *why)
{
    fprintf(stderr, "load: %s\n", why);
    return EXIT_FAILURE;
}

static int run_play(const struct load_settings *settings)
{
    struct load_result result;

    load_play(&settings->play, &result);
    report_play(&settings->play, &result, settings->json);
    int status = result.errors > 0 ? failure(result.error) : EXIT_SUCCESS;
    load_release(&result);
    return status;
}

static int run_echo(const struct load_settings *settings)
{
    struct echo_result result;
    struct cause cause;

    bool good = load_echo(&settings->echo, &result, &cause);
    if (good)
        report_echo(&settings->echo, &result, settings->json);
    echo_release(&result);
    return good ? EXIT_SUCCESS : failure(cause.text);
}

static int run_idle(const struct load_settings *settings)
{
    struct idle_result result;
    struct cause cause;

    if (!load_idle(&settings->idle, &result, &cause))
        return failure(cause.text);
    report_idle(&settings->idle, &result, settings->json);
    return EXIT_SUCCESS;
}

int main(int argc, char *argv[])
{
    struct load_settings settings;

    if (!load_options_read(&settings, argc, argv))
        return 2;
    switch (settings.mode) {
    case LOAD_ECHO:
        return run_echo(&settings);
    case LOAD_IDLE:
        return run_idle(&settings);
    case LOAD_PLAY:
        return run_play(&settings);
    default:
        fputs(load_help, stdout);
        return EXIT_SUCCESS;
    }
}
