#!/bin/sh
# records.t - bibliographic files and annotated text give the expected pairs.
#
#     d1 apple pear     d2 apple pear plum     d3 plum apple
. "$(dirname "$0")/../tap.sh"
cp -r "$DATA/formats/." .
PAIRS='apple pear 2
apple plum 2
pear plum 1'

# Check that the format is detected, with and without a suffix, and that the
# pairs and the names of documents are right.
taken_for() # format file names
{
    cp "$2" unknown
    is "$1: the pairs are right" "$(pairs_of "$2")" "$PAIRS"
    is "$1: the format is detected" "$(field input_format)" "$1"
    is "$1: the names are right" \
        "$("$COOC" docs p.cooc apple | sed 1d | tr '\n' ' ')" "$3 "
    is "$1: the format is detected by contents" \
        "$(pairs_of unknown; field input_format)" "$PAIRS
$1"
    is "$1: the format can be named" "$(pairs_of unknown --format "$1")" \
        "$PAIRS"
}

terms() # index arguments...
{
    run index "$@" -o t.cooc --force -q
    "$COOC" terms t.cooc | sed 1d | cut -f1 | sort | tr '\n' ' '
}

taken_for wos fruit.wos 'd1 d2 d3'
taken_for ris fruit.ris 'd1 d2 d3'
taken_for medline fruit.nbib '1 2 3'
taken_for bibtex fruit.bib 'd1 d2 d3'
taken_for conllu fruit.conllu 'd1 d2 d3'
taken_for vertical fruit.vert 'd1 d2 d3'
cp fruit.wos savedrecs.txt
is 'a .txt file of the Web of Science is recognised' \
    "$(pairs_of savedrecs.txt; field input_format)" "$PAIRS
wos"
echo '<p>fig' >page.html
run index docs.tsv docs.jsonl news.trec pages.warc page.html fruit.wos fruit.ris \
    fruit.nbib fruit.bib -o all.cooc
is 'a store may have many formats' "$(field input_format)" \
    'tsv, jsonl, trec, warc, html, wos, ris, medline, bibtex'
run index docs.tsv docs.jsonl news.trec pages.warc page.html lines.txt tree \
    fruit.wos fruit.ris fruit.nbib fruit.bib -o all.cooc --force
is 'a long list of formats is shortened' "$(field input_format)" \
    'tsv, jsonl, trec, warc, html, files, wos, ris, medline, ...'

# ---- fields ----

is 'authors are terms' \
    "$(terms fruit.wos --text-field AU --split none)" 'ito, a roe, b '
is 'terms have the prefixes of their fields' \
    "$(terms fruit.wos --text-field au=AU,t=TI --split ' ')" \
    'au:a au:b au:ito, au:roe, t:apple t:pear t:plum '
is 'headings are terms' \
    "$(pairs_of fruit.nbib --text-field MH --split none)" "$PAIRS"
is 'names of BibTeX fields match in any case' \
    "$(terms fruit.bib --text-field TITLE)" 'apple pear plum '
is 'documents are named by the requested field' \
    "$(terms fruit.ris --id-field TY >/dev/null
       "$COOC" docs t.cooc apple | sed 1d | tr '\n' ' ')" 'JOUR JOUR BOOK '
refuses 2 'a field that no record has is an error' \
    index fruit.wos --text-field DE -o no.cooc <<'END'
cooc: no record has text in the field "DE"; choose one of these fields: AB, AU, PT, TI, UT (--text-field)
try 'cooc index --help'
END
printf 'PT J\nTI a\n\nPT J\nTI b\nER\n' >open.wos
refuses 1 'a record without an end is an error' \
    index open.wos --format wos -o no.cooc <<'END'
cooc: open.wos:1: the record is not ended by a line with ER; to skip what cannot be read, add --skip-bad
END
printf '@a{x, title={b}}\n@a{y,\ntitle = {c}\n' >open.bib
refuses 1 'an entry without an end is an error' \
    index open.bib -o no.cooc <<'END'
cooc: open.bib:2: the entry is not closed; check that every { in it has a }; to skip what cannot be read, add --skip-bad
END

# ---- what cannot be read ----

skipping() # file
{
    terms "$1" --skip-bad
    run index "$1" --skip-bad -o t.cooc --force
    field unreadable_records_skipped
}

printf '@a{x, title={b}}\n@a{y,\ntitle = {c}\n@a{z, title={d}}\n' >mix.bib
is 'an entry without an end can be skipped' \
    "$(skipping mix.bib)" \
    'b d 1'
printf 'PT J\nTI a\nPT J\nTI b\nER\nx\nPT J\nTI c\nER\n' >mix.wos
is 'records without an end and rubbish can be skipped' \
    "$(skipping mix.wos)" 'b c 2'
run index "$DATA/formats/fruit.conllu" --pos noun -o case.cooc
is 'a part of speech that no token has is reported' "$rc $(cat "$TAP/err")" \
    '0 cooc: warning: no token has the part of speech noun, so no terms were read; upper and lower case make a difference'
echo '1 apple' >short.conllu
refuses 1 'a line with too few columns is an error' \
    index short.conllu -o no.cooc <<'END'
cooc: short.conllu:1: expected 10 columns separated by TABs, found 1; to skip what cannot be read, add --skip-bad
END
{ cat short.conllu; cat fruit.conllu; } >mix.conllu
is 'a document with a malformed line can be skipped' \
    "$(skipping mix.conllu)" \
    'apple pear plum 1'

# ---- columns ----

is 'lemmas are terms' "$(terms fruit.conllu --column lemma)" \
    'apple pear plum '
is 'words as written are terms' "$(terms fruit.conllu --column surface)" \
    'apple applepear pear plum '
is 'parts of speech select tokens' \
    "$(terms fruit.conllu --pos PROPN,PUNCT)" 'apple '
is 'joined columns are terms, in which tags keep their case' \
    "$(terms fruit.conllu --column lemma+upos)" \
    'apple_NOUN apple_PROPN pear_NOUN plum_NOUN '
is 'joined terms can be queried' \
    "$(run count fruit.conllu --column form+upos -o q.cooc -q
       "$COOC" docs q.cooc apple_PROPN | sed 1d)" 'd2'
is 'columns of vertical text have numbers' \
    "$(terms fruit.vert --column 3+2 --pos 2=NP)" 'apple_NP '
is 'tokens keep their case on request' \
    "$(terms fruit.vert --keep-case)" 'Apple apple pear plum '
refuses 2 'an unknown column is an error' \
    index fruit.vert --column lemma -o no.cooc <<'END'
cooc: there is no column 'lemma'; use form, or a number from 1 to 64 (--column)
try 'cooc index --help'
END
refuses 2 'a column does not apply to other formats' \
    index fruit.wos --column lemma -o no.cooc <<'END'
cooc: the choice of a column of the annotation does not apply to this input, which is in the format wos; leave the option out, or set the format if it was recognised wrongly (--column)
try 'cooc index --help'
END
ended
