# bash completion for ludusd. The options and what their values are come from `ludusd --help`.
_ludusd()
{
    local typed=${COMP_LINE:0:COMP_POINT} row='^  (--[a-z-]+)( ([^ ]+))?(  |$)'
    local typed_word=${typed##*[[:space:]]} options='' value='' values='backup check import restore' kind='' words word
    local before line standard breaks
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}

    while IFS= read -r line; do
        [[ $line =~ $row ]] || continue
        options+=" ${BASH_REMATCH[1]}"
        [[ $before != "${BASH_REMATCH[1]}" ]] || value=${BASH_REMATCH[3]} standard=${line##*\(}
    done < <("${words[0]/#\~/$HOME}" --help 2>/dev/null)

    case $value in
    '') [[ $word != -* ]] || values=$options ;;
    LEVELS) values=${standard//[,)]/ } word=${word##*,} ;; # the default has them all
    *) values=${value//[^[:lower:]|]/} values=${values//|/ } ;; # as none in FILE|none
    esac
    case $value in
    *FILE*) kind=-f ;;
    *DIR*) kind=-d ;;
    NAME) kind=-u ;;
    esac

    case $before in
    backup | restore) values='' kind=-f ;;
    import) values='' kind=-d ;;
    esac

    [[ $kind != -[df] ]] || compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludusd ludusd
