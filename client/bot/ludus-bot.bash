# bash completion for ludus-bot.
_ludus_bot()
{
    local levels='random greedy easy medium hard max'
    local boards='clobber:5x6 clobber:4x5 clobber:6x6 clobber:8x8 clobber:10x10'
    local typed=${COMP_LINE:0:COMP_POINT}
    local typed_word=${typed##*[[:space:]]} options values='' kind='' words word before breaks
    read -ra words <<<"${typed%"$typed_word"}"
    word=$typed_word before=${words[-1]}
    [[ $word != --*=* ]] || before=${word%%=*} word=${word#*=}

    case ${words[1]} in
    ugi) options='--level --seed' ;;
    gauntlet)
        options='--game --movetime --nodes --clock --margin --pairs --parallel --opening --openings
            --adjudicate-score --adjudicate-plies --adjudicate-solver --plies --sprt --seed --option --engine-log --pgn --resume'
        values=$levels kind=-f
        ;;
    solve) options='--memory --threads --file --progress --book --openings --effort' values=$boards ;;
    review) options='--movetime --threads' ;;
    *)
        options='--connect --name --level --join --seek --clock --tournament --accept-games --accept-clocks
            --opponents --max-matches --token --token-file --tls --code --retry --config --house
            --threads --seed --quiet'
        ((${#words[@]} > 1)) || values='ugi gauntlet solve review'
        ;;
    esac
    case $before in
    --connect) values='' kind='-A hostname' ;;
    --level | --house) values=$levels kind='' ;;
    --game | --seek | --accept-games) values="clobber $boards xadrersi xadrersi:touch xadrersi:attack latrunculi
        latrunculi:standard shakti shakti:standard" kind='' ;;
    --pgn | --resume | --openings | --engine-log | --config | --token-file | --book | --file) values='' kind=-f ;;
    --name | --join | --tournament | --accept-clocks | --opponents | --max-matches | --token | --code | --retry | --threads | --seed | --movetime | --nodes | --clock | \
        --margin | --pairs | --parallel | --opening | --adjudicate-* | --plies | --sprt | --option | --memory | --openings | --effort | --progress) return ;;
    *) [[ $word != -* ]] || values="$options --help --version" kind='' ;;
    esac

    [[ $kind != -f ]] || compopt -o filenames 2>/dev/null
    # shellcheck disable=SC2086 # $kind is an option and its argument
    mapfile -t COMPREPLY < <(compgen $kind -P "${typed_word%"$word"}" -W "$values" -- "$word")
    # bash replaces only what follows the last of these characters.
    breaks=${COMP_WORDBREAKS//[^:=]/}
    [[ -z $breaks ]] || COMPREPLY=("${COMPREPLY[@]#"${typed_word%"${typed_word##*["$breaks"]}"}"}")
}
complete -F _ludus_bot ludus-bot
