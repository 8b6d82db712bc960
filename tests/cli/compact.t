#!/bin/sh
# compact.t - a store that leaves out rows gives the same answers as one with
# all rows, is identical however it was made, and can be converted both ways.
. "$(dirname "$0")/../tap.sh"
python3 "$DATA/collection.py" 400 3000 30 >docs.txt
"$COOC" index docs.txt -o i.cooc -j1 -q
cp -r i.cooc all.cooc
"$COOC" count all.cooc -j1 -q --rows full

compact() # name count-options...: make a compact store of that name
{
    rm -rf "$1"
    cp -r i.cooc "$1"
    store=$1
    shift
    "$COOC" count "$store" -q --rows compact "$@"
}

bytes_of() # store
{
    cat "$1"/rows-* 2>/dev/null | wc -c
}

# The output of queries, of those that read rows and of those that do not.
ask_all() # store
{
    for by in count pmi npmi llr dice jaccard; do
        "$COOC" pairs "$1" --by $by -n 300 -j 2
        "$COOC" top "$1" w0 --by $by
    done
    "$COOC" pairs "$1" -n 0 --min-count 2 -j 1
    "$COOC" pairs "$1" -n 0 --json
    for word in w3 w77 w900 w2500; do
        "$COOC" top "$1" $word -n 0 --json
        "$COOC" pair "$1" w1 $word
        "$COOC" docs "$1" w1 $word
    done
    for format in tsv jsonl raw; do
        "$COOC" export "$1" --format $format
        "$COOC" export "$1" --format $format --min-count 3
        "$COOC" export "$1" --format $format --top-terms 500
    done
    "$COOC" check "$1" | grep -Ev '^(files|bytes)_verified'
    "$COOC" stats "$1" |
        grep -Ev '^(rows_written|(estimated_)?bytes_.*|.*omitted.*)	'
} 2>&1

ask_all all.cooc >want
ok 'the queries print more than 10,000 lines' test "$(wc -l <want)" -gt 10000
for df in 1 2 3 5 9 40 255 0; do
    ok "rows up to df $df are omitted" compact c.cooc --compact-df $df
    ask_all c.cooc >got
    ok "every answer is the same without rows up to df $df" cmp want got
done
compact c.cooc --compact-df 2
two=$(bytes_of c.cooc)
compact c.cooc --compact-df 5
five=$(bytes_of c.cooc)
ok 'leaving out more rows makes the files smaller' \
    test "$(bytes_of all.cooc)" -gt "$two" -a "$two" -gt "$five"
compact c.cooc --compact-df 1
ok '--compact-df 1 makes the same store as --rows full' diff -r all.cooc c.cooc

# ---- which kind of store --------------------------------------------------
compact c.cooc --compact-df 5
run stats all.cooc
is 'stats reports full rows' "$(field rows_written)" full
pairs=$(field distinct_pairs)
run stats c.cooc
is 'stats reports compact rows' "$(field rows_written)" compact
is 'stats reports the df up to which rows are omitted' \
    "$(field omitted_up_to_df)" 5
is 'a compact store has the same number of pairs' \
    "$(field distinct_pairs)" "$pairs"
export_of() # store: df of the rarer term and count of every pair
{
    "$COOC" export "$1" | sed 1d | cut -f2,5
}
is 'stats reports the number of pairs omitted' "$(field pairs_omitted)" \
    "$(export_of all.cooc | awk '$2 <= 5' | wc -l)"
near() # a b: succeeds if they differ by at most a twentieth
{
    test "$(($1 * 20))" -gt "$(($2 * 19))" -a "$(($1 * 19))" -lt "$(($2 * 20))"
}
ok 'stats estimates the size of the full store' \
    near "$(field estimated_bytes_in_full)" "$(bytes_of all.cooc)"
is 'stats reports the number of rows omitted' "$(field rows_omitted)" \
    "$(awk '{ delete seen; for (i = 1; i <= NF; i++) if (!seen[$i]++) df[$i]++ }
         END { for (w in df) n += df[w] <= 5; print n }' docs.txt)"
"$COOC" stats c.cooc --json >json
ok 'stats --json has the estimated size' \
    grep -q '"estimated_bytes_in_full": [0-9]' json
not_ok 'stats of a full store has no estimated size' \
    sh -c '"$COOC" stats all.cooc | grep estimated'
run count c.cooc --force --rows compact --compact-df 5 --json
ok 'the report of count says that rows are compact' \
    grep -q '"rows_written": "compact", "omitted_up_to_df": 5' "$TAP/out"

