/* ludus: the terminal client of a Ludus server. */
#include <locale.h>
#include <signal.h>

#include "options.h"
#include "output.h"
#include "run.h"
#include "subcommand.h"

static int begin_client(int argc, char *argv[])
{
    struct options options;
    int status;

    if (!options_read(&options, argc, argv, &status))
        return status;
    return run_client(&options);
}

int main(int argc, char *argv[])
{
    const struct usage_command *subcommand = usage_find(subcommands, argc > 1 ? argv[1] : NULL);

    output_begin();
    setlocale(LC_CTYPE, ""); /* libedit needs to know how letters are encoded */
    signal(SIGPIPE, SIG_IGN);
    return output_end(subcommand != NULL ? subcommand->run(argc - 1, argv + 1)
                                         : begin_client(argc, argv));
}
