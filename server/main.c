/* ludusd: reads the options, puts the server together and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/ports.h"
#include "common/usage.h"
#include "common/xmalloc.h"

#include "server/base/log.h"
#include "server/boot/privilege.h"
#include "server/boot/reload.h"
#include "server/boot/server_options.h"
#include "server/boot/service.h"
#include "server/keep/backup.h"
#include "server/keep/maintain.h"
#include "server/keep/postgres/postgres_archive.h"
#include "server/keep/store.h"
#include "server/net/control.h"
#include "server/net/http.h"
#include "server/net/lan.h"
#include "server/net/loop.h"
#include "server/net/peer.h"
#include "server/net/stream.h"
#include "server/play/lifecycle.h"

/* The parts of the program. */
struct program {
    struct server_options options;
    int argc;
    char **argv;
    struct server *server;
    struct service service;
    struct beacon_listener *beacon; /* owned; NULL: `ludus join` does not find the server */
    struct ssl_ctx_st *certificate; /* owned; NULL: no TLS */
    struct web_names web_names;
    struct networks trusted;
    char folder[FOLDER_TEXT_MAX]; /* of the store; "": none */
    struct store *store;          /* the keeper's, or NULL */
    struct control *control;      /* owned; NULL: nobody can ask for a backup */
    bool store_locked;            /* it could not be opened, as another server uses it */
};

/* The exit status where another server uses the store. `ludus host` knows it. */
enum { STATUS_STORE_LOCKED = 3 };

static int report_failure(const char *why)
{
    fprintf(stderr, "ludusd: %s\n", why);
    return 1;
}

static bool add_house(struct server *server, const struct server_options *options,
                      struct cause *cause)
{
    struct house_bots *house = &server->house;

    if (options->no_bots)
        return true;
    house_bots_add_levels(house, options->bots);
    if (!house_bots_find_program(house, options->bot_program))
        return cause_set(cause,
                         "%.120s: house bot program not found: see --bot-program and --no-bots",
                         house->program);
    server_add_levels(server);
    return true;
}

/* Sets the join code: the given one, or for --lan that of the store. */
static void set_code(const struct program *program)
{
    const struct server_options *options = &program->options;
    struct server *server = program->server;

    if (options->open)
        return;
    snprintf(server->code, sizeof server->code, "%s", options->code);
    if (options->lan && options->code[0] == '\0')
        join_code_keep(program->folder, options->new_code, server->code);
}

/* Finds the directory of the store, by the option or the environment; a service needs no option. */
static bool find_folder(const struct server_options *options, char folder[FOLDER_TEXT_MAX],
                        struct cause *cause)
{
    const char *given =
        options->data[0] != '\0' ? options->data : folder_of_service("STATE_DIRECTORY");

    if (given == NULL)
        return folder_of_user(folder, "XDG_STATE_HOME", ".local/state", "ludus") ||
               cause_set(cause, "no directory for the store: give --data DIR or --data none");
    snprintf(folder, FOLDER_TEXT_MAX, "%s", given);
    return true;
}

/* Finds the address at which clients reach this server. */
static bool find_place(const struct server_options *options, char place[NODE_ADDRESS_MAX],
                       struct cause *cause)
{
    const char *address = options->listen_count > 0 ? options->listen[0]
                          : options->lan            ? "0.0.0.0"
                                                    : "127.0.0.1:" DEFAULT_PORT_TEXT;
    bool known = strncmp(address, "0.0.0.0", 7) != 0 && strncmp(address, "[::]", 4) != 0 &&
                 strstr(address, "://") == NULL;

    if (options->advertise[0] != '\0')
        address = options->advertise;
    snprintf(place, NODE_ADDRESS_MAX, "%s", address);
    return known || options->advertise[0] != '\0' ||
           cause_set(cause, "database: advertise is missing: clients need to find this server");
}

/* Shares the lobby of a database with other servers. */
static bool open_database(struct program *program, struct keeper **keeper, struct cause *cause)
{
    const struct server_options *options = &program->options;
    struct node self = {.id = options->node};

    if (!find_place(options, self.address, cause))
        return false;
    program->server->nodes = (struct nodes){.own = self.id, .count = 1, .list = {self}};
    *keeper = keeper_postgres(options->database, &self, options->node_timeout_s, cause);
    now_set(program->server); /* the database may have kept it waiting */
    if (*keeper == NULL || !server_take_up(program->server, *keeper, cause))
        return false;
    log_line(LOG_INFO, "event=engine node=%d address=%s", self.id, self.address);
    return true;
}

