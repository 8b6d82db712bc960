#!/bin/sh
# errors.t - usage errors exit with 2 and point to the help; failures exit with
# 1 and say what failed; nothing unfinished is left behind.
. "$(dirname "$0")/../tap.sh"
printf 'a b\nb c\n' >docs.txt
"$COOC" index docs.txt -o i.cooc -q
"$COOC" count docs.txt -o s.cooc -q

# ---- usage errors

# Expect the message and the hint, and exit status 2.
usage() # name message arguments...
{
    usage_name=$1
    case $3 in
    index | count | add | merge | methods | stats | pair | top | pairs | docs | \
        similar | export | between | within | row | terms | dump | check)
        hint="try 'cooc $3 --help'" ;;
    *) hint="try 'cooc --help'" ;;
    esac
    printf 'cooc: %s\n%s\n' "$2" "$hint" >message
    shift 2
    refuses 2 "$usage_name" "$@" <message
}

run </dev/null
is 'a missing command is a usage error' $rc 2
is 'a missing command shows the commands on standard error' \
    "$(cat "$TAP/err")" \
"usage: cooc COMMAND [options] ARGUMENT...

Build a store: index count merge add methods
Query a store: stats pair top similar row pairs between within docs terms measures
Export and verify: export dump check

Run 'cooc help' for first steps, 'cooc help COMMAND' for a command."
is 'a missing command prints nothing on standard output' "$(cat "$TAP/out")" ''
usage 'an unknown command is named' "unknown command 'frobnicate'" frobnicate
usage 'a misspelt command gets a suggestion' \
    "unknown command 'idnex'; did you mean 'index'?" idnex
usage 'an option before the command is refused' \
    "unknown option '--quiet'; give a command first" --quiet
usage 'help about an unknown command is refused' \
    "unknown command 'frobnicate'" help frobnicate
usage 'index needs an input' \
    'missing argument; usage: cooc index [options] INPUT... -o NAME.cooc' index
usage 'index needs a store' \
    'no name for the store; run: cooc index docs.txt -o docs.cooc' index docs.txt
usage 'the suggested name has no folder and no suffix' \
    'no name for the store; run: cooc index a/b.tar.gz ... -o b.cooc' \
    index a/b.tar.gz c
usage 'no name is suggested for standard input' \
    'no name for the store; run: cooc index - -o NAME.cooc' index -
usage 'count of a file needs a store' \
    'no name for the store; run: cooc count docs.txt -o docs.cooc' count docs.txt
mkdir letters
usage 'a folder of documents without -o is answered with the command' \
    'no name for the store; run: cooc count letters/ -o letters.cooc' \
    count letters/
usage 'an option without its value is refused' \
    '--output requires a value: NAME.cooc' index docs.txt -o
usage 'an empty value is refused' '--output must not be empty' \
    index docs.txt -o ''
usage 'an unknown option gets a suggestion' \
    "unknown option '--stme'; did you mean '--stem'?" \
    index docs.txt -o x.cooc --stme english
usage 'an unknown short option is named' "unknown option '-Z'" \
    index docs.txt -Z -o x.cooc
usage 'a value for a flag is refused' \
    "--json does not take a value, but has '--json=x'" \
    index docs.txt --json=x -o x.cooc
usage 'a word instead of a number is refused' \
    "--min-df must be a number from 0 to 18446744073709551615, not 'x'" \
    index docs.txt -o x.cooc --min-df x
usage 'a negative number is refused' \
    "--limit must be a number from 0 to 18446744073709551615, not '-1'" \
    top s.cooc a -n -1
usage 'a number that overflows is refused' \
    "--min-df must be a number from 0 to 18446744073709551615, not '18446744073709551616'" \
    index docs.txt -o x.cooc --min-df=18446744073709551616
usage 'a number of threads that overflows is refused' \
    "--threads must be a number from 0 to 4294967295, not '4294967296'" \
    index docs.txt -o x.cooc -j 4294967296
