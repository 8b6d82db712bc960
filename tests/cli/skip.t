#!/bin/sh
# skip.t - inputs and records that cannot be read are skipped on request, and
# what was found out about the inputs is reported.
. "$(dirname "$0")/../tap.sh"

mkdir docs
echo 'black tea' >docs/a.txt
printf '{"text": "milk"}\n{"text":\n{"text": "sugar"}\n' >docs/b.jsonl
echo 'green tea' | gzip | head -c 20 >docs/c.txt.gz
echo 'hot water' >docs/d.txt
mkdir z && echo 'inside an archive' >z/1.txt && echo 'damaged' >z/2.txt
(cd z && tar cf - 1.txt 2.txt | gzip) >whole.tar.gz
head -c 140 whole.tar.gz >docs/e.tar.gz
chmod 644 docs/*
words()
{
    "$COOC" terms "$1" | sed 1d | cut -f1 | sort | tr '\n' ' '
}

refuses 1 'without --skip-bad, the first error is reported with the option' \
    index docs -o a.cooc <<'END2'
cooc: docs/b.jsonl:2: malformed JSON at column 8: unexpected token near end of file; to skip what cannot be read, add --skip-bad
END2
ok 'nothing is left behind' sh -c '! ls -d a.cooc* 2>/dev/null'
run index docs --skip-bad --skip-list bad.tsv -o a.cooc
is 'with it, the rest is read' "$rc $(words a.cooc)" \
    '0 black hot milk sugar tea water '
is 'files and records are counted' \
    "$(field unreadable_files_skipped) $(field unreadable_records_skipped)" \
    '2 1'
is 'a warning names them' "$(cut -d: -f1-4 "$TAP/err")" \
    'cooc: warning: 3 files or records were skipped: docs/b.jsonl'
is 'the list has a line for each' "$(cut -f1,2 bad.tsv)" "docs/b.jsonl	2
docs/c.txt.gz	
docs/e.tar.gz	"
run index docs --skip-bad --verbose -o b.cooc
is '--verbose prints each when it occurs' "$(grep -c '^cooc: skipped: ' "$TAP/err")" 3
ok 'the store is the same' diff -r a.cooc b.cooc
run index docs --skip-bad -j 1 -o c.cooc
ok 'so it is with one thread' diff -r a.cooc c.cooc
for i in 1 2 3 4 5; do
    "$COOC" index docs --skip-bad --part $i/5 -o p-$i.cooc -q 2>/dev/null
done
ok 'parts give the same store' sh -c \
    '"$COOC" merge p-?.cooc -o d.cooc -q && diff -r a.cooc d.cooc'

refuses 2 '--skip-list needs --skip-bad' \
    index docs --skip-list bad.tsv -o x.cooc <<'END2'
cooc: --skip-list lists what --skip-bad skips; add --skip-bad
try 'cooc index --help'
END2
refuses 2 'the list never replaces an input' \
    index docs/a.txt --skip-bad --skip-list docs/a.txt -o x.cooc <<'END2'
cooc: docs/a.txt: is read by this command; choose another file for --skip-list
try 'cooc index --help'
END2
refuses 2 'nor is it written into an input folder' \
    index docs --skip-bad --skip-list docs/list -o x.cooc <<'END2'
cooc: docs/list: is in the input folder docs, where the next run would read it as a document; choose another folder for --skip-list
try 'cooc index --help'
END2

# ---- documents before the damage are kept

"$COOC" index docs/a.txt --format files -o grow.cooc -q
run add grow.cooc docs/b.jsonl --format jsonl --skip-bad
is 'add skips as well' "$rc $(words grow.cooc)" '0 black milk sugar tea '
seq 200000 | sed 's/.*/word w&/' >many.txt
gzip -k many.txt
head -c 300000 many.txt.gz >cut.txt.gz
run index cut.txt.gz docs/a.txt --format lines --skip-bad -o cut.cooc
ok 'documents before the damage are kept' \
    test "$(field documents)" -gt 1000 -a "$(field documents)" -lt 200000
is 'the file after it is read' "$("$COOC" docs cut.cooc black | sed 1d)" docs/a.txt:1

# ---- errors that are not about inputs

printf 'a,b\n1,2\n' >t.csv
refuses 2 'a wrong option is an error nevertheless' \
    index t.csv --text-field c --skip-bad -o x.cooc <<'END2'
cooc: t.csv: has no column 'c'; the columns are: a, b (--text-field)
try 'cooc index --help'
END2
refuses 1 'so is a missing input' index none.txt --skip-bad -o x.cooc <<'END2'
cooc: none.txt: cannot open: No such file or directory
END2
ended
