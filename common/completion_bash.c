/*
 * The script for bash. It needs nothing but bash 4.4: no package with functions for completions.
 *
 * Bash hands over words that it has taken apart at : and =, and replaces only what stands behind
 * the last of these: the function puts the words together first, and takes what is replaced off
 * its answers in the end.
 */
#include <stdio.h>
#include <string.h>

#include "completion.h"

/* What is the same for every program, with the name of its functions as ~. */
static const char head[] =
    "# Adds to the answers what of it begins with the value that is typed.\n"
    "~_add_words() # OPTION...: as those of compgen\n"
    "{\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen \"$@\" -- \"$value\")\n"
    "}\n"
    "\n"
    "# The same for a list with commas: what is before the last one stays.\n"
    "~_add_list() # WORDS\n"
    "{\n"
    "    local before=${value%\"${value##*,}\"}\n"
    "\n"
    "    compopt -o nospace 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${value#\"$before\"}\")\n"
    "}\n"
    "\n"
    "~_add_paths() # OPTION: -f for files, -d for folders\n"
    "{\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    ~_add_words \"$1\"\n"
    "}\n";

static const char tail[] =
    "~()\n"
    "{\n"
    "    local words=() word current value='' command='' option='' argument='' options=''\n"
    "    local commands='' before='' breaks='' dashes='' count=0 i\n"
    "\n"
    "    ~_commands\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if ((${#words[@]} > 0)) && [[ $word == [:=]* || ( ${words[-1]} == *[:=] &&\n"
    "            ( -n $word || ${COMP_LINE:COMP_POINT-1:1} != ' ' ) ) ]]; then\n"
    "            words[-1]+=$word\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "        fi\n"
    "    done\n"
    "    current=${words[-1]}\n"
    "    unset 'words[-1]'\n"
    "\n"
    "    # What comes before: a command, an option whose value is next, how many arguments.\n"
    "    for ((i = 0; i < ${#words[@]}; i++)); do\n"
    "        word=${words[i]}\n"
    "        if [[ -n $option ]]; then\n"
    "            option=\n"
    "        elif [[ -z $dashes && $word == -- ]]; then\n"
    "            dashes=yes\n"
    "        elif [[ -z $dashes && $word == -* ]]; then\n"
    "            ~_argument \"$command\" \"$word\" && option=$word\n"
    "        elif ((i == 0)) && [[ \" $commands \" == *\" $word \"* ]]; then\n"
    "            command=$word\n"
    "        else\n"
    "            ((++count))\n"
    "        fi\n"
    "    done\n"
    "\n"
    "    COMPREPLY=()\n"
    "    value=$current\n"
    "    if [[ -z $option$dashes && $current == --*=* ]]; then\n"
    "        option=${current%%=*}\n"
    "        before=$option=\n"
    "        value=${current#*=}\n"
    "    fi\n"
    "    if [[ -n $option ]]; then\n"
    "        ~_argument \"$command\" \"$option\" && ~_offer \"$argument\"\n"
    "    elif [[ -z $dashes && $current == -* ]]; then\n"
    "        ~_options \"$command\"\n"
    "        ~_add_words -W \"$options\"\n"
    "    else\n"
    "        ((${#words[@]} > 0)) || ~_add_words -W \"$commands\"\n"
    "        ~_argument \"$command\" $((count + 1)) && ~_offer \"$argument\"\n"
    "    fi\n"
    "\n"
    "    COMPREPLY=(\"${COMPREPLY[@]/#/$before}\")\n"
    "    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:\n"
    "    [[ $COMP_WORDBREAKS == *=* ]] && breaks+==\n"
    "    if [[ -n $breaks ]]; then\n"
    "        before=${current%\"${current##*[$breaks]}\"}\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"$before\"}\")\n"
    "    fi\n"
    "}\n";

/* Prints a text in which ~ stands for the name. */
static void print_text(const char *text, const char *name)
{
    for (; *text != '\0'; text++) {
        if (*text == '~')
            fputs(name, stdout);
        else
            putchar(*text);
    }
}

