#!/bin/sh
# index_part.t - the parts of an index, merged, are the index of all inputs,
# byte for byte.
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
. "$(dirname "$0")/../tap.sh"

# same N OPTIONS INPUT...: index N parts of the inputs, merge them in an
# unsorted order, and compare with one index.
same()
{
    n=$1
    shift
    rm -rf part-*.cooc one.cooc all.cooc
    "$COOC" index "$@" -o one.cooc -q || return 1
    for i in $(seq "$n"); do
        "$COOC" index "$@" --part "$i/$n" -o "part-$i.cooc" -q || return 1
    done
    "$COOC" merge part-*.cooc -o all.cooc -q || return 1 # 10 before 2
    diff -r one.cooc all.cooc
}

python3 - <<'END'
import bz2, gzip, json, os, random, tarfile, zipfile
rnd = random.Random(7)
words = ["w%d" % i for i in range(60)] + ["tea", "café", "Äpfel"]
def text(n=None):
    return " ".join(rnd.choice(words) for _ in range(rnd.randrange(12) if n is None else n))
def write(name, lines, end="\n", last=True):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    data = end.join(lines) + (end if last else "")
    open(name, "wb").write(data.encode())
lines = [text() for _ in range(40)]
write("lines.txt", lines)
write("crlf.txt", lines, "\r\n")
write("open.txt", lines, last=False)
write("blank.txt", ["", "", "a b", "", "", "b c", ""])
write("long.txt", [text(4), text(60000), text(3), text(90000), text(2), "end"])
write("one.txt", ["only one line"], last=False)
open("empty.txt", "w").close()
open("bom.txt", "wb").write(b"\xef\xbb\xbf" + "\n".join(lines).encode())
open("wide.txt", "wb").write("\n".join(lines).encode("utf-16"))
open("latin.txt", "wb").write("\n".join(lines).encode("latin-1"))
# lines that look compressed, like a byte order mark, or like an archive
open("odd.txt", "wb").write(b"a b\n\x1f\x8b\x08 c d\n\xef\xbb\xbfe f\n\xff\xfeg h\nBZh91AY&SY i j\n" * 5)
write("names.tsv", ["id%d\t%s" % (i, text()) for i in range(40)])
write("named.jsonl", [json.dumps({"id": i, "text": text()}) for i in range(30)])
write("mixed.jsonl", [x for i in range(30) for x in
      ([json.dumps({"text": text()})] if i % 3 else [json.dumps({"id": i, "text": text()}), ""])])
write("bags.ldac", ["%d %s" % (3, " ".join("%d:1" % t for t in rnd.sample(range(40), 3))) if rnd.random() > .1 else "" for _ in range(30)])
write("bags.svm", ["# head"] + ["1 %s # x" % " ".join("%d:1" % t for t in sorted(rnd.sample(range(1, 40), 3))) for _ in range(30)] + ["# tail"])
write("baskets.dat", [text().replace(" ", ",") for _ in range(30)])
def triples(first, n):
    return [x for d in range(first, first + n) for x in
            ["doc%d\t%s" % (d, w) for w in rnd.sample(words, rnd.randrange(1, 8))] +
            ([""] if rnd.random() < .2 else [])]
write("some.triples", triples(0, 25))
write("plain.tsv", [x for x in triples(0, 30) if x])
write("more.triples", triples(25, 25), last=False)
write("docword.x.txt", ["6", "5", "7", "1 1 1", "1 2 1", "2 3 1", "4 1 2", "4 5 1", "6 2 1", "6 4 1"])
write("docs.trec", ["<DOC><DOCNO>d%d</DOCNO><TEXT>%s</TEXT></DOC>" % (i, text()) for i in range(20)])
for i in range(23):
    write("folder/%d/f%d.txt" % (i % 4, i), [text()])
write("folder/page.html", ["<html><body>" + text(5) + "</body></html>"])
open("folder/binary.txt", "wb").write(b"a\0b")
for i in range(7):
    write("jsonl/%d.jsonl" % i, [json.dumps({"text": text()}) for _ in range(i * i)])
with gzip.open("lines.txt.gz", "wt") as f:
    f.write("\n".join(lines) + "\n")
with bz2.open("names2.tsv.bz2", "wt") as f:
    f.write("\n".join("b%d\t%s" % (i, text()) for i in range(20)) + "\n")
