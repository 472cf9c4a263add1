#include "metrics.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dispatch.h"
#include "session.h"

/* Begins a metric: what follows are its samples. */
static void begin(struct buffer *text, const char *name, const char *type, const char *help)
{
    buffer_printf(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* A metric of one sample. */
static void one(struct buffer *text, const char *name, const char *type, const char *help,
                double value)
{
    begin(text, name, type, help);
    buffer_printf(text, "%s %.15g\n", name, value);
}

static void write_people(struct buffer *text, const struct server *server, size_t pending_bytes)
{
    one(text, "ludus_connections", "gauge", "Open connections.", server->session_count);
    one(text, "ludus_connections_total", "counter", "Accepted connections.",
        (double)server->tally.connections);
    one(text, "ludus_connections_refused_total", "counter", "Connections refused for lack of room.",
        (double)server->tally.refused);
    begin(text, "ludus_http_answers_total", "counter", "Answers to browsers by class of status.");
    for (int i = 0; i < TALLY_HTTP_CLASSES; i++)
        buffer_printf(text, "ludus_http_answers_total{status=\"%dxx\"} %" PRIu64 "\n", i + 1,
                      server->tally.http[i]);
    one(text, "ludus_pending_bytes", "gauge", "Output that clients have not read yet.",
        (double)pending_bytes);
    one(text, "ludus_names", "gauge", "Names remembered.", server->players.named);
}

static void write_bots(struct buffer *text, const struct server *server)
{
    begin(text, "ludus_house_bot_up", "gauge", "1 if the house bot of that level runs.");
    for (int i = 0; i < server->house.count; i++)
        buffer_printf(text, "ludus_house_bot_up{level=\"%s\"} %d\n", server->house.bots[i].level,
                      server->house.bots[i].pid != 0);
}

/* The matches of one game that are not over, by whether they have begun. */
static void count_matches(const struct server *server, const struct game *game, int counts[2])
{
    const struct table *table;

    counts[0] = counts[1] = 0;
    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        if (table->match.game == game)
            counts[table->match.status == MATCH_PLAYING]++;
}

static void write_by_game(struct buffer *text, const char *name, const char *help,
                          const uint64_t counts[TALLY_GAMES_MAX])
{
    begin(text, name, "counter", help);
    for (int i = 0; i < TALLY_GAMES_MAX && games[i] != NULL; i++)
        buffer_printf(text, "%s{game=\"%s\"} %" PRIu64 "\n", name, games[i]->name, counts[i]);
}

static void write_matches(struct buffer *text, const struct server *server)
{
    int counts[2];

    begin(text, "ludus_matches", "gauge", "Unfinished matches by game and status.");
    for (int i = 0; games[i] != NULL; i++) {
        count_matches(server, games[i], counts);
        buffer_printf(text,
                      "ludus_matches{game=\"%s\",status=\"open\"} %d\n"
                      "ludus_matches{game=\"%s\",status=\"playing\"} %d\n",
                      games[i]->name, counts[0], games[i]->name, counts[1]);
    }
    one(text, "ludus_matches_broken", "gauge",
        "Matches that are read-only until `ludusd check --repair` has mended them.",
        server->lobby.broken);
    write_by_game(text, "ludus_matches_finished_total", "Finished matches by game.",
                  server->tally.finished);
    write_by_game(text, "ludus_moves_total", "Moves played by game.", server->tally.moves);
}

/* Only what has happened: there are a thousand pairs. */
static void write_replies(struct buffer *text, const char *verb,
                          const uint64_t counts[TALLY_STATUSES])
{
    for (int status = 0; status < TALLY_STATUSES; status++)
        if (counts[status] > 0)
            buffer_printf(text, "ludus_commands_total{command=\"%s\",result=\"%s\"} %" PRIu64 "\n",
                          verb, status_word((enum status)status), counts[status]);
}

static void write_commands(struct buffer *text, const struct server *server)
{
    begin(text, "ludus_commands_total", "counter",
          "Replies by command and result; internal also takes the place of one that could not be "
          "written down.");
    write_replies(text, "none", server->tally.replies[0]);
    for (int number = 1; number < TALLY_COMMANDS_MAX; number++) {
        const struct command *command = command_at(number);
        if (command != NULL)
            write_replies(text, command->verb, server->tally.replies[number]);
    }
}

static void write_store(struct buffer *text, const struct server *server)
{
    const struct tally *tally = &server->tally;

    one(text, "ludus_store_failures_total", "counter",
        "Transactions that failed and were rolled back.", (double)tally->commits_failed);
    begin(text, "ludus_store_commit_duration_seconds", "histogram",
          "Duration of store transactions.");
    for (int i = 0; i < TALLY_BUCKETS; i++)
        buffer_printf(text, "ludus_store_commit_duration_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                      (double)tally_bucket_us[i] / 1e6, tally->commits_within[i]);
    buffer_printf(text,
                  "ludus_store_commit_duration_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n"
                  "ludus_store_commit_duration_seconds_sum %.6f\n"
                  "ludus_store_commit_duration_seconds_count %" PRIu64 "\n",
                  tally->commits, (double)tally->commits_us / 1e6, tally->commits);
}

/* Writes the metrics of servers that share an engine. */
static void write_engine(struct buffer *text, const struct server *server)
{
    const struct tally *tally = &server->tally;
    const struct session *session;
    int waiting = 0;

    if (!keeper_has_more(server->keeper))
        return;
    TAILQ_FOREACH (session, &server->sessions, link)
        waiting += session->line != LINE_NEW || session->again != NULL;
    one(text, "ludus_nodes", "gauge", "Servers that share the engine and are alive.",
        server->nodes.count);
    one(text, "ludus_engine_units_total", "counter",
        "Changes that the engine has kept, in as many batches as there are transactions.",
        (double)tally->kept_units);
    one(text, "ludus_engine_stale_units_total", "counter",
        "Changes that ran again as another server was first.", (double)tally->stale_units);
    one(text, "ludus_engine_waiting_lines", "gauge", "Lines that wait for the engine.", waiting);
    one(text, "ludus_engine_news_lag_seconds", "gauge",
        "How long the latest notification of the engine took.", (double)tally->news_lag_us / 1e6);
}

/* The descriptors that are open; -1 where the system does not tell. */
static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    if (folder == NULL)
        return -1;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count - 1; /* but the one for this */
}

static void write_memory(struct buffer *text)
{
    FILE *statm = fopen("/proc/self/statm", "re");
    unsigned long virtual_pages, resident_pages;
    double page_bytes = (double)sysconf(_SC_PAGESIZE);

    if (statm == NULL)
        return;
    if (fscanf(statm, "%lu %lu", &virtual_pages, &resident_pages) == 2) {
        one(text, "process_virtual_memory_bytes", "gauge", "Virtual memory size.",
            (double)virtual_pages * page_bytes);
        one(text, "process_resident_memory_bytes", "gauge", "Resident memory size.",
            (double)resident_pages * page_bytes);
    }
    fclose(statm);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void write_process(struct buffer *text, const struct server *server)
{
    int64_t up_s = (server->now_ms - server->started_ms) / 1000;
    int descriptors = count_descriptors();
    struct rusage usage;
    struct rlimit limit;

    one(text, "ludus_uptime_seconds", "gauge", "Time since the server started.", (double)up_s);
    one(text, "process_start_time_seconds", "gauge", "Start time since 1970.",
        (double)server->started_s);
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        one(text, "process_cpu_seconds_total", "counter", "User and system processor time.",
            seconds(usage.ru_utime) + seconds(usage.ru_stime));
    write_memory(text);
    if (descriptors >= 0)
        one(text, "process_open_fds", "gauge", "Open file descriptors.", descriptors);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        one(text, "process_max_fds", "gauge", "Limit of open file descriptors.",
            (double)limit.rlim_cur);
}

void metrics_write(struct buffer *text, const struct server *server, size_t pending_bytes)
{
    begin(text, "ludus_build_info", "gauge", "Always 1; the label is the version.");
    buffer_puts(text, "ludus_build_info{version=\"" LUDUS_VERSION "\"} 1\n");
    write_people(text, server, pending_bytes);
    write_bots(text, server);
    write_matches(text, server);
    write_commands(text, server);
    write_store(text, server);
    write_engine(text, server);
    write_process(text, server);
}
