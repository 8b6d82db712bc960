#!/bin/sh
# stores.t - stores in folders of documents, files written into stores, and
# stores that contain other things than regular files.
. "$(dirname "$0")/../tap.sh"
mkdir docs
echo 'tea milk' >docs/1.txt
echo 'tea sugar' >docs/2.txt
printf 'chai\ttea\n' >thesaurus
"$COOC" count docs -o want.cooc -q
same() # store: compare with the store of the two documents
{
    diff -r want.cooc "$1"
}
hashes() # path...: hashes of all files below
{
    find "$@" -type f -exec md5sum {} + | sort
}

# ---- stores in a folder of documents are not documents

"$COOC" count docs -o docs/store -q
run count docs -o docs/store --force
is 'a store in the input folder is skipped' \
    "$rc $(field documents) $(field terms) $(field stores_skipped)" '0 2 3 1'
ok 'a skipped store does not change the result' same docs/store
mkdir docs/old docs/old.part docs/left.part docs/web docs/notes.cooc
cp docs/store/terms.bin docs/store/docs.bin docs/old
cp docs/store/stop.txt docs/old.part
cp docs/store/forward.bin docs/old.part/.forward.bin.tmp
echo coffee >docs/left.part/tmp-stop.txt
echo half >docs/left.part/terms.bin.tmp
run count docs -o got.cooc
is 'unfinished stores, also of older versions, are skipped' \
    "$rc $(field documents) $(field stores_skipped)" '0 2 4'
ok 'skipped unfinished stores do not change the result' same got.cooc
mv docs/store docs/a.b
ln -s a.b docs/link
run count docs -o got.cooc -f
is 'a store with any name and a link to a store are skipped' \
    "$rc $(field documents) $(field stores_skipped)" '0 2 5'
echo '{"text": "app", "short_name": "cooc store"}' >docs/web/manifest.json
echo 'stop words' >docs/web/stop.txt
echo 'tea notes' >docs/notes.cooc/1.txt
run count docs -o got.cooc -f
is 'a manifest of another program and NAME.cooc/1.txt are documents' \
    "$rc $(field documents)" '0 5'
rm -r docs/web docs/notes.cooc
mkdir docs/mixed
cp docs/a.b/terms.bin docs/mixed
echo 'tea lemon' >docs/mixed/3.txt
run count docs -o got.cooc -f
is 'other files in an unfinished store without a manifest are read' \
    "$rc $(field documents) $(field stores_skipped)" '0 3 5'
rm -r docs/mixed docs/old docs/old.part docs/left.part docs/link
touch docs/a.b/README
run count docs -o got.cooc -f
is 'other files in a store with a manifest are not read' \
    "$rc $(field documents) $(field stores_skipped)" '0 2 1'
rm docs/a.b/README
"$COOC" index docs -o docs/s.cooc --thesaurus thesaurus -q
run add docs/s.cooc docs
is 'add skips a store in the folder of new documents' \
    "$rc $(field documents_added) $(field documents) $(field stores_skipped)" \
    '0 2 4 2'
"$COOC" export want.cooc -o docs/.x.tsv.tmp-0123456789abcdef -q
run count docs -o got.cooc -f
is 'hidden temporary files of exports are skipped' \
    "$rc $(field documents) $(field inputs_skipped)" '0 2 1'
rm -r docs/s.cooc docs/.x*

# ---- a store as an input

cp -r want.cooc bad.cooc
echo '{"format": "cooc store"' >bad.cooc/manifest.json
rm -f bad.cooc/terms.bin
refuses 2 'a damaged store as input is refused' index bad.cooc -o n.cooc <<'END'
cooc: bad.cooc: is a store, not documents; to combine stores, merge them
try 'cooc index --help'
END
refuses 2 'a file of a store as input is refused' \
    index docs/1.txt want.cooc/terms.bin \
    -o n.cooc <<'END'
cooc: want.cooc/terms.bin: is a file of a store, not a document; leave it out
try 'cooc index --help'
END
tar cf docs.tar docs
refuses 2 'an archive with a store in it is refused' \
    index docs.tar -o n.cooc <<'END'
cooc: docs.tar/docs/a.b/manifest.json: is part of a cooc store, not a document; make the archive without the store
try 'cooc index --help'
END
not_ok 'refused inputs leave no store' ls -d n.cooc n.cooc.part
rm -r docs/a.b bad.cooc docs.tar

# ---- only commands that change a store write into it

cp -r want.cooc own.cooc
ln -s own.cooc/terms.bin link.tsv
ln -s own.cooc link.cooc
before=$(hashes own.cooc; ls -A own.cooc)
for file in own.cooc/terms.bin own.cooc/manifest.json own.cooc/new \
    link.tsv link.cooc/rows-0000.bin own.cooc//terms.off; do
    for does in "export want.cooc -o $file" "export own.cooc -o $file" \
        "export want.cooc --format npz -o $file" \
        "export want.cooc --format sqlite -o $file" \
        "index docs -o n.cooc --stats-json $file" \
        "count want.cooc --force --stats-json $file" \
        "merge want.cooc want.cooc -o n.cooc --stats-json $file" \
        "add want.cooc docs --stats-json $file"; do
        run $does
        is "cooc $does is refused" \
            "$rc $(grep -c 'is inside a store' "$TAP/err")" '2 1'
    done
