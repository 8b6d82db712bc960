#!/bin/sh
# merge.t - merged stores and stores with added documents equal one store of all
# documents, byte for byte.
# Uses memory if possible, because it makes thousands of small files.
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
. "$(dirname "$0")/../tap.sh"
python3 "$DATA/collection.py" 400 3000 30 >docs.txt

# parts N: split the documents into N files, p-000.txt ..., in order
parts()
{
    rm -f p-*.txt
    split -n "l/$1" -d -a 4 --additional-suffix=.txt docs.txt p-
}

# stores [options]: make a counted store of each part, p-000.cooc ...
stores()
{
    rm -rf p-*.cooc
    for p in p-*.txt; do
        "$COOC" count "$p" --format lines -o "${p%.txt}.cooc" -q -j 1 "$@" ||
            return 1
    done
}

# The store contains the names of the files, so count the same files at once.
want() # options...
{
    rm -rf want.cooc
    "$COOC" count p-*.txt --format lines -o want.cooc -q -j 1 "$@"
}

merged() # options...: merge the parts and compare with want.cooc
{
    run merge p-*.cooc -o m.cooc --force "$@"
    [ $rc -eq 0 ] || { cat "$TAP/err"; return 1; }
    diff -r want.cooc m.cooc
}

# ---- the same bytes ----------------------------------------------------
for n in 2 7; do
    parts $n
    want
    stores
    while read -r options; do
        ok "$n stores: merge $options equals one count" merged $options
    done <<'LIST'

--pairs-from rows
--pairs-from documents
--pairs-from rows -j 1
--pairs-from rows -j 3
--pairs-from documents -j 3
--pairs-from rows --memory 64M
--pairs-from documents --memory 64M
--pairs-from rows --batch-pairs 1 -j 3
--pairs-from rows --batch-pairs 1000 -j 1
--pairs-from rows --batch-pairs 20000 -j 2 --memory 64M
--pairs-from documents --batch-postings 500 -j 2
--pairs-from documents --batch-postings 2000 --memory 64M
LIST
    ok 'check accepts the merged store' "$COOC" check m.cooc -q
done
ok 'one store alone is copied' sh -c "'$COOC' merge p-0000.cooc -o one.cooc -q &&
    diff -r p-0000.cooc one.cooc"

for rows in '--rows compact' '--rows compact --compact-df 5' '--rows full'; do
    want $rows
    for from in rows documents; do
        ok "merge $rows --pairs-from $from equals one count" \
            merged $rows --pairs-from $from
    done
done
rm -rf p-0002.cooc p-0005.cooc
"$COOC" count p-0002.txt --format lines -o p-0002.cooc -q --rows compact
"$COOC" count p-0005.txt --format lines -o p-0005.cooc -q --rows compact \
    --compact-df 200
want
ok 'stores that differ in their rows merge to the default' \
    merged --pairs-from rows --batch-pairs 500
want --rows full
ok 'full and compact stores merge to a full store' \
    merged --pairs-from rows --batch-pairs 500 --rows full
want --rows compact --compact-df 9
ok 'full and compact stores merge to a compact store' \
    merged --pairs-from rows --rows compact --compact-df 9
for store in p-*.cooc; do
    "$COOC" count "$store" -q --force --rows compact --compact-df 9
done
for from in rows documents; do
    ok "merge --pairs-from $from keeps the df of all stores" \
        merged --pairs-from $from
done

# ---- rows in several files --------------------------------------------
rm -rf p-*
PYTHONPATH=$SRC/tests python3 -B -c '
import parts, sys
parts.write_collection(sys.argv[1], documents=1500)' "$PWD/long.txt"
split -n l/2 -d --additional-suffix=.txt long.txt p-
want --rows full
stores --rows full
ok 'the rows are in several files' test "$(ls want.cooc/rows-* | wc -l)" -gt 3
while read -r options; do
    ok "rows in several files: merge $options equals one count" merged $options
