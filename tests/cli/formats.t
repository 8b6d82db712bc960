#!/bin/sh
# formats.t - the same three documents in every format give the same pairs.
#
#     d1 apple pear     d2 apple pear plum     d3 plum apple
. "$(dirname "$0")/../tap.sh"
cp -r "$DATA/formats/." .
PAIRS='apple pear 2
apple plum 2
pear plum 1'

# Check that the format is detected and that the pairs are the same with and
# without --format.
taken_for() # format name arguments...
{
    format=$1
    name=$2
    shift 2
    got=$(pairs_of "$@")
    is "$name: the pairs are right" "$got" "$PAIRS"
    is "$name: the format $format is detected" \
        "$(field input_format)" "$format"
    is "$name: there are three documents" "$(field documents)" 3
    got=$(pairs_of "$@" --format $format)
    is "$name: --format $format gives the same pairs" "$got" "$PAIRS"
}

names() # the names of the documents that contain apple
{
    "$COOC" docs p.cooc apple | sed 1d | tr '\n' ' '
}

cp lines.txt lines.unknown
taken_for lines 'a text file' lines.txt
is 'lines are named by file and number' "$(names)" \
    'lines.txt:1 lines.txt:2 lines.txt:3 '
taken_for lines 'a text file without a suffix' lines.unknown
sed 's/$/\r/' lines.txt >crlf.txt
taken_for lines 'lines that end in CR LF' crlf.txt
printf '%s' "$(cat lines.txt)" >unended.txt
taken_for lines 'a last line without a newline' unended.txt
{ printf '\357\273\277'; cat lines.txt; } >mark.txt
taken_for lines 'a UTF-8 byte order mark' mark.txt

cp docs.tsv docs.unknown
taken_for tsv 'a .tsv file' docs.tsv
is 'tsv documents are named by their ids' "$(names)" 'd1 d2 d3 '
taken_for tsv 'id TAB text without a suffix' docs.unknown

taken_for files 'a directory with directories in it' tree
is 'files of a directory are read in byte order of their paths' "$(names)" \
    'tree/a.txt tree/b/c/d2 tree/e.md '
run index tree -o hidden.cooc
is 'hidden files are skipped and reported' "$(field inputs_skipped)" 1
printf 'GIF\0\0' >tree/b/image
run index tree -o binary.cooc
is 'binary files are skipped and reported' "$(field inputs_skipped)" 2
is 'binary files are not documents' "$(field documents)" 3
rm tree/b/image
run index tree/a.txt tree/b/c/d2 tree/e.md --format files -o each.cooc
is 'several files are read as documents' "$(field documents)" 3
run index tree/a.txt lines.txt -o two.cooc
is 'each of several plain text files is a document' "$(field documents)" 2
run index tree/a.txt -o one.cooc
is 'a single plain text file has a document per line' "$(field documents)" 1
is 'a message says so' "$(cat "$TAP/err")" \
    'cooc: tree/a.txt: each line is a document; to make the whole file one document, add --format files'
run index tree/a.txt tree -o tree.cooc
is 'a plain text file next to a folder is a document' \
    "$("$COOC" docs tree.cooc apple | grep -c '^tree/a.txt$')" 2
run index tree/a.txt lines.txt --format lines -o two.cooc --force
is 'several inputs are read into one store' "$(field documents)" 4

cp docs.jsonl json.unknown
taken_for jsonl 'a .jsonl file' docs.jsonl
is 'JSON documents are named by their id' "$(names)" 'd1 2 docs.jsonl:3 '
taken_for jsonl 'JSON without a suffix' json.unknown
is 'there may be several fields, nested or in arrays' \
    "$(pairs_of nested.jsonl --text-field title,body.text,parts.p \
       --id-field meta.name)" "$PAIRS"
is 'ids may be nested' "$(names)" 'd1 d2 d3 '

printf '%s\n' '{"text": "apple\ud800 pear \udc00"}' >half.jsonl
run index half.jsonl -o half.cooc
is 'half a surrogate pair is replaced instead of refused' "$(field terms)" 2
is 'half a surrogate pair is reported' "$(field invalid_bytes_replaced)" 2

cp news.trec news.unknown
taken_for trec 'newswire' news.trec
is 'TREC documents are named by DOCNO' "$(names)" 'D-1 D-2 D-3 '
taken_for trec 'newswire without a suffix' news.unknown
cp web.trec web.unknown
taken_for trec 'TREC web pages' web.trec
is 'TREC web pages are named by DOCNO' "$(names)" 'W-1 W-2 W-3 '
taken_for trec 'TREC web pages without a suffix' web.unknown

