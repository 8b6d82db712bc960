#!/bin/sh
# options.t - every option of index has its effect and is reported; words in
# queries are treated like words in documents.
. "$(dirname "$0")/../tap.sh"

docs() # line...
{
    printf '%s\n' "$@" >docs.txt
}

# Compare the pairs, and what the report says about dropped words.
makes() # name pairs report options...
{
    makes_name=$1
    want_pairs=$2
    want_report=$3
    shift 3
    got=$(pairs_of docs.txt "$@")
    is "$makes_name" "$got" "$want_pairs"
    is "$makes_name: the report says so" "$(sed -n '/^tokens/,/^input_bytes/p' \
        "$TAP/out" | sed '1d;$d' | tr '\t' ' ')" "$want_report"
}

# ---- words

docs "Don't re-read E-mail" "don't mail"
makes 'words are found by the rules of Unicode' \
    "don't mail 2
don't e 1
mail e 1
don't re 1
mail re 1
e re 1
don't read 1
mail read 1
e read 1
re read 1" ''
makes '--tokens whitespace splits only at white space' \
    "don't e-mail 1
don't mail 1
don't re-read 1
e-mail re-read 1" '' --tokens whitespace
docs 'Rose rose ROSE tea' 'rose Tea'
makes 'case is folded' 'rose tea 2' ''
makes '--keep-case does not fold case' \
    'rose ROSE 1
rose Rose 1
ROSE Rose 1
rose Tea 1
rose tea 1
ROSE tea 1
Rose tea 1' '' --keep-case
docs 'STRASSE Straße Ελλάς ΕΛΛΆΣ' 
makes 'folding is full Unicode case folding' 'strasse ελλάσ 1' ''
docs 'a bb ccc dddd' 'é ñandú ccc'
makes '--min-length counts characters' 'ccc dddd 1
ccc ñandú 1' 'short_words_dropped 3' --min-length 3
makes '--max-length counts characters' 'ccc a 1
ccc bb 1
a bb 1
ccc é 1' 'long_words_dropped 2' --max-length 3
makes '--min-length and --max-length work together' 'ccc dddd 1' \
    'short_words_dropped 3
long_words_dropped 1' --min-length 3 --max-length 4
docs 'the cat THE dog' 'a cat'
printf '# comment\nThe\n\n  a  \n' >stop.txt
makes '--stop drops the words of a list' 'cat dog 1' \
    'stop_words_dropped 3' --stop stop.txt
docs 'running runs cats' 'cat run'
makes '--stem english merges forms' 'cat run 2' '' --stem english
docs 'laufen läuft Häuser' 'haus'
makes '--stem german handles umlauts' 'haus laufen 1
haus läuft 1
laufen läuft 1' '' --stem german
docs 'colour sofa' 'color couch' 'settee'
printf 'colour\tcolor\nSettee\tsofa\ncouch\tsofa\n' >thes.txt
makes '--thesaurus merges words' 'sofa color 2' 'words_merged 3' \
    --thesaurus thes.txt
printf 'couch\tlarge piece\n' >phrase.txt
makes 'a preferred form may be a phrase' 'color large piece 1
colour sofa 1' 'words_merged 1' --thesaurus phrase.txt
gives 'a query may use a phrase' docs p.cooc 'Large Piece' <<'END'
document
docs.txt:2
END
docs 'room 101 at 9.30' 'room 7th'
makes '--numbers drop drops numbers' \
    'room 7th 1
room at 1' 'numbers_dropped 2' --numbers drop
makes '--numbers keep keeps numbers' "room 101 1
room 7th 1
room 9.30 1
101 9.30 1
room at 1
101 at 1
9.30 at 1" '' --numbers keep
docs ':-) --- Ⅳ -5 3.14 1,000 10:30 ٣'
makes 'a word without letters is a number only if it has digits' \
    '--- :-) 1
--- ⅳ 1
:-) ⅳ 1' 'numbers_dropped 5' --numbers drop --tokens whitespace
docs 'Ⅳ 3.14 1,000 10:30 ٣ iv'
makes 'a Roman numeral is not a number in words of Unicode' 'iv ⅳ 1' \
    'numbers_dropped 5' --numbers drop

# ---- terms

docs 'a b c' 'a b' 'a d' 'a'
makes '--min-df drops rare terms' 'a b 2' \
    'terms_below_min_df 2
postings_dropped 2' --min-df 2
makes '--max-df N drops frequent terms' 'b c 1' \
    'terms_above_max_df 1