/* Opens the store, unless there is to be none, and loads its matches. */
static bool open_keeper(struct program *program, struct keeper **keeper, struct cause *cause)
{
    const struct server_options *options = &program->options;
    char file[FOLDER_TEXT_MAX + 16];
    struct server *server = program->server;

    if (options->database[0] != '\0')
        return open_database(program, keeper, cause);
    if (strcmp(options->data, "none") == 0)
        return true;
    if (!find_folder(options, program->folder, cause))
        return false;
    snprintf(file, sizeof file, "%s/ludus.db", program->folder);
    if (!privilege_may_write(program->folder, cause) || !privilege_may_write(file, cause))
        return false;
    now_set(server);
    if (options->restore[0] != '\0' &&
        !backup_restore(program->folder, options->restore, server->wall_s, &program->store_locked,
                        cause))
        return false;
    struct store *store = program->store =
        store_open(program->folder, options->durability, &program->store_locked, cause);
    if (store == NULL)
        return false;
    *keeper = keeper_sqlite(store);
    now_set(server); /* a store that is restored, or of a version before, takes time to open */
    if (!server_take_up(server, *keeper, cause))
        return false;
    if (server->lobby.broken > 0) /* the store has logged each */
        log_line(LOG_ERROR,
                 "event=broken-matches count=%d text=\"they are read-only: stop the server and run "
                 "ludusd check --repair\"",
                 server->lobby.broken);
    log_line(LOG_INFO, "event=store folder=%s names=%d open=%d playing=%d",
             log_quote(program->folder).text, server->players.named, server->lobby.open,
             server->lobby.playing);
    return true;
}

/* Opens the store that no server uses. NULL with the cause. */
static struct store *open_existing(const struct server_options *options, struct cause *cause)
{
    char folder[FOLDER_TEXT_MAX];

    if (strcmp(options->data, "none") == 0) {
        cause_set(cause, "--data none: no store to check or export");
        return NULL;
    }
    return find_folder(options, folder, cause) ? store_open_existing(folder, cause) : NULL;
}

static int check_or_export(const struct server_options *options, const struct archive *archive)
{
    if (!options->check)
        return maintain_export(archive, options->export);
    return maintain_check(archive, options->repair ? MAINTAIN_REPAIR : MAINTAIN_CHECK);
}

/* Checks or exports a database, which servers may use meanwhile. */
static int maintain_database(const struct server_options *options)
{
    struct cause cause;
    struct postgres_archive *source = postgres_archive_open(options->database, &cause);

    if (source == NULL)
        return report_failure(cause.text);
    const struct archive archive = postgres_archive(source);
    int status = check_or_export(options, &archive);
    postgres_archive_close(source);
    return status;
}

/* Copies a store, if a server uses it with the help of that. */
static int back_up(const struct server_options *options)
{
    char folder[FOLDER_TEXT_MAX];
    struct cause cause;
    bool found = false;

    if (!find_folder(options, folder, &cause) || !backup_may_take(folder, options->backup, &cause))
        return report_failure(cause.text);
    int server = control_ask_backup(folder, &found, &cause);
    if (found && server < 0)
        return report_failure(cause.text);
    struct store *store = found ? NULL : open_existing(options, &cause);
    struct backup *backup = store != NULL ? backup_make(store, &cause) : NULL;
    bool good = (found || backup != NULL) && backup_take(folder, options->backup, &cause);
    backup_free(backup);
    store_close(store);
    if (server >= 0)
        close(server);
    return good ? 0 : report_failure(cause.text);
}

/* Copies a store that no server uses into a database, or a database into a new store. */
static int import_store(const struct server_options *options)
{
    bool takes_out = options_task(options) == TASK_TAKE_OUT;
    struct cause cause;
    struct store *store = NULL;

    if (!takes_out && (store = store_open_existing(options->import_from, &cause)) == NULL)
        return report_failure(cause.text);
    struct postgres_archive *source = postgres_archive_open(options->database, &cause);
    if (source != NULL && takes_out)
        store = store_open(options->data, DURABILITY_POWER, NULL, &cause);
    int status = 1;
    if (source != NULL && store != NULL) {
        const struct archive here = store_archive(store), there = postgres_archive(source);
        status = takes_out ? maintain_import(&there, &here) : maintain_import(&here, &there);
    } else {
        report_failure(cause.text);
    }
    if (source != NULL)
        postgres_archive_close(source);
    store_close(store);
    return status;
}

