#!/bin/sh
# packed.t - compressed files, archives, standard input and other encodings.
. "$(dirname "$0")/../tap.sh"
cp -r "$DATA/formats/." .
PAIRS='apple pear 2
apple plum 2
pear plum 1'

while read -r tool suffix command; do
    if ! command -v $tool >/dev/null; then
        skip "$suffix is decompressed" "$tool is not installed"
        continue
    fi
    for f in lines.txt docs.jsonl pages.warc; do
        $command <$f >$f.$suffix
    done
    is "$suffix is decompressed" "$(pairs_of lines.txt.$suffix)" "$PAIRS"
    is "$suffix: the name without the suffix decides the format" \
        "$(field input_format)" lines
    is "$suffix: input bytes are the bytes of the text" "$(field input_bytes)" \
        "$(wc -c <lines.txt | tr -d ' ')"
    is "$suffix: jsonl is detected" "$(pairs_of docs.jsonl.$suffix)" \
        "$PAIRS"
    is "$suffix: warc is detected" "$(pairs_of pages.warc.$suffix)" \
        "$PAIRS"
    cp lines.txt.$suffix disguised
    is "$suffix is decompressed under any name" "$(pairs_of disguised)" "$PAIRS"
    is "$suffix is decompressed from standard input" \
        "$(pairs_of - <lines.txt.$suffix)" "$PAIRS"
    head -c $(($(wc -c <lines.txt.$suffix) - 6)) lines.txt.$suffix >cut
    run index cut -o cut.cooc
    if [ $rc -eq 1 ] && grep -q '^cooc: cut: ' "$TAP/err"
    then pass "$suffix: a truncated file is refused by name"
    else fail "$suffix: a truncated file is refused by name" "$TAP/err"
    fi
    not_ok "$suffix: a truncated file leaves no store" \
        ls -d cut.cooc cut.cooc.part
    rm -rf cut.cooc
done <<'END'
gzip gz gzip -c
bzip2 bz2 bzip2 -c
xz xz xz -c
zstd zst zstd -qc
lz4 lz4 lz4 -qc
END

gzip -c <lines.txt >two.gz
gzip -c <lines.txt >>two.gz
run index two.gz -o two.cooc
is 'concatenated gzip members are one file' "$(field documents)" 6

# ---- archives

if command -v tar >/dev/null; then
    tar cf tree.tar tree
    is 'tar: each file is a document' "$(pairs_of tree.tar)" "$PAIRS"
    is 'tar: the format is files' "$(field input_format)" files
    ok 'tar: documents are named by archive and member' \
        sh -c "'$COOC' docs p.cooc pear | grep -q 'tree.*b/c/d2'"
    tar cf jsons.tar docs.jsonl
    is 'tar: a member may contain many documents' "$(pairs_of jsons.tar)" \
        "$PAIRS"
    tar czf tree.tar.gz tree
    is 'a compressed tar is read' "$(pairs_of tree.tar.gz)" "$PAIRS"
    is 'a tar is read from standard input' "$(pairs_of - <tree.tar.gz)" \
        "$PAIRS"
    mkdir linked
    echo 'apple pear plum' >linked/a
    ln linked/a linked/b
    echo 'apple pear' >linked/c
    ln linked/a linked/d
    LINKED='apple pear 4
apple plum 3
pear plum 3'
    tar cf linked.tar linked/[a-d]
    tar czf linked.tar.gz linked/[a-d]
    is 'hard links in a directory are documents' "$(pairs_of linked)" "$LINKED"
    is 'tar: a hard link is a document' "$(pairs_of linked.tar)" "$LINKED"
    is 'tar: a hard link is not skipped' "$(field inputs_skipped)" ''
    is 'tar: documents have the names of the links' \
        "$("$COOC" docs p.cooc plum | tr '\n' ' ')" \
        'document linked.tar/linked/a linked.tar/linked/b linked.tar/linked/d '
    is 'tar.gz: a hard link is a document' "$(pairs_of linked.tar.gz)" \
        "$LINKED"
    is 'tar in a pipe: hard links are skipped' \
        "$(cat linked.tar | pairs_of -)" 'apple pear 2
apple plum 1
pear plum 1'
    "$COOC" index - -o pipe.cooc --json <linked.tar.gz >out 2>err
    is 'tar in a pipe: the number of skipped hard links is reported' \
        "$(grep -o '"inputs_skipped": [0-9]*' out)" '"inputs_skipped": 2'
    is 'tar in a pipe: a warning reports the hard links' "$(cat err)" \
        'cooc: warning: -: hard links were skipped (2), because they need a second pass and a pipe cannot be read twice; read the archive from a file'
    # Change one byte of the name in the header of the second file.
    mkdir many
    for i in 1 2 3 4 5; do echo "word$i common" >many/$i.txt; done
    tar cf many.tar many/[1-5].txt
    printf Z | dd of=many.tar bs=1 seek=1034 conv=notrunc 2>/dev/null
    gzip -k many.tar
    for f in many.tar many.tar.gz; do
        run index $f -o many.cooc --force
        is "$f: a damaged header is an error" "$rc" 1
    done
    tar --format=v7 -cf v7.tar many/[1-5].txt
    is 'a tar of the oldest format is read' \
        "$("$COOC" index v7.tar -o v7.cooc --json | grep -o '"documents": 5')" \
        '"documents": 5'
    cat linked.tar tree.tar >both.tar
    run index both.tar -o both.cooc
    is 'tar: concatenated archives are all read' "$(field documents)" \
        $((4 + $(find tree -type f ! -name '.*' | wc -l)))
    printf x | dd of=linked.tar bs=1 seek=3 conv=notrunc status=none
    refuses 1 'tar: a wrong checksum is an error' \
        index linked.tar -o wrong.cooc <<'END'
