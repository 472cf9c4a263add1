/* `ludus join`: the command line, and the search for servers before there is a client. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "client/lan/search.h"
#include "run.h"
#include "subcommands.h"

enum { NAME, CODE, LINE, TLS, HELP };

const struct usage_row join_rows[] = {
    {OPTION("code", "CODE", "the join code, which your friend tells you"), .code = CODE},
    {OPTION("name", "NAME", "your name there"), .code = NAME},
    {OPTION("tls", NULL, "use TLS, as with tls://HOST"), .code = TLS},
    {OPTION("line", NULL, "work line by line instead of in full screen"), .code = LINE},
    {OPTION("help", NULL, "print this help"), .code = HELP},
    {.name = NULL},
};

static const char help[] =
    "Joins a friend's server and takes the open match there. Without HOST it\n"
    "searches this network for two seconds, and asks which server if there are\n"
    "several. Without a terminal it only lists servers; the exit status is 1 if\n"
    "there are none.";

static bool read_options(struct args *args, const struct usage_command *command, int argc,
                         char *argv[], int *status)
{
    const char *values[USAGE_ROWS_MAX] = {NULL};

    if (!args_read_rows(command, HELP, help, argc, argv, values, status))
        return false;
    bool tls = values[TLS] != NULL;
    args->name = values[NAME];
    args->code = values[CODE];
    args->line = values[LINE] != NULL;
    if (optind < argc && !args_check_argument("HOST", argv[optind], status))
        return false;
    if (optind < argc)
        args->address = link_address(argv[optind++], tls, args->tls_address);
    else if (tls)
        return args_refuse(status, "--tls: only with HOST; a server that is found tells itself");
    if (optind < argc)
        return args_refuse(status, "%s: unexpected argument", argv[optind]);
    return args->name == NULL || args_check_name(args->name, status);
}

static void print_found(const struct found_list *found, bool numbered)
{
    char line[FOUND_LINE_MAX];

    for (int i = 0; i < found->count; i++) {
        found_describe(&found->list[i], line);
        if (numbered)
            printf("  %d  ", i + 1);
        puts(line);
    }
}

static int tell_none(void)
{
    fputs("ludus: join: no server was found on this network. Your friend starts one by\n"
          "`ludus host`; if it runs, type what it shows: ludus join HOST --code CODE\n",
          stderr);
    return 1;
}

/* Finds the server to go to. Returns its index; -1 ends the program with *status. */
static int find_server(struct found_list *found, int *status)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

    if (terminal)
        printf("Looking for servers on this network, %d seconds ...\n", SEARCH_MS / 1000);
    fflush(stdout);
    lan_search(found, SEARCH_MS);
    *status = found->count > 0 ? 0 : tell_none();
    if (found->count == 0)
        return -1;
    if (!terminal) {
        print_found(found, false);
        return -1;
    }
    print_found(found, found->count > 1);
    return found->count > 1 ? args_ask_number("Which one?", found->count) - 1 : 0;
}

int join_main(const struct usage_command *command, int argc, char *argv[])
{
    struct args args = {.join_open = true};
    char address[LINK_ADDRESS_MAX];
    struct found_list found;
    int status;

    if (!read_options(&args, command, argc, argv, &status))
        return status;
    if (args.address == NULL) {
        int index = find_server(&found, &status);
        if (index < 0)
            return status;
        found_address(&found.list[index], address);
        args.address = address;
    }
    return run_client(&args);
}