usage 'more than 1024 threads are refused' 'threads must be at most 1024 (--threads)' \
    index docs.txt -o x.cooc -j 2000
for ask in 'check s.cooc' 'pairs s.cooc' 'export s.cooc' 'stats s.cooc' \
    'count -f s.cooc' 'add s.cooc docs.txt' 'merge s.cooc -o x.cooc'; do
    # shellcheck disable=SC2086
    usage "${ask%% *} refuses more than 1024 threads" \
        'threads must be at most 1024 (--threads)' $ask -j 18446715
done
usage 'a percentage above 100% is refused' \
    "--max-df must be a number such as 1000 or a percentage above 0% and up to 100%, not '101%'" \
    index docs.txt -o x.cooc --max-df 101%
usage 'a size with an unknown unit is refused' \
    "--memory must be a size such as 512M or 8G, not '5X'" \
    index docs.txt -o x.cooc --memory 5X
usage 'a size that overflows is refused' \
    "--memory must be a size such as 512M or 8G, not '99999999999T'" \
    index docs.txt -o x.cooc --memory 99999999999T
usage 'an unknown format gets a suggestion' \
    "--format: unknown FORMAT 'lnies'; did you mean 'lines'? (lines, tsv, files, jsonl, trec, html, warc, triples, uci, ldac, svmlight, transactions, csv, wos, ris, medline, bibtex, conllu, vertical, xml or ciff)" \
    index docs.txt --format lnies -o x.cooc
usage 'an unknown measure gets a suggestion' \
    "--by: unknown measure 'nmpi'; did you mean 'npmi'? 'cooc measures' lists them all" \
    top s.cooc a --by nmpi
usage 'the message on an unknown method lists the methods' \
    "--method must be bit-scan, list-scan, list-blocks, list-pairs, multi-scan or naive, not 'quick'" \
    count i.cooc --method quick
usage 'zero accumulators are refused' \
    '--flush-pairs and --accumulators must be greater than 0' \
    count i.cooc --accumulators 0
run index docs.txt -o x.cooc --stem klingon
is 'the message on an unknown stemmer lists the stemmers' \
    "$rc $(sed 's/are .* english .*/are .../' "$TAP/err")" \
    "2 cooc: unknown stemmer 'klingon'; the stemmers are ...
try 'cooc index --help'"
usage 'a minimum above the maximum is refused' \
    'the minimum length must be at most the maximum (3), not 5 (--min-length)' \
    index docs.txt -o x.cooc --min-length 5 --max-length 3
usage 'a line of a thesaurus without TAB is named' \
    'docs.txt:1: no TAB between variant and preferred form' \
    index docs.txt -o x.cooc --thesaurus docs.txt
for c in stats check export pairs; do
    usage "$c needs a store" \
        "missing argument; usage: cooc $c [options] NAME.cooc" $c
    usage "$c takes one store" \
        "too many arguments; usage: cooc $c [options] NAME.cooc" $c a b
done
usage 'top needs a term' \
    'too few arguments; usage: cooc top [options] NAME.cooc TERM...' top s.cooc
usage 'top refuses both rarer and more frequent partners' \
    'rarer and commoner cannot be combined (--rarer, --commoner)' \
    top s.cooc a --rarer --commoner
usage '--reverse is refused for a symmetric measure' \
    '--reverse does not apply to pmi, which is the same in both directions' \
    top s.cooc a --by pmi --reverse
usage '--shift is refused for measures other than PMI' \
    'shift and smoothing are not supported by the measure llr; use pmi or ppmi (--by, --shift, --smoothing)' \
    pairs s.cooc --by llr --shift 5
usage 'a shift of 0 is refused' '--shift must be greater than 0, not 0' \
    top s.cooc a --by pmi --shift 0
usage 'negative smoothing is refused' \
    '--smoothing must be greater than 0, not -1' \
    pairs s.cooc --by pmi --smoothing -1
usage 'smoothing above 10 is refused' \
    'smoothing must be greater than 0 and at most 10, not 1e+300 (--by, --shift, --smoothing)' \
    export s.cooc --by ppmi --smoothing 1e300
