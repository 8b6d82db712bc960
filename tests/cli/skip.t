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
    '0 an archive black damaged hot inside milk sugar tea water '
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

# The documents in the first two thirds of a compressed file of 12,000 lines.
seq 12000 | sed 's/.*/doc & text &/' >l.txt
kept_of() # suffix command...: prints "kept", if some lines are documents
{
    suffix=$1
    shift
    "$@" <l.txt >whole.bin
    head -c $(($(wc -c <whole.bin) * 2 / 3)) whole.bin >"l.txt.$suffix"
    rm -rf l.cooc
    run index "l.txt.$suffix" --format lines -o l.cooc
    [ "$rc" -eq 1 ] || echo "not refused"
    run index "l.txt.$suffix" --format lines --skip-bad -o l.cooc
    n=$(field documents)
    [ "$rc" -eq 0 ] && [ "${n:-0}" -gt 1000 ] && [ "$n" -lt 200000 ] &&
        [ "$("$COOC" terms l.cooc --prefix doc -n 1 | sed 1d)" = "doc	$n" ] &&
        [ "$("$COOC" docs l.cooc "$n" | sed 1d)" = "l.txt.$suffix:$n" ] &&
        echo "kept, $(field unreadable_files_skipped) skipped"
}
is 'of gzip' "$(kept_of gz gzip)" 'kept, 1 skipped'
is 'of lz4' "$(kept_of lz4 lz4 -c -q -B4)" 'kept, 1 skipped'
is 'of xz, small blocks' "$(kept_of xz xz --block-size=100000)" \
    'kept, 1 skipped'
is 'of zstd' "$(kept_of zst zstd -c -q)" 'kept, 1 skipped'
seq 200000 | sed 's/.*/doc & text &/' >l.txt # more than one block of bzip2
is 'of bzip2' "$(kept_of bz2 bzip2)" \
    'kept, 1 skipped'