static void print_commands(const struct completion *completion, const char *name)
{
    const struct usage_command *command = completion->commands;

    printf("\n%s_commands() # sets commands\n{\n    commands='", name);
    for (; command != NULL && command->word != NULL; command++)
        printf("%s%s", command == completion->commands ? "" : " ", command->word);
    puts("'\n}");
}

/* The line for the options of one command. */
static void print_options(const char *word, const struct usage_row *rows)
{
    bool first = true;

    printf("    '%s') options='", word);
    for (; rows->name != NULL; rows++) {
        if (rows->help == NULL)
            continue;
        printf("%s--%s", first ? "" : " ", rows->name);
        first = false;
    }
    puts("' ;;");
}

static void print_all_options(const struct completion *completion, const char *name)
{
    const struct usage_command *command = completion->commands;

    printf("\n%s_options() # COMMAND: sets options\n{\n    case $1 in\n", name);
    print_options("", completion->rows);
    for (; command != NULL && command->word != NULL; command++)
        print_options(command->word, command->rows);
    puts("    esac\n}");
}

/* What options and arguments of one command are called; an argument by its number, from 1. */
static void print_arguments(const char *word, const struct usage_row *rows, const char *arguments)
{
    char name[ARGUMENT_MAX];

    for (; rows->name != NULL; rows++)
        if (rows->help != NULL && rows->argument != NULL)
            printf("    '%s --%s') argument='%s' ;;\n", word, rows->name, rows->argument);
    for (int i = 1; completion_next(&arguments, name); i++) {
        size_t length = strlen(name);
        if (length > 3 && strcmp(name + length - 3, "...") == 0)
            printf("    '%s '[0-9]*) argument='%s' ;;\n", word, name);
        else
            printf("    '%s %d') argument='%s' ;;\n", word, i, name);
    }
}

static void print_all_arguments(const struct completion *completion, const char *name)
{
    const struct usage_command *command = completion->commands;

    printf("\n%s_argument() # COMMAND OPTION|NUMBER: sets argument to what its value is called\n"
           "{\n    case \"$1 $2\" in\n",
           name);
    print_arguments("", completion->rows, completion->arguments);
    for (; command != NULL && command->word != NULL; command++)
        print_arguments(command->word, command->rows, command->arguments);
    puts("    *) return 1 ;;\n    esac\n}");
}

/* What the arguments of one name can be; context is the name of the functions. */
static void print_values(void *context, const char *argument, const struct values *values)
{
    static const char *const calls[VALUE_KINDS] = {
        [VALUES_FILES] = "paths -f",
        [VALUES_FOLDERS] = "paths -d",
        [VALUES_HOSTS] = "words -A hostname",
        [VALUES_COMMANDS] = "words -c",
    };
    const char *name = context;

    printf("    '%s')\n", argument);
    for (int kind = VALUES_FILES; kind < VALUE_KINDS; kind++)
        if (values->is[kind])
            printf("        %s_add_%s\n", name, calls[kind]);
    if (values->is[VALUES_WORDS])
        printf("        %s_add_words -W '%s'\n", name, values->words[VALUES_WORDS]);
    if (values->is[VALUES_LIST])
        printf("        %s_add_list '%s'\n", name, values->words[VALUES_LIST]);
    puts("        ;;");
}

void completion_bash(const struct completion *completion)
{
    char name[COMPLETION_NAME_MAX];

    completion_name(completion, name);
    printf("# Completion of bash for %s, written by the program from its options.\n\n",
           completion->program);
    print_text(head, name);
    printf("\n%s_offer() # ARGUMENT: adds what it can be\n{\n    case $1 in\n", name);
    completion_visit(completion, print_values, name);
    puts("    esac\n}");
    print_commands(completion, name);
    print_all_options(completion, name);
    print_all_arguments(completion, name);
    putchar('\n');
    print_text(tail, name);
    printf("\ncomplete -F %s %s\n", name, completion->program);
}
