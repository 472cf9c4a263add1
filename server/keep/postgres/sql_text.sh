#!/bin/sh
# Turns the files of SQL into a C file for ludusd.
# usage: sh sql_text.sh schema.sql functions.sql >postgres_sql.c
set -eu

as_string='s/[\\"]/\\&/g; s/.*/"&\\n"/'

echo '#include "server/keep/postgres/postgres.h"'
echo
echo '#include <stddef.h>'
echo
echo 'const char *const postgres_steps[] = {'
sed "$as_string"'; s/^"-- version /,&/' "$1"
echo ', NULL};'
echo
echo 'const char postgres_functions[] ='
sed "$as_string" "$2"
echo ';'