# ---- how it was counted ------------------------------------------------
run count c.cooc --force --head-terms 300 --batch-postings 2000
is 'bitmaps cover a multiple of 256 terms' "$(field head_terms)" 512
ok 'the number of batches is reported' test "$(field batches)" -gt 1
run count c.cooc --force
ok 'the number of terms with bitmaps is chosen by cost' \
    test "$(field head_terms)" -ge 256
run count c.cooc --force --method list-scan
is 'list-scan has no bitmaps' "$(field head_terms)" ''

# ---- identical ---------------------------------------------------------
compact want.cooc --compact-df 5
while read -r method options; do
    for j in 1 3; do
        compact c.cooc --compact-df 5 --method $method $options -j $j
        ok "$method $options -j $j makes the same compact store" \
            diff -r want.cooc c.cooc
    done
done <<'LIST'
list-scan
bit-scan
bit-scan --head-terms 256
bit-scan --kernel scalar --batch-postings 2000
list-blocks
list-blocks --block-terms 7
list-pairs
multi-scan --accumulators 17
naive
naive --flush-pairs 777 --memory 64M
LIST
compact want.cooc
for method in list-scan bit-scan list-blocks list-pairs multi-scan naive; do
    compact c.cooc --method $method -j 2
    ok "$method chooses the same rows" diff -r want.cooc c.cooc
done

# With longer documents, rows are written from a smaller df on.
awk 'BEGIN { for (d = 0; d < 40; d++) {
    for (i = 0; i < 4000; i++) printf "c%d ", i
    printf "o%d t%d h%d f%d\n", d, int(d / 2), int(d / 3), int(d / 5) } }' >long.txt
"$COOC" count long.txt -o long.cooc -q --rows compact
run stats long.cooc
is 'rows that cost 16384 increments on average are written' \
    "$(field omitted_up_to_df)" 3
ok 'check accepts a store with rows chosen by cost' "$COOC" check long.cooc -q

# ---- conversion between both kinds ----------------------------------------
compact want.cooc --compact-df 5
rm -rf c.cooc
cp -r all.cooc c.cooc
"$COOC" count c.cooc -q --force --rows compact --compact-df 5
ok 'a full store is converted to a compact store' diff -r want.cooc c.cooc
"$COOC" count c.cooc -q --force --rows compact --compact-df 2
compact two.cooc --compact-df 2
ok 'a compact store is converted to one with more rows' diff -r two.cooc c.cooc
"$COOC" count c.cooc -q --force
ok 'a recount keeps the kind of the store' diff -r two.cooc c.cooc
"$COOC" count c.cooc -q --force --rows full
ok 'a compact store is converted to a full store' diff -r all.cooc c.cooc
refuses 1 'a counted store is not converted without --force' \
    count c.cooc --rows compact <<'LIST'
cooc: c.cooc: the pairs of this store are already counted; use --force to count them again
LIST
ok 'a refused conversion leaves the store unchanged' diff -r all.cooc c.cooc

# ---- usage -------------------------------------------------------------
refuses 2 'an unknown kind of rows is refused' \
    count i.cooc --rows cheap <<'LIST'
cooc: --rows must be full or compact, not 'cheap'
try 'cooc count --help'
LIST
refuses 2 '--compact-df with --rows full is refused' \
    count i.cooc --rows full --compact-df 3 <<'LIST'
cooc: a df limit applies only to compact rows (--compact-df)
try 'cooc count --help'
LIST
refuses 2 '--compact-df above its limit is refused' \
    count i.cooc --rows compact --compact-df 256 <<'LIST'
cooc: --compact-df must be at most 255
try 'cooc count --help'
LIST
compact want.cooc --compact-df 3
cp -r i.cooc d.cooc
"$COOC" count d.cooc -q --compact-df 3
ok '--compact-df alone makes a compact store' diff -r want.cooc d.cooc
"$COOC" count d.cooc -q --force --rows full
"$COOC" count d.cooc -q --force
ok 'a recount of a full store keeps it full' diff -r all.cooc d.cooc
"$COOC" count d.cooc -q --force --compact-df 3
ok '--compact-df converts a full store' diff -r want.cooc d.cooc
compact want2.cooc
rm -rf d.cooc
"$COOC" count docs.txt -o d.cooc -q
ok 'a new store has compact rows' diff -r want2.cooc d.cooc
cp -r i.cooc old.cooc
ok 'the old names of both options are accepted' \
    "$COOC" count old.cooc -q --rows costly --costly-df 3
ok 'the old names of both options mean the same' diff -r want.cooc old.cooc
ok '--rows all is accepted' "$COOC" count old.cooc -q --force --rows all
ok '--rows all makes a full store' diff -r all.cooc old.cooc
run count --help
ok 'the help does not show the old names' \
    sh -c '! grep -q costly "$1"' - "$TAP/out"

ended
