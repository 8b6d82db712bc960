#!/bin/sh
# commands.t - what every command prints to a pipe.
. "$(dirname "$0")/../tap.sh"
cp "$DATA/drinks.txt" .

gives '--version prints the version' --version <<'END'
cooc 0.1.0
END
gives 'help lists the commands' help <"$DATA/help.out"
gives '--help prints the same as help' --help <"$DATA/help.out"
gives '-h prints the same as help' -h <"$DATA/help.out"
gives 'help help prints the same as help' help help <"$DATA/help.out"

for c in index count methods stats pair top similar row pairs between within \
    docs terms export dump check; do
    "$COOC" $c --help >$c.help
    ok "'cooc $c --help' shows usage and an example" \
        sh -c "grep -q '^  cooc $c ' $c.help && grep -q '^Examples:' $c.help"
    ok "'cooc help $c' prints the same as 'cooc $c --help'" \
        sh -c "'$COOC' help $c | diff $c.help -"
    ok "'cooc $c -h' prints the same as 'cooc $c --help'" \
        sh -c "'$COOC' $c -h | diff $c.help -"
    not_ok "the help of $c is within 80 columns" grep -E '^.{81}' $c.help
    ok "'cooc help' lists $c" grep -q "^  $c  " "$DATA/help.out"
done

gives 'index reports what it read' index drinks.txt -o d.cooc <<'END'
field	value
store	d.cooc
input_format	lines
documents	6
terms	15
postings	26
tokens	27
input_bytes	134
seconds_to_index	~
MB_indexed_per_second	~
documents_indexed_per_second	~
END

gives 'stats describes an uncounted store' stats d.cooc -n 1 <<'END'
field	value
documents	6
average_length	4.333333333333333
minimum_length	3
maximum_length	6
standard_deviation	0.9428090415820655
tokens	27
postings	26
vocabulary	15
increments	46
bytes_on_disk	~
rules	~

term	df
coffee	3

document	terms
drinks.txt:5	6
END

gives 'count reports what it counted' count d.cooc -j 2 <<'END'
field	value
method	bit-scan
threads	1
head_terms	15
increments	46
pairs	41
rows_written	compact
omitted_up_to_df	3
rows_omitted	15
pairs_omitted	41
bytes_of_pairs	0
bytes_per_pair	0
seconds_to_count	~
documents_counted_per_second	~
million_increments_per_second	~
END

gives 'count with -o indexes first and reports both' \
    count drinks.txt -o both.cooc -j 1 <<'END'
field	value
store	both.cooc
input_format	lines
documents	6
terms	15
postings	26
tokens	27
input_bytes	134
seconds_to_index	~
MB_indexed_per_second	~
documents_indexed_per_second	~
method	bit-scan
threads	1
head_terms	15
increments	46
pairs	41
rows_written	compact
omitted_up_to_df	3
rows_omitted	15
pairs_omitted	41
bytes_of_pairs	0
bytes_per_pair	0
seconds_to_count	~
documents_counted_per_second	~
million_increments_per_second	~
END
ok 'count with -o makes the same store as index and count' \
    diff -r d.cooc both.cooc

gives 'index -q is silent' index -q drinks.txt -o q.cooc </dev/null
gives 'count -q is silent' count --quiet q.cooc </dev/null
gives 'check -q is silent for a good store' check -q q.cooc </dev/null
gives 'export -q to a file is silent' export -q q.cooc -o q.tsv </dev/null

gives 'methods lists every method' methods <<'END'
method	default	summary
bit-scan	true	for each term, add up the bitmaps of its documents
list-scan	false	for each term, scan the documents that contain it
list-blocks	false	count one block of terms against another at a time
list-pairs	false	for each pair of terms, intersect their document lists
multi-scan	false	scan all documents once per group of 100 terms
naive	false	count in a dictionary, write it to files, merge them
END