postings_dropped 4' --max-df 3
makes '--max-df 50% drops terms in more than half of the documents' 'b c 1' \
    'terms_above_max_df 1
postings_dropped 4' --max-df 50%
makes '--max-df 49.9% is exact' '' \
    'terms_above_max_df 2
postings_dropped 6' --max-df 49.9%
awk 'BEGIN { for (i = 0; i < 100; i++)
    print "all", i < 29 ? "x29" : "", i < 7 ? "x7" : "" }' >hundred.txt
for share in 29% 28.9% 7% 6.99%; do
    run index hundred.txt -o h.cooc --max-df $share --force --quiet
    echo "$share $("$COOC" terms h.cooc | cut -f1 | sed 1d | tr '\n' ' ')"
done >got
is '--max-df P% keeps terms in exactly P percent of the documents' \
    "$(cat got)" \
    '29% x29 x7 
28.9% x7 
7% x7 
6.99% '
makes '--max-df 100% drops nothing' 'a b 2
a c 1
b c 1
a d 1' '' --max-df 100%
makes '--top-terms keeps the most frequent terms' 'a b 2
a c 1
b c 1' 'terms_beyond_the_top 1
postings_dropped 1' --top-terms 3
printf 'B\nd\nnowhere\na\n' >terms.txt
makes '--terms keeps the terms of a list' 'a b 2
a d 1' 'terms_not_listed 1
postings_dropped 1' --terms terms.txt
makes 'filters are applied one after another' 'a b 2' \
    'terms_below_min_df 1
terms_not_listed 1
postings_dropped 2' --terms terms.txt --min-df 2
docs 'a b a c d' 'd c b a' 'a b'
makes '--max-doc-terms keeps the first terms of a document' 'a b 2
c d 1' 'documents_cut 2
tokens_cut 4' --max-doc-terms 2
is 'documents are kept when their terms are dropped' "$(field documents)" 3
docs 'a b' '' 'c' '...'
makes 'empty documents count as documents' 'a b 1' ''
is 'the number of documents includes empty documents' "$(field documents)" 4

# ---- all options together

docs 'The Running dogs ran' 'a DOG runs 12 miles' 'mile'
makes 'all rules work together' 'dog mile 1
dog runs 2
mile runs 1
dog ran 1
runs ran 1' 'stop_words_dropped 2
numbers_dropped 1' --stem english --stop stop.txt --numbers drop

# ---- queries

is 'two terms that always occur together have npmi 1' \
    "$("$COOC" pair p.cooc dog run | sed -n 's/^npmi	//p')" 1
"$COOC" pair p.cooc DOGS Running | sed /npmi/d | mask >pair.out
ok 'a word in a query is folded and stemmed' diff pair.out - <<'END'
field	value
term1	dog
term2	runs
documents	3
df1	2
df2	2
count	2
only1	0
only2	0
neither	1
pmi	0.5849625007
llr	3.8190850097
dice	1
jaccard	1
END
refuses 1 'a query for a stop word is refused' top p.cooc The <<'END'
cooc: 'The' was dropped when the store was made: it is on the stop list
END
refuses 1 'a query for a dropped number is refused' top p.cooc 12 <<'END'
cooc: '12' was dropped when the store was made: numbers were dropped
END
refuses 2 'two words in one argument are refused' top p.cooc 'dog run' <<'END'
cooc: 'dog run' is several words and not a phrase of this store; to make it a term, index again with a list of phrases that has it (--phrases)
try 'cooc top --help'
END
refuses 2 'an argument without a word is refused' docs p.cooc '...' <<'END'
cooc: '...' does not contain a word
try 'cooc docs --help'
END
refuses 2 'a pattern is refused instead of a word' top p.cooc 'dog*' <<'END'
cooc: 'dog*' is a pattern, not a word; give a word, or list the terms that match the pattern: cooc terms NAME.cooc --like PATTERN
try 'cooc top --help'
END
refuses 2 'a word with symbols is refused' pair p.cooc 'dog++' run <<'END'
cooc: 'dog++' is not a word in this store: '+' is not part of words, which leaves 'dog'; search for that, or index with tokens 'whitespace' (--tokens)
try 'cooc pair --help'
END
refuses 1 'similar words are suggested' pair p.cooc dgo run <<'END'
cooc: no document contains 'dgo'; similar terms: dog
END
refuses 1 'words that are not similar are not suggested' \
    docs p.cooc xylophone <<'END'
