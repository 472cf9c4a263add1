#include "postgres_answer.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum answer_state answer_state(const struct answer *answer)
{
    return answer->state;
}

const char *answer_message(const struct answer *answer)
{
    return answer->message;
}

int answer_rows(const struct answer *answer)
{
    return answer->result != NULL ? PQntuples(answer->result) : 0;
}

bool answer_is_null(const struct answer *answer, int row, int column)
{
    return PQgetisnull(answer->result, row, column) != 0;
}

const char *answer_text(const struct answer *answer, int row, int column)
{
    return PQgetvalue(answer->result, row, column);
}

int64_t answer_integer(const struct answer *answer, int row, int column)
{
    return strtoll(answer_text(answer, row, column), NULL, 10);
}

double answer_real(const struct answer *answer, int row, int column)
{
    return strtod(answer_text(answer, row, column), NULL);
}

bool answer_bool(const struct answer *answer, int row, int column)
{
    return answer_text(answer, row, column)[0] == 't';
}

/* The first line of a message. */
static void one_line(char *line, size_t size, const char *text)
{
    size_t length = strcspn(text, "\n");

    snprintf(line, size, "%.*s", (int)(length < size ? length : size - 1), text);
}

struct answer answer_lost(const char *why)
{
    struct answer answer = {.state = ANSWER_LOST};

    one_line(answer.message, sizeof answer.message, why);
    return answer;
}

/* Whether an error only says that others were first: serialization failures and deadlocks. */
static bool is_conflict(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    return state != NULL && strncmp(state, "40", 2) == 0;
}

bool answer_is_last(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    return state == NULL || strncmp(state, "57P", 3) == 0 || strncmp(state, "08", 2) == 0 ||
           strcmp(state, "25006") == 0;
}

struct answer answer_read(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    struct answer answer = {.result = result};

    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return answer;
    answer.state = is_conflict(result) ? ANSWER_CONFLICT : ANSWER_FAILED;
    answer.result = NULL;
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    one_line(answer.message, sizeof answer.message,
             text != NULL ? text : PQresultErrorMessage(result));
    return answer;
}
