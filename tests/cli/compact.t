#!/bin/sh
# compact.t - a store that leaves out rows answers like one that has them all,
# is the same whatever made it, and becomes the other kind and back.
. "$(dirname "$0")/../tap.sh"
python3 "$DATA/collection.py" 400 3000 30 >docs.txt
"$COOC" index docs.txt -o i.cooc -j1 -q
cp -r i.cooc all.cooc
"$COOC" count all.cooc -j1 -q

compact() # name count-options...: a store of that name
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

# Questions that read rows, or do not: what each store says.
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
        grep -Ev '^(rows_written|(estimated_)?bytes_.*|.*left_out.*)	'
} 2>&1

ask_all all.cooc >want
ok 'there are answers' test "$(wc -l <want)" -gt 10000
for df in 1 2 3 5 9 40 255 0; do
    ok "rows up to df $df are left out" compact c.cooc --compact-df $df
    ask_all c.cooc >got
    ok "and every answer is the same (df $df)" cmp want got
done
compact c.cooc --compact-df 2
two=$(bytes_of c.cooc)
compact c.cooc --compact-df 5
five=$(bytes_of c.cooc)
ok 'the more is left out, the smaller the files' \
    test "$(bytes_of all.cooc)" -gt "$two" -a "$two" -gt "$five"
compact c.cooc --compact-df 1
ok 'df 1 is what --rows full leaves out' diff -r all.cooc c.cooc

# ---- which kind it is --------------------------------------------------
compact c.cooc --compact-df 5
run stats all.cooc
is 'stats says that rows are all there' "$(field rows_written)" full
pairs=$(field distinct_pairs)
run stats c.cooc
is 'or that they are compact' "$(field rows_written)" compact
is 'up to which df they are not' "$(field left_out_up_to_df)" 5
is 'and that there are as many pairs' "$(field distinct_pairs)" "$pairs"
export_of() # store: "df of the rarer term, count" for every pair
{
    "$COOC" export "$1" | sed 1d | cut -f2,5
}
is 'stats knows the pairs left out' "$(field pairs_left_out)" \
    "$(export_of all.cooc | awk '$2 <= 5' | wc -l)"
near() # a b: within a twentieth of each other?
{
    test "$(($1 * 20))" -gt "$(($2 * 19))" -a "$(($1 * 19))" -lt "$(($2 * 20))"
}
ok 'about how many bytes it would be in full' \
    near "$(field estimated_bytes_in_full)" "$(bytes_of all.cooc)"
is 'and the rows' "$(field rows_left_out)" \
    "$(awk '{ delete seen; for (i = 1; i <= NF; i++) if (!seen[$i]++) df[$i]++ }
         END { for (w in df) n += df[w] <= 5; print n }' docs.txt)"
"$COOC" stats c.cooc --json >json
ok 'in JSON too' grep -q '"estimated_bytes_in_full": [0-9]' json
not_ok 'a full store needs no estimate' \
    sh -c '"$COOC" stats all.cooc | grep estimated'
run count c.cooc --force --rows compact --compact-df 5 --json
ok 'so does the report of count' \
    grep -q '"rows_written": "compact", "left_out_up_to_df": 5' "$TAP/out"

# ---- how it was counted ------------------------------------------------
run count c.cooc --force --head-terms 300 --batch-postings 2000
is 'bitmaps hold 256 terms, or 512, ...' "$(field head_terms)" 512
ok 'batches are told' test "$(field batches)" -gt 1
run count c.cooc --force
ok 'and how many terms were chosen by cost' test "$(field head_terms)" -ge 256
run count c.cooc --force --method list-scan
is 'other methods have no bitmaps' "$(field head_terms)" ''

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

# Rows of longer documents are worth writing from a smaller df on.
awk 'BEGIN { for (d = 0; d < 40; d++) {
    for (i = 0; i < 4000; i++) printf "c%d ", i
    printf "o%d t%d h%d f%d\n", d, int(d / 2), int(d / 3), int(d / 5) } }' >long.txt
"$COOC" count long.txt -o long.cooc -q --rows compact
run stats long.cooc
is 'rows that cost 16384 increments on average are written' \
    "$(field left_out_up_to_df)" 3
ok 'and a recount of them is good' "$COOC" check long.cooc -q

# ---- one kind becomes the other ----------------------------------------
compact want.cooc --compact-df 5
rm -rf c.cooc
cp -r all.cooc c.cooc
"$COOC" count c.cooc -q --force --rows compact --compact-df 5
ok 'a full store becomes a compact one' diff -r want.cooc c.cooc
"$COOC" count c.cooc -q --force --rows compact --compact-df 2
compact two.cooc --compact-df 2
ok 'a compact store one with more rows' diff -r two.cooc c.cooc
"$COOC" count c.cooc -q --force
ok 'and stays what it is when it is counted again' diff -r two.cooc c.cooc
"$COOC" count c.cooc -q --force --rows full
ok 'unless all rows are asked for' diff -r all.cooc c.cooc
refuses 1 'a counted store stays what it is without --force' \
    count c.cooc --rows compact <<'LIST'
cooc: c.cooc: the pairs of this store are already counted; use --force to count them again
LIST
ok 'and is unharmed' diff -r all.cooc c.cooc

# ---- usage -------------------------------------------------------------
refuses 2 'there are two kinds' count i.cooc --rows cheap <<'LIST'
cooc: --rows must be full or compact, not 'cheap'
try 'cooc count --help'
LIST
refuses 2 'a df without --rows compact means nothing' \
    count i.cooc --compact-df 3 <<'LIST'
cooc: compact_df applies only to compact rows (--compact-df)
try 'cooc count --help'
LIST
refuses 2 'a df has a limit' count i.cooc --rows compact --compact-df 256 <<'LIST'
cooc: --compact-df must be at most 255
try 'cooc count --help'
LIST
compact want.cooc --compact-df 3
cp -r i.cooc old.cooc
ok 'the old names of both options are accepted' \
    "$COOC" count old.cooc -q --rows costly --costly-df 3
ok 'and mean the same' diff -r want.cooc old.cooc
ok 'also the other kind' "$COOC" count old.cooc -q --force --rows all
ok 'which is a full store' diff -r all.cooc old.cooc
run count --help
ok 'the help does not show them' sh -c '! grep -q costly "$1"' - "$TAP/out"

ended
