# cooc.bash - complete cooc's commands, options and option values.
#
# The options and the names that an option accepts are read from "cooc COMMAND
# --help", so they need not be repeated here.  Example of a help line:
#     --kernel KERNEL  choose the instruction set: scalar, ... (default: ...)
# Measures are read from "cooc measures", terms from the store that is given
# before them on the command line.  bash-completion is not required.

# Print the options of a command, one per line, with continuation lines joined.
_cooc_options() # program command
{
    "$1" "$2" --help 2>/dev/null | awk '
        /^ +(-[a-z], )?--[a-z]/ { if (line) print line; line = $0; next }
        NF && substr($0, 1, 20) ~ /^ +$/ {
            sub(/^ +/, " ")
            line = line $0
            next
        }
        { if (line) print line; line = "" }
        END { if (line) print line }'
}

# Print the names that an option accepts: the text between the last colon of
# its help and "(default", without commas and "or".
_cooc_choices() # program command option
{
    _cooc_options "$1" "$2" | awk -v option="$3" '
        {
            for (i = 1; i <= 3 && i <= NF; i++) {
                word = $i
                sub(/,$/, "", word)
                if (word == option) {
                    sub(/ *\(default.*/, "")
                    sub(/.*: /, "")
                    gsub(/,| or /, " ")
                    print
                    exit
                }
            }
        }'
}

_cooc_files() # word
{
    local line

    type compopt &>/dev/null && compopt -o filenames
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(compgen -f -- "$1")
}

_cooc_directories() # word
{
    local line

    type compopt &>/dev/null && compopt -o filenames
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(compgen -d -- "$1")
}

_cooc_words() # word list
{
    local line

    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(compgen -W "$2" -- "$1")
}

# Complete with the most frequent terms that begin with the word.  Fails if no
# store is given.
_cooc_terms() # program word
{
    local store line

    for store in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
        [[ -f $store/manifest.json ]] || continue
        while IFS= read -r line; do
            COMPREPLY+=("$(printf %q "$line")")
        done < <("$1" terms "$store" --prefix "$2" -n 50 2>/dev/null |
            tail -n +2 | cut -f 1)
        return 0
    done
    return 1
}

_cooc()
{
    local program=$1 word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    local commands="index count merge add methods stats pair top similar row
                    pairs between within docs terms measures export dump check help"

    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _cooc_words "$word" "$commands --help --version"
        return
    fi
    if [[ $command == help ]]; then
        _cooc_words "$word" "$commands"
        return
    fi
    # "--by=llr" arrives as three words: --by, =, llr.
    if [[ $word == "=" ]]; then
        word=
    elif [[ $before == "=" ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case $before in
    --by)
        _cooc_words "$word" "$("$program" measures | cut -f 1 | tail -n +2)"
        return ;;
    --measures) # complete the last name of a list
        local head=
        [[ $word == *,* ]] && head=${word%,*},
        _cooc_words "$word" "$({ echo all; echo none
            "$program" measures | cut -f 1 | tail -n +2; } | sed "s/^/$head/")"
        return ;;
    --format | --method | --tokens | --numbers | --phrase-words | --kernel | \
        --rows | --order | --pairs-from)
        _cooc_words "$word" \
            "$(_cooc_choices "$program" "$command" "$before")"
        return ;;
    -o | --output | --vocab | --phrases | --stop | --thesaurus | --terms | \
        --exclude | --from | --stats-json)
        _cooc_files "$word"
        return ;;
    --tmpdir)
        _cooc_directories "$word"
        return ;;
    -n | --limit | -j | --threads | --m*-* | --shift | --smoothing | --memory | \
        --top-terms | --per-node | --top-edges | --nodes | \
        --flush-pairs | --block-terms | --accumulators | --head-terms | \
        --compact-df | --contexts | --batch-* | --encoding | \
        --prefix | --like | --like1 | --like2 | --text-field | --id-field | \
        --split | --separators | --stem)
        return ;; # any value
    esac
    if [[ $word == -* ]]; then
        _cooc_words "$word" "$(_cooc_options "$program" "$command" |
            grep -oE -- '^ +(-[a-z], )?--[a-z0-9-]+' |
            grep -oE -- '--[a-z0-9-]+')"
        return
    fi
    case $command in
    index | count | add | between | within | dump)
        _cooc_files "$word" ;;
    methods | measures)
        ;;
    top | similar | pair | row | docs)
        _cooc_terms "$program" "$word" || _cooc_directories "$word" ;;
    *)
        _cooc_directories "$word" ;;
    esac
}

complete -F _cooc cooc