with tarfile.open("pages.tar", "w") as t:
    for i in range(5):
        t.add("folder/%d/f%d.txt" % (i % 4, i))
with zipfile.ZipFile("pages.zip", "w") as z:
    z.writestr("a/empty/", "")
    z.writestr("b.txt", text(5))
with tarfile.open("empty.tar", "w"):
    pass
os.makedirs("late")
os.rename("empty.tar", "late/0.tar")
write("late/1.txt", [text(4)])
write("late/2.html", ["<p>" + text(4)])
os.makedirs("nothing")
END

while read -r options; do
    for n in 1 2 3 7 61; do
        ok "$n parts of $options" same $n $options
    done
done <<'LIST'
lines.txt
crlf.txt
open.txt
blank.txt
long.txt
one.txt
empty.txt
bom.txt
wide.txt
latin.txt --encoding latin1
odd.txt
names.tsv
named.jsonl
mixed.jsonl
bags.ldac
bags.svm
baskets.dat
some.triples --format triples
some.triples more.triples --format triples
plain.tsv
docword.x.txt
docs.trec
folder
jsonl
lines.txt.gz
pages.tar
late
nothing
nothing lines.txt
lines.txt crlf.txt open.txt empty.txt one.txt
lines.txt names.tsv mixed.jsonl lines.txt.gz names2.tsv.bz2 jsonl folder pages.tar pages.zip docs.trec late
lines.txt --format files
folder --format lines
bags.ldac bags.svm baskets.dat docword.x.txt
LIST

while read -r options; do
    ok "5 parts with $options" same 5 lines.txt mixed.jsonl folder $options
done <<'LIST'
-j 3
--memory 16M -j 2
--max-doc-terms 3
--keep-case --min-length 3
--tokens whitespace
--stem english
--stem english --stop one.txt
LIST

printf 'w1\tw2\nw3\tw2\ncafé\ttea\n' >variants.tsv
ok 'parts with stems, a stop list and a thesaurus' same 4 lines.txt folder \
    jsonl --stem german --stop one.txt --thesaurus variants.tsv
for i in 1 2 3 4; do "$COOC" count part-$i.cooc -q; done
"$COOC" count one.cooc -q --rows compact
for from in rows documents; do
    ok "counted parts, --pairs-from $from" sh -c "
        '$COOC' merge part-*.cooc -o all.cooc --force -q --pairs-from $from &&
        diff -r one.cooc all.cooc"
done

# ---- filters at the end -------------------------------------------------
# The phrases of keep.txt must be known when the parts are indexed.
printf 'w1 w2\nw7\ntea\nCAFÉ\nunknown\n' >keep.txt
printf 'w2 w1\nW1  W2\n' >phrases.txt
inputs='lines.txt mixed.jsonl folder names.tsv'
given="$inputs --phrases phrases.txt"
for i in 1 2 3 4 5; do
    rm -rf "part-$i.cooc" "stem-$i.cooc"
    "$COOC" index $given --part $i/5 -o part-$i.cooc -q
    "$COOC" index $given --part $i/5 -o stem-$i.cooc -q --stem english \
        --stop one.txt
done
filtered() # options: merge with these filters equals an index with them
{
    rm -rf one.cooc all.cooc stemmed.cooc
    "$COOC" index $given -o one.cooc -q "$@" &&
        "$COOC" merge part-[1-5].cooc -o all.cooc -q "$@" -j 2 &&
        diff -r one.cooc all.cooc &&
        "$COOC" index $given -o stemmed.cooc -q --stem english \
            --stop one.txt "$@" &&
        "$COOC" merge stem-[1-5].cooc -o all.cooc -q --force "$@" &&
        diff -r stemmed.cooc all.cooc && "$COOC" check all.cooc -q
}
while read -r options; do
    ok "merge $options equals index $options" filtered $options
done <<'LIST'
--min-df 1
--min-df 10
--min-df 1000
--max-df 15
--max-df 10%
--max-df 100%
--top-terms 7
--top-terms 1
--terms keep.txt
--terms empty.txt
--min-df 5 --max-df 20% --top-terms 30
--terms keep.txt --min-df 12
LIST
run merge part-[1-5].cooc -o all.cooc --force --min-df 10 --json
ok 'the report says what was dropped' grep -q '"terms_below_min_df": [1-9]' \
    "$TAP/out"