seq 12000 | sed 's/.*/doc & text &/' >l.txt
flipped() # suffix command...: documents before a changed byte
{
    suffix=$1
    shift
    "$@" <l.txt >"f.txt.$suffix"
    python3 - "f.txt.$suffix" <<'END2'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
for i in range(len(data) * 3 // 4, len(data) * 3 // 4 + 64):
    data[i] ^= 0x5a
open(sys.argv[1], "wb").write(data)
END2
    rm -rf l.cooc
    run index "f.txt.$suffix" --format lines --skip-bad -o l.cooc
    [ "$(field documents)" -gt 1000 ] && echo kept
}
is 'of a zstd file with wrong bytes' \
    "$(flipped zst zstd -c -q -B20000 --no-check)" kept
is 'of a lz4 file with wrong bytes' "$(flipped lz4 lz4 -c -q -B4 -BX)" kept
for i in 1 2 3 4; do seq "$i" 4 40000 | sed 's/.*/in & file/' >"in$i.txt"; done
tar cf - in1.txt in2.txt in3.txt in4.txt | gzip >in.bin
head -c $(($(wc -c <in.bin) * 9 / 10)) in.bin >in.tgz
run index in.tgz --skip-bad -o in.cooc
is 'files of an archive before the damage are kept' "$rc $(field documents)" '0 3'
refuses 1 'without --skip-bad they are not' index in.tgz -o no.cooc <<'END2'
cooc: in.tgz: the gz data is truncated; to skip what cannot be read, add --skip-bad
END2
run index in.tgz --skip-bad --format lines -o in-lines.cooc
ok 'so are the lines of its last file' test "$(field documents)" -gt 30000
zip -q in.zip l.txt && head -c $(($(wc -c <in.zip) / 2)) in.zip >cut.zip
run index cut.zip --skip-bad --format lines -o zip.cooc
ok 'so they are in a zip archive' test "$(field documents)" -gt 1000
seq 3000 | sed 's/.*/<r>x & y<\/r>/; 1s/^/<a>/; $s/$/<\/a>/' | gzip >x.bin
head -c $(($(wc -c <x.bin) * 2 / 3)) x.bin >x.xml.gz
run index x.xml.gz --record r --skip-bad -o xml.cooc
ok 'and the records of an XML file' \
    test "$(field documents)" -gt 1000 -a "$(field documents)" -lt 3000
printf '{"text": "%s"}\n{"text": "tea"}\n{"text": "mil' one | gzip -c |
    head -c -8 >cut.jsonl.gz
run index cut.jsonl.gz --skip-bad -o jsonl.cooc
is 'a line that damage cuts is not a document' \
    "$(field documents) $(words jsonl.cooc)" '2 one tea '

# A checksum that differs is found even if all documents were read before it.
"$COOC" export a.cooc --format ciff -o sum.ciff >/dev/null
python3 - <<'END2'
import gzip, zipfile
with open("sum.ciff", "rb") as f:
    data = f.read()
packed = bytearray(gzip.compress(data))
packed[-8] ^= 1
with open("sum.ciff.gz", "wb") as f:
    f.write(packed)
END2
refuses 1 'a wrong checksum after the last document is an error' \
    index sum.ciff.gz -o no.cooc <<'END2'
cooc: sum.ciff.gz: the gz data is damaged: incorrect data check; to skip what cannot be read, add --skip-bad
END2

# ---- files in a folder that the options do not fit

mkdir letters sheets
echo 'black tea' >letters/a.txt
printf 'id,x\n1,b\n' >letters/t.csv
printf '<?xml version="1.0"?>\n<a><b>milk</b><b>sugar</b></a>\n' >letters/u.xml
refuses 2 'a table among letters is named' index letters -o no.cooc <<'END2'
cooc: letters/t.csv: name the columns to read text from; the columns are: id, x; to skip files that these options do not fit, add --skip-bad
try 'cooc index --help'
END2
run index letters --skip-bad --skip-list bad.tsv -o letters.cooc
is 'it can be skipped, and so can XML' "$rc $(words letters.cooc)" '0 black tea '
is 'both are listed' "$(cut -f1 bad.tsv | tr '\n' ' ')" \
    'letters/t.csv letters/u.xml '
tar cf letters.tar -C letters t.csv a.txt
run index letters.tar --skip-bad -o tar.cooc
is 'so it is in an archive' "$rc $(words tar.cooc)" '0 black tea '
refuses 2 'a file that was named is not skipped' \
    index letters/a.txt letters/t.csv --skip-bad -o no.cooc <<'END2'
cooc: letters/t.csv: name the columns to read text from; the columns are: id, x (--text-field)
try 'cooc index --help'
END2
printf 'id,y\n1,b\n' >sheets/1.csv
printf 'id,"x,y"\n2,c\n' >sheets/2.csv
run index sheets --text-field x,y --skip-bad -o sheets.cooc
is 'a table without the column can be skipped' "$rc $(words sheets.cooc)" '0 c '
refuses 2 'a column that no table has is an error' \
    index sheets --text-field z --skip-bad -o no.cooc <<'END2'
cooc: sheets/1.csv: has no column 'z'; the columns are: id, y (--text-field)
try 'cooc index --help'
END2
printf '1\tmilk\n' >sheets/3.tsv
run index sheets --text-field y --skip-bad -o tsv.cooc
is 'a tsv file without the column can be skipped' \
    "$rc $(words tsv.cooc)" '0 b '
echo 'user,item' >letters/v.csv
run index letters --group-by id --text-field x --skip-bad -o group.cooc
is 'with --group-by, files without columns can be skipped' \
    "$rc $(words group.cooc)" '0 b '

# ---- only what is bad is skipped

printf '{"text": "a"}\n[1,2]\n7\n[1,\n{\n{"text": "b"}\n' >lines.jsonl
run index lines.jsonl --skip-bad --skip-list bad.tsv -o array.cooc
is 'a line that is no object does not end the file' \
    "$rc $(words array.cooc)" '0 a b '
is 'each is listed' "$(cut -f2 bad.tsv | tr '\n' ' ')" '2 3 4 5 '
refuses 1 'an array among objects can be skipped' \
    index lines.jsonl -o no.cooc <<'END2'
cooc: lines.jsonl:2: expected one JSON object per line, found an array; to skip what cannot be read, add --skip-bad
END2
printf '{\n  "text": "a"\n}\n' >pretty.jsonl
refuses 1 'JSON with line ends inside objects can be converted' \
    index pretty.jsonl -o no.cooc <<'END2'
cooc: pretty.jsonl:1: expected one JSON object per line, found one that spans lines; convert it with: jq -c .
END2
printf 'id,x\n1,a\n2,"b\n3,c\n' >open.csv
run index open.csv --text-field x --skip-bad --skip-list bad.tsv -o open.cooc
is 'a quotation mark that is not closed ends the file' \
    "$rc $(words open.cooc)" '0 a '
is 'the list says so' "$(cat bad.tsv)" "open.csv	3	a quotation mark in this row is never closed, so the rest of the file is part of the row"
{
    cat open.csv
    yes '4,some more text, and more of it' | head -c 5000000
} >large.csv
refuses 1 'in a large file, too' \
    index large.csv --text-field x --memory 32M -j 2 -o no.cooc <<'END2'
cooc: large.csv:3: this row is larger than 4 MiB; probably, a quotation mark in it is never closed, so the rest of the file is part of the row; to skip what cannot be read, add --skip-bad
END2

# ---- what to do about a damaged file that is named alone

printf '<a><r>tea</r>\n<r>A & B</r></a>\n' >amp.xml
refuses 1 'XML: what is wrong, and how to keep what precedes it' \
    index amp.xml --record r -o no.cooc <<'END2'
cooc: amp.xml:2: malformed XML: a '&' does not begin an entity; write &amp; instead; to skip what cannot be read, add --skip-bad
END2
printf '<a><r>tea</r>\n<r>1 < 2</r></a>\n' >less.xml
refuses 1 'so with a "<"' index less.xml --record r -o no.cooc <<'END2'
cooc: less.xml:2: malformed XML: a '<' does not begin a tag; write &lt; instead; to skip what cannot be read, add --skip-bad
END2
printf '<a><r>tea</r>\n<r>milk\n' >short.xml
refuses 1 'a truncated file: its last line is named' \
    index short.xml --record r -o no.cooc <<'END2'
cooc: short.xml:3: the file is truncated: it ends inside the element 'r'; to skip what cannot be read, add --skip-bad
END2
refuses 1 'compressed lines' index l.txt.gz -o no.cooc <<'END2'
cooc: l.txt.gz: the gz data is truncated; to skip what cannot be read, add --skip-bad
END2
printf 'id\tx\n1\ta\tb\n' >ragged.tsv
refuses 1 'tsv files have no quotation marks' \
    index ragged.tsv --text-field x -o no.cooc <<'END2'
cooc: ragged.tsv:2: the row has 3 fields instead of 2; a field of a tsv file cannot contain a TAB or a line end; if fields are in quotation marks, set the format to csv; to skip what cannot be read, add --skip-bad
END2

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
