# bash completion for ludus-bridge. The options and games come from its help.
_ludus_bridge()
{
    local typed=${COMP_LINE:0:COMP_POINT} row='^  (--[a-z-]+)( ([^ ]+))?(  |$)'
    local typed_word=${typed##*[[:space:]]} options='' value='' values='' kind='' words word
    local before line breaks help games
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}

    help=$("${words[0]/#\~/$HOME}" --help 2>/dev/null)
    while IFS= read -r line; do
        [[ $line =~ $row ]] || continue
        options+=" ${BASH_REMATCH[1]}"
        [[ $before != "${BASH_REMATCH[1]}" ]] || value=${BASH_REMATCH[3]}
    done <<<"$help"
    games=$(awk '/^Games:/ { on = 1; next }
        !NF { on = 0 }
        on { print $1; for (i = 2; i <= NF; i++) print $1 ":" $i }' <<<"$help")

    case $value in
    '') if [[ $word == -* ]]; then values=$options; else kind=-c; fi ;;
    FILE) kind=-f; compopt -o filenames 2>/dev/null ;;
    COMMAND) kind=-c ;;
    HOST:PORT) kind='-A hostname' ;;
    GAMES | 'GAME[:VARIANT]')
        word=${word##*,} values=$games ;;
    *'|'*) values=${value//|/ } ;;
    *) return ;;
    esac

    # shellcheck disable=SC2086 # $kind is an option and its argument
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludus_bridge ludus-bridge
