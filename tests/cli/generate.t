#!/bin/sh
# generate.t - the documents of the benchmarks: the store that is written
# directly equals the one that the indexer makes from their text; they depend on
# the seed; their statistics are those of table 1 in the paper.
. "$(dirname "$0")/../tap.sh"
GENERATE=$BUILD/bench/cooc-generate

ok 'documents are written as text' sh -c "'$GENERATE' -n 300 --text >docs.tsv"
is 'the text has one document per line' "$(wc -l <docs.tsv | tr -d ' ')" 300
run index docs.tsv -o indexed.cooc
ok 'documents are written as a store' "$GENERATE" -n 300 made.cooc
ok 'the store equals one indexed from the text' \
    same_documents indexed.cooc made.cooc
gives 'check accepts the generated store' check made.cooc -q </dev/null

ok 'a store is generated again with the same seed' \
    "$GENERATE" --documents 300 --seed 1 again.cooc
ok 'the same seed gives the same store' diff -r made.cooc again.cooc
ok 'a store is generated with another seed' \
    "$GENERATE" -n 300 --seed 2 other.cooc
not_ok 'another seed gives another store' \
    cmp made.cooc/forward.bin other.cooc/forward.bin
"$GENERATE" -n 200 --text >first.tsv
ok 'fewer documents are the first of a larger number' \
    sh -c 'head -n 200 docs.tsv | cmp - first.tsv'

not_ok 'an existing store is not replaced' "$GENERATE" -n 10 made.cooc
ok 'an existing store is replaced with -f' "$GENERATE" -f -n 0 made.cooc
gives 'check accepts a generated store without documents' \
    check made.cooc -q </dev/null
not_ok '1k is not a number' "$GENERATE" -n 1k --text
not_ok 'a store needs a name' "$GENERATE" -n 10

ok 'a thousand documents are generated' "$GENERATE" -n 1000 thousand.cooc
"$COOC" count thousand.cooc -q
ok 'a thousand documents have lengths, terms and pairs as in the paper' \
    python3 - <<END
import json, subprocess
told = json.loads(subprocess.run(
    ["$COOC", "stats", "thousand.cooc", "--json"],
    stdout=subprocess.PIPE, check=True).stdout)
paper = {"average_length": 217.4, "maximum_length": 2190,
         "standard_deviation": 221, "postings": 217e3,
         "vocabulary": 29.2e3, "distinct_pairs": 22.8e6}
wrong = {k: told[k] for k in paper if abs(told[k] / paper[k] - 1) > 0.25}
assert not wrong and told["minimum_length"] <= 5, wrong
END
ended
