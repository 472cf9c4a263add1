#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/text.h"

static const char *const words[LOG_LEVELS] = {"debug", "info", "warn", "error"};

static enum log_level least_level = LOG_INFO;
static int file_descriptor = -1; /* -1: standard error */
static bool is_cut;              /* the last line did not go out whole, as when the disk is full */

void log_set_level(enum log_level level)
{
    least_level = level;
}

bool log_to_file(const char *path, struct cause *cause)
{
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);

    if (descriptor < 0)
        return cause_set(cause, "%.120s: %s", path, strerror(errno));
    log_close();
    file_descriptor = descriptor;
    is_cut = false;
    return true;
}

void log_close(void)
{
    if (file_descriptor >= 0)
        close(file_descriptor);
    file_descriptor = -1;
}

/* Returns whether a byte is a character that needs no escape, as nearly all are. */
static bool is_plain(char c, bool quotes)
{
    return c >= ' ' && c <= '~' && !(quotes && (c == '"' || c == '\\'));
}

/* Copies a text to out[size], with bytes that are not clean UTF-8 as \xHH and, if `quotes`, quotes
 * and backslashes escaped. Returns the bytes written, without the NUL. *whole: everything fit. */
static size_t escape_text(char *out, size_t size, const char *text, bool quotes, bool *whole)
{
    size_t length = strlen(text), used = 0, bytes;

    for (size_t i = 0; i<length; i += bytes> 0 ? bytes : 1) {
        bytes = 1;
        if (is_plain(text[i], quotes) && used + 1 < size) {
            out[used++] = text[i];
            continue;
        }
        char piece[8] = "";
        bytes = utf8_character(text + i, length - i);
        if (bytes == 0)
            snprintf(piece, sizeof piece, "\\x%02x", (unsigned)(unsigned char)text[i]);
        else if (quotes && (text[i] == '"' || text[i] == '\\'))
            snprintf(piece, sizeof piece, "\\%c", text[i]);
        else
            memcpy(piece, text + i, bytes);
        size_t piece_bytes = strlen(piece);
        *whole = used + piece_bytes < size;
        if (!*whole)
            break;
        memcpy(out + used, piece, piece_bytes);
        used += piece_bytes;
    }
    out[used] = '\0';
    return used;
}

struct quoted log_quote(const char *text)
{
    struct quoted quoted = {"\""};
    bool whole = true;
    size_t room = sizeof quoted.text - sizeof "\"...\"" + 1;
    size_t used = escape_text(quoted.text + 1, room, text, true, &whole) + 1;

    memcpy(quoted.text + used, whole ? "\"" : "...\"", whole ? 2 : 5);
    return quoted;
}

void log_line(enum log_level level, const char *format, ...)
{
    char text[1024], line[1200];
    time_t now = time(NULL);
    struct tm utc;
    va_list args;
    bool whole;

    if (level < least_level)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    line[0] = '\n'; /* ends one that was cut */
    size_t begin = 1;
    size_t used = begin + strftime(line + begin, sizeof line - begin, "time=%Y-%m-%dT%H:%M:%SZ",
                                   gmtime_r(&now, &utc));
    used += (size_t)snprintf(line + used, sizeof line - used, " level=%s ", words[level]);
    used += escape_text(line + used, sizeof line - used - 1, text, false, &whole);
    line[used++] = '\n';
    int descriptor = file_descriptor >= 0 ? file_descriptor : STDERR_FILENO;
    /* One call, so that lines of several processes do not mix. A failure cannot be reported. */
    begin = is_cut ? 0 : 1;
    ssize_t written = write(descriptor, line + begin, used - begin);
    if (written > 0)
        is_cut = line[begin + (size_t)written - 1] != '\n';
}

void log_out_of_memory(void)
{
    log_line(LOG_ERROR, "event=out-of-memory");
}