# Ordinary stores are filtered as well, and counted if one of them is.
rm -rf a.cooc b.cooc c.cooc
"$COOC" index lines.txt -o a.cooc -q
"$COOC" index crlf.txt -o b.cooc -q
"$COOC" count lines.txt crlf.txt --format lines --min-df 9 -o c.cooc -q
"$COOC" count a.cooc -q
ok 'stores that are not parts are filtered and counted' sh -c "
    '$COOC' merge a.cooc b.cooc --min-df 9 -o ab.cooc -q &&
    diff -r c.cooc ab.cooc"
"$COOC" count b.cooc -q
ok 'counted stores are counted again' sh -c "
    '$COOC' merge a.cooc b.cooc --min-df 9 -o ab.cooc -q --force &&
    diff -r c.cooc ab.cooc"

# ---- errors -------------------------------------------------------------
refuses 2 'rows of dropped terms cannot be added up' \
    merge a.cooc b.cooc --min-df 9 --pairs-from rows -o ab.cooc --force <<'END'
cooc: rows cannot be added up if the merge drops terms; merge from documents (--pairs-from)
try 'cooc merge --help'
END
"$COOC" index lines.txt --terms keep.txt -o kept.cooc -q
refuses 2 'a list of terms cannot be replaced' \
    merge kept.cooc --terms keep.txt -o x.cooc <<'END'
cooc: kept.cooc: was made with a list of terms, so it lacks all other terms; leave the list out (--terms)
try 'cooc merge --help'
END
for part in 0/3 4/3 3 1/2/3 -1/3; do
    refuses 2 "--part $part" index lines.txt --part $part -o x.cooc <<END
cooc: --part must be I/N with I from 1 to N, such as 3/64, not '$part'
try 'cooc index --help'
END
done
while read -r options; do
    set -- $options
    refuses 2 "a part with $options" index lines.txt --part 1/2 $options \
        -o x.cooc <<END
cooc: a part of an index must keep all terms, because only the merged store shows how frequent they are; set the filter when you merge the parts ($1)
try 'cooc index --help'
END
done <<'LIST'
--min-df 2
--max-df 2
--max-df 50%
--top-terms 4
--terms keep.txt
LIST
refuses 2 'standard input cannot be divided' \
    index - --part 1/2 -o x.cooc <<'END'
cooc: standard input cannot be divided into parts; save it to a file and index the file (--part)
try 'cooc index --help'
END
mkfifo pipe
refuses 2 'a pipe cannot be divided' \
    index lines.txt pipe --part 1/2 -o x.cooc <<'END'
cooc: pipe: is neither a file nor a directory, so it cannot be divided into parts; save its contents to a file and index the file (--part)
try 'cooc index --help'
END
refuses 2 'text and terms cannot be in one store' \
    index lines.txt bags.ldac --part 1/2 -o x.cooc <<'END'
cooc: bags.ldac: is ldac (terms), but lines.txt is lines (text), and these cannot be in one store; set the format if it is recognised wrongly (--format)
try 'cooc index --help'
END
refuses 2 'triples cannot be divided together with other formats' \
    index plain.tsv bags.ldac --part 1/2 -o x.cooc <<'END'
cooc: inputs in the format triples cannot be divided into parts together with inputs in other formats; index them separately and merge the stores (--part)
try 'cooc index --help'
END

rm -rf part-*.cooc
for i in 1 2 3; do
    "$COOC" index lines.txt --part $i/3 -o part-$i.cooc -q
    "$COOC" index crlf.txt --part $i/3 -o crlf-$i.cooc -q
done
"$COOC" index lines.txt --part 2/4 -o four-2.cooc -q
ok 'stats says which part it is' sh -c "
    '$COOC' stats part-2.cooc -n 0 | grep -qx 'part.2/3'"
refuses 2 'a part is missing' merge part-3.cooc part-1.cooc -o x.cooc <<'END'
cooc: part 2 of 3 is missing; merge all parts of an index at once
try 'cooc merge --help'
END
refuses 2 'parts are missing' merge part-3.cooc -o x.cooc <<'END'
cooc: parts 1, 2 of 3 are missing; merge all parts of an index at once
try 'cooc merge --help'
END
cp -r part-2.cooc copy.cooc
refuses 2 'a part is given twice' \
    merge part-1.cooc part-2.cooc copy.cooc -o x.cooc <<'END'
