#!/bin/sh
# similar.t - terms that are used alike: output, options, files, errors.
. "$(dirname "$0")/../tap.sh"
cp "$DATA/drinks.txt" .
"$COOC" count drinks.txt -o d.cooc -q
"$COOC" count drinks.txt -o f.cooc --rows full -q
"$COOC" index drinks.txt -o i.cooc -q

gives 'similar ranks terms by the cosine of their PPMI rows' \
    similar d.cooc tea --min-df 2 <<'END'
term	count	df	similarity
black	1	2	0.406158816091
and	2	2	0.346012677913
sugar	1	2	0.146321389826
coffee	0	3	0
milk	1	3	0
with	1	3	0
END
gives 'terms are found as users type them' \
    similar d.cooc TEA --min-df 2 -n 1 <<'END'
term	count	df	similarity
black	1	2	0.406158816091
END
gives 'several terms share a list with a column for the term' \
    similar d.cooc tea coffee --min-df 2 -n 2 <<'END'
query	term	count	df	similarity
tea	black	1	2	0.406158816091
tea	and	2	2	0.346012677913
coffee	milk	2	3	0.802120255071
coffee	with	2	3	0.802120255071
END
gives '--json prints one object per similar term' \
    similar d.cooc tea --min-df 2 -n 1 --json <<'END'
{"term": "black", "count": 1, "df": 2, "similarity": 0.406158816091}
END
gives '--by names the weight, which may be a count' \
    similar d.cooc tea --min-df 2 -n 2 --by count <<'END'
term	count	df	similarity
sugar	1	2	0.54554472559
and	2	2	0.481125224325
END
gives '--contexts limits the vectors' \
    similar d.cooc tea --min-df 2 -n 2 --by count --contexts 2 <<'END'
term	count	df	similarity
coffee	0	3	1
and	2	2	1
END
gives '--min-score omits what is less similar' \
    similar d.cooc tea --min-df 1 --min-score 0.4 <<'END'
term	count	df	similarity
7	1	1	0.610043215219
cups	1	1	0.610043215219
of	1	1	0.610043215219
black	1	2	0.406158816091
END
gives '--reverse swaps term and context' \
    similar d.cooc tea --min-df 2 -n 1 --by confidence --reverse <<'END'
term	count	df	similarity
and	2	2	0.489114770428
END
"$COOC" similar d.cooc tea milk -n0 --min-df 0 --contexts 0 >want
for store in d.cooc f.cooc; do
    for j in 1 2 3; do
        "$COOC" similar $store tea milk -n0 --min-df 0 --contexts 0 -j $j >got
        ok "$store gives the same lines on $j threads" cmp want got
    done
done
is 'with -n 0 and --min-df 0, every term is listed' "$(wc -l <want)" 29

# ---- lists and files

printf '# drinks\ntea\n\nnothing\nCoffee\ntea\n' >list.txt
run similar d.cooc --terms list.txt --min-df 2 -n 1
is '--terms lists the similar terms of each term of a file' \
    "$(cat "$TAP/out")" 'query	term	count	df	similarity
tea	black	1	2	0.406158816091
coffee	milk	2	3	0.802120255071'
is 'unknown words of the file are reported' "$(cat "$TAP/err")" \
    "cooc: list.txt: 1 of 3 words is in no document; the first is 'nothing'"
"$COOC" similar d.cooc tea --min-df 1 >want
echo old >out.tsv
ln -s out.tsv link.tsv
gives '-o prints nothing' similar d.cooc tea --min-df 1 -o link.tsv </dev/null
ok '-o writes what would be printed, through a symbolic link' cmp want out.tsv
ok '-o keeps the link' test -h link.tsv
gives '-o - prints to standard output' \
    similar d.cooc tea --min-df 2 -n 1 -o - <<'END'
term	count	df	similarity
black	1	2	0.406158816091
END
"$COOC" similar d.cooc tea --min-df 1 -o /dev/stdout | cat >got
ok '-o writes into a pipe' cmp want got
before=$(cat out.tsv)
refuses 2 'a failed query leaves the old file' \
    similar d.cooc tea --by umass -o out.tsv <<'END'
cooc: the measure umass cannot be a weight, because 0 is one of its strongest values; use another one, for example ppmi (--by, --shift, --smoothing)
try 'cooc similar --help'
END
is 'the old file is unchanged' "$(cat out.tsv)" "$before"
is 'no temporary file is left' "$(find . -name '.*tmp*')" ''
refuses 2 'nothing is written into a store' \
    similar d.cooc tea -o d.cooc/similar.tsv <<'END'
cooc: d.cooc/similar.tsv: is inside a store; name a file in another directory
try 'cooc similar --help'
END
refuses 1 'a missing directory is reported' \
    similar d.cooc tea -o none/similar.tsv <<'END'
cooc: none/similar.tsv: cannot write: No such file or directory
END
if [ -w /dev/full ]; then
    refuses 1 'a full disk is reported' \
        similar d.cooc tea --min-df 1 -o /dev/full <<'END'
cooc: /dev/full: cannot write: the disk is full; free some space or use another disk
END
fi

# ---- nothing to list

run similar d.cooc tea
is 'a store without frequent terms gives an empty list' "$(cat "$TAP/out")" \
    'term	count	df	similarity'
is 'a note says what to do' "$(cat "$TAP/err")" "cooc: no similar terms: no \
term in at least 10 documents shares a context with the given ones; --min-df \
includes rarer terms"

# ---- errors

refuses 1 'a store must be counted' similar i.cooc tea <<'END'
cooc: i.cooc: the pairs of this store are not counted yet; run: cooc count i.cooc
END
refuses 1 'an unknown term is reported as in top' similar d.cooc tee <<'END'
cooc: no document contains 'tee'; similar terms: tea
END
refuses 2 'a TERM is needed' similar d.cooc <<'END'
cooc: missing argument; give a TERM, or a file of terms with --terms
try 'cooc similar --help'
END
refuses 2 'TERM and --terms exclude each other' \
    similar d.cooc tea --terms list.txt <<'END'
cooc: --terms takes the place of TERM, so the two cannot be combined
try 'cooc similar --help'
END
refuses 2 'a distance cannot be a weight' \
    similar d.cooc tea --by google-distance <<'END'
cooc: the measure google-distance cannot be a weight, because 0 is its strongest value; use another one, for example ppmi (--by, --shift, --smoothing)
try 'cooc similar --help'
END
refuses 2 'an infinite measure cannot be a weight' \
    similar d.cooc tea --by conviction <<'END'
cooc: the measure conviction cannot be a weight, because it may be infinite; use another one, for example ppmi (--by, --shift, --smoothing)
try 'cooc similar --help'
END
refuses 2 '--reverse needs a directed measure' \
    similar d.cooc tea --reverse <<'END'
cooc: --reverse does not apply to ppmi, which is the same in both directions
try 'cooc similar --help'
END
printf 'nothing\n' >none.txt
refuses 1 'a list without terms is refused' \
    similar d.cooc --terms none.txt <<'END'
cooc: none.txt: 1 of 1 word is in no document; the first is 'nothing'
END
ended