gives 'stats describes a counted store' stats d.cooc --limit 3 -j 2 <<'END'
field	value
documents	6
average_length	4.333333333333333
minimum_length	3
maximum_length	6
standard_deviation	0.9428090415820655
tokens	27
postings	26
vocabulary	15
increments	46
distinct_pairs	41
rows_written	compact
omitted_up_to_df	3
rows_omitted	15
pairs_omitted	41
bytes_of_pairs	0
bytes_per_pair	0
estimated_bytes_in_full	108
bytes_on_disk	~
rules	~

term	df
coffee	3
milk	3
tea	3

term1	term2	count	df1	df2
milk	with	3	3	3

document	terms
drinks.txt:5	6
drinks.txt:3	5
drinks.txt:1	4
END
is 'bytes on disk are the sizes of all files' \
    "$(cat d.cooc/* | wc -c | tr -d ' ')" \
    "$("$COOC" stats d.cooc | sed -n 's/^bytes_on_disk	//p')"

gives 'pair shows the whole table and every measure' \
    pair d.cooc coffee milk <<'END'
field	value
term1	coffee
term2	milk
documents	6
df1	3
df2	3
count	2
only1	1
only2	1
neither	2
pmi	0.41503749927884376
npmi	0.26185950714291484
llr	0.679596147181589
dice	0.6666666666666666
jaccard	0.5
END

gives 'a pair that never co-occurs has count 0 and pmi -inf' \
    pair d.cooc tea café <<'END'
field	value
term1	tea
term2	café
documents	6
df1	3
df2	1
count	0
only1	3
only2	1
neither	2
pmi	-inf
npmi	-1
llr	-1.5876494966267796
dice	0
jaccard	0
END

gives 'a term co-occurs with itself in all its documents' \
    pair d.cooc tea tea <<'END'
field	value
term1	tea
term2	tea
documents	6
df1	3
df2	3
count	3
only1	0
only2	0
neither	3
pmi	1
npmi	1
llr	8.317766166719343
dice	1
jaccard	1
END

"$COOC" pair d.cooc milk coffee | sed -n 2,3p >order
is 'pair keeps the order of its arguments' "$(cut -f2 order | tr '\n' ' ')" \
    'milk coffee '

gives 'top lists both rarer and more frequent partners' \
    top d.cooc milk -n 5 <<'END'
term	count	df
with	3	3
coffee	2	3
tea	1	3
and	1	2
sugar	1	2
END

gives 'top ranks by a measure and shows it' top d.cooc sugar --by pmi <<'END'
term	count	df	pmi
no	1	1	1.584962500721156
and	1	2	0.5849625007211562
black	1	2	0.5849625007211562
coffee	1	3	0
milk	1	3	0
tea	1	3	0
with	1	3	0
END

gives 'top --min-count leaves out rare partners' \
    top d.cooc with --min-count 2 --by=jaccard <<'END'
term	count	df	jaccard
milk	3	3	1
coffee	2	3	0.5
END

gives 'top -n 0 lists all partners' top d.cooc no -n 0 <<'END'
term	count	df
coffee	1	3
black	1	2
sugar	1	2
END

gives 'pairs lists the strongest pairs first' pairs d.cooc -n 5 <<'END'
term1	term2	count	df1	df2
milk	with	3	3	3
coffee	milk	2	3	3
coffee	with	2	3	3
tea	and	2	3	2
coffee	black	1	3	2
END

gives 'pairs ranks by a measure and shows it' \
    pairs d.cooc --by npmi --min-count 2 <<'END'
term1	term2	count	df1	df2	npmi
milk	with	3	3	3	1
tea	and	2	3	2	0.6309297535714574
coffee	milk	2	3	3	0.26185950714291484
coffee	with	2	3	3	0.26185950714291484
END

is 'pairs -n 0 lists all pairs' "$("$COOC" pairs d.cooc -n 0 | wc -l)" 42
for by in count pmi npmi llr dice jaccard; do
    "$COOC" pairs d.cooc -n 0 --by $by -j 1 >one
    ok "pairs --by $by prints the same with three threads" \
        sh -c "'$COOC' pairs d.cooc -n 0 --by $by -j 3 | diff one -"
done