done
for does in "index docs -o own.cooc/n" "count want.cooc -f --tmpdir own.cooc" \
    "export want.cooc --tmpdir own.cooc" "index docs -o own.cooc.part" \
    "merge want.cooc want.cooc -o n.cooc --tmpdir link.cooc"; do
    run $does
    is "cooc $does is refused" "$rc" 2
done
(cd own.cooc && "$COOC" export . -o terms.bin) 2>err
is 'an export into the current directory is refused inside a store' \
    "$(cat err)" "cooc: terms.bin: is inside a \
store; name a file in another directory
try 'cooc export --help'"
(cd own.cooc && "$COOC" index ../docs -o n) 2>err
ok 'a store inside a store is refused' \
    grep -q 'is inside another store' err
is 'nothing in the store has changed' "$(hashes own.cooc; ls -A own.cooc)" \
    "$before"
mkdir app
echo '{"name": "app"}' >app/manifest.json
ok 'a folder with a manifest of another program may be written to' \
    "$COOC" export want.cooc -o app/x.tsv -q
ok 'a folder with a manifest of another program may contain stores' \
    "$COOC" index docs -o app/s.cooc -q
ln own.cooc/terms.bin hard.tsv
"$COOC" export want.cooc -o hard.tsv -q
is 'a hard link to a file of a store is replaced and the file is kept' \
    "$(hashes own.cooc; ls -A own.cooc)" "$before"

# ---- temporary files are new files

mkdir out
echo mine >out/mine
echo mine >out/s.json.tmp
"$COOC" index docs -o n.cooc -q --stats-json out/s.json
is "a user's file FILE.tmp is kept" "$(cat out/s.json.tmp)" mine
ln -sf mine out/s.json.tmp
"$COOC" index docs -o n.cooc -q -f --stats-json out/s.json
is 'the target of a link FILE.tmp is kept' "$(cat out/mine; ls -A out)" 'mine
mine
s.json
s.json.tmp'
rm out/s.json.tmp
echo old >out/target.json
ln -s target.json out/link.json
"$COOC" index docs -o n.cooc -q -f --stats-json out/link.json
is '--stats-json follows a link to a file' "$(readlink out/link.json) $(
    grep -c '"status": "done"' out/target.json)" 'target.json 1'
rm -f out/pipe
mkfifo out/pipe
timeout 20 cat out/pipe >out/read &
timeout 20 "$COOC" index docs -o n.cooc -q -f --stats-json out/pipe
wait
ok '--stats-json is written directly to a pipe' \
    grep -q '"status": "done"' out/read
"$COOC" index docs -o n.cooc -f --stats-json /dev/stdout >out/all
ok '--stats-json /dev/stdout does not replace the report' \
    grep -q '^documents	2' out/all
refuses 2 '--stats-json in the input folder is refused' \
    index docs -o m.cooc --stats-json docs/s.json <<'END'
cooc: docs/s.json: is in the input folder docs, where the next run would read it as a document; choose another folder for --stats-json
try 'cooc index --help'
END
ok 'a hidden --stats-json in the input folder is accepted' \
    "$COOC" index docs -o m.cooc -q \
    --stats-json docs/.s.json
cp -r want.cooc c.cooc
echo mine >outside
for name in .manifest.json.tmp .rows-0000.bin.tmp; do
    ln -sf ../outside c.cooc/$name
done
"$COOC" count c.cooc -f -q
is 'a link in place of a temporary file of a store is removed' \
    "$(cat outside) $(same c.cooc)" 'mine '

# ---- files in place of an unfinished store

"$COOC" index docs -o other -q
before=$(hashes other)
ln -s other way.cooc.part
refuses 1 'a link NAME.part is not followed' index docs -o way.cooc <<'END'
cooc: way.cooc.part: already exists and was not made by cooc; move it or choose another name for the store
END
is 'the target of a link NAME.part is kept' "$(hashes other)" "$before"
rm way.cooc.part
mkdir way.cooc.part
echo mine >way.cooc.part/stop.txt
run index docs -o way.cooc
is 'NAME.part with a file of another program is kept' \
    "$rc $(cat way.cooc.part/stop.txt)" '1 mine'
mkdir folder
echo '{}' >folder/manifest.json
echo mine >folder/stop.txt
run index docs -o folder --force
is 'a folder of files with the names of store files is kept' \
    "$rc $(cat folder/stop.txt)" '1 mine'

# ---- files of a store are regular files

for name in $(ls want.cooc); do
    for kind in pipe link ring device folder; do
        rm -rf h.cooc
        cp -r want.cooc h.cooc
        rm h.cooc/$name
        case $kind in
        pipe) mkfifo h.cooc/$name ;;
        link) ln -s "$PWD/want.cooc/$name" h.cooc/$name ;;
        ring) ln -s $name h.cooc/$name ;;
        device) ln -s /dev/zero h.cooc/$name ;;
        folder) mkdir h.cooc/$name ;;
        esac
        rc=0
        timeout 20 "$COOC" stats h.cooc >out/said 2>&1 || rc=$?
        is "a $kind in place of $name is refused" "$rc $(cat out/said)" \
            "1 cooc: h.cooc/$name: is damaged: files of a store must be \
regular files; replace it with a copy of the file"
    done
done
ended