cooc: linked.tar: begins like a tar archive, but its first header is damaged
END
    tar cf pages.tar pages
    is 'a tar of pages is read' "$(pairs_of pages.tar)" "$PAIRS"
    is 'a tar of pages is detected as html' "$(field input_format)" html
else
    skip 'tar: each file is a document' 'tar is not installed'
fi
if command -v zip >/dev/null; then
    zip -qr tree.zip tree
    is 'zip: each file is a document' "$(pairs_of tree.zip)" "$PAIRS"
    is 'zip: the format is files' "$(field input_format)" files
    zip -q lines.zip lines.txt
    run index lines.zip --format lines -o z.cooc
    is 'zip: --format applies to the members' "$(field documents)" 3
else
    skip 'zip: each file is a document' 'zip is not installed'
fi

# ---- text that begins like an archive

mkdir odd
echo '070701 apple' >odd/a
echo '070707 apple' >odd/b
echo '#mtree apple' >odd/c
echo 'PK00 apple' >odd/d
echo 'BZh9 apple' >odd/e
echo 'BZh91AY&SY apple' >odd/f
printf '%256s %s' apple 'ustar is a word' >odd/g
gzip -c odd/a >odd/h.gz
gzip -c odd/d >odd/i.gz
run index odd -o odd.cooc
is 'text that begins like an archive is text' "$rc $(field documents)" '0 9'
is 'words of text that begins like an archive are found' \
    "$("$COOC" docs odd.cooc apple | sed 1d | wc -l | tr -d ' ')" 9

# ---- standard input

is 'standard input is read' "$(pairs_of - <lines.txt)" "$PAIRS"
is 'lines of standard input are documents' "$(field input_format)" lines
is 'a pipe as standard input is read' "$(cat lines.txt | pairs_of -)" "$PAIRS"
is 'the format of standard input is detected' \
    "$(pairs_of - <docs.jsonl)" "$PAIRS"
is 'the format of standard input may be given' \
    "$(pairs_of - --format transactions <lines.txt)" \
    "$PAIRS"
run index - docs.jsonl -o s.cooc <lines.txt
is 'standard input and files may be given together' "$(field documents)" 6
refuses 2 'standard input given twice is refused' index - - -o s2.cooc <<'END'
cooc: standard input (-) is given twice; give it once
try 'cooc index --help'
END
mkfifo pipe
cat lines.txt >pipe &
is 'a named pipe is read' "$(pairs_of pipe)" "$PAIRS"
wait

# ---- encodings

printf 'caf\351 t\351\ncaf\351 na\357f\n' >latin1.txt
is 'latin1 is converted' "$(pairs_of latin1.txt --encoding latin1)" \
    'café naïf 1
café té 1'
is 'converted latin1 has no invalid bytes' "$(field invalid_bytes_replaced)" ''
is 'latin1 read as UTF-8 has invalid bytes' \
    "$(pairs_of latin1.txt --tokens whitespace --encoding utf-8)" \
    'caf� na�f 1
caf� t� 1'
is 'every invalid byte is counted' "$(field invalid_bytes_replaced)" 4
is 'windows-1252 is converted' \
    "$(pairs_of latin1.txt --encoding windows-1252)" 'café naïf 1
café té 1'
utf16() # "LE" or "BE": text with a byte order mark
{
    python3 -c "
import sys, codecs
t = 'café té\ncafé naïf\n'
sys.stdout.buffer.write(('\ufeff' + t).encode('utf-16-$1'))"
}
utf16 LE >utf16le.txt
utf16 BE >utf16be.txt
is 'little-endian UTF-16 is detected by its byte order mark' \
    "$(pairs_of utf16le.txt)" \
    'café naïf 1
café té 1'
is 'big-endian UTF-16 is detected by its byte order mark' \
    "$(pairs_of utf16be.txt)" \
    'café naïf 1
café té 1'
is 'UTF-16 text has two documents' "$(field documents)" 2
tail -c +3 utf16le.txt >bare.txt
is 'UTF-16 without a byte order mark is read with --encoding' \
    "$(pairs_of bare.txt --encoding UTF-16LE)" 'café naïf 1
café té 1'
printf '{"text": "caf\351 t\351"}\n' >latin1.jsonl
is '--encoding works with jsonl' \
    "$(pairs_of latin1.jsonl --encoding ISO-8859-1)" 'café té 1'
printf '<html><meta charset="iso-8859-1"><body>caf\351 t\351</html>' >l.html
is 'a page may declare its encoding' "$(pairs_of l.html)" 'café té 1'
mkdir some
: >some/a.txt
cp latin1.txt some/b.txt
for e in latin1 utf-16 shift_jis iso-2022-jp; do
    run index some --encoding $e -o some.cooc --force
    is "an empty file in $e is a document" "$rc $(field documents)" '0 2'
done
refuses 2 'an unknown encoding is refused' \
    index lines.txt --encoding klingon -o k.cooc <<'END'
cooc: unknown encoding 'klingon'; examples are latin1, windows-1252, koi8-r, shift_jis, gb18030, utf-16 (--encoding)
try 'cooc index --help'
END
printf 'ok\377ok \300\200 \355\240\200 \364\220\200\200 fine\n' >bad.txt
run index bad.txt --encoding utf-8 -o bad.cooc
is 'stray, overlong, surrogate and out-of-range bytes are counted' \
    "$(field invalid_bytes_replaced)" 10
ended
