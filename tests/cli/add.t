#!/bin/sh
# add.t - a store with added documents equals one store of all documents.
. "$(dirname "$0")/../tap.sh"
python3 "$DATA/collection.py" 400 3000 30 >docs.txt
head -n 300 docs.txt >old.txt
tail -n +301 docs.txt >new.txt

format=lines
added() # name count-options add-options...: compare with one store of all
{
    name=$1 how=$2
    shift 2
    rm -rf want.cooc a.cooc
    "$COOC" count old.txt new.txt --format "$format" $how -o want.cooc -q || return 1
    "$COOC" count old.txt --format "$format" $how -o a.cooc -q || return 1
    run add a.cooc new.txt "$@"
    ok "$name" diff -r want.cooc a.cooc
    is "$name: no temporary file remains" "$(ls -d a.cooc*)" a.cooc
}
added 'documents are added' ''
added 'rows are added up' '' --pairs-from rows
is 'the report says that rows were added up' "$(field pairs_from)" rows
is 'the report has the number of added documents' "$(field documents_added)" 100
is 'the report has the number of all documents' "$(field documents)" 400
added 'all documents are counted' '' --pairs-from documents -j 1
added 'little memory is enough' \
    '' --memory 64M --pairs-from rows --batch-pairs 300
echo 'w0
w1' >stop.txt
printf 'w2\tw3\n' >thes.txt
added 'the stop list and thesaurus of the store are used' \
    '--stop stop.txt --thesaurus thes.txt --max-doc-terms 7 --min-length 2'
added 'an empty stop list is used' '--stop /dev/null'
added 'stemming, case and numbers follow the store' \
    '--stem english --keep-case --numbers drop --tokens whitespace'
added 'compact stores stay compact' '--rows compact'
added 'compact stores keep their --compact-df' '--rows compact --compact-df 3'
ok 'the manifest records --compact-df' \
    grep -q '"costly_df": 3' a.cooc/manifest.json
added 'full stores stay full with --rows full' '--rows full' --rows full
format=transactions
added 'lists of terms are added verbatim' ''
"$COOC" count new.txt --stop stop.txt -o s.cooc -q
rm stop.txt thes.txt
ok 'the files of the stop list and thesaurus are not needed' \
    "$COOC" add s.cooc old.txt -q
rm -rf a.cooc i.cooc
"$COOC" index old.txt -o a.cooc -q
"$COOC" index old.txt new.txt --format lines -o i.cooc -q
"$COOC" add a.cooc/ new.txt -q
ok 'a store that is not counted is not counted by add' diff -r i.cooc a.cooc
"$COOC" count a.cooc -q
"$COOC" count i.cooc -q
ok 'a store can be counted after add' diff -r i.cooc a.cooc
: >empty.txt
cp -r a.cooc b.cooc
ok 'adding an empty file succeeds' "$COOC" add a.cooc empty.txt -q
ok 'adding an empty file does not change the store' diff -r b.cooc a.cooc

# ---- what is refused ---------------------------------------------------
same() { diff -r b.cooc a.cooc; }
refuses 1 'a missing input is refused' add a.cooc none.txt <<'LIST'
cooc: none.txt: cannot open: No such file or directory
LIST
ok 'a missing input leaves the store unchanged' same
refuses 1 'a missing store is refused' add none.cooc new.txt <<'LIST'
cooc: none.cooc: cannot open the store: No such file or directory
LIST
is 'a missing store is not created' "$(ls -d none.cooc* 2>/dev/null)" ''
refuses 2 'documents of another kind than the store are refused' \
    add a.cooc new.txt --format transactions <<'LIST'
cooc: a.cooc: cannot be combined with the new documents: it was made with tokens words, the other with ready-made terms (--tokens)
try 'cooc add --help'
LIST
refuses 2 'a store instead of documents is refused' add a.cooc b.cooc <<'LIST'
cooc: b.cooc: is a store, not documents; to count its pairs, run: cooc count b.cooc
try 'cooc add --help'
LIST
refuses 2 'options that would change terms are refused' \
    add a.cooc new.txt --stem english <<'LIST'
cooc: unknown option '--stem'
try 'cooc add --help'
LIST
rm -rf d.cooc
"$COOC" count old.txt --min-df 2 -o d.cooc -q
refuses 2 'a store with dropped terms is refused' add d.cooc new.txt <<'LIST'
cooc: d.cooc: was made with min_df 2, and more documents might bring back terms that it dropped; index without that option, or index all documents together with it (--min-df)
try 'cooc add --help'
LIST
printf 'w5\nw6\nw7\nw8\n' >list.txt
rm -rf d.cooc
"$COOC" count old.txt --terms list.txt -o d.cooc -q
refuses 2 'a store made with --terms is refused' add d.cooc new.txt <<'LIST'
cooc: d.cooc: was made with a list of terms, which a store does not keep; give the same list again (--terms)
try 'cooc add --help'
LIST
"$COOC" count old.txt new.txt --format lines --terms list.txt -o dw.cooc -q
"$COOC" add d.cooc new.txt --terms list.txt -q
ok 'a store made with --terms is accepted with the same list' \
    diff -r dw.cooc d.cooc
printf 'w5\nw6\nw7\n' >less.txt
refuses 2 'a different list of terms is refused' \
    add d.cooc new.txt --terms less.txt <<'LIST'
cooc: d.cooc: cannot be combined with the new documents: they were made with different lists (--terms)
try 'cooc add --help'
LIST
refuses 2 'a list for a store made without --terms is refused' \
    add a.cooc new.txt --terms list.txt <<'LIST'
cooc: a.cooc: was made without a list of terms; leave the list out, or index all documents together with it (--terms)
try 'cooc add --help'
LIST
ok 'refused lists leave both stores unchanged' sh -c \
    'diff -r dw.cooc d.cooc && diff -r b.cooc a.cooc'
mkdir c.cooc c.cooc/mine
refuses 1 'a folder that is not a store is refused' add c.cooc new.txt <<'LIST'
cooc: c.cooc: is not a cooc store (it has no manifest.json)
LIST
run add a.cooc new.txt --json
ok 'the report is JSON on request' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert r["documents_added"] == 100 and r["documents"] == 500, r' "$TAP/out"
# ---- errors that do not wait until all documents are read

"$COOC" index "$DATA/drinks.txt" -o late.cooc -q
mkdir late.cooc.part
echo diary >late.cooc.part/diary.txt
refuses 1 'a foreign directory in the way is reported before reading' \
    add late.cooc missing.txt <<'END'
cooc: late.cooc.part: already exists and was not made by cooc; move it or choose another name for the store
END
is 'add does not touch a foreign directory' \
    "$(cat late.cooc.part/diary.txt)" diary
ended
