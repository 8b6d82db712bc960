#!/bin/sh
# items.t - terms of several words: fields that are split, typed terms, and
# queries that choose terms by patterns.
. "$(dirname "$0")/../tap.sh"

cat >papers.jsonl <<'END'
{"id": "p1", "AU": "Smith, J; Lee  K", "DE": "Deep  Learning;C++", "cites": ["a*b", "[x]"]}
{"id": "p2", "AU": "smith, j;", "DE": "deep learning; robots", "cites": "a*b"}
{"id": "p3", "AU": "LEE K; O'Brien; ", "DE": "DEEP\tLEARNING;c++ ;Robots"}
END
run count papers.jsonl --text-field DE,cites --split ';' -o s.cooc
ok 'fields are split into terms' test "$rc" -eq 0
gives 'white space and case of terms are normalised' terms s.cooc <<'END'
term	df
deep learning	3
a*b	2
c++	2
robots	2
[x]	1
END
is 'the manifest says so' "$(python3 -c 'import json
m = json.load(open("s.cooc/manifest.json"))
print(m["features"], m["settings"]["tokens"])')" "['items'] items"
run check s.cooc
is 'the store is in order' "$rc" 0

# ---- queries

gives 'a term of two words is found as it is written in the file' \
    top s.cooc 'Deep  Learning' -n 1 <<'END'
term	count	df
a*b	2	2
END
gives 'symbols and wildcards in terms are taken literally' \
    docs s.cooc 'C++' '[X]' <<'END'
document
p1
END
gives 'a term with a wildcard can be looked up' docs s.cooc 'A*B' <<'END'
document
p1
p2
END
refuses 2 'another wildcard is a pattern' top s.cooc 'a*c' <<'END'
cooc: 'a*c' is a pattern, not a word; give a word, or list the terms that match the pattern: cooc terms NAME.cooc --like PATTERN
try 'cooc top --help'
END
refuses 1 'terms are not split into words' top s.cooc 'deep' <<'END'
cooc: no document contains 'deep'
END
refuses 1 'similar terms are suggested' top s.cooc 'deep  lerning' <<'END'
cooc: no document contains 'deep lerning'; similar terms: deep learning
END
refuses 2 'white space is not a term' top s.cooc '  ' <<'END'
cooc: '  ' does not contain a term
try 'cooc top --help'
END
gives 'a prefix may end with a blank' terms s.cooc --prefix 'Deep ' <<'END'
term	df
deep learning	3
END
printf 'Deep \t Learning\nC++\n# robots\n' >list.txt
gives 'a line of a list is a term' within s.cooc list.txt --measures none <<'END'
term1	term2	a	b	c	d	expected	p
deep learning	c++	2	1	0	0	2	1
END
printf 'DEEP  learning\tRobots\n' >pairs.tsv
gives 'a column of a pair is a term' \
    pairs s.cooc --from pairs.tsv --measures none <<'END'
term1	term2	count	df1	df2
deep learning	robots	2	3	2
END

# ---- lists of the index

printf 'Deep  Learning\nrob\n' >stop.txt
printf 'c++\tC  Plus  Plus\n' >thesaurus.txt
run index papers.jsonl --text-field DE --split ';' --stop stop.txt \
    --thesaurus thesaurus.txt -o lists.cooc
gives 'stop list and thesaurus have whole terms' terms lists.cooc <<'END'
term	df
c plus plus	2
robots	2
END
run index papers.jsonl --text-field DE --split ';' --terms list.txt \
    -o kept.cooc
gives 'the list of terms to keep has whole terms' terms kept.cooc <<'END'
term	df
deep learning	3
c++	2
END
run index papers.jsonl --text-field DE --split ';' --min-length 4 \
    --stem english -o stems.cooc
gives 'the words of a term are stemmed' terms stems.cooc --show-stems <<'END'
term	df
deep learn	3
robot	2
END

# ---- typed terms

run count papers.jsonl --text-field AU=AU,kw=DE --split ';' -o typed.cooc
gives 'terms begin with the prefix of their field' terms typed.cooc <<'END'
term	df
kw:deep learning	3
au:lee k	2
au:smith, j	2
kw:c++	2
kw:robots	2
au:o'brien	1
END
run index papers.jsonl --text-field AU=AU --text-field kw=DE --split ';' \
    --keep-case -o case.cooc
gives 'a prefix keeps its case with its term' terms case.cooc \
    --like 'AU:*' --min-df 1 <<'END'
term	df
AU:LEE K	1
AU:Lee K	1
AU:O'Brien	1
AU:Smith, J	1
AU:smith, j	1
END
refuses 2 'a prefix requires fields to be split' \
    index papers.jsonl --text-field au=AU,kw=DE -o no.cooc <<'END'
cooc: no record has text in the field "au=AU", "kw=DE"; to begin each term of a field with a prefix, split the fields into terms; the fields are: AU, DE, cites, id (--split)
try 'cooc index --help'
END
refuses 2 'a prefix requires a field' \
    index papers.jsonl --text-field AU,kw= --split ';' -o no.cooc <<'END'
