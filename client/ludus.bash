# bash completion for ludus.
_ludus()
{
    local games='clobber clobber:5x6 clobber:4x5 clobber:6x6 clobber:8x8 clobber:10x10
        xadrersi xadrersi:touch xadrersi:attack latrunculi latrunculi:standard shakti shakti:standard'
    local seats='me open bot:random bot:greedy bot:easy bot:medium bot:hard bot:max'
    local typed=${COMP_LINE:0:COMP_POINT} server='--connect --tls --code --name --json --help'
    local typed_word=${typed##*[[:space:]]} options values='' kind='' words word before breaks
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}

    case ${words[1]} in
    host) options='--name --color --clock --new-code --no-qr --line --help' values=$games ;;
    join) options='--code --name --tls --line --help' kind='-A hostname' ;;
    seek) options='--connect --tls --code --name --clock --color --rating --bots --unrated --line --help' values=$games ;;
    list | who | history | games | stats | state | moves) options="$server --plain" ;;
    top) options="$server --plain" values=$games ;;
    watch) options="$server --plain" values=lobby ;;
    new) options="$server --white --black --clock --position --private" values=$games ;;
    move) options="$server --ply" ;;
    say) options=$server ;;
    record) options="$server --pgn --times" ;;
    tournament)
        options="$server --plain --pgn" values='new list show watch export join leave start pause resume abort'
        ;;
    learn) options='--line --help' values='clobber xadrersi latrunculi shakti' ;;
    replay) options='--all --line --help' kind=-f ;;
    review) options="$server --movetime --pgn --line" kind=-f ;;
    *)
        options='--connect --name --tls --code --play --vs --color --white --black --clock --position
            --join --watch --line --help --version'
        [[ ${#words[@]} -gt 1 && ${words[1]} != help ]] || values='host join seek list who top history games stats new state watch
            moves move say record tournament learn replay review help'
        ;;
    esac
    case $before in
    --connect) values='' kind='-A hostname' ;;
    --play) values=$games kind='' ;;
    --vs | --white | --black) values=$seats kind='' ;;
    --color) values='white black' kind='' ;;
    --bots) values='yes no only' kind='' ;;
    --name | --code | --clock | --rating | --position | --join | --watch | --ply | --movetime) return ;;
    *) [[ $word != -* ]] || values=$options kind='' ;;
    esac

    [[ $kind != -f ]] || compopt -o filenames 2>/dev/null
    # shellcheck disable=SC2086 # $kind is an option and its argument
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludus ludus
