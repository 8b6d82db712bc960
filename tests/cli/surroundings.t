#!/bin/sh
# surroundings.t - locale, paths, umask and environment change nothing.
. "$(dirname "$0")/../tap.sh"
cp "$DATA/drinks.txt" .
printf 'ISTANBUL İstanbul ıstanbul istanbul\nÉTÉ été 1.5 1,5\n' >>drinks.txt
LC_ALL=C "$COOC" count drinks.txt -o want.cooc -q
all() # store: what every question answers
{
    "$COOC" export $1
    "$COOC" pairs $1 -n0 --by llr
    "$COOC" stats $1
    "$COOC" pair $1 ÉTÉ 1.5 --json
    "$COOC" top $1 Istanbul --by pmi
}
LC_ALL=C all want.cooc >want

for l in C.UTF-8 C POSIX en_US.UTF-8 de_DE.UTF-8 tr_TR.UTF-8 ja_JP.EUC-JP \
    xx_XX; do
    case $l in
    C* | POSIX | xx_XX) ;;
    *)  plain=$(echo $l | tr -d '-' | tr '[:upper:]' '[:lower:]')
        if ! locale -a 2>/dev/null | tr -d '-' | tr '[:upper:]' '[:lower:]' |
            grep -qx "$plain"; then
            skip "locale $l makes the same store" 'not installed'
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
    is "the document's name is whole in '$shown'" \
        "$("$COOC" docs --json "./$name/$name.cooc" cups |
           python3 -c 'import json,sys; print(json.load(sys.stdin)["document"],
               end="")')" "./$name/$name.txt:6"
    "$COOC" export "./$name/$name.cooc" -o "./$name/$name.tsv" -q
    ok "export may be in '$shown'" test -s "./$name/$name.tsv"
    is "tsv keeps a line a document in '$shown'" \
        "$("$COOC" docs "./$name/$name.cooc" cups | wc -l | tr -d ' ')" 2
done
mkdir deep
cd deep || exit 1
long=$(printf 'd%.0s' $(seq 200))
mkdir -p $long/$long/$long
cp ../drinks.txt $long/$long/$long/
"$COOC" count $long -o $long/$long/$long/s.cooc -q
ok 'long paths are fine' "$COOC" check -q $long/$long/$long/s.cooc
run stats $long/$long/$long/none.cooc
is 'and in a message, too' \
    "$rc $(grep -c '^cooc: d' "$TAP/err") $(wc -l <"$TAP/err" | tr -d ' ')" \
    '1 1 1'
cd ..
"$COOC" index drinks.txt -o "$PWD/abs.cooc" -q
ok 'a store may be named from the root' "$COOC" check -q "$PWD/abs.cooc"
"$COOC" index drinks.txt -o slash.cooc/// -q
ok 'and end in slashes' "$COOC" check -q slash.cooc/
ln -s drinks.txt link
ln -s . loop
run index loop/link -o linked.cooc
is 'links to documents are followed' $rc 0
mkdir -p ring/sub
ln -s .. ring/sub/up
cp drinks.txt ring
run index ring -o ring.cooc
is 'a ring of links ends' "$rc $(field documents)" '0 1'

# ---- rights

(umask 027; "$COOC" count drinks.txt -o um.cooc -q)
is 'umask 027 holds for the store' "$(stat -c %a um.cooc)" 750
is 'and for every file in it' "$(stat -c %a um.cooc/* | sort -u)" 640
(umask 000; "$COOC" count drinks.txt -o open.cooc -q)
is 'umask 0 makes it writable for all' \
    "$(stat -c %a open.cooc open.cooc/* | sort -u | tr '\n' ' ')" '666 777 '
chmod -R a-w um.cooc
ok 'a store that cannot be written answers' "$COOC" top um.cooc tea
ok 'and is checked' "$COOC" check -q um.cooc
chmod -R u+w um.cooc

# ---- environment

rm -rf e.cooc
env -i "$COOC" count drinks.txt -o e.cooc -q
ok 'no environment at all makes the same store' diff -r want.cooc e.cooc
rm -rf e.cooc
HOME=/nonexistent TMPDIR=/nonexistent "$COOC" count drinks.txt -o e.cooc -q \
    --method naive --flush-pairs 10
ok 'neither HOME nor TMPDIR is needed' diff -r want.cooc e.cooc
cp -r want.cooc moved.cooc
rm drinks.txt
ok 'a store needs nothing but itself' "$COOC" check -q moved.cooc
(ulimit -n 12 && "$COOC" check -q moved.cooc)
is 'a store needs few file descriptors' $? 0
ended
