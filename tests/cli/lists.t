#!/bin/sh
# lists.t - queries on files of words and pairs, on whole rows and on the
# vocabulary.
. "$(dirname "$0")/../tap.sh"
cat >docs.txt <<'END'
apple banana cherry
apple banana
Apple cherry date
banana date
elder
END
"$COOC" count docs.txt -o s.cooc -q
"$COOC" index docs.txt -o i.cooc -q
printf '# fruit\nApple\n\nbanana\r\napple\nnone\n' >a.txt
printf 'cherry\ndate\nbanana\n' >b.txt

# ---- between, within

warns() # name message arguments...: succeeds, prints stdin, and warns
{
    name=$1
    echo "$2" >"$TAP/want_err"
    shift 2
    mask >"$TAP/want"
    run "$@" </dev/null
    mask <"$TAP/out" | diff "$TAP/want" - >"$TAP/diff"
    diff "$TAP/want_err" "$TAP/err" >>"$TAP/diff"
    if [ $rc -eq 0 ] && [ ! -s "$TAP/diff" ]; then pass "$name"
    else fail "$name" "$TAP/diff"; fi
}
printf 'a b\n' >single.txt
"$COOC" count single.txt --format lines -o single.cooc >/dev/null 2>err
is 'one increment and one pair are singular' "$(sed 's/; [^;]* free$//' err)" \
    'cooc: 1 increment to count; about 1 pair'
echo nowhere >one.txt
refuses 1 'one word is singular' within single.cooc one.txt <<'END'
cooc: one.txt: 1 of 1 word is in no document; the first is 'nowhere'
END
none="cooc: a.txt: 1 of 3 words is in no document; the first is 'none'"
warns 'between pairs each term of A with each term of B' "$none" \
    between s.cooc a.txt b.txt --measures jaccard <<'END'
term1	term2	a	b	c	d	expected	jaccard	p
apple	cherry	2	1	0	2	1.2	0.6666666666666666	0.3
apple	date	1	2	1	1	1.2	0.25	0.9
apple	banana	2	1	1	1	1.8	0.5	0.7
banana	cherry	1	2	1	1	1.2	0.25	0.9
banana	date	1	2	1	1	1.2	0.25	0.9
END
warns 'between works on a store that is not counted' "$none" \
    between i.cooc a.txt b.txt --measures none -n 1 <<'END'
term1	term2	a	b	c	d	expected	p
apple	cherry	2	1	0	2	1.2	0.3
END
warns '--adjust multiplies p by the number of pairs, up to 1' "$none" \
    between s.cooc a.txt b.txt --measures none --adjust --by dice -n 2 <<'END'
term1	term2	a	b	c	d	expected	dice	p	p_adjusted
apple	cherry	2	1	0	2	1.2	0.8	0.3	1
apple	banana	2	1	1	1	1.8	0.6666666666666666	0.7	1
END
warns '--min-count leaves out rare pairs' "$none" \
    between s.cooc a.txt b.txt --measures none --min-count 2 <<'END'
term1	term2	a	b	c	d	expected	p
apple	cherry	2	1	0	2	1.2	0.3
apple	banana	2	1	1	1	1.8	0.7
END
gives 'within lists each pair once' within s.cooc b.txt --measures none <<'END'
term1	term2	a	b	c	d	expected	p
cherry	date	1	1	1	2	0.8	0.7
cherry	banana	1	1	2	1	1.2	0.9
date	banana	1	1	2	1	1.2	0.9
END
gives '--by with a distance lists the nearest pairs first' \
    within s.cooc b.txt --measures none --by google-distance -n 1 <<'END'
term1	term2	a	b	c	d	expected	google-distance	p
cherry	date	1	1	1	2	0.8	0.7564707973660299	0.7
END
gives 'within --matrix prints a square matrix' \
    within s.cooc b.txt --matrix <<'END'
term	cherry	date	banana
cherry	2	1	1
date	1	2	1
banana	1	1	3
END
gives 'a matrix of a directed measure is from row to column' \
    within s.cooc b.txt --matrix --by confidence <<'END'
term	cherry	date	banana
cherry	1	0.5	0.5
date	0.5	1	0.5
banana	0.3333333333333333	0.3333333333333333	1
END
printf 'elder\n' >one.txt
gives 'a list of one word has no pairs' within s.cooc one.txt --measures none \
    <<'END'
