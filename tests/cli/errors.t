#!/bin/sh
# errors.t - wrong usage exits with 2 and says where to look; failures exit
# with 1 and say what failed; nothing half-made stays behind.
. "$(dirname "$0")/../tap.sh"
printf 'a b\nb c\n' >docs.txt
"$COOC" index docs.txt -o i.cooc -q
"$COOC" count docs.txt -o s.cooc -q

# ---- wrong usage

# The message and the hint, with exit status 2.
usage() # name message arguments...
{
    usage_name=$1
    case $3 in
    index | count | add | merge | methods | stats | pair | top | pairs | docs | \
        export | between | within | row | terms | dump | check)
        hint="try 'cooc $3 --help'" ;;
    *) hint="try 'cooc --help'" ;;
    esac
    printf 'cooc: %s\n%s\n' "$2" "$hint" >message
    shift 2
    refuses 2 "$usage_name" "$@" <message
}

run </dev/null
is 'no command at all is wrong usage' $rc 2
is 'and shows the commands on standard error' "$(cat "$TAP/err")" \
"usage: cooc COMMAND [options] ARGUMENT...

Build a store: index count merge add methods
Query a store: stats pair top row pairs between within docs terms measures
Export and verify: export dump check

Run 'cooc help' for first steps, 'cooc help COMMAND' for a command."
is 'and nothing on standard output' "$(cat "$TAP/out")" ''
usage 'an unknown command is named' "unknown command 'frobnicate'" frobnicate
usage 'a misspelt command gets a suggestion' \
    "unknown command 'idnex'; did you mean 'index'?" idnex
usage 'an option before the command is told' \
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
usage 'standard input suggests no name' \
    'no name for the store; run: cooc index - -o NAME.cooc' index -
usage 'count of a file needs a store' \
    'no name for the store; run: cooc count docs.txt -o docs.cooc' count docs.txt
usage 'an option without its value is told' \
    '--output requires a value: NAME.cooc' index docs.txt -o
usage 'an empty value is told' '--output must not be empty' \
    index docs.txt -o ''
usage 'an unknown option gets a suggestion' \
    "unknown option '--stme'; did you mean '--stem'?" \
    index docs.txt -o x.cooc --stme english
usage 'an unknown letter is named' "unknown option '-Z'" \
    index docs.txt -Z -o x.cooc
usage 'a flag takes no value' "--json does not take a value, but has '--json=x'" \
    index docs.txt --json=x -o x.cooc
usage 'a word is no number' \
    "--min-df must be a number from 0 to 18446744073709551615, not 'x'" \
    index docs.txt -o x.cooc --min-df x
usage 'a negative number is refused' \
    "--limit must be a number from 0 to 18446744073709551615, not '-1'" \
    top s.cooc a -n -1
usage 'a number may not overflow' \
    "--min-df must be a number from 0 to 18446744073709551615, not '18446744073709551616'" \
    index docs.txt -o x.cooc --min-df=18446744073709551616
usage 'nor may threads' \
    "--threads must be a number from 0 to 4294967295, not '4294967296'" \
    index docs.txt -o x.cooc -j 4294967296
usage 'more than 1024 threads are refused' 'threads must be at most 1024 (--threads)' \
    index docs.txt -o x.cooc -j 2000
for ask in 'check s.cooc' 'pairs s.cooc' 'export s.cooc' 'stats s.cooc' \
    'count -f s.cooc' 'add s.cooc docs.txt' 'merge s.cooc -o x.cooc'; do
    # shellcheck disable=SC2086
    usage "also by ${ask%% *}" 'threads must be at most 1024 (--threads)' $ask -j 18446715
done
usage 'a share above all is refused' \
    "--max-df must be a number such as 1000 or a percentage above 0% and up to 100%, not '101%'" \
    index docs.txt -o x.cooc --max-df 101%
usage 'a size needs a known unit' \
    "--memory must be a size such as 512M or 8G, not '5X'" \
    index docs.txt -o x.cooc --memory 5X
usage 'a size may not overflow' \
    "--memory must be a size such as 512M or 8G, not '99999999999T'" \
    index docs.txt -o x.cooc --memory 99999999999T
usage 'an unknown format gets a suggestion' \
    "--format: unknown FORMAT 'lnies'; did you mean 'lines'? (lines, tsv, files, jsonl, trec, html, warc, triples, uci, ldac, svmlight or transactions)" \
    index docs.txt --format lnies -o x.cooc