done <<'LIST'
--pairs-from rows -j 3
--pairs-from rows -j 2 --memory 64M
--pairs-from rows -j 3 --batch-pairs 100000
--pairs-from documents -j 2
LIST
run merge p-*.cooc -o m.cooc --force -q --pairs-from rows -j 2 --memory 64M \
    --stats-json st.json
if [ -f "$BUILD/compile_commands.json" ] &&
    grep -q fsanitize "$BUILD/compile_commands.json"; then
    skip 'memory stays below --memory' 'a sanitizer needs memory of its own'
else
    ok 'memory stays below --memory' python3 -c '
import json
peak = json.load(open("st.json"))["peak_memory"]
assert peak < 64 << 20, peak'
fi
rm -rf p-* long.txt
python3 "$DATA/collection.py" 400 3000 30 >docs.txt

# ---- many --------------------------------------------------------------
parts 300
want
stores
ok '300 stores are merged from rows' merged --pairs-from rows
ok '300 stores are merged from rows in runs' \
    merged --pairs-from rows --batch-pairs 3 -j 2
ok '300 stores are merged from documents' merged --pairs-from documents

# 1,500 stores: five copies of each of 300 stores, under different names.
# Documents keep their names, so the same files are given again.
i=0
set --
while [ $i -lt 5 ]; do
    mkdir copy$i
    cp -r p-*.cooc copy$i
    set -- "$@" p-*.txt
    i=$((i + 1))