/* Checks or exports a store that no server uses, of which a copy will do unless it is to be
 * repaired. */
static int maintain_store(const struct server_options *options)
{
    char folder[FOLDER_TEXT_MAX], work[BACKUP_WORK_MAX] = "";
    struct cause cause;
    bool copies = strcmp(options->data, "none") != 0 && !options->repair &&
                  find_folder(options, folder, &cause) && backup_is_read_only(folder);
    struct store *store =
        copies ? backup_open_copy(folder, work, &cause) : open_existing(options, &cause);

    if (store == NULL)
        return report_failure(cause.text);
    const struct archive archive = store_archive(store);
    int status = check_or_export(options, &archive);
    store_close(store);
    if (copies)
        backup_remove_copy(work);
    return status;
}

/* Checks or exports a store that no server uses, or a database. */
static int maintain_matches(const struct server_options *options)
{
    enum server_task task = options_task(options);

    if (task == TASK_IMPORT || task == TASK_TAKE_OUT)
        return import_store(options);
    if (task == TASK_BACK_UP)
        return back_up(options);
    if (options->database[0] != '\0')
        return maintain_database(options);
    return maintain_store(options);
}

static void reload_on_hangup(void *context)
{
    struct program *program = context;

    service_tell_reloading(&program->service);
    reload(program->server, &program->options, program->argc, program->argv);
    service_tell(&program->service, "READY=1");
}

static void tell_alive(void *context)
{
    const struct program *program = context;

    service_tell(&program->service, "WATCHDOG=1");
}

static void tell_stopping(void *context)
{
    const struct program *program = context;

    service_tell(&program->service, "STOPPING=1");
}

static struct loop *make_loop(struct program *program)
{
    int64_t watchdog_ms = program->service.watchdog_ms;
    const struct loop_hooks hooks = {
        /* In a terminal SIGHUP means that the terminal is gone. */
        .hangup = isatty(STDERR_FILENO) ? NULL : reload_on_hangup,
        .stopping = tell_stopping,
        .alive = tell_alive,
        .alive_every_ms = watchdog_ms > 0 ? watchdog_ms / 2 + 1 : 0,
        .context = program,
    };

    return loop_new(program->server, &hooks);
}

/* Gives up access to other files, and reports that the server can be used. */
static void become_ready(struct program *program)
{
    if (geteuid() == 0)
        log_line(LOG_WARN, "event=root text=\"running as root: see --user\"");
    const struct keeper *keeper = program->server->keeper;
    const char *files[KEEPER_FILES_MAX];
    bool shared = program->options.database[0] != '\0';
    if (!program->options.no_fence)
        fence_server(&program->options, program->folder, program->server->house.program, files,
                     shared ? keeper_postgres_files(keeper, files) : 0);
    if (!service_tell(&program->service, "READY=1"))
        log_line(LOG_WARN, "event=not-told state=READY error=%s", log_quote(strerror(errno)).text);
}