usage 'infinite smoothing is refused' \
    "--smoothing must be a number such as 2, 0.5 or -1, not 'inf'" \
    top s.cooc a --by pmi --smoothing inf
usage '--reverse is refused with smoothing 1, which has no effect' \
    '--reverse does not apply to pmi, which is the same in both directions' \
    top s.cooc a --by pmi --reverse --smoothing 1
usage 'a word instead of a score is refused' \
    "--min-score must be a number such as 2, 0.5 or -1, not 'high'" \
    pairs s.cooc --min-score high
usage 'pair needs two terms' \
    'too few arguments; usage: cooc pair [options] NAME.cooc A B' \
    pair s.cooc a
usage 'docs needs a term' \
    'too few arguments; usage: cooc docs [options] NAME.cooc TERM...' \
    docs s.cooc
usage 'between needs two lists' \
    'too few arguments; usage: cooc between [options] NAME.cooc A.txt B.txt' \
    between s.cooc a.txt
usage 'methods refuses arguments' \
    'too many arguments; usage: cooc methods [options]' methods x
not_ok 'usage errors leave no store' ls -d x.cooc x.cooc.part

# ---- failures

refuses 1 'a missing input is named' index none.txt -o x.cooc <<'END'
cooc: none.txt: cannot open: No such file or directory
END
refuses 1 'a missing last input is named' \
    index docs.txt none.txt -o x.cooc <<'END'
cooc: none.txt: cannot open: No such file or directory
END
refuses 1 'a missing store is named' stats none.cooc <<'END'
cooc: none.cooc: cannot open the store: No such file or directory
END
refuses 1 'a missing stop list is named' \
    index docs.txt -o x.cooc --stop none <<'END'
cooc: none: cannot open: No such file or directory
END
refuses 1 'a missing list of terms is named' \
    index docs.txt -o x.cooc --terms none <<'END'
cooc: none: cannot open: No such file or directory
END
refuses 1 'a missing vocabulary is named' \
    index docs.txt -o x.cooc --format ldac --vocab none <<'END'
cooc: none: cannot open: No such file or directory
END
refuses 1 'a missing folder for the store is named' \
    index docs.txt -o none/x.cooc <<'END'
cooc: the directory none does not exist; create it first: mkdir -p none
END
for c in 'count docs.txt -o' 'merge s.cooc s.cooc -o' 'export s.cooc -o' \
    'export s.cooc --format npz -o' 'index docs.txt -o new.cooc --stats-json' \
    'count s.cooc --force --stats-json' 'add s.cooc docs.txt --stats-json'; do
    refuses 1 "a missing folder for $c is named" $c 'none/such one/x' <<'END'
cooc: the directory none/such one does not exist; create it first: mkdir -p 'none/such one'
END
done
for c in 'count s.cooc --force' 'merge s.cooc -o new.cooc' \
    'export s.cooc --format npz -o new.npz' 'add s.cooc docs.txt'; do
    refuses 1 "$c --tmpdir: a missing folder is named" $c --tmpdir none <<'END'
cooc: the directory none does not exist; create it first: mkdir -p none
END
done
refuses 1 'a missing folder for an export to a folder is named' \
    export s.cooc --format gephi-csv -o none/ <<'END'
cooc: the directory none/ does not exist; create it first: mkdir -p none/
END
refuses 1 'a file used as a folder is refused' \
    index docs.txt -o docs.txt/x <<'END'
cooc: docs.txt: is not a directory
END
ok 'the name of a store may end in a slash' \
    "$COOC" index docs.txt -o slash.cooc/ -q
run count s.cooc --tmpdir none --method naive --force
ok 'a missing --tmpdir is named' \
    grep -q '^cooc: the directory none does not exist' "$TAP/err"
is 'a missing --tmpdir is an error' $rc 1
ok 'a missing --tmpdir leaves the store good' "$COOC" check -q s.cooc
run pairs s.cooc
is 'a missing --tmpdir leaves the store counted' $rc 0
"$COOC" count docs.txt -o s.cooc -q -f
refuses 1 'export to a missing folder is named' \
    export s.cooc -o none/x.tsv <<'END'