usage 'an unknown measure gets a suggestion' \
    "--by: unknown measure 'nmpi'; did you mean 'npmi'? 'cooc measures' lists them all" \
    top s.cooc a --by nmpi
usage 'an unknown method is told the known ones' \
    "--method must be bit-scan, list-scan, list-blocks, list-pairs, multi-scan or naive, not 'quick'" \
    count i.cooc --method quick
usage 'no accumulators are refused' \
    '--flush-pairs and --accumulators must be greater than 0' \
    count i.cooc --accumulators 0
run index docs.txt -o x.cooc --stem klingon
is 'an unknown stemmer is told the known ones' \
    "$rc $(sed 's/are .* english .*/are .../' "$TAP/err")" \
    "2 cooc: unknown stemmer 'klingon'; the stemmers are ...
try 'cooc index --help'"
usage 'a minimum above the maximum is refused' \
    'min_length 5 is greater than max_length 3, so no word would be kept (--min-length)' \
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
usage 'top finds partners on one side' \
    'rarer and commoner exclude each other (--rarer, --commoner)' \
    top s.cooc a --rarer --commoner
usage 'a measure without direction is not reversed' \
    '--reverse does not apply to pmi, which is the same in both directions' \
    top s.cooc a --by pmi --reverse
usage 'only PMI is shifted' \
    'shift and smoothing are not supported by the measure llr; use pmi or ppmi (--by, --shift, --smoothing)' \
    pairs s.cooc --by llr --shift 5
usage 'a shift is above 0' '--shift must be greater than 0, not 0' \
    top s.cooc a --by pmi --shift 0
usage 'smoothing is above 0' '--smoothing must be greater than 0, not -1' \
    pairs s.cooc --by pmi --smoothing -1
usage 'smoothing is at most 10' \
    'smoothing must be greater than 0 and at most 10, not 1e+300 (--by, --shift, --smoothing)' \
    export s.cooc --by ppmi --smoothing 1e300
usage 'smoothing is finite' \
    "--smoothing must be a number such as 2, 0.5 or -1, not 'inf'" \
    top s.cooc a --by pmi --smoothing inf
usage 'smoothing by 1, which changes nothing, gives no direction' \
    '--reverse does not apply to pmi, which is the same in both directions' \
    top s.cooc a --by pmi --reverse --smoothing 1
usage 'a score is a number' \
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
usage 'methods takes no argument' \
    'too many arguments; usage: cooc methods [options]' methods x
not_ok 'wrong usage makes no store' ls -d x.cooc x.cooc.part

# ---- failures

refuses 1 'a missing input is named' index none.txt -o x.cooc <<'END'
cooc: none.txt: cannot open: No such file or directory
END
refuses 1 'even the last of several' index docs.txt none.txt -o x.cooc <<'END'
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
refuses 1 'a folder is missing for an export to a folder' \
    export s.cooc --format gephi-csv -o none/ <<'END'
cooc: the directory none/ does not exist; create it first: mkdir -p none/
END
refuses 1 'a file is not taken for a folder' index docs.txt -o docs.txt/x <<'END'
cooc: docs.txt: is not a directory
END
ok 'a store may be named with a slash at the end' \
    "$COOC" index docs.txt -o slash.cooc/ -q
run count s.cooc --tmpdir none --method naive --force
ok 'a missing --tmpdir is named' \
    grep -q '^cooc: the directory none does not exist' "$TAP/err"
is 'and fails' $rc 1
ok 'and the store stays good' "$COOC" check -q s.cooc
run pairs s.cooc
is 'and stays counted' $rc 0
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
is 'a file of that name stays' "$rc $(cat file)" '1 mine'
run index docs.txt -o file --force
is 'even with --force' "$rc $(cat file)" '1 mine'
mkdir folder
echo mine >folder/diary
run index docs.txt -o folder
is 'a folder of that name stays' "$rc $(cat folder/diary)" '1 mine'
run index docs.txt -o folder --force
is 'even with --force' "$rc $(cat folder/diary)" '1 mine'
mkdir mine.part
echo mine >mine.part/diary
run index docs.txt -o mine
is 'a folder called NAME.part that is not ours stays' \
    "$(cat mine.part/diary)" mine
