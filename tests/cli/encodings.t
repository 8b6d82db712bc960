#!/bin/sh
# encodings.t - the encoding of each file is recognised, files that are not text
# are skipped or refused, and the report says so.
. "$(dirname "$0")/../tap.sh"

words()
{
    "$COOC" terms "$1" -n 500 | sed 1d | cut -f1 | sort | tr '\n' ' '
}

# What was found out, without the name of the folder or archive.
findings()
{
    sed -n 's/^cooc: //p' "$TAP/err" | grep -v 'increments\|each line is' |
        sed "s#$1/##"
}

# ---- a folder of all kinds

mkdir all
printf 'Zoë drinks tea\n' >all/a-utf8.txt
printf 'Zoë drinks milk\n' | iconv -t UTF-16 >all/b-utf16.txt
printf 'un café crème à côté de la forêt, où il était déjà réuni\n' |
    iconv -t LATIN1 >all/c-latin1.txt
printf 'it costs €5 – “crème brûlée”, the café’s best\n' |
    iconv -t WINDOWS-1252 >all/d-windows.txt
: >all/e-empty.txt
printf 'PK\003\004\024\000\000\000\010\000xxxxxxxxxxxxxxxxxxxxxxxxxxxx' \
    >all/f-damaged.zip
cp "$DATA/guide/minutes.docx" all/g-minutes.docx
printf '%%PDF-1.4\n%%\342\343\317\323\n1 0 obj' >all/h-report.pdf
printf '\211PNG\r\n\032\n\000\000\000\015IHDR' >all/i-picture.png
printf 'ab\000cd' >all/j.bin
echo secret >all/.hidden
chmod 644 all/*

run count all -o s.cooc
is 'the damaged file stops the run' "$rc $(cut -c 1-32 "$TAP/err")" \
    '1 cooc: all/f-damaged.zip: begins '
run index all --skip-bad -o s.cooc
is 'every file of text is read' "$rc $(words s.cooc)" \
    '0 5 a and approved are best brûlée café café’s coffee costs crème côté de drinks déjà forêt free from il is it kettle kitchen la meeting metal milk minutes monday new of old où réuni tastes tea the un was zoë à était '
is 'the report names the files that are not in UTF-8' \
    "$(findings all | sed -n 1p)" \
    'warning: 3 files are not in UTF-8: b-utf16.txt (read as UTF-16LE), all/c-latin1.txt (read as windows-1252), all/d-windows.txt (read as windows-1252); if this is wrong, name the encoding with --encoding'
is 'and those that are not text, with the command that converts them' \
    "$(findings all | sed -n 3p)" \
    'warning: 3 files are not text and were skipped: h-report.pdf (PDF document; convert it with: pdftotext FILE.pdf FILE.txt), all/i-picture.png (PNG image), all/j.bin'
is 'there are no other messages' "$(wc -l <"$TAP/err" | tr -d ' ')" 3
is 'skipped files are counted' \
    "$(field inputs_skipped) $(field unreadable_files_skipped)" '4 1'
is 'no byte was replaced' "$(field invalid_bytes_replaced)" ''

run index all --skip-bad --verbose -o v.cooc
is '--verbose lists each finding' "$(findings all)" 'hidden, skipped: .hidden
not in UTF-8: b-utf16.txt (read as UTF-16LE)
not in UTF-8: c-latin1.txt (read as windows-1252)
not in UTF-8: d-windows.txt (read as windows-1252)
empty: e-empty.txt
skipped: f-damaged.zip (begins like a zip archive, but its first header is damaged)
not text, skipped: h-report.pdf (PDF document; convert it with: pdftotext FILE.pdf FILE.txt)
not text, skipped: i-picture.png (PNG image)
not text, skipped: j.bin'
ok 'the store is the same' diff -r s.cooc v.cooc

for how in '-j 1' '-j 7' '--memory 16M' '--encoding auto' --quiet; do
    run index all --skip-bad $how -o how.cooc --force
    ok "so it is with $how" diff -r s.cooc how.cooc
done

for i in 1 2 3 4 5; do
    "$COOC" index all --skip-bad --part $i/5 -o p-$i.cooc -q 2>>parts.err
done
ok 'parts give the same store' sh -c \
    '"$COOC" merge p-?.cooc -o p.cooc -q && diff -r s.cooc p.cooc'
is 'each finding is reported by one part' \
    "$(grep -o 'all/[a-j]' parts.err | sort | uniq -c | tr -s ' \n' ' ')" \
    ' 1 all/b 1 all/c 1 all/d 1 all/f 1 all/h 1 all/i 1 all/j '

# ---- the same as an archive, and each file on its own

rm all/g-minutes.docx # office files in archives are not opened
"$COOC" index all --skip-bad -o plain.cooc -q 2>/dev/null
tar cf all.tar all
(cd all && python3 -c '
import os, zipfile
with zipfile.ZipFile("../all.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for f in sorted(os.listdir(".")):
        z.write(f)
')
for a in all.tar all.zip; do
    run index $a --verbose -o a.cooc --force
    is "the words in $a are the same" "$rc $(words a.cooc)" \
        "0 $(words plain.cooc)"
    is "so are the findings in $a" \
        "$(findings $a | sed 's#all/##' | grep -v zip | sort)" \
        'empty: e-empty.txt
hidden, skipped: .hidden
not in UTF-8: b-utf16.txt (read as UTF-16LE)
not in UTF-8: c-latin1.txt (read as windows-1252)
not in UTF-8: d-windows.txt (read as windows-1252)
not text, skipped: h-report.pdf (PDF document; convert it with: pdftotext FILE.pdf FILE.txt)
not text, skipped: i-picture.png (PNG image)
not text, skipped: j.bin'
    run index - -o b.cooc --force <$a
    is "so it is from standard input" "$rc $(words b.cooc)" "0 $(words a.cooc)"
done
for f in a-utf8 b-utf16 c-latin1 d-windows; do
    run index all/$f.txt -o one.cooc --force
    words one.cooc >>each
    run index - -o one.cooc --force <all/$f.txt
    words one.cooc >>piped
done
is 'each file alone has the same words' \
    "$(tr ' ' '\n' <each | sort -u | tr '\n' ' ')" "$(words plain.cooc)"
ok 'so it has from standard input' diff each piped

# ---- files that are named

refuses 1 'a PDF document that is named is refused' \
    index all/h-report.pdf -o x.cooc <<'END'
cooc: all/h-report.pdf: is a PDF document, not text; convert it first: pdftotext all/h-report.pdf all/h-report.txt
END
refuses 1 'so is a picture' index all/i-picture.png -o x.cooc <<'END'
cooc: all/i-picture.png: is a PNG image, not text; leave it out
END
refuses 1 'so is a file of an unknown format' index all/j.bin -o x.cooc <<'END'
cooc: all/j.bin: is not text: it has NUL bytes; convert it to text, or set the format to read it anyway (--format)
END
run index - -o x.cooc <all/j.bin
is 'so is standard input' "$rc $(cut -c 1-20 "$TAP/err")" \
    '1 cooc: -: is not text'
run index all/j.bin --format files -o x.cooc
is '--format overrides this' "$rc $(words x.cooc)" '0 ab cd '
run index all/h-report.pdf --format lines -o x.cooc --force
is 'for known formats, too' "$rc $(field documents)" '0 3'
run index all/a-utf8.txt all/h-report.pdf --skip-bad --skip-list list \
    -o x.cooc --force
is '--skip-bad skips it' "$rc $(cut -f 1,3 list)" \
    '0 all/h-report.pdf	is a PDF document, not text; convert it first: pdftotext all/h-report.pdf all/h-report.txt'
refuses 1 'among other files, the option is named' \
    index all/a-utf8.txt all/h-report.pdf -o y.cooc <<'END'
cooc: all/h-report.pdf: is a PDF document, not text; convert it first: pdftotext all/h-report.pdf all/h-report.txt; to skip what cannot be read, add --skip-bad
END
run add s.cooc all/j.bin
is 'nothing binary is added to a store' "$rc $(tail -n 1 "$TAP/err" | cut -c 1-28)" \
    '1 cooc: all/j.bin: is not text'
python3 - <<'END'
import zipfile
def make(name, *entries):
    with zipfile.ZipFile(name, "w") as z:
        for path, text in entries:
            z.writestr(path, text)
make("t.xlsx", ("[Content_Types].xml", "<x/>"), ("xl/workbook.xml", "<x/>"))
make("t.pptx", ("[Content_Types].xml", "<x/>"), ("ppt/presentation.xml", "x"))
make("t.ods", ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"))
END
refuses 1 'a spreadsheet is refused' index t.xlsx -o y.cooc <<'END'
cooc: t.xlsx: is a spreadsheet (xlsx), not text; convert it first: libreoffice --headless --convert-to csv t.xlsx
END
mkdir office && mv t.* office && echo tea >office/z.txt
run index office -o x.cooc --force --verbose
is 'in a folder, office files of other kinds are skipped' "$(findings office)" \
    'not text, skipped: t.ods (spreadsheet (ods); convert it with: libreoffice --headless --convert-to csv FILE.ods)
not text, skipped: t.pptx (presentation (pptx); convert it with: libreoffice --headless --convert-to pdf FILE.pptx && pdftotext FILE.pdf FILE.txt)
not text, skipped: t.xlsx (spreadsheet (xlsx); convert it with: libreoffice --headless --convert-to csv FILE.xlsx)'
is 'and their parts are not read' "$(words x.cooc)" 'tea '

# ---- --encoding

printf 'caf\351\n' >cafe.txt
printf '\327\300\n' >koi.txt
run index koi.txt --encoding auto,koi8-r -o x.cooc --force
is 'auto,NAME names the fallback' "$(words x.cooc)" 'вю '
run index cafe.txt --encoding latin1 -o x.cooc --force
is 'an encoding that is named is not reported' "$(words x.cooc)$(findings x)" \
    'café '
run index all/b-utf16.txt --encoding latin1 -o x.cooc --force
is 'a byte order mark comes first' "$(words x.cooc)" 'drinks milk zoë '
refuses 2 'an unknown fallback is an error' \
    index cafe.txt --encoding auto,klingon -o x.cooc <<'END'
cooc: unknown encoding 'klingon'; examples are latin1, windows-1252, koi8-r, shift_jis, gb18030, utf-16 (--encoding)
try 'cooc index --help'
END
printf 'na\357ve\n' >more.txt
"$COOC" index cafe.txt --encoding auto,koi8-r -o k.cooc -q --force 2>/dev/null
run add k.cooc more.txt
is 'add remembers the fallback' "$rc $(words k.cooc)" '0 cafи naоve '
"$COOC" index cafe.txt --encoding auto -o k.cooc -q --force 2>/dev/null
is 'a store does not remember the default' \
    "$(grep -c '"encoding"' k.cooc/manifest.json)" 0

# ---- invalid bytes

python3 - <<'END'
with open("late.tsv", "wb") as f:  # valid for more than a mebibyte
    for i in range(30000):
        f.write(b"d%d\tpl\xc3\xa4in old words in a line of text\n" % i)
    f.write(b"x\tbad \xe9 byte\ny\tbad \xff\xff bytes\n")
END
printf 'tea \351\351\n' >inv.txt
run index late.tsv -o late.cooc
is 'bytes that are invalid later are reported' "$(findings .)" \
    'warning: 1 file has invalid bytes, which were replaced: late.tsv (3)'
is 'and counted' "$(field invalid_bytes_replaced)" 3
run index late.tsv inv.txt --encoding utf-8 -o x.cooc --force
is 'per file, in the order of the files' "$(findings .)" \
    'warning: 2 files have invalid bytes, which were replaced: late.tsv (3), inv.txt (2)'
run index late.tsv inv.txt --encoding utf-8 -j 8 --verbose --memory 16M \
    -o x.cooc --force
is '--verbose lists them' "$(findings .)" 'invalid bytes replaced: late.tsv (3)
invalid bytes replaced: inv.txt (2)'
for i in 1 2 3; do
    "$COOC" index late.tsv --part $i/3 -o q-$i.cooc -q 2>"q-$i.err"
done
ok 'the parts of a file are in its encoding' sh -c \
    '"$COOC" merge q-?.cooc -o q.cooc -q && diff -r late.cooc q.cooc'
is 'the part with these bytes reports them' "$(cat q-?.err)" \
    'cooc: warning: 1 file has invalid bytes, which were replaced: late.tsv (3)'
sed 's/\t/,/; 1i id,text' late.tsv >late.csv
run index late.csv --text-field text --group-by id -o g.cooc
is 'rows that are grouped are reported, too' "$(findings .)" \
    'warning: 1 file has invalid bytes, which were replaced: late.csv (3)'

# A file that is not in UTF-8 is not cut, whichever part reads it.
python3 - <<'END'
with open("big.tsv", "wb") as f:
    for i in range(20000):
        f.write(b"d%d\tun caf\xe9 cr\xe8me d\xe9j\xe0 pr\xeat%d\n" % (i, i % 99))
END
"$COOC" index big.tsv -o big.cooc -q 2>/dev/null
for i in 1 2 3 4; do
    "$COOC" index big.tsv --part $i/4 -o r-$i.cooc -q 2>>r.err
done
ok 'parts of a file in another encoding give the same store' sh -c \
    '"$COOC" merge r-?.cooc -o r.cooc -q && diff -r big.cooc r.cooc'
is 'it is reported once' "$(grep -c 'big.tsv (read as windows-1252)' r.err)" 1
ended