done
"$COOC" count "$@" --format lines -o want1500.cooc -q
few_files() # merge options...
{
    (ulimit -n 256 && "$COOC" merge copy?/*.cooc -o m1500.cooc -q --force "$@") &&
        diff -r want1500.cooc m1500.cooc
}
is 'there are 1,500 stores' "$(ls -d copy?/*.cooc | wc -l)" 1500
ok '1,500 stores are merged from rows with 256 open files' \
    few_files --pairs-from rows
ok '1,500 stores are merged from documents with 256 open files' \
    few_files --pairs-from documents --memory 64M
rm -rf copy? want1500.cooc m1500.cooc

# ---- small stores --------------------------------------------------------
pair_merged() # text text: make stores of both, merge them in both ways
{
    rm -rf p-*
    printf "$1" >p-0.txt
    printf "$2" >p-1.txt
    stores && want || return 1
    merged --pairs-from rows && merged --pairs-from documents &&
        "$COOC" check m.cooc -q
}
ok 'two empty stores are merged' pair_merged '' ''
ok 'an empty store is merged with another' pair_merged '' 'a b\nb c\n'
ok 'stores of one word each are merged' pair_merged 'a\n' 'b\n'
ok 'stores without common words are merged' pair_merged 'a b\n' 'c d\n'
ok 'stores of the same words are merged' pair_merged 'a b c\n' 'a b c\n'
ok 'a pair that changes its row is merged' \
    pair_merged 'b a\nb\nb\n' 'a\na\na\na b c\n'
ok 'rows omitted of the inputs are written' \
    pair_merged 'x y z\n' 'z y x\nz q\n'
ok 'empty lines are treated as in one count' pair_merged 'a b\n\n' '\n\nb\n'

# ---- counted or not ----------------------------------------------------
rm -rf p-*
parts 3
want
stores
for p in p-*.txt; do "$COOC" index "$p" --format lines -o "i${p%.txt}.cooc" -q; done
"$COOC" index p-*.txt --format lines -o iwant.cooc -q
ok 'stores that are not counted merge to one that is not counted' sh -c "
    '$COOC' merge ip-*.cooc -o im.cooc -q && diff -r iwant.cooc im.cooc"
ok 'stores of which one is counted merge to a counted store' sh -c "
    '$COOC' merge p-0000.cooc ip-0001.cooc p-0002.cooc -o im.cooc -q --force &&
    diff -r want.cooc im.cooc"
refuses 2 'a store that is not counted cannot be merged from rows' \
    merge p-0000.cooc ip-0001.cooc -o x.cooc --pairs-from rows <<'LIST'
cooc: ip-0001.cooc: the pairs of this store are not counted yet, so its rows cannot be added up; count them first, or merge from documents (--pairs-from)
try 'cooc merge --help'
LIST
run merge p-*.cooc -o m.cooc --force --json
ok 'the report is JSON on request' python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))
assert r["store"] == "m.cooc" and r["stores_merged"] == 3, r
assert r["documents"] == 400 and r["pairs_from"] == "documents", r
assert r["pairs"] > 1000 and r["increments"] > r["pairs"], r' "$TAP/out"
run merge p-*.cooc -o m.cooc --force -q --stats-json st.json --progress-json
ok '--stats-json lists the phases' python3 -c '
import json
s = json.load(open("st.json"))
names = [p["phase"] for p in s["phases"]]
assert s["command"] == "merge" and s["status"] == "done", s
assert "reading the stores" in names and "writing the index" in names, names'

# Few words and very many documents: merge chooses to add up rows.
awk 'BEGIN { for (i = 0; i < 3000; i++) print "a" i % 5, "b" i % 7, "c" i % 3 }' \
    >few.txt
rm -rf p-*
split -n l/2 -d --additional-suffix=.txt few.txt p-
stores
want
ok 'stores of few words in many documents are merged' merged
is 'few words in many documents are merged from rows' "$(field pairs_from)" rows

# ---- what is refused ---------------------------------------------------
echo 'the cats and dogs' >one.txt
echo 'the' >stop.txt
echo 'and' >stop2.txt
printf 'cats\tcat\n' >thes.txt
store() # name options...
{
    name=$1
    shift
    rm -rf "$name"
    "$COOC" count one.txt -o "$name" -q "$@"
}
store plain.cooc
differ() # name message options...: merge a store of these with plain.cooc
{
    name=$1 sentence=$2
    shift 2
    store other.cooc "$@"
    echo "cooc: $sentence
try 'cooc merge --help'" | sed 's/^   *//' >"$TAP/sentence"
    refuses 2 "$name" merge plain.cooc other.cooc -o x.cooc <"$TAP/sentence"
}
both='plain.cooc: cannot be combined with other.cooc: it was made'
differ 'a different stemmer is named' \
    "$both without stem, the other with stem english (--stem)" \
    --stem english
differ 'different case is named' \
    "$both without keep_case, the other with keep_case (--keep-case)" \
    --keep-case
differ 'a different --numbers is named' \
    "$both without drop_numbers, the other with drop_numbers (--numbers)" \
    --numbers drop
differ 'different --tokens are named' \
    "$both with tokens words, the other with tokens whitespace (--tokens)" \
    --tokens whitespace
differ 'a format of terms is named' \
    "$both with tokens words, the other with ready-made terms (--tokens)" \
    --format transactions
differ 'a different stop list is named' \
    "$both without stop_file, the other with stop_file (--stop)" --stop stop.txt
differ 'a different thesaurus is named' \
    "$both without thesaurus_file, the other with thesaurus_file (--thesaurus)" \
    --thesaurus thes.txt
differ 'different word lengths are named' \
    "$both without min_length, the other with min_length 4 (--min-length)" \
    --min-length 4
differ 'a different --max-doc-terms is named' \
    "$both without max_doc_terms, the other with max_doc_terms 2 (--max-doc-terms)" \
    --max-doc-terms 2
gone='and more documents might bring back terms that it dropped; index without that option, or index all documents together with it'
differ 'a store with --min-df is refused' \
    "other.cooc: was made with min_df 2, $gone (--min-df)" --min-df 2
differ 'a store with --max-df as a percentage is refused' \
    "other.cooc: was made with max_df_share 50%, $gone (--max-df)" \
    --max-df 50%
differ 'a store with --top-terms is refused' \
    "other.cooc: was made with top_terms 2, $gone (--top-terms)" \
    --top-terms 2
store s1.cooc --stop stop.txt
store s2.cooc --stop stop2.txt
refuses 2 'stores with two stop lists are refused' \
    merge s1.cooc s2.cooc -o x.cooc <<LIST
cooc: s1.cooc: cannot be combined with s2.cooc: they were made with different lists (--stop)
try 'cooc merge --help'
LIST
store s1.cooc --stem english
store s2.cooc --stem german
refuses 2 'stores with two stemmers are refused' \
    merge s1.cooc s2.cooc -o x.cooc <<LIST
cooc: s1.cooc: cannot be combined with s2.cooc: it was made with stem english, the other with stem german (--stem)
try 'cooc merge --help'
LIST
store s1.cooc --terms stop.txt
store s2.cooc --terms stop2.txt
refuses 2 'stores with two lists of terms are refused' \
    merge s1.cooc s2.cooc -o x.cooc <<LIST
cooc: s1.cooc: cannot be combined with s2.cooc: they were made with different lists (--terms)
try 'cooc merge --help'
LIST
store s2.cooc
refuses 2 'stores with and without a list of terms are refused' \
    merge s1.cooc s2.cooc -o x.cooc <<LIST
cooc: s1.cooc: cannot be combined with s2.cooc: it was made with terms_file, the other without terms_file (--terms)
try 'cooc merge --help'
LIST
store s2.cooc --terms /dev/null
refuses 2 'stores with and without an empty list of terms are refused' \
    merge s1.cooc s2.cooc -o x.cooc <<LIST
cooc: s1.cooc: cannot be combined with s2.cooc: they were made with different lists (--terms)
try 'cooc merge --help'
LIST
{ echo '# the same'; sort -r stop.txt; echo; cat stop.txt; } >again.txt
rm -rf want.cooc x.cooc
store s2.cooc --terms again.txt
"$COOC" count one.txt one.txt --format lines --terms stop.txt -o want.cooc -q
ok 'lists of the same terms in a different order are accepted' sh -c \
    "'$COOC' merge s1.cooc s2.cooc -o x.cooc -q && diff -r want.cooc x.cooc"
rm -rf x.cooc
refuses 2 'the same store given twice is refused' \
    merge plain.cooc ./plain.cooc/ -o x.cooc <<'LIST'
cooc: ./plain.cooc/: is given twice (also as plain.cooc), so its documents would count twice; give it once
try 'cooc merge --help'
LIST
cp -r plain.cooc plain2.cooc
refuses 2 'a merge into one of its inputs is refused' \
    merge plain.cooc plain2.cooc -o plain2.cooc -f <<'LIST'
cooc: plain2.cooc: is one of the stores to merge; choose another name for the new store, or add documents to this one
try 'cooc merge --help'
LIST
refuses 1 'an existing store is not replaced' \
    merge plain.cooc -o plain2.cooc <<'LIST'
cooc: plain2.cooc: already exists; choose another name or replace it with --force
LIST
refuses 1 'an input that is not a store is refused' \
    merge plain.cooc one.txt -o x.cooc <<'LIST'
cooc: one.txt: is a file, but a cooc store is a directory; index the file first
LIST
refuses 2 'a merge without -o is refused' merge plain.cooc plain2.cooc <<'LIST'
cooc: no name for the new store; run: cooc merge plain.cooc ... -o NAME.cooc
try 'cooc merge --help'
LIST
refuses 2 'too little memory is refused' \
    merge plain.cooc plain2.cooc -o x.cooc --memory 20M <<'LIST'
cooc: memory must be at least 64 MiB to count (--memory)
try 'cooc merge --help'
LIST
printf 'x' | dd of=plain2.cooc/forward.bin bs=1 seek=2 conv=notrunc 2>/dev/null
run merge plain.cooc plain2.cooc -o x.cooc -q
is 'a merge of a damaged store fails' $rc 1
ok 'a merge names the damaged file' grep -q 'plain2.cooc/forward.bin' "$TAP/err"
is 'a failed merge leaves nothing behind' "$(ls -d x.cooc* 2>/dev/null)" ''

ended
