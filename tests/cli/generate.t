#!/bin/sh
# generate.t - the documents of the benchmarks: the store written directly is
# the one that the indexer makes from their text; they depend on the seed; their
# statistics are those of table 1 in the paper.
. "$(dirname "$0")/../tap.sh"
GENERATE=$BUILD/bench/cooc-generate

ok 'documents are written as text' sh -c "'$GENERATE' -n 300 --text >docs.tsv"
is 'one document per line' "$(wc -l <docs.tsv | tr -d ' ')" 300
run index docs.tsv -o indexed.cooc
ok 'documents are written as a store' "$GENERATE" -n 300 made.cooc
ok 'the store is what the indexer makes from the text' \
    diff -r indexed.cooc made.cooc
gives 'the store passes check' check made.cooc -q </dev/null

ok 'the same seed' "$GENERATE" --documents 300 --seed 1 again.cooc
ok 'gives the same store' diff -r made.cooc again.cooc
ok 'another seed' "$GENERATE" -n 300 --seed 2 other.cooc
not_ok 'gives another' cmp made.cooc/forward.bin other.cooc/forward.bin
"$GENERATE" -n 200 --text >first.tsv
ok 'fewer documents are the first of more' \
    sh -c 'head -n 200 docs.tsv | cmp - first.tsv'

not_ok 'a store is not replaced' "$GENERATE" -n 10 made.cooc
ok 'with -f it is replaced' "$GENERATE" -f -n 0 made.cooc
gives 'a store may have no documents' check made.cooc -q </dev/null
not_ok '1k is not a number' "$GENERATE" -n 1k --text
not_ok 'a store needs a name' "$GENERATE" -n 10

ok 'a thousand documents' "$GENERATE" -n 1000 thousand.cooc
"$COOC" count thousand.cooc -q
ok 'have lengths, terms and pairs like those of the paper' python3 - <<END
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