cooc: the directory none does not exist; create it first: mkdir -p none
END
refuses 1 'export does not write over a store' export s.cooc -o s.cooc <<'END'
cooc: s.cooc: is a store; name another directory for the exported files
END
echo mine >file
run index docs.txt -o file
is 'an existing file is not replaced' "$rc $(cat file)" '1 mine'
run index docs.txt -o file --force
is 'an existing file is not replaced with --force' "$rc $(cat file)" '1 mine'
mkdir folder
echo mine >folder/diary
run index docs.txt -o folder
is 'a folder that is not a store is not replaced' \
    "$rc $(cat folder/diary)" '1 mine'
run index docs.txt -o folder --force
is 'a folder that is not a store is not replaced with --force' \
    "$rc $(cat folder/diary)" '1 mine'
mkdir mine.part
echo mine >mine.part/diary
run index docs.txt -o mine
is 'a folder NAME.part with other files is not replaced' \
    "$(cat mine.part/diary)" mine
cp -r s.cooc old.cooc
ln -s old.cooc link.cooc
run index docs.txt -o link.cooc --force -q
is 'the target of a link to a store is replaced' \
    "$rc $(readlink link.cooc) $("$COOC" check -q old.cooc)" '0 old.cooc '
not_ok 'replacing the target of a link leaves nothing behind' \
    ls link.cooc.part old.cooc.part
refuses 1 'a file instead of a store is refused' stats docs.txt <<'END'
cooc: docs.txt: is a file, but a cooc store is a directory; index the file first
END
not_ok 'failures leave no store' ls -d x.cooc x.cooc.part
mkdir here
cp docs.txt here
(cd here && "$COOC" index . -o a.cooc -q)
is 'a folder can be indexed into itself' \
    "$("$COOC" docs here/a.cooc b | sed 1d)" './docs.txt'
(cd here && "$COOC" index . -o b.cooc -q) 2>err
is 'stores in an input folder are skipped' \
    "$(cat err; "$COOC" docs here/b.cooc b 2>&1 | sed 1d)" './docs.txt'
mkdir bin
cp docs.txt bin
for i in 0 1 2 3 4 5 6 7; do printf "\\00$i\\000\\000\\000"; done >bin/numbers
run index bin -o bin.cooc
is 'a binary file in a folder is skipped' \
    "$rc $(field inputs_skipped)" '0 1'

if [ "$(id -u)" -eq 0 ]; then
    if command -v setpriv >/dev/null &&
       setpriv --reuid=65534 --clear-groups "$COOC" --version >/dev/null 2>&1
    then as='setpriv --reuid=65534 --clear-groups'; else as=; fi
else as=env; fi
if [ -n "$as" ]; then
    mkdir locked
    chmod 0 locked
    chmod a+rwx "$TAP" "$TAP/work" "$TMPDIR"
    refused=$($as "$COOC" index locked -o l.cooc 2>&1)
    is 'a folder without permission is named' "$?: $refused" \
        '1: cooc: locked: cannot open the directory: Permission denied'
    chmod 555 .
    refused=$($as "$COOC" index docs.txt -o ro.cooc 2>&1)
    is 'a folder that cannot be written is named' "$?: $refused" \
        '1: cooc: ro.cooc.part: cannot create: Permission denied'
    chmod 777 .
else
    skip 'a folder without permission is named' 'we are root'
    skip 'a folder that cannot be written is named' 'we are root'
fi

# ---- output that cannot be written

"$COOC" export s.cooc >/dev/full 2>err
is 'export to a full device fails' "$? $(cat err)" \
    '1 cooc: cannot write to standard output: No space left on device'
for c in 'stats s.cooc' 'top s.cooc b' methods --version help 'index --help' \
    'check s.cooc' 'pair s.cooc a b --json'; do
    "$COOC" $c >/dev/full 2>err
    is "'cooc $c' to a full device fails" "$? $(cat err)" \
        '1 cooc: cannot write to standard output: No space left on device'