cooc: the name of a field is missing after 'kw='; write PREFIX=FIELD, as in au=authors (--text-field)
try 'cooc index --help'
END

# ---- patterns in place of lists

gives 'within takes a pattern' \
    within typed.cooc --like 'AU:*' --measures none --min-count 1 <<'END'
term1	term2	a	b	c	d	expected	p
au:lee k	au:smith, j	1	1	1	0	1.3333333333333333	1
au:lee k	au:o'brien	1	1	0	1	0.6666666666666666	0.6666666667
END
gives 'within --matrix takes a pattern' \
    within typed.cooc --like 'au:[ls]*' --matrix <<'END'
term	au:lee k	au:smith, j
au:lee k	2	1
au:smith, j	1	2
END
gives 'between takes two patterns' \
    between typed.cooc --like1 'au:[ls]*' --like2 'kw:[rc]*' \
    --measures none <<'END'
term1	term2	a	b	c	d	expected	p
au:lee k	kw:c++	2	0	0	1	1.3333333333333333	0.3333333333333333
au:lee k	kw:robots	1	1	1	0	1.3333333333333333	1
au:smith, j	kw:c++	1	1	1	0	1.3333333333333333	1
au:smith, j	kw:robots	1	1	1	0	1.3333333333333333	1
END
printf 'KW:C++\n' >kw.txt
gives 'a file is the second list if the first is a pattern' \
    between typed.cooc --like1 'au:[ls]*' kw.txt --measures none \
    --adjust <<'END'
term1	term2	a	b	c	d	expected	p	p_adjusted
au:lee k	kw:c++	2	0	0	1	1.3333333333333333	0.3333333333333333	0.6666666667
au:smith, j	kw:c++	1	1	1	0	1.3333333333333333	1	1
END
gives 'a file is the first list if the second is a pattern' \
    between typed.cooc kw.txt --like2 'au:l*' --measures none <<'END'
term1	term2	a	b	c	d	expected	p
kw:c++	au:lee k	2	0	0	1	1.3333333333333333	0.3333333333333333
END
gives 'a term is not tested against itself' \
    between typed.cooc --like1 'au:[ls]*' --like2 'au:*' --measures none \
    --adjust --by fisher -n 1 <<'END'
term1	term2	a	b	c	d	expected	fisher	p	p_adjusted
au:lee k	au:o'brien	1	1	0	1	0.6666666666666666	0.1760912590	0.6666666667	1
END
refuses 1 'a pattern without terms is an error' \
    between typed.cooc --like1 'au:*' --like2 'KW:z*' <<'END'
cooc: no term matches 'KW:z*' (--like2)
END
refuses 1 'a pattern of within without terms is an error' \
    within typed.cooc --like 'x' <<'END'
cooc: no term matches 'x' (--like)
END
refuses 2 'a pattern takes the place of a file' \
    between typed.cooc --like1 'au:*' kw.txt kw.txt <<'END'
cooc: too many arguments; a pattern takes the place of a file
try 'cooc between --help'
END
refuses 2 'within takes a file or a pattern' \
    within typed.cooc kw.txt --like 'au:*' <<'END'
cooc: too many arguments; a pattern takes the place of a file
try 'cooc within --help'
END
refuses 2 'one pattern is one list' between typed.cooc --like1 'au:*' <<'END'
cooc: too few arguments; usage: cooc between [options] NAME.cooc A.txt B.txt
try 'cooc between --help'
END

# ---- pairs and networks of two classes

gives 'pairs of an author and a keyword' \
    pairs typed.cooc --like1 'au:*' --like2 'kw:*' -n 3 <<'END'
term1	term2	count	df1	df2
kw:deep learning	au:lee k	2	3	2
kw:deep learning	au:smith, j	2	3	2
au:lee k	kw:c++	2	2	2
END
gives 'pairs of two authors' \
    pairs typed.cooc --like1 'au:*' --like2 'au:*' <<'END'
term1	term2	count	df1	df2
au:lee k	au:smith, j	1	2	2
au:lee k	au:o'brien	1	2	1
END
gives 'pairs of an author and any term' \
    pairs typed.cooc --like2 'au:o*' <<'END'
term1	term2	count	df1	df2
kw:deep learning	au:o'brien	1	3	1
au:lee k	au:o'brien	1	2	1
kw:c++	au:o'brien	1	2	1
kw:robots	au:o'brien	1	2	1
END
refuses 1 'a class without terms is an error' \
    pairs typed.cooc --like1 'x:*' <<'END'
cooc: no term matches 'x:*' (--like1)
END
refuses 2 'pairs of a file are not chosen by patterns' \
    pairs typed.cooc --from pairs.tsv --like1 'au:*' <<'END'
cooc: --from can be combined only with --measures and --json, because it prints every pair of the file in file order
try 'cooc pairs --help'
END
gives 'an export has pairs of two classes' export typed.cooc \
    --like1 'kw:*' --like2 'au:*' --min-count 2 <<'END'