gives 'docs lists the documents of a term' docs d.cooc tea <<'END'
document
drinks.txt:1
drinks.txt:3
drinks.txt:6
END
gives 'docs lists the documents of two terms' docs d.cooc sugar tea <<'END'
document
drinks.txt:3
END
gives 'docs -n limits the list' docs d.cooc tea -n 2 <<'END'
document
drinks.txt:1
drinks.txt:3
END
gives 'docs of a pair that never co-occurs is empty' \
    docs d.cooc tea coffee <<'END'
document
END

gives 'export writes every pair, the more frequent term first' \
    export d.cooc <"$DATA/drinks.out"
gives 'export --min-count leaves out rare pairs' \
    export d.cooc --min-count 2 <<'END'
term1	term2	count	df1	df2
coffee	milk	2	3	3
coffee	with	2	3	3
milk	with	3	3	3
tea	and	2	3	2
END
gives 'export --top-terms leaves out rare terms' \
    export d.cooc --top-terms 3 <<'END'
term1	term2	count	df1	df2
coffee	milk	2	3	3
milk	tea	1	3	3
END
gives 'export -o writes a file and reports it' export d.cooc -o d.tsv <<'END'
field	value
file	d.tsv
pairs	41
bytes	673
seconds	~
END
ok 'export writes the same to a file as to a pipe' cmp d.tsv "$DATA/drinks.out"
not_ok 'export leaves no temporary file' ls .d.tsv.tmp*
is 'export --format raw has ids and counts of 32 bits each' \
    "$("$COOC" export d.cooc --format raw --top-terms 4 | od -An -v -tu1 |
       tr -s ' \n' ' ')" \
    "$(for n in 1 1 0 2  2 1 1 1  3 3 0 2 1 3 2 1; do
           printf ' %d 0 0 0' $n; done) "
"$COOC" export d.cooc --format raw -q -o d.raw
is 'a raw file has eight bytes per row and per pair' \
    "$(wc -c <d.raw | tr -d ' ')" $((8 * (14 + 41)))

gives 'check reports a good store' check d.cooc -j 2 <<'END'
field	value
verdict	good
files_verified	11
bytes_verified	763
rows_verified	15
pairs_verified	41
increments_verified	46
END

printf 'one\n' >one.txt
gives 'a collection of one term is counted' \
    count one.txt -o one.cooc -j1 -q </dev/null
gives 'an export without pairs is only a header' export one.cooc <<'END'
term1	term2	count	df1	df2
END
gives 'top without partners is only a header' top one.cooc one <<'END'
term	count	df
END
gives 'pairs without pairs is only a header' pairs one.cooc <<'END'
term1	term2	count	df1	df2
END
gives 'check accepts a store without pairs' check -q one.cooc </dev/null
: >empty.txt
gives 'a collection without documents is counted' \
    count empty.txt -o empty.cooc -j1 -q </dev/null
gives 'stats of an empty store are zeros' stats empty.cooc <<'END'
field	value
documents	0
average_length	0
minimum_length	0
maximum_length	0
standard_deviation	0
tokens	0
postings	0
vocabulary	0
increments	0
distinct_pairs	0
rows_written	full
bytes_of_pairs	0
bytes_per_pair	0
bytes_on_disk	~
rules	~

term	df

term1	term2	count	df1	df2

document	terms
END
refuses 1 'an empty store has no terms' top empty.cooc tea <<'END'
cooc: no document contains 'tea'
END
gives 'check accepts an empty store' check -q empty.cooc </dev/null
gives 'an export of an empty store is only a header' export empty.cooc <<'END'
term1	term2	count	df1	df2
END

printf 'a\tb\\c d\n' >odd.txt
gives 'terms may contain tabs and backslashes' count odd.txt -o odd.cooc -q \
    --format transactions --separators ' ' </dev/null
gives 'export escapes tabs and backslashes' export odd.cooc <<'END'
term1	term2	count	df1	df2
a\tb\\c	d	1	1	1
END
gives 'top escapes tabs and backslashes' top odd.cooc d <<'END'
term	count	df
a\tb\\c	1	1
END
gives 'a term with tabs and backslashes is found verbatim' \
    docs odd.cooc "$(printf 'a\tb\\c')" <<'END'
document
odd.txt:1
END
ended