taken_for html 'a directory of pages' pages
is 'pages are named by their path' "$(names)" \
    'pages/1.html pages/2.htm pages/3.html '
cp pages/1.html page
run index page -o page.cooc
is 'a page without a suffix is detected as html' \
    "$(field input_format)" html
is 'scripts, styles and comments are not text' "$(field terms)" 2

cp pages.warc warc.unknown
taken_for warc 'a web archive' pages.warc
is 'WARC records are named by their address' "$(names)" \
    'http://example.org/1 http://example.org/2 http://example.org/3 '
is 'WARC records of other kinds are skipped and reported' \
    "$(field inputs_skipped)" 1
taken_for warc 'a web archive without a suffix' warc.unknown

cp docs.triples triples.tsv
taken_for triples 'doc TAB term TAB tf' docs.triples
is 'triples contain the names of documents' "$(names)" 'd1 d2 d3 '
taken_for triples 'triples in a .tsv' triples.tsv
cut -f1,2 docs.triples | grep -v quince >short.triples
taken_for triples 'doc TAB term' short.triples

taken_for uci 'docword with vocab in the same folder' docword.fruit.txt
is 'uci documents are named by number' "$(names)" '1 2 3 '
cp docword.fruit.txt uci.unknown
taken_for uci 'docword with --vocab' uci.unknown --vocab vocab.fruit.txt
is 'UCI numbers are terms without a vocabulary' "$(pairs_of uci.unknown)" \
    '1 2 2
1 3 2
2 3 1'

cp docs.ldac ldac.unknown
taken_for ldac 'LDA-C' docs.ldac --vocab vocab.fruit.txt
taken_for ldac 'LDA-C without a suffix' ldac.unknown \
    --vocab vocab.fruit.txt
is 'LDA-C numbers are terms without a vocabulary' "$(pairs_of docs.ldac)" \
    '0 1 2
0 2 2
1 2 1'

cp docs.svm svm.unknown
taken_for svmlight 'svmlight' docs.svm --vocab vocab.fruit.txt
taken_for svmlight 'svmlight without a suffix' svm.unknown \
    --vocab vocab.fruit.txt
sed 's/1:/0:/g; s/2:/1:/g; s/3:/2:/g' docs.svm >zero.svm
taken_for svmlight 'svmlight numbered from 0' zero.svm --vocab vocab.fruit.txt \
    --zero-based

cp lines.txt baskets.dat
taken_for transactions 'baskets' baskets.dat
printf 'apple;pear\napple;pear;;plum\n;plum;apple\n' >semicolon.dat
taken_for transactions 'baskets with other separators' semicolon.dat \
    --separators ';'
printf 'apple , pear\r\napple,pear, ,plum\n plum, apple\n' >comma.dat
taken_for transactions 'baskets with blanks around items' comma.dat \
    --separators ,
printf '1 2\n1 2 3\n3 1\n' >numbers
is 'lines of whole numbers are baskets' "$(pairs_of numbers)" \
    '1 2 2
1 3 2
2 3 1'
is 'lines of whole numbers are detected as transactions' \
    "$(field input_format)" transactions

taken_for ciff 'an inverted index' fruit.ciff
is 'CIFF documents have their names' "$(names)" 'd1 d2 d3 '
gzip -c fruit.ciff >packed.ciff.gz
taken_for ciff 'a compressed inverted index' packed.ciff.gz
cp fruit.ciff ciff.unknown
is 'an inverted index without a suffix is read on request' \
    "$(pairs_of ciff.unknown --format ciff)" "$PAIRS"

mkdir both
cp pages/1.html both/b.html
cp lines.txt both/a.txt
printf 'GIF\0\0' >both/c.gif
run index both -o both.cooc
is 'a directory may contain both pages and plain text' \
    "$(field input_format)" 'files, html'
is 'tags of pages among plain text are not words' "$(field terms)" 3
mv both/b.html both/0.html
rm both/a.txt
run index both -o image.cooc
is 'no format is reported for inputs without documents' \
    "$(field input_format)" html
run index lines.txt docs.jsonl -o mixed.cooc
is 'all formats of the inputs are reported' \
    "$(field input_format)" 'lines, jsonl'
