#!/bin/sh
# identical.t - the store is the same, byte for byte, for every method, number
# of threads, parameter and memory limit.
. "$(dirname "$0")/../tap.sh"
python3 "$DATA/collection.py" 400 3000 30 >docs.txt
"$COOC" index docs.txt -o i.cooc -j1 -q
cp -r i.cooc want.cooc
"$COOC" count want.cooc -j1 -q
gives 'check accepts the first store' check want.cooc -q </dev/null

# The counts, by definition.
python3 - >want.tsv <<'END'
import collections, itertools
docs = [sorted(set(line.split())) for line in open("docs.txt")]
df = collections.Counter(w for d in docs for w in d)
pairs = collections.Counter(p for d in docs
                            for p in itertools.combinations(d, 2))
order = {w: i for i, w in enumerate(sorted(df, key=lambda w: (-df[w], w)))}
rows = []
for (a, b), n in pairs.items():
    a, b = sorted((a, b), key=order.get)
    rows.append((order[b], order[a], a, b, n))
print("term1\tterm2\tcount\tdf1\tdf2")
for _, _, a, b, n in sorted(rows):
    print(a, b, n, df[a], df[b], sep="\t")
END
ok 'the first store has the counts of the definition' \
    sh -c "'$COOC' export want.cooc |
    cmp - want.tsv"

counted_with() # options...
{
    rm -rf c.cooc
    cp -r i.cooc c.cooc
    run count c.cooc "$@"
    [ $rc -eq 0 ] || { cat "$TAP/err"; return 1; }
    diff -r want.cooc c.cooc
}

while read -r method options; do
    for j in 1 2 3; do
        ok "$method $options -j $j makes the same store" \
            counted_with --method $method $options -j $j
        is "$method $options -j $j reports its method" "$(field method)" \
            $method
    done
done <<'END'
list-scan
list-scan --memory 64M
list-scan --batch-postings 2000
bit-scan
bit-scan --memory 64M
bit-scan --head-terms 1
bit-scan --head-terms 512
bit-scan --head-terms 100000
bit-scan --kernel scalar
bit-scan --kernel scalar --head-terms 256
list-blocks
list-blocks --block-terms 1
list-blocks --block-terms 7
list-blocks --block-terms 100000
list-blocks --block-terms 333 --memory 64M
list-pairs
list-pairs --memory 64M
multi-scan
multi-scan --accumulators 1
multi-scan --accumulators 17 --memory 64M
multi-scan --accumulators 1000000
naive
naive --flush-pairs 1000
naive --flush-pairs 777 --memory 64M
naive --memory 65M
END

# Without --kernel, the fastest one is used.
if grep -qw avx2 /proc/cpuinfo; then
    ok 'bit-scan --kernel avx2 makes the same store' \
        counted_with --method bit-scan --kernel avx2
fi

# Every method with every kernel, number of threads and budget.  The last two
# budgets make five batches, and more batches than are merged in one step.
for method in $("$COOC" methods | awk 'NR > 1 { print $1 }'); do
    for kernel in '' '--kernel scalar'; do
        for budget in '--memory 64M' '--batch-postings 2000' \
            '--batch-postings 300'; do
            for j in 1 2; do
                ok "$method $kernel $budget -j $j makes the same store" \
                    counted_with --method $method $kernel $budget -j $j
            done
        done
    done
done
mkdir elsewhere
ok '--tmpdir makes the same store' \
    counted_with --method naive --flush-pairs 5000 --tmpdir elsewhere
is '--tmpdir is empty after the count' "$(ls elsewhere)" ''
ok 'more threads than rows make the same store' counted_with -j 64

indexed_with() # options...
{
    rm -rf c.cooc
    run index docs.txt -o c.cooc "$@"
    [ $rc -eq 0 ] || { cat "$TAP/err"; return 1; }
    diff -r i.cooc c.cooc
}
for options in '-j 1' '-j 2' '-j 3' '-j 7' '-j 1 --memory 16M' \
    '-j 2 --memory 17000K' '-j 3 --memory 1G' '-j 2 --memory 100G'; do
    ok "index $options makes the same store" indexed_with $options
done
gzip -c docs.txt >z.gz
mkdir packed
mv z.gz packed/docs.txt
cd packed
run index docs.txt -o ../c.cooc --force
cd ..
ok 'a compressed input makes the same store' diff -r i.cooc c.cooc
# Large enough for several threads and for temporary files.
awk 'BEGIN { for (i = 0; i < 150000; i++)
    print "x" i, "y" int(i / 3), "z" i % 1000, "w" i % 7 }' >big.txt
"$COOC" index big.txt -o one.cooc -j1 -q
for j in 1 2 5; do
    "$COOC" index big.txt -o more.cooc -j$j --memory 16M --force >report
    ok "-j $j with little memory makes the same large store" \
        diff -r one.cooc more.cooc
    ok "-j $j with little memory uses temporary files" \
        grep -q bytes_spilled report
done
refuses 2 'too little memory to index is refused' \
    index docs.txt -o m.cooc --memory 1M <<'END'
cooc: memory must be at least 16 MiB to index (--memory)
try 'cooc index --help'
END
ended
