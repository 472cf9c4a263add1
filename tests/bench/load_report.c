#include "load_report.h"

#include <stdio.h>

static double per(int64_t amount, int64_t count)
{
    return count > 0 ? (double)amount / (double)count : 0;
}

static double per_s(int64_t count, int64_t took_ns)
{
    return 1e9 * per(count, took_ns);
}

/* Microseconds each, and the share of one core. */
static void print_cpu(const char *title, int64_t cpu_ns, int64_t count, int64_t took_ns)
{
    printf("%-28s %10.2f %9.0f%%\n", title, per(cpu_ns, count) / 1e3, 100 * per(cpu_ns, took_ns));
}

static void print_samples(const char *title, const struct samples *samples)
{
    printf("%-28s %10.0f %10.0f %10.0f\n", title, samples_us(samples, 0.5),
           samples_us(samples, 0.99), samples_us(samples, 0.999));
}

static void print_json_samples(const char *name, const struct samples *samples)
{
    printf("\"%s_p50_us\":%.1f,\"%s_p99_us\":%.1f,\"%s_p99_9_us\":%.1f,", name,
           samples_us(samples, 0.5), name, samples_us(samples, 0.99), name,
           samples_us(samples, 0.999));
}

static void print_play(const struct load_options *options, const struct load_result *result)
{
    printf("%s: %ld matches at a time, %ld watchers each, %ld windows a player, seed %ld\n\n",
           options->game, options->matches, options->watchers, options->windows, options->seed);
    printf("%-28s %10.2f\n", "seconds", (double)result->took_ns / 1e9);
    printf("%-28s %10lld\n", "moves", (long long)result->moves);
    printf("%-28s %10.0f\n", "moves per second", per_s(result->moves, result->took_ns));
    if (options->pipeline > 0)
        printf("%-28s %10.0f\n", "answers per second", per_s(result->answers, result->took_ns));
    printf("%-28s %10.0f\n", "bytes read a move", per(result->received_bytes, result->moves));
    printf("%-28s %10lld\n", "matches over", (long long)result->matches_over);
    printf("%-28s %10d\n", "errors", result->errors);
    if (options->pid > 0)
        printf("%-28s %10.1f\n", "memory of the server, MiB",
               (double)result->server_resident_bytes / (1 << 20));
    printf("\n%-28s %10s %10s %10s\n", "from a move, microseconds", "p50", "p99", "p99.9");
    print_samples("to all players' states", &result->players);
    if (options->watchers > 0)
        print_samples("to the last watcher's state", &result->watchers);
    printf("\n%-28s %10s %10s\n", "processor time", "us a move", "of a core");
    if (options->pid > 0)
        print_cpu("server", result->server_cpu_ns, result->moves, result->took_ns);
    print_cpu("load generator", result->own_cpu_ns, result->moves, result->took_ns);
    printf("\nMoves include their share of opening and joining the matches.\n");
}

/* Without watchers there are no watchers_p… */
static void print_play_json(const struct load_options *options, const struct load_result *result)
{
    printf("{\"game\":\"%s\",\"matches\":%ld,\"watchers\":%ld,\"windows\":%ld,\"seed\":%ld,"
           "\"seconds\":%.3f,"
           "\"moves\":%lld,\"moves_per_s\":%.1f,\"answers\":%lld,\"bytes_per_move\":%.1f,"
           "\"matches_over\":%lld,",
           options->game, options->matches, options->watchers, options->windows, options->seed,
           (double)result->took_ns / 1e9, (long long)result->moves,
           per_s(result->moves, result->took_ns), (long long)result->answers,
           per(result->received_bytes, result->moves), (long long)result->matches_over);
    print_json_samples("players", &result->players);
    if (options->watchers > 0)
        print_json_samples("watchers", &result->watchers);
    if (options->pid > 0)
        printf("\"server_cpu_us\":%.2f,\"server_bytes\":%lld,",
               per(result->server_cpu_ns, result->moves) / 1e3,
               (long long)result->server_resident_bytes);
    printf("\"own_cpu_us\":%.2f,\"own_cpu_percent\":%.1f,\"errors\":%d}\n",
           per(result->own_cpu_ns, result->moves) / 1e3,
           100 * per(result->own_cpu_ns, result->took_ns), result->errors);
}

void report_play(const struct load_options *options, const struct load_result *result, bool json)
{
    if (json)
        print_play_json(options, result);
    else
        print_play(options, result);
}

static void print_echo(const struct echo_options *options, const struct echo_result *result)
{
    printf("%s: %ld connections, %ld lines at a time on each\n\n", options->line,
           options->connections, options->pipeline);
    printf("%-28s %10.2f\n", "seconds", (double)result->took_ns / 1e9);
    printf("%-28s %10lld\n", "lines", (long long)result->lines);
    printf("%-28s %10.0f\n", "lines per second", per_s(result->lines, result->took_ns));
    printf("%-28s %10.0f\n", "bytes read a line", per(result->received_bytes, result->lines));
    printf("\n%-28s %10s %10s %10s\n", "microseconds", "p50", "p99", "p99.9");
    print_samples("to the last answer", &result->answers);
    printf("\n%-28s %10s %10s\n", "processor time", "us a line", "of a core");
    if (options->pid > 0)
        print_cpu("server", result->server_cpu_ns, result->lines, result->took_ns);
    print_cpu("load generator", result->own_cpu_ns, result->lines, result->took_ns);
}

void report_echo(const struct echo_options *options, const struct echo_result *result, bool json)
{
    if (!json) {
        print_echo(options, result);
        return;
    }
    printf("{\"connections\":%ld,\"pipeline\":%ld,\"seconds\":%.3f,\"lines\":%lld,"
           "\"lines_per_s\":%.1f,\"bytes_per_line\":%.1f,",
           options->connections, options->pipeline, (double)result->took_ns / 1e9,
           (long long)result->lines, per_s(result->lines, result->took_ns),
           per(result->received_bytes, result->lines));
    print_json_samples("answer", &result->answers);
    if (options->pid > 0)
        printf("\"server_cpu_us\":%.3f,", per(result->server_cpu_ns, result->lines) / 1e3);
    printf("\"own_cpu_us\":%.3f}\n", per(result->own_cpu_ns, result->lines) / 1e3);
}

void report_idle(const struct idle_options *options, const struct idle_result *result, bool json)
{
    double connection = per(result->connected_bytes - result->before_bytes, options->connections);
    double match = per(result->matches_bytes - result->connected_bytes, options->matches);
    double percent = 100 * per(result->server_cpu_ns, result->took_ns);

    if (json) {
        printf("{\"connections\":%ld,\"matches\":%ld,\"seconds\":%.3f,\"bytes_per_connection\":"
               "%.1f,\"bytes_per_match\":%.1f,\"server_bytes\":%lld,\"server_cpu_percent\":%.3f}\n",
               options->connections, options->matches, (double)result->took_ns / 1e9, connection,
               match, (long long)result->matches_bytes, percent);
        return;
    }
    printf("%ld connections%s, %ld matches, waited for %.1f s\n\n", options->connections,
           options->named ? " with names" : "", options->matches, (double)result->took_ns / 1e9);
    printf("%-28s %10.1f\n", "memory of the server, MiB",
           (double)result->matches_bytes / (1 << 20));
    printf("%-28s %10.0f\n", "bytes a connection", connection);
    if (options->matches > 0)
        printf("%-28s %10.0f\n", "bytes a match", match);
    printf("%-28s %10.2f\n", "processor, % of a core", percent);
}