static int serve_clients(struct program *program)
{
    struct server *server = program->server;
    const struct server_options *options = &program->options;
    struct listen_addresses addresses = {.count = 0};
    char metrics[ADDRESS_TEXT_MAX];
    struct cause cause;
    struct loop *loop = make_loop(program);

    if (loop == NULL)
        return report_failure("event loop: cannot be created");
    set_code(program);
    if (!options->no_web) {
        web_names_init(&program->web_names, options->web_host);
        loop_set_web(loop, &program->web_names);
    }
    if (networks_add(&program->trusted, options->trusted_proxy, &cause)) /* as was checked */
        loop_set_trusted(loop, &program->trusted);
    struct listeners *listeners = loop_listeners(loop);
    if (!listen_everywhere(&addresses, listeners, options, program->certificate,
                           program->service.listen_count, &cause) ||
        (options->metrics_port >= 0 &&
         !listeners_add_metrics(listeners, options->metrics_port, metrics, &cause))) {
        loop_free(loop);
        return report_failure(cause.text);
    }
    if (options->metrics_port >= 0)
        printf("ludusd: metrics on http://%s/metrics\n", metrics);
    listen_for_bots(&addresses, &server->house);
    bool hides_code = server->code[0] != '\0' && service_is_journal();
    if (hides_code)
        printf("ludusd: a join code is required, which no journal is to keep: it is in the "
               "configuration, or in the file join-code of the store\n");
    else if (server->code[0] != '\0')
        printf("ludusd: join code %s\n", server->code);
    if (options->lan) {
        if (!hides_code)
            invitation_print(&addresses,
                             &(struct invitation){server->code, !options->no_web, !options->no_qr});
        program->beacon = beacon_listener_open(loop_base(loop), &addresses, server);
    }
    if (program->store != NULL &&
        (program->control =
             control_open(loop_base(loop), program->store, program->folder, &cause)) == NULL)
        log_line(LOG_WARN, "event=no-backups error=%s", log_quote(cause.text).text);
    fflush(stdout);
    become_ready(program);
    bool good = loop_run(loop);
    if (!good)
        fprintf(stderr, "ludusd: event loop: %s\n", strerror(errno));
    log_line(LOG_INFO, "event=stopped connections=%d", server->session_count);
    house_bots_stop(&server->house);
    control_close(program->control);
    beacon_listener_close(program->beacon);
    loop_free(loop);
    return good ? 0 : 1;
}

/* Every connection takes a descriptor. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Opens standard streams that are closed, so that no other file gets their numbers and, with them,
 * the lines of the log. */
static void fill_standard_descriptors(void)
{
    int descriptor;

    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
}

static int report_config(const struct server_options *options)
{
    if (options->config[0] != '\0')
        printf("ludusd: %s: good\n", options->config);
    else
        puts("ludusd: no configuration file; the command line is good");
    return 0;
}

/* Reads the certificate, if there is one. Only root may be allowed to. */
static bool load_certificate(struct program *program, struct cause *cause)
{
    const struct server_options *options = &program->options;

    if (options->tls_cert[0] == '\0')
        return true;
    program->certificate = certificate_load(options->tls_cert, options->tls_key, cause);
    return program->certificate != NULL;
}

/* Runs a server with its store. */
static int run_server(struct program *program)
{
    struct server_options *options = &program->options;
    struct server *server = program->server = xmalloc(sizeof *server);
    struct keeper *keeper = NULL;
    struct cause cause;

    server_init(server, &options->limits);
    server->hosted = options->hosted;
    log_set_level(options->log_level);
    bool good = (options->log[0] == '\0' || log_to_file(options->log, &cause)) &&
                open_keeper(program, &keeper, &cause) && add_house(server, options, &cause);
    int status = good ? serve_clients(program) : report_failure(cause.text);
    if (program->store_locked)
        status = STATUS_STORE_LOCKED;
    server_release(server);
    if (keeper != NULL)
        keeper->kind->close(keeper);
    free(server);
    log_close();
    return status;
}

/* Does what the options ask, with the rights of their user. */
static int obey_options(struct program *program)
{
    const struct server_options *options = &program->options;
    bool serves = options_task(options) == TASK_SERVE;
    struct cause cause;

    if (options->check_config)
        return report_config(options);
    if ((serves && !load_certificate(program, &cause)) ||
        (options->user[0] != '\0' && !privilege_drop(options->user, &cause)))
        return report_failure(cause.text);
    return serves ? run_server(program) : maintain_matches(options);
}

int main(int argc, char *argv[])
{
    struct program program = {.argc = argc, .argv = argv};
    struct cause cause;

    xmalloc_set_report(log_out_of_memory);
    loop_use_xmalloc();
    certificate_use_xmalloc();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is handled like a full disk */
    fill_standard_descriptors();
    service_read(&program.service);
    raise_descriptor_limit();
    enum options_result result = server_options_read(&program.options, argc, argv, NULL, &cause);
    if (result == OPTIONS_BAD)
        report_failure(cause.text);
    if (result != OPTIONS_RUN)
        return usage_end("ludusd", result == OPTIONS_BAD ? 2 : 0);
    int status = obey_options(&program);
    certificate_free(program.certificate);
    return program.server != NULL ? status : usage_end("ludusd", status);
}