cooc: no document contains 'xylophone'
END
docs 'colour'
printf 'colour\tcolor\n' >thes.txt
run index docs.txt -o t.cooc --thesaurus thes.txt
rm thes.txt
gives 'queries use the thesaurus of the store' docs t.cooc COLOUR <<'END'
document
docs.txt:1
END
docs 'Ünïcode Tea'
run index docs.txt -o u.cooc
refuses 1 'words with non-ASCII letters are suggested' \
    docs u.cooc UNÏCODE <<'END'
cooc: no document contains 'unïcode'; similar terms: ünïcode
END
run index docs.txt -o k.cooc --keep-case
refuses 1 'case must match in a store with --keep-case' docs k.cooc tea <<'END'
cooc: no document contains 'tea'; similar terms: Tea
END
docs 'abc abcdef'
run index docs.txt -o l.cooc --min-length 4 --max-length 6
refuses 1 'a query for a word that is too short is refused' \
    docs l.cooc abc <<'END'
cooc: 'abc' was dropped when the store was made: it is too short
END
refuses 1 'a query for a word that is too long is refused' \
    docs l.cooc abcdefg <<'END'
cooc: 'abcdefg' was dropped when the store was made: it is too long
END
docs 'a b' 'a'
run index docs.txt -o -dash.cooc
ok 'the name of a store may begin with a dash' test -d ./-dash.cooc
gives 'a store with a leading dash is given after --' \
    docs -- -dash.cooc b <<'END'
document
docs.txt:1
END
printf '%s\n' '-x y' >docs.txt
run index docs.txt -o dash.cooc --tokens whitespace
gives 'a term with a leading dash is given after --' \
    docs dash.cooc -- -x <<'END'
document
docs.txt:1
END

# ---- stores that are not counted

docs 'a b c' 'a b'
run index docs.txt -o i.cooc
gives 'pair works without counting' pair i.cooc b a --json <<'END'
{"term1": "b", "term2": "a", "documents": 2, "df1": 2, "df2": 2, "count": 2, "only1": 0, "only2": 0, "neither": 0, "pmi": 0, "npmi": 0, "llr": 0, "dice": 1, "jaccard": 1}
END
gives 'top works without counting' top i.cooc b <<'END'
term	count	df
a	2	2
c	1	1
END
gives 'docs works without counting' docs i.cooc c <<'END'
document
docs.txt:1
END
gives 'check works without counting' check i.cooc -q </dev/null
refuses 1 'pairs says how to count first' pairs i.cooc <<'END'
cooc: i.cooc: the pairs of this store are not counted yet; run: cooc count i.cooc
END
refuses 1 'export says how to count first' export i.cooc <<'END'
cooc: i.cooc: the pairs of this store are not counted yet; run: cooc count i.cooc
END
refuses 1 'export -o says how to count first' export i.cooc -o x.tsv <<'END'
cooc: i.cooc: the pairs of this store are not counted yet; run: cooc count i.cooc
END
not_ok 'export -o without counted pairs writes no file' ls x.tsv*
run count i.cooc
refuses 1 'a second count is refused' count i.cooc <<'END'
cooc: i.cooc: the pairs of this store are already counted; use --force to count them again
END
ok 'a refused count leaves the store good' "$COOC" check -q i.cooc
cp -r i.cooc before.cooc
run count --force i.cooc --method naive
is 'count --force counts again' $rc 0
ok 'count --force makes the same bytes' diff -r i.cooc before.cooc
refuses 1 'an existing store is not overwritten' \
    index docs.txt -o i.cooc <<'END'
cooc: i.cooc: already exists; choose another name or replace it with --force
END
docs 'x y'
run index --force docs.txt -o i.cooc
gives 'index --force replaces an existing store' docs i.cooc x <<'END'
document
docs.txt:1
END
refuses 1 'a replaced store is not counted' pairs i.cooc <<'END'
cooc: i.cooc: the pairs of this store are not counted yet; run: cooc count i.cooc
END
not_ok 'a replaced store has no files of the old one' \
    ls i.cooc.part i.cooc/rows-0000.bin
refuses 1 'an existing store that is not counted says how to count it' \
    index docs.txt -o i.cooc <<'END'
cooc: i.cooc: is already indexed but not counted; to count its pairs or continue an interrupted count, run: cooc count i.cooc; to start over, add --force
END
refuses 2 'a store as input is refused' index i.cooc -o j.cooc <<'END'
cooc: i.cooc: is a store, not documents; to count its pairs, run: cooc count i.cooc
try 'cooc index --help'
END
refuses 2 'options for documents are refused for a store' \
    count --stem english i.cooc <<'END'
cooc: options for reading documents do not apply to a store; to read documents, add -o NAME.cooc
try 'cooc count --help'
END
ended
