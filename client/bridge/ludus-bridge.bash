# bash completion for ludus-bridge.
_ludus_bridge()
{
    local typed=${COMP_LINE:0:COMP_POINT}
    local typed_word=${typed##*[[:space:]]} values='' kind=-c words word before breaks
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}

    case $before in
    --connect) kind='-A hostname' ;;
    --games)
        kind='' word=${word##*,} values='clobber clobber:5x6 clobber:4x5 clobber:6x6 clobber:8x8
            clobber:10x10 xadrersi xadrersi:touch xadrersi:attack latrunculi latrunculi:standard
            shakti shakti:standard'
        ;;
    --protocol) kind='' values='ugi uci auto' ;;
    --name | --token | --code | --movetime | --max-matches | --option | --retry) return ;;
    *)
        [[ $word != -* ]] || kind='' values='--connect --name --games --token --tls --code --protocol
            --movetime --max-matches --option --retry --quiet --help --version'
        ;;
    esac

    # shellcheck disable=SC2086 # $kind is an option and its argument
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludus_bridge ludus-bridge