term1	term2	count	df1	df2
kw:deep learning	au:lee k	2	3	2
kw:deep learning	au:smith, j	2	3	2
au:lee k	kw:c++	2	2	2
END
gives 'the strongest edges are chosen among pairs of two classes' \
    export typed.cooc --like1 'kw:*' --like2 'au:*' --by llr --top-edges 1 <<'END'
term1	term2	count	df1	df2	llr
au:lee k	kw:c++	2	2	2	3.81908501
END
run export typed.cooc --like1 'au:*' --like2 'au:*' --format gexf -o net.gexf
is 'a network has the terms of both classes' "$(field terms) $(field pairs)" \
    '3 2'
run export typed.cooc --like1 'au:*' --like2 'kw:r*' --format mtx -o m.mtx
is 'a matrix has the terms of both classes' "$(sed -n '/^[0-9]/p' m.mtx |
    head -n 1) $(tr '\n' ';' <m.mtx.terms.txt)" \
    "4 4 3 au:lee k;au:smith, j;kw:robots;au:o'brien;"
run export typed.cooc --like1 'au:*' --like2 'kw:*' --top-terms 2 \
    --format mtx -o m.mtx
is 'the most frequent terms are chosen among those of both classes' \
    "$(tr '\n' ';' <m.mtx.terms.txt)" 'kw:deep learning;au:lee k;'

# ---- other formats, additions

printf 'b1\tGreen  Tea\t1\nb1\tMILK\t2\nb2\tgreen tea\t1\n' >tea.triples
run count tea.triples --fold case -o tea.cooc --format triples
gives '--fold case normalises ready-made terms' terms tea.cooc <<'END'
term	df
green tea	2
milk	1
END
run add tea.cooc tea.triples --format triples
gives 'added terms are normalised like those of the store' \
    top tea.cooc 'GREEN TEA' <<'END'
term	count	df
milk	2	2
END
run add s.cooc papers.jsonl --text-field DE
is 'added fields are split like those of the store' \
    "$rc $("$COOC" terms s.cooc | grep -c ' ')" '0 1'
run index tea.triples --format triples -o given.cooc
refuses 2 'terms as they are and normalised terms are not merged' \
    merge given.cooc tea.cooc -o no.cooc <<'END'
cooc: given.cooc: cannot be combined with tea.cooc: it was made with ready-made terms, the other with normalised ready-made terms (--fold)
try 'cooc merge --help'
END
refuses 2 '--tokens does not apply to ready-made terms' \
    index tea.triples --format triples --tokens words -o no.cooc <<'END'
cooc: the choice of tokens does not apply to this input, which has ready-made terms (triples); leave the option out (--tokens)
try 'cooc index --help'
END
refuses 2 '--tokens does not apply to fields that are split' \
    index papers.jsonl --text-field DE --split ';' --tokens whitespace \
    -o no.cooc <<'END'
cooc: the choice of tokens does not apply to this input, which has ready-made terms (jsonl); leave the option out (--tokens)
try 'cooc index --help'
END
run index papers.jsonl --text-field DE --split ';' --fold case -o fold.cooc
gives '--fold case changes nothing where fields are split' \
    terms fold.cooc -n 1 <<'END'
term	df
deep learning	3
END

# ---- SGML

printf '<DOC><DOCNO>1</DOCNO><A>Paris</A><B>Paris</B></DOC>\n' >t.trec
run count t.trec --text-field per=A,loc=B --split none -o trec.cooc
gives 'terms of SGML fields have prefixes' terms trec.cooc <<'END'
term	df
loc:paris	1
per:paris	1
END
sgml_terms() # options...
{
    rm -rf sgml.cooc
    "$COOC" index t.sgml --text-field A "$@" -o sgml.cooc -q &&
        "$COOC" terms sgml.cooc | sed 1d | cut -f1 | sort | tr '\n' '|'
}
printf '<DOC><DOCNO>1</DOCNO><A>x;  Y\ny</A><A>p &amp; q</A>\n</DOC>\n' >t.sgml
is 'a line end in a SGML field is white space' "$(sgml_terms --split ';')" \
    'p & q|x|y y|'
is 'so it is in a field that is not split' "$(sgml_terms --split none)" \
    'p & q|x; y y|'
printf '<R NEWID="7"><A><D>tea\nleaf</D><D>milk</D></A><A>open\n</R>\n' >t.sgml
is 'an element inside a field of another record is a term' \
    "$(sgml_terms --record R --id-field @NEWID --format trec --split none)" \
    'milk|open|tea leaf|'
is 'the record has its name' "$("$COOC" docs sgml.cooc milk | sed 1d)" 7
run index t.sgml --record R --format trec --text-field x=A,y=D --split ';' \
    -o nested.cooc
is 'a field inside another is a value of both' \
    "$("$COOC" terms nested.cooc | sed 1d | cut -f1 | sort | tr '\n' '|')" \
    'x:milk|x:open|x:tea leaf|y:milk|y:tea leaf|'
ended
