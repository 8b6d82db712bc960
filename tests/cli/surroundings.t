#!/bin/sh
# surroundings.t - locale, paths, links, limits and environment do not matter.
. "$(dirname "$0")/../tap.sh"
cp "$DATA/drinks.txt" .
printf 'ISTANBUL İstanbul ıstanbul istanbul\nÉTÉ été 1.5 1,5\n' >>drinks.txt
LC_ALL=C "$COOC" count drinks.txt -o want.cooc -q
all() # store: the output of every query
{
    "$COOC" export $1
    "$COOC" pairs $1 -n0 --by llr
    "$COOC" stats $1
    "$COOC" pair $1 ÉTÉ 1.5 --json
    "$COOC" top $1 Istanbul --by pmi --min-score 0.5
    "$COOC" export $1 --format jsonl --by ppmi --smoothing 0.75
    "$COOC" index drinks.txt -o share.cooc -q -f --max-df 37.5%
    "$COOC" terms share.cooc
}
LC_ALL=C all want.cooc >want

# Locales that could break something: a dotless i, a decimal comma, a decimal
# point of two bytes, letters that are not UTF-8.  They are made here.
mkdir locales
LOCPATH=$PWD/locales
export LOCPATH
for l in tr_TR.UTF-8 de_DE.ISO-8859-1 ps_AF.UTF-8 ja_JP.EUC-JP; do
    localedef --no-archive -c -i ${l%%.*} -f ${l#*.} locales/$l 2>/dev/null ||
        rm -rf locales/$l
done
for l in C.UTF-8 C POSIX xx_XX tr_TR.UTF-8 de_DE.ISO-8859-1 ps_AF.UTF-8 \
    ja_JP.EUC-JP; do
    case $l in
    C* | POSIX | xx_XX) ;;
    *)  if [ ! -d locales/$l ]; then
            skip "locale $l makes the same store" 'localedef cannot make it'
            continue
        fi ;;
    esac
    rm -rf l.cooc
    LC_ALL=$l "$COOC" count drinks.txt -o l.cooc -q
    ok "locale $l makes the same store" diff -r want.cooc l.cooc
    (export LC_ALL=$l; all l.cooc) >got
    ok "locale $l gives the same answers" cmp want got
done

# ---- paths

for name in 'with blanks' 'new
line' "quote'\"s" '-dash' 'ümläut' 'back\slash' '%s%n' '*?['; do
    shown=$(printf '%s' "$name" | tr '\n' '|')
    mkdir -p "./$name"
    cp drinks.txt "./$name/$name.txt"
    rc=0
    "$COOC" count -q -o "./$name/$name.cooc" -- "./$name/$name.txt" || rc=$?
    is "documents and stores may be in '$shown'" $rc 0
    is "the name of a document in '$shown' is complete" \
        "$("$COOC" docs --json "./$name/$name.cooc" cups |
           python3 -c 'import json,sys; print(json.load(sys.stdin)["document"],
               end="")')" "./$name/$name.txt:6"
    "$COOC" export "./$name/$name.cooc" -o "./$name/$name.tsv" -q
    ok "an export may be in '$shown'" test -s "./$name/$name.tsv"
    is "tsv has one line per document in '$shown'" \
        "$("$COOC" docs "./$name/$name.cooc" cups | wc -l | tr -d ' ')" 2
done
name=$(printf 'Latin-1 \344\377')
cp drinks.txt "$name"
"$COOC" count "$name" -o "$name.cooc" -q
is 'names that are not UTF-8 keep their bytes' \
    "$("$COOC" docs "$name.cooc" cups | sed 1d | cut -f1)" "$name:6"
ok 'JSON is UTF-8 even if names are not' \
    sh -c '"$1" docs --json "$2" cups | python3 -c "
import json, sys
json.loads(sys.stdin.buffer.read().decode())"' sh "$COOC" "$name.cooc"
cp drinks.txt ./-o
ok 'a name after -- is not an option' "$COOC" count -q -o dashes.cooc -- -o
mkdir deep
cd deep || exit 1
long=$(printf 'd%.0s' $(seq 200))
mkdir -p $long/$long/$long
cp ../drinks.txt $long/$long/$long/
"$COOC" count $long -o $long/$long/$long/s.cooc -q
ok 'long paths work' "$COOC" check -q $long/$long/$long/s.cooc
run stats $long/$long/$long/none.cooc
is 'a long path is named in a message' \
    "$rc $(grep -c '^cooc: \.\.\.d.*none.cooc: cannot open' "$TAP/err") $(wc -l <"$TAP/err" | tr -d ' ')" \
    '1 1 1'
cd ..
"$COOC" index drinks.txt -o "$PWD/abs.cooc" -q
ok 'a store may be given by an absolute path' "$COOC" check -q "$PWD/abs.cooc"
"$COOC" index drinks.txt -o slash.cooc/// -q
ok 'the name of a store may end in slashes' "$COOC" check -q slash.cooc/
ln -s drinks.txt link
ln -s . loop
run index loop/link -o linked.cooc
is 'links to documents are followed' $rc 0
mkdir -p ring/sub
ln -s .. ring/sub/up
cp drinks.txt ring
run index ring -o ring.cooc
is 'a loop of links is read only once' "$rc $(field documents)" '0 1'
nnn=$(printf 'n%.0s' $(seq 251))
for command in "index drinks.txt -o $nnn" "export want.cooc -o $nnn"; do
    run $command
    is "${command%% *} refuses a name that is too long for the system" \
        "$rc $(grep -c ': File name too long$' "$TAP/err") \
$(find . -name 'nnn*')" '1 1 '
done
run stats $(printf 'd/%.0s' $(seq 3000))s.cooc
is 'a path that is too long for the system is refused' \
    "$rc $(wc -l <"$TAP/err" | tr -d ' ')" '1 1'

