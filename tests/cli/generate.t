#!/bin/sh
# generate.t - the benchmark's documents: the store made directly is the one
# that the indexer makes of their text; the seed tells them apart; their
# statistics are those of the paper's table 1.
. "$(dirname "$0")/../tap.sh"
GENERATE=$BUILD/bench/cooc-generate

ok 'documents come as text' sh -c "'$GENERATE' -n 300 --text >docs.tsv"
is 'a line each' "$(wc -l <docs.tsv | tr -d ' ')" 300
run index docs.tsv -o indexed.cooc
ok 'and as a store' "$GENERATE" -n 300 made.cooc
ok 'which is what the indexer makes of the text' \
    diff -r indexed.cooc made.cooc
gives 'and good' check made.cooc -q </dev/null

ok 'the same seed' "$GENERATE" --documents 300 --seed 1 again.cooc
ok 'gives the same store' diff -r made.cooc again.cooc
ok 'another seed' "$GENERATE" -n 300 --seed 2 other.cooc
not_ok 'gives another' cmp made.cooc/forward.bin other.cooc/forward.bin
"$GENERATE" -n 200 --text >first.tsv
ok 'fewer documents are the first of more' \
    sh -c 'head -n 200 docs.tsv | cmp - first.tsv'

not_ok 'a store is not replaced' "$GENERATE" -n 10 made.cooc
ok 'unless that is asked for' "$GENERATE" -f -n 0 made.cooc
gives 'no documents are a store too' check made.cooc -q </dev/null
not_ok 'a number must be one' "$GENERATE" -n 1k --text
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