term1	term2	a	b	c	d	expected	p
END
gives 'a list of one word has a matrix of one cell' \
    within s.cooc one.txt --matrix <<'END'
term	elder
elder	1
END
printf 'x\ny\n' >unknown.txt
: >empty.txt
refuses 1 'a list of unknown words is refused' \
    between s.cooc unknown.txt b.txt <<'END'
cooc: unknown.txt: 2 of 2 words are in no document; the first is 'x'
END
refuses 1 'a list without words is refused' within s.cooc empty.txt <<'END'
cooc: empty.txt: no words; write one per line
END
refuses 1 'a missing list is named' within s.cooc nothing.txt \
    <<'END'
cooc: nothing.txt: cannot open: No such file or directory
END
refuses 2 'an unknown measure is reported first' \
    between s.cooc unknown.txt b.txt --measures llr,npmy <<'END'
cooc: --measures: unknown measure 'npmy'; did you mean 'npmi'? 'cooc measures' lists them all
try 'cooc between --help'
END
refuses 2 'a matrix with --json is refused' \
    within s.cooc b.txt --matrix --json <<'END'
cooc: --matrix can be combined only with --by, because it prints all pairs in tab-separated columns
try 'cooc within --help'
END
i=0
while [ $i -lt 4000 ]; do
    echo "x y"
    echo "other"
    i=$((i + 1))
done >many.txt
"$COOC" index many.txt -o many.cooc -q
printf 'x\ny\n' >xy.txt
gives 'a p too small for a double is printed' \
    within many.cooc xy.txt --measures fisher <<'END'
term1	term2	a	b	c	d	expected	fisher	p
x	y	4000	0	0	4000	2000	2406.1903468081	6.451388443e-2407
END

# ---- pairs --from

printf '# pairs\napple\tbanana\n\nCherry  DATE\nnone apple\none\na b c\n' >p.txt
printf 'elder apple\r\n' >>p.txt
cat >pairs.out <<'END'
term1	term2	count	df1	df2	jaccard	pmi
apple	banana	2	3	3	0.5	0.15200309344504997
cherry	date	1	2	2	0.3333333333333333	0.32192809488736235
none	apple	0	0	3	nan	nan
elder	apple	0	1	3	0	-inf
END
told="cooc: p.txt: 1 of 4 pairs has a word that is in no document (count 0); \
the first is 'none' in line 5
cooc: p.txt: 2 lines are not two words and were skipped (the first is line 6); \
put a tab between the words"
warns 'pairs --from keeps the order of the file' "$told" \
    pairs s.cooc --from p.txt --measures jaccard,pmi <pairs.out
warns 'pairs --from works on a store that is not counted' "$told" \
    pairs i.cooc --from p.txt --measures jaccard,pmi <pairs.out
"$COOC" pairs s.cooc --from - --measures jaccard,pmi <p.txt >out 2>err
mask <out >got
mask <pairs.out >want
ok 'pairs --from reads standard input' diff want got
ok 'a warning names standard input' grep -q '^cooc: standard input: 2 lines' err
printf '\357\273\277apple\tdate' >bom.txt
gives 'a byte order mark and a missing newline are accepted' \
    pairs s.cooc --from bom.txt --measures none <<'END'
term1	term2	count	df1	df2
apple	date	1	3	2
END
printf 'apple\t\n\tapple\na b c\n' >bad.txt
"$COOC" pairs s.cooc --from bad.txt >out 2>err
ok 'lines without exactly two words are reported' \
    grep -q ': 3 lines are not two words .* (the first is line 1)' err
"$COOC" export s.cooc >own.tsv
"$COOC" pairs s.cooc --from own.tsv --measures none >out 2>err
ok 'pairs --from reads a file written by cooc' diff own.tsv out
ok 'pairs --from of a file written by cooc has no warnings' test ! -s err
refuses 1 'a missing file is named' pairs s.cooc --from nothing <<'END'
cooc: nothing: cannot open: No such file or directory
END
refuses 2 '--from with --by is refused' \
    pairs s.cooc --from p.txt --by llr <<'END'