# ---- links to stores and outputs

mkdir elsewhere
cp -r want.cooc elsewhere/s.cooc
ln -s elsewhere/s.cooc link.cooc
ok 'a link to a store can be queried' "$COOC" top link.cooc tea
ok 'documents can be added through a link to a store' \
    "$COOC" add -q link.cooc drinks.txt
ok 'a store can be replaced through a link' \
    "$COOC" count -q -f drinks.txt -o link.cooc
is 'the target of a link is replaced and the link is kept' \
    "$(readlink link.cooc)$(diff -r want.cooc \
    elsewhere/s.cooc 2>&1)$(ls elsewhere)" elsewhere/s.coocs.cooc
ln -s nothing.cooc dangling.cooc
refuses 1 'a dangling link is refused' \
    index drinks.txt -o dangling.cooc <<'END'
cooc: dangling.cooc: already exists and is not a cooc store, so it is not replaced; choose another name
END
"$COOC" export want.cooc >want.tsv
: >elsewhere/x.tsv
ln -s elsewhere/x.tsv link.tsv
"$COOC" export want.cooc -o link.tsv -q
is 'an export follows a link' "$(readlink link.tsv)$(cmp want.tsv \
    elsewhere/x.tsv 2>&1)$(ls elsewhere)" "elsewhere/x.tsvs.cooc
x.tsv"
was=$(ls -l /dev/stdout /dev/null)
"$COOC" export want.cooc -o /dev/stdout >std.tsv
ok '/dev/stdout is standard output' cmp want.tsv std.tsv
"$COOC" export want.cooc -o /dev/stdout >>std.tsv
is 'an export to /dev/stdout is appended' "$(wc -l <std.tsv)" \
    "$(($(wc -l <want.tsv) * 2))"
ln -s /dev/null null
"$COOC" export want.cooc -o null -q
ok 'statistics are written to a device' \
    "$COOC" count drinks.txt -o n.cooc --stats-json null -q
ok 'statistics are written to a pipe' test "$("$COOC" count n.cooc --force -q \
    --stats-json /dev/stdout | grep -c '"status": "done"')" = 1
is 'devices are not replaced' "$(ls -l /dev/stdout /dev/null; readlink null)" \
    "$was
/dev/null"

# ---- environment

rm -rf e.cooc
env -i "$COOC" count drinks.txt -o e.cooc -q
ok 'an empty environment makes the same store' diff -r want.cooc e.cooc
rm -rf e.cooc
HOME=/nonexistent TMPDIR=/nonexistent "$COOC" count drinks.txt -o e.cooc -q \
    --method naive --flush-pairs 10
ok 'neither HOME nor TMPDIR is needed' diff -r want.cooc e.cooc
for zone in UTC Asia/Kathmandu Pacific/Apia nonsense; do
    rm -rf e.cooc
    TZ=$zone "$COOC" count drinks.txt -o e.cooc -q
    TZ=$zone "$COOC" export e.cooc --format npz -o e.npz -q
    ok "time zone $zone makes the same store" diff -r want.cooc e.cooc
    [ $zone = UTC ] && mv e.npz want.npz && cp want.npz e.npz
    ok "time zone $zone makes the same npz" cmp e.npz want.npz
done
mkdir gone
here=$PWD
(cd gone && rmdir ../gone && "$COOC" stats "$here/want.cooc" &&
    "$COOC" export "$here/want.cooc" --symmetric --memory 64M &&
    "$COOC" count "$here/drinks.txt" -o "$here/d.cooc") >got 2>&1
is 'documents are read in a deleted current directory' \
    "$? $("$COOC" export d.cooc |
    cmp - want.tsv)" '0 '
(mkdir gone && cd gone && rmdir ../gone &&
    "$COOC" count "$here/drinks.txt" -o d.cooc) >got 2>&1
is 'a store in a deleted current directory is refused' "$? $(cat got)" \
    '1 cooc: d.cooc.part: cannot create: No such file or directory'
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    away=$(mktemp -d /dev/shm/cooc.XXXXXX)
    rm -rf e.cooc
    "$COOC" count drinks.txt -o e.cooc -q --method naive --flush-pairs 10 \
        --tmpdir "$away"
    ok 'temporary files may be on another file system' diff -r want.cooc e.cooc
    "$COOC" merge want.cooc e.cooc -o "$away/m.cooc" -q
    ok 'temporary files of a merge may be on another file system' \
        "$COOC" check -q "$away/m.cooc"
    rm -rf "$away"
else
    skip 'temporary files may be on another file system' 'no /dev/shm'
fi
for stack in 64 1024; do
    rm -rf e.cooc
    (ulimit -s $stack && "$COOC" count drinks.txt -o e.cooc -q -j2)
    ok "a stack of $stack KiB is enough" diff -r want.cooc e.cooc
done
rm -rf e.cooc
(ulimit -n 16 && "$COOC" count drinks.txt -o e.cooc -q -j2 &&
    "$COOC" merge want.cooc e.cooc -o f.cooc -q)
ok 'sixteen open files are enough to count and merge' "$COOC" check -q f.cooc
(ulimit -n 6 && "$COOC" index drinks.txt -o g.cooc -q) 2>err
is 'too few open files are an error' "$? $(grep -c ': Too many open files$' err)
$(ls -d g.cooc* 2>/dev/null)" '1 1
'
cp -r want.cooc moved.cooc
rm drinks.txt
ok 'a store can be moved' "$COOC" check -q moved.cooc
(ulimit -n 12 && "$COOC" check -q moved.cooc)
is 'a store needs few file descriptors' $? 0
ended