done
"$COOC" stats s.cooc >&- 2>err
is 'a closed standard output is an error' "$? $(cat err)" \
    '1 cooc: cannot write to standard output: Bad file descriptor'
"$COOC" export s.cooc >&- 2>err
is 'export to a closed standard output is an error' "$? $(cat err)" \
    '1 cooc: cannot write to standard output: Bad file descriptor'
"$COOC" index - -o closed.cooc <&- >out 2>err
is 'a closed standard input is an error' "$? $(ls -d closed.cooc 2>&1)" \
    "1 ls: cannot access 'closed.cooc': No such file or directory"
"$COOC" index docs.txt -o noerr.cooc -q 2>&-
is 'index works with a closed standard error' $? 0
ok 'a store indexed with a closed standard error is good' \
    "$COOC" check -q noerr.cooc
"$COOC" stats none.cooc 2>&-
is 'a failure with a closed standard error has exit status 1' $? 1
"$COOC" index docs.txt -o closed2.cooc >&- 2>err
is 'a report that cannot be written is an error' $? 1
ok 'a store without a report is good' "$COOC" check -q closed2.cooc

python3 "$DATA/collection.py" 400 3000 30 >many.txt
"$COOC" count many.txt -o many.cooc -q
for c in 'export many.cooc' 'pairs many.cooc -n0' 'top many.cooc w0 -n0' \
    'docs many.cooc w0'; do
    { "$COOC" $c 2>err; echo $? >status; } | head -1 >head
    is "'cooc $c' to a pipe that closes prints no message" "$(cat err)" ''
    is "'cooc $c' prints its first line to a pipe that closes" \
        "$(wc -l <head | tr -d ' ')" 1
done

# ---- a full disk

mkdir disk
trap 'umount disk 2>/dev/null; rm -rf "$TAP"' EXIT
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=300k cooc-test disk \
    2>/dev/null; then
    run index many.txt -o disk/i.cooc
    [ $rc -eq 0 ] || cat "$TAP/err"
    cp many.txt disk
    run index many.txt -o disk/j.cooc
    is 'index on a full disk fails' $rc 1
    ok 'index reports the full disk' \
        grep -q '^cooc: disk/j.cooc.part.*the disk is full' \
        "$TAP/err"
    is 'index on a full disk leaves nothing' \
        "$(ls -d disk/j.cooc* 2>/dev/null)" ''
    run count disk/i.cooc --rows full
    is 'count on a disk that is too small is refused' $rc 1
    ok 'count reports that the disk is too small' \
        grep -Eq '^cooc: disk/i.cooc: the rows need about [0-9.]+ KB of disk space, but [0-9.]+ KB is free; free some space' "$TAP/err"
    run count disk/i.cooc --force --rows full
    is 'count on a full disk fails' $rc 1
    ok 'count reports the full disk' \
        grep -q '^cooc: disk/i.cooc.*the disk is full' "$TAP/err"
    ok 'count on a full disk leaves the store good' "$COOC" check -q disk/i.cooc
    is 'count on a full disk leaves no rows' \
        "$(ls disk/i.cooc | grep -E 'rows|tmp')" ''
    run export many.cooc -o disk/x.tsv
    is 'export to a full disk fails' \
        "$rc $(cat "$TAP/err")" \
        '1 cooc: disk/x.tsv: cannot write: the disk is full; free some space or use another disk'
    is 'export to a full disk leaves no file' "$(ls disk/x.tsv* 2>/dev/null)" ''
    rm disk/many.txt
    run count disk/i.cooc --force --rows full
    is 'count succeeds when there is space again' $rc 0
    "$COOC" export disk/i.cooc >a
    "$COOC" export many.cooc >b
    ok 'count after a full disk gives the same counts' cmp a b
    umount disk
else
    skip 'a full disk leaves nothing unfinished' 'cannot mount a small disk'
fi
ended