cooc: --from can be combined only with --measures and --json, because it prints every pair of the file in file order
try 'cooc pairs --help'
END
refuses 2 '--measures without --from is refused' \
    pairs s.cooc --measures llr <<'END'
cooc: --measures requires --from; to rank all pairs by a measure, use --by
try 'cooc pairs --help'
END

# ---- row, terms, docs

gives 'row lists every partner' row s.cooc BANANA <<'END'
term	count	df
apple	2	3
cherry	1	2
date	1	2
END
gives 'row lists partners by name, with measures' row i.cooc date --order name \
    --measures dice <<'END'
term	count	df	dice
apple	1	3	0.4
banana	1	3	0.4
cherry	1	2	0.5
END
gives 'the row of a term without partners is empty' row s.cooc elder <<'END'
term	count	df
END
gives 'terms are listed by df' terms s.cooc <<'END'
term	df
apple	3
banana	3
cherry	2
date	2
elder	1
END
gives 'terms --prefix lists terms with a prefix' \
    terms s.cooc --prefix BAN <<'END'
term	df
banana	3
END
gives 'terms --like lists terms that match a pattern' \
    terms s.cooc --like '*e*' --max-df 2 -n 2 <<'END'
term	df
cherry	2
date	2
END
gives 'terms --min-df lists frequent terms' terms s.cooc --min-df 3 <<'END'
term	df
apple	3
banana	3
END
gives 'docs lists documents with all of several terms' \
    docs s.cooc apple banana cherry <<'END'
document
docs.txt:1
END
gives 'docs --any lists documents with any of several terms' \
    docs s.cooc date elder --any <<'END'
document
docs.txt:3
docs.txt:4
docs.txt:5
END

# ---- '#' begins a comment if a blank follows; otherwise it is a letter ---
printf '#a b # x\n#a #c x\n#c b x\n' >tags.txt
printf '# b\n#\n#\tb\n#a\n' >tag.txt # one word on four lines
printf '# b\n#a\nx\n' >two.txt
printf '# b x\n#\n#a\tx\n#c #a\n' >tags.tsv
tagged() # store options...
{
    to=$1
    shift
    rm -rf "$to"
    "$COOC" count tags.txt -o "$to" -q "$@"
}
for how in '--tokens whitespace' '--format transactions'; do
    tagged t.cooc $how --stop tag.txt
    gives "$how: hashtags may be stop words" terms t.cooc <<'END'
term	df
x	3
#c	2
b	2
#	1
END
    tagged t.cooc $how --terms two.txt
    gives "$how: hashtags may be in --terms" terms t.cooc <<'END'
term	df
x	3
#a	2
END
    printf '# b\tx\n#\n#a\t#c\n' >thes.txt
    tagged t.cooc $how --thesaurus thes.txt
    gives "$how: hashtags may be variants" terms t.cooc --like '#*' <<'END'
term	df
#c	3
#	1
END
    tagged t.cooc $how
    gives "$how: hashtags may be terms of an export" \
        export t.cooc --terms two.txt <<'END'
term1	term2	count	df1	df2
x	#a	2	3	2
END
    gives "$how: hashtags may be in --exclude" \
        pairs t.cooc --exclude tag.txt <<'END'
term1	term2	count	df1	df2
x	#c	2	3	2
x	b	2	3	2
x	#	1	3	1
#c	b	1	2	2
b	#	1	2	1
END
    gives "$how: hashtags may be in a list for within" \
        within t.cooc two.txt --measures none <<'END'
term1	term2	a	b	c	d	expected	p
#a	x	2	0	1	0	2	1
END
    gives "$how: hashtags may be in lists for between" \
        between t.cooc tag.txt two.txt \
        --measures none <<'END'
term1	term2	a	b	c	d	expected	p
#a	x	2	0	1	0	2	1
END
    gives "$how: hashtags may be in pairs --from" pairs t.cooc --from tags.tsv \
        --measures jaccard <<'END'
term1	term2	count	df1	df2	jaccard
#a	x	2	2	3	0.6666666666666666
#c	#a	1	2	2	0.3333333333333333
END
done
tagged t.cooc --terms two.txt
gives 'lines of lists are split into words like documents' terms t.cooc <<'END'
term	df
x	3
a	2
END
ended