cooc: copy.cooc: is part 2 of 3, and so is part-2.cooc; give each part once
try 'cooc merge --help'
END
refuses 2 'parts of two divisions' \
    merge part-1.cooc four-2.cooc part-3.cooc -o x.cooc <<'END'
cooc: four-2.cooc: is part 2 of 4, but part-1.cooc is part 1 of 3; merge the parts of one division of the inputs
try 'cooc merge --help'
END
refuses 2 'parts of different inputs' \
    merge part-1.cooc crlf-2.cooc part-3.cooc -o x.cooc <<'END'
cooc: crlf-2.cooc: cannot be combined with part-1.cooc: they are parts of different inputs, or of inputs that have changed, or were read with different options; index these parts again
try 'cooc merge --help'
END
refuses 2 'a part and another store' \
    merge part-1.cooc part-2.cooc part-3.cooc a.cooc -o x.cooc <<'END'
cooc: a.cooc: is not a part of an index, but part-1.cooc is part 1 of 3; merge all parts first, then merge the result with other stores
try 'cooc merge --help'
END
refuses 2 'another store and a part' merge a.cooc part-1.cooc -o x.cooc <<'END'
cooc: part-1.cooc: is part 1 of 3 of an index, but a.cooc is not; merge all parts first, then combine the result with other stores
try 'cooc merge --help'
END
refuses 2 'documents cannot be added to a part' add part-1.cooc one.txt <<'END'
cooc: part-1.cooc: is part 1 of 3 of an index; merge all parts first, then add documents to the result
try 'cooc add --help'
END
# The same size, but lines end elsewhere.
python3 -c '
import re
t = open("lines.txt").read()
open("lines.txt", "w").write(t.replace("\n", " ").rstrip() + "\n" * (len(t) - len(t.replace("\n", " ").rstrip())))'
rm -rf part-2.cooc
"$COOC" index lines.txt --part 2/3 -o part-2.cooc -q
refuses 2 'the inputs changed' merge part-*.cooc -o x.cooc <<'END'
cooc: part-2.cooc: does not begin where part-1.cooc ends: the inputs changed in between; index all parts again
try 'cooc merge --help'
END

# ---- errors that only the whole can show --------------------------------
both() # want N input options: the parts are accepted, but neither merge nor
       # index are
{
    want=$1 n=$2
    shift 2
    rm -rf part-*.cooc
    for i in $(seq "$n"); do
        "$COOC" index "$@" --part "$i/$n" -o part-$i.cooc -q || return 1
    done
    ! "$COOC" index "$@" -o x.cooc -q --force || return 1
    ! "$COOC" merge part-*.cooc -o x.cooc -q --force 2>err || return 1
    cat err
    grep -qF "$want" err
}
ok 'a field that no record has' both 'no record of any part has text in the field "body"' \
    3 mixed.jsonl --text-field text,body
printf '{"text": "a b"}\n{"text": "b c"}\n{"text": "c a"}\n{"body": "d a"}\n' \
    >fields.jsonl
ok 'a field that few records have' same 4 fields.jsonl --text-field text,body
mkdir -p kinds
printf 'Hello\nyou' >kinds/a.md
printf '{"text":"a b","key":"k1"}\n{"text":"c b","key":"k2"}\n' >kinds/b.jsonl
ok 'options that apply to some of the files' same 3 kinds --text-field text \
    --id-field key
ok 'an option that applies to no file' both \
    'the choice of a record element does not apply' 3 kinds --record x
printf '1 1:1 2:1\nbroken line here\n1 3:1 1:1\n\n1 2:1 3:1\n' >bad.svm
ok 'a file that is bad from some point on' same 2 bad.svm --format svmlight \
    --skip-bad
(cat some.triples; printf 'doc3\tlate\n') >twice.triples
ok 'a document in two places' both 'doc3' 4 twice.triples --format triples

printf 'x\ty\na line without a tab\n' >bad.tsv
(seq 200 | sed 's/.*/a&\tb c/'; echo broken) >broken.tsv
refuses 1 'the line in a message is the line of the file' \
    index broken.tsv --format tsv --part 9/9 -o none.cooc <<'END'
cooc: broken.tsv:201: no TAB between id and text; for one document per line without ids, use the format lines; to skip what cannot be read, add --skip-bad
END
ended