cp -r s.cooc old.cooc
ln -s old.cooc link.cooc
run index docs.txt -o link.cooc --force -q
is 'a link to a store: what it leads to is replaced' \
    "$rc $(readlink link.cooc) $("$COOC" check -q old.cooc)" '0 old.cooc '
not_ok 'and nothing is left behind' ls link.cooc.part old.cooc.part
refuses 1 'a store as input of another run is told' stats docs.txt <<'END'
cooc: docs.txt: is a file, but a cooc store is a directory; index the file first
END
not_ok 'failures make no store' ls -d x.cooc x.cooc.part
mkdir here
cp docs.txt here
(cd here && "$COOC" index . -o a.cooc -q)
is 'a folder can be indexed into itself' \
    "$("$COOC" docs here/a.cooc b | sed 1d)" './docs.txt'
(cd here && "$COOC" index . -o b.cooc -q) 2>err
is 'stores in a folder are no documents of it' \
    "$(cat err; "$COOC" docs here/b.cooc b 2>&1 | sed 1d)" './docs.txt'
mkdir bin
cp docs.txt bin
for i in 0 1 2 3 4 5 6 7; do printf "\\00$i\\000\\000\\000"; done >bin/numbers
run index bin -o bin.cooc
is 'a binary file in a folder is skipped, whatever is in it' \
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

# ---- where output goes

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
is 'closed standard output is a failure' "$? $(cat err)" \
    '1 cooc: cannot write to standard output: Bad file descriptor'
"$COOC" export s.cooc >&- 2>err
is 'for export, too' "$? $(cat err)" \
    '1 cooc: cannot write to standard output: Bad file descriptor'
"$COOC" index - -o closed.cooc <&- >out 2>err
is 'closed standard input is a failure' "$? $(ls -d closed.cooc 2>&1)" \
    "1 ls: cannot access 'closed.cooc': No such file or directory"
"$COOC" index docs.txt -o noerr.cooc -q 2>&-
is 'closed standard error does no harm' $? 0
ok 'to the store either' "$COOC" check -q noerr.cooc
"$COOC" stats none.cooc 2>&-
is 'a failure without standard error is a failure' $? 1
"$COOC" index docs.txt -o closed2.cooc >&- 2>err
is 'a report that cannot be written is a failure' $? 1
ok 'but the store is good' "$COOC" check -q closed2.cooc

python3 "$DATA/collection.py" 400 3000 30 >many.txt
"$COOC" count many.txt -o many.cooc -q
for c in 'export many.cooc' 'pairs many.cooc -n0' 'top many.cooc w0 -n0' \
    'docs many.cooc w0'; do
    { "$COOC" $c 2>err; echo $? >status; } | head -1 >head
    is "'cooc $c' into a pipe that closes is quiet" "$(cat err)" ''
    is "and prints its head" "$(wc -l <head | tr -d ' ')" 1
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
    ok 'and says so' grep -q '^cooc: disk/j.cooc.part.*the disk is full' \
        "$TAP/err"
    is 'and leaves nothing' "$(ls -d disk/j.cooc* 2>/dev/null)" ''
    run count disk/i.cooc
    is 'count on a disk that is too small is refused' $rc 1
    ok 'and says so' grep -Eq '^cooc: disk/i.cooc: the rows need about [0-9.]+ KB of disk space, but [0-9.]+ KB is free; free some space' "$TAP/err"
    run count disk/i.cooc --force
    is 'count on a full disk fails' $rc 1
    ok 'and says so' grep -q '^cooc: disk/i.cooc.*the disk is full' "$TAP/err"
    ok 'and leaves the store good' "$COOC" check -q disk/i.cooc
    is 'and nothing half-made in it' "$(ls disk/i.cooc | grep -E 'rows|tmp')" ''
    run export many.cooc -o disk/x.tsv
    is 'export to a full disk fails' \
        "$rc $(cat "$TAP/err")" \
        '1 cooc: disk/x.tsv: cannot write: the disk is full; free some space or write to another disk'
    is 'and leaves no file' "$(ls disk/x.tsv* 2>/dev/null)" ''
    rm disk/many.txt
    run count disk/i.cooc --force
    is 'with room again, count succeeds' $rc 0
    "$COOC" export disk/i.cooc >a
    "$COOC" export many.cooc >b
    ok 'with the same counts' cmp a b
    umount disk
else
    skip 'a full disk leaves nothing half-made' 'cannot mount a small disk'
fi
ended