is 'inputs of several formats are all read' "$(field documents)" 6
refuses 2 'texts and terms together are refused' \
    index lines.txt docs.ldac -o no.cooc <<'END'
cooc: docs.ldac: is ldac (terms), but lines.txt is lines (text), and these cannot be in one store; set the format if it is recognised wrongly (--format)
try 'cooc index --help'
END
not_ok 'texts and terms together leave no store' ls -d no.cooc no.cooc.part

# ---- errors are reported with file and line

wrong() # name input message [options...]
{
    wrong_name=$1
    printf "$2" >wrong
    printf '%s\n' "cooc: $3" >message
    shift 3
    refuses 1 "$wrong_name" index wrong -o wrong.cooc "$@" <message
}

wrong 'a line without TAB is named' 'a\tb\nc\n' \
    'wrong:2: no TAB between id and text; for one document per line without ids, use the format lines; to skip what cannot be read, add --skip-bad' \
    --format tsv
wrong 'malformed JSON is named' '{"text": "a"}\n{"text": }\n' \
    "wrong:2: malformed JSON at column 10: unexpected token near '}'; to skip what cannot be read, add --skip-bad"
wrong 'an array instead of records is refused' '[{"text": "a"}]\n' \
    "wrong:1: expected one JSON object per line, found an array; convert it with: jq -c '.[]'" \
    --format jsonl
printf '{"body": "a", "n": 1}\n' >wrong.jsonl
refuses 2 'a JSON field that no record has is named' \
    index wrong.jsonl -o wrong.cooc <<'END'
cooc: no record has text in the field "text"; choose one of these fields: body, n (--text-field)
try 'cooc index --help'
END
wrong 'an open <DOC> is named' '<DOC>\n<DOCNO>1</DOCNO>\n' \
    'wrong:1: <DOC> is never closed'
wrong 'a <DOC> inside another <DOC> is named' \
    '<DOC>\n<DOCNO>1</DOCNO>\n<DOC>\n<DOCNO>2</DOCNO>\n</DOC>\n' \
    'wrong:4: a second <DOCNO>: the <DOC> in line 1 is not closed'
wrong 'a truncated docword is detected' '2\n2\n3\n1 1 1\n2 1 1\n' \
    'wrong:5: the header says 3 entries, but the file has 2; it may be truncated; to skip what cannot be read, add --skip-bad'
wrong 'a word beyond the header is named' '1\n2\n1\n1 3 1\n' \
    'wrong:4: word 3 is out of range (1 to 2)'
wrong 'an LDA-C line with too few terms is named' '1 0:1\n3 0:1 1:1\n' \
    'wrong:2: the number of terms is 3, but the line has 2; to skip what cannot be read, add --skip-bad' --format ldac
wrong 'a weight that is not a number is named' '1 1:x\n' \
    'wrong:1: the weight of term 1 is not a number' --format svmlight
head -c 110 fruit.ciff >cut.ciff
refuses 1 'a truncated inverted index is named' \
    index cut.ciff -o wrong.cooc <<'END'
cooc: cut.ciff: document 1: the file ends in the middle of a record; it is truncated or not in this format; to skip what cannot be read, add --skip-bad
END
refuses 1 'a text is not an inverted index' \
    index lines.txt -o wrong.cooc --format ciff <<'END'
cooc: lines.txt: field 13 is damaged, or this is not a file of Protocol Buffers
END
refuses 2 'rows of an inverted index cannot be grouped' \
    index fruit.ciff -o wrong.cooc --group-by 1 <<'END'
cooc: fruit.ciff: is in the format ciff, which has no columns to group by; leave the file or the option out, or set the format if it was recognised wrongly (--group-by)
try 'cooc index --help'
END
wrong 'a document that is not contiguous is named' 'a\tx\nb\tx\na\ty\n' \
    "wrong:3: document 'a' appears again after other documents; group the rows by column 1 (--group-by)" \
    --format triples
printf 'a b\tx\nab\tx\na b\ty\n' >unsorted
run count unsorted -o sorted.cooc --format triples --group-by 1
is 'the option in the error message groups the rows' \
    "$rc $(field documents) $("$COOC" pair sorted.cooc x y |
    sed -n 's/^count\t//p')" '0 2 1'
wrong 'a truncated WARC record is named' \
    'WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 9\r\n\r\nabc' \
    'wrong: record 1 is truncated'
ended
