#!/bin/sh
# add.t - a store with documents added is the store of all documents.
. "$(dirname "$0")/../tap.sh"
python3 "$DATA/collection.py" 400 3000 30 >docs.txt
head -n 300 docs.txt >old.txt
tail -n +301 docs.txt >new.txt

added() # name count-options add-options...: is it the store of all?
{
    name=$1 how=$2
    shift 2
    rm -rf want.cooc a.cooc
    "$COOC" count old.txt new.txt $how -o want.cooc -q || return 1
    "$COOC" count old.txt $how -o a.cooc -q || return 1
    run add a.cooc new.txt "$@"
    ok "$name" diff -r want.cooc a.cooc
    is "$name: nothing is left beside it" "$(ls -d a.cooc*)" a.cooc
}
added 'documents are added' ''
added 'by adding up rows' '' --pairs-from rows
is 'which is said' "$(field pairs_from)" rows
is 'and how many came' "$(field documents_added)" 100
is 'of all' "$(field documents)" 400
added 'by counting all' '' --pairs-from documents -j 1
added 'in little memory' '' --memory 64M --pairs-from rows --batch-pairs 300
echo 'w0
w1' >stop.txt
printf 'w2\tw3\n' >thes.txt
added 'with the stop list and thesaurus of the store' \
    '--stop stop.txt --thesaurus thes.txt --max-doc-terms 7 --min-length 2'
added 'with an empty stop list' '--stop /dev/null'
added 'with stems, case and numbers as in the store' \
    '--stem english --keep-case --numbers drop --tokens whitespace'
added 'compact stores stay compact' '--rows compact'
added 'up to the df that was asked for' '--rows compact --compact-df 3'
ok 'which the store keeps' grep -q '"costly_df": 3' a.cooc/manifest.json
added 'unless asked otherwise' '--rows full' --rows full
added 'for lists of terms as they are' '--format transactions' \
    --format transactions
"$COOC" count new.txt --stop stop.txt -o s.cooc -q
rm stop.txt thes.txt
ok 'the files of the lists are not needed' "$COOC" add s.cooc old.txt -q
rm -rf a.cooc i.cooc
"$COOC" index old.txt -o a.cooc -q
"$COOC" index old.txt new.txt -o i.cooc -q
"$COOC" add a.cooc/ new.txt -q
ok 'a store that is not counted stays so' diff -r i.cooc a.cooc
"$COOC" count a.cooc -q
"$COOC" count i.cooc -q
ok 'and can be counted' diff -r i.cooc a.cooc
: >empty.txt
cp -r a.cooc b.cooc
ok 'nothing to add changes nothing' "$COOC" add a.cooc empty.txt -q
ok 'but is no mistake' diff -r b.cooc a.cooc

# ---- what is refused ---------------------------------------------------
same() { diff -r b.cooc a.cooc; }
refuses 1 'a missing input' add a.cooc none.txt <<'LIST'
cooc: none.txt: cannot open: No such file or directory
LIST
ok 'leaves the store alone' same
refuses 1 'a missing store' add none.cooc new.txt <<'LIST'
cooc: none.cooc: cannot open the store: No such file or directory
LIST
is 'and makes none' "$(ls -d none.cooc* 2>/dev/null)" ''
refuses 2 'other documents than those of the store' \
    add a.cooc new.txt --format transactions <<'LIST'
cooc: a.cooc: cannot be combined with the new documents: it was made with tokens words, the other with ready-made terms (--tokens)
try 'cooc add --help'
LIST
refuses 2 'a store for documents' add a.cooc b.cooc <<'LIST'
cooc: b.cooc: is a store, not documents; to count its pairs, run: cooc count b.cooc
try 'cooc add --help'
LIST
refuses 2 'options that would change terms' add a.cooc new.txt --stem english <<'LIST'
cooc: unknown option '--stem'
try 'cooc add --help'
LIST
rm -rf d.cooc
"$COOC" count old.txt --min-df 2 -o d.cooc -q
refuses 2 'a store that has dropped terms' add d.cooc new.txt <<'LIST'
cooc: d.cooc: was made with min_df 2, and more documents might bring back terms that it dropped; index without that option, or index all documents together with it (--min-df)
try 'cooc add --help'
LIST
printf 'w5\nw6\nw7\nw8\n' >list.txt
rm -rf d.cooc
"$COOC" count old.txt --terms list.txt -o d.cooc -q
refuses 2 'a store of listed terms' add d.cooc new.txt <<'LIST'
cooc: d.cooc: was made with a list of terms, which a store does not keep; give the same list again (--terms)
try 'cooc add --help'
LIST
"$COOC" count old.txt new.txt --terms list.txt -o dw.cooc -q
"$COOC" add d.cooc new.txt --terms list.txt -q
ok 'unless the list comes again' diff -r dw.cooc d.cooc
printf 'w5\nw6\nw7\n' >less.txt
refuses 2 'another list of terms' add d.cooc new.txt --terms less.txt <<'LIST'
cooc: d.cooc: cannot be combined with the new documents: they were made with different lists (--terms)
try 'cooc add --help'
LIST
refuses 2 'a list for a store without' add a.cooc new.txt --terms list.txt <<'LIST'
cooc: a.cooc: was made without a list of terms; leave the list out, or index all documents together with it (--terms)
try 'cooc add --help'
LIST
ok 'and leaves both as they were' sh -c \
    'diff -r dw.cooc d.cooc && diff -r b.cooc a.cooc'
mkdir c.cooc c.cooc/mine
refuses 1 'a folder that is no store' add c.cooc new.txt <<'LIST'
cooc: c.cooc: is not a cooc store (it has no manifest.json)
LIST
run add a.cooc new.txt --json
ok 'the report is JSON if asked' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert r["documents_added"] == 100 and r["documents"] == 500, r' "$TAP/out"
ended
